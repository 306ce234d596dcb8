"""Find the problems of a list, each as a ``Finding`` with its line.

- ``document``: ``check_document`` collects all findings: those of entries and those of ``links``
  (links, references, definitions, and local files that a document links to).
- ``findings``: the kinds of findings, their levels, and which ones a document accepts.
"""
