"""The text of a .bib file → entries: what its blocks say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from papertrack.documents.bibtex.facts import facts_of
from papertrack.documents.bibtex.inherit import with_inherited
from papertrack.documents.bibtex.model import BibEntry, BibLibrary
from papertrack.documents.bibtex.reading import parse_groups, paths_of, reading_state
from papertrack.documents.bibtex.scan import Block, read_blocks
from papertrack.documents.bibtex.values import MAX_STRING, unquoted
from papertrack.errors import DocumentError
from papertrack.records import Skipped
from papertrack.text import shorten, title_key

_OURS, _THEIRS = "<<<<<<< ", ">>>>>>> "
_CONFLICT = re.compile(f"^(?:{_OURS}|{_THEIRS})", re.MULTILINE)
# The brace must stand on the line of the type; BibTeX takes one below, so this may be an entry.
_LIKE_AN_ENTRY = re.compile(r"@\s*[A-Za-z]+\s*[{(]")
_NOT_A_WORK = {
    "xdata": "it holds fields for other entries",
    "set": "it names a set of other entries",
    "control": "it sets options of a style",
    "ieeetranbstctl": "it sets options of a style",
    "acmctl": "it sets options of a style",
}

Path = tuple[str, ...]


class _Read(NamedTuple):
    """An entry with its values as text."""

    block: Block
    pairs: tuple[tuple[str, str], ...]
    fields: dict[str, str]
    with_strings: list[tuple[str, str]]
    """The pairs in whose values a @string stands."""


def parse_bibtex(text: str, *, file: str = "") -> BibLibrary:
    """Every entry of the text, in its order, and what was not understood.

    A key used twice, a field given twice, an unknown type or a missing parent is a problem of the
    entry, which is read all the same; a piece that has no entry's form is skipped and reported.
    ``file`` is named in errors. Raises DocumentError for a text with conflict markers of a merge.
    """
    # Looked for as plain text first, which takes a hundredth of the time.
    has_marker = _OURS in text or _THEIRS in text
    if has_marker and (conflict := _CONFLICT.search(text)):
        line = text.count("\n", 0, conflict.start()) + 1
        raise DocumentError(
            f"{file or 'The .bib file'} has an unresolved merge conflict on line {line}: "
            "resolve it and import again."
        )
    blocks = list(read_blocks(text))
    strings, skipped = _strings(blocks)
    read = [_read(block, strings) for block in blocks if block.kind == "entry"]
    groups, members = _groups(blocks)
    skipped += (reported for block in blocks for reported in _reports(block))
    return BibLibrary(
        entries=tuple(_without_shared_addresses(list(_entries(read, groups, members)))),
        skipped=tuple(sorted(skipped, key=lambda piece: piece.line)),
        strings=strings,
        groups=tuple(groups),
    )


def _strings(blocks: Iterable[Block]) -> tuple[dict[str, str], list[Skipped]]:
    """@string name → value. One may double those before it, so each is cut at MAX_STRING."""
    strings: dict[str, str] = {}
    skipped: list[Skipped] = []
    for block in blocks:
        if block.kind == "string":
            value = unquoted(block.text, strings)
            if len(value) > MAX_STRING:
                reason = f"the @string is longer than {MAX_STRING} characters and was cut there"
                skipped.append(Skipped(block.line, reason, shorten(block.raw)))
            strings[block.key.casefold()] = value[:MAX_STRING]
    return strings, skipped


def _groups(blocks: Iterable[Block]) -> tuple[list[Path], dict[str, list[Path]]]:
    for block in blocks:
        if block.kind == "comment":
            paths, members = parse_groups(block.text)
            if paths:
                return paths, members
    return [], {}


def _reports(block: Block) -> Iterator[Skipped]:
    """What of a block that is no entry, or no work, the user must know of."""
    if block.kind == "entry":
        if (why := _NOT_A_WORK.get(block.type)) is not None:
            yield Skipped(block.line, f"not a work: {why}", shorten(block.raw))
    elif block.kind == "broken":
        yield Skipped(block.line, f"not an entry: {block.text}", shorten(block.raw))
    elif block.kind == "text":
        for match in _LIKE_AN_ENTRY.finditer(block.raw):
            line = block.line + block.raw.count("\n", 0, match.start())
            text = shorten(block.raw[match.start() : match.start() + 1000])
            yield Skipped(line, "not an entry: its brace is not on the line of its type", text)


def _read(block: Block, strings: Mapping[str, str]) -> _Read:
    pairs = tuple(
        [
            (name.casefold(), value[1:-1] if is_plain else unquoted(value, strings))
            for name, value, is_plain, _, _ in block.fields
        ]
    )
    fields = dict(pairs)
    if len(fields) < len(pairs):
        fields |= dict(reversed(pairs))  # Of a field given twice, BibTeX takes the first.
    with_strings = [
        (field.name, value)
        for field in (block.fields if strings else ())
        if not field.is_plain
        and (value := unquoted(field.value, strings)) != unquoted(field.value, {})
    ]
    return _Read(block, pairs, fields, with_strings)


def _entries(
    read: Sequence[_Read], groups: Sequence[Path], members: Mapping[str, Sequence[Path]]
) -> Iterator[BibEntry]:
    by_key = {one.block.key.casefold(): one.fields for one in reversed(read)}
    by_name = {path[-1].casefold(): path for path in reversed(groups)}
    lines: dict[str, int] = {}
    for one in read:
        block = one.block
        first_line = lines.setdefault(block.key.casefold(), block.line)
        if block.type in _NOT_A_WORK:
            continue
        fields, missing = with_inherited(block.type, one.fields, by_key)
        inherited = (
            []
            if fields is one.fields
            else [pair for pair in fields.items() if pair[0] not in one.fields]
        )
        paths = [*paths_of(fields.get("groups", ""), by_name), *members.get(block.key, ())]
        yield BibEntry(
            citekey=block.key or None,
            type=block.type,
            facts=facts_of(block.type, fields),
            raw=block.raw,
            span=(block.start, block.start + len(block.raw)),
            line=block.line,
            fields=one.pairs,
            borrowed=(*one.with_strings, *inherited),
            categories=tuple(dict.fromkeys(paths)),
            citekey_aliases=tuple(filter(None, map(str.strip, fields.get("ids", "").split(",")))),
            problems=tuple(_problems(one, missing, first_line)),
            **reading_state(fields),
        )


def _problems(one: _Read, missing: Sequence[str], first_line: int) -> Iterator[str]:
    """What is odd about the entry: ``missing`` parents, fields or a key given twice."""
    for key in missing:
        yield f"its crossref {key!r} is not an entry of the file"
    if len(one.fields) < len(one.pairs):
        yield "it has a field twice: the first one counts"
    if one.block.key and first_line != one.block.line:
        yield f"its key {one.block.key!r} is also that of the entry on line {first_line}"


def _without_shared_addresses(entries: Sequence[BibEntry]) -> Iterator[BibEntry]:
    """An address that entries with different titles give, such as a journal's, names none of them.

    It stays their link; it is no identifier, which would make them one paper.
    """
    shared = _shared_addresses(entries)
    for entry in entries:
        if shared and entry.facts.identifier("url") in shared:
            kept = tuple(one for one in entry.facts.identifiers if one.scheme != "url")
            entry = replace(entry, facts=replace(entry.facts, identifiers=kept))
        yield entry


def _shared_addresses(entries: Sequence[BibEntry]) -> set[str]:
    titles: dict[str, set[str]] = {}
    for entry in entries:
        if (url := entry.facts.identifier("url")) is not None:
            titles.setdefault(url, set()).add(entry.facts.title or "")
    return {
        url
        for url, those in titles.items()
        if len(those) > 1 and len(set(map(title_key, those))) > 1
    }
