"""papertrack keeps a curated list of papers and tracks reading them. This module imports
nothing."""

__version__ = "1.0.0"
