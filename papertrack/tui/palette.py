"""The command palette: views, labels, topics, papers in hand and all keys, with counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from papertrack.latex.display import readable
from papertrack.store.categories import format_path, ordered_paths
from papertrack.store.listing import read_rows
from papertrack.store.states import papers_in_hand, tag_counts
from papertrack.store.store import Store, when_free
from papertrack.store.watch.topics import found_counts, list_topics
from papertrack.text import clean, truncate
from papertrack.tui.dialogs import TextDialog
from papertrack.tui.screens.list_screen import ListScreen
from papertrack.tui.screens.verb_screen import VerbScreen
from papertrack.tui.session import Job
from papertrack.tui.views import VIEWS

Command = tuple[str, str, Callable[[], object]]
"""Name, help and what it does."""


class LibraryCommands(Provider):
    """What can be done on the list's screen and on the paper's; not while something is asked."""

    async def startup(self) -> None:
        self._commands = list(self._all())

    async def discover(self) -> Hits:
        for name, text, run in self._commands:
            yield DiscoveryHit(Content(name), run, text=name, help=text)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, text, run in self._commands:
            score = matcher.match(name)
            if score > 0:
                # Content, not the matcher's own markup: the names are foreign text.
                yield Hit(score, Content(name), run, text=name, help=text)

    def _all(self) -> Iterator[Command]:
        screen = self.screen
        if not isinstance(screen, VerbScreen):
            return
        if isinstance(screen, ListScreen):
            yield from self._places(screen)
        for job in screen.papertrack.known_jobs():
            yield job.label, "In the background", partial(_start, screen, job)
        for active in screen.active_bindings.values():
            binding = active.binding
            if binding.id is not None and binding.tooltip:
                yield (
                    f"{binding.description.lower()}: {binding.tooltip}",
                    f"key {binding.key}",
                    _action(screen, binding.action),
                )

    def _places(self, screen: ListScreen) -> Iterator[Command]:
        store = screen.session.store
        for view in VIEWS:
            yield f"view: {view.label}", "Show this tab", partial(screen.show_view, view)
        for path, count in when_free(store, lambda: ordered_paths(store)) or ():
            run = partial(screen.filter_by, f'category:"{format_path(path)}"')
            yield clean(f"category: {format_path(path)} ({count})"), "Only its papers", run
        for tag, count in when_free(store, lambda: tag_counts(store)) or ():
            run = partial(screen.filter_by, f'tag:"{tag}"')
            yield clean(f"tag: {tag} ({count})"), "Only its papers", run
        for name, count in when_free(store, lambda: _topic_counts(store)) or ():
            run = partial(screen.filter_by, f'topic:"{name}"')
            yield clean(f"topic: {name} ({count})"), "Only the papers that it found", run
        for row in when_free(store, lambda: read_rows(store, papers_in_hand(store))) or ():
            title = truncate(clean(readable(row.title or row.citekey)), 60)
            yield f"reading now: {title}", "Go to it", partial(screen.jump, row.citekey)


def _topic_counts(store: Store) -> list[tuple[str, int]]:
    counts = found_counts(store)
    return [(topic.name, counts.get(topic.id, (0, ""))[0]) for topic in list_topics(store)]


def _start(screen: VerbScreen, job: Job) -> None:
    app = screen.papertrack
    if job.asks_for is None:
        app.start_job(job)
        return
    app.push_screen(
        TextDialog(job.label, job.asks_for),
        lambda answer: app.start_job(job, answer) if answer else None,
    )


def _action(screen: VerbScreen, action: str) -> Callable[[], object]:
    async def run() -> None:
        await screen.run_action(action)

    return run
