"""The protocol of sources, and the facts that every source returns about a work."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from papertrack.identifiers import parse_doi
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door


class SourceRecord(NamedTuple):
    """A source's description of one work."""

    identifier: Identifier
    """Its identifier in the scheme of the source; its facts have it too, mostly among others."""
    facts: PaperFacts
    """Their version is None where the source does not say it: DataCite, answers of 2007."""
    source: str
    """The source's name in the registry."""


def make_facts(
    identifier: Identifier,
    version: int | None = None,
    *,
    title: str,
    abstract: str | None,
    authors: Iterable[Author],
    categories: Iterable[str] = (),
    submitted: str | None = None,
    updated: str | None = None,
    announced: str | None = None,
    comment: str | None = None,
    journal_ref: str | None = None,
    doi: str | None = None,
    year: int | None = None,
    licence: str | None = None,
) -> PaperFacts:
    """Make facts of cleaned text; empty values become None.

    ``categories`` are arXiv's, with the primary one first, and may repeat; ``doi`` may contain
    several, separated by blanks, of which the first is the paper's. Times are ISO 8601.
    """
    from papertrack.sources.mentions import is_withdrawal

    abstract = paragraphs(abstract or "") or None
    comment = _cleaned(comment)
    arxiv_categories = _clean_categories(tuple(categories))
    published = next((known for part in (doi or "").split() if (known := parse_doi(part))), None)
    return PaperFacts(
        title=clean(title),
        identifiers=(identifier, *((Identifier("doi", published),) if published else ())),
        authors=tuple(authors),
        abstract=abstract,
        submitted=submitted,
        updated=updated,
        announced=announced,
        version=version,
        primary_category=arxiv_categories[0] if arxiv_categories else None,
        arxiv_categories=arxiv_categories,
        comment=comment,
        journal_ref=_cleaned(journal_ref),
        year=year,
        licence=_cleaned(licence),
        is_withdrawn=is_withdrawal(comment, abstract),
    )


def _cleaned(text: str | None) -> str | None:
    return clean(text) or None if text else None


def paragraphs(text: str) -> str:
    """Return an abstract as paragraphs of one line each, with an empty line between.

    In arXiv's abstracts a line that begins with a blank begins a paragraph, and other line ends
    only wrap (https://info.arxiv.org/help/prep.html#abstracts).
    """
    if "\n" not in text:
        return clean(text)
    blocks = _PARAGRAPH.split(text.replace("\r\n", "\n"))
    return "\n\n".join(block for block in map(clean, blocks) if block)


@lru_cache(maxsize=1024)  # A day has few hundred combinations of categories.
def _clean_categories(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(clean, names)))


_PARAGRAPH = re.compile(r"\n(?=[ \t]|\n)")


class Fetched(NamedTuple):
    """The result for the identifiers that were asked for.

    Identifiers in neither part got no clear answer: ask another source, or another day.
    """

    records: tuple[SourceRecord, ...]
    missing: tuple[Identifier, ...] = ()
    """Identifiers that the source definitely does not know."""


class Source(Protocol):
    """A service that describes works; its class inherits from this one."""

    name: str
    """Stored with its data, so it never changes: ``datacite``."""
    title: str
    """Its name in messages: ``DataCite``."""
    setting: str
    """The name of the setting for its address, in the table ``[arxiv]``: ``datacite_url``."""
    url: str
    """Its address, where that setting gives no other."""
    schemes: tuple[str, ...]
    """The schemes of identifiers that it can be asked by: ``arxiv``, ``doi``, ``acl``."""
    ids_per_request: int = 1
    stands_in_for: tuple[str, ...] = ()
    """Schemes for which it knows less than others do: those complete its records later."""

    def answers_for(self, identifier: Identifier) -> bool:
        """Whether it may know this work, so that it is worth a request."""
        return identifier.scheme in self.schemes

    def fetch(self, identifiers: Sequence[Identifier], door: Door) -> Fetched:
        """What it says of these works, at most ``ids_per_request``. Raises SourceFailure."""
        ...


_GROUPS = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
"""A parenthesis with at most one more inside: ``((1) MIT, (2) ETH)``."""
_NUMBERED = re.compile(r"\(([0-9]{1,3})\)([^()]*)")
_SEPARATOR = re.compile(r",\s*(?:and|&)\s+|,|;|\s+(?:and|&)\s+|:\s")
_SUFFIX = re.compile(r"(?:Jr|Sr)\.?|I{2,3}|IV", re.IGNORECASE)
_LONGEST_SUFFIX = 3
_HELD = "\ue000"
"""Stands for a parenthesis while the line is split; private use, so that no name holds it."""


def split_authors(line: str) -> tuple[Author, ...]:
    """The authors of ``A. Ba, C. De (MIT, CSAIL) and F. Gh Jr``, in order, with affiliations.

    arXiv's form (https://info.arxiv.org/help/prep.html#author): names apart by commas or "and",
    affiliations in parentheses, or numbers there and a numbered list in a last double parenthesis.
    Never loses a name: text that fits no form is a name.
    """
    from papertrack.latex.decode import decode_letters

    line = clean(decode_letters(line)).replace(_HELD, "")
    groups = _GROUPS.findall(line)
    places = dict(_NUMBERED.findall(groups[-1])) if groups else {}
    if places:
        line = line[: line.rindex(f"({groups.pop()})")]
    held = iter(groups)
    authors: list[Author] = []
    for piece in _SEPARATOR.split(_GROUPS.sub(_HELD, line)):
        name = clean(piece.replace(_HELD, " "))
        wheres = [next(held) for _ in range(piece.count(_HELD))]
        if name:
            where = "; ".join(place for text in wheres for place in _places(text, places))
            _add(authors, name, where or None)
    return tuple(authors)


def _add(authors: list[Author], name: str, affiliation: str | None) -> None:
    """A suffix that a comma parts from its name belongs to the author before."""
    if authors and len(name) <= _LONGEST_SUFFIX and _SUFFIX.fullmatch(name):
        authors[-1] = Author(f"{authors[-1].name} {name}", authors[-1].affiliation)
    else:
        authors.append(Author(name, affiliation))


def _places(text: str, places: dict[str, str]) -> list[str]:
    """What a parenthesis after a name says: itself, or what its numbers stand for."""
    numbers = re.findall(r"[0-9]+", text)
    if places and numbers and not re.search(r"[A-Za-z]{4}", text):
        return [clean(places[number]).strip(" ,;.") for number in numbers if number in places]
    return [clean(text)] if text.strip() else []
