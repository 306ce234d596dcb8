"""What the curator deleted in a README comes back in its own words when it is added again."""

from collections.abc import Callable
from unittest import mock

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.organise import move_papers, remove_papers
from papertrack.actions.reading import mark_pass
from papertrack.documents.markdown.read import document
from tests.actions.conftest import Desk

NewDesk = Callable[[str], Desk]

LIST = """\
# List

**Papers: 6**

## Serving

| Paper | Read | Remark |
| --- | --- | --- |
| [Alpha Attention](https://arxiv.org/abs/2301.00001) | ✅ | *twice* |
| [Beta Batching](https://arxiv.org/abs/2302.00002 "v1") | | asked by Kim |
| [Gamma Gates](https://arxiv.org/abs/2303.00003) | ✅ |  |

## Systems

* **Delta Disks** [[paper]](https://arxiv.org/abs/2304.00004) - fast
  * so many ideas

* **Epsilon Engines** [[paper]][e] - slow <!-- ask Ada -->

* **Zeta Zones** [[paper]](https://arxiv.org/abs/2306.00006)

## Empty

[e]: <https://arxiv.org/abs/2305.00005> 'Epsilon'
"""
ROWS = {
    "2301.00001": "| [Alpha Attention](https://arxiv.org/abs/2301.00001) | ✅ | *twice* |\n",
    "2302.00002": '| [Beta Batching](https://arxiv.org/abs/2302.00002 "v1") | | asked by Kim |\n',
    "2303.00003": "| [Gamma Gates](https://arxiv.org/abs/2303.00003) | ✅ |  |\n",
    "2304.00004": "* **Delta Disks** [[paper]](https://arxiv.org/abs/2304.00004) - fast\n"
    "  * so many ideas\n\n",
    "2305.00005": "* **Epsilon Engines** [[paper]][e] - slow <!-- ask Ada -->\n\n",
    "2306.00006": "* **Zeta Zones** [[paper]](https://arxiv.org/abs/2306.00006)\n\n",
}
DEFINITION = "[e]: <https://arxiv.org/abs/2305.00005> 'Epsilon'\n"
BETA, EPSILON = "2302.00002", "2305.00005"


def category_of(reference: str) -> tuple[str]:
    return ("Serving",) if reference < "2304" else ("Systems",)


@pytest.fixture
def desk(new_desk: NewDesk) -> Desk:
    desk = new_desk(LIST)
    assert desk.import_readme().papers_new == len(ROWS)
    return desk


def delete(desk: Desk, *references: str, more: str = "") -> None:
    """Delete rows by hand, and import."""
    text = desk.read().replace(more, "")
    for reference in references:
        assert ROWS[reference] in text
        text = text.replace(ROWS[reference], "")
    desk.write(text)
    assert len(desk.import_readme().deleted) == len(references)


def by_id(desk: Desk, reference: str) -> None:
    add_references(desk.store, [reference])


def into_its_category(desk: Desk, reference: str) -> None:
    add_references(desk.store, [reference], category=category_of(reference))


def by_moving(desk: Desk, reference: str) -> None:
    move_papers(desk.store, [desk.id(reference)], category_of(reference))


def beside_others(desk: Desk, reference: str) -> None:
    move_papers(desk.store, [desk.id(reference)], category_of(reference), is_added=True)


ROADS = [by_id, into_its_category, by_moving, beside_others]


@pytest.mark.parametrize(
    ("reference", "road", "line_end"),
    [
        *((reference, by_id, "\n") for reference in ROWS),
        *((reference, road, "\n") for reference in (BETA, EPSILON) for road in ROADS[1:]),
        *((reference, by_id, "\r\n") for reference in (BETA, EPSILON)),
    ],
)
def test_a_deleted_entry_comes_back_as_it_was_and_where_it_was(
    new_desk: NewDesk, reference: str, road: Callable[[Desk, str], None], line_end: str
) -> None:
    readme = LIST.replace("\n", line_end)
    desk = new_desk(readme)
    desk.import_readme()
    desk.write(readme.replace(ROWS[reference].replace("\n", line_end), ""))
    desk.import_readme()
    assert not desk.export().has_changes
    road(desk, reference)
    desk.export()
    assert desk.read() == readme
    assert not desk.import_readme().has_changes
    assert not desk.export().has_changes


def test_all_that_was_deleted_comes_back_in_any_order(desk: Desk) -> None:
    delete(desk, *ROWS, more=DEFINITION)
    for reference in (*list(ROWS)[::2], *list(ROWS)[1::2]):
        by_id(desk, reference)
        desk.export()
    assert desk.read() == LIST


def test_it_brings_its_definition_along(desk: Desk) -> None:
    delete(desk, EPSILON, more=DEFINITION)
    assert "Epsilon" not in desk.read()
    by_id(desk, EPSILON)
    desk.export()
    assert desk.read() == LIST


def test_it_says_what_changed_since_in_its_own_words(desk: Desk) -> None:
    delete(desk, BETA)
    mark_pass(desk.store, [desk.id(BETA)], 1)
    desk.edit(BETA, "title=Beta Batched")
    by_id(desk, BETA)
    desk.export()
    assert desk.read() == LIST.replace("[Beta Batching]", "[Beta Batched]").replace(
        '"v1") | | asked', '"v1") | ✅ | asked'
    )


def test_it_stands_beside_what_is_left_of_its_old_neighbours(desk: Desk) -> None:
    delete(desk, BETA)
    desk.replace(ROWS["2301.00001"], "")
    new = "| [Eta Edges](https://arxiv.org/abs/2307.00007) | | |\n"
    desk.replace("## Systems", "Some words.\n\n## Systems")
    desk.replace(ROWS["2303.00003"], ROWS["2303.00003"] + new)
    desk.import_readme()
    by_id(desk, BETA)
    desk.export()
    assert ROWS[BETA] + ROWS["2303.00003"] + new in desk.read()


def test_one_whose_paper_was_removed_comes_back_when_it_is_added_anew(desk: Desk) -> None:
    delete(desk, EPSILON, more=DEFINITION)
    remove_papers(desk.store, [desk.id(EPSILON)])
    assert not desk.export().has_changes
    into_its_category(desk, EPSILON)
    desk.export()
    assert desk.read() == LIST


def test_one_deleted_in_one_of_its_sections_comes_back_there(new_desk: NewDesk) -> None:
    twice = LIST.replace("6**", "7**").replace(
        "## Empty\n", f"## Empty\n\n* old words: {ROWS[EPSILON][2:]}"
    )
    desk = new_desk(twice)
    desk.import_readme()
    desk.replace(ROWS[EPSILON], "")
    desk.import_readme()
    assert desk.paper(EPSILON).categories == (("Empty",),)
    assert not desk.export().has_changes
    beside_others(desk, EPSILON)
    desk.export()
    assert desk.read() == twice


def test_a_further_row_of_a_section_stays_away(new_desk: NewDesk) -> None:
    again = f"* once more: {ROWS[EPSILON][2:]}"
    desk = new_desk(LIST.replace(ROWS[EPSILON], ROWS[EPSILON] + again))
    desk.import_readme()
    desk.replace(again, "")
    desk.import_readme()
    assert not desk.export().has_changes


def test_a_table_with_other_columns_gets_a_fresh_row(desk: Desk) -> None:
    delete(desk, BETA)
    text = desk.read().replace(
        "| Paper | Read | Remark |\n| --- | --- | --- |", "| Paper |\n| --- |"
    )
    for reference in ("2301.00001", "2303.00003"):
        row = ROWS[reference]
        text = text.replace(row, row[: row.index(")") + 1] + " |\n")
    desk.write(text)
    desk.import_readme()
    by_id(desk, BETA)
    desk.export()
    assert "\n| [Beta Batching](https://arxiv.org/abs/2302.00002) |\n" in desk.read()


def test_undone_it_goes_again_and_done_again_comes_back(desk: Desk) -> None:
    delete(desk, BETA)
    without = desk.read()
    by_id(desk, BETA)
    desk.export()
    desk.undo()
    assert desk.read() == without
    assert not desk.import_readme().has_changes
    desk.redo()
    assert desk.read() == LIST


def test_what_was_deleted_stays_away_whatever_else_is_done_to_its_paper(desk: Desk) -> None:
    delete(desk, BETA)
    without = desk.read()
    mark_pass(desk.store, [desk.id(BETA)], 2)
    add_references(desk.store, [BETA], decision="inbox")
    add_references(desk.store, [EPSILON], category=("Systems",))
    desk.export()
    assert desk.read() == without


def test_a_renamed_section_gets_it_back_too(desk: Desk) -> None:
    delete(desk, BETA)
    desk.replace("## Serving", "## Inference")
    desk.import_readme()
    by_id(desk, BETA)
    desk.export()
    assert desk.read() == LIST.replace("## Serving", "## Inference")


@pytest.mark.parametrize("blanks", [("\n", "  \n"), ("  \n", "\n")])
def test_blank_lines_of_two_kinds_stay_where_they_were(
    new_desk: NewDesk, blanks: tuple[str, str]
) -> None:
    before, after = blanks
    zeta = ROWS["2306.00006"].strip()
    readme = LIST.replace(f"-->\n\n{zeta}", f"-->\n{after}{zeta}")
    readme = readme.replace(f"ideas\n\n{ROWS[EPSILON][:9]}", f"ideas\n{before}{ROWS[EPSILON][:9]}")
    desk = new_desk(readme)
    desk.import_readme()
    desk.replace(before + ROWS[EPSILON][:-1], "")
    desk.import_readme()
    by_id(desk, EPSILON)
    desk.export()
    assert desk.read() == readme


def test_what_several_refer_to_comes_back_with_the_first_of_them(new_desk: NewDesk) -> None:
    zeta = ROWS["2306.00006"]
    linked = zeta.replace("\n\n", " [[code]][c]\n\n")
    epsilon = ROWS[EPSILON].replace("][e]", "][e] [[code]][c]")
    shared = "[c]: https://github.com/both/code\n"
    readme = LIST.replace(zeta, linked).replace(ROWS[EPSILON], epsilon) + shared
    desk = new_desk(readme)
    desk.import_readme()
    desk.write(readme.replace(linked, "").replace(epsilon, "").replace(shared, ""))
    desk.import_readme()
    by_id(desk, "2306.00006")
    desk.export()
    assert linked.strip() in desk.read()
    assert shared in desk.read()
    by_id(desk, EPSILON)
    desk.export()
    assert desk.read() == readme


def test_an_import_after_a_deletion_reads_no_more_than_after_an_edit(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = mock.Mock(wraps=document._document)
    monkeypatch.setattr(document, "_document", read)
    desk.replace("asked by", "told by")
    desk.replace("fast", "faster")
    desk.import_readme()
    assert read.call_count == 1
    delete(desk, EPSILON, more=DEFINITION)
    assert read.call_count == 2


PASTED = """\
# List

## Serving

| Paper | arXiv | Code |
| --- | --- | --- |
| Alpha Attention for Long Contexts | [2301.00001](https://arxiv.org/abs/2301.00001) | [code](https://github.com/a/alpha) |
| Gamma Gates in Deep Networks | [2303.00003](https://arxiv.org/abs/2303.00003) | [code](https://github.com/a/gamma) |

## Systems

| Paper | arXiv | Code |
| --- | --- | --- |
| Beta Batching of Small Requests | [2301.00001](https://arxiv.org/abs/2301.00001) | |
| Delta Disks Under Heavy Load | [2304.00004](https://arxiv.org/abs/2304.00004) | |
"""  # noqa: E501


def test_a_new_row_leaves_alone_one_that_has_its_identifier_by_mistake(new_desk: NewDesk) -> None:
    desk = new_desk(PASTED)
    assert desk.import_readme().papers_new == 4
    move_papers(desk.store, [desk.id("2301.00001")], ("Systems",), is_added=True)
    desk.export()
    text = desk.read()
    assert all(line in text.splitlines() for line in PASTED.splitlines())
    assert text.count("github.com/a/alpha") == 2


def test_a_row_that_the_curator_moved_by_hand_is_not_written_where_it_was(
    new_desk: NewDesk,
) -> None:
    row = "- [A List of Papers on Ropes](https://example.org/ropes)\n"
    table = "| Paper | Read |\n| --- | --- |\n| [Masts](https://arxiv.org/abs/2301.00009) | ✅ |\n"
    desk = new_desk(f"# Papers\n\n{row}")
    desk.import_readme()
    desk.export()
    moved = f"# Papers\n\n## Masts\n\n{table}\n## More\n\n{row}"
    desk.write(moved)
    desk.import_readme()
    assert not desk.export().has_changes
    assert desk.read() == moved
