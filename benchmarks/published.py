"""`papertrack published` over arXiv papers with known published DOIs, beside a matcher's answers.

The papers are 1,000 of COMET's sample (the folder `venues` of the corpus that PAPERTRACK_CORPUS
names): their DataCite records say what arXiv says, and which DOI was published. With --unseen they
are others, to which nothing was tuned, drawn by a seed: see `published_papers.py:read_unseen`; the
works that look most like them stand beside them, and it is theirs that the wrong DOIs are.

What the services answer is built from that, as services write it: other capitals, initials, no
accents, no TeX, a tenth with another title. Half have no abstract at Crossref; who links arXiv ids
has arXiv's, and of half of the works that are not linked somebody has one apart from the preprint.
Between them stand records of other works: errata, second parts, other people's works of one title,
the same people's of nearly one title and abstract, copies on preprint servers, and one in thirty
records of Semantic Scholar has the DOI of another paper.

Three runs: services link arXiv ids; arXiv has the authors' DOI, one in fifty of another paper;
nothing but titles can be searched, as COMET does. Nobody names the papers; those from before 2016
are told apart. Printed are how many of those that the services hold were proposed (at least 95 %)
and how many proposals are right (at least 99.8 %), each wrong and each missed one with the locks
that refused it, and COMET's on the same papers. What nobody could confirm is no part of what the
services hold, and counted apart: works under another title of which nobody has an abstract, and
papers with the DOI of another one, which are found by luck alone. The run fails when one is under
its limit.
Run by hand: PAPERTRACK_CORPUS=… python benchmarks/published.py [NUMBER] [--unseen SEED]
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from limits import exit_code  # noqa: E402
from published_papers import Known, read_known, read_unseen  # noqa: E402

from papertrack.actions.online.network import open_door  # noqa: E402
from papertrack.actions.online.published import (  # noqa: E402
    LookupRun,
    PublicationCase,
    select,
)
from papertrack.latex.display import readable  # noqa: E402
from papertrack.library import create_library  # noqa: E402
from papertrack.library.settings import Arxiv, Sources  # noqa: E402
from papertrack.matching.venues import is_conference  # noqa: E402
from papertrack.records import Author, Identifier, PaperFacts  # noqa: E402
from papertrack.store.papers import add_papers  # noqa: E402
from papertrack.store.store import Store  # noqa: E402
from papertrack.text import to_ascii  # noqa: E402
from tests.fake_arxiv import FakeArxiv, Work  # noqa: E402
from tests.fake_arxiv.records import Shelf  # noqa: E402
from tests.published.services import Publication, Services  # noqa: E402

MOST_MISSED = 0.05
MOST_WRONG = 0.002
LINKING = ("semantic_scholar", "openalex")
OTHERS = ("Ada Quent", "Bela Ostrow", "Chiara Nemec")


@dataclass
class Scene:
    """What there is to find, and what is known of each paper that speaks against finding it."""

    works: list[Publication] = field(default_factory=list)
    dois: dict[str, str] = field(default_factory=dict)
    """Those that arXiv has, by its ids."""
    misled: set[str] = field(default_factory=set)
    """The papers with the DOI of another one."""
    unconfirmed: set[str] = field(default_factory=set)
    """Those that came out under another title, and nobody has an abstract."""

    def held(self, papers: list[Known]) -> list[Known]:
        """The papers of which the services hold what it takes to be sure."""
        return [one for one in papers if one.arxiv_id not in self.misled | self.unconfirmed]


def published(
    known: Known, chance: random.Random, known_to: frozenset[str]
) -> tuple[Publication, bool]:
    """Its publication as services write it, and whether that is under another title."""
    title, names = known.title, known.authors
    if chance.random() < 0.6:
        title = readable(title)
    if chance.random() < 0.05:
        title = title.upper()
    has_abstract = chance.random() < 0.5
    own = title
    if chance.random() < 0.1:
        title = retitled(title)
    way = chance.random()
    if way < 0.3:
        names = tuple(map(initials, names))
    elif way < 0.5:
        names = tuple(to_ascii(name).title() or name for name in names)
    work = Publication(
        title,
        names,
        f"{kind_of(known)} of {known.doi.partition('/')[0]}",
        year_of(known) or int(known.submitted[:4]) + chance.choice((0, 0, 1, 1, 2)),
        known.doi,
        known.arxiv_id,
        known_to=known_to,
        abstract=gone_over(known) if has_abstract else None,
        preprints_abstract=known.abstract,
    )
    return work, title != own


def kind_of(known: Known) -> str:
    """The kind of venue that its authors speak of."""
    comment = known.comment or ""
    if "workshop" in comment.casefold():
        return "Workshop"
    return "Conference" if is_conference(comment) else "Journal"


def year_of(known: Known) -> int | None:
    """The year that its authors say, if it may be one of a publication."""
    first = int(known.submitted[:4])
    years = [int(year) for year in re.findall(r"\b(?:19|20)[0-9]{2}\b", known.comment or "")]
    return next((year for year in years if first <= year <= first + 3), None)


def gone_over(known: Known) -> str:
    """Its abstract as a publisher has it: as it is, without TeX, or with a sentence less."""
    way = random.Random(known.doi).randrange(3)
    abstract = readable(known.abstract) if way else known.abstract
    sentences = abstract.split(". ")
    return ". ".join(sentences[:-1]) if way == 2 and len(sentences) > 3 else abstract


def retitled(title: str) -> str:
    words = title.split()
    return " ".join(["On", *words[1:-1]]) if len(words) > 4 else title


def initials(name: str) -> str:
    *given, family = name.split() or [""]
    if "Collaboration" in name or name.casefold() == "et al":
        return name
    return " ".join([*(f"{one[0]}." for one in given), family])


def others(work: Publication, number: int, chance: random.Random) -> Iterator[Publication]:
    """Works that are not this one, and look like it."""
    made = replace(work, arxiv_id=None, abstract=None, known_to=frozenset({"crossref"}))
    way = chance.randrange(4)
    if way == 0:
        yield replace(made, title=f"Erratum: {work.title}", doi=f"10.5555/erratum.{number}")
    elif way == 1:
        yield replace(made, title=f"{work.title}. Part II", doi=f"10.5555/part.{number}")
    elif way == 2:
        yield replace(made, authors=OTHERS, doi=f"10.5555/others.{number}")
    else:
        kind = "posted-content"
        yield replace(made, kind=kind, venue="", doi=f"10.5555/copy.{number}")


def shelf_of(papers: list[Known], dois: dict[str, str]) -> Shelf:
    works = {
        one.arxiv_id: Work(
            one.arxiv_id,
            one.title,
            tuple((name, None) for name in one.authors),
            one.abstract or "Nothing.",
            ("cs.LG",),
            (one.submitted,),
            comment=one.comment,
            doi=dois.get(one.arxiv_id),
        )
        for one in papers
    }
    return Shelf(works)


def scene(way: str, papers: list[Known]) -> Scene:
    """What the services hold of these papers in one of the three runs."""
    chance, apart = random.Random(18), random.Random(19)
    made = Scene(works=list(near_works(papers)))
    for number, one in enumerate(papers):
        linking = chance.choice(LINKING) if way == "linked" else None
        places = frozenset({"crossref", linking} if linking else {"crossref"})
        work, is_other_title = published(one, chance, places)
        made.works += [work, *others(work, number, chance)]
        if way == "linked" and number % 30 == 7:
            # Semantic Scholar took two works for one.
            mixed = replace(work, doi=look_alike(papers, number))
            made.works[-2] = replace(work, known_to=frozenset({"crossref", "openalex"}))
            made.works.append(replace(mixed, known_to=frozenset({"semantic_scholar"})))
        has_abstract = bool(work.abstract or linking)
        if way == "DOI at arXiv":
            is_misled = number % 50 == 9
            made.dois[one.arxiv_id] = look_alike(papers, number) if is_misled else one.doi
            made.misled |= {one.arxiv_id} if is_misled else set()
            if apart.random() < 0.5:
                has_abstract = True
                made.works.append(known_apart(work, one, apart.choice(LINKING)))
        if number % 5 == 0:
            made.works += in_one_mould(work, one, number)
        if is_other_title and not has_abstract:
            made.unconfirmed.add(one.arxiv_id)
    return made


def look_alike(papers: list[Known], number: int) -> str:
    """The DOI of another work, for which this one is mistaken: that which looks most like it."""
    near = papers[number].near
    return near[0].doi if near else papers[number - 1].doi


def near_works(papers: list[Known]) -> Iterator[Publication]:
    """The works that look most like these papers, published as well."""
    chance, seen = random.Random(20), {one.doi for one in papers}
    for other in (near for one in papers for near in one.near):
        if other.doi not in seen:
            seen.add(other.doi)
            yield replace(published(other, chance, frozenset({"crossref"}))[0], arxiv_id=None)


def known_apart(work: Publication, known: Known, service: str) -> Publication:
    """The record of a work that a service does not know to be the preprint's."""
    told = replace(work, arxiv_id=None, abstract=gone_over(known))
    return replace(told, known_to=frozenset({service}))


def in_one_mould(work: Publication, known: Known, number: int) -> Iterator[Publication]:
    """The same people's other work: what is exchanged in the title is so in the abstract."""
    words = [one for one in known.title.split() if one.isalpha() and one in known.abstract]
    if word := max(words, key=len, default=""):
        yield replace(
            work,
            title=known.title.replace(word, "gossamer"),
            abstract=known.abstract.replace(word, "gossamer"),
            arxiv_id=None,
            doi=f"10.5555/mould.{number}",
            known_to=frozenset({"crossref"}),
        )


def run(way: str, papers: list[Known], made: Scene) -> dict[str, PublicationCase]:
    """What is found of each paper, by arXiv id."""
    with (
        tempfile.TemporaryDirectory() as folder,
        FakeArxiv(shelf_of(papers, made.dois)) as arxiv,
        Services(made.works) as services,
    ):
        library = create_library(Path(folder) / "library")[0]
        now = datetime(2026, 11, 22, tzinfo=UTC)
        with Store.create(library.database, now=lambda: now) as store:
            facts = [
                PaperFacts(
                    title=one.title,
                    identifiers=(Identifier("arxiv", one.arxiv_id),),
                    authors=tuple(map(Author, one.authors)),
                    abstract=one.abstract,
                    submitted=one.submitted,
                    comment=one.comment,
                    version=1,
                )
                for one in papers
            ]
            with store.action("add"):
                add_papers(store, facts, source="arxiv-api", decision="saved")
            settings = Arxiv(**arxiv.urls, interval_seconds=0)
            asked = Sources(**services.urls, openalex_key="k")
            door = open_door(library, settings, clock=lambda: now, services=asked)
            looking = LookupRun(store, door, search=way == "titles")
            found = list(looking.look(select(store, ())))
    return {one.arxiv_id or "": one for one in found}


def judge(
    way: str, papers: list[Known], made: Scene, found: dict[str, PublicationCase]
) -> dict[str, float]:
    proposals = {
        one.arxiv_id: proposal
        for one in papers
        if (looked := found.get(one.arxiv_id)) and (proposal := looked.proposal)
        if proposal.evidence != "comment"
    }
    right = {
        one.arxiv_id
        for one in papers
        if one.arxiv_id in proposals and (proposals[one.arxiv_id].doi or "").lower() == one.doi
    }
    held = made.held(papers)
    missed = [one for one in held if one.arxiv_id not in right]
    is_found = 1 - len(missed) / len(held)
    is_right = len(right) / len(proposals) if proposals else 0.0
    print(
        f"{way:13} {len(held)} held, {len(held) - len(missed)} of them rightly proposed: "
        f"{is_found:.1%}; of all {len(proposals)} proposals {len(right)} right: {is_right:.2%}"
    )
    old = {one.arxiv_id for one in held if one.submitted < "2016"}
    unasked = sum(one.state == "not asked" for one in found.values())
    print(
        f"  of {len(old)} from before 2016 {len(old & right)} rightly proposed; {unasked} not asked"
    )
    for kind, those in (
        ("under another title, and nobody has an abstract", made.unconfirmed - made.misled),
        ("with the DOI of another paper at arXiv", made.misled),
    ):
        if those:
            print(f"  not held: {len(those)} {kind}; {len(those & right)} rightly proposed")
    for one in papers:
        if one.arxiv_id in proposals.keys() - right:
            wrong = proposals[one.arxiv_id]
            print("  wrong:", one.arxiv_id, one.title, one.doi, wrong.doi, wrong.evidence)
    for one in missed:
        doubts = found[one.arxiv_id].doubts if one.arxiv_id in found else ()
        reasons = {doubt.doi: doubt.reasons for doubt in doubts}.get(one.doi, ("not heard of",))
        print("  missed:", one.arxiv_id, f"{one.title}:", "; ".join(reasons))
    return {"found": is_found, "right": is_right}


def comet(folder: Path, papers: list[Known]) -> None:
    known = {f"10.48550/arxiv.{one.arxiv_id}".lower(): one.doi for one in papers}
    with (folder / "comet_result_1.csv").open(encoding="utf-8") as file:
        told = {
            row["input_doi"].lower(): row["matched_doi"].lower()
            for row in csv.DictReader(file)
            if row["matched_doi"]
        }
    answers = {one: doi for one, doi in told.items() if one in known}
    right = sum(known[one] == doi for one, doi in answers.items())
    print(
        f"COMET         {len(known)} held, {len(answers)} proposed, {right} right: "
        f"{right / len(known):.1%} of what is held, {right / len(answers):.2%} of the proposals "
        "(over all of Crossref)"
    )


def main() -> int:
    corpus = os.environ.get("PAPERTRACK_CORPUS")
    if not corpus:
        sys.exit("PAPERTRACK_CORPUS is not set: there are no papers to look for.")
    wanted = argparse.ArgumentParser(allow_abbrev=False)
    wanted.add_argument("number", type=int, nargs="?", default=1_000)
    wanted.add_argument("--unseen", type=int, metavar="SEED")
    told = wanted.parse_args()
    folder = Path(corpus) / "venues"
    if told.unseen is None:
        papers = list(read_known(folder))[: told.number]
    else:
        papers = read_unseen(Path(corpus), told.number, told.unseen)
    limits = []
    for way in ("linked", "DOI at arXiv", "titles"):
        made = scene(way, papers)
        shares = judge(way, papers, made, run(way, papers, made))
        limits.append((f"{way}: the share of wrong proposals", 1 - shares["right"], MOST_WRONG))
        limits.append((f"{way}: the share not found", 1 - shares["found"], MOST_MISSED))
    if told.unseen is None:
        comet(folder, papers)
    return exit_code(*limits)


if __name__ == "__main__":
    sys.exit(main())
