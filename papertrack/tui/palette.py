"""The command palette: views, labels, topics, papers being read and all keys, with counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from papertrack.latex.display import readable
from papertrack.store.listing import read_rows
from papertrack.store.states import papers_in_hand
from papertrack.text import clean, truncate
from papertrack.tui.dialogs import Question
from papertrack.tui.filtering import FILTERS
from papertrack.tui.jobs import JOBS
from papertrack.tui.keys import ALL_KEYS, DEED_KEYS, VERB_KEYS
from papertrack.tui.screens.library import LibraryScreen
from papertrack.tui.screens.verb_screen import VerbScreen
from papertrack.tui.session import Job
from papertrack.tui.views import VIEWS

Command = tuple[str, Callable[[], object]]
"""The name of a command, with its key, and what it does."""


class LibraryCommands(Provider):
    """The commands on the list's screen and on the paper's; none while a dialog is open."""

    async def startup(self) -> None:
        self._commands = list(self._all_commands())

    async def discover(self) -> Hits:
        for name, run in self._commands:
            yield DiscoveryHit(Content(name), run, text=name)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, run in self._commands:
            score = matcher.match(name)
            if score > 0:
                # Content, not the matcher's own markup: the names are foreign text.
                yield Hit(score, Content(name), run, text=name)

    def _all_commands(self) -> Iterator[Command]:
        screen = self.screen
        if isinstance(screen, VerbScreen):
            yield from _keys(screen)
            for job in JOBS:
                yield f"{job.label} (in the background)", partial(_start, screen, job)
        if isinstance(screen, LibraryScreen):
            yield from self._places(screen)
        for title, help, run, *_ in self.app.get_system_commands(screen):
            # Help has its own key, and maximizing a single widget is useless here.
            if title in ("Theme", "Screenshot", "Quit"):
                yield f"{title.lower()}: {help}", run

    def _places(self, screen: LibraryScreen) -> Iterator[Command]:
        look = screen.session.look
        for view in VIEWS:
            yield f"view: {view.label}", partial(screen.show_view, view)
        for field, read in FILTERS:
            for name, count in look(read) or ():
                run = partial(screen.filter_by, f'{field}:"{name}"')
                yield clean(f"{field}: {name} ({count})"), run
        for name, query in screen.session.settings.tui.queries.items():
            yield clean(f"query: {name}"), partial(screen.filter_by, query, is_of_all=True)
        for row in look(lambda store: read_rows(store, papers_in_hand(store))) or ():
            title = truncate(clean(readable(row.title or row.citekey)), 60)
            yield f"reading now: {title}", partial(screen.jump, row.citekey)


def _keys(screen: VerbScreen) -> Iterator[Command]:
    """Yield commands for keys: actions on papers first, movements last."""
    # If several keys do the same, the first one is shown.
    bindings = [active_binding.binding for active_binding in screen.active_bindings.values()]
    active = {binding.id: binding for binding in reversed(bindings)}
    for key in (*VERB_KEYS, *DEED_KEYS, *ALL_KEYS):
        binding = active.pop(key.id, None)
        if binding is not None and binding.tooltip:
            key_name = screen.app.get_key_display(binding)
            name = f"{binding.description.lower()}: {binding.tooltip} [{key_name}]"
            yield name, partial(screen.run_action, binding.action)


def _start(screen: VerbScreen, job: Job) -> None:
    start = screen.papertrack.start_job
    if job.asks_for is None:
        start(job)
    else:
        # If the job fails later, the typed text is still there.
        screen.ask_text(Question(job.label, job.asks_for), lambda answer, _: start(job, answer))
