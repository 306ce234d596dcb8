"""Which entries are one work: identifiers accumulate, and a shared address is none."""

from collections.abc import Callable

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.duplicates import find_duplicates
from papertrack.actions.organise import move_papers, remove_papers
from papertrack.actions.reading import mark_pass
from papertrack.actions.undo import undo
from papertrack.errors import ConflictError
from papertrack.records import Identifier, PaperFacts
from papertrack.store.papers import add_paper, complete_paper, merge_papers
from papertrack.store.store import Store
from tests.actions.conftest import Desk

NewDesk = Callable[[str], Desk]

PAGE = "https://conf.example/2025/accepted.html"
ARXIV = "https://arxiv.org/abs/2401.00001"
DOI = "https://doi.org/10.1145/1234567.1234568"
ACCEPTED = f"""# Talks

## Systems

- [Scheduling Tasks Without a Clock]({PAGE})
- [A Memory That Forgets on Purpose]({PAGE})
- [Queues]({PAGE})

## Theory

- [Bounds for the Impatient]({PAGE})
"""
TITLES = [
    "Scheduling Tasks Without a Clock",
    "A Memory That Forgets on Purpose",
    "Queues",
    "Bounds for the Impatient",
]


def imported(new_desk: NewDesk, text: str) -> Desk:
    desk = new_desk(text)
    desk.import_readme()
    return desk


def titles(desk: Desk) -> list[str | None]:
    return [paper.facts.title for paper in desk.papers()]


def identifiers(desk: Desk, reference: str) -> set[str]:
    return {f"{i.scheme}:{i.value}" for i in desk.paper(reference).facts.identifiers}


def as_told_by_arxiv(store: Store, paper_id: int, title: str) -> None:
    with store.action("enrich"):
        facts = PaperFacts(title=title, abstract="We look into it.")
        complete_paper(store, paper_id, facts, source="arxiv")


def test_works_with_one_address_stay_apart_and_keep_the_link(new_desk: NewDesk) -> None:
    desk = imported(new_desk, ACCEPTED)
    assert titles(desk) == TITLES
    assert all(paper.facts.identifiers == () for paper in desk.papers())
    assert all([link.url for link in paper.facts.links] == [PAGE] for paper in desk.papers())
    assert desk.import_readme().papers_changed == 0
    assert not desk.export().has_changes


def test_removing_one_of_them_removes_its_line_only(new_desk: NewDesk) -> None:
    desk = imported(new_desk, ACCEPTED)
    remove_papers(desk.store, [desk.id(TITLES[1])])
    desk.export()
    assert desk.read() == ACCEPTED.replace(f"- [{TITLES[1]}]({PAGE})\n", "")
    assert not desk.export().has_changes
    undo(desk.store, desk.library)
    desk.export()
    assert desk.read() == ACCEPTED
    assert desk.import_readme().papers_new == 0


def test_the_second_work_at_an_address_takes_it_from_the_first(new_desk: NewDesk) -> None:
    desk = imported(new_desk, f"# L\n\n- [{TITLES[0]}]({PAGE})\n")
    assert identifiers(desk, TITLES[0]) == {f"url:{PAGE}"}
    mark_pass(desk.store, [desk.id(TITLES[0])], 1)
    desk.write(f"# L\n\n- [{TITLES[1]}]({PAGE})\n- [{TITLES[0]}]({PAGE})\n")
    assert desk.import_readme().papers_new == 1
    assert [identifiers(desk, title) for title in TITLES[:2]] == [set(), set()]
    assert [desk.paper(title).passes_done for title in TITLES[:2]] == [1, 0]
    undo(desk.store, desk.library)
    assert identifiers(desk, TITLES[0]) == {f"url:{PAGE}"}


def test_across_files_titles_tell_works_at_one_address(new_desk: NewDesk) -> None:
    desk = imported(new_desk, ACCEPTED)
    other = desk.readme.with_name("other.md")
    other.write_text(f"# M\n\n- [Queues]({PAGE})\n- [Another Talk on Locks]({PAGE})\n")
    desk.readme = other
    assert desk.import_readme().papers_new == 1
    assert titles(desk) == [*TITLES, "Another Talk on Locks"]
    assert all(paper.facts.identifiers == () for paper in desk.papers())


def test_a_title_changed_at_a_shared_address_is_the_same_work(new_desk: NewDesk) -> None:
    desk = imported(new_desk, ACCEPTED)
    mark_pass(desk.store, [desk.id("Queues")], 2)
    desk.replace("[Queues]", "[Lines, and Who Stands in Them]")
    report = desk.import_readme()
    assert (report.papers_new, report.deleted) == (0, ())
    assert desk.paper("Lines, and Who Stands in Them").passes_done == 2


def test_another_work_in_the_place_of_one_at_a_shared_address_is_new(new_desk: NewDesk) -> None:
    rows = [f"- [{title}]({PAGE}), {name}\n" for title, name in zip(TITLES, "ABCD", strict=True)]
    desk = imported(new_desk, "# L\n\n" + "".join(rows))
    desk.replace(rows[1], f"- [Proofs That Nobody Reads]({PAGE}), X\n")
    report = desk.import_readme()
    assert (report.papers_new, len(report.deleted)) == (1, 1)


def test_a_title_changed_at_an_address_of_its_own_is_the_same_work(new_desk: NewDesk) -> None:
    desk = imported(new_desk, f"# L\n\n- [Queues]({PAGE})\n")
    desk.replace("[Queues]", "[Lines, and Who Stands in Them]")
    assert desk.import_readme().papers_new == 0
    assert titles(desk) == ["Lines, and Who Stands in Them"]


def test_a_retitled_work_is_known_by_the_title_of_its_entry(new_desk: NewDesk) -> None:
    desk = imported(new_desk, f"# L\n\n- [Queues]({PAGE})\n")
    desk.edit("Queues", "title=On Queues")
    other = desk.readme.with_name("other.md")
    other.write_text(f"# M\n\n- [Queues]({PAGE})\n")
    desk.readme = other
    assert desk.import_readme().papers_new == 0


def test_an_edited_link_to_a_shared_address_is_no_identifier(new_desk: NewDesk) -> None:
    desk = imported(new_desk, ACCEPTED + "\n- [On Locks](https://locks.example/)\n")
    desk.replace("https://locks.example/", PAGE)
    desk.import_readme()
    assert identifiers(desk, "On Locks") == set()
    assert [link.url for link in desk.paper("On Locks").facts.links] == [PAGE]


def test_an_address_that_its_works_leave_is_one_of_the_work_that_comes(new_desk: NewDesk) -> None:
    """A page moves, another work takes its old address: all in one import, which asks once."""
    desk = imported(new_desk, ACCEPTED + "\n- [On Locks](https://locks.example/)\n")
    moved = desk.read().replace(PAGE, f"{PAGE}?moved")
    desk.write(moved.replace("https://locks.example/", PAGE))
    asked: list[str] = []
    desk.store.connection.set_trace_callback(asked.append)
    desk.import_readme()
    assert identifiers(desk, "On Locks") == {f"url:{PAGE}"}
    assert [identifiers(desk, title) for title in TITLES] == [set()] * 4
    assert sum("WHERE l.url IN" in statement for statement in asked) == 1


def test_works_that_were_joined_can_be_parted(new_desk: NewDesk) -> None:
    one, other = f"- [{TITLES[0]}]({PAGE})\n", f"- [{TITLES[1]}]({PAGE})\n"
    desk = imported(new_desk, f"# L\n\n{one}{other}")
    with desk.store.action("merge"):
        merge_papers(desk.store, desk.id(TITLES[0]), desk.id(TITLES[1]))
    assert desk.import_readme().notices == ()
    desk.replace(other, "")
    desk.import_readme()
    desk.replace(one, one + other)
    report = desk.import_readme()
    assert (report.papers_new, report.notices) == (1, ())
    assert titles(desk) == TITLES[:2]
    remove_papers(desk.store, [desk.id(TITLES[1])])
    desk.export()
    assert desk.read() == f"# L\n\n{one}"


def test_an_identifier_pasted_onto_another_title_parts_the_works_and_is_told_once(
    new_desk: NewDesk,
) -> None:
    desk = imported(new_desk, f"# L\n\n- [Scheduling Tasks Without a Clock]({ARXIV})\n")
    desk.write(desk.read() + f"- [Scheduling Tasks]({ARXIV})\n- [A Memory That Forgets]({ARXIV})\n")
    report = desk.import_readme()
    (notice,) = report.notices
    assert (report.papers_new, notice.line) == (1, 5)
    assert "arxiv identifier of line 3" in notice.reason
    assert desk.import_readme().notices == ()
    clock, memory = desk.papers()
    assert (len(clock.facts.identifiers), memory.facts.identifiers) == (1, ())
    before = desk.read()
    assert not desk.export().has_changes
    mark_pass(desk.store, [memory.id], 1)
    desk.export()
    desk.store.undo()
    remove_papers(desk.store, [memory.id])
    desk.export()
    assert desk.read() == before.replace(f"- [A Memory That Forgets]({ARXIV})\n", "")


def test_the_moved_row_of_a_work_with_a_pasted_identifier_is_not_put_back_for_its_owner(
    new_desk: NewDesk,
) -> None:
    clock = f"- [Scheduling Tasks Without a Clock]({ARXIV})\n"
    desk = imported(
        new_desk,
        f"# L\n\n## A\n\n{clock}- [A Memory That Forgets on Purpose]({ARXIV})\n\n## B\n\n"
        "- [Queues](https://arxiv.org/abs/2401.00002)\n",
    )
    memory = desk.papers()[1].id
    move_papers(desk.store, [memory], ("B",))
    desk.export()
    moved = desk.read()
    assert moved.index("## B") < moved.index("A Memory That Forgets")
    desk.edit("Queues", "title=On Queues")
    desk.export()
    assert desk.read() == moved.replace("[Queues]", "[On Queues]")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("BERTA: Training Deep Models of Language", "BERTA"),
        ("BERTA: Training Deep Models of Language", "The BERTA paper by a lab"),
        ("BERTA: Training Deep Models of Language", "Training Deep Models of Language"),
        ("Training Deep Models of Language", "深度语言模型的训练方法"),
        ("GPX-2: Training Deep Models of Language", "GPX"),
        ("Laws of Scale for Models of Language", "Laws of Scale for Language Models, Revisited"),
    ],
)
def test_a_short_or_other_name_of_a_work_is_no_other_work(
    new_desk: NewDesk, one: str, other: str
) -> None:
    desk = imported(new_desk, f"# L\n\n- [{one}]({ARXIV})\n\n## B\n\n- [{other}]({ARXIV})\n")
    assert len(desk.papers()) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Theory of Small Widgets, Part I", "Theory of Small Widgets, Part II"),
        ("ABC-MAP: Real-Time Maps of Moving Scenes", "XYZ-MAP: Real-Time Maps of Moving Scenes"),
        ("Folding Paper by Learned Plans", "Sorting Mail in the Rain Without Eyes"),
    ],
)
def test_works_that_share_an_identifier_by_mistake_stay_apart(
    new_desk: NewDesk, one: str, other: str
) -> None:
    desk = new_desk(f"# L\n\n- [{one}]({ARXIV})\n- [{other}]({ARXIV})\n")
    (notice,) = desk.import_readme().notices
    assert (notice.line, len(desk.papers())) == (4, 2)
    assert not desk.export().has_changes
    assert not desk.import_readme().has_changes


def test_a_shared_address_names_all_that_are_found_there(new_desk: NewDesk) -> None:
    desk = imported(new_desk, ACCEPTED)
    with pytest.raises(ConflictError, match=r"Several papers have the address .*: schedulingtasks"):
        desk.id(PAGE)
    with pytest.raises(ConflictError):
        add_references(desk.store, [PAGE])


def test_a_shared_address_alone_makes_no_duplicates(new_desk: NewDesk) -> None:
    desk = imported(new_desk, ACCEPTED)
    assert find_duplicates(desk.store) == []


def test_a_published_link_in_place_of_the_preprints_adds_an_identifier(new_desk: NewDesk) -> None:
    desk = imported(new_desk, f"# L\n\n- [Alpha Networks]({ARXIV})\n")
    desk.replace(ARXIV, DOI)
    desk.import_readme()
    both = {"arxiv:2401.00001", "doi:10.1145/1234567.1234568"}
    assert identifiers(desk, "Alpha Networks") == both
    (known,) = add_references(desk.store, [ARXIV])
    assert known.outcome == "known"
    assert not desk.export().has_changes
    undo(desk.store, desk.library)
    assert identifiers(desk, "Alpha Networks") == {"arxiv:2401.00001"}
    desk.import_readme()
    assert identifiers(desk, "Alpha Networks") == both


def test_a_correction_of_a_confirmed_identifier_is_asked_about(new_desk: NewDesk) -> None:
    desk = imported(new_desk, f"# L\n\n- [Alpha Networks]({ARXIV})\n")
    as_told_by_arxiv(desk.store, desk.id(ARXIV), "Alpha networks")
    desk.replace("2401.00001", "2401.00002")
    for _ in range(2):
        (conflict,) = desk.import_readme().conflicts
        assert (conflict.field, conflict.library_value) == ("arxiv", "2401.00001")
        assert conflict.file_value == "2401.00002"
    assert identifiers(desk, "Alpha Networks") == {"arxiv:2401.00001"}
    assert not desk.import_readme(prefer="file").conflicts
    assert identifiers(desk, "Alpha Networks") == {"arxiv:2401.00002"}
    assert not desk.import_readme().conflicts


def test_a_conflict_settled_for_the_library_is_not_asked_about_again(new_desk: NewDesk) -> None:
    desk = imported(new_desk, f"# L\n\n- [Alpha Networks]({ARXIV})\n")
    as_told_by_arxiv(desk.store, desk.id(ARXIV), "Alpha Networks")
    desk.replace("2401.00001", "2401.00002")
    assert not desk.import_readme(prefer="library").conflicts
    assert not desk.import_readme().conflicts
    assert identifiers(desk, "Alpha Networks") == {"arxiv:2401.00001"}


def test_an_identifier_of_a_source_that_a_row_loses_stays_known(new_desk: NewDesk) -> None:
    desk = imported(
        new_desk, f"# L\n\n- [Alpha Networks]({ARXIV}) [code](https://github.com/a/b)\n"
    )
    desk.replace(f"[Alpha Networks]({ARXIV})", "[Alpha Networks](https://alpha.example/)")
    desk.import_readme()
    assert Identifier("arxiv", "2401.00001") in desk.paper("Alpha Networks").facts.identifiers


def test_that_a_short_title_is_not_ascii_proves_nothing(new_desk: NewDesk) -> None:
    text = (
        "# L\n\n- [Deja Vu](https://arxiv.org/abs/2310.17157)\n"
        "- [DéjàVu](https://doi.org/10.1145/1111111.2222222)\n"
        "- [综述](https://arxiv.org/abs/2401.00003)\n"
        "- [综述](https://doi.org/10.1145/3333333.4444444)\n"
        "- [大语言模型推理系统综述](https://arxiv.org/abs/2401.00005)\n"
        "- [大语言模型推理系统综述](https://doi.org/10.1145/5555555.6666666)\n"
    )
    desk = imported(new_desk, text)
    assert titles(desk) == ["Deja Vu", "DéjàVu", "综述", "综述", "大语言模型推理系统综述"]


def test_imports_of_two_curators_versions_keep_both_sides(new_desk: NewDesk) -> None:
    base = f"# L\n\n- [Alpha Networks]({ARXIV})\n"
    ours, theirs = base + f"- [On Queues]({DOI})\n", base + "- [On Locks](https://locks.example/)\n"
    desk = imported(new_desk, ours)
    mark_pass(desk.store, [desk.id("On Queues")], 2)
    desk.write(theirs)
    desk.import_readme()
    assert titles(desk) == ["Alpha Networks", "On Queues", "On Locks"]
    desk.write(ours + theirs.removeprefix(base))
    desk.import_readme()
    assert titles(desk) == ["Alpha Networks", "On Queues", "On Locks"]
    assert desk.paper("On Queues").passes_done == 2


BASICS = """# Notes

## Networks

- [Basic Knowledge](networks/basic.md)
- [Basic Knowledge](networks/more.md)

## Compilers

- [Basic Knowledge](compilers/basic.md)
"""


def test_rows_of_one_short_title_that_lead_to_files_of_their_own_are_several(
    new_desk: NewDesk,
) -> None:
    desk = imported(new_desk, BASICS)
    assert [paper.notes for paper in desk.papers()] == [
        ("networks/basic.md",),
        ("networks/more.md",),
        ("compilers/basic.md",),
    ]
    report = desk.import_readme()
    assert (report.papers_new, report.papers_changed) == (0, 0)


@pytest.mark.parametrize("number", range(3))
def test_removing_one_of_one_short_title_removes_its_line_and_undo_brings_it_back(
    new_desk: NewDesk, number: int
) -> None:
    desk = imported(new_desk, BASICS)
    paper = desk.papers()[number]
    remove_papers(desk.store, [paper.id])
    desk.export()
    assert desk.read() == BASICS.replace(f"- [Basic Knowledge]({paper.notes[0]})\n", "")
    undo(desk.store, desk.library)
    desk.export()
    assert desk.read() == BASICS


def test_deleting_one_of_one_short_title_by_hand_leaves_the_others_what_they_are(
    new_desk: NewDesk,
) -> None:
    desk = imported(new_desk, BASICS)
    desk.replace("- [Basic Knowledge](networks/basic.md)\n", "")
    report = desk.import_readme()
    assert (report.papers_new, report.papers_changed, len(report.deleted)) == (0, 0, 1)
    assert [paper.notes for paper in desk.papers()] == [
        ("networks/basic.md",),
        ("networks/more.md",),
        ("compilers/basic.md",),
    ]


TREES = "Trees of Drafts That Grow Ahead of Time"
TABLE = "# Talks\n\n## Systems\n\n| Title | Date | Read |\n| :--- | :--- | :--- |\n"
ROW = f"| {TREES} | 2023/05 | |\n"


def test_rows_of_one_title_are_the_papers_that_wait_for_them(new_desk: NewDesk) -> None:
    """Other devices added them, and have put them into the list."""
    desk = new_desk(TABLE + ROW * 2)
    with desk.store.action("add"):
        ids = [add_paper(desk.store, PaperFacts(title=TREES), source="reader") for _ in range(2)]
    move_papers(desk.store, ids, ("Systems",))
    desk.import_readme()
    assert [paper.id for paper in desk.papers()] == ids
    desk.export()
    assert desk.read() == TABLE + ROW * 2


def test_a_row_is_not_guessed_to_be_a_paper_that_does_not_wait_for_it(new_desk: NewDesk) -> None:
    desk = new_desk(TABLE + ROW)
    with desk.store.action("add"):
        for _ in range(2):
            add_paper(desk.store, PaperFacts(title=TREES), source="reader")
    desk.import_readme()
    assert len(desk.papers()) == 3


def test_a_field_that_the_reader_emptied_is_not_filled_from_another_list(new_desk: NewDesk) -> None:
    table = "# L\n\n| Title | Venue |\n| --- | --- |\n"
    desk = imported(new_desk, f"{table}| [{TITLES[0]}]({ARXIV}) | SOSP 2023 |\n")
    assert desk.paper(ARXIV).facts.venue == "SOSP 2023"
    desk.edit(ARXIV, "venue=")
    desk.readme = desk.readme.with_name("other.md")
    desk.write(f"{table}| [{TITLES[0]}]({ARXIV}) | OSDI 2024 |\n")
    assert desk.import_readme().papers_new == 0
    assert desk.paper(ARXIV).facts.venue is None
