"""Find the paper that the user's text refers to."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from papertrack.errors import NotFoundError, UsageError
from papertrack.store.lookup import (
    find_by_citekey,
    find_by_title_start,
    find_paper,
    get_paper,
    get_papers,
    reference_names,
)
from papertrack.store.store import Store
from papertrack.text import shorten

_NUMBER = r"[0-9]{1,9}"
_CLOSE, _VERY_CLOSE = 60, 75
"""The least rapidfuzz scores, of 100, at which a similar name is suggested: a part, a whole."""
_SHOWN = 5
"""How many candidates an error lists."""


def resolve_reference(store: Store, text: str, *, has_hint: bool = True) -> int:
    """Return the id of the paper that ``text`` names.

    Tries, in this order: a current or former citekey, any spelling of an identifier (arXiv id, DOI,
    address), the paper's number in the library, the start of a title. Raises UsageError when
    several titles match, and NotFoundError, with the nearest paper, when nothing does.
    """
    reference = text.strip()
    if not reference:
        raise UsageError("An empty text names no paper.")
    for find in (find_by_citekey, _find_by_identifier, _find_by_number):
        paper_id = find(store, reference)
        if paper_id is not None:
            return paper_id
    return _resolve_title(store, reference, has_hint)


def _find_by_identifier(store: Store, text: str) -> int | None:
    from papertrack.identifiers import identify  # Citekeys are tried before this.

    identifier = identify(text)
    return None if identifier is None else find_paper(store, [identifier])


def _find_by_number(store: Store, text: str) -> int | None:
    numbers = [int(text)] if re.fullmatch(_NUMBER, text) else []
    return next((paper.id for paper in get_papers(store, numbers)), None)


def resolve_references(store: Store, texts: Sequence[str]) -> list[int]:
    """Return the papers that these texts name, each once, in the order named.

    Raises the errors of ``resolve_reference``; if several texts name no paper, the error lists them
    all.
    """
    paper_ids: dict[int, None] = {}
    failures: list[NotFoundError | UsageError] = []
    for text in dict.fromkeys(texts):
        try:
            paper_ids[resolve_reference(store, text, has_hint=len(failures) < _SHOWN)] = None
        except (NotFoundError, UsageError) as error:
            failures.append(error)
    if len(failures) > 1:
        kind = NotFoundError if any(isinstance(f, NotFoundError) for f in failures) else UsageError
        raise kind(" ".join(map(str, failures)))
    if failures:
        raise failures[0]
    return list(paper_ids)


def _resolve_title(store: Store, start: str, has_hint: bool) -> int:
    candidates = find_by_title_start(store, start, limit=_SHOWN + 1)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        papers = get_papers(store, candidates[:_SHOWN])
        names = ", ".join(_with_title(paper.citekey, paper.facts.title) for paper in papers)
        more = ", …" if len(candidates) > _SHOWN else ""
        raise UsageError(
            f"{shorten(start, 60)!r} names several papers: {names}{more}. "
            "Use the citekey, or more of the title."
        )
    raise NotFoundError(
        f"No paper is named {shorten(start, 60)!r}.{f' {_hint(store, start)}' if has_hint else ''}"
    )


def _hint(store: Store, text: str) -> str:
    """Return a suggestion for a text that names no paper."""
    near = _nearest(store, text)
    if near:
        return f"The nearest is {near}."
    from papertrack.identifiers import identify

    if identify(text) is not None:
        return f"`papertrack add {shlex.quote(text)}` adds it."
    return "`papertrack list` shows all papers."


def _nearest(store: Store, text: str) -> str | None:
    # Imported here because only a failed search needs it.
    from rapidfuzz import fuzz, process, utils

    names = reference_names(store)
    # A whole name with a typo is nearer than a part of a longer one.
    scorers = (fuzz.ratio, _VERY_CLOSE), (fuzz.WRatio, _CLOSE)
    matches = (
        process.extractOne(
            text[:200],
            [name for name, _ in names],
            scorer=scorer,
            processor=utils.default_process,
            score_cutoff=least,
        )
        for scorer, least in scorers
    )
    match = next(filter(None, matches), None)
    if match is None:
        return None
    paper = get_paper(store, names[match[2]][1])
    return _with_title(paper.citekey, paper.facts.title)


def _with_title(citekey: str, title: str | None) -> str:
    return f"{citekey} ({shorten(title, 60)})" if title else citekey
