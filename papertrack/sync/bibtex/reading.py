"""Reading a .bib file, and finding in it the entries that were seen last time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from papertrack.documents.bibtex import BibEntry, BibLibrary, decode_bib, parse_bibtex
from papertrack.errors import DocumentError
from papertrack.library.files import read_file
from papertrack.records import PaperFacts
from papertrack.store.documents import StoredEntry
from papertrack.sync.bibtex.values import entry_values, fingerprint
from papertrack.sync.items import Item, Rule, match_by, names_of_title
from papertrack.sync.threeway import SCHEMES, Values


@dataclass
class BibItem(Item):
    """An entry of a .bib file; a fingerprint stands for its text."""

    entry: BibEntry

    @cached_property
    def values(self) -> Values:
        return entry_values(self.entry)

    @cached_property
    def facts(self) -> PaperFacts:
        return self.entry.facts

    @property
    def name(self) -> str:
        return self.key


@dataclass(frozen=True, slots=True)
class ReadBib:
    """A .bib file as it was read, and what it holds."""

    path: Path
    data: bytes
    text: str
    encoding: str
    """As ``decode_bib`` names it."""
    bib: BibLibrary


def read_bib(path: Path) -> ReadBib:
    """Read and parse a .bib file.

    Raises NotFoundError, PapertrackError or DocumentError, naming the file, when it is not there,
    cannot be read, or is no .bib file.
    """
    data = read_file(path)
    try:
        text, encoding = decode_bib(data)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from error
    return ReadBib(path, data, text, encoding, parse_bibtex(text, file=str(path)))


def entry_keys(entries: Sequence[BibEntry]) -> list[str]:
    """What tells each entry from the others of its file: its citekey, numbered when repeated."""
    seen: Counter[str] = Counter()
    keys = []
    for entry in entries:
        key = entry.citekey or ""
        seen[key] += 1
        keys.append(key if seen[key] == 1 else f"{key}#{seen[key]}")
    return keys


def items_of(bib: BibLibrary) -> list[BibItem]:
    """The entries of a .bib file."""
    keys = entry_keys(bib.entries)
    return [
        BibItem(number, key, entry.line, (), fingerprint(entry), entry)
        for number, (key, entry) in enumerate(zip(keys, bib.entries, strict=True))
    ]


_RULES: tuple[Rule, ...] = (
    (lambda before: [before.key], lambda item: [item.key]),
    (
        lambda before: [(s, before.base[s]) for s in SCHEMES if s in before.base],
        lambda item: [(i.scheme, i.value) for i in item.identifiers],
    ),
    (
        lambda before: names_of_title(before.base.get("title")),
        lambda item: names_of_title(item.title),
    ),
)


def match_bib_entries(stored: Sequence[StoredEntry], items: Sequence[BibItem]) -> dict[int, int]:
    """Number of an item → position in ``stored`` of what it is: by key, identifier, then title."""
    return match_by(_RULES, stored, items)
