"""New entries in a .bib file that is there: at its end, but above the parents they have there.

BibTeX finds the parent of an entry only further down. What else new entries need stands above the
first of them, but for what the file has.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from papertrack.documents.bibtex.edit import line_end_of, with_entries
from papertrack.documents.bibtex.gather import Gathering, Keys, Placed, parts_of
from papertrack.documents.bibtex.grounds import ABOVE, references_of
from papertrack.documents.bibtex.own import Own
from papertrack.documents.bibtex.parse import NOT_A_WORK


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to be put into a text."""

    text: str
    """With what new entries need, if it is the first of them."""
    at: int
    """Where in the text as it was."""
    own: Own | None
    """Which one it is; None of one that only another had with it."""
    is_work: bool
    """Whether it is read as a work: options, and fields for other entries, are none."""


def new_entries(
    text: str, file: str, entries: Iterable[Own], others: Iterable[Own] = ()
) -> list[NewEntry]:
    """These entries, and those that they name, as they are to stand in a file, in its order.

    What they name is what the file has by that name if they are of it, and one of the ``others`` if
    it is there.
    """
    base = parts_of(Own("", text, file))
    places: dict[int, int] = {}

    def place(added: Sequence[Placed], keys: Keys) -> int:
        for one in reversed(added):  # Parents come before what inherits of them.
            places[id(one)] = min(_limits(one, keys, places, text), default=len(text))
        return min(places.values(), default=len(text))

    gathering = Gathering(entries, others, base, place)
    needed = ["\n".join(gathering.definitions), *gathering.preambles]
    above = "".join(f"{one}\n\n" for one in needed if one)
    new: list[NewEntry] = []
    for one in sorted(gathering.added, key=lambda one: places[id(one)]):
        said = above + gathering.text_of(one) if not new else gathering.text_of(one)
        own = one.parts.own if one.block is one.parts.entries[0] else None
        new.append(NewEntry(said, places[id(one)], own, one.block.type not in NOT_A_WORK))
    return new


def _limits(one: Placed, keys: Keys, places: dict[int, int], text: str) -> Iterator[int]:
    """Where each of its parents stands, or is to."""
    for key in references_of(one.block, ABOVE):
        parent = keys.find(one, key)
        if parent is not None and parent.is_there:
            yield _above(text, parent)
        elif parent is not None and id(parent) in places:
            yield places[id(parent)]


def _above(text: str, entry: Placed) -> int:
    """Where something can be put above an entry of the text: not between it and its comment."""
    ends = entry.parts.ends
    before = bisect_right(ends, entry.block.start)
    floor = ends[before - 1] if before else 0
    gap = text.rfind("\n\n", floor, entry.block.start)
    return entry.block.start if gap < 0 else gap + 2


def with_new(text: str, new: Sequence[NewEntry]) -> str:
    """The text with these entries put in, which get its line ends."""
    line_end = line_end_of(text)
    inside: dict[tuple[int, int], str] = {}
    for one in new:
        if one.at < len(text):
            said = (one.text.strip() + "\n\n").replace("\r\n", "\n").replace("\n", line_end)
            inside[one.at, one.at] = inside.get((one.at, one.at), "") + said
    return with_entries(text, inside, [one.text for one in new if one.at == len(text)])
