"""Lists of references as people paste them: APA, ACM, IEEE, MLA, Nature, and all of them mixed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from papertrack.documents.markdown.read.document import parse_document


class Work(NamedTuple):
    """What is true of a work: family and given names, year, title, where it appeared."""

    people: tuple[tuple[str, str], ...]
    year: int
    title: str
    venue: str


WORKS = (
    Work((("Kipf", "Thomas"), ("Welling", "Max")), 2017,
         "Semi-Supervised Classification with Graph Convolutional Networks",
         "International Conference on Learning Representations"),
    Work((("Vaswani", "Ashish"), ("Shazeer", "Noam"), ("Parmar", "Niki")), 2017,
         "Attention is all you need", "Advances in Neural Information Processing Systems"),
    Work((("Goodfellow", "Ian"),), 2016, "NIPS 2016 Tutorial: Generative Adversarial Networks",
         "Technical Report"),
    Work((("Girshick", "Ross"),), 2015, "Fast R-CNN", "Proceedings of the IEEE ICCV"),
    Work((("Parish", "Yoav"), ("Müller", "Pascal")), 2001, "Procedural modeling of cities",
         "Proceedings of the 28th Conference on Computer Graphics"),
    Work((("Efros", "Alexei"), ("Leung", "Thomas")), 1999,
         "Texture synthesis by non-parametric sampling",
         "Proceedings of the Seventh Conference on Computer Vision"),
    Work((("Wardetzky", "Max"), ("Mathur", "Saurabh"), ("Grinspun", "Eitan")), 2007,
         "Discrete Laplace operators: No free lunch", "Geometry Processing"),
    Work((("Dean", "Jeffrey"), ("Ghemawat", "Sanjay")), 2008,
         "MapReduce: simplified data processing on large clusters", "Communications of the ACM"),
)  # fmt: skip


def apa(work: Work) -> str:
    people = [f"{family}, {given[0]}." for family, given in work.people]
    return f"{_with_and(people, ', & ')} ({work.year}). {work.title}. In {work.venue}."


def acm(work: Work) -> str:
    people = [f"{given} {family}" for family, given in work.people]
    return f"{_with_and(people, ' and ')}. {work.year}. {work.title}. In {work.venue}, 12 pages."


def ieee(work: Work) -> str:
    people = [f"{given[0]}. {family}" for family, given in work.people]
    return f'{_with_and(people, " and ")}, "{work.title}," in {work.venue}, {work.year}, pp. 3-9.'


def mla(work: Work) -> str:
    people = [f"{given} {family}" for family, given in work.people]
    return f'{_with_and(people, ", and ")}. "{work.title}." {work.venue} ({work.year}).'


def springer(work: Work) -> str:
    people = ", ".join(f"{family}, {given[0]}." for family, given in work.people)
    return f"{people} {work.title}. {work.venue} 12, 3–9 ({work.year})."


STYLES = (apa, acm, ieee, mla, springer)


def _with_and(people: list[str], last: str) -> str:
    return ", ".join([*people[:-2], last.join(people[-2:])])


def listed(texts: list[str]) -> str:
    lines = (f"- {text} [[pdf]](https://a.example/{at}.pdf)" for at, text in enumerate(texts))
    return "# Read\n\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("style", STYLES)
def test_the_titles_of_references_in_one_style_are_read(
    style: Callable[[Work], str],
) -> None:
    entries = parse_document(listed([style(work) for work in WORKS])).entries
    assert [one.fields.title.rstrip(".") for one in entries] == [work.title for work in WORKS]


@pytest.mark.parametrize("shift", range(len(STYLES)))
def test_the_titles_of_references_in_mixed_styles_are_read(shift: int) -> None:
    styles = [STYLES[(at + shift) % len(STYLES)] for at in range(len(WORKS))]
    text = listed([style(work) for style, work in zip(styles, WORKS, strict=True)])
    titles = [entry.fields.title.rstrip(".") for entry in parse_document(text).entries]
    assert titles == [work.title for work in WORKS]


def test_where_a_reference_appeared_is_said_without_in() -> None:
    entries = parse_document(listed([ieee(work) for work in WORKS])).entries
    venues = [entry.fields.venue or "" for entry in entries]
    assert sum(map(bool, venues)) > len(WORKS) / 2
    assert not [venue for venue in venues if venue.startswith("in ")]


def test_a_publisher_behind_a_reference_is_none_of_its_authors() -> None:
    texts = [f"{acm(work)} Curran Associates Inc., Red Hook, NY, USA." for work in WORKS]
    entries = parse_document(listed(texts)).entries
    assert [len(entry.fields.authors) for entry in entries] == [len(w.people) for w in WORKS]


def test_a_short_title_before_a_longer_journal_is_the_title() -> None:
    rows = (
        "1. Vaswani A, Shazeer N, Parmar N. Attention is all you need. "
        "Adv Neural Inf Process Syst. 2017;30:5998-6008. [doi](https://doi.org/10.1000/1)",
        "2. Jumper J, Evans R, Pritzel A. Highly accurate protein structure prediction with "
        "AlphaFold. Nature. 2021;596:583-9. [doi](https://doi.org/10.1000/2)",
        "3. Cortes C, Vapnik V. Support-vector networks. Mach Learn. 1995;20:273-97. "
        "[doi](https://doi.org/10.1000/3)",
    )
    assert [entry.fields.title for entry in parse_document("\n".join(rows)).entries] == [
        "Attention is all you need",
        "Highly accurate protein structure prediction with AlphaFold",
        "Support-vector networks",
    ]
