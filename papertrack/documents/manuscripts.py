"""Which keys a manuscript cites, and where: LaTeX, its .aux and .bcf, Markdown, Typst.

Each scanner takes text and gives citations in their order. They read what the formats' own tools
would, as far as one file tells it: macros that the author made for citing are found by their name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from papertrack.text import line_counter

_LATEX_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_LATEX_VERBATIM = re.compile(r"\\begin\{(?P<name>(?:verbatim|lstlisting|minted|comment)\*?)\}")
_LATEX_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^A-Za-z0-9*\s{\[])[^\n]{0,500}?\1")
# \cite, \citep*, \parencite[see][p. 3]{a,b}, \textcites(x)[y]{a}[z]{b}, \nocite, \Citeauthor, and
# an author's own such as \mycite. \citestyle and its like take no keys.
_LATEX_CITE = re.compile(
    r"\\(?!citestyle|citereset|citetrackerfalse|citetrackertrue|citename|citefield|citelist"
    r"|defcitealias|newcite|renewcite|DeclareCite)"
    r"(?:[A-Za-z]{0,30}[cC]ite[A-Za-z]{0,30})\*?"
    r"(?P<groups>(?:\s*(?:\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}))+)"
)
_LATEX_END = re.compile(r"\\end\s*\{document\}")
# \input{intro}, \include{intro} and \subfile{intro} in TeX, \@input{intro.aux} in .aux files; with
# the folder apart \import{parts/}{intro}, and \subimport{parts/}{intro} from that of the file.
_INCLUSION = re.compile(
    r"\\(?P<command>input|include|subfile(?:include)?|@input|(?P<apart>(?:sub)?import"
    r"|(?:sub)?(?:input|include)from)\*?)\s*"
    r"(?(apart)\{(?P<folder>[^{}\n]*)\}\s*)\{(?P<name>[^{}\n]+)\}"
)
_LATEX_GROUP = re.compile(r"\{([^{}]*)\}")
_AUX_CITATION = re.compile(r"^\\(?:citation|abx@aux@cite(?:\{[0-9]+\})?)\{([^{}]*)\}", re.MULTILINE)
_BCF_CITEKEY = re.compile(r"<bcf:citekey\b[^>]*>([^<]*)</bcf:citekey>")

_MARKDOWN_CODE = re.compile(r"^ {0,3}(?P<fence>```+|~~~+)|(?P<ticks>`+)|<!--", re.MULTILINE)
# As Pandoc reads keys: letters, digits and _ with single punctuation inside; @{…} holds anything.
_MARKDOWN_KEY = re.compile(
    r"(?<![\w@/.\\])@(?:\{([^{}\s]+)\}|(\w+(?:[:.#$%&\-+?<>~/]\w+)*))",
)
# An address, in which // begins no comment, is text.
_TYPST_CODE = re.compile(r"(?<!:)//|/\*|(?P<ticks>`+)")
_TYPST_KEY = re.compile(
    r"(?<![\w@.])@([\w][\w.:\-]*)|#?cite\(\s*(?:<([^<>\s]+)>|label\(\"([^\"]+)\"\))"
)
_TYPST_INCLUSION = re.compile(r"#(?P<command>include)\s+(?P<folder>)\"(?P<name>[^\"\n]+)\"")
_LABEL = re.compile(
    r"(?:fig|tab|tbl|eq|eqn|sec|ch|chap|app|lst|alg|thm|lem|def|cor|prp|rem)[:\-]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Citation:
    """One key, cited at one place."""

    citekey: str
    """``*`` for LaTeX's ``\\nocite{*}``, which cites everything."""
    line: int
    """Counted from 1."""
    start: int = field(default=0, compare=False)
    """Where the key begins in the text."""


@dataclass(frozen=True, slots=True)
class Inclusion:
    """A file that a LaTeX, .aux or Typst file takes in."""

    command: str
    """``input``, ``include``, ``subfile``, ``import``, ``@input`` or the like."""
    name: str
    """As it is written: without an ending, as a rule."""
    line: int
    """Counted from 1."""


def find_inclusions(text: str, name: str) -> list[Inclusion]:
    """The files that a LaTeX, .aux or Typst file takes in; not those whose names a macro makes."""
    suffix = name.rpartition(".")[2].casefold()
    if suffix == "typ":
        text = _without(text, _TYPST_CODE, _end_of_typst_code)
        matches = _TYPST_INCLUSION.finditer(text)
    elif suffix in ("tex", "ltx", "latex", "aux"):
        text, end = _live_latex(text)
        matches = _INCLUSION.finditer(text, 0, end)
    else:
        return []
    inclusions = []
    line_of = line_counter(text)
    for found in matches:
        command, folder, path = found.group("command", "folder", "name")
        path = f"{folder.strip().rstrip('/')}/{path.strip()}" if folder else path.strip()
        if not set(path) & set("#\\"):
            inclusions.append(Inclusion(command, path, line_of(found.start())))
    return inclusions


def is_label(key: str) -> bool:
    """Whether an ``@key`` of Markdown or Typst that nobody knows is, by its name, no citation but
    a reference: to a figure, table, equation, section or theorem."""
    return _LABEL.match(key) is not None


def find_citations(text: str, name: str) -> list[Citation]:
    """What ``text`` cites, in its order. The end of ``name`` tells its format; LaTeX if unknown."""
    suffix = name.rpartition(".")[2].casefold()
    line_of = line_counter(text)
    pairs = _SCANNERS.get(suffix, _in_latex)(text)
    return [Citation(key, line_of(at), at) for key, at in pairs]


def _in_latex(text: str) -> Iterator[tuple[str, int]]:
    """The keys with their offsets."""
    text, end = _live_latex(text)
    for macro in _LATEX_CITE.finditer(text, 0, end):
        is_plural = "cites" in macro.group().casefold().split("{")[0]
        groups = list(_LATEX_GROUP.finditer(text, *macro.span("groups")))
        for group in groups if is_plural else groups[:1]:
            # In the definition of a macro #1 stands for the keys that it is given.
            yield from ((key, at) for key, at in _keys(group) if "#" not in key)


def _live_latex(text: str) -> tuple[str, int]:
    """The text with blanks for comments and verbatim, so that offsets stay; and where it ends."""
    text = _without(text, _LATEX_VERBATIM, lambda begin: rf"\\end\{{{re.escape(begin['name'])}\}}")
    text = _LATEX_VERB.sub(lambda verb: " " * len(verb.group()), text)
    text = _LATEX_COMMENT.sub(_blank_after_backslashes, text)
    end = _LATEX_END.search(text)
    return text, end.start() if end else len(text)


def _in_lists(citation: re.Pattern[str], text: str) -> Iterator[tuple[str, int]]:
    for found in citation.finditer(text):
        yield from _keys(found)


def _keys(match: re.Match[str]) -> Iterator[tuple[str, int]]:
    """The keys apart by commas in the first group of ``match``, each with its offset."""
    for key in re.finditer(r"[^,\s](?:[^,]*[^,\s])?", match.group(1)):
        yield " ".join(key.group().split()), match.start(1) + key.start()


def _in_markdown(text: str) -> Iterator[tuple[str, int]]:
    text = _without(text, _MARKDOWN_CODE, _end_of_markdown_code)
    for key in _MARKDOWN_KEY.finditer(text):
        yield key.group(key.lastindex or 1), key.start(key.lastindex or 1)


def _in_typst(text: str) -> Iterator[tuple[str, int]]:
    text = _without(text, _TYPST_CODE, _end_of_typst_code)
    for key in _TYPST_KEY.finditer(text):
        found = key.group(key.lastindex or 1)
        # A sentence may end after a citation; a label never ends in its punctuation.
        yield found.rstrip(".:"), key.start(key.lastindex or 1)


def _end_of_markdown_code(start: re.Match[str]) -> str:
    if fence := start["fence"]:
        return rf"^ {{0,3}}{re.escape(fence)}|\Z"
    return _same_ticks(start["ticks"]) if start["ticks"] else "-->"


def _end_of_typst_code(start: re.Match[str]) -> str:
    if ticks := start["ticks"]:
        return _same_ticks(ticks)
    return r"\*/|\Z" if start.group() == "/*" else "$"


def _same_ticks(ticks: str) -> str:
    return rf"(?<!`)`{{{len(ticks)}}}(?!`)"


def _without(text: str, starts: re.Pattern[str], end_of: Callable[[re.Match[str]], str]) -> str:
    """``text`` with blanks from each start to its end, which ``end_of`` gives as a pattern.

    A start without an end is ordinary text. An end that was missing once is not looked for again.
    """
    pieces: list[str] = []
    missing: set[str] = set()
    done = at = 0
    while start := starts.search(text, at):
        at = start.end()
        wanted = end_of(start)
        if wanted in missing:
            continue
        end = re.compile(wanted, re.MULTILINE).search(text, at)
        if end is None:
            missing.add(wanted)
            continue
        pieces += text[done : start.start()], re.sub(r"[^\n]", " ", text[start.start() : end.end()])
        done = at = end.end()
    return "".join([*pieces, text[done:]])


def _blank_after_backslashes(match: re.Match[str]) -> str:
    return match.group(1) + " " * (len(match.group()) - len(match.group(1)))


_SCANNERS: dict[str, Callable[[str], Iterator[tuple[str, int]]]] = {
    **dict.fromkeys(("tex", "ltx", "latex", "sty", "cls", "bbl", "rnw"), _in_latex),
    "aux": partial(_in_lists, _AUX_CITATION),
    "bcf": partial(_in_lists, _BCF_CITEKEY),
    **dict.fromkeys(("md", "markdown", "qmd", "rmd", "txt", "org", "ipynb"), _in_markdown),
    "typ": _in_typst,
}
