"""Checking READMEs before a commit: what is wrong within them, and notes that are not there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papertrack.documents.markdown.check import FINDING_KINDS, Finding, check_document, local_files
from papertrack.sync.markdown.reading import read_document

__all__ = ["FINDING_KINDS", "Checked", "Finding", "check_file"]


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
    missing = {
        Finding(line, "missing-note", f"There is no file {name}.")
        for line, name in local_files(document)
        if not _exists(path.parent, name)
    }
    findings = sorted(
        (*check_document(document), *missing),
        key=lambda finding: (finding.line, finding.kind, finding.message),
    )
    return Checked(path, len(document.entries), tuple(findings))


def _exists(folder: Path, name: str) -> bool:
    try:
        return (folder / name).exists()
    except (OSError, ValueError):
        return False  # A name that no system allows: too long, or with a zero byte.
