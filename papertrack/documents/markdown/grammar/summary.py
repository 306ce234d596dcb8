"""How a list is read, for its curator: what its entries are made of, and what is not understood.

Lists whose entries are made of the same things in the same order are told of together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from papertrack.documents.markdown.grammar.cuts import DETAILS, Cut, Slot, cut_entries, role_of_key
from papertrack.documents.markdown.grammar.proof import GroupProof, Proof, doubtful_titles, prove
from papertrack.documents.markdown.grammar.template import Template
from papertrack.documents.markdown.model import Document, Entry, Group, Mention, Shape
from papertrack.documents.markdown.syntax import plain
from papertrack.text import shorten, title_key

EXAMPLES = 3
_USUAL = 0.5
"""The share of entries that have what the pattern shows."""
_SEEN = 0.05
"""What is in fewer entries than this is in no list of parts."""
_LONGEST = 120
_LEADING = ("target", "reference")
"""What says where a link leads."""
_FEWEST = 3
"""Letters that say something."""
_CORE = ("number", "name", "title", "authors", "venue", "date")
"""What tells kinds of entries apart: links, marks and tags come and go."""


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

    @property
    def regenerated(self) -> int:
        return self.entries - len(self.failed)

    def to_dict(self) -> dict[str, object]:
        return {
            "sections": list(self.sections),
            "shape": self.shape,
            "pattern": self.pattern,
            "entries": self.entries,
            "regenerated": self.regenerated,
            "failed": list(self.failed),
            "parts": [
                {"role": part.role, "entries": part.entries, "examples": list(part.examples)}
                for part in self.parts
            ],
        }


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
            "lists": [one.to_dict() for one in self.lists],
            "not_understood": [{"line": line, "text": text} for line, text in self.not_understood],
            "doubtful_titles": [{"line": line, "text": text} for line, text in self.doubtful],
            "mentioned": [
                {"line": one.line, "text": one.title or one.identifier.value}
                for one in self.mentioned
            ],
        }


def summarise(document: Document) -> Summary:
    """Return how a document is read."""
    proof = prove(document)
    proofs = {one.group: one for one in proof.groups}
    cut = cut_entries(document, document.entries)
    template = Template(document.text, chain.from_iterable(cut))
    gathered: dict[tuple[object, ...], _Gathered] = defaultdict(_Gathered)
    for group, entries in _by_group(cut).items():
        gathered[_makeup(template, entries)].add(group, entries)
    lists = [_shown(document, template, one, proofs) for one in gathered.values()]
    words = chain.from_iterable(_unread(document, cuts) for cuts in cut)
    rest = chain(words, ((one.line, one.text) for one in document.skipped))
    told = sorted({(line, shorten(text, _LONGEST)) for line, text in rest})
    most_first = sorted(lists, key=lambda one: one.entries, reverse=True)
    doubtful = tuple((entry.line, entry.fields.title) for entry in doubtful_titles(document))
    return Summary(proof, tuple(most_first), tuple(told), document.mentioned, doubtful)


@dataclass
class _Gathered:
    """Groups whose entries are made alike."""

    groups: list[Group] = field(default_factory=list)
    entries: list[list[Cut]] = field(default_factory=list)

    def add(self, group: Group, entries: Sequence[list[Cut]]) -> None:
        self.groups.append(group)
        self.entries += entries


def _by_group(cut: Sequence[list[Cut]]) -> dict[Group, list[list[Cut]]]:
    groups: dict[Group, list[list[Cut]]] = defaultdict(list)
    for cuts in cut:
        if cuts:
            groups[cuts[0].group].append(cuts)
    return groups


def _makeup(template: Template, entries: Sequence[list[Cut]]) -> tuple[object, ...]:
    """Return what the entries of a group are made of: the same for groups that are alike."""
    shape = Counter(cuts[0].entry.shape for cuts in entries).most_common(1)[0][0]
    likes = {cut.where: cut for cut in chain.from_iterable(entries)}
    core = {where: filter(_is_core, keys) for where, keys in _usual(entries).items()}
    return shape, *((where, template.ordered(likes[where], keys)) for where, keys in core.items())


def _is_core(key: str) -> bool:
    return role_of_key(key) in _CORE


def _usual(entries: Sequence[list[Cut]]) -> dict[str, list[str]]:
    """Return what most of the entries say: by place, the keys of their slots."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for cut in chain.from_iterable(entries):
        counts[cut.where].update(key for key in cut.keys if role_of_key(key) != DETAILS)
    least = _USUAL * len(entries)
    return {where: [k for k, n in seen.items() if n >= least] for where, seen in counts.items()}


def _shown(
    document: Document, template: Template, one: _Gathered, proofs: dict[Group, GroupProof]
) -> ListShown:
    paths = (document.sections[cuts[0].entry.section].path for cuts in one.entries)
    failed = chain.from_iterable(proofs[group].failed for group in one.groups)
    return ListShown(
        tuple(dict.fromkeys("/".join(path) for path in paths if path)),
        one.entries[0][0].entry.shape,
        _pattern(template, one.entries),
        len(one.entries),
        tuple(sorted(failed)),
        tuple(_parts(document, one.entries)),
    )


def _pattern(template: Template, entries: Sequence[list[Cut]]) -> str:
    """Return an entry that says what most of them say, with names in place of what it says."""
    usual = _usual(entries)
    like = next((cuts for cuts in entries if _has(cuts, usual)), entries[0])
    cells = [
        template.write(cut, {key: name_of(key).upper() for key in usual[cut.where]}).strip()
        for cut in like
    ]
    return f"| {' | '.join(cells)} |" if like[0].column is not None else cells[0]


def _has(cuts: Sequence[Cut], usual: dict[str, list[str]]) -> bool:
    return all(set(usual[cut.where]) <= set(cut.keys) for cut in cuts)


def name_of(key: str) -> str:
    """Return what a slot says, in words: ``target:code#2`` is ``link to code 2``."""
    kind, _, number = key.partition("#")
    role, _, purpose = kind.partition(":")
    if role in _LEADING:
        words = "link" if purpose == "title" else f"link to {purpose}"
    else:
        words = f"{purpose} label" if role == "label" else role
    return f"{words} {number}".rstrip()


def _slots(cuts: Iterable[Cut]) -> Iterator[Slot]:
    return chain.from_iterable(cut.slots for cut in cuts)


def _unread(document: Document, cuts: Sequence[Cut]) -> Iterator[tuple[int, str]]:
    """Yield the words of an entry that are no part and are not kept as its description."""
    for slot in _slots(cuts):
        words = _words(document, slot)
        if slot.role == DETAILS and not _is_kept(words, cuts[0].entry):
            yield document.line_of(slot.span[0]), words


def _is_kept(words: str, entry: Entry) -> bool:
    """Whether words say nothing, or are in an entry's description."""
    key = title_key(words)
    return len(key) < _FEWEST or key in title_key(entry.fields.description or "")


def _words(document: Document, slot: Slot) -> str:
    return plain(document.text[slice(*slot.span)])


def _parts(document: Document, entries: Sequence[list[Cut]]) -> Iterator[PartShown]:
    """Yield what the entries say, with examples; links by where they lead."""
    counts: Counter[str] = Counter()
    said: dict[str, dict[str, None]] = defaultdict(dict)
    for told in map(_told, entries):
        counts.update(told.keys())
        for name, slot in told.items():
            said[name].setdefault(_says(document, slot))
    for name, count in counts.items():
        if count >= _SEEN * len(entries):
            shown = tuple(shorten(text, _LONGEST) for text in list(said[name])[:EXAMPLES])
            yield PartShown(name, count, shown)


def _told(cuts: Sequence[Cut]) -> dict[str, Slot]:
    """Return what an entry says, by name."""
    slots = {name_of(slot.key.partition("#")[0]): slot for slot in _slots(cuts)}
    return {name: slot for name, slot in slots.items() if slot.role != "label" and name != "link"}


def _says(document: Document, slot: Slot) -> str:
    if slot.link and slot.role in _LEADING:
        return slot.link.url
    return _words(document, slot)
