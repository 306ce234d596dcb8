"""``papertrack merge --undo``: a key that was joined to a paper gets a paper of its own again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papertrack.documents.bibtex.model import BibEntry
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.errors import ConflictError, NotFoundError, PapertrackError, UsageError
from papertrack.library import Library
from papertrack.library.paths import path_of_name
from papertrack.records import Paper, PaperFacts
from papertrack.store.documents import (
    RegisteredDocument,
    StoredEntry,
    read_documents,
    read_entries,
    write_entries,
)
from papertrack.store.known import mark_different
from papertrack.store.lookup import field_sources, find_by_citekey, get_paper
from papertrack.store.originals import get_originals
from papertrack.store.papers import FIELDS, NewPaper, edit_paper, remove_link
from papertrack.store.parting import find_merge, part_paper
from papertrack.store.store import Store
from papertrack.sync.bibtex.linking import joined_facts
from papertrack.sync.bibtex.reading import SOURCE, paper_values, read_bib
from papertrack.sync.threeway import Values, with_changes
from papertrack.text import few


def split_off(store: Store, library: Library, citekey: str) -> tuple[str, str]:
    """Give a key that was joined to a paper a paper of its own; return both papers' keys.

    A merge is taken back where nothing stands on it; else the new paper is what the `.bib` entries
    under the key say. That they are two works is remembered. Raises NotFoundError for a key that no
    paper has or of which no entry is known, and UsageError for a paper's own key.
    """
    paper = _joined_paper(store, citekey)
    if not _take_back_merge(store, paper, citekey):
        _Split(store, library, paper, citekey).run()
    return paper.citekey, citekey


def _joined_paper(store: Store, citekey: str) -> Paper:
    paper_id = find_by_citekey(store, citekey)
    if paper_id is None:
        raise NotFoundError(
            f"No paper has the key {citekey!r}. `papertrack show PAPER --json` lists those it had."
        )
    paper = get_paper(store, paper_id)
    if citekey.lower() == paper.citekey.lower():
        others = few(paper.citekey_aliases)
        raise UsageError(
            f"{citekey} is the paper's own key. Name the one to split off: {others}."
            if others
            else f"{citekey} is the only key of its paper: nothing was joined to it."
        )
    return paper


def _take_back_merge(store: Store, paper: Paper, citekey: str) -> bool:
    """Undo the merge that took in the paper with this key, if there was one and it can be."""
    merge = find_merge(store, citekey)
    if merge is None:
        return False
    try:
        with store.transaction():
            store.undo(merge)
            parted = find_by_citekey(store, citekey)
            if parted is not None:
                with store.action("split", f"{citekey} from {paper.citekey}"):
                    mark_different(store, paper.id, parted)
    except ConflictError:
        return False
    return True


@dataclass(frozen=True)
class _Entries:
    """What a .bib file has of a paper."""

    document: RegisteredDocument
    stored: Sequence[StoredEntry]
    """All entries of the document, as last seen."""
    read: Sequence[BibEntry]
    """Those of the paper."""


@dataclass(frozen=True)
class _Split:
    """One key on its way out of a paper."""

    store: Store
    library: Library
    paper: Paper
    citekey: str

    def run(self) -> None:
        files = list(self._files())
        every = [entry for one in files for entry in one.read]
        leaving = [entry for entry in every if self._leaves(entry.citekey)]
        staying = [entry for entry in every if not self._leaves(entry.citekey)]
        if not leaving:
            raise NotFoundError(
                f"No .bib file of the library has an entry {self.citekey}: what it would say of "
                "a paper of its own is not known."
            )
        with self.store.action("split", f"{self.citekey} from {self.paper.citekey}"):
            new = self._new_paper(leaving, staying)
            new_id = part_paper(self.store, self.paper.id, new, source=SOURCE)
            self._forget(joined_facts(leaving[0].facts, leaving[1:]), staying)
            kept = paper_values(get_paper(self.store, self.paper.id))
            own = paper_values(get_paper(self.store, new_id))
            before = paper_values(self.paper)
            for one in files:
                parted = [
                    entry._replace(paper_id=new_id, library=own)
                    if self._is_of_paper(entry) and self._leaves(entry.base.get("citekey"))
                    else self._in_step(entry, before, kept)
                    for entry in one.stored
                ]
                write_entries(self.store, one.document.id, parted)

    def _leaves(self, citekey: object) -> bool:
        return str(citekey or "").lower() == self.citekey.lower()

    def _is_of_paper(self, entry: StoredEntry) -> bool:
        return entry.paper_id == self.paper.id

    def _in_step(self, entry: StoredEntry, before: Values, now: Values) -> StoredEntry:
        """An entry that stays: what the paper has lost was not taken away by its reader."""
        if not self._is_of_paper(entry):
            return entry
        return entry._replace(library=with_changes(entry.library, before, now))

    def _files(self) -> Iterator[_Entries]:
        for document in read_documents(self.store, "bibtex"):
            stored = read_entries(self.store, document.id)
            keys = {entry.base.get("citekey") for entry in stored if self._is_of_paper(entry)}
            if keys:
                read = [entry for entry in self._read(document) if entry.citekey in keys]
                yield _Entries(document, stored, read)

    def _read(self, document: RegisteredDocument) -> Sequence[BibEntry]:
        """The entries of the file, or as they were kept with the paper if it cannot be read."""
        path = path_of_name(self.library, document.path)
        try:
            return read_bib(path).bib.entries
        except PapertrackError:
            kept = get_originals(self.store, self.paper.id).items()
            texts = [text for source, text in kept if source.startswith(f"{document.path}:")]
            return parse_bibtex("\n\n".join(texts), file=document.path).entries

    def _new_paper(self, leaving: Sequence[BibEntry], staying: Sequence[BibEntry]) -> NewPaper:
        facts = joined_facts(leaving[0].facts, leaving[1:])
        said = {one for entry in staying for one in entry.facts.identifiers}
        # Without another entry, what the paper goes by first is what it was before.
        said = said or set(self.paper.facts.identifiers[:1])
        every = (one for entry in leaving for one in entry.facts.identifiers)
        own = tuple(one for one in dict.fromkeys(every) if one not in said)
        originals = get_originals(self.store, self.paper.id).items()
        kept = [
            (s, text) for s, text in originals if s.lower().endswith(f":{self.citekey.lower()}")
        ]
        return NewPaper(
            facts._replace(identifiers=own),
            next(entry.citekey for entry in leaving if entry.citekey),
            is_citekey_given=True,
            originals=tuple(kept),
        )

    def _forget(self, gone: PaperFacts, staying: Sequence[BibEntry]) -> None:
        """Take from the paper what only the entries that leave have said of it."""
        left = PaperFacts()
        if staying:
            left = joined_facts(staying[0].facts, staying[1:])
        facts, sources = self.paper.facts, field_sources(self.store, self.paper.id)
        for name in FIELDS:
            value, own = getattr(facts, name), getattr(left, name)
            is_theirs = sources.get(name) == SOURCE and value == getattr(gone, name)
            if is_theirs and value != own and (own or name != "title"):
                edit_paper(self.store, self.paper.id, name, own, source=SOURCE)
        for link in facts.links:
            if link in gone.links and link not in left.links and staying:
                remove_link(self.store, self.paper.id, link.role, link.url)
