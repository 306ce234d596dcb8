"""Find dead links in a list."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from papertrack import __version__
from papertrack.actions.online.network import is_rehearsal, refuse_offline
from papertrack.documents.markdown.check.document import running_text
from papertrack.documents.markdown.check.findings import Finding
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.roles import is_web, strong_identifier
from papertrack.documents.markdown.syntax import parse_syntax
from papertrack.identifiers import url_of
from papertrack.library import Library, state_folder
from papertrack.library.files import write_file
from papertrack.sources.endpoints import host_of
from papertrack.sources.links import Look, Looker
from papertrack.text import group, shorten

if TYPE_CHECKING:
    from papertrack.library.settings import Arxiv


MAX_AGES = {"there": timedelta(days=14), "gone": timedelta(days=1)}
"""State → how long the result is valid. Other results are not stored."""
_SAVE_INTERVAL = 20


class _Link(NamedTuple):
    line: int
    label: str
    url: str


class LinkResults:
    """Results of earlier checks, by address. A damaged file counts as missing."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        self._path = path
        self._clock = clock
        self._results: dict[str, list[str]] = {}
        with suppress(OSError, ValueError, AttributeError):
            results = json.loads(path.read_bytes())
            self._results = {url: r for url, r in results.items() if self._is_fresh(r)}

    def find(self, url: str) -> Look | None:
        """Return the last result for an address, if it is still valid."""
        result = self._results.get(url)
        # Only two states are stored.
        return Look("there" if result[0] == "there" else "gone", result[1]) if result else None

    def keep(self, url: str, result: Look) -> None:
        """Keep a result, if it is conclusive."""
        if result.state in MAX_AGES:
            self._results[url] = [result.state, result.why, self._clock().isoformat()]

    def save(self) -> None:
        """Write the results. Raises PapertrackError when that fails."""
        write_file(self._path, json.dumps(self._results, indent=0).encode())

    def _is_fresh(self, result: object) -> bool:
        if not (isinstance(result, list) and len(result) == 3 and result[0] in MAX_AGES):
            return False
        age = self._clock() - datetime.fromisoformat(result[2])
        return timedelta(0) <= age < MAX_AGES[result[0]]


@dataclass
class DeadLinks:
    """A rule that checks whether addresses exist: all, or those new since an older version."""

    looker: Looker
    looks: LinkResults
    on_look: Callable[[int, int], None] = lambda done, total: None
    unanswered: dict[str, str] = field(default_factory=dict)
    """Addresses that could not be checked, and why."""
    _is_online: bool = False

    def __call__(self, document: Document, old_document: Document | None) -> Iterator[Finding]:
        """Yield links to addresses that no longer exist."""
        links = list(_links(document))
        old = {link.url for link in _links(old_document)} if old_document else set()
        results = self._look_at({link.url for link in links} - old)
        for link in links:
            result = results.get(link.url)
            if result is not None and result.state == "gone":
                name = f"The link “{shorten(link.label, 80)}”"
                message = f"{name} leads to {shorten(link.url, 120)}: {result.why}."
                yield Finding(link.line, "dead-link", message, link.url)

    def _look_at(self, urls: set[str]) -> dict[str, Look]:
        results = {url: result for url in urls if (result := self.looks.find(url))}
        to_check = _alternate_hosts(urls - results.keys())
        try:
            for number, url in enumerate(to_check, start=1):
                results[url] = self.looker.look(url)
                self._record(url, results[url])
                self.on_look(number, len(to_check))
                if number % _SAVE_INTERVAL == 0:
                    self.looks.save()
        finally:
            if to_check:
                self.looks.save()
        return {url: self._judge(url, result) for url, result in results.items()}

    def _record(self, url: str, result: Look) -> None:
        self._is_online |= result.state != "unknown" and not result.is_of_name
        if result.state == "unknown":
            self.unanswered[url] = result.why
        elif not result.is_of_name:  # The machine may only be offline now.
            self.looks.keep(url, result)

    def _judge(self, url: str, result: Look) -> Look:
        """Return the result to report: an unknown host name means nothing while offline."""
        if not result.is_of_name or self._is_online:
            return result
        self.unanswered[url] = "the host name could not be resolved"
        return Look("unknown", self.unanswered[url])


def _links(document: Document) -> Iterator[_Link]:
    for paragraph in running_text(parse_syntax(document)):
        for link in paragraph.inline.links:
            if is_web(link.url):
                identifier, url = strong_identifier(link.url), link.url.partition("#")[0]
                if identifier is not None and identifier.scheme == "arxiv":
                    url = url_of(identifier)  # The abstract page is the smallest.
                yield _Link(document.line_of(link.span[0]), link.label or link.url, url)


def _alternate_hosts(urls: Iterable[str]) -> Sequence[str]:
    """Alternate between hosts, since each host has its own rate limit."""
    by_host = group((host_of(url), url) for url in sorted(urls))
    rounds = chain.from_iterable(zip_longest(*by_host.values()))
    return [url for url in rounds if url is not None]


def open_links(
    library: Library | None,
    settings: Arxiv,
    *,
    clock: Callable[[], datetime],
    on_wait: Callable[[float, str], None] | None = None,
    on_look: Callable[[int, int], None] = lambda done, total: None,
) -> DeadLinks:
    """Return a rule that checks addresses by the settings. Sends no request yet.

    Raises SourceUnavailableError if the settings forbid network access.
    """
    refuse_offline(settings)
    is_trial = is_rehearsal(settings)
    folder = library.state_dir if library and is_trial else state_folder()
    looker = Looker(
        folder,
        contact=settings.contact,
        version=__version__,
        is_rehearsal=is_trial,
        clock=clock,
        on_wait=on_wait,
    )
    return DeadLinks(looker, LinkResults(folder / "links.json", clock), on_look)
