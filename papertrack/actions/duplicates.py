"""Find papers that may be one work: neighbours in sorted order, judged by ``matching.judge``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papertrack.identifiers import identify
from papertrack.matching.judge import Answer, Description, judge
from papertrack.matching.titles import Pair, Titled, near_pairs, neighbours
from papertrack.records import Identifier, Paper
from papertrack.store.known import (
    described,
    different_pairs,
    mark_different,
    read_addresses,
    read_known,
    read_titles,
)
from papertrack.store.lookup import citekey_of, find_papers
from papertrack.store.store import Store


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two papers that may be one work."""

    citekey: str
    """The paper that was in the library first."""
    other: str
    title: str
    other_title: str
    score: int
    """0 to 100."""
    reasons: tuple[str, ...]
    """The evidence for and against."""


@dataclass(frozen=True, slots=True)
class Different:
    """Two papers that the user called different works."""

    different: list[str]

    def sentences(self) -> Iterator[str]:
        yield f"{' and '.join(self.different)} are two works."


def find_duplicates(store: Store, paper_ids: Sequence[int] | None = None) -> list[Duplicate]:
    """Return pairs that may be one work, likeliest first, without those called different.

    Compares papers with the same address, with neighbouring titles, and papers by the same first
    author with neighbouring titles: the time grows like that of sorting. With ``paper_ids``, only
    these papers are read.
    """
    titled = read_titles(store, paper_ids)
    named = _named(store, paper_ids)
    pairs = near_pairs(titled) | _of_one_address(store, titled, named)
    pairs -= different_pairs(store)
    papers = {one.id: one for one in read_known(store, (), (), {n for pair in pairs for n in pair})}
    described = {number: _described(one, named) for number, one in papers.items()}
    found = []
    for one, other in pairs:
        verdict = judge(described[one], described[other])
        if verdict.answer is not Answer.DIFFERENT:
            left, right = papers[one], papers[other]
            titles = left.facts.title or "", right.facts.title or ""
            reasons = (*verdict.reasons, *verdict.against)
            found.append(Duplicate(left.citekey, right.citekey, *titles, verdict.strength, reasons))
    return sorted(found, key=lambda pair: (-pair.score, pair.citekey, pair.other))


Named = dict[int, frozenset[Identifier]]
"""Paper number → the identifiers in its own addresses."""


def _named(store: Store, paper_ids: Sequence[int] | None) -> Named:
    addresses = read_addresses(store, paper_ids)
    return {
        number: frozenset(filter(None, map(identify, urls))) for number, urls in addresses.items()
    }


def _of_one_address(store: Store, titled: Sequence[Titled], named: Named) -> set[Pair]:
    """Return pairs in which one paper has the other's address, or an address of its identifier."""
    papers = {paper.id for paper in titled}
    holders: dict[Identifier, set[int]] = {}
    for number, identifiers in named.items():
        for identifier in identifiers:
            holders.setdefault(identifier, set()).add(number)
    for identifier, owner in find_papers(store, holders).items():
        holders[identifier].add(owner)
    return {pair for group in holders.values() for pair in neighbours(sorted(group & papers))}


def _described(paper: Paper, named: Named) -> Description:
    facts = described(paper).facts
    return Description(facts._replace(identifiers=(*facts.identifiers, *named.get(paper.id, ()))))


def call_different(store: Store, paper_id: int, other_id: int) -> tuple[str, str]:
    """Remember that two papers are different works; return their keys. Raises UsageError if they
    are the same paper."""
    keys = citekey_of(store, paper_id), citekey_of(store, other_id)
    with store.action("duplicates", f"different: {keys[0]}, {keys[1]}"):
        mark_different(store, paper_id, other_id)
    return keys
