"""Feeds as they are in the wild, over a server on loopback."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from papertrack.sources.endpoints import Endpoints
from papertrack.sources.exchange import Response
from papertrack.sources.failures import (
    BadAnswer,
    Refused,
    SourceFailure,
    TooLarge,
    WebPage,
    WrongHost,
)
from papertrack.sources.feeds import FeedItem, fetch_feed, fetch_preprints, parse_feed_page
from papertrack.sources.transport import Door
from tests.fake_arxiv import FakeArxiv
from tests.sources.feed_server import Asked, FeedServer, Reply, serving
from tests.sources.feed_shapes import PAGE, REFUSED, SHAPES, TWO, Read, Shape, rss
from tests.timing import assert_seconds


@pytest.fixture
def server() -> Iterator[FeedServer]:
    with serving() as found:
        yield found


@pytest.fixture
def door(tmp_path: Path, fake_arxiv: FakeArxiv, server: FeedServer) -> Door:
    return make_door(tmp_path, fake_arxiv, server.host, biorxiv_url=server.url("/details"))


def make_door(folder: Path, fake: FakeArxiv, *hosts: str, **urls: str) -> Door:
    endpoints = Endpoints(**fake.urls, **urls)
    return Door(folder, endpoints, contact=None, version="9", interval_seconds=0, feed_hosts=hosts)


def as_read(item: FeedItem) -> Read:
    facts = item.announcement.facts
    return Read(
        item.name,
        facts.title or "",
        tuple(author.name for author in facts.authors),
        facts.submitted,
        facts.venue,
        facts.abstract,
    )


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_feed_of_each_shape_is_read_whole(shape: Shape, server: FeedServer, door: Door) -> None:
    url = server.url("/feed")
    server.replies["/feed"] = Reply(shape.body, 200, shape.headers)
    page = fetch_feed(door, url)
    assert page is not None
    found = [as_read(item) for item in page.items]
    expected = [one._replace(name=one.name.replace("{feed}", url)) for one in shape.items]
    # The address of a feed on loopback is named as one of https.
    expected = [one._replace(name=one.name.replace("url:http:", "url:https:")) for one in expected]
    for one, other in zip(found, expected, strict=True):
        assert one._replace(abstract=None) == other._replace(abstract=None)
        assert (other.abstract or "") in (one.abstract or "")
    assert (shape.problem or "") in "\n".join(page.problems)
    assert bool(page.problems) == bool(shape.problem)


def test_there_are_forty_shapes() -> None:
    assert len(SHAPES) + len(REFUSED) >= 40


@pytest.mark.parametrize(("name", "body", "said"), REFUSED, ids=[one[0] for one in REFUSED])
def test_what_is_no_feed_is_refused_in_a_sentence(
    name: str, body: bytes, said: str, server: FeedServer, door: Door
) -> None:
    began = time.monotonic()
    with pytest.raises((BadAnswer, TooLarge), match=said):
        fetch_feed(door, server.put("/feed", body))
    assert time.monotonic() - began < 10


def test_a_web_page_names_its_feed(server: FeedServer, door: Door) -> None:
    with pytest.raises(WebPage) as caught:
        fetch_feed(door, server.put("/blog/", PAGE))
    assert caught.value.feed == server.url("/feed.xml")


def test_a_bomb_of_gzip_is_refused(server: FeedServer, door: Door) -> None:
    packed = gzip.compress(b"<rss>" + b" " * 100_000_000)
    with pytest.raises(TooLarge):
        fetch_feed(door, server.put("/feed", packed, Content_Encoding="gzip"))


def test_a_feed_that_did_not_change_is_not_sent_again(server: FeedServer, door: Door) -> None:
    def reply(asked: Asked) -> Reply:
        is_same = asked.headers.get("if-none-match") == '"v1"'
        # Some servers tell the length of what they do not send.
        return Reply(b"", 304) if is_same else Reply(rss(TWO), 200, {"ETag": '"v1"'})

    server.replies["/feed"] = reply
    page = fetch_feed(door, server.url("/feed"))
    assert page is not None
    assert page.etag == '"v1"'
    assert fetch_feed(door, server.url("/feed"), etag=page.etag) is None


def test_a_broken_feed_is_asked_for_whole_again(server: FeedServer, door: Door) -> None:
    page = fetch_feed(door, server.put("/feed", rss(TWO)[:-40], ETag='"v1"'))
    assert page is not None
    assert page.problems
    assert not page.etag


def test_redirects_are_followed_and_permanent_ones_told(server: FeedServer, door: Door) -> None:
    server.put("/new", rss(TWO))
    for status, is_told in ((301, True), (308, True), (302, False), (307, False)):
        page = fetch_feed(door, server.put("/old", b"", status, Location="/new"))
        assert page is not None
        assert len(page.items) == 2
        assert page.moved_to == (server.url("/new") if is_told else None)
    server.put("/older", b"", 301, Location="/old")
    page = fetch_feed(door, server.url("/older"))
    assert page is not None
    assert page.moved_to is None, "one of two was for now only"


def test_a_redirect_to_another_host_is_not_followed(server: FeedServer, door: Door) -> None:
    for target in ("http://127.0.0.1:1/feed", "https://evil.example/", "file:///etc/passwd"):
        with pytest.raises(WrongHost, match="301") as caught:
            fetch_feed(door, server.put("/old", b"", 301, Location=target))
        assert caught.value.target == (None if target.startswith("file") else target)


def test_a_redirect_to_plain_http_is_followed_by_https(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def answer(self: Door, question: tuple[str, object, object, object], *_: object) -> Response:
        asked.append(question[0])
        headers = {"location": "http://blog.example/feed/"} if len(asked) == 1 else {}
        return Response(301 if headers else 200, question[0], "", rss(TWO), headers)

    monkeypatch.setattr(Door, "_exchange_in_time", answer)
    hosts = ["blog.example"]
    door = Door(tmp_path, Endpoints(), contact=None, version="9", feed_hosts=hosts, sleep=asleep)
    page = fetch_feed(door, "https://blog.example/feed")
    assert asked == ["https://blog.example/feed", "https://blog.example/feed/"]
    assert page is not None
    assert page.moved_to == "https://blog.example/feed/"


def asleep(seconds: float) -> None:
    """Wait for nobody."""


def test_a_rehearsal_does_not_ask_the_real_servers(tmp_path: Path, fake_arxiv: FakeArxiv) -> None:
    with pytest.raises(WrongHost, match="test setup"):
        ask(make_door(tmp_path, fake_arxiv, "api.biorxiv.org"))


def test_a_feed_leads_to_none_of_arxivs_hosts_nor_they_to_it(
    server: FeedServer, door: Door
) -> None:
    api = door.endpoints["api_url"]
    with pytest.raises(WrongHost):
        fetch_feed(door, server.put("/old", b"", 302, Location=api))


def test_a_host_that_was_not_accepted_is_not_asked(
    tmp_path: Path, server: FeedServer, fake_arxiv: FakeArxiv
) -> None:
    door = make_door(tmp_path, fake_arxiv)
    with pytest.raises(WrongHost, match="is not a host that papertrack contacts"):
        fetch_feed(door, server.put("/feed", rss(TWO)))
    assert not server.log


def test_an_accepted_name_of_a_private_address_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    where = {"feed_hosts": ["inside.example"], "sleep": slept.append}
    for place in ("127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "64:ff9b::7f00:1"):
        monkeypatch.setattr("papertrack.sources.transport.resolve", lambda name, p=place: [p])
        door = Door(tmp_path, Endpoints(), contact=None, version="9", **where)
        with pytest.raises(WrongHost, match="not a public address"):
            fetch_feed(door, "https://inside.example/feed")


def test_what_comes_first_is_kept_of_an_endless_feed() -> None:
    page = parse_feed_page(
        rss("".join(f"<item><title>n{n}</title></item>" for n in range(3000))),
        "https://blog.example/feed",
    )
    assert len(page.items) == 2000
    assert page.problems == ("only the first 2,000 of 3,000 items were read",)


def test_a_host_that_refuses_is_said_with_its_status(server: FeedServer, door: Door) -> None:
    for status in (404, 410, 500):
        with pytest.raises(Refused) as caught:
            fetch_feed(door, server.put("/feed", b"", status))
        assert caught.value.status == status


def preprint(number: int, **more: str) -> dict[str, str]:
    return {
        "doi": f"10.1101/2026.11.01.{number:06}",
        "title": f"Preprint {number} on <i>mice</i>",
        "authors": "Doe, J. A.; Van Roe, R.; The Mouse Consortium",
        "date": "2026-11-02",
        "version": "1",
        "type": "new results",
        "license": "cc_by",
        "category": "neuroscience",
        "abstract": "We look at mice.",
        "published": "NA",
        "server": "bioRxiv",
        **more,
    }


def details(found: list[dict[str, str]], size: int = 100) -> dict[str, Reply]:
    """The pages of an answer, by the cursor."""
    pages = {}
    for start in range(0, max(1, len(found)), size):
        part = found[start : start + size]
        message = {"status": "ok", "cursor": start, "count": len(part), "total": str(len(found))}
        body = json.dumps({"messages": [message], "collection": part}).encode()
        where = f"/details/biorxiv/2026-11-01/2026-11-02/{start}/json"
        pages[where] = Reply(body, 200, {"Content-Type": "application/json"})
    return pages


def ask(door: Door) -> list[FeedItem]:
    page = fetch_preprints(
        door, "biorxiv", "neuroscience", since=date(2026, 11, 1), until=date(2026, 11, 2)
    )
    return list(page.items)


def test_preprints_come_in_pages_with_their_versions(server: FeedServer, door: Door) -> None:
    found = [preprint(n) for n in range(250)]
    found += [preprint(300, version="2", published="10.1038/s41586-026-00001-1")]
    found += [preprint(301, category="zoology"), preprint(302, doi="none")]
    server.replies.update(details(found))
    items = ask(door)
    assert next(asked.path for asked in server.log).endswith("/0/json?category=neuroscience")
    assert len(items) == 251
    first, last = items[0].announcement, items[-1].announcement
    assert (first.scheme, first.arxiv_id) == ("doi", "10.1101/2026.11.01.000000")
    assert (first.kind, first.version, first.facts.title) == ("cross", 1, "Preprint 0 on mice")
    assert [author.name for author in first.facts.authors] == [
        "J. A. Doe",
        "R. Van Roe",
        "The Mouse Consortium",
    ]
    assert (last.kind, last.version) == ("replace", 2)
    assert [one.value for one in last.facts.identifiers][1] == "10.1038/s41586-026-00001-1"


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [{"status": "ok", "total": 5}], "collection": []},
        {"messages": [{"status": "error"}], "collection": []},
        {"messages": "no", "collection": 7},
        [],
        "Rate exceeded",
    ],
)
def test_an_answer_that_holds_less_than_it_declares_is_a_failure(
    body: object, server: FeedServer, door: Door
) -> None:
    server.put("/details/biorxiv/2026-11-01/2026-11-02/0/json", json.dumps(body).encode())
    with pytest.raises(SourceFailure):
        ask(door)


def test_days_without_a_preprint_are_an_answer(server: FeedServer, door: Door) -> None:
    body = {"messages": [{"status": "no posts found"}], "collection": []}
    server.put("/details/biorxiv/2026-11-01/2026-11-02/0/json", json.dumps(body).encode())
    assert ask(door) == []


@pytest.mark.parametrize("tag", ["author", "managingEditor", "publisher", "contributor"])
def test_a_name_without_end_is_read_at_once(tag: str) -> None:
    name = f"<{tag}>{'1' * 60_000}<b>{'1' * 60_000}</b></{tag}>"
    item = f"<item><title>A Title</title><link>https://example.org/a</link>{name}</item>"
    feed = f'<rss version="2.0"><channel><title>T</title>{name}{item}</channel></rss>'
    assert_seconds(3, lambda: parse_feed_page(feed.encode(), "https://example.org/x"))


def test_a_number_of_half_a_character_spoils_no_feed() -> None:
    feed = (
        '<rss version="2.0"><channel><item><title>A &#xD83D; Title</title></item></channel></rss>'
    )
    page = parse_feed_page(feed.encode(), "https://example.org/x")
    assert [item.announcement.facts.title for item in page.items] == ["A \ufffd Title"]
