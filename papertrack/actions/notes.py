"""Note files: made from a template for the next pass, never overwritten, and searchable.

A note belongs to the user. papertrack creates missing files, and appends the questions of the
next pass to files that it made; it changes no line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from papertrack.errors import PapertrackError
from papertrack.exporters.citations import format_reference
from papertrack.identifiers.citekeys import file_stem
from papertrack.library import Library, is_of_repository
from papertrack.library.files import create_file, read_file, replace_file
from papertrack.library.paths import find_repository, path_of_name
from papertrack.library.trust import refuse_outside
from papertrack.records import PASSES, Paper
from papertrack.store.documents import read_documents
from papertrack.store.index import note_text
from papertrack.store.lookup import get_paper, papers_with_note
from papertrack.store.papers import add_note
from papertrack.store.store import Store
from papertrack.sync.in_step import index_note as index_note
from papertrack.text import clean

_MARKUP = re.compile(r"\\(?=[\\<\]])|<(?=[A-Za-z/!?])|\](?=\()")
"""Where a tag or the address of a link begins, and backslashes before it."""
_HEADINGS = {1: "## First pass", 2: "## Second pass", 3: "## Third pass"}
# S. Keshav, How to Read a Paper (2007): the five Cs of the first pass, the aims of the others.
QUESTIONS = {
    1: (
        "Category: what type of paper is this?",
        "Context: which papers is it related to, and which theory is it based on?",
        "Correctness: do the assumptions appear to be valid?",
        "Contributions: what are the main ones?",
        "Clarity: is it well written?",
    ),
    2: (
        "Main thrust, with its evidence:",
        "Figures and tables: do they show what is claimed?",
        "References to follow:",
    ),
    3: (
        "Assumptions, also those that are not stated:",
        "What I would do differently:",
        "Open questions, and ideas for my own work:",
    ),
}


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A paper's note file, ready to open."""

    path: Path
    name: str
    """Its path as the paper has it: relative to the library, or absolute outside it."""
    is_new: bool
    questions_for: int | None
    """The pass whose questions were just written."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note file, as it is printed."""

    path: str
    is_new: bool
    questions_for_pass: int | None


def get_note_path(store: Store, library: Library, name: str) -> Path:
    """Return the path of a note with this name, if it may be opened and written.

    READMEs name notes, and not every README was written by its reader. Raises PapertrackError
    unless the file is below the folder of the library or of a document, or in the same git
    repository, also when links are followed, and for hidden and papertrack's own files.
    """
    if "://" in name:
        raise PapertrackError(f"The note {name} is a web page: `papertrack open --note` shows it.")
    path = path_of_name(library, name)
    real = path.resolve()
    folders = [path_of_name(library, document.path).parent for document in read_documents(store)]
    for folder in (library.root, *folders) if not library.keeps(path) else ():
        # Lists keep notes beside them, in a repository or not.
        home = find_repository(folder.resolve()) or folder.resolve()
        if real.is_relative_to(home) and not is_of_repository(real.relative_to(home)):
            refuse_outside(library, path)
            return path
    raise PapertrackError(
        f"The note {name} is outside the library and the folders of its READMEs, or is hidden or "
        f"papertrack's own{'' if real == path else f' (it is {real})'}, so it was not opened. If "
        "you trust it, open it yourself; `papertrack edit REF note=PATH` names another one."
    )


def prepare_note(store: Store, library: Library, paper_id: int) -> NoteFile:
    """Return the paper's note file; a missing one is made from the template.

    Raises the errors of ``get_note_path``, and PapertrackError when it cannot be written or is not
    a plain file.
    """
    paper = get_paper(store, paper_id)
    due = min(paper.passes_done + 1, PASSES[-1])
    name = paper.notes[0] if paper.notes else _free_name(store, paper.citekey)
    path = get_note_path(store, library, name)
    if path.exists() and not path.is_file():
        raise PapertrackError(f"{path} is not a plain file, so it cannot hold a note.")
    # A crash can leave an empty file, which contains nobody's text.
    is_new = not path.exists() or not path.stat().st_size
    is_new = is_new and not bring_back_note(store, library, name)
    if is_new and not store.is_trial:
        is_new = _create(path, template(paper, due))
    has_questions = is_new or _add_questions(store, path, due)
    if name not in paper.notes:
        with store.action("note", f"{name} of {paper.citekey}"):
            add_note(store, paper_id, name)
    return NoteFile(path, name, is_new, due if has_questions else None)


def bring_back_note(store: Store, library: Library, name: str) -> bool:
    """Restore a lost note from the version that was last read; return whether there is one.

    Raises the errors of ``get_note_path``, and PapertrackError when it cannot be written.
    """
    text = note_text(store, name)
    path = get_note_path(store, library, name)
    if not text or path.exists():
        return False
    return store.is_trial or _create(path, text)


def template(paper: Paper, due: int) -> str:
    """Return the text of a new note: what the paper is, and the questions of its next pass."""
    heading = clean(paper.facts.title or paper.citekey)
    # Strangers wrote the names and titles: they are no HTML, picture or link.
    about = _MARKUP.sub(r"\\\g<0>", f"# {heading}\n\n{format_reference(paper)}")
    return f"{about}\n{_section(due)}"


def _free_name(store: Store, citekey: str) -> str:
    """Return ``notes/<citekey>.md``, with a number if that file belongs to another paper."""
    stem = file_stem(citekey)
    names = (f"notes/{stem}{suffix}.md" for suffix in chain([""], (f"-{n}" for n in count(2))))
    return next(name for name in names if not papers_with_note(store, name))


def _section(pass_number: int) -> str:
    questions = "".join(f"\n- {question}\n" for question in QUESTIONS[pass_number])
    return f"\n{_HEADINGS[pass_number]}\n{questions}"


def _add_questions(store: Store, path: Path, due: int) -> bool:
    """Append the questions of the next pass to a file made from the template; return whether they
    were missing."""
    data = read_file(path)
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return False  # Whatever it is, papertrack did not make it.
    if _HEADINGS[due] in lines or not any(heading in lines for heading in _HEADINGS.values()):
        return False
    if not store.is_trial:
        gap = b"" if data.endswith(b"\n") else b"\n"
        replace_file(path, data, data + gap + _section(due).encode())
    return True


def _create(path: Path, text: str) -> bool:
    """Write a new or empty file; False if somebody else made it in the meantime."""
    try:
        if create_file(path, text.encode()):
            return True
        if path.stat().st_size:
            return False
    except OSError as error:
        raise PapertrackError(
            f"The note {path} could not be created: {error.strerror or error}."
        ) from error
    replace_file(path, b"", text.encode())
    return True
