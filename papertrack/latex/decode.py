"""LaTeX → Unicode, for the titles, names and venues of .bib files.

One pass over the text with a table. pylatexenc knows more, but takes 4 ms for a title, drops
macros that it does not know and takes ``%`` for a comment, which it is not in BibTeX: only its list
of symbols is asked, for macros that the tables here do not have.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from papertrack.latex.tables import ACCENTS, LETTERS, SPECIALS, SYMBOLS
from papertrack.text import clean

_NEEDS_DECODING = re.compile(r"[\\{}~`$]|--|''")

_GROUP = r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"
_TOKEN = re.compile(
    rf"""
      (?P<math>   \$ (?: [^$\\] | \\. )* \$ )
    | \\ (?P<accent> ["'`^~=.] | [cvuHkrdb](?![A-Za-z]) ) \s*
         (?P<argument> {_GROUP} | \\[A-Za-z]+ | [^\\{{}}\s] | )
    | \\ensuremath \s* \{{ \\ (?P<symbol> [A-Za-z]+ ) \}}
    | \\noopsort \s* (?: {_GROUP} )?
    | \\ (?P<macro> [A-Za-z]+ ) (?P<after> \* | \{{\}} | \s+ | )
    | \\ (?P<character> . )
    | (?P<sign> ---? | `` | '' | [{{}}~`] )
    """,
    re.VERBOSE | re.DOTALL,
)

_SIGNS = {"--": "–", "---": "—", "``": "“", "''": "”", "`": "‘", "~": " ", "{": "", "}": ""}
_CHARACTERS = {
    ",": " ",
    ";": " ",
    ":": " ",
    "!": "",
    " ": " ",
    "\n": " ",
    "-": "",
    "/": "",
    "@": "",
    "\\": " ",
}
"""Control symbols that are no character themselves; ``\\&`` and its like are."""

_COMBINING = {name: mark for mark, name in ACCENTS.items()}
_ACCENT_ALONE = {"`": "`", "'": "´", "^": "^", "~": "~", "=": "¯", '"': "¨", ".": "˙"}
_SYMBOLS = {name: character for character, name in SYMBOLS.items()}
_NAMED = {
    **{latex[2:-1]: character for character, latex in SPECIALS.items() if latex[0] == "{"},
    **{name: character for character, name in LETTERS.items()},
    **_SYMBOLS,
    **{"TeX": "TeX", "LaTeX": "LaTeX", "BibTeX": "BibTeX", "S": "§", "P": "¶", "pounds": "£"},
    **{"copyright": "©", "dag": "†", "ddag": "‡", "dots": "…", "ldots": "…", "cdot": "·"},
    **{"textdollar": "$", "textunderscore": "_", "textquotesingle": "'", "textquotedbl": '"'},
    **{"textasciiacute": "´", "textasciidieresis": "¨", "textmu": "µ", "slash": "/", "times": "×"},
    **{
        "hyphen": "-",
        "textvisiblespace": "␣",
        "newline": " ",
        "quad": " ",
        "qquad": " ",
        "le": "≤",
    },
    **{"ge": "≥", "pm": "±", "to": "→", "rightarrow": "→", "leftarrow": "←", "ast": "∗"},
    **{"lq": "‘", "rq": "’", "glqq": "„", "grqq": "“", "flqq": "«", "frqq": "»", "space": " "},
}
_WITHOUT_TEXT = frozenset(
    {
        *("emph", "textbf", "textit", "textsl", "textsc", "texttt", "textrm", "textsf", "textup"),
        *("textmd", "textnormal", "text", "mbox", "hbox", "fbox", "underline", "url", "path"),
        *(
            "bf",
            "it",
            "em",
            "sc",
            "tt",
            "rm",
            "sf",
            "sl",
            "bfseries",
            "itshape",
            "scshape",
            "upshape",
        ),
        *("ttfamily", "rmfamily", "sffamily", "normalfont", "small", "large", "relax", "protect"),
        *("ensuremath", "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "mathbb"),
        *("enquote", "mkbibquote", "mkbibemph", "mkbibbold", "textsuperscript", "textsubscript"),
        *("uppercase", "lowercase", "MakeUppercase", "MakeLowercase", "nolinkurl", "autocap"),
    }
)
"""Macros that only change how their argument looks."""


@lru_cache(maxsize=4096)  # Venues, editors and publishers stand in a file hundreds of times.
def decode_latex(text: str) -> str:
    """``text`` as one clean line of Unicode, without LaTeX's markup.

    Mathematics between dollars stays as it is. A macro that is not known loses its backslash and
    keeps its argument: a word too many can be seen, a lost one cannot.
    """
    if _NEEDS_DECODING.search(text):
        text = _TOKEN.sub(_decoded, text)
    # Cleaning makes blanks of line ends too, at ten times the cost of this.
    return clean(" ".join(text.split()) if "\n" in text else text)


def _decoded(token: re.Match[str]) -> str:
    kind = token.lastgroup
    if kind == "sign":
        return _SIGNS[token["sign"]]
    if kind == "math":
        return token["math"]
    if kind == "argument":
        return _accented(token["accent"], token["argument"])
    if kind == "after":
        return _named(token["macro"])
    if kind == "character":
        return _CHARACTERS.get(token["character"], token["character"])
    if kind == "symbol":
        return _named(token["symbol"])
    return ""


def _accented(accent: str, argument: str) -> str:
    letters = _TOKEN.sub(_decoded, argument)
    if not letters:
        return _ACCENT_ALONE.get(accent, "")
    base = {"ı": "i", "ȷ": "j"}.get(letters[0], letters[0])
    return unicodedata.normalize("NFC", base + _COMBINING[accent]) + letters[1:]


@lru_cache(maxsize=1024)
def _named(macro: str) -> str:
    if macro in _NAMED:
        return _NAMED[macro]
    if macro in _WITHOUT_TEXT:
        return ""
    symbol = _pylatexenc_symbols().get(macro)
    return f"{macro} " if symbol is None else symbol


@cache
def _pylatexenc_symbols() -> dict[str, str]:
    from pylatexenc.latex2text import get_default_latex_context_db

    specs = get_default_latex_context_db().iter_macro_specs()
    found = {spec.macroname: spec.simplify_repl for spec in specs}
    return {name: text for name, text in found.items() if isinstance(text, str) and "%" not in text}
