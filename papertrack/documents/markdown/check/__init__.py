"""Find the problems of a list, each as a ``Finding`` with its line.

- ``document``: ``check_document`` collects all findings, of entries and of what a document links to
- ``findings``: the kinds of findings, their levels, and which ones a document accepts.
"""
