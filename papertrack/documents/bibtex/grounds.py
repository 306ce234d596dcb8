"""What an entry of a .bib file stands on: the @strings, @preambles and other entries it needs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from papertrack.documents.bibtex.blocks import Block, Field, read_blocks
from papertrack.documents.bibtex.names import delimited_as, names_in, unquoted
from papertrack.latex.encode import has_balanced_braces

REFERRING = frozenset({"crossref", "xref", "xdata", "related", "entryset"})
"""Fields that name other entries which BibTeX or biber reads with the entry."""
XDATA_PART = re.compile(
    r"\bxdata\s*=\s*(\{)?([^\s,{}\"]+)-([a-z]+)(?:-([0-9]+))?(?![\w-])(?(1)\})", re.IGNORECASE
)
"""A field of another entry, or one of the names or places in it, in the value of any field: its
second group is the key, then the field and the number."""
IDS = frozenset({"ids"})
"""The field of biblatex in which an entry tells its other keys."""
ABOVE = frozenset({"crossref"})
"""Those of them by which BibTeX finds only what is further down."""
_COMMAND = re.compile(r"\\[A-Za-z@]+")
_TAKING_IN = frozenset({"\\input", "\\include", "\\InputIfFileExists", "\\@input", "\\usepackage"})
"""Commands for a file of which the commands that it defines are not known."""
_RUNNING = "|".join(
    "write immediate openout openin closeout newwrite read readline special directlua latelua "
    "luadirect luaexec ShellEscape DelayedShellEscape catcode lccode uccode lowercase uppercase "
    "scantokens scantextokens @nameuse ExplSyntaxOn".split()
)
_UNSAFE = re.compile(
    rf"\\(?:csname\s*)?(?:{_RUNNING})(?![A-Za-z])|\^\^|shellesc"
    r"|\\csname(?!\s*[A-Za-z@]+\s*\\endcsname)"
    r"|\\@{0,2}input\s*\"?\||\{\s*\"?\||filecontents|VerbatimOut"
)
"""What runs programs, writes files, or hides that it does."""
MOST = 50
"""So many entries, and @strings of one another, an entry takes along. With more of them each entry
of a ring of thousands would be kept with all others."""
_MOST_TEXT = 100_000
"""So many characters of other entries, likewise."""


class Whole(NamedTuple):
    """An entry with what it needs."""

    text: str
    is_all: bool = True
    """Whether it names no more entries than it takes along."""


class _Definition(NamedTuple):
    """A @string, and the others that its value was made of."""

    block: Block
    needs: tuple[_Definition, ...]
    size: int
    """How many it stands for: itself and, one after the other, those that it needs."""

    @classmethod
    def of(cls, block: Block, needs: Sequence[_Definition]) -> _Definition:
        """The definition of a @string: as it stands there, or spelled out if that needs many."""
        made = cls(block, tuple(needs), 1 + sum(one.size for one in needs))
        if made.size <= MOST or not has_balanced_braces(value := made.value()):
            return made
        text = f"{{{value}}}"
        return cls(block._replace(raw=f"@string{{{block.key} = {text}}}", text=text), (), 1)

    def value(self) -> str:
        """What it stands for."""
        return unquoted(self.block.text, {n.block.key.casefold(): n.value() for n in self.needs})


def references_of(block: Block, names: Collection[str] = REFERRING) -> list[str]:
    """The keys of the entries that an entry names in fields of these names, in small letters;
    with ``xdata`` those, too, of which it names single fields."""
    has_parts = "xdata" in names and "xdata" in block.raw.casefold()
    parts = [
        match[2].casefold()
        for field in (block.fields if has_parts else ())
        for match in XDATA_PART.finditer(field.value)
    ]
    return parts + [
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
        if (value := _with_new_keys(field, renamed)) != field.value
    ]
    for field, value in reversed(changed):
        text = text[: field.value_start] + value + text[field.end :]
    return text


def _with_new_keys(field: Field, renamed: Mapping[str, str]) -> str:
    value = field.value
    for part in reversed(list(XDATA_PART.finditer(value))):
        key = renamed.get(part[2].casefold(), part[2])
        value = value[: part.start(2)] + key + value[part.end(2) :]
    if field.name.casefold() not in REFERRING:
        return value
    named = [key.strip() for key in unquoted(value, {}).split(",")]
    new = [renamed.get(key.casefold(), key) for key in named]
    if [key.casefold() for key in new] == [key.casefold() for key in named]:
        return value
    return delimited_as(",".join(new), value)


def comment_before(text: str, entry: Block) -> str:
    """``%`` where one stands before the entry on its line: BibTeX reads it, biber does not."""
    return "%" if "%" in text[text.rfind("\n", 0, entry.start) + 1 : entry.start] else ""


def entry_of_whole(text: str) -> Block:
    """The entry that such a text is of: what it names stands below it."""
    return next(block for block in read_blocks(text) if block.kind == "entry")


class Grounds:
    """The blocks of a file, by what needs them."""

    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        self._text = text
        self._by_key: dict[str, Block] = {}
        self._sets: dict[str, list[Block]] = {}
        """By the key of an entry the sets that it is in."""
        self._hidden: dict[str, list[Block]] = {}
        """Entries by their key, if the first with it stands behind a comment sign."""
        safe, self.unsafe = _safe_and_unsafe(blocks)
        """@preambles that go elsewhere with the entries, and those that do not."""
        self._preambles = _Preambles(safe)
        self.undefined: set[str] = set()
        """Names in small letters that are in a block and that no @string above defines."""
        self._needs: dict[int, tuple[_Definition, ...]] = {}
        """By the start of a block the @strings in it: as BibTeX reads them, the last ones above."""
        defined: dict[str, _Definition] = {}
        for block in blocks:
            names = dict.fromkeys(names_of(block))
            needs = tuple(defined[name] for name in names if name in defined)
            self.undefined.update(names.keys() - defined.keys())
            if block.kind == "string":
                defined[block.key.casefold()] = _Definition.of(block, needs)
            elif needs:
                self._needs[block.start] = needs
            if block.kind == "entry":
                first = self._by_key.setdefault(block.key.casefold(), block)
                if first is not block and comment_before(text, first):
                    self._hidden.setdefault(block.key, []).append(block)
                members = references_of(block) if block.type == "set" else ()
                for key in members if len(members) <= MOST else ():
                    self._sets.setdefault(key, []).append(block)
        for block in [*self._by_key.values()]:
            for key in references_of(block, IDS):
                self._by_key.setdefault(key, block)

    def whole(self, entry: Block) -> Whole:
        """The entry as a file of its own, which says the same as the entry does where it stands:
        what it needs is above it, and below it the entries that it names, and the sets that it is
        in."""
        sets = [one for one in self._sets.get(entry.key.casefold(), ()) if one is not entry]
        entries, is_all = self._with_named(entry, *self._seen_by_biber(entry), *sets)
        preambles = self._preambles.of([*entries, *self._strings_of(entries)])
        strings = self._strings_of([*preambles, *entries])
        above = "\n".join(block.raw for block in strings)
        own = (comment_before(self._text, block) + block.raw for block in entries)
        texts = (above, *(block.raw for block in preambles), *own)
        return Whole("\n\n".join(filter(None, texts)), is_all)

    def _seen_by_biber(self, entry: Block) -> list[Block]:
        """Of an entry behind a comment sign the one that biber finds instead, if there is one."""
        if not comment_before(self._text, entry):
            return []
        same = (one for one in self._hidden.get(entry.key, ()) if one.start > entry.start)
        return [one for one in same if not comment_before(self._text, one)][:1]

    def _with_named(self, *entries: Block) -> tuple[list[Block], bool]:
        """The entries, and what they name, what is named before what that names itself; and whether
        that is all."""
        found = {entry.start: entry for entry in entries}
        room = _MOST_TEXT
        for block in (waiting := [*entries]):
            for key in references_of(block):
                named = self._by_key.get(key)
                if named is None or named.start in found:
                    continue
                room -= len(named.raw)
                if len(found) >= MOST or room < 0:
                    return waiting, False
                found[named.start] = named
                waiting.append(named)
        return waiting, True

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


class _Preambles:
    """The @preambles of a file, by the commands in them."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._by_command: dict[str, list[int]] = {}
        for number, block in enumerate(blocks):
            for command in {*_COMMAND.findall(block.raw)}:
                self._by_command.setdefault(command, []).append(number)
        self._taking_in = [n for one in _TAKING_IN for n in self._by_command.get(one, ())]

    def of(self, blocks: Iterable[Block]) -> list[Block]:
        """Those with a command in them that the blocks have, too; and where these have others,
        those that take files in, in which they may be defined."""
        used = {command for block in blocks for command in _COMMAND.findall(block.raw)}
        found = {n for command in used for n in self._by_command.get(command, ())[-MOST:]}
        if not used <= self._by_command.keys():
            found.update(self._taking_in[-MOST:])
        return [self._blocks[number] for number in sorted(found)]


def _safe_and_unsafe(blocks: Iterable[Block]) -> tuple[list[Block], list[Block]]:
    """Part the @preambles by what they say when BibTeX has joined their pieces."""
    meanings: dict[str, str] = {}
    parted: tuple[list[Block], list[Block]] = [], []
    for block in blocks:
        if block.kind == "string":
            meanings[block.key.casefold()] = unquoted(block.text, meanings)[:_MOST_TEXT]
        elif block.kind == "preamble":
            parted[is_unsafe(unquoted(block.text, meanings))].append(block)
    return parted


def is_unsafe(preamble: str) -> bool:
    """Whether the TeX of a @preamble does more than to define how entries look: it stays where it
    stands, and is not written elsewhere."""
    return _UNSAFE.search(preamble) is not None


def names_of(block: Block) -> Iterator[str]:
    """The names of @strings that are in a block."""
    if block.kind == "entry":
        for field in block.fields:
            yield from names_in(field.value)
    elif block.kind in ("string", "preamble"):
        yield from names_in(block.text)
