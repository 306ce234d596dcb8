"""Entries of several files → one text of a .bib file, in which each says what it said there.

An entry keeps its own text. A @string that means something else in another of the files gets
another name, and so does an entry that others name; nothing else is changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from papertrack.documents.bibtex.edit import with_key
from papertrack.documents.bibtex.grounds import REFERRING, comment_before, names_of, references_of
from papertrack.documents.bibtex.scan import Block, read_blocks
from papertrack.documents.bibtex.values import unquoted, with_names


@dataclass(frozen=True, slots=True)
class Own:
    """An entry with what it needs, and the file that it is of."""

    citekey: str
    """The key that it is to have; empty for the one it has."""
    text: str
    """Its own, with what it needs: see ``BibEntry.whole``."""
    file: str = ""
    """Entries of one file mean the same by the same names; empty for one that was made anew."""


@dataclass(slots=True)
class _Parts:
    """The blocks of one ``Own``."""

    own: Own
    preambles: list[Block] = field(default_factory=list)
    strings: list[Block] = field(default_factory=list)
    entries: list[Block] = field(default_factory=list)
    """Itself, then those that it names."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Names of @strings in small letters, and what they are called in the text that is made."""

    @property
    def citekey(self) -> str:
        return self.own.citekey or self.entries[0].key


@dataclass(slots=True)
class _Placed:
    """One entry of the text that is made."""

    citekey: str
    block: Block
    parts: _Parts
    level: int = 0
    """How many others name it, one through the other: for BibTeX it stands below them all."""


def gathered(entries: Iterable[Own]) -> str:
    """The entries in the order of their keys, but those that others name below these; what they
    need is above them."""
    several = sorted(map(_parts_of, entries), key=lambda parts: _order_of(parts.citekey))
    definitions = _definitions(several)
    preambles = dict.fromkeys(one.raw for parts in several for one in parts.preambles)
    texts = ["\n".join(definitions)] if definitions else []
    texts += [*preambles, *_entry_texts(several)]
    return "\n\n".join(text.rstrip("\r\n") for text in texts) + "\n" if texts else ""


def _order_of(citekey: str) -> tuple[str, str]:
    return citekey.casefold(), citekey


def _parts_of(own: Own) -> _Parts:
    parts = _Parts(own)
    kinds = {"preamble": parts.preambles, "string": parts.strings, "entry": parts.entries}
    for block in read_blocks(own.text):
        if block.kind in kinds:
            kinds[block.kind].append(block)
    return parts


def _definitions(several: Sequence[_Parts]) -> list[str]:
    """The @strings of all, each once; a name that means something else already gives way."""
    # What nobody defines is a name of the style's own, such as a month, for those who use it.
    styles = {name for parts in several for name in _undefined(parts)}
    meanings: dict[str, str] = {}
    texts: list[str] = []
    for parts in several:
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


def _undefined(parts: _Parts) -> set[str]:
    defined = {string.key.casefold() for string in parts.strings}
    used = {name for block in (*parts.entries, *parts.preambles) for name in names_of(block)}
    return used - defined


def _free_name(name: str, meaning: str, meanings: Mapping[str, str], styles: Iterable[str]) -> str:
    """The name, or it with a number, that means this or nothing yet."""
    new, number = name, 1
    while new.casefold() in styles or meanings.get(new.casefold(), meaning) != meaning:
        number += 1
        new = f"{name}-{number}"
    return new


def _entry_texts(several: Sequence[_Parts]) -> Iterator[str]:
    placed = [_Placed(parts.citekey, parts.entries[0], parts) for parts in several]
    keys = _Keys(placed)
    for one in placed:  # It grows by what its members name.
        placed += keys.named_by(one)
    _set_levels(placed, keys)
    placed.sort(key=lambda one: (one.level, *_order_of(one.citekey)))
    for one in placed:
        yield _text_of(one, keys)


class _Keys:
    """The keys of the entries that others may name."""

    def __init__(self, placed: Sequence[_Placed]) -> None:
        self._by_name: dict[tuple[str, str], _Placed] = {}
        self._by_key = {one.citekey.casefold(): one for one in placed}
        for one in placed:
            name = one.parts.own.file, one.block.key.casefold()
            known = self._by_name.setdefault(name, one)
            if known.citekey != known.block.key and one.citekey == one.block.key:
                self._by_name[name] = one  # Of one entry under several keys, that of the file.

    def find(self, one: _Placed, key: str) -> _Placed | None:
        """What an entry means by a key."""
        return self._by_name.get((one.parts.own.file, key.casefold()))

    def named_by(self, one: _Placed) -> list[_Placed]:
        """The entries that it names and that are not there yet, under free keys."""
        new = []
        for key in references_of(one.block):
            block = next((b for b in one.parts.entries if b.key.casefold() == key), None)
            if block is not None and self.find(one, key) is None:
                new += self._adopt(block, one.parts)
        return new

    def _adopt(self, block: Block, parts: _Parts) -> list[_Placed]:
        citekey, number = block.key, 1
        while (other := self._by_key.get(citekey.casefold())) and other.block.raw != block.raw:
            number += 1
            citekey = f"{block.key}-{number}"
        found = other or _Placed(citekey, block, parts)
        self._by_name[parts.own.file, block.key.casefold()] = found
        self._by_key[citekey.casefold()] = found
        return [] if other else [found]


def _set_levels(placed: Sequence[_Placed], keys: _Keys) -> None:
    """Put each entry below all that name it; of those that name each other in a circle none is."""
    waiting = [(one, frozenset({id(one)})) for one in placed]
    while waiting:
        one, above = waiting.pop()
        for key in references_of(one.block):
            named = keys.find(one, key)
            if named is not None and id(named) not in above and named.level <= one.level:
                named.level = one.level + 1
                waiting.append((named, above | {id(named)}))


def _text_of(one: _Placed, keys: _Keys) -> str:
    """The entry's own text, with the names that it and what it needs have got."""
    text = one.block.raw
    for part in reversed(one.block.fields):
        value = part.value
        if one.parts.renamed and not part.is_plain:
            value = with_names(value, one.parts.renamed)
        if part.name.casefold() in REFERRING:
            value = _with_new_keys(value, one, keys)
        if value != part.value:
            start = part.value_start - one.block.start
            text = text[:start] + value + text[start + len(part.value) :]
    text = text if one.citekey == one.block.key else with_key(text, one.citekey)
    return comment_before(one.parts.own.text, one.block) + text


def _with_new_keys(value: str, one: _Placed, keys: _Keys) -> str:
    named = [key.strip() for key in unquoted(value, {}).split(",")]
    new = [found.citekey if (found := keys.find(one, key)) else key for key in named]
    if [key.casefold() for key in new] == [key.casefold() for key in named]:
        return value
    return "{" + ",".join(new) + "}"
