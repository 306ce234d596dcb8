"""Reading marks: the signs, words and boxes that show how far a work was read.

- ``vocabulary``: the table of words, signs and numbers, each with its level of reading.
- ``kind``: ``Mark`` (how many passes, and where), ``MarkKind`` (the interface of all kinds),
  ``Slot`` (the texts at one place of all siblings), ``MarkSamples`` and ``MarkStyle`` (how marks
  are written).
- ``kinds``: all kinds, in ``KINDS``. Each reads a text as a ``Mark`` and writes marks.
- ``document_marks``: ``DocumentMarks`` finds the marks in columns, after labels and beside titles.
  It needs evidence: a legend, the user's settings, or other items of the list with marks.
- ``style``: learns the ``MarkStyle`` of a document or group, and writes a mark in it.
"""
