"""``papertrack why``, ``rank`` and ``ranking``: how likely you save what was announced."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.actions import ranking as wishes
from papertrack.actions.references import resolve_reference, resolve_references
from papertrack.actions.watch.calendar import eastern_day
from papertrack.cli.arxiv.scope import default_categories
from papertrack.cli.display import print_reasons
from papertrack.cli.output import Columns, print_json
from papertrack.cli.session import Session, changing, json_option, reading, reference_argument
from papertrack.library.files import read_file
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.ranking import Judgement, Ranked, Why
    from papertrack.store.store import Store

FEW = 50
"""Decisions below which the ranking says that it knows little."""


@click.command
@reference_argument()
@reading
def why(session: Session, reference: str) -> None:
    """Say why a paper ranks where it does.

    The words that carry its score (without them it would rank lower), authors whom you kept
    before, the paper nearest to it that you read, and the topics that matched.

    \b
    Examples:
      papertrack why 2309.06180
      papertrack why kwon2023efficient --json
    """
    from papertrack.actions.ranking import explain

    with session.open_store() as store:
        found = explain(store, resolve_reference(store, reference), eastern_day(session.now()))
    if session.as_json:
        print_json({"score": found.score, "reasons": list(_reasons(found))})
        return
    if found.score is None:
        session.say("Nothing is decided yet: topics alone say what comes first.")
    elif found.is_like_kept is None:
        click.echo(f"score {found.score:+.2f}: a place in the order; all your decisions are alike")
    else:
        side = "like what you keep" if found.is_like_kept else "less like what you keep"
        click.echo(f"score {found.score:+.2f}: {side} (0 is in the middle)")
    print_reasons(_reasons(found))


def _reasons(found: Why | Ranked) -> Iterator[dict[str, str | None]]:
    """What speaks for a paper, as JSON values."""
    from papertrack.exporters.ranks import reasons_to_json

    near = getattr(found, "near", None)
    if near is not None:
        takeaway = f": {near.takeaway}" if near.takeaway else ""
        text = f"{near.title} ({plural(near.passes_done, 'pass', 'passes')}){takeaway}"
        yield {"kind": "near", "text": text, "citekey": near.citekey}
    yield from reasons_to_json(found.words, found.authors, found.topics)


RANKED: Columns = {
    "": lambda one: str(one["place"]),
    "score": lambda one: f"{one['rank']['score']:+.2f}",
    "id": lambda one: one["arxiv_id"] or "",
    "title": "title",
    "because": lambda one: "; ".join(why["text"] for why in one["rank"]["reasons"]),
}


@click.command
@click.argument("file", metavar="FILE", type=click.Path(allow_dash=True, path_type=str))
@reading
def rank(session: Session, file: str) -> None:
    """Rank records against the library, without adding them: best first.

    FILE has one JSON object a line, with arxiv_id, title, abstract, authors and arxiv_categories
    as far as they are known; - reads stdin.

    \b
    Examples:
      papertrack rank announced.jsonl
      papertrack search-arxiv 'speculative decoding' --json | papertrack rank -
    """
    from papertrack.actions.ranking import parse_records, rank_records

    data = sys.stdin.buffer.read() if file == "-" else read_file(Path(file))
    records = parse_records(data.decode("utf-8-sig", "replace"), file)
    defaults = default_categories(session)
    with session.open_store() as store:
        ranked = rank_records(store, records, defaults, eastern_day(session.now()))
    found = [_ranked_to_json(place, one) for place, one in enumerate(ranked, 1)]
    session.print_records(found, RANKED, flexible=3, right=(0, 1))


def _ranked_to_json(place: int, one: Ranked) -> dict[str, Any]:
    return {
        "place": place,
        "arxiv_id": one.record.arxiv_id,
        "title": one.record.title or None,
        "citekey": one.citekey,
        "rank": {"score": one.score, "reasons": list(_reasons(one))},
    }


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def ranking(ctx: click.Context) -> None:
    """How well the ranking knows you, and what it is to look for or forget.

    Learnt from what you save, discard, rate and read, on this machine. Alone it tries itself on
    your own last two weeks, learning only from what was decided before, beside your topics alone.

    \b
    Examples:
      papertrack ranking
      papertrack ranking more 2309.06180
      papertrack ranking less zhao2026survey
      papertrack ranking forget benchmark
      papertrack ranking forget 'Tri Dao'
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(show)


@ranking.command
@reading
def show(session: Session) -> None:
    """Try the ranking on your own last two weeks, beside your topics alone.

    \b
    Examples:
      papertrack ranking
      papertrack ranking show --json
    """
    from papertrack.actions.ranking import judge
    from papertrack.store.watch.ranks import forgotten_terms

    with session.open_store() as store:
        found = judge(store, eastern_day(session.now()))
        forgotten = [wishes.shown(term) for term in forgotten_terms(store)]
    if session.as_json:
        print_json(
            {
                "since": found.since.isoformat(),
                "decisions": found.decisions,
                "announced": found.announced,
                "kept": found.kept,
                "first_by_rank": found.first_by_rank,
                "first_by_topics": found.first_by_topics,
                "is_telling": found.is_telling,
                "forgotten": forgotten,
            }
        )
        return
    click.echo(_judged(found))
    if forgotten:
        click.echo(f"Forgotten: {clean(', '.join(forgotten))}.")


def _judged(found: Judgement) -> str:
    """What the trial came to, and how much that says."""
    learnt = f"learnt from {plural(found.decisions, 'decision')} before {found.since}"
    if not found.is_telling:
        return (
            f"Too little to tell: {learnt}, and since then you kept {found.kept} of "
            f"{found.announced} announced papers that are still known."
        )
    few = " With fewer than 50 decisions it knows you little." if found.decisions < FEW else ""
    return (
        f"Of the {found.kept} papers that you kept of {found.announced} announced since "
        f"{found.since}, the first ten of each day held {found.first_by_rank} by rank ({learnt}) "
        f"and {found.first_by_topics} by topics alone.{few} What topics found is what you saw: "
        "that speaks for the topics."
    )


_back_option = click.option("--back", "is_back", is_flag=True, help="Take that back.")


@ranking.command
@reference_argument(many=True)
@_back_option
@changing
def more(session: Session, references: tuple[str, ...], is_back: bool) -> None:
    """Rank papers like these higher, whatever you decide about them.

    \b
    Examples:
      papertrack ranking more 2309.06180
      papertrack ranking more --back 2309.06180
    """
    _wish(session, references, None if is_back else "more")


@ranking.command
@reference_argument(many=True)
@_back_option
@changing
def less(session: Session, references: tuple[str, ...], is_back: bool) -> None:
    """Rank papers like these lower; says how a topic could leave them out.

    \b
    Examples:
      papertrack ranking less zhao2026survey
      papertrack ranking less --back zhao2026survey
    """
    ids = _wish(session, references, None if is_back else "less")
    if not is_back:
        say_how_to_leave_out(session, ids)


def _wish(session: Session, references: Iterable[str], wanted: str | None) -> list[int]:
    with session.open_store() as store:
        ids = resolve_references(store, list(references))
        citekeys = wishes.wish(store, ids, wanted)
        _rank_anew(session, store)
    what = f"{wanted.capitalize()} like" if wanted else "No more wish about"
    session.report(f"{what} {', '.join(citekeys)}.", wish=wanted, citekeys=citekeys)
    return ids


def _rank_anew(session: Session, store: Store) -> None:
    """Have the inbox follow what was said of the ranking: whoever says it looks whether it does."""
    from papertrack.actions.ranking import refresh

    refresh(store, eastern_day(session.now()))


def say_how_to_leave_out(session: Session, paper_ids: Iterable[int]) -> None:
    """Offer the command by which the topics that found these papers leave out others like them."""
    from papertrack.actions.watch.match import narrower_topics

    with session.open_store() as store:
        offers = [one for paper_id in paper_ids for one in narrower_topics(store, paper_id)]
    for name, query in dict(offers).items():
        session.say(
            "Fewer like this from the topic: "
            f"papertrack topic edit {shlex.quote(name)} --query {shlex.quote(query)}"
        )


@ranking.command
@click.argument("word")
@_back_option
@changing
def forget(session: Session, word: str, is_back: bool) -> None:
    """Let a word, two words side by side or an author say nothing in the ranking.

    \b
    Examples:
      papertrack ranking forget benchmark
      papertrack ranking forget 'Tri Dao'
      papertrack ranking forget --back benchmark
    """
    with session.open_store() as store:
        term = wishes.recall(store, word) if is_back else wishes.forget(store, word)
        _rank_anew(session, store)
    said = wishes.shown(term)
    message = f"{said} counts again." if is_back else f"{said} says nothing any more."
    session.report(clean(message), word=said, is_forgotten=not is_back)
