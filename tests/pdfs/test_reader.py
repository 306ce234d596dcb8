"""PDFs are read by a process of their own, and one that cannot be read stops no other."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from papertrack.pdfs import worker
from papertrack.pdfs.reader import PdfReader, UnreadablePdf
from tests.pdfs.made import make_pdf


def test_pages_and_what_the_file_says_of_itself(tmp_path: Path) -> None:
    make_pdf(tmp_path / "a.pdf", ["First page.", "Its end."], ["Second page."], Title="A Lamp")
    with PdfReader() as reader:
        text = reader.read(tmp_path / "a.pdf")
        first = reader.read(tmp_path / "a.pdf", first_page_only=True)
    assert text.pages == ("First page.\nIts end.", "Second page.")
    assert (text.page_count, text.info["Title"]) == (2, "A Lamp")
    assert (first.page_count, first.pages) == (2, ("First page.\nIts end.",))


def test_the_heading_is_what_stands_upright_in_the_tallest_letters(tmp_path: Path) -> None:
    lines = ["Preprint", (17, "Drawers and Lamps:"), (17, "A Study"), "Ama Osei", "It is dark."]
    make_pdf(tmp_path / "a.pdf", lines, turned="arXiv:2211.10002v1")
    make_pdf(tmp_path / "plain.pdf", ["All in letters", "of one height."])
    with PdfReader() as reader:
        headings = [
            reader.read(tmp_path / name, first_page_only=True).heading
            for name in ("a.pdf", "plain.pdf")
        ]
    assert headings == ["Drawers and Lamps: A Study", ""]


def test_drawn_letters_and_ligatures_are_text(tmp_path: Path) -> None:
    make_pdf(tmp_path / "a.pdf", ["The speci=cation", "of =les."], is_drawn=True)
    with PdfReader() as reader:
        pages = reader.read(tmp_path / "a.pdf").pages
    assert pages == ("The specification\nof files.",)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: make_pdf(path, ["It."], password="secret"), "is protected by a password"),
        (lambda path: path.write_bytes(b"%PDF-1.7 " + b"\xff" * 500), "is damaged"),
        (lambda path: path.write_bytes(b""), "is damaged"),
        (lambda path: os.mkfifo(path), "is not a plain file, or cannot be read"),
        (lambda path: None, "is not a plain file, or cannot be read"),
    ],
)  # fmt: skip
def test_one_that_cannot_be_read_stops_no_other(tmp_path: Path, make, reason: str) -> None:  # type: ignore[no-untyped-def]
    make(tmp_path / "bad.pdf")
    make_pdf(tmp_path / "good.pdf", ["It is read."])
    with PdfReader() as reader:
        with pytest.raises(UnreadablePdf, match=reason) as caught:
            reader.read(tmp_path / "bad.pdf")
        assert caught.value.reason == reason
        assert reader.read(tmp_path / "good.pdf").pages == ("It is read.",)


_BOMBS = {
    "memory": "data = 'x' * worker.MEMORY",
    "time": "while True: pass",
    "death": "import os; os.abort()",
    "nonsense": "sys.stdout.write('no JSON\\n')",
    "endless line": "while True: sys.stdout.write('x' * 100_000)",
}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limits of this kind")
@pytest.mark.parametrize("bomb", _BOMBS)
def test_a_worker_that_a_pdf_ends_is_started_again(
    tmp_path: Path, bomb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bomb goes off within the worker, in place of pdfium."""
    make_pdf(tmp_path / "good.pdf", ["It is read."])
    make_pdf(tmp_path / "bomb.pdf", ["It is not."])
    (tmp_path / "sitecustomize.py").write_text(
        f"""\
import os, sys
from papertrack.pdfs import worker
worker.SECONDS = 1
def opened(path, opened=worker.opened):
    if path.name == "bomb.pdf":
        {_BOMBS[bomb]}
    return opened(path)
worker.opened = opened
try:
    worker.main()
finally:
    os._exit(1)
"""
    )
    path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', Path(worker.__file__).parents[2])}"
    monkeypatch.setenv("PYTHONPATH", path)
    with PdfReader() as reader:
        assert reader.read(tmp_path / "good.pdf").pages == ("It is read.",)
        with pytest.raises(UnreadablePdf, match="more time or memory than a PDF may"):
            reader.read(tmp_path / "bomb.pdf")
        assert reader.read(tmp_path / "good.pdf").pages == ("It is read.",)


def test_what_lies_where_the_reader_works_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "papertrack").mkdir()
    (tmp_path / "papertrack" / "__init__.py").write_text("raise SystemExit('ran')")
    (tmp_path / "json.py").write_text("raise SystemExit('ran')")
    make_pdf(tmp_path / "a.pdf", ["It is read."])
    monkeypatch.chdir(tmp_path)
    with PdfReader() as reader:
        assert reader.read(Path("a.pdf")).pages == ("It is read.",)


def test_the_worker_writes_no_file(tmp_path: Path) -> None:
    probe = """
from papertrack.pdfs import worker
worker._limit()
with open("made", "w") as file:
    file.write("x")
"""
    ran = subprocess.run(
        [sys.executable, "-c", probe], cwd=tmp_path, capture_output=True, check=False
    )
    assert ran.returncode != 0
    assert (tmp_path / "made").read_bytes() == b""


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        ("e\ufb03cient \ufb02ow", "efficient flow"),
        ("con\ufffefiguration", "con\u00adfiguration"),
        ("one\r\ntwo\x00three\x1b[31m", "one\ntwo three [31m"),
        ("lone \ud800 half", "lone  half"),
    ],
)
def test_text_is_tidied(text: str, tidied: str) -> None:
    assert worker.tidy(text) == tidied


def test_a_file_says_no_more_than_a_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file may have thousands of pages that share one long text."""
    make_pdf(tmp_path / "a.pdf", *(["It is read."] for _ in range(9)))
    monkeypatch.setattr(worker, "MOST_LETTERS_OF_FILE", 30)
    monkeypatch.setattr(worker, "_limit", lambda: None)
    said = list(worker._answer(str(tmp_path / "a.pdf"), first=False))
    assert said[0]["pages"] == 9
    assert [part.get("text") for part in said[1:]] == [*["It is read."] * 3, None]
