"""Return papers' own .bib entries, with the library's changes since they were imported.

The texts are those of the last import or export. The export engine edits them, so an entry that is
cited elsewhere has the same text as in its file, or the text that the next export writes there.
"""

from __future__ import annotations

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
from papertrack.sync.bibtex.reading import FIELDS, ReadBib, fingerprint, values_of
from papertrack.sync.format import Format
from papertrack.sync.history import History
from papertrack.sync.items import Resolver
from papertrack.sync.plan import Planner
from papertrack.sync.threeway import COLUMNS, PUBLICATION, Values
from papertrack.text import group

_NO_DOCUMENT = 0
"""The document id of files that are no longer registered."""


def own_entries(
    store: Store, papers: Iterable[Paper], as_document: Callable[[ReadBib], Format]
) -> dict[int, list[SourceEntry]]:
    """Return the papers' entries from .bib files, by paper.

    Entries that are still in a file come first; of several with one key, only the first is
    returned. Papers to which the entries refer are included. An entry without a key, or with the
    key of another paper, gets its paper's key. ``as_document`` makes a document of a file.
    """
    keys = Citekeys(store)
    documents = tuple(f"{document.path}:" for document in read_documents(store, "bibtex"))
    texts = _Texts(store, as_document, documents)
    entries_of: dict[int, list[SourceEntry]] = {}
    waiting = {paper.id: paper for paper in papers}
    while waiting:
        rows = group(
            (row.paper_id, row)
            for row in read_texts(store, list(waiting))
            # Older versions imported any text as an entry of the JSON of another library.
            if any(block.kind == "entry" for block in read_blocks(row.text))
        )
        entries = {
            paper_id: list(texts.of_paper(waiting[paper_id], texts_of_paper))
            for paper_id, texts_of_paper in rows.items()
        }
        owners = keys.owners_of(own.citekey for several in entries.values() for own in several)
        grouped = {
            paper_id: _once_by_key(several, waiting[paper_id], owners)
            for paper_id, several in entries.items()
        }
        entries_of |= grouped
        sources = find_by_sources(
            store, {key for several in grouped.values() for key in _sources_named(several)}
        )
        waiting = {p.id: p for p in get_papers(store, [i for i in sources if i not in entries_of])}
    return entries_of


def _sources_named(entries: Iterable[SourceEntry]) -> Iterator[str]:
    """Return the sources of the entries that these name, as in ``KeptText.source``."""
    for own in entries:
        _, *blocks = (block for block in read_blocks(own.text) if block.kind == "entry")
        yield from (f"{own.file}:{block.key}" for block in blocks if block.type != "set")


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
    """Makes the current texts of entries."""

    store: Store
    as_document: Callable[[ReadBib], Format]
    documents: tuple[str, ...]
    """The starts of the sources of entries in documents."""
    histories: dict[int, History] = field(default_factory=dict)

    def of_paper(self, paper: Paper, rows: Sequence[KeptText]) -> Iterator[SourceEntry]:
        """Yield the paper's entries, in the order of the rows."""
        now = values_of(paper)
        for document_id, texts in groupby(
            self._left(paper, rows), lambda row: row.document_id or _NO_DOCUMENT
        ):
            of_one = list(texts)
            if all(_is_in_step(row, now) for row in of_one):
                for row in of_one:
                    key = entry_of_whole(row.text).key
                    yield SourceEntry(key, row.text, _file_of(row), key)
            else:
                yield from self._changed(paper, of_one, document_id)

    def _left(self, paper: Paper, rows: Sequence[KeptText]) -> Sequence[KeptText]:
        """Return the rows whose entries are in a file, and those with a key of the paper.

        Returns all rows if no entry is in a file.
        """
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
        """Return whether the row's document no longer has the entry under that key."""
        return row.entry is None and row.source.startswith(self.documents)

    def _changed(
        self, paper: Paper, rows: Sequence[KeptText], document_id: int
    ) -> Iterator[SourceEntry]:
        """Yield the paper's entries in one document, as an export would write them."""
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
        file = ReadBib(Path(_file_of(rows[0])), b"", text, "utf-8", bib)
        new_entries = self._made(file, stored, numbers, self.histories[document_id])
        for row, entry, key in zip(rows, new_entries, keys, strict=True):
            yield SourceEntry(entry.citekey or "", entry.whole, _file_of(row), key)

    def _made(
        self, file: ReadBib, stored: Sequence[StoredEntry], numbers: Sequence[int], history: History
    ) -> list[BibEntry]:
        """Return the entries of these numbers, as an export would write them."""
        name = str(file.path)
        document = self.as_document(file)
        present = [
            entry._replace(key=document.items[number].key, state=EntryState.LINKED)
            for entry, number in zip(stored, numbers, strict=True)
        ]
        planner = Planner(self.store, document, history, Resolver(self.store, name, None))
        result = document.write(planner.make_plan(present, ()), history).document
        entries = parse_bibtex(result.text).entries
        return [entries[number] for number in numbers]

    def _forgotten(self, paper: Paper, entry: BibEntry) -> StoredEntry:
        """Return a stored entry for one that no document remembers.

        Fields that the user edited count as equal to the entry, others as unchanged in the
        library.
        """
        edited = fields_of_reader(self.store, paper.id)
        now, values = values_of(paper), values_of(entry)
        then: Values = {
            n: (values if _field_of(n) in edited else now).get(n) for n in {*now, *values}
        }
        return StoredEntry("", paper.id, (), fingerprint(entry), values, then)


def _file_of(row: KeptText) -> str:
    """Return the file that had the row's entry."""
    key = row.entry.key if row.entry else entry_of_whole(row.text).key
    file, separator, _ = row.source.rpartition(f":{key}")
    return file if separator else row.source.partition(":")[0]


def _field_of(name: str) -> str:
    return "publication" if name.startswith(PUBLICATION) else COLUMNS.get(name, name)


def _is_in_step(row: KeptText, now: Values) -> bool:
    """Return whether neither the text nor the library's values have changed since."""
    if row.entry is None or FIELDS.exported(row.entry.library) != FIELDS.exported(now):
        return False
    return fingerprint(parse_whole(row.text)) == row.entry.text


def _numbers_of_own(rows: Sequence[KeptText], entries: Sequence[BibEntry]) -> list[int]:
    """Return the number of each text's own entry: its first one."""
    starts = [entry.span[0] for entry in entries]
    numbers, at = [], 0
    for row in rows:
        numbers.append(next(number for number, start in enumerate(starts) if start >= at))
        at += len(row.text) + 2
    return numbers
