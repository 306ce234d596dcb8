"""``papertrack merge --undo README.md:LINE``: a joined row gets a paper of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.errors import NotFoundError, UsageError
from papertrack.identifiers import identify
from papertrack.library import Library
from papertrack.library.paths import path_of_name
from papertrack.records import Identifier, Paper
from papertrack.store.categories import put_in_category, take_out_of_category
from papertrack.store.citekeys import Citekeys
from papertrack.store.documents import (
    StoredEntry,
    entries_of_paper,
    read_documents,
    read_entries,
    set_library_values,
    write_entries,
)
from papertrack.store.lookup import get_paper
from papertrack.store.papers import remove_link
from papertrack.store.parting import part_paper
from papertrack.store.states import add_tags
from papertrack.store.store import Store
from papertrack.sync.items import Item
from papertrack.sync.linking import draft_of
from papertrack.sync.markdown.format import MarkdownFormat, MarkdownReader
from papertrack.sync.report import choose_documents
from papertrack.sync.threeway import with_changes
from papertrack.text import few


@dataclass(frozen=True)
class _Row:
    """One row of a README on its way out of a paper."""

    store: Store
    document: MarkdownFormat
    document_id: int
    stored: Sequence[StoredEntry]
    """All entries of the document, as last seen."""
    item: Item
    before: StoredEntry
    """What the row was then."""
    paper: Paper


def split_row(store: Store, library: Library, path: Path, line: int) -> tuple[str, str]:
    """Give the row in a line of a README a paper of its own; return the keys of the paper that it
    was joined to, and of its own.

    The paper has what the row says, its reading too; that they are two works is remembered. Raises
    NotFoundError for a file that is no document, or a line where no row begins, and UsageError for
    a row that has its paper for itself, or that names by an identifier what others name.
    """
    row = _row_in(store, library, path, line)
    others = [
        one
        for document in read_documents(store)
        for one in read_entries(store, document.id)
        if one.paper_id == row.paper.id and one.id != row.before.id and one.is_in_file
    ]
    if not others:
        raise UsageError(f"{row.paper.citekey} has no other row: nothing was joined to it.")
    said = {text for one in others for text in _texts_in(list(one.base.values()))}
    own = _own_identifiers(row, said)
    with store.action("split", f"{path.name}:{line} from {row.paper.citekey}"):
        facts = row.item.facts._replace(identifiers=own)
        draft = draft_of(row.item, facts, Citekeys(store).make(facts))
        new_id = part_paper(store, row.paper.id, draft, source=row.document.source)
        add_tags(store, new_id, row.item.values.get("tags") or ())
        if row.item.category:
            put_in_category(store, new_id, row.item.category)
            if all(one.category != row.item.category for one in others):
                take_out_of_category(store, row.paper.id, row.item.category)
        for link in row.item.facts.links:
            if link.url not in said:
                remove_link(store, row.paper.id, link.role, link.url)
        _keep_in_step(row, new_id)
        return row.paper.citekey, get_paper(store, new_id).citekey


def _row_in(store: Store, library: Library, path: Path, line: int) -> _Row:
    (registered,) = choose_documents(store, library, [path])
    reader = MarkdownReader(store, library, path_of_name(library, registered.path), registered.path)
    document = reader(registered)
    stored = read_entries(store, registered.id)
    matches = document.matches(stored)
    for item in document.items:
        if item.line == line and item.number in matches:
            before = stored[matches[item.number]]
            if before.paper_id is not None:
                paper = get_paper(store, before.paper_id)
                return _Row(store, document, registered.id, stored, item, before, paper)
    lines = few([str(one.line) for one in sorted(document.items, key=lambda one: one.line)])
    raise NotFoundError(f"No row that was imported begins in line {line} of {path}, as in {lines}.")


def _texts_in(value: object) -> Iterator[str]:
    """Yield the texts in a value, and the names of works that are written as addresses."""
    if isinstance(value, str):
        yield value
        if identifier := identify(value):
            yield identifier.value
    for part in value if isinstance(value, list) else ():
        yield from _texts_in(part)


def _own_identifiers(row: _Row, said: Collection[str]) -> tuple[Identifier, ...]:
    """The row's identifiers that others do not say. Raises UsageError if they say them all."""
    own = tuple(one for one in row.item.facts.identifiers if one.value not in said)
    if row.item.facts.identifiers and not own:
        named = ", ".join(f"{one.scheme}:{one.value}" for one in row.item.facts.identifiers)
        raise UsageError(
            f"Line {row.item.line} names {named}, as another row of {row.paper.citekey} does. "
            "Change that in the file and import it: the rows then part."
        )
    return own


def _keep_in_step(row: _Row, new_id: int) -> None:
    """Remember whose the row is now, and that nobody took from the paper what left with it."""
    document, store = row.document, row.store
    then = document.library_values(row.paper)
    now = document.library_values(get_paper(store, row.paper.id))
    own = document.library_values(get_paper(store, new_id))
    write_entries(
        store,
        row.document_id,
        [
            one._replace(paper_id=new_id, library=own) if one is row.before else one
            for one in row.stored
        ],
    )
    for one in entries_of_paper(store, row.paper.id):
        set_library_values(store, one.id, with_changes(one.library, then, now))
