"""Fetching arXiv's records of papers from whoever answers: the query API, OAI-PMH, DataCite."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

from papertrack.sources import arxiv_api, arxiv_oai, datacite
from papertrack.sources.arxiv_api import BATCH_IDS, Fetched
from papertrack.sources.arxiv_record import ArxivRecord
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import CoolingDown, SourceFailure, Unreachable
from papertrack.sources.transport import Door
from papertrack.text import few

MAX_TRIES = 3
"""Requests in a row that a service may fail before this run leaves it alone."""
FORBIDDEN = 403

T = TypeVar("T")


class _Service:
    """One service during one run: whether it is worth asking, and how it failed last."""

    def __init__(self, door: Door, url: str) -> None:
        self._door = door
        self._host = host_of(url)
        self._tries_left = MAX_TRIES
        self._failure: SourceFailure | None = None

    @property
    def is_open(self) -> bool:
        return self._tries_left > 0 and self._door.cooldown(self._host) is None

    def ask(self, fetch: Callable[[], T]) -> T | None:
        """What ``fetch`` returns; None when it failed. Raises SourceFailure for a 403.

        arXiv takes going on after a 403, at whichever of its hosts, for an attack.
        """
        try:
            answer = fetch()
        except SourceFailure as failure:
            if failure.status == FORBIDDEN:
                raise
            self._failure = failure
            # Without a connection a second try, three seconds later, finds none either.
            self._tries_left -= MAX_TRIES if isinstance(failure, Unreachable) else 1
            return None
        self._tries_left, self._failure = MAX_TRIES, None
        return answer

    def failure(self) -> SourceFailure | None:
        """Why it is not asked, if it is not."""
        until = self._door.cooldown(self._host)
        if self._failure is None and until is not None:
            return CoolingDown("asked us earlier to wait", host=self._host, retry_at=until)
        return self._failure


def fetch_records(
    door: Door, arxiv_ids: Sequence[str], *, not_from_datacite: Collection[str] = ()
) -> Iterator[Fetched]:
    """What the services say of these papers, as it comes; each id is in one part at most.

    The query API is asked for 50 at once, and once more when that fails. While it cools down, and
    for ids of which its answers say nothing sure, OAI-PMH is asked one by one, then DataCite,
    which knows least, except for those in ``not_from_datacite``. Raises SourceFailure at the end
    when some ids got no answer.
    """
    api = _Service(door, door.endpoints.api_url)
    oai = _Service(door, door.endpoints.oai_url)
    last_resort = _Service(door, door.endpoints.datacite_url)
    waiting = deque(dict.fromkeys(arxiv_ids))
    unclear: deque[str] = deque()
    unanswered: list[str] = []
    is_second_try = False
    while waiting or unclear:
        if waiting and api.is_open:
            batch = [waiting.popleft() for _ in range(min(BATCH_IDS, len(waiting)))]
            part = api.ask(partial(arxiv_api.fetch_papers, door, batch))
            if part is None:
                # A second failure may be the fault of one paper: the other batches go on.
                if is_second_try:
                    unclear.extend(batch)
                else:
                    waiting.extendleft(reversed(batch))
                is_second_try = not is_second_try
                continue
            is_second_try = False
            unclear.extend(part.unclear)
            if part.records or part.missing:
                yield Fetched(part.records, part.missing)
            continue
        queue = unclear or waiting
        single = _fetch_single(
            door, queue[0], oai, None if queue[0] in not_from_datacite else last_resort
        )
        if single is None:
            unanswered.append(queue.popleft())
        else:
            queue.popleft()
            yield single
    if unanswered:
        raise (
            api.failure()
            or oai.failure()
            or last_resort.failure()
            or SourceFailure(
                f"answered, but not for {unanswered[0]}", host=host_of(door.endpoints.api_url)
            )
        )


def fetch_in_time(
    door: Door, arxiv_ids: Sequence[str], seconds: float
) -> tuple[dict[str, ArxivRecord], str | None]:
    """The records that came within so many seconds, by id, and why others did not.

    What is still under way then is left behind: it holds the network's turn until it is over,
    or until this process ends.
    """
    records: dict[str, ArxivRecord] = {}
    missing: list[str] = []
    finished: Future[None] = Future()

    def run() -> None:
        try:
            for part in fetch_records(door, arxiv_ids):
                records.update({record.arxiv_id: record for record in part.records})
                missing.extend(part.missing)
            finished.set_result(None)
        except BaseException as error:
            finished.set_exception(error)

    threading.Thread(target=run, name="papertrack-fetch", daemon=True).start()
    try:
        finished.result(timeout=seconds)
    except SourceFailure as failure:
        return dict(records), str(failure)
    except TimeoutError:
        return dict(records), f"arXiv did not answer within {seconds:g} seconds."
    return dict(records), f"arXiv knows no paper {few(missing)}." if missing else None


def _fetch_single(
    door: Door, arxiv_id: str, oai: _Service, last_resort: _Service | None
) -> Fetched | None:
    """The answer about one paper; None when nobody gave one that is sure.

    Each is asked once: a record that it cannot give must not use up its tries for the others.
    """
    if oai.is_open:
        found = oai.ask(lambda: (arxiv_oai.fetch_record(door, arxiv_id),))
        if found is not None:
            return _part(arxiv_id, found[0])
    if last_resort is not None and last_resort.is_open:
        found = last_resort.ask(lambda: (datacite.fetch_record(door, arxiv_id),))
        if found is not None:
            # DataCite lags arXiv: what it does not know may exist.
            return _part(arxiv_id, found[0]) if found[0] else None
    return None


def _part(arxiv_id: str, record: ArxivRecord | None) -> Fetched:
    return Fetched((record,), ()) if record else Fetched((), (arxiv_id,))
