"""What a newer papertrack said, and an older one took in, is there once that one is upgraded."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from papertrack.store.changes.triggers import unwatched
from papertrack.store.store import SCHEMA_VERSION, Store
from tests.share.test_share import PAPER, desktop, do, exchange, laptop, own_state, shown

__all__ = ["desktop", "laptop", "own_state"]


def as_if_older(folder: Path, *statements: str) -> None:
    """Let a library be one of the schema before, which had no place for what these take away."""
    database = folder / "data" / "papertrack.db"
    with Store.open(database, now=lambda: datetime.now(UTC)) as store:
        with store.transaction(), unwatched(store):
            for sql in statements:
                assert store.execute(sql).rowcount
        store.execute(f"PRAGMA user_version = {SCHEMA_VERSION - 1}")


def test_what_had_no_place_before_an_upgrade_is_there_after_it_and_stays(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert do(desktop, "snooze", PAPER, "--until", "2999-06-01") == 0
    assert do(desktop, "tag", PAPER, "+new") == 0
    assert do(desktop, "ranking", "forget", "cache") == 0
    exchange(desktop, laptop)
    assert do(laptop, "list") == 0
    as_if_older(
        laptop,
        "UPDATE paper_states SET snoozed_until = NULL WHERE snoozed_until IS NOT NULL",
        "DELETE FROM tags WHERE tag = 'new'",
        "DELETE FROM forgotten",
        "DELETE FROM share_names WHERE table_name = 'forgotten'",
    )
    assert do(laptop, "pass", PAPER, "1") == 0
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        paper = shown(folder, capfd, "show", PAPER)
        assert isinstance(paper, dict)
        assert paper["snoozed_until"] == "2999-06-01"
        assert "new" in paper["tags"]
        assert do(folder, "share", "check") == 0
