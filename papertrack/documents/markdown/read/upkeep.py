"""Lines that tell of the list itself, not of a work: who keeps it, how to add to it or share it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from papertrack.documents.markdown.grammar.likeness import title_likeness
from papertrack.documents.markdown.grammar.names import is_name
from papertrack.documents.markdown.link_labels import site_named
from papertrack.documents.markdown.model import PlacedLink, Unit
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.syntax import plain

OF_LIST = "This line tells of the list, not of a work."
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
"""``Contributed by [Ann Bee](…)``: what stands before those who keep a list."""
_FEW_WORDS = 4
_LIKE_A_TITLE = 0.6
_VERBS = frozenset(
    "follow join find share discuss connect contact chat subscribe reach visit folge folgt suivez "
    "síguenos seguici".split()
)
_PRONOUNS = frozenset("us me them you uns mir nous moi".split())
"""With such words in small letters, or such a verb before some, a line points readers to somebody's
place: ``Machine Learning on [Coursera](…)`` has none of them."""
_BEFORE_TITLE = re.compile(r".*[:：—–\-\"“][\s*_\"“\[(]*", re.DOTALL)


def is_upkeep(text: str, unit: Unit) -> bool:
    """Return whether an item or a paragraph tells of the list itself: all its links lead to where a
    list is kept or shared, or it only says by whom it is kept, or where else these are."""
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
    """Whether links behind somebody's name lead to what they wrote: ``Written by [Ann Bee](…): [A
    Title](…)``."""
    return any(
        _BEFORE_TITLE.fullmatch(text, one.span[1], other.span[0])
        or (title_likeness(other.label) > _LIKE_A_TITLE and not is_name(other.label))
        for one, other in pairwise(links)
    )


def _is_elsewhere(before: str, link: PlacedLink) -> bool:
    """Whether a few words only point to somebody's place at a site: ``Follow us on [Mastodon](…)``,
    which is none where works are."""
    words = before.split()
    if not 0 < len(words) <= _FEW_WORDS or words[-1] not in ("on", "at", "via", "auf", "sur"):
        return False
    is_call = words[0].casefold() in _VERBS and all(map(str.islower, words[1:]))
    if not is_call and _PRONOUNS.isdisjoint(words):
        return False
    is_of_work = role_word(link.label) not in (None, "other")
    return not is_of_work and site_named(link.label, link.url) is not None
