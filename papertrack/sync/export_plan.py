"""What an export has to change in one document: the library's changes since both were in step."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from papertrack.documents.markdown.model import Entry
from papertrack.documents.markdown.roles import is_web
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Move,
    Remove,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
)
from papertrack.library import Library
from papertrack.library.paths import note_name, note_url
from papertrack.records import LinkRole, Paper
from papertrack.store.categories import format_path
from papertrack.store.documents import (
    EntryState,
    StoredEntry,
    entries_of_paper,
    papers_without_entry,
)
from papertrack.store.lookup import fields_of_reader, find_papers, get_paper, get_papers
from papertrack.store.store import Store
from papertrack.sync.export_new import day_of_pass, day_submitted, fields_of_new
from papertrack.sync.history import History
from papertrack.sync.markdown.items import items_of
from papertrack.sync.markdown.matching import match_entries
from papertrack.sync.markdown.reading import ReadDocument
from papertrack.sync.markdown.values import (
    EXPORTED_ROLES,
    EXPORTED_SCALARS,
    entry_values,
    library_values,
)
from papertrack.sync.threeway import (
    Conflict,
    Prefer,
    Side,
    Values,
    capped,
    compare,
    compare_sets,
    decide_conflict,
    without,
)

Category = tuple[str, ...]
BEYOND = {
    1: "The document tells read from unread: it has no place for a second or third pass.",
    2: "The document tells skimmed from read: it has no place for a third pass.",
}
"""Sentences about passes that a document's marks cannot tell apart, by how many they can."""


def field_of(edit: Edit) -> str | None:
    """The field that an edit sets, by its name among the values; None for an entry as a whole."""
    if isinstance(edit, SetLink):
        return edit.role
    names = {SetPasses: "passes", SetRating: "rating", SetTitle: "title", SetDate: "date"}
    return names.get(type(edit))


@dataclass(slots=True)
class Plan:
    """The edits of one document, and what to remember once they are made."""

    edits: list[Edit] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """Sentences about what the document has no place for."""
    said: set[Edit] = field(default_factory=set)
    """Edits that were refused before: if they are again, the reader knows why."""
    kept: list[StoredEntry] = field(default_factory=list)
    """Entries as they are to be remembered, but for what the edited file says."""
    unsettled: dict[int, set[str]] = field(default_factory=dict)
    """Position in ``kept`` → fields where the file waits to be imported, or is in conflict."""
    library: dict[int, Values] = field(default_factory=dict)
    """Position in ``kept`` → what the library said when last in step: still so where an edit is
    refused, so that it is made as soon as the document has a place for it."""
    beyond: dict[int, int] = field(default_factory=dict)
    """Position in ``kept`` → how many passes the document can tell, for papers with more."""
    positions: dict[int, int] = field(default_factory=dict)
    """Index of an entry in the file → its position in ``kept``."""
    removed: set[int] = field(default_factory=set)
    """Positions in ``kept`` of entries that are taken out of the file."""
    added: dict[Add, int] = field(default_factory=dict)
    """The new rows, and the papers they are for."""


class Planner:
    """The comparison of one document with the library."""

    def __init__(
        self,
        store: Store,
        library: Library,
        read: ReadDocument,
        name: str,
        history: History,
        prefer: Prefer,
    ) -> None:
        self.store = store
        self.library = library
        self.read = read
        self.name = name
        self.history = history
        self.prefer = prefer
        self.plan = Plan()
        self.missing: dict[int, list[Category]] = {}
        """Papers and the document's categories that they are in without an entry."""

    def make_plan(self, stored: list[StoredEntry]) -> Plan:
        entries = self.read.document.entries
        items = items_of(self.read.document, self.library, self.read.path)
        matches = match_entries(stored, items)
        placed = {(entry.paper_id, entry.category) for entry in stored}
        self._find_missing([entry for n, entry in enumerate(entries) if n not in matches], placed)
        paper_ids = [stored[n].paper_id for n in matches.values()]
        papers = get_papers(self.store, [paper_id for paper_id in paper_ids if paper_id])
        by_id = {paper.id: paper for paper in papers}
        for number, entry in enumerate(entries):
            if number in matches:
                before = stored[matches[number]]
                if before.state is EntryState.REMOVED:
                    self._plan_removed(entry, before)
                elif before.is_in_file:
                    self._plan_entry(entry, before, by_id[before.paper])
                else:
                    self.plan.kept.append(before)
        matched = set(matches.values())
        self.plan.kept += [
            entry
            for n, entry in enumerate(stored)
            if n not in matched and entry.state is not EntryState.REMOVED
        ]
        for paper_id, categories in self.missing.items():
            for category in categories:
                self._plan_added(get_paper(self.store, paper_id), category)
        return self.plan

    def _find_missing(
        self, unmatched: list[Entry], placed: Collection[tuple[int | None, Category]]
    ) -> None:
        """Find what gets a row: not what has one in the file, by hand, since a crash or just put
        back."""
        paths = dict.fromkeys(s.path for s in self.read.document.sections if s.path)
        for path in paths:
            rows = [entry for entry in unmatched if entry.category == path]
            for paper in get_papers(self.store, papers_without_entry(self.store, path)):
                if (paper.id, path) in placed:
                    continue
                row = next((entry for entry in rows if self._is_about(entry, paper)), None)
                if row is None:
                    self.missing.setdefault(paper.id, []).append(path)
                else:
                    self._adopt(row, paper)

    def _is_about(self, entry: Entry, paper: Paper) -> bool:
        owners = find_papers(self.store, entry.identifiers).values()
        return paper.id in owners if owners else entry.fields.title == paper.facts.title

    def _adopt(self, entry: Entry, paper: Paper) -> None:
        """Remember a row that says just what the library does: one written before a crash.

        A row by another hand may say more. It waits for the import.
        """
        file = entry_values(entry, self.library, self.read.path)
        now = library_values(paper, fields_of_reader(self.store, paper.id))
        limit = self.read.document.marks_of(entry.group).max_passes
        said = {"title": paper.facts.title, "passes": capped(now, limit)["passes"]}
        is_known = all(file.get(name, value) == value for name, value in said.items())
        is_known &= file.get("rating") in (None, now["rating"])
        if is_known and not any(
            without(file.get(role, ()), now.get(role, ())) for role in EXPORTED_ROLES
        ):
            text = self.read.document.text[slice(*entry.span)]
            adopted = StoredEntry(entry.key, paper.id, entry.category, text, file, now)
            self._keep(entry, adopted, set())

    def _plan_removed(self, entry: Entry, before: StoredEntry) -> None:
        """The paper was removed from the library: so is its row, unless it says something new."""
        values = entry_values(entry, self.library, self.read.path)
        if values != before.base:
            title = before.base.get("title")
            side = self._ask(entry, before.key, "paper", title, entry.fields.title, None)
            if side != "library":
                self._keep(entry, before, {"category"} | set(values))
                return
        self.plan.edits.append(Remove(entry.index))
        position = len(self.plan.kept)
        self.plan.positions[entry.index] = position
        self.plan.removed.add(position)
        self.plan.kept.append(before)

    def _plan_entry(self, entry: Entry, before: StoredEntry, paper: Paper) -> None:
        limit = self.read.document.marks_of(entry.group).max_passes
        then = capped(before.library, limit)
        kept = library_values(paper, fields_of_reader(self.store, paper.id))
        now = capped(kept, limit)
        said = before.refused
        if paper.passes_done > limit >= (before.library.get("passes") or 0):
            # They wait for marks that can tell them.
            self.plan.beyond[len(self.plan.kept)] = limit
            if said.get("passes") != paper.passes_done:
                self.plan.refused.append(BEYOND[limit])
        self._take_back(entry, before, paper, now)
        file = entry_values(entry, self.library, self.read.path)
        unsettled = {name for name, value in file.items() if value != before.base.get(name)}
        edits: list[Edit] = []
        for name in EXPORTED_SCALARS:
            if now.get(name) != then.get(name):
                side = self._scalar(entry, paper, name, (before.base, file, then, now), edits)
                if side == "settled":
                    unsettled.discard(name)
                elif side == "open":
                    kept[name] = before.library.get(name)
        for edit in edits:
            if isinstance(edit, SetTitle):
                # An entry without identifiers is known by its title only.
                before = replace(before, base={**before.base, "title": edit.title})
        for role in EXPORTED_ROLES:
            if set(now.get(role, ())) != set(then.get(role, ())):
                side = self._set(entry, paper, role, (before.base, file, then, now), edits)
                if side == "open":
                    kept[role] = before.library.get(role, [])
                elif side == "settled":
                    unsettled.discard(role)
        category = self._category(entry, before, paper, edits)
        held_in = None
        if before.category not in paper.categories:
            # The row may have to stay where it is: that is said once.
            held_in = paper.categories
            if held_in == before.held_in:
                self.plan.said.update(edit for edit in edits if isinstance(edit, Move))
        if category == before.category != entry.category:
            unsettled.add("category")
        told = {name for name, value in said.items() if value == kept.get(name)}
        self.plan.said.update(edit for edit in edits if field_of(edit) in told)
        self.plan.library[len(self.plan.kept)] = before.library
        self.plan.edits += edits
        if any(isinstance(edit, Remove) for edit in edits):
            self.plan.removed.add(len(self.plan.kept))
        before = replace(before, library=kept, category=category, refused={}, held_in=held_in)
        self._keep(entry, before, unsettled)

    def _take_back(self, entry: Entry, before: StoredEntry, paper: Paper, now: Values) -> None:
        """Let a title or date that is no longer the library's own be again what the file had."""
        text = self.read.document.text[slice(*entry.span)]
        steps = self.history.steps_of(before.id, text)
        said = steps[0].entry.base if steps else {}
        known = {"title": paper.facts.title, "date": day_submitted(paper)}
        for name in known:
            if now.get(name) is None and before.library.get(name) is not None:
                now[name] = said.get(name) or known[name]

    def _scalar(
        self,
        entry: Entry,
        paper: Paper,
        name: str,
        sides: tuple[Values, Values, Values, Values],
        edits: list[Edit],
    ) -> str:
        """Plan one changed value. ``settled``: the file will say it; ``open``: a conflict stays."""
        base, file, then, now = sides
        wanted = now.get(name)
        if wanted == file.get(name) or (name not in file and not wanted):
            return "settled"
        if compare(base.get(name), file.get(name), then.get(name), wanted) == "conflict":
            side = self._ask(entry, paper.citekey, name, base.get(name), file.get(name), wanted)
            if side != "library":
                return "file" if side == "file" else "open"
        if name == "title" and wanted is not None:
            edits.append(SetTitle(entry.index, wanted))
        elif name == "passes":
            edits.append(SetPasses(entry.index, wanted or 0, day_of_pass(paper, wanted or 0)))
        elif name == "rating":
            edits.append(SetRating(entry.index, wanted))
        elif name == "date":
            edits.append(SetDate(entry.index, wanted))
        return "settled"

    def _set(
        self,
        entry: Entry,
        paper: Paper,
        role: LinkRole,
        sides: tuple[Values, Values, Values, Values],
        edits: list[Edit],
    ) -> str:
        """Plan changed links of one role; as ``_scalar``, or ``merged`` when both sides changed."""
        base, file, then, now = (values.get(role, []) for values in sides)
        changes = compare_sets(base, file, then, now)
        added, removed = without(changes.library_added, file), changes.library_removed
        if changes.is_conflict:
            side = self._ask(entry, paper.citekey, role, base, file, now)
            if side != "library":
                return "file" if side == "file" else "open"
            removed = (*removed, *changes.file_added)
        gone = [self._as_written(entry, role, target) for target in removed if target in file]
        for target in added:
            url = target if is_web(target) else note_url(self.library, self.read.path, target)
            label = next(
                (i.label for i in paper.facts.links if (i.role, i.url) == (role, target)), None
            )
            replaced = gone.pop(0) if gone else None
            edits.append(SetLink(entry.index, role, url, label, replaced))
        edits += [SetLink(entry.index, role, None, None, url) for url in gone]
        return "merged" if changes.file_added or changes.file_removed else "settled"

    def _as_written(self, entry: Entry, role: str, target: str) -> str:
        """The address of a link as the file has it: a note's name is not its relative path."""
        links = [link.url for link in entry.fields.links if link.role == role]
        found = (url for url in links if note_name(self.library, self.read.path, url) == target)
        return target if is_web(target) else next(found, target)

    def _category(
        self, entry: Entry, before: StoredEntry, paper: Paper, edits: list[Edit]
    ) -> Category:
        """Plan a move of the entry; return the category that both sides are then in step on."""
        old, shown = before.category, entry.category
        targets = self.missing.get(paper.id, [])
        if old in paper.categories or (not old and not targets):
            return old
        if shown != old:
            if shown in paper.categories:
                return shown
            held = [list(path) for path in paper.categories]
            side = self._ask(entry, paper.citekey, "category", list(old), list(shown), held)
            if side != "library":
                # The row that the library wants elsewhere is this one: no second is added.
                self.missing[paper.id] = targets[1:]
                return old
        if targets:
            edits.append(Move(entry.index, targets[0]))
            self.missing[paper.id] = targets[1:]
            return targets[0]
        if self._has_other_entry(paper.id, before):
            edits.append(Remove(entry.index))
            return old
        if before.held_in == paper.categories:
            return old
        held_in = ", ".join(map(format_path, paper.categories)) or "no category"
        self.plan.refused.append(
            f"{paper.citekey} is in {held_in} now, which {self.name} has no section for: "
            f"its row stays in {format_path(old)}."
        )
        return old

    def _has_other_entry(self, paper_id: int, before: StoredEntry) -> bool:
        return any(
            entry.id != before.id and entry.is_in_file
            for entry in entries_of_paper(self.store, paper_id)
        )

    def _plan_added(self, paper: Paper, category: Category) -> None:
        if not paper.facts.title:
            self.plan.refused.append(
                f"{paper.citekey} has no title yet, so {self.name} gets no row for it: "
                "`papertrack enrich` completes it."
            )
            return
        edit = Add(category, fields_of_new(paper, self.library, self.read.path))
        self.plan.edits.append(edit)
        self.plan.added[edit] = paper.id

    def _keep(self, entry: Entry, stored: StoredEntry, unsettled: set[str]) -> None:
        position = len(self.plan.kept)
        self.plan.positions[entry.index] = position
        self.plan.unsettled[position] = unsettled
        self.plan.kept.append(stored)

    def _ask(
        self, entry: Entry, citekey: str, field: str, base: Any, file: Any, library: Any
    ) -> Side | None:
        conflict = Conflict(self.name, entry.line, citekey, field, base, file, library)
        side = decide_conflict(conflict, self.prefer)
        if side is None:
            self.plan.conflicts.append(conflict)
        return side
