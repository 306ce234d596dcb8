"""Feeds in a shared library: their addresses travel, the permission to ask them does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_arxiv import FakeArxiv
from tests.share.clones import Captured, do, exchange, push, shown
from tests.sources.feed_server import FeedServer, serving
from tests.sources.feed_shapes import post, rss


@pytest.fixture
def server(fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch) -> Iterator[FeedServer]:
    for name, url in fake_arxiv.environment.items():
        monkeypatch.setenv(name, url)
    monkeypatch.setenv("PAPERTRACK_ARXIV_INTERVAL_SECONDS", "0")
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-11-17T08:00:00+00:00")
    with serving() as found:
        yield found


def go_to(machine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on be the reader of another machine."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / f"state-of-{machine}"))


def test_a_feed_of_another_reader_is_asked_only_after_it_was_accepted_here(
    desktop: Path,
    laptop: Path,
    capfd: Captured,
    server: FeedServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = server.put("/feed", rss(post(1) + post(2)))
    assert do(desktop, "topic", "add", "blog", "--feed", url) == 0
    assert do(desktop, "watch") == 0
    exchange(desktop, laptop)
    assert url in (laptop / "topics.toml").read_text()
    assert "2026-11-17" in (laptop / "watch.toml").read_text(), "the newest item travels"
    go_to("laptop", tmp_path, monkeypatch)
    # To trust the folder again is not to accept the host.
    do(laptop, "config", "--trust", str(laptop))
    server.log.clear()
    (topic,) = [one for one in shown(laptop, capfd, "topic") if one["name"] == "blog"]
    assert topic["feeds"] == topic["waiting"] == [url]
    assert do(laptop, "watch") == 0
    assert "`papertrack topic edit blog --accept`" in capfd.readouterr().err
    assert do(laptop, "topic", "edit", "blog", "--category", "Blogs") == 0
    assert do(laptop, "watch") == 0
    assert not server.log

    server.put("/feed", rss(post(3) + post(1) + post(2)))
    assert do(laptop, "topic", "edit", "blog", "--accept") == 0
    assert do(laptop, "watch") == 0
    assert [asked.path for asked in server.log] == ["/feed"]
    added = [one["title"] for one in shown(laptop, capfd, "list", "is:inbox")]
    assert added.count("Post 3 of the blog") == 1
    assert added.count("Post 1 of the blog") == 1
    assert do(laptop, "sync", "--git") == 0
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert do(desktop, "sync", "--git") == 0
    titles = [one["title"] for one in shown(desktop, capfd, "list", "is:inbox")]
    assert titles.count("Post 3 of the blog") == 1


def test_to_add_a_feed_accepts_no_other_feed_of_its_topic(
    desktop: Path,
    laptop: Path,
    server: FeedServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert do(desktop, "topic", "add", "blog", "--feed", server.url("/feed")) == 0
    exchange(desktop, laptop)
    go_to("laptop", tmp_path, monkeypatch)
    with serving() as other:
        other.put("/own", rss(post(1)))
        assert do(laptop, "topic", "edit", "blog", "--feed", other.url("/own")) == 0
        assert do(laptop, "watch") == 0
        assert other.log
    assert not server.log


def test_a_topic_with_what_is_no_feed_is_named_and_left_alone(
    desktop: Path, laptop: Path, capfd: Captured, server: FeedServer
) -> None:
    url = server.put("/feed", rss(post(1)))
    assert do(desktop, "topic", "add", "blog", "--feed", url) == 0
    exchange(desktop, laptop)
    table = laptop / "topics.toml"
    text = table.read_text()
    odd = ("javascript:alert(1)", "http://10.0.0.7/feed", "https://u:p@host.example/", "x:y")
    for feed in odd:
        table.write_text(text.replace(url, feed))
        push(laptop)
        capfd.readouterr()
        do(desktop, "sync", "--git")
        assert "is not the address of a feed" in capfd.readouterr().err
        (topic,) = [one for one in shown(desktop, capfd, "topic") if one["name"] == "blog"]
        assert topic["feeds"] == [url]


def test_a_newest_item_that_cannot_be_hides_nothing(
    desktop: Path, laptop: Path, capfd: Captured, server: FeedServer
) -> None:
    newest = ["doi:10.1/x 2099-01-01T00:00:00+00:00", "nothing", "x never"]
    own = [server.put(f"/feed/{n}", rss(post(n))) for n in range(len(newest))]
    for n, url in enumerate(own):
        assert do(desktop, "topic", "add", f"blog-{n}", "--feed", url) == 0
    exchange(desktop, laptop)
    lines = [f'"{url}" = "{odd}"\n' for url, odd in zip(own, newest, strict=True)]
    (laptop / "watch.toml").write_text("[newest]\n" + "".join(lines))
    push(laptop)
    assert do(desktop, "sync", "--git") == 0
    assert capfd.readouterr().err.count("cannot be its newest: refused") == len(newest)
    assert do(desktop, "watch") == 0
    titles = [one["title"] for one in shown(desktop, capfd, "list")]
    assert {f"Post {n} of the blog" for n in range(len(newest))} <= {*titles}
