"""Making an export's changes in a .bib file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from papertrack.documents.bibtex.edit import (
    AddEntry,
    BibEdit,
    RemoveEntry,
    RemoveField,
    SetField,
    SetKey,
    SetType,
)
from papertrack.documents.bibtex.fresh import Dialect, dialect_of, entry_of, fields_of, type_in
from papertrack.documents.bibtex.model import BibEntry
from papertrack.documents.bibtex.units import removed_hunk
from papertrack.errors import DocumentError
from papertrack.records import Paper
from papertrack.sync.bibtex.history import EntryChange, apply_changes, change_of
from papertrack.sync.bibtex.reading import ReadBib, entry_keys, entry_values
from papertrack.sync.changes import Add, Plan, Remove
from papertrack.sync.history import History
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


def write_bib(
    read: ReadBib, name: str, plan: Plan, history: History, protect: Sequence[str]
) -> tuple[ReadBib, dict[int, int], dict[int, Add]]:
    """The file with the plan's changes made.

    Returns also position in the plan's ``kept`` → number of the entry that it is, and number →
    what was added. Raises DocumentError when that would not be read as it was written.
    """
    added = [change for change in plan.changes if isinstance(change, Add)]
    places = _places_after(read, plan)
    numbers = {position: kept.number for position, kept in enumerate(plan.kept)}
    placed = {position: places[n] for position, n in numbers.items() if n in places}
    changes = _entry_changes(read, plan, places, history, protect)
    edits: list[BibEdit] = [
        RemoveEntry(entry.span[0])
        for number, entry in enumerate(read.bib.entries)
        if number not in places
    ]
    edits += _new_entries(read, added, protect)
    if not edits and not changes:
        return read, placed, {}
    text, written = apply_changes(read.text, edits, changes)
    if len(written) != len(places) + len(added):
        raise DocumentError(
            f"{name} would not be read again as it was written. It was left as it is; "
            "please report this with the file."
        )
    _note(read, plan, changes, written, history)
    bib = replace(read.bib, entries=tuple(written))
    return replace(read, text=text, bib=bib), placed, dict(enumerate(added, len(places)))


def _places_after(read: ReadBib, plan: Plan) -> dict[int, int]:
    """Number of an entry that stays → its place once those removed are gone."""
    removed = {change.number for change in plan.changes if isinstance(change, Remove)}
    stay = [number for number in range(len(read.bib.entries)) if number not in removed]
    return {number: place for place, number in enumerate(stay)}


def _new_entries(read: ReadBib, added: Sequence[Add], protect: Sequence[str]) -> list[BibEdit]:
    dialect = dialect_of(read.bib) if added else "bibtex"
    return [AddEntry(entry_of(add.paper, dialect=dialect, protect=protect)) for add in added]


def _entry_changes(
    read: ReadBib,
    plan: Plan,
    places: Mapping[int, int],
    history: History,
    protect: Sequence[str],
) -> dict[int, EntryChange]:
    """Place of an entry in the changed file → what makes it say what the library says."""
    if not plan.sets:
        return {}
    dialect = dialect_of(read.bib)
    ids = {kept.number: kept.stored.id for kept in plan.kept}
    changes = {}
    for number, several in plan.sets.items():
        entry, paper = read.bib.entries[number], several[0].paper
        names = [change.field for change in several]
        if edits := entry_edits(entry, paper, names, dialect, protect):
            change = change_of(entry, edits, several, history, ids[number])
            changes[places[number]] = change
    return changes


def _note(
    read: ReadBib,
    plan: Plan,
    changes: Mapping[int, EntryChange],
    written: Sequence[BibEntry],
    history: History,
) -> None:
    """Remember what the entries were that are changed or taken out."""
    kept = {one.number: one for one in plan.kept}
    keys = entry_keys(read.bib.entries)
    by_start = {entry.span[0]: number for number, entry in enumerate(read.bib.entries)}
    for place, change in changes.items():
        number = by_start[change.start]
        old = read.bib.entries[number]
        was = replace(kept[number].stored, text=old.raw, base=entry_values(old))
        history.note_edited(was, written[place].raw)
    for one in plan.kept:
        if one.number is not None and one.is_removed:
            hunk = removed_hunk(read.text, read.bib.entries, keys, one.number)
            history.note_removed(replace(one.stored, key=keys[one.number]), [hunk])
