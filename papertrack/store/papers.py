"""Papers: adding, completing, editing and removing them.

What a source says goes through ``add_paper`` and ``complete_paper``; what the reader types goes
through ``edit_paper``. A field that the reader has edited is never overwritten by a source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from papertrack.errors import ConflictError
from papertrack.records import Decision, Identifier, Kind, Link, PaperFacts
from papertrack.store.adding import (
    AUTHOR_COLUMNS,
    FIELDS,
    NewPaper,
    add_new_papers,
    author_rows,
    known_fields,
    value_to_json,
)
from papertrack.store.answers import note_source
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import (
    JSON_FIELDS,
    citekey_of,
    field_sources,
    find_papers,
    get_paper,
)
from papertrack.store.store import Store
from papertrack.text import title_key

READER = "user"
"""The source of what the reader typed."""


def add_paper(
    store: Store,
    facts: PaperFacts,
    *,
    source: str,
    decision: Decision = "saved",
    citekey: str | None = None,
    is_citekey_given: bool = False,
    citekey_template: str = "{auth}{year}{shorttitle}",
) -> int:
    """Add a paper and return its id. Raises ConflictError if one of its identifiers is taken.

    ``is_citekey_given``: the key stands in somebody's text already and never changes by itself.
    """
    taken = find_papers(store, facts.identifiers)
    if taken:
        names = ", ".join(f"{i.scheme}:{i.value}" for i in facts.identifiers)
        raise ConflictError(f"The library has a paper with one of {names} already.")
    citekey = Citekeys(store, citekey_template).make(facts, wanted=citekey)
    paper = NewPaper(facts, citekey, is_citekey_given=is_citekey_given, decision=decision)
    (paper_id,) = add_new_papers(store, [paper], source=source)
    return paper_id


def add_papers(
    store: Store,
    several: Sequence[PaperFacts],
    *,
    source: str,
    decision: Decision,
    citekey_template: str,
) -> list[int]:
    """Add papers with identifiers that nobody has, as the caller has seen to; return their ids."""
    keys = Citekeys(store, citekey_template).make_several(several)
    papers = [
        NewPaper(facts, citekey, decision=decision)
        for facts, citekey in zip(several, keys, strict=True)
    ]
    return add_new_papers(store, papers, source=source)


def complete_paper(
    store: Store, paper_id: int, facts: PaperFacts, *, source: str, keep: Sequence[str] = ()
) -> list[str]:
    """Fill in what a source says; return the names of the fields that changed.

    A field that the reader edited, or one named in ``keep`` that has a value, is not touched: what
    the source says of it becomes a suggestion. A field the source is silent about keeps its value.
    """
    paper = get_paper(store, paper_id)
    owners = field_sources(store, paper_id)
    changed = []
    for name in known_fields(facts):
        new, old = getattr(facts, name), getattr(paper.facts, name)
        if new == old:
            continue
        is_kept = owners.get(name) == READER or (name in keep and old not in (None, ()))
        if is_kept:
            suggest(store, paper_id, name, new, source=source)
            continue
        edit_paper(store, paper_id, name, new, source=source)
        changed.append(name)
    if add_identifiers(store, paper_id, facts.identifiers):
        changed.append("identifiers")
    if add_links(store, paper_id, facts.links):
        changed.append("links")
    return changed


def set_kind(store: Store, paper_id: int, kind: Kind) -> None:
    store.execute("UPDATE papers SET kind = ? WHERE id = ?", (kind, paper_id))


def suggest(store: Store, paper_id: int, field: str, value: object, *, source: str) -> bool:
    """Keep what a source says beside the present value; return whether that is news.

    A value suggested before stays as it was decided. A new one takes the place of an open one,
    but for ``links``, of which there can be many.
    """
    text = value_to_json(field, value)
    if field != "links":
        store.execute(
            """DELETE FROM suggestions
               WHERE paper_id = ? AND field = ? AND value <> ? AND state = 'open'""",
            (paper_id, field, text),
        )
    cursor = store.insert(
        "suggestions (paper_id, field, value, source, at)",
        (paper_id, field, text, source, store.stamp()),
        on_conflict="DO NOTHING",
    )
    return cursor.rowcount == 1


def add_identifiers(store: Store, paper_id: int, identifiers: Sequence[Identifier]) -> int:
    """Give the paper these identifiers too; return how many were new.

    Raises ConflictError if another paper has one of them.
    """
    start = store.select_value(
        "SELECT ifnull(max(position) + 1, 0) FROM identifiers WHERE paper_id = ?", (paper_id,)
    )
    owners = find_papers(store, identifiers)
    for identifier, owner in owners.items():
        if owner != paper_id:
            raise ConflictError(
                f"{identifier.scheme}:{identifier.value} already belongs to "
                f"{citekey_of(store, owner)}; merge the two with `papertrack merge` "
                "if they are one work."
            )
    new = [identifier for identifier in dict.fromkeys(identifiers) if identifier not in owners]
    store.insert_many(
        "identifiers (scheme, value, paper_id, position)",
        [(i.scheme, i.value, paper_id, position) for position, i in enumerate(new, start)],
    )
    return len(new)


def remove_identifiers(store: Store, paper_id: int, identifiers: Sequence[Identifier]) -> None:
    """Take these identifiers from the paper, as far as they are its own."""
    for found in identifiers:
        store.execute(
            "DELETE FROM identifiers WHERE scheme = ? AND value = ? AND paper_id = ?",
            (found.scheme, found.value, paper_id),
        )


def add_links(store: Store, paper_id: int, links: Sequence[Link]) -> int:
    """Give the paper these links too; return how many were new."""
    start = store.select_value(
        "SELECT ifnull(max(position) + 1, 0) FROM links WHERE paper_id = ?", (paper_id,)
    )
    added = 0
    for link in links:
        cursor = store.insert(
            "links (paper_id, position, role, url, label)",
            (paper_id, start + added, link.role, link.url, link.label),
            on_conflict="DO NOTHING",
        )
        added += cursor.rowcount
    return added


def remove_link(store: Store, paper_id: int, role: str, url: str) -> None:
    store.execute(
        "DELETE FROM links WHERE paper_id = ? AND role = ? AND url = ?", (paper_id, role, url)
    )


def add_note(store: Store, paper_id: int, path: str) -> None:
    """Attach a note file, by its path relative to the library."""
    store.execute(
        """INSERT INTO notes (paper_id, path, position)
           VALUES (?1, ?2, (SELECT count(*) FROM notes WHERE paper_id = ?1))
           ON CONFLICT DO NOTHING""",
        (paper_id, path),
    )


def remove_note(store: Store, paper_id: int, path: str) -> None:
    store.execute("DELETE FROM notes WHERE paper_id = ? AND path = ?", (paper_id, path))


def keep_original(store: Store, paper_id: int, source: str, text: str) -> None:
    """Keep the record of a source word for word beside what was understood of it."""
    store.insert(
        "originals (paper_id, source, text)",
        (paper_id, source, text),
        on_conflict="DO UPDATE SET text = excluded.text WHERE text <> excluded.text",
    )


def remove_paper(store: Store, paper_id: int) -> None:
    """Take the paper and all that belongs to it out of the library; undo brings it back."""
    citekey_of(store, paper_id)
    store.execute("DELETE FROM papers WHERE id = ?", (paper_id,))


def edit_paper(store: Store, paper_id: int, name: str, value: Any, *, source: str = READER) -> None:
    """Set or empty one field. What the reader (the default source) set, no source overwrites.

    Raises ValueError for a name that is none of ``FIELDS``.
    """
    if name not in FIELDS:
        raise ValueError(f"{name} is not a field of a paper")
    if name == "authors":
        store.execute("DELETE FROM authors WHERE paper_id = ?", (paper_id,))
        store.insert_many(AUTHOR_COLUMNS, author_rows(paper_id, value))
    else:
        if name in JSON_FIELDS:
            value = value_to_json(name, value)
        store.execute(f"UPDATE papers SET {name} = ? WHERE id = ?", (value, paper_id))
        if name == "title":
            key = title_key(str(value)) if value else None
            store.execute("UPDATE papers SET title_key = ? WHERE id = ?", (key, paper_id))
    note_source(store, paper_id, name, source)
