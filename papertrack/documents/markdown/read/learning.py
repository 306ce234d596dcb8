"""Learn a document's grammar from a sample of its entries, before any entry is read."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from math import exp

from papertrack.documents.markdown.grammar import reading
from papertrack.documents.markdown.grammar.learn import Grammar, Sample, bare, learn
from papertrack.documents.markdown.grammar.likeness import usual_words
from papertrack.documents.markdown.grammar.pieces import Atom, Cutter, roles_of_links
from papertrack.documents.markdown.grammar.segments import Line
from papertrack.documents.markdown.grammar.titles import authors_within, title_within, tool_within
from papertrack.documents.markdown.model import HINTS, Lines, ParsedText, Part, PartRole, Skip
from papertrack.documents.markdown.pattern import Pattern, pattern_for
from papertrack.documents.markdown.read.walk import heading_name
from papertrack.documents.markdown.roles import strong_identifier
from papertrack.documents.markdown.syntax import Block, Inline, Syntax, walk
from papertrack.documents.markdown.values import Span

_MOST = 1000
"""How many entries of a document are sampled, but at least ``_FEW`` per section."""
_FEW = 10
_LONGEST = 4000
"""How many characters of an entry are considered."""
_NO_TITLE = -6.0
"""Words with this score, or a lower one, are certainly not a title."""
_HINT_WEIGHT = 10 * _MOST
"""The weight of a title that the user gave as an example: more than all guessed ones."""
_LINE_END = re.compile(r"^(?P<line>.*)(?=\n[ \t]*(?P<word>\S+))", re.MULTILINE)
_FEWEST_ENDS = 4
"""How many line ends within items show whether they are wrapped."""
_WIDEST = 120
"""The longest lines that people wrap at."""
_SOME_EARLY = 0.05
"""The share of lines that may end earlier: people wrap by hand, too."""
_SOME_LONGER = 6
"""How much longer than nine of ten lines the longest wrapped one may be."""
_MOST_ADDRESSES = 0.75
"""The share of wrapped lines that may begin with an address."""
_LONGEST_COUNTED = 400_000
"""How many characters of a document are searched for lower-case words."""


class LearntGrammar:
    """What was learnt about the lists of a document, by section."""

    def __init__(
        self,
        grammar: Grammar,
        sections: Sequence[int],
        patterns: Sequence[Pattern | None],
        *,
        is_date_hinted: bool = False,
        wrap_width: int = 0,
    ) -> None:
        """``sections`` are the offsets of the headings.

        ``patterns`` are the user's patterns for the text before the first heading and below each
        heading. The ends of lines that are full at ``wrap_width`` separate nothing.
        """
        self.grammar = grammar
        self.patterns = patterns
        self.sections = sections
        self.is_date_hinted = is_date_hinted
        self.wrap_width = wrap_width

    def parse(self, text: str, span: Span, skips: Mapping[int, Skip]) -> ParsedText:
        """Return the parts of an item, paragraph or heading, by the grammar of its list."""
        grammar, group = self.grammar, bisect_right(self.sections, span[0])
        pattern = self.patterns[group]
        if pattern is not None and (declared := pattern.read(text, span)) is not None:
            return declared
        line = self._line(text, span, skips)
        segments = [item for item in grammar.segments(line, group) if item.score > _NO_TITLE]
        title = segments[0] if segments else None
        parts = grammar.parts(text, line, title, group)
        if title is None:
            return ParsedText(None, tuple(parts), 0.0)
        whole = grammar.title(text, line, title)
        where = title_within(text, whole)
        # A paper may be titled by a sentence, too.
        if {"code", "paper"} & roles_of_links(line.atoms) == {"code"}:
            where = tool_within(text, where)
        parts += authors_within(text, whole)
        margin = title.score - (segments[1].score if len(segments) > 1 else _NO_TITLE)
        certainty = 1 / (1 + exp(-min(margin, title.score)))
        return ParsedText(where, (*parts, Part("title", where)), certainty, self.is_date_hinted)

    def _line(self, text: str, span: Span, skips: Mapping[int, Skip]) -> Line:
        """Return the atoms of a span with their looks. Those of samples are cached."""
        skipped, line = self.grammar.lines.get(span, (None, None))
        if line is not None and skipped == skips:
            return line
        return self.grammar.line(text, atoms_of(text, span, skips, self.wrap_width))

    def parts_of_detail(self, text: str, span: Span, skips: Mapping[int, Skip]) -> list[Part]:
        """Return the parts of a line below an entry, which has no title."""
        return self.grammar.parts(text, self._line(text, span, skips), None, None)


def learn_grammar(
    syntax: Syntax, known: Mapping[str, str], settings: Mapping[str, str]
) -> LearntGrammar:
    """Learn the grammar of a document's lists.

    ``known`` are titles by identifier, ``scheme:value``. ``settings`` may contain patterns, and the
    title, authors, venue and date of an entry as examples.
    """
    heads = [syntax.starts[block.first] for block in walk(syntax.blocks) if block.kind == "heading"]
    groups: dict[int, list[Span]] = defaultdict(list)
    for span in _spans(syntax, syntax.blocks):
        groups[bisect_right(heads, span[0])].append(span)
    width = _wrap_width(syntax.text, chain.from_iterable(groups.values()))
    total = sum(map(len, groups.values()))
    samples = [
        sample
        for group, spans in groups.items()
        for span in spans[:: -(-len(spans) // max(_FEW, _MOST * len(spans) // total))]
        if (sample := _sample(syntax, group, span, known, width))
    ]
    if title := settings.get("title"):
        samples = [_with_hinted_title(sample, title) for sample in samples]
    grammar = learn(samples, usual_words(syntax.text[:_LONGEST_COUNTED]))
    words = {role: settings[role] for role in HINTS if role in settings}
    if words:
        corrections = dict(_find_corrections(grammar, samples, words))
        grammar.correct_roles = partial(reading.correct_roles, corrections)
    patterns = _patterns(syntax, settings)
    return LearntGrammar(grammar, heads, patterns, is_date_hinted="date" in words, wrap_width=width)


def _patterns(syntax: Syntax, settings: Mapping[str, str]) -> list[Pattern | None]:
    """Return the user's patterns for the text before the first heading and below each heading."""
    above: list[tuple[int, str]] = []
    patterns = [pattern_for(settings, ())]
    for block in walk(syntax.blocks):
        if block.kind == "heading":
            above = [heading for heading in above if heading[0] < block.level]
            above.append((block.level, heading_name(syntax.line(block.first).strip(" \t#"))))
            patterns.append(pattern_for(settings, [name for _, name in above]))
    return patterns


def _find_corrections(
    grammar: Grammar, samples: Sequence[Sample], words: Mapping[PartRole, str]
) -> Iterator[tuple[reading.NumberedPlace, reading.Correction]]:
    """Find the words of the user's examples in the samples. Yields their places and roles."""
    for sample in samples:
        line = grammar.line(sample.text, sample.atoms)
        for title in grammar.segments(line, sample.group)[:1]:
            yield from reading.find_corrections(sample.text, line, title, words)


def _spans(lines: Lines, blocks: Sequence[Block]) -> Iterator[Span]:
    """Yield the spans of items and paragraphs that may be entries."""
    for block in blocks:
        if block.kind == "list":
            for item in block.children:
                first = item.children[0] if item.children else None
                if first and first.kind in ("paragraph", "heading"):
                    yield item.start, lines.ends[first.end - 1]
        elif block.kind in ("paragraph", "heading"):
            yield block.start, lines.ends[block.end - 1]
        elif block.kind == "quote":
            yield from _spans(lines, block.children)


def _sample(
    syntax: Syntax, group: int, span: Span, known: Mapping[str, str], width: int
) -> Sample | None:
    """Return a sample from a span; None if it has no links and no identifiers."""
    inline = syntax.inline(span)
    if not inline.outward and not inline.written:
        return None
    text, skips = syntax.text, inline.skips()
    atoms = atoms_of(text, span, skips, width)
    return Sample(group, span, skips, text, atoms, _known_title(inline, known))


def _with_hinted_title(sample: Sample, title: str) -> Sample:
    """Return a sample with the title that the user gave as an example.

    A sample that does not contain this title is not changed.
    """
    start, end = sample.atoms[0].start, sample.atoms[-1].end
    if bare(title) not in bare(sample.text[start:end]):
        return sample
    return replace(sample, known=title, weight=_HINT_WEIGHT)


def _known_title(inline: Inline, known: Mapping[str, str]) -> str | None:
    """Return the known title of the first linked work, or None."""
    identifiers = filter(None, (strong_identifier(link.url) for link in inline.outward if known))
    names = (known.get(f"{identifier.scheme}:{identifier.value}") for identifier in identifiers)
    return next(filter(None, names), None)


def _wrap_width(text: str, spans: Iterable[Span]) -> int:
    """Return the width at which lines of items with links are wrapped, or 0.

    A wrapped line ends where the next word did not fit. Lines that end elsewhere separate what an
    entry says.
    """
    starts = [(text.rfind("\n", 0, span[0]) + 1, span[1]) for span in spans]
    linked = (span for span in starts if text.find("://", *span) >= 0)
    ends = list(chain.from_iterable(_LINE_END.finditer(text, *span) for span in linked))
    lengths = [0, *sorted(len(end["line"]) for end in ends)]
    width = lengths[len(ends) * 9 // 10]
    early = sum(len(end["line"]) + len(end["word"]) < width for end in ends)
    # Labels such as ``Authors:`` start lines of their own.
    words = [end["word"] for end in ends]
    are_various = 2 * len({*words}) > len(words) >= _FEWEST_ENDS
    # An address that fits on no line may have one of its own, too.
    is_text = " ".join(words).count("://") <= _MOST_ADDRESSES * len(words)
    is_wrapped = all((are_various, is_text, early <= _SOME_EARLY * len(ends), width <= _WIDEST))
    # The longest line shows the width best, but a line that nobody wrapped is longer by far.
    return is_wrapped * lengths[bisect_right(lengths, width + _SOME_LONGER) - 1]


def atoms_of(text: str, span: Span, skips: Mapping[int, Skip], width: int) -> list[Atom]:
    """Split a span into atoms. The ends of lines wrapped at ``width`` do not separate them."""
    whole = span[0], min(span[1], span[0] + _LONGEST)
    return Cutter(text, whole, skips, wrap_width=width).atoms
