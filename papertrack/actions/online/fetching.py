"""Ask sources about works: choose identifiers and batches, and stop at services that fail.

`RequestQueue` sends the requests to one service. `fetch_records` asks the sources of metadata, and
`ServiceRun` the services that know publications.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from papertrack.identifiers import identify
from papertrack.matching.publications import Record
from papertrack.records import Identifier, PaperFacts
from papertrack.sources import registry
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import (
    BadAnswer,
    BrokenXML,
    SourceFailure,
    TooLarge,
    Unreachable,
    WrongHost,
)
from papertrack.sources.published.service import Service
from papertrack.sources.registry import title_of as title_of
from papertrack.sources.source import Answers, Source, SourceRecord
from papertrack.store.lookup import find_papers
from papertrack.store.store import Store
from papertrack.store.suggestions import UNKNOWN, Asked, read_answers
from papertrack.text import few, plural

if TYPE_CHECKING:
    from papertrack.sources.transport import Door


def lookup_states(store: Store, paper_ids: Sequence[int]) -> list[Asked]:
    """Return each paper's best identifier for a lookup, with the last answer about it.

    Leaves out papers without an identifier that a source can look up.
    """
    schemes = {scheme for source in registry.SOURCES for scheme in source.schemes}
    stored = read_answers(store, paper_ids, schemes)
    chosen = []
    for answers in map(stored.get, paper_ids):
        by_identifier = {answer.identifier: answer for answer in answers or ()}
        best = registry.best_identifier(by_identifier)
        if best is not None:
            chosen.append(by_identifier[best])
    return chosen


def unanswered_papers(store: Store, paper_ids: Sequence[int]) -> set[int]:
    """Return the papers that no source has answered about yet."""
    return {state.paper_id for state in lookup_states(store, paper_ids) if state.source is None}


MAX_TRIES = 3
"""How many equal failures in a row close a service for this run. Different failures may go on until
a batch is halved down to one work."""
FORBIDDEN = 403
_GROUP = 50
"""Works for which all sources are asked before the next: as many as arXiv takes at once."""
_Work = TypeVar("_Work")
_Answer = TypeVar("_Answer")


@dataclass(eq=False)
class RequestQueue(Generic[_Work, _Answer]):
    """The requests to one service during one run.

    A failed batch is split and asked again, so that one work that cannot be fetched does not
    cost the others their answers. The queue closes when a batch and both halves fail in the same
    way, when there is no connection, and as long as the host asks us to wait.
    """

    door: Door
    setting: str
    """The setting with the service's address."""
    size: int
    """How many works one request can ask about."""
    fetch: Callable[[Sequence[_Work]], Mapping[_Work, _Answer]]
    """Sends a request. Works that are not in the result got no clear answer."""
    is_patient: bool = False
    """Whether to ask twice about a single work, as the connection may have broken once."""
    answers: dict[_Work, _Answer] = field(default_factory=dict)
    tried: set[_Work] = field(default_factory=set)
    settled: set[_Work] = field(default_factory=set)
    """Works that a second request would not help: with a response, even if it is unreadable."""
    _failures: list[SourceFailure] = field(default_factory=list)
    """The failures since the last answer."""

    @property
    def failure(self) -> SourceFailure | None:
        """The last failure; None if the last request was answered."""
        return self._failures[-1] if self._failures else None

    @property
    def is_open(self) -> bool:
        """Whether another request makes sense."""
        # A second try three seconds later would find no connection either.
        is_away = isinstance(self.failure, Unreachable | WrongHost)
        # If a batch and both halves fail in the same way, the cause is the service.
        is_broken = (
            len(self._failures) == MAX_TRIES and len(set(map(_kind_of, self._failures))) == 1
        )
        has_failed_often = len(self._failures) >= MAX_TRIES + (self.size - 1).bit_length()
        is_waiting = self.failure and self.door.cooldown(host_of(self.door.endpoints[self.setting]))
        return not (is_away or is_broken or has_failed_often or is_waiting)

    def ask(self, works: Iterable[_Work]) -> Iterator[Mapping[_Work, _Answer]]:
        """Yield the answers about works that were not tried yet, batch by batch."""
        waiting = [work for work in dict.fromkeys(works) if work not in self.tried]
        # The last batch is asked next: the halves of a failed one are put there.
        batches = [waiting[i : i + self.size] for i in range(0, len(waiting), self.size)][::-1]
        while batches and self.is_open:
            batch = batches.pop()
            is_first = not self.tried.issuperset(batch)
            self.tried.update(batch)
            try:
                answers = self.fetch(batch)
            except SourceFailure as failure:
                self._failures.append(failure)
                # Both halves of the first batch come before smaller parts of either.
                index = len(batches) - (len(self._failures) == 2)
                batches[index:index] = self._parts_of(batch, is_first=is_first)
            else:
                self._failures.clear()
                self.settled.update(batch)
                self.answers.update(answers)
                yield answers

    def _parts_of(self, batch: list[_Work], *, is_first: bool) -> list[list[_Work]]:
        """Return what to ask again of a failed batch: its halves, or a single work once more.

        A single work whose response stays unreadable is settled.
        """
        if middle := len(batch) // 2:
            return [batch[middle:], batch[:middle]]
        if is_first and self.is_patient:
            return [batch]
        if self.is_open and isinstance(self.failure, BadAnswer | TooLarge):
            self.settled.update(batch)
        return []

    def look_up(self, works: Iterable[_Work]) -> dict[_Work, _Answer]:
        """Return the answers about these works; works without one are left out."""
        works = list(works)
        for _ in self.ask(works):
            pass
        return {work: self.answers[work] for work in works if work in self.answers}


def _kind_of(failure: SourceFailure) -> tuple[object, ...]:
    """Return a key that is equal for failures with one cause.

    The place of a broken record is part of the key, as it differs between two broken halves.
    """
    where = failure.what if isinstance(failure, BrokenXML) else ""
    return type(failure), failure.status, where


def fetch_records(door: Door, works: Mapping[Identifier, str | None]) -> Iterator[Answers]:
    """Yield the answers of the sources as they arrive; each work is in at most one.

    ``works`` have the source of their last answer. Asks the preferred source first, in batches, and
    the next source about works without a clear answer, but a fallback source only about works
    without a record. A work is missing if no source knows it although they answered about others.
    Raises SourceFailure at the end when some works got no answer, and at once after a 403, as arXiv
    treats further requests to any of its hosts as an attack.
    """

    def may_know(source: Source, identifier: Identifier) -> bool:
        is_stand_in = identifier.scheme in source.stands_in_for
        is_needed = not is_stand_in or works[identifier] in (None, UNKNOWN)
        return is_needed and source.answers_for(identifier)

    queues = {
        source: RequestQueue(
            door,
            source.setting,
            source.ids_per_request,
            partial(source.fetch, door=door),
            is_patient=source.ids_per_request > 1,
        )
        for source in registry.SOURCES
    }
    remaining = dict(works)
    is_sound = False
    for start in range(0, len(works), _GROUP):
        group = list(works)[start : start + _GROUP]
        for source, queue in queues.items():
            waiting = [work for work in group if work in remaining and may_know(source, work)]
            for answers in filter(None, queue.ask(waiting)):
                is_sound = True
                for work in answers:
                    del remaining[work]
                yield answers
            if queue.failure and queue.failure.status == FORBIDDEN:
                raise queue.failure
    # Call a work missing only if some source answered about others, now or when the work was first
    # missing. Otherwise the connection may have spoiled the answers.
    missing: Answers = {
        work: None
        for work, source_of_last in remaining.items()
        if (is_sound or source_of_last == UNKNOWN)
        and all(work in queues[source].settled for source in queues if may_know(source, work))
    }
    if missing:
        yield missing
    if unanswered := [work for work in remaining if work not in missing]:
        failures = [q.failure for s, q in queues.items() if any(may_know(s, w) for w in unanswered)]
        host = host_of(door.endpoints[registry.sources_for(unanswered[0])[0].setting])
        no_answer = SourceFailure(f"answered without {unanswered[0].value}", host=host)
        raise next(filter(None, failures), no_answer)


class FetchedInTime(NamedTuple):
    """The answers that arrived within some seconds."""

    records: dict[Identifier, SourceRecord]
    problem: str | None
    """Why some works have no record; None if all have one."""
    is_unreachable: bool
    """Whether the cause is a source that did not answer."""


def fetch_in_time(door: Door, works: Sequence[Identifier], seconds: float) -> FetchedInTime:
    """Return the records that arrive within this many seconds, and why others did not.

    A request that is still running goes on in the background. It blocks other requests until it
    or this process ends.
    """
    from papertrack.sources.transport import in_time

    answers: dict[Identifier, SourceRecord | None] = {}

    def fetch() -> None:
        for batch in fetch_records(door, dict.fromkeys(works)):
            answers.update(batch)

    failure = None
    try:
        in_time("papertrack-fetch", seconds, fetch)
    except SourceFailure as error:
        # Name the time of the next try only if there is one.
        failure = str(error) if error.retry_at else f"{error.host} {error.what}."
    except TimeoutError:
        waiting = [work for work in works if work not in answers]
        failure = f"{who_knows(waiting)} did not answer within {seconds:g} seconds."
    records = {work: record for work, record in answers.copy().items() if record}
    problem = failure
    if not failure and (missing := [work for work in works if work not in records]):
        names = few([work.value for work in missing])
        problem = f"{who_knows(missing)} knows no paper {names}."
    return FetchedInTime(records, problem, failure is not None)


def who_knows(identifiers: Sequence[Identifier]) -> str:
    """Return who is asked first about these works: ``arXiv and DataCite``."""
    titles = (registry.sources_for(identifier)[0].title for identifier in identifiers)
    return " and ".join(dict.fromkeys(titles))


def fetch_for_adding(
    store: Store, door: Door, texts: Sequence[str], *, seconds: float
) -> tuple[dict[Identifier, SourceRecord], str | None]:
    """Fetch records for papers to add; return those that arrive in time, and why others did not.

    Skips papers with an earlier answer, and sends each source at most one request.
    """
    works = set(filter(None, (identify(text.strip()) for text in texts)))
    owners = find_papers(store, works)
    waiting = unanswered_papers(store, list(owners.values()))
    unanswered = [work for work in sorted(works) if owners.get(work) in {None, *waiting}]
    chosen: list[Identifier] = []
    problem = None
    for source in registry.SOURCES:
        group = [work for work in unanswered if registry.sources_for(work)[:1] == [source]]
        limit = source.ids_per_request
        chosen += group[:limit]
        if len(group) > limit:
            problem = f"{source.title} takes at most {plural(limit, 'paper')} in one request."
    if not chosen:
        return {}, None
    fetched = fetch_in_time(door, chosen, seconds)
    return fetched.records, fetched.problem or problem


@dataclass(frozen=True, slots=True)
class Outage:
    """A service that could not be asked, and why."""

    source: str
    why: str
    retry_at: str | None


@dataclass(kw_only=True)
class Case:
    """One work while services are asked about it."""

    facts: PaperFacts
    answers: dict[tuple[str, PaperFacts], tuple[Record, ...] | None] = field(default_factory=dict)
    """What each service, by its name, says about a request; None if it did not answer."""

    @property
    def records(self) -> list[Record]:
        """The services' records of the work."""
        found = (record for records in self.answers.values() for record in records or ())
        return list(dict.fromkeys(found))

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of services that answered, in order."""
        return tuple(sorted({s for (s, _), records in self.answers.items() if records is not None}))

    @property
    def silent(self) -> tuple[str, ...]:
        """The names of services that did not answer, in order."""
        return tuple(sorted({s for (s, _), records in self.answers.items() if records is None}))

    @property
    def request(self) -> PaperFacts:
        """What a service needs to know of the work."""
        facts = self.facts
        return PaperFacts(facts.title, identifiers=facts.identifiers, authors=facts.authors[:1])


_C = TypeVar("_C", bound=Case)


class ServiceRun:
    """Asks services about works during one run. Without a door none can be asked."""

    def __init__(self, door: Door | None) -> None:
        self._door = door
        self._queues: dict[str, RequestQueue[PaperFacts, tuple[Record, ...]]] = {}

    @property
    def outages(self) -> tuple[Outage, ...]:
        """The services that could not be asked, and why."""
        failures = ((name, queue.failure) for name, queue in self._queues.items())
        return tuple(
            Outage(
                name,
                f"{failure.host} {failure.what}",
                failure.retry_at.isoformat() if failure.retry_at else None,
            )
            for name, failure in failures
            if failure
        )

    def has(self, service: Service) -> bool:
        """Return whether a service can be asked."""
        return self._door is not None and service.setting in self._door.endpoints

    def ask(
        self,
        service: Service,
        cases: Iterable[_C],
        requests_of: Callable[[_C], Iterable[PaperFacts]] = lambda case: (case.request,),
    ) -> None:
        """Ask a service about the requests of these cases, and give each case its answers."""
        if self._door is None or not self.has(service):
            return
        asked = [(c, work) for c in cases for work in requests_of(c) if service.answers_for(work)]
        if service.name not in self._queues:
            size = service.batch_size(self._door)
            fetch = partial(service.fetch, door=self._door)
            self._queues[service.name] = RequestQueue(self._door, service.setting, size, fetch)
        hits = self._queues[service.name].look_up(work for _, work in asked)
        for case, work in asked:
            case.answers[service.name, work] = hits.get(work)
