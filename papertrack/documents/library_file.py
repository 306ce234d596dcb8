"""Parse the JSON that ``papertrack export --json`` and ``list --json`` write.

Each paper is validated against ``contract.paper.WholePaper``, the model that writes it. Invalid
papers are skipped and reported with their line. This module has no access to the library that the
papers are imported into.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from papertrack import contract
from papertrack.category_paths import parse_path
from papertrack.documents.bibtex.blocks import read_blocks
from papertrack.errors import DocumentError, UsageError
from papertrack.holdings import (
    Details,
    FedFile,
    FieldSource,
    FoundBy,
    Holdings,
    KeptSuggestion,
    Topic,
)
from papertrack.identifiers import identify, parse_arxiv_id, parse_doi
from papertrack.identifiers.addresses import normalise_url
from papertrack.identifiers.citekeys import is_kept_citekey
from papertrack.identifiers.feeds import is_kept_name
from papertrack.records import Author, Identifier, Link, Paper, PaperFacts, Reading, Skipped
from papertrack.text import clean, clean_block, few, line_counter, shorten

_ABSENT: Mapping[str, Any] = {
    **dict.fromkeys(("announced", "published_type", "licence", "decided_at", "in_hand_since")),
    "snoozed_until": None,
    **dict.fromkeys(("identifiers", "author_details", "publication", "sources"), ()),
    **dict.fromkeys(("suggestions", "originals", "different", "found", "places", "draft_keys"), ()),
    "is_citekey_given": True,
    **dict.fromkeys(("wish", "library")),
}
"""Defaults for keys that ``list --json`` does not write."""
_DERIVED = {"pass", "rank"}
"""Keys of other commands whose values are computed, so they are not imported."""
_WORD_FOR_WORD = ("originals", "notes")
"""Keys whose texts are not cleaned, because they are copies of files, or paths."""
_Row = TypeVar("_Row")
_BLANK = " \t\r\n\ufeff"


@dataclass(frozen=True, slots=True)
class KeptPaper:
    """One paper of the file, and the line where it starts."""

    line: int
    paper: Paper
    details: Details


@dataclass(slots=True)
class LibraryFile:
    """The content of an exported file."""

    papers: list[KeptPaper] = field(default_factory=list)
    holdings: Holdings = field(default_factory=Holdings)
    skipped: list[Skipped] = field(default_factory=list)
    """Papers that are not in the exported form."""
    notices: list[Skipped] = field(default_factory=list)


def is_library_file(text: str) -> bool:
    """Return whether a text looks like the output of ``export --json``.

    It is an array, either empty or with a paper or ``{"library": …}`` as its first element.
    """
    start = text.lstrip(_BLANK)
    if not start.startswith("["):
        return False
    try:
        first = json.JSONDecoder().raw_decode(start[1:].lstrip(_BLANK))[0]
    except (ValueError, RecursionError):
        return start[1:].strip(_BLANK) == "]"
    return isinstance(first, dict) and (
        first.keys() == {"library"} or {"citekey", "kind", "decision"} <= first.keys()
    )


def read_library_file(text: str) -> LibraryFile:
    """Parse an exported file.

    Raises DocumentError if it is not an array of objects, or is cut off.
    """
    file = LibraryFile()
    unknown: dict[str, int] = {}
    for line, raw in _elements(text):
        if not isinstance(raw, dict):
            raise DocumentError(f"Line {line} is not a paper that papertrack wrote.")
        for key in raw.keys() - contract.WholePaper.model_fields.keys() - _DERIVED:
            unknown.setdefault(clean(key), line)
        try:
            _add_element(file, line, raw)
        except (ValidationError, UsageError, ValueError) as error:
            text_of = shorten(clean(str(raw.get("citekey") or raw.get("title") or "")))
            file.skipped.append(Skipped(line, _reason(error), text_of))
    if unknown:
        reason = "this papertrack does not know these keys, and ignores them"
        file.notices.append(Skipped(min(unknown.values()), reason, few(sorted(unknown))))
    return file


def _elements(text: str) -> Iterator[tuple[int, Any]]:
    """Yield each element of a JSON array with its line."""
    line_of = line_counter(text)
    decoder = json.JSONDecoder()
    at = _skip_blanks(text, 0)
    try:
        at = _skip_blanks(text, _skip_sign(text, at, "["))
        while text[at : at + 1] != "]":
            element, end = decoder.raw_decode(text, at)
            yield line_of(at), element
            at = _skip_blanks(text, end)
            if text[at : at + 1] != "]":
                at = _skip_blanks(text, _skip_sign(text, at, ","))
    except (json.JSONDecodeError, RecursionError) as error:
        line = line_of(getattr(error, "pos", at))
        raise DocumentError(
            f"Line {line} is not JSON: the file is damaged or cut off. Nothing was imported."
        ) from error


def _skip_sign(text: str, at: int, sign: str) -> int:
    """Return the offset after a sign; raise JSONDecodeError if it is missing."""
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(f"{sign} is missing", text, at)
    return at + 1


def _skip_blanks(text: str, at: int) -> int:
    """Return the offset of the next character that is not blank."""
    while text[at : at + 1] and text[at] in _BLANK:
        at += 1
    return at


def _add_element(file: LibraryFile, line: int, raw: Mapping[str, Any]) -> None:
    """Validate an element of the file and add it."""
    if raw.keys() == {"library"}:
        alone = contract.LibraryWithoutPapers.model_validate_json(json.dumps(_cleaned(raw)))
        file.holdings = _holdings(file, line, alone.library)
        return
    fields = {key: raw[key] for key in raw.keys() & contract.WholePaper.model_fields.keys()}
    data = contract.WholePaper.model_validate_json(json.dumps(_cleaned({**_ABSENT, **fields})))
    if not is_kept_citekey(data.citekey):
        raise ValueError("no entry of a .bib file can have its citekey")
    file.papers.append(KeptPaper(line, _paper(data), _details(data)))
    if data.library is not None:
        file.holdings = _holdings(file, line, data.library)


def _cleaned(value: Any) -> Any:
    """Return a value with all texts cleaned, except those in ``_WORD_FOR_WORD``."""
    if isinstance(value, str):
        return clean_block(value) if "\n" in value else clean(value)
    if isinstance(value, list):
        return list(map(_cleaned, value))
    if isinstance(value, dict):
        return {
            key: inner if key in _WORD_FOR_WORD else _cleaned(inner) for key, inner in value.items()
        }
    return value


def _reason(error: Exception) -> str:
    """Return why a paper is skipped, for the user."""
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        problem = (
            f"{'.'.join(map(str, first['loc']))}: {first['msg'].removeprefix('Value error, ')}"
        )
        return f"it is not in the form that papertrack writes ({clean(problem)})"
    return clean(str(error))


def _record_from(kind: type[_Row], data: BaseModel, **others: object) -> _Row:
    """Return a record with the model's fields of the same names; ``others`` override them.

    Lists become tuples.
    """
    make: Any = kind
    names = type(data).model_fields.keys() & make.__annotations__.keys() - others.keys()
    same = {name: getattr(data, name) for name in names}
    same = {name: tuple(v) if isinstance(v, list) else v for name, v in same.items()}
    record: _Row = make(**same, **others)
    return record


def _paper(data: contract.WholePaper) -> Paper:
    authors = [_record_from(Author, author) for author in data.author_details]
    facts = _record_from(
        PaperFacts,
        data,
        identifiers=_identifiers(data),
        authors=tuple(authors or map(Author, data.authors)),
        links=tuple(_record_from(Link, link) for link in data.links),
        publication=tuple((name, value) for name, value in data.publication),
    )
    return _record_from(
        Paper,
        data,
        id=0,
        facts=facts,
        readings=tuple(_record_from(Reading, reading) for reading in data.readings),
        categories=tuple(map(parse_path, data.categories)),
        notes=tuple(map(_path, data.notes)),
        citekey_aliases=tuple(filter(is_kept_citekey, data.citekey_aliases)),
    )


def _identifiers(data: contract.WholePaper) -> tuple[Identifier, ...]:
    """Return the identifiers of a paper; from ``list --json``, those of its other fields."""
    if data.identifiers:
        return tuple(map(_identifier, data.identifiers))
    ids = filter(None, (data.arxiv_id, data.doi))
    identified = dict.fromkeys(filter(None, map(identify, ids)))
    address = normalise_url(data.url) if data.url and not identified else None
    return tuple(identified) or ((Identifier("url", address),) if address else ())


def _identifier(raw: contract.NamedIdentifier) -> Identifier:
    arxiv = parse_arxiv_id(raw.value) if raw.scheme == "arxiv" else None
    canonical = {
        "arxiv": arxiv.id if arxiv else None,
        "doi": parse_doi(raw.value),
        "url": normalise_url(raw.value),
    }.get(raw.scheme, raw.value)
    if canonical is None or not raw.scheme.isalnum():
        raise ValueError(f"{raw.scheme}:{shorten(raw.value)} does not identify a work")
    return Identifier(raw.scheme, canonical)


def _path(note: str) -> str:
    if note != clean(note):
        raise ValueError(f"the name of its note {shorten(clean(note))} contains invalid characters")
    return note


def _original(row: contract.Original) -> tuple[str, str]:
    is_item = row.text.startswith('{"made"')
    if not (is_item or any(block.kind == "entry" for block in read_blocks(row.text))):
        raise ValueError(f"the text of {shorten(clean(row.source))} is not that of an entry")
    return row.source, row.text


def _details(data: contract.WholePaper) -> Details:
    return _record_from(
        Details,
        data,
        sources=tuple(_record_from(FieldSource, source) for source in data.sources),
        suggestions=tuple(_record_from(KeptSuggestion, s, value=s.value) for s in data.suggestions),
        originals=tuple(map(_original, data.originals)),
        found=tuple(_record_from(FoundBy, match) for match in data.found),
        places=tuple((parse_path(place.category), place.position) for place in data.places),
    )


def _holdings(file: LibraryFile, line: int, data: contract.Holdings) -> Holdings:
    for topic in data.topics:
        odd = [feed for feed in topic.feeds if not is_kept_name(feed)]
        if odd:
            reason = f"the topic {topic.name} has an invalid feed address, which was left out"
            file.notices.append(Skipped(line, reason, few(odd)))
    return Holdings(
        tuple(map(parse_path, data.categories)),
        tuple(
            Topic(
                *(0, row.name, row.query or "", tuple(row.arxiv_categories), row.cross),
                *(parse_path(row.category) if row.category else (), row.paused, row.added or ""),
                tuple(filter(is_kept_name, row.feeds)),
            )
            for row in data.topics
        ),
        tuple(FedFile(row.file, row.kind, dict(row.settings)) for row in data.documents),
        tuple(data.forgotten),
    )
