"""Importers for the libraries of other tools.

Each importer recognizes its files by their content and reads them into the same items. Nothing here
writes, and no source is changed or recognized by its name.
"""
