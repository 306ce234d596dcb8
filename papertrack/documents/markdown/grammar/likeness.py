"""How much a plain text reads like a title, names of people, a venue, a short name, a date.

Each likeness is a number from 0 to 1, judged by the text alone. It is evidence, no proof: readers
gather it over the siblings of a list, where what varies and reads like titles is the title.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from papertrack.documents.markdown.grammar.names import are_cut_off, is_person, names_in
from papertrack.documents.markdown.model import PartRole
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import find_date
from papertrack.identifiers import parse_arxiv_id

LONGEST = 400
"""Characters. What is longer is prose."""
_WORD = re.compile(r"[^\W_](?:[\w'’+.-]*\w)?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCES = re.compile(r"[^\W\d_]{3}[.!] (?=[A-Z])|[。！](?=.)")
_YEAR = r"(?:(?:19|20)[0-9]{2}|['’‘`][0-9]{2})"
_ACRONYM_YEAR = re.compile(
    rf"(?:[A-Z][A-Za-z&/+-]{{1,14}}(?:[ -][A-Z][A-Za-z&]{{1,14}}){{0,2}})[ ,@-]{{0,2}}{_YEAR}"
    rf"(?:[ ,:;(/-]{{1,3}}[A-Za-z& ]{{2,20}}\)?)?|{_YEAR}[ -]{{1,2}}[A-Z][A-Za-z&-]{{1,14}}"
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
"""What names of works have and words have not: ``LoRA``, ``DPO``, ``T5``."""
_NUMBER = re.compile(r"[\[(#]*[0-9]{1,5}[\])]*[.、:]?")


def has_cjk(text: str) -> bool:
    """Return whether a text has characters of Chinese, Japanese or Korean."""
    return _CJK.search(text) is not None


def words_of(text: str) -> int:
    """Return how many words a text has; two characters of Chinese or Japanese count as one."""
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
    """Whether a text is no title whatever its words are: a role, an address, an id, a number."""
    is_empty = not any(map(str.isalpha, text)) or len(text) > LONGEST
    is_address = "://" in text or parse_arxiv_id(text) is not None
    is_role = role_word(text) is not None
    return is_empty or is_address or is_role or date_likeness(text) > 0.7


def _share_for(words: int) -> float:
    """Return how often a text of that many words is a title, rather than a name or prose."""
    few = (0.0, 0.2, 0.4, 0.65, 0.85)
    if words < len(few):
        return few[words]
    return 1.0 if words <= 24 else max(0.1, 1.0 - (words - 24) / 20)


def is_title_case(text: str) -> bool:
    """Return whether most of the longer words start with a capital; of Chinese always."""
    words: list[str] = [word for word in _WORD.findall(text) if len(word) > 3]
    capitals = sum(word[0].isupper() for word in words)
    return capitals * 2 > len(words) or has_cjk(text)


@lru_cache(maxsize=8192)
def names_likeness(text: str) -> float:
    """Return how much a text reads like names of people: several, or one followed by et al."""
    if not text or len(text) > 4000 or venue_likeness(text) > 0.7:
        return 0.0
    return _likeness_of_names(names_in(text), are_cut_off(text))


def _likeness_of_names(names: tuple[str, ...], has_others: bool) -> float:
    """Return how sure it is that what may be names are; ``has_others`` of those with et al."""
    people = sum(map(is_person, names))
    if names and (has_others or people * 2 >= len(names) > 1):
        return 1.0
    # Two or three words with capitals may be a title just as well.
    return 0.5 if people else 0.1 * bool(names)


@lru_cache(maxsize=8192)
def venue_likeness(text: str) -> float:
    """Return how much a text reads like where a work appeared: ``NeurIPS 2023``, a journal."""
    words = words_of(text)
    if not 1 <= words <= 16:
        return 0.0
    known = _known_venue(text)
    if _ACRONYM_YEAR.fullmatch(text.strip(" .,;()[]>")):
        return 1.0 if known else 0.75
    # A sentence on transactions is no journal.
    is_titled = words <= 3 or is_title_case(text)
    return known or (0.8 if _VENUE_WORD.search(text) and words <= 10 and is_titled else 0.0)


def _known_venue(text: str) -> float:
    """Return how likely a text that has a known venue in it is one; 0 without any."""
    match = _KNOWN_VENUE.search(text)
    if match is None:
        return 0.0
    return 1.0 if words_of(text[: match.start()] + text[match.end() :]) <= 3 else 0.4


def date_likeness(text: str) -> float:
    """Return how much a text is a date: the share of it that is one."""
    bare = text.strip(" .,;()[]*_`")
    found = find_date(bare)
    return (found.span[1] - found.span[0]) / len(bare) if found else 0.0


@lru_cache(maxsize=8192)
def name_likeness(text: str) -> float:
    """Return how much a text reads like the short name of a work: ``DPO``, ``LLaMA 2``."""
    words = text.split()
    if _is_no_words(text) or len(text) > 40 or len(words) > 4 or venue_likeness(text) > 0.7:
        return 0.0
    signs = 1.0 if _NAME_SIGN.search(text) else 0.6
    return signs - 0.2 * max(len(words) - 2, 0)


def number_likeness(text: str) -> float:
    """Return whether a text is what counts entries: ``12``, ``[12]``, ``#3``, ``4.``."""
    return 1.0 if _NUMBER.fullmatch(text.strip()) else 0.0


_LEAST: dict[PartRole, tuple[Callable[[str], float], float]] = {
    "number": (number_likeness, 1.0),
    "date": (date_likeness, 0.71),
    "venue": (venue_likeness, 0.71),
    "authors": (names_likeness, 1.0),
    "name": (name_likeness, 0.6),
}
"""How much a text must read like each of these to be taken for it."""


def role_among(text: str, roles: Sequence[PartRole]) -> PartRole | None:
    """Return the first of these roles that a text surely has."""
    return next((role for role in roles if _LEAST[role][0](text) >= _LEAST[role][1]), None)
