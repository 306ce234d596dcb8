"""Read and compare the names of venues, and find venues in authors' comments.

A short name counts only if its letters are the initials of all significant words: *ACL* is short
for the Association for Computational Linguistics, but not for its Transactions. Authors' comments
at arXiv are prose, so venues read from them are suggestions. A workshop is not the conference that
hosts it, and an earlier version is not this paper.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from papertrack.matching.words import pattern_of, table_of, terms, tokens_of
from papertrack.text import clean, fold

# Patterns are strings, which are compiled at their first use, to keep the start-up fast.
_SERVER = r"^(?=\s*\S+(?:\s+\S+){0,3}\s*$)(?:<servers>)\b|\b(?:<repositories>)\b|rxiv"
_WORKSHOP = r"\b(?:<workshops>)\b|(?<=\w)@(?=[a-z])"
_JOURNAL = r"^(?!.*\b(?:<conference words>)\b).*\b(?:<journal words>)\b"
_CONFERENCE = r"(?<![A-Za-z])(?:<conferences>)(?![A-Za-z])"
_FIRST_OF_1900S = 60
"""From here on, years of two digits are in the 1900s."""
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9A-Za-z])")
YEAR = re.compile(r"(?:(?:19|20)[0-9]{2}|(?<=['’‘`])[0-9]{2})(?![0-9])")
"""The year in a venue, as lists write it."""
_BRACKETS = re.compile(r"\(([^()]*)\)")
_NAME = re.compile(r"[A-Z][\w&-]*[A-Z][\w-]*")
_LETTERS = re.compile("[A-Z][a-z]*")
"""Parts of a short name that begin a word: ``Neur``, ``I``, ``P``, ``S``."""
_WORD = re.compile(r"[^\W_]+")
_MAX_WORDS = 24
MAX_TEXT = 20_000
"""Characters of a comment that are read; the longest comments have hundreds."""
MAX_VENUE = 120

_ACCEPTED = (
    r"(?i)\b(?:<accepted>)(?: version| paper| article| manuscript)?"
    r"(?: for (?:publication|(?:oral )?presentation|inclusion))?(?: as an? [a-z]+(?: [a-z]+)?)?"
    r"(?: at| into| in| by| to| on| for| @|:) (?=\S)(?=([^;]{2,200}))"
)
_VENUE_END = (
    r"(?i)[;()\[\]]|\. |\.$|, (?![A-Z]?\d|[A-Z][A-Za-z]+ \d{4}|and )| as an? | with | \d+ pages|"
    r"https?://|(?<=(?-i:[A-Z]) [0-9]{4})[,.]? (?!workshop|findings|main|demo|datasets|student)"
)
_SENTENCE_END = r";|\. (?=[A-Z0-9])"
_CLAUSE_END = rf"{_SENTENCE_END}|(?i:https?://|\b(?:<clause starts>)\b)"
"""Where another statement begins."""
_ADDITION = re.compile(r"\s*(?:and|&|plus|also)(?!\w)")
"""How a comment introduces another venue."""
_ABBREVIATION = r"\b(<abbreviations>)\. (?![0-9])"
_LEADING = (
    r"(?i)^(?:(?:the|an?|(?:be )?(?:(?:oral|poster|spotlight) )?(?:<presented>)"
    r"(?: and (?:publication|presentation))?(?:,| (?:at|in|on|by|@))) )+"
)
_DATED_CONFERENCE = (
    r"(?<![A-Za-z])(<conferences>)(?:[ -]|['’]|, )?((?:19|20)[0-9]{2}|[0-3][0-9])(?![0-9])"
)
_OTHER_VERSION = r"(?i)\b(?:<other versions>)\b"
"""How comments name another version of the paper."""
_NOT_VENUE = r"(?i)(?:<proceedings>)(?!.*\b(?:19|20)[0-9]{2}\b)|(?:<months>) [0-9]{4}\b"
"""Publishers of proceedings, and dates: not names of venues."""
_CLEAR_NAME = r"\b(?:<conferences>|(?:19|20)[0-9]{2})\b|\b(?:Journal|Transactions)\b"
"""Words that name the conference or journal itself, beside those that name a workshop."""
_MIN_SCORE = 85
"""rapidfuzz's score, of 100, from which two names are of the same venue."""


def is_server(name: str) -> bool:
    """Return whether a name is that of a preprint server or repository, not of a venue."""
    return bool(pattern_of(_SERVER).search(fold(name)))


def is_workshop(name: str) -> bool:
    """Return whether a name is that of a workshop or another side event of a conference."""
    return bool(pattern_of(_WORKSHOP).search(name.casefold()))


def is_journal(name: str) -> bool:
    """Return whether a name says journal, and not proceedings of a conference."""
    return bool(pattern_of(_JOURNAL).search(fold(name)))


def kind_of(name: str) -> str | None:
    """Return whether a name is clearly that of a journal or of a conference."""
    return "journal" if is_journal(name) else "conference" if is_conference(name) else None


def is_series(name: str) -> bool:
    """Return whether a name is that of a series with the proceedings of many conferences."""
    return bool(pattern_of("<series>").match(fold(name)))


def year_in(text: str) -> int | None:
    """Return the year in a text; None if it has none or several."""
    years = set(_YEAR.findall(text))
    return int(years.pop()) if len(years) == 1 else None


def short_name(venue: str) -> str | None:
    """Return the short name in a venue's brackets, or of a known conference; else None."""
    bracketed = (name for b in _BRACKETS.findall(venue) for name in _NAME.findall(b))
    return next(
        (name for name in (*bracketed, *terms("conferences")) if is_short_for(name, venue)), None
    )


def is_conference(text: str) -> bool:
    """Return whether a text has the short name of a known conference."""
    return bool({*pattern_of(_CONFERENCE).findall(text)} - {"TACL", "TMLR"})


def appears_in(conference: str, journal: str) -> bool:
    """Return whether the papers of a conference are published in this journal."""
    names = pattern_of(_CONFERENCE).findall(conference)
    return any(table_of("journals of conferences").get(n, "\0") in fold(journal) for n in names)


def names_venue_and_year(text: str, venue: str, year: int | None) -> bool:
    """Return whether the words of a list name this venue, and no other year."""
    name = parsed_venue(text)[0] or YEAR.split(text)[0].strip(" ,.'’‘`-(")
    is_year = year is None or venue_year(text) in (None, year)
    return is_year and is_short_for(name, venue)


def is_venue_with_year(text: str, venue: str) -> bool:
    """Return whether the words of a list name this venue, which includes its year."""
    return names_venue_and_year(text, parsed_venue(venue)[0] or venue, venue_year(venue))


def parsed_venue(text: str) -> tuple[str | None, str]:
    """Split a venue into its name and the form of its year.

    The form is `` %Y`` in ``ICML 2024``, or ``%Y-|`` if the year is first. There is no name if more
    words follow the year, as in ``ICML 2024 (Oral)``.
    """
    match = YEAR.search(text)
    if match is None:
        return text, ""
    before, after = text[: match.start()], text[match.end() :]
    year = "%Y" if len(match.group()) == 4 else "%y"
    if before.strip(" '’‘`"):
        name = before.rstrip(" ,.'’‘`-–(")
        lead = before[len(name) :]
        closing = after[:1] if lead.endswith("(") else ""
        return (name if after == closing else None), f"{lead}{year}{closing}"
    name = after.lstrip(" ,.-–:")
    return name or None, f"{before}{year}{after[: len(after) - len(name)]}|"


def full_year(year: int) -> int:
    """Return a year of two or four digits with four digits."""
    return year if year > 99 else year + (1900 if year >= _FIRST_OF_1900S else 2000)


def venue_year(venue: str) -> int | None:
    """Return the year in a venue, or None: 1995 for ``SOSP'95``."""
    match = YEAR.search(venue)
    return full_year(int(match.group())) if match else None


def add_year(name: str, form: str, year: int) -> str:
    """Return a venue's name with a year, in a form of ``parsed_venue``, unless it has one."""
    if YEAR.search(name):
        return name
    dated_part, is_before, ending = form.partition("|")
    dated_part = dated_part.replace("%Y", str(year)).replace("%y", f"{year % 100:02}")
    return f"{dated_part}{name}{ending}" if is_before else name + dated_part


@lru_cache(maxsize=4096)
def is_short_for(name: str, venue: str) -> bool:
    """Return whether a name stands for the venue: the same, its initials, or its first word."""
    if fold(name) == fold(venue):
        return True
    if is_workshop(venue) != is_workshop(name):
        return False
    # A short name is made of the words outside brackets, without numbers.
    words = _WORD.findall(fold(_BRACKETS.sub(" ", venue)))
    words = [word for word in words if not any(map(str.isdigit, word))]
    letters = [part.casefold() for part in _LETTERS.findall(name)]
    if len(letters) < 3 or len(words) > _MAX_WORDS or _WORD.sub("", name).strip(" &-"):
        return False
    reached = {0}
    """Counts of letters that the words so far may have used up."""
    for word in words:
        used = {at + 1 for at in reached if at < len(letters) and word.startswith(letters[at])}
        reached = used | (reached if word in terms("generic") else set())
    # Or the venue begins with its short name, and is not a division of another one.
    telling = [word for word in words if word not in terms("generic")]
    is_first = name.isupper() and [fold(name)] == telling[:1]
    is_division = pattern_of(r"\b(?:<divisions>)\b").search(fold(venue))
    return len(letters) in reached or (is_first and not is_division)


@lru_cache(maxsize=4096)
def is_same_venue(left: str | None, right: str | None) -> bool | None:
    """Return whether two names, perhaps short, are of one venue; None if one is missing."""
    if not left or not right:
        return None
    # Imported here because only works that look alike need it.
    from rapidfuzz import fuzz

    small = terms("small words")
    words, others = (
        [word for word in tokens_of(venue) if word not in small and not word.isdecimal()]
        for venue in (left, right)
    )
    if fuzz.token_set_ratio(" ".join(words), " ".join(others)) >= _MIN_SCORE:
        return True
    return any(
        _abbreviates(short, long) or _are_initials(name, long)
        for name, short, long in ((left, words, others), (right, others, words))
    )


def _abbreviates(short: list[str], long: list[str]) -> bool:
    """Return whether each word begins a word of the other, in order: ``j mach learn res``."""
    remaining = iter(long)
    return len(short) > 1 and all(any(word.startswith(a) for word in remaining) for a in short)


def _are_initials(venue: str, words: list[str]) -> bool:
    """Return whether capitals in a name stand for the words: ``EMNLP``, ``NAACL-HLT``."""
    for name in ("".join(filter(str.isupper, word)).casefold() for word in venue.split()):
        initials = iter(word[0] for word in words)
        if len(name) > 2 and (name in words or all(letter in initials for letter in name)):
            return True
    return False


def find_venue(comment: str) -> str | None:
    """Return where a comment says that the paper appears, such as ``"ICLR 2026"``, or None."""
    return next(iter(find_venues(comment)), None)


def find_venues(comment: str) -> tuple[str, ...]:
    """Return all venues that a comment says the paper appears in, clear names first.

    It reads "Accepted at …", "To appear in …", "Published in …", and a known conference with its
    year. It ignores submissions, rejections, earlier versions and venues without a name.
    """
    comment, clear = clean(comment[:MAX_TEXT]), pattern_of(_CLEAR_NAME)
    venues = dict.fromkeys(_accepted_venues(comment))
    if not venues and not pattern_of(r"(?i)\b(?:<not accepted>)\b").search(comment):
        venues = dict.fromkeys(itertools.islice(_known_conferences(comment), 1))
    return tuple(sorted(venues, key=lambda name: is_workshop(name) or not clear.search(name)))


def _accepted_venues(comment: str) -> Iterator[str]:
    for match in pattern_of(_ACCEPTED).finditer(comment):
        before = pattern_of(_CLAUSE_END).split(_before(match))[-1]
        is_other = pattern_of(_OTHER_VERSION).search(before)
        if not is_other and (name := _venue_name(match[1])):
            text = (before + match[0]).casefold()
            is_workshop_paper = re.search(r"\bworkshop\b", text) and not is_workshop(name)
            yield f"{name} Workshop" if is_workshop_paper else name


def _known_conferences(comment: str) -> Iterator[str]:
    """Yield the known conferences, or their workshops, that a comment names."""
    for match in pattern_of(_DATED_CONFERENCE).finditer(comment):
        before, behind = _before(match), comment[match.end() : match.end() + MAX_VENUE]
        behind = match[0] + pattern_of(_CLAUSE_END).split(behind, maxsplit=1)[0]
        if not pattern_of(_OTHER_VERSION).search(re.split(_SENTENCE_END, before)[-1] + behind):
            is_workshop_paper = is_workshop(pattern_of(_CLAUSE_END).split(before)[-1] + behind)
            year = match[2] if len(match[2]) == 4 else f"20{match[2]}"
            yield f"{match[1]} {year}{' Workshop' if is_workshop_paper else ''}"


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - MAX_VENUE) : match.start()]


def _venue_name(text: str) -> str | None:
    """Return the name at the beginning of a text, or None."""
    # A no-break space keeps an abbreviation together with the next word.
    text = pattern_of(_ABBREVIATION).sub("\\1.\N{NO-BREAK SPACE}", text)
    name_text = re.split(_VENUE_END, text, maxsplit=1)[0]
    name = _cleaned_name(name_text)
    if name and not is_workshop(name) and (longer := _with_workshop(text, len(name_text))):
        full_name = _cleaned_name(longer)
        name = full_name if len(full_name) <= MAX_VENUE else f"{name} Workshop"
    is_name = len(name) <= MAX_VENUE and any(map(str.isupper, name))
    return (
        name if is_name and not pattern_of(_NOT_VENUE).match(name) and not is_series(name) else None
    )


def _cleaned_name(text: str) -> str:
    return pattern_of(_LEADING).sub("", clean(text).strip(" -–—:;,.'\""))


def _with_workshop(text: str, end: int) -> str | None:
    """Return the text up to a workshop that is named after the venue's end; else None.

    Examples are ``CVPR 2026 EDGE Workshop`` and ``CVMI (CVPR 2025 Workshop)``.
    """
    rest = pattern_of(_CLAUSE_END).split(text[end:], maxsplit=1)[0]
    words = rest.split(" ")
    at = next((n for n in range(1, len(words) + 1) if is_workshop(" ".join(words[:n]))), None)
    if at is None:
        return None
    between, rest = " ".join(words[:at]), " ".join(["", *words[at:]])
    if pattern_of(_OTHER_VERSION).search(between) or _ADDITION.match(between):
        return None
    # The rest of the name ends with its bracket, or at the usual end.
    if between.count("(") > between.count(")"):
        inside, bracket, _ = rest.partition(")")
        return text[:end] + between + inside + bracket
    return text[:end] + between + re.split(_VENUE_END, rest, maxsplit=1)[0]
