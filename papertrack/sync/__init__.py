"""Sync documents (READMEs and .bib files) with the store."""
