"""Learn link labels as patterns of their addresses.

A pattern has placeholders for parts of the address: ``![stars](https://…/{path}?style=x)``,
``{arxiv}``, or ``{name}`` for a repository. A label that repeats nothing from its address is a
pattern without placeholders: ``Paper``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

from papertrack.documents.markdown.roles import role_word
from papertrack.identifiers import parse_arxiv_id
from papertrack.text import without_edges

_PIECE = re.compile(r"\{(url|path|arxiv|id|name|-[0-9])\}")
_SHORTEST = 4
"""The shortest part of an address that counts; shorter ones occur in labels by chance."""
_SAYING_NOTHING = (
    "link,links,here,url,this,click here,doc,链接,リンク,링크,lien,enlace,ссылка".split(",")
)
_WORD = re.compile(r"[A-Za-z0-9]+")
_ARXIV_PAGE = re.compile(r"https?://(?:[a-z]+\.)?arxiv\.org/(?:abs|pdf|html)/")
_HAS_PATH = re.compile(r"https?://[^/?#]+/+[^/?#\s]")
_VERSION = re.compile(r"v[0-9]+(?=\Z|\.pdf\Z)")
FRAMEWORKS = ("pytorch", "tensorflow", "jax")
"""Labels of links to code that are also names of repositories."""
_SHARED = ("co", "ac", "com", "edu", "org", "gov", "github", "gitlab", "readthedocs")
"""Second-level parts of hosts that many sites share, as in ``x.co.uk`` and ``name.github.io``.

The name of the site is the part before them.
"""
_SPELT = {
    name.replace(" ", "").casefold(): name
    for name in (
        *("arXiv", "DOI", "GitHub", "GitLab", "Bitbucket", "Gitee", "OpenReview", "YouTube", "ACM"),
        *("IEEE", "USENIX", "NeurIPS", "AAAI", "IJCAI", "Springer", "Nature", "bioRxiv", "SSRN"),
        *("Hugging Face", "Kaggle", "Medium", "Bilibili", "ScienceDirect", "ResearchGate"),
    )
}
"""How the names of sites are spelled, by their lower-case form without blanks."""


def arxiv_form(url: str) -> str | None:
    """Return an arXiv address with ``{id}`` in place of the id, without version; else None."""
    paper = parse_arxiv_id(url) if _ARXIV_PAGE.match(url) else None
    if paper is None:
        return None
    lead, matched, rest = url.partition(paper.id)
    rest = _VERSION.sub("", rest)
    is_plain = matched and _ARXIV_PAGE.fullmatch(lead) and rest in ("", ".pdf")
    return f"{lead}{{id}}{rest}" if is_plain else None


def arxiv_work(url: str) -> str:
    """Return ``arxiv:ID`` for any arXiv address of a paper; other addresses are unchanged."""
    paper = parse_arxiv_id(url) if arxiv_form(url) else None
    return url if paper is None else f"arxiv:{paper.id}"


def label_pattern(label: str, url: str) -> str:
    """Return a label with placeholders for the parts of its link's address."""
    pattern = label.replace("{", "{{")
    if role_word(label):
        return pattern
    for name, piece in pieces_of(url):
        if len(piece) >= _SHORTEST or "/" in piece or piece == label.strip("[]"):
            pattern = _named(pattern, piece, name)
    return pattern


def _named(pattern: str, piece: str, name: str) -> str:
    """Replace a part of an address by its placeholder wherever it is a whole word."""
    if piece not in pattern:
        return pattern
    piece = re.escape(piece)
    word = re.compile(rf"(?:(?<![A-Za-z0-9{{])|(?<=%[0-9A-F]{{2}})){piece}(?![A-Za-z0-9}}])")
    return word.sub(f"{{{name}}}", pattern)


def label_of(pattern: str, url: str, escape: Callable[[str], str] = str) -> str | None:
    """Fill a pattern for an address; None if the address lacks a part.

    ``escape`` turns each part of the address into Markdown.
    """
    pieces = dict(reversed([*pieces_of(url)]))
    if any(match[1] not in pieces for match in _PIECE.finditer(pattern)):
        return None
    return _PIECE.sub(lambda match: escape(pieces[match[1]]), pattern).replace("{{", "{")


@lru_cache(maxsize=4096)
def pieces_of(url: str) -> tuple[tuple[str, str], ...]:
    """Return the named parts of an address, the longest first.

    ``id`` is the part that distinguishes the pages of a site.
    """
    return tuple(_find_pieces(url))


def _find_pieces(url: str) -> Iterator[tuple[str, str]]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    path = parts.path.strip("/")
    yield "url", url
    if arxiv := parse_arxiv_id(url):
        yield "arxiv", arxiv.id
    if "/" in path:
        yield "path", path.removesuffix(".git")
    names = path.split("/") if path else []
    values = [value for _, value in parse_qsl(parts.query)[:1]]
    # youtu.be/ID and youtube.com/watch?v=ID
    yield from (("id", part.removesuffix(".git")) for part in (*values, *names[-1:])[:1])
    yield from (("name", name.removesuffix(".git")) for name in names[-1:] if values)
    for number, name in enumerate(reversed(names[-5:-1]), start=2):
        yield f"-{number}", name


def is_telling(label: str, url: str = "") -> bool:
    """Return whether a label says more than the kind and the site of its link."""
    return names_work(label) and not ("](" in label or _PIECE.search(label_pattern(label, url)))


def names_work(label: str) -> bool:
    """Return whether a label may be a title: it neither names a kind of link nor only points."""
    return role_word(label) is None and not points_only(label)


def points_only(label: str) -> bool:
    """Return whether a label only points to its link: ``here``, ``🔗 link``."""
    return without_edges(label).casefold() in _SAYING_NOTHING


def site_named(label: str, url: str) -> str | None:
    """Return the word of a label that names the link's site, such as ``GitHub``, or None."""
    names = _names_of_site(url)
    return next((word for word in _WORD.findall(label) if word.casefold() in names), None)


def names_place(label: str, url: str) -> bool:
    """Return whether a label is the name of the linked site or repository.

    Examples: ``[PyTorch](https://pytorch.org)``, ``[JAX](https://github.com/jax-ml/jax)``.
    """
    if label.casefold() not in FRAMEWORKS and _HAS_PATH.match(url):
        return False
    try:
        path = urlsplit(url).path.strip("/").casefold()
    except ValueError:
        return False
    if not path:
        return "://" not in label and site_named(label, url) is not None
    return label.casefold() in FRAMEWORKS and path.rpartition("/")[2] == label.casefold()


def of_other_site(label: str, word: str, url: str) -> str:
    """Replace the site name ``word`` in a label by the name of the site of ``url``."""
    name = next(iter(_names_of_site(url)), "")
    name = _SPELT.get(name, name)
    is_lower = word.islower() and word in _SPELT
    return re.sub(rf"\b{re.escape(word)}\b", name.lower() if is_lower else name, label)


@lru_cache(maxsize=4096)
def _names_of_site(url: str) -> tuple[str, ...]:
    """Return the names of the site in a host: ``thecvf`` for ``openaccess.thecvf.com``.

    The second name includes the top-level domain: ``youtube`` for ``youtu.be``.
    """
    try:
        parts = (urlsplit(url).hostname or "").split(".")
    except ValueError:
        return ()
    if len(parts) > 2 and parts[-2] in _SHARED:
        parts = parts[:-1]
    return (parts[-2], parts[-2] + parts[-1]) if len(parts) > 1 else ()
