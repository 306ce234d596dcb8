"""What is in step is not read again, and nothing comes of it that would not come of reading."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papertrack.actions.add import add_references
from papertrack.actions.document_settings import change_settings
from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.reading import mark_pass
from papertrack.documents.markdown.read import document as reader
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.store.documents import read_documents
from papertrack.store.store import Store
from papertrack.sync.in_step import find_unchanged
from papertrack.sync.report import DocumentExport, ImportReport
from tests.actions.conftest import CHUNKED, README, Desk
from tests.actions.test_undo_everything import perform, step
from tests.corpus import files, some
from tests.fresh_store import fresh_store
from tests.store.conftest import ticking_clock

Count = Callable[[], int]


@pytest.fixture
def texts_read() -> Iterator[Count]:
    """How many texts were parsed since this was asked last."""
    reader._read.cache_clear()
    seen = 0

    def count() -> int:
        nonlocal seen
        before, seen = seen, reader._read.cache_info().misses
        return seen - before

    yield count
    reader._read.cache_clear()


def test_what_did_not_change_is_not_read_again(desk: Desk, texts_read: Count) -> None:
    desk.export()
    texts_read()
    report = desk.import_readme()
    assert not report.has_changes
    assert (report.entries, report.papers_unchanged) == (4, 4)
    assert not desk.export().has_changes
    assert texts_read() == 0


def test_the_first_export_after_an_import_reads_nothing(desk: Desk, texts_read: Count) -> None:
    assert not desk.export().has_changes
    desk.replace("2024/03", "2024/04")
    assert desk.import_readme().has_changes
    texts_read()
    assert not desk.export().has_changes
    assert texts_read() == 0


def test_what_waited_before_an_import_is_written_after_it(desk: Desk) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    desk.replace("2022/11", "2022/12")
    desk.import_readme()
    assert desk.export().lines_added == 1


def test_a_paper_that_waits_in_a_section_is_written_after_the_import(
    new_desk: Callable[[str], Desk],
) -> None:
    desk = new_desk(README)
    add_references(desk.store, ["2501.00001"], category=("Serving",))
    desk.edit("2501.00001", "title=Waiting")
    desk.import_readme()
    assert desk.export().lines_added


def test_an_import_agrees_only_with_what_an_export_would_leave_alone(tmp_path: Path) -> None:
    """Four files of the collections share a library, in which something is done in between."""
    drawn = some(files("readmes/*.md", "reported/lists/*.md", "bib/*.bib"), "agrees", 60)
    numbers = range(0, len(drawn) - 4, 4)
    for number in numbers:
        with fresh_store(tmp_path / f"{number}.db", now=ticking_clock()) as store:
            library = Library(tmp_path / str(number))
            library.root.mkdir()
            for path in drawn[number : number + 4]:
                copy = library.root / path.name
                copy.write_bytes(path.read_bytes())
                with suppress(PapertrackError):
                    import_file(store, library, copy)
                assert_agreed(store, library)
                for paper_id in store.select_column("SELECT id FROM papers LIMIT 2 OFFSET 1"):
                    mark_pass(store, [paper_id], 1 + number % 3)


def assert_agreed(store: Store, library: Library) -> None:
    """Of each document that is in step, an export that reads it writes and tells nothing."""
    for document in read_documents(store):
        path = library.root / document.path
        before = find_unchanged(store, document.id, path)
        if before and before.is_written:
            with store.transaction():
                store.execute("DELETE FROM in_step WHERE document_id = ?", (document.id,))
            (done,) = export_registered(store, library, document.kind, paths=[path])
            assert plain(done) == ("", (), (), False), path


def test_an_edited_text_is_read_once(desk: Desk, texts_read: Count) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    texts_read()
    assert desk.export().has_changes
    assert texts_read() <= 2


def test_what_was_not_understood_is_told_again(new_desk: Callable[[str], Desk]) -> None:
    desk = new_desk(README.replace("## Empty", "Look [there](https://example.org/x).\n\n## Empty"))
    first = desk.import_readme()
    assert first.skipped
    assert desk.import_readme().skipped == first.skipped


def test_a_setting_of_the_document_is_a_reason_to_read_it(desk: Desk, texts_read: Count) -> None:
    change_settings(desk.store, desk.library, desk.readme, {"checks": "ignored"})
    texts_read()
    desk.import_readme()
    assert texts_read() == 1


def test_another_reader_is_a_reason_to_read(
    desk: Desk, texts_read: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papertrack.sync.in_step.__version__", "of tomorrow")
    reader._read.cache_clear()
    texts_read()
    desk.import_readme()
    assert texts_read() == 1


def test_an_older_state_of_the_file_is_read(desk: Desk) -> None:
    before = desk.read()
    desk.replace("2024/03 | [![arXiv][0]][16] | | [<u>link</u>][3] | |", "| | | | ✅ |")
    desk.import_readme()
    assert desk.paper(CHUNKED).passes_done == 1
    desk.write(before)
    desk.import_readme()
    assert desk.paper(CHUNKED).passes_done == 0


BOXES = """\
# One

Nothing [here](#there).

## Boxes

- [ ] [Orca-like Batching](https://arxiv.org/abs/2207.10003) [[code]][c]
  - with words of mine
- [x] **Paged Memory** [[paper]][1] [[code]][c]

[c]: https://github.com/example/orca

### Deeper [c]

1. [ ] [Drafting Ahead][2]
2. [x] [First of January](https://arxiv.org/abs/2401.00001)

# Two

## Boxes

- [ ] [Paged Memory](https://arxiv.org/abs/2309.10001)
- [x] [Chunked Prefills</u>][ 16 ]
| a | b |

[C]: https://github.com/example/other
[1]: https://arxiv.org/abs/2309.10001
[2]: <https://arxiv.org/abs/2211.10002>
[16]: https://arxiv.org/abs/2403.10004
"""
TABLES = """\
## Serving\r
\r
| Read | Title |\r
|:---|---|\r
| ✅ ✅ | [Orca-like Batching](https://arxiv.org/abs/2207.10003) |\r
|  | [Paged Memory][p] |\r
\r
~~~\r
## No heading\r
[p]: https://example.org/no\r
~~~\r
\r
## Speculation ##\r
\r
| Title | Read | Stars |\r
|---|---|---|\r
| [Drafting Ahead](https://arxiv.org/abs/2211.10002) | | ⭐ |\r
| [Paged Memory](https://arxiv.org/abs/2309.10001) | ✅ | |\r
| [<u>Chunked Prefills</u>](https://arxiv.org/abs/2403.10004) | ✅ |\r
\r
### New\r
\r
* [First of January](https://arxiv.org/abs/2401.00001) ✅\r
* [Second of January](https://arxiv.org/abs/2401.00002)\r
\r
[p]: https://arxiv.org/abs/2309.10001"""


@contextmanager
def twins(readme: str) -> Iterator[tuple[Desk, Desk]]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        desks = []
        for name in ("knowing", "asking"):
            root = Path(folder) / name
            now = datetime(2026, 11, 22, tzinfo=UTC)
            database = root / "data" / "papertrack.db"
            store = stack.enter_context(fresh_store(database, now=lambda at=now: at))
            desk = Desk(store, Library(root), root / "README.md")
            desk.write(readme)
            desks.append(desk)
        yield desks[0], desks[1]


def exports(desk: Desk) -> tuple[DocumentExport, ...]:
    """Of the README, unless undo took it out of the library."""
    return tuple(export_registered(desk.store, desk.library, "markdown"))


def outcome(desk: Desk, verb: str, first: object, second: object) -> object:
    """What a step returns, or the sentence with which it is refused."""
    try:
        if verb == "look":
            return desk.import_readme(), exports(desk)
        if verb == "try":
            with desk.store.trial():
                return exports(desk), desk.import_readme(), exports(desk)
        if verb in ("undo", "redo"):
            (desk.store.undo if verb == "undo" else desk.store.redo)()
            return None
        perform(desk, verb, first, second)
    except PapertrackError as error:
        return type(error)
    return None


def plain(result: object) -> object:
    """A result without what is the desk's own."""
    if isinstance(result, tuple):
        return tuple(map(plain, result))
    if isinstance(result, DocumentExport):
        return (result.diff, result.refused, result.conflicts, result.is_written)
    assert result is None or isinstance(result, type | ImportReport)
    return result


ENTRIES = "SELECT position, key, category, text, base, library, state FROM entries"
LISTED = ["2309.10001", "2211.10002", "2207.10003", "2401.00001", "2401.00002", "2403.10004"]
marks = st.tuples(st.just("pass"), st.sampled_from(LISTED), st.integers(1, 3))
looks = st.tuples(
    st.sampled_from(["look", "look", "try", "undo", "undo", "redo"]), st.none(), st.none()
)


@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from([README, BOXES, TABLES]), st.lists(st.one_of(step, marks, looks), max_size=14)
)
def test_nothing_is_missed_that_reading_would_find(
    readme: str, steps: list[tuple[str, object, object]]
) -> None:
    with twins(readme) as (knowing, asking):
        for verb, first, second in [("look", None, None), *steps, ("look", None, None)]:
            results = []
            for desk in (knowing, asking):
                if desk is asking:
                    with desk.store.transaction():
                        desk.store.execute("DELETE FROM in_step")
                results.append(plain(outcome(desk, verb, first, second)))
            assert results[0] == results[1]
            assert knowing.read() == asking.read()
            entries = (desk.store.execute(ENTRIES).fetchall() for desk in (knowing, asking))
            assert next(entries) == next(entries)


def test_a_notice_of_the_next_import_is_told_by_it_and_by_those_after(
    new_desk: Callable[[str], Desk],
) -> None:
    desk = new_desk(README)
    desk.import_readme()
    desk.store.execute("DELETE FROM in_step")
    row = "[<u>Chunked Prefills</u>][16]"
    desk.replace(row, row.replace("16", "11"))
    reports = [desk.import_readme() for _ in range(3)]
    assert reports[1].notices == reports[2].notices
    desk.store.execute("DELETE FROM in_step")
    assert desk.import_readme().notices == reports[2].notices


def test_what_was_undone_before_something_else_was_done_is_written(desk: Desk) -> None:
    before = desk.read()
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    desk.export()
    desk.store.undo()
    add_references(desk.store, ["2501.00001"])
    desk.export()
    assert desk.read() == before


def statements_of_import(desk: Desk, papers: int) -> int:
    """How much SQL it takes to import papers that want the same key."""
    row = "| [The Same Words]({url}) | |\n"
    urls = (f"https://arxiv.org/abs/2401.{number:05}" for number in range(papers))
    rows = "".join(row.format(url=url) for url in urls)
    desk.write(f"## Papers\n\n| Title | Read |\n|---|---|\n{rows}")
    seen: list[str] = []
    desk.store.connection.set_trace_callback(seen.append)
    desk.import_readme()
    desk.store.connection.set_trace_callback(None)
    return len(seen)


def test_a_row_costs_as_much_sql_in_a_long_list_as_in_a_short_one(
    new_desk: Callable[[str], Desk],
) -> None:
    short, long = (statements_of_import(new_desk(README), number) for number in (100, 300))
    assert long < 3.2 * short
