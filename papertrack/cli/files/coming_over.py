"""``papertrack import`` of what other tools keep: its options, and what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from papertrack.cli.network import Progress
from papertrack.cli.session import Decorated, Session
from papertrack.errors import SourceUnavailableError, UsageError
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.documents import ImportReport
    from papertrack.actions.migrate.statuses import Statuses
    from papertrack.importers.model import Source
    from papertrack.store.store import Store

_SHOWN_REASONS = 8
_SHOWN_MERGED = 5

map_option = click.option(
    "--map",
    "words",
    metavar="WORD=MEANING",
    multiple=True,
    help="What a status, tag or collection of another tool means here: inbox, saved, discarded, "
    "or pass 1, 2 or 3.",
)
copy_option = click.option(
    "--copy",
    "is_copying",
    is_flag=True,
    help="Copy the files of another tool's library into pdfs/; otherwise they are linked there.",
)


_running_option = click.option(
    "--zotero-api",
    "is_running",
    is_flag=True,
    help="Ask the Zotero that runs on this machine for all that it has, in place of a FILE.",
)
_follow_option = click.option(
    "--follow",
    "is_following",
    is_flag=True,
    help="With --zotero-api: go on, and take in what changes there, until Ctrl-C.",
)
_FOLLOW_SECONDS = 60.0


def zotero_options(command: Decorated) -> Decorated:
    """The options for a Zotero that runs."""
    return _running_option(_follow_option(command))


class How(NamedTuple):
    """How what other tools keep is taken in."""

    words: Sequence[str] = ()
    is_copying: bool = False


def take(session: Session, store: Store, path: Path, how: How | None) -> ImportReport | None:
    """Take in what is at a path, if it is another tool's; None for a document, and if nobody says
    how.

    Raises what ``read_source`` and ``take_source`` do, and UsageError for a wrong ``--map``.
    """
    from papertrack.library.paths import name_of_file
    from papertrack.store.documents import find_document

    library = session.library()
    name = name_of_file(library, path)
    if how is None or find_document(store, name) is not None:
        return None
    from papertrack.importers.registry import read_source

    source = read_source(path)
    if source is None:
        return None
    from papertrack.actions.recover import recover

    recover(store, library)
    return _take_source(session, store, name, source, how)


def take_pdfs(
    session: Session, store: Store, paths: Sequence[Path], how: How
) -> tuple[Sequence[Path], list[ImportReport]]:
    """Take in all PDFs among these files as one; return the others, and what it came to.

    Raises what ``take`` does.
    """
    named = [path for path in paths if path.suffix.lower() == ".pdf" and path.is_file()]
    if len(named) < 2:
        return paths, []
    from papertrack.importers.pdfs import is_pdf, source_of

    pdfs = [path for path in named if is_pdf(path)]
    if not pdfs:
        return paths, []
    source = source_of(pdfs)
    source.counts = source.counted()
    report = _take_source(session, store, plural(len(pdfs), "PDF"), source, how)
    return [path for path in paths if path not in pdfs], [report]


def _take_source(
    session: Session, store: Store, name: str, source: Source, how: How
) -> ImportReport:
    from papertrack.actions.migrate.statuses import Statuses
    from papertrack.actions.migrate.take import take_source

    statuses = Statuses(how.words)
    _say_before(session, name, source, statuses)
    with Progress(session, "items", "taking over") as progress:
        return take_source(
            store,
            session.library(),
            name,
            source,
            statuses=statuses,
            is_copying=how.is_copying,
            progress=progress.advance,
        )


def is_asked(
    session: Session, files: Sequence[Path], *, is_running: bool, is_following: bool
) -> bool:
    """Whether a running Zotero is to be asked, and no file. Raises UsageError where both are, or
    neither."""
    if is_running and files:
        raise UsageError("--zotero-api asks the running Zotero: name no file with it.")
    if is_following and (not is_running or session.dry_run or session.as_json):
        raise UsageError("--follow goes with --zotero-api alone, without --dry-run and --json.")
    if not is_running and not files:
        raise UsageError("Name a file or folder to import, or --zotero-api.")
    return is_running


def take_running(session: Session, how: How, *, is_following: bool) -> list[ImportReport]:
    """Take in what the running Zotero has; when ``is_following``, again and again until Ctrl-C.

    Raises what ``read_running`` and ``take_source`` do; while following, a Zotero that is away is
    waited for.
    """
    reports = [_take_once(session, how)]
    while is_following:
        _wait(_FOLLOW_SECONDS)
        try:
            _take_once(session, how, is_quiet=True)
        except SourceUnavailableError as error:
            session.warn_once(str(error))
    return reports


def _wait(seconds: float) -> None:
    import time

    time.sleep(seconds)


def _take_once(session: Session, how: How, *, is_quiet: bool = False) -> ImportReport:
    from papertrack.actions.migrate.running import read_running

    settings = session.settings()
    quiet = session._replace(quiet=session.quiet or is_quiet)
    address = settings.zotero.api_url
    source = read_running(address, clock=session.now, told=quiet.say)
    with session.open_store() as store:
        store.citekey_template = settings.citekeys.template
        report = _take_source(quiet, store, "Zotero", source, how)
    has_news = report.papers_new or report.papers_changed or not is_quiet
    if has_news and not session.as_json:
        say(session, report)
    return report


def _say_before(session: Session, name: str, source: Source, statuses: Statuses) -> None:
    """What the words of the tool come to, and in a dry run the tree of its collections."""
    session.say(clean(f"{name}: {plural(source.count, 'item')} ({source.tool})."))
    for word, number, meaning in statuses.table(source.items):
        session.say("  " + clean(f"{word} ({number}) → {meaning}"))
    if session.dry_run:
        members = Counter(path for item in source.items for path in item.categories)
        for path in source.categories:
            held = f" ({members[path]})" if members[path] else ""
            session.say("  " * len(path) + clean(f"{path[-1]}{held}"))


def say(session: Session, report: ImportReport) -> None:
    """What became of each item, in a few sentences; with -v of each that was skipped or merged."""
    for sentence in report.told:
        session.say(clean(f"{report.file}: {sentence}"))
    if session.verbose:
        session.say(*(clean(f"{one.text}: {one.reason}") for one in report.skipped))
        session.say(*(clean(f"{one.item}: is {one.citekey}: {one.title}") for one in report.merged))
    else:
        _say_shortly(session, report)
    counts = {name.replace("_", " "): number for name, number in report.counts.items() if number}
    if counts:
        said = (plural(number, name.removesuffix("s")) for name, number in counts.items())
        session.say(", ".join(said) + ".")
    session.say_done(
        f"{report.file}: {plural(report.items or 0, 'item')}: {report.imported} imported, "
        f"{report.merged_items} merged, {len(report.skipped)} skipped "
        f"({plural(report.papers_new, 'new paper')}, {report.papers_changed} changed)."
    )


def _say_shortly(session: Session, report: ImportReport) -> None:
    reasons = Counter(one.reason for one in report.skipped).most_common()
    for reason, number in reasons[:_SHOWN_REASONS]:
        session.say(clean(f"{number} skipped: {reason}."))
    for one in report.merged[:_SHOWN_MERGED]:
        session.say(clean(f"Merged with {one.citekey}: {one.title}"))
    more = len(reasons) > _SHOWN_REASONS or len(report.merged) > _SHOWN_MERGED
    if more or reasons:
        session.say("`papertrack -v import` names each.")


def accounts_to_json(reports: Sequence[ImportReport]) -> dict[str, Any]:
    """What became of the items of all files: of a document its entries are the items."""
    counts: Counter[str] = Counter()
    for report in reports:
        counts.update(report.counts)
    return {
        "items": sum(_items_of(report) for report in reports),
        "imported": sum(_imported_of(report) for report in reports),
        "merged": sum(_merged_of(report) for report in reports),
        "merged_with": [
            {"file": report.file, "item": one.item, "title": one.title, "citekey": one.citekey}
            for report in reports
            for one in report.merged
        ],
        "counts": dict(counts),
        "categories": [path for report in reports for path in report.categories],
    }


def _items_of(report: ImportReport) -> int:
    return report.entries + len(report.skipped) if report.items is None else report.items


def _imported_of(report: ImportReport) -> int:
    return report.papers_new if report.items is None else report.imported


def _merged_of(report: ImportReport) -> int:
    return report.entries - report.papers_new if report.items is None else report.merged_items
