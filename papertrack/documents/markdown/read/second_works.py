"""Works that share an item with the one it is an entry of: told with their lines, never silent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papertrack.documents.markdown.grammar.likeness import title_likeness, words_of
from papertrack.documents.markdown.model import Entry, Lines, PlacedLink
from papertrack.documents.markdown.roles import is_local_pdf, role_word, strong_identifier
from papertrack.records import Identifier, Skipped
from papertrack.text import shorten

_LIKE_A_TITLE = 0.6
_WORDS = 3
"""Fewer may be a name in passing: ``builds on [BERT](…)``."""


def find_second_works(lines: Lines, entries: Sequence[Entry]) -> Iterator[Skipped]:
    """Yield each link of a list's item that leads to a work by its title, where the item is an
    entry of another work and no entry is of this one: ``[One](…) and [Another](…)``."""
    held = {identifier for entry in entries for identifier in entry.identifiers}
    for entry in entries:
        for link in _titles_beside(entry, held):
            reason = (
                f"“{shorten(entry.fields.title, 40)}” is the entry of this line, and "
                f"“{shorten(link.label, 40)}” none: give it a line of its own to have it too."
            )
            yield Skipped(entry.line, reason, shorten(lines.line(entry.line - 1)))


def _titles_beside(entry: Entry, held: set[Identifier]) -> Iterator[PlacedLink]:
    # Most entries relate to nothing. A row says by its columns what is beside the work.
    has_more = entry.fields.related or any(is_local_pdf(one.url) for one in entry.anatomy.links[1:])
    if not has_more or entry.anatomy.cells:
        return
    start, end = entry.anatomy.own
    for link in entry.anatomy.links:
        work = strong_identifier(link.url)
        is_another = work is not None and work not in held
        is_another |= is_local_pdf(link.url) and not entry.anatomy.is_title(link)
        if is_another and start <= link.span[0] < end and _is_title(link.label):
            yield link


def _is_title(label: str) -> bool:
    is_long = role_word(label) is None and words_of(label) >= _WORDS
    return is_long and title_likeness(label) > _LIKE_A_TITLE
