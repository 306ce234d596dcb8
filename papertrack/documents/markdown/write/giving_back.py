"""Giving entries their old texts again, with the link definitions that these refer to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.read.inline import normalise_label
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.patches import Patch, patched
from papertrack.documents.markdown.write.taking import Piece, defines, put_back


@dataclass(frozen=True, slots=True)
class OldText:
    """What an entry was before it was edited."""

    text: str
    pieces: tuple[Piece, ...] = ()
    """The definitions that the edits cut out."""
    comment: str | None = None
    """What named the entry above its definitions."""


def with_old_texts(start: Document, edited: Document, olds: Mapping[int, OldText]) -> str:
    """Return the text of ``edited``, made from ``start``, with entries as they were.

    ``olds`` are by the indexes of the entries. Definitions that were added for what the entries
    say now go, unless something else refers to them; those that were cut out come back. Whether
    the entries then say what they said is for the caller to see.
    """
    document = parse_document(_swapped(edited, olds), edited.settings)
    pieces = [piece for old in olds.values() for piece in old.pieces]
    known = {(d.label, d.url) for d in start.definitions}
    numbering = Numbering(document)
    unneeded = [
        definition
        for definition in document.definitions
        if (definition.label, definition.url) not in known
        and (
            any(defines(piece, definition.label) for piece in pieces)
            or not numbering.is_used(normalise_label(definition.label))
        )
    ]
    if unneeded:
        text = patched(document.text, [Patch(definition.span, "") for definition in unneeded])
        document = parse_document(text, edited.settings)
    if pieces:
        text, _ = put_back(document, sorted(pieces, key=lambda piece: -piece.order))
        document = parse_document(text, edited.settings)
    return _with_comments(document, olds)


def _with_comments(document: Document, olds: Mapping[int, OldText]) -> str:
    if len(document.entries) <= max(olds):
        return document.text  # Something went wrong before: it will be seen.
    numbering = Numbering(document)
    patches = []
    for index, old in olds.items():
        span = numbering.comment_of(document.entries[index]) if old.comment else None
        if span is not None and old.comment:
            patches.append(Patch(span, old.comment))
    return patched(document.text, patches)


def _swapped(document: Document, olds: Mapping[int, OldText]) -> str:
    patches: list[Patch] = []
    end = 0
    for index in sorted(olds, key=lambda index: document.entries[index].span):
        span = document.entries[index].span
        if span[0] >= end:  # One inside another goes with it.
            patches.append(Patch(span, olds[index].text))
            end = span[1]
    return patched(document.text, patches)
