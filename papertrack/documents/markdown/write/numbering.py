"""Link definitions: which labels are free, where new ones go, which nobody needs any more.

A document in the style of the seed lists gives each paper a block of numbers (1, 6, 11, …; the size
is learnt), with the paper's title in a comment above. A further link of a paper takes the next free
number in the paper's own block; a new paper takes the next free block.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from papertrack.documents.markdown.model import Definition, Document, Entry, PlacedLink
from papertrack.documents.markdown.read.inline import normalise_label
from papertrack.documents.markdown.values import Span
from papertrack.documents.markdown.write.markup import escape_comment, safe_url
from papertrack.documents.markdown.write.patches import Patch, inserted
from papertrack.text import title_key

_COMMENT = re.compile(r"[ \t]*<!--(?P<inner>.*)-->[ \t]*")


@dataclass(frozen=True, slots=True)
class Block:
    """Definitions of a new paper."""

    labels: dict[str, str] = field(default_factory=dict)
    patches: list[Patch] = field(default_factory=list)


@dataclass(slots=True)
class Numbering:
    """The labels of a document while edits are made: those in use and those just given."""

    document: Document
    taken: set[str] = field(default_factory=set)
    by_label: dict[str, Definition] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for definition in self.document.definitions:
            self.by_label.setdefault(normalise_label(definition.label), definition)
        self.taken.update(self.by_label)

    def label_of(self, url: str) -> str | None:
        """Return the label of a definition that already has this address."""
        wanted = safe_url(url)
        found = (d.label for d in self.document.definitions if d.url in (url, wanted))
        return next(found, None)

    def title_numbers(self, entries: Sequence[Entry]) -> list[int]:
        """Return the numeric labels of the entries' first links, ascending."""
        firsts = (entry.anatomy.links[0].reference for entry in entries if entry.anatomy.links)
        return sorted(int(label) for label in firsts if label and label.isdecimal())

    def reference_like(
        self, sample: PlacedLink | None, entry: Entry, url: str
    ) -> tuple[str | None, list[Patch]]:
        """Return (label, patches) of a new link of an entry if a sample's are references."""
        if sample is None or sample.form != "reference":
            return None, []
        return self.extra(entry, url)

    def own_block(self, entry: Entry) -> tuple[int, int] | None:
        """Return (first number, first number behind) of a paper's own block, if it has one."""
        size = self.document.style.block_size
        title = next((link for link in entry.anatomy.links if link.reference), None)
        if size is None or title is None or not (title.reference or "").isdecimal():
            return None
        first = int(title.reference or "")
        return first, first + size

    def extra(self, entry: Entry, url: str) -> tuple[str, list[Patch]]:
        """Return (label, patches) of a definition for a further link of an entry."""
        if known := self.label_of(url):
            return known, []
        block = self.own_block(entry)
        if block is not None:
            used = [n for n in range(*block) if str(n) in self.taken]
            number = max(used, default=block[0]) + 1
            if number < block[1]:
                above = [self.by_label[str(n)] for n in used if str(n) in self.by_label]
                last = max(above, key=lambda definition: definition.line)
                return self._define(str(number), url, last.span[1], rank=number)
        numbers = self.title_numbers([entry])
        return self._append(self._next_number(numbers), url)

    def block(self, title: str, urls: Sequence[str], like: Sequence[Entry]) -> Block:
        """Return labels and patches of the definitions of a new paper, in the order of ``urls``.

        ``like`` are the entries of the same kind, whose numbers the new ones follow.
        """
        style = self.document.style
        numbers = self.title_numbers(like) or self._all_numbers()
        start = self._next_start(numbers)
        labels: dict[str, str] = {}
        lines = []
        for url in urls:
            if url in labels:
                continue
            known = self.label_of(url)
            if known is None:
                known = self._free_from(start)
                self.taken.add(known)
                lines.append(f"[{known}]: {safe_url(url)}")
            labels[url] = known
        if lines and style.has_title_comments and style.block_size:
            lines.insert(0, f"<!-- {escape_comment(title)} -->")
        if not lines:
            return Block(labels)
        text = style.line_end.join(lines)
        return Block(labels, [inserted(self.document, self._end_of(numbers), text, start)])

    def unneeded(self, entry: Entry) -> list[Patch]:
        """Return the patches that drop the definitions that only this entry uses."""
        labels = {normalise_label(link.reference) for link in entry.anatomy.links if link.reference}
        dropped = [
            self.by_label[label]
            for label in labels
            if label in self.by_label and not self.is_used_elsewhere(label, entry)
        ]
        return self.dropped(dropped, entry.fields.title)

    def dropped(self, definitions: Sequence[Definition], title: str) -> list[Patch]:
        """Return the patches that drop definitions, and the title's comment when its block goes."""
        gone = {definition.line for definition in definitions}
        patches = [Patch(definition.span, "") for definition in definitions]
        for definition in definitions:
            above = self._comment_above(definition, title)
            if above is not None and not self._has_rest(definition.line, gone):
                patches.append(Patch((above[0], definition.span[0]), ""))
        return patches

    def _comment_above(self, definition: Definition, title: str) -> Span | None:
        """Return where the comment stands above a definition, if it is this title."""
        if definition.line == 0:
            return None
        start, end = self.document.line_span(definition.line - 1)
        comment = _COMMENT.fullmatch(self.document.text, start, end)
        is_title = comment and title_key(comment["inner"]) == title_key(title)
        return (start, end) if is_title else None

    def _has_rest(self, line: int, gone: set[int]) -> bool:
        """Whether a block that starts at a line has a definition that is not gone."""
        while line in gone:
            line += 1
        return any(definition.line == line for definition in self.document.definitions)

    def dropped_label(self, label: str, title: str) -> list[Patch]:
        """Return the patches that drop one label's definition."""
        definition = self.by_label.get(normalise_label(label))
        return self.dropped([definition], title) if definition else []

    def is_shared(self, label: str, entry: Entry) -> bool:
        """Return whether a link's definition serves anything outside the entry too."""
        return self.is_used_elsewhere(normalise_label(label), entry)

    def retitled(self, entry: Entry, title: str) -> list[Patch]:
        """Return the patch of the comment that names the entry above its definitions."""
        span = self.comment_of(entry)
        return [Patch(span, f"<!-- {escape_comment(title)} -->")] if span else []

    def comment_of(self, entry: Entry) -> Span | None:
        """Return where the comment stands that names the entry above its definitions."""
        for link in entry.anatomy.links:
            definition = self.by_label.get(normalise_label(link.reference or ""))
            span = self._comment_above(definition, entry.fields.title) if definition else None
            if span is not None:
                return span
        return None

    def is_used_elsewhere(self, label: str, entry: Entry) -> bool:
        """Return whether anything outside the entry refers to a label."""
        return self.is_used(label, outside=entry.span)

    def is_used(self, label: str, *, outside: Span = (0, 0)) -> bool:
        """Return whether anything outside a span refers to a label."""
        text = self.document.text
        definition = self.by_label[label]
        for match in re.finditer(rf"\[{re.escape(definition.label)}\]", text, re.IGNORECASE):
            if outside[0] <= match.start() < outside[1]:
                continue
            if definition.span[0] <= match.start() < definition.span[1]:
                continue
            return True
        return False

    def _all_numbers(self) -> list[int]:
        return sorted(int(label) for label in self.by_label if label.isdecimal())

    def _next_number(self, numbers: Sequence[int]) -> str:
        return self._free_from(max(numbers or self._all_numbers() or [0]) + 1)

    def _free_from(self, number: int) -> str:
        while str(number) in self.taken:
            number += 1
        return str(number)

    def _next_start(self, numbers: Sequence[int]) -> int:
        """Return the first number of the next block behind these numbers."""
        highest = max([*numbers, 0])
        size = self.document.style.block_size
        if size is None:
            return highest + 1
        highest = max([highest, *(n for n in map(_number, self.taken) if 0 < n - highest < size)])
        offset = _common_remainder(self.document, size)
        start = highest + 1 + (offset - highest - 1) % size
        while any(str(n) in self.taken for n in range(start, start + size)):
            start += size
        return start

    def _end_of(self, numbers: Sequence[int]) -> int:
        """Return the offset behind the last definition of a run of numbers."""
        last = None
        highest = max([*numbers, 0])
        if size := self.document.style.block_size:
            highest += size - 1
        while not size and str(highest + 1) in self.taken:
            highest += 1  # Without blocks the last title's other links come next.
        for definition in self.document.definitions:
            number = _number(definition.label)
            if number <= highest and (last is None or number >= _number(last.label)):
                last = definition
        return last.span[1] if last else len(self.document.text)

    def _append(self, label: str, url: str) -> tuple[str, list[Patch]]:
        offset = max((d.span[1] for d in self.document.definitions), default=None)
        return self._define(label, url, len(self.document.text) if offset is None else offset)

    def _define(self, label: str, url: str, offset: int, rank: int = 0) -> tuple[str, list[Patch]]:
        self.taken.add(label)
        return label, [inserted(self.document, offset, f"[{label}]: {safe_url(url)}", rank)]


def _number(label: str) -> int:
    return int(label) if label.isdecimal() else -1


def _common_remainder(document: Document, size: int) -> int:
    """Return where blocks start: the commonest remainder of the numbers of titles."""
    firsts = [
        int(link.reference) % size
        for entry in document.entries
        for link in entry.anatomy.links[:1]
        if link.reference and link.reference.isdecimal()
    ]
    return max(dict.fromkeys(firsts), key=firsts.count) if firsts else 1 % size
