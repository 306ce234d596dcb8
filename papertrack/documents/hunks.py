"""Keep what a change took out of a text, and put it back by its neighbours.

This works like a patch applied backwards: a hunk holds what was removed and the names of its
neighbours. A text is a sequence of units, such as lines. Each unit has a name, so that a later edit
inside a unit does not hide it as a neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter

AROUND = 8
"""How many neighbours are stored on each side of a hunk."""
START, END = "\nstart", "\nend"
"""Names for the start and the end of the text."""
_ENOUGH = 2
"""How many neighbours must still be there before a place is trusted."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of a text, and the name that identifies it.

    A blank name identifies nothing.
    """

    name: str
    text: str
    is_sole: bool = False
    """Whether a text may hold only one unit of this name."""
    is_gap: bool = False
    """Whether a hunk may go inside it. A gap is the text between .bib entries, and is its own
    name."""


def gap(text: str) -> Unit:
    """Return the unit of a text between entries."""
    return Unit(text, text, is_gap=True)


@dataclass(frozen=True, slots=True)
class Hunk:
    """What a change removed at one place of a text, and its neighbours."""

    units: tuple[Unit, ...]
    """The units that the change removed."""
    gone: tuple[str, ...]
    """The names of the units that the change inserted. They are removed when the hunk returns."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    """The names of the neighbours, nearest first."""
    order: int
    """Hunks of one change are put back in the reverse of this order."""
    at: int = 0
    """The number of its first unit. Of several equal places, the nearest to it is chosen."""

    @property
    def text(self) -> str:
        """All removed text."""
        return "".join(unit.text for unit in self.units)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a hunk belongs: before the unit of this number, or at an offset inside it."""

    number: int
    offset: int = 0


def hunk_at(
    units: Sequence[Unit], span: tuple[int, int], order: int, gone: Sequence[str] = ()
) -> Hunk:
    """Return the hunk for the units that a change removes, numbered by ``span``."""
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
    """Apply hunks, highest order first.

    Returns the new units, and the hunks whose place was not found. A sole unit that is there again
    is not inserted twice. Inserted units that are gone already are not an error.
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
    """Insert units at a place, and join gaps that become neighbours."""
    number = place.number
    inner = list(added)
    if place.offset:
        text = units.pop(number).text
        inner = [gap(text[: place.offset]), *inner, gap(text[place.offset :])]
    units[number:number] = inner
    for position in range(min(number + len(inner), len(units) - 1), max(number - 1, 0), -1):
        if units[position - 1].is_gap and units[position].is_gap:
            joined = units[position - 1].text + units[position].text
            units[position - 1 : position + 1] = [gap(joined)]


def find_place(units: Sequence[Unit], hunk: Hunk) -> Place | None:
    """Return the place where most of a hunk's neighbours still stand.

    The nearest neighbours count first. Of several such places, it is the one nearest to the hunk's
    old place. None if too few neighbours are left.
    """
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
    """Return the places next to the hunk's neighbours, and the text's start and end."""
    near = {name for name in (*hunk.before, *hunk.after) if name.strip()}
    near |= {*hunk.before[:1], *hunk.after[:1]}
    numbers = [number for number, unit in enumerate(units) if unit.name in near]
    places = {Place(number + step) for number in numbers for step in (0, 1)}
    places |= {Place(0), Place(len(units))}
    beside = {number + step for number in (-1, *numbers) for step in (-1, 0, 1)}
    for number in beside & set(range(len(units))):
        if units[number].is_gap:
            places.update(_inside(number, units[number].text, hunk))
    return sorted(places)


def _inside(number: int, text: str, hunk: Hunk) -> list[Place]:
    """Return where to split a gap to put a hunk back.

    It is after the text that preceded the hunk, or before the text that followed it.
    """
    offsets = [len(name) for name in hunk.before[:1] if text.startswith(name)]
    offsets += [len(text) - len(name) for name in hunk.after[:1] if text.endswith(name)]
    return [Place(number, offset) for offset in offsets if 0 < offset < len(text)]


@dataclass(frozen=True, slots=True)
class _Agreement:
    """How much of one side of a place is unchanged."""

    count: int
    """The number of neighbours that are back, counted from the nearest. Gaps are allowed."""
    is_near: bool
    """Whether the nearest neighbour is one of them."""


def _agreements(
    names: Sequence[str], place: Place, hunk: Hunk, gone: int = 0
) -> tuple[_Agreement, _Agreement]:
    """Compare both sides of a place with a hunk, ignoring the ``gone`` units there."""
    number = place.number
    above = [*names[max(number - AROUND, 0) : number]]
    below = [*names[number + gone : number + gone + AROUND]]
    if place.offset:
        above.append(below[0][: place.offset])
        below[0] = below[0][place.offset :]
    return _agreement(above[::-1], hunk.before), _agreement(below, hunk.after)


def _agreement(names: Sequence[str], others: Sequence[str]) -> _Agreement:
    """Compare one side of a place with a hunk's neighbours.

    Blank neighbours alone do not count. The text's edge is enough by itself if nothing was added
    before it.
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
    """Return the number of the first unit that a hunk inserted.

    None if the units are gone, or if those of the same names have other neighbours.
    """
    names = tuple(unit.name for unit in units)
    count = len(hunk.gone)
    starts = [start for start, name in enumerate(names) if name == hunk.gone[0]]
    matches = [start for start in starts if names[start : start + count] == hunk.gone]
    if len(matches) == 1 and (units[matches[0]].is_sole or not hunk.before + hunk.after):
        return matches[0]
    sides = {start: _agreements(names, Place(start), hunk, gone=count) for start in matches}
    totals = {start: above.count + below.count for start, (above, below) in sides.items()}
    trusted = [start for start in matches if totals[start] >= _ENOUGH]
    return max(trusted, key=totals.__getitem__, default=None)
