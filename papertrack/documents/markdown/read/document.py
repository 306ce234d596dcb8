"""Parse a README into its entries and its style. Start with ``parse_document``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache, partial
from itertools import chain
from operator import attrgetter
from typing import Any

from papertrack.documents.markdown.kept_tables import without_tables
from papertrack.documents.markdown.marks.document_marks import DocumentMarks
from papertrack.documents.markdown.marks.kind import MarkStyle
from papertrack.documents.markdown.marks.style import learn_other_styles, learn_pass_cells
from papertrack.documents.markdown.model import (
    Anatomy,
    Definition,
    Document,
    Entry,
    EntryFields,
    Field,
    Group,
    Lines,
    Mention,
    Parse,
    Section,
    Shape,
)
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.learning import learn_grammar
from papertrack.documents.markdown.read.non_entries import (
    find_doubts,
    find_front_matter,
    find_second_works,
)
from papertrack.documents.markdown.read.style import learn_style
from papertrack.documents.markdown.read.walk import Walk
from papertrack.documents.markdown.settings import apply_settings, apply_to_marks, column_settings
from papertrack.documents.markdown.syntax import Block, cut_lines, is_comment, parse_syntax, walk
from papertrack.identifiers import find_arxiv_ids
from papertrack.records import Identifier
from papertrack.text import numbered

_NUMBER = re.compile(r"(?=[0-9])(?:[0-9]{4}\.[0-9]{4,5}|(?<=/)[0-9]{7})")
_LEAVES = ("heading", "paragraph", "table", "html")


def parse_document(
    text: str, settings: Mapping[str, str] | None = None, known: Mapping[str, str] | None = None
) -> Document:
    """Parse a README. Never fails; ``skipped`` lists what was not understood.

    ``settings`` are the user's settings for the document (see ``settings``). ``known`` are titles
    known from elsewhere, by identifier: ``arxiv:1706.03762``. The last results are cached, because
    a command may parse one text several times.
    """
    chosen, titles = (tuple(sorted((mapping or {}).items())) for mapping in (settings, known))
    return _read(text, chosen, titles)


@lru_cache(maxsize=2)
def _read(
    text: str, chosen: tuple[tuple[str, str], ...], known: tuple[tuple[str, str], ...]
) -> Document:
    listed, problems = without_tables(text)
    lines = cut_lines(listed)
    shown = [lines.line(number) for number in range(len(lines.starts))]
    settings = dict(chosen)
    marks = DocumentMarks(listed, shown, settings)
    read = _document(lines, settings, marks, partial(parse_document, known=dict(known)), known)
    if listed is text and not problems:
        return read
    return replace(read, text=text, skipped=(*read.skipped, *problems))


def _document(
    lines: Lines,
    settings: Mapping[str, str],
    marks: DocumentMarks,
    parse: Parse,
    known: tuple[tuple[str, str], ...] = (),
) -> Document:
    text = lines.text
    syntax = parse_syntax(lines)
    blocks, definitions = syntax.blocks, syntax.definitions
    grammar = learn_grammar(syntax, dict(known), settings)
    parts: dict[str, Any] = {part.name: getattr(syntax, part.name) for part in fields(syntax)}
    context = Context(**parts, marks=marks, grammar=grammar)
    reader = Walk(context, blocks, column_settings(settings))
    reader.visit_all(blocks)
    entries = _number(reader.entries)
    sections = reader.finish(entries)
    learnt = learn_style(lines, entries, reader.tables, sections, definitions)
    style = replace(apply_settings(learnt, settings), wrap_width=grammar.wrap_width)
    others = {
        group: apply_to_marks(marks_of_group, settings)
        for group, marks_of_group in learn_other_styles(text, entries, learnt.marks).items()
    } | learn_pass_cells(text, entries)
    doubts = find_doubts(lines, entries, reader.tables) if marks.mean_read else ()
    beside = (*find_second_works(lines, entries), *find_front_matter(lines))
    left_out = _find_left_out(lines, blocks, definitions, entries, reader)
    return Document(
        text=text,
        starts=lines.starts,
        ends=lines.ends,
        title=reader.title,
        sections=sections,
        entries=_without_slots(entries, style.marks, others),
        tables=tuple(reader.tables),
        definitions=tuple(definitions),
        style=style,
        skipped=tuple(sorted((*reader.skipped, *doubts, *beside), key=attrgetter("line"))),
        mentioned=tuple(_mentioned(entries, [*reader.mentioned, *left_out])),
        parse=parse,
        settings=settings,
        other_marks=others,
    )


def _number(entries: Sequence[tuple[Entry, Section]]) -> tuple[Entry, ...]:
    """Return the entries in order, with index, section, unique key and places for fields.

    The places of a row are the columns of its table. Otherwise, if an entry shows a field, all
    entries of the same shape have a place for it.
    """
    ordered = sorted(entries, key=lambda item: item[0].span)
    keys = numbered(entry.key for entry, _ in ordered)
    shown: dict[Shape, set[Field]] = {}
    for entry, _ in entries:
        if entry.shape != "row":
            shown.setdefault(entry.shape, set()).update(_shown(entry.anatomy))
    for number, (entry, section) in enumerate(ordered):
        own_fields: dict[Field, object] = {"title": True, "paper": True, "move": True}
        own_fields |= {"date": entry.anatomy.date, "passes": entry.anatomy.mark}
        places = {field for field, has in own_fields.items() if has} | shown.get(entry.shape, set())
        numbered_entry = replace(
            entry,
            fields=_with_year(entry.fields, section.path),
            index=number,
            key=keys[number],
            section=section.index,
            category=section.path,
            places=entry.places if entry.shape == "row" else frozenset(places),
        )
        ordered[number] = numbered_entry, section
    return tuple(entry for entry, _ in ordered)


_YEAR = re.compile(
    r"(?:(?:papers?|publications?|works?|year)(?: (?:of|in|from))? )?"
    r"(?P<year>19[0-9]{2}|20[0-3][0-9])(?: ?年| (?:papers?|publications?|works?))?",
    re.IGNORECASE,
)
"""A heading that only names a year."""


def _with_year(fields: EntryFields, path: Sequence[str]) -> EntryFields:
    """Return the fields with the year of a heading above, if the entry has no date."""
    years = (match["year"] for name in reversed(path) if (match := _YEAR.fullmatch(name)))
    year = next(years, None) if fields.date is None else None
    return replace(fields, year=int(year)) if year else fields


def _find_left_out(
    lines: Lines,
    blocks: Sequence[Block],
    definitions: Sequence[Definition],
    entries: Sequence[Entry],
    reader: Walk,
) -> Iterator[Mention]:
    """Yield each visible arXiv id that no entry contains or mentions, at its first place.

    Code, comments and link definitions are not visible. Lines that were already reported are
    ignored.
    """
    identifiers = [mention.identifier for mention in reader.mentioned]
    for entry in entries:
        identifiers += (*entry.identifiers, *entry.fields.related)
    known_ids = {identifier.value for identifier in identifiers if identifier.scheme == "arxiv"}
    # Usually all numbers that may be ids are known, so the lines need not be searched.
    if {*_NUMBER.findall(lines.text)} <= {value.rpartition("/")[2] for value in known_ids}:
        return
    hidden = {definition.line for definition in definitions}
    hidden |= {skipped.line - 1 for skipped in reader.skipped}
    leaves = (b for b in walk(blocks) if b.kind in _LEAVES and not is_comment(lines, b))
    shown = chain.from_iterable(range(block.first, block.end) for block in leaves)
    for number in sorted({*shown} - hidden):
        for paper in find_arxiv_ids(lines.line(number)):
            if paper.id not in known_ids:
                known_ids.add(paper.id)
                yield Mention(Identifier("arxiv", paper.id), "", number + 1)


def _mentioned(entries: Sequence[Entry], mentions: Sequence[Mention]) -> Iterator[Mention]:
    """Yield the mentioned works that have no entry, each once, in order."""
    seen = {identifier for entry in entries for identifier in entry.identifiers}
    for mention in sorted(mentions, key=attrgetter("line")):
        if mention.identifier not in seen:
            seen.add(mention.identifier)
            yield mention


def _without_slots(
    entries: Sequence[Entry], marks: MarkStyle, others: Mapping[Group, MarkStyle]
) -> tuple[Entry, ...]:
    """Return the entries; those without the slot of their list have no place for marks.

    A slot is a sign, such as a box, that read and unread entries have. ``others`` are the mark
    styles of groups that differ from the document's.
    """
    slots = {style.kind for style in (marks, *others.values()) if style.kind and style.kind.is_slot}
    return tuple(
        replace(entry, places=entry.places - {"passes"})
        if slots
        and (entry.shape != "row" and entry.anatomy.mark is None and "passes" in entry.places)
        and others.get(entry.group, marks).kind in slots
        else entry
        for entry in entries
    )


def _shown(anatomy: Anatomy) -> set[Field]:
    """Return the fields that an entry shows and that can be added to others of its shape.

    Slots cannot be added: all items of a list have boxes to tick, or none has.
    """
    mark, roles = anatomy.mark, {link.role for link in anatomy.links if not anatomy.is_title(link)}
    are_shown: dict[Field, bool] = {
        "passes": mark is not None and not (mark.kind.is_slot or mark.is_placed),
        "rating": anatomy.rating is not None,
        "code": "code" in roles,
        "note": "note" in roles,
    }
    return {field for field, is_shown in are_shown.items() if is_shown}
