"""Measure what a few words look like: a title, a name, a venue, a date, a label.

Only general features count: number of words, capitals, function words, initials, years; whether the
document also writes a word in lower case (then it is no name); and how often other entries have the
same words. Nothing here is specific to one list.
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
"""Words of statements; few titles have one."""
_POINTING = frozenset("this that these those here there".split())
_VENUE_WORDS = frozenset(
    "proceedings proc conference conf journal transactions trans workshop symposium arxiv preprint "
    "letters thesis dissertation phd press findings oral spotlight poster accepted submitted "
    "published technical report blog biorxiv corr magazine annual international "
    "会议 期刊 预印本".split()
)
_SERIES = frozenset("proceedings proc journal transactions trans conference conf symposium".split())
"""A written-out venue has one of these among its first words."""
_NOBODYS = frozenset(
    "thesis univ. univ university dissertation institute ph.d. phd publishers press verlag".split()
)
"""Words that are in no person's name."""
_PARTICLES = frozenset("de der den van von da dos di du la le el bin ibn al ter ten zu y".split())
AND = frozenset("and und et y e и ve".split())
"""What joins the last two of several names."""
_JOINTS = re.compile(
    rf"(?=[\s&abw])(?:\s+(?:{'|'.join(sorted(AND))}|&|和)\s+|^(?:and|by|with|&)\s+|\s*&\s*)",
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
"""A pattern for texts that only number works: ``Week 3``, 第3回."""
_DIGITS = re.compile(r"[0-9]+")
_INITIALS = re.compile(r"[A-Z]{2,3}")
_NO_NAME = re.compile(
    r"(?:is|are|was|were|has|have|been|using|under|through|towards?|with|without|from|for|of|into"
    r"|which|what|when|where|why|your|our|these|those|this|that|its)"
    r"|[a-z]{3,}(?:[ts]ions?|tional|tives?|ively|isms?|ology|ologies|ical|ential|bility|bilities"
    r"|ivity|networks?|ized)",
    re.IGNORECASE,
)
"""Words that no name has, whole or by their English ending."""
_TWO_FAMILIES = re.compile(r"[A-Z][a-z]{1,14}(?:-[A-Z][a-z]+)? & [A-Z][a-z]{1,14}(?:-[A-Z][a-z]+)?")
"""Two family names: ``Kingma & Ba``. Few titles have such a pair."""
_SURELY_NO_TITLE = -2.0
_BEHIND_FAMILY = 0.6
"""How much ``Berg JA`` reads like a name; ``Deep RL`` is not one."""


@dataclass(frozen=True, slots=True)
class Looks:
    """What a few words look like.

    Shares are from 0 to 1; ``title`` is a weight of evidence.
    """

    words: float
    title: float
    """Above 0 for words of a title, below 0 for other things."""
    name: float
    venue: float
    common: float = 0.0
    """How common these words are among the entries; a title is not."""
    is_date: bool = False
    is_number: bool = False
    is_label: bool = False
    starts_small: bool = False
    is_told: bool = False
    """Whether it is part of a statement."""
    is_byline: bool = False
    """Whether it names the author of the words before it: ``by Jane Doe``."""
    is_apart: bool = False
    """Whether it is a name that is not part of the title after it: ``**Orca**: A System``.

    This is so if other entries have ``**Flash**: Flash: A Kernel``.
    """


def skeleton(text: str) -> str:
    """Return words as they are compared between entries: without case and numbers."""
    return _DIGITS.sub("#", text.casefold()).strip(" .,:;'’`*_")


def looks_of(text: str, usual: frozenset[str], share: float, common: float) -> Looks:
    """Return the look of words.

    ``usual`` are words that the document writes in lower case. ``share`` is the share of entries
    with these words, ignoring numbers; ``common`` is the share with exactly these words.
    """
    text = _TAGS.sub("", text)
    words = _WORD.findall(text)
    return _evident(text, words) or _judged(text, words, usual, share, common)


def _evident(text: str, words: list[str]) -> Looks | None:
    """Return the look of numbers, dates and labels; None for other words."""
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
    """Return whether a text is a range of pages: ``123–130``."""
    return _PAGES.fullmatch(text) is not None


def _is_pointing(words: list[str]) -> bool:
    """Return whether words only point to something: ``[here](…)``, ``[this one](…)``."""
    if len(words) < 3 and _folded(words[:1]) & _POINTING:
        return True
    return 1 < len(words) < 4 and _folded(words) <= _SMALL | _TOLD


def _folded(words: list[str]) -> set[str]:
    return set(map(str.casefold, words))


def _judged(
    text: str, words: list[str], usual: frozenset[str], share: float, common: float
) -> Looks:
    """Return the look of words that are not evident."""
    cjk = 0.0 if text.isascii() else len(_CJK.findall(text)) / 2
    count = max(len(words), cjk)
    name = name_likeness(text, usual)
    folded = list(map(str.casefold, words))
    has_year = _YEAR.search(text) is not None
    venue = venue_likeness(text, words, folded, share if has_year else common, has_year)
    told_count = sum(map(_TOLD.__contains__, folded))
    is_small = bool(words) and words[0][:1].islower() and words[0].isalpha()
    title = 0.4 + 0.22 * min(count, 8.0) - 3.0 * venue - 1.0 * is_small
    title -= (2.6 if count < 6 else 0.8) * name + (0.7 if count < 25 else 0.35) * told_count
    if len(words) > 3 and not cjk:  # In some styles, titles capitalize long words.
        title += 1.6 * (_capitals(words, folded) - 0.5)
    if name >= 1.0:  # Initials or "et al." show names, however many words there are.
        title = min(title, _SURELY_NO_TITLE)
    return Looks(
        count,
        title,
        name,
        venue,
        min(common * 6, 1.0),
        starts_small=is_small,
        is_told=told_count > 1,
        is_byline=name > 0.5 and folded[0] == "by",
    )


def _capitals(words: list[str], folded: list[str]) -> float:
    """Return the share of capitalized words after the first, without function words."""
    pairs = zip(words[1:], folded[1:], strict=True)
    are_capitals = [word[0].isupper() for word, small in pairs if small not in _SMALL]
    return sum(are_capitals) / len(are_capitals) if are_capitals else 0.5


def is_date(text: str) -> bool:
    """Return whether a text is only a date."""
    if len(text) > 24 or not any(map(str.isdigit, text)):
        return False
    return _is_whole_date(text) or _SHORT_DATE.fullmatch(text) is not None


def _is_whole_date(text: str) -> bool:
    date = find_date(text)
    return date is not None and date.span == (0, len(text))


def venue_likeness(
    text: str, words: list[str], folded: list[str], share: float, has_year: bool
) -> float:
    """Return how much words read like a venue: ``ICLR'24``, ``Proc. of …``."""
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
    """Return the evidence of a year, venue words and acronyms."""
    count = len(folded & _VENUE_WORDS) + ({"under", "review"} <= folded) * 2
    has_acronym = any(map(_is_acronym, words))
    return 0.55 * has_year + 0.4 * min(count, 2) + 0.3 * has_acronym


def _is_acronym(word: str) -> bool:
    """Return whether a word has several capitals: ``CVPR``, ``NeurIPS``, ``arXiv``."""
    return sum(map(str.isupper, word)) > 1 and len(word) < 12


def name_likeness(text: str, usual: frozenset[str]) -> float:
    """Return how much words read like a person's name, or two names joined by *and*."""
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
    """Return the names joined by *and* or *&*."""
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
    """Return how much capitalized words have the form of a name: initials, few words."""
    if len(tokens) == 1:
        return 0.6 if len(tokens[0].rstrip(".")) == 1 else 0.3
    if any(map(_is_initial, tokens)):
        return 0.95
    main_tokens = [token for token in tokens if token not in _PARTICLES]
    return 0.85 if len(main_tokens) < 4 else 0.6


def _is_initial(token: str) -> bool:
    return token.endswith(".") and len(token) == 2


def _share_known(tokens: list[str], usual: frozenset[str]) -> float:
    """Return the share of the words that the document writes in lower case elsewhere."""
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
    """Return the words that a text writes in lower case."""
    return frozenset(_USUAL.findall(text))


def shares(values: Mapping[str, int], total: int) -> dict[str, float]:
    """Return value → share of the ``total`` entries, for values of at least three entries.

    A value that a dozen entries have counts as very common.
    """
    return {
        value: max((count - 1) / total, min((count - 2) / 60, 0.2))
        for value, count in values.items()
        if count > 2
    }
