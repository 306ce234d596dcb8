"""Notes and annotations of Zotero's as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from papertrack.importers.html import escaped, markdown_of
from papertrack.importers.zotero.rows import RawAnnotation
from papertrack.text import clean, clean_block

_KINDS = {1: "highlight", 2: "note", 3: "image", 4: "ink", 5: "underline", 6: "text"}
"""Zotero's numbers of the types, as its ``annotations.js`` has them."""
_COLOURS = {
    "#ffd400": "yellow",
    "#ff6666": "red",
    "#5fb236": "green",
    "#2ea8e5": "blue",
    "#a28ae5": "purple",
    "#e56eee": "magenta",
    "#f19837": "orange",
    "#aaaaaa": "grey",
}


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
    for _, annotation in ordered:
        parts += _parts_of(annotation)
    return "\n\n".join(parts) + "\n"


def _parts_of(annotation: RawAnnotation) -> Iterator[str]:
    """What it quotes, where and how it is marked, and what the reader wrote to it."""
    quoted = clean_block(annotation.text).strip()
    if quoted:
        yield "\n".join(f"> {escaped(line)}".rstrip() for line in quoted.splitlines())
    yield f"*{', '.join(filter(None, _about(annotation)))}*"
    comment = markdown_of(annotation.comment)
    if comment:
        yield comment


def _about(annotation: RawAnnotation) -> Iterator[str]:
    page = clean(annotation.page).strip()
    yield f"page {escaped(page)}" if page else ""
    yield _KINDS.get(annotation.type, "annotation")
    colour = clean(annotation.colour).strip().lower()
    name = _COLOURS.get(colour)
    yield f"{name} ({escaped(colour)})" if name else escaped(colour)
    yield escaped(clean(annotation.author))
