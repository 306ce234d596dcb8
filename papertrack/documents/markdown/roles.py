"""What a link is for, judged by its column, its label and its address, in that order of weight."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

from papertrack.identifiers import identify
from papertrack.records import Identifier, LinkRole

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
_BRACKETS = re.compile(r"^[\W_]+|[\W_]+$")
_NOTE_FILE = re.compile(r"\.(?:md|markdown|ipynb|txt|rst|org)(?:#.*)?$", re.IGNORECASE)


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
        if column == "code" and host_role(url) not in ("code", None, "model"):
            return host_role(url) or "code"
        return _COLUMNS[column]
    by_label = role_word(label)
    if label.startswith("@"):
        return "author"
    if strong_identifier(url) is not None and by_label not in ("video", "slides", "translation"):
        return "paper"
    if by_label is not None:
        return by_label
    if not is_web(url):
        return "note" if _NOTE_FILE.search(url) and column == "note" else "other"
    return host_role(url) or "other"


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
    if path.endswith((".pdf", ".ps", ".ps.gz")):
        return "pdf"
    if path.endswith((".mp4", ".webm", ".mov")):
        return "video"
    if path.endswith((".pptx", ".ppt", ".key")):
        return "slides"
    if host == "huggingface.co":
        return _hugging_face_role(path)
    for known in (host, host.partition(".")[2]):
        if known in _HOSTS:
            return _HOSTS[known]
    if host.endswith((".github.io", ".gitlab.io", ".readthedocs.io")):
        return "project"
    if host.startswith(("blog.", "blogs.")) or "blog" in path.split("/"):
        return "post"
    return None


def _hugging_face_role(path: str) -> LinkRole:
    roles: dict[str, LinkRole] = {"datasets": "data", "spaces": "demo", "blog": "post"}
    roles["papers"] = "paper"
    return roles.get(path.split("/")[1] if "/" in path else "", "model")


@lru_cache(maxsize=8192)
def strong_identifier(url: str) -> Identifier | None:
    """Return the identifier of a work that an address stands for, or None for a mere place."""
    found = identify(url) if is_web(url) else None
    return found if found is not None and found.scheme in STRONG_SCHEMES else None
