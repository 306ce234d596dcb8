"""What ``export --json`` of papertrack 0.1 wrote is all there again in a new library."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.commands import Command

EXPORTED = Path(__file__).parent / "fixtures" / "papers-0.1.json"
"""Written by the last commit of 0.1, of the sample library with passes, tags, a decision, an edited
title and a topic."""


def test_papers_passes_and_topics_of_0_1_come_over(papertrack: Command, library: Path) -> None:
    before = {paper["citekey"]: paper for paper in json.loads(EXPORTED.read_text("utf-8"))}
    done = json.loads(papertrack("import", str(EXPORTED), "--json").out)
    assert (done["papers_new"], done["skipped"], done["conflicts"]) == (len(before), [], [])
    papertrack("export", "--json", "-o", "again.json")
    after = {paper["citekey"]: paper for paper in json.loads(Path("again.json").read_text("utf-8"))}
    assert set(after) == set(before)
    whole = next(filter(None, (paper.pop("library", None) for paper in before.values())))
    again = next(filter(None, (paper.pop("library", None) for paper in after.values())))
    assert again["categories"] == whole["categories"]
    assert [topic["name"] for topic in again["topics"]] == ["decoding"]
    for key, paper in before.items():
        ours = after[key] | {"id": paper["id"]}
        assert ours.pop("draft_keys") == []  # 0.1 did not say which keys had never been outside.
        assert ours == paper, key
    read = after["fast2022inference"]
    assert (read["title"], read["rating"], read["tags"]) == (
        "Fast Inference via Drafts",
        4,
        ["core", "decoding"],
    )
    assert read["readings"][-1]["takeaway"] == "Acceptance keeps the distribution."
