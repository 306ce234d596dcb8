"""Asking sources and services about works: by which identifier, in batches, while they answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from papertrack.identifiers import identify
from papertrack.matching.publications import Record
from papertrack.records import Identifier
from papertrack.sources import registry
from papertrack.sources.arxiv_api import ArxivApi
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import BadAnswer, CoolingDown, SourceFailure, TooLarge, Unreachable
from papertrack.sources.published.registry import OTHER_DOIS, WITNESSES
from papertrack.sources.published.witness import Sought, Told, Witness
from papertrack.sources.registry import title_of as title_of
from papertrack.sources.source import Fetched, Source, SourceRecord
from papertrack.store.answers import Asked, read_answers
from papertrack.store.lookup import find_papers
from papertrack.store.store import Store
from papertrack.text import few, plural

if TYPE_CHECKING:
    from papertrack.sources.transport import Door


def asked_about(store: Store, paper_ids: Sequence[int]) -> list[Asked]:
    """Those of these papers that a source answers for, in the order given, each once."""
    schemes = {scheme for source in registry.SOURCES for scheme in source.schemes}
    known = read_answers(store, paper_ids, schemes)
    chosen = []
    for answers in map(known.get, paper_ids):
        by_identifier = {one.identifier: one for one in answers or ()}
        best = registry.best_identifier(by_identifier)
        if best is not None:
            chosen.append(by_identifier[best])
    return chosen


def waiting_for_an_answer(store: Store, paper_ids: Sequence[int]) -> set[int]:
    """Those of these papers about which a source has still to be asked."""
    return {asked.paper_id for asked in asked_about(store, paper_ids) if asked.source is None}


def is_worth_asking(texts: Sequence[str]) -> bool:
    """Whether one of these texts names a work that a source may know."""
    named = filter(None, (identify(text.strip()) for text in texts))
    return registry.best_identifier(named) is not None


MAX_TRIES = 3
"""Requests in a row that a source may fail before this run leaves it alone; of one that takes
many works at once so many more as halving them takes to come down to one."""
FORBIDDEN = 403


class _Asking:
    """One source during one run: what to ask it next, whether that is worth it, how it failed."""

    def __init__(self, source: Source, door: Door) -> None:
        self.source = source
        self.is_sound = False
        """Whether it answered about anything."""
        self._door = door
        self._host = host_of(door.endpoints[source.setting])
        self._most_tries = MAX_TRIES + (source.ids_per_request - 1).bit_length()
        self._tries_left = self._most_tries
        self._failure: SourceFailure | None = None
        self._halves: list[Sequence[Identifier]] = []
        """Of batches that failed; the last one is asked first, and is the smallest."""
        self._failed: set[Identifier] = set()
        self.unheard: set[Identifier] = set()
        """Works that it was asked about without any answer, be it an unreadable one."""

    @property
    def is_open(self) -> bool:
        return self._tries_left > 0 and self._door.cooldown(self._host) is None

    def next_batch(self, left: _Left) -> list[Identifier]:
        """What it is asked about next, of what is left; nothing when it has been asked about all.

        An answer about many that failed is asked for in halves, so that one work that cannot be
        told costs the others nothing.
        """
        while self._halves:
            if batch := [one for one in self._halves.pop() if self in left.get(one, ())]:
                return batch
        waiting = (one for one, sources in left.items() if self in sources)
        return list(islice(waiting, self.source.ids_per_request))

    def ask(self, batch: Sequence[Identifier]) -> Fetched | None:
        """What it says of these works; None when they are still to be asked for.

        Raises a 403's failure: arXiv takes going on after one, at whichever of its hosts, for an
        attack.
        """
        try:
            answer = self.source.fetch(batch, self._door)
        except SourceFailure as failure:
            if failure.status == FORBIDDEN:
                raise
            self._failure = failure
            if not isinstance(failure, BadAnswer | TooLarge):
                self.unheard.update(batch)
            # Without a connection a second try, three seconds later, finds none either.
            self._tries_left -= self._most_tries if isinstance(failure, Unreachable) else 1
            is_asked_again = self._halve(batch)
            return None if is_asked_again or not self.is_open else Fetched(())
        self._tries_left, self._failure = self._most_tries, None
        self.unheard.difference_update(batch)
        self.is_sound |= bool(answer.records or answer.missing)
        return answer

    def _halve(self, batch: Sequence[Identifier]) -> bool:
        """Put what failed where it is asked for again, if it is worth that."""
        is_new = not self._failed.issuperset(batch)
        self._failed.update(batch)
        middle = len(batch) // 2
        if middle:
            self._halves += batch[middle:], batch[:middle]
        elif is_new and self.source.ids_per_request > 1:
            # A line that broke once; of single records there are too many to ask for each twice.
            self._halves.append(batch)
        else:
            return False
        return True

    def failure(self) -> SourceFailure | None:
        """Why it is not asked, if it is not."""
        until = self._door.cooldown(self._host)
        if self._failure is None and until is not None:
            return CoolingDown("asked us earlier to wait", host=self._host, retry_at=until)
        return self._failure


_Left = dict[Identifier, list[_Asking]]
"""The works without an answer, each with the sources that are still to be asked about it."""


def fetch_records(
    door: Door,
    identifiers: Sequence[Identifier],
    *,
    has_record: frozenset[Identifier] = frozenset(),
    was_missing: frozenset[Identifier] = frozenset(),
) -> Iterator[Fetched]:
    """What the sources say of these works, as it comes; each is in one part at most.

    The most preferred source that is open is asked, about as many as it takes at once. Those of
    which it says nothing sure are asked of the next one; while it cools down, all are. Of works in
    ``has_record`` nobody is asked who only stands in for others. What none of them can tell, though
    somebody tells of others, is missing, as is what was so before. Raises SourceFailure at the end
    when some got no answer.
    """
    asking = [_Asking(source, door) for source in registry.SOURCES]
    left = {one: _who_is_asked(asking, one, one in has_record) for one in identifiers}
    while turn := _next_turn(asking, left):
        source, batch = turn
        answer = source.ask(batch)
        if answer is None:
            continue  # In halves, or of others, until it opens again.
        for one in batch:
            left[one].remove(source)
        settled = [*(record.identifier for record in answer.records), *answer.missing]
        for one in settled:
            del left[one]
        if settled:
            yield answer
    if untold := _untold(asking, left, was_missing):
        for one in untold:
            del left[one]
        yield Fetched((), untold)
    if left:
        raise _why_not(asking, left, door)


def _who_is_asked(asking: Sequence[_Asking], one: Identifier, has_record: bool) -> list[_Asking]:
    """The sources that may know more of this work, in their order."""
    able = [a for a in asking if a.source.answers_for(one)]
    return [a for a in able if not (has_record and one.scheme in a.source.stands_in_for)]


def _untold(
    asking: Sequence[_Asking], left: _Left, was_missing: frozenset[Identifier]
) -> tuple[Identifier, ...]:
    """The works of which nobody who may know them told anything, though all answered.

    That somebody told of other works, now or when this one was missing first, shows that it is
    not the line that spoils the answers.
    """
    is_sound = any(source.is_sound for source in asking)
    unheard = set[Identifier]().union(*(source.unheard for source in asking))
    return tuple(
        one
        for one, sources in left.items()
        if not sources and one not in unheard and (is_sound or one in was_missing)
    )


def _next_turn(asking: Sequence[_Asking], left: _Left) -> tuple[_Asking, list[Identifier]] | None:
    """Who is asked next, and about what; None when nobody can be asked any more."""
    for source in asking:
        if source.is_open and (batch := source.next_batch(left)):
            return source, batch
    return None


def _why_not(asking: Sequence[_Asking], left: _Left, door: Door) -> SourceFailure:
    """Why these works got no answer."""
    unanswered = next(iter(left))
    concerned = [a for a in asking if any(a.source.answers_for(one) for one in left)]
    failures = filter(None, (source.failure() for source in concerned))
    host = host_of(door.endpoints[concerned[0].source.setting])
    silent = SourceFailure(f"answered, but not for {unanswered.value}", host=host)
    return next(failures, silent)


class FetchedInTime(NamedTuple):
    """What came within some seconds."""

    records: dict[Identifier, SourceRecord]
    missing: tuple[Identifier, ...] = ()
    """Those that no source knows, where all answered."""
    failure: str | None = None
    """Why others have no answer."""

    @property
    def problem(self) -> str | None:
        """Why some have no record."""
        if self.failure or not self.missing:
            return self.failure
        names = few([one.value for one in self.missing])
        return f"{who_knows(self.missing)} knows no paper {names}."


def fetch_in_time(door: Door, identifiers: Sequence[Identifier], seconds: float) -> FetchedInTime:
    """The records that came within so many seconds, and why others did not.

    What is still under way then is left behind: it holds the network's turn until it is over,
    or until this process ends.
    """
    from papertrack.sources.transport import in_time

    records: dict[Identifier, SourceRecord] = {}
    missing: list[Identifier] = []

    def fetch() -> None:
        for part in fetch_records(door, identifiers):
            records.update({record.identifier: record for record in part.records})
            missing.extend(part.missing)

    failure = None
    try:
        in_time("papertrack-fetch", seconds, fetch)
    except SourceFailure as error:
        failure = str(error)
    except TimeoutError:
        waiting = [one for one in identifiers if one not in records]
        failure = f"{who_knows(waiting)} did not answer within {seconds:g} seconds."
    return FetchedInTime(dict(records), tuple(missing), failure)


def who_knows(identifiers: Sequence[Identifier]) -> str:
    """``arXiv and DataCite``: the sources that are asked first about these works."""
    titles = (registry.sources_for(one)[0].title for one in identifiers)
    return " and ".join(dict.fromkeys(titles))


def fetch_for_adding(
    store: Store, door: Door, texts: Sequence[str], *, seconds: float
) -> tuple[dict[Identifier, SourceRecord], str | None]:
    """The records of the works named, as far as they come in time, else why not.

    Papers that a source answered about before are not asked for, and of the others never more than
    one request to each source can hold.
    """
    named = {known for text in texts if (known := identify(text.strip()))}
    waiting = sorted(named - _answered(store, named), key=lambda one: (one.scheme, one.value))
    wanted: list[Identifier] = []
    problem = None
    for source, several in _by_source(waiting).items():
        most = source.ids_per_request
        wanted += several[:most]
        if len(several) > most:
            problem = f"{source.title} is asked about {plural(most, 'paper')} at once."
    if not wanted:
        return {}, None
    fetched = fetch_in_time(door, wanted, seconds)
    return fetched.records, fetched.problem or problem


def _answered(store: Store, identifiers: Collection[Identifier]) -> set[Identifier]:
    """Those of papers of the library that a source has answered about."""
    owners = find_papers(store, identifiers)
    done = {one.paper_id for one in asked_about(store, list(owners.values())) if one.source}
    return {identifier for identifier, owner in owners.items() if owner in done}


def _by_source(identifiers: Sequence[Identifier]) -> dict[Source, list[Identifier]]:
    groups: dict[Source, list[Identifier]] = {}
    for identifier in identifiers:
        if sources := registry.sources_for(identifier):
            groups.setdefault(sources[0], []).append(identifier)
    return groups


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
