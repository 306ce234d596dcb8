"""papertrack keeps a curated list of papers and the reading of them. This module imports nothing."""

__version__ = "0.1.0"
