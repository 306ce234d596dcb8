"""The short names of venues: ``ICML`` for the International Conference on Machine Learning.

A short name is believed only when its letters are the first ones of all words that tell: *ACL* is
short for the Association for Computational Linguistics, and not for its Transactions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from papertrack.publication.venues import is_workshop
from papertrack.text import fold

CONFERENCES = tuple(
    "AAAI|ACL|ACM MM|AISTATS|ASPLOS|CAV|CCS|CHI|CIKM|COLING|COLM|COLT|CoRL|CVPR|EACL|ECCV|"
    "EMNLP|EuroSys|FAST|FOCS|HPCA|ICALP|ICASSP|ICCV|ICDE|ICDM|ICLR|ICML|ICRA|ICSE|IJCAI|"
    "INTERSPEECH|Interspeech|IROS|ISCA|KDD|MICCAI|MICRO|MLSys|NAACL|NDSS|NeurIPS|NIPS|NSDI|OOPSLA|"
    "OSDI|PLDI|POPL|PPoPP|RecSys|RSS|SC|SIGCOMM|SIGGRAPH|SIGIR|SIGMOD|SODA|SOSP|STOC|TACL|TMLR|"
    "UAI|USENIX ATC|USENIX Security|VLDB|WACV|WSDM|WWW".split("|")
)
"""What authors call conferences in their comments."""
_JOURNALS = frozenset({"TACL", "TMLR"})
_CONFERENCE = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(CONFERENCES)})(?![A-Za-z])")
_JOURNALS_OF = {
    "transactions on graphics": ("SIGGRAPH",),
    "automation letters": ("ICRA", "IROS"),
    "transactions of the association for computational linguistics": (
        *("ACL", "EACL", "EMNLP", "NAACL"),
    ),
}
"""Journals whose papers are presented at conferences, or the other way round."""
_GENERIC = frozenset(
    "proceedings proc annual biennial meeting conference conf symposium international intl ieee "
    "acm cvf joint advances of the and for in on at an a to".split()
)
"""Words of a venue's name that its short name may leave out."""
_DIVISIONS = re.compile(
    r"\b(?:findings|industry|demonstrations?|demos?|tutorials?|datasets and benchmarks|journal"
    r"|transactions|letters|track|abstracts?|supplement)\b"
)
_OF_LAST_CENTURY = 60
"""Years of two digits are of the 1900s from here on."""
YEAR = re.compile(r"(?:(?:19|20)[0-9]{2}|(?<=['’‘`])[0-9]{2})(?![0-9])")
"""A year in a venue as lists write it."""
_BRACKETS = re.compile(r"\(([^()]*)\)")
_NAME = re.compile(r"[A-Z][\w&-]*[A-Z][\w-]*")
_LETTERS = re.compile("[A-Z][a-z]*")
"""What of a short name begins a word: ``Neur``, ``I``, ``P``, ``S``."""
_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 24


def short_name(venue: str) -> str | None:
    """The short name that a venue's own brackets tell, or that a known conference has; None where
    there is none."""
    known = (*_in_brackets(venue), *CONFERENCES)
    return next((name for name in known if is_short_for(name, venue)), None)


def is_conference(text: str) -> bool:
    """Whether words name one of the conferences that are known by their short names."""
    return bool({*_CONFERENCE.findall(text)} - _JOURNALS)


def appears_in(conference: str, journal: str) -> bool:
    """Whether the papers of a conference come out in this journal."""
    names = {*_CONFERENCE.findall(conference)}
    told = fold(journal)
    return any(name in told and names & {*held} for name, held in _JOURNALS_OF.items())


def says_venue(text: str, venue: str, year: int | None) -> bool:
    """Whether words in a list name the venue, and no other year."""
    name, _ = parsed_venue(text)
    found = YEAR.search(text)
    is_year = found is None or year is None or found.group() in (str(year), f"{year % 100:02}")
    return is_year and is_short_for(name or YEAR.split(text)[0].strip(" ,.'’‘`-("), venue)


def is_one_venue(text: str, venue: str) -> bool:
    """Whether words in a list name this venue, which is written with its year."""
    name, year = parsed_venue(venue)[0] or venue, YEAR.search(venue)
    return says_venue(text, name, int(year.group()) if year else None)


def parsed_venue(text: str) -> tuple[str | None, str]:
    """A venue's name, and how its year stands beside it: ``ICML`` and `` %Y``, or ``%Y-|`` of one
    before it. No name of one with more words behind its year: ``ICML 2024 (Oral)``."""
    found = YEAR.search(text)
    if found is None:
        return text, ""
    before, after = text[: found.start()], text[found.end() :]
    year = "%Y" if len(found.group()) == 4 else "%y"
    if before.strip(" '’‘`"):
        name = before.rstrip(" ,.'’‘`-–(")
        lead = before[len(name) :]
        closing = after[:1] if lead.endswith("(") else ""
        return (name if after == closing else None), f"{lead}{year}{closing}"
    name = after.lstrip(" ,.-–:")
    return name or None, f"{before}{year}{after[: len(after) - len(name)]}|"


def full_year(year: int) -> int:
    """A year of two digits or four as one of four."""
    return year if year > 99 else year + (1900 if year >= _OF_LAST_CENTURY else 2000)


def venue_year(venue: str) -> int | None:
    """The year that a venue names, if it does: 1995 of ``SOSP'95``."""
    found = YEAR.search(venue)
    return full_year(int(found.group())) if found else None


def dated(name: str, form: str, year: int) -> str:
    """A venue's name with a year beside it, in a form of ``parsed_venue``; one that names a year
    already as it is."""
    if YEAR.search(name):
        return name
    told, is_before, rest = form.partition("|")
    told = told.replace("%Y", str(year)).replace("%y", f"{year % 100:02}")
    return f"{told}{name}{rest}" if is_before else name + told


@lru_cache(maxsize=4096)
def is_short_for(name: str, venue: str) -> bool:
    """Whether a name is that of the venue: the same, its capitals, or its first word."""
    if fold(name) == fold(venue):
        return True
    if is_workshop(venue) != is_workshop(name):
        return False
    words = _words_of(venue)
    letters = [one.casefold() for one in _LETTERS.findall(name)]
    if len(letters) < 3 or len(words) > _MOST_WORDS or _WORD.sub("", name).strip(" &-"):
        return False
    return _stands_for(letters, words) or _is_named(name, venue, words)


def _words_of(venue: str) -> list[str]:
    """The words that a short name is made of: without brackets, and with no numbers."""
    words = _WORD.findall(fold(_BRACKETS.sub(" ", venue)))
    return [word for word in words if not any(map(str.isdigit, word))]


def _stands_for(letters: list[str], words: list[str]) -> bool:
    """Whether these begin the words, each in its turn; generic words may be left out."""
    left = {0}  # How many letters may be used up by now.
    for word in words:
        used = {at + 1 for at in left if at < len(letters) and word.startswith(letters[at])}
        left = used | (left if word in _GENERIC else set())
    return len(letters) in left


def _is_named(name: str, venue: str, words: list[str]) -> bool:
    """Whether a venue that is no part of another one says its short name first."""
    telling = [word for word in words if word not in _GENERIC]
    is_whole = _DIVISIONS.search(fold(venue)) is None
    return is_whole and [fold(name)] == telling[:1] and name.isupper()


def _in_brackets(venue: str) -> Iterator[str]:
    for told in _BRACKETS.findall(venue):
        yield from _NAME.findall(told)
