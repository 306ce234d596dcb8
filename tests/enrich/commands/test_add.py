"""``papertrack add``, ``search-arxiv`` and ``pdf`` with arXiv at hand, or not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.commands import Command
from tests.fake_arxiv import FakeArxiv
from tests.pdfs.made import make_pdf
from tests.pdfs.marked import boxes, highlight, mark


def test_a_paper_is_added_with_its_record_and_its_proper_key(
    papertrack: Command, online: FakeArxiv
) -> None:
    report = json.loads(papertrack("add", "2401.00007v1", "--json").out)
    assert report["papers"][0]["citekey"] == "capek2024cafe"
    assert report["papers"][0]["is_waiting"] is False
    assert len(online.asked()) == 1
    assert papertrack("add", "2401.00007").code == 0
    assert papertrack("enrich").err.startswith("Nothing to do")
    assert len(online.asked()) == 1


@pytest.mark.parametrize("fault", ["rate", "html", "cut", "silent", "reset"])
def test_adding_never_fails_because_arxiv_does(
    fault: str, papertrack: Command, online: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papertrack.cli.adding.ASK_SECONDS", 0.5)
    for service in ("api", "oai", "datacite"):
        online.fail(service, fault)
    ran = papertrack("add", "2401.00007")
    assert ran.code == 0
    assert "arxiv2401.00007: added." in ran.err
    assert "Complete arxiv2401.00007 later with `papertrack enrich`." in ran.err


def test_what_names_a_work_is_added_even_if_a_title_cannot_be_searched(
    papertrack: Command, online: FakeArxiv
) -> None:
    for service in ("api", "oai", "datacite"):
        online.fail(service, "rate")
    ran = papertrack("add", "2401.00007", "words of a title")
    assert ran.code == 4
    assert "arxiv2401.00007: added." in ran.err
    assert "'words of a title' was not searched" in ran.err
    assert "429" in ran.err
    assert papertrack("add", "words of a title").code == 4


def test_an_id_that_arxiv_does_not_know_is_kept_and_said(
    papertrack: Command, online: FakeArxiv
) -> None:
    ran = papertrack("add", "2401.00999")
    assert ran.code == 0
    assert "arXiv knows no paper 2401.00999." in ran.err


def test_more_papers_than_one_request_holds_are_kept_and_the_rest_is_said_to_wait(
    papertrack: Command, online: FakeArxiv
) -> None:
    ran = papertrack("add", *(f"2301.{number:05}" for number in range(1, 61)))
    assert ran.err.splitlines()[-1] == (
        "arXiv takes at most 50 papers in one request. Complete arxiv2301.00051, "
        "arxiv2301.00052, arxiv2301.00053 and 7 more later with `papertrack enrich`."
    )
    assert len(online.asked()) == 1
    assert papertrack("log").out.splitlines()[0].endswith(" and 57 more")


def test_a_stub_that_waits_is_completed_when_it_is_added_again(
    papertrack: Command, online: FakeArxiv
) -> None:
    papertrack("add", "2401.00007", "--offline")
    papertrack("add", "2401.00007")
    shown = json.loads(papertrack("show", "2401.00007", "--json").out)
    assert shown["authors"] == ["Zoë Čapek", "Łukasz Ångström"]
    assert shown["citekey_aliases"] == ["arxiv2401.00007"]


def test_without_an_arxiv_id_or_offline_or_in_a_dry_run_nothing_is_asked(
    papertrack: Command, online: FakeArxiv
) -> None:
    papertrack("add", "https://example.org/a-post", "10.1145/3600006.3613165")
    papertrack("add", "2401.00007", "--offline")
    papertrack("add", "2301.00001", "--dry-run")
    assert online.asked() == []


def test_a_doi_of_the_record_that_another_paper_has_does_not_stop_the_adding(
    papertrack: Command, online: FakeArxiv
) -> None:
    papertrack("add", "10.1234/example.2024.17")
    assert papertrack("add", "2402.00011").code == 0
    assert json.loads(papertrack("show", "2402.00011", "--json").out)["doi"] is None


def test_words_of_a_title_list_candidates_and_add_nothing_unasked(
    papertrack: Command, online: FakeArxiv
) -> None:
    papertrack("add", "2408.00031", "--inbox")
    ran = papertrack("add", "Speculative decoding")
    assert ran.code == 3
    assert ran.out.startswith("1\tinbox\t2408.00031\t2024-08-08\tExample et al.\tSpeculative")
    ran = papertrack("add", "decoding with a draft", "--json")
    assert ran.code == 0
    (candidates,) = json.loads(ran.out)["candidates"]
    assert candidates["found"][0]["arxiv_id"] == "2408.00031"
    assert candidates["found"][0]["decision"] == "inbox"
    assert papertrack("add", "no such words anywhere").code == 3
    assert len(json.loads(papertrack("list", "--json").out)) == 1


def test_on_a_terminal_one_is_picked(
    papertrack: Command, online: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papertrack.cli.output.can_choose", lambda: True)
    answers = iter([0, 1])
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(answers))
    assert papertrack("add", "tenth version").err.endswith("Nothing added.\n")
    assert papertrack("add", "tenth version", "--tag", "survey").code == 0
    shown = json.loads(papertrack("show", "2406.00023", "--json").out)
    assert (shown["version"], shown["tags"]) == (10, ["survey"])


def test_a_search_marks_what_the_library_has_and_adds_by_number(
    papertrack: Command, online: FakeArxiv
) -> None:
    papertrack("add", "2401.00007")
    found = json.loads(papertrack("search-arxiv", "decoding OR semantics", "--json").out)
    assert [(one["arxiv_id"], one["decision"]) for one in found] == [
        ("2408.00031", None),
        ("2401.00007", "saved"),
    ]
    ran = papertrack("search-arxiv", "decoding OR semantics", "--add", "1", "--add", "2")
    assert "example2024speculative: added." in ran.err
    assert "capek2024cafe: already there." in ran.err
    assert papertrack("search-arxiv", "decoding", "--add", "7").code == 2
    assert papertrack("search-arxiv", "pass:<2").code == 2
    assert papertrack("search-arxiv", "decoding", "--until", "2024-01-01").out == ""


def test_a_search_without_arxiv_exits_4(papertrack: Command, online: FakeArxiv) -> None:
    online.fail("api", "rate")
    ran = papertrack("search-arxiv", "decoding")
    assert (ran.code, ran.out) == (4, "")
    assert "answered 429" in ran.err


def test_a_pdf_is_fetched_once_and_opened(
    papertrack: Command, online: FakeArxiv, home: Path
) -> None:
    papertrack("add", "2401.00007", "hep-th/9901001")
    path = home / "pdfs" / "capek2024cafe.pdf"
    dry = papertrack("pdf", "2401.00007", "--dry-run")
    assert (dry.code, dry.out) == (0, f"{path}\n")
    assert not path.exists()
    first = papertrack("pdf", "2401.00007")
    assert (first.code, first.out) == (0, f"{path}\n")
    assert path.read_bytes().startswith(b"%PDF-")
    assert papertrack("pdf", "2401.00007").out == first.out
    assert [request.path for request in online.asked("site")] == ["/pdf/2401.00007v2"]
    assert papertrack("open", "--pdf", "--print", "2401.00007").out == f"{path}\n"
    papertrack("edit", "2401.00007", "citekey=Other:Key")
    assert papertrack("pdf", "2401.00007").out == first.out
    papertrack("pdf", "2401.00007", "--refresh")
    assert len(online.asked("site")) == 2
    assert sorted(file.name for file in path.parent.iterdir()) == ["capek2024cafe.pdf"]


def test_a_pdf_with_highlights_is_not_replaced_by_a_newer_one(
    papertrack: Command, online: FakeArxiv, home: Path
) -> None:
    papertrack("add", "2401.00007")
    path = home / "pdfs" / "capek2024cafe.pdf"
    make_pdf(path, ["A lamp."])
    mark(path, 1, highlight(boxes(path, 1, "lamp")))
    before = path.read_bytes()
    ran = papertrack("pdf", "get", "2401.00007", "--refresh")
    assert (ran.code, "1 highlight" in ran.err) == (5, True), ran.err
    assert path.read_bytes() == before
    assert online.asked("site") == []


def test_keys_that_make_one_file_name_keep_their_pdfs_apart(
    papertrack: Command, online: FakeArxiv
) -> None:
    paths = set()
    for arxiv_id, key in (("2301.00001", "a:b"), ("2301.00002", "a.b"), ("2301.00003", "a-b")):
        papertrack("add", arxiv_id, "--offline")
        papertrack("edit", arxiv_id, f"citekey={key}")
        ran = papertrack("pdf", arxiv_id)
        assert ran.code == 0
        paths.add(ran.out)
    assert len(paths) == 3


def test_what_is_no_pdf_is_not_kept(
    papertrack: Command, online: FakeArxiv, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("add", "2401.00007", "https://example.org/post")
    online.fail("site", "html")
    assert papertrack("pdf", "2401.00007").code == 4
    assert list((home / "pdfs").iterdir()) == []
    monkeypatch.setenv("PAPERTRACK_ARXIV_OFFLINE", "true")
    assert papertrack("pdf", "https://example.org/post").code == 3


def test_a_viewer_that_fails_is_named_with_its_file_and_the_setting(
    papertrack: Command, online: FakeArxiv, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("add", "2401.00007")
    papertrack("pdf", "2401.00007")
    tools = home / "tools"
    tools.mkdir()
    for name in ("xdg-open", "open"):
        (tools / name).write_text("#!/bin/sh\nexit 3\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    ran = papertrack("open", "--pdf", "2401.00007")
    assert ran.code == 1
    assert "ended with code 3 on" in ran.err
    assert "capek2024cafe.pdf" in ran.err
    assert "papertrack config pdf_viewer" in ran.err
