"""What a document's entry and the library's paper say of each other, in the same words.

Values are plain JSON: they are stored with each entry, as what both sides said when last in step.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.read.columns import split_row
from papertrack.documents.markdown.roles import is_web
from papertrack.identifiers import url_of
from papertrack.identifiers.derived import month_of, submitted_of
from papertrack.library import Library
from papertrack.library.paths import note_name
from papertrack.records import LINK_ROLES, Author, Identifier, Link, LinkRole, Paper, PaperFacts
from papertrack.store.documents import StoredEntry
from papertrack.sync.items import Item
from papertrack.sync.threeway import Fields, Values

SCALARS = ("title", "passes", "rating", "date", "kind", "description", "authors", "venue")
"""Single values."""
SETS = (*LINK_ROLES, "tags", "identifiers")
"""Values that are sets: links by role, notes, tags, identifiers. Written as lists."""
EXPORTED_SCALARS = ("title", "passes", "rating", "date")
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


def entry_values(entry: Entry, library: Library, document: Path) -> Values:
    """What the entry says. A mark, rating or date that it has no place for is missing."""
    fields = entry.fields
    values: Values = {
        "title": fields.title,
        "kind": fields.kind,
        "description": fields.description,
        "authors": list(fields.authors),
        "venue": fields.venue,
        "tags": list(fields.tags),
        "identifiers": [[found.scheme, found.value] for found in entry.identifiers],
    }
    if fields.passes is not None:
        values["passes"] = fields.passes
    for name, value in (("rating", fields.rating), ("date", fields.date)):
        if value is not None or name in entry.places:
            values[name] = value
    values |= _by_role(entry_links(entry))
    values["note"] = list(entry_notes(entry, library, document))
    return values


def library_values(paper: Paper, edited: Collection[str]) -> Values:
    """What the library says, as far as ``entry_values`` could say it.

    A title or a date is the library's own only when it is among the fields that the reader
    ``edited`` there.
    """
    facts = paper.facts
    values: Values = {
        "title": facts.title if "title" in edited else None,
        "date": facts.submitted if "submitted" in edited else None,
        "kind": facts.kind,
        "passes": paper.passes_done,
        "rating": paper.rating,
        "tags": list(paper.tags),
        "identifiers": [[found.scheme, found.value] for found in facts.identifiers],
    }
    values |= _by_role(facts.links)
    values["note"] = [*values.get("note", []), *paper.notes]
    return values


def day_submitted(paper: Paper) -> str | None:
    """When version 1 was submitted, as precisely as it is known."""
    submitted = paper.facts.submitted
    return submitted[:10] if submitted else month_of(paper)


def _by_role(links: tuple[Link, ...]) -> Values:
    values: Values = {}
    for link in links:
        values.setdefault(link.role, []).append(link.url)
    return values


def entry_links(entry: Entry) -> tuple[Link, ...]:
    """The entry's links to the web, those to the works that it only mentions included."""
    links = [link for link in entry.fields.links if is_web(link.url)]
    known = {link.url for link in links}
    mentioned = (Link("related", url_of(identifier)) for identifier in entry.fields.related)
    return (*links, *(link for link in mentioned if link.url not in known))


def entry_notes(entry: Entry, library: Library, document: Path) -> tuple[str, ...]:
    """The notes that the entry links to: names of files, and web addresses as they are."""
    notes = (
        link.url if is_web(link.url) else note_name(library, document, link.url)
        for link in entry.fields.links
        if link.role == "note"
    )
    return tuple(dict.fromkeys(note for note in notes if note is not None))


def entry_facts(entry: Entry) -> PaperFacts:
    """What the entry says about the paper itself."""
    fields = entry.fields
    return PaperFacts(
        title=fields.title or None,
        kind=fields.kind,
        identifiers=entry.identifiers,
        authors=tuple(Author(name) for name in fields.authors),
        links=entry_links(entry),
        description=fields.description,
        submitted=submitted_of(entry.identifiers, fields.date),
        venue=fields.venue,
    )


@dataclass
class MarkdownItem(Item):
    """A row or item of a list."""

    entry: Entry
    library: Library
    path: Path
    """Of the document, from which links to notes are seen."""

    @cached_property
    def values(self) -> Values:
        return entry_values(self.entry, self.library, self.path)

    def values_since(self, before: StoredEntry) -> Values:
        cells = len(self.entry.anatomy.cells)
        if not cells or cells >= len(split_row(before.text, 0, len(before.text))):
            return self.values
        lacking = [name for name in before.base if name not in self.entry.places]
        held = {name: before.base[name] for name in lacking if not self.values.get(name)}
        return self.values | held

    @cached_property
    def facts(self) -> PaperFacts:
        return entry_facts(self.entry)

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
    """The entries of a document at ``path``."""
    return [
        MarkdownItem(
            number=number,
            key=entry.key,
            line=entry.line,
            category=entry.category,
            text=document.text[slice(*entry.span)],
            entry=entry,
            library=library,
            path=path,
        )
        for number, entry in enumerate(document.entries)
    ]
