"""The guard: no record of another work becomes a proposal, whoever says that it is this one."""

import pytest

from papertrack.matching.people import compare_authors
from papertrack.matching.publications import Claim, Evidence, weigh
from papertrack.records import Author, Identifier
from tests.matching.records import BASES, WRONG, authors, preprint, record, right_pairs

KINDS = sorted({pair.kind for pair in WRONG})


def test_the_adversarial_set_has_more_than_two_hundred_pairs() -> None:
    assert len(WRONG) >= 200
    assert len(KINDS) >= 20


@pytest.mark.parametrize("kind", KINDS)
def test_no_record_of_another_work_is_proposed(kind: str) -> None:
    for pair in WRONG:
        if pair.kind == kind:
            weighed = weigh(pair.paper, pair.records, pair.claim)
            proposal = weighed.proposal
            assert proposal is None or proposal.evidence is Evidence.COMMENT, pair
            assert all(doubt.reasons for doubt in weighed.doubts)
            assert weighed.doubts


def test_the_record_of_the_work_is_proposed() -> None:
    for pair, evidence in right_pairs():
        weighed = weigh(pair.paper, pair.records, pair.claim)
        assert weighed.proposal, (pair.kind, weighed.doubts)
        assert weighed.proposal.evidence is evidence
        assert weighed.proposal.venue == pair.records[0].facts.venue


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"Search for $\lambda$ decays at $\sqrt{s}=13$ TeV", "Search for λ decays at √s=13 TeV"),
        ("Modelling behaviour of colloids", "Modeling behavior of colloids"),
        ("Limits of $L^p$ spaces in the plane", "Limits of L<sup>p</sup> spaces in the plane"),
        ("The geometry of a moduli space", "Geometry of moduli spaces"),
    ],
)
def test_a_title_in_two_spellings_is_one(one: str, other: str) -> None:
    base = BASES[1]
    told = record(base, title=other)
    assert weigh(preprint(base, title=one), (told,)).proposal


def test_what_only_the_authors_say_is_a_proposal_of_its_own_class() -> None:
    weighed = weigh(preprint(BASES[2]), (), Claim("SOSP 2023", 2023))
    assert weighed.proposal
    assert weighed.proposal.evidence is Evidence.COMMENT
    assert (weighed.proposal.venue, weighed.proposal.year) == ("SOSP 2023", 2023)


def test_a_linked_publication_goes_before_one_that_only_has_the_title() -> None:
    base = BASES[3]
    journal = record(base, doi="10.5555/known.9", venue="Some Journal")
    weighed = weigh(preprint(base), (journal, record(base, is_linked=True)))
    assert weighed.proposal
    assert weighed.proposal.doi == "10.5555/known.1"


def test_groups_are_compared_by_their_names() -> None:
    base = BASES[6]
    told = record(base, authors=(*authors("A. Ba; C. De"), Author("The CMS Collaboration")))
    assert weigh(preprint(base), (told,)).proposal
    atlas = record(base, authors=(Author("ATLAS Collaboration"),))
    assert weigh(preprint(base), (atlas,)).proposal is None


def test_an_abstract_of_one_source_speaks_for_the_same_title_of_another() -> None:
    base = BASES[3]
    told = record(base, is_linked=True, title="A New Name for It All")
    linking = told._replace(source="openalex", remarks=frozenset())
    abstract = preprint(base).abstract
    linking = linking._replace(facts=linking.facts._replace(abstract=abstract))
    assert weigh(preprint(base), (linking, told)).proposal
    assert weigh(preprint(base), (told,)).proposal is None


def test_a_key_of_dblp_that_begins_with_another_name_is_of_another_work() -> None:
    base = BASES[3]
    told = record(base, is_linked=True, doi=None)
    for key, is_taken in (("conf/icml/LeviathanKM23", True), ("conf/icml/QuentO23", False)):
        identifiers = (*told.facts.identifiers, Identifier("dblp", key))
        mixed = told._replace(facts=told.facts._replace(identifiers=identifiers))
        assert bool(weigh(preprint(base), (mixed,)).proposal) is is_taken


def test_names_of_one_letter_are_compared_whole() -> None:
    alone = (Author("Weinan E"),)
    common = compare_authors(alone, (Author("Weinan E"),))
    assert common is not None
    assert common.is_nearly_all
    assert compare_authors(alone, (Author("W. E"),)) is None
    assert compare_authors(alone, (Author("Weixi O"),)) is None
    assert compare_authors((Author("Weinan E"), Author("Bing Yu")), (Author("B. Yu"),)) is not None


def test_a_work_under_its_own_title_goes_before_one_with_its_abstract_under_another() -> None:
    base = BASES[3]
    abstract = preprint(base).abstract
    renamed = record(base, title="On What It All Means", abstract=abstract, doi="10.5555/known.2")
    weighed = weigh(preprint(base), (renamed, record(base)))
    assert weighed.proposal
    assert weighed.proposal.evidence is Evidence.TITLE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Thomas Bly", "Tom Bly"),
        ("Aleksei Popov", "Alexey Popov"),
        ("Jun-Jie Wang", "Junjie Wang"),
        ("Jean-Pierre Serre", "J.-P. Serre"),
        ("John Smith", "JR Smith"),
    ],
)
def test_a_given_name_in_two_spellings_is_one(one: str, other: str) -> None:
    common = compare_authors((Author(one),), (Author(other),))
    assert common is not None
    assert common.is_nearly_all


def test_given_names_that_differ_are_of_two_people_where_only_the_title_agrees() -> None:
    pairs = (
        ("John Smith", "Jane Smith"),
        ("Wei Wang; Li Zhang; Jun Li", "Wen Wang; Lei Zhang; Jie Li"),
    )
    for one, other in pairs:
        common = compare_authors(authors(one), authors(other))
        assert common is not None
        assert not common.is_nearly_all


@pytest.mark.parametrize(
    ("venue", "claimed"),
    [
        ("ACM Transactions on Graphics", "SIGGRAPH 2023"),
        ("IEEE Robotics and Automation Letters", "IROS"),
        ("Transactions of the Association for Computational Linguistics", "ACL 2023"),
        ("Journal of Machine Learning Research", "JMLR"),
        ("Proceedings of the VLDB Endowment", "VLDB"),
    ],
)
def test_a_conference_in_a_journal_is_what_the_authors_say(venue: str, claimed: str) -> None:
    base = BASES[3]
    told = record(base, venue=venue, published_type="article")
    proposal = weigh(preprint(base), (told,), Claim(claimed, base.year)).proposal
    assert proposal
    assert proposal.evidence is Evidence.TITLE
