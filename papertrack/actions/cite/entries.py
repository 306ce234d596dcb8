"""The entries that papers are cited by: the reader's own where a .bib file brought them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from papertrack.documents.bibtex.blocks import read_blocks
from papertrack.exporters.bibtex import Dialect, SourceEntry, to_bibtex
from papertrack.records import Paper
from papertrack.store.originals import originals_with
from papertrack.store.store import Store
from papertrack.sync.bibtex import own as texts
from papertrack.sync.bibtex.format import BibFormat


def own_entries(
    store: Store, papers: Iterable[Paper], *, protect: Sequence[str] = ()
) -> dict[int, list[SourceEntry]]:
    """By paper the entries that .bib files brought of it, with what the library changed since;
    ``protect`` are words whose capitals are kept in titles changed."""
    return texts.own_entries(
        store, papers, lambda read: BibFormat(store, str(read.path), read, protect)
    )


def bib_entries(
    store: Store,
    papers: Iterable[Paper],
    *,
    dialect: Dialect = "bibtex",
    protect: Sequence[str] = (),
    extra: Sequence[str] = (),
) -> str:
    """The papers' entries, each under its citekey, with all that they need: a text of BibTeX.

    New ones have the ``extra`` fields of ``entry_of``.
    """
    papers = list(papers)
    own = own_entries(store, papers, protect=protect)
    return to_bibtex(papers, own=own, dialect=dialect, protect=protect, extra=extra)


def find_sets(store: Store, keys: Collection[str]) -> dict[str, list[int]]:
    """Those of these keys that are of biblatex's sets of entries, and the papers in each."""
    found: dict[str, list[int]] = {}
    for paper_id, text in originals_with(store, "@set") if keys else ():
        for block in read_blocks(text):
            if block.type == "set" and block.key in keys:
                found.setdefault(block.key, []).append(paper_id)
    return found
