"""The proof of a grammar: entries that were held out of learning, written again from their values.

Entries are dealt into two halves. What is learnt from one half writes the entries of the other,
each from what its slots say; the share that comes back byte for byte is the confidence.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap

from papertrack.documents.markdown.grammar.cuts import (
    DETAILS,
    TITLE,
    Cut,
    Slot,
    cut_entries,
    role_of_key,
)
from papertrack.documents.markdown.grammar.formats import Formats, iso_of
from papertrack.documents.markdown.grammar.name_lists import read_names
from papertrack.documents.markdown.grammar.template import Template
from papertrack.documents.markdown.model import Document, Entry, Group
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import Span
from papertrack.documents.markdown.write.markup import light_escape
from papertrack.records import Skipped
from papertrack.text import plural, shorten

_LINE_END = re.compile(r"[ \t]+(?=[\r\n])")
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)
EXAMPLES = 3
_SAMPLE, _FEWEST = 400, 8
"""So many entries show how a list is written; fewer than the fewest show nothing."""
_LOW = 0.75


@dataclass(frozen=True, slots=True)
class GroupProof:
    """How well the entries of one table or section are understood."""

    group: Group
    entries: int
    failed: tuple[int, ...]
    """The lines of those that were not written again as they are, counted from 1."""
    examples: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What each part says, in some entries."""
    not_understood: tuple[tuple[int, str], ...] = ()
    """Words that are no part: each line, counted from 1, and the words."""

    @property
    def regenerated(self) -> int:
        """How many came back byte for byte."""
        return self.entries - len(self.failed)

    @property
    def confidence(self) -> float:
        """Their share."""
        return self.regenerated / self.entries if self.entries else 1.0


@dataclass(frozen=True, slots=True)
class Proof:
    """How well a document is understood."""

    groups: tuple[GroupProof, ...]

    @property
    def entries(self) -> int:
        return sum(group.entries for group in self.groups)

    @property
    def regenerated(self) -> int:
        return sum(group.regenerated for group in self.groups)

    @property
    def confidence(self) -> float:
        """The share of all entries that were written again as they are."""
        return self.regenerated / self.entries if self.entries else 1.0

    @property
    def is_low(self) -> bool:
        """Whether too few were to trust what is written."""
        return self.confidence < _LOW


def prove(document: Document, at_most: int = sys.maxsize) -> Proof:
    """Return how well a document's entries are written again from what they say, by so many of
    them, spread over it, that it is known."""
    entries = document.entries[:: len(document.entries) // at_most + 1]
    cut = cut_entries(document, entries)
    by_group: dict[Group, list[int]] = defaultdict(list)
    for number, entry in enumerate(entries):
        by_group[entry.group].append(number)
    halves = _dealt(by_group)
    failed = {*_failed(document, cut, *halves), *_failed(document, cut, *reversed(halves))}
    groups = (
        _group_proof(document, group, [cut[n] for n in numbers], failed)
        for group, numbers in by_group.items()
    )
    return Proof(tuple(groups))


def is_doubtful(document: Document) -> bool:
    """Return whether so few entries follow a pattern that what is written by it may be wrong; of
    a few entries that is not known."""
    return len(document.entries) >= _FEWEST and prove(document, _SAMPLE).is_low


def find_doubt(document: Document) -> list[Skipped]:
    """Return notices of what is doubtful: whether new entries would be written as the old ones
    are, and which words are titles."""
    return [*_doubt_of_pattern(document), *_doubt_of_titles(document)]


def doubtful_titles(document: Document) -> list[Entry]:
    """Return the entries whose titles may be other words of theirs."""
    return [e for e in document.entries if e.fields.title and not e.anatomy.is_title_sure]


def _doubt_of_pattern(document: Document) -> Iterator[Skipped]:
    proof = prove(document, _SAMPLE)
    if proof.entries < _FEWEST or not proof.is_low:
        return
    line = min(line for group in proof.groups for line in group.failed)
    yield Skipped(
        line,
        f"Only {proof.regenerated} of {proof.entries} entries follow a pattern that was found, so "
        "new ones are written only where they look as one of these does "
        "(`papertrack documents FILE` shows the pattern)",
        shorten(document.line(line - 1)),
    )


def _doubt_of_titles(document: Document) -> Iterator[Skipped]:
    doubtful = doubtful_titles(document)
    for entry in doubtful[:1]:
        others = plural(len(doubtful) - 1, "other entry", "other entries")
        yield Skipped(
            entry.line,
            "It is doubtful that this is the title"
            + (f", as in {others}" if doubtful[1:] else "")
            + "; `papertrack documents FILE --set title=…` says that of one entry",
            shorten(entry.fields.title),
        )


def _dealt(by_group: dict[Group, list[int]]) -> tuple[list[int], list[int]]:
    """Return two halves of the entries: every other one of each group."""
    halves: tuple[list[int], list[int]] = ([], [])
    for start, numbers in enumerate(by_group.values()):
        for place, number in enumerate(numbers, start):
            halves[place % 2].append(number)
    return halves


def _failed(
    document: Document, cut: Sequence[list[Cut]], held_out: list[int], learnt: list[int]
) -> list[int]:
    """Return which entries of one half are not written as they are by what the other teaches."""
    writer = Rewriting(document, [one for number in learnt for one in cut[number]])
    return [number for number in held_out if not writer.is_regenerated(cut[number])]


def _group_proof(
    document: Document, group: Group, cut: Sequence[list[Cut]], failed: set[int]
) -> GroupProof:
    entries = [cuts[0].entry for cuts in cut if cuts]
    slots = [slot for cuts in cut for one in cuts for slot in one.slots]
    lines = tuple(entry.line for entry in entries if entry.index in failed)
    rest = tuple(_placed(document, slot) for slot in slots if slot.role == DETAILS)
    return GroupProof(group, len(cut), lines, _examples(document, slots), rest)


def _examples(document: Document, slots: Sequence[Slot]) -> dict[str, tuple[str, ...]]:
    """Return what each part says, in a few entries."""
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    for slot in slots:
        texts[TITLE if slot.role == TITLE else slot.key].setdefault(
            document.text[slice(*slot.span)]
        )
    return {key: tuple(shown)[:EXAMPLES] for key, shown in texts.items()}


def _placed(document: Document, slot: Slot) -> tuple[int, str]:
    """Return the line of a slot, counted from 1, and its words."""
    return document.line_of(slot.span[0]), document.text[slice(*slot.span)]


class Rewriting:
    """Entries written from what their own slots say."""

    def __init__(self, document: Document, cuts: Sequence[Cut]) -> None:
        self.document = document
        self.template = Template(document.text, cuts)
        self.formats = Formats(document, cuts)

    def is_regenerated(self, cuts: Sequence[Cut]) -> bool:
        """Return whether an entry is written as it is, blanks at the ends of lines and cells
        aside."""
        text = self.document.text
        return all(
            _shown(text[slice(*cut.span)]) == _shown(self.written(cut)) or self._is_but_own(cut)
            for cut in cuts
        )

    def _is_but_own(self, cut: Cut) -> bool:
        """Return whether all of a cut is written as it is but for its own words, which stand
        somewhere in what is written around them."""
        own = [slot.span for slot in cut.slots if slot.role == DETAILS]
        facts = replace(cut, slots=tuple(slot for slot in cut.slots if slot.role != DETAILS))
        texts = dict(self._texts(facts))
        shown = ["", *(texts[key] for key in facts.keys)]
        actual = ["", *(self.document.text[slice(*slot.span)] for slot in facts.slots)]
        if not own or shown != actual or self.template.ordered(facts, facts.keys) != facts.keys:
            return False
        joints = self.template.joints(facts, facts.keys, shown, {})
        gaps = _gaps_around(self.document.text, facts, own)
        return all(starmap(_is_around, zip(_bare(joints), gaps, strict=True)))

    def written(self, cut: Cut) -> str:
        """Return a cut written again."""
        gaps = dict(zip(cut.keys, cut.gaps(self.document.text), strict=False))
        before = {key: gap for key, gap in gaps.items() if role_of_key(key) == DETAILS}
        return self.template.write(cut, dict(self._texts(cut)), self._order(cut), before)

    def _order(self, cut: Cut) -> list[str]:
        """Return the usual order of a cut's slots; details stand where they stood."""
        facts = [key for key in cut.keys if role_of_key(key) != DETAILS]
        keys = [*self.template.ordered(cut, facts)]
        for number, key in enumerate(cut.keys):
            if role_of_key(key) == DETAILS:
                behind = cut.keys[number - 1] if number else None
                keys.insert(keys.index(behind) + 1 if behind else 0, key)
        return keys

    def _texts(self, cut: Cut) -> Iterator[tuple[str, str]]:
        for slot in cut.slots:
            text = self.document.text[slice(*slot.span)]
            written = self._written(cut, slot, text)
            yield slot.key, text if written is None else written

    def _written(self, cut: Cut, slot: Slot, text: str) -> str | None:
        """Return what a slot says in the usual format; None for what is taken as it stands."""
        match slot.role:
            case "title":
                return light_escape(plain(text), cut.entry.shape)
            case "date":
                iso = iso_of(cut.entry, slot, text)
                return self.formats.date(cut, slot.key, iso) if iso else None
            case "authors":
                names = cut.entry.fields.authors
                shown = read_names(text, names)
                is_cut = shown is not None and shown.others is not None
                return self.formats.authors(cut, names, is_cut=is_cut) if shown else None
            case "label" if slot.link is not None:
                return self.formats.label(cut, slot.key, slot.link.url, slot.link.label or None)
        return None


def _gaps_around(text: str, cut: Cut, words: Sequence[Span]) -> list[tuple[str, str | None]]:
    """Return what is between slots before and behind the words that stand there; where there are
    none, all of it and None."""
    gaps = cut.gaps(text)
    starts = [cut.span[0], *(slot.span[1] for slot in cut.slots)]
    spans = [(at, at + len(gap)) for at, gap in zip(starts, gaps, strict=True)]
    within = [[w for w in words if at <= w[0] and w[1] <= end] for at, end in spans]
    heads = [
        text[at : held[0][0] if held else end]
        for (at, end), held in zip(spans, within, strict=True)
    ]
    tails = [
        text[held[-1][1] if held else end : end]
        for (_, end), held in zip(spans, within, strict=True)
    ]
    shown = zip(_bare(heads), _bare(tails), within, strict=True)
    return [(head, tail if held else None) for head, tail, held in shown]


def _is_around(written: str, gap: tuple[str, str | None]) -> bool:
    """Return whether what is written stands before and behind what a gap has of its own."""
    head, tail = gap
    if tail is None:
        return written == head
    cuts = range(len(written) + 1)
    return any(head.startswith(written[:at]) and tail.endswith(written[at:]) for at in cuts)


def _bare(gaps: Sequence[str]) -> list[str]:
    """Return gaps without the blanks at the ends of lines and around the whole."""
    bare = [_LINE_END.sub("", gap) for gap in gaps]
    return [bare[0].lstrip(" \t"), *bare[1:-1], bare[-1].rstrip(" \t")] if bare[1:] else bare


def _shown(text: str) -> str:
    """Return a text without the blanks at the ends of its lines."""
    return _TRAILING.sub("", text).strip(" \t")
