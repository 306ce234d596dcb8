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

from papertrack.identifiers.derived import is_telling
from papertrack.matching.people import Common, compare_authors, people_of
from papertrack.matching.titles import Likeness, Relation, compare_titles
from papertrack.matching.venues import is_same_venue
from papertrack.matching.words import pattern_of, table_of, terms, tokens_of
from papertrack.records import Identifier, PaperFacts
from papertrack.text import plural, title_key

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

ANY_FORM = "any"
"""The kind of a work of an unknown type. ``terms.txt`` has the others."""
_COMPATIBLE_FORMS = ({"an article", "a chapter"}, {"an article", "a report"})
"""A chapter of proceedings may be entered as an article, and so may a report."""
_VERSIONED = {"data", "software"}
NOT_PAPERS = {"a thesis", "a book"} | _VERSIONED
"""Kinds that may have the title of a preprint without being that paper."""
_DATED_FORMS = {"a report", "something else"} | _VERSIONED
"""Kinds of which another year is another work: yearly reports, versions of programs."""
_DEGREES = {"phdthesis", "mastersthesis"}
_THESIS = r"(?i)\b(?:<theses>)\b"
_PLACE_OF_FIELD = {
    **{name: name for name in ("volume", "number", "pages", "eid", "chapter", "edition")},
    **{"issue": "number", "articleno": "eid"},
}
_VERSION = re.compile(r"(?i)(?:\b(?:version|ver|release|rel|v)\b\.?\s*|\bv)([0-9]+(?:\.[0-9]+)*)")
_VERSION_FIELDS = ("note", "howpublished", "number", "type", "series")


@dataclass(frozen=True)
class Description:
    """One source's description of a work: a BibTeX entry, a row, a paper of the library."""

    facts: PaperFacts
    key: str | None = None
    """The citation key in the source, if the caller gave it."""

    @cached_property
    def identifiers(self) -> frozenset[Identifier]:
        """The identifiers, in no order."""
        return frozenset(self.facts.identifiers)

    @cached_property
    def form(self) -> str:
        """The kind of work; ``any`` for ``misc`` and unknown types."""
        form = table_of("forms").get(self.facts.published_type or "", ANY_FORM)
        fields = ("type", "note", "howpublished")
        notes = " / ".join(value for name, value in self.facts.publication if name in fields)
        is_open = form in (ANY_FORM, "a report", "a book")
        return "a thesis" if is_open and pattern_of(_THESIS).search(notes) else form

    @cached_property
    def in_print(self) -> Mapping[str, str]:
        """Volume, number, first page, chapter and edition, if known and not empty."""
        places: dict[str, str] = {}
        for name, value in self.facts.publication:
            place = _plain_place(value)
            if name == "edition":
                place = next(filter(str.isdecimal, place.split()), place)
            if name in _PLACE_OF_FIELD and place:
                places.setdefault(_PLACE_OF_FIELD[name], place)
        return places

    @cached_property
    def version(self) -> str | None:
        """The version of a program or data set, from its own field or a note.

        None for a work with an arXiv id: another version of a preprint is the same work.
        """
        fields = dict(self.facts.publication)
        texts = [fields.get(name, "") for name in _VERSION_FIELDS]
        number = re.sub(r"^[^0-9]+", "", fields.get("version", ""))
        match = _VERSION.search(" / ".join([f"version {number}", *texts]))
        # 1.0 is version 1.
        return re.sub(r"(?:\.0)+$", "", match[1]) if match and not self.values("arxiv") else None

    @property
    def is_published(self) -> bool:
        """Whether the work is published, and not a preprint or a web page."""
        return self.facts.venue is not None or self.form not in (ANY_FORM, "an article")

    def values(self, scheme: str) -> set[str]:
        """Return the identifiers of one scheme."""
        return {identifier.value for identifier in self.identifiers if identifier.scheme == scheme}


def _plain_place(value: str) -> str:
    """Return a place in print, normalized: ``XII`` as 12, ``431–456`` as 431, ``58 (9)`` as 58."""
    start = re.split(r"(?<=[0-9])\s*[-–—]", value.upper())[0]
    words = [word for word in tokens_of(start) if word not in terms("places")]
    # The whole text of a report number counts: TM-12 is not TM-13.
    return words[0] if words and words[0].isdecimal() else " ".join(words)


class Pair:
    """Two descriptions, and what they have in common."""

    def __init__(self, left: Description, right: Description, has_key: bool = False) -> None:
        self.left, self.right = left, right
        self.has_key = has_key
        """Whether both have the same citation key."""
        one, other = left.facts, right.facts
        self.titles: Relation = compare_titles(one.title, other.title)
        self.likeness = self.titles.likeness
        self.is_titled_alike = self.likeness in _LIKE_TITLES
        """Whether the titles may be the same."""
        self.is_telling = is_telling(title_key(one.title or ""))
        """Whether the title is specific to one work: *Introduction* is not."""
        words = [len((title or "").split()) for title in (one.title, other.title)]
        self.has_short_title = min(words) < _MIN_TITLE_WORDS
        """Whether one title is a name of one or two words, as in many lists."""
        self.people: Common | None = compare_authors(one.authors, other.authors)
        """None if an author list is empty, or if they are in scripts that cannot be compared."""
        self.share = self.people.of_shorter if self.people else None
        """The share of the shorter author list that is in the other, or None."""
        is_unknown = self.share is None and people_of(one.authors) and people_of(other.authors)
        titles = self.likeness is Likeness.UNKNOWN and one.title and other.title
        self.is_incomparable = bool(titles or is_unknown)
        """Whether titles or authors cannot be compared, because they are in two scripts."""
        self.shared_ids = left.identifiers & right.identifiers
        self.is_registered = any(shared.scheme != ADDRESS for shared in self.shared_ids)
        """Whether both have an identifier in common that is more than a URL."""
        self.is_dated_alike = one.year == other.year is not None
        self.years = abs(one.year - other.year) if one.year and other.year else 0
        """The years between them; 0 if a year is missing."""
        self.is_preprint_and_print = left.is_published != right.is_published
        self.is_on_arxiv = bool(left.values("arxiv") or right.values("arxiv"))
        """Whether one of them has an arXiv id."""
        self.forms = {left.form, right.form}
        """The kinds of work that the two descriptions give."""
        self.is_versioned = not self.forms.isdisjoint(_VERSIONED)

    @cached_property
    def is_same_venue(self) -> bool | None:
        """Whether both have the same venue; None if one has none."""
        return is_same_venue(self.left.facts.venue, self.right.facts.venue)

    @cached_property
    def places(self) -> Mapping[str, tuple[str, str]]:
        """Places in print that both give, without the edition: name to both values."""
        left, right = self.left.in_print, self.right.in_print
        return {n: (left[n], right[n]) for n in sorted({*left} & {*right} - {"edition"})}

    @property
    def is_same_page(self) -> bool:
        """Whether both start on the same page of the same volume, so that they are one work."""
        is_same = all(left == right for left, right in self.places.values())
        return is_same and "pages" in self.places and len(self.places) > 1


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
    reasons = tuple(_reasons(pair))
    for reason, is_final in _objections(pair):
        against.append(reason)
        if is_final:
            return Verdict(Answer.DIFFERENT, 0, reasons, tuple(against))
    if not against and (_is_same_by_id(pair) or _is_same_by_title(pair)):
        answer, strength = Answer.SAME, 70
    elif _is_worth_a_look(pair, is_contradicted=bool(against)):
        answer, strength = Answer.UNKNOWN, 55
    else:
        return Verdict(Answer.DIFFERENT, 0, reasons, tuple(against))
    strength += _LIKE_TITLES.get(pair.likeness, (0, ""))[0] + round(10 * (pair.share or 0))
    strength += 20 * pair.is_registered or 10 * bool(pair.shared_ids)
    strength -= 8 * len(against) + min(5, pair.years)
    return Verdict(answer, max(MIN_STRENGTH, min(99, strength)), reasons, tuple(against))


def _objections(pair: Pair) -> Iterator[tuple[str, bool]]:
    """Yield the reasons against the same work, and whether no other evidence outweighs them."""
    # A collaboration may be named instead of its members.
    if pair.share == 0 and not (pair.is_registered and pair.likeness is Likeness.SAME):
        yield "no author in common", True
    if pair.titles.against:
        yield pair.titles.against, True
    elif pair.titles.version and not pair.is_registered:
        yield pair.titles.version, False
    yield from _kind_objections(pair)
    if pair.years > _years_allowed(pair):
        is_dated = len(pair.forms) == 1 and pair.forms <= _DATED_FORMS
        yield f"{plural(pair.years, 'year')} apart", is_dated
    yield from _edition_objections(pair)
    # Volumes, pages and so on of one venue. A common identifier outweighs one that differs.
    is_outweighed = pair.is_registered and pair.is_titled_alike
    places = pair.places.items()
    differing = [f"{name} {one} and {other}" for name, (one, other) in places if one != other]
    if len(differing) > (len(places) - len(differing) if is_outweighed else 0):
        yield f"published elsewhere: {', '.join(differing)}", pair.is_same_venue is not False
    for scheme, noun in _EXCLUSIVE.items():
        left, right = pair.left.values(scheme), pair.right.values(scheme)
        if left and right and left.isdisjoint(right):
            yield f"different {noun}", False


def _kind_objections(pair: Pair) -> Iterator[tuple[str, bool]]:
    """Yield the objections between two kinds of work, as between an article and a thesis."""
    known = pair.forms - {ANY_FORM}
    if len(known) > 1 and known not in _COMPATIBLE_FORMS:
        yield f"{pair.left.form} and {pair.right.form}", True
    elif {pair.left.facts.published_type, pair.right.facts.published_type} == _DEGREES:
        yield "a PhD thesis and a master's thesis", True
    elif pair.is_on_arxiv and not pair.is_registered and len(pair.forms) > len(known):
        yield from ((f"only one is {form}", False) for form in known & NOT_PAPERS)


def _years_allowed(pair: Pair) -> int:
    """Return how many years may lie between two descriptions of the same work."""
    if pair.is_registered and not pair.is_versioned:
        return _YEARS_OF_IDENTIFIER if pair.is_titled_alike else YEARS_OF_PRINT
    if pair.is_preprint_and_print:
        return YEARS_OF_PRINT
    return 1 if pair.is_on_arxiv and not pair.left.is_published else 0


def _edition_objections(pair: Pair) -> Iterator[tuple[str, bool]]:
    """Yield the objections of two versions of a program or two editions of a book."""
    left, right = pair.left.version, pair.right.version
    if left != right and left and right:
        yield f"versions {left} and {right}", True
    elif left != right and (pair.is_versioned or not pair.is_registered):
        yield f"only one is version {left or right}", False
    left, right = pair.left.in_print.get("edition"), pair.right.in_print.get("edition")
    if left != right and "a book" in pair.forms and (pair.years or (left and right)):
        yield "another edition", True


def _is_same_by_id(pair: Pair) -> bool:
    """Return whether an identifier says so, and titles or authors confirm it."""
    if pair.shared_ids and pair.is_titled_alike:
        return True
    if not pair.is_registered:
        return False
    if pair.is_incomparable:
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
    is_same_year = pair.left.facts.year == pair.right.facts.year and pair.share == 1
    return pair.has_key and (pair.is_telling or is_same_year)


def _is_worth_a_look(pair: Pair, *, is_contradicted: bool) -> bool:
    """Return whether a user may want to compare the two descriptions."""
    is_same = pair.likeness is Likeness.SAME
    if pair.is_titled_alike:
        is_near = pair.years <= (YEARS_OF_PRINT if is_same or pair.is_preprint_and_print else 1)
        is_known = not is_same or pair.is_telling or pair.is_registered
        least = 1 if is_contradicted and not is_same else _ENOUGH_AUTHORS
        # If no authors are known, a common identifier or URL or a specific title is enough.
        is_confirmed = bool(pair.shared_ids) or (is_same and pair.is_telling)
        has_authors = is_confirmed if pair.share is None else pair.share >= least
        return is_near and is_known and has_authors
    if is_contradicted or not pair.is_registered:
        return False
    if pair.is_incomparable:
        return pair.share == 1 or pair.is_dated_alike
    is_named_alike = pair.is_same_venue is True or pair.has_short_title
    return pair.share == 1 and pair.years == 0 and is_named_alike


def _reasons(pair: Pair) -> Iterator[str]:
    """Yield the reasons for the same work."""
    for identifier in sorted(pair.shared_ids)[:1]:
        yield f"same {identifier.scheme}: {identifier.value}"
    if pair.likeness in _LIKE_TITLES:
        yield _LIKE_TITLES[pair.likeness][1]
    if pair.people and pair.people.number:
        yield f"{plural(pair.people.number, 'author')} in common"
    if pair.is_dated_alike:
        yield "same year"
