"""Start the user's programs (editor for notes, viewer for PDFs) and papertrack itself."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

from papertrack.errors import PapertrackError


def own_command(*arguments: str) -> list[str]:
    """Return the command that starts papertrack itself. With -P, Python imports nothing from the
    current folder, which may be a stranger's."""
    return [sys.executable, "-P", "-m", "papertrack", *arguments]


def run_editor(path: Path, environ: Mapping[str, str], *, is_terminal: bool) -> None:
    """Let the user edit a file with ``$VISUAL`` or ``$EDITOR``; return when the editor ends.

    Without either variable it uses vi (Notepad on Windows), if there is a terminal. Raises
    PapertrackError when there is no editor, or it cannot be started or fails.
    """
    program = environ.get("VISUAL", "").strip() or environ.get("EDITOR", "").strip()
    if not program and not is_terminal:
        raise PapertrackError(f"No editor is set. Set $EDITOR, or open {path} yourself.")
    run_on(path, program or ("notepad" if os.name == "nt" else "vi"))


def run_on(path: Path, program: str) -> None:
    """Start a program, given as a shell command, on a file, and wait. Raises PapertrackError."""
    try:
        command = shlex.split(program)
    except ValueError as error:
        raise PapertrackError(f"{program!r} cannot be started: {error}.") from error
    run([*command, str(path)])


def start_viewer(path: Path, viewer: str | None, page: int) -> None:
    """Start the user's PDF viewer at a page, or the system's viewer, without waiting for it.
    Raises PapertrackError."""
    own = ["open" if sys.platform == "darwin" else "xdg-open"]
    if not path.is_file():
        raise PapertrackError(
            f"{os.path.realpath(path)} is no longer there. `papertrack pdf add FILE --to REF` adds "
            "the PDF from its new place."
        )
    try:
        command = shlex.split((viewer or "").replace("{page}", str(page))) or own
        if not viewer and sys.platform == "win32":
            os.startfile(path)
            return
        # A session of its own: what ends papertrack's terminal leaves the viewer open.
        process = subprocess.Popen(
            [*command, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        Thread(target=process.wait, daemon=True).start()
    except (OSError, ValueError) as error:
        raise PapertrackError(
            f"No viewer could be started for {path}: {error}. Set one: "
            f"`papertrack config pdf_viewer 'evince --page-index={{page}}'`."
        ) from error


def run(command: Sequence[str]) -> None:
    """Start a program and wait for its end. Raises PapertrackError."""
    try:
        code = subprocess.call(command)
    except (OSError, ValueError) as error:  # ValueError: a NUL in a word.
        reason = error.strerror if isinstance(error, OSError) else error
        raise PapertrackError(
            f"{command[0]} could not be started on {command[-1]}: {reason}. Is it installed?"
        ) from error
    if code:
        raise PapertrackError(f"{command[0]} ended with code {code} on {command[-1]}.")
