"""Fetching records of works from whoever answers: the sources of the registry, in their order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from papertrack.actions.online.asked import asked_about
from papertrack.identifiers import identify
from papertrack.records import Identifier
from papertrack.sources import registry
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import (
    BadAnswer,
    BrokenXML,
    CoolingDown,
    SourceFailure,
    TooLarge,
    Unreachable,
    WrongHost,
)
from papertrack.sources.registry import title_of as title_of
from papertrack.sources.source import Fetched, Source, SourceRecord
from papertrack.store.lookup import find_papers
from papertrack.store.store import Store
from papertrack.text import few, plural

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

MAX_TRIES = 3
"""Requests in a row that a source may fail before this run leaves it alone; where they fail in
other ways so many more as halving many works takes to come down to one."""
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
        self._row: list[tuple[object, ...]] = []
        """How the last requests failed, since one brought an answer."""
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
            self._row.append(_kind_of(failure))
            # Without a connection a second try, three seconds later, finds none either; and where
            # many and both halves of them fail alike, it is the source.
            is_away = isinstance(failure, Unreachable | WrongHost)
            is_weather = len(self._row) == MAX_TRIES and len(set(self._row)) == 1
            self._tries_left -= self._most_tries if is_away or is_weather else 1
            is_asked_again = self._halve(batch)
            return None if is_asked_again or not self.is_open else Fetched(())
        self._tries_left, self._failure, self._row = self._most_tries, None, []
        self.unheard.difference_update(batch)
        self.is_sound |= bool(answer.records or answer.missing)
        return answer

    def _halve(self, batch: Sequence[Identifier]) -> bool:
        """Put what failed where it is asked for again, if it is worth that."""
        is_new = not self._failed.issuperset(batch)
        self._failed.update(batch)
        middle = len(batch) // 2
        if middle:
            # After the first half the second one is asked, before smaller parts of either.
            at = 0 if len(self._row) == 2 else len(self._halves)
            self._halves[at:at] = batch[middle:], batch[:middle]
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


def _kind_of(failure: SourceFailure) -> tuple[object, ...]:
    """Return what is equal of failures that have one cause; a broken record is at another place in
    each half."""
    where = failure.what if isinstance(failure, BrokenXML) else ""
    return type(failure), failure.status, where


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
