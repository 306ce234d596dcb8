"""How the curator says that entries are written, ``- [{date}] [{title}]({url}) ({venue})``.

Such a pattern is law for a list: its lines are read by it, and new ones are written by it. Words
outside braces stand as they are, a blank for any blanks; ``{?…?}`` is around what an entry may
lack; ``{{`` and ``}}`` are braces. A line that a pattern does not fit is read as it was without.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import pairwise, product, takewhile
from typing import NamedTuple, cast

from papertrack.documents.markdown.model import Part, PartRole, Said
from papertrack.documents.markdown.values import Span, stripped
from papertrack.documents.markdown.write.markup import joined
from papertrack.errors import UsageError
from papertrack.records import LinkRole
from papertrack.text import fold

ENTRY = "entry"
"""The setting of all lists; with a dot and the path of a heading, of what is below it."""
_WORDS: dict[str, PartRole] = {
    **{"title": "title", "name": "name", "authors": "authors", "venue": "venue", "date": "date"},
    **{"year": "date", "tags": "tag", "description": "details", "number": "number"},
}
"""What a field says of the words in its place."""
_LINKS: dict[str, LinkRole] = {
    "url": "paper",
    **{
        role: cast(LinkRole, role)
        for role in "pdf code project video slides data model demo post note translation".split()
    },
}
"""What a field says of the link in its place."""
LOOSE = ("mark", "rating", "any")
"""Fields that say nothing by their place: marks and ratings are known by their signs."""
FIELDS = (*_WORDS, *_LINKS, *LOOSE)
_TOKEN = re.compile(
    r"\{\{|\}\}|(?P<open>\{\?)|(?P<close>\?\})"
    r"|\{(?P<field>[\w -]+)\}|(?P<brace>[{}])|(?P<text>[^{}?]+|\?)"
)
_MARKER = re.compile(r"[ \t>]*(?:[-+*][ \t]+|[0-9]{1,9}[.)][ \t]+|#{1,6}[ \t]+)?")
_MOST_OPTIONAL = 6
_LONGEST, _LONGEST_LINE = 400, 1500
"""Characters of a field and of what a pattern fits, so that no line takes long to read."""
_COLON = re.compile(r"^([*_`)\]\"”]*)[ ]?[:：]")
"""A colon goes with what it is behind."""
_SIGNS = r"(?:[^\w\s\[\]()]|:[a-z][a-z0-9_+-]*:|[ ](?=\S))+"
_FORMS = {
    "url": re.compile(r"[^\s<>()]+(?:\([^\s()]*\)[^\s<>()]*)*"),
    "number": re.compile(r"[0-9]+"),
    "year": re.compile(r"[0-9]{4}"),
    "mark": re.compile(rf"\[[^\[\]]?\]|\w+|{_SIGNS}"),
    "rating": re.compile(rf"[0-9][0-9./]*|{_SIGNS}"),
}
"""What the words of some fields look like."""
_TAG = re.compile(r"[^,;，；、`|]+")


class Token(NamedTuple):
    """A field, or the words between two of them."""

    field: str | None
    words: str


Form = tuple[Token, ...]
"""A pattern with each of its optional parts either in or out."""
Fields = Mapping[str, Span]


@dataclass(frozen=True)
class Pattern:
    """How the entries of a list are written."""

    marker: str
    """What is before it: ``- ``, ``1. ``, ``### ``."""
    forms: tuple[Form, ...]
    """The longest first."""

    def read(self, text: str, span: Span) -> Said | None:
        """Return what a stretch behind its marker says by the pattern; None if it does not fit."""
        for form in self._compiled:
            if found := _Match(form, text, span).fields():
                return _said(text, found)
        return None

    def write(self, say: Callable[[str], str | None]) -> str:
        """Return an entry, of which ``say`` gives what each field says, None of one not known.

        What is not known is left out: with its optional part, else with what sets it off.
        """
        known = {token.field: say(token.field) for token in self.forms[0] if token.field}
        never_lacked = {token.field for token in self.forms[-1]}
        fitting = (
            form
            for form in self.forms
            if all(
                not one.field or one.field in never_lacked or known[one.field] is not None
                for one in form
            )
        )
        return self.marker + _written(next(fitting), known)

    @cached_property
    def _compiled(self) -> list[list[re.Pattern[str] | str]]:
        """The forms, with the words between two fields as what finds them."""
        return [[token.field or _any_blanks(token.words) for token in form] for form in self.forms]


def _any_blanks(words: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, re.split(r"\s+", words))))


def _written(form: Form, known: Mapping[str, str | None]) -> str:
    """Return a form with what is known; fields that are not go with what is around them."""
    shown, gaps = "", [""]
    for token in form:
        if token.field is None:
            is_behind_gone = len(gaps) > 1 and not gaps[-1]
            gaps[-1] += _COLON.sub(r"\1", token.words) if is_behind_gone else token.words
        elif (words := known.get(token.field)) is None:
            gaps.append("")
        else:
            between = gaps[0] if len(gaps) == 1 else joined(gaps, is_first=not shown, is_last=False)
            shown, gaps = f"{shown}{between}{words}", [""]
    return shown + (gaps[0] if len(gaps) == 1 else joined(gaps, is_first=False, is_last=True))


class _Match:
    """One try to fit a form to a stretch of text."""

    def __init__(self, form: Sequence[re.Pattern[str] | str], text: str, span: Span) -> None:
        self.form, self.text = form, text
        self.start, self.end = span[0], min(span[1], span[0] + _LONGEST_LINE)
        self.failed: set[tuple[int, int]] = set()
        """From which token on the form fits nowhere behind which offset."""

    def fields(self) -> Fields | None:
        """Return where the fields stand; None if the form does not fit."""
        found = self.fit(0, self.start)
        return dict(reversed(found)) if found is not None else None

    def fit(self, at: int, position: int) -> list[tuple[str, Span]] | None:
        """Return where the fields from a token on stand, the last one first."""
        if at == len(self.form):
            return [] if not self.text[position : self.end][:1].strip() else None
        if (at, position) in self.failed:
            return None
        token = self.form[at]
        if isinstance(token, re.Pattern):
            match = token.match(self.text, position, self.end)
            found = self.fit(at + 1, match.end()) if match else None
        else:
            found = self.fit_field(token, at, position)
        if found is None:
            self.failed.add((at, position))
        return found

    def fit_field(self, name: str, at: int, position: int) -> list[tuple[str, Span]] | None:
        for end in self.ends(at, position):
            if _may_be(name, self.text[position:end]):
                found = self.fit(at + 1, end)
                if found is not None:
                    return [*found, (name, (position, end))]
        return None

    def ends(self, at: int, position: int) -> Iterator[int]:
        """Yield where a field may end: before what is behind it, the next first."""
        last = min(self.end, position + _LONGEST)
        if at + 1 == len(self.form):
            line_end = re.compile(r"\s*(?:[\r\n]|\Z)").search(self.text, position, self.end)
            yield line_end.start() if line_end else self.end
            return
        behind = self.form[at + 1]
        assert isinstance(behind, re.Pattern), "words part two fields"
        starts = (found.start() for found in behind.finditer(self.text, position, self.end))
        yield from takewhile(lambda start: start <= last, starts)


def _may_be(name: str, words: str) -> bool:
    """Whether words may be what a field says."""
    if form := _FORMS.get("url" if name in _LINKS else name):
        return form.fullmatch(words) is not None
    return words.strip() == words != ""


def _said(text: str, found: Fields) -> Said:
    """Return what fields say by their places."""
    parts: list[Part] = []
    for name, (start, end) in found.items():
        if name == "tags":
            tags = _TAG.finditer(text, start, end)
            parts += [Part("tag", stripped(text, tag.span())) for tag in tags]
        elif name in _WORDS:
            parts.append(Part(_WORDS[name], (start, end)))
    links = tuple((span, _LINKS[name]) for name, span in found.items() if name in _LINKS)
    is_dated = not {"date", "year"}.isdisjoint(found)
    return Said(found["title"], tuple(parts), 1.0, is_dated, links, is_declared=True)


@lru_cache(maxsize=64)
def parse_pattern(text: str) -> Pattern:
    """Return a pattern as the curator writes it. Raises UsageError with what is wrong in it."""
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
    """Yield the parts of a pattern, each with whether an entry may lack it."""
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
    """Return tokens, words that follow each other as one."""
    merged: list[Token] = []
    for token in tokens:
        if merged and merged[-1].field is None and token.field is None:
            merged[-1] = Token(None, merged[-1].words + token.words)
        else:
            merged.append(token)
    return tuple(merged)


def _check(form: Form) -> None:
    """Raise UsageError if nothing could be read by a form."""
    fields = [token.field for token in form if token.field and token.field not in LOOSE]
    if "title" not in fields:
        raise UsageError("A pattern needs {title} outside {?…?}.")
    if twice := next((one for one in fields if fields.count(one) > 1), None):
        raise UsageError(f"{{{twice}}} occurs twice: each field may occur once.")
    for one, other in pairwise(form):
        if one.field and other.field:
            raise UsageError(f"{{{one.field}}} and {{{other.field}}} need some text between them.")


def pattern_for(settings: Mapping[str, str], path: Sequence[str]) -> Pattern | None:
    """Return the pattern that settings declare for what stands under a path of headings: the one
    of the most exact heading."""
    keys = [key for key in settings if is_about(key, path)]
    return parse_pattern(settings[max(keys, key=len)]) if keys else None


def is_about(key: str, path: Sequence[str]) -> bool:
    """Return whether a setting declares how entries under a path of headings are written."""
    name, _, heading = key.partition(".")
    wanted = [fold(part) for part in heading.split("/") if part]
    folded = list(map(fold, path))
    ends = range(len(folded) - len(wanted) + 1)
    return name == ENTRY and any(folded[n : n + len(wanted)] == wanted for n in ends)
