"""Read, edit and write .bib files.

Pure: bytes and text come in as arguments.
"""
