"""The nightly watch of arXiv: fetch, match, and report."""
