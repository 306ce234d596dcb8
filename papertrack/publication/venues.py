"""What the name of a venue says: a preprint server, a workshop, a series of books."""

from __future__ import annotations

import re

from papertrack.text import fold

_SERVERS = re.compile(
    r"\b(?:[a-z]+rxiv|corr|ssrn(?: electronic journal)?|social science research network"
    r"|research square|preprints?(?:\.org)?"
    r"|authorea|zenodo|figshare|openalex|osf(?:\.io)?|psyarxiv|hal|pubmed(?: central)?"
    r"|europe pmc|repec|viXra|scienceopen preprints|institutional repository)\b",
    re.IGNORECASE,
)
_REPOSITORY = re.compile(r"\b(?:repositor(?:y|ies)|preprints?|e-?prints?|open archive)\b")
_WORKSHOP = re.compile(
    r"\b(?:workshops?|companion|adjunct|extended abstracts?|doctoral (?:consortium|symposium)"
    r"|student abstracts?|work-in-progress|late breaking)\b|(?<=\w)@(?=[a-z])"
)
_SERIES = re.compile(
    r"^(?:lecture notes (?:in|on)|communications in computer and information science"
    r"|advances in intelligent systems and computing|ifip advances in|studies in computational"
    r"|smart innovation,? systems|springer (?:proceedings|optimization|series) (?:in|and)"
    r"|ceur workshop proceedings$|leibniz international proceedings|dagstuhl"
    r"|lipics|oasics|graduate texts|undergraduate texts|progress in mathematics$"
    r"|proceedings of machine learning research$|pmlr$|acm international conference proceeding)"
)
_JOURNAL = re.compile(r"\b(?:journal|transactions|letters|annals|magazine)\b")
_PROCEEDINGS = re.compile(r"\b(?:proceedings|conference|symposium)\b")
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9A-Za-z])")


def is_server(name: str) -> bool:
    """Whether it is one of those who keep preprints or copies: nothing appears there."""
    plain = fold(name).strip()
    words = plain.split()
    is_all = _SERVERS.match(plain) is not None and len(words) <= 4
    return is_all or bool(_REPOSITORY.search(plain)) or "rxiv" in plain


def is_workshop(name: str) -> bool:
    """Whether it is a workshop, or what appears beside a conference."""
    return bool(_WORKSHOP.search(name.casefold()))


def is_journal(name: str) -> bool:
    """Whether it calls itself a journal, and not the proceedings of a conference."""
    plain = fold(name)
    return bool(_JOURNAL.search(plain)) and not _PROCEEDINGS.search(plain)


def is_series(name: str) -> bool:
    """Whether it is a series in which the proceedings of many conferences appear."""
    return bool(_SERIES.match(fold(name)))


def year_in(text: str) -> int | None:
    """The one year that a text names; None if it names none, or several."""
    years = set(_YEAR.findall(text))
    return int(years.pop()) if len(years) == 1 else None
