"""Text to query, by recursive descent; every error says where and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, NoReturn

from papertrack.errors import UsageError
from papertrack.queries.fields import FIELD_OF_NAME, FIELDS
from papertrack.queries.nodes import EVERYTHING, And, Not, Or, Phrase, Query, Term, Text
from papertrack.queries.term_values import InvalidValueError, find_nearest, parse_value
from papertrack.text import shorten

MAX_LENGTH = 5_000
"""Characters of a query."""
MAX_TERMS = 250
"""Terms of a query; SQLite refuses expressions of more than about a thousand."""
MAX_DEPTH = 50
"""Groups and NOTs within each other."""

_WORD = re.compile(r'[^\s()"]+')
_PHRASE = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_FIELD = re.compile(r"([A-Za-z_]+):(?!//)")
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_OPERATORS = ("AND", "OR", "NOT")


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of the query: a sign ``( ) -``, an operator, or a value with its field."""

    kind: Literal["(", ")", "-", "AND", "OR", "NOT", "word", "phrase"]
    at: int
    """The character of the query where it begins, from 1."""
    text: str = ""
    field: str | None = None
    """The field in front of it, by its name."""


def parse_query(text: str) -> Query:
    """The tree of a query; ``EVERYTHING`` for blank text.

    Raises UsageError, with the place and the nearest valid spelling, for an unknown field or
    value, an unclosed quote or parenthesis, an operator with nothing to join, a number or date
    that is none, and for queries beyond ``MAX_LENGTH``, ``MAX_TERMS`` or ``MAX_DEPTH``.
    """
    if len(text) > MAX_LENGTH:
        raise UsageError(f"The query has {len(text):,} characters; at most {MAX_LENGTH:,} work.")
    tokens = list(_tokens(text))
    if not tokens:
        return EVERYTHING
    if sum(token.kind in ("word", "phrase") for token in tokens) > MAX_TERMS:
        raise UsageError(f"The query has more than {MAX_TERMS} terms. Make it several queries.")
    parser = _Parser(tokens)
    query = parser.any_of(None, 0)
    if parser.next is not None:
        _refuse(parser.next.at, 'a ")" that closes nothing')
    return query


def is_bare_word(text: str, field: str | None) -> bool:
    """Whether the text, written after this field without quotes, is read as this one word."""
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
    kind: Literal["(", ")", "-"] = text[at]  # type: ignore[assignment]
    return _Token(kind, at + 1)


def _valued_token(text: str, start: int) -> tuple[_Token, int]:
    """The word, phrase, operator or opened group at ``start`` with its field, and its end."""
    prefix = _FIELD.match(text, start)
    name = _field_name(prefix[1], start + 1) if prefix else None
    at = prefix.end() if prefix else start
    if name is not None and text.startswith("(", at):
        return _Token("(", start + 1, field=name), at + 1
    if text.startswith('"', at):
        content, end = _phrase(text, at)
        return _Token("phrase", start + 1, content, name), end
    word = _WORD.match(text, at)
    if word is None:
        _refuse(start + 1, f"no value after {name}:")
    return _word_token(word[0], start + 1, name), word.end()


def _phrase(text: str, at: int) -> tuple[str, int]:
    """What stands between the quotes at ``at``, and where they end."""
    phrase = _PHRASE.match(text, at)
    if phrase is None:
        _refuse(at + 1, "a quote that is never closed")
    content = re.sub(r'\\(["\\])', r"\1", phrase[1])
    if not content.strip():
        _refuse(at + 1, "quotes around nothing")
    return content, phrase.end()


def _word_token(word: str, at: int, field: str | None) -> _Token:
    if field is None and word in _OPERATORS:
        kind: Literal["AND", "OR", "NOT"] = word  # type: ignore[assignment]
        return _Token(kind, at, word)
    if field is None and _ADDRESS.match(word):
        field = "id"
    return _Token("word", at, word, field)


def _field_name(written: str, at: int) -> str:
    known = FIELD_OF_NAME.get(written.lower())
    if known is None:
        names = [field.name for field in FIELDS]
        near = find_nearest(written.lower(), names)
        hint = f'did you mean "{near}"? Quote' if near else f"there are: {', '.join(names)}. Quote"
        _refuse(at, f'no field "{shorten(written, 40)}"; {hint} it to search for the text itself')
    return known.name


class _Parser:
    """The tokens and how far they are read. Each method reads one level of the grammar."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self._read = 0

    @property
    def next(self) -> _Token | None:
        return self.tokens[self._read] if self._read < len(self.tokens) else None

    def any_of(self, field: str | None, depth: int) -> Query:
        """Parts joined by OR. ``field`` is that of the group, for terms without their own."""
        parts = [self.all_of(field, depth)]
        while self.next is not None and self.next.kind == "OR":
            self._read += 1
            parts.append(self.all_of(field, depth))
        return _joined(Or, parts)

    def all_of(self, field: str | None, depth: int) -> Query:
        """Parts side by side, with or without AND between them."""
        parts = [self.one(field, depth)]
        while self.next is not None and self.next.kind not in ("OR", ")"):
            if self.next.kind == "AND":
                self._read += 1
            parts.append(self.one(field, depth))
        return _joined(And, parts)

    def one(self, field: str | None, depth: int) -> Query:
        """A term, a group, or one of them after NOT."""
        token = self._take_one(depth)
        match token.kind:
            case "NOT" | "-":
                return Not(self.one(field, depth + 1))
            case "(":
                return self._group(token, token.field or field, depth + 1)
            case _:
                return _term(replace(token, field=token.field or field))

    def _take_one(self, depth: int) -> _Token:
        token = self.next
        if token is None or token.kind in (")", "AND", "OR"):
            self._refuse_nothing(token)
        if depth > MAX_DEPTH:
            _refuse(token.at, f"more than {MAX_DEPTH} groups within each other")
        self._read += 1
        return token

    def _group(self, opening: _Token, field: str | None, depth: int) -> Query:
        if self.next is not None and self.next.kind == ")":
            _refuse(opening.at, "nothing between ( and )")
        query = self.any_of(field, depth)
        if self.next is None:
            _refuse(opening.at, 'a "(" that is never closed')
        self._read += 1
        return query

    def _refuse_nothing(self, token: _Token | None) -> NoReturn:
        """Something was expected at ``token``: blame the operator before it, or itself."""
        before = self.tokens[self._read - 1] if self._read else None
        if before is not None and before.kind != "(":
            _refuse(before.at, f"nothing after {before.kind}; quote it to search for it")
        if token is not None:
            is_stray = before is None and token.kind == ")"
            what = 'a ")" that closes nothing' if is_stray else f"nothing before {token.kind}"
            _refuse(token.at, what)
        _refuse(before.at if before else 1, 'a "(" that is never closed')


def _joined(kind: type[And] | type[Or], parts: list[Query]) -> Query:
    """The parts as one: those of a part of the same kind stand beside the others."""
    if len(parts) == 1:
        return parts[0]
    nested = (part.parts if isinstance(part, kind) else (part,) for part in parts)
    return kind(tuple(part for group in nested for part in group))


def _term(token: _Token) -> Term:
    value = Phrase(token.text) if token.kind == "phrase" else Text(token.text)
    try:
        return Term(token.field, parse_value(token.field, value))
    except InvalidValueError as error:
        _refuse(token.at, str(error))
