"""The changes of one .bib entry that say what the library says anew, in the entry's own words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from papertrack.documents.bibtex.edit import BibEdit, RemoveField, SetField, SetKey, SetType
from papertrack.documents.bibtex.fresh import Dialect, fields_of, type_in
from papertrack.documents.bibtex.model import BibEntry
from papertrack.records import Paper
from papertrack.sync.threeway import PUBLICATION

_VENUES = ("journal", "journaltitle", "booktitle", "school", "institution", "howpublished")
# Value → the fields of which one says it; the first that the entry has is changed.
_FIELDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "title": (("title",), ("subtitle",)),
    "authors": (("author",),),
    "year": (("year", "date"),),
    "primary_category": (("primaryclass", "eprintclass"),),
    "arxiv": (("eprint",), ("archiveprefix", "eprinttype")),
    "doi": (("doi",),),
    "url": (("url",),),
}
_PREPRINT_TYPES = frozenset({"misc", "online", "article", "unpublished"})
"""Types that an entry may have only because its venue was not known."""


def entry_edits(
    entry: BibEntry,
    paper: Paper,
    changed: Collection[str],
    dialect: Dialect,
    protect: Sequence[str],
) -> list[BibEdit]:
    """What to change in the entry so that it says the paper's values named in ``changed``."""
    if "venue" in changed and entry.facts.venue is None and entry.type in _PREPRINT_TYPES:
        # Its type said how a preprint is cited; where it was published says another one.
        paper = replace(paper, facts=replace(paper.facts, published_type=None))
    wanted = {
        name.casefold(): (name, value)
        for name, value in fields_of(paper, dialect=dialect, protect=protect).items()
    }
    edits = list(_type_edits(entry, type_in(dialect, paper), changed))
    for aliases in _places(changed):
        edits += _field_edits(entry, aliases, wanted)
    if "venue" in changed:
        edits += _venue_edits(entry, wanted)
        if entry.facts.venue is None and paper.facts.venue is not None:
            edits += _eprint_edits(entry, wanted)
    if "citekey" in changed:
        edits.append(SetKey(entry.span[0], paper.citekey))
    return edits


def _type_edits(entry: BibEntry, wanted: str, changed: Collection[str]) -> Iterator[BibEdit]:
    """A type that the reader chose for a published work stays when only its venue changes."""
    is_wrong = "type" in changed or ("venue" in changed and entry.type in _PREPRINT_TYPES)
    if is_wrong and wanted != entry.type:
        yield SetType(entry.span[0], wanted)


def _places(changed: Collection[str]) -> Iterator[tuple[str, ...]]:
    for name in changed:
        if name.startswith(PUBLICATION):
            yield (name.removeprefix(PUBLICATION),)
        else:
            yield from _FIELDS.get(name, ())


def _field_edits(
    entry: BibEntry, aliases: tuple[str, ...], wanted: dict[str, tuple[str, str]]
) -> Iterator[BibEdit]:
    start = entry.span[0]
    present = [name for name, _ in entry.fields if name in aliases]
    named = next((wanted[alias] for alias in aliases if alias in wanted), None)
    if named is None:
        for name in present:
            yield RemoveField(start, name)
        return
    if present and (present[0], named[1]) in entry.fields:
        return
    yield SetField(start, present[0] if present else named[0], named[1])


def _venue_edits(entry: BibEntry, wanted: dict[str, tuple[str, str]]) -> Iterator[BibEdit]:
    """The venue moves to the field of the entry's type; ``journaltitle`` stays what it is."""
    start = entry.span[0]
    present = [name for name, _ in entry.fields if name in _VENUES]
    target, value = next((wanted[name] for name in _VENUES if name in wanted), ("", ""))
    if target == "journal" and "journaltitle" in present:
        target = "journaltitle"
    for name in present:
        if name != target:
            yield RemoveField(start, name)
    if target:
        yield SetField(start, target, value)


def _eprint_edits(entry: BibEntry, wanted: dict[str, tuple[str, str]]) -> Iterator[BibEdit]:
    """An arXiv id that stood in a journal "arXiv", its volume or pages gets fields of its own."""
    start, arxiv_id = entry.span[0], entry.facts.identifier("arxiv")
    if arxiv_id is None:
        return
    may_hold = ("volume", "number", "pages", *_VENUES)
    misplaced = [name for name, text in entry.fields if name in may_hold and arxiv_id in text]
    for name in misplaced:
        if name not in _VENUES:
            yield RemoveField(start, name)
    if misplaced and all(name != "eprint" for name, _ in entry.fields):
        for name in ("eprint", "archiveprefix", "eprinttype"):
            if name in wanted:
                yield SetField(start, *wanted[name])
