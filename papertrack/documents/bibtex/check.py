"""Find problems within one .bib file: shared identifiers, and works entered twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from papertrack.documents.bibtex.facts import BibEntry, BibLibrary
from papertrack.documents.markdown.check.findings import Finding
from papertrack.matching.judge import ADDRESS, Answer, Description, Verdict, judge
from papertrack.matching.words import sound_of
from papertrack.records import Identifier
from papertrack.text import shorten, title_key

_Name = Identifier | str
"""What two entries can share: an identifier, a title key, or the sound of a title."""


def check_bibliography(bib: BibLibrary) -> Iterator[Finding]:
    """Yield the findings of a .bib file. Each entry is compared with the ones before it."""
    yield from _unread(bib)
    first: dict[_Name, BibEntry] = {}
    described = {entry.span: Description(entry.facts, entry.citekey) for entry in bib.entries}
    for entry in bib.entries:
        reported: set[BibEntry] = set()
        for name in _names(entry):
            other = first.setdefault(name, entry)
            if other is entry or other in reported:
                continue
            verdict = judge(described[other.span], described[entry.span])
            if finding := _finding(entry, other, name, verdict):
                reported.add(other)
                yield finding


def _unread(bib: BibLibrary) -> Iterator[Finding]:
    """Yield blocks that could not be read, and oddities that were read anyway."""
    for piece in bib.skipped:
        if piece.reason.startswith("not an entry"):
            message = f"This is {piece.reason.rstrip('.')}."
            yield Finding(piece.line, "not-read", message, shorten(piece.text, 80))
    for entry in bib.entries:
        for problem in entry.problems:
            yield Finding(entry.line, "odd-entry", f"{_key(entry)}: {problem}.", _key(entry))


def _names(entry: BibEntry) -> Iterable[_Name]:
    """Return the identifiers and title keys that identify the work, surest first."""
    names = sorted(entry.facts.identifiers, key=lambda identifier: identifier.scheme == ADDRESS)
    key = _title_key(entry)
    return [*names, key, sound_of(entry.facts.title or "", key)] if key else [*names]


def _finding(entry: BibEntry, other: BibEntry, name: _Name, verdict: Verdict) -> Finding | None:
    """Return a finding about two entries that share a name; None for most pairs."""
    place = f"{_key(other)} in line {other.line}"
    is_registered = isinstance(name, Identifier) and name.scheme != ADDRESS
    about = f"{name.scheme}:{name.value}" if isinstance(name, Identifier) else _title_key(entry)
    if verdict.answer is Answer.SAME:
        why = ", ".join(verdict.reasons)
        message = f"{_key(entry)} is the same work as {place}: {why}."
        return Finding(entry.line, "same-work", message, about, other.line)
    if not is_registered:
        return None
    why = ", ".join(verdict.against) or "another title"
    relation = "may be the same work" if verdict.answer is Answer.UNKNOWN else "is another work"
    message = f"{_key(entry)} has the {about} of {place}, and {relation}: {why}."
    return Finding(entry.line, "shared-address", message, about, other.line)


def _title_key(entry: BibEntry) -> str:
    return title_key(entry.facts.title or "")


def _key(entry: BibEntry) -> str:
    return entry.citekey or shorten(entry.facts.title or entry.type, 60)
