"""What the reader says of the ranking itself: more or less like a paper, and words to forget."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.errors import NotFoundError, UsageError
from papertrack.ranking.words import AUTHOR, words_of
from papertrack.store.lookup import citekeys_of
from papertrack.store.store import Store
from papertrack.store.watch import ranks
from papertrack.store.watch.labels import is_author
from papertrack.text import clean, few, fold

VERBS = {"more": "more like", "less": "less like", None: "no wish about"}


def wish(store: Store, paper_ids: Sequence[int], wanted: str | None) -> list[str]:
    """Want ``more`` or ``less`` like these papers, or take that back; return their citekeys."""
    citekeys = citekeys_of(store, paper_ids)
    with store.action("ranking", f"{VERBS[wanted]} {few(citekeys)}"):
        for paper_id in paper_ids:
            ranks.set_wish(store, paper_id, wanted)
    return citekeys


def forget(store: Store, typed: str) -> tuple[str, bool]:
    """Let a word, a pair of words or an author say nothing in the ranking.

    Returns what is forgotten, and whether that is news. Raises UsageError where the ranking sees
    no such thing.
    """
    term = term_of(store, typed)
    with store.action("ranking", f"forget {shown(term)}"):
        return term, ranks.forget_term(store, term)


def recall(store: Store, typed: str) -> str:
    """Let what was forgotten count again; return it. Raises NotFoundError if it was not."""
    known = ranks.forgotten_terms(store)
    wanted = {fold(typed), AUTHOR + fold(typed)}
    term = next((one for one in known if one in wanted), None)
    if term is None:
        names = f" Forgotten are {few([*map(shown, known)])}." if known else ""
        raise NotFoundError(f"{clean(typed)} is not forgotten.{names}")
    with store.action("ranking", f"recall {shown(term)}"):
        ranks.recall_term(store, term)
    return term


def term_of(store: Store, typed: str) -> str:
    """What the ranking calls a word, two words, or the name of an author of the library."""
    if is_author(store, fold(typed)):
        return AUTHOR + fold(typed)
    words = words_of(typed)
    if not words or len(words) > 2 or None in words:
        raise UsageError(
            f"{clean(typed)!r} is nothing that the ranking sees: name one word or two that stand "
            "side by side, as `papertrack why` shows them, or an author of the library."
        )
    return " ".join(filter(None, words))


def shown(term: str) -> str:
    """A forgotten term as people write it."""
    return term.removeprefix(AUTHOR)
