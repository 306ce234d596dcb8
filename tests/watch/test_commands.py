"""``papertrack watch``, ``topic`` and ``digest``, as a user types them."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import threading
from datetime import date
from pathlib import Path

import pytest

from papertrack.cli.network import Progress
from tests.cli.commands import Command
from tests.fake_arxiv import FakeArxiv
from tests.watch.announced_days import announce, days, ordinary_day
from tests.watch.smtp_server import SmtpServer

MONDAY, TUESDAY = days(date(2026, 11, 16), 2)
pytestmark = pytest.mark.usefixtures("library")


@pytest.fixture
def library(
    fake_arxiv: FakeArxiv,
    papertrack: Command,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """The current folder as a library that asks the fake arXiv, on a Monday."""
    for day in (MONDAY, TUESDAY):
        announce(fake_arxiv.calendar, day, ordinary_day(day))
    for name, url in fake_arxiv.environment.items():
        monkeypatch.setenv(name, url)
    monkeypatch.setenv("PAPERTRACK_ARXIV_INTERVAL_SECONDS", "0")
    monkeypatch.delenv("PAPERTRACK_ARXIV_OFFLINE", raising=False)
    go_to(fake_arxiv, monkeypatch, MONDAY)
    assert papertrack("init", ".").code == 0
    return home


def go_to(fake: FakeArxiv, monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    fake.calendar.today = day
    monkeypatch.setenv("PAPERTRACK_NOW", f"{day}T03:17:00-05:00")


def add_topic(papertrack: Command) -> None:
    ran = papertrack("topic", "add", "decoding", "--query", "speculative", "--arxiv", "cs.LG,cs.CL")
    assert ran.code == 0, ran.err


def test_a_topic_can_be_added_listed_edited_paused_and_removed(papertrack: Command) -> None:
    add_topic(papertrack)
    ran = papertrack("topic", "edit", "decoding", "--category", "LLM/Decoding", "--no-cross")
    assert ran.code == 0
    papertrack("topic", "pause", "decoding")
    (listed,) = json.loads(papertrack("topic", "list", "--json").out)
    assert listed == {
        "name": "decoding",
        "query": "speculative",
        "arxiv_categories": ["cs.LG", "cs.CL"],
        "cross": False,
        "category": "LLM/Decoding",
        "paused": True,
        "added": "2026-11-16T08:17:00+00:00",
        "papers": 0,
        "last_found": None,
        "feeds": [],
        "waiting": [],
    }
    assert "decoding (paused)" in papertrack("topic", "list").out
    papertrack("topic", "resume", "decoding")
    assert papertrack("topic", "rm", "decoding", "--dry-run").code == 0
    assert papertrack("topic", "rm", "decoding").code == 0
    assert papertrack("topic", "list").out == ""
    assert papertrack("undo").code == 0
    assert "decoding" in papertrack("topic", "list").out
    assert papertrack("topic", "rm", "decodin").code == 3


def test_a_night_tells_its_numbers_and_leaves_digest_and_feed(papertrack: Command) -> None:
    assert papertrack("watch").code == 3, "there is no topic yet"
    add_topic(papertrack)
    plan = papertrack("watch", "--dry-run")
    assert "cs.LG" in plan.err
    ran = papertrack("watch")
    assert (ran.code, ran.out) == (0, "")
    assert "cs.LG: 5 announced, 5 new, 1 matched" in ran.err
    assert "1 new paper in the inbox." in ran.err
    assert "Speculative decoding on day 16" in Path("exports/digest/2026-11-16.md").read_text()
    assert "Speculative decoding on day 16" in Path("exports/inbox.atom").read_text()
    assert "Speculative decoding on day 16" in papertrack("list", "topic:decoding is:inbox").out
    assert "Speculative decoding on day 16" in papertrack("digest").out
    preview = papertrack("topic", "preview", "graphs", "--arxiv", "cs.LG")
    assert "matches 1 of 4 a day" in preview.err
    assert "Graphs that forget" in preview.out
    assert "also finds other forms" not in preview.err
    wider = papertrack("topic", "preview", "speculativ", "--arxiv", "cs.LG").err
    assert "speculativ* also finds other forms of the words: 1 match, not 0." in wider


def test_json_has_a_stable_shape(papertrack: Command) -> None:
    add_topic(papertrack)
    report = json.loads(papertrack("watch", "--json").out)
    assert report["day"] == "2026-11-16"
    assert (report["papers_new"], len(report["citekeys"])) == (1, 1)
    assert report["categories"][1] == {
        "category": "cs.LG",
        "state": "new",
        "announced": 5,
        "unseen": 5,
        "matched": 1,
        "failed": [],
        "last_new_id": "2611.01602",
    }
    assert (report["replaced"], report["missing"], report["warnings"]) == ([], [], [])
    status = json.loads(papertrack("watch", "status", "--json").out)
    assert [one["last_look"]["state"] for one in status["categories"]] == ["new", "new"]
    assert status["installed"] == []
    (topic,) = json.loads(papertrack("digest", "--format", "json").out)["topics"]
    assert topic["papers"][0]["reason"] == "speculative (title)"
    preview = json.loads(papertrack("topic", "preview", "speculative", "--json").out)
    assert preview["matched"] == 1


def test_the_digest_of_the_run_goes_where_it_is_told(library: Path, papertrack: Command) -> None:
    add_topic(papertrack)
    ran = papertrack("watch", "--digest", "html", "-o", "night.html")
    assert ran.code == 0
    assert "<!DOCTYPE html>" in (library / "night.html").read_text()
    assert papertrack("watch", "--digest", "text").out.startswith("New papers, 2026-11-16")
    assert "Speculative" in papertrack("digest", "--since", "7d", "--format", "md").out
    for odd in ("last week", "99999y"):
        assert papertrack("digest", "--since", odd).code == 2


@pytest.mark.parametrize("command", [("digest",), ("watch",)])
def test_a_digest_replaces_no_file_of_the_readers_unless_forced(
    library: Path, papertrack: Command, command: tuple[str, ...]
) -> None:
    add_topic(papertrack)
    arguments = (*command, "-o", "night.md")
    assert [papertrack(*arguments).code for _ in range(2)] == [0, 0]
    (library / "night.md").write_text("My own words.\n")
    refused = papertrack(*arguments)
    assert (refused.code, "--force" in refused.err) == (5, True)
    assert (library / "night.md").read_text() == "My own words.\n"
    assert papertrack(*arguments, "--force").code == 0
    assert (library / "night.md.before-1").read_text() == "My own words.\n"


def test_a_night_that_is_complete_is_not_asked_for_again_if_due(papertrack: Command) -> None:
    add_topic(papertrack)
    assert "in the inbox" in papertrack("watch", "--if-due").err
    again = papertrack("watch", "--if-due")
    assert (again.code, "there is nothing to do" in again.err) == (0, True)
    assert "in the inbox" in papertrack("watch").err


def test_a_partial_night_exits_4_and_says_what_failed(
    papertrack: Command,
    fake_arxiv: FakeArxiv,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_topic(papertrack)
    papertrack("watch")
    go_to(fake_arxiv, monkeypatch, TUESDAY)
    fake_arxiv.fail("feed", "rate")
    fake_arxiv.fail("site", "rate")
    ran = papertrack("watch")
    assert ran.code == 4
    assert "could not look" in ran.err
    assert "429" in ran.err
    status = papertrack("watch", "status")
    assert status.code == 4
    assert "could not look" in status.out
    assert "could not look" not in Path("exports/digest/2026-11-17.md").read_text()
    assert "429" in Path("exports/digest/2026-11-17.md").read_text()
    for options in (["-q"], ["-q", "--json"], ["--json"]):
        quiet = papertrack("watch", *options)
        assert quiet.code == 4
        assert quiet.err.startswith("papertrack: cs.CL, cs.LG: 127.0.0.1"), options
        assert quiet.err.count("\n") == 2, "a line for each of both hosts"


def test_a_stale_night_says_so_also_when_quiet(
    papertrack: Command, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_topic(papertrack)
    papertrack("watch")
    go_to(fake_arxiv, monkeypatch, TUESDAY)
    fake_arxiv.calendar.script[TUESDAY, "cs.CL"] = fake_arxiv.calendar.script[TUESDAY, "cs.LG"] = ()
    for category in ("cs.LG", "cs.CL"):
        fake_arxiv.calendar.feed_days[category] = MONDAY
    ran = papertrack("watch", "-q")
    assert (ran.code, ran.err) == (
        5,
        "papertrack: cs.CL, cs.LG: the list is older than it should be; the next run tries "
        "again.\n",
    )


def test_an_interrupted_watch_keeps_what_came_and_the_next_one_goes_on(
    papertrack: Command, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: Progress, done: int, total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    add_topic(papertrack)
    with monkeypatch.context() as patched:
        patched.setattr(Progress, "advance", interrupt)
        ran = papertrack("watch")
    assert (ran.code, ran.out) == (130, "")
    assert "What was fetched is kept, but not matched yet: the next run continues." in ran.err
    asked = {request.path for request in fake_arxiv.asked()}
    assert papertrack("watch").code == 0
    again = [request.path for request in fake_arxiv.asked() if request.path in asked]
    assert len(again) == len(asked), "nothing is asked for twice"
    assert "Speculative decoding on day 16" in papertrack("list", "is:inbox").out


def test_a_second_watch_at_the_same_time_says_so_and_exits_0(papertrack: Command) -> None:
    from filelock import FileLock

    add_topic(papertrack)
    Path("data/state").mkdir(parents=True, exist_ok=True)
    with FileLock("data/state/watch.lock"):
        ran = papertrack("watch")
    assert (ran.code, ran.out) == (0, "")
    assert "Another watch" in ran.err


def test_a_night_begins_although_somebody_asks_just_then_whether_it_is_at_work(
    papertrack: Command,
) -> None:
    from filelock import FileLock

    add_topic(papertrack)
    Path("data/state").mkdir(parents=True, exist_ok=True)
    lock = FileLock("data/state/watch.lock", thread_local=False)
    lock.acquire()
    threading.Timer(0.02, lock.release).start()
    assert "1 new paper in the inbox." in papertrack("watch").err


def test_a_watch_that_cannot_write_its_lock_says_where_and_asks_nothing(
    papertrack: Command, library: Path
) -> None:
    add_topic(papertrack)
    state = library / "data" / "state"
    shutil.rmtree(state, ignore_errors=True)
    state.write_text("in the way")
    ran = papertrack("watch")
    assert ran.code == 1
    assert f"{state} could not be written" in ran.err
    assert "No request was sent" in ran.err


def test_mail_is_sent_when_there_is_news_and_only_then(
    papertrack: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert papertrack("topic", "list").err == "No topics. `papertrack topic add` makes one.\n"
    add_topic(papertrack)
    assert "mail.host" in papertrack("watch", "--mail").err
    papertrack("config", "mail.host", "127.0.0.1")
    ran = papertrack("watch", "--mail")
    assert ran.code == 2
    assert "mail.to" in ran.err, "the one of both that is missing is named"
    with SmtpServer(login=("night", "secret")) as server:
        settings = {
            "mail.host": "127.0.0.1",
            "mail.port": str(server.port),
            "mail.security": "none",
            "mail.to": "reader@example.org",
            "mail.user": "night",
        }
        for key, value in settings.items():
            assert papertrack("config", key, value).code == 0
        monkeypatch.setenv("PAPERTRACK_MAIL_PASSWORD", "secret")
        assert papertrack("digest", "--mail", "--dry-run").err.startswith(
            "Dry run, nothing changed: "
        )
        assert papertrack("watch", "--mail").code == 0
        assert len(server.delivered) == 1
        assert papertrack("watch", "--mail").code == 0
        assert len(server.delivered) == 1, "nothing new, nothing sent"
        assert papertrack("digest", "--mail").code == 0
        assert len(server.delivered) == 2


@pytest.mark.parametrize(
    "options",
    [
        ("--systemd", "--at", "25:99"),
        ("--at", "03:17+05:00"),
        ("--cron", "--github", "--package", "papertrack-cli"),
        ("--cron", "--package", "papertrack-cli"),
    ],
)
def test_install_refuses_what_it_would_not_do(
    papertrack: Command, options: tuple[str, ...]
) -> None:
    assert papertrack("watch", "install", *options).code == 2


def test_a_mail_server_that_is_away_hides_nothing_of_what_the_run_found(
    papertrack: Command,
) -> None:
    add_topic(papertrack)
    for key, value in {
        "mail.host": "127.0.0.1",
        "mail.port": "1",
        "mail.to": "a@b.example",
    }.items():
        papertrack("config", key, value)
    ran = papertrack("watch", "--mail", "--json")
    assert ran.code == 4
    assert json.loads(ran.out)["papers_new"] == 1
    assert "127.0.0.1:1" in ran.err


def test_where_topics_look_by_default_is_checked_before_anything_is_asked(
    papertrack: Command, fake_arxiv: FakeArxiv
) -> None:
    papertrack("topic", "add", "decoding", "--query", "speculative")
    settings = Path("papertrack.toml")
    for value, complaint in {
        '["cs"]': "cs is a whole archive",
        '["cs.LX"]': "cs.LG (Machine Learning)",
        "[]": "neither does the setting watch.arxiv_categories",
    }.items():
        settings.write_text(f"[watch]\narxiv_categories = {value}\n")
        for command in (("watch",), ("topic", "preview", "graphs")):
            ran = papertrack(*command)
            assert ran.code == 2, value
            assert "watch.arxiv_categories" in ran.err
            assert complaint in ran.err
    assert fake_arxiv.asked() == []


def test_what_missed_days_brought_is_told_apart_from_the_quiet_day(
    papertrack: Command, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_topic(papertrack)
    papertrack("watch")
    go_to(fake_arxiv, monkeypatch, date(2026, 11, 21))
    ran = papertrack("watch")
    assert "cs.LG: nothing announced: weekend or holiday; other sources: 5 new, 1 m" in ran.err


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (["topic", "edit", "decoding"], "Name what to change"),
        (["digest", "--since", "2027-01-01"], "in the future"),
        (["watch", "--since", "2026-11-17"], "at arXiv it is still 2026-11-16"),
        (["topic", "backfill", "decoding", "--since", "2026-12"], "in the future"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    papertrack: Command, command: list[str], complaint: str
) -> None:
    add_topic(papertrack)
    ran = papertrack(*command)
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err


def test_a_topic_that_has_nowhere_to_look_is_not_made(library: Path, papertrack: Command) -> None:
    assert papertrack("topic", "add", "drafts", "--query", "draft").code == 0
    (library / "papertrack.toml").write_text("[watch]\narxiv_categories = []\n")
    refused = papertrack("topic", "add", "graphs", "--query", "graphs")
    assert (refused.code, "--arxiv cs.LG" in refused.err) == (2, True)
    stopped = papertrack("watch")
    assert (stopped.code, "The topic drafts" in stopped.err) == (2, True)


def test_a_digest_that_cannot_be_written_hides_nothing_of_what_the_run_found(
    papertrack: Command,
) -> None:
    add_topic(papertrack)
    ran = papertrack("watch", "--digest", "md", "-o", ".")
    assert ran.code == 1
    assert "1 new paper in the inbox" in ran.err
    assert "could not be written" in ran.err


def test_json_stays_json_beside_a_digest(library: Path, papertrack: Command) -> None:
    add_topic(papertrack)
    for output in ([], ["-o", "-"]):
        refused = papertrack("watch", "--json", "--digest", "md", *output)
        assert (refused.code, refused.out) == (2, "")
        assert "-o FILE" in refused.err
    ran = papertrack("watch", "--json", "--digest", "md", "-o", "today.md")
    assert json.loads(ran.out)["papers_new"] == 1
    assert "Speculative decoding" in (library / "today.md").read_text()


def test_backfill_counts_what_it_found(
    papertrack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPERTRACK_NOW", "2024-09-20T03:17:00-04:00")
    papertrack("topic", "add", "drafts", "--query", "draft", "--arxiv", "cs.LG")
    dry = papertrack("topic", "backfill", "drafts", "--since", "2024-07", "--dry-run")
    assert "3 months" in dry.err
    planned = papertrack("topic", "backfill", "drafts", "--since", "2024-07", "-n", "--json")
    assert json.loads(planned.out) == {"months": 3, "dry_run": True}
    ran = papertrack("topic", "backfill", "drafts", "--since", "2024-07", "--json")
    assert ran.code == 0
    told = json.loads(ran.out)
    assert told["papers_new"] == 1
    (shown,) = json.loads(papertrack("list", "topic:drafts", "--json").out)
    assert (told["citekeys"], told["ids"]) == ([shown["citekey"]], [shown["id"]])
    assert "draft model" in papertrack("list", "topic:drafts").out


def test_every_way_in_makes_keys_as_the_settings_say(
    papertrack: Command, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPERTRACK_CITEKEYS_TEMPLATE", "mine{year}")
    (library / "README.md").write_text("## A\n\n- [A Post](https://example.org/post)\n")
    add_topic(papertrack)
    for command in (
        "watch",
        "import README.md",
        "add 2403.00013",
        "add 2402.00011 --offline",
        "enrich 2402.00011",
        "search-arxiv semantics --add 1",
    ):
        assert papertrack(*command.split()).code == 0, command
    monkeypatch.setenv("PAPERTRACK_NOW", "2024-09-20T03:17:00-04:00")
    papertrack("topic", "add", "drafts", "--query", "draft", "--arxiv", "cs.LG")
    assert papertrack("topic", "backfill", "drafts", "--since", "2024-07").code == 0
    keys = [paper["citekey"] for paper in json.loads(papertrack("list", "--json").out)]
    assert len(keys) == 6
    assert [key for key in keys if not key.startswith("mine")] == []
    assert "Nothing to do" in papertrack("rekey").err


def test_install_shows_first_and_writes_only_when_told(
    library: Path,
    papertrack: Command,
) -> None:
    (library / ".git").mkdir()
    workflow = library / ".github/workflows/papertrack-watch.yml"
    github = ("--github", "--at", "03:17", "--package", "papertrack-cli")
    shown = papertrack("watch", "install", *github, "--dry-run")
    assert 'cron: "17 8,9,10,11,12,13,14 * * 1,2,3,4,5"' in shown.out
    assert papertrack("watch", "install", *github).code == 0
    assert not workflow.exists(), "nobody said yes"
    assert papertrack("watch", "install", *github, "--yes").code == 0
    assert workflow.exists()
    assert "github, 17 8,9,10,11,12,13,14 * * 1,2,3,4,5 UTC" in papertrack("watch", "status").err
    assert (
        "It is also scheduled with" not in papertrack("watch", "install", *github, "--dry-run").err
    )
    second = papertrack("watch", "install", "--launchd", "--dry-run")
    assert "It is also scheduled with github: `papertrack watch install --remove`" in second.err
    assert papertrack("watch", "uninstall", "--yes").code == 0
    assert not workflow.exists()
    assert papertrack("watch", "install", "--github", "--at", "soon").code == 2


def test_status_names_a_topic_that_has_nowhere_to_look(library: Path, papertrack: Command) -> None:
    add_topic(papertrack)
    assert papertrack("topic", "add", "drafts", "--query", "draft").code == 0
    (library / "papertrack.toml").write_text("[watch]\narxiv_categories = []\n")
    assert "papertrack topic edit drafts --arxiv" in papertrack("watch", "status").err
    (warning,) = json.loads(papertrack("watch", "status", "--json").out)["warnings"]
    assert "drafts" in warning
    assert "drafts" in papertrack("watch", "--dry-run").err


def test_what_kept_many_categories_from_being_looked_at_is_said_once_with_their_names(
    papertrack: Command, fake_arxiv: FakeArxiv
) -> None:
    assert (
        papertrack("topic", "add", "all", "--query", "a*", "--arxiv", "cs.AI,cs.CL,cs.LG").code == 0
    )
    for service in ("feed", "site"):
        fake_arxiv.fail(service, "html")
    ran = papertrack("watch")
    assert ran.code == 4
    for said in (ran.err, papertrack("watch", "status").err):
        assert said.count("answered 200 with 'text/html'") == 1
        assert "cs.AI, cs.CL, cs.LG: 127.0.0.1" in said


def test_a_digest_tells_nothing_new_from_could_not_look(
    papertrack: Command, fake_arxiv: FakeArxiv
) -> None:
    add_topic(papertrack)
    for service in ("feed", "site"):
        fake_arxiv.fail(service, "rate")
    assert papertrack("watch").code == 4
    assert "answered 429" in papertrack("digest").out
    assert any(
        "429" in note for note in json.loads(papertrack("digest", "--format", "json").out)["notes"]
    )


def test_a_digest_tells_nothing_new_from_never_looked(papertrack: Command) -> None:
    assert "There are no topics" in papertrack("digest").out
    add_topic(papertrack)
    assert "not fetched yet" in papertrack("digest").out
    assert papertrack("watch").code == 0
    said = papertrack("digest").out
    assert "not fetched yet" not in said
    assert "There are no topics" not in said


def test_status_tells_a_run_that_is_at_work_from_one_that_did_not_end_at_once(
    library: Path, papertrack: Command
) -> None:
    from filelock import FileLock

    add_topic(papertrack)
    assert papertrack("watch").code == 0
    assert "running since" not in papertrack("watch", "status").err
    with contextlib.closing(sqlite3.connect(library / "data/papertrack.db")) as base, base:
        base.execute("UPDATE watch_runs SET finished_at = NULL")
    with FileLock("data/state/watch.lock"):
        at_work = papertrack("watch", "status")
        assert (at_work.code, "did not finish" in at_work.err) == (0, False)
        assert "A watch has been running since 2026-11-16" in at_work.err
        assert "did not finish" not in papertrack("digest").out
    killed = papertrack("watch", "status")
    assert "running since" not in killed.err
    assert killed.code == 4
    assert "run `papertrack watch` again" in killed.err
    assert "did not finish" in papertrack("digest").out
    assert papertrack("watch").code == 0
    assert papertrack("watch", "status").code == 0


def test_a_category_that_fell_silent_is_told_by_a_quiet_watch_too(
    papertrack: Command, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_topic(papertrack)
    assert papertrack("-q", "watch").err == ""
    go_to(fake_arxiv, monkeypatch, date(2026, 11, 20))
    assert "cs.LG has had nothing new for 3 announcement days" in papertrack("-q", "watch").err


def test_status_goes_on_telling_the_nights_numbers_after_a_second_run(papertrack: Command) -> None:
    add_topic(papertrack)
    papertrack("watch")
    once = papertrack("watch", "status")
    assert once.out.count("5 announced, 5 new, 1 matched") == 1
    again = papertrack("watch")
    assert (again.code, "cs.LG: quiet: nothing new in the list\n" in again.err) == (0, True)
    twice = papertrack("watch", "status")
    news = "quiet: nothing new in the list (2026-11-16: 5 announced, 5 new, 1 matched)"
    assert news in twice.out
    told = json.loads(papertrack("watch", "status", "--json").out)["categories"][0]
    assert told["last_look"]["state"] == "quiet"
    assert told["last_look_with_news"]["day"] == "2026-11-16"
    assert told["last_look_with_news"]["matched"] == 1
    assert told["complete_since"] == "2026-11-16"
    assert "2026-11-16\t2026-11-16\t0" in twice.out


def test_what_a_new_topic_finds_looking_back_is_counted_though_the_list_is_quiet(
    papertrack: Command,
) -> None:
    add_topic(papertrack)
    papertrack("watch")
    papertrack("topic", "add", "graphs", "--query", "title:graphs", "--arxiv", "cs.LG")
    ran = papertrack("watch", "--since", "2026-11-16")
    assert "cs.LG: quiet: nothing new in the list; 2 matched" in ran.err


def test_status_without_a_topic_says_that_nothing_is_watched(papertrack: Command) -> None:
    status = papertrack("watch", "status")
    assert (status.code, status.out) == (0, "")
    assert "papertrack topic add" in status.err


def test_a_preview_asks_arxiv_for_days_that_are_not_kept(
    papertrack: Command, fake_arxiv: FakeArxiv
) -> None:
    none = papertrack("topic", "preview", "graphs", "--arxiv", "cs.LG")
    assert (none.code, "--since 7d" in none.err) == (0, True)
    assert fake_arxiv.asked() == []
    for day in days(date(2026, 11, 12), 2):
        announce(fake_arxiv.calendar, day, ordinary_day(day))
    ran = papertrack("topic", "preview", "graphs", "--arxiv", "cs.LG", "--since", "2026-11-12")
    assert "matches 1 of 4 a day (2 days)" in ran.err
    assert ran.out.count("Graphs that forget") == 2
    assert len(fake_arxiv.asked()) == 2
    # Nothing of it is kept: no topic finds it as new.
    assert "no announcements are stored" in papertrack("topic", "preview", "graphs").err
    fake_arxiv.fail("site", "server-error")
    away = papertrack("topic", "preview", "graphs", "--arxiv", "cs.LG", "--since", "7d")
    assert away.code == 4
    assert papertrack("topic", "preview", "(", "--since", "7d").code == 2
