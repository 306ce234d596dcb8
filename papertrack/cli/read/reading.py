"""What to read and what was: ``papertrack save``, ``discard``, ``queue``, ``next`` and ``pass``."""

from __future__ import annotations

from typing import Any, Literal

import click

from papertrack.actions import reading
from papertrack.actions.references import resolve_references
from papertrack.cli.display import author_shown, print_papers
from papertrack.cli.output import attributes, print_json
from papertrack.cli.session import (
    Session,
    changing,
    complete_reference,
    reference_argument,
    words_from_stdin,
)
from papertrack.cli.several import are_several, chosen_papers, query_options
from papertrack.errors import UsageError
from papertrack.records import PASSES
from papertrack.store.listing import ListedPaper
from papertrack.text import plural


@click.command
@reference_argument(many=True, required=False)
@query_options
@changing
def save(session: Session, **which: Any) -> None:
    """Keep papers, to be read some day.

    \b
    Examples:
      papertrack save 2309.06180 2401.09670
      papertrack list is:inbox | cut -f 3 | papertrack save -
      papertrack save --query 'is:inbox author:dao'
    """
    _decide(session, "saved", None, **which)


@click.command
@reference_argument(many=True, required=False)
@click.option("-r", "--reason", metavar="TEXT", help="Why; kept with the paper.")
@query_options
@changing
def discard(session: Session, reason: str | None, **which: Any) -> None:
    """Decide against papers; they stay known and are never offered again.

    \b
    Examples:
      papertrack discard 2312.00752 --reason "read the survey instead"
      papertrack discard --query 'is:inbox added:>1y' --yes
      papertrack list is:discarded
    """
    _decide(session, "discarded", reason, **which)


def _decide(
    session: Session, decision: Literal["saved", "discarded"], reason: str | None, **which: Any
) -> None:
    with session.open_store() as store:
        ids = chosen_papers(session, store, **which)
        decided = reading.set_decision(store, ids, decision, reason=reason)
    citekeys = [paper.citekey for paper in decided]
    same = [paper.citekey for paper in decided if paper.before == paper.after]
    changed = [citekey for citekey in citekeys if citekey not in same]
    told = {decision.capitalize(): changed, f"Already {decision}": same}
    parts = [f"{what}: {', '.join(keys)}." for what, keys in told.items() if keys]
    session.report(
        " ".join(parts) or "Nothing to do.",
        decision=decision,
        papers_changed=len(changed),
        papers_unchanged=len(same),
        citekeys=citekeys,
    )
    if reason:
        from papertrack.actions.ranking import weight_of_reason
        from papertrack.cli.arxiv.ranking import say_how_to_leave_out

        if weight_of_reason(reason):
            say_how_to_leave_out(session, ids)


@click.command
@reference_argument(many=True, required=False)
@click.option("--aside", is_flag=True, help="Lay the papers aside instead of adding them.")
@click.option("-f", "--force", is_flag=True, help="Add more than reading.in_hand allows.")
@changing
def queue(session: Session, references: tuple[str, ...], aside: bool, force: bool) -> None:
    """Show the papers that you are reading now, or add some to them.

    They are a few that you read side by side: at most five, or what the setting reading.in_hand
    says. A third pass lays a paper aside by itself.

    \b
    Examples:
      papertrack queue
      papertrack queue 2309.06180 2401.09670
      papertrack queue --aside 2309.06180
    """
    limit = session.most_in_hand()
    with session.open_store() as store:
        ids = resolve_references(store, list(words_from_stdin(references)))
        if aside and not ids:
            raise UsageError("Name the papers to lay aside.")
        if aside:
            reading.lay_aside(store, ids)
        elif ids:
            reading.take_papers_in_hand(store, ids, limit=limit, is_forced=force)
        found = reading.read_queue(store, limit=limit)
    if session.as_json:
        session.print_result(
            in_hand=list(map(_json, found.in_hand)),
            limit=found.limit,
            waiting=found.waiting,
        )
        return
    print_papers(list(found.in_hand))
    session.say_done(
        f"Reading {len(found.in_hand)} of at most {plural(found.limit, 'paper')}; "
        f"{found.waiting} saved and not begun.",
    )


@click.command("next")
@changing
def next_(session: Session) -> None:
    """Say which paper to read next, and add it to those you are reading.

    Of those you are reading the one with the fewest passes; when each has had one and there is
    room, the best rated, then longest saved, paper that was not begun.

    \b
    Examples:
      papertrack next
      papertrack open "$(papertrack next --json | jq -r .citekey)"
    """
    limit = session.most_in_hand()
    with session.open_store() as store:
        found = reading.next_paper(store, limit=limit)
    if found is None:
        if session.as_json:
            print_json(None)
        session.say("Nothing to read: all that is saved has had its three passes.")
        return
    if session.as_json:
        session.print_result(
            **_json(found.paper), **{"pass": found.pass_number}, is_taken=found.is_taken
        )
        return
    print_papers([found.paper])
    taken = f" {found.paper.citekey} is now among those you are reading." if found.is_taken else ""
    session.say_done(f"Pass {found.pass_number} is due.{taken}")


def _json(paper: ListedPaper) -> dict[str, object]:
    return {
        "citekey": paper.citekey,
        "title": paper.title,
        "author": author_shown(paper.first_author, paper.author_count) or None,
        "arxiv_id": paper.arxiv_id,
        "passes_done": paper.passes_done,
        "in_hand_since": paper.in_hand_since,
    }


@click.command("pass")
@click.argument("words", metavar="REF... [1|2|3]", nargs=-1, shell_complete=complete_reference)
@click.option("-m", "--minutes", type=int, metavar="N", help="How long it took.")
@click.option("-t", "--takeaway", metavar="TEXT", help="What stayed, in a sentence.")
@click.option("--at", metavar="DATE", help="When, if not now: 2026-03-01, or 2026-03-01T20:15.")
@click.option("--version", type=click.IntRange(min=1), metavar="N", help="The arXiv version read.")
@click.option("--undo", is_flag=True, help="Take back the last reading of this pass.")
@query_options
@changing
def pass_(
    session: Session,
    words: tuple[str, ...],
    undo: bool,
    query: str | None,
    is_sure: bool,
    **how: Any,
) -> None:
    """Record that a pass through papers is done.

    1, 2 and 3, as the last word, are the passes of S. Keshav, How to Read a Paper. Without a number
    it is the pass that is due of each paper (with --undo, the last one done).

    \b
    Examples:
      papertrack pass 2211.17192 1 --minutes 10
      papertrack pass kwon2023efficient 2 --takeaway "Pages for the KV cache."
      papertrack pass 2211.17192 1 --at 2025-12-24
      papertrack pass 2211.17192 2309.06180 2401.09670 1
      papertrack pass 2211.17192 --undo
    """
    references, number = _pass_of(words, has_query=query is not None)
    with session.open_store() as store:
        ids = chosen_papers(session, store, references, query, is_sure)
        if undo:
            marks = reading.unmark_pass(store, ids, number)
        else:
            marks = reading.mark_pass(store, ids, number, **how)
    told = [
        f"{mark.citekey}: pass {mark.pass_number} {'taken back' if undo else 'done'} "
        f"({mark.passes_before} → {mark.passes_done})."
        for mark in marks
    ]
    shapes = [
        {"citekey": mark.citekey, "pass": mark.pass_number}
        | attributes(mark, "passes_before", "passes_done")
        for mark in marks
    ]
    several: dict[str, object] = {"papers": shapes}
    is_one = not are_several(references, query)
    session.report("\n".join(told) or "Nothing to do.", **(shapes[0] if is_one else several))


def _pass_of(words: tuple[str, ...], *, has_query: bool) -> tuple[tuple[str, ...], int | None]:
    """The references among the words, and the pass that the last one may be. Raises UsageError for
    a pass of no paper: a number alone is not taken for a paper's."""
    if not words or not words[-1].isdecimal():
        return words, None
    *references, last = words
    if not references and not has_query:
        if int(last) in PASSES:
            raise UsageError(f"Name the papers before the pass: `papertrack pass REF {last}`.")
        return words, None
    if int(last) not in PASSES:
        raise UsageError(f"There is no pass {last}: passes are 1, 2 and 3.")
    return tuple(references), int(last)
