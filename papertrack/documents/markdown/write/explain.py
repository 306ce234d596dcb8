"""Split entries into facts of their papers, words shared with siblings, and remarks.

An entry, or a cell of a row, is split into pieces and the gaps between them. A piece is one fact:
the title, the authors, a link's address, a link's label. A gap contains separators, markup, and
words that most siblings have at the same place. All other words are pieces of kind ``remark``: they
are about this paper only, and are not written into other entries.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from operator import attrgetter

from papertrack.documents.markdown.link_labels import arxiv_form, label_pattern
from papertrack.documents.markdown.model import Document, Entry, PlacedLink, Table
from papertrack.documents.markdown.read.tables import content_span
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import Span, find_date, find_dates, medal_tags, stripped
from papertrack.documents.markdown.write.markup import repository_name
from papertrack.documents.markdown.write.name_lists import NameStyle, learn_names, read_names
from papertrack.identifiers import arxiv_month
from papertrack.matching.venues import is_server, parsed_venue
from papertrack.text import fold, numbered

START, END = "<", ">"
"""The kinds that stand for the start and the end of an entry."""
REMARK = "remark"
_LINE_END = re.compile(r"(?<![ \t])[ \t]*\r?\n[ \t]*(?![-+*][ \t]|[0-9]+[.)])")
_NUMBER = re.compile(r"[ \t>]*(?P<number>[0-9]{1,9})[.)][ \t]")
_WORD = re.compile(
    r":[a-z0-9_+-]{2,}:|\bet al\b\.?|[^\W_]+(?:['’.-](?=[^\W_])[^\W_]+)*"
    r"|[\u2600-\u27bf\u2b50\U0001f300-\U0001faff]"
)
_TAG = re.compile(r"</?(?!img\b)[A-Za-z!][^<>]*>")
_TAGGED = re.compile(r"<(?P<tag>[a-z]+)\b[^<>]*>(?P<inner>[^<>]+)</(?P=tag)>")
_PICTURE = re.compile(r"!\[[^\[\]]*\]\([^()\s]*\)|<img\b[^<>]*>")
VENUE_BADGE = re.compile(
    r"(?<=/badge/)(?P<name>[A-Za-z]{2,12})(?P<between>-|%20|_)(?:19|20)[0-9]{2}"
)
"""A venue and its year in the address of a picture."""
_REPOSITORY = re.compile(
    r"https?://(?:www\.)?(?:github|gitlab|gitee)\.(?:com|org)/([\w.-]+/[\w.-]+)"
)
_TAG_WORDS = re.compile(r"[^\W_](?:[^,;|/、，；\[\]()`\n]*[^\W_+#])?")
_OTHERS = re.compile(r",?\s*et\.?\s*al\b\.?")
_OF_OTHERS = ("et al", "et al.")
"""Words that are part of names, even where each name is a link."""
_SHARED, _NEARLY_ALL, _ALIKE, _FEW = 0.5, 0.95, 0.75, 8
"""Shares of siblings that have a word at one place: half makes it a shared word; nearly all are
needed for a word alone in its cell; below ``_ALIKE`` the words vary, so they are facts. ``_FEW``
nearest siblings are compared."""
_BLANK_CELLS = ("", "null", "-", "–", "—", "N/A", "n/a", "None", "none", "无", "/", "x", "TBD")
_FORMLESS = (REMARK, "title", "number", "marker", "mark")
_FROM_PARTS = ("authors", "venue", "date", "tag", "rating", "number", "name")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of an entry that is one fact."""

    kind: str
    """The kind of fact:

    - ``title``, ``authors``, ``venue``, ``date``, ``tag``, ``tags``, ``description``, ``rating``
      and ``mark``
    - ``number`` (``#12``) and ``marker`` (the number of an item)
    - ``to:title`` and ``to:code``: the address of the title's link, or of a link to code
    - ``label:code``: the label of such a link
    - ``id:arxiv`` and ``id:code``: the paper's number and ``owner/name``, in a picture or in words
    - ``medal``: a sign that is a tag
    - ``pass``: the mark of one pass in its own column, or the day of a task
    - ``remark``: anything else
    """
    span: Span
    form: str = ""
    """How it is written, whatever its value: ``%Y-%m``, ``https://arxiv.org/pdf/{id}``."""
    link: PlacedLink | None = None

    @property
    def need(self) -> str | None:
        """What must be known about a paper to write such a piece for it; None if nothing."""
        role = self.role
        if self.kind.startswith("to:"):
            link_role = self.link.role if self.link and role == "title" else role
            if link_role == "paper" or (link_role == "pdf" and (self.form or role == "title")):
                return "paper"
            return "a link" if role == "title" else role
        if self.kind in ("id:arxiv", "id:code"):
            return role
        if self.kind == "venue" and is_server(self.form.partition("\0")[2]):
            return "preprint"
        if self.kind == "medal":
            return f"medal {self.form}"
        if self.kind == "date":
            return f"date of {precision_of(self.form)}"
        if self.kind == "mark":
            return "mark" if self.form else None
        is_free = self.kind.partition(":")[0] in (REMARK, "number", "marker", "pass", "label")
        return None if is_free else self.kind

    @property
    def role(self) -> str:
        """The part of its kind after the colon: ``code`` for ``to:code``."""
        return self.kind.partition(":")[2]

    @property
    def shared_form(self) -> str:
        """Its form without the name of the venue."""
        return self.form.partition("\0")[0]


def precision_of(pattern: str) -> str:
    """Return the precision of a date format: ``day``, ``month`` or ``year``."""
    if re.search("%-?d", pattern):
        return "day"
    return "month" if re.search("%-?[mbB]", pattern) else "year"


@dataclass(frozen=True, slots=True)
class Stretch:
    """An entry, or a cell of a row, split into pieces."""

    entry: Entry
    where: str
    """The shape of the entry, or the name of the cell's column. Only equal ones are compared."""
    span: Span
    pieces: tuple[Piece, ...]
    is_wrapped: bool = False

    def unwrapped(self, text: str) -> str:
        """Return a text of the entry with blanks for the ends of wrapped lines."""
        return _LINE_END.sub(" ", text) if self.is_wrapped else text

    def joints(self, text: str, dropped: Sequence[Span] = ()) -> list[str]:
        """Return the gaps as they are where lines are not wrapped."""
        return list(map(self.unwrapped, self.gaps(text, dropped)))

    def gaps(self, text: str, dropped: Sequence[Span] = ()) -> list[str]:
        """Return the texts before, between and after the pieces, without the spans ``dropped``."""
        starts = [self.span[0], *(piece.span[1] for piece in self.pieces)]
        ends = [*(piece.span[0] for piece in self.pieces), self.span[1]]
        spans = zip(starts, ends, strict=True)
        if not dropped:
            return [text[start:end] for start, end in spans]
        out = {at for span in dropped for at in range(*span)}
        return ["".join(text[at] for at in range(*span) if at not in out) for span in spans]

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """The kinds of the pieces on both sides of each gap."""
        return pairwise((START, *(piece.kind for piece in self.pieces), END))

    @property
    def needs(self) -> set[str]:
        """The needs of its pieces."""
        return {need for piece in self.pieces if (need := piece.need)}


def column_names(table: Table) -> list[str]:
    """Return unique names of a table's columns. They are equal in tables of the same form."""
    names = (f"|{fold(column.header) or column.role}" for column in table.columns)
    return numbered(names)


class Splitter:
    """Splits the entries of a document into facts and gaps. Results are cached."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._cut: dict[int, tuple[Stretch, ...]] = {}

    def split(self, entry: Entry) -> tuple[Stretch, ...]:
        """Return an entry split into facts. A row has one stretch per cell."""
        if entry.index not in self._cut:
            self._cut[entry.index] = tuple(self._stretches(entry))
        return self._cut[entry.index]

    def _stretches(self, entry: Entry) -> Iterator[Stretch]:
        document = self.document
        if entry.shape == "row":
            names = column_names(document.table_of(entry))
            cells = [content_span(document.text, cell) for cell in entry.anatomy.cells]
            facts: list[list[Piece]] = [[] for _ in cells]
            for piece in _candidates(document, entry, entry.span) if cells else ():
                at = bisect_right(cells, piece.span[0], key=lambda cell: cell[0]) - 1
                facts[at].append(piece)
            for name, cell, cell_facts in zip(names, cells, facts, strict=False):
                yield Stretch(entry, name, cell, _pieces(cell_facts, cell))
            return
        start, end = stripped(document.text, entry.span, "\r\n")
        for other in document.entries[entry.index + 1 : entry.index + 2]:
            if start < other.span[0] < end:  # A nested entry is about another work.
                end = stripped(document.text, (start, other.span[0]), "\r\n \t")[1]
        pieces = _pieces(_candidates(document, entry, (start, end)), (start, end))
        yield Stretch(entry, entry.shape, (start, end), pieces, document.style.wrap_width > 0)


def _pieces(candidates: Iterable[Piece], within: Span) -> tuple[Piece, ...]:
    """Return the candidates inside a span that do not overlap. Earlier candidates win."""
    kept: list[Piece] = []
    is_described = False
    for piece in candidates:
        start, end = piece.span
        is_description = piece.kind == "description"
        if not within[0] <= start < end <= within[1] or (is_description and is_described):
            continue
        at = bisect_left(kept, start, key=lambda other_piece: other_piece.span[0])
        if (at and kept[at - 1].span[1] > start) or (at < len(kept) and kept[at].span[0] < end):
            continue
        kept.insert(at, piece)
        is_described |= is_description
    return tuple(kept)


def _candidates(document: Document, entry: Entry, within: Span) -> Iterator[Piece]:
    """Yield the possible facts in a span, the most certain first."""
    text, anatomy = document.text, entry.anatomy
    if anatomy.title:
        yield Piece("title", anatomy.title)
    if anatomy.mark:
        yield Piece("mark", anatomy.mark.span, "done" if anatomy.mark.passes else "")
    done = [part.span for part in anatomy.parts if part.role == "mark"]
    done += [cell.mark.span for cell in anatomy.pass_cells if cell.mark]
    yield from (Piece("pass", where) for where in done)
    if entry.shape != "row" and (marker := _NUMBER.match(text, *within)):
        yield Piece("marker", marker.span("number"))
    for part in anatomy.parts:
        if part.role in _FROM_PARTS:
            yield _part(document, entry, part.role, part.span)
    roles = (*_FROM_PARTS, "title")
    facts = sorted(part.span for part in anatomy.parts if part.role in roles)
    for link in anatomy.links:
        yield from _pieces_of_link(text, entry, link, facts)
    if anatomy.rating:
        yield Piece("rating", anatomy.rating)
    yield from _below(document, entry)
    for picture in _PICTURE.finditer(text, *within):
        if badge := VENUE_BADGE.search(picture.group()):
            yield Piece("venue", picture.span(), f"{badge['between']}%Y\0{badge['name']}")
    yield from _facts_in_words(document, entry, within)


def _part(document: Document, entry: Entry, kind: str, span: Span) -> Piece:
    """Return the piece of a part, with its form."""
    if tagged := _TAGGED.fullmatch(document.text, *span):
        span = tagged.span("inner")
    text = document.text[slice(*span)]
    if kind == "date":
        date = find_date(document.text, *span)
        return (
            Piece(kind, span, date.pattern) if date and date.span == span else Piece(REMARK, span)
        )
    if kind == "venue":
        name, form = parsed_venue(text)
        return Piece(kind, span, f"{form}\0{name or text}")
    if kind == "authors":
        if text.endswith("et al") and document.text.startswith(".", span[1]):
            span, text = (span[0], span[1] + 1), f"{text}."
        names = read_names(text, entry.fields.authors)
        return Piece(kind, span, f"{names.style} {names.order} {names.others}" if names else "")
    return Piece(kind, span)


def _pieces_of_link(
    text: str, entry: Entry, link: PlacedLink, facts: Sequence[Span]
) -> Iterator[Piece]:
    """Yield a link's address, and its label if that contains none of the sorted ``facts``."""
    target = link.url_span
    if link.form == "reference":
        target = link.label_span[1] + 2, link.span[1] - 1
    if link.form == "text":
        return
    role = link.role
    if role == "pdf" and not any(other.role == "paper" for other in entry.anatomy.links):
        role = "paper"
    kind = "to:title" if entry.anatomy.is_title(link) else f"to:{role}"
    yield Piece(kind, target, arxiv_form(link.url) or "", link)
    start, end = link.label_span
    at = bisect_left(facts, (start, start))
    holds = at < len(facts) and facts[at][0] < facts[at][1] <= end
    if not holds and link.label_span != link.url_span:
        label = label_pattern(text[start:end], link.url)
        if link.label.casefold() == repository_name(link.url).casefold():
            label = text[start:end].replace(link.label, "{id}")
        yield Piece(f"label:{role}", link.label_span, label, link)


def _below(document: Document, entry: Entry) -> Iterator[Piece]:
    """Yield the facts in the lines below an entry. Adjacent tags are one piece."""
    text, tags = document.text, []
    for part in entry.anatomy.below:
        if part.role == "tag":
            tags.append(part.span)
        elif part.role != "details":
            piece = _part(document, entry, part.role, part.span)
            yield from [piece] if piece.form else []  # Skip names with other text among them.
    if tags:
        start, end = tags[0][0], tags[-1][1]
        start -= len(text[:start][-2:]) - len(text[:start][-2:].rstrip("[`#"))
        end += text[end] in "]`"
        # In the form, ``{}`` stands for a tag: ``[{}], [{}]``.
        yield Piece("tags", (start, end), _TAG_WORDS.sub("{}", text[start:end]))


def _facts_in_words(document: Document, entry: Entry, within: Span) -> Iterator[Piece]:
    """Yield facts in an entry's words that were not recognized as parts."""
    text, fields = document.text, entry.fields
    start, end = within
    if span := _names_in(text, fields.authors, entry, within):
        yield _part(document, entry, "authors", span)
    if entry.shape != "row" and fields.venue and (at := text.find(fields.venue, start, end)) >= 0:
        yield _part(document, entry, "venue", (at, at + len(fields.venue)))
    if fields.description:
        for part in (*entry.anatomy.parts, *entry.anatomy.below):
            if part.role == "details" and plain(text[slice(*part.span)]) == fields.description:
                yield Piece("description", part.span)
    arxiv = next((item.value for item in entry.identifiers if item.scheme == "arxiv"), None)
    ids = [("id:arxiv", rf"(?<![0-9.]){re.escape(arxiv)}(?![0-9.])")] if arxiv else []
    paths = (repository_path(link.url) for link in entry.anatomy.links if link.role == "code")
    ids += [("id:code", rf"{re.escape(path)}(?![\w-])") for path in paths if path]
    for kind, pattern in ids:
        yield from (Piece(kind, m.span()) for m in re.compile(pattern).finditer(text, *within))
    known_dates = [date for date in (fields.date, arxiv and arxiv_month(arxiv)) if date]
    for dated in find_dates(text, start, end):
        if any(item.startswith(dated.iso) or dated.iso.startswith(item) for item in known_dates):
            yield Piece("date", dated.span, dated.pattern)


def repository_path(url: str) -> str | None:
    """Return ``owner/name`` from the address of a repository, or None."""
    match = _REPOSITORY.match(url)
    return match[1].removesuffix(".git") if match else None


def _names_in(text: str, names: Sequence[str], entry: Entry, within: Span) -> Span | None:
    """Return the span of the authors in an entry, or None."""
    title = entry.anatomy.title
    if not names or entry.shape == "row":
        return None
    start = text.find(names[0], title[1] if title else within[0], within[1])
    if start < 0:
        start = text.find(names[0], *within)
    last = text.find(names[-1], start, within[1]) if start >= 0 else -1
    if last < 0:
        return None
    end = last + len(names[-1])
    cut = _OTHERS.match(text, end, within[1])
    return start, cut.end() if cut else end


_Side = tuple[str, str]
"""The kinds of the pieces before and after a gap. "" stands for any kind."""


class Variants(Counter[str]):
    """Counts how many siblings write something in the same way."""

    def share(self, way: str) -> float:
        """Return the share of siblings that write it this way."""
        return self[way] / self.total()

    @property
    def ranked(self) -> list[str]:
        """The ways to write it, most common first."""
        return [way for way, _ in self.most_common()]


class Siblings:
    """Entries that are written alike, nearest first, and what they share."""

    def __init__(self, text: str, stretches: Sequence[Stretch]) -> None:
        self.text = text
        self._counts: Counter[str] = Counter()
        """How often each word occurs in gaps."""
        self.stretches = list(stretches)
        self._words = self._shared_words()
        self.stretches = [self._with_remarks(stretch) for stretch in self.stretches]

    def shown(self, kind: str) -> list[tuple[Entry, str]]:
        """Return the texts of the pieces of a kind, each with its entry."""
        return [
            (stretch.entry, stretch.unwrapped(self.text[slice(*piece.span)]))
            for stretch in self.stretches
            for piece in stretch.pieces
            if piece.kind == kind
        ]

    @cached_property
    def joints(self) -> dict[tuple[str, str], Variants]:
        """The texts between pieces of two kinds."""
        joints: dict[tuple[str, str], Variants] = {}
        for stretch in self.stretches:
            for pair, gap in zip(stretch.pairs, stretch.joints(self.text), strict=True):
                joints.setdefault(pair, Variants())[gap] += 1
        return joints

    @cached_property
    def forms(self) -> dict[str, Variants]:
        """The forms of the pieces of each kind."""
        forms: dict[str, Variants] = {}
        for stretch in self.stretches:
            for piece in stretch.pieces:
                forms.setdefault(piece.kind, Variants())[piece.shared_form] += 1
        return forms

    @cached_property
    def names(self) -> NameStyle:
        """How they write the names of authors."""
        shown = (read_names(text, e.fields.authors) for e, text in self.shown("authors"))
        return learn_names([names for names in shown if names])

    @cached_property
    def needs(self) -> Counter[str]:
        """How many siblings have each need."""
        return Counter(need for stretch in self.stretches for need in stretch.needs)

    @cached_property
    def burdens(self) -> list[tuple[int, float]]:
        """For each stretch, how many letters its remarks have, and how common its form is.

        The latter is the smallest share of siblings that write one of its gaps or pieces alike.
        """
        burdens = []
        for stretch in self.stretches:
            remarks = (self.text[slice(*p.span)] for p in stretch.pieces if p.kind == REMARK)
            gaps = zip(stretch.pairs, stretch.joints(self.text), strict=True)
            shares = [self.joints[pair].share(gap) for pair, gap in gaps if REMARK not in pair]
            formed = (piece for piece in stretch.pieces if piece.kind not in _FORMLESS)
            shares += [self.forms[piece.kind].share(piece.shared_form) for piece in formed]
            letters = sum(sign.isalnum() for remark in remarks for sign in remark)
            burdens.append((letters, min(shares, default=1.0)))
        return burdens

    def _with_remarks(self, stretch: Stretch) -> Stretch:
        """Return a stretch with the words that siblings do not share as further pieces."""
        more = []
        starts = [stretch.span[0], *(piece.span[1] for piece in stretch.pieces)]
        for pair, start, gap in zip(stretch.pairs, starts, stretch.gaps(self.text), strict=True):
            own_words = [
                word.span()
                for word in _words_in(gap, is_cell=stretch.where[:1] == "|" and not stretch.pieces)
                if not self._is_shared(word.group(), pair)
            ]
            # A picture in fewer than half of the siblings belongs to this work only.
            most, pictures = _SHARED * len(self.stretches), _PICTURE.finditer(gap)
            own_words += [match.span() for match in pictures if self._counts[match[0]] < most]
            for a, b in _runs(gap, sorted(own_words)):
                medals = ",".join(medal_tags(gap[a:b]))
                more.append(Piece("medal" if medals else REMARK, (start + a, start + b), medals))
        if not more:
            return stretch
        pieces = sorted([*stretch.pieces, *more], key=attrgetter("span"))
        return replace(stretch, pieces=tuple(pieces))

    def _shared_words(self) -> dict[_Side, list[set[str]]]:
        """Return the words beside pieces of each kind, as one set per sibling.

        The siblings are those in the section or table of the nearest one, and the nearest few.
        """
        beside: dict[_Side, list[set[str]]] = {}
        for stretch in self.stretches:
            is_near = stretch.entry.group == self.stretches[0].entry.group
            words_by_side: dict[_Side, set[str]] = {}
            for (before, behind), gap in zip(stretch.pairs, stretch.gaps(self.text), strict=True):
                words = [fold(word.group()) or word.group() for word in _words_in(gap)]
                self._counts.update([*words, *map(re.Match.group, _PICTURE.finditer(gap))])
                for side in ((before, ""), ("", behind), (before, behind)):
                    words_by_side.setdefault(side, set()).update(words)
            for side, words_there in words_by_side.items():
                if is_near or len(beside.get(side, ())) < _FEW:
                    beside.setdefault(side, []).append(words_there)
        return beside

    def _varies_between_siblings(self, key: str, pair: tuple[str, str]) -> bool:
        """Return whether siblings have different words at the place of a word."""
        worded = list(filter(None, self._words.get(pair, ())))
        return sum(key in words for words in worded) < _ALIKE * len(worded)

    def _is_shared(self, word: str, pair: tuple[str, str]) -> bool:
        """Return whether enough siblings have a word at this place."""
        key = fold(word) or word
        if self._counts[key] < min(2, len(self.stretches)) or key in _OF_OTHERS:
            return False
        if self._varies_between_siblings(key, pair):
            return False
        # A word alone in its cell may be a fact.
        share = _NEARLY_ALL if pair == (START, END) else _SHARED
        sides = [(pair[0], ""), ("", pair[1])]
        # Siblings that lack a piece may have a word instead: *None* instead of code.
        sides += [pair] if share == _SHARED and len(self._words.get(pair, ())) > 1 else []
        word_sets = [self._words.get(side, []) for side in sides]
        return any(sum(key in words for words in sets) >= share * len(sets) for sets in word_sets)


def _words_in(gap: str, *, is_cell: bool = False) -> Iterator[re.Match[str]]:
    """Yield the words of a gap, without HTML tags and without signs for an empty cell."""
    if is_cell and gap.strip() in _BLANK_CELLS:
        return iter(())
    return _WORD.finditer(_TAG.sub(lambda tag: "\1" * len(tag.group()), gap))


def _runs(gap: str, words: Iterable[Span]) -> Iterator[Span]:
    """Yield runs of consecutive words on a line. A picture with one of the words is included."""
    pictures = [match.span() for match in _PICTURE.finditer(gap)]
    run: Span | None = None
    for start, end in words:
        for picture in pictures:
            if picture[0] <= start < picture[1]:
                start, end = picture
        between = gap[run[1] : start] if run else ""
        if run and (start < run[1] or not (_WORD.search(between) or "\n" in between)):
            run = run[0], max(end, run[1])
            continue
        if run:
            yield run
        run = start, end
    if run:
        yield run
