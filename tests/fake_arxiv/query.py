"""arXiv's search grammar as its server reads it: no precedence, right-associative, no mercy.

``a AND b OR c`` is ``a AND (b OR c)``, a missing operator is OR, a missing prefix is ``all:``.
"""

from __future__ import annotations

import re

from tests.fake_arxiv.records import Work

TOKEN = re.compile(r'\s*(\(|\)|[a-zA-Z]+:(?:"[^"]*"|\[[^\]]*\]|[^\s()]+)|"[^"]*"|[^\s()]+)')


class BadQuery(Exception):
    """arXiv answers 400: parentheses that do not match."""


def matches(query: str, work: Work) -> bool:
    tokens = TOKEN.findall(query)
    value, rest = _expression(tokens, work)
    if rest:
        raise BadQuery(query)
    return value


def _expression(tokens: list[str], work: Work) -> tuple[bool, list[str]]:
    left, rest = _operand(tokens, work)
    if not rest or rest[0] == ")":
        return left, rest
    operator = rest[0] if rest[0] in ("AND", "OR", "ANDNOT") else "OR"
    right, rest = _expression(rest[1:] if operator == rest[0] else rest, work)
    result = {"AND": left and right, "OR": left or right, "ANDNOT": left and not right}[operator]
    return result, rest


def _operand(tokens: list[str], work: Work) -> tuple[bool, list[str]]:
    if not tokens:
        raise BadQuery("an operand is missing")
    if tokens[0] == "(":
        value, rest = _expression(tokens[1:], work)
        if not rest or rest[0] != ")":
            raise BadQuery("unbalanced parenthesis")
        return value, rest[1:]
    prefix, colon, text = tokens[0].partition(":")
    if not colon or prefix not in FIELDS:
        prefix, text = "all", tokens[0]
    return FIELDS[prefix](text.strip('"'), work), tokens[1:]


def _phrase_in(text: str, *places: str) -> bool:
    return any(_words(text) in _words(place) for place in places)


def _words(text: str) -> str:
    return " ".join(["", *re.findall(r"\w+", text.lower()), ""])


def _submitted(text: str, work: Work) -> bool:
    bounds = re.fullmatch(r"\[([0-9]{12}) TO ([0-9]{12})\]", text)
    if not bounds:
        raise BadQuery(text)
    when = re.sub(r"[^0-9]", "", work.versions[0])[:12]
    return bounds[1] <= when <= bounds[2]


def _category(text: str, work: Work) -> bool:
    if text.endswith("*"):
        return any(name.startswith(text[:-1]) for name in work.categories)
    return text in work.categories


FIELDS = {
    "ti": lambda text, work: _phrase_in(text, work.title),
    "abs": lambda text, work: _phrase_in(text, work.abstract),
    "au": lambda text, work: _phrase_in(text, *(name for name, _ in work.authors)),
    "co": lambda text, work: _phrase_in(text, work.comment or ""),
    "jr": lambda text, work: _phrase_in(text, work.journal_ref or ""),
    "cat": _category,
    "submittedDate": _submitted,
    "all": lambda text, work: _phrase_in(
        text, work.title, work.abstract, work.comment or "", *(name for name, _ in work.authors)
    ),
}
