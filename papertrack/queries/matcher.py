"""Match queries with the text of one announcement, and return the reasons.

A topic searches for words in the title, the abstract, an author or the authors' comment, and for
arXiv categories. Case, accents, hyphens and punctuation are ignored. Each Chinese, Japanese or
Korean character is a word, as in the store's index.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from papertrack.errors import UsageError
from papertrack.queries.nodes import EVERYTHING, And, Not, Or, Phrase, Prefix, Query, Term, Text
from papertrack.queries.parser import format_query
from papertrack.text import clean, fold, spaced_cjk

TEXT_FIELDS = ("title", "abstract", "author", "comment")
"""The fields with words; a term without a field is searched in all of them."""
TOPIC_FIELDS = (*TEXT_FIELDS, "arxiv_category")
"""The fields that a topic can use, because announcements have no others."""

_BETWEEN_NAMES = " | "
_BETWEEN_PARTS = "\0"
"""Separates texts: not a blank, and never in cleaned text."""


def _blank_table(signs: str) -> bytes:
    signs += "\t\n\r\v\f\x1c\x1d\x1e\x1f"
    return bytes.maketrans(signs.encode(), b" " * len(signs))


_PROSE = (_blank_table(string.punctuation), r"[^\w]|_")
"""Separators of words in prose: a table for ASCII, which is faster, and a pattern for all."""
_NAMES = (_blank_table(string.punctuation.replace("|", "")), r"[^\w|]|_")
"""The same for names, where ``|`` is kept."""


class AnnouncedText(NamedTuple):
    """The texts that a topic can search, folded once for all topics, with blanks around each word.

    Punctuation may become several blanks; see ``_Needle.is_in``.
    """

    title: str
    abstract: str
    author: str
    """All names, separated by ``|``."""
    comment: str
    everything: str
    """The four texts, separated by a mark, so that no phrase spans two of them."""
    arxiv_category: str
    """All arXiv categories, each between two marks."""
    arxiv_categories: tuple[str, ...]
    """The arXiv categories in lower case."""


Test = Callable[[AnnouncedText], bool]


@dataclass(frozen=True, slots=True)
class Hit:
    """A term of a query that an announcement contains."""

    term: str
    """The term as in the query, without its field: ``speculative decoding``, ``specul*``."""
    fields: tuple[str, ...]
    """The fields of ``TOPIC_FIELDS`` that contain it."""


@dataclass(frozen=True, slots=True)
class _Needle:
    """One term, prepared for the search."""

    term: str
    field: str | None
    words: str
    """Words with single blanks between and around them; no blank after a prefix. An arXiv category
    has marks around it."""
    longest: str
    """The longest word, with its blanks: ``words`` itself if there is only one."""

    def is_in(self, text: str) -> bool:
        """Return whether a text of an announcement contains the words in sequence.

        Multiple blanks are only reduced if the longest word occurs, which is rare.
        """
        return self.longest in text and (
            self.longest is self.words or self.words in _with_single_blanks(text)
        )

    @property
    def text_index(self) -> int:
        """The index of the searched text in an announcement."""
        return AnnouncedText._fields.index(self.field or "everything")

    def fields_in(self, text: AnnouncedText) -> tuple[str, ...]:
        searched = (self.field,) if self.field else TEXT_FIELDS
        return tuple(name for name in searched if self.is_in(getattr(text, name)))

    def count_in(self, texts: Collection[AnnouncedText]) -> int:
        longest, searched = self.longest, map(itemgetter(self.text_index), texts)
        return sum([longest in text and self.is_in(text) for text in searched])


@dataclass(frozen=True, slots=True)
class TopicMatcher:
    """A topic's query, prepared by ``make_matcher`` for many announcements."""

    matches: Test
    wanted: tuple[_Needle, ...]
    """The terms to find, without those under NOT."""

    def hits(self, text: AnnouncedText) -> tuple[Hit, ...]:
        """Return the wanted terms that the announcement contains, in the order of the query."""
        terms = ((needle.term, needle.fields_in(text)) for needle in self.wanted)
        return tuple(Hit(term, fields) for term, fields in terms if fields)

    def count_term(self, term: str, texts: Collection[AnnouncedText]) -> int:
        """Return how many of the texts contain a wanted term, in any field."""
        return max(needle.count_in(texts) for needle in self.wanted if needle.term == term)


def announced_text(
    title: str,
    abstract: str = "",
    authors: Sequence[str] = (),
    comment: str = "",
    arxiv_categories: Sequence[str] = (),
) -> AnnouncedText:
    """Return an announcement's texts in the form for topics."""
    parts = (
        _words(title),
        _words(abstract),
        _words(_BETWEEN_NAMES.join(authors), _NAMES),
        _words(comment) if comment else " ",
    )
    return AnnouncedText(
        *parts, _BETWEEN_PARTS.join(parts), *_lower_categories(tuple(arxiv_categories))
    )


@lru_cache(maxsize=1024)  # A day has a few hundred combinations of categories.
def _lower_categories(names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    lower = tuple(name.lower() for name in names)
    return _BETWEEN_PARTS.join(("", *lower, "")), lower


def make_matcher(query: Query, *, may_be_empty: bool = False) -> TopicMatcher:
    """Return a matcher for the query.

    Raises UsageError for a field that announcements do not have, for a term without a letter or
    digit, and for the empty query, unless it ``may_be_empty`` (in a topic with feeds only).
    """
    if query == EVERYTHING:
        if may_be_empty:
            return TopicMatcher(lambda text: True, ())
        raise UsageError(
            "A topic needs search terms. To follow a whole arXiv category, write "
            "arxiv_category:cs.PL"
        )
    needles = dict.fromkeys(_needle(term) for term in _wanted_terms(query, is_wanted=True))
    return TopicMatcher(_test(query), tuple(needles))


def describe_hits(hits: Sequence[Hit]) -> str:
    """Return the reasons: ``speculative decoding (title, abstract); Tri Dao (author)``."""
    if not hits:
        return "nothing that the topic refuses"
    return "; ".join(
        f"{hit.term} ({', '.join(field.replace('_', ' ') for field in hit.fields)})" for hit in hits
    )


def _words(text: str, separators: tuple[bytes, str] = _PROSE) -> str:
    """Return folded words with blanks around each, so that ``" moe "`` is found as a word."""
    table, pattern = separators
    if text.isascii():
        # The same as fold() for ASCII, but faster, because every announcement is folded.
        plain = text.lower().encode().translate(table).decode()
    else:
        plain = re.sub(pattern, " ", spaced_cjk(fold(clean(text))))
    return f" {plain} "


@lru_cache(maxsize=1024)  # Several topics and terms ask for the same text.
def _with_single_blanks(text: str) -> str:
    return f" {' '.join(text.split())} "


def _test(query: Query) -> Test:
    match query:
        case Term():
            return _term_test(query)
        case Not(part):
            excluded = _test(part)
            return lambda text: not excluded(text)
        case And(parts):
            return _combine(False, [_test(part) for part in parts])
        case Or(parts):
            return _combine(True, [_test(part) for part in parts])


def _combine(stop_at: bool, tests: Sequence[Test]) -> Test:
    """Combine tests: with ``stop_at`` True any must succeed, with False all."""

    # A plain loop: all() with a generator takes three times as long, 30,000 times a night.
    def holds(text: AnnouncedText) -> bool:
        for test in tests:
            if test(text) is stop_at:
                return stop_at
        return not stop_at

    return holds


def _term_test(term: Term) -> Test:
    needle = _needle(term)
    words, longest, index = needle.words, needle.longest, needle.text_index
    if words is longest:
        return lambda text: words in text[index]

    def has_phrase(text: AnnouncedText) -> bool:
        # The same as is_in, without a call for each of 20,000 texts that lack the word.
        searched = text[index]
        return longest in searched and words in _with_single_blanks(searched)

    return has_phrase


def _needle(term: Term) -> _Needle:
    value = term.value
    if term.field not in (None, *TOPIC_FIELDS) or not isinstance(value, Text | Phrase | Prefix):
        raise UsageError(
            f"A topic cannot search for {format_query(term)!r}: an announcement has only "
            f"{', '.join(TOPIC_FIELDS)}."
        )
    is_prefix = isinstance(value, Prefix)
    typed = value.text + "*" * is_prefix
    if term.field == "arxiv_category":
        name = _BETWEEN_PARTS + value.text.lower() + _BETWEEN_PARTS * (not is_prefix)
        return _Needle(typed, term.field, name, name)
    words = _words(clean(value.text)).split()
    if not words:
        raise UsageError(f"{format_query(term)!r} has no letter or digit that could be found.")
    phrase, longest = _phrase_and_longest(words, is_prefix=is_prefix)
    return _Needle(typed, term.field, phrase, longest)


def _phrase_and_longest(words: Sequence[str], *, is_prefix: bool) -> tuple[str, str]:
    """Return all words with blanks around them, and the longest word alone."""
    ends = [" "] * (len(words) - 1) + ["" if is_prefix else " "]
    longest = max((f" {word}{end}" for word, end in zip(words, ends, strict=True)), key=len)
    return longest if len(words) == 1 else f" {' '.join(words)}{ends[-1]}", longest


def _wanted_terms(query: Query, *, is_wanted: bool) -> Iterator[Term]:
    match query:
        case Term():
            if is_wanted:
                yield query
        case Not(part):
            yield from _wanted_terms(part, is_wanted=not is_wanted)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _wanted_terms(part, is_wanted=is_wanted)
