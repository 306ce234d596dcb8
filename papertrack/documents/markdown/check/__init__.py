"""Find the problems of a list, each as a ``Finding`` with its line.

- ``document``: ``check_document`` finds all problems; ``local_links`` the files that are linked
- ``findings``: the kinds of findings, their levels, and which ones a document accepts.
"""
