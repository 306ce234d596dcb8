"""Making an export's changes in a .bib file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from papertrack.documents.bibtex.edit import AddEntry, BibEdit, RemoveEntry
from papertrack.documents.bibtex.fresh import dialect_of, entry_of
from papertrack.documents.bibtex.model import BibEntry
from papertrack.documents.bibtex.units import removed_hunk
from papertrack.errors import DocumentError
from papertrack.sync.bibtex.fields import entry_edits
from papertrack.sync.bibtex.history import EntryChange, apply_changes, change_of
from papertrack.sync.bibtex.reading import ReadBib, entry_keys, entry_values
from papertrack.sync.changes import Add, Plan, Remove
from papertrack.sync.history import History


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
