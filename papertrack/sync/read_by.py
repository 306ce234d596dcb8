"""What a file is read by: what another one makes of it is not known."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

import papertrack

_READ_BY = ("documents", "identifiers", "latex", "store", "sync", "text.py")
"""What decides what a file is understood to say, and what becomes of that."""
_LIBRARIES = ("bibtexparser", "markdown-it-py")


@cache
def code_digest() -> str:
    """A digest of all code that decides what a file says: a version may be at work in progress."""
    root = Path(papertrack.__file__).parent
    digest = hashlib.sha256(" ".join(map(version, _LIBRARIES)).encode())
    for name in _READ_BY:
        for path in sorted([root / name, *(root / name).rglob("*.py")]):
            digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()
