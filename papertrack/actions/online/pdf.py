"""A paper's PDF: one file in the library, under the citekey, fetched from arXiv once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papertrack.errors import ConflictError, NotFoundError, PapertrackError
from papertrack.identifiers.citekeys import file_stem
from papertrack.library import Library, is_shared
from papertrack.library.files import make_folder, replace_whole
from papertrack.records import Paper
from papertrack.sources.endpoints import host_of, origin_of
from papertrack.sources.failures import WrongHost, unexpected
from papertrack.sources.transport import Door

MAX_PDF_BYTES = 150 * 1024 * 1024
"""arXiv takes submissions of up to 50 MB; PDFs made from them grow (info.arxiv.org/help/sizes)."""
PDF_DEADLINE_SECONDS = 240.0
"""Less than other papertrack processes wait for their turn."""
MAGIC = b"%PDF-"


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
        make_folder(folder)
        size = fetch_into(door, arxiv_id, paper.facts.version, path)
    except OSError as error:
        raise PapertrackError(
            f"{path} could not be written: {error.strerror or error}. Nothing was kept."
        ) from error
    return PaperPdf(path, size)


def fetch_into(door: Door, arxiv_id: str, version: int | None, destination: Path) -> int:
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
        raise unexpected("a file that is not a PDF", host)
    replace_whole(destination, response.body)
    return len(response.body)


def plan_pdf(paper: Paper, folder: Path) -> tuple[str, Path]:
    """The arXiv id to fetch and the file to keep it in. Raises NotFoundError for one not there."""
    arxiv_id = paper.facts.identifier("arxiv")
    if arxiv_id is None:
        raise NotFoundError(
            f"{paper.citekey} has no arXiv id, and PDFs are fetched from arXiv only. "
            f"`papertrack open {paper.citekey}` shows where it is."
        )
    return arxiv_id, _find_in(folder, paper) or folder / _name(paper.citekey, paper)


def find_pdf(paper: Paper, library: Library) -> Path | None:
    """The paper's PDF, if the library has it, also under a key that it had before: where they are
    fetched to, or in the folder of a shared library that its readers may fill."""
    found = _find_in(library.pdfs, paper)
    if found is None and is_shared(library):
        found = _find_in(library.root / "pdfs", paper)
        return None if found is None or found.is_symlink() else found
    return found


def _find_in(folder: Path, paper: Paper) -> Path | None:
    paths = (folder / _name(key, paper) for key in (paper.citekey, *paper.citekey_aliases))
    return next((path for path in paths if path.is_file()), None)


def _name(citekey: str, paper: Paper) -> str:
    stem = file_stem(citekey)
    if stem == citekey.lower():
        return f"{stem}.pdf"
    # Several keys give this stem: what makes the work one keeps their files apart.
    identifier = paper.facts.identifier("arxiv") or str(paper.id)
    return f"{stem}-{identifier.replace('/', '-')}.pdf"
