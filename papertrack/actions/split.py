"""Split off a paper that was merged, or a row that an import joined to another paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path

from papertrack.documents.bibtex.facts import BibEntry
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.errors import ConflictError, NotFoundError, PapertrackError, UsageError
from papertrack.identifiers import identify
from papertrack.library import Library
from papertrack.library.paths import path_of_name
from papertrack.records import Paper, PaperFacts
from papertrack.store import documents
from papertrack.store.categories import put_in_category, take_out_of_category
from papertrack.store.citekeys import Citekeys
from papertrack.store.known import find_merge, mark_different, split_paper
from papertrack.store.lookup import field_sources, find_by_citekey, get_paper
from papertrack.store.papers import FIELDS, NewPaper, edit_paper, readings_of, remove_link
from papertrack.store.states import add_tags
from papertrack.store.store import Store
from papertrack.store.versions import get_originals
from papertrack.sync.bibtex.format import BibFormat
from papertrack.sync.bibtex.reading import SOURCE, read_bib, values_of
from papertrack.sync.format import Format
from papertrack.sync.items import Item
from papertrack.sync.linking import joined_facts
from papertrack.sync.markdown.format import MarkdownFormat, MarkdownReader
from papertrack.sync.report import choose_documents
from papertrack.sync.threeway import Values, keep_in_step
from papertrack.text import few


def split_off(store: Store, library: Library, citekey: str) -> tuple[str, str]:
    """Give a merged key a paper of its own again; return the keys of both papers.

    The merge is undone if nothing depends on it; otherwise the new paper gets what the `.bib`
    entries under the key contain. papertrack remembers that they are two works. Raises
    NotFoundError for a key that no paper has or without a known entry, and UsageError for a paper's
    own key.
    """
    paper_id = find_by_citekey(store, citekey)
    if paper_id is None:
        raise NotFoundError(
            f"No paper has the key {citekey!r}. `papertrack show PAPER --json` lists the former "
            "keys of a paper."
        )
    paper = get_paper(store, paper_id)
    if citekey.lower() == paper.citekey.lower():
        others = few(paper.citekey_aliases)
        raise UsageError(
            f"{citekey} is the paper's own key. Name the one to split off: {others}."
            if others
            else f"{citekey} is the only key of its paper: nothing was merged into it."
        )
    if not _take_back_merge(store, paper, citekey):
        _part_entries(store, library, paper, citekey)
    return paper.citekey, citekey


def _take_back_merge(store: Store, paper: Paper, citekey: str) -> bool:
    """Undo the merge that gave the paper this key; return whether that was possible."""
    merge = find_merge(store, citekey)
    if merge is None:
        return False
    try:
        with store.transaction():
            store.undo(merge)
            split_id = find_by_citekey(store, citekey)
            if split_id is not None:
                with store.action("split", f"{citekey} from {paper.citekey}"):
                    mark_different(store, paper.id, split_id)
    except ConflictError:
        return False
    return True


def _part_entries(store: Store, library: Library, paper: Paper, citekey: str) -> None:
    """Make a paper from the .bib entries under a key."""

    def leaves(key: object) -> bool:
        return str(key or "").lower() == citekey.lower()

    files = documents.read_documents(store, "bibtex")
    entries = [entry for file in files for entry in _entries_of(store, library, paper, file)]
    leaving = [entry for entry in entries if leaves(entry.citekey)]
    staying = [entry for entry in entries if not leaves(entry.citekey)]
    if not leaving:
        raise NotFoundError(
            f"No .bib file of the library has an entry {citekey}, so the content of a separate "
            "paper is not known."
        )
    part = joined_facts(leaving[0].facts, [entry.facts for entry in leaving[1:]])
    # If no entry stays, the paper keeps its first identifier.
    kept_ids = {id for entry in staying for id in entry.facts.identifiers}
    kept_ids = kept_ids or set(paper.facts.identifiers[:1])
    ids = dict.fromkeys(id for entry in leaving for id in entry.facts.identifiers)
    originals = get_originals(store, paper.id).items()
    new = NewPaper(
        part._replace(identifiers=tuple(id for id in ids if id not in kept_ids)),
        next(entry.citekey for entry in leaving if entry.citekey),
        is_citekey_given=True,
        originals=tuple((of, text) for of, text in originals if leaves(of.rpartition(":")[2])),
    )
    with store.action("split", f"{citekey} from {paper.citekey}"):
        new_id = split_paper(store, paper.id, new, source=SOURCE)
        _forget(store, paper, part, staying)
        own = values_of(get_paper(store, new_id))
        for document in files:
            stored = documents.read_entries(store, document.id)
            changed = [
                entry._replace(paper_id=new_id, library=own)
                if entry.paper_id == paper.id and leaves(entry.base.get("citekey"))
                else entry
                for entry in stored
            ]
            if changed != stored:
                documents.write_entries(store, document.id, changed)
        now = values_of(get_paper(store, paper.id))
        _keep_in_step(store, BibFormat, paper.id, values_of(paper), now)


def _entries_of(
    store: Store, library: Library, paper: Paper, document: documents.RegisteredDocument
) -> list[BibEntry]:
    """Return a paper's entries in a .bib file, or the stored ones if the file cannot be read."""
    stored = documents.read_entries(store, document.id)
    keys = {entry.base.get("citekey") for entry in stored if entry.paper_id == paper.id}
    if not keys:
        return []
    try:
        entries = read_bib(path_of_name(library, document.path)).bib.entries
    except PapertrackError:
        originals = get_originals(store, paper.id).items()
        texts = [text for source, text in originals if source.startswith(f"{document.path}:")]
        entries = parse_bibtex("\n\n".join(texts), file=document.path).entries
    return [entry for entry in entries if entry.citekey in keys]


def _forget(store: Store, paper: Paper, part: PaperFacts, staying: Sequence[BibEntry]) -> None:
    """Remove from the paper what only the leaving entries contained."""
    own_facts = [entry.facts for entry in staying]
    left = joined_facts(own_facts[0], own_facts[1:]) if staying else PaperFacts()
    facts, sources = paper.facts, field_sources(store, paper.id)
    for name in FIELDS:
        value, own = getattr(facts, name), getattr(left, name)
        is_theirs = sources.get(name) == SOURCE and value == getattr(part, name)
        if is_theirs and value != own and (own or name != "title"):
            edit_paper(store, paper.id, name, own, source=SOURCE)
    for link in facts.links if staying else ():
        if link in part.links and link not in left.links:
            remove_link(store, paper.id, link.role, link.url)


def _keep_in_step(
    store: Store, document: type[Format] | Format, paper_id: int, before: Values, now: Values
) -> None:
    """Mark the entries that stay as current, so that the user seems to have removed nothing."""
    for entry in documents.entries_of_paper(store, paper_id, kind=document.kind):
        values = keep_in_step(document.fields, entry.library, before, now)
        documents.set_library_values(store, entry.id, values)


def split_row(store: Store, library: Library, path: Path, line: int) -> tuple[str, str]:
    """Make a separate paper of a README row; return the keys of its former paper and its own.

    The new paper gets the content of the row, including its passes; papertrack remembers that they
    are two works. Raises NotFoundError for a file that is not a document, or a line where no row
    begins, and UsageError for a row that is its paper's only one, or whose identifiers other rows
    have too.
    """
    (registered,) = choose_documents(store, library, [path])
    reader = MarkdownReader(store, library, path_of_name(library, registered.path), registered.path)
    document = reader(registered)
    stored = documents.read_entries(store, registered.id)
    item, before = _row_in(document, stored, path, line)
    paper = get_paper(store, before.paper_id or 0)
    others = [
        other
        for other_document in documents.read_documents(store)
        for other in documents.read_entries(store, other_document.id)
        if other.paper_id == paper.id and other.id != before.id and other.is_in_file
    ]
    if not others:
        raise UsageError(f"{paper.citekey} has no other row: nothing was merged into it.")
    texts = {text for other in others for text in _texts_in(list(other.base.values()))}
    own = tuple(id for id in item.facts.identifiers if id.value not in texts)
    if item.facts.identifiers and not own:
        ids = ", ".join(f"{id.scheme}:{id.value}" for id in item.facts.identifiers)
        raise UsageError(
            f"Line {item.line} names {ids}, as another row of {paper.citekey} does. Change one "
            "of them in the file and import it: that splits the rows."
        )
    with store.action("split", f"{path.name}:{line} from {paper.citekey}"):
        facts, values = item.facts._replace(identifiers=own), item.values
        readings = readings_of(values.get("passes") or 0, at=item.read_at)
        rating = values.get("rating") or None
        new_paper = NewPaper(facts, Citekeys(store).make(facts), readings=readings, rating=rating)
        new_id = split_paper(store, paper.id, new_paper, source=document.source)
        add_tags(store, [new_id], item.values.get("tags") or ())
        if item.category:
            put_in_category(store, [new_id], item.category)
            if all(other.category != item.category for other in others):
                take_out_of_category(store, paper.id, item.category)
        for link in item.facts.links:
            if link.url not in texts:
                remove_link(store, paper.id, link.role, link.url)
        new = get_paper(store, new_id)
        row = before._replace(paper_id=new_id, library=document.library_values(new))
        documents.write_entries(
            store, registered.id, [row if entry is before else entry for entry in stored]
        )
        now = document.library_values(get_paper(store, paper.id))
        _keep_in_step(store, document, paper.id, document.library_values(paper), now)
        return paper.citekey, new.citekey


def _row_in(
    document: MarkdownFormat, stored: Sequence[documents.StoredEntry], path: Path, line: int
) -> tuple[Item, documents.StoredEntry]:
    """Return the row that begins in a line, as it is now and as it was imported.

    Raises NotFoundError.
    """
    matches = document.matches(stored)
    for item in document.items:
        if item.line == line and item.number in matches:
            before = stored[matches[item.number]]
            if before.paper_id is not None:
                return item, before
    lines = few([str(item.line) for item in sorted(document.items, key=attrgetter("line"))])
    raise NotFoundError(
        f"No imported row begins at line {line} of {path}. Rows begin at lines such as {lines}."
    )


def _texts_in(value: object) -> Iterator[str]:
    """Yield the texts in a value, and the identifiers in those that are addresses."""
    if isinstance(value, str):
        yield value
        if identifier := identify(value):
            yield identifier.value
    for part in value if isinstance(value, list) else ():
        yield from _texts_in(part)
