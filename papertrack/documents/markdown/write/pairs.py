"""Brackets and quotes of new entries: what is opened is closed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from papertrack.documents.markdown.grammar.cuts import TITLE, role_of_key, unit_of_key
from papertrack.documents.markdown.grammar.template import Sketch
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.values import most_common
from papertrack.documents.markdown.write.grammars import Grammar

_BULLETS = re.compile(r"(?m)^[ \t>]*(?:[-+*]|[0-9]*[.)])[ \t]")
_BRACKETS = ("[]", "()", "【】", "（）")
_TWINS = ('"', "`", "*", "**")
_NONE = (0,) * (len(_BRACKETS) + len(_TWINS))
_LINKS = ("target", "reference")


def closed(
    document: Document, grammar: Grammar, like: Sketch, texts: dict[str, str]
) -> dict[str, str]:
    """Return what slots say, without what leaves a bracket or a quote open.

    Where no entry has two slots side by side, what stands between them is put together of what is
    behind the one and before the other, which need not fit. Links are left out last.
    """

    def left_open(shown: Mapping[str, str]) -> tuple[int, ...]:
        return _open_in(grammar.template.write(like, shown), shown.values())

    if not any(left_open(texts)):
        return texts
    usual = most_common([_open_in(document.text[slice(*cut.span)], ()) for cut in grammar.cuts])
    shorter = (_without(texts, unit) for unit in _to_leave_out(grammar, like, texts))
    fitting = (shown for shown in (texts, *shorter) if left_open(shown) in (usual, _NONE))
    return next(fitting, texts)


def _open_in(text: str, said: Iterable[str]) -> tuple[int, ...]:
    """Return how many of each sign are left open in a text, apart from what its slots say."""
    gaps, own = _BULLETS.sub("", text), "".join(said)
    brackets = (_open(gaps, pair) - _open(own, pair) for pair in _BRACKETS)
    return (*brackets, *((gaps.count(sign) - own.count(sign)) % 2 for sign in _TWINS))


def _open(text: str, pair: str) -> int:
    """Return how many brackets stand without their other half."""
    depth = alone = 0
    for sign in text:
        if sign == pair[0]:
            depth += 1
        elif sign == pair[1]:
            alone += depth == 0
            depth = max(depth - 1, 0)
    return depth + alone


def _to_leave_out(grammar: Grammar, like: Sketch, texts: Mapping[str, str]) -> list[str]:
    """Return what may be left out of what slots say, the last first, links behind all others."""
    keys = [*reversed(grammar.template.ordered(like, texts))]
    linked = {unit_of_key(key) for key in keys if role_of_key(key) in _LINKS}
    units = dict.fromkeys(unit_of_key(key) for key in keys)
    free = [unit for unit in units if unit not in (TITLE, "number")]
    return sorted(free, key=lambda unit: unit in linked)


def _without(texts: Mapping[str, str], unit: str) -> dict[str, str]:
    return {key: text for key, text in texts.items() if unit_of_key(key) != unit}
