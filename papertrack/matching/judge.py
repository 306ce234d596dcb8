"""Compare two descriptions of works, and decide whether they are of the same work.

They are if their titles agree, or an identifier does, and nothing contradicts it: numerals and
versions, replies and errata, years, editions, volumes and pages, authors, other identifiers, or the
kind of work (a thesis is not an article, a chapter is not its book). A URL proves less than an
identifier: the works of a site may share it, and so may the versions of a program.

Callers choose how strict they are. Imports merge on ``SAME`` alone, the list of duplicates shows
``UNKNOWN`` too, and some callers only look for ``DIFFERENT``. Proposals and audits ask ``Pair``
directly, with thresholds of their own (``publications``, ``audit``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Literal, NamedTuple

from papertrack.identifiers.derived import is_telling
from papertrack.matching.people import Common, Person, compare_authors, people_of
from papertrack.matching.titles import Likeness, Relation, compare_titles
from papertrack.matching.venues import is_same_venue
from papertrack.matching.words import tokens_of
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.text import fold, plural, title_key

ADDRESS = "url"
"""The scheme of identifiers that are only URLs."""
YEARS_OF_PRINT = 3
"""Years that may pass between a preprint and its publication; reprints come later."""
MIN_STRENGTH = 60
"""The lowest strength of two descriptions that may be of the same work."""
_YEARS_OF_IDENTIFIER = 10
"""The same for works that share an identifier: old papers are put on arXiv too."""
_EXCLUSIVE = {"arxiv": "arXiv ids", "doi": "DOIs", "acl": "ACL ids", "openreview": "OpenReview ids"}
"""Schemes in which a work has one identifier: two values mean two works or publications."""
_MIN_TITLE_WORDS = 3
"""A title of fewer words may be the short name of a work."""
_ENOUGH_AUTHORS = 0.5
"""The share of the shorter author list that must agree if the titles do."""
_LIKE_TITLES = {
    Likeness.SAME: (20, "same title"),
    Likeness.SPELLED: (10, "titles that differ by a slip"),
    Likeness.CUT: (12, "one title is a shortened form of the other"),
    Likeness.SLIP: (10, "titles that differ by a slip"),
}
"""How alike titles are that may be the same: points, and the reason shown."""

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
"""Kinds of works: the noun for messages, and the types of BibTeX and biblatex."""
_FORM_NAMES = {form: text.partition(":")[0] for form, text in _FORMS.items()}
_FORM_OF_TYPE = {name: f for f, text in _FORMS.items() for name in text.partition(":")[2].split()}
_COMPATIBLE_FORMS = ({"article", "part"}, {"article", "report"})
"""A chapter of proceedings may be entered as an article, and so may a report."""
_VERSIONED = {"data", "program"}
_NOT_PAPERS = {"thesis", "whole"} | _VERSIONED
"""Kinds that may have the title of a preprint without being that paper."""
_DATED_FORMS = {"report", "other"} | _VERSIONED
"""Kinds of which another year is another work: yearly reports, versions of programs."""
_THESIS = re.compile(
    r"\b(?:ph\.?\s?d|doctoral|master'?s?|bachelor'?s?)?\s*(?:thesis|dissertation|th[eè]se|tesis?"
    r"|diplomarbeit|proefschrift|habilitation\w*)\b",
    re.IGNORECASE,
)
_PLACE_OF_FIELD = {
    **{name: name for name in ("volume", "number", "pages", "eid", "chapter", "edition")},
    **{"issue": "number", "articleno": "eid"},
}
_PLACE_WORDS = frozenset("vol volume no nr number issue band bd heft tome chapter ch".split())
_FIRST_PAGE = re.compile(r"[0-9]+(?::[0-9]+)?|[^\W_]+")
_VERSION = re.compile(
    r"(?:\b(?:version|ver|release|rel|v)\b\.?\s*|\bv)([0-9]+(?:\.[0-9]+)*)", re.IGNORECASE
)
_PLAIN_VERSION = re.compile(r"([0-9]+(?:\.[0-9]+)*)")
_VERSION_FIELDS = ("note", "howpublished", "number", "type", "series")


@dataclass(frozen=True)
class Description:
    """One source's description of a work: a BibTeX entry, a row, a paper of the library."""

    title: str | None
    authors: tuple[Author, ...] = ()
    year: int | None = None
    type: str | None = None
    """The type of BibTeX or biblatex."""
    venue: str | None = None
    publication: tuple[tuple[str, str], ...] = ()
    identifiers: frozenset[Identifier] = frozenset()
    key: str | None = None
    """The citation key in the source, if the caller gave it."""

    @classmethod
    def of(cls, facts: PaperFacts, key: str | None = None) -> Description:
        """Return the description that some facts make of a work."""
        return cls(
            *(facts.title, facts.authors, facts.year, facts.published_type, facts.venue),
            facts.publication,
            frozenset(facts.identifiers),
            key,
        )

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """The authors, normalized for comparison."""
        return people_of(self.authors)

    @cached_property
    def form(self) -> Form:
        """The kind of work; ``any`` for ``misc`` and unknown types."""
        form: Form = _FORM_OF_TYPE.get(self.type or "", "any")
        notes = (v for name, v in self.publication if name in ("type", "note", "howpublished"))
        is_thesis = form in ("any", "report", "whole") and any(map(_THESIS.search, notes))
        return "thesis" if "thesis" in (self.type or "") or is_thesis else form

    @cached_property
    def in_print(self) -> Mapping[str, str]:
        """Volume, number, first page, chapter and edition, if known and not empty."""
        places: dict[str, str] = {}
        for name, value in self.publication:
            if place := _PLACE_OF_FIELD.get(name):
                places.setdefault(place, _plain_place(place, value))
        return {name: value for name, value in places.items() if value}

    @cached_property
    def version(self) -> str | None:
        """The version of a program or data set, from its own field or a note.

        None for a work with an arXiv id: another version of a preprint is the same work.
        """
        fields = dict(self.publication)
        field_match = _PLAIN_VERSION.search(fields.get("version", ""))
        note_matches = (_VERSION.search(fields.get(name, "")) for name in _VERSION_FIELDS)
        match = field_match or next(filter(None, note_matches), None)
        # 1.0 is version 1.
        return re.sub(r"(?:\.0)+$", "", match[1]) if match and not self.values("arxiv") else None

    @cached_property
    def is_published(self) -> bool:
        """Whether the work is published, and not a preprint or a web page."""
        if self.form in ("any", "article"):
            return self.venue is not None or self.type in ("inproceedings", "conference")
        return True

    def values(self, scheme: str) -> set[str]:
        """Return the identifiers of one scheme."""
        return {identifier.value for identifier in self.identifiers if identifier.scheme == scheme}


def _plain_place(name: str, value: str) -> str:
    """Return a place in print, normalized: ``XII`` as 12, ``431–456`` as 431, ``58 (9)`` as 58."""
    if name == "pages":
        page = _FIRST_PAGE.search(fold(value))
        return page.group().lstrip("0") if page else ""
    words = [word for word in tokens_of(value.upper()) if word not in _PLACE_WORDS]
    numbers = [word for word in words if word.isdecimal()]
    # The whole text of a report number counts: TM-12 is not TM-13.
    is_number = name == "edition" or words[:1] == numbers[:1]
    return numbers[0] if numbers and is_number else " ".join(words)


@dataclass(frozen=True)
class Pair:
    """Two descriptions, and what they have in common."""

    left: Description
    right: Description
    has_key: bool = False
    """Whether both have the same citation key."""

    @cached_property
    def titles(self) -> Relation:
        """How the titles compare."""
        return compare_titles(self.left.title, self.right.title)

    @property
    def likeness(self) -> Likeness:
        """How alike the titles are."""
        return self.titles.likeness

    @property
    def is_titled_alike(self) -> bool:
        """Whether the titles may be the same."""
        return self.likeness in _LIKE_TITLES

    @property
    def is_telling(self) -> bool:
        """Whether the title is specific to one work: *Introduction* is not."""
        return is_telling(title_key(self.left.title or ""))

    @property
    def has_short_title(self) -> bool:
        """Whether one title is a name of one or two words, as in many lists."""
        return min(len((d.title or "").split()) for d in (self.left, self.right)) < _MIN_TITLE_WORDS

    @cached_property
    def people(self) -> Common | None:
        """What the author lists have in common.

        None if one list is empty, or if they are in scripts that cannot be compared.
        """
        return compare_authors(self.left.authors, self.right.authors)

    @property
    def share(self) -> float | None:
        """The share of the shorter author list that is in the other, or None."""
        return self.people.of_shorter if self.people else None

    @cached_property
    def shared_ids(self) -> frozenset[Identifier]:
        """The identifiers that both have."""
        return self.left.identifiers & self.right.identifiers

    @cached_property
    def is_registered(self) -> bool:
        """Whether both have an identifier in common that is more than a URL."""
        return any(identifier.scheme != ADDRESS for identifier in self.shared_ids)

    @property
    def is_in_two_scripts(self) -> bool:
        """Whether titles or authors are in two scripts that cannot be compared."""
        titles = self.left.title and self.right.title and self.likeness is Likeness.UNKNOWN
        return bool(titles or (self.share is None and self.left.people and self.right.people))

    @property
    def years(self) -> int:
        """The years between them; 0 if a year is missing."""
        return abs(self.left.year - self.right.year) if self.left.year and self.right.year else 0

    @property
    def is_same_year(self) -> bool:
        """Whether both give the same year."""
        return self.left.year == self.right.year is not None

    @property
    def is_preprint_and_print(self) -> bool:
        """Whether exactly one of them is published."""
        return self.left.is_published != self.right.is_published

    @property
    def is_on_arxiv(self) -> bool:
        """Whether one of them has an arXiv id."""
        return bool(self.left.values("arxiv") or self.right.values("arxiv"))

    @cached_property
    def is_same_venue(self) -> bool | None:
        """Whether both have the same venue; None if one has none."""
        return is_same_venue(self.left.venue, self.right.venue)

    @cached_property
    def forms(self) -> frozenset[Form]:
        """The kinds of work that the two descriptions give."""
        return frozenset((self.left.form, self.right.form))

    @cached_property
    def places(self) -> Mapping[str, tuple[str, str]]:
        """Places in print that both give, without the edition: name to both values."""
        left, right = self.left.in_print, self.right.in_print
        return {n: (left[n], right[n]) for n in sorted({*left} & {*right} - {"edition"})}

    @cached_property
    def different_places(self) -> list[str]:
        """Places in print that differ, in words for a message."""
        return [
            f"{name} {left} and {right}"
            for name, (left, right) in self.places.items()
            if left != right
        ]

    @property
    def is_same_page(self) -> bool:
        """Whether both start on the same page of the same volume, so that they are one work."""
        return "pages" in self.places and len(self.places) > 1 and not self.different_places


class Answer(Enum):
    """The result of a comparison."""

    SAME = "one work"
    UNKNOWN = "may be one work"
    DIFFERENT = "two works"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two descriptions are of the same work, and why."""

    answer: Answer
    strength: int
    """How sure that is: 0 for two works, else ``MIN_STRENGTH`` to 99."""
    reasons: tuple[str, ...]
    """Reasons for the same work."""
    against: tuple[str, ...] = ()
    """Reasons against it."""


def judge(left: Description, right: Description, *, has_key: bool = False) -> Verdict:
    """Decide whether two descriptions are of the same work, and give the reasons.

    ``has_key`` says that both have the same citation key. The first final objection ends the
    comparison, so that later ones are not listed.
    """
    pair = Pair(left, right, has_key)
    against: list[str] = []
    for objection in _objections(pair):
        against.append(objection.reason)
        if objection.is_final:
            return Verdict(Answer.DIFFERENT, 0, tuple(_reasons(pair)), tuple(against))
    if not against and (_is_same_by_id(pair) or _is_same_by_title(pair)):
        answer, strength = Answer.SAME, 70
    elif _is_worth_a_look(pair, is_contradicted=bool(against)):
        answer, strength = Answer.UNKNOWN, 55
    else:
        return Verdict(Answer.DIFFERENT, 0, tuple(_reasons(pair)), tuple(against))
    strength += _LIKE_TITLES.get(pair.likeness, (0, ""))[0] + round(10 * (pair.share or 0))
    strength += 20 * pair.is_registered or 10 * bool(pair.shared_ids)
    strength -= 8 * len(against) + min(5, pair.years)
    strength = max(MIN_STRENGTH, min(99, strength))
    return Verdict(answer, strength, tuple(_reasons(pair)), tuple(against))


class _Objection(NamedTuple):
    reason: str
    is_final: bool
    """Whether no other evidence can outweigh it."""


def _objections(pair: Pair) -> Iterator[_Objection]:
    """Yield the reasons against the same work."""
    # A collaboration may be named instead of its members.
    if pair.share == 0 and not (pair.is_registered and pair.likeness is Likeness.SAME):
        yield _Objection("no author in common", is_final=True)
    if pair.titles.against:
        yield _Objection(pair.titles.against, is_final=True)
    elif pair.titles.version and not pair.is_registered:
        yield _Objection(pair.titles.version, is_final=False)
    yield from _kind_objections(pair)
    if pair.years > _years_allowed(pair):
        is_dated = len(pair.forms) == 1 and pair.forms <= _DATED_FORMS
        yield _Objection(f"{plural(pair.years, 'year')} apart", is_dated)
    yield from _edition_objections(pair)
    # Volumes, pages and so on of one venue. A common identifier outweighs one that differs.
    is_outweighed = pair.is_registered and pair.is_titled_alike
    differing = pair.different_places
    if len(differing) > (len(pair.places) - len(differing) if is_outweighed else 0):
        places = ", ".join(differing)
        yield _Objection(f"published elsewhere: {places}", pair.is_same_venue is not False)
    for scheme, noun in _EXCLUSIVE.items():
        left, right = pair.left.values(scheme), pair.right.values(scheme)
        if left and right and left.isdisjoint(right):
            yield _Objection(f"different {noun}", is_final=False)


def _kind_objections(pair: Pair) -> Iterator[_Objection]:
    """Yield the objections between two kinds of work, as between an article and a thesis."""
    if len(pair.forms) > 1 and "any" not in pair.forms and pair.forms not in _COMPATIBLE_FORMS:
        left, right = (_FORM_NAMES[description.form] for description in (pair.left, pair.right))
        yield _Objection(f"{left} and {right}", is_final=True)
    elif pair.is_on_arxiv and not pair.is_registered and pair.forms - {"any"} <= _NOT_PAPERS:
        for form in pair.forms - {"any"} if len(pair.forms) > 1 else ():
            yield _Objection(f"only one is {_FORM_NAMES[form]}", is_final=False)
    types = pair.left.type, pair.right.type
    if pair.forms == {"thesis"} and types[0] != types[1] and "thesis" not in types:
        yield _Objection(f"{types[0]} and {types[1]}", is_final=True)


def _years_allowed(pair: Pair) -> int:
    """Return how many years may lie between two descriptions of the same work."""
    if pair.is_registered and pair.forms.isdisjoint(_VERSIONED):
        return _YEARS_OF_IDENTIFIER if pair.is_titled_alike else YEARS_OF_PRINT
    if pair.is_preprint_and_print:
        return YEARS_OF_PRINT
    return 1 if pair.is_on_arxiv and not pair.left.is_published else 0


def _edition_objections(pair: Pair) -> Iterator[_Objection]:
    """Yield the objections of two versions of a program or two editions of a book."""
    left, right = pair.left.version, pair.right.version
    if left != right and left and right:
        yield _Objection(f"versions {left} and {right}", is_final=True)
    elif left != right and not (pair.is_registered and pair.forms.isdisjoint(_VERSIONED)):
        yield _Objection(f"only one is version {left or right}", is_final=False)
    left, right = pair.left.in_print.get("edition"), pair.right.in_print.get("edition")
    if left != right and "whole" in pair.forms and (pair.years or (left and right)):
        yield _Objection("another edition", is_final=True)


def _is_same_by_id(pair: Pair) -> bool:
    """Return whether an identifier says so, and titles or authors confirm it."""
    if pair.shared_ids and pair.is_titled_alike:
        return True
    if not pair.is_registered:
        return False
    if pair.is_in_two_scripts:
        # A DOI is easily copied by mistake, and here the titles cannot confirm it.
        return pair.is_same_page and pair.share == 1
    return pair.likeness is Likeness.UNKNOWN or _is_retitled(pair)


def _is_retitled(pair: Pair) -> bool:
    """Return whether a work with the same identifier may have another title here.

    A list may use a short name, authors rename a paper when it is published, and a translation is
    on the same page.
    """
    if pair.share is None:
        return pair.has_short_title or pair.likeness in (Likeness.RELATED, Likeness.WITHIN)
    if pair.share < 1:
        return False
    if pair.is_same_page or (pair.likeness is Likeness.WITHIN and pair.is_same_venue is not False):
        return True
    # A DOI is easily copied from one entry to the next.
    return pair.is_preprint_and_print and (pair.likeness is Likeness.RELATED or pair.is_on_arxiv)


def _is_same_by_title(pair: Pair) -> bool:
    """Return whether title and authors agree, or title, citation key and year."""
    if pair.likeness is not Likeness.SAME or pair.is_same_venue is False:
        return False
    if pair.is_telling and pair.people is not None:
        return pair.people.of_shorter >= _ENOUGH_AUTHORS and pair.people.has_same_given_names
    is_same_year = pair.left.year == pair.right.year and pair.share == 1
    return pair.has_key and (pair.is_telling or is_same_year)


def _is_worth_a_look(pair: Pair, *, is_contradicted: bool) -> bool:
    """Return whether a user may want to compare the two descriptions."""
    if pair.likeness is Likeness.SAME:
        is_near = pair.years <= YEARS_OF_PRINT and (pair.is_telling or pair.is_registered)
        return is_near and _has_authors(pair, _ENOUGH_AUTHORS)
    if pair.is_titled_alike:
        is_near = pair.years <= (YEARS_OF_PRINT if pair.is_preprint_and_print else 1)
        return is_near and _has_authors(pair, 1 if is_contradicted else _ENOUGH_AUTHORS)
    if is_contradicted or not pair.is_registered:
        return False
    if pair.is_in_two_scripts:
        return pair.share == 1 or pair.is_same_year
    is_same_print = pair.years == 0 and (pair.is_same_venue is True or pair.has_short_title)
    return pair.share == 1 and is_same_print


def _has_authors(pair: Pair, least: float) -> bool:
    """Return whether at least this share of the authors agrees.

    If no authors are known, a common identifier or URL or a specific title is enough.
    """
    if pair.share is not None:
        return pair.share >= least
    return bool(pair.shared_ids) or (pair.likeness is Likeness.SAME and pair.is_telling)


def _reasons(pair: Pair) -> Iterator[str]:
    """Yield the reasons for the same work."""
    for identifier in sorted(pair.shared_ids, key=lambda i: (i.scheme, i.value))[:1]:
        yield f"same {identifier.scheme}: {identifier.value}"
    if pair.likeness in _LIKE_TITLES:
        yield _LIKE_TITLES[pair.likeness][1]
    if pair.people and pair.people.number:
        yield f"{plural(pair.people.number, 'author')} in common"
    if pair.is_same_year:
        yield "same year"
