"""What an edit takes out of a document, and putting it back where it was, byte for byte.

An entry written anew from what the library knows would lack its remarks, extra cells, sub-items
and its own wording; so what is cut out is kept, with the names of the lines around it. A line is
known by the entry that it belongs to, or the link that it defines, or else by its text: marks that
change meanwhile hide nobody's neighbour.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from papertrack.documents.markdown.model import Definition, Document
from papertrack.documents.markdown.read.blocks import cut_lines
from papertrack.documents.markdown.write.patches import Patch

AROUND = 8
"""Lines that are remembered on each side of a piece."""
_DEFINITION = "definition "
_NUMBER = re.compile(r"[ \t>]*[0-9]{1,9}[.)]")


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines that were cut out of a document."""

    text: str
    names: tuple[str, ...]
    """The names of its lines."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    """The names of the lines around it, the nearest first."""
    order: int
    """Pieces that one change of the document cut out come back in the reverse of this order."""


def line_names(document: Document) -> list[str]:
    """Return a name for each line of the text."""
    starts = document.line_starts
    names = [line.strip() for line in _lines(document.text, starts)]
    for definition in document.definitions:
        names[definition.line] = _definition_name(definition)
    for entry in document.entries:
        first = end = entry.line - 1
        while end < len(starts) and starts[end] < entry.span[1]:
            end += 1
        names[first:end] = _entry_names(entry.key, end - first)
    return names


def defines(piece: Piece, label: str) -> bool:
    """Return whether a line of the piece defines this label."""
    return label in _labels(piece.names)


def _definition_name(definition: Definition) -> str:
    return f"{_DEFINITION}{definition.label} {definition.url}"


def _entry_names(key: str, count: int) -> list[str]:
    stem, sign, number = key.rpartition("#")
    name = stem if sign and number.isdecimal() else key
    return [f"{line} {name}" for line in range(count)]


def pieces_of(
    document: Document, names: Sequence[str], patches: Sequence[Patch], first: int
) -> tuple[Piece, ...]:
    """Return what the patches of one edit cut out, numbered from ``first`` by their places.

    Nothing if that is not whole lines.
    """
    cuts: list[tuple[int, int]] = []
    for start, end in sorted(patch.span for patch in patches if not patch.text):
        if cuts and start <= cuts[-1][1]:
            cuts[-1] = (cuts[-1][0], max(end, cuts[-1][1]))
        elif start < end:
            cuts.append((start, end))
    pieces = []
    for start, end in cuts:
        top, bottom = _line_at(document, start), _line_at(document, end)
        is_whole = start == _start(document, top) or document.text[start] in "\r\n"
        if not is_whole or end != _start(document, bottom):
            return ()
        pieces.append(
            Piece(
                text=document.text[start:end],
                names=tuple(names[top:bottom]),
                before=tuple(reversed(names[max(top - AROUND, 0) : top])),
                after=tuple(names[bottom : bottom + AROUND]),
                order=first + start,
            )
        )
    return tuple(pieces)


def put_back(document: Document, pieces: Sequence[Piece]) -> tuple[str, set[int]]:
    """Return the text with the pieces at their old places, in the order given, and the positions
    of those whose place is not found, or whose labels were given away.

    A definition that is there again is not written twice. What was cut out last must come first.
    """
    names = line_names(document)
    lines = _lines(document.text, document.line_starts)
    if lines and not lines[-1]:
        names.pop()
        lines.pop()
    lost: set[int] = set()
    for number, piece in enumerate(pieces):
        if _is_there(piece, names):
            continue
        place = _place(names, piece)
        if place is None or _labels(piece.names) & _labels(names):
            lost.add(number)
            continue
        lines[place:place] = _fitting(piece, lines, place, document.style.line_end)
        names[place:place] = piece.names
    return "".join(lines), lost


def _fitting(piece: Piece, lines: list[str], place: int, end: str) -> list[str]:
    """Return the lines of a piece; a file's last line, with or without an end, stays that."""
    added = _lines(piece.text, cut_lines(piece.text).starts)
    took_end = len(added) > len(piece.names)
    if took_end:
        del added[0]
    is_after_open_end = place == len(lines) > 0 and not _has_end(lines[-1])
    if is_after_open_end:
        lines[-1] += end
        added[-1] = added[-1].rstrip("\r\n")
    elif not _has_end(added[-1]) and (place < len(lines) or piece.after or took_end):
        added[-1] += end
    return added


def _has_end(line: str) -> bool:
    return line.endswith(("\n", "\r"))


def _is_there(piece: Piece, names: Sequence[str]) -> bool:
    """Whether the piece defines links, all of which the text defines already."""
    definitions = [name for name in piece.names if name.startswith(_DEFINITION)]
    return bool(definitions) and all(name in names for name in definitions)


def _labels(names: Sequence[str]) -> set[str]:
    """Return the labels that lines define."""
    defined = (name for name in names if name.startswith(_DEFINITION))
    return {name.removeprefix(_DEFINITION).rpartition(" ")[0] for name in defined}


def _place(names: Sequence[str], piece: Piece) -> int | None:
    """Return the line before which a piece belongs: where most of its neighbours still stand.

    None if no line that says something is among them.
    """
    near = {name for name in (*piece.before, *piece.after) if name}
    near |= {*piece.before[:1], *piece.after[:1]}
    found = {n + step for n, name in enumerate(names) if name in near for step in (0, 1)}
    best: tuple[int, int, int] | None = None
    for place in sorted(found):
        above = _agreement(names[max(place - AROUND, 0) : place][::-1], piece.before)
        below = _agreement(names[place : place + AROUND], piece.after)
        if place == len(names) and not piece.after:
            below += 1
        rank = (above + below, min(above, below), -place)
        if above + below > 1 and (best is None or rank > best):
            best = rank
    return None if best is None else -best[2]


def _agreement(names: Sequence[str], others: Sequence[str]) -> int:
    """Return how many lines on one side of a place are those that were there, the nearest first;
    of these some may be gone. 0 if all of them are blank."""
    found: list[str] = []
    for other in others:
        if len(found) < len(names) and names[len(found)] == other:
            found.append(other)
    return len(found) if any(found) else 0


def _line_at(document: Document, offset: int) -> int:
    """Return the number of the first line that starts at an offset or behind it."""
    number = document.line_of(offset) - 1
    return number if document.line_starts[number] == offset else number + 1


def _start(document: Document, number: int) -> int:
    starts = document.line_starts
    return starts[number] if number < len(starts) else len(document.text)


def _lines(text: str, starts: Sequence[int]) -> list[str]:
    ends = [*starts[1:], len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def as_it_is_now(piece: Piece, was: str, now: str) -> Piece:
    """Return the piece with an entry's lines as they are now; a list's number stays as it was."""
    old, new = _NUMBER.match(was), _NUMBER.match(now)
    if old and new:
        now = old.group() + now[new.end() :]
    end = was[len(was.rstrip("\r\n")) :]
    return replace(piece, text=piece.text.replace(was, now.rstrip("\r\n") + end, 1))


def to_plain(piece: Piece) -> dict[str, object]:
    """Return the piece as plain data, as ``from_plain`` takes it."""
    return {
        "text": piece.text,
        "names": list(piece.names),
        "before": list(piece.before),
        "after": list(piece.after),
        "order": piece.order,
    }


def from_plain(data: Mapping[str, Any]) -> Piece:
    """Return the piece that ``to_plain`` made the data of."""
    return Piece(
        text=data["text"],
        names=tuple(data["names"]),
        before=tuple(data["before"]),
        after=tuple(data["after"]),
        order=data["order"],
    )


def piece_of_entry(entries: Sequence[tuple[str, str]], position: int) -> Piece:
    """Return the piece that one of a document's entries was, of which only (key, text) are known;
    its neighbours are the other entries."""
    names = [_entry_names(key, len(cut_lines(text).starts)) for key, text in entries]
    before = [name for other in names[:position] for name in other]
    after = [name for other in names[position + 1 :] for name in other]
    return Piece(
        text=entries[position][1],
        names=tuple(names[position]),
        before=tuple(reversed(before[-AROUND:])),
        after=tuple(after[:AROUND]),
        order=position,
    )
