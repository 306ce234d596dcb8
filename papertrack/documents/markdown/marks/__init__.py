"""Reading marks: which signs, words and boxes of a document say how far a work was read.

- ``vocabulary``: the table of words, signs and numbers, and what level of reading each says.
- ``kind``: ``Mark`` (what was read, and where), ``MarkKind`` (what every kind can do), ``Slot``
  (the texts at one place of all siblings), ``Shown`` and ``MarkStyle`` (how marks are written).
- ``kinds``: the kinds, in ``KINDS``. Each reads a text of a slot as a ``Mark``, and spells others.
- ``document_marks``: ``DocumentMarks`` finds the marks in columns, behind labels and beside titles,
  by what a legend, the reader or the other items of a list say.
- ``style``: learns a ``MarkStyle`` from the marks of a document or group, and writes a mark by it.
"""
