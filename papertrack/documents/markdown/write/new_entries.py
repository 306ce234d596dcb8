"""New entries, written by the grammar of the entries that they will stand among."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from papertrack.documents.markdown.grammar.cuts import (
    DETAILS,
    LINKED_TITLE,
    TITLE,
    Cut,
    column_names,
)
from papertrack.documents.markdown.grammar.template import START, Sketch
from papertrack.documents.markdown.model import Document, Entry, EntryFields, Section, Table
from papertrack.documents.markdown.read.columns import split_row
from papertrack.documents.markdown.values import Span, most_common
from papertrack.documents.markdown.write.cells import column_width, model_rows
from papertrack.documents.markdown.write.default_cells import default_cell
from papertrack.documents.markdown.write.edit_types import NoPlaceError
from papertrack.documents.markdown.write.entry_edits import Place
from papertrack.documents.markdown.write.grammars import Grammar, Grammars
from papertrack.documents.markdown.write.leftovers import without_empty_labels
from papertrack.documents.markdown.write.markup import MARKER
from papertrack.documents.markdown.write.numbering import Block, Numbering
from papertrack.documents.markdown.write.pairs import closed
from papertrack.documents.markdown.write.patches import Patch
from papertrack.documents.markdown.write.sayings import NEW_ITEM, Saying, target_of
from papertrack.documents.markdown.write.venues import Venues

_WRITABLE = ("item", "numbered", "paragraph", "heading")
_DIGITS = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class Tools:
    """What entries are written with while edits are made."""

    document: Document
    numbering: Numbering
    grammars: Grammars
    venues: Venues
    added: list[int] = field(default_factory=list)
    """The sections that got new entries which the document does not hold yet, for each of them."""


def new_item(
    tools: Tools, place: Place, fields: EntryFields, *, is_plain: bool
) -> tuple[str, list[Patch]]:
    """Return the lines of a new entry, without the last one's end, and the patches that define
    its links.

    It is written like its neighbours, or like the document's other items. Raises NoPlaceError
    where nothing shows how.
    """
    neighbours = place.neighbours
    models = _models(tools.document, neighbours)
    grammar = tools.grammars.of_items(models[0].shape, models)
    last = grammar.cuts[[cut.entry.index for cut in grammar.cuts].index(models[-1].index)]
    like = Sketch(last.where, last.group, last.near)
    saying = Saying(
        tools.document,
        grammar,
        fields,
        models[0].shape,
        numbers=_next_numbers(tools, grammar.cuts, place.section, neighbours),
        is_plain=is_plain,
    )
    texts, patches = _said(tools, saying, [like], models)
    shown = _on_one_line(grammar, like, _with_link(saying, like, texts[0]))
    text = grammar.template.write(like, closed(tools.document, grammar, like, shown))
    whole = without_empty_labels(text.strip("\r\n"))
    return _marked(tools.document, whole, neighbours), patches


def _models(document: Document, neighbours: Sequence[Entry]) -> Sequence[Entry]:
    """Return the entries that a new one is written like: those beside it, else all others of the
    shape that most have."""
    models = _titled(neighbours) or _titled_others(document)
    if not models or models[0].shape not in _WRITABLE:
        raise NoPlaceError("The category holds nothing that a new entry could be written like.")
    return models


def _titled(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.anatomy.title is not None]


def _titled_others(document: Document) -> list[Entry]:
    """Return the document's entries of the shape that most have."""
    others = [entry for entry in _titled(document.entries) if entry.shape in _WRITABLE]
    shape = most_common([entry.shape for entry in others])
    return [entry for entry in others if entry.shape == shape]


def _said(
    tools: Tools, saying: Saying, likes: Sequence[Sketch], alike: Sequence[Entry]
) -> tuple[list[dict[str, str]], list[Patch]]:
    """Return what the slots of each place say, and the patches that define its links."""
    texts = [saying.texts(like) for like in likes]
    if not saying.referred:
        return texts, []
    urls = list(dict.fromkeys(saying.referred))
    block: Block = tools.numbering.block(saying.fields.title, urls, alike)
    saying.references, saying.said, saying.referred = block[0], [], []
    return [saying.texts(like) for like in likes], block[1]


def _with_link(saying: Saying, like: Sketch, texts: dict[str, str]) -> dict[str, str]:
    """Return what the slots say, the title linked if nothing else links to the paper."""
    main, title = saying.main, texts.get(TITLE)
    if main is None or main in saying.said or title is None:
        return texts
    saying.said.append(main)
    if saying.grammar.template.keys.seen((like.where,))[LINKED_TITLE]:
        rest = {key: text for key, text in texts.items() if key != TITLE}
        address = saying.grammar.formats.address(like, "target:title", main.url)
        return rest | {LINKED_TITLE: title, "target:title": target_of(address)}
    return texts | {TITLE: f"[{title}]({target_of(main.url)})"}


def _on_one_line(grammar: Grammar, like: Sketch, texts: dict[str, str]) -> dict[str, str]:
    """Return what the slots say, without a description that would be an item for itself."""
    if DETAILS not in texts:
        return texts
    keys = (START, *grammar.template.ordered(like, texts))
    before = keys[keys.index(DETAILS) - 1]
    gap = grammar.template.gap(like, (before, DETAILS), texts.get(before, ""))
    rest = {key: text for key, text in texts.items() if key != DETAILS}
    return rest if NEW_ITEM.search(gap) else texts


def _next_numbers(
    tools: Tools, cuts: Sequence[Cut], section: Section, beside: Sequence[Entry]
) -> dict[str, str]:
    """Return what counts the new entry, by the slots that count entries."""
    keys = dict.fromkeys(slot.key for cut in cuts for slot in cut.slots if slot.role == "number")
    return {key: _next_number(tools, cuts, section, beside, key) for key in keys}


def _next_number(
    tools: Tools, cuts: Sequence[Cut], section: Section, beside: Sequence[Entry], key: str
) -> str:
    """Return the number that follows, written as others are: of the list, whose entries stand
    ``beside`` the new one, or of the document where its lists count on."""
    document, ahead = tools.document, len(tools.added)
    numbers = all_numbers = _numbers_in(document, cuts, key)
    if len({_value_of(number) for number in numbers}) < len(numbers):
        groups = {entry.group for entry in beside}
        numbers = _numbers_in(document, [cut for cut in cuts if cut.group in groups], key)
        ahead = tools.added.count(section.index)
    highest = max(numbers, key=_value_of, default=None)
    if highest is None:  # The first of its list.
        return _DIGITS.sub(str(1 + ahead), next(iter(all_numbers), "1"), count=1)
    return _DIGITS.sub(lambda digits: _following(digits.group(), 1 + ahead), highest, count=1)


def _following(digits: str, steps: int) -> str:
    """Return the number so many steps on, with zeros before it where these have some."""
    return str(int(digits) + steps).zfill(len(digits) if digits.startswith("0") else 0)


def _value_of(number: str) -> int:
    """Return the number in what counts an entry: ``#12``."""
    digits = _DIGITS.search(number)
    return int(digits.group()) if digits else 0


def _numbers_in(document: Document, cuts: Sequence[Cut], key: str) -> list[str]:
    """Return what counts entries in a slot, as it is written."""
    slots = (slot for cut in cuts for slot in cut.slots if slot.key == key)
    found = (document.text[slice(*slot.span)] for slot in slots)
    return [number for number in found if _DIGITS.search(number)]


def _marked(document: Document, text: str, neighbours: Sequence[Entry]) -> str:
    """Return an item with the indentation and bullet of its neighbours."""
    markers = (MARKER.match(document.text, other.span[0]) for other in neighbours)
    marker = most_common([marker.group() for marker in markers if marker])
    return text if marker is None else MARKER.sub(lambda _: marker, text, count=1)


def new_row(
    tools: Tools, table: Table, fields: EntryFields, *, is_plain: bool
) -> tuple[str, list[Patch]]:
    """Return a row in the table's style, without its line end, and the patches that define its
    links."""
    models = _like_rows(tools.document, table)
    grammar = tools.grammars.of_rows(table, models)
    row = _NewRow(tools, table, models, grammar)
    rows, section = tools.document.rows_of(table), tools.document.sections[table.section]
    numbers = _next_numbers(tools, grammar.cuts, section, rows)
    saying = Saying(tools.document, grammar, fields, "row", numbers=numbers, is_plain=is_plain)
    texts, patches = _said(tools, saying, row.likes(), _alike(tools.document, table))
    return row.text(saying, texts), patches


def _like_rows(document: Document, table: Table) -> list[Entry]:
    """Return the rows of a table; of an empty one, those of tables with the same columns."""
    rows = model_rows(document, table)
    if rows:
        return rows
    all_rows = [entry for entry in document.entries if entry.anatomy.cells]
    same = [e for e in all_rows if document.table_of(e).columns == table.columns]
    return same or all_rows


def _alike(document: Document, table: Table) -> list[Entry]:
    """Return the rows of all tables with the same columns."""
    rows = [entry for entry in document.entries if entry.anatomy.cells]
    return [row for row in rows if document.table_of(row).columns == table.columns]


@dataclass(frozen=True)
class _NewRow:
    """What the cells of a new row are made from."""

    tools: Tools
    table: Table
    models: Sequence[Entry]
    grammar: Grammar

    def likes(self) -> list[Sketch]:
        """Return what each cell is written like."""
        near = self.models[-1].index // 6 if self.models else 0
        names = column_names(self.table)
        headed = [column for column in self.table.columns if column.header]
        return [
            Sketch(name, ("table", self.table.index), near)
            for name in names[: len(headed or names)]
        ]

    def text(self, saying: Saying, texts: Sequence[dict[str, str]]) -> str:
        """Return the whole row."""
        line, cells = self._model_line()
        held = [_with_link(saying, *one) for one in zip(self.likes(), texts, strict=True)]
        likes = self.likes()
        shown = [
            self._cell(saying, *one) for one in zip(range(len(likes)), likes, held, strict=True)
        ]
        if self.table.is_aligned:
            shown = [
                cell.rstrip(" ").ljust(column_width(self.tools.document, self.table, number))
                for number, cell in enumerate(shown)
            ]
        if not cells:
            return f"|{'|'.join(shown)}|"
        text = self.tools.document.text
        opening, closing = text[line[0] : cells[0][0]], text[cells[-1][1] : line[1]]
        return opening + "|".join(shown) + closing.rstrip()

    def _cell(self, saying: Saying, number: int, like: Sketch, texts: dict[str, str]) -> str:
        """Return a cell: of its slots, else by what its column is for; else as empty ones are."""
        template = self.grammar.template
        if texts:
            return template.write(like, texts)
        lead, trail, empty = self._padding()
        if not template.keys.seen((like.where,)).keys() - {DETAILS}:
            content = default_cell(saying, self.table, number, self.models)
            if content:
                return lead + content + trail
        return template.empty(like, default=empty)

    def _model_line(self) -> tuple[Span, tuple[Span, ...]]:
        """Return (line, cells) of the table's last entry, or of its header."""
        rows = self.tools.document.rows_of(self.table)
        if rows:
            anatomy = rows[-1].anatomy
            return anatomy.own, anatomy.cells[: len(self.table.columns)]
        line = self.tools.document.line_span(self.table.header_line)
        return line, split_row(self.tools.document.text, *line)

    def _padding(self) -> tuple[str, str, str]:
        """Return (blanks before, blanks behind, an empty cell) as the document's rows have them."""
        texts = self._cell_texts()
        filled = [text for text in texts if text.strip()]
        lead = most_common([text[: len(text) - len(text.lstrip())] for text in filled])
        trail = most_common([text[len(text.rstrip()) :] for text in filled])
        blank = most_common([text for text in texts if text not in filled])
        return lead or "", trail or "", ((lead or "") if blank is None else blank)

    def _cell_texts(self) -> list[str]:
        """Return the cells of the rows that show how they are padded, or of the header."""
        cells = [cell for row in self.models for cell in row.anatomy.cells]
        text = self.tools.document.text
        return [text[slice(*cell)] for cell in cells or self._model_line()[1]]
