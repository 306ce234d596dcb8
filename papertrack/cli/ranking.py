"""The command ``papertrack ranking``: how likely you are to save announced papers, and why."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.actions import ranking as wishes
from papertrack.actions.references import resolve_references
from papertrack.actions.watch.calendar import eastern_day
from papertrack.cli.network import default_categories
from papertrack.cli.output import Columns, style
from papertrack.cli.session import (
    Session,
    command,
    complete_reference,
    flag,
    read_stdin,
    refuse_if,
    refuse_together,
    words_from_stdin,
)
from papertrack.errors import UsageError
from papertrack.library.files import read_file
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.ranking import Judgement, Ranked, Why
    from papertrack.store.store import Store

FEW = 50
"""With fewer decisions than this, the ranking is called a rough guess."""


@dataclass(frozen=True, slots=True)
class RankReason:
    """Why a paper ranks high or low: words, kept authors, the nearest paper read, or a topic."""

    kind: str
    text: str
    citekey: str | None


@dataclass(frozen=True, slots=True)
class Explained:
    """Why a paper ranks where it does."""

    score: float | None
    reasons: list[RankReason]


@dataclass(frozen=True, slots=True)
class RankedRecord:
    place: int
    arxiv_id: str | None
    title: str | None
    citekey: str | None
    rank: Explained


@dataclass(frozen=True, slots=True)
class Wished:
    wish: str | None
    citekeys: list[str]

    def sentences(self) -> Iterator[str]:
        preference = f"{self.wish.capitalize()} like" if self.wish else "Neither more nor less like"
        yield f"{preference} {', '.join(self.citekeys)}."


@dataclass(frozen=True, slots=True)
class Forgotten:
    word: str
    is_forgotten: bool

    def sentences(self) -> Iterator[str]:
        state = "is ignored from now on" if self.is_forgotten else "counts again"
        yield f"{self.word} {state}."


@command(writes=True)
@click.argument(
    "words", metavar="[REF... | WORD | FILE]", nargs=-1, shell_complete=complete_reference
)
@flag("--more", help="Rank papers like REF... higher.")
@flag("--less", help="Rank papers like REF... lower.")
@flag("--forget", help="Ignore this word or author.")
@flag("--back", "is_back", help="Take back --more, --less or --forget.")
@flag("--file", "of_file", help="Rank the records of FILE without adding them.")
def ranking(
    session: Session,
    words: tuple[str, ...],
    more: bool,
    less: bool,
    forget: bool,
    is_back: bool,
    of_file: bool,
) -> Any:
    """Show why a paper ranks where it does, and tune it.

    With REF, it shows the words that raise the score, authors whose papers you kept, the nearest
    paper that you read, and the topics that matched.

    Without REF, it tests itself on your last two weeks: it learns from earlier decisions only, and
    is compared with your topics alone. It learns on this machine from what you save, discard, rate
    and read. --more and --less stay in force whatever you decide about those papers; --less also
    suggests how a topic could leave them out.

    FILE has one JSON object per line, with any of arxiv_id, title, abstract, authors and
    arxiv_categories; - reads stdin. The best is printed first.

    \b
    Examples:
      papertrack ranking
      papertrack ranking 2309.06180
      papertrack ranking --more 2309.06180
      papertrack ranking --less --back zhao2026survey
      papertrack ranking --forget benchmark
      papertrack ranking --forget 'Tri Dao'
      papertrack search --arxiv 'speculative decoding' --json | papertrack ranking --file -
    """
    refuse_together(more=more, less=less, forget=forget, file=of_file)
    wish = "more" if more else "less" if less else None
    has_one_word = len(words) == 1
    refuse_if(
        {
            "--back needs --more, --less or --forget.": is_back and not (wish or forget),
            "Name one word or author.": forget and not has_one_word,
            "Name one FILE; - is stdin.": of_file and not has_one_word,
            "Name the papers.": wish and not words,
        }
    )
    if of_file:
        return _rank_file(session, words[0])
    with session.open_store() as store:
        if forget:
            term = (wishes.recall if is_back else wishes.forget)(store, words[0])
            _rank_again(session, store)
            return Forgotten(wishes.shown(term), not is_back)
        if not words:
            return _show_trial(session, store)
        ids = resolve_references(store, list(words_from_stdin(words)))
        if wish:
            return _wish(session, store, ids, None if is_back else wish)
        return _explain(session, store, ids)


def _wish(session: Session, store: Store, ids: list[int], direction: str | None) -> None:
    citekeys = wishes.wish(store, ids, direction)
    _rank_again(session, store)
    session.present(Wished(direction, list(citekeys)))
    if direction == "less":
        say_how_to_leave_out(session, store, ids)


def _explain(session: Session, store: Store, ids: list[int]) -> None:
    if len(ids) != 1:
        raise UsageError("Name one paper, or add --more or --less.")
    result = wishes.explain(store, ids[0], eastern_day(session.now()))
    reasons = list(_reasons(result))
    if session.as_json:
        session.print_json(Explained(result.score, reasons))
        return
    if result.score is None:
        session.say("There are no decisions yet: the topics alone give the order.")
    elif result.is_like_kept is None:
        click.echo(
            f"score {result.score:+.2f}: it only gives the order, because all your "
            "decisions are the same"
        )
    else:
        side = "like what you keep" if result.is_like_kept else "less like what you keep"
        click.echo(f"score {result.score:+.2f}: {side} (0 is in the middle)")
    for reason in reasons:
        citekey = f"{reason.citekey}: " if reason.citekey else ""
        click.echo(f"  {style(reason.kind.ljust(8), dim=True)} {clean(citekey + reason.text)}")


def _reasons(result: Why | Ranked) -> Iterator[RankReason]:
    """Yield the reasons for a paper's rank, in the order of the output."""
    from papertrack.exporters.json import reasons_to_json

    nearest = getattr(result, "near", None)
    if nearest is not None:
        takeaway = f": {nearest.takeaway}" if nearest.takeaway else ""
        text = f"{nearest.title} ({plural(nearest.passes_done, 'pass', 'passes')}){takeaway}"
        yield RankReason("near", text, nearest.citekey)
    for reason in reasons_to_json(result.words, result.authors, result.topics):
        yield RankReason(str(reason["kind"]), str(reason["text"]), reason["citekey"])


RANKED: Columns = {
    "": lambda row: str(row.place),
    "score": lambda row: f"{row.rank.score:+.2f}",
    "id": lambda row: row.arxiv_id or "",
    "title": "title",
    "because": lambda row: "; ".join(reason.text for reason in row.rank.reasons),
}


def _rank_file(session: Session, file: str) -> None:
    data = read_stdin() if file == "-" else read_file(Path(file))
    records = wishes.parse_records(data.decode("utf-8-sig", "replace"), file)
    defaults = default_categories(session)
    with session.open_store() as store:
        ranked = wishes.rank_records(store, records, defaults, eastern_day(session.now()))
    rows = [
        RankedRecord(
            place,
            result.record.arxiv_id,
            result.record.title or None,
            result.citekey,
            Explained(result.score, list(_reasons(result))),
        )
        for place, result in enumerate(ranked, 1)
    ]
    session.print_rows(rows, RANKED, flexible=3, right=(0, 1))


def _show_trial(session: Session, store: Store) -> None:
    trial = wishes.judge(store, eastern_day(session.now()))
    if session.as_json:
        session.print_json(trial)
        return
    click.echo(_trial_text(trial))
    if trial.forgotten:
        click.echo(f"Forgotten: {clean(', '.join(trial.forgotten))}.")


def _trial_text(trial: Judgement) -> str:
    """Return the result of the test in words, and how reliable it is."""
    learnt = f"learnt from {plural(trial.decisions, 'decision')} before {trial.since}"
    if not trial.is_telling:
        return (
            f"Too few decisions to tell: {learnt}. Of {plural(trial.announced, 'paper')} announced "
            f"since then, you kept {trial.kept}."
        )
    hint = " With fewer than 50 decisions, the ranking is a rough guess."
    return (
        f"Since {trial.since}, {trial.announced} papers were announced, and you kept "
        f"{trial.kept}. The first ten of each day held {trial.first_by_rank} of these by rank "
        f"({learnt}), and {trial.first_by_topics} by topics alone.{hint * (trial.decisions < FEW)} "
        "You saw only what the topics found, which favours the topics."
    )


def _rank_again(session: Session, store: Store) -> None:
    """Rank the inbox again after a change, because the user will check its effect."""
    wishes.refresh(store, eastern_day(session.now()))


def say_how_to_leave_out(session: Session, store: Store, paper_ids: Iterable[int]) -> None:
    """Print the command that changes topics so that they leave out similar papers."""
    from papertrack.actions.watch.match import narrower_topics

    offers = [offer for paper_id in paper_ids for offer in narrower_topics(store, paper_id)]
    for name, query in dict(offers).items():
        session.say(
            "Fewer like this from the topic: "
            f"papertrack topic edit {shlex.quote(name)} --query {shlex.quote(query)}"
        )
