"""A real day of announcements, as a mirror of arXiv's feed kept it."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path

import pytest

from tests.fake_arxiv import Announced, Work
from tests.watch.conftest import Nights

CORPUS = os.environ.get("PAPERTRACK_CORPUS")
DAY = date(2026, 4, 21)


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="PAPERTRACK_CORPUS names no collection")
def test_every_announcement_of_a_real_day_is_kept_as_it_was_announced(nights: Nights) -> None:
    path = Path(CORPUS or "") / "arxiv-rss" / "derived-json" / f"feed-mirror-{DAY}.json"
    papers = json.loads(path.read_text())["papers"]
    assert len(papers) > 400
    nights.fake.calendar.script[DAY, "cs.LG"] = [
        Announced(
            Work(
                paper["arxiv_id"],
                paper["title"],
                tuple((name, None) for name in paper["authors"]),
                paper["abstract"],
                tuple(dict.fromkeys((paper["primary_category"], *paper["categories"], "cs.LG"))),
                ("2026-04-17T10:00:00Z",),
            ),
            paper["announce_type"],
            2 if paper["announce_type"].startswith("replace") else 1,
        )
        for paper in papers
    ]
    nights.topic("all", "NOT surelynotthere", "cs.LG")
    report = nights.run(DAY)
    assert [(look.state, look.failed) for look in report.categories] == [("new", ())]
    kept = nights.store.connection.execute("SELECT arxiv_id, kind FROM announcements").fetchall()
    assert sorted(kept) == sorted((paper["arxiv_id"], paper["announce_type"]) for paper in papers)
    firsts = {p["arxiv_id"] for p in papers if not p["announce_type"].startswith("replace")}
    assert set(nights.inbox()) == firsts
