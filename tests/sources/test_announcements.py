"""Announcements: feeds, listing pages, and what is not taken for a quiet day."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.errors import UsageError
from papertrack.holdings import Announcement
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.sources.arxiv_daily import (
    fetch_announcements,
    fetch_catchup,
    fetch_listing,
    parse_announcements,
    parse_listing,
)
from papertrack.sources.failures import BadAnswer, Refused, SourceFailure
from papertrack.sources.taxonomy import CATEGORIES, SUCCESSORS, get_category
from papertrack.sources.transport import Door
from tests.fake_arxiv import Announced, FakeArxiv
from tests.fake_arxiv.answers import listing_page
from tests.timing import assert_seconds

CORPUS = os.environ.get("PAPERTRACK_CORPUS")
GOLDEN = Path(__file__).parent / "golden"
TODAY = date(2026, 11, 18)


def test_a_feed_becomes_exactly_these_announcements() -> None:
    batch = parse_announcements((GOLDEN / "feed.xml").read_bytes())
    assert batch.announcements == (
        Announcement(
            "2611.01002",
            1,
            "new",
            PaperFacts(
                title="Bounds when $a<b$ & <script>alert(1)</script> by Erdős",
                identifiers=(Identifier("arxiv", "2611.01002"), Identifier("doi", "10.1234/ex.1")),
                authors=(Author("Paulo André", "MIT, CSAIL"), Author("王小明")),
                abstract="We show $a<b$ and <b>nothing</b> else.\n\n"
                "A second paragraph, naïve & short.",
                version=1,
                primary_category="cs.LG",
                arxiv_categories=("cs.LG", "math.CO"),
                journal_ref="J. Ex. 1 (2026)",
                licence="http://creativecommons.org/licenses/by/4.0/",
                is_withdrawn=False,
            ),
        ),
        Announcement(
            "hep-th/9901001",
            12,
            "replace-cross",
            PaperFacts(
                title="An old one, again",
                identifiers=(Identifier("arxiv", "hep-th/9901001"),),
                authors=(Author("A. B. Cde"),),
                abstract="Still true.",
                version=12,
                primary_category="hep-th",
                arxiv_categories=("hep-th", "cs.LG"),
                licence="http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
                is_withdrawn=False,
            ),
        ),
    )
    assert not batch.is_truncated
    assert batch.unreadable == ()


def test_entries_say_what_lxml_reads_in_them() -> None:
    from lxml import etree

    atom, schema = "{http://www.w3.org/2005/Atom}", "{http://arxiv.org/schemas/atom}"
    body = (GOLDEN / "feed.xml").read_bytes()
    peers = etree.fromstring(body).findall(f"{atom}entry")
    for ours, theirs in zip(parse_announcements(body).announcements, peers, strict=True):
        assert theirs.findtext(f"{atom}id") == f"oai:arXiv.org:{ours.arxiv_id}v{ours.version}"
        assert theirs.findtext(f"{schema}announce_type") == ours.kind
        terms = tuple(category.get("term") for category in theirs.findall(f"{atom}category"))
        assert terms == ours.facts.arxiv_categories


def test_a_text_that_was_encoded_twice_is_repaired() -> None:
    # As arXiv has it of some: 2405.13786 among them.
    body = (GOLDEN / "feed.xml").read_bytes()
    broken = body.replace(b"An old one", "Caf\u00c3\u00a9 talk".encode())
    titles = [one.facts.title for one in parse_announcements(broken).announcements]
    assert "Caf\u00e9 talk, again" in titles


def test_the_rss_form_which_loses_abstracts_is_refused() -> None:
    body = b"""<rss version="2.0"><channel><title>cs.LG updates on arXiv.org</title>
        <item><title>x</title></item></channel></rss>"""
    with pytest.raises(BadAnswer):
        parse_announcements(body)


def test_the_feed_listing_and_catchup_of_a_day_agree(door: Door) -> None:
    feed = fetch_announcements(door, "cs.LG")
    listing = fetch_listing(door, "cs.LG")
    catchup = fetch_catchup(door, "cs.LG", TODAY)
    assert listing.day == catchup.day == TODAY
    assert listing.total == catchup.total == len(feed.announcements) == 5
    assert listing.announcements == catchup.announcements
    by_id = {one.arxiv_id: one for one in listing.announcements}
    for announced in feed.announcements:
        listed = by_id[announced.arxiv_id]
        assert listed.kind == announced.kind
        assert listed.facts.title == announced.facts.title
        assert listed.facts.abstract == announced.facts.abstract
        assert [a.name for a in listed.facts.authors] == [a.name for a in announced.facts.authors]
        assert listed.facts.arxiv_categories == announced.facts.arxiv_categories
        assert listed.facts.announced == "2026-11-18"


def test_every_kind_of_work_reads_the_same_in_feed_and_listing(
    door: Door, fake_arxiv: FakeArxiv
) -> None:
    works = [work for work in fake_arxiv.shelf.known.values() if work.arxiv_id < "2407"]
    fake_arxiv.calendar.script[TODAY, "cs.LG"] = [Announced(work) for work in works]
    feed = fetch_announcements(door, "cs.LG").announcements
    listing = fetch_listing(door, "cs.LG").announcements
    assert [one.arxiv_id for one in feed] == [work.arxiv_id for work in works]
    for ours, theirs, work in zip(feed, listing, works, strict=True):
        assert ours.facts.title == theirs.facts.title == work.title
        assert ours.facts.abstract == theirs.facts.abstract
        assert ours.facts.authors == tuple(Author(*author) for author in work.authors)
        assert theirs.facts.comment == work.comment


def test_a_weekend_is_an_empty_batch_and_the_listing_shows_friday(
    door: Door, fake_arxiv: FakeArxiv
) -> None:
    fake_arxiv.calendar.today = date(2026, 11, 22)
    assert fetch_announcements(door, "cs.LG").announcements == ()
    assert fetch_listing(door, "cs.LG").day == date(2026, 11, 20)
    assert fetch_catchup(door, "cs.LG", date(2026, 11, 22)).announcements == ()


def test_a_stale_feed_is_told_from_the_listing_by_its_ids(
    door: Door, fake_arxiv: FakeArxiv
) -> None:
    fake_arxiv.calendar.feed_days["cs.LG"] = date(2026, 11, 17)
    stale = {one.arxiv_id for one in fetch_announcements(door, "cs.LG").announcements}
    listed = fetch_listing(door, "cs.LG")
    assert listed.day == TODAY
    assert stale.isdisjoint(one.arxiv_id for one in listed.announcements)


def test_a_full_feed_says_that_it_may_lack_papers(door: Door, fake_arxiv: FakeArxiv) -> None:
    fake_arxiv.fail("feed", "overflow")
    batch = fetch_announcements(door, "cs.LG")
    assert batch.is_truncated
    assert len(batch.announcements) == 2000


def test_a_paper_that_a_feed_names_twice_counts_once(door: Door, fake_arxiv: FakeArxiv) -> None:
    fake_arxiv.fail("feed", "duplicate-item")
    assert len(fetch_announcements(door, "cs.LG").announcements) == 5


@pytest.mark.parametrize(
    ("fault", "said"), [("unknown-kind", "rumour"), ("six-digits", "2611.010020v1")]
)
def test_an_entry_of_a_kind_or_id_that_arxiv_does_not_have_is_reported_and_harms_no_other(
    door: Door, fake_arxiv: FakeArxiv, fault: str, said: str
) -> None:
    fake_arxiv.fail("feed", fault)
    batch = fetch_announcements(door, "cs.LG")
    assert len(batch.announcements) == 4
    assert said in batch.unreadable[0]


def test_an_unknown_category_is_named(door: Door) -> None:
    with pytest.raises(BadAnswer, match=r"answered 400.*'xx\.YY'"):
        fetch_announcements(door, "xx.YY")


@pytest.mark.parametrize(
    "fault",
    """
        rate rate-200 busy forbidden html html-as-xml plain-as-xml empty feed-error cut
        short-of-length latin-1 nul vertical-tab doctype nested bomb reset
    """.split(),
)
def test_each_fault_of_a_feed_is_a_typed_error_and_no_quiet_day(
    door: Door, fake_arxiv: FakeArxiv, fault: str
) -> None:
    fake_arxiv.fail("feed", fault)
    with pytest.raises(SourceFailure, match=fake_arxiv.host("feed")):
        fetch_announcements(door, "cs.LG")


@pytest.mark.parametrize("fault", ["bom", "utf-16"])
def test_a_feed_in_a_declared_encoding_is_read(
    door: Door, fake_arxiv: FakeArxiv, fault: str
) -> None:
    fake_arxiv.fail("feed", fault)
    assert len(fetch_announcements(door, "cs.LG").announcements) == 5


@given(st.binary(max_size=150))
def test_any_bytes_are_a_batch_or_a_typed_error(noise: bytes) -> None:
    golden = (GOLDEN / "feed.xml").read_bytes()
    for body in (noise, golden + noise, golden[: len(noise) * 15] + noise):
        try:
            assert len(parse_announcements(body).announcements) == 2
        except BadAnswer:
            continue


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="PAPERTRACK_CORPUS is not set")
def test_a_real_feed_is_read_whole_and_the_feeds_of_2018_are_refused() -> None:
    folder = Path(CORPUS or "") / "arxiv-rss"
    batch = parse_announcements((folder / "TideDra-arxiv_rss_example.xml").read_bytes())
    assert [one.kind for one in batch.announcements] == ["cross"] * 5 + ["new"] * 2
    assert batch.announcements[2].facts.authors == (Author("Paulo André Lima de Castro"),)
    assert "$1.13\\times$" in (batch.announcements[3].facts.abstract or "")
    for path in folder.glob("physbiblio-*.xml"):
        with pytest.raises(BadAnswer):
            parse_announcements(path.read_bytes())


# --- listing pages ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", ["rate", "forbidden", "server-error", "empty", "wrong-count", "nested", "html"]
)
def test_a_listing_that_is_none_or_miscounts_is_an_error(
    door: Door, fake_arxiv: FakeArxiv, fault: str
) -> None:
    fake_arxiv.fail("site", fault)
    with pytest.raises(SourceFailure, match=fake_arxiv.host("site")):
        fetch_listing(door, "cs.LG")


def test_a_listing_that_is_cut_short_is_an_error(fake_arxiv: FakeArxiv) -> None:
    batch = fake_arxiv.calendar.batch(TODAY, "cs.LG", fake_arxiv.shelf)
    heading = "<h3>Showing new listings for Wednesday, 18 November 2026</h3>"
    body = listing_page(heading, batch).body
    assert len(parse_listing(body, "cs.LG").announcements) == 5
    for cut in range(0, len(body) - 10, 97):
        with pytest.raises(BadAnswer):
            parse_listing(body[:cut], "cs.LG")


def test_a_listing_that_lacks_a_section_is_known_to_be_short(
    door: Door, fake_arxiv: FakeArxiv
) -> None:
    fake_arxiv.fail("site", "no-section")
    listing = fetch_listing(door, "cs.LG")
    assert (len(listing.announcements), listing.total) == (3, 5)
    with pytest.raises(BadAnswer, match="of 5"):
        fetch_catchup(door, "cs.LG", TODAY)


def test_a_long_day_is_caught_up_page_by_page(door: Door, fake_arxiv: FakeArxiv) -> None:
    whole = fetch_catchup(door, "cs.LG", TODAY)
    fake_arxiv.catchup_size = 2
    before = len(fake_arxiv.asked())
    assert fetch_catchup(door, "cs.LG", TODAY) == whole
    assert [request.path.partition("?")[2] for request in fake_arxiv.asked()[before:]] == [
        "abs=True",
        "abs=True&page=2",
        "abs=True&page=3",
    ]


@pytest.mark.parametrize(
    ("category", "kind"),
    [("hep-th", "replace"), ("cs.LG", "replace-cross"), ("cs", "replace-cross")],
)
def test_a_replacement_is_relative_to_the_category_that_is_asked(
    fake_arxiv: FakeArxiv, category: str, kind: str
) -> None:
    old = Announced(fake_arxiv.shelf.known["hep-th/9901001"], "replace", 2)
    heading = "<h3>Showing new listings for Thursday, 26 November 2026</h3>"
    (one,) = parse_listing(listing_page(heading, [old]).body, category).announcements
    assert (one.kind, one.version) == (kind, None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"(showing 1 of 1 entries)", b""),
        (b"arXiv:hep-th/9901001", b"arXiv:hep-th/9913001"),
        (b"(hep-th)", b""),
        (b"Strings before the century turned", b""),
        (b"</h3>\n", b"</h3>Total of 0 entries"),
        (b"<dl", b"<dl></dl><dl"),
    ],
)
def test_an_entry_or_section_that_cannot_be_read_is_an_error(
    fake_arxiv: FakeArxiv, old: bytes, new: bytes
) -> None:
    work = Announced(fake_arxiv.shelf.known["hep-th/9901001"])
    heading = "<h3>Showing new listings for Thursday, 26 November 2026</h3>"
    body = listing_page(heading, [work]).body
    assert old in body
    with pytest.raises(BadAnswer):
        parse_listing(body.replace(old, new), "hep-th")


@pytest.mark.parametrize("body", [b"", b"</html>", b"\x00</html>", b"<!-- </html>"])
def test_a_page_of_nothing_is_an_error(body: bytes) -> None:
    with pytest.raises(BadAnswer):
        parse_listing(body, "cs.LG")


def test_a_day_without_updates_is_an_empty_listing() -> None:
    heading = "<h3>Showing new listings for Thursday, 26 November 2026</h3>"
    listing = parse_listing(listing_page(heading, []).body, "cs.LG")
    assert (listing.day, listing.announcements) == (date(2026, 11, 26), ())


def test_an_old_day_is_refused_by_arxiv(door: Door) -> None:
    with pytest.raises(Refused, match="400"):
        fetch_catchup(door, "cs.LG", date(2026, 8, 1))


def test_the_listing_of_another_day_is_no_catchup(door: Door, fake_arxiv: FakeArxiv) -> None:
    fake_arxiv.fail("site", "wrong-day")
    with pytest.raises(BadAnswer, match="2001-01-01"):
        fetch_catchup(door, "cs.LG", TODAY)


@pytest.mark.parametrize(
    "day", ["Wednesday, 32 November 2026", "Wednesday, 18 Brumaire 2026", "18.11.2026", ""]
)
def test_a_page_without_a_day_is_no_listing(day: str) -> None:
    with pytest.raises(BadAnswer, match="not a listing"):
        parse_listing(listing_page(f"<h3>Showing new listings for {day}</h3>", []).body, "cs")


def test_a_large_hostile_page_is_refused_in_no_time() -> None:
    def refuse() -> None:
        for unit in (b"<dl>", b"<h1>Catchup results for a on ", b"(cs.LG", b"<dt><dd>"):
            with pytest.raises(BadAnswer):
                parse_listing(unit * 100_000 + b"</html>", "cs.LG")

    assert_seconds(10, refuse)


# --- the taxonomy ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("cs.LG", "cs.LG"),
        (" CS.lg ", "cs.LG"),
        ("hep-th", "hep-th"),
        ("cs", "cs"),
        ("math.MP", "math-ph"),
        ("cmp-lg", "cs.CL"),
        ("cond-mat.stat-mech", "cond-mat.stat-mech"),
    ],
)
def test_a_category_is_known_in_any_spelling(text: str, name: str) -> None:
    assert get_category(text) == name


@pytest.mark.parametrize(
    ("text", "nearest"), [("cs.GL2", "cs.GL"), ("csLG", "cs.LG"), ("hepth", "hep-th")]
)
def test_an_unknown_category_names_the_nearest(text: str, nearest: str) -> None:
    with pytest.raises(UsageError, match=rf"Did you mean .*{nearest}"):
        get_category(text)


def test_the_taxonomy_has_155_categories_and_every_successor_exists() -> None:
    assert len(CATEGORIES) == 155
    assert set(SUCCESSORS.values()) <= set(CATEGORIES)
    with pytest.raises(UsageError, match="taxonomy"):
        get_category("£" * 1_000_000)


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="PAPERTRACK_CORPUS is not set")
def test_the_taxonomy_is_arxivs_own_table() -> None:
    import json

    path = Path(CORPUS or "") / "arxiv-metadata" / "taxonomy" / "arXiv_category_def.json"
    known = {
        one["category"]: one["name"]
        for one in json.loads(path.read_text())
        if one["active"] and not one["category"].startswith("test.")
    }
    assert known == CATEGORIES
