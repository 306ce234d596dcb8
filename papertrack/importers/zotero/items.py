"""Make items from the rows of a Zotero library, each with its notes and files."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

from papertrack.category_paths import MAX_DEPTH
from papertrack.errors import PapertrackError
from papertrack.identifiers import parse_arxiv_id
from papertrack.identifiers.addresses import normalise_url
from papertrack.identifiers.citekeys import is_citekey
from papertrack.importers.fields import (
    facts_from,
    line,
    month_of,
    names_of,
    organisation,
    people,
    person,
)
from papertrack.importers.html import Annotation, escaped, markdown_of
from papertrack.importers.model import (
    EMPTY,
    Category,
    Item,
    ItemFile,
    ItemNote,
    Source,
    read_head,
    with_relations,
)
from papertrack.importers.zotero.rows import Creator, RawAnnotation, RawFile, RawItem, Rows
from papertrack.records import Author, Link, PaperFacts
from papertrack.text import clean

_KINDS = {1: "highlight", 2: "note", 3: "image", 4: "ink", 5: "underline", 6: "text"}
"""The numbers of annotation types, as in Zotero's ``annotations.js``."""


def note_text(html: str, title: str) -> str:
    """Return a note below a title, as Markdown; "" for a note without text."""
    body = markdown_of(html)
    return f"# {heading(title)}\n\n{body}\n" if body else ""


def heading(title: str) -> str:
    """Return a title for the first line of a note."""
    return escaped(clean(title)) or "Note"


def annotations_of(marks: Mapping[str, RawAnnotation]) -> dict[str, Annotation]:
    """Return the annotations of a file in page order, by ids made from their keys."""
    annotations = {}
    for key, mark in sorted(marks.items(), key=lambda pair: (pair[1].order, pair[0])):
        kind, comment = _KINDS.get(mark.type, "annotation"), markdown_of(mark.comment)
        annotation = Annotation(mark.page, kind, mark.colour, mark.text, comment, mark.author)
        annotations[sha256(key.encode()).hexdigest()[:8]] = annotation
    return annotations


_LONGEST_NAME = 500
"""The most letters of a collection's name that are read."""
LINKED_FILE, LINKED_ADDRESS = 2, 3
"""Zotero's link modes; 0 and 1 are files in its own storage, 4 pictures in notes."""
NOT_THERE = "its file does not exist"
_STORED = "storage:"
_BASE = "attachments:"
_KEY = re.compile("[A-Z0-9]{8}")
_DOCUMENTS = {".pdf": b"%PDF", ".epub": b"PK", ".djvu": b"AT&T", ".ps": b"%!"}
"""How files begin that may be linked from anywhere: a stranger's database could name any file."""


class Place(NamedTuple):
    """Where a file is, or why it is not available."""

    path: Path | None
    problem: str = ""


def place_of(file: RawFile, key: str, folder: Path | None) -> Place:
    """Return where an attachment's file is; ``folder`` is Zotero's folder."""
    if file.path.startswith(_STORED):
        return _stored(file.path.removeprefix(_STORED), key, folder)
    if file.path.startswith(_BASE):
        return Place(None, "its path begins in a folder that only Zotero's settings know")
    if file.path:
        return _linked(file.path)
    return Place(None, "no file is named")


def name_of(file: RawFile) -> str:
    """Return the name of a file, without folders."""
    name = file.path.partition(":")[2] if file.path.startswith((_STORED, _BASE)) else file.path
    return clean(PureWindowsPath(PurePosixPath(name).name).name)


def _stored(name: str, key: str, folder: Path | None) -> Place:
    if folder is None:
        return Place(None, "its file is in Zotero")
    # The storage may be a link that the reader made, but nothing in it.
    try:
        home = (folder / "storage").resolve() / key
        path = home / name
        if not (_is_name(name) and _KEY.fullmatch(key) and path.resolve().is_relative_to(home)):
            return Place(None, "its path leads out of Zotero's folder")
        return Place(path) if path.is_file() else Place(None, NOT_THERE)
    except (OSError, RuntimeError, ValueError):  # A name that no disk has, a link to itself.
        return Place(None, "its file cannot be read")


def _is_name(name: str) -> bool:
    """Return whether a text is a file name without folders, on every system."""
    is_plain = PurePosixPath(name).name == name == PureWindowsPath(name).name
    return bool(name) and is_plain and name not in (".", "..") and "\0" not in name


def _linked(name: str) -> Place:
    path = Path(name)
    if "\0" in name or not path.is_absolute() or ".." in path.parts:
        return Place(None, "its path does not exist on this machine")
    begins = _DOCUMENTS.get(path.suffix.lower())
    try:
        if not path.is_file():
            return Place(None, NOT_THERE)
        if begins is None or not read_head(path, len(begins)).startswith(begins):
            return Place(None, "it is a linked file outside Zotero's folder, and not a PDF or book")
    except (PapertrackError, OSError):
        return Place(None, "its file cannot be read")
    return Place(path)


_PARTS = ("note", "attachment", "annotation")


def _named(name: str) -> str:
    return line(name[:_LONGEST_NAME]) or "…"


def source_of(rows: Rows, folder: Path | None) -> Source:
    """Return all items of a library; without a ``folder`` its files are not available."""
    reading = _Reading(rows, folder)
    source = Source("zotero", len(rows.items))
    reading.read(source)
    source.items = with_relations(source.items)
    source.categories = dict.fromkeys(reading.paths.values())
    counts = {"collections": len(reading.paths), "memberships": reading.members}
    source.counts = source.counted() | counts | {"notes": reading.notes}
    return source


@dataclass(slots=True)
class _Reading:
    rows: Rows
    folder: Path | None
    paths: dict[int, Category] = field(default_factory=dict)
    """Collection → its path; collections in the bin have none."""
    children: dict[int, list[RawItem]] = field(default_factory=lambda: defaultdict(list))
    notes: int = 0
    members: int = 0
    """How many memberships items have in collections."""

    def __post_init__(self) -> None:
        for item in self.rows.items.values():
            if item.parent is not None:
                self.children[item.parent].append(item)
        self.paths = self._find_paths()

    def read(self, source: Source) -> None:
        """Import each item, or record why it is left out."""
        for raw in self.rows.items.values():
            reason = self._why_not(raw)
            if not reason and raw.type not in _PARTS:
                item = self._item(raw)
                if not item.says_nothing:
                    source.items.append(item)
                    continue
                reason = EMPTY
            if reason:
                name = clean(raw.fields.get("title", "")).strip()
                name = name or f"{raw.type or 'item'} {clean(raw.key)}"
                source.leave_out(self._key(raw), name, reason)

    def _why_not(self, item: RawItem) -> str:
        """Return why an item is left out; "" if it is imported."""
        if item.is_of_feed:
            return "it belongs to a feed, not to a library"
        at: RawItem | None = item
        for _ in range(3):  # An annotation belongs to an attachment, and that to an item.
            if at is None:
                break
            if at.is_deleted:
                return f"it {'is' if at is item else 'belongs to an item that is'} in Zotero's bin"
            if at.parent is None:
                break
            at = self.rows.items.get(at.parent)
        if at is None or at.type in _PARTS:
            return _ORPHANS.get(item.type, "it belongs to no item")
        return ""

    def _item(self, raw: RawItem) -> Item:
        extra = read_extra(raw.fields.get("extra", ""))
        type_, facts = work_of(raw.type, raw.fields, raw.creators, extra)
        own_key = clean(raw.fields.get("citationKey", "")).strip()
        children = [part for part in self.children.get(raw.id, ()) if not self._why_not(part)]
        title = facts.title or raw.key
        notes = [*self._notes(title, children)]
        if extra.rest:
            notes.append(ItemNote(f"{self._key(raw)}-extra", note_text(extra.rest, title)))
        tags = [(tag, kind) for name, kind in raw.tags if (tag := clean(name).strip())]
        return Item(
            key=self._key(raw),
            type=type_,
            facts=facts._replace(links=(*facts.links, *_addresses(children, facts.links))),
            citekeys=tuple(filter(None, (own_key, *extra.citekeys))),
            categories=tuple(self._categories(raw)),
            tags=tuple(tag for tag, kind in tags if kind != 1),
            automatic_tags=tuple(tag for tag, kind in tags if kind == 1),
            notes=tuple(notes),
            files=tuple(self._files(children)),
            statuses=tuple(extra.statuses),
            added=_moment(raw.added),
            # The address of an item ends with its key.
            related=tuple(self._key(raw, address.rpartition("/")[2]) for address in raw.related),
        )

    def _categories(self, item: RawItem) -> Iterator[Category]:
        inside = [self.paths[at] for at in item.collections if at in self.paths]
        self.members += len(inside)
        yield from dict.fromkeys(inside or filter(None, [self._group(item.library)]))

    def _find_paths(self) -> dict[int, Category]:
        """Return the path of each collection, below its group, except for hidden ones.

        A collection below a hidden one, or below itself, has none either.
        """
        collections = self.rows.collections
        found: dict[int | None, Category | None] = {}
        for collection in collections:
            chain = list[int]()
            at: int | None = collection
            while at in collections and at not in found:
                found[at] = None
                chain.append(at)
                at = collections[at].parent
            for each in reversed(chain):
                entry = collections[each]
                above = self._group(entry.library) if not entry.parent else found.get(entry.parent)
                if above is not None and not entry.is_hidden:
                    found[each] = (*above, _named(entry.name))[:MAX_DEPTH]
        return {at: path for at in collections if (path := found[at])}

    def _group(self, library: int) -> Category:
        group = self.rows.groups.get(library)
        return (_named(group[1]),) if group else ()

    def _notes(self, title: str, children: list[RawItem]) -> Iterator[ItemNote]:
        for part in children:
            if part.type == "note":
                self.notes += 1
                yield ItemNote(self._key(part), note_text(part.note, title), stands_for=1)
            elif part.type == "attachment":
                yield from self._notes_in(part, title)

    def _notes_in(self, part: RawItem, title: str) -> Iterator[ItemNote]:
        """Yield the user's note in a file, and a note with all annotations of the file."""
        if text := note_text(part.note, title):
            yield ItemNote(self._key(part), text)
        children = (child for child in self.children.get(part.id, ()) if not self._why_not(child))
        marks = {child.key: child.annotation for child in children if child.annotation}
        if marks:
            file = (part.file and name_of(part.file)) or part.key
            text = f"# {heading(title)}\n\nAnnotations of {escaped(clean(file))}\n"
            key, annotations = f"{self._key(part)}-annotations", annotations_of(marks)
            yield ItemNote(key, text, len(marks), annotations)

    def _files(self, children: list[RawItem]) -> Iterator[ItemFile]:
        for part in children:
            if part.file is None:
                continue
            title = clean(part.fields.get("title", "")).strip() or f"attachment {clean(part.key)}"
            name, place = name_of(part.file) or title, Place(None)
            if part.file.mode != LINKED_ADDRESS:
                place = place_of(part.file, part.key, self.folder)
            yield ItemFile(self._key(part), place.path, name, place.problem, stands_for=1)

    def _key(self, item: RawItem, key: str = "") -> str:
        """Return the key of an item, or another ``key`` in the item's library."""
        group = self.rows.groups.get(item.library)
        return key or item.key if group is None else f"{group[0]}-{key or item.key}"


def _addresses(children: Sequence[RawItem], links: Sequence[Link]) -> Iterator[Link]:
    """Yield the attached addresses that the item itself lacks."""
    seen = {normalise_url(link.url) for link in links}
    for part in children:
        address = clean(part.fields.get("url", ""))
        if part.file is None or part.file.mode != LINKED_ADDRESS:
            continue
        if (normal := normalise_url(address)) and normal not in seen:
            seen.add(normal)
            yield Link("pdf" if part.file.content_type == "application/pdf" else "other", address)


_ORPHANS = {
    "attachment": "it is a file that belongs to no item",
    "note": "it is a note that belongs to no item",
    "annotation": "it is an annotation of no item's file",
}


def _moment(stored: str) -> str | None:
    """Convert a time of Zotero, in UTC, to ISO 8601 with offset."""
    day, _, time = stored.strip().partition(" ")
    if len(day) != 10 or not day[:4].isdigit():
        return None
    return f"{day}T{time or '00:00:00'}+00:00" if len(time) in (0, 8) else None


_TYPES = {
    **dict.fromkeys(("journalArticle", "magazineArticle", "newspaperArticle"), "article"),
    "conferencePaper": "inproceedings",
    "book": "book",
    **dict.fromkeys(("bookSection", "encyclopediaArticle", "dictionaryEntry"), "incollection"),
    "thesis": "phdthesis",
    **dict.fromkeys(("report", "standard"), "techreport"),
    "manuscript": "unpublished",
    **dict.fromkeys(("webpage", "blogPost", "forumPost"), "online"),
    "computerProgram": "software",
    "dataset": "dataset",
}
"""Zotero's types in BibTeX or biblatex; others are ``misc``."""
_FIELDS = {
    "title": "title",
    **dict.fromkeys(("caseName", "nameOfAct", "subject"), "title"),
    "abstractNote": "abstract",
    **{name: name for name in ("url", "volume", "pages", "edition", "series", "institution")},
    **{name: name.lower() for name in ("DOI", "ISBN", "ISSN")},
    **dict.fromkeys(("issue", "reportNumber", "seriesNumber", "patentNumber"), "number"),
    **dict.fromkeys(("publisher", "label", "company"), "publisher"),
    **{"place": "address", "seriesTitle": "series", "conferenceName": "eventtitle"},
    **{"university": "school", "versionNumber": "version", "accessDate": "urldate"},
    **{"reportType": "type", "thesisType": "type"},
}
_HOUSES = {"article": "journal", **dict.fromkeys(("inproceedings", "incollection"), "booktitle")}
"""BibTeX type → the field with the name of the publication."""
_PUBLICATIONS = (
    *("publicationTitle", "proceedingsTitle", "bookTitle", "encyclopediaTitle", "dictionaryTitle"),
    *("websiteTitle", "blogTitle", "forumTitle"),
)
_FIRST = ("author", "programmer", "presenter", "inventor", "artist", "podcaster", "interviewee")
"""The roles that count as authors; the first one with a name is used."""
_LINE = re.compile(r"([A-Za-z][\w .-]{0,40}?)\s*[:=]\s*(\S.*)")
_READ_STATUS = frozenset(("read status", "reading status", "status"))
_STORED_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:\s|$)")
_ARXIV_CATEGORY = re.compile(r"\[([a-z-]+(?:\.[A-Za-z-]+)?)\]")
_EXTRA_FIELDS = {
    **{name: name for name in "doi pmid pmcid issn isbn url publisher volume".split()},
    **{"container title": "booktitle", "issue": "number", "page": "pages"},
    **{"event": "eventtitle", "event place": "address"},
}
"""Names of lines in ``extra`` → BibTeX fields."""


@dataclass(slots=True)
class Extra:
    """The content of the field ``extra``, where plug-ins and readers put what has no other
    field."""

    fields: dict[str, str] = field(default_factory=dict)
    citekeys: list[str] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)
    rest: str = ""
    """The lines that the user wrote."""


def work_of(
    type_: str, fields: Mapping[str, str], creators: Sequence[Creator], extra: Extra
) -> tuple[str, PaperFacts]:
    """Return an item's BibTeX type, and the facts about the work."""
    entry_type = _TYPES.get(type_, "misc")
    if type_ == "thesis" and re.search(r"master|msc|diplom", fields.get("thesisType", ""), re.I):
        entry_type = "mastersthesis"
    bib_fields = dict(extra.fields)
    bib_fields.update(_bib_fields(entry_type, fields))
    bib_fields.update(_eprint(type_, fields, extra))
    editors = _names(creators, ("editor", "seriesEditor", "bookAuthor"))
    if editors:
        bib_fields.setdefault("editor", names_of(editors))
    return entry_type, facts_from(entry_type, bib_fields, _authors(creators))


def read_extra(text: str) -> Extra:
    """Parse the field ``extra``, which has lines such as ``name: value``."""
    extra, rest = Extra(), []
    for row in text.splitlines():
        match = _LINE.fullmatch(row.strip())
        if not match or not _take_line(extra, match[1].casefold().replace("_", " "), match[2]):
            rest.append(row)
    extra.rest = "\n".join(rest).strip()
    return extra


def _take_line(extra: Extra, name: str, value: str) -> bool:
    """Parse one line of ``extra``; return False if the line is the user's own text."""
    ours = name[4:] if name.startswith("tex.") else _EXTRA_FIELDS.get(name)
    if name in ("citation key", "citationkey", "bibtex"):
        key = clean(value.removeprefix("bibtex:")).strip()
        extra.citekeys += [key] if is_citekey(key) else []
    elif name in _READ_STATUS:
        extra.statuses.append(value)
    elif name == "arxiv":
        extra.fields |= _of_arxiv(value)
    elif ours is not None:
        extra.fields.setdefault(ours, value)
    else:
        return name.startswith("read status ")  # When it was set.
    return True


def _of_arxiv(value: str) -> dict[str, str]:
    """Parse an id in Zotero's form: ``2002.05160 [cs]``."""
    if parse_arxiv_id(value.partition("[")[0].strip()) is None:
        return {}
    category = _ARXIV_CATEGORY.search(value)
    fields = {"eprint": value.partition("[")[0].strip(), "archiveprefix": "arXiv"}
    return fields | ({"primaryclass": category[1]} if category and "." in category[1] else {})


def _bib_fields(entry_type: str, fields: Mapping[str, str]) -> dict[str, str]:
    result: dict[str, str] = {}
    for name, ours in _FIELDS.items():
        if fields.get(name, "").strip():
            result.setdefault(ours, fields[name])
    date = plain_date(fields.get("date") or fields.get("issueDate") or "")
    if date:
        result["date"] = date
        result.update({"month": month} if (month := month_of(date)) else {})
    if "urldate" in result:
        result["urldate"] = result["urldate"][:10]  # Without the time.
    publication = next((fields[name] for name in _PUBLICATIONS if fields.get(name)), "")
    if publication:
        result[_HOUSES.get(entry_type, "booktitle")] = publication
    if entry_type not in ("phdthesis", "mastersthesis", "techreport"):
        result.pop("type", None)
    return result


def plain_date(stored: str) -> str:
    """Return the date alone: Zotero stores ``2019-05-00 May 2019`` for ``2019-05``."""
    match = _STORED_DATE.match(stored)
    if match is None or match[1] == "0000":
        return stored
    return "-".join(part for part in match.groups() if part != "00")


def _eprint(type_: str, fields: Mapping[str, str], extra: Extra) -> dict[str, str]:
    """Return the arXiv id of a preprint, which has its own fields since Zotero 6."""
    if "eprint" in extra.fields:
        return {}
    archive = f"{fields.get('repository', '')} {fields.get('archive', '')}".casefold()
    number = fields.get("archiveID") or fields.get("archiveLocation") or fields.get("number") or ""
    is_arxiv = "arxiv" in archive or number.casefold().startswith("arxiv:")
    if type_ not in ("preprint", "journalArticle", "manuscript", "report") or not is_arxiv:
        return {}
    return _of_arxiv(number.removeprefix("arXiv:").removeprefix("arxiv:"))


def _authors(creators: Sequence[Creator]) -> tuple[Author, ...]:
    for role in _FIRST:
        if authors := _names(creators, (role,)):
            return authors
    others = [c for c in creators if c.role not in ("editor", "seriesEditor", "translator")]
    return people(map(_name, others)) if not _names(creators, ("editor",)) else ()


def _names(creators: Sequence[Creator], roles: Sequence[str]) -> tuple[Author, ...]:
    return people(_name(creator) for creator in creators if creator.role in roles)


def _name(creator: Creator) -> Author | None:
    if creator.is_one_name:
        return organisation(creator.family or creator.given)
    return person(creator.given, creator.family)
