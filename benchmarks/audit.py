"""`papertrack audit` over the .bib files of a corpus: true entries doubted, false ones found.

The files are those of the folder `bib` in the corpus that PAPERTRACK_CORPUS names. What sources
say is made of the entries, as sources write it (initials, no accents, families first, DBLP's
numbers, HTML, other capitals, two years), with the works of the corpus that look most like each
beside it. Then 600 entries are made false in ten ways: invented works, titles of one work with the
authors of another, another year, first author or DOI, one word of the title swapped, an author
added, left out or in another place, another given name with the same initial. Printed are the share
of true entries doubted (at most 0.5 %) and that of the false ones found with the field that is
wrong (at least 97 %), and each case of both.
Run by hand: PAPERTRACK_CORPUS=… python benchmarks/audit.py
"""

from __future__ import annotations

import os
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from limits import exit_code  # noqa: E402

from papertrack.actions.online.audit import references_in  # noqa: E402
from papertrack.matching.audit import Finding, Verdict, audit  # noqa: E402
from papertrack.matching.publications import Record  # noqa: E402
from papertrack.records import Author, Identifier, PaperFacts  # noqa: E402
from papertrack.text import fold, to_ascii  # noqa: E402

FALSE = 600
MOST_DOUBTED = 0.005
MOST_MISSED = 0.03
KINDS = (
    *("invented", "chimera", "year", "first author", "doi", "word", "added author"),
    *("missing author", "reordered", "given name"),
)
OTHERS = ("others", "et al.")


def told(facts: PaperFacts, chance: random.Random) -> Record:
    """What a source says of a true entry."""
    names = [one.name for one in facts.authors]
    way = chance.random()
    if way < 0.3:
        names = [re.sub(r"\b(\w)\w+ ", r"\1. ", name) for name in names]
    elif way < 0.5:
        names = [to_ascii(name).title() or name for name in names]
    elif way < 0.6:
        names = [f"{name} 0001" if " " in name else name for name in names]
    elif way < 0.7:
        names = [re.sub(r"^([A-Z]\w+) ([A-Z]\w+)$", r"\2 \1", name) for name in names]
    title = facts.title or ""
    if 0.5 < way < 0.6:
        title = re.sub(r"(\w)$", r"<i>\1</i>", title.replace("&", "&amp;"))
    if chance.random() < 0.1:
        title = title.title()
    authors = tuple(
        Author(name, family=one.family)
        for name, one in zip(names, facts.authors, strict=True)
        if one.name not in OTHERS
    )
    years = frozenset({facts.year, facts.year + 1} if facts.year else ())
    said = facts._replace(title=title, authors=authors, abstract=None, version=None)
    return Record("crossref", said, frozenset({"registry"}), years)


class Corpus:
    """All true entries, and which of them look alike."""

    def __init__(self, entries: Sequence[PaperFacts], chance: random.Random) -> None:
        self.records = [told(facts, chance) for facts in entries]
        self._of_word: dict[str, set[int]] = defaultdict(set)
        for number, facts in enumerate(entries):
            for word in words_of(facts):
                self._of_word[word].add(number)

    def found(self, facts: PaperFacts, own: int | None = None) -> list[Record]:
        """What a search for it finds, and what its identifiers name."""
        scores: Counter[int] = Counter()
        for word in words_of(facts):
            owners = self._of_word.get(word, set())
            if len(owners) < 200:
                scores.update(owners)
        numbers = [number for number, _ in scores.most_common(8)]
        if own is not None and own not in numbers:
            numbers.append(own)
        return [self.records[number] for number in numbers]


def words_of(facts: PaperFacts) -> set[str]:
    return {word for word in re.findall(r"\w+", fold(facts.title or "")) if len(word) > 3}


def made_false(
    kind: str, facts: PaperFacts, others: Sequence[PaperFacts], chance: random.Random
) -> PaperFacts:
    """The entry with something in it that is not true."""
    other = chance.choice([one for one in others if one.authors and one.title != facts.title])
    if kind == "invented":
        words = (facts.title or "").split()[:3] + (other.title or "").split()[-4:]
        names = [Author(f"{chance.choice('ABCDEFG')}. {name}") for name in ("Quent", "Ostrow")]
        return facts._replace(title=" ".join(words), authors=tuple(names), identifiers=())
    if kind == "chimera":
        return facts._replace(authors=other.authors)
    if kind == "year":
        return facts._replace(year=(facts.year or 2000) + chance.choice((-4, -3, 3, 5)))
    if kind == "first author":
        return facts._replace(authors=(Author("Zebulon Quent"), *facts.authors[1:]))
    authors = [one for one in facts.authors if one.name not in OTHERS]
    if kind == "word":
        words = (facts.title or "").split()
        place = max(range(len(words)), key=lambda at: len(words[at]))
        words[place] = max((other.title or "").split(), key=len)
        return facts._replace(title=" ".join(words))
    if kind == "added author":
        authors.insert(chance.randint(1, len(authors)), Author("Zebulon Quent"))
        return facts._replace(authors=tuple(authors))
    if kind == "missing author":
        del authors[chance.randrange(len(authors))]
        return facts._replace(authors=tuple(authors))
    if kind == "reordered":
        place = chance.randrange(1, len(authors))
        authors[place - 1], authors[place] = authors[place], authors[place - 1]
        return facts._replace(authors=tuple(authors))
    if kind == "given name":
        place = chance.choice([at for at, one in enumerate(authors) if is_in_full(one)])
        name = authors[place].name
        authors[place] = Author(f"{name[0]}zqvk {name.split()[-1]}")
        return facts._replace(authors=tuple(authors))
    dois = [one for one in others if one.identifier("doi") and one.title != facts.title]
    doi = chance.choice(dois).identifier("doi") or ""
    kept = [one for one in facts.identifiers if one.scheme != "doi"]
    return facts._replace(identifiers=(*kept, Identifier("doi", doi)))


FIELDS = {"year": "year", "doi": "doi", "word": "title"}


def is_in_full(author: Author) -> bool:
    return re.fullmatch(r"[A-Z][a-z]{2,} [A-Z][a-z]+", author.name) is not None


def may_be_made(kind: str, facts: PaperFacts, record: Record) -> bool:
    """Whether an entry has what is made false in this way, and the source has it too."""
    if kind == "word":
        return len((facts.title or "").split()) > 3
    if kind == "given name":
        pairs = zip(facts.authors, record.facts.authors, strict=False)
        return all(is_in_full(one) and one == other for one, other in pairs)
    is_whole = not {one.name for one in facts.authors} & {*OTHERS}
    is_long = len({one.name.split()[-1] for one in facts.authors}) == len(facts.authors) > 1
    return kind not in KINDS[6:9] or (is_whole and is_long)


def is_found(kind: str, verdict: Verdict) -> bool:
    fields = {one.field for one in verdict.differences}
    if kind == "invented":
        return verdict.finding is Finding.UNKNOWN or "title" in fields or "author" in fields
    if kind == "word" and verdict.finding is Finding.UNKNOWN:
        return True
    return FIELDS.get(kind, "author") in fields


def main() -> int:
    corpus_folder = os.environ.get("PAPERTRACK_CORPUS")
    if not corpus_folder:
        sys.exit("PAPERTRACK_CORPUS is not set: there are no files to audit.")
    chance = random.Random(18)
    files = sorted((Path(corpus_folder) / "bib").glob("*.bib"))
    entries = [one for file in files for one in references_in(file)]
    facts = [one.facts for one in entries if one.facts.title]
    corpus = Corpus(facts, chance)
    doubted = 0
    for number, one in enumerate(facts):
        verdict = audit(one, corpus.found(one, number), is_complete=True)
        if verdict.finding not in (Finding.SOUND, Finding.UNCHECKED):
            doubted += 1
            print("  doubted:", shown(one, verdict))
    print(f"{len(facts)} true entries, {doubted} doubted: {doubted / len(facts):.2%}")
    missed = missed_of(corpus, facts, chance)
    print(f"{FALSE} false entries, {FALSE - missed} found: {1 - missed / FALSE:.1%}")
    return exit_code(
        ("the share of true entries doubted", doubted / len(facts), MOST_DOUBTED),
        ("the share of false entries missed", missed / FALSE, MOST_MISSED),
    )


def missed_of(corpus: Corpus, facts: Sequence[PaperFacts], chance: random.Random) -> int:
    whole = [
        (number, one)
        for number, one in enumerate(facts)
        if one.authors and one.year and one.published_type in ("article", "inproceedings")
    ]
    by_doi = {one.facts.identifier("doi"): one for one in corpus.records}
    missed = 0
    for number in range(FALSE):
        kind = KINDS[number % len(KINDS)]
        own, true = chance.choice(
            [one for one in whole if may_be_made(kind, one[1], corpus.records[one[0]])]
        )
        false = made_false(kind, true, facts, chance)
        records = corpus.found(false, None if kind == "invented" else own)
        if (owner := by_doi.get(false.identifier("doi") or "-")) and owner not in records:
            records.append(owner)
        verdict = audit(false, records, is_complete=True)
        if not is_found(kind, verdict):
            missed += 1
            print(f"  missed ({kind}):", shown(false, verdict))
    return missed


def shown(facts: PaperFacts, verdict: Verdict) -> str:
    told_ = "; ".join(f"{one.field}: {one.said} → {one.true}" for one in verdict.differences)
    return f"{(facts.title or '')[:60]} | {verdict.finding} | {told_[:200]}"


if __name__ == "__main__":
    sys.exit(main())
