"""Looking where papers were published, with every service in every weather."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from papertrack.actions.online.network import open_door
from papertrack.actions.online.published import LookupRun, select
from papertrack.actions.online.suggestions import answer_suggestions, open_suggestions
from papertrack.library import Library
from papertrack.library.settings import Arxiv, Sources
from papertrack.matching.publications import Evidence
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.sources import exchange
from papertrack.sources.transport import Door
from papertrack.store.lookup import find_paper, get_paper
from papertrack.store.papers import add_paper
from papertrack.store.store import Store
from tests.corpus import in_turn
from tests.enrich.conftest import Clock
from tests.fake_arxiv import FakeArxiv
from tests.fake_arxiv.records import Shelf
from tests.published.services import WEATHER, Publication, Services

ID = "2409.00101"
DOI = "10.5555/12345.101"
SHELF = Shelf()
LOOKS = Callable[..., dict]


def publication(of: str = ID, /, **changes: object) -> Publication:
    work = SHELF.find(of)
    assert work
    doi = f"10.5555/12345.{int(of[-5:])}"
    names = tuple(name for name, _ in work.authors)
    made = Publication(work.title, names, "Journal of Examples", 2025, doi, of)
    return replace(made, **changes)


@pytest.fixture
def paper(store: Store) -> Callable[[str], int]:
    def add(arxiv_id: str = ID) -> int:
        with store.action("add"):
            identifiers = (Identifier("arxiv", arxiv_id),)
            return add_paper(store, PaperFacts(identifiers=identifiers), source="user")

    return add


def test_a_linked_publication_is_proposed_and_nothing_is_written(
    store: Store, services: Services, paper: Callable[..., int], look: LOOKS
) -> None:
    services.works.append(publication())
    paper_id = paper()
    (found,) = look().values()
    assert found.state == "published"
    assert found.proposal.evidence is Evidence.LINKED
    assert found.proposal.doi == DOI
    assert get_paper(store, paper_id).facts.venue is None
    (offered,) = open_suggestions(store)
    assert offered.value == found.proposal


def test_an_accepted_publication_keeps_the_arxiv_id_and_undo_takes_it_back(
    store: Store, services: Services, paper: Callable[..., int], look: LOOKS
) -> None:
    services.works.append(publication())
    paper_id = paper()
    look()
    before = get_paper(store, paper_id)
    answer_suggestions(store, Library(store.path.parent), accept=[open_suggestions(store)[0].id])
    facts = get_paper(store, paper_id).facts
    assert (facts.venue, facts.year, facts.published_type) == (
        "Journal of Examples",
        2025,
        "article",
    )
    assert facts.identifier("arxiv") == ID
    assert facts.identifier("doi") == DOI
    assert dict(facts.publication)["pages"] == "345--367"
    store.undo()
    assert get_paper(store, paper_id) == before
    assert len(open_suggestions(store)) == 1


def test_a_rejected_publication_is_never_proposed_again(
    store: Store, services: Services, paper: Callable[..., int], look: LOOKS
) -> None:
    services.works.append(publication())
    paper()
    look()
    answer_suggestions(store, Library(store.path.parent), reject=[open_suggestions(store)[0].id])
    services.works[0].pages = "1-2"
    look(refresh=True)
    assert open_suggestions(store) == []


def test_whom_was_asked_is_told_and_nobody_is_asked_again_before_it_is_time(
    store: Store, services: Services, paper: Callable[..., int], look: LOOKS, clock: Clock
) -> None:
    paper()
    (found,) = look().values()
    assert found.state == "nothing found"
    assert found.asked == ("arxiv-api", "openalex", "semantic-scholar")
    asked = len(services.log)
    clock.advance(days=6)
    (again,) = look().values()
    assert (again.state, again.asked) == (found.state, found.asked)
    assert len(services.log) == asked
    clock.advance(days=90)
    look()
    assert len(services.log) > asked


@in_turn(
    weather=sorted(WEATHER.keys() - {"slow"}),
    service=["semantic_scholar", "openalex", "crossref"],
)
def test_who_is_away_or_lies_leaves_what_others_know_and_is_never_nothing_found(
    store: Store,
    services: Services,
    paper: Callable[..., int],
    look: LOOKS,
    clock: Clock,
    service: str,
    weather: str,
) -> None:
    services.works.append(publication(known_to=frozenset({service, "crossref"})))
    paper()
    services.weather[service] = weather
    (found,) = look().values()
    assert found.state == ("could not look" if service != "crossref" else found.state)
    assert found.state != "nothing found" or service == "crossref"
    assert found.proposal is None
    services.weather.clear()
    clock.advance(days=2)
    if service != "crossref":
        (found,) = look().values()
        assert found.state == "published"


def test_a_check_for_robots_with_status_200_cools_the_host_down(
    services: Services, paper: Callable[..., int], look: LOOKS, clock: Clock
) -> None:
    paper()
    services.weather["semantic_scholar"] = "bot-check"
    look()
    assert len(services.asked("semantic_scholar")) == 1
    look(refresh=True)
    assert len(services.asked("semantic_scholar")) == 1
    clock.advance(hours=1)
    services.weather.clear()
    look(refresh=True)
    assert len(services.asked("semantic_scholar")) == 2


def test_what_nobody_could_confirm_is_not_settled_and_asked_again(
    services: Services, paper: Callable[..., int], look: LOOKS, clock: Clock
) -> None:
    services.works.append(publication(known_to=frozenset({"semantic_scholar", "crossref"})))
    paper()
    services.weather["crossref"] = "429"
    (found,) = look().values()
    assert found.state == "could not look"
    assert found.silent == ("crossref",)
    services.weather.clear()
    clock.advance(days=1)
    (found,) = look().values()
    assert found.state == "published"


def test_all_away_is_could_not_look_for_every_paper(
    services: Services, fake_arxiv: FakeArxiv, paper: Callable[..., int], look: LOOKS
) -> None:
    paper()
    paper("2409.00102")
    for service in services.urls:
        services.weather[service.removesuffix("_url")] = "403"
    fake_arxiv.fail("api", "rate")
    found = look()
    assert {one.state for one in found.values()} == {"could not look"}
    assert {one.source for one in look.outages} >= {"arxiv-api", "semantic-scholar", "openalex"}


def test_titles_are_searched_where_the_authors_say_that_there_is_something_to_find(
    services: Services, paper: Callable[..., int], look: LOOKS, store: Store
) -> None:
    accepted = publication(
        "2408.00031",
        venue="NeurIPS",
        year=2024,
        doi=None,
        known_to=frozenset({"openreview"}),
    )
    services.works.append(accepted)
    paper("2408.00031")
    paper("2409.00103")
    found = look()
    assert len(services.asked("dblp")) == len(services.asked("openreview")) == 1
    by_id = {one.arxiv_id: one for one in found.values()}
    assert by_id["2408.00031"].proposal.evidence is Evidence.TITLE
    assert by_id["2408.00031"].proposal.venue == "NeurIPS 2024"


def test_what_only_the_authors_say_is_proposed_as_that(
    services: Services, paper: Callable[..., int], look: LOOKS
) -> None:
    paper("2408.00031")
    (found,) = look().values()
    assert found.proposal.evidence is Evidence.COMMENT
    assert found.proposal.venue == "NeurIPS 2024"


def test_a_rejected_submission_is_not_published(
    services: Services, paper: Callable[..., int], look: LOOKS
) -> None:
    refused = publication(doi=None, known_to=frozenset({"openreview"}))
    refused.extra = {
        "venue": {"value": "Submitted to ICLR 2025"},
        "venueid": {"value": "ICLR.cc/2025/Conference/Rejected_Submission"},
    }
    services.works.append(refused)
    paper()
    (found,) = look(search=True).values()
    assert found.state == "nothing found"


def test_a_doi_on_arxiv_that_names_another_work_is_doubted_with_the_reasons(
    services: Services, fake_arxiv: FakeArxiv, paper: Callable[..., int], look: LOOKS
) -> None:
    other = publication("2409.00105", doi="10.1234/example.2024.17", arxiv_id=None)
    services.works.append(other)
    paper("2402.00011")
    (found,) = look().values()
    assert found.proposal is None or found.proposal.evidence is Evidence.COMMENT
    (doubt,) = found.doubts
    assert doubt.doi == "10.1234/example.2024.17"
    assert any("author" in reason for reason in doubt.reasons)


ABSTRACT = " ".join(f"Statement {n} holds of all that we have looked at so far." for n in range(9))


@pytest.fixture
def retitled(services: Services, fake_arxiv: FakeArxiv, paper: Callable[..., int]) -> Publication:
    """A work under another title, whose registry has no abstract and whose DOI arXiv has; the
    record of it that is apart from the preprint."""
    preprint = SHELF.find(ID)
    assert preprint
    fake_arxiv.shelf.put(replace(preprint, abstract=ABSTRACT, doi=DOI))
    other = publication(title="A New Name for It All", arxiv_id=None)
    services.works.append(replace(other, known_to=frozenset({"crossref"})))
    services.works.append(
        replace(other, known_to=frozenset({"semantic_scholar"}), abstract=ABSTRACT)
    )
    paper()
    return services.works[-1]


@pytest.mark.parametrize("service", ["semantic_scholar", "openalex"])
def test_a_work_under_another_title_is_confirmed_by_an_abstract_that_is_known_under_its_doi(
    retitled: Publication, services: Services, look: LOOKS, service: str
) -> None:
    retitled.known_to = frozenset({service})
    (found,) = look().values()
    assert found.proposal.evidence is Evidence.DOI
    assert found.proposal.doi == DOI


@pytest.mark.parametrize(
    "changes",
    [
        {"abstract": "Quite other words about quite another matter. " * 9},
        {"abstract": None},
        {"abstract": ABSTRACT, "title": "One More Name for It"},
        {"abstract": ABSTRACT, "authors": ("Ada Quent", "Bela Ostrow")},
    ],
)
def test_what_is_known_under_a_doi_confirms_nothing_unless_it_is_that_work_and_this_one(
    retitled: Publication, services: Services, look: LOOKS, changes: dict
) -> None:
    for name, value in changes.items():
        setattr(retitled, name, value)
    (found,) = look().values()
    assert found.proposal is None
    assert found.state == "nothing found"
    asked = len(services.log)
    look()
    assert len(services.log) == asked


def test_who_cannot_tell_the_abstract_now_is_asked_for_it_again(
    retitled: Publication, services: Services, look: LOOKS, clock: Clock
) -> None:
    services.weather["semantic_scholar"] = "429"
    (found,) = look().values()
    assert (found.state, found.silent) == ("could not look", ("semantic-scholar",))
    services.weather.clear()
    clock.advance(days=1)
    (found,) = look().values()
    assert found.proposal.doi == DOI


def test_a_work_with_a_doi_alone_is_completed_and_keeps_what_it_has(
    services: Services, look: LOOKS, store: Store
) -> None:
    services.works.append(publication(doi="10.5555/alone", arxiv_id=None, abstract="What it says."))
    with store.action("add"):
        facts = PaperFacts(identifiers=(Identifier("doi", "10.5555/alone"),))
        paper_id = add_paper(store, facts, source="user")
    (found,) = look().values()
    assert found.state == "published"
    known = get_paper(store, paper_id).facts
    assert known.title == services.works[0].title
    assert known.authors[0] == Author(services.works[0].authors[0])
    assert (known.venue, known.year) == ("Journal of Examples", 2025)
    assert known.abstract == "What it says."


def test_papers_of_the_acl_anthology_without_a_doi_are_confirmed_by_it(
    services: Services, paper: Callable[..., int], look: LOOKS
) -> None:
    work = publication(
        doi=None,
        acl="W18-0001",
        venue="Proceedings of a Meeting",
        year=2024,
        known_to=frozenset({"semantic_scholar", "acl"}),
    )
    services.works.append(work)
    paper()
    (found,) = look().values()
    assert found.proposal.evidence is Evidence.LINKED
    assert ("acl", "W18-0001") in found.proposal.identifiers


def test_the_year_that_a_service_may_have_from_the_preprint_is_not_believed(
    services: Services, paper: Callable[..., int], look: LOOKS
) -> None:
    work = publication(doi=None, venue="ICLR", year=2024, known_to=frozenset({"semantic_scholar"}))
    services.works.append(work)
    paper()
    (found,) = look().values()
    assert found.proposal is None
    work.dblp = f"conf/iclr/{work.authors[0].split()[-1]}25"
    (found,) = look(refresh=True).values()
    assert (found.proposal.venue, found.proposal.year) == ("ICLR", 2025)


def test_many_papers_are_asked_about_in_batches(
    services: Services, fake_arxiv: FakeArxiv, look: LOOKS, store: Store
) -> None:
    ids = [f"2301.{n:05}" for n in range(1, 111)]
    with store.action("add"):
        for arxiv_id in ids:
            facts = PaperFacts(identifiers=(Identifier("arxiv", arxiv_id),))
            add_paper(store, facts, source="user")
    services.works += [publication(arxiv_id) for arxiv_id in ids]
    found = look(keys={"openalex_key": "k"})
    assert sum(one.state == "published" for one in found.values()) == len(ids)
    assert len(fake_arxiv.asked("api")) == len(services.asked("crossref")) == 3
    assert len(services.asked("semantic_scholar")) == 1
    asked = len(services.log)
    look(keys={"openalex_key": "k"})
    assert len(services.log) == asked
    assert find_paper(store, [Identifier("arxiv", ids[0])])


def test_a_doi_that_another_paper_has_is_told_and_the_others_are_taken(
    store: Store, services: Services, paper: Callable[..., int], look: LOOKS
) -> None:
    services.works += [publication(), publication("2409.00102")]
    paper_id, other = paper(), paper("2409.00102")
    look()
    with store.action("add"):
        facts = PaperFacts(identifiers=(Identifier("doi", DOI),))
        add_paper(store, facts, source="user")
    answered = answer_suggestions(
        store, Library(store.path.parent), accept=[one.id for one in open_suggestions(store)]
    )
    assert len(answered.accepted) == len(answered.conflicts) == 1
    assert get_paper(store, other).facts.venue == "Journal of Examples"
    assert get_paper(store, paper_id).facts.venue is None
    assert len(open_suggestions(store)) == 1


def claimed(fake_arxiv: FakeArxiv, comment: str = "Accepted at Examples 2025") -> None:
    """Let the authors say that it appeared, which has it searched by its title."""
    shelf = fake_arxiv.shelf
    shelf.known[ID] = replace(shelf.known[ID], comment=comment, doi=None, journal_ref=None)


@pytest.mark.parametrize("service", ["dblp", "openreview"])
def test_a_search_that_is_away_or_lies_could_not_look_and_is_made_again(
    services: Services,
    fake_arxiv: FakeArxiv,
    paper: Callable[..., int],
    look: LOOKS,
    clock: Clock,
    service: str,
) -> None:
    claimed(fake_arxiv)
    known = publication(doi=None, venue="Examples", known_to=frozenset({service}))
    known.dblp = f"conf/examples/{known.authors[0].split()[-1]}25"
    services.works.append(known)
    paper()
    for weather in sorted(WEATHER.keys() - {"slow"}):
        services.weather[service] = weather
        (found,) = look(refresh=True).values()
        assert (weather, found.silent) == (weather, (service,))
        assert found.proposal.evidence is Evidence.COMMENT
        services.weather.clear()
        clock.advance(days=2)
    (found,) = look(refresh=True).values()
    assert (found.silent, found.proposal.evidence) == ((), Evidence.TITLE)


def test_what_the_anthology_cannot_confirm_now_is_not_settled(
    services: Services, paper: Callable[..., int], look: LOOKS, clock: Clock
) -> None:
    known_to = frozenset({"semantic_scholar", "acl"})
    services.works.append(publication(doi=None, acl="W18-0001", year=2024, known_to=known_to))
    paper()
    for weather in ("429", "403", "500", "bot-check", "another", "cut", "empty"):
        services.weather["acl"] = weather
        (found,) = look().values()
        assert (weather, found.state) == (weather, "could not look")
        assert found.silent == ("acl-anthology",)
        services.weather.clear()
        clock.advance(days=2)
    (found,) = look().values()
    assert found.proposal.evidence is Evidence.LINKED


def test_an_answer_about_another_work_is_doubted_whoever_gives_it(
    services: Services, fake_arxiv: FakeArxiv, paper: Callable[..., int], look: LOOKS
) -> None:
    claimed(fake_arxiv)
    paper()
    for service in ("semantic_scholar", "openalex", "crossref", "dblp", "openreview"):
        known_to = frozenset({service, "crossref"})
        wrong = replace(publication("2409.00105"), arxiv_id=ID, known_to=known_to)
        services.works = [replace(wrong, title=f"{wrong.title} {service}")]
        (found,) = look(refresh=True, search=True).values()
        assert found.doubts
        assert found.proposal.evidence is Evidence.COMMENT


def test_a_slow_service_is_given_up_and_the_others_are_heard(
    services: Services,
    paper: Callable[..., int],
    look: LOOKS,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exchange, "READ_SECONDS", 0.2)
    services.delay = 0.5
    services.works.append(publication(known_to=frozenset({"openalex", "crossref"})))
    services.weather["semantic_scholar"] = "slow"
    paper()
    (found,) = look().values()
    assert (found.state, found.silent) == ("published", ("semantic-scholar",))


def test_with_all_away_nothing_is_found_out_and_nobody_is_asked_twice_within_a_cool_down(
    services: Services,
    fake_arxiv: FakeArxiv,
    paper: Callable[..., int],
    look: LOOKS,
    clock: Clock,
) -> None:
    services.works.append(publication())
    paper()
    fake_arxiv.fail("api", "rate")
    services.weather = dict.fromkeys(("semantic_scholar", "openalex", "crossref"), "429")
    (found,) = look().values()
    assert (found.state, found.asked) == ("could not look", ())
    asked = len(services.log) + len(fake_arxiv.asked("api"))
    look()
    look(refresh=True)
    assert len(services.log) + len(fake_arxiv.asked("api")) == asked


def test_a_run_that_was_cut_short_goes_on_with_the_papers_that_are_left(
    services: Services, look: LOOKS, store: Store, clock: Clock
) -> None:
    ids = [f"2301.{n:05}" for n in range(1, 101)]
    with store.action("add"):
        for arxiv_id in ids:
            facts = PaperFacts(identifiers=(Identifier("arxiv", arxiv_id),))
            add_paper(store, facts, source="user")
    services.works += [publication(arxiv_id) for arxiv_id in ids]
    services.weather["crossref"] = "429"
    found = look()
    assert {one.state for one in found.values()} == {"could not look"}
    services.weather.clear()
    clock.advance(days=1)
    asked = len(services.asked("semantic_scholar"))
    found = look()
    assert {one.state for one in found.values()} == {"published"}
    assert len(services.asked("semantic_scholar")) <= asked + 1


def test_what_was_undone_is_found_again(
    store: Store, services: Services, paper: Callable[..., int], look: LOOKS
) -> None:
    services.works.append(publication())
    paper_id = paper()
    before = get_paper(store, paper_id)
    look()
    store.undo()
    store.undo()
    assert get_paper(store, paper_id) == before
    (found,) = look().values()
    assert found.state == "published"
    assert len(open_suggestions(store)) == 1


@pytest.mark.parametrize("arxiv_id", ["hep-th/0103051", "1503.00042"])
def test_an_old_preprint_is_asked_about_the_first_time_and_then_only_by_name(
    services: Services, paper: Callable[..., int], look: LOOKS, clock: Clock, arxiv_id: str
) -> None:
    paper(arxiv_id)
    (found,) = look().values()
    assert found.state == "nothing found"
    assert {"openalex", "semantic-scholar"} <= set(found.asked)
    asked = len(services.log)
    clock.advance(days=400)
    look()
    assert len(services.log) == asked
    look(arxiv_id)
    assert len(services.log) > asked


def test_what_nobody_could_be_asked_about_is_not_asked(
    store: Store, library: Library, fake_arxiv: FakeArxiv, clock: Clock
) -> None:
    with store.action("add"):
        facts = PaperFacts(title="A work", identifiers=(Identifier("doi", DOI),))
        add_paper(store, facts, source="user")
    arxiv = Arxiv(**fake_arxiv.urls, interval_seconds=0)
    door = open_door(library, arxiv, clock=clock, services=Sources())
    (found,) = LookupRun(store, door).look(select(store, [DOI]))
    assert (found.state, found.asked) == ("not asked", ())


def test_a_broken_service_gets_one_request_for_one_work(
    services: Services, paper: Callable[..., int], look: LOOKS
) -> None:
    paper()
    services.weather |= {"semantic_scholar": "not-json", "openalex": "another"}
    (found,) = look().values()
    assert found.state == "could not look"
    assert len(services.asked("semantic_scholar")) == len(services.asked("openalex")) == 1


@pytest.mark.parametrize("weather", ["not-json", "another", "empty"])
def test_a_broken_service_gets_three_requests_for_a_batch_and_is_left_alone(
    services: Services, paper: Callable[..., int], look: LOOKS, weather: str
) -> None:
    for number in range(101, 121):
        paper(f"2409.00{number}")
    services.weather |= {"semantic_scholar": weather, "openalex": weather}
    found = look()
    assert {one.state for one in found.values()} == {"could not look"}
    assert len(services.asked("semantic_scholar")) == len(services.asked("openalex")) == 3


def test_a_registry_is_asked_about_a_doi_once_in_a_run(
    store: Store, door: Door, services: Services, paper: Callable[..., int]
) -> None:
    services.works.append(publication())
    paper()
    looking = LookupRun(store, door, refresh=True)
    for _ in range(2):
        (found,) = looking.look(select(store, [ID]))
        assert found.state == "published"
        assert len(services.asked("crossref")) == 1
