"""Edits in the file and in the library, in any order, synced: neither side's change is lost."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from papertrack.actions.organise import move_papers
from papertrack.actions.passes import mark_pass, unmark_pass
from papertrack.documents.document import parse_document
from papertrack.library import Library
from papertrack.store.store import Store
from tests.actions.conftest import Desk
from tests.store.conftest import ticking_clock

SECTIONS = ("Alpha", "Beta", "Gamma")
PAPERS = tuple(f"240{n}.0000{n}" for n in (1, 2, 3, 4))
HEAD = "| Title | Date | Read |\n| :---- | :--- | :--- |\n"


def row(paper: str, passes: int) -> str:
    title = f"[<u>Paper Number {paper}</u>](https://arxiv.org/abs/{paper})"
    marks = " ".join("✅" * passes)
    return f"| {title} | 2024/{paper[2:4]} | {marks}{' ' if marks else ''}|\n"


def readme(papers: dict[str, tuple[str, int]]) -> str:
    """A README with each paper in its section, with so many passes."""
    parts = ["# List\n"]
    for section in SECTIONS:
        rows = [row(paper, passes) for paper, (held, passes) in papers.items() if held == section]
        parts.append(f"\n## {section}\n\n{HEAD}{''.join(rows)}")
    return "".join(parts)


@dataclass
class Said:
    """What one side says of a paper, and said when both were last in step."""

    now: object
    then: object

    @property
    def has_changed(self) -> bool:
        return self.now != self.then


class TwoSides(RuleBasedStateMachine):
    """A reader edits README and library, and syncs now and then; a model knows what must come."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        root = Path(self.folder.name)
        store = Store.create(root / "data" / "papertrack.db", now=ticking_clock())
        self.desk = Desk(store, Library(root), root / "README.md")
        start = {paper: (SECTIONS[n % 2], 0) for n, paper in enumerate(PAPERS)}
        self.desk.write(readme(start))
        self.desk.import_readme()
        self.file = {(p, f): Said(v[i], v[i]) for p, v in start.items() for i, f in enumerate("cp")}
        self.library = {key: Said(said.now, said.then) for key, said in self.file.items()}

    def teardown(self) -> None:
        self.desk.store.close()
        self.folder.cleanup()

    def write_file(self) -> None:
        """Edit the file by hand: rows are cut and pasted, sorted as the reader likes."""
        self.desk.write(
            readme({p: (self.file[p, "c"].now, self.file[p, "p"].now) for p in PAPERS})  # type: ignore[misc]
        )

    @rule(paper=st.sampled_from(PAPERS), passes=st.integers(0, 3))
    def mark_in_file(self, paper: str, passes: int) -> None:
        self.file[paper, "p"].now = passes
        self.write_file()

    @rule(paper=st.sampled_from(PAPERS), section=st.sampled_from(SECTIONS))
    def move_in_file(self, paper: str, section: str) -> None:
        self.file[paper, "c"].now = section
        self.write_file()

    @rule(paper=st.sampled_from(PAPERS), passes=st.integers(0, 3))
    def mark_in_library(self, paper: str, passes: int) -> None:
        held = self.desk.paper(paper)
        for reading in reversed(held.readings):
            if reading.pass_number > passes:
                unmark_pass(self.desk.store, [held.id], reading.pass_number)
        if self.desk.paper(paper).passes_done < passes:
            mark_pass(self.desk.store, [held.id], passes)
        self.library[paper, "p"].now = self.desk.paper(paper).passes_done

    @rule(paper=st.sampled_from(PAPERS), section=st.sampled_from(SECTIONS))
    def move_in_library(self, paper: str, section: str) -> None:
        move_papers(self.desk.store, [self.desk.id(paper)], (section,))
        self.library[paper, "c"].now = section

    @rule()
    def sync(self) -> None:
        report = self.desk.import_readme()
        exported = self.desk.export()
        open_fields = set()
        for key, file in self.file.items():
            library = self.library[key]
            if file.has_changed and library.has_changed and file.now != library.now:
                open_fields.add(key)
                continue
            value = file.now if file.has_changed else library.now
            file.now = file.then = library.now = library.then = value
        names = {"category": "c", "passes": "p"}
        for conflicts in (report.conflicts, exported.conflicts):
            assert {
                (self.desk.paper(c.citekey).facts.identifier("arxiv"), names[c.field])
                for c in conflicts
            } == open_fields

    @invariant()
    def each_side_says_what_it_must(self) -> None:
        entries = parse_document(self.desk.read()).entries
        assert {e.identifiers[0].value for e in entries} == set(PAPERS)
        assert len(entries) == len(self.desk.papers()) == len(PAPERS)
        for entry in entries:
            paper = entry.identifiers[0].value
            assert entry.category == (self.file[paper, "c"].now,)
            assert entry.fields.passes == self.file[paper, "p"].now
        for paper in PAPERS:
            held = self.desk.paper(paper)
            assert held.passes_done == self.library[paper, "p"].now
            assert held.categories == ((self.library[paper, "c"].now,),)


TestTwoSides = TwoSides.TestCase
TestTwoSides.settings = settings(
    max_examples=25,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
