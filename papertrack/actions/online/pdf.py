"""Fetch a paper's PDF from arXiv into the library, named after the citekey."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from papertrack.errors import ConflictError, NotFoundError, PapertrackError
from papertrack.library.files import make_folder, replace_whole
from papertrack.pdfs.reader import PdfReader, UnreadablePdf
from papertrack.records import Paper
from papertrack.sources.endpoints import host_of, origin_of
from papertrack.sources.failures import WrongHost, unexpected
from papertrack.sources.transport import Door
from papertrack.store.pdfs import pdf_name, present_pdfs
from papertrack.store.store import Store
from papertrack.text import plural

MAX_PDF_BYTES = 150 * 1024 * 1024
"""arXiv takes submissions of up to 50 MB; PDFs made from them grow (info.arxiv.org/help/sizes)."""
PDF_DEADLINE_SECONDS = 240.0
"""Must stay below the time that other papertrack processes wait for their turn."""
MAGIC = b"%PDF-"


@dataclass(frozen=True, slots=True)
class PaperPdf:
    """Where a paper's PDF is."""

    path: Path
    bytes_fetched: int
    """0 if it existed already."""


def fetch_pdf(door: Door, paper: Paper, folder: Path) -> PaperPdf:
    """Fetch the PDF of the paper's current version into ``folder``, replacing an older one.

    Raises the errors of ``plan_pdf``, ConflictError when a link or a folder is in the file's
    place, SourceUnavailableError, and PapertrackError when the folder cannot be written.
    """
    arxiv_id, path = plan_pdf(paper, folder)
    try:
        make_folder(folder)
        size = fetch_into(door, arxiv_id, paper.facts.version, path)
    except OSError as error:
        raise PapertrackError(
            f"{path} could not be written: {error.strerror or error}. Nothing was kept."
        ) from error
    return PaperPdf(path, size)


def fetch_into(door: Door, arxiv_id: str, version: int | None, destination: Path) -> int:
    """Write the PDF of a version (None: the current one) to ``destination``; return its size.

    Replaces an older file in one step; the folder must exist. Raises SourceFailure for anything
    but a PDF from arXiv itself (a withdrawn paper is a Refused 404), the errors of
    ``refuse_replacing``, and OSError.
    """
    refuse_replacing(destination)
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
        raise unexpected("a file that is not a PDF", host)
    replace_whole(destination, response.body)
    return len(response.body)


def refuse_replacing(path: Path) -> None:
    """Raise ConflictError where a PDF cannot go: in the place of a link or a folder, or of a PDF
    with highlights or comments, which would be lost."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise ConflictError(
            f"{path} is a link, or not a plain file. Nothing was written. Move it away first."
        )
    marks = []
    if path.is_file():
        with suppress(UnreadablePdf), PdfReader() as reader:
            marks = reader.highlights(path)
    if marks:
        raise ConflictError(
            f"{path} has {plural(len(marks), 'highlight')}, which a new PDF would not "
            "have. Nothing was fetched: move it away first."
        )


def plan_pdf(paper: Paper, folder: Path) -> tuple[str, Path]:
    """Return the arXiv id to fetch and the path for its PDF.

    Raises NotFoundError if the paper has no arXiv id.
    """
    arxiv_id = paper.facts.identifier("arxiv")
    if arxiv_id is None:
        raise NotFoundError(
            f"{paper.citekey} has no arXiv id, and PDFs are fetched from arXiv only. "
            f"`papertrack open {paper.citekey}` shows where it is."
        )
    keys = (paper.citekey, *paper.citekey_aliases)
    paths = [folder / pdf_name(key, arxiv_id, paper.id) for key in keys]
    return arxiv_id, next(filter(Path.is_file, paths), paths[0])


def find_pdf(store: Store, paper_id: int) -> Path | None:
    """Return the paper's PDF in the library: the fetched one, else the first imported one."""
    return next((file.path for file in present_pdfs(store, [paper_id])), None)
