"""Learn from all entries of a list where their titles are.

First, each entry of a sample is read by the look of its words and the usual places of titles. The
places that most titles have (after names and a full stop, in bold, in the second pair of brackets)
then decide the doubtful entries, in two rounds. The entries of a list count most for that list.
Those of the whole document help lists that are too small. A title that is known from elsewhere, by
the work's identifier, counts as much as several guessed ones.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

from papertrack.documents.markdown.grammar import forms, likeness, reading
from papertrack.documents.markdown.grammar.pieces import Atom, linked_by
from papertrack.documents.markdown.grammar.segments import (
    Line,
    Segment,
    best_segments,
    line_of,
    links_to_paper,
    usual_weight,
)
from papertrack.documents.markdown.headers import role_of_header
from papertrack.documents.markdown.link_labels import FRAMEWORKS, names_place
from papertrack.documents.markdown.model import Part, PartRole, Skip
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import Span
from papertrack.text import fold, title_key

_FEW_WITHIN = 0.01
"""The share of entries with bold words in the middle of other words that shows a habit."""
_ROUNDS = 2
_MOST_LOOKS = 4096
_KNOWN_WEIGHT = 3
_OF_MOST = 0.5
_WORDS_OF_NAME = 3
_NAME_OF_CODE = 3
"""The most words that the name of a repository usually has."""
_CODE_IS_NO_PAPER = 2.0
_REPEATED = 0.15
"""The share of titles that must repeat the name before them, to show that it is no part of them."""
_SOME_STOPS = 0.25
"""The share of titles with a full stop that shows a habit. Authors also forget it."""
_SURE_VENUE = 0.6
_ET_AL = re.compile(r"[)\]*\"”] [A-Z][\w'’-]+ et al\b")
_LEAST = -2.5
"""The lowest score that words have by their look. It allows unlikely words in the place where all
other entries have their titles."""
_IN = re.compile(r"In:? (?:the )?[A-Z][A-Za-z]")
_COUNTING = re.compile(likeness.COUNTED, re.IGNORECASE)
_WIDE_COLON = "："
_QUOTED = re.compile(r"['‘](?:[^'‘’]|(?<=\w)['’](?=\w)){3,}['’]")
_NOT_LETTERS = re.compile(r"\W+")


CorrectRoles = Callable[[str, Line, Segment | None, list[reading.AtomRole]], list[reading.AtomRole]]
"""Corrects the roles of an entry's atoms, given its text, line and title."""


@dataclass(frozen=True, slots=True)
class Sample:
    """An entry from which the grammar is learnt."""

    group: Hashable
    """The list that contains it."""
    span: Span
    skips: Mapping[int, Skip]
    """Everything in it that is not plain words, by offset."""
    text: str
    atoms: Sequence[Atom]
    known: str | None = None
    """Its title, if known from elsewhere."""
    weight: int = _KNOWN_WEIGHT
    """How many guessed titles its known title counts for."""


@dataclass(slots=True, eq=False)
class Places:
    """Counts how often each place occurs in entries, and how often it is the title's place."""

    seen: Counter[forms.FormKey] = field(default_factory=Counter)
    chosen: Counter[forms.FormKey] = field(default_factory=Counter)
    evidence: dict[forms.FormKey, float] = field(default_factory=dict)
    """The evidence for each place in this list, computed when needed."""

    def take(self, segments: Sequence[Segment], title: Segment, weight: int) -> None:
        """Count an entry with its known or guessed title."""
        for key in {key for segment in segments for key in segment.place.keys}:
            self.seen[key] += weight
        for key in title.place.keys:
            self.chosen[key] += weight

    def weight(self, key: forms.FormKey) -> float | None:
        """Return the evidence that a title is in a place; None if no entry has the place."""
        seen = self.seen[key]
        if not seen:
            return None
        share = (self.chosen[key] + 0.25) / (seen + 0.5)
        return max(-3.0, min(3.0, math.log(share / (1 - share)))) * seen / (seen + 2)


class Grammar:
    """What was learnt about the lists of a document."""

    def __init__(self, usual: frozenset[str], common: Mapping[str, float]) -> None:
        """``common`` maps words to the share of entries that contain them.

        ``usual`` are words that the document writes in lower case.
        """
        self.forms: dict[Hashable, forms.Form] = {}
        """A cache of the forms of lines."""
        self.common = common
        self.look: Callable[[str], likeness.Look] = lru_cache(_MOST_LOOKS)(
            partial(_look, usual, common)
        )
        """Returns the look of words. It is cached, because names, venues and dates recur."""
        self.lines: dict[Span, tuple[Mapping[int, Skip], Line]] = {}
        """The lines of the samples by span, each with its ``skips``."""
        self.places: dict[Hashable, Places] = {}
        self.all = Places()
        self.roles: dict[Hashable, reading.Roles] = defaultdict(reading.Roles)
        self.all_roles = reading.Roles()
        self.correct_roles: CorrectRoles = lambda text, line, title, readings: readings
        """Corrects the roles of atoms by the examples that the user gave."""
        self.names_apart: frozenset[str] = frozenset()
        """Wrappers, such as ``bold``, of names before a colon that are not part of titles."""
        self.marks_words = False
        """Whether titles contain words in bold: ``Night **Harbour Depth** with a Camera``."""
        self.has_families = False
        """Whether people may be named by family name alone: ``Quist et al.``"""
        self.has_stops = False
        """Whether titles in emphasis or a link end with a full stop that is not part of them."""

    def line(self, text: str, atoms: Sequence[Atom]) -> Line:
        """Return an entry's atoms, each with its look."""
        if self.marks_words:
            atoms = _with_plain_words(text, atoms)
        looks = [_NOTHING if a.link else self.look(text[a.start : a.end]) for a in atoms]
        atoms, looks = _with_whole_venues(text, atoms, looks)
        atoms = forms.with_names_alike(atoms, looks)
        for at in range(len(atoms) - 1):
            # *Video* is part of a title, not a label, if other words follow it in the same wrapper.
            if looks[at].is_label and (
                _are_together(atoms[at], atoms[at + 1])
                or _names_place(text, atoms[at])
                or _begins_title(text, atoms, at)
            ):
                looks[at] = looks[at]._replace(is_label=False, title=0.3)
            elif atoms[at + 1].before != ":":
                continue
            elif self._is_label(text[atoms[at].start : atoms[at].end]):
                looks[at] = looks[at]._replace(is_label=True, title=-4.0)
            elif self._is_apart(text, atoms[at : at + 2], looks[at]):
                looks[at] = looks[at]._replace(is_apart=True)
        if any(map(links_to_paper, atoms)):
            looks = [_as_name_of_code(*pair) for pair in zip(atoms, looks, strict=True)]
        for at in range(1, len(atoms)):
            if _is_abbreviation(text, atoms[at], atoms[at - 1]):
                looks[at] = looks[at]._replace(title=1.0, venue=0.0)
            elif looks[at - 1].words > 3 and _is_cjk_after_colon(text, atoms[at - 1], atoms[at]):
                looks[at] = looks[at]._replace(title=min(looks[at].title, -2.0))
            elif looks[at - 1].words > 2 and (
                (atoms[at].before == "." and _IN.match(text, atoms[at].start, atoms[at].end))
                or _is_volume(text, atoms[at : at + 2])
            ):
                looks[at] = looks[at]._replace(title=min(looks[at].title, -2.0), venue=0.8)
        return line_of(atoms, looks, self.forms, has_families=self.has_families)

    def _is_apart(self, text: str, atoms: Sequence[Atom], look: likeness.Look) -> bool:
        """Return whether the first of two atoms is a name that is not part of the title."""
        if self.names_apart and _name_in_front(text, atoms) in self.names_apart:
            return True
        return look.words <= _WORDS_OF_NAME and _are_apart(*atoms)

    def _is_label(self, words: str) -> bool:
        """Return whether words before a colon are a label.

        They introduce a title (also *Paper 3*) or a venue (*In*), or most entries have them.
        """
        is_known = words == "In" or role_of_header(fold(words), words) == "title"
        unnumbered = words.rstrip(" #0123456789")
        is_numbered = unnumbered != words and role_word(unnumbered) == "paper"
        return is_known or is_numbered or self.common.get(words, 0.0) > _OF_MOST

    def segments(self, line: Line, group: Hashable) -> list[Segment]:
        """Return the stretches that may be an entry's title, most likely first."""
        own_places = self.places.get(group)

        def weigh(line: Line, place: forms.Place) -> float:
            return 0.6 * usual_weight(line, place) + self._learnt(own_places, place)

        return best_segments(line, weigh, _LEAST)

    def parts(self, text: str, line: Line, title: Segment | None, group: Hashable) -> list[Part]:
        """Return the parts of an entry, except its title and links."""
        own_roles = self.roles.get(group)

        def usual(key: forms.FormKey) -> PartRole | None:
            return (own_roles.usual(key) if own_roles else None) or self.all_roles.usual(key)

        readings = list(reading.assign_roles(text, line, title, usual))
        return reading.parts_of(text, line, self.correct_roles(text, line, title, readings))

    def title(self, text: str, line: Line, title: Segment) -> Span:
        """Return the span of a title, without a full stop that is only the list's style.

        Single quotes around it, as in British references, are left out too.
        """
        (start, end), fills = reading.title_span(text, line, title)
        if text[start] in "'‘" and _QUOTED.fullmatch(text, start, end):
            return start + 1, end - 1
        has_stop = fills and self.has_stops and text[end - 1] == "." != text[end - 2]
        return start, end - (has_stop or (fills and text[end - 1] == ","))

    def _learnt(self, places: Places | None, place: forms.Place) -> float:
        """Return the learnt evidence that a title is in this place of a list."""
        evidence, weight = (places or self.all).evidence, 0.0
        for scale, key in zip((0.8, 0.6, 0.5), place.keys, strict=True):
            if key not in evidence:
                of_all, of_own = (
                    self.all.weight(key) or 0.0,
                    places.weight(key) if places else None,
                )
                evidence[key] = 0.6 * of_all if of_own is None else of_own + 0.3 * of_all
            weight += scale * evidence[key]
        return weight


def _look(usual: frozenset[str], common: Mapping[str, float], words: str) -> likeness.Look:
    """Return the look of words, given how common they are."""
    share = common.get(likeness.skeleton(words), 0.0)
    if share > _OF_MOST and _COUNTING.fullmatch(words):
        return _NUMBER
    return likeness.look_of(words, usual, share, common.get(words, 0.0) if share else 0.0)


_NOTHING = likeness.Look(0, -9.0, 0.0, 0.0, is_label=True)
_NUMBER = likeness.Look(1, -4.0, 0.0, 0.0, is_number=True)


def learn(samples: Sequence[Sample], usual: frozenset[str]) -> Grammar:
    """Learn the grammar of a document from samples of its entries.

    ``usual`` are words that the document writes in lower case.
    """
    values = Counter(value for sample in samples for value in _values(sample))
    grammar = Grammar(usual, likeness.shares(values, len(samples)))
    grammar.names_apart = _find_names_apart(samples)
    grammar.has_families = any(map(_ET_AL.search, {sample.text for sample in samples}))
    within = sum(_marks_words(sample.text, sample.atoms) for sample in samples)
    grammar.marks_words = within >= _FEW_WITHIN * len(samples) > 0
    lines = [(sample, grammar.line(sample.text, sample.atoms)) for sample in samples]
    grammar.lines = {sample.span: (sample.skips, line) for sample, line in lines}
    read = [(sample, line, best_segments(line, usual_weight)) for sample, line in lines]
    for _ in range(_ROUNDS):
        _count(grammar, read)
        read = [(sample, line, grammar.segments(line, sample.group)) for sample, line, _ in read]
    _count(grammar, read)
    ends: list[bool] = []
    for sample, line, segments in read:
        if segments:
            span, fills = reading.title_span(sample.text, line, segments[0])
            end = sample.text[span[1] - 1]
            ends += [end == "."] if fills and end not in "?!" else []
            grammar.roles[sample.group].take(sample.text, line, segments[0])
            grammar.all_roles.take(sample.text, line, segments[0])
    grammar.has_stops = sum(ends) >= _SOME_STOPS * len(ends)
    return grammar


def _marks_words(text: str, atoms: Sequence[Atom]) -> bool:
    """Return whether bold words are in the middle of plain ones, before any link.

    After a link, they may be part of a remark.
    """
    links = (at for at, atom in enumerate(atoms) if atom.link or linked_by(atom))
    for at in range(1, next(links, len(atoms)) - 1):
        before, bold, behind = atoms[at - 1 : at + 2]
        is_within = before.wraps == bold.wraps[:-1] == behind.wraps
        runs_on = _run_on(text, before, bold) and _run_on(text, bold, behind)
        if is_within and runs_on and forms.emphasis_alone(atoms, at, ("bold",)):
            return True
    return False


def _run_on(text: str, first: Atom, second: Atom) -> bool:
    """Return whether only blanks and signs of emphasis are between two atoms of words."""
    is_words = first.link is None and second.link is None and second.before == ""
    return is_words and not text[first.end : second.start].strip(" *_")


def _with_plain_words(text: str, atoms: Sequence[Atom]) -> list[Atom]:
    """Return the atoms, with bold words joined to the plain words beside them.

    Together they are one title.
    """
    plain = [
        replace(atom, start=wrap.start, end=wrap.end, wraps=atom.wraps[:-1]) if wrap else atom
        for at, atom in enumerate(atoms)
        for wrap in [forms.emphasis_alone(atoms, at, ("bold",))]
    ]
    joined: list[Atom] = []
    for at, atom in enumerate(plain):
        last = joined[-1] if joined else None
        if last and last.wraps == atom.wraps and _run_on(text, plain[at - 1], atom):
            joined[-1] = replace(last, end=atom.end)
        else:
            joined.append(atom)
    return joined


def _with_whole_venues(
    text: str, atoms: Sequence[Atom], looks: Sequence[likeness.Look]
) -> tuple[list[Atom], list[likeness.Look]]:
    """Return atoms and looks, with a venue's name that contains commas as one atom.

    Example: ``Conf. Electronics, Circuits, and Systems (ICECS)``.
    """
    kept: list[tuple[Atom, likeness.Look]] = []
    number = 0
    while number < len(atoms):
        atom, look, behind = atoms[number], looks[number], number + 1
        if all((look.venue > _SURE_VENUE, look.words > 2, not atom.link)):
            behind = _end_of_venue(text, atoms, looks, number)
        if behind > number + 1:
            last = atoms[behind - 1]
            is_wrapped = len(last.wraps) > len(atom.wraps)
            atom = replace(atom, end=last.wraps[-1].end if is_wrapped else last.end)
        kept.append((atom, look))
        number = behind
    return [atom for atom, _ in kept], [look for _, look in kept]


def _end_of_venue(
    text: str, atoms: Sequence[Atom], looks: Sequence[likeness.Look], first: int
) -> int:
    """Return the end of the atoms that are the name of one venue.

    The name may go on to an *and* after commas, and to an acronym in brackets.
    """
    end = first + 1
    for at in range(first + 1, min(first + 4, len(atoms))):
        atom, look = atoms[at], looks[at]
        is_other = atom.link or look.is_date or look.words > 4
        if atom.before != "," or atom.wraps != atoms[first].wraps or is_other:
            break
        if text.startswith(("and ", "& "), atom.start):
            end = at + 1
            break
    return end + _is_short_name(text, atoms, first, end)


def _is_short_name(text: str, atoms: Sequence[Atom], first: int, at: int) -> bool:
    """Return whether an atom is the acronym of the venue before it, in brackets: ``(ICRA)``.

    Three of four letters must be initials of the venue's words.
    """
    if at >= len(atoms) or atoms[at].before or atoms[at].link:
        return False
    atom, words = atoms[at], text[atoms[at].start : atoms[at].end]
    if not forms.kinds_of(atom).endswith("round"):
        return False
    name = text[atoms[first].start : atom.wraps[-1].start]
    initials = {word[0].casefold() for word in re.findall(r"\w+", name)}
    fitting = sum(letter.casefold() in initials for letter in words)
    is_short = all((len(words) > 2, words.isalpha(), words[:-1].isupper()))
    return is_short and fitting * 4 >= len(words) * 3


def _values(sample: Sample) -> set[str]:
    """Return the words of each atom, both as written and normalized."""
    words = {sample.text[a.start : a.end] for a in sample.atoms if not a.link}
    return words | set(map(likeness.skeleton, words))


def _count(grammar: Grammar, readings: Sequence[tuple[Sample, Line, Sequence[Segment]]]) -> None:
    """Count the places of titles again, from the titles as they are read now."""
    grammar.all = Places()
    places: dict[Hashable, Places] = defaultdict(Places)
    for sample, line, segments in readings:
        title, weight = _title_of(sample, line, segments)
        if title is not None:
            places[sample.group].take(segments, title, weight)
            grammar.all.take(segments, title, weight)
    grammar.places = dict(places)


def _names_place(text: str, atom: Atom) -> bool:
    """Return whether an atom is the label of a link, and is the name of the linked site."""
    link = linked_by(atom)
    words = text[atom.start : atom.end]
    return link is not None and words == link.label and names_place(words, link.url)


def _begins_title(text: str, atoms: Sequence[Atom], at: int) -> bool:
    """Return whether a title starts with a framework: ``PyTorch: An Imperative Style``."""
    name, rest = atoms[at : at + 2]
    is_first = all((at == 0, rest.before == ":", rest.link is None, name.wraps == rest.wraps))
    return is_first and text[name.start : name.end].casefold() in FRAMEWORKS


def _are_together(atom: Atom, after: Atom) -> bool:
    """Return whether two atoms have the same wrappers and no colon between them."""
    is_same = bool(atom.wraps) and after.wraps == atom.wraps
    return is_same and after.before != ":" and after.link is None


def _as_name_of_code(atom: Atom, look: likeness.Look) -> likeness.Look:
    """Return the look of an atom in an entry with a paper's link.

    A few words that link to code are probably the name of the code, not the title.
    """
    link = linked_by(atom)
    is_code = link is not None and link.role == "code"
    is_name = is_code and look.words <= _NAME_OF_CODE
    return look._replace(title=look.title - _CODE_IS_NO_PAPER) if is_name else look


def _find_names_apart(samples: Sequence[Sample]) -> frozenset[str]:
    """Return the wrappers of names that precede titles but are not part of them.

    This is so if many of these titles repeat the name or contain a colon themselves. If the names
    have no wrappers but a wide colon follows them, the set contains the wide colon.
    """
    seen, again = Counter[str](), Counter[str]()
    for sample in samples:
        text, atoms = sample.text, sample.atoms
        pairs = ((at, _name_in_front(text, atoms[at : at + 2])) for at in range(len(atoms) - 1))
        for at, place in [(at, place) for at, place in pairs if place][:1]:
            seen[place] += 1
            again[place] += _is_apart(text, atoms[at : at + 3], place)
    return frozenset(place for place, n in again.items() if n > 1 and n >= _REPEATED * seen[place])


def _name_in_front(text: str, atoms: Sequence[Atom]) -> str | None:
    """Return the wrappers of a name before a colon, if the words after it have none; else None.

    If both have none, return the colon if it is wide and the text has no CJK characters.
    """
    name, after = atoms
    if after.before != ":" or after.link is not None or name.link is not None:
        return None
    if name.wraps and not after.wraps:
        return forms.kinds_of(name)
    is_wide = _WIDE_COLON in text[name.end : after.start]
    return _WIDE_COLON if is_wide and not likeness.has_cjk(text[name.start : after.end]) else None


def _are_apart(name: Atom, after: Atom) -> bool:
    """Return whether a colon separates two emphasized texts: ``**Orca**: *A System*``.

    The second one may also be quoted.
    """
    if name.link or after.link or not (name.wraps and after.wraps):
        return False
    before, behind = ({wrap.kind for wrap in atom.wraps} for atom in (name, after))
    are_kinds = before <= {"bold", "code"} and behind <= {"bold", "emph", "quote"}
    return are_kinds and name.wraps[0] is not after.wraps[0]


def _is_apart(text: str, atoms: Sequence[Atom], place: str) -> bool:
    """Return whether a name before a colon is certainly not part of the title.

    The title repeats the name, ``Orca: Orca: A``, or contains a normal colon of its own, ``Orca：A
    System: With Parts``.
    """
    if [atom.before for atom in atoms[1:]] != [":", ":"]:
        return False
    name, title, rest = atoms
    is_wide = _WIDE_COLON in text[title.end : rest.start]
    if place == _WIDE_COLON and not is_wide:
        return True
    return fold(text[name.start : name.end]) == fold(text[title.start : title.end])


def _is_volume(text: str, atoms: Sequence[Atom]) -> bool:
    """Return whether words end with a volume and pages follow: ``A Journal 12, 3-9``."""
    if len(atoms) < 2 or atoms[1].before != ",":
        return False
    is_numbered = text[atoms[0].end - 1].isdigit() and text[atoms[0].start].isalpha()
    return is_numbered and likeness.is_pages(text[atoms[1].start : atoms[1].end])


def _is_cjk_after_colon(text: str, before: Atom, atom: Atom) -> bool:
    """Return whether CJK words follow a colon after Latin ones, as a description."""
    words, behind = text[before.start : before.end], text[atom.start : atom.end]
    return atom.before == ":" and likeness.has_cjk(behind[:3]) and not likeness.has_cjk(words)


def _is_abbreviation(text: str, atom: Atom, before: Atom) -> bool:
    """Return whether an atom in brackets abbreviates the words before it: ``Big Models (BMs)``."""
    if not atom.wraps or atom.wraps[-1].kind != "round" or atom.wraps[:-1] != before.wraps:
        return False
    letters = [char.casefold() for char in text[atom.start : atom.end] if char.isupper()]
    words = re.split(r"[\s-]+", text[before.start : before.end])[-len(letters) :]
    return 1 < len(letters) < 9 and letters == [word[:1].casefold() for word in words]


def _title_of(
    sample: Sample, line: Line, segments: Sequence[Segment]
) -> tuple[Segment | None, int]:
    """Return an entry's known or guessed title, and its weight."""
    if sample.known is None:
        return (segments[0], 1) if segments and segments[0].score > 0 else (None, 0)
    wanted = bare(sample.known)
    for segment in segments:
        start, end = line.atoms[segment.first].start, line.atoms[segment.last].end
        if bare(sample.text[start:end]) == wanted:
            return segment, sample.weight
    return None, 0


def bare(title: str) -> str:
    """Return only the letters and digits of a title, to compare titles."""
    return _NOT_LETTERS.sub("", title_key(title))
