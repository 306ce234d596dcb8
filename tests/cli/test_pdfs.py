"""Phrases are found in the PDFs of the library, each with its page and sentence."""

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from papertrack.pdfs.reader import PdfReader, PdfText
from tests.cli.commands import Command
from tests.cli.conftest import furnish
from tests.pdfs.made import make_pdf
from tests.pdfs.marked import boxes, highlight, mark

DRAFTS = "2211.10002"
LAMPS = "2301.00007"
LONE = "2401.00001"


@pytest.fixture
def library(papertrack: Command, home: Path) -> Path:
    papertrack("init")
    return home


@pytest.fixture
def pdfs(papertrack: Command, home: Path, made_shelf: Path) -> Path:
    """A library with two papers whose PDFs are in it, and one without."""
    folder = home / "pdfs"

    def two_of_three() -> None:
        papertrack("init")
        (home / "list.md").write_text(
            "# L\n\n"
            f"- [Drafting Ahead](https://arxiv.org/abs/{DRAFTS})\n"
            f"- [Lamps](https://arxiv.org/abs/{LAMPS})\n"
            "- [Paperless](https://arxiv.org/abs/2401.00001)\n"
        )
        papertrack("import", home / "list.md")
        drafts, lamps = (
            folder / f"{papers(papertrack, f'arxiv:{one}')[0]['citekey']}.pdf"
            for one in (DRAFTS, LAMPS)
        )
        make_pdf(drafts, ["We draft."], ["The acceptance rate", "is high. It."])
        make_pdf(lamps, ["Acceptance rates of lamps vary."])

    furnish(home, made_shelf, two_of_three)
    return folder


def papers(papertrack: Command, *query: str) -> list[dict[str, Any]]:
    found = papertrack("list", "--json", *query).out
    return [*json.loads(found)]


def ids(papertrack: Command, query: str) -> set[str]:
    return {paper["arxiv_id"] for paper in papers(papertrack, query)}


def found(papertrack: Command, *words: str) -> list[tuple[int, str]]:
    passages = json.loads(papertrack("search", "--json", *words).out)["passages"]
    return [(one["page"], one["sentence"]) for one in passages]


def test_a_phrase_has_its_page_and_its_sentence(papertrack: Command, pdfs: Path) -> None:
    assert found(papertrack, "acceptance", "rate") == [(2, "The acceptance rate is high.")]
    assert len(found(papertrack, "Acceptance", "rate*")) == 2
    assert found(papertrack, "rate acceptance") == []
    assert len(found(papertrack, "acceptance*", "--limit", "1")) == 1
    ran = papertrack("search", "acceptance*", "--limit", "1")
    assert "1 of 2 pages of 2 papers; --limit 2 shows all." in ran.err
    assert "No PDF in the library contains" in papertrack("search", "nowhere").err


def test_letters_with_marks_are_found_without_them(papertrack: Command, pdfs: Path) -> None:
    make_pdf(next(pdfs.iterdir()), ["By S\u00f8ren, Stra\u00dfe 5."])
    for spelled in ("S\u00f8ren Stra\u00dfe", "Soren Strasse", "S\u00d8REN STRASSE"):
        assert found(papertrack, spelled) == [(1, "By S\u00f8ren, Stra\u00dfe 5.")]


def test_a_parted_word_adds_no_word_and_no_phrase_to_its_page(
    papertrack: Command, pdfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"{'training of ' * 30}state-of\u00adthe-art{' it accelerates' * 30} end."
    text = PdfText(1, {}, (page,), "")
    monkeypatch.setattr(PdfReader, "read", lambda self, path, **how: text)
    assert len(found(papertrack, "of state of the art it accelerates")) == 2
    assert found(papertrack, "acce") == []
    assert found(papertrack, "end training") == []
    assert found(papertrack, "end of") == []


def test_nothing_to_look_for_is_said(papertrack: Command, pdfs: Path) -> None:
    ran = papertrack("search", "...")
    assert ran.code != 0
    assert "no words to search for" in ran.err
    assert papertrack("search", "rate", "--since", "2026-01-01").code == 2


def test_queries_know_what_stands_in_pdfs(papertrack: Command, pdfs: Path) -> None:
    papertrack("pdf", "index")
    assert ids(papertrack, 'text:"acceptance rate"') == {DRAFTS}
    assert ids(papertrack, "text:acceptance") == {DRAFTS, LAMPS}
    assert ids(papertrack, "text:accept*") == {DRAFTS, LAMPS}
    assert ids(papertrack, "has:pdf NOT text:draft") == {LAMPS}
    assert ids(papertrack, "has:pdf") == {DRAFTS, LAMPS}


def test_a_list_reads_new_pdfs_before_it_looks_into_them(papertrack: Command, pdfs: Path) -> None:
    assert ids(papertrack, "text:acceptance") == {DRAFTS, LAMPS}


def test_only_what_changed_is_read_again(
    papertrack: Command, pdfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    reading = PdfReader.read
    monkeypatch.setattr(
        PdfReader, "read", lambda self, path, **how: (read.append(path), reading(self, path))[1]
    )
    papertrack("pdf", "index")
    assert len(read) == 2
    changed, other = sorted(pdfs.iterdir())
    make_pdf(changed, ["A wholly new text."])
    assert "Nothing new" not in papertrack("pdf", "index").err
    assert read[2:] == [changed]
    assert found(papertrack, "wholly new") == [(1, "A wholly new text.")]
    other.unlink()
    assert json.loads(papertrack("pdf", "index", "--json").out)["forgotten"] == 1
    assert found(papertrack, "acceptance*") == []
    assert len(read) == 3


def test_a_paper_keeps_its_pdf_under_a_new_key(papertrack: Command, pdfs: Path) -> None:
    key = papers(papertrack, f"arxiv:{DRAFTS}")[0]["citekey"]
    papertrack("edit", key, "citekey=another2023key")
    assert ids(papertrack, "text:acceptance") == {DRAFTS, LAMPS}
    assert papertrack("open", "another2023key", "--pdf", "-p").out.strip().endswith(f"{key}.pdf")


def test_pdfs_of_the_reader_s_own_are_linked(
    papertrack: Command, pdfs: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.pdf"
    make_pdf(mine, ["arXiv:2401.00001v2 [cs.LG]", "No paper is needed."])
    ran = papertrack("pdf", "add", mine)
    assert ran.code == 0, ran.err
    assert len(papers(papertrack)) == 3
    assert ids(papertrack, "text:needed") == {"2401.00001"}
    papertrack("undo")
    assert ids(papertrack, "has:pdf") == {DRAFTS, LAMPS}
    assert mine.is_file()


def test_a_pdf_that_says_nothing_of_itself_is_added_to_a_paper_that_is_named(
    papertrack: Command, pdfs: Path, tmp_path: Path
) -> None:
    scan = tmp_path / "scan.pdf"
    make_pdf(scan, ["An unnamed page about zebras."])
    assert papertrack("pdf", "add", scan, "--to", "2401.00001", "--dry-run").code == 0
    assert ids(papertrack, "has:pdf") == {DRAFTS, LAMPS}
    ran = papertrack("pdf", "add", scan, "--to", "2401.00001")
    assert ran.code == 0, ran.err
    assert ids(papertrack, "text:zebras") == {"2401.00001"}
    scan.write_bytes(b"%PDF-1.4 another")
    again = papertrack("pdf", "add", scan, "--to", "2401.00001")
    assert (again.code, "has a PDF" in again.err) == (5, True)
    assert ids(papertrack, "text:zebras") == {"2401.00001"}
    assert papertrack("pdf", "add", scan, scan, "--to", "2401.00001").code == 2


def test_a_pdf_that_was_added_to_a_paper_is_one_action(
    papertrack: Command, pdfs: Path, tmp_path: Path
) -> None:
    papertrack("tag", DRAFTS, "mine")
    make_pdf(tmp_path / "scan.pdf", ["An unnamed page about zebras."])
    added = json.loads(papertrack("pdf", "add", tmp_path / "scan.pdf", "--to", LONE, "--json").out)
    assert "scan.pdf: the PDF of" in papertrack("log").out
    assert "Undone: import scan.pdf" in papertrack("undo").err
    assert not Path(added["path"]).exists()
    assert ids(papertrack, "has:pdf") == {DRAFTS, LAMPS}
    assert ids(papertrack, "tag:mine") == {DRAFTS}
    papertrack("redo")
    assert ids(papertrack, "text:zebras") == {LONE}
    papertrack("undo")
    (tmp_path / "scan.pdf").unlink()
    assert ".pdf is not restored: what it was copied from is gone" in papertrack("redo").err
    assert ids(papertrack, "has:pdf") == {DRAFTS, LAMPS}


def test_undo_leaves_a_copy_with_highlights_and_says_so(
    papertrack: Command, pdfs: Path, tmp_path: Path
) -> None:
    make_pdf(tmp_path / "scan.pdf", ["An unnamed page about zebras."])
    added = json.loads(papertrack("pdf", "add", tmp_path / "scan.pdf", "--to", LONE, "--json").out)
    copy = Path(added["path"])
    mark(copy, 1, highlight(boxes(copy, 1, "zebras")))
    highlighted = copy.read_bytes()
    left = f"but pdfs/{copy.name} was changed since, and is left as it is"
    assert left in papertrack("undo").err
    assert copy.read_bytes() == highlighted
    assert "left as it is" not in papertrack("redo").err


def test_copies_come_back_with_redo(papertrack: Command, pdfs: Path, tmp_path: Path) -> None:
    make_pdf(tmp_path / "mine.pdf", ["arXiv:2401.00001v2 [cs.LG]", "No paper is needed."])
    papertrack("pdf", "add", tmp_path / "mine.pdf", "--copy")
    papertrack("undo")
    assert ids(papertrack, "has:pdf") == {DRAFTS, LAMPS}
    papertrack("redo")
    assert ids(papertrack, "text:needed") == {LONE}


def test_one_file_may_be_of_two_papers(papertrack: Command, pdfs: Path, tmp_path: Path) -> None:
    make_pdf(tmp_path / "both.pdf", ["Two papers about zebras."])
    for path in pdfs.iterdir():
        path.unlink()
    for paper in (DRAFTS, LAMPS):
        assert papertrack("pdf", "add", tmp_path / "both.pdf", "--to", paper).code == 0
    assert ids(papertrack, "text:zebras") == {DRAFTS, LAMPS}
    papertrack("undo")
    assert ids(papertrack, "text:zebras") == {DRAFTS}


@pytest.fixture
def moved(papertrack: Command, pdfs: Path, tmp_path: Path) -> Path:
    """Where the linked PDF of a paper is now, which its reader moved."""
    make_pdf(tmp_path / "mine.pdf", ["arXiv:2401.00001v2 [cs.LG]", "No paper is needed."])
    papertrack("pdf", "add", tmp_path / "mine.pdf")
    return (tmp_path / "mine.pdf").rename(tmp_path / "new\nplace.pdf")


def test_a_linked_pdf_that_moved_is_told_everywhere(papertrack: Command, moved: Path) -> None:
    told = str(moved.with_name("mine.pdf"))
    key = papers(papertrack, f"arxiv:{LONE}")[0]["citekey"]
    for command in (
        ["show", LONE],
        ["doctor"],
        ["search", "needed"],
        ["search", "needed", "--json"],
        ["note", LONE, "--highlights"],
        ["open", LONE, "--pdf", "--print"],
        ["pdf", "index"],
    ):
        ran = papertrack(*command)
        assert f"{told} is no longer there" in (ran.out + ran.err).replace("\n", " "), command
        assert f"pdf add FILE --to {key}" in (ran.out + ran.err), command
    assert ids(papertrack, "has:pdf") == {DRAFTS, LAMPS}


@pytest.mark.parametrize("how", [(), ("--to", LONE)])
def test_a_pdf_that_moved_is_added_again(
    papertrack: Command, moved: Path, how: tuple[str, ...]
) -> None:
    ran = papertrack("pdf", "add", moved, *how)
    assert ran.code == 0, ran.err
    assert ids(papertrack, "text:needed") == {LONE}
    assert "no longer there" not in papertrack("show", LONE).err + papertrack("doctor").out
    papertrack("undo")
    assert "no longer there" in papertrack("show", LONE).err
    papertrack("redo")
    assert ids(papertrack, "has:pdf") == {DRAFTS, LAMPS, LONE}


def test_links_that_lead_nowhere_end_no_command(papertrack: Command, pdfs: Path) -> None:
    key = papers(papertrack, f"arxiv:{LONE}")[0]["citekey"]
    (pdfs / f"{key}.pdf").symlink_to(f"{key}.pdf")
    (pdfs / "other.pdf").symlink_to("/nowhere/at/all.pdf")
    for command in (
        ["show", LONE],
        ["doctor"],
        ["open", LONE, "--pdf", "--print"],
        ["pdf", "index"],
    ):
        ran = papertrack(*command)
        assert f"{key}.pdf is no longer there" in ran.out + ran.err
    assert "other.pdf belongs to no paper" in papertrack("doctor").out


def test_a_pdf_that_belongs_to_no_paper_is_named(papertrack: Command, pdfs: Path) -> None:
    make_pdf(pdfs / "stray\nfile.pdf", ["Nobody's."])
    ran = papertrack("doctor")
    assert "stray file.pdf belongs to no paper" in ran.out + ran.err


def test_what_is_no_pdf_is_not_added(papertrack: Command, library: Path, tmp_path: Path) -> None:
    (tmp_path / "page.pdf").write_text("<html>")
    ran = papertrack("pdf", "add", tmp_path / "page.pdf")
    assert (ran.code, "is not a PDF" in ran.err) == (2, True)
    make_pdf(tmp_path / "good.pdf", [(20, "A Good Paper of Ours"), "Ann Author"])
    ran = papertrack("pdf", "add", tmp_path / "page.pdf", tmp_path / "good.pdf")
    assert (ran.code, "page.pdf is not a PDF, and was skipped" in ran.err) == (0, True)
    assert "1 imported" in ran.err
    ran = papertrack("pdf", "add", tmp_path / "none.pdf")
    assert (ran.code, "There is no file" in ran.err) == (3, True)
    ran = papertrack("pdf", "add", tmp_path)
    assert (ran.code, "not folders" in ran.err) == (2, True)


def test_what_cannot_be_matched_is_named(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    (tmp_path / "torn.pdf").write_bytes(b"%PDF-1.4 torn")
    make_pdf(tmp_path / "x.pdf", ["zebras"])
    told = papertrack("pdf", "add", tmp_path / "torn.pdf", tmp_path / "x.pdf").err
    assert "torn.pdf skipped: it is damaged." in told
    assert "x.pdf skipped: neither its name" in told


def test_scans_and_locked_files_are_named(papertrack: Command, pdfs: Path) -> None:
    scan, locked = sorted(pdfs.iterdir())
    make_pdf(scan, [])
    make_pdf(locked, ["It."], password="secret")
    told = papertrack("pdf", "index").err
    assert f"{scan.name} has no text" in told
    assert f"{locked.name} is protected by a password" in told
    assert json.loads(papertrack("pdf", "index", "--json").out)["read"] == 0


def test_an_index_that_is_not_as_it_should_be_is_made_anew(papertrack: Command, pdfs: Path) -> None:
    index = pdfs.parent / "data" / "pdf-texts.db"
    planted = "CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM pages; END"
    for damage in (None, planted, "PRAGMA user_version = 7"):
        papertrack("pdf", "index")
        if damage is None:
            index.write_bytes(index.read_bytes()[:5000])
        else:
            with closing(sqlite3.connect(index)) as db, db:
                db.execute(damage)
        assert len(found(papertrack, "acceptance*")) == 2, damage
        assert ids(papertrack, "text:acceptance") == {DRAFTS, LAMPS}


def test_the_index_follows_no_link(papertrack: Command, pdfs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    other.write_bytes(b"")
    (pdfs.parent / "data" / "pdf-texts.db").symlink_to(other)
    ran = papertrack("search", "acceptance")
    assert ran.code != 0
    assert "is a link" in ran.err
    assert other.read_bytes() == b""


def test_a_dry_run_reads_nothing(papertrack: Command, pdfs: Path) -> None:
    papertrack("search", "acceptance", "-n")
    assert not (pdfs.parent / "data" / "pdf-texts.db").exists()


def test_a_viewer_is_told_the_page(
    papertrack: Command, pdfs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = papers(papertrack, f"arxiv:{DRAFTS}")[0]["citekey"]
    seen = tmp_path / "seen"
    papertrack("config", "--mine", "pdf_viewer", f"sh -c 'echo \"$@\" > {seen}' - -p {{page}}")
    papertrack("open", key, "--page", "2")
    assert seen.read_text().split() == ["-p", "2", str(pdfs / f"{key}.pdf")]
    assert papertrack("open", key, "--page", "2", "--code").code == 2
    printed = papertrack("open", "2401.00001", "--page", "2", "--print").out
    assert printed.strip().endswith("2401.00001#page=2")


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_what_pdftotext_reads_is_found(papertrack: Command, pdfs: Path) -> None:
    """Another reader of PDFs agrees on pages."""
    for path in pdfs.iterdir():
        told = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
        for number, page in enumerate(told.stdout.split("\f"), start=1):
            if page.strip():
                assert number in [at for at, _ in found(papertrack, *page.split())]


def test_a_library_without_pdfs_makes_no_index(papertrack: Command, library: Path) -> None:
    papertrack("list", "text:anything")
    assert "There is no PDF yet" in papertrack("pdf", "index").err
    assert not (library / "data" / "pdf-texts.db").exists()


def test_a_dry_run_refuses_what_fetching_again_refuses(
    papertrack: Command, pdfs: Path, tmp_path: Path
) -> None:
    papertrack("config", "--trust", pdfs.parent)  # It is a copy, and trust is bound to a folder.
    key = papers(papertrack, f"arxiv:{DRAFTS}")[0]["citekey"]
    path = pdfs / f"{key}.pdf"
    mark(path, 1, highlight(boxes(path, 1, "draft")))
    for _ in ("highlighted", "a link"):
        real, dry = (papertrack("pdf", "get", DRAFTS, "--refresh", *n) for n in ([], ["-n"]))
        assert (dry.code, dry.err) == (real.code, real.err) == (5, real.err)
        path.rename(tmp_path / "x.pdf")
        path.symlink_to(tmp_path / "x.pdf")


def test_an_import_says_how_many_files_it_linked(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    make_pdf(tmp_path / "2211.10002.pdf", ["Words."])
    assert "1 linked file." in papertrack("import", tmp_path / "2211.10002.pdf").err


def test_a_merged_pdf_is_called_by_its_name(
    papertrack: Command, pdfs: Path, tmp_path: Path
) -> None:
    make_pdf(tmp_path / "x.pdf", [f"arXiv:{LONE}v2 [cs.LG]"])
    assert ": x.pdf" in papertrack("pdf", "add", tmp_path / "x.pdf").err
