"""Three versions of a text, of which two come from the first, made one: by pieces that have names.

A piece is an entry, a block, a link definition or any other line, and is known by its name wherever
it stands: both sides may have sorted again. What both did to one piece is merged; what they added
is kept from both, ours first. Only what contradicts stands between git's markers, as a whole
piece.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any, NamedTuple

_WORDS = re.compile(r"[⺀-\uffff]|[^\W⺀-\uffff]+|\s+|.", re.DOTALL)
_DAY = re.compile(r"[0-9]{4}[-/.][0-9]{2}[-/.][0-9]{2}(?:[ T][0-9:]{5,8}(?: ?[-+][0-9:]{4,5}|Z)?)?")
_NUMBERED = re.compile(r"([ \t]*)([0-9]{1,9})([.)][ \t])")
_LINE = re.compile(r"[^\r\n]*\S[^\r\n]*")


class Named(NamedTuple):
    """Where a piece that has a name stands: not the end of its last line."""

    start: int
    end: int
    name: Hashable
    said: Hashable = None
    """What it says, however it is laid out."""
    alike: Hashable = None
    """What tells it from others where it has got another name."""
    content: Any = None


Name = tuple[Hashable, Hashable]
"""The name of a piece, and what tells it from others of that name: their number above it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text; all of them in their order, with the blanks before each, are the text."""

    before: str
    text: str
    above: Name | None
    said: Hashable
    alike: Hashable = None
    content: Any = None
    is_line: bool = False
    is_conflict: bool = False


Side = Mapping[Name, Piece]
"""The pieces of one version in their order."""
MergePieces = Callable[[Piece | None, Piece, Piece], str | None]
"""Makes one text of what was and what both sides have; None where they contradict each other."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of three versions."""

    text: str
    conflicts: int
    """Places where both sides say different things, between markers in the text."""


@dataclass(frozen=True, slots=True)
class Labels:
    """How the sides of a conflict are called, and how its lines end."""

    ours: str = "ours"
    theirs: str = "theirs"
    line_end: str = "\n"

    def conflict(self, ours: str, theirs: str) -> str:
        """Both sides between markers, without the end of the last line."""
        end = self.line_end
        sides = [side if side.endswith(end) or not side else side + end for side in (ours, theirs)]
        return f"<<<<<<< {self.ours}{end}{sides[0]}======={end}{sides[1]}>>>>>>> {self.theirs}"


def cut(text: str, named: Iterable[Named]) -> dict[Name, Piece]:
    """The pieces of a text: those that have names, and each other line that is not blank."""
    pieces: dict[Name, Piece] = {}
    counts: Counter[Hashable] = Counter()
    above: Name | None = None
    done = 0
    for one in _with_lines(text, sorted(named, key=lambda one: one.start)):
        name = one.name, counts[one.name]
        counts[one.name] += 1
        here = text[one.start : one.end]
        said = " ".join(here.split()) if one.said is None else one.said
        before, is_line = text[done : one.start], isinstance(one.name, str)
        pieces[name] = Piece(before, here, above, said, one.alike, one.content, is_line)
        above, done = name, one.end
    return pieces


def _with_lines(text: str, named: Sequence[Named]) -> Iterator[Named]:
    done = 0
    for number, one in enumerate([*named, Named(len(text), len(text), "")]):
        for line in _LINE.finditer(text, done, max(one.start, done)):
            yield Named(line.start(), line.end(), line[0].strip())
        # What is within a piece, such as an item below another, ends it.
        end = min(one.end, named[number + 1].start) if number + 1 < len(named) else one.end
        end = one.start + len(text[one.start : end].rstrip("\r\n"))
        if end > one.start:
            yield one._replace(end=end)
        done = max(end, done)


def merge_pieces(
    texts: Sequence[str], sides: Sequence[Side], labels: Labels, merge: MergePieces
) -> Merged:
    """Merge three versions, cut into pieces; ``merge`` makes one text of a piece of both sides."""
    if (text := undisputed(*texts)) is not None:
        return Merged(text, 0)
    was = sides[0]
    ours, theirs = (_with_old_names(was, side) for side in sides[1:])
    made: dict[Name, Piece] = {}
    for name, left in {**theirs, **ours}.items():
        in_each = was.get(name), ours.get(name), theirs.get(name)
        if piece := _merged(left, *in_each, labels, merge):
            made[name] = piece
    is_by_theirs = not _is_sorted_anew(ours, was) and _is_sorted_anew(theirs, was)
    first, second = (theirs, ours) if is_by_theirs else (ours, theirs)
    order = _in_order(first, second, was, made, is_first_ours=first is ours)
    last = texts[1] if not order or order[-1] in ours else texts[2]
    ends = last[len(last.rstrip("\r\n")) :]
    if order and made[order[-1]].is_conflict:
        ends = ends or labels.line_end
    conflicts = sum(piece.is_conflict for piece in made.values())
    return Merged(_joined(order, made, first, labels.line_end) + ends, conflicts)


def _with_old_names(was: Side, side: Side) -> Side:
    """The side, in which each piece has the name that it had: in the order of the others, where it
    went, by what it is like, and of lines that were edited by the piece above them. Lines that are
    new are distinguished by what is above."""
    olds, names = list(was), list(side)
    same = _same([name[0] for name in olds], [name[0] for name in names])
    renamed = {names[there]: olds[here] for here, there in same.items()}
    kept = {*renamed.values()}
    old_by = _each_once({name: was[name] for name in olds if name not in kept})
    new_by = _each_once({name: side[name] for name in names if name not in renamed})
    renamed |= {new_by[alike]: old_by[alike] for alike in old_by.keys() & new_by.keys()}
    kept = {*renamed.values()}
    gone = {name: was[name] for name in reversed(olds) if name not in kept}
    free: defaultdict[Hashable, list[Name]] = defaultdict(list)
    for name in gone:
        free[name[0]].append(name)
    below = {piece.above: name for name, piece in was.items()}
    found: dict[Name, Piece] = {}
    above: Name | None = None
    for name, piece in side.items():
        old, place = renamed.get(name), below.get(above)
        if old is None and free[name[0]]:
            old = free[name[0]].pop()
        if old is None and piece.is_line:
            is_edited = place is not None and place in gone and was[place].is_line
            old = place if is_edited else (name[0], hash(above))
        old = old or name
        old = old if old not in found else (name[0], name)
        found[old] = replace(piece, above=above)
        above = old
    return found


def _each_once(side: Side) -> dict[Hashable, Name]:
    """What each piece is alone like among them, and its name."""
    counts = Counter(piece.alike for piece in side.values())
    return {
        piece.alike: name
        for name, piece in side.items()
        if piece.alike and counts[piece.alike] == 1
    }


def _merged(
    left: Piece,
    was: Piece | None,
    ours: Piece | None,
    theirs: Piece | None,
    labels: Labels,
    merge: MergePieces,
) -> Piece | None:
    """What becomes of a piece, of which ``left`` is ours or else theirs; None where it goes."""
    if ours and theirs:
        if (text := merge(was, ours, theirs)) is not None:
            return replace(ours, text=text)
    elif was is None or left.said == was.said:
        return left if was is None else None
    sides = (piece.text if piece else "" for piece in (ours, theirs))
    return replace(left, text=labels.conflict(*sides), is_conflict=True)


def _is_sorted_anew(side: Side, was: Side) -> bool:
    return [name for name in side if name in was] != [name for name in was if name in side]


def _in_order(
    first: Side, second: Side, was: Side, made: Side, *, is_first_ours: bool
) -> list[Name]:
    """The names of what is made, in the order of the first side; what only the second has stands
    below the piece that it stands below there, and what ours added above what theirs did."""
    below: dict[Name | None, list[Name]] = {}
    anchor: Name | None = None
    for name in second:
        if name in first:
            anchor = name if name in made else anchor
        elif name in made:
            below.setdefault(anchor, []).append(name)
    order: list[Name] = []
    waiting = below.pop(None, [])
    for name in first:
        if name not in made:
            continue
        if not is_first_ours or name in was:
            order += waiting
            waiting = []
        order.append(name)
        waiting += below.pop(name, [])
    return order + waiting


def _joined(order: Sequence[Name], made: Side, first: Side, line_end: str) -> str:
    """The text of the pieces; what the first side lacks gets the blanks that are usual there."""
    beside = (one for one in first.values() if one.above and not first[one.above].is_line)
    blanks = Counter(piece.before for piece in beside if "\n" in piece.before)
    usual = blanks.most_common(1)[0][0] if blanks else line_end
    texts: list[str] = []
    above: Name | None = None
    is_below_conflict = False
    for name in order:
        piece, before = made[name], made[name].before
        is_new = name not in first and piece.above != above
        is_apart = piece.above != above or piece.is_conflict or is_below_conflict
        if above is None:
            before = "" if piece.above else before
        elif (is_new and not piece.is_line) or (
            "\n" not in before and (is_apart or is_below_conflict)
        ):
            before = usual
        texts += before, _counted_on(piece.text, texts[-1]) if is_new and texts else piece.text
        above, is_below_conflict = name, piece.is_conflict
    return "".join(texts)


def _counted_on(text: str, above: str) -> str:
    """A numbered item as the one after that above it."""
    own, other = _NUMBERED.match(text), _NUMBERED.match(above)
    if own is None or other is None or (own[1], own[3]) != (other[1], other[3]):
        return text
    return f"{own[1]}{int(other[2]) + 1}{text[own.start(3) :]}"


def merge_lines(base: str, ours: str, theirs: str, labels: Labels) -> Merged:
    """Merge three versions line by line, with git's markers where both sides changed."""
    texts: list[str] = []
    conflicts = 0
    lines = (text.splitlines(keepends=True) for text in (base, ours, theirs))
    for stable, chunk in _chunks(*lines):
        sides = ["".join(several) for several in chunk]
        found = undisputed(*sides)
        conflicts += found is None
        marked = labels.conflict(*sides[1:]) + labels.line_end
        texts += marked if found is None else found, *stable
    return Merged("".join(texts), conflicts)


def merge_words(base: str, ours: str, theirs: str) -> str | None:
    """One text of three, merged word by word; None where both sides contradict each other."""
    for find in (undisputed, _latest, _by_words):
        if (found := find(base, ours, theirs)) is not None:
            return found
    return None


def undisputed(base: str | None, ours: str, theirs: str) -> str | None:
    """What one side alone says again, or both alike."""
    if ours in (base, theirs):
        return theirs
    return ours if theirs == base else None


def _by_words(base: str, ours: str, theirs: str) -> str | None:
    merged: list[str] = []
    for stable, chunk in _chunks(*map(_WORDS.findall, (base, ours, theirs))):
        texts = ["".join(words) for words in chunk]
        found = undisputed(*texts)
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


def _chunks(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[Sequence[str], list[Sequence[str]]]]:
    """What is between two places that all three have, and the word or line there."""
    in_ours, in_theirs = _same(base, ours), _same(base, theirs)
    b = o = t = 0
    for at in sorted(in_ours.keys() & in_theirs.keys()):
        yield base[at : at + 1], [base[b:at], ours[o : in_ours[at]], theirs[t : in_theirs[at]]]
        b, o, t = at + 1, in_ours[at] + 1, in_theirs[at] + 1
    yield [], [base[b:], ours[o:], theirs[t:]]


def _same(base: Sequence[Hashable], side: Sequence[Hashable]) -> dict[int, int]:
    """Places in base → those of the same texts or names in a side, in their order."""
    # Many equal texts would each be compared with each: what both begin and end with needs none.
    most = min(len(base), len(side))
    top = next((n for n in range(most) if base[n] != side[n]), most)
    end = next((n for n in range(most - top) if base[-n - 1] != side[-n - 1]), most - top)
    parts = base[top : len(base) - end], side[top : len(side) - end]
    blocks = SequenceMatcher(_is_blank, *parts, autojunk=False).get_matching_blocks()
    same = [(0, 0, top), *((top + a, top + b, size) for a, b, size in blocks)]
    same.append((len(base) - end, len(side) - end, end))
    return {a + n: b + n for a, b, size in same for n in range(size)}


def _is_blank(word: Hashable) -> bool:
    return isinstance(word, str) and word.isspace()
