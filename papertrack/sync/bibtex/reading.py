"""Reading a .bib file, and finding in it the entries that were seen last time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from papertrack.documents.bibtex import BibEntry, BibLibrary, decode_bib, parse_bibtex
from papertrack.errors import DocumentError
from papertrack.library.files import read_file
from papertrack.store.documents import StoredEntry
from papertrack.sync.bibtex.values import SCHEMES
from papertrack.text import title_key

_T = TypeVar("_T")
_NamesOf = Callable[[_T], Sequence[Hashable]]


@dataclass(frozen=True, slots=True)
class ReadBib:
    """A .bib file as it was read, and what it holds."""

    path: Path
    data: bytes
    text: str
    encoding: str
    """As ``decode_bib`` names it."""
    bib: BibLibrary


def read_bib(path: Path) -> ReadBib:
    """Read and parse a .bib file.

    Raises NotFoundError, PapertrackError or DocumentError, naming the file, when it is not there,
    cannot be read, or is no .bib file.
    """
    data = read_file(path)
    try:
        text, encoding = decode_bib(data)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from error
    return ReadBib(path, data, text, encoding, parse_bibtex(text, file=str(path)))


def entry_keys(entries: Sequence[BibEntry]) -> list[str]:
    """What tells each entry from the others of its file: its citekey, numbered when repeated."""
    seen: Counter[str] = Counter()
    keys = []
    for entry in entries:
        key = entry.citekey or ""
        seen[key] += 1
        keys.append(key if seen[key] == 1 else f"{key}#{seen[key]}")
    return keys


def match_bib_entries(
    stored: Sequence[StoredEntry], entries: Sequence[BibEntry]
) -> dict[int, StoredEntry]:
    """Position in ``entries`` → the stored entry that it is: by key, identifier, then title.

    Each rule is tried on all entries before the next one; an entry that the reader had taken out
    is found again only where none that was in the file fits.
    """
    keys = entry_keys(entries)
    rules: tuple[tuple[_NamesOf[StoredEntry], _NamesOf[int]], ...] = (
        (lambda before: [before.key], lambda number: [keys[number]]),
        (
            lambda before: [(s, before.base[s]) for s in SCHEMES if s in before.base],
            lambda number: [(i.scheme, i.value) for i in entries[number].facts.identifiers],
        ),
        (
            lambda before: _title(before.base.get("title")),
            lambda number: _title(entries[number].facts.title),
        ),
    )
    matches: dict[int, StoredEntry] = {}
    taken: set[int] = set()
    # Popped from the end: first those that the file had last time, in their order.
    candidates = sorted(stored, key=lambda before: not before.is_in_file)[::-1]
    for names_before, names_now in rules:
        waiting: dict[Hashable, list[StoredEntry]] = {}
        for before in candidates:
            if id(before) not in taken:
                for name in names_before(before):
                    waiting.setdefault(name, []).append(before)
        for number in range(len(entries)) if waiting else ():
            if number in matches:
                continue
            for name in names_now(number):
                found = waiting.get(name, [])
                while found and id(found[-1]) in taken:
                    found.pop()
                if found:
                    matches[number] = found.pop()
                    taken.add(id(matches[number]))
                    break
    return matches


def _title(title: str | None) -> list[Hashable]:
    return [key] if title and (key := title_key(title)) else []
