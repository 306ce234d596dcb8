"""Unicode text ↔ LaTeX as it stands in BibTeX values. Pure.

``decode_latex(escape_text(text))`` is ``text``, cleaned: what one writes, the other reads.
"""

from papertrack.latex.decode import decode_latex
from papertrack.latex.encode import escape_text, escape_title, escape_verbatim

__all__ = ["decode_latex", "escape_text", "escape_title", "escape_verbatim"]
