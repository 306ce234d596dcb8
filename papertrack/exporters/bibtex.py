"""Papers as a .bib file: entries as the reader's own files have them, and new ones for the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from unicodedata import normalize

from papertrack.documents.bibtex.fresh import Dialect, PreprintStyle, entry_of
from papertrack.documents.bibtex.gather import Own, gathered
from papertrack.records import Paper

__all__ = ["Dialect", "Own", "PreprintStyle", "entry_of", "to_bib_file", "to_bibtex"]

OwnEntries = Mapping[int, Sequence[Own]]
"""By paper what the reader's files have of it."""
_IDS = re.compile(r"\bids\s*=\s*[{\"]([^{}\"]*)", re.I)


def to_bibtex(
    papers: Iterable[Paper],
    *,
    own: OwnEntries | None = None,
    dialect: Dialect = "bibtex",
    preprint_style: PreprintStyle = "misc",
    protect: Sequence[str] = (),
    extra: Sequence[str] = (),
) -> str:
    """A ``.bib`` file: an entry for each paper in the order of their keys, an empty line between
    two.

    A paper has its ``own`` entry, with what that needs, under its citekey; one without gets a new
    one, in which ``protect`` lists words whose capitals no style may change, besides those that
    show it, and that has the ``extra`` fields of ``entry_of``.
    """

    def entry(paper: Paper) -> Own:
        several = (own or {}).get(paper.id, ())
        if several:
            return _own_under(paper.citekey, several, dialect)
        text = entry_of(
            paper, dialect=dialect, preprint_style=preprint_style, protect=protect, extra=extra
        )
        return Own("", text)

    return gathered(dict.fromkeys(map(entry, papers)))


def _own_under(citekey: str, several: Sequence[Own], dialect: Dialect) -> Own:
    """The one of the entries that has the key; one that tells it as another of its keys, which
    biber reads, stays as it is, else the first gets it."""
    found = (one for one in several if one.citekey == citekey)
    telling = (one for one in several if dialect == "biblatex" and citekey in _told_keys(one))
    return next(found, None) or next(telling, replace(several[0], citekey=citekey))


def _told_keys(own: Own) -> set[str]:
    """The other keys that an entry tells in its field "ids"."""
    return {key.strip() for found in _IDS.findall(own.text) for key in found.split(",")}


def to_bib_file(
    papers: Iterable[Paper],
    *,
    own: OwnEntries | None = None,
    dialect: Dialect = "bibtex",
    preprint_style: PreprintStyle = "misc",
    protect: Sequence[str] = (),
    extra: Sequence[str] = (),
) -> str:
    """As ``to_bibtex``, with an entry for every key that a manuscript may cite a paper by: those of
    its own entries, its citekey, and its former keys, but for those that an entry tells itself."""
    own = own or {}
    under_all = [
        replace(paper, citekey=key)
        for paper in papers
        for key in _each_once(_keys_of(paper, own.get(paper.id, ()), dialect))
    ]
    return to_bibtex(
        under_all,
        own=own,
        dialect=dialect,
        preprint_style=preprint_style,
        protect=protect,
        extra=extra,
    )


def _each_once(keys: Iterable[str]) -> Iterable[str]:
    """The keys, but of those that only differ in how accents are coded, as biber reads them."""
    by_form: dict[str, str] = {}
    for key in keys:
        by_form.setdefault(normalize("NFC", key), key)
    return by_form.values()


def _keys_of(paper: Paper, own: Sequence[Own], dialect: Dialect) -> Iterator[str]:
    yield from (one.citekey for one in own)
    yield paper.citekey
    if dialect == "biblatex" and not own:
        return  # A new entry has them in its field "ids".
    told = set[str]().union(*map(_told_keys, own))
    yield from (key for key in paper.citekey_aliases if key not in told)
