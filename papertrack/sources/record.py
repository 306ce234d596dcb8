"""What every source comes to: one work as facts, under the identifier that it was asked for by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from papertrack.identifiers import parse_doi
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.sources.mentions import is_withdrawal
from papertrack.text import clean


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """One work as a source describes it."""

    identifier: Identifier
    """What names it in the scheme of the source; its facts have it too, mostly among others."""
    facts: PaperFacts
    """Their version is None where the source does not say it: DataCite, answers of 2007."""
    source: str
    """The name of the source, as the registry has it."""


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
    """Facts of cleaned text; what is empty becomes None.

    ``categories`` are arXiv's, with the primary one first, and may repeat; ``doi`` may hold
    several, separated by blanks, of which the first is the paper's. Times are ISO 8601.
    """
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
    """An abstract as paragraphs of one line each, with an empty line between.

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
