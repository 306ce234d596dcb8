"""Reading a README: what its entries and the library's papers say of each other, in the same words.

Values are plain JSON: they are stored with each entry, as what both sides said when last in step.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from papertrack.documents.encoding import decode_document
from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.read.tables import split_row
from papertrack.documents.markdown.repair import find_damage, repair_encoding
from papertrack.documents.markdown.roles import is_web
from papertrack.errors import DocumentError
from papertrack.identifiers import url_of
from papertrack.identifiers.derived import month_of, submitted_of
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.library.paths import note_name
from papertrack.matching.venues import is_server, venue_year
from papertrack.records import (
    LINK_ROLES,
    Author,
    Identifier,
    Link,
    LinkRole,
    Paper,
    PaperFacts,
    Skipped,
)
from papertrack.store.documents import StoredEntry
from papertrack.sync.items import Item
from papertrack.sync.threeway import Fields, Values

SCALARS = ("title", "passes", "rating", "date", "kind", "description", "authors", "venue")
"""Single values."""
SETS = (*LINK_ROLES, "tags", "identifiers")
"""Values that are sets: links by role, notes, tags, identifiers. Written as lists."""
EXPORTED_SCALARS = ("title", "passes", "rating", "date", "venue")
EXPORTED_ROLES: tuple[LinkRole, ...] = (
    *("code", "note", "project", "video", "slides", "translation"),
    *("post", "data", "model", "demo"),
)
"""What goes out to an entry that is there. Everything else only comes in: what arXiv says of a
paper must not rewrite anybody's README."""
FIELDS = Fields(
    single=SCALARS,
    sets=SETS,
    outgoing=(*EXPORTED_SCALARS, *EXPORTED_ROLES),
    has_places=True,
    unsaid=("title", "date", "description", "authors", "venue"),
    is_listing=True,
    yields=True,
)
SOURCE = "document"
"""The source of fields that a document gave."""


def library_values(paper: Paper, edited: Collection[str]) -> Values:
    """Return the library's values that an entry can have.

    A title, a date or a venue counts only if the reader ``edited`` it in the library; an accepted
    publication always does.
    """
    facts = paper.facts
    values: Values = {
        "title": facts.title if "title" in edited else None,
        "date": facts.submitted if "submitted" in edited else None,
        "venue": venue_with_year(facts) if "venue" in edited else None,
        "kind": facts.kind,
        "passes": paper.passes_done,
        "rating": paper.rating,
        "tags": list(paper.tags),
        "identifiers": [[found.scheme, found.value] for found in facts.identifiers],
    }
    values |= _by_role(facts.links)
    values["note"] = [*values.get("note", []), *paper.notes]
    return values


def venue_with_year(facts: PaperFacts) -> str | None:
    """Where and in which year a work was published: ``Journal of Things 2023``."""
    year = str(facts.year or "")
    return facts.venue if not facts.venue or year in facts.venue else f"{facts.venue} {year}"


def day_submitted(paper: Paper) -> str | None:
    """When version 1 was submitted, as precisely as it is known."""
    submitted = paper.facts.submitted
    return submitted[:10] if submitted else month_of(paper)


def _by_role(links: tuple[Link, ...]) -> Values:
    values: Values = {}
    for link in links:
        values.setdefault(link.role, []).append(link.url)
    return values


def index_of(document: Document, stored: StoredEntry) -> int | None:
    """Which entry of a document as it was then is one that was stored."""
    for index, entry in enumerate(document.entries):
        if entry.key == stored.key and document.text[slice(*entry.span)] == stored.text:
            return index
    return None


def entry_links(entry: Entry) -> tuple[Link, ...]:
    """Return the entry's web links, including those to works that it only mentions."""
    links = [link for link in entry.fields.links if is_web(link.url)]
    urls = {link.url for link in links}
    mentioned = (Link("related", url_of(identifier)) for identifier in entry.fields.related)
    return (*links, *(link for link in mentioned if link.url not in urls))


@dataclass
class MarkdownItem(Item):
    """A row or item of a list."""

    entry: Entry
    library: Library
    path: Path
    """The document's path, to which links to notes are relative."""

    @cached_property
    def values(self) -> Values:
        """The item's values; a mark, rating or date without a place is missing."""
        entry, fields = self.entry, self.entry.fields
        values: Values = {
            "title": fields.title,
            "kind": fields.kind,
            "description": fields.description,
            "authors": list(fields.authors),
            "venue": _published_at(fields.venue),
            "tags": list(fields.tags),
            "identifiers": [[i.scheme, i.value] for i in entry.identifiers],
        }
        if fields.passes is not None:
            values["passes"] = fields.passes
        for name, value in (("rating", fields.rating), ("date", fields.date)):
            if value is not None or name in entry.places:
                values[name] = value
        values |= _by_role(entry_links(entry))
        # Notes by the names of their files, and web addresses as they are.
        notes = (
            link.url if is_web(link.url) else note_name(self.library, self.path, link.url)
            for link in fields.links
            if link.role == "note"
        )
        values["note"] = list(dict.fromkeys(note for note in notes if note is not None))
        return values

    def values_since(self, before: StoredEntry) -> Values:
        cells = len(self.entry.anatomy.cells)
        if not cells or cells >= len(split_row(before.text, 0, len(before.text))):
            return self.values
        lacking = [name for name in before.base if name not in self.entry.places]
        former = {name: before.base[name] for name in lacking if not self.values.get(name)}
        return self.values | former

    @property
    def facts(self) -> PaperFacts:
        fields, identifiers = self.entry.fields, self.entry.identifiers
        return PaperFacts(
            title=fields.title or None,
            kind=fields.kind,
            identifiers=identifiers,
            authors=tuple(map(Author, fields.authors)),
            links=entry_links(self.entry),
            description=fields.description,
            submitted=submitted_of(identifiers, fields.date or _year_of(fields)),
            venue=_published_at(fields.venue),
        )

    @property
    def title(self) -> str | None:
        return self.entry.fields.title

    @property
    def identifiers(self) -> tuple[Identifier, ...]:
        return self.entry.identifiers

    @property
    def name(self) -> str:
        return self.entry.fields.title

    @property
    def read_at(self) -> str | None:
        return self.entry.fields.read_at


def items_of(document: Document, library: Library, path: Path) -> list[MarkdownItem]:
    """Return the items of a document at ``path``."""
    texts = [document.text[slice(*entry.span)] for entry in document.entries]
    return [
        MarkdownItem(number, entry.key, entry.line, entry.category, text, entry, library, path)
        for number, (entry, text) in enumerate(zip(document.entries, texts, strict=True))
    ]


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A parsed file."""

    path: Path
    data: bytes
    encoding: str
    """As ``decode_document`` names it."""
    document: Document
    damage: tuple[Skipped, ...]
    """Lines that look mis-decoded, or, after a repair, that could not be repaired."""


def read_document(
    path: Path,
    settings: Mapping[str, str] | None = None,
    known: Mapping[str, str] | None = None,
    *,
    is_repaired: bool = False,
    data: bytes | None = None,
) -> ReadDocument:
    """Read and parse a Markdown file; ``is_repaired`` parses its text with the encoding repaired.

    ``settings`` is what the reader set about it (see ``documents.markdown.settings``), ``known``
    titles of works by identifier (see ``parse_document``). ``data`` is taken for what the file
    holds.
    Raises NotFoundError, PapertrackError or DocumentError, naming the file, when it is not there,
    cannot be read, or could not be kept byte for byte.
    """
    data = read_file(path) if data is None else data
    try:
        text, encoding = decode_document(data)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from error
    if is_repaired:
        text, damage = repair_encoding(text)
    else:
        damage = find_damage(text)
    return ReadDocument(path, data, encoding, parse_document(text, settings, known), damage)


def _year_of(fields: EntryFields) -> str | None:
    """The year that the venue of a row says, or a heading above it."""
    return str(venue_year(fields.venue or "") or fields.year or "") or None


def _published_at(venue: str | None) -> str | None:
    """A venue that a row names; *arXiv 2024* says that there is none yet."""
    return None if venue is None or is_server(venue) else venue
