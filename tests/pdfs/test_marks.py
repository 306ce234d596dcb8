"""Highlights and comments are read as their viewers meant them, and none does any harm."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pypdf
import pytest
from pypdf.generic import NameObject

from papertrack.pdfs.marks import MOST_MARKS
from papertrack.pdfs.reader import Highlight, PdfReader
from papertrack.pdfs.worker import MOST_LETTERS_OF_MARKS
from tests.corpus import in_turn
from tests.pdfs import marked
from tests.pdfs.made import make_pdf
from tests.pdfs.marked import Box, boxes, highlight, mark

LINES = ("Paging reduces the waste of memory to under four percent.",)


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    make_pdf(tmp_path / "a.pdf", LINES, ["Paging is old.", "It is not of this paper."])
    return tmp_path / "a.pdf"


@pytest.fixture(scope="module", autouse=True)
def reader() -> Iterator[None]:
    """One worker reads the files of all tests, as it does those of a library."""
    global _reader
    with PdfReader() as _reader:
        yield


def read(path: Path) -> list[Highlight]:
    return _reader.highlights(path)


def test_a_highlight_has_page_kind_colour_quote_and_comment(pdf: Path) -> None:
    mark(pdf, 1, highlight(boxes(pdf, 1, "waste of memory"), Contents="Why?", NM="n1"))
    mark(pdf, 2, {**highlight(boxes(pdf, 2, "old")), "/Subtype": "/Underline"})
    found = read(pdf)
    assert found[0][:6] == (1, "highlight", "#ffd300", "waste of memory", "Why?", "n1")
    assert found[1][:6] == (2, "underline", "#ffd300", "old", "", "")


_VIEWERS: dict[str, Callable[[Sequence[Box]], Any]] = {
    "preview": lambda found: marked.of_preview(found, "Why?"),
    "okular": lambda found: marked.of_okular(found, "Why?"),
    "zotero": lambda found: marked.of_zotero(found, "Why?"),
    "acrobat": lambda found: marked.of_acrobat(found, "Why?"),
    "evince": lambda found: marked.of_evince(found, "Why?"),
}
_COLOURS = dict(zip(_VIEWERS, ("fa", "ff", "ff", "5e", "fc"), strict=True))


@in_turn(
    turned=[0, 90, 180, 270],
    viewer=_VIEWERS,
)
def test_five_viewers_of_pages_upright_and_turned(tmp_path: Path, viewer: str, turned: int) -> None:
    path = tmp_path / "a.pdf"
    lines = ["Before it.", "Paging reduces the", "waste of memory", "to four percent."]
    make_pdf(path, lines, rotate=turned)
    found = [boxes(path, 1, phrase)[0] for phrase in ("reduces the", "waste of memory", "to four")]
    of_viewer = _VIEWERS[viewer](found)
    mark(path, 1, *(of_viewer if isinstance(of_viewer, list) else [of_viewer]))
    (one,) = read(path)
    assert one.text == "reduces the waste of memory to four"
    assert one.comment == "Why?"
    assert one.colour[1:3] == _COLOURS[viewer]


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    make_pdf(path, columns=[["Left one begins", "and left one ends."], ["Right one", "is else."]])
    found = boxes(path, 1, "left one ends") + boxes(path, 1, "Right one")
    mark(path, 1, highlight(found[::-1]))
    assert [one.text for one in read(path)] == ["left one ends Right one"]


@pytest.mark.parametrize(
    ("lines", "marked_words", "quote"),
    [
        (["The accep-", "tance is high."], ("accep", "tance is"), "acceptance is"),
        (["It is state-of-", "the-art now."], ("state-of", "the-art"), "state-of-the-art"),
        (["It ends accep-", "tance."], ("accep",), "accep"),
    ],
)
def test_words_that_a_hyphen_parts_are_whole(
    tmp_path: Path, lines: list[str], marked_words: tuple[str, ...], quote: str
) -> None:
    make_pdf(tmp_path / "a.pdf", lines)
    found = [box for word in marked_words for box in boxes(tmp_path / "a.pdf", 1, word)]
    with_hyphens = [(left, bottom, right + 4, top) for left, bottom, right, top in found]
    mark(tmp_path / "a.pdf", 1, highlight(with_hyphens))
    assert [one.text for one in read(tmp_path / "a.pdf")] == [quote]


def test_comments_that_mark_no_text(pdf: Path) -> None:
    place = {"/Rect": [60, 500, 80, 520], "/C": [1, 0, 0]}
    mark(
        pdf,
        2,
        {**place, "/Subtype": "/Text", "/Contents": "A note."},
        {**place, "/Subtype": "/FreeText", "/RC": "<body><p>Typed &amp; said.</p></body>"},
        {**place, "/Subtype": "/Ink", "/InkList": [[1, 2, 3, 4]]},
        {**place, "/Subtype": "/Square"},
        {**place, "/Subtype": "/Text", "/Contents": "Hidden.", "/F": 2},
        {**place, "/Subtype": "/Link", "/Contents": "A link."},
    )
    assert [(one.kind, one.comment) for one in read(pdf)] == [
        ("note", "A note."),
        ("text", "Typed & said."),
        ("ink", ""),
    ]


def test_a_comment_that_repeats_the_quote_is_none(pdf: Path) -> None:
    mark(pdf, 1, highlight(boxes(pdf, 1, "waste of memory"), Contents="waste of\nmemory "))
    assert [(one.text, one.comment) for one in read(pdf)] == [("waste of memory", "")]


_ODD: dict[str, Any] = {
    "no quads": {"/Subtype": "/Highlight", "/Rect": [60, 730, 600, 760]},
    "no rectangle either": {"/Subtype": "/Highlight"},
    "half a quad": highlight([(0, 0, 9, 9)]) | {"/QuadPoints": [1, 2, 3]},
    "huge numbers": highlight([(0, 0, 1e30, 1e30)], colour=(1e9, -4, 1e30)),
    "a point": highlight([(60, 740, 60, 740)]),
    "words for numbers": highlight([(0, 0, 9, 9)]) | {"/QuadPoints": ["x"] * 8, "/C": "/Red"},
    "many quads": highlight([(60, 730, 600, 760)] * 5_000),
    "a long comment": highlight([(0, 0, 9, 9)], Contents="word " * 200_000),
    "a program": highlight([(0, 0, 9, 9)], A={"/S": "/JavaScript", "/JS": "app.alert(1)"}),
    "no kind": {"/Rect": [0, 0, 9, 9]},
    "a kind of its own": {"/Subtype": "/Nonsense", "/Contents": "x"},
    "no dictionary": [1, 2],
}


@pytest.mark.parametrize("odd", _ODD)
def test_an_odd_annotation_hides_no_other(pdf: Path, odd: str) -> None:
    if isinstance(_ODD[odd], dict):
        mark(pdf, 1, _ODD[odd])
    else:
        writer = pypdf.PdfWriter(clone_from=pdf)
        writer.pages[0][NameObject("/Annots")] = marked.made([_ODD[odd], 5, "x"])
        writer.write(pdf)
    mark(pdf, 2, highlight(boxes(pdf, 2, "not of this"), Contents="Here."))
    found = read(pdf)
    assert found[-1][:5] == (2, "highlight", "#ffd300", "not of this", "Here.")
    assert all(len(one.comment) <= 10_000 for one in found)


def test_of_more_annotations_than_anybody_makes_some_are_read(pdf: Path) -> None:
    writer = pypdf.PdfWriter(clone_from=pdf)
    one = writer._add_object(marked.made(highlight(boxes(pdf, 1, "waste"))))
    writer.pages[0][NameObject("/Annots")] = marked.made([one] * 2 * MOST_MARKS)
    writer.write(pdf)
    found = read(pdf)
    assert 0 < len(found) <= MOST_MARKS
    assert {one.text for one in found} == {"waste"}


def test_one_long_comment_on_many_pages_fills_no_disk(tmp_path: Path) -> None:
    pdf = tmp_path / "long.pdf"
    make_pdf(pdf, *([f"Page {number}."] for number in range(120)))
    writer = pypdf.PdfWriter(clone_from=pdf)
    box = {"/Subtype": "/Text", "/Rect": [0, 0, 9, 9]}
    one = writer._add_object(marked.made({**box, "/Contents": "word " * 2_000}))
    for page in writer.pages:
        page[NameObject("/Annots")] = marked.made([one])
    writer.write(pdf)
    assert 0 < sum(len(one.comment) for one in read(pdf)) <= MOST_LETTERS_OF_MARKS
