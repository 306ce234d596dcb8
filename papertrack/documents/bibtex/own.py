"""Entries for one text of a .bib file, from the reader's files or made anew.

What those of files need is put together with them by ``gather``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_IDS = r"\bids\s*=\s*[{\"]([^{}\"]*)"


class Own(NamedTuple):
    """An entry with what it needs, and the file that it is of."""

    citekey: str
    """The key that it is to have."""
    text: str
    """Its own, with what it needs: see ``BibEntry.whole``."""
    file: str = ""
    """Entries of one file mean the same by the same names; empty for one that was made anew."""
    named: str = ""
    """What others of the file call it, where its text has another key by now."""


def own_under(citekey: str, several: Sequence[Own], *, is_biblatex: bool) -> Own:
    """The one of the entries that has the key; one that tells it as another of its keys, which
    biber reads, stays as it is, else the first gets it."""
    found = (one for one in several if one.citekey == citekey)
    telling = (one for one in several if is_biblatex and citekey in told_keys(one))
    return next(found, None) or next(telling, several[0]._replace(citekey=citekey))


def told_keys(own: Own) -> set[str]:
    """The other keys that an entry tells in its field "ids"."""
    if "ids" not in own.text.casefold():
        return set()  # Of most, which a pattern without regard to case tells ten times as late.
    found = re.findall(_IDS, own.text, re.IGNORECASE)
    return {key.strip() for keys in found for key in keys.split(",")}


def order_of(citekey: str) -> tuple[str, str]:
    """Where the entry of this key stands among others."""
    return citekey.casefold(), citekey


def in_order(entries: Iterable[Own]) -> str:
    """The text of entries that were made anew: they need nothing, and name no others."""
    return "\n".join(one.text for one in sorted(entries, key=lambda one: order_of(one.citekey)))
