"""What a check of a document finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

FindingKind = Literal[
    "duplicate",  # the same work twice in one section
    "several-sections",  # the same work in different sections, perhaps on purpose
    "shared-address",  # two works with one address: one of them was pasted
    "undefined-reference",
    "unused-definition",
    "repeated-definition",
    "ragged-row",
    "empty-link",
    "broken-address",  # [text]([https://…): no browser follows it
    "missing-note",
    "date",  # contradicts the arXiv id
    "no-link",
]
FINDING_KINDS: tuple[FindingKind, ...] = get_args(FindingKind)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a curator wants to know before a commit."""

    line: int
    """Counted from 1."""
    kind: FindingKind
    message: str
    """A sentence. It quotes the document, so it is cleaned before it is shown."""
