"""Parse and compare identifiers of works: arXiv ids, DOIs, other archives' ids, URLs. Pure.

Every ``parse_`` function accepts any text, returns None for what it does not recognize, and reads
at most ``addresses.MAX_LENGTH`` characters. arXiv ids follow arXiv's rules
(https://info.arxiv.org/help/arxiv_identifier.html, and its parser, arxiv-base's
``arxiv/identifier``, with the same tolerance for subject classes and lost hyphens).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple
from urllib import parse

from papertrack.identifiers.addresses import MAX_LENGTH, Address, normalise_url, split_address
from papertrack.records import Identifier

# The archives that assigned ids of the old form, until March 2007.
_ARCHIVES = (
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas "
    "cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin "
    "nucl-ex nucl-th patt-sol physics plasm-ph q-alg q-bio quant-ph solv-int supr-con".split()
)
_ARCHIVE_WITHOUT_HYPHEN = {name.replace("-", ""): name for name in _ARCHIVES}

# Patterns are strings, which re compiles at their first use, to keep the start-up fast.
_OLD = r"(?ai)([a-z-]{2,10})(?:\.[a-z][a-z-]{1,9})?/([0-9]{4})([0-9]{3})(?:v([1-9][0-9]{0,3}))?"
_BARE = (
    r"(?ai)(?:(?:oai:)?arxiv(?:\.org)?\s*:\s*|arxiv\s+)?"
    r"([a-z0-9./-]*[0-9](?:v[0-9]+)?)(?:\.pdf|\.ps)?(?:\s*\[[a-z.-]+\])?"
)
_ARXIV_DOI = r"(?ai)(?:doi:\s*)?10\.48550/arxiv\.([a-z0-9./-]+)"

_ARXIV = r"(?:abs|pdf|html|src|ps|tb|e-print|format|api/oai|ftp/[a-z-]+/papers/[0-9]{4})"
_ARXIV_HOSTS = (
    "arxiv.org browse.arxiv.org export.arxiv.org de.arxiv.org fr.arxiv.org uk.arxiv.org "
    "jp.arxiv.org cn.arxiv.org lanl.arxiv.org xxx.lanl.gov".split()
)
# The pages about one arXiv paper, by host; the id follows the path.
_PATHS = {
    **dict.fromkeys(_ARXIV_HOSTS, _ARXIV),
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
_PAPER_PATHS = {host: f"(?ai){path}{_ID_IN_PATH}" for host, path in _PATHS.items()}
DBLP_HOSTS = frozenset(("dblp.org", "dblp.uni-trier.de", "dblp.dagstuhl.de"))
# dblp keeps arXiv as the journal CoRR, with the id in the key: abs-2309-06180, abs-cs-0309136.
_IN_DBLP = (
    r"(?ai)/rec(?:/bib[0-2]?|/html|/xml)?/journals/corr/abs-"
    r"(?:([0-9]{4})-([0-9]{4,5})|([a-z-]+)-([0-9]{7}))(?:\.[a-z]+)?/?"
)


class ArxivId(NamedTuple):
    """An arXiv paper, and the version in the text, if any."""

    id: str
    """Canonical, without version: ``1706.03762``, ``hep-th/9901001``."""
    version: int | None


@lru_cache(maxsize=256)  # Several parsers ask for the same label and URLs of an entry.
def parse_arxiv_id(text: str) -> ArxivId | None:
    """Return the arXiv paper that the whole text names: an id, a URL or a DOI, in any spelling.

    Examples are ``arXiv:2309.06180v2 [cs.LG]``, ``https://arxiv.org/pdf/2309.06180v2.pdf#page=3``,
    ``10.48550/arXiv.2309.06180`` and ``math.GT/0309136`` (which is ``math/0309136``). Paths on
    hosts that are not known for arXiv papers do not count.
    """
    if len(text) > MAX_LENGTH:
        return None
    text = text.strip()
    if not re.search("[0-9]", text):
        return None
    if "://" not in text and (paper := _plain(text) or _with_text_around(text)):
        return paper
    address = split_address(text) if "/" in text else None  # A title with a number is not a URL.
    return None if address is None else _arxiv_at(address)


def _with_text_around(text: str) -> ArxivId | None:
    """Return the paper of an id or a DOI with the usual text around it."""
    matches = (re.fullmatch(pattern, text) for pattern in (_BARE, _ARXIV_DOI))
    return next(filter(None, (_canonical(match[1]) for match in matches if match)), None)


def _arxiv_at(address: Address) -> ArxivId | None:
    """Return the paper of a page on arXiv, or on a site that shows arXiv papers."""
    if address.host in DBLP_HOSTS and (match := re.fullmatch(_IN_DBLP, address.path)):
        return _canonical(".".join(match.group(1, 2)) if match[1] else "/".join(match.group(3, 4)))
    if address.host not in _PAPER_PATHS:
        return None
    path = parse.unquote(address.path).lstrip("/")
    path = re.sub("//+", "/", path) if "//" in path else path
    match = re.fullmatch(_PAPER_PATHS[address.host], path)
    return None if match is None else _canonical(match[1])


def _plain(text: str) -> ArxivId | None:
    """Parse a bare ``2309.06180v2`` in a fifth of the time; a night has thousands."""
    month, _, rest = text.partition(".")
    number, _, version = rest.partition("v")
    if len(month) != 4 or not (month + number + version).isdigit() or not text.isascii():
        return None
    if text != f"{month}.{number}" and (not 0 < len(version) < 5 or version[0] == "0"):
        return None
    # Since April 2007; since 2015 the number has five digits.
    digits = 4 if month <= "1412" else 5
    if not _is_month(month, "0704", "9012") or len(number) != digits or int(number) == 0:
        return None
    return ArxivId(f"{month}.{number}", int(version) if version else None)


def _canonical(text: str) -> ArxivId | None:
    old = re.fullmatch(_OLD, text) if "/" in text else None
    return _old(*old.groups()) if old else _plain(text.lower())


def _old(name: str, month: str, number: str, version: str | None) -> ArxivId | None:
    """Parse an id in the form used until March 2007."""
    archive = _ARCHIVE_WITHOUT_HYPHEN.get(name.lower().replace("-", ""))
    is_month = _is_month(month, "9107", "9912") or _is_month(month, "0001", "0703")
    if archive is None or not is_month or int(number) == 0:
        return None
    return ArxivId(f"{archive}/{month}{number}", int(version) if version else None)


def _is_month(month: str, first: str, last: str) -> bool:
    return first <= month <= last and "01" <= month[2:] <= "12"


_NEW_IN_TEXT = r"[0-9]{4}\.[0-9]{4,5}(?:v[1-9][0-9]{0,3})?(?![0-9A-Za-z_]|\.[0-9])"
_OLD_IN_TEXT = r"/[0-9]{7}(?:v[1-9][0-9]{0,3})?(?![0-9A-Za-z_])"
_OLD_HEAD = r"(?:^|[^0-9A-Za-z_./-])([a-z-]{2,10}(?:\.[A-Za-z][A-Za-z-]{1,9})?)$"
_TOKEN = r"""[^\s<>"'()\[\]{}|,;]*"""
_MAX_BEFORE = 200
"""How far before an id a URL may begin."""


def find_arxiv_ids(text: str) -> list[ArxivId]:
    """Return the arXiv papers named in free text, each once per version, in order.

    A number counts if it stands alone (``see 2309.06180.``) or if ``parse_arxiv_id`` recognizes the
    URL or DOI around it; ``10.1103/PhysRevD.2011.12345`` does not.
    """
    papers = [*_new_ids(text), *_old_ids(text)]
    in_order = (paper for _, paper in sorted(papers, key=itemgetter(0)))
    return list(dict.fromkeys(filter(None, in_order)))


def _new_ids(text: str) -> Iterator[tuple[int, ArxivId | None]]:
    """Yield the position and paper of each text that looks like an id since 2007."""
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
    """Return the text before ``end`` without a blank or bracket, searching backwards."""
    token = re.match(_TOKEN, text[max(0, end - _MAX_BEFORE) : end][::-1])
    return token[0][::-1] if token else ""


def arxiv_month(arxiv_id: str) -> str:
    """Return the month of announcement in an id: ``"2309.06180"`` gives ``"2023-09"``.

    Raises ValueError for text that is not an arXiv id.
    """
    paper = parse_arxiv_id(arxiv_id)
    if paper is None:
        raise ValueError(f"{arxiv_id[:80]!r} is not an arXiv id.")
    digits = paper.id.rpartition("/")[2]
    century = "19" if "/" in paper.id and digits[0] == "9" else "20"
    return f"{century}{digits[:2]}-{digits[2:4]}"


def arxiv_abs_url(arxiv_id: str) -> str:
    """Return the address of the page of the paper's latest version."""
    return f"https://arxiv.org/abs/{arxiv_id}"


def arxiv_pdf_url(arxiv_id: str, version: int | None = None) -> str:
    """Return the URL of the paper's PDF, by default of the latest version."""
    return f"https://arxiv.org/pdf/{arxiv_id}" + (f"v{version}" if version is not None else "")


def arxiv_doi(arxiv_id: str) -> str:
    """Return the DOI that arXiv registers for all versions of the paper, as arXiv writes it."""
    return f"10.48550/arXiv.{arxiv_id}"


# The DOI handbook allows any graphic character, but real DOIs are ASCII.
_DOI = r"10\.[0-9]{4,9}(?:\.[0-9]+)*/[!-~]{1,300}"
_DOI_PREFIX = r"(?i)(?:doi\s*[:=]?\s*)?(?=10\.)"
_DOI_HOSTS = frozenset(("doi.org", "dx.doi.org", "doi.acm.org", "doi.ieeecomputersociety.org"))
# Publishers whose URLs contain the DOI.
_PUBLISHER_HOSTS = frozenset(
    "dl.acm.org onlinelibrary.wiley.com link.springer.com science.org pnas.org pubs.acs.org "
    "tandfonline.com journals.sagepub.com epubs.siam.org journals.aps.org direct.mit.edu "
    "link.aps.org biorxiv.org medrxiv.org".split()
)
_PUBLISHER_PATH = (
    r"/(?:doi|article|chapter|book|content|[a-z]+/abstract)"
    r"(?:/(?:abs|pdf|epdf|full|fullHtml|book|proceedings|pdfdirect|suppl))?/(10\..+)"
)
_AFTER_DOI = r"(?:/(?:abstract|full|pdf|epdf)|\.pdf|(?<=[0-9]{6})v[0-9]+(?:\.full.*)?)$"
_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}

_OPENREVIEW_PATHS = frozenset(("/forum", "/pdf", "/attachment", "/revisions", "/forum/pdf"))
_OPENREVIEW_ID = "[A-Za-z0-9_-]{5,64}"
_ACL_ID = r"([a-z][0-9]{2}-[0-9]{4,5}|[0-9]{4}\.[a-z0-9_]+-[a-z0-9_]+\.[0-9]+)"
_ACL_PATHS = {
    "aclanthology.org": "",
    "aclweb.org": "anthology(?:-new)?/(?:[a-z]/[a-z][0-9]{2}/)?",
    "aclanthology.info": "papers/",
    "aclanthology.coli.uni-saarland.de": "papers/",
}
_HOSTS_OF_WORKS = frozenset(
    {*_PAPER_PATHS, *DBLP_HOSTS, *_DOI_HOSTS, *_PUBLISHER_HOSTS, *_ACL_PATHS, "openreview.net"}
)
"""Hosts whose pages are all about works, including other machines of publishers."""
_ACL_TAIL = r"(?:v[0-9]+)?(?:\.(?:pdf|bib|xml|endf))?(?:/.*)?"
_DBLP_KEY = r"((?:conf|journals|books|series|reference|phd|tr)/[A-Za-z0-9-]+/[A-Za-z0-9-]+)"
_DBLP_RECORD = rf"/rec/(?:bib[0-2]?/|html/|xml/)?{_DBLP_KEY}(?:\.[a-z]+)?/?"
_DBLP_TABLE = r"/db/((?:conf|journals)/[A-Za-z0-9-]+)/[A-Za-z0-9-]+(?:\.html)?"


def parse_doi(text: str) -> str | None:
    """Return the DOI that the whole text names, in lower case (DOIs ignore case), or None.

    The text may be ``10.1145/3600006.3613165``, ``doi:…``, or a URL of doi.org or of a publisher
    that contains the DOI. Punctuation after it is dropped.
    """
    if len(text) > MAX_LENGTH:
        return None
    text = text.strip()
    if prefix := re.match(_DOI_PREFIX, text):
        return _canonical_doi(text[prefix.end() :])
    address = split_address(text)
    return None if address is None else _doi_in_address(address)


def _doi_in_address(address: Address) -> str | None:
    path = parse.unquote(address.path)
    if address.host in _DOI_HOSTS:
        return _canonical_doi(path.lstrip("/"))
    is_publisher = bool({address.host, address.host.partition(".")[2]} & _PUBLISHER_HOSTS)
    if is_publisher and (match := re.match(_PUBLISHER_PATH, path)):
        return _canonical_doi(re.sub(_AFTER_DOI, "", match[1]))
    return None


def _canonical_doi(text: str) -> str | None:
    if len(text) > 400:
        return None
    while _ends_in_punctuation(text):
        text = text[:-1]
    return text.lower() if re.fullmatch(_DOI, text) else None


def _ends_in_punctuation(text: str) -> bool:
    """Return whether the last character is punctuation, or a bracket that was not opened."""
    last = text[-1:]
    if last in _CLOSING:
        return text.count(_CLOSING[last]) < text.count(last)
    return last != "" and last in ".,;:!?'\"*"


def identify(text: str) -> Identifier | None:
    """Return the strongest identifier in an id, a DOI or a URL, or None.

    The order is ``arxiv``, ``doi``, ``openreview``, ``acl``, ``dblp``, ``url``. The value is
    canonical: two texts for the same thing in one scheme give equal identifiers.
    """
    if (work := identify_work(text)) is not None:
        return work
    url = normalise_url(text)
    return None if url is None else Identifier("url", url)


def identify_work(text: str) -> Identifier | None:
    """Return the same as ``identify``, but None for a URL that does not name a work."""
    is_web = text[:8].lower().startswith(("http://", "https://"))
    if is_web and (address := split_address(text)) is not None:
        return _work_at(address)
    if (paper := parse_arxiv_id(text)) is not None:
        return Identifier("arxiv", paper.id)
    if (doi := parse_doi(text)) is not None:
        return Identifier("doi", doi)
    address = split_address(text)
    return None if address is None else _work_at(address)


def _work_at(address: Address) -> Identifier | None:
    """Return the identifier of the work on a page."""
    if not {address.host, address.host.partition(".")[2]} & _HOSTS_OF_WORKS:
        return None
    if (paper := _arxiv_at(address)) is not None:
        return Identifier("arxiv", paper.id)
    if (doi := _doi_in_address(address)) is not None:
        return Identifier("doi", doi)
    for scheme, find in (("openreview", _openreview_id), ("acl", _acl_id), ("dblp", _dblp_key)):
        if (value := find(address)) is not None:
            return Identifier(scheme, value)
    return None


def _openreview_id(address: Address) -> str | None:
    if address.host != "openreview.net" or address.path.rstrip("/") not in _OPENREVIEW_PATHS:
        return None
    value = dict(parse.parse_qsl(address.query)).get("id", "")
    return value if re.fullmatch(_OPENREVIEW_ID, value) else None


def _acl_id(address: Address) -> str | None:
    """Return an id of the ACL Anthology: ``N19-1423`` until 2019, ``2020.acl-main.703`` since."""
    start = _ACL_PATHS.get(address.host)
    if start is None:
        return None
    match = re.fullmatch(f"/{start}{_ACL_ID}{_ACL_TAIL}", address.path, re.IGNORECASE)
    if match is None:
        return None
    return match[1].upper() if match[1][0].isalpha() else match[1].lower()


def _dblp_key(address: Address) -> str | None:
    """Return a record's DBLP key, from its own page or its line in a table of contents."""
    if address.host not in DBLP_HOSTS:
        return None
    if record := re.fullmatch(_DBLP_RECORD, address.path):
        return record[1]
    table = re.fullmatch(_DBLP_TABLE, address.path)
    if table and re.fullmatch("[A-Za-z0-9-]+", address.fragment):
        return f"{table[1]}/{address.fragment}"
    return None


def url_of(identifier: Identifier) -> str:
    """Return the URL to open for an identifier. Raises ValueError for an unknown scheme.

    For ``url`` this is the normalized URL, to which a few servers do not respond: open the original
    URL if you have it.
    """
    write = _PAGES.get(identifier.scheme)
    if write is None:
        raise ValueError(f"{identifier.scheme!r} is not an identifier scheme.")
    return write(identifier.value)


_PAGES: dict[str, Callable[[str], str]] = {
    "arxiv": arxiv_abs_url,
    "doi": lambda value: "https://doi.org/" + parse.quote(value, safe="/:;()-._~"),
    "openreview": "https://openreview.net/forum?id={}".format,
    "acl": "https://aclanthology.org/{}/".format,
    "dblp": "https://dblp.org/rec/{}".format,
    "url": str,
}
"""Functions from an identifier's value to its page, by scheme."""
