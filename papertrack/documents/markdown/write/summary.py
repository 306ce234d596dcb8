"""Summarize for the user how a list is read.

Each entry is written again from its own facts, in the style of its siblings. The share of entries
that come out unchanged is the confidence that new entries will be written correctly. Remarks are
copied.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from papertrack.documents.markdown.model import Document, Entry, Group, Shape
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.write.entries import NEIGHBOURS
from papertrack.documents.markdown.write.explain import REMARK, Piece, Siblings, Splitter, Stretch
from papertrack.documents.markdown.write.facts import NewPaper
from papertrack.documents.markdown.write.name_lists import read_names
from papertrack.documents.markdown.write.new_entry import ENDED
from papertrack.records import Skipped
from papertrack.text import plural, shorten, title_key

EXAMPLES = 3
_SAMPLE, _FEWEST = 400, 8
"""How many entries are tried, and how few are too few to judge."""
_LOW, _USUAL, _SEEN = 0.75, 0.5, 0.05
"""Shares: the lowest confidence to trust; the entries that must have what the pattern shows; the
entries that must have a part for it to be listed."""
_LONGEST, _LETTERS = 120, 3
_CORE = ("number", "title", "authors", "venue", "date")
"""The kinds of pieces that distinguish forms of entries. Links, marks and tags vary."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How many entries of a document can be written again unchanged."""

    entries: int
    failed: tuple[int, ...]
    """The lines, counted from 1, of the other entries."""

    @property
    def regenerated(self) -> int:
        return self.entries - len(self.failed)

    @property
    def confidence(self) -> float:
        """The share of entries that came out unchanged."""
        return self.regenerated / self.entries if self.entries else 1.0

    @property
    def is_low(self) -> bool:
        """Whether the confidence is too low to trust new entries."""
        return self.confidence < _LOW


@dataclass(frozen=True, slots=True)
class PartShown:
    """A part that entries have, with examples."""

    role: str
    """``title``, ``authors``, ``link to code``, …"""
    entries: int
    """How many entries have it."""
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListShown:
    """Entries with the same parts in the same order."""

    sections: tuple[str, ...]
    shape: Shape
    pattern: str
    """The form of such an entry, with the names of its parts in capitals."""
    entries: int
    failed: tuple[int, ...]
    """The lines, counted from 1, of entries that did not come out unchanged."""
    parts: tuple[PartShown, ...]
    regenerated: int
    """How many entries came out unchanged."""


@dataclass(frozen=True, slots=True, order=True)
class LineShown:
    """A text in a line, counted from 1."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """How a document is read, in the form of its JSON."""

    entries: int
    regenerated: int
    confidence: float
    is_low: bool
    lists: tuple[ListShown, ...]
    """The lists, the longest first."""
    not_understood: tuple[LineShown, ...]
    """Words that are in no part."""
    doubtful_titles: tuple[LineShown, ...]
    """Titles that may be other words of their entries; they are not replaced."""
    mentioned: tuple[LineShown, ...]
    """Works that are mentioned in prose and footnotes without an entry."""


@dataclass(frozen=True)
class _SplitEntry:
    """An entry with its stretches: one per cell for a row, otherwise a single one."""

    entry: Entry
    stretches: tuple[tuple[Stretch, Siblings], ...]
    """Each stretch with its siblings."""

    @property
    def pieces(self) -> Iterator[Piece]:
        return (piece for stretch, _ in self.stretches for piece in stretch.pieces)

    @property
    def kinds(self) -> set[tuple[str, str]]:
        return {(part.where, piece.kind) for part, _ in self.stretches for piece in part.pieces}


def prove(document: Document, at_most: int = sys.maxsize) -> Proof:
    """Return how many entries of a document come out unchanged when they are written again.

    At most ``at_most`` entries, evenly spread, are tried.
    """
    step = len(document.entries) // at_most + 1
    return _prove(document, _split_entries(document, document.entries[::step]))


def find_doubt(document: Document) -> list[Skipped]:
    """Return notices about doubts: that new entries may look different, or titles may be wrong."""
    notices, proof = list[Skipped](), prove(document, _SAMPLE)
    if proof.entries >= _FEWEST and proof.is_low:
        reason = (
            f"Only {proof.regenerated} of {proof.entries} entries follow a pattern that "
            "papertrack found, so a new entry may not look as you would write it "
            "(`papertrack documents FILE` shows the pattern)"
        )
        line = min(proof.failed)
        notices.append(Skipped(line, reason, shorten(document.line(line - 1))))
    if doubtful := _doubtful_titles(document):
        others = plural(len(doubtful) - 1, "other entry", "other entries")
        reason = (
            "This may not be the title"
            + (f", as in {others}" if doubtful[1:] else "")
            + "; `papertrack documents FILE --set title=…` sets the title of one entry"
        )
        notices.append(Skipped(doubtful[0].line, reason, shorten(doubtful[0].text)))
    return notices


def summarise(document: Document) -> Summary:
    """Summarize how a document is read."""
    split_entry = _split_entries(document, document.entries)
    proof = _prove(document, split_entry)
    groups: dict[Group, list[_SplitEntry]] = defaultdict(list)
    for item in split_entry:
        groups[item.entry.group].append(item)
    alike: dict[object, list[_SplitEntry]] = defaultdict(list)
    for entries in groups.values():
        alike[_structure(entries)] += entries
    lists = [_list_shown(document, entries, {*proof.failed}) for entries in alike.values()]
    words = (item for entry in split_entry for item in _unread_words(document, entry))
    rest = [*words, *((item.line, item.text) for item in document.skipped)]
    unread = sorted({LineShown(line, shorten(text, _LONGEST)) for line, text in rest})
    return Summary(
        entries=proof.entries,
        regenerated=proof.regenerated,
        confidence=round(proof.confidence, 3),
        is_low=proof.is_low,
        lists=tuple(sorted(lists, key=attrgetter("entries"), reverse=True)),
        not_understood=tuple(unread),
        doubtful_titles=tuple(_doubtful_titles(document)),
        mentioned=tuple(
            LineShown(work.line, work.title or work.identifier.value) for work in document.mentioned
        ),
    )


def _split_entries(document: Document, entries: Sequence[Entry]) -> list[_SplitEntry]:
    """Return entries split into facts, with their siblings in the same table or section."""
    splitter = Splitter(document)
    groups: dict[object, list[Entry]] = defaultdict(list)
    for entry in entries:
        if not entry.is_shared:
            groups[entry.group, entry.shape].append(entry)
    result: list[_SplitEntry] = []
    for group in groups.values():
        for start in range(0, len(group), NEIGHBOURS):
            near = group[start : start + NEIGHBOURS]
            alike: dict[str, list[Stretch]] = defaultdict(list)
            for item in (stretch for entry in near for stretch in splitter.split(entry)):
                alike[item.where].append(item)
            stretches_of_entry: dict[int, list[tuple[Stretch, Siblings]]] = defaultdict(list)
            for siblings in (Siblings(document.text, stretches) for stretches in alike.values()):
                for stretch in siblings.stretches:
                    stretches_of_entry[stretch.entry.index].append((stretch, siblings))
            result += [_SplitEntry(entry, tuple(stretches_of_entry[entry.index])) for entry in near]
    return sorted(result, key=lambda item: item.entry.index)


def _prove(document: Document, split_entry: Sequence[_SplitEntry]) -> Proof:
    failed = (item.entry.line for item in split_entry if not _is_regenerated(document, item))
    return Proof(len(split_entry), tuple(failed))


def _is_regenerated(document: Document, item: _SplitEntry) -> bool:
    """Return whether an entry comes out unchanged when it is written like its siblings.

    Its facts must have their forms, and other entries must have the same gaps between facts, if
    they have these facts at all. Remarks are copied.
    """
    entry = item.entry
    authors = (document.text[slice(*p.span)] for p in item.pieces if p.kind == "authors")
    names = (read_names(text, entry.fields.authors) for text in authors)
    counted = (piece for piece in item.pieces if piece.kind in ("number", "marker"))
    numbers = {piece.kind: document.text[slice(*piece.span)] for piece in counted}
    references = {link.url: link.reference for link in entry.anatomy.links if link.reference}
    paper = NewPaper(
        document,
        entry.fields,
        entry.shape,
        numbers=numbers,
        references=references,
        has_more_authors=any(item.others for item in names if item),
    )
    for stretch, siblings in item.stretches:
        for pair, gap in zip(stretch.pairs, stretch.joints(document.text), strict=True):
            seen = siblings.joints[pair]
            is_short = pair[0] == "title" and entry.fields.title.endswith(ENDED)
            is_like = seen[gap] > 1 or (is_short and f".{gap}" in seen)
            if all((REMARK not in pair, not is_like, seen.total() > 1)):
                return False
        for piece in sorted(stretch.pieces, key=lambda piece: piece.kind.startswith("label:")):
            words = paper.text_for(piece, siblings)
            shown = stretch.unwrapped(document.text[slice(*piece.span)])
            if words is not None and words != shown:
                return False
    return True


def _doubtful_titles(document: Document) -> list[LineShown]:
    """Return the titles that may be other words."""
    return [
        LineShown(entry.line, entry.fields.title)
        for entry in document.entries
        if entry.fields.title and not entry.anatomy.is_title_sure
    ]


def _usual(entries: Sequence[_SplitEntry]) -> set[tuple[str, str]]:
    """Return the pieces that most of the entries have, as place and kind."""
    counts = Counter(kind for split_entry in entries for kind in split_entry.kinds)
    return {kind for kind, count in counts.items() if count >= _USUAL * len(entries)}


def _structure(entries: Sequence[_SplitEntry]) -> object:
    """Return a key for the structure of a group's entries. It is equal for similar groups."""
    usual = _usual(entries)
    orders = Counter(
        tuple(
            (stretch.where, piece.kind)
            for stretch, _ in split_entry.stretches
            for piece in stretch.pieces
            if piece.kind in _CORE and (stretch.where, piece.kind) in usual
        )
        for split_entry in entries
    )
    return entries[0].entry.shape, orders.most_common(1)[0][0]


def _list_shown(document: Document, entries: Sequence[_SplitEntry], failed: set[int]) -> ListShown:
    paths = (document.sections[split_entry.entry.section].path for split_entry in entries)
    lines = [split_entry.entry.line for split_entry in entries]
    failed_lines = tuple(line for line in lines if line in failed)
    return ListShown(
        tuple(dict.fromkeys("/".join(path) for path in paths if path)),
        entries[0].entry.shape,
        _pattern(document, entries),
        len(entries),
        failed_lines,
        tuple(_parts(document, entries)),
        len(entries) - len(failed_lines),
    )


def _pattern(document: Document, entries: Sequence[_SplitEntry]) -> str:
    """Return the text of a typical entry, with names in place of its facts."""
    usual = _usual(entries)
    like = max(entries, key=lambda x: (len(usual & x.kinds) - len(x.kinds - usual), -x.entry.index))
    cells = []
    for stretch, _ in like.stretches:
        names = ["", *(name_of(piece.kind).upper() for piece in stretch.pieces)]
        gaps = stretch.gaps(document.text)
        cells.append("".join(n + gap for n, gap in zip(names, gaps, strict=True)).strip())
    return f"| {' | '.join(cells)} |" if like.entry.shape == "row" else cells[0]


def name_of(kind: str) -> str:
    """Return the name of a kind of piece for users: ``link to code`` for ``to:code``."""
    name, _, role = kind.partition(":")
    return {"to": f"link to {role}", "label": f"{role} label", "id": role}.get(name, name)


def _unread_words(document: Document, split_entry: _SplitEntry) -> Iterator[tuple[int, str]]:
    """Yield the words of an entry that are in no part and not in its description."""
    kept = title_key(split_entry.entry.fields.description or "")
    for piece in split_entry.pieces:
        words = plain(document.text[slice(*piece.span)])
        key = title_key(words)
        if piece.kind == REMARK and len(key) >= _LETTERS and key not in kept:
            yield document.line_of(piece.span[0]), words


def _parts(document: Document, entries: Sequence[_SplitEntry]) -> Iterator[PartShown]:
    """Yield the parts of the entries with examples. For links, these are addresses."""
    counts: Counter[str] = Counter()
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    for item in entries:
        parts = {piece.kind: piece for piece in item.pieces if not piece.kind.startswith("label:")}
        counts.update(parts.keys())
        for kind, piece in parts.items():
            words = plain(document.text[slice(*piece.span)])
            target = piece.link.url if piece.link and kind.startswith("to:") else words
            texts[kind].setdefault(target)
    for kind, count in counts.items():
        if count >= _SEEN * len(entries):
            shown = tuple(shorten(text, _LONGEST) for text in list(texts[kind])[:EXAMPLES])
            yield PartShown(name_of(kind), count, shown)
