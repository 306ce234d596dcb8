"""The commands ``sync``, and ``merge-file``, which git runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.actions.results import shaped
from papertrack.actions.share import records
from papertrack.cli import deciding, export
from papertrack.cli.import_ import Imported, import_files, imported_of
from papertrack.cli.output import print_document
from papertrack.cli.session import FILE_PATH, Session, command, flag, option
from papertrack.library.paths import BIBTEX_SUFFIXES
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.actions.documents import Conflict, DocumentExport, ImportReport
    from papertrack.actions.lists.merge_files import Resolved
    from papertrack.actions.share.records import Contradiction
    from papertrack.actions.share.repository import Exchanged
    from papertrack.errors import PapertrackError


@command(writes=True)
@click.argument("files", metavar="[FILE...]", nargs=-1, type=FILE_PATH)
@flag("--diff", help="Show what the export would change, and write nothing.")
@flag("--git", "through_git", help="Commit, merge what others pushed, and push.")
@flag("--resolve", help="First merge files that hold git's conflict markers.")
@deciding.on_deleted_option
@deciding.prefer_option
@deciding.interactive_option
@flag("--confirm", help="Accept that others removed many papers.")
def sync(
    session: Session,
    files: tuple[Path, ...],
    diff: bool,
    through_git: bool,
    resolve: bool,
    on_deleted: Any,
    prefer: Any,
    interactive: bool,
    confirm: bool,
) -> int:
    """Exchange changes with your files, and through git.

    Reads what changed in your registered READMEs and .bib files, then writes what changed in the
    library. FILEs limit it to some of them. If one file cannot be read or written, the others still
    are. A conflict is shown with all its values. Exits 5 when a conflict is open, or when others
    removed many papers and you have not passed --confirm.

    --git works in a shared, trusted library. It commits records, notes, settings and registered
    files; then it fetches, merges and pushes, and repeats that if others push meanwhile. Your other
    files are not committed. A dry run does not run git.

    --resolve merges files with git's conflict markers (<<<<<<<) entry by entry. Contradictions stay
    between markers and are listed with both sides. Undo brings the markers back.

    \b
    Examples:
      papertrack sync
      papertrack sync README.md --diff
      papertrack sync --prefer file
      papertrack sync --prefer library
      papertrack sync --git
      papertrack sync --resolve
      papertrack sync --dry-run --json
    """
    session = session._replace(dry_run=session.dry_run or diff, confirms=confirm)
    decides = deciding.decider(prefer=prefer, interactive=interactive, on_deleted=on_deleted)
    resolved = _resolve(session, files) if resolve else []
    # A file that still has markers can be neither read nor pushed.
    unmerged = {file.path for file in resolved if file.messages or session.dry_run}
    if unmerged:
        files = tuple(path for path in files or session.documents() if path not in unmerged)
    run = _Run(session, files, decides, prefer == "library", diff)
    exchanged = None
    if through_git and not session.dry_run and not unmerged:
        exchanged = _exchange(run)
    elif files or not unmerged:
        run.work()
    contradictions = _left_contradictions(session)
    if session.as_json:
        report = shaped(
            SyncReport,
            imported_of(run.reports),
            conflicts=run.conflicts,
            exports=[
                shaped(export.ExportedDocument, each, diff=each.diff or None)
                for each in run.exports
            ],
            contradictions=contradictions,
            git=exchanged,
            resolved=[ResolvedFile(str(f.path), f.conflicts, f.messages) for f in resolved],
        )
        session.print_json(report)
    session.raise_last(run.failures)
    is_open = bool(run.conflicts or contradictions or any(file.messages for file in resolved))
    is_open |= session.has_waiting()
    return 5 if is_open else 0


def _resolve(session: Session, files: Sequence[Path]) -> list[Resolved]:
    """Merge the conflict markers in these files, or in all files of the library that have them."""
    from papertrack.actions.lists.merge_files import merge_torn, write_resolved

    library = session.library()
    paths = [path for path in files or session.documents() if path.is_file()]
    resolved = [file for path in paths if (file := merge_torn(library, path)) is not None]
    for file in resolved if not session.dry_run else ():
        with session.open_store() as store:
            write_resolved(store, library, file)
    for file in resolved:
        count = len(file.messages)
        left = f"; {plural(count, 'contradiction')} left to you" if count else ""
        session.say(
            f"{file.path.name}: {plural(file.conflicts, 'conflict')} merged entry by entry{left}."
        )
        session.say(*file.messages)
    return resolved


@dataclass(frozen=True, slots=True)
class ResolvedFile:
    """A file that had conflict markers, for `sync --resolve`."""

    file: str
    conflicts: int
    """How many conflicts it had."""
    left: Sequence[str]
    """Contradictions that are still in it, with both sides."""


@dataclass(frozen=True, slots=True)
class SyncReport(Imported):
    exports: list[export.ExportedDocument]
    contradictions: list[Contradiction]
    """Contradictions between machines that are not settled yet."""
    git: Exchanged | None
    """The result of `--git`; none in a dry run."""
    resolved: list[ResolvedFile]


@dataclass
class _Run:
    """One run of `sync`, and its results so far; with git, its steps may be repeated."""

    session: Session
    files: Sequence[Path]
    decides: deciding.Decider
    keeps_shown: bool
    diff: bool
    reports: list[ImportReport] = field(default_factory=list)
    exports: list[DocumentExport] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    """Conflicts that the previous step left open."""
    failures: list[PapertrackError] = field(default_factory=list)

    def work(self) -> bool:
        """Import what changed in the files, and write them.

        Returns whether everything may be pushed.
        """
        self.failures.clear()
        if self.keeps_shown:
            with self.session.open_store() as store:
                count = records.settle_all(store, self.session.library())
            if count:
                self.session.say_done(f"Kept the value shown in {plural(count, 'contradiction')}.")
        reports = import_files(
            self.session,
            self.files or self.session.documents(),
            decides=self.decides,
            is_part=True,
            failures=self.failures,
        )
        self.conflicts = deciding.conflicts_of(reports)
        listed = list(self.conflicts)
        run = export.ExportRun(
            self.session, self.decides, self.diff, listed, self.failures, is_sync=True
        )
        exports = _export(run, self.files)
        # The export finds the conflicts that the import left open once more.
        met = deciding.conflicts_of(exports)
        self.conflicts += [conflict for conflict in met if conflict not in self.conflicts]
        self.reports += reports
        self.exports += exports
        return not self.session.has_waiting()


def _exchange(run: _Run) -> Exchanged:
    from papertrack.actions.share.repository import exchange

    session = run.session
    result = exchange(session.library(), session.open_store, run.work)
    pulled = f"{plural(result.pulled, 'commit')} of others pulled"
    committed = f"{plural(len(result.committed), 'file')} committed"
    undecided = "; not pushed until you decide what is listed above"
    unpushed = undecided if result.has_remote else "; there is no remote to push to"
    session.say(f"git: {pulled}, {committed}{', all pushed' if result.pushed else unpushed}.")
    for name in result.unread:
        session.warn(
            f"the version of {name} that others pushed cannot be read: yours is kept, theirs is "
            "in git's log"
        )
    for name in result.kept:
        session.warn(f"{name}: an entry that one side removed and the other changed stays")
    return result


def _export(run: export.ExportRun, files: Sequence[Path]) -> list[DocumentExport]:
    """Write these files, or all registered ones."""
    bib_files = [path for path in files if path.suffix.lower() in BIBTEX_SUFFIXES]
    readmes = [path for path in files if path not in bib_files]
    exports: list[DocumentExport] = []
    if readmes or not bib_files:
        exports += export.export_registered(run, readmes)
    if bib_files or not readmes:
        exports += export.export_bib_files(run, bib_files)
    return exports


def _left_contradictions(session: Session) -> list[Contradiction]:
    """Return the undecided contradictions, after listing them and how to decide them."""
    with session.open_store() as store:
        contradictions = records.read_contradictions(store)
    deciding.say_contradictions(session, contradictions)
    return contradictions


@command("merge-file", writes=True)
@click.argument("base", type=FILE_PATH)
@click.argument("ours", type=FILE_PATH)
@click.argument("theirs", type=FILE_PATH)
@flag("-p", "--print", "prints", help="Print the result, and write nothing.")
@option("--path NAME", "Name of the file, which git passes as %P.")
def merge_file(
    session: Session, base: Path, ours: Path, theirs: Path, prints: bool, path: str | None
) -> int:
    """Merge two versions of a README or .bib file, entry by entry, as git merges lines.

    The result goes into OURS, as with `git merge-file`. New entries of both sides are kept, ours
    first. Changes to the same entry are merged word by word, and new link definitions with the same
    number are renumbered. Only contradictions get markers; then it exits 5. It needs no library.

    \b
    Examples:
      papertrack merge-file base.md README.md theirs.md
      papertrack merge-file base.md README.md theirs.md --print
      git config merge.papertrack.driver 'papertrack merge-file %O %A %B --path %P'
      echo 'README.md merge=papertrack' >> .gitattributes
    """
    from papertrack.actions.lists.merge_files import merge_files

    is_written = not (prints or session.dry_run)
    merged = merge_files(base, ours, theirs, name=path, is_written=is_written)
    if prints:
        print_document(merged.data)
        return 5 if merged.conflicts else 0
    return session.present(MergedFile(path or str(ours), merged.conflicts, merged.is_written))


@dataclass(frozen=True, slots=True)
class MergedFile:
    """The result of `merge-file`."""

    file: str
    conflicts: int
    is_written: bool

    @property
    def exit_code(self) -> int:
        return 5 if self.conflicts else 0

    def sentences(self) -> Iterator[str]:
        conflicts = f", {plural(self.conflicts, 'conflict')}" if self.conflicts else ""
        yield f"{self.file}: merged{conflicts}."
