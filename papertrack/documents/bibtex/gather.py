"""Entries of several files → one text of a .bib file, in which each says what it said there.

An entry keeps its own text. A @string that means something else in another of the files gets
another name, and so does an entry that others name; nothing else is changed. The text may be one
that is there already: then all that is new gives way to what it has, and stands at its end, but
above the parents it has there, since BibTeX finds the parent of an entry only further down.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from papertrack.documents.bibtex.blocks import Block, read_blocks
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
"""What a name means that several mean something else by: no text is equal to it."""


class SourceEntry(NamedTuple):
    """An entry with what it needs, and the file that it is of."""

    citekey: str
    """The key that it is to have."""
    text: str
    """Its own, with what it needs: see ``BibEntry.whole``."""
    file: str = ""
    """Entries of one file mean the same by the same names; empty for one that was made again."""
    named: str = ""
    """What others of the file call it, where its text has another key by now."""


def own_under(citekey: str, several: Sequence[SourceEntry], *, is_biblatex: bool) -> SourceEntry:
    """The one of the entries that has the key; one that tells it as another of its keys, which
    biber reads, stays as it is, else the first gets it."""
    found = (one for one in several if clean(one.citekey) == clean(citekey))
    telling = (one for one in several if is_biblatex and citekey in told_keys(one))
    return next(found, None) or next(telling, several[0]._replace(citekey=citekey))


def told_keys(own: SourceEntry) -> set[str]:
    """The other keys that an entry tells in its field "ids"."""
    found = re.findall(_IDS, own.text, re.IGNORECASE)
    return {key.strip() for keys in found for key in keys.split(",")}


def order_of(citekey: str) -> tuple[str, str]:
    """Where the entry of this key stands among others."""
    return citekey.casefold(), citekey


@dataclass(eq=False)
class SourceBlocks:
    """The blocks of one ``SourceEntry``, or of the text that is there."""

    own: SourceEntry
    preambles: list[Block] = field(default_factory=list)
    strings: list[Block] = field(default_factory=list)
    entries: list[Block] = field(default_factory=list)
    """Itself, then those that it names, and sets that it is in."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Names of @strings in small letters, and what they are called in the text that is made."""

    @cached_property
    def ends(self) -> list[int]:
        """Where its blocks end, in the order of the text."""
        blocks = (*self.entries, *self.strings, *self.preambles)
        return sorted(block.start + len(block.raw) for block in blocks)

    @cached_property
    def meanings(self) -> dict[str, str]:
        """Names of its @strings in small letters, and what they stand for."""
        meanings: dict[str, str] = {}
        for string in self.strings:
            meanings[string.key.casefold()] = unquoted(string.text, meanings)
        return meanings

    @property
    def undefined(self) -> set[str]:
        """Names of @strings in small letters that are in it and that it does not define."""
        used = {name for block in (*self.entries, *self.preambles) for name in names_of(block)}
        return used - {string.key.casefold() for string in self.strings}

    def said(self, block: Block) -> list[tuple[str, str]]:
        """What one of the blocks says, whatever its @strings are called."""
        (whole,) = read_blocks(block.raw)
        fields = [(one.name.casefold(), unquoted(one.value, self.meanings)) for one in whole.fields]
        return [("", block.type), *fields]


@dataclass(eq=False, slots=True)
class OutputEntry:
    """One entry of the text that is made."""

    citekey: str
    block: Block
    parts: SourceBlocks
    is_there: bool = False
    """Whether the text had it before."""
    level: int = 0
    """How many others have it as their parent, one through the other: for BibTeX it stands below
    them all."""

    @property
    def order(self) -> tuple[int, str, str]:
        """Where it goes among the others."""
        return self.level, *order_of(self.citekey)


def gathered(entries: Iterable[SourceEntry], others: Iterable[SourceEntry] = ()) -> str:
    """The entries in the order of their keys, but the parents of others below these; what they
    need is above them. What entries name is taken from among the ``others`` where it is there."""
    gathering = Bibliography(entries, others)
    texts = ["\n".join(gathering.definitions)] if gathering.definitions else []
    texts += [*gathering.preambles, *map(gathering.text_of, gathering.added)]
    return "\n\n".join(text.rstrip("\r\n") for text in texts) + "\n" if texts else ""


class Bibliography:
    """Which entries make one text, and what they and their @strings are called there."""

    def __init__(
        self,
        entries: Iterable[SourceEntry],
        others: Iterable[SourceEntry] = (),
        base: SourceBlocks | None = None,
        place: Callable[[Sequence[OutputEntry], Keys], int] | None = None,
    ) -> None:
        """``base`` is what is there already, in which ``place`` finds where the first new entry
        goes."""
        several = sorted(map(parts_of, entries), key=lambda parts: order_of(parts.own.citekey))
        there = (
            [OutputEntry(one.key, one, base, is_there=True) for one in base.entries] if base else []
        )
        placed = [*there, *(one for parts in several for one in _placed(parts))]
        self.keys = Keys(placed, map(parts_of, others))
        for one in placed:  # It grows by what its members name.
            placed += self.keys.named_by(one) if not one.is_there else ()
        placed += [found for parts in several for found in self.keys.sets_in(parts)]
        _set_levels(placed, self.keys)
        self.added = sorted((one for one in placed if not one.is_there), key=lambda one: one.order)
        """The new entries in their order."""
        used = list(dict.fromkeys(one.parts for one in self.added))
        at = place(self.added, self.keys) if place else 0
        self.definitions = _definitions(used, base, at)
        known = {block.raw for block in base.preambles} if base else set[str]()
        raws = dict.fromkeys(block.raw for parts in used for block in parts.preambles)
        self.preambles = [raw for raw in raws if raw not in known]

    def text_of(self, one: OutputEntry) -> str:
        """The entry's own text, with the names that it and what it needs have got."""
        text, parts = one.block.raw, one.parts
        for part in reversed(one.block.fields):
            if parts.renamed:
                start = part.value_start - one.block.start
                value = with_names(part.value, parts.renamed)
                text = text[:start] + value + text[start + len(part.value) :]
        found = ((key, self.keys.find(one, key)) for key in references_of(one.block))
        renamed = {
            key: other.citekey
            for key, other in found
            if other and key not in references_of(other.block, IDS)
        }
        text = with_references(text, renamed)
        text = text if one.citekey == one.block.key else with_key(text, one.citekey)
        return comment_before(parts.own.text, one.block) + text


def _placed(parts: SourceBlocks) -> Iterator[OutputEntry]:
    """The entry, and the one with its key that biber reads in its place."""
    first, *others = parts.entries
    yield OutputEntry(parts.own.citekey, first, parts)
    yield from (
        OutputEntry(parts.own.citekey, one, parts) for one in others if one.key == first.key
    )


def parts_of(own: SourceEntry) -> SourceBlocks:
    """The blocks of its text."""
    parts = SourceBlocks(own)
    kinds = {"preamble": parts.preambles, "string": parts.strings, "entry": parts.entries}
    for block in read_blocks(own.text):
        if block.kind in kinds:
            kinds[block.kind].append(block)
    return parts


def _definitions(several: Sequence[SourceBlocks], base: SourceBlocks | None, at: int) -> list[str]:
    """The @strings of all, each once; a name that means something else already gives way.

    What the ``base`` defines above ``at`` is there.
    """
    # What nobody defines is a name of the style's own, such as a month, for those who use it.
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
    """The months that entries name as every style does, where the base means something else."""
    months = parts.undefined & base.meanings.keys() & set(MONTHS)
    return {name: f"{{{MONTH_NAMES[name]}}}" for name in months if not _is_month(base, name)}


def _is_month(base: SourceBlocks, name: str) -> bool:
    """Whether a @string with a month's name stands for it: where it is used, it is used so."""
    users = {
        field.name.casefold()
        for block in base.entries
        for field in block.fields
        if name in names_in(field.value)
    }
    return "month" in users or not users


def _meanings_above(base: SourceBlocks, at: int) -> dict[str, str]:
    """What each name means at a place, and wherever else it is used."""
    meanings: dict[str, str] = {}
    for string in base.strings:
        name, value = string.key.casefold(), unquoted(string.text, meanings)
        is_one = string.start < at and meanings.get(name, value) == value
        meanings[name] = value if is_one else _OTHER
    return meanings


def _free_name(name: str, meaning: str, meanings: Mapping[str, str], styles: Iterable[str]) -> str:
    """The name, or it with a number, that means this or nothing yet."""
    new, number = name, 1
    while new.casefold() in styles or meanings.get(new.casefold(), meaning) != meaning:
        number += 1
        new = f"{name}-{number}"
    return new


class Keys:
    """The keys of the entries that others may name."""

    def __init__(self, placed: Sequence[OutputEntry], others: Iterable[SourceBlocks] = ()) -> None:
        self._by_name: dict[tuple[str, str], OutputEntry] = {}
        self._by_key = {one.citekey.casefold(): one for one in reversed(placed)}
        for one in placed:
            names = {one.block.key} if one.is_there else {one.block.key, one.parts.own.named}
            for name in filter(None, names):
                self._name(name, one)
        for one in placed:
            for name in references_of(one.block, IDS):
                self._by_name.setdefault((one.parts.own.file, name), one)
        self._others: dict[tuple[str, str], SourceBlocks] = {}
        for parts in others:
            for name in filter(None, (parts.entries[0].key, parts.own.named)):
                self._others.setdefault((parts.own.file, name.casefold()), parts)

    def _name(self, name: str, one: OutputEntry) -> None:
        place = one.parts.own.file, name.casefold()
        known = self._by_name.setdefault(place, one)
        if known.citekey != known.block.key and one.citekey == one.block.key:
            self._by_name[place] = one  # Of one entry under several keys, that of the file.

    def find(self, one: OutputEntry, key: str) -> OutputEntry | None:
        """What an entry means by a key."""
        return self._by_name.get((one.parts.own.file, key.casefold()))

    def named_by(self, one: OutputEntry) -> list[OutputEntry]:
        """The entries that it names and that are not there yet, under free keys."""
        new = []
        for key in references_of(one.block):
            if self.find(one, key) is None and (named := self._named(one.parts, key)):
                new += self._adopt(key, *named)
        return new

    def _named(self, parts: SourceBlocks, key: str) -> tuple[str, Block, SourceBlocks] | None:
        """The key, and the entry, that is called so where these parts are of."""
        if other := self._others.get((parts.own.file, key)):
            return other.own.citekey, other.entries[0], other
        called = (
            one for one in parts.entries if key in (one.key.casefold(), *references_of(one, IDS))
        )
        block = next(called, None)
        return (block.key, block, parts) if block else None

    def sets_in(self, parts: SourceBlocks) -> list[OutputEntry]:
        """The sets of biblatex's that an entry is in, of which all members are there."""
        new = []
        for block in parts.entries[1:]:
            members = [(parts.own.file, key) for key in references_of(block)]
            is_new = (parts.own.file, block.key.casefold()) not in self._by_name
            if block.type == "set" and is_new and all(name in self._by_name for name in members):
                new += self._adopt(block.key.casefold(), block.key, block, parts)
        return new

    def _adopt(self, name: str, key: str, block: Block, parts: SourceBlocks) -> list[OutputEntry]:
        citekey, number = key, 1
        said = parts.said(block)
        while (other := self._by_key.get(citekey.casefold())) and (
            other.parts.said(other.block) != said
        ):
            number += 1
            citekey = f"{key}-{number}"
        found = other or OutputEntry(citekey, block, parts)
        self._by_name[parts.own.file, name] = found
        self._by_key[citekey.casefold()] = found
        return [] if other else [found]


def _set_levels(placed: Sequence[OutputEntry], keys: Keys) -> None:
    """Put each entry below all that inherit of it; of those that do so in a circle the first
    stands above the others."""
    parents = {
        id(one): [
            found for key in references_of(one.block, ABOVE) if (found := keys.find(one, key))
        ]
        for one in placed
    }
    heirs = Counter(id(parent) for several in parents.values() for parent in several)
    done: set[int] = set()
    for first in (*(one for one in placed if not heirs[id(one)]), *placed):
        waiting = [first] if id(first) not in done else []
        while waiting:
            one = waiting.pop()
            done.add(id(one))
            for parent in (each for each in parents[id(one)] if id(each) not in done):
                parent.level = max(parent.level, one.level + 1)
                heirs[id(parent)] -= 1
                if not heirs[id(parent)]:
                    waiting.append(parent)


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to be put into a text."""

    text: str
    """With what new entries need, if it is the first of them."""
    at: int
    """Where in the text as it was."""
    own: SourceEntry | None
    """Which one it is; None of one that only another had with it."""
    is_work: bool
    """Whether it is read as a work: options, and fields for other entries, are none."""


def new_entries(
    text: str, file: str, entries: Iterable[SourceEntry], others: Iterable[SourceEntry] = ()
) -> list[NewEntry]:
    """These entries, and those that they name, as they are to stand in a file, in its order.

    What they name is what the file has by that name if they are of it, and one of the ``others`` if
    it is there.
    """
    base = parts_of(SourceEntry("", text, file))
    places: dict[int, int] = {}

    def place(added: Sequence[OutputEntry], keys: Keys) -> int:
        for one in reversed(added):  # Parents come before what inherits of them.
            places[id(one)] = min(_limits(one, keys, places, text), default=len(text))
        return min(places.values(), default=len(text))

    gathering = Bibliography(entries, others, base, place)
    needed = ["\n".join(gathering.definitions), *gathering.preambles]
    above = "".join(f"{one}\n\n" for one in needed if one)
    new: list[NewEntry] = []
    for one in sorted(gathering.added, key=lambda one: places[id(one)]):
        said = above + gathering.text_of(one) if not new else gathering.text_of(one)
        own = one.parts.own if one.block is one.parts.entries[0] else None
        new.append(NewEntry(said, places[id(one)], own, one.block.type not in NOT_A_WORK))
    return new


def _limits(one: OutputEntry, keys: Keys, places: dict[int, int], text: str) -> Iterator[int]:
    """Where each of its parents stands, or is to."""
    for key in references_of(one.block, ABOVE):
        parent = keys.find(one, key)
        if parent is not None and parent.is_there:
            yield _place_above(text, parent)
        elif parent is not None and id(parent) in places:
            yield places[id(parent)]


def _place_above(text: str, entry: OutputEntry) -> int:
    """Where something can be put above an entry of the text: not between it and its comment."""
    ends = entry.parts.ends
    before = bisect_right(ends, entry.block.start)
    floor = ends[before - 1] if before else 0
    gap = text.rfind("\n\n", floor, entry.block.start)
    return entry.block.start if gap < 0 else gap + 2


def with_new(text: str, new: Sequence[NewEntry]) -> str:
    """The text with these entries put in, which get its line ends."""
    line_end = line_end_of(text)
    inside: dict[tuple[int, int], str] = {}
    for one in new:
        if one.at < len(text):
            said = (one.text.strip() + "\n\n").replace("\r\n", "\n").replace("\n", line_end)
            inside[one.at, one.at] = inside.get((one.at, one.at), "") + said
    return with_entries(text, inside, [one.text for one in new if one.at == len(text)])
