"""Ask sources about works: by which identifier, in which batches, and until when."""

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
from papertrack.sources.published.registry import ARXIV, OTHER_DOIS, WITNESSES
from papertrack.sources.published.witness import Hits, Sought, Witness
from papertrack.sources.registry import title_of as title_of
from papertrack.sources.source import Fetched, Source, SourceRecord
from papertrack.store.lookup import find_papers
from papertrack.store.store import Store
from papertrack.store.suggestions import Asked, read_answers
from papertrack.text import few, plural

if TYPE_CHECKING:
    from papertrack.sources.transport import Door


def asked_about(store: Store, paper_ids: Sequence[int]) -> list[Asked]:
    """Return those of these papers that a source knows, in order, each once."""
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
    """Return those of these papers that a source must still be asked about."""
    return {asked.paper_id for asked in asked_about(store, paper_ids) if asked.source is None}


def is_worth_asking(texts: Sequence[str]) -> bool:
    """Return whether one of these texts names a work that a source may know."""
    named = filter(None, (identify(text.strip()) for text in texts))
    return registry.best_identifier(named) is not None


MAX_TRIES = 3
"""How often in a row a service may fail alike before it is not asked again in this run; for other
failures, as many more as it takes to halve a batch down to one work."""
FORBIDDEN = 403
_Work = TypeVar("_Work")
_Answer = TypeVar("_Answer")


@dataclass(eq=False)
class RequestQueue(Generic[_Work, _Answer]):
    """The requests to one service during one run: what to ask next, and until when.

    A batch that fails is asked again in halves, so that one work that cannot be fetched costs the
    others nothing. A service that fails alike for a batch and both its halves, or without a
    connection, is left alone.
    """

    door: Door
    setting: str
    """The setting for its address."""
    size: int
    """How many works one request can ask about."""
    knows: Callable[[_Work], bool]
    """Whether it may know a work."""
    fetch: Callable[[Sequence[_Work]], _Answer]
    is_patient: bool = False
    """Whether a single work is asked about twice: the line may have broken once."""
    done: set[_Work] = field(default_factory=set)
    """Works that it answered about, or that alone got no usable answer."""
    unheard: set[_Work] = field(default_factory=set)
    """Works that it was asked about without any answer, not even an unreadable one."""
    _failures: list[SourceFailure] = field(default_factory=list)
    """The last failures, since an answer came."""
    _halves: list[Sequence[_Work]] = field(default_factory=list)
    """The halves of batches that failed; the last one is asked first, and is the smallest."""
    _failed: set[_Work] = field(default_factory=set)

    @property
    def _host(self) -> str:
        return host_of(self.door.endpoints[self.setting])

    @property
    def is_open(self) -> bool:
        """Whether it makes sense to ask."""
        # Without a connection a second try, three seconds later, finds none either.
        is_away = bool(self._failures) and isinstance(self._failures[-1], Unreachable | WrongHost)
        # Where many and both halves of them fail alike, it is the service.
        is_broken = (
            len(self._failures) == MAX_TRIES and len(set(map(_kind_of, self._failures))) == 1
        )
        is_worn = len(self._failures) >= MAX_TRIES + (self.size - 1).bit_length()
        return not (is_away or is_broken or is_worn or self.door.cooldown(self._host))

    @property
    def failure(self) -> SourceFailure | None:
        """Why there was no answer, if there was none."""
        until = self.door.cooldown(self._host)
        if until is not None and not self._failures:
            return CoolingDown("asked us earlier to wait", host=self._host, retry_at=until)
        return self._failures[-1] if self._failures else None

    def next_batch(self, left: Mapping[_Work, object]) -> list[_Work]:
        """Return what to ask about next, of the works that are left; nothing if there is nothing to
        ask, or no sense in it."""
        if not self.is_open:
            return []
        while self._halves:
            if batch := [
                work for work in self._halves.pop() if work in left and work not in self.done
            ]:
                return batch
        waiting = (work for work in left if work not in self.done and self.knows(work))
        return list(islice(waiting, self.size))

    def ask(self, batch: Sequence[_Work]) -> _Answer | None:
        """Return the answer about these works; None if they got none."""
        try:
            answer = self.fetch(batch)
        except SourceFailure as failure:
            self._failures.append(failure)
            if not isinstance(failure, BadAnswer | TooLarge):
                self.unheard.update(batch)
            self._ask_again(batch)
            return None
        self._failures = []
        self.unheard.difference_update(batch)
        self.done.update(batch)
        return answer

    def _ask_again(self, batch: Sequence[_Work]) -> None:
        """Ask about what failed again, in halves, if it is worth that."""
        is_new = not self._failed.issuperset(batch)
        self._failed.update(batch)
        if middle := len(batch) // 2:
            # After the first half the second one is asked, before smaller parts of either.
            at = 0 if len(self._failures) == 2 else len(self._halves)
            self._halves[at:at] = batch[middle:], batch[:middle]
        elif is_new and self.is_patient:
            self._halves.append(batch)
        elif self.is_open:
            self.done.update(batch)


def _kind_of(failure: SourceFailure) -> tuple[object, ...]:
    """Return what is equal of failures that have one cause; a broken record is at another place in
    each half."""
    where = failure.what if isinstance(failure, BrokenXML) else ""
    return type(failure), failure.status, where


def fetch_records(
    door: Door,
    identifiers: Sequence[Identifier],
    *,
    has_record: frozenset[Identifier] = frozenset(),
    was_missing: frozenset[Identifier] = frozenset(),
) -> Iterator[Fetched]:
    """Yield what the sources say about these works, as it arrives; each work is in at most one
    part.

    The preferred source that is available is asked, about as many works as it takes at once.
    Works that it gives no clear answer for are asked of the next source; while it cools down,
    all are. Works in ``has_record`` are not asked of fallback sources. A work that no source
    knows, though sources answered about others, is missing. Raises SourceFailure at the end when
    some works got no answer, and at once after a 403: arXiv takes going on, at whichever of its
    hosts, for an attack.
    """

    def queue_of(source: Source) -> RequestQueue[Identifier, Fetched]:
        def knows(one: Identifier) -> bool:
            is_stand_in = one in has_record and one.scheme in source.stands_in_for
            return source.answers_for(one) and not is_stand_in

        size = source.ids_per_request
        fetch = partial(source.fetch, door=door)
        return RequestQueue(door, source.setting, size, knows, fetch, is_patient=size > 1)

    sources = list(map(queue_of, registry.SOURCES))
    left = dict.fromkeys(identifiers)
    is_sound = False
    while turn := next(((one, batch) for one in sources if (batch := one.next_batch(left))), None):
        source, batch = turn
        answer = source.ask(batch)
        if source.failure and source.failure.status == FORBIDDEN:
            raise source.failure
        if answer and (answer.records or answer.missing):
            is_sound = True
            for one in (*(record.identifier for record in answer.records), *answer.missing):
                del left[one]
            yield answer
    # That a source answered for other works, now or when this one was missing first, shows that it
    # is not the line that spoils the answers.
    untold = tuple(
        one
        for one in left
        if (is_sound or one in was_missing)
        and not any(one in source.unheard for source in sources)
        and all(one in source.done for source in sources if source.knows(one))
    )
    for one in untold:
        del left[one]
    if untold:
        yield Fetched((), untold)
    if lost := list(left):
        failures = [source.failure for source in sources if any(map(source.knows, lost))]
        host = host_of(door.endpoints[registry.sources_for(lost[0])[0].setting])
        silent = SourceFailure(f"answered without {lost[0].value}", host=host)
        raise next(filter(None, failures), silent)


class FetchedInTime(NamedTuple):
    """The answers that arrived within some seconds."""

    records: dict[Identifier, SourceRecord]
    missing: tuple[Identifier, ...] = ()
    """Works that no source knows, if all answered."""
    failure: str | None = None
    """Why others have no answer."""

    @property
    def problem(self) -> str | None:
        """Return why some have no record."""
        if self.failure or not self.missing:
            return self.failure
        names = few([one.value for one in self.missing])
        return f"{who_knows(self.missing)} knows no paper {names}."


def fetch_in_time(door: Door, identifiers: Sequence[Identifier], seconds: float) -> FetchedInTime:
    """Return the records that arrive within this many seconds, and why others did not.

    A request that is still running is left behind: it keeps the network's turn until it ends, or
    until this process ends.
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
        # When it may be asked again is worth saying; that it may be any time is not.
        failure = str(error) if error.retry_at else f"{error.host} {error.what}."
    except TimeoutError:
        waiting = [one for one in identifiers if one not in records]
        failure = f"{who_knows(waiting)} did not answer within {seconds:g} seconds."
    return FetchedInTime(dict(records), tuple(missing), failure)


def who_knows(identifiers: Sequence[Identifier]) -> str:
    """Return ``arXiv and DataCite``: the sources that are asked first about these works."""
    titles = (registry.sources_for(one)[0].title for one in identifiers)
    return " and ".join(dict.fromkeys(titles))


def fetch_for_adding(
    store: Store, door: Door, texts: Sequence[str], *, seconds: float
) -> tuple[dict[Identifier, SourceRecord], str | None]:
    """Return the records of the named works, as far as they arrive in time, and why others did
    not.

    Papers with an earlier answer are not asked about, and each source gets at most one request.
    """
    named = set(filter(None, (identify(text.strip()) for text in texts)))
    owners = find_papers(store, named)
    done = {one.paper_id for one in asked_about(store, list(owners.values())) if one.source}
    waiting = [one for one in sorted(named) if owners.get(one) not in done]
    wanted: list[Identifier] = []
    problem = None
    for source, several in _by_source(waiting).items():
        most = source.ids_per_request
        wanted += several[:most]
        if len(several) > most:
            problem = f"{source.title} takes at most {plural(most, 'paper')} in one request."
    if not wanted:
        return {}, None
    fetched = fetch_in_time(door, wanted, seconds)
    return fetched.records, fetched.problem or problem


def _by_source(identifiers: Iterable[Identifier]) -> dict[Source, list[Identifier]]:
    groups: dict[Source, list[Identifier]] = {}
    for identifier in identifiers:
        for source in registry.sources_for(identifier)[:1]:
            groups.setdefault(source, []).append(identifier)
    return groups


@dataclass(frozen=True, slots=True)
class Silence:
    """A service that could not be asked, and why."""

    source: str
    why: str
    retry_at: str | None

    @classmethod
    def of(cls, source: str, failure: SourceFailure | None) -> Silence | None:
        """Return the reason in a failure."""
        if failure is None:
            return None
        at = failure.retry_at.isoformat() if failure.retry_at else None
        return cls(source, f"{failure.host} {failure.what}", at)


class ServiceClient(RequestQueue[Sought, Hits]):
    """One service that knows publications, and what it said."""

    def __init__(self, witness: Witness, door: Door, key: str | None) -> None:
        fetch = partial(witness.fetch, door=door, key=key)
        size = witness.batch_size(key)
        super().__init__(door, witness.setting, size, witness.answers_for, fetch)
        self._name = witness.name
        self._answers: dict[Sought, tuple[Record, ...]] = {}

    @property
    def silence(self) -> Silence | None:
        """Return why it is not asked; None if it is."""
        return Silence.of(self._name, self.failure)

    def look_up(self, works: Iterable[Sought]) -> dict[Sought, tuple[Record, ...]]:
        """Return what it says about these works; those without an answer are left out."""
        wanted = dict.fromkeys(works)
        while batch := self.next_batch(wanted):
            self._answers.update(self.ask(batch) or {})
        return {one: self._answers[one] for one in wanted if one in self._answers}


@dataclass(slots=True, kw_only=True)
class Case:
    """One work while services are asked about it."""

    facts: PaperFacts
    records: list[Record] = field(default_factory=list)
    """What the services say about it."""
    answered: set[str] = field(default_factory=set)
    """The names of services that answered…"""
    silent: set[str] = field(default_factory=set)
    """…and of those that did not."""

    @property
    def sought(self) -> Sought:
        """Return the work in the form in which services are asked."""
        authors = [one.name for one in self.facts.authors[:1]]
        return Sought(self.facts.identifiers, self.facts.title, *authors)


_C = TypeVar("_C", bound=Case)


class ServiceClients:
    """All services asked during one run, and their failures. Without a door none is asked."""

    def __init__(self, door: Door | None, keys: Mapping[str, str | None]) -> None:
        self._by_name = {
            one.name: ServiceClient(one, door, keys.get(one.key_setting or ""))
            for one in (*WITNESSES, *OTHER_DOIS, ARXIV)
            if door and one.setting in door.endpoints
        }

    @property
    def silences(self) -> tuple[Silence, ...]:
        """Return the services that could not be asked, and why."""
        return tuple(filter(None, (one.silence for one in self._by_name.values())))

    def has(self, name: str) -> bool:
        """Return whether a service can be asked."""
        return name in self._by_name

    def knows(self, name: str, work: Sought) -> bool:
        """Return whether a service can be asked about a work."""
        return name in self._by_name and self._by_name[name].knows(work)

    def look_up(self, name: str, works: Iterable[Sought]) -> dict[Sought, tuple[Record, ...]]:
        """Return what a service says about these works (see ``ServiceClient.look_up``)."""
        return self._by_name[name].look_up(works) if name in self._by_name else {}

    def ask(self, name: str, cases: Iterable[_C]) -> list[tuple[_C, tuple[Record, ...] | None]]:
        """Ask one service about those of these works that it may know; return each with its
        answer, None if there is none."""
        asked = [(one, one.sought) for one in cases if self.knows(name, one.sought)]
        hits = self.look_up(name, (sought for _, sought in asked))
        for case, sought in asked:
            (case.answered if sought in hits else case.silent).add(name)
        return [(case, hits.get(sought)) for case, sought in asked]
