"""Queries applied to the text of one announcement, by itself, with the reasons why it matched.

A topic asks for words: of the title, the abstract, an author, the authors' comment, or any of
them, and for arXiv's categories. Case, accents, hyphens and punctuation do not count, and
characters of Chinese, Japanese and Korean are words of their own, as in the store's index.
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
"""The fields of words; a term without a field is looked for in each of them."""
TOPIC_FIELDS = (*TEXT_FIELDS, "arxiv_category")
"""What a topic can ask for: an announcement has nothing else."""

_BETWEEN_NAMES = " | "
_BETWEEN_PARTS = "\0"
"""No blank, and nothing that a word holds: texts are cleaned before they are kept."""


def _blanking(signs: str) -> bytes:
    signs += "\t\n\r\v\f\x1c\x1d\x1e\x1f"
    return bytes.maketrans(signs.encode(), b" " * len(signs))


_PROSE = (_blanking(string.punctuation), r"[^\w]|_")
"""What is between the words of prose: for ASCII as a table, which is faster, and for all."""
_NAMES = (_blanking(string.punctuation.replace("|", "")), r"[^\w|]|_")
"""The same for names, where ``|`` stays."""


class AnnouncedText(NamedTuple):
    """What a topic can look at, folded once for all topics: words with blanks around each.

    More than one blank may stand where punctuation was; see ``_Needle.is_in``.
    """

    title: str
    abstract: str
    author: str
    """All names, with ``|`` between them."""
    comment: str
    everything: str
    """The four, with a mark between them, so that no phrase spans two of them."""
    arxiv_category: str
    """All of arXiv's categories, each between two marks."""
    arxiv_categories: tuple[str, ...]
    """In lower case."""


Test = Callable[[AnnouncedText], bool]


@dataclass(frozen=True, slots=True)
class Hit:
    """One term of a query that an announcement has."""

    term: str
    """As the query has it, without its field: ``speculative decoding``, ``specul*``."""
    fields: tuple[str, ...]
    """Those of ``TOPIC_FIELDS`` where it stands."""


@dataclass(frozen=True, slots=True)
class _Needle:
    """One term, ready to be looked for."""

    term: str
    field: str | None
    words: str
    """With single blanks between and around them; a prefix has none behind it. A category of
    arXiv stands between marks."""
    longest: str
    """The longest of the words, with its blanks: ``words`` itself when it is one."""

    def is_in(self, text: str) -> bool:
        """Whether one of the texts of an announcement has the words, one behind the other.

        Blanks are made single only where the longest word is found: for one text in hundreds.
        """
        return self.longest in text and (
            self.longest is self.words or self.words in _with_single_blanks(text)
        )

    @property
    def place(self) -> int:
        """Which of the texts of an announcement it is looked for in."""
        return AnnouncedText._fields.index(self.field or "everything")

    def fields_in(self, text: AnnouncedText) -> tuple[str, ...]:
        looked_in = (self.field,) if self.field else TEXT_FIELDS
        return tuple(name for name in looked_in if self.is_in(getattr(text, name)))

    def count_in(self, texts: Collection[AnnouncedText]) -> int:
        longest, looked_in = self.longest, map(itemgetter(self.place), texts)
        return sum([longest in text and self.is_in(text) for text in looked_in])


@dataclass(frozen=True, slots=True)
class TopicMatcher:
    """A topic's query, ready for many announcements. ``make_matcher`` gives it."""

    matches: Test
    wanted: tuple[_Needle, ...]
    """The terms that speak for an announcement; those under NOT are not among them."""

    def hits(self, text: AnnouncedText) -> tuple[Hit, ...]:
        """The wanted terms that the announcement has, in the order of the query."""
        found = ((needle.term, needle.fields_in(text)) for needle in self.wanted)
        return tuple(Hit(term, fields) for term, fields in found if fields)

    def count_term(self, term: str, texts: Collection[AnnouncedText]) -> int:
        """How many of the texts have a wanted term, in whatever field the query wants it."""
        return max(needle.count_in(texts) for needle in self.wanted if needle.term == term)


def announced_text(
    title: str,
    abstract: str = "",
    authors: Sequence[str] = (),
    comment: str = "",
    arxiv_categories: Sequence[str] = (),
) -> AnnouncedText:
    """The parts of an announcement as topics compare them."""
    parts = (
        _words(title),
        _words(abstract),
        _words(_BETWEEN_NAMES.join(authors), _NAMES),
        _words(comment) if comment else " ",
    )
    return AnnouncedText(
        *parts, _BETWEEN_PARTS.join(parts), *_lower_categories(tuple(arxiv_categories))
    )


@lru_cache(maxsize=1024)  # A day has few hundred combinations of categories.
def _lower_categories(names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    lower = tuple(name.lower() for name in names)
    return _BETWEEN_PARTS.join(("", *lower, "")), lower


def make_matcher(query: Query, *, may_be_empty: bool = False) -> TopicMatcher:
    """The query as a test of announcements.

    Raises UsageError for a field that an announcement does not have, for a term without a letter
    or digit, and for the empty query, unless it may be: of a topic that looks in feeds alone.
    """
    if query == EVERYTHING:
        if may_be_empty:
            return TopicMatcher(lambda text: True, ())
        raise UsageError(
            "A topic needs something to look for. To follow a whole category of arXiv, "
            "ask for it: arxiv_category:cs.PL"
        )
    wanted = dict.fromkeys(_needle(term) for term in _wanted_terms(query, is_wanted=True))
    return TopicMatcher(_test(query), tuple(wanted))


def describe_hits(hits: Sequence[Hit]) -> str:
    """Why it matched, for people: ``speculative decoding (title, abstract); Tri Dao (author)``."""
    if not hits:
        return "nothing that the topic refuses"
    return "; ".join(
        f"{hit.term} ({', '.join(field.replace('_', ' ') for field in hit.fields)})" for hit in hits
    )


def _words(text: str, between: tuple[bytes, str] = _PROSE) -> str:
    """Folded words with blanks around each, so that ``" moe "`` is found as a whole word."""
    table, pattern = between
    if text.isascii():
        # What fold() does to ASCII, but faster: every announcement passes here.
        plain = text.lower().encode().translate(table).decode()
    else:
        plain = re.sub(pattern, " ", spaced_cjk(fold(clean(text))))
    return f" {plain} "


@lru_cache(maxsize=1024)  # Topics ask for the same text in turn, and terms for the latest ones.
def _with_single_blanks(text: str) -> str:
    return f" {' '.join(text.split())} "


def _test(query: Query) -> Test:
    match query:
        case Term():
            return _term_test(query)
        case Not(part):
            refused = _test(part)
            return lambda text: not refused(text)
        case And(parts):
            return _first(False, [_test(part) for part in parts])
        case Or(parts):
            return _first(True, [_test(part) for part in parts])


def _first(sought: bool, tests: Sequence[Test]) -> Test:
    """What one of the tests says if it is that, else the opposite: any for True, all for False."""

    # A plain loop: all() over a generator takes three times as long, 30,000 times a night.
    def holds(text: AnnouncedText) -> bool:
        for test in tests:
            if test(text) is sought:
                return sought
        return not sought

    return holds


def _term_test(term: Term) -> Test:
    needle = _needle(term)
    words, longest, place = needle.words, needle.longest, needle.place
    if words is longest:
        return lambda text: words in text[place]

    def has_phrase(text: AnnouncedText) -> bool:
        # As is_in, without a call for each of 20,000 texts that have no such word.
        looked_in = text[place]
        return longest in looked_in and words in _with_single_blanks(looked_in)

    return has_phrase


def _needle(term: Term) -> _Needle:
    value = term.value
    if term.field not in (None, *TOPIC_FIELDS) or not isinstance(value, Text | Phrase | Prefix):
        raise UsageError(
            f"A topic cannot ask for {format_query(term)!r}: an announcement has only "
            f"{', '.join(TOPIC_FIELDS)}."
        )
    is_prefix = isinstance(value, Prefix)
    written = value.text + "*" * is_prefix
    if term.field == "arxiv_category":
        name = _BETWEEN_PARTS + value.text.lower() + _BETWEEN_PARTS * (not is_prefix)
        return _Needle(written, term.field, name, name)
    words = _words(clean(value.text)).split()
    if not words:
        raise UsageError(f"{format_query(term)!r} has no letter or digit that could be found.")
    phrase, longest = _spaced(words, is_prefix=is_prefix)
    return _Needle(written, term.field, phrase, longest)


def _spaced(words: Sequence[str], *, is_prefix: bool) -> tuple[str, str]:
    """All the words with blanks around them, and the longest: the same text when it is one."""
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
