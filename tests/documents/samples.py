"""Fixtures of this folder, and short ways to look into documents."""

from __future__ import annotations

from pathlib import Path

from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Edit
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.records import Link, LinkRole

FIXTURES = Path(__file__).parent / "fixtures"


def fixture(name: str) -> Document:
    """Return the document in a fixture file."""
    return parse_document((FIXTURES / name).read_bytes().decode("utf-8"))


def entry_named(document: Document, start: str) -> Entry:
    """Return the one entry whose title starts so."""
    (found,) = [entry for entry in document.entries if entry.fields.title.startswith(start)]
    return found


def links_of(entry: Entry) -> list[tuple[str, str]]:
    return [(link.role, link.url) for link in entry.fields.links]


def paper(title: str, url: str, *more: tuple[LinkRole, str], **fields: object) -> EntryFields:
    """Return the fields of a new paper."""
    links = (Link("paper", url), *(Link(role, target) for role, target in more))
    return EntryFields(title=title, links=links, **fields)  # type: ignore[arg-type]


def edited(document: Document, *edits: Edit) -> str:
    """Return the text after edits, none of which may be refused."""
    result = apply_edits(document, edits)
    assert not result.refused, result.refused
    return result.text


def added_lines(old: str, new: str) -> list[str]:
    """Return the lines of ``new`` that are not in ``old``; every line of ``old`` must be there."""
    before, after = old.splitlines(), new.splitlines()
    position, extra = 0, []
    for line in after:
        if position < len(before) and line == before[position]:
            position += 1
        else:
            extra.append(line)
    assert position == len(before), f"lost: {before[position]!r}"
    return extra


def line_pairs(old: str, new: str) -> list[tuple[str, str]]:
    """Return the (old, new) lines that differ between texts with equally many lines."""
    pairs = zip(old.splitlines(), new.splitlines(), strict=True)
    return [pair for pair in pairs if pair[0] != pair[1]]
