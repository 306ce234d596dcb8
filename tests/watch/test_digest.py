"""The digest in each form, the feed of the inbox, and titles that mean harm."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from io import BytesIO

import feedparser
import pytest
from lxml import etree

from papertrack.actions.reading import set_decision
from papertrack.actions.watch.digest import (
    make_digest,
    write_digest,
    write_inbox_feed,
)
from papertrack.exporters.digest import (
    Digest,
    DigestEntry,
    DigestReplacement,
    DigestTopic,
    FeedEntry,
    to_atom,
    to_atom_of_digest,
    to_html,
    to_markdown,
    to_text,
)
from papertrack.exporters.registry import DIGEST_FORMATS, write_digest_as
from papertrack.records import Author, Identifier, Link, Paper, PaperFacts
from tests.fake_arxiv import Announced
from tests.watch.announced_days import announce, days, make_work
from tests.watch.conftest import Nights

MONDAY, TUESDAY = days(date(2026, 11, 16), 2)
ATOM = "{http://www.w3.org/2005/Atom}"

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style><script>",
    "]](javascript:alert(1)) [x](https://evil.example)",
    "# A heading\n\n- a list\n\n```\ncode",
    "| a | table | <!-- comment",
    "]]> & &amp; <![CDATA[",
    "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07 \x9b31m",
    "right‮to left⁦ zero​width",
    "@everyone [^1] ![x](https://evil.example/x.png) https://evil.example",
    "$\\alpha_{i}$ *em* _em_ `code` ~~gone~~",
]


def paper(title: str, **options: object) -> Paper:
    facts = PaperFacts(
        title=title,
        identifiers=(Identifier("arxiv", "2611.01601"),),
        authors=(Author("Ada Abara"), Author(title)),
        abstract=f"We show {title}.\n\nSecond paragraph.",
        comment=title,
        arxiv_categories=("cs.LG", "cs.CL"),
        version=1,
        announced="2026-11-16",
    )
    given = facts._replace(**options)  # type: ignore[arg-type]
    return Paper(1, "abara2026", given, added="2026-11-16T08:17:00+00:00", decision="inbox")


def digest_of(one: Paper, *, topic: str = "decoding", reason: str = "draft (title)") -> Digest:
    entry = DigestEntry(one, reason, 3.5, is_known=False)
    return Digest(
        "2026-11-16",
        "2026-11-16",
        (DigestTopic(topic, (entry,)),),
        (DigestReplacement(one, 2),),
        ("cs.CL: rss.arxiv.org answered 429.",),
    )


def test_the_markdown_digest_reads_as_it_should() -> None:
    text = to_markdown(digest_of(paper("Draft & verify", comment="7 pages")))
    assert (
        text
        == """\
# New papers, 2026-11-16

1 paper in 1 topic.

> ⚠️ cs.CL: rss.arxiv.org answered 429.

## decoding

### [Draft & verify](<https://arxiv.org/abs/2611.01601>)

Ada Abara, Draft & verify · cs.LG, cs.CL · 7 pages

matched: draft (title)

[pdf](<https://arxiv.org/pdf/2611.01601>)

> We show Draft & verify.
>
> Second paragraph.

## New versions of your papers

- [Draft & verify](<https://arxiv.org/abs/2611.01601>) (v2)
"""
    )


def test_the_text_digest_stays_within_its_columns() -> None:
    text = to_text(digest_of(paper("A title of many words " * 8)))
    assert max(map(len, text.splitlines())) <= 78
    assert "matched: draft (title)" in text
    assert "\n  https://arxiv.org/abs/2611.01601\n" in text
    assert "pdf: https://arxiv.org/pdf/2611.01601" in text


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_titles_stay_text_in_markdown(title: str) -> None:
    from markdown_it import MarkdownIt

    text = to_markdown(digest_of(paper(title), topic=title, reason=title))
    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text)
    kinds = {token.type for token in tokens}
    assert not kinds & {"html_block", "fence", "code_block", "table_open", "ordered_list_open"}
    inline = [child for token in tokens for child in token.children or ()]
    assert not {child.type for child in inline} & {"html_inline", "image", "code_inline", "em_open"}
    targets = {child.attrs["href"] for child in inline if child.type == "link_open"}
    assert all(str(target).startswith("https://arxiv.org/") for target in targets)
    assert [t.tag for t in tokens if t.type == "heading_open"] == ["h1", "h2", "h3", "h2"]


class _Page(HTMLParser):
    """The tags and addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: set[str] = set()
        self.comments = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses |= {value or "" for name, value in attrs if name in ("href", "src")}

    def handle_comment(self, data: str) -> None:
        self.comments += 1


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_titles_stay_text_in_html_and_the_page_asks_for_nothing(title: str) -> None:
    page = _Page()
    html = to_html(digest_of(paper(title), topic=title, reason=title))
    page.feed(html)
    assert not page.tags & {"script", "img", "iframe", "object", "form", "base"}
    assert not {name for name in page.attributes if name.startswith("on")}
    assert page.comments == 0
    assert all(address.startswith("https://arxiv.org/") for address in page.addresses)
    assert "default-src 'none'" in html
    assert "\x1b" not in html
    assert "‮" not in html


@pytest.mark.parametrize("title", HOSTILE)
@pytest.mark.parametrize("form", DIGEST_FORMATS)
def test_no_form_lets_control_or_direction_characters_through(form: str, title: str) -> None:
    one = paper(title)
    if form == "json":  # What is stored is clean already; JSON shows it as it is.
        from papertrack.text import clean

        one = paper(clean(title))
    text = write_digest_as(form, digest_of(one, topic=title, reason=title))
    if form == "json":
        json.loads(text)
    else:
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


@pytest.mark.parametrize("title", HOSTILE)
def test_the_feed_validates_as_atom_whatever_the_titles(title: str) -> None:
    entry = FeedEntry(paper(title), (title,), title, "2026-11-16T08:17:00+00:00")
    text = to_atom([entry], name="/somewhere", updated="2026-11-01T00:00:00+00:00")
    check_atom(text)
    parsed = feedparser.parse(BytesIO(text.encode()), sanitize_html=False)
    assert not parsed.bozo
    assert parsed.entries[0].link == "https://arxiv.org/abs/2611.01601"


def check_atom(text: str) -> etree._Element:
    """RFC 4287, sections 4.1.1 and 4.1.2: what a feed and an entry must have, and have once."""
    feed = etree.fromstring(text.encode())
    assert feed.tag == f"{ATOM}feed"
    for element in (feed, *feed.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(element.findall(f"{ATOM}{name}")) == 1, name
        updated = element.findtext(f"{ATOM}updated")
        assert re.fullmatch(r"[0-9-]{10}T[0-9:]{8}(\.[0-9]+)?(Z|[+-][0-9:]{5})", updated or "")
        assert re.match(r"(urn:|https:)", element.findtext(f"{ATOM}id") or "")
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.findall(f"{ATOM}entry")]
    assert len(ids) == len(set(ids))
    for entry in feed.findall(f"{ATOM}entry"):
        assert entry.findall(f"{ATOM}author/{ATOM}name"), "an author is required"
        assert entry.find(f"{ATOM}content").get("type") == "text"
        assert all(one.get("term") for one in entry.findall(f"{ATOM}category"))
    return feed


def test_an_address_that_is_not_http_is_no_link() -> None:
    one = paper(
        "T",
        identifiers=(),
        links=(Link("paper", "javascript:alert(1)"), Link("code", 'https://x.example/"><b>')),
    )
    for text in (to_html(digest_of(one)), to_markdown(digest_of(one))):
        assert "javascript" not in text
        assert "x.example" not in text


def prepare(nights: Nights) -> None:
    works = [
        make_work("2611.01601", "Caches for speculative decoding", ("cs.LG",)),
        make_work(
            "2611.01602", "On caches", ("cs.LG",), abstract="With speculative decoding at the end."
        ),
        make_work("2611.01603", "Something else", ("cs.LG",), authors=("Tri Dao",)),
    ]
    announce(nights.fake.calendar, MONDAY, map(Announced, works))
    nights.topic("decoding", '"speculative decoding" OR author:"Tri Dao"', "cs.LG")
    nights.topic("caches", "caches", "cs.LG")


def test_within_a_topic_the_best_comes_first_and_the_reasons_are_said(nights: Nights) -> None:
    prepare(nights)
    nights.run(MONDAY)
    digest = make_digest(nights.store, since=MONDAY, until=MONDAY)
    found = {
        topic.name: [(e.paper.facts.identifier("arxiv"), e.reason) for e in topic.entries]
        for topic in digest.topics
    }
    assert found == {
        "caches": [("2611.01601", "caches (title)"), ("2611.01602", "caches (title)")],
        "decoding": [
            ("2611.01603", "Tri Dao (author)"),
            ("2611.01601", "speculative decoding (title)"),
            ("2611.01602", "speculative decoding (abstract)"),
        ],
    }
    assert digest.summary == "3 papers in 2 topics"


def test_the_digest_leaves_out_what_was_discarded_and_marks_what_was_known(nights: Nights) -> None:
    prepare(nights)
    nights.run(MONDAY)
    entries = make_digest(nights.store, since=MONDAY, until=MONDAY).topics[0].entries
    set_decision(nights.store, [entries[0].paper.id], "discarded")
    nights.topic("also", '"speculative decoding"', "cs.LG")
    nights.run(TUESDAY, since=MONDAY)
    digest = make_digest(nights.store, since=TUESDAY, until=TUESDAY)
    (topic,) = digest.topics
    assert topic.name == "also"
    assert [(e.paper.facts.identifier("arxiv"), e.is_known) for e in topic.entries] == [
        ("2611.01602", True)
    ]
    assert digest.summary == "No new papers"
    assert "already in your list" in to_text(digest)


def test_a_digest_is_a_feed_of_its_papers_each_once() -> None:
    one = digest_of(paper("Draft & verify"))
    twice = replace(
        one, topics=(*one.topics, *digest_of(paper("Draft & verify"), topic="b").topics)
    )
    (entry,) = check_atom(to_atom_of_digest(twice)).findall(f"{ATOM}entry")
    assert {found.get("term") for found in entry.findall(f"{ATOM}category")} == {"decoding", "b"}


def test_the_nightly_files_are_the_days_digest_and_the_feed_of_the_inbox(nights: Nights) -> None:
    prepare(nights)
    nights.run(MONDAY)
    digest = make_digest(nights.store, since=MONDAY, until=MONDAY)
    assert write_digest(nights.library, digest) == (
        nights.library.exports / "digest" / "2026-11-16.md"
    )
    path = write_inbox_feed(nights.store, nights.library)
    feed = check_atom(path.read_text())
    assert len(feed.findall(f"{ATOM}entry")) == 3
    assert [link.get("href") for link in feed.findall(f"{ATOM}link[@rel='self']")] == ["inbox.atom"]
    before = path.read_bytes()
    set_decision(nights.store, [digest.topics[0].entries[0].paper.id], "saved")
    write_inbox_feed(nights.store, nights.library)
    assert path.read_bytes() != before
    assert b"2611.01601" not in path.read_bytes()


def test_a_day_with_nothing_to_tell_leaves_no_file(nights: Nights) -> None:
    digest = make_digest(nights.store, since=MONDAY, until=MONDAY)
    assert write_digest(nights.library, digest) is None
    assert not (nights.library.exports / "digest").exists()


def test_a_complaint_leaves_the_days_file_when_a_later_run_repaired_it(nights: Nights) -> None:
    failed = make_digest(nights.store, since=MONDAY, until=MONDAY, notes=["cs.LG: not reached"])
    path = write_digest(nights.library, failed)
    assert path is not None
    assert "not reached" in path.read_text()
    write_digest(nights.library, make_digest(nights.store, since=MONDAY, until=MONDAY))
    assert "not reached" not in path.read_text()
