"""Watching arXiv: the nightly look, what it brings, and how it is reported."""
