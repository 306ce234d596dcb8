"""Does the reader give pieces their labelled roles? ``benchmarks/roles.py [--show ROLE]``

Of the lines that tests/documents/labels knows, in the lists of $PAPERTRACK_CORPUS, what the reader
says of each piece is compared with its label: found, of those labelled, and right, of those that
the reader gave. Signs around a piece and blanks do not count, nor which of two links a line has
first; a venue and the year behind it are two. With ``--show`` the pieces of a role that were not
found are printed with ``-``, and those that are labelled otherwise or not at all with ``+``.
"""

from __future__ import annotations

import os
import re
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from labels import FOLDER, read_labels

from papertrack.documents.encoding import decode_document
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.syntax import cut_lines

YEAR = re.compile(r"(?:19|20)[0-9]{2}")
SHOWN = ("title", "name", "authors", "venue", "date", "tag", "description", "link")
OF_PART = {"details": "description"}
Piece = tuple[str, int, int]
"""A role, and the offsets of what says it."""


def trimmed(text: str, role: str, start: int, end: int) -> Piece:
    """Return a piece without the signs around it; of links the role alone says more than which."""
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return role.partition(":")[0], start, end


def pieces_of(document: Document, entry: Entry) -> Iterator[Piece]:
    """Yield what the reader says of an entry."""
    anatomy = entry.anatomy
    if anatomy.title:
        yield trimmed(document.text, "title", *anatomy.title)
    for part in (*anatomy.parts, *anatomy.below):
        year = YEAR.search(document.text, *part.span) if part.role == "venue" else None
        if year and part.span[1] - year.end() < 2:  # Its year is known apart from its name.
            yield trimmed(document.text, "venue", part.span[0], year.start())
            yield trimmed(document.text, "date", *year.span())
        elif part.role != "title":
            yield trimmed(document.text, OF_PART.get(part.role, part.role), *part.span)
    for link in anatomy.links:
        yield trimmed(document.text, "link", *link.span)


def main() -> int:
    shown = sys.argv[sys.argv.index("--show") + 1] if "--show" in sys.argv else None
    root = Path(os.environ["PAPERTRACK_CORPUS"])
    labelled, given, right = Counter[str](), Counter[str](), Counter[str]()
    titles = []
    for kept in sorted(FOLDER.glob("*.tsv")):
        source, labels = read_labels(kept)
        path = next(p for p in root.glob(f"**/{source}") if p.is_file())
        document = parse_document(decode_document(path.read_bytes())[0])
        starts = cut_lines(document.text).starts
        wanted, found = defaultdict(set), defaultdict(set)
        for label in labels:
            wanted[label.line]  # A line of which nothing is said counts too.
            if label.role != "none":
                base = starts[label.line - 1]
                piece = trimmed(document.text, label.role, base + label.start, base + label.end)
                wanted[label.line].add(piece)
        for entry in document.entries:
            for role, start, end in pieces_of(document, entry):
                for line in range(bisect_right(starts, start), bisect_right(starts, end - 1) + 1):
                    within = max(start, starts[line - 1]), min(end, [*starts, end][line])
                    found[line].add(trimmed(document.text, role, *within))
        before = Counter(labelled), Counter(right)
        for line, pieces in wanted.items():
            labelled.update(role for role, *_ in pieces)
            given.update(role for role, *_ in found[line])
            right.update(role for role, *_ in pieces & found[line])
            for sign, others in (("-", pieces - found[line]), ("+", found[line] - pieces)):
                for role, start, end in sorted(others):
                    if role == shown:
                        print(f"{sign} {kept.stem}:{line}: {document.text[start:end]!r}")
        of_list = labelled["title"] - before[0]["title"]
        if of_list:
            titles.append((right["title"] - before[1]["title"]) / of_list)
    for role in SHOWN:
        shares = right[role] / max(labelled[role], 1), right[role] / max(given[role], 1)
        print(
            f"{role:12} {labelled[role]:5} labelled, {shares[0]:6.1%} found, {shares[1]:6.1%} right"
        )
    print(f"titles, mean of {len(titles)} lists: {sum(titles) / len(titles):.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
