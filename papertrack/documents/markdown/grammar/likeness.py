"""Measure how much a text reads like a title, names, a venue or a date.

Also extracts names from lists: ``Kipf, T. N., & Welling, M.``, ``A. Vaswani et al.``, 李沐.

Each likeness is a number from 0 to 1 and depends only on the text. It is evidence, not proof:
readers combine it over a list's entries, where the part that varies and reads like titles is
the title. Organisations, teams and projects are not people, so they never become authors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from papertrack.documents.markdown.model import PartRole
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import find_date
from papertrack.identifiers import parse_arxiv_id

_YEAR = r"(?:19|20)[0-9]{2}[a-z]?"
_PARTICLES = frozenset(
    "de del della der den van von vom zu zum da das di do dos du la le el al bin ibn ter".split()
)
_SEPARATOR = re.compile(
    r"(?=[\s,;、，；·•<])"
    r"(?:,?\s+(?:and|und|et(?!\.?\s?al)|y|e|и|ve|&)\s+|;\s*|,\s*|\s*[、，；·•]\s*|\s+(?:/|\|)\s+|,?\s*<br\s*/?>\s*)"
)
"""The lookahead is only for speed: most characters start no separator."""
_BETWEEN_TURNED = re.compile(r"\s*;\s*"), re.compile(r"(?=[,\s]),?\s+(?:and|&)\s+")
_INITIALS = re.compile(r"[A-Z]\.?(?:[ -]?[A-Z]\.?){0,3}")
_INITIALS_BEHIND = re.compile(
    r"(?P<before>(?:\w+ ){0,3})(?P<family>[^\W\d_][\w'’-]+) (?P<initials>(?:[^\W\d_]\.?[ -]?){1,3})"
)
"""A family name, then initials: ``Dao T``, ``van den Berg JA``, ``Smith J.A``."""
_YEAR_AT_END = re.compile(rf"[,.]\s*{_YEAR}(?:, [A-Z][a-z]{{2,8}})?\.?$")
_AND_OTHERS = r"(?:等人?|(?<=[A-Za-z\u4e00-\u9fff])ら|ほか|외)"
""""Et al." in Chinese, Japanese and Korean."""
_MORE = r"(?:et\.?\s?al\b\.?|and others|u\.\s?a\b\.?)"
_ET_AL = re.compile(rf"(?=[,\s等らほ외])(?:,?\s+{_MORE},?|\s?{_AND_OTHERS}$)", re.IGNORECASE)
_CUT_OFF = re.compile(rf"(?:\b{_MORE}|{_AND_OTHERS})\W*$", re.IGNORECASE)
OTHERS_BEHIND = re.compile(
    rf"(?=[,.\seau等らほ외(])(?:\([^()]{{1,60}}\))?[,.]?\s*(?:\b{_MORE}|{_AND_OTHERS})\s*$",
    re.IGNORECASE,
)
"""``et al.`` at the end of names, with an affiliation in brackets before it."""
_COMMA_ET_AL = re.compile(r",\s+et\.?\s?al\b", re.IGNORECASE)
_GIVEN = re.compile(r"[^\W\d_][\w'’-]+(?: [A-Z])?\.?")
_AFFILIATION = re.compile(
    r"\([^()]{0,200}\)|\{[^{}]{0,200}\}|\[[^\[\]]{0,200}\]|<sup>.{0,40}?</sup>"
)
_FOOTNOTES = re.compile(r"(?<![*†‡§¶∗⋆✉^0-9])([0-9]*)[*†‡§¶∗⋆✉^][*†‡§¶∗⋆✉^0-9]*$")
_CJK_NAME = re.compile(
    r"[\u4e00-\u9fff]{2,4}|[\u3040-\u30ff\u4e00-\u9fff·\s]{2,12}|[\uac00-\ud7af]{2,5}"
)
_CJK_WORDS = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]{13}|[\uac00-\ud7af]{7}")
_NO_PERSON = re.compile(
    r"\b(?:universit|institut|labs?\b|laborator|research|team|group|inc\b|corp|ltd|gmbh|academy|"
    r"college|school|department|dept|foundation|technolog|center|centre|company|project|"
    r"collaboration|consortium|community|google|deepmind|openai|meta\b|facebook|microsoft|nvidia|"
    r"amazon|apple|alibaba|tencent|baidu|bytedance|huawei|anthropic|ai\b|ml\b)",
    re.IGNORECASE,
)
_NOT_IN_NAMES = re.compile(r"[\d:/：。！？（）]|^[^a-zA-Z\u0080-\U0010ffff]+$")
_WITHIN_WORD = re.compile(r"[a-z][A-Z][a-z]*[A-Z]|[A-Z]{3,}|[a-z][A-Z]{2,}|[0-9_@/:&+=]")
"""What no name contains: ``OpenAI``, ``LLaMA``, ``GPT4``. McDonald is a name."""


def are_cut_off(text: str) -> bool:
    """Return whether a list of names ends with any spelling of "et al."."""
    return _CUT_OFF.search(text) is not None


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a list of authors, without markup; ``()`` if it is not one.

    ``Kipf, T. N., & Welling, M.`` and ``Thomas Kipf and Max Welling`` are both read. Affiliations
    in brackets are left out. Every part must look like a name: capitals, no digits, at most five
    words.
    """
    bare = _AFFILIATION.sub("", text) if any(sign in text for sign in "({[<") else text
    bare = _ET_AL.sub("", bare).strip(" \t\r\n.,;:*_")
    bare = _YEAR_AT_END.sub("", bare)
    if turned := _all_turned(bare):
        return turned
    names: list[str] = []
    for part in _parts(bare):
        if names and _INITIALS.fullmatch(part) and "." not in names[-1]:
            # The last one's stop was stripped with the separators.
            stop = "." if len(part) == 1 or "." in part else ""
            names[-1] = f"{part}{stop} {names[-1]}"
        elif is_name(part):
            names.append(part)
        else:
            return ()
    if behind := _with_initials_in_front(names):
        return behind
    is_open = _COMMA_ET_AL.search(text) is not None
    is_parted = bool(names) and bare.startswith(f"{names[0]},")
    return tuple(_first_turned(names, is_open) if is_parted else names)


def _all_turned(text: str) -> tuple[str, ...]:
    """Return names whose family names all come first: ``Doe, Jane; Bee, Ann``.

    Also ``Doe, Jane and Bee, Ann``. ``()`` if not all do.
    """
    for between in _BETWEEN_TURNED:
        pairs = [part.split(",") for part in between.split(text)]
        if len(pairs) > 1 and all(len(pair) == 2 and _is_turned(*pair) for pair in pairs):
            return tuple(f"{given.strip()} {family.strip()}" for family, given in pairs)
    return ()


def _with_initials_in_front(names: Sequence[str]) -> tuple[str, ...]:
    """Return names with their initials moved to the front: ``T. Dao``.

    ``()`` unless all names have their initials at the end, as in medicine.
    """
    matches = [match for name in names if (match := _INITIALS_BEHIND.fullmatch(name))]
    if len(matches) < len(names) or not all(match["initials"].isupper() for match in matches):
        return ()
    # Two capitals may be a family name, ``Yang LI``, and some people's names end with an initial.
    is_sure = any(not match["initials"][1:].isalpha() for match in matches)
    is_doubtful = len(matches) == 1 and not {*matches[0]["before"].split()} <= _PARTICLES
    return () if is_doubtful or not is_sure else tuple(map(_with_initials_first, matches))


def _with_initials_first(name: re.Match[str]) -> str:
    initials = " ".join(f"{sign}." for sign in name["initials"] if sign.isalpha())
    return f"{initials} {name['before']}{name['family']}"


def _is_turned(family: str, given: str) -> bool:
    """Return whether a comma separates a family name from given names.

    Between two people's names, the first would have several words.
    """
    *particles, last = family.split() or [""]
    is_family = {*particles} <= _PARTICLES and is_name(last)
    return is_family and is_name(given.strip()) and not _INITIALS.fullmatch(given.strip())


def _parts(text: str) -> list[str]:
    """Return the texts between the separators of names, without footnote marks."""
    parts = (part.strip(" .*_") for part in _SEPARATOR.split(text))
    return list(filter(None, (_FOOTNOTES.sub(r"\1", part).strip() for part in parts)))


def _first_turned(names: Sequence[str], is_open: bool) -> Sequence[str]:
    """Return the names, with the first one put in order, as MLA style reverses it.

    Examples: ``Sculley, David, et al.``, ``Saltzer, Jerome H., David Reed, and David Clark``.
    """
    family, given, *others = [*names, ""]
    are_whole = all(" " in name for name in others[:-1])
    is_turned = is_open if len(names) == 2 else are_whole and _GIVEN.fullmatch(given) is not None
    return [f"{given} {family}", *others[:-1]] if is_turned and " " not in family else names


def authors_in(text: str) -> tuple[str, ...]:
    """Return the names in a list of people; ``()`` if most are not people's.

    A name of one word counts if others are certainly people's, or if "et al." follows.
    """
    names = names_in(text)
    has_others = _ET_AL.search(text) is not None
    are_people = has_others or sum(map(is_person, names)) * 2 >= len(names)
    return names if are_people else ()


def is_name(text: str) -> bool:
    """Return whether a text may be one person's name: capitalized words, no digits."""
    words = text.replace(".", ". ").split()
    is_short = 1 <= len(words) <= 5 and len(text) <= 45
    is_prose = _CJK_WORDS.search(text) is not None  # No name is so long without a blank.
    is_bare = not is_prose and _NOT_IN_NAMES.search(text) is None
    return is_short and is_bare and all(map(_is_name_word, words))


def _is_name_word(word: str) -> bool:
    return word[0].isupper() or word in _PARTICLES or not word[0].isascii()


def is_person(name: str) -> bool:
    """Return whether a name is certainly a person's.

    It has at least two words and is not an organisation's.
    """
    if _CJK_NAME.fullmatch(name):
        return True
    words = name.replace(".", ". ").split()
    has_signs = any(map(_WITHIN_WORD.search, words))
    return len(words) > 1 and is_name(name) and not has_signs and not _NO_PERSON.search(name)


def people_in(text: str, *, is_sure: bool = False) -> tuple[str, ...]:
    """Return the people in a list of authors, without organisations and teams.

    A family name alone counts if "et al." follows, ``Vaswani et al.``, or if other evidence shows
    that these are authors (``is_sure``).
    """
    names = names_in(text) or _SEPARATOR.split(text)
    has_others = _ET_AL.search(text) is not None
    bare = [name.strip(" .*_@") for name in names]
    people = tuple(n for n in bare if is_person(n) or (has_others and _is_surname(n)))
    return people or (tuple(bare) if is_sure and all(map(_is_surname, bare)) else ())


def _is_surname(name: str) -> bool:
    return is_name(name) and not _WITHIN_WORD.search(name) and not _NO_PERSON.search(name)


def is_pen_name(text: str) -> bool:
    """Return whether a text is a person's handle: ``@somebody``."""
    return text.startswith("@") and _is_surname(text[1:].strip().capitalize())


LONGEST = 400
"""The most characters of a title; a longer text is prose."""
_WORD = re.compile(r"[^\W_](?:[\w'’+.-]*\w)?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCES = re.compile(r"[^\W\d_]{3}[.!] (?=[A-Z])|[。！](?=.)")
_ANY_YEAR = r"(?:(?:19|20)[0-9]{2}|['’‘`][0-9]{2})"
_ACRONYM_YEAR = re.compile(
    rf"(?:[A-Z][A-Za-z&/+-]{{1,14}}(?:[ -][A-Z][A-Za-z&]{{1,14}}){{0,2}})[ ,@-]{{0,2}}{_ANY_YEAR}"
    rf"(?:[ ,:;(/-]{{1,3}}[A-Za-z& ]{{2,20}}\)?)?|{_ANY_YEAR}[ -]{{1,2}}[A-Z][A-Za-z&-]{{1,14}}"
)
"""``NeurIPS 2023``, ``ICLR'24 (Oral)``, ``2017-CVPR``."""
_KNOWN_VENUE = re.compile(
    r"\b(?:AAAI|ACL|ACM|AISTATS|arXiv|ASE|ASPLOS|ATC|BMVC|CCS|CHI|CIKM|COLING|COLM|COLT|CoRL|CoRR|"
    r"CSUR|CVPRW?|DAC|EACL|ECCVW?|ECAI|EMNLP|EuroSys|FAccT|FAST|FSE|HPCA|ICASSP|ICCAD|ICCVW?|ICDE|"
    r"ICDM|ICIP|ICLR|ICME|ICML|ICPR|ICRA|ICSE|IEEE|IJCAI|IJCNN|IJCV|InterSpeech|INTERSPEECH|IROS|"
    r"ISCA|ISMIR|ISSTA|JAIR|JMLR|KDD|LREC|MICCAI|MICRO|MLSys|MobiCom|NAACL|Nature|NDSS|NeurIPS|NIPS|"
    r"NSDI|OOPSLA|OSDI|PAMI|PKDD|PLDI|PMLR|PNAS|POPL|PPoPP|PVLDB|RecSys|RSS|SIGCOMM|SIGGRAPH|SIGIR|"
    r"SIGMOD|SOSP|SPAA|TACL|TCSVT|TIP|TKDE|TMLR|TMM|TNNLS|TOG|TPAMI|UAI|UIST|USENIX|VLDB|WACV|WSDM|"
    r"WWW)(?![a-z])"
)
_VENUE_WORD = re.compile(
    r"\b(?:proceedings|proc\.|conference|transactions|journal|workshop|symposium|preprint|letters|"
    r"under review|thesis|technical report|tech\.? report|blog|findings)\b|学报|会议|预印本|期刊",
    re.IGNORECASE,
)
_NAME_SIGN = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}|[0-9]")
"""What names of works have, unlike words: ``LoRA``, ``DPO``, ``T5``."""
_NUMBER = re.compile(r"[\[(#]*[0-9]{1,5}[\])]*[.、:]?")


def has_cjk(text: str) -> bool:
    """Return whether a text has Chinese, Japanese or Korean characters."""
    return _CJK.search(text) is not None


def words_of(text: str) -> int:
    """Count the words of a text; two Chinese or Japanese characters count as one."""
    cjk = len(_CJK.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + (cjk + 1) // 2


@lru_cache(maxsize=8192)
def title_likeness(text: str) -> float:
    """Return how much a text reads like the title of a work."""
    if _is_no_words(text) or names_likeness(text) > 0.8 or venue_likeness(text) > 0.7:
        return 0.0
    share = _share_for(words_of(text))
    if _SENTENCES.search(text):
        share *= 0.4
    if text.endswith((".", "。")) and not is_title_case(text):
        share *= 0.6
    return share


def _is_no_words(text: str) -> bool:
    """Return whether a text cannot be a title.

    It is a role, an address, an id, a number, a date, or too long.
    """
    is_empty = not any(map(str.isalpha, text)) or len(text) > LONGEST
    is_address = "://" in text or parse_arxiv_id(text) is not None
    is_role = role_word(text) is not None
    return is_empty or is_address or is_role or date_likeness(text) > 0.7


def _share_for(words: int) -> float:
    """Return how often a text of this many words is a title, rather than a name or prose."""
    few = (0.0, 0.2, 0.4, 0.65, 0.85)
    if words < len(few):
        return few[words]
    return 1.0 if words <= 24 else max(0.1, 1.0 - (words - 24) / 20)


def is_title_case(text: str) -> bool:
    """Return whether most longer words start with a capital. CJK text always counts."""
    words: list[str] = [word for word in _WORD.findall(text) if len(word) > 3]
    capitals = sum(word[0].isupper() for word in words)
    return capitals * 2 > len(words) or has_cjk(text)


@lru_cache(maxsize=8192)
def names_likeness(text: str) -> float:
    """Return how much a text reads like the names of people.

    These are several names, or one followed by "et al.".
    """
    if not text or len(text) > 4000 or venue_likeness(text) > 0.7:
        return 0.0
    return _likeness_of_names(names_in(text), are_cut_off(text))


def _likeness_of_names(names: tuple[str, ...], has_others: bool) -> float:
    """Return how certain it is that these are names. ``has_others`` if "et al." follows."""
    people = sum(map(is_person, names))
    if names and (has_others or people * 2 >= len(names) > 1):
        return 1.0
    # Two or three capitalized words may be a title too.
    return 0.5 if people else 0.1 * bool(names)


@lru_cache(maxsize=8192)
def venue_likeness(text: str) -> float:
    """Return how much a text reads like a venue: ``NeurIPS 2023``, a journal."""
    words = words_of(text)
    if not 1 <= words <= 16:
        return 0.0
    known = _known_venue(text)
    if _ACRONYM_YEAR.fullmatch(text.strip(" .,;()[]>")):
        return 1.0 if known else 0.75
    # A sentence about transactions is not a journal.
    is_titled = words <= 3 or is_title_case(text)
    return known or (0.8 if _VENUE_WORD.search(text) and words <= 10 and is_titled else 0.0)


def _known_venue(text: str) -> float:
    """Return how likely a text with a known venue in it is one; 0 without any."""
    match = _KNOWN_VENUE.search(text)
    if match is None:
        return 0.0
    return 1.0 if words_of(text[: match.start()] + text[match.end() :]) <= 3 else 0.4


def date_likeness(text: str) -> float:
    """Return the share of a text that is a date."""
    bare = text.strip(" .,;()[]*_`")
    date = find_date(bare)
    return (date.span[1] - date.span[0]) / len(bare) if date else 0.0


@lru_cache(maxsize=8192)
def name_likeness(text: str) -> float:
    """Return how much a text reads like the short name of a work: ``DPO``, ``LLaMA 2``."""
    words = text.split()
    if _is_no_words(text) or len(text) > 40 or len(words) > 4 or venue_likeness(text) > 0.7:
        return 0.0
    signs = 1.0 if _NAME_SIGN.search(text) else 0.6
    return signs - 0.2 * max(len(words) - 2, 0)


def number_likeness(text: str) -> float:
    """Return 1 if a text numbers an entry, else 0: ``12``, ``[12]``, ``#3``, ``4.``."""
    return 1.0 if _NUMBER.fullmatch(text.strip()) else 0.0


_LEAST: dict[PartRole, tuple[Callable[[str], float], float]] = {
    "number": (number_likeness, 1.0),
    "date": (date_likeness, 0.71),
    "venue": (venue_likeness, 0.71),
    "authors": (names_likeness, 1.0),
    "name": (name_likeness, 0.6),
}
"""Role → its measure, and the least likeness to assume that role."""


def role_among(text: str, roles: Sequence[PartRole]) -> PartRole | None:
    """Return the first of these roles that a text certainly has, or None."""
    return next((role for role in roles if _LEAST[role][0](text) >= _LEAST[role][1]), None)
