"""Conflicts that curators really had, merged by entries: `python benchmarks/merges.py [FOLDER]`.

Each folder in FOLDER has `base`, `ours`, `theirs` and what the maintainers made of them,
`resolved`. Told are the places where git alone stops, the markers that `merge-file` leaves, and
which of these the maintainers show to be needless: they kept every line of both sides. Entries that
one side added or both kept must be there once at least, and each line must be one of a side, if not
word for word. Without FOLDER it is $PAPERTRACK_CORPUS/merges. The run fails if an entry is
missing, or more than one place in five keeps a needless marker.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from corpus import corpus_files

from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.versions import merge_versions

_CONFLICT = re.compile(r"(?ms)^<{7} [^\n]*\n(.*?)^={7}\n(.*?)^>{7} ")
_GOAL = 0.8


class Met(NamedTuple):
    """What became of one conflict of two curators."""

    by_git: int
    markers: int
    needless: int
    missing: int
    """Entries that should be there and are not."""
    strange: int
    """Lines that are of no side."""
    as_resolved: int


def main() -> int:
    _, paths = corpus_files("merges", "base.*")
    print(f"{'conflict':<50} " + " ".join(f"{name:>11}" for name in Met._fields))
    found = []
    for path in paths:
        found.append(met(path))
        print(f"{path.parent.name[:50]:<50} " + " ".join(f"{n:>11}" for n in found[-1]))
    total = Met(*map(sum, zip(*found, strict=True)))
    print(f"{len(found):<50} " + " ".join(f"{n:>11}" for n in total))
    free = 1 - total.needless / total.by_git
    print(f"{free:.0%} of {total.by_git} places without a needless marker (goal {_GOAL:.0%})")
    return 1 if total.missing or free < _GOAL else 0


def met(base: Path) -> Met:
    """Merge the versions of a folder, and hold what came of it against the resolution."""
    names = ("base", "ours", "theirs", "resolved")
    paths = [base.with_stem(name) for name in names]
    is_bib = base.suffix == ".bib"
    # Read as they are: what is merged may have markers, and so may what was committed.
    sides = [path.read_bytes().decode("utf-8-sig") for path in paths]
    data, markers = merge_versions([path.read_bytes() for path in paths[:3]], is_bib=is_bib)
    text = data.decode("utf-8-sig")
    return Met(
        _left_by_git(paths),
        markers,
        sum(_is_needless(found, sides[3]) for found in _CONFLICT.finditer(text)),
        _missing(text, [_entries(one, is_bib) for one in sides[:3]], is_bib),
        len(_strange(text, sides)),
        int(text == sides[3]),
    )


def _left_by_git(paths: list[Path]) -> int:
    base, ours, theirs, _ = paths
    ran = subprocess.run(
        ["git", "merge-file", "-p", ours, base, theirs], capture_output=True, check=False
    )
    return ran.stdout.count(b"<<<<<<< ")


def _is_needless(conflict: re.Match[str], resolved: str) -> bool:
    """Whether the maintainers kept every line of both sides."""
    kept = set(resolved.splitlines())
    return all(line in kept for side in conflict.groups() for line in side.splitlines())


def _missing(text: str, sides: list[Counter[object]], is_bib: bool) -> int:
    base, ours, theirs = sides
    wanted = (ours - base) | (theirs - base) | (base & ours & theirs)
    return (wanted - _entries(text, is_bib)).total()


def _entries(text: str, is_bib: bool) -> Counter[object]:
    if is_bib:
        return Counter(one.citekey for one in parse_bibtex(text).entries)
    return Counter(one.identifiers or one.fields.title for one in parse_document(text).entries)


def _strange(text: str, sides: list[str]) -> list[str]:
    known = {line for side in sides for line in side.splitlines()}
    plain = _CONFLICT.sub("", text)
    return [line for line in plain.splitlines() if line not in known]


if __name__ == "__main__":
    sys.exit(main())
