"""Rows that move to another file: what the library has to write to them is written there."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.records import Paper
from papertrack.store.documents import PaperEntry, set_library_values
from papertrack.store.lookup import fields_of_reader, get_paper
from papertrack.store.store import Store
from papertrack.sync.markdown.values import Values, library_values
from papertrack.sync.threeway import find_waiting


def still_waiting(store: Store, paper: Paper, then: Values) -> Values:
    """What the library counts as having said to a paper's new row, when its row in another file,
    which is gone, was told ``then``."""
    now = library_values(paper, fields_of_reader(store, paper.id))
    return now | find_waiting(then, now)


def hand_on(store: Store, paper_id: int, then: Values, entries: Sequence[PaperEntry]) -> None:
    """Let what waits for a row that is gone, and was told ``then``, wait for the paper's others."""
    now = library_values(get_paper(store, paper_id), fields_of_reader(store, paper_id))
    waiting = find_waiting(then, now)
    for entry in entries if waiting else ():
        set_library_values(store, entry.id, entry.library | waiting)
