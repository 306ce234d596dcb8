"""Parse the text of a .bib file to entries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from operator import attrgetter
from typing import NamedTuple

from papertrack.documents.bibtex import facts
from papertrack.documents.bibtex.blocks import Block, read_blocks
from papertrack.documents.bibtex.grounds import (
    MAX_STRING,
    MOST,
    XDATA_PART,
    Grounds,
    meanings_of,
    references_of,
)
from papertrack.documents.bibtex.names import MONTHS, pieces, split_names, unquoted
from papertrack.errors import DocumentError
from papertrack.records import Skipped
from papertrack.text import shorten, title_key

_START = attrgetter("start")
_CONFLICTS = ("\n<<<<<<< ", "\n>>>>>>> ")
NOT_A_WORK = {
    "xdata": "it holds fields for other entries",
    "set": "it names a set of other entries",
    "control": "it sets options of a style",
    "ieeetranbstctl": "it sets options of a style",
    "acmctl": "it sets options of a style",
}
"""Entry types that are not works, and why."""
_OF_ONE_WORK = frozenset(
    "ids crossref xref xdata entryset abstract keywords mendeley-tags doi url eprint note annote "
    "annotation review comment file groups readstatus ranking priority pages title subtitle".split()
)
"""Fields that no entry inherits from its parent."""
_GIVING = ("crossref", "xdata")
"""Fields that name the entries to inherit from."""
_PARTS = frozenset({"inproceedings", "incollection", "inbook", "conference", "inreference"})
_FieldsOf = Callable[[str], facts.Fields | None]
"""Returns the fields of the entry with a key in lower case, if there is one."""
_UNSAFE_PREAMBLE = (
    "its TeX can run programs or write files: it stays in this file, and is not copied with entries"
)
MOST_ADDED = 5_000_000
"""The most characters that @strings and parents may add to all entries of a file.

Without this limit, a few lines could be repeated thousands of times.
"""


class _Read(NamedTuple):
    """An entry with resolved values."""

    pairs: tuple[tuple[str, str], ...]
    fields: dict[str, str]
    with_strings: list[tuple[str, str]]
    """The pairs whose values use a @string."""


def parse_bibtex(text: str, *, file: str = "", others: Iterable[str] = ()) -> facts.BibLibrary:
    """Parse all entries of a text, in order, and report what was not understood.

    A duplicate key or field, an unknown type or a missing parent is listed as a problem of the
    entry. Text that does not have the form of an entry is skipped and reported. ``file`` is named
    in errors. ``others`` are the texts of the other files of the bibliography; they are read only
    if the text uses names that it does not define. The last result is cached: a sync parses one
    text for its import and its export. Raises DocumentError for a text with conflict markers.
    """
    refuse_conflicts(text, file)
    return _parse(text)(others)


@lru_cache(maxsize=1)
def _parse(text: str) -> Callable[[Iterable[str]], facts.BibLibrary]:
    """Return a function that takes the texts of the other files, and returns the parsed text."""
    blocks = list(read_blocks(text))
    grounds = Grounds(text, blocks)
    named = {key for block in blocks for key in references_of(block, _GIVING)}
    named -= {block.key.casefold() for block in blocks}
    if named or grounds.undefined.difference(MONTHS):
        return partial(_parse_with, text, blocks)
    library = _library_of(text, blocks, blocks, grounds)
    return lambda others: library


def _parse_with(text: str, own: Sequence[Block], others: Iterable[str]) -> facts.BibLibrary:
    blocks = sorted([*own, *_defined_by(others, own, len(text) + 1)], key=_START)
    return _library_of(text, own, blocks, Grounds(text + "\n", blocks))


def _library_of(
    text: str, own: Sequence[Block], blocks: Sequence[Block], grounds: Grounds
) -> facts.BibLibrary:
    """Return what a text contains; ``blocks`` are its ``own`` and those of other files."""
    strings, added = meanings_of(own), _Added()
    skipped = [reported for block in own for reported in _reports(block, strings)]
    entries = list(_entries(blocks, grounds, len(text), added))
    skipped += added.refused
    unsafe = (block for block in grounds.unsafe if 0 <= block.start < len(text))
    skipped += (Skipped(block.line, _UNSAFE_PREAMBLE, shorten(block.raw)) for block in unsafe)
    return facts.BibLibrary(
        entries=tuple(_with_shared_addresses(entries)),
        skipped=tuple(sorted(skipped, key=attrgetter("line"))),
        strings=strings,
        groups=tuple(facts.find_groups(own).paths),
    )


def _defined_by(others: Iterable[str], blocks: Iterable[Block], end: int) -> list[Block]:
    """Return the @strings and entries of other files that the ``blocks`` lack.

    @strings are placed before the text and entries behind its ``end``. A name with different
    contents in two files is left out.
    """
    names = {(block.kind, block.key.casefold()) for block in blocks}
    by_name: dict[tuple[str, str], dict[str, Block]] = {}
    for block in (block for text in others for block in read_blocks(text)):
        name = block.kind, block.key.casefold()
        if block.kind in ("string", "entry") and name not in names:
            by_name.setdefault(name, {}).setdefault("".join(block.raw.split()), block)
    return [
        block._replace(start=number + (end if block.type else -len(by_name)))
        for number, (block, *different) in enumerate(map(dict.values, by_name.values()))
        if not different
    ]


def refuse_conflicts(text: str, file: str = "") -> None:
    """Raise DocumentError for a text with conflict markers."""
    lines = f"\n{text}"
    before = min((lines.partition(marker)[0] for marker in _CONFLICTS), key=len)
    if before != lines:
        line = before.count("\n") + 1
        raise DocumentError(
            f"{file or 'The .bib file'} has an unresolved merge conflict on line {line}: "
            "resolve it and import again."
        )


def parse_whole(text: str) -> facts.BibEntry:
    """Parse the main entry of a ``BibEntry.whole``."""
    blocks = list(read_blocks(text))
    return next(_entries(blocks, Grounds(text, blocks), len(text), _Added()))


def _reports(block: Block, strings: Mapping[str, str]) -> Iterator[Skipped]:
    """Yield a report for a block that is broken, not a work, or too long a @string."""
    reason = ""
    if block.kind == "entry" and block.type in NOT_A_WORK:
        reason = f"not a work: {NOT_A_WORK[block.type]}"
    elif block.kind == "broken":
        reason = f"not an entry: {block.text}"
    elif block.kind == "string" and len(unquoted(block.text, strings)) > MAX_STRING:
        reason = f"the @string is longer than {MAX_STRING} characters and was cut there"
    if reason:
        yield Skipped(block.line, reason, shorten(block.raw))


class _Added:
    """Counts what @strings and parents add to the entries of a file, and refuses too much."""

    def __init__(self) -> None:
        self._left = MOST_ADDED
        self.refused: list[Skipped] = []

    def has_room(self, block: Block, pairs: Iterable[tuple[str, str]]) -> bool:
        """Return whether an entry may get these fields; if not, report it as refused."""
        size = sum(len(value) for _, value in pairs)
        if not size or size <= self._left:
            self._left -= size
            return True
        reason = (
            f"not used: @strings and parents would add more than {MOST_ADDED:,} "
            "characters to the entries of this file"
        )
        self.refused.append(Skipped(block.line, reason, shorten(block.raw)))
        return False


def _read(block: Block, strings: Mapping[str, str]) -> _Read:
    pairs = tuple((one.name.casefold(), unquoted(one.value, strings)) for one in block.fields)
    fields: dict[str, str] = {}
    for name, value in pairs:
        fields.setdefault(name, value)  # BibTeX uses the first of duplicate fields.
    with_strings = [
        (field.name, value)
        for field, (_, value) in zip(block.fields if strings else (), pairs, strict=False)
        if value != unquoted(field.value, {})
    ]
    return _Read(pairs, fields, with_strings)


def _entries(
    blocks: Sequence[Block], grounds: Grounds, end: int, added: _Added
) -> Iterator[facts.BibEntry]:
    """Yield the works that start before ``end``."""
    strings, groups = meanings_of(blocks), facts.find_groups(blocks)

    def fields_of(key: str) -> facts.Fields | None:
        block = grounds.find(key)
        return _read(block, strings).fields if block else None

    lines: dict[str, int] = {}
    for block in blocks:
        if block.kind != "entry":
            continue
        first_line = lines.setdefault(block.key.casefold(), block.line)
        if block.type in NOT_A_WORK or block.start >= end:
            continue
        read = _read(block, strings)
        fields, missing = _with_inherited(block.type, read.fields, fields_of)
        inherited = [pair for pair in fields.items() if pair not in read.fields.items()]
        borrowed = (*read.with_strings, *inherited)
        if not added.has_room(block, borrowed):
            continue
        whole = grounds.whole(block)
        paths = [
            *facts.paths_of(fields.get("groups", ""), groups),
            *groups.members.get(block.key, ()),
        ]
        yield facts.BibEntry(
            citekey=block.key or None,
            type=block.type,
            raw=block.raw,
            whole=whole.text,
            span=(block.start, block.start + len(block.raw)),
            line=block.line,
            fields=read.pairs,
            borrowed=borrowed,
            all_fields=fields,
            tags=facts.tags_of(fields),
            passes_done=facts.PASSES.get(fields.get("readstatus", "").strip().casefold(), 0),
            rating=facts.RATINGS.get(fields.get("ranking", "").strip()),
            categories=tuple(dict.fromkeys(paths)),
            citekey_aliases=tuple(filter(None, map(str.strip, fields.get("ids", "").split(",")))),
            problems=tuple(_problems(block, read, missing, first_line, names_all=whole.is_all)),
        )


def _with_inherited(
    entry_type: str, fields: facts.Fields, fields_of: _FieldsOf
) -> tuple[facts.Fields, list[str]]:
    """Return the fields with inherited ones, and the keys of missing parents.

    As in biblatex (manual, appendix B), a parent's title becomes the ``booktitle`` of its parts;
    BibTeX needs a second field for that. At most ``MOST`` parents are followed, each once.
    """
    fields, missing = _with_xdata_parts(fields, fields_of)
    references = _references(fields)
    if not references:
        return fields, missing
    merged = dict(fields)
    seen: set[str] = set()
    while references and len(seen) < MOST:
        key, takes_all = references.pop()
        if key in seen:
            continue
        seen.add(key)
        if (parent := fields_of(key)) is None:
            missing.append(key)
            continue
        for name, value in _given(parent, entry_type, takes_all=takes_all).items():
            merged.setdefault(name, value)
        references += _references(parent)
    return merged, missing


def _with_xdata_parts(fields: facts.Fields, fields_of: _FieldsOf) -> tuple[facts.Fields, list[str]]:
    """Resolve each ``xdata=KEY-FIELD-NUMBER`` in the fields.

    Returns the fields, and the keys of missing entries.
    """
    missing: list[str] = []

    def part_of(match: re.Match[str]) -> str:
        _, key, name, number = match.groups()
        parent = fields_of(key.casefold())
        if parent is None:
            missing.append(key.casefold())
        value = parent.get(name.casefold(), "") if parent else ""
        several = split_names(value) if number else [value]
        return dict(enumerate(several, 1)).get(int((number or "1")[:9])) or match[0]

    if not any("xdata" in value.casefold() for value in fields.values()):
        return fields, missing
    return {name: XDATA_PART.sub(part_of, value) for name, value in fields.items()}, missing


def _given(parent: facts.Fields, entry_type: str, *, takes_all: bool) -> dict[str, str]:
    """Return the fields that an entry of this type inherits from the parent."""
    if takes_all:
        return dict(parent)
    given = {name: value for name, value in parent.items() if name not in _OF_ONE_WORK}
    if entry_type in _PARTS and parent.get("title"):
        given.setdefault("booktitle", parent["title"])
    return given


def _references(fields: facts.Fields) -> list[tuple[str, bool]]:
    """Return the keys of an entry's parents in lower case.

    Each comes with whether all of the parent's fields are inherited.
    """
    return [
        (key, name == "xdata")
        for name in _GIVING
        for key in map(str.strip, fields.get(name, "").casefold().split(","))
        if key
    ]


def _problems(
    block: Block, read: _Read, missing: Sequence[str], first_line: int, *, names_all: bool
) -> Iterator[str]:
    """Yield the oddities of an entry: ``missing`` parents, duplicate fields or keys."""
    if not names_all:
        yield (
            "it refers to so many entries, or such long ones, that only the first are kept with it"
        )
    for key in missing:
        yield f"its crossref {key!r} is not an entry of the file"
    yield from (f"{problem}: BibTeX stops there" for problem in _errors(block))
    if len(read.fields) < len(read.pairs):
        yield "it has a field twice: the first one is used"
    if block.key and first_line != block.line:
        yield f"its key {block.key!r} is also that of the entry on line {first_line}"


def _errors(block: Block) -> Iterator[str]:
    """Yield what BibTeX takes for an error in the fields of an entry."""
    done = block.key_start + len(block.key)
    for field in block.fields:
        if "," not in block.raw[done - block.start : field.start - block.start]:
            yield f"a comma is missing before its field {field.name!r}"
        if not field.value:
            yield f"its field {field.name!r} has no value"
        if not all(piece.is_joined for piece in pieces(field.value)):
            yield f"braces or a # are missing in its field {field.name!r}"
        done = field.end


def _with_shared_addresses(entries: Sequence[facts.BibEntry]) -> Iterator[facts.BibEntry]:
    """Tell the entries of different titles that share an address, such as a journal's.

    It would make them one paper. It stays as a link.
    """
    addresses = [entry.address for entry in entries]
    numbers = Counter(addresses)
    titles: dict[str | None, set[str]] = {}
    for entry, address in zip(entries, addresses, strict=True):
        if address is not None and numbers[address] > 1:
            titles.setdefault(address, set()).add(title_key(entry.facts.title or ""))
    for entry, address in zip(entries, addresses, strict=True):
        is_shared = len(titles.get(address, ())) > 1
        yield replace(entry, is_address_shared=True) if is_shared else entry
