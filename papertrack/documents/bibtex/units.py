"""A .bib file as its entries and the gaps between, so that an entry comes back where it was.

A place is known by its neighbours' keys and the text between, which may hold comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.bibtex.edit import end_of_removal
from papertrack.documents.bibtex.model import BibEntry
from papertrack.documents.hunks import (
    START,
    Hunk,
    Place,
    Unit,
    apply_hunks,
    gap,
    hunk_at,
    insert_at,
)

_BLANK_LINES = re.compile(r"[ \t]*(?:\r?\n){0,2}")


def removed_hunk(text: str, entries: Sequence[BibEntry], keys: Sequence[str], number: int) -> Hunk:
    """What ``RemoveEntry`` takes out with the entry of this number. ``keys`` name the entries."""
    start, end = entries[number].span
    cut = end_of_removal(text, end)
    above = _units(text[:start], entries[:number], keys)
    taken = [_entry(keys[number], text[start:end])]
    if end < cut:
        taken.append(gap(text[end:cut]))
    below = _units(text, entries[number + 1 :], keys[number + 1 :], cut)
    span = len(above), len(above) + len(taken)
    return hunk_at([*above, *taken, *below], span, order=start)


def deleted_hunk(raw: str, keys: Sequence[str], number: int) -> Hunk:
    """The entry with this text that somebody deleted; it had this number among ``keys``."""
    units = [_entry(key, "") for key in keys]
    units[number] = _entry(keys[number], raw)
    hunk = hunk_at(units, (number, number + 1), order=number)
    # What stood before the first entry is not known: @strings, which must come first.
    before = tuple(name for name in hunk.before if name != START)
    return replace(hunk, before=before)


def with_hunks(
    text: str, entries: Sequence[BibEntry], keys: Sequence[str], hunks: Sequence[Hunk]
) -> str:
    """The text with these entries in it again, at their old places. One of which the neighbours
    are gone stands alone behind the last that is left, or at the end."""
    units, lost = apply_hunks(_units(text, entries, keys), hunks)
    for hunk in lost:
        _insert_alone(units, hunk)
    return "".join(unit.text for unit in units)


def _units(
    text: str, entries: Sequence[BibEntry], keys: Sequence[str], done: int = 0
) -> list[Unit]:
    units = []
    for key, entry in zip(keys, entries, strict=False):
        units += [gap(text[done : entry.span[0]]), _entry(key, entry.raw)]
        done = entry.span[1]
    units.append(gap(text[done:]))
    return [unit for unit in units if unit.text]


def _entry(key: str, raw: str) -> Unit:
    return Unit(f"{{{key}", raw)  # No key has a brace, so it is no gap's name.


def _insert_alone(units: list[Unit], hunk: Hunk) -> None:
    names = [unit.name for unit in units]
    known = (names.index(name) + 1 for name in hunk.before if name in names)
    number = next((n for n in known if not units[n - 1].is_gap), len(units))
    if number == len(units) and units and units[-1].is_gap:
        number -= 1
    parted = units.pop(number).text if number < len(units) and units[number].is_gap else ""
    before, after = _divided(parted, is_first=not units, is_last=number == len(units))
    insert_at(units, Place(number), [gap(before), hunk.units[0], gap(after)])


def _divided(text: str, *, is_first: bool, is_last: bool) -> tuple[str, str]:
    """The gap with an entry put into it that stands alone: after the blank line, or the last."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    if is_last:
        if is_first and not text:
            return "", line_end
        ended = text if text.endswith("\n") else text + line_end
        return ended if ended.endswith(line_end * 2) else ended + line_end, line_end
    found = _BLANK_LINES.match(text)
    at = found.end() if found else 0
    before = text[:at] if "\n" in text[:at] else text[:at] + line_end
    return before, line_end * 2 + text[at:]
