"""Phrases in PDFs: found as they are typed, each page beside its paper, and opened from there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from papertrack.library import Library
from papertrack.library.settings import Settings
from papertrack.store.lookup import get_papers
from papertrack.store.pdfs import open_index
from papertrack.store.store import Store
from tests.pdfs.made import make_pdf

from .conftest import Open

Fill = Callable[..., list[int]]


@pytest.fixture
def ids(library: Library, store: Store, fill: Fill) -> list[int]:
    """Three papers, the PDFs of two of them with a phrase."""
    ids = fill(3)
    first, second, _ = (paper.citekey for paper in get_papers(store, ids))
    make_pdf(library.pdfs / f"{first}.pdf", ["Of lamps."], ["The acceptance rate is high. It."])
    make_pdf(library.pdfs / f"{second}.pdf", ["An acceptance rate [/i] of 0.8.", "No."])
    return ids


async def test_new_pdfs_are_read_at_the_start_and_once(open_tui: Open, ids: list[int]) -> None:
    async with open_tui() as tui:
        assert any("2 PDFs read: 3 pages" in toast for toast in tui.toasts())
    async with open_tui() as tui:
        assert tui.toasts() == []


async def test_without_pdfs_nothing_is_made(open_tui: Open, library: Library, fill: Fill) -> None:
    fill(3)
    async with open_tui() as tui:
        assert tui.toasts() == []
    assert not library.database.with_name("pdf-texts.db").exists()


async def test_reading_at_the_start_goes_on_where_it_was_cancelled(
    open_tui: Open, store: Store, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from papertrack.pdfs import reader

    async with open_tui():
        pass
    with open_index(store) as index:
        names = sorted(index.known())
        index.remove(names[:1])
    read: list[Path] = []
    whole = reader.PdfReader.read

    def reads(self: reader.PdfReader, path: Path, **how: bool) -> reader.PdfText:
        read.append(path)
        return whole(self, path, **how)

    monkeypatch.setattr(reader.PdfReader, "read", reads)
    async with open_tui() as tui:
        assert any("1 PDF read" in toast for toast in tui.toasts())
    assert [path.name for path in read] == [Path(names[0]).name]


async def test_the_pages_stand_beside_the_paper(open_tui: Open, ids: list[int]) -> None:
    async with open_tui() as tui:
        await tui.press("slash")
        await tui.type('text:"acceptance rate"')
        await tui.press("enter")
        assert tui.screen.papers.ids == ids[:2]
        assert "In its PDF" in tui.text()
        assert "page 2  The acceptance rate is high." in tui.text()
        await tui.press("j")
        assert "page 1  An acceptance rate [/i] of 0.8." in tui.text()
        assert "page 2" not in tui.text()
        await tui.press("a")
        assert "Abstract" in tui.text()
        assert "In its PDF" not in tui.text()
        await tui.press("a", "escape")
        assert "In its PDF" not in tui.text()
        assert "We present schedule 1" in tui.text()


async def test_a_paper_is_shown_with_those_that_it_cites_and_that_cite_it(
    open_tui: Open, store: Store, library: Library, ids: list[int]
) -> None:
    first, second, third = get_papers(store, ids)
    cited = [f"arXiv:{paper.facts.identifier('arxiv')}." for paper in (first, third)]
    make_pdf(library.pdfs / f"{second.citekey}.pdf", ["Lamps.", "References", *cited])
    async with open_tui(size=(200, 60)) as tui:
        await tui.press("enter")
        await tui.until(lambda: "Cited by" in tui.text())
        assert "Cites" not in tui.text()
        await tui.press("J")
        await tui.until(lambda: "Cites" in tui.text())
        assert "Cited by" not in tui.text()


async def test_enter_opens_the_pdf_at_the_page(
    open_tui: Open, ids: list[int], tmp_path: Path
) -> None:
    out = tmp_path / "opened"
    write = f"import sys; open({str(out)!r}, 'w').write(' '.join(sys.argv[1:]))"
    viewer = f'{sys.executable} -c "{write}" --page {{page}}'
    async with open_tui(settings=Settings(pdf_viewer=viewer)) as tui:
        await tui.press("slash")
        await tui.type("text:acceptance*")
        await tui.press("enter", "enter", "enter")
        await tui.until(lambda: out.exists() and out.read_text() != "")
        assert out.read_text().startswith("--page 2 ")
        assert out.read_text().endswith(".pdf")
        await tui.press("escape", "d")
        assert tui.state(ids[0]) == ("discarded", 0)
        await tui.press("escape")
        assert tui.screen.selection.typed == ""


async def test_a_viewer_that_is_not_there_is_told(open_tui: Open, ids: list[int]) -> None:
    async with open_tui(settings=Settings(pdf_viewer="/nowhere/viewer")) as tui:
        await tui.press("slash")
        await tui.type("text:acceptance")
        await tui.press("enter", "enter", "enter")
        assert any("No viewer could be started" in toast for toast in tui.toasts())
