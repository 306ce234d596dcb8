"""What a document links of the files around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from papertrack.documents.markdown.check.links import BROKEN
from papertrack.documents.markdown.check.stretches import running_text
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.roles import is_web
from papertrack.documents.markdown.syntax import Inline, parse_syntax
from papertrack.documents.markdown.values import Span

_OF_THE_FORGE = re.compile(
    r"(?:\.\./){1,9}(?:issues|pulls?|wiki|discussions|releases|actions|projects|stargazers|network"
    r"|graphs|security|compare|commits?|blob|tree|raw|edit|new|milestones|labels|forks)(?:/|$)"
)
"""Pages of a repository, as GitHub's own READMEs link them."""
_MAY_BE_LOCAL = re.compile(
    r"\]\(\s*<?(?!https?://|\#)\S|(?:href|src)\s{0,9}=\s{0,9}[\"']?(?!https?://|\#)[^\s\"'>]", re.I
)
_REFERENCE = re.compile(r"[\[<]")


class LocalLink(NamedTuple):
    """A link to something beside the document."""

    line: int
    path: str
    """Relative to the document's folder, with ``/``."""
    is_note: bool
    """Whether it is an entry's link to a note."""


def local_links(document: Document) -> Iterator[LocalLink]:
    """Yield the links and pictures that lead to files beside the document, in their order.

    A path from the root of a repository is left out: where that is, the document does not say.
    """
    links = (link for entry in document.entries for link in entry.anatomy.links)
    notes = {link.span for link in links if link.role == "note"}
    # Most of a long list leads elsewhere, and is not looked at link by link.
    is_any_defined = any(_path_beside(one.url) for one in document.definitions)
    is_wanted = _REFERENCE.search if is_any_defined else _MAY_BE_LOCAL.search
    for stretch in running_text(parse_syntax(document), is_wanted):
        for span, url in sorted(_urls(stretch.inline)):
            if path := _path_beside(url):
                yield LocalLink(document.line_of(span[0]), path, span in notes)


def _urls(inline: Inline) -> Iterator[tuple[Span, str]]:
    """Yield the addresses of links and pictures, with where they stand."""
    yield from ((link.span, link.url) for link in inline.links)
    yield from ((span, url) for span, (_, url) in inline.pictures.items())


def _path_beside(url: str) -> str | None:
    """Return the path that an address gives from the document's folder; None for any other."""
    if not url or is_web(url) or BROKEN.match(url) or _OF_THE_FORGE.match(url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    path = unquote(parts.path)
    is_elsewhere = parts.scheme or parts.netloc or path.startswith(("/", "\\", "{", "<"))
    return None if is_elsewhere else path
