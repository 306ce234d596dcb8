"""Works that a README only mentions: in footnotes, and in the sentences of its prose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from papertrack.documents.markdown.grammar.likeness import words_of
from papertrack.documents.markdown.model import Mention, PlacedLink, Unit
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.syntax import plain

_FOOTNOTE = re.compile(r"[ \t>]*\[\^[^\[\]\s]{1,60}\]:")
_WORD_BEFORE = re.compile(r"\b[a-z]{2,}[ \r\n]+[*_]{0,2}\Z")
_WORD_BEHIND = re.compile(r"[*_]{0,2},?[ \r\n]+(?:[a-z]{2,})\b")
_FEW = 12
"""Words outside its links that a paragraph has at least that is prose."""


def is_in_passing(text: str, unit: Unit) -> bool:
    """Return whether a paragraph is a footnote, or prose whose sentences go on around the works
    that they link to."""
    works = [link for link in unit.links if strong_identifier(link.url)]
    if not works:
        return False
    start, end = unit.anatomy.own
    if _FOOTNOTE.match(text, start, end):
        return True
    return _is_prose(text, unit, works) or all(_is_named_after(text, unit, one) for one in works)


def _is_named_after(text: str, unit: Unit, link: PlacedLink) -> bool:
    """Whether a sentence calls a work by a common word: ``please cite our [survey](…)``."""
    start = max(unit.anatomy.own[0], link.span[0] - 40)
    is_common = link.label.islower() and link.label.isalpha() and role_word(link.label) is None
    return is_common and _WORD_BEFORE.search(text, start, link.span[0]) is not None


def _is_prose(text: str, unit: Unit, works: list[PlacedLink]) -> bool:
    start, end = unit.anatomy.own
    labels = "".join(link.label for link in unit.links)
    outside = words_of(plain(text[start:end])) - words_of(labels)
    return outside >= _FEW and all(_is_in_sentence(text, unit, link) for link in works)


def _is_in_sentence(text: str, unit: Unit, link: PlacedLink) -> bool:
    """Whether a sentence goes on around a link that names a work rather than its own role."""
    start, end = unit.anatomy.own
    before = _WORD_BEFORE.search(text, max(start, link.span[0] - 40), link.span[0])
    behind = _WORD_BEHIND.match(text, link.span[1], end)
    return not link.is_badge and role_word(link.label) is None and bool(before and behind)


def mentions_in(context: Context, unit: Unit) -> Iterator[Mention]:
    """Yield the works that a stretch links to, by what it calls them."""
    for link in unit.links:
        if (found := strong_identifier(link.url)) is not None:
            label = "" if link.label == link.url or role_word(link.label) else link.label
            yield Mention(found, label, context.line_of(link.span[0]))
