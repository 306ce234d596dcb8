"""Start and stop sharing a library through git, and move its data accordingly."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from papertrack.actions.share.records import Contradiction, connect, read_contradictions
from papertrack.actions.share.repository import (
    Repository,
    inside_documents,
    make_repository,
    refuse_links,
)
from papertrack.errors import PapertrackError, UsageError
from papertrack.library import Library, git_folders, has_database, private_in_git
from papertrack.library.files import read_file
from papertrack.library.paths import BIBTEX_SUFFIXES, name_of_file
from papertrack.library.trust import is_trusted
from papertrack.store import records as kept
from papertrack.store.documents import await_reading, find_document
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
    """The data that stays on this machine."""
    is_answered: bool
    """Whether the reader chose it."""
    told: tuple[str, ...] = ()
    """Private data that was committed before, with the command to remove it."""

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
    """Move private data to where no checkout writes, making a repository if necessary. No store
    may be open. Raises PapertrackError."""
    make_repository(library)
    inside = private_in_git(library.root)
    data = library.root / "data"
    if inside is None or inside.exists() or not data.is_dir() or data.is_symlink():
        return
    _move(data, inside)


def _move(source: Path, target: Path) -> None:
    """Move a folder, whole or not at all. Raises PapertrackError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            source.rename(target)
        except OSError:  # Another disk.
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


def keep_in_step(store: Store, library: Library, names: Sequence[str]) -> None:
    """Register lists in a clone as documents of this machine; the next sync reads them first.
    Raises NotFoundError for a missing one."""
    with store.action("documents", few(names)):
        for name in names:
            read_file(library.root / name)
            relative = name_of_file(library, library.root / name)
            if find_document(store, relative) is None:
                await_reading(store, relative)


def share(
    store: Store,
    library: Library,
    environ: Mapping[str, str],
    private: Iterable[str] | None = None,
) -> Shared:
    """Let every command write records from now on, and write them all; sets up git's merge
    driver if the library is trusted. Raises PapertrackError, and UsageError for invalid
    settings."""
    refuse_links(library, inside_documents(store))
    is_new = not kept.is_shared(store)
    with store.transaction():
        kept.begin_sharing(store)
        if private is not None:
            kept.answer_private(store, private)
        connect(store, library, environ)
        library.records.mkdir(exist_ok=True)
        # git keeps no empty folder, by which a clone knows that it is shared.
        (library.records / ".gitkeep").touch()
        papers = kept.all_papers(store)
        store.write_records(papers)
    told: tuple[str, ...] = ()
    if is_trusted(library) and not store.is_trial:
        repository = Repository(library)
        repository.register(inside_documents(store))
        notes = f"{repository.prefix}notes"
        if "notes" in (private or ()) and repository.ask("ls-files", "--", notes).text:
            told = (
                "Notes were committed before, and can be read there. `git rm -r --cached "
                f"{notes}` removes them from future commits; what was pushed stays in the "
                "history.",
            )
    answered = kept.answered_private(store)
    kinds = kept.UNANSWERED if answered is None else answered
    return Shared(len(papers), is_new, tuple(sorted(kinds)), answered is not None, told)


def unshare(library: Library, now: Callable[[], datetime]) -> None:
    """Move private data back beside the library, and remove the records. No store may be open.
    Raises PapertrackError, and UsageError for a library that is not shared."""
    inside = private_in_git(library.root)
    data = library.root / "data"
    if inside is None or not inside.is_dir():
        raise UsageError("This library is not shared.")
    if data.exists():
        raise PapertrackError(f"{data} exists already. Move it away, and run this again.")
    with Store.open(library.database, now=now) as store:
        files = kept.record_files(store)
        with store.transaction():
            kept.end_sharing(store)
    if is_trusted(library):
        Repository(library).unregister()
    # The mark first: with it the folder is a shared library still.
    for name, file in sorted(files.items(), reverse=True):
        path = library.root / name
        is_plain = path.is_file() and not path.is_symlink() and not library.records.is_symlink()
        # What was not read is nowhere else.
        if is_plain and path.read_bytes() == file.text.encode():
            path.unlink()
    with suppress(OSError):
        (library.records / ".gitkeep").unlink()
        library.records.rmdir()
    _move(inside, data)


def rebuild(library: Library, now: Callable[[], datetime]) -> list[str]:
    """Build the database of a library that has only files, such as a fresh clone; return
    messages. Raises PapertrackError when it cannot be made."""
    Store.create(library.database, now=now).close()
    with Store.open(library.database, now=now) as store, store.transaction():
        kept.begin_sharing(store)
    told = [f"The database of {library.root} was built from its records."]
    lists = tracked_lists(library)
    if lists:
        told.append(
            f"{few(lists)} can be kept up to date here: `papertrack share on --document "
            f"{lists[0]}`."
        )
    if is_trusted(library):
        Repository(library).register(lists)
    else:
        told.append(
            "git merges the records line by line until you run `papertrack config "
            f"--trust {library.root}` and `papertrack share on`."
        )
    return told


def tracked_lists(library: Library) -> list[str]:
    """Return the READMEs and .bib files beside a library's settings that could be its documents."""
    names = sorted(
        path.name
        for path in library.root.iterdir()
        if path.is_file()
        and not path.is_symlink()
        and (path.name.lower() == "readme.md" or path.suffix.lower() in BIBTEX_SUFFIXES)
    )
    return names if git_folders(library.root) else []


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
    """What is wrong with files that cannot be read."""
    contradictions: Sequence[Contradiction]


def read_status(store: Store, library: Library) -> Status:
    """Return the state of a shared library."""
    shared = kept.is_shared(store)
    answered = kept.answered_private(store) if shared else None
    kinds = kept.UNANSWERED if shared and answered is None else answered or ()
    problems = tuple(
        str(file.problem) for file in kept.record_files(store).values() if file.problem
    )
    count = len(kept.all_papers(store))
    folder = str(library.private) if has_database(library) else ""
    stays = (tuple(sorted(kinds)), answered is not None)
    return Status(shared, folder, *stays, count, problems, read_contradictions(store))
