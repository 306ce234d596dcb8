"""Giving a .bib entry its old text again when the library takes back what exports wrote into it.

An export writes a value in its own words; what stood there before may have said the same by a
@string, in the journal of a preprint or with other LaTeX. That is kept, and comes back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from papertrack.documents.bibtex import (
    BibEdit,
    BibEntry,
    ReplaceEntry,
    apply_bib_edits,
    parse_bibtex,
)
from papertrack.store.documents import FormerText
from papertrack.sync.bibtex.values import READING, entry_values
from papertrack.sync.export_plan import unbroken
from papertrack.sync.threeway import Values


@dataclass(frozen=True, slots=True)
class EntryChange:
    """What makes one entry say what the library says."""

    start: int
    edits: Sequence[BibEdit]
    former: FormerText | None
    """What it was before an export edited it, if that says what it is to say now."""


def change_of(
    entry: BibEntry,
    edits: Sequence[BibEdit],
    now: Values,
    changed: Collection[str],
    history: Sequence[FormerText],
) -> EntryChange:
    """The change that these edits make, or the entry's old text if only exports edited it since."""
    # An entry's type goes along with its venue.
    apart = {"type"} if "venue" in changed and "type" not in changed else set()
    wanted = _exported(entry_values(entry) | {name: now.get(name) for name in changed}, apart)
    known = unbroken(history, entry.raw)
    former = next((one for one in known if _exported(one.base, apart) == wanted), None)
    return EntryChange(entry.span[0], edits, former)


def apply_changes(
    text: str, others: Sequence[BibEdit], changes: Mapping[int, EntryChange]
) -> tuple[str, tuple[BibEntry, ...]]:
    """The file's text with all changes made, and what it then holds.

    ``changes`` are by the place that their entry has in that. An old text is not used where its
    @string or crossref has come to say something else.
    """
    former = {place: one.former for place, one in changes.items() if one.former}
    while True:
        edits = list(others)
        for place, one in changes.items():
            old = former.get(place)
            edits += [ReplaceEntry(one.start, old.text)] if old else one.edits
        result = apply_bib_edits(text, edits)
        entries = parse_bibtex(result).entries
        misread = [
            place
            for place, one in former.items()
            if place >= len(entries)
            or _exported(entry_values(entries[place])) != _exported(one.base)
        ]
        if not misread:
            return result, entries
        for place in misread:
            del former[place]


def history_after(
    history: Sequence[FormerText], before: BibEntry, after: BibEntry
) -> list[FormerText]:
    """What to remember of an entry that an export made ``after`` of ``before``."""
    known = unbroken(history, before.raw)
    was = next((place for place, one in enumerate(known) if one.text == after.raw), None)
    if was is not None:
        return known[:was]
    return [*known, FormerText(before.raw, entry_values(before), after.raw)]


def _exported(values: Values, apart: Collection[str] = ()) -> Values:
    """Those of the values that an export writes."""
    return {
        name: value
        for name, value in values.items()
        if name not in READING and name not in apart and value is not None
    }
