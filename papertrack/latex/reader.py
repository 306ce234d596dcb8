"""Parse TeX into Unicode; each use subclasses this parser.

Symbols that our tables do not have come from pylatexenc's list. Its parser is not used, because it
takes seventy times as long, loses unknown macros, and takes ``%`` for a comment, which it is not in
BibTeX (docs/dependencies.md).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import ClassVar

from papertrack.latex.tables import ACCENTS, LETTERS, SPECIALS, SYMBOLS

_MAX_DEPTH = 20
_BLANKS = re.compile(r"\s*")
_DOTLESS = {"ı": "i", "ȷ": "j"}
MARKS = {name: mark for mark, name in ACCENTS.items()}
"""The combining mark of each TeX accent."""
_MARKS_ALONE = {"`": "`", "'": "´", "^": "^", "~": "~", "=": "¯", '"': "¨", ".": "˙"}
CHARACTERS = {
    **dict.fromkeys((",", ";", ":", " ", "\n", "\\"), " "),
    **dict.fromkeys(("!", "-", "/", "@"), ""),
}
"""Control symbols that are not characters themselves, unlike ``\\&`` and others."""
_NAMED = {
    **{latex[2:-1]: character for character, latex in SPECIALS.items() if latex[0] == "{"},
    **{name: character for character, name in LETTERS.items()},
    **{name: character for character, name in SYMBOLS.items()},
    **{"TeX": "TeX", "LaTeX": "LaTeX", "BibTeX": "BibTeX", "S": "§", "P": "¶", "pounds": "£"},
    **{"copyright": "©", "dag": "†", "ddag": "‡", "dots": "…", "ldots": "…", "cdot": "·"},
    **{"textdollar": "$", "textunderscore": "_", "textquotesingle": "'", "textquotedbl": '"'},
    **{"textasciiacute": "´", "textasciidieresis": "¨", "textmu": "µ", "slash": "/", "times": "×"},
    **{"hyphen": "-", "textvisiblespace": "␣", "newline": " ", "quad": " ", "qquad": " "},
    **{"le": "≤", "ge": "≥", "pm": "±", "to": "→", "rightarrow": "→", "leftarrow": "←", "ast": "∗"},
    **{"lq": "‘", "rq": "’", "glqq": "„", "grqq": "“", "flqq": "«", "frqq": "»", "space": " "},
    # pylatexenc lacks these, or has another sign for them.
    **{"leqslant": "≤", "geqslant": "≥", "ne": "≠", "neg": "¬", "land": "∧", "lor": "∨"},
    **{"bullet": "•", "ddagger": "‡", "sqrt": "√", "mid": "∣", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ"},
    **{"prime": "′", "degree": "°", "models": "⊨", "bot": "⊥", "triangle": "△", "Box": "□"},
    **{"checkmark": "✓", "textminus": "−", "og": "« ", "fg": " »"},
    **{"ohorn": "ơ", "Ohorn": "Ơ", "OHORN": "Ơ", "uhorn": "ư", "Uhorn": "Ư", "UHORN": "Ư"},
}
_FUNCTIONS = frozenset(
    "log ln exp sin cos tan min max sup inf lim arg argmin argmax det dim ker deg gcd Pr tanh "
    "softmax poly polylog".split()
)
"""Macros that print their own name."""
_STYLES = frozenset(
    "emph textbf textit textsl textsc texttt textrm textsf textup textmd textnormal text mbox hbox "
    "fbox underline uline path bf it em sc tt rm sf sl bfseries itshape scshape upshape ttfamily "
    "rmfamily sffamily normalfont small large relax protect ensuremath mathrm mathbf mathit mathsf "
    "mathtt mathcal mathbb mathfrak mathscr operatorname boldsymbol bm pmb enquote mkbibquote "
    "mkbibemph mkbibbold textsuperscript textsubscript mathop uppercase lowercase MakeUppercase "
    "MakeLowercase nolinkurl autocap left right big Big bigl bigr Bigl Bigr displaystyle textstyle "
    "limits nolimits url".split()
)
"""Macros that only change the look of their argument."""


_SILENT = {
    **dict.fromkeys("noopsort SortNoop href foreignlanguage selectlanguage".split(), ""),
    **dict.fromkeys("textcolor color thanks footnote".split(), ""),
    **dict.fromkeys(("hspace", "vspace"), " "),
}
"""Macros whose first argument is not printed, and what is printed instead."""
_LENGTHS = frozenset("kern hskip vskip mkern mskip".split())
_LENGTH = re.compile(r"\s*=?\s*[-+]?[0-9.]+\s*(?:pt|em|ex|mm|cm|in|bp|mu|sp)?")


class TexReader:
    """Parses a text in one pass, however hostile it is.

    Groups nested more than 20 deep are read as if they had no braces.
    """

    special: ClassVar[re.Pattern[str]]
    """A command, or a character with a special meaning, such as ``}``.

    Each alternative begins with a different character, so that other text is skipped quickly.
    """
    marks: ClassVar[Mapping[str, str]] = MARKS
    characters: ClassVar[Mapping[str, str]] = CHARACTERS
    after_name: ClassVar[re.Pattern[str]]

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._depth = 0

    def read(self) -> str:
        """Return the whole text."""
        return self._read(is_group=False)

    def _read(self, *, is_group: bool) -> str:
        """Return the text up to the end, or up to the brace that closes the group."""
        pieces = []
        while special := self.special.search(self.text, self.at):
            start = special.start()
            if start > self.at:
                pieces.append(self.text[self.at : start])
            self.at = special.end()
            if is_group and special.group() == "}":
                return "".join(pieces)
            pieces.append(self._meaning(special.group(), start))
        pieces.append(self.text[self.at :])
        self.at = len(self.text)
        return "".join(pieces)

    def _meaning(self, special: str, start: int) -> str:
        if special[0] == "\\":
            return self.command(special[1:], start)
        return self.braced() if special == "{" else self.sign(special)

    def sign(self, sign: str) -> str:
        """Return the meaning of a character that is neither a command nor an opening brace."""
        return "" if sign == "}" else sign

    def braced(self) -> str:
        """Read a group that is not an argument, after its opening brace."""
        return self.group()

    def group(self) -> str:
        """Read up to the closing brace, after the opening one."""
        if self._depth >= _MAX_DEPTH:
            return ""
        self._depth += 1
        text = self._read(is_group=True)
        self._depth -= 1
        return text

    def argument(self) -> str:
        """Read the argument of a command: a group, a command or one character."""
        self.skip(_BLANKS)
        sign = self.text[self.at : self.at + 1]
        if sign in ("", "}", "$") or self._depth >= _MAX_DEPTH:
            return ""
        if sign == "\\":
            self._depth += 1
            argument = self.next_command()
            self._depth -= 1
            return argument
        self.at += 1
        return self.group() if sign == "{" else self.sign(sign)

    def next_command(self) -> str:
        """Return the command whose backslash is at the current position."""
        start = self.at
        match = self.special.match(self.text, start)
        self.at = match.end() if match else start + 1
        return self.command(self.text[start + 1 : self.at], start)

    def skip(self, pattern: re.Pattern[str]) -> None:
        """Skip what matches at the current position."""
        if match := pattern.match(self.text, self.at):
            self.at = match.end()

    def end_name(self) -> None:
        """Skip what belongs to a command's name, such as blanks after it, which TeX ignores."""
        self.skip(self.after_name)

    def command(self, name: str, start: int) -> str:
        """Read the command with this name, or this character after its backslash at ``start``."""
        if name in self.marks:
            return self.accented(name, start)
        if not name.isalpha():
            return self.characters.get(name, name or "\\")
        if name in _STYLES:
            self.end_name()
            return ""
        if name in _FUNCTIONS:
            return name
        if name in _SILENT:
            self.end_name()
            self.argument()
            return _SILENT[name]
        if name in _LENGTHS:
            self.skip(_LENGTH)
            return ""
        symbol = symbol_of(name)
        if symbol is None:
            return self.unknown(name)
        self.end_name()
        return symbol

    def accented(self, name: str, start: int) -> str:
        """Return the letter with the accent of this name, whose backslash is at ``start``."""
        letters = self.argument()
        if not letters:
            return _MARKS_ALONE.get(name, "")
        return with_mark(letters, self.marks[name])

    def unknown(self, name: str) -> str:
        """Read an unknown macro."""
        raise NotImplementedError


def with_mark(letters: str, mark: str) -> str:
    """Return the letters with the mark on the first one."""
    base = _DOTLESS.get(letters[0], letters[0])
    return unicodedata.normalize("NFC", base + mark) + letters[1:]


@lru_cache(maxsize=1024)
def symbol_of(name: str) -> str | None:
    """Return the character that the macro prints, or None."""
    symbol = _NAMED.get(name)
    return _pylatexenc_symbols().get(name) if symbol is None else symbol


@cache
def _pylatexenc_symbols() -> dict[str, str]:
    from pylatexenc.latex2text import get_default_latex_context_db

    specs = get_default_latex_context_db().iter_macro_specs()
    texts = {spec.macroname: spec.simplify_repl for spec in specs}
    # Other values are templates or, as "<cit.>", stand for omitted text.
    return {
        name: text
        for name, text in texts.items()
        if isinstance(text, str) and "%" not in text and not text.startswith("<")
    }
