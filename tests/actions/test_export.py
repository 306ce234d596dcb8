"""Exporting: the lines that must change, and no other byte."""

import difflib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import move_papers, remove_papers
from papertrack.actions.reading import mark_pass, set_decision, set_rating
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.write.edit_types import Add, Edit, Edited, Refusal
from papertrack.errors import NotFoundError
from papertrack.records import Author, PaperFacts
from papertrack.store.papers import complete_paper, edit_paper
from papertrack.sync.markdown import writing
from tests.actions.conftest import CHUNKED, DRAFT, ORCA, PAGED, README, Desk

NewDesk = Callable[[str], Desk]


def changed(desk: Desk, before: str = README) -> list[str]:
    """The lines that went (-) and came (+)."""
    lines = difflib.ndiff(before.splitlines(), desk.read().splitlines())
    return [line for line in lines if line[0] in "+-"]


def new_paper(desk: Desk, title: str, *assignments: str, category: str = "Speculation") -> None:
    add_references(desk.store, ["2402.00001"], category=(category,))
    desk.edit("2402.00001", f"title={title}", *assignments)


def test_one_pass_changes_one_line(desk: Desk) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 2)
    exported = desk.export()
    assert (exported.lines_added, exported.lines_removed) == (1, 1)
    assert changed(desk) == [
        "- | [<u>Chunked Prefills</u>][16] | 2024/03 | [![arXiv][0]][16] | | [<u>link</u>][3] | |",
        "+ | [<u>Chunked Prefills</u>][16] | 2024/03 | [![arXiv][0]][16] | | [<u>link</u>][3] "
        "| ✅ ✅ |",
    ]
    assert not desk.export().has_changes
    assert not desk.import_readme().has_changes


def test_a_new_paper_gets_its_row_in_order_and_its_definition(desk: Desk) -> None:
    new_paper(desk, "Draft Trees")
    desk.export()
    assert changed(desk) == [
        "+ | [<u>Draft Trees</u>][21] | 2024/02 | [![arXiv][0]][21] | | | |",
        "+ <!-- Draft Trees -->",
        "+ [21]: https://arxiv.org/abs/2402.00001",
    ]
    assert not desk.export().has_changes
    assert not desk.import_readme().has_changes
    mark_pass(desk.store, [desk.id("2402.00001")], 1)
    assert (desk.export().lines_added, desk.paper("2402.00001").passes_done) == (1, 1)


def test_undoing_the_adding_takes_row_and_definition_away(desk: Desk) -> None:
    new_paper(desk, "Draft Trees")
    desk.export()
    desk.undo(2)
    assert desk.read() == README


def test_an_empty_table_gets_its_first_row(desk: Desk) -> None:
    new_paper(desk, "Draft Trees", category="Empty So Far")
    desk.export()
    assert len(changed(desk)) == 3
    (imported,) = [paper for paper in desk.papers() if paper.facts.title == "Draft Trees"]
    assert imported.categories == (("Empty So Far",),)
    assert not desk.import_readme().has_changes


@pytest.mark.parametrize("decision", ["inbox", "discarded"])
def test_only_saved_papers_get_rows(desk: Desk, decision: str) -> None:
    new_paper(desk, "Draft Trees")
    set_decision(desk.store, [desk.id("2402.00001")], decision)  # type: ignore[arg-type]
    assert not desk.export().has_changes


def test_a_paper_without_a_title_waits(desk: Desk) -> None:
    add_references(desk.store, ["2402.00001"], category=("Speculation",))
    exported = desk.export()
    assert not exported.has_changes
    (reason,) = exported.refused
    assert "arxiv2402.00001 has no title yet" in reason


def test_a_hostile_title_stays_in_its_cell(desk: Desk) -> None:
    new_paper(desk, "a | b ` c ](x) <script> @you | ✅ ✅ ✅ |")
    desk.export()
    desk.store.undo()
    desk.store.undo()
    desk.store.redo()
    desk.store.redo()
    assert not desk.import_readme().has_changes
    assert desk.paper("2402.00001").passes_done == 0
    assert len([line for line in changed(desk) if line.startswith("+ |")]) == 1


def test_what_a_source_says_rewrites_no_readme(desk: Desk) -> None:
    with desk.store.action("enrich"):
        complete_paper(
            desk.store,
            desk.id(PAGED),
            PaperFacts(
                title="Paged Memory: The Title on arXiv",
                authors=(Author("Ada Lovelace"),),
                submitted="2023-09-12T10:00:00+00:00",
                abstract="About pages.",
                version=2,
            ),
            source="arxiv-api",
        )
    assert not desk.export().has_changes


def test_links_and_notes_set_in_the_library_are_written(desk: Desk) -> None:
    desk.edit(ORCA, "code=https://github.com/example/orca", "note=notes/orca.md")
    desk.export()
    assert [line for line in changed(desk) if line.startswith("+ ")] == [
        "+ | [<u>Orca-like Batching</u>][11] | 2022/07 | [![arXiv][0]][11] "
        "| [<u>orca</u>][12] | [<u>link</u>][13] | ✅ |",
        "+ [12]: https://github.com/example/orca",
        "+ [13]: notes/orca.md",
    ]
    desk.undo()
    assert desk.read() == README


def test_a_moved_paper_s_row_moves(desk: Desk) -> None:
    row = next(line for line in README.splitlines() if "Chunked Prefills</u>" in line)
    move_papers(desk.store, [desk.id(CHUNKED)], ("Speculation",))
    desk.export()
    assert changed(desk) == [f"- {row}", f"+ {row}"]
    assert desk.read().index(row) > desk.read().index("## Speculation")
    assert not desk.export().has_changes
    assert not desk.import_readme().has_changes
    desk.undo()
    assert desk.read() == README


def test_a_paper_put_in_one_more_category_gets_one_more_row(desk: Desk) -> None:
    move_papers(desk.store, [desk.id(CHUNKED)], ("Speculation",), is_added=True)
    desk.export()
    assert desk.read().count("Chunked Prefills</u>]") == 2
    assert not desk.import_readme().has_changes
    desk.undo()
    assert desk.read().count("Chunked Prefills</u>]") == 1


def test_a_category_that_no_document_has_leaves_the_row_and_says_so(desk: Desk) -> None:
    move_papers(desk.store, [desk.id(CHUNKED)], ("Elsewhere",))
    exported = desk.export()
    assert not exported.has_changes
    assert "chunked2024prefills is in Elsewhere now" in exported.refused[0]
    assert desk.export().refused == ()
    assert not desk.import_readme().has_changes
    assert desk.export().refused == ()


def test_a_row_that_fits_in_no_table_of_its_new_category_stays_and_the_paper_is_moved(
    new_desk: NewDesk,
) -> None:
    one = "| [One Paper Here](https://arxiv.org/abs/2401.00001) | ✅ |\n"
    other = "| [Another Paper](https://arxiv.org/abs/2401.00002) | 2024 | |\n"
    readme = f"## A\n\n| Title | Read |\n|--|--|\n{one}\n## B\n\n"
    readme += f"| Title | Date | Read |\n|--|--|--|\n{other}"
    desk = new_desk(readme)
    desk.import_readme()
    move_papers(desk.store, [desk.id("2401.00001")], ("B",))
    exported = desk.export()
    assert not exported.has_changes
    assert exported.refused == (
        "one2024paper (line 5): The table of the other category has other columns.",
    )
    assert not desk.import_readme().has_changes
    assert desk.paper("2401.00001").categories == (("B",),)
    assert desk.export().refused == ()
    move_papers(desk.store, [desk.id("2401.00001")], ("A",))
    assert desk.export().refused == ()
    assert desk.read() == readme


def test_a_removed_paper_s_row_goes_and_comes_back(desk: Desk) -> None:
    remove_papers(desk.store, [desk.id(ORCA)])
    exported = desk.export()
    assert (exported.lines_added, exported.lines_removed) == (0, 3)
    assert "Orca" not in desk.read()
    assert not desk.import_readme().has_changes
    desk.undo()
    assert desk.read() == README


BOXES = """\
## A

- [x] [One Paper Here](https://arxiv.org/abs/2401.00001)
- [ ] [Another Paper](https://arxiv.org/abs/2401.00002)
"""
WORDS = """\
## A

| Title | Status |
|--|--|
| [One Paper Here](https://arxiv.org/abs/2401.00001) | read |
| [Another Paper](https://arxiv.org/abs/2401.00002) | queued |
"""


@pytest.mark.parametrize("readme", [BOXES, WORDS])
def test_a_document_that_only_tells_read_from_unread_is_told_no_more_and_says_so_once(
    new_desk: NewDesk, readme: str
) -> None:
    desk = new_desk(readme)
    desk.import_readme()
    mark_pass(desk.store, [desk.id("2401.00001")], 3)
    exported = desk.export()
    assert not exported.has_changes
    assert [sentence for sentence in exported.refused if "second or third" in sentence]
    assert desk.export().refused == ()
    mark_pass(desk.store, [desk.id("2401.00002")], 2)
    exported = desk.export()
    assert (exported.lines_added, len(exported.refused)) == (1, 1)
    exported = desk.export()
    assert (exported.has_changes, exported.refused) == (False, ())
    assert not desk.import_readme().has_changes
    assert desk.export().refused == ()
    assert desk.paper("2401.00002").passes_done == 2


def test_a_box_ticked_by_hand_takes_no_pass_from_a_paper_read_more_often(
    desk: Desk, tmp_path: Path
) -> None:
    other = desk.readme.with_name("boxes.md")
    other.write_text(f"## B\n\n- [ ] [Paged Memory](https://arxiv.org/abs/{PAGED})\n")
    import_file(desk.store, desk.library, other)
    other.write_text(f"## B\n\n- [x] [Paged Memory](https://arxiv.org/abs/{PAGED})\n")
    import_file(desk.store, desk.library, other)
    assert desk.paper(PAGED).passes_done == 3


BULLETS = """\
## A

- [One Paper Here](https://arxiv.org/abs/2401.00001)
- [Another Paper](https://arxiv.org/abs/2401.00002) ([code](https://github.com/x/another)) ✅
"""


def test_a_new_entry_says_all_that_the_document_has_places_for(new_desk: NewDesk) -> None:
    desk = new_desk(BULLETS)
    desk.import_readme()
    new_paper(desk, "Draft Trees", "code=https://github.com/x/trees", category="A")
    mark_pass(desk.store, [desk.id("2402.00001")], 2)
    exported = desk.export()
    assert exported.refused == ()
    assert changed(desk, BULLETS) == [
        "+ - [Draft Trees](https://arxiv.org/abs/2402.00001) "
        "([code](https://github.com/x/trees)) ✅ ✅"
    ]
    assert not desk.export().has_changes
    assert not desk.import_readme().has_changes


def test_a_new_row_of_a_paper_read_says_when_where_marks_are_dates(new_desk: NewDesk) -> None:
    head = "## A\n\n| Title | Read on |\n|--|--|\n"
    desk = new_desk(head + "| [One](https://arxiv.org/abs/2401.00001) | 2024/05/01 |\n")
    desk.import_readme()
    new_paper(desk, "Draft Trees", category="A")
    mark_pass(desk.store, [desk.id("2402.00001")], 1, at="2025-03-04")
    assert desk.export().refused == ()
    assert desk.read().endswith(
        "| [Draft Trees](https://arxiv.org/abs/2402.00001) | 2025/03/04 |\n"
    )


# The file was edited in the meantime.


def test_the_file_s_own_edits_are_left_for_the_import(desk: Desk) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    desk.replace("| ✅ |\n", "| ✅ ✅ |\n")
    desk.replace("# Reading List", "# My Reading List")
    edited = desk.read()
    desk.export()
    assert changed(desk, edited)[0].startswith("- | [<u>Chunked")
    assert len(changed(desk, edited)) == 2
    assert desk.paper(ORCA).passes_done == 1
    desk.import_readme()
    assert (desk.paper(ORCA).passes_done, desk.paper(CHUNKED).passes_done) == (2, 1)


def test_a_row_deleted_in_the_file_is_not_put_back(desk: Desk) -> None:
    desk.write("".join(li for li in README.splitlines(True) if "Chunked Prefills</u>" not in li))
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    assert not desk.export().has_changes
    assert desk.import_readme().deleted == ("chunked2024prefills",)
    assert not desk.export().has_changes


def test_a_paper_whose_row_was_deleted_gets_one_row_elsewhere_that_is_its_entry(desk: Desk) -> None:
    desk.write("".join(li for li in README.splitlines(True) if "Chunked Prefills</u>" not in li))
    desk.import_readme()
    move_papers(desk.store, [desk.id(CHUNKED)], ("Speculation",), is_added=True)
    assert desk.export().lines_added >= 1
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    desk.export()
    (row,) = [line for line in desk.read().splitlines() if "Chunked Prefills</u>" in line]
    assert row.endswith("✅ |")
    assert not desk.import_readme().has_changes


def test_a_conflict_is_left_alone_and_the_rest_exported(desk: Desk) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 3)
    mark_pass(desk.store, [desk.id(ORCA)], 2)
    desk.replace("[<u>link</u>][3] | |", "[<u>link</u>][3] | ✅ |")
    exported = desk.export()
    (conflict,) = exported.conflicts
    assert (conflict.field, conflict.file_value, conflict.library_value) == ("passes", 1, 3)
    assert (exported.lines_added, exported.lines_removed) == (1, 1)
    assert "[<u>link</u>][3] | ✅ |\n" in desk.read()
    assert len(desk.export().conflicts) == 1


@pytest.mark.parametrize(("prefer", "marks"), [("library", "✅ ✅ ✅"), ("file", "✅")])
def test_the_reader_s_preference_ends_a_conflict(desk: Desk, prefer: str, marks: str) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 3)
    desk.replace("[<u>link</u>][3] | |", "[<u>link</u>][3] | ✅ |")
    assert desk.export(prefer=prefer).conflicts == ()
    assert f"[<u>link</u>][3] | {marks} |\n" in desk.read()
    assert desk.import_readme().conflicts == ()
    assert desk.paper(CHUNKED).passes_done == marks.count("✅")
    assert not desk.export().has_changes


def test_a_row_moved_both_ways_is_not_doubled(desk: Desk) -> None:
    row = next(line for line in README.splitlines(True) if "Chunked Prefills</u>" in line)
    move_papers(desk.store, [desk.id(CHUNKED)], ("Speculation",))
    desk.replace(row, "")
    desk.replace("| :--- |\n\n<!-- Links", "| :--- |\n" + row + "\n<!-- Links")
    exported = desk.export()
    assert ([c.field for c in exported.conflicts], exported.has_changes) == (["category"], False)
    assert desk.export(prefer="library").has_changes
    assert desk.read().count("Chunked Prefills</u>]") == 1
    assert desk.read().index("Chunked Prefills</u>]") < desk.read().index("## Empty")


def test_a_row_written_by_hand_for_a_new_paper_is_not_written_again(desk: Desk) -> None:
    new_paper(desk, "Draft Trees")
    row = "| [<u>Draft Trees</u>](https://arxiv.org/abs/2402.00001) | 2024/02 | | | | ✅ |\n"
    desk.replace("\n## Empty", row + "\n## Empty")
    assert not desk.export().has_changes
    desk.import_readme()
    assert desk.paper("2402.00001").passes_done == 1


# Several documents.


def second(desk: Desk, text: str) -> Path:
    path = desk.library.root / "second.md"
    path.write_text(text, encoding="utf-8")
    import_file(desk.store, desk.library, path)
    return path


def test_what_a_second_document_says_of_works_changes_the_first_by_nothing(desk: Desk) -> None:
    second(
        desk,
        f"## Serving\n\n- [x] [Paged](https://arxiv.org/abs/{PAGED}) "
        "[[code]](https://github.com/example/fork)\n"
        f"- [ ] [Chunked](https://arxiv.org/abs/{CHUNKED})\n"
        "- [ ] [Something Else Entirely](https://arxiv.org/abs/2404.00009)\n",
    )
    exports = export_registered(desk.store, desk.library, "markdown")
    assert [exported.has_changes for exported in exports] == [False, False]


def test_what_a_second_document_says_was_read_is_so_in_the_first(desk: Desk) -> None:
    path = second(desk, f"## Other\n\n- [x] [Chunked](https://arxiv.org/abs/{CHUNKED})\n")
    text = path.read_text()
    export_registered(desk.store, desk.library, "markdown")
    assert desk.read() == README.replace("[<u>link</u>][3] | |", "[<u>link</u>][3] | ✅ |")
    assert path.read_text() == text
    assert not desk.import_readme().has_changes
    desk.store.undo()
    export_registered(desk.store, desk.library, "markdown")
    assert desk.read() == README


def test_a_mark_set_in_one_document_reaches_the_other(desk: Desk) -> None:
    path = second(desk, f"## Other\n\n- [ ] [Chunked](https://arxiv.org/abs/{CHUNKED})\n")
    desk.replace("[<u>link</u>][3] | |", "[<u>link</u>][3] | ✅ |")
    desk.import_readme()
    export_registered(desk.store, desk.library, "markdown")
    assert "- [x] [Chunked]" in path.read_text()
    assert not any(e.has_changes for e in export_registered(desk.store, desk.library, "markdown"))


def test_a_new_paper_gets_one_row_in_the_first_document_that_has_its_section(desk: Desk) -> None:
    path = second(desk, "## Speculation\n\n- [Lookahead Steps](https://arxiv.org/abs/2402.99999)\n")
    new_paper(desk, "Draft Trees")
    export_registered(desk.store, desk.library, "markdown")
    assert "Draft Trees" in desk.read()
    assert "Draft Trees" not in path.read_text()


def test_only_the_documents_named_are_exported(desk: Desk) -> None:
    path = second(desk, f"## Other\n\n- [ ] [Chunked](https://arxiv.org/abs/{CHUNKED})\n")
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    (exported,) = export_registered(desk.store, desk.library, "markdown", paths=[path])
    assert (exported.file, exported.is_written) == ("second.md", True)
    assert desk.read() == README
    with pytest.raises(NotFoundError, match="papertrack import"):
        export_registered(
            desk.store, desk.library, "markdown", paths=[desk.library.root / "third.md"]
        )


# Writing files.


def test_a_source_that_corrects_its_own_title_changes_no_row(desk: Desk) -> None:
    with desk.store.action("enrich"):
        edit_paper(desk.store, desk.id(DRAFT), "title", "First", source="arxiv")
    desk.export()
    with desk.store.action("enrich"):
        edit_paper(desk.store, desk.id(DRAFT), "title", "Second", source="arxiv")
    assert not desk.export().has_changes


LISTED = """\
## Tools

- [The Guide](./guide.md): how to do it.
- [Other Guide](./other.md): how to do that.

## Talks

- Tooling: Building Things Again and Again [[Company Site]](https://github.com/X/Tooling)
- (2019) **Is It Known?** [pdf](https://www.example.org/known/)
"""


def test_an_entry_known_by_its_title_only_stays_itself_when_retitled(new_desk: NewDesk) -> None:
    desk = new_desk(LISTED)
    desk.import_readme()
    desk.edit("The Guide", "title=A Handbook")
    assert desk.export().lines_added == 1
    report = desk.import_readme()
    assert (report.papers_new, report.deleted) == (0, ())
    desk.undo()
    assert desk.read() == LISTED


def test_what_fits_once_a_lost_row_is_left_out_is_written_and_not_told_as_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_references(desk.store, ["2401.00001"], category=("Serving",))
    desk.edit("2401.00001", "title=Batches of One")
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    real = writing.apply_edits

    def lose_the_new_row(document: Document, edits: Sequence[Edit]) -> Edited:
        if not any(isinstance(edit, Add) for edit in edits):
            return real(document, edits)
        refused = tuple(Refusal(edit, "No.") for edit in edits if not isinstance(edit, Add))
        text = document.text + "\n"
        places = {edit: 0 for edit in edits if isinstance(edit, Add)}
        return Edited(text, refused, places=places, document=document.parse_again(text))

    monkeypatch.setattr(writing, "apply_edits", lose_the_new_row)
    exported = desk.export()
    assert exported.lines_added == exported.lines_removed == 1
    assert [one for one in exported.refused if "in the style of the list" not in one] == []
    monkeypatch.undo()
    mark_pass(desk.store, [desk.id(CHUNKED)], 2)
    assert desk.export().lines_removed == 1


def test_two_entries_known_by_their_titles_only_stay_themselves_under_one_title(
    new_desk: NewDesk,
) -> None:
    rows = [f"- [Chapter {n} of It](ch{n}.md)\n- [Essay {n}](https://x.org/{n})\n" for n in "123"]
    desk = new_desk("# Notes\n\n## Read\n\n" + "".join(rows))
    desk.import_readme()
    papers = [desk.id(title) for title in ("Chapter 1 of It", "Essay 1", "Chapter 3 of It")]
    for paper in papers:
        edit_fields(desk.store, paper, parse_assignments(["title=One Title of Several"]))
    desk.export()
    assert desk.read().count("One Title of Several") == 3
    assert not desk.export().has_changes
    edit_fields(desk.store, papers[2], parse_assignments(["title=A Title of Its Own"]))
    desk.export()
    assert "- [A Title of Its Own](ch3.md)" in desk.read()
    assert desk.import_readme().papers_changed == 0


def test_a_title_that_would_not_be_read_back_is_not_written(new_desk: NewDesk) -> None:
    desk = new_desk(LISTED)
    desk.import_readme()
    desk.edit("Tooling", "title=PDF")
    exported = desk.export()
    assert not exported.has_changes
    assert exported.refused == (
        "toolingbuilding (line 8): Afterwards, the entry would no longer be read as the same one.",
    )
    desk.undo()
    assert desk.read() == LISTED


def test_what_had_no_place_is_written_once_the_reader_makes_one(new_desk: NewDesk) -> None:
    head = "## A\n\n| Title | arXiv |\n|--|--|\n"
    desk = new_desk(head + "| [One Paper Here](https://arxiv.org/abs/2401.00001) | x |\n")
    desk.import_readme()
    paper = desk.id("2401.00001")
    mark_pass(desk.store, [paper], 2)
    set_rating(desk.store, [paper], 4)
    edit_fields(desk.store, paper, parse_assignments(["code=https://github.com/example/one"]))
    assert len(desk.export().refused) == 3
    assert desk.export().refused == ()
    desk.import_readme()
    assert desk.export().refused == ()
    mark_pass(desk.store, [paper], 3)
    assert desk.export().refused == (
        "one2024paper (line 5): The document has no place for a reading mark. "
        "Give the table a column by hand, then import it.",
    )
    desk.write(
        head.replace(" arXiv |\n|--", " arXiv | Code | Read | Rating |\n|--|--|--|--")
        + "| [One Paper Here](https://arxiv.org/abs/2401.00001) | x | | | |\n"
    )
    desk.import_readme()
    paper_now = desk.paper("2401.00001")
    assert (paper_now.passes_done, paper_now.rating) == (3, 4)
    assert desk.export().refused == ()
    assert desk.read().endswith(
        "| x | [one](https://github.com/example/one) | ✅ ✅ ✅ | ⭐️⭐️⭐️⭐️ |\n"
    )
    assert not desk.import_readme().has_changes
    assert not desk.export().has_changes


def test_a_venue_that_a_list_has_no_place_for_is_told_in_one_sentence(new_desk: NewDesk) -> None:
    desk = new_desk(BULLETS)
    desk.import_readme()
    papers = [desk.id("2401.00001"), desk.id("2401.00002")]
    for paper in papers:
        edit_fields(desk.store, paper, parse_assignments(["venue=ICML", "year=2024"]))
    exported = desk.export()
    assert exported.refused == (
        "one2024paper (line 3), another2024paper (line 4): The document has no place for a venue. "
        "Write one beside an entry by hand, then import it.",
    )
    assert desk.read() == BULLETS
    assert desk.export().refused == ()
    edit_fields(desk.store, papers[0], parse_assignments(["venue="]))
    assert (desk.export().refused, desk.read()) == ((), BULLETS)


def test_what_a_new_row_had_no_place_for_is_written_later_too(desk: Desk) -> None:
    new_paper(desk, "Draft Trees", "rating=4")
    assert desk.export().refused == (
        "arxiv2402.00001: The document has no place for a rating. "
        "Give the table a column by hand, then import it.",
    )
    assert desk.export().refused == ()
    lines = []
    for line in desk.read().splitlines():
        if line.startswith("| Title"):
            line += " Rating |"
        elif line.startswith("| :----"):
            line += " :--- |"
        elif line.startswith("| [<u>") and "[<u>Title" not in line:
            line += " |"
        lines.append(line)
    desk.write("\n".join(lines) + "\n")
    desk.import_readme()
    desk.export()
    row = next(line for line in desk.read().splitlines() if "[<u>Draft Trees" in line)
    assert row.endswith("| | ⭐️⭐️⭐️⭐️ |")


def test_a_new_row_that_a_section_has_no_place_for_is_refused_once(new_desk: NewDesk) -> None:
    both = ", ".join(f"[Paper {n}](https://arxiv.org/abs/2401.0000{n})" for n in (1, 2))
    desk = new_desk(f"## A\n\n| Topic | Papers |\n|---|---|\n| Trees | {both} |\n")
    desk.import_readme()
    new_paper(desk, "Draft Trees", category="A")
    with desk.store.trial():
        assert len(desk.export().refused) == 1
    (reason,) = desk.export().refused
    assert "Each row of the table lists several works" in reason
    assert desk.export().refused == ()
    one_each = (f"| Roots | [Paper {n}](https://arxiv.org/abs/2401.0000{n}) |\n" for n in (3, 4))
    desk.write(desk.read() + "".join(one_each))
    desk.import_readme()
    assert desk.export().lines_added == 1


def test_passes_that_a_document_cannot_tell_are_told_of_once_and_wait_for_marks_that_can(
    new_desk: NewDesk,
) -> None:
    rows = "| [One](https://arxiv.org/abs/2401.00001) | yes |\n"
    rows += "| [Two](https://arxiv.org/abs/2401.00002) | no |\n"
    desk = new_desk(f"# L\n\n## A\n\n| Paper | Read |\n|---|---|\n{rows}")
    desk.import_readme()
    mark_pass(desk.store, [desk.id("2401.00001")], 3)
    mark_pass(desk.store, [desk.id("2401.00002")], 2)
    exported = desk.export()
    assert len(exported.refused) == 1
    assert "no sign for a second or third pass" in exported.refused[0]
    assert desk.read().count("| yes |") == 2
    again = desk.export()
    assert (again.refused, again.has_changes) == ((), False)
    desk.write(desk.read().replace("yes", "✅"))
    desk.import_readme()
    assert desk.paper("2401.00001").passes_done == 3
    desk.export()
    assert "2401.00001) | ✅ ✅ ✅ |" in desk.read()
    assert "2401.00002) | ✅ ✅ |" in desk.read()
    assert not desk.import_readme().has_changes


def test_a_mark_without_a_place_is_told_with_its_papers_and_finds_the_place_then_made(
    new_desk: Callable[[str], Desk],
) -> None:
    head = "# List\n\n## A\n\n"
    rows = [f"- [Paper of Number {n}](https://arxiv.org/abs/2401.0000{n})\n" for n in range(1, 8)]
    desk = new_desk(head + "".join(rows))
    desk.import_readme()
    mark_pass(desk.store, [desk.id(f"2401.0000{n}") for n in range(1, 7)], 1)
    (told,) = desk.export().refused
    assert told.startswith("paper2024number (line 5), ")
    assert " and 1 more: The document has no place for a reading mark. " in told
    desk.replace(rows[6], rows[6].replace("\n", " ✅\n"))
    desk.import_readme()
    assert desk.export().refused == ()
    assert desk.read().count(" ✅\n") == 7
