"""Assign a role to each atom of an entry once its title is known: names, venue, date, …

Certain names, venues and dates are recognized by themselves. A doubtful atom (a single name, an
acronym) gets the role that other entries have at the same place, or that the user gave by an
example.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from papertrack.documents.markdown.grammar.forms import FormKey, kinds_of, shared
from papertrack.documents.markdown.grammar.likeness import (
    AND,
    are_cut_off,
    is_person,
    names_in,
    venue_likeness,
)
from papertrack.documents.markdown.grammar.pieces import Atom, Wrap, linked_by, roles_of_links
from papertrack.documents.markdown.grammar.segments import Line, Segment
from papertrack.documents.markdown.grammar.titles import role_before
from papertrack.documents.markdown.model import Part, PartRole, PlacedLink
from papertrack.documents.markdown.values import Span, find_date, stripped
from papertrack.text import title_key

_LONGEST_NAME = 3
"""The most words of another name of a work, such as ``DPO`` before its title."""
_LONGEST_TAG = 40
_SOME_NAME = 0.5
_BEFORE_VOLUME = re.compile(
    r"[0-9]|.[\s*_.,;:(]{0,6}(?:(?:vol|volume|no|pp|pages)\b|[0-9])", re.IGNORECASE
)
"""The last character of a venue in a reference, and what follows."""
_APART = re.compile("round|square|link")
"""Wrappers in which a reference does not name its venue."""
_MAX_WORDS_OF_VENUE = 9
_SURE_NAME = 0.8
_AROUND = ("link", "bold", "emph", "code", "quote")
_EDGES_IN_QUOTES = " \t\r\n,;"
_IN = re.compile(r"in:?[\s*_]+(?=[A-Z0-9])", re.IGNORECASE)
_BY = re.compile(r"(?:by|authors?|作者)[ :：]\s*", re.IGNORECASE)
_HOW = r"(?:oral|spotlight|poster|highlight|submission|(?:best paper )?award(?: candidate)?)s?"
_PRESENTED = re.compile(_HOW, re.IGNORECASE)
"""How a work was presented, such as *oral*. It is a tag, not part of the venue."""
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
"""Companies where works are made. They are tags, not venues."""
_KEY = re.compile(r"(?P<family>[^\W\d_]{2,30})(?:19|20)?[0-9]{2}[a-z]?")
_PREPRINT = re.compile("arXiv(?: preprint)?|preprint", re.IGNORECASE)
Usual = Callable[[FormKey], PartRole | None]
"""Returns the role that nearly all other entries have at a place, or None."""


class AtomRole(NamedTuple):
    """The role of an atom, given by its index in the line."""

    at: int
    role: PartRole
    is_sure: bool


@dataclass(slots=True)
class Roles:
    """Counts the roles that atoms have at each place."""

    counts: Counter[tuple[FormKey, PartRole]] = field(default_factory=Counter)
    totals: Counter[FormKey] = field(default_factory=Counter)

    def take(self, text: str, line: Line, title: Segment) -> None:
        """Count the certain roles of an entry's atoms."""
        for reading in assign_roles(text, line, title, lambda key: None):
            key = place_of(line, reading.at, title)
            self.counts[key, reading.role] += reading.is_sure or reading.role == "tag"
            # A date without wrappers says nothing about the usual role of its place.
            self.totals[key] += reading.role != "date" or bool(key[0])

    def usual(self, key: FormKey) -> PartRole | None:
        """Return the usual role of a place; None if entries differ."""
        total = self.totals[key]
        shown = (role for role in _BY_PLACE if self.counts[key, role] * 2 >= total > 2)
        return next(shown, None)


_BY_PLACE: tuple[PartRole, ...] = ("authors", "venue", "tag")
"""The roles that an atom may get only because of its place."""


def place_of(line: Line, at: int, title: Segment | None) -> FormKey:
    """Return the place of an atom: its wrappers, its side of the title, its separator."""
    side = "" if title is None else "before" if at < title.first else "behind"
    return (kinds_of(line.atoms[at]), side, _run_start(line, at).before)


def _run_start(line: Line, at: int) -> Atom:
    """Return the first atom of a comma-separated run."""
    while at and line.atoms[at].before == "," and line.atoms[at - 1].wraps == line.atoms[at].wraps:
        at -= 1
    return line.atoms[at]


def assign_roles(text: str, line: Line, title: Segment | None, usual: Usual) -> Iterator[AtomRole]:
    """Yield the roles of the atoms beside the title. ``usual`` gives the usual role of a place."""
    inside = range(title.first, title.last + 1) if title else ()
    beside = [at for at, atom in enumerate(line.atoms) if atom.link is None and at not in inside]
    sure = {at: sure_role(text, line, at) for at in beside}
    for at in beside:
        atom, role = line.atoms[at], sure[at]
        if title and (in_reference := _role_in_reference(text, line, at, title, sure)):
            yield AtomRole(at, in_reference, in_reference != "authors")
            continue
        if role not in (None, "details"):
            yield AtomRole(at, role, True)
            continue
        by_place = usual(place_of(line, at, title))
        if by_place == "venue" and "venue" in sure.values():
            by_place = None  # The entry already has a certain venue.
        if role == "details":
            role = _role_of_label(line, at, title, by_place)
        elif by_place and _fits_place(by_place, line, at):
            role = by_place
        else:
            role = _role_of_rest(text[atom.start : atom.end], line, at, title)
        if role and (role != "details" or line.looks[at].common < 0.9):  # Else it is layout.
            yield AtomRole(at, role, False)


def _role_in_reference(
    text: str, line: Line, at: int, title: Segment, sure: Mapping[int, PartRole | None]
) -> PartRole | None:
    """Return the role of an atom by its place in a reference, or None.

    Names after the title are the venue, the publisher or the only author. ``sure`` are the certain
    roles of atoms.
    """
    # Words that read like names are a venue only if the authors are before the title.
    places = range(title.first) if sure[at] == "authors" else sure
    has_authors = any(sure.get(place) == "authors" for place in places)
    is_open = sure[at] in (None, "authors")
    if has_authors and is_open and _is_publication(text, line, at, title):
        return "venue"
    if by_side := _role_of_name(line, at, title):
        return by_side
    return "authors" if sure[at] is None and _is_sole_author(text, line, at, title) else None


def _is_publication(text: str, line: Line, at: int, title: Segment) -> bool:
    """Return whether a few words are right after the title and before a volume, pages or a date.

    Only one other word, such as *In*, may be between.
    """
    atom = line.atoms[at]
    is_next = 0 < at - title.last <= 2 and line.looks[at].words <= _MAX_WORDS_OF_VENUE
    is_dated = _BEFORE_VOLUME.match(text, atom.end - 1) and text[atom.start].isupper()
    return all((is_next, is_dated, _APART.search(kinds_of(atom)) is None))


def _role_of_name(line: Line, at: int, title: Segment) -> PartRole | None:
    """Return the role of an atom that reads like a name, beside the title of a reference.

    After it, it is a publisher or a town; alone before it, the author.
    """
    if line.title_start != title.first or line.looks[at].name <= _SOME_NAME:
        return None
    return "details" if at > title.first else "authors" if title.first == 1 else None


def _is_sole_author(text: str, line: Line, at: int, title: Segment) -> bool:
    """Return whether an atom is one name, right after the title, which is its only author.

    It is emphasized before a venue, or follows a full stop or dash beside the links of a talk.
    """
    atoms, looks = line.atoms, line.looks
    if any((at != title.last + 1, looks[at].name < _SURE_NAME)):
        return False
    if at + 1 == len(atoms) or atoms[at + 1].link is not None:
        # Elsewhere, words such as *Deep Learning* or *Must Read* are as likely as a name.
        is_talk = not {"video", "slides"}.isdisjoint(roles_of_links(atoms))
        is_name = is_person(text[atoms[at].start : atoms[at].end])
        return all((is_talk, is_name, atoms[at].before in (".", "-")))
    is_apart = any(wrap.kind == "emph" for wrap in atoms[at].wraps)
    is_next = looks[at + 1].venue > 0.6 and atoms[at + 1].wraps != atoms[at].wraps
    return all((is_apart, is_next, atoms[at].wraps != atoms[title.last].wraps))


def _role_of_label(
    line: Line, at: int, title: Segment | None, by_place: PartRole | None
) -> PartRole | None:
    """Return the role of a word that usually labels links but labels none here.

    ``(Dataset)`` before a title is a tag; ``(Preprint)`` at the place of venues is a venue. None if
    it is only a label.
    """
    kinds = {wrap.kind for wrap in line.atoms[at].wraps}
    if "link" in kinds or by_place in ("tag", "venue"):
        return None if "link" in kinds else by_place
    is_before = title is not None and at < title.first
    return "tag" if is_before and kinds & {"square", "round", "code"} else None


def _fits_place(role: PartRole, line: Line, at: int) -> bool:
    """Return whether an atom may have the usual role of its place.

    A single word in brackets is no author if the names are in other brackets.
    """
    look, wraps = line.looks[at], line.atoms[at].wraps
    if role == "authors":
        others = zip(line.atoms, line.looks, strict=True)
        is_apart = any(other.name > 0.55 for atom, other in others if atom.wraps != wraps)
        return look.name > 0.25 and not (look.words == 1 and is_apart)
    return _may_be_venue(line, at) if role == "venue" else look.words < 5


def _may_be_venue(line: Line, at: int) -> bool:
    """Return whether words may be a venue. A few words directly before a date always may."""
    look = line.looks[at]
    is_dated = look.words < 6 and any(behind.is_date for behind in line.looks[at + 1 : at + 2])
    has_signs = look.venue > 0.15 or look.common > 0
    return is_dated or (look.words < 9 and look.name < 0.9 and has_signs)


def sure_role(text: str, line: Line, at: int) -> PartRole | None:
    """Return the role of an atom if it is certain; ``details`` for a label; else None."""
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
    if _is_citation_key(text, line, at):
        return "name"
    is_code = any(wrap.kind == "code" for wrap in atom.wraps)
    if look.venue > max(0.6, look.name) and (
        not is_code or venue_likeness(text[atom.start : atom.end]) > 0.6
    ):
        return "venue"
    are_names = (
        (look.name > 0.55 and (_is_named(text, atom) or _is_in_run(line, at)))
        or _is_et_al(text, line, at)
        or _leads_to_et_al(text, line, at)
    )
    return "authors" if are_names else None


def _is_citation_key(text: str, line: Line, at: int) -> bool:
    """Return whether an atom is an author's family name with a year: ``Kingma2014``."""
    key = _KEY.fullmatch(text, line.atoms[at].start, line.atoms[at].end)
    return key is not None and any(
        look.name > _SOME_NAME and text.endswith(key["family"], atom.start, atom.end)
        for atom, look in zip(line.atoms, line.looks, strict=True)
    )


def _is_et_al(text: str, line: Line, at: int) -> bool:
    """Return whether an atom after a name is only ``et al`` or the like."""
    if not at or line.atoms[at].before != "," or line.looks[at - 1].name <= 0.25:
        return False
    shown = text[line.atoms[at].start : line.atoms[at].end]
    return len(shown) < 12 and are_cut_off(shown) and not names_in(shown)


def _leads_to_et_al(text: str, line: Line, at: int) -> bool:
    """Return whether names and commas lead from a name to ``et al.``: ``Doe, Jane, et al.``"""
    while at + 1 < len(line.atoms) and line.looks[at].name > 0.25:
        at += 1
        if line.atoms[at].before != ",":
            return False
        if _is_et_al(text, line, at):
            return True
    return False


def _is_named(text: str, atom: Atom) -> bool:
    """Return whether an atom has sure signs of names: *and*, *by*, initials or "et al." """
    shown = text[atom.start : atom.end]
    words = shown.replace("&", " and ").split()
    is_joined = words[0] == "by" or not AND.isdisjoint(words[1:-1]) or are_cut_off(shown)
    return is_joined or any(len(w) == 2 and w[0].isupper() and w[1] == "." for w in words)


def _is_in_run(line: Line, at: int) -> bool:
    """Return whether the atom before or after this one reads like a name too.

    A link that contradicts it, see ``_may_be_linked``, makes it False.
    """
    for beside in (at - 1, at + 1):
        if 0 <= beside < len(line.atoms) and line.looks[beside].name > 0.55:
            joint = line.atoms[max(at, beside)]
            if joint.before == "," and _around(joint) == _around(line.atoms[min(at, beside)]):
                return _may_be_linked(line, at)
    return False


def _may_be_linked(line: Line, at: int) -> bool:
    """Return whether a name with this link may be an author.

    It may if it shares the link with other atoms, is emphasized, or is beside names without links.
    A row of separate links may lead to anything.
    """
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
    """Return the wrappers of an atom except links, because only some authors may be linked."""
    return tuple(wrap for wrap in atom.wraps if wrap.kind != "link")


def _role_of_rest(words: str, line: Line, at: int, title: Segment | None) -> PartRole:
    """Return the role of words that are no names, venue or date: a tag, a name or details."""
    atom, look = line.atoms[at], line.looks[at]
    kinds = {wrap.kind for wrap in atom.wraps}
    is_short = atom.end - atom.start < _LONGEST_TAG
    is_right_before = title is not None and at + 1 == title.first
    # In ``[GPTQ] A System``, the words are like a name, and no other entry has them.
    is_named = " " not in words or "link" in kinds
    is_own = all((is_right_before, is_named, "square" in kinds, not look.common))
    if is_short and is_own and role_before(words) == "name":
        return "name"
    # Words in brackets after a title are a tag only if other entries have the same words.
    is_behind = title is None or at > title.last
    is_wrapped = bool(kinds & {"square", "round"}) and not is_behind
    is_tag = "code" in kinds or is_wrapped or (look.common > 0 and "square" in kinds)
    # A link's content is its label: `[`link`](…)`.
    is_apart = "link" not in kinds and (look.common > 0 or not _is_in_prose(line, at, title))
    if all((is_short, is_tag, is_apart)):
        return "tag"
    is_name = is_right_before and line.atoms[at + 1].before in (":", "-")
    return "name" if is_name and look.words <= _LONGEST_NAME else "details"


def _is_in_prose(line: Line, at: int, title: Segment | None) -> bool:
    """Return whether code is in the middle of ordinary words: ``runs on `x` alone``."""
    if not line.atoms[at].wraps or line.atoms[at].wraps[-1].kind != "code":
        return False
    before = [at - 1] if at and line.atoms[at].before == "" else []
    behind = [at + 1] if line.atoms[at + 1 : at + 2] and line.atoms[at + 1].before == "" else []
    return any(_is_prose(line, other, title) for other in before + behind)


def _is_prose(line: Line, at: int, title: Segment | None) -> bool:
    """Return whether an atom is unwrapped words outside of the title."""
    atom, look = line.atoms[at], line.looks[at]
    is_title = title is not None and title.first <= at <= title.last
    is_words = not (look.is_date or look.is_number or look.is_label)
    return all((atom.link is None, not atom.wraps, not is_title, is_words))


def parts_of(text: str, line: Line, readings: Sequence[AtomRole]) -> list[Part]:
    """Return the parts of an entry, except its title and links, from the roles of its atoms.

    Adjacent names, dates or details are one part.
    """
    parts = []
    readings = _with_further_names(line, readings)
    for _, group in groupby(enumerate(readings), lambda pair: _run_key(line, *pair)):
        run = [reading for _, reading in group]
        is_one = run[0].role in ("authors", "date", "details")
        for first, last in [(run[0], run[-1])] if is_one else zip(run, run, strict=True):
            link = linked_by(line.atoms[first.at])
            parts += _parts_at(text, first.role, _span(line, first.at, last.at), link)
    return parts


def _with_further_names(line: Line, readings: Sequence[AtomRole]) -> list[AtomRole]:
    """Return the roles, with atoms after certain names as names too: ``A B, C In D, E F``."""
    result: list[AtomRole] = []
    for reading in readings:
        look, is_name = line.looks[reading.at], False
        if result and (result[-1].role, reading.role) == ("authors", "details"):
            atom, before = line.atoms[reading.at], line.atoms[result[-1].at]
            is_next = result[-1].at + 1 == reading.at and atom.before == ","
            is_name = all((is_next, _around(atom) == _around(before), look.words <= 4))
        is_name &= not (look.is_label or look.is_date)
        result.append(reading._replace(role="authors") if is_name else reading)
    return result


def _parts_at(text: str, role: PartRole, span: Span, link: PlacedLink | None) -> list[Part]:
    """Return the part of some atoms, without *by* before names or *in* before a venue.

    A date, a company or the kind of presentation in a venue becomes a part of its own.
    """
    lead = {"authors": _BY, "venue": _IN}.get(role)
    while lead and (match := lead.match(text, *span)):
        span = match.end(), span[1]
        lead = None if role == "authors" else lead
    start, end = span
    if role != "venue":
        return [Part(role, span, link)]
    if behind := _PRESENTED_BEHIND.fullmatch(text, start, end):
        return [*_parts_at(text, role, behind.span("venue"), link), Part("tag", behind.span("how"))]
    date = find_date(text, start, end)
    dates = [Part("date", date.span)] if date else []
    if maker := _COMPANY.fullmatch(text, start, end):
        return [Part("tag", maker.span("name"), link), *dates]
    if date and "m" in date.pattern.lower() and date.span[1] == end:
        kept = text[start : date.span[0]].rstrip(" ,.:(-")
        return [*([Part("venue", (start, start + len(kept)), link)] if kept else []), *dates]
    return [Part(role, span, link)]


def _run_key(line: Line, at: int, reading: AtomRole) -> tuple[object, ...]:
    """Return a key that is equal for adjacent atoms with the same role."""
    wraps = _around(line.atoms[reading.at]) if reading.role in ("authors", "date") else ()
    return reading.role, reading.at - at, tuple(map(id, wraps))


def _span(line: Line, first: int, last: int) -> Span:
    """Return the span of some atoms. Brackets that contain only some of them are included."""
    start_atom, end_atom = line.atoms[first], line.atoms[last]
    depth = shared(start_atom.wraps, end_atom.wraps)
    start = start_atom.wraps[depth].start if len(start_atom.wraps) > depth else start_atom.start
    end = end_atom.wraps[depth].end if len(end_atom.wraps) > depth else end_atom.end
    return start, end


def title_span(text: str, line: Line, title: Segment) -> tuple[Span, bool]:
    """Return the span of the title without markup around it, and whether it fills that markup."""
    wrap = _filled(line, title)
    if wrap is None:
        return _span(line, title.first, title.last), False
    start, end = stripped(text, (wrap.inner, wrap.inner_end))
    while start < end and text[start] > "\x7f" and not text[start].isalnum():
        if text[start] in "“‘「『《«（【¿¡":
            break
        start += 1  # An emoji is not part of the title.
    if wrap.kind != "quote":
        return stripped(text, (start, end)), True
    # In “A Title,” the comma belongs to the sentence around it, and in “A Title.” the full stop.
    start, end = stripped(text, (start, end), _EDGES_IN_QUOTES)
    return (start, end - text[start:end].endswith(".") + text[start:end].endswith("..")), True


def _filled(line: Line, title: Segment) -> Wrap | None:
    """Return the innermost emphasis, link or quotes that contain the title and nothing else."""
    beside = [*line.atoms[max(title.first - 1, 0) : title.first]]
    beside += line.atoms[title.last + 1 : title.last + 2]
    for wrap in reversed(line.atoms[title.first].wraps):
        is_whole = not any(wrap in atom.wraps for atom in beside)
        if wrap.kind in _AROUND and wrap in line.atoms[title.last].wraps and is_whole:
            return wrap
    return None


NumberedPlace = tuple[object, int]
"""A place of atoms, and which one it is among equal places on its side of the title."""


class Correction(NamedTuple):
    """The role that atoms at a place have, by the user's example."""

    role: PartRole
    mistaken: frozenset[PartRole]
    """The certain roles that the words of the example were mistaken for."""


def find_corrections(
    text: str, line: Line, title: Segment, words_by_role: Mapping[PartRole, str]
) -> Iterator[tuple[NumberedPlace, Correction]]:
    """Find the words of the user's examples in an entry. Yields their places and roles."""
    for role, words in words_by_role.items():
        first, last = _atoms_of_words(text, line, words)
        for at in range(first, last):
            mistaken = sure_role(text, line, at)
            mistakes = frozenset([mistaken] if mistaken not in (None, role) else [])
            yield _place(line, at, title), Correction(role, mistakes)


def _atoms_of_words(text: str, line: Line, words: str) -> tuple[int, int]:
    """Return the range of atoms with exactly these words; an empty one if there are none."""
    wanted, atoms = title_key(words), line.atoms
    for first in range(len(atoms)):
        for last in range(first, len(atoms)):
            candidate = title_key(text[atoms[first].start : atoms[last].end])
            if candidate == wanted:
                return first, last + 1
            if len(candidate) > len(wanted):
                break
    return 0, 0


def correct_roles(
    corrections: Mapping[NumberedPlace, Correction],
    text: str,
    line: Line,
    title: Segment | None,
    readings: Sequence[AtomRole],
) -> list[AtomRole]:
    """Return the roles of an entry's atoms, corrected by the user's examples."""
    corrected = dict(_corrections(text, line, title, corrections)) if title is not None else {}
    roles = {reading.role for reading in corrected.values()}
    others = {reading.at: reading for reading in readings}
    for at, reading in others.items():
        if reading.role in roles:
            others[at] = reading._replace(role="details", is_sure=False)
    return [reading for _, reading in sorted((others | corrected).items())]


def _corrections(
    text: str, line: Line, title: Segment, corrections: Mapping[NumberedPlace, Correction]
) -> Iterator[tuple[int, AtomRole]]:
    """Yield the atoms whose roles are corrected, with their new roles."""
    for at, atom in enumerate(line.atoms):
        is_title = title.first <= at <= title.last
        correction = None if is_title or atom.link else corrections.get(_place(line, at, title))
        if correction is not None and _fits_correction(text, line, at, correction):
            yield at, AtomRole(at, correction.role, True)


def _fits_correction(text: str, line: Line, at: int, correction: Correction) -> bool:
    """Return whether an atom may have the role of its place by the user's example."""
    if correction.role == "date":
        return find_date(text, line.atoms[at].start, line.atoms[at].end) is not None
    sure = sure_role(text, line, at)
    return sure in (None, correction.role) or sure in correction.mistaken


def _place(line: Line, at: int, title: Segment | None) -> NumberedPlace:
    """Return the place of an atom, and how many equal places there are up to it."""
    place = place_of(line, at, title)
    pairs = zip(line.atoms, line.atoms[1 : at + 1], strict=False)
    # Atoms after a comma are at the same place as the one before.
    goes_on = [False, *(atom.before == "," and atom.wraps == was.wraps for was, atom in pairs)]
    starts = [n for n in range(at + 1) if not goes_on[n]]
    return place, sum(place_of(line, n, title) == place for n in starts)
