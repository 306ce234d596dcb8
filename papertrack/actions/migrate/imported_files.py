"""Files that an import makes: notes, and links to PDFs or copies of them.

A failed import removes them again, and so does undo, unless somebody changed them; redo restores
them.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from papertrack.documents.note_highlights import set_highlights
from papertrack.errors import ConflictError, PapertrackError
from papertrack.identifiers.citekeys import file_stem
from papertrack.importers.model import ItemFile, ItemNote, read_whole
from papertrack.library import Library
from papertrack.library.files import make_folder, read_file, remove_leftovers, write_new
from papertrack.library.paths import path_of_name
from papertrack.library.trust import refuse_outside, refuse_planted
from papertrack.store.index import note_text, remember_note
from papertrack.store.lookup import citekey_of
from papertrack.store.papers import keep_original
from papertrack.store.pdfs import known_pdfs, present_pdfs
from papertrack.store.store import Ending, Store
from papertrack.store.versions import forget_made, made_files, sources_of
from papertrack.store.written_files import is_as_written, remember_written
from papertrack.text import clean

_MOST_BYTES = 1_000_000
"""Text of a note that the search indexes."""


@dataclass(slots=True)
class _Made:
    """A file that is in its place, or will be put there."""

    path: Path
    former: bytes | None
    """The former content of the place, restored if the import fails; None if there was none."""
    beside: Path | None = None
    """The temporary path to which it is written first."""
    mark: tuple[int, int, int] | None = None
    """What distinguishes it from any file that somebody else puts there later."""


class Files(NamedTuple):
    """The files that were made for an item."""

    names: dict[str, str | None]
    """The name of each file that exists now, and the target if it is a link."""
    problems: dict[str, str]
    """The keys of files that could not be read, and why."""

    def notices(self) -> list[str]:
        """Return sentences about the files that could not be read."""
        return [
            clean(f"{problem} It was not copied; the next import with --copy tries again.")
            for problem in self.problems.values()
        ]


@dataclass(slots=True)
class FileImport:
    """The files that one import makes."""

    store: Store
    library: Library
    is_copying: bool = False
    made: list[_Made] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    """Names that are in use."""
    folders: set[Path] = field(default_factory=set)
    """Folders that were checked for links out of the library."""
    before: dict[str, str | None] = field(init=False)
    """Files that earlier imports made (see ``made_files``)."""

    def __post_init__(self) -> None:
        self.before = made_files(self.store)
        self.names |= self.before.keys()
        for folder in (self.library.root / "notes", self.library.pdfs):
            refuse_outside(self.library, folder)
        self.store.at_end(Ending(lambda: None, self._take_back))

    def note(self, tool: str, citekey: str, key: str, text: str) -> str:
        """Make a note file and return its name."""
        data = text.encode()
        name = self._place(f"notes/{tool}/{file_stem(citekey)}-{file_stem(key)}", ".md", data)
        self._write(name, data)
        remember_note(self.store, name, text[:_MOST_BYTES])
        return name

    def rewrite(self, name: str, note: ItemNote, old_quotes: AbstractSet[str]) -> bool:
        """Rewrite a note that was not changed here, or else update only its quotes.

        ``old_quotes`` are the ids of quotes that it had before. Returns whether it was rewritten.
        """
        path, text = path_of_name(self.library, name), note.text
        present = None if path.is_symlink() else _bytes_of(path)
        if present is None:
            return False
        # A file with exactly this text was written by an import that was killed.
        is_ours = present == text.encode() or is_as_written(self.store, name, present)
        if not (is_ours or note.quotes):
            return False
        if not is_ours:
            theirs = present.decode(errors="surrogateescape")
            text = set_highlights(theirs, note.quotes, old_quotes).text
        data = text.encode(errors="surrogateescape")
        if not self.store.is_trial and present != data:
            self._write_beside(path, data, former=present)
        if is_ours:
            remember_written(self.store, name, data, former=present)
        remember_note(self.store, name, data.decode(errors="replace")[:_MOST_BYTES])
        return True

    def files(self, citekey: str, files: Iterable[ItemFile]) -> Files:
        """Link or copy these files of a paper.

        Continues after a file that cannot be read.
        """
        result = Files({}, {})
        for file in files:
            if file.path is None:
                continue
            try:
                data = read_whole(file.path) if self.is_copying else None
            except PapertrackError as error:
                result.problems[file.key] = str(error)
                continue
            name, target = self._file(citekey, file.key, file.path, data)
            result.names[name] = target
        return result

    def _file(
        self, citekey: str, key: str, source: Path, data: bytes | None
    ) -> tuple[str, str | None]:
        """Make a file; return its name, and its target if it is a link.

        A paper's first PDF gets the name that `open --pdf` looks for.
        """
        stem = file_stem(citekey)
        if source.suffix.lower() != ".pdf" or f"pdfs/{stem}.pdf" in self.names:
            stem = f"{stem}-{file_stem(key)}"
        target = str(source.resolve())
        end = source.suffix.lower() if source.suffix.isascii() and len(source.suffix) < 8 else ""
        name = self._place(f"pdfs/{stem}", end, data, target)
        if data is None:
            self._link(name, target)
            return name, target
        self._write(name, data)
        return name, None

    def _place(self, stem: str, end: str, data: bytes | None, target: str = "") -> str:
        """Return a free name, or one that a killed import used for the same content."""
        for number in chain([""], (f"-{n}" for n in count(2))):
            name = f"{stem}{number}{end}"
            path = path_of_name(self.library, name)
            if name in self.names:
                continue
            if not os.path.lexists(path) or _contains_only(path, data, target):
                self.names.add(name)
                return name
        raise AssertionError  # The numbers never run out.

    def _write(self, name: str, data: bytes) -> None:
        path = path_of_name(self.library, name)
        if not (self.store.is_trial or os.path.lexists(path)):
            self._write_beside(path, data, former=None)
        remember_written(self.store, name, data)

    def _write_beside(self, path: Path, data: bytes, *, former: bytes | None) -> None:
        with _readable(path):
            self._make_folder(path.parent)
            self.made.append(_Made(path, former, _written_beside(path, data)))

    def _link(self, name: str, target: str) -> None:
        path = path_of_name(self.library, name)
        if self.store.is_trial or os.path.lexists(path):
            return
        with _readable(path):
            self._make_folder(path.parent)
            path.symlink_to(target)
            self.made.append(_Made(path, None, mark=_mark(path)))

    def _make_folder(self, folder: Path) -> None:
        if folder not in self.folders:
            self.folders.add(folder)
            refuse_planted(self.library, folder)
            make_folder(folder)
            remove_leftovers(folder)

    def put_in_place(self) -> None:
        """Move the written files to their names, before the library refers to them.

        This waits for the disk twice in all, not once for each of ten thousand notes. Raises
        PapertrackError, also if somebody else wrote to such a place in the meantime.
        """
        written = [(file, file.beside) for file in self.made if file.beside]
        _wait_for_disk(bool(written))
        for file, beside in written:
            with _readable(file.path):
                file.mark = _mark(beside)
                _refuse_changed(file.path, file.former)
                beside.replace(file.path)
        _wait_for_disk(bool(written))

    def finish(self) -> int:
        """Remove files that belong to nothing after the action.

        Returns the number of new attachments.
        """
        follow_made_files(self.store, self.library, self.before)
        new = made_files(self.store).keys() - self.before.keys()
        return sum(name.startswith("pdfs/") for name in new)

    def _take_back(self) -> None:
        """Restore what all places contained before, except where the user changed it since."""
        for file in self.made:
            with contextlib.suppress(OSError):
                if file.beside:
                    file.beside.unlink(missing_ok=True)
                if file.mark is None or _mark(file.path) != file.mark:
                    continue
                if file.former is None:
                    file.path.unlink()
                else:
                    _put(file.path, file.former)


@dataclass(frozen=True, slots=True)
class AddedPdf:
    """A PDF that was, or in a dry run would be, copied to its paper."""

    citekey: str
    path: str

    def sentences(self) -> Iterator[str]:
        yield f"{self.path}: the PDF of {self.citekey}."


def add_to_paper(store: Store, library: Library, paper_id: int, path: Path) -> AddedPdf:
    """Copy a PDF into the library for a given paper, whatever it contains, as one action.

    It replaces linked PDFs of the paper that no longer exist. Raises ConflictError when the paper
    has a PDF, and PapertrackError when the file cannot be read or written.
    """
    citekey, data = citekey_of(store, paper_id), read_whole(path)
    for pdf in present_pdfs(store, [paper_id]):
        # Files of a killed run belong to nothing yet.
        if f"pdfs/{pdf.path.name}" in made_files(store) or not _contains_only(pdf.path, data, ""):
            raise ConflictError(
                f"{citekey} has a PDF, {pdf.path}. Nothing was added: move that one away first."
            )
    digest = sha256(data).hexdigest()[:24]
    file = ItemFile(digest[:8], path.resolve(), path.name)
    with store.action("import", f"{path.name}: the PDF of {citekey}"):
        file_import = FileImport(store, library, is_copying=True)
        forget_made(store, [f"pdfs/{stored.path.name}" for stored in known_pdfs(store, [paper_id])])
        made = file_import.files(citekey, [file]).names
        record = {"made": made, "said": {"files": {file.key: str(file.path)}}}
        keep_original(store, paper_id, f"pdf:{digest}", json.dumps(record, ensure_ascii=False))
        file_import.put_in_place()
    file_import.finish()
    return AddedPdf(citekey, str(path_of_name(library, *made)))


def follow_made_files(store: Store, library: Library, before: dict[str, str | None]) -> list[str]:
    """Bring the files that imports made in step with the library, after undo or redo.

    Removes files that no longer belong to anything, unless somebody changed them, and restores
    those that belong to something again. ``before`` lists the files made before it. Returns texts
    about changed files and about files that cannot be restored. Raises PapertrackError for a file
    outside a library that is not trusted.
    """
    if store.is_trial:
        return []
    now = made_files(store)
    removed, back = before.keys() - now.keys(), now.keys() - before.keys()
    paths = {name: path_of_name(library, name) for name in sorted(removed | back)}
    for path in paths.values():
        refuse_outside(library, path.parent)
    for name in removed:
        if _is_unchanged(store, name, paths[name], before[name]):
            with contextlib.suppress(OSError):
                paths[name].unlink()
    for name in back:
        with contextlib.suppress(OSError):
            if not os.path.lexists(paths[name]):
                _bring_back(store, name, paths[name], now[name])
    texts = dict.fromkeys(removed, "but {} was changed since, and is left as it is")
    texts |= dict.fromkeys(back, "{} is not restored: what it was copied from is gone or different")
    return [
        texts[name].format(name)
        for name, path in paths.items()
        if os.path.lexists(path) == (name in removed)
    ]


def _is_unchanged(store: Store, name: str, path: Path, target: str | None) -> bool:
    if target is not None:
        return _contains_only(path, None, target)
    present = None if path.is_symlink() else _bytes_of(path)
    return present is not None and is_as_written(store, name, present)


def _bring_back(store: Store, name: str, path: Path, target: str | None) -> None:
    make_folder(path.parent)
    if target is not None:
        path.symlink_to(target)
    elif text := note_text(store, name):
        _put(path, text.encode())
    else:
        for data in map(_bytes_of, map(Path, sources_of(store, name))):
            if data and is_as_written(store, name, data):
                _put(path, data)


def _contains_only(path: Path, data: bytes | None, target: str) -> bool:
    if data is None:
        return path.is_symlink() and str(path.readlink()) == target
    return not path.is_symlink() and _bytes_of(path) == data


def _bytes_of(path: Path) -> bytes | None:
    try:
        return read_file(path) if path.is_file() else None
    except PapertrackError:
        return None


def _put(path: Path, data: bytes) -> None:
    """Write a file completely or not at all."""
    _written_beside(path, data).replace(path)


def _written_beside(path: Path, data: bytes) -> Path:
    # A digest, because a long name with an addition could be too long for the disk.
    name = sha256(path.name.encode()).hexdigest()[:16]
    beside = path.with_name(f".{name}.papertrack-{os.getpid()}.new")
    try:
        write_new(beside, data)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    return beside


def _mark(path: Path) -> tuple[int, int, int]:
    """Return numbers that stay the same when a file is renamed, and change when it is rewritten."""
    status = path.lstat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _refuse_changed(path: Path, former: bytes | None) -> None:
    if former is None:
        what, advice, is_changed = "appeared", "uses another name", os.path.lexists(path)
    else:
        what, advice = "was changed", "keeps your changes"
        is_changed = not _contains_only(path, former, "")
    if is_changed:
        raise PapertrackError(
            f"{path} {what} during the import, and was left as it is. Nothing was imported. "
            f"Run the import again: it {advice}."
        )


def _wait_for_disk(is_needed: bool) -> None:
    if is_needed and hasattr(os, "sync"):
        os.sync()


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        way_out = "Make room" if error.errno == errno.ENOSPC else "Check that folder"
        raise PapertrackError(
            f"{path} could not be created: {error.strerror or error}. Nothing was imported. "
            f"{way_out}, and run the import again."
        ) from error
