"""What an audit says of a reference: true ones are let alone, and false fields are named."""

from __future__ import annotations

import pytest

from papertrack.matching.audit import Finding, audit
from papertrack.matching.publications import Record
from papertrack.records import Author, Identifier, PaperFacts
from tests.matching.records import BASES, OTHERS, authors, record

BASE = BASES[2]
DOI = Identifier("doi", "10.5555/known.1")
TRUE = PaperFacts(
    title=BASE.title,
    authors=authors(BASE.authors),
    identifiers=(DOI,),
    year=BASE.year,
    venue=BASE.venue,
    published_type="inproceedings",
)
OTHER = Record(
    "crossref",
    PaperFacts(
        title=BASES[4].title,
        authors=authors(BASES[4].authors),
        identifiers=(Identifier("doi", "10.5555/other"),),
        year=2010,
    ),
)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"title": "{Efficient} memory management for large language model serving"},
        {"authors": (Author("W. Kwon"), Author("Z. Li"), Author("others"))},
        {"authors": ()},
        {"year": None},
        {"venue": "SOSP"},
        {"identifiers": ()},
    ],
)
def test_a_true_reference_is_sound_however_it_is_written(changes: dict) -> None:
    verdict = audit(TRUE._replace(**changes), [record(BASE), OTHER], is_complete=True)
    assert verdict.finding is Finding.SOUND, verdict


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("year", {"year": BASE.year + 2}),
        ("author", {"authors": (Author("Zebulon Quent"), *TRUE.authors[1:])}),
        ("author", {"authors": authors(OTHERS)}),
        ("doi", {"identifiers": (Identifier("doi", "10.5555/other"),)}),
    ],
)
def test_a_field_that_is_not_the_works_is_named_with_what_is_true(
    field: str, changes: dict
) -> None:
    verdict = audit(TRUE._replace(**changes), [record(BASE), OTHER], is_complete=True)
    assert verdict.finding is Finding.DIFFERS
    assert next(one.field for one in verdict.differences) == field
    assert verdict.nearest
    assert verdict.nearest.facts.title == BASE.title


def test_an_identifier_of_another_work_is_told_where_nobody_knows_the_title() -> None:
    invented = TRUE._replace(title="A work that nobody has written about anything")
    verdict = audit(invented, [record(BASE)], is_complete=True)
    assert verdict.finding is Finding.DIFFERS
    assert [one.field for one in verdict.differences] == ["title"]


def test_an_invented_work_is_unknown_only_where_all_who_could_know_it_were_heard() -> None:
    invented = TRUE._replace(title="Efficient Something Quite Different", identifiers=())
    assert audit(invented, [OTHER], is_complete=True).finding is Finding.UNKNOWN
    assert audit(invented, [OTHER], is_complete=False).finding is Finding.NOT_LOOKED


def test_a_page_or_software_that_nobody_registers_is_no_finding() -> None:
    page = PaperFacts(title="The manual of something", published_type="manual")
    assert audit(page, [], is_complete=True).finding is Finding.UNCHECKED


def test_an_identifier_that_names_nothing_is_a_finding_though_the_work_exists() -> None:
    verdict = audit(TRUE, [record(BASE, doi=None)], is_complete=True, missing={DOI})
    assert verdict.finding is Finding.DIFFERS
    assert verdict.differences[0].field == "doi"


def test_a_retracted_work_and_an_old_version_are_told() -> None:
    retracted = record(BASE, is_withdrawn=True)
    assert audit(TRUE, [retracted], is_complete=True).finding is Finding.WITHDRAWN
    arxiv = Identifier("arxiv", "2309.06180")
    newest = record(BASE, doi=None, identifiers=(arxiv,), version=3, submitted="2023-09-12")
    cited = TRUE._replace(identifiers=(arxiv,), version=1)
    verdict = audit(cited, [newest], is_complete=True)
    assert verdict.finding is Finding.OUTDATED
    assert (verdict.differences[0].said, verdict.differences[0].true) == ("1", "3")
