"""Edit at random, then undo: ``python benchmarks/documents_edits.py [FOLDER] [--edits N]``.

Each Markdown file is imported into a library of its own, which is then edited at random (papers
are marked, rated, retitled, linked, moved, removed and added), with an export after every few
edits: no line may change that is none of an edited paper's. Then all is undone: the last export
must give back the file's bytes. ``--edits`` says how many edits (300), ``--every`` how many before
an export (10), ``--seed`` where chance begins. Without FOLDER it is $PAPERTRACK_CORPUS/readmes.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from difflib import SequenceMatcher
from pathlib import Path

from papertrack.actions.add import add_references
from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import move_papers, remove_papers
from papertrack.actions.reading import mark_pass, set_rating
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.read.document import parse_document
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.store.documents import (
    StoredEntry,
    read_documents,
    read_entries,
    read_reported,
)
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store

EDITS, EVERY = 300, 10
TITLES = (
    "Zebra Crossings in Practice",
    "A *Starred* | [Bracketed] Title",
    "Ünïcode & Ampersands: Why Not?",
    "On 100% of `code` <b>in</b> Titles",
)


@dataclass
class Outcome:
    """What became of the edits of one file."""

    edits: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    """Sentences of the exports about what the file has no place for."""
    foreign: list[str] = field(default_factory=list)
    """Lines that changed although they are of no paper that was edited."""
    is_back: bool = False
    """Whether the bytes are as they were when all was undone."""

    @property
    def is_right(self) -> bool:
        return self.is_back and not self.foreign


class Desk:
    """A library with one README, and somebody who edits it at random."""

    def __init__(self, root: Path, data: bytes, seed: int) -> None:
        self.library = Library(root)
        self.readme = root / "README.md"
        self.readme.write_bytes(data)
        self.library.database.parent.mkdir(parents=True)
        ticks = iter(range(10**9))
        start = datetime(2026, 1, 1, tzinfo=UTC)
        self.store = Store.create(
            self.library.database, now=lambda: start + timedelta(seconds=next(ticks))
        )
        self.chance = random.Random(seed)
        self.added = 0
        import_file(self.store, self.library, self.readme)
        self.first_action = self.last_action()
        self.sections = [entry.category for entry in self.entries() if entry.category]

    def entries(self) -> list[StoredEntry]:
        documents = read_documents(self.store)
        return read_entries(self.store, documents[0].id) if documents else []

    def export(self) -> tuple[str, ...]:
        """Export, and return what was refused; a file without entries is not exported to."""
        refused: tuple[str, ...] = ()
        for exported in export_registered(self.store, self.library, "markdown"):
            if exported.error:
                raise exported.error
            refused += exported.refused
        return refused

    def read(self) -> Document:
        return parse_document(self.readme.read_bytes().decode("utf-8"))

    def edit(self) -> tuple[str, int]:
        """Do something at random; return what, and the paper that it is about."""
        papers = papers_of(self.entries())
        verb = self.chance.choice(sorted(VERBS)) if papers else "add"
        paper = VERBS[verb](self, self.chance.choice(papers) if papers else 0)
        return verb, paper

    def last_action(self) -> int:
        """Return the action that undo would take back."""
        query = "SELECT max(id) FROM actions WHERE state = 'done' AND can_undo = 1"
        return self.store.select_value(query) or 0

    def undo_all(self) -> None:
        """Take back what was done since the import; what changed nothing is no action."""
        while self.last_action() > self.first_action:
            self.store.undo()

    def mark(self, paper: int) -> int:
        mark_pass(self.store, [paper], self.chance.randint(1, 3))
        return paper

    def rate(self, paper: int) -> int:
        set_rating(self.store, [paper], self.chance.randint(1, 5))
        return paper

    def retitle(self, paper: int) -> int:
        return self._set(paper, f"title={self.chance.choice(TITLES)} {self.chance.randint(1, 99)}")

    def link(self, paper: int) -> int:
        place = f"https://github.com/somebody/code{self.chance.randint(1, 99)}"
        return self._set(paper, f"code={self.chance.choice((place, place, ''))}")

    def _set(self, paper: int, assignment: str) -> int:
        edit_fields(self.store, paper, parse_assignments([assignment]))
        return paper

    def move(self, paper: int) -> int:
        if self.sections:
            move_papers(self.store, [paper], self.chance.choice(self.sections))
            return paper

    def remove(self, paper: int) -> int:
        remove_papers(self.store, [paper])
        return paper

    def add(self, _paper: int) -> int:
        self.added += 1
        category = self.chance.choice(self.sections) if self.sections else None
        reference = f"2401.{90000 + self.added}"
        (added,) = add_references(self.store, [reference], category=category)
        return self._set(added.id, f"title=Added at Random: Number {self.added}")


VERBS: dict[str, Callable[[Desk, int], int]] = {
    "add": Desk.add,
    "link": Desk.link,
    "mark": Desk.mark,
    "move": Desk.move,
    "rate": Desk.rate,
    "remove": Desk.remove,
    "retitle": Desk.retitle,
}


def edit_and_undo(data: bytes, *, edits: int, every: int, seed: int) -> Outcome:
    """Return what becomes of a file that is edited at random, which is then undone."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), data, seed)
        try:
            for start in range(0, edits, every):
                edit_and_export(desk, min(every, edits - start), outcome)
            desk.undo_all()
            desk.export()
            outcome.is_back = desk.readme.read_bytes() == data
        except PapertrackError as error:
            outcome.foreign.append(f"{type(error).__name__}: {error}")
        finally:
            desk.store.close()
    return outcome


def edit_and_export(desk: Desk, edits: int, outcome: Outcome) -> None:
    """Edit some papers and export, and note the lines that should not have changed."""
    before, stored = desk.read(), desk.entries()
    waiting = waiting_papers(desk.store, stored)
    done = [desk.edit() for _ in range(edits)]
    outcome.edits.update(verb for verb, _ in done)
    outcome.refused += len(desk.export())
    after = desk.read()
    papers = {paper for _, paper in done} | waiting
    old_lines = concerned_lines(before, stored, papers)
    new_lines = concerned_lines(after, desk.entries(), papers)
    what = ", ".join(f"{verb} {paper}" for verb, paper in done)
    foreign = foreign_lines(before, after, old_lines, new_lines)
    outcome.foreign.extend(f"{line}    ({what})" for line in foreign)


def waiting_papers(store: Store, stored: list[StoredEntry]) -> set[int | None]:
    """Return the papers of which an earlier edit was refused: it is made as soon as it fits."""
    waiting: set[int | None] = {None}
    for document in read_documents(store):
        waiting |= {json.loads(about)[0] for about in read_reported(store, document.id)}
    held = {paper.id: paper.categories for paper in get_papers(store, papers_of(stored))}
    for entry in stored:
        is_elsewhere = entry.category and entry.category not in held.get(entry.paper_id or 0, ())
        if is_elsewhere:
            waiting.add(entry.paper_id)
    return waiting


def papers_of(stored: list[StoredEntry]) -> list[int]:
    return sorted({entry.paper_id for entry in stored if entry.paper_id})


def concerned_lines(
    document: Document, stored: list[StoredEntry], papers: set[int | None]
) -> set[int]:
    """Return the lines, counted from 0, that say something of these papers."""
    keys = {entry.key for entry in stored if entry.paper_id in papers and entry.is_in_file}
    entries = [entry for entry in document.entries if entry.key in keys]
    lines = {line for entry in entries for line in lines_of(document, *entry.span)}
    urls = {link.url for entry in entries for link in entry.anatomy.links}
    for definition in document.definitions:
        if definition.url in urls:
            lines |= {definition.line - 1, definition.line}
    return lines


def lines_of(document: Document, start: int, end: int) -> range:
    return range(document.line_of(start) - 1, document.line_of(max(start, end - 1)))


def foreign_lines(
    before: Document, after: Document, old_lines: set[int], new_lines: set[int]
) -> Iterator[str]:
    """Yield each line that went or came without being one of those concerned.

    Blank lines, headings and heads of tables that come or go with what they hold, and lines in
    which only numbers changed (of items that are counted) are nobody's.
    """
    old, new = before.text.splitlines(), after.text.splitlines()
    # Lines are compared without those concerned, past which others seem to move, and without blank
    # ones, whose longest run would be matched first, though it stands elsewhere.
    left = {old[line] for line in old_lines} | {new[line] for line in new_lines}
    old, new = (
        [line for line in lines if line not in left and not is_blank(line)] for lines in (old, new)
    )
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        gone, came = old[start:end], new[new_start:new_end]
        counted = Counter(map(shape_of, gone)) & Counter(map(shape_of, came))
        for sign, lines in (("-", gone), ("+", came)):
            left = counted.copy()
            for line in lines:
                if left[shape_of(line)] > 0:
                    left[shape_of(line)] -= 1
                elif not is_nobodys(line):
                    yield f"{sign} {line[:160]}"


def shape_of(line: str) -> str:
    """A line without its numbers."""
    return re.sub(r"\d+", "0", line)


def is_nobodys(line: str) -> bool:
    return is_blank(line) or line.lstrip().startswith("#")


def is_blank(line: str) -> bool:
    """Whether a line holds no word: also a rule, or what parts a table's head from its rows."""
    return not line.strip(" \t>|-:+*")


def main() -> int:
    # Imported here because tests use the functions above, from where this file is a package's.
    from corpus import corpus_files

    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--edits", type=int, default=EDITS)
    parser.add_argument("--every", type=int, default=EVERY)
    parser.add_argument("--seed", type=int, default=12)
    options = parser.parse_args()
    sys.argv[1:] = [options.folder] if options.folder else []
    folder, paths = corpus_files("readmes", "*.md")
    wrong = 0
    for path in paths:
        outcome = edit_and_undo(
            path.read_bytes(), edits=options.edits, every=options.every, seed=options.seed
        )
        back = "back" if outcome.is_back else "NOT BACK"
        counts = f"{outcome.edits.total():4} edits {outcome.refused:4} refused {back:8}"
        name = str(path.relative_to(folder))[:50]
        print(f"{name:50} {counts} {len(outcome.foreign):3} foreign lines", flush=True)
        print("".join(f"    {line}\n" for line in outcome.foreign), end="")
        wrong += not outcome.is_right
    print(f"{wrong} of {len(paths)} files are not as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
