"""Check READMEs and .bib files: what is wrong, what is new since a commit or a baseline, and
what the library knows better.

Git is only read here: names and contents of commits, without filters or programs of the
repository.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
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
from papertrack.matching.venues import is_server
from papertrack.records import Identifier, Paper
from papertrack.store.known import NO_SOURCES, titles_of_sources
from papertrack.store.lookup import find_papers, get_papers
from papertrack.store.store import Store
from papertrack.store.suggestions import Proposed, read_proposed
from papertrack.sync.bibtex.reading import read_bib
from papertrack.sync.markdown.reading import read_document
from papertrack.text import fold, shorten, title_key


class _Silent(PapertrackError):
    """A git command ended with "no", which it says by its exit code alone."""


@dataclass(frozen=True)
class Base:
    """A commit of a repository."""

    repository: Path
    commit: str

    def read(self, path: Path) -> bytes | None:
        """Return the content of a file in the commit, or None if it did not exist.

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
            raise UsageError(f"{path} is not in the repository {self.repository}: it has no base.")
        return resolved.relative_to(self.repository).as_posix()

    def has(self, path: Path) -> bool:
        """Return whether a file or folder existed in the commit; True for anything outside."""
        from os.path import normpath

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
    """Return the commit at which the current branch of ``folder`` left ``ref``, as a pull
    request sees it.

    Raises UsageError outside a repository, NotFoundError for an unknown ref, and PapertrackError
    if git fails or knows no such commit.
    """
    repository = find_repository(folder.resolve())
    if repository is None:
        raise UsageError(
            f"{folder} is not in a git repository, so --base has nothing to compare with."
        )
    try:
        name = f"{ref}^{{commit}}"
        found = run_git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
    except _Silent:
        raise NotFoundError(
            f"The repository {repository} has no {ref}. Fetch it first, as with "
            "`git fetch origin`, or name another base."
        ) from None
    try:
        merged = run_git(repository, "merge-base", found.decode().strip(), "HEAD")
    except _Silent:
        raise NotFoundError(
            f"{ref} and the current commit have no common ancestor here. Fetch the whole "
            "history (`git fetch --unshallow`; in a workflow `fetch-depth: 0`)."
        ) from None
    return Base(repository, merged.decode().strip())


def run_git(repository: Path, *arguments: str) -> bytes:
    """Return the output of a git command. Raises PapertrackError when it fails or git is
    missing."""
    ran = ask_git(repository, "-c", "core.fsmonitor=false", *arguments, environ=OFFLINE)
    if ran.code:
        kind = PapertrackError if ran.said else _Silent
        raise kind(f"`git {arguments[0]}` failed: {ran.said[:300] or ran.code}")
    return ran.out


_MARK = "papertrack_check_baseline"
_VERSION = 1
_NO_RECORD = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)
_OF_MOST: frozenset[FindingKind] = frozenset({"date", "no-link", "ragged-row"})
"""Kinds that depend on the majority of lines: an unchanged line has not become wrong."""
Known = Counter[tuple[str, str]]
"""How often a finding of a kind about the same thing existed before."""


def known_of(findings: Iterable[Finding]) -> Known:
    """Return what is known from the findings of an older version."""
    return Counter((one.kind, one.about) for one in findings)


def new_findings(
    findings: Sequence[Finding], known: Known, lines: Sequence[str], old: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Return the new findings, compared by what they are about, since lines move.

    Of several equal findings, those in new lines (not in ``old``) are new.
    """
    groups: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        groups[finding.kind, finding.about].append(finding)
    new: set[Finding] = set()
    for key, group in groups.items():
        in_order = sorted(group, key=lambda one: lines[one.line - 1] not in old)
        new.update(in_order[known[key] :])
    return tuple(
        one
        for one in findings
        if one in new and not (one.kind in _OF_MOST and lines[one.line - 1] in old)
    )


@dataclass(frozen=True)
class Baseline:
    """Recorded findings of several files, which are named relative to the record."""

    path: Path
    files: dict[str, Known]

    def known(self, path: Path) -> Known:
        """Return the recorded findings of a file."""
        return self.files.get(_name_of(path, self.path), Counter())


def read_baseline(path: Path) -> Baseline:
    """Read a baseline. Raises PapertrackError when it cannot be read, UsageError when the file
    is not a baseline."""
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


def write_baseline(path: Path, found: Iterable[tuple[Path, Sequence[Finding]]]) -> None:
    """Write a baseline, in an order that keeps diffs small.

    Raises UsageError when the file contains something else, PapertrackError when it cannot be
    written.
    """
    if path.exists():
        read_baseline(path)
    files = {
        _name_of(file, path): [[*key, count] for key, count in sorted(known_of(findings).items())]
        for file, findings in found
    }
    record = {name: files[name] for name in sorted(files) if files[name]}
    lines = ",\n".join(
        f"  {json.dumps(name, ensure_ascii=False)}: [\n"
        + ",\n".join(f"   {json.dumps(one, ensure_ascii=False)}" for one in findings)
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
    """Return how a record calls a file: as seen from its own folder, with ``/``."""
    return Path(os.path.relpath(path.absolute(), record.absolute().parent)).as_posix()


_SURE_SHARE = 0.8
"""The share of titles that must be the works' own, before every other one is wrong: some lists
translate them, or say what a work is about."""
_ARXIV_DOI = "10.48550/"


class _Pair(NamedTuple):
    """An entry and a paper of the library that its identifiers name."""

    entry: Entry
    identifier: Identifier
    paper_id: int


class KnownWorks:
    """A rule of ``Checking`` that compares entries with the papers of a library."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __call__(self, document: Document, before: Document | None) -> Iterator[Finding]:
        """Yield entries that contradict the library, or are older than its data."""
        pairs = self._pairs(listed(document))
        paper_ids = sorted({pair.paper_id for pair in pairs})
        titles = titles_of_sources(self._store, paper_ids, without=NO_SOURCES)
        yield from _wrong_titles(pairs, titles)
        places = self._publications(paper_ids)
        for pair in pairs:
            yield from _published(document, pair.entry, *places[pair.paper_id])

    def of_bibliography(self, bib: BibLibrary) -> Iterator[Finding]:
        """Yield entries of preprints that are known to have been published."""
        preprints = {
            Identifier("arxiv", arxiv_id): entry
            for entry in bib.entries
            if (arxiv_id := entry.facts.identifier("arxiv")) and not _is_of_venue(entry)
        }
        owners = find_papers(self._store, preprints)
        places = self._publications(sorted({*owners.values()}))
        for identifier, paper_id in owners.items():
            (_, appeared), entry = places[paper_id], preprints[identifier]
            if appeared:
                about = f"arxiv:{identifier.value}"
                message = f"{entry.citekey} cites the preprint, but was published: {appeared}."
                yield Finding(entry.line, "published", message, about)

    def _publications(self, paper_ids: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Where these papers appeared (see ``_publication_of``)."""
        proposed = read_proposed(self._store, paper_ids)
        return {
            paper.id: _publication_of(paper, proposed.get(paper.id, ()))
            for paper in get_papers(self._store, paper_ids)
        }

    def _pairs(self, entries: Sequence[Entry]) -> list[_Pair]:
        """Return the entries whose identifiers name a single paper of the library."""
        own = {entry.index: _strong(entry) for entry in entries}
        papers = find_papers(self._store, {one for names in own.values() for one in names})
        pairs = []
        for entry in entries:
            found = {papers[one]: one for one in reversed(own[entry.index]) if one in papers}
            if len(found) == 1:
                pairs += [_Pair(entry, name, paper_id) for paper_id, name in found.items()]
        return pairs


def _strong(entry: Entry) -> list[Identifier]:
    return [one for one in entry.identifiers if one.scheme in STRONG_SCHEMES]


def _wrong_titles(pairs: Sequence[_Pair], titles: dict[int, list[str]]) -> Iterator[Finding]:
    known = [pair for pair in pairs if titles.get(pair.paper_id)]
    wrong = [pair for pair in known if _is_another(pair.entry, titles[pair.paper_id])]
    others = {title_key(title) for several in titles.values() for title in several}
    are_own = len(known) - len(wrong) >= len(known) * _SURE_SHARE
    for pair in wrong:
        if are_own or title_key(pair.entry.fields.title) in others:
            name, title = pair.identifier, shorten(titles[pair.paper_id][0], 120)
            message = f"{quoted(pair.entry)} links {name.scheme}:{name.value}, which is “{title}”."
            about = f"{name.scheme}:{name.value}"
            yield Finding(pair.entry.line, "wrong-title", message, about)


def _is_another(entry: Entry, titles: Sequence[str]) -> bool:
    """Whether the title of an entry is none of these; one in another script is a translation."""
    title = entry.fields.title
    is_latin = title_key(title).isascii()
    return all(title_key(one).isascii() == is_latin and are_different(title, one) for one in titles)


def _publication_of(paper: Paper, proposed: Sequence[Proposed]) -> tuple[str, str]:
    """Return where a paper appeared, as the library has it or as it is proposed, and the same with
    its DOI; empty if no publication is known."""
    facts = paper.facts
    where = facts.venue or facts.journal_ref or ""
    where = "" if where and is_server(where) else where
    doi = next((one.value for one in facts.identifiers if _is_of_publication(one)), None)
    if not (where or doi):
        # What only a comment says is a claim; what the reader rejected is none.
        told = (one.value for one in proposed if one.state == "open")
        if believed := next((one for one in told if one["evidence"] != "comment"), None):
            where, doi = f"{believed['venue']} {believed['year'] or ''}".strip(), believed["doi"]
    return where, ", ".join(filter(None, (shorten(where, 80), doi and f"doi:{doi}")))


def _is_of_venue(entry: BibEntry) -> bool:
    """Whether an entry says itself where the work appeared."""
    facts = entry.facts
    has_doi = any(map(_is_of_publication, facts.identifiers))
    return has_doi or (facts.venue is not None and not is_server(facts.venue))


def _published(document: Document, entry: Entry, where: str, appeared: str) -> Iterator[Finding]:
    """Yield what to say of a preprint that is known to have been published, unless the entry
    links or names the publication."""
    arxiv_id = next((one.value for one in entry.identifiers if one.scheme == "arxiv"), None)
    text = fold(document.text[slice(*entry.span)])
    # *arXiv 2024* says that it has not appeared.
    names_venue = entry.fields.venue and not is_server(entry.fields.venue)
    is_named = names_venue or _links_more(entry) or (where and fold(where) in text)
    if arxiv_id and appeared and not is_named:
        message = f"{quoted(entry)} links the preprint {arxiv_id}, but was published: {appeared}."
        yield Finding(entry.line, "published", message, f"arxiv:{arxiv_id}")


def _is_of_publication(identifier: Identifier) -> bool:
    return identifier.scheme == "doi" and not identifier.value.startswith(_ARXIV_DOI)


def _links_more(entry: Entry) -> bool:
    """Whether an entry links its work elsewhere than on arXiv."""
    links = [link for link in entry.fields.links if link.role in ("paper", "pdf")]
    found = [strong_identifier(link.url) for link in links]
    others = any(map(_is_of_publication, entry.identifiers))
    return others or any(one is None or one.scheme != "arxiv" for one in found)


FurtherRule = Callable[[Document, Document | None], Iterable[Finding]]
"""Additional rules for documents, which may have an older version."""
BibRule = Callable[[BibLibrary], Iterable[Finding]]
"""Additional rules for .bib files."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A document and its findings."""

    path: Path
    entries: int
    findings: tuple[Finding, ...]
    """The findings, in the order of the lines."""
    known: int = 0
    """How many findings were left out because they are not new."""


@dataclass(frozen=True)
class Checking:
    """The settings of a check."""

    ignored: Sequence[str] = ()
    """Kinds of findings to leave out."""
    base: Base | None = None
    baseline: Baseline | None = None
    further: Sequence[FurtherRule] = ()
    online: Sequence[FurtherRule] = ()
    """Rules that are not applied to the older version: asking the network twice proves nothing."""
    bibliography: Sequence[BibRule] = ()

    def check_file(self, path: Path) -> Checked:
        """Check one file, changing nothing, and return its new findings.

        Raises NotFoundError, PapertrackError or DocumentError when the file cannot be read, and
        the errors of additional rules.
        """
        check = self._check_bib if path.suffix.lower() in BIBTEX_SUFFIXES else self._check_list
        entries, lines, found, old, then = check(path, self.base.read(path) if self.base else None)
        findings, known = self._in_order(found), Counter(known_of(self._in_order(then)))
        if self.baseline:
            known += self.baseline.known(path)
        new = new_findings(findings, known, lines, frozenset(old))
        return Checked(path, entries, new, len(findings) - len(new))

    def _check_list(self, path: Path, data: bytes | None) -> _Read:
        document, before = read_document(path).document, None
        if data is not None:
            with suppress(DocumentError):  # What could not be read had no findings.
                before = read_document(path, data=data).document
        found = {*check_document(document, before), *missing_files(document, path, Path.exists)}
        for rule in (*self.further, *self.online):
            found.update(rule(document, before))
        then: set[Finding] = set()
        if before is not None and self.base is not None:
            then = {*check_document(before, None), *missing_files(before, path, self.base.has)}
            then.update(one for rule in self.further for one in rule(before, None))
        old = _lines(before) if before else []
        return len(document.entries), _lines(document), found, old, then

    def _check_bib(self, path: Path, data: bytes | None) -> _Read:
        read, before = read_bib(path), read_bib(path, data) if data else None
        then = self._of_bib(before.bib) if before else []
        old = before.text.splitlines() if before else []
        found = self._of_bib(read.bib)
        return len(read.bib.entries), read.text.splitlines(), found, old, then

    def _of_bib(self, bib: BibLibrary) -> list[Finding]:
        further = (one for rule in self.bibliography for one in rule(bib))
        return [*check_bibliography(bib), *further]

    def _in_order(self, found: Iterable[Finding]) -> list[Finding]:
        accepted = (one for one in found if one.kind not in self.ignored)
        return sorted(accepted, key=lambda one: (one.line, one.kind, one.message))


_Read = tuple[int, list[str], Collection[Finding], list[str], Collection[Finding]]
"""How many entries a file has, its lines, what was found; the lines and findings of before."""


def _lines(document: Document) -> list[str]:
    return [document.line(number) for number in range(len(document.starts))]


def missing_files(
    document: Document, path: Path, exists: Callable[[Path], bool]
) -> Iterator[Finding]:
    """Yield links to missing files and folders; outside the document's repository nothing is
    known."""
    folder = path.absolute().parent.resolve()
    repository = find_repository(folder)
    for link in local_links(document):
        target = Path(normpath(folder / link.path))
        is_outside = repository is not None and not target.is_relative_to(repository)
        if not (is_outside or _is_there(target, exists)):
            kind: FindingKind = "missing-note" if link.is_note else "missing-file"
            yield Finding(link.line, kind, f"There is no file {link.path}.", link.path)


def _is_there(target: Path, exists: Callable[[Path], bool]) -> bool:
    """Whether a linked file exists, also when the link leaves out its ending or says .html."""
    names = [target, target.with_name(f"{target.name}.md")] if target.name else [target]
    if target.suffix == ".html":
        names.append(target.with_suffix(".md"))
    try:
        return any(map(exists, names))
    except (OSError, ValueError):
        return False  # A name that no system allows: too long, or with a zero byte.
