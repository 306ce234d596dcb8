"""Checking READMEs: what is wrong within them, and links to files that are not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from papertrack.documents.markdown.check.document import check_document
from papertrack.documents.markdown.check.files import LocalLink, local_links
from papertrack.documents.markdown.check.findings import (
    FINDING_KINDS,
    LEVELS,
    RULES,
    Finding,
    FindingKind,
    Level,
)
from papertrack.documents.markdown.model import Document
from papertrack.library.paths import find_repository
from papertrack.sync.markdown.reading import read_document

__all__ = ["FINDING_KINDS", "LEVELS", "RULES", "Checked", "Finding", "Level", "check_file"]


@dataclass(frozen=True, slots=True)
class Checked:
    """A document, and what was found in it."""

    path: Path
    entries: int
    findings: tuple[Finding, ...]
    """In the order of the lines."""


def check_file(path: Path) -> Checked:
    """Check one Markdown file. It needs no library and no network, and changes nothing.

    Raises NotFoundError, PapertrackError or DocumentError when the file cannot be read.
    """
    document = read_document(path).document
    findings = {*check_document(document), *missing_files(document, path, Path.exists)}
    in_order = sorted(findings, key=lambda one: (one.line, one.kind, one.message))
    return Checked(path, len(document.entries), tuple(in_order))


def missing_files(
    document: Document, path: Path, exists: Callable[[Path], bool]
) -> Iterator[Finding]:
    """Yield links to files and folders that are not there; outside of the document's repository
    nobody knows what is there."""
    repository = find_repository(path.absolute().parent)
    for link in local_links(document):
        target = path.absolute().parent / link.path
        if not (_leaves(target, repository) or _is_there(target, exists)):
            yield _missing(link)


def _leaves(target: Path, repository: Path | None) -> bool:
    from os.path import normpath

    return repository is not None and not Path(normpath(target)).is_relative_to(repository)


def _is_there(target: Path, exists: Callable[[Path], bool]) -> bool:
    """Whether a file is there; pages made of files are linked without their ending, or as HTML."""
    names = [target, target.with_name(f"{target.name}.md")] if target.name else [target]
    if target.suffix == ".html":
        names.append(target.with_suffix(".md"))
    try:
        return any(map(exists, names))
    except (OSError, ValueError):
        return False  # A name that no system allows: too long, or with a zero byte.


def _missing(link: LocalLink) -> Finding:
    kind: FindingKind = "missing-note" if link.is_note else "missing-file"
    return Finding(link.line, kind, f"There is no file {link.path}.", link.path)
