"""The text of a .bib file → entries; bibtexparser finds the blocks, this module reads them."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from papertrack.errors import DocumentError
from papertrack.records import Skipped
from papertrack.sources.bibtex.facts import facts_of
from papertrack.sources.bibtex.groups import parse_groups, paths_of
from papertrack.sources.bibtex.inherit import with_inherited
from papertrack.sources.bibtex.model import BibEntry, BibLibrary
from papertrack.sources.bibtex.reading import reading_state
from papertrack.sources.bibtex.values import MAX_STRING, unquoted
from papertrack.text import clean, shorten, title_key

_CONFLICT = re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE)
# bibtexparser wants the brace on the line of the type; BibTeX does not, so this may be an entry.
_LIKE_AN_ENTRY = re.compile(r"@\s*[A-Za-z]+\s*[{(]")
_NOT_A_WORK = {
    "xdata": "it holds fields for other entries",
    "set": "it names a set of other entries",
    "control": "it sets options of a style",
    "ieeetranbstctl": "it sets options of a style",
    "acmctl": "it sets options of a style",
}

Path = tuple[str, ...]


class _Placed(NamedTuple):
    """A block of bibtexparser, which ships no types, and where it stands."""

    block: Any
    kind: str
    """Of the block: ``Entry``, ``String``, ``ExplicitComment``, ``ParsingFailedBlock``, …"""
    start: int
    line: int
    """Counted from 1."""


class _Read(NamedTuple):
    """An entry with its values as text."""

    placed: _Placed
    type: str
    pairs: tuple[tuple[str, str], ...]
    fields: dict[str, str]


def parse_bibtex(text: str, *, file: str = "") -> BibLibrary:
    """Every entry of the text, in its order, and what was not understood.

    A key used twice, a field given twice, an unknown type or a missing parent is a problem of the
    entry, which is read all the same; a piece that has no entry's form is skipped and reported.
    ``file`` is named in errors. Raises DocumentError for a text with conflict markers of a merge.
    """
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        raise DocumentError(
            f"{file or 'The .bib file'} has an unresolved merge conflict on line {line}: "
            "resolve it and import again."
        )
    blocks = list(_blocks(text))
    strings, skipped = _strings(blocks)
    read = [_read(placed, strings) for placed in blocks if placed.kind == "Entry"]
    groups, members = _groups(blocks)
    skipped += (reported for placed in blocks for reported in _reports(placed))
    return BibLibrary(
        entries=tuple(_without_shared_addresses(list(_entries(read, groups, members)))),
        skipped=tuple(sorted(skipped, key=lambda piece: piece.line)),
        strings=strings,
        groups=tuple(groups),
    )


def _blocks(text: str) -> Iterator[_Placed]:
    """The blocks in their order, which is that of their texts in the file."""
    from bibtexparser.entrypoint import parse_string

    # What it warns about is reported as skipped, with its line, to whoever imports the file.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    searched = counted = 0
    line = 1
    for block in parse_string(text, parse_stack=[]).blocks:
        raw = block.raw or ""
        start = text.index(raw, searched)
        # A failed block may reach into the next one.
        searched = start + (1 if type(block).__name__ == "ParsingFailedBlock" else len(raw))
        line += text.count("\n", counted, start)
        counted = start
        # A repeated key or field makes a block around the entry that was read nevertheless.
        inner = getattr(block, "ignore_error_block", None) or block
        yield _Placed(inner, type(inner).__name__, start, line)


def _strings(blocks: Iterable[_Placed]) -> tuple[dict[str, str], list[Skipped]]:
    """@string name → value. One may double those before it, so each is cut at MAX_STRING."""
    strings: dict[str, str] = {}
    skipped: list[Skipped] = []
    for placed in blocks:
        if placed.kind == "String":
            value = unquoted(placed.block.value, strings)
            if len(value) > MAX_STRING:
                reason = f"the @string is longer than {MAX_STRING} characters and was cut there"
                skipped.append(Skipped(placed.line, reason, shorten(placed.block.raw)))
            strings[placed.block.key.casefold()] = value[:MAX_STRING]
    return strings, skipped


def _groups(blocks: Iterable[_Placed]) -> tuple[list[Path], dict[str, list[Path]]]:
    for placed in blocks:
        if placed.kind == "ExplicitComment":
            paths, members = parse_groups(placed.block.comment)
            if paths:
                return paths, members
    return [], {}


def _reports(placed: _Placed) -> Iterator[Skipped]:
    """What of a block that is no entry, or no work, the user must know of."""
    block = placed.block
    if placed.kind == "Entry":
        if (why := _NOT_A_WORK.get(block.entry_type.casefold())) is not None:
            yield Skipped(placed.line, f"not a work: {why}", shorten(block.raw))
    elif placed.kind == "ParsingFailedBlock":
        reason = getattr(block.error, "abort_reason", None) or str(block.error)
        yield Skipped(placed.line, f"not an entry: {clean(reason)}", shorten(block.raw))
    elif placed.kind == "ImplicitComment":
        for match in _LIKE_AN_ENTRY.finditer(block.raw):
            line = placed.line + block.raw.count("\n", 0, match.start())
            text = shorten(block.raw[match.start() : match.start() + 1000])
            yield Skipped(line, "not an entry: its brace is not on the line of its type", text)


def _read(placed: _Placed, strings: Mapping[str, str]) -> _Read:
    pairs = tuple(
        (field.key.casefold(), unquoted(field.value, strings)) for field in placed.block.fields
    )
    fields: dict[str, str] = {}
    for name, value in pairs:
        fields.setdefault(name, value)  # Of a field given twice, BibTeX takes the first.
    return _Read(placed, placed.block.entry_type.casefold(), pairs, fields)


def _entries(
    read: Sequence[_Read], groups: Sequence[Path], members: Mapping[str, Sequence[Path]]
) -> Iterator[BibEntry]:
    by_key = {one.placed.block.key.casefold(): one.fields for one in reversed(read)}
    by_name = {path[-1].casefold(): path for path in reversed(groups)}
    lines: dict[str, int] = {}
    for one in read:
        block = one.placed.block
        first_line = lines.setdefault(block.key.casefold(), one.placed.line)
        if one.type in _NOT_A_WORK:
            continue
        fields, missing = with_inherited(one.type, one.fields, by_key)
        problems = [f"its crossref {key!r} is no entry of the file" for key in missing]
        if len(one.fields) < len(one.pairs):
            problems.append("it has a field twice: the first one counts")
        if block.key and first_line != one.placed.line:
            problems.append(f"its key {block.key!r} is also that of the entry on line {first_line}")
        paths = [*paths_of(fields.get("groups", ""), by_name), *members.get(block.key, ())]
        yield BibEntry(
            citekey=block.key or None,
            type=one.type,
            facts=facts_of(one.type, fields),
            raw=block.raw,
            span=(one.placed.start, one.placed.start + len(block.raw)),
            line=one.placed.line,
            fields=one.pairs,
            categories=tuple(dict.fromkeys(paths)),
            citekey_aliases=tuple(filter(None, map(str.strip, fields.get("ids", "").split(",")))),
            problems=tuple(problems),
            **reading_state(fields),
        )


def _without_shared_addresses(entries: Sequence[BibEntry]) -> Iterator[BibEntry]:
    """An address that entries with different titles give, such as a journal's, names none of them.

    It stays their link; it is no identifier, which would make them one paper.
    """
    titles: dict[str, set[str]] = {}
    for entry in entries:
        if (url := entry.facts.identifier("url")) is not None:
            titles.setdefault(url, set()).add(entry.facts.title or "")
    shared = {
        url
        for url, those in titles.items()
        if len(those) > 1 and len(set(map(title_key, those))) > 1
    }
    for entry in entries:
        if shared and entry.facts.identifier("url") in shared:
            kept = tuple(one for one in entry.facts.identifiers if one.scheme != "url")
            entry = replace(entry, facts=replace(entry.facts, identifiers=kept))
        yield entry
