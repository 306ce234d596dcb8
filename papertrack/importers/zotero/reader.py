"""A Zotero library → its items, each with what belongs to it, and what is left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from papertrack.identifiers.addresses import normalise_url
from papertrack.importers.model import (
    EMPTY,
    Category,
    Item,
    ItemFile,
    ItemNote,
    Source,
    with_relations,
)
from papertrack.importers.zotero import notes, storage, works
from papertrack.importers.zotero.rows import RawAnnotation, RawItem, Rows
from papertrack.records import Link
from papertrack.text import clean

_PARTS = ("note", "attachment", "annotation")
_BIN = "it is in Zotero's bin"


def source_of(rows: Rows, folder: Path | None) -> Source:
    """All of a library; its files are in ``folder``, None where they cannot be had."""
    reading = _Reading(rows, folder)
    source = Source("zotero", rows.count)
    reading.read(source)
    source.items = with_relations(source.items)
    source.categories = list(dict.fromkeys(reading.paths.values()))
    source.counts = reading.counted(source)
    return source


@dataclass(slots=True)
class _Reading:
    rows: Rows
    folder: Path | None
    paths: dict[int, Category] = field(default_factory=dict)
    """By collection its path; those in the bin have none."""
    children: dict[int, list[RawItem]] = field(default_factory=lambda: defaultdict(list))
    by_id: dict[int, RawItem] = field(default_factory=dict)
    notes: int = 0
    members: int = 0
    """How often an item is in a collection."""

    def __post_init__(self) -> None:
        self.by_id = {one.id: one for one in self.rows.items}
        for one in self.rows.items:
            parent = self._parent(one)
            if parent is not None:
                self.children[parent].append(one)
        for collection in self.rows.collections:
            path = self._path(collection)
            if path:
                self.paths[collection] = path

    def read(self, source: Source) -> None:
        """Take each item, or say why not."""
        left: dict[int, str] = {}
        for one in self.rows.items:
            reason = self._why_not(one)
            if reason:
                left[one.id] = reason
            elif one.type not in _PARTS:
                item = self._item(one)
                if item.says_nothing:
                    left[one.id] = EMPTY
                else:
                    source.items.append(item)
        for one in self.rows.items:
            if one.id in left:
                source.leave_out(self._key(one), self._name(one), left[one.id])

    def counted(self, source: Source) -> dict[str, int]:
        """How much of everything comes over."""
        own = {
            "collections": len(self.paths),
            "memberships": self.members,
            "notes": self.notes,
        }
        return source.counted() | own

    def _parent(self, one: RawItem) -> int | None:
        if one.id in self.rows.annotations:
            return self.rows.annotations[one.id].parent
        if one.type == "attachment":
            file = self.rows.files.get(one.id)
            return file.parent if file else None
        note = self.rows.notes.get(one.id)
        return note.parent if note and one.type == "note" else None

    def _why_not(self, one: RawItem) -> str:
        """Why an item is not taken; nothing if it is."""
        if one.library in self.rows.feeds or one.id in self.rows.feed_items:
            return "it is of a feed, not of a library"
        seen: set[int] = set()
        at: RawItem | None = one
        while at is not None and at.id not in seen:
            seen.add(at.id)
            if at.id in self.rows.deleted:
                return _BIN if at is one else "it belongs to an item that is in Zotero's bin"
            parent = self._parent(at)
            if parent is None:
                break
            at = self.by_id.get(parent)
        if at is None or at.type in _PARTS:
            return _ORPHANS.get(one.type, "it belongs to no item")
        return ""

    def _item(self, one: RawItem) -> Item:
        fields = self.rows.fields.get(one.id, {})
        extra = works.read_extra(fields.get("extra", ""))
        type_, facts = works.work_of(one.type, fields, self.rows.creators.get(one.id, []), extra)
        own_key = clean(fields.get("citationKey", "")).strip()
        parts = [part for part in self.children.get(one.id, ()) if not self._why_not(part)]
        title = facts.title or one.key
        written = [*self._notes(one, title, parts)]
        if extra.rest:
            text = notes.note_text(extra.rest, title)
            written.append(ItemNote(f"{self._key(one)}-extra", text))
        files = [*self._files(parts)]
        links = (*facts.links, *self._addresses(parts, facts.links))
        own = [(tag, kind) for tag, kind in self.rows.tags.get(one.id, []) if clean(tag).strip()]
        return Item(
            key=self._key(one),
            type=type_,
            facts=facts._replace(links=links),
            citekeys=tuple(filter(None, (own_key, *extra.citekeys))),
            categories=tuple(self._categories(one)),
            tags=tuple(clean(tag).strip() for tag, kind in own if kind != 1),
            automatic_tags=tuple(clean(tag).strip() for tag, kind in own if kind == 1),
            notes=tuple(written),
            files=tuple(files),
            statuses=extra.statuses,
            added=_moment(one.added),
            related=tuple(self._related(one)),
        )

    def _categories(self, one: RawItem) -> Iterator[Category]:
        group = self.rows.groups.get(one.library)
        inside = [self.paths[at] for at in self.rows.members.get(one.id, ()) if at in self.paths]
        self.members += len(inside)
        yield from dict.fromkeys(inside)
        if group and not inside:
            yield (_name_of(group[1]),)

    def _path(self, collection: int) -> Category:
        """Its names from the top, behind that of its group; empty if it or one above it is in the
        bin or of a feed, or it stands below itself."""
        names: list[str] = []
        seen: set[int] = set()
        at: int | None = collection
        found = self.rows.collections[collection]
        while at is not None:
            if at in seen or at not in self.rows.collections:
                return ()
            seen.add(at)
            found = self.rows.collections[at]
            if found.is_deleted or found.library in self.rows.feeds:
                return ()
            names.insert(0, _name_of(found.name))
            at = found.parent
        group = self.rows.groups.get(found.library)
        return (_name_of(group[1]), *names) if group else tuple(names)

    def _notes(self, one: RawItem, title: str, parts: list[RawItem]) -> Iterator[ItemNote]:
        for part in parts:
            if part.type == "note":
                self.notes += 1
                text = notes.note_text(self.rows.notes[part.id].html, title)
                yield ItemNote(self._key(part), text, stands_for=1)
            elif part.type == "attachment":
                yield from self._notes_in(part, title)

    def _notes_in(self, part: RawItem, title: str) -> Iterator[ItemNote]:
        """What the reader wrote into a file's own note, and all annotations of the file."""
        own = self.rows.notes.get(part.id)
        if own is not None and (text := notes.note_text(own.html, title)):
            yield ItemNote(self._key(part), text)
        found: dict[str, RawAnnotation] = {
            child.key: self.rows.annotations[child.id]
            for child in self.children.get(part.id, ())
            if child.id in self.rows.annotations and not self._why_not(child)
        }
        if found:
            file = storage.name_of(self.rows.files[part.id]) or part.key
            text = notes.annotations_text(title, file, found)
            number = len(found)
            yield ItemNote(f"{self._key(part)}-annotations", text, number, number)

    def _files(self, parts: list[RawItem]) -> Iterator[ItemFile]:
        for part in parts:
            file = self.rows.files.get(part.id) if part.type == "attachment" else None
            if file is None:
                continue
            name = storage.name_of(file) or self._name(part)
            if file.mode == storage.LINKED_ADDRESS:
                yield ItemFile(self._key(part), None, name, stands_for=1)
                continue
            place = storage.place_of(file, part.key, self.folder)
            yield ItemFile(self._key(part), place.path, name, place.problem, stands_for=1)

    def _addresses(self, parts: list[RawItem], known: tuple[Link, ...]) -> Iterator[Link]:
        """The addresses that are attached, as far as they are none that the item has."""
        seen = {normalise_url(link.url) for link in known}
        for part in parts:
            file = self.rows.files.get(part.id) if part.type == "attachment" else None
            address = clean(self.rows.fields.get(part.id, {}).get("url", ""))
            if file is None or file.mode != storage.LINKED_ADDRESS:
                continue
            if (normal := normalise_url(address)) and normal not in seen:
                seen.add(normal)
                is_pdf = file.content_type == "application/pdf"
                yield Link("pdf" if is_pdf else "other", address)

    def _related(self, one: RawItem) -> Iterator[str]:
        """Keys of items in its library: an address ends with the key."""
        for address in self.rows.related.get(one.id, ()):
            yield self._key(one._replace(key=address.rpartition("/")[2]))

    def _key(self, one: RawItem) -> str:
        group = self.rows.groups.get(one.library)
        return one.key if group is None else f"{group[0]}-{one.key}"

    def _name(self, one: RawItem) -> str:
        title = self.rows.fields.get(one.id, {}).get("title", "")
        return clean(title).strip() or f"{one.type or 'item'} {clean(one.key)}"


_ORPHANS = {
    "attachment": "it is a file that belongs to no item",
    "note": "it is a note that belongs to no item",
    "annotation": "it is an annotation of no item's file",
}


def _name_of(text: str) -> str:
    return " ".join(clean(text).split()) or "…"


def _moment(stored: str) -> str | None:
    """A time as Zotero keeps it, in UTC, as ISO 8601 has it with its offset."""
    day, _, time = stored.strip().partition(" ")
    if len(day) != 10 or not day[:4].isdigit():
        return None
    return f"{day}T{time or '00:00:00'}+00:00" if len(time) in (0, 8) else None
