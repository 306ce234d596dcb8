"""Values that several formats derive from a paper in the same way: type, address, year, authors'
names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papertrack.identifiers import arxiv_abs_url, arxiv_month, url_of
from papertrack.records import Author, Identifier, Paper
from papertrack.text import clean, split_name

TELLING = 12
"""From this many letters on a title is distinctive: equal titles mean the same work."""
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff"
"""Characters that stand for a syllable or a word: each counts as two letters."""
# Patterns are texts, which re compiles and keeps at their first use: start-up does not pay.
_PROCEEDINGS = (
    r"\b(?:proceedings|proc\.|conference|workshop|symposium|neurips|nips|icml|iclr|aaai|ijcai|cvpr"
    r"|iccv|eccv|acl|emnlp|naacl|eacl|coling|sosp|osdi|nsdi|asplos|isca|micro|hpca|mlsys|eurosys"
    r"|sigcomm|sigmod|kdd|www|stoc|focs|soda|icse|fse|pldi|popl|usenix|interspeech|icassp|chi)\b"
)
_COLLECTIVES = (
    "collaborations? consortium team group project initiative committee network society association"
    " foundation institute university laboratory laboratories community authors inc ltd llc gmbh"
).split()
_COLLECTIVE = rf"(?i)\b(?:{'|'.join(_COLLECTIVES)})\b"
# No name of a person holds these, and biber makes initials of macros that do not compile.
NOT_IN_NAMES = frozenset("&%#_${}\\~^`<>|")
OTHERS = frozenset({"et al", "et al.", "others", "and others"})
"""Texts at the end of an author list that was shortened."""
_BY_STRENGTH = ("doi", "openreview", "acl", "dblp", "url")
_AND = r"(?i)(?:^|\s)and(?:\s|$)"
_TYPE = r"[a-z][a-z0-9_-]*"


def is_telling(key: str) -> bool:
    """Return whether a title is distinctive, by its key (see ``text.title_key``)."""
    return telling_length(key) >= TELLING


def telling_length(key: str) -> int:
    """Return the letters of a title's key; a Chinese, Japanese or Korean character counts as
    two."""
    return len(key) if key.isascii() else len(key) + len(re.findall(f"[{_CJK}]", key))


def type_of(paper: Paper) -> str | None:
    """Return the BibTeX type of the publication, if known or clear from the venue's name; else
    None."""
    facts = paper.facts
    if facts.published_type is not None and re.fullmatch(_TYPE, facts.published_type):
        return facts.published_type
    if facts.venue is None:
        return None
    return "inproceedings" if is_proceedings(facts.venue) else "article"


def is_proceedings(venue: str) -> bool:
    """Return whether a venue's name is that of a conference or workshop."""
    return re.search(_PROCEEDINGS, venue, re.IGNORECASE) is not None


def address_of(paper: Paper) -> str | None:
    """Return the address of the work itself, or None.

    This is arXiv's page if there is one, otherwise the link from a source, otherwise the address of
    its strongest identifier.
    """
    if (arxiv_id := paper.facts.identifier("arxiv")) is not None:
        return arxiv_abs_url(arxiv_id)
    own = next((link.url for link in paper.facts.links if link.role == "paper"), None)
    if own is not None:
        return own
    values = dict(reversed(paper.facts.identifiers))  # Of each scheme the first.
    strongest = next(filter(values.__contains__, _BY_STRENGTH), None)
    return url_of(Identifier(strongest, values[strongest])) if strongest else None


def month_of(paper: Paper) -> str | None:
    """Return ``2023-09``, the month of version 1: as submitted, or from the arXiv id; else None."""
    submitted = paper.facts.submitted
    if submitted is not None and len(submitted) >= 7:
        return submitted[:7]
    arxiv_id = paper.facts.identifier("arxiv")
    return arxiv_month(arxiv_id) if arxiv_id is not None else None


def year_of(paper: Paper) -> int | None:
    """Return the year to cite: of publication if there is a venue, otherwise of version 1.

    A year from a source takes precedence over the one in the arXiv id.
    """
    facts = paper.facts
    submitted = int(facts.submitted[:4]) if facts.submitted is not None else None
    stated = (facts.year, submitted) if facts.venue is not None else (submitted, facts.year)
    for year in stated:
        if year is not None:
            return year
    month = month_of(paper)
    return int(month[:4]) if month is not None else None


def parts_of(author: Author) -> tuple[str, str, str]:
    """Return family name, first names and suffix; a name without parts is all family name.

    Names without parts are collectives, "et al.", and texts with "and", several commas or
    characters that no person's name has.
    """
    name = clean(author.name)
    family, first, suffix = split_name(name)
    if known := clean(author.family or ""):
        family, first, suffix = _parts_around(known, name, suffix)
    if not first or not family or "," in first + family or _is_one_name(name):
        return name, "", ""
    return family, first, suffix


def _parts_around(family: str, name: str, suffix: str) -> tuple[str, str, str]:
    """Return the parts of a name whose family name is known."""
    rest = name if family.endswith(suffix) else name.removesuffix(suffix).rstrip(", ")
    suffix = "" if rest == name else suffix
    before, found, after = rest.rpartition(family)
    if before.strip() and after.strip(" ,") and not suffix:
        return family, before.strip(), after.strip(" ,")
    return family, f"{before} {after}".strip(" ,") if found else rest, suffix


def _is_one_name(name: str) -> bool:
    return bool(
        name.casefold() in OTHERS
        or re.search(_COLLECTIVE, name)
        or re.search(_AND, name)
        or not NOT_IN_NAMES.isdisjoint(name)
    )


def submitted_of(identifiers: Sequence[Identifier], date: str | None) -> str | None:
    """Return the date to show; for arXiv papers the month of the id, unless the date is a day in
    it."""
    arxiv_id = next((found.value for found in identifiers if found.scheme == "arxiv"), None)
    if arxiv_id is None:
        return date
    month = arxiv_month(arxiv_id)
    return date if date is not None and date.startswith(month) else month
