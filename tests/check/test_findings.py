"""What a check finds within a document, and what it leaves in peace."""

import pytest

from papertrack.documents.markdown.check.document import check_document, local_links, wrong_dates
from papertrack.documents.markdown.read.document import parse_document
from tests.timing import assert_ratio

ROW = "| [{title}](https://arxiv.org/abs/{id}) | {date} | {read} |\n"


def found(text: str) -> list[tuple[int, str]]:
    """Line and kind of each finding."""
    return [(finding.line, finding.kind) for finding in check_document(parse_document(text))]


def message(text: str) -> str:
    """The message of the only finding."""
    (finding,) = check_document(parse_document(text))
    return finding.message


def table(*rows: str) -> str:
    head = "## Serving\n\n| Title | Date | Read |\n| :---- | :--- | :--- |\n"
    return head + "".join(rows)


def row(title: str, arxiv_id: str, date: str = "") -> str:
    return ROW.format(title=title, id=arxiv_id, date=date, read="")


CLEAN = (
    table(
        row("Attention Is All You Need", "1706.03762", "2017/06"),
        row("Efficient Memory Management with PagedAttention", "2309.06180", "2023/09"),
    )
    + "\nSee [the guide][guide] and [more].\n\n"
    + "[guide]: https://example.org/guide\n[more]: https://example.org/more\n"
)


def test_a_list_in_order_has_no_findings() -> None:
    assert found(CLEAN) == []


@pytest.mark.parametrize(
    "again",
    [
        "| [PagedAttention](https://arxiv.org/pdf/2309.06180v2) | | |\n",
        "| [Paged-attention](https://doi.org/10.48550/arXiv.2309.06180) | | |\n",
        "| PagedAttention [[paper]](https://www.arxiv.org/abs/2309.06180#S1) | | |\n",
    ],
)
def test_the_same_work_twice_in_a_section_is_a_duplicate_however_it_is_written(again: str) -> None:
    text = table(row("PagedAttention", "2309.06180"), again)
    assert found(text) == [(6, "duplicate")]
    assert "line 5 already, in the same section" in message(text)


def test_a_work_in_two_sections_is_told_with_both() -> None:
    text = "# All\n\n" + table(row("PagedAttention", "2309.06180"))
    text += "\n## Memory\n\n- [PagedAttention](https://arxiv.org/abs/2309.06180)\n"
    assert found(text) == [(11, "several-sections")]
    assert message(text).endswith("it is listed under Serving and Memory.")


def test_a_preprint_and_its_publication_are_one_work_by_their_title() -> None:
    name = "Efficient Memory Management for Large Models"
    text = f"- [{name}](https://arxiv.org/abs/2309.06180)\n"
    text += f"- [{name.upper()}.](https://doi.org/10.1145/3600006.3613165)\n"
    assert found(text) == [(2, "duplicate")]


def test_short_titles_that_many_works_have_are_no_duplicates() -> None:
    text = "- [Roadmap](https://example.org/a)\n- [Roadmap](https://example.org/b)\n"
    assert found(text) == []


def test_an_address_pasted_from_another_work_is_told_as_that() -> None:
    text = table(
        row("Attention Is All You Need", "1706.03762"),
        row("Scaling Laws for Neural Language Models", "1706.03762"),
    )
    assert found(text) == [(6, "shared-address")]
    assert "the same address as “Attention Is All You Need” in line 5" in message(text)


@pytest.mark.parametrize("use", ["[PagedAttention][7]", "[<u>A</u>][7]", "![A picture][7]"])
def test_a_reference_needs_its_definition(use: str) -> None:
    text = f"- {use} and [A Paper](https://arxiv.org/abs/2309.06180)\n"
    assert found(text) == [(1, "undefined-reference")]
    assert found(text + "\n[7]: https://arxiv.org/abs/1706.03762\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "- [x] [A](https://a.org) [Pending]\n",
        "- [[Draft][Deep] On Data](https://a.org)\n",
        "- [A](https://a.org): `x[i][j]` and [B](https://b.org)[^1]\n",
        "- [A](https://a.org) <!-- [B][7] -->\n",
        "- [A](https://a.org)\n\n```\n[B][7]\n[7]: https://b.org\n```\n",
    ],
)
def test_brackets_that_are_no_reference_are_left_in_peace(text: str) -> None:
    assert found(text) == []


def test_definitions_that_nothing_uses_are_named() -> None:
    text = "- [A][1]\n\n[1]: https://a.org\n[2]: https://b.org\n[//]: # (a comment)\n"
    assert found(text) == [(4, "unused-definition")]
    assert message(text).startswith("[2] ")


def test_a_definition_of_a_row_that_is_commented_out_is_kept_for_it() -> None:
    assert found("- [A][1]\n\n<!-- - [B][2] -->\n\n[1]: https://a.org\n[2]: https://b.org\n") == []


def test_labels_are_compared_as_markdown_does() -> None:
    text = "- [A][Guide  One]\n- ![b][PIC]\n\n[guide one]: https://a.org\n[pic]: https://b.org/b\n"
    assert found(text) == []


def test_a_label_defined_twice_with_two_addresses_is_told() -> None:
    text = "- [A][1]\n\n[1]: https://a.org\n[1]: https://b.org\n"
    assert found(text) == [(4, "repeated-definition")]
    assert "in line 3 already, as https://a.org" in message(text)
    assert found(text.replace("b.org", "a.org")) == []


def test_a_definition_without_a_blank_line_before_it_is_no_definition() -> None:
    text = "- [A][1]\n\nA sentence.\n[1]: https://a.org\n"
    assert found(text) == [(4, "undefined-reference")]


def test_rows_with_too_few_and_too_many_cells_are_named() -> None:
    text = table(
        row("Attention Is All You Need", "1706.03762"),
        row("Scaling Laws", "2001.08361"),
        "| [Short](https://arxiv.org/abs/2309.06180) |\n",
        "| [Long](https://arxiv.org/abs/2401.09670) | a | b | c |\n",
    )
    assert found(text) == [(7, "ragged-row"), (8, "ragged-row")]


def test_a_header_that_all_rows_contradict_is_told_once() -> None:
    rows = [f"| [Paper {n}](https://a.org/{n}) | | | |\n" for n in range(3)]
    assert found(table(*rows)) == [(3, "ragged-row")]
    assert message(table(*rows)).startswith("The header has 3 cells, but 3 of 3 rows have 4.")


def test_a_pipe_that_is_escaped_makes_no_cell() -> None:
    assert found(table("| [P(a \\| b)](https://a.org) | 2020 | |\n")) == []


def test_links_without_an_address_or_a_text_are_named_once() -> None:
    text = "- [A Paper]()\n- [](https://a.org/1) [B Paper](https://a.org)\n"
    assert found(text) == [(1, "empty-link"), (2, "empty-link")]


def test_an_address_with_something_before_its_scheme_is_no_missing_note() -> None:
    text = "- [A Paper]([https://a.org/1) and [a note](notes/a.md?from=https://b.org)\n"
    assert found(text) == [(1, "broken-address")]
    assert "[https://a.org/1 is not an address" in message(text)


@pytest.mark.parametrize(
    ("date", "is_wrong"),
    [
        ("2023/09", False),
        ("2023/08", False),
        ("2023/10", False),
        ("2023/05", True),
        ("2024/09", True),
    ],
)
def test_a_date_contradicts_the_id_where_dates_are_those_of_ids(date: str, is_wrong: bool) -> None:
    text = table(
        row("Attention Is All You Need", "1706.03762", "2017/06"),
        row("Scaling Laws", "2001.08361", "2020/01"),
        row("PagedAttention", "2309.06180", date),
    )
    assert found(text) == ([(7, "date")] if is_wrong else [])


@pytest.mark.parametrize(
    ("date", "is_wrong"), [("2024/09", False), ("2021/01", True), ("2023", False)]
)
def test_elsewhere_only_an_impossible_date_does(date: str, is_wrong: bool) -> None:
    text = table(
        row("Attention Is All You Need", "1706.03762", "2018/12"),
        row("Scaling Laws", "2001.08361", "2020/11"),
        row("PagedAttention", "2309.06180", date),
    )
    assert found(text) == ([(7, "date")] if is_wrong else [])


def test_an_entry_without_a_link_is_named_unless_all_are_so() -> None:
    linkless = "| A Paper Without Any Link | 2020 | |\n"
    assert found(table(row("Scaling Laws", "2001.08361"), linkless)) == [(6, "no-link")]
    assert found(table(linkless, linkless.replace("Without", "Lacking"))) == []


def test_the_notes_beside_a_document_are_listed_as_files() -> None:
    text = "| Title | Notes |\n| --- | --- |\n"
    text += "| [A](https://a.org) | [n](./notes/a%20b.md#top) |\n"
    text += "| [B](https://b.org) | [n](/root.md) [m](https://b.org/n.md) [o](#here) |\n"
    links = [*local_links(parse_document(text))]
    assert links == [(3, "./notes/a b.md", True)]


def test_two_videos_about_one_work_are_there_on_purpose() -> None:
    one = "- [ResNet](https://arxiv.org/abs/1512.03385) first half [video](https://youtu.be/{})\n"
    assert found(one.format("a1") + one.format("b2").replace("first", "second")) == []
    assert found(one.format("a1") * 2) == [(2, "duplicate")]


def test_one_repository_may_hold_several_works() -> None:
    line = "- {}: {} of Many Things [[code]](https://github.com/lab/{})\n"
    names = ("Alpha", "A Theory"), ("Beta", "A Practice"), ("Gamma", "The History")
    assert found("".join(line.format(*name, "models") for name in names)) == []


def test_a_page_that_has_the_title_of_one_entry_was_pasted_into_the_other() -> None:
    url = "https://blog.example.org/2020/five-ways-to-rank-part-2-1f3"
    text = f"- [Five Ways to Rank, Part 1]({url})\n- [Five Ways to Rank, Part 2]({url})\n"
    assert found(text) == [(2, "shared-address")]


def test_a_short_name_with_the_id_of_a_work_is_that_work() -> None:
    text = table(
        row("Deep Residual Learning for Image Recognition", "1512.03385"),
        row("ResNet", "1512.03385"),
    )
    assert found(text) == [(6, "duplicate")]
    assert message(text).endswith(
        "same section, as “Deep Residual Learning for Image Recognition”."
    )


def test_a_block_that_holds_several_works_is_none_of_them() -> None:
    text = table(row("DeepSeek-V2: An Economical Model", "2405.04434")) + "\n## Open\n\n"
    text += "<details><summary>DeepSeek</summary>\n\n"
    text += "- [V2](https://arxiv.org/abs/2405.04434)\n- [Math](https://arxiv.org/abs/2402.03300)\n"
    assert [kind for _, kind in found(f"{text}\n</details>\n") if kind != "several-sections"] == []
    assert "“DeepSeek”" not in "".join(
        one.message for one in check_document(parse_document(f"{text}\n</details>\n"))
    )


@pytest.mark.parametrize("item", ["- **node**: faster {} [#3]({})\n", "- [#3]({1}) mend {0}\n"])
def test_what_a_word_or_a_number_links_is_not_named_by_it(item: str) -> None:
    url = "https://example.org/pull/3"
    assert found(item.format("this", url) + item.format("that", url)) == []


def test_works_whose_numbers_differ_are_two() -> None:
    text = table(
        row("Llama 2: Open Foundation Models", "2307.09288"),
        row("Llama 3: Open Foundation Models", "2307.09288"),
    )
    assert found(text) == [(6, "shared-address")]


def test_a_way_around_the_document_is_no_work() -> None:
    line = "- [Back to the Top of This Page](https://example.org/list)\n"
    text = "".join(f"## Part {n}\n\n{line}\n" for n in range(5))
    assert found(text) == []


@pytest.mark.parametrize("heading", ["News", "🔥 Latest Updates", "Citation", "最新动态"])
def test_news_of_the_list_are_no_entries(heading: str) -> None:
    paper = "[PagedAttention](https://arxiv.org/abs/2309.06180)"
    news = "".join(f"- [2024/0{n}] See [it](https://example.org/{n}).\n" for n in range(1, 6))
    text = f"## {heading}\n\n- We list {paper} now.\n{news}- We moved.\n\n## Memory\n\n- {paper}\n"
    assert found(text) == []


def test_a_subject_called_like_a_section_about_the_list_is_one() -> None:
    line = "- [PagedAttention](https://arxiv.org/abs/2309.06180)\n"
    assert found(f"## Citation Recommendation Models\n\n{line * 2}") == [(4, "duplicate")]


def test_an_item_without_a_link_is_named_where_nearly_all_others_have_one() -> None:
    items = "".join(f"- [Paper Number {n}](https://example.org/{n})\n" for n in range(5))
    assert found(f"{items}- A Paper Without Any Link\n") == [(6, "no-link")]


@pytest.mark.parametrize(
    "item",
    [
        "- A Paper to Be Linked (TODO)",
        "- Keywords: memory, paging",
        "- Papers about memory:",
        "- Memory and Paging\n  - [Paper Six](https://example.org/6)",
    ],
)
def test_what_is_no_entry_of_its_own_needs_no_link(item: str) -> None:
    line = "- [Paper Number {0}](https://example.org/{0})\n  - Keywords: {0}\n"
    assert found("".join(line.format(n) for n in range(5)) + item + "\n") == []


def test_a_date_may_be_that_of_the_later_version_which_is_linked() -> None:
    line = "| [{}](https://arxiv.org/abs/{}) | {} | |\n"
    rows = [line.format(f"Paper Number {n}", f"220{n}.01234", f"2022-0{n}-11") for n in range(1, 8)]
    late = line.format("Paper Number Nine", "2209.09090v2", "2022-11-15")
    assert found(table(*rows, late)) == []
    assert found(table(*rows, late.replace("v2", "v1"))) == [(12, "date")]


def test_a_badge_without_an_address_is_a_place_kept_for_one() -> None:
    assert found("- [A](https://a.org) [![arXiv](https://b.org/arXiv.svg)]()\n") == []


def test_tags_side_by_side_are_no_references() -> None:
    text = "- [A][1] [ICML][Oral]\n- [B](https://b.org) [ACL][2024]\n\n[1]: https://a.org\n"
    assert found(text) == []


def test_a_name_that_is_not_defined_is_told_where_others_are() -> None:
    text = "- [A][guide]\n- [B][guid]\n\n[guide]: https://a.org\n"
    assert found(text) == [(2, "undefined-reference")]


def test_a_row_of_words_alone_divides_its_table() -> None:
    text = table(row("Scaling Laws", "2001.08361"), "| **2020** |\n", "| **2019** | |\n")
    assert found(text) == []
    assert found(table(row("Scaling Laws", "2001.08361")) + "A line glued to it.\n") == [
        (6, "ragged-row")
    ]


def test_a_finding_can_be_accepted_in_its_line_or_above_it() -> None:
    line = "- [PagedAttention](https://arxiv.org/abs/2309.06180)"
    assert found(f"{line}\n{line} <!-- papertrack: ignore duplicate -->\n") == []
    assert found(f"{line}\n<!-- papertrack: ignore date, duplicate -->\n{line}\n") == []
    assert found(f"{line} <!-- papertrack: ignore -->\n{line}\n") == []
    assert found(f"{line}\n{line} <!-- papertrack: ignore date -->\n") == [(2, "duplicate")]


def test_of_two_entries_the_one_that_is_new_is_named() -> None:
    old = "- [PagedAttention](https://arxiv.org/abs/2309.06180)\n"
    new = "- [Paged Attention](https://arxiv.org/abs/2309.06180v2)\n"
    findings = check_document(parse_document(new + old), parse_document(old))
    assert [(one.line, one.other_line) for one in findings] == [(1, 2)]


def test_rows_that_hold_several_works_are_sections() -> None:
    def cell(*papers: tuple[str, str]) -> str:
        return "<br>".join(f"[{title}](https://arxiv.org/abs/{n})" for title, n in papers)

    one, two = ("Paging of Memory for Models", "2309.06180"), ("Laws of Scaling", "2001.08361")
    three = "Serving with Two Pools of Machines", "2401.09670"
    text = "| Subject | Papers |\n| --- | --- |\n"
    text += f"| Memory | {cell(one, two)} |\n| Serving | {cell(one, three)} |\n"
    assert found(text) == [(4, "several-sections")]
    assert message(text).endswith("is in line 3 too, in another row.")


def test_a_row_of_its_first_cell_alone_and_a_work_to_come_need_no_link() -> None:
    text = table(row("Scaling Laws", "2001.08361"), "| **Audio** | | |\n")
    assert found(text + "| In Preparation | 2024 | |\n") == []


def test_a_sentence_among_links_is_no_entry() -> None:
    items = "".join(f"- [Paper Number {n}](https://example.org/{n})\n" for n in range(9))
    assert found(f"{items}- Tips: use a large batch.\n- --quiet: Say Nothing at All\n") == []


def test_a_date_of_publication_may_be_after_the_id() -> None:
    line = "| [{}](https://arxiv.org/abs/{}) | {} | |\n"
    rows = [
        line.format(f"Paper Number {n}", f"22{n:02}.01234", f"2022-{n:02}") for n in range(1, 13)
    ]
    others = line.format("Paper Number Twenty", "2208.02345", "2023-05")
    others += line.format("Paper Number Thirty", "2209.02345", "2023-06")
    assert found(table(*rows, others)) == []
    early = line.format("Paper Number Forty", "2210.02345", "{}")
    assert found(table(*rows, others, early.format("2022-08"))) == []
    assert found(table(*rows, others, early.format("2022-01"))) == [(19, "date")]


def test_two_works_at_addresses_of_their_own_may_have_one_name() -> None:
    line = "- [Introduction to Machine Learning Models]({})\n"
    assert found(line.format("https://a.org/1") + line.format("https://b.org/2")) == []
    assert found(line.format("https://a.org/1") * 2) == [(2, "duplicate")]


def test_links_within_the_forge_are_no_files() -> None:
    text = "[a](../../issues/new) [b](../../wiki) [c](guide/) [d](#here) [e](mailto:a@b.org)\n"
    assert [link.path for link in local_links(parse_document(text))] == ["guide/"]


@pytest.mark.parametrize("piece", ["[a][b] ", "`a` [b] ", "[](", "[[", "[a]: ", "| a ", "<!-- "])
def test_cost_grows_with_the_length_of_hostile_text(piece: str) -> None:
    small, large = (parse_document("- " + piece * times) for times in (1_000, 8_000))
    assert_ratio(30, lambda: check_document(small), lambda: check_document(large))


def test_dates_cost_as_much_as_there_are() -> None:
    rows = (row(f"Lamp {n}", f"2301.{n:05d}", "2023/01") for n in range(1, 251))
    entries = parse_document(table(*rows)).entries
    few, many = entries * 8, entries * 64
    assert_ratio(16, lambda: list(wrong_dates(few)), lambda: list(wrong_dates(many)))
