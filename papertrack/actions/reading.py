"""What to read and what was read: decisions, the reading queue, passes, snoozing, statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from operator import attrgetter
from typing import ClassVar, NamedTuple, Self

from papertrack.actions.results import OfPapers, key_of
from papertrack.category_paths import format_path
from papertrack.errors import PapertrackError, UsageError
from papertrack.records import PASSES, Decision, Paper, Reading
from papertrack.store import states
from papertrack.store.categories import ordered_paths, paths
from papertrack.store.listing import ListedPaper, read_rows
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.text import clean, few, plural, shorten

VERBS = {"saved": "save", "discarded": "discard", "inbox": "inbox"}
"""The verb in the log for each decision."""
_SHOWN = 8
"""How many papers a message names; if there are more, it gives their number."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The result of a decision about papers."""

    decision: Decision
    papers_changed: int
    papers_unchanged: int
    citekeys: list[str]
    unchanged: list[str]
    """Papers that already had this decision."""

    @classmethod
    def of(cls, papers: Sequence[Paper], decision: Decision) -> Self:
        """Return the result of a decision, from the papers as they were before."""
        same = [paper.citekey for paper in papers if paper.decision == decision]
        citekeys = [paper.citekey for paper in papers]
        return cls(decision, len(papers) - len(same), len(same), citekeys, same)

    def sentences(self) -> Iterator[str]:
        changed = [citekey for citekey in self.citekeys if citekey not in self.unchanged]
        by_outcome = {
            self.decision.capitalize(): changed,
            f"Already {self.decision}": self.unchanged,
        }
        parts = [f"{what}: {few(keys, _SHOWN)}." for what, keys in by_outcome.items() if keys]
        if parts:
            yield " ".join(parts)


@dataclass(frozen=True, slots=True)
class QueuedPaper:
    """A paper of the queue, in short."""

    citekey: str
    title: str | None
    author: str | None
    arxiv_id: str | None
    passes_done: int
    in_hand_since: str | None


@dataclass(frozen=True, slots=True)
class Queue:
    """The papers being read, and how many saved ones wait for their first pass."""

    in_hand: list[QueuedPaper]
    limit: int
    waiting: int


@dataclass(frozen=True, slots=True)
class NextToRead(QueuedPaper):
    """The paper to read next."""

    __pydantic_config__: ClassVar = {"alias_generator": key_of}
    pass_number: int
    is_taken: bool
    reason: str | None = None
    """An additional reason: papers that cite it."""


class ReadingQueue(NamedTuple):
    """The papers being read, and how many saved ones wait for their first pass."""

    in_hand: tuple[ListedPaper, ...]
    limit: int
    waiting: int


class NextPaper(NamedTuple):
    """The paper to read next."""

    paper: ListedPaper
    pass_number: int
    """The pass that is due."""
    is_taken: bool
    """Whether it was just added to the reading queue."""
    reason: str | None = None
    """An additional reason: ``cited by three papers you read to the third pass``."""


def set_decision(
    store: Store, paper_ids: Sequence[int], decision: Decision, *, reason: str | None = None
) -> Decided:
    """Save, discard, or put papers back into the inbox; the reason is kept with the paper.

    A paper that has this decision already keeps its reason unless another is given; an empty reason
    removes it.
    """
    papers = get_papers(store, paper_ids)
    with store.action(VERBS[decision], few([paper.citekey for paper in papers])):
        for paper in papers:
            is_kept = reason is None and paper.decision == decision
            why = paper.decision_reason if is_kept else clean(reason or "") or None
            states.decide(store, paper.id, decision, why)
        if decision == "inbox":
            # Imported here because only this needs the ranking.
            from papertrack.actions.ranking import rank_newcomers

            rank_newcomers(store, paper_ids)
    return Decided.of(papers, decision)


def set_rating(store: Store, paper_ids: Sequence[int], rating: int | None) -> None:
    """Rate the papers 1 to 5, or remove the rating. Raises UsageError for another number."""
    names = _citekeys(get_papers(store, paper_ids))
    text = str(rating) if rating else "no rating"
    with store.action("rate", f"{names}: {text}"):
        for paper_id in paper_ids:
            states.rate(store, paper_id, rating)


def read_queue(store: Store, *, limit: int) -> ReadingQueue:
    """Return the papers being read, oldest first; ``limit`` is how many there should be at most."""
    in_hand = read_rows(store, states.papers_in_hand(store))
    return ReadingQueue(tuple(in_hand), limit, states.count_waiting(store))


def take_papers_in_hand(
    store: Store, paper_ids: Sequence[int], *, limit: int, is_forced: bool = False
) -> None:
    """Add papers to the reading queue, and save those that are not saved.

    Raises PapertrackError, with nothing changed, when more than ``limit`` papers would be in the
    queue, unless forced: the point of the queue is to read a few papers and finish them. Raises it
    also for a paper that has had its three passes.
    """
    # Counted inside the action: two commands at once would each see room for one more.
    with store.action("queue") as action:
        in_hand = states.papers_in_hand(store)
        papers = [paper for paper in get_papers(store, paper_ids) if paper.id not in in_hand]
        _refuse_read_through(papers)
        if papers and len(in_hand) + len(papers) > limit and not is_forced:
            names = _citekeys(get_papers(store, in_hand)) or "none"
            raise PapertrackError(
                f"You would be reading {len(in_hand) + len(papers)} papers at a time; the limit "
                f"is {limit}. Finish, discard or set aside one of {names}, or use --force."
            )
        for paper in papers:
            if paper.decision != "saved":
                states.decide(store, paper.id, "saved")
            states.take_in_hand(store, paper.id)
        action.summary = _citekeys(papers)


def lay_aside(store: Store, paper_ids: Sequence[int]) -> None:
    """Remove papers from the reading queue; nothing else about them changes."""
    names = _citekeys(get_papers(store, paper_ids))
    with store.action("queue", f"{names}, set aside"):
        for paper_id in paper_ids:
            states.take_in_hand(store, paper_id, is_in_hand=False)


def next_paper(store: Store, *, limit: int) -> NextPaper | None:
    """Return the paper to read next, or None if all saved papers have had three passes.

    Of the papers in the queue, this is the one with the fewest passes, the oldest first. If each
    has had a pass and there is room, it is the best rated paper without a pass, then the one that
    most papers with a third pass cite, then the one saved longest ago.
    """
    # Imported here because most commands need no citations.
    from papertrack.actions.pdfs import count_thorough_citers

    counts = count_thorough_citers(store)
    with store.action("queue") as action:
        in_hand = [
            row for row in read_rows(store, states.papers_in_hand(store)) if row.passes_done < 3
        ]
        has_unread = any(row.passes_done == 0 for row in in_hand)
        waiting = states.waiting_papers(store, limit=1, counts=counts)
        if waiting and not has_unread and len(in_hand) < limit:
            (row,) = read_rows(store, waiting)
            states.take_in_hand(store, row.id)
            action.summary = row.citekey
            return NextPaper(row, PASSES[0], True, _cited_by(counts[row.id]))
    if not in_hand:
        return None
    row = min(in_hand, key=attrgetter("passes_done"))
    return NextPaper(row, row.passes_done + 1, False, _cited_by(counts[row.id]))


def _cited_by(count: int) -> str | None:
    words = ("", "a paper", "two papers", "three papers", "four papers", "five papers")
    number = words[count] if count < len(words) else f"{count} papers"
    return f"cited by {number} you read to the third pass" if count else None


def _refuse_read_through(papers: Sequence[Paper]) -> None:
    done = [paper for paper in papers if paper.passes_done == PASSES[-1]]
    if done:
        raise PapertrackError(
            f"{_citekeys(done)} has had all three passes. To read it again, take back its third "
            "pass: `papertrack pass REF --undo`."
        )


def _citekeys(papers: Sequence[Paper]) -> str:
    return ", ".join(paper.citekey for paper in papers)


@dataclass(frozen=True, slots=True)
class PassMark:
    """How many passes a paper has, before and after."""

    __pydantic_config__: ClassVar = {"alias_generator": key_of}
    citekey: str
    pass_number: int
    """The pass that was recorded or taken back."""
    passes_before: int
    passes_done: int
    is_taken_back: bool

    def sentences(self) -> Iterator[str]:
        passes = f"{self.passes_before} → {self.passes_done}"
        if self.is_taken_back:
            yield f"{self.citekey}: pass {self.pass_number} taken back ({passes})."
        elif self.passes_done > self.passes_before:
            yield f"{self.citekey}: pass {self.pass_number} done ({passes})."
        else:
            yield (
                f"{self.citekey}: pass {self.pass_number} done again; it had "
                f"{plural(self.passes_before, 'pass', 'passes')}."
            )


@dataclass(frozen=True, slots=True)
class PassMarks(OfPapers):
    papers: list[PassMark]


def mark_pass(
    store: Store,
    paper_ids: Sequence[int],
    pass_number: int | None,
    *,
    at: str | None = None,
    minutes: int | None = None,
    version: int | None = None,
    takeaway: str | None = None,
) -> PassMarks:
    """Record one reading of each paper, now or at ``at`` (ISO 8601).

    Without a number, records the next pass of each paper. The version read is the newest known
    unless given. After its third pass a paper leaves the reading queue. Raises UsageError for an
    invalid pass, date or number of minutes; a future day is not a valid date.
    """
    if pass_number is not None and pass_number not in PASSES:
        raise UsageError(f"There is no pass {pass_number}: passes are 1, 2 and 3.")
    if minutes is not None and not 1 <= minutes <= 10_000:
        raise UsageError(
            f"{minutes} minutes is not a valid time for a pass; leave it out if you do not know it."
        )
    moment = _moment(at, store.now()) if at else store.stamp()
    papers = get_papers(store, paper_ids)
    names = few([paper.citekey for paper in papers])
    with store.action("pass", f"{pass_number} of {names}" if pass_number else names):
        for paper in papers:
            reading = Reading(
                pass_number or min(paper.passes_done + 1, PASSES[-1]),
                at=moment,
                minutes=minutes,
                version=paper.facts.version if version is None else version,
                takeaway=clean(takeaway or "") or None,
            )
            states.record_pass(store, paper.id, reading)
        return _marks(store, papers, pass_number)


def unmark_pass(store: Store, paper_ids: Sequence[int], pass_number: int | None) -> PassMarks:
    """Take back each paper's last reading of this pass, or its last reading.

    Raises NotFoundError if a paper has no such reading, UsageError if it has none at all.
    """
    papers = get_papers(store, paper_ids)
    unread = [paper.citekey for paper in papers if not (pass_number or paper.passes_done)]
    if unread:
        raise UsageError(f"{few(unread)}: no pass is recorded, so none can be taken back.")
    names = few([paper.citekey for paper in papers])
    summary = f"{pass_number} of {names}" if pass_number else names
    with store.action("pass", f"{summary}, taken back"):
        for paper in papers:
            states.take_back_pass(store, paper.id, pass_number or paper.passes_done)
        return _marks(store, papers, pass_number, is_undone=True)


def _marks(
    store: Store, before: Sequence[Paper], pass_number: int | None, *, is_undone: bool = False
) -> PassMarks:
    done = states.passes_of_papers(store, [paper.id for paper in before])
    marks = [
        PassMark(
            paper.citekey,
            pass_number or (paper.passes_done if is_undone else done[paper.id]),
            paper.passes_done,
            done[paper.id],
            is_undone,
        )
        for paper in before
    ]
    return PassMarks(marks)


def _moment(text: str, now: datetime) -> str:
    """Return a day, or a time with offset, as the library stores it; no later than today."""
    written = text.strip()
    try:
        moment = datetime.fromisoformat(written).astimezone()
    except (ValueError, OverflowError):  # A year at the calendar's end has no local time.
        raise UsageError(
            f"{text!r} is not a date: write 2026-03-01, or 2026-03-01T20:15."
        ) from None
    if moment.date() > now.astimezone().date():
        raise UsageError(f"{text!r} is in the future; record a pass when it is done.")
    if len(written) <= len("2026-03-01"):
        return moment.date().isoformat()
    return moment.isoformat(timespec="seconds")


USUAL = "2w"
"""The default time to snooze."""


def parse_snooze(text: str, today: date) -> date:
    """Return the day that ``2w``, ``10d``, ``3m``, ``1y`` or ``2026-12-01`` means.

    Raises UsageError for another text, and for a day that is not in the future.
    """
    # Imported here because only this needs the query language, which parses ages.
    from papertrack.queries.nodes import day_after
    from papertrack.queries.parser import parse_age

    age = parse_age(text)
    try:
        until = day_after(today, age) if age else date.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise UsageError(
            f"{shorten(text, 40)!r} is not a day: write 10d, 2w, 3m, 1y or a day such as "
            "2026-12-01."
        ) from None
    if until <= today:
        raise UsageError(f"{until} is not in the future; snooze papers until a later day.")
    return until


@dataclass(frozen=True, slots=True)
class Snoozed:
    snoozed_until: str | None
    citekeys: list[str]

    def sentences(self) -> Iterator[str]:
        how = f"Snoozed until {self.snoozed_until}" if self.snoozed_until else "No longer snoozed"
        if self.citekeys:
            yield f"{how}: {few(self.citekeys, _SHOWN)}."


def snooze_papers(store: Store, paper_ids: Sequence[int], until: date | None) -> Snoozed:
    """Snooze papers until a day, and save those that are not saved; without a day, end the
    snooze."""
    papers = get_papers(store, paper_ids)
    names = few([paper.citekey for paper in papers])
    how = f"until {until}" if until else "no longer"
    with store.action("snooze", f"{names}, {how}"):
        for paper in papers:
            if until and paper.decision != "saved":
                states.decide(store, paper.id, "saved")
            states.snooze(store, paper.id, until)
    return Snoozed(until.isoformat() if until else None, [paper.citekey for paper in papers])


@dataclass(frozen=True, slots=True)
class CategoryReading:
    """The reading progress of one category; ``category`` is None for papers without one."""

    category: str | None
    papers: int
    unread: int
    first: int
    second: int
    third: int


@dataclass(frozen=True, slots=True)
class PassTotals:
    """How many papers have done 0, 1, 2 and 3 passes."""

    unread: int
    first: int
    second: int
    third: int


@dataclass(frozen=True, slots=True)
class MonthReading:
    """How many passes were done in one month, and the minutes they took; None is undated."""

    month: str | None
    first: int
    second: int
    third: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """All numbers of ``papertrack stats``."""

    papers: int
    """Saved papers, and others with a pass."""
    inbox: int
    discarded: int
    passes: PassTotals
    by_category: list[CategoryReading]
    """In the user's order. A paper in two categories counts in both."""
    by_month: list[MonthReading]
    """Oldest first; passes without a date last."""


def read_statistics(store: Store) -> Statistics:
    """Count everything in the library as it is now."""
    passes = [0, 0, 0, 0]
    decided: Counter[str] = Counter()
    for (decision, done), number in states.count_by_state(store).items():
        decided[decision] += number
        if decision == "saved" or done:
            passes[done] += number
    months = states.count_by_month(store)
    return Statistics(
        papers=sum(passes),
        inbox=decided["inbox"],
        discarded=decided["discarded"],
        passes=PassTotals(*passes),
        by_category=_by_category(store),
        by_month=[
            MonthReading(period or None, *counts)
            for period, *counts in sorted(months, key=lambda row: (not row.period, row.period))
        ],
    )


def _by_category(store: Store) -> list[CategoryReading]:
    path_of = paths(store)
    counts = {path_of.get(of, ()): passes for of, *passes in states.count_by_category(store)}
    ordered = [path for path, _ in ordered_paths(store)]
    # A category without papers is listed, unless it only contains other categories.
    for path in set(ordered) - {path[:-1] for path in ordered}:
        counts.setdefault(path, [0, 0, 0, 0])
    return [
        CategoryReading(format_path(path) or None, sum(counts[path]), *counts[path])
        for path in (*ordered, ())
        if path in counts
    ]
