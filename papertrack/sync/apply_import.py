"""Apply an import to the library: update papers and their categories.

Unchanged text may be parsed differently than last time, because a newer version parses it better.
That is not an edit, and never a conflict. The library gets the new value if it still has the old
one; it loses no pass, rating, tag, note or link, and keeps what the user edited. Each such change
is reported once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from papertrack.identifiers.derived import submitted_of
from papertrack.records import LINK_ROLES, Identifier, Link, Paper
from papertrack.store import documents, papers
from papertrack.store.categories import put_in_category, take_out_of_category
from papertrack.store.citekeys import Citekeys
from papertrack.store.documents import PaperEntry, StoredEntry
from papertrack.store.lookup import each_paper, field_sources, get_paper
from papertrack.store.papers import READER
from papertrack.store.states import add_tags, rate, remove_tags, set_passes
from papertrack.store.store import Store
from papertrack.sync import threeway
from papertrack.sync.format import Format
from papertrack.sync.items import Category, Item, owner_of
from papertrack.sync.linking import SharedAddresses
from papertrack.sync.report import Reread
from papertrack.sync.threeway import Values, without


def move_identifier(store: Store, paper_id: int, identifier: Identifier) -> None:
    """Add an identifier to a paper, and remove it from the paper that has it now."""
    owner = owner_of(store, identifier.scheme, identifier.value)
    if owner is not None and owner != paper_id:
        papers.remove_identifiers(store, owner, [identifier])
    papers.add_identifiers(store, paper_id, [identifier])


@dataclass(frozen=True, slots=True)
class PaperUpdate:
    """The update of one paper from its items in a document."""

    store: Store
    document: Format
    paper: Paper
    items: Sequence[Item]
    shared: SharedAddresses
    """Those of the whole document."""

    def apply(self, merged: threeway.Merged) -> None:
        """Write the merged changes to the paper.

        Updates ``merged.then`` where the paper does not get a value as planned.
        """
        self._keep_replaced(merged)
        self._set_publication(merged.scalars)
        for name, value in merged.scalars.items():
            self._set_single(name, value)
        for name in dict.fromkeys((*merged.removed, *merged.added)):
            self._change_set(name, merged.removed.get(name, ()), merged.added.get(name, ()))
        if "date" in merged.scalars or "identifiers" in merged.added:
            self._set_date(merged)
        fields = self.document.fields
        if names := merged.scalars.keys() & set(fields.unsaid):
            now = self.document.library_values(get_paper(self.store, self.paper.id))
            merged.then.update({name: now.get(name) for name in names})

    def _keep_replaced(self, merged: threeway.Merged) -> None:
        """Keep an identifier that the file replaced by one of another scheme.

        For example, an entry now has the DOI of the publication instead of the arXiv id.
        """
        values = {scheme: merged.scalars.get(scheme) for scheme in threeway.SCHEMES}
        dropped = [scheme for scheme in merged.scalars if scheme in values and not values[scheme]]
        if dropped and any(values.values()):
            now = self.document.library_values(self.paper)
            for scheme in dropped:
                del merged.scalars[scheme]
                self.document.fields.put(merged.then, scheme, now.get(scheme))

    def _set_single(self, name: str, value: Any) -> None:
        setters: dict[str, Callable[[Any], None]] = {
            "passes": self._set_passes,
            "rating": partial(rate, self.store, self.paper.id),
            "kind": partial(papers.set_kind, self.store, self.paper.id),
            "citekey": self._set_citekey,
            "authors": self._set_authors,
            **{scheme: partial(self._replace_identifier, scheme) for scheme in threeway.SCHEMES},
        }
        if name in setters:
            setters[name](value)
        elif name != "date" and not name.startswith(threeway.PUBLICATION):
            self._write(threeway.COLUMNS.get(name, name), value or None)

    def _set_passes(self, value: int | None) -> None:
        days = (item.read_at for item in self.items if item.values.get("passes") == value)
        set_passes(self.store, self.paper.id, value or 0, at=next(days, None))

    def _set_authors(self, value: Any) -> None:
        authors = (item.facts.authors for item in self.items if item.values.get("authors") == value)
        self._write("authors", next(authors, ()))

    def _set_citekey(self, key: str | None) -> None:
        """Change the paper's citation key to the file's, unless another paper has that."""
        keys = Citekeys(self.store)
        if key and set(keys.owners_of([key]).values()) <= {self.paper.id}:
            keys.rename(self.paper.id, key)

    def _replace_identifier(self, scheme: str, value: str | None) -> None:
        old = [i for i in self.paper.facts.identifiers if i.scheme == scheme]
        papers.remove_identifiers(self.store, self.paper.id, old[:1])
        if value:
            move_identifier(self.store, self.paper.id, Identifier(scheme, value))

    def _write(self, name: str, value: object) -> None:
        """Set a field, unless the format yields to a better source that has set it."""
        source = self.document.source
        if self.document.fields.yields:
            source = field_sources(self.store, self.paper.id).get(name, source)
            if source not in (self.document.source, READER):
                return
        papers.edit_paper(self.store, self.paper.id, name, value, source=source)

    def _set_publication(self, values: threeway.Values) -> None:
        names = [name for name in values if name.startswith(threeway.PUBLICATION)]
        if names:
            fields = dict(self.paper.facts.publication)
            fields |= {name.removeprefix(threeway.PUBLICATION): values[name] for name in names}
            publication = tuple((n, value) for n, value in fields.items() if value is not None)
            self._write("publication", publication)

    def _set_date(self, merged: threeway.Merged) -> None:
        if field_sources(self.store, self.paper.id).get("submitted") == READER:
            if "date" in merged.scalars:
                self._write("submitted", merged.scalars["date"])
            return
        identifiers = get_paper(self.store, self.paper.id).facts.identifiers
        dates = (item.values["date"] for item in self.items if item.values.get("date"))
        self._write("submitted", submitted_of(identifiers, next(dates, None)))

    def _change_set(self, name: str, removed: Sequence[Any], added: Sequence[Any]) -> None:
        if name == "tags":
            remove_tags(self.store, [self.paper.id], removed)
            add_tags(self.store, [self.paper.id], added)
        elif name == "identifiers":
            self._change_identifiers(removed, added)
        elif name == "categories":
            self._change_categories(removed, added)
        else:
            self._change_links(name, removed, added)

    def _change_identifiers(self, removed: Sequence[Any], added: Sequence[Any]) -> None:
        """Add identifiers, and remove those that another one of their scheme replaces.

        Other removed identifiers stay: only a replacement is a correction.
        """
        store, paper_id = self.store, self.paper.id
        identifiers = [Identifier(*pair) for pair in added]
        schemes = {identifier.scheme for identifier in identifiers}
        corrected = [Identifier(*pair) for pair in removed if pair[0] in schemes]
        papers.remove_identifiers(store, paper_id, corrected)
        title = next((item.title for item in self.items), None)
        usable = self.shared.usable(identifiers, paper_id, title)
        papers.add_identifiers(store, paper_id, usable)
        self.shared.note(identifiers, title, paper_id)

    def _change_categories(self, removed: Sequence[Any], added: Sequence[Any]) -> None:
        for path in map(tuple, removed):
            if path in self.paper.categories:
                take_out_of_category(self.store, self.paper.id, path)
        for path in map(tuple, added):
            put_in_category(self.store, [self.paper.id], path)

    def _change_links(self, role: str, removed: Sequence[str], added: Sequence[str]) -> None:
        for target in removed:
            if role == "note" and "://" not in target:
                papers.remove_note(self.store, self.paper.id, target)
            else:
                papers.remove_link(self.store, self.paper.id, role, target)
                self.shared.forget(target, self.paper.id)
        for target in added:
            if role == "note" and "://" not in target:
                papers.add_note(self.store, self.paper.id, target)
            else:
                papers.add_links(self.store, self.paper.id, [self._link(role, target)])

    def _link(self, role: str, url: str) -> Link:
        """Return the link with this role and URL, with its label from the items."""
        links = (link for item in self.items for link in item.facts.links)
        match = next((link for link in links if link.role == role and link.url == url), None)
        return match or Link(role, url)  # type: ignore[arg-type]  # A key of values is a role.


@dataclass(slots=True)
class Places:
    """The changes of one import to categories, and to the stored entries of other documents.

    In a format whose sections are categories, papers follow their entries. Values that wait for an
    export to a removed entry are exported to other entries of the paper.
    """

    store: Store
    document: Format
    document_id: int | None
    linked: dict[int, Paper | None] = field(default_factory=dict)
    """The papers linked by this import, as they were before it; None for new papers."""
    left: list[tuple[int, Category]] = field(default_factory=list)
    """Papers, and the categories in which they no longer have an entry."""

    def entries_elsewhere(self, paper_id: int) -> list[PaperEntry]:
        """Return the paper's entries in the files of other documents."""
        return [entry for entry in self._others(paper_id) if entry.is_in_file]

    def pass_on(self, paper_id: int, then: threeway.Values, entries: Sequence[PaperEntry]) -> None:
        """Let values that waited for an export to a removed entry wait for the other entries.

        ``then`` are the library's values stored with the removed entry.
        """
        if entries:
            now = self.document.library_values(get_paper(self.store, paper_id))
            waiting = threeway.find_waiting(self.document.fields, then, now)
            for entry in entries if waiting else ():
                documents.set_library_values(self.store, entry.id, entry.library | waiting)

    def settle(self, results: dict[int, StoredEntry]) -> None:
        """Update categories, and the library's values stored with all entries.

        Call it when every item has its paper. ``results`` are the entries to store, by item number.
        The import's changes to newly linked papers count as exported, here and in other documents;
        only passes and ratings are still exported to other documents.
        """
        self._forget_unlinked(results)
        self._leave_categories(results)
        fields, values_of = self.document.fields, self.document.library_values
        after = {paper.id: values_of(paper) for paper in each_paper(self.store, list(self.linked))}
        before = {paper_id: values_of(paper) for paper_id, paper in self.linked.items() if paper}
        for number, entry in results.items():
            if entry.paper_id in after and (fields.is_listing or not entry.library):
                values = after[entry.paper]
                if entry.library and entry.paper in before:
                    values = threeway.keep_in_step(
                        fields, entry.library, before[entry.paper], values
                    )
                results[number] = entry._replace(library=values)
        for paper_id, prior in before.items():
            for placed in self.entries_elsewhere(paper_id):
                values = threeway.keep_in_step(fields, placed.library, prior, after[paper_id])
                for name in threeway.OF_READING:
                    threeway.leave_as_before(values, name, placed.library)
                documents.set_library_values(self.store, placed.id, values)

    def _forget_unlinked(self, results: dict[int, StoredEntry]) -> None:
        """Forget unlinked entries of papers in other documents if the papers are listed here.

        Values that waited for an export there are then exported here.
        """
        waiting: dict[int, threeway.Values] = {}
        for paper_id, paper in self.linked.items():
            if paper is None:
                continue
            for entry in self._others(paper_id):
                if not entry.is_in_file:
                    documents.remove_entry(self.store, entry.id)
                    self.left.append((paper_id, entry.category))
                    now = self.document.library_values(paper)
                    still = threeway.find_waiting(self.document.fields, entry.library, now)
                    waiting[paper_id] = now | still
        for number, result in results.items():
            if result.id is None and result.paper_id in waiting:
                results[number] = result._replace(library=waiting[result.paper])

    def _leave_categories(self, results: Mapping[int, StoredEntry]) -> None:
        """Remove papers from the categories they left, unless a document still lists them there."""
        listed = {(entry.paper_id, entry.category) for entry in results.values()}
        for paper_id, category in dict.fromkeys(self.left):
            elsewhere = {entry.category for entry in self.entries_elsewhere(paper_id)}
            is_in_it = category in get_paper(self.store, paper_id).categories
            if is_in_it and (paper_id, category) not in listed and category not in elsewhere:
                take_out_of_category(self.store, paper_id, category)

    def _others(self, paper_id: int) -> list[PaperEntry]:
        """Return the paper's entries in other documents; none if sections are not categories."""
        if not self.document.fields.is_listing:
            return []
        entries = documents.entries_of_paper(self.store, paper_id, kind=self.document.kind)
        return [entry for entry in entries if entry.document_id != self.document_id]


_CLEARED = ("authors", "venue", "description")
"""Fields that different parsing may clear."""
FIELDS = ("title", "authors", "venue", "date", "description", "kind", *threeway.OF_READING)
"""Fields with one value that are reported if they are parsed differently."""


def rebase(document: Format, item: Item, before: StoredEntry, paper: Paper) -> StoredEntry:
    """Return the stored entry as if its text had been parsed last time as it is parsed now.

    Fields that the library must take over stay as stored, so that the merge finds them changed.
    """
    base, library, file = dict(before.base), dict(before.library), item.values
    names = document.find_reparsed(item, before)
    now = document.library_values(paper) if names else {}
    for name in names:
        if name in document.fields.sets:
            base[name] = _kept_members(name, base.get(name, []), file)
        elif name in threeway.OF_READING:  # Different parsing may raise them but never lower.
            base[name] = file.get(name)
            if (file.get(name) or 0) > (now.get(name) or 0):
                base[name], library[name] = None, now.get(name)
        elif library.get(name) != now.get(name) or not _has_parsed_value(paper, name, base, now):
            base[name] = file.get(name)
    return before._replace(base=base, library=library)


def _kept_members(name: str, members: Sequence[Any], file: Values) -> list[Any]:
    """Return a set's stored members without those that are no longer parsed.

    A link stays if its URL now has another role, so that the merge moves it to that role.
    """
    if name == "identifiers":
        return list(members)
    targets = {target for role in LINK_ROLES for target in file.get(role, ())}
    missing = without(members, file.get(name, []))
    lost = [member for member in missing if name not in LINK_ROLES or member not in targets]
    return [*without(members, lost)]


def _has_parsed_value(paper: Paper, name: str, base: Values, now: Values) -> bool:
    """Return whether a field may get a new parsed value: it has the former one, or none."""
    if now.get(name) is not None:
        return bool(now[name] == base.get(name))
    value = value_of(paper, name)
    return name == "date" or value in (None, []) or value == base.get(name)


def find_cleared(paper: Paper, items: Sequence[Item], base: Values, names: Set[str]) -> Values:
    """Return the fields to clear: no item has a value, and the library has the parsed one.

    ``names`` are fields parsed differently, ``base`` the values parsed last time.
    """
    return {
        name: None
        for name in _CLEARED
        if name in names and base.get(name) and value_of(paper, name) == base[name]
        if not any(item.values.get(name) for item in items)
    }


def value_of(paper: Paper, name: str) -> Any:
    """Return a paper's value of a field that entries have, as reports show it."""
    facts = paper.facts
    values: dict[str, Callable[[], Any]] = {
        "authors": lambda: [author.name for author in facts.authors],
        "passes": lambda: paper.passes_done,
        "rating": lambda: paper.rating,
        "date": lambda: facts.submitted,
        "tags": lambda: list(paper.tags),
        "identifiers": lambda: [f"{i.scheme}:{i.value}" for i in facts.identifiers],
        "links": lambda: [f"{link.role} {link.url}" for link in facts.links],
    }
    return values[name]() if name in values else getattr(facts, name)


def find_reread(before: Paper, after: Paper, line: int, names: Set[str]) -> Iterator[Reread]:
    """Yield the changes of a paper in fields that are parsed differently."""
    roles = {"links"} if names & {*LINK_ROLES} else set()
    for name in (*FIELDS, "tags", "identifiers", "links"):
        old, new = value_of(before, name), value_of(after, name)
        if name in {*names, *roles} and old != new:
            yield Reread(after.citekey, line, name, old, new)
