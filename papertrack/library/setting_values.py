"""Check settings by key (``arxiv.contact``): typed values, and values in a file."""

from __future__ import annotations

import contextlib
import difflib
import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from papertrack.errors import UsageError
from papertrack.library.settings import Settings, setting_meanings

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def check_settings(tables: Mapping[str, Any], source: str) -> Settings:
    """Return settings from plain tables. Raises UsageError for the first error in ``source``."""
    try:
        return _checked(tables)
    except ValidationError as error:
        raise UsageError(f"{source}: {_describe(error.errors()[0])}") from None
    except RecursionError:
        raise UsageError(f"{source}: its tables are nested too deeply.") from None


@cache
def _adapter() -> TypeAdapter[Settings]:
    return TypeAdapter(Settings)


def _checked(tables: Mapping[str, Any]) -> Settings:
    # As JSON, because strict types accept its lists as tuples. Dates of TOML are not valid values.
    text = json.dumps(tables, default=lambda date: {"date": str(date)})
    return _adapter().validate_json(text)


def set_value(text: str, key: str, value: object) -> str:
    """Return the text with the setting ``key`` (``arxiv.contact``) set to ``value``.

    ``text`` must be valid TOML, and TOML must be able to represent ``value``.
    """
    import tomlkit

    tables = tomlkit.parse(text)
    place(tables, key, value)
    return tomlkit.dumps(tables)


def unset_value(text: str, key: str) -> str:
    """Return the text without the setting ``key``. Raises UsageError if it does not set it."""
    import tomlkit

    tables = tomlkit.parse(text)
    if value_at(tables, key) is None:
        raise UsageError(f"{key} is not set in the file: there is nothing to remove.")
    remove(tables, key)
    return tomlkit.dumps(tables)


def value_at(tables: Any, key: str) -> object:
    """Return the value for a key in tables of settings; None if it is not set."""
    for part in key.split("."):
        tables = tables.get(part) if isinstance(tables, Mapping) else None
    value: object = tables
    return value


def place(tables: dict[str, Any], key: str, value: object) -> None:
    """Set a value in tables of settings, making its table if necessary."""
    *path, name = key.split(".")
    for table in path:
        tables = tables.setdefault(table, {})
    tables[name] = value


def remove(tables: dict[str, Any], key: str) -> None:
    """Remove a value from tables of settings."""
    *path, name = key.split(".")
    for table in path:
        tables = tables[table]
    del tables[name]


def value_of(key: str, text: str, *, source: str = "") -> object:
    """Return the value that a typed ``text`` means for the setting ``key``; commas split lists.

    Raises UsageError, with ``source`` if given, for an invalid value or an unknown key.
    """
    problems: list[ErrorDetails] = []
    for candidate in _possible_values(text):
        tables: dict[str, Any] = {}
        place(tables, key, candidate)
        try:
            _checked(tables)
        except ValidationError as error:
            problems += error.errors()[:1]
        else:
            return candidate
    # An error about bounds says more than one about the type.
    specific = [problem for problem in problems if not problem["type"].endswith("_type")]
    prefix = f"{source}: " if source else ""
    raise UsageError(f"{prefix}{_describe([*specific, *problems][0])}")


def nearest_key(key: str) -> str | None:
    """Return the setting or table of settings with the most similar spelling, or None."""
    keys = setting_meanings()
    tables = {setting.partition(".")[0] for setting in keys}
    if similar := difflib.get_close_matches(key, (*keys, *tables), n=1, cutoff=0.6):
        return similar[0]
    by_name = {setting.rpartition(".")[2]: setting for setting in keys}
    similar = difflib.get_close_matches(key.rpartition(".")[2], by_name, n=1, cutoff=0.6)
    return by_name[similar[0]] if similar else None


def _possible_values(text: str) -> Iterator[object]:
    """Yield the values that a typed word may mean, the likeliest first."""
    yield text
    if text.lower() in ("true", "false"):
        yield text.lower() == "true"
    for number in (int, float):
        with contextlib.suppress(ValueError):
            yield number(text)
    yield [word.strip() for word in text.split(",") if word.strip()]


def _describe(problem: ErrorDetails) -> str:
    key = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "unexpected_keyword_argument":
        name = nearest_key(key)
        hint = f"; did you mean {name}?" if name else "; `papertrack config` lists all settings."
        return f"{key} is not a setting{hint}"
    if expected := _EXPECTED.get(problem["type"].removesuffix("_parsing").removesuffix("_type")):
        message = f"it must be {expected.format(key=key)}"
    else:
        message = problem["msg"].removeprefix("Value error, ")
        message = message.replace("Input should be", "it must be")
    return f"{key} is {problem['input']!r}: {message[:1].lower()}{message[1:]}."


_EXPECTED = {
    "bool": "true or false",
    "dataclass": "a table of settings, [{key}] with a line for each",
    "dict": "a table, [{key}] with a line for each name",
    "float": "a number",
    "int": "a whole number",
    "list": 'a list, such as ["one", "two"]',
    "string": "a text in quotes",
    "tuple": 'a list, such as ["one", "two"]',
}
"""What a TOML file must contain, for each error type of pydantic, which speaks of JSON."""
