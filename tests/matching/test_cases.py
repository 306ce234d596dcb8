"""One table of what two descriptions may be to each other, and what each user makes of it.

The first one is a preprint or an entry, the second one what somebody else has: an entry of another
file, or what a registry of DOIs says.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from papertrack.matching.audit import Finding, audit
from papertrack.matching.judge import Answer, Description, judge
from papertrack.matching.publications import Record, weigh
from papertrack.records import Author, Identifier, PaperFacts

SAME, UNKNOWN, DIFFERENT = Answer.SAME, Answer.UNKNOWN, Answer.DIFFERENT
TITLE = "Sparse Routing of Tokens among Frozen Experts"
ARXIV = (Identifier("arxiv", "2301.00001"),)
DOI = (Identifier("doi", "10.5555/routing.1"),)


def people(*names: str) -> tuple[Author, ...]:
    return tuple(map(Author, names))


AUTHORS = people("Ann Bee", "Carl Dove", "Eva Finch")
PREPRINT = PaperFacts(TITLE, identifiers=ARXIV, authors=AUTHORS, submitted="2023-01-02", year=2023)
PRINT = PaperFacts(
    TITLE,
    identifiers=DOI,
    authors=AUTHORS,
    year=2023,
    venue="Journal of Odd Machines",
    published_type="article",
    publication=(("volume", "12"), ("pages", "31--60")),
)
Changes = dict[str, object]


class Case(NamedTuple):
    """Two descriptions, and what is to come of them."""

    name: str
    one: Changes
    """What the preprint has otherwise."""
    other: Changes
    """What the publication has otherwise."""
    answer: Answer
    """Joining takes ``SAME`` alone; a list of duplicates ``UNKNOWN`` too."""
    is_proposed: bool
    """Whether the second one is proposed as where the first one appeared."""

    def facts(self) -> tuple[PaperFacts, PaperFacts]:
        return PREPRINT._replace(**self.one), PRINT._replace(**self.other)  # type: ignore[arg-type]


def titled(title: str) -> Changes:
    return {"title": title}


def typed(kind: str, **more: object) -> Changes:
    return {"published_type": kind, **more}


CASES = (
    # One work in two hands.
    Case("preprint and print", {}, {}, SAME, True),
    Case("printed two years later", {}, {"year": 2025}, SAME, True),
    Case("in capitals", {}, titled(TITLE.upper()), SAME, True),
    Case("formula and HTML", titled("On Si$_3$N$_4$ Films of $\\alpha$ Grains"),
         titled("On Si<sub>3</sub>N<sub>4</sub> Films of α Grains"), SAME, True),
    Case("HTML in words", titled("Bread &amp; <i>Sparse</i> Butter for Machines"),
         titled("Bread and Sparse Butter for Machines"), SAME, True),
    Case("numerals", titled(f"{TITLE}, Part II"), titled(f"{TITLE} (part 2)"), SAME, True),
    Case("initials", {}, {"authors": people("A. Bee", "C. Dove", "E. Finch")}, SAME, True),
    Case("DBLP's numbers", {}, {"authors": people("Ann Bee 0001", "Carl Dove", "Eva Finch 0012")},
         SAME, True),
    Case("families first", {}, {"authors": people("Bee Ann", "Dove Carl", "Finch Eva")},
         SAME, True),
    Case("families first, with commas", {}, {"authors": people("Bee, Ann", "Dove, C.", "Finch, E")},
         SAME, True),
    Case("et al.", {"authors": people("Ann Bee et. al.")}, {}, SAME, False),
    Case("in two spellings", titled("Über die Größe der Bäume"),
         titled("Ueber die Groesse der Baeume"), SAME, True),
    Case("in two scripts", {"title": "Теория графов и её приложения",
                            "authors": people("Пётр Иванов")},
         {"title": "Teoriya grafov i ee prilozheniya", "authors": people("Petr Ivanov")},
         SAME, True),
    Case("British and American", titled("Modelling the Behaviour of Colloids"),
         titled("Modeling the Behavior of Colloids"), UNKNOWN, True),
    Case("a slip", titled(TITLE.replace("Frozen", "Forzen")), {}, UNKNOWN, False),
    Case("without its subtitle", titled(f"{TITLE}: A Study"), {}, UNKNOWN, False),
    Case("without its name", titled(f"RouteX: {TITLE}"), {}, UNKNOWN, False),
    Case("retitled, by its DOI", {"title": "Routing with Frozen Experts", "identifiers": DOI},
         {}, SAME, False),
    Case("retitled, by its arXiv id", titled("How Frozen Experts Share Tokens"),
         {"identifiers": ARXIV}, SAME, False),
    Case("a nickname", {"authors": people("William Bee")}, {"authors": people("Bill Bee")},
         DIFFERENT, False),
    # Nearly the same, and another work.
    Case("part I and II", titled(f"{TITLE} I"), titled(f"{TITLE} II"), DIFFERENT, False),
    Case("only one is a part", {}, titled(f"{TITLE}, Part 2"), DIFFERENT, False),
    Case("parts with one DOI", {"title": f"{TITLE} I", "identifiers": DOI},
         titled(f"{TITLE} II"), DIFFERENT, False),
    Case("another word", titled(TITLE.replace("Tokens", "Trains")), {}, DIFFERENT, False),
    Case("another word, one DOI, both in print",
         {"title": TITLE.replace("Tokens", "Trains"), "identifiers": DOI, "venue": "Elsewhere"},
         {}, DIFFERENT, False),
    Case("not", titled("A Proof That P Is NP"), titled("A Proof That P Is Not NP"),
         DIFFERENT, False),
    Case("chapter and book", typed("incollection"), typed("book"), DIFFERENT, False),
    Case("chapter and book, one DOI", typed("incollection", identifiers=DOI), typed("book"),
         DIFFERENT, True),
    Case("thesis and article", typed("phdthesis"), {}, DIFFERENT, True),
    Case("preprint and thesis", {}, typed("phdthesis", venue="A University"), UNKNOWN, False),
    Case("data and paper", typed("dataset"), {}, DIFFERENT, True),
    Case("preprint and data", {}, typed("dataset", venue="A Repository of Things"),
         UNKNOWN, False),
    Case("erratum", {}, titled(f"Erratum: {TITLE}"), DIFFERENT, False),
    Case("erratum with its DOI", {"identifiers": DOI}, titled(f"{TITLE} (Corrigendum)"),
         DIFFERENT, False),
    Case("correction with its DOI", {"identifiers": DOI}, titled(f"Author Correction: {TITLE}"),
         DIFFERENT, False),
    Case("expression of concern with its DOI", {"identifiers": DOI},
         titled(f"Expression of Concern: {TITLE}"), DIFFERENT, False),
    Case("publisher's note", {}, titled(f"Publisher’s Note: {TITLE}"), DIFFERENT, False),
    Case("charges", titled("A Search for B+ Decays at the Collider"),
         titled("A Search for B- Decays at the Collider"), DIFFERENT, False),
    Case("charges in formulas", titled("A Search for $B^{+}$ Decays at the Collider"),
         titled("A Search for $B^{-}$ Decays at the Collider"), DIFFERENT, False),
    Case("one charge in two spellings", titled("A Search for $B^{+}$ Decays at the Collider"),
         titled("A Search for B<sup>+</sup> Decays at the Collider"), SAME, True),
    Case("a charge in brackets", titled("Na+ Channels in Frozen Cells"),
         titled("Na(+) Channels in Frozen Cells"), SAME, True),
    Case("an open hyphen", titled("Pre- and Postwar Frozen Bread"),
         titled("Pre and Postwar Frozen Bread"), SAME, True),
    Case("comment", {}, titled(f"Comment on “{TITLE}”"), DIFFERENT, False),
    Case("reply", {}, titled(f"{TITLE}: Reply"), DIFFERENT, False),
    Case("translation, same page", {"identifiers": DOI, "title": "О маршрутах токенов",
                                    "publication": PRINT.publication}, {}, SAME, False),
    Case("translation, by its DOI", {"identifiers": DOI, "title": "О маршрутах токенов"}, {},
         UNKNOWN, False),
    Case("translation", titled("О маршрутах токенов"), {}, DIFFERENT, False),
    Case("extended version", {}, titled(f"{TITLE}: Extended Version"), UNKNOWN, False),
    Case("other people", {}, {"authors": people("Gus Hill", "Ivy Jung")}, DIFFERENT, False),
    Case("a namesake", {"authors": people("Ann Bee")}, {"authors": people("Amy Bee")},
         UNKNOWN, False),
    Case("another collaboration", {"authors": people("CMS Collaboration")},
         {"authors": people("ATLAS Collaboration")}, DIFFERENT, False),
    Case("ten years later", {}, {"year": 2033}, DIFFERENT, False),
    Case("a title of many", {"title": "Preface", "authors": people("Ann Bee")},
         {"title": "Preface", "authors": people("Ann Bee")}, DIFFERENT, False),
)  # fmt: skip
CITED = {
    Finding.SOUND: (
        {}, {"title": TITLE.replace("Frozen", "Forzen")}, {"title": f"{TITLE}."},
        {"authors": people("Bee Ann", "Dove Carl", "Finch Eva")},
        {"authors": people("Ann Bee", "C. Dove", "E. Finch")},
        {"authors": people("Ann Bee et. al.")}, {"authors": people("Ann Bee", "others")},
        {"authors": people("Ann Bee 0001", "Carl Dove", "Eva Finch")},
        {"title": "Sparse Routing of <i>Tokens</i> among Frozen Experts"},
    ),
    Finding.DIFFERS: (
        {"authors": people("Ann Bee", "Gus Hill", "Carl Dove", "Eva Finch")},
        {"authors": people("Ann Bee", "Eva Finch")}, {"authors": people("Ann Bee", "Carl Dove")},
        {"authors": people("Carl Dove", "Ann Bee", "Eva Finch")},
        {"authors": people("Ann Bee", "Chad Dove", "Eva Finch")},
        {"title": TITLE.replace("Tokens", "Trains")}, {"year": 2019},
    ),
    Finding.UNKNOWN: (
        {"title": TITLE.replace("Tokens", "Trains"), "identifiers": ()},
        {"authors": people("Gus Hill"), "year": 2003, "identifiers": ()},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_two_descriptions_are_one_work_may_be_or_are_two(case: Case) -> None:
    one, other = map(Description, case.facts())
    assert judge(one, other).answer is judge(other, one).answer is case.answer, judge(one, other)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_publication_is_proposed_only_where_it_is_the_preprints(case: Case) -> None:
    preprint, told = case.facts()
    weighed = weigh(preprint, [Record("crossref", told, frozenset({"registry"}))])
    assert bool(weighed.proposal) is case.is_proposed, weighed


@pytest.mark.parametrize(
    ("finding", "changes"), [(finding, one) for finding, some in CITED.items() for one in some]
)
def test_a_reference_is_held_against_the_work(finding: Finding, changes: Changes) -> None:
    cited = PRINT._replace(**changes)  # type: ignore[arg-type]
    verdict = audit(cited, [Record("crossref", PRINT)], is_complete=True)
    assert verdict.finding is finding, verdict


TEAM = {"title": "Routing", "authors": people("Routing Team")}
IN_LISTS = {
    "a list names a team": (TEAM, {"identifiers": ARXIV}, SAME),
    "a list has no more than et al.": (
        TEAM | {"authors": people("et al.")},
        {"identifiers": ARXIV},
        SAME,
    ),
    "lambda": (
        titled("Typed λ-calculi of Odd Machines"),
        titled("Typed lambda-calculi of Odd Machines"),
        SAME,
    ),
    "numeral": (titled("Odd Machines XXV"), titled("Odd Machines 25"), SAME),
    "caron": ({"authors": people("P. Čebyšev")}, {"authors": people("P. Chebyshev")}, SAME),
    "two degrees": (
        {"published_type": "phdthesis", "identifiers": ()},
        {"published_type": "mastersthesis"},
        DIFFERENT,
    ),
    "a thesis of biblatex": (
        {"published_type": "mathesis"},
        {"published_type": "article"},
        DIFFERENT,
    ),
    "versions with letters": (
        {"published_type": "software", "identifiers": (), "publication": (("version", "beta2.1"),)},
        {"published_type": "software", "publication": (("version", "beta2.2"),)},
        DIFFERENT,
    ),
    "an edition in words": (
        {"published_type": "book", "identifiers": (), "publication": (("edition", "Revised 2nd"),)},
        {"published_type": "book", "publication": (("edition", "2"),)},
        SAME,
    ),
}


@pytest.mark.parametrize("name", IN_LISTS)
def test_descriptions_are_compared_however_they_are_written(name: str) -> None:
    changes, other_changes, answer = IN_LISTS[name]
    one = PREPRINT._replace(**changes)  # type: ignore[arg-type]
    other = PRINT._replace(**other_changes)  # type: ignore[arg-type]
    verdict = judge(Description(one), Description(other))
    assert verdict.answer is answer, verdict
