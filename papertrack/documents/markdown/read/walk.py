"""A walk over the blocks of a README, which finds its entries and their sections."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from papertrack.documents.markdown.model import Entry, PlacedLink, Section, Table, Unit
from papertrack.documents.markdown.read.blocks import (
    Block,
    BlockKind,
    Context,
    Lines,
    is_comment,
    is_too_long,
)
from papertrack.documents.markdown.read.html import (
    closes_details,
    details_extent,
    opens_details,
    read_details,
    read_html,
    summary_of,
)
from papertrack.documents.markdown.read.inline import links_in, plain
from papertrack.documents.markdown.read.lists import (
    is_paragraph_entry,
    own_span,
    paragraph_units,
    paragraphs_of,
    read_item,
    read_titled,
    starts_entry,
    sub_items,
)
from papertrack.documents.markdown.read.naming import make_entry
from papertrack.documents.markdown.read.rows import read_table
from papertrack.documents.markdown.read.units import names_thing, read_cited, read_unit
from papertrack.documents.markdown.roles import is_web
from papertrack.documents.markdown.values import Span, most_common
from papertrack.records import Kind, Skipped
from papertrack.text import shorten

_PAPERS = re.compile(r"\bpapers?\b|\bto[- ]?read\b|\breading list\b|论文|文献", re.IGNORECASE)
_TITLE = re.compile(
    r"(?=.{12,250}$)(?=[^a-z])(?:\S+\s+){2,}\S*[^:：]|(?=.{8,250}$).*[\u4e00-\u9fff].*[^:：]"
)
_LEAD_IN = re.compile(
    r"\*\*(?P<name>[^*\r\n]{1,80})\*\*[:：]?[ \t]*|__(?P<name2>[^_\r\n]{1,80})__[:：]?"
)
_HEADING_LEAD = re.compile(
    r"(?:[^\w(\[\"'“‘「『《<$]|:[a-z0-9_+-]{1,40}:|<a\b[^<>]{0,200}>(?:</a>)?|[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}[.)、](?=\s)|[0-9]{1,2}\.[0-9]{1,2}(?=\s)|_)+"
)
_HEADING_TAIL = re.compile(r"(?:[^\w)\]!?+#.%\"'”’」』》*$-]|:[a-z0-9_+-]{1,40}:|[ ]#+)+$")
_ASIDE = re.compile(
    r"\[\[[^\[\]]{1,60}\]\]\([^()\s]{0,2000}\)|!\[[^\[\]]{0,300}\]\([^()\s]{0,2000}\)"
)


def heading_name(markup: str) -> str:
    """Return a heading as a category's name: no emoji, numbering, markup or closing colon."""
    name = plain(_ASIDE.sub("", markup))
    name = name[match.end() :] if (match := _HEADING_LEAD.match(name)) else name
    return _HEADING_TAIL.sub("", name).strip() or plain(markup)


@dataclass(slots=True)
class _Items:
    """What was found of a list so far."""

    kinds: list[Kind] = field(default_factory=list)
    """Of the entries with links."""
    linkless: list[Entry] = field(default_factory=list)
    """What may be entries though they have no link."""


class Walk:
    """A walk over the blocks that knows under which headings it is."""

    def __init__(
        self, context: Context, blocks: Sequence[Block], chosen_roles: Mapping[str, str]
    ) -> None:
        self.context = context
        self.chosen_roles = chosen_roles
        self.lines: Lines = context.lines
        self.entries: list[Entry] = []
        self.tables: list[Table] = []
        self.skipped: list[Skipped] = [
            Skipped(number + 1, "The line is too long to be a list of papers.", shorten(line))
            for number in range(len(self.lines))
            if is_too_long(self.lines, number)
            for line in [self.lines.line(number)[:400]]
        ]
        self.sections: list[Section] = [Section(0, (), 1, (0, 0))]
        self.section = 0
        self.headings: list[tuple[int, str]] = []
        self.details: list[str] = []
        tops = [b for b in blocks if b.kind == "heading" and b.level == 1]
        self.title_block = tops[0] if len(tops) == 1 else None
        self.title: str | None = None
        self.visits: dict[BlockKind, Callable[[Block], None]] = {
            "heading": self.visit_heading,
            "table": self.visit_table,
            "list": self.visit_list,
            "html": self.visit_html,
        }

    def visit_all(self, blocks: Sequence[Block]) -> None:
        """Read blocks that follow each other."""
        number = 0
        while number < len(blocks):
            taken = self.take_whole(blocks, number)
            if not taken:
                self.visit(blocks, number)
            number += max(taken, 1)

    def take_whole(self, blocks: Sequence[Block], number: int) -> int:
        """Read a paper that spans several blocks; return how many, 0 if none starts here."""
        block = blocks[number]
        entry, count = None, 0
        if block.kind == "html":
            count = details_extent(self.lines, blocks, number)
            entry = read_details(self.context, blocks[number : number + count]) if count else None
        elif block.kind == "heading" and block is not self.title_block:
            entry, count = read_titled(self.context, blocks[number : number + 2])
        if entry is None:
            return 0
        if block.kind == "heading":
            self.close_headings(block.level)
            self.section = self.section_of_path(self.path())
        self.add([entry])
        return count

    def visit(self, blocks: Sequence[Block], number: int) -> None:
        """Read one block as what it is; of others, what they hold."""
        block = blocks[number]
        if block.kind == "paragraph":
            follower = blocks[number + 1] if number + 1 < len(blocks) else None
            self.visit_paragraph(block, follower)
        elif visit := self.visits.get(block.kind):
            visit(block)
        else:
            self.visit_all(block.children)

    def close_headings(self, level: int) -> None:
        """Leave what stands under headings of this level and below."""
        self.headings = [(other, name) for other, name in self.headings if other < level]

    def path(self) -> tuple[str, ...]:
        names = [name for _, name in self.headings]
        return tuple(names + [name for name in self.details if name and name not in names])

    def open_section(self, path: tuple[str, ...], block: Block) -> None:
        span = self.lines.span(block.first, block.end)
        self.section = len(self.sections)
        self.sections.append(Section(self.section, path, block.first + 1, span))

    def add(self, entries: Sequence[Entry]) -> None:
        path = self.sections[self.section].path
        self.entries += [replace(e, section=self.section, category=path) for e in entries]

    def visit_heading(self, block: Block) -> None:
        line = self.lines.line(block.first)
        markup = line.strip().strip("#").strip() if line.lstrip().startswith("#") else line.strip()
        if block is self.title_block:
            self.title = heading_name(markup)
            return
        self.close_headings(block.level)
        self.headings.append((block.level, heading_name(markup)))
        self.details = []
        self.open_section(self.path(), block)

    def visit_table(self, block: Block) -> None:
        table, rows = read_table(
            self.context, block, len(self.tables), self.section, self.chosen_roles
        )
        if rows or table.column_of("title") is not None:
            self.tables.append(table)
        self.add(rows)

    def visit_list(self, block: Block) -> None:
        """Read the items; those without any link are entries if most of their siblings are."""
        found = _Items()
        for item in block.children:
            self.visit_item(item, found)
        self.add_linkless(found)

    def visit_item(self, item: Block, found: _Items) -> None:
        """Read an item: an entry, a group of entries, or perhaps a title without a link."""
        span = own_span(self.lines, item)
        if span is None:
            self.visit_all(item.children)
            return
        unit = read_unit(self.context, span)
        cited = read_cited(self.context, unit)
        subs = sub_items(item)
        if cited or names_thing(unit):
            self.take_item(item, cited or unit, found, is_cited=cited is not None)
        elif any(self.holds_links(sub) for sub in subs):
            self.visit_group(item, span)
        elif unit.anatomy.title and not unit.links and "](#" not in self.lines.text[slice(*span)]:
            details = paragraphs_of(item) + subs
            found.linkless.append(read_item(self.context, item, unit, details))

    def take_item(self, item: Block, unit: Unit, found: _Items, *, is_cited: bool) -> None:
        """Add an item's entry and those of its sub-items; the other sub-items are its details."""
        subs = sub_items(item)
        below = [sub for sub in subs if starts_entry(self.context, sub)]
        starts = {sub.first for sub in below}
        details = paragraphs_of(item) + [sub for sub in subs if sub.first not in starts]
        if below:
            details = [block for block in details if block.first < below[0].first]
        entry = read_item(self.context, item, unit, details)
        self.add([entry])
        if entry.anatomy.links or is_cited:
            found.kinds.append(entry.fields.kind)
        self.visit_subs(below)

    def add_linkless(self, found: _Items) -> None:
        """Add those items without a link that are entries: boxes to tick, titles under a heading
        that says papers, or a minority among items with links."""
        are_titles = not found.kinds and self.lists_papers(found.linkless)
        are_few = len(found.kinds) > len(found.linkless)
        kind: Kind | None = "paper" if are_titles else most_common(found.kinds)
        for entry in found.linkless:
            mark = entry.anatomy.mark
            if are_titles or are_few or (mark and mark.kind.is_slot):
                fields = replace(entry.fields, kind=kind or entry.fields.kind)
                self.add([replace(entry, fields=fields)])

    def lists_papers(self, entries: Sequence[Entry]) -> bool:
        """Return whether items without any link are titles of papers: their heading says papers,
        and nearly all of them look like titles."""
        path = self.sections[self.section].path
        looking = sum(_TITLE.fullmatch(entry.fields.title) is not None for entry in entries)
        return bool(path and _PAPERS.search(path[-1])) and looking * 5 >= len(entries) * 4 > 0

    def visit_subs(self, items: Sequence[Block]) -> None:
        if items:
            self.visit_list(Block("list", items[0].first, items[-1].end, children=list(items)))

    def holds_links(self, item: Block) -> bool:
        span = (self.lines.starts[item.first], self.lines.ends[item.end - 1])
        return bool(links_in(self.context, span))

    def visit_group(self, item: Block, span: Span) -> None:
        """Read the sub-items of an item that only names a group."""
        name = heading_name(self.lines.text[slice(*span)].split("\n")[0])
        outer = self.section
        if name and len(name) <= 80:
            path = (*self.sections[outer].path, name)
            first_line = Block("heading", item.first, item.first + 1)
            self.open_section(path, first_line)
        for child in item.children[1:]:
            if child.kind == "list":
                self.visit_list(child)
        self.section = outer

    def visit_paragraph(self, block: Block, follower: Block | None) -> None:
        text = self.lines.text[block.start : self.lines.ends[block.end - 1]]
        lead_in = _LEAD_IN.fullmatch(text.strip())
        if lead_in and follower and follower.kind in ("list", "table", "paragraph"):
            name = heading_name(lead_in["name"] or lead_in["name2"])
            self.open_section((*self.path(), name), block)
        elif "[" in text or "<" in text or "://" in text:
            for span, unit in paragraph_units(self.context, block):
                self.take_paragraph(span, unit)

    def take_paragraph(self, span: Span, unit: Unit) -> None:
        """Add the entry of a paragraph, or of a line of one; report links that are none."""
        if is_paragraph_entry(unit):
            first = self.lines.number_of(span[0])
            end = self.lines.number_of(max(span[0], span[1] - 1)) + 1
            whole = self.lines.span(first, end)
            self.add([make_entry(self.context, unit, shape="paragraph", span=whole)])
        elif unit.links:
            self.skip(span, unit.links, "A link in running text is no entry.")

    def visit_html(self, block: Block) -> None:
        if is_comment(self.lines, block):
            return
        text = self.lines.text[self.lines.starts[block.first] : self.lines.ends[block.end - 1]]
        if opens_details(text):
            name = heading_name(summary_of(text) or "")
            self.details.append(name)
            if name and not closes_details(text):
                self.open_section(self.path(), block)
        found, rest = read_html(self.context, block)
        self.add(found)
        for span, links in rest:
            self.skip(span, links, "A link in HTML that is not an entry.")
        for _ in range(closes_details(text)):
            if self.details:
                self.details.pop()
                self.section = self.section_of_path(self.path())

    def section_of_path(self, path: tuple[str, ...]) -> int:
        """Return the last section with a path; the current one if there is none."""
        for section in reversed(self.sections):
            if section.path == path:
                return section.index
        return self.section

    def skip(self, span: Span, links: Sequence[PlacedLink], reason: str) -> None:
        if any(is_web(link.url) and not link.is_badge for link in links):
            line = self.lines.number_of(span[0]) + 1
            self.skipped.append(Skipped(line, reason, shorten(self.lines.text[slice(*span)])))

    def finish(self, entries: Sequence[Entry]) -> tuple[Section, ...]:
        """Return the sections with what they hold."""
        held: dict[int, list[int]] = defaultdict(list)
        for entry in entries:
            held[entry.section].append(entry.index)
        tables: dict[int, list[int]] = defaultdict(list)
        for table in self.tables:
            tables[table.section].append(table.index)
        return tuple(
            replace(
                section,
                entries=tuple(held[section.index]),
                tables=tuple(tables[section.index]),
            )
            for section in self.sections
        )
