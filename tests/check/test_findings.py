"""What a check finds within a document, and what it leaves in peace."""

import time

import pytest

from papertrack.documents.markdown.check import check_document, local_files
from papertrack.documents.markdown.read.document import parse_document

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
    assert "[https://a.org/1 is no address" in message(text)


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
    assert [*local_files(parse_document(text))] == [(3, "./notes/a b.md")]


@pytest.mark.parametrize("piece", ["[a][b] ", "`a` [b] ", "[](", "[[", "[a]: ", "| a ", "<!-- "])
def test_cost_grows_with_the_length_of_hostile_text(piece: str) -> None:
    def cost(times: int) -> float:
        document = parse_document("- " + piece * times)
        start = time.process_time()
        check_document(document)
        return time.process_time() - start

    cost(100)
    small, large = cost(1_000), cost(8_000)
    assert large < 30 * small + 0.2
