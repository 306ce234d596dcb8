"""JabRef's groups in a .bib file: the tree in its comment, and in which of them an entry is."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from papertrack.documents.bibtex.blocks import Block

_TREE = re.compile(r"\s*jabref-meta:\s*(?:grouping|groupstree):", re.IGNORECASE)
# "1 StaticGroup:Name\;0\;...;": level, kind, and parts apart by an escaped semicolon. Entries end
# at a semicolon that is not escaped.
_NODE = re.compile(r"\s*([0-9]{1,3})\s+(\w+):(.*)", re.DOTALL)

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Groups:
    """JabRef's tree of groups."""

    paths: Sequence[Path] = ()
    """Of the named ones, in their order."""
    by_name: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    """By the name as the tree has it, case-folded: an entry is in each group of its name."""
    members: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    """By citekey, where the tree lists keys."""


def find_groups(blocks: Iterable[Block]) -> Groups:
    """Those of the first comment that names any."""
    trees = (_parse_groups(block.text) for block in blocks if block.kind == "comment")
    return next((tree for tree in trees if tree.paths), Groups())


def _parse_groups(comment: str) -> Groups:
    """The named groups.

    JabRef keeps its tree in a @comment (``jabref-meta: grouping:``); there is nothing in others.
    Groups that are searches (by keyword, by author) are no categories.
    """
    written: list[Path] = []
    keys_of: dict[Path, list[str]] = {}
    stack: list[tuple[int, str]] = []
    for level, kind, parts in _nodes(comment):
        stack = [above for above in stack if above[0] < level]
        if kind in ("StaticGroup", "ExplicitGroup") and parts[0]:
            stack.append((level, parts[0].replace("\\\\", "")))
            path = tuple(name for _, name in stack)
            written.append(path)
            # JabRef before 3.8 kept the citekeys in the tree.
            keys_of[path] = [*filter(None, parts[2:] if kind == "ExplicitGroup" else ())]
    paths = _without_prefixes(written)
    by_name: dict[str, list[Path]] = defaultdict(list)
    members: dict[str, list[Path]] = defaultdict(list)
    for path in dict.fromkeys(written):
        by_name[path[-1].casefold()].append(paths[path])
        for key in keys_of[path]:
            members[key].append(paths[path])
    return Groups([paths[path] for path in written], by_name, members)


def _without_prefixes(written: Iterable[Path]) -> dict[Path, Path]:
    """The paths of groups, where several are called ``A - Lamps`` and ``B - Lamps``, below ``A``
    and ``B``, with the name that they share: JabRef knows groups by their names alone, so that an
    export calls those of one name so."""
    short: dict[Path, Path] = {(): ()}
    for path in written:
        above = short[path[:-1]]
        short[path] = (*above, path[-1].removeprefix(" - ".join((*above, ""))))
    often = Counter(path[-1] for raw, path in short.items() if raw)
    found: dict[Path, Path] = {(): ()}
    for path in written:
        name = short[path][-1] if often[short[path][-1]] > 1 else path[-1]
        found[path] = (*found[path[:-1]], name)
    return found


def _nodes(comment: str) -> Iterator[tuple[int, str, list[str]]]:
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


def paths_of(said: str, groups: Groups) -> list[Path]:
    """The paths of an entry's ``groups`` field, names apart by commas; unknown ones stand alone."""
    names = filter(None, (" ".join(name.split()) for name in said.split(",")))
    return [path for name in names for path in groups.by_name.get(name.casefold(), [(name,)])]
