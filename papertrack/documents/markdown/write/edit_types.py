"""The edits that a document knows, and the patches of its text that they become."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.values import Span
from papertrack.records import LinkRole


@dataclass(frozen=True, slots=True)
class SetPasses:
    """Mark how many passes are done, 0 to 3; ``at`` is for documents whose mark is a date."""

    entry_index: int
    passes: int
    at: str | None = None


@dataclass(frozen=True, slots=True)
class SetRating:
    """Rate, 1 to 5; None takes the rating away."""

    entry_index: int
    rating: int | None


@dataclass(frozen=True, slots=True)
class SetTitle:
    """Retitle; ``title`` is plain text and is escaped."""

    entry_index: int
    title: str
    is_escaped: bool = field(default=False, compare=False)
    """Whether all of it is escaped, where Markdown would take some of it for something else."""


@dataclass(frozen=True, slots=True)
class SetDate:
    """Set the ISO date; None takes it away."""

    entry_index: int
    date: str | None


@dataclass(frozen=True, slots=True)
class SetVenue:
    """Say where the work was published, with the link to it there."""

    entry_index: int
    venue: str | None
    """As the library has it; None takes it away."""
    year: int | None = None
    url: str | None = None
    """Where the published work is."""


@dataclass(frozen=True, slots=True)
class SetLink:
    """Add a link of a role, unless the entry has it.

    With ``replaces``, the link with that address gets the new one; with ``url`` None, the link
    ``replaces`` goes, or without that all links of the role.
    """

    entry_index: int
    role: LinkRole
    url: str | None
    label: str | None = None
    replaces: str | None = None
    is_beside: bool = False
    """Whether a link to the paper is next to the one that is there, not in its place."""

    def applied_to(self, addresses: Sequence[str]) -> list[str]:
        """Return the addresses of the role's links after this edit, from those before it."""
        if self.url is None and self.replaces is None:
            return []
        kept = [url for url in addresses if url not in (self.replaces, self.url)]
        return [*kept, self.url] if self.url else kept


@dataclass(frozen=True, slots=True)
class Move:
    """Move the entry to another category that the document has."""

    entry_index: int
    category: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remove:
    """Take the entry out, with the link definitions that nothing else uses."""

    entry_index: int


@dataclass(frozen=True, slots=True)
class Add:
    """Add a new entry to a category that the document has, at its place in the order."""

    category: tuple[str, ...]
    fields: EntryFields
    is_plain: bool = field(default=False, compare=False)
    """Whether only what it cannot do without is written: its title and its link."""


Edit = SetPasses | SetRating | SetTitle | SetDate | SetVenue | SetLink | Move | Remove | Add


class NoPlaceError(Exception):
    """A document has no place for what an edit says; the message is for the user."""


def no_place(entry: Entry, called: str) -> str:
    """Return the sentence that something has no place in an entry, and how to give it one."""
    how = "Give the table a column" if entry.shape == "row" else "Write one beside an entry"
    return f"The document has no place for a {called}. {how} by hand, then import it."


@dataclass(frozen=True, slots=True)
class Refusal:
    """An edit that was not made."""

    edit: Edit
    reason: str
    """A sentence for the user."""


@dataclass(frozen=True, slots=True)
class Edited:
    """The outcome of edits."""

    text: str
    refused: tuple[Refusal, ...] = ()
    notes: tuple[Refusal, ...] = ()
    """What new entries that were written do not say."""


@dataclass(frozen=True, slots=True)
class Patch:
    """Put ``text`` in the place of ``span``; an empty span is an insertion."""

    span: Span
    text: str
    rank: int = 0
    """Insertions at one place stand in the order of their ranks, equal ranks as they were made."""


def replaced(text: str, span: Span, content: str) -> Patch:
    """Replace a span; with nothing, the blank that kept it apart goes too."""
    start, end = span
    if not content:
        if text[start - 1 : start] == " ":
            start -= 1
        elif text[end : end + 1] == " ":
            end += 1
    return Patch((start, end), content)


def inserted(document: Document, offset: int, lines: str, rank: int = 0) -> Patch:
    """Insert whole lines, given without the last one's end; behind a last line of the document
    that has none, the line end comes first."""
    end = document.style.line_end
    is_open = offset and document.text[offset - 1] not in "\r\n"
    return Patch((offset, offset), end + lines if is_open else lines + end, rank)


def overlaps(first: Sequence[Patch], second: Sequence[Patch]) -> bool:
    """Return whether two sets of patches meet, so that one cannot be made without the other.

    Insertions at one place do not meet; an insertion at the edge of a replacement does not.
    """
    return any(a.span[0] < b.span[1] and b.span[0] < a.span[1] for a in first for b in second)


def patched(text: str, patches: Sequence[Patch]) -> str:
    """Return the text with all patches made. They must not overlap."""
    pieces, position = [], 0
    for patch in sorted(patches, key=lambda patch: (patch.span, patch.rank)):
        pieces.append(text[position : patch.span[0]])
        pieces.append(patch.text)
        position = patch.span[1]
    pieces.append(text[position:])
    return "".join(pieces)


def moved(offset: int, patches: Sequence[Patch]) -> int:
    """Return where an offset of the old text is in the patched text.

    Text inserted right before the offset pushes it on.
    """
    before = (patch for patch in patches if patch.span[1] <= offset)
    return offset + sum(len(patch.text) - (patch.span[1] - patch.span[0]) for patch in before)
