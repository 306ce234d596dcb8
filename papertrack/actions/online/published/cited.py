"""What papers of the library cite and the library does not have: from their references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from papertrack.actions.online.published.hearing import Hearing, Silence
from papertrack.actions.online.published.selection import meant
from papertrack.errors import SourceUnavailableError
from papertrack.matching.publications import Record
from papertrack.records import Identifier, Paper
from papertrack.sources.published.semantic_scholar import References
from papertrack.sources.published.witness import Sought
from papertrack.sources.transport import Door
from papertrack.store.lookup import find_papers, get_papers, known_title_keys
from papertrack.store.store import Store
from papertrack.text import title_key


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A work that the library does not have, and which of its papers cite it."""

    record: Record
    cited_by: tuple[str, ...]
    """Their citekeys."""


@dataclass(frozen=True, slots=True)
class Cited:
    """What came of asking."""

    works: tuple[CitedWork, ...]
    """Those that most papers cite first."""
    papers: int
    """Papers that were asked about."""
    unheard: int
    """Those without an answer."""
    silence: Silence | None


def cited_by_mine(
    store: Store,
    door: Door,
    keys: Mapping[str, str | None],
    words: Sequence[str],
    *,
    least: int,
) -> Cited:
    """The works that at least so many papers cite, and the library does not have.

    Asked about are the papers that were saved or read, or those named or found by a query. Raises
    SourceUnavailableError where nobody may be asked.
    """
    papers = _asked_about(store, words)
    if References.setting not in door.endpoints:
        raise SourceUnavailableError("Nobody is asked: this rehearsal has no Semantic Scholar.")
    hearing = Hearing(References(), door, keys.get(References.key_setting))
    sought = {paper.citekey: Sought(paper.facts.identifiers) for paper in papers}
    heard = hearing.ask(list(sought.values()))
    cited = {key: heard[work] for key, work in sought.items() if work in heard}
    found = [one for one in _gathered(cited) if len(one.cited_by) >= least]
    works = sorted(_unknown(store, found), key=lambda one: (-len(one.cited_by), _title(one)))
    return Cited(tuple(works), len(sought), len(sought) - len(cited), hearing.silence)


def _asked_about(store: Store, words: Sequence[str]) -> list[Paper]:
    papers = get_papers(store, meant(store, words))
    if not words:
        papers = [one for one in papers if one.decision == "saved" or one.passes_done]
    return [one for one in papers if References().answers_for(Sought(one.facts.identifiers))]


def _gathered(cited: Mapping[str, Iterable[Record]]) -> list[CitedWork]:
    """Each work once, with all who cite it: known again by an identifier or its title."""
    names: dict[Identifier | str, int] = {}
    found: list[tuple[Record, dict[str, None]]] = []
    for citekey, records in cited.items():
        for record in records:
            own = (*record.facts.identifiers, title_key(record.facts.title or "") or None)
            told = [name for name in own if name is not None]
            at = next((names[name] for name in told if name in names), len(found))
            if at == len(found):
                found.append((record, {}))
            found[at][1][citekey] = None
            names |= dict.fromkeys(told, at)
    return [CitedWork(record, tuple(keys)) for record, keys in found]


def _unknown(store: Store, works: Sequence[CitedWork]) -> list[CitedWork]:
    """Those that are not in the library, also by their titles."""
    owned = find_papers(store, {i for one in works for i in one.record.facts.identifiers})
    titles = known_title_keys(store, {_title(one) for one in works})
    return [
        one
        for one in works
        if not {*one.record.facts.identifiers} & owned.keys() and _title(one) not in titles
    ]


def _title(work: CitedWork) -> str:
    return title_key(work.record.facts.title or "")
