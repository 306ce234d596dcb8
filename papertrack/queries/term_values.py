"""The values of terms: words, numbers, dates, ages and choices, each checked by its field."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from papertrack.queries.fields import FIELD_OF_NAME, Field
from papertrack.queries.nodes import Age, Comparison, Operator, Phrase, Prefix, Range, Text, Value
from papertrack.text import shorten

# Patterns are texts, which re compiles and keeps at their first use: start-up does not pay.
_COMPARED = r"(?s)(<=|>=|<|>|=)?(.+)"
_NUMBER = r"[0-9]{1,9}"
_DATE = r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?"
_AGE = r"([0-9]{1,5})([dwmy])"
# A range of dates may have a hyphen between two years only: 2024-03 is a month.
_RANGES = {
    "number": rf"({_NUMBER})?(?:-|\.\.)({_NUMBER})?",
    "date": rf"({_DATE})?\.\.({_DATE})?|([0-9]{{4}})-([0-9]{{4}})|({_DATE})-|-({_DATE})",
}
_EXAMPLES = {"number": "2, <2, 1-3 or 2-", "date": "2024, >=2024-03-12, 2020-2024 or <30d"}


class InvalidValueError(ValueError):
    """A value that its field cannot have; the message says what is wrong with it."""


def find_nearest(text: str, known: Iterable[str]) -> str | None:
    """The known word that is most like it, if one is like it at all."""
    import difflib  # Only mistakes need it.

    return next(iter(difflib.get_close_matches(text[:40], list(known), n=1, cutoff=0.6)), None)


def parse_value(field: str | None, value: Text | Phrase) -> Value:
    """The value as its field understands it. Raises InvalidValueError where it does not."""
    known = None if field is None else FIELD_OF_NAME[field]
    if known is None or known.type in ("words", "name"):
        return _words(value)
    if known.type == "choice":
        return Text(_choice(known, value.text))
    found = _range(known, value.text) or _comparison(known, value.text)
    if found is None:
        raise InvalidValueError(
            f'"{shorten(value.text, 40)}" is not a {known.type}; '
            f"{known.name}: takes one such as {_EXAMPLES[known.type]}"
        )
    return found


def _words(value: Text | Phrase) -> Value:
    if isinstance(value, Phrase) or not value.text.endswith("*"):
        return value
    if value.text == "*":
        raise InvalidValueError('a "*" with no letters before it')
    return Prefix(value.text[:-1])


def _choice(field: Field, text: str) -> str:
    names = [name for name, _ in field.values]
    word = text.lower()
    for name in (word, word.removesuffix("s")):  # has:tags is as good as has:tag
        if name in names:
            return name
    near = find_nearest(word, names)
    hint = f"did you mean {field.name}:{near}? There" if near else "there"
    raise InvalidValueError(f"no {field.name}:{shorten(text, 40)}; {hint} are: {', '.join(names)}")


def _range(field: Field, text: str) -> Value | None:
    ends = _ends(field, text)
    if ends is None:
        return None
    first, last = (None if end is None else _bound(field, end) for end in ends)
    if (first is None) != (ends[0] is None) or (last is None) != (ends[1] is None):
        return None  # An end is written that is no day.
    found = _between(first, last)
    if isinstance(found, Range) and _sort_key(found.low) > _sort_key(found.high):
        raise InvalidValueError(f"a range that ends before it begins, {text}")
    return found


def _between(first: int | str | Age | None, last: int | str | Age | None) -> Value | None:
    match first, last:
        case (int() | str(), int() | str()):
            return Range(first, last)
        case (int() | str(), None):
            return Comparison(">=", first)
        case (None, int() | str()):
            return Comparison("<=", last)
    return None


def _ends(field: Field, text: str) -> tuple[str | None, str | None] | None:
    """The two ends of a range as written, None for one that is open; None for no range."""
    found = re.fullmatch(_RANGES[field.type], text)
    if found is None:
        return None
    if field.type == "number":
        return found[1], found[2]
    return found[1] or found[3] or found[5], found[2] or found[4] or found[6]


def _sort_key(bound: int | str) -> tuple[int, ...]:
    return tuple(int(part) for part in str(bound).split("-"))


def _comparison(field: Field, text: str) -> Comparison | None:
    compared = re.fullmatch(_COMPARED, text)
    bound = _bound(field, compared[2]) if compared else None
    if compared is None or bound is None:
        return None
    plain: Operator = "<=" if isinstance(bound, Age) else "="
    operator: Operator = compared[1] or plain  # type: ignore[assignment]
    return Comparison(operator, bound)


def _bound(field: Field, text: str) -> int | str | Age | None:
    if field.type == "number":
        return int(text) if re.fullmatch(_NUMBER, text) else None
    return _age(text.lower()) or (text if _is_date(text) else None)


def _age(text: str) -> Age | None:
    age = re.fullmatch(_AGE, text)
    return Age(int(age[1]), age[2]) if age else None  # type: ignore[arg-type]


def _is_date(text: str) -> bool:
    return re.fullmatch(_DATE, text) is not None and _exists(text)


def _exists(day: str) -> bool:
    year, month, number = [*map(int, day.split("-")), 1, 1][:3]
    try:
        date(year, month, number)
    except ValueError:
        return False
    return True
