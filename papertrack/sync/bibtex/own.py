"""The entries that .bib files brought, each as its own text with what the library changed since.

The text is that of the last import or export; changes are made by the engine that makes them in the
files, so an entry that leaves the library says what it says, or would say, where it stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from papertrack.documents.bibtex.blocks import read_blocks
from papertrack.documents.bibtex.facts import BibEntry
from papertrack.documents.bibtex.gather import SourceEntry
from papertrack.documents.bibtex.grounds import entry_of_whole
from papertrack.documents.bibtex.parse import parse_bibtex, parse_whole
from papertrack.records import Paper
from papertrack.store.citekeys import Citekeys
from papertrack.store.documents import EntryState, KeptText, StoredEntry, read_documents, read_texts
from papertrack.store.lookup import fields_of_reader, get_papers
from papertrack.store.store import Store
from papertrack.store.versions import find_by_sources
from papertrack.sync.bibtex.reading import FIELDS, ReadBib, entry_values, fingerprint, paper_values
from papertrack.sync.format import Format
from papertrack.sync.history import History
from papertrack.sync.items import Asking
from papertrack.sync.plan import Planner
from papertrack.sync.threeway import PUBLICATION, Values

_FORGOTTEN = 0
"""In the place of a document's number, for files that the library does not feed any more."""
_FIELD_OF = {"type": "published_type"}
"""What the library calls a value of an entry, where that is not the same."""


def own_entries(
    store: Store, papers: Iterable[Paper], as_document: Callable[[ReadBib], Format]
) -> dict[int, list[SourceEntry]]:
    """By paper the entries that .bib files brought of it: those that are there still before
    others, and of several with one key the first. The papers whose entries these name are there,
    too.

    One of which the key is that of another paper, or that has none, gets its paper's. The engine
    knows entries ``as_document``.
    """
    keys = Citekeys(store)
    documents = tuple(f"{one.path}:" for one in read_documents(store, "bibtex"))
    texts = _Texts(store, as_document, documents)
    found: dict[int, list[SourceEntry]] = {}
    waiting = {paper.id: paper for paper in papers}
    while waiting:
        rows: dict[int, list[KeptText]] = defaultdict(list)
        for row in read_texts(store, list(waiting)):
            rows[row.paper_id].append(row)
        entries = {
            paper_id: list(texts.of_paper(waiting[paper_id], kept))
            for paper_id, kept in rows.items()
        }
        owners = keys.owners_of(own.citekey for several in entries.values() for own in several)
        made = {
            paper_id: _once_by_key(several, waiting[paper_id], owners)
            for paper_id, several in entries.items()
        }
        found |= made
        named = find_by_sources(
            store, {key for several in made.values() for key in _named(several)}
        )
        waiting = {one.id: one for one in get_papers(store, [i for i in named if i not in found])}
    return found


def _named(several: Iterable[SourceEntry]) -> Iterator[str]:
    """Return the sources of the entries that these name, as in ``KeptText.source``."""
    for own in several:
        _, *others = (block for block in read_blocks(own.text) if block.kind == "entry")
        yield from (f"{own.file}:{one.key}" for one in others if one.type != "set")


def _once_by_key(
    entries: Iterable[SourceEntry], paper: Paper, owners: Mapping[str, int]
) -> list[SourceEntry]:
    by_key: dict[str, SourceEntry] = {}
    for own in entries:
        is_free = own.citekey and owners.get(own.citekey, paper.id) == paper.id
        key = own.citekey if is_free else paper.citekey
        by_key.setdefault(key, own._replace(citekey=key))
    return list(by_key.values())


@dataclass(slots=True)
class _Texts:
    """What makes the texts of entries of today."""

    store: Store
    as_document: Callable[[ReadBib], Format]
    documents: tuple[str, ...]
    """The starts of the sources of entries that stand in documents."""
    histories: dict[int, History] = field(default_factory=dict)

    def of_paper(self, paper: Paper, rows: Sequence[KeptText]) -> Iterator[SourceEntry]:
        """The paper's entries, in the order of the rows."""
        now = paper_values(paper)
        for document_id, several in groupby(
            self._left(paper, rows), lambda row: row.document_id or _FORGOTTEN
        ):
            of_one = list(several)
            if all(_is_in_step(row, now) for row in of_one):
                for row in of_one:
                    key = entry_of_whole(row.text).key
                    yield SourceEntry(key, row.text, _file_of(row), key)
            else:
                yield from self._changed(paper, of_one, document_id)

    def _left(self, paper: Paper, rows: Sequence[KeptText]) -> Sequence[KeptText]:
        """The rows that speak for the paper: those of which the entry stands in a file. Others do
        where there is none, or under a key that none has."""
        standing = [row for row in rows if row.entry is not None and row.entry.is_in_file]
        if len(standing) in (0, len(rows)):
            return rows
        names = {key.casefold() for key in (paper.citekey, *paper.citekey_aliases)}
        return standing + [
            row
            for row in rows
            if row not in standing
            and entry_of_whole(row.text).key.casefold() in names
            and not self._has_left(row)
        ]

    def _has_left(self, row: KeptText) -> bool:
        """Whether the row's file is a document and has the entry no more, under that key."""
        return row.entry is None and row.source.startswith(self.documents)

    def _changed(
        self, paper: Paper, rows: Sequence[KeptText], document_id: int
    ) -> Iterator[SourceEntry]:
        """The entries that a paper has in one document, as an export there makes them."""
        if document_id not in self.histories:
            self.histories[document_id] = History(self.store, document_id)
        keys = [entry_of_whole(row.text).key for row in rows]
        text = "\n\n".join(row.text for row in rows)
        bib = parse_bibtex(text)
        numbers = _numbers_of_own(rows, bib.entries)
        stored = [
            row.entry or self._forgotten(paper, bib.entries[number])
            for row, number in zip(rows, numbers, strict=True)
        ]
        read = ReadBib(Path(_file_of(rows[0])), b"", text, "utf-8", bib)
        made = self._made(read, stored, numbers, self.histories[document_id])
        for row, entry, key in zip(rows, made, keys, strict=True):
            yield SourceEntry(entry.citekey or "", entry.whole, _file_of(row), key)

    def _made(
        self,
        read: ReadBib,
        stored: Sequence[StoredEntry],
        numbers: Sequence[int],
        history: History,
    ) -> list[BibEntry]:
        """The entries of these numbers of a file, as an export makes them."""
        name = str(read.path)
        document = self.as_document(read)
        present = [
            one._replace(key=document.items[number].key, state=EntryState.LINKED)
            for one, number in zip(stored, numbers, strict=True)
        ]
        planner = Planner(self.store, document, history, Asking(self.store, name, None))
        written = document.write(planner.make_plan(present, ()), history).document
        entries = parse_bibtex(written.text).entries
        return [entries[number] for number in numbers]

    def _forgotten(self, paper: Paper, entry: BibEntry) -> StoredEntry:
        """What both sides said when an entry was in step that nobody remembers: of what the reader
        edited what the entry says, and of all else that the library's word is none."""
        edited = fields_of_reader(self.store, paper.id)
        now, said = paper_values(paper), entry_values(entry)
        then: Values = {
            name: (said if _field_of(name) in edited else now).get(name) for name in {*now, *said}
        }
        return StoredEntry("", paper.id, (), fingerprint(entry), said, then)


def _file_of(row: KeptText) -> str:
    """The file that the row's entry stood in."""
    key = row.entry.key if row.entry else entry_of_whole(row.text).key
    named, separator, _ = row.source.rpartition(f":{key}")
    return named if separator else row.source.partition(":")[0]


def _field_of(name: str) -> str:
    return "publication" if name.startswith(PUBLICATION) else _FIELD_OF.get(name, name)


def _is_in_step(row: KeptText, now: Values) -> bool:
    """Whether the text is what was last read or written, and the library says what it said then."""
    if row.entry is None or FIELDS.exported(row.entry.library) != FIELDS.exported(now):
        return False
    return fingerprint(parse_whole(row.text)) == row.entry.text


def _numbers_of_own(rows: Sequence[KeptText], entries: Sequence[BibEntry]) -> list[int]:
    """Which of the entries of all texts is each text's own: its first one."""
    starts = [entry.span[0] for entry in entries]
    numbers, at = [], 0
    for row in rows:
        numbers.append(next(number for number, start in enumerate(starts) if start >= at))
        at += len(row.text) + 2
    return numbers
