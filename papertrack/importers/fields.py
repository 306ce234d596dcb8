"""Fields of other tools, named as BibTeX and biblatex name theirs → the facts of a paper.

Their values are plain text: nothing in them is LaTeX. What identifies a work, and what kind it is,
says the reader of .bib files, so that the same work is read alike from everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from papertrack.documents.bibtex.facts import PUBLICATION, facts_of
from papertrack.documents.bibtex.names import with_family
from papertrack.records import Author, PaperFacts
from papertrack.text import clean, clean_block

_NAMING = frozenset(
    "doi url eprint archiveprefix eprinttype primaryclass eprintclass arxivid arxiv biburl "
    "journal journaltitle booktitle volume number note howpublished pdf code github slides video "
    "project school institution".split()
)
"""The fields by which a work is identified, and its kind found out."""
_VENUES = ("journal", "journaltitle", "booktitle", "school", "institution")
_MARKUP = re.compile(r"</?(?:i|b|sub|sup|span|sc|em|strong)(?:\s[^<>]*)?>", re.I)
"""What reference managers let stand in titles."""
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_DATE = re.compile(r"(\d{4})-(\d\d)")
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_EDGES = re.compile(r"[{}]")


def facts_from(
    entry_type: str, fields: Mapping[str, str], authors: Sequence[Author] = ()
) -> PaperFacts:
    """What such fields say of a work: their words as they are, cleaned and in one line."""
    plain = {name: line(value) for name, value in fields.items() if name != "abstract"}
    plain = {name: value for name, value in plain.items() if value}
    naming = {name: _EDGES.sub("", plain[name]) for name in plain.keys() & _NAMING}
    facts = facts_of(entry_type, {"title": "x", **naming})
    venue = next((plain[name] for name in _VENUES if name in plain), None)
    kept = {name for name, _ in facts.publication} | (PUBLICATION - _NAMING)
    return facts._replace(
        title=title_of(plain.get("title", "")),
        authors=tuple(authors),
        abstract=clean_block(_MARKUP.sub("", fields.get("abstract", ""))).strip() or None,
        venue=venue if facts.venue else None,
        year=year_of(plain.get("year") or plain.get("date", "")),
        publication=tuple((name, value) for name, value in plain.items() if name in kept),
    )


def line(text: str) -> str:
    """A foreign text in one line, safe to show."""
    return " ".join(clean(text).split())


def title_of(text: str) -> str | None:
    """A title without what managers mark up in it."""
    return line(_MARKUP.sub("", text)) or None


def year_of(date: str) -> int | None:
    """The year of a date in any spelling."""
    found = _YEAR.search(date)
    return int(found[1]) if found and found[1] != "0000" else None


def month_of(date: str) -> str:
    """BibTeX's name of the month of ``2019-05-03``; nothing for others."""
    found = _DATE.match(date)
    number = int(found[2]) if found else 0
    return MONTHS[number - 1] if 1 <= number <= 12 else ""


@lru_cache(maxsize=8192)  # A reader's papers name the same people again and again.
def person(given: str, family: str, suffix: str = "") -> Author | None:
    """One person, or an organisation that has no given name."""
    given, family, suffix = line(given), line(family), line(suffix)
    if not family:
        return Author(given) if given else None
    return with_family(f"{given} {family} {suffix}".strip(), family)


def organisation(name: str) -> Author | None:
    """Somebody with one name."""
    name = line(name)
    return with_family(name, name) if name else None


def people(found: Iterable[Author | None]) -> tuple[Author, ...]:
    """Those of them that have a name."""
    return tuple(one for one in found if one is not None)


def names_of(authors: Sequence[Author]) -> str:
    """Editors and translators as .bib files name them."""
    return " and ".join(
        f"{{{one.name}}}" if one.family == one.name and " " in one.name else one.name
        for one in authors
    )


def words_of(text: str) -> tuple[str, ...]:
    """Keywords apart by semicolons, or by commas where there are none."""
    separator = ";" if ";" in text else ","
    return tuple(dict.fromkeys(filter(None, map(line, text.split(separator)))))
