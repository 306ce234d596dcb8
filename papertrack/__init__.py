"""papertrack keeps a curated list of papers and the reading of them. Imports nothing."""

__version__ = "1.0.0"
