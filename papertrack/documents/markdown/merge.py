"""Merge three versions of a README. Its entries and link definitions are the pieces.

If both sides used one number for different new definitions, theirs is renumbered.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping

from papertrack.documents import merge
from papertrack.documents.markdown.kept_tables import with_tables_of
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.read.document import parse_document
from papertrack.text import title_key

_USE = re.compile(r"(?<=\]\[)[^\[\]\n]+(?=\])")
_DEFINITION = re.compile(r"(?<=^\[)[^\[\]\n]+(?=\]:)", re.MULTILINE)
_REFERENCE = re.compile(f"{_USE.pattern}|{_DEFINITION.pattern}", re.MULTILINE)
_SHIFTS = 16
"""How many places for new numbers are tried before those past all others."""
_COUNT = re.compile(r"#[0-9]+\Z")


def merge_readmes(base: str, ours: str, theirs: str, labels: merge.Labels) -> merge.Merged:
    """Merge ``ours`` and ``theirs``, two versions of a README that come from ``base``."""
    base, theirs = (with_tables_of(text, ours) for text in (base, theirs))
    documents = [parse_document(text) for text in (base, ours, theirs)]
    renumbered = _renumbered(*documents)
    if renumbered != theirs:
        documents[2] = parse_document(renumbered)
    texts = [document.text for document in documents]
    sides = [_cut(document) for document in documents]
    merged = merge.merge_pieces(texts, sides, labels, _by_words)
    needed = _labels(_USE, merged.text) - _labels(_DEFINITION, merged.text)
    if needed & {name for name, _ in sides[0]}:
        # One side removed an entry and its definitions, but the other side changed the entry, so it
        # stays. Without these definitions in the base they count as new, and stay too.
        sides[0] = {name: sides[0][name] for name in sides[0] if name[0] not in needed}
    return merge.merge_pieces(texts, sides, labels, _by_words)


def _labels(pattern: re.Pattern[str], text: str) -> set[Hashable]:
    """Return the names of the definition pieces for all labels that a pattern finds."""
    return {("definition", label.casefold()) for label in pattern.findall(text)}


def _by_words(was: merge.Piece | None, ours: merge.Piece, theirs: merge.Piece) -> str | None:
    return merge.merge_words(was.text if was else "", ours.text, theirs.text)


def _cut(document: Document) -> dict[merge.Name, merge.Piece]:
    names = {_lines_of(document, entry.span): _name_of(entry) for entry in document.entries}
    for definition in document.definitions:
        names[_lines_of(document, definition.span)] = ("definition", definition.label.casefold())
    return merge.split(document.text, [merge.NamedSpan(*span, key) for span, key in names.items()])


def _name_of(entry: Entry) -> Hashable:
    """Return a name that identifies the entry in all versions.

    Several works may share an address, so its name includes the title.
    """
    is_sure = bool(entry.identifiers) and entry.identifiers[0].scheme != "url"
    return _COUNT.sub("", entry.key), "" if is_sure else title_key(entry.fields.title)


def _lines_of(document: Document, span: tuple[int, int]) -> tuple[int, int]:
    """Return a span extended to whole lines."""
    first = document.line_of(span[0]) - 1
    return document.span(first, document.line_of(max(span[0], span[1] - 1)))


def _renumbered(base: Document, ours: Document, theirs: Document) -> str:
    """Return their text, with new definition numbers changed if ours uses them for other links."""
    old, mine, other = map(_addresses, (base, ours, theirs))
    new = {label for label in other.keys() - old.keys() if label.isdecimal()}
    if all(mine.get(label, other[label]) == other[label] for label in new):
        return theirs.text
    labels = {*old, *mine} | {*other} - new
    used = {int(label) for label in labels if label.isdecimal()}
    shift = _free_shift({int(label) for label in new}, used, theirs.style.block_size or 1)
    numbers = {label: str(int(label) + shift) for label in new}
    return _REFERENCE.sub(lambda match: numbers.get(match[0], match[0]), theirs.text)


def _free_shift(numbers: set[int], used: set[int], size: int) -> int:
    """Return how much to add to these numbers so that none of them is in ``used``.

    It is a multiple of the block size.
    """
    for shift in range(size, _SHIFTS * size, size):
        if not {n + shift for n in numbers} & used:
            return shift
    return (max(used) // size + 1) * size


def _addresses(document: Document) -> Mapping[str, str]:
    return {definition.label: definition.url for definition in document.definitions}
