"""Read the highlights and comments of a PDF's pages with pdfium: a part of the worker.

The only record of what a highlight marks is the place of its boxes (quads). So its text consists of
the letters whose middle is in a box, in the order of the page's text: viewers write corners and
boxes in any order.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as raw

from papertrack.text import unescape

LINE_HYPHEN = "\ufffe"
"""pdfium's character for a hyphen that splits a word at the end of a line."""
MOST_MARKS = 5_000
"""The most marks of a file; on each page at most twenty times as many are examined."""
_MOST_QUADS = 500
_MOST_SHAPES = 20
_MOST_LETTERS = 200_000
_MOST_WRITTEN = 10_000
"""The most letters of a quote or a comment."""
_HIDDEN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_MARKS = {
    raw.FPDF_ANNOT_HIGHLIGHT: "highlight",
    raw.FPDF_ANNOT_UNDERLINE: "underline",
    raw.FPDF_ANNOT_SQUIGGLY: "underline",
    raw.FPDF_ANNOT_STRIKEOUT: "strikeout",
}
_COMMENTS = {
    **dict.fromkeys((raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_CARET, raw.FPDF_ANNOT_STAMP), "note"),
    **dict.fromkeys(range(raw.FPDF_ANNOT_LINE, raw.FPDF_ANNOT_POLYLINE + 1), "note"),
    raw.FPDF_ANNOT_FREETEXT: "text",
    raw.FPDF_ANNOT_INK: "ink",
}
"""Kinds that mark no text, such as shapes. They count if they have a comment; ink always counts."""
_Box = tuple[float, float, float, float]
"""Left, right, bottom and top."""


class _Letter(NamedTuple):
    at: int
    """Its number on the page."""
    x: float
    y: float


def marks_of(page: pypdfium2.PdfPage, most: int) -> Iterator[dict[str, Any]]:
    """Yield the highlights and comments of a page, in the order of its text.

    Reads at most ``most`` annotations.
    """
    handles = (
        raw.FPDFPage_GetAnnot(page, number)
        for number in range(min(raw.FPDFPage_GetAnnotCount(page), most))
    )
    valid = [handle for handle in handles if handle]
    try:
        marks = [handle for handle in valid if _is_mark(handle)]
        if marks:
            with closing(page.get_textpage()) as text:
                chars = [
                    chr(raw.FPDFText_GetUnicode(text, at)).replace("\x02", LINE_HYPHEN)
                    for at in range(min(text.count_chars(), _MOST_LETTERS))
                ]
                letters = list(_letters(text, chars))
            read = [_annotation(handle, chars, letters) for handle in marks]
            yield from sorted(read, key=lambda mark: int(mark["at"]))
    finally:
        for handle in valid:
            raw.FPDFPage_CloseAnnot(handle)


def _is_mark(handle: Any) -> bool:
    kind = raw.FPDFAnnot_GetSubtype(handle)
    if raw.FPDFAnnot_GetFlags(handle) & _HIDDEN or raw.FPDFAnnot_HasKey(handle, b"StateModel"):
        return False  # A StateModel only marks another annotation as "accepted".
    is_mark = kind in _MARKS or kind == raw.FPDF_ANNOT_INK
    return is_mark or (kind in _COMMENTS and bool(_comment(handle)))


def _letters(text: pypdfium2.PdfTextPage, chars: Sequence[str]) -> Iterator[_Letter]:
    """Yield the place of each letter of a page."""
    box = raw.FS_RECTF()
    for at, char in enumerate(chars):
        if char > " " and raw.FPDFText_GetLooseCharBox(text, at, box):
            yield _Letter(at, (box.left + box.right) / 2, (box.top + box.bottom) / 2)


def _annotation(handle: Any, chars: list[str], letters: list[_Letter]) -> dict[str, Any]:
    kind = raw.FPDFAnnot_GetSubtype(handle)
    marked = []
    if kind in _MARKS:
        quads = list(_quads(handle))
        marked = [
            at
            for at, x, y in letters
            if any(left <= x <= right and low <= y <= high for left, right, low, high in quads)
        ]
    rect = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(handle, rect)
    # Vertical distance counts more: the next line is farther than the next word.
    nearest = min(
        letters, key=lambda x: 5 * abs(x.y - rect.top) + abs(x.x - rect.left), default=None
    )
    quote, comment = _text_at(marked, chars)[:_MOST_WRITTEN], _comment(handle)
    return {
        "kind": _MARKS.get(kind) or _COMMENTS[kind],
        "colour": _colour(handle),
        "text": quote,
        # Some viewers also copy the marked text into the comment.
        "comment": "" if _words(comment) == _words(quote) else comment,
        "name": _string(handle, b"NM")[:200],
        "at": marked[0] if marked else nearest.at if nearest else 0,
    }


def _quads(handle: Any) -> Iterator[_Box]:
    """Yield the boxes of a mark; if it has none, its rectangle."""
    points, rect = raw.FS_QUADPOINTSF(), raw.FS_RECTF()
    number = min(raw.FPDFAnnot_CountAttachmentPoints(handle), _MOST_QUADS)
    for at in range(number):
        if raw.FPDFAnnot_GetAttachmentPoints(handle, at, points):
            xs, ys = ([getattr(points, f"{axis}{n}") for n in "1234"] for axis in "xy")
            yield min(xs), max(xs), min(ys), max(ys)
    if not number and raw.FPDFAnnot_GetRect(handle, rect):
        yield rect.left, rect.right, rect.bottom, rect.top


def _text_at(marked: list[int], chars: list[str]) -> str:
    """Return the letters at these places, with the text between them, on one line.

    Words that a hyphen splits at a line end are joined.
    """
    parts = [chars[at] for at in marked[:1]]
    for before, at in pairwise(marked):
        between = "".join(chars[before + 1 : at])
        parts += [LINE_HYPHEN if between.strip() == LINE_HYPHEN else " " if between else ""]
        parts += [chars[at]]
    text = " ".join("".join(parts).strip(LINE_HYPHEN).split())
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return re.sub(
        rf"\S*{LINE_HYPHEN}\S*",
        # A word with another hyphen is a compound, and keeps the hyphen.
        lambda word: word[0].replace(LINE_HYPHEN, "-" if "-" in word[0] else ""),
        text,
    )


def _comment(handle: Any) -> str:
    """Return the comment of a mark, without the tags of rich text."""
    rich = unescape(re.sub(r"<[^>]*>", " ", _string(handle, b"RC")[: 10 * _MOST_WRITTEN]))
    return (_string(handle, b"Contents").strip() or " ".join(rich.split()))[:_MOST_WRITTEN]


def _words(text: str) -> str:
    return "".join(re.findall(r"\w+", text)).casefold()


def _colour(handle: Any) -> str:
    """Return the colour of a mark as ``#ffd400``: the one it names, else the one it is drawn in."""
    values = [ctypes.c_uint() for _ in range(4)]
    if raw.FPDFAnnot_HasKey(handle, b"C"):
        # pdfium gives no colour if there is an appearance stream, so this removes it, in memory.
        raw.FPDFAnnot_SetAP(handle, raw.FPDF_ANNOT_APPEARANCEMODE_NORMAL, None)
        if raw.FPDFAnnot_GetColor(handle, raw.FPDFANNOT_COLORTYPE_Color, *values):
            return _hex(values)
    for number in range(min(raw.FPDFAnnot_GetObjectCount(handle), _MOST_SHAPES)):
        shape = raw.FPDFAnnot_GetObject(handle, number)
        if shape and raw.FPDFPageObj_GetFillColor(shape, *values):
            return _hex(values)
    return ""


def _hex(values: Sequence[ctypes.c_uint]) -> str:
    return "#" + "".join(f"{min(value.value, 255):02x}" for value in values[:3])


def _string(handle: Any, key: bytes) -> str:
    size = raw.FPDFAnnot_GetStringValue(handle, key, None, 0)
    text = (ctypes.c_ushort * (size // 2))()
    raw.FPDFAnnot_GetStringValue(handle, key, text, size)
    return bytes(text).decode("utf-16-le", "ignore").rstrip("\0")
