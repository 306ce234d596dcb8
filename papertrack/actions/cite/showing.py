"""Read papers whose citekeys are printed, copied or exported, and freeze these keys.

A key that may be in a manuscript must not change any more. One call reads and freezes, so that no
front end can forget to freeze.
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
    """Papers with keys that can be shown."""

    papers: tuple[Paper, ...]
    problem: str | None
    """A message if the keys could not be frozen; the papers can be shown anyway."""


def papers_to_copy(store: Store, paper_ids: Sequence[int]) -> ShownPapers:
    """Freeze these papers' keys and return the papers in the same order.

    If the library is locked or read-only, ``problem`` says that the keys are not frozen. Raises
    DiskError.
    """
    papers, problem = each_to_copy(store, paper_ids)
    return ShownPapers(tuple(papers), problem)


def each_to_copy(store: Store, paper_ids: Sequence[int]) -> tuple[Iterator[Paper], str | None]:
    """Do the same as ``papers_to_copy``, but read papers one by one to save memory."""
    problem = None
    try:
        # If all keys are frozen already, no lock is needed.
        if not Citekeys(store).are_frozen(paper_ids):
            with store.transaction():  # Not an action of the user, so not in the log.
                Citekeys(store).freeze(paper_ids)
    except DiskError:
        raise
    except StoreError as error:
        problem = f"{error} The citekeys are shown, but not frozen: they may change later."
    return each_paper(store, paper_ids), problem
