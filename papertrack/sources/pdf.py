"""One paper's PDF from arXiv into a file, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from papertrack.errors import ConflictError
from papertrack.sources.endpoints import host_of, origin_of
from papertrack.sources.failures import BadAnswer, WrongHost

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

MAX_PDF_BYTES = 150 * 1024 * 1024
"""arXiv takes submissions of up to 50 MB; PDFs made from them grow (info.arxiv.org/help/sizes)."""
PDF_DEADLINE_SECONDS = 240.0
"""Less than other papertrack processes wait for their turn."""
MAGIC = b"%PDF-"


def fetch_pdf(door: Door, arxiv_id: str, version: int | None, destination: Path) -> int:
    """Write the PDF of a version (None: the current one) to ``destination``; return its bytes.

    The file appears complete and synced, replacing an older one; its folder must exist. Raises
    SourceFailure for anything that is no PDF from arXiv itself (a withdrawn paper is a Refused
    404), ConflictError when ``destination`` is a symlink or no plain file, and OSError.
    """
    if destination.is_symlink() or (destination.exists() and not destination.is_file()):
        raise ConflictError(
            f"{destination} is a link or no file: nothing was written. Move it away first."
        )
    suffix = "" if version is None else f"v{version}"
    url = f"{door.endpoints['pdf_url']}/{arxiv_id}{suffix}"
    response = door.get(
        url,
        accept=("application/pdf",),
        max_bytes=MAX_PDF_BYTES,
        deadline=PDF_DEADLINE_SECONDS,
        is_large=True,
    )
    host = host_of(response.url)
    if origin_of(response.url) != origin_of(url):
        raise WrongHost("is not where arXiv keeps its PDFs", host=host, status=response.status)
    if not response.body.startswith(MAGIC):
        raise BadAnswer("answered 200 with a file that is not a PDF", host=host, status=200)
    _write(destination, response.body)
    return len(response.body)


def _write(destination: Path, content: bytes) -> None:
    """Under a new name beside it first: a file of the old name is whole at every moment."""
    new = destination.with_name(f".{destination.name}.{secrets.token_hex(4)}.new")
    try:
        # Exclusive creation follows no link that somebody put there.
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(destination)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
