"""The kinds of edits of a document, and the patches of its text that they become."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.values import Span
from papertrack.records import LinkRole


@dataclass(frozen=True, slots=True)
class SetPasses:
    """Set how many passes are done, 0 to 3. ``at`` is needed if the mark is a date."""

    entry_index: int
    passes: int
    at: str | None = None


@dataclass(frozen=True, slots=True)
class SetRating:
    """Set the rating, 1 to 5; None removes it."""

    entry_index: int
    rating: int | None


@dataclass(frozen=True, slots=True)
class SetTitle:
    """Set the title. ``title`` is plain text and gets escaped."""

    entry_index: int
    title: str
    is_escaped: bool = field(default=False, compare=False)
    """Whether to escape every sign that Markdown could misread."""


@dataclass(frozen=True, slots=True)
class SetDate:
    """Set the ISO date; None removes it."""

    entry_index: int
    date: str | None


@dataclass(frozen=True, slots=True)
class SetVenue:
    """Set where the work was published, and the link to it."""

    entry_index: int
    venue: str | None
    """As in the library; None removes it."""
    year: int | None = None
    url: str | None = None
    """The address of the published work."""


@dataclass(frozen=True, slots=True)
class SetLink:
    """Add a link of a role, unless the entry has it.

    With ``replaces``, the link with that address gets the new address. With ``url`` None, the link
    ``replaces`` is removed, or all links of the role if that is None too.
    """

    entry_index: int
    role: LinkRole
    url: str | None
    label: str | None = None
    replaces: str | None = None
    is_beside: bool = False
    """Whether to add a paper's link beside an existing one instead of replacing it."""

    def applied_to(self, addresses: Sequence[str]) -> list[str]:
        """Return the addresses of the role's links after this edit, given those before it."""
        if self.url is None and self.replaces is None:
            return []
        kept = [url for url in addresses if url not in (self.replaces, self.url)]
        return [*kept, self.url] if self.url else kept


@dataclass(frozen=True, slots=True)
class Move:
    """Move the entry to another existing category."""

    entry_index: int
    category: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove the entry, with the link definitions that nothing else uses."""

    entry_index: int


@dataclass(frozen=True, slots=True)
class Add:
    """Add a new entry to an existing category, at its place in the order."""

    category: tuple[str, ...]
    fields: EntryFields
    is_plain: bool = field(default=False, compare=False)
    """Whether to write only its title and its link."""


Edit = SetPasses | SetRating | SetTitle | SetDate | SetVenue | SetLink | Move | Remove | Add


class NoPlaceError(Exception):
    """The document has no place for an edit's value. The message is for the user."""


def no_place(entry: Entry, called: str) -> str:
    """Return a message that an entry has no place for a kind of value.

    It also says how to give it one.
    """
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
    """The result of edits."""

    text: str
    refused: tuple[Refusal, ...] = ()
    notes: tuple[Refusal, ...] = ()
    """What new entries had to leave out."""


@dataclass(frozen=True, slots=True)
class Patch:
    """Replace ``span`` by ``text``; an empty span is an insertion."""

    span: Span
    text: str
    rank: int = 0
    """The order of insertions at one place; equal ranks stay in the order of creation."""


def replaced(text: str, span: Span, content: str) -> Patch:
    """Replace a span. If the new text is empty, the blank before or after it goes too."""
    start, end = span
    if not content:
        if text[start - 1 : start] == " ":
            start -= 1
        elif text[end : end + 1] == " ":
            end += 1
    return Patch((start, end), content)


def inserted(document: Document, offset: int, lines: str, rank: int = 0) -> Patch:
    """Insert whole lines, given without the last line end.

    If the document's last line has no line end, one is added first.
    """
    end = document.style.line_end
    is_open = offset and document.text[offset - 1] not in "\r\n"
    return Patch((offset, offset), end + lines if is_open else lines + end, rank)


def overlaps(first: Sequence[Patch], second: Sequence[Patch]) -> bool:
    """Return whether two sets of patches overlap, so that they cannot both be made.

    Insertions at one place do not overlap, nor does an insertion at the edge of a replacement.
    """
    return any(a.span[0] < b.span[1] and b.span[0] < a.span[1] for a in first for b in second)


def patched(text: str, patches: Sequence[Patch]) -> str:
    """Return the text with all patches applied. They must not overlap."""
    pieces, position = [], 0
    for patch in sorted(patches, key=lambda patch: (patch.span, patch.rank)):
        pieces.append(text[position : patch.span[0]])
        pieces.append(patch.text)
        position = patch.span[1]
    pieces.append(text[position:])
    return "".join(pieces)


def moved(offset: int, patches: Sequence[Patch]) -> int:
    """Return the position of an old offset in the patched text.

    Text inserted right before the offset moves it.
    """
    before = (patch for patch in patches if patch.span[1] <= offset)
    return offset + sum(len(patch.text) - (patch.span[1] - patch.span[0]) for patch in before)
