"""Visit the blocks of a README to find its entries and sections."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from papertrack.documents.markdown import syntax
from papertrack.documents.markdown.model import (
    Anatomy,
    Entry,
    EntryFields,
    Mention,
    Section,
    Shape,
    Table,
    Unit,
)
from papertrack.documents.markdown.read import (
    detail_lines,
    heading_entries,
    lists,
    multi_block,
    non_entries,
)
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.entry_builder import make_entry
from papertrack.documents.markdown.read.tables import (
    MarkColumn,
    is_row,
    learn_tables,
    mark_columns,
    pieces_of,
    read_row,
    read_table,
)
from papertrack.documents.markdown.roles import is_web, role_word, strong_identifier
from papertrack.documents.markdown.values import Span
from papertrack.records import Kind, Skipped
from papertrack.text import shorten

_LEAD_IN = re.compile(
    r"\*\*(?P<name>[^*\r\n]{1,80})\*\*[:：]?[ \t]*|__(?P<name2>[^_\r\n]{1,80})__[:：]?"
)
_LED_IN = ("list", "table", "paragraph")
"""Blocks that, below a bold line, make the line the name of a category."""
_HEADING_LEAD = re.compile(
    r"(?::[a-z0-9_+-]{1,40}:|[^\w(\[\"'“‘「『《<$]|<a\b[^<>]{0,200}>(?:</a>)?|[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}[.)、](?=\s)|[0-9]{1,2}\.[0-9]{1,2}(?=\s)|_)+"
)
_HEADING_TAIL = re.compile(r"(?:[^\w)\]）】!?+#.%\"'”’」』》*$-]|:[a-z0-9_+-]{1,40}:|[ ]#+)+$")
_LONGEST_TAIL = 300
_ASIDE = re.compile(
    r"\[\[[^\[\]]{1,60}\]\]\([^()\s]{0,2000}\)|!\[[^\[\]]{0,300}\]\([^()\s]{0,2000}\)"
)


def heading_name(markup: str) -> str:
    """Return the name of a category from its heading.

    Emoji, numbering, markup and a final colon are left out.
    """
    name = syntax.plain(_ASIDE.sub("", markup))
    name = name[match.end() :] if (match := _HEADING_LEAD.match(name)) else name
    # The pattern is tried at each offset, so a long line of signs would take minutes.
    name = name[:-_LONGEST_TAIL] + _HEADING_TAIL.sub("", name[-_LONGEST_TAIL:])
    return name.strip() or syntax.plain(markup)


class Walk:
    """Visits blocks, collects entries and keeps track of the current headings."""

    def __init__(
        self, context: Context, blocks: Sequence[syntax.Block], chosen_roles: Mapping[str, str]
    ) -> None:
        """``chosen_roles`` are the user's settings for columns: folded header → role."""
        self.context = context
        self.chosen_roles = chosen_roles
        self.grammars = learn_tables(context, blocks, chosen_roles)
        self.title_levels = heading_entries.levels_of_titles(context, blocks)
        self.is_spread = multi_block.is_spread(context, blocks)
        self.lists_titles = non_entries.lists_titles(context)
        self.entries: list[tuple[Entry, Section]] = []
        """The entries, each with its section."""
        self.tables: list[Table] = []
        reason = "The line is too long to be a list of papers."
        self.skipped: list[Skipped] = [
            Skipped(number + 1, reason, shorten(context.line(number)[:400]))
            for number in range(len(context.starts))
            if syntax.is_too_long(context, number)
        ] + [
            Skipped(
                first + 1,
                f"From here to line {end} lists are nested too deep to be read.",
                shorten(context.line(first)[-400:]),
            )
            for first, end in context.too_deep
        ]
        self.mentioned: list[Mention] = []
        self.sections: list[Section] = [Section(0, (), 1, (0, 0))]
        self.section = 0
        self.headings: list[tuple[int, str]] = []
        self.details: list[str] = []
        tops = [block for block in blocks if block.level == 1]
        self.title_block = tops[0] if len(tops) == 1 else None
        self.title: str | None = None

    def visit_all(self, blocks: Sequence[syntax.Block]) -> None:
        """Read a sequence of blocks."""
        blocks = [*multi_block.with_follow_ups(self.context, blocks, is_usual=self.is_spread)]
        number = 0
        while number < len(blocks):
            count = self.take_whole(blocks[number : number + heading_entries.LONGEST_DETAILS])
            if not count:
                self.visit(blocks[number], next(iter(blocks[number + 1 : number + 2]), None))
            number += max(count, 1)

    def take_whole(self, blocks: Sequence[syntax.Block]) -> int:
        """Read a paper that takes several blocks. Returns their number; 0 if none starts here."""
        block = blocks[0]
        entry, count = None, 0
        if block.kind == "html":
            entry, count = heading_entries.read_details(self.context, blocks)
        elif block.kind == "heading" and block is not self.title_block:
            entry, count = heading_entries.read_titled(self.context, blocks, self.title_levels)
        elif block.kind in ("paragraph", "quote"):
            entry, count = heading_entries.read_bold_titled(self.context, blocks)
            if entry is None:
                entry, count = multi_block.read_spread(
                    self.context, blocks, is_usual=self.is_spread
                )
        if entry is None:
            return 0
        if block.kind == "heading":
            self.close_headings(block.level)
            self.return_to_section()
        self.add([entry])
        return count

    def visit(self, block: syntax.Block, follower: syntax.Block | None) -> None:
        """Read one block by its kind. Of other kinds, read the blocks inside."""
        match block.kind:
            case "heading":
                self.visit_heading(block)
            case "paragraph":
                self.visit_paragraph(block, follower)
            case "list":
                self.visit_list(block.children)
            case "table":
                self.visit_table(block)
            case "html":
                self.visit_html(block)
            case _:
                self.visit_all(block.children)

    def close_headings(self, level: int) -> None:
        """Leave the sections of this level and of deeper ones."""
        self.headings = [(other, name) for other, name in self.headings if other < level]

    def path(self) -> tuple[str, ...]:
        """Return the names of the current headings and ``<details>``."""
        names = [name for _, name in self.headings if name]  # A picture alone names nothing.
        return tuple(names + [name for name in self.details if name and name not in names])

    def open_section(self, path: tuple[str, ...], block: syntax.Block) -> None:
        """Start a section with this path at a block."""
        span = self.context.span(block.first, block.end)
        self.section = len(self.sections)
        self.sections.append(Section(self.section, path, block.first + 1, span))

    def add(self, entries: Sequence[Entry]) -> None:
        """Add entries to the current section; report placeholders of templates."""
        for entry in entries:
            if non_entries.is_placeholder(entry):
                title = shorten(entry.fields.title)
                self.skipped.append(Skipped(entry.line, non_entries.OF_TEMPLATE, title))
            else:
                self.entries.append((entry, self.sections[self.section]))

    def visit_heading(self, block: syntax.Block) -> None:
        line = self.context.line(block.first)
        markup = line.strip().strip("#").strip() if line.lstrip().startswith("#") else line.strip()
        if block is self.title_block:
            self.title = heading_name(markup)
            return
        self.close_headings(block.level)
        self.headings.append((block.level, heading_name(markup)))
        self.details = []
        self.open_section(self.path(), block)

    def visit_table(self, block: syntax.Block) -> None:
        if detail_lines.is_card(self.context, block):
            self.visit_card(block)
            return
        grammar = self.grammars[block.first]
        table, rows = read_table(self.context, block, len(self.tables), self.section, grammar)
        if table is not None:
            self.tables.append(table)
        self.add(rows)

    def visit_card(self, block: syntax.Block) -> None:
        """Read a table about one work, which has a field in each row."""
        first, *_ = rows = detail_lines.rows_of_card(self.context, block)
        unit = Unit(EntryFields(), Anatomy((first.start, self.context.ends[block.first])))
        entry = lists.read_described(self.context, first, unit, rows, "paragraph")
        if entry.fields.title and entry.anatomy.title:
            self.add([entry])
        else:
            reason = "These are fields of a work, but no title above them names it."
            self.skip(self.span_of(block), reason)

    def visit_list(self, items: Sequence[syntax.Block]) -> None:
        """Read the items of a list. Items without a link may be entries too."""
        if non_entries.is_contents(self.context, items, self.sections[self.section].path):
            for item in items:
                self.skip(self.span_of(item), non_entries.OF_PAGES)
            return
        kinds: list[Kind] = []
        linkless: list[Entry] = []
        for item in multi_block.by_work(self.context, items):
            self.visit_item(item, kinds, linkless)
        path = self.sections[self.section].path
        is_named = "://" not in self.context.text and non_entries.mentions_papers([str(self.title)])
        in_papers = self.lists_titles or is_named
        accepted = non_entries.linkless_entries(path, kinds, linkless, in_papers=in_papers)
        rest = [entry for entry in linkless if entry.span not in {e.span for e in accepted}]
        for entry in non_entries.titles_among(rest, has_works=bool(kinds)):
            title = shorten(entry.fields.title)
            self.skipped.append(Skipped(entry.line, non_entries.OF_NO_LINK, title))
        self.add(accepted)

    def visit_item(self, item: syntax.Block, kinds: list[Kind], linkless: list[Entry]) -> None:
        """Read an item: an entry, a group of entries, or perhaps a title without a link.

        Adds the kind of an entry to ``kinds``, and an item without links to ``linkless``.
        """
        if (span := detail_lines.first_paragraph_span(self.context, item)) is None:
            self.visit_all(item.children)
            return
        unit = lists.read_unit(self.context, span)
        subs = lists.sub_items(item)
        is_cited = lists.is_cited(self.context, unit)
        is_linkless = (
            unit.anatomy.title is not None and not unit.links and not self.is_contents(unit)
        )
        if non_entries.is_upkeep(self.context.text, unit):
            self.skip(span, non_entries.OF_LIST)
        elif (
            is_cited
            or lists.names_thing(unit)
            or (is_linkless and self.has_links_below(item, unit))
        ):
            entry = self.take_item(item, unit)
            kinds += [entry.fields.kind] if entry.anatomy.links or is_cited else []
        elif any(self.context.links_in(self.span_of(sub)) for sub in subs):
            self.visit_group(item, span)
        elif is_linkless:
            unit = lists.with_anchored_title(self.context, unit)
            details = lists.paragraphs_of(item) + subs
            linkless.append(lists.read_item(self.context, item, unit, details))

    def has_links_below(self, item: syntax.Block, unit: Unit) -> bool:
        """Return whether the links of a title without a link are below it.

        They are in paragraphs or quotes, or in nested items with only labelled links. Nested items
        that are entries themselves do not count.
        """
        context, subs = self.context, lists.sub_items(item)
        linked = [span for span in map(self.span_of, subs) if context.links_in(span)]
        are_details = (
            detail_lines.is_labelled_title(context, unit.anatomy.body)
            or all(detail_lines.is_labels_only(context, span) for span in linked)
            or detail_lines.are_labelled_lines(
                context, [detail_lines.span_of(context, sub) for sub in subs]
            )
        )
        below = [context.span(block.first, block.end) for block in lists.paragraphs_of(item)]
        if are_details:
            below += linked
            if any(detail_lines.has_usual_label(context, span) for span in linked):
                return True
        links = chain.from_iterable(map(context.links_in, below))
        return any(strong_identifier(link.url) or role_word(link.label) for link in links)

    def is_contents(self, unit: Unit) -> bool:
        """Return whether an item only links to a place within the page, as in a table of contents.

        A title with a reading mark may link to notes on the page, so it does not count.
        """
        return unit.anatomy.mark is None and lists.anchor_of(self.context, unit) is not None

    def take_item(self, item: syntax.Block, unit: Unit) -> Entry:
        """Add the entry of an item and those of nested items; other nested items are details."""
        subs = lists.sub_items(item)
        is_reference = bool(unit.fields.authors)
        below = [s for s in subs if lists.starts_entry(self.context, s, in_reference=is_reference)]
        end = below[0].first if below else item.end
        details = [block for block in lists.paragraphs_of(item) + subs if block.first < end]
        entry = lists.read_item(self.context, item, unit, details)
        self.add([entry])
        self.visit_list(below)
        return entry

    def span_of(self, block: syntax.Block) -> Span:
        """Return the span of all lines of a block."""
        return self.context.starts[block.first], self.context.ends[block.end - 1]

    def visit_group(self, item: syntax.Block, span: Span) -> None:
        """Read the nested items of an item that only names a group."""
        name = heading_name(self.context.text[slice(*span)].split("\n")[0])
        outer = self.section
        if name and len(name) <= 80:
            path = (*self.sections[outer].path, name)
            first_line = syntax.Block("heading", item.first, item.first + 1)
            self.open_section(path, first_line)
        for child in item.children[1:]:
            if child.kind == "list":
                self.visit_list(child.children)
        self.section = outer

    def visit_paragraph(self, block: syntax.Block, follower: syntax.Block | None) -> None:
        """Read a paragraph: the name of a category, one or more entries, or prose."""
        text = self.context.text[block.start : self.context.ends[block.end - 1]]
        bold = _LEAD_IN.fullmatch(text.strip())
        name = heading_name(bold["name"] or bold["name2"]) if bold else ""
        if name and follower and follower.kind in _LED_IN:
            self.open_section((*self.path(), name), block)
        elif detail_lines.is_links_alone(self.context, span := self.span_of(block)):
            self.skip(span, "These links have labels, but no title above them names a work.")
        else:
            for unit in lists.paragraph_units(self.context, block):
                self.take_paragraph(unit, follower)

    def take_paragraph(self, unit: Unit, follower: syntax.Block | None) -> None:
        """Add the entry of a paragraph or line, or report its links.

        A paragraph above the links of a project may name its people. Two capitalized words alone
        may be a work, so such links must follow.
        """
        context, span = self.context, unit.anatomy.body
        *_, heading = (str(self.title), *self.sections[self.section].path)
        if non_entries.is_in_passing(context.text, unit):
            self.mentioned += non_entries.mentions_in(context, unit)
        elif non_entries.is_upkeep(context.text, unit):
            self.skip(span, non_entries.OF_LIST)
        elif (
            follower is not None
            and follower.kind == "paragraph"
            and detail_lines.is_links_alone(context, self.span_of(follower))
            and not detail_lines.links_to_work(unit.links)
            and detail_lines.is_byline(context, span)
        ):
            self.skip(span, "These are names of people, but no title above them names a work.")
        elif any((lists.is_paragraph_entry(unit), lists.is_reference(context, unit, heading))):
            end = context.line_of(max(span[0], span[1] - 1))
            whole = context.span(context.line_of(span[0]) - 1, end)
            self.add([make_entry(context, unit, shape="paragraph", span=whole)])
        elif unit.links:
            self.skip(span, "A link in running text is not an entry.")

    def visit_html(self, block: syntax.Block) -> None:
        """Read the rows and items in HTML, and keep track of ``<details>``."""
        if syntax.is_comment(self.context, block):
            return
        text = self.context.text[slice(*self.span_of(block))]
        closed = len(syntax.DETAILS_END.findall(text))
        if syntax.DETAILS.search(text):
            summary = heading_entries.SUMMARY.search(text)
            name = heading_name(summary["inner"]) if summary else ""
            self.details.append(name)
            if name and not closed:
                self.open_section(self.path(), block)
        pieces = pieces_of(self.context.text, block.start, self.context.ends[block.end - 1])
        columns = mark_columns(self.context, pieces, self.chosen_roles)
        for span in pieces:
            self.take_piece(span, columns.get(span))
        for _ in range(min(closed, len(self.details))):
            self.details.pop()
            self.return_to_section()

    def take_piece(self, span: Span, marks: MarkColumn | None) -> None:
        """Add the entry of a piece of HTML, or report its links.

        It is an entry if it links to a work, or if it is a row whose title is a link.
        """
        shape: Shape = "html_row" if is_row(self.context.text, span) else "paragraph"
        unit, others = (
            read_row(self.context, span, marks)
            if shape == "html_row"
            else (lists.read_unit(self.context, span), [])
        )
        links = [*unit.links, *(link for cell in others for link in self.context.links_in(cell))]
        is_named = shape == "html_row" and lists.names_thing(unit) and unit.title_link is not None
        if is_named or any(strong_identifier(link.url) for link in links):
            self.add([make_entry(self.context, unit, shape=shape, span=span, detail_spans=others)])
        else:
            self.skip(span, "A link in HTML that is not an entry.")

    def return_to_section(self) -> None:
        """Continue in the last section with the current path, if there is one."""
        path = self.path()
        matching = (section.index for section in reversed(self.sections) if section.path == path)
        self.section = next(matching, self.section)

    def skip(self, span: Span, reason: str) -> None:
        """Report a stretch that is not an entry, if it has links to the web or to other pages."""
        links = (link for link in self.context.links_in(span) if is_web(link.url))
        if reason == non_entries.OF_PAGES or not all(link.is_badge for link in links):
            line = self.context.line_of(span[0])
            self.skipped.append(Skipped(line, reason, shorten(self.context.text[slice(*span)])))

    def finish(self, entries: Sequence[Entry]) -> tuple[Section, ...]:
        """Return the sections with the indexes of their entries and tables."""
        listed: list[list[int]] = [[] for _ in self.sections]
        tables: list[list[int]] = [[] for _ in self.sections]
        for entry in entries:
            listed[entry.section].append(entry.index)
        for table in self.tables:
            tables[table.section].append(table.index)
        return tuple(
            replace(part, entries=tuple(listed[part.index]), tables=tuple(tables[part.index]))
            for part in self.sections
        )
