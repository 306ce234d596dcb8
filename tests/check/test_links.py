"""``papertrack check --links``: what is gone, and what nobody could look at."""

import json
import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from papertrack.actions.lists.check_links import DeadLinks, LinkResults
from papertrack.documents.markdown.read.document import parse_document
from papertrack.sources.links import Look, Looker
from tests.cli.commands import Command

NOW = datetime(2026, 11, 20, tzinfo=UTC)


class Site:
    """A web server on this machine; a path says how it is answered."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                site.asked.append(f"{self.command} {self.path}")
                word = self.path.strip("/").partition("/")[0]
                head, _, get = word.partition("-")
                status = int(get if get and self.command == "GET" else head)
                self.send_response(status)
                if status in (301, 302):
                    self.send_header("Location", self.path.partition(head)[2])
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_HEAD = answer

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.server.shutdown()
    site.server.server_close()


@pytest.fixture
def readme(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a README goes, in a rehearsal: arXiv is on this machine."""
    monkeypatch.setenv("PAPERTRACK_ARXIV_API_URL", "http://127.0.0.1:1/api")
    monkeypatch.setenv("PAPERTRACK_ARXIV_OFFLINE", "false")
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("PAPERTRACK_NOW", NOW.isoformat())
    return home / "README.md"


def items(site: Site, *paths: str) -> str:
    return "# A\n\n" + "".join(f"- [Work {path}]({site.url}/{path})\n" for path in paths)


def looker(folder: Path, **how: object) -> Looker:
    defaults = {"contact": None, "version": "1", "is_rehearsal": True, "clock": lambda: NOW}
    return Looker(folder, **{**defaults, **how})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("200", "there"),
        ("404", "gone"),
        ("410", "gone"),
        ("404-200", "there"),
        ("405-200", "there"),
        ("405-404", "gone"),
        ("403", "unknown"),
        ("429", "unknown"),
        ("500", "unknown"),
        ("503", "unknown"),
        ("301/200", "there"),
        ("301/404", "gone"),
        ("302/302/302/302/302/302/200", "unknown"),
    ],
)
def test_only_what_a_server_says_is_gone_is_gone(
    site: Site, tmp_path: Path, path: str, state: str
) -> None:
    assert looker(tmp_path).look(f"{site.url}/{path}").state == state


def test_what_cannot_be_reached_is_unknown(site: Site, tmp_path: Path) -> None:
    site.server.shutdown()
    site.server.server_close()
    assert looker(tmp_path).look(f"{site.url}/200").state == "unknown"


def test_a_host_that_is_busy_is_left_alone(site: Site, tmp_path: Path) -> None:
    one = looker(tmp_path)
    assert one.look(f"{site.url}/429").state == "unknown"
    assert one.look(f"{site.url}/200").why == "asked us earlier to wait"
    assert site.asked == ["HEAD /429"]


def test_only_public_addresses_are_asked(site: Site, tmp_path: Path) -> None:
    one = looker(tmp_path, is_rehearsal=False)
    for url in (f"{site.url}/200", "http://10.0.0.1/", "http://169.254.169.254/", "http://[::1]/"):
        assert one.look(url) == Look("unknown", "is not a public address")
    one = looker(tmp_path, is_rehearsal=False, resolve=lambda name: ["192.168.0.1"])
    assert one.look("https://inside.example/").state == "unknown"
    assert site.asked == []


def test_a_redirect_leads_to_no_other_place_than_may_be_asked(site: Site, tmp_path: Path) -> None:
    def resolve(name: str) -> list[str]:
        return ["127.0.0.1"] if name == "127.0.0.1" else ["10.0.0.1"]

    one = looker(tmp_path, resolve=resolve)
    assert one.look(f"{site.url}/302//inside.example/x") == Look(
        "unknown", "is not a public address"
    )


def test_a_name_that_nobody_knows_is_gone_unless_no_name_is_known(
    site: Site, tmp_path: Path
) -> None:
    def resolve(name: str) -> list[str]:
        if name == "127.0.0.1":
            return ["127.0.0.1"]
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    def dead(text: str) -> tuple[list[str], dict[str, str]]:
        one = looker(tmp_path, resolve=resolve)
        rule = DeadLinks(one, LinkResults(tmp_path / "links.json", lambda: NOW))
        return [found.about for found in rule(parse_document(text), None)], rule.unanswered

    nowhere = "- [Away](https://gone.example/a)\n"
    assert dead(nowhere) == ([], {"https://gone.example/a": "the host name could not be resolved"})
    assert dead(items(site, "200") + nowhere) == (["https://gone.example/a"], {})


def test_looks_are_kept_for_some_days(site: Site, tmp_path: Path) -> None:
    text = items(site, "200", "404", "403")

    def dead(after: timedelta) -> int:
        def clock() -> datetime:
            return NOW + after

        site.asked.clear()
        rule = DeadLinks(
            looker(tmp_path, clock=clock), LinkResults(tmp_path / "deep" / "links.json", clock)
        )
        assert len([*rule(parse_document(text), None)]) == 1
        return len({line.rpartition("/")[2] for line in site.asked})

    days = [dead(timedelta(days=n)) for n in (0, 0.5, 2, 2.5, 20)]
    assert days == [3, 1, 2, 1, 3]


def test_a_file_of_looks_that_is_damaged_counts_as_absent(tmp_path: Path) -> None:
    path = tmp_path / "links.json"
    for text in ("[", "[]", '{"a": 1}', '{"a": ["there", "200", "no time"]}'):
        path.write_text(text, encoding="utf-8")
        assert LinkResults(path, lambda: NOW).find("a") is None


def test_dead_links_are_findings_and_what_nobody_saw_is_told(
    papertrack: Command, site: Site, readme: Path
) -> None:
    readme.write_text(items(site, "200", "404", "403"), encoding="utf-8")
    assert papertrack("check", "README.md").code == 0
    assert site.asked == []
    ran = papertrack("check", "README.md", "--links")
    assert ran.code == 5
    assert ran.out == (
        f"README.md:4: dead-link: The link “Work 404” leads to {site.url}/404: "
        "404 (no such page).\n"
    )
    assert f"1 address could not be checked:\n  {site.url}/403: answered 403\n" in ran.err
    told = json.loads(papertrack("check", "README.md", "--links", "--json").out)
    assert told["not_looked_at"] == [{"url": f"{site.url}/403", "reason": "answered 403"}]


def test_what_nobody_could_look_at_is_neither_dead_nor_fine(
    papertrack: Command, site: Site, readme: Path
) -> None:
    readme.write_text(items(site, "200", "403"), encoding="utf-8")
    ran = papertrack("check", "README.md", "--links")
    assert (ran.code, ran.out) == (4, "")
    readme.write_text(items(site, "200"), encoding="utf-8")
    assert papertrack("check", "README.md", "--links").code == 0


def test_against_a_base_only_new_addresses_are_asked(
    papertrack: Command, site: Site, readme: Path
) -> None:
    from tests.check.test_pull_requests import git

    readme.write_text(items(site, "404/old"), encoding="utf-8")
    git(readme.parent, "init")
    git(readme.parent, "add", "README.md")
    git(readme.parent, "commit", "--message=Begin")
    readme.write_text(items(site, "404/old", "404/new"), encoding="utf-8")
    ran = papertrack("check", "README.md", "--links", "--base", "HEAD")
    assert ran.code == 5
    assert {line.split()[1] for line in site.asked} == {"/404/new"}


def test_nothing_is_asked_where_the_settings_say_so(
    papertrack: Command, site: Site, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPERTRACK_ARXIV_OFFLINE", "true")
    readme.write_text(items(site, "404"), encoding="utf-8")
    ran = papertrack("check", "README.md", "--links")
    assert ran.code == 4
    assert "arxiv.offline" in ran.err
    assert site.asked == []
