"""Holding what a command printed with ``--json`` against the model of it."""

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter

from papertrack.contract.registry import CONTRACT


def check_contract(arguments: Sequence[str | Path], out: str) -> None:
    """Fail when a command line that asks for JSON printed anything but what the contract says."""
    if "--json" not in arguments or not out.strip():
        return
    value, _ = json.JSONDecoder().raw_decode(out)
    TypeAdapter(CONTRACT[command_of(arguments)]).validate_python(value)


def command_of(arguments: Sequence[str | Path]) -> str:
    """``topic list`` of ``--library DIR topic list --json``."""
    words = list(map(str, arguments))
    if words[0] == "--library":
        words = words[2:]
    words = [word for word in words if word not in ("-q", "-v")]
    both = " ".join(words[:2])
    return both if both in CONTRACT else words[0]
