"""Check one document by itself: repeated works, dates, missing links, ragged rows.

Start with ``check_document``. An identifier of an archive belongs to one work. A mere address may
not: a repository holds several works, and a conference has one page. So a shared address counts
only for entries with the same title, or if its words are those of one of two titles.
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
    """Return the problems in a document, sorted by line, without duplicates.

    ``before`` is an older version. If two entries list one work, the finding is at the entry that
    is new since then. Findings that the document accepts are left out.
    """
    accepted = read_accepted(document)
    items = {
        item
        for item in _all_findings(document, before)
        if accepted.isdisjoint([(item.line, item.kind), (item.other_line or 0, item.kind)])
    }
    return tuple(sorted(items, key=lambda item: (item.line, item.kind, item.message)))


def _all_findings(document: Document, before: Document | None) -> Iterator[Finding]:
    syntax = parse_syntax(document)
    stretches = list(running_text(syntax))
    broken = [*check_links(document, stretches)]
    for table in (block for block in walk(syntax.blocks) if block.kind == "table"):
        broken += ragged_rows(document, table)
    lines = {item.line for item in broken}
    entries = listed(document)
    yield from broken
    yield from check_references(document, stretches)
    yield from repeated_works(document, entries, before)
    yield from wrong_dates(entries)
    yield from (item for item in entries_without_link(document, entries) if item.line not in lines)


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
    """Return the entries that list a work.

    Entries in sections such as news, contents and thanks are about the list itself.
    """
    return [entry for entry in document.entries if not _is_aside(entry.category)]


@lru_cache(maxsize=256)
def _is_aside(path: tuple[str, ...]) -> bool:
    """Return whether a section is about the list itself, by its heading.

    Below a mere date, the heading above counts. The heading must have one such word and little
    else: *Citation Prediction* is a subject.
    """
    named = [name for name in path[-2:] if any(map(str.isalpha, name))]
    others, count = _OF_THE_LIST.subn(" ", named[-1] if named else "")
    return bool(count) and len(_WORD.findall(others)) <= len(_FILLING.findall(others)) + 1


def quoted(entry: Entry) -> str:
    """Return an entry's title as shown in messages."""
    return f"“{shorten(entry.fields.title, 80)}”"


SURE_SHARE = 0.8
"""The share of the other entries that must have something before its lack is wrong."""
SURE_OF_LATER = 0.95
"""The same for a date after the id's, which may be the date of publication."""
LEAST_OTHERS = 3
"""How many other items of a list must have it. Rows of a table need fewer, as they are surely
entries."""
FEW_ROWS = 4
"""In a table of at most this many rows, half of the rows are enough."""
_NOT_YET = re.compile(
    r"(?<![^\W_])(?:todo|tbd|tba|tbc|wip|coming soon|to appear"
    r"|in progress|in preparation|unpublished)(?![^\W_])|待补|待更新|暂无|未公布|即将",
    re.IGNORECASE,
)
_LEAD = re.compile(r"(?m)^[\W_]{0,20}([^\W\d_][^\n:：]{0,30}[:：])")
"""The words before a colon at the start of a line: ``Keywords:``."""
_COMMON_LEAD = 3
_LIKE_TITLE = 0.6


class _Dated(NamedTuple):
    """An entry with its date, and how many months that is after its arXiv id's."""

    entry: Entry
    date: str
    arxiv_id: str
    months: int

    @property
    def is_precise(self) -> bool:
        """Whether it has more than a year."""
        return len(self.date) > 4

    @property
    def is_of_id(self) -> bool:
        return abs(self.months) <= 1

    def contradicts(self, share: float) -> bool:
        """Return whether the date is wrong, if this share of the others is the id's month.

        A model or a talk may precede its paper by weeks; a publication may follow long after it.
        """
        if not self.is_precise or share < SURE_SHARE:
            return self.months < -12
        is_later = self.months > 1 and share >= SURE_OF_LATER and not self.entry.fields.venue
        return self.months < -2 or (is_later and not self.is_of_later_version)

    @property
    def is_of_later_version(self) -> bool:
        """Whether a link names a later version, which the date may belong to."""
        ids = (parse_arxiv_id(link.url) for link in self.entry.fields.links)
        return self.months > 0 and any(arxiv and (arxiv.version or 1) > 1 for arxiv in ids)


def wrong_dates(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield dates that contradict the arXiv id of their entry.

    If nearly all dates are the id's month, other dates are wrong. Otherwise a date may be that of a
    publication, talk or video, so only one more than a year before the id's is wrong. An id's month
    may be the one after the submission.
    """
    dated = list(_dated(entries))
    precise = [item for item in dated if item.is_precise]
    agreeing = sum(item.is_of_id for item in precise)
    for item in dated:
        others = max(len(precise) - item.is_precise, 1)
        if item.contradicts((agreeing - item.is_of_id) / others):
            message = f"{quoted(item.entry)} is dated {item.date}, but "
            message += f"{item.arxiv_id} was submitted in {arxiv_month(item.arxiv_id)}."
            yield Finding(item.entry.line, "date", message, f"arxiv:{item.arxiv_id}")


def _dated(entries: Sequence[Entry]) -> Iterator[_Dated]:
    for entry in entries:
        date = entry.fields.date
        ids = [identifier.value for identifier in entry.identifiers if identifier.scheme == "arxiv"]
        if date and ids:
            months = _month_number(date) - _month_number(arxiv_month(ids[0]))
            yield _Dated(entry, date, ids[0], months)


def _month_number(date: str) -> int:
    """Number the month of a date. A year alone counts as its last month."""
    return int(date[:4]) * 12 + int(date[5:7] or 12)


def entries_without_link(document: Document, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield entries without a link among entries with links.

    Entries whose link is announced for later are left out.
    """
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
    """Return whether an entry ought to have a link of its own.

    It must not be a detail that many entries have, the head of rows or of a list below it, or
    announced for later. A row always names a work.
    """
    text = document.text[slice(*entry.span)]
    lead = _LEAD.match(text)
    is_detail = lead is not None and leads[lead[1]] >= _COMMON_LEAD
    if is_detail or text.rstrip().endswith((":", "：")) or _NOT_YET.search(text):
        return False
    if entry.anatomy.table is None:
        return _reads_like_one(entry.fields.title) and not _is_above_others(document, entry)
    return sum(document.text[slice(*cell)].strip(" -") != "" for cell in entry.anatomy.cells) > 1


def _reads_like_one(title: str) -> bool:
    """Return whether an item has a title of a work and is not a sentence."""
    is_word = title[:1].isalnum() or title[:1] in "“\"'‘「《"
    return is_word and title_likeness(title) > _LIKE_TITLE and is_title_case(title)


def _is_above_others(document: Document, entry: Entry) -> bool:
    """Return whether the next entry is part of this one, or indented more."""
    lines = [document.line(neighbour.line - 1) for neighbour in document.entries[entry.index :][:2]]
    indents = [len(line) - len(line.lstrip()) for line in lines]
    following = document.entries[entry.index + 1 : entry.index + 2]
    is_part = any(other.span[0] < entry.span[1] for other in following)
    return is_part or indents[-1] > indents[0]


def ragged_rows(lines: Lines, table: Block) -> Iterator[Finding]:
    """Yield rows whose number of cells differs from their table's.

    If most rows agree with each other but not with the header, the header is reported. A row with
    text in its first cell only is a divider, not an error.
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
    """Return whether a row introduces the rows below it: one text, and no links.

    A paragraph directly below the table has no pipe and is not a divider.
    """
    text = lines.text[slice(*row)]
    filled = [cell for cell in cells if lines.text[slice(*cell)].strip()]
    return filled == [*cells[:1]] and "|" in text and "](" not in text and "://" not in text


def _shown(lines: Lines, row: Span) -> str:
    return shorten(plain(lines.text[slice(*row)]).replace("|", " "), 120)


def _hidden(width: int, wanted: int) -> str:
    """Return a hint for wide rows: GFM hides cells beyond the table's columns."""
    return " What is right of the last column is not shown." if width > wanted else ""


UNMISTAKABLE = 25
"""How many letters a title needs, before an equal title means the same work.

The archives' ids do not matter then.
"""
UNMISTAKABLE_PAGE = 40
"""The same for mere addresses: many posts are *Introduction to Machine Learning*."""
NAVIGATION = 3
"""How often one title may link to one address before it counts as navigation."""
ALIKE = 70
"""From how many percent of similarity two titles count as spellings of one.

Too few matches are better than too many.
"""
OWN_WORDS = 0.8
"""The share of a title's words that an address must contain to belong to it."""
_ACCOUNTS: tuple[LinkRole, ...] = ("video", "slides", "post", "note", "translation", "code", "demo")
"""Roles that a list may have several entries for, all about one work."""

Name = tuple[str, str]
"""Scheme and value. With the scheme ``title``, the value is the title's letters."""


def repeated_works(
    document: Document, entries: Sequence[Entry], before: Document | None
) -> Iterator[Finding]:
    """Yield each entry whose work or address another entry has already.

    Entries that are in the older version come first, wherever they stand.
    """
    if before is not None:
        old = {before.text[slice(*entry.span)].strip() for entry in before.entries}
        entries = sorted(entries, key=lambda e: document.text[slice(*e.span)].strip() not in old)
    first: dict[Name, Entry] = {}
    several = _rows_of_several(document)
    for entry, names in _telling(entries):
        findings = (_finding(entry, first[name], name, several) for name in names if name in first)
        yield from [*filter(None, findings)][:1]
        for name in names:
            first.setdefault(name, entry)


def _telling(entries: Sequence[Entry]) -> Iterator[tuple[Entry, list[Name]]]:
    """Yield the entries with the names that identify the same work elsewhere.

    An address that one title repeats often is navigation and does not count.
    """
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
    identifiers = filter(None, {strong_identifier(url) for url in urls})
    return max(Counter(identifier.scheme for identifier in identifiers).values(), default=0) > 1


def _names(entry: Entry, key: str) -> list[Name]:
    """Return the names that identify an entry's work; ``key`` is its title's letters."""
    names = [(identifier.scheme, identifier.value) for identifier in entry.identifiers]
    is_archived = not names or any(map(_is_strong, names))
    enough = UNMISTAKABLE if is_archived else UNMISTAKABLE_PAGE
    return [*names, ("title", key)] if len(key) >= enough else names


def _is_strong(name: Name) -> bool:
    return name[0] in STRONG_SCHEMES


def _kind(name: Name, entry: Entry, before: Entry) -> FindingKind | None:
    """Return the kind of finding for two entries that share a name, or None."""
    title, other = entry.fields.title, before.fields.title
    if _is_part(entry, before) or (_holds_works(entry, before) and not _is_same(title, other)):
        return None
    if name[0] == "url" and not (_names_work(entry) and _names_work(before)):
        return None
    if name[0] == "url" and not _is_same(title, other):
        return "shared-address" if _is_of_one(name[1], title, other) else None
    if _is_strong(name) and are_different(title, other):
        return "shared-address"
    if entry.category != before.category:
        return "several-sections"
    is_on_purpose = name[0] != "title" and _are_accounts(entry, before)
    return None if is_on_purpose else "duplicate"


def _names_work(entry: Entry) -> bool:
    """Return whether an entry's title describes what is at its address.

    It does so if it is the link's text and not a number, or if it is long.
    """
    title = entry.fields.title
    is_linked = entry.anatomy.title_link is not None and any(map(str.isalpha, title))
    return is_linked or is_telling(title_key(title))


def _is_part(entry: Entry, before: Entry) -> bool:
    return before.span[0] <= entry.span[0] < before.span[1]


def _holds_works(entry: Entry, before: Entry) -> bool:
    """Return whether one entry is a fold, all of whose links count as its own."""
    return "details" in (entry.shape, before.shape)


def _is_same(title: str, other: str) -> bool:
    """Return whether two titles of one page are equal and name a work: ``Code`` does not."""
    keys = title_key(title), title_key(other)
    return keys[0] == keys[1] != "" and role_word(title) is None


def are_different(title: str, other: str) -> bool:
    """Return whether two titles certainly belong to different works.

    A title of one or two words may belong to any work.
    """
    if min(len(_words(title)), len(_words(other))) < 3:
        return False
    from rapidfuzz import fuzz

    numbers = _numbers(title), _numbers(other)
    if all(numbers) and numbers[0].isdisjoint(numbers[1]):
        return True
    keys = title_key(title), title_key(other)
    words = " ".join(_words(title)), " ".join(_words(other))
    return max(fuzz.partial_ratio(*keys), fuzz.token_set_ratio(*words)) < ALIKE


def _is_of_one(url: str, title: str, other: str) -> bool:
    """Return whether an address has the words of exactly one of two titles."""
    words = set(_words(unquote(url.partition("://")[2].partition("/")[2])))
    return _is_own(title, words) != _is_own(other, words)


def _is_own(title: str, words: set[str]) -> bool:
    own = _words(title)
    has_numbers = _numbers(title) <= words
    return has_numbers and len(own) >= 3 and len(words.intersection(own)) >= OWN_WORDS * len(own)


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _numbers(title: str) -> set[str]:
    """Return the numbers in a title that distinguish works; years do not."""
    return {word for word in _words(title) if word.isdecimal() and len(word) < 4}


def _are_accounts(entry: Entry, before: Entry) -> bool:
    """Return whether two entries list one work on purpose.

    They link different videos, posts or programs about it, for example.
    """
    urls = [(_urls_of(entry, role), _urls_of(before, role)) for role in _ACCOUNTS]
    return any(ours and theirs and ours.isdisjoint(theirs) for ours, theirs in urls)


def _urls_of(entry: Entry, role: LinkRole) -> set[str]:
    return {link.url for link in entry.fields.links if link.role == role}


def _finding(entry: Entry, before: Entry, name: Name, several: AbstractSet[int]) -> Finding | None:
    kind = _kind(name, entry, before)
    if kind == "duplicate" and not several.isdisjoint({entry.line, before.line}):
        # A row that holds several works is like a section.
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
    """Return the other entry's title for the work, if it differs."""
    keys = title_key(entry.fields.title), title_key(before.fields.title)
    return "" if keys[0] in keys[1] or keys[1] in keys[0] else f", as {quoted(before)}"


def _paths(*entries: Entry) -> list[tuple[str, ...]]:
    """Return the categories of the entries, without the part that all start with."""
    paths = [entry.category for entry in entries]
    while all(len(path) > 1 for path in paths) and len({path[0] for path in paths}) == 1:
        paths = [path[1:] for path in paths]
    return paths
