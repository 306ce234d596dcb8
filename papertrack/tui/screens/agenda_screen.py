"""What there is to do: papers that are due, the reader's own queries, the topics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from papertrack.store.store import Store
from papertrack.text import clean
from papertrack.tui.screens.deed_screen import DeedScreen

if TYPE_CHECKING:
    from papertrack.actions.undo import Done
    from papertrack.holdings import Topic

_PREVIEW_DAYS = 30
SNOOZES = (("1w", "a week"), ("2w", "two weeks"), ("1m", "a month"), ("3m", "three months"))
"""For how long papers can be snoozed at one key."""
_ANOTHER_DAY, _NO_LONGER = "another", "no"
NO_QUERIES = (
    "There are no saved queries yet: `papertrack config tui.queries.survey 'tag:survey pass:0'` "
    "adds one."
)


class AgendaScreen(DeedScreen):
    """A screen about papers with the keys of all that can be done with a library."""

    def action_due(self) -> None:
        """Papers that have waited too long, and what was put off."""
        from papertrack.store.states import WAITS, count_due

        def ask(counts: Mapping[int, int]) -> None:
            waits = [
                (f"is:due pass:{w.passes}", f"{w.words} ({counts.get(w.passes, 0)})") for w in WAITS
            ]
            all_of = ("is:due", "all of these"), ("is:snoozed", "snoozed: not due before a day")
            self._choose(
                "Due", [*waits, *all_of], lambda query: self.filter_by(query, is_of_all=True)
            )

        self.papertrack.perform(count_due, ask, holds_keys=True)

    def action_snooze(self) -> None:
        """Let papers not be due before a day."""
        from papertrack.actions import triage

        ids = self.target_ids()
        if not ids:
            return

        def snooze(chosen: str) -> None:
            if chosen == _ANOTHER_DAY:
                self._ask_for(
                    "Snooze until",
                    "10d, 2w, 3m, 1y or a day such as 2026-12-01",
                    lambda store, until: triage.snooze(store, ids, until),
                    then=move_on,
                )
            else:
                self.write(triage.snooze, ids, "" if chosen == _NO_LONGER else chosen)
                self.move_on()

        def move_on(done: Done | None) -> None:
            self.show_done(done)
            self.move_on()

        choices = [(value, f"for {words}") for value, words in SNOOZES]
        choices += [(_ANOTHER_DAY, "until another day …"), (_NO_LONGER, "no longer")]
        self._choose("Snooze: not due before then", choices, snooze)

    def action_queries(self) -> None:
        """The reader's own queries, by their names."""
        queries = self.session.settings.tui.queries
        if not queries:
            self.papertrack.say(NO_QUERIES)
            return
        choices = [(name, clean(f"{name}: {query}")) for name, query in queries.items()]
        self._choose("Queries", choices, lambda name: self.filter_by(queries[name], is_of_all=True))

    def action_topics(self) -> None:
        from papertrack.store.watch.topics import found_counts, list_topics

        topics = self.session.look(list_topics) or []
        counts = self.session.look(found_counts) or {}
        by_name = {topic.name: topic for topic in topics}
        choices = [
            (t.name, f"{t.name} ({counts.get(t.id, (0,))[0]}){', muted' if t.is_paused else ''}")
            for t in topics
        ]
        self._choose(
            "Topics",
            [*choices, ("", "a new one")],
            lambda name: self._about_topic(by_name[name]) if name else self._make_topic(),
        )

    def _make_topic(self) -> None:
        from papertrack.actions import triage

        self._ask_for(
            "New topic",
            'its name, a colon, and a query: decoding: title:"speculative decoding"',
            triage.make_topic,
        )

    def _about_topic(self, topic: Topic) -> None:
        from papertrack.actions import triage

        def act(chosen: str) -> None:
            match chosen:
                case "show":
                    self.filter_by(f'topic:"{topic.name}"')
                case "preview":
                    self._preview(topic)
                case "mute":
                    self.write(triage.mute_topic, topic.name, not topic.is_paused)
                case _:
                    self._ask_for(
                        f"Query of {topic.name}",
                        "the query for announcements",
                        lambda store, text: triage.ask_topic(store, topic.name, text),
                        topic.query,
                    )

        mute = "resume it" if topic.is_paused else "pause it"
        choices = [("show", "only its papers"), ("preview", "what it would have found")]
        choices += [("mute", mute), ("edit", f"edit its query: {topic.query}")]
        self._choose(clean(topic.name), choices, act)

    def _preview(self, topic: Topic) -> None:
        from papertrack.actions.watch.topics import Preview, preview_query

        session = self.session
        today, categories = session.now().date(), session.settings.watch.arxiv_categories

        def preview(store: Store) -> Preview:
            return preview_query(
                store,
                topic.query,
                today=today,
                days=_PREVIEW_DAYS,
                default_categories=categories,
                arxiv_categories=topic.arxiv_categories,
                has_cross_lists=topic.has_cross_lists,
                feeds=topic.feeds,
            )

        def show(found: Preview) -> None:
            hits = [f"{hit.announced}  {hit.title}\n    {hit.reason}" for hit in found.last_hits]
            head = f"{topic.name}: {found.verdict} · q goes back"
            self._show_text(head, "\n".join([found.query, "", *hits]))

        self.papertrack.perform(preview, show, holds_keys=True)
