"""The tables of a library, as SQL: statements with blank lines between them."""
