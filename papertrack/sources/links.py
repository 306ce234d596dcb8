"""Check whether a URL still exists, with one polite request.

Each host has its own rate limit (see ``gate.Gate``); arXiv's hosts share the common one. Only
public addresses are requested, because lists come from strangers; in tests, only this machine. A
host name is resolved once, and that address is used for the request.
"""

from __future__ import annotations

import hashlib
import re
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import urljoin, urlsplit

from papertrack.sources.endpoints import host_of, may_connect, origin_of
from papertrack.sources.endpoints import resolve as resolve_name
from papertrack.sources.failures import SourceFailure
from papertrack.sources.gate import Gate
from papertrack.sources.transport import (
    COOLING_STATUSES,
    FORBIDDEN_COOLDOWN_SECONDS,
    MAX_PLACES,
    REDIRECTS,
    in_time,
    retry_after_seconds,
    user_agent,
)

INTERVAL_SECONDS = 3.0
"""Between two requests to one host."""
DEADLINE_SECONDS = 30.0
MAX_HOPS = 6
"""Requests for one URL: redirects, and a GET if HEAD is inconclusive."""
GONE = {404: "no such page", 410: "gone for good"}
_ARXIV = re.compile(r"(?:^|\.)arxiv\.org$")

State = Literal["there", "gone", "unknown"]
Resolve = Callable[[str], Sequence[str]]
"""The IP addresses of a host's name. Raises OSError."""


@dataclass(frozen=True, slots=True)
class Look:
    """The result of checking a URL."""

    state: State
    """``unknown``: it could not be checked, which says nothing about the page."""
    why: str
    """``404 (no such page)``, ``busy``; for an existing page only the status."""
    is_of_name: bool = False
    """Whether the host name is unknown; without a network, all are."""


@dataclass(frozen=True)
class Looker:
    """Checks URLs, one request at a time; all processes share ``state_dir``.

    In a rehearsal (``is_rehearsal``), only this machine is asked, without long waits. ``resolve``
    returns the IP addresses of a host.
    """

    state_dir: Path
    contact: str | None
    version: str
    is_rehearsal: bool
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], None] = time.sleep
    on_wait: Callable[[float, str], None] | None = None
    resolve: Resolve | None = None

    def look(self, url: str) -> Look:
        """Return whether a URL exists. Raises nothing: failures count as unknown."""
        is_head = True
        for _ in range(MAX_HOPS):
            answer = self._ask_politely(url, is_head)
            if isinstance(answer, Look):
                return answer
            status, target = answer
            if target:
                url = target
            elif status < 400:
                return Look("there", str(status))
            elif is_head and status not in COOLING_STATUSES:
                is_head = False  # Many servers do not support HEAD, and some answer 404 to it.
            elif status in GONE:
                return Look("gone", f"{status} ({GONE[status]})")
            else:
                return Look("unknown", f"answered {status}")
        return Look("unknown", "redirects too often")

    def _ask_politely(self, url: str, is_head: bool) -> tuple[int, str] | Look:
        """Return the status and the redirect target, after waiting for the host's turn.

        Return a ``Look`` if no request was possible.
        """
        host = host_of(url)
        places = self._places_of(url)
        if isinstance(places, Look):
            return places
        gate, now = self._gate(host), self.clock()
        if gate.cooldown(host, now):
            return Look("unknown", "asked us earlier to wait")
        try:
            with gate.turn(host):
                status, headers = self._ask(url, is_head, places)
                if status in COOLING_STATUSES:
                    wait = retry_after_seconds(headers.get("retry-after", ""), now)
                    gate.cool_down(host, now, wait)
                elif status == 403 and _ARXIV.search(host):
                    gate.cool_down(host, now, FORBIDDEN_COOLDOWN_SECONDS)
            target = headers.get("location", "") if status in REDIRECTS else ""
            return status, urljoin(url, target) if target else ""
        except SourceFailure as failure:
            return Look("unknown", failure.what)
        except (OSError, ValueError, TimeoutError) as error:
            return Look("unknown", f"could not be reached ({type(error).__name__})")

    def _places_of(self, url: str) -> Sequence[str] | Look:
        """Return the IP addresses to request, or why there are none."""
        if origin_of(url) is None:
            return Look("unknown", "is not an address that can be requested")
        name = str(urlsplit(url).hostname)
        try:
            resolve_here = _resolve_here if self.is_rehearsal else resolve_name
            places = (self.resolve or resolve_here)(name)
            if may_connect(places, is_rehearsal=self.is_rehearsal):
                return places[:MAX_PLACES]
        except socket.gaierror as error:
            if error.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", None)):
                return Look("gone", "is an unknown host", is_of_name=True)
            return Look("unknown", "could not be resolved")
        except (OSError, ValueError):
            return Look("unknown", "could not be resolved")
        return Look("unknown", "is not a public address")

    def _gate(self, host: str) -> Gate:
        folder = self.state_dir
        if not _ARXIV.search(host):
            folder = folder / "links" / hashlib.sha256(host.encode()).hexdigest()[:16]
        interval = 0.0 if self.is_rehearsal else INTERVAL_SECONDS
        return Gate(folder, interval, sleep=self.sleep, on_wait=self.on_wait)

    def _ask(self, url: str, is_head: bool, places: Sequence[str]) -> tuple[int, Mapping[str, str]]:
        """Return the status and headers of the response; the body is not read."""
        # Importing requests takes a tenth of a second, and most commands send no request.
        from papertrack.sources.exchange import Question, exchange_at, new_session

        agent, give_up_at = (
            user_agent(self.version, self.contact),
            time.monotonic() + DEADLINE_SECONDS,
        )
        question = Question(url, method="HEAD" if is_head else "GET")
        with new_session(agent, use_environment=not self.is_rehearsal) as session:
            ask = partial(exchange_at, session, places, question, None, give_up_at)
            response = in_time("papertrack-look", DEADLINE_SECONDS, ask)
        return response.status, response.headers


def _resolve_here(name: str) -> Sequence[str]:
    """Return the addresses of a name of this machine; no other name is resolved in tests."""
    with suppress(ValueError):
        return [str(ip_address(name))]
    return resolve_name(name) if name == "localhost" else ()
