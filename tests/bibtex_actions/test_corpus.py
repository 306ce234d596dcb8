"""Every .bib file of the collection through the library: in, out, and back again unharmed."""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import bibtexparser
import pytest
from pybtex.database import Person
from pybtex.database import parse_string as parse_with_pybtex

from papertrack.documents.bibtex import parse
from papertrack.documents.bibtex.facts import BibLibrary
from papertrack.documents.bibtex.fresh import Dialect, safe_key, type_in
from papertrack.documents.encoding import decode_bib
from papertrack.exporters.bibtex import to_bibtex
from papertrack.identifiers.derived import year_of
from papertrack.latex.decode import decode_latex
from papertrack.library import Library
from papertrack.records import Paper
from papertrack.store.store import Store
from papertrack.sync.bibtex import reading
from papertrack.sync.report import ImportReport
from tests.bibtex_actions.conftest import Desk
from tests.corpus import files, some
from tests.store.conftest import ticking_clock

FILES = some(files("bib/*.bib"), "library", 50)

pytestmark = pytest.mark.corpus


@lru_cache(maxsize=4)
def parse_bibtex(text: str, *, file: str = "") -> BibLibrary:
    """A text is parsed once, however often it is imported, exported and looked at again: what a
    .bib file holds is immutable."""
    return parse.parse_bibtex(text, file=file)


@pytest.fixture(autouse=True, scope="module")
def parsed_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "parse_bibtex", lambda text, **_: parse_bibtex(text))
        yield


@pytest.fixture(
    scope="module",
    params=[pytest.param(path, id=path.name) for path in FILES]
    or [pytest.param(None, marks=pytest.mark.skip)],
)
def imported(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, ImportReport]:
    """A library's folder with one file of the collection imported, and what the import told."""
    folder = tmp_path_factory.mktemp("imported")
    (folder / "main.bib").write_bytes(request.param.read_bytes())
    with Store.create(folder / "data" / "papertrack.db", now=ticking_clock()) as store:
        report = Desk(store, Library(folder), folder / "main.bib").import_bib()
    return folder, report


@pytest.fixture
def desk(imported: tuple[Path, ImportReport], tmp_path: Path) -> Iterator[Desk]:
    """A copy of that library, for one test to change."""
    shutil.copytree(imported[0], tmp_path, dirs_exist_ok=True)
    with Store.open(tmp_path / "data" / "papertrack.db", now=ticking_clock()) as store:
        yield Desk(store, Library(tmp_path), tmp_path / "main.bib")


def test_every_entry_is_a_paper_and_no_byte_changes(
    desk: Desk, imported: tuple[Path, ImportReport]
) -> None:
    data, (_, report) = desk.bib.read_bytes(), imported
    count = "SELECT count(*) FROM entries WHERE paper_id IS NOT NULL"
    assert desk.store.connection.execute(count).fetchone() == (report.entries,)
    (kept,) = desk.store.connection.execute("SELECT group_concat(text) FROM originals").fetchone()
    text, _ = decode_bib(data)
    assert all(entry.raw in (kept or "") for entry in parse_bibtex(text).entries)
    again = desk.import_bib()
    assert (again.papers_new, again.papers_changed, again.deleted) == (0, 0, ())
    assert again.conflicts == report.conflicts  # Open until decided.
    assert again.papers_unchanged == report.papers_new
    desk.store.connection.execute("DELETE FROM in_step")
    exported = desk.export()
    assert not exported.has_changes
    assert desk.bib.read_bytes() == data


def test_one_edit_changes_one_entry_and_is_read_again(desk: Desk) -> None:
    data, papers = desk.bib.read_bytes(), desk.papers()
    if not papers:
        return
    desk.import_bib(prefer="library")  # Whose a repeated DOI is stays open until decided.
    edited = papers[len(papers) // 2]
    desk.edit(edited.citekey, "title=An Edited & Longer Title", "year=1234")
    desk.export()
    before = parse_bibtex(decode_bib(data)[0]).entries
    after = parse_bibtex(decode_bib(desk.bib.read_bytes())[0]).entries
    assert [entry.citekey for entry in after] == [entry.citekey for entry in before]
    pairs = enumerate(zip(before, after, strict=True))
    changed = [n for n, (old, new) in pairs if old.raw != new.raw]
    places = "SELECT position FROM entries WHERE paper_id = ? ORDER BY position"
    rows = desk.store.connection.execute(places, (edited.id,))
    assert changed == [row[0] for row in rows]
    facts = [after[n].facts for n in changed]
    assert Counter((one.title, one.year) for one in facts) == {
        ("An Edited & Longer Title", 1234): len(changed)
    }
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes


def test_other_programs_read_what_the_file_said(desk: Desk) -> None:
    papers = desk.papers()
    dialects: tuple[Dialect, ...] = ("bibtex", "biblatex")
    for dialect in dialects:
        assert_is_read_by_others(papers, dialect)


def assert_is_read_by_others(papers: list[Paper], dialect: Dialect) -> None:
    text = to_bibtex(papers, dialect=dialect)
    expected = {safe_key(paper.citekey): facts_told(paper, dialect) for paper in papers}
    library = bibtexparser.parse_string(text)
    assert not library.failed_blocks
    assert [entry.key for entry in library.entries] == sorted(expected, key=str.casefold)
    for entry in library.entries:
        told = expected[entry.key]
        fields = {field.key: field.value for field in entry.fields}
        assert entry.entry_type == told["type"]
        assert decode_latex(fields.get("title", "")) == told["title"]
        assert identified(fields) == told["identified"]
    for key, entry in parse_with_pybtex(text, "bibtex").entries.items():
        told = expected[key]
        assert entry.type == told["type"]
        assert decode_latex(entry.fields.get("title", "")) == told["title"]
        assert identified(entry.fields) == told["identified"]
        assert [*map(printed, entry.persons.get("author", []))] == told["names"]


def facts_told(paper: Paper, dialect: Dialect) -> dict[str, object]:
    facts, year = paper.facts, year_of(paper)
    return {
        "type": type_in(dialect, paper),
        "title": facts.title or "",
        "names": [author.name for author in facts.authors],
        "identified": (
            None if year is None else str(year),
            facts.identifier("arxiv"),
            facts.identifier("doi"),
        ),
    }


def identified(fields: Mapping[str, str]) -> tuple[str | None, str | None, str | None]:
    """Year, arXiv id and DOI; the DOI that arXiv gives every preprint is its id again."""
    doi = fields.get("doi")
    is_arxivs = doi is not None and doi.startswith("10.48550/arXiv.")
    return fields.get("year"), fields.get("eprint"), None if is_arxivs else doi


def printed(person: Person) -> str:
    parts = person.first_names, person.middle_names, person.prelast_names, person.last_names
    words = [word for part in (*parts, person.lineage_names) for word in part]
    return "et al." if words == ["others"] else decode_latex(" ".join(words))
