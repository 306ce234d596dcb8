"""What the library knows of many identifiers, titles and keys at once: for imports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from papertrack.records import Identifier
from papertrack.store.store import Store

_CHUNK = 5000
_T = TypeVar("_T")


class KnownPaper(NamedTuple):
    """As much of a paper as tells whether an entry somewhere is about it."""

    id: int
    title: str | None
    title_key: str
    year: int | None
    """Of publication, else of version 1."""
    venue: str | None
    publication: tuple[tuple[str, str], ...]
    authors: tuple[str, ...]
    identifiers: tuple[Identifier, ...]


def read_known(
    store: Store,
    identifiers: Iterable[Identifier],
    title_keys: Iterable[str],
    paper_ids: Iterable[int] = (),
) -> list[KnownPaper]:
    """These papers, and those with one of the identifiers or titles (see ``text.title_key``)."""
    ids = set(paper_ids)
    for chunk in _chunks(dict.fromkeys((i.scheme, i.value) for i in identifiers)):
        ids.update(
            row[0]
            for row in store.execute(
                """SELECT i.paper_id FROM json_each(?) asked JOIN identifiers i
                   ON i.scheme = json_extract(asked.value, '$[0]')
                   AND i.value = json_extract(asked.value, '$[1]')""",
                (json.dumps(chunk),),
            )
        )
    for keys in _chunks(dict.fromkeys(title_keys)):
        ids.update(
            row[0]
            for row in store.execute(
                "SELECT id FROM papers WHERE title_key IN (SELECT value FROM json_each(?))",
                (json.dumps(keys),),
            )
        )
    return _read(store, sorted(ids))


def _read(store: Store, ids: Sequence[int]) -> list[KnownPaper]:
    asked = "IN (SELECT value FROM json_each(?))"
    found: list[KnownPaper] = []
    for chunk in _chunks(ids):
        parameters = (json.dumps(chunk),)
        names: dict[int, list[str]] = {}
        for paper_id, name in store.execute(
            f"""SELECT paper_id, name FROM authors WHERE paper_id {asked}
                ORDER BY paper_id, position""",
            parameters,
        ):
            names.setdefault(paper_id, []).append(name)
        identifiers: dict[int, list[Identifier]] = {}
        for paper_id, scheme, value in store.execute(
            f"SELECT paper_id, scheme, value FROM identifiers WHERE paper_id {asked}", parameters
        ):
            identifiers.setdefault(paper_id, []).append(Identifier(scheme, value))
        found += [
            KnownPaper(
                paper_id,
                title,
                title_key or "",
                year,
                venue,
                tuple((name, value) for name, value in json.loads(publication)),
                tuple(names.get(paper_id, ())),
                tuple(identifiers.get(paper_id, ())),
            )
            for paper_id, title, title_key, year, venue, publication in store.execute(
                f"""SELECT id, title, title_key,
                    ifnull(year, CAST(substr(submitted, 1, 4) AS INTEGER)), venue, publication
                    FROM papers WHERE id {asked} ORDER BY id""",
                parameters,
            )
        ]
    return found


def _chunks(values: Iterable[_T]) -> Iterator[list[_T]]:
    source = iter(values)
    while chunk := list(islice(source, _CHUNK)):
        yield chunk
