"""A file that a user wants to import, and what was found in it: items, and what was left out.

Each entry of a source is in one of these places, so that they add up to the source's own count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papertrack.category_paths import MAX_DEPTH
from papertrack.documents.encoding import decode_bib
from papertrack.errors import DocumentError, PapertrackError
from papertrack.foreign_database import opened
from papertrack.identifiers import url_of
from papertrack.records import Link, PaperFacts
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.importers.html import Annotation

_MAX_BYTES = 512 * 2**20
"""The largest text file that is read."""


def read_head(path: Path, size: int = 4096) -> bytes:
    """Return the first bytes of a file. Raises the errors of ``opened``."""
    with opened(path) as file:
        return file.read(size)


def read_whole(path: Path) -> bytes:
    """Return all of a file. Raises the errors of ``opened``; PapertrackError if it is too large."""
    with opened(path) as file:
        data = file.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise PapertrackError(f"{path} is larger than {_MAX_BYTES // 2**20} MB, and was not read.")
    return data


@dataclass
class Found:
    """A file or folder that may be imported.

    Each property raises the errors of ``opened`` if it cannot be read.
    """

    path: Path

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        """Its first bytes; empty for a folder."""
        return b"" if self.is_folder else read_head(self.path)

    @cached_property
    def text(self) -> str:
        """Its text; empty for a folder and for binary data."""
        if self.is_folder or b"\0" in self.head:
            return ""
        try:
            return decode_bib(read_whole(self.path))[0].removeprefix("\ufeff")
        except DocumentError:
            return ""

    @cached_property
    def json(self) -> Any:
        """Its value as JSON, or None."""
        if self.text.lstrip()[:1] not in ("{", "["):
            return None
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            return None

    @cached_property
    def lines(self) -> list[str]:
        """Its lines that are not empty."""
        return [line.strip() for line in self.text.splitlines() if line.strip()]


Category = tuple[str, ...]
EMPTY = "it is empty: it has no title, no author and no address"


@dataclass(frozen=True, slots=True)
class ItemNote:
    """A note that the user wrote in the other tool, or all annotations of one file."""

    key: str
    """The note's key in the source; here it is part of the file's name."""
    text: str
    """The text in Markdown, without active content."""
    stands_for: int = 0
    """How many items of the source it stands for: some tools count notes and annotations."""
    annotations: Mapping[str, Annotation] = field(default_factory=dict)
    """Annotations that belong at its end, by id and in order."""
    quotes: Mapping[str, str] = field(default_factory=dict)
    """The same annotations as they are written in the note's text."""


@dataclass(frozen=True, slots=True)
class ItemFile:
    """A file that belongs to an item."""

    key: str
    path: Path | None
    """Where it is; None if it is not available, for the reason in ``problem``."""
    title: str
    problem: str = ""
    stands_for: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """One work in the source, with everything that the user recorded about it there."""

    key: str
    """Its key in the source, the same each time that the source is read."""
    type: str
    """The type of BibTeX or biblatex."""
    facts: PaperFacts
    citekeys: tuple[str, ...] = ()
    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    automatic_tags: tuple[str, ...] = ()
    """Tags that the user did not add."""
    notes: tuple[ItemNote, ...] = ()
    files: tuple[ItemFile, ...] = ()
    statuses: tuple[str, ...] = ()
    """Words for how far the user has read it."""
    passes: int = 0
    rating: int | None = None
    added: str | None = None
    related: tuple[str, ...] = ()
    """Keys of other items of the source."""
    titles: tuple[str, ...] = ()
    """For a PDF, which does not name its title: all texts that may be it, likeliest first."""
    page: str = ""
    """For a PDF: the text of its first page, its name, and the authors in its metadata."""
    stands_for: int = 1
    """How many items of the source it stands for, without its notes and files."""

    @property
    def name(self) -> str:
        """The name by which the user knows it."""
        return self.facts.title or next((file.title for file in self.files), self.key)

    def without(self, problems: Mapping[str, str]) -> Item:
        """Return the item without these files, given by key, and with the reasons."""
        files = tuple(
            replace(file, path=None, problem=problems[file.key]) if file.key in problems else file
            for file in self.files
        )
        return replace(self, files=files)

    @property
    def says_nothing(self) -> bool:
        """Whether it has nothing from which to make a paper."""
        facts = self.facts
        return not any((facts.title, facts.authors, facts.identifiers, self.notes, self.files))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An item of the source that is not imported, and why."""

    key: str
    name: str
    reason: str


@dataclass(slots=True)
class Source:
    """The contents of a file or folder of another tool."""

    tool: str
    """The tool's name in lower case, ``zotero``, which is also stored as the source of facts."""
    count: int
    """How many items it has by its own count."""
    items: list[Item] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    categories: dict[Category, None] = field(default_factory=dict)
    """All categories, also empty ones, parents first."""
    counts: dict[str, int] = field(default_factory=dict)
    """What else is imported, by kind: collections, memberships, tags, …"""
    notices: list[str] = field(default_factory=list)
    """Sentences with what the user should know."""
    _number_by_key: dict[str, int] = field(default_factory=dict)

    def counted(self) -> dict[str, int]:
        """Return how much is imported of each kind."""
        items = self.items
        return {
            "works": len(items),
            "collections": len(self.categories),
            "memberships": sum(len(item.categories) for item in items),
            "tags": sum(len(item.tags) for item in items),
            "automatic_tags": sum(len(item.automatic_tags) for item in items),
            "notes": sum(bool(note.text) for item in items for note in item.notes),
            "annotations": sum(len(note.annotations) for item in items for note in item.notes),
            "attachments": sum(len(item.files) for item in items),
        }

    def take(self, item: Item) -> None:
        """Add an item, unless it is empty. A key that exists already gets a number."""
        if item.says_nothing:
            self.leave_out(item.key, "", EMPTY)
            return
        number = self._number_by_key.get(item.key, 0) + 1
        self._number_by_key[item.key] = number
        item = replace(item, categories=tuple(path[:MAX_DEPTH] for path in item.categories))
        self.categories |= dict.fromkeys(item.categories)
        self.items.append(item if number == 1 else replace(item, key=f"{item.key}#{number}"))

    def leave_out(self, key: str, name: str, reason: str) -> None:
        """Record an item that is not imported."""
        self.left_out.append(LeftOut(key, name or key, reason))

    def can_name(self, path: Path) -> bool:
        """Return whether a library can name a file; otherwise leave it out."""
        try:
            str(path).encode()
        except UnicodeEncodeError:
            name = clean(path.name) or "…"
            self.leave_out(name, name, "its path is not UTF-8: rename the file or folder")
            return False
        return True


def with_relations(items: Sequence[Item]) -> list[Item]:
    """Return the items, each with links to related items that have addresses."""
    by_key = {item.key: item for item in items}
    linked = []
    for item in items:
        others = [by_key[key] for key in item.related if key in by_key and key != item.key]
        targets = [(address_of(other.facts), other.facts.title) for other in others]
        links = [Link("related", address, title) for address, title in targets if address]
        facts = item.facts._replace(links=(*item.facts.links, *links))
        linked.append(replace(item, facts=facts) if links else item)
    return linked


def address_of(facts: PaperFacts) -> str | None:
    """Return the URL of a work, or None."""
    if facts.identifiers:
        return url_of(facts.identifiers[0])
    return next((link.url for link in facts.links if link.role == "paper"), None)
