"""Write fields of existing entries: titles, passes, ratings and dates.

They go into their cells, or after the words of an item. Nothing else is changed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from papertrack.documents.markdown.headers import PASS_ROLES
from papertrack.documents.markdown.marks.style import kind_of, mark_text, style_like
from papertrack.documents.markdown.model import Document, Entry, Table
from papertrack.documents.markdown.read.style import date_pattern
from papertrack.documents.markdown.read.tables import content_span, split_row
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import Span, most_common, write_date, write_rating
from papertrack.documents.markdown.write.definitions import Numbering
from papertrack.documents.markdown.write.edit_types import (
    NoPlaceError,
    Patch,
    SetDate,
    SetPasses,
    SetRating,
    SetTitle,
    no_place,
    replaced,
)
from papertrack.documents.markdown.write.markup import escape_title, light_escape
from papertrack.text import clean, is_same_title

_EMPTY_WORDS = ("", "null", "-", "–", "—", "N/A", "n/a", "None", "none", ":heavy_minus_sign:", "无")
_EMPHASIS = "*_~ \t"
MODELS = 50
"""How many rows show a table's style. With all rows of a long table, each new row would take
minutes."""


def set_cell(document: Document, entry: Entry, column: int, content: str) -> list[Patch]:
    """Return the patch that writes into a row's cell.

    In a table padded to column widths, the padding is adapted. Otherwise, a cell of n blanks
    becomes one blank, the content and n blanks; emptying it makes it n blanks again.
    """
    table = document.table_of(entry)
    if column >= len(entry.anatomy.cells):
        return _lengthened(document, entry, column, content) if content else []
    cell = entry.anatomy.cells[column]
    raw = document.text[slice(*cell)]
    content = content or empty_word(document, table, column)
    width = column_width(document, table, column)
    text = padded(raw, content, keeps_width=table.is_aligned and len(raw) == width)
    return [Patch(cell, text)] if text != raw else []


def set_value(
    document: Document, entry: Entry, role: str, span: Span | None, content: str
) -> list[Patch]:
    """Return the patch that writes a value into the row's cell for this role.

    It replaces the old value at ``span``; other text in the cell stays. Raises NoPlaceError if the
    cell has text but no such value.
    """
    table = document.table_of(entry)
    column = table.column_of(role)
    assert column is not None, "the caller asked for a place that the table does not have"
    if span is None:
        if not is_empty_cell(document, entry, column):
            header = table.columns[column].header
            raise NoPlaceError(
                f"A cell under {header!r} that contains something else is not overwritten."
            )
        return set_cell(document, entry, column, content)
    start, end = content_span(document.text, entry.anatomy.cells[column])
    beside = document.text[start : span[0]] + document.text[span[1] : end]
    if beside and (content or beside.strip(_EMPHASIS)):
        return [replaced(document.text, span, content)]
    return set_cell(document, entry, column, content)


def set_pass_cells(document: Document, entry: Entry, passes: int, at: str | None) -> list[Patch]:
    """Return the patches that mark passes in a row with a cell per pass.

    New passes are marked; if marks are dates, the last one gets the day ``at``. Cells of later
    passes are emptied. Raises NoPlaceError if a cell contains something else, or if the day is
    needed but unknown.
    """
    style = document.marks_of(entry.group)
    patches = []
    for cell in entry.anatomy.pass_cells:
        is_done = cell.mark is not None and cell.mark.passes > 0
        is_new = (entry.fields.passes or 0) < cell.number <= passes
        if is_done == is_new or not (is_new or cell.number > passes):
            continue
        text = mark_text(style, int(is_new), at if cell.number == passes else None)
        if text is None:
            if cell.number < passes:
                continue
            raise NoPlaceError(kind_of(style).needs)
        span = cell.mark.span if cell.mark else None
        patches += set_value(document, entry, PASS_ROLES[cell.number - 1], span, text)
    return patches


def padded(raw: str, content: str, *, keeps_width: bool) -> str:
    """Return a cell with new content, padded as ``set_cell`` describes."""
    old = raw.strip(" \t")
    if not content:
        blanks = len(raw) if keeps_width else max(len(raw) - len(old) - bool(old), 0)
        return " " * blanks
    if old:
        lead = len(raw) - len(raw.lstrip(" \t"))
        trail = len(raw) - len(old) - lead
        if keeps_width:
            trail = max(len(raw) - lead - len(content), 1)
        return raw[:lead] + content + " " * trail
    is_roomy = keeps_width and len(raw) >= len(content) + 2
    trail = len(raw) - 1 - len(content) if is_roomy else len(raw)
    return f" {content}{' ' * trail}" if raw else content


def empty_word(document: Document, table: Table, column: int) -> str:
    """Return the usual text of a column's empty cells: mostly "", or ``null``."""
    cells = (e.anatomy.cells for e in model_rows(document, table))
    words = [document.text[slice(*row[column])].strip() for row in cells if column < len(row)]
    return most_common([word for word in words if word in _EMPTY_WORDS]) or ""


def is_empty_cell(document: Document, entry: Entry, column: int) -> bool:
    """Return whether a row has no value in a column."""
    cells = entry.anatomy.cells
    return column >= len(cells) or document.text[slice(*cells[column])].strip() in _EMPTY_WORDS


def model_rows(document: Document, table: Table) -> list[Entry]:
    """Return the rows that show how to write a new one: the last rows of the table."""
    return document.rows_of(table)[-MODELS:]


def column_width(document: Document, table: Table, column: int) -> int:
    """Return the width of a column in the delimiter row."""
    cells = split_row(document.text, *document.line_span(table.header_line + 1))
    return cells[column][1] - cells[column][0] if column < len(cells) else 0


def _lengthened(document: Document, entry: Entry, column: int, content: str) -> list[Patch]:
    """Return the patch that adds cells to a short row, up to this column."""
    start, end = entry.anatomy.body
    row = document.text[start:end].rstrip(" \t")
    is_closed = row.endswith("|") and not row.endswith("\\|")
    at = start + len(row)
    text = " |" * (column - len(entry.anatomy.cells)) + f" {content} |"
    return [Patch((at, at), text if is_closed else " |" + text[:-2])]


def date_text(document: Document, table: Table | None, date: str | None) -> str | None:
    """Return a date in the format of the table or the document; "" without a date.

    None if the date is less precise than the format.
    """
    if date is None:
        return ""
    rows = model_rows(document, table) if table else ()
    patterns = [p for row in rows if (p := date_pattern(document.text, row))]
    style = document.style
    pattern = style.chosen_date_format or most_common(patterns) or style.date_format
    return write_date(date, pattern or ("%Y/%m" if table else "%Y-%m-%d"))


def rating_text(document: Document, rating: int | None, samples: Sequence[str] = ()) -> str:
    """Return a rating as a number if the samples are numbers, else as stars.

    Empty stars are added if samples have them.
    """
    written_score = write_rating(rating, samples) if rating else None
    stars = (document.style.rating or "⭐️") * (rating or 0)
    if any(sample.endswith("☆") for sample in samples):
        stars += "☆" * (5 - (rating or 0))
    return written_score or stars


_VALUES = {
    SetPasses: ("passes", "reading mark"),
    SetRating: ("rating", "rating"),
    SetDate: ("date", "date"),
}
"""The field that each kind of edit sets, and its name in messages."""


def set_field(
    document: Document, entry: Entry, edit: SetPasses | SetRating | SetDate
) -> list[Patch]:
    """Return the patch that writes a value.

    In a row, it goes into its cell; in other entries, to its present place, or where other entries
    have it.
    """
    field, field_name = _VALUES[type(edit)]
    anatomy, old, new = entry.anatomy, getattr(entry.fields, field), getattr(edit, field)
    if field not in entry.places:
        raise NoPlaceError(no_place(entry, field_name))
    # If marks have a single level, a mark already stands for any number of passes.
    is_shown = isinstance(edit, SetPasses) and document.marks_of(entry.group).max_passes == 1
    if new == old or (all((is_shown, old, new))):
        return []
    if isinstance(edit, SetPasses):
        if anatomy.pass_cells:
            return set_pass_cells(document, entry, edit.passes, edit.at)
        span, text = anatomy.mark.span if anatomy.mark else None, _mark_text(document, entry, edit)
    elif isinstance(edit, SetRating):
        rows = () if anatomy.table is None else document.rows_of(document.table_of(entry))
        shown = (rated_entry.anatomy.rating for rated_entry in (entry, *rows))
        samples = [document.text[slice(*rated_entry)] for rated_entry in shown if rated_entry]
        span, text = anatomy.rating, rating_text(document, edit.rating, samples)
    else:
        span, text = anatomy.date, _date_text(document, entry, edit)
    if entry.shape == "row":
        return set_value(document, entry, field, span, text)
    if span is not None:
        is_same = document.text[slice(*span)].strip() == text
        return [] if is_same else [replaced(document.text, span, text)]
    if not text:
        return []
    if field == "passes" and _marks_come_first(document, entry):
        start = anatomy.body[0]
        return [Patch((start, start), text + " ")]
    end = end_of_words(document, entry)
    return [Patch((end, end), " " + text)]


def end_of_words(document: Document, entry: Entry) -> int:
    """Return the offset after the words of an entry's own text."""
    start, end = entry.anatomy.body
    return start + len(document.text[start:end].rstrip(" \t\r\n\\"))


def _mark_text(document: Document, entry: Entry, edit: SetPasses) -> str:
    """Return a reading mark. An item keeps the kind of its own mark."""
    style = document.marks_of(entry.group)
    if entry.shape == "row":
        text, reason = mark_text(style, edit.passes, edit.at), kind_of(style).needs
    else:
        mark = entry.anatomy.mark
        style = style_like(document.text, mark, style)
        is_apart = mark is None and kind_of(style).is_only_in_cells
        text = None if is_apart else mark_text(style, edit.passes)
        reason = no_place(entry, "reading mark")
    if text is None:
        raise NoPlaceError(reason)
    return text


def _marks_come_first(document: Document, entry: Entry) -> bool:
    """Return whether marks precede titles in entries of this shape."""
    alike = (other.anatomy for other in document.entries if other.shape == entry.shape)
    places = ((item.mark, item.title) for item in alike)
    return next((mark.span[0] < title[0] for mark, title in places if mark and title), False)


def _date_text(document: Document, entry: Entry, edit: SetDate) -> str:
    """Return a date in the format of the table, or of the entry's own date."""
    text = None
    if entry.shape == "row":
        text = date_text(document, document.table_of(entry), edit.date)
    elif edit.date and entry.anatomy.date:
        pattern = document.style.chosen_date_format or date_pattern(document.text, entry)
        text = write_date(edit.date, pattern) if pattern else None
    if text is None:
        raise NoPlaceError("The date is not known precisely enough for the document's date format.")
    return text


def set_title(
    document: Document, numbering: Numbering, entry: Entry, edit: SetTitle
) -> list[Patch]:
    """Return the patches for an entry's title and for the comment above its definitions."""
    span = entry.anatomy.title
    # A picture or tag instead of a title is not replaced.
    if span is None or not entry.fields.title or not is_text(document.text[slice(*span)]):
        raise NoPlaceError("The entry has no visible title.")
    if edit.title == entry.fields.title:
        return []
    if not (
        entry.anatomy.is_title_sure
        or is_same_title(entry.fields.title, document.settings.get("title", ""))
    ):
        raise NoPlaceError(
            f"{entry.fields.title!r} may not be the entry's title, so it was not replaced "
            "(`papertrack documents FILE --set title=…` sets the title of one entry)."
        )
    write = escape_title if edit.is_escaped else retitled
    text = write(document.text, edit.title, entry)
    link = entry.anatomy.title_link
    if link is not None and link.form == "wiki" and link.url_span == link.label_span:
        # The old title is also the path of the note, so the new title becomes the link's label.
        between = "\\|" if entry.shape == "row" else "|"
        text = f"{link.url}{between}{clean(edit.title)}"
    return [Patch(span, text), *numbering.update_comment(entry, edit.title)]


_VOID = ("br", "img", "hr", "input", "wbr")
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)(?=[\s/>])[^<>]*>")
_OPEN_TAG = re.compile(r"(?<!\\)<[A-Za-z/!]")
_BLANKS = re.compile(r"[ \t\r\n]+")


def retitled(text: str, title: str, entry: Entry) -> str:
    """Return a new title for an entry, keeping unchanged words at its ends as written.

    Of the other words, only markup is escaped. The caller must check that the result is read as the
    title; the result of ``markup.escape_title`` always is.
    """
    assert entry.anatomy.title is not None, "the caller asked for an entry that shows a title"
    source = text[slice(*entry.anatomy.title)]
    old, new = plain(source).split(" "), clean(title).split(" ")
    first = common_start(old, new)
    last = common_start(old[first:][::-1], new[first:][::-1])
    # The source of exactly these words; "" if markup extends beyond them.
    blanks = [*_BLANKS.finditer(source)]
    heads = (source[:end] for end in (*(blank.start() for blank in blanks), len(source)))
    tails = (source[at:] for at in (*(blank.end() for blank in blanks), 0))
    words = " ".join(old[:first]), " ".join(old[len(old) - last :])
    head = next((part for part in heads if first and plain(part) == words[0]), "")
    tail = next((part for part in tails if last and plain(part) == words[1]), "")
    middle = new[first if head else 0 : len(new) - last if tail else len(new)]
    pieces = [head, light_escape(" ".join(middle), entry.shape), tail]
    written = " ".join(filter(None, pieces))
    is_same = plain(written) == " ".join(new)
    return written if is_same else light_escape(" ".join(new), entry.shape)


def is_text(source: str) -> bool:
    """Return whether the source of a title can be replaced by words.

    It has words, and no tag that is opened or closed elsewhere.
    """
    if _OPEN_TAG.search(_TAG.sub("", source)):
        return False
    tags = [(tag["close"], tag["name"].lower()) for tag in _TAG.finditer(source)]
    opened = sorted(name for close, name in tags if not close and name not in _VOID)
    return opened == sorted(name for close, name in tags if close) and bool(plain(source))


def common_start(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many words or letters two texts have in common at the start."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(left), len(right)))
