"""The state of the topics' feeds on this machine: their addresses, and the items seen.

It is not journalled. Only the newest item of each feed is shared with other machines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, replace
from datetime import date, timedelta

from papertrack.store.store import Store

FORGOTTEN_AFTER = timedelta(days=400)
"""The time after which an item that its feed no longer shows is forgotten."""


@dataclass(frozen=True, slots=True)
class FeedState:
    """The state of a feed after the last fetches."""

    name: str
    etag: str = ""
    modified: str = ""
    moved_to: str | None = None
    """The address to fetch instead of its own."""
    redirect: str | None = None
    """An address to which it redirects, on a host that was not accepted at the time."""
    newest: str | None = None
    """The name of an item and its time (ISO 8601, UTC), separated by a blank."""
    looked_on: str | None = None
    """The day of the last complete fetch."""
    failed: int | None = None
    """The status with which the server has refused it since ``failed_since``."""
    failed_since: str | None = None


def get_state(store: Store, feed: str) -> FeedState:
    """Return the state of a feed."""
    sql = """SELECT name, etag, modified, moved_to, redirect, newest, looked_on, failed,
                    failed_since FROM feeds WHERE name = ?"""
    return store.find_record(FeedState, sql, (feed,)) or FeedState(feed)


def set_state(store: Store, state: FeedState) -> None:
    """Store the state of a feed."""
    with store.transaction():
        store.execute(
            "INSERT OR REPLACE INTO feeds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", astuple(state)
        )


def note_newest(store: Store, feed: str, newest: str) -> None:
    """Record an item that others have seen, if it is newer than the newest one here."""
    state = get_state(store, feed)
    if newest.rpartition(" ")[2] > (state.newest or "").rpartition(" ")[2]:
        set_state(store, replace(state, newest=newest))


def known_items(store: Store, feed: str) -> set[str]:
    """Return the names of the items that a feed has shown."""
    return set(store.select_column("SELECT item FROM feed_items WHERE feed = ?", (feed,)))


def keep_items(
    store: Store, feed: str, items: Iterable[tuple[str, str | None]], today: date
) -> None:
    """Record that a feed shows these items today, by name and time. Call it in a transaction."""
    store.connection.executemany(
        """INSERT INTO feed_items (feed, item, at, shown_on) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET shown_on = excluded.shown_on""",
        [(feed, name, at, today) for name, at in items],
    )
    store.execute(
        "DELETE FROM feed_items WHERE feed = ? AND shown_on < ?", (feed, today - FORGOTTEN_AFTER)
    )


def count_newer(store: Store, feed: str, at: str, shown_on: str | None) -> int:
    """Return how many items that a feed showed on a day are later than a time."""
    return int(
        store.select_value(
            "SELECT count(*) FROM feed_items WHERE feed = ? AND shown_on = ? AND at > ?",
            (feed, shown_on, at),
        )
    )
