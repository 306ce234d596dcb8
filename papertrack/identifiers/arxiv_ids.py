"""arXiv ids in every spelling that people paste, by arXiv's own rules.

Sources: https://info.arxiv.org/help/arxiv_identifier.html and arXiv's parser of them (arxiv-base,
``arxiv/identifier``), whose tolerance for subject classes and lost hyphens is followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from papertrack.identifiers.addresses import MAX_LENGTH, Address, split_address

# The archives that gave out ids of the old form, until March 2007.
_ARCHIVES = frozenset(
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas "
    "cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin "
    "nucl-ex nucl-th patt-sol physics plasm-ph q-alg q-bio quant-ph solv-int supr-con".split()
)
_ARCHIVE_WITHOUT_HYPHEN = {name.replace("-", ""): name for name in _ARCHIVES}

# Patterns are texts, which re compiles and keeps at their first use: start-up does not pay.
_VERSION = r"(?:v([1-9][0-9]{0,3}))?"
_NEW = rf"(?ai)([0-9]{{4}})\.([0-9]{{4,5}}){_VERSION}"
_OLD = rf"(?ai)([a-z-]{{2,10}})(?:\.[a-z][a-z-]{{1,9}})?/([0-9]{{4}})([0-9]{{3}}){_VERSION}"
_BARE = (
    r"(?ai)(?:(?:oai:)?arxiv(?:\.org)?\s*:\s*|arxiv\s+)?"
    r"([a-z0-9./-]*[0-9](?:v[0-9]+)?)(?:\.pdf|\.ps)?(?:\s*\[[a-z.-]+\])?"
)
_DOI = r"(?ai)(?:doi:\s*)?10\.48550/arxiv\.([a-z0-9./-]+)"

_ARXIV = r"(?:abs|pdf|html|src|ps|tb|e-print|format|api/oai|ftp/[a-z-]+/papers/[0-9]{4})"
# The pages that are about one arXiv paper, by host; behind each path stands the id.
_PATHS = {
    **dict.fromkeys(
        (
            "arxiv.org",
            "browse.arxiv.org",
            "export.arxiv.org",
            "de.arxiv.org",
            "fr.arxiv.org",
            "uk.arxiv.org",
            "jp.arxiv.org",
            "cn.arxiv.org",
            "lanl.arxiv.org",
            "xxx.lanl.gov",
        ),
        _ARXIV,
    ),
    **dict.fromkeys(("doi.org", "dx.doi.org"), r"10\.48550(?=/arxiv\.)"),
    **dict.fromkeys(("huggingface.co", "hf.co", "arxiv-vanity.com"), "papers"),
    "alphaxiv.org": "(?:abs|pdf|html|overview)",
    **dict.fromkeys(("ar5iv.org", "ar5iv.labs.arxiv.org"), "(?:abs|html|papers)"),
    **dict.fromkeys(("papers.cool", "scirate.com", "semanticscholar.org"), "arxiv"),
    "api.semanticscholar.org": "(?=arxiv:)",
}
_ID_IN_PATH = (
    r"/?(?:arxiv[:.])?((?:[a-z.-]+/)?[0-9.]*[0-9](?:v[0-9]+)?)"
    r"(?:\.(?:pdf|ps|ps\.gz|gz|md|html))?(?:/.*)?"
)
DBLP_HOSTS = frozenset(("dblp.org", "dblp.uni-trier.de", "dblp.dagstuhl.de"))
# dblp keeps arXiv as the journal CoRR, with the id in the key: abs-2309-06180, abs-cs-0309136.
_IN_DBLP = (
    r"(?ai)/rec(?:/bib[0-2]?|/html|/xml)?/journals/corr/abs-"
    r"(?:([0-9]{4})-([0-9]{4,5})|([a-z-]+)-([0-9]{7}))(?:\.[a-z]+)?/?"
)


@dataclass(frozen=True, slots=True)
class ArxivId:
    """An arXiv paper, and the version that was named with it."""

    id: str
    """Canonical, without version: ``1706.03762``, ``hep-th/9901001``."""
    version: int | None


def parse_arxiv_id(text: str) -> ArxivId | None:
    """The arXiv paper that the whole text names: an id, an address or a DOI, in any spelling.

    ``arXiv:2309.06180v2 [cs.LG]``, ``https://arxiv.org/pdf/2309.06180v2.pdf#page=3``,
    ``10.48550/arXiv.2309.06180``, ``math.GT/0309136`` (which is ``math/0309136``). Hosts that
    are not known to serve arXiv papers are refused, whatever their paths look like.
    """
    if len(text) > MAX_LENGTH:
        return None
    text = text.strip()
    if plain := _plain(text):
        return plain
    for pattern in (_BARE, _DOI):
        if (found := re.fullmatch(pattern, text)) and (paper := _canonical(found[1])):
            return paper
    address = split_address(text)
    return None if address is None else _in_address(address)


def _in_address(address: Address) -> ArxivId | None:
    """The paper that a page is about, of arXiv and of those who show its papers."""
    if address.host in DBLP_HOSTS and (found := re.fullmatch(_IN_DBLP, address.path)):
        return _canonical(".".join(found.group(1, 2)) if found[1] else "/".join(found.group(3, 4)))
    if address.host not in _PATHS:
        return None
    path = re.sub("//+", "/", unquote(address.path)).lstrip("/")
    found = re.fullmatch(_PATHS[address.host] + _ID_IN_PATH, path, re.ASCII | re.IGNORECASE)
    return None if found is None else _canonical(found[1])


def _plain(text: str) -> ArxivId | None:
    """``2309.06180v2`` and nothing around it: thousands a night, in a fifth of the time."""
    month, _, rest = text.partition(".")
    number, _, version = rest.partition("v")
    if len(month) != 4 or not (month + number + version).isdigit() or not text.isascii():
        return None
    if text != f"{month}.{number}" and (not 0 < len(version) < 5 or version[0] == "0"):
        return None
    return _checked(month, number, version)


def _checked(month: str, number: str, version: str | None) -> ArxivId | None:
    """The id of since April 2007, whose number has five digits since 2015."""
    if not _is_month(month, "0704", "9012") or int(number or 0) == 0:
        return None
    if len(number) != (4 if month <= "1412" else 5):
        return None
    return ArxivId(f"{month}.{number}", _number(version))


def _canonical(text: str) -> ArxivId | None:
    if new := re.fullmatch(_NEW, text):
        return _checked(*new.groups())
    if old := re.fullmatch(_OLD, text):
        return _checked_old(*old.groups())
    return None


def _checked_old(name: str, month: str, number: str, version: str | None) -> ArxivId | None:
    archive = _ARCHIVE_WITHOUT_HYPHEN.get(name.lower().replace("-", ""))
    is_month = _is_month(month, "9107", "9912") or _is_month(month, "0001", "0703")
    if archive is None or not is_month or int(number) == 0:
        return None
    return ArxivId(f"{archive}/{month}{number}", _number(version))


def _is_month(month: str, first: str, last: str) -> bool:
    return first <= month <= last and "01" <= month[2:] <= "12"


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None


_NEW_IN_TEXT = r"[0-9]{4}\.[0-9]{4,5}(?:v[1-9][0-9]{0,3})?(?![0-9A-Za-z_]|\.[0-9])"
_OLD_IN_TEXT = r"/[0-9]{7}(?:v[1-9][0-9]{0,3})?(?![0-9A-Za-z_])"
_OLD_HEAD = r"(?:^|[^0-9A-Za-z_./-])([a-z-]{2,10}(?:\.[A-Za-z][A-Za-z-]{1,9})?)$"
_TOKEN = r"""[^\s<>"'()\[\]{}|,;]*"""
_REACH = 200
"""How far back an address around an id may begin."""


def find_arxiv_ids(text: str) -> list[ArxivId]:
    """The arXiv papers named in free text, each once per version, in their order.

    A number counts when it stands alone (``see 2309.06180.``) or when the address or DOI around
    it is one that ``parse_arxiv_id`` knows: not ``10.1103/PhysRevD.2011.12345``.
    """
    found = [*_new_ids(text), *_old_ids(text)]
    in_order = (paper for _, paper in sorted(found, key=lambda one: one[0]))
    return list(dict.fromkeys(paper for paper in in_order if paper is not None))


def _new_ids(text: str) -> Iterator[tuple[int, ArxivId | None]]:
    """Where each id of since 2007 stands, or what looks like one."""
    for match in re.finditer(_NEW_IN_TEXT, text):
        token = _token_before(text, match.start())
        if "/" in token or token.endswith("."):
            yield match.start(), parse_arxiv_id(token + match[0])
        elif not re.search("[0-9A-Za-z_-]$", token):
            yield match.start(), _canonical(match[0])


def _old_ids(text: str) -> Iterator[tuple[int, ArxivId | None]]:
    for match in re.finditer(_OLD_IN_TEXT, text):
        token = _token_before(text, match.start())
        head = re.search(_OLD_HEAD, token[-22:])
        yield match.start(), parse_arxiv_id((head[1] if head else token) + match[0])


def _token_before(text: str, end: int) -> str:
    """What stands before ``end`` without a blank or bracket between, read backwards."""
    token = re.match(_TOKEN, text[max(0, end - _REACH) : end][::-1])
    return token[0][::-1] if token else ""


def arxiv_month(arxiv_id: str) -> str:
    """The month of announcement that an id carries: ``"2309.06180"`` gives ``"2023-09"``.

    Raises ValueError for text that is no arXiv id.
    """
    paper = parse_arxiv_id(arxiv_id)
    if paper is None:
        raise ValueError(f"{arxiv_id[:80]!r} is not an arXiv id.")
    digits = paper.id.rpartition("/")[2]
    century = "19" if "/" in paper.id and digits[0] == "9" else "20"
    return f"{century}{digits[:2]}-{digits[2:4]}"


def arxiv_abs_url(arxiv_id: str, version: int | None = None) -> str:
    """The address of the paper's page; of its latest version unless one is given."""
    return f"https://arxiv.org/abs/{arxiv_id}{_suffix(version)}"


def arxiv_pdf_url(arxiv_id: str, version: int | None = None) -> str:
    """The address of the paper's PDF; of its latest version unless one is given."""
    return f"https://arxiv.org/pdf/{arxiv_id}{_suffix(version)}"


def arxiv_doi(arxiv_id: str) -> str:
    """The DOI that arXiv registers for the paper, one for all its versions, as arXiv writes it."""
    return f"10.48550/arXiv.{arxiv_id}"


def _suffix(version: int | None) -> str:
    return "" if version is None else f"v{version}"
