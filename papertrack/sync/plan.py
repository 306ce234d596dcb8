"""Plan an export: find the library's changes since the last sync that a document lacks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from papertrack.category_paths import format_path
from papertrack.records import Paper
from papertrack.store import documents
from papertrack.store.categories import find_category
from papertrack.store.documents import EntryState, StoredEntry, was_put_in_and_undone
from papertrack.store.lookup import get_paper, get_papers
from papertrack.store.store import Store
from papertrack.sync.format import Format
from papertrack.sync.history import History
from papertrack.sync.items import (
    Add,
    Category,
    Item,
    Kept,
    Move,
    Plan,
    Remove,
    ReportedValues,
    Resolver,
    Set,
    is_about,
    papers_in,
)
from papertrack.sync.threeway import Values, capped, compare, compare_sets, leave_as_before, without
from papertrack.text import few, group

BEYOND = {
    1: "The document marks only read and unread: it has no sign for a second or third pass.",
    2: "The document marks only skimmed and read: it has no sign for a third pass.",
}
"""Why a document cannot show all passes, by the number that its marks can show."""

Sides = tuple[Values, Values, Values, Values]
"""The entry's values at the last sync and now, and the library's then and now."""


@dataclass(slots=True)
class Planner:
    """Compares one document with the library, and collects the changes in ``plan``."""

    store: Store
    document: Format
    history: History
    resolver: Resolver
    reported: ReportedValues = field(default_factory=lambda: ReportedValues(set()))
    plan: Plan = field(default_factory=Plan)
    missing: dict[int, list[Category]] = field(default_factory=dict)
    """The sections that lack an entry of a paper in their category, by paper."""
    staying: list[tuple[Paper, Category]] = field(default_factory=list)
    """Rows that stay because the document has no section for their papers' new categories."""
    entries: Mapping[int | None, list[StoredEntry]] = field(default_factory=dict)
    """The document's entries by paper, with restored ones that the store does not have yet."""

    def make_plan(self, stored: Sequence[StoredEntry], added: Sequence[int]) -> Plan:
        """Return the changes to make; ``added`` are papers for which the user wants an entry."""
        items = self.document.items
        matches = self.document.matches_written(stored)
        self.entries = _by_paper(stored)
        stored = self._with_papers_again(stored, matches)
        self.entries = _by_paper(stored)
        unmatched = [item for item in items if item.number not in matches]
        present = [stored[position] for position in matches.values()]
        if self.document.fields.is_listing:
            self._find_missing(unmatched)
        self.document.begin_export(present)
        self._compare_all(stored, matches)
        absent = [stored[at] for at in sorted({*range(len(stored))} - {*matches.values()})]
        dropped = EntryState.REMOVED, EntryState.WANTED
        self.plan.kept += [Kept(entry) for entry in absent if entry.state not in dropped]
        wanted = [entry for entry in absent if entry.state is EntryState.WANTED]
        self._plan_added([*self._find_wanted(wanted), *added], present)
        self.plan.refused += self._tell_staying()
        return self.plan

    def _tell_staying(self) -> list[str]:
        """Return a sentence on the rows that stay for lack of a section, in a list."""
        if not self.staying:
            return []
        held_in = _format_paths(path for paper, _ in self.staying for path in paper.categories)
        olds = _format_paths(path for _, path in self.staying)
        where = f"for which {self.document.name} has no section"
        if len(self.staying) == 1:
            citekey = self.staying[0][0].citekey
            return [f"{citekey} is in {held_in} now, {where}: its row stays in {olds}."]
        return [
            f"{len(self.staying)} papers are in {held_in} now, {where}: their rows stay in {olds}. "
            "After `papertrack category PATH --rename NEW`, rename the heading too."
        ]

    def _with_papers_again(
        self, stored: Sequence[StoredEntry], matches: Mapping[int, int]
    ) -> Sequence[StoredEntry]:
        """Link rows of removed papers to the papers that were added again in their place."""
        if not self.document.fields.is_listing:
            return stored
        entries = list(stored)
        waiting: dict[Category, list[Paper]] = {}
        for number, position in matches.items():
            item, before = self.document.items[number], entries[position]
            if before.state is not EntryState.REMOVED:
                continue
            path = before.category
            if path not in waiting:
                waiting[path] = self._without_entry(path)
            match = next((p for p in waiting[path] if is_about(self.store, item, p)), None)
            if match and self.document.is_unchanged(item, before):
                waiting[path].remove(match)
                entries[position] = before._replace(paper_id=match.id, state=EntryState.LINKED)
        return entries

    def _compare_all(self, stored: Sequence[StoredEntry], matches: Mapping[int, int]) -> None:
        """Compare the items that have a stored entry; others must be imported first."""
        entries = [stored[position] for position in matches.values()]
        ids = [entry.paper for entry in entries if entry.state is not EntryState.REMOVED]
        papers = {paper.id: paper for paper in get_papers(self.store, ids)}
        pairs = [
            (item, stored[matches[item.number]])
            for item in self.document.items
            if item.number in matches
        ]
        compared: dict[int, _Comparison] = {}
        is_open: dict[int, set[str]] = {}
        for item, before in pairs:
            if before.state is not EntryState.REMOVED and before.is_in_file:
                comparison = _Comparison(self, item, before, papers[before.paper])
                compared[item.number] = comparison
                is_open.setdefault(before.paper, set()).update(comparison.open)
        for item, before in pairs:
            if before.state is EntryState.REMOVED:
                self._plan_removed(item, before)
            elif item.number in compared:
                compared[item.number].plan_all(is_open[before.paper])
            else:
                self.plan.kept.append(Kept(before, item.number))

    def _find_missing(self, unmatched: Sequence[Item]) -> None:
        """Find the papers that need a new entry in a section.

        ``unmatched`` are items without a stored entry. A paper with such an item needs none: it was
        written by hand, before a crash, or has just been put back.
        """
        for path in self.document.sections:
            rows = [item for item in unmatched if item.category == path]
            for paper in self._without_entry(path):
                row = next((item for item in rows if is_about(self.store, item, paper)), None)
                if row is not None:
                    self._adopt(row, paper)
                elif not self.history.returns_elsewhere(paper, path):
                    self.missing.setdefault(paper.id, []).append(path)

    def _without_entry(self, path: Category) -> list[Paper]:
        document_id = self.history.document_id
        ids = documents.papers_without_entry(self.store, path, but_for=document_id)
        entries_of = {paper_id: self.entries.get(paper_id, ()) for paper_id in ids}
        missing = [p for p in ids if all(entry.category != path for entry in entries_of[p])]
        return get_papers(self.store, missing)

    def _find_wanted(self, wanted: Sequence[StoredEntry]) -> list[int]:
        """Return the papers whose wanted entries could not be put back, for new entries.

        A list gets them in their sections instead: they are added to ``missing``.
        """
        if not self.document.fields.is_listing:
            return [entry.paper for entry in wanted]
        for entry in wanted:
            categories = get_paper(self.store, entry.paper).categories
            if entry.category in categories and entry.category in self.document.sections:
                self.missing.setdefault(entry.paper, []).append(entry.category)
        return []

    def _adopt(self, item: Item, paper: Paper) -> None:
        """Store an entry for an item without one, if it agrees with the library.

        An export wrote it before a crash. An item with other values was written by somebody else,
        and must be imported first.
        """
        fields = self.document.fields
        file, now = item.values, self.document.library_values(paper)
        values = {"title": paper.facts.title}
        values["passes"] = capped(now, self.document.max_passes([item]))["passes"]
        is_known = all(file.get(name, value) == value for name, value in values.items())
        is_known &= file.get("rating") in (None, now["rating"])
        outgoing = [name for name in fields.sets if name in fields.outgoing]
        if is_known and not any(without(file.get(n, ()), now.get(n, ())) for n in outgoing):
            self.plan.kept.append(Kept(item.entry_of(paper.id, now), item.number, set()))

    def _plan_removed(self, item: Item, before: StoredEntry) -> None:
        """Remove the item of a removed paper; if the item was edited, that is a conflict."""
        if not self.document.is_unchanged(item, before):
            then = before.base.get("title")
            side = self.resolver.ask(item.line, item.name, "paper", then, item.title, None)
            if side != "library":
                unsettled = {"category", *before.base, *item.values}
                self.plan.kept.append(Kept(before, item.number, unsettled))
                return
        self.plan.changes.append(Remove(item.number))
        self.plan.kept.append(Kept(before, item.number, set(), is_removed=True))

    def _plan_added(self, added: Sequence[int], present: Sequence[StoredEntry]) -> None:
        pairs: list[tuple[Paper, Category]] = [
            (get_paper(self.store, paper_id), category)
            for paper_id, categories in self.missing.items()
            for category in categories
        ]
        present_ids = papers_in(self.store, self.document.items, present) if added else set()
        added_papers = get_papers(self.store, list(dict.fromkeys(added)))
        pairs += [(paper, ()) for paper in added_papers if paper.id not in present_ids]
        for paper, category in pairs:
            if self.document.fields.is_listing and not paper.facts.title:
                self.plan.refused.append(
                    f"{paper.citekey} has no title yet, so {self.document.name} gets no row for "
                    "it: `papertrack enrich` completes it."
                )
            else:
                self.plan.changes.append(Add(paper, category))


def _by_paper(entries: Iterable[StoredEntry]) -> dict[int | None, list[StoredEntry]]:
    return group((entry.paper_id, entry) for entry in entries)


def _format_paths(paths: Iterable[Category]) -> str:
    return few(list(dict.fromkeys(map(format_path, paths)))) or "no category"


@dataclass
class _Comparison:
    """The comparison of an item and its stored entry with the paper in the library."""

    planner: Planner
    item: Item
    before: StoredEntry
    paper: Paper
    open: set[str] = field(default_factory=set)
    """Fields with an unresolved conflict."""
    changes: list[Set | Move | Remove] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.document = self.planner.document
        self.said = self.document.library_values(self.paper)
        """The library's values to store with the entry; they then count as exported."""
        # A value parsed differently from the same text is not an edit, but must be imported.
        self.reread = self.document.find_reparsed(self.item, self.before)
        again = {name: self.item.values.get(name) for name in self.reread}
        self.base = self.before.base | again
        self.unsettled = self.document.fields.changed_in(self.item.values, self.base)
        self.limit = self.document.max_passes([self.item])
        then, now = capped(self.before.library, self.limit), capped(self.said, self.limit)
        self._take_back(now)
        for name in self.document.fields.outgoing_in(now, then):
            if self._is_settled(name, (self.base, self.item.values, then, now)):
                self.unsettled.discard(name)

    def plan_all(self, is_open: Collection[str]) -> None:
        """Add the changes and the entry to the plan.

        Leaves out the fields in ``is_open``, which are in conflict in an entry of the paper.
        """
        before, plan = self.before, self.planner.plan
        for name in is_open:
            leave_as_before(self.said, name, before.library)
        self.changes = [c for c in self.changes if not (isinstance(c, Set) and c.field in is_open)]
        beyond = None if "passes" in is_open else self._beyond(self.limit)
        category = self._plan_category()
        if category == before.category != self.item.category:
            self.unsettled.add("category")
        plan.changes += self.changes
        # An entry without identifiers is found by its title only.
        base = before.base | self._new_title()
        stored = before._replace(base=base, library=self.said, category=category)
        is_removed = any(isinstance(change, Remove) for change in self.changes)
        number, unsettled = self.item.number, self.unsettled
        entry = Kept(stored, number, unsettled, before.library, beyond, is_removed, self.reread)
        plan.kept.append(entry)

    def _beyond(self, limit: int | None) -> int | None:
        """Return ``limit``, the most passes the item can show, if the paper has more; else None."""
        passes, then = self.paper.passes_done, self.before.library.get("passes") or 0
        if limit is None or not passes > limit >= then:
            return None
        if self.planner.reported.record(self.paper.id, "passes", passes):
            self.planner.plan.refused.append(BEYOND[limit])
        return limit

    def _new_title(self) -> Values:
        sets = (change for change in self.changes if isinstance(change, Set))
        return {c.field: c.value for c in sets if c.field == "title" and c.value}

    def _take_back(self, now: Values) -> None:
        """Add fields to ``now`` whose edit in the library the user has taken back.

        They get the value of the entry's former text, or else the library's present one.
        """
        values = self.document.unedited_values(self.paper)
        if values:
            steps = self.planner.history.steps_of(self.before.id, self.item.text)
            base = steps[0].entry.base if steps else {}
            for name, value in values.items():
                if now.get(name) is None and self.before.library.get(name) is not None:
                    now[name] = base.get(name) or value

    def _is_settled(self, name: str, sides: Sides) -> bool:
        """Plan to write a field if the library changed it; return whether the file will agree."""
        if name in self.document.fields.sets:
            return self._is_set_settled(name, sides)
        base, file, then, now = sides
        value = now.get(name)
        if value == then.get(name):
            return False
        if not self.document.accepts(self.item, self.before, self.paper, name, value):
            return False
        has_places = self.document.fields.has_places
        if value == file.get(name) or (has_places and name not in file and not value):
            return True
        # A new, empty place does not conflict with the library.
        is_new_place = has_places and name not in base and not file.get(name)
        values = base.get(name), file.get(name), then.get(name), value
        is_conflict = compare(*values) == "conflict" and not is_new_place
        if is_conflict and not self._is_library_right(name, values[0], values[1], value):
            return False
        self.changes.append(Set(self.item.number, self.paper, name, value))
        return True

    def _is_set_settled(self, name: str, sides: Sides) -> bool:
        base, file, then, now = (values.get(name, []) for values in sides)
        if set(now) == set(then):
            return False
        changes = compare_sets(base, file, then, now)
        added, removed = without(changes.library_added, file), changes.library_removed
        if changes.is_conflict:
            if not self._is_library_right(name, base, file, now):
                return False
            removed = (*removed, *without(changes.file_added, now))
        outdated = [member for member in removed if member in file]
        number, paper = self.item.number, self.paper
        for member in added:
            replaced = outdated.pop(0) if outdated else None
            self.changes.append(Set(number, paper, name, member, replaced))
        self.changes += [Set(number, paper, name, None, member) for member in outdated]
        return not any((changes.file_added, changes.file_removed))

    def _is_library_right(self, name: str, base: Any, file: Any, now: Any) -> bool:
        """Resolve a conflict; return whether to write the library's value."""
        side = self.planner.resolver.ask(self.item.line, self.paper.citekey, name, base, file, now)
        if side is None:
            self.open.add(name)
        return side == "library"

    def _plan_category(self) -> Category:
        """Plan to move or remove a row whose paper changed categories.

        Returns the category to store for it.
        """
        if not self.document.fields.is_listing:
            return self.before.category
        planner, paper = self.planner, self.paper
        old, now = self.before.category, self.item.category
        targets = planner.missing.get(paper.id, [])
        if old in paper.categories or not (old or targets):
            return old
        if now != old and now in paper.categories:
            return now
        paths = [list(path) for path in paper.categories]
        if now != old and not self._is_library_right("category", list(old), list(now), paths):
            # This entry would move there, so the section gets no new one.
            planner.missing[paper.id] = targets[1:]
            return old
        if targets:
            self.changes.append(Move(self.item.number, paper, targets[0]))
            planner.missing[paper.id] = targets[1:]
            return targets[0]
        if self._has_other_entry() or self._is_undone():
            self.changes.append(Remove(self.item.number))
        elif planner.reported.record(paper.id, "category", paper.categories):
            planner.staying.append((paper, old))
        return old

    def _is_undone(self) -> bool:
        """Return whether an export added this entry for a category change since undone."""
        before = self.before
        if before.id is None or not self.document.is_unchanged(self.item, before):
            return False
        store = self.planner.store
        category_id = find_category(store, before.category)
        return was_put_in_and_undone(store, before.id, before.paper, category_id)

    def _has_other_entry(self) -> bool:
        """Return whether the paper has another entry, here or in another document, that stays."""
        paper_id, document_id = self.paper.id, self.planner.history.document_id
        kind = self.document.kind
        others = documents.entries_of_paper(self.planner.store, paper_id, kind=kind)
        leaving = {entry.stored.key for entry in self.planner.plan.kept if entry.is_removed}
        leaving.add(self.before.key)
        return any(entry.is_in_file for entry in others if entry.document_id != document_id) or any(
            entry.is_in_file for entry in self.planner.entries[paper_id] if entry.key not in leaving
        )
