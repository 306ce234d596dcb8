"""Write new entries in the style of the entries around them.

Of up to sixty neighbours, the one that fits best is the pattern: it has the same facts as the new
paper, few remarks, a common form, and is near. Its facts are replaced by those of the new paper.
Unknown facts are left out with their separators, and so are all remarks. In a row, each cell has a
pattern of its own. Whatever is left out is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from textwrap import TextWrapper

from papertrack.documents.markdown.link_labels import arxiv_work
from papertrack.documents.markdown.marks.style import mark_text
from papertrack.documents.markdown.model import Document, Entry, EntryFields, Table
from papertrack.documents.markdown.pattern import LOOSE, Pattern, pattern_for
from papertrack.documents.markdown.read.tables import split_row
from papertrack.documents.markdown.values import Span, blanked, holds, most_common
from papertrack.documents.markdown.write.definitions import Numbering
from papertrack.documents.markdown.write.edit_types import NoPlaceError, Patch
from papertrack.documents.markdown.write.entries import NEIGHBOURS
from papertrack.documents.markdown.write.explain import (
    END,
    REMARK,
    START,
    Siblings,
    Splitter,
    Stretch,
    Variants,
    column_names,
)
from papertrack.documents.markdown.write.facts import NewPaper
from papertrack.documents.markdown.write.fields import column_width, date_text, rating_text
from papertrack.documents.markdown.write.markup import (
    MARKER,
    escape_text,
    join_gaps,
    left_open,
    repository_name,
    target_of,
    without_empty_labels,
)

KINDS_OF_FIELDS = {
    "title": ("title",),
    "url": ("to:title", "to:paper", "to:pdf"),
    "tags": ("tags",),
    **{name: (name,) for name in "authors venue date description number mark rating".split()},
    **dict.fromkeys(("year", "name", "any"), ()),
}
"""The kinds of pieces that each field of a declared pattern stands for."""
_FEW = 8
_FACT, _LETTER, _STEP, _FORM, _ELSEWHERE = 12.0, 1.0, 0.2, 12.0, 14.0
"""The costs of a neighbour as a pattern.

They are for each fact that only one of the papers has, each letter of a remark, each step of
distance, an unusual form, and being in another section.
"""
_USUAL = 0.05
"""The least share of siblings with a fact for which a new entry needs it too."""
WRITABLE = ("item", "numbered", "paragraph", "heading", "html_row", "details")
_DIGITS = re.compile(r"[0-9]{1,18}")
_INDENT = re.compile(r"\n([ \t]*)")
ENDED = ("?", "!", ".", "。", "？", "！")
_NEEDS = {
    **{"authors": "authors", "venue": "a venue", "date": "a date", "tag": "tags", "tags": "tags"},
    **{"description": "a description", REMARK: "remarks"},
}
_WITHOUT_ADDRESS = "The list has no place for its address {}."
_TRIED = 8
"""How many patterns are tried to find one that leaves no bracket open."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """The text of a new entry."""

    lines: str
    """Its lines, without the last line end."""
    definitions: Sequence[Patch] = ()
    """The patches that add its link definitions."""
    left_out: str = ""
    """A sentence about facts that most other entries have, or that the paper has, but that it
    lacks."""


@dataclass
class NewEntries:
    """Writes new entries of one document."""

    document: Document
    numbering: Numbering
    splitter: Splitter
    added: list[int] = field(default_factory=list)
    """The sections of new entries that are not in the document's text yet."""
    _siblings: dict[tuple[Span, ...], Siblings] = field(default_factory=dict)

    def item(
        self, near: Sequence[Entry], section: int, fields: EntryFields, *, is_escaped: bool = False
    ) -> NewEntry:
        """Return an entry in the style of the ``near`` ones, nearest first.

        Raises NoPlaceError if there is no entry to imitate and no declared pattern.
        """
        around = self._around(near)
        declared = pattern_for(self.document.settings, self.document.sections[section].path)
        is_shown = bool(around) and around[0][0].shape in WRITABLE
        if not is_shown and declared is None:
            raise NoPlaceError("The category contains no entry that a new one could follow.")
        stretches = [self.splitter.split(entry)[0] for entry, _ in around]
        siblings = self._siblings_of(stretches)
        numbers = self._numbers(siblings, section, near)
        shape = around[0][0].shape if is_shown else "item"
        paper = NewPaper(self.document, fields, shape, numbers=numbers, is_escaped=is_escaped)
        new = NewEntry("")
        if is_shown:
            pattern = best_pattern(siblings, [steps for _, steps in around], paper)
            lines, definitions = self._with_references([(pattern, siblings)], paper, near)
            lines = [self._with_link(lines[0], siblings, paper)]
            whole = _closed(shape, without_empty_labels(lines[0].strip("\r\n")))
            new = NewEntry(whole, definitions, _left_out([siblings], paper))
        if declared is not None:
            new = self._declared(declared, new if near else NewEntry(""), siblings, paper)
        return replace(new, lines=self._wrapped(self._with_marker(new.lines, near), near))

    def _declared(
        self, pattern: Pattern, usual: NewEntry, siblings: Siblings, paper: NewPaper
    ) -> NewEntry:
        """Return an entry whose first line follows the pattern that the user declared.

        The other lines are those of ``usual``. Facts are written as in the neighbours.
        """
        stretches = reversed(siblings.stretches)
        pieces = {piece.kind: piece for part in stretches for piece in part.pieces}
        missing: list[str] = []

        def value_of(name: str) -> str | None:
            kinds = KINDS_OF_FIELDS.get(name, (f"to:{name}",))
            alike = [paper.text_for(pieces[kind], siblings) for kind in kinds if kind in pieces]
            value = next(filter(None, alike), None) or self._plain_field(name, paper)
            if value is None and name not in LOOSE:
                missing.append(f"{{{name}}}")
            return value

        _, *below = usual.lines.split("\n")
        text, main, notes = "\n".join([pattern.write(value_of), *below]), paper.main, []
        if missing:
            names = ", ".join(missing)
            unknown = "It was written without these fields of the pattern, which are unknown"
            notes.append(f"{unknown}: {names}.")
        if main and not (main.url in text or (paper.arxiv and paper.arxiv in text)):
            notes.append(_WITHOUT_ADDRESS.format(main.url))
        return NewEntry(text, usual.definitions if below else (), " ".join(notes))

    def _plain_field(self, name: str, paper: NewPaper, table: Table | None = None) -> str | None:
        """Return the text of a field without a sample to imitate; None if it is unknown."""
        fields, document = paper.fields, self.document
        if name == "mark":
            marks = document.marks_of(("table", table.index)) if table else document.style.marks
            return mark_text(marks, fields.passes or 0)
        links = [link for link in fields.links if link.role == name]
        texts = {
            "title": paper.escaped(fields.title),
            "authors": ", ".join(map(escape_text, fields.authors)),
            "venue": escape_text(fields.venue or ""),
            "date": date_text(document, table, fields.date) or ("" if table else fields.date),
            "year": str(paper.year or ""),
            "rating": rating_text(document, fields.rating),
            "tags": ", ".join(map(escape_text, fields.tags)),
            "description": escape_text(fields.description or ""),
            "url": target_of(paper.main.url) if paper.main else "",
        }.get(name, target_of(links[0].url) if links else "")
        return texts or None

    def row(
        self, table: Table, near: Sequence[Entry], fields: EntryFields, *, is_escaped: bool = False
    ) -> NewEntry:
        """Return a row of a table in the style of the ``near`` ones, nearest first."""
        around = self._rows_around(table, near)
        cells: list[tuple[Stretch | None, Siblings]] = []
        paper = NewPaper(self.document, fields, "row", is_escaped=is_escaped)
        stretches = [
            (stretch, steps) for entry, steps in around for stretch in self.splitter.split(entry)
        ]
        for name in column_names(table):
            nearby = [pair for pair in stretches if pair[0].where == name]
            siblings = self._siblings_of([stretch for stretch, _ in nearby])
            paper.numbers = {**paper.numbers, **self._numbers(siblings, table.section, near)}
            steps = [steps for _, steps in nearby]
            cells.append((best_pattern(siblings, steps, paper) if nearby else None, siblings))
        rows = (e for e in self.document.entries if e.shape == "row" and not e.is_shared)
        alike = [row for row in rows if self.document.table_of(row).columns == table.columns]
        texts, definitions = self._with_references(cells, paper, alike)
        for number, (_, siblings) in enumerate(cells):
            if not texts[number] and not any(s.pieces for s in siblings.stretches):
                texts[number] = self._default_cell(table, number, paper)
        line = self._row(table, [entry for entry, _ in around], texts)
        return NewEntry(line, definitions, _left_out([nearby for _, nearby in cells], paper))

    def _siblings_of(self, stretches: Sequence[Stretch]) -> Siblings:
        """Return these stretches as siblings, cached for other new entries at this place."""
        key = tuple(stretch.span for stretch in stretches)
        if key not in self._siblings:
            self._siblings[key] = Siblings(self.document.text, stretches)
        return self._siblings[key]

    def _with_link(self, text: str, siblings: Siblings, paper: NewPaper) -> str:
        """Return an entry with a link around its title, if it has no link but all siblings have."""
        title, main = paper.escaped(paper.fields.title), paper.main
        is_linked = all(stretch.entry.anatomy.links for stretch in siblings.stretches)
        if main is None or main in paper.replaced.values() or not is_linked or title not in text:
            return text
        paper.replaced["title"] = main
        return text.replace(title, f"[{title}]({target_of(main.url)})", 1)

    def _default_cell(self, table: Table, number: int, paper: NewPaper) -> str:
        """Return the text of a cell by its column's role, if no row shows how to write it."""
        role, fields = table.columns[number].role, paper.fields
        if role == "title":
            title, main = paper.escaped(fields.title), paper.main
            return title if main is None or paper.replaced else f"[{title}]({target_of(main.url)})"
        name = {"author": "authors", "passes": "mark"}.get(role, role)
        if name in ("authors", "tags", "description", "venue", "rating", "date", "mark"):
            return self._plain_field(name, paper, table) or ""
        links = [x for x in fields.links if x.role == role and x not in paper.replaced.values()]
        paper.replaced |= {link.url: link for link in links}
        names = (repository_name(link.url) if role == "code" else role for link in links)
        return ", ".join(
            f"[{escape_text(link.label or name)}]({target_of(link.url)})"
            for link, name in zip(links, names, strict=True)
        )

    def _around(self, near: Sequence[Entry]) -> list[tuple[Entry, float]]:
        """Return the entries to imitate, each with its distance."""
        beside = [entry for entry in near if entry.anatomy.title is not None][:NEIGHBOURS]
        if len(beside) >= _FEW:
            return _with_steps(beside, ())
        others = [e for e in self.document.entries if e.anatomy.title and e.shape in WRITABLE]
        shape = beside[0].shape if beside else most_common([entry.shape for entry in others])
        line, seen = beside[0].line if beside else 0, {entry.index for entry in beside}
        more = [entry for entry in others if entry.shape == shape and entry.index not in seen]
        return _with_steps(beside, sorted(more, key=lambda entry: abs(entry.line - line)))

    def _rows_around(self, table: Table, near: Sequence[Entry]) -> list[tuple[Entry, float]]:
        """Return the rows to imitate, each with its distance. Rows of similar tables may follow."""
        names = {column.header for column in table.columns}
        alike = {
            other.index: len(names & {column.header for column in other.columns})
            for other in self.document.tables
            if other.index != table.index
        }
        order = sorted(filter(alike.__getitem__, alike), key=alike.__getitem__, reverse=True)
        rows = (self.document.rows_of(self.document.tables[index]) for index in order)
        return _with_steps(near[:NEIGHBOURS], (row for few in rows for row in few[-NEIGHBOURS:]))

    def _with_references(
        self,
        patterns: Sequence[tuple[Stretch | None, Siblings]],
        paper: NewPaper,
        alike: Sequence[Entry],
    ) -> tuple[list[str], Sequence[Patch]]:
        """Return the patterns filled for a paper, and the patches that add its link definitions."""

        def write() -> list[str]:
            paper.replaced, paper.tags = {}, 0
            return [
                written(pattern, siblings, paper) if pattern else ""
                for pattern, siblings in patterns
            ]

        texts = write()
        if not paper.references:
            return texts, ()
        labels, definitions = self.numbering.block(
            paper.fields.title, list(paper.references), alike
        )
        paper.references = dict(labels)
        return write(), definitions

    def _numbers(self, siblings: Siblings, section: int, near: Sequence[Entry]) -> dict[str, str]:
        """Return the numbers of a new entry by kind: ``12``, ``#12``.

        They follow the highest number. If numbers repeat, each list is counted by itself.
        """
        result: dict[str, str] = {}
        for kind in siblings.forms.keys() & {"number", "marker"}:
            numbers = {entry.index: number for entry, number in siblings.shown(kind)}
            shown, ahead = numbers, len(self.added)
            if len(set(map(_value_of, numbers.values()))) < len(numbers):
                here = {entry.index for entry in near}
                shown = {index: number for index, number in numbers.items() if index in here}
                ahead = self.added.count(section)
            highest = max(shown.values(), key=_value_of, default=next(iter(numbers.values())))
            digits = _DIGITS.search(highest)
            width = len(digits[0]) if shown and digits and digits[0][0] == "0" else 0
            following = (_value_of(highest) if shown else 0) + 1 + ahead
            result[kind] = _DIGITS.sub(str(following).zfill(width), highest, count=1)
        return result

    def _with_marker(self, text: str, near: Sequence[Entry]) -> str:
        """Return an item with the indentation and bullet of its neighbours."""
        markers = (MARKER.match(self.document.text, other.span[0]) for other in near)
        marker = most_common([marker.group() for marker in markers if marker])
        return text if marker is None else MARKER.sub(lambda _: marker, text, count=1)

    def _wrapped(self, text: str, near: Sequence[Entry]) -> str:
        """Return an item with its first line wrapped and indented as in its neighbours."""
        if not (width := self.document.style.wrap_width):
            return text
        shown = "".join(self.document.text[slice(*entry.anatomy.body)] for entry in near)
        wrapper = TextWrapper(width, break_long_words=False, break_on_hyphens=False)
        wrapper.subsequent_indent = most_common(_INDENT.findall(shown)) or ""
        line, *below = text.split("\n")
        return "\n".join([*wrapper.wrap(line), *below])

    def _row(self, table: Table, rows: Sequence[Entry], texts: Sequence[str]) -> str:
        """Return the line of a row with these cells, padded like other rows."""
        document, text = self.document, self.document.text
        line = document.line_span(table.header_line)
        cells: Sequence[Span] = split_row(text, *line)
        width = len(cells)
        for row in [row for row in rows if row.anatomy.table == table.index][:1]:
            line, cells = row.anatomy.body, row.anatomy.cells[: len(table.columns)]
        shown = [text[slice(*cell)] for row in rows for cell in row.anatomy.cells]
        shown = shown or [text[slice(*cell)] for cell in cells]
        filled = [part for part in shown if part.strip()]
        lead = most_common([part[: len(part) - len(part.lstrip())] for part in filled]) or ""
        trail = most_common([part[len(part.rstrip()) :] for part in filled]) or ""
        blank = most_common([part for part in shown if not part.strip()])
        empty = lead if blank is None else blank
        padded = [lead + part + trail if part else empty for part in texts[:width]]
        if table.is_aligned:
            widths = (column_width(document, table, number) for number in range(width))
            pairs = zip(padded, widths, strict=True)
            padded = [(part.rstrip(" ") + trail[:1]).ljust(n) for part, n in pairs]
        if not cells:
            return f"|{'|'.join(padded)}|"
        if cells[0][0] == line[0]:  # A row without outer pipes starts with its first word.
            padded[0] = padded[0].lstrip()
        opening, closing = text[line[0] : cells[0][0]], text[cells[-1][1] : line[1]]
        return (opening + "|".join(padded) + closing).rstrip()


def _closed(shape: str, entry: str) -> str:
    """Return an entry with its ``<details>`` closed. Open, it would hide the rest of the page."""
    return f"{entry}\n\n</details>" if shape == "details" and "</details>" not in entry else entry


def _with_steps(beside: Sequence[Entry], others: Iterable[Entry]) -> list[tuple[Entry, float]]:
    """Return the entries beside a new one with their distances.

    If these are few, some of the others follow.
    """
    around = [(entry, steps * _STEP) for steps, entry in enumerate(beside)]
    missing = NEIGHBOURS - len(around) if len(around) < _FEW else 0
    more = enumerate(islice(others, missing))
    return around + [(entry, _ELSEWHERE + steps * _STEP) for steps, entry in more]


def _left_out(several: Sequence[Siblings], paper: NewPaper) -> str:
    """Return a sentence about facts that most siblings have and the new entry lacks.

    It also names the paper's address if the list has no place for it.
    """
    missing: set[str] = set()
    needs = paper.known | ({"venue"} if "preprint" in paper.known else set())
    for siblings in several:
        counts = siblings.needs + Counter(
            REMARK for s in siblings.stretches if any(p.kind == REMARK for p in s.pieces)
        )
        usual = (need for need, n in counts.items() if 2 * n > len(siblings.stretches))
        missing |= {_NEEDS.get(need.partition(" ")[0], "") for need in usual if need not in needs}
    names, main, text = [n for n in dict.fromkeys(_NEEDS.values()) if n in missing], paper.main, []
    if names:
        listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        text.append(f"Most neighbouring entries also have {listed}, which this one lacks.")
    if main and main.role != "note" and main not in paper.replaced.values():
        text.append(_WITHOUT_ADDRESS.format(main.url))
    return " ".join(text)


def _value_of(number: str) -> int:
    """Return the number in a text; 0 if there is none."""
    digits = _DIGITS.search(number)
    return int(digits.group()) if digits else 0


def best_pattern(siblings: Siblings, steps: Sequence[float], paper: NewPaper) -> Stretch:
    """Return the stretch to write a new paper like. ``steps`` are the distances of siblings."""
    count = len(siblings.stretches)
    wanted = {need for need in paper.known if siblings.needs[need] >= max(1, _USUAL * count)}

    def cost(number: int) -> float:
        stretch = siblings.stretches[number]
        needs, (letters, form) = stretch.needs, siblings.burdens[number]
        differing = len(needs - paper.known) + len(wanted - needs)
        return _FACT * differing + _LETTER * letters + steps[number] + _FORM * (1 - form)

    ranked = sorted(range(count), key=cost)[:_TRIED]
    tried = replace(paper, replaced={}, references={})
    # The pieces that are left out must not leave a bracket or a quote open.
    whole = (n for n in ranked if not left_open(_fill(siblings.stretches[n], siblings, tried)[1]))
    return siblings.stretches[next(whole, ranked[0])]


_ANCHOR = re.compile(r"<a\s+(?:name|id)=[\"'][^\"'<>]*[\"']\s*>\s*</a>", re.IGNORECASE)
"""An anchor that is the target of links on the page. A copy would have the same name."""


def written(pattern: Stretch, siblings: Siblings, paper: NewPaper) -> str:
    """Return a pattern filled with the facts of a paper."""
    texts, joints = _fill(pattern, siblings, paper)
    text = "".join(f"{joint}{words}" for joint, words in zip(joints, (*texts, ""), strict=True))
    return _ANCHOR.sub("", text)


def _fill(pattern: Stretch, siblings: Siblings, paper: NewPaper) -> tuple[list[str], list[str]]:
    """Return the texts of a pattern's pieces for a paper, and the texts between them."""
    paper.replaced, paper.tags = ({}, 0) if paper.shape != "row" else (paper.replaced, paper.tags)
    texts: list[str | None] = [None] * len(pattern.pieces)
    # Labels come last, because they depend on the addresses.
    for number, piece in sorted(
        enumerate(pattern.pieces), key=lambda pair: pair[1].kind.startswith("label:")
    ):
        texts[number] = paper.text_for(piece, siblings)
    texts, dropped = _without_half_links(pattern, texts, siblings.text, paper)
    gaps = pattern.joints(siblings.text, dropped)
    filled: list[str] = []
    joints: list[str] = []
    before, since = START, [gaps[0]]
    kinds = [*(piece.kind for piece in pattern.pieces), END]
    for kind, words, gap in zip(kinds, (*texts, ""), (*gaps[1:], ""), strict=True):
        if words is None:
            since.append(gap)
            continue
        joint = since[0]
        if len(since) > 1:
            is_first = before in (START, "marker")
            left = join_gaps(since, is_first=is_first, is_last=kind == END)
            joint = siblings.joints.get((before, kind), Variants({left: 1})).ranked[0]
        if filled and filled[-1].endswith(ENDED) and joint[:1] in (".", "。"):
            joint = joint[1:]
        joints.append(joint)
        filled.append(words)
        before, since = kind, [gap]
    return filled[:-1], joints


def _without_half_links(
    pattern: Stretch, texts: Sequence[str | None], source: str, paper: NewPaper
) -> tuple[list[str | None], list[Span]]:
    """Return the texts without labels of links that have no address, and vice versa.

    Also returns the spans of the link markup around a title without a link.
    """
    kept, dropped, pieces = list(texts), list[Span](), pattern.pieces
    for number, (piece, link) in enumerate((piece, piece.link) for piece in pieces):
        if link is None or not piece.kind.startswith("to:"):
            continue
        start, end = link.label_span
        pairs = enumerate(pieces)
        inside = [n for n, p in pairs if n != number and holds(link.label_span, p.span)]
        if texts[number] is None:
            titles = [other for other in inside if pieces[other].kind == "title"]
            kept = [None if n in inside and n not in titles else t for n, t in enumerate(kept)]
            dropped += [(link.span[0], start), (end, link.span[1])] if titles else []
        elif inside and all(kept[other] is None for other in inside):
            label = blanked(source, link.label_span, [pieces[other].span for other in inside])
            if not any(map(str.isalnum, label)):
                _name_or_drop(pattern, kept, number, inside[0], paper)
    return kept, dropped


def _name_or_drop(
    pattern: Stretch, kept: list[str | None], number: int, inside: int, paper: NewPaper
) -> None:
    """Use the repository's name as the label of a link to code, or leave the link out."""
    link = pattern.pieces[number].link
    assert link is not None, "only links have pieces within their label"
    work = arxiv_work(link.url)
    if link.role == "code" and pattern.pieces[inside].kind == "name":
        kept[inside] = escape_text(repository_name(paper.replaced[work].url))
    else:
        kept[number] = None
        paper.replaced.pop(work, None)
