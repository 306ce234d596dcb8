"""Finding the paper that an entry is about, or making it, and filling in what the entry knows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papertrack.documents.markdown.model import Entry
from papertrack.library import Library
from papertrack.records import Identifier, Paper
from papertrack.store.adding import FIELDS
from papertrack.store.categories import put_in_category
from papertrack.store.lookup import citekey_of, find_by_title, find_papers, get_paper, get_papers
from papertrack.store.papers import (
    add_identifiers,
    add_links,
    add_note,
    add_paper,
    edit_paper,
    set_kind,
)
from papertrack.store.states import add_tags, decide, rate, set_passes
from papertrack.store.store import Store
from papertrack.sync.markdown.values import SOURCE, entry_facts, entry_links, entry_notes
from papertrack.sync.threeway import Conflict
from papertrack.text import title_key

TELLING = 12
"""Letters from which on a title tells what it names: the same one means the same thing."""
UNMISTAKABLE = 25
"""Letters from which on it does so even when only one of the two is known to be a paper."""


@dataclass(frozen=True, slots=True)
class Linked:
    """The paper of an entry."""

    paper_id: int
    before: Paper | None
    """The paper as it was; None when it was made."""
    conflict: Conflict | None
    """Identifiers of the entry that belong to different papers: the strongest one was followed."""


@dataclass(frozen=True, slots=True)
class Linker:
    """What links the entries of one document."""

    store: Store
    library: Library
    path: Path
    document: str
    citekey_template: str

    def link(self, entry: Entry) -> Linked:
        """Find the entry's paper by its identifiers, then by its title; else make one.

        What the paper lacks is filled in, and it is in the entry's category from now on.
        """
        owners = find_papers(self.store, entry.identifiers)
        paper_id = next(iter(owners.values()), None)
        if paper_id is None:
            paper_id = self._find_by_title(entry)
        before = None
        if paper_id is None:
            paper_id = add_paper(
                self.store,
                entry_facts(entry),
                source=SOURCE,
                citekey_template=self.citekey_template,
            )
        else:
            before = get_paper(self.store, paper_id)
            self._fill_in(before, entry, owners)
        self._add_what_is_read(paper_id, entry, before)
        if entry.category:
            put_in_category(self.store, paper_id, entry.category)
        return Linked(paper_id, before, self._conflict(entry, owners))

    def owner(self, entry: Entry) -> int | None:
        """The paper that has the entry's strongest identifier that the library knows."""
        return next(iter(find_papers(self.store, entry.identifiers).values()), None)

    def _find_by_title(self, entry: Entry) -> int | None:
        """The one paper with this title, unless an identifier of the same scheme says otherwise.

        A preprint and its publication are so found to be one work; two blog posts called
        "Scaling Laws" at different addresses are not.
        """
        title = entry.fields.title
        length = len(title_key(title))
        schemes = {identifier.scheme for identifier in entry.identifiers}
        candidates = []
        for paper in get_papers(self.store, find_by_title(self.store, title)):
            others = {identifier.scheme for identifier in paper.facts.identifiers}
            if paper.facts.kind == entry.fields.kind:
                is_telling = length >= TELLING or not title.isascii()
                is_same = is_telling or (not others and self._is_in(paper, entry))
            else:
                is_same = length >= UNMISTAKABLE and not (schemes and others)
            if is_same and not schemes & others:
                candidates.append(paper.id)
        return candidates[0] if len(candidates) == 1 else None

    def _is_in(self, paper: Paper, entry: Entry) -> bool:
        """Whether the paper has all that an entry named "Roadmap" says: links, notes, category."""
        targets = {link.url for link in paper.facts.links} | set(paper.notes)
        said = {link.url for link in entry_links(entry)}
        said.update(entry_notes(entry, self.library, self.path))
        return said <= targets and entry.category in paper.categories

    def _fill_in(self, paper: Paper, entry: Entry, owners: dict[Identifier, int]) -> None:
        facts = entry_facts(entry)
        for name in FIELDS:
            value = getattr(facts, name)
            if value not in (None, ()) and getattr(paper.facts, name) in (None, ()):
                edit_paper(self.store, paper.id, name, value, source=SOURCE)
        if facts.identifiers and not paper.facts.identifiers:
            set_kind(self.store, paper.id, facts.kind)
        free = [i for i in facts.identifiers if owners.get(i, paper.id) == paper.id]
        add_identifiers(self.store, paper.id, free)
        add_links(self.store, paper.id, facts.links)
        if paper.decision == "inbox":
            decide(self.store, paper.id, "saved")

    def _add_what_is_read(self, paper_id: int, entry: Entry, before: Paper | None) -> None:
        fields = entry.fields
        notes = [n for n in entry_notes(entry, self.library, self.path) if "://" not in n]
        if not (fields.passes or fields.rating or fields.tags or notes):
            return
        if fields.passes and (before is None or before.passes_done < fields.passes):
            set_passes(self.store, paper_id, fields.passes, at=fields.read_at)
        if fields.rating and (before is None or before.rating is None):
            rate(self.store, paper_id, fields.rating)
        add_tags(self.store, paper_id, fields.tags)
        for note in notes:
            add_note(self.store, paper_id, note)

    def _conflict(self, entry: Entry, owners: dict[Identifier, int]) -> Conflict | None:
        if len(set(owners.values())) <= 1:
            return None
        keys = [citekey_of(self.store, paper_id) for paper_id in dict.fromkeys(owners.values())]
        return Conflict(
            file=self.document,
            line=entry.line,
            citekey=keys[0],
            field="identifiers",
            base=None,
            file_value=[f"{i.scheme}:{i.value}" for i in owners],
            library_value=keys,
        )
