"""Queries as text: the inverse of the parser."""

from __future__ import annotations

from papertrack.queries.fields import FIELD_OF_NAME
from papertrack.queries.nodes import (
    Age,
    And,
    Comparison,
    Not,
    Operator,
    Or,
    Phrase,
    Prefix,
    Query,
    Range,
    Term,
    Value,
)
from papertrack.queries.parser import is_bare_word


def format_query(query: Query) -> str:
    """The query as it is written, in one way for one tree; ``""`` for everything.

    ``parse_query(format_query(q)) == q`` for every q that ``parse_query`` gives.
    """
    match query:
        case And(parts):
            return " ".join(_grouped(part, Or) for part in parts)
        case Or(parts):
            return " OR ".join(_grouped(part, Or) for part in parts)
        case Not(part):
            return f"NOT {_grouped(part, And, Or)}"
        case Term(field, value):
            return ("" if field is None else f"{field}:") + _format_value(field, value)


def _grouped(query: Query, *looser: type) -> str:
    text = format_query(query)
    return f"({text})" if isinstance(query, looser) else text


def _format_value(field: str | None, value: Value) -> str:
    match value:
        case Comparison(operator, bound):
            return _format_comparison(operator, bound)
        case Range(low, high):
            return f"{low}{_between(field)}{high}"
        case Prefix(text):
            return f"{text}*"
        case Phrase(text):
            return _quoted(text)
    return value.text if is_bare_word(value.text, field) else _quoted(value.text)


def _format_comparison(operator: Operator, bound: int | str | Age) -> str:
    if isinstance(bound, Age):
        return f"{operator}{bound.count}{bound.unit}"
    return str(bound) if operator == "=" else f"{operator}{bound}"


def _between(field: str | None) -> str:
    """What stands between the ends of a range: a hyphen would be one of the date's."""
    return ".." if field is not None and FIELD_OF_NAME[field].type == "date" else "-"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
