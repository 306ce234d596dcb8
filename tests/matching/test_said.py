"""Where authors say in a comment that their paper appeared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.actions.online.published import claim_of
from papertrack.matching.publications import Claim
from papertrack.matching.venues import find_venue, find_venues, is_workshop
from papertrack.records import PaperFacts
from tests.timing import assert_seconds


@pytest.mark.parametrize(
    ("comment", "venue"),
    [
        ("Accepted at ICLR 2026", "ICLR 2026"),
        ("Accepted by ICML 2025. 14 pages", "ICML 2025"),
        ("12 pages, 3 figures; to appear in NeurIPS 2024", "NeurIPS 2024"),
        ("Accepted to CVPR 2025 (Oral)", "CVPR 2025"),
        (
            "Accepted for publication in IEEE Transactions on Robotics",
            "IEEE Transactions on Robotics",
        ),
        ("To appear in the Journal of Examples, 23 pages", "Journal of Examples"),
        ("Accepted as a long paper at ACL 2023", "ACL 2023"),
        ("Accepted at NeurIPS 2025 Workshop on Sleep", "NeurIPS 2025 Workshop on Sleep"),
        ("EMNLP 2024 Findings", "EMNLP 2024"),
        ("ICLR'24", "ICLR 2024"),
        ("AAAI-25, 9 pages", "AAAI 2025"),
        ("Accepted to appear in the Journal of Examples", "Journal of Examples"),
        ("Accepted by the 2025 IEEE Conference on Naps (NAP)", "2025 IEEE Conference on Naps"),
        ("Paper accepted on AIED 2025 containing 14 pages", "AIED 2025"),
        ("Accepted at CVPR 2025 and selected as oral", "CVPR 2025"),
        ("4 pages, to be published in Phys. Rev. D as a Rapid Communication", "Phys. Rev. D"),
        ("Accepted for publication in Astron. Astrophys. 12 pages", "Astron. Astrophys"),
        (
            "To appear in Proc. of the 9th Int. Conf. on Naps. Code: soon",
            "Proc. of the 9th Int. Conf. on Naps",
        ),
        ("Submitted to ICLR 2026", None),
        ("Under review at ICML 2025", None),
        ("Accepted with minor revisions", None),
        ("14 pages, 3 figures", None),
        ("Published version", None),
        ("", None),
    ],
)
def test_a_venue_is_read_from_a_comment(comment: str, venue: str | None) -> None:
    assert find_venue(comment) == venue


@pytest.mark.parametrize(
    ("comment", "venue"),
    [
        ("Accepted at the MICCAI 2025 MIRASOL Workshop", "MICCAI 2025 MIRASOL Workshop"),
        ("Accepted at CVPR (Big Naps Workshop) 2026", "CVPR (Big Naps Workshop) 2026"),
        ("NeurIPS 2025 Workshop on Naps", "NeurIPS 2025 Workshop"),
        ("Sleep in NLP Workshop at ACL 2025", "ACL 2025 Workshop"),
        ("Naps4All@ICLR2026", "ICLR 2026 Workshop"),
        (
            "Accepted to Games, Agents and Naps Workshop at AAMAS-2026",
            "Games, Agents and Naps Workshop at AAMAS-2026",
        ),
        ("Accepted as a workshop paper in ICDM 2025", "ICDM 2025 Workshop"),
        (
            "Accepted at the Conference on Naps (NAP) Workshops, Oslo, 2023",
            "Conference on Naps (NAP) Workshops, Oslo, 2023",
        ),
        ("Accepted to SemNap-2025, an ACL 2025 workshop", "SemNap-2025, an ACL 2025 workshop"),
        ("4 pages, short paper, NeurIPS 2025 workshop on Naps", "NeurIPS 2025 Workshop"),
    ],
)
def test_a_workshop_is_not_the_conference_beside_which_it_is_held(comment: str, venue: str) -> None:
    assert find_venue(comment) == venue
    assert is_workshop(venue)


@pytest.mark.parametrize(
    ("comment", "venue"),
    [
        ("Accepted at ICML 2026 and presented at the ICLR 2026 workshop on naps", "ICML 2026"),
        ("Accepted at ACL 2025. Workshop page: https://naps.org", "ACL 2025"),
        ("Accepted by ICME 2025 and ICLR 2025 Workshop on Naps", "ICME 2025"),
        ("Accepted @ICML 2025", "ICML 2025"),
        ("Published at AISTATS 2026; an earlier version at a NeurIPS workshop", "AISTATS 2026"),
    ],
)
def test_a_conference_stays_one_where_a_workshop_is_named_too(comment: str, venue: str) -> None:
    assert find_venue(comment) == venue


@pytest.mark.parametrize(
    "comment",
    [
        "A preliminary version appeared at ICML 2024",
        "Earlier versions presented at ICLR 2025 QUEST workshop and ICML 2025 NAPS workshop",
        "This is an extended version of a short paper accepted at ICAPS 2026",
        "Extension of our SIGMOD 2025 paper",
        "An abridged version to appear in NeurIPS 2025 Naps Workshop",
        "Accepted in October 2025",
        "The final version will appear in IEEE Xplore",
        "To appear in Lecture Notes in Computer Science",
    ],
)
def test_another_version_and_who_keeps_proceedings_are_no_venue(comment: str) -> None:
    assert find_venues(comment) == ()


def test_of_several_places_the_journal_or_conference_comes_first() -> None:
    comment = "Presented at the ICLR 2023 Workshop on Naps; accepted in TMLR 2024"
    assert find_venues(comment) == ("TMLR 2024", "ICLR 2023 Workshop on Naps")
    claim = claim_of(PaperFacts(title="Naps", comment=comment, journal_ref="Nap Letters 12"))
    assert claim is not None
    assert [claim.venue, *(one.venue for one in claim.also)] == [
        *("Nap Letters", "TMLR 2024", "ICLR 2023 Workshop on Naps")
    ]
    assert claim.also[0] == Claim("TMLR 2024", 2024)


def test_a_year_in_the_name_of_a_thing_is_no_year_of_a_venue() -> None:
    claim = claim_of(PaperFacts(comment="To appear in “Supernova 1987A: 20 years after”"))
    assert claim is not None
    assert claim.year is None
    assert find_venue("ISCA-52 in Tokyo") is None


@given(st.text(max_size=300))
def test_any_comment_is_read_without_complaint(text: str) -> None:
    assert all(find_venues(f"{text} accepted at {text}"))


@pytest.mark.parametrize("unit", ["accepted at ", "ICML 2025 ", "Workshop (", "A accepted at (I "])
def test_a_megabyte_of_comment_is_read_in_no_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert_seconds(0.5, lambda: find_venues(text))
