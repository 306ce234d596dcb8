"""Deciding what to read: save, discard, and the papers in hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papertrack.errors import PapertrackError
from papertrack.records import PASSES, Decision, Paper
from papertrack.store.listing import ListedPaper, read_rows
from papertrack.store.lookup import get_papers
from papertrack.store.states import decide, papers_in_hand, rate, take_in_hand, waiting_papers
from papertrack.store.store import Store
from papertrack.text import clean


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of one paper."""

    paper_id: int
    citekey: str
    before: Decision
    after: Decision


@dataclass(frozen=True, slots=True)
class ReadingQueue:
    """The papers being read, and how many saved ones wait for their first pass."""

    in_hand: tuple[ListedPaper, ...]
    limit: int
    waiting: int


@dataclass(frozen=True, slots=True)
class NextPaper:
    """What to read now."""

    paper: ListedPaper
    pass_number: int
    """The pass that is due."""
    is_taken: bool
    """Whether it was taken in hand just now."""


def set_decision(
    store: Store,
    paper_ids: Sequence[int],
    decision: Decision,
    *,
    reason: str | None = None,
    dry_run: bool = False,
) -> list[Decided]:
    """Save, discard, or put back into the inbox; the reason is kept with the paper."""
    verb = {"saved": "save", "discarded": "discard", "inbox": "inbox"}[decision]
    papers = get_papers(store, paper_ids)
    with store.action(verb, _citekeys(papers), dry_run=dry_run):
        for paper in papers:
            decide(store, paper.id, decision, clean(reason or "") or None)
    return [Decided(paper.id, paper.citekey, paper.decision, decision) for paper in papers]


def set_rating(
    store: Store, paper_ids: Sequence[int], rating: int | None, *, dry_run: bool = False
) -> None:
    """Rate the papers 1 to 5, or take the rating away. Raises UsageError for another number."""
    names = _citekeys(get_papers(store, paper_ids))
    what = str(rating) if rating else "no rating"
    with store.action("rate", f"{names}: {what}", dry_run=dry_run):
        for paper_id in paper_ids:
            rate(store, paper_id, rating)


def read_queue(store: Store, *, limit: int) -> ReadingQueue:
    """The papers in hand, the first taken in front; ``limit`` is how many there should be."""
    in_hand = read_rows(store, papers_in_hand(store))
    return ReadingQueue(tuple(in_hand), limit, len(waiting_papers(store)))


def take_papers_in_hand(
    store: Store,
    paper_ids: Sequence[int],
    *,
    limit: int,
    is_forced: bool = False,
    dry_run: bool = False,
) -> None:
    """Take papers in hand, saving those that are not saved.

    Raises PapertrackError, with nothing changed, when that makes more than ``limit``, unless
    forced: reading a few papers side by side and finishing them is the point of the queue. So it
    does for a paper that has had its three passes.
    """
    # Counted inside the action: two commands at once would each see room for one more.
    with store.action("queue", dry_run=dry_run) as action:
        in_hand = papers_in_hand(store)
        taken = [paper for paper in get_papers(store, paper_ids) if paper.id not in in_hand]
        _refuse_read_through(taken)
        if taken and len(in_hand) + len(taken) > limit and not is_forced:
            names = _citekeys(get_papers(store, in_hand)) or "none"
            raise PapertrackError(
                f"That would make {len(in_hand) + len(taken)} papers that you read at one time; "
                f"the limit is {limit}. Finish, discard or lay aside one of {names}, or force it."
            )
        for paper in taken:
            if paper.decision != "saved":
                decide(store, paper.id, "saved")
            take_in_hand(store, paper.id)
        action.summary = _citekeys(taken)


def lay_aside(store: Store, paper_ids: Sequence[int], *, dry_run: bool = False) -> None:
    """Take papers out of hand; nothing else about them changes."""
    names = _citekeys(get_papers(store, paper_ids))
    with store.action("queue", f"{names}, laid aside", dry_run=dry_run):
        for paper_id in paper_ids:
            take_in_hand(store, paper_id, is_in_hand=False)


def next_paper(store: Store, *, limit: int, dry_run: bool = False) -> NextPaper | None:
    """What to read now, or None when everything saved has had its three passes.

    Papers are read side by side: of those in hand the one with the fewest passes, the first taken
    of these. When each one in hand has had a pass and there is room, the best rated, then longest
    saved, paper without a pass is taken in hand.
    """
    with store.action("queue", dry_run=dry_run) as action:
        in_hand = [row for row in read_rows(store, papers_in_hand(store)) if row.passes_done < 3]
        has_unread = any(row.passes_done == 0 for row in in_hand)
        waiting = waiting_papers(store, limit=1)
        if waiting and not has_unread and len(in_hand) < limit:
            (row,) = read_rows(store, waiting)
            take_in_hand(store, row.id)
            action.summary = row.citekey
            return NextPaper(row, PASSES[0], is_taken=True)
    if not in_hand:
        return None
    row = min(in_hand, key=lambda paper: paper.passes_done)
    return NextPaper(row, row.passes_done + 1, is_taken=False)


def _refuse_read_through(papers: Sequence[Paper]) -> None:
    done = [paper for paper in papers if paper.passes_done == PASSES[-1]]
    if done:
        raise PapertrackError(
            f"{_citekeys(done)} had all three passes: nothing of it is left to read. "
            "To read it again, take its third pass back: `papertrack pass REF --undo`."
        )


def _citekeys(papers: Sequence[Paper]) -> str:
    return ", ".join(paper.citekey for paper in papers)
