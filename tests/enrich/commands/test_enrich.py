"""``papertrack enrich`` and ``papertrack suggestions``."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import ROOT, Command
from tests.fake_arxiv import FakeArxiv
from tests.timing import assert_seconds

SAMPLE = ROOT / "data" / "sample" / "README.md"


def papers(papertrack: Command) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(papertrack("list", "--json", "--all").out)
    return found


def test_the_sample_library_is_completed_in_one_request_and_then_left_alone(
    papertrack: Command, online: FakeArxiv, home: Path
) -> None:
    (home / "README.md").write_bytes(SAMPLE.read_bytes())
    papertrack("import", "README.md")
    assert papertrack("enrich").code == 0
    assert len(online.asked()) == 1
    for paper in papers(papertrack):
        if paper["arxiv_id"]:
            lacking = [
                key
                for key in "title authors abstract submitted updated version comment".split()
                if not paper[key]
            ]
            assert lacking == [], paper["citekey"]
            assert paper["primary_category"] == paper["arxiv_categories"][0]
    ran = papertrack("enrich")
    assert (ran.code, len(online.asked())) == (0, 1)
    assert ran.err.startswith("Nothing to do: ")
    papertrack("export")
    assert (home / "README.md").read_bytes() == SAMPLE.read_bytes()


def test_a_dry_run_asks_nothing(papertrack: Command, online: FakeArxiv) -> None:
    papertrack("add", "2301.00001", "https://example.org/post", "--offline")
    ran = papertrack("enrich", "--dry-run")
    assert ran.err == (
        "Dry run, nothing changed: 1 paper to look up, 1 without an id to look up.\n"
    )
    assert online.asked() == []


def test_what_could_not_be_asked_exits_4_and_the_next_run_goes_on(
    papertrack: Command, online: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("add", "2301.00001", "--offline")
    for service in ("api", "oai", "datacite"):
        online.fail(service, "rate-seconds", times=1)
    ran = papertrack("enrich", "--json")
    assert ran.code == 4
    assert "0 of 1 papers enriched" in ran.err
    assert "asks us to wait until 09:32 UTC. Run again then" in ran.err
    report = json.loads(ran.out)
    assert report["papers_waiting"] == 1
    assert report["retry_at"] == "2026-03-01T09:32:00+00:00"
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-03-01T09:33:00+00:00")
    report = json.loads(papertrack("enrich", "--json").out)
    assert (report["papers_enriched"], report["papers_waiting"]) == (1, 0)
    assert report["papers"][0]["source"] == "arxiv-api"


def test_an_interrupted_run_keeps_what_came(
    papertrack: Command, online: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("add", *(f"2301.{number:05}" for number in range(1, 61)), "--offline")
    from papertrack.cli.network import Progress

    def interrupt(self: Progress, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Progress, "advance", interrupt)
        ran = papertrack("enrich")
    assert ran.code == 130
    assert "50 papers enriched" in ran.err
    assert "The next run continues from here." in ran.err
    with monkeypatch.context() as patched:
        patched.setattr(Progress, "advance", interrupt)
        again = papertrack("enrich", "--refresh")
    assert again.code == 130
    assert "continues from here" not in again.err, "it would ask about all of them"
    assert "--refresh looks up all of them again" in again.err
    assert json.loads(papertrack("enrich", "--json").out)["papers_enriched"] == 10


def test_words_are_references_or_a_query(papertrack: Command, online: FakeArxiv) -> None:
    papertrack("add", "2301.00001", "2301.00002", "--tag", "moe", "--offline")
    papertrack("add", "2301.00003", "--offline")
    assert json.loads(papertrack("enrich", "tag:moe", "--json").out)["papers_enriched"] == 2
    assert json.loads(papertrack("enrich", "2301.00003", "--json").out)["papers_enriched"] == 1
    assert papertrack("enrich", "2301.00004").code == 3
    assert papertrack("enrich", "kwon2032efficent").err == (
        "Nothing to do: the library has no such paper.\n"
    )
    assert papertrack("enrich", "nosuchfield:x").code == 2


def test_sources_and_progress_are_told_in_a_pipe(papertrack: Command, online: FakeArxiv) -> None:
    papertrack("add", "2301.00001", "--offline")
    online.fail("api", "rate")
    ran = papertrack("-v", "enrich")
    assert "1 of 1 papers\n" in ran.err
    assert "1 paper enriched: 1 by arXiv's OAI-PMH.\n" in ran.err


def test_suggestions_are_listed_and_decided_by_number(
    papertrack: Command, online: FakeArxiv
) -> None:
    papertrack("add", "2401.00007")
    listed = json.loads(papertrack("suggestions", "--json").out)
    assert {(one["field"], one["suggested"]) for one in listed} == {
        ("code link", "https://github.com/example-lab/cafe-semantics"),
        ("venue", "ICLR 2024"),
    }
    numbers = {one["field"]: one["id"] for one in listed}
    ran = papertrack("suggestions", "--accept", numbers["venue"], "--reject", 999)
    assert ran.code == 3
    assert len(json.loads(papertrack("suggestions", "--json").out)) == 2
    ran = papertrack("suggestions", "--accept", numbers["venue"], "--dry-run")
    assert ran.err == "Dry run, nothing changed: 1 suggestion accepted.\n"
    papertrack("suggestions", "--accept", numbers["venue"])
    papertrack("suggestions", "2401.00007", "--reject-all")
    assert papertrack("suggestions").err == "No suggestions.\n"
    (paper,) = papers(papertrack)
    assert paper["venue"] == "ICLR 2024"
    assert [link["role"] for link in paper["links"]] == ["paper"]
    assert papertrack("suggestions", "--accept-all", "--reject-all").code == 2


def test_a_pipe_gets_the_whole_of_both_values(papertrack: Command, online: FakeArxiv) -> None:
    title = "A title of the reader's own that is longer than forty characters"
    papertrack("add", "2401.00007")
    papertrack("edit", "2401.00007", f"title={title}")
    papertrack("enrich", "2401.00007", "--refresh")
    assert title in papertrack("suggestions").out


def test_what_has_changed_since_it_was_read_is_shown_everywhere(
    papertrack: Command, online: FakeArxiv
) -> None:
    papertrack("add", "2405.00019")
    papertrack("pass", "2405.00019", "1", "--version", "1")
    assert "[v2, read v1] [withdrawn] " in papertrack("list").out
    shown = papertrack("show", "2405.00019").out
    assert "withdrawn" in shown
    assert "v2 is out, you read v1" in shown
    assert papertrack("list", "is:outdated is:withdrawn").out.count("\n") == 1


def test_another_title_of_a_paper_that_was_read_is_shown(
    papertrack: Command, online: FakeArxiv
) -> None:
    papertrack("add", "2405.00019", "--offline")
    papertrack("edit", "2405.00019", "title=What the workshop called it")
    papertrack("enrich")
    assert "retitled" not in papertrack("list").out
    papertrack("pass", "2405.00019", "1")
    assert "[retitled] [withdrawn] What the workshop called it" in papertrack("list").out
    assert "! arXiv has another title" in papertrack("show", "2405.00019").out
    papertrack("suggestions", "--accept-all")
    assert "retitled" not in papertrack("list").out


def _rest_of(screen: int) -> str:
    """All that was written to a pseudo-terminal whose other side is closed."""
    written = b""
    # A read gives a part of it, which may end within a character; Linux ends with an error.
    with contextlib.suppress(OSError):
        while part := os.read(screen, 65536):
            written += part
    return written.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_the_progress_is_a_live_line_on_stderr_only(
    papertrack: Command, online: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pty

    papertrack("add", *(f"2301.{number:05}" for number in range(1, 61)), "--offline")
    # Longer than a busy machine takes to store 50 papers: then something is left to wait.
    monkeypatch.setenv("PAPERTRACK_ARXIV_INTERVAL_SECONDS", "5")
    screen, terminal = pty.openpty()
    # A pseudo-terminal that nobody has sized is 0 columns wide.
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm"}
    done = subprocess.run(
        [sys.executable, "-m", "papertrack", "enrich", "--json"],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=environment,
        timeout=600,
        check=True,
    )
    os.close(terminal)
    shown = _rest_of(screen)
    os.close(screen)
    assert json.loads(done.stdout)["papers_enriched"] == 60
    assert "50 of 60" in shown
    assert re.search("waiting [0-5] s: one request per 5 seconds", shown)


@pytest.mark.parametrize(("arxiv_id", "authors"), [("2404.00017", 3000), ("2407.00029", 1)])
def test_three_thousand_authors_and_two_megabytes_are_shown_whole_and_at_once(
    papertrack: Command, online: FakeArxiv, arxiv_id: str, authors: int
) -> None:
    assert papertrack("add", arxiv_id).code == 0
    for arguments in (["show", arxiv_id], ["show", arxiv_id, "--json"], ["list", "--json"]):
        assert_seconds(2, lambda command=arguments: papertrack(*command))
    shown = papertrack("show", arxiv_id).out
    told = json.loads(papertrack("show", arxiv_id, "--json").out)
    (listed,) = json.loads(papertrack("list", "--json").out)
    assert (len(told["authors"]), listed["authors"]) == (authors, told["authors"])
    assert told["authors"][-1] in shown
    assert listed["abstract"] == told["abstract"]
    assert " ".join(told["abstract"].split()) in " ".join(shown.split())
