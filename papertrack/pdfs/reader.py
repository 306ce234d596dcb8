"""Read PDFs through the worker: metadata, text of the pages, highlights."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

from papertrack.errors import DocumentError

_LONGEST_LINE = 4_000_000
_SECONDS = 300.0
"""How long one file may take by the clock; the worker's own limit is of processor time."""


class PdfText(NamedTuple):
    """The metadata and the text of a PDF."""

    page_count: int
    info: dict[str, str]
    """Its metadata, by PDF's own names: ``Title``, ``Author``."""
    pages: tuple[str, ...]
    """The text of each page that was read, as ``worker.tidy`` leaves it; a scan's is empty."""
    heading: str
    """The text in the tallest letters of the first page, if only that page was read."""


class Highlight(NamedTuple):
    """A highlight or comment of a PDF."""

    page: int
    """From 1."""
    kind: str
    """``highlight``, ``underline``, ``strikeout``, ``note``, ``text`` or ``ink``."""
    colour: str
    """As ``#ffd400``; empty where it has none."""
    text: str
    """What is marked, on one line."""
    comment: str
    name: str
    """The name that its viewer gave it (/NM); some viewers give none."""
    at: int
    """Its place in the order of the page."""


class UnreadablePdf(DocumentError):
    """A PDF that cannot be read."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} {reason}. It was not read.")
        self.reason = reason
        """Continues a sentence that begins with the file's name: "is damaged"."""


class PdfReader:
    """A worker that reads PDFs one after another. Use it in a ``with`` block.

    It starts with the first file, and again if a file ended it.
    """

    def __init__(self) -> None:
        self._worker: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def read(self, path: Path, *, first_page_only: bool = False) -> PdfText:
        """Read a file.

        Raises UnreadablePdf if it is damaged, locked, too large, or needs too much time or memory.
        """
        info: dict[str, str] = {}
        count, pages, heading = 0, [], ""
        for part in self._ask(path, first=first_page_only):
            if "text" in part:
                pages.append(str(part["text"]))
                heading = heading or str(part["heading"])
            else:
                count, info = int(part["pages"]), dict(part["info"])
        return PdfText(count, info, tuple(pages), heading)

    def highlights(self, path: Path) -> list[Highlight]:
        """Return the highlights and comments of a file, in the order of its text.

        Raises the errors of ``read``.
        """
        parts = [part for part in self._ask(path, marks=True) if "kind" in part]
        return [Highlight(*(part[name] for name in Highlight._fields)) for part in parts]

    def _ask(self, path: Path, **how: bool) -> Iterator[dict[str, Any]]:
        worker = self._worker = self._worker or _started()
        assert worker.stdin is not None
        assert worker.stdout is not None
        clock = threading.Timer(_SECONDS, worker.kill)
        clock.start()
        try:
            worker.stdin.write(json.dumps({"path": str(path.absolute()), **how}) + "\n")
            worker.stdin.flush()
            while line := worker.stdout.readline(_LONGEST_LINE):
                part = json.loads(line)
                if problem := part.get("problem"):
                    raise UnreadablePdf(path, problem)
                if "end" in part:
                    return
                yield part
        except (OSError, ValueError):
            pass  # The worker ended, perhaps in the middle of a line.
        finally:
            clock.cancel()
        self._stop()
        raise UnreadablePdf(path, "took more time or memory than a PDF may")

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker.communicate()
            self._worker = None


def _started() -> subprocess.Popen[str]:
    return subprocess.Popen(
        # -P keeps Python from importing modules in the current folder.
        [sys.executable, "-P", "-m", "papertrack.pdfs.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
