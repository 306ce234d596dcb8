"""The digest of what the topics found, and the files that a nightly run leaves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from itertools import groupby
from pathlib import Path

from papertrack.actions.watch.calendar import EASTERN
from papertrack.exporters.digest import (
    Digest,
    DigestEntry,
    DigestReplacement,
    DigestTopic,
    FeedEntry,
    to_atom,
    to_markdown,
)
from papertrack.library import Library
from papertrack.library.files import write_file
from papertrack.records import Paper
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.store.watch.announcements import replacements_since
from papertrack.store.watch.topics import Found, found_since

FEED_ENTRIES = 200
"""The newest ones: feed readers keep the others."""
_EVER = "0001-01-01"


def make_digest(store: Store, *, since: date, until: date, notes: Sequence[str] = ()) -> Digest:
    """What the topics found from a day on (as arXiv counts days), without what was discarded."""
    start = datetime.combine(since, time(), EASTERN).isoformat()
    found = found_since(store, start)
    replaced = replacements_since(store, start)
    ids = {one.paper_id for one in found} | {one.paper_id for one in replaced}
    papers = {paper.id: paper for paper in get_papers(store, sorted(ids))}

    def entry(one: Found) -> DigestEntry:
        paper = papers[one.paper_id]
        is_known = datetime.fromisoformat(paper.added) < datetime.fromisoformat(one.found_at)
        return DigestEntry(paper, one.reason, one.score, is_known)

    return Digest(
        since.isoformat(),
        until.isoformat(),
        tuple(
            DigestTopic(name, tuple(map(entry, group)))
            for name, group in groupby(found, key=lambda one: one.topic)
        ),
        tuple(DigestReplacement(papers[one.paper_id], one.version) for one in replaced),
        tuple(notes),
    )


def write_digest(library: Library, digest: Digest) -> Path | None:
    """Write ``exports/digest/DATE.md``; None, and no file, when there is nothing to tell.

    A file of the same day that is there is brought up to date all the same: a later run may have
    repaired what the earlier one complained of.
    """
    path = library.exports / "digest" / f"{digest.until}.md"
    if not (digest.topics or digest.replaced or digest.notes or path.exists()):
        return None
    write_file(path, to_markdown(digest).encode())
    return path


def _feed_entry(paper: Paper, found: Sequence[Found]) -> FeedEntry:
    return FeedEntry(
        paper,
        tuple(one.topic for one in found),
        "; ".join(dict.fromkeys(one.reason for one in found)),
        min((one.found_at for one in found), key=datetime.fromisoformat),
    )


def write_inbox_feed(store: Store, library: Library) -> Path:
    """Write ``exports/inbox.atom``: the papers that wait for a decision, the newest first."""
    by_paper: dict[int, list[Found]] = {}
    for one in found_since(store, _EVER):
        by_paper.setdefault(one.paper_id, []).append(one)
    papers = get_papers(store, sorted(by_paper))
    entries = [
        _feed_entry(paper, by_paper[paper.id]) for paper in papers if paper.decision == "inbox"
    ]
    entries.sort(key=lambda one: (datetime.fromisoformat(one.updated), one.paper.id), reverse=True)
    path = library.exports / "inbox.atom"
    text = to_atom(entries[:FEED_ENTRIES], name=str(library.root), updated=store.stamp())
    write_file(path, text.encode())
    return path
