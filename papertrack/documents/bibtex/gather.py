"""Combine entries of several files into one .bib text without changing their meaning.

Each entry keeps its own text. A @string that means something else in another file is renamed, and
so is an entry that others refer to. Nothing else changes. New entries can also be added to an
existing text, whose names take precedence. They go to its end, but above their parents there,
because BibTeX finds the parent of an entry only further down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from papertrack.documents.bibtex.blocks import Block, read_blocks, replaced
from papertrack.documents.bibtex.edit import line_end_of, with_entries, with_key
from papertrack.documents.bibtex.grounds import (
    ABOVE,
    IDS,
    MOST,
    comment_before,
    meanings_of,
    names_of,
    references_of,
    with_references,
)
from papertrack.documents.bibtex.names import MONTH_NAMES, unquoted, with_names
from papertrack.documents.bibtex.parse import NOT_A_WORK
from papertrack.text import clean

_IDS = r"\bids\s*=\s*[{\"]([^{}\"]*)"
_OTHER = "\0"
"""Marks a name with several meanings. It equals no text."""


class SourceEntry(NamedTuple):
    """An entry with the blocks it needs, and its file."""

    citekey: str
    """The key that the entry is written under."""
    text: str
    """The entry's own text with the blocks it needs; see ``BibEntry.whole``."""
    file: str = ""
    """The file's name. Entries of one file share their names; empty for an entry made anew."""
    named: str = ""
    """The key that other entries of the file use, if the text has a new key."""


def own_under(citekey: str, several: Sequence[SourceEntry], *, is_biblatex: bool) -> SourceEntry:
    """Return the entry to write under a key.

    The entry that has the key comes first, then one that lists it in ``ids``, which biber reads.
    Otherwise the first entry gets the key.
    """
    matching = (entry for entry in several if clean(entry.citekey) == clean(citekey))
    aliased = (entry for entry in several if is_biblatex and citekey in told_keys(entry))
    return next(matching, None) or next(aliased, several[0]._replace(citekey=citekey))


def told_keys(entry: SourceEntry) -> set[str]:
    """Return the other keys that an entry lists in its field ``ids``."""
    listed = re.findall(_IDS, entry.text, re.IGNORECASE)
    return {key.strip() for keys in listed for key in keys.split(",")}


def order_of(citekey: str) -> tuple[str, str]:
    """Return the sort key of an entry's citation key."""
    return citekey.casefold(), citekey


@dataclass(eq=False)
class SourceBlocks:
    """The blocks of one ``SourceEntry``, or of the existing text."""

    own: SourceEntry
    preambles: list[Block] = field(default_factory=list)
    strings: list[Block] = field(default_factory=list)
    entries: list[Block] = field(default_factory=list)
    """The entry itself, then those that it names, and sets that contain it."""
    renamed: dict[str, str] = field(default_factory=dict)
    """@string names in lower case → their names in the new text."""

    @cached_property
    def meanings(self) -> dict[str, str]:
        """Return @string names in lower case → their values."""
        return meanings_of(self.strings)

    @property
    def undefined(self) -> set[str]:
        """Return the @string names, in lower case, that are used but not defined here."""
        used = {name for block in (*self.entries, *self.preambles) for name in names_of(block)}
        return used - {string.key.casefold() for string in self.strings}

    def said(self, block: Block) -> list[tuple[str, str]]:
        """Return the type and field values of a block, with @strings resolved."""
        fields = [(one.name.casefold(), unquoted(one.value, self.meanings)) for one in block.fields]
        return [("", block.type), *fields]


@dataclass(eq=False, slots=True)
class OutputEntry:
    """One entry of the new text."""

    citekey: str
    block: Block
    parts: SourceBlocks
    is_there: bool = False
    """Whether the existing text has it already."""
    level: int = 0
    """How many generations of entries inherit from it. BibTeX needs it below them all."""
    at: int = 0
    """Where a new entry goes in the existing text."""


class NewEntry(NamedTuple):
    """An entry to insert into a text."""

    text: str
    """The entry's text. The first new entry also has what new entries need."""
    at: int
    """The offset in the old text."""
    own: SourceEntry | None
    """The source of the entry; None if another entry brought it along."""
    is_work: bool
    """Whether it is read as a work. Options and field containers are not."""


def gathered(entries: Iterable[SourceEntry], others: Iterable[SourceEntry] = ()) -> str:
    """Return the entries as one text, sorted by key, with what they need above them.

    Parents stand below the entries that inherit from them. Entries that are named by others are
    taken from ``others`` if they are there.
    """
    return with_new("", new_entries("", "", entries, others))


def with_new(text: str, new: Sequence[NewEntry]) -> str:
    """Return the text with these entries inserted, in its line ends."""
    line_end = line_end_of(text)
    inside: dict[tuple[int, int], str] = {}
    for entry in new:
        if entry.at < len(text):
            body = (entry.text.strip() + "\n\n").replace("\r\n", "\n").replace("\n", line_end)
            inside[entry.at, entry.at] = inside.get((entry.at, entry.at), "") + body
    return with_entries(text, inside, [entry.text for entry in new if entry.at == len(text)])


def new_entries(
    text: str, file: str, entries: Iterable[SourceEntry], others: Iterable[SourceEntry] = ()
) -> list[NewEntry]:
    """Return the entries to insert into a file, in order, with those that they name.

    A named entry is the file's own if the naming entry is of that file, and otherwise one of the
    ``others``.
    """
    base = parts_of(SourceEntry("", text, file))
    several = sorted(map(parts_of, entries), key=lambda parts: order_of(parts.own.citekey))
    placed = [OutputEntry(block.key, block, base, is_there=True) for block in base.entries]
    placed += (
        OutputEntry(parts.own.citekey, block, parts)
        for parts in several
        for block in parts.entries
        if block.key == parts.entries[0].key  # Biber reads the second one.
    )
    keys = _Keys(placed, map(parts_of, others))
    for one in placed:  # The list grows by the entries that its members name.
        placed += keys.named_by(one) if not one.is_there else ()
    placed += [entry for parts in several for entry in keys.sets_in(parts)]
    added = _added(text, placed, keys)
    used = list(dict.fromkeys(one.parts for one in added))
    definitions = _definitions(used, base, added[0].at) if added else []
    seen = {block.raw for block in base.preambles}
    raws = dict.fromkeys(block.raw for parts in used for block in parts.preambles)
    needed = ["\n".join(definitions), *(raw for raw in raws if raw not in seen)]
    above = "".join(f"{part}\n\n" for part in needed if part)
    new: list[NewEntry] = []
    for one in added:
        body = _text_of(one, keys) if new else above + _text_of(one, keys)
        source = one.parts.own if one.block is one.parts.entries[0] else None
        new.append(NewEntry(body, one.at, source, one.block.type not in NOT_A_WORK))
    return new


def _added(text: str, placed: Sequence[OutputEntry], keys: _Keys) -> list[OutputEntry]:
    """Return the new entries in order, each with its place in the text.

    An entry stands above those from which it inherits, which are placed first.
    """
    parents = {id(one): keys.parents_of(one) for one in placed}
    _set_levels(placed, parents)
    added = [one for one in placed if not one.is_there]
    added.sort(key=lambda one: (one.level, *order_of(one.citekey)))
    for one in reversed(added):
        places = (
            _place_above(text, other.block.start) if other.is_there else other.at
            for other in parents[id(one)]
            if other.is_there or other.level > one.level
        )
        one.at = min(places, default=len(text))
    return sorted(added, key=attrgetter("at"))


def parts_of(entry: SourceEntry) -> SourceBlocks:
    """Parse the blocks of an entry's text."""
    parts = SourceBlocks(entry)
    kinds = {"preamble": parts.preambles, "string": parts.strings, "entry": parts.entries}
    for block in read_blocks(entry.text):
        if block.kind in kinds:
            kinds[block.kind].append(block)
    return parts


def _text_of(entry: OutputEntry, keys: _Keys) -> str:
    """Return the entry's own text, with all renamed keys and @strings."""
    parts, start = entry.parts, entry.block.start
    values = [
        (one.value_start - start, one.end - start, with_names(one.value, parts.renamed))
        for one in (entry.block.fields if parts.renamed else ())
    ]
    text = replaced(entry.block.raw, values)
    targets = ((key, keys.find(entry, key)) for key in references_of(entry.block))
    renamed = {
        key: other.citekey
        for key, other in targets
        if other and key not in references_of(other.block, IDS)
    }
    text = with_references(text, renamed)
    text = text if entry.citekey == entry.block.key else with_key(text, entry.citekey)
    return comment_before(parts.own.text, entry.block) + text


def _definitions(several: Sequence[SourceBlocks], base: SourceBlocks, at: int) -> list[str]:
    """Return the @strings of all, each once. A name with another meaning is renamed.

    A @string that ``base`` defines above ``at`` is not repeated. A name that nobody defines, such
    as a month, belongs to the BibTeX style.
    """
    styles = {name for parts in (base, *several) for name in parts.undefined}
    meanings: dict[str, str] = {}
    for string in base.strings:
        name, value = string.key.casefold(), unquoted(string.text, meanings)
        is_one = string.start < at and meanings.get(name, value) == value
        meanings[name] = value if is_one else _OTHER
    texts: list[str] = []
    for parts in several:
        for name in parts.undefined & base.meanings.keys() & MONTH_NAMES.keys():
            if base.meanings[name][:3].casefold() != name:
                parts.renamed[name] = f"{{{MONTH_NAMES[name]}}}"
        for string in parts.strings:
            new, number = string.key, 1
            value = with_names(string.text, parts.renamed)
            meaning = unquoted(value, meanings)
            while new.casefold() in styles or meanings.get(new.casefold(), meaning) != meaning:
                number += 1
                new = f"{string.key}-{number}"
            parts.renamed.pop(string.key.casefold(), None)
            if new != string.key:
                parts.renamed[string.key.casefold()] = new
            if new.casefold() not in meanings:
                meanings[new.casefold()] = meaning
                is_same = new == string.key and value == string.text
                texts.append(string.raw if is_same else f"@string{{{new} = {value}}}")
    return texts


class _Keys:
    """Finds entries by the keys that other entries use for them."""

    def __init__(self, placed: Sequence[OutputEntry], others: Iterable[SourceBlocks]) -> None:
        self._by_name: dict[tuple[str, str], OutputEntry] = {}
        self._by_key = {item.citekey.casefold(): item for item in reversed(placed)}
        for item in placed:
            for name in {item.block.key, item.parts.own.named} - {""}:
                place = item.parts.own.file, name.casefold()
                other = self._by_name.setdefault(place, item)
                # If one entry has several keys, the file's own key wins.
                if other.citekey != other.block.key and item.citekey == item.block.key:
                    self._by_name[place] = item
        for item in placed:
            for name in references_of(item.block, IDS):
                self._by_name.setdefault((item.parts.own.file, name), item)
        self._others: dict[tuple[str, str], SourceBlocks] = {}
        for parts in others:
            for name in {parts.entries[0].key, parts.own.named} - {""}:
                self._others.setdefault((parts.own.file, name.casefold()), parts)

    def find(self, entry: OutputEntry, key: str) -> OutputEntry | None:
        """Return the entry that another entry means by a key."""
        return self._by_name.get((entry.parts.own.file, key.casefold()))

    def parents_of(self, entry: OutputEntry) -> list[OutputEntry]:
        """Return the entries that BibTeX finds only below this one."""
        named = (self.find(entry, key) for key in references_of(entry.block, ABOVE))
        return [parent for parent in named if parent]

    def named_by(self, entry: OutputEntry) -> list[OutputEntry]:
        """Add the missing entries that an entry names, under free keys, and return them."""
        new = []
        for key in references_of(entry.block):
            if self.find(entry, key) is None and (named := self._named(entry.parts, key)):
                new += self._adopt(key, *named)
        return new

    def _named(self, parts: SourceBlocks, key: str) -> tuple[str, Block, SourceBlocks] | None:
        """Return key, block and source of the entry that these parts call ``key``."""
        if other := self._others.get((parts.own.file, key)):
            return other.own.citekey, other.entries[0], other
        named = (
            one for one in parts.entries if key in (one.key.casefold(), *references_of(one, IDS))
        )
        block = next(named, None)
        return (block.key, block, parts) if block else None

    def sets_in(self, parts: SourceBlocks) -> list[OutputEntry]:
        """Add biblatex sets that contain an entry and whose members are all present."""
        new = []
        for block in parts.entries[1:]:
            members = [(parts.own.file, key) for key in references_of(block)]
            is_new = (parts.own.file, block.key.casefold()) not in self._by_name
            if block.type == "set" and is_new and all(name in self._by_name for name in members):
                new += self._adopt(block.key.casefold(), block.key, block, parts)
        return new

    def _adopt(self, name: str, key: str, block: Block, parts: SourceBlocks) -> list[OutputEntry]:
        citekey, number = key, 1
        content = parts.said(block)
        while (other := self._by_key.get(citekey.casefold())) and (
            other.parts.said(other.block) != content
        ):
            number += 1
            citekey = f"{key}-{number}"
        entry = other or OutputEntry(citekey, block, parts)
        self._by_name[parts.own.file, name] = entry
        self._by_key[citekey.casefold()] = entry
        return [] if other else [entry]


def _set_levels(
    placed: Iterable[OutputEntry], parents: Mapping[int, Sequence[OutputEntry]]
) -> None:
    """Set the levels, so that each entry goes below all that inherit from it, except in circles."""
    pairs = [(entry, parent) for entry in placed for parent in parents[id(entry)]]
    for _ in range(MOST):
        for entry, parent in pairs:
            parent.level = max(parent.level, entry.level + 1)


def _place_above(text: str, start: int) -> int:
    """Return where to insert text above an entry that starts here, and its comment."""
    gap = text.rfind("\n\n", 0, start)
    return gap + 2 if gap >= 0 and not {*"@})"} & {*text[gap:start]} else start
