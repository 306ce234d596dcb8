"""Editing a note in the reader's editor, and reading what is in it."""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from papertrack.actions import programs, triage
from papertrack.actions.notes import index_note, note_path, prepare_note
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.records import Paper
from papertrack.store.store import Store
from papertrack.tui.screens.base import PapersScreen

if TYPE_CHECKING:
    from papertrack.actions.notes import NoteFile

FIVE_CS = ("Category", "Context", "Correctness", "Contributions", "Clarity")
"""S. Keshav, How to Read a Paper (2007): what the first pass should be able to tell."""

_MAX_SHOWN = 200_000
_C_LINE = re.compile(rf"^[-*#\s]{{0,8}}\**({'|'.join(FIVE_CS)})\**\s{{0,4}}:\**(.*)$")


def edit_note(screen: PapersScreen, paper: Paper) -> None:
    """Make the note if there is none, suspend the screen for the editor, read the note anew."""
    app, library = screen.papertrack, screen.session.library

    def edit(note: NoteFile) -> None:
        try:
            with app.suspend():
                # An error that leaves this block leaves the terminal away, too: none does.
                fault = _run_editor(note.path, screen.session.environ)
        except SuspendNotSupported:
            fault = f"An editor cannot be opened here. The note is {note.path}."
        if fault is not None:
            app.say(fault, is_error=True)
        # Also what an editor has saved that failed later.
        app.perform(lambda store: _index(store, library, note.name, paper.id), screen.show_changes)

    app.perform(lambda store: prepare_note(store, library, paper.id), edit, holds_keys=True)


def _run_editor(path: Path, environ: Mapping[str, str]) -> str | None:
    """Let the reader edit a file; return what went wrong, or None."""
    # A Ctrl-C meant for the editor comes to both. (To ignore it would have the editor do so, too.)
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        programs.run_editor(path, environ, is_terminal=True)
    except PapertrackError as error:
        return str(error)
    finally:
        signal.signal(signal.SIGINT, before)
    return None


def _index(store: Store, library: Library, name: str, paper_id: int) -> triage.Done:
    index_note(store, library, name)
    return triage.Done(0, f"note: {name}", (paper_id,))


def read_note(library: Library, paper: Paper) -> str | None:
    """The text of the paper's first note, or None without one; a lost file says so."""
    if not paper.notes:
        return None
    path = note_path(library, paper.notes[0])
    if not _is_inside(path, library.root):
        return f"(The note {path} is outside the library.)"
    try:
        return read_file(path)[:_MAX_SHOWN].decode("utf-8", errors="replace")
    except PapertrackError as error:
        return f"({error})"


def five_cs(note: str) -> dict[str, str]:
    """What the note says to each of the five Cs: the lines below the question, or after it.

    A question as the template has it, with nothing below, is no answer.
    """
    answers: dict[str, str] = {}
    current: str | None = None
    for line in note.splitlines():
        if match := _C_LINE.match(line):
            current = match[1]
            inline = match[2].strip()
            answers[current] = "" if inline.endswith("?") else inline.partition("? ")[2] or inline
        elif current is not None and line.startswith(("#", "- ", "* ")):
            current = None
        elif current is not None and line.strip():
            answers[current] = f"{answers[current]} {line.strip()}".strip()
    return {name: text for name, text in answers.items() if text}


def _is_inside(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root.resolve())
