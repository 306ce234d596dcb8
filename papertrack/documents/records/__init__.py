"""The text files of a shared library: a record per paper, and the tables beside them."""
