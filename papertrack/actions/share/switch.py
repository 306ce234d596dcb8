"""Start and stop sharing a library through git, and move its private data."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from papertrack.actions.lists.git import git_output
from papertrack.actions.share import connect, inside_documents, refuse_links
from papertrack.actions.share.records import Contradiction, read_contradictions
from papertrack.actions.share.repository import ADVICE, Repository
from papertrack.errors import PapertrackError, UsageError
from papertrack.library import Library, has_database, private_in_git
from papertrack.library.files import read_file
from papertrack.library.paths import name_of_file
from papertrack.library.trust import is_trusted
from papertrack.store import records as db
from papertrack.store.documents import find_document, register_unread
from papertrack.store.store import Store
from papertrack.text import few, plural


@dataclass(frozen=True, slots=True)
class Shared:
    """The result of ``share on``."""

    papers: int
    """The number of records."""
    is_new: bool
    """Whether the library was not shared before."""
    private: tuple[str, ...]
    """The kinds of data that stay on this machine."""
    is_answered: bool
    """Whether the user chose these kinds."""
    told: tuple[str, ...] = ()
    """A message about private data that was committed before, with the command to remove it."""

    def sentences(self) -> Iterator[str]:
        stays = ", ".join(self.private) or "nothing"
        until = "" if self.is_answered else ", until `papertrack share on --private KINDS`"
        yield (
            f"This library is shared: {plural(self.papers, 'record')}. Only on this machine: "
            f"{stays}{until}."
        )
        if self.is_new:
            yield "Commit papers/ and the tables beside it, or run `papertrack sync --git`."
        yield from self.told


@dataclass(frozen=True, slots=True)
class NotShared:
    """The result of ``share off``."""

    library: str

    def sentences(self) -> Iterator[str]:
        yield "This library is no longer shared."


def prepare(library: Library) -> None:
    """Move private data out of git's reach, and make a repository if necessary.

    No store may be open. Raises PapertrackError.
    """
    if private_in_git(library.root) is None:
        git_output(library.root, "init", "--quiet", "--initial-branch=main", advice=ADVICE)
    private = private_in_git(library.root)
    data = library.root / "data"
    if private is None or private.exists() or not data.is_dir() or data.is_symlink():
        return
    _move(data, private)


def _move(source: Path, target: Path) -> None:
    """Move a folder completely or not at all. Raises PapertrackError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            source.rename(target)
        except OSError:  # The target is on another disk.
            partial = target.with_name(target.name + ".partial")
            shutil.rmtree(partial, ignore_errors=True)
            shutil.copytree(source, partial, symlinks=True)
            partial.rename(target)
            shutil.rmtree(source)
    except OSError as error:
        raise PapertrackError(
            f"{source} could not be moved to {target}: {error.strerror}. It is still in "
            "its old place."
        ) from error


def register_documents(store: Store, library: Library, names: Sequence[str]) -> None:
    """Register a clone's lists as documents on this machine; the next sync reads them first.

    Raises NotFoundError for a missing list.
    """
    with store.action("documents", few(names)):
        for name in names:
            read_file(library.root / name)
            relative = name_of_file(library, library.root / name)
            if find_document(store, relative) is None:
                register_unread(store, relative)


def share(
    store: Store, library: Library, environ: Mapping[str, str], private: Iterable[str] | None = None
) -> Shared:
    """Share a library: write all records now, and let every command update them.

    Sets up git's merge driver if the library is trusted. Raises PapertrackError, and UsageError
    for invalid settings.
    """
    refuse_links(library, inside_documents(store))
    is_new = not db.is_shared(store)
    with store.transaction():
        db.begin_sharing(store)
        if private is not None:
            db.answer_private(store, private)
        connect(store, library, environ)
        library.records.mkdir(exist_ok=True)
        # A clone is shared if it has this folder, and git drops empty folders.
        (library.records / ".gitkeep").touch()
        papers = db.all_papers(store)
        store.write_records(papers)
    messages: tuple[str, ...] = ()
    if is_trusted(library) and not store.is_trial:
        repository = Repository(library)
        repository.register(inside_documents(store))
        notes = f"{repository.prefix}notes"
        if "notes" in (private or ()) and repository.ask("ls-files", "--", notes).text:
            messages = (
                "Notes were committed before, and can be read there. `git rm -r --cached "
                f"{notes}` removes them from future commits; what was pushed stays in the "
                "history.",
            )
    kinds, is_chosen = db.chosen_private(store)
    return Shared(len(papers), is_new, tuple(sorted(kinds)), is_chosen, messages)


def unshare(library: Library, now: Callable[[], datetime]) -> None:
    """Stop sharing: remove the records, and move private data back into the library.

    No store may be open. Raises PapertrackError, and UsageError for a library that is not shared.
    """
    private = private_in_git(library.root)
    data = library.root / "data"
    if private is None or not private.is_dir():
        raise UsageError("This library is not shared.")
    if data.exists():
        raise PapertrackError(f"{data} exists already. Move it away, and run this again.")
    with Store.open(library.database, now=now) as store:
        files = db.record_files(store)
        with store.transaction():
            db.end_sharing(store)
    if is_trusted(library):
        Repository(library).unregister()
    # Reverse order removes categories.toml, the mark of a shared library, last.
    for name, file in sorted(files.items(), reverse=True):
        path = library.root / name
        is_plain = path.is_file() and not path.is_symlink() and not library.records.is_symlink()
        # Keep a file with changes that were not imported.
        if is_plain and path.read_bytes() == file.text.encode():
            path.unlink()
    with suppress(OSError):
        (library.records / ".gitkeep").unlink()
        library.records.rmdir()
    _move(private, data)


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a shared library."""

    is_shared: bool
    private_folder: str
    """Where database, backups and PDFs are; empty if not shared yet."""
    private: tuple[str, ...]
    """Data that stays on this machine."""
    is_answered: bool
    papers: int
    unreadable: tuple[str, ...]
    """Messages about files that cannot be read."""
    contradictions: Sequence[Contradiction]


def read_status(store: Store, library: Library) -> Status:
    """Return the state of a shared library."""
    is_shared = db.is_shared(store)
    kinds, is_chosen = db.chosen_private(store) if is_shared else ((), False)
    problems = tuple(str(file.problem) for file in db.record_files(store).values() if file.problem)
    count = len(db.all_papers(store))
    folder = str(library.private) if has_database(library) else ""
    stays = tuple(sorted(kinds)), is_chosen
    return Status(is_shared, folder, *stays, count, problems, read_contradictions(store))
