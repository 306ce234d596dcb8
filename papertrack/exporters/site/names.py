"""Page names for citation keys that work on every file system and every host."""

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
    """Return the page name for each citation key (or paper by its key), without suffix.

    Characters with a meaning in addresses or file systems are written as ``~`` and their code; of
    keys that differ only in case, the later ones get a number. Long names end in a digest.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for paper in papers:
        key = paper if isinstance(paper, str) else paper.citekey
        plain = name = _safe(key)
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{plain}~{number}"
        taken.add(name.casefold())
        names[key] = name
    return names


def _safe(key: str) -> str:
    name = _UNSAFE.sub(lambda sign: f"~{ord(sign[0]):x}-", key) or "~"
    if _DEVICES.match(name):
        name = f"~{name}"
    if len(name) > _LONGEST:
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        name = f"{name[:_LONGEST]}~{digest}"
    return name
