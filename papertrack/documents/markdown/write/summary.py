"""How a list is read, for its curator: what its entries are made of, and how far new entries can
be trusted to look like them.

Each entry is written from what it says itself, by what others show. The share that comes back is
the confidence. Remarks are taken as they stand.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from papertrack.documents.markdown.model import Document, Entry, Group, Mention, Shape
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.write.entries import NEIGHBOURS
from papertrack.documents.markdown.write.explain import REMARK, Explainer, Piece, Siblings, Stretch
from papertrack.documents.markdown.write.facts import Paper
from papertrack.documents.markdown.write.name_lists import read_names
from papertrack.documents.markdown.write.new_entry import ENDED
from papertrack.records import Skipped
from papertrack.text import plural, shorten, title_key

EXAMPLES = 3
_SAMPLE, _FEWEST = 400, 8
"""So many entries show how a list is written; fewer than the fewest show nothing."""
_LOW, _USUAL, _SEEN = 0.75, 0.5, 0.05
"""The share below which nothing is trusted; of entries that have what the pattern shows; below
which something is in no list of parts."""
_LONGEST, _LETTERS = 120, 3
_CORE = ("number", "title", "authors", "venue", "date")
"""What tells kinds of entries apart: links, marks and tags come and go."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How well a document is understood."""

    entries: int
    failed: tuple[int, ...]
    """The lines of those that were not written again as they are, counted from 1."""

    @property
    def regenerated(self) -> int:
        return self.entries - len(self.failed)

    @property
    def confidence(self) -> float:
        """The share of all entries that were written again as they are."""
        return self.regenerated / self.entries if self.entries else 1.0

    @property
    def is_low(self) -> bool:
        """Whether too few were to trust what is written."""
        return self.confidence < _LOW


@dataclass(frozen=True, slots=True)
class PartShown:
    """One thing that entries say."""

    role: str
    """``title``, ``authors``, ``link to code``, …"""
    entries: int
    """How many say it."""
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListShown:
    """Entries that are made of the same things in the same order."""

    sections: tuple[str, ...]
    shape: Shape
    pattern: str
    """What such an entry looks like, with the names of its parts in capitals."""
    entries: int
    failed: tuple[int, ...]
    """The lines of entries that were not written again as they are, counted from 1."""
    parts: tuple[PartShown, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """How a document is read."""

    proof: Proof
    lists: tuple[ListShown, ...]
    """Those with the most entries first."""
    not_understood: tuple[tuple[int, str], ...]
    """What is no part of any kind: each line, counted from 1, and the words."""
    mentioned: tuple[Mention, ...] = ()
    """Works that prose and footnotes name: no entries."""
    doubtful: tuple[tuple[int, str], ...] = ()
    """Titles that may be other words: each line, counted from 1, and the words."""

    def to_dict(self) -> dict[str, object]:
        """Return the summary as plain data with names a reader understands."""
        return {
            "entries": self.proof.entries,
            "regenerated": self.proof.regenerated,
            "confidence": round(self.proof.confidence, 3),
            "is_low": self.proof.is_low,
            "lists": [
                {**asdict(one), "regenerated": one.entries - len(one.failed)} for one in self.lists
            ],
            "not_understood": [{"line": line, "text": text} for line, text in self.not_understood],
            "doubtful_titles": [{"line": line, "text": text} for line, text in self.doubtful],
            "mentioned": [
                {"line": one.line, "text": one.title or one.identifier.value}
                for one in self.mentioned
            ],
        }


@dataclass(frozen=True)
class _Explained:
    """An entry among its siblings: a stretch for each cell of a row, else one."""

    entry: Entry
    stretches: tuple[tuple[Stretch, Siblings], ...]
    """Each with its siblings."""

    @property
    def pieces(self) -> Iterator[Piece]:
        return (piece for stretch, _ in self.stretches for piece in stretch.pieces)

    @property
    def kinds(self) -> set[tuple[str, str]]:
        return {(one.where, piece.kind) for one, _ in self.stretches for piece in one.pieces}


def prove(document: Document, at_most: int = sys.maxsize) -> Proof:
    """Return how well a document's entries are written again from what they say, by so many of
    them, spread over it, that it is known."""
    step = len(document.entries) // at_most + 1
    return _prove(document, _explained(document, document.entries[::step]))


def find_doubt(document: Document) -> list[Skipped]:
    """Return notices of what is doubtful: whether new entries would be written as the old ones
    are, and which words are titles."""
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
        notices.append(Skipped(doubtful[0].line, reason, shorten(doubtful[0].fields.title)))
    return notices


def summarise(document: Document) -> Summary:
    """Return how a document is read."""
    explained = _explained(document, document.entries)
    proof = _prove(document, explained)
    groups: dict[Group, list[_Explained]] = defaultdict(list)
    for one in explained:
        groups[one.entry.group].append(one)
    alike: dict[object, list[_Explained]] = defaultdict(list)
    for entries in groups.values():
        alike[_makeup(entries)] += entries
    lists = [_shown(document, entries, {*proof.failed}) for entries in alike.values()]
    words = (one for entry in explained for one in _unread(document, entry))
    rest = [*words, *((one.line, one.text) for one in document.skipped)]
    told = sorted({(line, shorten(text, _LONGEST)) for line, text in rest})
    most_first = sorted(lists, key=lambda one: one.entries, reverse=True)
    doubtful = tuple((entry.line, entry.fields.title) for entry in _doubtful_titles(document))
    return Summary(proof, tuple(most_first), tuple(told), document.mentioned, doubtful)


def _explained(document: Document, entries: Sequence[Entry]) -> list[_Explained]:
    """Return entries explained by those that are around them in their table or section."""
    explainer = Explainer(document)
    groups: dict[object, list[Entry]] = defaultdict(list)
    for entry in entries:
        if not entry.is_shared:
            groups[entry.group, entry.shape].append(entry)
    found: list[_Explained] = []
    for group in groups.values():
        for start in range(0, len(group), NEIGHBOURS):
            near = group[start : start + NEIGHBOURS]
            alike: dict[str, list[Stretch]] = defaultdict(list)
            for one in (stretch for entry in near for stretch in explainer.facts_of(entry)):
                alike[one.where].append(one)
            own: dict[int, list[tuple[Stretch, Siblings]]] = defaultdict(list)
            for siblings in (Siblings(document.text, stretches) for stretches in alike.values()):
                for stretch in siblings.stretches:
                    own[stretch.entry.index].append((stretch, siblings))
            found += [_Explained(entry, tuple(own[entry.index])) for entry in near]
    return sorted(found, key=lambda one: one.entry.index)


def _prove(document: Document, explained: Sequence[_Explained]) -> Proof:
    failed = (one.entry.line for one in explained if not _is_regenerated(document, one))
    return Proof(len(explained), tuple(failed))


def _is_regenerated(document: Document, one: _Explained) -> bool:
    """Return whether others show how an entry is written: its facts in their forms, and with what
    they have between them, if any of them has the like. Remarks are taken as they stand."""
    entry = one.entry
    authors = (document.text[slice(*piece.span)] for piece in one.pieces if piece.kind == "authors")
    names = (read_names(text, entry.fields.authors) for text in authors)
    counted = (piece for piece in one.pieces if piece.kind in ("number", "marker"))
    numbers = {piece.kind: document.text[slice(*piece.span)] for piece in counted}
    references = {link.url: link.reference for link in entry.anatomy.links if link.reference}
    paper = Paper(
        document,
        entry.fields,
        entry.shape,
        numbers=numbers,
        references=references,
        has_more_authors=any(one.others for one in names if one),
    )
    for stretch, siblings in one.stretches:
        for pair, gap in zip(stretch.pairs, stretch.gaps(document.text), strict=True):
            seen = siblings.joints[pair]
            is_short = pair[0] == "title" and entry.fields.title.endswith(ENDED)
            is_like = seen[gap] > 1 or (is_short and f".{gap}" in seen)
            if REMARK not in pair and not is_like and seen.total() > 1:
                return False
        for piece in sorted(stretch.pieces, key=lambda piece: piece.kind.startswith("label:")):
            words = paper.say(piece, siblings)
            if words is not None and words != document.text[slice(*piece.span)]:
                return False
    return True


def _doubtful_titles(document: Document) -> list[Entry]:
    """Return the entries whose titles may be other words of theirs."""
    return [e for e in document.entries if e.fields.title and not e.anatomy.is_title_sure]


def _usual(entries: Sequence[_Explained]) -> set[tuple[str, str]]:
    """Return what most of the entries say: where, and which kind of piece."""
    counts = Counter(kind for one in entries for kind in one.kinds)
    return {kind for kind, count in counts.items() if count >= _USUAL * len(entries)}


def _makeup(entries: Sequence[_Explained]) -> object:
    """Return what the entries of a group are made of: the same for groups that are alike."""
    usual = _usual(entries)
    orders = Counter(
        tuple(
            (stretch.where, piece.kind)
            for stretch, _ in one.stretches
            for piece in stretch.pieces
            if piece.kind in _CORE and (stretch.where, piece.kind) in usual
        )
        for one in entries
    )
    return entries[0].entry.shape, orders.most_common(1)[0][0]


def _shown(document: Document, entries: Sequence[_Explained], failed: set[int]) -> ListShown:
    paths = (document.sections[one.entry.section].path for one in entries)
    lines = (one.entry.line for one in entries)
    return ListShown(
        tuple(dict.fromkeys("/".join(path) for path in paths if path)),
        entries[0].entry.shape,
        _pattern(document, entries),
        len(entries),
        tuple(line for line in lines if line in failed),
        tuple(_parts(document, entries)),
    )


def _pattern(document: Document, entries: Sequence[_Explained]) -> str:
    """Return an entry that says what most of them say, with names in place of what it says."""
    usual = _usual(entries)
    like = max(
        entries, key=lambda one: (len(usual & one.kinds) - len(one.kinds - usual), -one.entry.index)
    )
    cells = []
    for stretch, _ in like.stretches:
        names = ["", *(name_of(piece.kind).upper() for piece in stretch.pieces)]
        gaps = stretch.gaps(document.text)
        cells.append("".join(n + gap for n, gap in zip(names, gaps, strict=True)).strip())
    return f"| {' | '.join(cells)} |" if like.entry.shape == "row" else cells[0]


def name_of(kind: str) -> str:
    """Return what a piece says, in words: ``to:code`` is ``link to code``."""
    name, _, role = kind.partition(":")
    return {"to": f"link to {role}", "label": f"{role} label", "id": role}.get(name, name)


def _unread(document: Document, one: _Explained) -> Iterator[tuple[int, str]]:
    """Yield the words of an entry that are no part and are not kept as its description."""
    kept = title_key(one.entry.fields.description or "")
    for piece in one.pieces:
        words = plain(document.text[slice(*piece.span)])
        key = title_key(words)
        if piece.kind == REMARK and len(key) >= _LETTERS and key not in kept:
            yield document.line_of(piece.span[0]), words


def _parts(document: Document, entries: Sequence[_Explained]) -> Iterator[PartShown]:
    """Yield what the entries say, with examples; links by where they lead."""
    counts: Counter[str] = Counter()
    said: dict[str, dict[str, None]] = defaultdict(dict)
    for one in entries:
        told = {piece.kind: piece for piece in one.pieces if not piece.kind.startswith("label:")}
        counts.update(told.keys())
        for kind, piece in told.items():
            is_target = piece.link is not None and kind.startswith("to:")
            words = plain(document.text[slice(*piece.span)])
            said[kind].setdefault(piece.link.url if is_target and piece.link else words)
    for kind, count in counts.items():
        if count >= _SEEN * len(entries):
            shown = tuple(shorten(text, _LONGEST) for text in list(said[kind])[:EXAMPLES])
            yield PartShown(name_of(kind), count, shown)
