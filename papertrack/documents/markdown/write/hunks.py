"""Put back text that was removed with an entry of an earlier version of a README.

The units of hunks are lines here. A line is identified by its entry, by the label that it defines,
or else by its text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise

from papertrack.differences import Change, changes
from papertrack.documents.hunks import Hunk, Unit, apply_hunks, hunk_at
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.syntax import cut_lines, labels_in, normalise_label
from papertrack.documents.markdown.write.definitions import Numbering, is_comment_of
from papertrack.documents.markdown.write.edit_types import Patch, patched

_DEFINITION = "definition "
_COUNT = re.compile(r"#[0-9]+\Z")
_NUMBER = re.compile(r"[ \t>]*[0-9]{1,9}[.)]")


@dataclass(frozen=True, slots=True)
class OldText:
    """An entry's text before it was edited, and the other changes of these edits."""

    text: str
    hunks: tuple[Hunk, ...] = ()


def units_of(document: Document) -> list[Unit]:
    """Return the lines of a document as units, including their line ends."""
    lines = lines_of(document.text)
    units = [Unit(line.strip(), line) for line in lines]
    for definition in document.definitions:
        name = f"{_DEFINITION}{definition.label}"
        units[definition.line] = Unit(name, lines[definition.line], is_sole=True)
    for entry in document.entries:
        if entry.is_shared:  # The line has several entries, so it is identified by its text.
            continue
        span = _lines_of_entry(document, entry)
        units[span.start : span.stop] = entry_units(entry.key, lines[span.start : span.stop])
    return units


def entry_units(key: str, lines: Sequence[str]) -> list[Unit]:
    """Return the lines of the entry with this key as units."""
    return [Unit(f"{number} {_stem(key)}", line) for number, line in enumerate(lines)]


def hunks_of_gone(
    then: Document, index: int, now: Document, moved: int | None = None, words: str | None = None
) -> tuple[Hunk, ...]:
    """Return what was removed with an entry of the earlier document ``then``.

    This includes its lines, the blank lines around it, and its definitions. ``moved`` is its index
    in ``now``, if it was moved. ``words`` replace its lines when it is put back. Empty if the
    entry's text still exists in part, or if other text was removed from its line.
    """
    change = _Change(then, index, now, moved)
    entry_span = change.own
    if then.entries[index].is_shared:
        return change.of_shared()
    if moved is None and change.stands(entry_span):
        return ()
    removed_lines = {*entry_span, *change.blank_around(entry_span), *change.definitions()}
    hunks = [hunk_at(change.units, span, order=span[0]) for span in _runs(removed_lines)]
    return tuple(hunks if words is None else (change.with_words(hunk, words) for hunk in hunks))


def hunks_around(then: Document, index: int, now: Document, entry: int) -> tuple[Hunk, ...]:
    """Return the other changes that came with edits of an entry since an earlier document.

    They are changes of its definitions and of the comment with its title.
    """
    change = _Change(then, index, now, entry)
    hunks = [hunk_at(change.units, span, order=span[0]) for span in _runs(change.definitions())]
    return (*hunks, *change.replaced(), *change.added())


class _Change:
    """How the lines and definitions of an entry differ between two documents."""

    def __init__(self, then: Document, index: int, now: Document, after: int | None) -> None:
        self.then, self.now = then, now
        self.entry = then.entries[index]
        self.after = None if after is None else now.entries[after]
        self.units, self.there = units_of(then), units_of(now)
        if then.text and not (_has_end(then.text) or _has_end(now.text)):
            # The last line has no line end, but would get one if it were not the last.
            last = self.units[-1]
            self.units[-1] = replace(last, text=last.text + then.style.line_end)
        self.own = _lines_of_entry(then, self.entry)
        self.defined, self.defined_now = map(_defined, (self.units, self.there))

    @cached_property
    def changes(self) -> list[Change]:
        """The differences of the documents by line names, without the lines of the entry."""
        names = [unit.name or unit.text for unit in self.units]  # Blank lines have no name.
        for line in self.own:
            names[line] = f"\0{line}"
        moved = () if self.after is None else _lines_of_entry(self.now, self.after)
        left = [later.name or later.text for n, later in enumerate(self.there) if n not in moved]
        return changes(names, left)

    @cached_property
    def gone(self) -> set[int]:
        """The numbers of the removed lines."""
        return {line for change in self.changes for line in range(change.start, change.end)}

    def stands(self, line_numbers: Collection[int]) -> bool:
        """Return whether one of these lines still exists, though not as part of the entry."""
        was, now = (
            Counter(unit.text.strip() for unit in units) for units in (self.units, self.there)
        )
        lines = Counter(self.units[line].text.strip() for line in line_numbers)
        return any(text and was[text] - now[text] < count for text, count in lines.items())

    def blank_around(self, span: range) -> set[int]:
        """Return the blank lines that were removed with the entry.

        They are above it if the removed block starts with one, and otherwise below.
        """
        (block,) = (part for part in self.changes if part.start <= span.start < part.end)
        is_above = not self.units[block.start].name
        blank: set[int] = set()
        line, step = (span.start, -1) if is_above else (span.stop - 1, 1)
        while (line := line + step) in self.gone and not self.units[line].name:
            blank.add(line)
        return blank

    def with_words(self, hunk: Hunk, words: str) -> Hunk:
        """Return a hunk with these words in place of the entry's lines.

        The entry's number in a list stays.
        """
        first, end = self.own.start - hunk.at, self.own.stop - hunk.at
        if not 0 <= first < len(hunk.units):
            return hunk
        lines = "".join(unit.text for unit in hunk.units[first:end])
        old, new = _NUMBER.match(lines), _NUMBER.match(words)
        if old and new:
            words = old.group() + words[new.end() :]
        text = words.rstrip("\r\n") + lines[len(lines.rstrip("\r\n")) :]
        again = entry_units(self.entry.key, lines_of(text))
        return replace(hunk, units=(*hunk.units[:first], *again, *hunk.units[end:]))

    def of_shared(self) -> tuple[Hunk, ...]:
        """Return the row that the entry was removed from, if it still has its other works."""
        line = self.own.start
        block = next((part for part in self.changes if part.start <= line < part.end), None)
        if block is None or block.end - block.start != block.new_end - block.new_start:
            return ()
        there = self.there[block.new_start + line - block.start]
        keys = [e.key for e in self.then.entries if e.line == self.entry.line]
        left = [e.key for e in self.now.entries if there is self.there[e.line - 1]]
        keys.remove(self.entry.key)
        if [_stem(key) for key in keys] != [_stem(key) for key in left]:
            return ()
        hunk = hunk_at(self.units, (line, line + 1), line, [there.name])
        more = (hunk_at(self.units, span, order=span[0]) for span in _runs(self.definitions()))
        return (hunk, *more)

    def definitions(self) -> set[int]:
        """Return the lines of removed definitions that the entry used.

        Comments above them with the entry's title are included.
        """
        lines = {self.defined[label] for label in self._labels(self.then, self.entry)}
        gone = {line for line in lines if _label_in(self.units[line]) not in self.defined_now}
        title = self.entry.fields.title or ""
        above = (line - 1 for line in gone if line)
        return gone | {line for line in above if line in self.gone and self._has_title(line, title)}

    def replaced(self) -> Iterator[Hunk]:
        """Yield hunks for the definitions that changed, and for the comments above them."""
        title = self.entry.fields.title or ""
        seen: set[int] = set()
        for label in self._labels(self.then, self.entry):
            line, now = self.defined[label], self.defined_now.get(label)
            if now is None:
                continue
            unit, there = self.units[line], self.there[now]
            if unit.text.strip() != there.text.strip():
                yield hunk_at(self.units, (line, line + 1), line, [there.name])
            if line and now and line - 1 not in seen and self._has_title(line - 1, title):
                seen.add(line - 1)
                comment, above = self.units[line - 1], self.there[now - 1]
                new = self.after.fields.title if self.after else ""
                if comment.name != above.name and is_comment_of(above.text.rstrip("\r\n"), new):
                    yield hunk_at(self.units, (line - 1, line), line - 1, [above.name])

    def added(self) -> Iterator[Hunk]:
        """Yield hunks for the definitions that the entry needs only since the change."""
        labels = self._labels(self.now, self.after) if self.after else []
        for label in labels:
            if label not in self.defined:
                line = len(self.units)
                yield hunk_at(
                    self.units, (line, line), line, [self.there[self.defined_now[label]].name]
                )

    def _labels(self, document: Document, entry: Entry) -> list[str]:
        """Return the labels that an entry refers to, in the order of their definitions."""
        defined = self.defined if document is self.then else self.defined_now
        text = document.text[slice(*entry.span)]
        return sorted({*labels_in(text)} & {*defined}, key=defined.__getitem__)

    def _has_title(self, line: int, title: str) -> bool:
        return is_comment_of(self.units[line].text.rstrip("\r\n"), title)


def _defined(units: Sequence[Unit]) -> dict[str, int]:
    """Map labels to the lines that define them. Of several with one label, the first counts."""
    return {_label_in(unit): n for n, unit in reversed([*enumerate(units)]) if unit.is_sole}


def _label_in(unit: Unit) -> str:
    """Return the normalized label that a line defines."""
    return normalise_label(unit.name.removeprefix(_DEFINITION))


def _stem(key: str) -> str:
    """Return a key without the number that distinguishes entries of one work."""
    return _COUNT.sub("", key)


def _lines_of_entry(document: Document, entry: Entry) -> range:
    """Return the numbers of an entry's lines."""
    first = entry.line - 1
    return range(first, bisect_left(document.starts, entry.span[1], first))


def with_hunks(document: Document, hunks: Sequence[Hunk]) -> tuple[str, tuple[Hunk, ...]]:
    """Return the text with hunks put back, and the hunks for which no place was found.

    The text ends with a line end if and only if it did before.
    """
    units, lost = apply_hunks(units_of(document), hunks)
    lines = [unit.text for unit in units]
    for number, line in enumerate(lines[:-1]):
        if not _has_end(line):
            lines[number] = line + document.style.line_end
    text = "".join(lines)
    is_open = bool(document.text) and not _has_end(document.text)
    return (text.removesuffix(document.style.line_end) if is_open else text), lost


def with_old_texts(document: Document, olds: Mapping[int, OldText]) -> str:
    """Return the text with earlier texts of entries, given by index.

    Other changes of the same edits are undone too. The caller must check that the entries are read
    as before.
    """
    patches: list[Patch] = []
    end = 0
    for index in sorted(olds, key=lambda index: document.entries[index].span):
        span = document.entries[index].span
        if span[0] >= end:  # An entry nested in another is replaced with it.
            patches.append(Patch(span, olds[index].text))
            end = span[1]
    text = patched(document.text, patches)
    hunks = [hunk for old in olds.values() for hunk in old.hunks]
    if not hunks:
        return text
    document = document.parse_again(text)
    numbering = Numbering(document)

    def may_go(hunk: Hunk) -> bool:
        """Return whether a hunk removes no definition that is still used."""
        names = (name for name in hunk.gone if name.startswith(_DEFINITION))
        labels = (normalise_label(name.removeprefix(_DEFINITION)) for name in names)
        defined = [label for label in labels if label in numbering.by_label]
        return bool(hunk.units) or not any(map(numbering.is_used, defined))

    return with_hunks(document, list(filter(may_go, hunks)))[0]


def _has_end(line: str) -> bool:
    return line.endswith(("\n", "\r"))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, including their line ends."""
    if not text:
        return []
    return [text[start:end] for start, end in pairwise([*cut_lines(text).starts, len(text)])]


def _runs(lines: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of consecutive numbers as start and end."""
    for _, run in groupby(enumerate(sorted(lines)), lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        yield numbers[0], numbers[-1] + 1
