"""Pairs of a preprint and a record of another work, each with why it is another one.

The traps are those that matchers fell into: see each function. All are put as strongly as they
come: linked by a source, as the DOI that arXiv has, or with nothing but title and authors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from papertrack.matching.publications import Claim, Evidence, Record
from papertrack.records import Author, Identifier, PaperFacts


class Base(NamedTuple):
    title: str
    authors: str
    year: int
    venue: str
    type: str = "article"


BASES = (
    Base("Off-diagonal Ramsey numbers", "Domagoj Bradač", 2023, "Combinatorica"),
    Base(
        "Hodge theory of degenerations, I: consequences of the decomposition theorem",
        "Matt Kerr; Radu Laza; Morihiko Saito",
        2019,
        "Selecta Mathematica",
    ),
    Base(
        "Efficient Memory Management for Large Language Model Serving with PagedAttention",
        "Woosuk Kwon; Zhuohan Li; Siyuan Zhuang; Ying Sheng; Lianmin Zheng; Cody Hao Yu",
        2023,
        "Symposium on Operating Systems Principles",
        "inproceedings",
    ),
    Base(
        "Fast Inference from Transformers via Speculative Decoding",
        "Yaniv Leviathan; Matan Kalman; Yossi Matias",
        2023,
        "International Conference on Machine Learning",
        "inproceedings",
    ),
    Base(
        "Visualizing data using parametric embeddings of neighbours",
        "Laurens van der Maaten; Geoffrey Hinton",
        2010,
        "Journal of Machine Learning Research",
    ),
    Base(
        "The one-loop pentagon to higher orders in epsilon",
        "Vittorio Del Duca; Claude Duhr; E. W. Nigel Glover; Vladimir A. Smirnov",
        2010,
        "Journal of High Energy Physics",
    ),
    Base(
        "Measurement of the top quark mass in dilepton final states at 8 TeV",
        "CMS Collaboration",
        2015,
        "Physical Review D",
    ),
    Base(
        "Asymptotic behaviour of solutions to the Navier-Stokes equations in half spaces",
        "Юрий Самарский; Olga Ladyzhenskaya",
        2009,
        "Archive for Rational Mechanics and Analysis",
    ),
    Base(
        "Design space of visual feedforward and corrective feedback in motion guidance",
        "Xingyao Yu; Benjamin Lee; Michael Sedlmair",
        2024,
        "CHI Conference on Human Factors in Computing Systems",
        "inproceedings",
    ),
    Base(
        "Learning macroscopic flow fields from sparse observations",
        "Wei Wang; Li Zhang; Jun Li",
        2021,
        "Journal of Fluid Mechanics",
    ),
    Base(
        "Spectral gaps of random covers of hyperbolic surfaces",
        "Michael Magee; Frédéric Naud; Doron Puder",
        2022,
        "Geometric and Functional Analysis",
    ),
    Base(
        "Constraints on SU(2) gauge models from precision measurements",
        "José García Márquez; Anna-Lena Müller-Stein",
        2017,
        "European Physical Journal C",
    ),
    Base(
        "A theory of learning with margins for graph transformers",
        "Peter Bartlett; John Shawe-Taylor",
        2020,
        "Neural Information Processing Systems",
        "inproceedings",
    ),
    Base(
        "Deep residual networks for cosmic ray classification",
        "Kaito Nakamura; 田中 太郎; Yuki Sato",
        2022,
        "Astroparticle Physics",
    ),
)
OTHERS = "David Conlon; Jacob Fox; Yuval Wigderson"
ARXIV_ID = "2001.00001"
DOI = "10.5555/known.1"


class Pair(NamedTuple):
    kind: str
    paper: PaperFacts
    records: tuple[Record, ...]
    claim: Claim | None = None


def authors(names: str) -> tuple[Author, ...]:
    return tuple(Author(name) for name in names.split("; "))


def preprint(base: Base, **changes: object) -> PaperFacts:
    facts = PaperFacts(
        title=base.title,
        authors=authors(base.authors),
        identifiers=(Identifier("arxiv", ARXIV_ID),),
        submitted=f"{base.year - 1}-06-01",
        abstract=f"We study {base.title.lower()} and show what was open. "
        + " ".join(f"Statement {base.title.split()[n % 3]} {n} holds." for n in range(12)),
    )
    return facts._replace(**changes)  # type: ignore[arg-type]


def record(
    base: Base, *, is_linked: bool = False, doi: str | None = DOI, **changes: object
) -> Record:
    identifiers = [Identifier("doi", doi)] if doi else []
    if is_linked:
        identifiers.append(Identifier("arxiv", ARXIV_ID))
    facts = PaperFacts(
        title=base.title,
        authors=authors(base.authors),
        identifiers=tuple(identifiers),
        venue=base.venue,
        year=base.year,
        published_type=base.type,
    )
    return Record("crossref", facts._replace(**changes), frozenset({"registry"}))  # type: ignore[arg-type]


def _each_way(kind: str, base: Base, **changes: object) -> Iterator[Pair]:
    """Linked, as the DOI on arXiv, and by title alone."""
    own_doi = (Identifier("arxiv", ARXIV_ID), Identifier("doi", DOI))
    yield Pair(f"{kind}, linked", preprint(base), (record(base, is_linked=True, **changes),))
    yield Pair(f"{kind}, DOI", preprint(base, identifiers=own_doi), (record(base, **changes),))
    yield Pair(f"{kind}, title", preprint(base), (record(base, **changes),))


def _other_people(base: Base) -> Iterator[Pair]:
    yield from _each_way("same title, other people", base, authors=authors(OTHERS))


def _one_namesake(base: Base) -> Iterator[Pair]:
    """A family name in common, and another given name."""
    family = base.authors.split("; ")[0].split()[-1]
    names = f"Quentin {family}; {OTHERS}"
    yield from _each_way("one namesake", base, authors=authors(names))


def _other_given_names(base: Base) -> Iterator[Pair]:
    """Family names and initials agree, and the given names in full do not. One of several may be
    a nickname, and of one author alone an identifier may say that it is."""
    names = [name.split() for name in base.authors.split("; ")]
    # Names that nobody has: their letters are no part of any other one.
    others = "; ".join(f"{given[0]}zqxvk {family}" for given, *_, family in names)
    if base.authors.isascii() and "Collaboration" not in base.authors:
        kind = "other given names"
        pairs = [*_each_way(kind, base, authors=authors(others))]
        yield from pairs if len(names) > 1 else pairs[-1:]


def _next_part(base: Base) -> Iterator[Pair]:
    """Part II by the same group."""
    title = base.title.replace(", I:", ", II:")
    title = f"{title}, part II" if title == base.title else title
    yield from _each_way("next part", base, title=title)


def _notice(base: Base) -> Iterator[Pair]:
    for words in (
        "Erratum: {}",
        "Reply to “Comment on {}”",
        "Correction to: {}",
        "{}: Corrigendum",
        "RETRACTED: {}",
        "Publisher's Note: {}",
        "Author Correction: {}",
        "Expression of Concern: {}",
        "Keynote: {}",
        "Slides: {}",
        "{} (abstract)",
        "Supplementary material for {}",
    ):
        yield from _each_way("notice", base, title=words.format(base.title))


def _extended(base: Base) -> Iterator[Pair]:
    """The journal's extended version of a conference paper."""
    for words in (
        *("{}: extended version", "{} revisited", "{}++", "{}. Second part"),
        *("{}: PhD thesis", "{}: a follow-up", "Replication: {}"),
    ):
        yield from _each_way("extended", base, title=words.format(base.title))


def _companion(base: Base) -> Iterator[Pair]:
    """The same people, and a word more or another one: an abstract of its own."""
    words = base.title.split()
    middle = len(words) // 2
    more = " ".join([*words[:middle], "book", *words[middle:]])
    other = " ".join([*words[:middle], "hypergraph", *words[middle + 1 :]])
    for title in (more, other):
        yield from _each_way("companion", base, title=title, abstract="Quite other words. " * 20)


def _templated(base: Base) -> Iterator[Pair]:
    """Works of one hand in one mould: only the words that make the difference are exchanged, or a
    number, or the abstract goes on, or somebody more has worked on it."""
    words = base.title.split()
    middle = words[len(words) // 2]
    other = " ".join("hypergraph" if word == middle else word for word in words)
    abstract = preprint(base).abstract or ""
    exchanged = abstract.replace(middle.lower(), "hypergraph").replace(middle, "hypergraph")
    forms = [
        text.replace(middle.lower(), f"{middle.lower()}s").replace("hypergraph", "hypergraphs")
        for text in (abstract, exchanged)
    ]
    renamed = f"On {' '.join(words[1:])}"
    more = " ".join(f"Beyond that it is shown for case {word} too." for word in "abcdefghk")
    yield Pair("in one mould", preprint(base), (record(base, title=other, abstract=exchanged),))
    in_forms = record(base, title=other, abstract=forms[1])
    yield Pair("in one mould, in other forms", preprint(base, abstract=forms[0]), (in_forms,))
    for told in (abstract.replace(" 3 ", " 33 "), abstract.replace(" holds", " does not hold", 1)):
        yield Pair("other numbers", preprint(base), (record(base, title=renamed, abstract=told),))
    longer = record(base, title=renamed, abstract=f"{abstract} {more}")
    yield Pair("with more in it", preprint(base), (longer,))
    names = authors(f"{base.authors}; Ada Quent")
    group = record(base, title=renamed, abstract=abstract, authors=names)
    yield Pair("with one more author", preprint(base), (group,))
    again = record(base, title=renamed, abstract=abstract)
    journal = record(base, title=other, abstract=abstract, doi="10.5555/known.2", venue="Other")
    yield Pair("several with one abstract", preprint(base), (again, journal))
    late = record(base, title=renamed, abstract=abstract, year=base.year + 9)
    yield Pair("years later, renamed", preprint(base), (late,))
    claim = Claim("Workshop on Things at NeurIPS", base.year)
    yield Pair("workshop, renamed", preprint(base), (again,), claim)


def _mistaken(base: Base) -> Iterator[Pair]:
    """A companion whose identifier somebody has taken for this one's: the words that make the
    difference are exchanged in the abstract too, all of it else is the same."""
    words = base.title.split()
    abstract = preprint(base).abstract or ""
    for at in (len(words) // 2, -1):
        old, new = words[at].strip(",:"), "hypergraphs"
        title = " ".join([*words[:at], new, *words[len(words) if at < 0 else at + 1 :]])
        told = abstract.replace(old.lower(), new).replace(old, new)
        yield from _each_way("mistaken companion", base, title=title, abstract=told)
    title, told = f"{base.title}: the case of hypergraphs", "Quite other words are found here. "
    told += " ".join(f"Hypergraph {n} has colour {n + 7}." for n in range(12))
    yield from _each_way("case by case", base, title=title, abstract=told)


def _book(base: Base) -> Iterator[Pair]:
    changes = {"published_type": "book", "venue": "Springer"}
    yield Pair("book", preprint(base), (record(base, is_linked=True, **changes),))
    yield Pair("book by title", preprint(base), (record(base, **changes),))


def _server(base: Base) -> Iterator[Pair]:
    for venue in ("bioRxiv", "SSRN Electronic Journal", "arXiv (Cornell University)", "CoRR"):
        yield Pair("server", preprint(base), (record(base, is_linked=True, venue=venue),))


def _series(base: Base) -> Iterator[Pair]:
    told = record(base, is_linked=True, venue="Lecture Notes in Computer Science")
    yield Pair("series", preprint(base), (told._replace(remarks=told.remarks | {"series"}),))


def _too_late(base: Base) -> Iterator[Pair]:
    yield Pair("years later", preprint(base), (record(base, year=base.year + 9),))
    yield Pair("years before", preprint(base), (record(base, year=base.year - 9),))


def _workshop(base: Base) -> Iterator[Pair]:
    """The authors name a workshop, the record the conference; and the other way round."""
    claim = Claim("Workshop on Things at NeurIPS", base.year)
    yield Pair("workshop", preprint(base), (record(base),), claim)
    told = record(base, venue=f"{base.venue} Workshops")
    yield Pair("conference", preprint(base), (told,), Claim(base.venue, base.year))


def _of_other_kind(base: Base) -> Iterator[Pair]:
    """The authors name a conference, the record its extended version in a journal; and the other
    way round. What else has a paper's title: a thesis, a report."""
    journal = record(base, venue="Transactions on Pattern Analysis", published_type="article")
    yield Pair("journal", preprint(base), (journal,), Claim("ICML", base.year))
    conference = record(base, venue="Symposium on Robotics", published_type="inproceedings")
    yield Pair("journal first", preprint(base), (conference,), Claim("Journal of Robots"))
    for kind in ("phdthesis", "techreport"):
        told = {"venue": "University of Somewhere", "published_type": kind}
        yield Pair(kind, preprint(base), (record(base, **told),))
        yield Pair(f"{kind}, linked", preprint(base), (record(base, is_linked=True, **told),))


def _mixed(base: Base) -> Iterator[Pair]:
    """Semantic Scholar has the title of one work and the DOI of another one."""
    mixed = Record("semantic-scholar", record(base, is_linked=True).facts)
    other = record(base, title="Quite another thing altogether", authors=authors(OTHERS))
    yield Pair("mixed", preprint(base), (mixed, other))
    next_part = record(base, title=f"{base.title}, part II")
    yield Pair("mixed with part II", preprint(base), (mixed, next_part))


def _unregistered(base: Base) -> Iterator[Pair]:
    """A DOI that nobody who registers DOIs has told of."""
    told = record(base, is_linked=True)
    yield Pair("unregistered", preprint(base), (told._replace(remarks=frozenset()),))


def _guessed_year(base: Base) -> Iterator[Pair]:
    told = record(base, is_linked=True, doi=None)
    yield Pair(
        "guessed year", preprint(base), (told._replace(remarks=frozenset({"guessed year"})),)
    )


def _several(base: Base) -> Iterator[Pair]:
    """Conference and journal under one title, and nothing that says which it is."""
    journal = record(base, doi="10.5555/known.2", venue="Quite Another Journal", year=base.year + 1)
    yield Pair("several", preprint(base), (record(base), journal))


def _other_script(base: Base) -> Iterator[Pair]:
    """Names that cannot be compared prove nothing."""
    for names in ("王伟; 李娜", "김민준; 이서연"):
        yield Pair("other script", preprint(base), (record(base, authors=authors(names)),))


TRAPS: tuple[Callable[[Base], Iterator[Pair]], ...] = (
    *(
        _other_people,
        _one_namesake,
        _other_given_names,
        _of_other_kind,
        _next_part,
        _notice,
        _extended,
        _companion,
        _templated,
    ),
    *(_mistaken, _book, _server, _series, _too_late, _workshop, _mixed, _unregistered),
    *(_guessed_year, _several, _other_script),
)
WRONG = [pair for trap in TRAPS for base in BASES for pair in trap(base)]


def right_pairs() -> Iterator[tuple[Pair, Evidence]]:
    """Pairs of one work, as sources write it otherwise."""
    own_doi = (Identifier("arxiv", ARXIV_ID), Identifier("doi", DOI))
    for base in BASES:
        yield Pair("as it is", preprint(base), (record(base),)), Evidence.TITLE
        yield Pair("DOI", preprint(base, identifiers=own_doi), (record(base),)), Evidence.DOI
        linked = record(base, is_linked=True, title=base.title.upper())
        yield Pair("capitals", preprint(base), (linked,)), Evidence.LINKED
        names = tuple(Author(_initials(one.name)) for one in authors(base.authors))
        yield Pair("initials", preprint(base), (record(base, authors=names),)), Evidence.TITLE
        numbered = tuple(Author(f"{one.name} 0001") for one in authors(base.authors))
        yield (
            Pair("DBLP's numbers", preprint(base), (record(base, authors=numbered),)),
            Evidence.TITLE,
        )
        retitled = record(base, is_linked=True, title="A New Name for It All")
        again = retitled._replace(facts=retitled.facts._replace(abstract=preprint(base).abstract))
        yield Pair("retitled", preprint(base), (again,)), Evidence.LINKED
        renamed = record(base, title=f"On {base.title.split(' ', 1)[1]}")
        told = renamed._replace(facts=renamed.facts._replace(abstract=preprint(base).abstract))
        if "Collaboration" not in base.authors:
            yield Pair("renamed", preprint(base), (told,)), Evidence.ABSTRACT


def _initials(name: str) -> str:
    if "Collaboration" in name or not name.isascii():
        return name
    *given, family = name.split()
    return " ".join([*(f"{one[0]}." for one in given if one[0].isupper()), family])
