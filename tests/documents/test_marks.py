"""Reading marks, ratings, dates and tags as people write them."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.grammar.columns import column_roles
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.values import find_date, find_rating, write_date
from papertrack.documents.markdown.write.edit_types import SetPasses
from tests.documents.samples import edited

LINK = "[T](https://arxiv.org/abs/2301.00001)"


def row(header: str, cell: str) -> str:
    return f"| Title | {header} |\n|--|--|\n| {LINK} | {cell} |\n"


@pytest.mark.parametrize(
    ("header", "cell", "passes"),
    [
        ("Read", "✅", 1),
        ("Read", "✅ ✅", 2),
        ("Read", "✅✅✅", 3),
        ("Read", "", 0),
        ("Read", ":white_check_mark:", 1),
        ("Read", ":white_check_mark::white_check_mark:", 2),
        ("Read", ":heavy_check_mark: :heavy_check_mark: :heavy_check_mark:", 3),
        ("Read", "✅ :star:", 1),
        ("Read", "[x]", 1),
        ("Read", "[ ]", 0),
        ("是否已读", "已读", 1),
        ("Status", "unread", 0),
        ("Status", "queued", 0),
        ("Status", "Skimmed", 1),
        ("Status", "read", 1),
        ("Status", "half way", None),
        ("", "✅", 1),
        ("Recorded", "✅", None),
        ("已录制", "✅", None),
        ("Code", "✅", None),
    ],
)
def test_a_cell_is_a_reading_mark_only_where_the_header_says_so(
    header: str, cell: str, passes: int | None
) -> None:
    (entry,) = parse_document(row(header, cell)).entries
    assert entry.fields.passes == passes


@pytest.mark.parametrize(
    ("header", "unread", "read"),
    [
        ("Leído", "no", "sí"),
        ("Gelesen", "nein", "ja"),
        ("Lu", "non", "oui"),
        ("既読", "未読", "✅"),
    ],
)
def test_a_header_that_says_read_in_another_language_has_marks_below(
    header: str, unread: str, read: str
) -> None:
    text = row(header, unread) + f"| {LINK} | {read} |\n"
    document = parse_document(text)
    assert [entry.fields.passes for entry in document.entries] == [0, 1]
    assert edited(document, SetPasses(0, 1)) == row(header, read) + f"| {LINK} | {read} |\n"


def test_signs_that_stand_once_or_several_times_are_passes_under_any_header() -> None:
    def passes(*cells: str) -> list[int | None]:
        text = row("Durch", cells[0]) + "".join(f"| {LINK} | {cell} |\n" for cell in cells[1:])
        return [entry.fields.passes for entry in parse_document(text).entries]

    assert passes("✅", "✅ ✅", "", "✅✅✅") == [1, 2, 0, 3]
    assert passes("✅", "✅", "") == [None, None, None]
    assert passes("✅", "✅✅ soon", "") == [None, None, None]
    assert passes("⭐", "⭐⭐", "") == [None, None, None]


def test_a_date_in_a_reading_column_is_a_pass_with_its_day() -> None:
    (entry,) = parse_document(row("Read", "2024-05-01")).entries
    assert (entry.fields.passes, entry.fields.read_at) == (1, "2024-05-01")
    assert entry.fields.date is None


def test_read_is_the_second_pass_where_skimmed_is_told_apart() -> None:
    text = row("Status", "read") + f"| {LINK} | skimmed |\n"
    assert [entry.fields.passes for entry in parse_document(text).entries] == [2, 1]


@pytest.mark.parametrize(
    ("item", "passes"),
    [
        (f"[x] {LINK}", 1),
        (f"[ ] {LINK}", 0),
        (f"✅ ✅ {LINK}", 2),
        (f"{LINK} ✅", 1),
        (f"[Skimmed] {LINK}", 1),
        (f"{LINK} (read)", 1),
        (f"[Queued] {LINK}", 0),
        (LINK, None),
        (f"⭐⭐⭐ {LINK}", None),
        (f":fire: {LINK}", None),
        (f":1st_place_medal: {LINK}", None),
    ],
)
def test_marks_of_items(item: str, passes: int | None) -> None:
    (entry,) = parse_document(f"- {item}\n").entries
    assert entry.fields.passes == passes


def test_a_legend_that_gives_the_check_another_meaning_is_believed() -> None:
    text = f"✅ = code is available\n\n- ✅ {LINK}\n"
    assert parse_document(text).entries[0].fields.passes is None
    assert parse_document(text.replace("code is available", "I read it")).entries[0].fields.passes


@pytest.mark.parametrize(
    ("text", "rating"),
    [("⭐️⭐️⭐️", 3), ("⭐", 1), (":star::star:", 2), ("★★★☆☆", 3), ("4/5", 4), ("✅", None)],
)
def test_ratings(text: str, rating: int | None) -> None:
    found = find_rating(text, 0, len(text))
    assert (found[0] if found else None) == rating


def test_medals_and_flames_are_tags() -> None:
    (entry,) = parse_document(f"- :1st_place_medal: 🔥 {LINK}\n").entries
    assert entry.fields.tags == ("1st_place_medal", "fire")
    assert entry.fields.rating is None


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2023/09", "2023-09"),
        ("2023-09-12", "2023-09-12"),
        ("2023.9", "2023-09"),
        ("8/13/24", "2024-08-13"),
        ("13/8/24", "2024-08-13"),
        ("08-13-2024", "2024-08-13"),
        ("13-08-2024", "2024-08-13"),
        ("03.08.2024", "2024-08-03"),
        ("3. 8. 2024", "2024-08-03"),
        ("12 September 2023", "2023-09-12"),
        ("September 12, 2023", "2023-09-12"),
        ("Sep 2023", "2023-09"),
        ("2023年9月", "2023-09"),
        ("2017", "2017"),
        ("2023/13", None),
        ("20xx/xx", None),
        ("12345", None),
    ],
)
def test_dates_are_read_and_written_back_the_same(text: str, iso: str | None) -> None:
    found = find_date(text)
    assert (found.iso if found else None) == iso
    if found:
        assert write_date(found.iso, found.pattern) == text


@pytest.mark.parametrize("sign", ["/", "-"])
@pytest.mark.parametrize(("other", "iso"), [("25{0}12", "2024-08-03"), ("12{0}25", "2024-03-08")])
def test_other_dates_of_a_text_say_whether_days_come_first(sign: str, other: str, iso: str) -> None:
    text = f"03{sign}08{sign}2024 and {other.format(sign)}{sign}2023"
    found = find_date(text)
    assert found is not None
    assert found.iso == iso
    assert write_date(found.iso, found.pattern) == text[:10]


def test_a_date_less_precise_than_the_pattern_is_not_written() -> None:
    assert write_date("2023-09", "%Y-%m-%d") is None
    assert write_date("2023", "%Y/%m") is None
    assert write_date("2023-09-12", "%Y/%m") == "2023/09"


@pytest.mark.parametrize(
    ("headers", "roles"),
    [
        (["Title", "Repo", "Paper", "Video"], ["title", "code", "paper", "video"]),
        (["Date", "keywords", "Institute", "Paper"], ["date", "tags", "affiliation", "title"]),
        (["日期", "标题", "封面", "时长"], ["date", "title", "other", "other"]),
        (["Publish Date", "Title", "Authors", "PDF"], ["date", "title", "author", "paper"]),
        (["**Title**", "推荐", "✅"], ["title", "rating", "passes"]),
        (["论文", "笔记", "是否已读"], ["title", "note", "passes"]),
    ],
)
def test_columns_are_known_by_their_headers(headers: list[str], roles: list[str]) -> None:
    assert [column.role for column in column_roles(headers, [], {})] == roles
