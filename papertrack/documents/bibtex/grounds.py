"""Find what a .bib entry depends on: @strings, @preambles and other entries."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from papertrack.documents.bibtex.blocks import Block, Field, read_blocks, replaced
from papertrack.documents.bibtex.names import delimited_as, names_in, unquoted
from papertrack.latex.encode import has_balanced_braces

REFERRING = frozenset({"crossref", "xref", "xdata", "related", "entryset"})
"""Fields that name other entries, which BibTeX or biber reads with the entry."""
XDATA_PART = re.compile(
    r"\bxdata\s*=\s*(\{)?([^\s,{}\"=]+)-([a-z]+)(?:-([0-9]+))?(?![\w-])(?(1)\})", re.IGNORECASE
)
"""A reference, in the value of any field, to a field of another entry.

It may also point to one name or place in that field. Group 2 is the key; the field and the number
follow.
"""
_GROUPED_KEY = re.compile(r"(?<=\\;)[^\\;]+(?=\\;)")
IDS = frozenset({"ids"})
"""The biblatex field that lists an entry's other keys."""
ABOVE = frozenset({"crossref"})
"""Referring fields whose target BibTeX finds only further down."""
_COMMAND = re.compile(r"\\[A-Za-z@]+")
_TAKING_IN = frozenset({"\\input", "\\include", "\\InputIfFileExists", "\\@input", "\\usepackage"})
"""Commands that load a file. What the file defines is unknown."""
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
"""TeX that runs programs, writes files, or hides that it does."""
MOST = 50
"""The most entries, and nested @strings, that one entry brings along.

Without this limit, each entry of a ring of thousands would be stored with all others.
"""
MAX_STRING = 5000
"""The most characters of an expanded @string: a few lines can double it to gigabytes."""
_MOST_TEXT = 100_000
"""The most characters of other entries that one entry brings along."""


class Whole(NamedTuple):
    """An entry with the blocks it needs."""

    text: str
    is_all: bool = True
    """Whether all entries that it names are included."""


class _Definition(NamedTuple):
    """A @string, and the @strings in its value."""

    block: Block
    needs: tuple[_Definition, ...]
    size: int
    """How many @strings it needs, directly or through others, itself included."""

    @classmethod
    def of(cls, block: Block, needs: Sequence[_Definition]) -> _Definition:
        """Return the definition of a @string, spelled out if it needs too many others."""
        made = cls(block, tuple(needs), 1 + sum(definition.size for definition in needs))
        if made.size <= MOST or not has_balanced_braces(value := made.value()):
            return made
        text = f"{{{value}}}"
        return cls(block._replace(raw=f"@string{{{block.key} = {text}}}", text=text), (), 1)

    def value(self) -> str:
        """Return the resolved value."""
        return unquoted(self.block.text, {n.block.key.casefold(): n.value() for n in self.needs})


def references_of(block: Block, names: Collection[str] = REFERRING) -> list[str]:
    """Return the keys, in lower case, that an entry names in fields of these names.

    ``xdata`` includes entries of which it names single fields.
    """
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
    """Return the text with keys replaced in references to other entries.

    They stand in fields, and in the groups of JabRef before 3.8. ``renamed`` maps old keys in lower
    case to new ones.
    """
    changes: list[tuple[int, int, str]] = []
    for block in read_blocks(text) if renamed else ():
        changes += (
            (one.value_start, one.end, _with_new_keys(one, renamed)) for one in block.fields
        )
        is_tree = block.kind == "comment" and "ExplicitGroup:" in block.raw
        for key in _GROUPED_KEY.finditer(text, block.start, block.end) if is_tree else ():
            changes.append((*key.span(), renamed.get(key[0].casefold(), key[0])))
    return replaced(text, changes)


def _with_new_keys(field: Field, renamed: Mapping[str, str]) -> str:
    parts = XDATA_PART.finditer(field.value)
    keys = [(*part.span(2), renamed.get(part[2].casefold(), part[2])) for part in parts]
    value = replaced(field.value, keys)
    if field.name.casefold() not in REFERRING:
        return value
    named = [key.strip() for key in unquoted(value, {}).split(",")]
    new = [renamed.get(key.casefold(), key) for key in named]
    if [key.casefold() for key in new] == [key.casefold() for key in named]:
        return value
    return delimited_as(",".join(new), value)


def comment_before(text: str, entry: Block) -> str:
    """Return ``%`` if a comment sign precedes the entry on its line, else "".

    BibTeX reads such an entry; biber does not.
    """
    return "%" if "%" in text[text.rfind("\n", 0, entry.start) + 1 : entry.start] else ""


def entry_of_whole(text: str) -> Block:
    """Return the main entry of a ``Whole`` text; the entries that it names come below. Raises
    LookupError for a text without an entry, which papertrack does not write."""
    for block in read_blocks(text):
        if block.kind == "entry":
            return block
    raise LookupError(f"no entry in {text[:40]!r}")


class Grounds:
    """The blocks of a file, indexed by what needs them."""

    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        self._text = text
        self._by_key: dict[str, Block] = {}
        self._repeated: dict[str, list[Block]] = {}
        """The key of an entry → further entries of this key."""
        self._sets: dict[str, list[Block]] = {}
        """The key of an entry → the sets that contain it."""
        strings: dict[str, str] = {}
        safe, self.unsafe = list[Block](), list[Block]()
        """@preambles that may not be copied with the entries."""
        # With the @strings as they are above each: they may be defined anew below.
        for block in blocks:
            tex = unquoted(block.text, strings) if block.kind in ("string", "preamble") else ""
            if block.kind == "string":
                strings[block.key.casefold()] = tex[:_MOST_TEXT]
            elif block.kind == "preamble":
                # What was cut off a long @string may be unsafe.
                (self.unsafe if len(tex) >= _MOST_TEXT or is_unsafe(tex) else safe).append(block)
        self._preambles = [(block, {*_COMMAND.findall(block.raw)}) for block in safe[-MOST:]]
        self.undefined: set[str] = set()
        """@string names in lower case that are used but not defined above."""
        self._needs: dict[int, tuple[_Definition, ...]] = {}
        """The start of a block → its @strings. As in BibTeX, the last definition above counts."""
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
                if self._by_key.setdefault(block.key.casefold(), block) is not block:
                    self._repeated.setdefault(block.key, []).append(block)
                members = references_of(block) if block.type == "set" else ()
                for key in members if len(members) <= MOST else ():
                    self._sets.setdefault(key, []).append(block)
        for block in [*self._by_key.values()]:
            for key in references_of(block, IDS):
                self._by_key.setdefault(key, block)

    def find(self, key: str) -> Block | None:
        """Return the first entry with this key in lower case, or else one that lists it."""
        return self._by_key.get(key)

    def whole(self, entry: Block) -> Whole:
        """Return the entry as a file of its own with the same meaning.

        What it needs stands above it. The entries that it names, and the sets that contain it,
        stand below.
        """
        sets = [each for each in self._sets.get(entry.key.casefold(), ()) if each is not entry]
        entries, is_all = self._with_named(entry, *self._seen_by_biber(entry), *sets)
        preambles = self._preambles_of([*entries, *self._strings_of(entries)])
        strings = self._strings_of([*preambles, *entries])
        above = "\n".join(block.raw for block in strings)
        own = (comment_before(self._text, block) + block.raw for block in entries)
        texts = (above, *(block.raw for block in preambles), *own)
        return Whole("\n\n".join(filter(None, texts)), is_all)

    def _seen_by_biber(self, entry: Block) -> list[Block]:
        """Return the entry that biber reads instead of one behind a comment sign, if any."""
        same = self._repeated.get(entry.key, ()) if comment_before(self._text, entry) else ()
        later = (block for block in same if block.start > entry.start)
        return [block for block in later if not comment_before(self._text, block)][:1]

    def _with_named(self, *entries: Block) -> tuple[list[Block], bool]:
        """Return the entries with those they name, breadth first, and whether that is all."""
        included = {entry.start: entry for entry in entries}
        room = _MOST_TEXT
        for block in (waiting := [*entries]):
            for key in references_of(block):
                named = self._by_key.get(key)
                if named is None or named.start in included:
                    continue
                room -= len(named.raw)
                if len(included) >= MOST or room < 0:
                    return waiting, False
                included[named.start] = named
                waiting.append(named)
        return waiting, True

    def _strings_of(self, blocks: Iterable[Block]) -> list[Block]:
        """Return the @strings that the blocks need, in the order of the file."""
        strings: dict[int, Block] = {}
        waiting = [need for block in blocks for need in self._needs.get(block.start, ())]
        while waiting:
            definition = waiting.pop()
            if definition.block.start not in strings:
                strings[definition.block.start] = definition.block
                waiting += definition.needs
        return [block for _, block in sorted(strings.items())]

    def _preambles_of(self, blocks: Iterable[Block]) -> list[Block]:
        """Return the last ``MOST`` @preambles that share a command with the blocks.

        If a command of the blocks is in no @preamble, those that load files are included: they may
        define it.
        """
        if not self._preambles:
            return []
        used = {command for block in blocks for command in _COMMAND.findall(block.raw)}
        is_known = used <= set().union(*(commands for _, commands in self._preambles))
        wanted = used if is_known else used | _TAKING_IN
        return [block for block, commands in self._preambles if commands & wanted]


def meanings_of(blocks: Iterable[Block]) -> dict[str, str]:
    """Return @string name in lower case → value, each cut at MAX_STRING."""
    meanings: dict[str, str] = {}
    for block in blocks:
        if block.kind == "string":
            meanings[block.key.casefold()] = unquoted(block.text, meanings)[:MAX_STRING]
    return meanings


def is_unsafe(preamble: str) -> bool:
    """Return whether a @preamble does more than define how entries look.

    An unsafe one stays in its file and is never written elsewhere.
    """
    return _UNSAFE.search(preamble) is not None


def names_of(block: Block) -> Iterator[str]:
    """Yield the @string names that a block uses."""
    if block.kind == "entry":
        for field in block.fields:
            yield from names_in(field.value)
    elif block.kind in ("string", "preamble"):
        yield from names_in(block.text)
