"""The kinds of edits of a document, and the patches of its text that implement them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from operator import attrgetter

from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.values import Span
from papertrack.records import LinkRole


@dataclass(frozen=True, slots=True)
class SetPasses:
    """Set the number of finished passes, 0 to 3. Marks that are dates need the date ``at``."""

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
    """Whether to escape every character that Markdown could misread."""


@dataclass(frozen=True, slots=True)
class SetDate:
    """Set the date, in ISO 8601; None removes it."""

    entry_index: int
    date: str | None


@dataclass(frozen=True, slots=True)
class SetVenue:
    """Set where the work was published, and the link to the publication."""

    entry_index: int
    venue: str | None
    """The venue as in the library; None removes it."""
    year: int | None = None
    url: str | None = None
    """The address of the publication."""


@dataclass(frozen=True, slots=True)
class SetLink:
    """Add a link with this role, unless the entry has it.

    If ``replaces`` is given, the link with that address is changed to ``url``. If ``url`` is None,
    the link ``replaces`` is removed, or without that, all links with the role.
    """

    entry_index: int
    role: LinkRole
    url: str | None
    label: str | None = None
    replaces: str | None = None
    is_beside: bool = False
    """Whether to add a paper's link beside an existing one, instead of replacing that."""

    def applied_to(self, addresses: Sequence[str]) -> list[str]:
        """Return the addresses of the role's links after this edit, given those before it."""
        if self.url is None and self.replaces is None:
            return []
        kept = [url for url in addresses if url not in (self.replaces, self.url)]
        return [*kept, self.url] if self.url else kept


@dataclass(frozen=True, slots=True)
class Move:
    """Move the entry to another category, which must exist."""

    entry_index: int
    category: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove the entry, and the link definitions that only it uses."""

    entry_index: int


@dataclass(frozen=True, slots=True)
class Add:
    """Add a new entry to an existing category, at its place in the order."""

    category: tuple[str, ...]
    fields: EntryFields
    is_escaped: bool = field(default=False, compare=False)
    """Whether to escape everything in it that Markdown could misread."""


Edit = SetPasses | SetRating | SetTitle | SetDate | SetVenue | SetLink | Move | Remove | Add


class NoPlaceError(Exception):
    """The document has no place for the value of an edit. The message is for the user."""


def no_place(entry: Entry, called: str) -> str:
    """Return a message that there is no place for a kind of value, and how to make one."""
    how = "Give the table a column" if entry.shape == "row" else "Write one beside an entry"
    return f"The document has no place for a {called}. {how} by hand, then import it."


@dataclass(frozen=True, slots=True)
class Refusal:
    """An edit that was refused, or a note about one."""

    edit: Edit
    reason: str
    """A sentence for the user."""


@dataclass(frozen=True, slots=True)
class Edited:
    """The result of applying edits."""

    text: str
    refused: tuple[Refusal, ...] = ()
    notes: tuple[Refusal, ...] = ()
    """What new entries had to leave out."""
    places: Mapping[Edit, int] = field(default_factory=dict)
    """Where the lines of added and moved entries begin in the text."""
    document: Document | None = None
    """The text, parsed; None before it is checked."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A replacement of ``span`` by ``text``. An empty span is an insertion."""

    span: Span
    text: str
    rank: int = 0
    """The order of insertions at one place. Equal ranks stay in the order of creation."""


def replaced(text: str, span: Span, content: str) -> Patch:
    """Return a patch for a value. If the new text is empty, a blank beside it is removed too."""
    start, end = span
    if not content:
        if text[start - 1 : start] == " ":
            start -= 1
        elif text[end : end + 1] == " ":
            end += 1
    return Patch((start, end), content)


def inserted(document: Document, offset: int, lines: str, rank: int = 0) -> Patch:
    """Return a patch that inserts whole lines, given without the last line end.

    If the document does not end with a line end, one is inserted first.
    """
    end = document.style.line_end
    is_open = offset and document.text[offset - 1] not in "\r\n"
    return Patch((offset, offset), end + lines if is_open else lines + end, rank)


def overlaps(first: Sequence[Patch], second: Sequence[Patch]) -> bool:
    """Return whether two sets of patches overlap, so that only one of them can be applied.

    Insertions at one place do not overlap, nor does an insertion at the edge of a replacement.
    """
    return any(a.span[0] < b.span[1] and b.span[0] < a.span[1] for a in first for b in second)


def patched(text: str, patches: Sequence[Patch]) -> str:
    """Return the text with these patches applied. They must not overlap."""
    pieces, position = [], 0
    for patch in sorted(patches, key=attrgetter("span", "rank")):
        pieces.append(text[position : patch.span[0]])
        pieces.append(patch.text)
        position = patch.span[1]
    pieces.append(text[position:])
    return "".join(pieces)


def place_in_patched(patch: Patch, patches: Sequence[Patch]) -> int:
    """Return where the text of one of these patches begins in the patched text."""
    ordered = sorted(patches, key=attrgetter("span", "rank"))
    before = takewhile(lambda other: other is not patch, ordered)
    return patch.span[0] + sum(
        len(other.text) - (other.span[1] - other.span[0]) for other in before
    )


def moved(offset: int, patches: Sequence[Patch]) -> int:
    """Return where an offset is in the patched text.

    Text that is inserted right before the offset moves it.
    """
    before = (patch for patch in patches if patch.span[1] <= offset)
    return offset + sum(len(patch.text) - patch.span[1] + patch.span[0] for patch in before)
