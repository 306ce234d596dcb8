"""Files of BibTeX as a format of the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from papertrack.records import Identifier, Paper, Skipped
from papertrack.store.documents import DocumentKind, EntryState, RegisteredDocument, StoredEntry
from papertrack.store.lookup import citekey_of
from papertrack.store.papers import keep_original
from papertrack.store.store import Store
from papertrack.sync.asking import Asking
from papertrack.sync.bibtex.linking import link_works
from papertrack.sync.bibtex.reading import BibItem, ReadBib, items_of, match_bib_entries, read_bib
from papertrack.sync.bibtex.values import FIELDS, SOURCE, paper_values
from papertrack.sync.bibtex.works import Clash, Grouped, Work, group_entries
from papertrack.sync.format import Item, Linked, Told
from papertrack.sync.report import JoinedEntries
from papertrack.sync.taking_over import take_identifier
from papertrack.sync.threeway import Values
from papertrack.text import shorten


class BibFormat:
    """A .bib file."""

    kind: DocumentKind = "bibtex"
    source = SOURCE
    fields = FIELDS
    title = None

    def __init__(self, store: Store, name: str, read: ReadBib, citekey_template: str) -> None:
        self.store = store
        self.name = name
        self.read = read
        self.data = read.data
        self.encoding = read.encoding
        self.items = items_of(read.bib)
        self.citekey_template = citekey_template
        notices = [
            Skipped(entry.line, problem, shorten(entry.raw))
            for entry in read.bib.entries
            for problem in entry.problems
        ]
        self.told = Told(skipped=list(read.bib.skipped), notices=notices)

    def library_values(self, paper: Paper) -> Values:
        return paper_values(paper)

    def max_passes(self, items: Sequence[Item]) -> int | None:
        return None

    def matches(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        return match_bib_entries(stored, self.items) if stored else {}

    def is_unchanged(self, item: Item, before: StoredEntry) -> bool:
        is_settled = before.state in (EntryState.LINKED, EntryState.REMOVED)
        return is_settled and item.text == before.text

    def owner(self, item: Item) -> int | None:
        """Nobody: an entry keeps its paper, and an identifier of another one is asked about."""
        return None

    def begin_import(
        self, stored: Sequence[StoredEntry], matches: Mapping[int, int]
    ) -> Sequence[StoredEntry]:
        return stored

    def link(self, items: Sequence[Item], asking: Asking) -> Sequence[Linked]:
        """Find the works that the entries are of, and make or complete their papers together."""
        fresh = [self.items[item.number] for item in items]
        number_of = {id(item.entry): item.number for item in fresh}
        grouped = group_entries(self.store, [item.entry for item in fresh])
        known = [work.paper_id is not None for work in grouped.works]
        linked = link_works(self.store, grouped, self.name, self.citekey_template)
        self.told.notices += linked.notices
        found = {
            number_of[id(entry)]: Linked(paper_id, None, dict(values))
            for work, (paper_id, values) in zip(grouped.works, linked.papers, strict=True)
            for entry in work.entries
        }
        self._tell_joined(grouped, known)
        for clash in grouped.clashes:
            number = number_of[id(clash.entry)]
            found[number] = self._settled(clash, self.items[number], found[number], asking)
        return [found[item.number] for item in fresh]

    def keep(self, item: Item, paper_id: int) -> None:
        """Keep the entry's text with its paper."""
        entry = self.items[item.number].entry
        if entry.raw:
            keep_original(self.store, paper_id, f"{self.name}:{entry.citekey or ''}", entry.raw)

    def want_back(
        self, document_id: int, stored: Sequence[StoredEntry], wanted: Sequence[StoredEntry]
    ) -> Sequence[StoredEntry]:
        return [replace(before, state=EntryState.WANTED) for before in wanted]

    def end_import(self) -> None:
        self.told.notices.sort(key=lambda notice: notice.line)

    def _tell_joined(self, grouped: Grouped, known: Sequence[bool]) -> None:
        for work, is_known in zip(grouped.works, known, strict=True):
            if is_known or len(work.entries) > 1:
                lines = tuple(entry.line for entry in work.entries)
                citekey = citekey_of(self.store, work.paper)
                self.told.joined.append(JoinedEntries(citekey, lines, is_known))

    def _settled(self, clash: Clash, item: BibItem, linked: Linked, asking: Asking) -> Linked:
        """Ask whose the entry's identifiers are that belong to other works than its own."""
        for identifier, owner in zip(clash.identifiers, clash.owners, strict=True):
            if owner.paper_id not in (linked.paper_id, None):
                linked = self._settled_with(identifier, owner, item, linked, asking)
        return linked

    def _settled_with(
        self, identifier: Identifier, owner: Work, item: BibItem, linked: Linked, asking: Asking
    ) -> Linked:
        scheme, value = identifier.scheme, identifier.value
        library = linked.library or {}
        if scheme == "url" or item.values.get(scheme) != value:
            # Works may share a page, which stays a link of both. Of other values that are not
            # compared again it is enough to know.
            named = f"address {value}" if scheme == "url" else f"{scheme}:{value}"
            owner_key = citekey_of(self.store, owner.paper)
            reason = f"its {named} is that of {owner_key}, and names only one of them"
            self.told.notices.append(Skipped(item.line, reason, shorten(item.entry.raw)))
            return linked
        citekey = citekey_of(self.store, linked.paper_id)
        side = asking.ask(item.line, citekey, scheme, None, value, library.get(scheme))
        if side == "file":
            take_identifier(self.store, linked.paper_id, identifier)
            return replace(linked, library=library | {scheme: value})
        return replace(linked, open=linked.open | {scheme}) if side is None else linked


@dataclass(frozen=True)
class BibReader:
    """Reads a .bib file at a path."""

    store: Store
    path: Path
    name: str
    citekey_template: str

    def __call__(self, registered: RegisteredDocument | None) -> BibFormat:
        return BibFormat(self.store, self.name, read_bib(self.path), self.citekey_template)
