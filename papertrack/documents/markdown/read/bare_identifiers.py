"""Find identifiers that are written without a link: ``arXiv:1706.03762``, ``doi:10.1145/…``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from papertrack.documents.markdown.model import PlacedLink
from papertrack.documents.markdown.values import Span
from papertrack.identifiers import ArxivId, parse_arxiv_id, parse_doi

_DOI = re.compile(r"(?<![\w./])doi[:：][ ]?(10\.[0-9]{4,9}/[^\s<>\[\]\"“”|]{1,200})", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?<![\w/:.])(?:arXiv[: ]\s?|abs/)([0-9]{4}\.[0-9]{4,5}|[a-z-]{2,9}/[0-9]{7})(?![0-9])",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[0-9]{4}\.[0-9]{4}|10\.[0-9]{4}|/[0-9]{7}")
"""Matches in every identifier. Most texts contain none."""
_BARE = r"[0-9]{4}\.[0-9]{4,5}(?:v[0-9]{1,2})?"
_IN_BRACKETS = re.compile(rf"[(\[【（]({_BARE})[)\]】）]")
_OLD = re.compile(
    r"(?<![\w/.:-])((?:hep-(?:th|ph|ex|lat)|astro-ph|cond-mat|gr-qc|quant-ph|math-ph|nucl-(?:th|ex)"
    r"|math|cs|nlin|physics|q-bio|q-alg|alg-geom|chao-dyn|solv-int|funct-an|dg-ga|cmp-lg)"
    r"(?:\.[A-Za-z]{2})?/[0-9]{7})(?![0-9])"
)
"""An arXiv id from before 2007, which is recognized by the name of its archive."""
_LEADING = re.compile(
    rf"[ \t>]*(?:(?:[-+*]|[0-9]{{1,4}}[.)])[ \t]+)?[*_`]{{0,3}}({_BARE})"
    r"[*_`]{0,3}(?=[ \t:：,，-]|$)",
    re.MULTILINE,
)
_FILLING = re.compile(rf"[ \t`]*({_BARE})[ \t`]*")


def written_ids(text: str, span: Span, links: Sequence[PlacedLink]) -> list[PlacedLink]:
    """Return the identifiers written outside of links in a span, as links.

    An arXiv id without a prefix counts if it starts the span or is alone in brackets.
    """
    if not _SIGN.search(text, *span):
        return []
    link_spans = [link.span for link in links]
    identifiers = [*_arxiv_ids(text, span), *_dois(text, span)]
    return [
        PlacedLink("paper", url, text[slice(*where)], where, where, where, "text")
        for where, url in dict(identifiers).items()
        if not any(start <= where[0] < end for start, end in link_spans)
    ]


def id_in_cell(text: str, span: Span) -> PlacedLink | None:
    """Return the arXiv id that fills a table cell, as a link, or None."""
    match = _FILLING.fullmatch(text, *span)
    paper = parse_arxiv_id(match[1]) if match else None
    if match is None or paper is None:
        return None
    where = match.span(1)
    return PlacedLink("paper", _address(paper), match[1], where, where, where, "text")


def _address(paper: ArxivId) -> str:
    return f"https://arxiv.org/abs/{paper.id}"


def _arxiv_ids(text: str, span: Span) -> Iterator[tuple[Span, str]]:
    for match in _ARXIV.finditer(text, *span):
        yield match.span(), f"https://arxiv.org/abs/{match[1]}"
    leading = _LEADING.match(text, *span)
    bare = [*([leading] if leading else []), *_IN_BRACKETS.finditer(text, *span)]
    bare += _OLD.finditer(text, *span)
    for match in bare:
        if paper := parse_arxiv_id(match[1]):  # An id has a valid month, unlike other numbers.
            yield match.span(1), _address(paper)


def _dois(text: str, span: Span) -> Iterator[tuple[Span, str]]:
    for match in _DOI.finditer(text, *span):
        if doi := parse_doi(match[1]):  # The DOI without the punctuation of the sentence.
            yield (match.start(), match.start(1) + len(doi)), f"https://doi.org/{doi}"
