"""Make facts of a paper from other tools' fields, under the names of BibTeX and biblatex.

The values are plain text, not LaTeX. Identifiers and the kind of work are found by the reader of
.bib files, so that the result is the same from every source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from papertrack.documents.bibtex.facts import PUBLICATION, facts_of
from papertrack.documents.bibtex.names import with_family
from papertrack.records import Author, PaperFacts
from papertrack.text import clean, clean_block

_IDENTIFYING_FIELDS = frozenset(
    "doi url eprint archiveprefix eprinttype primaryclass eprintclass arxivid arxiv biburl "
    "journal journaltitle booktitle volume number note howpublished pdf code github slides video "
    "project school institution".split()
)
"""The fields that identify a work and decide its kind."""
_VENUES = ("journal", "journaltitle", "booktitle", "school", "institution")
_MARKUP = re.compile(r"</?(?:i|b|sub|sup|span|sc|em|strong)(?:\s[^<>]*)?>", re.I)
"""Markup that reference managers leave in titles."""
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_DATE = re.compile(r"(\d{4})-(\d\d)")
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_BRACES = re.compile(r"[{}]")


def facts_from(
    entry_type: str, fields: Mapping[str, str], authors: Sequence[Author] = ()
) -> PaperFacts:
    """Return the facts in such fields, cleaned and in one line each."""
    plain = {name: line(value) for name, value in fields.items() if name != "abstract"}
    plain = {name: value for name, value in plain.items() if value}
    identifying = {n: _BRACES.sub("", plain[n]) for n in plain.keys() & _IDENTIFYING_FIELDS}
    facts = facts_of(entry_type, {"title": "x", **identifying})
    venue = next((plain[name] for name in _VENUES if name in plain), None)
    publication_fields = {n for n, _ in facts.publication} | (PUBLICATION - _IDENTIFYING_FIELDS)
    return facts._replace(
        title=title_of(plain.get("title", "")),
        authors=tuple(authors),
        abstract=clean_block(_MARKUP.sub("", fields.get("abstract", ""))).strip() or None,
        venue=venue if facts.venue else None,
        year=year_of(plain.get("year") or plain.get("date", "")),
        publication=tuple((n, value) for n, value in plain.items() if n in publication_fields),
    )


def line(text: str) -> str:
    """Return text of unknown origin in one line, safe to show."""
    return " ".join(clean(text).split())


def title_of(text: str) -> str | None:
    """Return a title without markup, or None."""
    return line(_MARKUP.sub("", text)) or None


def year_of(date: str) -> int | None:
    """Return the year of a date in any form, or None."""
    match = _YEAR.search(date)
    return int(match[1]) if match and match[1] != "0000" else None


def month_of(date: str) -> str:
    """Return BibTeX's name for the month of ``2019-05-03``; empty for other texts."""
    match = _DATE.match(date)
    number = int(match[2]) if match else 0
    return MONTHS[number - 1] if 1 <= number <= 12 else ""


@lru_cache(maxsize=8192)  # Many papers of a user have the same authors.
def person(given: str, family: str, suffix: str = "") -> Author | None:
    """Return a person, or an organisation if there is no given name."""
    given, family, suffix = line(given), line(family), line(suffix)
    if not family:
        return Author(given) if given else None
    return with_family(f"{given} {family} {suffix}".strip(), family)


def organisation(name: str) -> Author | None:
    """Return an author with a single name, or None."""
    name = line(name)
    return with_family(name, name) if name else None


def people(authors: Iterable[Author | None]) -> tuple[Author, ...]:
    """Return the authors without None."""
    return tuple(author for author in authors if author is not None)


def names_of(authors: Sequence[Author]) -> str:
    """Return editors or translators as .bib files write them."""
    return " and ".join(
        f"{{{author.name}}}" if author.family == author.name and " " in author.name else author.name
        for author in authors
    )


def words_of(text: str) -> tuple[str, ...]:
    """Return keywords separated by semicolons, or else by commas."""
    separator = ";" if ";" in text else ","
    return tuple(dict.fromkeys(filter(None, map(line, text.split(separator)))))
