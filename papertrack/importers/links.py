"""Import lists of URLs and ids: browser bookmarks, ids of arXiv and Semantic Scholar, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from lxml import etree

from papertrack.documents.markdown.roles import host_role
from papertrack.errors import DocumentError
from papertrack.identifiers import arxiv_month, identify, identify_work, url_of
from papertrack.identifiers.addresses import normalise_url
from papertrack.importers.fields import line, words_of
from papertrack.importers.html import parse_html
from papertrack.importers.model import Category, Found, Item, Source
from papertrack.records import Kind, Link, LinkRole, PaperFacts
from papertrack.text import clean

_BOOKMARKS = re.compile(rb"\s*<!DOCTYPE\s+NETSCAPE-Bookmark-file-1", re.I)
_UNCLOSED_TAGS = re.compile(r"<(?:dt|dd|p)>", re.I)
"""Browsers do not close these, so they nest, and libxml2 stops at the 250th."""
_COMMENT = re.compile(r"^\s*(?:#|//).*|(?<!\s)\s+#.*")
_CORPUS_ID = re.compile(r"(?:corpus_?id)\s*:\s*(\d{1,12})", re.I)
_PAPER_ID = re.compile(r"[0-9a-f]{40}")
_SCHOLAR = "https://www.semanticscholar.org/paper/"
_API = "https://api.semanticscholar.org/CorpusID:"
_ID_BEFORE_TITLE = re.compile(r"\[(?:\d{4}\.\d{4,5}|[a-z.-]+/\d{7})(?:v\d+)?\]\s*")
_KINDS: dict[LinkRole, Kind] = {"code": "project", "project": "project", "post": "post"}
_IMPORTED_ROLES = frozenset(("paper", "pdf", "code", "project", "post"))
NO_WORK = "its address is not on a known site for papers, code or posts"


def is_bookmarks(candidate: Found) -> bool:
    """Return whether it begins like a browser's bookmarks."""
    return _BOOKMARKS.match(candidate.head) is not None


def is_ids(candidate: Found) -> bool:
    """Return whether each line is a single id or URL."""
    # In other files the first line already differs.
    lines = filter(None, (_COMMENT.sub("", line).strip() for line in candidate.lines))
    are_addresses = (_address_of(line) is not None for line in lines)
    return next(are_addresses, False) and all(are_addresses)


def read_ids(candidate: Found) -> Source:
    """Return the works in the lines."""
    texts = list(filter(None, (_COMMENT.sub("", text).strip() for text in candidate.lines)))
    source = Source("links", len(texts))
    for text in texts:
        source.take(_item(_address_of(text) or text, text, None))
    return source


def read_bookmarks(candidate: Found) -> Source:
    """Return the bookmarks of works, with their folders. Raises DocumentError."""
    try:
        root = parse_html(_UNCLOSED_TAGS.sub("", candidate.text))
    except (etree.LxmlError, ValueError) as error:
        raise DocumentError(
            f"The bookmarks in {candidate.path} cannot be read: {error}. Nothing was imported."
        ) from error
    links = list(_bookmarks(root))
    source = Source("bookmarks", len(links))
    for number, (category, element) in enumerate(links, start=1):
        address, title = clean(element.get("href") or "").strip(), _text_of(element)
        title = _ID_BEFORE_TITLE.sub("", title) if "://" not in title else ""
        is_of_work = normalise_url(address) is not None and host_role(address) in _IMPORTED_ROLES
        if not is_of_work and identify_work(address) is None:
            source.leave_out(str(number), title or address, NO_WORK)
            continue
        item = _item(address, address, title or None)
        tags = words_of(element.get("tags") or "")
        categories = (category,) if category else ()
        source.take(replace(item, categories=categories, tags=tags, added=_added(element)))
    return source


def _bookmarks(root: etree._Element) -> Iterator[tuple[Category, etree._Element]]:
    """Yield each link with its folders; a heading is the name of the next list."""
    folders: list[str] = []
    heading = ""
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            if element.tag == "dl" and folders:
                folders.pop()
            continue
        if element.tag in ("h1", "h2", "h3"):
            heading = _text_of(element) if element.tag == "h3" else ""
        elif element.tag == "dl":
            folders.append(heading)
            heading = ""
        elif element.tag == "a" and element.get("href"):
            yield tuple(filter(None, folders)), element


def _text_of(element: etree._Element) -> str:
    return line(str(element.xpath("string()")))


def _added(element: etree._Element) -> str | None:
    seconds = element.get("add_date") or ""
    is_time = re.fullmatch("[1-9][0-9]{0,9}", seconds)
    return datetime.fromtimestamp(int(seconds), UTC).isoformat() if is_time else None


def _address_of(text: str) -> str | None:
    """Return the URL or id in a line, or None."""
    if match := _CORPUS_ID.fullmatch(text):
        return f"{_API}{match[1]}"
    if _PAPER_ID.fullmatch(text):
        return f"{_SCHOLAR}{text}"
    is_long = " " not in text and len(text) >= 6
    return text if is_long and identify(text) is not None else None


def _item(address: str, key: str, title: str | None) -> Item:
    identifier = identify(address)
    assert identifier is not None
    is_url = identifier.scheme == "url"
    url = address if normalise_url(address) and is_url else url_of(identifier)
    role = host_role(url) if is_url else "paper"
    kind = _KINDS.get(role or "other", "paper" if role in ("paper", "pdf") else "resource")
    facts = PaperFacts(
        title=title,
        kind=kind,
        identifiers=(identifier,),
        links=(Link("paper", url),),
        submitted=arxiv_month(identifier.value) if identifier.scheme == "arxiv" else None,
    )
    return Item(f"{identifier.scheme}:{identifier.value}", "misc", facts)
