"""``papertrack published`` and what follows from it, as users type it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import Command
from tests.enrich.commands.conftest import home, online, papertrack, process
from tests.fake_arxiv import FakeArxiv
from tests.published.services import Services
from tests.published.test_looking import publication

__all__ = ["home", "online", "papertrack", "process"]
ID = "2409.00101"
README = f"""\
# Papers

| Title | Venue | Link | Read |
|:---|:--|:---|:---|
| One | NeurIPS 2023 | [arXiv](https://arxiv.org/abs/2409.00110) | ✅ |
| Two | ICLR 2024 | [arXiv](https://arxiv.org/abs/2409.00111) | |
| {publication().title} | arXiv 2024 | [arXiv](https://arxiv.org/abs/{ID}) | ✅ |
"""
BIB = f"""\
@misc{{mykey2024,
  title         = {{ {publication().title} }},
  author        = {{{" and ".join(publication().authors)}}},
  year          = 2024,
  eprint        = {{{ID}}},
  archivePrefix = {{arXiv}}
}}

@book{{other, title = {{Another Thing Entirely}}, author = {{Some Body}}, year = 1999}}
"""


@pytest.fixture
def running(online: FakeArxiv, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    with Services([publication()]) as services:
        for name, value in services.environment.items():
            monkeypatch.setenv(name, value)
        yield services


def test_a_publication_is_proposed_accepted_by_its_evidence_and_undone(
    papertrack: Command, running: Services
) -> None:
    papertrack("add", ID, "--offline")
    told = json.loads(papertrack("published", "--json").out)
    assert told["papers_published"] == 1
    assert told["papers"][0]["publication"]["evidence"] == "linked"
    assert "No suggestions" in papertrack("suggestions", "--evidence", "title").err
    (listed,) = json.loads(papertrack("suggestions", "--evidence", "linked", "--json").out)
    assert listed["suggested"].startswith("Journal of Examples 2025 (linked by ")
    assert listed["publication"] == told["papers"][0]["publication"]
    assert listed["publication"] | {"sources": []} == {
        "evidence": "linked",
        "venue": "Journal of Examples",
        "year": 2025,
        "doi": publication().doi,
        "type": "article",
        "sources": [],
    }
    assert papertrack("suggestions", "--evidence", "linked", "--accept-all").code == 0
    shown = json.loads(papertrack("show", ID, "--json").out)
    assert (shown["venue"], shown["arxiv_id"]) == ("Journal of Examples", ID)
    papertrack("undo")
    assert json.loads(papertrack("show", ID, "--json").out)["venue"] is None


def test_the_list_and_the_bib_follow_an_accepted_publication_in_their_lines_alone(
    papertrack: Command, running: Services, home: Path
) -> None:
    Path("README.md").write_text(README, encoding="utf-8")
    Path("main.bib").write_text(BIB, encoding="utf-8")
    assert papertrack("import", "README.md", "main.bib").code == 0
    assert papertrack("enrich").code == 0
    assert papertrack("export", "--md", "--bib").code == 0
    before = Path("main.bib").read_text(encoding="utf-8")
    assert papertrack("published", ID).code == 0
    assert papertrack("suggestions", "--accept-all", "--evidence", "linked").code == 0
    assert papertrack("export", "--md", "--bib").code == 0
    bib = Path("main.bib").read_text(encoding="utf-8")
    assert bib.startswith("@article{mykey2024,\n")
    assert "Journal of Examples" in bib
    assert f"eprint        = {{{ID}}}" in bib
    assert bib.endswith(BIB.partition("\n\n")[2])
    published = README.replace("arXiv 2024", "Journal of Examples 2025")
    assert Path("README.md").read_text(encoding="utf-8") == published
    papertrack("undo")
    assert papertrack("export", "--md", "--bib").code == 0
    assert Path("main.bib").read_text(encoding="utf-8") == before
    assert Path("README.md").read_text(encoding="utf-8") == README


def accepted(papertrack: Command, readme: str) -> None:
    """Accept the publication in a library with this list."""
    Path("README.md").write_text(readme, encoding="utf-8")
    assert papertrack("import", "README.md").code == 0
    assert papertrack("enrich").code == 0
    assert papertrack("published", ID).code == 0
    assert papertrack("suggestions", "--accept-all", "--evidence", "linked").code == 0


def test_a_venue_written_by_hand_meanwhile_is_no_conflict_and_no_news(
    papertrack: Command, running: Services
) -> None:
    running.works[0].venue = "Conference on Odd Examples"
    accepted(papertrack, README)
    by_hand = README.replace("arXiv 2024", "COE'25 (Oral)")
    Path("README.md").write_text(by_hand, encoding="utf-8")
    assert papertrack("export", "--md").code == 0
    assert papertrack("import", "README.md").code == 0
    assert papertrack("export", "--md").code == 0
    assert Path("README.md").read_text(encoding="utf-8") == by_hand
    shown = json.loads(papertrack("show", ID, "--json").out)
    assert shown["venue"] == "Conference on Odd Examples"


def test_another_venue_written_by_hand_meanwhile_is_a_conflict_and_stays(
    papertrack: Command, running: Services
) -> None:
    accepted(papertrack, README)
    by_hand = README.replace("arXiv 2024", "A Workshop 2024")
    Path("README.md").write_text(by_hand, encoding="utf-8")
    assert papertrack("export", "--md").code == 5
    assert Path("README.md").read_text(encoding="utf-8") == by_hand
    assert papertrack("export", "--md", "--prefer", "library").code == 0
    published = README.replace("arXiv 2024", "Journal of Examples 2025")
    assert Path("README.md").read_text(encoding="utf-8") == published


def test_a_list_that_links_publishers_links_the_publication_and_the_arxiv_id_stays(
    papertrack: Command, running: Services
) -> None:
    link = "[paper](https://papers.nips.cc/paper/1)"
    readme = README.replace("[arXiv](https://arxiv.org/abs/2409.00110)", link)
    link = "[paper](https://openreview.net/forum?id=abcdefgh)"
    readme = readme.replace("[arXiv](https://arxiv.org/abs/2409.00111)", link)
    accepted(papertrack, readme)
    assert papertrack("export", "--md").code == 0
    line = Path("README.md").read_text(encoding="utf-8").splitlines()[-1]
    assert line.endswith(f"| [paper](https://doi.org/{running.works[0].doi}) | ✅ |")
    assert papertrack("import", "README.md").code == 0
    assert json.loads(papertrack("show", ID, "--json").out)["arxiv_id"] == ID
    papertrack("undo")
    papertrack("export", "--md")
    assert Path("README.md").read_text(encoding="utf-8") == readme


def test_a_service_that_is_away_ends_with_exit_code_4_and_is_named(
    papertrack: Command, running: Services
) -> None:
    papertrack("add", "2409.00104", "--offline")
    running.weather["openalex"] = "bot-check"
    ran = papertrack("published")
    assert ran.code == 4
    assert "OpenAlex" in ran.err
    assert "1 that could not be looked up" in ran.err


def test_a_dry_run_asks_nobody(papertrack: Command, running: Services) -> None:
    papertrack("add", ID, "--offline")
    assert "1 paper to look up" in papertrack("published", "--dry-run").err
    assert running.log == []


def test_check_names_preprints_that_are_known_to_be_published(
    papertrack: Command, running: Services
) -> None:
    Path("README.md").write_text(README, encoding="utf-8")
    Path("main.bib").write_text(BIB, encoding="utf-8")
    papertrack("import", "README.md", "main.bib")
    assert "Journal of Examples" not in papertrack("check", "README.md", "main.bib").out
    papertrack("published", ID)
    told = json.loads(papertrack("check", "README.md", "main.bib", "--json").out)
    found = [
        (finding["file"], finding["line"], finding["kind"])
        for finding in told["findings"]
        if "Journal of Examples 2025" in finding["message"]
    ]
    assert found == [("README.md", 7, "published"), ("main.bib", 1, "published")]
    papertrack("suggestions", "--reject-all")
    assert "Journal of Examples" not in papertrack("check", "README.md", "main.bib").out


def test_the_watch_looks_for_saved_preprints_and_asks_again_only_when_it_is_time(
    papertrack: Command, running: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-11-20T14:00:00+00:00")
    papertrack("add", ID, "2409.00106")
    papertrack("topic", "add", "pages", "--query", "pages", "--arxiv", "cs.LG")
    ran = papertrack("watch")
    assert "1 paper published since:" in ran.err
    assert len(json.loads(papertrack("suggestions", "--evidence", "linked", "--json").out)) == 1
    asked = len(running.log)
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-11-21T14:00:00+00:00")
    papertrack("watch")
    assert len(running.log) == asked


def test_what_several_papers_cite_and_the_library_lacks_is_listed_with_who_cites_it(
    papertrack: Command, running: Services
) -> None:
    cited = publication("2409.00120")
    owned, rare = publication("2409.00111"), publication("2409.00122")
    for n, more in enumerate(([owned], [rare], [])):
        running.works.append(publication(f"2409.0011{n}", cites=[cited, *more]))
    papertrack("add", "2409.00110", "2409.00111", "2409.00112")
    (found,) = json.loads(papertrack("cited-by-mine", "--json").out)
    assert (found["arxiv_id"], len(found["cited_by"])) == ("2409.00120", 3)
    all_ = json.loads(papertrack("cited-by-mine", "--least", "1", "--json").out)
    assert [one["title"] for one in all_] == [cited.title, rare.title]
    assert len(running.asked("semantic_scholar")) == 2
    running.weather["semantic_scholar"] = "429"
    assert papertrack("cited-by-mine").code == 4
