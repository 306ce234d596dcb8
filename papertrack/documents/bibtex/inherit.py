"""Fields that an entry takes from others: ``crossref`` and biblatex's ``xdata``."""

from __future__ import annotations

from collections.abc import Mapping

Fields = Mapping[str, str]

_OWN = frozenset(
    {
        *("ids", "crossref", "xref", "xdata", "entryset", "abstract", "keywords", "mendeley-tags"),
        *("doi", "url", "eprint", "note", "annote", "annotation", "review", "comment", "file"),
        *("groups", "readstatus", "ranking", "priority", "author", "pages", "title", "subtitle"),
    }
)
"""What belongs to one work only."""
_PARTS = frozenset({"inproceedings", "incollection", "inbook", "conference", "inreference"})


def with_inherited(
    entry_type: str, fields: Fields, by_key: Mapping[str, Fields]
) -> tuple[Fields, list[str]]:
    """The fields and those that it lacks and others give, and the keys that no entry has.

    As in biblatex (manual, appendix B), a parent's title is the ``booktitle`` of its parts, which
    BibTeX leaves to a second field. A chain of parents is followed, a circle once around.
    """
    references = _references(fields)
    if not references:
        return fields, []
    merged = dict(fields)
    missing: list[str] = []
    seen: set[str] = set()
    while references:
        key, takes_all = references.pop()
        if key in seen:
            continue
        seen.add(key)
        if (parent := by_key.get(key)) is None:
            missing.append(key)
            continue
        for name, value in _given(parent, entry_type, takes_all=takes_all).items():
            merged.setdefault(name, value)
        references += _references(parent)
    return merged, missing


def _given(parent: Fields, entry_type: str, *, takes_all: bool) -> dict[str, str]:
    """What the parent gives an entry of this type."""
    if takes_all:
        return dict(parent)
    given = {name: value for name, value in parent.items() if name not in _OWN}
    if entry_type in _PARTS and parent.get("title"):
        given.setdefault("booktitle", parent["title"])
    return given


def _references(fields: Fields) -> list[tuple[str, bool]]:
    """Keys in small letters, each with whether all of its fields are taken."""
    crossref = fields.get("crossref", "").strip()
    found = [(crossref.casefold(), False)] if crossref else []
    keys = (key.strip().casefold() for key in fields.get("xdata", "").split(","))
    return found + [(key, True) for key in keys if key]
