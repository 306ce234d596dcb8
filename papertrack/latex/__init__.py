"""Convert between Unicode and TeX: ``decode`` and ``display`` read TeX, ``encode`` writes it.

``decode_latex(escape_text(text))`` is the cleaned ``text``: each reads what the other writes.
"""
