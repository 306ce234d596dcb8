"""What the search in the browser reads: ``search.json`` at once, ``library.json`` when it must."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from papertrack.category_paths import format_path, parse_path
from papertrack.exporters.digest import title_of
from papertrack.exporters.json import paper_to_json
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
_SHOWN = {"ratings": ("rating",), "decisions": ("decision", "decision_reason")}
"""Further keys, when they are asked for."""
_OF_READINGS = {"minutes": "minutes", "takeaways": "takeaway"}
"""The same for the keys of readings."""
_HAS = (
    *("abstract", "arxiv", "author", "category", "comment", "doi", "tag", "venue"),
    *(role for role in LINK_ROLES if role not in ("pdf", "note")),
)
"""What ``has:`` can ask of a site; a local PDF or a note says nothing here."""
_COLUMNS = (
    *("key", "page", "title", "raw_title", "authors", "year", "passes", "kind", "added"),
    *("category", "tag", "venue", "has", "withdrawn", "aliases"),
)


def year_of(paper: Paper) -> int | None:
    """The year of publication, or else of submission, as ``year:`` compares it."""
    submitted = (paper.facts.submitted or "")[:4]
    return paper.facts.year or (int(submitted) if submitted.isdecimal() else None)


def library_json(papers: Sequence[Paper], shows: Iterable[str] = ()) -> bytes:
    """The papers as ``export --json`` writes them, with only what the site publishes: an array, one
    paper on each line."""
    lines = (json.dumps(_published(paper, shows), ensure_ascii=False) for paper in papers)
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode("utf-8", "replace")


def _published(paper: Paper, shows: Iterable[str]) -> dict[str, object]:
    known = paper_to_json(paper)
    private = [key for name in shows for key in _SHOWN.get(name, ())]
    return {
        **{key: known[key] for key in (*_PUBLIC, *private)},
        "added": paper.added[:10],
        "links": [link._asdict() for link in paper.facts.links if link.role != "note"],
        "identifiers": list(map(list, paper.facts.identifiers)),
        **({"readings": shown_readings(paper, shows)} if {*shows} & {*_OF_READINGS} else {}),
    }


def shown_readings(paper: Paper, shows: Iterable[str]) -> list[dict[str, object]]:
    """Each reading by its keys: its pass, and what the site shows of it."""
    keys = [_OF_READINGS[name] for name in _OF_READINGS if name in shows]
    return [
        {"pass": reading.pass_number, **{key: getattr(reading, key) for key in keys}}
        for reading in paper.readings
    ]


def search_json(papers: Sequence[Paper], names: Mapping[str, str], library_bytes: int) -> bytes:
    """What a search compares first, by column; a line for each column.

    Names of categories, tags and venues stand in tables, and papers have their numbers.
    ``library_bytes`` is the size of ``library.json``, which the page names before it fetches it.
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
            # None where it is the column before, as nearly everywhere.
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
    whole = {
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
        **{name: [each[name] for each in rows] for name in _COLUMNS},
    }
    lines = (
        f"{json.dumps(name)}:{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
        for name, value in whole.items()
    )
    return ("{" + ",\n".join(lines) + "}\n").encode("utf-8", "replace")


def _has_bits(paper: Paper) -> int:
    facts = paper.facts
    schemes = {identifier.scheme for identifier in facts.identifiers}
    roles = {link.role for link in facts.links}
    held = {
        "abstract": facts.abstract is not None,
        "arxiv": "arxiv" in schemes,
        "author": bool(facts.authors),
        "category": bool(paper.categories),
        "comment": facts.comment is not None,
        "doi": "doi" in schemes,
        "tag": bool(paper.tags),
        "venue": facts.venue is not None,
    }
    return sum(1 << at for at, name in enumerate(_HAS) if held.get(name, name in roles))
