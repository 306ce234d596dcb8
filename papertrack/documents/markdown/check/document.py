"""Checking one document by itself: which entries list a work, their dates, missing links and rows
of odd width; works listed twice, and addresses pasted from another work.

Start here: ``check_document``. An identifier of an archive is of one work. A mere address is not: a
repository holds several works, and a conference has one page. It says something only of entries
with one title, or if its own words are those of one of two titles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from papertrack.documents.markdown.check.findings import Finding, FindingKind, read_accepted
from papertrack.documents.markdown.check.links import check_links, check_references, running_text
from papertrack.documents.markdown.grammar.likeness import is_title_case, title_likeness
from papertrack.documents.markdown.model import Document, Entry, Lines, by_group
from papertrack.documents.markdown.read.tables import split_row
from papertrack.documents.markdown.roles import STRONG_SCHEMES, role_word, strong_identifier
from papertrack.documents.markdown.syntax import Block, parse_syntax, plain, walk
from papertrack.documents.markdown.values import Span
from papertrack.identifiers import arxiv_month, parse_arxiv_id
from papertrack.identifiers.derived import is_telling
from papertrack.records import LinkRole
from papertrack.text import fold, shorten, title_key


def check_document(document: Document, before: Document | None = None) -> tuple[Finding, ...]:
    """Return what is wrong within a document, in the order of its lines, each thing once.

    ``before`` is an older version of it: of two entries for one work the finding is then at the
    one that is new. What the document itself accepts is left out.
    """
    accepted = read_accepted(document)
    found = {
        one
        for one in _all_findings(document, before)
        if accepted.isdisjoint([(one.line, one.kind), (one.other_line or 0, one.kind)])
    }
    return tuple(sorted(found, key=lambda one: (one.line, one.kind, one.message)))


def _all_findings(document: Document, before: Document | None) -> Iterator[Finding]:
    syntax = parse_syntax(document)
    stretches = list(running_text(syntax))
    broken = [*check_links(document, stretches)]
    for table in (block for block in walk(syntax.blocks) if block.kind == "table"):
        broken += ragged_rows(document, table)
    told = {one.line for one in broken}
    entries = listed(document)
    yield from broken
    yield from check_references(document, stretches)
    yield from repeated_works(document, entries, before)
    yield from wrong_dates(entries)
    yield from (one for one in entries_without_link(document, entries) if one.line not in told)


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
    return " What is right of the last column is not shown." if width > wanted else ""


UNMISTAKABLE = 25
"""Letters from which on the same title means the same work, whatever the archives' ids."""
UNMISTAKABLE_PAGE = 40
"""The same for what is at a mere address: many posts are *Introduction to Machine Learning*."""
NAVIGATION = 3
"""How often one title may lead to one address before it is a way around the document."""
ALIKE = 70
"""Per cent from which on two titles may be two spellings of one: better too few than too many."""
OWN_WORDS = 0.8
"""The share of a title's words that an address must have to be this title's own."""
_ACCOUNTS: tuple[LinkRole, ...] = ("video", "slides", "post", "note", "translation", "code", "demo")
"""What a list may hold several of for one work, each in an entry of its own."""

Name = tuple[str, str]
"""Scheme and value; the value of the scheme ``title`` is a title's letters."""


def repeated_works(
    document: Document, entries: Sequence[Entry], before: Document | None
) -> Iterator[Finding]:
    """Yield each of the entries for a work, or with an address, that one before it has already.

    Entries that an older version of the document has come first, wherever they stand.
    """
    if before is not None:
        old = {before.text[slice(*entry.span)].strip() for entry in before.entries}
        entries = sorted(entries, key=lambda e: document.text[slice(*e.span)].strip() not in old)
    first: dict[Name, Entry] = {}
    several = _rows_of_several(document)
    for entry, names in _telling(entries):
        found = (_finding(entry, first[name], name, several) for name in names if name in first)
        yield from [*filter(None, found)][:1]
        for name in names:
            first.setdefault(name, entry)


def _telling(entries: Sequence[Entry]) -> Iterator[tuple[Entry, list[Name]]]:
    """Yield the entries with the names by which the same work is known again: not an address that
    one title has often."""
    named = [(entry, title_key(entry.fields.title)) for entry in entries]
    often = Counter((key, name) for entry, key in named for name in _names(entry, key))
    for entry, key in named:
        names = _names(entry, key)
        yield entry, [one for one in names if _is_strong(one) or often[key, one] <= NAVIGATION]


def _rows_of_several(document: Document) -> set[int]:
    """Return the lines of rows that hold several works."""
    times = Counter(entry.line for entry in document.entries)
    rows = (entry for entry in document.entries if entry.anatomy.table is not None)
    return {entry.line for entry in rows if times[entry.line] > 1 or _links_several(entry)}


def _links_several(entry: Entry) -> bool:
    urls = {link.url for link in entry.anatomy.links if link.role == "paper"}
    if len(urls) < 2:
        return False
    found = filter(None, {strong_identifier(url) for url in urls})
    return max(Counter(one.scheme for one in found).values(), default=0) > 1


def _names(entry: Entry, key: str) -> list[Name]:
    """Return the names by which the same work is known again; ``key`` are its title's letters."""
    names = [(one.scheme, one.value) for one in entry.identifiers]
    is_archived = not names or any(map(_is_strong, names))
    enough = UNMISTAKABLE if is_archived else UNMISTAKABLE_PAGE
    return [*names, ("title", key)] if len(key) >= enough else names


def _is_strong(name: Name) -> bool:
    return name[0] in STRONG_SCHEMES


def _kind(name: Name, entry: Entry, before: Entry) -> FindingKind | None:
    """Return what it is that two entries have this name; None where it is nothing."""
    one, other = entry.fields.title, before.fields.title
    if _is_part(entry, before) or (_holds_works(entry, before) and not _is_same(one, other)):
        return None
    if name[0] == "url" and not (_names_work(entry) and _names_work(before)):
        return None
    if name[0] == "url" and not _is_same(one, other):
        return "shared-address" if _is_of_one(name[1], one, other) else None
    if _is_strong(name) and are_different(one, other):
        return "shared-address"
    if entry.category != before.category:
        return "several-sections"
    is_on_purpose = name[0] != "title" and _are_accounts(entry, before)
    return None if is_on_purpose else "duplicate"


def _names_work(entry: Entry) -> bool:
    """Whether a title tells what is at an address: it is the link, and no number, or it is long."""
    title = entry.fields.title
    is_linked = entry.anatomy.title_link is not None and any(map(str.isalpha, title))
    return is_linked or is_telling(title_key(title))


def _is_part(entry: Entry, before: Entry) -> bool:
    return before.span[0] <= entry.span[0] < before.span[1]


def _holds_works(entry: Entry, before: Entry) -> bool:
    """Whether one of them is a block with a summary: all links in it are taken for its own."""
    return "details" in (entry.shape, before.shape)


def _is_same(one: str, other: str) -> bool:
    """Whether two titles of one page are one, and name it: ``Code`` names nothing."""
    keys = title_key(one), title_key(other)
    return keys[0] == keys[1] != "" and role_word(one) is None


def are_different(one: str, other: str) -> bool:
    """Return whether two titles are of different works for sure: a name of a word or two may be any
    work's."""
    if min(len(_words(one)), len(_words(other))) < 3:
        return False
    from rapidfuzz import fuzz

    numbers = _numbers(one), _numbers(other)
    if all(numbers) and numbers[0].isdisjoint(numbers[1]):
        return True
    keys = title_key(one), title_key(other)
    words = " ".join(_words(one)), " ".join(_words(other))
    return max(fuzz.partial_ratio(*keys), fuzz.token_set_ratio(*words)) < ALIKE


def _is_of_one(url: str, one: str, other: str) -> bool:
    """Whether an address has the words of one of two titles, and not those of the other."""
    words = set(_words(unquote(url.partition("://")[2].partition("/")[2])))
    return _is_own(one, words) != _is_own(other, words)


def _is_own(title: str, words: set[str]) -> bool:
    own = _words(title)
    has_numbers = _numbers(title) <= words
    return has_numbers and len(own) >= 3 and len(words.intersection(own)) >= OWN_WORDS * len(own)


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _numbers(title: str) -> set[str]:
    """The numbers of a title that tell works apart: not those of a year."""
    return {word for word in _words(title) if word.isdecimal() and len(word) < 4}


def _are_accounts(entry: Entry, before: Entry) -> bool:
    """Whether two entries tell of one work on purpose: in two videos, two posts, two programs."""
    urls = [(_urls_of(entry, role), _urls_of(before, role)) for role in _ACCOUNTS]
    return any(ours and theirs and ours.isdisjoint(theirs) for ours, theirs in urls)


def _urls_of(entry: Entry, role: LinkRole) -> set[str]:
    return {link.url for link in entry.fields.links if link.role == role}


def _finding(entry: Entry, before: Entry, name: Name, several: AbstractSet[int]) -> Finding | None:
    kind = _kind(name, entry, before)
    if kind == "duplicate" and not several.isdisjoint({entry.line, before.line}):
        # A row that holds several works is a section of its own.
        kind = None if entry.line == before.line else "several-sections"
    return None if kind is None else _told(entry, before, name, kind)


def _told(entry: Entry, before: Entry, name: Name, kind: FindingKind) -> Finding:
    place = f"line {before.line}"
    if kind == "shared-address":
        message = f"has the same address as {quoted(before)} in {place}."
    elif kind == "duplicate":
        message = f"is in {place} already, in the same section{_alias(entry, before)}."
    elif entry.category == before.category:
        message = f"is in {place} too{_alias(entry, before)}, in another row."
    else:
        paths = " and ".join(" / ".join(path) or "no section" for path in _paths(before, entry))
        message = f"is in {place} too{_alias(entry, before)}: it is listed under {shorten(paths)}."
    return Finding(entry.line, kind, f"{quoted(entry)} {message}", ":".join(name), before.line)


def _alias(entry: Entry, before: Entry) -> str:
    """Return what the other entry calls the work, where that is something else."""
    keys = title_key(entry.fields.title), title_key(before.fields.title)
    return "" if keys[0] in keys[1] or keys[1] in keys[0] else f", as {quoted(before)}"


def _paths(*entries: Entry) -> list[tuple[str, ...]]:
    """Return the categories of the entries without what all of them start with."""
    paths = [entry.category for entry in entries]
    while all(len(path) > 1 for path in paths) and len({path[0] for path in paths}) == 1:
        paths = [path[1:] for path in paths]
    return paths
