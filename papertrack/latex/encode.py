"""Convert Unicode text to LaTeX that is safe in a BibTeX value and prints the same.

A BibTeX value is read three times: BibTeX counts its braces and changes its capitals, LaTeX runs
it, and tools such as ours decode it. So all braces written here are balanced, every named macro is
in braces of its own (``{\"o}``, BibTeX's "special character": sorted and changed in case as one
letter), and nothing that LaTeX would run comes out of a title except mathematics of known macros
(``MATH_MACROS``): a title is foreign text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import quote

from papertrack.latex.tables import ACCENTS, LETTERS, MATH_MACROS, SPECIALS, STYLED, SYMBOLS
from papertrack.text import clean

_CANDIDATE = re.compile(r"\$(?! )([ -\"'-~]{1,300})(?<! )\$(?![0-9])")
_INNERMOST_GROUP = re.compile(r"\{([^{}]*)\}")
_GROUP = "\0"


def _macro_pattern(names: list[str]) -> str:
    return rf"\\(?:{'|'.join(sorted(names, key=len, reverse=True))})(?![A-Za-z])"


def _macros_of(arity: int) -> str:
    return _macro_pattern([name for name, arguments in MATH_MACROS.items() if arguments == arity])


_ATOM = (
    rf"(?:[^\\^_'{{}}]|\\[,;:! |]|{_macros_of(0)}"
    rf"|{_macros_of(1)} *{_GROUP}|{_macros_of(2)} *{_GROUP} *{_GROUP})"
)
_SCRIPT = rf"(?:[^\\^_'{{}} ]|{_macro_pattern([*SYMBOLS.values(), 'ast', 'dagger', 'prime'])})"
_SCRIPTS = rf"(?:_{_SCRIPT}(?:\^{_SCRIPT})?|\^{_SCRIPT}(?:_{_SCRIPT})?|'+(?:_{_SCRIPT})?)"
# A string, which re compiles at its first use: most titles have no mathematics.
_FLAT = rf"{_SCRIPTS}?(?:{_ATOM}{_SCRIPTS}?)*"


def split_math(text: str) -> Iterator[tuple[str, bool]]:
    """Return the pieces of ``text`` in order, and whether each is ``$mathematics$``.

    As in Pandoc, no blank follows the first dollar or precedes the second, and no digit follows the
    second: ``$5 and $6`` are prices. Content that LaTeX would reject or execute is not mathematics
    either.
    """
    end = start = 0
    while (start := text.find("$", start)) >= 0:
        match = _CANDIDATE.match(text, start)
        if match and _is_harmless(match.group(1)):
            yield text[end:start], False
            yield match.group(), True
            end = start = match.end()
        else:
            start += 1
    yield text[end:], False


def _is_harmless(content: str) -> bool:
    """Return whether LaTeX prints ``content`` without an error and without side effects."""
    if r"\\" in content or not has_balanced_braces(content):
        return False
    flat = content.replace(r"\{", "(").replace(r"\}", ")")
    while group := _INNERMOST_GROUP.search(flat):
        if not re.fullmatch(_FLAT, group.group(1)):
            return False
        flat = flat[: group.start()] + _GROUP + flat[group.end() :]
    return re.fullmatch(_FLAT, flat) is not None


def has_balanced_braces(content: str) -> bool:
    """Return whether braces are balanced as BibTeX counts, which includes escaped braces."""
    depth = 0
    for character in content:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


_MARKS = "\u0300-\u036f"
_SPECIAL = r"[&%#_{}~^\\<>|`$]"
# The second group is what TeX's fonts join: -- is a dash, '' a quotation mark.
_TO_ESCAPE = re.compile(rf"({_SPECIAL})|(--+|''+|,,+)")
_TO_ENCODE = re.compile(rf"{_TO_ESCAPE.pattern}|([A-Za-z][{_MARKS}]+|[^\x00-\x7f])")
_STYLES_OF = {
    character: (macro, argument)
    for macro, characters in STYLED.items()
    for argument, character in characters.items()
}
_ARGUMENTS = {
    "−": r"\ensuremath{\mathord{-}}",
    "′": r"\ensuremath{\prime}",
    "Δ": r"\Delta",
    "·": r"\cdot",
}
"""Styled characters outside ASCII → their LaTeX."""
# Mathematical signs and Greek letters, which LaTeX reads as UTF-8 only with a package. A string,
# which re compiles at its first use: BibTeX does not need it.
_TO_KEEP = rf"{_TO_ESCAPE.pattern}|[{''.join(SYMBOLS)}{''.join(_STYLES_OF)}\u0386-\u03ce]"

_LETTER = rf"(?:[^\W_]|[{_MARKS}])"
_WORD = rf"{_LETTER}+(?:['’.&/]{_LETTER}+|[+#]+)*"

_VERBATIM_SAFE = "!#$%&'()*+,-./:;<=>?@[]^_`|~"


def escape_text(text: str, *, encode: bool) -> str:
    """Return ``text`` on one line for a printed field; balanced mathematics stays as it is.

    With ``encode``, characters that have a safe LaTeX name are written with it (``ö`` →
    ``{\\"o}``), because BibTeX itself sorts and cuts bytes; others stay UTF-8. Without it, only
    mathematical symbols are (``β`` → ``{\\ensuremath{\\beta}}``).
    """
    return "".join(
        piece if is_math else _escape(piece, encode) for piece, is_math in split_math(clean(text))
    )


def escape_title(text: str, *, encode: bool, protect: tuple[str, ...] = ()) -> str:
    """Return ``escape_text`` with braces around text that a style must not change to lower case.

    These are words with a capital after the first letter or beside a digit (``{BERT}``,
    ``{GPT}-4``), single capitals other than the article, mathematics, and the words in ``protect``.
    """
    text = clean(text)
    words = _words_or(protect)
    pieces: list[str] = []
    for piece, is_math in split_math(text):
        if is_math:
            pieces.append("{" + piece + "}")
            continue
        end = 0
        for match in words.finditer(piece):
            word = match.group()
            if match.lastgroup == "listed" or _has_fixed_capitals(word):
                pieces.append(_escape(piece[end : match.start()], encode))
                pieces.append("{" + _escape(word, encode) + "}")
                end = match.end()
        pieces.append(_escape(piece[end:], encode))
    return "".join(pieces)


def escape_verbatim(text: str) -> str:
    """Return a URL, DOI or eprint with only the characters percent-encoded that end the value."""
    return quote(text.strip(), safe=_VERBATIM_SAFE)


def _escape(text: str, encode: bool) -> str:
    if text.isascii():
        return _TO_ESCAPE.sub(_replacement, text)
    return re.sub(_TO_ENCODE if encode else _TO_KEEP, _replacement, text)


def _replacement(match: re.Match[str]) -> str:
    special, ligature = match.group(1), match.group(2)
    if special:
        return SPECIALS[special]
    if ligature:
        return "{}".join(ligature)
    return _encoded(match.group())


@lru_cache(maxsize=4096)
def _encoded(character: str) -> str:
    """Return a non-ASCII character, or a letter with combining marks, in LaTeX if possible."""
    if character in LETTERS:
        return "{\\" + LETTERS[character] + "}"
    if character in SYMBOLS:
        return "{\\ensuremath{\\" + SYMBOLS[character] + "}}"
    if character in _STYLES_OF:
        return _styled(*_STYLES_OF[character])
    return _accented(character)


def _styled(macro: str, argument: str) -> str:
    """Return the argument in a style. A capital gets braces, so that BibTeX keeps it."""
    latex = _ARGUMENTS.get(argument, argument)
    is_capital = argument.isascii() and argument.isupper()
    if macro == "mathord" and is_capital:
        latex = rf"\mathrm{{{latex}}}"
    latex = rf"\{macro}{{{latex}}}"
    if macro.startswith("math"):
        latex = rf"\ensuremath{{{latex}}}"
    return "{{" + latex + "}}" if is_capital else "{" + latex + "}"


def _accented(character: str) -> str:
    """Return a letter with accents that TeX has; any other character unchanged."""
    decomposed = unicodedata.normalize("NFD", character)
    base, marks = decomposed[0], decomposed[1:]
    if not (marks and base.isalpha() and ACCENTS.keys() >= set(marks)):
        return character
    latex = _without_dot(base, marks[0]) if base.isascii() else _encoded(base)
    if not latex.isascii():
        return character
    for mark in marks:
        argument = "{" + latex + "}" if ACCENTS[mark].isalpha() and len(latex) == 1 else latex
        latex = "{\\" + ACCENTS[mark] + argument + "}"
    return "{" + latex + "}" if "{{" in latex else latex


def _without_dot(letter: str, mark: str) -> str:
    """Return the letter in the form that carries this accent."""
    return "{\\" + letter + "}" if letter in "ij" and ACCENTS[mark] not in "cdkb" else letter


@lru_cache(maxsize=8)
def _words_or(protected: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of words that matches the protected ones first, in the group ``listed``."""
    phrases = "|".join(re.escape(phrase) for phrase in sorted(protected, key=len, reverse=True))
    phrase_pattern = rf"(?P<listed>(?<!\w)(?:{phrases})(?!\w))|" if phrases else ""
    return re.compile(phrase_pattern + _WORD)


def _has_fixed_capitals(word: str) -> bool:
    if len(word) == 1:
        return word.isupper() and word != "A"
    return word[1:] != word[1:].lower() or (word != word.lower() and not word.isalpha())
