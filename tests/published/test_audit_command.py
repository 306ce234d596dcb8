"""``papertrack audit`` as users type it, with services on loopback."""

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
TRUE = publication()
NAMES = " and ".join(TRUE.authors)
ENTRIES = {
    "sound": f"@article{{sound, title={{{TRUE.title}}}, author={{{NAMES}}}, year={TRUE.year}, "
    f"doi={{{TRUE.doi}}}, journal={{J. Examples}}}}",
    "year": f"@article{{year, title={{{TRUE.title}}}, author={{{NAMES}}}, year=1999, "
    f"doi={{{TRUE.doi}}}, journal={{J. Examples}}}}",
    "invented": "@article{invented, title={Nobody ever wrote this piece}, author={No Body}, "
    "year=2020, journal={J. Examples}}",
    "newer": "@misc{newer, title={The tenth version of a living survey}, author={Ever Green}, "
    "year=2024, eprint={2406.00023v2}, archiveprefix={arXiv}}",
    "withdrawn": "@misc{withdrawn, title={A theorem that did not survive}, author={Ola Nordmann}, "
    "year=2024, eprint={2405.00019}, archiveprefix={arXiv}}",
}


@pytest.fixture
def running(online: FakeArxiv, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    with Services([TRUE]) as services:
        for name, value in services.environment.items():
            monkeypatch.setenv(name, value)
        yield services


def _write(*keys: str) -> None:
    Path("main.bib").write_text("\n\n".join(ENTRIES[key] for key in keys) + "\n", encoding="utf-8")


def test_what_is_wrong_in_a_bib_is_named_and_the_exit_code_is_5(
    papertrack: Command, running: Services
) -> None:
    _write(*ENTRIES)
    ran = papertrack("audit", "main.bib", "--json")
    assert ran.code == 5
    told = json.loads(ran.out)
    assert told["references"] == 5
    found = {one["key"]: one for one in told["findings"]}
    assert {key: one["finding"] for key, one in found.items()} == {
        "year": "differs",
        "invented": "unknown",
        "newer": "outdated",
        "withdrawn": "withdrawn",
    }
    assert found["year"]["differences"] == [{"field": "year", "said": "1999", "true": "2025"}]
    assert found["year"]["nearest"]["doi"] == TRUE.doi
    assert found["year"]["line"] == 3


def test_who_is_away_makes_could_not_look_and_never_does_not_exist(
    papertrack: Command, running: Services
) -> None:
    _write("sound", "invented")
    for service in running.urls:
        running.weather[service.removesuffix("_url")] = "bot-check"
    ran = papertrack("audit", "main.bib", "--json")
    assert ran.code == 4
    findings = {one["finding"] for one in json.loads(ran.out)["findings"]}
    assert findings == {"could not look"}


def test_only_what_a_manuscript_cites_is_audited(papertrack: Command, running: Services) -> None:
    _write("sound", "invented")
    Path("paper.tex").write_text(r"We follow \cite{sound}.", encoding="utf-8")
    ran = papertrack("audit", "main.bib", "--tex", "paper.tex", "--json")
    assert (ran.code, json.loads(ran.out)["references"]) == (0, 1)


def test_offline_the_library_says_what_it_was_told_by_sources(
    papertrack: Command, running: Services
) -> None:
    papertrack("add", "2406.00023")
    _write("newer", "sound")
    asked = len(running.log)
    told = json.loads(papertrack("audit", "main.bib", "--offline", "--json").out)
    found = {one["key"]: one["finding"] for one in told["findings"]}
    assert found == {"newer": "outdated", "sound": "could not look"}
    assert len(running.log) == asked


def test_a_doi_that_is_registered_at_datacite_is_looked_up_there(
    papertrack: Command, running: Services, online: FakeArxiv
) -> None:
    online.deposits["10.5281/zenodo.17"] = {
        "titles": [{"title": "A tool that counts lamps"}],
        "creators": [{"name": "Quent, Ada", "givenName": "Ada", "familyName": "Quent"}],
        "publicationYear": 2021,
    }
    entry = (
        "@article{%s, title={A tool that counts lamps}, author={Ada Quent}, year=%s, "
        "doi={10.5281/zenodo.17}}\n"
    )
    text = entry % ("true", 2021) + entry % ("false", 1997)
    Path("main.bib").write_text(text, encoding="utf-8")
    told = json.loads(papertrack("audit", "main.bib", "--json").out)
    (found,) = told["findings"]
    assert (found["key"], found["finding"]) == ("false", "differs")
    assert [one["field"] for one in found["differences"]] == ["year"]


PAGES = """
@misc{page, title={A tutorial on lamps}, author={Ada Quent}, year={2020},
  url={https://example.org/lamps}}
@manual{manual, title={The lamp manual}, author={Ada Quent}, year={2020},
  url={https://example.org/manual}}
@software{tool, title={lamps: count them}, author={Ada Quent}, year={2021},
  url={https://example.org/tool}}
"""


def test_pages_manuals_and_software_are_unchecked_and_nothing_is_wrong_with_that(
    papertrack: Command, running: Services
) -> None:
    Path("main.bib").write_text(PAGES, encoding="utf-8")
    ran = papertrack("audit", "main.bib", "--json")
    assert ran.code == 0
    found = {one["key"]: (one["finding"], one["reason"]) for one in json.loads(ran.out)["findings"]}
    assert found == {
        "page": ("unchecked", "only an address"),
        "manual": ("unchecked", "a manual"),
        "tool": ("unchecked", "software"),
    }
    assert "manual: unchecked (a manual)" in papertrack("audit", "main.bib").out


def test_a_page_that_says_not_found_is_an_answer_and_an_invented_work_is_unknown(
    papertrack: Command, running: Services
) -> None:
    entry = (
        "@article{made, title={Nobody ever wrote this piece}, author={No Body}, year=2020, "
        "doi={10.5555/nothing.1}}\n"
    )
    Path("main.bib").write_text(entry, encoding="utf-8")
    ran = papertrack("audit", "main.bib", "--json")
    (found,) = json.loads(ran.out)["findings"]
    assert (ran.code, found["finding"], found["silent"]) == (5, "unknown", [])
    assert "made: no such work" in papertrack("audit", "main.bib").out


def test_a_finding_names_the_fields_and_who_could_not_be_asked(
    papertrack: Command, running: Services
) -> None:
    _write("year", "invented")
    running.weather["dblp"] = "429"
    ran = papertrack("audit", "main.bib", "--json")
    found = {one["key"]: one for one in json.loads(ran.out)["findings"]}
    assert found["year"]["fields"] == ["year"]
    assert found["invented"]["reason"] == "DBLP"
    said = papertrack("audit", "main.bib").out
    assert "year: differs (year)" in said
    assert "invented: could not look (DBLP)" in said


@pytest.mark.parametrize("words", ["main.bbi", "README.md", "words that stand nowhere"])
def test_what_finds_nothing_is_never_taken_for_sound(
    papertrack: Command, running: Services, words: str
) -> None:
    Path("README.md").write_text("- [A paper](https://example.org)\n", encoding="utf-8")
    ran = papertrack("audit", *words.split())
    assert ran.code == 3
    assert f"{words} is neither a .bib file nor a paper of the library" in ran.err
