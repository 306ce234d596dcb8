"""What other tools note in a .bib file about the reading of its works: state, stars, tags, notes,
files, and JabRef's tree of groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
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
_TREE = re.compile(r"\s*jabref-meta:\s*(?:grouping|groupstree):", re.IGNORECASE)
# "1 StaticGroup:Name\;0\;...;": level, kind, and parts apart by an escaped semicolon. Entries end
# at a semicolon that is not escaped.
_NODE = re.compile(r"\s*([0-9]{1,3})\s+(\w+):(.*)", re.DOTALL)
_KEYS_AFTER = {"ExplicitGroup": 2}
"""Kind → how many parts come before the citekeys that JabRef before 3.8 kept in the tree."""


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


def parse_groups(comment: str) -> tuple[list[tuple[str, ...]], dict[str, list[tuple[str, ...]]]]:
    """The paths of the named groups in their order, and citekey → paths where the tree lists keys.

    JabRef keeps its tree in a @comment (``jabref-meta: grouping:``); there is nothing in others.
    Groups that are searches (by keyword, by author) are no categories.
    """
    paths: list[tuple[str, ...]] = []
    members: dict[str, list[tuple[str, ...]]] = {}
    stack: list[tuple[int, str]] = []
    for level, kind, parts in _groups(comment):
        stack = [above for above in stack if above[0] < level]
        if kind in ("StaticGroup", "ExplicitGroup") and parts[0]:
            stack.append((level, parts[0].replace("\\\\", "")))
            path = tuple(name for _, name in stack)
            paths.append(path)
            for key in filter(None, parts[_KEYS_AFTER.get(kind, len(parts)) :]):
                members.setdefault(key, []).append(path)
    return paths, members


def _groups(comment: str) -> Iterator[tuple[int, str, list[str]]]:
    """Level, kind and parts of each group in the tree."""
    if (tree := _TREE.match(comment)) is None:
        return
    # JabRef folds long lines wherever they are full, within a word too, and reads on as if there
    # were no line end.
    unfolded = re.sub(r"[\r\n]+", "", comment[tree.end() :])
    for entry in re.split(r"(?<!\\);", unfolded):
        node = _NODE.fullmatch(entry)
        if node is not None and node[2] != "AllEntriesGroup":
            parts = [" ".join(part.split()) for part in node[3].split(r"\;")]
            yield int(node[1]), node[2], parts


def paths_of(groups: str, by_name: Mapping[str, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The paths of an entry's ``groups`` field, names apart by commas; unknown ones stand alone.

    ``by_name`` has the tree's paths by their last name, case-folded.
    """
    names = [" ".join(name.split()) for name in groups.split(",")]
    return [by_name.get(name.casefold(), (name,)) for name in names if name]
