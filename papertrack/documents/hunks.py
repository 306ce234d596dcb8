"""What a change took out of a text, kept with what stood around it, and put back by that.

As a patch that is applied backwards: a hunk holds what was there and the names of its neighbours.
A text is a row of units, such as lines; each has a name, so that what changes in one meanwhile
hides nobody's neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter

AROUND = 8
"""Neighbours that are remembered on each side of a hunk."""
START, END = "\nstart", "\nend"
"""Stand among the names for the text's edges."""
_ENOUGH = 2
"""Neighbours that must still be there for a place to be believed."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of a text, and what it is known by. A blank name says nothing."""

    name: str
    text: str
    is_sole: bool = False
    """Whether a text may hold only one of this name."""
    is_gap: bool = False
    """Whether a place may be inside it: what is between the entries of a .bib file, which is
    its own name."""


def gap(text: str) -> Unit:
    """Return the unit of a text between entries."""
    return Unit(text, text, is_gap=True)


@dataclass(frozen=True, slots=True)
class Hunk:
    """What stood at one place of a text before a change, and around it."""

    units: tuple[Unit, ...]
    """What the change took out."""
    gone: tuple[str, ...]
    """The names of the units that it put there in their stead: they go when the others return."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    """The names of the units around it, the nearest first."""
    order: int
    """Hunks of one change come back in the reverse of this order."""
    at: int = 0
    """The number of the first of its units: of places that are alike, the one nearest to it is
    the hunk's."""

    @property
    def text(self) -> str:
        """All that was taken out."""
        return "".join(unit.text for unit in self.units)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a hunk belongs: before the unit with this number, or so far inside it."""

    number: int
    offset: int = 0


def hunk_at(
    units: Sequence[Unit], span: tuple[int, int], order: int, gone: Sequence[str] = ()
) -> Hunk:
    """Return the hunk of units that a change takes out: those of ``span``, as numbers."""
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
    """Return the units with the hunks applied, those with the highest order first, and the hunks
    whose place was not found.

    What is there again, of which there may be only one, is not put there twice; what is no longer
    there cannot go.
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
        insert_at(units, place, missing)
    return place is not None or not missing


def insert_at(units: list[Unit], place: Place, added: Sequence[Unit]) -> None:
    """Put units at a place; what comes to stand beside a gap and is one too becomes one with it."""
    number = place.number
    inner = list(added)
    if place.offset:
        parted = units.pop(number).text
        inner = [gap(parted[: place.offset]), *inner, gap(parted[place.offset :])]
    units[number:number] = inner
    for position in range(min(number + len(inner), len(units) - 1), max(number - 1, 0), -1):
        if units[position - 1].is_gap and units[position].is_gap:
            joined = units[position - 1].text + units[position].text
            units[position - 1 : position + 1] = [gap(joined)]


def find_place(units: Sequence[Unit], hunk: Hunk) -> Place | None:
    """Return where a hunk's nearest neighbours, and most of the others, still stand; of several
    such places the one nearest to where it was. None if too few are there to believe it."""
    ranked = []
    names = [unit.name for unit in units]
    for place in _candidates(units, hunk):
        above, below = _agreements(names, place, hunk)
        total = above.count + below.count
        if total >= _ENOUGH:
            near = above.is_near + below.is_near
            least = min(above.count, below.count)
            ranked.append(((near, total, least, -abs(place.number - hunk.at)), place))
    return max(ranked, key=itemgetter(0))[1] if ranked else None


def _candidates(units: Sequence[Unit], hunk: Hunk) -> list[Place]:
    """Return the places beside units that were near the hunk, and the text's start and end."""
    near = {name for name in (*hunk.before, *hunk.after) if name.strip()}
    near |= {*hunk.before[:1], *hunk.after[:1]}
    found = [number for number, unit in enumerate(units) if unit.name in near]
    places = {Place(number + step) for number in found for step in (0, 1)}
    places |= {Place(0), Place(len(units))}
    beside = {number + step for number in (-1, *found) for step in (-1, 0, 1)}
    for number in beside & set(range(len(units))):
        if units[number].is_gap:
            places.update(_inside(number, units[number].text, hunk))
    return sorted(places)


def _inside(number: int, text: str, hunk: Hunk) -> list[Place]:
    """Return where a gap is parted as the hunk did: behind what was before it, or before what was
    behind it."""
    offsets = [len(name) for name in hunk.before[:1] if text.startswith(name)]
    offsets += [len(text) - len(name) for name in hunk.after[:1] if text.endswith(name)]
    return [Place(number, offset) for offset in offsets if 0 < offset < len(text)]


@dataclass(frozen=True, slots=True)
class _Agreement:
    """How far one side of a place is as it was."""

    count: int
    """Neighbours that are there again, the nearest first; of these some may be gone."""
    is_near: bool
    """Whether the nearest of all is."""


def _agreements(
    names: Sequence[str], place: Place, hunk: Hunk, gone: int = 0
) -> tuple[_Agreement, _Agreement]:
    """Compare what is above and below a place, without so many units there that go."""
    number = place.number
    above = [*names[max(number - AROUND, 0) : number]]
    below = [*names[number + gone : number + gone + AROUND]]
    if place.offset:
        above.append(below[0][: place.offset])
        below[0] = below[0][place.offset :]
    return _agreement(above[::-1], hunk.before), _agreement(below, hunk.after)


def _agreement(names: Sequence[str], others: Sequence[str]) -> _Agreement:
    """Compare one side with what was there. What is only blank does not count; the text's edge is
    enough by itself where nothing stands before it that did not."""
    found: list[str] = []
    for number, other in enumerate(others):
        if other in (START, END):
            if len(found) == number == len(names):
                return _Agreement(number + _ENOUGH, is_near=True)
        elif len(found) < len(names) and names[len(found)] == other:
            found.append(other)
    if not any(name.strip() for name in found):
        return _Agreement(0, is_near=False)
    return _Agreement(len(found), is_near=found[0] == others[0])


def _find_gone(units: Sequence[Unit], hunk: Hunk) -> int | None:
    """Return the number of the first unit that a hunk put there. None if they are not there any
    more, or others of their names are, with other neighbours."""
    names = tuple(unit.name for unit in units)
    count = len(hunk.gone)
    starts = [start for start, name in enumerate(names) if name == hunk.gone[0]]
    found = [start for start in starts if names[start : start + count] == hunk.gone]
    if len(found) == 1 and (units[found[0]].is_sole or not hunk.before + hunk.after):
        return found[0]
    sides = {start: _agreements(names, Place(start), hunk, gone=count) for start in found}
    totals = {start: above.count + below.count for start, (above, below) in sides.items()}
    believed = [start for start in found if totals[start] >= _ENOUGH]
    return max(believed, key=totals.__getitem__, default=None)
