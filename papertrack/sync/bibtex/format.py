"""The format of .bib files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

from papertrack.documents.bibtex import edit, gather
from papertrack.documents.bibtex.blocks import read_blocks
from papertrack.documents.bibtex.edit import removed_hunk, with_hunks
from papertrack.documents.bibtex.facts import BibEntry
from papertrack.documents.bibtex.fresh import Dialect, dialect_of, entry_of, hand_of, safe_key
from papertrack.documents.bibtex.grounds import with_references
from papertrack.documents.encoding import encode_bib
from papertrack.documents.hunks import Hunk
from papertrack.errors import DocumentError
from papertrack.records import Identifier, Paper, Skipped
from papertrack.store.citekeys import Citekeys
from papertrack.store.documents import EntryState, RegisteredDocument, StoredEntry
from papertrack.store.lookup import citekey_of, find_by_citekey, get_paper, get_papers
from papertrack.store.papers import keep_original
from papertrack.store.store import Store
from papertrack.sync.apply_import import move_identifier
from papertrack.sync.bibtex import reading, writing
from papertrack.sync.bibtex.linking import BibLinker, Grouping
from papertrack.sync.bibtex.own import own_entries
from papertrack.sync.bibtex.reading import BibItem, ReadBib
from papertrack.sync.format import Entries, Format, ImportNotes, Linked, Reader, Written
from papertrack.sync.history import (
    Former,
    History,
    Return,
    Steps,
    accepted,
    gone,
    in_order,
    put_back,
    with_returned,
)
from papertrack.sync.in_step import last_read
from papertrack.sync.items import Add, Item, Plan, Remove, Resolver, match_by, papers_in
from papertrack.sync.threeway import PUBLICATION, Values
from papertrack.text import shorten

_KEY = attrgetter("key")
Addition = tuple[Add | None, gather.NewEntry]
"""An entry to add, and the plan's change; None for an entry of no paper in the library."""


@dataclass(eq=False)
class BibFormat(Format):
    """A .bib file."""

    kind = "bibtex"
    source = reading.SOURCE
    fields = reading.FIELDS

    store: Store
    name: str
    read: ReadBib
    protect: Sequence[str] = ()
    extra: Sequence[str] = ()
    is_of_others: bool = False
    """Whether other devices know the file, and this one reads it for the first time."""
    is_read_alike: bool = False
    """Whether this papertrack read it last, so that the same text has the same values."""
    said_before: dict[reading.Sources, Values] = field(default_factory=dict)
    """The values of its entries when they were last stored."""
    items: Sequence[BibItem] = field(init=False)

    def __post_init__(self) -> None:
        self.path, self.data = self.read.path, self.read.data
        self.text, self.encoding = self.read.text, self.read.encoding
        self.items = reading.items_of(self.read.bib, self.said_before)
        self.notes = ImportNotes(skipped=list(self.read.bib.skipped), notices=self._notices())
        self.published: set[tuple[int, str, str]] = set()
        """The publication fields of the file's entries that equal the library's."""
        self.citekeys: set[str | None] = set()

    def _notices(self) -> list[Skipped]:
        """Return the problems of the entries themselves."""
        return [
            Skipped(entry.line, problem, shorten(entry.raw))
            for entry in self.read.bib.entries
            for problem in entry.problems
        ]

    def library_values(self, paper: Paper) -> Values:
        return reading.values_of(paper)

    def matches(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        """Match entries by key, then by identifier, then by title."""
        settled = (before for before in stored if before.state is EntryState.LINKED)
        if self.is_read_alike:
            self.said_before.update((reading.sources_of(before), before.base) for before in settled)
        return match_by(reading.RULES, stored, self.items)

    def is_unchanged(self, item: Item, before: StoredEntry) -> bool:
        is_settled = before.state in (EntryState.LINKED, EntryState.REMOVED)
        return is_settled and item.text == before.text

    def owner(self, item: Item, before: StoredEntry) -> int | None:
        """Return the paper that the entry's new key belongs to, if it is of the same work.

        A merge on one device and edits on another may leave two papers of one work. Without this
        rule, each device would write its own key.
        """
        bib_item = self.items[item.number]
        key = bib_item.entry.citekey or ""
        if key == before.base.get("citekey", ""):
            return None
        paper_id = find_by_citekey(self.store, key)
        is_of_work = paper_id and Grouping(self.store, [bib_item]).works[0].paper_id == paper_id
        return paper_id if is_of_work else None

    def link(self, items: Sequence[Item], resolver: Resolver) -> Sequence[Linked]:
        """Find the works of the entries, and add or complete their papers together."""
        fresh = [self.items[item.number] for item in items]
        grouped = Grouping(self.store, fresh)
        arguments = self.store, self.source, self.notes
        linker = BibLinker(*arguments, is_of_others=self.is_of_others, grouped=grouped)
        linked = linker.link(fresh, resolver)
        for place, item in enumerate(fresh):
            for identifier in item.identifiers:
                owner = grouped.owners[identifier].paper
                if owner != linked[place].paper_id:
                    linked[place] = self._settled(identifier, owner, item, linked[place], resolver)
        return linked

    def keep(self, item: Item, paper_id: int) -> None:
        """Store the entry's text, with the entries it needs, as the paper's original."""
        text = self.items[item.number].entry.whole
        keep_original(self.store, paper_id, f"{self.name}:{item.key}", text)

    def end_import(self, entries: Entries) -> None:
        self.notes.notices.sort(key=attrgetter("line"))
        # Entries that use others are stored again: the others may have a new text, even if the
        # values that the entries take from them are the same.
        for item in self.items:
            entry, stored = item.entry, entries.get(item.number)
            if entry.whole != entry.raw and stored and stored.state is EntryState.LINKED:
                self.keep(item, stored.paper)

    def _settled(
        self, identifier: Identifier, owner: int, item: BibItem, linked: Linked, resolver: Resolver
    ) -> Linked:
        """Ask which paper an identifier belongs to, if the entry's paper lacks it."""
        scheme, value = identifier.scheme, identifier.value
        if scheme == "url" or item.values.get(scheme) != value:
            # Works may share a page, which stays a link of both. Other values that are not
            # compared again only get a notice.
            name = f"address {value}" if scheme == "url" else f"{scheme}:{value}"
            owner_key = citekey_of(self.store, owner)
            reason = f"its {name} belongs to {owner_key}, and can identify only one of them"
            self.notes.notices.append(Skipped(item.line, reason, shorten(item.entry.raw)))
            return linked
        paper = get_paper(self.store, linked.paper_id)
        known = paper.facts.identifier(scheme)
        side = resolver.ask(item.line, paper.citekey, scheme, None, value, known)
        if side == "file":
            move_identifier(self.store, linked.paper_id, identifier)
        return replace(linked, open=linked.open | {scheme}) if side is None else linked

    def repeated_notes(self, entries: Entries, data: bytes) -> ImportNotes:
        # Linking has no notices about entries that are linked already.
        return ImportNotes(skipped=self.notes.skipped, notices=self._notices())

    def encoded(self) -> bytes:
        return encode_bib(self.text, self.read.encoding, self.data)

    def put_back(
        self, stored: Sequence[StoredEntry], history: History
    ) -> tuple[BibFormat, Sequence[StoredEntry]]:
        present = [stored[position] for position in self.matches(stored).values()]
        present_ids = papers_in(self.store, self.items, present)
        used = {name for item in self.items for name in (item.key, item.entry.citekey)}
        # Entries of papers that the user unlinked from the file do not return.
        settled = {*present_ids, *(entry.paper_id for entry in stored)}
        wanted = (
            entry
            for entry in stored
            if entry.state is EntryState.WANTED and entry.paper_id not in present_ids
            if entry.key not in used
        )
        formers = [(entry, entry.paper, history.former_of(entry)) for entry in wanted]
        formers += self._find_removed(history, settled, used)
        returns = [
            Return(entry, paper_id, in_order([hunk], former))
            for entry, paper_id, former in formers
            if former
            if (hunk := removed_hunk(former.entry.text, *history.texts_around(former)))
        ]

        def apply(hunks: Sequence[Hunk]) -> tuple[BibFormat, Sequence[Hunk]]:
            return self.with_text(with_hunks(self.text, hunks)), ()

        again, accepted_returns = put_back(returns, self, apply, _KEY, writing.says_again)
        if not accepted_returns or len(again.items) != len(self.items) + len(accepted_returns):
            return self, stored
        paper_ids = {ret.paper_id for ret in accepted_returns}
        rest = [entry for entry in stored if entry.paper_id not in paper_ids]
        return again, with_returned(rest, again.items, accepted_returns, _KEY)

    def _find_removed(
        self, history: History, present: Collection[int | None], used: Collection[str | None]
    ) -> Iterator[tuple[StoredEntry, int, Former]]:
        """Yield the entries removed with papers that are in the library again."""
        for former in history.removed:
            citekey = former.entry.base.get("citekey", "")
            paper_id = find_by_citekey(self.store, citekey)
            if paper_id is None or paper_id in present or {citekey, former.entry.key} & {*used}:
                continue
            now = reading.values_of(get_paper(self.store, paper_id))
            if writing.is_same_paper(now, former.entry.library):
                yield gone(former.entry), paper_id, former

    def begin_export(self, present: Sequence[StoredEntry]) -> None:
        self.citekeys = {entry.citekey for entry in self.read.bib.entries}
        self.published = {
            (entry.paper, name, str(value))
            for entry in present
            if entry.state is not EntryState.REMOVED
            for name, value in entry.base.items()
            if name in reading.PUBLISHED or name.startswith(PUBLICATION)
        }

    def accepts(self, item: Item, before: StoredEntry, paper: Paper, name: str, value: Any) -> bool:
        then = before.library.get(name)
        if before.base.get(name) != then and (paper.id, name, str(then)) in self.published:
            return False  # The paper's other entry has it: this one is the preprint.
        citekey = item.values.get("citekey")
        if name == "citekey" and citekey not in (then, value):
            return False  # The entry has another key of the paper, which still identifies it.
        # Two entries under one key would be an error in every manuscript.
        return name != "citekey" or value == citekey or value not in self.citekeys

    def write(self, plan: Plan, history: History) -> Written:
        """Make the plan's changes.

        New entries follow the old ones, except before a parent of theirs in the file. Raises
        DocumentError if the file would not read back as written.
        """
        added = [change for change in plan.changes if isinstance(change, Add)]
        dialect = dialect_of(self.read.bib) if plan.changes else "bibtex"
        document, places = self._edited(plan, history, dialect)
        additions = document._additions(added, dialect) if added else []
        items, new_items = document.items, list[tuple[Add, Item]]()
        if additions:
            document, items, new_items = document._with_new(additions)
        placed = {
            position: items[places[entry.number]]
            for position, entry in enumerate(plan.kept)
            if entry.number in places
        }
        changed = ((plan.kept[position].number, item.entry) for position, item in placed.items())
        lost = (_date_lost(self.items[n].entry, entry) for n, entry in changed if n is not None)
        return Written(document, placed, new_items, lost=list(filter(None, lost)))

    def _edited(
        self, plan: Plan, history: History, dialect: Dialect
    ) -> tuple[BibFormat, dict[int, int]]:
        """Return the edited file without removed entries, and the numbers of those that stay."""
        removed = {change.number for change in plan.changes if isinstance(change, Remove)}
        stay = [item.number for item in self.items if item.number not in removed]
        places = {number: place for place, number in enumerate(stay)}
        new_texts = self._changed(plan, dialect)
        if not (removed or new_texts):
            return self, places
        texts = new_texts | dict.fromkeys(removed, "")
        document = self._written(plan, history, texts, places)
        document._refuse_misread(len(places))
        return document, places

    def _additions(self, added: Sequence[Add], dialect: Dialect) -> list[Addition]:
        """Return the entries of the added papers, in file order, and those they refer to.

        A paper's own entry comes from .bib files; otherwise a new one is made in the style of the
        file.
        """

        def as_document(read: ReadBib) -> BibFormat:
            return BibFormat(self.store, str(read.path), read, self.protect)

        own = own_entries(self.store, [add.paper for add in added], as_document)
        hand = hand_of(read_blocks(self.text))
        adds: dict[gather.SourceEntry, Add] = {}
        for add in added:
            citekey = add.paper.citekey
            if several := own.pop(add.paper.id, ()):
                entry = gather.own_under(citekey, several, is_biblatex=dialect == "biblatex")
            else:
                text = entry_of(
                    add.paper, dialect=dialect, protect=self.protect, extra=self.extra, hand=hand
                )
                entry = gather.SourceEntry(safe_key(citekey), text)
            adds[entry] = add
        papers = {paper.id: paper for paper in get_papers(self.store, list(own))}
        others = {entry: Add(papers[at], ()) for at, several in own.items() for entry in several}
        entries = gather.new_entries(self.text, self.name, adds, others)
        owners = {**others, **adds}
        return [(owners.get(entry.own) if entry.own else None, entry) for entry in entries]

    def _with_new(
        self, additions: Sequence[Addition]
    ) -> tuple[BibFormat, list[BibItem], list[tuple[Add, Item]]]:
        """Return the file with new entries, the items that it had, and those of added papers."""
        document = self.with_text(gather.with_new(self.text, [entry for _, entry in additions]))
        places = [(entry.at, False, add) for add, entry in additions if entry.is_work]
        places += ((item.entry.span[0], True, None) for item in self.items)
        places.sort(key=itemgetter(0, 1))
        document._refuse_misread(len(places))
        pairs = list(zip(document.items, places, strict=True))
        old = [item for item, (_, is_old, _) in pairs if is_old]
        return document, old, [(add, item) for item, (_, _, add) in pairs if add]

    def _refuse_misread(self, number: int) -> None:
        """Raise DocumentError unless the file is read as ``number`` entries."""
        if len(self.items) != number:
            raise DocumentError(
                f"{self.name} would not read back as it was written. It was left as it "
                "is; please report this with the file."
            )

    def _changed(self, plan: Plan, dialect: Dialect) -> dict[int, str]:
        """Return the new texts of changed entries, by number."""
        texts = {}
        for number, sets in plan.sets.items():
            entry, names = self.items[number].entry, [change.field for change in sets]
            text = writing.edited_entry(entry, sets[0].paper, names, dialect, self.protect)
            if text != entry.raw:
                texts[number] = text
        return texts

    def _written(
        self, plan: Plan, history: History, texts: Mapping[int, str], places: Mapping[int, int]
    ) -> BibFormat:
        """Return the file with these texts, and with references to changed keys updated.

        An entry gets its old text back if only exports edited it since, unless its @string or
        crossref changed.
        """
        renamed = writing.new_keys(self.read.bib.entries, plan)

        def make(batch: Sequence[Steps]) -> BibFormat:
            now = {**texts, **{number: back[0].entry.text for number, back in batch}}
            spans = {self.items[number].entry.span: text for number, text in now.items()}
            return self.with_text(with_references(edit.with_entries(self.text, spans), renamed))

        def find_misread(document: BibFormat, batch: Sequence[Steps]) -> list[Steps]:
            return [
                (number, back)
                for number, back in batch
                if places[number] >= len(document.items)
                or self.fields.exported(document.items[places[number]].values)
                != self.fields.exported(back[0].entry.base)
            ]

        steps = history.find_steps(plan, self.items, self.fields)
        return accepted([pair for pair in steps if pair[0] in texts], make, find_misread)[0]

    def end_export(self, added: Sequence[Paper]) -> None:
        if added:
            Citekeys(self.store).freeze([paper.id for paper in added])

    def with_text(self, text: str) -> BibFormat:
        """Return the same file with another text."""
        return replace(self, read=replace(self.read, text=text, bib=self.read.parse(text)))


def _date_lost(before: BibEntry, now: BibEntry) -> str:
    """Return a sentence about the month and day lost with another year, or nothing."""
    if before.raw == now.raw:
        return ""
    old, new = (dict(reversed(entry.fields)).get("date", "") for entry in (before, now))
    if len(old) <= len(new):
        return ""
    state = f"is now {new}, without month and day" if new else "is gone"
    return f"{now.citekey}: date {old} {state}. Write the whole date into the file if you know it."


def bib_reader(
    store: Store,
    path: Path,
    name: str,
    protect: Sequence[str] = (),
    extra: Sequence[str] = (),
    elsewhere: Sequence[Path] = (),
) -> Reader:
    """Return a reader of the .bib file at a path.

    ``protect`` are words whose capitals are kept in new and changed titles, ``extra`` the extra
    fields of new entries, ``elsewhere`` the files of its bibliography in other folders.
    """

    def read(registered: RegisteredDocument | None) -> BibFormat:
        file = reading.read_bib(path, elsewhere=elsewhere)
        is_of_others = registered is not None and registered.is_unread
        is_read_alike = registered is not None and last_read(store, registered.id, path) is not None
        return BibFormat(store, name, file, protect, extra, is_of_others, is_read_alike)

    return read
