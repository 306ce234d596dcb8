"""JabRef's tree of groups, which it keeps in a @comment (``jabref-meta: grouping:``)."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TREE = re.compile(r"\s*jabref-meta:\s*(?:grouping|groupstree):", re.IGNORECASE)
# "1 StaticGroup:Name\;0\;...;": level, kind, and parts apart by an escaped semicolon. The line may
# be broken anywhere by older versions, so entries end at a semicolon that is not escaped.
_NODE = re.compile(r"\s*([0-9]{1,3})\s+(\w+):(.*)", re.DOTALL)
_KEYS_AFTER = {"ExplicitGroup": 2}
"""Kind → how many parts come before the citekeys that JabRef before 3.8 kept in the tree."""


def parse_groups(comment: str) -> tuple[list[tuple[str, ...]], dict[str, list[tuple[str, ...]]]]:
    """The paths of the named groups in their order, and citekey → paths where the tree lists keys.

    Groups that are searches (by keyword, by author) are no categories. Nothing for other comments.
    """
    match = _TREE.match(comment)
    if match is None:
        return [], {}
    paths: list[tuple[str, ...]] = []
    members: dict[str, list[tuple[str, ...]]] = {}
    stack: list[tuple[int, str]] = []
    for entry in re.split(r"(?<!\\);", comment[match.end() :]):
        node = _NODE.fullmatch(entry)
        if node is None or node.group(2) == "AllEntriesGroup":
            continue
        level, kind = int(node.group(1)), node.group(2)
        parts = [" ".join(part.split()) for part in node.group(3).split(r"\;")]
        stack = [above for above in stack if above[0] < level]
        if kind not in ("StaticGroup", "ExplicitGroup") or not parts[0]:
            continue
        stack.append((level, parts[0].replace("\\\\", "")))
        path = tuple(name for _, name in stack)
        paths.append(path)
        for key in filter(None, parts[_KEYS_AFTER.get(kind, len(parts)) :]):
            members.setdefault(key, []).append(path)
    return paths, members


def paths_of(groups: str, by_name: Mapping[str, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The paths of an entry's ``groups`` field, names apart by commas; unknown ones stand alone.

    ``by_name`` has the tree's paths by their last name, case-folded.
    """
    names = [" ".join(name.split()) for name in groups.split(",")]
    return [by_name.get(name.casefold(), (name,)) for name in names if name]
