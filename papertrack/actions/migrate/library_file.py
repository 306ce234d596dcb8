"""Import what ``export --json`` wrote: everything into a new library, missing data into another.

Nothing is removed; differing values become questions or are reported.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from papertrack.documents.library_file import KeptPaper, read_library_file
from papertrack.errors import DocumentError
from papertrack.matching.judge import Answer, Description, judge
from papertrack.records import Paper, Reading, Skipped
from papertrack.store import papers
from papertrack.store.documents import find_document
from papertrack.store.journal import changed_papers
from papertrack.store.known import described, read_known
from papertrack.store.lookup import (
    citekey_of,
    field_sources,
    find_by_citekey,
    find_papers,
    get_paper,
)
from papertrack.store.states import rate, record_pass
from papertrack.store.store import Store
from papertrack.store.whole import (
    add_holdings,
    add_whole_papers,
    fill_reading,
    merge_details,
    read_holdings,
    take_decision,
)
from papertrack.sync.items import Resolver
from papertrack.sync.linking import owners_of
from papertrack.sync.report import ImportReport
from papertrack.sync.threeway import Conflict, Fields, Prefer, Side, merge
from papertrack.text import few, plural, title_key

SOURCE = "document"
"""The source of fields for which the file names no source."""


def import_library(store: Store, name: str, text: str, *, prefer: Prefer = None) -> ImportReport:
    """Import a file that ``export --json`` wrote: its papers, categories and topics.

    A paper that the library has gets only what it lacks. Raises DocumentError for a damaged file;
    nothing is imported from it.
    """
    content = read_library_file(text)
    run = _LibraryImport(store, Resolver(store, name, prefer), list(content.notices))
    try:
        with store.action("import") as action:
            before = _count_holdings(store)
            for topic, theirs, ours in add_holdings(store, content.holdings):
                reason = f"the topic {topic} has the query {ours} here, which was kept"
                run.notices.append(Skipped(1, reason, theirs))
            counts = {name: count - before[name] for name, count in _count_holdings(store).items()}
            run.take(content.papers)
            added, changed = changed_papers(store, action.id)
            changed &= {number for number, _ in run.known_papers}
            action.summary = f"{name}: {plural(len(added), 'new paper')}, {len(changed)} changed"
    except (OverflowError, sqlite3.IntegrityError) as error:
        raise DocumentError(
            f"{name} holds a value that a library cannot store ({error}). Nothing was imported."
        ) from error
    files = [document.file for document in content.holdings.documents]
    if missing := [file for file in files if find_document(store, file) is None]:
        reason = "`papertrack import` connects files again"
        run.notices.append(Skipped(1, reason, few(missing)))
    return ImportReport(
        file=name,
        papers_new=len(added),
        papers_changed=len(changed),
        papers_unchanged=len({number for number, _ in run.known_papers} - changed),
        entries=len(content.papers),
        skipped=tuple(content.skipped),
        conflicts=tuple(run.resolver.conflicts),
        is_first=True,
        notices=tuple(run.notices),
        counts=counts,
    )


def _count_holdings(store: Store) -> dict[str, int]:
    """Return how many topics, categories and forgotten terms the library has."""
    holdings = read_holdings(store)
    names = ("topics", "categories", "forgotten")
    return {name: len(getattr(holdings, name)) for name in names}


@dataclass(slots=True)
class _LibraryImport:
    """The import of one file."""

    store: Store
    resolver: Resolver
    notices: list[Skipped]
    known_papers: list[tuple[int, KeptPaper]] = field(default_factory=list)
    """Papers that the library already has, with their data in the file."""
    differing: dict[str, int] = field(default_factory=dict)
    """Field → how many values that sources gave differ in the file."""

    def take(self, entries: Sequence[KeptPaper]) -> None:
        """Make the new papers, and complete the others."""
        owners = _Matching(self.store).match(entries)
        new = self._with_free_ids([entry for entry in entries if owners[id(entry)] is None])
        self.known_papers = [
            (owner, entry) for entry in entries if (owner := owners[id(entry)]) is not None
        ]
        numbers = add_whole_papers(
            self.store, [(entry.paper, entry.details) for entry in new], source=SOURCE
        )
        for number, entry in self.known_papers:
            self._merge(number, entry)
        pairs = [*zip(numbers, new, strict=True), *self.known_papers]
        merge_details(self.store, [(number, entry.paper, entry.details) for number, entry in pairs])
        for number, entry in pairs:
            self._report_taken_keys(number, entry)
        if self.differing:
            many = plural(sum(self.differing.values()), "value")
            reason = f"{many} from sources differ from the library, which keeps its own"
            self.notices.append(Skipped(1, reason, few(sorted(self.differing))))

    def _with_free_ids(self, new: Sequence[KeptPaper]) -> list[KeptPaper]:
        """Return the new papers without identifiers that belong to others; those are reported."""
        ids = [id for entry in new for id in entry.paper.facts.identifiers]
        owned = set(find_papers(self.store, ids))
        changed = []
        for entry in new:
            facts = entry.paper.facts
            own = tuple(id for id in facts.identifiers if id not in owned)
            for id in facts.identifiers:
                if id in owned:
                    reason = f"{id.scheme}:{id.value} belongs to another paper"
                    self.notices.append(Skipped(entry.line, reason, entry.paper.citekey))
            owned.update(own)
            paper = entry.paper._replace(facts=facts._replace(identifiers=own))
            changed.append(replace(entry, paper=paper))
        return changed

    def _report_taken_keys(self, number: int, entry: KeptPaper) -> None:
        for key in (entry.paper.citekey, *entry.paper.citekey_aliases):
            if find_by_citekey(self.store, key) != number:
                reason = (
                    "its key belongs to another paper here; its key is now "
                    f"{citekey_of(self.store, number)}"
                )
                self.notices.append(Skipped(entry.line, reason, key))

    def _merge(self, number: int, entry: KeptPaper) -> None:
        """Add the data that the library's paper lacks; different values are conflicts.

        There is no base that would show which side changed.
        """
        store = self.store
        ours, theirs = get_paper(store, number), entry.paper
        own = field_sources(store, number)
        sources = {row.field: row.source for row in entry.details.sources}
        names = papers.known_fields(theirs.facts)
        file = {name: getattr(theirs.facts, name) for name in names}
        now = {name: getattr(ours.facts, name) or None for name in names}
        emptied = {name for name in names if (now[name], own.get(name)) == (None, papers.READER)}

        def ask(name: str, _: Any, file_value: Any, value: Any) -> Side | None:
            if name in emptied:
                return None
            source = sources.get(name, SOURCE) if name in names else papers.READER
            if source != papers.READER and self.resolver.prefer is None:
                self.differing[name] = self.differing.get(name, 0) + 1
                return None
            values = (_plain(file_value), _plain(value))
            return self.resolver.ask(entry.line, citekey_of(store, number), name, None, *values)

        file |= {"decision": _decided(theirs, beside=ours), "rating": theirs.rating}
        now |= {"decision": _decided(ours, beside=theirs), "rating": ours.rating}
        merged = merge(Fields(sets=()), {}, file, dict.fromkeys(emptied, ...), now, ask)
        for name in merged.scalars:
            self._write(number, entry, name, sources.get(name, SOURCE))
        self._merge_identifiers(number, entry)
        papers.add_links(store, number, theirs.facts.links)
        for reading in _missing(theirs.readings, ours.readings):
            if not fill_reading(store, number, reading):
                record_pass(store, number, reading)

    def _write(self, number: int, entry: KeptPaper, name: str, source: str) -> None:
        """Write one value of the file to the library's paper."""
        if name == "decision":
            take_decision(self.store, number, entry.paper, entry.details)
        elif name == "rating":
            rate(self.store, number, entry.paper.rating)
        else:
            value = getattr(entry.paper.facts, name)
            papers.edit_paper(self.store, number, name, value, source=source)

    def _merge_identifiers(self, number: int, entry: KeptPaper) -> None:
        ids, resolver = entry.paper.facts.identifiers, self.resolver
        owners = find_papers(self.store, ids)
        free = [id for id in ids if owners.get(id, number) == number]
        papers.add_identifiers(self.store, number, free)
        citekey = citekey_of(self.store, number)
        for id in ids:
            if id not in free:
                # Whatever ``prefer`` is, the identifier stays with the paper that has it.
                owner = citekey_of(self.store, owners[id])
                values = (entry.line, citekey, id.scheme, None, id.value, None, owner)
                resolver.conflicts.append(Conflict(resolver.document, *values))


@dataclass(slots=True)
class _Matching:
    """Matches the papers of a file with those of the library."""

    store: Store
    claimed: set[int] = field(default_factory=set)

    def match(self, entries: Sequence[KeptPaper]) -> dict[int, int | None]:
        """Return the library's paper for each entry, by the entry's ``id()``; None without one.

        Papers are matched by identifiers, then by key and title, then by title alone. Two papers of
        the file are matched with one paper only if they share an identifier with it.
        """
        owners: dict[int, int | None] = {}
        for by in (self._by_identifiers, self._by_key, self._by_title):
            for entry in entries:
                if owners.get(id(entry)) is None:
                    owners[id(entry)] = by(entry)
            self.claimed |= {number for number in owners.values() if number is not None}
        return owners

    def _by_identifiers(self, entry: KeptPaper) -> int | None:
        facts = entry.paper.facts
        return next(iter(owners_of(self.store, facts.identifiers, facts.title).values()), None)

    def _by_key(self, entry: KeptPaper) -> int | None:
        number = find_by_citekey(self.store, entry.paper.citekey)
        if number is None or number in self.claimed:
            return None
        ours, theirs = get_paper(self.store, number).facts, entry.paper.facts
        is_same = title_key(ours.title or "") == title_key(theirs.title or "")
        schemes = [{id.scheme for id in facts.identifiers} for facts in (ours, theirs)]
        is_one = bool({*ours.identifiers} & {*theirs.identifiers})
        # Different identifiers in one scheme are those of different works.
        return number if is_same and (is_one or schemes[0].isdisjoint(schemes[1])) else None

    def _by_title(self, entry: KeptPaper) -> int | None:
        title = entry.paper.facts.title
        if not title:
            return None
        description = Description(entry.paper.facts)
        same = [
            paper.id
            for paper in read_known(self.store, (), [title_key(title)])
            if paper.id not in self.claimed
            and judge(description, described(paper)).answer is Answer.SAME
        ]
        if len(same) != 1:
            return None
        self.claimed.add(same[0])
        return same[0]


def _missing(theirs: Sequence[Reading], ours: Sequence[Reading]) -> Iterator[Reading]:
    """Return the readings that only the file has.

    A reading without details equals any reading of its pass.
    """
    left = list(ours)
    unmatched = []
    for reading in theirs:
        if reading in left:
            left.remove(reading)
        else:
            unmatched.append(reading)
    done = {reading.pass_number for reading in (*ours, *unmatched) if _says_more(reading)}
    done |= {reading.pass_number for reading in ours}
    for reading in unmatched:
        if _says_more(reading) or reading.pass_number not in done:
            yield reading


def _says_more(reading: Reading) -> bool:
    return any((reading.at, reading.minutes, reading.version, reading.takeaway))


def _decided(paper: Paper, *, beside: Paper) -> str | None:
    """Return a decision with its reason; None if it adds nothing to the other paper's."""
    reason = paper.decision_reason
    if paper.decision == "inbox" or (paper.decision == beside.decision and reason is None):
        return None
    return f"{paper.decision} ({reason})" if reason else paper.decision


def _plain(value: Any) -> Any:
    """Return a field's value as in JSON."""
    if not isinstance(value, tuple):
        return value
    return [getattr(item, "name", item) for item in value]
