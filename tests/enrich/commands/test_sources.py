"""Works without an arXiv id, completed by whichever source knows their identifier."""

from __future__ import annotations

import json

import pytest

from papertrack.sources import registry
from tests.cli.commands import Command
from tests.enrich.toy_source import Toy, toy_service
from tests.fake_arxiv import FakeArxiv

DOI = "10.5281/zenodo.1234567"
DEPOSIT: dict[str, object] = {
    "titles": [{"title": "A data set of café menus"}],
    "creators": [
        {"name": "Čapek, Zoë", "givenName": "Zoë", "familyName": "Čapek", "affiliation": ["Lab"]},
        {"name": "The Menu Collaboration", "affiliation": []},
    ],
    "descriptions": [{"description": "Menus.", "descriptionType": "Abstract"}],
    "subjects": [{"subject": "not of arXiv's (cs.LG)"}],
    "dates": [
        {"date": "2023", "dateType": "Created"},
        {"date": "2023-05-06", "dateType": "Issued"},
    ],
    "publicationYear": 2023,
    "rightsList": [{"rightsUri": "https://creativecommons.org/licenses/by/4.0/"}],
    "relatedIdentifiers": [
        {
            "relatedIdentifier": "10.5281/zenodo.1234566",
            "relatedIdentifierType": "DOI",
            "relationType": "IsVersionOf",
        }
    ],
}


def test_a_work_that_has_only_a_doi_of_datacites_is_completed(
    papertrack: Command, online: FakeArxiv
) -> None:
    online.deposits[DOI] = DEPOSIT
    papertrack("add", f"https://doi.org/{DOI.upper()}", "--offline")
    ran = papertrack("enrich")
    assert (ran.code, ran.err) == (0, "1 paper enriched: 1 by DataCite.\n")
    (paper,) = json.loads(papertrack("list", "--json").out)
    assert paper["title"] == "A data set of café menus"
    assert paper["authors"] == ["Zoë Čapek", "The Menu Collaboration"]
    assert paper["abstract"] == "Menus."
    assert (paper["submitted"], paper["version"]) == ("2023-05-06", None)
    assert (paper["doi"], paper["arxiv_id"], paper["arxiv_categories"]) == (DOI, None, [])
    assert paper["citekey"] == "capek2023data"
    asked = [request.path for request in online.asked()]
    assert asked == [f"/dois/{DOI}"]
    assert papertrack("enrich").err == "Nothing to do: 0 papers to look up, 1 looked up before " + (
        "(--refresh repeats it).\n"
    )
    assert papertrack("enrich", "--refresh").err.startswith("1 paper enriched: 1 by DataCite.")


def test_a_doi_is_asked_about_at_once_when_it_is_added(
    papertrack: Command, online: FakeArxiv
) -> None:
    online.deposits[DOI] = DEPOSIT
    report = json.loads(papertrack("add", DOI, "2401.00007", "--json").out)
    assert [paper["is_waiting"] for paper in report["papers"]] == [False, False]
    assert {request.service for request in online.asked()} == {"api", "datacite"}


def test_dois_that_are_registered_elsewhere_are_not_asked_about(
    papertrack: Command, online: FakeArxiv
) -> None:
    papertrack("add", "10.1145/3600006.3613165", "10.18653/v1/N19-1423")
    ran = papertrack("enrich")
    assert ran.err == "Nothing to do: 0 papers to look up, 2 without an id to look up.\n"
    assert online.asked() == []


def test_a_doi_that_datacite_does_not_know_is_said_and_not_asked_about_every_day(
    papertrack: Command, online: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("add", "10.5281/zenodo.9", "--offline")
    ran = papertrack("enrich")
    assert ran.code == 0
    assert ran.err.endswith(": DataCite knows no such id.\n")
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-03-20T09:30:00+00:00")
    assert papertrack("enrich").err.startswith("Nothing to do")
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-04-20T09:30:00+00:00")
    assert not papertrack("enrich").err.startswith("Nothing to do")


def test_a_doi_waits_while_datacite_is_away(papertrack: Command, online: FakeArxiv) -> None:
    online.fail("datacite", "busy")
    papertrack("add", DOI, "--offline")
    ran = papertrack("enrich", "--json")
    assert ran.code == 4
    assert json.loads(ran.out)["papers_waiting"] == 1
    assert "answered 503" in ran.err


def test_a_preprint_with_the_doi_of_a_journal_is_completed_by_arxiv(
    papertrack: Command, online: FakeArxiv
) -> None:
    papertrack("add", "2402.00011")
    papertrack("enrich", "--refresh")
    assert {request.service for request in online.asked()} == {"api"}


def test_a_source_that_is_added_to_the_registry_completes_what_it_answers_for(
    papertrack: Command, online: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    with toy_service() as url:
        monkeypatch.setattr(registry, "SOURCES", (*registry.SOURCES, Toy(url)))
        papertrack("add", "https://aclanthology.org/2020.acl-main.1/", "2301.00001", "--offline")
        papertrack("add", "https://aclanthology.org/2020.acl-main.9/", "--offline")
        ran = papertrack("enrich")
    assert ran.code == 0
    said, unknown = ran.err.splitlines()
    assert said == "2 papers enriched: 1 by arXiv, 1 by The Toy."
    assert unknown.endswith(": The Toy knows no such id.")
    shown = json.loads(papertrack("show", "ba2020toy", "--json").out)
    assert shown["title"] == "A toy of an anthology"
    assert shown["doi"] == "10.18653/v1/2020.acl-main.1"
    assert papertrack("enrich").err.startswith("Nothing to do: 0 papers to look up, 3")
