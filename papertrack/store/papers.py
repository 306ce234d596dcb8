"""Add, complete, edit, merge and remove papers.

Values from sources go through ``add_paper`` and ``complete_paper``, those typed by the user through
``edit_paper``. A source never overwrites a field that the user has edited.
"""

# Without `from __future__ import annotations`: see ``records``.

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from papertrack.errors import ConflictError, UsageError
from papertrack.records import (
    PASSES,
    Author,
    Decision,
    Identifier,
    Kind,
    Link,
    Paper,
    PaperFacts,
    Reading,
)
from papertrack.records import READER as READER
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import (
    COLUMN_FIELDS,
    JSON_FIELDS,
    citekey_of,
    field_sources,
    find_papers,
    get_paper,
)
from papertrack.store.states import unite_readings
from papertrack.store.store import Store
from papertrack.store.suggestions import note_source, suggest
from papertrack.text import title_key

if TYPE_CHECKING:
    from papertrack.holdings import Details

_COLUMNS = (*COLUMN_FIELDS, *JSON_FIELDS, "is_withdrawn")
FIELDS = (*_COLUMNS, "authors")
"""Fields whose source is stored. Others, such as identifiers, are sets to which sources add."""
_fields_of = attrgetter(*FIELDS)
_columns_of = attrgetter(*_COLUMNS)


class NewPaper(NamedTuple):
    """A paper to add. The caller makes sure that its key and identifiers are free."""

    facts: PaperFacts
    citekey: str
    is_citekey_given: bool = False
    citekey_aliases: tuple[str, ...] = ()
    decision: Decision = "saved"
    originals: tuple[tuple[str, str], ...] = ()
    """Source and text of the records that it was made from."""
    readings: tuple[Reading, ...] = ()
    rating: int | None = None
    former: "tuple[Paper, Details] | None" = None
    """Its further data in another library, if it comes from there."""


def readings_of(passes: int, *, at: str | None = None) -> tuple[Reading, ...]:
    """Return a reading for each of so many passes, of which only the last has a date."""
    return tuple(Reading(n, at if n == passes else None) for n in range(1, passes + 1))


def add_new_papers(store: Store, papers: Sequence[NewPaper], *, source: str) -> list[int]:
    """Write these papers and return their ids, in order."""
    return [_add(store, paper, source) for paper in papers]


def known_fields(facts: PaperFacts) -> list[str]:
    """Return the names of the fields that have values in these facts."""
    told = zip(FIELDS, _fields_of(facts), strict=True)
    return [name for name, value in told if value is not None and value != ()]


def author_rows(paper_id: int, authors: Sequence[Author]) -> list[tuple[object, ...]]:
    """Return the rows of a paper's authors, in the order of AUTHOR_COLUMNS."""
    return [
        (paper_id, n, author.name, author.affiliation, author.family)
        for n, author in enumerate(authors)
    ]


AUTHOR_COLUMNS = "authors (paper_id, position, name, affiliation, family)"


def _add(store: Store, paper: NewPaper, source: str) -> int:
    """Write one paper; return its id."""
    now, facts = store.stamp(), paper.facts
    n = store.insert(
        f"papers (kind, citekey, is_citekey_given, added, title_key, {', '.join(_COLUMNS)})",
        (
            *(facts.kind, paper.citekey, paper.is_citekey_given),
            paper.former[0].added if paper.former else now,
            title_key(facts.title) if facts.title else None,
            *_columns_of(facts),
        ),
    ).lastrowid
    assert n is not None
    _add_parts(store, n, paper, source)
    return n


def _add_parts(store: Store, n: int, paper: NewPaper, source: str) -> None:
    """Write the rows that belong to a new paper."""
    now, facts = store.stamp(), paper.facts
    named = () if paper.former and paper.former[1].sources else sorted(known_fields(facts))
    parts: dict[str, list[tuple[object, ...]]] = {
        """paper_states (paper_id, decision, rating,
            decision_reason, decided_at, in_hand_since, snoozed_until)""": [
            (n, paper.decision, paper.rating, *_decided(paper, now))
        ],
        "readings (paper_id, pass, at, minutes, version, takeaway)": [
            (n, *reading) for reading in paper.readings
        ],
        AUTHOR_COLUMNS: author_rows(n, facts.authors),
        "identifiers (scheme, value, paper_id, position)": [
            (i.scheme, i.value, n, at) for at, i in enumerate(dict.fromkeys(facts.identifiers))
        ],
        "citekey_aliases (alias, paper_id)": [(alias, n) for alias in paper.citekey_aliases],
        "originals (paper_id, source, text)": [
            (n, record, text) for record, text in paper.originals
        ],
        "field_sources (paper_id, field, source, at)": [(n, name, source, now) for name in named],
    }
    for table, rows in parts.items():
        store.insert_many(table, rows)
    add_links(store, n, facts.links)


def _decided(paper: NewPaper, now: str) -> Sequence[str | None]:
    """Return the reason and time of the decision, and the times of queueing and snoozing."""
    if paper.former is not None:
        was, details = paper.former
        return was.decision_reason, details.decided_at, details.in_hand_since, was.snoozed_until
    return None, None if paper.decision == "inbox" else now, None, None


def add_paper(
    store: Store,
    facts: PaperFacts,
    *,
    source: str,
    decision: Decision = "saved",
    citekey: str | None = None,
    keys: Citekeys | None = None,
) -> int:
    """Add a paper and return its id. Raises ConflictError if one of its identifiers is taken.

    ``keys`` makes the keys of several papers.
    """
    taken = find_papers(store, facts.identifiers)
    if taken:
        names = ", ".join(f"{i.scheme}:{i.value}" for i in facts.identifiers)
        raise ConflictError(f"The library has a paper with one of {names} already.")
    citekey = (keys or Citekeys(store)).make(facts, wanted=citekey)
    paper = NewPaper(facts, citekey, decision=decision)
    (paper_id,) = add_new_papers(store, [paper], source=source)
    return paper_id


def add_papers(
    store: Store, several: Sequence[PaperFacts], *, source: str, decision: Decision
) -> list[int]:
    """Add papers with new identifiers, as checked by the caller; return their ids."""
    keys = Citekeys(store).make_several(several)
    papers = [
        NewPaper(facts, citekey, decision=decision)
        for facts, citekey in zip(several, keys, strict=True)
    ]
    return add_new_papers(store, papers, source=source)


def complete_paper(
    store: Store, paper_id: int, facts: PaperFacts, *, source: str, keep: Sequence[str] = ()
) -> list[str]:
    """Complete a paper from a source; return the names of the fields that changed.

    A field that the user edited, or one named in ``keep`` that has a value, is not changed:
    the source's value becomes a suggestion. A field without a value in the source keeps its
    value.
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


def add_identifiers(store: Store, paper_id: int, identifiers: Sequence[Identifier]) -> int:
    """Add identifiers to the paper; return how many were new.

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
    """Remove those of these identifiers that the paper has."""
    for found in identifiers:
        store.execute(
            "DELETE FROM identifiers WHERE scheme = ? AND value = ? AND paper_id = ?",
            (found.scheme, found.value, paper_id),
        )


def add_links(store: Store, paper_id: int, links: Sequence[Link]) -> int:
    """Add links to the paper; return how many were new."""
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
    """Store an original record of a paper, such as the text of its .bib entry, by source."""
    store.insert(
        "originals (paper_id, source, text)",
        (paper_id, source, text),
        on_conflict="DO UPDATE SET text = excluded.text WHERE text <> excluded.text",
    )


def remove_paper(store: Store, paper_id: int) -> None:
    """Remove the paper and all its data from the library; undo restores it."""
    citekey_of(store, paper_id)
    store.execute("DELETE FROM papers WHERE id = ?", (paper_id,))


def edit_paper(store: Store, paper_id: int, name: str, value: Any, *, source: str = READER) -> None:
    """Set or empty one field. No source overwrites what the user (the default source) set.

    Raises ValueError for an unknown field.
    """
    if name not in FIELDS:
        raise ValueError(f"{name} is not a field of a paper")
    if name == "authors":
        store.execute("DELETE FROM authors WHERE paper_id = ?", (paper_id,))
        store.insert_many(AUTHOR_COLUMNS, author_rows(paper_id, value))
    else:
        store.execute(f"UPDATE papers SET {name} = ? WHERE id = ?", (value, paper_id))
        if name == "title":
            key = title_key(str(value)) if value else None
            store.execute("UPDATE papers SET title_key = ? WHERE id = ?", (key, paper_id))
    note_source(store, paper_id, name, source)


_UNITED = (
    *("tags", "paper_categories", "paper_topics"),
    *("entries", "citekey_aliases", "suggestions", "originals", "paper_records"),
)
"""Tables whose rows move to the paper that stays; of equal rows, one stays."""


def merge_papers(store: Store, kept_id: int, merged_id: int) -> None:
    """Merge two papers; the first keeps its fields and citation key.

    It gets the fields that it lacks from the second. Passes, notes, tags, links, categories,
    topics, identifiers and entries are combined; the second's key becomes an alias; the stronger
    decision wins with its reason (saved over inbox over discarded), and the paper is being read if
    either was. It was added when the first of them was.
    """
    if kept_id == merged_id:
        raise UsageError("A paper cannot be merged with itself.")
    kept, merged = get_paper(store, kept_id), get_paper(store, merged_id)
    sources = field_sources(store, merged_id)
    for name in known_fields(merged.facts):
        if getattr(kept.facts, name) in (None, ()):
            value = getattr(merged.facts, name)
            edit_paper(store, kept_id, name, value, source=sources.get(name, READER))
    execute = store.execute
    pair = (kept_id, merged_id)
    execute(
        """UPDATE identifiers SET paper_id = ?1, position = position +
           (SELECT ifnull(max(position) + 1, 0) FROM identifiers WHERE paper_id = ?1)
           WHERE paper_id = ?2""",
        pair,
    )
    add_links(store, kept_id, merged.facts.links)
    for path in merged.notes:
        add_note(store, kept_id, path)
    # Its .bib entries keep their key, which is in manuscripts, and the fields that the kept
    # paper does not have. As text: the journal reads it.
    fields = dict(kept.facts.publication or merged.facts.publication)
    lost = [f'$."publication.{n}"' for n, _ in merged.facts.publication if n not in fields]
    removed = ", ?" * len(lost)
    execute(
        f"""UPDATE entries
            SET library = json_remove(json_replace(library, '$.citekey', ?){removed}) || ''
            WHERE paper_id = ?""",
        (kept.citekey, *lost, merged_id),
    )
    for table in _UNITED:
        execute(f"UPDATE OR IGNORE {table} SET paper_id = ? WHERE paper_id = ?", pair)
    unite_readings(store, kept_id, merged_id)
    _merge_states(store, kept, merged)
    execute("UPDATE papers SET added = min(added, ?) WHERE id = ?", (merged.added, kept_id))
    execute("DELETE FROM papers WHERE id = ?", (merged_id,))
    Citekeys(store).add_alias(kept_id, merged.citekey)


def _merge_states(store: Store, kept: Paper, merged: Paper) -> None:
    stronger = min((kept, merged), key=lambda p: ("saved", "inbox", "discarded").index(p.decision))
    store.execute(
        """UPDATE paper_states SET rating = ?4,
           (decision, decision_reason, decided_at) =
               (SELECT decision, decision_reason, decided_at FROM paper_states WHERE paper_id = ?5),
           in_hand_since = CASE WHEN passes_done < ?3 THEN
               (SELECT min(in_hand_since) FROM paper_states WHERE paper_id IN (?1, ?2)) END,
           snoozed_until = (SELECT snoozed_until FROM paper_states WHERE paper_id = ?5)
           WHERE paper_id = ?1""",
        (kept.id, merged.id, PASSES[-1], kept.rating or merged.rating, stronger.id),
    )
