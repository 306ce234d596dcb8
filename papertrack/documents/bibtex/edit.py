"""A .bib file as a document: single fields and entries are changed, every other byte stays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from papertrack.documents.bibtex.blocks import field_name
from papertrack.errors import DocumentError

_START = re.compile(r"@\s*(\w+)\s*([{(])")
_MARK = re.compile(r'(?<!\\)[{}",)]')
_SEPARATOR = re.compile(r"\s*,\s*")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_:+-]*")
_MONTHS = frozenset(("jan", "feb", "mar", "apr", "may", "jun")) | frozenset(
    ("jul", "aug", "sep", "oct", "nov", "dec")
)


@dataclass(frozen=True, slots=True)
class SetField:
    """Gives the entry's field this value; adds the field after its last one when it has none."""

    start: int
    """Where the entry begins: ``BibEntry.span[0]``."""
    name: str
    value: str
    """LaTeX without delimiters."""


@dataclass(frozen=True, slots=True)
class RemoveField:
    """Takes the field out of the entry, if it is there."""

    start: int
    name: str


@dataclass(frozen=True, slots=True)
class SetKey:
    """Gives the entry another citekey."""

    start: int
    citekey: str


@dataclass(frozen=True, slots=True)
class SetType:
    """Makes the entry one of another type: ``@misc`` becomes ``@inproceedings``."""

    start: int
    type: str


@dataclass(frozen=True, slots=True)
class RemoveEntry:
    """Takes the entry out of the file, with the empty line after it."""

    start: int


@dataclass(frozen=True, slots=True)
class ReplaceEntry:
    """Writes another text in the entry's place."""

    start: int
    text: str


@dataclass(frozen=True, slots=True)
class AddEntry:
    """Writes an entry at the end of the file."""

    text: str


BibEdit = SetField | RemoveField | SetKey | SetType | RemoveEntry | ReplaceEntry | AddEntry


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    start: int
    """Of the name."""
    value: int
    """Where the value begins, delimiter included."""
    end: int


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the parts of an entry stand in its text."""

    key: tuple[int, int]
    fields: tuple[_Field, ...]
    end: int
    """After the closing delimiter."""


def apply_bib_edits(text: str, edits: Sequence[BibEdit]) -> str:
    """``text`` with the edits made in its own formatting, in their order within each entry.

    A new field is laid out as the entry's last one, a new entry gets the file's line ends. Without
    edits it is the same text. Raises DocumentError where no entry begins at an edit's ``start``, or
    for a value, name or key that would break the entry.
    """
    by_start: dict[int, list[BibEdit]] = {}
    added: list[AddEntry] = []
    for edit in edits:
        if isinstance(edit, AddEntry):
            added.append(edit)
        else:
            by_start.setdefault(edit.start, []).append(edit)
    pieces: list[str] = []
    done = 0
    for start in sorted(by_start):
        end = start + _layout(text, start).end
        pieces.append(text[done:start])
        entry: str | None = text[start:end]
        for edit in by_start[start]:
            entry = _edited(entry, edit) if entry is not None else None
        done = end
        if entry is None:
            done = end_of_removal(text, end)
        else:
            pieces.append(entry)
    pieces.append(text[done:])
    return _with_entries("".join(pieces), added)


def _edited(entry: str, edit: BibEdit) -> str | None:
    layout = _layout(entry, 0)
    match edit:
        case SetField(_, name, value):
            return _with_field(entry, layout, name, value)
        case RemoveField(_, name):
            return _without_field(entry, layout, name)
        case SetKey(_, citekey):
            if not citekey or re.search(r"""[\s,{}()"#%'=\\~]""", citekey):
                raise DocumentError(f"{citekey!r} cannot be the key of a BibTeX entry.")
            return entry[: layout.key[0]] + citekey + entry[layout.key[1] :]
        case SetType(_, entry_type):
            opening = _START.match(entry)
            if opening is None or not _NAME.fullmatch(entry_type):
                raise DocumentError(f"{entry_type!r} cannot be the type of a BibTeX entry.")
            return entry[: opening.start(1)] + entry_type + entry[opening.end(1) :]
        case ReplaceEntry(_, text):
            return text
    return None


def _layout(text: str, start: int) -> _Layout:
    """The layout of the entry that begins at ``start``, with offsets from there."""
    opening = _START.match(text, start)
    if opening is None:
        raise DocumentError(
            f"No BibTeX entry begins at character {start}: read the file again, it has changed."
        )
    closing = "}" if opening.group(2) == "{" else ")"
    at = _value_end(text, opening.end(), closing)
    key = text[opening.end() : at]
    key_start = opening.end() + len(key) - len(key.lstrip()) - start
    fields: list[_Field] = []
    while text[at] == ",":
        at += 1
        equals = text.find("=", at)
        name = field_name(text[at : equals if equals >= 0 else at].strip())
        if not name or set(name) & set('{}",'):
            at = _value_end(text, at, closing)
            continue
        name_start = text.rindex(name, at, equals)
        end = _value_end(text, equals + 1, closing)
        value = text[equals + 1 : end]
        value_start = equals + 1 + len(value) - len(value.lstrip())
        value_end = equals + 1 + len(value.rstrip())
        fields.append(_Field(name, name_start - start, value_start - start, value_end - start))
        at = end
    return _Layout((key_start, key_start + len(key.strip())), tuple(fields), at + 1 - start)


def _value_end(text: str, start: int, closing: str) -> int:
    """Where the comma or the closing delimiter stands that ends the value from ``start`` on."""
    depth = 0
    is_quoted = False
    for mark in _MARK.finditer(text, start):
        sign, at = mark.group(), mark.start()
        if sign == '"' and depth == 0:
            # {"} inside quotes is a quotation mark, not the end.
            if not (is_quoted and text[at - 1 : at + 2] == '{"}'):
                is_quoted = not is_quoted
        elif is_quoted:
            continue
        elif sign == "{":
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
        elif depth == 0 and sign in (",", closing):
            return at
    raise DocumentError("A BibTeX entry does not end: read the file again, it has changed.")


def _with_field(entry: str, layout: _Layout, name: str, value: str) -> str:
    if not _NAME.fullmatch(name) or not _is_balanced(value) or "\n" in value:
        raise DocumentError(f"The field {name!r} cannot be written: it would break its entry.")
    for field in layout.fields:
        if field.name.casefold() == name.casefold():
            old = entry[field.value : field.end]
            return entry[: field.value] + _delimited(value, old) + entry[field.end :]
    new = value if name == "month" and value in _MONTHS else _delimited(value, "")
    if not layout.fields:
        at = layout.key[1]
        rest = entry[at:].lstrip(" \t\r\n,")
        return f"{entry[:at]},{_line_end(entry)}  {name} = {new}{_line_end(entry)}{rest}"
    at = layout.fields[-1].end
    return entry[:at] + _before_value(entry, layout, name) + new + entry[at:]


def _before_value(entry: str, layout: _Layout, name: str) -> str:
    """What stands between the last field and a new field's value, laid out as before the last."""
    last = layout.fields[-1]
    before = layout.fields[-2].end if len(layout.fields) > 1 else layout.key[1]
    separator = entry[before : last.start]
    if not _SEPARATOR.fullmatch(separator):
        separator = f",{_line_end(entry)}  "
    ends = {field: field.start + len(field.name) for field in layout.fields}
    gaps = {entry.index("=", end) - end for end in ends.values()}
    equals = entry.index("=", ends[last])
    # Unequal gaps put the signs in one column.
    gap = gaps.pop() if len(gaps) == 1 else max(equals - last.start - len(name), 1)
    return f"{separator}{name}{' ' * gap}={entry[equals + 1 : last.value]}"


def _without_field(entry: str, layout: _Layout, name: str) -> str:
    fields = layout.fields
    for place, field in enumerate(fields):
        if field.name.casefold() != name.casefold():
            continue
        before = fields[place - 1].end if place else layout.key[1]
        is_last = place + 1 == len(fields)
        if is_last or "\n" not in entry[before : field.start]:
            return entry[:before] + entry[field.end :]
        return entry[: field.start] + entry[fields[place + 1].start :]
    return entry


def _delimited(value: str, old: str) -> str:
    """``value`` between delimiters like those of ``old``, as far as they can hold it."""
    if old[:1] == '"' and '"' not in value:
        return f'"{value}"'
    if old.isdigit() and value.isdigit():
        return value
    return "{" + value + "}"


def _is_balanced(value: str) -> bool:
    """Whether its braces are in pairs, both for BibTeX, which counts ``\\}``, and without it."""
    for pattern in (r"[{}]", r"(?<!\\)[{}]"):
        depth = 0
        for brace in re.findall(pattern, value):
            depth += 1 if brace == "{" else -1
            if depth < 0:
                return False
        if depth:
            return False
    return not value.endswith("\\")


def end_of_removal(text: str, end: int) -> int:
    """Where that ends which goes with an entry that ends at ``end``: an empty line after it."""
    following = re.compile(r"[ \t]*(?:\r?\n){0,2}").match(text, end)
    return following.end() if following else end


def _with_entries(text: str, added: Sequence[AddEntry]) -> str:
    line_end = _line_end(text)
    for edit in added:
        entry = edit.text.strip().replace("\r\n", "\n").replace("\n", line_end)
        text = text + line_end if text and not text.endswith("\n") else text
        gap = line_end if text and not text.endswith((line_end * 2, "\n\n")) else ""
        text = f"{text}{gap}{entry}{line_end}"
    return text


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
