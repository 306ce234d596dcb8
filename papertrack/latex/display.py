"""Make TeX in titles and abstracts readable in a terminal, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from papertrack.latex.reader import CHARACTERS, MARKS, TexReader
from papertrack.text import normalize

# A dollar sign before a blank closes nothing, nor does one before a digit: prices stay prices.
_MATH = re.compile(r"(?<!\\)\${1,2}(?=[^\s$])([^$]*[^\s$\\])\${1,2}(?![0-9])")
_BLACKBOARD = str.maketrans("CHNPQRZEFKBDIST", "ℂℍℕℙℚℝℤ𝔼𝔽𝕂𝔹𝔻𝕀𝕊𝕋")
_SUPERSCRIPT = str.maketrans(
    "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW*′",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ*′",
)
_SUBSCRIPT = str.maketrans(
    "0123456789+-=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ"
)
_MARKS = {
    # arXiv prints \\beta as \\b{eta} where it took the first letter for an accent.
    **{name: mark for name, mark in MARKS.items() if name != "b"},
    **{"hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303"},
    **{"bar": "\u0304", "overline": "\u0304", "dot": "\u0307", "ddot": "\u0308"},
    **{"vec": "\u20d7", "acute": "\u0301", "grave": "\u0300", "check": "\u030c", "breve": "\u0306"},
}
_SCRIPTS = {"^": _SUPERSCRIPT, "_": _SUBSCRIPT}
_TEXT_SCRIPTS = {"textsuperscript": "^", "textsubscript": "_"}
_SYMBOLS = {"epsilon": "ε", "phi": "φ", "|": "‖"}
"""Characters that are more readable in a terminal than the printed sign."""


def readable(text: str) -> str:
    r"""Return the text with TeX commands, accents, sub- and superscripts as Unicode where possible.

    Only unambiguous TeX is changed; the rest stays as written. ``readable(r"$O(n^2 \\log n)$ for
    $\\alpha \\le 1$") == "O(n² log n) for α ≤ 1"``.
    """
    if "\\" not in text and "$" not in text:
        return text
    pieces = [_ShownReader(piece, is_math).read() for piece, is_math in _with_formulas(text)]
    return normalize("NFC", "".join(pieces))


def _with_formulas(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of the text, and whether each is between two dollars."""
    end = 0
    for math in _MATH.finditer(text):
        yield text[end : math.start()], False
        yield math[1], True
        end = math.end()
    yield text[end:], False


class _ShownReader(TexReader):
    special = re.compile(r"\\[A-Za-z]+|\\.|\\|\{|\}|\^|_|~", re.DOTALL)
    marks = _MARKS
    characters: ClassVar = {**CHARACTERS, **dict.fromkeys("()[]", ""), ",": ""}
    after_name = re.compile(r"\*|\{\}| *")

    def __init__(self, text: str, is_math: bool) -> None:
        super().__init__(text)
        self._is_math = is_math

    def sign(self, sign: str) -> str:
        if sign in _SCRIPTS and self._is_math:
            return self._script(sign)
        return " " if sign == "~" else super().sign(sign)

    def end_name(self) -> None:
        if not self._is_math:  # In mathematics, blanks around signs read better.
            super().end_name()

    def command(self, name: str, start: int) -> str:
        if name in ("(", ")", "[", "]"):
            self._is_math = name in "(["
        if name in ("frac", "tfrac", "dfrac"):
            return f"{_operand(self.argument())}/{_operand(self.argument())}"
        if name == "href":
            return self._link()
        if name in _TEXT_SCRIPTS:
            return self._script(_TEXT_SCRIPTS[name])
        if name == "mathbb":
            return self.argument().translate(_BLACKBOARD)
        if name in _SYMBOLS:
            self.end_name()
            return _SYMBOLS[name]
        return super().command(name, start)

    def unknown(self, name: str) -> str:
        if not self.text.startswith("{", self.at):
            return "\\" + name
        return f"\\{name}{{{self.argument()}}}"

    def _link(self) -> str:
        address, label = self.argument(), self.argument()
        return f"{label} ({address})" if label and label != address else address

    def _script(self, mark: str) -> str:
        table, text = _SCRIPTS[mark], self.argument()
        if text and all(ord(char) in table for char in text):
            return text.translate(table)
        return f"{mark}({text})" if len(text) > 1 else f"{mark}{text}"


def _operand(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"
