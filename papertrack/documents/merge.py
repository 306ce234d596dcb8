"""Three versions of a text, of which two come from the first, made one: by pieces that have names.

A piece is an entry, a link definition or any other line. What both sides did to one entry is merged
word by word; what they added is kept from both, ours first. Only what contradicts is a conflict,
with git's markers around that piece alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import takewhile
from typing import TypeVar

_WORDS = re.compile(r"[⺀-\uffff]|[^\W⺀-\uffff]+|\s+|.", re.DOTALL)
_DAY = re.compile(r"[0-9]{4}[-/.][0-9]{2}[-/.][0-9]{2}(?:[ T][0-9:]{5,8}(?: ?[-+][0-9:]{4,5}|Z)?)?")
_NUMBERED = re.compile(r"([ \t]*)([0-9]{1,9})([.)][ \t])")
_OF_THEIRS = -1
"""The place in base of what theirs added."""
_ALIKE = 0.5
"""From which likeness on a line in the place of another is that one, edited."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text; all of them, in their order, are the text."""

    text: str
    name: Hashable = None
    """What it is in any version; None for what only its text and place tell."""
    is_conflict: bool = False

    def __str__(self) -> str:
        return self.text

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of three versions."""

    text: str
    conflicts: int
    """Places where both sides say different things, between markers in the text."""


Span = tuple[int, int]
Pieces = Sequence[Piece]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Labels:
    """How the sides of a conflict are called, and how its lines end."""

    ours: str = "ours"
    theirs: str = "theirs"
    line_end: str = "\n"

    def conflict(self, ours: str, theirs: str, name: Hashable = None) -> Piece:
        """A piece with both sides between markers."""
        end = self.line_end
        sides = [side if side.endswith(end) or not side else side + end for side in (ours, theirs)]
        text = f"<<<<<<< {self.ours}{end}{sides[0]}======={end}{sides[1]}>>>>>>> {self.theirs}{end}"
        return Piece(text, name, is_conflict=True)


def merge_pieces(base: Pieces, ours: Pieces, theirs: Pieces, labels: Labels) -> Merged:
    """Merge three versions; one side may have sorted anew what the other one edited."""
    base, ours, theirs = _with_same_content(base, ours, theirs, labels)
    named = {*_named(ours)}, {*_named(theirs)}
    result: list[Piece] = []
    adrift: dict[Hashable, list[Piece]] = {}
    for stable, (b, o, t) in _chunks(base, ours, theirs):
        result += _ChunkMerge(b, o, t, labels, *named, adrift).merge()
        result += stable
    result = [one for piece in result for one in (piece, *adrift.get(piece.name, ()))]
    return Merged(_joined(result, labels.line_end), sum(piece.is_conflict for piece in result))


def merge_lines(base: str, ours: str, theirs: str, labels: Labels) -> Merged:
    """Merge three versions line by line, with git's markers where both sides changed."""
    texts: list[str] = []
    conflicts = 0
    lines = (text.splitlines(keepends=True) for text in (base, ours, theirs))
    for stable, chunk in _chunks(*lines):
        sides = ["".join(several) for several in chunk]
        found = _undisputed(*sides)
        conflicts += found is None
        texts += labels.conflict(*sides[1:]).text if found is None else found, *stable
    return Merged("".join(texts), conflicts)


def _joined(pieces: Pieces, line_end: str) -> str:
    """The text of pieces, of which only the last one may lack the end of its line."""
    *others, last = [piece.text for piece in pieces] or [""]
    ended = (text if text.endswith(("\n", "\r")) else text + line_end for text in others)
    return "".join((*ended, last))


def merge_words(base: str, ours: str, theirs: str) -> str | None:
    """One text of three, merged word by word; None where both sides contradict each other."""
    for find in (_undisputed, _latest, _by_words):
        if (found := find(base, ours, theirs)) is not None:
            return found
    return None


def _undisputed(base: str, ours: str, theirs: str) -> str | None:
    """What one side alone says anew, or both alike."""
    if ours in (base, theirs):
        return theirs
    return ours if theirs == base else None


def _by_words(base: str, ours: str, theirs: str) -> str | None:
    merged: list[str] = []
    for stable, chunk in _chunks(*map(_WORDS.findall, (base, ours, theirs))):
        texts = ["".join(words) for words in chunk]
        found = _undisputed(*texts)
        found = _further_mark(*texts) if found is None else found
        if found is None:
            return None
        merged += [found, *stable]
    return "".join(merged)


def _further_mark(base: str, ours: str, theirs: str) -> str | None:
    """Of ✅ and ✅ ✅ where nothing was: both mark, one goes further."""
    signs = {*ours.split(), *theirs.split()}
    is_one = len(signs) == 1 and not next(iter(signs)).isalnum()
    return max(ours, theirs, key=len) if is_one and not base.strip() else None


def _latest(base: str, ours: str, theirs: str) -> str | None:
    """The version with the latest day, if the versions differ in nothing else."""
    if len({_DAY.sub("", text) for text in (base, ours, theirs)}) > 1:
        return None
    days = {text: _DAY.findall(text) for text in (ours, theirs)}
    return max(days, key=lambda text: days[text]) if all(days.values()) else None


def _with_same_content(base: Pieces, ours: Pieces, theirs: Pieces, labels: Labels) -> list[Pieces]:
    """The versions with what both did to each named piece done in all three, so that only places
    are left to be merged."""
    sides = (base, ours, theirs)
    was, mine, other = (_named(side) for side in sides)
    done: dict[Hashable, Piece] = {}
    for name in mine.keys() & other.keys():
        done[name] = _of_three(was.get(name), mine[name], other[name], labels)
    return [[done.get(piece.name, piece) for piece in side] for side in sides]


def _of_three(base: Piece | None, ours: Piece, theirs: Piece, labels: Labels) -> Piece:
    text = merge_words(base.text if base else "", ours.text, theirs.text)
    if text is None:
        return labels.conflict(ours.text, theirs.text, ours.name)
    return replace(ours, text=text)


def _named(side: Pieces) -> dict[Hashable, Piece]:
    return {piece.name: piece for piece in side if piece.name is not None}


def _chunks(
    base: Sequence[_T], ours: Sequence[_T], theirs: Sequence[_T]
) -> Iterator[tuple[Sequence[_T], list[Sequence[_T]]]]:
    """What stands between two places that all three have, and the piece or word there."""
    sides = (base, ours, theirs)
    for stable, spans in _spans(*([str(one) for one in side] for side in sides)):
        chunk = [side[slice(*span)] for side, span in zip(sides, spans, strict=True)]
        yield [base[at] for at in stable], chunk


def _spans(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[list[int], tuple[Span, Span, Span]]]:
    """What stands between two places that all three have, and the place behind; at the end none."""
    in_ours, in_theirs = _same(base, ours), _same(base, theirs)
    last = (0, 0, 0)
    for at in sorted(in_ours.keys() & in_theirs.keys()):
        here = (at, in_ours[at], in_theirs[at])
        yield [at], ((last[0], here[0]), (last[1], here[1]), (last[2], here[2]))
        last = (here[0] + 1, here[1] + 1, here[2] + 1)
    ends = (len(base), len(ours), len(theirs))
    yield [], ((last[0], ends[0]), (last[1], ends[1]), (last[2], ends[2]))


def _same(base: Sequence[str], side: Sequence[str]) -> dict[int, int]:
    """Places in base → those of the same texts in a side, in their order."""
    start = _common(base, side)
    end = _common(base[start:][::-1], side[start:][::-1])
    found = {at: at for at in range(start)}
    found |= {len(base) - n: len(side) - n for n in range(1, end + 1)}
    middle = base[start : len(base) - end], side[start : len(side) - end]
    matcher = SequenceMatcher(str.isspace, *middle, autojunk=False)
    for a, b, size in matcher.get_matching_blocks():
        found |= {start + a + n: start + b + n for n in range(size)}
    return found


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many texts at the start are the same."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


@dataclass(slots=True)
class _ChunkMerge:
    """The merging of a stretch that both sides may have changed."""

    base: Pieces
    ours: Pieces
    theirs: Pieces
    labels: Labels
    known: set[Hashable]
    """The names of all pieces of ours, wherever they stand."""
    known_to_theirs: set[Hashable]
    adrift: dict[Hashable, list[Piece]]
    """Pieces that one side added below one that the other side moved, by the name of that."""
    result: list[Piece] = field(default_factory=list)
    places: list[int | None] = field(default_factory=list)
    """Of each piece of the result, which one of base it is; None for one that ours added."""

    def merge(self) -> Pieces:
        texts = ["".join(piece.text for piece in side) for side in self._sides()]
        if texts[1] in (texts[0], texts[2]):
            return self.theirs
        if texts[2] == texts[0]:
            return self.ours
        in_ours, in_theirs = _align(self.base, self.ours), _align(self.base, self.theirs)
        self._take_ours(in_ours, {at: self.theirs[n] for n, at in in_theirs.items()})
        self._take_theirs(in_theirs, set(in_ours.values()))
        return self.result

    def _sides(self) -> tuple[Pieces, Pieces, Pieces]:
        return self.base, self.ours, self.theirs

    def _take_ours(self, in_ours: Mapping[int, int], theirs: Mapping[int, Piece]) -> None:
        above: Hashable = None
        for number, piece in enumerate(self.ours):
            at = in_ours.get(number)
            one = piece if at is None else self._of_both(self.base[at], piece, theirs.get(at))
            if one is None:
                above = piece.name if piece.name in self.known_to_theirs else above
            elif at is not None or not self._is_adrift(one, above):
                above = above if one.is_blank else None
                self.result.append(one)
                self.places.append(at)

    def _is_adrift(self, piece: Piece, above: Hashable) -> bool:
        """Keep a piece that was added below one that the other side moved for its place there."""
        if above is None or piece.name is None:
            return False
        self.adrift.setdefault(above, []).append(piece)
        return True

    def _of_both(self, base: Piece, ours: Piece, theirs: Piece | None) -> Piece | None:
        """What becomes of a piece of base that ours has; None when theirs took it out."""
        if theirs is None:
            is_kept = ours.is_conflict or ours.text != base.text
            return self.labels.conflict(ours.text, "", ours.name) if is_kept else None
        return _of_three(base, ours, theirs, self.labels)

    def _take_theirs(self, in_theirs: Mapping[int, int], kept: set[int]) -> None:
        place = 0
        above: Hashable = None
        for number, piece in enumerate(self.theirs):
            at = in_theirs.get(number)
            found = self._place_of(piece, at)
            if found is not None:
                place, above = found + 1, None
            elif (one := self._added(piece, at, kept)) is None:
                above = piece.name if piece.name in self.known else above
            elif not self._is_adrift(one, above):
                place = self._insert(one, place)

    def _insert(self, piece: Piece, place: int) -> int:
        """Add a piece behind what ours added in the same place; return the place behind it."""
        while place < len(self.places) and self.places[place] is None:
            place += 1
        if piece.is_blank and place and self.result[place - 1].is_blank:
            return place
        self.result.insert(place, self._numbered(piece, place))
        self.places.insert(place, _OF_THEIRS)
        return place + 1

    def _place_of(self, piece: Piece, at: int | None) -> int | None:
        """Where the result has a piece of theirs already."""
        for place, (one, known) in enumerate(zip(self.result, self.places, strict=True)):
            is_added_too = known is None and one.text == piece.text and not piece.is_blank
            if known == at if at is not None else is_added_too:
                return place
        return None

    def _added(self, piece: Piece, at: int | None, kept: set[int]) -> Piece | None:
        """What is added to the result for a piece of theirs that it lacks."""
        if piece.name in self.known:
            return None  # Ours has it elsewhere.
        if at is None:
            return piece
        is_changed = at not in kept and piece.text != self.base[at].text
        return self.labels.conflict("", piece.text) if is_changed else None

    def _numbered(self, piece: Piece, place: int) -> Piece:
        """A numbered item as the one after that above it, which ours added with its number."""
        own = _NUMBERED.match(piece.text)
        above = _NUMBERED.match(self.result[place - 1].text) if own and place else None
        if own is None or above is None or (own[1], own[2]) != (above[1], above[2]):
            return piece
        text = f"{own[1]}{int(above[2]) + 1}{piece.text[own.start(3) :]}"
        return replace(piece, text=text)


def _align(base: Pieces, side: Pieces) -> dict[int, int]:
    """Place of a piece in a side → place in base of what it was."""
    texts = [[piece.text for piece in pieces] for pieces in (base, side)]
    found = {there: here for here, there in _same(*texts).items()}
    for find in (_by_name, _edited):
        found.update(find(_without(base, {*found.values()}), _without(side, {*found})))
    return found


Places = Mapping[int, Piece]
"""Pieces by their places."""


def _without(pieces: Pieces, taken: set[int]) -> Places:
    return {at: piece for at, piece in enumerate(pieces) if at not in taken}


def _by_name(free: Places, left: Places) -> Iterator[tuple[int, int]]:
    """Pieces of a side that have the name of one of base."""
    names = {piece.name: at for at, piece in free.items() if piece.name is not None}
    return ((number, names[piece.name]) for number, piece in left.items() if piece.name in names)


def _edited(free: Places, left: Places) -> Iterator[tuple[int, int]]:
    """Lines without a name that stand in the order of those that they are like."""
    last = -1
    for number, piece in left.items():
        alike = (at for at, one in free.items() if at > last and _is_edited(one, piece))
        if (at := next(alike, None)) is not None:
            yield number, at
            last = at


def _is_edited(base: Piece, piece: Piece) -> bool:
    are_plain = _is_plain(base) and _is_plain(piece)
    return are_plain and _likeness(base.text, piece.text) >= _ALIKE


def _is_plain(piece: Piece) -> bool:
    return piece.name is None and not piece.is_blank


def _likeness(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, _WORDS.findall(one), _WORDS.findall(other), autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _ALIKE else 0.0


def cut_lines(text: str, spans: Mapping[Span, Hashable]) -> list[Piece]:
    """A text cut into its lines, but for these stretches, each from the start of a line to the end
    of one, which are pieces with a name if the name is theirs alone."""
    counts = Counter(spans.values())
    named = {start: (end, name) for (start, end), name in spans.items()}
    pieces: list[Piece] = []
    lines: list[str] = []
    start = at = end = 0
    for line in text.splitlines(keepends=True):
        if lines and (at >= end or at in named):
            pieces.append(_piece("".join(lines), named.get(start), counts))
            lines, start = [], at
        end = max(named[at][0], at) if at in named else end
        lines.append(line)
        at += len(line)
    return [*pieces, _piece("".join(lines), named.get(start), counts)] if lines else pieces


def _piece(text: str, named: tuple[int, Hashable] | None, counts: Mapping[Hashable, int]) -> Piece:
    is_sole = named is not None and counts[named[1]] == 1
    return Piece(text, named[1] if named and is_sole else None)
