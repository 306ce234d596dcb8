"""arXiv's categories: the active ones, their titles, and the successors of retired ones.

From arXiv/arxiv-base (MIT), the tables of categories in ``arxiv/db`` and ``arxiv/taxonomy``, as of
June 2026: 155 active categories in 20 archives. arXiv adds one every few years.
"""

from __future__ import annotations

from pathlib import Path

from papertrack.errors import UsageError


def get_category(text: str) -> str:
    """Return the category or archive as arXiv writes it: ``CS.lg`` gives ``cs.LG``.

    A retired name gives its successor, and an alias the category where arXiv lists it. Raises
    UsageError, with similar names, for anything else.
    """
    name = _BY_FOLDED_NAME.get(text.strip().casefold())
    if name is None:
        import difflib  # Only mistakes need it.

        matches = difflib.get_close_matches(text.strip()[:40].casefold(), _BY_FOLDED_NAME, n=3)
        suggestions = dict.fromkeys(_BY_FOLDED_NAME[match] for match in matches)
        names = ", ".join(f"{name} ({CATEGORIES.get(name, 'archive')})" for name in suggestions)
        hint = f"Did you mean {names}?" if names else "See https://arxiv.org/category_taxonomy"
        raise UsageError(f"{text[:40]!r} is not an arXiv category. {hint}")
    return SUCCESSORS.get(name, name)


_LINES = [
    line.split(" ", 1)
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()[1:]
]
CATEGORIES = {name: title for name, title in _LINES if not title.startswith("= ")}
"""Active categories: name to title."""
SUCCESSORS = {name: title[2:] for name, title in _LINES if title.startswith("= ")}
"""Retired names and aliases: name to the category that replaces it."""

ARCHIVES = frozenset(name.partition(".")[0] for name in CATEGORIES)
"""Archives: the part before the dot (``cs``), or the whole name (``hep-th``)."""

_BY_FOLDED_NAME = {name.casefold(): name for name in (*CATEGORIES, *SUCCESSORS, *ARCHIVES)}
