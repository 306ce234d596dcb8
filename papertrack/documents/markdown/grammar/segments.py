"""Find an entry's title by scoring every stretch of atoms that may be it.

A title may continue across separators and wrappers, at a cost: ``[Name](…): the rest``, ``Learning
(Almost) All``. How likely a title starts and ends at a place is learnt from the other entries (see
``learn``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile
from operator import attrgetter
from typing import NamedTuple

from papertrack.documents.markdown.grammar.forms import MOST_COST, Form, Joint, Place, Step, form_of
from papertrack.documents.markdown.grammar.likeness import Look
from papertrack.documents.markdown.grammar.pieces import Atom, Wrap, is_label, linked_by
from papertrack.documents.markdown.model import PlacedLink
from papertrack.documents.markdown.roles import role_word, strong_identifier

_BYLINE_COST = 7.0
_NAME_APART = -8.0
"""The score for starting with a name that is not part of titles."""
_SOME_NAME, _SURE_NAME = 0.2, 0.55
_RUN_OF_NAMES = 0.9
"""The name likeness of each of several names in a row."""
_FAMILY = 0.3
"""The name likeness of a capitalized word that the document never writes in lower case."""
_INITIALS = 0.6
"""The name likeness of a single letter."""
_BRACKETED_NAME = 2.0
"""The cost of a title that starts with a name in brackets: ``[Orca] A System``."""
_FEW_WORDS = 3
"""How many words after such a name are a title without the name."""
_AFTER_NAMES = 2.5
"""The score for a title after names and a year, or in quotes after names.

References in APA, ACM, IEEE, MLA and similar styles look so.
"""
_AFTER_WORK = 4.0
"""The cost of a title after another work's title: ``[One](…), builds on [Two](…)``."""
_OF_LIST = 3.0
"""The cost of a title without the words between a name and it: ``Orca: Fast, Safe Systems``."""
_BEHIND_NAMES = re.compile(r".*:|[^.]*\.")
"""The separators of names, up to a title: a colon, or the first full stop."""
_MOST_WORDS_OF_PEOPLE = 4
_MOST_ATOMS = 30
"""How many atoms of an entry are considered. The rest is prose."""


@dataclass(eq=False)
class Line:
    """The atoms of an entry, with their looks and their form."""

    atoms: Sequence[Atom]
    looks: Sequence[Look]
    form: Form
    leads: int
    """How many atoms at the start are only numbers, dates and tags."""
    title_start: int | None
    """The atom where the title of a reference starts; None if the line is no reference."""
    after_work: int
    """The first atom after a link whose label is a work's title."""

    @cached_property
    def stretches(self) -> Sequence[tuple[Place, float, float, float]]:
        """The places that may be the title's, each with three scores.

        These are the score of its words, the score for what precedes it, and the cost of starting
        and ending there.
        """
        words, stretches = _Words(self), []
        for first, row in enumerate(self.form.rows):
            more = _AFTER_NAMES if first == self.title_start else 0.0
            more -= _AFTER_WORK if first >= self.after_work else 0.0
            for place, base in _starting_at(words, first, row):
                cost = words.before[first] + words.behind[place.last]
                stretches.append((place, base, more, cost))
        return stretches


class Segment(NamedTuple):
    """A stretch of atoms that may be the title, from ``first`` to ``last``."""

    first: int
    last: int
    score: float
    place: Place


def line_of(
    atoms: Sequence[Atom],
    looks: Sequence[Look],
    forms: dict[Hashable, Form],
    *,
    has_families: bool = False,
) -> Line:
    """Return an entry's atoms with their looks and form.

    ``forms`` is the cache of forms. ``has_families`` means that the document names people by family
    name alone.
    """
    atoms, looks = atoms[:_MOST_ATOMS], looks[:_MOST_ATOMS]
    looks = _with_runs_of_names(atoms, looks, has_families=has_families)
    looks = _with_titles_as_words(atoms, looks)
    form = form_of(forms, atoms, any(map(links_to_paper, atoms)))
    pairs = zip(atoms, looks, strict=True)
    leads = (at for at, pair in enumerate(pairs) if not _may_precede(*pair))
    behind = _find_title_start(atoms, looks), _first_after_work(atoms, looks)
    return Line(atoms, looks, form, next(leads, len(atoms)), *behind)


def _may_precede(atom: Atom, look: Look) -> bool:
    """Return whether an atom may precede a title: a number, a date, a tag."""
    is_wrapped = bool(atom.wraps) and atom.wraps[-1].kind in ("square", "round", "code")
    return look.is_date or look.is_number or (look.words < 3 and is_wrapped)


def _first_after_work(atoms: Sequence[Atom], looks: Sequence[Look]) -> int:
    """Return the first atom after a link whose label is a work's title.

    It and those after it are not the entry's title, but may be another work's.
    """
    for at, (atom, look) in enumerate(zip(atoms, looks, strict=True)):
        link = linked_by(atom)
        if link is not None and strong_identifier(link.url) and _is_title(look):
            behind = (n for n in range(at, len(atoms)) if not _is_in(atoms[n], link))
            return next(behind, len(atoms))
    return len(atoms)


def _is_in(atom: Atom, link: PlacedLink) -> bool:
    return any(wrap.link is link for wrap in atom.wraps)


def _is_title(look: Look) -> bool:
    """Return whether the label of a work's link is its title, as most long labels are."""
    is_other = look.is_label or look.is_date or look.is_number or look.venue > _SURE_NAME
    is_title = look.title > max(look.name, 0)
    return not is_other and (look.words > _MOST_WORDS_OF_PEOPLE or (look.words > 1 and is_title))


def _find_title_start(atoms: Sequence[Atom], looks: Sequence[Look]) -> int | None:
    """Return the atom where the title of a reference starts, or None.

    It follows names and a year, is in quotes or after a colon after names, is emphasized after
    joined names, or follows the full stop of a name's initials.
    """
    at = next((n for n in range(len(atoms)) if _ends_names(atoms, looks, n)), len(atoms))
    if not 0 < at < len(atoms) or max(look.name for look in looks[:at]) < _SURE_NAME:
        return None
    if looks[at].is_date and at + 1 < len(atoms):
        return at + 1
    are_sure = at > 1 and min(look.name for look in looks[:at]) > _SURE_NAME
    is_title = _is_quoted(atoms[at]) or _is_behind_initials(atoms, looks, at)
    is_title |= looks[at - 1].is_byline and any(wrap.kind == "emph" for wrap in atoms[at].wraps)
    marks = "".join(str(atom.before) for atom in atoms[1 : at + 1])
    return at if is_title or (are_sure and _BEHIND_NAMES.fullmatch(marks)) else None


def _ends_names(atoms: Sequence[Atom], looks: Sequence[Look], at: int) -> bool:
    """Return whether the names before an atom end there."""
    is_other = atoms[at].link is not None or looks[at].name <= _SOME_NAME
    return is_other or _is_quoted(atoms[at]) or _is_behind_initials(atoms, looks, at)


def _is_behind_initials(atoms: Sequence[Atom], looks: Sequence[Look], at: int) -> bool:
    """Return whether an atom follows the full stop of initials: ``Hart, J. C. A Title``."""
    return atoms[at].before == "." and at > 1 and _is_person(atoms[at - 2 : at], looks[at - 2 : at])


def _is_quoted(atom: Atom) -> bool:
    """Return whether an atom is in quotes. Names are never quoted."""
    return any(wrap.kind == "quote" for wrap in atom.wraps)


def _with_runs_of_names(
    atoms: Sequence[Atom], looks: Sequence[Look], *, has_families: bool
) -> list[Look]:
    """Return the looks, with several names in a row recognized as names: ``Li, T., Zhou, Y.``"""
    result = list(looks)
    start = 0
    for at in range(len(result) + 1):
        may_be_name = at < len(result) and result[at].name > 0.2 and atoms[at].link is None
        if may_be_name and (at == start or atoms[at].before in (",", "")):
            continue
        run = result[start:at]
        is_one = start == 0 and _is_person(atoms[:at], result)
        is_one |= has_families and _are_families(atoms, result, start, at)
        if start > 0 and _continues(atoms, result, start):
            result[start:at] = map(_as_words, run)
        elif is_one or (len(run) > 2 and any(look.name > 0.55 for look in run)):
            names = [(max(look.name, 0.9), min(look.title, -2.0)) for look in run]
            pairs = zip(run, names, strict=True)
            result[start:at] = [look._replace(name=name, title=t) for look, (name, t) in pairs]
        start = at if may_be_name else at + 1
    return result


def _are_families(atoms: Sequence[Atom], looks: Sequence[Look], start: int, end: int) -> bool:
    """Return whether atoms after a linked title, up to the end of the line, are family names.

    Example: ``[A Title](…) Quist, Odell, Marek``.
    """
    if not 0 < start < end - 2 or end < len(atoms) or atoms[start].before:
        return False
    link = linked_by(atoms[start - 1])
    is_behind = link is not None and not _is_in(atoms[start], link)
    return is_behind and all(look.words == 1 and look.name >= _FAMILY for look in looks[start:end])


def _with_titles_as_words(atoms: Sequence[Atom], looks: Sequence[Look]) -> Sequence[Look]:
    """Return the looks, with names inside long emphasized texts read as other words.

    If the entry has its authors elsewhere, such a text is the title: **Deep Speech, Recurrent
    Networks and What Follows**.
    """
    names = [at for at, look in enumerate(looks) if look.name >= _RUN_OF_NAMES]
    if len(names) < 2:
        return looks
    words: dict[Wrap, float] = {}
    for atom, look in zip(atoms, looks, strict=True):
        for wrap in atom.wraps:
            words[wrap] = words.get(wrap, 0.0) + look.words
    of_names = {wrap for at in names for wrap in atoms[at].wraps}
    kinds = ("bold", "emph", "quote", "link")
    long = {wrap for wrap, n in words.items() if n > _MOST_WORDS_OF_PEOPLE and wrap.kind in kinds}
    return [
        _as_words(look)
        if look.name > _SOME_NAME and not (long - of_names).isdisjoint(atom.wraps)
        else look
        for atom, look in zip(atoms, looks, strict=True)
    ]


def _is_person(atoms: Sequence[Atom], looks: Sequence[Look]) -> bool:
    """Return whether two atoms are one name that ends with initials: ``Hart, J. C``."""
    if len(atoms) != 2 or atoms[1].before != ",":
        return False
    # An initial has two characters and a blank; *A Survey* is longer.
    is_short = atoms[1].end - atoms[1].start <= 3 * looks[1].words + 1
    return all((is_short, looks[0].words <= 3, looks[1].name >= _INITIALS))


def _continues(atoms: Sequence[Atom], looks: Sequence[Look], start: int) -> bool:
    """Return whether an atom continues a title after a colon: ``A Survey: Methods, Problems``."""
    if start >= len(atoms) or atoms[start].before != ":":
        return False
    return atoms[start - 1].link is None and looks[start - 1].words > 2


def _as_words(look: Look) -> Look:
    """Return a look with less likeness to a name and more to a title."""
    return look._replace(name=0.3 * look.name, title=look.title + 1.8 * look.name)


def links_to_paper(atom: Atom) -> bool:
    """Return whether an atom is a link to a paper, or in one."""
    link = atom.link or linked_by(atom)
    if link is None or strong_identifier(link.url) is not None:
        return link is not None
    return role_word(link.label) in ("paper", "pdf") and is_label(link)


Weigh = Callable[[Line, Place], float]
"""Returns a score for a title at a place."""


def best_segments(line: Line, weigh: Weigh, least: float = -99.0) -> list[Segment]:
    """Return the stretches that may be the title, most likely first.

    ``least`` is the lowest score for the look of words, so that a place alone may decide.
    """
    segments = [
        Segment(place.first, place.last, max(base, least) + more - cost + weigh(line, place), place)
        for place, base, more, cost in line.stretches
    ]
    return sorted(segments, key=attrgetter("score"), reverse=True)


def usual_weight(line: Line, place: Place) -> float:
    """Return a score for typical title places: early, in a link, in bold."""
    return place.leading if place.first <= line.leads else place.usual


_WORDS_OF_NAME = 4
"""How many words before a colon may be a name at the start of the title."""


class _Words:
    """For each atom of a line, the costs of a title that includes it or stops beside it."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.continue_cost = [0.0]
        """The cost of continuing with each atom."""
        self.weights = [_APART]
        """How much each atom reads like part of a title, by ``Following``."""
        self.before = [0.0]
        """The cost of starting with each atom and leaving out the one before."""
        self.behind: list[float] = []
        """The cost of ending with each atom and leaving out the one after."""
        is_listed = False
        """Whether the words before an atom follow ``Name:`` as ``Fast`` in ``Orca: Fast, Safe``."""
        words = pairwise(zip(line.atoms, line.looks, strict=True))
        joints = zip(line.form.joints[1:], words, strict=True)
        for at, (joint, (before, (atom, look))) in enumerate(joints, 1):
            is_glued = joint.is_glued and _may_be_glued(look)
            # Many words in a link or in bold are a whole title, not a name at its start.
            is_whole = joint.separator == ":" and _ends_long(line, at)
            is_paper = line.form.is_paper and not is_whole
            cost = 0.0 if is_glued else _continue_cost(joint, before[1], look, is_paper)
            self.continue_cost.append(cost)
            self.weights.append(_continue_weights(atom, look, is_glued))
            goes_on = is_listed and joint.separator == ","
            self.before.append(_edge_cost(joint, *before) + _OF_LIST * goes_on)
            is_begun = all((joint.separator == ":", not _is_other(before[1], ":")))
            is_listed = all((goes_on or is_begun, look.words == 1, look.name < _SURE_NAME))
            self.behind.append(0.0 if is_whole else _edge_cost(joint, atom, look))
        self.behind.append(0.0)


_Weights = tuple[float, float, float]
"""One weight for each member of ``Following``."""
_APART: _Weights = (0.0, 0.0, 0.0)


def _starting_at(words: _Words, first: int, row: Sequence[Step]) -> Iterator[tuple[Place, float]]:
    """Yield the stretches that start with an atom, each with the score of its words."""
    line = words.line
    start = line.looks[first]
    weight, count = _start_weight(line, first) - 3.0 * start.common, start.words
    is_statement = start.is_statement
    bracket = _bracket_of_name(line, first)
    for last, (following, place) in enumerate(row, first):
        if last > first:
            if (cost := words.continue_cost[last]) > MOST_COST:
                return
            look = line.looks[last]
            count += look.words if _may_be_glued(look) else 0  # A venue is not part of a title.
            weight += words.weights[last][following] - cost
            is_statement = is_statement or look.is_statement
        if place and not (first == last and start.is_label):
            is_named = bracket is not None and bracket not in line.atoms[last].wraps
            against = 0.8 * is_statement + _BRACKETED_NAME * is_named
            yield place, weight + _length_weight(count, line.form.is_paper) - against


def _bracket_of_name(line: Line, first: int) -> Wrap | None:
    """Return the square brackets around an atom, if enough words for a title follow them."""
    bracket = next((wrap for wrap in line.atoms[first].wraps if wrap.kind == "square"), None)
    if bracket is None:
        return None
    behind = zip(line.atoms[first:], line.looks[first:], strict=True)
    outside = takewhile(lambda pair: pair[0].link is None, behind)
    words = sum(look.words for atom, look in outside if bracket not in atom.wraps)
    return bracket if words >= _FEW_WORDS else None


def _start_weight(line: Line, first: int) -> float:
    """Return how much an atom reads like the start of a title, also as ``Name:``."""
    look = line.looks[first]
    if look.is_apart:
        return _NAME_APART
    has_more = first + 1 < len(line.atoms) and line.atoms[first + 1].before == ":"
    if has_more and look.words <= 3 and not _is_other(look, ":"):
        return max(look.title, -0.2)
    return look.title


def _continue_weights(atom: Atom, look: Look, is_glued: bool) -> _Weights:
    """Return how much an atom reads like a continued title, for each member of ``Following``.

    A continuation may start in lower case, or be in brackets inside the title.
    """
    is_in_square = atom.before == "" and bool(atom.wraps) and atom.wraps[-1].kind == "square"
    if is_in_square and _is_plain(look):
        weight = max(look.title, 1.6)  # No other entry has these words.
        return weight, weight, weight
    inner = max(look.title, -0.3)
    if is_glued:
        return inner, inner, inner
    weight = look.title + look.starts_small
    # Words in one wrapper nearly always belong together.
    is_other = look.is_date or look.venue > 0.6 or look.name > 0.9
    return weight - 1.5 * look.common, weight if is_other else max(weight, -0.4), inner


def _ends_long(line: Line, at: int) -> bool:
    """Return whether a link or emphasis with many words ends before an atom.

    In ``[A Title](…): what it is about`` it does; in ``[Name](…): A Title`` it does not.
    """
    wraps = (wrap for wrap in line.atoms[at - 1].wraps if wrap.kind not in ("square", "round"))
    ended = next((wrap for wrap in wraps if wrap not in line.atoms[at].wraps), None)
    if ended is None:
        return False
    words = zip(line.atoms[:at], line.looks[:at], strict=True)
    return sum(look.words for atom, look in words if ended in atom.wraps) > _WORDS_OF_NAME


def _is_plain(look: Look) -> bool:
    """Return whether words are of no kind that is usually in brackets.

    These kinds are dates, numbers, labels, venues, and words that other entries have too.
    """
    is_evident = any((look.is_date, look.is_number, look.is_label))
    return not any((is_evident, look.common, look.venue >= 0.4))


def _may_be_glued(look: Look) -> bool:
    """Return whether words in brackets may be part of the word before them. A year may not."""
    return not (look.is_date or look.venue > 0.5)


def _continue_cost(joint: Joint, before: Look, look: Look, is_paper: bool) -> float:
    """Return the cost of a title that continues with words that are not glued to it.

    They may be a byline, or people's names after an event: ``ScaledML 2019: David Patterson``.
    """
    is_people = look.is_byline and joint.separator == "-"
    is_people |= look.name >= _RUN_OF_NAMES and joint.separator == ":" and before.venue > _SURE_NAME
    if is_people:
        return _BYLINE_COST
    return joint.cost_of_paper if is_paper and not look.starts_small else joint.cost


def _edge_cost(joint: Joint, beside: Atom, look: Look) -> float:
    """Return the cost of leaving out the atom beside a joint.

    It is high within a wrapper, and moderate if only a colon or a comma separates the atoms.
    """
    if beside.link is not None:
        return 0.0
    is_other = _is_other(look, joint.separator)
    if joint.is_shared:
        return 0.3 if is_other else 2.0 + 0.6 * max(look.title, 0.0)
    if is_other or look.common > 0.5 or not joint.edge_cost:
        return 0.0
    return joint.edge_cost + 0.9 * max(look.title, 0.0)


def _is_other(look: Look, separator: str) -> bool:
    """Return whether words are certainly not part of a title."""
    is_name = look.is_byline or look.name > (0.85 if separator in (":", "?") else 0.5)
    is_evident = look.is_apart or look.is_date or look.is_number or look.is_label
    return is_evident or look.venue > 0.5 or is_name


def _length_weight(words: float, is_paper: bool) -> float:
    """Return the score for a title's length. Most titles have four to sixteen words."""
    if words < 4:
        return (-3.0, -2.0, -0.8, 0.0)[int(words)] if is_paper else 0.0
    return 0.6 if words <= 16 else 0.6 - 0.25 * (words - 16)
