"""Update the highlights in a note. They are between two markers, and the reader may write there
too.

The first line of each quote ends with a comment that has an id and a digest of the written lines.
Only lines that still have this digest are replaced, moved or removed. All other lines are the
reader's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from hashlib import sha256
from itertools import chain, count
from typing import NamedTuple

_HEADING = "## Highlights"
_BEGIN = "<!-- highlights of your PDF; your own words between them stay -->"
_END = "<!-- end of highlights -->"
_IS_BEGIN = re.compile(r"<!-- highlights .*-->\s*")
_WHOSE = re.compile(r"page \d+, \w+ of ([^,]+)")
"""Gives the citekey of a quote's paper, in a note of several papers."""
_MARKED = re.compile(r"(\*.+\*) <!-- ([0-9a-f]{8})-([0-9a-f]{8}) -->\r?")


def meaning_above(line: str, citekeys: Container[str]) -> str | None:
    """Return the meaning of a quote's colour, for the line above the quote.

    It is "" for a colour without a meaning, for a quote of a paper with none of these citekeys, and
    for the line that ends the quotes; None for any other line.
    """
    if not (marked := _MARKED.fullmatch(line)):
        return "" if line.strip() == _END else None
    about, _, meaning = marked[1][1:-1].partition(": ")
    origin = _WHOSE.match(about)
    return meaning if not origin or origin[1].replace("\\", "") in citekeys else ""


class NoteUpdate(NamedTuple):
    """The new text of a note, and how many of its quotes changed."""

    text: str
    added: int
    changed: int
    removed: int
    kept: int
    """Quotes whose highlight is gone or changed, but that stay because the reader wrote there."""
    left_out: int
    """Highlights whose quotes the reader has deleted."""


class _Quote(NamedTuple):
    id: str
    """Empty for a copy that the reader made."""
    own: list[str]
    """The lines that papertrack wrote; all lines up to the next quote if the reader changed any."""
    behind: list[str]
    """The reader's lines up to the next quote."""
    is_own: bool
    """Whether those lines are still as they were written."""

    @property
    def lines(self) -> list[str]:
        return [*self.own, *self.behind]

    @property
    def is_bare(self) -> bool:
        """Whether the reader wrote nothing into the quote or behind it."""
        return self.is_own and not any(line.strip() for line in self.behind)


def put_highlights(text: str, wanted: Mapping[str, str], old_ids: AbstractSet[str]) -> NoteUpdate:
    """Bring the highlights of a note up to date.

    ``wanted`` maps ids to texts, in order. Those of ``old_ids`` that are not in the note were
    deleted by the reader, and stay away. A note without highlights gets them at its end.
    """
    eol = "\r\n" if "\r\n" in text else "\n"
    lines = text.split("\n")
    if part := _part_of(lines):
        written = {id: _written(id, wanted[id], eol) for id in wanted}
        return _with_part_updated(lines, part, written, old_ids, eol.removesuffix("\n"))
    if not wanted.keys() - old_ids:
        return NoteUpdate(text, 0, 0, 0, 0, len(wanted))
    before = text if text.endswith("\n") or not text else text + eol
    empty = eol.join([_HEADING, "", _BEGIN, "", _END, ""])
    return put_highlights(before + (eol if before else "") + empty, wanted, old_ids)


def _with_part_updated(
    lines: list[str],
    part: tuple[int, int],
    written: Mapping[str, list[str]],
    old_ids: AbstractSet[str],
    blank: str,
) -> NoteUpdate:
    start, end = part
    quotes = list(_quotes(lines[start:end]))
    staying, fates, ids = list[_Quote](), Counter[str](), set[str]()
    for quote in quotes:
        if quote.id in ids:
            staying.append(quote._replace(id=""))
            continue
        ids.add(quote.id)
        is_gone = quote.id in old_ids and quote.id not in written
        fate, quote = _followed(quote, written.get(quote.id), blank, is_gone=is_gone)
        fates[fate] += 1
        if fate != "removed":
            staying.append(quote)
    new = [id for id in written if id not in ids and id not in old_ids]
    added = [_Quote(id, written[id], [blank], is_own=True) for id in new]
    head = lines[: end - sum(len(quote.lines) for quote in quotes)]
    body = _ordered(head, staying, added, dict(zip(written, count(), strict=False)))
    changed, removed, kept = fates["changed"], fates["removed"], fates["kept"]
    text = "\n".join([*head, *body, *lines[end:]])
    return NoteUpdate(text, len(new), changed, removed, kept, len(written.keys() & old_ids - ids))


def _followed(
    quote: _Quote, now: list[str] | None, blank: str, *, is_gone: bool
) -> tuple[str, _Quote]:
    """Return what becomes of a quote, and the quote as it is written.

    ``now`` are the lines of its highlight; None if the highlight is gone (``is_gone``), or belongs
    to another paper that has the same note.
    """
    if is_gone and quote.is_bare:
        return "removed", quote
    if is_gone or not quote.is_own:
        return "kept", quote
    if now is None or quote.own == now:
        return "same", quote
    # A blank line keeps the reader's text apart from the new quote.
    gap = [blank] if quote.behind and quote.behind[0].strip() else []
    return "changed", quote._replace(own=now, behind=[*gap, *quote.behind])


def _ordered(
    head: list[str], staying: list[_Quote], added: list[_Quote], order: Mapping[str, int]
) -> list[str]:
    """Return the lines of the quotes, in order. A quote with the reader's words stays in its
    place."""
    placed, loose, last = list[_Quote](), added, -1
    for quote in staying:
        place = order.get(quote.id, -1)
        (loose if quote.is_bare and -1 < place < last else placed).append(quote)
        last = max(last, place)
    for place, quote in sorted((order[quote.id], quote) for quote in loose):
        later = (n for n, quote in enumerate(placed) if order.get(quote.id, -1) > place)
        at = next(later, len(placed))
        before = placed[at - 1].lines if at else head
        gap = quote.behind[:1] if "".join(before[-1:]).strip() else []
        placed.insert(at, quote._replace(own=[*gap, *quote.own]))
    return list(chain.from_iterable(quote.lines for quote in placed))


def _part_of(lines: Sequence[str]) -> tuple[int, int] | None:
    """Return where the part with highlights begins and ends, even if a marker was deleted."""
    begins = (n + 1 for n, line in enumerate(lines) if _IS_BEGIN.fullmatch(line))
    marked = (n for n, line in enumerate(lines) if _MARKED.fullmatch(line))
    start = next(begins, next(marked, None))
    if start is None:
        return None
    ends = (n for n in range(start, len(lines)) if lines[n].strip() == _END)
    return start, next(ends, len(lines))


def _quotes(lines: list[str]) -> Iterator[_Quote]:
    """Yield the quotes of the part with highlights."""
    marked = [(n, match) for n, line in enumerate(lines) if (match := _MARKED.fullmatch(line))]
    ends = [*(n for n, _ in marked[1:]), len(lines)]
    for (start, match), end in zip(marked, ends, strict=False):
        about, id, digest = match.groups()
        hash_ = sha256(about.encode())
        own = start + 1
        while hash_.hexdigest()[:8] != digest and own < end:
            hash_.update(b"\n" + lines[own].removesuffix("\r").encode())
            own += 1
        is_own = hash_.hexdigest()[:8] == digest
        own = own if is_own else end
        yield _Quote(id, lines[start:own], lines[own:end], is_own)


def _written(id: str, text: str, eol: str) -> list[str]:
    """Return the lines of a quote, without their line ends."""
    about, *rest = text.split("\n")
    digest = sha256(text.encode()).hexdigest()[:8]
    end = eol.removesuffix("\n")
    return [f"{line}{end}" for line in (f"{about} <!-- {id}-{digest} -->", *rest)]
