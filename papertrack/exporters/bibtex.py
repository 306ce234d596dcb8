"""Papers as a .bib file: one entry each, sorted by citekey."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from papertrack.documents.bibtex.fresh import Dialect, PreprintStyle, entry_of
from papertrack.records import Paper

__all__ = ["Dialect", "PreprintStyle", "entry_of", "to_bibtex"]


def to_bibtex(
    papers: Iterable[Paper],
    *,
    dialect: Dialect = "bibtex",
    preprint_style: PreprintStyle = "misc",
    protect: Sequence[str] = (),
) -> str:
    """A ``.bib`` file: the entries in the order of their keys, an empty line between two.

    ``protect`` lists words whose capitals no style may change, besides those that show it.
    """
    entries = [
        entry_of(paper, dialect=dialect, preprint_style=preprint_style, protect=protect)
        for paper in sorted(papers, key=lambda paper: (paper.citekey.casefold(), paper.citekey))
    ]
    return "\n".join(entries)
