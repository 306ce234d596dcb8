"""Reading marks as people write them: each vocabulary is read, and written in its own terms."""

from __future__ import annotations

from itertools import product

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.settings import check_setting
from papertrack.documents.markdown.write.edit_types import Add, SetPasses
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.errors import UsageError
from tests.documents.samples import edited, line_pairs, paper

VOCABULARIES: dict[str, tuple[str, ...]] = {
    "check": ("", "✅", "✅ ✅", "✅ ✅ ✅"),
    "tight check": ("", "✔️", "✔️✔️", "✔️✔️✔️"),
    "tick": ("", "✓", "✓✓", "✓✓✓"),
    "root": ("", "√", "√√", "√√√"),
    "ballot": ("☐", "☑"),
    "square": ("⬜", "✅"),
    "cross and check": ("❌", "✅"),
    "cross and tick": ("✗", "✓"),
    "x and tick": ("x", "✓"),
    "shortcode": ("", ":white_check_mark:", ":white_check_mark: :white_check_mark:"),
    "shortcode cross": (":x:", ":heavy_check_mark:"),
    "entity": ("", "&check;", "&check;&check;"),
    "letter": ("", "x", "xx", "xxx"),
    "capital": ("", "X", "X X", "X X X"),
    "plus": ("", "+", "++", "+++"),
    "box": ("[ ]", "[x]"),
    "capital box": ("[ ]", "[X]"),
    "ticked box": ("[ ]", "[✓]"),
    "html box": ('<input type="checkbox">', '<input type="checkbox" checked>'),
    "html box, closed": (
        "<input type='checkbox' disabled />",
        "<input type='checkbox' disabled checked='checked' />",
    ),
    "fraction": ("0/3", "1/3", "2/3", "3/3"),
    "fraction without zero": ("", "1/3", "2/3", "3/3"),
    "Arabic fraction": ("٠/٣", "١/٣", "٢/٣", "٣/٣"),
    "Hindi number": ("०", "१", "२", "३"),
    "Persian numbered pass": ("", "Pass ۱", "Pass ۲", "Pass ۳"),
    "full width fraction": ("０／３", "１／３", "２／３", "３／３"),
    "Arabic thirds": ("٠٪", "٣٣٪", "٦٧٪", "١٠٠٪"),
    "half": ("0/2", "1/2", "2/2"),
    "roomy fraction": ("0 / 3", "1 / 3", "2 / 3", "3 / 3"),
    "ordinal": ("", "1st", "2nd", "3rd"),
    "ordinal pass": ("", "1st pass", "2nd pass", "3rd pass"),
    "spelt ordinal": ("", "First pass", "Second pass", "Third pass"),
    "once": ("never", "once", "twice", "thrice"),
    "number": ("0", "1", "2", "3"),
    "numbered pass": ("", "Pass 1", "Pass 2", "Pass 3"),
    "counted passes": ("0 passes", "1 pass", "2 passes", "3 passes"),
    "times": ("", "1x", "2x", "3x"),
    "roman": ("", "I", "II", "III"),
    "keycap": ("", "1️⃣", "2️⃣", "3️⃣"),
    "circled": ("", "①", "②", "③"),
    "Spanish ordinal": ("", "1ª lectura", "2ª lectura", "3ª lectura"),
    "French ordinal": ("", "première lecture", "deuxième lecture", "troisième lecture"),
    "German ordinal": ("", "Erste Lesung", "Zweite Lesung", "Dritte Lesung"),
    "Russian ordinal": ("", "первый проход", "второй проход", "третий проход"),
    "Korean ordinal": ("", "1회독", "2회독", "3회독"),
    "Japanese ordinal": ("", "1回目", "2回目", "3回目"),
    "Chinese times": ("", "一遍", "两遍", "三遍"),
    "Chinese ordinal": ("", "第一遍", "第二遍", "第三遍"),
    "Chinese number": ("未读", "1遍", "2遍", "3遍"),
    "Chinese words": ("未读", "已读"),
    "Chinese levels": ("未读", "略读", "精读"),
    "Japanese": ("未読", "既読"),
    "share": ("0%", "100%"),
    "thirds": ("0%", "33%", "67%", "100%"),
    "words": ("to read", "read"),
    "tidy words": ("To Read", "Done"),
    "levels": ("unread", "skimmed", "read"),
    "three levels": ("Unread", "Skimmed", "Read", "In depth"),
    "pictured words": ("📚 to read", "✅ read"),
    "emphasised words": ("*todo*", "**done**"),
    "yes and no": ("no", "yes"),
    "letters": ("N", "Y"),
    "Spanish": ("por leer", "leído"),
    "circles": ("🔴", "🟢"),
    "white circle": ("⚪", "🟢"),
    "shortcode circles": (":red_circle:", ":green_circle:"),
    "moons": ("🌑", "🌕"),
    "pips": ("○○○", "●○○", "●●○", "●●●"),
    "squares": ("⬜⬜⬜", "🟩⬜⬜", "🟩🟩⬜", "🟩🟩🟩"),
}
LINK = "[A Title of Work {0}](https://arxiv.org/abs/2301.0000{0})"


def table(*cells: str) -> str:
    rows = (f"| {LINK.format(number)} | {cell} |\n" for number, cell in enumerate(cells))
    return "## S\n\n| Title | Read |\n|:--|:-:|\n" + "".join(rows)


def passes_in(text: str) -> list[int | None]:
    return [entry.fields.passes for entry in parse_document(text).entries]


def reasons(text: str) -> list[str]:
    return [skipped.reason for skipped in parse_document(text).skipped]


@pytest.mark.parametrize("name", VOCABULARIES)
def test_each_mark_of_a_reading_column_is_understood(name: str) -> None:
    marks = VOCABULARIES[name]
    assert passes_in(table(*marks)) == list(range(len(marks)))
    assert not reasons(table(*marks))


@pytest.mark.parametrize("name", VOCABULARIES)
def test_each_mark_is_written_over_every_other_as_the_column_writes_it(name: str) -> None:
    marks = VOCABULARIES[name]
    text = table(*marks)
    for row, passes in product(range(len(marks)), repeat=2):
        wanted = table(*marks[:row], marks[passes], *marks[row + 1 :])
        written = edited(parse_document(text), SetPasses(row, passes))
        assert blanks_aside(written) == blanks_aside(wanted)
        assert len(line_pairs(text, written)) == (row != passes)


def blanks_aside(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("shown", "passes", "written"),
    [
        (("1/3", "1/3"), 2, "2/3"),
        (("1/3", "1/3"), 0, "0/3"),
        (("١/٣", "١/٣"), 2, "٢/٣"),
        (("٥٠٪", "٥٠٪"), 1, "١٠٠٪"),
        (("2nd", ""), 3, "3rd"),
        (("第一遍", "第一遍"), 2, "第二遍"),
        (("一遍", "一遍"), 2, "两遍"),
        (("Pass 1", "Pass 1"), 2, "Pass 2"),
        (("1 pass", "1 pass"), 3, "3 passes"),
        (("first pass", "first pass"), 3, "third pass"),
        (("50%", "50%"), 1, "100%"),
        (("x", "x"), 2, "xx"),
        (("☐", "☐"), 1, "☑"),
        (("⬜", "⬜"), 1, "✅"),
        (("to read", "to read"), 1, "read"),
        (("📚 to read", "📚 to read"), 1, "✅ read"),
        (("To-read", "To-read"), 1, "Read"),
        (("🔴", "🔴"), 1, "🟢"),
        (("<input type=checkbox>", "<input type=checkbox>"), 1, "<input type=checkbox checked>"),
        (("●○○", "●○○"), 2, "●●○"),
    ],
)
def test_what_no_row_shows_yet_is_written_like_what_the_rows_show(
    shown: tuple[str, ...], passes: int, written: str
) -> None:
    document = parse_document(table(*shown))
    text = edited(document, SetPasses(1, passes))
    assert blanks_aside(text)[-1].endswith(f"| {written} |")
    assert passes_in(text)[1] == passes


@pytest.mark.parametrize("cell", ["reading", "In progress", "📖 reading", "50%", "在读", "⏳", "◐"])
def test_a_work_that_is_being_read_has_no_pass_yet(cell: str) -> None:
    assert passes_in(table(cell, "")) == [0, 0]
    assert not reasons(table(cell, ""))


def test_a_colour_between_unread_and_read_is_taken_for_begun_and_told() -> None:
    text = table("🔴", "🟡", "🟢")
    assert passes_in(text) == [0, 0, 1]
    (reason,) = reasons(text)
    assert "🟡 is read as begun" in reason


def test_a_legend_says_what_colours_mean() -> None:
    legend = "Legend: 🔴 not read, 🟡 skimmed, 🟢 read in full\n\n"
    assert passes_in(legend + table("🔴", "🟡", "🟢")) == [0, 1, 2]
    assert not reasons(legend + table("🔴", "🟡", "🟢"))
    text = edited(parse_document(legend + table("🔴", "🟡", "🟢")), SetPasses(0, 2))
    assert "| 🟢 |" in text.splitlines()[6]


def test_a_legend_of_lines_says_how_many_passes_signs_mean() -> None:
    legend = "- 🐣: first pass\n- 🐥: second pass\n- 🐔: third pass\n\n"
    items = "".join(f"- {sign} {LINK.format(n)}\n" for n, sign in enumerate("🐣🐔🐥"))
    text = legend + "## S\n\n" + items
    assert passes_in(text) == [1, 3, 2]
    assert edited(parse_document(text), SetPasses(0, 2)).endswith(items.replace("🐣", "🐥"))


def test_a_legend_that_is_not_about_reading_makes_no_marks() -> None:
    legend = "🟢 code available, 🔴 no code\n\n"
    items = "".join(f"- {sign} {LINK.format(n)}\n" for n, sign in enumerate("🟢🔴🟢"))
    assert passes_in(legend + "## S\n\n" + items) == [None, None, None]


def test_a_mark_that_is_not_understood_is_told_once_with_its_lines_and_never_written_over() -> None:
    text = table("✅", "❓", "", "❓", "half way")
    document = parse_document(text)
    assert [entry.fields.passes for entry in document.entries] == [1, None, 0, None, None]
    first, second = document.skipped
    assert (first.line, second.line) == (6, 9)
    assert "The mark ❓ is not understood (also in line 8)" in first.reason
    assert "mark.❓=1" in first.reason
    assert apply_edits(document, [SetPasses(1, 1)]).refused


def test_the_reader_says_what_a_mark_means() -> None:
    text = table("✅", "❓", "", "❓")
    check_setting(parse_document(text), "mark.❓", "2")
    document = parse_document(text, {"mark.❓": "2"})
    assert [entry.fields.passes for entry in document.entries] == [1, 2, 0, 2]
    assert not document.skipped
    with pytest.raises(UsageError, match="0 to 3"):
        check_setting(document, "mark.❓", "4")
    with pytest.raises(UsageError, match="no mark"):
        check_setting(document, "mark.🦆", "1")


def test_a_column_of_something_else_under_a_word_like_status_is_told_in_one_sentence() -> None:
    cells = [f"phase {letter}" for letter in "abcdefghijklm"]
    text = table(*cells).replace("Read", "Status")
    (reason,) = reasons(text)
    assert "column.Status=other" in reason


@pytest.mark.parametrize("header", ["w/o attention", "Code", "Ablation", "Multi-head", "开源"])
@pytest.mark.parametrize("cell", ["x", "✓", "√", "1/3", "100%", "🟢", "2nd"])
def test_the_same_signs_in_other_columns_are_no_passes(header: str, cell: str) -> None:
    text = table(cell, "").replace("Read", header)
    assert passes_in(text) == [None, None]


LISTED = [
    ("{mark} {link}", ("☐", "✅")),
    ("{mark} {link}", ("⬜", "✅", "✅ ✅")),
    ("{mark} {link}", ("[ ]", "[x]")),
    ("{mark} {link}", ('<input type="checkbox">', '<input type="checkbox" checked>')),
    ("{mark} {link}", ("0/3", "1/3", "2/3", "3/3")),
    ("({mark}) {link}", ("0/3", "1/3", "2/3", "3/3")),
    ("{mark}: {link}", ("to read", "read")),
    ("{mark} {link}", ("📚 to read", "✅ read")),
    ("{mark} {link}", ("未读", "已读")),
    ("{link} - {mark}", ("to read", "done")),
    ("{link} ({mark})", ("to read", "read")),
    ("{link} {mark}", ("0%", "100%")),
    ("{link} | {mark}", ("0/3", "1/3", "2/3", "3/3")),
]


@pytest.mark.parametrize(("shape", "marks"), LISTED)
def test_marks_beside_titles_are_understood_and_written_where_a_list_has_them(
    shape: str, marks: tuple[str, ...]
) -> None:
    def items(numbers: list[int]) -> str:
        lines = enumerate(numbers)
        return "## S\n\n" + "".join(
            f"- {shape.format(mark=marks[n], link=LINK.format(line))}\n" for line, n in lines
        )

    numbers = [*range(len(marks)), 0, 1]
    document = parse_document(items(numbers))
    assert [entry.fields.passes for entry in document.entries] == numbers
    assert {entry.fields.title[:15] for entry in document.entries} == {"A Title of Work"}
    for passes in range(len(marks)):
        wanted = items([passes, *numbers[1:]])
        assert edited(document, SetPasses(0, passes)) == wanted


RECORDS = [
    "* Title: {title}\n  Link: {url}\n  Status: {mark}\n",
    "- **{title}**\n  - Link: {url}\n  - **Status**: {mark}\n",
    "- [{title}]({url})\n\n  Leído： {mark}\n",
]


@pytest.mark.parametrize("form", RECORDS)
@pytest.mark.parametrize(
    "marks", [("to read", "done"), ("unread", "skimmed", "read"), ("0/3", "1/3", "2/3")]
)
def test_marks_behind_labels_are_understood_and_written_there(
    form: str, marks: tuple[str, ...]
) -> None:
    def records(numbers: list[int]) -> str:
        lines = enumerate(numbers)
        return "## Papers\n\n" + "\n".join(
            form.format(
                title=f"A Title of Work {n}",
                url=f"https://arxiv.org/abs/2301.1000{n}",
                mark=marks[m],
            )
            for n, m in lines
        )

    numbers = [*range(len(marks)), 0, 1]
    document = parse_document(records(numbers))
    assert [entry.fields.passes for entry in document.entries] == numbers
    for passes in range(len(marks)):
        assert edited(document, SetPasses(0, passes)) == records([passes, *numbers[1:]])


def test_an_entry_without_the_label_has_no_place_for_the_mark() -> None:
    text = (
        "".join(f"- {LINK.format(n)}\n  Status: done\n" for n in range(3)) + f"- {LINK.format(4)}\n"
    )
    document = parse_document(f"## S\n\n{text}")
    assert [entry.fields.passes for entry in document.entries] == [1, 1, 1, None]
    assert apply_edits(document, [SetPasses(3, 1)]).refused


@pytest.mark.parametrize("mark", ["1/3", "2nd", "两遍", "x", "read", "90%"])
def test_what_stands_before_one_title_only_is_no_mark(mark: str) -> None:
    items = [f"- {LINK.format(1)}", f"- {mark} {LINK.format(2)}", f"- {LINK.format(3)}"]
    assert passes_in("\n".join(items)) == [None, None, None]


def test_the_parts_of_a_series_are_no_passes() -> None:
    parts = "\n".join(f"- {LINK.format(n)} ({n}/3)" for n in (1, 2, 3))
    assert passes_in(parts) == [None, None, None]


def test_a_sign_before_titles_that_no_one_explains_is_told_where_others_have_marks() -> None:
    text = f"- ✅ {LINK.format(1)}\n- ✅ {LINK.format(2)}\n- 🟣 {LINK.format(3)}\n"
    document = parse_document(text)
    assert [entry.fields.passes for entry in document.entries] == [1, 1, None]
    (skipped,) = document.skipped
    assert (skipped.line, "🟣" in skipped.reason) == (3, True)
    said = parse_document(text, {"mark.🟣": "0"})
    assert [entry.fields.passes for entry in said.entries] == [1, 1, 0]


def test_colours_before_titles_without_a_legend_are_no_marks_but_told() -> None:
    items = "".join(f"- {sign} {LINK.format(n)}\n" for n, sign in enumerate("🟢🔴🟢"))
    assert passes_in(items) == [None, None, None]
    assert len(reasons(items)) == 2


def test_stars_flames_and_news_before_titles_are_never_told_as_marks() -> None:
    items = "".join(f"- {sign} {LINK.format(n)}\n" for n, sign in enumerate("🔥⭐🏆🥇"))
    assert not reasons(items)


@pytest.mark.parametrize("cell", ["İ", "fırst", "İİ"])
def test_letters_that_only_look_like_numbers_are_told(cell: str) -> None:
    assert passes_in(table(cell, "2nd")) == [None, 2]
    assert len(reasons(table(cell, "2nd"))) == 1


def test_a_box_of_html_among_check_marks_is_ticked_as_it_is_written() -> None:
    items = (
        f"- ✅ {LINK.format(1)}\n- ✅ {LINK.format(2)}\n- <input type=checkbox> {LINK.format(3)}\n"
    )
    document = parse_document("## S\n\n" + items)
    written = items.replace("checkbox>", "checkbox checked>")
    assert edited(document, SetPasses(2, 1)) == "## S\n\n" + written


def test_a_new_item_that_is_unread_says_so_where_the_others_do() -> None:
    items = f"- ☐ {LINK.format(1)}\n- ☑ {LINK.format(2)}\n- ☐ {LINK.format(3)}\n"
    new = paper("New", "https://arxiv.org/abs/2302.00001", passes=0)
    written = edited(parse_document("## S\n\n" + items), Add(("S",), new))
    assert written.splitlines()[-1].startswith("- ☐ [New]")


def test_a_new_row_has_its_own_mark_in_the_columns_terms() -> None:
    document = parse_document(table("1/3", "0/3", "2/3"))
    new = paper("New", "https://arxiv.org/abs/2302.00001", passes=3)
    assert edited(document, Add(("S",), new)).splitlines()[-1].endswith("| 3/3 |")
