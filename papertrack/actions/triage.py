"""Actions for single keys of the terminal UI, with what undo needs to know about each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papertrack.actions.organise import merge_two_papers, move_papers, tag_papers
from papertrack.actions.reading import (
    VERBS,
    lay_aside,
    mark_pass,
    set_decision,
    take_papers_in_hand,
    unmark_pass,
)
from papertrack.actions.undo import Done, done_of
from papertrack.category_paths import format_path, parse_path
from papertrack.errors import UsageError
from papertrack.library import Library
from papertrack.queries.parser import parse_query
from papertrack.records import Decision, Paper, Reading
from papertrack.store import categories, journal
from papertrack.store.listing import find_ids
from papertrack.store.lookup import citekey_of, get_papers
from papertrack.store.states import papers_in_hand, tag_counts
from papertrack.store.store import Store
from papertrack.text import clean, few, shorten


def decide(
    store: Store, paper_ids: Sequence[int], decision: Decision, reason: str | None = None
) -> Done | None:
    """Set the decision of the papers; None if nothing changed. An empty reason removes the
    reason."""
    return act_on(store, VERBS[decision], paper_ids, set_decision, decision, reason=reason)


def find_undecided(store: Store, paper_ids: Sequence[int]) -> list[int]:
    """Return those of the papers that have no decision yet, in order."""
    undecided = set(find_ids(store, parse_query("is:inbox"), order="id"))
    return [paper_id for paper_id in paper_ids if paper_id in undecided]


@dataclass(frozen=True, slots=True)
class Toggled:
    """The result of recording a pass or taking it back."""

    done: Done | None
    is_recorded: bool
    detailed: tuple[Reading, ...] = ()
    """Readings with details that kept the pass from being taken back."""


def toggle_pass(
    store: Store,
    paper_ids: Sequence[int],
    number: int,
    *,
    minutes: int | None = None,
    spares_details: bool = False,
) -> Toggled:
    """Record a pass, or take it back if all the papers have it.

    With ``spares_details``, a pass with minutes or a takeaway is not taken back.
    """
    last = {paper.id: _last_reading(paper, number) for paper in get_papers(store, paper_ids)}
    lacking = [paper_id for paper_id, reading in last.items() if reading is None]
    if lacking:
        done = act_on(store, f"pass {number}", lacking, mark_pass, number, minutes=minutes)
        return Toggled(done, is_recorded=True)
    detailed = [r for r in last.values() if r and any((r.minutes, r.takeaway))]
    if detailed and spares_details:
        return Toggled(None, is_recorded=False, detailed=tuple(detailed))
    return Toggled(act_on(store, "pass", paper_ids, unmark_pass, number), is_recorded=False)


def _last_reading(paper: Paper, number: int) -> Reading | None:
    readings = [reading for reading in paper.readings if reading.pass_number == number]
    return readings[-1] if readings else None


def add_pass_details(
    store: Store, paper_id: int, number: int, minutes: int | None, takeaway: str | None
) -> Done | None:
    """Add details to a pass that was recorded before; None if it is no longer recorded."""
    (paper,) = get_papers(store, [paper_id])
    reading = _last_reading(paper, number)
    if reading is None:
        return None

    def replace_reading(store: Store, paper_ids: Sequence[int]) -> None:
        unmark_pass(store, paper_ids, number)
        mark_pass(
            store,
            paper_ids,
            number,
            at=reading.at,
            minutes=minutes or reading.minutes,
            version=reading.version,
            takeaway=takeaway or reading.takeaway,
        )

    return act_on(store, f"pass {number}", [paper_id], replace_reading)


def complete_pass(
    store: Store, done: Done, number: int, minutes: int | None, takeaway: str | None
) -> Done | None:
    """Record a pass again with the user's details, so that one undo takes both back."""
    more = {"minutes": minutes, "takeaway": takeaway}
    with store.transaction():
        store.undo(done.action_id)
        return act_on(store, f"pass {number}", done.paper_ids, mark_pass, number, **more)


def toggle_in_hand(
    store: Store, paper_ids: Sequence[int], *, limit: int, is_forced: bool = False
) -> Done | None:
    """Add papers to the reading queue, or remove them if all are in it.

    Raises PapertrackError when more than ``limit`` would be in it, unless forced.
    """
    if set(paper_ids) <= set(papers_in_hand(store)):
        return act_on(store, "set aside", paper_ids, lay_aside)
    how = {"limit": limit, "is_forced": is_forced}
    return act_on(store, "read now", paper_ids, take_papers_in_hand, **how)


def count_too_many(store: Store, paper_ids: Sequence[int], limit: int) -> int:
    """Return how many papers would be read at once with these, if more than ``limit``; else 0."""
    in_hand = set(papers_in_hand(store))
    number = len(in_hand | set(paper_ids))
    return number if number > max(limit, len(in_hand)) else 0


@dataclass(frozen=True, slots=True)
class Label:
    """A category, written as a path, or a tag, written ``#tag``; and how it is used."""

    text: str
    papers: int
    is_on: bool | None
    """Whether the selected papers have it: all (True), none (False), or some (None)."""


def read_labels(store: Store, paper_ids: Sequence[int]) -> list[Label]:
    """Return all categories in the user's order, then all tags."""
    papers = get_papers(store, paper_ids)
    in_categories = Counter(path for paper in papers for path in paper.categories)
    with_tags = Counter(tag for paper in papers for tag in paper.tags)

    def is_on(number: int) -> bool | None:
        return number == len(papers) if number in (0, len(papers)) else None

    labels = [
        Label(format_path(path), count, is_on(in_categories[path]))
        for path, count in categories.ordered_paths(store)
    ]
    return labels + [
        Label(f"#{tag}", count, is_on(with_tags[tag])) for tag, count in tag_counts(store)
    ]


def change_labels(
    store: Store, paper_ids: Sequence[int], labels: Mapping[str, bool]
) -> Done | None:
    """Add (True) and remove (False) labels, in one action. Raises UsageError for an invalid
    name."""
    tags = {text[1:]: is_on for text, is_on in labels.items() if text.startswith("#")}
    paths = {parse_path(text): labels[text] for text in labels if text[:1] != "#"}

    def change(store: Store, paper_ids: Sequence[int]) -> None:
        for path in (path for path, is_on in paths.items() if is_on):
            move_papers(store, paper_ids, path, is_added=True)
        for paper in get_papers(store, paper_ids):
            for path in paper.categories:
                if paths.get(path) is False:
                    categories.take_out_of_category(store, paper.id, path)
        added = [tag for tag, is_on in tags.items() if is_on]
        tag_papers(store, paper_ids, add=added, remove=[tag for tag in tags if not tags[tag]])

    signs = (f"{'+' if is_on else '-'}{text}" for text, is_on in labels.items())
    return act_on(store, clean(" ".join(("label", *signs))), paper_ids, change)


def act_on(
    store: Store,
    /,
    verb: str,
    paper_ids: Sequence[int],
    change: Callable[..., object],
    *what: object,
    **options: object,
) -> Done | None:
    """Change the papers; None if nothing changed."""
    name = citekey_of(store, paper_ids[0]) if len(paper_ids) == 1 else f"{len(paper_ids)} papers"
    summary = f"{verb}: {name}"
    done = act(store, verb, summary, lambda: change(store, paper_ids, *what, **options))
    return done and done._replace(summary=summary, paper_ids=tuple(paper_ids))


def act(store: Store, verb: str, summary: str, change: Callable[[], object]) -> Done | None:
    """Run an action that is not about existing papers; None if nothing changed."""
    with store.action(verb, clean(summary)) as action:
        change()
    logged = journal.find_action(store, "done", action.id)
    return None if logged is None else done_of(store, logged)


def add(store: Store, references: Sequence[str]) -> Done | None:
    """Save the works of ids, DOIs and addresses. Raises UsageError for any other text."""
    from papertrack.actions.add import add_references

    return act(store, "add", few(references), lambda: add_references(store, references))


def edit(store: Store, paper_id: int, assignment: str) -> Done | None:
    """Set a field by ``field=value``. Raises UsageError for an invalid one, ConflictError when
    another paper has the identifier."""
    from papertrack.actions.edit import edit_fields, parse_assignments

    checked = parse_assignments([assignment])
    return act_on(store, "edit", [paper_id], lambda at, ids: edit_fields(at, ids[0], checked))


def merge(store: Store, kept_id: int, other_id: int) -> Done | None:
    return act_on(store, "merge", [kept_id], lambda at, ids: merge_two_papers(at, ids[0], other_id))


def answer(store: Store, library: Library, text: str) -> Done | None:
    """Accept or reject a suggestion: ``accept 7`` or ``reject 7``. Raises NotFoundError when it is
    not open any more."""
    from papertrack.actions.online.suggestions import answer_suggestions

    verb, _, number = text.partition(" ")
    chosen = [int(number)]
    accept, reject = (chosen, []) if verb == "accept" else ([], chosen)
    return act(
        store,
        "suggestions",
        text,
        lambda: answer_suggestions(store, library, accept=accept, reject=reject),
    )


def snooze(store: Store, paper_ids: Sequence[int], until: str) -> Done | None:
    """Snooze papers until a day such as ``2w`` or ``2026-12-01``; without one, end the snooze.

    Raises UsageError for a text that names no future day.
    """
    from papertrack.actions.reading import parse_snooze, snooze_papers

    day = parse_snooze(until, store.now().date()) if until else None
    return act_on(store, "snooze", paper_ids, snooze_papers, day)


def forget_word(store: Store, typed: str) -> Done | None:
    """Ignore a word or an author in the ranking. Raises UsageError for any other text."""
    from papertrack.actions.ranking import forget

    return act(store, "ranking", f"forgets {typed}", lambda: forget(store, typed))


def make_topic(store: Store, typed: str) -> Done | None:
    """Make a topic from ``name: query``. Raises UsageError for an invalid text, ConflictError for a
    name in use."""
    from papertrack.actions.watch.topics import create_topic

    name, colon, query = typed.partition(":")
    if not colon or not query.strip():
        raise UsageError(f"{shorten(typed, 60)}: a topic is a name, a colon, and a query.")
    name, query = name.strip(), query.strip()
    return act(store, "topic", f"{name}: {query}", lambda: create_topic(store, name, query))


def change_topic(store: Store, /, name: str, how: str, **changes: Any) -> Done | None:
    """Change fields of a topic; ``how`` is the change in words. Raises the errors of edit_topic."""
    from papertrack.actions.watch.topics import edit_topic

    return act(store, "topic", f"{name}: {how}", lambda: edit_topic(store, name, **changes))
