"""arXiv's categories: which exist, what they are called, and what became of the old ones.

From arXiv/arxiv-base (MIT), the tables of categories in ``arxiv/db`` and ``arxiv/taxonomy``, as of
June 2026: 155 active categories in 20 archives. arXiv adds one every few years.
"""

from __future__ import annotations

from pathlib import Path

from papertrack.errors import UsageError


def get_category(text: str) -> str:
    """The category or archive as arXiv writes it: ``CS.lg`` gives ``cs.LG``.

    A retired name gives its successor, an alias the category that arXiv lists it under. Raises
    UsageError, with the most similar names, for anything else.
    """
    name = _BY_FOLDED_NAME.get(text.strip().casefold())
    if name is None:
        import difflib  # Only mistakes need it.

        near = difflib.get_close_matches(text.strip()[:40].casefold(), _BY_FOLDED_NAME, n=3)
        found = dict.fromkeys(_BY_FOLDED_NAME[one] for one in near)
        named = ", ".join(f"{one} ({CATEGORIES.get(one, 'archive')})" for one in found)
        hint = f"Did you mean {named}?" if named else "See https://arxiv.org/category_taxonomy"
        raise UsageError(f"{text[:40]!r} is not an arXiv category. {hint}")
    return SUCCESSORS.get(name, name)


_LINES = [
    line.split(" ", 1)
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()[1:]
]
CATEGORIES = {name: title for name, title in _LINES if not title.startswith("= ")}
"""Each active category, and what it is called."""
SUCCESSORS = {name: title[2:] for name, title in _LINES if title.startswith("= ")}
"""Each name that is another category's now, and that category."""

ARCHIVES = frozenset(name.partition(".")[0] for name in CATEGORIES)
"""What is before the dot, and the archives without parts: ``cs``, ``hep-th``."""

_BY_FOLDED_NAME = {name.casefold(): name for name in (*CATEGORIES, *SUCCESSORS, *ARCHIVES)}
