"""Undo removals in a text that has changed since, like a patch applied backwards.

A text is a sequence of units, such as lines. A hunk holds the units that a change removed, and the
names of the units around them; these names show where the hunk belongs in a later text. A unit
keeps its name when its text is edited, so an edited neighbour is still recognized.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter

AROUND = 8
"""How many neighbours are stored on each side of a hunk."""
START, END = "\nstart", "\nend"
"""Names that stand for the start and the end of the text."""
_ENOUGH = 2
"""How many of a hunk's neighbours a place must still have to be accepted."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a text, such as a line, with a name that identifies it.

    A unit with a blank name cannot be identified.
    """

    name: str
    text: str
    is_sole: bool = False
    """Whether the text may contain only one unit of this name."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """The units that a change removed at one place, and their neighbours."""

    units: tuple[Unit, ...]
    """The removed units."""
    gone: tuple[str, ...]
    """The names of the units that the change inserted. Applying the hunk removes them again."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    """The names of the neighbours on each side, nearest first."""
    order: int
    """The hunk's rank in its change. Hunks are applied from the highest rank to the lowest."""
    at: int = 0
    """The old index of its first unit. Of several equally good places, the nearest to it is chosen.
    """

    @property
    def text(self) -> str:
        """The text of all removed units."""
        return "".join(unit.text for unit in self.units)


def hunk_at(
    units: Sequence[Unit], span: tuple[int, int], order: int, gone: Sequence[str] = ()
) -> Hunk:
    """Return the hunk for the removal of ``units[span]``. ``gone`` names the inserted units."""
    top, bottom = span
    before = [unit.name for unit in reversed(units[max(top - AROUND, 0) : top])]
    after = [unit.name for unit in units[bottom : bottom + AROUND]]
    return Hunk(
        tuple(units[top:bottom]),
        tuple(gone),
        tuple([*before, START][:AROUND]),
        tuple([*after, END][:AROUND]),
        order,
        top,
    )


def apply_hunks(
    units: Sequence[Unit], hunks: Sequence[Hunk]
) -> tuple[list[Unit], tuple[Hunk, ...]]:
    """Apply hunks to a text, those with the highest order first.

    Returns the new units, and the hunks for which no place was found. A sole unit that the text
    already contains is not inserted again. Units that a hunk should remove may already be missing.
    """
    result = list(units)
    ordered = sorted(hunks, key=attrgetter("order"), reverse=True)
    lost = tuple(hunk for hunk in ordered if not _apply(result, hunk))
    return result, lost


def _apply(units: list[Unit], hunk: Hunk) -> bool:
    if hunk.gone:
        start = _find_gone(units, hunk)
        if start is None:
            return not hunk.units
        units[start : start + len(hunk.gone)] = hunk.units
        return True
    sole = {unit.name for unit in units if unit.is_sole}
    missing = [unit for unit in hunk.units if unit.name not in sole]
    place = find_place(units, hunk) if missing else None
    if place is not None:
        units[place:place] = missing
    return place is not None or not missing


def find_place(units: Sequence[Unit], hunk: Hunk) -> int | None:
    """Return the index of the place with the most of a hunk's neighbours; None if too few are left.

    Places that still have the nearest neighbours come first. Of equally good places, the one
    closest to the hunk's old index wins.
    """
    ranked = []
    names = [unit.name for unit in units]
    near = {name for name in (*hunk.before, *hunk.after) if name.strip()}
    near |= {*hunk.before[:1], *hunk.after[:1]}
    beside = (n + step for n, name in enumerate(names) if name in near for step in (0, 1))
    for place in sorted({0, len(units), *beside}):
        above, below = _agreements(names, place, hunk)
        total = above.count + below.count
        if total >= _ENOUGH:
            nearest = above.is_near + below.is_near
            least = min(above.count, below.count)
            ranked.append(((nearest, total, least, -abs(place - hunk.at)), place))
    return max(ranked, key=itemgetter(0))[1] if ranked else None


@dataclass(frozen=True, slots=True)
class _Agreement:
    """How well one side of a place matches a hunk's neighbours."""

    count: int
    """How many neighbours match, in order. Neighbours that are missing from the text are skipped.
    """
    is_near: bool
    """Whether the nearest neighbour matches."""


def _agreements(
    names: Sequence[str], place: int, hunk: Hunk, gone: int = 0
) -> tuple[_Agreement, _Agreement]:
    """Compare the units above and below a place with a hunk's neighbours.

    ``gone`` is the number of units at the place that are skipped.
    """
    above = names[max(place - AROUND, 0) : place]
    below = names[place + gone : place + gone + AROUND]
    return _agreement(above[::-1], hunk.before), _agreement(below, hunk.after)


def _agreement(names: Sequence[str], others: Sequence[str]) -> _Agreement:
    """Compare the units on one side of a place with the hunk's neighbours on that side.

    Blank neighbours alone are no match. If the hunk was at the edge of the text, the edge alone is
    a sufficient match, unless something was added there.
    """
    agreeing: list[str] = []
    for number, other in enumerate(others):
        if other in (START, END):
            if len(agreeing) == number == len(names):
                return _Agreement(number + _ENOUGH, is_near=True)
        elif len(agreeing) < len(names) and names[len(agreeing)] == other:
            agreeing.append(other)
    if not any(name.strip() for name in agreeing):
        return _Agreement(0, is_near=False)
    return _Agreement(len(agreeing), is_near=agreeing[0] == others[0])


def _find_gone(units: Sequence[Unit], hunk: Hunk) -> int | None:
    """Return the index of the units that a hunk's change inserted.

    None if they are missing, or if units with these names have other neighbours.
    """
    names = tuple(unit.name for unit in units)
    count = len(hunk.gone)
    starts = [start for start, name in enumerate(names) if name == hunk.gone[0]]
    matches = [start for start in starts if names[start : start + count] == hunk.gone]
    if len(matches) == 1 and (units[matches[0]].is_sole or not hunk.before + hunk.after):
        return matches[0]
    sides = {start: _agreements(names, start, hunk, gone=count) for start in matches}
    totals = {start: above.count + below.count for start, (above, below) in sides.items()}
    trusted = [start for start in matches if totals[start] >= _ENOUGH]
    return max(trusted, key=totals.__getitem__, default=None)
