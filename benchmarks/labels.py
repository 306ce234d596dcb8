"""Roles of the pieces of list lines, set by eye: the yardstick of the Markdown reader.

    python benchmarks/labels.py draw FILE            40 lines to label, in the form below
    python benchmarks/labels.py keep FILE NOTES      check NOTES against FILE, keep the spans
    python benchmarks/labels.py agree FOLDER FOLDER  how far two labellings agree

FILE is a list in $PAPERTRACK_CORPUS. NOTES has, for each line drawn, ``@ NUMBER`` and then one
``role: text`` per piece, in the order of the line; or ``none`` where the line is part of no work.
What is kept, in tests/documents/labels, are line, start, end and role: no text of the list. Lines
count from 1; start and end are characters within the line.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from papertrack.records import LINK_ROLES

FOLDER = Path(__file__).parent.parent / "tests" / "documents" / "labels"
DRAWN = 40
ROLES = {
    "title", "name", "authors", "venue", "date", "tag", "mark", "rating", "number",
    "description", "constant", *(f"link:{role}" for role in LINK_ROLES),
}  # fmt: skip
"""``name`` is a short name beside the title (``DPO``); ``number`` counts entries; ``constant`` is
a word that entries share and that says nothing of a work (``Paper:``). A link's piece is all of
the link, brackets and address included, unless its label says another role: then the piece is the
words of the label, and the link may be labelled as well."""
_FENCE = re.compile(r"[ \t>]*(```|~~~)")
_WORTH = re.compile(r"[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]|[ \t>]*\||.*(?:\]\(|https?://|\]\[|<a )")
_ADDRESS = re.compile(r"(?<=\]\()[^()\s]*(?:\([^()\s]*\)[^()\s]*)*|https?://[^\s<>()\[\]|]+")
_RULE = re.compile(r"[ \t>]*\|?[ \t:|-]*\|?[ \t]*$")


class Label(NamedTuple):
    """One piece of a line and its role; ``none`` for a line that is part of no work."""

    line: int
    start: int
    end: int
    role: str


def read_lines(path: Path) -> list[str]:
    """Return the lines of a list without their ends."""
    text = path.read_bytes().decode("utf-8-sig")
    return [line.rstrip("\r") for line in text.split("\n")]


def worth_labelling(lines: list[str]) -> Iterator[int]:
    """Yield the numbers of the lines that hold a link, an item or a row, code blocks aside."""
    is_code = False
    for number, line in enumerate(lines, 1):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and _WORTH.match(line) and not _RULE.match(line):
            yield number


def draw(path: Path, count: int = DRAWN) -> list[int]:
    """Return the numbers of ``count`` lines drawn at random, the same ones each time."""
    numbers = list(worth_labelling(read_lines(path)))
    chosen = random.Random(path.name).sample(numbers, min(count, len(numbers)))
    return sorted(chosen)


def parse_notes(notes: str, lines: list[str]) -> Iterator[Label]:
    """Yield the labels that notes give; raise ValueError where one is not in its line."""
    number = position = 0
    former = ""
    for note in filter(None, map(str.rstrip, notes.splitlines())):
        if note.startswith("@ "):
            number, position = int(note[2:].split()[0]), 0
            continue
        if note == "none":
            yield Label(number, 0, 0, "none")
            continue
        role, _, words = note.partition(": ")
        if note == former:  # The second of two equal links begins behind the first.
            position += len(words)
        former = note
        line = lines[number - 1]
        if not role.startswith("link:"):  # A year may stand in an address, too.
            line = _ADDRESS.sub(lambda address: "\0" * len(address[0]), line)
        start = line.find(words, position) if words else -1
        if role not in ROLES or start < 0:
            raise ValueError(f"line {number}: {note!r} is no role, or not in the line (in order)")
        position = start if role.startswith("link:") else start + len(words)
        yield Label(number, start, start + len(words), role)


def write_labels(path: Path, labels: Iterable[Label], folder: Path = FOLDER) -> Path:
    """Keep the labels of a list, with the digest of the file that they are of."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    rows = ("\t".join(map(str, label)) for label in labels)
    target = folder / f"{path.stem}.tsv"
    source = "/".join(path.parts[-2:])
    target.write_text("\n".join([f"# {source} {digest}", *rows, ""]), "utf-8")
    return target


def read_labels(path: Path) -> tuple[str, list[Label]]:
    """Return the name of the list, with its folder, and the labels of it."""
    head, *rows = path.read_text("utf-8").splitlines()
    fields = (row.split("\t") for row in rows)
    return head.split()[1], [Label(int(a), int(b), int(c), role) for a, b, c, role in fields]


def agreement(first: list[Label], second: list[Label]) -> tuple[int, int]:
    """Return how many pieces of the lines that both label are the same, and how many there are."""
    both = {label.line for label in first} & {label.line for label in second}
    one, other = (Counter(x for x in labels if x.line in both) for labels in (first, second))
    return (one & other).total(), (one | other).total()


def main() -> None:
    command, *names = sys.argv[1:]
    if command == "draw":
        lines = read_lines(Path(names[0]))
        for number in draw(Path(names[0])):
            print(f"@ {number}\n# {lines[number - 1]}")
    elif command == "keep":
        path = Path(names[0])
        lines = read_lines(path)
        labels = list(parse_notes(Path(names[1]).read_text("utf-8"), lines))
        missing = set(draw(path)) - {label.line for label in labels}
        print(write_labels(path, labels), len(labels), "labels; lines without one:", missing)
    elif command == "agree":
        same = total = 0
        for mine in sorted(Path(names[0]).glob("*.tsv")):
            other = Path(names[1]) / mine.name
            if other.is_file():
                a, b = agreement(read_labels(mine)[1], read_labels(other)[1])
                print(f"{mine.stem}: {a} of {b}")
                same, total = same + a, total + b
        print(f"all: {same} of {total} = {same / max(total, 1):.1%}")
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUTF8", "1")
    main()
