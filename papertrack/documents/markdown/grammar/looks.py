"""How much a few words read like a title, names, a venue, a date, a label or a description.

Only what holds in general is asked: how many words, their capitals, small words, initials, years;
whether the document also writes a word in small letters (a name it does not), and how often the
same words stand in other entries. Nothing here knows any list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from papertrack.documents.markdown.grammar.likeness import OTHERS_BEHIND
from papertrack.documents.markdown.grammar.likeness import venue_likeness as names_venue
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import find_date

_WORD = re.compile(r"[^\W_]+(?:['’.&/+-]{1,2}[^\W_]+)*")
_TAGS = re.compile(r"<[^<>]{0,300}>")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_SMALL = frozenset(
    "a an and are as at by can do does for from how in into is its of on or over the through to "
    "toward towards under using via what when where which why with without der die das und für "
    "mit von le la les des du et pour dans un une el los de del en con para por y e o da do na "
    "no".split()
)
_TOLD = frozenset(
    "we our us you your i my it its this that these those they their he she is are was were has "
    "have had be been will would should which who contains provides uses used made makes allows "
    "here there also very just about please see".split()
)
"""Words of sentences that tell something; few titles have one."""
_POINTING = frozenset("this that these those here there".split())
_VENUE_WORDS = frozenset(
    "proceedings proc conference conf journal transactions trans workshop symposium arxiv preprint "
    "letters thesis dissertation phd press findings oral spotlight poster accepted submitted "
    "published technical report blog biorxiv corr magazine annual international "
    "会议 期刊 预印本".split()
)
_SERIES = frozenset("proceedings proc journal transactions trans conference conf symposium".split())
"""One of the first words of a venue that is written out."""
_NOBODYS = frozenset(
    "thesis univ. univ university dissertation institute ph.d. phd publishers press verlag".split()
)
"""Words of no person's name."""
_PARTICLES = frozenset("de der den van von da dos di du la le el bin ibn al ter ten zu y".split())
_JOINTS = re.compile(
    r"(?=[\s&abw])(?:\s+(?:and|und|et|y|e|и|ve|&|和)\s+|^(?:and|by|with|&)\s+|\s*&\s*)",
    re.IGNORECASE,
)
_NAME_SIGNS = re.compile(r"(?=[\\*†‡§¶^#<0-9])(?:[\\*†‡§¶^#]+|<sup>.*?</sup>|(?<=\D)[0-9]{1,2}$)")
_YEAR = re.compile(r"(?<![0-9.])(?:19|20)[0-9]{2}(?![0-9])|['’‘`][ ]?[0-9]{2}(?![0-9])")
_PAGES = re.compile("[0-9]{1,5}[-–][0-9]{1,5}")
_NUMBER = re.compile(r"(?:No\.?|#|№)?[ ]?[0-9]{1,4}[a-z]?", re.IGNORECASE)
_SHORT_DATE = re.compile(
    r"[0-9]{1,4}(?:[./-][0-9]{1,4}){1,2}|(?:19|20)[0-9]{2}|['’][0-9]{2}"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
    r"(?:[ ,]{1,2}[0-9]{1,4}){0,2}|(?:spring|summer|autumn|fall|winter)[ ,]{1,2}(?:19|20)[0-9]{2}",
    re.IGNORECASE,
)
COUNTED = (
    r"(?:(?:paper|article|session|week|day|lecture|talk|meeting|seminar|class|séance|semaine|sitzung"
    r"|woche|vorlesung|termin|sesión|semana|clase|论文|論文|논문)[ ]?#?[0-9]{1,4}"
    r"|第[ ]?[0-9]{1,3}[ ]?[回次期讲講週周]|[0-9]{1,3}주차)"
)
"""What only counts works, as a pattern: ``Week 3``, 第3回."""
_DIGITS = re.compile(r"[0-9]+")
_INITIALS = re.compile(r"[A-Z]{2,3}")
_NO_NAME = re.compile(
    r"(?:is|are|was|were|has|have|been|using|under|through|towards?|with|without|from|for|of|into"
    r"|which|what|when|where|why|your|our|these|those|this|that|its)"
    r"|[a-z]{3,}(?:[ts]ions?|tional|tives?|ively|isms?|ology|ologies|ical|ential|bility|bilities"
    r"|ivity|networks?|ized)",
    re.IGNORECASE,
)
"""Words that no name has, by themselves or by how they end in English."""
_TWO_FAMILIES = re.compile(r"[A-Z][a-z]{1,14}(?:-[A-Z][a-z]+)? & [A-Z][a-z]{1,14}(?:-[A-Z][a-z]+)?")
"""``Kingma & Ba``: few words of titles are joined so."""
_SURELY_NO_TITLE = -2.0
_BEHIND_FAMILY = 0.6
"""How much ``Berg JA`` reads like a name: ``Deep RL`` is none."""


@dataclass(frozen=True, slots=True)
class Looks:
    """What a few words read like. The shares are from 0 to 1, ``title`` is a weight of evidence."""

    words: float
    title: float
    """Above 0 for words of a title, below for other things."""
    name: float
    venue: float
    common: float = 0.0
    """How common these words are among the entries: no title is."""
    is_date: bool = False
    is_number: bool = False
    is_label: bool = False
    starts_small: bool = False
    is_told: bool = False
    """Whether it is part of a sentence that tells something."""
    is_byline: bool = False
    """Whether it says whose the words before it are: ``by Jane Doe``."""
    is_apart: bool = False
    """Whether it is a name that stands apart from the title behind it: ``**Orca**: A System``,
    where other entries have ``**Flash**: Flash: A Kernel``."""


def skeleton(text: str) -> str:
    """Return words as they are compared among entries: case and numbers do not count."""
    return _DIGITS.sub("#", text.casefold()).strip(" .,:;'’`*_")


def looks_of(text: str, usual: frozenset[str], share: float, common: float) -> Looks:
    """Return what words read like. ``usual`` are words that the document writes in small letters;
    ``share`` is how many of its entries have these words as well, from 0 to 1, but for numbers in
    them, ``common`` how many have the very same."""
    text = _TAGS.sub("", text)
    words = _WORD.findall(text)
    return _evident(text, words) or _judged(text, words, usual, share, common)


def _evident(text: str, words: list[str]) -> Looks | None:
    """Return what numbers, dates and labels are; None of other words."""
    if _NUMBER.fullmatch(text) and not _YEAR.fullmatch(text):
        return Looks(1, -4.0, 0.0, 0.0, is_number=True)
    if is_date(text):
        return Looks(1, -4.0, 0.0, 0.0, is_date=True)
    if is_pages(text):
        return Looks(1, -4.0, 0.0, 0.0, is_number=True)
    if role_word(text) is not None or _is_pointing(words):
        return Looks(1, -4.0, 0.0, 0.0, is_label=True)
    return None


def is_pages(text: str) -> bool:
    """Return whether a text is from which to which page something goes: ``123–130``."""
    return _PAGES.fullmatch(text) is not None


def _is_pointing(words: list[str]) -> bool:
    """Whether words only point to something: ``[here](…)``, ``[this one](…)``."""
    if len(words) < 3 and _folded(words[:1]) & _POINTING:
        return True
    return 1 < len(words) < 4 and _folded(words) <= _SMALL | _TOLD


def _folded(words: list[str]) -> set[str]:
    return set(map(str.casefold, words))


def _judged(
    text: str, words: list[str], usual: frozenset[str], share: float, common: float
) -> Looks:
    """Return what words read like that are nothing evident."""
    cjk = 0.0 if text.isascii() else len(_CJK.findall(text)) / 2
    count = max(len(words), cjk)
    name = name_likeness(text, usual)
    folded = list(map(str.casefold, words))
    has_year = _YEAR.search(text) is not None
    venue = venue_likeness(text, words, folded, share if has_year else common, has_year)
    told = sum(map(_TOLD.__contains__, folded))
    is_small = bool(words) and words[0][:1].islower() and words[0].isalpha()
    title = 0.4 + 0.22 * min(count, 8.0) - 3.0 * venue - 1.0 * is_small
    title -= (2.6 if count < 6 else 0.8) * name + (0.7 if count < 25 else 0.35) * told
    if len(words) > 3 and not cjk:  # Long words have capitals in titles of some styles.
        title += 1.6 * (_capitals(words, folded) - 0.5)
    if name >= 1.0:  # Whose initials or "et al." say so, however many words they are.
        title = min(title, _SURELY_NO_TITLE)
    return Looks(
        count,
        title,
        name,
        venue,
        min(common * 6, 1.0),
        starts_small=is_small,
        is_told=told > 1,
        is_byline=name > 0.5 and folded[0] == "by",
    )


def _capitals(words: list[str], folded: list[str]) -> float:
    """Return how many of the words behind the first are capitalised, small ones aside."""
    pairs = zip(words[1:], folded[1:], strict=True)
    are_capitals = [word[0].isupper() for word, small in pairs if small not in _SMALL]
    return sum(are_capitals) / len(are_capitals) if are_capitals else 0.5


def is_date(text: str) -> bool:
    """Return whether a text is a date and nothing else."""
    if len(text) > 24 or not any(map(str.isdigit, text)):
        return False
    return _is_whole_date(text) or _SHORT_DATE.fullmatch(text) is not None


def _is_whole_date(text: str) -> bool:
    found = find_date(text)
    return found is not None and found.span == (0, len(text))


def venue_likeness(
    text: str, words: list[str], folded: list[str], share: float, has_year: bool
) -> float:
    """Return how much words read like where a work was published: ``ICLR'24``, ``Proc. of …``."""
    if not words or len(words) > 16:
        return 0.0
    series = zip(words[:3], folded, strict=False)
    if any(small in _SERIES and word[0].isupper() for word, small in series):
        return 0.9
    likeness = _signs_of_venue(words, {*folded}, has_year) + min(share * 8, 0.6)
    if 0.2 < likeness < 0.7 and len(words) < 6:
        likeness = max(likeness, names_venue(text))
    return min(likeness if len(words) <= 5 else likeness * 4 / len(words), 1.0)


def _signs_of_venue(words: list[str], folded: set[str], has_year: bool) -> float:
    """Return what a year, usual words and acronyms say for a venue."""
    said = len(folded & _VENUE_WORDS) + ({"under", "review"} <= folded) * 2
    has_acronym = any(map(_is_acronym, words))
    return 0.55 * has_year + 0.4 * min(said, 2) + 0.3 * has_acronym


def _is_acronym(word: str) -> bool:
    """Whether a word has capitals inside: ``CVPR``, ``NeurIPS``, ``arXiv``."""
    return sum(map(str.isupper, word)) > 1 and len(word) < 12


def name_likeness(text: str, usual: frozenset[str]) -> float:
    """Return how much words read like the name of a person, or two joined by *and*."""
    if len(text) > 120 or not any(map(str.isupper, text)):
        return _likeness_without_capitals(text)
    bare = OTHERS_BEHIND.sub("", text)
    scores = [_one_name(part, usual) for part in _joined(bare)]
    if not scores or min(scores) == 0.0:
        return 0.0
    if bare != text:
        return 1.0
    if _TWO_FAMILIES.fullmatch(text) and usual.isdisjoint(re.split(r"[ &]+", text.casefold())):
        return _BEHIND_FAMILY
    return min(sum(scores) / len(scores) + 0.1 * (len(scores) > 1), 1.0)


def _joined(names: str) -> list[str]:
    """Return the names that *and* or *&* join."""
    parts = (part or "" for part in _JOINTS.split(_NAME_SIGNS.sub("", names)))
    return list(filter(None, map(str.strip, parts)))


def _likeness_without_capitals(text: str) -> float:
    """Return how much a text may be a name in a script without capitals."""
    return 0.4 if not text.isascii() and 2 <= len(text) <= 4 else 0.0


def _one_name(text: str, usual: frozenset[str]) -> float:
    tokens = text.replace(".", ". ").split()
    if not 0 < len(tokens) <= 5:
        return 0.0
    has_initials = len(tokens) > 1 and _INITIALS.fullmatch(tokens[-1]) is not None
    words = tokens[: len(tokens) - has_initials]
    if not _NOBODYS.isdisjoint(map(str.casefold, words)):
        return 0.0
    if not all(map(_is_name_word, words)) or _is_article(tokens[0]):
        return 0.0
    if any(map(_NO_NAME.fullmatch, words)):
        return 0.0
    likeness = _BEHIND_FAMILY if has_initials else _form_likeness(tokens)
    return likeness * (1 - _share_known(words, usual))


def _is_article(token: str) -> bool:
    return len(token) > 1 and token.casefold() in _SMALL - _PARTICLES


def _form_likeness(tokens: list[str]) -> float:
    """Return how much capitalised words are in the form of a name: with initials, of few words."""
    if len(tokens) == 1:
        return 0.6 if len(tokens[0].rstrip(".")) == 1 else 0.3
    if any(map(_is_initial, tokens)):
        return 0.95
    own = [token for token in tokens if token not in _PARTICLES]
    return 0.85 if len(own) < 4 else 0.6


def _is_initial(token: str) -> bool:
    return token.endswith(".") and len(token) == 2


def _share_known(tokens: list[str], usual: frozenset[str]) -> float:
    """Return how many of the words are written in small letters elsewhere."""
    longer = [token.rstrip(".,").casefold() for token in tokens if len(token) > 2]
    return len(usual.intersection(longer)) / max(len(longer), 1)


def _is_name_word(word: str) -> bool:
    if word in _PARTICLES:
        return True
    bare = word.rstrip(".,")
    if not bare[:1].isupper():
        return False
    if len(bare) == 1:
        return True
    return all(_is_capitalised(part) for part in re.split("[-'’]", bare) if part)


def _is_capitalised(word: str) -> bool:
    if not word.isalpha():
        return False
    rest = word[1:]
    return rest.islower() or not rest or word[:2] in ("Mc", "De", "Di", "Le", "La", "Ma", "Va")


_USUAL = re.compile(
    r"(?<![\w/.=&?#@%+-])[^\W\d_A-Z][^\W\d_A-Z]{2,}(?![\w/=&?#@%+]|[.-][a-z/])(?<![\u3400-\u9fff])"
)


def usual_words(text: str) -> frozenset[str]:
    """Return the words that a text writes in small letters."""
    return frozenset(_USUAL.findall(text))


def shares(values: Mapping[str, int], total: int) -> dict[str, float]:
    """Return for each value that several of ``total`` entries have, which share has it; a value
    that a dozen have is as common as can be."""
    return {
        value: max((count - 1) / total, min((count - 2) / 60, 0.2))
        for value, count in values.items()
        if count > 2
    }
