"""What is learnt from a document, and shown to its curator."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import SetLink, SetPasses
from papertrack.documents.markdown.write.edits import apply_edits
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
    assert (str(style.marks.kind), style.marks.max_passes) == ("box", 1)
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
    assert (document.style.marks.unread, document.style.marks.words) == ("未读", ("已读",))
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
    assert found == min(passes, document.style.marks.max_passes)


def test_a_sign_for_unread_is_kept_beside_check_marks() -> None:
    cells = ("❌", "✅ ✅", "❌", "❌")
    rows = "".join(f"| {PAPER.format(n)} | {cell} |\n" for n, cell in enumerate(cells, 1))
    document = parse_document(f"| Title | Status |\n|--|--|\n{rows}")
    assert (str(document.style.marks.kind), document.style.marks.max_passes) == ("check", 3)
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


MIXED = """\
## Checked

| Title | Read |
|--|--|
| [A](https://arxiv.org/abs/2301.00001) | ✅ ✅ |
| [B](https://arxiv.org/abs/2301.00002) | |
| [C](https://arxiv.org/abs/2301.00003) | ✅ |

## Told

| Title | Status |
|--|--|
| [D](https://arxiv.org/abs/2301.00004) | read |
| [E](https://arxiv.org/abs/2301.00005) | unread |
| [M](https://arxiv.org/abs/2301.00013) | unread |

## Signed

| Title | Read |
|--|--|
| [F](https://arxiv.org/abs/2301.00006) | ☑ |
| [G](https://arxiv.org/abs/2301.00007) | |

## Dated

| Title | Read |
|--|--|
| [H](https://arxiv.org/abs/2301.00008) | 2024/05/01 |
| [I](https://arxiv.org/abs/2301.00009) | |

## Ticked

- [x] [J](https://arxiv.org/abs/2301.00010)
- [ ] [K](https://arxiv.org/abs/2301.00011)

## Unmarked

| Title | Read |
|--|--|
| [L](https://arxiv.org/abs/2301.00012) | |
"""


@pytest.mark.parametrize(
    ("title", "passes", "line"),
    [
        ("B", 3, "| [B](https://arxiv.org/abs/2301.00002) | ✅ ✅ ✅ |"),
        ("E", 1, "| [E](https://arxiv.org/abs/2301.00005) | read |"),
        ("D", 0, "| [D](https://arxiv.org/abs/2301.00004) | unread |"),
        ("G", 2, "| [G](https://arxiv.org/abs/2301.00007) | ☑ ☑ |"),
        ("I", 1, "| [I](https://arxiv.org/abs/2301.00009) | 2025/02/03 |"),
        ("K", 1, "- [x] [K](https://arxiv.org/abs/2301.00011)"),
        ("L", 2, "| [L](https://arxiv.org/abs/2301.00012) | ✅ ✅ |"),
    ],
)
def test_each_table_and_list_has_marks_of_its_own_kind(title: str, passes: int, line: str) -> None:
    document = parse_document(MIXED)
    (entry,) = [entry for entry in document.entries if entry.fields.title == title]
    edited = apply_edits(document, [SetPasses(entry.index, passes, at="2025-02-03")])
    assert line in edited.text.splitlines()
    again = parse_document(edited.text)
    back = SetPasses(entry.index, entry.fields.passes or 0)
    assert apply_edits(again, [back]).text == document.text


def test_a_code_link_is_written_as_most_are_not_as_the_nearest_is() -> None:
    def items(links: list[str]) -> str:
        return "".join(
            f"- [T{n}](https://arxiv.org/abs/2301.0000{n}){link}\n" for n, link in enumerate(links)
        )

    usual, odd = " [[code]](https://github.com/a/{})", " ([Repo](https://github.com/a/{}))"
    links = [usual.format(1), usual.format(2), odd.format(3), ""]
    edited = apply_edits(
        parse_document(items(links)), [SetLink(3, "code", "https://github.com/a/new")]
    )
    assert edited.text.splitlines()[3].endswith(" [[code]](https://github.com/a/new)")
    rows = "".join(
        f"| [T{n}](https://arxiv.org/abs/2301.0000{n}) | {link} |\n"
        for n, link in enumerate(link.strip() for link in links)
    )
    edited = apply_edits(
        parse_document(f"| Title | Code |\n|--|--|\n{rows}"),
        [SetLink(3, "code", "https://github.com/a/new")],
    )
    assert "| [[code]](https://github.com/a/new) " in edited.text.splitlines()[5]
