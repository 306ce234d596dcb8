"""Reading a .bib file: what its entries say, and which of them are those of last time.

What an entry and the library's paper say of each other are values in the same words, plain JSON:
they are stored with each entry, as what both sides said when last in step. A value that is not
known is missing. Abstracts, notes and links are not among them: they only come in, with the
entry's first import.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from papertrack.documents.bibtex.facts import BibEntry, BibLibrary
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.encoding import decode_bib
from papertrack.errors import DocumentError, PapertrackError
from papertrack.library.files import read_file
from papertrack.records import Paper, PaperFacts
from papertrack.store.documents import StoredEntry
from papertrack.sync.items import Item, Rule, names_of_title
from papertrack.sync.threeway import PUBLICATION, SCHEMES, Fields, Values
from papertrack.text import numbered

SETS = ("tags", "categories")
"""Values that are sets. They and the next ones only come in: a file that others compile is not
where the reader's own marks are published."""
READING = ("passes", "rating", *SETS)
PUBLISHED = ("venue", "year", "type")
"""How a work was published: a preprint's entry and the published version's differ in them."""
FIELDS = Fields(sets=SETS, incoming=READING, along=(("type", "venue"),), stands_for_text=True)
SOURCE = "bibtex"
"""The source of fields that a .bib file gave."""


def entry_values(entry: BibEntry) -> Values:
    """What the entry says; its own key is the ``citekey``."""
    return _values(entry, entry.passes)


def paper_values(paper: Paper) -> Values:
    """What the library says, as far as ``entry_values`` could say it."""
    return _values(paper, paper.passes_done)


def fingerprint(entry: BibEntry) -> str:
    """Stands for the entry's text, and for what it takes from @strings and parents.

    Another one means that the entry was edited, or one of those.
    """
    text = entry.raw + "".join(f"\n{name}={value}" for name, value in entry.borrowed)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _values(source: BibEntry | Paper, passes: int | None) -> Values:
    facts = source.facts
    values: Values = {
        "title": facts.title,
        "authors": [author.name for author in facts.authors],
        "venue": facts.venue,
        "year": facts.year,
        "type": facts.published_type,
        "primary_category": facts.primary_category,
        "citekey": source.citekey,
        "passes": passes or None,
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
"""What the values of an entry come from: its key and text, and what else in its file decides on
them, which is whether its address is its own, and the tree of groups."""


def sources_of(before: StoredEntry) -> Sources:
    """Return what the values of last time came from."""
    categories = tuple(map(tuple, before.base.get("categories", ())))
    return before.key, before.text, before.base.get("url"), categories


@dataclass
class BibItem(Item):
    """An entry of a .bib file; a fingerprint stands for its text."""

    entry: BibEntry
    known: Mapping[Sources, Values]
    """What entries with the same sources said last time."""

    @cached_property
    def values(self) -> Values:
        address = None if self.entry.is_address_shared else self.entry.address
        sources = self.key, self.text, address, self.entry.categories
        return self.known.get(sources) or entry_values(self.entry)

    @cached_property
    def facts(self) -> PaperFacts:
        return self.entry.facts

    @property
    def name(self) -> str:
        return self.key

    @property
    def words(self) -> str:
        return self.entry.raw


@dataclass(frozen=True, slots=True)
class ReadBib:
    """A .bib file as it was read, and what it holds."""

    path: Path
    data: bytes
    text: str
    encoding: str
    """As ``decode_bib`` names it."""
    bib: BibLibrary
    elsewhere: Sequence[Path] = ()
    """Files of its bibliography in other folders."""

    def parse(self, text: str) -> BibLibrary:
        """What the file would hold with this text. Raises DocumentError for conflict markers."""
        others = _texts_beside(self.path, self.elsewhere)
        return parse_bibtex(text, file=str(self.path), others=others)


def _texts_beside(path: Path, elsewhere: Sequence[Path]) -> Iterator[str]:
    """The texts of the other .bib files in the file's folder, with it one bibliography, and of
    those elsewhere."""
    for other in dict.fromkeys((*sorted(path.parent.glob("*.bib")), *elsewhere)):
        try:
            if not other.is_symlink() and other != path:
                yield decode_bib(read_file(other))[0]
        except PapertrackError:
            continue  # What cannot be read defines nothing.


def read_bib(path: Path, data: bytes | None = None, elsewhere: Sequence[Path] = ()) -> ReadBib:
    """Read and parse a .bib file, or ``data`` in its place.

    What it lacks is looked for in the other files of its folder, then in those ``elsewhere``.
    Raises NotFoundError, PapertrackError or DocumentError, naming the file, when it is not there,
    cannot be read, or is no .bib file.
    """
    data = read_file(path) if data is None else data
    try:
        text, encoding = decode_bib(data)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from error
    bib = parse_bibtex(text, file=str(path), others=_texts_beside(path, elsewhere))
    return ReadBib(path, data, text, encoding, bib, elsewhere)


def items_of(bib: BibLibrary, known: Mapping[Sources, Values]) -> list[BibItem]:
    """The entries of a .bib file; their keys are their citekeys, numbered when repeated."""
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
"""What tells an entry from others of its file, the strongest first."""
