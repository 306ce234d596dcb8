"""``papertrack import``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from operator import attrgetter, methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.cli.files import coming_over, deciding
from papertrack.cli.session import Session, changing
from papertrack.errors import DiskError, PapertrackError
from papertrack.text import clean, few, plural

if TYPE_CHECKING:
    from papertrack.actions.documents import ImportReport, JoinedEntries, Reread, TakenBack
    from papertrack.store.store import Store

NUMBERS = ("papers_new", "papers_changed", "papers_unchanged", "entries", "mentioned")
SHOWN_TITLES = 3
"""How many titles that are read better than before are shown."""
SHOWN_DELETED = 10
"""Of how many papers that left a file each is named without -v."""
SHOWN_SKIPPED = 100
"""How many pieces that were not understood are listed without -v."""


@click.command("import")
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=False, type=click.Path(path_type=Path)
)
@click.option(
    "--repair-encoding",
    is_flag=True,
    help="Repair mis-decoded text first. The file stays as it is and is not fed by the library.",
)
@coming_over.zotero_options
@coming_over.map_option
@coming_over.copy_option
@deciding.on_deleted_option
@deciding.prefer_option
@deciding.interactive_option
@changing
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
    """Read curated READMEs and .bib files into the library, and keep feeding them.

    What another tool keeps is known by what is in it, and taken in whole: a folder of Zotero,
    papis or PDFs, a database of Zotero, CSL-JSON, RIS, bookmarks. It stays as it is.
    Importing it again takes what changed there.

    A file that `export --json` wrote is taken as it was kept: papers that are known get what they
    lack.

    The first time each entry of a table, list or .bib file becomes a saved paper; a .bib file's
    keys are kept. Later only what you changed in the file is taken. What was not understood is
    listed with its line. Exits 5 when the file and the library both changed the same thing, and
    when a mark was lowered that stands for a pass with minutes or a takeaway. - reads a README from
    stdin: its papers are added, but the library feeds no file.

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
    how = coming_over.How(words, is_copying)
    if coming_over.is_asked(session, files, is_running=is_running, is_following=is_following):
        reports = coming_over.take_running(session, how, is_following=is_following)
        if session.as_json:
            _show_json(session, reports)
        return 0
    reports = import_files(
        session,
        files,
        repair_encoding=repair_encoding,
        decides=deciding.decider(prefer, interactive, on_deleted),
        taking=how,
        show=partial(_show_json, session) if session.as_json else None,
    )
    return 5 if deciding.conflicts_of(reports) else 0


def import_files(
    session: Session,
    files: Sequence[Path],
    *,
    repair_encoding: bool = False,
    decides: deciding.Decider = deciding.NOBODY,
    taking: coming_over.How | None = None,
    show: Callable[[list[ImportReport]], None] | None = None,
    failures: list[PapertrackError] | None = None,
) -> list[ImportReport]:
    """Import files one after another, telling about each; or ``show`` does, about all at the end.

    A file that cannot be imported keeps no other one out: its error is raised at the end, or added
    to ``failures``. A disk that is full or fails does: DiskError is raised at once.
    """
    from papertrack.actions.documents import import_file

    library, template = session.library(), session.citekey_template()
    reports: list[ImportReport] = []
    failed: list[PapertrackError] = []
    with session.open_store() as store:
        store.citekey_template = template
        if taking:
            files, own = coming_over.take_pdfs(session, store, files, taking)
            reports += own
            for one in own if show is None else ():
                _say(session, one)
        for path in files:
            # Read once: a dry run and the run after it must see the same.
            data = sys.stdin.buffer.read() if str(path) == "-" else None
            run = partial(
                import_file, store, library, path, repair_encoding=repair_encoding, data=data
            )
            try:
                is_file = data is None and not repair_encoding
                how = taking if is_file else None
                report = coming_over.take(session, store, path, how) or _decided(
                    store, run, decides
                )
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


def _show_json(session: Session, reports: list[ImportReport]) -> None:
    session.print_result(**reports_to_json(reports))


def _decided(
    store: Store, run: Callable[..., ImportReport], decides: deciding.Decider
) -> ImportReport:
    """Import as decided; what is in question is found out by a dry run, and asked after it."""
    if not decides.is_asking:
        return run(prefer=decides.prefers(()), on_deleted=decides.fates("", ()))
    with store.trial():
        found = run()
    prefer = decides.prefers(found.conflicts)
    on_deleted = decides.fates(found.file, found.deleted)
    return run(prefer=prefer, on_deleted=on_deleted)


def _say(session: Session, report: ImportReport) -> None:
    if report.items is not None:
        coming_over.say(session, report)
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
    """All of them, or of a long list the first few and how many there are."""
    if is_verbose or len(citekeys) <= SHOWN_DELETED:
        return ", ".join(citekeys)
    return f"{plural(len(citekeys), 'paper')} ({few(citekeys)}; `papertrack -v import` names all)"


def _changes(report: ImportReport, *, is_verbose: bool) -> Iterator[str]:
    """What a file says otherwise than before, beside its entries."""
    for old, new in report.renamed:
        yield clean(f"The category {old} is called {new} now, as its heading in {report.file}.")
    yield from _read_better(report)
    if deleted := report.deleted:
        are = "is" if len(deleted) == 1 else "are"
        yield f"{_keys(deleted, is_verbose=is_verbose)} {are} no longer in {report.file}."
    for taken in report.taken_back:
        yield _taken_back(taken, report.file)
    if report.encoding != "utf-8":
        yield f"{report.file} is in {report.encoding}."


def _read_better(report: ImportReport) -> Iterator[str]:
    """What is read otherwise than last time, though nobody has changed it."""
    titles = [one for one in report.reread if one.field == "title"]
    if titles:
        yield _titles_read_better(titles)
    if others := len(report.reread) - len(titles):
        yield f"Of unchanged entries {plural(others, 'other value')} read better than before."
    if report.newly_read:
        number = plural(report.newly_read, "entry", "entries")
        yield f"Newly read of text that is as it was: {number}."
    for citekey in report.no_longer_read:
        yield f"{citekey} stays, but its text in {report.file} is no longer taken for an entry."


def _titles_read_better(titles: Sequence[Reread]) -> str:
    shown = "; ".join(f"{one.before!r} is {one.after!r}" for one in titles[:SHOWN_TITLES])
    more = "; …" if len(titles) > SHOWN_TITLES else ""
    are = "is" if len(titles) == 1 else "are"
    return clean(f"{plural(len(titles), 'title')} {are} read better than before: {shown}{more}.")


def _counts(report: ImportReport) -> str:
    entries = plural(report.entries, "entry", "entries")
    if report.has_changes:
        return (
            f"{plural(report.papers_new, 'new paper')}, {report.papers_changed} changed, "
            f"{report.papers_unchanged} unchanged in {entries}"
        )
    if not report.is_first:
        return f"nothing to do ({entries} as before)"
    return f"{entries}, all of papers the library has" if report.entries else "no entries"


def _joined(joined: JoinedEntries, file: str) -> str:
    others = "".join(f" and line {line}" for line in joined.lines[1:])
    are = "are" if others else "is"
    what = f"{joined.citekey}, which the library had" if joined.is_known else joined.citekey
    return clean(f"{file}:{joined.lines[0]}: this{others} {are} {what}.")


def _joined_here(report: ImportReport) -> Iterator[str]:
    """In a sentence the entries of one file that became one paper."""
    several = [joined for joined in report.joined if len(joined.lines) > 1]
    if several:
        keys = few([" and ".join(joined.keys) or joined.citekey for joined in several])
        yield clean(
            f"{report.file}: {plural(len(several), 'work')} entered more than once: {keys}. "
            "`papertrack -v import` tells the lines, `papertrack split KEY` takes two apart."
        )


def _taken_back(taken: TakenBack, file: str) -> str:
    reading = taken.reading
    known = [
        f"done {reading.at[:10]}" if reading.at else "",
        plural(reading.minutes, "minute") if reading.minutes else "",
        repr(clean(reading.takeaway)) if reading.takeaway else "",
    ]
    return (
        f"{taken.citekey}: pass {reading.pass_number} ({', '.join(filter(None, known))}) is marked "
        f"no longer in {file}, and taken back; `papertrack undo` restores it."
    )


def reports_to_json(reports: Sequence[ImportReport]) -> dict[str, object]:
    """One object for the import of all files."""
    return {
        **{number: sum(map(attrgetter(number), reports)) for number in NUMBERS},
        "skipped": _of_all(reports, "skipped", methodcaller("_asdict")),
        "notices": _of_all(reports, "notices", methodcaller("_asdict")),
        "conflicts": _of_all(reports, "conflicts", asdict),
        "joined": _of_all(reports, "joined", asdict),
        "deleted": [citekey for report in reports for citekey in report.deleted],
        "taken_back": _of_all(reports, "taken_back", _taken_to_json),
        "renamed": _of_all(reports, "renamed", _renamed_to_json),
        "reread": _of_all(reports, "reread", asdict),
        "newly_read": sum(report.newly_read for report in reports),
        "no_longer_read": [key for report in reports for key in report.no_longer_read],
        **coming_over.accounts_to_json(reports),
        "files": [report.file for report in reports],
        "encodings": [report.encoding for report in reports],
    }


def _of_all(
    reports: Sequence[ImportReport], part: str, to_json: Callable[[Any], dict[str, Any]]
) -> list[dict[str, Any]]:
    """One part of all reports, each piece with the file that it is about."""
    return [
        {"file": report.file, **to_json(piece)}
        for report in reports
        for piece in getattr(report, part)
    ]


def _taken_to_json(taken: TakenBack) -> dict[str, Any]:
    reading = taken.reading._asdict()
    return {"citekey": taken.citekey, "pass": reading.pop("pass_number"), **reading}


def _renamed_to_json(renamed: tuple[str, str]) -> dict[str, Any]:
    return dict(zip(("before", "after"), renamed, strict=True))
