"""Decide what a link is for, by its column, then its label, then its address."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

from papertrack.identifiers import identify_work
from papertrack.records import Identifier, LinkRole
from papertrack.text import without_edges

STRONG_SCHEMES = ("arxiv", "doi", "openreview", "acl", "dblp")
"""Identifier schemes that identify a work, strongest first. A ``url`` only identifies a page."""

_LABELS: dict[LinkRole, str] = {
    "paper": "paper, arxiv, abs, abstract, acm, ieee, openreview, proceedings, preprint, html, "
    "doi, springer, hal, biorxiv, medrxiv, ssrn, jstor, pubmed, pmc, sciencedirect, wiley, "
    "elsevier, usenix, pmlr, cvf, researchgate, semantic scholar, acl anthology, zenodo, 论文, "
    "原文, publisher, 論文, 논문, статья, artículo, artigo, aufsatz, papier, articolo",
    "pdf": "pdf, thecvf",
    "code": "code, github, repo, repository, official, codes, implementation, github repo, "
    "gitlab, source, source code, 代码, 源码, 开源, 开源代码, 官方代码, pytorch, tensorflow, jax, "
    "程式碼, コード, 코드, код, código, quelltext, quellcode, codice",
    "project": "project, page, website, homepage, web, site, 主页, 项目",
    "note": "note, notes, my notes, 笔记, 阅读笔记, 筆記, メモ, 노트, заметки",
    "translation": "chinese version, english version, chinese, english, translation, 中文, 中文版, "
    "英文, 英文版, 英文版本, 中文版本, en, cn, zh",
    "video": "video, youtube, bilibili, talk, 视频, recording, presentation, 影片, 動画, 영상, "
    "видео, vidéo, aufzeichnung",
    "slides": "slides, slide, ppt, deck, 幻灯片, スライド, 슬라이드, слайды, folien, "
    "diapos, diapositives, diapositivas, lucidi",
    "post": "blog, post, article, medium, zhihu, 知乎, tutorial, 博客, 解説, 블로그, блог",
    "data": "data, dataset, datasets, benchmark",
    "model": "model, models, weights, checkpoint, checkpoints, hf",
    "demo": "demo, colab, space, playground, app",
    "other": "poster, bibtex, cite, program, supplement, appendix, tweet, twitter",
}
_ROLE_OF_LABEL = {word: role for role, words in _LABELS.items() for word in words.split(", ")}
_KINDS = frozenset(
    "official short full original supplementary project paper video arxiv blog".split()
)
"""Words before a role that do not change it: ``Short Presentation``, ``Project Website``."""
_LINK_WORD = re.compile(r"(?:[ ](?:links?|url)|[ ]?(?:链接|地址|网址|连结|連結|リンク|링크))\Z")
"""Words that may follow a role: ``Code Link``, 论文地址."""
_BEGINNINGS = {word[:2] for word in (*_ROLE_OF_LABEL, *_KINDS)}
_OF_COLUMN: dict[str, LinkRole] = {
    **{"code": "code", "note": "note", "author": "author", "project": "project", "video": "video"},
    **{"slides": "slides", "data": "data", "model": "model", "demo": "demo", "post": "post"},
}
"""The role of all links in a column, whatever their labels are."""
_KNOWN_HOSTS: dict[LinkRole, str] = {
    "code": "github.com gitlab.com bitbucket.org gitee.com",
    "video": "youtube.com youtu.be bilibili.com vimeo.com",
    "slides": "slideshare.net speakerdeck.com",
    "post": "zhihu.com zhuanlan.zhihu.com medium.com substack.com mp.weixin.qq.com dev.to csdn.net "
    "towardsdatascience.com juejin.cn wordpress.com notion.site distill.pub",
    "paper": "usenix.org proceedings.mlr.press papers.nips.cc neurips.cc jmlr.org dl.acm.org "
    "ieeexplore.ieee.org link.springer.com sciencedirect.com openaccess.thecvf.com ojs.aaai.org "
    "nature.com science.org ijcai.org semanticscholar.org proceedings.mlsys.org ssrn.com vldb.org "
    "projecteuclid.org biorxiv.org isca-archive.org roboticsproceedings.org researchgate.net "
    "openreview.net arxiv.org aclanthology.org",
    "model": "huggingface.co",
    "data": "kaggle.com",
    "demo": "colab.research.google.com",
}
_HOSTS = {host: role for role, hosts in _KNOWN_HOSTS.items() for host in hosts.split()}
_ENDINGS: dict[tuple[str, ...], LinkRole] = {
    (".pdf", ".ps", ".ps.gz"): "pdf",
    (".mp4", ".webm", ".mov"): "video",
    (".pptx", ".ppt", ".key"): "slides",
}
"""The role of an address by its file name's suffix."""
_HUGGING_FACE: dict[str, LinkRole] = {
    "datasets": "data",
    "spaces": "demo",
    "blog": "post",
    "papers": "paper",
}
"""The role of a Hugging Face address by the first part of its path. All others are models."""
_BESIDE_THE_WORK = ("video", "slides", "translation")
"""Roles that a label gives even to a link with the paper's own address."""
_WEB = ("http://", "https://")
_WITHIN_PAGE = re.compile(r"(?:\./)?(?:readme(?:[._-]\w{1,10})?\.(?:md|markdown))?#", re.IGNORECASE)
_BETWEEN_ROLES = re.compile(r"\s*(?:[&+/,]|\band\b)\s*")
_WHERE = re.compile(
    r"(?P<role>paper|pdf|code|slides|video)[ ]?[-(][ ]?"
    r"(?:arxiv|[a-z]{2,10}[ '-]?(?=[0-9]))(?:[0-9]{2}){0,2}"
)
"""A role followed by a venue: ``Paper-ECCV14``, ``pdf (arXiv)``."""


def is_web(url: str) -> bool:
    """Return whether an address is http or https."""
    return url.startswith(_WEB) or url[:8].lower().startswith(_WEB)


def is_local_pdf(url: str) -> bool:
    """Return whether an address is a relative path to a PDF."""
    return "://" not in url and url.casefold().partition("#")[0].endswith((".pdf", ".ps"))


def is_within_page(url: str) -> bool:
    """Return whether an address points to a place on the page itself.

    Examples: ``#survey``, ``./#survey``, ``README.md#survey``.
    """
    return "#" in url and _WITHIN_PAGE.match(url) is not None


def without_link_word(words: str) -> str:
    """Return folded words without a final word for *link*: *code link* becomes *code*."""
    return _LINK_WORD.sub("", words)


@lru_cache(maxsize=1024)
def role_word(label: str) -> LinkRole | None:
    """Return the role that a label names, or None: ``[Paper]`` is ``paper``.

    Brackets and case are ignored, and so is a venue: ``Paper-ECCV14``. Of several roles, the first
    counts: ``code & data``.
    """
    is_bare = label[:1].isalnum() and label[-1:].isalnum()
    words = (label if is_bare else without_edges(label)).casefold()
    if words[:2] not in _BEGINNINGS:
        return None  # This is the case for most titles.
    if role := _ROLE_OF_LABEL.get(without_link_word(words)):
        return role
    if placed := _WHERE.fullmatch(words):
        return _ROLE_OF_LABEL[placed["role"]]
    roles = [_ROLE_OF_LABEL.get(part) for part in _BETWEEN_ROLES.split(words)]
    if len(roles) > 1 and None not in roles:
        return roles[0]
    kind, _, word = words.partition(" ")
    return _ROLE_OF_LABEL.get(word) if kind in _KINDS else None


def role_of(url: str, label: str, column: str | None = None) -> LinkRole:
    """Return what a link is for. ``column`` is the role of its table column.

    A link with a registered identifier leads to the paper, whatever its label:
    ``[[pdf]](https://dl.acm.org/doi/…)``. ``[[GitHub]](https://arxiv.org/…)`` is a mistake of the
    author, and leads to the paper too.
    """
    of_column = _OF_COLUMN.get(column or "")
    if of_column == "code":
        by_host = host_role(url)  # A code column may also contain other links.
        return "code" if by_host in (None, "model") else by_host
    if of_column is not None:
        return of_column
    if label.startswith("@"):
        return "author"
    by_label = role_word(label)
    if strong_identifier(url) is not None and by_label not in _BESIDE_THE_WORK:
        return "paper"
    return by_label or host_role(url) or "other"


@lru_cache(maxsize=8192)
def host_role(url: str) -> LinkRole | None:
    """Return the role that an address's host and path show, or None."""
    if not is_web(url):
        return None
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    path = parts.path.lower()
    by_ending = next((role for ends, role in _ENDINGS.items() if path.endswith(ends)), None)
    return by_ending or _role_of_host(host, path)


def _role_of_host(host: str, path: str) -> LinkRole | None:
    if host == "huggingface.co":
        return _HUGGING_FACE.get(path.split("/")[1] if "/" in path else "", "model")
    for name in (host, host.partition(".")[2]):
        if name in _HOSTS:
            return _HOSTS[name]
    if host.endswith((".github.io", ".gitlab.io", ".readthedocs.io")):
        return "project"
    return "post" if host.startswith(("blog.", "blogs.")) or "blog" in path.split("/") else None


@lru_cache(maxsize=8192)
def strong_identifier(url: str) -> Identifier | None:
    """Return the identifier of the work that an address belongs to; None for any other page."""
    return identify_work(url) if is_web(url) else None
