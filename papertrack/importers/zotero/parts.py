"""What belongs to an item of Zotero's: notes and annotations as Markdown, and where its files are;
none that lies outside of its folder by a trick."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

from papertrack.errors import PapertrackError
from papertrack.importers.annotations import Annotation, annotation_parts
from papertrack.importers.files import read_head
from papertrack.importers.html import escaped, markdown_of
from papertrack.importers.zotero.rows import RawAnnotation, RawFile
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
_DOCUMENTS = {
    ".pdf": b"%PDF",
    ".epub": b"PK",
    ".djvu": b"AT&T",
    ".ps": b"%!",
}
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
        return Place(None, "its path begins in a folder that only Zotero's settings name")
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
        return Place(None, "its path is no place on this machine")
    begins = _DOCUMENTS.get(path.suffix.lower())
    try:
        if not path.is_file():
            return Place(None, NOT_THERE)
        if begins is None or not read_head(path, len(begins)).startswith(begins):
            return Place(None, "it is linked from outside, and is no PDF or book")
    except (PapertrackError, OSError):
        return Place(None, "its file cannot be read")
    return Place(path)
