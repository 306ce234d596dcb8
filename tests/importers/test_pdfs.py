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


LAMP, DRAWER, NOBODYS = (
    "A Lamp That Reads for You",
    "The Drawer Problem",
    "Shelves of Unknown Origin",
)


@pytest.fixture
def known(papertrack: Command, library: Path) -> Path:
    """A library with papers of which no identifier is known, one of them without authors."""
    (library / "refs.bib").write_text(
        f"@misc{{lamp, title={{{LAMP}}}, author={{Osei, Ama and Lind, Per}}, year={{2021}}}}\n"
        f"@misc{{drawer, title={{{DRAWER}}}, author={{Lind, Per}}, year={{2019}}}}\n"
        f"@misc{{shelves, title={{{NOBODYS}}}}}\n"
    )
    papertrack("import", library / "refs.bib")
    return library


HEAD = [(20, "A Lamp That Reads"), (20, "for You*"), "Ama Osei  and Per Lind", "We read."]


@pytest.mark.parametrize(
    ("name", "page", "info", "key"),
    [
        ("download.pdf", HEAD, {}, "lamp"),
        ("download.pdf", ["Proc. of Reading", LAMP, "Ama Osei"], {}, "lamp"),
        ("download.pdf", ["A Lamp That", "Reads for You", "Per Lind"], {"Title": "x.dvi"}, "lamp"),
        ("download.pdf", HEAD, {"Title": "My First Template", "Author": "Some User"}, "lamp"),
        ("download.pdf", HEAD, {"Subject": "doi:10.1000/lamp.7"}, "lamp"),
        ("final version of mine (2).pdf", HEAD, {}, "lamp"),
        ("A lamp that reads for you (1).pdf", [], {}, "lamp"),
        ("Lind - 2019 - The Drawer Problem.pdf", [], {}, "drawer"),
        ("download.pdf", [(20, NOBODYS), "Somebody"], {}, "shelves"),
        ("download.pdf", [(20, "Pipes and Beds"), NOBODYS], {}, None),
        ("download.pdf", [(20, LAMP), "Bo Smith", "Another lamp."], {}, None),
        ("download.pdf", [(20, "Reply to a Lamp That Reads for You"), "Ama Osei"], {}, None),
        ("download.pdf", [(20, "Beds"), f"Ama Osei wrote {LAMP}"], {"Title": "On Beds"}, None),
    ],
)
def test_a_title_of_the_library_on_the_first_page_names_its_paper(
    papertrack: Command, known: Path, tmp_path: Path, name: str, page: Any, info: Any, key: str
) -> None:
    make_pdf(tmp_path / name, page, **info)
    ran = papertrack("pdf", "add", tmp_path / name)
    assert ran.code == 0, ran.err
    with_pdf = json.loads(papertrack("list", "has:pdf", "--json").out)
    keys = [one["citekey"] for one in papers_of(papertrack)]
    assert [
        one["citekey"] for one in with_pdf if one["citekey"] in ("lamp", "drawer", "shelves")
    ] == ([key] if key else [])
    assert len(keys) == (3 if key else 4)


def test_a_pdf_whose_highlights_changed_is_of_the_same_paper(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    make_pdf(tmp_path / "x.pdf", HEAD)
    papertrack("pdf", "add", tmp_path / "x.pdf")
    make_pdf(tmp_path / "x.pdf", HEAD, ["A page more."])
    papertrack("pdf", "add", tmp_path / "x.pdf")
    assert [one["title"] for one in papers_of(papertrack)] == [LAMP]


def test_a_title_of_two_papers_names_none(papertrack: Command, known: Path, tmp_path: Path) -> None:
    (known / "more.bib").write_text(f"@misc{{more, title={{{NOBODYS}}}, year={{1999}}}}\n")
    papertrack("import", known / "more.bib")
    make_pdf(tmp_path / "x.pdf", [(20, NOBODYS)])
    ran = papertrack("pdf", "add", tmp_path / "x.pdf")
    assert (ran.code, "--to more" in ran.err, len(papers_of(papertrack))) == (1, True, 4), ran.err


def test_one_file_in_two_places_is_one_item(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    for name in ("a/x.pdf", "b/y.pdf"):
        make_pdf(tmp_path / "all" / name, HEAD)
    report = json.loads(papertrack("import", tmp_path / "all", "--json").out)
    assert (report["items"], report["imported"]) == (2, 2)
    assert [one["categories"] for one in papers_of(papertrack)] == [["a", "b"]]


def test_an_id_that_a_sentence_cites_is_not_that_of_the_pdf(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    cites = "We extend paging (Kwon et al., arXiv:2309.06180) to more cases."
    make_pdf(tmp_path / "x.pdf", [(20, "A Survey of Paging"), "Ann Author", cites])
    papertrack("pdf", "add", tmp_path / "x.pdf")
    assert [(one["title"], one["arxiv_id"]) for one in papers_of(papertrack)] == [
        ("A Survey of Paging", None)
    ]
