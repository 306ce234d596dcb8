"""Update the PDF highlights in a note without changing what the user wrote.

Highlights are quotes between two markers. The first line of each quote ends with a comment that
holds an id and a digest of the quote's lines. Only quotes that still match their digest are
replaced, moved or removed. All other lines belong to the user.
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
"""Matches the citation key of the quoted paper, in a note on several papers."""
_MARKED = re.compile(r"(\*.+\*) <!-- ([0-9a-f]{8})-([0-9a-f]{8}) -->\r?")


def colour_meaning(line: str, citekeys: Container[str]) -> str | None:
    """Return the meaning of a quote's colour from the line above the quote.

    It is "" if the colour has no meaning, if the quoted paper is not among ``citekeys``, and for
    the line that ends the highlights. It is None for any other line.
    """
    if not (marked := _MARKED.fullmatch(line)):
        return "" if line.strip() == _END else None
    about, _, meaning = marked[1][1:-1].partition(": ")
    origin = _WHOSE.match(about)
    return meaning if not origin or origin[1].replace("\\", "") in citekeys else ""


class NoteUpdate(NamedTuple):
    """The new text of a note, and how many quotes changed."""

    text: str
    added: int
    changed: int
    removed: int
    kept: int
    """Quotes whose highlight was removed or changed, but that stay because the user edited them."""
    left_out: int
    """Highlights whose quotes the user deleted."""


class _Quote(NamedTuple):
    id: str
    """Empty if the user copied the quote."""
    written: list[str]
    """The lines that papertrack wrote; all lines up to the next quote if the user changed any."""
    after: list[str]
    """The user's lines before the next quote."""
    is_unchanged: bool
    """Whether the written lines still match their digest."""

    @property
    def lines(self) -> list[str]:
        return [*self.written, *self.after]

    @property
    def is_bare(self) -> bool:
        """Whether the user added nothing to the quote or after it."""
        return self.is_unchanged and not any(line.strip() for line in self.after)


def set_highlights(text: str, wanted: Mapping[str, str], old_ids: AbstractSet[str]) -> NoteUpdate:
    """Update the highlights in a note.

    ``wanted`` maps ids to quotes, in order. ``old_ids`` were written before; those that the note
    lacks were deleted by the user and are not written again. A note without highlights gets them at
    its end.
    """
    eol = "\r\n" if "\r\n" in text else "\n"
    lines = text.split("\n")
    if part := _part_of(lines):
        written = {id: _quote_lines(id, wanted[id], eol) for id in wanted}
        return _with_part_updated(lines, part, written, old_ids, eol.removesuffix("\n"))
    if not wanted.keys() - old_ids:
        return NoteUpdate(text, 0, 0, 0, 0, len(wanted))
    before = text if text.endswith("\n") or not text else text + eol
    empty = eol.join([_HEADING, "", _BEGIN, "", _END, ""])
    return set_highlights(before + (eol if before else "") + empty, wanted, old_ids)


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
        fate, quote = _updated(quote, written.get(quote.id), blank, is_gone=is_gone)
        fates[fate] += 1
        if fate != "removed":
            staying.append(quote)
    new = [id for id in written if id not in ids and id not in old_ids]
    added = [_Quote(id, written[id], [blank], is_unchanged=True) for id in new]
    head = lines[: end - sum(len(quote.lines) for quote in quotes)]
    body = _placed_lines(head, staying, added, dict(zip(written, count(), strict=False)))
    changed, removed, kept = fates["changed"], fates["removed"], fates["kept"]
    text = "\n".join([*head, *body, *lines[end:]])
    return NoteUpdate(text, len(new), changed, removed, kept, len(written.keys() & old_ids - ids))


def _updated(
    quote: _Quote, now: list[str] | None, blank: str, *, is_gone: bool
) -> tuple[str, _Quote]:
    """Return what happens to a quote, as a word, and the new quote.

    ``now`` are the lines of its highlight. They are None if the highlight was removed
    (``is_gone``), or belongs to another paper that shares the note.
    """
    if is_gone and quote.is_bare:
        return "removed", quote
    if is_gone or not quote.is_unchanged:
        return "kept", quote
    if now is None or quote.written == now:
        return "same", quote
    # A blank line separates the user's text from the new quote.
    gap = [blank] if quote.after and quote.after[0].strip() else []
    return "changed", quote._replace(written=now, after=[*gap, *quote.after])


def _placed_lines(
    head: list[str], staying: list[_Quote], added: list[_Quote], order: Mapping[str, int]
) -> list[str]:
    """Return the lines of all quotes in order. Quotes with the user's text stay in place."""
    placed, loose, last = list[_Quote](), added, -1
    for quote in staying:
        place = order.get(quote.id, -1)
        (loose if quote.is_bare and -1 < place < last else placed).append(quote)
        last = max(last, place)
    for place, quote in sorted((order[quote.id], quote) for quote in loose):
        later = (n for n, quote in enumerate(placed) if order.get(quote.id, -1) > place)
        at = next(later, len(placed))
        before = placed[at - 1].lines if at else head
        gap = quote.after[:1] if "".join(before[-1:]).strip() else []
        placed.insert(at, quote._replace(written=[*gap, *quote.written]))
    return list(chain.from_iterable(quote.lines for quote in placed))


def _part_of(lines: Sequence[str]) -> tuple[int, int] | None:
    """Return the range of lines with highlights, even if one of its markers was deleted."""
    begins = (n + 1 for n, line in enumerate(lines) if _IS_BEGIN.fullmatch(line))
    marked = (n for n, line in enumerate(lines) if _MARKED.fullmatch(line))
    start = next(begins, next(marked, None))
    if start is None:
        return None
    ends = (n for n in range(start, len(lines)) if lines[n].strip() == _END)
    return start, next(ends, len(lines))


def _quotes(lines: list[str]) -> Iterator[_Quote]:
    """Yield the quotes among the lines with highlights."""
    marked = [(n, match) for n, line in enumerate(lines) if (match := _MARKED.fullmatch(line))]
    ends = [*(n for n, _ in marked[1:]), len(lines)]
    for (start, match), end in zip(marked, ends, strict=False):
        about, id, digest = match.groups()
        hash_ = sha256(about.encode())
        position = start + 1
        while hash_.hexdigest()[:8] != digest and position < end:
            hash_.update(b"\n" + lines[position].removesuffix("\r").encode())
            position += 1
        is_unchanged = hash_.hexdigest()[:8] == digest
        position = position if is_unchanged else end
        yield _Quote(id, lines[start:position], lines[position:end], is_unchanged)


def _quote_lines(id: str, text: str, eol: str) -> list[str]:
    r"""Return the lines of a quote, without the final ``\n``."""
    about, *rest = text.split("\n")
    digest = sha256(text.encode()).hexdigest()[:8]
    end = eol.removesuffix("\n")
    return [f"{line}{end}" for line in (f"{about} <!-- {id}-{digest} -->", *rest)]
