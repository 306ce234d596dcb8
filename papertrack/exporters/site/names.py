"""Make page names from citation keys that are valid on every file system and host."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from papertrack.records import Paper

_LONGEST = 120
_UNSAFE = re.compile(r"[^A-Za-z0-9_.+-]|^[.-]|\.$")
_DEVICES = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
"""Names that Windows reserves for devices."""


def page_names(papers: Iterable[Paper | str]) -> dict[str, str]:
    """Map citation keys (given as keys or papers) to page names without suffix.

    Replaces characters that are special in addresses or file systems by ``~`` and their code.
    Keys that differ only in case get a number, except the first. Long names end in a digest.
    """
    names: dict[str, str] = {}
    used: set[str] = set()
    for paper in papers:
        key = paper if isinstance(paper, str) else paper.citekey
        plain = name = _safe(key)
        number = 1
        while name.casefold() in used:
            number += 1
            name = f"{plain}~{number}"
        used.add(name.casefold())
        names[key] = name
    return names


def _safe(key: str) -> str:
    name = _UNSAFE.sub(lambda match: f"~{ord(match[0]):x}-", key) or "~"
    if _DEVICES.match(name):
        name = f"~{name}"
    if len(name) > _LONGEST:
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        name = f"{name[:_LONGEST]}~{digest}"
    return name
