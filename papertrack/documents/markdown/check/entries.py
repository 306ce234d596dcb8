"""What is wrong with an entry by itself: its date, and that it has no link."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from papertrack.documents.markdown.check.findings import Finding
from papertrack.documents.markdown.check.listing import listed
from papertrack.documents.markdown.check.repeats import quoted
from papertrack.documents.markdown.grammar.likeness import is_title_case, title_likeness
from papertrack.documents.markdown.model import Document, Entry, Group
from papertrack.identifiers import arxiv_month, parse_arxiv_id
from papertrack.text import title_key

SURE_SHARE = 0.8
"""The share of the others that must be as an entry is not, before that is wrong."""
SURE_OF_LATER = 0.95
"""The same for a date after that of the id: it may be of the publication."""
LEAST_OTHERS = 3
"""So many of them at least, for items of lists: rows of a table are entries for sure."""
FEW_ROWS = 4
"""Of a table so short, half of the rows are enough."""
_NOT_YET = re.compile(
    r"(?<![^\W_])(?:todo|tbd|tba|tbc|wip|coming soon|to appear"
    r"|in progress|in preparation|unpublished)(?![^\W_])|待补|待更新|暂无|未公布|即将",
    re.IGNORECASE,
)
_LEAD = re.compile(r"(?m)^[\W_]{0,20}([^\W\d_][^\n:：]{0,30}[:：])")
"""The word before a colon that a line starts with: ``Keywords:``."""
_COMMON_LEAD = 3
_LIKE_TITLE = 0.6


class _Dated(NamedTuple):
    """An entry with the date that it says and how many months that is behind its arXiv id's."""

    entry: Entry
    date: str
    arxiv_id: str
    months: int

    @property
    def is_of_id(self) -> bool:
        return abs(self.months) <= 1

    def contradicts(self, share: float) -> bool:
        """Whether it is wrong, where this share of the other dates is of ids.

        A model or a talk may come some weeks before its paper, a publication long after it.
        """
        if len(self.date) <= 4 or share < SURE_SHARE:
            return self.months < -12
        is_later = self.months > 1 and share >= SURE_OF_LATER and not self.entry.fields.venue
        return self.months < -2 or (is_later and not self.is_of_later_version)

    @property
    def is_of_later_version(self) -> bool:
        """Whether a link names a later version, whose date it may be."""
        named = (parse_arxiv_id(link.url) for link in self.entry.fields.links)
        return self.months > 0 and any(one and (one.version or 1) > 1 for one in named)


def wrong_dates(document: Document) -> Iterator[Finding]:
    """Yield dates that contradict the arXiv id of their entry.

    Where nearly all dates are the month of the id, others are wrong. Elsewhere they may be of a
    publication, a talk, a video: only a date more than a year before the id's cannot be right. An
    id's month may be the one after that of the submission.
    """
    dated = list(_dated(listed(document)))
    precise = [one for one in dated if len(one.date) > 4]
    agreeing = sum(one.is_of_id for one in precise)
    for one in dated:
        others = len(precise) - (len(one.date) > 4)
        if one.contradicts((agreeing - one.is_of_id) / max(others, 1)):
            message = f"{quoted(one.entry)} is dated {one.date}, but "
            message += f"{one.arxiv_id} was submitted in {arxiv_month(one.arxiv_id)}."
            yield Finding(one.entry.line, "date", message, f"arxiv:{one.arxiv_id}")


def _dated(entries: Sequence[Entry]) -> Iterator[_Dated]:
    for entry in entries:
        date = entry.fields.date
        ids = [one.value for one in entry.identifiers if one.scheme == "arxiv"]
        if date and ids:
            yield _Dated(entry, date, ids[0], _months(date, arxiv_month(ids[0])))


def _months(*dates: str) -> int:
    """How many months the first date is behind the second. A year alone counts as its last month:
    it contradicts nothing within it."""
    one, other = (int(date[:4]) * 12 + int(date[5:7] or 12) for date in dates)
    return one - other


def entries_without_link(document: Document) -> Iterator[Finding]:
    """Yield entries without any link where those around them have one, unless it is to come."""
    leads = Counter(match[1] for match in _LEAD.finditer(document.text))
    for entry in _linkless(listed(document)):
        if _is_whole(document, entry, leads):
            about = f"title:{title_key(entry.fields.title)}"
            yield Finding(entry.line, "no-link", f"{quoted(entry)} has no link.", about)


def _linkless(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield the entries without a link of each table and section where they are few."""
    groups: dict[Group, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.group].append(entry)
    for group in groups.values():
        without = [entry for entry in group if not entry.anatomy.links]
        if _should_have_links(group, without):
            yield from without


def _should_have_links(group: Sequence[Entry], without: Sequence[Entry]) -> bool:
    others = len(group) - len(without)
    if group[0].anatomy.table is not None and len(group) <= FEW_ROWS:
        return len(without) <= others
    return others >= LEAST_OTHERS and others >= len(group) * SURE_SHARE


def _is_whole(document: Document, entry: Entry, leads: Counter[str]) -> bool:
    """Whether an entry is one of its own: no detail of another, as many have, no head of a list
    below it, and nothing that is to come."""
    text = document.text[slice(*entry.span)]
    lead = _LEAD.match(text)
    is_detail = lead is not None and leads[lead[1]] >= _COMMON_LEAD
    is_head = text.rstrip().endswith((":", "：")) or _is_above_others(document, entry)
    is_named = _divides_no_table(document, entry) and _reads_like_one(entry)
    return is_named and not (is_detail or is_head or _NOT_YET.search(text))


def _divides_no_table(document: Document, entry: Entry) -> bool:
    """Whether a row says more than its first cell does; an item always."""
    filled = [cell for cell in entry.anatomy.cells if document.text[slice(*cell)].strip(" -")]
    return entry.anatomy.table is None or len(filled) > 1


def _reads_like_one(entry: Entry) -> bool:
    """Whether an item is called like a work, and is no sentence; a row is an entry for sure."""
    title = entry.fields.title
    is_word = title[:1].isalnum() or title[:1] in "“\"'‘「《"
    is_title = title_likeness(title) > _LIKE_TITLE and is_title_case(title)
    return entry.anatomy.table is not None or (is_word and is_title)


def _is_above_others(document: Document, entry: Entry) -> bool:
    """Whether the next entry is a part of this one, or indented more than it."""
    following = document.entries[entry.index + 1 : entry.index + 2]
    if not following or entry.anatomy.table is not None:
        return False
    return following[0].span[0] < entry.span[1] or _indent(document, following[0]) > _indent(
        document, entry
    )


def _indent(document: Document, entry: Entry) -> int:
    line = document.line(entry.line - 1)
    return len(line) - len(line.lstrip())
