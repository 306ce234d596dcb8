"""What a new user met in six errands: counts, plurals, hints, narrow terminals, adding by hand."""

import json
from pathlib import Path

import pytest

from papertrack.cli import documents, looking, network, output
from papertrack.cli.session import Session
from papertrack.text import display_width
from tests.cli.commands import Command
from tests.timing import until


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (documents, output, looking):
        monkeypatch.setattr(module, "is_terminal", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.usefixtures("terminal", "shelf")
def test_a_list_that_was_cut_says_of_how_many(papertrack: Command) -> None:
    assert papertrack("list", "--limit", "2").err == "2 of 3 papers\n"
    assert papertrack("list", "--limit", "3").err == "3 papers\n"
    assert papertrack("list", "zero").err == "1 paper\n"


@pytest.mark.usefixtures("terminal", "shelf")
def test_a_list_keeps_to_the_width(papertrack: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in (36, 46, 60, 80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        head, *rows = papertrack("list").out.splitlines()
        assert all(display_width(row) <= columns for row in rows), columns
        assert ("date" in head) == (columns > 60)
        assert "Effici" in rows[0] or "Effici" in rows[-1]


@pytest.mark.usefixtures("terminal", "shelf")
def test_bars_make_way_for_the_names_of_categories(
    papertrack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns, has_bars in ((60, False), (100, True)):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown = papertrack("stats").out
        assert ("Systems/Serving" in shown, "░" in shown) == (True, has_bars)


@pytest.mark.usefixtures("terminal", "shelf")
def test_how_a_list_is_read_keeps_to_the_width(
    papertrack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = (
        f"- [A long title of work {n} " + "on words " * 4 + f"](https://arxiv.org/abs/2401.0000{n})"
        for n in range(5)
    )
    Path("list.md").write_text("# List\n\n" + "\n".join(rows) + "\n", encoding="utf-8")
    papertrack("import", "list.md")
    monkeypatch.setenv("COLUMNS", "60")
    (titles,) = (
        row
        for row in papertrack("documents", "list.md").out.splitlines()
        if row.startswith("  title  ")
    )
    assert display_width(titles) <= 60


@pytest.mark.usefixtures("shelf")
def test_what_was_skipped_is_quoted_in_brief(papertrack: Command) -> None:
    prose = "If you would like to test the reasoning of models, " * 6
    text = f"{prose} take a look at [Bench](https://github.com/some/bench) too."
    entry = "- [A title of a work](https://arxiv.org/abs/2401.00001)"
    Path("list.md").write_text(f"# List\n\n{entry}\n\n{text}\n", encoding="utf-8")
    said = papertrack("import", "list.md").err.splitlines()
    assert said[0].startswith("list.md:5: A link in running text is not an entry: If you")
    assert said[0].endswith("…")
    assert len(said[0]) < 180


def test_a_library_without_tags_says_how_to_add_one(papertrack: Command) -> None:
    papertrack("init", "empty")
    assert papertrack("--library", "empty", "tag").err.startswith("No tags: ")


@pytest.mark.usefixtures("shelf")
def test_a_message_about_many_papers_names_a_few(papertrack: Command) -> None:
    texts = [f"2501.{number:05}" for number in range(1, 13)]
    papertrack("add", *texts, "--inbox")
    said = papertrack("discard", *texts).err
    assert said.startswith("Discarded: arxiv2501.00001, ")
    assert said.endswith(" and 4 more.\n")


@pytest.mark.usefixtures("shelf")
def test_a_pass_after_the_third_is_said_to_be_one_more(papertrack: Command) -> None:
    for _ in range(3):
        papertrack("pass", "zero")
    assert papertrack("pass", "zero").err == "zero: pass 3 done again; it had 3 passes.\n"


@pytest.mark.usefixtures("shelf")
def test_undo_names_what_it_took_back(papertrack: Command) -> None:
    papertrack("category", "Systems/Serving", "--rename", "Inference")
    said = papertrack("undo").err
    assert said.startswith("Undone: category Systems/Serving renamed to Inference (action ")


@pytest.mark.usefixtures("shelf")
def test_a_paper_is_added_by_its_title_and_nobody_is_asked(papertrack: Command) -> None:
    said = papertrack(
        "add",
        *("--title", "Notes on {GPU} Caching"),
        *("--authors", "Ada Lovelace; Alan Turing", "--year", "2026"),
        *("--category", "Systems/Serving", "--tag", "notes"),
    )
    assert said.err.startswith("lovelace2026notes: added.")
    paper = json.loads(papertrack("show", "lovelace2026notes", "--json").out)
    assert (paper["title"], paper["year"]) == ("Notes on GPU Caching", 2026)
    assert paper["authors"] == ["Ada Lovelace", "Alan Turing"]
    assert (paper["tags"], paper["decision"]) == (["notes"], "saved")
    again = papertrack("add", "--title", "Notes on GPU caching")
    assert again.err == "lovelace2026notes: already there.\n"
    assert papertrack("undo").err.startswith("Undone: add lovelace2026notes")


@pytest.mark.usefixtures("shelf")
def test_a_described_paper_may_have_an_address(papertrack: Command) -> None:
    papertrack("add", "https://example.org/notes.pdf", "--title", "On Caching")
    paper = json.loads(papertrack("show", "On Caching", "--json").out)
    assert paper["url"] == "https://example.org/notes.pdf"
    assert papertrack("add", "https://example.org/notes.pdf").err.endswith("already there.\n")
    assert papertrack("add", "2501.00001", "2501.00002", "--title", "Two").code == 2
    assert papertrack("add", "--authors", "Ada Lovelace").code == 2
    assert papertrack("add").code == 2


@pytest.mark.usefixtures("shelf")
def test_what_only_looks_like_an_arxiv_id_is_not_searched(
    papertrack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAPERTRACK_ARXIV_OFFLINE")
    ran = papertrack("add", "2413.99999")
    assert ran.code == 2
    assert "2413.99999 is not an arXiv id" in ran.err


@pytest.mark.usefixtures("shelf")
def test_a_table_of_settings_is_listed(papertrack: Command, home: Path) -> None:
    keys = [line.split("\t")[0] for line in papertrack("config", "reading").out.splitlines()]
    assert keys
    assert all(key.startswith("reading.") for key in keys)


def test_what_takes_a_while_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    shown: list[str] = []

    class Line:
        task_ids = (0,)

        def add_task(self, doing: str, total: int | None) -> None:
            shown.append(doing)

        def start(self) -> None: ...

        def stop(self) -> None:
            shown.append("gone")

    monkeypatch.setattr(network, "_live_line", Line)
    with network.Progress(Session([]), "papers", "undoing", after=5):
        pass
    assert shown == []
    with network.Progress(Session([]), "papers", "undoing", after=0.01):
        until(lambda: shown)
    assert shown == ["undoing", "gone"]
