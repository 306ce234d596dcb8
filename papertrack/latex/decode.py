"""Convert TeX to Unicode for values that are stored: from .bib files, and from arXiv."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from papertrack.latex.reader import MARKS, TexReader, with_mark
from papertrack.latex.tables import LETTERS, STYLED
from papertrack.text import clean, unescape

_NEEDS_DECODING = re.compile(r"[\\{}~`$]|--|''")
# Markup in Crossref's records; a TeX macro replaces what prints.
_ENTITY = re.compile(r"(?<!\\)&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z]+[0-9]*);")
_TAG = re.compile(
    r"</?(?:i|b|u|em|strong|sub|sup|sc|scp|tt|span|inline-formula)(?:\s[^<>]*)?>", re.IGNORECASE
)
_TEX_OF_TAG = {
    **{"<sub>": r"\textsubscript{", "<sup>": r"\textsuperscript{"},
    **dict.fromkeys(("</sub>", "</sup>"), "}"),
}
_FORMULA = re.compile(r"\$(?:[^$\\]|\\.)*\$", re.DOTALL)


@lru_cache(maxsize=4096)  # A file has hundreds of equal venues, editors and publishers.
def decode_latex(text: str) -> str:
    """Return a value of a .bib file as one clean line of Unicode without LaTeX markup.

    Mathematics between dollars stays unchanged. An unknown macro loses its backslash and keeps its
    argument, because a superfluous word is visible and a lost one is not. HTML of publishers is
    decoded.
    """
    text = _ENTITY.sub(lambda entity: unescape(entity[0]), text)
    text = _TAG.sub(lambda tag: _TEX_OF_TAG.get(tag[0].lower(), ""), text)
    if _NEEDS_DECODING.search(text):
        text = _ValueReader(text).read()
    return one_line(text)


def one_line(text: str) -> str:
    """Return the text as one clean line; ``clean`` alone is ten times slower with line ends."""
    return clean(" ".join(text.split()) if "\n" in text else text)


def decode_letters(text: str) -> str:
    r"""Return the text with TeX's accents and letters outside mathematics as characters.

    OAI-PMH and the feeds have the submitted text (``Andr\'e``), the query API and the web pages the
    converted one (``André``). As there, mathematics, quotes and dashes stay unchanged, so that a
    paper is the same from every source.
    """
    return _LetterReader(text).read() if "\\" in text else text


class _FormulaReader(TexReader):
    """Keeps the text between two dollars."""

    def sign(self, sign: str) -> str:
        if sign == "$" and (formula := _FORMULA.match(self.text, self.at - 1)):
            self.at = formula.end()
            return formula.group()
        return super().sign(sign)


class _ValueReader(_FormulaReader):
    special = re.compile(r"\\[A-Za-z]+|\\.|\\|\{|\}|\$|~|``?|---?|''", re.DOTALL)
    after_name = re.compile(r"\*|\{\}|\s*")
    # Accents of T5 and other encodings; in other texts such short names are authors' macros.
    marks = MARKS | {"h": "\u0309", "t": "\u0361", "f": "\u0311", "G": "\u030f", "U": "\u030e"}
    marks["cb"] = MARKS["textcommabelow"]
    _signs: ClassVar = {"--": "–", "---": "—", "``": "“", "''": "”", "`": "‘", "~": " "}

    def sign(self, sign: str) -> str:
        return self._signs.get(sign) or super().sign(sign)

    def command(self, name: str, start: int) -> str:
        return self._styled(STYLED[name]) if name in STYLED else super().command(name, start)

    def _styled(self, characters: Mapping[str, str]) -> str:
        """Return the argument in the Unicode characters of a style: one, or several of a number."""
        text = self.argument()
        is_one_or_number = len(text) == 1 or not any(map(str.isalpha, text))
        if is_one_or_number and characters.keys() >= set(text):
            return "".join(characters[character] for character in text)
        return text

    def unknown(self, name: str) -> str:
        self.end_name()
        return f"{name} "


class _LetterReader(_FormulaReader):
    special = re.compile(r"\\[A-Za-z]+|\\.|\\|\{|\}|\$", re.DOTALL)
    after_name = re.compile(r"\{\}|\s+(?=[A-Za-z])|")
    _letters: ClassVar = {name: letter for letter, name in LETTERS.items() if len(name) <= 2}

    def sign(self, sign: str) -> str:
        return sign if sign == "}" else super().sign(sign)

    def braced(self) -> str:
        """Read a group; drop its braces if it is a single command that is converted."""
        start = self.at
        if self.text[start : start + 1] != "\\":
            return "{"
        text = self.next_command()
        if text != self.text[start : self.at] and self.text[self.at : self.at + 1] == "}":
            self.at += 1
            return text
        return "{" + text

    def command(self, name: str, start: int) -> str:
        if name in self.marks:
            return self.accented(name, start)
        if name not in self._letters:
            return self.text[start : self.at]
        self.end_name()
        return self._letters[name]

    def accented(self, name: str, start: int) -> str:
        letters = self.argument().strip()
        if not letters[:1].isalpha():
            return self.text[start : self.at]
        return with_mark(letters, self.marks[name])
