"""Read a .bib file into items, with the values that sync compares.

Entries and papers have the same values, plain JSON. They are stored with each entry, as the base of
the next merge. Unknown values are missing. Abstracts, notes and links are not compared: only the
first import of an entry reads them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from papertrack.documents.bibtex.facts import BibEntry, BibLibrary
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.encoding import decode_bib, decode_named
from papertrack.errors import PapertrackError
from papertrack.library.files import read_file
from papertrack.records import Paper, PaperFacts
from papertrack.store.documents import StoredEntry
from papertrack.sync.items import Category, Item, Rule, names_of_title
from papertrack.sync.threeway import PUBLICATION, SCHEMES, Fields, Values
from papertrack.text import numbered

SETS = ("tags", "categories")
"""Fields with several values. Like all of ``READING``, they are imported and never exported: others
compile the file, and it is no place for the user's own marks."""
READING = ("passes", "rating", *SETS)
PUBLISHED = ("venue", "year", "type")
"""Fields in which the entries of a preprint and of its published version differ."""
FIELDS = Fields(sets=SETS, incoming=READING, along=(("type", "venue"),), stands_for_text=True)
SOURCE = "bibtex"
"""The source recorded for fields from .bib files."""


def fingerprint(entry: BibEntry) -> str:
    """Return a digest of the entry's text and of what it uses from @strings and parents.

    It changes when one of them is edited.
    """
    text = entry.raw + "".join(f"\n{name}={value}" for name, value in entry.borrowed)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def values_of(source: BibEntry | Paper) -> Values:
    """Return the values of an entry, or of a paper for the fields that entries have."""
    facts = source.facts
    values: Values = {
        "title": facts.title,
        "authors": [author.name for author in facts.authors],
        "venue": facts.venue,
        "year": facts.year,
        "type": facts.published_type,
        "primary_category": facts.primary_category,
        "citekey": source.citekey,
        "passes": source.passes_done or None,
        "rating": source.rating,
        "tags": list(source.tags),
        "categories": list(map(list, source.categories)),
    }
    for identifier in facts.identifiers:
        if identifier.scheme in SCHEMES:
            values.setdefault(identifier.scheme, identifier.value)
    for name, text in facts.publication:
        values.setdefault(PUBLICATION + name, text)
    return {name: value for name, value in values.items() if value or value == 0}


Sources = tuple[str, str, str | None, tuple[tuple[str, ...], ...]]
"""What an entry's values depend on: key, fingerprint, address unless it is shared, and groups."""


def sources_of(before: StoredEntry) -> Sources:
    """Return what the values of a stored entry depended on."""
    categories = tuple(map(tuple, before.base.get("categories", ())))
    return before.key, before.text, before.base.get("url"), categories


@dataclass
class BibItem(Item):
    """An entry of a .bib file, whose ``text`` is a fingerprint."""

    entry: BibEntry
    known: Mapping[Sources, Values]
    """The values of entries when last stored, by what they depend on."""

    @cached_property
    def values(self) -> Values:
        address = None if self.entry.is_address_shared else self.entry.address
        sources = self.key, self.text, address, self.entry.categories
        return self.known.get(sources) or values_of(self.entry)

    @cached_property
    def facts(self) -> PaperFacts:
        return self.entry.facts

    @property
    def categories(self) -> Sequence[Category]:
        return self.entry.categories

    @property
    def name(self) -> str:
        return self.key

    @property
    def words(self) -> str:
        return self.entry.raw


@dataclass(frozen=True, slots=True)
class ReadBib:
    """A .bib file as read, and its parsed content."""

    path: Path
    data: bytes
    text: str
    encoding: str
    """As ``decode_bib`` names it."""
    bib: BibLibrary
    elsewhere: Sequence[Path] = ()
    """Files of its bibliography in other folders."""

    def parse(self, text: str) -> BibLibrary:
        """Parse another text of the file. Raises DocumentError for conflict markers."""
        others = _texts_beside(self.path, self.elsewhere)
        return parse_bibtex(text, file=str(self.path), others=others)


def _texts_beside(path: Path, elsewhere: Sequence[Path]) -> Iterator[str]:
    """Yield the texts of the other .bib files in its folder, and of those ``elsewhere``."""
    for other in dict.fromkeys((*sorted(path.parent.glob("*.bib")), *elsewhere)):
        try:
            if not other.is_symlink() and other != path:
                yield decode_bib(read_file(other))[0]
        except PapertrackError:
            continue  # An unreadable file defines nothing.


def read_bib(path: Path, data: bytes | None = None, elsewhere: Sequence[Path] = ()) -> ReadBib:
    """Read and parse a .bib file, or ``data`` as its content.

    @strings and parents that it lacks may be in the other files of its folder or ``elsewhere``.
    Raises NotFoundError, PapertrackError or DocumentError, which name the file, if it is missing,
    cannot be read, or is no .bib file.
    """
    data = read_file(path) if data is None else data
    text, encoding = decode_named(data, str(path), is_bib=True)
    bib = parse_bibtex(text, file=str(path), others=_texts_beside(path, elsewhere))
    return ReadBib(path, data, text, encoding, bib, elsewhere)


def items_of(bib: BibLibrary, known: Mapping[Sources, Values]) -> list[BibItem]:
    """Return the items of a .bib file; a key that several entries have is numbered."""
    keys = numbered(entry.citekey or "" for entry in bib.entries)
    return [
        BibItem(number, key, entry.line, (), fingerprint(entry), entry, known)
        for number, (key, entry) in enumerate(zip(keys, bib.entries, strict=True))
    ]


RULES: tuple[Rule, ...] = (
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
"""The names by which an item matches a stored entry, strongest first."""
