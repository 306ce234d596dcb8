"""A real library in a temporary folder, and papers to put in it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from papertrack.records import Author, Identifier, PaperFacts
from papertrack.store import papers
from papertrack.store.store import Store
from tests.fresh_store import fresh_store


def ticking_clock(hour: int = 8) -> Callable[[], datetime]:
    """A clock that moves on by a second each time it is read."""
    seconds = count()
    return lambda: datetime(2026, 1, 5, hour, tzinfo=UTC) + timedelta(seconds=next(seconds))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with fresh_store(tmp_path / "data" / "papertrack.db", now=ticking_clock()) as opened:
        yield opened


def facts(title: str = "Attention Is All You Need", **overrides: object) -> PaperFacts:
    return PaperFacts(title=title, **overrides)  # type: ignore[arg-type]


PAGED_ATTENTION = PaperFacts(
    title="Efficient Memory Management for Large Language Model Serving with PagedAttention",
    authors=(Author("Woosuk Kwon"), Author("Zhuohan Li")),
    identifiers=(Identifier("arxiv", "2309.06180"),),
)
FLASH_ATTENTION = PaperFacts(
    title="FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness",
    authors=(Author("Tri Dao"),),
    identifiers=(Identifier("arxiv", "2205.14135"),),
)


def add(store: Store, given: PaperFacts, **options: object) -> int:
    with store.action("add"):
        return papers.add_paper(store, given, source="add", **options)  # type: ignore[arg-type]
