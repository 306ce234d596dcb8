"""PDFs are known by their names, what is stamped on them, their metadata and their first page."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Command
from tests.pdfs.made import make_pdf


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    make_pdf(folder / "2309.06180v2.pdf")
    make_pdf(folder / "lights" / "stamped.pdf", ["Drafts  arXiv:2211.10002v1 [cs.LG] 3 Nov 2022"])
    make_pdf(folder / "b.pdf", Title="A Lamp for Papers", Author="Osei, Ama; Lind, Per",
             Subject="doi:10.1000/lamp.5")  # fmt: skip
    make_pdf(folder / "Lind - 2019 - The Drawer Problem.pdf", Title="Microsoft Word - x.docx")
    make_pdf(folder / "scan0007.pdf")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 " + b"\xff" * 500)
    (folder / "page.pdf").write_text("<html>not found</html>")
    return folder


def test_one_named_by_its_id_has_the_title_of_its_first_page(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    page = [(20, "A Lamp That Reads"), (20, "for Those Who Do Not*"), "Ama Osei", "Abstract"]
    make_pdf(tmp_path / "2211.10002.pdf", page, turned="arXiv:2211.10002v1 [cs.LG]")
    papertrack("pdf", "add", tmp_path / "2211.10002.pdf")
    assert [paper["title"] for paper in papers_of(papertrack)] == [
        "A Lamp That Reads for Those Who Do Not"
    ]


def papers_of(papertrack: Command) -> list[Any]:
    return list(json.loads(papertrack("list", "--all", "--json").out))


def test_a_folder_of_them(papertrack: Command, library: Path, folder: Path) -> None:
    report = json.loads(papertrack("import", folder, "--json").out)
    assert (report["items"], report["imported"]) == (6, 4)
    assert sorted(one["item"] for one in report["skipped"]) == ["broken.pdf", "scan0007.pdf"]
    papers = papers_of(papertrack)
    assert {one["arxiv_id"] for one in papers} == {"2309.06180", "2211.10002", None}
    lamp = next(one for one in papers if one["doi"] == "10.1000/lamp.5")
    assert (lamp["title"], lamp["authors"]) == ("A Lamp for Papers", ["Ama Osei", "Per Lind"])
    drawer = next(one for one in papers if one["title"] == "The Drawer Problem")
    assert drawer["year"] == 2019
    assert next(one for one in papers if one["arxiv_id"] == "2211.10002")["categories"] == [
        "lights"
    ]
    assert len(list((library / "pdfs").iterdir())) == 4


def test_many_named_on_the_command_line_are_one_import(
    papertrack: Command, library: Path, folder: Path
) -> None:
    paths = sorted(folder.glob("*.pdf"))
    ran = papertrack("import", *paths, "--json")
    assert ran.code == 1  # The web page that is called a PDF.
    assert len(papers_of(papertrack)) == 3
    assert len(json.loads(papertrack("log", "--json").out)) == 1
    papertrack("undo")
    assert papers_of(papertrack) == []
    assert not list((library / "pdfs").iterdir())


def test_a_library_of_papertrack_is_no_folder_of_them(
    papertrack: Command, library: Path, folder: Path
) -> None:
    papertrack("import", folder, "--copy")
    ran = papertrack("import", ".")
    assert ran.code == 1
    assert ran.err.count("\n") == 1
