"""The protocol of sources, and the facts that every source returns about a work."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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
    """The identifier in the source's own scheme; the facts have it too, mostly beside others."""
    facts: PaperFacts
    """Their version is None if the source does not give it: DataCite, answers of 2007."""
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
    """Make facts from a source's texts; empty values become None.

    ``categories`` are arXiv's, with the primary one first, and may repeat. ``doi`` may be several
    DOIs, separated by blanks; the first is the paper's. Times are ISO 8601.
    """
    from papertrack.sources.mentions import is_withdrawal

    abstract = paragraphs(abstract or "") or None
    comment = _cleaned(comment)
    arxiv_categories = _clean_categories(tuple(categories))
    journal_doi = next((parsed for p in (doi or "").split() if (parsed := parse_doi(p))), None)
    return PaperFacts(
        title=clean(title),
        identifiers=(identifier, *((Identifier("doi", journal_doi),) if journal_doi else ())),
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

    In arXiv's abstracts, a line that begins with a blank begins a paragraph. All other line ends
    are wraps (https://info.arxiv.org/help/prep.html#abstracts).
    """
    if "\n" not in text:
        return clean(text)
    blocks = _PARAGRAPH.split(text.replace("\r\n", "\n"))
    return "\n\n".join(block for block in map(clean, blocks) if block)


@lru_cache(maxsize=1024)  # A day has a few hundred combinations of categories.
def _clean_categories(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(clean, names)))


_PARAGRAPH = re.compile(r"\n(?=[ \t]|\n)")


Answers = Mapping[Identifier, SourceRecord | None]
"""A source's records by identifier; None if it knows for certain that there is no such work.

Works that are left out got no clear answer: ask another source, or try another day.
"""


class Source(Protocol):
    """A service that describes works. Sources inherit from this class."""

    name: str
    """Stored with its data, so it never changes: ``datacite``."""
    title: str
    """The name in messages: ``DataCite``."""
    setting: str
    """The setting for the address, in the table ``[arxiv]``: ``datacite_url``."""
    url: str
    """The default address."""
    schemes: tuple[str, ...]
    """The schemes of identifiers that it can look up: ``arxiv``, ``doi``, ``acl``."""
    ids_per_request: int = 1
    stands_in_for: tuple[str, ...] = ()
    """Schemes in which other sources know more, and complete its records later."""

    def answers_for(self, identifier: Identifier) -> bool:
        """Return whether it may know this work, so that a request is worth it."""
        return identifier.scheme in self.schemes

    def fetch(self, identifiers: Sequence[Identifier], door: Door) -> Answers:
        """Fetch the records of at most ``ids_per_request`` works. Raises SourceFailure."""
        ...


_GROUPS = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
"""A parenthesis with at most one more inside: ``((1) MIT, (2) ETH)``."""
_NUMBERED = re.compile(r"\(([0-9]{1,3})\)([^()]*)")
_SEPARATOR = re.compile(r",\s*(?:and|&)\s+|,|;|(?<!\s)\s+(?:and|&)\s+|:\s")
_SUFFIX = re.compile(r"(?:Jr|Sr)\.?|I{2,3}|IV", re.IGNORECASE)
_MAX_SUFFIX = 3
_PLACEHOLDER = "\ue000"
"""Replaces a parenthesis while the line is split: a private-use character, in no real name."""


def split_authors(line: str) -> tuple[Author, ...]:
    """Return the authors of ``A. Ba, C. De (MIT, CSAIL) and F. Gh Jr`` with affiliations.

    This is arXiv's form (https://info.arxiv.org/help/prep.html#author): names are separated by
    commas or "and", and affiliations are in parentheses. Or the parentheses have numbers, which a
    numbered list in a last double parenthesis explains. No name is lost: text that fits no form is
    a name.
    """
    from papertrack.latex.decode import decode_letters

    line = clean(decode_letters(line)).replace(_PLACEHOLDER, "")
    groups = _GROUPS.findall(line)
    by_number = dict(_NUMBERED.findall(groups[-1])) if groups else {}
    if by_number:
        line = line[: line.rindex(f"({groups.pop()})")]
    affiliations = iter(groups)
    authors: list[Author] = []
    for piece in _SEPARATOR.split(_GROUPS.sub(_PLACEHOLDER, line)):
        name = clean(piece.replace(_PLACEHOLDER, " "))
        texts = [next(affiliations) for _ in range(piece.count(_PLACEHOLDER))]
        if name:
            affiliation = "; ".join(place for t in texts for place in _affiliations(t, by_number))
            _add_author(authors, name, affiliation or None)
    return tuple(authors)


def _add_author(authors: list[Author], name: str, affiliation: str | None) -> None:
    """Add an author, or a suffix such as Jr to the author before."""
    if authors and len(name) <= _MAX_SUFFIX and _SUFFIX.fullmatch(name):
        authors[-1] = Author(f"{authors[-1].name} {name}", authors[-1].affiliation)
    else:
        authors.append(Author(name, affiliation))


def _affiliations(text: str, by_number: dict[str, str]) -> list[str]:
    """Return the affiliations in a parenthesis: its text, or those with its numbers."""
    numbers = re.findall(r"[0-9]+", text)
    if by_number and numbers and not re.search(r"[A-Za-z]{4}", text):
        return [clean(by_number[number]).strip(" ,;.") for number in numbers if number in by_number]
    return [clean(text)] if text.strip() else []
