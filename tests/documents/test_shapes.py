"""Every shape that an entry may have, and what is no entry."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from tests.documents.samples import entry_named, fixture, links_of


def test_rows_of_the_seed_style_have_title_date_links_and_passes() -> None:
    document = fixture("seed_style.md")
    assert [entry.shape for entry in document.entries] == ["row"] * 4
    entry = entry_named(document, "SGLang")
    assert entry.category == ("Serving",)
    assert entry.key == "arxiv:2312.07104"
    assert entry.fields.date == "2023-12"
    assert entry.fields.passes == 0
    assert links_of(entry) == [
        ("paper", "https://arxiv.org/abs/2312.07104"),
        ("code", "https://github.com/sgl-project/sglang"),
        ("code", "https://github.com/nobody/other"),
        ("note", "../notes/serving.md"),
    ]


def test_a_title_with_markup_is_plain_and_kept_as_written() -> None:
    document = fixture("seed_style.md")
    entry = entry_named(document, "Pre3")
    assert entry.fields.title == "Pre3: Pushdown Automata"
    assert entry.anatomy.title is not None
    assert document.text[slice(*entry.anatomy.title)] == "Pre<sup>3</sup>: Pushdown Automata"
    assert entry.identifiers[0].value == "2506.03887"


def test_an_empty_table_is_a_category_and_a_commented_template_is_nothing() -> None:
    document = fixture("seed_style.md")
    assert document.title == "Reading list"
    assert document.categories == (("Serving",), ("Decoding",), ("Nothing yet",))
    assert all(entry.fields.title != "Title" for entry in document.entries)


def test_blog_tables_have_ratings_descriptions_and_authors() -> None:
    document = fixture("blog_style.md")
    entry = entry_named(document, "图解")
    assert entry.fields.kind == "post"
    assert entry.fields.rating == 3
    assert entry.fields.passes == 1
    assert entry.fields.authors == ("Somebody",)
    assert entry.fields.description == "原理详解"
    assert entry.fields.tags == ("Transformer",)
    assert ("author", "https://www.zhihu.com/people/somebody") in links_of(entry)
    assert entry_named(document, "A weblog").fields.kind == "post"
    project = entry_named(document, "vllm")
    assert project.fields.kind == "project"
    assert project.fields.description == "推理引擎 and more"
    assert project.category == ("Projects",)


def test_bullets_with_date_bold_title_and_labelled_links() -> None:
    document = fixture("bullets.md")
    entry = entry_named(document, "Distributed")
    assert entry.shape == "item"
    assert entry.fields.date == "2024-01"
    assert entry.fields.authors == ("Ada Lovelace", "Alan Turing", "Grace Hopper")
    assert entry.fields.description == "Two phases on two machines."
    assert document.text[slice(*entry.span)].count("\n") == 3


def test_links_within_the_page_make_no_entries() -> None:
    titles = [entry.fields.title for entry in fixture("bullets.md").entries]
    assert "Serving" not in titles
    assert "Training" not in titles


def test_a_status_prefix_is_a_tag_and_the_rest_a_description() -> None:
    entry = entry_named(fixture("bullets.md"), "A guide")
    assert entry.fields.tags == ("Pending Review",)
    assert entry.fields.description == "how to do it. Also on Zhihu"
    assert links_of(entry) == [
        ("note", "./guides/guide.md"),
        ("post", "https://zhuanlan.zhihu.com/p/1"),
    ]


def test_a_title_with_an_empty_link_is_an_entry_without_links() -> None:
    entry = entry_named(fixture("bullets.md"), "Third Paper")
    assert entry.fields.links == ()
    assert entry.key == "title:thirdpaper"


def test_numbered_items_with_code_spans_for_company_and_year() -> None:
    entry = entry_named(fixture("bullets.md"), "Adam")
    assert entry.shape == "numbered"
    assert entry.category == ("Training", "Optimisers")
    assert entry.fields.tags == ("OpenAI",)
    assert entry.fields.date == "2014"
    assert ("code", "https://github.com/a/adam") in links_of(entry)


def test_venue_and_year_behind_a_plain_title() -> None:
    entry = entry_named(fixture("bullets.md"), "Real-Time")
    assert entry.fields.title == "Real-Time Kernels: A Survey"
    assert entry.fields.venue == "ACM Surveys"
    assert entry.fields.date == "2019"
    assert [role for role, _ in links_of(entry)] == ["paper", "slides"]
    assert entry.category == ("Training", "RT")


def test_an_item_without_link_among_entries_is_one_too() -> None:
    assert entry_named(fixture("bullets.md"), "Using real-time").fields.links == ()


def test_a_reference_written_out_is_read() -> None:
    entry = entry_named(fixture("bullets.md"), "Attention")
    assert entry.fields.title == "Attention is All you Need"
    assert entry.fields.authors == ("A. Vaswani", "N. Shazeer")
    assert entry.fields.date == "2017"


def test_prose_is_reported_and_code_is_left_alone() -> None:
    document = fixture("bullets.md")
    assert [skipped.line for skipped in document.skipped] == [36]
    assert "9999.00001" not in {entry.key for entry in document.entries}


def test_a_visible_arxiv_id_of_no_entry_is_named_with_its_line() -> None:
    document = parse_document(
        "# List, after arXiv:2301.00011\n\n- [Own](https://arxiv.org/abs/2302.00001)\n\n"
        "```\n2301.00012\n```\n\n<!-- 2301.00013 -->\n\n## 2301.00014 and 2301.00011\n\n"
        "[unused]: https://arxiv.org/abs/2301.00015\n"
    )
    mentioned = [(one.line, one.identifier.value) for one in document.mentioned]
    assert mentioned == [(1, "2301.00011"), (11, "2301.00014")]
    assert document.skipped == ()


@pytest.mark.parametrize(
    ("title", "shape", "key"),
    [
        ("A Paper About Things", "details", "arxiv:2301.00001"),
        ("Another", "details", "arxiv:2301.00002"),
        ("Attention Is", "heading", "arxiv:1706.03762"),
        ("BERT", "heading", "arxiv:1810.04805"),
        ("Html Paper", "html_row", "arxiv:2301.00003"),
        ("Linked Html", "html_row", "arxiv:2301.00004"),
        ("First", "paragraph", "arxiv:2301.00005"),
        ("Second", "paragraph", "arxiv:2301.00006"),
        ("Third", "paragraph", "arxiv:2301.00007"),
        ("https://arxiv", "item", "arxiv:2301.00008"),
        ("Twelfth", "numbered", "arxiv:2301.00012"),
        ("No pipes", "row", "arxiv:2301.00013"),
    ],
)
def test_shapes_that_are_rarer(title: str, shape: str, key: str) -> None:
    entry = entry_named(fixture("shapes.md"), title)
    assert (entry.shape, entry.key) == (shape, key)


def test_details_that_fold_a_list_are_a_category() -> None:
    text = (
        "## Models\n\n<details>\n<summary>DeepSeek</summary>\n\n- [A](https://a.org/1)\n"
        "- [B](https://a.org/2)\n\n</details>\n\n- [C](https://a.org/3)\n"
    )
    categories = [entry.category for entry in parse_document(text).entries]
    assert categories == [("Models", "DeepSeek"), ("Models", "DeepSeek"), ("Models",)]


def test_folded_lists_without_a_blank_line_between_them_are_each_a_category() -> None:
    lists = [
        f"<details>\n<summary>{maker}</summary>\n\n"
        f"  - [{maker} One](https://arxiv.org/abs/2301.0000{number})\n"
        f"  - [{maker} Two](https://a.org/{number})\n\n</details>\n"
        for number, maker in enumerate(("Lamps", "Ropes"))
    ]
    entries = parse_document("## Models\n\n" + "".join(lists)).entries
    assert [(one.category[-1], one.fields.title) for one in entries] == [
        *(("Lamps", "Lamps One"), ("Lamps", "Lamps Two")),
        *(("Ropes", "Ropes One"), ("Ropes", "Ropes Two")),
    ]


def test_items_that_only_name_a_group_are_categories() -> None:
    text = "## AI\n\n- **Maths:**\n  - [Algebra](./a/)\n  - [Calculus](./c/)\n- [Other](./o/)\n"
    document = parse_document(text)
    assert [entry.category for entry in document.entries] == [
        ("AI", "Maths"),
        ("AI", "Maths"),
        ("AI",),
    ]


def test_ragged_rows_keep_hidden_cells_and_rows_without_pipes_at_the_edges_count() -> None:
    text = (
        "Title | Link\n--- | ---\nShort\n"
        "Long | [x](https://arxiv.org/abs/2301.00001) | hidden | ✅\n"
    )
    first, second = parse_document(text).entries
    assert first.fields.title == "Short"
    assert len(second.anatomy.cells) == 4
    assert second.fields.passes == 1


def test_pipes_are_cells_unless_escaped() -> None:
    text = "| Title | PDF |\n|--|--|\n| A `x\\|y` \\| b | [p](https://arxiv.org/abs/2301.00001) |\n"
    (entry,) = parse_document(text).entries
    assert entry.fields.title == "A x|y | b"


def test_front_matter_is_not_read() -> None:
    text = "---\ntitle: x\nlinks:\n- [No](https://a.org)\n---\n\n- [Yes](https://a.org/yes)\n"
    assert [entry.fields.title for entry in parse_document(text).entries] == ["Yes"]


def test_the_same_paper_in_two_places_has_two_keys() -> None:
    item = "- [A](https://arxiv.org/abs/2301.00001)\n"
    document = parse_document(f"# One\n\n{item}\n# Two\n\n{item}")
    assert [e.key for e in document.entries] == ["arxiv:2301.00001", "arxiv:2301.00001#2"]
    assert document.title is None
    assert document.categories == (("One",), ("Two",))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_change_what_is_read(end: str) -> None:
    unix = fixture("bullets.md")
    other = parse_document(unix.text.replace("\n", end))
    assert [entry.fields for entry in other.entries] == [entry.fields for entry in unix.entries]
    assert [entry.line for entry in other.entries] == [entry.line for entry in unix.entries]


def test_an_endless_line_is_reported_and_the_rest_is_read() -> None:
    text = (
        "- [A](https://a.org/1)\n\n"
        + "[x](https://b.org) " * 20_000
        + "\n\n- [B](https://a.org/2)\n"
    )
    document = parse_document(text)
    assert [entry.fields.title for entry in document.entries] == ["A", "B"]
    assert [skipped.line for skipped in document.skipped] == [3]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        (":books: Training", "Training"),
        (":8ball: :crystal_ball: Recommenders :eagle:", "Recommenders"),
        ("1. :o::heavy_minus_sign::o: Graphs", "Graphs"),
        ("Ratio 2:1: what holds", "Ratio 2:1: what holds"),
        (": odd", "odd"),
    ],
)
def test_emoji_written_as_words_are_no_part_of_a_category(heading: str, name: str) -> None:
    text = f"# List\n\n## {heading}\n\n- [A](https://arxiv.org/abs/2401.00001)\n"
    (entry,) = parse_document(text).entries
    assert entry.category == (name,)


@pytest.mark.parametrize("heading", ["![](banner.png)", "<br>", "\u200b", "[](https://a.org)", ""])
def test_a_heading_without_words_is_no_category(heading: str) -> None:
    entry = "- [A](https://arxiv.org/abs/2401.00001)\n"
    text = (
        f"# List\n\n## {heading}\n\n{entry}\n### Below\n\n- [B](https://arxiv.org/abs/2401.00002)\n"
    )
    assert [entry.category for entry in parse_document(text).entries] == [(), ("Below",)]


def test_titles_without_links_are_papers_under_a_heading_that_says_papers() -> None:
    text = (
        "# T\n\n## 已读论文\n\n"
        "- Efficient Memory Management for Serving\n- Prefix Tuning of Models\n\n"
        "## Features\n\n- Reads every list there is\n- Writes every list there is\n"
    )
    entries = parse_document(text).entries
    assert [(e.fields.title, e.fields.kind, e.category) for e in entries] == [
        ("Efficient Memory Management for Serving", "paper", ("已读论文",)),
        ("Prefix Tuning of Models", "paper", ("已读论文",)),
    ]


def test_the_first_half_of_an_arxiv_id_is_no_year_of_a_citation() -> None:
    text = '- Kim, A. "A Benchmark of Inference." arXiv preprint arXiv:1911.02549 (2019).'
    (entry,) = parse_document(f"{text} [[pdf]](https://arxiv.org/pdf/1911.02549)\n").entries
    assert entry.fields.date == "2019"
