"""Report what a README has besides its entries, with line numbers.

These are lines about the list itself, templates, works mentioned in prose, and marks that are not
understood. Nothing is dropped silently.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

from papertrack.documents.markdown.grammar.likeness import is_name, title_likeness, words_of
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
from papertrack.documents.markdown.syntax import front_matter_end, plain
from papertrack.documents.markdown.values import MEDAL, NOTHING, STAR
from papertrack.records import Identifier, Skipped
from papertrack.text import shorten

OF_TEMPLATE = "This line comes from a site template: no work has such a title."
# ``{{BERT}: Deep Networks}`` has BibTeX's braces.
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
"""Words before the names of those who keep a list: ``Contributed by [Ann Bee](…)``."""
_FEW_WORDS = 4
_LIKE_A_TITLE = 0.6
_VERBS = frozenset(
    "follow join find share discuss connect contact chat subscribe reach visit folge folgt suivez "
    "síguenos seguici".split()
)
_PRONOUNS = frozenset("us me them you uns mir nous moi".split())
"""Words that, like the verbs above, show that a line points to somebody's profile.

They must be in lower case. ``Machine Learning on [Coursera](…)`` has none of them.
"""
_BEFORE_TITLE = re.compile(r".*[:：—–\-\"“][\s*_\"“\[(]*", re.DOTALL)


def is_upkeep(text: str, unit: Unit) -> bool:
    """Return whether an item or a paragraph is about the list itself.

    All its links lead to where a list is kept or shared, or its text only names its keepers or
    their profiles.
    """
    links = [link for link in unit.links if not link.is_badge]
    if not links:
        return False
    if all(_ADDRESS.fullmatch(link.url) for link in links):
        return True
    if any(strong_identifier(link.url) for link in links):
        return False
    before = plain(text[unit.anatomy.own[0] : links[0].span[0]]).strip(" -–—*_[(")
    is_by = _BY.fullmatch(before) is not None and not _tells_what(text, links)
    return is_by or _is_elsewhere(before, links[0])


def _tells_what(text: str, links: Sequence[PlacedLink]) -> bool:
    """Return whether links after a name lead to works.

    Example: ``Written by [Ann Bee](…): [A Title](…)``.
    """
    return any(
        _BEFORE_TITLE.fullmatch(text, link.span[1], other.span[0])
        or (title_likeness(other.label) > _LIKE_A_TITLE and not is_name(other.label))
        for link, other in pairwise(links)
    )


def _is_elsewhere(before: str, link: PlacedLink) -> bool:
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
"""How many words outside of its links a paragraph of prose has at least."""


def is_in_passing(text: str, unit: Unit) -> bool:
    """Return whether a paragraph is a footnote, or prose that mentions the linked works."""
    works = [link for link in unit.links if strong_identifier(link.url)]
    if not works:
        return False
    start, end = unit.anatomy.own
    if _FOOTNOTE.match(text, start, end):
        return True
    return _is_prose(text, unit, works) or all(_is_named_after(text, unit, work) for work in works)


def _is_named_after(text: str, unit: Unit, link: PlacedLink) -> bool:
    """Return whether a link's label is a common word of a sentence.

    Example: ``please cite our [survey](…)``.
    """
    start = max(unit.anatomy.own[0], link.span[0] - 40)
    is_common = link.label.islower() and link.label.isalpha() and role_word(link.label) is None
    return is_common and _WORD_BEFORE.search(text, start, link.span[0]) is not None


def _is_prose(text: str, unit: Unit, works: list[PlacedLink]) -> bool:
    start, end = unit.anatomy.own
    labels = "".join(link.label for link in unit.links)
    outside = words_of(plain(text[start:end])) - words_of(labels)
    return outside >= _FEW and all(_is_in_sentence(text, unit, link) for link in works)


def _is_in_sentence(text: str, unit: Unit, link: PlacedLink) -> bool:
    """Return whether a sentence continues on both sides of a link that names a work."""
    start, end = unit.anatomy.own
    before = _WORD_BEFORE.search(text, max(start, link.span[0] - 40), link.span[0])
    behind = _WORD_BEHIND.match(text, link.span[1], end)
    return not link.is_badge and role_word(link.label) is None and bool(before and behind)


def mentions_in(context: Context, unit: Unit) -> Iterator[Mention]:
    """Yield the works that a stretch links to, with their labels."""
    for link in unit.links:
        if (identifier := strong_identifier(link.url)) is not None:
            label = "" if link.label == link.url or role_word(link.label) else link.label
            yield Mention(identifier, label, context.line_of(link.span[0]))


_WORDS = 3
"""How many words a title has at least. Fewer may be a mention: ``builds on [BERT](…)``."""


def find_second_works(lines: Lines, entries: Sequence[Entry]) -> Iterator[Skipped]:
    """Yield links to works that have no entry because they share an item with another.

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
            yield Skipped(entry.line, reason, shorten(lines.line(entry.line - 1)))


def _titles_beside(entry: Entry, known: set[Identifier]) -> Iterator[PlacedLink]:
    # Most entries have no related work. In a row, the columns show what is beside the work.
    has_more = entry.fields.related or any(is_local_pdf(one.url) for one in entry.anatomy.links[1:])
    if not has_more or entry.anatomy.cells:
        return
    start, end = entry.anatomy.own
    for link in entry.anatomy.links:
        work = strong_identifier(link.url)
        is_another = work is not None and work not in known
        is_another |= is_local_pdf(link.url) and not entry.anatomy.is_title(link)
        if is_another and start <= link.span[0] < end and _is_title(link.label):
            yield link


def _is_title(label: str) -> bool:
    is_long = role_word(label) is None and words_of(label) >= _WORDS
    return is_long and title_likeness(label) > _LIKE_A_TITLE


_MANY = 8
"""If a column has more different texts than this, and no mark, they are not marks."""
_HALF_READ = re.compile("[🟡🟠]")
_COLOURED = (*CIRCLES, "🔵", "⚫", "🟣", "🟤")
Held = Sequence[tuple[Entry, str]]
"""Entries, each with a sign in the place of its mark that is not understood."""


def find_doubts(
    lines: Lines, entries: Sequence[Entry], tables: Sequence[Table]
) -> Iterator[Skipped]:
    """Yield texts in the place of a reading mark that are unknown or ambiguous."""
    for (kind, index), group_entries in by_group(entries).items():
        if kind == "table":
            yield from _doubts_of_table(lines, group_entries, tables[index])
        else:
            yield from _doubts_of_list(lines, group_entries)
    yield from _by_habit(lines, entries)


_TITLE = re.compile(r"[ \t]*(?:-[ \t]+)?[\"']?(?:title|paper)[\"']?[ \t]*:[ \t]*\S")
_LISTED = re.compile(r"[ \t]*-[ \t]+\S")


def find_front_matter(lines: Lines) -> Iterator[Skipped]:
    """Yield a report of works that only the front matter lists; no page shows them."""
    numbers = range(1, front_matter_end(lines) - 1)
    listed = [number for number in numbers if _LISTED.match(lines.line(number))]
    titles = [number for number in numbers if listed and _TITLE.match(lines.line(number))]
    if titles and titles[-1] >= listed[0]:
        reason = f"The front matter has a list ({len(titles)} titles), which is not read."
        yield Skipped(listed[0] + 1, reason, shorten(lines.line(titles[0]).strip()))


def _doubts_of_table(lines: Lines, entries: Sequence[Entry], table: Table) -> Iterator[Skipped]:
    column = table.column_of("passes")
    if column is None:
        return
    cells = [(e, _cell(lines.text, e, column)) for e in entries if e.anatomy.mark is None]
    unknown = [(entry, cell) for entry, cell in cells if cell and cell.casefold() not in NOTHING]
    if len({cell for _, cell in unknown}) <= _MANY or len(unknown) * 2 < len(entries):
        yield from _unknown(lines, unknown)
        return
    header = table.columns[column].header
    reason = (
        f"The cells under {header!r} are not understood as reading marks. Set what they "
        "mean (--set mark.SIGN=PASSES), or what the column contains (--set "
        f"'column.{header}=other')."
    )
    yield _skipped(lines, unknown[0][0], reason)


def _cell(text: str, entry: Entry, column: int) -> str:
    cells = entry.anatomy.cells
    return text[slice(*content_span(text, cells[column]))] if column < len(cells) else ""


def _unknown(lines: Lines, doubts: Held) -> Iterator[Skipped]:
    """Yield each different sign once, at its first place."""
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
    """Yield unknown signs where other titles have marks, or that look like marks."""
    marked = [entry for entry in entries if _is_before_title(entry)]
    beside = {sign for entry in marked for sign in _signs(lines.text, entry)}
    bare = [(e, _signs(lines.text, e)[:1]) for e in entries if e.anatomy.mark is None]
    doubts = [(entry, sign) for entry, signs in bare for sign in signs if sign not in beside]
    yield from _unknown(lines, doubts if len(marked) > 1 else _coloured(doubts, len(entries)))


def _coloured(doubts: Held, count: int) -> Held:
    """Return the coloured circles in a list if half of its items or more have one.

    There must be several colours.
    """
    circles = [(entry, sign) for entry, sign in doubts if sign in _COLOURED]
    are_marks = len({sign for _, sign in circles}) > 1 and len(circles) * 2 >= count
    return circles if are_marks else []


def _lead(text: str, entry: Entry) -> str:
    title = entry.anatomy.title
    start = entry.anatomy.own[0]
    return text[start : title[0]] if title and start < title[0] < start + 60 else ""


def _is_before_title(entry: Entry) -> bool:
    mark, title = entry.anatomy.mark, entry.anatomy.title
    return mark is not None and title is not None and mark.span[0] < title[0]


def _signs(text: str, entry: Entry) -> list[str]:
    """Return the pictorial signs before a title, except stars and medals."""
    lead = _lead(text, entry)
    if lead.isascii():
        return []
    rest = STAR.sub("", MEDAL.sub("", lead))
    return [sign for sign in rest if unicodedata.category(sign) == "So"]


def _by_habit(lines: Lines, entries: Sequence[Entry]) -> Iterator[Skipped]:
    """Yield a report if signs such as 🟡 were read as half read without a legend."""
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
