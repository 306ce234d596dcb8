"""Decide which items without links are entries, and report what else a README contains.

The reports are about lines on the list itself, templates, works mentioned in prose, and marks that
are not understood, with line numbers. Nothing is dropped silently.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from papertrack.documents.markdown.grammar.likeness import (
    is_name,
    is_title_case,
    title_likeness,
    words_of,
)
from papertrack.documents.markdown.link_labels import site_named
from papertrack.documents.markdown.marks.vocabulary import CIRCLES
from papertrack.documents.markdown.model import (
    Entry,
    Lines,
    Mention,
    PlacedLink,
    Table,
    Unit,
    by_group,
)
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.tables import content_span
from papertrack.documents.markdown.roles import (
    STRONG_SCHEMES,
    is_local_pdf,
    role_word,
    strong_identifier,
)
from papertrack.documents.markdown.syntax import Block, front_matter_end, plain
from papertrack.documents.markdown.values import MEDAL, NOTHING, STAR, most_common
from papertrack.matching.venues import venue_year
from papertrack.records import Identifier, Kind, Skipped
from papertrack.text import shorten

OF_TEMPLATE = "This line comes from a site template: no work has such a title."
# ``{{BERT}: Deep Networks}`` has braces of BibTeX instead.
_PLACEHOLDER = re.compile(
    r"\{\{-?[ ]?[a-z_]\w*(?:\.\w+)+[^{}]{0,200}\}\}|\{\{-?[ ][^{}]{1,200}[ ]-?\}\}"
    r"|\{%[^{}]{1,200}%\}",
    re.IGNORECASE,
)


def is_placeholder(entry: Entry) -> bool:
    """Return whether a title is a placeholder of Liquid, Jinja or Handlebars.

    An entry with a registered identifier is a work, whatever its title.
    """
    is_known = any(identifier.scheme in STRONG_SCHEMES for identifier in entry.identifiers)
    return not is_known and _PLACEHOLDER.search(entry.fields.title) is not None


OF_LIST = "This line is about the list, not about a work."
_ADDRESS = re.compile(
    r"https?://(?:www\.)?(?:"
    r"(?:github|gitlab|gitee)\.com/[^/?#]+/[^/?#]+/(?:-/)?"
    r"(?:issues|pulls|merge_requests|compare|fork|stargazers|network/members|edit|discussions"
    r"|graphs/contributors)(?:/new\b.*)?/?(?:[?#].*)?"
    r"|(?:twitter|x)\.com/(?:intent/.*|share\b.*)|(?:facebook\.com|linkedin\.com)/share.*"
    r"|reddit\.com/submit\b.*|service\.weibo\.com/share\b.*|news\.ycombinator\.com/submitlink\b.*)"
    r"|(?:(?:https?://(?:www\.|raw\.)?(?:github|gitlab|gitee|githubusercontent)\.com/|(?!\w+:|//))"
    r"[^\s?#]*/)?(?:contributing|code_of_conduct|licen[cs]e)(?:\.(?:md|txt|rst))?(?:#.*)?"
    r"|(?:\.\./)+(?:issues|pulls|compare|fork|edit)\b.*",
    re.IGNORECASE,
)
_BY = re.compile(
    r"(?:(?:\w{2,12}ed|made|built|written|kept)(?:,? (?:and|&) \w{2,12})?,? by"
    r"|(?:gepflegt|erstellt|gesammelt) von|(?:maintenue?|créée?) par|(?:mantenid|cread)[oa] por"
    r"|author|maintainer|curator|contributor|作者|维护者|贡献者|メンテナ|著者)s?[ ]?[:：]?",
    re.IGNORECASE,
)
"""Words before the names of people who maintain a list: ``Contributed by [Ann Bee](…)``."""
_FEW_WORDS = 4
_LIKE_A_TITLE = 0.6
_VERBS = frozenset(
    "follow join find share discuss connect contact chat subscribe reach visit folge folgt suivez "
    "síguenos seguici".split()
)
_PRONOUNS = frozenset("us me them you uns mir nous moi".split())
"""Words that, like the verbs above, show that a line points to somebody's profile.

The verbs must be followed by lower case: ``Machine Learning on [Coursera](…)`` is no such line.
"""
_BEFORE_TITLE = re.compile(r".*[:：—–\-\"“][\s*_\"“\[(]*", re.DOTALL)


def is_upkeep(text: str, unit: Unit) -> bool:
    """Return whether an item or a paragraph is about the list itself.

    All its links lead to where the list is maintained or shared, or its text only names its
    maintainers or their profiles.
    """
    links = [link for link in unit.links if not link.is_badge]
    if not links or all(_ADDRESS.fullmatch(link.url) for link in links):
        return bool(links)
    if any(strong_identifier(link.url) for link in links):
        return False
    before = plain(text[unit.anatomy.body[0] : links[0].span[0]]).strip(" -–—*_[(")
    is_by = _BY.fullmatch(before) is not None and not _leads_to_works(text, links)
    return is_by or _points_to_profile(before, links[0])


def _leads_to_works(text: str, links: Sequence[PlacedLink]) -> bool:
    """Return whether links after the first one lead to works.

    Example: ``Written by [Ann Bee](…): [A Title](…)``.
    """
    return any(
        _BEFORE_TITLE.fullmatch(text, max(link.span[1], other.span[0] - 200), other.span[0])
        or (title_likeness(other.label) > _LIKE_A_TITLE and not is_name(other.label))
        for link, other in pairwise(links)
    )


def _points_to_profile(before: str, link: PlacedLink) -> bool:
    """Return whether a few words only point to a profile: ``Follow us on [Mastodon](…)``."""
    words = before.split()
    if not 0 < len(words) <= _FEW_WORDS or words[-1] not in ("on", "at", "via", "auf", "sur"):
        return False
    is_call = words[0].casefold() in _VERBS and all(map(str.islower, words[1:]))
    if not is_call and _PRONOUNS.isdisjoint(words):
        return False
    is_of_work = role_word(link.label) not in (None, "other")
    return not is_of_work and site_named(link.label, link.url) is not None


_FOOTNOTE = re.compile(r"[ \t>]*\[\^[^\[\]\s]{1,60}\]:")
_WORD_BEFORE = re.compile(r"\b[a-z]{2,}[ \r\n]+[*_]{0,2}\Z")
_WORD_BEHIND = re.compile(r"[*_]{0,2},?[ \r\n]+(?:[a-z]{2,})\b")
_FEW = 12
"""How many words outside of links a paragraph of prose has at least."""


def is_in_passing(text: str, unit: Unit) -> bool:
    """Return whether a paragraph is a footnote, or prose that only mentions the linked works.

    In prose, each link to a work follows a word of the sentence: ``please cite our [survey](…)``.
    """
    works = [link for link in unit.links if strong_identifier(link.url)]
    start, end = unit.anatomy.body
    if not works or _FOOTNOTE.match(text, start, end):
        return bool(works)
    if not all(_is_behind_word(text, start, link) for link in works):
        return False
    labels = "".join(link.label for link in unit.links)
    outside = words_of(plain(text[start:end])) - words_of(labels)
    goes_on = (not link.is_badge and _WORD_BEHIND.match(text, link.span[1], end) for link in works)
    are_common = all(link.label.islower() and link.label.isalpha() for link in works)
    return are_common or (outside >= _FEW and all(goes_on))


def _is_behind_word(text: str, start: int, link: PlacedLink) -> bool:
    """Return whether a link follows a word of a sentence, and its label names no role."""
    before = _WORD_BEFORE.search(text, max(start, link.span[0] - 40), link.span[0])
    return before is not None and role_word(link.label) is None


def mentions_in(context: Context, unit: Unit) -> Iterator[Mention]:
    """Yield the works that a paragraph links to."""
    for link in unit.links:
        if (identifier := strong_identifier(link.url)) is not None:
            label = "" if link.label == link.url or role_word(link.label) else link.label
            yield Mention(identifier, label, context.line_of(link.span[0]))


_WORDS = 3
"""The fewest words of a title. Fewer may be a mention: ``builds on [BERT](…)``."""


def find_second_works(lines: Lines, entries: Sequence[Entry]) -> Iterator[Skipped]:
    """Report links to works that have no entry because another work in the item has one.

    In ``[One](…) and [Another](…)`` the second link is reported.
    """
    known = {identifier for entry in entries for identifier in entry.identifiers}
    for entry in entries:
        for link in _titles_beside(entry, known):
            reason = (
                f"“{shorten(entry.fields.title, 40)}” is the entry of this line, and "
                f"“{shorten(link.label, 40)}” is ignored: give it a line of its own to "
                "make it an entry."
            )
            yield _skipped(lines, entry, reason)


def _titles_beside(entry: Entry, known: set[Identifier]) -> Iterator[PlacedLink]:
    """Yield the links of an entry that are titles of other, unknown works."""
    if entry.anatomy.cells:
        return  # In a row, the columns show what other links are.
    start, end = entry.anatomy.body
    for link in entry.anatomy.links:
        work = strong_identifier(link.url)
        is_another = work is not None and work not in known
        is_another |= is_local_pdf(link.url) and not entry.anatomy.is_title(link)
        if is_another and start <= link.span[0] < end and _is_title(link.label):
            yield link


def _is_title(label: str) -> bool:
    """Return whether a label reads like a title."""
    is_long = role_word(label) is None and words_of(label) >= _WORDS
    return is_long and title_likeness(label) > _LIKE_A_TITLE


_MANY = 8
"""If a column without marks has more different texts than this, it is no column of marks."""
_HALF_READ = re.compile("[🟡🟠]")
_COLOURED = (*CIRCLES, *"🔵⚫🟣🟤●○◐■□")
UnknownSigns = Sequence[tuple[Entry, str]]
"""Entries, each with a sign at the place of marks that is not understood."""


def find_doubts(
    lines: Lines, entries: Sequence[Entry], tables: Sequence[Table]
) -> Iterator[Skipped]:
    """Report texts at the place of reading marks that are unknown or ambiguous."""
    for (kind, index), group_entries in by_group(entries).items():
        if kind == "table":
            yield from _doubts_of_table(lines, group_entries, tables[index])
        else:
            yield from _doubts_of_list(lines, group_entries)
    yield from _half_read_notice(lines, entries)


_TITLE = re.compile(r"[ \t]*(?:-[ \t]+)?[\"']?(?:title|paper)[\"']?[ \t]*:[ \t]*\S")
_LISTED = re.compile(r"[ \t]*-[ \t]+\S")


def find_front_matter(lines: Lines) -> Iterator[Skipped]:
    """Report works that are only listed in the front matter, which no page shows."""
    numbers = range(1, front_matter_end(lines) - 1)
    listed = [number for number in numbers if _LISTED.match(lines.line(number))]
    titles = [number for number in numbers if listed and _TITLE.match(lines.line(number))]
    if titles and titles[-1] >= listed[0]:
        reason = f"The front matter has a list ({len(titles)} titles), which is not read."
        yield Skipped(listed[0] + 1, reason, shorten(lines.line(titles[0]).strip()))


def _doubts_of_table(lines: Lines, entries: Sequence[Entry], table: Table) -> Iterator[Skipped]:
    """Report the texts in the column of marks that are not understood."""
    column = table.column_of("passes")
    if column is None:
        return
    unknown = []
    for entry in (entry for entry in entries if entry.anatomy.mark is None):
        for cell in entry.anatomy.cells[column : column + 1]:
            content = lines.text[slice(*content_span(lines.text, cell))]
            unknown += [(entry, content)] if content.casefold() not in ("", *NOTHING) else []
    if len({cell for _, cell in unknown}) <= _MANY or len(unknown) * 2 < len(entries):
        yield from _report_unknown(lines, unknown)
        return
    header = table.columns[column].header
    reason = (
        f"The cells under {header!r} are not understood as reading marks. Set what they "
        "mean (--set mark.SIGN=PASSES), or what the column contains (--set "
        f"'column.{header}=other')."
    )
    yield _skipped(lines, unknown[0][0], reason)


def _report_unknown(lines: Lines, doubts: UnknownSigns) -> Iterator[Skipped]:
    """Report each different sign once, at its first place."""
    for sign in dict.fromkeys(sign for _, sign in doubts):
        marked = [entry for entry, other in doubts if other == sign]
        also = ", ".join(str(entry.line) for entry in marked[1:6]) + ", …" * (len(marked) > 6)
        where = f" (also in line {also})" if also else ""
        shown = shorten(sign, 40)
        reason = (
            f"The mark {shown} is not understood{where}. Set how many passes it means: "
            f"papertrack documents FILE --set 'mark.{shown}=1'."
        )
        yield _skipped(lines, marked[0], reason)


def _skipped(lines: Lines, entry: Entry, reason: str) -> Skipped:
    return Skipped(entry.line, reason, shorten(lines.line(entry.line - 1)))


def _doubts_of_list(lines: Lines, entries: Sequence[Entry]) -> Iterator[Skipped]:
    """Report unknown signs before titles, if other titles have marks there.

    If no titles have marks, report circles of several colours that at least half of the items have.
    """
    marked = [entry for entry in entries if _has_mark_before(entry)]
    beside = {sign for entry in marked for sign in _signs(lines.text, entry)}
    bare = [(e, _signs(lines.text, e)[:1]) for e in entries if e.anatomy.mark is None]
    doubts = [(entry, sign) for entry, signs in bare for sign in signs if sign not in beside]
    if len(marked) < 2:
        doubts = [(entry, sign) for entry, sign in doubts if sign in _COLOURED]
        if len({sign for _, sign in doubts}) < 2 or len(doubts) * 2 < len(entries):
            return
    yield from _report_unknown(lines, doubts)


def _has_mark_before(entry: Entry) -> bool:
    """Return whether an entry has its mark before the title."""
    mark, title = entry.anatomy.mark, entry.anatomy.title
    return mark is not None and title is not None and mark.span[0] < title[0]


def _signs(text: str, entry: Entry) -> list[str]:
    """Return the pictorial signs before a title, except stars and medals."""
    title, start = entry.anatomy.title, entry.anatomy.body[0]
    lead = text[start : title[0]] if title and start < title[0] < start + 60 else ""
    if lead.isascii():
        return []
    rest = STAR.sub("", MEDAL.sub("", lead))
    return [sign for sign in rest if unicodedata.category(sign) == "So"]


def _half_read_notice(lines: Lines, entries: Sequence[Entry]) -> Iterator[Skipped]:
    """Report if a sign such as 🟡 was read as half read although no legend explains it."""
    for entry in entries:
        mark = entry.anatomy.mark
        sign = lines.text[slice(*mark.span)] if mark and mark.is_begun else ""
        if _HALF_READ.search(sign):
            reason = (
                f"{sign} is read as begun, with no pass done. If it means something else, "
                f"set it: papertrack documents FILE --set 'mark.{sign}=1'."
            )
            yield _skipped(lines, entry, reason)
            return


OF_NO_LINK = "It reads like a title, but has no link, and no heading above it mentions papers."
OF_PAGES = "It links to a place on another page, like a table of contents."
_LIKELY = 0.65
_FEWEST = 3
_MANY_TITLES = 20
"""How many items a document without links and without a word about papers has at least."""
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,4}[.)])[ \t]+(?!\[)(\S.*)", re.MULTILINE)
"""An item that is not a link, as those of a table of contents are."""
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
"""Headings for news. Lines without links below them are not works.

Headings with other words, such as *News Recommendation* or 动态规划, are subjects.
"""
_MAY_BE_PAGE = re.compile(r"(?:\.(?:md|markdown|html?)|/[^/\s()]+/?)#", re.IGNORECASE)
_OF_PAGE = re.compile(
    r"(?i)(?:(?P<repository>https?://(?:github|gitlab|gitee)\.com(?:/[^/?#\s]+){2}/?)"
    r"|(?!\w+://)[^\s?#]+\.(?:md|markdown|html?))#\S+"
)
_COUNTED = re.compile(
    r"[*_\s]*[(（\[](?:(?!(?:19|20)[0-9]{2}[)）\]])[0-9]{1,5}"
    r"|[0-9]{1,5} ?(?:papers?|works?|篇|本|편))[)）\]]"
)
_BEFORE_LINK = re.compile(r"[\s*_]*")
_CONTENTS = re.compile("contents|quick links|navigation|目录|目次|目錄|목차", re.IGNORECASE)
_LIKE_TITLES = re.compile(
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


def lists_titles(context: Context) -> bool:
    """Return whether a document without links to the web is one long list of titles.

    Its items need no heading that mentions papers: a plan or a manual has few such lines.
    """
    if "://" in context.text:
        return False
    items = _ITEM.findall(context.text)
    alike = sum(map(reads_like_title, map(plain, items)))
    return len(items) >= _MANY_TITLES and alike * 5 >= len(items) * 4


def linkless_entries(
    path: Sequence[str], kinds: Sequence[Kind], linkless: Sequence[Entry], *, in_papers: bool
) -> list[Entry]:
    """Return which items without links are entries.

    These are boxes to tick, titles with a venue and year, titles below a heading that mentions
    papers, and, except in news, a minority of items without links. ``kinds`` are the kinds of the
    items with links. ``in_papers`` says that the whole document, which has no link to the web, is
    about papers. Announcements such as ``coming soon`` are never entries.
    """
    heading = "".join(path[-1:])
    are_news = _NEWS.fullmatch(heading) is not None
    is_usual = sum(map(_is_published, linkless)) * 5 >= len(linkless) * 4
    are_papers = is_usual or (not kinds and (in_papers or mentions_papers(path)))
    alike = look_like_titles(linkless, in_papers=in_papers or (is_usual and len(linkless) > 1))
    are_titles = all((are_papers, not are_news, alike))
    are_titles |= not kinds and _are_titles(path, linkless)
    are_all = are_titles or (len(kinds) > len(linkless) and not are_news)
    kind: Kind | None = "paper" if are_titles else most_common(kinds)
    return [
        replace(entry, fields=replace(entry.fields, kind=kind or entry.fields.kind))
        for entry in linkless
        if (are_all or _is_titled(entry, heading, is_beside=bool(kinds) and not are_news))
        and not _PROMISE.fullmatch(entry.fields.title.strip(" .…!()[]*_。！（）~"))
    ]


def _is_titled(entry: Entry, heading: str, *, is_beside: bool) -> bool:
    """Return whether an item without a link is an entry, whatever the others are.

    It has a box to tick, or, beside entries with links (``is_beside``), a venue and year. What is
    promised, and what is published, must read like a title.
    """
    mark, reads_so = entry.anatomy.mark, reads_like_title(entry.fields.title)
    if mark and mark.kind.is_slot:
        return reads_so or _PROMISE.fullmatch(heading) is None
    return is_beside and reads_so and _is_published(entry)


def _is_published(entry: Entry) -> bool:
    """Return whether an item names a venue and a year."""
    return venue_year(entry.fields.venue or "") is not None


def mentions_papers(headings: Sequence[str]) -> bool:
    """Return whether a heading mentions papers."""
    return any(map(_PAPERS.search, headings))


def is_contents(context: Context, items: Sequence[Block], path: Sequence[str]) -> bool:
    """Return whether a list is a table of contents of other pages.

    All its links lead to headings of one repository's page; or to headings on other pages, and
    either its own heading or counts of papers show that they are not titles.
    """
    links = [_links_of(context, item) for item in items]
    all_links = [link for links_of_item in links for link in links_of_item]
    pages = [_OF_PAGE.fullmatch(link.url) for link in all_links]
    if not all((*links, *pages)):
        return False
    counted = sum(_COUNTED.match(context.text, link.span[1]) is not None for link in all_links)
    repositories = {page["repository"] for page in filter(None, pages)}
    are_places = len(pages) > len(repositories) == 1 and None not in repositories
    return any((are_places, any(map(_CONTENTS.search, path[-1:])), counted * 2 >= len(pages)))


def _links_of(context: Context, item: Block) -> Sequence[PlacedLink]:
    """Return the links of an item that starts with a link to another page; else none."""
    span = item.start, context.ends[item.end - 1]
    links = context.links_in(span) if _MAY_BE_PAGE.search(context.text, *span) else ()
    is_first = links and _BEFORE_LINK.fullmatch(context.text, span[0], links[0].span[0])
    return links if is_first else ()


def look_like_titles(entries: Sequence[Entry], *, in_papers: bool = False) -> bool:
    """Return whether there are several items and nearly all read like titles of works.

    In a document about papers, half of any items is enough.
    """
    alike = sum(reads_like_title(entry.fields.title) for entry in entries)
    fewest, share = (1, 0.5) if in_papers else (_FEWEST, 0.8)
    return len(entries) >= fewest and alike >= share * len(entries)


def reads_like_title(words: str) -> bool:
    """Return whether words read like a title: capitalized, and not a sentence."""
    is_likely = title_likeness(words) >= _LIKELY and is_title_case(words)
    return is_likely and any(map(str.isupper, words))


def titles_among(entries: Sequence[Entry], *, has_works: bool) -> list[Entry]:
    """Return the items without an entry that may be works, to report them.

    If nearly all read like titles, these are all items. Otherwise, if the list has works
    (``has_works``), these are the items that read like titles.
    """
    if look_like_titles(entries):
        return list(entries)
    return [entry for entry in entries if has_works and reads_like_title(entry.fields.title)]


def _are_titles(path: Sequence[str], entries: Sequence[Entry]) -> bool:
    """Return whether items without links are titles, below a heading that mentions papers."""
    looking = sum(_LIKE_TITLES.fullmatch(entry.fields.title) is not None for entry in entries)
    return bool(path and _PAPERS.search(path[-1])) and looking * 5 >= len(entries) * 4 > 0
