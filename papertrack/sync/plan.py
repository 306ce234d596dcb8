"""What an export has to change in one document: the library's changes since both were in step."""

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
    Asking,
    Category,
    Item,
    Kept,
    Move,
    Plan,
    Remove,
    Set,
    Told,
    is_about,
    papers_in,
)
from papertrack.sync.threeway import Values, capped, compare, compare_sets, leave_as_before, without
from papertrack.text import few

BEYOND = {
    1: "The document marks only read and unread: it has no sign for a second or third pass.",
    2: "The document marks only skimmed and read: it has no sign for a third pass.",
}
"""Sentences about passes that a document's marks cannot tell apart, by how many they can."""

Sides = tuple[Values, Values, Values, Values]
"""What an entry said last and says, and what the library said and says."""


@dataclass(slots=True)
class Planner:
    """The comparison of one document with the library."""

    store: Store
    document: Format
    history: History
    asking: Asking
    told: Told = field(default_factory=lambda: Told(set()))
    plan: Plan = field(default_factory=Plan)
    missing: dict[int, list[Category]] = field(default_factory=dict)
    """Papers and the document's categories that they are in without an entry."""
    staying: list[tuple[Paper, Category]] = field(default_factory=list)
    """Papers that are nowhere now where the document has a section, and where their rows stay."""
    entries: Mapping[int | None, list[StoredEntry]] = field(default_factory=dict)
    """The document's entries by their papers: when it went back, the store has others."""

    def make_plan(self, stored: Sequence[StoredEntry], added: Sequence[int]) -> Plan:
        """Compare all; the papers ``added`` are to have an entry."""
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
        rest = [stored[at] for at in sorted({*range(len(stored))} - {*matches.values()})]
        dropped = EntryState.REMOVED, EntryState.WANTED
        self.plan.kept += [Kept(entry) for entry in rest if entry.state not in dropped]
        wanted = [entry for entry in rest if entry.state is EntryState.WANTED]
        self._plan_added([*self._find_wanted(wanted), *added], present)
        self.plan.refused += self._tell_staying()
        return self.plan

    def _tell_staying(self) -> list[str]:
        """Return one sentence about the rows that cannot follow their papers, however many."""
        if not self.staying:
            return []
        held_in = _named(path for paper, _ in self.staying for path in paper.categories)
        olds = _named(old for _, old in self.staying)
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
        """Return what is stored, with the rows that stay because a paper that was removed is there
        again, as another one: they are that one's, in their own words."""
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
            same = next((one for one in waiting[path] if is_about(self.store, item, one)), None)
            if same and self.document.is_unchanged(item, before):
                waiting[path].remove(same)
                entries[position] = before._replace(paper_id=same.id, state=EntryState.LINKED)
        return entries

    def _compare_all(self, stored: Sequence[StoredEntry], matches: Mapping[int, int]) -> None:
        """Compare the items that were seen last time; others wait to be imported."""
        known = [stored[position] for position in matches.values()]
        ids = [entry.paper for entry in known if entry.state is not EntryState.REMOVED]
        papers = {paper.id: paper for paper in get_papers(self.store, ids)}
        seen = [
            (item, stored[matches[item.number]])
            for item in self.document.items
            if item.number in matches
        ]
        compared: dict[int, _Comparison] = {}
        is_open: dict[int, set[str]] = {}
        for item, before in seen:
            if before.state is not EntryState.REMOVED and before.is_in_file:
                found = _Comparison(self, item, before, papers[before.paper])
                compared[item.number] = found
                is_open.setdefault(before.paper, set()).update(found.open)
        for item, before in seen:
            if before.state is EntryState.REMOVED:
                self._plan_removed(item, before)
            elif item.number in compared:
                compared[item.number].plan_all(is_open[before.paper])
            else:
                self.plan.kept.append(Kept(before, item.number))

    def _find_missing(self, unmatched: Sequence[Item]) -> None:
        """Find what gets an entry: not what has one in the file, by hand, since a crash or just put
        back."""
        for path in self.document.sections:
            rows = [item for item in unmatched if item.category == path]
            for paper in self._without_entry(path):
                row = next((item for item in rows if is_about(self.store, item, paper)), None)
                if row is not None:
                    self._adopt(row, paper)
                elif not self.history.returns_elsewhere(paper, path):
                    self.missing.setdefault(paper.id, []).append(path)

    def _without_entry(self, path: Category) -> list[Paper]:
        here = self.history.document_id
        ids = documents.papers_without_entry(self.store, path, but_for=here)
        own = {one: self.entries.get(one, ()) for one in ids}
        missing = [one for one in ids if all(entry.category != path for entry in own[one])]
        return get_papers(self.store, missing)

    def _find_wanted(self, wanted: Sequence[StoredEntry]) -> list[int]:
        """The papers whose deleted entries are wanted back, and could not come back as they were;
        those of a list are missing in their section."""
        if not self.document.fields.is_listing:
            return [entry.paper for entry in wanted]
        for entry in wanted:
            held = get_paper(self.store, entry.paper).categories
            if entry.category in held and entry.category in self.document.sections:
                self.missing.setdefault(entry.paper, []).append(entry.category)
        return []

    def _adopt(self, item: Item, paper: Paper) -> None:
        """Remember an entry that says just what the library does: one written before a crash.

        One by another hand may say more. It waits for the import.
        """
        fields = self.document.fields
        file, now = item.values, self.document.library_values(paper)
        said = {"title": paper.facts.title}
        said["passes"] = capped(now, self.document.max_passes([item]))["passes"]
        is_known = all(file.get(name, value) == value for name, value in said.items())
        is_known &= file.get("rating") in (None, now["rating"])
        outgoing = [name for name in fields.sets if name in fields.outgoing]
        if is_known and not any(without(file.get(n, ()), now.get(n, ())) for n in outgoing):
            self.plan.kept.append(Kept(item.entry_of(paper.id, now), item.number, set()))

    def _plan_removed(self, item: Item, before: StoredEntry) -> None:
        """The paper was removed from the library: so is its entry, unless it says something new."""
        if not self.document.is_unchanged(item, before):
            then = before.base.get("title")
            side = self.asking.ask(item.line, item.name, "paper", then, item.title, None)
            if side != "library":
                unsettled = {"category", *before.base, *item.values}
                self.plan.kept.append(Kept(before, item.number, unsettled))
                return
        self.plan.changes.append(Remove(item.number))
        self.plan.kept.append(Kept(before, item.number, set(), is_removed=True))

    def _plan_added(self, added: Sequence[int], present: Sequence[StoredEntry]) -> None:
        new: list[tuple[Paper, Category]] = [
            (get_paper(self.store, paper_id), category)
            for paper_id, categories in self.missing.items()
            for category in categories
        ]
        known = papers_in(self.store, self.document.items, present) if added else set()
        asked = get_papers(self.store, list(dict.fromkeys(added)))
        new += [(paper, ()) for paper in asked if paper.id not in known]
        for paper, category in new:
            if self.document.fields.is_listing and not paper.facts.title:
                self.plan.refused.append(
                    f"{paper.citekey} has no title yet, so {self.document.name} gets no row for "
                    "it: `papertrack enrich` completes it."
                )
            else:
                self.plan.changes.append(Add(paper, category))


def _by_paper(entries: Iterable[StoredEntry]) -> dict[int | None, list[StoredEntry]]:
    of_papers: dict[int | None, list[StoredEntry]] = {}
    for entry in entries:
        of_papers.setdefault(entry.paper_id, []).append(entry)
    return of_papers


def _named(paths: Iterable[Category]) -> str:
    return few(list(dict.fromkeys(map(format_path, paths)))) or "no category"


@dataclass
class _Comparison:
    """What one entry and the library's paper say of each other."""

    planner: Planner
    item: Item
    before: StoredEntry
    paper: Paper
    open: set[str] = field(default_factory=set)
    """Fields in conflict that nobody decided."""
    changes: list[Set | Move | Remove] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.document = self.planner.document
        self.said = self.document.library_values(self.paper)
        """What the library counts as having said from now on."""
        # What is read otherwise of the same text is no edit, and waits for an import all the same.
        self.reread = self.document.reread(self.item, self.before)
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
        """Plan what was found; of the fields that are ``is_open`` in one of the paper's entries
        nothing is written to any of them."""
        before, plan = self.before, self.planner.plan
        for name in is_open:
            leave_as_before(self.said, name, before.library)
        self.changes = [c for c in self.changes if not (isinstance(c, Set) and c.field in is_open)]
        beyond = None if "passes" in is_open else self._beyond(self.limit)
        category = self._plan_category()
        if category == before.category != self.item.category:
            self.unsettled.add("category")
        plan.changes += self.changes
        # An entry without identifiers is known by its title only.
        base = before.base | self._new_title()
        stored = before._replace(base=base, library=self.said, category=category)
        is_removed = any(isinstance(change, Remove) for change in self.changes)
        number, unsettled = self.item.number, self.unsettled
        kept = Kept(stored, number, unsettled, before.library, beyond, is_removed, self.reread)
        plan.kept.append(kept)

    def _beyond(self, limit: int | None) -> int | None:
        """How many passes the document can tell, when more wait for marks that can tell them."""
        done, then = self.paper.passes_done, self.before.library.get("passes") or 0
        if limit is None or not done > limit >= then:
            return None
        if self.planner.told.is_news(self.paper.id, "passes", done):
            self.planner.plan.refused.append(BEYOND[limit])
        return limit

    def _new_title(self) -> Values:
        sets = (change for change in self.changes if isinstance(change, Set))
        return {one.field: one.value for one in sets if one.field == "title" and one.value}

    def _take_back(self, now: Values) -> None:
        """Let a value that is no longer the library's own be again what the file had."""
        known = self.document.known(self.paper)
        if known:
            steps = self.planner.history.steps_of(self.before.id, self.item.text)
            said = steps[0].entry.base if steps else {}
            for name, value in known.items():
                if now.get(name) is None and self.before.library.get(name) is not None:
                    now[name] = said.get(name) or value

    def _is_settled(self, name: str, sides: Sides) -> bool:
        """Plan one value that changed in the library; return whether the file will say it."""
        if name in self.document.fields.sets:
            return self._is_set_settled(name, sides)
        base, file, then, now = sides
        wanted = now.get(name)
        if wanted == then.get(name):
            return False
        if not self.document.may_say(self.item, self.before, self.paper, name, wanted):
            return False
        has_places = self.document.fields.has_places
        if wanted == file.get(name) or (has_places and name not in file and not wanted):
            return True
        # A place that is new and empty says nothing against the library.
        is_new_place = has_places and name not in base and not file.get(name)
        values = base.get(name), file.get(name), then.get(name), wanted
        is_conflict = compare(*values) == "conflict" and not is_new_place
        if is_conflict and not self._is_library_right(name, values[0], values[1], wanted):
            return False
        self.changes.append(Set(self.item.number, self.paper, name, wanted))
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
        gone = [member for member in removed if member in file]
        number, paper = self.item.number, self.paper
        for member in added:
            replaced = gone.pop(0) if gone else None
            self.changes.append(Set(number, paper, name, member, replaced))
        self.changes += [Set(number, paper, name, None, member) for member in gone]
        return not (changes.file_added or changes.file_removed)

    def _is_library_right(self, name: str, base: Any, file: Any, wanted: Any) -> bool:
        """Ask; what nobody decides is open."""
        side = self.planner.asking.ask(self.item.line, self.paper.citekey, name, base, file, wanted)
        if side is None:
            self.open.add(name)
        return side == "library"

    def _plan_category(self) -> Category:
        """Plan a move of the entry; return the category that both sides are then in step on."""
        if not self.document.fields.is_listing:
            return self.before.category
        planner, paper = self.planner, self.paper
        old, shown = self.before.category, self.item.category
        targets = planner.missing.get(paper.id, [])
        if old in paper.categories or not (old or targets):
            return old
        if shown != old and shown in paper.categories:
            return shown
        held = [list(path) for path in paper.categories]
        if shown != old and not self._is_library_right("category", list(old), list(shown), held):
            # The entry that the library wants elsewhere is this one: no second is added.
            planner.missing[paper.id] = targets[1:]
            return old
        if targets:
            self.changes.append(Move(self.item.number, paper, targets[0]))
            planner.missing[paper.id] = targets[1:]
            return targets[0]
        if self._has_other_entry() or self._is_undone():
            self.changes.append(Remove(self.item.number))
        elif planner.told.is_news(paper.id, "category", paper.categories):
            planner.staying.append((paper, old))
        return old

    def _is_undone(self) -> bool:
        """Whether the entry came only with a move that was undone."""
        before = self.before
        if before.id is None or not self.document.is_unchanged(self.item, before):
            return False
        store = self.planner.store
        category_id = find_category(store, before.category)
        return was_put_in_and_undone(store, before.id, before.paper, category_id)

    def _has_other_entry(self) -> bool:
        """Whether the paper keeps an entry elsewhere, one that this plan does not take out too."""
        paper_id, here = self.paper.id, self.planner.history.document_id
        kind = self.document.kind
        others = documents.entries_of_paper(self.planner.store, paper_id, kind=kind)
        leaving = {kept.stored.key for kept in self.planner.plan.kept if kept.is_removed}
        leaving.add(self.before.key)
        return any(one.is_in_file for one in others if one.document_id != here) or any(
            one.is_in_file for one in self.planner.entries[paper_id] if one.key not in leaving
        )
