"""Decide which items without any link are entries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.markdown.grammar.likeness import is_title_case, title_likeness
from papertrack.documents.markdown.model import Entry, PlacedLink
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.syntax import Block
from papertrack.documents.markdown.values import most_common
from papertrack.records import Kind

OF_NO_LINK = "It reads like a title, but has no link, and no heading above it mentions papers."
OF_PAGES = "It links to a place on another page, like a table of contents."
_LIKELY = 0.65
_FEW = 3
_PAPERS = re.compile(r"\bpapers?\b|\bto[- ]?read\b|\breading list\b|论文|文献", re.IGNORECASE)
_OF_NEWS = (
    r"(?:news|updates?|what['’]?s new|change[ ]?log|announcements?|neuigkeiten|actualités|noticias)"
)
_NEWS = re.compile(
    rf"\W*+(?:(?:latest|recent|our) )?{_OF_NEWS}(?:[ ,/|&+]+(?:(?:and|latest|recent) )?{_OF_NEWS})*"
    r"(?: (?:log|history|in|of|from))?[\W\d]*"
    r"|\W*+(?=.*(?:新闻|动态|更新|公告|消息))(?:最新|近期|新闻|动态|更新|公告|消息|日志|记录|历史|说明|[与和及])+[\W\d]*"
    r"|\W*+(?:お知らせ|更新履歴)[\W\d]*",
    re.IGNORECASE,
)
"""Headings for news, whose lines without links are not works.

They have no other words: *News Recommendation* and 动态规划 are subjects.
"""
_MAY_BE_PAGE = re.compile(r"\.(?:md|markdown|html?)#", re.IGNORECASE)
_OF_PAGE = re.compile(r"(?!\w+://)[^\s?#]+\.(?:md|markdown|html?)#\S+", re.IGNORECASE)
_COUNTED = re.compile(
    r"[*_\s]*[(（\[](?:(?!(?:19|20)[0-9]{2}[)）\]])[0-9]{1,5}"
    r"|[0-9]{1,5} ?(?:papers?|works?|篇|本|편))[)）\]]"
)
_BEFORE = re.compile(r"[\s*_]*")
_CONTENTS = re.compile("contents|quick links|navigation|目录|目次|目錄|목차", re.IGNORECASE)
_TITLE = re.compile(
    r"(?=.{12,250}$)(?=[^a-z])(?:\S+\s+){2,}\S*[^:：]|(?=.{8,250}$).*[\u4e00-\u9fff].*[^:：]"
)
_PROMISE = re.compile(
    r"(?:coming soon|more to come|stay tuned|work in progress|under construction|wip|tb[acd]|todo"
    r"|(?:more )?to be (?:added|announced|continued|updated|filled|done)|待(?:更新|补充|续|完善|定)"
    r"|未完待续|更新中|敬请期待|持续更新|近日公開|準備中|工事中|folgt(?: bald)?"
    r"|à venir|bientôt|próximamente"
    r"|cancell?ed|postponed|no (?:meeting|class|seminar|session)|holidays?|(?:spring|fall) break"
    r"|休[み会講]|中止|取消|放假|휴강|fällt aus|entfällt|ausgefallen|annulée?|cancelad[oa])",
    re.IGNORECASE,
)


def linkless_entries(
    path: Sequence[str], document: str, kinds: Sequence[Kind], linkless: Sequence[Entry]
) -> list[Entry]:
    """Return the items of a list without a link that are entries.

    They are boxes to tick, titles under a heading that mentions papers, or, except in news, a
    minority among items with links. ``kinds`` are the kinds of those. ``document`` is the title of
    a document without any link, which may mention papers.
    """
    are_news = bool(path) and _NEWS.fullmatch(path[-1]) is not None
    says_papers = any(map(_PAPERS.search, (document, *path))) and not are_news
    are_titles = not kinds and (
        _are_titles(path, linkless) or (says_papers and look_like_titles(linkless))
    )
    are_all = are_titles or (len(kinds) > len(linkless) and not are_news)
    kind: Kind | None = "paper" if are_titles else most_common(kinds)
    return [
        replace(entry, fields=replace(entry.fields, kind=kind or entry.fields.kind))
        for entry in linkless
        if (are_all or _has_box(entry)) and not _is_promise(entry.fields.title)
    ]


def is_contents(context: Context, items: Sequence[Block], path: Sequence[str]) -> bool:
    """Return whether a list is a table of contents of other pages.

    All its links lead to headings there, and its own heading, or counts of papers, show that they
    are not titles.
    """
    links = [_links_of(context, item) for item in items]
    all_links = [link for links_of_item in links for link in links_of_item]
    if not all(links) or not all(_OF_PAGE.fullmatch(link.url) for link in all_links):
        return False
    counted = sum(_COUNTED.match(context.text, link.span[1]) is not None for link in all_links)
    says_so = bool(path) and _CONTENTS.search(path[-1]) is not None
    return bool(all_links) and (says_so or counted * 2 >= len(all_links))


def _links_of(context: Context, item: Block) -> Sequence[PlacedLink]:
    """Return the links of an item that starts with a link to another page; else none."""
    span = item.start, context.ends[item.end - 1]
    links = context.links_in(span) if _MAY_BE_PAGE.search(context.text, *span) else ()
    is_first = links and _BEFORE.fullmatch(context.text, span[0], links[0].span[0])
    return links if is_first else ()


def look_like_titles(entries: Sequence[Entry]) -> bool:
    """Return whether nearly all of several items read like titles of works."""
    alike = sum(reads_like_title(entry.fields.title) for entry in entries)
    return len(entries) >= _FEW and alike * 5 >= len(entries) * 4


def reads_like_title(words: str) -> bool:
    """Return whether words read like a title: capitalized, and not a sentence."""
    is_likely = title_likeness(words) >= _LIKELY and is_title_case(words)
    return is_likely and any(map(str.isupper, words))


def titles_among(entries: Sequence[Entry], *, has_works: bool) -> list[Entry]:
    """Return items that were not taken as entries but may be works.

    If nearly all look like titles, all are returned. Beside works, only those that look like titles
    are.
    """
    if look_like_titles(entries):
        return list(entries)
    return [entry for entry in entries if has_works and reads_like_title(entry.fields.title)]


def _are_titles(path: Sequence[str], entries: Sequence[Entry]) -> bool:
    """Return whether items without links are titles, below a heading that mentions papers."""
    looking = sum(_TITLE.fullmatch(entry.fields.title) is not None for entry in entries)
    return bool(path and _PAPERS.search(path[-1])) and looking * 5 >= len(entries) * 4 > 0


def _has_box(entry: Entry) -> bool:
    mark = entry.anatomy.mark
    return mark is not None and mark.kind.is_slot


def _is_promise(title: str) -> bool:
    """Return whether words without a link only announce something: ``coming soon``."""
    return _PROMISE.fullmatch(title.strip(" .…!()[]*_。！（）~")) is not None
