"""Parse query text by recursive descent, and format queries; errors name place and fix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple, NoReturn

from papertrack.errors import UsageError
from papertrack.queries import nodes
from papertrack.queries.fields import FIELD_OF_NAME, FIELDS, Field
from papertrack.text import shorten

MAX_LENGTH = 5_000
"""The most characters of a query."""
MAX_TERMS = 250
"""The most terms of a query; SQLite refuses expressions of more than about a thousand."""
MAX_DEPTH = 50
"""The deepest nesting of groups and NOTs."""

_WORD = re.compile(r'[^\s()"]+')
_PHRASE = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_FIELD = re.compile(r"([A-Za-z_]+|(?i:cited-by)):(?!//)")
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_OPERATORS = ("AND", "OR", "NOT")
_COMPARISONS: tuple[nodes.Operator, ...] = ("<=", ">=", "<", ">", "=")
# Patterns are strings, which re compiles at their first use, to keep the start-up fast.
_NUMBER = r"[0-9]{1,9}"
_DATE = r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?"
_AGE = r"([0-9]{1,5})([dwmy])"
# A date range may have a hyphen only between two years, because 2024-03 is a month.
_RANGES = {
    "number": rf"({_NUMBER})?(?:-|\.\.)({_NUMBER})?",
    "date": rf"({_DATE})?\.\.({_DATE})?|([0-9]{{4}})-([0-9]{{4}})|({_DATE})-|-({_DATE})",
}
_EXAMPLES = {"number": "2, <2, 1-3 or 2-", "date": "2024, >=2024-03-12, 2020-2024 or <30d"}


class _Token(NamedTuple):
    """A token of the query: a sign ``( ) -``, an operator, or a value with its field."""

    kind: str
    """A sign or operator as written, ``word`` or ``phrase``."""
    at: int
    """The position of its first character in the query, from 1."""
    text: str = ""
    field: str | None = None
    """The name of the field before it."""


def parse_query(text: str) -> nodes.Query:
    """Parse a query; ``EVERYTHING`` for blank text.

    Raises UsageError, with the place and the nearest valid spelling, for an unknown field or value,
    an unclosed quote or parenthesis, an operator with nothing to join, an invalid number or date,
    and for queries beyond ``MAX_LENGTH``, ``MAX_TERMS`` or ``MAX_DEPTH``.
    """
    if len(text) > MAX_LENGTH:
        raise UsageError(f"The query has {len(text):,} characters; the limit is {MAX_LENGTH:,}.")
    tokens = list(_tokens(text))
    if not tokens:
        return nodes.EVERYTHING
    if sum(token.kind in ("word", "phrase") for token in tokens) > MAX_TERMS:
        raise UsageError(f"The query has more than {MAX_TERMS} terms. Make it several queries.")
    parser = _Parser(tokens)
    query = parser.any_of(None, 0)
    if parser.next is not None:
        _refuse(parser.next.at, 'a ")" that closes nothing')
    return query


def format_query(query: nodes.Query) -> str:
    """Return the text of a query, the same for equal trees; ``""`` for everything.

    ``parse_query(format_query(q)) == q`` for every q that ``parse_query`` returns.
    """
    match query:
        case nodes.And(parts):
            return " ".join(_in_parentheses(part, nodes.Or) for part in parts)
        case nodes.Or(parts):
            return " OR ".join(_in_parentheses(part, nodes.Or) for part in parts)
        case nodes.Not(part):
            return f"NOT {_in_parentheses(part, nodes.And, nodes.Or)}"
        case nodes.Term(field, value):
            return ("" if field is None else f"{field}:") + _format_value(field, value)


def _in_parentheses(query: nodes.Query, *looser: type) -> str:
    text = format_query(query)
    return f"({text})" if isinstance(query, looser) else text


def _format_value(field: str | None, value: nodes.Value) -> str:
    match value:
        case nodes.Comparison("=", int() | str() as bound):
            return str(bound)
        case nodes.Comparison(operator, nodes.Age(count, unit)):
            return f"{operator}{count}{unit}"
        case nodes.Comparison(operator, bound):
            return f"{operator}{bound}"
        case nodes.Range(low, high):
            # A hyphen would look like part of a date.
            is_date = field is not None and FIELD_OF_NAME[field].type == "date"
            return f"{low}{'..' if is_date else '-'}{high}"
        case nodes.Prefix(text):
            return f"{text}*"
        case nodes.Text(text) if _is_bare_word(text, field):
            return text
        case nodes.Text(text) | nodes.Phrase(text):
            escaped = text.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'


def _is_bare_word(text: str, field: str | None) -> bool:
    """Return whether the text, unquoted after this field, is read as this single word."""
    if not _WORD.fullmatch(text) or text.endswith("*"):
        return False
    is_special = text in _OPERATORS or text[0] == "-" or _FIELD.match(text) or _ADDRESS.match(text)
    return field is not None or not is_special


def _refuse(at: int, reason: str) -> NoReturn:
    raise UsageError(f"Cannot read the query at character {at}: {reason}.")


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text[at] in "()-":
            yield _sign(text, at)
            at += 1
        else:
            token, at = _valued_token(text, at)
            yield token


def _sign(text: str, at: int) -> _Token:
    following = text[at + 1 : at + 2]
    if text[at] == "-" and (not following.strip() or following == ")"):
        _refuse(at + 1, 'a "-" before nothing; quote it to search for it')
    return _Token(text[at], at + 1)


def _valued_token(text: str, start: int) -> tuple[_Token, int]:
    """Return the word, phrase, operator or group at ``start`` with its field, and its end."""
    prefix = _FIELD.match(text, start)
    name = _field_name(prefix[1], start + 1) if prefix else None
    value_start = prefix.end() if prefix else start
    if name is not None and text.startswith("(", value_start):
        return _Token("(", start + 1, field=name), value_start + 1
    if text.startswith('"', value_start):
        content, end = _phrase(text, value_start)
        return _Token("phrase", start + 1, content, name), end
    word = _WORD.match(text, value_start)
    if word is None:
        _refuse(start + 1, f"no value after {name}:")
    return _word_token(word[0], start + 1, name), word.end()


def _word_token(word: str, at: int, field: str | None) -> _Token:
    """Return an operator's token or a word's; a web address searches the field ``id``."""
    if field is None and word in _OPERATORS:
        return _Token(word, at, word)
    if field is None and _ADDRESS.match(word):
        field = "id"
    return _Token("word", at, word, field)


def _phrase(text: str, at: int) -> tuple[str, int]:
    """Return the text between the quotes at ``at``, and where it ends."""
    phrase = _PHRASE.match(text, at)
    if phrase is None:
        _refuse(at + 1, "a quote that is never closed")
    content = re.sub(r'\\(["\\])', r"\1", phrase[1])
    if not content.strip():
        _refuse(at + 1, "quotes around nothing")
    return content, phrase.end()


def _field_name(typed: str, at: int) -> str:
    field = FIELD_OF_NAME.get(typed.lower())
    if field is None:
        names = [field.name for field in FIELDS]
        name = _nearest(typed.lower(), names)
        hint = f'did you mean "{name}"? Quote' if name else f"there are: {', '.join(names)}. Quote"
        _refuse(at, f'no field "{shorten(typed, 40)}"; {hint} it to search for the text itself')
    return field.name


class _Parser:
    """The tokens, and the position of the next; each method reads one level of the grammar."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self._position = 0

    @property
    def next(self) -> _Token | None:
        return self.tokens[self._position] if self._position < len(self.tokens) else None

    def any_of(self, field: str | None, depth: int) -> nodes.Query:
        """Parse parts joined by OR; ``field`` is the group's, for terms without their own."""
        parts = [self.all_of(field, depth)]
        while self.next is not None and self.next.kind == "OR":
            self._position += 1
            parts.append(self.all_of(field, depth))
        return _join(nodes.Or, parts)

    def all_of(self, field: str | None, depth: int) -> nodes.Query:
        """Parse parts side by side, with or without AND between them."""
        parts = [self.single(field, depth)]
        while self.next is not None and self.next.kind not in ("OR", ")"):
            if self.next.kind == "AND":
                self._position += 1
            parts.append(self.single(field, depth))
        return _join(nodes.And, parts)

    def single(self, field: str | None, depth: int) -> nodes.Query:
        """Parse a term, a group, or one of them after NOT."""
        token = self.next
        if token is None or token.kind in (")", "AND", "OR"):
            self._refuse_nothing(token)
        if depth > MAX_DEPTH:
            _refuse(token.at, f"more than {MAX_DEPTH} groups within each other")
        self._position += 1
        field = token.field or field
        match token.kind:
            case "NOT" | "-":
                return nodes.Not(self.single(field, depth + 1))
            case "(":
                return self._group(token, field, depth + 1)
            case _:
                return nodes.Term(field, _value(token, field))

    def _group(self, opening: _Token, field: str | None, depth: int) -> nodes.Query:
        if self.next is not None and self.next.kind == ")":
            _refuse(opening.at, "nothing between ( and )")
        query = self.any_of(field, depth)
        if self.next is None:
            _refuse(opening.at, 'a "(" that is never closed')
        self._position += 1
        return query

    def _refuse_nothing(self, token: _Token | None) -> NoReturn:
        """Raise the error that something is missing at ``token``, or after the one before."""
        before = self.tokens[self._position - 1] if self._position else None
        if before is not None and before.kind != "(":
            _refuse(before.at, f"nothing after {before.kind}; quote it to search for it")
        if token is not None:
            is_stray = before is None and token.kind == ")"
            problem = 'a ")" that closes nothing' if is_stray else f"nothing before {token.kind}"
            _refuse(token.at, problem)
        _refuse(before.at if before else 1, 'a "(" that is never closed')


def _join(kind: type[nodes.And] | type[nodes.Or], parts: list[nodes.Query]) -> nodes.Query:
    """Join the parts into one node; parts of the same kind are merged into it."""
    if len(parts) == 1:
        return parts[0]
    nested = (part.parts if isinstance(part, kind) else (part,) for part in parts)
    return kind(tuple(part for group in nested for part in group))


def _value(token: _Token, field: str | None) -> nodes.Value:
    """Return the value of a term, in the type of its field."""
    value_field = None if field is None else FIELD_OF_NAME[field]
    if value_field is None or value_field.type in ("words", "name"):
        return _words(token)
    if value_field.type == "choice":
        return nodes.Text(_choice(token, value_field))
    value = _range(token, value_field) or _comparison(token.text, value_field)
    if value is None:
        _refuse(
            token.at,
            f'"{shorten(token.text, 40)}" is not a {value_field.type}; '
            f"{value_field.name}: takes one such as {_EXAMPLES[value_field.type]}",
        )
    return value


def _words(token: _Token) -> nodes.Value:
    if token.kind == "phrase":
        return nodes.Phrase(token.text)
    if token.text == "*":
        _refuse(token.at, 'a "*" with no letters before it')
    is_prefix = token.text.endswith("*")
    return nodes.Prefix(token.text[:-1]) if is_prefix else nodes.Text(token.text)


def _choice(token: _Token, field: Field) -> str:
    names = [name for name, _ in field.values]
    word = token.text.lower()
    for name in (word, word.removesuffix("s")):  # has:tags is accepted for has:tag
        if name in names:
            return name
    suggestion = _nearest(word, names)
    hint = f"did you mean {field.name}:{suggestion}? There" if suggestion else "there"
    unknown = f"no {field.name}:{shorten(token.text, 40)}"
    _refuse(token.at, f"{unknown}; {hint} are: {', '.join(names)}")


def _nearest(text: str, words: Iterable[str]) -> str | None:
    """Return the most similar word, or None."""
    import difflib  # Only mistakes need it.

    return next(iter(difflib.get_close_matches(text[:40], list(words), n=1, cutoff=0.6)), None)


def _range(token: _Token, field: Field) -> nodes.Range | nodes.Comparison | None:
    match = re.fullmatch(_RANGES[field.type], token.text)
    if match is None:
        return None
    ends = [next(filter(None, match.groups()[side::2]), None) for side in (0, 1)]
    first, last = (None if end is None else _bound(end, field) for end in ends)
    if [first is None, last is None] != [end is None for end in ends]:
        return None  # One end is not a valid date.
    if first is None:
        return None if last is None else nodes.Comparison("<=", last)
    if last is None:
        return nodes.Comparison(">=", first)
    if _sort_key(first) > _sort_key(last):
        _refuse(token.at, f"a range that ends before it begins, {token.text}")
    return nodes.Range(first, last)


def _sort_key(bound: int | str) -> tuple[int, ...]:
    return tuple(int(part) for part in str(bound).split("-"))


def _comparison(text: str, field: Field) -> nodes.Comparison | None:
    operator = next((sign for sign in _COMPARISONS if text.startswith(sign)), None)
    text = text.removeprefix(operator or "")
    if field.type == "date" and (age := parse_age(text)):
        return nodes.Comparison(operator or "<=", age)
    bound = _bound(text, field)
    return None if bound is None else nodes.Comparison(operator or "=", bound)


def parse_age(text: str) -> nodes.Age | None:
    """Parse ``30d``, ``2w``, ``6m`` or ``1y``; None for any other text."""
    match = re.fullmatch(_AGE, text.strip().lower())
    return nodes.Age(int(match[1]), match[2]) if match else None  # type: ignore[arg-type]


def _bound(text: str, field: Field) -> int | str | None:
    """Parse a number or a date; None for any other text."""
    if field.type == "number":
        return int(text) if re.fullmatch(_NUMBER, text) else None
    if re.fullmatch(_DATE, text) is None:
        return None
    try:
        date(*[*map(int, text.split("-")), 1, 1][:3])
    except ValueError:
        return None
    return text
