"""Highlights of a PDF come into the paper's note, and stay in step with it."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Command
from tests.cli.conftest import furnish
from tests.pdfs.made import make_pdf
from tests.pdfs.marked import RED, boxes, highlight, mark, unmark

LAMPS = "2301.00007"
LINES = ["Lamps are bright, and their", "switches are old.", "Drawers are dark."]


@pytest.fixture
def pdf(papertrack: Command, home: Path, made_shelf: Path) -> Path:
    """The PDF of the one paper of a library, without any highlight."""

    def lamps() -> None:
        papertrack("init")
        (home / "list.md").write_text(f"# L\n\n- [Lamps](https://arxiv.org/abs/{LAMPS})\n")
        papertrack("import", home / "list.md")
        key = json.loads(papertrack("list", "--json").out)[0]["citekey"]
        make_pdf(home / f"pdfs/{key}.pdf", LINES, ["A second page."])

    furnish(home, made_shelf, lamps)
    (path,) = (home / "pdfs").iterdir()
    return path


def marks(pdf: Path, phrase: str, page: int = 1, **more: Any) -> None:
    """Highlight a phrase."""
    mark(pdf, page, highlight(boxes(pdf, page, phrase), **more))


def note_of(papertrack: Command) -> Path:
    return Path(papertrack("note", LAMPS, "--print").out.strip())


def noted(papertrack: Command, *options: str) -> dict[str, Any]:
    ran = papertrack("note", LAMPS, "--highlights", "--json", *options)
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def counts(found: dict[str, Any]) -> tuple[int, ...]:
    return tuple(found[name] for name in ("added", "changed", "removed", "kept", "left_out"))


def parts_of(found: dict[str, Any], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(one[name] for name in names) for one in found["highlights"]]


def test_highlights_come_with_page_colour_and_comment(papertrack: Command, pdf: Path) -> None:
    marks(pdf, "second page", page=2, colour=RED)
    marks(pdf, "are bright", Contents="Really?")
    ran = papertrack("note", LAMPS, "--highlights")
    assert ran.code == 0, ran.err
    assert "2 highlights, 2 added" in ran.err
    text = note_of(papertrack).read_text()
    assert text.index("> are bright") < text.index("Really?") < text.index("> second page")
    assert "*page 1, highlight, yellow*" in text
    assert "*page 2, highlight, red*" in text
    assert counts(noted(papertrack)) == (0, 0, 0, 0, 0)
    assert note_of(papertrack).read_text() == text
    assert json.loads(papertrack("list", "note:bright", "--json").out)


def test_undo_and_redo_bring_the_note_back(papertrack: Command, pdf: Path) -> None:
    note = note_of(papertrack)
    before = note.read_text()
    marks(pdf, "are bright")
    noted(papertrack)
    after = note.read_text()
    assert "as it was" in papertrack("undo").err
    assert note.read_text() == before
    papertrack("redo")
    assert note.read_text() == after
    assert "highlights" in papertrack("log", LAMPS).out
    papertrack("undo")
    assert not json.loads(papertrack("list", "note:bright", "--json").out)
    noted(papertrack)
    assert note.read_text() == after
    assert "highlight" not in papertrack("show", LAMPS, "--raw").out


def test_a_dry_run_shows_the_difference(papertrack: Command, pdf: Path) -> None:
    marks(pdf, "are bright")
    ran = papertrack("note", LAMPS, "--highlights", "--dry-run")
    assert "+> are bright" in ran.out
    assert "Dry run, nothing changed" in ran.err
    assert not list(pdf.parent.parent.glob("notes/*"))
    assert noted(papertrack, "--dry-run")["added"] == 1
    assert not list(pdf.parent.parent.glob("notes/*"))
    assert noted(papertrack)["added"] == 1


def test_what_changes_in_the_pdf_changes_in_the_note(papertrack: Command, pdf: Path) -> None:
    marks(pdf, "are bright", NM="a", Contents="Why?")
    marks(pdf, "switches", NM="b")
    marks(pdf, "Drawers", NM="c")
    noted(papertrack)
    note = note_of(papertrack)
    note.write_text(note.read_text().replace("> Drawers\n", "> Drawers\n\nMine.\n"))
    unmark(pdf, "a", "b", "c")
    marks(pdf, "are bright, and their", Contents="How?")
    found = noted(papertrack)
    assert counts(found) == (0, 1, 1, 1, 0)
    text = note.read_text()
    assert "> are bright, and their\n\nHow?\n" in text
    assert "> switches" not in text
    assert "> Drawers\n\nMine.\n" in text
    assert parts_of(found, "page", "colour", "text", "comment") == [
        (1, "yellow", "are bright, and their", "How?")
    ]


def test_a_highlight_is_followed_to_another_page(papertrack: Command, pdf: Path) -> None:
    marks(pdf, "are bright")
    noted(papertrack)
    note = note_of(papertrack)
    note.write_text(note.read_text().replace("> are bright\n", "> are bright\nMine.\n"))
    make_pdf(pdf, ["A new first page."], LINES)
    marks(pdf, "are bright", page=2)
    assert counts(noted(papertrack)) == (0, 1, 0, 0, 0)
    assert "*page 2, highlight" in note.read_text()
    assert "> are bright\n\nMine.\n" in note.read_text()


def test_a_quote_that_was_deleted_in_the_note_stays_away(papertrack: Command, pdf: Path) -> None:
    marks(pdf, "are bright")
    marks(pdf, "Drawers")
    noted(papertrack)
    note = note_of(papertrack)
    lines = note.read_text().split("\n")
    at = lines.index("> Drawers")
    note.write_text("\n".join(lines[: at - 2] + lines[at + 2 :]))
    assert counts(noted(papertrack)) == (0, 0, 0, 0, 1)
    assert "Drawers" not in note.read_text()


def test_a_section_that_was_deleted_stays_away_until_it_is_asked_for(
    papertrack: Command, pdf: Path
) -> None:
    marks(pdf, "are bright")
    noted(papertrack)
    note = note_of(papertrack)
    whole = note.read_text()
    own = whole[: whole.index("## Highlights")]
    note.write_text(own)
    assert counts(noted(papertrack)) == (0, 0, 0, 0, 1)
    assert note.read_text() == own
    marks(pdf, "Drawers")
    assert counts(noted(papertrack)) == (1, 0, 0, 0, 1)
    assert "> are bright" not in note.read_text()
    assert "--all brings them back" in papertrack("note", LAMPS, "--highlights").err
    assert counts(noted(papertrack, "--all")) == (1, 0, 0, 0, 0)
    assert note.read_text().index("> are bright") < note.read_text().index("> Drawers")
    assert papertrack("note", LAMPS, "--all").code == 2


@pytest.mark.parametrize("fate", ["away", "damaged"])
def test_quotes_of_a_pdf_that_cannot_be_read_now_stay(
    papertrack: Command, pdf: Path, tmp_path: Path, fate: str
) -> None:
    other = tmp_path / "disk/other.pdf"
    make_pdf(other, [f"arXiv:{LAMPS}v2 [cs.LG]"], LINES, ["Shelves are long."])
    marks(other, "Shelves", page=3)
    marks(pdf, "are bright", NM="a")
    papertrack("pdf", "add", other)
    assert noted(papertrack)["added"] == 2
    kept = other.read_bytes()
    if fate == "away":
        other.rename(tmp_path / "gone.pdf")
    else:
        other.write_bytes(b"%PDF-1.7 nonsense")
    unmark(pdf, "a")
    marks(pdf, "Drawers")
    found = noted(papertrack)
    assert counts(found) == (1, 0, 1, 0, 0)
    told = "other.pdf is no longer there" if fate == "away" else "is damaged"
    assert told in found["unread"][0]
    assert re.findall(r"> (.*)", note_of(papertrack).read_text()) == ["Drawers", "Shelves"]
    other.write_bytes(kept)
    assert counts(noted(papertrack)) == (0, 0, 0, 0, 0)
    make_pdf(other, [f"arXiv:{LAMPS}v2 [cs.LG]"])
    assert counts(noted(papertrack)) == (0, 0, 1, 0, 0)


def test_a_colour_means_what_the_settings_say(papertrack: Command, pdf: Path) -> None:
    marks(pdf, "are bright")
    noted(papertrack)
    papertrack("config", "highlights.yellow", "contribution *1*")
    found = noted(papertrack)
    assert counts(found) == (0, 1, 0, 0, 0)
    assert found["highlights"][0]["meaning"] == "contribution *1*"
    assert r"*page 1, highlight, yellow: contribution \*1\**" in note_of(papertrack).read_text()


def test_quotes_in_a_note_of_several_papers_name_theirs(
    papertrack: Command, pdf: Path, home: Path
) -> None:
    papertrack("edit", LAMPS, "citekey=lamps_1", "note=notes/all.md")
    papertrack("add", "--title", "Drawers")
    papertrack("edit", "Drawers", "citekey=drawers", "note=notes/all.md")
    make_pdf(home / "pdfs/drawers.pdf", ["Drawers in another one."])
    marks(pdf, "are bright")
    marks(home / "pdfs/drawers.pdf", "another one", Contents="Mine.")
    papertrack("config", "highlights.yellow", "claim")
    for key in (LAMPS, "drawers"):
        assert papertrack("note", key, "--highlights").code == 0
    text = note_of(papertrack).read_text()
    assert "*page 1, highlight of lamps\\_1, yellow: claim* <!--" in text
    assert "*page 1, highlight of drawers, yellow: claim* <!--" in text
    rows = json.loads(papertrack("table", "", "-c", "key,claim", "--json").out)["rows"]
    assert {row["key"]: row["claim"] for row in rows} == {
        "lamps_1": "are bright",
        "drawers": "another one Mine.",
    }
    papertrack("edit", LAMPS, "citekey=lamps")
    rows = json.loads(papertrack("table", "citekey:lamps", "-c", "claim", "--json").out)["rows"]
    assert rows == [{"claim": "are bright"}]


def test_a_strangers_words_are_no_markup(papertrack: Command, pdf: Path) -> None:
    marks(
        pdf,
        "are bright",
        Contents="![x](http://a.b/c) <script>x</script>\n<!-- end of highlights -->",
    )
    noted(papertrack)
    text = note_of(papertrack).read_text()
    assert r"!\[x\](http://a.b/c) \<script\>" in text
    assert r"\<!-- end of highlights --\>" in text
    assert counts(noted(papertrack)) == (0, 0, 0, 0, 0)


def test_without_pdf_or_highlight_there_is_nothing_to_note(papertrack: Command, pdf: Path) -> None:
    ran = papertrack("note", LAMPS, "--highlights")
    assert "no highlight" in ran.err
    assert not list(pdf.parent.parent.glob("notes/*"))
    pdf.write_bytes(b"%PDF-1.7 nonsense")
    assert "is damaged" in papertrack("note", LAMPS, "--highlights").err
    pdf.unlink()
    ran = papertrack("note", LAMPS, "--highlights")
    assert ran.code == 3
    assert "has no PDF" in ran.err


def test_a_note_that_is_no_text_is_left_alone(papertrack: Command, pdf: Path) -> None:
    marks(pdf, "are bright")
    note = note_of(papertrack)
    note.write_bytes(b"\xff\xfe mine")
    assert papertrack("note", LAMPS, "--highlights").code == 1
    assert note.read_bytes() == b"\xff\xfe mine"


def test_after_open_what_was_highlighted_is_in_the_note(
    papertrack: Command, pdf: Path, tmp_path: Path
) -> None:
    """The viewer highlights, and ends."""
    highlighted = pdf.read_bytes()
    marks(pdf, "are bright")
    highlighted, plain = pdf.read_bytes(), highlighted
    pdf.write_bytes(plain)
    (tmp_path / "new.pdf").write_bytes(highlighted)
    viewer = f"{sys.executable} -c 'import shutil, sys; shutil.copy(*sys.argv[1:])' "
    papertrack("config", "pdf_viewer", f"{sys.executable} -c ''")
    assert papertrack("open", LAMPS, "--pdf").code == 0
    assert not list(pdf.parent.parent.glob("notes/*"))
    papertrack("config", "pdf_viewer", f"{viewer} {tmp_path / 'new.pdf'}")
    ran = papertrack("open", LAMPS, "--pdf")
    assert (ran.code, "1 added" in ran.err) == (0, True), ran.err
    assert "> are bright" in note_of(papertrack).read_text()
    assert "highlight" not in papertrack("open", LAMPS, "--pdf").err


def test_a_record_that_a_stranger_made_is_no_record(papertrack: Command, pdf: Path) -> None:
    """A library that was exported may say anything of highlights that were read."""
    marks(pdf, "are bright")
    noted(papertrack)
    papertrack("export", "--json", "-o", "whole.json")
    whole = json.loads(Path("whole.json").read_text())
    for one in whole[0]["originals"]:
        one["text"] = '{"made": {}, "highlights": {"x": [1, 2], "y": 3}}'
    Path("whole.json").write_text(json.dumps(whole))
    other = pdf.parent.parent / "other"
    papertrack("init", other)
    papertrack("--library", other, "import", "whole.json")
    make_pdf(other / "pdfs" / pdf.name, LINES)
    marks(other / "pdfs" / pdf.name, "Drawers")
    ran = papertrack("--library", other, "note", LAMPS, "--highlights")
    assert (ran.code, "1 added" in ran.err) == (0, True), ran.err
