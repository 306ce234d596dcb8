"""How a list writes the names of authors: what is between them, how many, how they are cut off."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from papertrack.documents.markdown.values import most_common
from papertrack.text import split_name

_OTHERS = re.compile(r"(?P<text>[,;]?\s*(?:\b(?:and|&)\s+)?(?:et\.?\s*al\b\.?|others\b|等)\*?)\s*$")
_SEPARATOR = re.compile(
    r"[^\w()\[\]{}<>]*(?:[a-zà-ÿ]{1,3}|[和与及])?[^\w()\[\]{}<>]*|\s*<br\s*/?>\s*"
)
"""Signs, and no word but a short one in small letters: *and*, *und*, *et*."""
_LISTING = (",", ";", "·", "、")
Turned = Literal["", "first", "all", "bare"]
"""Which names have their family in front: none, the first (``Doe, Jane, and Ann Bee``, as MLA has
it) or all (``Doe, J., & Bee, A.``, as APA has it), or without a comma (``Doe J, Bee A``)."""
_NO_LETTERS = re.compile(r"[\W_]+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.[ -]?){1,4}")
_MARKS = re.compile(r"(?<!\w)\\?[*_]{1,3}|\\?[*_]{1,3}(?!\w)")
"""Emphasis of one entry's author, and signs of its footnotes: no list's way to write names."""


@dataclass(frozen=True, slots=True)
class Names:
    """Authors as one entry writes them."""

    between: tuple[str, ...]
    """What is between one name and the next."""
    others: str | None
    """How the list says that it is cut off, if it does."""
    style: str
    """``full``, ``initials`` (J. Doe) or ``family`` (Doe)."""
    turned: Turned = ""
    """Which have their family before a comma."""


def read_names(text: str, authors: Sequence[str]) -> Names | None:
    """Return how these authors are written; None where the text does not show them all."""
    text = _MARKS.sub("", text)
    cut_off = _OTHERS.search(text)
    body = text[: cut_off.start()] if cut_off else text
    others = cut_off["text"] if cut_off else None
    ways: tuple[Turned, ...] = ("", "first", "all", "bare")
    for turned in ways if authors else ():
        *first, last = _with_turned(authors, turned)
        # The stop of the last one's initial may be left to what follows.
        is_open = last.endswith(".") and not body.rstrip().endswith(".")
        gaps = _gaps(body, [*first, last.rstrip(".") if is_open else last])
        if gaps is None or gaps[0].strip() or gaps[-1].strip():
            continue
        # An affiliation of one entry's author is no separator.
        if all(map(_SEPARATOR.fullmatch, gaps[1:-1])):
            styles = set(map(_style_of, authors))
            style = styles.pop() if len(styles) == 1 else "full"
            return Names(tuple(gaps[1:-1]), others, style, turned)
    return None


def _with_turned(names: Sequence[str], turned: Turned) -> list[str]:
    """Return names of which none, the first or all have their family in front."""
    if turned == "bare":
        return [*map(_with_initials_behind, names)]
    count = {"": 0, "first": 1, "all": len(names)}[turned]
    return [*map(_turned, names[:count]), *names[count:]]


def _turned(name: str) -> str:
    family, first, _ = split_name(name)
    return f"{family}, {first}" if first else name


def _with_initials_behind(name: str) -> str:
    family, first, _ = split_name(name)
    initials = "".join(word[0] for word in _NO_LETTERS.split(first) if word)
    return f"{family} {initials}" if first else name


def _gaps(text: str, names: Sequence[str]) -> list[str] | None:
    """Return what is before, between and behind names; None if one is not there."""
    gaps, position = [], 0
    for name in names:
        at = text.find(name, position)
        if at < 0:
            return None
        gaps.append(text[position:at])
        position = at + len(name)
    return [*gaps, text[position:]]


def _style_of(name: str) -> str:
    if _INITIALS.fullmatch(name.split()[0]):
        return "initials"
    return "full" if " " in name.strip() else "family"


@dataclass(frozen=True, slots=True)
class NameStyle:
    """How a list writes names, learnt from its entries."""

    between: str = ", "
    last: str = ", "
    """Before the last of three or more names."""
    pair: str = ", "
    """Between two names that are all."""
    others: str | None = None
    """What stands for the names left out."""
    shown: int = 0
    """How many names stand before it; 0 for all."""
    most: int = 0
    """The most names that stand without it."""
    is_always_cut: bool = False
    """Whether it stands behind all names, of however few."""
    style: str = "full"
    turned: Turned = ""

    def write(self, authors: Sequence[str], *, is_cut: bool = False) -> str:
        """Return these authors as the list writes them; ``is_cut`` says that there are more."""
        names = [_written_name(name, self.style) for name in authors]
        names = _with_turned(names, self.turned)
        if self.others is not None and (cut := self._cut(names, is_cut=is_cut)):
            return self.between.join(cut) + self.others
        text = self.pair.join(names)
        if len(names) > 2:
            text = self.between.join(names[:-1]) + self.last + names[-1]
        return text

    def _cut(self, names: list[str], *, is_cut: bool) -> list[str]:
        """Return the names before the word for the others; none where all stand."""
        is_long = self.shown > 0 and len(names) > max(self.most, self.shown)
        if is_long:
            return names[: self.shown]
        return names if is_cut or self.is_always_cut else []


def _written_name(name: str, style: str) -> str:
    """Return a name in a style; one that is shorter already stays."""
    family, first, _ = split_name(name)
    if style == "full" or not first or not family:
        return name
    if style == "family":
        return family
    initials = " ".join(word if "." in word else f"{word[0]}." for word in first.split())
    return f"{initials} {family}"


def learn_names(shown: Sequence[Names]) -> NameStyle:
    """Return how a list writes names, from how its entries do."""
    whole = [names for names in shown if names.others is None]
    cut = [names for names in shown if names.others is not None]
    counts = [len(names.between) + 1 for names in cut]
    shown_before = most_common(counts) or 0
    last = most_common([one.between[-1] for one in whole if len(one.between) > 1])
    pair = most_common([one.between[-1] for one in whole if len(one.between) == 1])
    signs = [*(one.between[:-1] for one in whole), *(one.between for one in cut)]
    between = most_common([sign for several in signs for sign in several]) or pair or ", "
    # One name alone does not tell whether those behind it are turned.
    turned = [names.turned for names in shown if names.between or not names.turned]
    return NameStyle(
        between=between if between.strip() in _LISTING else ", ",
        last=last or between,
        pair=pair or last or between,
        others=most_common([names.others for names in cut]),
        shown=shown_before,
        most=max((len(names.between) + 1 for names in whole), default=0),
        is_always_cut=not whole and shown_before == 1,
        style=_style([names.style for names in shown]),
        turned=most_common(turned or [names.turned for names in shown]) or "",
    )


def _style(styles: Sequence[str]) -> str:
    """Return how nearly all names are written; ``full`` where they are not alike."""
    usual = most_common(styles) or "full"
    return usual if styles.count(usual) * 5 >= len(styles) * 4 and len(styles) > 2 else "full"
