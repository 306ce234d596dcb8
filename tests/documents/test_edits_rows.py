"""Edits of pipe tables: in the document's own style, and not a byte beside it."""

# ruff: noqa: E501  # Table rows are one line each.

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Move,
    Remove,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
)
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.documents.markdown.write.hunks import OldText, hunks_around, with_old_texts
from tests.documents.samples import (
    added_lines,
    edited,
    entry_named,
    fixture,
    line_pairs,
    links_of,
    paper,
)

VLLM = "Efficient Memory"


def test_no_edits_return_the_very_text() -> None:
    document = fixture("seed_style.md")
    assert apply_edits(document, []).text is document.text


@pytest.mark.parametrize("passes", [0, 1, 2, 3])
def test_a_pass_changes_one_cell_and_back(passes: int) -> None:
    document = fixture("seed_style.md")
    for entry in document.entries:
        text = edited(document, SetPasses(entry.index, passes))
        pairs = line_pairs(document.text, text)
        assert len(pairs) == (0 if passes == entry.fields.passes else 1)
        assert pairs == [] or pairs[0][1].endswith(
            f"| {' '.join('✅' * passes)} |".replace("  ", " ")
        )
        again = parse_document(text)
        assert edited(again, SetPasses(entry.index, entry.fields.passes or 0)) == document.text


def test_a_paper_gets_its_row_in_order_and_the_next_free_block() -> None:
    document = fixture("seed_style.md")
    new = paper(
        "Splitwise | [Two]",
        "https://arxiv.org/abs/2311.18677",
        ("code", "https://github.com/Mutinifni/splitwise-sim"),
        passes=1,
    )
    text = edited(document, Add(("Serving",), new))
    row = (
        r"| [<u>Splitwise \| [Two]</u>][21] | 2023/11 | [![arXiv][0]][21] "
        r"| [<u>splitwise-sim</u>][22] | | ✅ |"
    )
    assert added_lines(document.text, text) == [
        row,
        "<!-- Splitwise | [Two] -->",
        "[21]: https://arxiv.org/abs/2311.18677",
        "[22]: https://github.com/Mutinifni/splitwise-sim",
    ]
    lines = text.splitlines()
    assert "2023/09" in lines[lines.index(row) - 1]
    assert "2023/12" in lines[lines.index(row) + 1]
    again = parse_document(text)
    assert edited(again, Remove(entry_named(again, "Splitwise").index)) == document.text


def test_several_papers_added_at_once_stand_in_order_with_their_own_blocks() -> None:
    document = fixture("seed_style.md")
    first = paper("Later", "https://arxiv.org/abs/2402.00001")
    second = paper("Earlier", "https://arxiv.org/abs/2401.00001")
    text = edited(document, Add(("Nothing yet",), first), Add(("Nothing yet",), second))
    again = parse_document(text)
    titles = [e.fields.title for e in again.entries if e.category == ("Nothing yet",)]
    assert titles == ["Earlier", "Later"]
    assert entry_named(again, "Later").anatomy.links[0].reference == "21"
    assert entry_named(again, "Earlier").anatomy.links[0].reference == "26"


FEW_BLOCKS = """\
## C

| Title | Date | GitHub |
|--|--|--|
{rows}
[0]: https://img.shields.io/badge/arXiv-b31b1b.svg
{blocks}"""


@pytest.mark.parametrize(
    ("numbers", "new"), [((1,), 6), ((1, 11), 16), ((1, 6), 11), ((1, 16, 21), 26), ((10, 20), 25)]
)
def test_few_blocks_tell_the_next_one_too(numbers: tuple[int, ...], new: int) -> None:
    rows = "".join(f"| [Paper {n}][{n}] | 2023/01 | [code][{n + 1}] |\n" for n in numbers)
    blocks = "".join(
        f"<!-- Paper {n} -->\n[{n}]: https://arxiv.org/abs/2301.000{n:02}\n"
        f"[{n + 1}]: https://github.com/x/p{n}\n"
        for n in numbers
    )
    document = parse_document(FEW_BLOCKS.format(rows=rows, blocks=blocks))
    text = edited(document, Add(("C",), paper("New", "https://arxiv.org/abs/2302.00001")))
    assert added_lines(document.text, text) == [
        f"| [New][{new}] | 2023/02 | |",
        "<!-- New -->",
        f"[{new}]: https://arxiv.org/abs/2302.00001",
    ]


def test_a_paper_removed_and_added_again_takes_no_number_of_another() -> None:
    document = fixture("seed_style.md")
    entry = entry_named(document, VLLM)
    without = parse_document(edited(document, Remove(entry.index)))
    again = parse_document(edited(without, Add(entry.category, entry.fields)))
    own = entry_named(again, VLLM).anatomy.links[0].reference
    assert f"<!-- {entry.fields.title} -->" in again.text
    assert int(own or "") % 5 == 1
    for other in again.entries:
        if other.fields.title != entry.fields.title:
            assert int(other.anatomy.links[0].reference or "") // 5 != int(own or "") // 5


def test_a_further_link_takes_the_next_number_of_its_own_block() -> None:
    document = fixture("seed_style.md")
    index = entry_named(document, VLLM).index
    text = edited(document, SetLink(index, "note", "../notes/vllm.md"))
    assert "[3]: ../notes/vllm.md\n<!-- Orca-like" in text
    assert "[<u>vllm</u>][2] | [<u>link</u>][3] | ✅ ✅ ✅ |" in text
    again = parse_document(text)
    assert edited(again, SetLink(index, "note", None)) == document.text


def test_a_second_repository_joins_the_first() -> None:
    document = fixture("seed_style.md")
    index = entry_named(document, VLLM).index
    text = edited(document, SetLink(index, "code", "https://github.com/a/more"))
    assert "| [<u>vllm</u>][2], [<u>more</u>][3] |" in text
    again = parse_document(text)
    gone = SetLink(index, "code", None, replaces="https://github.com/a/more")
    assert edited(again, gone) == document.text


def test_an_address_that_the_document_defines_is_used_again() -> None:
    document = fixture("seed_style.md")
    index = entry_named(document, "Pre3").index
    text = edited(document, SetLink(index, "note", "../notes/serving.md"))
    assert len(line_pairs(document.text, text)) == 1
    assert "[<u>link</u>][12] | ✅ ✅ |" in text


def test_a_shared_note_stays_for_the_others() -> None:
    document = fixture("seed_style.md")
    orca = entry_named(document, "Orca").index
    assert "[12]: ../notes/serving.md" in edited(document, SetLink(orca, "note", None))
    text = edited(
        document, SetLink(orca, "note", "../notes/orca.md", replaces="../notes/serving.md")
    )
    again = parse_document(text)
    assert ("note", "../notes/orca.md") in links_of(entry_named(again, "Orca"))
    assert ("note", "../notes/serving.md") in links_of(entry_named(again, "SGLang"))


def test_removing_a_row_keeps_definitions_that_others_use() -> None:
    document = fixture("seed_style.md")
    text = edited(document, Remove(entry_named(document, "SGLang").index))
    assert "[12]: ../notes/serving.md" in text
    assert "[11]:" not in text
    assert "[13]:" not in text
    assert "<!-- SGLang" in text  # Its block still holds the note of another paper.


def test_the_papers_own_link_changes_in_its_definition_only() -> None:
    document = fixture("seed_style.md")
    index = entry_named(document, VLLM).index
    text = edited(document, SetLink(index, "paper", "https://arxiv.org/abs/2309.06180v2"))
    assert line_pairs(document.text, text) == [
        ("[1]: https://arxiv.org/abs/2309.06180", "[1]: https://arxiv.org/abs/2309.06180v2")
    ]


def test_a_title_changes_in_its_row_and_its_comment() -> None:
    document = fixture("seed_style.md")
    text = edited(document, SetTitle(entry_named(document, "Orca").index, "Orca *2* --> <b>"))
    again = parse_document(text)
    assert again.entries[0].fields.title == "Orca *2* --> <b>"
    assert len(line_pairs(document.text, text)) == 2
    assert [e.key for e in again.entries] == [e.key for e in document.entries]


def test_a_date_is_written_as_the_table_writes_dates() -> None:
    document = fixture("seed_style.md")
    text = edited(document, SetDate(0, "2022-08-15"))
    assert "| 2022/08 |" in line_pairs(document.text, text)[0][1]
    assert apply_edits(document, [SetDate(0, "2022")]).refused


def test_a_row_moves_to_its_place_in_the_other_table() -> None:
    document = fixture("seed_style.md")
    text = edited(document, Move(entry_named(document, VLLM).index, ("Decoding",)))
    again = parse_document(text)
    moved = [e for e in again.entries if e.category == ("Decoding",)]
    assert [e.fields.title[:9] for e in moved] == ["Efficient", "Pre3: Pus"]
    assert sorted(text.splitlines()) == sorted(document.text.splitlines())


@pytest.mark.parametrize(
    "edit",
    [
        SetRating(0, 3),
        SetLink(0, "video", "https://youtu.be/x"),
        SetLink(0, "code", "javascript:alert(1)"),
        Move(0, ("No such",)),
        Add(("No such",), paper("T", "https://arxiv.org/abs/2301.00001")),
    ],
)
def test_what_has_no_place_is_refused_with_a_reason_and_changes_nothing(edit: Edit) -> None:
    document = fixture("seed_style.md")
    result = apply_edits(document, [edit])
    assert result.text == document.text
    assert [refusal.edit for refusal in result.refused] == [edit]
    assert result.refused[0].reason.endswith(".")


REMARKS = """\
## C

| Title | Date | Rec | Read |
|--|--|--|--|
| [A](https://arxiv.org/abs/2301.00001) | TBD | great | âœ… |
| [B](https://arxiv.org/abs/2302.00001) | **2023/02** (v2) | ⭐️⭐️ for the proofs | ✅ twice |
| [C](https://arxiv.org/abs/2303.00001) | *2023/03* | ⭐️ | [x] on a train |
| [D](https://arxiv.org/abs/2304.00001) | - | | see notes |
"""


@pytest.mark.parametrize(
    "edit",
    [SetPasses(0, 1), SetPasses(0, 0), SetRating(0, 3), SetDate(0, "2023-01"), SetPasses(3, 2)],
)
def test_a_cell_that_holds_something_else_is_not_written_over(edit: Edit) -> None:
    document = parse_document(REMARKS)
    result = apply_edits(document, [edit])
    assert result.text == REMARKS
    assert [refusal.edit for refusal in result.refused] == [edit]
    assert "not overwritten" in result.refused[0].reason


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (SetPasses(1, 3), "✅ twice", "✅ ✅ ✅ twice"),
        (SetPasses(1, 0), "✅ twice", "twice"),
        (SetRating(1, 1), "⭐️⭐️ for", "⭐️ for"),
        (SetRating(1, None), "⭐️⭐️ for", "for"),
        (SetDate(1, "2023-05"), "**2023/02** (v2)", "**2023/05** (v2)"),
        (SetDate(2, "2023-05"), "*2023/03*", "*2023/05*"),
        (SetDate(2, None), " *2023/03* ", " - "),
        (SetPasses(2, 0), "[x] on a train", "on a train"),
        (SetDate(3, "2023-05"), " - |", " 2023/05 |"),
    ],
)
def test_a_remark_beside_a_value_stays(edit: Edit, old: str, new: str) -> None:
    document = parse_document(REMARKS)
    assert edited(document, edit) == REMARKS.replace(old, new)


def test_edits_of_one_entry_are_all_made() -> None:
    document = fixture("seed_style.md")
    index = entry_named(document, "Orca").index
    text = edited(
        document,
        SetPasses(index, 2),
        SetLink(index, "code", "https://github.com/a/one"),
        SetLink(index, "code", "https://github.com/a/two"),
        SetTitle(index, "Orca"),
    )
    entry = parse_document(text).entries[0]
    assert entry.fields.title == "Orca"
    assert entry.fields.passes == 2
    assert [url for role, url in links_of(entry) if role == "code"] == [
        "https://github.com/a/one",
        "https://github.com/a/two",
    ]


def test_ratings_and_marks_in_a_blog_table() -> None:
    document = fixture("blog_style.md")
    index = entry_named(document, "KV Cache").index
    text = edited(document, SetRating(index, 4), SetPasses(index, 1))
    assert line_pairs(document.text, text)[0][1].endswith("| | ⭐️⭐️⭐️⭐️ | ✅ |")
    again = parse_document(text)
    assert edited(again, SetRating(index, None), SetPasses(index, 0)) == document.text


def test_a_post_is_added_with_the_next_number_of_its_group() -> None:
    document = fixture("blog_style.md")
    new = paper("New post", "https://blog.example.org/new", rating=2)
    text = edited(document, Add(("Blogs", "Basics"), new))
    assert added_lines(document.text, text) == [
        "| [<u>New post</u>][2004] | | | | ⭐️⭐️ | |",
        "[2004]: https://blog.example.org/new",
    ]


def test_definitions_without_blocks_go_behind_those_of_the_last_row() -> None:
    text = (
        "## C\n\n| Title | GitHub |\n|--|--|\n"
        "| [A][1] | [code][2] |\n| [B][3] | [code][4] |\n\n"
        "[1]: https://arxiv.org/abs/2301.00001\n[2]: https://github.com/x/a\n"
        "[3]: https://arxiv.org/abs/2302.00001\n[4]: https://github.com/x/b\n"
    )
    document = parse_document(text)
    new = edited(
        document,
        Add(("C",), paper("D", "https://arxiv.org/abs/2303.00001")),
        Add(("C",), paper("E", "https://arxiv.org/abs/2304.00001")),
    )
    assert new.endswith(
        "[4]: https://github.com/x/b\n"
        "[5]: https://arxiv.org/abs/2303.00001\n[6]: https://arxiv.org/abs/2304.00001\n"
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_are_kept_and_followed(end: str) -> None:
    document = parse_document(fixture("seed_style.md").text.replace("\n", end))
    text = edited(document, Add(("Decoding",), paper("New", "https://arxiv.org/abs/2507.00001")))
    assert text.count(end) == document.text.count(end) + 3
    assert len(text.replace(end, "")) == len(text) - len(end) * text.count(end)


def test_a_table_at_the_end_without_line_end_grows_and_shrinks_back() -> None:
    text = "| Title | Date |\n|--|--|\n| [A](https://arxiv.org/abs/2301.00001) | 2023-01 |"
    document = parse_document("# T\n\n## C\n\n" + text)
    new = edited(document, Add(("C",), paper("B", "https://arxiv.org/abs/2302.00001")))
    assert new == document.text + "\n| [B](https://arxiv.org/abs/2302.00001) | 2023-02 |"
    again = parse_document(new)
    assert edited(again, Remove(1)) == document.text


def test_padded_columns_keep_their_width() -> None:
    text = (
        "| Title                                  | Read    |\n"
        "|----------------------------------------|---------|\n"
        "| [A](https://arxiv.org/abs/2301.00001)  |         |\n"
        "| [B](https://arxiv.org/abs/2302.00001)  | ✅      |\n"
        "| [C](https://arxiv.org/abs/2303.00001)  |         |\n"
    )
    document = parse_document(text)
    marked = edited(document, SetPasses(0, 2))
    assert "2301.00001)  | ✅ ✅     |" in marked
    assert edited(parse_document(marked), SetPasses(0, 0)) == text


def test_a_placeholder_for_nothing_is_written_again() -> None:
    text = (
        "|Title|Code|\n|---|---|\n|[A](https://arxiv.org/abs/2301.00001)|null|\n"
        "|[B](https://arxiv.org/abs/2302.00001)|**[link](https://github.com/a/b)**|\n"
        "|[C](https://arxiv.org/abs/2303.00001)|null|\n"
    )
    document = parse_document(text)
    linked = edited(document, SetLink(0, "code", "https://github.com/c/d"))
    assert "2301.00001)|**[link](https://github.com/c/d)**|" in linked
    assert edited(parse_document(linked), SetLink(0, "code", None)) == text


def test_badges_are_made_for_the_new_target() -> None:
    badge = "[![stars](https://img.shields.io/github/stars/a/b?style=flat)](https://github.com/a/b)"
    text = (
        f"| Title | Repo | Paper |\n|--|--|--|\n| A | {badge} | "
        "[![arXiv](https://img.shields.io/badge/arXiv-2301.00001-b31b1b.svg)]"
        "(https://arxiv.org/abs/2301.00001) |\n"
    )
    new = paper("B", "https://arxiv.org/abs/2302.00002", ("code", "https://github.com/c/d"))
    added = edited(parse_document("## C\n\n" + text), Add(("C",), new)).splitlines()[-1]
    assert added == (
        "| B | [![stars](https://img.shields.io/github/stars/c/d?style=flat)]"
        "(https://github.com/c/d) | "
        "[![arXiv](https://img.shields.io/badge/arXiv-2302.00002-b31b1b.svg)]"
        "(https://arxiv.org/abs/2302.00002) |"
    )


NAMED = """\
## C

| Title | GitHub |
|--|--|
| [A](https://arxiv.org/abs/2301.00001) | [![Stars](https://img.shields.io/github/stars/x/A)](https://github.com/x/A) |
| [B](https://arxiv.org/abs/2302.00001) | [<u>Beta</u>][1] |
| [C](https://arxiv.org/abs/2303.00001) | [y/gamma](https://github.com/y/gamma), [code](https://github.com/y/c) |
| [D](https://arxiv.org/abs/2304.00001) | |

[1]: https://github.com/x/beta
"""


@pytest.mark.parametrize(
    ("index", "old", "url", "pairs"),
    [
        (0, "x/A", "z/New", [("/stars/x/A)](https://github.com/x/A)", "/stars/z/New)](https://github.com/z/New)")]),
        (1, "x/beta", "z/new", [("<u>Beta</u>", "<u>new</u>"), ("/x/beta", "/z/new")]),
        (2, "y/gamma", "z/new", [("[y/gamma](https://github.com/y/gamma)", "[z/new](https://github.com/z/new)")]),
        (2, "y/c", "z/new", [("(https://github.com/y/c)", "(https://github.com/z/new)")]),
    ],
)  # fmt: skip
def test_a_label_or_badge_that_names_the_old_target_names_the_new_one(
    index: int, old: str, url: str, pairs: list[tuple[str, str]]
) -> None:
    document = parse_document(NAMED)
    edit = SetLink(index, "code", f"https://github.com/{url}", replaces=f"https://github.com/{old}")
    wanted = NAMED
    for before, after in pairs:
        wanted = wanted.replace(before, after)
    assert edited(document, edit) == wanted


def test_no_row_gets_the_name_of_another_row_s_repository() -> None:
    text = NAMED.replace("[y/gamma](https://github.com/y/gamma), [code]", "[Renamed Since]")
    new = edited(parse_document(text), SetLink(3, "code", "https://github.com/z/new"))
    assert "00001) | [new](https://github.com/z/new) |" in new


def test_an_edited_text_is_read_as_the_reader_said() -> None:
    rows = "| Paper One | | [l](https://arxiv.org/abs/2401.00001) |\n"
    text = f"## A\n\n| What | Mine | Where |\n|--|--|--|\n{rows}"
    chosen = {"column.What": "title", "column.Mine": "passes", "column.Where": "paper"}
    new = edited(parse_document(text, chosen), SetTitle(0, "Paper Two"), SetPasses(0, 1))
    assert new == text.replace("One | |", "Two | ✅ |")


@pytest.mark.parametrize(
    ("label", "new"), [("vllm-project/vllm", "x/y"), ("vllm", "y"), ("code", "code")]
)
@pytest.mark.parametrize("is_table", [True, False])
def test_a_repository_is_named_as_the_others_are(label: str, new: str, is_table: bool) -> None:
    repository = "https://github.com/vllm-project/vllm"
    code = f"[{label}]({repository})"
    if is_table:
        text = "| Title | Code |\n|---|---|\n"
        text += f"| [A](https://arxiv.org/abs/2401.00001) | {code} |\n| [B](https://arxiv.org/abs/2401.00002) | |\n"
    else:
        text = f"- [A](https://arxiv.org/abs/2401.00001) {code}\n- [B](https://arxiv.org/abs/2401.00002)\n"
    document = parse_document(text)
    made = edited(document, SetLink(1, "code", "https://github.com/x/y", None))
    assert f"[{new}](https://github.com/x/y)" in made


def test_a_picture_in_the_place_of_a_title_is_not_retitled() -> None:
    badge = '<a href="https://github.com/x/y" title="Y"><img src="https://img.shields.io/y"></a>'
    document = parse_document(f"| Project | Year |\n|---|---|\n| {badge} | 2020 |\n")
    (entry,) = document.entries
    made = apply_edits(document, [SetTitle(entry.index, "Why")])
    assert made.text == document.text
    assert [refusal.reason for refusal in made.refused] == ["The entry has no visible title."]


def test_a_link_is_taken_out_of_its_own_cell_where_two_columns_hold_such_links() -> None:
    row = "| [A Talk](https://arxiv.org/abs/2407.21783) | ![cover](c.jpg) | [seen](https://youtu.be/1) |"
    text = f"| Title | Video | 视频 |\n| --- | --- | --- |\n{row}\n{row.replace('83)', '84)')}\n"
    made = edited(parse_document(text), SetLink(0, "video", None))
    assert made == text.replace(" [seen](https://youtu.be/1) ", " ", 1)


CELLS = """\
## C

| Title | Code | Note | Read |
|--|--|--|--|
| Paper One | {} | {} | |
| [Two](https://arxiv.org/abs/2302.00001) | [code](https://github.com/x/two) | [link](two.md) | |
"""


@pytest.mark.parametrize("there", ["![cover](c.jpg)", "<img src=c.jpg>", "soon", "🔥", "`a", "[x"])
def test_a_link_joins_what_stands_in_its_cell_by_hand(there: str) -> None:
    document = parse_document(CELLS.format(there, ""))
    new = "https://github.com/x/new"
    text = edited(document, SetLink(0, "code", new))
    assert text == document.text.replace(there, f"{there} [code]({new})")
    again = parse_document(text)
    assert links_of(again.entries[0]) == [("code", new)]
    assert edited(again, SetLink(0, "code", None)) == document.text


def test_a_note_is_not_written_into_words_that_describe_the_entry() -> None:
    document = parse_document(CELLS.format("", "see page 3"))
    result = apply_edits(document, [SetLink(0, "note", "one.md")])
    assert result.text == document.text
    assert [refusal.reason for refusal in result.refused] == [
        "A cell under 'Note' that contains something else is not overwritten."
    ]


A, B, C = (f"[{name}](https://github.com/x/{name})" for name in "abc")


@pytest.mark.parametrize(
    ("cell", "gone", "left"),
    [
        (f"{A}, {B}, {C}", "ab", C),
        (f"{A}, {B}, {C}", "ac", B),
        (f"{A}<br>{B} and {C}", "bc", A),
        (f"{A}, {B}, {C}", "abc", ""),
        (f"**{A}**, **{B}**", "a", f"**{B}**"),
        (f"({A} / {B})", "a", f"({B})"),
        (f"<u>{A}</u>", "a", ""),
        (f"Code: {A} Web: {B}", "a", f"Web: {B}"),
        (f"Code: {A}, PDF: {B}", "ab", ""),
        (f"{A}, Code: {B}, PDF: {C}", "b", f"{A}, PDF: {C}"),
        (f"![cover](c.jpg) {A}, {B}", "a", f"![cover](c.jpg) {B}"),
        (f"{A} (JAX), {B},", "b", f"{A} (JAX),"),
        (f"{A} for JAX, {B} for Torch, {C}", "c", f"{A} for JAX, {B} for Torch"),
        (rf"{A} \| {B}", "b", A),
        (f"C++ {A} - {B}", "ab", "C++"),
        (f"![cover](c.jpg) {A} (in JAX)", "a", "![cover](c.jpg) (in JAX)"),
    ],
)
def test_links_leave_a_cell_with_what_set_them_apart_and_nothing_else(
    cell: str, gone: str, left: str
) -> None:
    addresses = [f"https://github.com/x/{name}" for name in gone]
    text = CELLS.format(cell, "")
    document = parse_document(text)
    for address in addresses[1:]:  # All that go have one address: one edit takes them.
        document = parse_document(text := text.replace(address, addresses[0]))
    made = edited(document, SetLink(0, "code", None, replaces=addresses[0]))
    wanted = CELLS.format(left, "").replace("|  |", "| |", not left)
    assert made == wanted


def test_a_link_within_a_sentence_of_a_cell_stays() -> None:
    document = parse_document(CELLS.format(f"run by {A} on all seeds", ""))
    result = apply_edits(document, [SetLink(0, "code", None)])
    assert (result.text, len(result.refused)) == (document.text, 1)


def test_the_last_definitions_of_a_block_take_its_comment_along() -> None:
    block = "<!-- Paper One -->\n[1]: https://github.com/x/a\n[2]: https://github.com/x/b\n"
    two = "<!-- Two -->\n[6]: https://example.org/two\n"
    text = f"{CELLS.format('[a][1], [b][2]', '')}\n{block}{two}"
    document = parse_document(text)
    result = apply_edits(document, [SetLink(0, "code", None)])
    assert result.text == f"{CELLS.format(' ', '').replace('|   |', '| |', 1)}\n{two}"
    made = parse_document(result.text)
    (taken,) = hunks_around(document, 0, made, 0)
    assert taken.text == block
    olds = {0: OldText(document.text[slice(*document.entries[0].span)], (taken,))}
    assert with_old_texts(made, olds) == text


def test_a_definition_that_the_entry_still_uses_stays() -> None:
    text = CELLS.format("[a][1]", "[notes][1]") + "\n[1]: https://github.com/x/a\n"
    made = edited(parse_document(text), SetLink(0, "note", None))
    assert made == text.replace(" [notes][1] ", " ")


def test_a_link_is_not_called_by_the_name_of_the_only_other_one() -> None:
    text = (
        "- [A](https://arxiv.org/abs/2301.00001) [[Simulator (v2)]](https://github.com/a/a)\n"
        "- [B](https://arxiv.org/abs/2301.00002)\n"
    )
    new = edited(parse_document(text), SetLink(1, "code", "https://github.com/x/new"))
    assert new == text.rstrip("\n") + " [[new]](https://github.com/x/new)\n"
