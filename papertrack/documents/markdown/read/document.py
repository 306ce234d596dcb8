"""A README as text → what it holds. Start here: ``parse_document``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from papertrack.documents.markdown.marks.registry import marks_mean_read
from papertrack.documents.markdown.model import (
    Definition,
    Document,
    Entry,
    PlacedLink,
    Section,
    Table,
)
from papertrack.documents.markdown.read.blocks import (
    Block,
    Lines,
    cut_lines,
    find_definitions,
    is_too_long,
    parse_blocks,
    walk,
)
from papertrack.documents.markdown.read.html import (
    closes_details,
    details_extent,
    is_comment,
    opens_details,
    read_details,
    read_html,
    summary_of,
)
from papertrack.documents.markdown.read.inline import normalise_label
from papertrack.documents.markdown.read.left_out import find_left_out
from papertrack.documents.markdown.read.lists import (
    Context,
    is_paragraph_entry,
    links_in,
    make_entry,
    names_thing,
    own_span,
    paragraph_units,
    read_item,
    read_titled,
    starts_entry,
    sub_items,
)
from papertrack.documents.markdown.read.naming import plain
from papertrack.documents.markdown.read.places import with_places
from papertrack.documents.markdown.read.rows import read_rows, read_table
from papertrack.documents.markdown.read.style import learn_other_marks, learn_style
from papertrack.documents.markdown.roles import is_web
from papertrack.documents.markdown.settings import (
    apply_settings,
    apply_to_marks,
    column_settings,
)
from papertrack.documents.markdown.values import Span
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


def parse_document(text: str, settings: Mapping[str, str] | None = None) -> Document:
    """Return what a README holds. Never fails: what is not understood is in ``skipped``.

    ``settings`` is what the reader says about the document (see ``settings``).
    """
    settings = settings or {}
    lines = cut_lines(text)
    blocks = parse_blocks(lines)
    hidden = [
        (block.first, block.end)
        for block in walk(blocks)
        if block.kind == "html" and is_comment(lines, block)
    ]
    definitions = find_definitions(lines, hidden)
    by_label: dict[str, Definition] = {}
    for definition in definitions:
        by_label.setdefault(normalise_label(definition.label), definition)
    checks = settings.get("checks")
    is_mark = marks_mean_read(text) if checks is None else checks == "read"
    reader = _Reader(Context(lines, by_label, is_mark), blocks, column_settings(settings))
    reader.visit_all(blocks)
    entries = number_entries(reader.entries)
    sections = reader.finish(entries)
    learnt = learn_style(lines, entries, reader.tables, sections, definitions)
    style = apply_settings(learnt, settings)
    others = {
        group: apply_to_marks(marks, settings)
        for group, marks in learn_other_marks(text, entries, learnt.marks).items()
    }
    left_out = find_left_out(lines, blocks, definitions, entries, reader.skipped)
    return Document(
        text=text,
        title=reader.title,
        sections=sections,
        entries=with_places(entries, style.marks, others),
        tables=tuple(reader.tables),
        definitions=tuple(definitions),
        style=style,
        skipped=tuple(sorted((*reader.skipped, *left_out), key=attrgetter("line"))),
        line_starts=lines.starts,
        settings=settings,
        other_marks=others,
    )


def number_entries(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries in the order of the text, each with its index and a key of its own."""
    seen: dict[str, int] = {}
    numbered = []
    for index, entry in enumerate(sorted(entries, key=lambda entry: entry.span)):
        count = seen[entry.key] = seen.get(entry.key, 0) + 1
        key = entry.key if count == 1 else f"{entry.key}#{count}"
        numbered.append(replace(entry, index=index, key=key))
    return tuple(numbered)


def heading_name(markup: str) -> str:
    """Return a heading as a category's name: no emoji, numbering, markup or closing colon."""
    name = plain(_ASIDE.sub("", markup))
    name = name[match.end() :] if (match := _HEADING_LEAD.match(name)) else name
    return _HEADING_TAIL.sub("", name).strip() or plain(markup)


class _Reader:
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

    def visit_all(self, blocks: Sequence[Block]) -> None:
        done = 0
        for number, block in enumerate(blocks):
            if number < done:
                continue
            follower = blocks[number + 1] if number + 1 < len(blocks) else None
            done = number + self.take_whole(blocks, number)
            if done == number:
                self.visit(block, follower)

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
            self.headings = [(n, name) for n, name in self.headings if n < block.level]
            self.section = self.section_of_path(self.path())
        self.add([entry])
        return count

    def visit(self, block: Block, follower: Block | None) -> None:
        if block.kind == "heading":
            self.visit_heading(block)
        elif block.kind == "table":
            self.visit_table(block)
        elif block.kind == "list":
            self.visit_list(block)
        elif block.kind == "paragraph":
            self.visit_paragraph(block, follower)
        elif block.kind == "html":
            self.visit_html(block)
        else:
            self.visit_all(block.children)

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
        self.headings = [(lvl, name) for lvl, name in self.headings if lvl < block.level]
        self.headings.append((block.level, heading_name(markup)))
        self.details = []
        self.open_section(self.path(), block)

    def visit_table(self, block: Block) -> None:
        table = read_table(self.lines, block, len(self.tables), self.section, self.chosen_roles)
        rows = read_rows(
            self.lines,
            table,
            self.sections[self.section].path,
            self.context.definitions,
            marks_mean_read=self.context.marks_mean_read,
        )
        is_list = bool(rows) or table.column_of("title") is not None
        if is_list:
            self.tables.append(table)
        self.entries += rows

    def visit_list(self, block: Block) -> None:
        """Read the items; those without any link are entries if most of their siblings are."""
        linkless: list[Entry] = []
        kinds: list[Kind] = []
        for item in block.children:
            span = own_span(self.lines, item)
            if span is None:
                self.visit_all(item.children)
                continue
            unit = self.context.unit(span)
            cited = self.context.cited(unit)
            unit = cited or unit
            subs = sub_items(item)
            entries_below = [sub for sub in subs if starts_entry(self.context, sub)]
            if names_thing(unit) or cited:
                details = [c for c in item.children[1:] if c.kind == "paragraph"]
                details += [sub for sub in subs if sub not in entries_below]
                if entries_below:
                    details = [d for d in details if d.first < entries_below[0].first]
                numbered = item.marker[0].isdigit()
                entry = read_item(self.context, item, unit, details, numbered)
                self.add([entry])
                if entry.anatomy.links or cited:
                    kinds.append(entry.fields.kind)
                self.visit_subs(entries_below)
            elif any(self.holds_links(sub) for sub in subs):
                self.visit_group(item, span, subs)
            elif unit.title and not unit.links and "](#" not in self.lines.text[slice(*span)]:
                details = [c for c in item.children[1:] if c.kind == "paragraph"] + subs
                numbered = item.marker[:1].isdigit()
                linkless.append(read_item(self.context, item, unit, details, numbered))
        titles = not kinds and self.lists_papers(linkless)
        for entry in linkless:
            mark = entry.anatomy.mark
            if (mark and mark.kind.is_slot) or len(kinds) > len(linkless) or titles:
                kind = max(dict.fromkeys(kinds), key=kinds.count, default=entry.fields.kind)
                kind = "paper" if titles else kind
                self.add([replace(entry, fields=replace(entry.fields, kind=kind))])

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

    def visit_group(self, item: Block, span: Span, subs: Sequence[Block]) -> None:
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
            return
        if "[" not in text and "<" not in text and "://" not in text:
            return
        for span, unit in paragraph_units(self.context, block):
            if not unit.links:
                continue
            if is_paragraph_entry(unit):
                first = self.lines.number_of(span[0])
                end = self.lines.number_of(max(span[0], span[1] - 1)) + 1
                whole = self.lines.span(first, end)
                self.add([make_entry(self.context, unit, shape="paragraph", span=whole)])
            else:
                self.skip(span, unit.links, "A link in running text is not an entry.")

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
        held: dict[int, list[int]] = {}
        for entry in entries:
            held.setdefault(entry.section, []).append(entry.index)
        tables: dict[int, list[int]] = {}
        for table in self.tables:
            tables.setdefault(table.section, []).append(table.index)
        return tuple(
            replace(
                section,
                entries=tuple(held.get(section.index, ())),
                tables=tuple(tables.get(section.index, ())),
            )
            for section in self.sections
        )
