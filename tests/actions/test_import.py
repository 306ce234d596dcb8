"""Importing a README, for the first time and again after it was edited by hand."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.documents import import_file
from papertrack.actions.organise import merge_two_papers, move_papers, remove_papers
from papertrack.actions.reading import mark_pass, set_decision
from papertrack.records import Identifier, Link
from papertrack.store.lookup import documents_of
from papertrack.store.papers import edit_paper
from papertrack.store.store import Store
from tests.actions.conftest import CHUNKED, DRAFT, ORCA, PAGED, README, Desk

NewDesk = Callable[[str], Desk]


def test_a_readme_becomes_papers(desk: Desk) -> None:
    assert [
        (paper.facts.title, paper.categories, paper.passes_done, paper.facts.submitted)
        for paper in desk.papers()
    ] == [
        ("Orca-like Batching", (("Serving",),), 1, "2022-07"),
        ("Paged Memory for Serving", (("Serving",),), 3, "2023-09"),
        ("Chunked Prefills", (("Serving",),), 0, "2024-03"),
        ("Drafting Ahead", (("Speculation",),), 2, "2022-11"),
    ]
    paged = desk.paper(PAGED)
    assert paged.facts.identifiers == (Identifier("arxiv", PAGED),)
    assert paged.facts.links == (
        Link("paper", f"https://arxiv.org/abs/{PAGED}", "Paged Memory for Serving"),
        Link("code", "https://github.com/example/paged", "paged"),
    )
    assert (paged.decision, paged.citekey) == ("saved", "paged2023memory")
    assert paged.notes == desk.paper(CHUNKED).notes == ("notes/serving.md",)
    assert documents_of(desk.store, paged.id) == ["README.md"]


def test_importing_twice_changes_nothing(desk: Desk) -> None:
    def rows() -> list[list[tuple[object, ...]]]:
        tables = ("papers", "links", "entries", "documents", "actions", "changes")
        execute = desk.store.connection.execute
        return [execute(f"SELECT * FROM {table}").fetchall() for table in tables]

    before = rows()
    desk.import_readme()
    assert rows() == before


def test_the_same_paper_in_two_sections_is_one_paper(new_desk: NewDesk) -> None:
    desk = new_desk(
        "## A\n\n- [x] [One Paper Here](https://arxiv.org/abs/2401.00001)\n\n"
        "## B\n\n- [ ] [One Paper](https://arxiv.org/pdf/2401.00001v2)\n"
    )
    report = desk.import_readme()
    (paper,) = desk.papers()
    assert (report.papers_new, report.entries) == (1, 2)
    assert (paper.categories, paper.passes_done) == ((("A",), ("B",)), 1)


def test_a_preprint_and_its_publication_are_found_by_their_title(new_desk: NewDesk) -> None:
    desk = new_desk(
        "## A\n\n- [Pages and Tables](https://arxiv.org/abs/2401.00001)\n\n"
        "## B\n\n- [Pages and **Tables**](https://doi.org/10.1145/1111111.2222222)\n"
    )
    desk.import_readme()
    (paper,) = desk.papers()
    assert {i.scheme for i in paper.facts.identifiers} == {"arxiv", "doi"}


@pytest.mark.parametrize(("title", "papers"), [("Sharing Pages", 1), ("Shared Pages", 2)])
def test_a_title_tells_which_paper_it_is_from_twelve_letters_on(
    new_desk: NewDesk, title: str, papers: int
) -> None:
    desk = new_desk(
        f"## A\n\n- [{title}](https://arxiv.org/abs/2401.00001)\n"
        f"- [{title}](https://doi.org/10.1145/1111111.2222222)\n"
    )
    assert desk.import_readme().papers_new == papers


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("[Scaling Laws Explained](https://a.org/1)", "[Scaling Laws Explained](https://b.org/2)"),
        ("[Roadmap](./a/README.md)", "[Roadmap](./b/README.md)"),
    ],
)
def test_a_common_title_makes_no_one_paper_of_two(
    new_desk: NewDesk, first: str, second: str
) -> None:
    desk = new_desk(f"## A\n\n- {first}\n- {second}\n")
    assert desk.import_readme().papers_new == 2


def test_identifiers_of_two_papers_in_one_entry_are_a_conflict_not_a_guess(
    new_desk: NewDesk,
) -> None:
    desk = new_desk(
        "## A\n\n"
        "- [First Paper](https://arxiv.org/abs/2401.00001)\n"
        "- [Second Paper](https://openreview.net/forum?id=abcdef12345)\n"
        "- [First Paper](https://arxiv.org/abs/2401.00001) "
        "[[paper]](https://openreview.net/forum?id=abcdef12345)\n"
    )
    report = desk.import_readme()
    (conflict,) = report.conflicts
    assert (conflict.field, conflict.line) == ("identifiers", 5)
    assert conflict.library_value == [paper.citekey for paper in desk.papers()]
    assert len(desk.papers()) == 2


def test_what_the_library_knows_better_stays(desk: Desk, tmp_path: Path) -> None:
    with desk.store.action("enrich"):
        edit_paper(desk.store, desk.id(PAGED), "title", "Paged: The Real Title", source="arxiv")
    mark_pass(desk.store, [desk.id(ORCA)], 3)
    other = tmp_path / "other.md"
    other.write_text(
        f"## Other\n\n- [x] [Paged](https://arxiv.org/abs/{PAGED})\n"
        f"- [ ] [Orca](https://arxiv.org/abs/{ORCA})\n"
    )
    report = import_file(desk.store, desk.library, other)
    assert report.file == other.as_posix()
    assert desk.paper(PAGED).facts.title == "Paged: The Real Title"
    assert desk.paper(ORCA).passes_done == 3
    assert desk.paper(PAGED).categories == (("Other",), ("Serving",))


def test_a_paper_from_the_inbox_is_saved_by_a_readme_that_lists_it(new_desk: NewDesk) -> None:
    desk = new_desk(README)
    add_references(desk.store, [PAGED], decision="inbox")
    desk.import_readme()
    paper = desk.paper(PAGED)
    assert (paper.decision, paper.facts.title) == ("saved", "Paged Memory for Serving")


# What an edit of the file does to the library.


def test_a_dated_pass_taken_back_by_the_file_is_told(desk: Desk) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 2, at="2026-01-05")
    desk.export()
    desk.replace("[<u>link</u>][3] | ✅ ✅ |", "[<u>link</u>][3] | ✅ |")
    (taken,) = desk.import_readme().taken_back
    assert (taken.citekey, taken.reading.pass_number) == ("chunked2024prefills", 2)
    assert taken.reading.at is not None
    assert taken.reading.at.startswith("2026-01-05")
    desk.store.undo()
    assert desk.paper(CHUNKED).passes_done == 2


@pytest.mark.parametrize("known", [{"minutes": 40}, {"takeaway": "Chunks hide the bubbles."}])
def test_a_mark_taken_from_the_file_takes_no_thoughts_along_unasked(
    desk: Desk, known: dict[str, object]
) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 2, **known)  # type: ignore[arg-type]
    desk.export()
    desk.replace("[<u>link</u>][3] | ✅ ✅ |", "[<u>link</u>][3] | ✅ |")
    lowered = desk.read()
    for _ in range(2):
        report = desk.import_readme()
        (conflict,) = report.conflicts
        assert (conflict.base, conflict.file_value, conflict.library_value) == (2, 1, 2)
        assert report.taken_back == ()
        assert not desk.export().has_changes
    assert desk.import_readme(prefer="library").conflicts == ()
    desk.export()
    assert "[<u>link</u>][3] | ✅ ✅ |" in desk.read()
    desk.write(lowered)
    (taken,) = desk.import_readme(prefer="file").taken_back
    assert (taken.reading.minutes, taken.reading.takeaway) == (
        known.get("minutes"),
        known.get("takeaway"),
    )
    assert desk.paper(CHUNKED).passes_done == 1
    assert not desk.import_readme().has_changes


def test_renumbered_link_definitions_change_nothing(desk: Desk) -> None:
    text = desk.read()
    for number in (1, 2, 3):
        text = text.replace(f"][{number}]", f"][10{number}]").replace(
            f"\n[{number}]:", f"\n[10{number}]:"
        )
    desk.write(text)
    assert not desk.import_readme().has_changes


def test_a_column_inserted_in_every_table_changes_no_paper(desk: Desk) -> None:
    lines = []
    for line in desk.read().splitlines():
        if line.startswith("| Title"):
            line = line.replace("| Title |", "| Title | Venue |")
        elif line.startswith("| :----"):
            line = line.replace("| :---- |", "| :---- | :---- |", 1)
        elif line.startswith("| [<u>") and "[<u>Title" not in line:
            line = line.replace(" | 20", " | | 20", 1)
        lines.append(line)
    desk.write("\n".join(lines) + "\n")
    before = desk.papers()
    desk.import_readme()
    assert desk.papers() == before


def test_a_corrected_identifier_replaces_the_wrong_one(desk: Desk) -> None:
    desk.replace(f"/{CHUNKED}", "/2404.77777")
    desk.import_readme()
    paper = desk.paper("2404.77777")
    assert paper.facts.identifiers == (Identifier("arxiv", "2404.77777"),)
    assert paper.facts.submitted == "2024-04"
    assert len(desk.papers()) == 4


def test_a_title_corrected_in_the_file_is_taken_unless_a_source_knows_better(desk: Desk) -> None:
    with desk.store.action("enrich"):
        edit_paper(desk.store, desk.id(ORCA), "title", "Orca: The Real Title", source="arxiv")
    desk.write(desk.read().replace("Chunked Prefills", "Chunked Prefill"))
    desk.write(desk.read().replace("Orca-like Batching", "Orca-like Batches"))
    desk.import_readme()
    assert desk.paper(CHUNKED).facts.title == "Chunked Prefill"
    assert desk.paper(ORCA).facts.title == "Orca: The Real Title"


# Entries that are gone.


def without_row(text: str, title: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if f"{title}</u>]" not in line)


@pytest.mark.parametrize(
    ("old", "new"),
    [("| 2023/09 |", "| 2024/05 |"), ("<u>Paged Memory for Serving", "<u>Paged Memory")],
)
def test_a_date_or_title_corrected_in_the_file_is_not_taken_back_by_the_export(
    desk: Desk, old: str, new: str
) -> None:
    desk.replace(old, new)
    edited = desk.read()
    desk.import_readme()
    assert not desk.export().has_changes
    assert desk.read() == edited


def test_two_rows_for_one_work_keep_their_own_titles_when_they_change_places(
    new_desk: NewDesk,
) -> None:
    first = f"| [A Survey](https://arxiv.org/abs/{PAGED}) | 2023/09 | |\n"
    second = f"| [The Same by Mistake](https://arxiv.org/abs/{PAGED}) | 2023/10 | ✅ |\n"
    head = "## C\n\n| Title | Date | Read |\n|--|--|--|\n"
    desk = new_desk(head + first + second)
    desk.import_readme()
    desk.write(head + second + first)
    assert not desk.import_readme().has_changes
    assert not desk.export().has_changes
    desk.replace("The Same by Mistake", "A New Name")
    desk.import_readme()
    assert not desk.export().has_changes


def test_a_deleted_row_unlinks_its_paper(desk: Desk) -> None:
    desk.write(without_row(README, "Chunked Prefills"))
    assert desk.import_readme().deleted == ("chunked2024prefills",)
    assert desk.paper(CHUNKED).categories == (("Serving",),)
    assert desk.import_readme().deleted == ()
    assert not desk.export().has_changes


def test_a_deleted_row_of_a_paper_that_was_moved_meanwhile_stays_deleted(desk: Desk) -> None:
    move_papers(desk.store, [desk.id(CHUNKED)], ("Speculation",))
    desk.write(without_row(README, "Chunked Prefills"))
    assert desk.import_readme().deleted == ("chunked2024prefills",)
    assert not desk.export().has_changes
    move_papers(desk.store, [desk.id(CHUNKED)], ("Empty So Far",))
    assert desk.export().lines_added


def test_a_deleted_row_can_discard_its_paper(desk: Desk) -> None:
    desk.write(without_row(README, "Chunked Prefills"))
    desk.import_readme(on_deleted="discard")
    paper = desk.paper(CHUNKED)
    assert (paper.decision, paper.decision_reason) == ("discarded", "deleted from README.md")
    assert not desk.export().has_changes


def test_a_deleted_row_can_be_put_back(desk: Desk) -> None:
    desk.write(without_row(README, "Paged Memory for Serving"))
    desk.import_readme(on_deleted="put-back")
    desk.export()
    assert desk.read() == README
    assert not desk.import_readme().has_changes


def test_a_row_deleted_with_its_definitions_is_written_anew(desk: Desk) -> None:
    text = without_row(README, "Chunked Prefills")
    desk.write(text.replace(f"[16]: https://arxiv.org/abs/{CHUNKED}\n", ""))
    desk.import_readme(on_deleted="put-back")
    desk.export()
    assert "[<u>Chunked Prefills</u>]" in desk.read()
    assert f"]: https://arxiv.org/abs/{CHUNKED}\n" in desk.read()
    assert desk.read().index("Chunked Prefills</u>") < desk.read().index("## Speculation")
    assert not desk.import_readme().has_changes


def test_a_row_that_comes_back_is_the_same_paper(desk: Desk) -> None:
    paper = desk.id(CHUNKED)
    desk.write(without_row(README, "Chunked Prefills"))
    desk.import_readme()
    desk.write(README)
    report = desk.import_readme()
    assert (report.papers_new, report.deleted, desk.id(CHUNKED)) == (0, (), paper)
    assert not desk.export().has_changes


def test_a_table_moved_to_another_file_moves_its_papers(desk: Desk, tmp_path: Path) -> None:
    start, end = README.index("## Speculation"), README.index("## Empty So Far")
    table, definitions = README[start:end], README[README.index("<!-- Links") :]
    other = desk.library.root / "speculation.md"
    other.write_text(table.replace("## Speculation", "## Drafts") + definitions)
    desk.write(README[:start] + README[end:])
    before = len(desk.papers())
    import_file(desk.store, desk.library, other)
    report = desk.import_readme()
    assert (len(desk.papers()), report.deleted) == (before, ())
    paper = desk.paper(DRAFT)
    assert (paper.categories, paper.passes_done) == ((("Drafts",),), 2)
    assert documents_of(desk.store, paper.id) == ["speculation.md"]


def test_a_table_moved_and_imported_in_the_other_order_comes_to_the_same(desk: Desk) -> None:
    start, end = README.index("## Speculation"), README.index("## Empty So Far")
    other = desk.library.root / "speculation.md"
    other.write_text(
        README[start:end].replace("## Speculation", "## Drafts")
        + README[README.index("<!-- Links") :]
    )
    desk.write(README[:start] + README[end:])
    desk.import_readme()
    import_file(desk.store, desk.library, other)
    assert desk.paper(DRAFT).categories == (("Drafts",),)


# Both sides changed.


@pytest.mark.parametrize(("prefer", "passes"), [("file", 1), ("library", 3)])
def test_the_reader_s_preference_ends_a_conflict(desk: Desk, prefer: str, passes: int) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 3)
    desk.replace("[<u>link</u>][3] | |", "[<u>link</u>][3] | ✅ |")
    assert desk.import_readme(prefer=prefer).conflicts == ()
    assert desk.paper(CHUNKED).passes_done == passes
    desk.export()
    assert f"[<u>link</u>][3] | {' '.join(passes * '✅')} |\n" in desk.read()
    assert not desk.import_readme().has_changes
    assert not desk.export().has_changes


def test_each_conflict_can_be_decided_by_itself(desk: Desk) -> None:
    desk.edit(CHUNKED, "title=Chunks")
    mark_pass(desk.store, [desk.id(CHUNKED)], 3)
    desk.replace("[<u>link</u>][3] | |", "[<u>link</u>][3] | ✅ |")
    desk.replace("[<u>Chunked Prefills</u>]", "[<u>Prefill Chunks</u>]")
    report = desk.import_readme(
        prefer=lambda conflict: "file" if conflict.field == "title" else None
    )
    assert [conflict.field for conflict in report.conflicts] == ["passes"]
    assert desk.paper(CHUNKED).facts.title == "Prefill Chunks"


def test_a_paper_moved_both_ways_is_a_conflict(desk: Desk) -> None:
    move_papers(desk.store, [desk.id(CHUNKED)], ("Speculation",))
    row = next(line for line in README.splitlines(keepends=True) if "Chunked Prefills</u>" in line)
    desk.replace(row, "")
    desk.replace("| :--- |\n\n<!-- Links", "| :--- |\n" + row + "\n<!-- Links")
    (conflict,) = desk.import_readme().conflicts
    assert (conflict.field, conflict.base) == ("category", ["Serving"])
    assert (conflict.file_value, conflict.library_value) == (["Empty So Far"], [["Speculation"]])
    desk.import_readme(prefer="file")
    assert desk.paper(CHUNKED).categories == (("Empty So Far",),)
    assert not desk.export().has_changes


def test_a_removed_paper_stays_removed_unless_its_row_changed(desk: Desk) -> None:
    remove_papers(desk.store, [desk.id(CHUNKED)])
    assert desk.import_readme().papers_new == 0
    desk.replace("[<u>link</u>][3] | |", "[<u>link</u>][3] | ✅ |")
    (conflict,) = desk.import_readme().conflicts
    assert (conflict.field, conflict.library_value) == ("paper", None)
    assert desk.import_readme(prefer="file").papers_new == 1
    assert desk.paper(CHUNKED).passes_done == 1


def test_a_row_of_a_removed_paper_that_was_added_again_is_that_paper_s(desk: Desk) -> None:
    remove_papers(desk.store, [desk.id(CHUNKED)])
    add_references(desk.store, [CHUNKED])
    assert desk.import_readme().conflicts == ()
    assert not desk.export().has_changes
    assert desk.paper(CHUNKED).facts.title == "Chunked Prefills"


def test_two_rows_of_a_merged_paper_stay_two_rows(desk: Desk) -> None:
    merge_two_papers(desk.store, desk.id(PAGED), desk.id(DRAFT))
    report = desk.import_readme()
    assert (report.papers_new, report.conflicts, len(desk.papers())) == (0, (), 3)


# Files that are not what they should be.


def test_mis_decoded_text_is_reported_and_repaired_only_when_asked(new_desk: NewDesk) -> None:
    text = "## Papers\n\n- [Café Serving Systems](https://example.org/a) naïve\n"
    damaged = text.encode().decode("cp1252")
    desk = new_desk(damaged)
    with desk.store.trial():
        report = desk.import_readme()
    assert [skipped.line for skipped in report.skipped] == [3]
    report = desk.import_readme(repair_encoding=True)
    assert (report.skipped, report.is_registered) == ((), False)
    assert [paper.facts.title for paper in desk.papers()] == ["Café Serving Systems"]
    assert desk.read() == damaged
    assert not desk.import_readme(repair_encoding=True).has_changes


def test_discarded_papers_stay_discarded_when_imported_again(desk: Desk) -> None:
    set_decision(desk.store, [desk.id(PAGED)], "discarded")
    desk.replace("✅ ✅ ✅ |", "✅ |")
    desk.import_readme()
    assert (desk.paper(PAGED).decision, desk.paper(PAGED).passes_done) == ("discarded", 1)


def test_undo_of_an_import_leaves_a_category_that_others_are_in_by_now(desk: Desk) -> None:
    (imported,) = desk.store.connection.execute("SELECT max(id) FROM actions").fetchone()
    add_references(desk.store, ["2401.00001"], category=("Speculation",))
    desk.store.undo(imported)
    assert desk.paper("2401.00001").categories == (("Speculation",),)
    assert len(desk.papers()) == 1
    desk.store.redo()
    assert desk.paper(DRAFT).categories == (("Speculation",),)
    assert desk.paper(PAGED).categories == (("Serving",),)


def test_an_import_that_waits_for_an_export_reads_what_it_wrote(desk: Desk) -> None:
    """Read before the wait, the file would seem to say that the pass was taken back."""
    waiting = Event()

    def now() -> datetime:
        return datetime(2026, 3, 2, tzinfo=UTC)

    def import_meanwhile() -> int:
        with Store.open(desk.store.path, now=now) as store:
            # SQLite calls this for each statement; the first BEGIN is where the import waits.
            store.connection.set_trace_callback(
                lambda sql: waiting.set() if sql.startswith("BEGIN") else None
            )
            return import_file(store, desk.library, desk.readme).papers_changed

    with ThreadPoolExecutor() as pool:
        with desk.store.action("export"):
            mark_pass(desk.store, [desk.id(CHUNKED)], 1)
            changed = pool.submit(import_meanwhile)
            assert waiting.wait(timeout=600)
            desk.export()
        assert changed.result() == 0
    assert desk.paper(CHUNKED).passes_done == 1
