"""Recognize texts that are neither a README nor a .bib file.

Read as one of these, they would give nonsense.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Callable, Sequence
from itertools import islice

from papertrack.documents.bibtex.blocks import read_blocks

_TAGGED = re.compile(r"(?=.{4}-)[A-Z][A-Z0-9]{1,3} {0,2}-|%[0A-Z] ")
"""RIS and PubMed pad a tag to four characters."""
_KEYED = re.compile(r"\s*[\w.-]+:(?: |$)")
_OF_YAML = re.compile(rf"{_KEYED.pattern}|\s*- .*|---|\.\.\.")
_FRONT_MATTER = re.compile(r"\A---[ \t\r]*\n.*?\n---[ \t\r]*\n(?=\s*\S)", re.S)
_OF_A_ROW = re.compile(r"://|\]\(|\d{4}")
"""What no column name contains."""
_TEX = re.compile(r"^\\(?:documentclass|documentstyle|begin\{document\})", re.M)
_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype html|<html)\b", re.I)
_FENCED = re.compile(r"^(```+|~~~+).*?^\1", re.M | re.S)
_BIBTEX = re.compile(r"@[ \t]*[\w-]+\s*[{(]")
_MARKED_UP = re.compile(r"[\[\]{}<>|=\\\0]|://|^(?:#+|[-*+]|\d+[.)])\s")
"""Signs of lists, pages, tables, data and programs. A plain comment has none of them."""
_MANY = 0.8
"""The share of the lines that must have the form."""
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
    """Return the format of a text that is certainly not Markdown, such as ``"JSON"``.

    ``suffix`` is the file name's; it decides where the text does not.
    """
    by_text = _by_text(text)
    if by_text == _YAML and suffix.lower() in _MARKDOWN and text.lstrip().startswith("#"):
        return None  # Below a heading, ``- Title: A Title`` with ``Link: …`` below it is an item.
    by_name = _BY_NAME.get(suffix.lower())
    return by_text or (f"{by_name}, by its name" if by_name else None)


def _by_text(text: str) -> str | None:
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
        _TAGGED_LIST: lambda: _share(lines, _TAGGED),
        _YAML: lambda: "](" not in text and _is_yaml(lines),
        "CSV": lambda: _is_csv(lines[:_ROWS]),
    }
    return next((name for name, is_so in tests.items() if is_so()), None)


_AT_LINE = re.compile(r"^[^\S\n]*@", re.MULTILINE)
_FEW = 10
"""Lines that start like a block: what stands before them usually decides."""


def is_bibtex(text: str) -> bool:
    """Return whether a text may be a .bib file: it has a block, or it is only comments.

    BibTeX reads all words outside of blocks as comments.
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
    if any(map(_MARKED_UP.search, words)) or (lines and _share(lines, _TAGGED)):
        return False
    return _by_text("\n".join(words)) is None


def _share(lines: Sequence[str], form: re.Pattern[str], share: float = _MANY) -> bool:
    """Return whether at least this share of the lines starts with the form."""
    return sum(form.match(line) is not None for line in lines) >= share * len(lines)


def _is_yaml(lines: Sequence[str]) -> bool:
    """Return whether most lines are YAML and some are keys with values.

    A list of items with a colon is not YAML yet.
    """
    return _share(lines, _OF_YAML) and _share(lines, _KEYED, _KEY_SHARE)


def _is_json(text: str) -> bool:
    if not text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        return False
    try:
        return isinstance(json.loads(text.lstrip("\ufeff")), dict | list)
    except (ValueError, RecursionError):
        return False


def _is_python(text: str) -> bool:
    """Return whether a text is Python with a statement. Headings alone parse as comments."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(not isinstance(statement, ast.Expr | ast.AnnAssign) for statement in body)


def _is_csv(lines: Sequence[str]) -> bool:
    """Return whether the first lines are CSV rows of equal length below a row of names."""
    try:
        rows = list(csv.reader(lines))
    except csv.Error:
        return False
    sizes = {len(row) for row in rows}
    is_table = len(rows) > 1 and len(sizes) == 1 and min(sizes) >= _COLUMNS
    return is_table and not any(map(_OF_A_ROW.search, rows[0]))
