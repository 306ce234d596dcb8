"""The user's settings for a document, such as ``mark=✔`` or ``order=none``.

They override what is learnt from the text. ``entry``, ``column.HEADER``, ``title``, ``authors``,
``venue``, ``date``, ``mark.SIGN`` and ``checks`` change how the document is read; the others change
how it is written. A mark, rating or date format is refused if papertrack would not read it back
with the same meaning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from papertrack.documents.markdown.grammar.likeness import names_in
from papertrack.documents.markdown.headers import ROLES
from papertrack.documents.markdown.marks.document_marks import DECLARED, settings_below
from papertrack.documents.markdown.marks.kind import MarkStyle
from papertrack.documents.markdown.marks.style import kind_of
from papertrack.documents.markdown.model import HINTS, Document, EntryFields, Order, Style
from papertrack.documents.markdown.pattern import ENTRY, is_about, parse_pattern
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import STAR, find_date, write_date
from papertrack.errors import UsageError
from papertrack.text import fold, is_same_title, shorten, title_key

COLUMN = "column."
SETTINGS = {
    ENTRY: "how all entries are written: - [{date}] [{title}]({url}) ({venue})",
    f"{ENTRY}.HEADING": "how the entries below a heading are written",
    "title": "the title of one entry: others are read in the same place",
    "authors": "the authors of one entry, as it writes them: others are read in the same place",
    "venue": "the venue of one entry: others are read in the same place",
    "date": "the date of one entry, as it writes it: others are read in the same place",
    "mark": "the sign of one pass: ✅, ✔, ☑, :white_check_mark:, …",
    "separator": "the text between the signs of several passes: nothing, or blanks",
    "rating": "the sign of one star: ⭐, 🌟, ★, :star:",
    "date-format": "how dates are written: %Y/%m, %B %d, %Y",
    "order": "how new entries are sorted by date: ascending, descending or none",
    "numbering": "numbered lists count (counting) or say 1. throughout (constant)",
    "checks": "whether ✅ is a reading mark: read or ignored",
    "tables": "whether tables in it show takeaways, minutes and notes: private or public",
    f"{DECLARED}SIGN": "how many passes a sign stands for: 0 to 3",
    f"{COLUMN}HEADER": f"what a column holds: {', '.join(ROLES)}",
}
"""Maps each key to its meaning."""
_WORDS = {
    "order": ("ascending", "descending", "none"),
    "numbering": ("counting", "constant"),
    "checks": ("read", "ignored"),
    "tables": ("private", "public"),
}
_ITEM = re.compile(r"[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]")
_SAMPLE_DAY = "2019-11-28"


def check_setting(document: Document, key: str, value: str) -> None:
    """Raise UsageError for a setting that is unknown, invalid, or has no effect here."""
    if key.partition(".")[0] == ENTRY:
        _check_pattern(document, key, value)
    elif key.startswith(COLUMN):
        _check_column(document, key.removeprefix(COLUMN), value)
    elif key.startswith(DECLARED):
        _check_sign(document, key.removeprefix(DECLARED), value)
    elif key not in SETTINGS:
        raise UsageError(f"There is no setting {key!r}. Choose from {', '.join(SETTINGS)}.")
    elif key in _WORDS and value not in _WORDS[key]:
        raise UsageError(f"{key} must be {' or '.join(_WORDS[key])}, not {value!r}.")
    elif key in ("mark", "separator") and not kind_of(document.style.marks).signs:
        kinds = kind_of(document.style.marks).plural_name
        raise UsageError(
            f"The reading marks of this document are {kinds}, so {key} would have no effect."
        )
    elif key == "title":
        _check_title(document, value)
    elif key in HINTS:
        _check_hint(document, key, value)
    elif not _is_readable(document, key, value):
        raise UsageError(f"{value!r} is not a valid {key}, which is {SETTINGS[key]}.")


def _check_pattern(document: Document, key: str, value: str) -> None:
    parse_pattern(value)
    sections = {heading.index for heading in document.sections if is_about(key, heading.path)}
    if not sections:
        headings = ", ".join("/".join(path) for path in document.categories) or "none"
        raise UsageError(f"There is no heading {key.partition('.')[2]!r}. Choose from {headings}.")
    read = document.parse(document.text, {**document.settings, key: value})
    if any(e.anatomy.is_declared for e in read.entries if e.section in sections):
        return
    ends = [*(heading.line - 1 for heading in document.sections[1:]), len(document.starts)]
    lines = (
        number
        for section in document.sections
        if section.index in sections
        for number in range(section.line - 1, ends[section.index])
        if _ITEM.match(document.line(number))
    )
    if (first := next(lines, None)) is not None:
        shown = shorten(document.line(first).strip())
        raise UsageError(
            f"No entry matches this pattern. The first entry, in line {first + 1}, is: {shown}"
        )


def _check_title(document: Document, title: str) -> None:
    read = document.parse(document.text, {"title": title})
    if not any(is_same_title(entry.fields.title, title) for entry in read.entries):
        raise UsageError(
            f"No entry of a list has the title {title!r} in a place that papertrack can learn."
        )


def _check_hint(document: Document, key: str, words: str) -> None:
    read = document.parse(document.text, {**document.settings, key: words})
    if not any(
        _was_read_as(entry.fields, key, words) for entry in read.entries if not entry.anatomy.cells
    ):
        columns = ", or a table by its column (--set column.HEADER=…)" if document.tables else ""
        raise UsageError(
            f"No entry of a list has {words!r} where its {key} can stand: name one as it is "
            f"written on the line of its title{columns}."
        )


def _was_read_as(fields: EntryFields, key: str, words: str) -> bool:
    """Return whether a field was read as the words that the user gave for it."""
    if key == "authors":
        return bool(fields.authors) and fields.authors == tuple(names_in(plain(words)))
    if key == "venue":
        return title_key(fields.venue or "") == title_key(words)
    date = find_date(words)
    return date is not None and fields.date == date.iso


def _check_sign(document: Document, sign: str, value: str) -> None:
    if not sign or sign not in document.text:
        raise UsageError(f"The document has no mark {sign!r}.")
    if value not in ("0", "1", "2", "3"):
        raise UsageError(f"A mark stands for 0 to 3 passes, not {value!r}.")


def _check_column(document: Document, header: str, role: str) -> None:
    headers = {fold(c.header): c.header for t in document.tables for c in t.columns if c.header}
    if fold(header) not in headers:
        headers_shown = ", ".join(dict.fromkeys(headers.values())) or "none"
        raise UsageError(f"No table has a column {header!r}. Choose from {headers_shown}.")
    if role not in ROLES:
        raise UsageError(
            f"{role!r} is not something that a column can contain. Choose from {', '.join(ROLES)}."
        )


def _is_readable(document: Document, key: str, value: str) -> bool:
    """Return whether text written with the setting is read back with the same meaning."""
    if key == "mark":
        return re.fullmatch(kind_of(document.style.marks).signs, value) is not None
    if key == "separator":
        return not value.strip(" ")
    if key == "rating":
        return STAR.fullmatch(value) is not None
    if key == "date-format":
        written = write_date(_SAMPLE_DAY, value) or ""
        date = find_date(written)
        is_all = date is not None and date.span == (0, len(written))
        return date is not None and is_all and _SAMPLE_DAY.startswith(date.iso)
    return True


def apply_settings(style: Style, settings: Mapping[str, str]) -> Style:
    """Return a learnt style, overridden by the user's settings."""
    order, numbering = settings.get("order"), settings.get("numbering")
    return replace(
        style,
        marks=apply_to_marks(style.marks, settings),
        rating=settings.get("rating", style.rating),
        chosen_date_format=settings.get("date-format"),
        orders=tuple((path, cast(Order, order or learnt)) for path, learnt in style.orders),
        is_numbering_constant=numbering == "constant" if numbering else style.is_numbering_constant,
    )


def apply_to_marks(marks: MarkStyle, settings: Mapping[str, str]) -> MarkStyle:
    """Return a learnt mark style, overridden by the user's settings."""
    return replace(
        marks,
        sign=settings.get("mark", marks.sign),
        separator=settings.get("separator", marks.separator),
    )


def column_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the roles that the user set for columns, by folded header."""
    return {fold(header): role for header, role in settings_below(settings, COLUMN).items()}
