"""Taking an entry out of a .bib file, and putting it back where it was, byte for byte.

Its place is known by its neighbours' keys and the text between, which may hold comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from papertrack.documents.bibtex.edit import end_of_removal
from papertrack.documents.bibtex.model import BibEntry

AROUND = 8
"""Neighbours that are remembered on each side of an entry."""
_BLANK_LINES = re.compile(r"[ \t]*(?:\r?\n){0,2}")
_START, _END = "{start", "{end"
"""Stand among the keys for the file's start and end; no key has a brace."""


@dataclass(frozen=True, slots=True)
class TakenEntry:
    """An entry that was taken out, and what stood around it."""

    key: str
    text: str
    end: str
    """The space after it that went with it."""
    gap_before: str | None
    """The text between the entry before it, or the file's start, and it. None if not known."""
    gap_after: str | None
    """The text between what went with it and the next entry, or the file's end."""
    previous: tuple[str, ...]
    """The keys of the entries before it, the nearest first."""
    following: tuple[str, ...]


def taken_entry(
    text: str, entries: Sequence[BibEntry], keys: Sequence[str], number: int
) -> TakenEntry:
    """The entry with this number as ``RemoveEntry`` takes it out. ``keys`` name the entries."""
    start, end = entries[number].span
    cut = end_of_removal(text, end)
    before = entries[number - 1].span[1] if number else 0
    after = entries[number + 1].span[0] if number + 1 < len(entries) else len(text)
    return TakenEntry(
        key=keys[number],
        text=entries[number].raw,
        end=text[end:cut],
        gap_before=text[before:start],
        gap_after=text[cut:after],
        previous=(*reversed(keys[max(number - AROUND, 0) : number]), _START)[:AROUND],
        following=(*keys[number + 1 : number + 1 + AROUND], _END)[:AROUND],
    )


def deleted_entry(text: str, keys: Sequence[str], number: int) -> TakenEntry:
    """The entry with this text that somebody deleted; it had this number among ``keys``."""
    return TakenEntry(
        key=keys[number],
        text=text,
        end="",
        gap_before=None,
        gap_after=None,
        previous=(*reversed(keys[max(number - AROUND, 0) : number]), _START)[:AROUND],
        following=(*keys[number + 1 : number + 1 + AROUND], _END)[:AROUND],
    )


def put_back_entries(
    text: str, entries: Sequence[BibEntry], keys: Sequence[str], taken: Sequence[TakenEntry]
) -> str:
    """The text with these entries in it again, at their old places; at the end where none of the
    neighbours is left. What was taken out last must come first."""
    order = [*keys, _END]
    raws = {key: entry.raw for key, entry in zip(keys, entries, strict=True)}
    gaps: dict[str, str] = {}
    done = 0
    for key, entry in zip(keys, entries, strict=True):
        gaps[key] = text[done : entry.span[0]]
        done = entry.span[1]
    gaps[_END] = text[done:]
    for one in taken:
        place, (before, after) = _place(one, order, gaps)
        gaps[one.key], gaps[order[place]] = before, after
        raws[one.key] = one.text
        order.insert(place, one.key)
    return "".join(gaps[key] + raws.get(key, "") for key in order)


def _place(
    one: TakenEntry, order: Sequence[str], gaps: dict[str, str]
) -> tuple[int, tuple[str, str]]:
    """Before which entry it comes, and the texts between that, it, and the one before it."""
    after = one.previous[0]
    if one.gap_before is not None and (after == _START or after in gaps):
        place = order.index(after) + 1 if after != _START else 0
        gap = gaps[order[place]]
        if gap.startswith(one.gap_before):
            return place, (one.gap_before, one.end + gap[len(one.gap_before) :])
    if one.gap_after is not None and one.following[0] in gaps:
        place = order.index(one.following[0])
        gap = gaps[order[place]]
        if gap.endswith(one.gap_after):
            at = len(gap) - len(one.gap_after)
            return place, (gap[:at], one.end + gap[at:])
    known = next((key for key in one.previous if key in gaps), None)
    place = order.index(known) + 1 if known is not None else len(order) - 1
    gap = gaps[order[place]]
    if order == [_END] and not gap:
        return place, ("", "\n")
    return place, _divided(gap, is_last=place == len(order) - 1)


def _divided(gap: str, *, is_last: bool) -> tuple[str, str]:
    """The gap with an entry put into it that stands alone: after the blank line, or the last."""
    line_end = "\r\n" if "\r\n" in gap else "\n"
    if is_last:
        ended = gap if gap.endswith("\n") else gap + line_end
        return ended if ended.endswith(line_end * 2) else ended + line_end, line_end
    found = _BLANK_LINES.match(gap)
    at = found.end() if found else 0
    before = gap[:at] if "\n" in gap[:at] else gap[:at] + line_end
    return before, line_end * 2 + gap[at:]
