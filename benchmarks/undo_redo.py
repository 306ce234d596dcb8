"""Act at random, undo and redo all: ``python benchmarks/undo_redo.py [--sequences N] [--acts N]``.

A library with a README and a ``.bib`` is acted on at random, with exports between. Undoing all must
then lead back to the beginning and redoing all to the end, byte for byte in both files, and value
for value in the database; each way is gone twice, once with exports between. ``--sequences`` says
how many (300), ``--acts`` how long each is (30), ``--seed`` the first one. What differs is printed,
of as few acts as still show it.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from papertrack.actions.add import add_references
from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import (
    merge_two_papers,
    move_papers,
    remove_papers,
    tag_papers,
)
from papertrack.actions.reading import mark_pass, next_paper, set_decision, set_rating
from papertrack.errors import ConflictError, PapertrackError
from papertrack.library import Library
from papertrack.store.journal import JOURNALLED
from papertrack.store.store import Store

SEQUENCES, ACTS = 300, 30

README = """\
# Papers

## Serving

| Title | Date | arXiv | Code | Read |
| :--- | :--- | :--- | :--- | :--- |
| [Batching by Iteration](https://arxiv.org/abs/2207.10003) | 2022/07 | [arXiv][1] | | ✅ |
| [Paged Memory](https://arxiv.org/abs/2309.10001) | 2023/09 | [arXiv][2] | [paged][3] | ✅ ✅ |
| [Chunked Prefills](https://arxiv.org/abs/2403.10004) | 2024/03 | [arXiv][4] | | |

## Drafts

1. **Drafting Ahead**, Ada Lovelace. [[paper](https://arxiv.org/abs/2211.10002)]
2. **Trees of Drafts**, Alan Turing. [[paper](https://arxiv.org/abs/2305.10005)]
   [[code](https://github.com/example/trees)]

## Agents

- [Acting Twice](https://arxiv.org/abs/2310.10006) (2023)
- [Paged Memory](https://arxiv.org/abs/2309.10001) (2023)

[1]: https://arxiv.org/abs/2207.10003
[2]: https://arxiv.org/abs/2309.10001
[3]: https://github.com/example/paged
[4]: https://arxiv.org/abs/2403.10004
"""
BIB = """\
@string{here = {Some Conference}}

@article{paged23,
  title = {Paged {Memory}},
  author = {Noether, Emmy},
  year = 2023,
  eprint = {2309.10001},
  archiveprefix = {arXiv},
}

@inproceedings{ahead, title = "Drafting Ahead", author = "Lovelace, Ada",
  booktitle = here, year = 2022, eprint = {2211.10002}, archiveprefix = {arXiv}}

% A book that no list names.
@book{tables, author = {Babbage, Charles}, title = {Tables of Engines}, year = 1837}
"""
PASSING = {"entries": ("id",), "documents": ("synced_at",)}
"""Columns that only say when and in which order something was written."""
SECTIONS = ("Serving",), ("Drafts",), ("Agents",), ("Agents", "New")
VALUES = "title=Another Title", "title=A {Brace} & a | Bar", "venue=ICML 2024", "year=2021"
CODES = "code=https://github.com/example/other", "code="


class Kept(NamedTuple):
    """What a library and its files hold."""

    files: dict[str, str]
    tables: dict[str, list[str]]


class Sitting:
    """A library with two documents, and somebody who acts on it at random."""

    def __init__(self, root: Path) -> None:
        self.library = Library(root)
        self.paths = root / "README.md", root / "refs.bib"
        self.library.database.parent.mkdir(parents=True)
        start, ticks = datetime(2026, 1, 1, tzinfo=UTC), iter(range(10**9))
        self.store = Store.create(
            self.library.database, now=lambda: start + timedelta(seconds=next(ticks))
        )
        self.chance = random.Random(0)
        """Asked anew by each act, so that an act does the same without those before it."""
        for path, text in zip(self.paths, (README, BIB), strict=True):
            path.write_bytes(text.encode())
            import_file(self.store, self.library, path)
        self.first = self.last_done()

    def last_done(self) -> int:
        """The action that undo would take back."""
        query = "SELECT max(id) FROM actions WHERE state = 'done' AND can_undo = 1"
        return int(self.store.select_value(query) or 0)

    def is_undone(self) -> bool:
        """Whether redo has something to do."""
        return bool(self.store.select_value("SELECT 1 FROM actions WHERE state = 'undone'"))

    def papers(self) -> list[int]:
        return self.store.select_column("SELECT id FROM papers ORDER BY id")

    def export(self) -> None:
        for kind in ("markdown", "bibtex"):
            for exported in export_registered(self.store, self.library, kind):
                if exported.error:
                    raise exported.error

    def keep(self) -> Kept:
        """What there is now, without what only says when and in which order it was written."""
        rows = {table: sorted(self._rows(table)) for table in JOURNALLED}
        files = {path.name: path.read_bytes().decode() for path in self.paths}
        return Kept(files, rows)

    def _rows(self, table: str) -> Iterator[str]:
        cursor = self.store.connection.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        for row in cursor:
            said = dict(zip(names, row, strict=True))
            for name in PASSING.get(table, ()):
                del said[name]
            yield repr(said)

    def act(self, seed: int) -> str:
        """Do something at random, and return what; what cannot be done is not."""
        self.chance = random.Random(seed)
        verb, papers = self.chance.choice(ACTIONS), self.papers()
        paper = self.chance.choice(papers) if papers else 0
        if papers or verb is Sitting.add:
            with suppress(PapertrackError):
                verb(self, paper)
        return f"{verb.__name__} {paper}"

    def add(self, _paper: int) -> None:
        reference = f"24{self.chance.randint(1, 3):02}.0000{self.chance.randint(1, 3)}"
        (added,) = add_references(self.store, [reference], category=self.chance.choice(SECTIONS))
        edit_fields(self.store, added.id, parse_assignments([f"title=Added: {reference}"]))

    def mark(self, paper: int) -> None:
        mark_pass(self.store, [paper], self.chance.randint(1, 3))

    def rate(self, paper: int) -> None:
        set_rating(self.store, [paper], self.chance.randint(1, 5))

    def decide(self, paper: int) -> None:
        set_decision(self.store, [paper], self.chance.choice(("saved", "discarded", "inbox")))

    def tag(self, paper: int) -> None:
        tag_papers(self.store, [paper], add=[self.chance.choice("abc")])

    def edit(self, paper: int) -> None:
        edit_fields(self.store, paper, parse_assignments([self.chance.choice(VALUES)]))

    def link(self, paper: int) -> None:
        edit_fields(self.store, paper, parse_assignments([self.chance.choice(CODES)]))

    def move(self, paper: int) -> None:
        move_papers(self.store, [paper], self.chance.choice(SECTIONS))

    def remove(self, paper: int) -> None:
        remove_papers(self.store, [paper])

    def merge(self, paper: int) -> None:
        merge_two_papers(self.store, paper, self.chance.choice(self.papers()))

    def take_next(self, _paper: int) -> None:
        next_paper(self.store, limit=5)

    def write(self, _paper: int) -> None:
        self.export()


ACTIONS: tuple[Callable[[Sitting, int], None], ...] = (
    *(Sitting.add, Sitting.mark, Sitting.rate, Sitting.decide, Sitting.tag, Sitting.edit),
    *(Sitting.link, Sitting.move, Sitting.remove, Sitting.merge, Sitting.take_next),
    *(Sitting.write, Sitting.write, Sitting.write),
)


def there_and_back(acts: Sequence[int]) -> list[str]:
    """Return what differs after these acts were undone and done again, twice."""
    with tempfile.TemporaryDirectory() as folder:
        sitting = Sitting(Path(folder))
        try:
            return list(_differences(sitting, acts))
        except ConflictError as refused:  # All can be undone and done again that was done.
            return [f"refused: {refused}"]
        finally:
            sitting.store.close()


def _differences(sitting: Sitting, acts: Sequence[int]) -> Iterator[str]:
    sitting.export()
    start = sitting.keep()
    done = ", ".join([sitting.act(seed) for seed in acts])
    sitting.export()
    end = sitting.keep()
    for is_writing in (False, True):
        while sitting.last_done() > sitting.first:
            sitting.store.undo()
            _write_sometimes(sitting, is_writing)
        sitting.export()
        yield from (f"{one}    ({done})" for one in differing("undone", start, sitting.keep()))
        while sitting.is_undone():
            sitting.store.redo()
            _write_sometimes(sitting, is_writing)
        sitting.export()
        yield from (f"{one}    ({done})" for one in differing("redone", end, sitting.keep()))


def _write_sometimes(sitting: Sitting, is_writing: bool) -> None:
    if is_writing and sitting.chance.random() < 1 / 3:
        sitting.export()


def differing(when: str, wanted: Kept, found: Kept) -> Iterator[str]:
    """Yield a line for each line of a file and each row that is not as it should be."""
    for name, text in wanted.files.items():
        yield from _between(f"{when} {name}", text.splitlines(), found.files[name].splitlines())
        if text != found.files[name]:
            yield f"{when} {name} differs"
    for table, rows in wanted.tables.items():
        yield from _between(f"{when} {table}", rows, found.tables[table])


def _between(where: str, wanted: list[str], found: list[str]) -> Iterator[str]:
    yield from (f"{where}: - {one}" for one in wanted if one not in found)
    yield from (f"{where}: + {one}" for one in found if one not in wanted)


def shortened(acts: Sequence[int]) -> list[int]:
    """Return as few of these acts as still do not come back as they were."""
    left, size = list(acts), len(acts) // 2
    while size:
        for start in reversed(range(0, len(left), size)):
            fewer = left[:start] + left[start + size :]
            if there_and_back(fewer):
                left = fewer
        size //= 2
    return left


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sequences", type=int, default=SEQUENCES)
    parser.add_argument("--acts", type=int, default=ACTS)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    wrong = 0
    for seed in range(options.seed, options.seed + options.sequences):
        acts = random.Random(seed).sample(range(10**9), options.acts)
        if there_and_back(acts):
            wrong += 1
            found = there_and_back(shortened(acts))
            print(f"sequence {seed}:", *found, sep="\n    ", flush=True)
    print(f"{wrong} of {options.sequences} sequences do not come back as they were")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
