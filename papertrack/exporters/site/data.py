"""Data for the search in the browser: ``search.json``, and ``library.json`` for long texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from papertrack.category_paths import format_path, parse_path
from papertrack.exporters.digest import title_of
from papertrack.exporters.json import paper_to_json
from papertrack.identifiers.derived import year_of
from papertrack.latex.display import readable
from papertrack.queries.fields import FIELD_OF_NAME
from papertrack.records import KINDS, LINK_ROLES, Paper
from papertrack.text import clean

_PUBLIC = (
    *("citekey", "kind", "title", "authors", "arxiv_id", "version", "doi", "url", "submitted"),
    *("updated", "primary_category", "arxiv_categories", "abstract", "categories", "tags"),
    *("passes_done", "links", "added", "description", "comment", "venue", "year", "journal_ref"),
    *("is_withdrawn", "citekey_aliases"),
)
"""Keys of a paper's JSON that every site publishes."""
_OPTIONAL = {"ratings": ("rating",), "decisions": ("decision", "decision_reason")}
"""For each setting, the keys of a paper that are published with it."""
_READING_KEYS = {"minutes": "minutes", "takeaways": "takeaway"}
"""For each setting, the key of a reading that is published with it."""
_HAS = (
    *("abstract", "arxiv", "author", "category", "comment", "doi", "tag", "venue"),
    *(role for role in LINK_ROLES if role not in ("pdf", "note")),
)
"""The values of ``has:`` on a site; local PDFs and notes do not count."""
_COLUMNS = (
    *("key", "page", "title", "raw_title", "authors", "year", "passes", "kind", "added"),
    *("category", "tag", "venue", "has", "withdrawn", "aliases"),
)


def library_json(papers: Sequence[Paper], shows: Iterable[str] = ()) -> bytes:
    """Return the published keys of papers as a JSON array, one paper per line.

    The values are those of ``export --json``.
    """
    lines = (json.dumps(_public_json(paper, shows), ensure_ascii=False) for paper in papers)
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode("utf-8", "replace")


def _public_json(paper: Paper, shows: Iterable[str]) -> dict[str, object]:
    record = paper_to_json(paper)
    private = [key for name in shows for key in _OPTIONAL.get(name, ())]
    return {
        **{key: record[key] for key in (*_PUBLIC, *private)},
        "added": paper.added[:10],
        "links": [link._asdict() for link in paper.facts.links if link.role != "note"],
        "identifiers": list(map(list, paper.facts.identifiers)),
        **({"readings": shown_readings(paper, shows)} if {*shows} & {*_READING_KEYS} else {}),
    }


def shown_readings(paper: Paper, shows: Iterable[str]) -> list[dict[str, object]]:
    """Return the readings as JSON objects, with the pass and the keys that the site shows."""
    keys = [_READING_KEYS[name] for name in _READING_KEYS if name in shows]
    return [
        {"pass": reading.pass_number, **{key: getattr(reading, key) for key in keys}}
        for reading in paper.readings
    ]


def search_json(papers: Sequence[Paper], names: Mapping[str, str], library_bytes: int) -> bytes:
    """Return the index that a search reads first, as JSON with one line per column.

    Papers refer to categories, tags and venues by their numbers in tables. ``library_bytes`` is
    the size of ``library.json``, which the page names before it fetches the file.
    """
    tables: dict[str, dict[str, int]] = {"categories": {}, "tags": {}, "venues": {}}

    def numbers(table: str, names: Iterable[str]) -> list[int]:
        return [tables[table].setdefault(name, len(tables[table])) for name in names]

    def row(paper: Paper) -> dict[str, object]:
        facts, key = paper.facts, paper.citekey
        title = readable(title_of(paper))
        venues = numbers("venues", filter(None, [facts.venue]))
        return {
            "key": key,
            # None in the usual case, a page named after the key.
            "page": names[key] if names[key] != key else None,
            "title": title,
            "raw_title": facts.title or "" if facts.title != title else None,
            "authors": " | ".join(clean(author.name) for author in facts.authors),
            "year": year_of(paper),
            "passes": paper.passes_done,
            "kind": KINDS.index(facts.kind),
            "added": paper.added[:10],
            "category": numbers("categories", map(format_path, paper.categories)),
            "tag": numbers("tags", paper.tags),
            "venue": venues[0] if venues else None,
            "has": _has_bits(paper),
            "withdrawn": int(bool(facts.is_withdrawn)),
            "aliases": list(paper.citekey_aliases) or None,
        }

    rows = list(map(row, papers))
    index = {
        "library_bytes": library_bytes,
        "fields": {name: field.name for name, field in FIELD_OF_NAME.items()},
        "types": {
            field.name: [field.type, *(value for value, _ in field.values)]
            for field in FIELD_OF_NAME.values()
        },
        "kinds": KINDS,
        "has_names": _HAS,
        "categories": list(map(parse_path, tables["categories"])),
        "tags": list(tables["tags"]),
        "venues": list(tables["venues"]),
        **{name: [columns[name] for columns in rows] for name in _COLUMNS},
    }
    lines = (
        f"{json.dumps(name)}:{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
        for name, value in index.items()
    )
    return ("{" + ",\n".join(lines) + "}\n").encode("utf-8", "replace")


def _has_bits(paper: Paper) -> int:
    facts = paper.facts
    schemes = {identifier.scheme for identifier in facts.identifiers}
    roles = {link.role for link in facts.links}
    present = {
        "abstract": facts.abstract is not None,
        "arxiv": "arxiv" in schemes,
        "author": bool(facts.authors),
        "category": bool(paper.categories),
        "comment": facts.comment is not None,
        "doi": "doi" in schemes,
        "tag": bool(paper.tags),
        "venue": facts.venue is not None,
    }
    return sum(1 << bit for bit, name in enumerate(_HAS) if present.get(name, name in roles))
