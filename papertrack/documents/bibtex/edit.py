"""Edit a .bib file: change single fields and entries, and keep every other byte.

A removed entry can be put back where it was. Its place is known by its neighbours' keys and the
text between them, which may hold comments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from papertrack.documents import hunks
from papertrack.documents.bibtex.blocks import Block, Field, read_blocks
from papertrack.documents.bibtex.facts import BibEntry
from papertrack.documents.bibtex.fresh import hand_of, separators_of
from papertrack.documents.bibtex.names import delimited_as
from papertrack.documents.hunks import Hunk, Place, Unit
from papertrack.errors import DocumentError
from papertrack.latex.encode import has_balanced_braces

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_:+-]*")
_TYPE = re.compile(r"(@[ \t]*)[\w-]*")
_KEY = re.compile(r"""[^ \t\r\n\f\v,{}()"#%'=\\~]+""")
_BLANK_LINES = re.compile(r"[ \t]*(?:\r?\n){0,2}")


def with_entries(
    text: str, changed: Mapping[tuple[int, int], str], added: Sequence[str] = ()
) -> str:
    """Return the file with new texts for the entries of these spans, and entries added.

    An entry with an empty text is removed, with the empty line after it. Added entries go to the
    end and get the file's line ends. Without changes, the text stays the same.
    """
    pieces: list[str] = []
    done = 0
    for (start, end), entry in sorted(changed.items()):
        pieces += text[done:start], entry
        done = end if entry else _end_of_removal(text, end)
    text = "".join((*pieces, text[done:]))
    line_end = line_end_of(text)
    for entry in added:
        entry = entry.strip().replace("\r\n", "\n").replace("\n", line_end)
        text = text + line_end if text and not text.endswith("\n") else text
        gap = line_end if text and not text.endswith((line_end * 2, "\n\n")) else ""
        text = f"{text}{gap}{entry}{line_end}"
    return text


def with_key(text: str, citekey: str) -> str:
    """Return the entry under another key. Raises DocumentError for an invalid key."""
    if not _KEY.fullmatch(citekey):
        raise DocumentError(f"{citekey!r} cannot be the key of a BibTeX entry.")
    entry = _block_of(text)
    return text[: entry.key_start] + citekey + text[_key_end(entry) :]


def with_type(text: str, entry_type: str) -> str:
    """Return the entry with another type: ``@misc`` becomes ``@inproceedings``."""
    if not _NAME.fullmatch(entry_type):
        raise DocumentError(f"{entry_type!r} cannot be the type of a BibTeX entry.")
    return _TYPE.sub(rf"\g<1>{entry_type}", text, count=1)


def with_field(text: str, name: str, value: str | None) -> str:
    """Return the entry with this value in the field; None removes the field.

    The value is LaTeX without delimiters. A new field gets the layout of the entry's last one.
    Raises DocumentError for a name or a value that would break the entry.
    """
    if value is None:
        return with_value(text, name, None)
    unescaped = re.sub(r"\\[{}]", "", value)  # Some programs count escaped braces too.
    is_whole = has_balanced_braces(value) and has_balanced_braces(unescaped)
    is_whole = is_whole and not value.endswith("\\") and "\n" not in value
    if not _NAME.fullmatch(name) or not is_whole:
        raise DocumentError(
            f"The field {name!r} cannot be written, because it would break its entry."
        )
    entry = _block_of(text)
    old = _field_of(entry, name)
    written = delimited_as(value, old.value) if old else hand_of([entry]).delimited(name, value)
    return with_value(text, name, written)


def with_value(text: str, name: str, written: str | None) -> str:
    """Return the entry with this value in the field, delimiters included; None removes it."""
    entry = _block_of(text)
    old = _field_of(entry, name)
    if written is None:
        return text if old is None else _without_field(text, entry, entry.fields.index(old))
    if old is not None:
        return text[: old.value_start] + written + text[old.end :]
    line_end = line_end_of(text)
    if not entry.fields:
        at = _key_end(entry)
        rest = text[at:].lstrip(" \t\r\n,")
        return f"{text[:at]},{line_end}  {name} = {written}{line_end}{rest}"
    at, hand = entry.fields[-1].end, hand_of([entry])
    separator = [f",{line_end}{hand.indent}", *separators_of(entry)][-1]
    return text[:at] + separator + hand.before_value(name) + written + text[at:]


def _field_of(entry: Block, name: str) -> Field | None:
    named = (field for field in entry.fields if field.name.casefold() == name.casefold())
    return next(named, None)


def _block_of(text: str) -> Block:
    entry = next(read_blocks(text), None)
    if entry is None or entry.kind != "entry":
        raise DocumentError("A BibTeX entry would not read back as it was written.")
    return entry


def _key_end(entry: Block) -> int:
    return entry.key_start + len(entry.key)


def _without_field(text: str, entry: Block, place: int) -> str:
    field = entry.fields[place]
    before = entry.fields[place - 1].end if place else _key_end(entry)
    is_last = place + 1 == len(entry.fields)
    if is_last or "\n" not in text[before : field.start]:
        return text[:before] + text[field.end :]
    return text[: field.start] + text[entry.fields[place + 1].start :]


def _end_of_removal(text: str, end: int) -> int:
    """Return where a removal ends: after the empty line that follows the entry."""
    following = _BLANK_LINES.match(text, end)
    return following.end() if following else end


def line_end_of(text: str) -> str:
    """Return the line end of a text."""
    return "\r\n" if "\r\n" in text else "\n"


def removed_hunk(
    text: str,
    entries: Sequence[BibEntry],
    keys: Sequence[str],
    number: int,
    left: str | None = None,
) -> Hunk:
    """Return the hunk for removing the entry of this number.

    ``keys`` are the entries' names. If somebody removed the entry by hand, ``left`` is the text
    that remained between its neighbours.
    """
    start, end = entries[number].span
    first, cut = _cut(text, entries, number, left)
    above = _units(text[:first], entries[:number], keys)
    between = hunks.gap(text[first:start]), hunks.gap(text[end:cut])
    whole = (between[0], _entry_unit(keys[number], text[start:end]), between[1])
    taken = [unit for unit in whole if unit.text]
    below = _units(text, entries[number + 1 :], keys[number + 1 :], cut)
    span = len(above), len(above) + len(taken)
    return hunks.hunk_at([*above, *taken, *below], span, order=start)


def _cut(text: str, entries: Sequence[BibEntry], number: int, left: str | None) -> tuple[int, int]:
    """Return the span to remove for an entry, including blank lines around it."""
    start, end = entries[number].span
    gaps = _gaps(text, entries)
    top, bottom = gaps[number][0], gaps[number + 1][1]
    before, after = text[top:start], text[end:bottom]
    if left is not None and left.startswith(before) and after.endswith(left[len(before) :]):
        return start, bottom - len(left) + len(before)
    if left is not None and left.endswith(after) and before.startswith(left.removesuffix(after)):
        return top + len(left) - len(after), end
    return start, _end_of_removal(text, end)


def _gaps(text: str, entries: Sequence[BibEntry]) -> list[tuple[int, int]]:
    """Return the spans before, between and after the entries."""
    starts, ends = zip((0, 0), *(entry.span for entry in entries), (len(text), 0), strict=True)
    return list(zip(ends, starts[1:], strict=False))


def left_between(
    text: str, entries: Sequence[BibEntry], keys: Sequence[str], pair: tuple[str | None, str | None]
) -> str | None:
    """Return the text between two neighbouring entries, given by their keys.

    A key of None means the start or the end of the file. Returns None if the two are not
    neighbours.
    """
    beside = zip(pairwise([None, *keys, None]), _gaps(text, entries), strict=True)
    return next((text[start:end] for keyed, (start, end) in beside if keyed == pair), None)


def deleted_hunk(raw: str, keys: Sequence[str], number: int) -> Hunk:
    """Return the hunk for an entry that somebody deleted from its place in ``keys``."""
    units = [_entry_unit(key, "") for key in keys]
    units[number] = _entry_unit(keys[number], raw)
    hunk = hunks.hunk_at(units, (number, number + 1), order=number)
    # The text before the first entry is unknown: it may hold @strings, which must come first.
    before = tuple(name for name in hunk.before if name != hunks.START)
    return replace(hunk, before=before)


def with_hunks(
    text: str, entries: Sequence[BibEntry], keys: Sequence[str], taken: Sequence[Hunk]
) -> str:
    """Return the text with removed entries put back in their old places.

    An entry whose neighbours are gone goes after the last remaining entry above it, or to the end.
    """
    units, lost = hunks.apply_hunks(_units(text, entries, keys), taken)
    for hunk in lost:
        _insert_alone(units, hunk)
    return "".join(unit.text for unit in units)


def _units(
    text: str, entries: Sequence[BibEntry], keys: Sequence[str], done: int = 0
) -> list[Unit]:
    units = []
    for key, entry in zip(keys, entries, strict=False):
        units += [hunks.gap(text[done : entry.span[0]]), _entry_unit(key, entry.raw)]
        done = entry.span[1]
    units.append(hunks.gap(text[done:]))
    return [unit for unit in units if unit.text]


def _entry_unit(key: str, raw: str) -> Unit:
    return Unit(f"{{{key}", raw)  # No key has a brace, so this cannot be a gap's name.


def _insert_alone(units: list[Unit], hunk: Hunk) -> None:
    names = [unit.name for unit in units]
    numbers = (names.index(name) + 1 for name in hunk.before if name in names)
    number = next((n for n in numbers if not units[n - 1].is_gap), len(units))
    if number == len(units) and units and units[-1].is_gap:
        number -= 1
    gap_text = units.pop(number).text if number < len(units) and units[number].is_gap else ""
    before, after = _divided(gap_text, is_first=not units, is_last=number == len(units))
    hunks.insert_at(units, Place(number), [hunks.gap(before), hunk.units[0], hunks.gap(after)])


def _divided(text: str, *, is_first: bool, is_last: bool) -> tuple[str, str]:
    """Split a gap in two for an entry: after its blank line, or at the end of the file."""
    line_end = line_end_of(text)
    if is_last:
        if is_first and not text:
            return "", line_end
        ended = text if text.endswith("\n") else text + line_end
        return ended if ended.endswith(line_end * 2) else ended + line_end, line_end
    at = _end_of_removal(text, 0)
    return text[:at] if "\n" in text[:at] else text[:at] + line_end, line_end * 2 + text[at:]
