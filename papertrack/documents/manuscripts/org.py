"""Find citations in Org: ``[cite:@key]``, org-ref's ``citep:key``, and LaTeX commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from papertrack.documents.manuscripts import latex, model
from papertrack.documents.manuscripts.latex_commands import known_commands
from papertrack.text import line_counter

_BLOCK = re.compile(
    r"^[ \t]*\#\+begin_(?P<block>src|example|comment|export(?![ \t]+latex))\b"
    r"|^[ \t]*:(?P<drawer>PROPERTIES):[ \t]*$|^(?P<stars>\*+)[ \t]+(?:[A-Z]+[ \t]+)?COMMENT\b",
    re.IGNORECASE | re.MULTILINE,
)
_DEAD = re.compile(
    r"^[ \t]*#(?:[ \t][^\n]*)?$|^[ \t]*:(?:[ \t][^\n]*)?$"
    r"|\bsrc_\w+(?:\[[^\]\n]{0,500}\])?\{[^}\n]{0,500}\}"
    r"|(?:(?<=[\s\-({'\"])|^)(?P<mark>[=~])(?=\S)[^\n]{1,500}?(?<=\S)(?P=mark)"
    r"(?=[\s\-.,:!?;'\")}\[]|$)",
    re.MULTILINE,
)
# The characters of keys in Org's own citations (org-element.el).
SIMPLE_KEY = re.compile(r"[-.:?!`'/*@+|(){}<>&_^$#%~\w]+")
_CITE = re.compile(r"(?<!\[)\[cite(?:/[\w/-]*)?:")
_LONGEST = 5000
"""The most characters of a citation with its notes."""
_KEY = re.compile(rf"@({SIMPLE_KEY.pattern})")
_NAME = r"\w(?:[\w:./+*?!~'-]*\w)?"
_LINK = re.compile(
    r"(?P<open>\[\[)?(?<![\w@/:])(?P<type>[A-Za-z]+)\*?:"
    rf"(?:(?P<keys>&?{_NAME}(?:[,;][ ]?&?{_NAME})*)|(?<=:)(?=[^\]\n]{{0,200}}&))"
)
_LINKED_KEY = re.compile(rf"({_NAME})")
_MARKED_KEY = re.compile(rf"&({_NAME})")
_TAKEN_IN = re.compile(
    r"^[ \t]*\#\+include:[ \t]*"
    r"(?:\"(?P<name>(?:(?!::)[^\"\n])++)[^\"\n]*+\"|(?P<name_bare>[^\s\"]++))(?!\s*(?:src|example|export)\b)",
    re.IGNORECASE | re.MULTILINE,
)


def scan(text: str, defined: model.Defined) -> model.Scan:
    """Return the citations and inclusions of a text.

    ``defined`` holds the LaTeX definitions.
    """
    live = model.without(text, _BLOCK, _end_of_block)
    live = model.without_spans(live, [match.span() for match in _DEAD.finditer(live)])
    # In Org, % does not start a comment.
    raw = latex.scan(live.replace("%", " "), defined)
    org_spans = list(_own_citations(live))
    keys = {key.span(1) for span in org_spans for key in _KEY.finditer(live, *span)}
    keys.update(_links(model.without_spans(live, org_spans)))
    keys.update((match.start, match.end) for match in raw.citations)
    line_of = line_counter(text)
    by_start = {match.start: match for match in raw.citations}
    citations = [
        by_start.get(start) or model.Citation(text[start:end], line_of(start), start, end)
        for start, end in sorted(keys)
    ]
    return model.Scan(tuple(citations), (*model.inclusions_in(live, _TAKEN_IN), *raw.inclusions))


def _own_citations(live: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of Org's own citations, including nested brackets."""
    opened, ends = list[int](), dict[int, int]()
    for bracket in re.finditer(r"[\[\]]", live):
        if bracket.group() == "[":
            opened.append(bracket.start())
        elif opened:
            ends[opened.pop()] = bracket.end()
    done = 0
    for start in _CITE.finditer(live):
        end = ends.get(start.start(), 0)
        if done <= start.start() < end <= start.start() + _LONGEST:
            done = end
            yield start.start(), end


def _links(live: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the keys in org-ref links.

    If a link has a key marked with &, only marked keys count; the rest is text.
    """
    for link in _LINK.finditer(live):
        command = known_commands().get(link["type"])
        if command and command.is_citing:
            start, end = link.start("keys") if link["keys"] else link.end(), link.end()
            # The keys may go on to the end of the brackets.
            end = max(live.find("]", end, end + _LONGEST), end) if link["open"] else end
            is_marked = "&" in live[start:end]
            if link["keys"] or is_marked:
                key = _MARKED_KEY if is_marked else _LINKED_KEY
                yield from (match.span(1) for match in key.finditer(live, start, end))


def _end_of_block(start: re.Match[str]) -> str:
    if start["block"]:
        return rf"(?i:^[ \t]*\#\+end_{start['block']}\b)|\Z"
    if start["drawer"]:
        return r"(?i:^[ \t]*:END:[ \t]*$)"
    return rf"(?=^\*{{1,{len(start['stars'])}}}[ \t])|\Z"
