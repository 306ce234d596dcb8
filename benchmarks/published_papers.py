"""The papers of which `published.py` knows where they came out, and works that look like them."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from papertrack.identifiers import parse_doi

_NEAR = 3
"""So many works of the same people stand beside each unseen paper, and as many of like titles."""
_COMMON = 2_000
"""Words and names of more works than these tell nothing."""


@dataclass(frozen=True)
class Known:
    """A paper at arXiv, and the DOI under which it was published."""

    arxiv_id: str
    title: str
    authors: tuple[str, ...]
    abstract: str
    comment: str | None
    submitted: str
    doi: str
    near: tuple[Known, ...] = ()
    """Other works that look most like it, the nearest first."""


def read_known(folder: Path) -> Iterator[Known]:
    """COMET's sample: 1,000 papers, with which the guard was made."""
    for line in (folder / "arxiv_datacite_sample_1.jsonl").read_text("utf-8").splitlines():
        told = json.loads(line)["attributes"]
        texts = {one["descriptionType"]: one["description"] for one in told["descriptions"]}
        dates = [one["date"] for one in told["dates"] if one["dateType"] == "Submitted"]
        yield Known(
            told["identifiers"][0]["identifier"],
            told["titles"][0]["title"],
            tuple(
                f"{one.get('givenName') or ''} {one.get('familyName') or one['name']}".strip()
                for one in told["creators"]
            ),
            texts.get("Abstract", ""),
            texts.get("Other"),
            min(dates) if dates else f"{told['publicationYear']}-01-01T00:00:00Z",
            next(
                one["relatedIdentifier"].lower().rstrip(".")
                for one in told["relatedIdentifiers"]
                if one["relationType"] == "IsVersionOf"
            ),
        )


def read_unseen(corpus: Path, number: int, seed: int) -> list[Known]:
    """Papers that nothing was tuned to: all others of the corpus of which arXiv knows the DOI, and
    as many as are missing of what was announced in sixteen months, drawn by this seed, whose DOIs
    are made up. Beside each stand the works that look most like it in all of that."""
    sample = {one.arxiv_id for one in read_known(corpus / "venues")}
    published = [one for one in _records(corpus) if one.arxiv_id not in sample]
    known = {one.arxiv_id for one in published} | sample
    announced = [one for one in _announced(corpus) if one.arxiv_id not in known]
    drawn = random.Random(seed).sample(announced, max(0, number - len(published)))
    chosen = [*published, *drawn][:number]
    near = _Nearness([*published, *announced])
    return [replace(one, near=near.of(one)) for one in chosen]


def _records(corpus: Path) -> Iterator[Known]:
    path = corpus / "arxiv-metadata" / "records-sample.jsonl"
    for told in map(json.loads, path.read_text("utf-8").splitlines()):
        doi = parse_doi(told.get("doi") or "")
        if doi and told.get("authors") and told.get("published"):
            texts = told["title"], told["abstract"], told.get("comment")
            yield _paper(told["id"], texts, told["authors"], told["published"], doi)


def _announced(corpus: Path) -> Iterator[Known]:
    path = next((corpus / "ranking").glob("announced*.jsonl.gz"))
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        told = {one["id"]: one for one in map(json.loads, lines) if one["a"] and one["s"]}
    for arxiv_id, one in told.items():
        texts = one["t"], one["s"], one["m"]
        yield _paper(arxiv_id, texts, one["a"], f"{one['d']}T00:00:00Z", f"10.5555/{arxiv_id}")


def _paper(
    arxiv_id: str,
    texts: tuple[str | None, ...],
    authors: list[str],
    submitted: str,
    doi: str,
) -> Known:
    title, abstract, comment = (" ".join((text or "").split()) for text in texts)
    names = tuple(" ".join(name.split()) for name in authors)
    return Known(arxiv_id, title, names, abstract, comment or None, submitted, doi)


class _Nearness:
    """Which works look most like one."""

    def __init__(self, works: Sequence[Known]) -> None:
        self._works = works
        self._titles: dict[str, list[int]] = defaultdict(list)
        self._people: dict[str, list[int]] = defaultdict(list)
        for at, work in enumerate(works):
            for word in _words(work):
                self._titles[word].append(at)
            for name in set(work.authors):
                self._people[name].append(at)

    def of(self, work: Known) -> tuple[Known, ...]:
        """Return the nearest others: some of the same people, some with words of its title."""
        by_people = self._nearest(self._people, work.authors)
        by_title = self._nearest(self._titles, _words(work))
        near = dict.fromkeys((*by_people, *by_title))
        return tuple(one for one in near if one.arxiv_id != work.arxiv_id)

    def _nearest(self, places: dict[str, list[int]], keys: Iterable[str]) -> list[Known]:
        weights: Counter[int] = Counter()
        for key in dict.fromkeys(keys):
            for at in places[key] if len(places[key]) < _COMMON else ():
                weights[at] += _COMMON // len(places[key])
        return [self._works[at] for at, _ in weights.most_common(_NEAR + 1)]


def _words(work: Known) -> list[str]:
    return sorted(set(re.findall(r"[^\W\d_]{3,}", work.title.casefold())))
