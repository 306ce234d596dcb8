"""Recognize files that are neither a README nor a .bib file, such as JSON or a script.

They are refused, because nothing sensible could be read from them.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Callable, Sequence
from itertools import islice

from papertrack.documents.bibtex.blocks import read_blocks

_RIS_TAG = re.compile(r"(?=.{4}-)[A-Z][A-Z0-9]{1,3} {0,2}-|%[0A-Z] ")
"""A tag of RIS or PubMed, padded to four characters, or of EndNote (``%A``)."""
_YAML_KEY = re.compile(r"\s*[\w.-]+:(?: |$)")
_YAML_LINE = re.compile(rf"{_YAML_KEY.pattern}|\s*- .*|---|\.\.\.")
_FRONT_MATTER = re.compile(r"\A---[ \t\r]*\n.*?\n---[ \t\r]*\n(?=\s*\S)", re.S)
_DATA_CELL = re.compile(r"://|\]\(|\d{4}")
"""Text that never occurs in column names, such as an address or a year."""
_TEX = re.compile(r"^\\(?:documentclass|documentstyle|begin\{document\})", re.M)
_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype html|<html)\b", re.I)
_FENCED = re.compile(r"^(`{3,}+|~{3,}+).*?^\1", re.M | re.S)
_BIBTEX = re.compile(r"@[ \t]*[\w-]+\s*[{(]")
_MARKED_UP = re.compile(r"[\[\]{}<>|=\\\0]|://|^(?:#+|[-*+]|\d+[.)])\s")
"""Characters of lists, pages, tables, data and programs, which plain comments do not contain."""
_MOST_LINES = 0.8
"""The share of lines that must have a format's form."""
_KEY_SHARE = 0.3
_COLUMNS = 4
_ROWS = 20


_SCRIPT = "a script"
_LATEX = "a LaTeX manuscript"
_YAML = "YAML"
_MARKDOWN = (".md", ".markdown")
_TAGGED_LIST = "a list of tagged references (RIS, PubMed or EndNote)"
_BY_NAME = {
    ".json": "JSON",
    ".csv": "CSV",
    **dict.fromkeys((".yaml", ".yml"), _YAML),
    **dict.fromkeys((".ris", ".nbib", ".enw"), _TAGGED_LIST),
    **dict.fromkeys((".tex", ".ltx", ".sty", ".cls"), _LATEX),
    ".org": "an Org file",
    ".rst": "reStructuredText",
    **dict.fromkeys((".adoc", ".asciidoc"), "AsciiDoc"),
    **dict.fromkeys((".py", ".sh", ".js", ".rb", ".pl"), _SCRIPT),
}


def foreign_format(text: str, suffix: str = "") -> str | None:
    """Return the format of a text that is certainly not Markdown, such as ``"JSON"``; else None.

    ``suffix`` is the file's suffix. It counts if the text does not show the format.
    """
    by_text = _by_text(text)
    if by_text == _YAML and suffix.lower() in _MARKDOWN and text.lstrip().startswith("#"):
        return None  # Below a heading, ``- Title: A Title`` is a list item.
    by_name = _BY_NAME.get(suffix.lower())
    return by_text or (f"{by_name}, by its name" if by_name else None)


def _by_text(text: str) -> str | None:
    """Return the format that a text shows by itself."""
    text = _FRONT_MATTER.sub("", text)
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    tests: dict[str, Callable[[], bool]] = {
        "BibTeX": lambda: _BIBTEX.match(lines[0]) is not None,
        _SCRIPT: lambda: lines[0].startswith("#!") or _is_python(text),
        "a web page": lambda: _PAGE.match(text) is not None,
        _LATEX: lambda: _TEX.search(_FENCED.sub("", text)) is not None,
        "JSON": lambda: _is_json(text),
        _TAGGED_LIST: lambda: _are_mostly(lines, _RIS_TAG),
        _YAML: lambda: "](" not in text and _is_yaml(lines),
        "CSV": lambda: _is_csv(lines[:_ROWS]),
    }
    return next((name for name, is_so in tests.items() if is_so()), None)


_AT_LINE = re.compile(r"^[^\S\n]*@", re.MULTILINE)
_FEW = 10
"""How many ``@`` lines are tried first. The text before them usually decides."""


def is_bibtex(text: str) -> bool:
    """Return whether a text may be a .bib file: it has a block, or only comments.

    BibTeX treats all text outside of blocks as comments.
    """
    starts = (match.start() for match in _AT_LINE.finditer(text))
    kinds: set[str] = set()
    for part in (text[: next(islice(starts, _FEW, None), 0)], text):
        kinds = {block.kind for block in read_blocks(part)}
        if not kinds <= {"text", "broken"}:
            return True
    return "broken" not in kinds and _is_comment(text)


def _is_comment(text: str) -> bool:
    """Return whether all lines are ``%`` comments or plain words of no other format."""
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    words = [line for line in lines if not line.startswith("%")]
    if any(map(_MARKED_UP.search, words)) or (lines and _are_mostly(lines, _RIS_TAG)):
        return False
    return _by_text("\n".join(words)) is None


def _are_mostly(lines: Sequence[str], form: re.Pattern[str], share: float = _MOST_LINES) -> bool:
    """Return whether at least this share of the lines starts with a pattern."""
    return sum(form.match(line) is not None for line in lines) >= share * len(lines)


def _is_yaml(lines: Sequence[str]) -> bool:
    """Return whether most lines look like YAML and some are ``key: value``.

    A list of items that contain a colon is not YAML.
    """
    return _are_mostly(lines, _YAML_LINE) and _are_mostly(lines, _YAML_KEY, _KEY_SHARE)


def _is_json(text: str) -> bool:
    if not text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        return False
    try:
        return isinstance(json.loads(text.lstrip("\ufeff")), dict | list)
    except (ValueError, RecursionError):
        return False


def _is_python(text: str) -> bool:
    """Return whether a text is a Python program.

    Markdown headings are Python comments, so at least one real statement is required.
    """
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(not isinstance(statement, ast.Expr | ast.AnnAssign) for statement in body)


def _is_csv(lines: Sequence[str]) -> bool:
    """Return whether lines are a CSV table: rows of equal length below a row of column names."""
    try:
        rows = list(csv.reader(lines))
    except csv.Error:
        return False
    sizes = {len(row) for row in rows}
    is_table = len(rows) > 1 and len(sizes) == 1 and min(sizes) >= _COLUMNS
    return is_table and not any(map(_DATA_CELL.search, rows[0]))
