"""What is said of a work in one place, and whether two such descriptions are of one work.

They are if their titles agree, or a trusted identifier does, and nothing speaks against it:
numerals and versions, replies and errata, years, editions, volumes and pages, authors, other
identifiers, and what kind of work it is: a thesis is no article, a chapter not its book. An
address is less than an identifier: a site's works may have it in common, and the versions of a
program have.

How strict a caller is shows in the answers it takes: joining takes ``SAME`` alone, a list of
duplicates ``UNKNOWN`` too, and who only wants to know whether something is a stranger's asks for
``DIFFERENT``. Proposals and audits ask ``Pair`` for what they need, with bounds of their own
(``publications``, ``audit``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Literal, NamedTuple

from papertrack.identifiers.derived import is_telling
from papertrack.matching.people import Common, Person, in_common, people_of
from papertrack.matching.titles import Compared, Likeness, compare_titles
from papertrack.matching.venues import is_same_venue
from papertrack.matching.words import tokens_of
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.text import fold, plural, title_key

ADDRESS = "url"
"""The scheme of identifiers that only name a place."""
YEARS_OF_PRINT = 3
"""Years that may lie between a preprint and its publication; reprints come later."""
LISTED = 60
"""The least strength of what may be one work."""
_YEARS_OF_IDENTIFIER = 10
"""Years between two with one identifier: what is old is put on arXiv too."""
_EXCLUSIVE = {"arxiv": "arXiv ids", "doi": "DOIs", "acl": "ACL ids", "openreview": "OpenReview ids"}
"""Schemes of which a work has one: two different ones are two works, or two publications."""
_WORDS = 3
"""Words that a title has at least to be another one than what a work is called for short."""
_MOST = 0.5
"""The share of the shorter list of authors that is enough where the titles agree."""
_TOLD = {
    Likeness.SAME: (20, "same title"),
    Likeness.SPELLED: (10, "titles that differ by a slip"),
    Likeness.CUT: (12, "one title is a shortened form of the other"),
    Likeness.SLIP: (10, "titles that differ by a slip"),
}
"""Titles that may be written for one, what that counts, and how it is said."""

Form = Literal["article", "part", "whole", "report", "thesis", "data", "program", "other", "any"]
_FORMS: dict[Form, str] = {
    "article": "an article: article inproceedings conference suppperiodical",
    "part": "a chapter: inbook incollection inreference suppbook suppcollection bookinbook chapter"
    " entry",
    "whole": "a book: book mvbook collection mvcollection proceedings mvproceedings reference"
    " mvreference booklet manual periodical",
    "report": "a report: techreport report",
    "thesis": "a thesis:",
    "data": "data: dataset data",
    "program": "software: software softwareversion softwaremodule codefragment",
    "other": "something else: patent standard legal legislation jurisdiction letter movie video"
    " audio music artwork image performance commentary review",
}
"""Kinds of works: how each is recognized, and its types in BibTeX and biblatex."""
_TOLD_AS = {form: said.partition(":")[0] for form, said in _FORMS.items()}
_OF_TYPE = {name: form for form, said in _FORMS.items() for name in said.partition(":")[2].split()}
_MAY_BE_ONE = ({"article", "part"}, {"article", "report"})
"""A chapter of proceedings is an article to some, and a report may appear as one."""
_MADE_ANEW = {"data", "program"}
_BESIDE_PAPERS = {"thesis", "whole"} | _MADE_ANEW
"""What has a preprint's title and is not that paper."""
_DATED = {"report", "other"} | _MADE_ANEW
"""Of these another year is another work: a report is of each, a program has versions."""
_THESIS = re.compile(
    r"\b(?:ph\.?\s?d|doctoral|master'?s?|bachelor'?s?)?\s*(?:thesis|dissertation|th[eè]se|tesis?"
    r"|diplomarbeit|proefschrift|habilitation\w*)\b",
    re.IGNORECASE,
)
_PLACES = {
    **{name: name for name in ("volume", "number", "pages", "eid", "chapter", "edition")},
    **{"issue": "number", "articleno": "eid"},
}
_NAMES_OF_PLACES = frozenset("vol volume no nr number issue band bd heft tome chapter ch".split())
_FIRST_PAGE = re.compile(r"[0-9]+(?::[0-9]+)?|[^\W_]+")
_VERSION = re.compile(
    r"(?:\b(?:version|ver|release|rel|v)\b\.?\s*|\bv)([0-9]+(?:\.[0-9]+)*)", re.IGNORECASE
)
_PLAIN_VERSION = re.compile(r"([0-9]+(?:\.[0-9]+)*)")
_SAYS_VERSION = ("note", "howpublished", "number", "type", "series")


@dataclass(frozen=True)
class Description:
    """What is said of a work in one place: an entry, a row, a paper of the library."""

    title: str | None
    authors: tuple[Author, ...] = ()
    year: int | None = None
    type: str | None = None
    """As BibTeX or biblatex has it."""
    venue: str | None = None
    publication: tuple[tuple[str, str], ...] = ()
    identifiers: frozenset[Identifier] = frozenset()
    key: str | None = None
    """The citekey under which it stands, if its reader gave it."""

    @classmethod
    def of(cls, facts: PaperFacts, key: str | None = None) -> Description:
        """Return what a source says of a work."""
        return cls(
            *(facts.title, facts.authors, facts.year, facts.published_type, facts.venue),
            facts.publication,
            frozenset(facts.identifiers),
            key,
        )

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """Its authors as they are compared."""
        return people_of(self.authors)

    @cached_property
    def form(self) -> Form:
        """What kind of work it is said to be; ``any`` of ``misc`` and of what is unknown."""
        form: Form = _OF_TYPE.get(self.type or "", "any")
        told = (v for name, v in self.publication if name in ("type", "note", "howpublished"))
        is_told = form in ("any", "report", "whole") and any(map(_THESIS.search, told))
        return "thesis" if "thesis" in (self.type or "") or is_told else form

    @cached_property
    def printed(self) -> Mapping[str, str]:
        """Volume, number, first page, chapter and edition, as far as they are known."""
        told: dict[str, str] = {}
        for name, value in self.publication:
            if place := _PLACES.get(name):
                told.setdefault(place, _compared(place, value))
        return {name: value for name, value in told.items() if value}

    @cached_property
    def version(self) -> str | None:
        """Of a program or of data, of the field for it or as a note tells it; that of a preprint
        makes no other work of it."""
        fields = dict(self.publication)
        own = _PLAIN_VERSION.search(fields.get("version", ""))
        noted = (_VERSION.search(fields.get(name, "")) for name in _SAYS_VERSION)
        found = own or next(filter(None, noted), None)
        # 1.0 is version 1.
        return re.sub(r"(?:\.0)+$", "", found[1]) if found and not self.values("arxiv") else None

    @cached_property
    def is_published(self) -> bool:
        """Whether it has come out, rather than being a preprint or a page."""
        if self.form in ("any", "article"):
            return self.venue is not None or self.type in ("inproceedings", "conference")
        return True

    def values(self, scheme: str) -> set[str]:
        """Its identifiers of one scheme."""
        return {one.value for one in self.identifiers if one.scheme == scheme}


def _compared(name: str, value: str) -> str:
    """``XII`` is 12, the pages ``431–456`` are 431, the 2nd edition is 2, ``58 (9)`` is 58."""
    if name == "pages":
        found = _FIRST_PAGE.search(fold(value))
        return found.group().lstrip("0") if found else ""
    words = [word for word in tokens_of(value.upper()) if word not in _NAMES_OF_PLACES]
    numbers = [word for word in words if word.isdecimal()]
    # A report's number is all of it: TM-12 is not TM-13.
    is_number = name == "edition" or words[:1] == numbers[:1]
    return numbers[0] if numbers and is_number else " ".join(words)


@dataclass(frozen=True)
class Pair:
    """Two descriptions, and what they have in common."""

    one: Description
    other: Description
    has_key: bool = False
    """Whether they stand under one citekey."""

    @cached_property
    def titles(self) -> Compared:
        """How the titles are related."""
        return compare_titles(self.one.title, self.other.title)

    @property
    def likeness(self) -> Likeness:
        """How far the titles are alike."""
        return self.titles.likeness

    @property
    def is_titled_alike(self) -> bool:
        """Whether the titles may be written for one."""
        return self.likeness in _TOLD

    @property
    def is_telling(self) -> bool:
        """Whether the title tells what it names: not *Introduction*."""
        return is_telling(title_key(self.one.title or ""))

    @property
    def has_short_title(self) -> bool:
        """Whether one title is a name of a word or two, as lists have them."""
        return min(len((some.title or "").split()) for some in (self.one, self.other)) < _WORDS

    @cached_property
    def people(self) -> Common | None:
        """What the authors have in common; None if one list is not known, or in letters that tell
        nothing of the other's."""
        return in_common(self.one.authors, self.other.authors)

    @property
    def share(self) -> float | None:
        """The share of the shorter list of authors that the other one has."""
        return self.people.of_shorter if self.people else None

    @cached_property
    def shared(self) -> frozenset[Identifier]:
        """The identifiers of both."""
        return self.one.identifiers & self.other.identifiers

    @cached_property
    def is_registered(self) -> bool:
        """Whether they have an identifier in common that is more than an address."""
        return any(one.scheme != ADDRESS for one in self.shared)

    @property
    def is_in_two_scripts(self) -> bool:
        """Whether titles or authors are in scripts of which one tells nothing of the other."""
        titles = self.one.title and self.other.title and self.likeness is Likeness.UNKNOWN
        return bool(titles or (self.share is None and self.one.people and self.other.people))

    @property
    def years(self) -> int:
        """How many lie between them; none where one is not known."""
        return abs(self.one.year - self.other.year) if self.one.year and self.other.year else 0

    @property
    def is_of_one_year(self) -> bool:
        """Whether both are said to be of one year."""
        return self.one.year == self.other.year is not None

    @property
    def is_preprint_and_print(self) -> bool:
        """Whether only one of them has come out."""
        return self.one.is_published != self.other.is_published

    @property
    def is_on_arxiv(self) -> bool:
        """Whether one of them is known to be on arXiv."""
        return bool(self.one.values("arxiv") or self.other.values("arxiv"))

    @cached_property
    def is_same_venue(self) -> bool | None:
        """Whether they came out in one venue; None where one has none."""
        return is_same_venue(self.one.venue, self.other.venue)

    @cached_property
    def forms(self) -> frozenset[Form]:
        """What kinds of work they are said to be."""
        return frozenset((self.one.form, self.other.form))

    @cached_property
    def places(self) -> Mapping[str, tuple[str, str]]:
        """What both say of where they were printed, beside the edition."""
        one, other = self.one.printed, self.other.printed
        return {name: (one[name], other[name]) for name in sorted({*one} & {*other} - {"edition"})}

    @cached_property
    def places_differing(self) -> list[str]:
        """The pieces of where they were printed that differ, in words."""
        return [
            f"{name} {one} and {other}"
            for name, (one, other) in self.places.items()
            if one != other
        ]

    @property
    def is_same_page(self) -> bool:
        """Whether they were printed on one page of one volume, where only one work begins."""
        return "pages" in self.places and len(self.places) > 1 and not self.places_differing


class Answer(Enum):
    """What a comparison comes to."""

    SAME = "one work"
    UNKNOWN = "may be one work"
    DIFFERENT = "two works"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two descriptions are of one work, and why."""

    answer: Answer
    strength: int
    """How likely they are: 0 for two works, else ``LISTED`` to 99."""
    reasons: tuple[str, ...]
    """What speaks for it."""
    against: tuple[str, ...] = ()
    """What speaks against it."""


def judge(one: Description, other: Description, *, has_key: bool = False) -> Verdict:
    """Tell whether two descriptions are of one work, may be, or are of two; with the reasons.

    ``has_key`` says that both stand under one citekey. Of what speaks against it what comes after
    something that nothing outweighs is not looked for.
    """
    pair = Pair(one, other, has_key)
    against: list[str] = []
    for objection in _objections(pair):
        against.append(objection.reason)
        if objection.is_final:
            return Verdict(Answer.DIFFERENT, 0, tuple(_reasons(pair)), tuple(against))
    if not against and (_is_identified(pair) or _is_named(pair)):
        answer, strength = Answer.SAME, 70
    elif _is_worth_a_look(pair, is_contradicted=bool(against)):
        answer, strength = Answer.UNKNOWN, 55
    else:
        return Verdict(Answer.DIFFERENT, 0, tuple(_reasons(pair)), tuple(against))
    strength += _TOLD.get(pair.likeness, (0, ""))[0] + round(10 * (pair.share or 0))
    strength += 20 * pair.is_registered or 10 * bool(pair.shared)
    strength -= 8 * len(against) + min(5, pair.years)
    strength = max(LISTED, min(99, strength))
    return Verdict(answer, strength, tuple(_reasons(pair)), tuple(against))


class _Objection(NamedTuple):
    reason: str
    is_final: bool
    """Whether nothing outweighs it."""


def _objections(pair: Pair) -> Iterator[_Objection]:
    """Yield all that speaks against two descriptions being of one work."""
    # A collaboration may stand for its members.
    if pair.share == 0 and not (pair.is_registered and pair.likeness is Likeness.SAME):
        yield _Objection("no author in common", is_final=True)
    if pair.titles.against:
        yield _Objection(pair.titles.against, is_final=True)
    elif pair.titles.version and not pair.is_registered:
        yield _Objection(pair.titles.version, is_final=False)
    yield from _of_kinds(pair)
    if pair.years > _years_allowed(pair):
        is_dated = len(pair.forms) == 1 and pair.forms <= _DATED
        yield _Objection(f"{plural(pair.years, 'year')} apart", is_dated)
    yield from _of_editions(pair)
    # Volumes, pages and the like, in one venue; an identifier outweighs one that differs.
    is_outweighed = pair.is_registered and pair.is_titled_alike
    differing = pair.places_differing
    if len(differing) > (len(pair.places) - len(differing) if is_outweighed else 0):
        told = ", ".join(differing)
        yield _Objection(f"published elsewhere: {told}", pair.is_same_venue is not False)
    for scheme, noun in _EXCLUSIVE.items():
        one, other = pair.one.values(scheme), pair.other.values(scheme)
        if one and other and one.isdisjoint(other):
            yield _Objection(f"different {noun}", is_final=False)


def _of_kinds(pair: Pair) -> Iterator[_Objection]:
    if len(pair.forms) > 1 and "any" not in pair.forms and pair.forms not in _MAY_BE_ONE:
        one, other = (_TOLD_AS[some.form] for some in (pair.one, pair.other))
        yield _Objection(f"{one} and {other}", is_final=True)
    elif pair.is_on_arxiv and not pair.is_registered and pair.forms - {"any"} <= _BESIDE_PAPERS:
        for form in pair.forms - {"any"} if len(pair.forms) > 1 else ():
            yield _Objection(f"only one is {_TOLD_AS[form]}", is_final=False)
    types = pair.one.type, pair.other.type
    if pair.forms == {"thesis"} and types[0] != types[1] and "thesis" not in types:
        yield _Objection(f"{types[0]} and {types[1]}", is_final=True)


def _years_allowed(pair: Pair) -> int:
    """Return how many years may lie between two descriptions of one work."""
    if pair.is_registered and pair.forms.isdisjoint(_MADE_ANEW):
        return _YEARS_OF_IDENTIFIER if pair.is_titled_alike else YEARS_OF_PRINT
    if pair.is_preprint_and_print:
        return YEARS_OF_PRINT
    return 1 if pair.is_on_arxiv and not pair.one.is_published else 0


def _of_editions(pair: Pair) -> Iterator[_Objection]:
    """Versions of programs and data, editions of books."""
    one, other = pair.one.version, pair.other.version
    if one != other and one and other:
        yield _Objection(f"versions {one} and {other}", is_final=True)
    elif one != other and not (pair.is_registered and pair.forms.isdisjoint(_MADE_ANEW)):
        yield _Objection(f"only one is version {one or other}", is_final=False)
    one, other = pair.one.printed.get("edition"), pair.other.printed.get("edition")
    if one != other and "whole" in pair.forms and (pair.years or (one and other)):
        yield _Objection("another edition", is_final=True)


def _is_identified(pair: Pair) -> bool:
    """Whether an identifier says that they are one, and their titles or authors bear it out."""
    if pair.shared and pair.is_titled_alike:
        return True
    if not pair.is_registered:
        return False
    if pair.is_in_two_scripts:
        # A DOI is copied easily, and letters do not tell here whether it was.
        return pair.is_same_page and pair.share == 1
    return pair.likeness is Likeness.UNKNOWN or _is_retitled(pair)


def _is_retitled(pair: Pair) -> bool:
    """Whether a work may have got another title: a list's short name for it, or of the same people
    when it came out, or in a translation that is on the same page."""
    if pair.share is None:
        return pair.has_short_title or pair.likeness in (Likeness.RELATED, Likeness.WITHIN)
    if pair.share < 1:
        return False
    if pair.is_same_page or (pair.likeness is Likeness.WITHIN and pair.is_same_venue is not False):
        return True
    # A DOI is copied easily from one entry to the next one.
    return pair.is_preprint_and_print and (pair.likeness is Likeness.RELATED or pair.is_on_arxiv)


def _is_named(pair: Pair) -> bool:
    """Whether title and authors say that they are one, or title, key and year."""
    if pair.likeness is not Likeness.SAME or pair.is_same_venue is False:
        return False
    if pair.is_telling and pair.people is not None:
        return pair.people.of_shorter >= _MOST and pair.people.is_called_so
    is_same_year = pair.one.year == pair.other.year and pair.share == 1
    return pair.has_key and (pair.is_telling or is_same_year)


def _is_worth_a_look(pair: Pair, *, is_contradicted: bool) -> bool:
    """Whether a reader may want to see them side by side."""
    if pair.likeness is Likeness.SAME:
        is_near = pair.years <= YEARS_OF_PRINT and (pair.is_telling or pair.is_registered)
        return is_near and _has_authors(pair, _MOST)
    if pair.is_titled_alike:
        is_near = pair.years <= (YEARS_OF_PRINT if pair.is_preprint_and_print else 1)
        return is_near and _has_authors(pair, 1 if is_contradicted else _MOST)
    if is_contradicted or not pair.is_registered:
        return False
    if pair.is_in_two_scripts:
        return pair.share == 1 or pair.is_of_one_year
    is_same_print = pair.years == 0 and (pair.is_same_venue is True or pair.has_short_title)
    return pair.share == 1 and is_same_print


def _has_authors(pair: Pair, least: float) -> bool:
    """Whether enough authors are the same; where none are known a title must tell enough, or an
    address be the same."""
    if pair.share is not None:
        return pair.share >= least
    return bool(pair.shared) or (pair.likeness is Likeness.SAME and pair.is_telling)


def _reasons(pair: Pair) -> Iterator[str]:
    """Yield what speaks for it."""
    for identifier in sorted(pair.shared, key=lambda one: (one.scheme, one.value))[:1]:
        yield f"same {identifier.scheme}: {identifier.value}"
    if pair.likeness in _TOLD:
        yield _TOLD[pair.likeness][1]
    if pair.people and pair.people.number:
        yield f"{plural(pair.people.number, 'author')} in common"
    if pair.is_of_one_year:
        yield "same year"
