"""The form of an entry: how its atoms are arranged and wrapped, whatever their words are.

Entries of one form share all scores that depend only on the form.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple

from papertrack.documents.markdown.grammar.likeness import Look
from papertrack.documents.markdown.grammar.pieces import Atom, Wrap

_JOIN = {"": 0.0, ",": 0.35, ":": 0.1, "-": 1.0, "?": 0.6, "_": 0.8, ".": 2.2, "|": 3.5, "/": 3.0}
"""The cost of a title that continues across a separator."""
_ENTER = {"round": 0.6, "square": 0.5, "code": 0.4, "quote": 0.5, "emph": 0.8, "bold": 1.6}
"""The cost of a title that crosses the start or end of a wrapper."""
_ENTER |= {"link": 1.6}
"""What it costs a title to cross the edge of a wrapper."""
_WRAP_WEIGHTS = {"link": 1.2, "quote": 1.4, "bold": 0.7, "emph": 0.1, "round": -1.5}
_WRAP_WEIGHTS |= {"square": -0.8, "code": -1.2}
_COLON_COST = 1.3
MOST_COST = 6.0
"""The highest cost at which a title may still continue to the next atom."""
_MOST_FORMS = 1000
"""How many forms are cached. A list in which all entries differ gains nothing from more."""
FormKey = tuple[object, ...]
"""Describes where a title starts or ends, by form. It is equal for entries written alike."""


class Following(IntEnum):
    """How an atom relates to the first atom of a possible title that includes it."""

    APART = 0
    WITHIN = 1
    """In one wrapper with it."""
    INNER = 2
    """In further brackets or quotes, which may be part of a title."""


class Joint(NamedTuple):
    """The boundary between an atom and the one before it."""

    separator: str
    is_glued: bool
    """Whether brackets directly follow a word, as in ``O(1)``."""
    is_shared: bool
    """Whether both atoms are in the same emphasis, quotes or link."""
    edge_cost: float
    """The cost of a title that starts or ends here, by the separator alone."""
    cost: float
    """The cost of a title that continues here."""
    cost_of_paper: float
    """The same if the entry links to a paper."""


@dataclass(slots=True, eq=False)
class Place:
    """A stretch of atoms that may be the title."""

    first: int
    last: int
    keys: tuple[FormKey, FormKey, FormKey]
    usual: float
    """A score for typical title places: before links, in a link, in bold."""
    leading: float
    """The same score if only numbers, dates and tags precede the stretch."""


class Step(NamedTuple):
    """A stretch extended by one more atom."""

    following: Following
    """How the added atom relates to the first one."""
    place: Place | None
    """The place of the extended stretch; None if it ends inside a wrapper."""


class Form:
    """Everything that depends only on the form of a line, computed once per form."""

    def __init__(self, atoms: Sequence[Atom], is_paper: bool) -> None:
        self.is_paper = is_paper
        """Whether a link leads to a paper. Titles of papers seldom have one or two words."""
        before = [atoms[max(at - 1, 0)] for at in range(len(atoms))]
        self.joints = [_joint(*pair, is_paper) for pair in zip(before, atoms, strict=True)]
        """The joint before each atom. The first one has no meaning."""
        kinds = ["L" if atom.link else kinds_of(atom) for atom in atoms]
        wraps = [{*atom.wraps} for atom in atoms]
        are_ends = list(map(_ends_title, self.joints))
        layout = _Layout(atoms, kinds, _pieces(atoms, kinds), wraps, are_ends, is_paper)
        self.rows = [layout.row(first) for first in range(len(atoms))]
        """For each atom, the stretches that start with it, from the shortest to the longest."""


def form_of(cache: dict[Hashable, Form], atoms: Sequence[Atom], is_paper: bool) -> Form:
    """Return the form of a line with these atoms. ``cache`` is the cache of forms."""
    key = (is_paper, *_key(atoms))
    form = cache.get(key)
    if form is None:
        if len(cache) >= _MOST_FORMS:
            cache.clear()
        form = cache[key] = Form(atoms, is_paper)
    return form


def _key(atoms: Sequence[Atom]) -> list[Hashable]:
    """Return a key for the form of a line, for the cache."""
    numbers: dict[Wrap, int] = {}
    parts: list[Hashable] = []
    for at, atom in enumerate(atoms):
        is_glued = at > 0 and is_glued_to(atom, atoms[at - 1])
        parts.append((atom.before, atom.link is None, is_glued))
        parts += [(numbers.setdefault(wrap, len(numbers)), wrap.kind) for wrap in atom.wraps]
    return parts


def kinds_of(atom: Atom) -> str:
    """Return the kinds of an atom's wrappers as one text: ``link bold``."""
    return " ".join(wrap.kind for wrap in atom.wraps) if atom.wraps else ""


def _pieces(atoms: Sequence[Atom], kinds: Sequence[str]) -> list[tuple[str, int]]:
    """Return each atom's outermost wrapper, and which one of its kind it is in the line."""
    pieces: list[tuple[str, int]] = []
    counts: dict[str, int] = {}
    last: object = atoms
    for atom, form in zip(atoms, kinds, strict=True):
        outer = "L" if form == "L" else atom.wraps[0] if atom.wraps else None
        kind = form.partition(" ")[0]
        if outer is not last:
            counts[kind] = counts.get(kind, 0) + 1
            last = outer
        pieces.append((kind, counts[kind]))
    return pieces


class _Layout(NamedTuple):
    """The atoms of the first line that has a form, to compute its places."""

    atoms: Sequence[Atom]
    kinds: Sequence[str]
    """The kinds of each atom's wrappers; ``L`` for a link that only names a role."""
    pieces: Sequence[tuple[str, int]]
    wraps: Sequence[Set[Wrap]]
    are_ends: Sequence[bool]
    """For each atom, whether a title must end before it."""
    is_paper: bool

    def row(self, first: int) -> list[Step]:
        """Return the stretches that start at an atom, up to where a title must end."""
        row: list[Step] = []
        for last in range(first, len(self.atoms)):
            if self.atoms[last].link is not None or (row and self.are_ends[last]):
                break
            row.append(Step(self.following(first, last), self.place(first, last)))
        return row

    def following(self, first: int, last: int) -> Following:
        """Return how the last atom of a stretch relates to its first one."""
        wraps, outer = self.atoms[last].wraps, self.atoms[first].wraps
        if len(wraps) > len(outer) and wraps[-1].kind in ("square", "quote"):
            return Following.INNER
        return Following.WITHIN if wraps and wraps[0] in outer else Following.APART

    def place(self, first: int, last: int) -> Place | None:
        """Return the place of a stretch; None if it starts or ends inside a wrapper."""
        start, end = self.atoms[first].wraps, self.atoms[last].wraps
        count = shared(start, end)
        before, behind = self.wraps_at(first - 1), self.wraps_at(last + 1)
        if not (before.isdisjoint(start[count:]) and behind.isdisjoint(end[count:])):
            return None
        usual, leading = self.usual(first, last, start[:count])
        return Place(first, last, self.keys(first, last, start[:count]), usual, leading)

    def wraps_at(self, at: int) -> Set[Wrap]:
        """Return the wrappers of an atom; none outside of the line."""
        return self.wraps[at] if 0 <= at < len(self.atoms) else frozenset()

    def keys(
        self, first: int, last: int, shared: Sequence[Wrap]
    ) -> tuple[FormKey, FormKey, FormKey]:
        """Return three keys of a stretch: for its start, for the piece it is in, and for its end.

        The second one also tells whether the stretch fills that piece.
        """
        form = " ".join(wrap.kind for wrap in shared)
        is_end = last + 1 == len(self.atoms)
        behind = ("", "$") if is_end else (self.atoms[last + 1].before, self.kinds[last + 1])
        fills = bool(shared) and not self.is_beside(shared[-1], first, last)
        return (
            ("start", form, self.atoms[first].before, self.kinds[first - 1] if first else "^"),
            ("piece", form, self.pieces[first], fills),
            ("end", form, *behind),
        )

    def is_beside(self, wrap: Wrap, first: int, last: int) -> bool:
        """Return whether a wrapper also contains the atom before or after a stretch."""
        return wrap in self.wraps_at(first - 1) or wrap in self.wraps_at(last + 1)

    def usual(self, first: int, last: int, shared: Sequence[Wrap]) -> tuple[float, float]:
        """Return the scores ``Place.usual`` and ``Place.leading`` of a stretch."""
        weight = sum(_WRAP_WEIGHTS[wrap.kind] for wrap in shared)
        weight += 1.0 * any(
            not _is_bracket(wrap) and not self.is_beside(wrap, first, last) for wrap in shared
        )
        start = self.atoms[first].wraps
        is_set_off = bool(start) and start[-1].kind in ("link", "bold")
        lead = (2.0 if self.is_paper else 3.0) if is_set_off else 0.0
        is_before_links = "L" not in self.kinds[:first]
        weight += 0.5 * is_before_links + 0.4 * (first == 0)
        return weight, weight + lead


def _joint(before: Atom, after: Atom, is_paper: bool) -> Joint:
    """Return the joint between two atoms."""
    outer = shared(before.wraps, after.wraps)
    # Ending a title within its wrappers costs most at a colon. In an entry with a paper's link, a
    # colon has this cost everywhere.
    costs = {":": _COLON_COST, "?": 1.3, ",": 0.6, "": 0.6} if before.wraps == after.wraps else {}
    costs |= {":": _COLON_COST} if is_paper else {}
    return Joint(
        after.before,
        is_glued_to(after, before),
        outer > 0 and not _is_bracket(before.wraps[outer - 1]),
        costs.get(after.before, 0.0),
        _join_cost(before, after, is_paper=False),
        _join_cost(before, after, is_paper=is_paper),
    )


def _ends_title(joint: Joint) -> bool:
    """Return whether a title must end at a joint, whatever words follow."""
    may_go_on = joint.is_glued or joint.separator == "-"
    return not may_go_on and min(joint.cost, joint.cost_of_paper) > MOST_COST


def _is_bracket(wrap: Wrap) -> bool:
    return wrap.kind in ("square", "round")


def is_glued_to(atom: Atom, before: Atom) -> bool:
    """Return whether round brackets around one of two atoms touch the other.

    One blank may follow the closing bracket.
    """
    opening, closing = (
        item.wraps[-1] if item.wraps and item.wraps[-1].kind == "round" else None
        for item in (atom, before)
    )
    is_opened = opening is not None and opening.start == before.end
    return is_opened or (closing is not None and 0 <= atom.start - closing.end <= 1)


def _join_cost(before: Atom, after: Atom, *, is_paper: bool) -> float:
    """Return the cost of a title that continues from one atom to the next.

    ``[Name](…): the rest`` may be one title if the link is a paper's.
    """
    cost = _JOIN[after.before]
    if before.wraps != after.wraps:
        outer = shared(before.wraps, after.wraps)
        left, entered = ([wrap.kind for wrap in side.wraps[outer:]] for side in (before, after))
        if is_paper and after.before == ":" and "link" not in entered:
            return cost + 0.3 * len(left + entered)
        cost += sum(_ENTER[kind] for kind in left + entered) + 2.5 * ("link" in left + entered)
    return cost


def shared(first: Sequence[Wrap], second: Sequence[Wrap]) -> int:
    """Return how many wrappers contain both atoms, from the outermost."""
    count = 0
    for left, right in zip(first, second, strict=False):
        if left is not right:
            break
        count += 1
    return count


_SURE_NAME = 0.55
_FEW_WORDS = 3
"""The most words of a person's name; more are a title."""


def with_names_alike(atoms: Sequence[Atom], looks: Sequence[Look]) -> Sequence[Atom]:
    """Return an entry's atoms without the emphasis of single names in a list of names."""
    marks = [
        emphasis_alone(atoms, at, ("bold", "emph")) if look.name > _SURE_NAME else None
        for at, look in enumerate(looks)
    ]
    if not any(marks):
        return atoms
    plain = [
        replace(atom, start=mark.start, end=mark.end, wraps=atom.wraps[:-1]) if mark else atom
        for mark, atom in zip(marks, atoms, strict=True)
    ]
    return [
        plain[at] if marks[at] and _is_among_names(atoms, plain, looks, at) else atom
        for at, atom in enumerate(atoms)
    ]


def emphasis_alone(atoms: Sequence[Atom], at: int, kinds: Sequence[str]) -> Wrap | None:
    """Return an atom's innermost wrapper, if it is of these kinds and has no other atoms."""
    wrap = next(reversed(atoms[at].wraps), None) if atoms[at].link is None else None
    beside = (*atoms[max(at - 1, 0) : at], *atoms[at + 1 : at + 2])
    is_alone = wrap is not None and not any(wrap in other.wraps for other in beside)
    return wrap if wrap and wrap.kind in kinds and is_alone else None


def _is_among_names(
    atoms: Sequence[Atom], plain: Sequence[Atom], looks: Sequence[Look], at: int
) -> bool:
    """Return whether an emphasized name belongs to a list of names.

    Otherwise it may be the title of a work by the people beside it.
    """
    beside = [
        plain[max(at, other)].before in (",", "")
        and plain[at].wraps == plain[other].wraps
        and looks[other].name > _SURE_NAME
        for other in (at - 1, at + 1)
        if 0 <= other < len(atoms)
    ]
    is_between = len(beside) > 1 and all(beside)
    return is_between or (any(beside) and (looks[at].common > 0 or _has_title(atoms, looks, at)))


def _has_title(atoms: Sequence[Atom], looks: Sequence[Look], at: int) -> bool:
    """Return whether other words of the entry look like its title.

    They are many emphasized or linked words before the atom, or quoted words after it.
    """
    words: dict[Wrap, float] = {}
    for place, (atom, look) in enumerate(zip(atoms, looks, strict=True)):
        kinds = ("link", "bold", "emph", "quote") if place < at else ("quote",)
        for wrap in atom.wraps:
            if wrap.kind in kinds:
                words[wrap] = words.get(wrap, 0.0) + look.words
    return max(words.values(), default=0.0) > _FEW_WORDS
