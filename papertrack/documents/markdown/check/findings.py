"""The kinds of findings, and which ones a document accepts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from papertrack.documents.markdown.model import Document

FindingKind = Literal[
    "duplicate",
    "several-sections",
    "shared-address",
    "wrong-title",
    "published",
    "date",
    "no-link",
    "empty-link",
    "broken-address",
    "dead-link",
    "missing-note",
    "missing-file",
    "undefined-reference",
    "repeated-definition",
    "unused-definition",
    "ragged-row",
    "same-work",
    "odd-entry",
    "not-read",
]
FINDING_KINDS: tuple[FindingKind, ...] = get_args(FindingKind)
Level = Literal["note", "warning", "error"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The levels, the least severe first."""


class Rule(NamedTuple):
    """The level and the description of a kind of finding."""

    level: Level
    meaning: str


RULES: dict[FindingKind, Rule] = {
    "duplicate": Rule("error", "The same work is listed twice in one section."),
    "several-sections": Rule(
        "note", "The same work is listed in several sections, perhaps on purpose."
    ),
    "shared-address": Rule(
        "warning",
        "Two works have the same address, although it can belong to only one: "
        "probably a pasting mistake.",
    ),
    "wrong-title": Rule("warning", "The title belongs to another work than the address."),
    "published": Rule("note", "The entry links the preprint of a work that has been published."),
    "date": Rule("warning", "The date contradicts the arXiv id."),
    "no-link": Rule("warning", "The entry has no link, although its neighbours have one."),
    "empty-link": Rule("warning", "The link has no address, or no visible text."),
    "broken-address": Rule("error", "Something precedes the scheme, so the link leads nowhere."),
    "dead-link": Rule("error", "The address no longer exists; only checked with --links."),
    "missing-note": Rule(
        "error", "The entry links a note, but there is no such file beside the document."
    ),
    "missing-file": Rule("error", "A relative link leads to a missing file or folder."),
    "undefined-reference": Rule("error", "The label of a reference is not defined."),
    "repeated-definition": Rule("error", "A label is defined twice, with different addresses."),
    "unused-definition": Rule("note", "No link uses this definition."),
    "ragged-row": Rule("warning", "A row has more or fewer cells than its table has columns."),
    "same-work": Rule(
        "note",
        "Two entries of a .bib file are the same work, perhaps a preprint and its publication.",
    ),
    "odd-entry": Rule(
        "warning",
        "An entry of a .bib file has a key or a field twice, or its crossref parent is missing.",
    ),
    "not-read": Rule("error", "An entry of a .bib file, or the marker of a table, cannot be read."),
}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A problem that the curator wants to know about before a commit."""

    line: int
    """Counted from 1."""
    kind: FindingKind
    message: str
    """A sentence for the user. It quotes the document, so clean it before showing it."""
    about: str = ""
    """The entry, identifier, definition or address concerned, without its line.

    It identifies the finding in other versions of the document.
    """
    other_line: int | None = None
    """The line of the other entry, for findings about two entries."""

    @property
    def level(self) -> Level:
        """The level of its kind."""
        return RULES[self.kind].level


_ACCEPTS = re.compile(r"<!--\s{0,9}papertrack:\s{0,9}ignore\b(?P<kinds>[^<>]{0,400}?)-->", re.I)
_ALONE = re.compile(r"[\s>]*(?:<!--(?:(?!-->).)*-->\s*)+$")


def read_accepted(document: Document) -> set[tuple[int, str]]:
    """Return the lines, counted from 1, and kinds of the findings that the document accepts.

    ``<!-- papertrack: ignore duplicate, date -->`` is in the line of the finding, or alone in the
    line above. Without kinds, or with ``all``, it accepts every kind.
    """
    accepted: set[tuple[int, str]] = set()
    for match in _ACCEPTS.finditer(document.text):
        kinds = set(re.findall(r"[a-z-]{3,}", match["kinds"].lower())) or {"all"}
        line = document.line_of(match.start())
        is_alone = _ALONE.match(document.line(line - 1)) is not None
        numbers = (line, line + 1) if is_alone else (line,)
        accepted |= {(n, kind) for n in numbers for kind in FINDING_KINDS if kinds & {kind, "all"}}
    return accepted
