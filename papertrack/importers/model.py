"""Files that somebody wants to import, and what was found in them: items, and what was left out.

All that a source holds is in one of these places, so that they sum up to its own count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papertrack.documents.encoding import decode_bib
from papertrack.errors import DocumentError, PapertrackError
from papertrack.foreign_database import opened
from papertrack.identifiers import url_of
from papertrack.records import Link, PaperFacts

if TYPE_CHECKING:
    from papertrack.importers.html import Annotation

_MOST = 512 * 2**20
"""Bytes of a file of text that are read."""


def read_head(path: Path, size: int = 4096) -> bytes:
    """The first bytes of a file. Raises what ``opened`` raises."""
    with opened(path) as file:
        return file.read(size)


def read_whole(path: Path) -> bytes:
    """All of a file. Raises what ``opened`` raises, and PapertrackError for an enormous one."""
    with opened(path) as file:
        data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise PapertrackError(f"{path} is larger than {_MOST // 2**20} MB, and was not read.")
    return data


@dataclass
class Found:
    """What is at a path; each property raises what ``opened`` raises where it cannot be read."""

    path: Path

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        """Its first bytes; nothing of a folder."""
        return b"" if self.is_folder else read_head(self.path)

    @cached_property
    def text(self) -> str:
        """Its text; nothing of a folder and what is no text."""
        if self.is_folder or b"\0" in self.head:
            return ""
        try:
            return decode_bib(read_whole(self.path))[0].removeprefix("\ufeff")
        except DocumentError:
            return ""

    @cached_property
    def json(self) -> Any:
        """What it says as JSON; None for all else."""
        if self.text.lstrip()[:1] not in ("{", "["):
            return None
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            return None

    @cached_property
    def lines(self) -> list[str]:
        """Its lines that say something."""
        return [line.strip() for line in self.text.splitlines() if line.strip()]


Category = tuple[str, ...]
EMPTY = "it is empty: it has no title, no author and no address"


@dataclass(frozen=True, slots=True)
class ItemNote:
    """A note that the reader wrote there, or all annotations of one file."""

    key: str
    """Which one of the source it is; a part of the file's name here."""
    text: str
    """In Markdown, free of what could run."""
    stands_for: int = 0
    """How many items of the source it is: some tools count notes and annotations."""
    annotations: Mapping[str, Annotation] = field(default_factory=dict)
    """Those that belong at its end, by id and in their order."""
    quotes: Mapping[str, str] = field(default_factory=dict)
    """The same as the text of a note has them."""


@dataclass(frozen=True, slots=True)
class ItemFile:
    """A file that belongs to an item."""

    key: str
    path: Path | None
    """Where it is; None where it cannot be had, of which ``problem`` says why."""
    title: str
    problem: str = ""
    stands_for: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """One work of the source, with all that the reader noted of it there."""

    key: str
    """Its name in the source, the same each time it is read."""
    type: str
    """As BibTeX or biblatex has it."""
    facts: PaperFacts
    citekeys: tuple[str, ...] = ()
    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    automatic_tags: tuple[str, ...] = ()
    """Those that no reader gave."""
    notes: tuple[ItemNote, ...] = ()
    files: tuple[ItemFile, ...] = ()
    statuses: tuple[str, ...] = ()
    """Words that say how far the reading is."""
    passes: int = 0
    rating: int | None = None
    added: str | None = None
    related: tuple[str, ...] = ()
    """Keys of other items of the source."""
    titles: tuple[str, ...] = ()
    """Of a PDF, which does not say what its title is: all texts that may be it, likeliest first."""
    page: str = ""
    """The text of a PDF's first page, and who else it says made it."""
    stands_for: int = 1
    """How many items of the source it is without its notes and files."""

    @property
    def name(self) -> str:
        """What the reader knows it by."""
        return self.facts.title or next((file.title for file in self.files), self.key)

    def without(self, problems: Mapping[str, str]) -> Item:
        """It without these of its files, by their keys, which cannot be had for these reasons."""
        files = tuple(
            replace(file, path=None, problem=problems[file.key]) if file.key in problems else file
            for file in self.files
        )
        return replace(self, files=files)

    @property
    def says_nothing(self) -> bool:
        """Whether there is nothing of which a paper could be made."""
        facts = self.facts
        return not any((facts.title, facts.authors, facts.identifiers, self.notes, self.files))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An item of the source that is not taken, and why."""

    key: str
    name: str
    reason: str


@dataclass(slots=True)
class Source:
    """What a file or folder of another tool holds."""

    tool: str
    """Whose it is, in small letters: ``zotero``. Sources of fields and records go by it."""
    count: int
    """How many items it has by its own count."""
    items: list[Item] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    categories: list[Category] = field(default_factory=list)
    """Its whole tree, also what is empty, parents first."""
    counts: dict[str, int] = field(default_factory=dict)
    """What of the rest comes over, by what it is: collections, memberships, tags, …"""
    notices: list[str] = field(default_factory=list)
    """Sentences about what the reader should know."""
    _taken: dict[str, int] = field(default_factory=dict)

    def counted(self) -> dict[str, int]:
        """How much of everything comes over."""
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
        """Count an item that is taken, unless it is empty; one of a name that is there already
        gets another one."""
        if item.says_nothing:
            self.leave_out(item.key, "", EMPTY)
            return
        number = self._taken.get(item.key, 0) + 1
        self._taken[item.key] = number
        self.items.append(item if number == 1 else replace(item, key=f"{item.key}#{number}"))

    def leave_out(self, key: str, name: str, reason: str) -> None:
        """Count an item that is not taken."""
        self.left_out.append(LeftOut(key, name or key, reason))


def with_relations(items: Sequence[Item]) -> list[Item]:
    """The items, each with links to those that it is related to, as far as they have addresses."""
    by_key = {item.key: item for item in items}
    found = []
    for item in items:
        others = [by_key[key] for key in item.related if key in by_key and key != item.key]
        told = [(address_of(other.facts), other.facts.title) for other in others]
        links = [Link("related", address, title) for address, title in told if address]
        facts = item.facts._replace(links=(*item.facts.links, *links))
        found.append(replace(item, facts=facts) if links else item)
    return found


def address_of(facts: PaperFacts) -> str | None:
    """Where a work is found."""
    if facts.identifiers:
        return url_of(facts.identifiers[0])
    return next((link.url for link in facts.links if link.role == "paper"), None)
