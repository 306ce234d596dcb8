"""Find dead links in a list, if the reader asks for it."""

from __future__ import annotations

import json
from collections import defaultdict
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
from papertrack.text import shorten

if TYPE_CHECKING:
    from papertrack.library.settings import Arxiv


KEPT = {"there": timedelta(days=14), "gone": timedelta(days=1)}
"""How long a result counts. An address that could not be checked is checked again next time."""
_SAVED_EVERY = 20


class _Link(NamedTuple):
    line: int
    label: str
    url: str


class Looks:
    """Stored results with their times. A damaged file counts as missing."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        self._path = path
        self._clock = clock
        self._known: dict[str, list[str]] = {}
        with suppress(OSError, ValueError, AttributeError):
            known = json.loads(path.read_bytes())
            self._known = {url: look for url, look in known.items() if self._is_fresh(look)}

    def find(self, url: str) -> Look | None:
        """Return the last result for an address, if it still counts."""
        look = self._known.get(url)
        # What was kept is one of two states.
        return Look("there" if look[0] == "there" else "gone", look[1]) if look else None

    def keep(self, url: str, look: Look) -> None:
        """Store a result, if it is conclusive."""
        if look.state in KEPT:
            self._known[url] = [look.state, look.why, self._clock().isoformat()]

    def save(self) -> None:
        """Write the results. Raises PapertrackError when that fails."""
        write_file(self._path, json.dumps(self._known, indent=0).encode())

    def _is_fresh(self, look: object) -> bool:
        if not (isinstance(look, list) and len(look) == 3 and look[0] in KEPT):
            return False
        age = self._clock() - datetime.fromisoformat(look[2])
        return timedelta(0) <= age < KEPT[look[0]]


@dataclass
class DeadLinks:
    """Checks whether the addresses of documents exist; in a document with an older version, only
    new addresses."""

    looker: Looker
    looks: Looks
    on_look: Callable[[int, int], None] = lambda done, total: None
    unanswered: dict[str, str] = field(default_factory=dict)
    """The addresses that nobody could look at, and why."""
    _is_online: bool = False

    def __call__(self, document: Document, before: Document | None) -> Iterator[Finding]:
        """Yield links to addresses that no longer exist."""
        links = list(_links(document))
        old = {link.url for link in _links(before)} if before else set()
        states = self._look_at({link.url for link in links} - old)
        for link in links:
            look = states.get(link.url)
            if look is not None and look.state == "gone":
                name = f"The link “{shorten(link.label, 80)}”"
                message = f"{name} leads to {shorten(link.url, 120)}: {look.why}."
                yield Finding(link.line, "dead-link", message, link.url)

    def _look_at(self, urls: set[str]) -> dict[str, Look]:
        states = {url: look for url in urls if (look := self.looks.find(url))}
        asked = _in_turns(urls - states.keys())
        try:
            for number, url in enumerate(asked, start=1):
                states[url] = self.looker.look(url)
                self._note(url, states[url])
                self.on_look(number, len(asked))
                if number % _SAVED_EVERY == 0:
                    self.looks.save()
        finally:
            if asked:
                self.looks.save()
        return {url: self._believed(url, look) for url, look in states.items()}

    def _note(self, url: str, look: Look) -> None:
        self._is_online |= look.state != "unknown" and not look.is_of_name
        if look.state == "unknown":
            self.unanswered[url] = look.why
        elif not look.is_of_name:  # Another day the machine may have a network.
            self.looks.keep(url, look)

    def _believed(self, url: str, look: Look) -> Look:
        """A name that nobody knows says something only where other names are known."""
        if not look.is_of_name or self._is_online:
            return look
        self.unanswered[url] = "the host name could not be resolved"
        return Look("unknown", self.unanswered[url])


def _links(document: Document) -> Iterator[_Link]:
    for stretch in running_text(parse_syntax(document)):
        for link in stretch.inline.links:
            if is_web(link.url):
                identifier, url = strong_identifier(link.url), link.url.partition("#")[0]
                if identifier is not None and identifier.scheme == "arxiv":
                    url = url_of(identifier)  # The page about the paper is the lightest.
                yield _Link(document.line_of(link.span[0]), link.label or link.url, url)


def _in_turns(urls: Iterable[str]) -> Sequence[str]:
    """Return addresses so that each host comes as seldom as can be: each has its own pace."""
    by_host: dict[str, list[str]] = defaultdict(list)
    for url in sorted(urls):
        by_host[host_of(url)].append(url)
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
    """Return the rule that checks addresses, according to the settings; sends no request yet.

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
    return DeadLinks(looker, Looks(folder / "links.json", clock), on_look)
