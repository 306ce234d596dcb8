"""Writing into the library what changed in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from papertrack.documents.markdown.model import Entry
from papertrack.documents.markdown.roles import is_web
from papertrack.records import Author, Identifier, Link
from papertrack.store.lookup import field_sources, fields_of_reader, find_papers, get_paper
from papertrack.store.papers import (
    READER,
    add_identifiers,
    add_links,
    add_note,
    edit_paper,
    remove_identifiers,
    remove_link,
    remove_note,
    set_kind,
)
from papertrack.store.states import add_tags, rate, remove_tags, set_passes
from papertrack.store.store import Store
from papertrack.sync.markdown.values import SOURCE, library_values, submitted_of
from papertrack.sync.threeway import Merged


def apply_merge(store: Store, paper_id: int, merged: Merged, entries: Sequence[Entry]) -> None:
    """Give the paper what its entries in a document say anew, and take what they no longer say.

    A title or a date that the library has from the file, or knows better, is not the library's own
    (see ``library_values``): it must not go out to the file again.
    """
    sources = field_sources(store, paper_id) if merged.scalars else {}
    for name, value in merged.scalars.items():
        if name == "passes":
            read_at = next((e.fields.read_at for e in entries if e.fields.passes == value), None)
            set_passes(store, paper_id, value, at=read_at)
        elif name == "rating":
            rate(store, paper_id, value)
        elif name == "kind":
            set_kind(store, paper_id, value)
        elif name != "date":
            value = tuple(map(Author, value)) if name == "authors" else value or None
            _write(store, paper_id, name, value, sources)
    for name in dict.fromkeys((*merged.removed, *merged.added)):
        removed, added = merged.removed.get(name, ()), merged.added.get(name, ())
        _change_set(store, paper_id, name, removed, added, entries)
    if "date" in merged.scalars or "identifiers" in merged.added:
        _write_date(store, paper_id, merged, entries)
    if taken := {"title", "date"}.intersection(merged.scalars):
        now = library_values(get_paper(store, paper_id), fields_of_reader(store, paper_id))
        merged.then.update({name: now.get(name) for name in taken})


def _write_date(store: Store, paper_id: int, merged: Merged, entries: Sequence[Entry]) -> None:
    sources = field_sources(store, paper_id)
    if sources.get("submitted") == READER:
        if "date" in merged.scalars:
            _write(store, paper_id, "submitted", merged.scalars["date"], sources)
        return
    identifiers = get_paper(store, paper_id).facts.identifiers
    shown = next((entry.fields.date for entry in entries if entry.fields.date), None)
    _write(store, paper_id, "submitted", submitted_of(identifiers, shown), sources)


def _write(store: Store, paper_id: int, name: str, value: object, sources: dict[str, str]) -> None:
    """Set a field that a document or the reader gave; what a better source says stays."""
    source = sources.get(name, SOURCE)
    if source in (SOURCE, READER):
        edit_paper(store, paper_id, name, value, source=source)


def _change_set(
    store: Store,
    paper_id: int,
    name: str,
    removed: Sequence[Any],
    added: Sequence[Any],
    entries: Sequence[Entry],
) -> None:
    if name == "tags":
        remove_tags(store, paper_id, removed)
        add_tags(store, paper_id, added)
    elif name == "identifiers":
        remove_identifiers(store, paper_id, [Identifier(*pair) for pair in removed])
        wanted = [Identifier(*pair) for pair in added]
        owners = find_papers(store, wanted)
        add_identifiers(store, paper_id, [i for i in wanted if owners.get(i, paper_id) == paper_id])
    else:
        for target in removed:
            if name == "note" and not is_web(target):
                remove_note(store, paper_id, target)
            else:
                remove_link(store, paper_id, name, target)
        for target in added:
            if name == "note" and not is_web(target):
                add_note(store, paper_id, target)
            else:
                add_links(store, paper_id, [_link(name, target, entries)])


def _link(role: str, url: str, entries: Sequence[Entry]) -> Link:
    """The link as an entry has it, with its label."""
    links = (link for entry in entries for link in entry.fields.links)
    found = next((link for link in links if link.role == role and link.url == url), None)
    return found or Link(role, url)  # type: ignore[arg-type]  # A key of values is a role.
