"""Check READMEs and .bib files for mistakes, and leave out those of a commit or a baseline.

Compares entries with the library too. Only reads names and contents of commits from git, without
the repository's filters and programs.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from papertrack.actions.lists.git import OFFLINE, ask_git
from papertrack.documents.bibtex.check import check_bibliography
from papertrack.documents.bibtex.facts import BibEntry, BibLibrary
from papertrack.documents.markdown.check.document import (
    are_different,
    check_document,
    listed,
    local_links,
    quoted,
)
from papertrack.documents.markdown.check.findings import FINDING_KINDS as FINDING_KINDS
from papertrack.documents.markdown.check.findings import LEVELS as LEVELS
from papertrack.documents.markdown.check.findings import Finding as Finding
from papertrack.documents.markdown.check.findings import FindingKind
from papertrack.documents.markdown.check.findings import Level as Level
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.roles import STRONG_SCHEMES, strong_identifier
from papertrack.errors import DocumentError, NotFoundError, PapertrackError, UsageError
from papertrack.library.files import read_file, write_file
from papertrack.library.paths import BIBTEX_SUFFIXES, find_repository
from papertrack.library.trust import refuse_link
from papertrack.matching.venues import is_server
from papertrack.records import Identifier, Paper
from papertrack.store.known import NO_SOURCES, titles_of_sources
from papertrack.store.lookup import find_papers, get_papers
from papertrack.store.store import Store
from papertrack.store.suggestions import Proposed, read_proposed
from papertrack.sync.bibtex.reading import read_bib
from papertrack.sync.markdown.reading import read_document
from papertrack.text import fold, group, shorten, title_key


class _Negative(PapertrackError):
    """Raised when git answers "no" with its exit code and prints no message."""


@dataclass(frozen=True)
class Base:
    """A commit of a repository."""

    repository: Path
    commit: str

    def read(self, path: Path) -> bytes | None:
        """Return the content of a file in the commit; None if it did not exist.

        Raises UsageError for a file outside the repository.
        """
        name = self.name_of(path)
        if name not in self.files:
            return None
        return run_git(self.repository, "cat-file", "blob", f"{self.commit}:{name}")

    def name_of(self, path: Path) -> str:
        """Return the name of a file in the repository. Raises UsageError if it is outside."""
        absolute = path.absolute()
        resolved = absolute.parent.resolve() / absolute.name
        if not resolved.is_relative_to(self.repository):
            raise UsageError(f"{path} is not in the repository {self.repository} of --base.")
        return resolved.relative_to(self.repository).as_posix()

    def has(self, path: Path) -> bool:
        """Return whether a file or folder existed in the commit; True for anything outside."""
        target = Path(normpath(path))
        if not target.is_relative_to(self.repository):
            return True
        return target.relative_to(self.repository).as_posix() in self.places

    @cached_property
    def files(self) -> frozenset[str]:
        """Return the names of all files."""
        listing = run_git(self.repository, "ls-tree", "-r", "-z", "--name-only", self.commit)
        return frozenset(listing.decode("utf-8", "surrogateescape").split("\0")) - {""}

    @cached_property
    def places(self) -> Collection[str]:
        """Return the names of all files and folders."""
        folders = {str(parent) for name in self.files for parent in PurePosixPath(name).parents}
        return self.files | folders


def find_base(folder: Path, ref: str) -> Base:
    """Return the merge base of the current branch and ``ref``, as in a pull request.

    Raises UsageError outside a repository, NotFoundError for an unknown ref or without a common
    ancestor, and PapertrackError if git fails.
    """
    repository = find_repository(folder.resolve())
    if repository is None:
        raise UsageError(
            f"{folder} is not in a git repository, so --base has nothing to compare with."
        )
    try:
        name = f"{ref}^{{commit}}"
        commit = run_git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
    except _Negative:
        raise NotFoundError(
            f"The repository {repository} has no {ref}. Fetch it first, as with "
            "`git fetch origin`, or name another base."
        ) from None
    try:
        base = run_git(repository, "merge-base", commit.decode().strip(), "HEAD")
    except _Negative:
        raise NotFoundError(
            f"{ref} and the current commit have no common ancestor here. Fetch the whole "
            "history (`git fetch --unshallow`; in a workflow `fetch-depth: 0`)."
        ) from None
    return Base(repository, base.decode().strip())


def run_git(repository: Path, *arguments: str) -> bytes:
    """Return a git command's output. Raises PapertrackError when it fails or git is missing."""
    result = ask_git(repository, "-c", "core.fsmonitor=false", *arguments, environ=OFFLINE)
    if result.code:
        kind = PapertrackError if result.message else _Negative
        raise kind(f"`git {arguments[0]}` failed: {result.message[:300] or result.code}")
    return result.output


_MARK = "papertrack_check_baseline"
_VERSION = 1
_NO_RECORD = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)
_MAJORITY_KINDS: frozenset[FindingKind] = frozenset({"date", "no-link", "ragged-row"})
"""Kinds that depend on the majority of lines: such a finding in an unchanged line is not new."""
Counts = Counter[tuple[str, str]]
"""How many findings of one kind about one thing there were."""


def count_findings(findings: Iterable[Finding]) -> Counts:
    """Count findings by kind and by what they are about."""
    return Counter((finding.kind, finding.about) for finding in findings)


def new_findings(
    findings: Sequence[Finding], counts: Counts, lines: Sequence[str], old: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Return the findings beyond the former ``counts``. Lines may have moved.

    Of several equal findings, those in lines that are not in ``old`` are new.
    """
    groups = group(((f.kind, f.about), f) for f in findings)
    new: set[Finding] = set()
    for key, alike in groups.items():
        sorted_group = sorted(alike, key=lambda f: lines[f.line - 1] not in old)
        new.update(sorted_group[counts[key] :])
    return tuple(
        f
        for f in findings
        if f in new and not (f.kind in _MAJORITY_KINDS and lines[f.line - 1] in old)
    )


@dataclass(frozen=True)
class Baseline:
    """Recorded findings of several files, with paths relative to the record."""

    path: Path
    files: dict[str, Counts]

    def known(self, path: Path) -> Counts:
        """Return the recorded findings of a file."""
        return self.files.get(_name_of(path, self.path), Counter())


def read_baseline(path: Path) -> Baseline:
    """Read a baseline.

    Raises PapertrackError when it cannot be read, UsageError when the file is not a baseline.
    """
    try:
        data = json.loads(read_file(path))
        if data[_MARK] > _VERSION:
            raise UsageError(f"{path} was written by a newer papertrack. Upgrade this one.")
        files = {
            str(name): Counter({(str(kind), str(about)): int(n) for kind, about, n in findings})
            for name, findings in data["files"].items()
        }
    except _NO_RECORD as error:
        raise UsageError(
            f"{path} is not a record of `papertrack check --write-baseline` ({error})."
        ) from None
    return Baseline(path, files)


def write_baseline(path: Path, checked: Iterable[tuple[Path, Sequence[Finding]]]) -> None:
    """Write a baseline, sorted so that diffs are small.

    Raises UsageError when the file contains something else, PapertrackError when it cannot be
    written.
    """
    refuse_link(path)
    if path.exists():
        read_baseline(path)
    files = {
        _name_of(file, path): [[*key, n] for key, n in sorted(count_findings(findings).items())]
        for file, findings in checked
    }
    record = {name: files[name] for name in sorted(files) if files[name]}
    lines = ",\n".join(
        f"  {json.dumps(name, ensure_ascii=False)}: [\n"
        + ",\n".join(f"   {json.dumps(finding, ensure_ascii=False)}" for finding in findings)
        + "\n  ]"
        for name, findings in record.items()
    )
    text = f'{{\n "{_MARK}": {_VERSION},\n "files": {{\n{lines}\n }}\n}}\n'
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise PapertrackError(f"{path} could not be written: {error}.") from None
    write_file(path, data)


def _name_of(path: Path, record: Path) -> str:
    """Return a file's path relative to the record's folder, with ``/``."""
    return Path(os.path.relpath(path.absolute(), record.absolute().parent)).as_posix()


_MIN_SHARE = 0.8
"""The least share of entries with their work's title for other titles to count as wrong.

With fewer, the list may translate titles or describe works.
"""
_ARXIV_DOI = "10.48550/"


class _Pair(NamedTuple):
    """An entry and the paper of the library that its identifiers name."""

    entry: Entry
    identifier: Identifier
    paper_id: int


class LibraryRule:
    """A rule of ``Checker`` that compares entries with the papers of a library."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __call__(self, document: Document, old: Document | None) -> Iterator[Finding]:
        """Yield findings on titles and publications that differ from the library's."""
        pairs = self._pairs(listed(document))
        paper_ids = sorted({pair.paper_id for pair in pairs})
        titles = titles_of_sources(self._store, paper_ids, without=NO_SOURCES)
        yield from _wrong_titles(pairs, titles)
        publications = self._publications(paper_ids)
        for pair in pairs:
            yield from _published(document, pair.entry, *publications[pair.paper_id])

    def of_bibliography(self, bib: BibLibrary) -> Iterator[Finding]:
        """Yield findings on preprints whose publication the library knows."""
        preprints = {
            Identifier("arxiv", arxiv_id): entry
            for entry in bib.entries
            if (arxiv_id := entry.facts.identifier("arxiv")) and not _is_of_venue(entry)
        }
        owners = find_papers(self._store, preprints)
        publications = self._publications(sorted({*owners.values()}))
        for identifier, paper_id in owners.items():
            (_, publication), entry = publications[paper_id], preprints[identifier]
            if publication:
                about = f"arxiv:{identifier.value}"
                message = f"{entry.citekey} cites the preprint, but was published: {publication}."
                yield Finding(entry.line, "published", message, about)

    def _publications(self, paper_ids: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Map papers to their publications (see ``_publication_of``)."""
        proposed = read_proposed(self._store, paper_ids)
        return {
            paper.id: _publication_of(paper, proposed.get(paper.id, ()))
            for paper in get_papers(self._store, paper_ids)
        }

    def _pairs(self, entries: Sequence[Entry]) -> list[_Pair]:
        """Return the entries whose identifiers name a single paper of the library."""
        strong = {entry.index: _strong(entry) for entry in entries}
        papers = find_papers(self._store, {i for names in strong.values() for i in names})
        pairs = []
        for entry in entries:
            matches = {papers[i]: i for i in reversed(strong[entry.index]) if i in papers}
            if len(matches) == 1:
                pairs += [_Pair(entry, name, paper_id) for paper_id, name in matches.items()]
        return pairs


def _strong(entry: Entry) -> list[Identifier]:
    return [i for i in entry.identifiers if i.scheme in STRONG_SCHEMES]


def _wrong_titles(pairs: Sequence[_Pair], titles: dict[int, list[str]]) -> Iterator[Finding]:
    """Yield entries whose title differs from the titles that sources have for the work.

    If that is so for many entries, yields only those with the title of another work.
    """
    comparable = [pair for pair in pairs if titles.get(pair.paper_id)]
    wrong = [pair for pair in comparable if _differs(pair.entry, titles[pair.paper_id])]
    source_titles = {title_key(title) for group in titles.values() for title in group}
    is_reliable = len(comparable) - len(wrong) >= len(comparable) * _MIN_SHARE
    for pair in wrong:
        if is_reliable or title_key(pair.entry.fields.title) in source_titles:
            name, title = pair.identifier, shorten(titles[pair.paper_id][0], 120)
            message = f"{quoted(pair.entry)} links {name.scheme}:{name.value}, which is “{title}”."
            about = f"{name.scheme}:{name.value}"
            yield Finding(pair.entry.line, "wrong-title", message, about)


def _differs(entry: Entry, titles: Sequence[str]) -> bool:
    """Return whether an entry's title is none of these. In another script it is a translation."""
    title = entry.fields.title
    is_latin = title_key(title).isascii()
    return all(title_key(t).isascii() == is_latin and are_different(title, t) for t in titles)


def _publication_of(paper: Paper, proposed: Sequence[Proposed]) -> tuple[str, str]:
    """Return a paper's venue and a text with venue and DOI; empty if no publication is known.

    Without one in the library, uses an open suggestion.
    """
    facts = paper.facts
    venue = facts.venue or facts.journal_ref or ""
    venue = "" if venue and is_server(venue) else venue
    doi = next((i.value for i in facts.identifiers if _is_of_publication(i)), None)
    if not (venue or doi):
        # Leave out what only a comment says, and what the user rejected.
        open_values = (p.value for p in proposed if p.state == "open")
        if claim := next((value for value in open_values if value["evidence"] != "comment"), None):
            venue, doi = f"{claim['venue']} {claim['year'] or ''}".strip(), claim["doi"]
    return venue, ", ".join(filter(None, (shorten(venue, 80), doi and f"doi:{doi}")))


def _is_of_venue(entry: BibEntry) -> bool:
    """Return whether an entry has the DOI or the venue of the publication."""
    facts = entry.facts
    has_doi = any(map(_is_of_publication, facts.identifiers))
    return has_doi or (facts.venue is not None and not is_server(facts.venue))


def _published(document: Document, entry: Entry, venue: str, details: str) -> Iterator[Finding]:
    """Yield a finding for a published preprint, unless the entry links or names the publication."""
    arxiv_id = next((i.value for i in entry.identifiers if i.scheme == "arxiv"), None)
    text = fold(document.text[slice(*entry.span)])
    # A venue such as *arXiv 2024* is no publication.
    names_venue = entry.fields.venue and not is_server(entry.fields.venue)
    is_mentioned = names_venue or _links_publication(entry) or (venue and fold(venue) in text)
    if arxiv_id and details and not is_mentioned:
        message = f"{quoted(entry)} links the preprint {arxiv_id}, but was published: {details}."
        yield Finding(entry.line, "published", message, f"arxiv:{arxiv_id}")


def _is_of_publication(identifier: Identifier) -> bool:
    return identifier.scheme == "doi" and not identifier.value.startswith(_ARXIV_DOI)


def _links_publication(entry: Entry) -> bool:
    """Return whether an entry has a link to its work outside arXiv."""
    links = [link for link in entry.fields.links if link.role in ("paper", "pdf")]
    identifiers = [strong_identifier(link.url) for link in links]
    has_doi = any(map(_is_of_publication, entry.identifiers))
    return has_doi or any(i is None or i.scheme != "arxiv" for i in identifiers)


DocumentRule = Callable[[Document, Document | None], Iterable[Finding]]
"""An additional rule for documents; called with a document and its older version, if any."""
BibRule = Callable[[BibLibrary], Iterable[Finding]]
"""An additional rule for .bib files."""


@dataclass(frozen=True, slots=True)
class FileReport:
    """A document and its findings."""

    path: Path
    entries: int
    findings: tuple[Finding, ...]
    """The new findings, by line."""
    known: int = 0
    """The number of findings that are not new."""


@dataclass(frozen=True)
class Checker:
    """Checks files by these settings."""

    ignored: Sequence[str] = ()
    """Kinds of findings to leave out."""
    base: Base | None = None
    baseline: Baseline | None = None
    rules: Sequence[DocumentRule] = ()
    online: Sequence[DocumentRule] = ()
    """Rules that use the network. They are not applied to the older version."""
    bibliography: Sequence[BibRule] = ()

    def check_file(self, path: Path) -> FileReport:
        """Check one file and return its new findings; change nothing.

        Raises NotFoundError, PapertrackError or DocumentError when the file cannot be read, and
        the errors of additional rules.
        """
        check = self._check_bib if path.suffix.lower() in BIBTEX_SUFFIXES else self._check_list
        data = self.base.read(path) if self.base else None
        entries, lines, findings, old_lines, old_findings = check(path, data)
        listed, counts = self._filter(findings), Counter(count_findings(self._filter(old_findings)))
        if self.baseline:
            counts += self.baseline.known(path)
        new = new_findings(listed, counts, lines, frozenset(old_lines))
        return FileReport(path, entries, new, len(listed) - len(new))

    def _check_list(self, path: Path, data: bytes | None) -> _FileFindings:
        document, old = read_document(path).document, None
        if data is not None:
            with suppress(DocumentError):  # A version that cannot be read has no findings.
                old = read_document(path, data=data).document
        findings = {*check_document(document, old), *missing_files(document, path, Path.exists)}
        for rule in (*self.rules, *self.online):
            findings.update(rule(document, old))
        old_findings: set[Finding] = set()
        if old is not None and self.base is not None:
            old_findings = {*check_document(old, None), *missing_files(old, path, self.base.has)}
            old_findings.update(f for rule in self.rules for f in rule(old, None))
        old_lines = _lines(old) if old else []
        return len(document.entries), _lines(document), findings, old_lines, old_findings

    def _check_bib(self, path: Path, data: bytes | None) -> _FileFindings:
        new, old = read_bib(path), read_bib(path, data) if data else None
        old_findings = self._bib_findings(old.bib) if old else []
        old_lines = old.text.splitlines() if old else []
        findings = self._bib_findings(new.bib)
        return len(new.bib.entries), new.text.splitlines(), findings, old_lines, old_findings

    def _bib_findings(self, bib: BibLibrary) -> list[Finding]:
        extra = (f for rule in self.bibliography for f in rule(bib))
        return [*check_bibliography(bib), *extra]

    def _filter(self, findings: Iterable[Finding]) -> list[Finding]:
        accepted = (f for f in findings if f.kind not in self.ignored)
        return sorted(accepted, key=lambda f: (f.line, f.kind, f.message))


_FileFindings = tuple[int, list[str], Collection[Finding], list[str], Collection[Finding]]
"""The number of entries, the lines and findings, then lines and findings of the older version."""


def _lines(document: Document) -> list[str]:
    return [document.line(number) for number in range(len(document.starts))]


def missing_files(
    document: Document, path: Path, exists: Callable[[Path], bool]
) -> Iterator[Finding]:
    """Yield links to missing files and folders, except links that leave the repository."""
    folder = path.absolute().parent.resolve()
    repository = find_repository(folder)
    for link in local_links(document):
        target = Path(normpath(folder / link.path))
        is_outside = repository is not None and not target.is_relative_to(repository)
        if not (is_outside or _exists(target, exists)):
            kind: FindingKind = "missing-note" if link.is_note else "missing-file"
            yield Finding(link.line, kind, f"There is no file {link.path}.", link.path)


def _exists(target: Path, exists: Callable[[Path], bool]) -> bool:
    """Return whether a linked file exists.

    Its suffix may be missing, or .html may stand for .md.
    """
    names = [target, target.with_name(f"{target.name}.md")] if target.name else [target]
    if target.suffix == ".html":
        names.append(target.with_suffix(".md"))
    try:
        return any(map(exists, names))
    except (OSError, ValueError):
        return False  # The name is invalid: too long, or with a NUL byte.
