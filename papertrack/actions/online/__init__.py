"""Asking arXiv and its like on behalf of the reader."""
