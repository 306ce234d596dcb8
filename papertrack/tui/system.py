"""The system around the terminal UI: files that users name, the browser, the clipboard."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from papertrack.errors import PapertrackError
from papertrack.identifiers import arxiv_abs_url, arxiv_pdf_url
from papertrack.identifiers.derived import address_of
from papertrack.records import Paper

_CLIPBOARD_PROGRAMS = (
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    ("pbcopy",),
    ("clip.exe",),
)
_TERMINAL_BROWSERS = frozenset(
    {"www-browser", "links", "links2", "elinks", "lynx", "w3m", "browsh"}
)
_PROGRAM_SECONDS = 2
"""How long a clipboard program may take; without a display it may hang. A browser that runs for
this long has started."""


def named_file(text: str) -> Path:
    """Return the path that a text names, with ``~`` for the user's home if there is one."""
    try:
        return Path(text).expanduser()
    except RuntimeError:  # There is no such user.
        return Path(text)


def address(paper: Paper, role: str) -> str | None:
    """Return the http(s) address of the abstract page (``abs``), ``pdf``, ``html`` or ``code``."""
    arxiv_id = paper.facts.identifier("arxiv")
    links: dict[str, str] = {link.role: link.url for link in reversed(paper.facts.links)}
    url = {
        "abs": address_of(paper),
        "pdf": arxiv_pdf_url(arxiv_id) if arxiv_id else links.get("pdf"),
        "html": arxiv_abs_url(arxiv_id).replace("/abs/", "/html/") if arxiv_id else None,
        "code": links.get("code"),
    }[role]
    return url if url is not None and is_web_address(url) else None


def is_web_address(url: str) -> bool:
    """Return whether a browser may open this: only http or https with a host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and url.isprintable()


def open_in_browser(url: str) -> bool:
    """Start the browser; return whether there is one. Runs outside the screen's thread."""
    import webbrowser

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is not webbrowser.GenericBrowser:
        return browser.open(url)
    # A browser in the terminal would overwrite papertrack's screen.
    if Path(browser.name).name in _TERMINAL_BROWSERS:
        return False
    return _start_program([browser.name, *(part.replace("%s", url) for part in browser.args)])


def _start_program(command: Sequence[str]) -> bool:
    """Start a program without access to the terminal; return whether it seems to work."""
    quiet = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        return process.wait(_PROGRAM_SECONDS) == 0
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False


def copy_with_program(text: str, environ: Mapping[str, str]) -> bool:
    """Pass the text to the system's clipboard program, if there is one."""
    has_display = bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
    for program, *options in _CLIPBOARD_PROGRAMS:
        if program in ("wl-copy", "xclip", "xsel") and not has_display:
            continue
        if path := shutil.which(program):
            try:
                subprocess.run(
                    [path, *options],
                    input=text.encode(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=_PROGRAM_SECONDS,
                    check=True,
                )
            except (OSError, subprocess.SubprocessError):
                continue
            return True
    return False


def run_editor(path: Path, environ: Mapping[str, str]) -> str | None:
    """Let the user edit a file; return the error, or None."""
    from papertrack.actions import programs

    # Ctrl-C reaches both programs. A handler, because the editor would inherit an ignored signal.
    old_handler = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        programs.run_editor(path, environ, is_terminal=True)
    except PapertrackError as error:
        return str(error)
    finally:
        signal.signal(signal.SIGINT, old_handler)
    return None
