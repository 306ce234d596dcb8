"""Compile the query language to SQL conditions on ``papers p`` and ``paper_states s``.

Also finds what a query without matches may have meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial

from papertrack.queries import nodes
from papertrack.store.index import indexed_form
from papertrack.store.states import OF_TODAY
from papertrack.store.store import Store
from papertrack.store.versions import IS_ITEM
from papertrack.text import fold

Condition = tuple[str, tuple[object, ...]]
"""SQL and its parameters."""

_NOTHING: Condition = ("0", ())
_IDENTIFIED = "p.id IN (SELECT paper_id FROM identifiers WHERE scheme = ? AND value = ?)"
_INDEXED = {
    "title": "title",
    "author": "authors",
    "abstract": "abstract",
    "takeaway": "takeaways",
    "note": "notes",
}
"""Fields of words that are a column of the full-text index."""
_WORDS_IN_COLUMN = {"comment": "p.comment", "venue": "p.venue"}
_NUMBERS = {
    "pass": "s.passes_done",
    "rating": "s.rating",
    "year": """coalesce(p.year, CAST(substr(p.submitted, 1, 4) AS INTEGER), (
        SELECT CAST(iif(value LIKE '%/9%', '19', '20')
            || substr(value, instr(value, '/') + 1, 2) AS INTEGER)
        FROM identifiers WHERE paper_id = p.id AND scheme = 'arxiv' ORDER BY position LIMIT 1))""",
}
_IS = {
    "inbox": "s.decision = 'inbox'",
    "saved": "s.decision = 'saved'",
    "discarded": "s.decision = 'discarded'",
    "read": "s.passes_done > 0",
    "unread": "s.passes_done = 0",
    "done": "s.passes_done = 3",
    "queued": "p.id IN (SELECT paper_id FROM paper_states WHERE in_hand_since IS NOT NULL)",
    "withdrawn": "p.is_withdrawn = 1",
    "outdated": """s.passes_done > 0 AND p.version >
        (SELECT max(version) FROM readings r WHERE r.paper_id = p.id)""",
}
_HAS = {
    "abstract": "p.abstract IS NOT NULL",
    "arxiv": "EXISTS (SELECT 1 FROM identifiers i WHERE i.paper_id = p.id AND scheme = 'arxiv')",
    "bibtex": f"""EXISTS (SELECT 1 FROM originals o
        WHERE o.paper_id = p.id AND NOT (o.{IS_ITEM}))""",
    "category": "EXISTS (SELECT 1 FROM paper_categories c WHERE c.paper_id = p.id)",
    "comment": "p.comment IS NOT NULL",
    "doi": "EXISTS (SELECT 1 FROM identifiers i WHERE i.paper_id = p.id AND scheme = 'doi')",
    "note": "EXISTS (SELECT 1 FROM notes n WHERE n.paper_id = p.id)",
    "rating": "s.rating IS NOT NULL",
    "tag": "EXISTS (SELECT 1 FROM tags t WHERE t.paper_id = p.id)",
    "takeaway": """EXISTS (SELECT 1 FROM readings r
        WHERE r.paper_id = p.id AND r.takeaway IS NOT NULL)""",
    "topic": "EXISTS (SELECT 1 FROM paper_topics t WHERE t.paper_id = p.id)",
    "venue": "p.venue IS NOT NULL",
    "author": "EXISTS (SELECT 1 FROM authors a WHERE a.paper_id = p.id)",
}
"""SQL for values of ``has:``; every other value is the role of a link."""


def condition_of(store: Store, query: nodes.Query | None) -> Condition:
    """Return the condition for papers that match the query; without a query, for all."""
    return ("1", ()) if query is None else _compile(store, query)


def _compile(store: Store, query: nodes.Query) -> Condition:
    match query:
        case nodes.Not(part):
            sql, parameters = _compile(store, part)
            # A condition on an unknown value is neither true nor false; "not" means the rest.
            return f"({sql}) IS NOT TRUE", parameters
        case nodes.And(parts):
            return _joined(store, parts, "AND", "1")
        case nodes.Or(parts):
            return _joined(store, parts, "OR", "0")
        case _:
            return _compile_term(store, query)


def _joined(store: Store, parts: Sequence[nodes.Query], operator: str, of_none: str) -> Condition:
    conditions = [_compile(store, part) for part in parts]
    # Halved again and again: SQLite limits the depth of an expression, not its width.
    while len(conditions) > 1:
        pairs = [conditions[n : n + 2] for n in range(0, len(conditions), 2)]
        conditions = [
            pair[0]
            if len(pair) == 1
            else (f"({pair[0][0]}) {operator} ({pair[1][0]})", (*pair[0][1], *pair[1][1]))
            for pair in pairs
        ]
    return conditions[0] if conditions else (of_none, ())


def _compile_term(store: Store, term: nodes.Term) -> Condition:
    name, value = term.field, term.value
    if name is None:
        return _any_text(value)
    if name in _INDEXED:
        return _matching(f"{_INDEXED[name]} : {_fts_phrase(value)}")
    if name in _WORDS_IN_COLUMN:
        star = isinstance(value, nodes.Prefix)
        return f"has_words({_WORDS_IN_COLUMN[name]}, ?, ?)", (indexed_form(_text(value)), star)
    if name in _NUMBERS:
        return _number(_NUMBERS[name], value)
    if name in ("submitted", "updated", "added"):
        sql, parameters = _date(f"p.{name}", value, store.now().date())
        return f"p.{name} IS NOT NULL AND {sql}", parameters
    if name in _NAMED:
        return _named(store, name, value)
    if name in ("kind", "decision"):
        return f"{'p' if name == 'kind' else 's'}.{name} = ?", (_text(value),)
    return _OTHERS[name](store, value)


def _any_text(value: nodes.Value) -> Condition:
    sql, parameters = _matching(_fts_phrase(value))
    text = _text(value)
    if isinstance(value, nodes.Text) and any("0" <= char <= "9" for char in text):
        # What has a digit may be a citekey or an identifier.
        found = _identifier_condition(text)
        return f"{sql} OR {found[0]} OR p.citekey = ?", (*parameters, *found[1], text)
    return sql, parameters


def _matching(fts_query: str) -> Condition:
    return "p.id IN (SELECT rowid FROM search WHERE search MATCH ?)", (fts_query,)


def _fts_phrase(value: nodes.Value) -> str:
    words = indexed_form(_text(value)).replace('"', " ")
    return f'"{words}" *' if isinstance(value, nodes.Prefix) else f'"{words}"'


def _text(value: nodes.Value) -> str:
    match value:
        case nodes.Text(text) | nodes.Phrase(text) | nodes.Prefix(text):
            return text
        case nodes.Comparison(operator, bound):
            return f"{operator}{bound}"
        case nodes.Range(low, high):
            return f"{low}-{high}"


def _number(column: str, value: nodes.Value) -> Condition:
    match value:
        case nodes.Comparison(operator, bound):
            return f"{column} {operator} ?", (bound,)
        case nodes.Range(low, high):
            return f"{column} BETWEEN ? AND ?", (low, high)
        case _:
            return _NOTHING


def _date(column: str, value: nodes.Value, today: date) -> Condition:
    if not isinstance(value, nodes.Comparison | nodes.Range):
        return _NOTHING
    first, after = nodes.date_interval(value, today)
    # "2023-09" stands for its first day.
    day = f"substr({column} || '-01-01', 1, 10)"
    limits = [(f"{day} >= ?", first), (f"{day} < ?", after)]
    known = [(sql, limit) for sql, limit in limits if limit is not None]
    sql = " AND ".join(sql for sql, _ in known)
    return sql or "1", tuple(limit for _, limit in known)


def _identifier_condition(text: str) -> Condition:
    # What names no paper by an identifier, as most queries, pays for none of their rules.
    from papertrack.identifiers import identify

    found = identify(text)
    if found is None:
        return "p.id IN (SELECT paper_id FROM identifiers WHERE value = ?)", (text,)
    return _IDENTIFIED, (found.scheme, found.value)


_NAMED = {
    "tag": ("SELECT DISTINCT tag, tag FROM tags", "tags WHERE tag"),
    "topic": ("SELECT id, name FROM topics", "paper_topics WHERE topic_id"),
    "document": ("SELECT id, path FROM documents", "entries WHERE document_id"),
    "category": ("", "paper_categories WHERE category_id"),
}
"""SQL for names that the user gave, by kind: their ids and texts, and the papers with an id."""


def _names(store: Store, field: str) -> Iterator[tuple[object, list[str]]]:
    """Return every name of each thing of a kind, by id."""
    if field == "category":
        # What asks for none reads nothing of them.
        from papertrack.category_paths import format_path
        from papertrack.store import categories

        # LLM/Serving is also found as Serving, and what is below it with it.
        for category_id, path in categories.paths(store).items():
            spans = ((start, end) for end in range(1, len(path) + 1) for start in range(end))
            yield category_id, [format_path(path[start:end]) for start, end in spans]
        return
    for found_id, name in store.execute(_NAMED[field][0]):
        yield found_id, [name, name.rpartition("/")[2]] if field == "document" else [name]


def _named(store: Store, field: str, value: nodes.Value) -> Condition:
    """Return the SQL condition for papers with a category, tag or topic of this name.

    ``value`` is folded; a star stands for any end of the name.
    """
    wanted, is_start = fold(_text(value)), isinstance(value, nodes.Prefix)

    def is_asked(name: str) -> bool:
        return fold(name).startswith(wanted) if is_start else fold(name) == wanted

    ids = [found_id for found_id, names in _names(store, field) if any(map(is_asked, names))]
    papers = f"SELECT paper_id FROM {_NAMED[field][1]} IN (SELECT value FROM json_each(?))"
    return f"p.id IN ({papers})", (ids,)


def _citekey(store: Store, value: nodes.Value) -> Condition:
    text, comparison = _text(value), "= ?"
    if isinstance(value, nodes.Prefix):
        text, comparison = _escape_like(text) + "%", "LIKE ? ESCAPE '\\'"
    return (
        f"""(p.citekey {comparison} OR p.id IN
            (SELECT paper_id FROM citekey_aliases WHERE alias {comparison}))""",
        (text, text),
    )


def _escape_like(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _in_scheme(scheme: str, store: Store, value: nodes.Value) -> Condition:
    from papertrack.identifiers import parse_arxiv_id, parse_doi

    text = _text(value)
    if scheme == "doi":
        canonical = parse_doi(text)
    else:
        canonical = found.id if (found := parse_arxiv_id(text)) else None
    if canonical is None and isinstance(value, nodes.Prefix):
        return (
            """p.id IN (SELECT paper_id FROM identifiers
                        WHERE scheme = ? AND value LIKE ? ESCAPE '\\')""",
            (scheme, _escape_like(text) + "%"),
        )
    return _IDENTIFIED, (scheme, canonical)


def _url(store: Store, value: nodes.Value) -> Condition:
    linked = "SELECT paper_id FROM links WHERE instr(lower(url), ?)"
    return f"p.id IN ({linked})", (_text(value).lower(),)


def _arxiv_category(store: Store, value: nodes.Value) -> Condition:
    star = "%" if isinstance(value, nodes.Prefix) else ""
    return (
        "EXISTS (SELECT 1 FROM json_each(p.arxiv_categories) WHERE value LIKE ? ESCAPE '\\')",
        (_escape_like(_text(value)) + star,),
    )


def _read(store: Store, value: nodes.Value) -> Condition:
    sql, parameters = _date("r.at", value, store.now().date())
    return f"p.id IN (SELECT paper_id FROM readings r WHERE r.at IS NOT NULL AND {sql})", parameters


def _is(store: Store, value: nodes.Value) -> Condition:
    text = _text(value)
    if text in OF_TODAY:
        return OF_TODAY[text](store.now().date())
    return (_IS[text], ()) if text in _IS else ("p.kind = ?", (text,))


def _has(store: Store, value: nodes.Value) -> Condition:
    text = _text(value)
    if text in _HAS:
        return _HAS[text], ()
    with_link = "p.id IN (SELECT paper_id FROM links WHERE role = ?)"
    if text == "pdf":
        from papertrack.store.pdfs import present_pdfs

        with_file = [file.paper_id for file in present_pdfs(store)]
        return f"({with_link} OR {_LISTED})", (text, with_file)
    return with_link, (text,)


_LISTED = "p.id IN (SELECT value FROM json_each(?))"


def _text_of_pdf(store: Store, value: nodes.Value) -> Condition:
    from papertrack.store.pdfs import has_index, known_pdfs, open_index

    if not has_index(store):
        return _NOTHING
    with open_index(store) as index:
        places = index.places_of(_text(value), is_start=isinstance(value, nodes.Prefix))
    names = {place.name for place in places}
    return _LISTED, ([file.paper_id for file in known_pdfs(store, names=names)],)


def _cited_or_citing(store: Store, value: nodes.Value, *, citing: bool) -> Condition:
    from papertrack.store.citations import read_citations

    named = _papers_named(store, value)
    pairs = read_citations(store, named) if named else []
    found = {one.citing if citing else one.cited for one in pairs if one[citing] in named}
    return _LISTED, (sorted(found),)


def _papers_named(store: Store, value: nodes.Value) -> set[int]:
    """Return the papers with this citekey or identifier."""
    (by_key, keys), (by_id, ids) = _citekey(store, value), _identifier_condition(_text(value))
    return {
        *store.select_column(f"SELECT p.id FROM papers p WHERE {by_key} OR {by_id}", keys + ids)
    }


_OTHERS: dict[str, Callable[[Store, nodes.Value], Condition]] = {
    "citekey": _citekey,
    "id": lambda store, value: _identifier_condition(_text(value)),
    "arxiv": partial(_in_scheme, "arxiv"),
    "doi": partial(_in_scheme, "doi"),
    "url": _url,
    "arxiv_category": _arxiv_category,
    "read": _read,
    "text": _text_of_pdf,
    "cites": partial(_cited_or_citing, citing=True),
    "cited-by": partial(_cited_or_citing, citing=False),
    "is": _is,
    "has": _has,
}


_NEAR_SHOWN = 3
_OF_CITATIONS = ("cites", "cited-by")


def unknown_names(store: Store, query: nodes.Query) -> list[str]:
    """Return messages on names in a query that the library does not have.

    These are names of categories, tags, topics and cited papers. The messages suggest existing
    names.
    """
    import difflib  # Only a query that found nothing needs it.

    sentences = []
    for field, name in dict.fromkeys(_asked(query)):
        known = _known(store, field)
        if any(fold(name) == fold(each) for each in known) or (
            field == "paper" and _papers_named(store, nodes.Text(name))
        ):
            continue
        near = [each for each in known if fold(name) in fold(each)]
        near = near or difflib.get_close_matches(name[:80], known, n=_NEAR_SHOWN, cutoff=0.5)
        meant = f" There is {_listed(near)}." if near else ""
        sentences.append(f"No {field} is named {name!r}.{meant}")
    return sentences


def _known(store: Store, field: str) -> list[str]:
    if field == "paper":
        return store.select_column("SELECT citekey FROM papers ORDER BY 1")
    return sorted({name for _, names in _names(store, field) for name in names})


def _asked(query: nodes.Query) -> Iterator[tuple[str, str]]:
    match query:
        case nodes.And(parts) | nodes.Or(parts):
            for part in parts:
                yield from _asked(part)
        case nodes.Term(field, nodes.Text(name) | nodes.Phrase(name)) if (
            field in (*_NAMED, *_OF_CITATIONS) and field != "document"
        ):
            yield "paper" if field in _OF_CITATIONS else field, name


def _listed(names: Sequence[str]) -> str:
    quoted = [repr(name) for name in names[:_NEAR_SHOWN]]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


_SHORTEST = 3
"""Shorter words are not corrected, because nearly every word is similar to them."""
_MOST_TITLES = 500
_NEAR = 70
"""rapidfuzz's ratio, of 100, from which an indexed word is offered for a mistyped one."""
_WORD = re.compile(r"[^\W_]+")


def words_like(store: Store, word: str, *, limit: int = 12) -> list[str]:
    """Suggest words for a mistyped one.

    Returns words of titles that contain it, most frequent first. If there are none, returns indexed
    words with the same beginning and a similar spelling, nearest first. Returns none for a word of
    fewer than three letters.
    """
    sought = indexed_form(word).strip()
    if len(sought) < _SHORTEST:
        return []
    titles = store.select_column(
        "SELECT title FROM papers WHERE instr(title_key, ?) LIMIT ?", (sought, _MOST_TITLES)
    )
    words = Counter(
        word
        for title in titles
        for word in set(_WORD.findall(indexed_form(title)))
        if sought in word
    )
    if words:
        return [word for word, _ in words.most_common(limit)]
    from rapidfuzz import fuzz, process

    store.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab(main, search, row)"
    )
    known = store.select_column(
        "SELECT term FROM temp.words WHERE term >= ?1 AND term < ?1 || char(1114111)", (sought[:2],)
    )
    near = process.extract(sought, known, scorer=fuzz.ratio, score_cutoff=_NEAR, limit=limit)
    return [term for term, _, _ in near]
