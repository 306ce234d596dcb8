"""The text files of a shared library: one record per paper, and tables."""
