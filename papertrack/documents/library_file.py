"""Read the JSON that ``papertrack export --json`` and ``list --json`` write.

Each paper is checked against the model of what is written (``contract.paper.WholePaper``). A paper
that does not fit is skipped and reported with its line. This module does not know the library that
imports the papers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from papertrack import contract
from papertrack.category_paths import parse_path
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
from papertrack.identifiers.citekeys import is_citekey
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
"""Defaults for the keys that ``list --json`` does not write."""
_DERIVED = {"pass", "rank"}
"""Keys that other commands print. Their values are computed, never stored."""
_WORD_FOR_WORD = ("originals", "notes")
"""Keys whose texts are not cleaned: copies of files, and paths."""
_Row = TypeVar("_Row")
_BLANK = " \t\r\n\ufeff"


@dataclass(frozen=True, slots=True)
class KeptPaper:
    """One paper of the file, and the line it starts in."""

    line: int
    paper: Paper
    details: Details


@dataclass(slots=True)
class LibraryFile:
    """The contents of an exported file."""

    papers: list[KeptPaper] = field(default_factory=list)
    holdings: Holdings = field(default_factory=Holdings)
    skipped: list[Skipped] = field(default_factory=list)
    """Papers that do not have the form that papertrack writes."""
    notices: list[Skipped] = field(default_factory=list)


def is_library_file(text: str) -> bool:
    """Return whether a text starts like the output of ``export --json``.

    That is an array which is empty or whose first object is a paper, or has a ``library`` alone.
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
    """Read the papers of a file.

    Raises DocumentError if the text is not an array of objects, or is cut off.
    """
    file = LibraryFile()
    unknown: dict[str, int] = {}
    for line, raw in _elements(text):
        if not isinstance(raw, dict):
            raise DocumentError(f"Line {line} is not a paper that papertrack wrote.")
        for key in raw.keys() - contract.WholePaper.model_fields.keys() - _DERIVED:
            unknown.setdefault(clean(key), line)
        try:
            _take(file, line, raw)
        except (ValidationError, UsageError, ValueError) as error:
            text_of = shorten(clean(str(raw.get("citekey") or raw.get("title") or "")))
            file.skipped.append(Skipped(line, _why(error), text_of))
    if unknown:
        reason = "this papertrack does not know these keys, and ignores them"
        file.notices.append(Skipped(min(unknown.values()), reason, few(sorted(unknown))))
    return file


def _elements(text: str) -> Iterator[tuple[int, Any]]:
    """Yield each element of a JSON array with its line."""
    line_of = line_counter(text)
    decoder = json.JSONDecoder()
    at = _past_blanks(text, 0)
    try:
        at = _past_blanks(text, _past(text, at, "["))
        while text[at : at + 1] != "]":
            element, end = decoder.raw_decode(text, at)
            yield line_of(at), element
            at = _past_blanks(text, end)
            if text[at : at + 1] != "]":
                at = _past_blanks(text, _past(text, at, ","))
    except (json.JSONDecodeError, RecursionError) as error:
        line = line_of(getattr(error, "pos", at))
        raise DocumentError(
            f"Line {line} is not JSON: the file is damaged or cut off. Nothing was imported."
        ) from error


def _past(text: str, at: int, sign: str) -> int:
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(f"{sign} is missing", text, at)
    return at + 1


def _past_blanks(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _BLANK:
        at += 1
    return at


def _take(file: LibraryFile, line: int, raw: Mapping[str, Any]) -> None:
    if raw.keys() == {"library"}:
        alone = contract.LibraryWithoutPapers.model_validate_json(json.dumps(_cleaned(raw)))
        file.holdings = _holdings(file, line, alone.library)
        return
    fields = {key: raw[key] for key in raw.keys() & contract.WholePaper.model_fields.keys()}
    data = contract.WholePaper.model_validate_json(json.dumps(_cleaned({**_ABSENT, **fields})))
    if not is_citekey(data.citekey):
        raise ValueError("BibTeX cannot read its citekey")
    file.papers.append(KeptPaper(line, _paper(data), _details(data)))
    if data.library is not None:
        file.holdings = _holdings(file, line, data.library)


def _cleaned(value: Any) -> Any:
    """Return a value with its texts made safe, except those kept word for word."""
    if isinstance(value, str):
        return clean_block(value) if "\n" in value else clean(value)
    if isinstance(value, list):
        return list(map(_cleaned, value))
    if isinstance(value, dict):
        return {
            key: inner if key in _WORD_FOR_WORD else _cleaned(inner) for key, inner in value.items()
        }
    return value


def _why(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return (
            f"it is not in the form that papertrack writes ({clean(place)}: {clean(first['msg'])})"
        )
    return clean(str(error))


def _like(kind: type[_Row], data: BaseModel, **others: object) -> _Row:
    """Return a record with the fields of the same names, with lists as tuples, and ``others``."""
    make: Any = kind
    names = type(data).model_fields.keys() & make.__annotations__.keys() - others.keys()
    same = {name: getattr(data, name) for name in names}
    same = {name: tuple(v) if isinstance(v, list) else v for name, v in same.items()}
    record: _Row = make(**same, **others)
    return record


def _paper(data: contract.WholePaper) -> Paper:
    authors = [_like(Author, author) for author in data.author_details]
    facts = _like(
        PaperFacts,
        data,
        identifiers=_identifiers(data),
        authors=tuple(authors or map(Author, data.authors)),
        links=tuple(_like(Link, link) for link in data.links),
        publication=tuple((name, value) for name, value in data.publication),
    )
    return _like(
        Paper,
        data,
        id=0,
        facts=facts,
        readings=tuple(_like(Reading, reading) for reading in data.readings),
        categories=tuple(map(parse_path, data.categories)),
        notes=tuple(map(_path, data.notes)),
        citekey_aliases=tuple(filter(is_citekey, data.citekey_aliases)),
    )


def _identifiers(data: contract.WholePaper) -> tuple[Identifier, ...]:
    """Return the written identifiers, or those of the fields that ``list --json`` shows."""
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


def _details(data: contract.WholePaper) -> Details:
    return _like(
        Details,
        data,
        sources=tuple(_like(FieldSource, source) for source in data.sources),
        suggestions=tuple(_like(KeptSuggestion, s, value=s.value) for s in data.suggestions),
        originals=tuple((row.source, row.text) for row in data.originals),
        found=tuple(_like(FoundBy, match) for match in data.found),
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
