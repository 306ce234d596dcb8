"""The format of .bib files for the sync engine."""
