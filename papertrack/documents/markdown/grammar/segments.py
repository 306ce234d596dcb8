"""Which of an entry's atoms are its title: every stretch that may be it, with what speaks for it.

A title may go on over separators and wrappers (``[Name](…): the rest``, ``Learning (Almost) All``);
each that it passes costs something. What it costs to start or to end somewhere is learnt from the
entries around (see ``learn``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.markdown.grammar.looks import Looks
from papertrack.documents.markdown.grammar.pieces import Atom, Wrap
from papertrack.documents.markdown.roles import role_word, strong_identifier

_JOIN = {"": 0.0, ",": 0.35, ":": 0.1, "-": 1.0, "?": 0.6, "_": 0.8, ".": 2.2, "|": 3.5, "/": 3.0}
"""What it costs a title to go on behind a separator."""
_ENTER = {"round": 0.6, "square": 0.5, "code": 0.4, "quote": 0.5, "emph": 0.8, "bold": 1.6}
_ENTER |= {"link": 1.6}
"""What it costs a title to pass into a wrapper, or out of it."""
_MOST_ATOMS = 30
"""How many atoms of an entry are looked at; behind them there is only prose."""
Slot = tuple[object, ...]
"""Where a title starts or ends, by form: the same in entries that are written alike."""


@dataclass(slots=True, eq=False)
class Line:
    """An entry's atoms, what each reads like, and where each stands by form."""

    atoms: Sequence[Atom]
    looks: Sequence[Looks]
    forms: Sequence[str]
    """The wrappers of each atom, ``L`` of a link that only says what it is for."""
    pieces: Sequence[tuple[str, int]]
    """The outermost wrapper of each, and its number among those of its kind."""
    is_paper: bool
    """Whether a link says that it is a work, of which few have a title of one or two words."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Atoms that may be a title, from the first to the last."""

    first: int
    last: int
    score: float


def kinds_of(atom: Atom) -> str:
    """Return the wrappers of an atom as a word: ``link bold``."""
    return " ".join(wrap.kind for wrap in atom.wraps) if atom.wraps else ""


def line_of(atoms: Sequence[Atom], looks: Sequence[Looks]) -> Line:
    """Return an entry's atoms with the places of each."""
    atoms, looks = atoms[:_MOST_ATOMS], _with_neighbours(atoms, looks[:_MOST_ATOMS])
    forms = ["L" if atom.link else kinds_of(atom) for atom in atoms]
    pieces: list[tuple[str, int]] = []
    counts: dict[str, int] = {}
    last: object = atoms
    for atom, form in zip(atoms, forms, strict=True):
        outer = "L" if form == "L" else atom.wraps[0] if atom.wraps else None
        kind = form.partition(" ")[0]
        if outer is not last:
            counts[kind] = counts.get(kind, 0) + 1
            last = outer
        pieces.append((kind, counts[kind]))
    return Line(atoms, looks, forms, pieces, any(map(_says_paper, atoms)))


def _with_neighbours(atoms: Sequence[Atom], looks: Sequence[Looks]) -> list[Looks]:
    """Return what atoms read like where several names follow each other: ``Li, T., Zhou, Y.``"""
    found = list(looks)
    start = 0
    for at in range(len(found) + 1):
        is_on = at < len(found) and found[at].name > 0.2 and atoms[at].link is None
        if is_on and (at == start or atoms[at].before in (",", "")):
            continue
        found[start:at] = _as_run(found[start:at], start > 0 and _continues(atoms, found, start))
        start = at if is_on else at + 1
    return found


def _as_run(run: list[Looks], continues: bool) -> list[Looks]:
    """Return what atoms read like that follow each other and may all be names."""
    if continues:
        return list(map(_as_words, run))
    is_names = len(run) > 2 and any(look.name > 0.55 for look in run)
    return list(map(_as_name, run)) if is_names else run


def _continues(atoms: Sequence[Atom], looks: Sequence[Looks], start: int) -> bool:
    """Whether an atom goes on from words before a colon, where no names stand: ``A Survey: Methods,
    Open Problems``."""
    if start >= len(atoms) or atoms[start].before != ":":
        return False
    return atoms[start - 1].link is None and looks[start - 1].words > 2


def _as_words(look: Looks) -> Looks:
    return replace(look, name=0.3 * look.name, title=look.title + 1.8 * look.name)


def _as_name(look: Looks) -> Looks:
    return replace(look, name=max(look.name, 0.9), title=min(look.title, -2.0))


def _says_paper(atom: Atom) -> bool:
    link = atom.link or next((wrap.link for wrap in atom.wraps if wrap.link), None)
    return link is not None and (
        role_word(link.label) in ("paper", "pdf") or strong_identifier(link.url) is not None
    )


Weigh = Callable[[Line, int, int], float]
"""Returns what speaks for a title from one atom to another, by where they stand."""


def slots_of(line: Line, first: int, last: int) -> tuple[Slot, Slot, Slot]:
    """Return where a stretch starts, in which piece it is and whether it fills it, and where it
    ends: by form, so that they are the same in entries that are written alike."""
    one, other = line.atoms[first], line.atoms[last]
    shared = one.wraps[: _shared(one.wraps, other.wraps)]
    form = " ".join(wrap.kind for wrap in shared) if shared else ""
    before = line.forms[first - 1] if first else "^"
    is_end = last + 1 == len(line.atoms)
    behind, separator = ("$", "") if is_end else (line.forms[last + 1], line.atoms[last + 1].before)
    fills = bool(shared) and not (
        (first and shared[-1] in line.atoms[first - 1].wraps)
        or (not is_end and shared[-1] in line.atoms[last + 1].wraps)
    )
    return (
        ("start", form, one.before, before),
        ("piece", form, line.pieces[first], fills),
        ("end", form, separator, behind),
    )


def best_segments(line: Line, weigh: Weigh, least: float = -99.0) -> list[Segment]:
    """Return the stretches that may be the title, the likeliest first. What its words look like
    counts no less than ``least`` against one that stands where titles do."""
    found = [
        Segment(
            first, last, max(base, least) - _left_out(line, first, last) + weigh(line, first, last)
        )
        for first, last, base in _candidates(line)
    ]
    return sorted(found, key=lambda segment: -segment.score)


def _candidates(line: Line) -> Iterator[tuple[int, int, float]]:
    """Yield each stretch with how much its words alone read like a title."""
    for first, atom in enumerate(line.atoms):
        if atom.link is not None:
            continue
        yield from _from(line, first)


def _from(line: Line, first: int) -> Iterator[tuple[int, int, float]]:
    """Yield the stretches that start with an atom."""
    start = line.looks[first]
    weight, words = _starting(line, first) - 3.0 * start.common, start.words
    told = start.is_told
    for last in range(first, len(line.atoms)):
        if last > first:
            look = line.looks[last]
            cost = _going_on(line, last)
            if line.atoms[last].link is not None or cost > 6.0:
                return
            words += look.words
            weight += _continuing(line, first, last) - cost
            told = told or look.is_told
        if _is_whole(line, first, last) and not (first == last and start.is_label):
            length = _length_weight(words, line.is_paper)
            yield first, last, weight + length - 0.8 * told


def _starting(line: Line, first: int) -> float:
    """Return how much an atom reads like the start of a title; ``Name:`` before more of it does."""
    look = line.looks[first]
    has_more = first + 1 < len(line.atoms) and line.atoms[first + 1].before == ":"
    if has_more and look.words <= 3 and not _is_other(look, ":"):
        return max(look.title, -0.2)
    return look.title


def _continuing(line: Line, first: int, last: int) -> float:
    """Return how much an atom reads like more of the title that is before it: it may begin with a
    small letter, or be in brackets that the words go around."""
    atom, look = line.atoms[last], line.looks[last]
    if _is_in_square(atom) and _is_plain(look):
        return max(look.title, 1.6)  # Words in brackets that no others have are the title's.
    if _is_glued(line, last) or _is_inner(line, first, last):
        return max(look.title, -0.3)
    weight = look.title + look.starts_small
    if not (atom.wraps and atom.wraps[0] in line.atoms[first].wraps):
        return weight - 1.5 * look.common
    # What the same wrapper holds is nearly always the same thing.
    is_other = look.is_date or look.venue > 0.6 or look.name > 0.9
    return weight if is_other else max(weight, -0.4)


def _is_in_square(atom: Atom) -> bool:
    return atom.before == "" and bool(atom.wraps) and atom.wraps[-1].kind == "square"


def _is_plain(look: Looks) -> bool:
    """Whether words are nothing that often stands in brackets."""
    is_evident = look.is_date or look.is_number or look.is_label
    return not is_evident and not look.common and look.venue < 0.4


def _going_on(line: Line, last: int) -> float:
    if _is_glued(line, last):
        return 0.0
    is_title = line.is_paper and not line.looks[last].starts_small
    return _join_cost(line.atoms[last - 1], line.atoms[last], is_title)


def _left_out(line: Line, first: int, last: int) -> float:
    """Return what it costs that words beside the stretch are no part of it: much in the same
    wrapper, something where only a colon or a comma is between."""
    cost = 0.0
    if first:
        cost += _parting(line, first - 1, first, line.atoms[first].before)
    if last + 1 < len(line.atoms):
        cost += _parting(line, last + 1, last, line.atoms[last + 1].before)
    return cost


def _parting(line: Line, beside: int, inner: int, separator: str) -> float:
    """Return what it costs to leave out the atom beside the first or last one of a title."""
    atom, look = line.atoms[beside], line.looks[beside]
    if atom.link is not None:
        return 0.0
    is_other = _is_other(look, separator)
    if _share_wrapper(atom, line.atoms[inner]):
        return 0.3 if is_other else 2.0 + 0.6 * max(look.title, 0.0)
    if is_other or look.common > 0.5:
        return 0.0
    is_same = atom.wraps == line.atoms[inner].wraps
    base = _COLON_COST if separator == ":" and line.is_paper else _beside_cost(is_same, separator)
    return base + 0.9 * max(look.title, 0.0) if base else 0.0


_COLON_COST = 1.3


def _beside_cost(is_same: bool, separator: str) -> float:
    """Return what it costs that a separator parts a title from words in the same wrappers."""
    costs = {":": _COLON_COST, "?": 1.3, ",": 0.6, "": 0.6}
    return costs.get(separator, 0.0) if is_same else 0.0


def _share_wrapper(one: Atom, other: Atom) -> bool:
    """Whether emphasis, quotes or a link hold both atoms."""
    shared = _shared(one.wraps, other.wraps)
    return shared > 0 and not _is_bracket(one.wraps[shared - 1])


def _is_bracket(wrap: Wrap) -> bool:
    return wrap.kind in ("square", "round")


def _is_other(look: Looks, separator: str) -> bool:
    """Whether words are clearly something else than a part of a title."""
    is_name = look.name > (0.85 if separator in (":", "?") else 0.5)
    return look.is_date or look.is_number or look.is_label or look.venue > 0.5 or is_name


def _is_glued(line: Line, last: int) -> bool:
    """Whether an atom's brackets stand right behind a word, as in ``O(1)``; a year's do not."""
    before, atom, look = line.atoms[last - 1], line.atoms[last], line.looks[last]
    if look.is_date or look.venue > 0.5:
        return False
    return _opens_at(atom, before.end) or _closes_at(before, atom.start)


def _opens_at(atom: Atom, end: int) -> bool:
    """Whether round brackets around an atom open where a word ends."""
    return _is_round(atom) and atom.wraps[-1].start == end


def _closes_at(atom: Atom, start: int) -> bool:
    """Whether round brackets around an atom close where a word starts, but for a blank."""
    return _is_round(atom) and 0 <= start - atom.wraps[-1].end <= 1


def _is_round(atom: Atom) -> bool:
    return bool(atom.wraps) and atom.wraps[-1].kind == "round"


def _is_inner(line: Line, first: int, last: int) -> bool:
    """Whether an atom stands in brackets or quotes that other words of a title may surround."""
    wraps = line.atoms[last].wraps
    return len(wraps) > len(line.atoms[first].wraps) and wraps[-1].kind in ("square", "quote")


def _join_cost(before: Atom, after: Atom, is_paper: bool) -> float:
    """Return what it costs a title to go on from one atom to the next.

    ``[Name](…): the rest`` may be one where the link is that of a paper.
    """
    cost = _JOIN[after.before]
    if before.wraps != after.wraps:
        shared = _shared(before.wraps, after.wraps)
        passed = [wrap.kind for wrap in (*before.wraps[shared:], *after.wraps[shared:])]
        if is_paper and after.before == ":" and "link" not in passed[len(before.wraps) - shared :]:
            return cost + 0.3 * len(passed)
        cost += sum(_ENTER[kind] for kind in passed) + 2.5 * ("link" in passed)
    return cost


def _shared(one: Sequence[Wrap], other: Sequence[Wrap]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left is not right:
            break
        count += 1
    return count


def _is_whole(line: Line, first: int, last: int) -> bool:
    """Whether no wrapper holds a part of the stretch and something outside of it."""
    shared = _shared(line.atoms[first].wraps, line.atoms[last].wraps)
    opening, closing = line.atoms[first].wraps[shared:], line.atoms[last].wraps[shared:]
    if opening and first and any(wrap in line.atoms[first - 1].wraps for wrap in opening):
        return False
    behind = line.atoms[last + 1].wraps if closing and last + 1 < len(line.atoms) else ()
    return not any(wrap in behind for wrap in closing)


def _length_weight(words: float, is_paper: bool) -> float:
    """Return what the number of words says: most titles have four to sixteen."""
    if words < 4:
        return (-3.0, -2.0, -0.8, 0.0)[int(words)] if is_paper else 0.0
    return 0.6 if words <= 16 else 0.6 - 0.25 * (words - 16)


_WRAP_WEIGHTS = {"link": 1.2, "quote": 1.4, "bold": 0.7, "emph": 0.1, "round": -1.5}
_WRAP_WEIGHTS |= {"square": -0.8, "code": -1.2}


def usual_weight(line: Line, first: int, last: int) -> float:
    """Return what speaks for a title by where titles usually stand: early, in a link, in bold."""
    start, end = line.atoms[first].wraps, line.atoms[last].wraps
    shared = start[: _shared(start, end)]
    weight = sum(_WRAP_WEIGHTS[wrap.kind] for wrap in shared)
    weight += 1.0 * any(_is_filled(line, wrap, first, last) for wrap in shared)
    is_lead = not any(atom.link for atom in line.atoms[:first])
    if start and start[-1].kind in ("link", "bold") and _leads(line, first):
        weight += 2.0 if line.is_paper else 3.0
    return weight + 0.5 * is_lead + 0.4 * (first == 0)


def _is_filled(line: Line, wrap: Wrap, first: int, last: int) -> bool:
    """Whether a wrapper other than brackets holds nothing beside a stretch."""
    beside = (line.atoms[at] for at in (first - 1, last + 1) if 0 <= at < len(line.atoms))
    return not _is_bracket(wrap) and not any(wrap in atom.wraps for atom in beside)


def _leads(line: Line, first: int) -> bool:
    """Whether only numbers, dates and tags stand before an atom."""
    return all(_is_lead(line, at) for at in range(first))


def _is_lead(line: Line, at: int) -> bool:
    look, wraps = line.looks[at], line.atoms[at].wraps
    return look.is_date or look.is_number or (look.words < 3 and _is_tag(wraps))


def _is_tag(wraps: Sequence[Wrap]) -> bool:
    return bool(wraps) and wraps[-1].kind in ("square", "round", "code")
