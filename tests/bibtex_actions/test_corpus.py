"""Every .bib file of the collection through the library: in, out, and back again unharmed."""

import os
from collections import Counter
from pathlib import Path

import pytest

from papertrack.sources.bibtex import decode_bib, parse_bibtex
from tests.bibtex_actions.conftest import Desk

CORPUS = os.environ.get("PAPERTRACK_CORPUS", "")
FILES = sorted(Path(CORPUS, "bib").glob("*.bib")) if CORPUS else []

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.parametrize(
        "path",
        [pytest.param(path, id=path.name) for path in FILES]
        or [pytest.param(None, marks=pytest.mark.skip)],
    ),
]


def test_every_entry_is_a_paper_and_no_byte_changes(empty_desk: Desk, path: Path) -> None:
    desk, data = empty_desk, path.read_bytes()
    desk.bib.write_bytes(data)
    report = desk.import_bib()
    count = "SELECT count(*) FROM entries WHERE paper_id IS NOT NULL"
    assert desk.store.connection.execute(count).fetchone() == (report.entries,)
    (kept,) = desk.store.connection.execute("SELECT group_concat(text) FROM originals").fetchone()
    text, _ = decode_bib(data)
    assert all(entry.raw in (kept or "") for entry in parse_bibtex(text).entries)
    again = desk.import_bib()
    assert not again.has_changes
    assert again.papers_unchanged == report.papers_new
    exported = desk.export()
    assert not exported.has_changes
    assert desk.bib.read_bytes() == data


def test_one_edit_changes_one_entry_and_is_read_again(empty_desk: Desk, path: Path) -> None:
    desk, data = empty_desk, path.read_bytes()
    desk.bib.write_bytes(data)
    desk.import_bib()
    papers = desk.papers()
    if not papers:
        return
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
