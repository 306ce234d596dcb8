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
    """Papers that are not in the form that papertrack writes."""
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
        where = line_of(getattr(error, "pos", at))
        raise DocumentError(
            f"Line {where} is not JSON: the file is damaged or cut off. Nothing was imported."
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
    kept = contract.WholePaper.model_validate_json(json.dumps(_cleaned({**_ABSENT, **fields})))
    if not is_citekey(kept.citekey):
        raise ValueError("BibTeX cannot read its citekey")
    file.papers.append(KeptPaper(line, _paper(kept), _details(kept)))
    if kept.library is not None:
        file.holdings = _holdings(file, line, kept.library)


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


def _like(kind: type[_Row], kept: BaseModel, **others: object) -> _Row:
    """Return a record with the fields of the same names, lists as tuples, and these others."""
    make: Any = kind
    names = type(kept).model_fields.keys() & make.__annotations__.keys() - others.keys()
    same = {name: getattr(kept, name) for name in names}
    same = {name: tuple(one) if isinstance(one, list) else one for name, one in same.items()}
    record: _Row = make(**same, **others)
    return record


def _paper(kept: contract.WholePaper) -> Paper:
    authors = [_like(Author, one) for one in kept.author_details]
    facts = _like(
        PaperFacts,
        kept,
        identifiers=_identifiers(kept),
        authors=tuple(authors or map(Author, kept.authors)),
        links=tuple(_like(Link, one) for one in kept.links),
        publication=tuple((name, value) for name, value in kept.publication),
    )
    return _like(
        Paper,
        kept,
        id=0,
        facts=facts,
        readings=tuple(_like(Reading, one) for one in kept.readings),
        categories=tuple(map(parse_path, kept.categories)),
        notes=tuple(map(_path, kept.notes)),
        citekey_aliases=tuple(filter(is_citekey, kept.citekey_aliases)),
    )


def _identifiers(kept: contract.WholePaper) -> tuple[Identifier, ...]:
    """Return the written identifiers, or those of the fields that ``list --json`` shows."""
    if kept.identifiers:
        return tuple(map(_identifier, kept.identifiers))
    shown = filter(None, (kept.arxiv_id, kept.doi))
    named = dict.fromkeys(filter(None, map(identify, shown)))
    address = normalise_url(kept.url) if kept.url and not named else None
    return tuple(named) or ((Identifier("url", address),) if address else ())


def _identifier(named: contract.NamedIdentifier) -> Identifier:
    arxiv = parse_arxiv_id(named.value) if named.scheme == "arxiv" else None
    canonical = {
        "arxiv": arxiv.id if arxiv else None,
        "doi": parse_doi(named.value),
        "url": normalise_url(named.value),
    }.get(named.scheme, named.value)
    if canonical is None or not named.scheme.isalnum():
        raise ValueError(f"{named.scheme}:{shorten(named.value)} does not identify a work")
    return Identifier(named.scheme, canonical)


def _path(note: str) -> str:
    if note != clean(note):
        raise ValueError(f"the name of its note {shorten(clean(note))} contains invalid characters")
    return note


def _details(kept: contract.WholePaper) -> Details:
    return _like(
        Details,
        kept,
        sources=tuple(_like(FieldSource, one) for one in kept.sources),
        suggestions=tuple(_like(KeptSuggestion, one, value=one.value) for one in kept.suggestions),
        originals=tuple((one.source, one.text) for one in kept.originals),
        found=tuple(_like(FoundBy, one) for one in kept.found),
        places=tuple((parse_path(one.category), one.position) for one in kept.places),
    )


def _holdings(file: LibraryFile, line: int, kept: contract.Holdings) -> Holdings:
    for topic in kept.topics:
        odd = [feed for feed in topic.feeds if not is_kept_name(feed)]
        if odd:
            reason = f"the topic {topic.name} looks in what is no address of a feed; left out"
            file.notices.append(Skipped(line, reason, few(odd)))
    return Holdings(
        tuple(map(parse_path, kept.categories)),
        tuple(
            Topic(
                *(0, one.name, one.query or "", tuple(one.arxiv_categories), one.cross),
                *(parse_path(one.category) if one.category else (), one.paused, one.added or ""),
                tuple(filter(is_kept_name, one.feeds)),
            )
            for one in kept.topics
        ),
        tuple(FedFile(one.file, one.kind, dict(one.settings)) for one in kept.documents),
        tuple(kept.forgotten),
    )
