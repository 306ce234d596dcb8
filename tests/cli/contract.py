"""Holding what a command printed with ``--json`` against the contract: no key ever goes."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from papertrack.cli.app import papertrack
from papertrack.cli.contract import CONTRACT, adapter_of
from papertrack.cli.old_words import modern

KEYS: dict[str, Any] = json.loads(Path(__file__).with_name("json_keys.json").read_bytes())
"""What each command printed on November 28, 2026 (16729492), as its models had it: an object by its
keys, a list by what is in it, "text" for a text that is never empty, null for any other value."""


NEW_WAYS = {
    "save": {"--until", "--back"},
    "queue": {"--next"},
    "merge": {"--undo", "--different"},
    "published": {"--cited"},
    "watch": {"--status", "--topic"},
    "ranking": {"--file", "--more", "--less", "--forget"},
    "category": {"--add", "--rename", "--first", "--last", "--before", "--after", "--remove"},
    "backup": {"--restore"},
    "config": {"--trust"},
    "pdf": {"add", "index"},
    "stats": {"--graph"},
    "show": {"--raw"},  # The names of files are its keys.
}
"""Options by which commands do what others did then, or print no keys of their own."""


def check_contract(arguments: Sequence[str | Path], out: str) -> None:
    """Fail when a command line that asks for JSON printed anything but what the contract says."""
    if "--json" not in arguments or not out.strip():
        return
    value, _ = json.JSONDecoder().raw_decode(out)
    command = command_of(modern(list(map(str, arguments))), CONTRACT)
    was = command_of(arguments, KEYS)
    shape = KEYS.get(was)
    if shape is not None and not NEW_WAYS.get(was, set()) & set(map(str, arguments)):
        assert list(missing(shape, value)) == [], arguments
    if isinstance(value, dict) and value.pop("dry_run", None) is None:
        assert not is_tried(command), f"{arguments}: it does not say whether it was a dry run"
    adapter_of(command).validate_json(json.dumps(value), strict=True, extra="forbid")


def is_tried(command: str) -> bool:
    """Whether a command takes --dry-run."""
    context, found = click.Context(papertrack), papertrack
    for word in command.split():
        found = found.get_command(context, word)  # type: ignore[assignment, union-attr]
    return any(param.name == "dry_run" for param in found.params)


def missing(shape: Any, value: Any, path: str = "") -> Iterator[str]:
    """The keys that an output lacks, and texts in it that are empty."""
    if isinstance(shape, dict) and "any of" in shape:
        ways = [list(missing(one, value, path)) for one in shape["any of"]]
        yield from min(ways, key=len)
    elif value is None:
        return
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{path} is no list"
            return
        for each in value:
            yield from missing(shape[0], each, f"{path}[]")
    elif isinstance(shape, dict):
        if not isinstance(value, dict):
            yield f"{path} is no object"
            return
        for key, inner in shape.items():
            if key not in value:
                yield f"{path}.{key}"
            else:
                yield from missing(inner, value[key], f"{path}.{key}")
    elif shape == "text" and value == "":
        yield f"{path} is empty"


def command_of(arguments: Sequence[str | Path], known: dict[str, Any]) -> str:
    """``topic list`` of ``--library DIR topic list --json``."""
    words = list(map(str, arguments))
    if words[0] == "--library":
        words = words[2:]
    words = [word for word in words if word not in ("-q", "-v")]
    both = " ".join(words[:2])
    return both if both in known else words[0]
