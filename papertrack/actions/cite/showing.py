"""Showing citekeys to be copied. Whoever prints, copies or exports keys reads the papers here.

A key that may be in somebody's manuscript must not change any more: reading and freezing are
one call, so that no front end can forget the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from papertrack.errors import DiskError, StoreError
from papertrack.records import Paper
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import each_paper
from papertrack.store.store import Store


class ShownPapers(NamedTuple):
    """Papers with the keys to show."""

    papers: tuple[Paper, ...]
    problem: str | None
    """Why the keys could not be frozen, for the reader; they are shown all the same."""


def papers_to_copy(store: Store, paper_ids: Sequence[int]) -> ShownPapers:
    """Freeze these papers' keys and return the papers, in the order asked.

    In a library that is locked or only to be read the keys stay as they are: see ``problem``.
    Raises DiskError.
    """
    papers, problem = each_to_copy(store, paper_ids)
    return ShownPapers(tuple(papers), problem)


def each_to_copy(store: Store, paper_ids: Sequence[int]) -> tuple[Iterator[Paper], str | None]:
    """As ``papers_to_copy``, one after the other: few are in memory at a time."""
    problem = None
    try:
        # What is frozen already asks for no lock.
        if not Citekeys(store).are_frozen(paper_ids):
            with store.transaction():  # No act of the reader's: it has no place in the log.
                Citekeys(store).freeze(paper_ids)
    except DiskError:
        raise
    except StoreError as error:
        problem = f"{error} The citekeys are shown, but not frozen: they may change later."
    return each_paper(store, paper_ids), problem
