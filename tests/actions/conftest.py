"""A library with a README in it, written for these tests."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.references import resolve_reference
from papertrack.library import Library
from papertrack.records import Paper
from papertrack.store.lookup import get_paper, get_papers
from papertrack.store.store import Store
from papertrack.sync.report import DocumentExport, ImportReport
from tests.fresh_store import fresh_store
from tests.store.conftest import ticking_clock

# ruff: noqa: E501  # Table rows are one line each.

README = """\
# Reading List

> [!NOTE]
> - ✅: the first pass, ✅ ✅: the second pass, ✅ ✅ ✅: the third pass.

<!--
| [<u>Title</u>][] | 20xx/xx | [![arXiv][0]][] | | | |
-->

## Serving

| Title | Date | arXiv | GitHub | Note | Read |
| :---- | :--- | :---- | :----- | :--- | :--- |
| [<u>Orca-like Batching</u>][11] | 2022/07 | [![arXiv][0]][11] | | | ✅ |
| [<u>Paged Memory for Serving</u>][1] | 2023/09 | [![arXiv][0]][1] | [<u>paged</u>][2] | [<u>link</u>][3] | ✅ ✅ ✅ |
| [<u>Chunked Prefills</u>][16] | 2024/03 | [![arXiv][0]][16] | | [<u>link</u>][3] | |

## Speculation

| Title | Date | arXiv | GitHub | Note | Read |
| :---- | :--- | :---- | :----- | :--- | :--- |
| [<u>Drafting Ahead</u>][6] | 2022/11 | [![arXiv][0]][6] | [<u>draft</u>][7], [<u>verify</u>][8] | | ✅ ✅ |

## Empty So Far

| Title | Date | arXiv | GitHub | Note | Read |
| :---- | :--- | :---- | :----- | :--- | :--- |

<!-- Links: 0~200 -->
[0]: https://img.shields.io/badge/arXiv-b31b1b.svg
<!-- Paged Memory for Serving -->
[1]: https://arxiv.org/abs/2309.10001
[2]: https://github.com/example/paged
[3]: notes/serving.md
<!-- Drafting Ahead -->
[6]: https://arxiv.org/abs/2211.10002
[7]: https://github.com/example/draft
[8]: https://github.com/example/verify
<!-- Orca-like Batching -->
[11]: https://arxiv.org/abs/2207.10003v2
<!-- Chunked Prefills -->
[16]: https://arxiv.org/abs/2403.10004
<!-- Links: 1~200 -->
"""

PAGED, DRAFT, ORCA, CHUNKED = "2309.10001", "2211.10002", "2207.10003", "2403.10004"


@dataclass
class Desk:
    """A reader at work: one library, its store, and a README."""

    store: Store
    library: Library
    readme: Path

    def write(self, text: str) -> None:
        self.readme.write_bytes(text.encode())

    def read(self) -> str:
        return self.readme.read_bytes().decode()

    def replace(self, old: str, new: str) -> None:
        """Edit the README by hand."""
        assert old in self.read()
        self.write(self.read().replace(old, new, 1))

    def import_readme(self, **options: object) -> ImportReport:
        return import_file(self.store, self.library, self.readme, **options)  # type: ignore[arg-type]

    def export(self, **options: object) -> DocumentExport:
        (exported,) = export_registered(self.store, self.library, "markdown", **options)  # type: ignore[arg-type]
        return exported

    def edit(self, reference: str, *assignments: str) -> None:
        edit_fields(self.store, self.id(reference), parse_assignments(assignments))

    def undo(self, times: int = 1) -> None:
        """Undo, and let the file follow."""
        for _ in range(times):
            self.store.undo()
        self.export()

    def redo(self, times: int = 1) -> None:
        """Do again, and let the file follow."""
        for _ in range(times):
            self.store.redo()
        self.export()

    def id(self, reference: str) -> int:
        return resolve_reference(self.store, reference)

    def paper(self, reference: str) -> Paper:
        return get_paper(self.store, self.id(reference))

    def papers(self) -> list[Paper]:
        ids = [row[0] for row in self.store.connection.execute("SELECT id FROM papers ORDER BY id")]
        return get_papers(self.store, ids)


@pytest.fixture(autouse=True)
def _state_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is trusted in a test is so in no other."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def new_desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Make desks: each call gives another library, with that README and maybe that database."""
    opened: list[Store] = []

    def make(readme: str = README, *, database: Path | None = None) -> Desk:
        library = Library(tmp_path / f"library{len(opened)}")
        library.database.parent.mkdir(parents=True)
        if database:
            shutil.copyfile(database, library.database)
        store = fresh_store(library.database, now=ticking_clock())
        opened.append(store)
        desk = Desk(store, library, library.root / "README.md")
        desk.write(readme)
        return desk

    yield make
    for store in opened:
        store.close()


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a library with the README imported, an hour before each test's day begins."""
    library = Library(tmp_path_factory.mktemp("imported"))
    readme = library.root / "README.md"
    readme.write_bytes(README.encode())
    with fresh_store(library.database, now=ticking_clock(hour=7)) as store:
        import_file(store, library, readme)
    return library.database


@pytest.fixture
def desk(new_desk: Callable[..., Desk], imported: Path) -> Desk:
    """A library with the README imported."""
    return new_desk(README, database=imported)
