"""Starting: the first run, the browser, jobs in the background, terminals without Unicode."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from textual.events import Paste
from textual.widgets import Input

from papertrack.actions.online import pdf
from papertrack.cli.cite_server import owner_of
from papertrack.errors import UsageError
from papertrack.library import Library
from papertrack.queries.parser import parse_query
from papertrack.records import Paper
from papertrack.store.listing import find_ids
from papertrack.store.store import Store
from papertrack.store.watch.announcements import LOST, mark_day
from papertrack.tui import jobs
from papertrack.tui.app import has_unicode, serve
from papertrack.tui.first_run import FirstChoice, FirstRun
from papertrack.tui.jobs import IMPORT, JOBS
from papertrack.tui.session import Cancelled, Job, Progress, Session, run_job
from tests.pdfs.made import make_pdf

from .conftest import Open
from .test_hostile import HOSTILE, assert_is_harmless

Fill = Callable[..., list[int]]

README = """# Reading

| Title | Date |
|---|---|
| [Attention Is All You Need](https://arxiv.org/abs/1706.03762) | 2017/06 |
| [FlashAttention](https://arxiv.org/abs/2205.14135) | 2022/05 |
"""


async def test_the_first_run_imports_the_readme_that_is_here_in_two_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "README.md").write_text(README)
    (tmp_path / "a.bib").write_text("")
    monkeypatch.chdir(tmp_path)
    app = FirstRun(tmp_path, tmp_path / "personal")
    async with app.run_test() as pilot:
        await pilot.press("enter", "enter")
    assert app.return_value == FirstChoice(tmp_path, "README.md")


async def test_the_first_run_asks_where_and_what_to_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    app = FirstRun(tmp_path / "here", tmp_path / "personal")
    async with app.run_test() as pilot:
        await pilot.press("enter", *"pyproject.toml", "enter")
    assert app.return_value == FirstChoice(tmp_path / "here", "pyproject.toml")
    app = FirstRun(tmp_path / "here", tmp_path / "personal")
    async with app.run_test() as pilot:
        await pilot.press("down", "enter", "enter")
    assert app.return_value == FirstChoice(tmp_path / "personal", None)
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]


async def test_the_first_run_asks_again_for_a_file_that_there_is_not(tmp_path: Path) -> None:
    app = FirstRun(tmp_path / "[/]\x1b[31mhere", tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        assert_is_harmless(app.screen, (80, 24), "folder")
        await pilot.press("enter")
        for name in (*HOSTILE.values(), "~nobody-here/R.md", "R\x00.md", str(tmp_path)):
            app.query_one(Input).clear()
            app.post_message(Paste(name if name.strip() else "R.md"))
            await pilot.press("enter")
            assert "There is no file" in app.query_one("#question").visual.plain, name
            assert_is_harmless(app.screen, (80, 24), name)
        assert app.is_running
        app.query_one(Input).value = "pyproject.toml"
        await pilot.press("enter")
    assert app.return_value == FirstChoice(tmp_path / "[/]\x1b[31mhere", "pyproject.toml")


@pytest.mark.parametrize("keys", [["q"], ["end", "enter"]])
async def test_the_first_run_can_be_left(tmp_path: Path, keys: list[str]) -> None:
    app = FirstRun(tmp_path, tmp_path)
    async with app.run_test() as pilot:
        await pilot.press(*keys)
    assert app.return_value is None


async def test_a_readme_and_a_bib_file_are_imported_from_the_palette_and_undone(
    open_tui: Open, library: Library, tmp_path: Path
) -> None:
    readme, bib = tmp_path / "README.md", tmp_path / "mine.bib"
    readme.write_text(README)
    bib.write_text("@article{vaswani, title={Attention}, author={Vaswani, A.}, year={2017}}\n")
    async with open_tui() as tui:
        for path, told, number in ((readme, "2 new papers", 2), (bib, "1 new paper,", 1)):
            tui.app.start_job(IMPORT, str(path))
            await tui.settle()
            assert any(told in text for text in tui.toasts())
            tui.app.poll()
            await tui.settle()
            assert len(tui.screen.papers.ids) == number
            await tui.press("u")
            assert tui.screen.papers.ids == []


async def test_bibtex_is_exported_in_the_background(
    open_tui: Open, fill: Fill, library: Library
) -> None:
    fill(3, decision="saved")
    async with open_tui() as tui:
        tui.app.start_job(JOBS[-1])
        await tui.settle()
        assert (library.exports / "references.bib").read_text().count("@misc") == 3


async def test_documents_are_exported_in_the_background(open_tui: Open, tmp_path: Path) -> None:
    readme = tmp_path / "library" / "README.md"
    readme.parent.mkdir(exist_ok=True)
    readme.write_text(README)
    export = next(job for job in JOBS if job.name == "export")
    async with open_tui() as tui:
        tui.app.start_job(export)
        await tui.settle()
        assert tui.toasts()[-1].startswith("There is no document to export to")
        tui.app.start_job(IMPORT, str(readme))
        await tui.settle()
        tui.app.start_job(export)
        await tui.settle()
        assert tui.toasts()[-1].startswith("Nothing to do")


async def test_a_pdf_is_fetched_and_can_be_searched(
    open_tui: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    readme = tmp_path / "library" / "README.md"
    readme.parent.mkdir(exist_ok=True)
    readme.write_text(README)

    def fetch(door: object, paper: Paper, folder: Path) -> pdf.PaperPdf:
        _, path = pdf.plan_pdf(paper, folder)
        make_pdf(path, ["Heads are all one needs."])
        return pdf.PaperPdf(path, path.stat().st_size)

    monkeypatch.setattr(pdf, "fetch_pdf", fetch)
    monkeypatch.setattr(jobs, "_open_door", lambda session, progress: None)
    async with open_tui() as tui:
        tui.app.start_job(IMPORT, str(readme))
        await tui.settle()
        tui.app.start_job(jobs.PDF, "1706.03762")
        await tui.settle()
        assert tui.toasts()[-1].startswith("Fetched ")
        assert len(find_ids(tui.app.session.store, parse_query('text:"heads are all"'))) == 1
        tui.app.start_job(jobs.PDF, "1706.03762")
        await tui.settle()
        assert tui.toasts()[-1].startswith("The PDF is there: ")


async def test_fetching_without_a_topic_says_how_to_get_one(open_tui: Open) -> None:
    async with open_tui() as tui:
        await tui.press("R")
        assert "T makes one" in tui.toasts()[-1]


async def test_fetching_asks_arxiv_in_the_background_and_says_what_failed(
    open_tui: Open, store: Store, fill: Fill
) -> None:
    from papertrack.library.settings import Arxiv, Settings
    from papertrack.store.watch.topics import add_topic, attach_topic

    ids = fill(2)
    with store.action("topic"):
        topic_id = add_topic(store, "ring", "attention", arxiv_categories=("cs.LG",))
        attach_topic(store, ids[0], topic_id, reason="title: attention", score=1.0)
    settings = Settings(arxiv=Arxiv(offline=True))
    async with open_tui(settings=settings) as tui:
        assert "ring: title: attention" in tui.text()
        await tui.press("R")
        assert "arxiv.offline is on" in tui.toasts()[-1]
        assert tui.cursor_id == ids[0]


async def test_a_second_version_of_the_library_is_told(open_tui: Open, library: Library) -> None:
    library.database.with_name("papertrack.sync-conflict-20261120-081500-ABCDEFG.db").touch()
    async with open_tui() as tui:
        (toast,) = tui.toasts()
        assert toast.startswith("papertrack.sync-conflict-20261120-081500-ABCDEFG.db")


async def test_days_that_the_watch_has_lost_are_told_until_the_next_look(
    open_tui: Open, store: Store
) -> None:
    from papertrack.actions.watch.look import given_up
    from papertrack.store.watch.announcements import Look, finish_run, record_look, start_run
    from papertrack.store.watch.topics import add_topic

    with store.action("topic"):
        add_topic(store, "ring", "attention", arxiv_categories=("cs.LG",))

    def look(*failed: str) -> None:
        run_id = start_run(store, date(2026, 1, 9))
        record_look(store, run_id, Look("cs.LG", "new", unseen=1, failed=failed))
        finish_run(store, run_id)

    lost = [date(2026, 1, day) for day in (5, 6)]
    for day in lost:
        mark_day(store, "cs.LG", day, source=LOST, announced=0)
    look(given_up(lost[1]))
    async with open_tui() as tui:
        assert tui.toasts() == [
            "cs.LG: the announcements of 2026-01-05, 2026-01-06 are lost: no source has them any "
            "more. `papertrack watch --topic NAME --since DAY` searches for papers of that time."
        ]
    look()
    async with open_tui() as tui:
        assert tui.toasts() == []


async def test_a_watch_that_did_not_end_is_told(open_tui: Open, store: Store) -> None:
    from papertrack.store.watch.announcements import start_run
    from papertrack.store.watch.topics import add_topic

    with store.action("topic"):
        add_topic(store, "ring", "attention", arxiv_categories=("cs.LG",))
    run_id = start_run(store, date(2026, 1, 5))
    store.connection.execute(
        "UPDATE watch_runs SET at = '2026-01-05T08:17:00+00:00' WHERE id = ?", (run_id,)
    )
    async with open_tui() as tui:
        (told,) = tui.toasts()
        assert "did not finish" in told
        assert "run `papertrack watch` again" in told


async def test_toasts_make_room_for_each_other_but_errors_stay(open_tui: Open) -> None:
    async with open_tui() as tui:
        tui.app.say("a fault", is_error=True)
        for number in range(5):
            tui.app.say(f"told {number}")
            await tui.settle()
        assert tui.toasts() == ["a fault", "told 2", "told 3", "told 4"]


async def test_a_job_that_fails_says_why(open_tui: Open) -> None:
    async with open_tui() as tui:
        tui.app.start_job(IMPORT, "/nowhere.md")
        await tui.settle()
        assert tui.toasts() == ["There is no file /nowhere.md. Check the name."]
        assert tui.app.jobs == {}
        await tui.press("X")
        assert tui.toasts()[-1] == "Nothing is running in the background."


async def test_a_cancelled_job_changes_nothing(open_tui: Open, fill: Fill, store: Store) -> None:
    ids = fill(3)
    progress = Progress()

    def work(session: object, store: Store, answer: str, progress: Progress) -> str:
        with store.action("work"):
            store.connection.execute("UPDATE paper_states SET decision = 'discarded'")
            progress.cancelled.set()
            store.connection.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                "SELECT count(*) FROM n"
            ).fetchone()
        return "never"

    async with open_tui() as tui:
        with pytest.raises(Cancelled, match="cancelled"):
            run_job(Job("work", "Work", None, work), tui.app.session, "", progress)
        assert {tui.state(i)[0] for i in ids} == {"inbox"}


async def test_the_palette_narrows_to_a_topic_or_tag_and_has_jobs_on_a_paper_too(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    from papertrack.store.states import add_tags
    from papertrack.store.watch.topics import add_topic, attach_topic

    ids = fill()
    with store.action("topic"):
        topic_id = add_topic(store, "experts", "roofline", arxiv_categories=("cs.LG",))
        attach_topic(store, ids[1], topic_id, reason="roofline (title)", score=1.0)
        add_tags(store, [ids[2]], ["moe"])
    async with open_tui() as tui:
        for typed, found in (("tag: moe (1)", ids[2]), ("topic: experts (1)", ids[1])):
            await tui.press("ctrl+p")
            await tui.type(typed)
            await tui.press("down", "enter")
            assert tui.screen.papers.ids == [found]
        await tui.press("enter", "ctrl+p")
        await tui.type("complete papers from arxiv")
        assert "Complete papers from arXiv" in tui.text()


def test_the_browser_is_served_on_this_machine_only_unless_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served: list[object] = []

    class Server:
        def __init__(self, command: str, **where: object) -> None:
            served.append((command, where["host"], where["port"]))

        def serve(self) -> None:
            served.append("serving")

    monkeypatch.setattr("papertrack.tui.serving.GuardedServer", Server)
    with pytest.raises(UsageError, match="change the library"):
        serve(["papertrack", "tui"], host="0.0.0.0", port=8000, owner_of=owner_of)
    assert served == []
    serve(["papertrack", "a b"], host="127.0.0.1", port=8001, owner_of=owner_of)
    serve(["papertrack"], host="0.0.0.0", port=8002, owner_of=owner_of, is_exposed=True)
    assert served == [
        ("papertrack 'a b'", "127.0.0.1", 8001),
        "serving",
        ("papertrack", "0.0.0.0", 8002),
        "serving",
    ]


def test_in_a_pipe_it_says_that_it_needs_a_terminal(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    from papertrack.cli.app import run

    assert run(["--library", str(library.root), "tui"]) == 2
    assert "needs a terminal" in capsys.readouterr().err


def test_serving_without_its_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)
    monkeypatch.delitem(sys.modules, "papertrack.tui.serving", raising=False)
    with pytest.raises(UsageError, match="pip install"):
        serve(["papertrack"], host="127.0.0.1", port=8000, owner_of=owner_of)


@pytest.mark.parametrize(
    ("term", "encoding", "is_unicode"),
    [
        ("xterm-256color", "utf-8", True),
        ("xterm", "ascii", False),
        ("linux", "UTF-8", False),
        ("dumb", "utf-8", False),
    ],
)
def test_unicode_is_used_where_the_terminal_has_it(
    term: str, encoding: str, is_unicode: bool
) -> None:
    assert has_unicode({"TERM": term}, encoding) is is_unicode


async def test_leaving_tells_which_job_is_waited_for_and_waits_for_it(open_tui: Open) -> None:
    began, cancelled = threading.Event(), []

    def work(session: Session, store: Store, answer: str, progress: Progress) -> str:
        began.set()
        cancelled.append(progress.cancelled.wait(60))
        return "done"

    async with open_tui() as tui:
        tui.app.start_job(Job("work", "Work", None, work))
        await tui.until(began.is_set)
        tui.app.exit()
    told: list[str] = []
    tui.app.end_jobs(told.append)
    assert told == ["Stopping what runs in the background: work …"]
    assert cancelled == [True]
