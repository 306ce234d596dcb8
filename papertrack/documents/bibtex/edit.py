"""Edit a .bib file: change single fields and entries, and keep every other byte.

A removed entry can be put back where it was. Its place is known by the keys and lines around it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from papertrack.differences import changes
from papertrack.documents import hunks
from papertrack.documents.bibtex.blocks import Block, Field, read_blocks
from papertrack.documents.bibtex.fresh import hand_of, separators_of
from papertrack.documents.bibtex.names import delimited_as
from papertrack.documents.hunks import Hunk, Unit
from papertrack.errors import DocumentError
from papertrack.latex.encode import has_balanced_braces

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_:+-]*")
_TYPE = re.compile(r"(@[ \t]*)[\w-]*")
_KEY = re.compile(r"""[^ \t\r\n\f\v,{}()"#%'=\\~]+""")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_BLANK_LINES = re.compile(r"[ \t]*(?:\r?\n){0,2}")


def with_entries(
    text: str, changed: Mapping[tuple[int, int], str], added: Sequence[str] = ()
) -> str:
    """Return the file with new texts for the entries of these spans, and entries added.

    An entry with an empty text is removed, with its indentation and the empty line after it. Added
    entries go to the end and get the file's line ends. Without changes, the text stays the same.
    """
    pieces: list[str] = []
    done = 0
    for (start, end), entry in sorted(changed.items()):
        if not entry:
            end = _end_of_removal(text, end)
            line = max(text.rfind("\n", 0, start) + 1, done)
            is_whole = text[end - 1] == "\n" and not text[line:start].strip(" \t")
            start = line if is_whole else start
        pieces += text[done:start], entry
        done = end
    text = "".join((*pieces, text[done:]))
    if not added:
        return text
    body = "\n\n".join(entry.strip() for entry in added).replace("\r\n", "\n")
    line_end = line_end_of(text or "".join(added))
    text = text if text.endswith("\n") or not text else text + line_end
    gap = line_end if text and not text.endswith((line_end * 2, "\n\n")) else ""
    return text + gap + body.replace("\n", line_end) + line_end


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


def removed_hunk(raw: str, then: str, now: str) -> Hunk | None:
    """Return what was removed with an entry between two texts of a file.

    These are its lines, and blank lines around them. An entry that shared a line with other text
    has no place, and neither has an only one if other text is there now. None if the earlier text
    does not have the entry.
    """
    units, there = _units(then), [unit.name for unit in _units(now)]
    own = next((number for number, unit in enumerate(units) if raw in unit.text), None)
    if own is None:
        return None
    if units[own].text.strip() != raw.strip() or (len(units) == 1 and now.strip()):
        return Hunk((Unit(raw, raw),), gone=(), before=(), after=(), order=own)
    names = [unit.name for unit in units]
    names[own] = "\0"
    (block,) = (part for part in changes(names, there) if part.start <= own < part.end)
    last, step = own, 1 if names[block.start] else -1
    while block.start <= last + step < block.end and not names[last + step]:
        last += step
    span = min(own, last), max(own, last) + 1
    gone = there[block.new_start : block.new_end]
    is_blank = span == (block.start, block.end) and not any(gone)
    return hunks.hunk_at(units, span, order=own, gone=gone if is_blank else ())


def with_hunks(text: str, taken: Sequence[Hunk]) -> str:
    """Return the text with removed entries put back in their old places.

    An entry whose neighbours are gone goes to the end.
    """
    units, lost = hunks.apply_hunks(_units(text), taken)
    line_end = line_end_of(text)
    texts = [unit.text for unit in units]
    texts[:-1] = [part if part.endswith("\n") else part + line_end for part in texts[:-1]]
    return with_entries("".join(texts), {}, [hunk.text for hunk in lost])


def _units(text: str) -> list[Unit]:
    """Return the units of a text: each entry with its lines, and each other line."""
    units: list[Unit] = []
    lines, done = _LINE.findall(text), 0
    for block in read_blocks(text):
        if block.kind == "entry" and block.line > done:
            start, end = block.line - 1, block.line + block.raw.count("\n")
            units += (Unit(line.strip(), line) for line in lines[done:start])
            units.append(Unit(f"{{{block.key}", "".join(lines[start:end])))
            done = end
    return [*units, *(Unit(line.strip(), line) for line in lines[done:])]
