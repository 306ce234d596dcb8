"""What is wrong in a list, each thing a ``Finding`` with its line.

- ``document``: ``check_document`` puts the findings of the others in order.
- ``findings``: the kinds of findings, their levels, and which of them a document accepts.
- ``entries``: which entries list a work; their dates, missing links and rows of odd width.
- ``repeats``: works listed twice, and addresses pasted from another work.
- ``links``: links, references and definitions; and the files that a document links.
"""
