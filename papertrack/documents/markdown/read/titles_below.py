"""Titles behind a label: ``- BERT`` with ``- Title: Pre-training of …`` below it.

The words above such a line are a short name of the work, as curators call it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from papertrack.documents.markdown.model import Part, Unit
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.syntax import inner_span
from papertrack.documents.markdown.values import Span

_TITLE = re.compile(
    r"[ \t]*(?:[-+*][ \t]+)?[*_]{0,2}"
    r"(?:(?:paper[ ]|full[ ])?title|(?:论文|英文)?(?:标题|题目|名称)|論文名"
    r"|(?:論文)?(?:タイトル|題目)|제목|titel|titre|título|titolo|название)"
    r"[*_]{0,2}[ ]?[:：][*_]{0,2}[ \t]*[\"“「『《]?(?=\S)",
    re.IGNORECASE,
)


def title_below(context: Context, unit: Unit, below: Iterable[Span]) -> Unit:
    """Return what an item says with the title that a line below it is labelled as, if one is."""
    found = (match for span in below if (match := _TITLE.match(context.text, *span)))
    if (label := next(found, None)) is None:
        return unit
    end = next(span[1] for span in below if span[0] <= label.start() < span[1])
    return _with_title(context, unit, (label.end(), end))


def _with_title(context: Context, unit: Unit, rest: Span) -> Unit:
    """Return a unit whose title is all that stands behind a label, or the link that does."""
    span = inner_span(context.text, rest)
    link = next((one for one in context.links_in(span) if one.span == span), None)
    title = inner_span(context.text, link.label_span) if link else span
    parts = tuple(_as_name(part) for part in unit.anatomy.parts)
    anatomy = replace(unit.anatomy, title=title, parts=parts, certainty=1.0)
    return replace(unit, anatomy=anatomy, title_link=link)


def _as_name(part: Part) -> Part:
    return replace(part, role="name") if part.role == "title" else part


def is_labelled_title(context: Context, own: Span) -> bool:
    """Return whether an item starts with a label that says that a title follows."""
    return _TITLE.match(context.text, *own) is not None
