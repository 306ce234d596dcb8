"""What a curator wants to know about a document before a commit. Start here: ``check_document``.

Of entries: duplicates, dates against arXiv ids, no link at all. Of links: definitions, references,
links without target or text. Of tables: rows with other than their header's number of cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import unquote, urlsplit

from papertrack.documents.markdown.model import Definition, Document, Entry, Lines
from papertrack.documents.markdown.read.blocks import Block, is_comment, parse_blocks, walk
from papertrack.documents.markdown.read.columns import split_row
from papertrack.documents.markdown.read.inline import Inline, by_label, normalise_label
from papertrack.documents.markdown.roles import is_web
from papertrack.documents.markdown.values import Span
from papertrack.identifiers import arxiv_month
from papertrack.text import shorten, title_key

FindingKind = Literal[
    "duplicate",  # the same work twice in one section
    "several-sections",  # the same work in different sections, perhaps on purpose
    "shared-address",  # two works with one address: one of them was pasted
    "undefined-reference",
    "unused-definition",
    "repeated-definition",
    "ragged-row",
    "empty-link",
    "broken-address",  # [text]([https://…): no browser follows it
    "missing-note",
    "date",  # contradicts the arXiv id
    "no-link",
]
FINDING_KINDS: tuple[FindingKind, ...] = get_args(FindingKind)

UNMISTAKABLE = 25
"""Letters from which on the same title means the same work, whatever the addresses."""
_NOTE_FILE = re.compile(r"\.(?:md|markdown|ipynb|txt|rst|org|pdf)$", re.IGNORECASE)
_LABEL = re.compile(r"\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\](?!:)", re.DOTALL)
_REFERENCE = re.compile(r"\]\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\](?!\()", re.DOTALL)
_FENCE = re.compile(r"[ \t>]*(?P<fence>`{3,}|~{3,})")
_NOT_FOR_LINKS = re.compile(r"\^|//$|#$|comment$")
"""Labels of footnotes, and those that people use to write a comment: ``[//]: # (text)``."""
_BROKEN = re.compile(r"[^A-Za-z0-9/?#.]{1,9}[A-Za-z][A-Za-z0-9+.-]{0,19}://")
"""The start of an address that was meant for the web, but pasted with something before its
scheme: it leads nowhere."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something that a curator wants to know before a commit."""

    line: int
    """Counted from 1."""
    kind: FindingKind
    message: str
    """A sentence. It quotes the document, so it is cleaned before it is shown."""


def check_document(document: Document) -> tuple[Finding, ...]:
    """Return what is wrong within a document, in the order of its lines, each thing once."""
    blocks = list(walk(parse_blocks(document)))
    found = {*_check_links(document, blocks)}
    unaddressed = {finding.line for finding in found if finding.kind == "empty-link"}
    found.update(_duplicates(document.entries), _dates(document.entries))
    for table in (block for block in blocks if block.kind == "table"):
        found.update(_ragged(document, table))
    found.update(f for f in _without_link(document.entries) if f.line not in unaddressed)
    return tuple(sorted(found))


def local_files(document: Document) -> Iterator[tuple[int, str]]:
    """Yield line and path of the notes and other texts beside the document that its entries link
    to; a path is relative to the document's folder, with ``/``.

    A path from the root of a repository is left out: where that is, the document does not say.
    """
    for entry in document.entries:
        for link in entry.anatomy.links:
            path = _path_beside(link.url)
            if path and (link.role == "note" or _NOTE_FILE.search(path)):
                yield document.line_of(link.span[0]), path


def _path_beside(url: str) -> str | None:
    """Return the path that an address gives from the document's folder; None for any other."""
    if not url or is_web(url) or _BROKEN.match(url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    path = unquote(parts.path)
    return None if parts.scheme or parts.netloc or path.startswith("/") else path


def _duplicates(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield each entry for a work that an entry before it names already."""
    first: dict[object, Entry] = {}
    for entry in entries:
        title = title_key(entry.fields.title)
        names = [*entry.identifiers, *([title] if len(title) >= UNMISTAKABLE else [])]
        before = next(filter(None, map(first.get, names)), None)
        if before is not None:
            yield _duplicate(entry, before)
        for name in names:
            first.setdefault(name, entry)


def _duplicate(entry: Entry, before: Entry) -> Finding:
    name = _quoted(entry)
    place = f"line {before.line}"
    if not _is_alike(entry.fields.title, before.fields.title):
        message = f"{name} has the same address as {_quoted(before)} in {place}."
        return Finding(entry.line, "shared-address", message)
    if entry.category == before.category:
        message = f"{name} is in {place} already, in the same section."
        return Finding(entry.line, "duplicate", message)
    sections = " and ".join(" / ".join(path) or "no section" for path in _paths(before, entry))
    message = f"{name} is in {place} too: it is listed under {shorten(sections)}."
    return Finding(entry.line, "several-sections", message)


def _quoted(entry: Entry) -> str:
    return f"“{shorten(entry.fields.title, 80)}”"


def _paths(*entries: Entry) -> list[tuple[str, ...]]:
    """Return the categories of the entries without what all of them start with."""
    paths = [entry.category for entry in entries]
    while all(len(path) > 1 for path in paths) and len({path[0] for path in paths}) == 1:
        paths = [path[1:] for path in paths]
    return paths


def _is_alike(title: str, other: str) -> bool:
    """Whether two titles may be two spellings of one: rather told apart too seldom."""
    from rapidfuzz import fuzz

    one, two = title_key(title), title_key(other)
    return not (one and two) or fuzz.partial_ratio(one, two) >= 60


def _dates(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield dates that contradict the arXiv id of their entry.

    Where most dates are the month of the id, every other one is wrong. Elsewhere they may be of a
    publication, a talk, a video: only a date more than a year before the id's cannot be right. An
    id's month may be the one after that of the submission.
    """
    dated = [
        (entry, entry.fields.date, arxiv_id, _months(entry.fields.date, arxiv_month(arxiv_id)))
        for entry in entries
        for arxiv_id in [i.value for i in entry.identifiers if i.scheme == "arxiv"][:1]
        if entry.fields.date
    ]
    precise = [months for _, date, _, months in dated if len(date) > 4]
    are_of_ids = sum(abs(months) <= 1 for months in precise) * 2 > len(precise)
    for entry, date, arxiv_id, months in dated:
        is_wrong = abs(months) > 1 if are_of_ids and len(date) > 4 else months < -12
        if is_wrong:
            message = f"{_quoted(entry)} is dated {date}, but "
            message += f"{arxiv_id} was submitted in {arxiv_month(arxiv_id)}."
            yield Finding(entry.line, "date", message)


def _months(*dates: str) -> int:
    """How many months the first date is behind the second. A year alone counts as its last month:
    it contradicts nothing within it."""
    one, other = (int(date[:4]) * 12 + int(date[5:7] or 12) for date in dates)
    return one - other


def _without_link(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield entries without any link, unless the list is mostly one of bare titles."""
    linkless = [entry for entry in entries if not entry.anatomy.links]
    if len(linkless) * 2 <= len(entries):
        for entry in linkless:
            yield Finding(entry.line, "no-link", f"{_quoted(entry)} has no link.")


def _check_links(document: Document, blocks: Sequence[Block]) -> Iterator[Finding]:
    """Yield what is wrong with references, their definitions, and links without target or text.

    Code and comments are not looked at: nothing in them is a link on the rendered page. A
    shortcut reference (``[text]`` alone) is never called undefined: it may be just brackets.
    """
    fenced = _fenced_lines(document)
    definitions = [d for d in document.definitions if d.line not in fenced]
    first = by_label(definitions)
    yield from _badly_defined(definitions, first, blocks)
    used: set[str] = set()
    for block, span in _stretches(document, blocks):
        inline = Inline(document.text, span, first)
        visible = _masked(document.text, span, [*inline.codes, *inline.hidden])
        used.update(normalise_label(match["label"]) for match in _LABEL.finditer(visible))
        if block.kind != "html":
            yield from _undefined(document, span[0], visible, inline, first)
        yield from _unfollowable(document, inline)
    for label, definition in first.items():
        if label not in used and not _NOT_FOR_LINKS.match(label):
            message = f"[{definition.label}] is defined, and no link uses it."
            yield Finding(definition.line + 1, "unused-definition", message)


def _badly_defined(
    definitions: Sequence[Definition], first: Mapping[str, Definition], blocks: Sequence[Block]
) -> Iterator[Finding]:
    """Yield definitions that Markdown ignores: a label's second one, and lines of a paragraph."""
    within = {n for b in blocks if b.kind == "paragraph" for n in range(b.first, b.end)}
    for definition in definitions:
        before = first[normalise_label(definition.label)]
        if before.url != definition.url:
            message = f"[{definition.label}] is defined in line {before.line + 1} already, as "
            message += f"{shorten(before.url, 80)}, which is what its links lead to."
            yield Finding(definition.line + 1, "repeated-definition", message)
        elif definition.line in within:
            message = f"[{definition.label}] is shown as text: a definition needs a blank line"
            message += " between itself and a paragraph."
            yield Finding(definition.line + 1, "undefined-reference", message)


def _fenced_lines(lines: Lines) -> set[int]:
    """Return the lines within fenced code."""
    fenced: set[int] = set()
    fence = ""
    for number in range(len(lines.starts)):
        match = _FENCE.match(lines.line(number))
        if fence:
            fenced.add(number)
            if match and match["fence"].startswith(fence):
                fence = ""
        elif match:
            fence = match["fence"]
    return fenced


def _stretches(lines: Lines, blocks: Sequence[Block]) -> Iterator[tuple[Block, Span]]:
    """Yield the stretches of running text and the blocks that hold them; a row is one."""
    for block in blocks:
        if block.kind == "table":
            for number in range(block.first, block.end):
                yield block, lines.line_span(number)
        elif block.kind in ("heading", "paragraph", "html") and not is_comment(lines, block):
            yield block, (block.start, lines.ends[block.end - 1])


def _masked(text: str, span: Span, hidden: Sequence[Span]) -> str:
    """Return the stretch with what is hidden in it blanked, each offset kept."""
    parts, position = [], span[0]
    for start, end in sorted(hidden):
        parts += [text[position:start], " " * (end - start)]
        position = end
    return "".join([*parts, text[position : span[1]]])


def _undefined(
    document: Document, start: int, visible: str, inline: Inline, known: Mapping[str, Definition]
) -> Iterator[Finding]:
    """Yield references without a definition in what is visible of the stretch at ``start``."""
    labels = iter(inline.links)
    link = next(labels, None)
    for match in _REFERENCE.finditer(visible):
        offset = start + match.start()
        while link is not None and link.span[1] <= offset:
            link = next(labels, None)
        label = match["label"]
        is_text_of_link = link is not None and link.label_span[0] <= offset < link.label_span[1]
        is_known = normalise_label(label) in known or label.startswith("^")
        if not is_text_of_link and not is_known:
            message = f"[{shorten(label, 80)}] is not defined: no link is shown."
            yield Finding(document.line_of(offset), "undefined-reference", message)


def _unfollowable(document: Document, inline: Inline) -> Iterator[Finding]:
    for link in inline.links:
        text = document.text[slice(*link.label_span)].strip()
        name = f"The link “{shorten(text, 80)}”"
        line = document.line_of(link.span[0])
        if link.form == "inline" and not link.url:
            yield Finding(line, "empty-link", f"{name} has no address.")
        elif link.form in ("inline", "reference") and not text:
            message = f"The link to {shorten(link.url, 80)} has no text: it cannot be seen."
            yield Finding(line, "empty-link", message)
        if _BROKEN.match(link.url):
            message = f"{name} leads nowhere: {shorten(link.url, 80)} is no address."
            yield Finding(line, "broken-address", f"{message} What is before the scheme?")


def _ragged(lines: Lines, block: Block) -> Iterator[Finding]:
    """Yield ragged rows; where most rows have the same number of cells, ragged is the header."""
    wanted, _, *widths = (
        len(split_row(lines.text, *lines.line_span(number)))
        for number in range(block.first, block.end)
    )
    common, count = next(iter(Counter(widths).most_common(1)), (wanted, 0))
    if common != wanted and count > 1 and count * 2 > len(widths):
        message = f"The header has {wanted} cells, but {count} of {len(widths)} rows have {common}"
        yield Finding(block.first + 1, "ragged-row", f"{message}.{_hidden(common, wanted)}")
        wanted = common
    for number, width in enumerate(widths, start=block.first + 3):
        if width != wanted:
            message = f"The row has {width} cells, but its table has {wanted} columns."
            yield Finding(number, "ragged-row", message + _hidden(width, wanted))


def _hidden(width: int, wanted: int) -> str:
    """GFM shows no cell that its table has no column for."""
    return " What is behind the last column is not shown." if width > wanted else ""
