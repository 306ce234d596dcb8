"""What is wrong with a link by itself: no address, no text, an address that leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from papertrack.documents.markdown.check.findings import Finding
from papertrack.documents.markdown.check.stretches import Stretch
from papertrack.documents.markdown.model import Document, PlacedLink
from papertrack.text import shorten

BROKEN = re.compile(r"[^A-Za-z0-9/?#.]{1,9}[A-Za-z][A-Za-z0-9+.-]{0,19}://")
"""The start of an address that was meant for the web, but pasted with something before its
scheme: it leads nowhere."""


def check_links(document: Document, stretches: Sequence[Stretch]) -> Iterator[Finding]:
    """Yield links without address or text, and addresses that no browser follows.

    A badge without an address (``[![arXiv](…)]()``) is a place kept for one: it is no finding.
    """
    for stretch in stretches:
        for link in stretch.inline.links:
            text = document.text[slice(*link.label_span)].strip()
            line = document.line_of(link.span[0])
            if empty := _emptiness(link, text):
                yield Finding(line, "empty-link", empty, text or link.url)
            if BROKEN.match(link.url):
                message = f"{_named(text)} leads nowhere: {shorten(link.url, 80)} is no address."
                message += " What is before the scheme?"
                yield Finding(line, "broken-address", message, link.url)


def _emptiness(link: PlacedLink, text: str) -> str | None:
    """Return in a sentence what a link lacks."""
    if link.form == "inline" and not link.url and not link.is_badge:
        return f"{_named(text)} has no address."
    if link.form in ("inline", "reference") and not text and not link.url.startswith("#"):
        return f"The link to {shorten(link.url, 80)} has no text: it cannot be seen."
    return None


def _named(text: str) -> str:
    return f"The link “{shorten(text, 80)}”"
