"""What is in step is not parsed again, and nothing comes of it that would not come of parsing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.documents.bibtex import facts, parse
from papertrack.records import Skipped
from papertrack.store.documents import read_entries
from papertrack.sync.bibtex import reading
from tests.bibtex_actions.conftest import Desk

Count = Callable[[], int]


@pytest.fixture
def files_parsed(monkeypatch: pytest.MonkeyPatch) -> Count:
    """How many files were parsed since this was asked last."""
    parsed: list[object] = []
    read = reading.read_bib

    def counted(path: Path, **others: Any) -> reading.ReadBib:
        parsed.append(path)
        return read(path, **others)

    monkeypatch.setattr(reading, "read_bib", counted)

    def count() -> int:
        number = len(parsed)
        parsed.clear()
        return number

    return count


def test_of_what_is_known_beyond_a_new_file_nothing_waits_to_be_written(empty_desk: Desk) -> None:
    add_references(empty_desk.store, ["2501.00001"])
    paper = empty_desk.id("arxiv2501.00001")
    edit_fields(empty_desk.store, paper, parse_assignments(["venue=ICML"]))
    entry = "@misc{one, title={One}, author={A B}, eprint={2501.00001}, archiveprefix={arXiv}}\n"
    empty_desk.import_bib(entry)
    empty_desk.store.connection.execute("DELETE FROM in_step")
    assert not empty_desk.export().has_changes


def test_an_import_and_an_export_parse_one_text_once(desk: Desk) -> None:
    desk.export()
    desk.edit("knuth", "year=1986")
    parse._parse.cache_clear()
    desk.import_bib()
    assert desk.export().has_changes
    assert parse._parse.cache_info().misses == 2  # The file before the export, and after.


def test_what_another_file_defines_is_read_with_a_known_text(empty_desk: Desk) -> None:
    beside = empty_desk.bib.with_name("strings.bib")
    text = "@article{one, title={One}, author={A B}, journal=abc}\n"
    for name in ("A Journal", "Another Journal"):
        beside.write_text(f"@string{{abc = {{{name}}}}}")
        empty_desk.store.connection.execute("DELETE FROM in_step")
        empty_desk.import_bib(text)
        assert empty_desk.paper("one").facts.venue == name


def test_an_import_that_was_undone_is_parsed_again(desk: Desk, files_parsed: Count) -> None:
    desk.export()
    desk.replace("1984", "1985")
    desk.import_bib()
    desk.store.undo()
    files_parsed()
    desk.import_bib()
    assert files_parsed() == 1


def test_what_an_export_wrote_is_not_parsed_again(desk: Desk, files_parsed: Count) -> None:
    desk.export()
    desk.edit("knuth", "year=1986")
    assert desk.export().has_changes
    before = desk.read()
    desk.import_bib()
    files_parsed()
    report = desk.import_bib()
    assert (report.entries, report.papers_unchanged, report.has_changes) == (3, 3, False)
    assert not desk.export().has_changes
    assert files_parsed() == 0
    assert desk.read() == before
    desk.store.undo()
    assert desk.export().has_changes
    assert "1984" in desk.read()
    desk.replace("1984", "1985")
    assert desk.import_bib().has_changes


def test_what_an_export_did_not_write_is_told_again(empty_desk: Desk) -> None:
    text = "@article{one, title={One}, author={A B}, year={2020}}\n@article{broken, title={x\n"
    empty_desk.import_bib(text)
    empty_desk.export()
    empty_desk.edit("one", "year=2021")
    assert empty_desk.export().has_changes
    told = empty_desk.import_bib()
    assert [one.reason for one in told.skipped] == [one.reason for one in _read_anew(empty_desk)]


def _read_anew(desk: Desk) -> tuple[Skipped, ...]:
    desk.store.connection.execute("DELETE FROM in_step")
    return desk.import_bib().skipped


def test_another_reader_is_a_reason_to_parse(
    desk: Desk, files_parsed: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.export()
    monkeypatch.setattr("papertrack.sync.in_step.__version__", "of tomorrow")
    files_parsed()
    desk.import_bib()
    assert files_parsed() == 1


def test_only_the_entries_that_changed_are_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.export()
    read: list[str] = []
    facts_of = facts.facts_of

    def counted(entry_type: str, fields: facts.Fields) -> facts.PaperFacts:
        read.append(entry_type)
        return facts_of(entry_type, fields)

    monkeypatch.setattr(facts, "facts_of", counted)
    desk.edit("knuth", "year=1986")
    assert desk.export().has_changes
    desk.replace("1986", "1987")
    desk.import_bib()
    assert {*read} == {"book"}


def test_an_unchanged_entry_says_what_the_rest_of_the_file_makes_of_it(empty_desk: Desk) -> None:
    tree = "@comment{jabref-meta: grouping:\n0 AllEntriesGroup:;\n1 StaticGroup:%s\\;0\\;;\n}\n"
    address = "url={https://example.org/all}"
    entry = f"@misc{{one, title={{One Thing}}, {address}, groups={{Lamps}}}}\n"
    empty_desk.import_bib(entry + tree % "Lamps")
    empty_desk.import_bib(f"{entry}@misc{{two, title={{Another}}, {address}}}\n{tree % 'lamps'}")
    said = read_entries(empty_desk.store, 1)[0].base
    assert said == {
        "title": "One Thing",
        "citekey": "one",
        "categories": [["lamps"]],
    }
