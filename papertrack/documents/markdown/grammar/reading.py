"""What each atom of an entry says, once its title is found: the parts of the entry.

Names, venues and dates are taken where they read like such beyond doubt; what is doubtful (a single
name, an acronym) follows what is in the same place in the entries around, or what the reader
says of one of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from papertrack.documents.markdown.grammar.forms import Slot, kinds_of
from papertrack.documents.markdown.grammar.likeness import are_cut_off, names_in, venue_likeness
from papertrack.documents.markdown.grammar.looks import Looks
from papertrack.documents.markdown.grammar.pieces import Atom, Wrap, linked_by
from papertrack.documents.markdown.grammar.segments import Line, Segment
from papertrack.documents.markdown.grammar.titles import role_before
from papertrack.documents.markdown.model import Part, PartRole, PlacedLink
from papertrack.documents.markdown.values import Span, find_date, stripped
from papertrack.text import title_key

_LONGEST_NAME = 3
"""Words of another name of a work, as ``DPO`` before its title."""
_LONGEST_TAG = 40
_SOME_NAME = 0.5
_SURE_NAME = 0.8
_EDGES_IN_QUOTES = " \t\r\n,;"
_IN = re.compile(r"in:?\s+(?=[A-Z0-9])", re.IGNORECASE)
_BY = re.compile(r"(?:by|authors?|作者)[ :：]\s*", re.IGNORECASE)
_HOW = r"(?:oral|spotlight|poster|highlight|submission|(?:best paper )?award(?: candidate)?)s?"
_PRESENTED = re.compile(_HOW, re.IGNORECASE)
"""How a work was presented, which is no part of where."""
_PRESENTED_BEHIND = re.compile(
    rf"(?P<venue>.*(?:19|20)[0-9]{{2}})[\s,;:-]{{1,3}}(?P<how>{_HOW})", re.IGNORECASE
)
_COMPANY = re.compile(
    r"(?P<name>Google|Facebook|Meta|Microsoft|Airbnb|Alibaba|Baidu|Tencent|Netflix|LinkedIn|Twitter"
    r"|Uber|Huawei|NVIDIA|OpenAI|DeepMind|Apple|Amazon|ByteDance|Yahoo!?|Pinterest|Spotify|Adobe|IBM"
    r"|Samsung|DoorDash|Anthropic|Instacart|Meituan|Mistral|DeepSeek)"
    r"(?:[\s,'’]{0,2}(?:(?:19|20)?[0-9]{2}))?",
    re.IGNORECASE,
)
"""Where a work was made, which is not where it was published."""
_AND = frozenset("and und et y e и ve".split())
_PREPRINT = re.compile("arXiv(?: preprint)?|preprint", re.IGNORECASE)
Usual = Callable[[Slot], PartRole | None]
"""Returns what the entries around say in a place, if nearly all agree."""


class Said(NamedTuple):
    """An atom and what it says."""

    at: int
    role: PartRole
    is_sure: bool


@dataclass(slots=True)
class Roles:
    """How often each place says what."""

    counts: Counter[tuple[Slot, PartRole]] = field(default_factory=Counter)
    totals: Counter[Slot] = field(default_factory=Counter)

    def take(self, text: str, line: Line, title: Segment) -> None:
        """Count what the atoms of an entry surely say."""
        for one in say(text, line, title, lambda slot: None):
            slot = place_of(line, one.at, title)
            self.counts[slot, one.role] += one.is_sure or one.role == "tag"
            # A date that nothing wraps is one in any place.
            self.totals[slot] += one.role != "date" or bool(slot[0])

    def usual(self, slot: Slot) -> PartRole | None:
        """Return what a place mostly says; None if that is not clear."""
        total = self.totals[slot]
        shown = (role for role in _BY_PLACE if self.counts[slot, role] * 2 >= total > 2)
        return next(shown, None)


_BY_PLACE: tuple[PartRole, ...] = ("authors", "venue", "tag")
"""What an atom may be because of its place alone."""


def place_of(line: Line, at: int, title: Segment | None) -> Slot:
    """Return where an atom stands, by form: its wrappers, on which side of the title, behind what
    separator."""
    side = "" if title is None else "before" if at < title.first else "behind"
    separator = _run_start(line, at).before
    return (kinds_of(line.atoms[at]), side, separator)


def _run_start(line: Line, at: int) -> Atom:
    """Return the first of the atoms that only commas part from an atom."""
    while at and line.atoms[at].before == "," and line.atoms[at - 1].wraps == line.atoms[at].wraps:
        at -= 1
    return line.atoms[at]


def say(text: str, line: Line, title: Segment | None, usual: Usual) -> Iterator[Said]:
    """Yield what the atoms beside the title say."""
    own = range(title.first, title.last + 1) if title else ()
    beside = [at for at, atom in enumerate(line.atoms) if atom.link is None and at not in own]
    sure = {at: sure_role(text, line, at) for at in beside}
    for at in beside:
        atom, role = line.atoms[at], sure[at]
        if title and line.behind_names == title.first < at and line.looks[at].name > _SOME_NAME:
            yield Said(at, "details", True)  # A publisher and its town: the names came first.
            continue
        if title is not None and role is None and _is_sole_author(line, at, title):
            role = "authors"
        if role not in (None, "details"):
            yield Said(at, role, True)
            continue
        by_place = usual(place_of(line, at, title))
        if by_place == "venue" and "venue" in sure.values():
            by_place = None  # Where it appeared is said already.
        if role == "details":
            role = _role_of_label(line, at, title, by_place)
        elif by_place and _fits_place(by_place, line, at):
            role = by_place
        else:
            role = _rest(text[atom.start : atom.end], line, at, title)
        if role and (role != "details" or line.looks[at].common < 0.9):  # Else a separator.
            yield Said(at, role, False)


def _is_sole_author(line: Line, at: int, title: Segment) -> bool:
    """Whether what reads like one name stands in emphasis between the title and a venue."""
    atoms, looks = line.atoms, line.looks
    if at != title.last + 1 or at + 1 >= len(atoms) or looks[at].name < _SURE_NAME:
        return False
    is_apart = any(wrap.kind == "emph" for wrap in atoms[at].wraps)
    is_next = looks[at + 1].venue > 0.6 and atoms[at + 1].wraps != atoms[at].wraps
    return is_apart and is_next and atoms[at].wraps != atoms[title.last].wraps


def _role_of_label(
    line: Line, at: int, title: Segment | None, by_place: PartRole | None
) -> PartRole | None:
    """Return what a word like those of links says that is none's: ``(Dataset)`` before a title, or
    ``(Preprint)`` where others have venues; None for a mere label."""
    kinds = {wrap.kind for wrap in line.atoms[at].wraps}
    if "link" in kinds or by_place in ("tag", "venue"):
        return None if "link" in kinds else by_place
    is_before = title is not None and at < title.first
    return "tag" if is_before and kinds & {"square", "round", "code"} else None


def _fits_place(role: PartRole, line: Line, at: int) -> bool:
    """Whether an atom may say what is usual in its place: a word alone in brackets is no name where
    the names are in others."""
    if role == "venue" and _is_dated(line, at):
        return True
    if not _may_be(role, line.looks[at]):
        return False
    return not (role == "authors" and line.looks[at].words == 1 and _has_names_apart(line, at))


def _is_dated(line: Line, at: int) -> bool:
    """Whether few words stand before a date alone, as a journal's name does."""
    behind = line.looks[at + 1 : at + 2]
    return line.looks[at].words < 6 and bool(behind) and behind[0].is_date


def _has_names_apart(line: Line, at: int) -> bool:
    """Whether names stand in wrappers in which an atom does not stand."""
    wraps = line.atoms[at].wraps
    others = (n for n in range(len(line.atoms)) if line.atoms[n].wraps != wraps)
    return any(line.looks[n].name > 0.55 for n in others)


def sure_role(text: str, line: Line, at: int) -> PartRole | None:
    """Return what an atom says beyond doubt; ``details`` of a mere label."""
    look, atom = line.looks[at], line.atoms[at]
    if look.is_label:
        is_linked = atom.link is not None or linked_by(atom) is not None
        is_preprint = not is_linked and _PREPRINT.fullmatch(text, atom.start, atom.end)
        return "venue" if is_preprint else "details"
    if _PRESENTED.fullmatch(text, atom.start, atom.end):
        return "tag"
    if look.is_number:
        return "number" if at == 0 or line.looks[at - 1].is_number else None
    if look.is_date:
        return "date"
    if look.venue > 0.6 and look.venue > look.name and _may_be_venue(text, atom):
        return "venue"
    in_run = _in_run(line, at) and _may_be_linked(line, at)
    is_run = look.name > 0.55 and (_is_named(text, atom) or in_run)
    is_run = is_run or _has_others_behind(text, line, at)
    return "authors" if is_run or _tells_of_others(text, line, at) else None


def _may_be_venue(text: str, atom: Atom) -> bool:
    """Whether words are no tag written as code, which a name with capitals within may be."""
    is_code = any(wrap.kind == "code" for wrap in atom.wraps)
    return not is_code or venue_likeness(text[atom.start : atom.end]) > 0.6


def _tells_of_others(text: str, line: Line, at: int) -> bool:
    """Whether an atom behind a name only says that there are more: ``et al``."""
    shown = text[line.atoms[at].start : line.atoms[at].end]
    is_behind = at > 0 and line.atoms[at].before == "," and line.looks[at - 1].name > 0.25
    return is_behind and len(shown) < 12 and are_cut_off(shown) and not names_in(shown)


def _has_others_behind(text: str, line: Line, at: int) -> bool:
    """Whether only commas part a name from what says that there are more: ``Doe, Jane, et al.``"""
    while at + 1 < len(line.atoms) and line.looks[at].name > 0.25:
        at += 1
        if line.atoms[at].before != ",":
            return False
        if _tells_of_others(text, line, at):
            return True
    return False


def _is_named(text: str, atom: Atom) -> bool:
    """Whether the words of one atom show that they are names: two of them, initials, et al."""
    shown = text[atom.start : atom.end]
    words = shown.replace("&", " and ").split()
    if words[0] == "by" or not _AND.isdisjoint(words[1:-1]) or are_cut_off(shown):
        return True
    return any(len(word) == 2 and word[0].isupper() and word[1] == "." for word in words)


def _in_run(line: Line, at: int) -> bool:
    """Whether the atom beside this one reads like a name as well."""
    for beside in (at - 1, at + 1):
        if 0 <= beside < len(line.atoms) and line.looks[beside].name > 0.55:
            joint = line.atoms[max(at, beside)]
            if joint.before == "," and _around(joint) == _around(line.atoms[min(at, beside)]):
                return True
    return False


def _may_be_linked(line: Line, at: int) -> bool:
    """Whether an atom stands in no link, or in one with others, or among names of which one does
    not, or in emphasis: links one behind the other may lead to anything."""
    atom = line.atoms[at]
    link = linked_by(atom)
    if link is None or _around(atom):
        return True
    return any(
        linked_by(other) is link or (look.name > 0.55 and not other.wraps)
        for other, look in zip(line.atoms, line.looks, strict=True)
        if other is not atom
    )


def _around(atom: Atom) -> tuple[Wrap, ...]:
    """Return what an atom stands in, links left out: some of several people have one."""
    return tuple(wrap for wrap in atom.wraps if wrap.kind != "link")


def _may_be(role: PartRole, look: Looks) -> bool:
    """Return whether words do not speak against what their place says."""
    if role == "authors":
        return look.name > 0.25
    if role == "venue":
        return look.words < 9 and look.name < 0.9 and (look.venue > 0.15 or look.common > 0)
    return look.words < 5


def _rest(words: str, line: Line, at: int, title: Segment | None) -> PartRole:
    """Return what the words of an atom say that are neither names nor venue nor date."""
    atom = line.atoms[at]
    kinds = {wrap.kind for wrap in atom.wraps}
    is_short = atom.end - atom.start < _LONGEST_TAG
    is_behind = title is None or at > title.last
    # All that a link says is its label: `[`link`](…)`.
    is_common = line.looks[at].common > 0
    is_apart = is_common or not _is_in_prose(line, at, title)
    is_right_before = title is not None and at + 1 == title.first
    # ``[GPTQ] A System``: what stands once, and is written as names are.
    is_named = " " not in words or "link" in kinds
    is_own = is_right_before and is_named and "square" in kinds and not is_common
    if is_short and is_own and role_before(words) == "name":
        return "name"
    if is_short and is_apart and "link" not in kinds and _is_tag(kinds, is_behind, is_common):
        return "tag"
    return "name" if is_right_before and _is_name(line, at) else "details"


def _is_in_prose(line: Line, at: int, title: Segment | None) -> bool:
    """Whether words that are not the title's stand right beside code: ``runs on `x` alone``."""
    if not line.atoms[at].wraps or line.atoms[at].wraps[-1].kind != "code":
        return False
    before = [at - 1] if at and line.atoms[at].before == "" else []
    behind = [at + 1] if line.atoms[at + 1 : at + 2] and line.atoms[at + 1].before == "" else []
    return any(_is_prose(line, other, title) for other in before + behind)


def _is_prose(line: Line, at: int, title: Segment | None) -> bool:
    """Whether an atom is words without any wrapper that are not the title's."""
    atom, look = line.atoms[at], line.looks[at]
    is_title = title is not None and title.first <= at <= title.last
    is_words = not (look.is_date or look.is_number or look.is_label)
    return atom.link is None and not atom.wraps and not is_title and is_words


def _is_tag(kinds: set[str], is_behind: bool, is_common: bool) -> bool:
    """Whether wrappers are those of a tag; behind a title brackets are where others have them."""
    if "code" in kinds:
        return True
    return is_common and "square" in kinds if is_behind else bool(kinds & {"square", "round"})


def _is_name(line: Line, at: int) -> bool:
    """Whether a colon or a dash parts few words from the title behind them."""
    return line.atoms[at + 1].before in (":", "-") and line.looks[at].words <= _LONGEST_NAME


def parts_of(text: str, line: Line, said: Sequence[Said]) -> list[Part]:
    """Return the parts of an entry besides its title and links: neighbours that say the same are
    one part."""
    parts = []
    said = _with_further_names(line, said)
    for _, group in groupby(enumerate(said), lambda pair: _run_key(line, *pair)):
        run = [one for _, one in group]
        is_one = run[0].role in ("authors", "date", "details")
        for first, last in [(run[0], run[-1])] if is_one else zip(run, run, strict=True):
            link = linked_by(line.atoms[first.at])
            parts += _parts_at(text, first.role, _span(line, first.at, last.at), link)
    return parts


def _with_further_names(line: Line, said: Sequence[Said]) -> list[Said]:
    """Return what atoms say, those among sure names being names too: ``A B, C In D, E F``."""
    found: list[Said] = []
    for one in said:
        follows = bool(found) and found[-1].role == "authors" and _goes_on(line, found[-1], one)
        may_be = one.role == "details" and _may_be_name(line.looks[one.at])
        found.append(one._replace(role="authors") if follows and may_be else one)
    return found


def _goes_on(line: Line, before: Said, one: Said) -> bool:
    """Whether only a comma parts an atom from the one before."""
    atom = line.atoms[one.at]
    is_next = before.at + 1 == one.at and atom.before == ","
    return is_next and _around(atom) == _around(line.atoms[before.at])


def _may_be_name(look: Looks) -> bool:
    return look.words <= 4 and not (look.is_label or look.is_date)


def _parts_at(text: str, role: PartRole, span: Span, link: PlacedLink | None) -> list[Part]:
    """Return the part of some atoms: of names without *by*, of a venue without *in* and apart from
    a month."""
    start, end = span
    if role == "authors" and (lead := _BY.match(text, start, end)):
        return [Part(role, (lead.end(), end), link)]
    if role == "venue" and (lead := _IN.match(text, start, end)):
        return _parts_at(text, role, (lead.end(), end), link)
    if role == "venue" and (behind := _PRESENTED_BEHIND.fullmatch(text, start, end)):
        tag = Part("tag", behind.span("how"))
        return [*_parts_at(text, role, behind.span("venue"), link), tag]
    date = find_date(text, start, end) if role == "venue" else None
    if role == "venue" and (maker := _COMPANY.fullmatch(text, start, end)):
        dates = [Part("date", date.span)] if date else []
        return [Part("tag", maker.span("name"), link), *dates]
    if date and "m" in date.pattern.lower() and date.span[1] == end:
        kept = text[start : date.span[0]].rstrip(" ,.:(-")
        venue = [Part("venue", (start, start + len(kept)), link)] if kept else []
        return [*venue, Part("date", date.span)]
    return [Part(role, span, link)]


def _run_key(line: Line, at: int, one: Said) -> tuple[object, ...]:
    """Return the same for atoms that follow each other and say the same."""
    wraps = _around(line.atoms[one.at]) if one.role in ("authors", "date") else ()
    return one.role, one.at - at, tuple(map(id, wraps))


def _span(line: Line, first: int, last: int) -> Span:
    """Return from where to where atoms stand, with brackets that only one end is in."""
    one, other = line.atoms[first], line.atoms[last]
    depth = 0
    for left, right in zip(one.wraps, other.wraps, strict=False):
        if left is not right:
            break
        depth += 1
    start = one.wraps[depth].start if len(one.wraps) > depth else one.start
    end = other.wraps[depth].end if len(other.wraps) > depth else other.end
    return start, end


def title_span(text: str, line: Line, title: Segment) -> tuple[Span, bool]:
    """Return where the title stands, without what is around all of it, and whether it is all that
    emphasis or a link holds."""
    wrap = _filled(line, title)
    if wrap is None:
        return _span(line, title.first, title.last), False
    start, end = stripped(text, (wrap.inner, wrap.inner_end))
    while (
        start < end
        and text[start] > "\x7f"
        and not (text[start].isalnum() or _is_open(text[start]))
    ):
        start += 1  # An emoji is no word of it.
    if wrap.kind != "quote":
        return stripped(text, (start, end)), True
    # “A Title,” has the comma of what it stands in, and so “A Title.” the full stop.
    start, end = stripped(text, (start, end), _EDGES_IN_QUOTES)
    return (start, end - text[start:end].endswith(".") + text[start:end].endswith("..")), True


def _is_open(char: str) -> bool:
    return char in "“‘「『《«（【¿¡"


def _filled(line: Line, title: Segment) -> Wrap | None:
    """Return the innermost emphasis or link that holds the title and nothing else."""
    one, other = line.atoms[title.first], line.atoms[title.last]
    for kinds in (("link", "bold", "emph", "code"), ("quote",)):
        for wrap in reversed(one.wraps):
            if wrap.kind in kinds and wrap in other.wraps and not _holds_more(line, wrap, title):
                return wrap
    return None


def _holds_more(line: Line, wrap: Wrap, title: Segment) -> bool:
    """Whether a wrapper holds an atom beside those of the title."""
    beside = (title.first - 1, title.last + 1)
    return any(0 <= at < len(line.atoms) and wrap in line.atoms[at].wraps for at in beside)


TaughtPlace = tuple[object, int]
"""Where words stand, and how many like places are on their side up to there."""


class Taught(NamedTuple):
    """What words in a place say."""

    role: PartRole
    mistaken: frozenset[PartRole]
    """What they were surely taken for."""


def find_taught(
    text: str, line: Line, title: Segment, told: Mapping[PartRole, str]
) -> Iterator[tuple[TaughtPlace, Taught]]:
    """Yield the places where an entry has the words that the reader named, each with its role."""
    for role, words in told.items():
        first, last = _where(text, line, words)
        for at in range(first, last):
            mistaken = sure_role(text, line, at)
            taken = frozenset([mistaken] if mistaken not in (None, role) else [])
            yield _place(line, at, title), Taught(role, taken)


def _where(text: str, line: Line, words: str) -> tuple[int, int]:
    """Return from which to behind which atom words stand; an empty range if they do not."""
    wanted, atoms = title_key(words), line.atoms
    for first in range(len(atoms)):
        for last in range(first, len(atoms)):
            found = title_key(text[atoms[first].start : atoms[last].end])
            if found == wanted:
                return first, last + 1
            if len(found) > len(wanted):
                break
    return 0, 0


def as_taught(
    taught: Mapping[TaughtPlace, Taught],
    text: str,
    line: Line,
    title: Segment | None,
    said: Sequence[Said],
) -> list[Said]:
    """Return what the atoms of an entry say, as the reader taught it."""
    told = dict(_told(text, line, title, taught)) if title is not None else {}
    roles = {one.role for one in told.values()}
    others = {one.at: one for one in said if one.at not in told}
    for at, one in others.items():
        if one.role in roles:
            others[at] = one._replace(role="details", is_sure=False)
    return [one for _, one in sorted((others | told).items())]


def _told(
    text: str, line: Line, title: Segment | None, taught: Mapping[TaughtPlace, Taught]
) -> Iterator[tuple[int, Said]]:
    for at, atom in enumerate(line.atoms):
        is_title = title is not None and title.first <= at <= title.last
        one = None if is_title or atom.link else taught.get(_place(line, at, title))
        if one is not None and _may_say(text, line, at, one):
            yield at, Said(at, one.role, True)


def _may_say(text: str, line: Line, at: int, one: Taught) -> bool:
    """Whether an atom may say what is in its place."""
    if one.role == "date":
        return find_date(text, line.atoms[at].start, line.atoms[at].end) is not None
    sure = sure_role(text, line, at)
    return sure in (None, one.role) or sure in one.mistaken


def _place(line: Line, at: int, title: Segment | None) -> TaughtPlace:
    """Return where an atom stands, and how many like places are before it on its side."""
    place = place_of(line, at, title)
    starts = [n for n in range(at + 1) if n == 0 or not _is_part_of(line, n)]
    return place, sum(place_of(line, n, title) == place for n in starts)


def _is_part_of(line: Line, at: int) -> bool:
    """Whether only a comma parts an atom from the one before."""
    atom, before = line.atoms[at], line.atoms[at - 1]
    return atom.before == "," and atom.wraps == before.wraps
