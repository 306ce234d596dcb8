"""Ask sources about works: choose identifiers and batches, and stop at services that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from papertrack.identifiers import identify
from papertrack.matching.publications import Record
from papertrack.records import Identifier, PaperFacts
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
from papertrack.sources.published.service import Hits, Service, WorkRequest
from papertrack.sources.published.services import ARXIV, OTHER_DOIS, SERVICES
from papertrack.sources.registry import title_of as title_of
from papertrack.sources.source import Fetched, Source, SourceRecord
from papertrack.store.lookup import find_papers
from papertrack.store.store import Store
from papertrack.store.suggestions import Asked, read_answers
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


def is_worth_asking(texts: Sequence[str]) -> bool:
    """Return whether one of these texts has an identifier that a source can look up."""
    identifiers = filter(None, (identify(text.strip()) for text in texts))
    return registry.best_identifier(identifiers) is not None


MAX_TRIES = 3
"""How many equal failures in a row close a service for this run. Different failures may go on until
a batch is halved down to one work."""
FORBIDDEN = 403
_Work = TypeVar("_Work")
_Answer = TypeVar("_Answer")


@dataclass(eq=False)
class RequestQueue(Generic[_Work, _Answer]):
    """The requests to one service during one run.

    A failed batch is split and asked again, so that one work that cannot be fetched does not
    cost the others their answers. The queue closes when a batch and both halves fail in the same
    way, or when there is no connection.
    """

    door: Door
    setting: str
    """The setting with the service's address."""
    size: int
    """How many works one request can ask about."""
    knows: Callable[[_Work], bool]
    """Whether the service can look up a work."""
    fetch: Callable[[Sequence[_Work]], _Answer]
    is_patient: bool = False
    """Whether to ask twice about a single work, as the connection may have broken once."""
    done: set[_Work] = field(default_factory=set)
    """Works with an answer, and works that failed alone."""
    unanswered: set[_Work] = field(default_factory=set)
    """Works without any answer, not even an unreadable one."""
    _failures: list[SourceFailure] = field(default_factory=list)
    """The failures since the last answer."""
    _halves: list[Sequence[_Work]] = field(default_factory=list)
    """Halves of failed batches; the last one is the smallest and is asked first."""
    _failed: set[_Work] = field(default_factory=set)

    @property
    def _host(self) -> str:
        return host_of(self.door.endpoints[self.setting])

    @property
    def is_open(self) -> bool:
        """Whether another request makes sense."""
        # A second try three seconds later would find no connection either.
        is_away = bool(self._failures) and isinstance(self._failures[-1], Unreachable | WrongHost)
        # If a batch and both halves fail in the same way, the cause is the service.
        is_broken = (
            len(self._failures) == MAX_TRIES and len(set(map(_kind_of, self._failures))) == 1
        )
        has_failed_often = len(self._failures) >= MAX_TRIES + (self.size - 1).bit_length()
        return not (is_away or is_broken or has_failed_often or self.door.cooldown(self._host))

    @property
    def failure(self) -> SourceFailure | None:
        """The last failure; None if the last request was answered."""
        until = self.door.cooldown(self._host)
        if until is not None and not self._failures:
            return CoolingDown("asked us earlier to wait", host=self._host, retry_at=until)
        return self._failures[-1] if self._failures else None

    def next_batch(self, remaining: Mapping[_Work, object]) -> list[_Work]:
        """Return the works to ask about next; none if the queue is closed or nothing is left."""
        if not self.is_open:
            return []
        while self._halves:
            if batch := [
                work for work in self._halves.pop() if work in remaining and work not in self.done
            ]:
                return batch
        waiting = (work for work in remaining if work not in self.done and self.knows(work))
        return list(islice(waiting, self.size))

    def ask(self, batch: Sequence[_Work]) -> _Answer | None:
        """Return the answer about these works; None if they got none."""
        try:
            answer = self.fetch(batch)
        except SourceFailure as failure:
            self._failures.append(failure)
            if not isinstance(failure, BadAnswer | TooLarge):
                self.unanswered.update(batch)
            self._ask_again(batch)
            return None
        self._failures = []
        self.unanswered.difference_update(batch)
        self.done.update(batch)
        return answer

    def _ask_again(self, batch: Sequence[_Work]) -> None:
        """Queue the halves of a failed batch, or a single work once more; else give it up."""
        is_new = not self._failed.issuperset(batch)
        self._failed.update(batch)
        if middle := len(batch) // 2:
            # Both halves of the first batch come before smaller parts of either.
            index = 0 if len(self._failures) == 2 else len(self._halves)
            self._halves[index:index] = batch[middle:], batch[:middle]
        elif is_new and self.is_patient:
            self._halves.append(batch)
        elif self.is_open:
            self.done.update(batch)


def _kind_of(failure: SourceFailure) -> tuple[object, ...]:
    """Return a key that is equal for failures with one cause.

    The place of a broken record is part of the key, as it differs between two broken halves.
    """
    where = failure.what if isinstance(failure, BrokenXML) else ""
    return type(failure), failure.status, where


def fetch_records(
    door: Door,
    identifiers: Sequence[Identifier],
    *,
    has_record: frozenset[Identifier] = frozenset(),
    was_missing: frozenset[Identifier] = frozenset(),
) -> Iterator[Fetched]:
    """Yield the answers of the sources as they arrive; each work is in at most one.

    Asks the preferred source first, in batches, and the next source about works without a clear
    answer. Does not ask fallback sources about works in ``has_record``. A work is missing if
    no source knows it although they answered about others. Raises SourceFailure at the end when
    some works got no answer, and at once after a 403, as arXiv treats further requests to any of
    its hosts as an attack.
    """

    def queue_of(source: Source) -> RequestQueue[Identifier, Fetched]:
        def knows(identifier: Identifier) -> bool:
            is_stand_in = identifier in has_record and identifier.scheme in source.stands_in_for
            return source.answers_for(identifier) and not is_stand_in

        size = source.ids_per_request
        fetch = partial(source.fetch, door=door)
        return RequestQueue(door, source.setting, size, knows, fetch, is_patient=size > 1)

    queues = list(map(queue_of, registry.SOURCES))
    remaining = dict.fromkeys(identifiers)
    is_sound = False
    while request := next(((q, batch) for q in queues if (batch := q.next_batch(remaining))), None):
        queue, batch = request
        answer = queue.ask(batch)
        if queue.failure and queue.failure.status == FORBIDDEN:
            raise queue.failure
        if answer and (answer.records or answer.missing):
            is_sound = True
            for identifier in (*(record.identifier for record in answer.records), *answer.missing):
                del remaining[identifier]
            yield answer
    # Call a work missing only if some source answered about others, now or when the work was first
    # missing. Otherwise the connection may have spoiled the answers.
    missing = tuple(
        identifier
        for identifier in remaining
        if (is_sound or identifier in was_missing)
        and not any(identifier in queue.unanswered for queue in queues)
        and all(identifier in queue.done for queue in queues if queue.knows(identifier))
    )
    for identifier in missing:
        del remaining[identifier]
    if missing:
        yield Fetched((), missing)
    if unanswered := list(remaining):
        failures = [queue.failure for queue in queues if any(map(queue.knows, unanswered))]
        host = host_of(door.endpoints[registry.sources_for(unanswered[0])[0].setting])
        no_answer = SourceFailure(f"answered without {unanswered[0].value}", host=host)
        raise next(filter(None, failures), no_answer)


class FetchedInTime(NamedTuple):
    """The answers that arrived within some seconds."""

    records: dict[Identifier, SourceRecord]
    missing: tuple[Identifier, ...] = ()
    """Works that no source knows, if all answered."""
    failure: str | None = None
    """Why other works have no answer."""

    @property
    def problem(self) -> str | None:
        """Return why some works have no record; None if all have one."""
        if self.failure or not self.missing:
            return self.failure
        names = few([work.value for work in self.missing])
        return f"{who_knows(self.missing)} knows no paper {names}."


def fetch_in_time(door: Door, identifiers: Sequence[Identifier], seconds: float) -> FetchedInTime:
    """Return the records that arrive within this many seconds, and why others did not.

    A request that is still running goes on in the background. It blocks other requests until it
    or this process ends.
    """
    from papertrack.sources.transport import in_time

    records: dict[Identifier, SourceRecord] = {}
    missing: list[Identifier] = []

    def fetch() -> None:
        for batch in fetch_records(door, identifiers):
            records.update({record.identifier: record for record in batch.records})
            missing.extend(batch.missing)

    failure = None
    try:
        in_time("papertrack-fetch", seconds, fetch)
    except SourceFailure as error:
        # Name the time of the next try only if there is one.
        failure = str(error) if error.retry_at else f"{error.host} {error.what}."
    except TimeoutError:
        waiting = [identifier for identifier in identifiers if identifier not in records]
        failure = f"{who_knows(waiting)} did not answer within {seconds:g} seconds."
    return FetchedInTime(dict(records), tuple(missing), failure)


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
    answered = {s.paper_id for s in lookup_states(store, list(owners.values())) if s.source}
    unanswered = [work for work in sorted(works) if owners.get(work) not in answered]
    chosen: list[Identifier] = []
    problem = None
    for source, group in _by_source(unanswered).items():
        limit = source.ids_per_request
        chosen += group[:limit]
        if len(group) > limit:
            problem = f"{source.title} takes at most {plural(limit, 'paper')} in one request."
    if not chosen:
        return {}, None
    fetched = fetch_in_time(door, chosen, seconds)
    return fetched.records, fetched.problem or problem


def _by_source(identifiers: Iterable[Identifier]) -> dict[Source, list[Identifier]]:
    groups: dict[Source, list[Identifier]] = {}
    for identifier in identifiers:
        for source in registry.sources_for(identifier)[:1]:
            groups.setdefault(source, []).append(identifier)
    return groups


@dataclass(frozen=True, slots=True)
class Outage:
    """A service that could not be asked, and why."""

    source: str
    why: str
    retry_at: str | None

    @classmethod
    def of(cls, source: str, failure: SourceFailure | None) -> Outage | None:
        """Make an outage of a failure; None without one."""
        if failure is None:
            return None
        at = failure.retry_at.isoformat() if failure.retry_at else None
        return cls(source, f"{failure.host} {failure.what}", at)


class ServiceClient(RequestQueue[WorkRequest, Hits]):
    """One service that knows publications, and its answers in this run."""

    def __init__(self, service: Service, door: Door, key: str | None) -> None:
        fetch = partial(service.fetch, door=door, key=key)
        size = service.batch_size(key)
        super().__init__(door, service.setting, size, service.answers_for, fetch)
        self._name = service.name
        self._answers: dict[WorkRequest, tuple[Record, ...]] = {}

    @property
    def outage(self) -> Outage | None:
        """Return why the service cannot be asked; None if it can."""
        return Outage.of(self._name, self.failure)

    def look_up(self, works: Iterable[WorkRequest]) -> Hits:
        """Return the records of these works; works without an answer are left out."""
        unique = dict.fromkeys(works)
        while batch := self.next_batch(unique):
            self._answers.update(self.ask(batch) or {})
        return {work: self._answers[work] for work in unique if work in self._answers}


@dataclass(slots=True, kw_only=True)
class Case:
    """One work while services are asked about it."""

    facts: PaperFacts
    records: list[Record] = field(default_factory=list)
    """The services' records of the work."""
    answered: set[str] = field(default_factory=set)
    """The names of services that answered."""
    unanswered: set[str] = field(default_factory=set)
    """The names of services that did not answer."""

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the names of services that answered, in order."""
        return tuple(sorted(self.answered))

    @property
    def silent(self) -> tuple[str, ...]:
        """Return the names of services that did not answer, in order."""
        return tuple(sorted(self.unanswered))

    @property
    def request(self) -> WorkRequest:
        """Return the work as a request to a service."""
        authors = [author.name for author in self.facts.authors[:1]]
        return WorkRequest(self.facts.identifiers, self.facts.title, *authors)

    def add_answer(self, name: str, records: tuple[Record, ...] | None) -> None:
        """Add what a service says of one work; None means that it did not answer."""
        if records is None:
            self.unanswered.add(name)
        else:
            self.answered.add(name)
            self.records += [record for record in records if record not in self.records]


_C = TypeVar("_C", bound=Case)


class ServiceClients:
    """The clients of all services in one run. Without a door there are none."""

    def __init__(self, door: Door | None, keys: Mapping[str, str | None]) -> None:
        self._by_name = {
            service.name: ServiceClient(service, door, keys.get(service.key_setting or ""))
            for service in (*SERVICES, *OTHER_DOIS, ARXIV)
            if door and service.setting in door.endpoints
        }

    @property
    def outages(self) -> tuple[Outage, ...]:
        """Return the services that could not be asked, and why."""
        return tuple(filter(None, (client.outage for client in self._by_name.values())))

    def has(self, name: str) -> bool:
        """Return whether a service can be asked."""
        return name in self._by_name

    def ask(
        self,
        name: str,
        cases: Iterable[_C],
        works_of: Callable[[_C], Iterable[WorkRequest]] = lambda case: (case.request,),
    ) -> list[tuple[_C, Hits]]:
        """Ask one service about the works of these cases, and add its records to the cases.

        Returns the cases that it was asked about, each with the works that it answered about.
        """
        client = self._by_name.get(name)
        wanted = [(case, list(filter(client.knows, works_of(case)))) for case in cases if client]
        wanted = [(case, works) for case, works in wanted if works]
        hits = client.look_up(work for _, works in wanted for work in works) if client else {}
        for case, works in wanted:
            for work in works:
                case.add_answer(name, hits.get(work))
        return [(case, {w: hits[w] for w in works if w in hits}) for case, works in wanted]
