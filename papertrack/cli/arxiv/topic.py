"""``papertrack topic`` and what it can do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from papertrack.actions.watch.calendar import eastern_day
from papertrack.category_paths import parse_path
from papertrack.cli.arxiv.scope import default_categories, parse_since
from papertrack.cli.output import Columns, attributes, print_json, print_table
from papertrack.cli.session import (
    Session,
    category_option,
    changing,
    completing,
    json_option,
    reading,
)
from papertrack.errors import SourceUnavailableError, UsageError
from papertrack.exporters.json import topic_to_json
from papertrack.store.lookup import citekey_of
from papertrack.store.store import Store
from papertrack.store.watch.announcements import FirstText
from papertrack.store.watch.topics import Topic, found_counts, list_topics
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.watch.topics import Preview


@completing
def complete_topic(store: Store, _: str) -> Iterable[tuple[str, str | None]]:
    """Names of topics, with their queries."""
    return [(one.name, one.query) for one in list_topics(store)]


name_argument = click.argument("name", shell_complete=complete_topic)
_query_option = click.option("--query", metavar="QUERY", help="What to look for.")
_arxiv_option = click.option(
    "--arxiv",
    "arxiv_categories",
    metavar="CAT,...",
    help="arXiv's categories to look in; else those of the setting watch.arxiv_categories.",
)
_cross_option = click.option(
    "--cross/--no-cross",
    "has_cross_lists",
    default=None,
    help="Also papers that are only cross-listed there (the default), or not.",
)
_category_option = category_option("--category", help="Your category for what it finds.")


COLUMNS: Columns = {
    "topic": lambda one: one["name"] + (" (paused)" if one["paused"] else ""),
    "papers": "papers",
    "last": lambda one: (one["last_found"] or "")[:10],
    "arXiv": lambda one: ",".join(one["arxiv_categories"]) or "(default)",
    "query": "query",
}


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def topic(ctx: click.Context) -> None:
    """Standing queries: what `papertrack watch` looks for every night.

    A query is in the one query language, with what an announcement has: words, "phrases", prefix*,
    title:, abstract:, author:, comment:, arxiv_category:, AND, OR, NOT.

    \b
    Examples:
      papertrack topic preview '("speculative decoding" OR "draft model") AND NOT survey'
      papertrack topic add decoding --query '"speculative decoding"' --arxiv cs.LG,cs.CL
      papertrack topic add dao --query 'author:"Tri Dao"' --category LLM/Attention
      papertrack topic
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@topic.command
@click.argument("name")
@_query_option
@_arxiv_option
@_cross_option
@_category_option
@changing
def add(session: Session, name: str, **about: Any) -> None:
    """Make a topic; it looks at what is announced from now on.

    \b
    Example:
      papertrack topic add serving --query 'LLM serving' --arxiv cs.DC,cs.LG --no-cross
    """
    from papertrack.actions.watch import topics

    if about["query"] is None:
        raise click.UsageError("Say what to look for: --query 'QUERY'.")
    if not (_split(about["arxiv_categories"]) or default_categories(session)):
        raise UsageError(
            "Say where to look, as the setting watch.arxiv_categories is empty: "
            "--arxiv cs.LG,cs.CL."
        )
    with session.open_store() as store:
        made = topics.create_topic(store, name, **_given(about))
    _say(session, f"Topic {made.name}: {made.query}", made)


@topic.command
@name_argument
@click.option("--name", "new_name", metavar="NAME", help="Another name.")
@_query_option
@_arxiv_option
@_cross_option
@_category_option
@changing
def edit(session: Session, name: str, **changes: Any) -> None:
    """Change a topic; what it found stays.

    \b
    Example:
      papertrack topic edit decoding --query '"speculative decoding" NOT survey'
    """
    from papertrack.actions.watch import topics

    if set(changes.values()) == {None}:
        raise click.UsageError("Say what to change: --name, --query, --arxiv, --category, …")
    with session.open_store() as store:
        made = topics.edit_topic(store, name, **_given(changes))
    _say(session, f"Topic {made.name}: {made.query}", made)


@topic.command("list")
@reading
def list_(session: Session) -> None:
    """List the topics with what they found."""

    with session.open_store() as store:
        listed, counts = list_topics(store), found_counts(store)
    found = []
    for one in listed:
        papers, last_found = counts.get(one.id, (0, None))
        found.append({**topic_to_json(one), "papers": papers, "last_found": last_found})
    session.print_records(found, COLUMNS, flexible=4, right=(1,))
    if not listed and not session.as_json:
        session.say("No topics. `papertrack topic add` makes one.")


@topic.command
@name_argument
@changing
def rm(session: Session, name: str) -> None:
    """Take a topic away; the papers that it found stay. Undo brings it back."""
    from papertrack.actions.watch import topics

    with session.open_store() as store:
        gone = topics.delete_topic(store, name)
    _say(session, f"Removed topic {gone.name}", gone)


@topic.command
@name_argument
@changing
def pause(session: Session, name: str) -> None:
    """Let a topic rest; `topic resume` lets it look at what it missed."""
    _set_paused(session, name, True)


@topic.command
@name_argument
@changing
def resume(session: Session, name: str) -> None:
    """Let a paused topic look again."""
    _set_paused(session, name, False)


@topic.command
@click.argument("query", nargs=-1, required=True)
@_arxiv_option
@_cross_option
@click.option(
    "--days",
    type=click.IntRange(1, 3650),
    default=14,
    show_default=True,
    help="How far to look back at what is kept.",
)
@click.option("--since", metavar="DAY", help="Ask arXiv for what is not kept since: 7d, 90d.")
@reading
def preview(
    session: Session, query: tuple[str, ...], days: int, since: str | None, **where: Any
) -> int:
    """Try a query on the announcements that are kept, before it is saved.

    With --since arXiv is asked for the days of the last 90 that are not kept, a page for each day
    and category. Exit code 4 says that it did not show all of them.

    \b
    Examples:
      papertrack topic preview 'title:agent* NOT survey' --arxiv cs.AI
      papertrack topic preview 'title:agent* NOT survey' --since 2w
    """
    from papertrack.actions.watch import topics

    today = eastern_day(session.now())
    about = {"default_categories": default_categories(session), **_given(where)}
    text = topics.check_query(" ".join(query))
    with session.open_store() as store:
        shown, is_whole = list[FirstText](), True
        if since is not None:
            first = parse_since(since, today)
            days = (today - first).days
            names = topics.check_categories(about.get("arxiv_categories", ()))
            shown, is_whole = _ask_for(
                session, store, names or about["default_categories"], first, today
            )
        found = topics.preview_query(store, text, today=today, days=days, shown=shown, **about)
    _show_preview(session, found)
    return 0 if is_whole else 4


def _ask_for(
    session: Session, store: Store, categories: Sequence[str], since: date, today: date
) -> tuple[list[FirstText], bool]:
    """What arXiv shows of the days that are not kept, and whether that is all; else it is told."""
    from papertrack.actions.watch.look import fetch_shown
    from papertrack.cli.network import asking

    shown: list[FirstText] = []
    try:
        with asking(session, "lists") as (door, progress):
            lists = fetch_shown(store, door, categories, since=since, today=today)
            for done, total, texts in lists:
                progress.advance(done, total)
                shown += texts
    except SourceUnavailableError as error:
        session.warn(f"{error} What follows is of the lists that came before.")
        return shown, False
    return shown, True


@topic.command
@name_argument
@click.option("--since", required=True, metavar="DAY", help="2024-01, 2024-01-15, 90d, 2y.")
@click.option("--again", "is_again", is_flag=True, help="Ask also what was asked before.")
@changing
def backfill(session: Session, name: str, since: str, is_again: bool) -> None:
    """Search arXiv's past for a topic, month by month, into the inbox.

    It can be interrupted: the same command goes on where it stopped. What it has searched once with
    the same query is not asked again.

    \b
    Example:
      papertrack topic backfill decoding --since 2024-01
    """
    from papertrack.actions.watch import topics
    from papertrack.cli.network import asking

    settings = session.settings()
    today = eastern_day(session.now())
    first = parse_since(since, today)
    scope: Any = {
        "since": first,
        "today": today,
        "default_categories": default_categories(session),
        "is_again": is_again,
    }
    with session.open_store() as store:
        store.citekey_template = settings.citekeys.template
        left = topics.slices_left(store, name, **scope)
        if session.dry_run:
            count = f"{plural(len(left), 'month')} of submissions to ask arXiv about."
            session.report(count, months=len(left))
            return
        new_papers: list[int] = []
        found = 0
        with asking(session, "months") as (door, progress):
            slices = topics.backfill_topic(store, door, name, **scope)
            for number, one in enumerate(slices, start=1):
                progress.advance(number, len(left))
                new_papers += one.new_papers
                found += one.found
                if one.is_cut:
                    session.say(f"{one.first} to {one.last}: more than arXiv's pages give.")
        citekeys = [citekey_of(store, paper_id) for paper_id in new_papers]
    if session.as_json:
        session.print_result(
            papers_new=len(new_papers), papers_found=found, citekeys=citekeys, ids=new_papers
        )
    elif left:
        session.say(f"{plural(len(new_papers), 'new paper')} in the inbox, of {found} found.")
    else:
        session.say(f"All since {first} was searched before; --again asks anew.")


def _set_paused(session: Session, name: str, is_paused: bool) -> None:
    from papertrack.actions.watch import topics

    with session.open_store() as store:
        made = topics.edit_topic(store, name, is_paused=is_paused)
    what = "paused" if is_paused else "at work again"
    _say(session, f"Topic {made.name} is {what}", made)


def _show_preview(session: Session, found: Preview) -> None:
    if session.as_json:
        head = attributes(found, "query", "days", "matched", "looked_at", "verdict")
        print_json({**head, **attributes(found, "wider", "last_hits")})
        return
    days = f" ({plural(found.days, 'day')})" if found.days else ""
    session.say(f"{found.query}: {found.verdict}{days}")
    if wider := found.wider:
        more = f"{plural(wider.matched, 'match', 'matches')}, not {found.matched}"
        session.say(f"{wider.query} takes other endings of the words too: {more}.")
    rows = [(hit.announced, hit.arxiv_id, hit.reason, hit.title) for hit in found.last_hits]
    print_table(("announced", "arXiv", "why", "title"), rows, flexible=3)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """What was said of a topic, as the actions take it."""
    given = {name: value for name, value in options.items() if value is not None}
    if "arxiv_categories" in given:
        given["arxiv_categories"] = _split(given["arxiv_categories"])
    if "category" in given:
        given["category"] = parse_path(given["category"]) if given["category"] else ()
    return given


def _split(names: str | None) -> list[str]:
    return [name.strip() for name in (names or "").split(",") if name.strip()]


def _say(session: Session, message: str, made: Topic) -> None:
    session.report(clean(message), **topic_to_json(made))
