"""Check whether a reference names an existing work, and whether its fields are of that work.

The fields that distinguish works are compared. Venues have too many names, so another venue is
reported only beside another field that differs. Other letters within a word are a typo; another
word is another work. An author is reported if added, missing, moved, or with another given name. A
value counts as true if any record of the work has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from papertrack.identifiers.derived import is_telling
from papertrack.matching.people import Person, compare_authors, is_cut, people_of
from papertrack.matching.publications import Record
from papertrack.matching.titles import is_slip, may_be_one_title, plain_title
from papertrack.matching.venues import is_same_venue
from papertrack.matching.words import script_of
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.text import title_key

_MIN_NEAREST_SCORE = 60
"""rapidfuzz's score, of 100, from which a title is reported as the nearest."""
_MAX_SHOWN = 3
"""Authors shown of a list that differs."""
_EXCLUSIVE = ("doi", "arxiv")


class Finding(StrEnum):
    """The result of checking one reference."""

    SOUND = "sound"
    DIFFERS = "differs"
    """The work exists, and some fields are not its own."""
    UNKNOWN = "unknown"
    """No source that could know the work knows it."""
    WITHDRAWN = "withdrawn"
    OUTDATED = "outdated"
    """arXiv has a newer version than the one cited."""
    UNCHECKED = "unchecked"
    """No register covers such works: a web page, a manual, software."""
    NOT_LOOKED = "could not look"


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that differs from the work's."""

    field: str
    said: str
    true: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking one reference, with the work."""

    finding: Finding
    nearest: Record | None = None
    """The work that it names, or the nearest one."""
    differences: tuple[Difference, ...] = ()


def audit(
    reference: PaperFacts,
    records: Sequence[Record],
    *,
    is_complete: bool,
    missing: Collection[Identifier] = (),
) -> Verdict:
    """Judge one reference by the records of sources.

    ``is_complete`` says that all sources answered that could know the work: without that, a missing
    work may exist. ``missing`` are identifiers that their registry does not know.
    """
    work = _find_work(reference, records)
    nearest = work or _nearest(reference, records)
    unassigned = [
        Difference(identifier.scheme, identifier.value, "names nothing")
        for identifier in reference.identifiers
        if nearest and identifier in missing
    ]
    differences = (*unassigned, *(_differences(reference, work, records) if work else ()))
    if differences:
        return Verdict(Finding.DIFFERS, nearest, differences)
    if work is None:
        unknown = Finding.UNKNOWN if is_registered(reference) else Finding.UNCHECKED
        return Verdict(unknown if is_complete else Finding.NOT_LOOKED, nearest)
    same_work = [other for other in records if other is work or _shares_id(reference, other)]
    if any(other.facts.is_withdrawn for other in same_work):
        return Verdict(Finding.WITHDRAWN, work)
    newest = max(other.facts.version or 0 for other in same_work)
    if reference.version and newest > reference.version:
        difference = Difference("version", str(reference.version), str(newest))
        return Verdict(Finding.OUTDATED, work, (difference,))
    return Verdict(Finding.SOUND, work)


def is_registered(reference: PaperFacts) -> bool:
    """Return whether a register covers such works, so that an unknown one does not exist."""
    if any(reference.identifier(scheme) for scheme in _EXCLUSIVE):
        return True
    return reference.published_type in ("article", "inproceedings", "conference")


def is_same_title(reference: PaperFacts, record: Record) -> bool:
    """Return whether a record has the reference's title, with a typo or shortened."""
    return may_be_one_title(reference.title, record.facts.title)


def _find_work(reference: PaperFacts, records: Sequence[Record]) -> Record | None:
    """Return the record of the work: that with its title, or else with its identifier."""
    named = [record for record in records if _shares_id(reference, record)]
    titled = [
        record
        for record in records
        if is_same_title(reference, record)
        and (record in named or not _is_namesake(reference, record))
    ]
    # If several differ in as few fields, prefer the one that an identifier names.
    differing = [len([*_differences(reference, r, (r,))]) + 0.5 * (r not in named) for r in titled]
    if titled:
        return titled[differing.index(min(differing))]
    # The identifier is of another work, or no work has the title.
    return next(iter(named), None)


def _is_namesake(reference: PaperFacts, record: Record) -> bool:
    """Return whether a record with the same title is another work.

    It is if the people differ, and the year too or the title is common.
    """
    common = compare_authors(reference.authors, record.facts.authors)
    is_other_year = bool([*_year_differences(reference, (record,))])
    is_common_title = not is_telling(title_key(reference.title or ""))
    return common is not None and not common.number and (is_other_year or is_common_title)


def _shares_id(reference: PaperFacts, record: Record) -> bool:
    """Return whether the reference and the record share an identifier."""
    return not {*reference.identifiers}.isdisjoint(record.facts.identifiers)


def _nearest(reference: PaperFacts, records: Sequence[Record]) -> Record | None:
    from rapidfuzz import fuzz, process

    titles = [title_key(plain_title(record.facts.title or "")) for record in records]
    title = title_key(plain_title(reference.title or ""))
    best = process.extractOne(title, titles, scorer=fuzz.ratio, score_cutoff=_MIN_NEAREST_SCORE)
    return records[best[2]] if best else None


def _differences(
    reference: PaperFacts, record: Record, records: Sequence[Record]
) -> Iterator[Difference]:
    same_work = [record, *(o for o in records if o is not record and _is_same_work(record, o))]
    said, true = reference, record.facts
    differences = [
        *_year_differences(reference, same_work),
        *_identifier_differences(reference, record, records),
    ]
    if not any(_are_same_people(said.authors, other.facts.authors) for other in same_work):
        names = ("; ".join(a.name for a in f.authors[:_MAX_SHOWN]) for f in (said, true))
        differences.insert(0, Difference("author", *names))
    if said.title and true.title and not is_same_title(reference, record):
        differences.insert(0, Difference("title", said.title, true.title))
    yield from differences
    if differences and is_same_venue(said.venue, true.venue) is False:
        yield Difference("venue", said.venue or "", true.venue or "")


def _are_same_people(authors: Sequence[Author], others: Sequence[Author]) -> bool:
    """Return whether two author lists name the same people in order, if they can be compared.

    A list that ends with *et al.* may lack people.
    """
    common = compare_authors(authors, others)
    if common is None or common.is_of_groups:
        return common is None or common.number > 0
    cited, true = people_of(authors), people_of(others)
    cut = is_cut(authors), is_cut(others)
    if not any(cut) and len(cited) != len(true):
        return False
    few, many = (cited, iter(true)) if cut[0] and len(cited) <= len(true) else (true, iter(cited))
    return _is_same_person(cited[0], true[0]) and all(
        any(_is_same_person(person, other) for other in many) for person in few
    )


def _is_same_person(person: Person, other: Person) -> bool:
    if script_of(person.family) != script_of(other.family) or person.is_turned(other):
        return True
    is_family = person.may_be(other) or is_slip((person.family,), (other.family,))
    return is_family and person.may_have_given_name_of(other)


def _year_differences(reference: PaperFacts, records: Sequence[Record]) -> Iterator[Difference]:
    """Yield a year that no record has; print, online and preprint may each have their own."""
    years = {year for record in records for year in record.all_years}
    if reference.year and years and reference.year not in years:
        yield Difference("year", str(reference.year), " or ".join(map(str, sorted(years))))


def _is_same_work(record: Record, other: Record) -> bool:
    """Return whether two records, as of preprint and publication, are of the same work."""
    common = compare_authors(record.facts.authors, other.facts.authors)
    return is_same_title(record.facts, other) and common is not None and common.is_enough


def _identifier_differences(
    reference: PaperFacts, record: Record, records: Sequence[Record]
) -> Iterator[Difference]:
    """Yield the identifiers of the reference that are of another work."""
    for scheme in _EXCLUSIVE:
        value = reference.identifier(scheme)
        owners = [o for o in records if value and o.facts.identifier(scheme) == value]
        other_works = [o for o in owners if not _is_same_work(record, o)]
        if value and other_works and record not in owners:
            yield Difference(scheme, value, f"of another work: {other_works[0].facts.title}")
