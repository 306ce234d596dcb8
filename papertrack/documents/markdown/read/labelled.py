"""Lines behind labels, ``- Venue: ICLR 2026``, ``📅 Date: March 9, 2025``, ``Status: done``.

What a label says of its line is what it would say above a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import attrgetter

from papertrack.documents.markdown.grammar.names import people_in
from papertrack.documents.markdown.headers import role_of_header
from papertrack.documents.markdown.model import Entry, Lines, Part, PartRole
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import Span, find_date, find_rating, stripped
from papertrack.text import fold

_LABEL = re.compile(
    r"[ \t>]*(?:[-+*][ \t]+)?[*_]{0,2}"
    r"(?:[^\w\s\[\]()<>*_`!\"'“‘「『《«#$&@\\]{1,4}[ \t]*)?[*_]{0,2}"
    r"(?P<words>[^\W\d_][^\n:：*_]{0,24}?)[*_]{0,2}[ ]?[:：]{1,2}[*_]{0,2}[ \t]*"
)
_IN_BRACKETS = re.compile(r"\s*[(（].*")
"""What says more of a label: ``GitHub (official):``."""
_LINE = re.compile(
    r"^[ \t>]*(?:[-+*][ \t]+)?[*_]{0,2}(?P<label>[^\W\d_][^\n|:：*_]{0,20}?)[*_]{0,2}"
    r"[ ]?[:：][*_]{0,2}[ \t]*(?P<value>[^\s:：](?:[^\n:：]{0,40}[^\s:：])?)[ \t\r]*$",
    re.MULTILINE,
)
_LONGEST_VENUE = 120
_BETWEEN_TAGS = re.compile(r"\]\s*[,;、，·|]?\s*\[|\s*[,;、，；·|]\s*")


def label_at(lines: Lines, span: Span) -> re.Match[str] | None:
    """Return the label that a stretch starts with: its ``words`` and the colon behind them."""
    return _LABEL.match(lines.text, *span)


def role_of_label(label: re.Match[str]) -> str:
    """Return what a label says, as a role of links or of columns; ``other`` of an unknown one."""
    words = _IN_BRACKETS.sub("", label["words"])
    return role_word(words) or role_of_header(fold(words), words)


def role_of_words(label: re.Match[str]) -> str:
    """Return what a label says that no link stands behind, as a role of columns."""
    words = _IN_BRACKETS.sub("", label["words"])
    return role_of_header(fold(words), words)


def labelled_values(lines: Lines, spans: Iterable[Span]) -> dict[str, Span]:
    """Return where the words stand behind each label of these stretches, by the role of a column
    with such a header; of several labels for one role the first counts."""
    found: dict[str, Span] = {}
    for span in spans:
        for one in _lines_in(lines, span):
            label = label_at(lines, one)
            if label is not None and (label.end() < one[1]):
                found.setdefault(role_of_words(label), stripped(lines.text, (label.end(), one[1])))
    return found


def _lines_in(lines: Lines, span: Span) -> Iterator[Span]:
    first, last = lines.line_of(span[0]) - 1, lines.line_of(max(span[0], span[1] - 1)) - 1
    for number in range(first, last + 1):
        start, end = lines.line_span(number)
        yield max(start, span[0]), min(end, span[1])


def _tags_in(lines: Lines, span: Span) -> Iterator[Part]:
    """Yield the tags that a line lists behind its label: ``[folding], [robots]``."""
    edges = [one.span() for one in _BETWEEN_TAGS.finditer(lines.text, *span)]
    starts, ends = [span[0], *(end for _, end in edges)], [*(start for start, _ in edges), span[1]]
    for start, end in zip(starts, ends, strict=True):
        tag = stripped(lines.text, (start, end), " []`#*_")
        if tag[0] < tag[1]:
            yield Part("tag", tag)


def below_first_line(lines: Lines, own: Span) -> Span | None:
    """Return what of an item's own text stands below its first line."""
    end = lines.text.find("\n", *own)
    return None if end < 0 else (end + 1, own[1])


_ROLES: dict[str, PartRole] = {"author": "authors", "venue": "venue", "description": "details"}
"""What the words behind labels are, by the role of the label."""


def with_labelled(lines: Lines, entry: Entry, told: Mapping[str, Span]) -> Entry:
    """Return an entry with what the lines below it say behind labels, as far as its own text does
    not; ``told`` is where the words stand, by the role of the label."""
    fields, anatomy = entry.fields, entry.anatomy
    said = {role: plain(lines.text[slice(*span)]) for role, span in told.items()}
    below = [Part(part, told[role]) for role, part in _ROLES.items() if role in told]
    date = find_date(lines.text, *told["date"]) if "date" in told else None
    below += [Part("date", date.span)] if date else []
    tags = [*_tags_in(lines, told["tags"])] if "tags" in told else []
    rated = (None, None) if fields.rating or "rating" not in told else _scored(lines.text, told)
    venue = said.get("venue", "")
    people = people_in(_unlinked(said.get("author", "")), is_sure="author" in said)
    return replace(
        entry,
        fields=replace(
            fields,
            authors=fields.authors or people,
            venue=fields.venue or (venue if 0 < len(venue) < _LONGEST_VENUE else None),
            rating=fields.rating or rated[0],
            date=fields.date or (date.iso if date else None),
            tags=tuple(dict.fromkeys((*fields.tags, *(said_by(lines.text, t) for t in tags)))),
            description=fields.description or said.get("description") or None,
        ),
        anatomy=replace(
            anatomy,
            date=anatomy.date or (date.span if date else None),
            rating=anatomy.rating or rated[1],
            below=tuple(sorted((*below, *tags), key=attrgetter("span"))),
        ),
    )


def said_by(text: str, part: Part) -> str:
    """Return what a part says, plain."""
    return plain(text[slice(*part.span)])


def _unlinked(names: str) -> str:
    """Return names without the signs of links to notes about them."""
    return names.replace("[[", "").replace("]]", "")


def _scored(text: str, told: Mapping[str, Span]) -> tuple[int, Span] | tuple[None, None]:
    """Return the stars, the score or the number up to 5 behind the label of a rating."""
    start, end = told["rating"]
    if text[start:end] in "12345":
        return int(text[start:end]), (start, end)
    return find_rating(text, start, end) or (None, None)
