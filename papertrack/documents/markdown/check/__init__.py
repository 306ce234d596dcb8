"""What is wrong in a list, each thing a ``Finding`` with its line.

- ``document``: ``check_document`` puts all findings in order, those of entries and those of
  ``links`` (links, references, definitions, and the files that a document links).
- ``findings``: the kinds of findings, their levels, and which of them a document accepts.
"""
