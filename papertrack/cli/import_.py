"""``papertrack import``: READMEs, .bib files, and libraries of other tools."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import click

from papertrack.actions.results import key_of, plain
from papertrack.cli import deciding
from papertrack.cli.network import Progress
from papertrack.cli.session import Session, command
from papertrack.errors import DiskError, PapertrackError, SourceUnavailableError, UsageError
from papertrack.text import clean, few, plural

if TYPE_CHECKING:
    from papertrack.actions.documents import (
        Conflict,
        ImportReport,
        JoinedEntries,
        Reread,
        TakenBack,
    )
    from papertrack.actions.migrate.take import Statuses
    from papertrack.importers.model import Source
    from papertrack.store.store import Store

_T = TypeVar("_T")
SHOWN_TITLES = 3
"""How many changed titles are shown."""
SHOWN_DELETED = 10
"""Up to this many papers that left a file are named without -v."""
SHOWN_SKIPPED = 100
"""How many pieces that were not understood are listed without -v."""


_SHOWN_REASONS = 8
_SHOWN_MERGED = 5

_map_option = click.option(
    "--map",
    "words",
    metavar="WORD=MEANING",
    multiple=True,
    help="What a status, tag or collection means here: inbox, saved, discarded, or pass 1, 2 or 3.",
)
_copy_option = click.option(
    "--copy",
    "is_copying",
    is_flag=True,
    help="Copy another tool's files into pdfs/ instead of linking them.",
)


_FOLLOW_SECONDS = 60.0


@command("import", writes=True)
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=False, type=click.Path(path_type=Path)
)
@click.option(
    "--repair-encoding",
    is_flag=True,
    help="Repair mis-decoded text first. The library does not feed the file.",
)
@click.option(
    "--zotero-api",
    "is_running",
    is_flag=True,
    help="Import from the Zotero that runs on this machine.",
)
@click.option(
    "--follow",
    "is_following",
    is_flag=True,
    help="With --zotero-api: keep importing changes until Ctrl-C.",
)
@_map_option
@_copy_option
@deciding.on_deleted_option
@deciding.prefer_option
@deciding.interactive_option
def import_(
    session: Session,
    files: tuple[Path, ...],
    repair_encoding: bool,
    is_running: bool,
    is_following: bool,
    words: tuple[str, ...],
    is_copying: bool,
    on_deleted: Any,
    prefer: Any,
    interactive: bool,
) -> int:
    """Import READMEs, .bib files and other tools' libraries.

    The first time, each entry of a table, list or .bib file becomes a saved paper, and a .bib
    file's keys are kept. From then on the library feeds the file, and importing it again reads only
    what you changed in it. What could not be read is listed with its line. Exits 5 on conflicts,
    and when you removed a mark whose pass has minutes or a takeaway. With - it reads a README from
    stdin, adds its papers and does not feed it.

    Libraries of other tools are recognised and imported whole: a folder of Zotero, papis or PDFs, a
    database of Zotero, CSL-JSON, RIS, bookmarks. They are not changed. Importing one again reads
    what changed there.

    A file written by `export --json` also completes papers that the library has.

    \b
    Examples:
      papertrack import README.md
      papertrack import README.md reading/*.md --dry-run
      papertrack import main.bib
      papertrack import papers.json
      papertrack import ~/Zotero --dry-run
      papertrack import ~/Zotero --map "to read=inbox" --copy
      papertrack import --zotero-api --follow
      curl -L https://example.org/README.md | papertrack import -
      papertrack import old-export.txt --repair-encoding
    """
    how = How(words, is_copying)
    if _is_asked(session, files, is_running=is_running, is_following=is_following):
        reports = _take_running(session, how, is_following=is_following)
        if session.as_json:
            session.print_json(imported_of(reports))
        return 0
    reports = import_files(
        session,
        files,
        repair_encoding=repair_encoding,
        decides=deciding.decider(prefer, interactive, on_deleted),
        taking=how,
        show=(lambda found: session.print_json(imported_of(found))) if session.as_json else None,
    )
    return 5 if deciding.conflicts_of(reports) else 0


def import_files(
    session: Session,
    files: Sequence[Path],
    *,
    repair_encoding: bool = False,
    decides: deciding.Decider = deciding.NOBODY,
    taking: How | None = None,
    show: Callable[[list[ImportReport]], None] | None = None,
    failures: list[PapertrackError] | None = None,
) -> list[ImportReport]:
    """Import files one after another, reporting each; or ``show`` reports all at the end.

    A file that cannot be imported does not stop the others: its error is raised at the end, or
    added to ``failures``. A full or failing disk stops everything: DiskError is raised at once.
    """
    from papertrack.actions.documents import import_file
    from papertrack.cli.network import slowly

    library, template = session.library(), session.settings(only="citekeys").citekeys.template
    reports: list[ImportReport] = []
    failed: list[PapertrackError] = []
    with session.open_store() as store:
        store.citekey_template = template
        if taking:
            files, own = _take_pdfs(session, store, files, taking)
            reports += own
            for one in own if show is None else ():
                _say(session, one)
        for path in files:
            # Read once: a dry run and the run after it must see the same.
            data = sys.stdin.buffer.read() if str(path) == "-" else None
            read = slowly(session, f"reading {clean(path.name)}")(import_file)
            run = partial(read, store, library, path, repair_encoding=repair_encoding, data=data)
            try:
                is_file = data is None and not repair_encoding
                how = taking if is_file else None
                report = _take(session, store, path, how) or _decided(store, run, decides)
            except DiskError:
                raise  # The next file would fare no better, and come before this one.
            except PapertrackError as error:
                failed.append(error)
                continue
            reports.append(report)
            if show is None:
                _say(session, report)
    if show is None:
        deciding.say_how_to_decide(session, deciding.conflicts_of(reports))
    elif reports:
        show(reports)
    if failures is None:
        session.raise_last(failed)
    else:
        failures += failed
    return reports


def _decided(
    store: Store, run: Callable[..., ImportReport], decides: deciding.Decider
) -> ImportReport:
    """Import as decided: a dry run finds the questions, which are asked after it."""
    if not decides.is_asking:
        return run(prefer=decides.prefers(()), on_deleted=decides.fates("", ()))
    with store.trial():
        found = run()
    prefer = decides.prefers(found.conflicts)
    on_deleted = decides.fates(found.file, found.deleted)
    return run(prefer=prefer, on_deleted=on_deleted)


def _say(session: Session, report: ImportReport) -> None:
    if report.items is not None:
        _say_items(session, report)
        return
    pieces = (*report.skipped, *report.notices)
    shown = pieces if session.verbose else pieces[:SHOWN_SKIPPED]
    for piece in shown:
        session.say(f"{report.file}:{piece.line}: {piece.reason.rstrip('.')}: {clean(piece.text)}")
    if more := len(pieces) - len(shown):
        session.say(f"… and {more} more; `papertrack -v import` lists all.")
    if session.verbose:
        session.say(*(_joined(joined, report.file) for joined in report.joined))
    else:
        session.say(*_joined_here(report))
    deciding.say_conflicts(report.conflicts)
    session.say(*_changes(report, is_verbose=session.verbose))
    session.say_done(f"{report.file}: {_counts(report)}.")


def _keys(citekeys: Sequence[str], *, is_verbose: bool) -> str:
    """Return all keys, or for a long list the first few and their number."""
    if is_verbose or len(citekeys) <= SHOWN_DELETED:
        return ", ".join(citekeys)
    return f"{plural(len(citekeys), 'paper')} ({few(citekeys)}; `papertrack -v import` names all)"


def _changes(report: ImportReport, *, is_verbose: bool) -> Iterator[str]:
    """Yield changes in a file apart from its entries."""
    for old, new in report.renamed:
        yield clean(f"The category {old} is now {new}, like its heading in {report.file}.")
    yield from _read_better(report)
    if deleted := report.deleted:
        are = "is" if len(deleted) == 1 else "are"
        yield f"{_keys(deleted, is_verbose=is_verbose)} {are} no longer in {report.file}."
    for taken in report.taken_back:
        yield _taken_back(taken, report.file)
    if report.encoding != "utf-8":
        yield f"{report.file} is in {report.encoding}."


def _read_better(report: ImportReport) -> Iterator[str]:
    """Yield what unchanged text is now read as, where this differs from last time."""
    titles = [one for one in report.reread if one.field == "title"]
    if titles:
        yield _titles_read_better(titles)
    if others := len(report.reread) - len(titles):
        yield f"{plural(others, 'value')} read better than before, in unchanged entries."
    if report.newly_read:
        number = plural(report.newly_read, "entry", "entries")
        yield f"{number} read for the first time, in unchanged text."
    for citekey in report.no_longer_read:
        yield (
            f"{citekey} stays in the library, but its text in {report.file} no longer reads "
            "as an entry."
        )


def _titles_read_better(titles: Sequence[Reread]) -> str:
    shown = "; ".join(f"{one.before!r} is {one.after!r}" for one in titles[:SHOWN_TITLES])
    more = "; …" if len(titles) > SHOWN_TITLES else ""
    are = "is" if len(titles) == 1 else "are"
    return clean(
        f"{plural(len(titles), 'title')} {are} read differently than before: {shown}{more}."
    )


def _counts(report: ImportReport) -> str:
    entries = plural(report.entries, "entry", "entries")
    if report.has_changes:
        return (
            f"{plural(report.papers_new, 'new paper')}, {report.papers_changed} changed, "
            f"{report.papers_unchanged} unchanged in {entries}"
        )
    if not report.is_first:
        return f"nothing to do ({entries} as before)"
    return (
        f"{entries}, all of papers that the library already has" if report.entries else "no entries"
    )


def _joined(joined: JoinedEntries, file: str) -> str:
    others = "".join(f" and line {line}" for line in joined.lines[1:])
    are = "are" if others else "is"
    what = f"{joined.citekey}, which the library had" if joined.is_known else joined.citekey
    return clean(f"{file}:{joined.lines[0]}: this{others} {are} {what}.")


def _joined_here(report: ImportReport) -> Iterator[str]:
    """Return a sentence about entries of one file that became one paper."""
    several = [joined for joined in report.joined if len(joined.lines) > 1]
    if several:
        keys = few([" and ".join(joined.keys) or joined.citekey for joined in several])
        yield clean(
            f"{report.file}: {plural(len(several), 'work')} entered more than once: {keys}. "
            "`papertrack -v import` lists the lines, `papertrack merge --undo KEY` splits them."
        )


def _taken_back(taken: TakenBack, file: str) -> str:
    reading = taken.reading
    known = [
        f"done {reading.at[:10]}" if reading.at else "",
        plural(reading.minutes, "minute") if reading.minutes else "",
        repr(clean(reading.takeaway)) if reading.takeaway else "",
    ]
    return (
        f"{taken.citekey}: pass {reading.pass_number} ({', '.join(filter(None, known))}) is no "
        f"longer marked in {file}, and was taken back; `papertrack undo` restores it."
    )


@dataclass(frozen=True, slots=True)
class SkippedPiece:
    """A piece of a file that was not understood, or is odd, with its place."""

    file: str
    line: int
    reason: str
    text: str
    item: str | None = None
    """For another tool's library: the item's name there."""


@dataclass(frozen=True, slots=True)
class MergedItem:
    """An item of another tool that was merged into a paper."""

    file: str
    item: str
    title: str
    citekey: str


@dataclass(frozen=True, slots=True)
class JoinedInFile:
    file: str
    citekey: str
    lines: list[int]
    is_known: bool
    keys: list[str]


@dataclass(frozen=True, slots=True)
class ReadingTakenBack:
    __pydantic_config__: ClassVar = {"alias_generator": key_of}
    file: str
    citekey: str
    pass_number: int
    at: str | None
    minutes: int | None
    version: int | None
    takeaway: str | None


@dataclass(frozen=True, slots=True)
class RenamedCategory:
    file: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RereadValue:
    file: str
    citekey: str
    line: int
    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of importing files."""

    papers_new: int
    papers_changed: int
    papers_unchanged: int
    entries: int
    mentioned: int
    items: int
    """Items in the files, by their own count: each is imported, merged or skipped."""
    imported: int
    merged: int
    """Merged with another item, or with an existing paper."""
    merged_with: list[MergedItem]
    counts: dict[str, int]
    """For other tools' libraries: counts of collections, memberships, tags, notes, annotations,
    …"""
    categories: list[str]
    """The tree of other tools' collections, by path."""
    skipped: list[SkippedPiece]
    notices: list[SkippedPiece]
    conflicts: list[Conflict]
    joined: list[JoinedInFile]
    deleted: list[str]
    taken_back: list[ReadingTakenBack]
    renamed: list[RenamedCategory]
    reread: list[RereadValue]
    newly_read: int
    no_longer_read: list[str]
    files: list[str]
    encodings: list[str]


def imported_of(reports: Sequence[ImportReport]) -> Imported:
    """Return the result of importing all files; in a document, entries are the items."""
    counts: Counter[str] = Counter()
    for report in reports:
        counts.update(report.counts)
    numbers = ("papers_new", "papers_changed", "papers_unchanged", "entries", "mentioned")
    documents = [report for report in reports if report.items is None]
    new, entries = _total(documents, "papers_new"), _total(documents, "entries")
    left_out = len(_all(documents, "skipped"))
    return Imported(
        **{number: _total(reports, number) for number in numbers},
        items=_total(reports, "items") + entries + left_out,
        imported=_total(reports, "imported") + new,
        merged=_total(reports, "merged_items") + entries - new,
        merged_with=_of_all(reports, "merged", MergedItem),
        counts=dict(counts),
        categories=_all(reports, "categories"),
        skipped=_of_all(reports, "skipped", SkippedPiece),
        notices=_of_all(reports, "notices", SkippedPiece),
        conflicts=_all(reports, "conflicts"),
        joined=_of_all(reports, "joined", JoinedInFile),
        deleted=_all(reports, "deleted"),
        taken_back=list(_taken_back_of(reports)),
        renamed=[RenamedCategory(one.file, *pair) for one in reports for pair in one.renamed],
        reread=_of_all(reports, "reread", RereadValue),
        newly_read=_total(reports, "newly_read"),
        no_longer_read=_all(reports, "no_longer_read"),
        files=[report.file for report in reports],
        encodings=[report.encoding for report in reports],
    )


def _taken_back_of(reports: Sequence[ImportReport]) -> Iterator[ReadingTakenBack]:
    for report in reports:
        for one in report.taken_back:
            yield ReadingTakenBack(report.file, one.citekey, *one.reading)


def _total(reports: Sequence[ImportReport], number: str) -> int:
    return sum(getattr(report, number) or 0 for report in reports)


def _all(reports: Sequence[ImportReport], part: str) -> list[Any]:
    return [piece for report in reports for piece in getattr(report, part)]


def _of_all(reports: Sequence[ImportReport], part: str, shown: Callable[..., _T]) -> list[_T]:
    """Return one part of all reports, each piece with its file."""
    return [
        shown(file=report.file, **plain(piece))
        for report in reports
        for piece in getattr(report, part)
    ]


class How(NamedTuple):
    """How to import from other tools."""

    words: Sequence[str] = ()
    is_copying: bool = False


def _take(session: Session, store: Store, path: Path, how: How | None) -> ImportReport | None:
    """Import a path if it belongs to another tool; None for a document, and if the reader said
    nothing about it.

    Raises the errors of ``read_source`` and ``take_source``, and UsageError for an invalid
    ``--map``.
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


def _take_pdfs(
    session: Session, store: Store, paths: Sequence[Path], how: How
) -> tuple[Sequence[Path], list[ImportReport]]:
    """Import all PDFs among these files as one source; return the other files, and the result.

    Raises the errors of ``take``.
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
    from papertrack.actions.migrate.take import Statuses, take_source

    statuses = Statuses(how.words)
    _say_before(session, name, source, statuses)
    with Progress(session, "items", "importing") as progress:
        return take_source(
            store,
            session.library(),
            name,
            source,
            statuses=statuses,
            is_copying=how.is_copying,
            progress=progress.advance,
        )


def _is_asked(
    session: Session, files: Sequence[Path], *, is_running: bool, is_following: bool
) -> bool:
    """Return whether to import from a running Zotero rather than from files. Raises UsageError if
    both are named, or neither."""
    if is_running and files:
        raise UsageError("--zotero-api asks the running Zotero: name no file with it.")
    if is_following and (not is_running or session.dry_run or session.as_json):
        raise UsageError("--follow goes with --zotero-api alone, without --dry-run and --json.")
    if not is_running and not files:
        raise UsageError("Name a file or folder to import, or --zotero-api.")
    return is_running


def _take_running(session: Session, how: How, *, is_following: bool) -> list[ImportReport]:
    """Import from the running Zotero; when ``is_following``, repeatedly until Ctrl-C.

    Raises the errors of ``read_running`` and ``take_source``; while following, waits for a Zotero
    that is not running.
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
        _say_items(session, report)
    return report


def _say_before(session: Session, name: str, source: Source, statuses: Statuses) -> None:
    """Print what the tool's words mean here, and in a dry run the tree of its collections."""
    session.say(clean(f"{name}: {plural(source.count, 'item')} ({source.tool})."))
    for word, number, meaning in statuses.table(source.items):
        session.say("  " + clean(f"{word} ({number}) → {meaning}"))
    if session.dry_run:
        members = Counter(path for item in source.items for path in item.categories)
        for path in source.categories:
            held = f" ({members[path]})" if members[path] else ""
            session.say("  " * len(path) + clean(f"{path[-1]}{held}"))


def _say_items(session: Session, report: ImportReport) -> None:
    """Print what became of the items, in a few sentences; with -v also each skipped or merged
    item."""
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
    names = {one.reason: one.text for one in report.skipped}
    reasons = Counter(one.reason for one in report.skipped).most_common()
    for reason, number in reasons[:_SHOWN_REASONS]:
        session.say(clean(f"{names[reason] if number == 1 else number} skipped: {reason}."))
    for one in report.merged[:_SHOWN_MERGED]:
        session.say(clean(f"Merged with {one.citekey}: {one.title}"))
    more = len(reasons) > _SHOWN_REASONS or len(report.merged) > _SHOWN_MERGED
    if more or len(reasons) < len(report.skipped):
        session.say("With -v, each is named.")
