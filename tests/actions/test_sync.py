"""Edits in the file and in the library, in any order, synced: neither side's change is lost."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from papertrack.actions.add import add_references
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import move_papers, remove_papers
from papertrack.actions.reading import mark_pass, unmark_pass
from papertrack.documents.markdown.read.document import parse_document
from papertrack.library import Library
from tests.actions.conftest import Desk
from tests.fresh_store import fresh_store
from tests.store.conftest import ticking_clock

SECTIONS = ("Alpha", "Beta", "Gamma")
PAPERS = tuple(f"240{n}.0000{n}" for n in (1, 2, 3, 4))
HEAD = "| Title | Date | Code | Read |\n| :---- | :--- | :--- | :--- |\n"
FIELDS = ("category", "passes", "title", "date", "code")
REPOSITORIES = ("a", "b", "c")

Values = dict[str, Any]
Paper = st.integers(0, 30)
"""Which of the papers that are there."""


def row(paper: str, said: Values) -> str:
    title = f"[<u>{said['title']}</u>](https://arxiv.org/abs/{paper})"
    code = ", ".join(f"[{name}](https://github.com/x/{name})" for name in sorted(said["code"]))
    marks = " ".join("✅" * said["passes"])
    cells = (title, said["date"].replace("-", "/"), code, marks)
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|\n"


def readme(papers: dict[str, Values]) -> str:
    """A README with each paper in its section."""
    parts = ["# List\n"]
    for section in SECTIONS:
        rows = [row(paper, said) for paper, said in papers.items() if said["category"] == section]
        parts.append(f"\n## {section}\n\n{HEAD}{''.join(rows)}")
    return "".join(parts)


def merged(name: str, then: Any, file: Any, library: Any) -> tuple[Any, bool]:
    """What both sides say after a sync, and whether they are in conflict about it."""
    if name != "code":
        is_conflict = file != then and library != then and file != library
        return (file if file != then else library), is_conflict
    came, went = (file - then, library - then), (then - file, then - library)
    is_conflict = bool(went[0] & went[1] and came[0] and came[1] and came[0] != came[1])
    return (then | came[0] | came[1]) - went[0] - went[1], is_conflict


class TwoSides(RuleBasedStateMachine):
    """A reader edits README and library, and syncs now and then; a model knows what must come."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        root = Path(self.folder.name)
        store = fresh_store(root / "data" / "papertrack.db", now=ticking_clock())
        self.desk = Desk(store, Library(root), root / "README.md")
        self.file: dict[str, Values] = {}
        self.library: dict[str, Values] = {}
        self.then: dict[str, Values] = {}
        """What both said when last in step, of the papers that both have."""
        self.unlinked: dict[str, Values] = {}
        self.count = 0
        for number, paper in enumerate(PAPERS):
            said = self.new_paper(SECTIONS[number % 2], paper)
            self.file[paper], self.library[paper], self.then[paper] = said, said.copy(), said.copy()
        self.write_file()
        self.desk.import_readme()

    def teardown(self) -> None:
        self.desk.store.close()
        self.folder.cleanup()

    def new_paper(self, section: str, paper: str) -> Values:
        title, date = f"Paper Number {paper}", f"20{paper[:2]}-{paper[2:4]}"
        return {"category": section, "passes": 0, "title": title, "date": date, "code": frozenset()}

    def write_file(self) -> None:
        """Edit the file by hand: rows are cut and pasted, sorted as the reader likes."""
        self.desk.write(readme(self.file))

    def next_number(self) -> int:
        self.count += 1
        return self.count

    def shared(self, number: int) -> str | None:
        papers = [paper for paper in self.then if paper in self.file and paper in self.library]
        return papers[number % len(papers)] if papers else None

    def set_in_file(self, number: int, name: str, value: Any) -> None:
        if (paper := self.shared(number)) is not None:
            self.file[paper][name] = value
            self.write_file()

    @rule(number=Paper, passes=st.integers(0, 3))
    def mark_in_file(self, number: int, passes: int) -> None:
        self.set_in_file(number, "passes", passes)

    @rule(number=Paper, section=st.sampled_from(SECTIONS))
    def move_in_file(self, number: int, section: str) -> None:
        self.set_in_file(number, "category", section)

    @rule(number=Paper)
    def retitle_in_file(self, number: int) -> None:
        self.set_in_file(number, "title", f"Title Number {self.next_number()} of the File")

    @rule(number=Paper)
    def date_in_file(self, number: int) -> None:
        self.set_in_file(number, "date", f"{2000 + self.next_number()}-06")

    @rule(number=Paper, names=st.sets(st.sampled_from(REPOSITORIES)))
    def link_in_file(self, number: int, names: set[str]) -> None:
        self.set_in_file(number, "code", frozenset(names))

    @rule(seed=st.randoms(use_true_random=False))
    def sort_the_file(self, seed: Any) -> None:
        papers = list(self.file.items())
        seed.shuffle(papers)
        self.file = dict(papers)
        self.write_file()

    @rule(section=st.sampled_from(SECTIONS))
    def add_in_file(self, section: str) -> None:
        paper = f"2501.{self.next_number():05d}"
        self.file[paper] = self.new_paper(section, paper)
        self.write_file()

    @rule(number=Paper)
    def delete_in_file(self, number: int) -> None:
        if (paper := self.shared(number)) is not None:
            del self.file[paper]
            self.write_file()

    @rule(number=Paper, passes=st.integers(0, 3))
    def mark_in_library(self, number: int, passes: int) -> None:
        if (paper := self.shared(number)) is None:
            return
        held = self.desk.paper(paper)
        for reading in reversed(held.readings):
            if reading.pass_number > passes:
                unmark_pass(self.desk.store, [held.id], reading.pass_number)
        if self.desk.paper(paper).passes_done < passes:
            mark_pass(self.desk.store, [held.id], passes)
        self.library[paper]["passes"] = self.desk.paper(paper).passes_done

    @rule(number=Paper, section=st.sampled_from(SECTIONS))
    def move_in_library(self, number: int, section: str) -> None:
        if (paper := self.shared(number)) is not None:
            move_papers(self.desk.store, [self.desk.id(paper)], (section,))
            self.library[paper]["category"] = section

    def edit_in_library(self, number: int, name: str, assignment: str, value: Any) -> None:
        if (paper := self.shared(number)) is not None:
            edit_fields(self.desk.store, self.desk.id(paper), parse_assignments([assignment]))
            self.library[paper][name] = value

    @rule(number=Paper)
    def retitle_in_library(self, number: int) -> None:
        title = f"Title Number {self.next_number()} of the Library"
        self.edit_in_library(number, "title", f"title={title}", title)

    @rule(number=Paper)
    def date_in_library(self, number: int) -> None:
        date = f"{2000 + self.next_number()}-07"
        self.edit_in_library(number, "date", f"submitted={date}", date)

    @rule(number=Paper, names=st.sets(st.sampled_from(REPOSITORIES), min_size=2))
    def link_in_library(self, number: int, names: set[str]) -> None:
        urls = " ".join(f"https://github.com/x/{name}" for name in sorted(names))
        self.edit_in_library(number, "code", f"code={urls}", frozenset(names))

    @rule(number=Paper)
    def unlink_in_library(self, number: int) -> None:
        self.edit_in_library(number, "code", "code=", frozenset())

    @rule(section=st.sampled_from(SECTIONS))
    def add_in_library(self, section: str) -> None:
        paper = f"2502.{self.next_number():05d}"
        said = self.new_paper(section, paper)
        add_references(self.desk.store, [paper], category=(section,))
        title = parse_assignments([f"title={said['title']}"])
        edit_fields(self.desk.store, self.desk.id(paper), title)
        self.library[paper] = said

    @rule(number=Paper)
    def remove_in_library(self, number: int) -> None:
        """Only a paper whose row was not changed since: that would be a conflict of its own."""
        paper = self.shared(number)
        if paper is not None and self.file[paper] == self.then[paper]:
            remove_papers(self.desk.store, [self.desk.id(paper)])
            del self.library[paper]

    @rule()
    def sync(self) -> None:
        report = self.desk.import_readme()
        exported = self.desk.export()
        open_fields = set()
        for paper in [*self.then]:
            if paper not in self.file or paper not in self.library:
                self.unlinked |= {paper: self.library[paper]} if paper in self.library else {}
                for side in (self.then, self.file, self.library):
                    side.pop(paper, None)
                continue
            for name in FIELDS:
                sides = (self.then[paper][name], self.file[paper][name], self.library[paper][name])
                value, is_conflict = merged(name, *sides)
                if is_conflict:
                    open_fields.add((paper, name))
                    continue
                for side in (self.then, self.file, self.library):
                    side[paper][name] = value
        for paper, said in [*self.file.items(), *self.library.items()]:
            if paper not in self.then:
                for side in (self.then, self.file, self.library):
                    side[paper] = said.copy()
        for conflicts in (report.conflicts, exported.conflicts):
            named = {
                (self.desk.paper(c.citekey).facts.identifier("arxiv"), c.field) for c in conflicts
            }
            assert named == open_fields

    @invariant()
    def each_side_says_what_it_must(self) -> None:
        assert {e.identifiers[0].value: self.said(e) for e in self.entries()} == self.file
        papers = {paper.facts.identifier("arxiv"): paper for paper in self.desk.papers()}
        assert papers.keys() == self.library.keys() | self.unlinked.keys()
        for name, said in (*self.library.items(), *self.unlinked.items()):
            paper = papers[name]
            code = {link.url[-1] for link in paper.facts.links if link.role == "code"}
            assert (paper.passes_done, paper.facts.title) == (said["passes"], said["title"])
            assert (paper.categories, code) == (((said["category"],),), said["code"])

    def entries(self) -> Any:
        return parse_document(self.desk.read()).entries

    @staticmethod
    def said(entry: Any) -> Values:
        fields = entry.fields
        return {
            "category": entry.category[0],
            "passes": fields.passes,
            "title": fields.title,
            "date": fields.date,
            "code": frozenset(link.url[-1] for link in fields.links if link.role == "code"),
        }


TestTwoSides = TwoSides.TestCase
TestTwoSides.settings = settings(
    max_examples=18,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
