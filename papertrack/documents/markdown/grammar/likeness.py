"""Measure what words look like: a title, names, a venue, a date, a label.

Each likeness is from 0 to 1 and depends only on the text. It is evidence, not proof; readers
combine it over the entries of a list. The ``Look`` of words also counts how often other entries
have them, and whether the document writes them in lower case (then they are no name). Nothing here
is specific to one list.

This module also extracts names from lists of authors: ``Kipf, T. N., & Welling, M.``, ``A. Vaswani
et al.``, 李沐. Organisations, teams and projects are never authors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from papertrack.documents.markdown.model import PartRole
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import ABBREVIATED_JOURNAL, find_date
from papertrack.identifiers import parse_arxiv_id

_YEAR = r"(?:19|20)[0-9]{2}[a-z]?"
_PARTICLES = frozenset(
    "de del della der den van von vom zu zum da das di do dos du la le el al bin ibn ter ten "
    "y".split()
)
_SEPARATOR = re.compile(
    r"(?=[\s,;、，；·•<])"
    r"(?:,?\s+(?:and|und|et(?!\.?\s?al)|y|e|и|ve|&)\s+|;\s*|,\s*|\s*[、，；·•]\s*|\s+(?:/|\|)\s+|,?\s*<br\s*/?>\s*)"
)
"""Separates names. The lookahead only makes it faster."""
_BETWEEN_FAMILY_FIRST = re.compile(r"\s*;\s*"), re.compile(r"(?=[,\s]),?\s+(?:and|&)\s+")
_INITIALS = re.compile(r"[A-Z]\.?(?:[ -]?[A-Z]\.?){0,3}")
_INITIALS_BEHIND = re.compile(
    r"(?P<before>(?:\w+ ){0,3})(?P<family>[^\W\d_][\w'’-]+) (?P<initials>(?:[^\W\d_]\.?[ -]?){1,3})"
)
"""A family name followed by initials: ``Dao T``, ``van den Berg JA``, ``Smith J.A``."""
_YEAR_AT_END = re.compile(rf"[,.]\s*{_YEAR}(?:, [A-Z][a-z]{{2,8}})?\.?$")
_AND_OTHERS = r"(?:等人?|(?<=[A-Za-z\u4e00-\u9fff])ら|(?<=[a-z] )ら|ほか|외)"
""""Et al." in Chinese, Japanese and Korean."""
_MORE = r"(?:et\.?\s?al\b\.?|and (?:others|so on)|u\.\s?a\b\.?)"
_ET_AL = re.compile(rf"(?=[,\s等らほ외])(?:,?\s+{_MORE},?|\s?{_AND_OTHERS}$)", re.IGNORECASE)
_CUT_OFF = re.compile(rf"(?:\b{_MORE}|{_AND_OTHERS})\W*$", re.IGNORECASE)
OTHERS_BEHIND = re.compile(
    rf"(?=[,.\seau等らほ외(])(?:\([^()]{{1,60}}\))?[,.]?\s*(?:\b{_MORE}|{_AND_OTHERS})\s*$",
    re.IGNORECASE,
)
"""``et al.`` at the end of names, perhaps after an affiliation in brackets."""
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
"""Matches in words that are no names: ``OpenAI``, ``LLaMA``, ``GPT4``; not in McDonald."""


def are_cut_off(text: str) -> bool:
    """Return whether a list of names ends with "et al." in any spelling."""
    return _CUT_OFF.search(text) is not None


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a list of authors, without markup; empty if it is not such a list.

    ``Kipf, T. N., & Welling, M.`` and ``Thomas Kipf and Max Welling`` are both recognized.
    Affiliations in brackets are left out. Every part must look like a name: capitals, no digits, at
    most five words.
    """
    bare = _AFFILIATION.sub("", text) if any(sign in text for sign in "({[<") else text
    bare = _ET_AL.sub("", " ".join(bare.split())).strip(" \t\r\n.,;:*_")
    bare = _YEAR_AT_END.sub("", bare)
    if family_first := _all_family_first(bare):
        return family_first
    names: list[str] = []
    for part in _parts(bare):
        if names and _INITIALS.fullmatch(part) and "." not in names[-1]:
            # The full stop of the last initial was stripped with the separators.
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
    return tuple(_with_first_reordered(names, is_open) if is_parted else names)


def _all_family_first(text: str) -> tuple[str, ...]:
    """Return names if all are written family name first, in their normal order; else empty.

    Examples: ``Doe, Jane; Bee, Ann``, ``Doe, Jane and Bee, Ann``.
    """
    for between in _BETWEEN_FAMILY_FIRST:
        pairs = [part.split(",") for part in between.split(text)]
        if len(pairs) > 1 and all(len(pair) == 2 and _is_family_first(*pair) for pair in pairs):
            return tuple(f"{given.strip()} {family.strip()}" for family, given in pairs)
    return ()


def _with_initials_in_front(names: Sequence[str]) -> tuple[str, ...]:
    """Return names with their initials moved to the front: ``Dao T`` becomes ``T. Dao``.

    Empty unless all names end with initials, as in medical journals.
    """
    matches = [match for name in names if (match := _INITIALS_BEHIND.fullmatch(name))]
    if len(matches) < len(names) or not all(match["initials"].isupper() for match in matches):
        return ()
    # Two capitals may be a family name, as in ``Yang LI``, and some names end with an initial.
    is_sure = any(not match["initials"][1:].isalpha() for match in matches)
    is_doubtful = len(matches) == 1 and not {*matches[0]["before"].split()} <= _PARTICLES
    return () if is_doubtful or not is_sure else tuple(map(_with_initials_first, matches))


def _with_initials_first(name: re.Match[str]) -> str:
    initials = " ".join(f"{char}." for char in name["initials"] if char.isalpha())
    return f"{initials} {name['before']}{name['family']}"


def _is_family_first(family: str, given: str) -> bool:
    """Return whether two texts around a comma are one name: family name, then given names.

    If they were two people's names, the first would have several words.
    """
    *particles, last = family.split() or [""]
    is_family = {*particles} <= _PARTICLES and is_name(last)
    return is_family and is_name(given.strip()) and not _INITIALS.fullmatch(given.strip())


def _parts(text: str) -> list[str]:
    """Split a list of names at its separators. Footnote signs are left out."""
    parts = (part.strip(" .*_") for part in _SEPARATOR.split(text))
    return list(filter(None, (_FOOTNOTES.sub(r"\1", part).strip() for part in parts)))


def _with_first_reordered(names: Sequence[str], is_open: bool) -> Sequence[str]:
    """Return the names, with the first one reordered if it starts with its family name.

    MLA style does so: ``Sculley, David, et al.``, ``Saltzer, Jerome H., David Reed, and David
    Clark``.
    """
    family, given, *others = [*names, ""]
    are_whole = all(" " in name for name in others[:-1])
    is_reversed = is_open if len(names) == 2 else are_whole and _GIVEN.fullmatch(given) is not None
    return [f"{given} {family}", *others[:-1]] if is_reversed and " " not in family else names


def authors_in(text: str) -> tuple[str, ...]:
    """Return the names in a list of people; empty if it does not look like one.

    At least half of the names must certainly be people's, or "et al." must follow.
    """
    names = names_in(text)
    has_others = _ET_AL.search(text) is not None
    are_people = has_others or sum(map(is_person, names)) * 2 >= len(names)
    return names if are_people else ()


def is_name(text: str) -> bool:
    """Return whether a text may be a person's name: capitalized words, no digits."""
    words = text.replace(".", ". ").split()
    is_short = 1 <= len(words) <= 5 and len(text) <= 45
    # Names in these scripts are shorter.
    if not is_short or _CJK_WORDS.search(text) or _NOT_IN_NAMES.search(text):
        return False
    return all(word[0].isupper() or word in _PARTICLES or not word[0].isascii() for word in words)


def is_person(name: str) -> bool:
    """Return whether a name is certainly a person's: two words or more, no organisation."""
    if _CJK_NAME.fullmatch(name):
        return True
    words = name.replace(".", ". ").split()
    has_signs = any(map(_WITHIN_WORD.search, words))
    return len(words) > 1 and is_name(name) and not has_signs and not _NO_PERSON.search(name)


def people_in(text: str, *, is_sure: bool = False) -> tuple[str, ...]:
    """Return the people in a list of authors, without organisations and teams.

    A family name alone counts if "et al." follows (``Vaswani et al.``), or if other evidence shows
    that the text names authors (``is_sure``).
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
"""The longest title in characters; a longer text is prose."""
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
"""Matches in short names of works, but not in normal words: ``LoRA``, ``DPO``, ``T5``."""
_NUMBER = re.compile(r"[\[(#]*[0-9]{1,5}[\])]*[.、:]?")


def has_cjk(text: str) -> bool:
    """Return whether a text has Chinese, Japanese or Korean characters."""
    return _CJK.search(text) is not None


def words_of(text: str) -> int:
    """Count the words of a text. Two Chinese or Japanese characters count as one word."""
    cjk = len(_CJK.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + (cjk + 1) // 2


@lru_cache(maxsize=8192)
def title_likeness(text: str) -> float:
    """Return how much a text reads like the title of a work, from 0 to 1."""
    if _is_no_words(text) or names_likeness(text) > 0.8 or venue_likeness(text) > 0.7:
        return 0.0
    few, words = (0.0, 0.2, 0.4, 0.65, 0.85), words_of(text)
    # A few words are usually a name, and very many are prose.
    share = few[words] if words < 5 else 1.0 if words <= 24 else max(0.1, 1.0 - (words - 24) / 20)
    share *= 0.4 if _SENTENCES.search(text) else 1.0
    return share * (0.6 if text.endswith((".", "。")) and not is_title_case(text) else 1.0)


def _is_no_words(text: str) -> bool:
    """Return whether a text is certainly no title.

    It is a role, an address, an id, a number, a date, or too long.
    """
    is_empty = not any(map(str.isalpha, text)) or len(text) > LONGEST
    is_address = "://" in text or parse_arxiv_id(text) is not None
    is_role = role_word(text) is not None
    return is_empty or is_address or is_role or date_likeness(text) > 0.7


def is_title_case(text: str) -> bool:
    """Return whether most long words start with a capital. Always True for CJK text."""
    words: list[str] = [word for word in _WORD.findall(text) if len(word) > 3]
    capitals = sum(word[0].isupper() for word in words)
    return capitals * 2 > len(words) or has_cjk(text)


@lru_cache(maxsize=8192)
def names_likeness(text: str) -> float:
    """Return how much a text reads like the names of people, from 0 to 1.

    Several names, or one name followed by "et al.", are certain.
    """
    if not text or len(text) > 4000 or venue_likeness(text) > 0.7:
        return 0.0
    names = names_in(text)
    people = sum(map(is_person, names))
    if names and (are_cut_off(text) or people * 2 >= len(names) > 1):
        return 1.0
    # A single name may also be a title of two or three words.
    return 0.5 if people else 0.1 * bool(names)


@lru_cache(maxsize=8192)
def venue_likeness(text: str) -> float:
    """Return how much a text reads like a venue, from 0 to 1: ``NeurIPS 2023``, a journal."""
    words, match = words_of(text), _KNOWN_VENUE.search(text)
    if not 1 <= words <= 16:
        return 0.0
    if _ACRONYM_YEAR.fullmatch(text.strip(" .,;()[]>")):
        return 1.0 if match else 0.75
    if match:
        return 1.0 if words_of(_KNOWN_VENUE.sub("", text, count=1)) <= 3 else 0.4
    # A sentence with the word *transactions* is not the name of a journal.
    is_titled = words <= 3 or (words <= 10 and is_title_case(text))
    is_named = is_titled and _VENUE_WORD.search(text)
    return 0.8 * any((is_named, _is_journal(text)))


def _is_journal(text: str) -> bool:
    """Return whether a text has the abbreviated name of a journal: ``J. Inf. Sci. Eng.``"""
    return ABBREVIATED_JOURNAL.search(text) is not None and "," not in text


def date_likeness(text: str) -> float:
    """Return the share of a text that is a date."""
    bare = text.strip(" .,;()[]*_`")
    date = find_date(bare)
    return (date.span[1] - date.span[0]) / len(bare) if date else 0.0


@lru_cache(maxsize=8192)
def name_likeness(text: str) -> float:
    """Return how much a text reads like a short name of a work: ``DPO``, ``LLaMA 2``."""
    words = text.split()
    if _is_no_words(text) or len(text) > 40 or len(words) > 4 or venue_likeness(text) > 0.7:
        return 0.0
    return (1.0 if _NAME_SIGN.search(text) else 0.6) - 0.2 * max(len(words) - 2, 0)


def number_likeness(text: str) -> float:
    """Return 1 if a text is the number of an entry, else 0: ``12``, ``[12]``, ``#3``, ``4.``."""
    return 1.0 if _NUMBER.fullmatch(text.strip()) else 0.0


_LEAST: dict[PartRole, tuple[Callable[[str], float], float]] = {
    "number": (number_likeness, 1.0),
    "date": (date_likeness, 0.71),
    "venue": (venue_likeness, 0.71),
    "authors": (names_likeness, 1.0),
    "name": (name_likeness, 0.6),
}
"""Maps roles to their likeness function and the likeness that is enough for the role."""


def role_among(text: str, roles: Sequence[PartRole]) -> PartRole | None:
    """Return the first of these roles that a text certainly has, or None."""
    return next((role for role in roles if _LEAST[role][0](text) >= _LEAST[role][1]), None)


_TOKEN = re.compile(r"[^\W_]+(?:['’.&/+-]{1,2}[^\W_]+)*")
_TAGS = re.compile(r"<[^<>]{0,300}>")
_SMALL = frozenset(
    "a an and are as at by can do does for from how in into is its of on or over the through to "
    "toward towards under using via what when where which why with without der die das und für mit "
    "von le la les des du et pour dans un une el los de del en con para por y e o da do na "
    "no".split()
)
_STATEMENT_WORDS = frozenset(
    "we our us you your i my it its this that these those they their he she is are was were has "
    "have had be been will would should which who contains provides uses used made makes allows "
    "here there also very just about please see".split()
)
"""Words of sentences, which few titles contain."""
_ATTENTION_WORDS = frozenset("NEW NEW! New! HOT HOT! UPDATED 新".split())
"""Words that only draw attention to an entry."""
_POINTING_WORDS = frozenset("this that these those here there".split())
_OF_VENUES = frozenset(
    "proceedings proc conference conf journal transactions trans workshop symposium arxiv preprint "
    "letters thesis dissertation phd press findings oral spotlight poster accepted submitted "
    "published technical report blog biorxiv corr magazine annual international "
    "会议 期刊 预印本".split()
)
_SERIES = frozenset("proceedings proc journal transactions trans conference conf symposium".split())
"""One of these is among the first words of a venue that is written in full."""
_NOT_IN_PEOPLE = frozenset(
    "thesis univ. univ university dissertation institute ph.d. phd publishers press verlag".split()
)
"""Words that occur in no person's name."""
AND = frozenset("and und et y e и ve".split())
"""Words that join the last two of several names."""
_JOINTS = re.compile(
    rf"(?=[\s&abw])(?:\s+(?:{'|'.join(sorted(AND))}|&|和)\s+|^(?:and|by|with|&)\s+|\s*&\s*)",
    re.IGNORECASE,
)
_NAME_SIGNS = re.compile(r"(?=[\\*†‡§¶^#<0-9])(?:[\\*†‡§¶^#]+|<sup>.*?</sup>|(?<=\D)[0-9]{1,2}$)")
_YEAR_IN = re.compile(r"(?<![0-9.])(?:19|20)[0-9]{2}(?![0-9])|['’‘`][ ]?[0-9]{2}(?![0-9])")
_PAGES = re.compile("[0-9]{1,5}[-–][0-9]{1,5}")
_NUMBER_ALONE = re.compile(r"(?:No\.?|#|№)?[ ]?[0-9]{1,4}[a-z]?", re.IGNORECASE)
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
"""A pattern for texts that only number a work: ``Week 3``, 第3回."""
_DIGITS = re.compile(r"[0-9]+")
_CAPITALS = re.compile(r"[A-Z]{2,3}")
_NO_NAME = re.compile(
    r"(?:is|are|was|were|has|have|been|using|under|through|towards?|with|without|from|for|of|into"
    r"|which|what|when|where|why|your|our|these|those|this|that|its)"
    r"|[a-z]{3,}(?:[ts]ions?|tional|tives?|ively|isms?|ology|ologies|ical|ential|bility|bilities"
    r"|ivity|networks?|ized)",
    re.IGNORECASE,
)
"""Words, or English word endings, that occur in no name."""
_TWO_FAMILIES = re.compile(r"[A-Z][a-z]{1,14}(?:-[A-Z][a-z]+)? & [A-Z][a-z]{1,14}(?:-[A-Z][a-z]+)?")
"""Two family names, ``Kingma & Ba``. Few titles look so."""
_SURELY_NAMES = 0.9
_SURELY_NO_TITLE = -2.0
_BEHIND_FAMILY = 0.6
"""The name likeness of ``Berg JA``. It is not certain, because ``Deep RL`` is no name."""


class Look(NamedTuple):
    """What a few words look like.

    Likenesses are from 0 to 1; ``title`` is a weight of evidence.
    """

    words: float
    """How many words there are."""
    title: float
    """Above 0 for words of a title, below 0 for anything else."""
    name: float
    """How much they read like a person's name."""
    venue: float
    common: float = 0.0
    """How common these words are in other entries. Titles are not."""
    is_date: bool = False
    is_number: bool = False
    is_label: bool = False
    starts_small: bool = False
    """Whether the first word starts in lower case."""
    is_statement: bool = False
    """Whether they are part of a sentence."""
    is_byline: bool = False
    """Whether they name the authors of the words before them: ``by Jane Doe``, or two joined."""
    is_apart: bool = False
    """Whether they are a name before a title but not part of it: ``**Orca**: A System``.

    Other entries of the document show this: ``**Flash**: Flash: A Kernel``.
    """


def skeleton(text: str) -> str:
    """Normalize words to compare them between entries: lower case, ``#`` for numbers."""
    return _DIGITS.sub("#", text.casefold()).strip(" .,:;'’`*_")


def look_of(text: str, usual: frozenset[str], share: float, common: float) -> Look:
    """Return the look of words.

    ``usual`` are words that the document writes in lower case. ``share`` is the share of entries
    with these words, ignoring numbers; ``common`` is the share with exactly these words.
    """
    text = _TAGS.sub("", text)
    words = _TOKEN.findall(text)
    return _evident_look(text, words) or _estimated_look(text, words, usual, share, common)


def _evident_look(text: str, words: list[str]) -> Look | None:
    """Return the look of numbers, dates and labels; None for other words."""
    is_number = _NUMBER_ALONE.fullmatch(text) is not None and not _YEAR_IN.fullmatch(text)
    if not is_number and is_date(text):
        return Look(1, -4.0, 0.0, 0.0, is_date=True)
    if is_number or is_pages(text):
        return Look(1, -4.0, 0.0, 0.0, is_number=True)
    is_label = role_word(text) is not None or _only_points(words) or text in _ATTENTION_WORDS
    is_label |= parse_arxiv_id(text) is not None
    return Look(1, -4.0, 0.0, 0.0, is_label=True) if is_label else None


def is_pages(text: str) -> bool:
    """Return whether a text is a range of pages: ``123–130``."""
    return _PAGES.fullmatch(text) is not None


def _only_points(words: list[str]) -> bool:
    """Return whether words only point to something: ``[here](…)``, ``[this one](…)``."""
    folded = list(map(str.casefold, words))
    is_this = len(words) < 3 and folded[:1] != [] and folded[0] in _POINTING_WORDS
    return is_this or (1 < len(words) < 4 and {*folded} <= _SMALL | _STATEMENT_WORDS)


def _estimated_look(
    text: str, words: list[str], usual: frozenset[str], share: float, common: float
) -> Look:
    """Estimate the look of words that are no number, date or label."""
    cjk = len(_CJK.findall(text)) / 2
    count = max(len(words), cjk)
    name = _person_likeness(text, usual)
    folded = list(map(str.casefold, words))
    has_year = _YEAR_IN.search(text) is not None
    venue = _venue_evidence(text, words, folded, share if has_year else common, has_year)
    statement_words = sum(map(_STATEMENT_WORDS.__contains__, folded))
    first = "".join(words[:1])
    is_small = first[:1].islower() and first.isalpha()
    title = 0.4 + 0.22 * min(count, 8.0) - 3.0 * venue - 1.0 * is_small
    title -= (2.6 if count < 6 else 0.8) * name + (0.7 if count < 25 else 0.35) * statement_words
    if len(words) > 3 and not cjk:  # Titles in title case capitalize long words.
        title += 1.6 * (_capitals(words, folded) - 0.5)
    if name >= 1.0:  # Initials and "et al." are certain signs of names.
        title = min(title, _SURELY_NO_TITLE)
    return Look(
        count,
        title,
        name,
        venue,
        min(common * 6, 1.0),
        starts_small=is_small,
        is_statement=statement_words > 1,
        is_byline=name > (0.5 if folded[:1] == ["by"] else _SURELY_NAMES)
        and not {"by", "and"}.isdisjoint(folded[:-1]),
    )


def _capitals(words: list[str], folded: list[str]) -> float:
    """Return the share of capitalized words, without the first word and function words."""
    pairs = zip(words[1:], folded[1:], strict=True)
    capitals = [word[0].isupper() for word, small in pairs if small not in _SMALL]
    return sum(capitals) / len(capitals) if capitals else 0.5


def is_date(text: str) -> bool:
    """Return whether a text is only a date."""
    if len(text) > 24 or not any(map(str.isdigit, text)):
        return False
    date = find_date(text)
    is_whole = date is not None and date.span == (0, len(text))
    return is_whole or _SHORT_DATE.fullmatch(text) is not None


def _venue_evidence(
    text: str, words: list[str], folded: list[str], share: float, has_year: bool
) -> float:
    """Return how much words read like a venue: ``ICLR'24``, ``Proc. of …``."""
    if not words or len(words) > 16:
        return 0.0
    series = zip(words[:3], folded, strict=False)
    if any(small in _SERIES and word[0].isupper() for word, small in series) or _is_journal(text):
        return 0.9
    count = len(_OF_VENUES.intersection(folded)) + ({"under", "review"} <= {*folded}) * 2
    likeness = 0.55 * has_year + 0.4 * min(count, 2) + 0.3 * any(map(_is_acronym, words))
    likeness += min(share * 8, 0.6)
    if 0.2 < likeness < 0.7 and len(words) < 6:
        likeness = max(likeness, venue_likeness(text))
    return min(likeness if len(words) <= 5 else likeness * 4 / len(words), 1.0)


def _is_acronym(word: str) -> bool:
    """Return whether a word has several capitals: ``CVPR``, ``NeurIPS``, ``arXiv``."""
    return sum(map(str.isupper, word)) > 1 and len(word) < 12


def _person_likeness(text: str, usual: frozenset[str]) -> float:
    """Return how much words read like a person's name, or like two names joined by *and*.

    In scripts without capitals, any two to four characters may be a name.
    """
    if len(text) > 120 or not any(map(str.isupper, text)):
        return 0.4 * (not text.isascii()) * (2 <= len(text) <= 4)
    bare = OTHERS_BEHIND.sub("", text)
    names = (part.strip() for part in filter(None, _JOINTS.split(_NAME_SIGNS.sub("", bare))))
    scores = [_likeness_of_name(name, usual) for name in filter(None, names)]
    if not all(scores or [0.0]):
        return 0.0
    if bare != text:
        return 1.0
    if _TWO_FAMILIES.fullmatch(text) and usual.isdisjoint(re.split(r"[ &]+", text.casefold())):
        return _BEHIND_FAMILY
    return min(sum(scores) / len(scores) + 0.1 * (len(scores) > 1), 1.0)


def _likeness_of_name(text: str, usual: frozenset[str]) -> float:
    """Return how much a text reads like one name."""
    tokens = text.replace(".", ". ").split()
    if not 0 < len(tokens) <= 5:
        return 0.0
    has_initials = len(tokens) > 1 and _CAPITALS.fullmatch(tokens[-1]) is not None
    words = tokens[: len(tokens) - has_initials]
    is_article = len(tokens[0]) > 1 and tokens[0].casefold() in _SMALL - _PARTICLES
    is_other = any(map(_NO_NAME.fullmatch, words)) or {*map(str.casefold, words)} & _NOT_IN_PEOPLE
    if is_article or is_other or not all(map(_is_in_name, words)) or _is_journal(text):
        return 0.0
    likeness = _BEHIND_FAMILY if has_initials else _form_likeness(tokens)
    return likeness * (1 - _share_of_usual_words(tokens, usual))


def _share_of_usual_words(tokens: list[str], usual: frozenset[str]) -> float:
    """Return the share of the words that the document writes in lower case elsewhere."""
    longer = [token.rstrip(".,").casefold() for token in tokens if len(token) > 2]
    return len(usual.intersection(longer)) / max(len(longer), 1)


def _form_likeness(tokens: list[str]) -> float:
    """Return how much capitalized words have the form of a name: initials, few words."""
    if len(tokens) == 1:
        return 0.6 if len(tokens[0].rstrip(".")) == 1 else 0.3
    if any(token.endswith(".") and len(token) == 2 for token in tokens):
        return 0.95
    return 0.85 if sum(token not in _PARTICLES for token in tokens) < 4 else 0.6


def _is_in_name(word: str) -> bool:
    """Return whether a word may be part of a name."""
    bare = word.rstrip(".,")
    if word in _PARTICLES or not bare[:1].isupper() or len(bare) == 1:
        return word in _PARTICLES or bare[:1].isupper()
    return all(_is_capitalised(part) for part in re.split("[-'’]", bare) if part)


def _is_capitalised(word: str) -> bool:
    rest = word[1:]
    has_two = word[:2] in ("Mc", "De", "Di", "Le", "La", "Ma", "Va")
    return word.isalpha() and (rest.islower() or not rest or has_two)


_USUAL = re.compile(
    r"(?<![\w/.=&?#@%+-])[^\W\d_A-Z][^\W\d_A-Z]{2,}(?![\w/=&?#@%+]|[.-][a-z/])(?<![\u3400-\u9fff])"
)


def usual_words(text: str) -> frozenset[str]:
    """Return the words that a text writes in lower case."""
    return frozenset(_USUAL.findall(text))


def shares(values: Mapping[str, int], total: int) -> dict[str, float]:
    """Map values to their share of the ``total`` entries, if at least three entries have them.

    Values of a dozen entries count as very common, however long the list is.
    """
    return {
        value: max((count - 1) / total, min((count - 2) / 60, 0.2))
        for value, count in values.items()
        if count > 2
    }
