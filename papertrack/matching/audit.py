"""Whether a reference names a work that exists, and whether its fields are of that one work.

What is compared is what tells works apart. Venues have too many names: one that differs is told
beside another field that does, and is no finding by itself. Letters within one word are a slip, and
another word is another work; each author is told who is added, missing, in another place or has
another given name. What any record of the work says is true.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from papertrack.identifiers.derived import is_telling
from papertrack.matching.people import Person, in_common, is_cut, people_of
from papertrack.matching.publications import Record
from papertrack.matching.titles import (
    Likeness,
    compare_titles,
    is_long_enough,
    is_slip,
    plain_title,
)
from papertrack.matching.venues import is_same_venue
from papertrack.matching.words import script_of
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.text import title_key

_NEAR = 60
"""rapidfuzz's score, of 100, from which a title is worth telling as the nearest."""
_BEGINNING = 0.4
"""The share of a title that a reference which is cut short has at least."""
_SHOWN = 3
"""Authors that are told of a list that differs."""
_EXCLUSIVE = ("doi", "arxiv")


class Finding(StrEnum):
    """What a reference comes to."""

    SOUND = "sound"
    DIFFERS = "differs"
    """There is such a work, and some fields are not its own."""
    UNKNOWN = "unknown"
    """All who were asked, and could know it, know no such work."""
    WITHDRAWN = "withdrawn"
    OUTDATED = "outdated"
    """A newer version is at arXiv than the one cited."""
    UNCHECKED = "unchecked"
    """Nobody keeps a register of such things: a page, a manual, software."""
    NOT_LOOKED = "could not look"


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that is not the work's."""

    field: str
    said: str
    true: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found of one reference."""

    finding: Finding
    nearest: Record | None = None
    """The work that it names, or the one nearest to it."""
    differences: tuple[Difference, ...] = ()


def audit(
    reference: PaperFacts,
    records: Sequence[Record],
    *,
    is_complete: bool,
    missing: Collection[Identifier] = (),
) -> Verdict:
    """Judge one reference by what sources say. ``is_complete`` tells whether all were heard who
    could know it: without that, what nobody told of may exist. ``missing`` are identifiers that
    name nothing, as who gives them away says."""
    verdict = _judged(reference, records, is_complete=is_complete)
    nothing = tuple(
        Difference(one.scheme, one.value, "names nothing")
        for one in reference.identifiers
        if one in missing
    )
    if not nothing or verdict.nearest is None:
        return verdict
    return Verdict(Finding.DIFFERS, verdict.nearest, (*nothing, *verdict.differences))


def _judged(reference: PaperFacts, records: Sequence[Record], *, is_complete: bool) -> Verdict:
    named = [one for one in records if _names(reference, one)]
    same = [one for one in records if is_same_title(reference, one)]
    same = [one for one in same if one in named or not _is_namesake(reference, one)]
    if same:
        # Of those that differ in as few fields the one that an identifier names.
        told = {id(one): len([*_differences(reference, one, (one,))]) for one in same}
        best = min(same, key=lambda one: (told[id(one)], not _names(reference, one)))
        return _compared(reference, best, records)
    if named:
        # The identifier is of another work, or the title is nobody's.
        return _compared(reference, named[0], records)
    nearest = _nearest(reference, records)
    if not is_complete:
        return Verdict(Finding.NOT_LOOKED, nearest)
    return Verdict(Finding.UNKNOWN if is_registered(reference) else Finding.UNCHECKED, nearest)


def is_registered(reference: PaperFacts) -> bool:
    """Whether somebody keeps a register of such works, so that an unknown one does not exist."""
    if any(reference.identifier(scheme) for scheme in _EXCLUSIVE):
        return True
    return reference.published_type in ("article", "inproceedings", "conference")


def is_same_title(reference: PaperFacts, record: Record) -> bool:
    """Whether a record has the reference's title, with a slip, or one of both is cut short."""
    one, other = reference.title, record.facts.title
    if not one or not other:
        return False
    titles = compare_titles(one, other)
    if titles.against or titles.version:
        return False
    if titles.is_one or titles.likeness is Likeness.SLIP:
        return True
    if titles.likeness is Likeness.CUT and is_long_enough(one, other):
        return True
    short, long = sorted((title_key(plain_title(title)) for title in (one, other)), key=len)
    return len(short) >= _BEGINNING * len(long) > 0 and long.startswith(short)


def _is_namesake(reference: PaperFacts, record: Record) -> bool:
    """Whether a record of the same title is of other people and another year, or of a title that
    many works have: another work."""
    common = in_common(reference.authors, record.facts.authors)
    is_telling_title = is_telling(title_key(reference.title or ""))
    years = {*_years(record)}
    is_other_year = bool(reference.year and years and reference.year not in years)
    return common is not None and not common.number and (is_other_year or not is_telling_title)


def _names(reference: PaperFacts, record: Record) -> bool:
    """Whether an identifier of the reference is the record's."""
    return bool({*reference.identifiers} & {*record.facts.identifiers})


def _nearest(reference: PaperFacts, records: Sequence[Record]) -> Record | None:
    from rapidfuzz import fuzz

    key = title_key(plain_title(reference.title or ""))
    keys = [title_key(plain_title(one.facts.title or "")) for one in records]
    scored = [(fuzz.ratio(key, other), one) for other, one in zip(keys, records, strict=True)]
    best = max(scored, key=lambda pair: pair[0], default=None)
    return best[1] if best and best[0] >= _NEAR else None


def _compared(reference: PaperFacts, record: Record, records: Sequence[Record]) -> Verdict:
    differences = tuple(_differences(reference, record, records))
    if differences:
        return Verdict(Finding.DIFFERS, record, differences)
    same = [one for one in records if one is record or _names(reference, one)]
    if any(one.facts.is_withdrawn for one in same):
        return Verdict(Finding.WITHDRAWN, record)
    newest = max((one.facts.version or 0 for one in same), default=0)
    if reference.version and newest > reference.version:
        told = Difference("version", str(reference.version), str(newest))
        return Verdict(Finding.OUTDATED, record, (told,))
    return Verdict(Finding.SOUND, record)


def _differences(
    reference: PaperFacts, record: Record, records: Sequence[Record]
) -> Iterator[Difference]:
    every = [record, *(one for one in records if one is not record and _is_one(record, one))]
    found = [
        *_of_title_and_authors(reference, every),
        *_of_year(reference, every),
        *_of_identifiers(reference, record, records),
    ]
    yield from found
    venue, told = reference.venue, record.facts.venue
    if found and is_same_venue(venue, told) is False:
        yield Difference("venue", venue or "", told or "")


def _of_title_and_authors(reference: PaperFacts, records: Sequence[Record]) -> Iterator[Difference]:
    """What differs of title and authors: any record's authors are true."""
    true = records[0].facts
    if reference.title and true.title and not is_same_title(reference, records[0]):
        yield Difference("title", reference.title, true.title)
    if not any(_are_same(reference.authors, one.facts.authors) for one in records):
        named = reference.authors, true.authors
        yield Difference("author", *("; ".join(a.name for a in of[:_SHOWN]) for of in named))


def _are_same(authors: Sequence[Author], others: Sequence[Author]) -> bool:
    """Whether two lists are of the same people in their order, as far as they can be compared; one
    that says that there are others is as good without them."""
    common = in_common(authors, others)
    if common is None or common.is_of_groups:
        return common is None or common.number > 0
    said, true = people_of(authors), people_of(others)
    cut = is_cut(authors), is_cut(others)
    if not any(cut) and len(said) != len(true):
        return False
    few, many = (said, iter(true)) if cut[0] and len(said) <= len(true) else (true, iter(said))
    return _is_same_person(said[0], true[0]) and all(
        any(_is_same_person(one, other) for other in many) for one in few
    )


def _is_same_person(one: Person, other: Person) -> bool:
    if script_of(one.family) != script_of(other.family) or one.is_turned(other):
        return True
    is_family = one.may_be(other) or is_slip((one.family,), (other.family,))
    return is_family and one.may_be_called(other)


def _of_year(reference: PaperFacts, records: Sequence[Record]) -> Iterator[Difference]:
    """Print and online, preprint and proceedings have years of their own: any of them is true."""
    years = {year for one in records for year in _years(one)}
    if reference.year and years and reference.year not in years:
        yield Difference("year", str(reference.year), " or ".join(map(str, sorted(years))))


def _years(record: Record) -> Iterator[int]:
    facts = record.facts
    yield from record.years
    if facts.year:
        yield facts.year
    for date in (facts.submitted, facts.updated):
        if date:
            yield int(date[:4])


def _is_one(record: Record, other: Record) -> bool:
    """Whether two records are of one work: of preprint and publication."""
    common = in_common(record.facts.authors, other.facts.authors)
    return is_same_title(record.facts, other) and common is not None and common.is_enough


def _of_identifiers(
    reference: PaperFacts, record: Record, records: Sequence[Record]
) -> Iterator[Difference]:
    """An identifier of the reference that names another work than this one."""
    for scheme in _EXCLUSIVE:
        value = reference.identifier(scheme)
        owners = [one for one in records if value and one.facts.identifier(scheme) == value]
        others = [one for one in owners if one is not record and not _is_one(record, one)]
        if value and others and record not in owners:
            yield Difference(scheme, value, f"of another work: {others[0].facts.title}")
