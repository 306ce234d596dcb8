"""Check a document: repeated works, dates, missing links, ragged rows, references.

Start with ``check_document``. An identifier of an archive belongs to one work. An address may not:
a repository contains several works, and a conference has one page. So a shared address is reported
only for entries with the same title, or if it contains the words of exactly one of the titles.

This module also lists the local files that a document links to. Links in code and comments are
ignored, because the rendered page does not show them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from papertrack.documents.markdown.check.findings import Finding, FindingKind, read_accepted
from papertrack.documents.markdown.grammar.likeness import is_title_case, title_likeness
from papertrack.documents.markdown.kept_tables import without_tables
from papertrack.documents.markdown.model import Definition, Document, Entry, Lines, by_group
from papertrack.documents.markdown.read.tables import split_row
from papertrack.documents.markdown.roles import STRONG_SCHEMES, role_word, strong_identifier
from papertrack.documents.markdown.syntax import (
    Block,
    Inline,
    Syntax,
    by_label,
    is_comment,
    normalise_label,
    parse_syntax,
    plain,
    walk,
)
from papertrack.documents.markdown.values import Span, blanked
from papertrack.identifiers import arxiv_month, parse_arxiv_id
from papertrack.identifiers.derived import is_telling
from papertrack.records import LinkRole
from papertrack.text import fold, shorten, title_key


def check_document(document: Document, before: Document | None = None) -> tuple[Finding, ...]:
    """Return the problems in a document, sorted by line, without duplicates.

    ``before`` is an older version. If two entries are about one work, the finding is at the one
    that is new. Findings that the document accepts are left out.
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
    for marker in without_tables(document.text)[1]:
        yield Finding(marker.line, "not-read", marker.reason, marker.text)
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

    If the heading is only a date, the one above it counts. Headings with other words are subjects:
    *Citation Prediction*.
    """
    names = [name for name in path[-2:] if any(map(str.isalpha, name))]
    others, count = _OF_THE_LIST.subn(" ", names[-1] if names else "")
    return bool(count) and len(_WORD.findall(others)) <= len(_FILLING.findall(others)) + 1


def quoted(entry: Entry) -> str:
    """Return an entry's title as shown in messages."""
    return f"“{shorten(entry.fields.title, 80)}”"


SURE_SHARE = 0.8
"""The share of other entries that must have something before its absence is an error."""
SURE_OF_LATER = 0.95
"""The same for a date after the id's month, which may be the date of publication."""
LEAST_OTHERS = 3
"""How many other items of a list must have a link. Rows of a table need fewer, because they are
certainly entries."""
FEW_ROWS = 4
"""In a table of at most this many rows, half of them must have a link."""
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
    """An entry with a date, and how many months its date is after its arXiv id's."""

    entry: Entry
    date: str
    arxiv_id: str
    months: int

    @property
    def is_precise(self) -> bool:
        """Whether the date has a month."""
        return len(self.date) > 4

    def contradicts(self, share: float) -> bool:
        """Return whether the date is wrong, given the share of other dates that match their ids.

        A model or a talk may precede its paper by weeks, and a publication may follow long after
        it. A later date may be that of a later version, if a link names one.
        """
        fields = self.entry.fields
        if not self.is_precise or share < SURE_SHARE:
            return self.months < -12
        ids = (parse_arxiv_id(link.url) for link in fields.links)
        is_of_version = any((arxiv.version or 1) > 1 for arxiv in filter(None, ids))
        is_later = self.months > 1 and share >= SURE_OF_LATER and not fields.venue
        return self.months < -2 or (is_later and not is_of_version)


def wrong_dates(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Report dates that contradict the arXiv id of their entry.

    If nearly all dates are the month of the id, other dates are wrong. Otherwise, a date may be
    that of a publication, talk or video, and is wrong only if it is more than a year before the id.
    An id may be from the month after the submission.
    """
    dated = [(item, abs(item.months) <= 1) for item in _dated(entries)]
    precise = [is_near for item, is_near in dated if item.is_precise]
    agreeing = sum(precise)
    for item, is_near in dated:
        others = max(len(precise) - item.is_precise, 1)
        if item.contradicts((agreeing - is_near) / others):
            message = f"{quoted(item.entry)} is dated {item.date}, but "
            message += f"{item.arxiv_id} was submitted in {arxiv_month(item.arxiv_id)}."
            yield Finding(item.entry.line, "date", message, f"arxiv:{item.arxiv_id}")


def _dated(entries: Sequence[Entry]) -> Iterator[_Dated]:
    """Yield the entries that have a date and an arXiv id."""
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
    """Report entries without a link, where other entries have links.

    Entries whose link is announced for later are left out.
    """
    leads = Counter(match[1] for match in _LEAD.finditer(document.text))
    for group in by_group(entries).values():
        without = [entry for entry in group if not entry.anatomy.links]
        for entry in without if _should_have_links(group, len(without)) else ():
            if _needs_link(document, entry, leads):
                about = f"title:{title_key(entry.fields.title)}"
                yield Finding(entry.line, "no-link", f"{quoted(entry)} has no link.", about)


def _should_have_links(group: Sequence[Entry], without: int) -> bool:
    """Return whether enough entries of a group have links."""
    others = len(group) - without
    if group[0].anatomy.table is not None and len(group) <= FEW_ROWS:
        return without <= others
    return others >= LEAST_OTHERS and others >= len(group) * SURE_SHARE


def _needs_link(document: Document, entry: Entry, leads: Counter[str]) -> bool:
    """Return whether an entry ought to have a link of its own.

    It must not be a detail that many entries have, a heading for the rows or lists below it, or
    announced for later. A row with text in several cells always names a work.
    """
    text = document.text[slice(*entry.span)]
    lead = _LEAD.match(text)
    is_detail = lead is not None and leads[lead[1]] >= _COMMON_LEAD
    if is_detail or text.rstrip().endswith((":", "：")) or _NOT_YET.search(text):
        return False
    if entry.anatomy.table is None:
        return _reads_like_title(entry.fields.title) and not _is_above_others(document, entry)
    return sum(document.text[slice(*cell)].strip(" -") != "" for cell in entry.anatomy.cells) > 1


def _reads_like_title(title: str) -> bool:
    """Return whether an item has the title of a work rather than a sentence."""
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
    """Report rows with more or fewer cells than their table has columns.

    If most rows agree with each other but not with the header, the header is reported. A row with
    text only in its first cell is a divider. GFM hides cells beyond the last column.
    """
    spans = [lines.line_span(number) for number in range(table.first, table.end)]
    header, _, *rows = (split_row(lines.text, *span) for span in spans)
    wanted = len(header)

    def finding(number: int, width: int, message: str) -> Finding:
        hidden = " What is right of the last column is not shown." if width > wanted else ""
        shown = shorten(plain(lines.text[slice(*spans[number])]).replace("|", " "), 120)
        return Finding(table.first + number + 1, "ragged-row", message + hidden, shown)

    ((common, count),) = Counter(map(len, rows)).most_common(1) or [(0, 0)]
    if common != wanted and count > 1 and count * 2 > len(rows):
        message = f"The header has {wanted} cells, but {count} of {len(rows)} rows have {common}."
        yield finding(0, common, message)
        wanted = common
    for number, cells in enumerate(rows, start=2):
        if len(cells) != wanted and not _is_divider(lines, spans[number], cells):
            message = f"The row has {len(cells)} cells, but its table has {wanted} columns."
            yield finding(number, len(cells), message)


def _is_divider(lines: Lines, row: Span, cells: Sequence[Span]) -> bool:
    """Return whether a row introduces the rows below it: text in its first cell only, no links.

    A paragraph directly below the table has no pipe and is not a divider.
    """
    text = lines.text[slice(*row)]
    filled = [cell for cell in cells if lines.text[slice(*cell)].strip()]
    return filled == [*cells[:1]] and "|" in text and "](" not in text and "://" not in text


UNMISTAKABLE = 25
"""How many letters equal titles need to show that two entries are one work.

Different identifiers do not matter then.
"""
UNMISTAKABLE_PAGE = 40
"""The same for entries with only an address: many posts are *Introduction to Machine Learning*."""
NAVIGATION = 3
"""How often one title may link to one address before it is navigation."""
ALIKE = 70
"""The similarity, in percent, from which two titles may be spellings of one.

It is low, because missing a finding is better than a wrong one.
"""
OWN_WORDS = 0.8
"""The share of a title's words that an address must contain to belong to it."""
_ACCOUNTS: tuple[LinkRole, ...] = ("video", "slides", "post", "note", "translation", "code", "demo")
"""Roles of links about a work, for which a list may have several entries."""

Name = tuple[str, str]
"""Scheme and value of an identifier. With the scheme ``title``, the letters of a title."""


def repeated_works(
    document: Document, entries: Sequence[Entry], before: Document | None
) -> Iterator[Finding]:
    """Report each entry whose work or address another entry has too.

    ``before`` is an older version. Entries that it contains count as first, wherever they are.
    """
    if before is not None:
        old = {before.text[slice(*entry.span)].strip() for entry in before.entries}
        entries = sorted(entries, key=lambda e: document.text[slice(*e.span)].strip() not in old)
    first: dict[Name, Entry] = {}
    rows = _rows_of_several(document)
    for entry, names in _with_names(entries):
        findings = (_repeated(entry, first[name], name, rows) for name in names if name in first)
        yield from [*filter(None, findings)][:1]
        for name in names:
            first.setdefault(name, entry)


def _with_names(entries: Sequence[Entry]) -> Iterator[tuple[Entry, list[Name]]]:
    """Yield the entries with the names that identify their works.

    An address that one title repeats often is navigation and left out.
    """
    keyed = [(entry, title_key(entry.fields.title)) for entry in entries]
    often = Counter((key, name) for entry, key in keyed for name in _names(entry, key))
    for entry, key in keyed:
        names = _names(entry, key)
        yield (
            entry,
            [name for name in names if name[0] in STRONG_SCHEMES or often[key, name] <= NAVIGATION],
        )


def _rows_of_several(document: Document) -> set[int]:
    """Return the lines of rows that contain several works."""
    times = Counter(entry.line for entry in document.entries)
    rows = (entry for entry in document.entries if entry.anatomy.table is not None)
    return {entry.line for entry in rows if times[entry.line] > 1 or _links_several(entry)}


def _links_several(entry: Entry) -> bool:
    """Return whether an entry links to several papers with identifiers of one scheme."""
    urls = {link.url for link in entry.anatomy.links if link.role == "paper"}
    if len(urls) < 2:
        return False
    identifiers = filter(None, {strong_identifier(url) for url in urls})
    return max(Counter(identifier.scheme for identifier in identifiers).values(), default=0) > 1


def _names(entry: Entry, key: str) -> list[Name]:
    """Return the names that identify an entry's work. ``key`` is the letters of its title."""
    names = [(identifier.scheme, identifier.value) for identifier in entry.identifiers]
    is_archived = not names or any(scheme in STRONG_SCHEMES for scheme, _ in names)
    enough = UNMISTAKABLE if is_archived else UNMISTAKABLE_PAGE
    return [*names, ("title", key)] if len(key) >= enough else names


def _kind(name: Name, entry: Entry, before: Entry) -> FindingKind | None:
    """Return the kind of finding for two entries that share a name, or None.

    None if one is part of the other, or is a ``<details>``, whose links may be about other works.
    """
    title, other = entry.fields.title, before.fields.title
    is_same, is_fold = _is_same(title, other), "details" in (entry.shape, before.shape)
    if before.span[0] <= entry.span[0] < before.span[1] or (is_fold and not is_same):
        return None
    if name[0] == "url" and not all(map(_names_work, (entry, before))):
        return None
    if name[0] == "url" and not is_same:
        return "shared-address" if _is_address_of_one(name[1], title, other) else None
    if name[0] in STRONG_SCHEMES and are_different(title, other):
        return "shared-address"
    if entry.category != before.category:
        return "several-sections"
    # Two entries may link different videos, posts or programs about one work.
    urls = (
        [{link.url for link in item.fields.links if link.role == role} for item in (entry, before)]
        for role in _ACCOUNTS
    )
    are_accounts = any(ours and theirs and ours.isdisjoint(theirs) for ours, theirs in urls)
    return None if are_accounts and name[0] != "title" else "duplicate"


def _names_work(entry: Entry) -> bool:
    """Return whether an entry's title describes what is at its address.

    It is a link's label and not a number, or it is long.
    """
    title = entry.fields.title
    is_linked = entry.anatomy.title_link is not None and any(map(str.isalpha, title))
    return is_linked or is_telling(title_key(title))


def _is_same(title: str, other: str) -> bool:
    """Return whether two titles are equal and name a work, unlike ``Code``."""
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


def _is_address_of_one(url: str, title: str, other: str) -> bool:
    """Return whether an address contains the words of exactly one of two titles."""
    words = set(_words(unquote(url.partition("://")[2].partition("/")[2])))
    owns = [(_words(item), _numbers(item)) for item in (title, other)]
    first, second = (
        numbers <= words and len(own) >= 3 and len(words.intersection(own)) >= OWN_WORDS * len(own)
        for own, numbers in owns
    )
    return first != second


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _numbers(title: str) -> set[str]:
    """Return the numbers in a title that distinguish works, without years."""
    return {word for word in _words(title) if word.isdecimal() and len(word) < 4}


def _repeated(entry: Entry, before: Entry, name: Name, rows: AbstractSet[int]) -> Finding | None:
    """Return the finding for two entries that share a name, or None.

    Works in different rows count as being in different sections if their rows list several works.
    """
    kind = _kind(name, entry, before)
    if kind == "duplicate" and not rows.isdisjoint({entry.line, before.line}):
        kind = None if entry.line == before.line else "several-sections"
    if kind is None:
        return None
    place, alias = f"line {before.line}", _alias(entry, before)
    if kind == "shared-address":
        message = f"has the same address as {quoted(before)} in {place}."
    elif kind == "duplicate":
        message = f"is in {place} already, in the same section{alias}."
    elif entry.category == before.category:
        message = f"is in {place} too{alias}, in another row."
    else:
        paths = " and ".join(" / ".join(path) or "no section" for path in _paths(before, entry))
        message = f"is in {place} too{alias}: it is listed under {shorten(paths)}."
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


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of running text: a row, a heading, a paragraph, or an item's own lines."""

    block: Block
    start: int
    inline: Inline
    """Its links and other markup."""
    visible: str
    """Its text with code and comments blanked. Offsets are unchanged."""


def running_text(syntax: Syntax) -> Iterator[Stretch]:
    """Yield the stretches of running text in order."""
    for block in walk(syntax.blocks):
        for span in _spans(syntax, block):
            inline = syntax.inline(span)
            visible = blanked(syntax.text, span, [*inline.codes, *inline.hidden])
            yield Stretch(block, span[0], inline, visible)


def _spans(syntax: Syntax, block: Block) -> list[Span]:
    """Return the spans of running text in a block; one for each row of a table."""
    if block.kind == "table":
        return [syntax.line_span(number) for number in range(block.first, block.end)]
    is_text = block.kind in ("heading", "paragraph", "html") and not is_comment(syntax, block)
    return [(block.start, syntax.ends[block.end - 1])] if is_text else []


_BROKEN = re.compile(r"[^A-Za-z0-9/?#.]{1,9}[A-Za-z][A-Za-z0-9+.-]{0,19}://")
"""The start of an address with text pasted before its scheme."""


def check_links(document: Document, stretches: Sequence[Stretch]) -> Iterator[Finding]:
    """Report links without address or text, and addresses that no browser can open.

    A badge without an address (``[![arXiv](…)]()``) is a placeholder and not reported.
    """
    for link in chain.from_iterable(stretch.inline.links for stretch in stretches):
        text = document.text[slice(*link.label_span)].strip()
        line, url = document.line_of(link.span[0]), shorten(link.url, 80)
        link_text = f"The link “{shorten(text, 80)}”"
        is_written = link.form in ("inline", "reference")
        if link.form == "inline" and not link.url and not link.is_badge:
            yield Finding(line, "empty-link", f"{link_text} has no address.", text)
        elif is_written and not text and not link.url.startswith("#"):
            message = f"The link to {url} has no text: it cannot be seen."
            yield Finding(line, "empty-link", message, link.url)
        if _BROKEN.match(link.url):
            message = f"{link_text} leads nowhere: {url} is not an address."
            message += " What is the text before the scheme?"
            yield Finding(line, "broken-address", message, link.url)


_LABEL = re.compile(r"\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\](?!:)", re.DOTALL)
_REFERENCE = re.compile(r"\]\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\](?!\()", re.DOTALL)
_NOT_FOR_LINKS = re.compile(r"\^|//$|#$|comment$")
"""Labels of footnotes, and labels that people use for comments: ``[//]: # (text)``."""


def check_references(document: Document, stretches: Sequence[Stretch]) -> Iterator[Finding]:
    """Report undefined references, and definitions that are repeated or unused.

    A shortcut reference (``[text]`` alone) is not reported, because it may be only brackets.
    """

    def finding(definition: Definition, kind: FindingKind, fault: str) -> Finding:
        label, line = definition.label, definition.line + 1
        return Finding(line, kind, f"[{label}] {fault}", normalise_label(label))

    first = by_label(document.definitions)
    blocks = (stretch.block for stretch in stretches if stretch.block.kind == "paragraph")
    paragraphs = set(chain.from_iterable(range(block.first, block.end) for block in blocks))
    for definition in document.definitions:
        before = first[normalise_label(definition.label)]
        if before.url != definition.url:
            fault = f"is defined in line {before.line + 1} already, as {shorten(before.url, 80)}, "
            yield finding(definition, "repeated-definition", f"{fault}which its links use.")
        elif definition.line in paragraphs:
            fault = "is shown as text: there must be a blank line between it and a paragraph."
            yield finding(definition, "undefined-reference", fault)
    yield from _undefined(document, stretches)
    # Labels in comments count as used, because rows may be commented out temporarily.
    used = set(map(normalise_label, _LABEL.findall(document.text)))
    for label, definition in first.items():
        if label not in used and not _NOT_FOR_LINKS.match(label):
            yield finding(definition, "unused-definition", "is defined, but no link uses it.")


def _undefined(document: Document, stretches: Sequence[Stretch]) -> Iterator[Finding]:
    """Report references without a definition.

    Lists also write tags in adjacent brackets: ``[ICML][Oral]``. Pictures and small numbers always
    count as references. Others do only if most of the document's labels in words are defined.
    """
    prose = [stretch for stretch in stretches if stretch.block.kind != "html"]
    candidates = [candidate for stretch in prose for candidate in _candidates(stretch)]
    links = (link for stretch in prose for link in stretch.inline.links)
    labels = [item.reference for item in links if item.reference and item.reference != item.label]
    widths = {1, 2, 3} | {len(label) for label in labels if label.isdecimal()}
    names = sum(not label.isdecimal() for label in labels)
    has_names = names >= max(1, sum(not label.isdecimal() for _, label, _ in candidates))
    for offset, label, is_picture in candidates:
        if is_picture or (len(label) in widths if label.isdecimal() else has_names):
            message = f"[{shorten(label, 80)}] is not defined, so no link is shown."
            line = document.line_of(offset)
            yield Finding(line, "undefined-reference", message, normalise_label(label))


def _candidates(stretch: Stretch) -> Iterator[tuple[int, str, bool]]:
    """Yield pairs of brackets that may be undefined references: ``[text][label]``.

    Each comes with its offset, its label, and whether it is a picture. Labels of links are ignored.
    """
    definitions, links = stretch.inline.syntax.by_label, stretch.inline.links
    starts = [link.label_span[0] for link in links]
    for match in _REFERENCE.finditer(stretch.visible):
        label, offset = match["label"], stretch.start + match.start()
        at = bisect_right(starts, offset) - 1
        is_text_of_link = at >= 0 and offset < links[at].label_span[1]
        if is_text_of_link or normalise_label(label) in definitions or label.startswith("^"):
            continue
        opening = stretch.visible.rfind("[", max(match.start() - 1000, 0), match.start())
        before = stretch.visible[max(opening - 1, 0) : max(opening, 0)]
        text = stretch.visible[opening + 1 : match.start()]
        # Array indexes (x[i][j]) and adjacent citations ([1][2]) are not references.
        if not before.isalnum() and not (text.isdecimal() and label.isdecimal()):
            yield offset, label, before == "!"


_OF_THE_FORGE = re.compile(
    r"(?:\.\./){1,9}(?:issues|pulls?|wiki|discussions|releases|actions|projects|stargazers|network"
    r"|graphs|security|compare|commits?|blob|tree|raw|edit|new|milestones|labels|forks)(?:/|$)"
)
"""Relative links to pages of the repository on GitHub and similar sites."""


class LocalLink(NamedTuple):
    """A link to a file beside the document."""

    line: int
    path: str
    """The path relative to the document's folder, with ``/``."""
    is_note: bool
    """Whether it is an entry's link to a note."""


def local_links(document: Document) -> Iterator[LocalLink]:
    """Yield the links and pictures that point to files beside the document, in order.

    Paths from the root of a repository are left out, because the document does not show where the
    root is.
    """
    links = (link for entry in document.entries for link in entry.anatomy.links)
    notes = {link.span for link in links if link.role == "note"}
    for stretch in running_text(parse_syntax(document)):
        inline = stretch.inline
        urls = [(link.span, link.url) for link in inline.links]
        urls += [(span, url) for span, (_, url) in inline.pictures.items()]
        for span, url in sorted(urls):
            if path := _path_beside(url):
                yield LocalLink(document.line_of(span[0]), path, span in notes)


def _path_beside(url: str) -> str | None:
    """Return the path that an address has relative to the document's folder, or None."""
    if _BROKEN.match(url) or _OF_THE_FORGE.match(url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    is_elsewhere = parts.scheme or parts.netloc or parts.path.startswith(("/", "\\", "{", "<"))
    return None if is_elsewhere else unquote(parts.path)
