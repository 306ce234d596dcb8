"""Merge three versions of a text, piece by piece.

A piece is an entry, a block, a link definition or any other line. It is identified by its name, not
its position, because both sides may have sorted the file. If both sides changed a piece, its
changes are merged. If both sides added pieces, all are kept, ours first. Only contradictory changes
end up between git's conflict markers, each as a whole piece.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, NamedTuple

from papertrack.differences import equal_runs

_WORDS = re.compile(r"[⺀-\uffff]|[^\W⺀-\uffff]+|\s+|.", re.DOTALL)
_DAY = re.compile(r"[0-9]{4}[-/.][0-9]{2}[-/.][0-9]{2}(?:[ T][0-9:]{5,8}(?: ?[-+][0-9:]{4,5}|Z)?)?")
_NUMBERED = re.compile(r"([ \t]*)([0-9]{1,9})([.)][ \t])")
_LINE = re.compile(r"[^\r\n]*\S[^\r\n]*")


class NamedSpan(NamedTuple):
    """The span of a named piece, without the line end after it."""

    start: int
    end: int
    name: Hashable
    plain: Hashable = None
    """The content of the piece, independent of its layout."""
    fallback: Hashable = None
    """A second name, such as the title, that identifies the piece after it was renamed."""
    content: Any = None


Name = tuple[Hashable, Hashable]
"""A piece's name, and how many pieces above it have the same name."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a text. All pieces in order, each with its ``before``, are the whole text."""

    before: str
    text: str
    above: Name | None
    plain: Hashable
    fallback: Hashable = None
    content: Any = None
    is_line: bool = False
    is_conflict: bool = False


Side = Mapping[Name, Piece]
"""The pieces of one version, in order."""
MergePieces = Callable[[Piece | None, Piece, Piece], str | None]
"""Merges three versions of a piece into one text; None if they contradict each other."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The result of merging three versions."""

    text: str
    conflicts: int
    """How many conflicts are marked in the text."""


@dataclass(frozen=True, slots=True)
class Labels:
    """The names of both sides in conflict markers, and the line end to write."""

    ours: str = "ours"
    theirs: str = "theirs"
    line_end: str = "\n"

    def conflict(self, ours: str, theirs: str) -> str:
        """Return both sides between conflict markers, without a line end after them."""
        end = self.line_end
        sides = [side if side.endswith(end) or not side else side + end for side in (ours, theirs)]
        return f"<<<<<<< {self.ours}{end}{sides[0]}======={end}{sides[1]}>>>>>>> {self.theirs}"


def split(text: str, spans: Iterable[NamedSpan]) -> dict[Name, Piece]:
    """Split a text into its named pieces. Every other line that is not blank is a piece too."""
    pieces: dict[Name, Piece] = {}
    counts: Counter[Hashable] = Counter()
    above: Name | None = None
    done = 0
    for piece in _with_lines(text, sorted(spans, key=attrgetter("start"))):
        name = piece.name, counts[piece.name]
        counts[piece.name] += 1
        body = text[piece.start : piece.end]
        content = " ".join(body.split()) if piece.plain is None else piece.plain
        before, is_line = text[done : piece.start], isinstance(piece.name, str)
        pieces[name] = Piece(before, body, above, content, piece.fallback, piece.content, is_line)
        above, done = name, piece.end
    return pieces


def _with_lines(text: str, spans: Sequence[NamedSpan]) -> Iterator[NamedSpan]:
    """Yield the named pieces, and each other line as a piece named by its text."""
    position = 0
    for number, piece in enumerate([*spans, NamedSpan(len(text), len(text), "")]):
        for line in _LINE.finditer(text, position, max(piece.start, position)):
            yield NamedSpan(line.start(), line.end(), line[0].strip())
        # A piece inside another, such as a nested item, ends the outer one.
        end = min(piece.end, spans[number + 1].start) if number + 1 < len(spans) else piece.end
        end = piece.start + len(text[piece.start : end].rstrip("\r\n"))
        if end > piece.start:
            yield piece._replace(end=end)
        position = max(end, position)


def merge_pieces(
    texts: Sequence[str], sides: Sequence[Side], labels: Labels, merge: MergePieces
) -> Merged:
    """Merge three versions of a text that were split into pieces.

    ``texts`` and ``sides`` are those of base, ours and theirs. ``merge`` merges a piece that both
    sides have.
    """
    if (text := undisputed(*texts)) is not None:
        return Merged(text, 0)
    base = sides[0]
    ours, theirs = (_with_old_names(base, side) for side in sides[1:])
    merged: dict[Name, Piece] = {}
    for name, left in {**theirs, **ours}.items():
        in_each = base.get(name), ours.get(name), theirs.get(name)
        if piece := _merge_piece(left, *in_each, labels, merge):
            merged[name] = piece
    is_by_theirs = not _is_reordered(ours, base) and _is_reordered(theirs, base)
    first, second = (theirs, ours) if is_by_theirs else (ours, theirs)
    order = _merged_order(first, second, base, merged, is_first_ours=first is ours)
    last = texts[1] if not order or order[-1] in ours else texts[2]
    ends = last[len(last.rstrip("\r\n")) :]
    if order and merged[order[-1]].is_conflict:
        ends = ends or labels.line_end
    conflicts = sum(piece.is_conflict for piece in merged.values())
    return Merged(_join_pieces(order, merged, first, labels.line_end) + ends, conflicts)


def _with_old_names(base: Side, side: Side) -> Side:
    """Return a side with its pieces renamed to the names they have in the base.

    Pieces are matched by name and order, then by their fallback names. An edited line is matched if
    the piece above it is the same. A new line is named after the piece above it.
    """
    olds, names = list(base), list(side)
    same = _same([name[0] for name in olds], [name[0] for name in names])
    renamed = {names[new]: olds[old] for old, new in same.items()}
    matched = {*renamed.values()}
    old_by = _by_unique_fallback({name: base[name] for name in olds if name not in matched})
    new_by = _by_unique_fallback({name: side[name] for name in names if name not in renamed})
    renamed |= {new_by[fallback]: old_by[fallback] for fallback in old_by.keys() & new_by.keys()}
    matched = {*renamed.values()}
    unmatched = {name: base[name] for name in reversed(olds) if name not in matched}
    free: defaultdict[Hashable, list[Name]] = defaultdict(list)
    for name in unmatched:
        free[name[0]].append(name)
    below = {piece.above: name for name, piece in base.items()}
    result: dict[Name, Piece] = {}
    above: Name | None = None
    for name, piece in side.items():
        old, place = renamed.get(name), below.get(above)
        if old is None and free[name[0]]:
            old = free[name[0]].pop()
        if old is None and piece.is_line:
            is_edited = place is not None and place in unmatched and base[place].is_line
            old = place if is_edited else (name[0], hash(above))
        old = old or name
        old = old if old not in result else (name[0], name)
        result[old] = replace(piece, above=above)
        above = old
    return result


def _by_unique_fallback(side: Side) -> dict[Hashable, Name]:
    """Map each fallback name that only one piece has to the name of that piece."""
    counts = Counter(piece.fallback for piece in side.values() if piece.fallback)
    return {piece.fallback: name for name, piece in side.items() if counts[piece.fallback] == 1}


def _merge_piece(
    left: Piece,
    base: Piece | None,
    ours: Piece | None,
    theirs: Piece | None,
    labels: Labels,
    merge: MergePieces,
) -> Piece | None:
    """Return the merged piece, or None if it was deleted.

    ``left`` is our version, or theirs if we have none.
    """
    if ours and theirs:
        if (text := merge(base, ours, theirs)) is not None:
            return replace(ours, text=text)
    elif base is None or left.plain == base.plain:
        return left if base is None else None
    sides = (piece.text if piece else "" for piece in (ours, theirs))
    return replace(left, text=labels.conflict(*sides), is_conflict=True)


def _is_reordered(side: Side, base: Side) -> bool:
    """Return whether a side has the pieces of the base in another order."""
    return [name for name in side if name in base] != [name for name in base if name in side]


def _merged_order(
    first: Side, second: Side, base: Side, pieces: Side, *, is_first_ours: bool
) -> list[Name]:
    """Return the names of the merged pieces in the order of the first side.

    A piece that only the second side has stays below the same piece as there. If both sides added
    pieces at one place, ours come first.
    """
    below: dict[Name | None, list[Name]] = {}
    anchor: Name | None = None
    for name in second:
        if name in first:
            anchor = name if name in pieces else anchor
        elif name in pieces:
            below.setdefault(anchor, []).append(name)
    order: list[Name] = []
    waiting = below.pop(None, [])
    for name in first:
        if name not in pieces:
            continue
        if not is_first_ours or name in base:
            order += waiting
            waiting = []
        order.append(name)
        waiting += below.pop(name, [])
    return order + waiting


def _join_pieces(order: Sequence[Name], pieces: Side, first: Side, line_end: str) -> str:
    """Join the merged pieces into a text.

    A piece that is new to the first side gets the number of blank lines that is usual there.
    """
    beside = (piece for piece in first.values() if piece.above and not first[piece.above].is_line)
    blanks = Counter(merged.before for merged in beside if "\n" in merged.before)
    usual = blanks.most_common(1)[0][0] if blanks else line_end
    texts: list[str] = []
    above: Name | None = None
    is_below_conflict = False
    for name in order:
        merged, before = pieces[name], pieces[name].before
        is_new = name not in first and merged.above != above
        is_apart = merged.above != above or merged.is_conflict or is_below_conflict
        if above is None:
            before = "" if merged.above else before
        elif (is_new and not merged.is_line) or (
            "\n" not in before and (is_apart or is_below_conflict)
        ):
            before = usual
        texts += before, _renumbered(merged.text, texts[-1]) if is_new and texts else merged.text
        above, is_below_conflict = name, merged.is_conflict
    return "".join(texts)


def _renumbered(text: str, above: str) -> str:
    """Return a numbered item with the number after that of the item above it."""
    new, old = _NUMBERED.match(text), _NUMBERED.match(above)
    if new is None or old is None or (new[1], new[3]) != (old[1], old[3]):
        return text
    return f"{new[1]}{int(old[2]) + 1}{text[new.start(3) :]}"


def merge_lines(base: str, ours: str, theirs: str, labels: Labels) -> Merged:
    """Merge three versions line by line, with conflict markers where both sides changed."""
    texts: list[str] = []
    conflicts = 0
    lines = (text.splitlines(keepends=True) for text in (base, ours, theirs))
    for stable, chunk in _chunks(*lines):
        sides = ["".join(lines_of_side) for lines_of_side in chunk]
        merged = undisputed(*sides)
        conflicts += merged is None
        marked = labels.conflict(*sides[1:]) + labels.line_end
        texts += marked if merged is None else merged, *stable
    return Merged("".join(texts), conflicts)


def merge_words(base: str, ours: str, theirs: str) -> str | None:
    """Merge three texts word by word; None if the changes of both sides contradict each other."""
    for attempt in (undisputed, _latest, _by_words):
        if (merged := attempt(base, ours, theirs)) is not None:
            return merged
    return None


def undisputed(base: str | None, ours: str, theirs: str) -> str | None:
    """Return the version to keep if at most one side changed, or both made the same change.

    Otherwise return None.
    """
    if ours in (base, theirs):
        return theirs
    return ours if theirs == base else None


def _by_words(base: str, ours: str, theirs: str) -> str | None:
    merged: list[str] = []
    for stable, chunk in _chunks(*map(_WORDS.findall, (base, ours, theirs))):
        texts = ["".join(words) for words in chunk]
        agreed = undisputed(*texts)
        agreed = _further_mark(*texts) if agreed is None else agreed
        if agreed is None:
            return None
        merged += [agreed, *stable]
    return "".join(merged)


def _further_mark(base: str, ours: str, theirs: str) -> str | None:
    """Return the longer of two reading marks that both sides added: ✅ ✅ rather than ✅.

    None if the sides added anything else.
    """
    signs = {*ours.split(), *theirs.split()}
    is_one = len(signs) == 1 and not next(iter(signs)).isalnum()
    return max(ours, theirs, key=len) if is_one and not base.strip() else None


def _latest(base: str, ours: str, theirs: str) -> str | None:
    """Return the version with the latest date, if the versions differ only in their dates."""
    if len({_DAY.sub("", text) for text in (base, ours, theirs)}) > 1:
        return None
    days = {text: _DAY.findall(text) for text in (ours, theirs)}
    return max(days, key=lambda text: days[text]) if all(days.values()) else None


def _chunks(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[Sequence[str], list[Sequence[str]]]]:
    """Yield each word or line that all versions share, with the differing parts before it."""
    in_ours, in_theirs = _same(base, ours), _same(base, theirs)
    b = o = t = 0
    for at in sorted(in_ours.keys() & in_theirs.keys()):
        yield base[at : at + 1], [base[b:at], ours[o : in_ours[at]], theirs[t : in_theirs[at]]]
        b, o, t = at + 1, in_ours[at] + 1, in_theirs[at] + 1
    yield [], [base[b:], ours[o:], theirs[t:]]


def _same(base: Sequence[Hashable], side: Sequence[Hashable]) -> dict[int, int]:
    """Map indexes in base to the indexes of the same elements in a side, in order."""
    runs = equal_runs(base, side)
    return {at + n: new_at + n for at, new_at, length in runs for n in range(length)}
