"""Commands for reading: ``pass``, ``save``, ``discard`` and ``queue``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from papertrack.actions import reading
from papertrack.actions.references import resolve_references
from papertrack.cli.output import author_shown, print_papers
from papertrack.cli.session import (
    Session,
    are_several,
    chosen_papers,
    command,
    complete_reference,
    flag,
    option,
    query_options,
    words_from_stdin,
)
from papertrack.errors import UsageError
from papertrack.records import PASSES
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.store.listing import ListedPaper
    from papertrack.store.store import Store


@command(papers="query", writes=True)
@option("--until WHEN", "Snooze them: 10d, 2w, 3m, 1y, or a day: 2026-12-01.")
@flag("--snooze", hidden=True, help="Snooze them for two weeks.")
@flag("--back", "is_back", help="End the snooze.")
def save(
    session: Session, store: Store, ids: list[int], until: str | None, snooze: bool, is_back: bool
) -> Any:
    """Save papers for later, or snooze them until a date.

    A saved paper is due when it was saved a month ago and never read, or has waited two weeks for
    its second pass or four for its third: `papertrack list is:due`. A snoozed paper is not due
    before its date, and `papertrack queue --next` does not offer it.

    \b
    Examples:
      papertrack save 2309.06180 2401.09670
      papertrack list is:inbox | cut -f 3 | papertrack save -
      papertrack save --query 'is:inbox author:dao'
      papertrack save 2401.09670 --until 3m
      papertrack save --query 'is:due tag:survey' --until 2027-01-01
      papertrack save 2401.09670 --back
    """
    if not (until or snooze or is_back):
        return reading.set_decision(store, ids, "saved")
    if is_back and until is not None:
        raise UsageError("Give --until or --back, not both.")
    day = None if is_back else reading.parse_snooze(until or reading.USUAL, session.now().date())
    return reading.snooze_papers(store, ids, day)


@command(papers="query", writes=True)
@option("-r, --reason TEXT", "The reason, kept with the paper.")
def discard(session: Session, store: Store, ids: list[int], reason: str | None) -> None:
    """Discard papers, so that they are never offered again.

    They stay in the library: `papertrack list is:discarded`.

    \b
    Examples:
      papertrack discard 2312.00752 --reason "read the survey instead"
      papertrack discard --query 'is:inbox added:>1y' --yes
      papertrack list is:discarded
    """
    session.present(reading.set_decision(store, ids, "discarded", reason=reason))
    if reason:
        from papertrack.actions.ranking import weight_of_reason
        from papertrack.cli.ranking import say_how_to_leave_out

        if weight_of_reason(reason):
            say_how_to_leave_out(session, store, ids)


@command("pass", writes=True, store=True)
@click.argument("words", metavar="REF... [1|2|3]", nargs=-1, shell_complete=complete_reference)
@option("-m, --minutes N", "How long it took.", type=int)
@option("-t, --takeaway TEXT", "What you learnt, in a sentence.")
@option("--at DATE", "When, if not now: 2026-03-01, or 2026-03-01T20:15.")
@option("--version N", "The arXiv version read.", type=click.IntRange(min=1))
@flag("--undo", help="Take back the last reading of this pass.")
@query_options
def pass_(
    session: Session,
    store: Store,
    words: tuple[str, ...],
    undo: bool,
    query: str | None,
    is_sure: bool,
    **how: Any,
) -> Any:
    """Record that you have done a pass through papers.

    The last word is the pass: 1, 2 or 3, as in S. Keshav, How to Read a Paper. Without it, the next
    pass of each paper is recorded (with --undo, the last one is taken back).

    \b
    Examples:
      papertrack pass 2211.17192 1 --minutes 10
      papertrack pass kwon2023efficient 2 --takeaway "Pages for the KV cache."
      papertrack pass 2211.17192 1 --at 2025-12-24
      papertrack pass 2211.17192 2309.06180 2401.09670 1
      papertrack pass 2211.17192 --undo
    """
    references, number = _pass_of(words, has_query=query is not None)
    ids = chosen_papers(session, store, references, query, is_sure)
    if undo:
        marks = reading.unmark_pass(store, ids, number)
    else:
        marks = reading.mark_pass(store, ids, number, **how)
    return marks if are_several(references, query) else marks.papers[0]


_PASSES_IN_WORDS = ("one", "two", "three", "first", "second", "third")


def _pass_of(words: tuple[str, ...], *, has_query: bool) -> tuple[tuple[str, ...], int | None]:
    """Return the references among the words, and the pass if the last word is one.

    Raises UsageError for a pass without papers: a number alone is not a paper.
    """
    if words[1:] and words[-1].lower() in _PASSES_IN_WORDS:
        raise UsageError(f"Write the pass as a number: {', '.join(map(str, PASSES))}.")
    if not words or not words[-1].isdecimal():
        return words, None
    *references, last_word = words
    if not references and not has_query:
        if int(last_word) in PASSES:
            raise UsageError(f"Name the papers before the pass: `papertrack pass REF {last_word}`.")
        return words, None
    if int(last_word) not in PASSES:
        raise UsageError(f"There is no pass {last_word}: passes are 1, 2 and 3.")
    return tuple(references), int(last_word)


@command(writes=True, store=True)
@click.argument("references", metavar="[REF]...", nargs=-1, shell_complete=complete_reference)
@flag("--next", "is_next", help="Pick the paper to read next, and add it.")
@flag("--aside", help="Take papers off the list.")
@flag("-f", "--force", help="Add more than reading.in_hand allows.")
def queue(
    session: Session,
    store: Store,
    references: tuple[str, ...],
    is_next: bool,
    aside: bool,
    force: bool,
) -> None:
    """Show the papers that you are reading now, or add some.

    You read a few papers side by side: at most five, or as many as the setting reading.in_hand
    allows. A third pass takes a paper off the list. --next picks the one with the fewest passes. If
    you have begun all of them and there is room, it adds a new one: the best rated paper. Among
    equals, it takes the one cited by most papers that you read in full, then the oldest one.

    \b
    Examples:
      papertrack queue
      papertrack queue 2309.06180 2401.09670
      papertrack queue --aside 2309.06180
      papertrack open "$(papertrack queue --next --json | jq -r .citekey)"
    """
    limit = session.settings(only="reading").reading.in_hand
    if is_next:
        if references or aside:
            raise UsageError("--next takes no papers: it picks one.")
        _show_next(session, store, limit)
        return
    ids = resolve_references(store, list(words_from_stdin(references)))
    if aside and not ids:
        raise UsageError("Name the papers to take off the list.")
    if aside:
        reading.lay_aside(store, ids)
    elif ids:
        reading.take_papers_in_hand(store, ids, limit=limit, is_forced=force)
    reading_list = reading.read_queue(store, limit=limit)
    if session.as_json:
        in_hand = [reading.QueuedPaper(*_summary(paper)) for paper in reading_list.in_hand]
        session.print_json(reading.Queue(in_hand, reading_list.limit, reading_list.waiting))
        return
    print_papers(list(reading_list.in_hand))
    session.say_done(
        f"Reading {len(reading_list.in_hand)} of at most {plural(reading_list.limit, 'paper')}; "
        f"{reading_list.waiting} saved and not begun."
    )


def _show_next(session: Session, store: Store, limit: int) -> None:
    offer = reading.next_paper(store, limit=limit)
    if session.as_json:
        values = offer and (*_summary(offer.paper), offer.pass_number, offer.is_taken, offer.reason)
        session.print_json(values and reading.NextToRead(*values))
    if offer is None:
        session.say("Nothing to read: all saved papers have had three passes.")
    elif not session.as_json:
        print_papers([offer.paper])
        reason = f" It is {offer.reason}." if offer.reason else ""
        added = f" {offer.paper.citekey} is now among those you are reading." * offer.is_taken
        session.say_done(f"Pass {offer.pass_number} is due.{reason}{added}")


def _summary(paper: ListedPaper) -> tuple[Any, ...]:
    """Return the values of a ``QueuedPaper``."""
    author = author_shown(paper.first_author, paper.author_count) or None
    title, arxiv_id, passes = paper.title, paper.arxiv_id, paper.passes_done
    return paper.citekey, title, author, arxiv_id, passes, paper.in_hand_since
