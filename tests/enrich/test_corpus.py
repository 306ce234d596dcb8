"""Enriching over real records: everything stored as arXiv has it, and shown unharmed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.online.enrich import EnrichedBatch
from papertrack.cli.looking import print_paper
from papertrack.library import Library
from papertrack.records import Paper
from papertrack.store.store import Store
from papertrack.text import clean
from tests.fake_arxiv import FakeArxiv, corpus_shelf

CORPUS = os.environ.get("PAPERTRACK_CORPUS")
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(CORPUS is None, reason="PAPERTRACK_CORPUS is not set"),
]


def test_the_papers_of_the_seed_are_completed_in_one_request_and_its_readme_stays(
    fake_arxiv: FakeArxiv,
    library: Library,
    store: Store,
    enrich: Callable[..., list[EnrichedBatch]],
    paper: Callable[[str], Paper],
) -> None:
    (seed,) = Path(CORPUS or "").glob("seeds/003_*.txt")
    readme = library.root / "README.md"
    readme.write_bytes(seed.read_bytes())
    fake_arxiv.shelf = corpus_shelf(Path(CORPUS or ""))
    import_file(store, library, readme)
    done = [paper for answer in enrich() for paper in answer.papers]
    assert len(done) == 39
    assert len(fake_arxiv.asked()) == 1
    for one in done:
        facts = paper(one.arxiv_id).facts
        assert all(
            (facts.title, facts.authors, facts.abstract, facts.arxiv_categories, facts.version)
        ), one
        assert len(facts.submitted or "") > len("2024-01")
    assert enrich() == []
    export_registered(store, library, "markdown")
    assert readme.read_bytes() == seed.read_bytes()


def test_the_sample_records_are_stored_whole_and_shown(
    fake_arxiv: FakeArxiv,
    store: Store,
    add: Callable[..., int],
    enrich: Callable[..., list[EnrichedBatch]],
    paper: Callable[[str], Paper],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Path(CORPUS or "")
    fake_arxiv.shelf = corpus_shelf(folder)
    with (folder / "arxiv-metadata" / "records-sample.jsonl").open(encoding="utf-8") as lines:
        records = {
            record["id"]: record for line in lines if (record := json.loads(line))["authors"]
        }
    with store.action("add"):
        for arxiv_id in records:
            add(arxiv_id)
    answers = enrich()
    assert len(fake_arxiv.asked()) == -(-len(records) // 50)
    assert sum(len(answer.papers) for answer in answers) == len(records)
    for arxiv_id, record in records.items():
        found = paper(arxiv_id)
        assert found.facts.title == clean(record["title"])
        assert [a.name for a in found.facts.authors] == list(map(clean, record["authors"]))
        assert " ".join((found.facts.abstract or "").split()) == clean(record["abstract"] or "")
        print_paper(found, [], [], citations=(), has_other_title=False)
    shown = capsys.readouterr().out
    assert not [char for char in shown if not char.isprintable() and char != "\n"]
