"""Works that a document names more than once, and addresses pasted from another work.

An identifier of an archive is of one work. A mere address is not: a repository holds several
works, and a conference has one page. It says something only of entries with one title, or if its
own words are those of one of two titles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from urllib.parse import unquote

from papertrack.documents.markdown.check.entries import quoted
from papertrack.documents.markdown.check.findings import Finding, FindingKind
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.roles import STRONG_SCHEMES, role_word, strong_identifier
from papertrack.identifiers.derived import is_telling
from papertrack.records import LinkRole
from papertrack.text import fold, shorten, title_key

UNMISTAKABLE = 25
"""Letters from which on the same title means the same work, whatever the archives' ids."""
UNMISTAKABLE_PAGE = 40
"""The same for what is at a mere address: many posts are *Introduction to Machine Learning*."""
NAVIGATION = 3
"""How often one title may lead to one address before it is a way around the document."""
ALIKE = 70
"""Per cent from which on two titles may be two spellings of one: rather told apart too seldom."""
OWN_WORDS = 0.8
"""The share of a title's words that an address must have to be this title's own."""
_WORD = re.compile(r"[^\W_]+")
_ACCOUNTS: tuple[LinkRole, ...] = ("video", "slides", "post", "note", "translation", "code", "demo")
"""What a list may hold several of for one work, each in an entry of its own."""

Name = tuple[str, str]
"""Scheme and value; the value of the scheme ``title`` is a title's letters."""


def repeated_works(
    document: Document, entries: Sequence[Entry], before: Document | None
) -> Iterator[Finding]:
    """Yield each of the entries for a work, or with an address, that one before it has already.

    Entries that an older version of the document has come first, wherever they stand.
    """
    if before is not None:
        old = {before.text[slice(*entry.span)].strip() for entry in before.entries}
        entries = sorted(entries, key=lambda e: document.text[slice(*e.span)].strip() not in old)
    first: dict[Name, Entry] = {}
    several = _rows_of_several(document)
    for entry, names in _telling(entries):
        found = (_finding(entry, first[name], name, several) for name in names if name in first)
        yield from [*filter(None, found)][:1]
        for name in names:
            first.setdefault(name, entry)


def _telling(entries: Sequence[Entry]) -> Iterator[tuple[Entry, list[Name]]]:
    """Yield the entries with the names by which the same work is known again: not an address that
    one title has often."""
    named = [(entry, title_key(entry.fields.title)) for entry in entries]
    often = Counter((key, name) for entry, key in named for name in _names(entry, key))
    for entry, key in named:
        names = _names(entry, key)
        yield entry, [one for one in names if _is_strong(one) or often[key, one] <= NAVIGATION]


def _rows_of_several(document: Document) -> set[int]:
    """Return the lines of rows that hold several works."""
    times = Counter(entry.line for entry in document.entries)
    rows = (entry for entry in document.entries if entry.anatomy.table is not None)
    return {entry.line for entry in rows if times[entry.line] > 1 or _links_several(entry)}


def _links_several(entry: Entry) -> bool:
    urls = {link.url for link in entry.anatomy.links if link.role == "paper"}
    if len(urls) < 2:
        return False
    found = filter(None, {strong_identifier(url) for url in urls})
    return max(Counter(one.scheme for one in found).values(), default=0) > 1


def _names(entry: Entry, key: str) -> list[Name]:
    """Return the names by which the same work is known again; ``key`` are its title's letters."""
    names = [(one.scheme, one.value) for one in entry.identifiers]
    is_archived = not names or any(map(_is_strong, names))
    enough = UNMISTAKABLE if is_archived else UNMISTAKABLE_PAGE
    return [*names, ("title", key)] if len(key) >= enough else names


def _is_strong(name: Name) -> bool:
    return name[0] in STRONG_SCHEMES


def _kind(name: Name, entry: Entry, before: Entry) -> FindingKind | None:
    """Return what it is that two entries have this name; None where it is nothing."""
    one, other = entry.fields.title, before.fields.title
    if _is_part(entry, before) or (_holds_works(entry, before) and not _is_same(one, other)):
        return None
    if name[0] == "url" and not (_names_work(entry) and _names_work(before)):
        return None
    if name[0] == "url" and not _is_same(one, other):
        return "shared-address" if _is_of_one(name[1], one, other) else None
    if _is_strong(name) and are_different(one, other):
        return "shared-address"
    if entry.category != before.category:
        return "several-sections"
    is_on_purpose = name[0] != "title" and _are_accounts(entry, before)
    return None if is_on_purpose else "duplicate"


def _names_work(entry: Entry) -> bool:
    """Whether a title tells what is at an address: it is the link, and no number, or it is long."""
    title = entry.fields.title
    is_linked = entry.anatomy.title_link is not None and any(map(str.isalpha, title))
    return is_linked or is_telling(title_key(title))


def _is_part(entry: Entry, before: Entry) -> bool:
    return before.span[0] <= entry.span[0] < before.span[1]


def _holds_works(entry: Entry, before: Entry) -> bool:
    """Whether one of them is a block with a summary: all links in it are taken for its own."""
    return "details" in (entry.shape, before.shape)


def _is_same(one: str, other: str) -> bool:
    """Whether two titles of one page are one, and name it: ``Code`` names nothing."""
    keys = title_key(one), title_key(other)
    return keys[0] == keys[1] != "" and role_word(one) is None


def are_different(one: str, other: str) -> bool:
    """Return whether two titles are of different works for sure: a name of a word or two may be any
    work's."""
    if min(len(_words(one)), len(_words(other))) < 3:
        return False
    from rapidfuzz import fuzz

    numbers = _numbers(one), _numbers(other)
    if all(numbers) and numbers[0].isdisjoint(numbers[1]):
        return True
    keys = title_key(one), title_key(other)
    words = " ".join(_words(one)), " ".join(_words(other))
    return max(fuzz.partial_ratio(*keys), fuzz.token_set_ratio(*words)) < ALIKE


def _is_of_one(url: str, one: str, other: str) -> bool:
    """Whether an address has the words of one of two titles, and not those of the other."""
    words = set(_words(unquote(url.partition("://")[2].partition("/")[2])))
    return _is_own(one, words) != _is_own(other, words)


def _is_own(title: str, words: set[str]) -> bool:
    own = _words(title)
    has_numbers = _numbers(title) <= words
    return has_numbers and len(own) >= 3 and len(words.intersection(own)) >= OWN_WORDS * len(own)


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _numbers(title: str) -> set[str]:
    """The numbers of a title that tell works apart: not those of a year."""
    return {word for word in _words(title) if word.isdecimal() and len(word) < 4}


def _are_accounts(entry: Entry, before: Entry) -> bool:
    """Whether two entries tell of one work on purpose: in two videos, two posts, two programs."""
    urls = [(_urls_of(entry, role), _urls_of(before, role)) for role in _ACCOUNTS]
    return any(ours and theirs and ours.isdisjoint(theirs) for ours, theirs in urls)


def _urls_of(entry: Entry, role: LinkRole) -> set[str]:
    return {link.url for link in entry.fields.links if link.role == role}


def _finding(entry: Entry, before: Entry, name: Name, several: AbstractSet[int]) -> Finding | None:
    kind = _kind(name, entry, before)
    if kind == "duplicate" and not several.isdisjoint({entry.line, before.line}):
        # A row that holds several works is a section of its own.
        kind = None if entry.line == before.line else "several-sections"
    return None if kind is None else _told(entry, before, name, kind)


def _told(entry: Entry, before: Entry, name: Name, kind: FindingKind) -> Finding:
    place = f"line {before.line}"
    if kind == "shared-address":
        message = f"has the same address as {quoted(before)} in {place}."
    elif kind == "duplicate":
        message = f"is in {place} already, in the same section{_alias(entry, before)}."
    elif entry.category == before.category:
        message = f"is in {place} too{_alias(entry, before)}, in another row."
    else:
        paths = " and ".join(" / ".join(path) or "no section" for path in _paths(before, entry))
        message = f"is in {place} too{_alias(entry, before)}: it is listed under {shorten(paths)}."
    return Finding(entry.line, kind, f"{quoted(entry)} {message}", ":".join(name), before.line)


def _alias(entry: Entry, before: Entry) -> str:
    """Return what the other entry calls the work, where that is something else."""
    keys = title_key(entry.fields.title), title_key(before.fields.title)
    return "" if keys[0] in keys[1] or keys[1] in keys[0] else f", as {quoted(before)}"


def _paths(*entries: Entry) -> list[tuple[str, ...]]:
    """Return the categories of the entries without what all of them start with."""
    paths = [entry.category for entry in entries]
    while all(len(path) > 1 for path in paths) and len({path[0] for path in paths}) == 1:
        paths = [path[1:] for path in paths]
    return paths
