"""Feeds on the command line, as a user types them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from papertrack.library.trust import FEED_HOSTS, accepted_hosts
from tests.cli.commands import Command
from tests.fake_arxiv import FakeArxiv
from tests.share.clones import git
from tests.sources.feed_server import FeedServer, serving
from tests.sources.feed_shapes import NATURE, PAGE, SUBSTACK, rss


@pytest.fixture
def server(
    fake_arxiv: FakeArxiv, papertrack: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FeedServer]:
    """A server of feeds, and the current folder as a library."""
    for name, url in fake_arxiv.environment.items():
        monkeypatch.setenv(name, url)
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("PAPERTRACK_ARXIV_INTERVAL_SECONDS", "0")
    monkeypatch.delenv("PAPERTRACK_ARXIV_OFFLINE", raising=False)
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-11-16T08:00:00+00:00")
    assert papertrack("init", ".").code == 0
    with serving() as found:
        found.put("/nature", NATURE)
        found.put("/blog", SUBSTACK)
        found.put("/page", PAGE)
        yield found


def test_a_feed_is_added_watched_listed_and_cited(server: FeedServer, papertrack: Command) -> None:
    url = server.url("/nature")
    ran = papertrack("topic", "add", "nature", "--feed", url)
    assert (ran.code, ran.err) == (0, "Topic nature: everything in its feeds\n")
    ran = papertrack("watch")
    assert ran.code == 0
    assert f"{url}: 1 announced, 1 new, 1 matched" in ran.err
    (found,) = json.loads(papertrack("list", "--json").out)
    assert (found["doi"], found["venue"]) == ("10.1038/s41586-026-00001-1", "Nature")
    assert found["kind"] == "paper"
    assert "matched: everything in its feeds" in papertrack("watch", "--no-look").out
    assert papertrack("save", found["citekey"]).code == 0
    text = papertrack("export", "--bib", "-o", "-").out
    assert "{10.1038/s41586-026-00001-1}" in text
    status = json.loads(papertrack("watch", "--status", "--json").out)
    assert [one["category"] for one in status["categories"]] == [url]


@pytest.mark.parametrize("url", ["http://localhost:1200/blog", "https://10.0.0.7/feed"])
def test_a_feed_that_is_not_on_the_internet_is_refused_at_once(
    papertrack: Command, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.delenv("PAPERTRACK_ARXIV_API_URL", raising=False)
    papertrack("init", ".")
    papertrack("topic", "add", "blog", "--query", "blog", "--arxiv", "cs.LG")
    for command in ("add", "other"), ("edit", "blog"):
        ran = papertrack("topic", *command, "--feed", url)
        assert ran.code == 2
        assert f"{url} is on this machine or its network" in ran.err
    assert "localhost" not in papertrack("topic", "--json").out


def test_the_state_of_a_feed_is_told_in_words_of_feeds(
    server: FeedServer, papertrack: Command
) -> None:
    url = server.put("/empty", rss(""))
    papertrack("topic", "add", "empty", "--feed", url)
    assert f"{url}: nothing announced: the feed has no items\n" in papertrack("watch").err
    assert "the feed has no items" in papertrack("watch", "--status").out


def test_a_post_is_cited_by_its_address(server: FeedServer, papertrack: Command) -> None:
    papertrack("topic", "add", "jane", "--feed", server.url("/blog"))
    papertrack("watch")
    (found,) = json.loads(papertrack("list", "--json").out)
    assert found["kind"] == "post"
    papertrack("save", found["citekey"])
    assert (
        "https://jane.substack.com/p/notes-on-scaling"
        in papertrack("export", "--bib", "-o", "-").out
    )


_ODD_FEEDS = {
    "a prefix without namespace": "<prism:doi>10.1234/abc</prism:doi>",
    "a namespace that is no address": '<a:x xmlns:a="http://[::1"/>',
    "a site that is no address": "</item><link>http://[::1</link><item><title>Other</title>",
}


@pytest.mark.parametrize("odd", _ODD_FEEDS)
def test_an_odd_feed_is_read_and_stops_no_watch(
    server: FeedServer, papertrack: Command, odd: str
) -> None:
    body = (
        '<rss version="2.0"><channel><title>J</title><item><title>A Title of Words</title>'
        "<link>https://example.org/a</link><pubDate>Sun, 15 Nov 2026 10:00:00 GMT</pubDate>"
        f"{_ODD_FEEDS[odd]}</item></channel></rss>"
    )
    url = server.put("/odd", body.encode())
    papertrack("topic", "add", "odd", "--feed", url)
    ran = papertrack("watch")
    assert "internal error" not in ran.err
    assert "A Title of Words" in papertrack("list").out


def test_what_is_no_feed_is_said_with_the_command_that_mends_it(
    server: FeedServer, papertrack: Command
) -> None:
    url = server.url("/page")
    papertrack("topic", "add", "my blog", "--feed", url)
    ran = papertrack("watch")
    assert ran.code == 4
    new = server.url("/feed.xml")
    assert f"`papertrack topic edit 'my blog' --no-feed {url} --feed {new}`" in ran.err
    server.put("/feed.xml", SUBSTACK)
    assert papertrack("topic", "edit", "my blog", "--no-feed", url, "--feed", new).code == 0
    assert papertrack("watch").code == 0
    (topic,) = json.loads(papertrack("topic", "--json").out)
    assert topic["feeds"] == [new]


def test_a_dry_run_accepts_no_host(server: FeedServer, papertrack: Command) -> None:
    ran = papertrack("topic", "add", "nature", "--feed", server.url("/nature"), "-n")
    assert ran.code == 0, ran.err
    assert not accepted_hosts()
    assert not server.log
    assert json.loads(papertrack("topic", "--json").out) == []


def test_wrong_places_are_refused_with_a_hint(server: FeedServer, papertrack: Command) -> None:
    ran = papertrack("topic", "add", "mice", "--biorxiv", "neurosience")
    assert ran.code == 2
    assert "Did you mean 'neuroscience'?" in ran.err
    assert papertrack("topic", "add", "mice", "--feed", "file:///etc/passwd").code == 2
    assert papertrack("topic", "add", "mice").code == 2
    papertrack("topic", "add", "mice", "--biorxiv", "Cell_Biology")
    assert papertrack("topic", "edit", "mice", "--no-feed", "https://other.example/").code == 3
    ran = papertrack("watch", "--topic", "mice", "--since", "2026-10")
    assert ran.code == 2
    assert "only looks in feeds" in ran.err
    (topic,) = json.loads(papertrack("topic", "--json").out)
    assert topic["feeds"] == ["biorxiv:cell biology"]


OPML = """<?xml version="1.0"?><opml version="1.0"><head><title>x</title></head><body>
<outline text="Science"><outline type="rss" text="Nature" xmlUrl="https://www.nature.com/nature.rss"/>
<outline type="rss" title="Cells"
 xmlUrl="http://connect.biorxiv.org/biorxiv_xml.php?subject=cell_biology"/></outline>
<outline text="Jane" xmlUrl="feed://jane.example/feed"/><outline text="A folder of nothing"/>
<outline text="Bad" xmlUrl="javascript:alert(1)"/></body></opml>"""


def test_lists_of_feeds_come_and_go_as_opml(
    server: FeedServer, papertrack: Command, home: Path
) -> None:
    (home / "in.opml").write_text(OPML)
    ran = papertrack("topic", "add", "--opml", "in.opml")
    assert ran.code == 0, ran.err
    assert "3 new feeds in 2 topics." in ran.err
    assert "Refused, as it is no https address: javascript:alert(1)" in ran.err
    topics = {one["name"]: one["feeds"] for one in json.loads(papertrack("topic", "--json").out)}
    assert topics == {
        "Jane": ["https://jane.example/feed"],
        "Science": ["https://www.nature.com/nature.rss", "biorxiv:cell biology"],
    }
    assert {"jane.example", "nature.com", "api.biorxiv.org"} <= accepted_hosts()
    assert "0 new feeds" in papertrack("topic", "add", "--opml", "in.opml").err
    assert papertrack("topic", "--opml", "out.opml").code == 0
    (home / "other.opml").write_text("mine")
    assert papertrack("topic", "--opml", "other.opml").code == 5, "it is not written over"
    ran = papertrack("topic", "add", "all", "--opml", "out.opml", "--query", "cells")
    assert "3 new feeds in 1 topic." in ran.err
    topics = {one["name"]: one["feeds"] for one in json.loads(papertrack("topic", "--json").out)}
    assert sorted(topics["all"]) == sorted(topics["Jane"] + topics["Science"])
    assert papertrack("undo").code == 0
    assert len(json.loads(papertrack("topic", "--json").out)) == 2


@pytest.mark.usefixtures("server")
def test_a_topic_of_the_usual_categories_looks_there_besides_its_first_feed(
    papertrack: Command, home: Path
) -> None:
    (home / "in.opml").write_text(OPML)
    papertrack("config", "watch.arxiv_categories", "cs.LG,cs.CL")
    for name, added in (
        ("mice", ("edit", "mice", "--feed", "https://blog.example/feed")),
        ("cats", ("add", "cats", "--opml", "in.opml")),
    ):
        papertrack("topic", "add", name, "--query", name)
        assert papertrack("topic", *added).code == 0
    found = json.loads(papertrack("topic", "--json").out)
    assert [one["arxiv_categories"] for one in found] == [["cs.LG", "cs.CL"]] * 2
    assert all(one["feeds"] for one in found)


@pytest.mark.usefixtures("server")
def test_the_last_feed_of_a_topic_without_a_query_is_not_removed_in_silence(
    papertrack: Command, home: Path
) -> None:
    feed = "https://blog.example/feed"
    papertrack("topic", "add", "blog", "--feed", feed)
    ran = papertrack("topic", "edit", "blog", "--no-feed", feed)
    assert ran.code == 2
    assert "papertrack topic edit blog --remove" in ran.err


@pytest.mark.usefixtures("server")
def test_a_list_that_is_too_long_is_refused_and_not_cut(papertrack: Command, home: Path) -> None:
    feeds = "".join(f'<outline xmlUrl="https://a.example/{n}"/>' for n in range(2001))
    padding = f"<!--{'x' * 6_000_000}-->"
    for body, most in ((feeds, "2,000 feeds"), (padding, "5 MB")):
        (home / "in.opml").write_text(f'<opml version="2.0"><body>{body}</body></opml>')
        ran = papertrack("topic", "add", "all", "--opml", "in.opml")
        assert ran.code == 1
        assert f"in.opml has more than {most}" in ran.err
    assert papertrack("topic").out == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *(("", "is not OPML"), ("no XML", "is not OPML"), ("<html/>", "its root is 'html'")),
        ('<!DOCTYPE opml [<!ENTITY a "b">]><opml>&a;</opml>', "has a DOCTYPE"),
        ("<!DOCTYPE opml SYSTEM 'file:///etc/passwd'>\n<opml/>", "has a DOCTYPE"),
    ],
)
def test_what_is_no_opml_is_said(
    server: FeedServer, papertrack: Command, home: Path, text: str, said: str
) -> None:
    (home / "in.opml").write_text(text)
    ran = papertrack("topic", "add", "--opml", "in.opml")
    assert ran.code == 1
    assert "in.opml" in ran.err
    assert said in ran.err


def test_a_runner_is_told_which_hosts_it_may_ask(
    server: FeedServer, papertrack: Command, home: Path
) -> None:
    git(home, "init", "-q")
    papertrack("topic", "add", "nature", "--feed", "https://www.nature.com/nature.rss")
    ran = papertrack("watch", "install", "--github", "--package", "papertrack-cli", "-n")
    assert f'{FEED_HOSTS}: "www.nature.com"' in ran.out


def test_topics_with_feeds_come_back_from_json(
    server: FeedServer, papertrack: Command, home: Path
) -> None:
    papertrack("topic", "add", "nature", "--feed", server.url("/nature"))
    papertrack("watch")
    papertrack("export", "--json", "-o", "whole.json")
    assert papertrack("init", "other").code == 0
    assert papertrack("--library", "other", "import", "whole.json").code == 0
    (topic,) = json.loads(papertrack("--library", "other", "topic", "--json").out)
    assert topic["feeds"] == [server.url("/nature")]


def test_an_address_that_is_mistyped_is_shown_as_typed_and_undo_names_the_topic(
    server: FeedServer, papertrack: Command
) -> None:
    assert (
        "'htps://x' is not the address" in papertrack("topic", "add", "n", "--feed", "htps://x").err
    )
    assert papertrack("topic", "add", "n", "--feed", "journal.example/rss").code == 0
    assert "topic n: everything in its feeds" in papertrack("undo").err
