"""Which ids of a list of references are citekeys: others write numbers there, or addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from papertrack.identifiers import identify
from papertrack.identifiers.citekeys import is_citekey
from papertrack.identifiers.derived import parts_of
from papertrack.importers.model import Item
from papertrack.records import PaperFacts
from papertrack.text import fold

_LEAST, _STEM = 3, 4
"""Letters of a name or a word by which a key tells of its work: so many at least, and no more."""
_WORD = re.compile(r"[^\W\d_]+")


def with_keys(told: Sequence[tuple[str, Item]]) -> list[Item]:
    """Return the items, each with its id as a citekey, where that is one.

    Keys are made of a name and a title: where most ids tell so of their works, all of them are
    keys, else those alone that do.
    """
    may_be = [(one, item) for one, item in told if is_citekey(one) and identify(one) is None]
    telling = {one for one, item in may_be if _tells_of(one, item.facts)}
    keys = {one for one, _ in may_be} if 2 * len(telling) > len(may_be) else telling
    return [_keyed(item, one) if one in keys else item for one, item in told]


def _keyed(item: Item, key: str) -> Item:
    return replace(item, citekeys=tuple(dict.fromkeys((*item.citekeys, key))))


def _tells_of(key: str, facts: PaperFacts) -> bool:
    """Whether the first author's name is in a key, or a word of the title."""
    names = " ".join(parts_of(author)[0] for author in facts.authors[:1])
    words = _WORD.findall(fold(f"{names} {facts.title or ''}"))
    return any(word[:_STEM] in fold(key) for word in words if len(word) >= _LEAST)
