"""What other tools note in an entry about its reading: state, stars, tags, notes and files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypedDict

from papertrack.latex.decode import decode_latex
from papertrack.text import clean_block


class ReadingState(TypedDict):
    """The fields of ``BibEntry`` that say what the reader did."""

    tags: tuple[str, ...]
    passes: int | None
    rating: int | None
    priority: int | None
    note: str | None
    files: tuple[str, ...]


_PASSES = {"skimmed": 1, "read": 2}
"""JabRef's ``readstatus``: skimming is Keshav's first pass, reading his second."""
_RANK = re.compile(r"\s*rank([1-5])\s*")
_PRIORITY = re.compile(r"\s*prio([1-3])\s*")
_NOTES = ("annote", "annotation", "review", "comment")
_FIELDS = frozenset({"keywords", "mendeley-tags", "readstatus", "ranking", "priority", "file"})
_NOTHING = ReadingState(tags=(), passes=None, rating=None, priority=None, note=None, files=())
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def reading_state(fields: Mapping[str, str]) -> ReadingState:
    """From JabRef's, Mendeley's, Zotero's and Better BibTeX's fields."""
    if fields.keys().isdisjoint(_FIELDS) and fields.keys().isdisjoint(_NOTES):
        return _NOTHING
    rank = _RANK.fullmatch(fields.get("ranking", ""))
    priority = _PRIORITY.fullmatch(fields.get("priority", ""))
    note = next((fields[name] for name in _NOTES if fields.get(name)), "")
    tags = [*_tags(fields.get("keywords", "")), *_tags(fields.get("mendeley-tags", ""))]
    return ReadingState(
        tags=tuple(dict.fromkeys(tags)),
        passes=_PASSES.get(fields.get("readstatus", "").strip().casefold()),
        rating=int(rank.group(1)) if rank else None,
        priority=int(priority.group(1)) if priority else None,
        note=clean_block(note) or None,
        files=tuple(_files(fields.get("file", ""))),
    )


def _tags(keywords: str) -> Iterable[str]:
    """Apart by commas, or by semicolons where there are any."""
    separator = ";" if ";" in keywords else ","
    return filter(None, map(decode_latex, keywords.split(separator)))


def _files(value: str) -> Iterable[str]:
    """The paths in ``name:path:type;name:path:type``; ``\\:`` and ``\\;`` are no separators.

    A value without that form is one path (``/home/me/a.pdf``), a Windows drive included.
    """
    for item in re.split(r"(?<!\\);", value):
        parts = re.split(r"(?<!\\):", item.strip())
        path = parts[1] if len(parts) == 3 else item
        if path := _ESCAPED.sub(r"\1", path).strip():
            yield path
