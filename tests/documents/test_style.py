"""What is learnt from a document, and shown to its curator."""

from __future__ import annotations

import pytest

from papertrack.documents.document import parse_document
from papertrack.documents.edits import SetPasses, apply_edits
from tests.documents.samples import fixture

PAPER = "[T](https://arxiv.org/abs/2301.0000{})"


def test_the_style_of_the_seed_is_learnt() -> None:
    style = fixture("seed_style.md").style
    assert style.to_dict() == {
        "line_end": "LF",
        "reading_mark": "check",
        "reading_mark_text": "✅",
        "reading_mark_separator": " ",
        "reading_words": None,
        "rating": None,
        "links": "reference",
        "definition_block": 5,
        "title_comments": True,
        "date_format": "%Y/%m",
        "bullet": None,
        "orders": {"Serving": "ascending"},
        "numbering": "counting",
        "tables": [
            [
                {"header": "Title", "role": "title"},
                {"header": "Date", "role": "date"},
                {"header": "arXiv", "role": "paper"},
                {"header": "GitHub", "role": "code"},
                {"header": "Note", "role": "note"},
                {"header": "Read", "role": "passes"},
            ]
        ],
    }


def test_boxes_stars_and_bullets_are_learnt() -> None:
    style = fixture("bullets.md").style
    assert (style.mark, style.max_passes) == ("box", 1)
    assert style.rating == ":star:"
    assert style.bullet == "*"
    assert style.link_form == "inline"
    assert style.block_size is None


@pytest.mark.parametrize(
    ("years", "order"),
    [
        ((2021, 2022, 2023), "ascending"),
        ((2023, 2022, 2021), "descending"),
        ((2023, 2021, 2022), "none"),
    ],
)
def test_a_sections_order_by_date_is_learnt(years: tuple[int, ...], order: str) -> None:
    rows = "".join(f"| [T{y}](https://a.org/{y}) | {y} |\n" for y in years)
    document = parse_document(f"## S\n\n| Title | Year |\n|--|--|\n{rows}")
    assert dict(document.style.orders)[("S",)] == order


def test_marks_without_blanks_between_them_are_written_so() -> None:
    rows = f"| {PAPER.format(1)} | ✅✅ |\n| {PAPER.format(2)} | |\n"
    document = parse_document(f"| Title | Read |\n|--|--|\n{rows}")
    text = apply_edits(document, [SetPasses(1, 3)]).text
    assert text.endswith("| ✅✅✅ |\n")


def test_words_for_reading_are_written_as_the_document_has_them() -> None:
    rows = f"| {PAPER.format(1)} | 已读 |\n| {PAPER.format(2)} | 未读 |\n"
    document = parse_document(f"| 标题 | 状态 |\n|--|--|\n{rows}")
    assert document.style.words == ("未读", "已读")
    text = apply_edits(document, [SetPasses(1, 1), SetPasses(0, 0)]).text
    assert [entry.fields.passes for entry in parse_document(text).entries] == [0, 1]


@pytest.mark.parametrize(
    ("cells", "passes", "written"),
    [
        (("Todo", "Todo"), 1, "Done"),
        (("未读", "未读"), 1, "已读"),
        (("*queued*", "*queued*"), 2, "*read*"),
        (("❌", "❌"), 1, "✅"),
        (("skimmed", "unread"), 1, "skimmed"),
        (("skimmed", "unread"), 2, "read"),
        (("skimmed", "Read"), 3, "Read"),
        (("略读", "略读"), 2, "精读"),
    ],
)
def test_a_word_that_no_row_has_yet_goes_with_the_others(
    cells: tuple[str, str], passes: int, written: str
) -> None:
    rows = "".join(f"| {PAPER.format(n)} | {cell} |\n" for n, cell in enumerate(cells, 1))
    document = parse_document(f"| Title | Status |\n|--|--|\n{rows}")
    text = apply_edits(document, [SetPasses(1, passes)]).text
    assert text.endswith(f"| {written} |\n")
    found = parse_document(text).entries[1].fields.passes
    assert found == min(passes, document.style.max_passes)


def test_a_sign_for_unread_is_kept_beside_check_marks() -> None:
    cells = ("❌", "✅ ✅", "❌", "❌")
    rows = "".join(f"| {PAPER.format(n)} | {cell} |\n" for n, cell in enumerate(cells, 1))
    document = parse_document(f"| Title | Status |\n|--|--|\n{rows}")
    assert (document.style.mark, document.style.max_passes) == ("check", 3)
    text = apply_edits(document, [SetPasses(0, 3), SetPasses(1, 0)]).text
    assert "| ✅ ✅ ✅ |" in text
    again = parse_document(text)
    assert again.entries[1].fields.passes == 0
    assert apply_edits(again, [SetPasses(0, 0), SetPasses(1, 2)]).text == document.text


def test_a_reading_column_of_dates_takes_the_day_or_refuses() -> None:
    rows = f"| {PAPER.format(1)} | 2024/05/01 |\n| {PAPER.format(2)} | |\n"
    document = parse_document(f"| Title | Read |\n|--|--|\n{rows}")
    assert apply_edits(document, [SetPasses(1, 1)]).refused
    text = apply_edits(document, [SetPasses(1, 1, at="2025-02-03")]).text
    assert text.endswith("| 2025/02/03 |\n")
