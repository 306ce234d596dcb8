"""Whether a reference names a work that exists, and whether its fields are of that one work.

What is compared is what tells works apart. Venues have too many names: one that differs is told
beside another field that does, and is no finding by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from papertrack.publication.people import in_common
from papertrack.publication.record import Record
from papertrack.publication.titles import Titles, plain_title, relate
from papertrack.records import Identifier, PaperFacts
from papertrack.same_work.people import people_of
from papertrack.same_work.places import is_same_venue
from papertrack.text import title_key

_NAMED = 0.75
"""The share of the authors named that the true work has: spellings differ."""
_NEAR = 60
"""rapidfuzz's score, of 100, from which a title is worth telling as the nearest."""
_LIKE = 90
"""The same, from which a title is this one with a slip."""
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
    if same:
        return _compared(reference, min(same, key=lambda one: _distance(reference, one)), records)
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
    """Whether a record has the reference's title, with a slip or without its subtitle."""
    one, other = reference.title, record.facts.title
    if not one or not other:
        return False
    related, against = relate(one, other)
    if against:
        return False
    return related is not Titles.OTHER or _similarity(one, other) >= _LIKE or _is_part(one, other)


def _is_part(one: str, other: str) -> bool:
    """Whether one title is the beginning of the other: references are cut short."""
    short, long = sorted((title_key(plain_title(one)), title_key(plain_title(other))), key=len)
    return len(short) >= 2 * len(long) / 5 > 0 and long.startswith(short)


def _similarity(one: str, other: str) -> float:
    from rapidfuzz import fuzz

    return fuzz.ratio(title_key(plain_title(one)), title_key(plain_title(other)))


def _names(reference: PaperFacts, record: Record) -> bool:
    """Whether an identifier of the reference is the record's."""
    return bool({*reference.identifiers} & {*record.facts.identifiers})


def _distance(reference: PaperFacts, record: Record) -> tuple[int, bool]:
    """How many fields differ, those that name it first."""
    return len(list(_differences(reference, record, (record,)))), not _names(reference, record)


def _nearest(reference: PaperFacts, records: Sequence[Record]) -> Record | None:
    scored = [(_similarity(reference.title or "", one.facts.title or ""), one) for one in records]
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
    found = [
        *_of_title(reference, record),
        *_of_authors(reference, record.facts),
        *_of_year(reference, record, records),
        *_of_identifiers(reference, record, records),
    ]
    yield from found
    if found:
        yield from _of_venue(reference, record.facts)


def _of_title(reference: PaperFacts, record: Record) -> Iterator[Difference]:
    if reference.title and record.facts.title and not is_same_title(reference, record):
        yield Difference("title", reference.title, record.facts.title)


def _of_authors(reference: PaperFacts, told: PaperFacts) -> Iterator[Difference]:
    common = in_common(reference.authors, told.authors)
    if common is None:
        return
    said, true = people_of(reference.authors), people_of(told.authors)
    is_first = not said or not true or said[0].may_be(true[0]) or not said[0].is_comparable(true[0])
    is_shorter = len(said) <= len(true)
    share = common.of_shorter if is_shorter else common.of_longer
    if not is_first or share < _NAMED:
        names = (
            "; ".join(one.name for one in some[:3]) for some in (reference.authors, told.authors)
        )
        yield Difference("author", *names)


def _of_year(
    reference: PaperFacts, record: Record, records: Sequence[Record]
) -> Iterator[Difference]:
    """Print and online, preprint and proceedings have years of their own: any of them is true."""
    years = set(_years(record))
    for other in records:
        if other is not record and _is_one(record, other):
            years |= set(_years(other))
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


def _of_venue(reference: PaperFacts, told: PaperFacts) -> Iterator[Difference]:
    if is_same_venue(reference.venue, told.venue) is False:
        yield Difference("venue", reference.venue or "", told.venue or "")
