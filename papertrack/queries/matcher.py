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
from operator import attrgetter
from typing import NamedTuple

from papertrack.errors import UsageError
from papertrack.queries.nodes import EVERYTHING, And, Not, Or, Phrase, Prefix, Query, Term, Text
from papertrack.queries.printer import format_query
from papertrack.text import clean, fold, spaced_cjk

TEXT_FIELDS = ("title", "abstract", "author", "comment")
"""The fields of words; a term without a field is looked for in each of them."""
TOPIC_FIELDS = (*TEXT_FIELDS, "arxiv_category")
"""What a topic can ask for: an announcement has nothing else."""

_BETWEEN_NAMES = " | "


def _blanking(signs: str) -> bytes:
    return bytes.maketrans(signs.encode(), b" " * len(signs))


_PROSE = (_blanking(string.punctuation), r"[^\w]|_")
"""What stands between the words of prose: for ASCII as a table, which is faster, and for all."""
_NAMES = (_blanking(string.punctuation.replace("|", "")), r"[^\w|]|_")
"""The same for names, where ``|`` stays."""


class AnnouncedText(NamedTuple):
    """What a topic can look at, folded once for all topics: words between single blanks."""

    title: str
    abstract: str
    author: str
    """All names, with ``|`` between them."""
    comment: str
    everything: str
    """The four, one per line, so that no phrase spans two of them."""
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

    def fields_in(self, text: AnnouncedText) -> tuple[str, ...]:
        looked_in = (self.field,) if self.field else TEXT_FIELDS
        return tuple(name for name in looked_in if self.words in getattr(text, name))

    def count_in(self, texts: Collection[AnnouncedText]) -> int:
        words, looked_in = self.words, attrgetter(self.field or "everything")
        return sum([words in text for text in map(looked_in, texts)])


@dataclass(frozen=True, slots=True)
class TopicMatcher:
    """A topic's query, ready for many announcements. ``make_matcher`` gives it."""

    matches: Test
    wanted: tuple[_Needle | _Category, ...]
    """The terms that speak for an announcement; those under NOT are not among them."""

    def hits(self, text: AnnouncedText) -> tuple[Hit, ...]:
        """The wanted terms that the announcement has, in the order of the query."""
        found = ((needle.term, needle.fields_in(text)) for needle in self.wanted)
        return tuple(Hit(term, fields) for term, fields in found if fields)

    def count_terms(self, texts: Collection[AnnouncedText]) -> dict[str, int]:
        """How many of the texts have each wanted term."""
        return {needle.term: needle.count_in(texts) for needle in self.wanted}


@dataclass(frozen=True, slots=True)
class _Category:
    """A term about arXiv's categories."""

    term: str
    name: str
    is_prefix: bool

    def fields_in(self, text: AnnouncedText) -> tuple[str, ...]:
        return ("arxiv_category",) if self.is_in(text) else ()

    def is_in(self, text: AnnouncedText) -> bool:
        if self.is_prefix:
            return any(name.startswith(self.name) for name in text.arxiv_categories)
        return self.name in text.arxiv_categories

    def count_in(self, texts: Collection[AnnouncedText]) -> int:
        return sum(map(self.is_in, texts))


def announced_text(
    *,
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
        _words(comment),
    )
    return AnnouncedText(
        *parts,
        everything="\n".join(parts),
        arxiv_categories=tuple(name.lower() for name in arxiv_categories),
    )


def make_matcher(query: Query) -> TopicMatcher:
    """The query as a test of announcements.

    Raises UsageError for a field that an announcement does not have, for a term without a letter
    or digit, and for the empty query.
    """
    if query == EVERYTHING:
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
    """Folded words with one blank around each, so that ``" moe "`` is found as a whole word."""
    table, pattern = between
    if text.isascii():
        # What fold() does to ASCII, but faster: every announcement passes here.
        plain = text.lower().encode().translate(table).decode()
    else:
        plain = re.sub(pattern, " ", spaced_cjk(fold(clean(text))))
    return f" {' '.join(plain.split())} "


def _test(query: Query) -> Test:
    match query:
        case Term():
            return _term_test(query)
        case Not(part):
            refused = _test(part)
            return lambda text: not refused(text)
        case And(parts):
            return _all_of([_test(part) for part in parts])
        case Or(parts):
            return _one_of([_test(part) for part in parts])


def _all_of(tests: Sequence[Test]) -> Test:
    # A plain loop: all() over a generator takes three times as long, 30,000 times a night.
    def holds(text: AnnouncedText) -> bool:
        for test in tests:  # noqa: SIM110
            if not test(text):
                return False
        return True

    return holds


def _one_of(tests: Sequence[Test]) -> Test:
    def holds(text: AnnouncedText) -> bool:
        for test in tests:  # noqa: SIM110
            if test(text):
                return True
        return False

    return holds


def _term_test(term: Term) -> Test:
    needle = _needle(term)
    if isinstance(needle, _Category):
        return needle.is_in
    words = needle.words
    match needle.field:
        case "title":
            return lambda text: words in text.title
        case "abstract":
            return lambda text: words in text.abstract
        case "author":
            return lambda text: words in text.author
        case "comment":
            return lambda text: words in text.comment
        case _:
            return lambda text: words in text.everything


def _needle(term: Term) -> _Needle | _Category:
    value = term.value
    if term.field not in (None, *TOPIC_FIELDS) or not isinstance(value, Text | Phrase | Prefix):
        raise UsageError(
            f"A topic cannot ask for {format_query(term)!r}: an announcement has only "
            f"{', '.join(TOPIC_FIELDS)}."
        )
    is_prefix = isinstance(value, Prefix)
    written = value.text + "*" * is_prefix
    if term.field == "arxiv_category":
        return _Category(written, value.text.lower(), is_prefix)
    words = _words(clean(value.text))
    if words.isspace():
        raise UsageError(f"{format_query(term)!r} has no letter or digit that could be found.")
    return _Needle(written, term.field, words.removesuffix(" ") if is_prefix else words)


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
