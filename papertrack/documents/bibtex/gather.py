"""Combine entries of several files into one .bib text without changing their meaning.

Each entry keeps its own text. A @string that means something else in another file is renamed, and
so is an entry that others refer to. Nothing else changes. New entries can also be added to an
existing text, whose names take precedence. They go to its end, but above their parents there,
because BibTeX finds the parent of an entry only further down.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from papertrack.documents.bibtex.blocks import Block, read_blocks, replaced
from papertrack.documents.bibtex.edit import line_end_of, with_entries, with_key
from papertrack.documents.bibtex.grounds import (
    ABOVE,
    IDS,
    comment_before,
    names_of,
    references_of,
    with_references,
)
from papertrack.documents.bibtex.names import MONTH_NAMES, MONTHS, names_in, unquoted, with_names
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
    def ends(self) -> list[int]:
        """Return where the blocks end, in the order of the text."""
        blocks = (*self.entries, *self.strings, *self.preambles)
        return sorted(block.start + len(block.raw) for block in blocks)

    @cached_property
    def meanings(self) -> dict[str, str]:
        """Return @string names in lower case → their values."""
        meanings: dict[str, str] = {}
        for string in self.strings:
            meanings[string.key.casefold()] = unquoted(string.text, meanings)
        return meanings

    @property
    def undefined(self) -> set[str]:
        """Return the @string names, in lower case, that are used but not defined here."""
        used = {name for block in (*self.entries, *self.preambles) for name in names_of(block)}
        return used - {string.key.casefold() for string in self.strings}

    def said(self, block: Block) -> list[tuple[str, str]]:
        """Return the type and field values of a block, with @strings resolved."""
        (whole,) = read_blocks(block.raw)
        fields = [(one.name.casefold(), unquoted(one.value, self.meanings)) for one in whole.fields]
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

    @property
    def order(self) -> tuple[int, str, str]:
        """Return the sort key among the new entries."""
        return self.level, *order_of(self.citekey)


def gathered(entries: Iterable[SourceEntry], others: Iterable[SourceEntry] = ()) -> str:
    """Return the entries as one text, sorted by key, with what they need above them.

    Parents stand below the entries that inherit from them. Entries that are named by others are
    taken from ``others`` if they are there.
    """
    gathering = Bibliography(entries, others)
    texts = ["\n".join(gathering.definitions)] if gathering.definitions else []
    texts += [*gathering.preambles, *map(gathering.text_of, gathering.added)]
    return "\n\n".join(text.rstrip("\r\n") for text in texts) + "\n" if texts else ""


class Bibliography:
    """Decides which entries make one text, and how they and their @strings are called."""

    def __init__(
        self,
        entries: Iterable[SourceEntry],
        others: Iterable[SourceEntry] = (),
        base: SourceBlocks | None = None,
        place: Callable[[Sequence[OutputEntry], Keys], int] | None = None,
    ) -> None:
        """``base`` is the existing text; ``place`` returns where its first new entry goes."""
        several = sorted(map(parts_of, entries), key=lambda parts: order_of(parts.own.citekey))
        there = (
            [OutputEntry(one.key, one, base, is_there=True) for one in base.entries] if base else []
        )
        placed = [*there, *(one for parts in several for one in _placed(parts))]
        self.keys = Keys(placed, map(parts_of, others))
        for one in placed:  # The list grows by the entries that its members name.
            placed += self.keys.named_by(one) if not one.is_there else ()
        placed += [entry for parts in several for entry in self.keys.sets_in(parts)]
        _set_levels(placed, self.keys)
        self.added = sorted((one for one in placed if not one.is_there), key=attrgetter("order"))
        """The new entries in order."""
        used = list(dict.fromkeys(one.parts for one in self.added))
        at = place(self.added, self.keys) if place else 0
        self.definitions = _definitions(used, base, at)
        seen = {block.raw for block in base.preambles} if base else set[str]()
        raws = dict.fromkeys(block.raw for parts in used for block in parts.preambles)
        self.preambles = [raw for raw in raws if raw not in seen]

    def text_of(self, entry: OutputEntry) -> str:
        """Return the entry's own text, with all renamed keys and @strings."""
        parts, start = entry.parts, entry.block.start
        values = (
            (one.value_start - start, one.end - start, with_names(one.value, parts.renamed))
            for one in entry.block.fields
        )
        text = replaced(entry.block.raw, list(values) if parts.renamed else [])
        targets = ((key, self.keys.find(entry, key)) for key in references_of(entry.block))
        renamed = {
            key: other.citekey
            for key, other in targets
            if other and key not in references_of(other.block, IDS)
        }
        text = with_references(text, renamed)
        text = text if entry.citekey == entry.block.key else with_key(text, entry.citekey)
        return comment_before(parts.own.text, entry.block) + text


def _placed(parts: SourceBlocks) -> Iterator[OutputEntry]:
    """Yield the entry, and the entry of the same key that biber reads instead."""
    first, *others = parts.entries
    yield OutputEntry(parts.own.citekey, first, parts)
    yield from (
        OutputEntry(parts.own.citekey, block, parts) for block in others if block.key == first.key
    )


def parts_of(entry: SourceEntry) -> SourceBlocks:
    """Parse the blocks of an entry's text."""
    parts = SourceBlocks(entry)
    kinds = {"preamble": parts.preambles, "string": parts.strings, "entry": parts.entries}
    for block in read_blocks(entry.text):
        if block.kind in kinds:
            kinds[block.kind].append(block)
    return parts


def _definitions(several: Sequence[SourceBlocks], base: SourceBlocks | None, at: int) -> list[str]:
    """Return the @strings of all, each once. A name with another meaning is renamed.

    A @string that ``base`` defines above ``at`` is not repeated.
    """
    # A name that nobody defines, such as a month, belongs to the BibTeX style.
    every = [base, *several] if base else several
    styles = {name for parts in every for name in parts.undefined}
    meanings = _meanings_above(base, at) if base else {}
    texts: list[str] = []
    for parts in several:
        parts.renamed |= _spelled_out(parts, base) if base else {}
        for string in parts.strings:
            name, value = string.key, with_names(string.text, parts.renamed)
            meaning = unquoted(value, meanings)
            new = _free_name(name, meaning, meanings, styles)
            parts.renamed.pop(name.casefold(), None)
            if new != name:
                parts.renamed[name.casefold()] = new
            if new.casefold() not in meanings:
                meanings[new.casefold()] = meaning
                is_same = new == name and value == string.text
                texts.append(string.raw if is_same else f"@string{{{new} = {value}}}")
    return texts


def _spelled_out(parts: SourceBlocks, base: SourceBlocks) -> dict[str, str]:
    """Return full month names for months that ``base`` defines as something else."""
    months = parts.undefined & base.meanings.keys() & set(MONTHS)
    return {name: f"{{{MONTH_NAMES[name]}}}" for name in months if not _is_month(base, name)}


def _is_month(base: SourceBlocks, name: str) -> bool:
    """Return whether a @string named like a month is used as one."""
    users = {
        field.name.casefold()
        for block in base.entries
        for field in block.fields
        if name in names_in(field.value)
    }
    return "month" in users or not users


def _meanings_above(base: SourceBlocks, at: int) -> dict[str, str]:
    """Return what each name means at a place.

    It is ``_OTHER`` for a name with several meanings, or with only a later one.
    """
    meanings: dict[str, str] = {}
    for string in base.strings:
        name, value = string.key.casefold(), unquoted(string.text, meanings)
        is_one = string.start < at and meanings.get(name, value) == value
        meanings[name] = value if is_one else _OTHER
    return meanings


def _free_name(name: str, meaning: str, meanings: Mapping[str, str], styles: Iterable[str]) -> str:
    """Return the name, numbered if needed, that is free or has this meaning."""
    new, number = name, 1
    while new.casefold() in styles or meanings.get(new.casefold(), meaning) != meaning:
        number += 1
        new = f"{name}-{number}"
    return new


class Keys:
    """Finds entries by the keys that other entries use for them."""

    def __init__(self, placed: Sequence[OutputEntry], others: Iterable[SourceBlocks] = ()) -> None:
        self._by_name: dict[tuple[str, str], OutputEntry] = {}
        self._by_key = {item.citekey.casefold(): item for item in reversed(placed)}
        for item in placed:
            names = {item.block.key} if item.is_there else {item.block.key, item.parts.own.named}
            for name in filter(None, names):
                self._name(name, item)
        for item in placed:
            for name in references_of(item.block, IDS):
                self._by_name.setdefault((item.parts.own.file, name), item)
        self._others: dict[tuple[str, str], SourceBlocks] = {}
        for parts in others:
            for name in filter(None, (parts.entries[0].key, parts.own.named)):
                self._others.setdefault((parts.own.file, name.casefold()), parts)

    def _name(self, name: str, entry: OutputEntry) -> None:
        place = entry.parts.own.file, name.casefold()
        other = self._by_name.setdefault(place, entry)
        if other.citekey != other.block.key and entry.citekey == entry.block.key:
            self._by_name[place] = entry  # If one entry has several keys, the file's own key wins.

    def find(self, entry: OutputEntry, key: str) -> OutputEntry | None:
        """Return the entry that another entry means by a key."""
        return self._by_name.get((entry.parts.own.file, key.casefold()))

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


def _set_levels(placed: Sequence[OutputEntry], keys: Keys) -> None:
    """Set the levels, so that each entry goes below all that inherit from it.

    In a circle of entries, the first stands above the others.
    """
    parents = {
        id(entry): [
            target for key in references_of(entry.block, ABOVE) if (target := keys.find(entry, key))
        ]
        for entry in placed
    }
    heirs = Counter(id(parent) for several in parents.values() for parent in several)
    done: set[int] = set()
    for first in (*(entry for entry in placed if not heirs[id(entry)]), *placed):
        waiting = [first] if id(first) not in done else []
        while waiting:
            entry = waiting.pop()
            done.add(id(entry))
            for parent in (each for each in parents[id(entry)] if id(each) not in done):
                parent.level = max(parent.level, entry.level + 1)
                heirs[id(parent)] -= 1
                if not heirs[id(parent)]:
                    waiting.append(parent)


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to insert into a text."""

    text: str
    """The entry's text. The first new entry also has what new entries need."""
    at: int
    """The offset in the old text."""
    own: SourceEntry | None
    """The source of the entry; None if another entry brought it along."""
    is_work: bool
    """Whether it is read as a work. Options and field containers are not."""


def new_entries(
    text: str, file: str, entries: Iterable[SourceEntry], others: Iterable[SourceEntry] = ()
) -> list[NewEntry]:
    """Return the entries to insert into a file, in order, with those that they name.

    A named entry is the file's own if the naming entry is of that file, and otherwise one of the
    ``others``.
    """
    base = parts_of(SourceEntry("", text, file))
    places: dict[int, int] = {}

    def place(added: Sequence[OutputEntry], keys: Keys) -> int:
        for entry in reversed(added):  # Parents come before the entries that inherit from them.
            places[id(entry)] = min(_limits(entry, keys, places, text), default=len(text))
        return min(places.values(), default=len(text))

    gathering = Bibliography(entries, others, base, place)
    needed = ["\n".join(gathering.definitions), *gathering.preambles]
    above = "".join(f"{entry}\n\n" for entry in needed if entry)
    new: list[NewEntry] = []
    for entry in sorted(gathering.added, key=lambda entry: places[id(entry)]):
        body = above + gathering.text_of(entry) if not new else gathering.text_of(entry)
        source = entry.parts.own if entry.block is entry.parts.entries[0] else None
        new.append(NewEntry(body, places[id(entry)], source, entry.block.type not in NOT_A_WORK))
    return new


def _limits(entry: OutputEntry, keys: Keys, places: dict[int, int], text: str) -> Iterator[int]:
    """Yield the places of the entry's parents, old and new."""
    for key in references_of(entry.block, ABOVE):
        parent = keys.find(entry, key)
        if parent is not None and parent.is_there:
            yield _place_above(text, parent)
        elif parent is not None and id(parent) in places:
            yield places[id(parent)]


def _place_above(text: str, entry: OutputEntry) -> int:
    """Return where to insert text above an entry and its comment."""
    ends = entry.parts.ends
    before = bisect_right(ends, entry.block.start)
    floor = ends[before - 1] if before else 0
    gap = text.rfind("\n\n", floor, entry.block.start)
    return entry.block.start if gap < 0 else gap + 2


def with_new(text: str, new: Sequence[NewEntry]) -> str:
    """Return the text with these entries inserted, in its line ends."""
    line_end = line_end_of(text)
    inside: dict[tuple[int, int], str] = {}
    for entry in new:
        if entry.at < len(text):
            body = (entry.text.strip() + "\n\n").replace("\r\n", "\n").replace("\n", line_end)
            inside[entry.at, entry.at] = inside.get((entry.at, entry.at), "") + body
    return with_entries(text, inside, [entry.text for entry in new if entry.at == len(text)])
