"""Return citekeys for copying. Everything that prints, copies or exports keys reads papers here.

A key that may be in a manuscript must not change any more: reading and freezing are one call, so
that no front end can forget to freeze.
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
    """Papers whose keys are to be shown."""

    papers: tuple[Paper, ...]
    problem: str | None
    """Why the keys could not be frozen, for the reader; the keys are shown nevertheless."""


def papers_to_copy(store: Store, paper_ids: Sequence[int]) -> ShownPapers:
    """Freeze these papers' keys and return the papers in the given order.

    If the library is locked or read-only, the keys are not frozen: see ``problem``. Raises
    DiskError.
    """
    papers, problem = each_to_copy(store, paper_ids)
    return ShownPapers(tuple(papers), problem)


def each_to_copy(store: Store, paper_ids: Sequence[int]) -> tuple[Iterator[Paper], str | None]:
    """Like ``papers_to_copy``, but yields papers one after another to save memory."""
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
