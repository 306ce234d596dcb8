"""Convert TeX to Unicode for values that are stored: from .bib files, and from arXiv."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import unescape
from typing import ClassVar

from papertrack.latex.reader import MARKS, TexReader, with_mark
from papertrack.latex.tables import LETTERS, STYLED
from papertrack.text import clean

_NEEDS_DECODING = re.compile(r"[\\{}~`$]|--|''")
# What Crossref leaves in its records; a TeX macro stands for what shows.
_ENTITY = re.compile(r"(?<!\\)&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z]+[0-9]*);")
_TAG = re.compile(
    r"</?(?:i|b|u|em|strong|sub|sup|sc|scp|tt|span|inline-formula)(?:\s[^<>]*)?>", re.IGNORECASE
)
_TEX_OF_TAG = {
    **{"<sub>": r"\textsubscript{", "<sup>": r"\textsuperscript{"},
    **dict.fromkeys(("</sub>", "</sup>"), "}"),
}
_FORMULA = re.compile(r"\$(?:[^$\\]|\\.)*\$", re.DOTALL)


@lru_cache(maxsize=4096)  # Venues, editors and publishers stand in a file hundreds of times.
def decode_latex(text: str) -> str:
    """Return ``text``, a value of a .bib file, as one clean line of Unicode without LaTeX's markup.

    Mathematics between dollars stays as it is. An unknown macro loses its backslash and keeps its
    argument: an extra word can be seen, a lost one cannot. HTML from a publisher is read.
    """
    text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    text = _TAG.sub(lambda tag: _TEX_OF_TAG.get(tag[0].lower(), ""), text)
    if _NEEDS_DECODING.search(text):
        text = _ValueReader(text).read()
    return one_line(text)


def one_line(text: str) -> str:
    """Return ``text`` as one clean line. ``clean`` does this alone, but takes ten times longer with
    line ends."""
    return clean(" ".join(text.split()) if "\n" in text else text)


def decode_letters(text: str) -> str:
    r"""Return ``text`` with TeX's accents and letters outside mathematics as characters, and
    nothing else changed.

    OAI-PMH and the feeds have what was submitted (``Andr\'e``), the query API and the web pages the
    converted text (``André``). As there, mathematics, quotes and dashes stay as they are, so that
    the same paper reads the same from every source.
    """
    return _LetterReader(text).read() if "\\" in text else text


class _KeepsFormulas(TexReader):
    """Keeps the text between two dollars."""

    def sign(self, sign: str) -> str:
        if sign == "$" and (formula := _FORMULA.match(self.text, self.at - 1)):
            self.at = formula.end()
            return formula.group()
        return super().sign(sign)


class _ValueReader(_KeepsFormulas):
    special = re.compile(r"\\[A-Za-z]+|\\.|\\|\{|\}|\$|~|``?|---?|''", re.DOTALL)
    after_name = re.compile(r"\*|\{\}|\s*")
    # Of T5 and other encodings; in other texts such short names are macros of their authors.
    marks = MARKS | {"h": "\u0309", "t": "\u0361", "f": "\u0311", "G": "\u030f", "U": "\u030e"}
    marks["cb"] = MARKS["textcommabelow"]
    _signs: ClassVar = {"--": "–", "---": "—", "``": "“", "''": "”", "`": "‘", "~": " "}

    def sign(self, sign: str) -> str:
        return self._signs.get(sign) or super().sign(sign)

    def command(self, name: str, start: int) -> str:
        return self._styled(STYLED[name]) if name in STYLED else super().command(name, start)

    def _styled(self, characters: Mapping[str, str]) -> str:
        """Return the argument in Unicode's characters for a style: one, or several for a number."""
        text = self.argument()
        is_one_or_number = len(text) == 1 or not any(map(str.isalpha, text))
        if is_one_or_number and characters.keys() >= set(text):
            return "".join(characters[character] for character in text)
        return text

    def unknown(self, name: str) -> str:
        self.end_name()
        return f"{name} "


class _LetterReader(_KeepsFormulas):
    special = re.compile(r"\\[A-Za-z]+|\\.|\\|\{|\}|\$", re.DOTALL)
    after_name = re.compile(r"\{\}|\s+(?=[A-Za-z])|")
    _letters: ClassVar = {name: letter for letter, name in LETTERS.items() if len(name) <= 2}

    def sign(self, sign: str) -> str:
        return sign if sign == "}" else super().sign(sign)

    def braced(self) -> str:
        start = self.at
        if self.text[start : start + 1] != "\\":
            return "{"
        read = self.next_command()
        if read != self.text[start : self.at] and self.text[self.at : self.at + 1] == "}":
            self.at += 1
            return read
        return "{" + read

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
