"""Find who cites whom in PDFs made for it: `python benchmarks/citations.py [--pdfs N]`.

The library holds real titles of PAPERTRACK_CORPUS. Its PDFs have reference lists in five styles, in
one column or two, with ligatures and words that a line end parts. They cite papers of the library,
papers that it lacks, and decoys: titles within longer ones, words that are a short title, another
work of the same title, replies, titles in running text before and behind the references, and the
paper's own title in the head of each page. References that print neither title nor id (Nature's
short form) are not counted. Also measured: what it takes then to know a new paper, a new title, a
new PDF, and that nothing changed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import sys
import tempfile
import textwrap
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pypdf
from limits import exit_code
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject
from pypdf.generic import NumberObject as Number

from papertrack.actions.pdfs import index_pdfs
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.store.citations import read_citations
from papertrack.store.papers import NewPaper, add_new_papers, edit_paper, readings_of
from papertrack.store.store import Store

SHORT = ("Attention", "Scaling Laws", "Memory", "Deep Learning", "World Models")
"""Titles of the library that are also words of other titles."""
CITED, UNKNOWN = 22, 8


class Work(NamedTuple):
    title: str
    authors: tuple[str, ...]
    year: int
    arxiv: str
    doi: str

    @property
    def families(self) -> list[str]:
        return [name.split()[-1] for name in self.authors]

    @property
    def initials(self) -> list[str]:
        return [" ".join(f"{word[0]}." for word in name.split()[:-1]) for name in self.authors]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--papers", type=int, default=10_000)
    parser.add_argument("--pdfs", type=int, default=150)
    options = parser.parse_args()
    corpus = os.environ.get("PAPERTRACK_CORPUS")
    if not corpus:
        print("Not measured: no real titles. PAPERTRACK_CORPUS names the folder that has them.")
        return 0
    rng = random.Random(3)
    works = read_works(Path(corpus), options.papers + 1500, rng)
    known, unknown = works[: options.papers], works[options.papers :]
    short = [work._replace(title=title) for work, title in zip(unknown, SHORT, strict=False)]
    known[: len(short)] = short
    with tempfile.TemporaryDirectory() as folder:
        return measure(known, unknown[len(short) :], options.pdfs, Path(folder), rng)


def read_works(corpus: Path, count: int, rng: random.Random) -> list[Work]:
    """Works with a title of their own and authors whose names a simple font can print."""
    works: dict[str, Work] = {}
    with gzip.open(next((corpus / "ranking").glob("announced*.gz")), "rt") as lines:
        for line in lines:
            one = json.loads(line)
            title, names = " ".join(one["t"].split()), tuple(one["a"][:12])
            if not (title + "".join(names)).isascii() or "$" in title or "\\" in title:
                continue
            if not names or not all(len(name.split()) > 1 for name in names) or len(title) > 180:
                continue
            year, number = 2000 + int(one["id"][:2]), len(works)
            doi = f"10.{rng.randrange(1000, 9999)}/{rng.choice(('tkde', 'j.cell', 's41586'))}"
            works.setdefault(
                title.lower(), Work(title, names, year, one["id"], f"{doi}.{year}.{number:06}")
            )
    some = list(works.values())
    rng.shuffle(some)
    return some[:count]


def ieee(work: Work, number: int, rng: random.Random) -> str:
    names = [f"{i} {f}" for i, f in zip(work.initials, work.families, strict=True)]
    shown = ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]
    if len(names) > 6:
        shown = f"{names[0]} et al."
    where = rng.choice(
        (f"arXiv preprint arXiv:{work.arxiv}", "in Proc. ICML", "IEEE Trans. Comput.")
    )
    return f"[{number}] {shown}, \x93{work.title},\x94 {where}, {work.year}, pp. 12\x9624."


def acm(work: Work, number: int, rng: random.Random) -> str:
    names = ", ".join(work.authors[:-1]) + ", and " * (len(work.authors) > 1) + work.authors[-1]
    doi = f" https://doi.org/{work.doi}" * (rng.random() < 0.5)
    where = rng.choice(("In Proceedings of SOSP.", "ACM Comput. Surv. 55, 3 (2023)."))
    return f"[{number}] {names}. {work.year}. {_closed(work.title)} {where}{doi}"


def apa(work: Work, number: int, rng: random.Random) -> str:
    names = [f"{f}, {i}" for i, f in zip(work.initials, work.families, strict=True)]
    shown = ", ".join(names[:-1]) + ", & " * (len(names) > 1) + names[-1]
    where = rng.choice(("Psychological Review, 12(3), 4-9.", "In Advances in NeurIPS (pp. 3-9)."))
    return f"{shown} ({work.year}). {_closed(work.title)} {where}"


def nature(work: Work, number: int, rng: random.Random) -> str:
    names = f"{work.families[0]}, {work.initials[0]}" + " et al." * (len(work.authors) > 1)
    where = f"Nature {rng.randrange(100, 600)}, 436-444 ({work.year})."
    if rng.random() < 0.5:
        where = f"Preprint at https://arxiv.org/abs/{work.arxiv} ({work.year})."
    return f"{number}. {names} {where}"


def lncs(work: Work, number: int, rng: random.Random) -> str:
    names = ", ".join(f"{f}, {i}" for i, f in zip(work.initials, work.families, strict=True))
    where = rng.choice(("In: ECCV. LNCS, vol. 1, pp. 3-9. Springer", "J. Mach. Learn. Res. 3, 9"))
    return f"{number}. {names}: {_closed(work.title)} {where} ({work.year})"


def _closed(title: str) -> str:
    return title if title[-1] in "?!." else f"{title}."


STYLES = (ieee, acm, apa, nature, lncs)


def decoys(own: Work, known: list[Work], unknown: list[Work], rng: random.Random) -> list[Work]:
    """References to works that the library lacks, and whose words it knows."""
    one, two, three, four, five, six = rng.sample(known[len(SHORT) :], 6)
    other = rng.sample(unknown, 4)
    return [
        one._replace(title=f"{one.title} for Video Generation"),
        other[0]._replace(title=f"Beyond Pixels: {two.title}"),
        two._replace(title=f"Beyond Pixels: {two.title}"),
        three._replace(title=f"{three.title}: A Survey"),
        other[1]._replace(title=four.title),
        five._replace(title=f"Reply to {five.title}"),
        six._replace(title=f"{six.title.rstrip('.')}, Part II"),
        other[2]._replace(title=f"Perception, {SHORT[0]}, and {SHORT[2]}"),
        other[3]._replace(title=f"{SHORT[3]} of {SHORT[4]}"),
        known[0]._replace(title=f"{SHORT[1]} and {SHORT[0]}: {SHORT[2]}"),
        own._replace(title=f"{own.title} (Extended Version)"),
    ]


def make_paper(
    path: Path, own: Work, known: list[Work], unknown: list[Work], style: int, rng: random.Random
) -> tuple[set[str], int]:
    """A PDF of a work; the titles that it cites so that they can be found, and the others."""
    cited = rng.sample(known, CITED)
    if rng.random() < 0.4:
        cited.append(known[rng.randrange(len(SHORT))])
    cited = [work for work in dict.fromkeys(cited) if work != own]
    others = [
        work._replace(arxiv="2599.00001", doi="10.1/x") for work in decoys(own, known, unknown, rng)
    ]
    entries = [*cited, *others, *rng.sample(unknown, UNKNOWN)]
    rng.shuffle(entries)
    write = STYLES[style]
    printed = [write(work, number, rng) for number, work in enumerate(entries, start=1)]
    spoken = rng.sample(known[len(SHORT) :], 6)
    body = [
        f"{work.families[0]} et al. ({work.year}) propose {work.title}, and we follow {work.title}."
        for work in spoken[:3]
    ]
    body += [f"In this paper, {own.title}, we study {SHORT[0].lower()}. It works well. " * 6] * 12
    appendix = [
        f"We use the code of {w.authors[0]}, whose {w.title}. It helps." for w in spoken[3:]
    ]
    if write is nature:
        parts = [*body, *printed]
    else:
        parts = [*body, "", "References", *printed, "", "Appendix A", *appendix]
    typeset(
        path,
        [own.title, ", ".join(own.authors), "", *parts],
        own.title,
        is_two=style % 2 == 0,
        rng=rng,
    )
    has_arxiv = {work: at % 4 != 3 for at, work in enumerate(known)}
    findable = {
        work.title
        for work, text in zip(entries, printed, strict=True)
        if work in cited and (write is not nature or (work.arxiv in text and has_arxiv[work]))
    }
    return findable, len(cited) - len(findable)


def typeset(path: Path, parts: list[str], head: str, *, is_two: bool, rng: random.Random) -> None:
    """Set paragraphs in columns, break words, print ligatures, and a head on each page."""
    lines = [line for part in parts for line in _broken(part, 52 if is_two else 95, rng)]
    writer = pypdf.PdfWriter()
    names = ArrayObject([Number(1), NameObject("/fi"), NameObject("/fl"), Number(145)])
    names += [
        NameObject(f"/{n}") for n in ("quoteleft", "quoteright", "quotedblleft", "quotedblright")
    ]
    names += [Number(150), NameObject("/endash")]
    encoding = DictionaryObject({NameObject("/Differences"): names})
    font = DictionaryObject({NameObject("/Encoding"): encoding})
    for key, value in (("Type", "Font"), ("Subtype", "Type1"), ("BaseFont", "Times-Roman")):
        font[NameObject(f"/{key}")] = NameObject(f"/{value}")
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    a_page = 110 if is_two else 55
    for number, start in enumerate(range(0, len(lines), a_page), start=1):
        page = writer.add_blank_page(600, 800)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        commands = [_shown(60, 770, head), _shown(300, 20, str(number))]
        for at, line in enumerate(lines[start : start + a_page]):
            column, row = divmod(at, 55)
            commands.append(_shown(40 + 270 * column, 740 - 13 * row, line))
        content = DecodedStreamObject()
        content.set_data("\n".join(commands).encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(content)
    path.parent.mkdir(exist_ok=True)
    writer.write(path)


def _broken(text: str, width: int, rng: random.Random) -> list[str]:
    """The lines of a paragraph, some of which end within a word."""
    lines = textwrap.wrap(text, width, break_long_words=True) or [""]
    for at in range(len(lines) - 1):
        first, blank, rest = lines[at + 1].partition(" ")
        if len(first) > 7 and first.isalpha() and first.islower() and rng.random() < 0.6:
            lines[at] += f" {first[:4]}-"
            lines[at + 1] = first[4:] + blank + rest
    return lines


def _shown(x: int, y: int, text: str) -> str:
    text = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    text = text.replace("fi", "\x01").replace("fl", "\x02")
    return f"BT /F1 9 Tf {x} {y} Td ({text}) Tj ET"


def measure(
    known: list[Work], unknown: list[Work], pdfs: int, folder: Path, rng: random.Random
) -> int:
    with Store.create(folder / "papertrack.db", now=lambda: datetime.now(UTC)) as store:
        store.pdf_folders = (folder / "pdfs",)
        with store.action("import"):
            ids = add_new_papers(store, list(map(as_paper, known, range(len(known)))), source="t")
        number_of = {work.title: paper_id for work, paper_id in zip(known, ids, strict=True)}
        truth, hidden = set[tuple[int, int]](), 0
        style_of = {}
        for at, own in enumerate(known[len(SHORT) : len(SHORT) + pdfs]):
            path = folder / "pdfs" / f"p{at + len(SHORT)}.pdf"
            titles, lost = make_paper(path, own, known, unknown, at % len(STYLES), rng)
            style_of[number_of[own.title]] = STYLES[at % len(STYLES)].__name__
            truth |= {(number_of[own.title], number_of[title]) for title in titles}
            hidden += lost
        report = index_pdfs(store)
        print(f"{report.pdfs} PDFs, {report.pages} pages, {len(known)} papers")
        begun = time.process_time()
        found = set(map(tuple, read_citations(store)))
        first = time.process_time() - begun
        print(f"{first:.2f} s of processor time to compare all of them")
        seconds = steps(store, known, unknown, folder, rng)
    for style in STYLES:
        of = [pair for pair in truth if style_of[pair[0]] == style.__name__]
        print(f"  {style.__name__}: {sum(pair in found for pair in of)} of {len(of)} found")
    titles = {paper_id: title for title, paper_id in number_of.items()}
    for citing, cited in sorted(found - truth)[:10]:
        print(f"  false ({style_of.get(citing)}): {titles[cited]!r}")
    for citing, cited in sorted(truth - found)[:10]:
        print(f"  missing ({style_of[citing]}): {titles[cited]!r}")
    precision, recall = (len(found & truth) / len(one) for one in (found, truth))
    print(f"precision {precision:.3f}, recall {recall:.3f} of {len(truth)}; {hidden} unnamed")
    return exit_code(
        ("wrong citations, %", 100 * (1 - precision), 2),
        ("missing citations, %", 100 * (1 - recall), 20),
        *((f"seconds, {what}", cost, 0.2) for what, cost in seconds.items()),
    )


def as_paper(work: Work, at: int) -> NewPaper:
    """A paper as libraries have them: some without authors, DOI or year."""
    identifiers = [Identifier("arxiv", work.arxiv)] if at % 4 != 3 else []
    identifiers += [Identifier("doi", work.doi)] if at % 3 == 0 else []
    authors = work.authors if at % 10 or at < len(SHORT) else ()
    facts = PaperFacts(
        title=work.title,
        identifiers=tuple(identifiers),
        authors=tuple(map(Author, authors)),
        year=work.year if at % 2 or at < len(SHORT) else None,
    )
    return NewPaper(facts, f"p{at}", readings=readings_of(at % 4))


def steps(
    store: Store, known: list[Work], unknown: list[Work], folder: Path, rng: random.Random
) -> dict[str, float]:
    """Seconds until a paper's citations are known again after each kind of change."""
    seconds = {}

    def clock(what: str) -> None:
        begun = time.process_time()
        read_citations(store, [77])
        seconds[what] = time.process_time() - begun
        print(f"{1000 * seconds[what]:.0f} ms: {what}")

    clock("nothing changed")
    with store.action("add"):
        add_new_papers(store, [as_paper(unknown[-1], 100_001)], source="t")
    clock("a new paper")
    with store.action("edit"):
        edit_paper(store, 77, "title", unknown[-2].title)
    clock("a new title")
    store.undo()
    clock("its old title")
    path = folder / "pdfs" / "p7000.pdf"
    make_paper(path, known[7000 % len(known)], known, unknown, 0, rng)
    index_pdfs(store)
    clock("a new PDF")
    path.unlink()
    return seconds


if __name__ == "__main__":
    sys.exit(main())
