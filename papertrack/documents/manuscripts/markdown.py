r"""Find citations in Markdown for Pandoc, Quarto and R Markdown.

They look like ``[@key; see @b, p. 3]``, or like LaTeX: ``\cite{key}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from papertrack.documents.manuscripts import latex, model
from papertrack.text import line_counter

# Keys as in Pandoc: letters, digits and _ with single punctuation inside; @{…} holds anything.
SIMPLE_KEY = re.compile(r"\w+(?:(?:[:.#$%&\-+?<>~/]|://?)\w+)*")
# No letter (an e-mail) and no part of an address stands before the @ of a citation.
_CITATION = re.compile(rf"(?<![^\W_]|[@.\\])(?<!\w/)@(?:\{{([^{{}}\n]+)\}}|({SIMPLE_KEY.pattern}))")
_ALL = re.compile(r"(?<!\w)@\*")
_FRONT = re.compile(r"\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_FRONT_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
# Code, comments, addresses, HTML tags and other places where an @ does not cite.
_ROLE = r"\{(?:foot)?cite(?::\w+)*\}`(?P<keys>[^`\n]+)`(?!`)"
_KEY_OF_ROLE = re.compile(r"(?:\{[^{}]*\})?([^\s,{}]+)(?:\{[^{}]*\})?")
_FENCE = re.compile(
    rf"{_ROLE}|^[ \t>]*(?:[-*+][ \t]+)?(?P<fence>```+(?=[^`\n]*$)|~~~+)|(?P<ticks>`+)"
    r"|<(?P<tag>script|style)\b|<!--",
    re.MULTILINE,
)
# Fences around text: raw LaTeX, and the directives of MyST.
_TEXT_FENCE = re.compile(
    r"^(?P<fence>[ \t]*```+)[ \t]*\{(?:=(?:la)?tex|note|tip|hint|important|seealso|warning|caution"
    r"|attention|danger|error|admonition|figure|table|list-table|margin|sidebar|epigraph|dropdown"
    r"|card|prf:\w+|exercise|solution)\}[^`\n]*$",
    re.MULTILINE,
)
_ELSEWHERE = re.compile(
    r"(?<!\\)\$\$.{1,2000}?\$\$|(?<![\\$\w])\$(?![\s$])[^$\n]{0,500}(?<![\s\\])\$(?!\d)"
    r"|(?<=\])\((?:[^()\n]|\([^()\n]{0,500}\)){0,2000}\)"
    r"|(?<![@{\w])[A-Za-z][A-Za-z+.-]{1,20}://[^\s<>)\]]*|</?[A-Za-z][\w-]*(?:\s[^<>]{0,1000})?/?>"
    r"|(?<!@)\{[^{}\n]{0,500}=[^{}\n]{0,500}\}|^ {0,3}\[(?!\^)[^\]\n]+\]:[^\n]*//[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
_EXAMPLE = re.compile(r"^ {0,3}\(@([\w-]+)\)[ \t]", re.MULTILINE)
_CONTAINER = re.compile(r"\s*(?:[-*+]|\(?(?:\d+|[a-zA-Z#@][\w-]*)[.)]|\[\^[^\]]+\]:|[:~])[ \t]")
_TAKEN_IN = re.compile(
    r"\{\{<\s*(?P<command>include)\s+\"?(?P<name>[^\s\">]+)\"?\s*>\}\}"
    r"|^[ \t]*```+\{[^}\n]*\bchild\s*=\s*(?P<quote>[\"'])(?P<name_child>[^\"'\n]+)(?P=quote)",
    re.MULTILINE,
)


def scan(text: str, defined: model.Defined) -> model.Scan:
    """Return the citations and inclusions of a text, also those in raw LaTeX.

    ``defined`` holds the LaTeX definitions.
    """
    without_code = model.without(_without_indented_code(_opened(text)), _FENCE, _end_of_code)
    # In Markdown, % does not start a comment.
    raw = latex.scan(without_code.replace("%", " "), defined)
    live = model.without_spans(
        without_code, [span.span() for span in _ELSEWHERE.finditer(without_code)]
    )
    citations = {span.start: span for span in _citations(live)}
    citations.update((span.start, span) for span in raw.citations)
    inclusions = [*model.inclusions_in(text, _TAKEN_IN), *raw.inclusions]
    return model.Scan(tuple(citations[at] for at in sorted(citations)), tuple(inclusions))


def _citations(live: str) -> Iterator[model.Citation]:
    front = _FRONT.match(live)
    if front:
        comments = [match.span() for match in _FRONT_COMMENT.finditer(front.group())]
        live = model.without_spans(live, comments)
    examples = set(_EXAMPLE.findall(live))
    line_of = line_counter(live)
    if front and (everything := _ALL.search(live, 0, front.end())):
        at = everything.end() - 1
        yield model.Citation(model.EVERYTHING, line_counter(live)(at), at, at + 1)
    for citation in _CITATION.finditer(live):
        group = citation.lastindex or 0
        if citation[group] not in examples:
            yield model.Citation(citation[group], line_of(citation.start()), *citation.span(group))
    for role in re.finditer(_ROLE, live):
        for key in _KEY_OF_ROLE.finditer(live, *role.span("keys")):
            yield model.Citation(key[1], line_of(key.start()), *key.span(1))


def _end_of_code(start: re.Match[str]) -> str:
    if start["keys"]:
        return ""
    if fence := start["fence"]:
        return rf"^[ \t>]*{fence[0]}{{{len(fence)},}}[ \t]*$|\Z"
    if tag := start["tag"]:
        return f"</{tag}>"
    return rf"(?<!`)`{{{len(start['ticks'])}}}(?!`)" if start["ticks"] else "-->"


def _opened(text: str) -> str:
    """Blank out the fences around what is not code."""
    spans = []
    for match in _TEXT_FENCE.finditer(text):
        end = text.find(f"\n{match['fence'].strip()}", match.end())
        if end >= 0:
            spans += [match.span(), (end, end + 1 + len(match["fence"].strip()))]
    return model.without_spans(text, spans)


def _without_indented_code(text: str) -> str:
    """Blank out indented code blocks, but not continued list items, notes or definitions."""
    dead: list[tuple[int, int]] = []
    is_within = False
    was_blank = True
    is_code = False
    at = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            is_indented = line.startswith(("    ", "\t"))
            is_code = is_indented and not is_within and (was_blank or is_code)
            if is_code:
                dead.append((at, at + len(line)))
            if not is_indented and (was_blank or not is_within):
                is_within = _CONTAINER.match(line) is not None
        was_blank = not line.strip()
        at += len(line)
    return model.without_spans(text, dead)
