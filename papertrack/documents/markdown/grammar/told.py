"""What the reader says of one entry: which words are its authors, its venue, its date.

All entries that have words in the same place are read by that: the same side of the title, the
same wrappers, behind the same sign, the same turn among those. An entry whose words there are
surely something else is read as it is, unless those of the example were mistaken for the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from papertrack.documents.markdown.grammar.reading import Said, place_of, sure_role
from papertrack.documents.markdown.grammar.segments import Line, Segment
from papertrack.documents.markdown.model import PartRole
from papertrack.documents.markdown.values import find_date
from papertrack.text import title_key

TaughtPlace = tuple[object, int]
"""Where words stand, and how many like places are on their side up to there."""


class Taught(NamedTuple):
    """What words in a place say."""

    role: PartRole
    mistaken: frozenset[PartRole]
    """What they were surely taken for."""


def find_taught(
    text: str, line: Line, title: Segment, told: Mapping[PartRole, str]
) -> Iterator[tuple[TaughtPlace, Taught]]:
    """Yield the places where an entry has the words that the reader told, each with its role."""
    for role, words in told.items():
        first, last = _where(text, line, words)
        for at in range(first, last):
            mistaken = sure_role(text, line, at)
            taken = frozenset([mistaken] if mistaken not in (None, role) else [])
            yield _place(line, at, title), Taught(role, taken)


def _where(text: str, line: Line, words: str) -> tuple[int, int]:
    """Return from which to behind which atom words stand; an empty range if they do not."""
    wanted, atoms = title_key(words), line.atoms
    for first in range(len(atoms)):
        for last in range(first, len(atoms)):
            found = title_key(text[atoms[first].start : atoms[last].end])
            if found == wanted:
                return first, last + 1
            if len(found) > len(wanted):
                break
    return 0, 0


def as_taught(
    taught: Mapping[TaughtPlace, Taught],
    text: str,
    line: Line,
    title: Segment | None,
    said: Sequence[Said],
) -> list[Said]:
    """Return what the atoms of an entry say, as the reader taught it."""
    told = dict(_told(text, line, title, taught)) if title is not None else {}
    roles = {one.role for one in told.values()}
    others = {one.at: one for one in said if one.at not in told}
    for at, one in others.items():
        if one.role in roles:
            others[at] = one._replace(role="details", is_sure=False)
    return [one for _, one in sorted((others | told).items())]


def _told(
    text: str, line: Line, title: Segment | None, taught: Mapping[TaughtPlace, Taught]
) -> Iterator[tuple[int, Said]]:
    for at, atom in enumerate(line.atoms):
        is_title = title is not None and title.first <= at <= title.last
        one = None if is_title or atom.link else taught.get(_place(line, at, title))
        if one is not None and _may_say(text, line, at, one):
            yield at, Said(at, one.role, True)


def _may_say(text: str, line: Line, at: int, one: Taught) -> bool:
    """Whether an atom may say what stands in its place."""
    if one.role == "date":
        return find_date(text, line.atoms[at].start, line.atoms[at].end) is not None
    sure = sure_role(text, line, at)
    return sure in (None, one.role) or sure in one.mistaken


def _place(line: Line, at: int, title: Segment | None) -> TaughtPlace:
    """Return where an atom stands, and how many like places are before it on its side."""
    place = place_of(line, at, title)
    starts = [n for n in range(at + 1) if n == 0 or not _goes_on(line, n)]
    return place, sum(place_of(line, n, title) == place for n in starts)


def _goes_on(line: Line, at: int) -> bool:
    """Whether only a comma parts an atom from the one before."""
    atom, before = line.atoms[at], line.atoms[at - 1]
    return atom.before == "," and atom.wraps == before.wraps
