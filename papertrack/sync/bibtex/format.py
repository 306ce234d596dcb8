"""Files of BibTeX as a format of the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from papertrack.documents.encoding import encode_bib
from papertrack.records import Identifier, Paper, Skipped
from papertrack.store.citekeys import Citekeys
from papertrack.store.documents import DocumentKind, EntryState, RegisteredDocument, StoredEntry
from papertrack.store.lookup import citekey_of
from papertrack.store.papers import keep_original
from papertrack.store.store import Store
from papertrack.sync.asking import Asking
from papertrack.sync.bibtex.history import return_entries
from papertrack.sync.bibtex.linking import link_works
from papertrack.sync.bibtex.reading import (
    FIELDS,
    PUBLISHED,
    SOURCE,
    BibItem,
    ReadBib,
    items_of,
    match_bib_entries,
    paper_values,
    read_bib,
)
from papertrack.sync.bibtex.works import Work, group_entries
from papertrack.sync.bibtex.writing import BibWriting
from papertrack.sync.changes import Add, Plan
from papertrack.sync.format import Format, Linked, Told, Written
from papertrack.sync.history import History
from papertrack.sync.items import Item, papers_in
from papertrack.sync.taking_over import take_identifier
from papertrack.sync.threeway import PUBLICATION, Values
from papertrack.text import shorten


class BibFormat(Format):
    """A .bib file."""

    kind: DocumentKind = "bibtex"
    items: Sequence[BibItem]
    source = SOURCE
    fields = FIELDS

    def __init__(
        self,
        store: Store,
        name: str,
        read: ReadBib,
        citekey_template: str,
        protect: Sequence[str] = (),
    ) -> None:
        self.store = store
        self.name = name
        self.protect = protect
        self.read = read
        self.path = read.path
        self.text = read.text
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
        self.published: set[tuple[int, str, str]] = set()
        """What the file's entries say of how their papers were published, as the library does."""
        self.citekeys: set[str | None] = set()

    def library_values(self, paper: Paper) -> Values:
        return paper_values(paper)

    def matches(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        return match_bib_entries(stored, self.items) if stored else {}

    def is_unchanged(self, item: Item, before: StoredEntry) -> bool:
        is_settled = before.state in (EntryState.LINKED, EntryState.REMOVED)
        return is_settled and item.text == before.text

    def link(self, items: Sequence[Item], asking: Asking) -> Sequence[Linked]:
        """Find the works that the entries are of, and make or complete their papers together."""
        fresh = [self.items[item.number] for item in items]
        grouped = group_entries(self.store, [item.entry for item in fresh])
        linked = link_works(self.store, grouped, self.name, self.citekey_template, self.told)
        found = {
            id(entry): Linked(paper_id, None, dict(values))
            for work, (paper_id, values) in zip(grouped.works, linked, strict=True)
            for entry in work.entries
        }
        owners = {id(clash.entry): clash.owners for clash in grouped.clashes}
        return [
            self._settled(owners.get(id(item.entry), {}), item, found[id(item.entry)], asking)
            for item in fresh
        ]

    def keep(self, item: Item, paper_id: int) -> None:
        """Keep the entry's text with its paper."""
        entry = self.items[item.number].entry
        if entry.raw:
            keep_original(self.store, paper_id, f"{self.name}:{entry.citekey or ''}", entry.raw)

    def end_import(self) -> None:
        self.told.notices.sort(key=lambda notice: notice.line)

    def _settled(
        self, owners: Mapping[Identifier, Work], item: BibItem, linked: Linked, asking: Asking
    ) -> Linked:
        """Ask whose the entry's identifiers are that belong to other works than its own."""
        for identifier, owner in owners.items():
            if owner.paper != linked.paper_id:
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

    def encoded(self) -> bytes:
        return encode_bib(self.text, self.read.encoding)

    def put_back(
        self, stored: Sequence[StoredEntry], history: History
    ) -> tuple[BibFormat, Sequence[StoredEntry]]:
        if not history.removed and all(one.state is not EntryState.WANTED for one in stored):
            return self, stored
        present = [stored[position] for position in self.matches(stored).values()]
        known = papers_in(self.store, self.items, present)
        read, back = return_entries(self.store, self.read, self.name, stored, known, history)
        returned = {one.paper_id for one in back}
        left = [one for one in stored if one.paper_id not in returned]
        return self._again(read), [*left, *back]

    def begin_export(self, present: Sequence[StoredEntry]) -> None:
        self.citekeys = {entry.citekey for entry in self.read.bib.entries}
        self.published = {
            (entry.paper, name, str(value))
            for entry in present
            if entry.state is not EntryState.REMOVED
            for name, value in entry.base.items()
            if name in PUBLISHED or name.startswith(PUBLICATION)
        }

    def may_say(
        self, item: Item, before: StoredEntry, paper: Paper, name: str, wanted: Any
    ) -> bool:
        then = before.library.get(name)
        if before.base.get(name) != then and (paper.id, name, str(then)) in self.published:
            return False  # The paper's other entry says it: this one is of the preprint.
        citekey = item.values.get("citekey")
        if name == "citekey" and citekey not in (then, wanted):
            return False  # It stands under one of the paper's other keys, which names it still.
        # Two entries under one key would be an error in every manuscript.
        return name != "citekey" or wanted == citekey or wanted not in self.citekeys

    def write(self, plan: Plan, history: History) -> Written:
        writing = BibWriting(self.read, self.name, self.items, plan, history, self.protect)
        read, places = writing.write()
        document = self._again(read)
        items = document.items
        placed = {
            position: items[places[kept.number]]
            for position, kept in enumerate(plan.kept)
            if kept.number in places
        }
        added = [change for change in plan.changes if isinstance(change, Add)]
        return Written(document, placed, list(zip(added, items[len(places) :], strict=True)))

    def end_export(self, added: Sequence[Paper]) -> None:
        if added:
            Citekeys(self.store).freeze([paper.id for paper in added])

    def _again(self, read: ReadBib) -> BibFormat:
        """The same file with another text."""
        if read is self.read:
            return self
        return BibFormat(self.store, self.name, read, self.citekey_template, self.protect)


@dataclass(frozen=True)
class BibReader:
    """Reads a .bib file at a path."""

    store: Store
    path: Path
    name: str
    citekey_template: str = ""
    protect: Sequence[str] = ()
    """Words whose capitals are kept in new and changed titles."""

    def __call__(self, registered: RegisteredDocument | None) -> BibFormat:
        read = read_bib(self.path)
        return BibFormat(self.store, self.name, read, self.citekey_template, self.protect)
