"""Values that several formats derive from a paper in the same way: type, URL, year, names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papertrack.identifiers import arxiv_abs_url, arxiv_month, url_of
from papertrack.records import Author, Identifier, Paper
from papertrack.text import clean, split_name

MIN_TELLING = 12
"""A title with this many letters is specific to one work."""
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff"
"""Characters for a syllable or a word, which count as two letters."""
# Patterns are strings, which re compiles at their first use, to keep the start-up fast.
_PROCEEDINGS = (
    r"\b(?:proceedings|proc\.|conference|workshop|symposium|neurips|nips|icml|iclr|aaai|ijcai|cvpr"
    r"|iccv|eccv|acl|emnlp|naacl|eacl|coling|sosp|osdi|nsdi|asplos|isca|micro|hpca|mlsys|eurosys"
    r"|sigcomm|sigmod|kdd|www|stoc|focs|soda|icse|fse|pldi|popl|usenix|interspeech|icassp|chi)\b"
)
_GROUP_WORDS = (
    "collaborations? consortium team group project initiative committee network society association"
    " foundation institute university laboratory laboratories community authors inc ltd llc gmbh"
).split()
_GROUP = rf"(?i)\b(?:{'|'.join(_GROUP_WORDS)})\b"
# Names of people do not contain these, and biber would make initials of macros that do not compile.
NOT_IN_NAMES = frozenset("&%#_${}\\~^`<>|")
OTHERS = frozenset({"et al", "et al.", "others", "and others"})
"""Texts at the end of an author list that was shortened."""
_SCHEMES_BY_STRENGTH = ("doi", "openreview", "acl", "dblp", "url")
_AND = r"(?i)(?:^|\s)and(?:\s|$)"
_TYPE = r"[a-z][a-z0-9_-]*"


def is_telling(key: str) -> bool:
    """Return whether a title is specific to one work, by its key (see ``text.title_key``)."""
    return telling_length(key) >= MIN_TELLING


def telling_length(key: str) -> int:
    """Return the length of a title's key; Chinese, Japanese and Korean letters count twice."""
    return len(key) if key.isascii() else len(key) + len(re.findall(f"[{_CJK}]", key))


def type_of(paper: Paper) -> str | None:
    """Return the BibTeX type of the publication, if known or clear from the venue, or None."""
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
    """Return the URL of the work itself, or None.

    This is arXiv's page if there is one, else the link from a source, else the URL of its strongest
    identifier.
    """
    if (arxiv_id := paper.facts.identifier("arxiv")) is not None:
        return arxiv_abs_url(arxiv_id)
    source_link = next((link.url for link in paper.facts.links if link.role == "paper"), None)
    if source_link is not None:
        return source_link
    values = dict(reversed(paper.facts.identifiers))  # The first of each scheme.
    strongest = next(filter(values.__contains__, _SCHEMES_BY_STRENGTH), None)
    return url_of(Identifier(strongest, values[strongest])) if strongest else None


def month_of(paper: Paper) -> str | None:
    """Return ``2023-09``, the month of version 1, by submission date or arXiv id, or None."""
    submitted = paper.facts.submitted
    if submitted is not None and len(submitted) >= 7:
        return submitted[:7]
    arxiv_id = paper.facts.identifier("arxiv")
    return arxiv_month(arxiv_id) if arxiv_id is not None else None


def year_of(paper: Paper) -> int | None:
    """Return the year to cite: that which a source or the user gave, otherwise of version 1."""
    submitted = str(paper.facts.submitted or month_of(paper))[:4]
    return paper.facts.year or (int(submitted) if submitted.isdecimal() else None)


def parts_of(author: Author) -> tuple[str, str, str]:
    """Return family name, first names and suffix; a name without parts is all family name.

    Names without parts are groups, "et al.", and texts with "and", several commas or characters
    that people's names do not have.
    """
    name = clean(author.name)
    family, first, suffix = split_name(name)
    if known_family := clean(author.family or ""):
        family, first, suffix = _parts_around(known_family, name, suffix)
    if not first or not family or "," in first + family or _is_single_name(name):
        return name, "", ""
    return family, first, suffix


def _parts_around(family: str, name: str, suffix: str) -> tuple[str, str, str]:
    """Return the parts of a name whose family name is known."""
    without_suffix = name if family.endswith(suffix) else name.removesuffix(suffix).rstrip(", ")
    suffix = "" if without_suffix == name else suffix
    before, family_match, after = without_suffix.rpartition(family)
    if before.strip() and after.strip(" ,") and not suffix:
        return family, before.strip(), after.strip(" ,")
    return family, f"{before} {after}".strip(" ,") if family_match else without_suffix, suffix


def _is_single_name(name: str) -> bool:
    return bool(
        name.casefold() in OTHERS
        or re.search(_GROUP, name)
        or re.search(_AND, name)
        or not NOT_IN_NAMES.isdisjoint(name)
    )


def submitted_of(identifiers: Sequence[Identifier], date: str | None) -> str | None:
    """Return the date to show: for an arXiv paper a day in the id's month, or that month."""
    arxiv_id = next((i.value for i in identifiers if i.scheme == "arxiv"), None)
    if arxiv_id is None:
        return date
    month = arxiv_month(arxiv_id)
    return date if date is not None and date.startswith(month) else month
