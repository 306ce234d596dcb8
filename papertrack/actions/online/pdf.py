"""A paper's PDF: one file in the library, under the citekey, fetched from arXiv once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from papertrack.errors import NotFoundError, PapertrackError
from papertrack.identifiers.citekeys import file_stem
from papertrack.records import Paper
from papertrack.sources.pdf import fetch_pdf as fetch_into

if TYPE_CHECKING:
    from papertrack.sources.transport import Door


@dataclass(frozen=True, slots=True)
class PaperPdf:
    """Where a paper's PDF is."""

    path: Path
    bytes_fetched: int
    """0 when it was there already."""


def fetch_pdf(door: Door, paper: Paper, folder: Path) -> PaperPdf:
    """Fetch the PDF of the paper's current version into ``folder``, in place of an older one.

    Raises as ``plan_pdf``, ConflictError when a link or a folder is where the file would be,
    SourceUnavailableError, and PapertrackError when the folder cannot be written.
    """
    arxiv_id, path = plan_pdf(paper, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        size = fetch_into(door, arxiv_id, paper.facts.version, path)
    except OSError as error:
        raise PapertrackError(
            f"{path} could not be written: {error.strerror or error}. Nothing was kept."
        ) from error
    return PaperPdf(path, size)


def plan_pdf(paper: Paper, folder: Path) -> tuple[str, Path]:
    """The arXiv id to fetch and the file to keep it in. Raises NotFoundError for one not there."""
    arxiv_id = paper.facts.identifier("arxiv")
    if arxiv_id is None:
        raise NotFoundError(
            f"{paper.citekey} has no arXiv id, and PDFs are fetched from arXiv only. "
            f"`papertrack open {paper.citekey}` shows where it is."
        )
    return arxiv_id, find_pdf(paper, folder) or folder / _name(paper.citekey, paper)


def find_pdf(paper: Paper, folder: Path) -> Path | None:
    """The paper's PDF in ``folder``, if it is there, also under a key that it had before."""
    paths = (folder / _name(key, paper) for key in (paper.citekey, *paper.citekey_aliases))
    return next((path for path in paths if path.is_file()), None)


def _name(citekey: str, paper: Paper) -> str:
    stem = file_stem(citekey)
    if stem == citekey.lower():
        return f"{stem}.pdf"
    # Several keys give this stem: what makes the work one keeps their files apart.
    identifier = paper.facts.identifier("arxiv") or str(paper.id)
    return f"{stem}-{identifier.replace('/', '-')}.pdf"
