"""Highlights and comments as viewers write them into PDFs."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    PdfObject,
    TextStringObject,
)

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
YELLOW = (1.0, 0.83, 0.0)
RED = (1.0, 0.4, 0.4)


def boxes(path: Path, page: int, phrase: str) -> list[Box]:
    """Where a phrase stands on a page: a box for each of its lines."""
    document = pypdfium2.PdfDocument(path)
    text = document[page - 1].get_textpage()
    found = text.search(phrase).get_next()
    assert found is not None, phrase
    start, length = found
    rects = [text.get_rect(n) for n in range(text.count_rects(start, length))]
    document.close()
    return rects


def mark(path: Path, page: int, *annotations: Mapping[str, Any]) -> None:
    """Add annotations to a page, whatever they say: values of plain Python, names as ``/N``."""
    writer = pypdf.PdfWriter(clone_from=path)
    here = writer.pages[page - 1]
    there = here.get("/Annots", ArrayObject()).get_object()
    for one in annotations:
        if "/AP" in one:
            one = {**one, "/AP": {"/N": writer._add_object(one["/AP"]["/N"])}}
        there.append(writer._add_object(made({"/Type": "/Annot", **one})))
    here[NameObject("/Annots")] = there
    writer.write(path)


def unmark(path: Path, *contents: str) -> None:
    """Take all annotations away, or those with these names (/NM)."""
    writer = pypdf.PdfWriter(clone_from=path)
    for page in writer.pages:
        there = page.get("/Annots", ArrayObject()).get_object()
        left = [one for one in there if contents and one.get_object().get("/NM") not in contents]
        page[NameObject("/Annots")] = ArrayObject(left)
    writer.write(path)


def made(value: Any) -> PdfObject:
    """A value of Python as one of PDF."""
    match value:
        case PdfObject():
            return value
        case dict():
            return DictionaryObject({NameObject(name): made(one) for name, one in value.items()})
        case list() | tuple():
            return ArrayObject(map(made, value))
        case str() if value.startswith("/"):
            return NameObject(value)
        case str():
            return TextStringObject(value)
        case int():
            return NumberObject(value)
        case _:
            return FloatObject(value)


def highlight(
    found: Sequence[Box], colour: Sequence[float] = YELLOW, **more: Any
) -> dict[str, Any]:
    """As most viewers write it: quads line by line, corners in the order of Acrobat's."""
    return {
        "/Subtype": "/Highlight",
        "/Rect": _around(found),
        "/QuadPoints": [x for box in found for x in _corners(box)],
        "/C": list(colour),
        **{f"/{name}": value for name, value in more.items()},
    }


def _around(found: Sequence[Box]) -> list[float]:
    lefts, bottoms, rights, tops = zip(*found, strict=True)
    return [min(lefts), min(bottoms), max(rights), max(tops)]


def _corners(box: Box) -> Iterator[float]:
    left, bottom, right, top = box
    yield from (left, top, right, top, left, bottom, right, bottom)


def of_preview(found: Sequence[Box], comment: str = "") -> dict[str, Any]:
    """Neither popup nor /C: only what is drawn has a colour. /Contents come as a comment."""
    drawn = DecodedStreamObject()
    left, bottom, right, top = _around(found)
    drawn.set_data(f"0.98 0.8 0.35 rg {left} {bottom} {right - left} {top - bottom} re f".encode())
    drawn.update(made({"/Type": "/XObject", "/Subtype": "/Form", "/BBox": _around(found)}))
    said = highlight(found, **({"Contents": comment} if comment else {}))
    del said["/C"]
    return {**said, "/AP": {"/N": drawn}, "/F": 4}


def of_okular(found: Sequence[Box], comment: str) -> dict[str, Any]:
    """Named, with its comment; corners against the clock."""
    said = highlight(found, NM="okular-{b1}", Contents=comment, T="Ama Osei", F=4)
    quads = [(l, b, r, b, r, t, l, t) for l, b, r, t in found]  # noqa: E741
    return {**said, "/QuadPoints": [x for quad in quads for x in quad]}


def of_zotero(found: Sequence[Box], comment: str) -> dict[str, Any]:
    """pdf.js: the quads from the last line to the first."""
    return highlight(found[::-1], RED, NM="Zotero-ABCD2345", Contents=comment, M="D:20260101")


def of_acrobat(found: Sequence[Box], comment: str) -> list[dict[str, Any]]:
    """The comment as rich text too, a popup, a reply that says a state, and a drawing."""
    rich = f"<?xml version='1.0'?><body><p><b>{comment}</b></p></body>"
    popup = {"/Subtype": "/Popup", "/Rect": [0, 0, 100, 100], "/Open": False, "/Contents": comment}
    state = {"/Subtype": "/Text", "/Rect": [0, 0, 9, 9], "/StateModel": "Review", "/State": "None"}
    drawn = DecodedStreamObject()
    drawn.set_data(b"/R0 gs 0 0 1 rg 0 0 5 5 re f")
    drawn.update(made({"/Type": "/XObject", "/Subtype": "/Form", "/BBox": [0, 0, 5, 5]}))
    said = highlight(found, (0.37, 0.7, 0.2), Contents=comment, RC=rich, NM="x", CA=0.4)
    return [{**said, "/AP": {"/N": drawn}}, popup, {**state, "/Contents": "None set by Ama"}]


def of_evince(found: Sequence[Box], comment: str) -> dict[str, Any]:
    """Whole points."""
    rounded = [(*map(round, box),) for box in found]
    return highlight(rounded, (0.99, 0.91, 0.31), Contents=comment)  # type: ignore[arg-type]
