"""Link definitions: find free labels, add definitions, and remove unused ones.

Some lists reserve a block of numbers for each paper (1, 6, 11, …; the size is learnt) below a
comment with its title. A further link of a paper gets the next free number of the paper's block. A
new paper gets the next free block.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter

from papertrack.documents.markdown.model import Definition, Document, Entry, PlacedLink
from papertrack.documents.markdown.syntax import normalise_label
from papertrack.documents.markdown.values import Span, most_common
from papertrack.documents.markdown.write.edit_types import Patch, inserted
from papertrack.documents.markdown.write.markup import escape_comment, safe_url
from papertrack.text import title_key

Block = tuple[dict[str, str], list[Patch]]
"""The labels of a new paper's definitions by address, and the patches that add them."""
_COMMENT = re.compile(r"[ \t]*<!--(?P<inner>.*)-->[ \t]*")


class Numbering:
    """The labels of a document during edits, both existing and new ones."""

    def __init__(self, document: Document) -> None:
        self.document = document
        # Of definitions with the same label, the first counts.
        self.by_label = {normalise_label(d.label): d for d in reversed(document.definitions)}
        self.used = set(self.by_label)

    def label_of(self, url: str) -> str | None:
        """Return the label of an existing definition with this address, or None."""
        wanted = safe_url(url)
        labels = (d.label for d in self.document.definitions if d.url in (url, wanted))
        return next(labels, None)

    def title_numbers(self, entries: Sequence[Entry]) -> list[int]:
        """Return the numbers that the first links of these entries refer to."""
        firsts = (link.reference for entry in entries for link in entry.anatomy.links[:1])
        return [int(label) for label in firsts if label and label.isdecimal()]

    def label_like(
        self, sample: PlacedLink | None, entry: Entry, url: str
    ) -> tuple[str | None, list[Patch]]:
        """Return label and patches for a new link; (None, []) if the sample is no reference."""
        if sample is None or sample.form != "reference":
            return None, []
        return self.label_for_link(entry, url)

    def label_for_link(self, entry: Entry, url: str) -> tuple[str, list[Patch]]:
        """Return label and patches for a further link of an entry.

        It is the next free label of the paper's own block, or else a free label elsewhere.
        """
        if existing := self.label_of(url):
            return existing, []
        size = self.document.style.block_size
        title = next((link.reference for link in entry.anatomy.links if link.reference), "")
        block = range(int(title), int(title) + size) if size and title.isdecimal() else range(0)
        used = [n for n in block if str(n) in self.used]
        number = max(used, default=block.start) + 1
        if number in block:
            above = [self.by_label[str(n)] for n in used if str(n) in self.by_label]
            last = max(above, key=attrgetter("line"))
            return self._define(str(number), url, last.span[1], rank=number)
        numbers = self.title_numbers([entry]) or self._all_numbers()
        end = max((d.span[1] for d in self.document.definitions), default=len(self.document.text))
        return self._define(self._free_from(max(numbers, default=0) + 1), url, end)

    def block(self, title: str, urls: Sequence[str], like: Sequence[Entry]) -> Block:
        """Return labels and patches for the definitions of a new paper.

        The numbers continue those of the entries ``like`` it.
        """
        style = self.document.style
        numbers = self.title_numbers(like) or self._all_numbers()
        start = self._next_start(numbers)
        labels: dict[str, str] = {}
        lines = []
        for url in urls:
            if url in labels:
                continue
            label = self.label_of(url)
            if label is None:
                label = self._free_from(start)
                self.used.add(label)
                lines.append(f"[{label}]: {safe_url(url)}")
            labels[url] = label
        if lines and style.has_title_comments and style.block_size:
            lines.insert(0, f"<!-- {escape_comment(title)} -->")
        if not lines:
            return labels, []
        text = style.line_end.join(lines)
        return labels, [inserted(self.document, self._end_of(numbers), text, start)]

    def remove_unused(self, entry: Entry, links: Sequence[PlacedLink], *gone: Span) -> list[Patch]:
        """Return the patches that remove definitions used only in the removed spans ``gone``.

        The comment with the title is removed with the whole block.
        """
        labels = {normalise_label(link.reference) for link in links if link.reference}
        defined = [label for label in labels if label in self.by_label]
        unused = [label for label in defined if not self.is_used(label, *gone)]
        definitions = [self.by_label[label] for label in unused]
        lines = {definition.line for definition in definitions}
        patches = [Patch(definition.span, "") for definition in definitions]
        for definition in definitions:
            above = self._comment_above(definition, entry.fields.title)
            if above is not None and not self._has_rest(definition.line, lines):
                patches.append(Patch((above[0], definition.span[0]), ""))
        return patches

    def _comment_above(self, definition: Definition, title: str) -> Span | None:
        """Return the span of the line above a definition, if it is a comment with this title."""
        if definition.line == 0:
            return None
        start, end = self.document.line_span(definition.line - 1)
        return (start, end) if is_comment_of(self.document.text[start:end], title) else None

    def _has_rest(self, line: int, gone: set[int]) -> bool:
        """Return whether the block that starts at a line keeps any definition."""
        while line in gone:
            line += 1
        return any(definition.line == line for definition in self.document.definitions)

    def update_comment(self, entry: Entry, title: str) -> list[Patch]:
        """Return the patch that changes the title in the comment above an entry's definitions."""
        for link in entry.anatomy.links:
            definition = self.by_label.get(normalise_label(link.reference or ""))
            if definition and (span := self._comment_above(definition, entry.fields.title)):
                return [Patch(span, f"<!-- {escape_comment(title)} -->")]
        return []

    def is_used(self, label: str, *outside: Span) -> bool:
        """Return whether a label is used outside of these spans and of its definition."""
        definition = self.by_label[normalise_label(label)]
        written = re.compile(rf"\[{re.escape(definition.label)}\]", re.IGNORECASE)
        starts = (match.start() for match in written.finditer(self.document.text))
        spans = (*outside, definition.span)
        return any(not any(first <= at < end for first, end in spans) for at in starts)

    def _all_numbers(self) -> list[int]:
        return [int(label) for label in self.by_label if label.isdecimal()]

    def _free_from(self, number: int) -> str:
        """Return the first free label, starting with this number."""
        while str(number) in self.used:
            number += 1
        return str(number)

    def _next_start(self, numbers: Sequence[int]) -> int:
        """Return the first number of the next free block after these numbers."""
        highest = max([*numbers, 0])
        size = self.document.style.block_size
        if size is None:
            return highest + 1
        highest = max([highest, *(n for n in map(_number, self.used) if 0 < n - highest < size)])
        # New blocks are aligned with the blocks of existing entries.
        titles = self.title_numbers(self.document.entries)
        offset = most_common([number % size for number in titles or [1]]) or 0
        start = highest + 1 + (offset - highest - 1) % size
        while any(str(n) in self.used for n in range(start, start + size)):
            start += size
        return start

    def _end_of(self, numbers: Sequence[int]) -> int:
        """Return the offset at which to insert definitions after those of these numbers."""
        highest = max([*numbers, 0])
        if size := self.document.style.block_size:
            highest += size - 1
        while not size and str(highest + 1) in self.used:
            highest += 1  # Without blocks, the other links of the last entry follow directly.
        within = [d for d in self.document.definitions if _number(d.label) <= highest]
        last = max(reversed(within), key=lambda d: _number(d.label), default=None)
        return last.span[1] if last else len(self.document.text)

    def _define(self, label: str, url: str, offset: int, rank: int = 0) -> tuple[str, list[Patch]]:
        """Return a new label, and the patch that inserts its definition at an offset."""
        self.used.add(label)
        return label, [inserted(self.document, offset, f"[{label}]: {safe_url(url)}", rank)]


def is_comment_of(line: str, title: str) -> bool:
    """Return whether a line is a comment with this title."""
    comment = _COMMENT.fullmatch(line)
    return comment is not None and title_key(comment["inner"]) == title_key(title)


def _number(label: str) -> int:
    return int(label) if label.isdecimal() else -1
