"""Names of people as lists write them: ``Kipf, T. N., & Welling, M.``, ``A. Vaswani et al.``, 李沐.

An organisation, a team or a project is no person, so that it never becomes an author.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_YEAR = r"(?:19|20)[0-9]{2}[a-z]?"
_PARTICLES = frozenset(
    "de del della der den van von vom zu zum da das di do dos du la le el al bin ibn ter".split()
)
_SEPARATOR = re.compile(
    r"(?=[\s,;、，；·•<])"
    r"(?:,?\s+(?:and|und|et(?!\.?\s?al)|y|e|и|ve|&)\s+|;\s*|,\s*|\s*[、，；·•]\s*|\s+(?:/|\|)\s+|,?\s*<br\s*/?>\s*)"
)
"""What it begins with is looked for first: most characters begin none."""
_BETWEEN_TURNED = re.compile(r"\s*;\s*"), re.compile(r"(?=[,\s]),?\s+(?:and|&)\s+")
_INITIALS = re.compile(r"[A-Z]\.?(?:[ -]?[A-Z]\.?){0,3}")
_INITIALS_BEHIND = re.compile(
    r"(?P<before>(?:\w+ ){0,3})(?P<family>[^\W\d_][\w'’-]+) (?P<initials>(?:[^\W\d_]\.?[ -]?){1,3})"
)
"""``Dao T``, ``van den Berg JA``, ``Smith J.A``: a family's name, then initials."""
_YEAR_AT_END = re.compile(rf"[,.]\s*{_YEAR}(?:, [A-Z][a-z]{{2,8}})?\.?$")
_AND_OTHERS = r"(?:等人?|(?<=[A-Za-z\u4e00-\u9fff])ら|ほか|외)"
"""As Chinese, Japanese and Korean have it."""
_MORE = r"(?:et\.?\s?al\b\.?|and others|u\.\s?a\b\.?)"
_ET_AL = re.compile(rf"(?=[,\s等らほ외])(?:,?\s+{_MORE},?|\s?{_AND_OTHERS}$)", re.IGNORECASE)
_CUT_OFF = re.compile(rf"(?:\b{_MORE}|{_AND_OTHERS})\W*$", re.IGNORECASE)
OTHERS_BEHIND = re.compile(
    rf"(?=[,.\seau等らほ외])[,.]?\s*(?:\b{_MORE}|{_AND_OTHERS})\s*$", re.IGNORECASE
)
"""What says behind names that there are more."""
_COMMA_ET_AL = re.compile(r",\s+et\.?\s?al\b", re.IGNORECASE)
_GIVEN = re.compile(r"[^\W\d_][\w'’-]+(?: [A-Z])?\.?")
_AFFILIATION = re.compile(
    r"\([^()]{0,200}\)|\{[^{}]{0,200}\}|\[[^\[\]]{0,200}\]|<sup>.{0,40}?</sup>"
)
_FOOTNOTES = re.compile(r"[*†‡§¶∗⋆✉^][*†‡§¶∗⋆✉^0-9]*$")
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
"""What words of names do not have within: ``OpenAI``, ``LLaMA``, ``GPT4``; but McDonald does."""


def are_cut_off(text: str) -> bool:
    """Return whether a list of names ends with "et al." in any spelling: there were more."""
    return _CUT_OFF.search(text) is not None


def names_in(text: str) -> tuple[str, ...]:
    """Return the names of a list of authors, plain; ``()`` if it is none.

    ``Kipf, T. N., & Welling, M.`` and ``Thomas Kipf and Max Welling`` alike; affiliations in
    brackets are left out. Every part must look like a name: capitals, no digits, five words.
    """
    bare = _AFFILIATION.sub("", text) if any(sign in text for sign in "({[<") else text
    bare = _ET_AL.sub("", bare).strip(" \t\r\n.,;:*_")
    bare = _YEAR_AT_END.sub("", bare)
    if turned := _all_turned(bare):
        return turned
    names: list[str] = []
    for part in _parts(bare):
        if names and _INITIALS.fullmatch(part) and "." not in names[-1]:
            # The stop of the last one was stripped with what parts names.
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
    """Return names that all have their family before a comma, written out: ``Doe, Jane; Bee, Ann``
    and ``Doe, Jane and Bee, Ann``; ``()`` if they are none."""
    for between in _BETWEEN_TURNED:
        pairs = [part.split(",") for part in between.split(text)]
        if len(pairs) > 1 and all(len(pair) == 2 and _is_turned(*pair) for pair in pairs):
            return tuple(f"{given.strip()} {family.strip()}" for family, given in pairs)
    return ()


def _with_initials_in_front(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that all have their initials behind, as medicine writes them, with these in
    front: ``T. Dao``; ``()`` if they are none."""
    found = [match for name in names if (match := _INITIALS_BEHIND.fullmatch(name))]
    if len(found) < len(names) or not all(match["initials"].isupper() for match in found):
        return ()
    # Two capitals may be a family's, ``Yang LI``; and some people's names end with an initial.
    is_sure = any(not match["initials"][1:].isalpha() for match in found)
    is_doubtful = len(found) == 1 and not {*found[0]["before"].split()} <= _PARTICLES
    return () if is_doubtful or not is_sure else tuple(map(_with_initials_first, found))


def _with_initials_first(name: re.Match[str]) -> str:
    initials = " ".join(f"{sign}." for sign in name["initials"] if sign.isalpha())
    return f"{initials} {name['before']}{name['family']}"


def _is_turned(family: str, given: str) -> bool:
    """Whether what stands around a comma are a family's name and given names: of two people's
    names the first would have several words."""
    *particles, last = family.split() or [""]
    is_family = {*particles} <= _PARTICLES and is_name(last)
    return is_family and is_name(given.strip()) and not _INITIALS.fullmatch(given.strip())


def _parts(text: str) -> list[str]:
    """Return what stands between the separators of names, without marks of footnotes."""
    parts = (part.strip(" .*_") for part in _SEPARATOR.split(text))
    return list(filter(None, (_FOOTNOTES.sub("", part).strip() for part in parts)))


def _first_turned(names: Sequence[str], is_open: bool) -> Sequence[str]:
    """Return names of which only the first may be turned round, as citations in MLA's style have
    it: ``Sculley, David, et al.``, ``Saltzer, Jerome H., David Reed, and David Clark``."""
    family, given, *others = [*names, ""]
    are_whole = all(" " in name for name in others[:-1])
    is_turned = is_open if len(names) == 2 else are_whole and _GIVEN.fullmatch(given) is not None
    return [f"{given} {family}", *others[:-1]] if is_turned and " " not in family else names


def authors_in(text: str) -> tuple[str, ...]:
    """Return the names of a list that names people; ``()`` where most are nobody's, as of software.

    A name of one word is a person's where others surely are, or more are said to follow.
    """
    names = names_in(text)
    has_others = _ET_AL.search(text) is not None
    are_people = has_others or sum(map(is_person, names)) * 2 >= len(names)
    return names if are_people else ()


def is_name(text: str) -> bool:
    """Return whether a text may be the name of one person: words with capitals, no digits."""
    words = text.replace(".", ". ").split()
    is_short = 1 <= len(words) <= 5 and len(text) <= 45
    is_prose = _CJK_WORDS.search(text) is not None  # No name is so long without a blank.
    is_bare = not is_prose and _NOT_IN_NAMES.search(text) is None
    return is_short and is_bare and all(map(_is_name_word, words))


def _is_name_word(word: str) -> bool:
    return word[0].isupper() or word in _PARTICLES or not word[0].isascii()


def is_person(name: str) -> bool:
    """Return whether a name is surely a person's: two words at least, and no organisation's."""
    if _CJK_NAME.fullmatch(name):
        return True
    words = name.replace(".", ". ").split()
    has_signs = any(map(_WITHIN_WORD.search, words))
    return len(words) > 1 and is_name(name) and not has_signs and not _NO_PERSON.search(name)


def people_in(text: str, *, is_sure: bool = False) -> tuple[str, ...]:
    """Return the people that a list of authors names; of organisations and teams none.

    A surname alone is a person's where others follow, ``Vaswani et al.``, or where something else
    says that they are authors (``is_sure``).
    """
    names = names_in(text) or _SEPARATOR.split(text)
    has_others = _ET_AL.search(text) is not None
    bare = [name.strip(" .*_@") for name in names]
    people = tuple(n for n in bare if is_person(n) or (has_others and _is_surname(n)))
    return people or (tuple(bare) if is_sure and all(map(_is_surname, bare)) else ())


def _is_surname(name: str) -> bool:
    return is_name(name) and not _WITHIN_WORD.search(name) and not _NO_PERSON.search(name)


def is_pen_name(text: str) -> bool:
    """Return whether a text is the handle by which a person writes: ``@somebody``."""
    return text.startswith("@") and _is_surname(text[1:].strip().capitalize())
