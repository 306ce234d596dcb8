"""A .bib file → its entries as facts, small changes to its text, and new entries.

Pure: bytes and text come in as arguments.
"""
