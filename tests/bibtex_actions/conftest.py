"""A library and a .bib file beside it, written for these tests."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.library import Library
from papertrack.records import Paper
from papertrack.store.lookup import find_by_citekey, get_paper, get_papers
from papertrack.store.store import Store
from papertrack.sync.report import DocumentExport, ImportReport
from tests.fresh_store import fresh_store
from tests.store.conftest import ticking_clock

REFS = r"""% My thesis
@string{neurips = "Advances in Neural Information Processing Systems"}

@inproceedings{vaswani,
  title     = {Attention Is All You Need},
  author    = {Vaswani, Ashish and Shazeer, Noam and others},
  booktitle = neurips,
  year      = 2017,
  pages     = {5998--6008},
}

@Article{kwon:paged,
    author  = "Woosuk Kwon and Li, Zhuohan",
    title   = "Efficient Memory Management with {PagedAttention}",
    journal = "arXiv preprint arXiv:2309.06180",
    year    = "2023",
    mynote  = {50% done},
}
@book{knuth, title={The {\TeX}book}, author={Donald E. Knuth}, year={1984}, publisher={AW}}
"""


@dataclass
class Desk:
    """A reader at work: one library, its store, and a .bib file."""

    store: Store
    library: Library
    bib: Path

    def write(self, text: str) -> None:
        self.bib.write_bytes(text.encode())

    def read(self) -> str:
        return self.bib.read_bytes().decode()

    def replace(self, old: str, new: str) -> None:
        """Edit the file by hand."""
        assert old in self.read()
        self.write(self.read().replace(old, new, 1))

    def import_bib(self, text: str | None = None, **options: object) -> ImportReport:
        if text is not None:
            self.write(text)
        return import_file(self.store, self.library, self.bib, **options)  # type: ignore[arg-type]

    def export(self, **options: object) -> DocumentExport:
        (exported,) = export_registered(self.store, self.library, "bibtex", **options)  # type: ignore[arg-type]
        assert exported.error is None, exported.error
        return exported

    def edit(self, key: str, *assignments: str) -> None:
        edit_fields(self.store, self.id(key), parse_assignments(assignments))

    def undo(self, times: int = 1) -> None:
        """Undo, and let the file follow."""
        for _ in range(times):
            self.store.undo()
        self.export()

    def id(self, key: str) -> int:
        found = find_by_citekey(self.store, key)
        assert found is not None, key
        return found

    def paper(self, key: str) -> Paper:
        return get_paper(self.store, self.id(key))

    def papers(self) -> list[Paper]:
        ids = [row[0] for row in self.store.connection.execute("SELECT id FROM papers ORDER BY id")]
        return get_papers(self.store, ids)


@pytest.fixture
def empty_desk(tmp_path: Path) -> Iterator[Desk]:
    with fresh_store(tmp_path / "data" / "papertrack.db", now=ticking_clock()) as store:
        yield Desk(store, Library(tmp_path), tmp_path / "main.bib")


@pytest.fixture
def desk(empty_desk: Desk) -> Desk:
    """A library with REFS imported."""
    report = empty_desk.import_bib(REFS)
    assert report.papers_new == 3
    return empty_desk
