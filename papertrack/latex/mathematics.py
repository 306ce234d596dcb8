"""Mathematics inside a title: where it is, and whether LaTeX may run it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from papertrack.latex.tables import MATH_MACROS, SYMBOLS

_CANDIDATE = re.compile(r"\$(?! )([ -\"'-~]{1,300})(?<! )\$(?![0-9])")
_INNERMOST_GROUP = re.compile(r"\{([^{}]*)\}")
_GROUP = "\0"


def _named(names: list[str]) -> str:
    return rf"\\(?:{'|'.join(sorted(names, key=len, reverse=True))})(?![A-Za-z])"


def _macros_of(arity: int) -> str:
    return _named([name for name, arguments in MATH_MACROS.items() if arguments == arity])


_ATOM = (
    rf"(?:[^\\^_'{{}}]|\\[,;:! |]|{_macros_of(0)}"
    rf"|{_macros_of(1)} *{_GROUP}|{_macros_of(2)} *{_GROUP} *{_GROUP})"
)
_SCRIPT = rf"(?:[^\\^_'{{}} ]|{_named([*SYMBOLS.values(), 'ast', 'dagger', 'prime'])})"
_SCRIPTS = rf"(?:_{_SCRIPT}(?:\^{_SCRIPT})?|\^{_SCRIPT}(?:_{_SCRIPT})?|'+(?:_{_SCRIPT})?)"
_FLAT = re.compile(rf"{_SCRIPTS}?(?:{_ATOM}{_SCRIPTS}?)*")


def split_math(text: str) -> Iterator[tuple[str, bool]]:
    """The pieces of ``text`` in order, each with whether it is ``$mathematics$``.

    As in Pandoc, no blank follows the first dollar or precedes the second, and no digit follows
    the second: ``$5 and $6`` are prices. What LaTeX would refuse or run is not mathematics either.
    """
    done = start = 0
    while (start := text.find("$", start)) >= 0:
        match = _CANDIDATE.match(text, start)
        if match and _is_harmless(match.group(1)):
            yield text[done:start], False
            yield match.group(), True
            done = start = match.end()
        else:
            start += 1
    yield text[done:], False


def _is_harmless(content: str) -> bool:
    """Whether LaTeX sets ``content`` without an error and without any effect but print."""
    if r"\\" in content or not _has_balanced_braces(content):
        return False
    flat = content.replace(r"\{", "(").replace(r"\}", ")")
    while group := _INNERMOST_GROUP.search(flat):
        if not _FLAT.fullmatch(group.group(1)):
            return False
        flat = flat[: group.start()] + _GROUP + flat[group.end() :]
    return _FLAT.fullmatch(flat) is not None


def _has_balanced_braces(content: str) -> bool:
    """As BibTeX counts: an escaped brace is a brace."""
    depth = 0
    for character in content:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0
