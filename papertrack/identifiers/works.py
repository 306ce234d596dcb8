"""The strongest name of a work that a text stands for: arXiv id, DOI, another archive, address."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, quote, unquote

from papertrack.identifiers.addresses import MAX_LENGTH, Address, normalise_url, split_address
from papertrack.identifiers.arxiv_ids import DBLP_HOSTS, arxiv_abs_url, parse_arxiv_id
from papertrack.records import Identifier

# Patterns are texts, which re compiles and keeps at their first use: start-up does not pay.
# The DOI handbook allows any graphic character; those that are really registered are ASCII.
_DOI = r"10\.[0-9]{4,9}(?:\.[0-9]+)*/[!-~]{1,300}"
_DOI_PREFIX = r"(?i)(?:doi\s*[:=]?\s*)?(?=10\.)"
_DOI_HOSTS = frozenset(("doi.org", "dx.doi.org", "doi.acm.org", "doi.ieeecomputersociety.org"))
# Publishers whose addresses hold the DOI.
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
_ACL_TAIL = r"(?:v[0-9]+)?(?:\.(?:pdf|bib|xml|endf))?(?:/.*)?"
_DBLP_KEY = r"((?:conf|journals|books|series|reference|phd|tr)/[A-Za-z0-9-]+/[A-Za-z0-9-]+)"
_DBLP_RECORD = rf"/rec/(?:bib[0-2]?/|html/|xml/)?{_DBLP_KEY}(?:\.[a-z]+)?/?"
_DBLP_TABLE = r"/db/((?:conf|journals)/[A-Za-z0-9-]+)/[A-Za-z0-9-]+(?:\.html)?"


def parse_doi(text: str) -> str | None:
    """The DOI that the whole text names, in lower case (DOIs ignore case); None for other text.

    ``10.1145/3600006.3613165``, ``doi:…``, and the addresses of doi.org and of the publishers
    that put the DOI into their own. Punctuation that a sentence left behind it is dropped.
    """
    if len(text) > MAX_LENGTH:
        return None
    text = text.strip()
    prefix = re.match(_DOI_PREFIX, text)
    if prefix is not None:
        return _canonical_doi(text[prefix.end() :])
    address = split_address(text)
    return None if address is None else _doi_in_address(address)


def _doi_in_address(address: Address) -> str | None:
    path = unquote(address.path)
    if address.host in _DOI_HOSTS:
        return _canonical_doi(path.lstrip("/"))
    is_publisher = bool({address.host, address.host.partition(".")[2]} & _PUBLISHER_HOSTS)
    if is_publisher and (found := re.match(_PUBLISHER_PATH, path)):
        return _canonical_doi(re.sub(_AFTER_DOI, "", found[1]))
    return None


def _canonical_doi(text: str) -> str | None:
    if len(text) > 400:
        return None
    while _ends_in_punctuation(text):
        text = text[:-1]
    return text.lower() if re.fullmatch(_DOI, text) else None


def _ends_in_punctuation(text: str) -> bool:
    """Whether the last sign is the sentence's: a bracket is the DOI's if it was opened there."""
    last = text[-1:]
    if last in _CLOSING:
        return text.count(_CLOSING[last]) < text.count(last)
    return last != "" and last in ".,;:!?'\"*"


def identify(text: str) -> Identifier | None:
    """The strongest identifier that an id, a DOI or an address stands for; None for other text.

    In this order: ``arxiv``, ``doi``, ``openreview``, ``acl``, ``dblp``, ``url``. The value is
    canonical: two texts that name one thing in one scheme give equal identifiers.
    """
    if (paper := parse_arxiv_id(text)) is not None:
        return Identifier("arxiv", paper.id)
    if (doi := parse_doi(text)) is not None:
        return Identifier("doi", doi)
    address = split_address(text)
    if address is None:
        return None
    for scheme, find in (("openreview", _openreview_id), ("acl", _acl_id), ("dblp", _dblp_key)):
        if (value := find(address)) is not None:
            return Identifier(scheme, value)
    url = normalise_url(text)
    return None if url is None else Identifier("url", url)


def _openreview_id(address: Address) -> str | None:
    if address.host != "openreview.net" or address.path.rstrip("/") not in _OPENREVIEW_PATHS:
        return None
    value = dict(parse_qsl(address.query)).get("id", "")
    return value if re.fullmatch(_OPENREVIEW_ID, value) else None


def _acl_id(address: Address) -> str | None:
    """The Anthology's id: ``N19-1423`` until 2019, ``2020.acl-main.703`` since."""
    start = _ACL_PATHS.get(address.host)
    if start is None:
        return None
    found = re.fullmatch(f"/{start}{_ACL_ID}{_ACL_TAIL}", address.path, re.IGNORECASE)
    if found is None:
        return None
    return found[1].upper() if found[1][0].isalpha() else found[1].lower()


def _dblp_key(address: Address) -> str | None:
    """The key of a record: from its own page, or from its line in a table of contents."""
    if address.host not in DBLP_HOSTS:
        return None
    if record := re.fullmatch(_DBLP_RECORD, address.path):
        return record[1]
    table = re.fullmatch(_DBLP_TABLE, address.path)
    if table and re.fullmatch("[A-Za-z0-9-]+", address.fragment):
        return f"{table[1]}/{address.fragment}"
    return None


def url_of(identifier: Identifier) -> str:
    """The address to open for an identifier. Raises ValueError for a scheme that is not known.

    For ``url`` this is the normalised address, which a few servers do not answer: where the
    address as written is at hand, open that.
    """
    write = _PAGES.get(identifier.scheme)
    if write is None:
        raise ValueError(f"{identifier.scheme!r} is not a scheme of identifiers.")
    return write(identifier.value)


_PAGES: dict[str, Callable[[str], str]] = {
    "arxiv": arxiv_abs_url,
    "doi": lambda value: "https://doi.org/" + quote(value, safe="/:;()-._~"),
    "openreview": "https://openreview.net/forum?id={}".format,
    "acl": "https://aclanthology.org/{}/".format,
    "dblp": "https://dblp.org/rec/{}".format,
    "url": str,
}
"""Scheme → the address of a value's page."""


def version_of(text: str) -> int | None:
    """The arXiv version that an id or address names; None where it names none."""
    paper = parse_arxiv_id(text)
    return None if paper is None else paper.version
