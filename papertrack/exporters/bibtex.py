"""Papers as a .bib file: the entries of the user's own files, and new entries for the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from papertrack.documents.bibtex.fresh import Dialect, PreprintStyle, entry_of, safe_key
from papertrack.documents.bibtex.gather import SourceEntry, gathered, own_under, told_keys
from papertrack.records import Paper
from papertrack.text import clean

__all__ = ["Dialect", "PreprintStyle", "SourceEntry", "entry_of", "to_bib_file", "to_bibtex"]

OwnEntries = Mapping[int, Sequence[SourceEntry]]
"""Paper id → the entries of the user's files for it."""
_SIGNS = re.compile(r"[{}\\,;:]")
"""Characters that separate names in a field, or would end it."""
_WIDTH = len("archivePrefix")
Path = tuple[str, ...]
Names = Mapping[Path, str]
"""The short name of a category, where a format knows groups only by name."""


def to_bibtex(
    papers: Iterable[Paper],
    *,
    own: OwnEntries | None = None,
    dialect: Dialect = "bibtex",
    preprint_style: PreprintStyle = "misc",
    protect: Sequence[str] = (),
    extra: Sequence[str] = (),
    files: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """Return a ``.bib`` file with an entry for each paper, ordered by key, with blank lines
    between.

    A paper with an ``own`` entry gets that entry under its citekey, with the entries that it needs;
    parents come from other papers where they have them. A paper without one gets a new entry with
    the ``extra`` fields of ``entry_of``. ``protect`` lists words whose capitals no style may
    change, besides those that papertrack finds. With ``files``, by paper, new entries also contain
    the user's tags, categories (as groups) and files.
    """
    if own or files is not None:
        papers = list(papers)  # If they are iterated only once, they need not be stored.
    is_sorted = files is not None
    names = names_of(path for paper in papers for path in paper.categories) if is_sorted else {}

    def entry(paper: Paper) -> SourceEntry:
        bibs = (own or {}).get(paper.id, ())
        if bibs:
            return own_under(paper.citekey, bibs, is_biblatex=dialect == "biblatex")
        text = entry_of(
            paper, dialect=dialect, preprint_style=preprint_style, protect=protect, extra=extra
        )
        if files is not None:
            text = with_groups(text, paper, names, files.get(paper.id, ()))
        return SourceEntry(safe_key(paper.citekey), text)

    entries = dict.fromkeys(map(entry, papers))
    ids = {paper.id for paper in papers} if own else set()
    others = (own or {}).items()
    text = gathered(entries, (bib for at, bibs in others if at not in ids for bib in bibs))
    tree = tree_of(names)
    return f"{text}\n{tree}" if tree else text


def to_bib_file(
    papers: Iterable[Paper],
    *,
    own: OwnEntries | None = None,
    dialect: Dialect = "bibtex",
    **how: Any,
) -> str:
    """Like ``to_bibtex``, with an entry for every key by which a manuscript may cite a paper.

    These are the keys of its own entries, its citekey and its former keys, unless another entry has
    them.
    """
    own = own or {}
    under_all = (
        named for paper in papers for named in under_each_key(paper, own.get(paper.id, ()), dialect)
    )
    return to_bibtex(under_all, own=own, dialect=dialect, **how)


def under_each_key(paper: Paper, own: Sequence[SourceEntry], dialect: Dialect) -> Iterable[Paper]:
    """Return a paper once under each key by which a manuscript may cite it."""
    # Keys that differ only in the Unicode form of accents count as one.
    by_form: dict[str, str] = {}
    for key in _keys_of(paper, own, dialect):
        by_form.setdefault(clean(key), key)
    keys = by_form.values()
    return [paper if key == paper.citekey else paper._replace(citekey=key) for key in keys]


def _keys_of(paper: Paper, own: Sequence[SourceEntry], dialect: Dialect) -> Iterator[str]:
    yield from (entry.citekey for entry in own)
    yield paper.citekey
    if dialect == "biblatex" and not own:
        return  # A new entry has them in its field "ids".
    given_keys = {*paper.draft_keys}.union(*map(told_keys, own))
    yield from (key for key in paper.citekey_aliases if key not in given_keys)


# The user's tags, categories and files in a .bib file, as JabRef and Zotero read them: keywords,
# groups with their tree, and files.


def names_of(paths: Iterable[Path]) -> Names:
    """Return a name for each of these categories and their parents.

    It is the last part of the path, or the whole path where several end alike.
    """
    all_paths = dict.fromkeys(path[:depth] for path in paths for depth in range(1, len(path) + 1))
    last = Counter(_plain(path[-1]).casefold() for path in all_paths)
    return {
        path: _plain(path[-1])
        if last[_plain(path[-1]).casefold()] == 1
        else _plain(" - ".join(path))
        for path in all_paths
    }


def with_groups(entry: str, paper: Paper, names: Names, files: Sequence[str]) -> str:
    """Return the text of a new entry with the paper's tags, groups and files."""
    fields = (
        ("keywords", ", ".join(map(_plain, paper.tags))),
        ("groups", ", ".join(names[path] for path in paper.categories)),
        ("file", ";".join(map(_file, files))),
    )
    lines = [f"  {name:<{_WIDTH}} = {{{value}}},\n" for name, value in fields if value]
    head, closing, end = entry.rpartition("}")
    return f"{head}{''.join(lines)}{closing}{end}"


def tree_of(names: Names) -> str:
    """Return the comment in which JabRef keeps its tree of groups; empty if there are no groups."""
    if not names:
        return ""
    groups = [
        f"{len(path)} StaticGroup:{names[path]}\\;0\\;1\\;\\;\\;\\;;\n" for path in sorted(names)
    ]
    return f"@comment{{jabref-meta: grouping:\n0 AllEntriesGroup:;\n{''.join(groups)}}}\n"


def _plain(name: str) -> str:
    return " ".join(_SIGNS.sub(" ", clean(name)).split())


def _file(path: str) -> str:
    """Return a file in JabRef's form: description, path, type."""
    escaped = re.sub(r"[\\:;]", r"\\\g<0>", path.replace("{", "").replace("}", ""))
    kind = path.rpartition(".")[2].upper() if "." in path else ""
    return f":{escaped}:{kind}"
