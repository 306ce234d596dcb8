"""Work grows as the file does, also of files that are made to hurt: counted, not timed."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.online.audit import AuditRun, references_of
from papertrack.library import Library
from papertrack.store import versions
from papertrack.store.store import Store
from papertrack.sync.bibtex import linking
from tests.bibtex_actions.conftest import Desk
from tests.counting import calls_of
from tests.fresh_store import fresh_store
from tests.store.conftest import ticking_clock

FEW = 60
"""Entries of the smallest file; more than are compared with each other in any case."""
MADE = {
    "one key and a title that tells nothing": "@misc{{k, title={{Report}}}}",
    "one key and a title, of many years": "@misc{{k, title={{Report}}, author={{Ann Bee}}, "
    "year={{{year}}}, doi={{10.1000/{number}}}}}",
    "one title and author": "@misc{{k{number}, title={{Report of matters}}, author={{Ann Bee}}, "
    "doi={{10.1000/{number}}}}}",
    "one work": "@misc{{k{number}, title={{Report of matters}}, author={{Ann Bee}}, "
    "doi={{10.1000/7}}}}",
    "one DOI": "@misc{{k{number}, title={{Matters of word{number}}}, author={{Ann Bee}}, "
    "doi={{10.1000/7}}}}",
}
"""What the entries of a file have in common, and one of them."""


def entries(one: str, count: int) -> str:
    """As many of them, which no shorter file has: what was found out of these may be known."""
    made = (one.format(year=1000 + n, number=1000 * count + n) for n in range(count))
    return "\n".join(made)


Act = Callable[[Desk], object]


def is_linear(
    tmp_path: Path, made: Callable[[int], str], prepare: Act, act: Act, few: int = FEW
) -> bool:
    """Whether an act on twice the entries is at most a bit more than twice the work."""

    def calls(count: int) -> int:
        place = tmp_path / str(count)
        with fresh_store(place / "data" / "papertrack.db", now=ticking_clock()) as store:
            desk = Desk(store, Library(place), place / "main.bib")
            desk.write(made(count))
            prepare(desk)
            return calls_of(lambda: act(desk))

    calls(few - 1)  # What is read and made once, at the first time, by as much as any needs.
    one, twice, again = (calls(count) for count in (few, 2 * few, 4 * few))
    return again - twice < 2.6 * (twice - one)


@pytest.mark.parametrize("one", MADE.values(), ids=MADE)
def test_an_import_of_twice_the_entries_is_twice_the_work(one: str, tmp_path: Path) -> None:
    assert is_linear(tmp_path, partial(entries, one), lambda desk: None, Desk.import_bib)


def test_an_audit_of_namesakes_looks_at_each_once(tmp_path: Path) -> None:
    def audit(desk: Desk) -> None:
        assert [*AuditRun(None).audit(desk.store, references_of(desk.papers()))]

    of_one_title = partial(entries, MADE["one key and a title that tells nothing"])
    assert is_linear(tmp_path, of_one_title, Desk.import_bib, audit)


def test_adding_twice_the_entries_below_as_many_is_twice_the_work(tmp_path: Path) -> None:
    def made(count: int) -> str:
        one = "@inproceedings{{c{0}, title={{Child {0}}}, crossref={{p{0}}}}}\n\n"
        parent = "@proceedings{{p{0}, title={{Parent {0}}}}}\n\n"
        return "".join(one.format(n) + parent.format(n) for n in range(count))

    def prepare(desk: Desk) -> None:
        desk.import_bib()
        other = desk.bib.with_name("other.bib")
        parents = [line for line in desk.read().split("\n\n") if "@proceedings" in line]
        other.write_text("\n\n".join(parents), encoding="utf-8")
        import_file(desk.store, desk.library, other)

    def add(desk: Desk) -> None:
        other = desk.bib.with_name("other.bib")
        ids = [paper.id for paper in desk.papers() if paper.citekey.startswith("c")]
        (done,) = export_registered(desk.store, desk.library, "bibtex", paths=[other], added=ids)
        assert done.is_written

    assert is_linear(tmp_path, made, prepare, add, few=FEW // 3)


def test_the_entries_of_a_paper_are_read_once_for_all_of_a_copied_file(
    empty_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty_desk.import_bib(entries(MADE["one work"], FEW))
    other = empty_desk.bib.with_name("other.bib")
    other.write_text(empty_desk.read(), encoding="utf-8")
    read: list[int] = []

    def get_originals(store: Store, paper_id: int) -> dict[str, str]:
        read.append(paper_id)
        return versions.get_originals(store, paper_id)

    monkeypatch.setattr(linking, "get_originals", get_originals)
    assert not import_file(empty_desk.store, empty_desk.library, other).papers_new
    assert len(read) == 1


def test_among_many_of_one_title_and_author_an_identifier_tells_still_which(
    empty_desk: Desk,
) -> None:
    one = MADE["one title and author"]
    empty_desk.import_bib(entries(one, 2 * FEW))
    report = empty_desk.import_bib(empty_desk.read() + "\n" + one.format(number=2 * FEW * 1000 + 7))
    assert report.papers_new == 0
    assert len(empty_desk.papers()) == 2 * FEW
