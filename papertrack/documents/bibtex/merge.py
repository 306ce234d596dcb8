"""Three versions of a .bib file made one, block by block, wherever the blocks stand.

A block of any type is one piece, known by what it is: an entry by its key or, re-keyed, by its
fields; a @string by its name. Fields are compared by name and value, so a new layout on one side is
no conflict with an edit on the other. What contradicts stands whole between git's markers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.bibtex.blocks import Block, read_blocks
from papertrack.documents.bibtex.edit import with_key, with_type, with_value
from papertrack.documents.bibtex.parse import refuse_conflicts
from papertrack.documents.bibtex.values import pieces
from papertrack.documents.merge import Labels, Merged, merge_lines, merge_words
from papertrack.text import title_key

_Name = tuple[str, str, int]
"""Kind and key of a piece, and how many of them stand above it."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block with the words on its lines, or words that stand alone."""

    before: str
    """The blanks between it and the piece above."""
    text: str
    above: _Name | None
    block: Block | None = None
    is_conflict: bool = False

    @property
    def said(self) -> tuple[object, ...]:
        """What it says, however it is laid out."""
        if self.block is None or self.block.kind != "entry":
            return (" ".join(self.text.split()),)
        return self.block.type, self.block.key, *sorted(_said_by_field(self.block).items())


_Side = Mapping[_Name, _Piece]
"""The pieces of one version in their order."""


def merge_bibs(base: str, ours: str, theirs: str, labels: Labels) -> Merged:
    """Merge two versions of a .bib file that come from ``base``.

    A file with a block that does not end is merged line by line, as git does. Raises DocumentError
    for a text that has conflict markers already.
    """
    texts = (base, ours, theirs)
    for text in texts:
        refuse_conflicts(text)
    blocks = [list(read_blocks(text)) for text in texts]
    if any(block.kind == "broken" for several in blocks for block in several):
        return merge_lines(base, ours, theirs, labels)
    was, mine, other = (dict(_cut(*pair)) for pair in zip(texts, blocks, strict=True))
    mine, other = _with_old_names(was, mine), _with_old_names(was, other)
    made: dict[_Name, _Piece] = {}
    for name in {**mine, **other}:
        if piece := _merge(was.get(name), mine.get(name), other.get(name), labels):
            made[name] = piece
    is_sorted_by_theirs = not _is_sorted_anew(mine, was) and _is_sorted_anew(other, was)
    first, second = (other, mine) if is_sorted_by_theirs else (mine, other)
    order = _in_order(first, second, was, made, is_first_ours=first is mine)
    tail = texts[2 if is_sorted_by_theirs else 1]
    text = _joined(order, made, first, labels.line_end) + tail[len(tail.rstrip()) :]
    return Merged(text, sum(piece.is_conflict for piece in made.values()))


def _cut(text: str, blocks: Sequence[Block]) -> Iterator[tuple[_Name, _Piece]]:
    """The pieces of a text, which together with the blanks before them are the text."""
    counts: Counter[tuple[str, str]] = Counter()
    above: _Name | None = None
    done = 0
    for start, end, block in _spans(text, blocks):
        piece = _Piece(text[done:start], text[start:end], above, block)
        kind, key = _name_of(piece)
        above = kind, key, counts[kind, key]
        counts[kind, key] += 1
        yield above, piece
        done = end


def _spans(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int, int, Block | None]]:
    """Where pieces stand: words on the line of a block, such as ``%``, belong to it."""
    done = 0
    real = [block for block in blocks if block.kind != "text"]
    for number, block in enumerate(real):
        line_start = max(text.rfind("\n", 0, block.start) + 1, done)
        yield from _spans_of_words(text, done, line_start)
        following = real[number + 1].start if number + 1 < len(real) else len(text)
        line_end = text.find("\n", block.end)
        end = min(line_end if line_end >= 0 else len(text), following)
        end = block.end if end == following < len(text) else end
        own_words = text[line_start : block.start]
        done = block.end + len(text[block.end : end].rstrip())
        yield line_start + len(own_words) - len(own_words.lstrip()), done, block
    yield from _spans_of_words(text, done, len(text))


def _spans_of_words(text: str, start: int, end: int) -> Iterator[tuple[int, int, None]]:
    words = text[start:end]
    if words.strip():
        yield start + len(words) - len(words.lstrip()), start + len(words.rstrip()), None


def _name_of(piece: _Piece) -> tuple[str, str]:
    block = piece.block
    if block is None:
        return "words", piece.text
    if block.kind == "comment":  # JabRef's say first what they are: "jabref-meta: grouping:".
        return "comment", ":".join(block.text.split(":")[:2]) if ":" in block.text else block.text
    if block.kind == "entry" and not block.key:
        said = _said_by_field(block)
        return "keyless", said.get("title") or repr(sorted(said.items()))
    return block.kind, block.key.casefold() or block.text


def _said_by_field(block: Block) -> dict[str, str]:
    """By the names of fields in small letters what they say: of one given twice the first."""
    return {one.name.casefold(): _said(one.value) for one in reversed(block.fields)}


def _said(value: str) -> str:
    """What a value says: a @string is told from a word, blanks do not count."""
    texts = ("@" + one.text.casefold() if one.is_name else one.text for one in pieces(value))
    return " ".join("".join(texts).split())


def _with_old_names(was: _Side, side: _Side) -> dict[_Name, _Piece]:
    """The side, in which what has another name now has the one that it had: entries that got
    another key are known by their fields, words by the piece above them."""
    gone = {name: piece for name, piece in was.items() if name not in side}
    new = {name: piece for name, piece in side.items() if name not in was}
    renamed: dict[_Name, _Name] = {}
    for what in (_fields_alone, _title_alone, _place_of_words):
        old_by, new_by = _each_once(gone, what), _each_once(new, what)
        for said in old_by.keys() & new_by.keys():
            renamed[new_by[said]] = old_by[said]
            del gone[old_by[said]], new[new_by[said]]
    return {renamed.get(name, name): piece for name, piece in side.items()}


def _fields_alone(piece: _Piece) -> Hashable:
    return tuple(sorted(_said_by_field(piece.block).items())) if piece.block else ()


def _title_alone(piece: _Piece) -> Hashable:
    return title_key(_said_by_field(piece.block).get("title", "")) if piece.block else ""


def _place_of_words(piece: _Piece) -> Hashable:
    return ("below", piece.above) if piece.block is None else ()


def _each_once(side: _Side, what: Callable[[_Piece], Hashable]) -> dict[Hashable, _Name]:
    """What each piece says alone among them, and its name."""
    said = {name: what(piece) for name, piece in side.items()}
    counts = Counter(said.values())
    return {one: name for name, one in said.items() if one and counts[one] == 1}


def _merge(
    was: _Piece | None, ours: _Piece | None, theirs: _Piece | None, labels: Labels
) -> _Piece | None:
    """What becomes of a piece; None where it goes."""
    left = ours or theirs
    assert left is not None
    if ours is None or theirs is None:
        if was is None:
            return left
        if left.said == was.said:
            return None
        text = None
    else:
        text = _merge_texts(was, ours, theirs)
    if text is None:
        sides = (piece.text if piece else "" for piece in (ours, theirs))
        return replace(left, text=labels.conflict(*sides).text, is_conflict=True)
    return replace(left, text=text)


def _merge_texts(was: _Piece | None, ours: _Piece, theirs: _Piece) -> str | None:
    """One text of a block that both have; None where they contradict each other."""
    old = was.text if was else None
    if ours.text in (old, theirs.text):
        return theirs.text
    if theirs.text == old or theirs.said == ours.said:
        return ours.text
    if was and ours.said == was.said and was.block and was.block.kind != "entry":
        return theirs.text
    if was and theirs.said == was.said:
        return ours.text
    if ours.block and theirs.block and ours.block.kind == "entry":
        entry = _merge_entries(was.block if was else None, ours.block, theirs.block)
        return ours.text.replace(ours.block.raw, entry, 1) if entry else None
    merged = merge_words(old, ours.text, theirs.text) if old else None
    return merged if merged is None or not ours.block or _is_one_block(merged) else None


def _merge_entries(was: Block | None, ours: Block, theirs: Block) -> str | None:
    """Our entry with what they changed; None where both changed one field."""
    text = ours.raw
    old, mine, other = (_said_by_field(one) if one else {} for one in (was, ours, theirs))
    written = {one.name.casefold(): (one.name, one.value) for one in reversed(theirs.fields)}
    for name in [*reversed(written), *(name for name in old if name not in written)]:
        before, here, there = old.get(name), mine.get(name), other.get(name)
        if there in (before, here):
            continue
        field, value = written.get(name, (name, None))
        if here != before:
            if before is None or here is None or there is None:
                return None
            merged = merge_words(before, here, there)
            if merged is None or "@" in merged:
                return None
            value = "{" + merged + "}"
        text = with_value(text, field, value)
    old_type, old_key = (was.type, was.key) if was else (None, None)
    entry_type, key = (
        _either(old_type, ours.type, theirs.type),
        _either(old_key, ours.key, theirs.key),
    )
    if entry_type is None or key is None:
        return None
    text = text if entry_type == ours.type else with_type(text, entry_type)
    text = text if key == ours.key else with_key(text, key)
    return text if _is_one_block(text) else None


def _either(was: str | None, ours: str, theirs: str) -> str | None:
    """The one that was changed; None where both were."""
    if ours in (was, theirs):
        return theirs
    return ours if theirs == was else None


def _is_one_block(text: str) -> bool:
    found = list(read_blocks(text))
    return len(found) == 1 and found[0].kind != "broken"


def _is_sorted_anew(side: _Side, was: _Side) -> bool:
    return [name for name in side if name in was] != [name for name in was if name in side]


def _in_order(
    first: _Side, second: _Side, was: _Side, made: _Side, *, is_first_ours: bool
) -> list[_Name]:
    """The names of what is made, in the order of the first side; what only the second has stands
    below the piece that it stands below there, and what ours added above what theirs did."""
    below: dict[_Name | None, list[_Name]] = {}
    anchor: _Name | None = None
    for name in second:
        if name in first:
            anchor = name if name in made else anchor
        elif name in made:
            below.setdefault(anchor, []).append(name)
    order: list[_Name] = []
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


def _joined(order: Sequence[_Name], made: _Side, first: _Side, line_end: str) -> str:
    """The text of the pieces; what the first side lacks gets the blanks that are usual there."""
    blanks = Counter(piece.before for piece in first.values() if "\n" in piece.before)
    usual = blanks.most_common(1)[0][0] if blanks else line_end * 2
    texts: list[str] = []
    above: _Name | None = None
    for name in order:
        piece, before = made[name], made[name].before
        is_below_conflict = above is not None and made[above].is_conflict
        if above is None:
            before = "" if piece.above else before
        elif name not in first or ("\n" not in before and piece.above != above):
            before = usual
        if piece.is_conflict or is_below_conflict:
            before = before.rstrip(" \t") or line_end * bool(above)
        texts += before.removeprefix(line_end) if is_below_conflict else before, piece.text
        above = name
    text = "".join(texts)
    return text.removesuffix(line_end) if above and made[above].is_conflict else text
