"""Edits of lists and other shapes, in the document's own style."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Move,
    Remove,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
)
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.text import clean
from tests.documents.samples import (
    added_lines,
    edited,
    entry_named,
    fixture,
    line_pairs,
    paper,
)


def test_a_box_is_ticked_and_unticked() -> None:
    document = fixture("bullets.md")
    index = entry_named(document, "First Paper").index
    text = edited(document, SetPasses(index, 1))
    assert line_pairs(document.text, text) == [
        (
            "* [ ] [First Paper](https://arxiv.org/abs/2001.00001)",
            "* [x] [First Paper](https://arxiv.org/abs/2001.00001)",
        )
    ]
    assert edited(parse_document(text), SetPasses(index, 0)) == document.text


def test_a_box_cannot_count_passes_and_stays() -> None:
    document = fixture("bullets.md")
    index = entry_named(document, "Second Paper").index
    assert document.style.marks.max_passes == 1
    assert edited(document, SetPasses(index, 3)) == document.text


def test_check_marks_stand_where_the_documents_others_do() -> None:
    text = (
        "- ✅ [A](https://arxiv.org/abs/2301.00001)\n- [B](https://arxiv.org/abs/2301.00002): x\n"
    )
    document = parse_document(text)
    marked = edited(document, SetPasses(1, 2))
    assert marked.splitlines()[1].startswith("- ✅ ✅ [B]")
    assert edited(parse_document(marked), SetPasses(1, 0)) == text
    link = "[A](https://arxiv.org/abs/2301.00001)"
    document = parse_document(text.replace(f"✅ {link}", f"{link} ✅"))
    assert edited(document, SetPasses(1, 1)).splitlines()[1].endswith(": x ✅")


def test_a_list_without_marks_has_no_place_for_one() -> None:
    document = parse_document("- [A](https://arxiv.org/abs/2301.00001)\n")
    assert apply_edits(document, [SetPasses(0, 1)]).refused


def test_stars_change_where_they_are() -> None:
    document = fixture("bullets.md")
    index = entry_named(document, "Second Paper").index
    text = edited(document, SetRating(index, 5))
    assert line_pairs(document.text, text)[0][1].endswith(") :star::star::star::star::star:")
    first = entry_named(document, "First Paper").index
    rated = edited(document, SetRating(first, 1))
    assert line_pairs(document.text, rated)[0][1].endswith("2001.00001) :star:")
    assert edited(parse_document(rated), SetRating(first, None)) == document.text


def test_title_and_date_change_in_place() -> None:
    document = fixture("bullets.md")
    index = entry_named(document, "Structured").index
    text = edited(document, SetTitle(index, "New [title]"), SetDate(index, "2023-11"))
    assert line_pairs(document.text, text)[0][1] == (
        "- (2023-11) **New [title]** [paper](https://arxiv.org/abs/2312.07104)"
    )


def test_a_code_link_is_written_as_the_nearest_one_is() -> None:
    document = fixture("bullets.md")
    index = entry_named(document, "Structured").index
    text = edited(document, SetLink(index, "code", "https://github.com/sgl-project/sglang"))
    assert line_pairs(document.text, text)[0][1].endswith(
        "2312.07104) | [code](https://github.com/sgl-project/sglang)"
    )
    assert edited(parse_document(text), SetLink(index, "code", None)) == document.text


def test_a_code_link_in_a_sub_item_gets_a_sub_item() -> None:
    text = (
        "- [A](https://arxiv.org/abs/2301.00001)\n  - Ada Lovelace, Alan Turing\n"
        "  - Code: [Official](https://github.com/a/a)\n\n- [B](https://arxiv.org/abs/2301.00002)\n"
        "  - Grace Hopper, Edith Clarke\n"
    )
    document = parse_document(text)
    new = edited(document, SetLink(1, "code", "https://github.com/b/b"))
    assert new == text + "  - Code: [Official](https://github.com/b/b)\n"
    assert edited(parse_document(new), SetLink(1, "code", None)) == text


def test_a_new_item_is_written_as_its_neighbours_are() -> None:
    document = fixture("bullets.md")
    new = paper("A | New One", "https://arxiv.org/abs/2310.00001")
    text = edited(document, Add(("Serving",), new))
    line = "- (2023-10) **A | New One** [paper](https://arxiv.org/abs/2310.00001)"
    assert added_lines(document.text, text) == [line, ""]
    lines = text.splitlines()
    assert "2023-09" in lines[lines.index(line) - 2]
    again = parse_document(text)
    assert edited(again, Remove(entry_named(again, "A | New").index)) == document.text


ARXIV = "https://arxiv.org/abs/"


@pytest.mark.parametrize(
    ("items", "line"),
    [
        (  # The day is not known from an arXiv id: no other paper's day stands in for it.
            f"- 2022-11-29, **Alpha Beta**, Paper: [{ARXIV}2211.00001]({ARXIV}2211.00001)\n",
            f"- **New**, Paper: [{ARXIV}2403.00001]({ARXIV}2403.00001)",
        ),
        (
            f"- (2022-11-29) **A** [paper]({ARXIV}2211.00001)\n",
            f"- **New** [paper]({ARXIV}2403.00001)",
        ),
        (  # The words before another title are that one's own.
            f"- Read first: [A]({ARXIV}2211.00001)\n- [B is longer]({ARXIV}2211.00002)\n",
            f"- [New]({ARXIV}2403.00001)",
        ),
        (
            "- Start here [[Some Blog]](https://b.org/1)\n- Other [[GitHub]](https://github.com/x/o)\n",
            f"- [New]({ARXIV}2403.00001)",
        ),
        (  # A section without papers is written in like the others are, with its own bullet.
            "- Tool One [[GitHub]](https://github.com/x/one)\n\n"
            f"## D\n\n* A [[Paper]]({ARXIV}2211.00001)\n",
            f"- New [[Paper]]({ARXIV}2403.00001)",
        ),
        (  # Where no entry shows a paper's link, the title has it.
            "- Tool One [[GitHub]](https://github.com/x/one)\n",
            f"- [New]({ARXIV}2403.00001)",
        ),
    ],
)
def test_a_new_item_says_what_it_is_and_nothing_of_others(items: str, line: str) -> None:
    text = f"## C\n\n{items}"
    new = edited(parse_document(text), Add(("C",), paper("New", f"{ARXIV}2403.00001")))
    assert added_lines(text, new) == [line]


def test_a_link_in_brackets_of_its_own_is_written_and_dropped_with_them() -> None:
    text = f"- [A]({ARXIV}2211.00001) [[code](https://github.com/x/a)]\n- [B]({ARXIV}2211.00002)\n"
    new = edited(parse_document(text), SetLink(1, "code", "https://github.com/x/b"))
    assert new == text.rstrip("\n") + " [[code](https://github.com/x/b)]\n"
    assert edited(parse_document(new), SetLink(1, "code", None)) == text


def test_a_new_item_has_an_empty_box_where_others_have_boxes() -> None:
    document = fixture("bullets.md")
    text = edited(document, Add(("Training",), paper("New", "https://arxiv.org/abs/2501.00001")))
    assert added_lines(document.text, text) == ["* [ ] [New](https://arxiv.org/abs/2501.00001)"]


def test_a_counted_list_counts_on_and_a_constant_one_stays_constant() -> None:
    document = fixture("bullets.md")
    new = paper("Sophia", "https://arxiv.org/abs/2305.14342", ("code", "https://github.com/s/s"))
    text = edited(document, Add(("Training", "Optimisers"), new))
    (line,) = added_lines(document.text, text)
    assert line.startswith("3. [Sophia](https://arxiv.org/abs/2305.14342)")
    constant = "## C\n\n" + "".join(f"1. [P{n}](https://a.org/{n})\n" for n in range(4))
    text = edited(parse_document(constant), Add(("C",), paper("New", "https://a.org/new")))
    assert text.endswith("1. [New](https://a.org/new)\n")


def test_an_item_moves_with_its_details() -> None:
    text = (
        "## A\n\n- [One](https://a.org/1)\n  - more\n- [Two](https://a.org/2)\n\n"
        "## B\n\n- [Three](https://a.org/3)\n"
    )
    new = edited(parse_document(text), Move(0, ("B",)))
    assert new == (
        "## A\n\n- [Two](https://a.org/2)\n\n"
        "## B\n\n- [Three](https://a.org/3)\n- [One](https://a.org/1)\n  - more\n"
    )


def test_a_new_item_comes_behind_what_is_nested_under_the_last() -> None:
    text = "## A\n\n- [One](https://a.org/1)\n  - [Child](https://a.org/2)\n"
    new = edited(parse_document(text), Add(("A",), paper("Two", "https://a.org/3")))
    assert new == text + "- [Two](https://a.org/3)\n"


@pytest.mark.parametrize("name", ["Html Paper", "A Paper About", "Attention Is", "Third"])
def test_titles_of_rarer_shapes_change_in_place(name: str) -> None:
    document = fixture("shapes.md")
    entry = entry_named(document, name)
    text = edited(document, SetTitle(entry.index, "Changed"))
    again = parse_document(text)
    assert again.entries[entry.index].fields.title == "Changed"
    assert [e.key for e in again.entries] == [e.key for e in document.entries]


@pytest.mark.parametrize(
    "title",
    [
        "pipe | tick ` bracket ] [x](y)",
        "<script>alert(1)</script>",
        "*bold* _it_ ~~no~~ \\ $x$",
        "&amp; &lt; &#58;",
        "<!-- comment -->",
        "newline\nhere",
        "https://evil.example.org",
        "[86]",
        "- [x] # 1.",
        "</u></td><tr>",
        "\x1b[31mred\x1b[0m \u202egnp",
    ],
)
@pytest.mark.parametrize("name", ["seed_style.md", "bullets.md", "shapes.md"])
def test_hostile_titles_are_shown_and_do_nothing(title: str, name: str) -> None:
    document = fixture(name)
    for entry in document.entries[:2]:
        again = parse_document(edited(document, SetTitle(entry.index, title)))
        assert len(again.entries) == len(document.entries)
        assert again.entries[entry.index].fields.title == clean(title)
        assert [e.fields.links for e in again.entries if e.index != entry.index] == [
            e.fields.links for e in document.entries if e.index != entry.index
        ]


@pytest.mark.parametrize(
    ("item", "is_dropped"),
    [
        (
            "- [A](https://arxiv.org/abs/2001.00001) by Ada [code](https://github.com/x/y) 2020",
            True,
        ),
        (
            "- [A Paper](https://arxiv.org/abs/2001.00001), code [y](https://github.com/x/y), 2020",
            True,
        ),
        ("- [A Paper](https://arxiv.org/abs/2001.00001), as [y](https://github.com/x/y)", True),
        (
            "- [A](https://arxiv.org/abs/2001.00001), base of [y](https://github.com/x/y) and more",
            False,
        ),
        ("- Read our [guide](https://github.com/x/y) and look for help", False),
    ],
)
def test_a_link_within_a_sentence_stays(item: str, is_dropped: bool) -> None:
    document = parse_document(f"# List\n\n{item}\n- [B](https://arxiv.org/abs/2001.00002)\n")
    made = apply_edits(document, [SetLink(0, "code", None)])
    assert ("github" not in made.text) == is_dropped == (not made.refused)


def test_one_of_several_entries_of_one_title_keeps_the_link_that_tells_it_apart() -> None:
    text = "".join(f"- [Github Code](https://github.com/{name}/code)\n" for name in "abc")
    document = parse_document(text)
    made = apply_edits(document, [SetLink(1, "code", "https://github.com/d/code")])
    assert (made.text == text) == bool(made.refused)
    made = apply_edits(
        document,
        [SetLink(1, "code", "https://github.com/d/code", replaces="https://github.com/b/code")],
    )
    assert (made.text, len(made.refused)) == (text, 1)


def test_a_link_is_not_taken_away_or_replaced_when_the_entry_is_known_by_nothing_else() -> None:
    text = "- Ask in <https://github.com/x/y/wiki>\n- [B](https://arxiv.org/abs/2001.00002)\n"
    document = parse_document(text)
    (entry, _) = document.entries
    assert entry.identifiers[0].scheme == "url"
    made = apply_edits(document, [SetLink(entry.index, "code", None)])
    assert (made.text, len(made.refused)) == (text, 1)


@pytest.mark.parametrize(
    ("written", "new", "expected"),
    [
        ("[A [b] c \\| *x* y](URL)", "A [b] c | x y Again", "[A [b] c \\| *x* y Again](URL)"),
        (
            "**Foo: [bar] $x^2$ a_b** [pdf](URL)",
            "Foo: [bar] $x^2$ c",
            "**Foo: [bar] $x^2$ c** [pdf](URL)",
        ),
        ("[RL\\* and A~B `code`](URL)", "New RL* and A~B code", "[New RL\\* and A~B `code`](URL)"),
        (
            "Title of a_b [Work], [pdf](URL)",
            "Titles of a_b [Work]",
            "Titles of a_b [Work], [pdf](URL)",
        ),
        ("[*Whole title*](URL)", "Whole titles", "[*Whole titles*](URL)"),
        ("[Plain](URL)", "A *star* and [x](y)", r"[A \*star\* and \[x\](y)](URL)"),
        ("[Plain](URL)", "<b>", r"[\<b>](URL)"),
    ],
)
def test_a_title_escapes_only_new_words_that_markdown_would_take_for_markup(
    written: str, new: str, expected: str
) -> None:
    url = "https://arxiv.org/abs/2301.00001"
    document = parse_document(f"## S\n\n- {written}\n".replace("URL", url))
    text = edited(document, SetTitle(0, new))
    assert text == f"## S\n\n- {expected}\n".replace("URL", url)
    assert parse_document(text).entries[0].fields.title == new


def test_a_title_that_would_be_read_as_something_else_is_escaped_as_a_whole() -> None:
    document = parse_document("## S\n\n- Plain words, [pdf](https://arxiv.org/abs/2301.00001)\n")
    text = edited(document, SetTitle(0, "Why?"))
    assert parse_document(text).entries[0].fields.title == "Why?"


@pytest.mark.parametrize("words", ["<img\nsrc='x.png'>\n", "\n", "<b>\n"])
def test_a_tag_is_never_replaced_by_a_title(words: str) -> None:
    link = '<a href="https://arxiv.org/abs/2506.13771">paper</a>'
    text = f'## S\n\n<div class="bar">{words}{link}\n</div>\n'
    document = parse_document(text)
    for entry in document.entries:
        written = apply_edits(document, [SetTitle(entry.index, "New Name")]).text
        assert written.count("<div") == 1
        assert link.removesuffix("paper</a>") in written


def test_a_title_never_takes_the_start_of_a_tag_that_goes_on_in_the_next_line() -> None:
    text = '## S\n\n<div>A Graph <a\nhref="https://arxiv.org/abs/2506.13771"\n>pdf</a>\n</div>\n'
    document = parse_document(text)
    for entry in document.entries:
        assert "<a\n" in apply_edits(document, [SetTitle(entry.index, "New Name")]).text


def test_of_edits_that_cannot_be_made_together_those_that_can_are_made() -> None:
    text = """\
# Generator

## Options

- `--key` `TEXT`: API Token (from https://github.com/settings/tokens).
- `--other` `TEXT`: API Key (from https://libraries.io/api).
- `--help`: Show this message and exit.
"""
    document = parse_document(text)
    help_ = document.entries[2].index
    title = SetTitle(help_, "Zebra *Crossings* | [in] Practice 3")
    link = SetLink(help_, "code", "https://github.com/somebody/code48")
    done = apply_edits(document, [title, link])
    assert clean(title.title) in {entry.fields.title for entry in parse_document(done.text).entries}
    assert [refusal.edit for refusal in done.refused] == [link]


def test_a_title_is_not_found_in_another_entry_of_the_same_title() -> None:
    """Unescaped, the bar ends the title of an item without a link."""
    document = parse_document(
        "# Papers\n\n- [A & b \\| C](https://arxiv.org/abs/2309.10001)\n- Tables of Engines\n"
        "- [Acting Twice](https://arxiv.org/abs/2310.10006) (2023)\n"
    )
    text = edited(document, SetTitle(1, "A & b | C"))
    assert [entry.fields.title for entry in parse_document(text).entries[:2]] == ["A & b | C"] * 2


def test_an_entry_that_is_edited_and_taken_out_at_once_is_gone_whatever_titles_others_get() -> None:
    """A title that has to be escaped is not read as it is meant at first."""
    document = parse_document(
        "## B\n\n| Title | Date |\n|---|---|\n| [One](https://arxiv.org/abs/2401.00001) | 2024 |\n"
        "\n## C\n\n1. **Two**, Ada Byron. [[paper](https://arxiv.org/abs/2401.00002)]\n"
        "2. **Three**, Alan May. [[paper](https://arxiv.org/abs/2401.00003)]\n"
        "   [[code](https://github.com/example/three)]\n\n"
        "## D\n\n- [Four](https://arxiv.org/abs/2401.00004) (2024)\n"
    )
    title = "A {Brace} & a | Bar"
    link = SetLink(1, "code", "https://github.com/example/two")
    edits = SetTitle(0, title), SetTitle(1, title), link, Remove(1), SetTitle(3, title)
    done = apply_edits(document, edits)
    assert done.refused == ()
    titles = [entry.fields.title for entry in parse_document(done.text).entries]
    assert titles == [title, "Three", title]


def test_several_entries_that_move_into_a_list_that_counts_get_a_number_each() -> None:
    text = "## C\n\n" + "".join(
        f"{n}. **Paper Number {n}** [[pdf](https://arxiv.org/abs/2401.0000{n})]\n"
        for n in range(1, 5)
    )
    document = parse_document(f"{text}\n## D\n\n{text[6:].replace('2401', '2402')}")
    written = edited(document, Move(1, ("D",)), Move(2, ("D",)))
    assert [line[:2] for line in written.splitlines() if line.startswith(("5", "6"))] == [
        "5.",
        "6.",
    ]


@pytest.mark.parametrize("name", ["](https://evil.org)[x", "y](z)", "<b>", "a_[z]", "`c`"])
def test_an_address_never_makes_markup_of_a_label_that_names_it(name: str) -> None:
    text = f"- [A]({ARXIV}2211.00001) [a/b](https://github.com/a/b)\n- [B]({ARXIV}2211.00002)\n"
    edit = SetLink(1, "code", f"https://github.com/x/{name}")
    made = apply_edits(parse_document(text), [edit])
    links = parse_document(made.text).entries[1].fields.links
    assert [link.url for link in links if "github.com/x/" not in link.url] == [f"{ARXIV}2211.00002"]
    assert len(links) == 1 if made.refused else len(links) == 2
    shown = made.text.replace("\\<b", "").replace("\\`", "")
    assert "<b" not in shown
    assert shown.count("`") < 2
