"""Asking services about works: in batches, each as long as it answers; arXiv's own records too."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from papertrack.matching.publications import Record
from papertrack.records import Identifier
from papertrack.sources.arxiv_api import ArxivApi
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import BadAnswer, CoolingDown, SourceFailure, TooLarge
from papertrack.sources.published.registry import OTHER_DOIS, WITNESSES
from papertrack.sources.published.witness import Sought, Told, Witness
from papertrack.sources.source import Fetched

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

ARXIV = ArxivApi.name
_MOST_FAILURES = 3
"""Answers in a row that cannot be used before a service is left alone for this run: about a batch
and its two halves."""


class Silence(NamedTuple):
    """A service that could not be asked, and why."""

    source: str
    why: str
    retry_at: str | None


class Hearing:
    """One service during one run."""

    def __init__(self, witness: Witness, door: Door, key: str | None) -> None:
        self.witness = witness
        self.name = witness.name
        self._door = door
        self._key = key
        self._host = host_of(door.endpoints[witness.setting])
        self._failures = 0
        self._failure: SourceFailure | None = None
        self._untold: set[Sought] = set()
        """Works about which alone it gave no answer."""

    @property
    def is_open(self) -> bool:
        """Whether it makes sense to ask it."""
        return self._failures < _MOST_FAILURES and self._door.cooldown(self._host) is None

    @property
    def silence(self) -> Silence | None:
        """Why it is not asked, if it is not."""
        until = self._door.cooldown(self._host)
        failure = self._failure
        if failure is None and until is not None:
            failure = CoolingDown("asked us earlier to wait", host=self._host, retry_at=until)
        if failure is None:
            return None
        at = failure.retry_at.isoformat() if failure.retry_at else None
        return Silence(self.name, f"{failure.host} {failure.what}", at)

    def ask(self, works: Sequence[Sought]) -> dict[Sought, tuple[Record, ...]]:
        """What it says of these works, as far as it answers: of the others it is not known."""
        heard: dict[Sought, tuple[Record, ...]] = {}
        for told in self._batches(works):
            heard |= told
        return heard

    def _batches(self, works: Sequence[Sought]) -> Iterator[Told]:
        left = [one for one in dict.fromkeys(works) if self.witness.answers_for(one)]
        left = [one for one in left if one not in self._untold]
        size = self.witness.works_per_request
        waiting = deque(left[start : start + size] for start in range(0, len(left), size))
        while waiting and self.is_open:
            batch = waiting.popleft()
            try:
                told = self.witness.fetch(batch, self._door, self._key)
            except SourceFailure as failure:
                self._failure = failure
                is_weather = not isinstance(failure, BadAnswer | TooLarge)
                self._failures = _MOST_FAILURES if is_weather else self._failures + 1
                # One work that cannot be told costs the others nothing: the halves come last.
                middle = len(batch) // 2
                waiting.extend([batch[:middle], batch[middle:]] if middle else [])
                self._untold.update(() if middle else batch)
                continue
            self._failures, self._failure = 0, None
            yield told
            # Some answer about the first ones alone.
            rest = [one for one in batch if one not in told]
            waiting.extendleft([rest] if told and rest else [])


class Hearings:
    """All who are asked during one run, and how they fail. Without a door nobody is."""

    def __init__(self, door: Door | None, keys: Mapping[str, str | None]) -> None:
        self._door = door
        self._arxiv_failure: SourceFailure | None = None
        self.by_name = {
            one.name: Hearing(one, door, keys.get(one.key_setting or ""))
            for one in (*WITNESSES, *OTHER_DOIS)
            if door and one.setting in door.endpoints
        }

    @property
    def silences(self) -> tuple[Silence, ...]:
        """The services that could not be asked, and why."""
        found = list(filter(None, (one.silence for one in self.by_name.values())))
        if failure := self._arxiv_failure:
            at = failure.retry_at.isoformat() if failure.retry_at else None
            found.append(Silence(ARXIV, f"{failure.host} {failure.what}", at))
        return tuple(found)

    def ask_arxiv(
        self, ids: Sequence[Identifier]
    ) -> Iterator[tuple[Sequence[Identifier], Fetched | None]]:
        """Yield what arXiv's own records say of these papers, batch by batch; None of a batch
        that it did not answer about, after which it is asked no more."""
        size = ArxivApi.ids_per_request
        for start in range(0, len(ids), size):
            batch = ids[start : start + size]
            yield batch, self._of_arxiv(batch)

    def _of_arxiv(self, batch: Sequence[Identifier]) -> Fetched | None:
        if self._door is None or self._arxiv_failure:
            return None
        try:
            return ArxivApi().fetch(batch, self._door)
        except SourceFailure as failure:
            self._arxiv_failure = failure
            return None
