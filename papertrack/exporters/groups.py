"""What a reader has sorted, as JabRef and Zotero read it in a .bib file: tags as keywords,
categories as groups with their tree, files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from papertrack.records import Paper
from papertrack.text import clean

_SIGNS = re.compile(r"[{}\\,;:]")
"""What parts names there, or would end a field."""
_WIDTH = len("archivePrefix")
Path = tuple[str, ...]
Names = Mapping[Path, str]
"""How a category is called where groups are known by their names alone."""


def names_of(paths: Iterable[Path]) -> Names:
    """A name for each of these categories and for those above them: the last of its path, or all
    of it where several end alike."""
    every = dict.fromkeys(path[:depth] for path in paths for depth in range(1, len(path) + 1))
    last = Counter(_plain(path[-1]).casefold() for path in every)
    return {
        path: _plain(path[-1])
        if last[_plain(path[-1]).casefold()] == 1
        else _plain(" - ".join(path))
        for path in every
    }


def with_groups(entry: str, paper: Paper, names: Names, files: Sequence[str]) -> str:
    """A new entry's text with the paper's tags, groups and files."""
    said = (
        ("keywords", ", ".join(map(_plain, paper.tags))),
        ("groups", ", ".join(names[path] for path in paper.categories)),
        ("file", ";".join(map(_file, files))),
    )
    lines = [f"  {name:<{_WIDTH}} = {{{value}}},\n" for name, value in said if value]
    head, closing, end = entry.rpartition("}")
    return f"{head}{''.join(lines)}{closing}{end}"


def tree_of(names: Names) -> str:
    """The comment in which JabRef keeps its tree of groups; empty without any."""
    if not names:
        return ""
    groups = [
        f"{len(path)} StaticGroup:{names[path]}\\;0\\;1\\;\\;\\;\\;;\n" for path in sorted(names)
    ]
    return f"@comment{{jabref-meta: grouping:\n0 AllEntriesGroup:;\n{''.join(groups)}}}\n"


def _plain(name: str) -> str:
    return " ".join(_SIGNS.sub(" ", clean(name)).split())


def _file(path: str) -> str:
    """A file in JabRef's form: description, path, type."""
    escaped = re.sub(r"[\\:;]", r"\\\g<0>", path.replace("{", "").replace("}", ""))
    kind = path.rpartition(".")[2].upper() if "." in path else ""
    return f":{escaped}:{kind}"
