"""Categories as text, the same in commands, JSON and queries: ``LLM/Speculative Decoding``.

A slash inside a name is written ``\\/``; a backslash before a slash, before another backslash or at
the end of a name is written ``\\\\``.
"""

from __future__ import annotations

import re

from papertrack.errors import UsageError

CategoryPath = tuple[str, ...]
"""A category: its name, preceded by the names of its parents."""
# Texts, which re compiles and keeps at their first use: few commands read or escape a path.
_NAME = r"(?s:(?:\A|/)((?:[^\\/]|\\.|\\\Z)*))"
_ESCAPED = r"\\([\\/])"
# A backslash that stands for itself is written as it is, but where it would be read as an escape.
_TO_ESCAPE = r"/|\\(?=[\\/]|\Z)"

MAX_DEPTH = 32
"""The most nested categories; a README's headings have six levels."""


def parse_path(text: str) -> CategoryPath:
    """Parse ``"LLM/CPU\\\\/GPU"`` into ``("LLM", "CPU/GPU")``; slashes around it are ignored.

    Raises UsageError for an empty name and for more than MAX_DEPTH names.
    """
    found = re.findall(_NAME, text.lstrip("/ "))
    names = [re.sub(_ESCAPED, r"\1", name).strip() for name in found]
    while names and not names[-1]:
        names.pop()
    if not names or not all(names):
        raise UsageError(f"{text!r} is not a category: write it like LLM/Speculative Decoding.")
    if len(names) > MAX_DEPTH:
        raise UsageError(
            f"A category with {len(names)} levels is too deep; the limit is {MAX_DEPTH}."
        )
    return tuple(names)


def format_path(path: CategoryPath) -> str:
    """Return the text of a category path (see ``parse_path``)."""
    text = "/".join(path)
    if "\\" not in text and text.count("/") == len(path) - 1:
        return text  # As nearly all: there is nothing to escape.
    return "/".join(re.sub(_TO_ESCAPE, r"\\\g<0>", name) for name in path)
