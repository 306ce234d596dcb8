"""Read a README, and convert its entries and the library's papers to comparable values.

Values are plain JSON, because they are stored with each entry as the base of the next merge.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from papertrack import records
from papertrack.documents.encoding import decode_named
from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.read.tables import split_row
from papertrack.documents.markdown.repair import find_damage, repair_encoding
from papertrack.documents.markdown.roles import is_web
from papertrack.identifiers import url_of
from papertrack.identifiers.derived import month_of, submitted_of
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.library.paths import note_name
from papertrack.matching.venues import is_server, venue_year
from papertrack.store.documents import StoredEntry
from papertrack.sync.items import Item
from papertrack.sync.threeway import Fields, Values
from papertrack.text import group

SCALARS = ("title", "passes", "rating", "date", "kind", "description", "authors", "venue")
"""Fields with one value."""
SETS = (*records.LINK_ROLES, "tags", "identifiers")
"""Fields with several values, stored as lists: links by role, notes, tags, identifiers."""
EXPORTED_SCALARS = ("title", "passes", "rating", "date", "venue")
EXPORTED_ROLES: tuple[records.LinkRole, ...] = (
    *("code", "note", "project", "video", "slides", "translation"),
    *("post", "data", "model", "demo"),
)
"""With ``EXPORTED_SCALARS``, the fields that are exported to existing entries.

Others are only imported: metadata from arXiv must not rewrite a README.
"""
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
"""The source recorded for fields that come from a README."""


def library_values(paper: records.Paper, edited: Collection[str]) -> Values:
    """Return the library's values of a paper, for the fields that entries have.

    Title, date and venue are None unless they are among the fields that the user ``edited``, which
    include those of an accepted publication.
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
    values |= group((link.role, link.url) for link in facts.links)
    values["note"] = [*values.get("note", []), *paper.notes]
    return values


def venue_with_year(facts: records.PaperFacts) -> str | None:
    """Return the venue with the year of publication: ``Journal of Things 2023``."""
    year = str(facts.year or "")
    return facts.venue if not facts.venue or year in facts.venue else f"{facts.venue} {year}"


def day_submitted(paper: records.Paper) -> str | None:
    """Return the day of submission, or the month according to the arXiv id; None if unknown."""
    submitted = paper.facts.submitted
    return submitted[:10] if submitted else month_of(paper)


def index_of(document: Document, stored: StoredEntry) -> int | None:
    """Return the index of a stored entry in the document; None if it has changed since."""
    for index, entry in enumerate(document.entries):
        if entry.key == stored.key and document.text[slice(*entry.span)] == stored.text:
            return index
    return None


def entry_links(entry: Entry) -> tuple[records.Link, ...]:
    """Return the entry's web links, including those to works that it only mentions."""
    links = [link for link in entry.fields.links if is_web(link.url)]
    urls = {link.url for link in links}
    mentioned = (records.Link("related", url_of(identifier)) for identifier in entry.fields.related)
    return (*links, *(link for link in mentioned if link.url not in urls))


@dataclass
class MarkdownItem(Item):
    """An entry of a README: a table row or a list item."""

    entry: Entry
    library: Library
    path: Path
    """The document's path, to which links to notes are relative."""

    @cached_property
    def values(self) -> Values:
        """The item's values; passes, rating and date are missing if the item has no place."""
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
        values |= group((link.role, link.url) for link in entry_links(entry))
        # A note is identified by the name of its file in the library, or by its URL.
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
    def facts(self) -> records.PaperFacts:
        fields, identifiers = self.entry.fields, self.entry.identifiers
        return records.PaperFacts(
            title=fields.title or None,
            kind=fields.kind,
            identifiers=identifiers,
            authors=tuple(map(records.Author, fields.authors)),
            links=entry_links(self.entry),
            description=fields.description,
            submitted=submitted_of(identifiers, fields.date or _year_of(fields)),
            venue=_published_at(fields.venue),
        )

    @property
    def title(self) -> str | None:
        return self.entry.fields.title

    @property
    def identifiers(self) -> tuple[records.Identifier, ...]:
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
    """A parsed README file."""

    path: Path
    data: bytes
    encoding: str
    """The encoding, as named by ``decode_document``."""
    document: Document
    damage: tuple[records.Skipped, ...]
    """Lines that look mis-decoded; after a repair, lines that could not be repaired."""


def read_document(
    path: Path,
    settings: Mapping[str, str] | None = None,
    known: Mapping[str, str] | None = None,
    *,
    is_repaired: bool = False,
    data: bytes | None = None,
) -> ReadDocument:
    """Read and parse a Markdown file; with ``is_repaired``, repair mis-decoded text first.

    ``settings`` are the user's settings of the document (see ``documents.markdown.settings``),
    ``known`` the titles of works by identifier (see ``parse_document``). If ``data`` is given, it
    is parsed instead of the file's content. Raises NotFoundError if there is no file,
    PapertrackError if it cannot be read, and DocumentError, with its path, if it is not UTF-8 or
    UTF-16 text, is too large, or has unresolved merge conflicts.
    """
    data = read_file(path) if data is None else data
    text, encoding = decode_named(data, str(path), is_bib=False)
    if is_repaired:
        text, damage = repair_encoding(text)
    else:
        damage = find_damage(text)
    return ReadDocument(path, data, encoding, parse_document(text, settings, known), damage)


def _year_of(fields: EntryFields) -> str | None:
    """Return the year in an entry's venue, or else of a heading above it; None without one."""
    return str(venue_year(fields.venue or "") or fields.year or "") or None


def _published_at(venue: str | None) -> str | None:
    """Return a venue; None for a preprint server, such as in *arXiv 2024*."""
    return None if venue is None or is_server(venue) else venue
