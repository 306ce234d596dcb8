"""What the fake arXiv knows: works written for it, works made from an id, or a corpus."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LICENCE = "http://creativecommons.org/licenses/by/4.0/"


@dataclass(frozen=True)
class Work:
    """One paper as arXiv holds it."""

    arxiv_id: str
    title: str
    authors: tuple[tuple[str, str | None], ...]
    """Names with an affiliation or None."""
    abstract: str
    categories: tuple[str, ...]
    versions: tuple[str, ...]
    """Submission times, version 1 first: ``2024-01-05T18:00:00Z``."""
    comment: str | None = None
    journal_ref: str | None = None
    doi: str | None = None
    licence: str = LICENCE
    title_tex: str | None = None
    """As OAI and the feeds print it, where that differs."""
    authors_tex: str | None = None

    @property
    def version(self) -> int:
        return len(self.versions)

    @property
    def author_line(self) -> str:
        if self.authors_tex:
            return self.authors_tex
        return ", ".join(f"{name} ({where})" if where else name for name, where in self.authors)


_NOUNS = ("lattices", "transformers", "caches", "proofs", "graphs", "drones", "markets", "galaxies")
_VERBS = ("Scheduling", "Pruning", "Verifying", "Folding", "Serving", "Charting", "Routing")
_WAYS = ("under pressure", "at rest", "by lottery", "in the dark", "without a map", "twice over")
_FIRST = ("Ada", "Bela", "Chiara", "Dmitri", "Eun-ji", "Farid", "Grażyna", "Hiro", "Ines", "João")
_LAST = ("Abara", "Bergström", "Castellano", "Dvořák", "Eze", "Fujimori", "Gül", "Haddad", "Ito")
_CATEGORIES = ("cs.LG", "cs.CL", "cs.DC", "stat.ML", "math.CO", "hep-th", "cs.AI")


def synthesise(arxiv_id: str) -> Work | None:
    """The work with this id, always the same one; None for a number that ends in 999."""
    if arxiv_id.endswith("999"):
        return None
    seed = hashlib.sha256(arxiv_id.encode()).digest()
    month = re.search(r"([0-9]{2})([0-9]{2})(?:\.|[0-9]{3}$)", arxiv_id)
    assert month, arxiv_id
    century = "19" if int(month[1]) > 90 else "20"
    day = seed[0] % 27 + 1
    first = f"{century}{month[1]}-{month[2]}-{day:02}T{seed[1] % 24:02}:{seed[2] % 60:02}:07Z"
    primary = arxiv_id.split("/")[0] if "/" in arxiv_id else _CATEGORIES[seed[3] % 7]
    other = _CATEGORIES[seed[4] % 7]
    verb, noun = _VERBS[seed[5] % 7], _NOUNS[seed[6] % 8]
    return Work(
        arxiv_id=arxiv_id,
        title=f"{verb} {noun} {_WAYS[seed[7] % 6]} ({seed[8:10].hex()})",
        authors=tuple(
            (f"{_FIRST[seed[10 + i] % 10]} {_LAST[seed[20 + i] % 9]}", None)
            for i in range(seed[9] % 4 + 1)
        ),
        abstract=f"We look at {noun} and find that {verb.lower()} them helps on {seed[11]} tasks.",
        categories=(primary,) if other == primary else (primary, other),
        versions=(first,) * (seed[12] % 3 + 1),
        comment=f"{seed[13] % 30 + 4} pages",
    )


def _made_up() -> Iterator[Work]:
    yield Work(
        "2401.00007",
        "Café semantics: a Gödel–Erdős reading of naïve planners",
        (("Zoë Čapek", None), ("Łukasz Ångström", "Université de Genève")),
        "We revisit $O(n \\log n)$ planners.\n  A second paragraph asks why naïve ones win.",
        ("cs.AI", "cs.LO"),
        ("2024-01-01T09:00:00Z", "2024-03-04T10:30:00Z"),
        comment="Accepted at ICLR 2024. Code: https://github.com/example-lab/cafe-semantics",
        title_tex='Caf\\\'e semantics: a G\\"odel–Erd\\H{o}s reading of na\\"{\\i}ve planners',
        authors_tex='Zo\\"e \\v{C}apek, {\\L}ukasz {\\AA}ngstr\\"om (Universit\\\'e de Gen\\`eve)',
    )
    yield Work(
        "2402.00011",
        "Bounds for $a<b$ & $c>d$ when $\\alpha_{i} \\ll 1$ <in brackets>",
        (("Priya R. O'Neil", None),),
        "We show $a<b$ and $x & y$ hold <b>exactly</b> when $\\alpha_i \\ll 1$; 5 % of cases fail.",
        ("math.CO", "math.PR"),
        ("2024-02-02T12:00:00Z",),
        doi="10.1234/example.2024.17",
        journal_ref="J. Ex. Math. 12 (2024) 34-56",
    )
    yield Work(
        "2403.00013",
        "大规模语言模型的推测解码: 推测デコーディングと추측 디코딩",
        (("王小明", None), ("佐藤 花子", "東京大学"), ("김민수", None)),
        "本文研究推测解码。",
        ("cs.CL",),
        ("2024-03-03T01:02:03Z",),
    )
    yield Work(
        "2404.00017",
        "Results of a very large collaboration",
        (
            ("The Example Collaboration", None),
            *((f"Author{i} Number{i}", None) for i in range(2999)),
        ),
        "Everybody measured something.",
        ("hep-ex",),
        ("2024-04-04T04:04:04Z",),
        comment="3,000 authors",
    )
    yield Work(
        "2405.00019",
        "A theorem that did not survive",
        (("Ola Nordmann", None),),
        "We claimed a bound.",
        ("math.NT",),
        ("2024-05-05T05:05:05Z", "2024-06-06T06:06:06Z"),
        comment="This paper has been withdrawn by the author due to an error in Lemma 2",
    )
    yield Work(
        "2406.00023",
        "The tenth version of a living survey",
        (("Ever Green", None),),
        "We keep adding. See https://example-lab.github.io/survey for the list.",
        ("cs.LG", "stat.ML"),
        tuple(f"2024-{month:02}-10T00:00:00Z" for month in range(1, 11)),
    )
    yield Work(
        "hep-th/9901001",
        "Strings before the century turned",
        (("A. B. Cde", None),),
        "An old identifier.",
        ("hep-th",),
        ("1999-01-01T10:00:00Z",),
        licence="",
    )
    yield Work(
        "2407.00029",
        "A long abstract",
        (("Wordy Writer", None),),
        "word " * 400_000,
        ("cs.DL",),
        ("2024-07-07T07:07:07Z",),
    )
    yield Work(
        "2408.00031",
        "Speculative decoding with a draft model on a self-supervised budget",
        (("Tri Example", None), ("Noam Sample", None)),
        "A draft model proposes, a large one accepts. Weights: https://huggingface.co/example/draft",
        ("cs.LG", "cs.CL"),
        ("2024-08-08T08:08:08Z",),
        comment="12 pages, 3 figures; to appear in NeurIPS 2024",
    )
    for number in range(101, 131):
        work = synthesise(f"2409.{number:05}")
        assert work
        yield work


@dataclass
class Shelf:
    """All works that the server can serve: known ones, then any id it is asked for."""

    known: dict[str, Work] = field(default_factory=lambda: {w.arxiv_id: w for w in _made_up()})
    absent: set[str] = field(default_factory=set)
    """Ids that arXiv does not know."""

    def find(self, arxiv_id: str) -> Work | None:
        if arxiv_id in self.absent:
            return None
        return self.known.get(arxiv_id) or synthesise(arxiv_id)

    def put(self, work: Work) -> None:
        """Add a work, or let a known one change (a new version, a withdrawal)."""
        self.known[work.arxiv_id] = work


def corpus_shelf(folder: Path) -> Shelf:
    """A shelf of the real records in ``folder``/arxiv-metadata."""
    shelf = Shelf()
    metadata = folder / "arxiv-metadata"
    with gzip.open(metadata / "records-2025.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    with (metadata / "records-sample.jsonl").open(encoding="utf-8") as lines:
        records += [json.loads(line) for line in lines]
    for record in records:
        work = synthesise(record["id"])
        if not work or not record.get("authors"):
            continue
        published = _full_date(record.get("published")) or work.versions[0]
        updated = _full_date(record.get("updated")) or published
        versions = int(record.get("versions") or 1)
        shelf.put(
            Work(
                record["id"],
                record["title"],
                tuple((name, None) for name in record["authors"]),
                record["abstract"] or "",
                tuple(record["categories"]) or work.categories,
                (published, *[updated] * (versions - 1)),
                comment=record.get("comment"),
                journal_ref=record.get("journal_ref"),
                doi=record.get("doi"),
            )
        )
    return shelf


def _full_date(text: str | None) -> str | None:
    """Some of the corpus's collections know the year only."""
    return text if text and len(text) >= 10 else None
