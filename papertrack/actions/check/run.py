"""Checking READMEs and .bib files: what is wrong in them, and links to files that are not there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from os.path import normpath
from pathlib import Path

from papertrack.actions.check.base import Base
from papertrack.actions.check.baseline import Baseline, known_of, new_findings
from papertrack.documents.bibtex.check import check_bibliography
from papertrack.documents.bibtex.model import BibLibrary
from papertrack.documents.markdown.check.document import check_document
from papertrack.documents.markdown.check.findings import (
    FINDING_KINDS,
    LEVELS,
    Finding,
    FindingKind,
    Level,
)
from papertrack.documents.markdown.check.links import LocalLink, local_links
from papertrack.documents.markdown.model import Document
from papertrack.errors import DocumentError
from papertrack.library.paths import BIBTEX_SUFFIXES, find_repository
from papertrack.sync.bibtex.reading import read_bib
from papertrack.sync.markdown.reading import read_document

__all__ = ["FINDING_KINDS", "LEVELS", "Checked", "Checking", "Finding", "FurtherRule", "Level"]

FurtherRule = Callable[[Document, Document | None], Iterable[Finding]]
"""What else is looked for in a document, of which there may be an older version."""

BibRule = Callable[[BibLibrary], Iterable[Finding]]
"""What else is looked for in a .bib file."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A document, and what was found in it."""

    path: Path
    entries: int
    findings: tuple[Finding, ...]
    """In the order of the lines."""
    known: int = 0
    """How many findings were left out, because they are not new."""


@dataclass(frozen=True)
class Checking:
    """How files are checked."""

    ignored: Sequence[str] = ()
    """Kinds of findings that are left out."""
    base: Base | None = None
    baseline: Baseline | None = None
    further: Sequence[FurtherRule] = ()
    online: Sequence[FurtherRule] = ()
    """Rules that are not for the older version: asking the network twice proves nothing."""
    bibliography: Sequence[BibRule] = ()

    def check_file(self, path: Path) -> Checked:
        """Check one file, which changes nothing, and return what is new in it.

        Raises NotFoundError, PapertrackError or DocumentError when the file cannot be read, and
        what looking for more raises.
        """
        if path.suffix.lower() in BIBTEX_SUFFIXES:
            return self._check_bib(path)
        document = read_document(path).document
        before = self._before(path)
        rules = (*self.further, *self.online)
        findings = self._findings(document, before, path, Path.exists, rules)
        then: list[Finding] = []
        if before is not None and self.base is not None:
            then = self._findings(before, None, path, self.base.has, self.further)
        old = _lines(before) if before else []
        entries = len(document.entries)
        return self._checked(path, entries, findings, _lines(document), then, old)

    def _check_bib(self, path: Path) -> Checked:
        read = read_bib(path)
        data = self.base.read(path) if self.base else None
        before = read_bib(path, data) if data else None
        then = self._of_bib(before.bib) if before else []
        findings = self._of_bib(read.bib)
        lines, old = read.text.splitlines(), before.text.splitlines() if before else []
        return self._checked(path, len(read.bib.entries), findings, lines, then, old)

    def _of_bib(self, bib: BibLibrary) -> list[Finding]:
        further = (one for rule in self.bibliography for one in rule(bib))
        return self._in_order([*check_bibliography(bib), *further])

    def _checked(
        self,
        path: Path,
        entries: int,
        findings: Sequence[Finding],
        lines: Sequence[str],
        then: Sequence[Finding],
        old: Sequence[str],
    ) -> Checked:
        """Leave out what was there ``then``, when the file had the ``old`` lines, or is known."""
        known = (self.baseline.known(path) if self.baseline else known_of(())) + known_of(then)
        new = new_findings(findings, known, lines, frozenset(old))
        return Checked(path, entries, new, len(findings) - len(new))

    def _before(self, path: Path) -> Document | None:
        """Return the document as it was at the base; None where there is nothing to read."""
        data = self.base.read(path) if self.base else None
        if data is None:
            return None
        try:
            return read_document(path, data=data).document
        except DocumentError:
            return None  # What could not be read had no findings.

    def _findings(
        self,
        document: Document,
        before: Document | None,
        path: Path,
        exists: Callable[[Path], bool],
        rules: Sequence[FurtherRule],
    ) -> list[Finding]:
        found = {*check_document(document, before), *missing_files(document, path, exists)}
        for rule in rules:
            found.update(rule(document, before))
        return self._in_order(found)

    def _in_order(self, found: Iterable[Finding]) -> list[Finding]:
        accepted = (one for one in found if one.kind not in self.ignored)
        return sorted(accepted, key=lambda one: (one.line, one.kind, one.message))


def _lines(document: Document) -> list[str]:
    return [document.line(number) for number in range(len(document.starts))]


def missing_files(
    document: Document, path: Path, exists: Callable[[Path], bool]
) -> Iterator[Finding]:
    """Yield links to files and folders that are not there; outside of the document's repository
    nobody knows what is there."""
    folder = path.absolute().parent.resolve()
    repository = find_repository(folder)
    for link in local_links(document):
        target = Path(normpath(folder / link.path))
        is_outside = repository is not None and not target.is_relative_to(repository)
        if not (is_outside or _is_there(target, exists)):
            yield _missing(link)


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
