"""The command ``papertrack topic`` and its subcommands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

import click

from papertrack.actions.results import shaped
from papertrack.actions.watch import topics
from papertrack.actions.watch.calendar import eastern_day
from papertrack.actions.watch.match import waiting_feeds, waiting_warnings
from papertrack.category_paths import format_path, parse_path
from papertrack.cli.network import asking, default_categories, parse_since
from papertrack.cli.output import Columns, print_table, print_text
from papertrack.cli.session import (
    Session,
    category_option,
    command,
    completing,
    flag,
    force_option,
    option,
    options,
    read_stdin,
    refuse_together,
)
from papertrack.errors import SourceUnavailableError, UsageError
from papertrack.identifiers.feeds import host_of_feed, split_feed
from papertrack.library.files import read_file
from papertrack.store.lookup import citekey_of
from papertrack.store.store import Store
from papertrack.store.watch.announcements import FirstText
from papertrack.store.watch.topics import EVERYTHING, Topic, found_counts, get_topic, list_topics
from papertrack.text import clean, few, plural


@completing
def complete_topic(store: Store, _: str) -> Iterable[tuple[str, str | None]]:
    """Return names of topics, with their queries, for completion."""
    return [(topic.name, topic.query) for topic in list_topics(store)]


_OPTIONS = (
    option("--query QUERY", "What to look for."),
    option(
        "--arxiv CAT,...",
        "arXiv categories; default: the setting watch.arxiv_categories.",
        "arxiv_categories",
    ),
    click.option(
        "--cross/--no-cross",
        "has_cross_lists",
        default=None,
        help="Include cross-listed papers (the default), or not.",
    ),
    options("--feed ADDRESS", "Also look in a feed (RSS or Atom); repeatable.", "feeds"),
    options("--biorxiv CATEGORY", "Also look in a category of bioRxiv, such as neuroscience."),
    options("--medrxiv CATEGORY", "Also look in a category of medRxiv, such as epidemiology."),
    category_option("--category", help="Your category for its matches."),
)


def topic_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say what a topic looks for, and where."""
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)


COLUMNS: Columns = {
    "topic": lambda one: one.name + (" (paused)" if one.paused else ""),
    "papers": "papers",
    "last": lambda one: (one.last_found or "")[:10],
    "where": lambda one: _places_shown(one.arxiv_categories, one.feeds),
    "query": lambda one: one.query or EVERYTHING,
}


def _places_shown(arxiv_categories: Sequence[str], feeds: Sequence[str]) -> str:
    """``cs.LG,nature.com``: where a topic looks."""
    names = [
        feed if split_feed(feed) else host_of_feed(feed).removeprefix("www.") for feed in feeds
    ]
    return ",".join(dict.fromkeys((*arxiv_categories, *names))) or "(default)"


@dataclass(frozen=True, slots=True)
class ShownTopic:
    name: str
    query: str | None
    """The query; None for everything in its feeds."""
    arxiv_categories: tuple[str, ...]
    cross: bool
    """Whether it includes papers that are only cross-listed there."""
    category: str | None
    paused: bool
    added: str | None
    feeds: tuple[str, ...]


_AsShown = TypeVar("_AsShown", bound=ShownTopic)


@dataclass(frozen=True, slots=True)
class TopicFound(ShownTopic):
    """A topic with the number of papers that it found."""

    papers: int
    last_found: str | None
    waiting: list[str]
    """Feeds that are not asked until their hosts are accepted on this machine."""


@dataclass(frozen=True, slots=True)
class TopicChanged(ShownTopic):
    message: str

    def sentences(self) -> Iterator[str]:
        yield self.message


@dataclass(frozen=True, slots=True)
class TopicsOfFeeds:
    """The result of adding a list of feeds."""

    topics: list[ShownTopic]
    feeds: int
    refused: tuple[str, ...]

    def sentences(self) -> Iterator[str]:
        yield f"{plural(self.feeds, 'new feed')} in {plural(len(self.topics), 'topic')}."
        for address in self.refused:
            yield f"Refused, as it is no https address: {clean(address)[:200]}"


@command(cls=click.Group, store=False, writes=True, invoke_without_command=True)
@option("--opml FILE", "Write the feeds of your topics as OPML (- for stdout).")
@force_option
def topic(session: Session, opml: str | None, force: bool) -> None:
    """List, make and change the topics of `papertrack watch`.

    A topic is a saved search in arXiv's announcements and in feeds. Its query can use
    words, "phrases", prefix*, title:, abstract:, author:, comment:, arxiv_category:, AND, OR and
    NOT.

    \b
    Examples:
      papertrack topic
      papertrack topic add decoding --query '"speculative decoding"' --arxiv cs.LG,cs.CL --dry-run
      papertrack topic add dao --query 'author:"Tri Dao"' --category LLM/Attention
      papertrack topic add nature --feed https://www.nature.com/nature.rss
      papertrack topic edit decoding --pause
    """
    if click.get_current_context().invoked_subcommand is not None:
        return
    if opml is not None:
        with session.open_store() as store:
            text = topics.opml_of(store)
            if opml == "-":
                return print_text(text)
            session.write_output(store, Path(opml), text.encode(), is_forced=force)
            return session.say_done(f"Written: {opml}")
    with session.open_store() as store:
        listed, counts = list_topics(store), found_counts(store)
        waiting, warnings = waiting_feeds(store), waiting_warnings(store)
    found = [
        _shown(
            TopicFound,
            one,
            papers=papers,
            last_found=last,
            waiting=[feed for feed in one.feeds if feed in waiting],
        )
        for one in listed
        for papers, last in [counts.get(one.id, (0, None))]
    ]
    empty = "No topics. `papertrack topic add` makes one."
    session.print_rows(found, COLUMNS, flexible=4, right=(1,), empty=empty)
    session.say(*warnings)


@command(within=topic, writes=True)
@click.argument("words", metavar="NAME", nargs=-1)
@topic_options
@option("--opml FILE", "Also look in all feeds of an OPML file.")
@option(
    "--days",
    "With --dry-run, how many days to look back.",
    type=click.IntRange(1, 3650),
    default=14,
    show_default=True,
)
@option("--since DAY", "With --dry-run, also fetch missing days from arXiv: 7d, 90d.")
@flag("--try", "is_query", hidden=True, help="NAME is a query to try.")
def add(
    session: Session,
    words: tuple[str, ...],
    days: int,
    since: str | None,
    opml: str | None,
    is_query: bool,
    **about: Any,
) -> Any:
    """Make a topic that matches announcements from now on.

    A topic with feeds only needs no query: it takes every item. Adding a feed allows papertrack to
    contact its host from this machine. --opml without NAME makes a topic of each group.

    --dry-run tries its query on stored announcements. With --since it also asks arXiv for missing
    days of the last 90, one page for each day and category. Exit code 4 means that arXiv did not
    show all of them.

    \b
    Examples:
      papertrack topic add serving --query 'LLM serving' --arxiv cs.DC,cs.LG --no-cross
      papertrack topic add agents --query 'title:agent* NOT survey' --arxiv cs.AI -n --since 2w
      papertrack topic add cortex --query 'cortex*' --biorxiv neuroscience
      papertrack topic add --opml feeds.opml
    """
    about = _with_servers(session, about)
    if is_query:
        return _try_query(session, " ".join(words), days, since, about)
    if len(words) > 1 or not (words or opml):
        raise click.UsageError("Name one topic, in quotes if need be, and its query after --query.")
    if opml is not None:
        return _take_opml(session, opml, words, about)
    _check_places(session, about)
    with session.open_store() as store:
        made = topics.create_topic(store, words[0], **_given(about))
        if not session.dry_run:
            topics.accept_feeds(store, made.feeds)
    done = _shown(TopicChanged, made, message=f"Topic {made.name}: {made.query or EVERYTHING}")
    if not session.dry_run or session.as_json:
        return done
    session.present(done)
    return _try_query(session, made.query, days, since, about)


def _check_places(session: Session, about: dict[str, Any]) -> None:
    """Let a topic that has only feeds match everything. Raises UsageError if a new topic has
    nothing to look for, or nowhere to look."""
    if about["feeds"]:
        if not about["arxiv_categories"] and about["query"] is None:
            about["query"] = ""
    elif about["query"] is not None and not (
        _split(about["arxiv_categories"]) or default_categories(session)
    ):
        raise UsageError(
            "Name arXiv categories, because the setting watch.arxiv_categories is empty: "
            "--arxiv cs.LG,cs.CL."
        )
    if about["query"] is None:
        raise click.UsageError("Give a query or a feed: --query 'QUERY', or --feed ADDRESS.")


def _take_opml(
    session: Session, path: str, words: Sequence[str], about: dict[str, Any]
) -> TopicsOfFeeds:
    """Make topics from the feeds in a file."""
    if others := [key for key, value in about.items() if value and key != "query"]:
        raise UsageError(f"--opml takes NAME and --query only, not {others[0]}.")
    data = read_stdin() if path == "-" else read_file(Path(path))
    with session.open_store() as store:
        named = {"name": "".join(words), "query": about["query"] or ""}
        defaults = default_categories(session)
        result = topics.import_opml(store, data, path, **named, default_categories=defaults)
        if not session.dry_run:
            topics.accept_feeds(store, result.feeds)
    shown = [_shown(ShownTopic, topic) for topic in result.topics]
    return TopicsOfFeeds(shown, len(result.feeds), result.refused)


def _with_servers(session: Session, about: dict[str, Any]) -> dict[str, Any]:
    """Return the options for a topic, with the servers' categories among the feeds.

    Raises UsageError for a feed that would never be asked, since it is not on the internet.
    """
    rest = dict(about)
    if rest["feeds"]:
        from papertrack.actions.online.network import refuse_private

        refuse_private(session.settings().arxiv, topics.check_feeds(rest["feeds"]))
    named = [f"{name}:{category}" for name in ("biorxiv", "medrxiv") for category in rest.pop(name)]
    return rest | {"feeds": [*rest["feeds"], *named] or None}


@command(within=topic, writes=True)
@click.argument("name", shell_complete=complete_topic)
@option("--name NAME", "Another name.", "new_name")
@topic_options
@options("--no-feed ADDRESS", "Remove a feed.", "gone")
@flag("--accept", help="Let this machine contact the hosts of its feeds.")
@flag("--pause", help="Pause it.")
@flag("--resume", help="Resume it, and catch up on what it missed.")
@flag("--remove", help="Remove it; the papers that it found stay.")
def edit(
    session: Session,
    name: str,
    pause: bool,
    resume: bool,
    remove: bool,
    accept: bool,
    gone: tuple[str, ...],
    **changes: Any,
) -> TopicChanged:
    """Change, pause or remove a topic.

    The papers that it found stay. Feeds that came from others, or that redirect to another host,
    are asked only after --accept on this machine.

    \b
    Examples:
      papertrack topic edit decoding --query '"speculative decoding" NOT survey'
      papertrack topic edit decoding --pause
      papertrack topic edit decoding --remove
    """
    refuse_together(pause=pause, resume=resume, remove=remove)
    given = _given(_with_servers(session, changes))
    if remove:
        if given or gone or accept:
            raise UsageError("--remove cannot be combined with other options.")
        with session.open_store() as store:
            removed = topics.delete_topic(store, name)
        return _shown(TopicChanged, removed, message=f"Removed topic {removed.name}")
    told = ""
    if pause or resume:
        given["is_paused"] = pause
        told = " is paused" if pause else " is resumed"
    if not (given or gone or accept):
        raise click.UsageError(
            "Name what to change: --name, --query, --arxiv, --feed, --category, …"
        )
    with session.open_store() as store:
        made, hosts = _edit(session, store, name, given, gone, accept=accept)
    if accept:
        told = f": accepted {few(hosts)}" if hosts else ": its hosts are accepted already"
    message = f"Topic {made.name}{told or f': {made.query or EVERYTHING}'}"
    return _shown(TopicChanged, made, message=message)


def _edit(
    session: Session,
    store: Store,
    name: str,
    changes: dict[str, Any],
    gone: Sequence[str],
    *,
    accept: bool,
) -> tuple[Topic, list[str]]:
    """Change a topic; return it, and the newly accepted hosts of its feeds."""
    from papertrack.actions.watch.match import arxiv_categories_of

    added = changes.pop("feeds", ())
    if added or gone:
        changes["feeds"] = topics.changed_feeds(store, name, added=added, removed=gone)
        # A topic of arXiv's usual categories still looks there, besides its first feed.
        here = arxiv_categories_of(get_topic(store, name), default_categories(session))
        changes.setdefault("arxiv_categories", here)
    made = topics.edit_topic(store, name, **changes) if changes else get_topic(store, name)
    accepted = made.feeds if accept else topics.check_feeds(added)
    return made, [] if session.dry_run else topics.accept_feeds(store, accepted)


def _shown(shape: type[_AsShown], topic: Topic, **others: Any) -> _AsShown:
    """Return a topic under the names that JSON has, with ``others`` of a larger shape."""
    return shaped(
        shape,
        topic,
        query=topic.query or None,
        cross=topic.has_cross_lists,
        category=format_path(topic.category) or None,
        paused=topic.is_paused,
        added=topic.added or None,
        **others,
    )


def _try_query(
    session: Session, query: str, days: int, since: str | None, about: dict[str, Any]
) -> int:
    """Try a query on the stored announcements."""
    today = eastern_day(session.now())
    where = {name: about[name] for name in ("arxiv_categories", "has_cross_lists", "feeds")}
    options = {"default_categories": default_categories(session), **_given(where)}
    is_of_feeds = bool(options.get("feeds")) and not options.get("arxiv_categories")
    text = topics.check_query(query, may_be_empty=is_of_feeds)
    with session.open_store() as store:
        shown, is_whole = list[FirstText](), True
        if since is not None:
            first = parse_since(since, today)
            days = (today - first).days
            names = topics.check_categories(options.get("arxiv_categories", ()))
            names = names or (() if is_of_feeds else options["default_categories"])
            shown, is_whole = _ask_for(session, store, names, first, today)
        preview = topics.preview_query(store, text, today=today, days=days, shown=shown, **options)
    _show_preview(session, preview)
    return 0 if is_whole else 4


def _ask_for(
    session: Session, store: Store, categories: Sequence[str], since: date, today: date
) -> tuple[list[FirstText], bool]:
    """Return arXiv's listings for the missing days, and whether all could be fetched."""
    from papertrack.actions.watch.look import fetch_shown

    shown: list[FirstText] = []
    try:
        with asking(session, "lists") as (door, progress):
            lists = fetch_shown(store, door, categories, since=since, today=today)
            for done, total, texts in lists:
                progress.advance(done, total)
                shown += texts
    except SourceUnavailableError as error:
        session.warn(f"{error} These results are from the lists that were fetched before.")
        return shown, False
    return shown, True


def search_past(
    session: Session, store: Store, name: str, since: str, *, is_again: bool
) -> Backfilled | BackfillPlan:
    """Search arXiv's past for a topic, month by month, into the inbox."""
    today = eastern_day(session.now())
    first = parse_since(since, today)
    topic, categories = get_topic(store, name), default_categories(session)
    past = topics.PastSearch(store, topic, categories, first, today, is_again)
    left = past.slices_left()
    if session.dry_run:
        return BackfillPlan(len(left))
    new_papers: list[int] = []
    matches = 0
    with asking(session, "months") as (door, progress):
        for number, month in enumerate(past.search(door), start=1):
            progress.advance(number, len(left))
            new_papers += month.new_papers
            matches += month.found
            if month.is_cut:
                session.say(f"{month.first} to {month.last}: more papers than arXiv shows.")
    citekeys = [citekey_of(store, paper_id) for paper_id in new_papers]
    return Backfilled(len(new_papers), matches, citekeys, new_papers, None if left else first)


@dataclass(frozen=True, slots=True)
class Backfilled:
    papers_new: int
    papers_found: int
    citekeys: list[str]
    ids: list[int]
    searched_before: date | None
    """The day back to which everything was searched before, if nothing is left to search."""

    def sentences(self) -> Iterator[str]:
        if self.searched_before:
            yield (
                f"Everything since {self.searched_before} was searched before; --again "
                "searches it again."
            )
        else:
            papers = plural(self.papers_new, "new paper")
            yield f"{papers} in the inbox, of {self.papers_found} found."


@dataclass(frozen=True, slots=True)
class BackfillPlan:
    months: int

    def sentences(self) -> Iterator[str]:
        yield f"{plural(self.months, 'month')} of submissions to search on arXiv."


def _show_preview(session: Session, preview: topics.Preview) -> None:
    if session.as_json:
        session.print_json(preview)
        return
    days = f" ({plural(preview.days, 'day')})" if preview.days else ""
    session.say(f"{preview.query or EVERYTHING}: {preview.verdict}{days}")
    if wider := preview.wider:
        more = f"{plural(wider.matched, 'match', 'matches')}, not {preview.matched}"
        session.say(f"{wider.query} also finds other forms of the words: {more}.")
    rows = [(hit.announced, hit.arxiv_id, hit.reason, hit.title) for hit in preview.last_hits]
    print_table(("announced", "arXiv", "why", "title"), rows, flexible=3)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options for a topic in the form that the actions take."""
    given = {name: value for name, value in options.items() if value is not None}
    if "arxiv_categories" in given:
        given["arxiv_categories"] = _split(given["arxiv_categories"])
    if "category" in given:
        given["category"] = parse_path(given["category"]) if given["category"] else ()
    return given


def _split(names: str | None) -> list[str]:
    return [name.strip() for name in (names or "").split(",") if name.strip()]
