"""What a link is for, judged by its column, its label and its address, in that order of weight."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

from papertrack.documents.markdown.model import PlacedLink
from papertrack.documents.markdown.read.blocks import Context
from papertrack.documents.markdown.read.inline import Inline, InlineLink, plain, scan_inline
from papertrack.documents.markdown.values import Span
from papertrack.identifiers import identify
from papertrack.records import Identifier, LinkRole
from papertrack.text import clean

STRONG_SCHEMES = ("arxiv", "doi", "openreview", "acl", "dblp")
"""Schemes that name a work, strongest first; ``url`` only names a place."""

_LABELS: dict[LinkRole, tuple[str, ...]] = {
    "paper": (
        *("paper", "arxiv", "abs", "abstract", "acm", "ieee", "openreview", "proceedings"),
        *("preprint", "html", "doi", "springer", "论文", "原文", "arxiv paper", "publisher"),
    ),
    "pdf": ("pdf", "paper pdf", "thecvf"),
    "code": (
        *("code", "github", "repo", "repository", "official code", "official", "codes"),
        *("implementation", "gitlab", "source", "代码", "pytorch", "tensorflow", "jax"),
    ),
    "project": ("project", "project page", "page", "website", "homepage", "web", "site", "主页"),
    "note": ("note", "notes", "my notes", "笔记", "阅读笔记"),
    "translation": (
        *("chinese version", "english version", "chinese", "english", "translation", "中文"),
        *("中文版", "英文", "英文版", "英文版本", "中文版本", "en", "cn", "zh"),
    ),
    "video": ("video", "youtube", "bilibili", "talk", "视频", "recording", "presentation"),
    "slides": ("slides", "slide", "ppt", "deck"),
    "post": ("blog", "blog post", "post", "article", "medium", "zhihu", "知乎", "tutorial"),
    "data": ("data", "dataset", "datasets", "benchmark"),
    "model": ("model", "models", "weights", "checkpoint", "checkpoints", "hf"),
    "demo": ("demo", "colab", "space", "playground", "app"),
    "other": ("poster", "bibtex", "cite", "program", "supplement", "appendix", "tweet", "twitter"),
}
_ROLE_OF_LABEL: dict[str, LinkRole] = {
    word: role for role, words in _LABELS.items() for word in words
}
_COLUMNS: dict[str, LinkRole] = {
    "code": "code",
    "note": "note",
    "author": "author",
    "project": "project",
    "video": "video",
    "slides": "slides",
    "data": "data",
    "model": "model",
    "demo": "demo",
    "post": "post",
}
_HOSTS: dict[str, LinkRole] = {
    **dict.fromkeys(("github.com", "gitlab.com", "bitbucket.org", "gitee.com"), "code"),
    **dict.fromkeys(("youtube.com", "youtu.be", "bilibili.com", "vimeo.com"), "video"),
    **dict.fromkeys(("slideshare.net", "speakerdeck.com"), "slides"),
    **dict.fromkeys(
        (
            *("zhihu.com", "zhuanlan.zhihu.com", "medium.com", "substack.com", "mp.weixin.qq.com"),
            *("towardsdatascience.com", "dev.to", "juejin.cn", "csdn.net", "wordpress.com"),
            *("notion.site", "distill.pub"),
        ),
        "post",
    ),
    **dict.fromkeys(
        (
            *("usenix.org", "proceedings.mlr.press", "papers.nips.cc", "neurips.cc", "jmlr.org"),
            *("ieeexplore.ieee.org", "dl.acm.org", "link.springer.com", "sciencedirect.com"),
            *("openaccess.thecvf.com", "ojs.aaai.org", "nature.com", "science.org", "ijcai.org"),
            *("semanticscholar.org", "proceedings.mlsys.org", "projecteuclid.org", "ssrn.com"),
            *("biorxiv.org", "vldb.org", "isca-archive.org", "roboticsproceedings.org"),
            *("researchgate.net", "openreview.net", "arxiv.org", "aclanthology.org"),
        ),
        "paper",
    ),
    "huggingface.co": "model",
    "kaggle.com": "data",
    "colab.research.google.com": "demo",
}
_ENDINGS: dict[tuple[str, ...], LinkRole] = {
    (".pdf", ".ps", ".ps.gz"): "pdf",
    (".mp4", ".webm", ".mov"): "video",
    (".pptx", ".ppt", ".key"): "slides",
}
"""What the end of an address's path says."""
_HUGGING_FACE: dict[str, LinkRole] = {
    "datasets": "data",
    "spaces": "demo",
    "blog": "post",
    "papers": "paper",
}
"""What the first part of a path on Hugging Face says; anything else is a model."""
_BESIDE_THE_WORK = ("video", "slides", "translation")
"""What is not the paper itself, even at the paper's own address."""
_BRACKETS = re.compile(r"^[\W_]+|[\W_]+$")


def is_within_page(url: str) -> bool:
    """Return whether an address is only a place on the same page (``#survey``)."""
    return url.startswith("#")


def is_web(url: str) -> bool:
    """Return whether an address is an http(s) address."""
    return url[:8].lower().startswith(("http://", "https://"))


@lru_cache(maxsize=1024)
def role_word(label: str) -> LinkRole | None:
    """Return the role that a label names, brackets and case aside: ``[Paper]`` → ``paper``."""
    word = _BRACKETS.sub("", label).casefold()
    return _ROLE_OF_LABEL.get(word)


def role_of(url: str, label: str, column: str | None = None) -> LinkRole:
    """Return what a link is for; ``column`` is the role of its table column.

    The label of ``[[pdf]](https://dl.acm.org/doi/…)`` says pdf, but a registered identifier makes
    it the paper itself. ``[[GitHub]](https://arxiv.org/…)`` is a slip of the pen: the paper too.
    """
    if column in _COLUMNS:
        return _role_in_column(url, _COLUMNS[column])
    if label.startswith("@"):
        return "author"
    by_label = role_word(label)
    if strong_identifier(url) is not None and by_label not in _BESIDE_THE_WORK:
        return "paper"
    if by_label is not None:
        return by_label
    return host_role(url) or "other"


def _role_in_column(url: str, role: LinkRole) -> LinkRole:
    """Return a column's role, unless a column of code holds a link to something else."""
    if role != "code":
        return role
    by_host = host_role(url)
    return role if by_host in (None, "model") else by_host


@lru_cache(maxsize=8192)
def host_role(url: str) -> LinkRole | None:
    """Return what the host and the path of an address say about a link, or None."""
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
    for known in (host, host.partition(".")[2]):
        if known in _HOSTS:
            return _HOSTS[known]
    if host.endswith((".github.io", ".gitlab.io", ".readthedocs.io")):
        return "project"
    is_blog = host.startswith(("blog.", "blogs.")) or "blog" in path.split("/")
    return "post" if is_blog else None


@lru_cache(maxsize=8192)
def strong_identifier(url: str) -> Identifier | None:
    """Return the identifier of a work that an address stands for, or None for a mere place."""
    found = identify(url) if is_web(url) else None
    return found if found is not None and found.scheme in STRONG_SCHEMES else None


def links_in(
    context: Context, span: Span, column: str | None = None, number: int | None = None
) -> list[PlacedLink]:
    """Return the links of a stretch with their roles, in-page ones left out; of a table's cell
    ``column`` is the role of its column."""
    inline = scan_inline(context.text, *span, context.definitions)
    return place_links(context.text, inline, column, number)


def place_links(
    text: str, inline: Inline, column: str | None = None, number: int | None = None
) -> list[PlacedLink]:
    """Return the links of a stretch with their roles, those within the page left out."""
    return [
        _place(text, link, column, number) for link in inline.links if not is_within_page(link.url)
    ]


def _place(text: str, link: InlineLink, column: str | None, number: int | None) -> PlacedLink:
    if link.picture is None:
        label = _without_brackets(plain(text[slice(*link.label_span)]))
    else:
        label = clean(link.picture) or _badge_name(link.picture_url or "")
    return PlacedLink(
        role=role_of(link.url, label, column),
        url=link.url,
        label=label,
        span=link.span,
        label_span=link.label_span,
        url_span=link.url_span,
        form=link.form,
        reference=link.reference,
        is_badge=link.picture is not None,
        column=number,
    )


def _without_brackets(label: str) -> str:
    """Return ``pdf`` for ``[pdf]``, of a link written ``[[pdf]](…)``."""
    return label[1:-1].strip() if label[:1] == "[" and label[-1:] == "]" else label


def _badge_name(picture_url: str) -> str:
    """Return the word that a badge without a description shows: ``…/badge/arXiv-…`` → arXiv."""
    match = re.search(r"/badge/([A-Za-z]{2,20})", picture_url)
    return match[1] if match else ""
