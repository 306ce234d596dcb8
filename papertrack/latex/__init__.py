"""Unicode text ↔ TeX: ``decode`` and ``display`` read it, ``encode`` writes it. Pure.

``decode_latex(escape_text(text))`` is ``text``, cleaned: what one writes, the other reads.
"""
