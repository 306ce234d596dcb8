"""Papers that may be one work: found by neighbourhood, judged by title, authors and identifiers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papertrack.identifiers import identify
from papertrack.identifiers.derived import family_names, is_telling
from papertrack.records import Author, Identifier
from papertrack.store.known import KnownPaper, different_pairs, mark_different, read_titled
from papertrack.store.lookup import citekey_of
from papertrack.store.store import Store
from papertrack.text import fold, plural

SHOWN_FROM = 60
"""The score from which a pair is worth a look."""
_WINDOW = 6
"""Papers are compared with so many that follow them in each order: no pair of all pairs."""
_ALIKE = 92
"""rapidfuzz's ratio, of 100, from which two titles are taken for one with a mistake in it."""
_SHOWN_SCHEMES = {"arxiv": "arXiv ids", "doi": "DOIs"}


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
    pairs of these papers are returned.
    """
    papers = read_titled(store)
    chosen = {paper.id for paper in papers} if paper_ids is None else set(paper_ids)
    different = different_pairs(store)
    found = []
    for one, other in _candidates(papers):
        if (one.id, other.id) in different or not {one.id, other.id} <= chosen:
            continue
        score, reasons = judge(one, other)
        if score >= SHOWN_FROM:
            titles = one.title or "", other.title or ""
            found.append(Duplicate(one.citekey, other.citekey, *titles, score, reasons))
    return sorted(found, key=lambda pair: (-pair.score, pair.citekey, pair.other))


def call_different(store: Store, paper_id: int, other_id: int) -> tuple[str, str]:
    """Remember that two papers are two works; return their keys. Raises UsageError for one."""
    keys = citekey_of(store, paper_id), citekey_of(store, other_id)
    with store.action("duplicates", f"different: {keys[0]}, {keys[1]}"):
        mark_different(store, paper_id, other_id)
    return keys


def judge(one: KnownPaper, other: KnownPaper) -> tuple[int, tuple[str, ...]]:
    """How likely two papers are one work, 0 to 100, and why."""
    found = [piece for look in _LOOKS for piece in look(one, other)]
    score = sum(points for points, _ in found)
    return max(0, min(100, round(score))), tuple(reason for _, reason in found)


Evidence = Iterator[tuple[float, str]]
"""Points for, or against, two papers being one work, each with its reason."""


def _of_address(one: KnownPaper, other: KnownPaper) -> Evidence:
    if shared := set(_named_by(one)) & set(_named_by(other)):
        # Works of different titles may share a page; a registered identifier is one work's.
        is_sure = any(i.scheme != "url" for i in shared) or one.title_key == other.title_key
        points = 90 if is_sure else 40
        yield points, "same address: " + min(f"{i.scheme}:{i.value}" for i in shared)


def _of_title(one: KnownPaper, other: KnownPaper) -> Evidence:
    from rapidfuzz import fuzz

    likeness = fuzz.ratio(one.title_key, other.title_key)
    if one.title_key == other.title_key:
        yield 60 if is_telling(one.title_key) else 30, "same title"
    elif likeness >= _ALIKE:
        yield 45, f"titles {likeness:.0f} % alike"


def _of_authors(one: KnownPaper, other: KnownPaper) -> Evidence:
    names, others = _families(one), _families(other)
    if not (names and others):
        return
    common = len(names & others)
    if common:
        share = common / min(len(names), len(others))
        yield 30 * share, f"{plural(common, 'author')} in common"
    else:
        yield -40, "no author in common"


def _of_year(one: KnownPaper, other: KnownPaper) -> Evidence:
    if not (one.year and other.year):
        return
    gap = abs(one.year - other.year)
    if gap == 0:
        yield 10, "same year"
    else:
        yield 5 if gap <= 2 else -10, f"{plural(gap, 'year')} apart"


def _of_identifiers(one: KnownPaper, other: KnownPaper) -> Evidence:
    schemes = {i.scheme for i in one.identifiers} & {i.scheme for i in other.identifiers}
    for scheme, noun in _SHOWN_SCHEMES.items():
        if scheme in schemes:
            yield -30, f"different {noun}"


_LOOKS = (_of_address, _of_title, _of_authors, _of_year, _of_identifiers)


def _candidates(papers: Sequence[KnownPaper]) -> Iterator[tuple[KnownPaper, KnownPaper]]:
    """Pairs to compare, each once, the one with the smaller number first."""
    seen: set[tuple[int, int]] = set()
    by_author: dict[str, list[KnownPaper]] = {}
    by_address: dict[Identifier, list[KnownPaper]] = {}
    for paper in papers:
        if paper.authors:
            by_author.setdefault(fold(paper.authors[0]).rpartition(" ")[2], []).append(paper)
        for identifier in dict.fromkeys(_named_by(paper)):
            by_address.setdefault(identifier, []).append(paper)
    for group in (papers, *by_author.values(), *by_address.values()):
        for at, paper in enumerate(group):
            for other in group[at + 1 : at + 1 + _WINDOW]:
                first, second = sorted((paper, other), key=lambda one: one.id)
                if (first.id, second.id) not in seen:
                    seen.add((first.id, second.id))
                    yield first, second


def _named_by(paper: KnownPaper) -> list[Identifier]:
    """What the paper's own addresses stand for besides its identifiers."""
    named = (identify(url) for url in paper.addresses)
    return [*paper.identifiers, *(found for found in named if found is not None)]


def _families(paper: KnownPaper) -> frozenset[str]:
    return family_names(Author(name) for name in paper.authors)
