"""Where works are published: what a venue's name says, which two are one, and what authors tell.

A short name is believed only when its letters are the first ones of all words that tell: *ACL* is
short for the Association for Computational Linguistics, and not for its Transactions. What authors
say in a comment at arXiv is prose, read as suggestions: a workshop beside a conference is not that
conference, and an earlier version is not this paper.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from papertrack.matching.words import SMALL_WORDS, tokens_of
from papertrack.text import clean, fold

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
MAX_TEXT = 20_000
"""Characters that are read; the longest comments have hundreds."""
MAX_VENUE = 120

_ACCEPTED = re.compile(
    r"\b(?:accepted|to appear|will appear|appears|appeared|published|camera[- ]ready|presented|"
    r"to be (?:presented|published))(?: version| paper| article| manuscript)?"
    r"(?: for (?:publication|presentation|oral presentation|inclusion))?"
    r"(?: as an? [a-z]+(?: [a-z]+)?)?"
    r"(?: at| into| in| by| to| on| for| @|:) (?=\S)(?=([^;]{2,200}))",
    re.IGNORECASE,
)
_VENUE_END = re.compile(
    r"[;()\[\]]|\. |\.$|, (?![A-Z]?\d|[A-Z][A-Za-z]+ \d{4}|and )| as an? | with | \d+ pages|"
    r"https?://|(?<=(?-i:[A-Z]) [0-9]{4})[,.]? (?!workshop|findings|main|demo|datasets|student)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r";|\. (?=[A-Z0-9])")
_CLAUSE_END = re.compile(
    r";|\. (?=[A-Z0-9])|https?://"
    r"|\b(?:accepted|presented|published|submitted|under review|appear\w*)\b",
    re.IGNORECASE,
)
"""Behind it another thing is said."""
_ANOTHER = re.compile(r"\s*(?:and|&|plus|also)(?!\w)")
"""With which another place is named."""
_ABBREVIATION = re.compile(
    r"\b(Acad|Adv|Am|Amer|Ann|Appl|Astron|Astrophys|Bull|Chem|Comm|Commun|Comput|Conf|Eng|Eur|"
    r"Gen|Geom|Inf|Int|Intell|Intl|J|Learn|Lett|Mach|Math|Mech|Mod|Nat|Not|Nucl|Opt|Phys|Proc|"
    r"Quant|R|Res|Rev|Sci|Soc|Stat|Symp|Syst|Theor|Theoret|Trans|Univ)\. (?![0-9])"
)
_LEADING = re.compile(
    r"^(?:(?:the|an?|(?:be )?(?:(?:oral|poster|spotlight) )?(?:appear|presented|published|session"
    r"|presentation|publication)(?: and (?:publication|presentation))?(?:,| (?:at|in|on|by|@))) )+",
    re.IGNORECASE,
)
_NOT_ACCEPTED = re.compile(
    r"\b(?:submitted|under review|in submission|rejected|reject|preprint of)\b", re.IGNORECASE
)
_DATED_CONFERENCE = re.compile(
    rf"(?<![A-Za-z])({'|'.join(CONFERENCES)})(?:[ -]|['’]|, )?((?:19|20)[0-9]{{2}}|[0-3][0-9])"
    r"(?![0-9])"
)
_OTHER_VERSION = re.compile(
    r"\b(?:earlier|preliminary|previous|prior|short|shorter|shortened|abridged|initial|condensed"
    r"|brief|partial|separate)(?: [a-z]+)? (?:versions?|drafts?|results|works?|forms?)\b"
    r"|\b(?:previously|parts? of|extend(?:s|ing)|extension of"
    r"|(?:extended|full|long|working) version of)\b",
    re.IGNORECASE,
)
"""What is said of another version than this one."""
_WORKSHOP_PAPER = re.compile(r"\bworkshop\b", re.IGNORECASE)
_KEEPERS = re.compile(
    r"(?:ieee xplore|acm digital library|acl anthology|ceur\b|volume [0-9]"
    r"|(?:springer|elsevier|conference|workshop)\b.*(?:proceedings|lecture notes|lncs|chapter))"
    r"(?!.*\b(?:19|20)[0-9]{2}\b)"
    r"|(?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december) [0-9]{4}\b",
    re.IGNORECASE,
)
"""Who keeps the proceedings of others, and when: no names of a venue."""


_SURE = re.compile(
    rf"\b(?:{'|'.join(CONFERENCES)}|(?:19|20)[0-9]{{2}})\b|\b(?:Journal|Transactions)\b"
)
"""What names the conference or journal itself, where a workshop is named too."""
_ALIKE = 85
"""rapidfuzz's score, of 100, from which two names of a venue are one."""


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


def short_name(venue: str) -> str | None:
    """The short name that a venue's own brackets tell, or that a known conference has; None where
    there is none."""
    told = (name for told in _BRACKETS.findall(venue) for name in _NAME.findall(told))
    return next((name for name in (*told, *CONFERENCES) if is_short_for(name, venue)), None)


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
    """A venue's name, and how its year is next to it: ``ICML`` and `` %Y``, or ``%Y-|`` of one
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
    # A short name is made of the words without brackets and numbers.
    words = _WORD.findall(fold(_BRACKETS.sub(" ", venue)))
    words = [word for word in words if not any(map(str.isdigit, word))]
    letters = [one.casefold() for one in _LETTERS.findall(name)]
    if len(letters) < 3 or len(words) > _MOST_WORDS or _WORD.sub("", name).strip(" &-"):
        return False
    left = {0}
    """How many letters may be used up by now, each with a word in its turn."""
    for word in words:
        used = {at + 1 for at in left if at < len(letters) and word.startswith(letters[at])}
        left = used | (left if word in _GENERIC else set())
    # Or a venue that is no part of another one says its short name first.
    telling = [word for word in words if word not in _GENERIC]
    is_first = name.isupper() and [fold(name)] == telling[:1]
    return len(letters) in left or (is_first and not _DIVISIONS.search(fold(venue)))


@lru_cache(maxsize=4096)
def is_same_venue(one: str | None, other: str | None) -> bool | None:
    """Whether two names are of one venue, also cut short; None if one is missing."""
    if not one or not other:
        return None
    # Imported here because only works that look alike pay for it.
    from rapidfuzz import fuzz

    words, others = (
        [word for word in tokens_of(venue) if word not in SMALL_WORDS and not word.isdecimal()]
        for venue in (one, other)
    )
    if fuzz.token_set_ratio(" ".join(words), " ".join(others)) >= _ALIKE:
        return True
    return any(
        _abbreviates(short, long) or _are_initials(name, long)
        for name, short, long in ((one, words, others), (other, others, words))
    )


def _abbreviates(short: list[str], long: list[str]) -> bool:
    """Whether each word begins one of the other's, in their order: ``j mach learn res``."""
    left = iter(long)
    return len(short) > 1 and all(any(word.startswith(cut) for word in left) for cut in short)


def _are_initials(venue: str, words: list[str]) -> bool:
    """Whether a name in capitals stands for the words: ``EMNLP``, ``NAACL-HLT``."""
    for name in ("".join(filter(str.isupper, word)).casefold() for word in venue.split()):
        left = iter(word[0] for word in words)
        if len(name) > 2 and (name in words or all(letter in left for letter in name)):
            return True
    return False


def find_venue(comment: str) -> str | None:
    """Where a comment says that the paper appeared or will: ``"ICLR 2026"``; None if nowhere."""
    return next(iter(find_venues(comment)), None)


def find_venues(comment: str) -> tuple[str, ...]:
    """Each place of which a comment says that the paper appeared there or will: journals and
    conferences that are named as such, then the others.

    Read are "Accepted at …", "To appear in …", "Published in …" and a known conference with its
    year. A submission, a rejection, an earlier version or a venue without a name is none.
    """
    comment = clean(comment[:MAX_TEXT])
    found = dict.fromkeys(_accepted(comment))
    if not found and not _NOT_ACCEPTED.search(comment):
        found = dict.fromkeys(itertools.islice(_conferences(comment), 1))
    return tuple(sorted(found, key=lambda name: is_workshop(name) or not _SURE.search(name)))


def _accepted(comment: str) -> Iterator[str]:
    for match in _ACCEPTED.finditer(comment):
        before = _CLAUSE_END.split(_before(match))[-1]
        if not _OTHER_VERSION.search(before) and (name := _venue_name(match[1])):
            is_of_workshop = _WORKSHOP_PAPER.search(before + match[0]) and not is_workshop(name)
            yield f"{name} Workshop" if is_of_workshop else name


def _conferences(comment: str) -> Iterator[str]:
    """The known conferences that a comment names, or their workshops."""
    for match in _DATED_CONFERENCE.finditer(comment):
        before, behind = _before(match), comment[match.end() : match.end() + MAX_VENUE]
        behind = match[0] + _CLAUSE_END.split(behind, maxsplit=1)[0]
        if not _OTHER_VERSION.search(_SENTENCE_END.split(before)[-1] + behind):
            is_of_workshop = is_workshop(_CLAUSE_END.split(before)[-1] + behind)
            year = match[2] if len(match[2]) == 4 else f"20{match[2]}"
            yield f"{match[1]} {year}{' Workshop' if is_of_workshop else ''}"


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - MAX_VENUE) : match.start()]


def _venue_name(text: str) -> str | None:
    """The name with which a text begins, if it is one."""
    # A no-break space holds an abbreviation together with what follows it.
    text = _ABBREVIATION.sub("\\1.\N{NO-BREAK SPACE}", text)
    written = _VENUE_END.split(text, maxsplit=1)[0]
    name = _named(written)
    if name and not is_workshop(name) and (longer := _with_workshop(text, len(written))):
        whole = _named(longer)
        name = whole if len(whole) <= MAX_VENUE else f"{name} Workshop"
    is_name = len(name) <= MAX_VENUE and any(map(str.isupper, name))
    return name if is_name and not _KEEPERS.match(name) and not is_series(name) else None


def _named(text: str) -> str:
    return _LEADING.sub("", clean(text).strip(" -–—:;,.'\""))


def _with_workshop(text: str, end: int) -> str | None:
    """The name on to the workshop that is named behind its end: ``CVPR 2026 EDGE Workshop`` and
    ``CVMI (CVPR 2025 Workshop)``; None where there is none."""
    rest = _CLAUSE_END.split(text[end:], maxsplit=1)[0]
    words = rest.split(" ")
    at = next((n for n in range(1, len(words) + 1) if is_workshop(" ".join(words[:n]))), None)
    if at is None:
        return None
    between, rest = " ".join(words[:at]), " ".join(["", *words[at:]])
    if _OTHER_VERSION.search(between) or _ANOTHER.match(between):
        return None
    # What still belongs to its name goes up to its bracket, or to the usual end.
    if between.count("(") > between.count(")"):
        inside, bracket, _ = rest.partition(")")
        return text[:end] + between + inside + bracket
    return text[:end] + between + _VENUE_END.split(rest, maxsplit=1)[0]
