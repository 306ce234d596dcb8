"""Topics that look in feeds: what comes into the inbox, once per work, night after night."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from papertrack.actions.reading import set_decision
from papertrack.actions.watch.calendar import EASTERN
from papertrack.actions.watch.digest import make_digest
from papertrack.actions.watch.match import hosts_of_feeds, watched_categories
from papertrack.actions.watch.run import category_status, is_settled
from papertrack.actions.watch.topics import accept_feeds, edit_topic
from papertrack.exporters.registry import write_digest_as
from papertrack.library import create_library
from papertrack.library.trust import FEED_HOSTS, accepted_hosts
from papertrack.sources.transport import Door, Endpoints
from papertrack.store.lookup import get_paper, get_papers
from papertrack.store.papers import remove_paper
from papertrack.store.watch.announcements import Look, forget_before
from papertrack.store.watch.topics import get_topic
from tests.corpus import WHOLE
from tests.fake_arxiv import Announced, FakeArxiv
from tests.sources.feed_server import Asked, FeedServer, Reply, serving
from tests.sources.feed_shapes import PAGE, atom, rdf, rss
from tests.watch.announced_days import announce, days, make_work
from tests.watch.conftest import Nights

MONDAY = date(2026, 11, 16)


@dataclass
class FeedNights(Nights):
    """Nights with a server of feeds beside the fake arXiv."""

    server: FeedServer = field(default_factory=FeedServer)

    def door(self) -> Door:
        urls = {"biorxiv_url": self.server.url("/details")}
        return Door(
            self.library.state_dir,
            Endpoints(**self.fake.urls, **urls),
            contact=None,
            version="9.9",
            interval_seconds=0,
            clock=lambda: self.now,
            sleep=self.slept.append,
            chance=lambda: 0.5,
            feed_hosts=accepted_hosts(),
        )

    def titles(self) -> list[str]:
        """The titles in the inbox."""
        rows = self.store.connection.execute(
            """SELECT title FROM papers JOIN paper_states ON paper_id = papers.id
               WHERE decision = 'inbox' ORDER BY papers.id"""
        )
        return [row[0] for row in rows]

    def look(self, day: date, **options: object) -> Look:
        """The look of one night at the only feed."""
        report = self.run(day, **options)
        return next(look for look in report.categories if ":" in look.category)


@pytest.fixture
def nights(
    tmp_path: Path, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FeedNights]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    library, _ = create_library(tmp_path / "library")
    with serving() as server:
        monkeypatch.setenv(FEED_HOSTS, f"{server.host},api.biorxiv.org")
        found = FeedNights(fake_arxiv, library, server=server)
        with found.store:
            yield found


def item(title: str, *, day: date | None = None, link: str = "", more: str = "") -> str:
    link = link or f"https://blog.example/{title.replace(' ', '-').lower()}"
    at = f"<pubDate>{day:%d} Nov 2026 08:00:00 GMT</pubDate>" if day else ""
    return f"<item><title>{title}</title><link>{link}</link>{at}{more}</item>"


def blog(nights: FeedNights, *titles: str, path: str = "/feed", **options: str) -> str:
    """A feed of these posts, newest first, and its address."""
    return nights.server.put(path, rss("".join(item(one) for one in titles)), **options)


def test_what_a_feed_brings_comes_once_and_only_what_is_new(nights: FeedNights) -> None:
    url = blog(nights, "First post here", "Second post here")
    nights.topic("blog", "", feeds=(url,))
    look = nights.look(MONDAY)
    assert (look.state, look.announced, look.unseen, look.matched) == ("new", 2, 2, 2)
    assert not nights.fake.asked(), "a topic of feeds alone asks arXiv nothing"
    look = nights.look(MONDAY + timedelta(days=1))
    assert (look.state, look.unseen) == ("quiet", 0)
    blog(nights, "Third post here", "First post here", "Second post here")
    assert nights.look(MONDAY + timedelta(days=2)).unseen == 1
    assert nights.titles() == ["First post here", "Second post here", "Third post here"]
    paper = get_papers(nights.store, [1])[0]
    assert paper.facts.kind == "post"
    assert [link.url for link in paper.facts.links] == ["https://blog.example/first-post-here"]
    assert paper.topics == ("blog",)


def test_a_query_chooses_among_the_items_and_gives_reasons(nights: FeedNights) -> None:
    url = blog(nights, "Cats in boxes", "Dogs in parks")
    nights.topic("cats", "cats", feeds=(url,))
    nights.run(MONDAY)
    assert nights.titles() == ["Cats in boxes"]
    made = make_digest(nights.store, since=MONDAY, until=MONDAY)
    text = write_digest_as("md", made)
    assert "Cats in boxes" in text
    assert "cats (title)" in text
    assert "https://blog.example/cats-in-boxes" in text


def test_old_posts_of_a_new_feed_stay_away_for_ever(nights: FeedNights) -> None:
    old = item("An old post here", day=date(2026, 11, 1))
    new = item("A new post here", day=date(2026, 11, 15))
    undated = "".join(item(f"Undated post {n}") for n in range(30))
    url = nights.server.put("/feed", rss(new + old + undated))
    nights.topic("blog", "", feeds=(url,))
    nights.run(MONDAY)
    assert len(nights.titles()) == 19
    for number in range(1, 60):  # Beyond all that is kept of announcements.
        nights.run(MONDAY + timedelta(days=number))
        forget_before(nights.store, nights.now.isoformat())
    assert len(nights.titles()) == 19
    assert "An old post here" not in nights.titles()


def test_discarded_and_removed_works_never_come_back(nights: FeedNights) -> None:
    url = blog(nights, "One post here", "Another post here")
    nights.topic("blog", "", feeds=(url,))
    nights.run(MONDAY)
    with nights.store.action("discard"):
        set_decision(nights.store, [1], "discarded")
    with nights.store.action("remove"):
        remove_paper(nights.store, 2)
    second = blog(nights, "One post here", "Another post here", path="/other")
    nights.topic("other", "", feeds=(second,))
    nights.run(MONDAY + timedelta(days=1))
    assert nights.titles() == []


JANE = "<dc:creator>Jane Doe</dc:creator><dc:creator>Richard Roe</dc:creator>"
DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
TWIN = "Speculative decoding for the impatient"


@pytest.mark.parametrize("is_arxiv_first", [True, False])
def test_an_arxiv_paper_and_its_twin_in_a_journal_are_one(
    nights: FeedNights, is_arxiv_first: bool
) -> None:
    work = make_work("2611.01601", TWIN, ("cs.LG",), authors=("Jane Doe", "Richard Roe"))
    on = MONDAY if is_arxiv_first else MONDAY + timedelta(days=1)
    announce(nights.fake.calendar, on, [Announced(work)])
    doi = "<dc:identifier>doi:10.1145/3700001.3700002</dc:identifier>"
    link = "https://dl.acm.org/doi/10.1145/3700001.3700002"
    twin = rss(item(f"{TWIN}.", link=link, more=JANE + doi), DC)
    url = nights.server.put("/feed", rss("") if is_arxiv_first else twin)
    nights.topic("both", "speculative", "cs.LG", feeds=(url,))
    nights.run(MONDAY)
    nights.server.put("/feed", twin)
    nights.run(MONDAY + timedelta(days=1))
    nights.run(MONDAY + timedelta(days=2))
    assert len(nights.titles()) == 1
    names = {(one.scheme, one.value) for one in get_paper(nights.store, 1).facts.identifiers}
    assert names == {("arxiv", "2611.01601"), ("doi", "10.1145/3700001.3700002")}


def test_one_work_in_three_feeds_is_one_and_each_topic_is_told(nights: FeedNights) -> None:
    doi = "10.1145/3700001.3700002"
    links = (f"https://dl.acm.org/doi/{doi}?af=R", f"https://doi.org/{doi.upper()}")
    first = nights.server.put("/a", rss(item(TWIN, link=links[0])))
    second = nights.server.put("/b", rss(item(f"{TWIN}!", link=links[1])))
    more = f"<dc:identifier>doi:{doi}</dc:identifier>"
    third = nights.server.put(
        "/c", rss(item(TWIN, link="https://aggregator.example/7", more=more), DC)
    )
    for name, url in (("a", first), ("b", second), ("c", third)):
        nights.topic(name, "", feeds=(url,))
    nights.run(MONDAY)
    assert len(nights.titles()) == 1
    assert get_paper(nights.store, 1).topics == ("a", "b", "c")


def test_the_address_of_a_site_names_none_of_its_posts(nights: FeedNights) -> None:
    first, second = (item(one, link="https://blog.example/") for one in ("One post", "Two posts"))
    nights.topic("blog", "", feeds=(nights.server.put("/feed", rss(first)),))
    nights.run(MONDAY)
    nights.server.put("/feed", rss(second + first))
    nights.run(MONDAY + timedelta(days=1))
    assert nights.titles() == ["One post", "Two posts"]


def test_posts_of_one_title_on_one_site_are_two(nights: FeedNights) -> None:
    same = [item("Weekly links and notes", link=f"https://blog.example/{n}") for n in (1, 2)]
    url = nights.server.put("/feed", rss("".join(same)))
    nights.topic("blog", "", feeds=(url,))
    nights.run(MONDAY)
    assert len(nights.titles()) == 2


def test_a_post_about_a_paper_is_not_the_paper(nights: FeedNights) -> None:
    work = make_work("2611.01601", TWIN, ("cs.LG",), authors=("Jane Doe",))
    announce(nights.fake.calendar, MONDAY, [Announced(work)])
    nights.topic("both", "speculative", "cs.LG", feeds=(blog(nights, TWIN),))
    nights.run(MONDAY)
    assert nights.titles() == [TWIN, TWIN]


def test_a_preprint_and_its_publication_are_one(nights: FeedNights) -> None:
    preprint = item(TWIN, link="https://www.biorxiv.org/content/10.1101/2026.11.01.000001v1")
    url = nights.server.put("/a", rss(preprint.replace("</item>", f"{JANE}</item>"), DC))
    nights.topic("a", "", feeds=(url,))
    nights.run(MONDAY)
    article = item(TWIN, link="https://www.nature.com/articles/s41586-026-00001-1", more=JANE)
    nights.server.put("/a", rss(article + preprint, DC))
    nights.run(MONDAY + timedelta(days=1))
    assert len(nights.titles()) == 1


@pytest.mark.parametrize(
    ("reply", "state", "said"),
    [
        (Reply(b"", 503), "could-not-look", "answered 503"),
        (Reply(b"", 404), "could-not-look", "answered 404"),
        (Reply(b"", 410), "could-not-look", "the feed is gone (410 since 2026-11-17)"),
        (Reply(PAGE), "could-not-look", "it is a web page, not a feed. The page names a feed: `"),
        (
            Reply(rss(item("A cut post"))[:-40]),
            "could-not-look",
            "without a readable item: its XML is",
        ),
        (Reply(rss(""), 200), "nothing-announced", ""),
        (Reply(b"", 304), "quiet", ""),
    ],
)
def test_each_night_is_one_of_five_states_and_other_topics_go_on(
    nights: FeedNights, reply: Reply, state: str, said: str
) -> None:
    nights.topic("broken", "", feeds=(blog(nights, "A post here"),))
    work = make_work("2611.01601", TWIN, ("cs.LG",))
    announce(nights.fake.calendar, MONDAY, [])
    announce(nights.fake.calendar, MONDAY + timedelta(days=1), [Announced(work)])
    nights.topic("other", "speculative", "cs.LG")
    nights.run(MONDAY)
    nights.server.replies["/feed"] = reply
    report = nights.run(MONDAY + timedelta(days=1))
    other, look = report.categories
    assert (look.state, other.state) == (state, "new")
    assert nights.titles() == ["A post here", TWIN]
    assert report.exit_code == (4 if state == "could-not-look" else 0)
    assert said in " ".join(report.notes)


def test_an_old_copy_of_a_feed_is_stale(nights: FeedNights) -> None:
    posts = [item(f"Post number {n} here", day=date(2026, 11, n)) for n in range(15, 5, -1)]
    url = nights.server.put("/feed", rss("".join(posts)))
    nights.topic("blog", "", feeds=(url,))
    nights.run(MONDAY)
    nights.server.put("/feed", b"", 304)
    assert nights.look(MONDAY + timedelta(days=1)).state == "quiet"
    nights.server.put("/feed", rss("".join(posts[4:])))
    report = nights.run(MONDAY + timedelta(days=2))
    assert report.categories[0].state == "stale"
    assert report.exit_code == 5
    nights.server.put("/feed", rss("".join(posts[1:])))
    assert nights.look(MONDAY + timedelta(days=3)).state == "quiet", "one post was withdrawn"


def test_a_feed_that_shows_nothing_known_says_that_items_may_be_missing(
    nights: FeedNights,
) -> None:
    url = blog(nights, "Post number 1", "Post number 2")
    nights.topic("blog", "", feeds=(url,))
    nights.run(MONDAY)
    blog(nights, "Post number 7", "Post number 8")
    look = nights.look(MONDAY + timedelta(days=9))
    assert look.unseen == 2
    assert "items in between may be missing" in look.failed[0]


def test_a_feed_that_is_not_there_for_days_is_gone(nights: FeedNights) -> None:
    url = blog(nights, "A post here")
    nights.topic("my blog", "", feeds=(url,))
    nights.run(MONDAY)
    nights.server.put("/feed", b"", 404)
    told = [nights.look(MONDAY + timedelta(days=n)).failed[0] for n in range(1, 6)]
    assert "answered 404" in told[0]
    assert "gone" not in told[2]
    assert "the feed is gone (404 since 2026-11-17)" in told[3]
    assert f"`papertrack topic edit 'my blog' --no-feed {url}`" in told[3]
    blog(nights, "A new post here", "A post here")
    assert nights.look(MONDAY + timedelta(days=6)).state == "new"


def test_a_feed_that_is_gone_for_good_is_asked_once_a_week(nights: FeedNights) -> None:
    url = blog(nights, "A post here")
    nights.topic("blog", "", feeds=(url,))
    nights.run(MONDAY)
    nights.server.put("/feed", b"", 410)
    nights.server.log.clear()
    for number in range(1, 8):
        look = nights.look(MONDAY + timedelta(days=number))
        assert "is gone (410 since 2026-11-17)" in look.failed[0]
    assert len(nights.server.log) == 1
    nights.look(MONDAY + timedelta(days=8))
    assert len(nights.server.log) == 2


def test_a_feed_that_moves_is_followed_and_told_once(nights: FeedNights) -> None:
    url = blog(nights, "A post here")
    nights.topic("blog", "", feeds=(url,))
    nights.run(MONDAY)
    new = blog(nights, "A new post here", "A post here", path="/new")
    nights.server.put("/feed", b"", 301, Location="/new")
    look = nights.look(MONDAY + timedelta(days=1))
    assert look.state == "new"
    assert look.unseen == 1
    assert f"the feed has moved to {new}" in look.failed[0]
    nights.server.log.clear()
    assert nights.look(MONDAY + timedelta(days=2)).failed == ()
    assert [asked.path for asked in nights.server.log] == ["/new"]
    nights.server.put("/new", b"", 404)
    blog(nights, "Back again here", "A post here")
    assert nights.look(MONDAY + timedelta(days=3)).state == "could-not-look"
    assert nights.look(MONDAY + timedelta(days=4)).unseen == 1, "its own address is tried again"


def test_items_that_only_their_feed_knows_are_the_same_after_a_move(nights: FeedNights) -> None:
    bare = rss("<item><title>A thought without an address</title></item>")
    nights.topic("blog", "", feeds=(nights.server.put("/feed", bare),))
    nights.run(MONDAY)
    nights.server.put("/feed", b"", 301, Location="/new")
    nights.server.put("/new", bare)
    for number in (1, 2):
        assert nights.look(MONDAY + timedelta(days=number)).unseen == 0
    assert nights.titles() == ["A thought without an address"]


def test_a_feed_that_redirects_for_now_is_asked_at_its_own_address(nights: FeedNights) -> None:
    blog(nights, "A post here", path="/now")
    nights.topic("blog", "", feeds=(nights.server.put("/feed", b"", 302, Location="/now"),))
    assert nights.look(MONDAY).failed == ()
    nights.server.log.clear()
    nights.run(MONDAY + timedelta(days=1))
    assert [asked.path for asked in nights.server.log] == ["/feed", "/now"]


def test_a_redirect_to_another_host_waits_for_the_reader(nights: FeedNights) -> None:
    with serving() as other:
        target = other.put("/feed", rss(item("A post here")))
        nights.topic("blog", "", feeds=(nights.server.put("/feed", b"", 301, Location=target),))
        look = nights.look(MONDAY)
        assert look.state == "could-not-look"
        assert not other.log
        assert f"redirects to {target}" in look.failed[0]
        assert "`papertrack topic edit blog --accept`" in look.failed[0]
        assert accept_feeds(nights.store, get_topic(nights.store, "blog").feeds) == [other.host]
        assert nights.look(MONDAY + timedelta(days=1)).unseen == 1


def test_validators_are_kept_and_sent(nights: FeedNights) -> None:
    url = blog(nights, "A post here", ETag='"v1"', Last_Modified="Mon, 16 Nov 2026 08:00:00 GMT")
    nights.topic("blog", "", feeds=(url,))
    nights.run(MONDAY)
    nights.server.log.clear()
    nights.run(MONDAY + timedelta(days=1))
    (asked,) = nights.server.log
    assert asked.headers["if-none-match"] == '"v1"'
    assert asked.headers["if-modified-since"] == "Mon, 16 Nov 2026 08:00:00 GMT"


def test_a_host_that_is_not_accepted_is_not_asked_and_its_topic_waits(
    nights: FeedNights, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(FEED_HOSTS)
    url = blog(nights, "A post here")
    nights.topic("theirs", "", feeds=(url, "biorxiv:neuroscience"))
    report = nights.run(MONDAY)
    assert not nights.server.log
    assert report.exit_code == 0
    assert len(report.warnings) == 2
    assert "`papertrack topic edit theirs --accept`" in report.warnings[0]
    assert watched_categories(nights.store, ()) == []
    accept_feeds(nights.store, get_topic(nights.store, "theirs").feeds)
    nights.run(MONDAY + timedelta(days=1))
    assert "/feed" in [asked.path for asked in nights.server.log]


def test_a_runner_may_ask_the_hosts_to_which_feeds_redirect(nights: FeedNights) -> None:
    url = nights.server.put("/feed", b"", 302, Location="https://elsewhere.example/feed")
    nights.topic("blog", "", feeds=(url,))
    nights.run(MONDAY)
    assert hosts_of_feeds(nights.store) == (nights.server.host,)
    accept_feeds(nights.store, [url])
    blog(nights, "A post here")
    nights.run(MONDAY + timedelta(days=1))
    assert hosts_of_feeds(nights.store) == (nights.server.host, "elsewhere.example")


def test_a_topic_of_feeds_alone_needs_no_query_and_others_do(nights: FeedNights) -> None:
    from papertrack.actions.watch.topics import create_topic
    from papertrack.errors import UsageError

    url = blog(nights, "A post here")
    assert create_topic(nights.store, "all", "", feeds=[url]).query == ""
    with pytest.raises(UsageError, match="needs search terms"):
        create_topic(nights.store, "both", "", feeds=[url], arxiv_categories=["cs.LG"])
    with pytest.raises(UsageError, match="neither a feed nor a query"):
        edit_topic(nights.store, "all", feeds=[])
    for wrong in ("javascript:alert(1)", "http://user@host.example/", "localhost", "biorxiv:cats"):
        with pytest.raises(UsageError):
            create_topic(nights.store, "wrong", "", feeds=[wrong])


def test_a_settled_day_is_not_asked_again(nights: FeedNights) -> None:
    nights.topic("blog", "", feeds=(blog(nights, "A post here"),))
    nights.run(MONDAY)
    assert is_settled(nights.store, nights.plan)
    status = category_status(nights.store, nights.server.url("/feed"), MONDAY)
    assert status.warning is None
    assert status.missing == ()


# -- thirty nights --------------------------------------------------------------------------------

NIGHTS = [date(2026, 10, 1) + timedelta(days=n) for n in range(30)]
Outage = Callable[[Reply], Reply]
OUTAGES: tuple[Outage, ...] = (
    lambda reply: Reply(b"", 503),
    lambda reply: Reply(b"", 404),
    lambda reply: Reply(b"Rate exceeded.", 429),
    lambda reply: Reply(PAGE),
    lambda reply: Reply(b""),
    lambda reply: Reply(reply.body[: len(reply.body) // 2]),
    lambda reply: Reply(b"", 302, {"Location": "https://captive.example/"}),
)


class Publisher:
    """Works that come out day by day, in three feeds; some of them also on arXiv."""

    def __init__(self, nights: FeedNights, seed: int) -> None:
        self.nights, self.chance = nights, random.Random(seed)
        self.out: dict[str, Outage] = {}
        self.works: list[tuple[datetime, str, str]] = []
        """When, where, title."""
        for day in NIGHTS:
            for place, count in (("journal", 2), ("blog", 1), ("biorxiv", 3)):
                for number in range(count):
                    at = datetime(day.year, day.month, day.day, 8 + number, tzinfo=EASTERN)
                    self.works.append((at, place, f"The {place} paper {number} of {day:%d %B}"))
        server = nights.server
        server.replies["/journal"] = lambda asked: self.reply("journal", self.journal(), asked)
        server.replies["/blog"] = lambda asked: self.reply("blog", self.blog(), asked)
        for start in range(0, 400, 100):
            for since in [date(2026, 9, 1) + timedelta(days=n) for n in range(70)]:
                for until in NIGHTS:
                    path = f"/details/biorxiv/{since}/{until}/{start}/json"
                    server.replies[path] = self.details_of(since, until, start)

    def published(self, place: str) -> list[tuple[int, datetime, str]]:
        """Number, time and title of what is out, newest first."""
        found = [
            (number, at, title)
            for number, (at, where, title) in enumerate(self.works)
            if where == place and at <= self.nights.now
        ]
        return found[::-1]

    def reply(self, place: str, body: bytes, asked: Asked) -> Reply:
        etag = f'"{hash(body)}"'
        if asked.headers.get("if-none-match") == etag and place not in self.out:
            return Reply(b"", 304)
        reply = Reply(body, 200, {"ETag": etag})
        return self.out[place](reply) if place in self.out else reply

    def journal(self) -> bytes:
        return rdf(
            "".join(
                f'<item rdf:about="https://doi.org/10.1145/{n}"><title>{title}</title>'
                f"<link>https://dl.acm.org/doi/10.1145/3700000.{n}</link>"
                f"<dc:date>{at.isoformat()}</dc:date><dc:creator>Jane Doe</dc:creator></item>"
                for n, at, title in self.published("journal")[:20]
            )
        )

    def blog(self) -> bytes:
        return atom(
            "".join(
                f"<entry><id>tag:blog.example,{n}</id><title>{title}</title>"
                f'<link href="https://blog.example/{n}"/></entry>'
                for n, _, title in self.published("blog")[:10]
            )
        )

    def details_of(self, since: date, until: date, start: int) -> Callable[[Asked], Reply]:
        def reply(asked: Asked) -> Reply:
            # Some are shown a day after their date.
            found = [
                {
                    "doi": f"10.1101/2026.10.01.{n:06}",
                    "title": title,
                    "authors": "Doe, J.; Roe, R.",
                    "date": (at - timedelta(days=n % 2)).date().isoformat(),
                    "version": "1",
                    "category": "neuroscience",
                    "abstract": "Mice.",
                    "published": "NA",
                }
                for n, at, title in reversed(self.published("biorxiv"))
                if since <= (at - timedelta(days=n % 2)).date() <= until
            ]
            message = {"status": "ok", "total": len(found)}
            if not found:
                message = {"status": "no posts found"}
            part = found[start : start + 100]
            body = json.dumps({"messages": [message], "collection": part}).encode()
            return self.reply("biorxiv", body, asked)

        return reply


@pytest.mark.parametrize("seed", range(4 if WHOLE else 2))
def test_none_is_lost_and_none_comes_twice_over_thirty_nights_with_outages(
    nights: FeedNights, seed: int
) -> None:
    publisher = Publisher(nights, seed)
    server, chance = nights.server, publisher.chance
    nights.now = datetime(2026, 10, 1, 0, tzinfo=EASTERN)
    lists: dict[date, list[Announced]] = {}
    on_arxiv = [work for work in publisher.works if work[1] == "biorxiv"][::5]
    for number, (at, _, title) in enumerate(on_arxiv):
        work = make_work(f"2610.{number:05}", title, ("cs.LG",), authors=("J. Doe", "R. Roe"))
        listed = next(day for day in days(at.date() + timedelta(days=1), 3) if day.weekday() < 5)
        lists.setdefault(listed, []).append(Announced(work))
    for listed, announced in lists.items():
        announce(nights.fake.calendar, listed, announced)
    places = (server.url("/journal"), server.url("/blog"), "biorxiv:neuroscience")
    nights.topic("mine", "paper", "cs.LG", feeds=places)
    left = Counter[str]()
    for day in NIGHTS:
        for place in ("journal", "blog", "biorxiv"):
            if left[place]:
                left[place] -= 1
            elif place in publisher.out:
                del publisher.out[place]
            elif chance.random() < 0.25 and day < NIGHTS[-6]:
                publisher.out[place] = chance.choice(OUTAGES)
                left[place] = chance.randrange(4)
        nights.run(day)
        if chance.random() < 0.3:
            nights.run()
    assert not publisher.out, "the last nights are whole"
    titles = Counter(nights.titles())
    out = {title for at, _, title in publisher.works if at <= nights.now}
    assert set(titles) == out
    assert max(titles.values()) == 1
