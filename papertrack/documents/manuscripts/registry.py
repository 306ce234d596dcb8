"""The languages of manuscripts.

To add one, write a module with a scanner and add a line here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from papertrack.documents.manuscripts import latex, latex_commands, markdown, org, typst
from papertrack.documents.manuscripts.model import Citation, Defined, Scan


@dataclass(frozen=True, slots=True)
class Language:
    """One way to write manuscripts."""

    name: str
    suffixes: tuple[str, ...]
    scan: Callable[[str, Defined], Scan]
    define: Callable[[str], Defined] = lambda text: Defined()
    """Returns the definitions in a text that matter for reading it and other files."""
    signs: re.Pattern[str] | None = None
    """Recognizes the language by content, if the file name does not show it."""
    key: re.Pattern[str] = re.compile(r"[^\s,{}\\%#~]+")
    """The form of the keys that the language can cite."""
    label: str = ""
    """The form of a figure's or heading's label, which ``@key`` may refer to instead of a work."""
    braced: bool = False
    """Whether odd keys can be cited in braces: ``@{odd/key.}``."""

    def spelled(self, text: str, citation: Citation, citekey: str) -> str | None:
        """Return the text to write in place of a citation to cite ``citekey``.

        None if the language cannot write it there.
        """
        spelled, written = citation.spelled(citekey), text[citation.start : citation.end]
        is_there = written == citation.spelled(citation.citekey) and not re.search(r"\s", written)
        if spelled is None or not is_there:
            return None
        if self.key.fullmatch(spelled):
            return spelled
        is_bare = self.braced and text[: citation.start].endswith("@")
        return f"{{{spelled}}}" if is_bare and not set(spelled) & set("{}\n") else None


LANGUAGES = (
    Language(
        "LaTeX",
        (*("tex", "ltx", "latex", "sty", "cls", "def", "rnw", "snw", "rtex"), "bbl"),
        latex.scan,
        latex_commands.define,
        re.compile(r"\\(?:documentclass|begin\{|(?:sub)?section|[a-z]*cite[a-z]*\*?[\[{])"),
    ),
    Language("aux", ("aux",), latex.scan_aux, signs=re.compile(r"\A\\relax")),
    Language("bcf", ("bcf",), latex.scan_bcf, signs=re.compile(r"<bcf:controlfile")),
    Language(
        "Typst",
        ("typ",),
        typst.scan,
        typst.define,
        re.compile(r"^#(?:set|show|let|import|include|cite|bibliography)\b", re.MULTILINE),
        re.compile(r"[\w\-.:]*[\w\-]"),
        "<{}>",
    ),
    Language(
        "Org",
        ("org",),
        org.scan,
        latex_commands.define,
        re.compile(r"^#\+\w+:|\[cite(?:/[\w/-]*)?:", re.MULTILINE | re.IGNORECASE),
        org.SIMPLE_KEY,
    ),
    Language(
        "Markdown",
        ("md", "markdown", "qmd", "rmd", "rmarkdown", "mdx"),
        markdown.scan,
        latex_commands.define,
        re.compile(r"\A---\s|\[-?@\w|^#{1,6} ", re.MULTILINE),
        markdown.SIMPLE_KEY,
        "#{}",
        braced=True,
    ),
)
"""The languages in the order in which a content is compared. LaTeX if none matches."""

_LABEL = re.compile(
    r"(?:fig|tab|tbl|eq|eqn|sec|ch|chap|app|lst|alg|thm|lem|def|cor|prp|rem)[:\-]", re.IGNORECASE
)
SUFFIXES = frozenset(
    f".{suffix}"
    for language in LANGUAGES
    if language.name not in ("aux", "bcf")
    for suffix in language.suffixes
    if suffix not in ("sty", "cls", "def", "bbl")
)
"""Suffixes, with dots, of the files that authors write."""


def language_of(name: str, text: str) -> Language:
    """Return the language of a file, by its suffix or else by its content."""
    suffix = name.rpartition(".")[2].casefold() if "." in name else ""
    for language in LANGUAGES:
        if suffix in language.suffixes:
            return language
    for language in LANGUAGES:
        if language.signs and language.signs.search(text):
            return language
    return LANGUAGES[0]


def is_label(key: str) -> bool:
    """Return whether an unknown ``@key`` looks like a reference rather than a citation.

    In Markdown and Typst, ``@fig-results`` refers to a figure, and similarly for tables, equations,
    sections and theorems.
    """
    return _LABEL.match(key) is not None
