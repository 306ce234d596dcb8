"""Files of BibTeX as a format of the engine."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from papertrack.documents.bibtex.blocks import read_blocks
from papertrack.documents.bibtex.edit import (
    deleted_hunk,
    left_between,
    removed_hunk,
    with_entries,
    with_hunks,
)
from papertrack.documents.bibtex.facts import BibEntry
from papertrack.documents.bibtex.fresh import Dialect, dialect_of, entry_of, hand_of, safe_key
from papertrack.documents.bibtex.gather import (
    NewEntry,
    SourceEntry,
    new_entries,
    own_under,
    with_new,
)
from papertrack.documents.bibtex.grounds import entry_of_whole, with_references
from papertrack.documents.encoding import encode_bib
from papertrack.documents.hunks import Hunk
from papertrack.errors import DocumentError
from papertrack.records import Identifier, Paper, Skipped
from papertrack.store.citekeys import Citekeys
from papertrack.store.documents import EntryState, RegisteredDocument, StoredEntry
from papertrack.store.lookup import citekey_of, find_by_citekey, get_paper, get_papers
from papertrack.store.papers import keep_original
from papertrack.store.store import Store
from papertrack.store.versions import get_originals
from papertrack.sync.bibtex import reading
from papertrack.sync.bibtex.linking import Linking, Work, group_entries, papers_by_key
from papertrack.sync.bibtex.own import own_entries
from papertrack.sync.bibtex.reading import BibItem, ReadBib
from papertrack.sync.bibtex.writing import (
    edited_entry,
    is_same_paper,
    key_of,
    new_keys,
    says_again,
)
from papertrack.sync.format import Entries, Format, Linked, Reader, Told, Written
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
from papertrack.sync.items import Add, Asking, Item, Plan, Remove, match_by, papers_in
from papertrack.sync.taking_over import take_identifier
from papertrack.sync.threeway import PUBLICATION, Values
from papertrack.text import shorten

Addition = tuple[Add | None, NewEntry]
"""An entry that is added; the paper is None where the library has none of it."""


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
    """Whether other devices know the file, and this one reads it the first time."""
    items: Sequence[BibItem] = field(init=False)

    def __post_init__(self) -> None:
        self.path, self.data = self.read.path, self.read.data
        self.text, self.encoding = self.read.text, self.read.encoding
        self.items = reading.items_of(self.read.bib)
        self.told = Told(skipped=list(self.read.bib.skipped), notices=self._notices())
        self.published: set[tuple[int, str, str]] = set()
        """What the file's entries say of how their papers were published, as the library does."""
        self.citekeys: set[str | None] = set()
        self._by_new_key: dict[int, int] = {}
        """Number of an item that goes by another key than last time → the paper that it names."""

    def _notices(self) -> list[Skipped]:
        """What is odd about the entries themselves."""
        return [
            Skipped(entry.line, problem, shorten(entry.raw))
            for entry in self.read.bib.entries
            for problem in entry.problems
        ]

    def library_values(self, paper: Paper) -> Values:
        return reading.paper_values(paper)

    def matches(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        """By key, identifier, then title."""
        return match_by(reading.RULES, stored, self.items)

    def is_unchanged(self, item: Item, before: StoredEntry) -> bool:
        is_settled = before.state in (EntryState.LINKED, EntryState.REMOVED)
        return is_settled and item.text == before.text

    def begin_import(
        self, stored: Sequence[StoredEntry], matches: Mapping[int, int]
    ) -> Sequence[StoredEntry]:
        """See which entries go by the key of another paper by now that their work has as well."""
        then = {number: stored[at].base.get("citekey") for number, at in matches.items()}
        changed = [
            item
            for item in self.items
            if item.number in then and item.values.get("citekey") != then[item.number]
        ]
        self._by_new_key = papers_by_key(self.store, {one.number: one.entry for one in changed})
        return stored

    def owner(self, item: Item) -> int | None:
        """The paper whose key the entry goes by now: of two that a merge on one device and work on
        another left of one work, else each device would write the key of its own."""
        return self._by_new_key.get(item.number)

    def link(self, items: Sequence[Item], asking: Asking) -> Sequence[Linked]:
        """Find the works that the entries are of, and make or complete their papers together."""
        fresh = [self.items[item.number] for item in items]
        grouped = group_entries(self.store, [item.entry for item in fresh])
        keys = Citekeys(self.store)
        names = {item.entry.span: item.key for item in fresh}
        asked = self.store, grouped, self.name, names, keys, self.told
        found = Linking(*asked, is_of_others=self.is_of_others).link()
        for item in fresh:
            span = item.entry.span
            for identifier, owner in grouped.clashes.get(span, {}).items():
                if owner.paper != found[span].paper_id:
                    found[span] = self._settled(identifier, owner, item, found[span], asking)
        return [found[item.entry.span] for item in fresh]

    def keep(self, item: Item, paper_id: int) -> None:
        """Keep the entry's text, with what it needs, with its paper."""
        whole = self.items[item.number].entry.whole
        keep_original(self.store, paper_id, f"{self.name}:{item.key}", whole)

    def end_import(self, known: Entries) -> None:
        self.told.notices.sort(key=lambda notice: notice.line)
        # Entries that are on others are kept again: these may be written otherwise by now, though
        # what is taken from them is the same.
        for item in self.items:
            entry, stored = item.entry, known.get(item.number)
            if entry.whole != entry.raw and stored and stored.state is EntryState.LINKED:
                self.keep(item, stored.paper)

    def _settled(
        self, identifier: Identifier, owner: Work, item: BibItem, linked: Linked, asking: Asking
    ) -> Linked:
        """Ask whose an entry's identifier is that belongs to another work than its own."""
        scheme, value = identifier.scheme, identifier.value
        library = linked.library or {}
        if scheme == "url" or item.values.get(scheme) != value:
            # Works may share a page, which stays a link of both. Of other values that are not
            # compared again it is enough to know.
            named = f"address {value}" if scheme == "url" else f"{scheme}:{value}"
            owner_key = citekey_of(self.store, owner.paper)
            reason = f"its {named} belongs to {owner_key}, and can identify only one of them"
            self.told.notices.append(Skipped(item.line, reason, shorten(item.entry.raw)))
            return linked
        citekey = citekey_of(self.store, linked.paper_id)
        side = asking.ask(item.line, citekey, scheme, None, value, library.get(scheme))
        if side == "file":
            take_identifier(self.store, linked.paper_id, identifier)
            return replace(linked, library=library | {scheme: value})
        return replace(linked, open=linked.open | {scheme}) if side is None else linked

    def told_again(self, known: Entries, data: bytes) -> Told:
        # What linking had to tell, it does not tell of entries that are linked.
        return Told(skipped=self.told.skipped, notices=self._notices())

    def encoded(self) -> bytes:
        return encode_bib(self.text, self.read.encoding, self.data)

    def put_back(
        self, stored: Sequence[StoredEntry], history: History
    ) -> tuple[BibFormat, Sequence[StoredEntry]]:
        present = [stored[position] for position in self.matches(stored).values()]
        known = papers_in(self.store, self.items, present)
        entries, keys = self.read.bib.entries, [item.key for item in self.items]
        used = {*keys, *(entry.citekey for entry in entries)}
        # Whom the reader unlinked from the file has no entry to come back.
        settled = {*known, *(one.paper_id for one in stored)}
        returns = [
            *self._find_deleted(history, stored, known, used),
            *self._find_removed(history, settled, used),
        ]

        def apply(hunks: Sequence[Hunk]) -> tuple[BibFormat, Sequence[Hunk]]:
            return self.with_text(with_hunks(self.text, entries, keys, hunks)), ()

        again, done = put_back(returns, self, apply, key_of, says_again)
        if not done or len(again.items) != len(self.items) + len(done):
            return self, stored
        returned = {one.paper_id for one in done}
        left = [one for one in stored if one.paper_id not in returned]
        return again, with_returned(left, again.items, done, key_of)

    def _find_deleted(
        self,
        history: History,
        stored: Sequence[StoredEntry],
        present: Collection[int | None],
        used: Collection[str | None],
    ) -> Iterator[Return]:
        """Entries deleted by hand that are wanted back and of which the text is known: as the file
        or an export wrote it last. ``present`` are the papers and ``used`` the keys that are there.
        """
        wanted = {
            position: one
            for position, one in enumerate(stored)
            if one.state is EntryState.WANTED and one.paper_id not in present
            if one.key not in used
        }
        formers = {number: history.former_of(one) for number, one in wanted.items()}
        texts = [one.entry.text for one in formers.values() if one]
        for one in wanted.values():
            originals = get_originals(self.store, one.paper).items()
            here = [text for source, text in originals if source.startswith(f"{self.name}:")]
            texts += [entry_of_whole(text).raw for text in here]
        # Read together with the file, whose @strings and parents they may use.
        known = self.read.parse("\n\n".join([self.read.text, *texts])).entries if texts else ()
        raws = {reading.fingerprint(entry): entry.raw for entry in known}
        keys = [one.key for one in stored]
        for number, one in wanted.items():
            if one.text in raws:
                raw, former = raws[one.text], formers[number]
                noted = self._hunks_of(history, former) if former else ()
                is_same = any(unit.text == raw for hunk in noted for unit in hunk.units)
                yield Return(
                    one, one.paper, noted if is_same else (deleted_hunk(raw, keys, number),)
                )

    def _find_removed(
        self, history: History, present: Collection[int | None], used: Collection[str | None]
    ) -> Iterator[Return]:
        """Entries that went with papers that are there again."""
        for removed in history.removed:
            citekey = removed.entry.base.get("citekey", "")
            paper_id = find_by_citekey(self.store, citekey)
            if paper_id is None or paper_id in present or {citekey, removed.entry.key} & {*used}:
                continue
            now = reading.paper_values(get_paper(self.store, paper_id))
            is_same = is_same_paper(now, removed.entry.library)
            if is_same and (hunks := self._hunks_of(history, removed)):
                yield Return(gone(removed.entry), paper_id, hunks)

    def _hunks_of(self, history: History, former: Former) -> tuple[Hunk, ...]:
        """What went with an entry; nothing where that is not known."""
        then, now = map(self.with_text, history.texts_around(former))
        keys = [item.key for item in then.items]
        words = [(item.key, item.words) for item in then.items]
        name = former.entry.key, former.entry.text
        # One deleted by hand that was the only one stood beside nothing.
        if name not in words or (len(keys) == 1 and not former.is_ours):
            return ()
        number = words.index(name)
        around = [None, *keys, None]
        here = now.text, now.read.bib.entries, [item.key for item in now.items]
        left = left_between(*here, (around[number], around[number + 2]))
        return in_order(
            [removed_hunk(then.text, then.read.bib.entries, keys, number, left)], former
        )

    def begin_export(self, present: Sequence[StoredEntry]) -> None:
        self.citekeys = {entry.citekey for entry in self.read.bib.entries}
        self.published = {
            (entry.paper, name, str(value))
            for entry in present
            if entry.state is not EntryState.REMOVED
            for name, value in entry.base.items()
            if name in reading.PUBLISHED or name.startswith(PUBLICATION)
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
        """Make the plan's changes; the entries added come after those that stay, but for parents
        of theirs that are there.

        Raises DocumentError when the file would not be read as it was written.
        """
        added = [change for change in plan.changes if isinstance(change, Add)]
        dialect = dialect_of(self.read.bib) if plan.changes else "bibtex"
        document, places = self._edited(plan, history, dialect)
        new = document._additions(added, dialect) if added else []
        if new:
            document, now = document._with_new([one for _, one in new])
            places = {number: now[place] for number, place in places.items()}
        items = document.items
        placed = {
            position: items[places[kept.number]]
            for position, kept in enumerate(plan.kept)
            if kept.number in places
        }
        lost = [
            sentence
            for position, item in placed.items()
            if (number := plan.kept[position].number) is not None
            and (sentence := _date_lost(self.items[number].entry, item.entry))
        ]
        return Written(document, placed, document._added(new, places), lost=lost)

    def _edited(
        self, plan: Plan, history: History, dialect: Dialect
    ) -> tuple[BibFormat, dict[int, int]]:
        """The file without what goes and with what changes, and the new number of each entry that
        stays."""
        removed = {change.number for change in plan.changes if isinstance(change, Remove)}
        stay = [item.number for item in self.items if item.number not in removed]
        places = {number: place for place, number in enumerate(stay)}
        changed = self._changed(plan, dialect)
        if not (removed or changed):
            return self, places
        texts = changed | dict.fromkeys(removed, "")
        document = self._written(plan, history, texts, places)
        document._refuse_misread(len(places))
        return document, places

    def _added(self, new: Sequence[Addition], places: Mapping[int, int]) -> list[tuple[Add, Item]]:
        """The papers added, each with its entry: the works at no place of an older one."""
        free = sorted({item.number for item in self.items} - set(places.values()))
        works = [add for add, one in new if one.is_work]
        return [(add, self.items[number]) for add, number in zip(works, free, strict=True) if add]

    def _additions(self, added: Sequence[Add], dialect: Dialect) -> list[Addition]:
        """The entries of the papers added, in the order of the file, with those that they name.

        A paper has its own where .bib files brought it, else a new one in the hand of the file.
        """

        def as_document(read: ReadBib) -> BibFormat:
            return BibFormat(self.store, str(read.path), read, self.protect)

        own = own_entries(self.store, [one.paper for one in added], as_document)
        hand = hand_of(read_blocks(self.text))
        adds: dict[SourceEntry, Add] = {}
        for one in added:
            citekey = one.paper.citekey
            if several := own.pop(one.paper.id, ()):
                entry = own_under(citekey, several, is_biblatex=dialect == "biblatex")
            else:
                text = entry_of(
                    one.paper, dialect=dialect, protect=self.protect, extra=self.extra, hand=hand
                )
                entry = SourceEntry(safe_key(citekey), text)
            adds[entry] = one
        papers = {one.id: one for one in get_papers(self.store, list(own))}
        others = {one: Add(papers[at], ()) for at, several in own.items() for one in several}
        new = new_entries(self.text, self.name, adds, others)
        owners = {**others, **adds}
        return [(owners.get(one.own) if one.own else None, one) for one in new]

    def _with_new(self, new: Sequence[NewEntry]) -> tuple[BibFormat, list[int]]:
        """The file with these entries, and the new numbers of those it has."""
        document = self.with_text(with_new(self.text, new))
        works = sorted(one.at for one in new if one.is_work)
        document._refuse_misread(len(self.items) + len(works))
        starts = (item.entry.span[0] for item in self.items)
        numbers = [n + bisect_right(works, start) for n, start in enumerate(starts)]
        return document, numbers

    def _refuse_misread(self, number: int) -> None:
        """Raise DocumentError unless it is read as so many entries."""
        if len(self.items) != number:
            raise DocumentError(
                f"{self.name} would not read back as it was written. It was left as it "
                "is; please report this with the file."
            )

    def _changed(self, plan: Plan, dialect: Dialect) -> dict[int, str]:
        """Number of an entry → its text that says what the library says."""
        changed = {}
        for number, several in plan.sets.items():
            entry, names = self.items[number].entry, [change.field for change in several]
            text = edited_entry(entry, several[0].paper, names, dialect, self.protect)
            if text != entry.raw:
                changed[number] = text
        return changed

    def _written(
        self,
        plan: Plan,
        history: History,
        texts: Mapping[int, str],
        places: Mapping[int, int],
    ) -> BibFormat:
        """The file with these texts of entries; what names one that has a new key follows it.

        An entry gets its old text if only exports edited it since; but not where its @string or
        crossref has come to say something else.
        """

        def make(left: Sequence[Steps]) -> BibFormat:
            now = {**texts, **{number: back[0].entry.text for number, back in left}}
            spans = {self.items[number].entry.span: text for number, text in now.items()}
            renamed = new_keys(self.read.bib.entries, spans)
            return self.with_text(with_references(with_entries(self.text, spans), renamed))

        def find_misread(made: BibFormat, left: Sequence[Steps]) -> list[Steps]:
            return [
                (number, back)
                for number, back in left
                if places[number] >= len(made.items)
                or self.fields.exported(made.items[places[number]].values)
                != self.fields.exported(back[0].entry.base)
            ]

        steps = history.find_steps(plan, self.items, self.fields)
        return accepted([one for one in steps if one[0] in texts], make, find_misread)[0]

    def end_export(self, added: Sequence[Paper]) -> None:
        if added:
            Citekeys(self.store).freeze([paper.id for paper in added])

    def with_text(self, text: str) -> BibFormat:
        """The same file with another text."""
        return replace(self, read=replace(self.read, text=text, bib=self.read.parse(text)))


def _date_lost(before: BibEntry, now: BibEntry) -> str:
    """The sentence about a month and a day that went with another year, or nothing."""
    if before.raw == now.raw:
        return ""
    old, new = (dict(reversed(entry.fields)).get("date", "") for entry in (before, now))
    if len(old) <= len(new):
        return ""
    left = f"is now {new}, without month and day" if new else "is gone"
    return f"{now.citekey}: date {old} {left}. Write the whole date into the file if you know it."


def bib_reader(
    store: Store,
    path: Path,
    name: str,
    protect: Sequence[str] = (),
    extra: Sequence[str] = (),
    elsewhere: Sequence[Path] = (),
) -> Reader:
    """Reads the .bib file at a path; ``protect`` are words whose capitals are kept in new and
    changed titles, ``extra`` fields that new entries have, ``elsewhere`` the other files of its
    bibliography that are not in its folder."""

    def read(registered: RegisteredDocument | None) -> BibFormat:
        found = reading.read_bib(path, elsewhere=elsewhere)
        is_of_others = registered is not None and registered.is_unread
        return BibFormat(store, name, found, protect, extra, is_of_others=is_of_others)

    return read
