"""Where authors say in a comment that their paper appeared, or will. Pure.

arXiv has no field for it: these are readings of prose, offered as suggestions. A workshop beside a
conference is not that conference, and an earlier version is not this paper.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from papertrack.publication.venue_names import CONFERENCES
from papertrack.publication.venues import is_series, is_workshop
from papertrack.text import clean

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
_CONFERENCE = re.compile(
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
        before = comment[max(0, match.start() - MAX_VENUE) : match.start()]
        before = _CLAUSE_END.split(before)[-1]
        if not _OTHER_VERSION.search(before) and (name := _venue_name(match[1])):
            is_of_workshop = _WORKSHOP_PAPER.search(before + match[0]) and not is_workshop(name)
            yield f"{name} Workshop" if is_of_workshop else name


def _conferences(comment: str) -> Iterator[str]:
    """The known conferences that a comment names, or their workshops."""
    for match in _CONFERENCE.finditer(comment):
        before = comment[max(0, match.start() - MAX_VENUE) : match.start()]
        behind = comment[match.end() : match.end() + MAX_VENUE]
        behind = _CLAUSE_END.split(behind, maxsplit=1)[0]
        if not _OTHER_VERSION.search(_SENTENCE_END.split(before)[-1] + match[0] + behind):
            clause = _CLAUSE_END.split(before)[-1] + match[0] + behind
            year = match[2] if len(match[2]) == 4 else f"20{match[2]}"
            yield f"{match[1]} {year}{' Workshop' if is_workshop(clause) else ''}"


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
    between = " ".join(words[:at])
    if _OTHER_VERSION.search(between) or _ANOTHER.match(between):
        return None
    return text[:end] + between + _tail(between, " ".join(["", *words[at:]]))


def _tail(between: str, rest: str) -> str:
    """What still belongs to the name of a workshop: up to its bracket, or to the usual end."""
    if between.count("(") > between.count(")"):
        inside, bracket, _ = rest.partition(")")
        return inside + bracket
    return _VENUE_END.split(rest, maxsplit=1)[0]
