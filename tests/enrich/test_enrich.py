"""Enriching: what is filled in, what stays, what is offered, and what the reader is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from papertrack.actions.online.enrich import (
    EnrichedBatch,
    EnrichedPaper,
    EnrichStopped,
    enrich_paper,
    select_papers,
)
from papertrack.actions.online.suggestions import (
    answer_suggestions,
    describe_value,
    keep_proposal,
    open_suggestions,
)
from papertrack.library import Library
from papertrack.matching.publications import Evidence, Proposal
from papertrack.queries.parser import parse_query
from papertrack.records import Author, Identifier, Link, Paper, PaperFacts, Reading
from papertrack.sources.source import SourceRecord
from papertrack.store import listing
from papertrack.store.lookup import field_sources
from papertrack.store.papers import edit_paper
from papertrack.store.states import decide, record_pass
from papertrack.store.store import Store
from tests.enrich.conftest import Clock
from tests.fake_arxiv import FakeArxiv, Work, synthesise

Add = Callable[..., int]
Enrich = Callable[..., list[EnrichedBatch]]
Find = Callable[[str], Paper]


def only(answers: list[EnrichedBatch]) -> EnrichedPaper:
    (paper,) = [paper for answer in answers for paper in answer.papers]
    return paper


def offered(store: Store) -> set[tuple[str, str]]:
    return {(one.field, describe_value(one.value)) for one in open_suggestions(store)}


def work(arxiv_id: str, **changes: object) -> Work:
    made = synthesise(arxiv_id)
    assert made
    return replace(made, **changes)  # type: ignore[arg-type]


def test_every_field_that_arxiv_knows_is_filled_in(add: Add, enrich: Enrich, paper: Find) -> None:
    add("2402.00011")
    answer = only(enrich())
    facts = paper("2402.00011").facts
    assert facts.title == "Bounds for $a<b$ & $c>d$ when $\\alpha_{i} \\ll 1$ <in brackets>"
    assert facts.authors == (Author("Priya R. O'Neil"),)
    assert facts.abstract is not None
    assert "<b>exactly</b>" in facts.abstract
    assert facts.arxiv_categories == ("math.CO", "math.PR")
    assert facts.primary_category == "math.CO"
    assert facts.submitted == facts.updated == "2024-02-02T12:00:00+00:00"
    assert facts.version == 1
    assert facts.journal_ref == "J. Ex. Math. 12 (2024) 34-56"
    assert facts.identifier("doi") == "10.1234/example.2024.17"
    assert facts.is_withdrawn is False
    assert answer.source == "arxiv-api"
    assert {"title", "authors", "abstract", "identifiers"} <= set(answer.changed)


def test_a_second_run_asks_nothing(
    fake_arxiv: FakeArxiv, store: Store, add: Add, enrich: Enrich
) -> None:
    with store.action("add"):
        for number in range(1, 61):
            add(f"2301.{number:05}")
    assert len(enrich()) == 2
    assert len(fake_arxiv.asked()) == 2
    assert enrich() == []
    assert len(fake_arxiv.asked()) == 2


def test_a_title_of_a_readme_stays_and_arxivs_is_suggested_only_if_it_says_something_else(
    fake_arxiv: FakeArxiv, store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    fake_arxiv.shelf.put(work("2301.00001", title="The K-V Cache, revisited", comment=None))
    fake_arxiv.shelf.put(work("2301.00002", title="Another title altogether", comment=None))
    add("2301.00001", title="The KV cache revisited", submitted="2023-01")
    add("2301.00002", title="What the README says")
    enrich()
    assert paper("2301.00002").facts.title == "What the README says"
    assert offered(store) == {("title", "Another title altogether")}
    assert len(paper("2301.00001").facts.submitted or "") > len("2023-01")


def test_what_the_reader_edited_stays_and_the_new_value_is_a_suggestion(
    store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    paper_id = add("2402.00011", source="arxiv-api", title="A placeholder")
    with store.action("edit"):
        edit_paper(store, paper_id, "authors", (Author("P. O'Neil"),))
        edit_paper(store, paper_id, "abstract", "My own words.")
        edit_paper(store, paper_id, "submitted", "2024-02")
    enrich()
    facts = paper("2402.00011").facts
    assert (facts.authors, facts.abstract) == ((Author("P. O'Neil"),), "My own words.")
    assert {field for field, _ in offered(store)} == {"authors", "abstract"}


def test_links_and_a_venue_in_the_authors_prose_are_offered_not_taken(
    store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    add("2401.00007", links=(Link("code", "https://github.com/example-lab/Cafe-Semantics/"),))
    add("2408.00031")
    enrich()
    assert paper("2408.00031").facts.links == ()
    assert offered(store) == {
        ("venue", "ICLR 2024"),
        ("venue", "NeurIPS 2024"),
        ("links", "https://huggingface.co/example/draft"),
    }


def test_an_accepted_suggestion_is_the_readers_and_a_rejected_one_never_comes_back(
    store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    paper_id = add("2408.00031")
    enrich()
    by_field = {one.field: one.id for one in open_suggestions(store)}
    answer_suggestions(store, Library(store.path.parent), accept=[by_field["links"]])
    answer_suggestions(store, Library(store.path.parent), reject=[by_field["venue"]])
    assert paper("2408.00031").facts.links == (
        Link("model", "https://huggingface.co/example/draft"),
    )
    enrich(refresh=True)
    assert offered(store) == set()
    store.undo()
    store.undo()
    assert {one.field for one in open_suggestions(store)} >= {"venue"}
    answer_suggestions(store, Library(store.path.parent), accept=[by_field["venue"]])
    assert field_sources(store, paper_id)["venue"] == "user"


def test_a_paper_with_a_proposed_publication_is_enriched_too(
    store: Store, add: Add, paper: Find
) -> None:
    paper_id = add("2402.00011")
    proposal = Proposal(Evidence.TITLE, "ICML", 2024, None, None, (), (), ("dblp",))
    facts = PaperFacts(title="Otherwise", identifiers=(Identifier("arxiv", "2402.00011"),))
    with store.action("published"):
        keep_proposal(store, paper_id, proposal)
        edit_paper(store, paper_id, "title", "As I call it")
    with store.action("enrich"):
        told = enrich_paper(store, paper_id, SourceRecord(facts.identifiers[0], facts, "oai"))
    assert told.suggestions == 1
    assert {one.field for one in open_suggestions(store)} == {"publication", "title"}


def test_a_new_suggestion_for_a_field_takes_the_place_of_the_open_one(
    fake_arxiv: FakeArxiv, store: Store, add: Add, enrich: Enrich
) -> None:
    add("2301.00001", title="Mine")
    for title in ("First of theirs", "Second of theirs"):
        fake_arxiv.shelf.put(work("2301.00001", title=title, comment=None))
        enrich(refresh=True)
    assert offered(store) == {("title", "Second of theirs")}


def test_news_since_the_reader_read_it_are_told(
    fake_arxiv: FakeArxiv, store: Store, add: Add, enrich: Enrich
) -> None:
    once = "2023-01-02T00:00:00Z"
    fake_arxiv.shelf.put(work("2301.00001", title="Old title", versions=(once,)))
    paper_id = add("2301.00001")
    enrich()
    with store.action("pass"):
        record_pass(store, paper_id, Reading(1, version=1))
    fake_arxiv.shelf.put(
        work(
            "2301.00001",
            title="New title",
            versions=(once, once, "2024-01-01T00:00:00Z"),
            comment="This paper has been withdrawn by the authors",
        )
    )
    news = [(one.kind, one.old, one.new) for one in only(enrich(refresh=True)).news]
    assert news == [
        ("version", 1, 3),
        ("title", "Old title", "New title"),
        ("withdrawn", None, None),
    ]
    for query in ("is:outdated", "is:withdrawn"):
        assert listing.find_ids(store, parse_query(query)) == [paper_id]
    assert only(enrich(refresh=True)).news == ()


def test_an_older_answer_takes_nothing_back(
    fake_arxiv: FakeArxiv, add: Add, enrich: Enrich, paper: Find
) -> None:
    add("2301.00001", source="arxiv-feed", version=9, title="The ninth", abstract="As announced.")
    enrich()
    facts = paper("2301.00001").facts
    assert (facts.version, facts.title, facts.abstract) == (9, "The ninth", "As announced.")
    assert facts.authors


def test_a_day_that_is_known_is_not_replaced_by_its_month(
    store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    paper_id = add("2402.00011")
    enrich()
    known = paper("2402.00011").facts
    monthly = PaperFacts(submitted="2024-02", updated="2024-02", comment="New.")
    record = SourceRecord(Identifier("arxiv", "2402.00011"), monthly, "datacite")
    with store.action("enrich"):
        answer = enrich_paper(store, paper_id, record)
    facts = paper("2402.00011").facts
    assert (facts.submitted, facts.updated) == (known.submitted, known.updated)
    assert len(facts.submitted or "") > len("2024-02")
    assert answer.changed == ("comment",)


def test_an_id_that_arxiv_does_not_know_is_tried_again_the_next_day(
    fake_arxiv: FakeArxiv, clock: Clock, add: Add, enrich: Enrich
) -> None:
    add("2301.00999")
    add("2301.00001")
    (answer,) = enrich()
    assert len(answer.unknown) == 1
    assert enrich() == []
    clock.advance(days=1)
    assert len(enrich()) == 1


def test_an_identifier_that_another_paper_has_is_reported_and_the_rest_is_stored(
    store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    add("2301.00001", title="The published version")
    with store.action("edit"):
        from papertrack.store.papers import add_identifiers

        add_identifiers(
            store, paper("2301.00001").id, [Identifier("doi", "10.1234/example.2024.17")]
        )
    add("2402.00011")
    (answer,) = enrich("2402.00011")
    assert "10.1234/example.2024.17" in answer.papers[0].conflicts[0]
    assert paper("2402.00011").facts.abstract
    assert paper("2402.00011").facts.identifier("doi") is None


def test_a_key_made_without_an_author_is_replaced_and_still_found(
    store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    add("2408.00031", title="Speculative decoding with a draft model")
    add("2402.00011", title="Bounds", authors=(Author("Priya R. O'Neil"),))
    provisional = paper("2408.00031").citekey
    assert paper("2402.00011").citekey == "oneil2024bounds"
    enrich()
    assert paper("2408.00031").citekey == "example2024speculative"
    assert paper("2408.00031").citekey_aliases == (provisional,)
    assert paper("2402.00011").citekey == "oneil2024bounds"


def test_discarded_papers_are_asked_about_only_when_told(store: Store, add: Add) -> None:
    paper_id = add("2301.00001")
    with store.action("discard"):
        decide(store, paper_id, "discarded")
    assert select_papers(store, []).to_ask == ()
    assert len(select_papers(store, [], with_discarded=True).to_ask) == 1
    assert len(select_papers(store, ["2301.00001"]).to_ask) == 1


def test_undoing_an_enrichment_makes_its_papers_due_again(
    store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    add("2301.00001")
    before = paper("2301.00001")
    enrich()
    store.undo()
    assert paper("2301.00001") == before
    assert len(select_papers(store, []).to_ask) == 1


def test_a_paper_removed_while_arxiv_was_asked_is_no_error(
    store: Store, door: object, add: Add, enrich: Enrich
) -> None:
    from papertrack.actions.online.enrich import enrich_papers
    from papertrack.store.papers import remove_paper

    gone = add("2301.00001")
    add("2301.00002")
    to_ask = select_papers(store, []).to_ask
    with store.action("rm"):
        remove_paper(store, gone)
    (answer,) = enrich_papers(store, door, to_ask)  # type: ignore[arg-type]
    assert [paper.arxiv_id for paper in answer.papers] == ["2301.00002"]


HOSTILE = ("2401.00007", "2402.00011", "2403.00013", "2404.00017", "2407.00029", "hep-th/9901001")


def test_unusual_papers_are_stored_and_shown_unharmed(
    store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    for arxiv_id in HOSTILE:
        add(arxiv_id)
    enrich()
    assert paper("2404.00017").facts.authors[-1].name == "Author2998 Number2998"
    assert len(paper("2404.00017").facts.authors) == 3000
    assert paper("2403.00013").facts.authors[1] == Author("佐藤 花子", "東京大学")
    assert paper("2407.00029").facts.abstract == ("word " * 400_000).strip()
    assert listing.find_ids(store, parse_query("推测解码")) == [paper("2403.00013").id]


def test_while_the_api_cools_down_other_services_answer_and_are_named(
    fake_arxiv: FakeArxiv, clock: Clock, add: Add, enrich: Enrich, paper: Find
) -> None:
    fake_arxiv.fail("api", "rate")
    add("2401.00007")
    add("2301.00001")
    answers = enrich()
    assert [paper.source for answer in answers for paper in answer.papers] == ["oai", "oai"]
    assert paper("2401.00007").facts.title == (
        "Café semantics: a Gödel–Erdős reading of naïve planners"
    )
    assert [request.service for request in fake_arxiv.asked()] == ["api", "oai", "oai"]


def test_a_record_of_datacite_is_completed_when_the_api_is_back(
    fake_arxiv: FakeArxiv, clock: Clock, add: Add, enrich: Enrich, paper: Find
) -> None:
    fake_arxiv.fail("api", "rate")
    fake_arxiv.fail("oai", "busy")
    add("2408.00031")
    assert only(enrich()).source == "datacite"
    assert paper("2408.00031").facts.version is None
    # Nobody else answers yet: DataCite is not asked for the same again.
    with pytest.raises(EnrichStopped):
        enrich()
    assert [request.service for request in fake_arxiv.asked()] == ["api", "oai", "datacite"]
    fake_arxiv.heal("api")
    clock.advance(hours=1)
    assert only(enrich()).source == "arxiv-api"
    assert paper("2408.00031").facts.version == 1
    assert enrich() == []
