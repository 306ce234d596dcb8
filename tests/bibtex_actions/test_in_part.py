"""Where fields of few entries change only these are read, and what comes of it is the same."""

from pathlib import Path

import pytest

from papertrack.actions import documents
from papertrack.sync.bibtex import in_part, reading
from papertrack.sync.report import DocumentExport
from tests.bibtex_actions.conftest import Desk

REFS = r"""% My list of 50 %
@string{jot = "Journal of Things"}
@comment{a word}

@article{lone, title={A Lone Thing}, author={Ada Byron}, journal={J. Lone}, year=2001, url={https://things.example/1}}
@inproceedings{other,
  Title     = "On {BERT} and Others",
  author    = {M{\"u}ller, J{\"o}rg and Kim, Ann},
  booktitle = {Proc. of X},
  year      = {2002},
}
@article{named, title={Named by Another}, author={Cy Dee}, year={2003}}
@incollection{naming, title={It Names One}, author={Dee Cy}, crossref={named}, year={2004}}
@article{strung, title={Of a Journal}, author={Eve Ef}, journal=jot, year={2005}}
@misc{twice, title={Twice}, author={Guy Ha}, year={2006}}
@misc{twice, title={Twice}, author={Guy Ha}, year={2006}}
@article{last, title={The Last One}, author={Ian Jay}, year={2007}, year={2008}}
"""


@pytest.fixture
def listed(empty_desk: Desk) -> Desk:
    empty_desk.import_bib(REFS)
    assert not empty_desk.export().has_changes
    return empty_desk


def whole_files_read_by(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> int:
    read, paths = reading.read_bib, list[Path]()
    with monkeypatch.context() as patched:
        patched.setattr(reading, "read_bib", lambda path: (paths.append(path), read(path))[1])
        assert desk.export().has_changes
    return len(paths)


@pytest.mark.parametrize(
    ("key", "edit"),
    [
        ("lone", "venue=Journal of Lone Things"),
        ("lone", "year="),
        ("other", "title=On {BERT} and all the others"),
        ("other", "authors=Ann Kim, Bo Li"),
        ("other", "year=2012"),
    ],
)
def test_a_field_of_an_entry_that_needs_nothing_else_is_written_without_the_file(
    listed: Desk, key: str, edit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed.edit(key, edit)
    assert whole_files_read_by(listed, monkeypatch) == 0


@pytest.mark.parametrize(
    ("key", "edit"),
    [
        ("lone", "title=Another at that address"),
        ("lone", "citekey=alone"),
        ("named", "venue=A Book of Parts"),
        ("naming", "title=It still names one"),
        ("strung", "year=2015"),
        ("twice", "year=2016"),
        ("last", "venue=J. Last"),
        ("other", "doi=10.1000/182"),  # A line more, in a file of which lines are told.
    ],
)
def test_what_others_hang_on_has_all_of_the_file_read(
    listed: Desk, key: str, edit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed.edit(key, edit)
    assert whole_files_read_by(listed, monkeypatch) == 1


@pytest.mark.parametrize("preamble", ["@preamble{", "@ Preamble\n("])
def test_a_file_with_commands_for_its_entries_is_read_whole(
    empty_desk: Desk, preamble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = "}" if "{" in preamble else ")"
    empty_desk.import_bib(f'{preamble}"\\def\\x{{}}"{closing}\n{REFS}')
    assert not empty_desk.export().has_changes
    empty_desk.edit("lone", "venue=Journal of Lone Things")
    assert whole_files_read_by(empty_desk, monkeypatch) == 1


EDITS = (
    ("lone", "venue=Journal of Lone Things"),
    ("other", "doi=10.1000/182"),
    ("lone", "venue=J. Lone"),
    ("other", "authors=Ann Kim, Bo Li"),
    ("strung", "year=2015"),
    ("other", "venue=Proc. of Ü & Y"),
    ("lone", "rating=4"),
)


def test_what_is_written_and_remembered_is_what_reading_the_file_comes_to(
    listed: Desk, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [_written(listed, key, edit) for key, edit in EDITS]
    listed.store.undo()
    told.append(_exported(listed, listed.export()))
    monkeypatch.setattr(in_part, "export_in_part", lambda *asked: None)
    listed.store.connection.execute("DELETE FROM in_step")
    assert not listed.export().has_changes
    assert told == _whole_ways(tmp_path_factory.mktemp("whole"))


def _whole_ways(folder: Path) -> list[tuple[object, ...]]:
    from papertrack.library import Library
    from tests.fresh_store import fresh_store
    from tests.store.conftest import ticking_clock

    with fresh_store(folder / "data" / "papertrack.db", now=ticking_clock()) as store:
        desk = Desk(store, Library(folder), folder / "main.bib")
        desk.import_bib(REFS)
        desk.export()
        told = [_written(desk, key, edit) for key, edit in EDITS]
        desk.store.undo()
        return [*told, _exported(desk, desk.export())]


def _written(desk: Desk, key: str, edit: str) -> tuple[object, ...]:
    desk.edit(key, edit)
    return _exported(desk, desk.export())


def _exported(desk: Desk, export: DocumentExport) -> tuple[object, ...]:
    ask = desk.store.connection.execute
    entries = ask("SELECT key, text, base, library, state, refused FROM entries ORDER BY position")
    texts = ask("SELECT source, text FROM originals ORDER BY source")
    known = ask("SELECT digest, told FROM in_step")
    versions = ask("SELECT digest, lines, entries FROM versions ORDER BY id")
    kept = [rows.fetchall() for rows in (entries, texts, known, versions)]
    return desk.read(), export.diff, export.refused, *kept


@pytest.mark.parametrize("edit", ["year=2011", "doi=10.1000/182"])
def test_what_a_reading_tells_stands_on_the_lines_of_now(listed: Desk, edit: str) -> None:
    listed.edit("other", edit)
    listed.export()
    told = listed.import_bib()
    assert told.papers_changed == 0
    listed.store.connection.execute("DELETE FROM in_step")
    assert listed.import_bib().notices == told.notices
    assert told.notices


def test_an_edit_by_hand_meanwhile_has_the_file_read(
    listed: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed.edit("lone", "year=2011")
    listed.replace("J. Lone", "J. of One")
    assert whole_files_read_by(listed, monkeypatch) == 1
    assert "J. of One" in listed.read()
    assert "year=2011" in listed.read()


def test_undo_leads_to_the_very_file(listed: Desk) -> None:
    for key, edit in EDITS[:4]:
        listed.edit(key, edit)
        listed.export()
    while listed.read() != REFS:
        listed.store.undo()
        assert listed.export().has_changes


def test_what_is_undone_is_written_back_without_the_file(
    listed: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for edit in ("venue=Journal of Lone Things", "year=2011"):
        listed.edit("lone", edit)
        listed.export()
        listed.store.undo()
        assert whole_files_read_by(listed, monkeypatch) == 0
        assert listed.read() == REFS


def test_a_dry_run_says_what_it_would_write_and_writes_nothing(listed: Desk) -> None:
    listed.edit("lone", "year=2011")
    with listed.store.trial():
        (would,) = documents.export_registered(listed.store, listed.library, "bibtex")
    assert listed.read() == REFS
    assert listed.export().diff == would.diff != ""
