"""What an entry of a .bib file stands on: the @strings, @preambles and other entries it needs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from papertrack.documents.bibtex.scan import Block, read_blocks
from papertrack.documents.bibtex.values import names_in, unquoted

REFERRING = frozenset({"crossref", "xref", "xdata", "related", "entryset"})
"""Fields that name other entries which BibTeX or biber reads with the entry."""
ABOVE = frozenset({"crossref"})
"""Those of them by which BibTeX finds only what stands further down."""
_FIRST_KEY = re.compile(
    r"@(?!comment|preamble|string)\w+\{\s*+([^\s{}(),=\"@\\]++)\s*+,", re.IGNORECASE
)
_COMMAND = re.compile(r"\\[A-Za-z@]+")


class _Definition(NamedTuple):
    """A @string, and the others that its value was made of."""

    block: Block
    needs: tuple[_Definition, ...]


def references_of(block: Block, names: Collection[str] = REFERRING) -> list[str]:
    """The keys of the entries that an entry names in fields of these names, in small letters."""
    return [
        key
        for field in block.fields
        if field.name.casefold() in names
        for key in map(str.strip, unquoted(field.value, {}).casefold().split(","))
        if key
    ]


def with_references(text: str, renamed: Mapping[str, str]) -> str:
    """The text of a file, or of an entry, in which entries name others by new keys: by the old ones
    in small letters."""
    changed = [
        (field, value)
        for block in (read_blocks(text) if renamed else ())
        for field in block.fields
        if field.name.casefold() in REFERRING
        and (value := _with_new_keys(field.value, renamed)) != field.value
    ]
    for field, value in reversed(changed):
        text = text[: field.value_start] + value + text[field.end :]
    return text


def _with_new_keys(value: str, renamed: Mapping[str, str]) -> str:
    named = [key.strip() for key in unquoted(value, {}).split(",")]
    new = [renamed.get(key.casefold(), key) for key in named]
    if [key.casefold() for key in new] == [key.casefold() for key in named]:
        return value
    is_quoted = value[:1] == '"' and '"' not in "".join(new)
    return f'"{",".join(new)}"' if is_quoted else "{" + ",".join(new) + "}"


def comment_before(text: str, entry: Block) -> str:
    """``%`` where one stands before the entry on its line: BibTeX reads it, biber does not."""
    return "%" if "%" in text[text.rfind("\n", 0, entry.start) + 1 : entry.start] else ""


def entry_of_whole(text: str) -> Block:
    """The entry that such a text is of: what it names stands below it."""
    return next(block for block in read_blocks(text) if block.kind == "entry")


def key_of_whole(text: str) -> str:
    """The key of that entry, which most begin with."""
    first = _FIRST_KEY.match(text)
    return first[1] if first else entry_of_whole(text).key


class Grounds:
    """The blocks of a file, by what needs them."""

    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        self._text = text
        self._by_key: dict[str, Block] = {}
        self._sets: dict[str, list[Block]] = {}
        """By the key of an entry the sets that it is in."""
        self._hidden: dict[str, list[Block]] = {}
        """Entries by their key, if the first with it stands behind a comment sign."""
        self._preambles = [block for block in blocks if block.kind == "preamble"]
        self._needs: dict[int, tuple[_Definition, ...]] = {}
        """By the start of a block the @strings in it: as BibTeX reads them, the last ones above."""
        defined: dict[str, _Definition] = {}
        for block in blocks:
            needs = tuple(defined[name] for name in names_of(block) if name in defined)
            if block.kind == "string":
                defined[block.key.casefold()] = _Definition(block, needs)
            elif needs:
                self._needs[block.start] = needs
            if block.kind == "entry":
                first = self._by_key.setdefault(block.key.casefold(), block)
                if first is not block and comment_before(text, first):
                    self._hidden.setdefault(block.key, []).append(block)
                for key in references_of(block) if block.type == "set" else ():
                    self._sets.setdefault(key, []).append(block)

    def whole(self, entry: Block) -> str:
        """The entry as a file of its own, which says the same as the entry does where it stands:
        what it needs is above it, and below it the entries that it names, and the sets that it is
        in."""
        sets = [one for one in self._sets.get(entry.key.casefold(), ()) if one is not entry]
        is_alone = entry.start not in self._needs and not references_of(entry)
        if is_alone and not (sets or self._preambles or comment_before(self._text, entry)):
            return entry.raw  # Most entries: they need nothing.
        entries = list(self._with_named(entry, *self._seen_by_biber(entry), *sets))
        preambles = self._preambles_of(entries) if self._preambles else []
        strings = self._strings_of([*preambles, *entries])
        above = "\n".join(block.raw for block in strings)
        own = (comment_before(self._text, block) + block.raw for block in entries)
        texts = (above, *(block.raw for block in preambles), *own)
        return "\n\n".join(filter(None, texts))

    def _seen_by_biber(self, entry: Block) -> list[Block]:
        """Of an entry behind a comment sign the one that biber finds instead, if there is one."""
        if not comment_before(self._text, entry):
            return []
        same = (one for one in self._hidden.get(entry.key, ()) if one.start > entry.start)
        return [one for one in same if not comment_before(self._text, one)][:1]

    def _with_named(self, *entries: Block) -> Iterator[Block]:
        """The entries, and all that they name, what is named before what that names itself."""
        seen = {entry.start for entry in entries}
        waiting = [*entries]
        for block in waiting:
            yield block
            for key in references_of(block):
                named = self._by_key.get(key)
                if named is not None and named.start not in seen:
                    seen.add(named.start)
                    waiting.append(named)

    def _preambles_of(self, entries: Iterable[Block]) -> list[Block]:
        """Those with a command in them that the entries have, too."""
        strings = self._strings_of(entries)
        used = {
            command for block in (*entries, *strings) for command in _COMMAND.findall(block.raw)
        }
        return [one for one in self._preambles if not used.isdisjoint(_COMMAND.findall(one.raw))]

    def _strings_of(self, blocks: Iterable[Block]) -> list[Block]:
        """The @strings that the blocks need, in the order of the file."""
        found: dict[int, Block] = {}
        waiting = [one for block in blocks for one in self._needs.get(block.start, ())]
        while waiting:
            definition = waiting.pop()
            if definition.block.start not in found:
                found[definition.block.start] = definition.block
                waiting += definition.needs
        return [block for _, block in sorted(found.items())]


def names_of(block: Block) -> Iterator[str]:
    """The names of @strings that stand in a block."""
    if block.kind == "entry":
        for field in block.fields:
            if not field.is_plain:
                yield from names_in(field.value)
    elif block.kind in ("string", "preamble"):
        yield from names_in(block.text)
