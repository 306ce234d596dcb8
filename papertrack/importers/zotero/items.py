"""A Zotero library → its items, each with what belongs to it, and what is left out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

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
from papertrack.importers.html import Annotation, annotation_parts, escaped, markdown_of
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
"""Zotero's numbers of the types, as its ``annotations.js`` has them."""


def note_text(html: str, title: str) -> str:
    """A note, under the title of what it is about; nothing for one without a word."""
    body = markdown_of(html)
    return f"# {heading(title)}\n\n{body}\n" if body else ""


def heading(title: str) -> str:
    """A title as the first line of a note has it."""
    return escaped(clean(title)) or "Note"


def annotations_text(title: str, file: str, found: Mapping[str, RawAnnotation]) -> str:
    """All annotations of a file, in the order of its pages, each with its key."""
    ordered = sorted(found.items(), key=lambda pair: (pair[1].order, pair[0]))
    parts = [f"# {heading(title)}", f"Annotations of {escaped(clean(file))}"]
    for _, one in ordered:
        kind = _KINDS.get(one.type, "annotation")
        comment = markdown_of(one.comment)
        annotation = Annotation(one.page, kind, one.colour, one.text, comment, one.author)
        parts += annotation_parts(annotation, {})
    return "\n\n".join(parts) + "\n"


LINKED_FILE, LINKED_ADDRESS = 2, 3
"""Zotero's link modes; 0 and 1 are files in its own storage, 4 pictures in notes."""
NOT_THERE = "its file is not there"
_STORED = "storage:"
_BASE = "attachments:"
_DOCUMENTS = {".pdf": b"%PDF", ".epub": b"PK", ".djvu": b"AT&T", ".ps": b"%!"}
"""How files that may be linked from anywhere begin: a stranger's database could name any file."""


class Place(NamedTuple):
    """Where a file is, or why it cannot be had."""

    path: Path | None
    problem: str = ""


def place_of(file: RawFile, key: str, folder: Path | None) -> Place:
    """Where an attachment's file is, in the Zotero folder that this one of its database is in."""
    if file.path.startswith(_STORED):
        return _stored(file.path.removeprefix(_STORED), key, folder)
    if file.path.startswith(_BASE):
        return Place(None, "its path begins in a folder that only Zotero's settings know")
    if file.path:
        return _linked(file.path)
    return Place(None, "no file is named")


def name_of(file: RawFile) -> str:
    """What its file is called."""
    name = file.path.partition(":")[2] if file.path.startswith((_STORED, _BASE)) else file.path
    return clean(PureWindowsPath(PurePosixPath(name).name).name)


def _stored(name: str, key: str, folder: Path | None) -> Place:
    if folder is None:
        return Place(None, "its file is in Zotero")
    if not _is_name(name) or not _is_name(key):
        return Place(None, "its path leads out of Zotero's folder")
    home = (folder / "storage" / key).resolve()
    path = home / name
    if not path.is_file():
        return Place(None, NOT_THERE)
    if not path.resolve().is_relative_to(home):
        return Place(None, "its path leads out of Zotero's folder")
    return Place(path)


def _is_name(name: str) -> bool:
    """Whether it names a file in a folder and nothing else, on any system."""
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
        counts = {"memberships": self.members, "notes": self.notes}
        return source.counted() | {"collections": len(self.paths)} | counts

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
            return "it belongs to a feed, not to a library"
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
        extra = read_extra(fields.get("extra", ""))
        type_, facts = work_of(one.type, fields, self.rows.creators.get(one.id, []), extra)
        own_key = clean(fields.get("citationKey", "")).strip()
        children = [part for part in self.children.get(one.id, ()) if not self._why_not(part)]
        title = facts.title or one.key
        written = [*self._notes(title, children)]
        if extra.rest:
            text = note_text(extra.rest, title)
            written.append(ItemNote(f"{self._key(one)}-extra", text))
        files = [*self._files(children)]
        links = (*facts.links, *self._addresses(children, facts.links))
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
            yield (line(group[1]) or "…",)

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
            names.insert(0, line(found.name) or "…")
            at = found.parent
        group = self.rows.groups.get(found.library)
        return (line(group[1]) or "…", *names) if group else tuple(names)

    def _notes(self, title: str, children: list[RawItem]) -> Iterator[ItemNote]:
        for part in children:
            if part.type == "note":
                self.notes += 1
                text = note_text(self.rows.notes[part.id].html, title)
                yield ItemNote(self._key(part), text, stands_for=1)
            elif part.type == "attachment":
                yield from self._notes_in(part, title)

    def _notes_in(self, part: RawItem, title: str) -> Iterator[ItemNote]:
        """What the reader wrote into a file's own note, and all annotations of the file."""
        own = self.rows.notes.get(part.id)
        if own is not None and (text := note_text(own.html, title)):
            yield ItemNote(self._key(part), text)
        found: dict[str, RawAnnotation] = {
            child.key: self.rows.annotations[child.id]
            for child in self.children.get(part.id, ())
            if child.id in self.rows.annotations and not self._why_not(child)
        }
        if found:
            file = name_of(self.rows.files[part.id]) or part.key
            text = annotations_text(title, file, found)
            number = len(found)
            yield ItemNote(f"{self._key(part)}-annotations", text, number, number)

    def _files(self, children: list[RawItem]) -> Iterator[ItemFile]:
        for part in children:
            file = self.rows.files.get(part.id) if part.type == "attachment" else None
            if file is None:
                continue
            name = name_of(file) or self._name(part)
            if file.mode == LINKED_ADDRESS:
                yield ItemFile(self._key(part), None, name, stands_for=1)
                continue
            place = place_of(file, part.key, self.folder)
            yield ItemFile(self._key(part), place.path, name, place.problem, stands_for=1)

    def _addresses(self, children: list[RawItem], known: tuple[Link, ...]) -> Iterator[Link]:
        """The addresses that are attached, as far as they are none that the item has."""
        seen = {normalise_url(link.url) for link in known}
        for part in children:
            file = self.rows.files.get(part.id) if part.type == "attachment" else None
            address = clean(self.rows.fields.get(part.id, {}).get("url", ""))
            if file is None or file.mode != LINKED_ADDRESS:
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


def _moment(stored: str) -> str | None:
    """A time as Zotero keeps it, in UTC, as ISO 8601 has it with its offset."""
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
"""Zotero's types as BibTeX or biblatex call them; all others are ``misc``."""
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
_HOUSES = {
    "article": "journal",
    **dict.fromkeys(("inproceedings", "incollection"), "booktitle"),
}
"""Where the name of the publication goes, by the type."""
_PUBLICATIONS = (
    *("publicationTitle", "proceedingsTitle", "bookTitle", "encyclopediaTitle", "dictionaryTitle"),
    *("websiteTitle", "blogTitle", "forumTitle"),
)
_FIRST = ("author", "programmer", "presenter", "inventor", "artist", "podcaster", "interviewee")
"""Who made a work, by what they are called for its type; the first kind that there is."""
_LINE = re.compile(r"([A-Za-z][\w .-]{0,40}?)\s*[:=]\s*(\S.*)")
_READ_STATUS = frozenset(("read status", "reading status", "status"))
_STORED_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:\s|$)")
_ARXIV_CATEGORY = re.compile(r"\[([a-z-]+(?:\.[A-Za-z-]+)?)\]")
_EXTRA_FIELDS = {
    **{name: name for name in "doi pmid pmcid issn isbn url publisher volume".split()},
    **{"container title": "booktitle", "issue": "number", "page": "pages"},
    **{"event": "eventtitle", "event place": "address"},
}
"""What lines of ``extra`` say that no field of an item's type had a place for."""


class Extra(NamedTuple):
    """What is in the field ``extra``, where plug-ins and readers put what had no place."""

    fields: dict[str, str]
    citekeys: tuple[str, ...]
    statuses: tuple[str, ...]
    rest: str
    """The lines that are the reader's own words."""


def work_of(
    type_: str, fields: Mapping[str, str], creators: Sequence[Creator], extra: Extra
) -> tuple[str, PaperFacts]:
    """The type of an item as BibTeX has it, and what it says of the work."""
    entry_type = _type_of(type_, fields)
    named = dict(extra.fields)
    named.update(_bib_fields(entry_type, fields))
    named.update(_eprint(type_, fields, extra))
    editors = _names(creators, ("editor", "seriesEditor", "bookAuthor"))
    if editors:
        named.setdefault("editor", names_of(editors))
    return entry_type, facts_from(entry_type, named, _authors(creators))


def read_extra(text: str) -> Extra:
    """Take apart what is in ``extra``: one thing a line, ``name: value``."""
    found = Extra({}, (), (), "")
    rest = []
    for row in text.splitlines():
        told = _LINE.fullmatch(row.strip())
        name = told[1].casefold().replace("_", " ") if told else ""
        better = _with_line(found, name, told[2]) if told else None
        if better is None:
            rest.append(row)
        else:
            found = better
    return found._replace(rest="\n".join(rest).strip())


def _with_line(found: Extra, name: str, value: str) -> Extra | None:
    """What is known with one more line; None for one that is the reader's own."""
    if name in ("citation key", "citationkey", "bibtex"):
        key = clean(value.removeprefix("bibtex:")).strip()
        return found._replace(citekeys=(*found.citekeys, key)) if is_citekey(key) else found
    if name in _READ_STATUS:
        return found._replace(statuses=(*found.statuses, value))
    if name.startswith("read status "):  # When it was set.
        return found
    if name == "arxiv":
        return found._replace(fields={**found.fields, **_of_arxiv(value)})
    if name.startswith("tex."):
        return found._replace(fields={name[4:]: value, **found.fields})
    if name in _EXTRA_FIELDS:
        return found._replace(fields={_EXTRA_FIELDS[name]: value, **found.fields})
    return None


def _of_arxiv(value: str) -> dict[str, str]:
    """An id as Zotero writes it: ``2002.05160 [cs]``."""
    if parse_arxiv_id(value.partition("[")[0].strip()) is None:
        return {}
    category = _ARXIV_CATEGORY.search(value)
    told = {"eprint": value.partition("[")[0].strip(), "archiveprefix": "arXiv"}
    return told | ({"primaryclass": category[1]} if category and "." in category[1] else {})


def _type_of(type_: str, fields: Mapping[str, str]) -> str:
    found = _TYPES.get(type_, "misc")
    if type_ == "thesis" and re.search(r"master|msc|diplom", fields.get("thesisType", ""), re.I):
        return "mastersthesis"
    return found


def _bib_fields(entry_type: str, fields: Mapping[str, str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for name, ours in _FIELDS.items():
        if fields.get(name, "").strip():
            named.setdefault(ours, fields[name])
    date = plain_date(fields.get("date") or fields.get("issueDate") or "")
    if date:
        named["date"] = date
        named.update({"month": month} if (month := month_of(date)) else {})
    if "urldate" in named:
        named["urldate"] = named["urldate"][:10]  # Without the time.
    publication = next((fields[name] for name in _PUBLICATIONS if fields.get(name)), "")
    if publication:
        named[_HOUSES.get(entry_type, "booktitle")] = publication
    if entry_type not in ("phdthesis", "mastersthesis", "techreport"):
        named.pop("type", None)
    return named


def plain_date(stored: str) -> str:
    """A date without what Zotero keeps beside it: ``2019-05-00 May 2019`` is ``2019-05``."""
    found = _STORED_DATE.match(stored)
    if found is None or found[1] == "0000":
        return stored
    return "-".join(part for part in found.groups() if part != "00")


def _eprint(type_: str, fields: Mapping[str, str], extra: Extra) -> dict[str, str]:
    """The arXiv id of a preprint, which has fields of its own since Zotero 6."""
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
        if found := _names(creators, (role,)):
            return found
    others = [one for one in creators if one.role not in ("editor", "seriesEditor", "translator")]
    return people(map(_name, others)) if not _names(creators, ("editor",)) else ()


def _names(creators: Sequence[Creator], roles: Sequence[str]) -> tuple[Author, ...]:
    return people(_name(one) for one in creators if one.role in roles)


def _name(creator: Creator) -> Author | None:
    if creator.is_one_name:
        return organisation(creator.family or creator.given)
    return person(creator.given, creator.family)
