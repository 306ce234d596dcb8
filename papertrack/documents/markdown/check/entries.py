"""What is wrong with an entry by itself: its date, that it has no link, the cells of its row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from papertrack.documents.markdown.check.findings import Finding
from papertrack.documents.markdown.grammar.likeness import is_title_case, title_likeness
from papertrack.documents.markdown.model import Document, Entry, Lines, by_group
from papertrack.documents.markdown.read.tables import split_row
from papertrack.documents.markdown.syntax import Block, plain
from papertrack.documents.markdown.values import Span
from papertrack.identifiers import arxiv_month, parse_arxiv_id
from papertrack.text import shorten, title_key

_OF_THE_LIST = re.compile(
    r"""\b(?:news|updates?|change ?log|what'?s\ new|announcements?|table\ of\ contents?|contents|
        contribut(?:e|ing|ors?|ions?)|citations?|cite|citing|licen[sc]e|acknowledge?ments?|contact|
        legend|star\ history|maintainers?|disclaimer|to-?do)\b
      |最新动态|最近更新|更新日志|更新|新闻|目录|贡献|引用|许可|致谢|联系|変更履歴|更新履歴|目次|목차|업데이트""",
    re.VERBOSE | re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_FILLING = re.compile(r"(?i)\b(?:and|the|of|to|our|this|for|latest|recent|list)\b")


def listed(document: Document) -> list[Entry]:
    """Return the entries that list a work; those of news, contents and thanks only speak of the
    list itself."""
    return [entry for entry in document.entries if not _is_aside(entry.category)]


@lru_cache(maxsize=256)
def _is_aside(path: tuple[str, ...]) -> bool:
    """Whether a section is about the list: its heading says so, or the one above a mere date, with
    one such word and little else (*Citation Prediction* is a subject)."""
    named = [name for name in path[-2:] if any(map(str.isalpha, name))]
    others, found = _OF_THE_LIST.subn(" ", named[-1] if named else "")
    return bool(found) and len(_WORD.findall(others)) <= len(_FILLING.findall(others)) + 1


def quoted(entry: Entry) -> str:
    """Return the title of an entry as messages show it."""
    return f"“{shorten(entry.fields.title, 80)}”"


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
    def is_precise(self) -> bool:
        """Whether it says more than the year."""
        return len(self.date) > 4

    @property
    def is_of_id(self) -> bool:
        return abs(self.months) <= 1

    def contradicts(self, share: float) -> bool:
        """Whether it is wrong, where this share of the other dates is of ids.

        A model or a talk may come some weeks before its paper, a publication long after it.
        """
        if not self.is_precise or share < SURE_SHARE:
            return self.months < -12
        is_later = self.months > 1 and share >= SURE_OF_LATER and not self.entry.fields.venue
        return self.months < -2 or (is_later and not self.is_of_later_version)

    @property
    def is_of_later_version(self) -> bool:
        """Whether a link names a later version, whose date it may be."""
        named = (parse_arxiv_id(link.url) for link in self.entry.fields.links)
        return self.months > 0 and any(one and (one.version or 1) > 1 for one in named)


def wrong_dates(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield dates that contradict the arXiv id of their entry.

    Where nearly all dates are the month of the id, others are wrong. Elsewhere they may be of a
    publication, a talk, a video: only a date more than a year before the id's cannot be right. An
    id's month may be the one after that of the submission.
    """
    dated = list(_dated(entries))
    precise = [one for one in dated if one.is_precise]
    agreeing = sum(one.is_of_id for one in precise)
    for one in dated:
        others = max(len(precise) - one.is_precise, 1)
        if one.contradicts((agreeing - one.is_of_id) / others):
            message = f"{quoted(one.entry)} is dated {one.date}, but "
            message += f"{one.arxiv_id} was submitted in {arxiv_month(one.arxiv_id)}."
            yield Finding(one.entry.line, "date", message, f"arxiv:{one.arxiv_id}")


def _dated(entries: Sequence[Entry]) -> Iterator[_Dated]:
    for entry in entries:
        date = entry.fields.date
        ids = [one.value for one in entry.identifiers if one.scheme == "arxiv"]
        if date and ids:
            months = _month_number(date) - _month_number(arxiv_month(ids[0]))
            yield _Dated(entry, date, ids[0], months)


def _month_number(date: str) -> int:
    """Number the month of a date. A year alone counts as its last: it contradicts none of it."""
    return int(date[:4]) * 12 + int(date[5:7] or 12)


def entries_without_link(document: Document, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield entries without any link where those around them have one, unless it is to come."""
    leads = Counter(match[1] for match in _LEAD.finditer(document.text))
    for group in by_group(entries).values():
        without = [entry for entry in group if not entry.anatomy.links]
        for entry in without if _should_have_links(group, len(without)) else ():
            if _is_whole(document, entry, leads):
                about = f"title:{title_key(entry.fields.title)}"
                yield Finding(entry.line, "no-link", f"{quoted(entry)} has no link.", about)


def _should_have_links(group: Sequence[Entry], without: int) -> bool:
    others = len(group) - without
    if group[0].anatomy.table is not None and len(group) <= FEW_ROWS:
        return without <= others
    return others >= LEAST_OTHERS and others >= len(group) * SURE_SHARE


def _is_whole(document: Document, entry: Entry, leads: Counter[str]) -> bool:
    """Whether an entry is one of its own: no detail of another, as many have, no head of a list
    below it or of rows, and nothing that is to come. A row is called like a work for sure."""
    text = document.text[slice(*entry.span)]
    lead = _LEAD.match(text)
    is_detail = lead is not None and leads[lead[1]] >= _COMMON_LEAD
    if is_detail or text.rstrip().endswith((":", "：")) or _NOT_YET.search(text):
        return False
    if entry.anatomy.table is None:
        return _reads_like_one(entry.fields.title) and not _is_above_others(document, entry)
    return sum(document.text[slice(*cell)].strip(" -") != "" for cell in entry.anatomy.cells) > 1


def _reads_like_one(title: str) -> bool:
    """Whether an item is called like a work, and is no sentence."""
    is_word = title[:1].isalnum() or title[:1] in "“\"'‘「《"
    return is_word and title_likeness(title) > _LIKE_TITLE and is_title_case(title)


def _is_above_others(document: Document, entry: Entry) -> bool:
    """Whether the next entry is a part of this one, or indented more than it."""
    lines = [document.line(one.line - 1) for one in document.entries[entry.index :][:2]]
    indents = [len(line) - len(line.lstrip()) for line in lines]
    following = document.entries[entry.index + 1 : entry.index + 2]
    is_part = any(other.span[0] < entry.span[1] for other in following)
    return is_part or indents[-1] > indents[0]


def ragged_rows(lines: Lines, table: Block) -> Iterator[Finding]:
    """Yield ragged rows; where most rows have the same number of cells, ragged is the header.

    A row with nothing but words in its first cell divides the table on purpose.
    """
    spans = [lines.line_span(number) for number in range(table.first, table.end)]
    header, _, *rows = (split_row(lines.text, *span) for span in spans)
    wanted = len(header)
    ((common, count),) = Counter(map(len, rows)).most_common(1) or [(0, 0)]
    if common != wanted and count > 1 and count * 2 > len(rows):
        message = f"The header has {wanted} cells, but {count} of {len(rows)} rows have {common}"
        message = f"{message}.{_hidden(common, wanted)}"
        yield Finding(table.first + 1, "ragged-row", message, _shown(lines, spans[0]))
        wanted = common
    for number, cells in enumerate(rows, start=2):
        if len(cells) != wanted and not _is_divider(lines, spans[number], cells):
            message = f"The row has {len(cells)} cells, but its table has {wanted} columns."
            message += _hidden(len(cells), wanted)
            about = _shown(lines, spans[number])
            yield Finding(table.first + number + 1, "ragged-row", message, about)


def _is_divider(lines: Lines, row: Span, cells: Sequence[Span]) -> bool:
    """Whether a row only says something about those below it: it links nothing. A paragraph glued
    to the table, which has no pipe, is no such row."""
    text = lines.text[slice(*row)]
    filled = [cell for cell in cells if lines.text[slice(*cell)].strip()]
    return filled == [*cells[:1]] and "|" in text and "](" not in text and "://" not in text


def _shown(lines: Lines, row: Span) -> str:
    return shorten(plain(lines.text[slice(*row)]).replace("|", " "), 120)


def _hidden(width: int, wanted: int) -> str:
    """GFM shows no cell that its table has no column for."""
    return " What is behind the last column is not shown." if width > wanted else ""
