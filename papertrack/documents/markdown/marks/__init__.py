"""Reading marks: the signs, words and boxes that show how far a work was read.

- ``vocabulary``: the table of words, signs and numbers, and the level of reading of each.
- ``kind``: ``Mark`` (what was read, and where), ``MarkKind`` (the interface of all kinds), ``Slot``
  (the texts in one place of all siblings), ``Shown`` and ``MarkStyle`` (how marks are written).
- ``kinds``: the kinds, in ``KINDS``. Each reads a text of a slot as a ``Mark``, and writes marks.
- ``document_marks``: ``DocumentMarks`` finds the marks in columns, after labels and beside titles.
  Its evidence is a legend, the reader's settings, or the other items of a list.
- ``style``: learns a ``MarkStyle`` from the marks of a document or group, and writes a mark in it.
"""
