"""Export and import all data of the user: of papers, and of the library as a whole.

An import from another library removes nothing that is there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace

from papertrack.holdings import (
    Details,
    FedFile,
    FieldSource,
    FoundBy,
    Holdings,
    KeptSuggestion,
    Topic,
)
from papertrack.records import Paper, Reading
from papertrack.store import categories
from papertrack.store.citekeys import IS_FROZEN, Citekeys
from papertrack.store.documents import read_documents
from papertrack.store.lookup import find_by_citekey
from papertrack.store.papers import NewPaper, add_new_papers
from papertrack.store.store import Store
from papertrack.store.versions import without_links
from papertrack.store.watch.ranks import forget_term, forgotten_terms
from papertrack.store.watch.topics import EVERYTHING, add_topic, list_topics, update_topic

_PARTS = {
    "sources": "paper_id, field, source, at FROM field_sources {} ORDER BY field",
    "suggestions": """paper_id, field, value, source, at, state FROM suggestions {}
        ORDER BY at, field, value""",
    "originals": "paper_id, source, text FROM originals {} ORDER BY source",
    "found": """paper_id, t.name, reason, score, found_at FROM paper_topics
        JOIN topics t ON t.id = topic_id {} ORDER BY t.name""",
    "places": "paper_id, category_id, position FROM paper_categories {}",
}
"""Rows that belong to a paper: columns, table and order."""
_DIFFERENT = """
    SELECT d.one, p.citekey FROM (
        SELECT paper_id one, other_id other FROM different
        UNION ALL SELECT other_id, paper_id FROM different) d
    JOIN papers p ON p.id = d.other
    WHERE d.one IN (SELECT value FROM json_each(?)) ORDER BY p.citekey
"""


def read_details(store: Store, paper_ids: Sequence[int]) -> dict[int, Details]:
    """Return the data of these papers that ``Paper`` does not have, by paper."""
    ids = (list(paper_ids),)
    condition = "WHERE paper_id IN (SELECT value FROM json_each(?))"
    parts = {
        name: store.select_groups("SELECT " + sql.format(condition), ids)
        for name, sql in _PARTS.items()
    }
    different = store.select_groups(_DIFFERENT, ids)
    paths = categories.paths(store)
    rows = store.execute(
        f"""SELECT p.id, {IS_FROZEN}, s.decided_at, s.in_hand_since, s.wish
            FROM papers p JOIN paper_states s ON s.paper_id = p.id {condition}""",
        ids,
    )
    return {
        paper_id: Details(
            bool(is_given),
            decided_at,
            in_hand_since,
            tuple(FieldSource(*row) for row in parts["sources"].get(paper_id, ())),
            tuple(
                KeptSuggestion(field, json.loads(value), *details)
                for field, value, *details in parts["suggestions"].get(paper_id, ())
            ),
            tuple((source, text) for source, text in parts["originals"].get(paper_id, ())),
            tuple(citekey for (citekey,) in different.get(paper_id, ())),
            tuple(FoundBy(*row) for row in parts["found"].get(paper_id, ())),
            tuple(
                sorted((paths[of], position) for of, position in parts["places"].get(paper_id, ()))
            ),
            wish,
        )
        for paper_id, is_given, decided_at, in_hand_since, wish in rows
    }


def read_holdings(store: Store) -> Holdings:
    """Return the data of the library besides its papers, such as topics and categories."""
    return Holdings(
        tuple(path for path, _ in categories.ordered_paths(store)),
        tuple(list_topics(store)),
        tuple(
            FedFile(document.path, document.kind, dict(document.settings))
            for document in read_documents(store)
        ),
        tuple(forgotten_terms(store)),
    )


Given = tuple[int, Paper, Details]
"""The id of a paper in this library, and its data in another one."""


def add_whole_papers(
    store: Store, papers: Sequence[tuple[Paper, Details]], *, source: str
) -> list[int]:
    """Add papers with their former keys, if these are free; return their ids."""
    keys = Citekeys(store).keep([paper.citekey for paper, _ in papers])
    drafts = [
        NewPaper(
            paper.facts,
            key,
            details.is_citekey_given,
            decision=paper.decision,
            readings=paper.readings,
            rating=paper.rating,
            former=(paper, details),
        )
        for (paper, details), key in zip(papers, keys, strict=True)
    ]
    return add_new_papers(store, drafts, source=source)


def fill_reading(store: Store, paper_id: int, reading: Reading) -> bool:
    """Add time and notes to a pass of which only its number is stored.

    Returns whether there was such a pass.
    """
    return bool(
        store.execute(
            """UPDATE readings SET (at, minutes, version, takeaway) = (?3, ?4, ?5, ?6)
               WHERE id = (SELECT min(id) FROM readings WHERE paper_id = ?1 AND pass = ?2
                   AND at IS NULL AND minutes IS NULL AND takeaway IS NULL)""",
            (paper_id, *reading),
        ).rowcount
    )


def take_decision(store: Store, paper_id: int, paper: Paper, details: Details) -> None:
    """Copy the decision, its time and the queue state of a paper from another library."""
    store.execute(
        """UPDATE paper_states SET (decision, decision_reason, decided_at, in_hand_since) =
           (?1, ?2, ?3, CASE WHEN passes_done < 3 THEN ifnull(in_hand_since, ?4) END)
           WHERE paper_id = ?5""",
        (
            *(paper.decision, paper.decision_reason, details.decided_at),
            *(details.in_hand_since, paper_id),
        ),
    )


def merge_details(store: Store, papers: Sequence[Given]) -> None:
    """Add to papers the data of which they may have several from another library.

    These are tags, notes, categories, former keys, sources of fields, answered suggestions,
    original records, and the topics that matched the papers.
    """
    topics = {topic.name.casefold(): topic.id for topic in list_topics(store)}
    rows: Mapping[str, list[tuple[object, ...]]] = {
        "tags (paper_id, tag)": [(of, tag) for of, paper, _ in papers for tag in paper.tags],
        "notes (paper_id, path, position)": [
            (of, path, at) for of, paper, _ in papers for at, path in enumerate(paper.notes)
        ],
        "field_sources (paper_id, field, source, at)": [
            (of, *astuple(source)) for of, _, details in papers for source in details.sources
        ],
        "originals (paper_id, source, text)": [
            (of, source, without_links(text))
            for of, _, details in papers
            for source, text in details.originals
        ],
        "paper_topics (paper_id, topic_id, reason, score, found_at)": [
            (of, topics[match.topic.casefold()], match.reason, match.score, match.found_at)
            for of, _, details in papers
            for match in details.found
            if match.topic.casefold() in topics
        ],
    }
    for into, values in rows.items():
        store.insert_many(into, values, on_conflict="DO NOTHING")
    store.connection.executemany(
        "UPDATE paper_states SET wish = ifnull(wish, ?) WHERE paper_id = ?",
        [(details.wish, of) for of, _, details in papers if details.wish],
    )
    _unite_suggestions(store, papers)
    _unite_places(store, papers)
    _unite_keys(store, papers)


def _unite_suggestions(store: Store, papers: Sequence[Given]) -> None:
    """Add suggestions; an answer from either library counts."""
    store.insert_many(
        "suggestions (paper_id, field, value, source, at, state)",
        [
            (of, suggestion.field, json.dumps(suggestion.value, ensure_ascii=False), *columns)
            for of, _, details in papers
            for suggestion in details.suggestions
            for columns in [(suggestion.source, suggestion.at, suggestion.state)]
        ],
        on_conflict="DO UPDATE SET state = excluded.state WHERE state = 'open' "
        "AND excluded.state <> 'open'",
    )


def _unite_places(store: Store, papers: Sequence[Given]) -> None:
    """Add papers to categories in their old order, behind those that are there."""
    places = {
        (path, position, of): None
        for of, paper, details in papers
        for path, position in details.places or [(path, of) for path in paper.categories]
    }
    ids = categories.ensure_categories(store, (path for path, _, _ in places))
    ends = dict(
        store.execute("SELECT category_id, max(position) + 1 FROM paper_categories GROUP BY 1")
    )
    store.insert_many(
        "paper_categories (paper_id, category_id, position)",
        [
            (of, ids[path], ends.get(ids[path], 0) + position)
            for path, position, of in sorted(places)
        ],
        on_conflict="DO NOTHING",
    )


def _unite_keys(store: Store, papers: Sequence[Given]) -> None:
    """Add former keys as aliases, and the pairs of papers that are different works."""
    keys = Citekeys(store)
    for of, paper, _ in papers:
        drafts = {*paper.draft_keys}
        for alias in (*paper.citekey_aliases, paper.citekey):
            keys.add_alias(of, alias, is_given=alias not in drafts)
    numbers = {paper.citekey: of for of, paper, _ in papers}
    pairs = set()
    for of, _, details in papers:
        for citekey in details.different:
            other = numbers.get(citekey) or find_by_citekey(store, citekey)
            if other is not None and other != of:
                pairs.add((min(of, other), max(of, other)))
    store.insert_many("different (paper_id, other_id)", sorted(pairs), on_conflict="DO NOTHING")


def add_holdings(store: Store, holdings: Holdings) -> list[tuple[str, str, str]]:
    """Add missing categories and topics in order; return topics that differ here.

    Returns the name, and what the topic looks for there and here.
    """
    categories.ensure_categories(store, holdings.categories)
    for term in holdings.forgotten:
        forget_term(store, term)
    topics_here = {topic.name.casefold(): topic for topic in list_topics(store)}
    differing = []
    for topic in holdings.topics:
        own_topic = topics_here.get(topic.name.casefold())
        if own_topic is None:
            number = add_topic(store, topic.name, topic.query)
            update_topic(store, replace(topic, id=number))
        elif (query := _looks_for(topic)) != (own_query := _looks_for(own_topic)):
            differing.append((topic.name, query, own_query))
    return differing


def _looks_for(topic: Topic) -> str:
    """Describe a topic's query and where it searches: ``attention in cs.CL, https://…``."""
    places = ", ".join(sorted({*topic.arxiv_categories, *topic.feeds}))
    what = topic.query or EVERYTHING
    return f"{what} in {places}" if places else what
