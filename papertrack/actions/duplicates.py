"""Papers that may be one work: found by neighbourhood, judged by ``same_work.judge``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from papertrack.identifiers import identify
from papertrack.records import Identifier
from papertrack.same_work.description import Description
from papertrack.same_work.judge import Answer, judge
from papertrack.same_work.spelling import sound_of
from papertrack.store.known import KnownPaper, different_pairs, mark_different, read_titled
from papertrack.store.lookup import citekey_of
from papertrack.store.store import Store
from papertrack.text import fold

_WINDOW = 6
"""Papers are compared with so many that follow them in each order: no pair of all pairs."""
_ALIKE = 80
"""rapidfuzz's ratio, of 100, under which two titles are not worth a closer look."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two papers that may be one."""

    citekey: str
    """Of the one that the library had first."""
    other: str
    title: str
    other_title: str
    score: int
    """0 to 100."""
    reasons: tuple[str, ...]
    """What speaks for it, and what against it."""


def find_duplicates(store: Store, paper_ids: Sequence[int] | None = None) -> list[Duplicate]:
    """The pairs that may be one work, likeliest first, without those called different.

    Compared are papers with the same address, with neighbouring titles, and those of one first
    author with neighbouring titles: the time grows as that of sorting. With ``paper_ids`` only
    these papers are read.
    """
    papers = read_titled(store, paper_ids)
    different = different_pairs(store)
    described: dict[int, Description] = {}
    found = []
    for one, other in _candidates(papers):
        if (one.id, other.id) in different:
            continue
        left, right = (described.setdefault(p.id, _description(p)) for p in (one, other))
        verdict = judge(left, right)
        if verdict.answer is not Answer.TWO:
            reasons = (*verdict.reasons, *verdict.against)
            titles = one.title or "", other.title or ""
            found.append(Duplicate(one.citekey, other.citekey, *titles, verdict.score, reasons))
    return sorted(found, key=lambda pair: (-pair.score, pair.citekey, pair.other))


def _description(paper: KnownPaper) -> Description:
    return replace(paper.description, identifiers=frozenset(_named_by(paper)))


def call_different(store: Store, paper_id: int, other_id: int) -> tuple[str, str]:
    """Remember that two papers are two works; return their keys. Raises UsageError for one."""
    keys = citekey_of(store, paper_id), citekey_of(store, other_id)
    with store.action("duplicates", f"different: {keys[0]}, {keys[1]}"):
        mark_different(store, paper_id, other_id)
    return keys


def _candidates(papers: Sequence[KnownPaper]) -> Iterator[tuple[KnownPaper, KnownPaper]]:
    """Pairs to compare, each once, the one with the smaller number first."""
    # Imported here because most commands never compare.
    from rapidfuzz.fuzz import ratio

    seen: set[tuple[int, int]] = set()
    for is_sure, group in _neighbourhoods(papers):
        for one, other in _neighbours(group):
            first, second = (one, other) if one.id < other.id else (other, one)
            if (first.id, second.id) in seen:
                continue
            seen.add((first.id, second.id))
            if is_sure or _may_be_alike(first.title_key, second.title_key, ratio):
                yield first, second


def _neighbourhoods(papers: Sequence[KnownPaper]) -> Iterator[tuple[bool, Sequence[KnownPaper]]]:
    """Yield groups of papers in which those of one work are near each other, and whether they are
    worth a look whatever their titles look like: those with one address, and those whose titles
    may be one title in two spellings."""
    by_author: dict[str, list[KnownPaper]] = {}
    by_address: dict[Identifier, list[KnownPaper]] = {}
    by_sound: dict[str, list[KnownPaper]] = {}
    for paper in papers:
        if paper.authors:
            by_author.setdefault(fold(paper.authors[0]).rpartition(" ")[2], []).append(paper)
        for identifier in dict.fromkeys(_named_by(paper)):
            by_address.setdefault(identifier, []).append(paper)
        by_sound.setdefault(sound_of(paper.title or "", paper.title_key), []).append(paper)
    yield from ((True, group) for group in by_address.values())
    yield from ((True, group) for group in by_sound.values())
    yield False, papers
    # A title without the name before its colon ends as the whole one does.
    yield False, sorted(papers, key=lambda paper: paper.title_key[::-1])
    yield from ((False, group) for group in by_author.values())


def _neighbours(group: Sequence[KnownPaper]) -> Iterator[tuple[KnownPaper, KnownPaper]]:
    for at, paper in enumerate(group):
        for other in group[at + 1 : at + 1 + _WINDOW]:
            yield paper, other


def _may_be_alike(one: str, other: str, ratio: Callable[..., float]) -> bool:
    """Whether two titles, by their keys, are worth a closer look; ``ratio`` is rapidfuzz's."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if long.startswith(short) or long.endswith(short):
        return True
    return ratio(short, long, score_cutoff=_ALIKE) > 0


def _named_by(paper: KnownPaper) -> list[Identifier]:
    """What the paper's own addresses stand for besides its identifiers."""
    named = (identify(url) for url in paper.addresses)
    return [*paper.identifiers, *(found for found in named if found is not None)]
