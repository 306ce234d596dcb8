"""``papertrack import``: READMEs, .bib files, and libraries of other tools."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import click

from papertrack.actions.documents import (
    Conflict,
    ImportReport,
    JoinedEntries,
    Merged,
    Reread,
    TakenBack,
    import_file,
)
from papertrack.actions.recover import recover
from papertrack.actions.results import key_of, plain
from papertrack.cli import deciding
from papertrack.cli.network import Progress, slowly
from papertrack.cli.session import FILE_PATH, Session, command, flag, options, read_stdin, refuse_if
from papertrack.errors import DiskError, PapertrackError, SourceUnavailableError
from papertrack.library.paths import name_of_file
from papertrack.store.documents import find_document
from papertrack.text import clean, few, plural, shorten

if TYPE_CHECKING:
    from papertrack.importers.model import Source
    from papertrack.store.store import Store

SHOWN_TITLES = 3
"""How many changed titles are shown."""
SHOWN_DELETED = 10
"""Up to this many papers that left a file are named without -v."""
SHOWN_SKIPPED = 100
"""How many pieces that were not understood are listed without -v."""
_SHOWN_REASONS = 8
_SHOWN_MERGED = 5
_FOLLOW_SECONDS = 60.0


@command("import", writes=True)
@click.argument("files", metavar="FILE...", nargs=-1, type=FILE_PATH)
@flag("--repair-encoding", help="Repair mis-decoded text first; the file is not registered.")
@flag("--zotero-api", "is_running", help="Import from the Zotero that runs on this machine.")
@flag("--follow", "is_following", help="With --zotero-api: keep importing changes until Ctrl-C.")
@options(
    "--map WORD=MEANING",
    "What a status, tag or collection means here: inbox, saved, discarded, or pass 1, 2 or 3.",
    "words",
)
@flag("--copy", "is_copying", help="Copy another tool's files into pdfs/ instead of linking them.")
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
    **decisions: Any,
) -> int:
    """Import READMEs, .bib files and other tools' libraries.

    The first time, each entry of a table, list or .bib file becomes a saved paper, and a .bib
    file's keys are kept. The file is then registered: `papertrack export` keeps it up to date, and
    importing it again reads only what you changed in it. What could not be read is listed with its
    line. Exits 5 on conflicts, and when you removed a mark whose pass has minutes or a takeaway.
    With - it reads a README from stdin, and adds its papers only.

    Libraries of other tools are recognised and imported whole: a folder of Zotero, papis or PDFs, a
    database of Zotero, CSL-JSON, RIS, bookmarks. They are not changed. Importing one again reads
    what changed there. A file from `export --json` also completes papers that you have.

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
    is_alone = is_running and not (session.dry_run or session.as_json)
    refuse_if(
        {
            "--zotero-api asks the running Zotero: name no file with it.": is_running and files,
            "--follow needs --zotero-api, and excludes --dry-run and --json.": (
                is_following and not is_alone
            ),
            "Name a file or folder to import, or --zotero-api.": not (is_running or files),
        }
    )
    how = How(words, is_copying)
    if is_running:
        _take_running(session, how)
        while is_following:
            _wait(_FOLLOW_SECONDS)
            try:
                _take_running(session, how, is_quiet=True)
            except SourceUnavailableError as error:
                session.warn_once(str(error))
        return 0
    decides = deciding.decider(**decisions)
    reports = import_files(
        session, files, repair_encoding=repair_encoding, decides=decides, taking=how
    )
    return 5 if deciding.conflicts_of(reports) else 0


def import_files(
    session: Session,
    files: Sequence[Path],
    *,
    repair_encoding: bool = False,
    decides: deciding.Decider = deciding.NOBODY,
    taking: How | None = None,
    is_part: bool = False,
    failures: list[PapertrackError] | None = None,
) -> list[ImportReport]:
    """Import files one after another, and report each, or print the JSON of all at the end.

    Prints no JSON if this ``is_part`` of a command that prints its own. A file that cannot be
    imported does not stop the others: its error is raised at the end, or added to ``failures``. A
    full or failing disk stops everything: DiskError is raised at once.
    """
    library = session.library()
    reports: list[ImportReport] = []
    failed: list[PapertrackError] = []
    with session.open_store() as store:
        if taking:
            files, own = _take_pdfs(session, store, files, taking)
            reports += own
            for one in own if not session.as_json else ():
                _say(session, one)
        for path in files:
            # Read once: a dry run and the run after it must see the same.
            data = read_stdin() if str(path) == "-" else None
            read = slowly(session, f"reading {clean(path.name)}")(import_file)
            run = partial(read, store, library, path, repair_encoding=repair_encoding, data=data)
            try:
                how = taking if data is None and not repair_encoding else None
                report = _take(session, store, path, how) or _decided(store, run, decides)
            except DiskError:
                raise  # The next file would fare no better, and come before this one.
            except PapertrackError as error:
                failed.append(error)
                continue
            reports.append(report)
            if not session.as_json:
                _say(session, report)
    if not session.as_json:
        deciding.say_how_to_decide(session, deciding.conflicts_of(reports))
    elif reports and not is_part:
        session.print_json(imported_of(reports))
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
        report = run()
    prefer = decides.prefers(report.conflicts)
    on_deleted = decides.fates(report.file, report.deleted)
    return run(prefer=prefer, on_deleted=on_deleted)


def _say(session: Session, report: ImportReport) -> None:
    if report.items is not None:
        _say_items(session, report)
        return
    _say_pieces(session, report)
    if session.verbose:
        session.say(*(_joined(joined, report.file) for joined in report.joined))
    elif several := [joined for joined in report.joined if len(joined.lines) > 1]:
        keys = few([" and ".join(joined.keys) or joined.citekey for joined in several])
        session.say(
            f"{report.file}: {plural(len(several), 'work')} entered more than once: {keys}. "
            "`papertrack -v import` lists the lines, `papertrack merge --undo KEY` splits them."
        )
    deciding.say_conflicts(report.conflicts)
    session.say(*map(clean, _changes(report, is_verbose=session.verbose)))
    session.say_done(f"{report.file}: {_counts(report)}.")


def _say_pieces(session: Session, report: ImportReport) -> None:
    pieces = (*report.skipped, *report.notices)
    shown = pieces if session.verbose else pieces[:SHOWN_SKIPPED]
    for piece in shown:
        text = shorten(piece.text, 120)
        session.say(f"{report.file}:{piece.line}: {piece.reason.rstrip('.')}: {text}")
    if more := len(pieces) - len(shown):
        session.say(f"… and {more} more; `papertrack -v import` lists all.")


def _joined(joined: JoinedEntries, file: str) -> str:
    others = "".join(f" and line {line}" for line in joined.lines[1:])
    what = f"{joined.citekey}, which the library had" if joined.is_known else joined.citekey
    return clean(f"{file}:{joined.lines[0]}: this{others} {'are' if others else 'is'} {what}.")


def _changes(report: ImportReport, *, is_verbose: bool) -> Iterator[str]:
    """Yield changes in a file apart from its entries."""
    for old, new in report.renamed:
        yield f"The category {old} is now {new}, like its heading in {report.file}."
    yield from _read_better(report)
    if deleted := report.deleted:
        keys = ", ".join(deleted)
        if len(deleted) > SHOWN_DELETED and not is_verbose:
            keys = f"{plural(len(deleted), 'paper')} ({few(deleted)}; "
            keys += "`papertrack -v import` names all)"
        are = "is" if len(deleted) == 1 else "are"
        yield f"{keys} {are} no longer in {report.file}."
    yield from (_taken_back(reading, report.file) for reading in report.taken_back)
    if report.encoding != "utf-8":
        yield f"{report.file} is in {report.encoding}."


def _taken_back(lost: TakenBack, file: str) -> str:
    reading = lost.reading
    details = [
        f"done {reading.at[:10]}" if reading.at else "",
        plural(reading.minutes, "minute") if reading.minutes else "",
        repr(clean(reading.takeaway)) if reading.takeaway else "",
    ]
    return (
        f"{lost.citekey}: pass {reading.pass_number} ({', '.join(filter(None, details))}) is no "
        f"longer marked in {file}, and was taken back; `papertrack undo` restores it."
    )


def _read_better(report: ImportReport) -> Iterator[str]:
    """Yield entries that are read differently than last time, although the text is the same."""
    titles = [change for change in report.reread if change.field == "title"]
    if titles:
        shown = "; ".join(
            f"{change.before!r} is {change.after!r}" for change in titles[:SHOWN_TITLES]
        )
        more = "; …" if len(titles) > SHOWN_TITLES else ""
        are = "is" if len(titles) == 1 else "are"
        yield f"{plural(len(titles), 'title')} {are} read differently than before: {shown}{more}."
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


def _counts(report: ImportReport) -> str:
    entries, others = plural(report.entries, "entry", "entries"), _other_counts(report)
    if report.has_changes:
        papers = (
            f"{plural(report.papers_new, 'new paper')}, {report.papers_changed} changed, "
            f"{report.papers_unchanged} unchanged in {entries}"
        )
    elif not report.is_first:
        papers = f"nothing to do ({entries} as before)"
    elif report.entries:
        papers = f"{entries}, all of papers that the library already has"
    elif report.counts:
        papers = "" if others else "nothing that the library lacks"
    else:
        papers = "no entries"
    return "; ".join(filter(None, (papers, others)))


def _other_counts(report: ImportReport) -> str:
    """Return ``2 new topics, 1 new category``: what a library file added besides papers."""
    nouns = {
        "topics": ("new topic", None),
        "categories": ("new category", "new categories"),
        "forgotten": ("new forgotten term", None),
    }
    added = ((count, nouns[name]) for name, count in report.counts.items() if count)
    return ", ".join(plural(count, *noun) for count, noun in added)


@dataclass(frozen=True, slots=True)
class SkippedPiece:
    """A piece of a file that was not understood, or is odd, with its place."""

    file: str
    line: int
    reason: str
    text: str
    item: str | None = None
    """For another tool's library: the item's name there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedItem(Merged):
    """An item of another tool that was merged into a paper."""

    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedInFile(JoinedEntries):
    file: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RereadValue(Reread):
    file: str


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
    """Items merged with another item, or with an existing paper."""
    merged_with: list[MergedItem]
    counts: dict[str, int]
    """For other tools' libraries: counts of collections, memberships, tags, notes, annotations,
    …; for a file of ``export --json``: topics, categories and forgotten terms that were added."""
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
    documents = [report for report in reports if report.items is None]
    new, entries = _total(documents, "papers_new"), _total(documents, "entries")
    numbers = ("papers_new", "papers_changed", "papers_unchanged", "entries", "mentioned")
    counts: Counter[str] = Counter()
    for report in reports:
        counts.update(report.counts)
    return Imported(
        **{number: _total(reports, number) for number in numbers},
        items=_total(reports, "items") + entries + len(_all(documents, "skipped")),
        imported=_total(reports, "imported") + new,
        merged=_total(reports, "merged_items") + entries - new,
        merged_with=_all(reports, "merged", MergedItem),
        counts=dict(counts),
        categories=_all(reports, "categories"),
        skipped=_all(reports, "skipped", SkippedPiece),
        notices=_all(reports, "notices", SkippedPiece),
        conflicts=_all(reports, "conflicts"),
        joined=_all(reports, "joined", JoinedInFile),
        deleted=_all(reports, "deleted"),
        taken_back=[
            ReadingTakenBack(report.file, each.citekey, *each.reading)
            for report in reports
            for each in report.taken_back
        ],
        renamed=[RenamedCategory(each.file, *pair) for each in reports for pair in each.renamed],
        reread=_all(reports, "reread", RereadValue),
        newly_read=_total(reports, "newly_read"),
        no_longer_read=_all(reports, "no_longer_read"),
        files=list(map(attrgetter("file"), reports)),
        encodings=list(map(attrgetter("encoding"), reports)),
    )


def _total(reports: Sequence[ImportReport], number: str) -> int:
    return sum(getattr(report, number) or 0 for report in reports)


def _all(reports: Sequence[ImportReport], part: str, shape: type | None = None) -> list[Any]:
    """Return one part of all reports; in a ``shape``, each piece with its file."""
    pieces = [(report.file, piece) for report in reports for piece in getattr(report, part)]
    return [shape(file=file, **plain(piece)) if shape else piece for file, piece in pieces]


class How(NamedTuple):
    """How to import from other tools."""

    words: Sequence[str] = ()
    is_copying: bool = False


def _take(session: Session, store: Store, path: Path, how: How | None) -> ImportReport | None:
    """Import a path of another tool; return None for a document, or without ``how``.

    Raises the errors of ``read_source`` and ``import_source``, and UsageError for an invalid
    ``--map``.
    """
    library = session.library()
    name = name_of_file(library, path)
    if how is None or find_document(store, name) is not None:
        return None
    from papertrack.importers.registry import read_source

    source = read_source(path)
    if source is None:
        return None
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
    from papertrack.actions.migrate.item_import import Statuses, import_source

    statuses = Statuses(how.words)
    session.say(f"{name}: {plural(source.count, 'item')} ({source.tool}).")
    for word, number, meaning in statuses.table(source.items):
        session.say(f"  {clean(f'{word} ({number}) → {meaning}')}")
    if session.dry_run:
        members = Counter(path for item in source.items for path in item.categories)
        for path in source.categories:
            count = f" ({members[path]})" if members[path] else ""
            session.say("  " * len(path) + clean(f"{path[-1]}{count}"))
    with Progress(session, "items", "importing") as progress:
        return import_source(
            store,
            session.library(),
            name,
            source,
            meanings=asdict(session.settings(only="highlights").highlights),
            statuses=statuses,
            is_copying=how.is_copying,
            progress=progress.advance,
        )


def _wait(seconds: float) -> None:
    time.sleep(seconds)


def _take_running(session: Session, how: How, *, is_quiet: bool = False) -> None:
    """Import from the running Zotero. Raises what ``read_running`` and ``import_source`` raise."""
    from papertrack.actions.migrate.running import read_running

    quiet = session._replace(quiet=session.quiet or is_quiet)
    source = read_running(session.settings().zotero.api_url, clock=session.now, report=quiet.say)
    with session.open_store() as store:
        report = _take_source(quiet, store, "Zotero", source, how)
    if session.as_json:
        session.print_json(imported_of([report]))
    elif report.papers_new or report.papers_changed or not is_quiet:
        _say_items(session, report)


def _say_items(session: Session, report: ImportReport) -> None:
    """Print what became of the items, in a few sentences; with -v also each skipped or merged
    item."""
    session.say(*(clean(f"{report.file}: {sentence}") for sentence in report.told))
    session.say(*map(clean, _of_items(report, is_verbose=session.verbose)))
    counts = [(name.replace("_", " "), many) for name, many in report.counts.items() if many]
    if counts:
        session.say(", ".join(plural(many, name.removesuffix("s")) for name, many in counts) + ".")
    session.say_done(
        f"{report.file}: {plural(report.items or 0, 'item')}: {report.imported} imported, "
        f"{report.merged_items} merged, {len(report.skipped)} skipped "
        f"({plural(report.papers_new, 'new paper')}, {report.papers_changed} changed)."
    )


def _of_items(report: ImportReport, *, is_verbose: bool) -> Iterator[str]:
    """Yield which items were skipped or merged, or only how many and why."""
    if is_verbose:
        yield from (f"{item.text}: {item.reason}" for item in report.skipped)
        yield from (f"{item.item}: is {item.citekey}: {item.title}" for item in report.merged)
        return
    names = {item.reason: item.text for item in report.skipped}
    reasons = Counter(item.reason for item in report.skipped).most_common()
    for why, many in reasons[:_SHOWN_REASONS]:
        yield f"{names[why] if many == 1 else many} skipped: {why}."
    for item in report.merged[:_SHOWN_MERGED]:
        yield f"Merged with {item.citekey}: {item.title}"
    is_more = len(reasons) > _SHOWN_REASONS or len(report.merged) > _SHOWN_MERGED
    if is_more or len(reasons) < len(report.skipped):
        yield "The same command as `papertrack -v …` names each."
