"""Writing into the library what changed in one entry of a .bib file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from papertrack.documents.bibtex import BibEntry
from papertrack.records import Identifier, Paper
from papertrack.store.categories import put_in_category, take_out_of_category
from papertrack.store.citekeys import Citekeys
from papertrack.store.documents import StoredEntry
from papertrack.store.lookup import find_papers, get_paper
from papertrack.store.papers import (
    add_identifiers,
    edit_paper,
    keep_original,
    remove_identifiers,
)
from papertrack.store.states import add_tags, rate, remove_tags, set_passes
from papertrack.store.store import Store
from papertrack.sync.bibtex.values import (
    PUBLICATION,
    SCHEMES,
    SETS,
    SOURCE,
    Values,
    entry_values,
    paper_values,
)
from papertrack.sync.threeway import Side, compare, compare_sets, without

Ask = Callable[[BibEntry, str, str, Any, Any, Any], Side | None]
"""Entry, citekey, field, base, the file's value, the library's → the side to follow, or None."""


def merge_entry(
    store: Store, document: str, entry: BibEntry, before: StoredEntry, ask: Ask
) -> tuple[Values, Values]:
    """Take over what the file changed; return what file and library count as having said.

    A field that both changed to different values is asked about; undecided it stays in the
    returned values as it was, so that it comes up again.
    """
    paper = get_paper(store, before.paper)
    file, now = entry_values(entry), paper_values(paper)
    base, then = dict(file), dict(before.library)
    changed: Values = {}
    names = dict.fromkeys((*before.base, *file))
    for name in (name for name in names if name not in SETS):
        old, new = before.base.get(name), file.get(name)
        outcome = compare(old, new, then.get(name), now.get(name))
        side: Side | None = "file" if outcome in ("file", "agreed") else None
        if outcome == "file" and owner_of(store, name, new) not in (None, paper.id):
            side, outcome = None, "conflict"
        if outcome == "conflict":
            side = ask(entry, paper.citekey, name, old, new, now.get(name))
            if side is None:
                _put(base, name, old)
        if side == "file":
            _put(then, name, new)
            if outcome != "agreed":
                changed[name] = new
    _apply(store, paper, entry, changed)
    for name in SETS:
        lists = [values.get(name, []) for values in (before.base, file, then, now)]
        changes = compare_sets(*lists)
        _change_set(store, paper, name, changes.file_added, changes.file_removed)
        _put(then, name, [*without(lists[2], changes.file_removed), *changes.file_added] or None)
    if entry.raw:
        keep_original(store, paper.id, f"{document}:{entry.citekey or ''}", entry.raw)
    return base, then


def _put(values: Values, name: str, value: Any) -> None:
    if value is None:
        values.pop(name, None)
    else:
        values[name] = value


def owner_of(store: Store, name: str, value: Any) -> int | None:
    """The paper that has the identifier; None also for a value that is no identifier."""
    if name not in SCHEMES or not value:
        return None
    return find_papers(store, [Identifier(name, value)]).get(Identifier(name, value))


def take_identifier(store: Store, paper_id: int, identifier: Identifier) -> None:
    """Give the paper the identifier, and take it from the one that has it."""
    owner = owner_of(store, identifier.scheme, identifier.value)
    if owner is not None and owner != paper_id:
        remove_identifiers(store, owner, [identifier])
    add_identifiers(store, paper_id, [identifier])


def _apply(store: Store, paper: Paper, entry: BibEntry, changed: Values) -> None:
    """Write the changed single values into the library."""
    if any(name.startswith(PUBLICATION) for name in changed):
        edit_paper(store, paper.id, "publication", _publication(paper, changed), source=SOURCE)
    for name, value in changed.items():
        if name == "citekey":
            _take_key(store, paper, value)
        elif name == "passes":
            set_passes(store, paper.id, value or 0)
        elif name == "rating":
            rate(store, paper.id, value)
        elif name in SCHEMES:
            old = [i for i in paper.facts.identifiers if i.scheme == name]
            remove_identifiers(store, paper.id, old[:1])
            if value:
                take_identifier(store, paper.id, Identifier(name, value))
        elif name == "authors":
            edit_paper(store, paper.id, name, entry.facts.authors, source=SOURCE)
        elif not name.startswith(PUBLICATION):
            field = "published_type" if name == "type" else name
            edit_paper(store, paper.id, field, value, source=SOURCE)


def _publication(paper: Paper, changed: Values) -> tuple[tuple[str, str], ...]:
    fields = dict(paper.facts.publication)
    for name, value in changed.items():
        if name.startswith(PUBLICATION):
            _put(fields, name.removeprefix(PUBLICATION), value)
    return tuple(fields.items())


def _take_key(store: Store, paper: Paper, key: str | None) -> None:
    """Follow a key that was changed in the file; one that another paper has is not taken."""
    keys = Citekeys(store)
    if key and keys.owners().get(key.lower(), paper.id) == paper.id:
        keys.rename(paper.id, key)


def _change_set(
    store: Store, paper: Paper, name: str, added: Sequence[Any], removed: Sequence[Any]
) -> None:
    if name == "tags":
        remove_tags(store, paper.id, removed)
        add_tags(store, paper.id, added)
        return
    for path in map(tuple, removed):
        if path in paper.categories:
            take_out_of_category(store, paper.id, path)
    for path in map(tuple, added):
        put_in_category(store, paper.id, path)
