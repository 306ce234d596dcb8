"""Ask sources about works: by which identifier, in which batches, and until when."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from papertrack.identifiers import identify
from papertrack.matching.publications import Record
from papertrack.records import Identifier, PaperFacts
from papertrack.sources import registry
from papertrack.sources.arxiv_api import ArxivApi
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
from papertrack.sources.published.registry import OTHER_DOIS, WITNESSES
from papertrack.sources.published.witness import Sought, Witness
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
"""How often in a row a source may fail before it is not asked again in this run; for other
failures, as many more as it takes to halve a batch down to one work."""
FORBIDDEN = 403


class _Asking:
    """One host during one run: whether it makes sense to ask it, and how it failed."""

    def __init__(self, door: Door, setting: str, most_tries: int) -> None:
        self.door = door
        self._host = host_of(door.endpoints[setting])
        self._most_tries = self._tries_left = most_tries
        self._failure: SourceFailure | None = None

    @property
    def is_open(self) -> bool:
        """Whether it makes sense to ask it."""
        return self._tries_left > 0 and self.door.cooldown(self._host) is None

    @property
    def failure(self) -> SourceFailure | None:
        """Why it is not asked, if it is not."""
        until = self.door.cooldown(self._host)
        if self._failure is None and until is not None:
            return CoolingDown("asked us earlier to wait", host=self._host, retry_at=until)
        return self._failure

    def has_answered(self) -> None:
        """Forget how it failed before."""
        self._tries_left, self._failure = self._most_tries, None

    def has_failed(self, failure: SourceFailure, *, is_final: bool) -> None:
        """Remember a failure, after a final one of which it is asked no more."""
        self._failure = failure
        self._tries_left -= self._most_tries if is_final else 1


class _AskedSource(_Asking):
    """One source of the registry: what to ask it next, and what it could not tell."""

    def __init__(self, source: Source, door: Door) -> None:
        most_tries = MAX_TRIES + (source.ids_per_request - 1).bit_length()
        super().__init__(door, source.setting, most_tries)
        self.source = source
        self.is_sound = False
        """Whether it answered about anything."""
        self._row: list[tuple[object, ...]] = []
        """How the last requests failed, since one brought an answer."""
        self._halves: list[Sequence[Identifier]] = []
        """Of batches that failed; the last one is asked first, and is the smallest."""
        self._failed: set[Identifier] = set()
        self.unheard: set[Identifier] = set()
        """Works that it was asked about without any answer, be it an unreadable one."""

    def next_batch(self, left: _Left) -> list[Identifier]:
        """What it is asked about next, of what is left; nothing when it has been asked about all.

        An answer about many that failed is asked for in halves, so that one work that cannot be
        fetched costs the others nothing.
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
            answer = self.source.fetch(batch, self.door)
        except SourceFailure as failure:
            if failure.status == FORBIDDEN:
                raise
            if not isinstance(failure, BadAnswer | TooLarge):
                self.unheard.update(batch)
            self._row.append(_kind_of(failure))
            # Without a connection a second try, three seconds later, finds none either; and where
            # many and both halves of them fail alike, it is the source.
            is_away = isinstance(failure, Unreachable | WrongHost)
            is_weather = len(self._row) == MAX_TRIES and len(set(self._row)) == 1
            self.has_failed(failure, is_final=is_away or is_weather)
            is_asked_again = self._halve(batch)
            return None if is_asked_again or not self.is_open else Fetched(())
        self.has_answered()
        self._row = []
        self.unheard.difference_update(batch)
        self.is_sound |= bool(answer.records or answer.missing)
        return answer

    def _halve(self, batch: Sequence[Identifier]) -> bool:
        """Put what failed where it is asked for again, if it is worth that."""
        is_new = not self._failed.issuperset(batch)
        self._failed.update(batch)
        if middle := len(batch) // 2:
            # After the first half the second one is asked, before smaller parts of either.
            at = 0 if len(self._row) == 2 else len(self._halves)
            self._halves[at:at] = batch[middle:], batch[:middle]
        elif is_new and self.source.ids_per_request > 1:
            # A line that broke once; of single records there are too many to ask for each twice.
            self._halves.append(batch)
        else:
            return False
        return True


def _kind_of(failure: SourceFailure) -> tuple[object, ...]:
    """Return what is equal of failures that have one cause; a broken record is at another place in
    each half."""
    where = failure.what if isinstance(failure, BrokenXML) else ""
    return type(failure), failure.status, where


_Left = dict[Identifier, list[_AskedSource]]
"""The works without an answer, each with the sources that are still to be asked about it."""


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
    some works got no answer.
    """
    asking = [_AskedSource(source, door) for source in registry.SOURCES]
    left = {
        one: [
            able
            for able in asking
            if able.source.answers_for(one)
            and not (one in has_record and one.scheme in able.source.stands_in_for)
        ]
        for one in identifiers
    }
    while turn := next(
        ((one, batch) for one in asking if one.is_open and (batch := one.next_batch(left))), None
    ):
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
        concerned = [a for a in asking if any(a.source.answers_for(one) for one in left)]
        host = host_of(door.endpoints[concerned[0].source.setting])
        silent = SourceFailure(f"answered without {next(iter(left)).value}", host=host)
        raise next(filter(None, (source.failure for source in concerned)), silent)


def _untold(
    asking: Sequence[_AskedSource], left: _Left, was_missing: frozenset[Identifier]
) -> tuple[Identifier, ...]:
    """The works of which no source said anything, though all answered.

    That a source answered for other works, now or when this one was missing first, shows that it is
    not the line that spoils the answers.
    """
    is_sound = any(source.is_sound for source in asking)
    unheard = set[Identifier]().union(*(source.unheard for source in asking))
    return tuple(
        one
        for one, sources in left.items()
        if not sources and one not in unheard and (is_sound or one in was_missing)
    )


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


ARXIV = ArxivApi.name
_MOST_FAILURES = 3
"""How many unusable answers in a row stop the requests to a service in this run: about a batch
and its two halves."""


@dataclass(frozen=True, slots=True)
class Silence:
    """A service that could not be asked, and why."""

    source: str
    why: str
    retry_at: str | None

    @classmethod
    def of(cls, source: str, failure: SourceFailure) -> Silence:
        """Return the reason in a failure."""
        at = failure.retry_at.isoformat() if failure.retry_at else None
        return cls(source, f"{failure.host} {failure.what}", at)


class Hearing(_Asking):
    """One service that knows publications."""

    def __init__(self, witness: Witness, door: Door, key: str | None) -> None:
        super().__init__(door, witness.setting, _MOST_FAILURES)
        self.witness = witness
        self._key = key
        self._untold: set[Sought] = set()
        """Works for which alone it gave no answer."""

    @property
    def silence(self) -> Silence | None:
        """Return why it is not asked; None if it is."""
        return Silence.of(self.witness.name, self.failure) if self.failure else None

    def ask(self, works: Sequence[Sought]) -> dict[Sought, tuple[Record, ...]]:
        """Return what it says about these works; a work without an answer stays unknown."""
        heard: dict[Sought, tuple[Record, ...]] = {}
        left = [one for one in dict.fromkeys(works) if self.witness.answers_for(one)]
        left = [one for one in left if one not in self._untold]
        size = self.witness.works_per_request
        waiting = deque(left[start : start + size] for start in range(0, len(left), size))
        while waiting and self.is_open:
            batch = waiting.popleft()
            try:
                told = self.witness.fetch(batch, self.door, self._key)
            except SourceFailure as failure:
                self.has_failed(failure, is_final=not isinstance(failure, BadAnswer | TooLarge))
                # One work that cannot be fetched costs the others nothing: the halves come last.
                middle = len(batch) // 2
                waiting.extend([batch[:middle], batch[middle:]] if middle else [])
                self._untold.update(() if middle else batch)
                continue
            self.has_answered()
            heard |= told
            # Some answer about the first ones alone.
            rest = [one for one in batch if one not in told]
            waiting.extendleft([rest] if told and rest else [])
        return heard


@dataclass(slots=True, kw_only=True)
class Case:
    """One work while services are asked about it."""

    facts: PaperFacts
    records: list[Record] = field(default_factory=list)
    """What the services say about it."""
    heard: set[str] = field(default_factory=set)
    """The names of services that answered…"""
    silent: set[str] = field(default_factory=set)
    """…and of those that did not."""

    @property
    def sought(self) -> Sought:
        """Return the work in the form in which services are asked."""
        authors = [one.name for one in self.facts.authors[:1]]
        return Sought(self.facts.identifiers, self.facts.title, *authors)


_C = TypeVar("_C", bound=Case)


class Hearings:
    """All services asked during one run, and their failures. Without a door none is asked."""

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
        """Return the services that could not be asked, and why."""
        found = [one.silence for one in self.by_name.values() if one.silence]
        if self._arxiv_failure:
            found.append(Silence.of(ARXIV, self._arxiv_failure))
        return tuple(found)

    def ask(self, name: str, cases: Iterable[_C]) -> list[tuple[_C, tuple[Record, ...] | None]]:
        """Ask one service about those of these works that it may know; return each with its
        answer, None if there is none."""
        hearing = self.by_name.get(name)
        asked = [one for one in cases if hearing and hearing.witness.answers_for(one.sought)]
        heard = hearing.ask([one.sought for one in asked]) if hearing and asked else {}
        for case in asked:
            case.records += heard.get(case.sought, ())
            (case.heard if case.sought in heard else case.silent).add(name)
        return [(case, heard.get(case.sought)) for case in asked]

    def ask_arxiv(self, cases: Iterable[_C]) -> Iterator[tuple[list[_C], Fetched]]:
        """Yield arXiv's own records of these works, batch by batch; after a failure, arXiv is
        not asked again."""
        named = [(case, own) for case in cases if (own := case.facts.identifier("arxiv"))]
        ids = list(dict.fromkeys(arxiv_id for _, arxiv_id in named))
        for start in range(0, len(ids), ArxivApi.ids_per_request):
            batch = ids[start : start + ArxivApi.ids_per_request]
            asked = [case for case, arxiv_id in named if arxiv_id in batch]
            fetched = None
            if self._door is not None and self._arxiv_failure is None:
                try:
                    identifiers = [Identifier("arxiv", arxiv_id) for arxiv_id in batch]
                    fetched = ArxivApi().fetch(identifiers, self._door)
                except SourceFailure as failure:
                    self._arxiv_failure = failure
            for case in asked:
                (case.silent if fetched is None else case.heard).add(ARXIV)
            if fetched is not None:
                yield asked, fetched
