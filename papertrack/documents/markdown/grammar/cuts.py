"""Entries cut into slots, which say something, and the gaps between them.

``- **[Title](url)** ([code](url2))`` has the slots title, its target, code's label and its target;
the gaps are ``- **[``, ``](``, ``)** ([``, ``](`` and ``))``. So links, emphasis, brackets and
separators of any style are all gaps, and nothing needs to be known of them to write them again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from papertrack.documents.markdown.model import (
    Document,
    Entry,
    Group,
    Part,
    PlacedLink,
    Table,
)
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import Span, stripped
from papertrack.text import fold, numbered

TITLE, LINKED_TITLE = "title", "title:linked"
DETAILS = "details"
"""The key of a slot for what is said that is no fact."""
SIGNS = f"{DETAILS}:signs"
"""The same without words: the sign that fills a cell."""
_MARKER = re.compile(r"[ \t>]*(?P<number>[0-9]{1,9})[.)][ \t]")
_WORDS = re.compile(r"\S*[^\W_](?:.*[^\W_])?\S*")
_LABEL = re.compile(r"\W*(?P<word>[^\W\d_]{2,15})\W{0,3}[:：]")
_LINE = re.compile(r"[^\r\n]+")
_LINE_START = re.compile(r"[ \t>]*(?:[-+*][ \t]+|[0-9]{1,9}[.)][ \t]+)?")
_OPENING, _CLOSING = "[(（【", "])）】"
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*[ \t]*/?>")
"""A tag that says nothing but how what is in it looks."""
_OTHERS = re.compile(r",?\s*et\.?\s*al\b\.?")
_OF_LINKS = ("label", "target", "reference")
_CLOSE = 6
_MOST, _NEARLY_ALL = 0.5, 0.8
_FEW, _MANY = 0.04, 200
"""Words that stand at one place in a smaller share of the entries are details of theirs; of more
entries than many, the share of many is enough."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A stretch that says one thing."""

    key: str
    """What it says: ``title`` or ``title:linked``, ``label:code``, ``target:code`` or, with the
    label of a definition, ``reference:code``; the second of a kind is ``tag#2``."""
    span: Span
    link: PlacedLink | None = None

    @property
    def role(self) -> str:
        """The kind of what it says."""
        return role_of_key(self.key)


def role_of_key(key: str) -> str:
    """Return what kind of thing a slot says, without what it is for: ``target``, ``tag``."""
    return key.partition("#")[0].partition(":")[0]


def unit_of_key(key: str) -> str:
    """Return what is the same for the slots of one link, and for a title and its link."""
    role, _, purpose = key.partition(":")
    if key in (TITLE, LINKED_TITLE):
        return TITLE
    return purpose if role in _OF_LINKS else key


@dataclass(frozen=True, slots=True)
class Cut:
    """An entry, or a cell of a row, cut into its slots."""

    entry: Entry
    where: str
    """What is written alike: cells below one header, entries of one shape."""
    span: Span
    slots: tuple[Slot, ...]
    column: int | None = None
    """The cell's, for a row."""

    @property
    def group(self) -> Group:
        """Its entry's."""
        return self.entry.group

    @property
    def near(self) -> int:
        """The same for entries that stand close together."""
        return self.entry.index // _CLOSE

    @property
    def keys(self) -> tuple[str, ...]:
        """What its slots say, in their order."""
        return tuple(slot.key for slot in self.slots)

    def gaps(self, text: str) -> list[str]:
        """Return what stands before, between and behind the slots."""
        starts = [self.span[0], *(slot.span[1] for slot in self.slots)]
        ends = [*(slot.span[0] for slot in self.slots), self.span[1]]
        return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def cut_entries(document: Document, entries: Sequence[Entry]) -> list[list[Cut]]:
    """Return the cuts of each entry: of a row one for each cell, of any other just one.

    Words in gaps that few of the entries have there are their details, and what nearly all are
    called is no name of any: ``Title:``.
    """
    text = document.text
    whole = _without_labels([cut_entry(document, entry) for entry in entries], text)
    common = _common([cut for cuts in whole for cut in cuts], text)
    return [[_with_details(cut, text, common) for cut in cuts] for cuts in whole]


def _without_labels(whole: Sequence[list[Cut]], text: str) -> list[list[Cut]]:
    """Return cuts without the slots for names that are the same words in nearly all of them."""
    names = Counter(
        (cut.where, slot.key, text[slice(*slot.span)])
        for cuts in whole
        for cut in cuts
        for slot in cut.slots
        if slot.role == "name"
    )
    sizes: Counter[tuple[str, str]] = Counter()
    for (where, key, _), count in names.items():
        sizes[where, key] += count
    labels = {
        name for name, n in names.items() if n > 2 and n >= _NEARLY_ALL * sizes[name[0], name[1]]
    }
    return [[_without(cut, labels, text) for cut in cuts] for cuts in whole] if labels else [*whole]


def _without(cut: Cut, labels: set[tuple[str, str, str]], text: str) -> Cut:
    kept = [
        slot for slot in cut.slots if (cut.where, slot.key, text[slice(*slot.span)]) not in labels
    ]
    return cut if len(kept) == len(cut.slots) else replace(cut, slots=tuple(kept))


class _Piece(NamedTuple):
    """Words in a gap."""

    place: tuple[str, ...]
    """Where entries that are written alike have it."""
    words: str
    span: Span

    @property
    def is_label(self) -> bool:
        """Whether it says what the words or the link behind it are: ``Code:``."""
        return len(self.place) == 2


def _common(cuts: Sequence[Cut], text: str) -> set[tuple[tuple[str, ...], str]]:
    """Return the words that belong to how entries are written: where, and which.

    Words between two slots are such if most that have these slots side by side have the words
    too; labels (``Code:``) need not be of so many.
    """
    sizes = Counter(cut.where for cut in cuts)
    pairs = Counter(place for cut in cuts for place in set(_places(cut)))
    counts = Counter(
        name for cut in cuts for name in {(one.place, one.words) for one in _pieces(cut, text)}
    )

    def is_common(place: tuple[str, ...], count: int) -> bool:
        if count < _FEW * min(sizes[place[0]], _MANY):
            return False
        return len(place) == 2 or count >= pairs[place] * (_MOST if any(place[1:]) else _NEARLY_ALL)

    return {(place, words) for (place, words), n in counts.items() if n > 1 and is_common(place, n)}


def _places(cut: Cut) -> Iterator[tuple[str, ...]]:
    """Yield what names each gap of a cut: where, behind what, before what."""
    roles = ["", *(slot.role for slot in cut.slots), ""]
    return ((cut.where, *pair) for pair in pairwise(roles))


def _pieces(cut: Cut, text: str) -> Iterator[_Piece]:
    """Yield the words in the gaps of a cut, by lines."""
    if cut.column is not None and not cut.slots:
        yield from _whole_cell(cut, text)
        return
    starts = [cut.span[0], *(slot.span[1] for slot in cut.slots)]
    for place, start, gap in zip(_places(cut), starts, cut.gaps(text), strict=True):
        for line in _LINE.finditer(gap):
            at = start + line.start()
            is_start = line.start() > 0 or start == cut.span[0]
            for label, (first, end) in _worded(line.group(), is_start):
                name = place[:2] if label else place
                yield _Piece(name, line.group()[first:end], (at + first, at + end))


def _whole_cell(cut: Cut, text: str) -> Iterator[_Piece]:
    """Yield what a cell without slots holds, be it signs alone."""
    span = stripped(text, cut.span)
    if span[0] < span[1]:
        yield _Piece((cut.where, "", ""), text[slice(*span)], span)


def _worded(line: str, is_start: bool) -> Iterator[tuple[bool, Span]]:
    """Yield where the words of a line stand with what is written to them: whether they are a label
    (``Code:``), which stands apart, and where. The names of HTML tags are none."""
    line = _TAG.sub(lambda tag: " " * len(tag.group()), line)
    marker = _LINE_START.match(line) if is_start else None
    start = marker.end() if marker else 0
    if label := _LABEL.match(line, start):
        yield True, label.span("word")
        start = label.end()
    if words := _WORDS.search(line, start):
        yield False, _unbracketed(line, *words.span())


def _unbracketed(line: str, start: int, end: int) -> Span:
    """Return where words stand without brackets that a link before or behind them is in."""
    kept = line[start:end].lstrip(_CLOSING)
    start = end - len(kept)
    return start, start + len(kept.rstrip(_OPENING))


def _with_details(cut: Cut, text: str, common: set[tuple[tuple[str, ...], str]]) -> Cut:
    """Return a cut with what only few entries say in their gaps as slots."""
    more = [
        Slot(DETAILS if _WORDS.search(one.words) else SIGNS, one.span)
        for one in _pieces(cut, text)
        if (one.place, one.words) not in common and not (one.is_label and role_word(one.words))
    ]
    return replace(cut, slots=numbered_slots([*cut.slots, *more])) if more else cut


def cut_entry(document: Document, entry: Entry) -> list[Cut]:
    """Return the cuts of an entry by its parts alone."""
    if entry.shape == "row":
        return list(_cells_of(document, entry))
    start, end = stripped(document.text, entry.span, "\r\n")
    slots = [*_number_of(document, entry), *_slots_of(entry, (start, end))]
    slots += _slots_below(document, entry, end)
    where = f"{entry.shape}"
    return [Cut(entry, where, (start, end), numbered_slots(slots))]


def _cells_of(document: Document, entry: Entry) -> Iterator[Cut]:
    names = column_names(document.table_of(entry))
    for number, cell in enumerate(entry.anatomy.cells[: len(names)]):
        slots = numbered_slots([*_slots_of(entry, cell)])
        yield Cut(entry, names[number], cell, slots, number)


def column_names(table: Table) -> list[str]:
    """Return what tells the columns of a table from each other, the same for like columns of other
    tables."""
    names = (f"|{fold(column.header) or column.role}" for column in table.columns)
    return numbered(names)


def _number_of(document: Document, entry: Entry) -> Iterator[Slot]:
    """Yield the number of an item of a numbered list."""
    if marker := _MARKER.match(document.text, *entry.span):
        yield Slot("number", marker.span("number"))


def _slots_of(entry: Entry, within: Span) -> Iterator[Slot]:
    """Yield the slots of the parts in a stretch."""
    anatomy, seen = entry.anatomy, set[Span]()
    for part in anatomy.parts:
        if not within[0] <= part.span[0] <= part.span[1] <= within[1]:
            continue
        link = part.link
        if not _is_label(part):
            is_linked = part.role == "title" and link is not None
            yield Slot(LINKED_TITLE if is_linked else part.role, part.span)
        if link is not None and link.span not in seen:
            seen.add(link.span)
            yield from _slots_of_link(link, part, anatomy.parts)


def _is_label(part: Part) -> bool:
    """Whether a part is a link, or all that a link is called and no fact."""
    return part.role == "link" or (part.role == "details" and part.link is not None)


def _slots_of_link(link: PlacedLink, part: Part, parts: Sequence[Part]) -> Iterator[Slot]:
    """Yield the slots of a link: its label, unless that is other parts, and its target."""
    purpose = "title" if part.role == "title" else link.role
    start, end = link.label_span
    holds = any(start <= one.span[0] < one.span[1] <= end for one in parts if one is not part)
    target = target_span(link)
    if _is_label(part) and not holds and link.label_span != target:
        yield Slot(f"label:{purpose}", link.label_span, link)
    if target is not None:
        role = "reference" if link.form == "reference" else "target"
        yield Slot(f"{role}:{purpose}", target, link)


def target_span(link: PlacedLink) -> Span | None:
    """Return where a link says where it leads, in its own text; None where its label does."""
    if link.form != "reference":
        return link.url_span
    start, end = link.label_span[1] + 2, link.span[1] - 1
    return (start, end) if start < end else None


def _slots_below(document: Document, entry: Entry, end: int) -> Iterator[Slot]:
    """Yield the slots of the lines below an entry's own: links, and names and venue behind them."""
    own_end = entry.anatomy.own[1]
    for link in entry.anatomy.links:
        if link.span[0] >= own_end:
            yield from _slots_of_link(link, Part("link", link.span, link), ())
    names = _names_behind(document.text, entry, end)
    if names is not None:
        yield Slot("authors", names)
        venue = entry.fields.venue
        if venue and (at := document.text.find(venue, names[1], end)) >= 0:
            yield Slot("venue", (at, at + len(venue)))


def _names_behind(text: str, entry: Entry, end: int) -> Span | None:
    """Return where the authors stand behind the title, if they are no part of the entry's own."""
    names, anatomy = entry.fields.authors, entry.anatomy
    start = anatomy.title[1] if anatomy.title else anatomy.own[1]
    if not names or any(part.role == "authors" for part in anatomy.parts):
        return None
    first = text.find(names[0], start, end)
    last = text.find(names[-1], first, end) if first >= 0 else -1
    if last < 0 or any(part.span[0] < last and first < part.span[1] for part in anatomy.parts):
        return None
    cut_off = _OTHERS.match(text, last + len(names[-1]), end)
    return first, cut_off.end() if cut_off else last + len(names[-1])


def numbered_slots(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """Return slots in the order of the text without overlaps, each key once."""
    seen: Counter[str] = Counter()
    kept: list[Slot] = []
    for slot in sorted(slots, key=lambda slot: slot.span):
        if kept and slot.span[0] < kept[-1].span[1]:
            continue
        seen[slot.key] += 1
        number = seen[slot.key]
        kept.append(slot if number == 1 else replace(slot, key=f"{slot.key}#{number}"))
    return tuple(kept)
