"""Find links and withdrawals in abstracts and comments. Pure functions.

arXiv has no field for code, so these links come from prose and are suggestions.
"""

from __future__ import annotations

import re

from papertrack.records import Link, LinkRole
from papertrack.text import clean

MAX_TEXT = 20_000
"""Characters that are read; the longest abstracts have 3,000."""
OPENING = 200
"""The first characters of an abstract, which may say that the paper is withdrawn."""

_URL = re.compile(r"(?:https?://|(?<![\w./@-])(?:www\.|github\.com/))[^\s<>\"{}|^`]+", re.ASCII)
_CODE_HOSTS = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gitee.com")
_VIDEO_HOSTS = ("youtube.com", "youtu.be", "vimeo.com", "bilibili.com")
_ROLE_WORDS: tuple[tuple[LinkRole, re.Pattern[str]], ...] = (
    ("code", re.compile(r"\b(?:code|implementation|repository|repo|software|source)\b", re.I)),
    ("data", re.compile(r"\b(?:data|dataset|datasets|benchmark|corpus)\b", re.I)),
    ("model", re.compile(r"\b(?:models?|weights|checkpoints?)\b", re.I)),
    ("demo", re.compile(r"\bdemos?\b", re.I)),
    ("video", re.compile(r"\bvideos?\b", re.I)),
    ("slides", re.compile(r"\bslides\b", re.I)),
    ("project", re.compile(r"\b(?:project|web ?page|web ?site|homepage|page)\b", re.I)),
)
_NEARBY = 80
"""How many characters before a URL decide its role."""


def find_links(text: str) -> tuple[Link, ...]:
    """Return the http(s) URLs in a text, each once, with its role.

    The host decides (GitHub is code, ``*.github.io`` a project page), else the words before it.
    """
    links: dict[str, Link] = {}
    text = _without_tex(text)
    for match in _URL.finditer(text):
        url = _without_punctuation(match[0])
        if not url.startswith("http"):
            url = f"https://{url}"
        host, _, path = url.partition("://")[2].partition("/")
        if "." in host and url not in links:
            before = text[max(0, match.start() - _NEARBY) : match.start()]
            links[url] = Link(_role(host.lower().removeprefix("www."), path, before), url)
    return tuple(links.values())


def is_withdrawal(comment: str | None, abstract: str | None) -> bool:
    """Return whether the authors or arXiv say that the paper is withdrawn.

    A withdrawal is a version of its own, with the reason in its comment
    (https://info.arxiv.org/help/withdraw.html); older ones say so in the abstract instead.
    """
    if comment and _WITHDRAWN_COMMENT.search(clean(comment[:MAX_TEXT])):
        return True
    opening = (abstract or "")[:OPENING]
    # A cheap test first, because every announcement is checked.
    return "withdrawn" in opening.lower() and bool(_WITHDRAWN_ABSTRACT.match(clean(opening)))


_WITHDRAWN_COMMENT = re.compile(
    r"^\W*(?:this )?(?:(?:paper|article|manuscript|submission|preprint|work) )?withdrawn\b"
    r"|(?<!previous )(?<!earlier )(?<!older )(?<!old )(?<!first )(?<!original )"
    r"(?<!previous version of this )(?<!earlier version of this )"
    r"\b(?:papers?|article|manuscript|submission|preprint|work|version|it)"
    r" (?:has been|is|was|is being|being) (?:temporarily )?withdrawn\b(?! from (?!(?:the )?arxiv))"
    r"|\bwithdrawn by (?:the )?(?:authors?|arxiv|submitter)\b|\bhas been removed by arxiv\b",
    re.IGNORECASE,
)
_WITHDRAWN_ABSTRACT = re.compile(
    r"\W*(?:(?:this|the) (?:paper|article|manuscript|submission|preprint|work|version) "
    r"(?:has been|is|was) (?:temporarily )?withdrawn\b"
    r"|(?:paper )?(?:has been )?withdrawn (?:by (?:the )?|due to|because))",
    re.IGNORECASE,
)


def _without_tex(text: str) -> str:
    r"""Return a text without TeX around URLs: ``\url{…}`` and escaped underscores."""
    text = clean(text[:MAX_TEXT])
    text = re.sub(r"\\(?:url|href|texttt)\s?\{", " ", text)
    return re.sub(r"\\([_%#&~])", r"\1", text)


def _without_punctuation(url: str) -> str:
    """Return a URL without the punctuation of the sentence around it."""
    while url:
        is_open = url[-1] == ")" and url.count(")") > url.count("(")
        if url[-1] not in ".,;:!?'’”*$\\]" and not is_open:
            break
        url = url[:-1]
    return url


_HUGGING_FACE: dict[str, LinkRole] = {"datasets": "data", "spaces": "demo", "papers": "related"}


def _role(host: str, path: str, before: str) -> LinkRole:
    if host.endswith((".github.io", ".gitlab.io")):
        return "project"
    if host in _CODE_HOSTS and "/" in path:
        return "code"
    if host in _VIDEO_HOSTS:
        return "video"
    if host in ("huggingface.co", "hf.co"):
        return _HUGGING_FACE.get(path.partition("/")[0], "model")
    nearest = [(match.start(), r) for r, words in _ROLE_WORDS for match in words.finditer(before)]
    return max(nearest)[1] if nearest else "related" if host.endswith("arxiv.org") else "other"
