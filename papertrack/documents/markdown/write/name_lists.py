"""Learn how a list writes the names of authors.

Lists differ in the separators, the order of first and family names, the number of names, and the
text for further authors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from papertrack.documents.markdown.values import most_common
from papertrack.text import split_name

_OTHERS = re.compile(
    r"(?P<text>(?:[,;]|(?<!\s))\s*+(?:\b(?:and|&)\s+)?(?:et\.?\s*al\b\.?|others\b|等)\*?)\s*$"
)
_SEPARATOR = re.compile(
    r"[^\w()\[\]{}<>]*+(?:[a-zà-ÿ]{1,3}|[和与及])?[^\w()\[\]{}<>]*|\s*<br\s*/?>\s*"
)
"""Punctuation, and at most a short word in lower case: *and*, *und*, *et*."""
_LISTING = (",", ";", "·", "、")
NameOrder = Literal["", "first", "all", "bare"]
"""Which names start with the family name.

None of them, the first one (``Doe, Jane, and Ann Bee``, as in MLA), all (``Doe, J., & Bee, A.``, as
in APA), or all without a comma (``Doe J, Bee A``).
"""
_NO_LETTERS = re.compile(r"[\W_]+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.[ -]?){1,4}")
_MARKS = re.compile(r"(?<!\w)\\?[*_]{1,3}|\\?[*_]{1,3}(?!\w)")
"""Emphasis of single authors and footnote signs, which are not part of the style."""


@dataclass(frozen=True, slots=True)
class Names:
    """How one entry writes its authors."""

    between: tuple[str, ...]
    """The separators between names."""
    others: str | None
    """The text for further authors (``et al.``), if there are any."""
    style: str
    """``full``, ``initials`` (J. Doe) or ``family`` (Doe)."""
    order: NameOrder = ""
    """Which names start with the family name."""


def read_names(text: str, authors: Sequence[str]) -> Names | None:
    """Return how a text writes these authors; None if it does not contain all of them."""
    text = _MARKS.sub("", text)
    cut_off = _OTHERS.search(text)
    body = text[: cut_off.start()] if cut_off else text
    others = cut_off["text"] if cut_off else None
    ways: tuple[NameOrder, ...] = ("", "first", "all", "bare")
    for order in ways if authors else ():
        *first, last = _reordered(authors, order)
        # A full stop after the last initial may belong to the text that follows.
        is_open = last.endswith(".") and not body.rstrip().endswith(".")
        gaps = _gaps(body, [*first, last.rstrip(".") if is_open else last])
        if gaps is None or gaps[0].strip() or gaps[-1].strip():
            continue
        # The text between names may be an affiliation rather than a separator.
        if all(map(_SEPARATOR.fullmatch, gaps[1:-1])):
            styles = set(map(_style_of, authors))
            style = styles.pop() if len(styles) == 1 else "full"
            return Names(tuple(gaps[1:-1]), others, style, order)
    return None


def _reordered(names: Sequence[str], order: NameOrder) -> list[str]:
    """Return the names, with none, the first or all of them written family name first."""
    if order == "bare":
        return [*map(_with_initials_behind, names)]
    count = {"": 0, "first": 1, "all": len(names)}[order]
    return [*map(_with_family_first, names[:count]), *names[count:]]


def _with_family_first(name: str) -> str:
    """Return a name as ``Doe, Jane``."""
    family, first, _ = split_name(name)
    return f"{family}, {first}" if first else name


def _with_initials_behind(name: str) -> str:
    """Return a name as ``Doe J``."""
    family, first, _ = split_name(name)
    initials = "".join(word[0] for word in _NO_LETTERS.split(first) if word)
    return f"{family} {initials}" if first else name


def _gaps(text: str, names: Sequence[str]) -> list[str] | None:
    """Return the texts before, between and after the names; None if a name is missing."""
    gaps, position = [], 0
    for name in names:
        at = text.find(name, position)
        if at < 0:
            return None
        gaps.append(text[position:at])
        position = at + len(name)
    return [*gaps, text[position:]]


def _style_of(name: str) -> str:
    """Return the style of a name, as in ``Names.style``."""
    if _INITIALS.fullmatch(name.split()[0]):
        return "initials"
    return "full" if " " in name.strip() else "family"


@dataclass(frozen=True, slots=True)
class NameStyle:
    """How a list writes names, learnt from its entries."""

    between: str = ", "
    last: str = ", "
    """The separator before the last of three or more names."""
    pair: str = ", "
    """The separator between exactly two names."""
    others: str | None = None
    """The text for authors that are left out."""
    shown: int = 0
    """How many names precede it; 0 for all."""
    most: int = 0
    """The most names that are written in full."""
    is_always_cut: bool = False
    """Whether every list of names ends with it, however short."""
    style: str = "full"
    order: NameOrder = ""

    def write(
        self, authors: Sequence[str], escaped: Callable[[str], str] = str, *, is_cut: bool = False
    ) -> str:
        """Return these authors as the list writes them. ``is_cut`` means that there are more."""
        names = [_written_name(name, self.style) for name in authors]
        names = [*map(escaped, _reordered(names, self.order))]
        if self.others is not None and (cut := self._cut(names, is_cut=is_cut)):
            return self.between.join(cut) + self.others
        text = self.pair.join(names)
        if len(names) > 2:
            text = self.between.join(names[:-1]) + self.last + names[-1]
        return text

    def _cut(self, names: list[str], *, is_cut: bool) -> list[str]:
        """Return the names before the text for others; empty if all names are written."""
        if self.shown > 0 and len(names) > max(self.most, self.shown):
            return names[: self.shown]
        return names if is_cut or self.is_always_cut else []


def _written_name(name: str, style: str) -> str:
    """Return a name in this style. A name that is already shorter is not changed."""
    family, first, _ = split_name(name)
    if style == "full" or not first or not family:
        return name
    if style == "family":
        return family
    initials = " ".join(word if "." in word else f"{word[0]}." for word in first.split())
    return f"{initials} {family}"


def learn_names(shown: Sequence[Names]) -> NameStyle:
    """Learn how a list writes names from its entries."""
    whole = [names for names in shown if names.others is None]
    cut = [names for names in shown if names.others is not None]
    counts = [len(names.between) + 1 for names in cut]
    shown_before = most_common(counts) or 0
    last = most_common([listed.between[-1] for listed in whole if len(listed.between) > 1])
    pair = most_common([listed.between[-1] for listed in whole if len(listed.between) == 1])
    signs = [*(listed.between[:-1] for listed in whole), *(listed.between for listed in cut)]
    between = most_common([sign for separators in signs for sign in separators]) or pair or ", "
    # A single name does not show whether further ones start with the family name.
    order = [names.order for names in shown if names.between or not names.order]
    return NameStyle(
        between=between if between.strip() in _LISTING else ", ",
        last=last or between,
        pair=pair or last or between,
        others=most_common([names.others for names in cut]),
        shown=shown_before,
        most=max((len(names.between) + 1 for names in whole), default=0),
        is_always_cut=not whole and shown_before == 1,
        style=_style([names.style for names in shown]),
        order=most_common(order or [names.order for names in shown]) or "",
    )


def _style(styles: Sequence[str]) -> str:
    """Return the style of nearly all names; ``full`` if they differ."""
    usual = most_common(styles) or "full"
    return usual if styles.count(usual) * 5 >= len(styles) * 4 and len(styles) > 2 else "full"
