"""Patterns with which the user declares how the entries of a list are written.

In ``- [{date}] [{title}]({url}) ({venue})``, text outside of braces is literal, and a blank matches
any number of blanks. ``{?…?}`` encloses an optional part; ``{{`` and ``}}`` are literal braces. A
pattern is used to read the lines of a list and to write new ones. A line that does not match is
read as if there were no pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import pairwise, product, takewhile
from typing import NamedTuple, cast

from papertrack.documents.markdown.model import ParsedText, Part, PartRole
from papertrack.documents.markdown.values import Span, stripped
from papertrack.documents.markdown.write.markup import join_gaps
from papertrack.errors import UsageError
from papertrack.records import LinkRole
from papertrack.text import fold

ENTRY = "entry"
"""The setting for the pattern of all lists. ``entry.HEADING`` is for lists below a heading."""
_WORDS: dict[str, PartRole] = {
    **{"title": "title", "name": "name", "authors": "authors", "venue": "venue", "date": "date"},
    **{"year": "date", "tags": "tag", "description": "details", "number": "number"},
}
"""Fields of words, and the role of a part in their place."""
_LINKS: dict[str, LinkRole] = {
    "url": "paper",
    **{
        role: cast(LinkRole, role)
        for role in "pdf code project video slides data model demo post note translation".split()
    },
}
"""Fields of links, and the role of the link in their place."""
LOOSE = ("mark", "rating", "any")
"""Fields that may match anywhere: marks and ratings are recognized by their signs."""
FIELDS = (*_WORDS, *_LINKS, *LOOSE)
_TOKEN = re.compile(
    r"\{\{|\}\}|(?P<open>\{\?)|(?P<close>\?\})"
    r"|\{(?P<field>[\w -]+)\}|(?P<brace>[{}])|(?P<text>[^{}?]+|\?)"
)
_MARKER = re.compile(r"[ \t>]*(?:[-+*][ \t]+|[0-9]{1,9}[.)][ \t]+|#{1,6}[ \t]+)?")
_MOST_OPTIONAL = 6
_LONGEST, _LONGEST_LINE = 400, 1500
"""The longest field, and the longest line that a pattern reads, to limit the time."""
_COLON = re.compile(r"^([*_`)\]\"”]*)[ ]?[:：]")
"""A colon at the start of the text between two fields. It belongs to the field before it."""
_SIGNS = r"(?:[^\w\s\[\]()]|:[a-z][a-z0-9_+-]*:|[ ](?=\S))+"
_FORMS = {
    "url": re.compile(r"[^\s<>()]+(?:\([^\s()]*\)[^\s<>()]*)*"),
    "number": re.compile(r"[0-9]+"),
    "year": re.compile(r"[0-9]{4}"),
    "mark": re.compile(rf"\[[^\[\]]?\]|\w+|{_SIGNS}"),
    "rating": re.compile(rf"[0-9][0-9./]*|{_SIGNS}"),
}
"""Expressions that some fields must match."""
_TAG = re.compile(r"[^,;，；、`|]+")


class Token(NamedTuple):
    """A field, or the literal text between two fields."""

    field: str | None
    words: str


Form = tuple[Token, ...]
"""A pattern with each optional part either kept or removed."""
Fields = Mapping[str, Span]


@dataclass(frozen=True)
class Pattern:
    """A parsed pattern."""

    marker: str
    """The marker of an item or heading: ``- ``, ``1. ``, ``### ``."""
    forms: tuple[Form, ...]
    """All variants, longest first."""

    def read(self, text: str, span: Span) -> ParsedText | None:
        """Match the text after the marker. Returns its parts, or None if it does not match."""
        for form in self._compiled:
            if fields := _Match(form, text, span).fields():
                return _parsed_text(text, fields)
        return None

    def write(self, value_of: Callable[[str], str | None]) -> str:
        """Write an entry. ``value_of`` returns the text of a field, or None if it is unknown.

        An unknown field is left out, with the optional part around it or else with its separator.
        """
        values = {token.field: value_of(token.field) for token in self.forms[0] if token.field}
        required = {token.field for token in self.forms[-1]}
        fitting = (
            form
            for form in self.forms
            if all(
                not part.field or part.field in required or values[part.field] is not None
                for part in form
            )
        )
        return self.marker + _written(next(fitting), values)

    @cached_property
    def _compiled(self) -> list[list[re.Pattern[str] | str]]:
        """The variants, with literal text compiled to regular expressions."""
        return [[token.field or _any_blanks(token.words) for token in form] for form in self.forms]


def _any_blanks(words: str) -> re.Pattern[str]:
    """Return an expression for literal text in which a blank matches any number of blanks."""
    return re.compile(r"\s+".join(map(re.escape, re.split(r"\s+", words))))


def _written(form: Form, values: Mapping[str, str | None]) -> str:
    """Return a variant filled with the known values. Unknown fields go with their separators."""
    shown, gaps = "", [""]
    for token in form:
        if token.field is None:
            is_behind_gone = len(gaps) > 1 and not gaps[-1]
            gaps[-1] += _COLON.sub(r"\1", token.words) if is_behind_gone else token.words
        elif (words := values.get(token.field)) is None:
            gaps.append("")
        else:
            gap = gaps[0] if len(gaps) == 1 else join_gaps(gaps, is_first=not shown, is_last=False)
            shown, gaps = f"{shown}{gap}{words}", [""]
    return shown + (gaps[0] if len(gaps) == 1 else join_gaps(gaps, is_first=False, is_last=True))


class _Match:
    """One attempt to match a variant of a pattern with a text."""

    def __init__(self, form: Sequence[re.Pattern[str] | str], text: str, span: Span) -> None:
        self.form, self.text = form, text
        self.start, self.end = span[0], min(span[1], span[0] + _LONGEST_LINE)
        self.failed: set[tuple[int, int]] = set()
        """Pairs of token index and offset from which the rest does not match."""

    def fields(self) -> Fields | None:
        """Return the spans of the fields; None if the variant does not match."""
        spans = self.fit(0, self.start)
        return dict(reversed(spans)) if spans is not None else None

    def fit(self, at: int, position: int) -> list[tuple[str, Span]] | None:
        """Match the tokens from index ``at`` on. Returns the spans of fields, last one first."""
        if at == len(self.form):
            return [] if not self.text[position : self.end][:1].strip() else None
        if (at, position) in self.failed:
            return None
        token = self.form[at]
        if isinstance(token, re.Pattern):
            match = token.match(self.text, position, self.end)
            spans = self.fit(at + 1, match.end()) if match else None
        else:
            spans = self.fit_field(token, at, position)
        if spans is None:
            self.failed.add((at, position))
        return spans

    def fit_field(self, name: str, at: int, position: int) -> list[tuple[str, Span]] | None:
        """Match a field at a position, and the tokens after it."""
        for end in self.ends(at, position):
            if _may_be(name, self.text[position:end]):
                spans = self.fit(at + 1, end)
                if spans is not None:
                    return [*spans, (name, (position, end))]
        return None

    def ends(self, at: int, position: int) -> Iterator[int]:
        """Yield where a field may end, nearest first: wherever the next token matches."""
        last = min(self.end, position + _LONGEST)
        if at + 1 == len(self.form):
            line_end = re.compile(r"\s*(?:[\r\n]|\Z)").search(self.text, position, self.end)
            yield line_end.start() if line_end else self.end
            return
        behind = self.form[at + 1]
        assert isinstance(behind, re.Pattern), "words part two fields"
        starts = (match.start() for match in behind.finditer(self.text, position, self.end))
        yield from takewhile(lambda start: start <= last, starts)


def _may_be(name: str, words: str) -> bool:
    """Return whether these words are a valid value of a field."""
    if form := _FORMS.get("url" if name in _LINKS else name):
        return form.fullmatch(words) is not None
    return words.strip() == words != ""


def _parsed_text(text: str, spans: Fields) -> ParsedText:
    """Return the parts of a text from the spans of its fields."""
    parts: list[Part] = []
    for name, (start, end) in spans.items():
        if name == "tags":
            tags = _TAG.finditer(text, start, end)
            parts += [Part("tag", stripped(text, tag.span())) for tag in tags]
        elif name in _WORDS:
            parts.append(Part(_WORDS[name], (start, end)))
    links = tuple((span, _LINKS[name]) for name, span in spans.items() if name in _LINKS)
    is_dated = not {"date", "year"}.isdisjoint(spans)
    return ParsedText(spans["title"], tuple(parts), 1.0, is_dated, links, is_declared=True)


@lru_cache(maxsize=64)
def parse_pattern(text: str) -> Pattern:
    """Parse a pattern that the user wrote.

    Raises UsageError with the reason if it is invalid.
    """
    if text.splitlines() != [text]:
        raise UsageError("A pattern has one line, such as - [{title}]({url}).")
    marker = _MARKER.match(text)
    lead = marker.group() if marker else ""
    groups = list(_groups(text[len(lead) :]))
    if sum(is_optional for is_optional, _ in groups) > _MOST_OPTIONAL:
        raise UsageError(f"An entry has at most {_MOST_OPTIONAL} parts in {{?…?}}.")
    forms = []
    for chosen in product(
        *[(True, False) if is_optional else (True,) for is_optional, _ in groups]
    ):
        kept = [group for is_in, (_, group) in zip(chosen, groups, strict=True) if is_in]
        forms.append(_merged([token for group in kept for token in group]))
    for form in forms:
        _check(form)
    return Pattern(lead, tuple(sorted(forms, key=len, reverse=True)))


def _groups(text: str) -> Iterator[tuple[bool, list[Token]]]:
    """Yield the parts of a pattern, each with whether it is optional."""
    group: list[Token] = []
    is_open = False
    for match in _TOKEN.finditer(text):
        if match["open"] or match["close"]:
            if bool(match["open"]) == is_open:
                raise UsageError("{? and ?} enclose one part of an entry each.")
            yield is_open, group
            group, is_open = [], not is_open
        elif match["brace"]:
            raise UsageError(f"A brace in {text!r} encloses no field; {{{{ stands for a brace.")
        elif match["field"]:
            if match["field"] not in FIELDS:
                near = get_close_matches(match["field"].lower(), FIELDS, n=1)
                hint = (
                    f"Did you mean {{{near[0]}}}?" if near else f"Choose from {', '.join(FIELDS)}."
                )
                raise UsageError(f"{{{match['field']}}} is not a field. {hint}")
            group.append(Token(match["field"], ""))
        else:
            group.append(Token(None, match.group().replace("{{", "{").replace("}}", "}")))
    if is_open:
        raise UsageError("{? has no matching ?}.")
    yield False, group


def _merged(tokens: Sequence[Token]) -> Form:
    """Join neighbouring tokens of literal text."""
    merged: list[Token] = []
    for token in tokens:
        if merged and merged[-1].field is None and token.field is None:
            merged[-1] = Token(None, merged[-1].words + token.words)
        else:
            merged.append(token)
    return tuple(merged)


def _check(form: Form) -> None:
    """Raise UsageError for a missing title, a repeated field, or adjacent fields."""
    fields = [token.field for token in form if token.field and token.field not in LOOSE]
    if "title" not in fields:
        raise UsageError("A pattern needs {title} outside {?…?}.")
    if twice := next((one for one in fields if fields.count(one) > 1), None):
        raise UsageError(f"{{{twice}}} occurs twice: each field may occur once.")
    for one, other in pairwise(form):
        if one.field and other.field:
            raise UsageError(f"{{{one.field}}} and {{{other.field}}} need some text between them.")


def pattern_for(settings: Mapping[str, str], path: Sequence[str]) -> Pattern | None:
    """Return the pattern that the settings declare for a path of headings, or None.

    The setting with the longest heading wins.
    """
    keys = [key for key in settings if is_about(key, path)]
    return parse_pattern(settings[max(keys, key=len)]) if keys else None


def is_about(key: str, path: Sequence[str]) -> bool:
    """Return whether a setting is the pattern of entries below this path of headings."""
    name, _, heading = key.partition(".")
    wanted = [fold(part) for part in heading.split("/") if part]
    folded = list(map(fold, path))
    ends = range(len(folded) - len(wanted) + 1)
    return name == ENTRY and any(folded[n : n + len(wanted)] == wanted for n in ends)
