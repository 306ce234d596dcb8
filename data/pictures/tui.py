"""Draw two pictures of the terminal UI: ``make pictures``.

A morning's inbox of papers that nobody has written, and a paper of the sample library.
``python data/pictures/tui.py FOLDER`` draws each screen there, at four sizes, dark and light.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from textual.pilot import Pilot

from papertrack.actions.documents import import_file
from papertrack.actions.ranking import refresh
from papertrack.holdings import Announcement
from papertrack.library import Library, create_library
from papertrack.library.sample import copied_sample
from papertrack.library.settings import Settings
from papertrack.queries.matcher import announced_text, describe_hits, make_matcher
from papertrack.queries.parser import parse_query
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.store.papers import add_paper
from papertrack.store.store import Store
from papertrack.store.watch.announcements import record_batch
from papertrack.store.watch.topics import add_topic, attach_topic
from papertrack.tui.app import PapertrackApp
from papertrack.tui.session import Session

HERE = Path(__file__).parent
SIZE = (112, 28)
NOW = datetime(2026, 1, 9, 8, 2, tzinfo=UTC)
# Both are made in one sitting: a few papers are decided on, then one with a note is opened.
PICTURES = {
    "tui-library": ["s", "d", "s"],
    "tui-paper": ["slash", *"has:note", "enter", "left_square_bracket", "enter"],
}
SCREENS = {
    "inbox": [],
    "reading": ["a"],
    "one-line": ["l"],
    "filter": ["l", "slash", *"kv"],
    "paper": ["enter"],
    "statistics": ["w"],
    "help": ["question_mark"],
    "palette": ["ctrl+p"],
    "labels": ["t"],
    "rating": ["r"],
    "sort": ["S"],
    "topics": ["T"],
    "edit": ["E"],
    "related": ["N"],
    "why": ["W"],
    "log": ["L"],
    "discard-rest": ["D"],
    "first": ["right_square_bracket"],
    "all": ["G", "left_square_bracket", "left_square_bracket"],
    "pass": ["1"],
    "undone": ["u"],
}
"""The keys to each screen; Esc leads back."""
SIZES = ((200, 50), (112, 30), (80, 24), (40, 12))
THEMES = ("textual-dark", "textual-light")
TOPICS = {
    "decoding": '"speculative decoding" OR "draft model"',
    "kv-cache": '"kv cache" OR "key-value cache" OR paged',
    "okafor": 'author:"Ada Okafor"',
}
# Invented, with ids that January never reaches: title, authors, abstract.
PAPERS = (
    (
        "Checkpoints That Fit Between Two Batches",
        "Ada Okafor, Tomas Brandt",
        "Saving the state of a training run need not stop it. We write each shard in the gap that "
        "the next batch leaves.",
    ),
    (
        "How Many Experts Does a Sentence Wake?",
        "Linh Vo, Ada Okafor, Pia Stern",
        "We count which experts a sentence uses, and find that few of them are needed twice.",
    ),
    (
        "A Key-Value Cache That Forgets Politely",
        "Noor Haddad, Jonas Eklund",
        "A key-value cache grows until it must drop something. We let it ask attention first.",
    ),
    (
        "Speculative Decoding at the Pace of Its Slowest Draft",
        "Mira Castellan, Joon-ho Baek, Edith Lindqvist",
        "Speculative decoding lets a small draft model guess ahead, and a large one check the "
        "guesses. We ask what happens when the draft is late: on shared machines the large model "
        "then waits more than it gains. Our schedule of $O(k)$ steps drops a draft as soon as "
        "waiting for it costs more than a plain step, and keeps the output's distribution exactly "
        "as it was. On four invented workloads this is $1.4\\times$ faster than fixed drafts of "
        "length $k = 5$, and never slower than none.",
    ),
    (
        "Two Drafts Are Cheaper Than One",
        "Samuel Oyelaran, Greta Holm",
        "Of two draft models the one that agrees with itself is asked. Both fit where one did.",
    ),
    (
        "Paged Attention Without Pages",
        "Ilse Vermeer, Rafael Quint",
        "Paged memory costs a look-up for each block. We lay blocks out so that none is needed.",
    ),
    (
        "The Price of a Token, Measured at the Wall",
        "Kofi Mensah-Adler, Ada Okafor",
        "We read the meter instead of the data sheet.",
    ),
    (
        "Draft Models That Know When to Stop",
        "Yuna Park-Weber, Lars Tamm",
        "A draft model with a second head says how far it trusts its own guesses.",
    ),
    (
        "Sharing a KV Cache Among Strangers",
        "Beatriz Novak, Emeka Lund",
        "Prompts of different people begin alike. Their KV cache can, without telling who asked.",
    ),
    (
        "Verifying Drafts in Batches of Unequal Length",
        "Hana Fischer-Ito, Paulo Reis",
        "Speculative decoding in batches wastes what the longest draft needs. We cut by length.",
    ),
    (
        "A Small Model's Guide to a Large Model's Mind",
        "Oskar Lindgren, Tala Mansour",
        "What a draft model gets wrong says what the large one has learnt last.",
    ),
    (
        "Evicting Keys by the Questions They Answered",
        "Nils Arvid Storm, Chloe Banerjee",
        "A key-value cache can count which of its keys were ever asked for.",
    ),
)

# Announced the day before, and let pass: the ranking tells what is kept from the rest.
LET_PASS = (
    "Crop Yields Seen From Above the Clouds",
    "Traffic Lights That Wait for Nobody",
    "Folding Proteins With Both Hands",
    "Tidal Waves in a Very Small Harbour",
)


def now() -> datetime:
    return NOW


def add_morning(store: Store) -> None:
    """Put the invented papers into the inbox, with the topics that would have found them; and what
    the day before brought beside it."""
    passed = [
        Announcement(f"2601.{99001 + n}", 1, "new", PaperFacts(title=title, abstract=title))
        for n, title in enumerate(LET_PASS)
    ]
    record_batch(store, "cs.LG", passed, day=NOW.date() - timedelta(days=1), source="feed")
    matchers = {query: make_matcher(parse_query(query)) for query in TOPICS.values()}
    with store.action("morning"):
        ids = {
            name: add_topic(store, name, query, arxiv_categories=("cs.LG", "cs.CL"))
            for name, query in TOPICS.items()
        }
        # Of one day the list begins with what came last.
        for number, (title, names, abstract) in enumerate(reversed(PAPERS)):
            facts = PaperFacts(
                title=title,
                identifiers=(Identifier("arxiv", f"2601.{99101 + 13 * number}"),),
                authors=tuple(Author(name) for name in names.split(", ")),
                abstract=abstract,
                submitted="2026-01-07",
                announced=f"2026-01-{8 if number < 5 else 9:02}T01:00:00+00:00",
                version=1,
                primary_category="cs.LG",
                arxiv_categories=("cs.LG", "cs.CL"),
            )
            paper_id = add_paper(store, facts, source="arxiv", decision="inbox")
            text = announced_text(title=title, abstract=abstract, authors=names.split(", "))
            for name, query in TOPICS.items():
                if matchers[query].matches(text):
                    reason = describe_hits(matchers[query].hits(text))
                    attach_topic(store, paper_id, ids[name], reason=reason, score=1.0)


async def draw(
    library: Library,
    folder: Path,
    pictures: Mapping[str, Sequence[str]],
    *,
    size: tuple[int, int] = SIZE,
    theme: str = "textual-dark",
    way_back: Sequence[str] = (),
) -> None:
    """Write pictures into a folder: by the name of each, the keys from the one before."""
    session = Session(library, now, dict(os.environ), Settings())
    app = PapertrackApp(session)
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        await settle(app, pilot)
        for name, keys in pictures.items():
            for key in keys:
                await pilot.press(key)
                await settle(app, pilot)
            path = folder / f"{name}.svg"
            path.write_text(app.export_screenshot(title="papertrack"), encoding="utf-8")
            print(f"wrote {path}")
            await pilot.press(*way_back)


async def settle(app: PapertrackApp, pilot: Pilot[None]) -> None:
    """Wait until all is drawn that a key has begun."""
    await pilot.pause(0.05)
    while app.is_busy:
        await pilot.pause(0.01)
    await app.workers.wait_for_complete()
    await pilot.pause(0.05)


async def draw_all(library: Library, folder: Path) -> None:
    """Write a picture of each screen at each size in each theme."""
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in SIZES:
        for theme in THEMES:
            named = {f"{name}-{width}x{height}-{theme}": keys for name, keys in SCREENS.items()}
            size = (width, height)
            await draw(library, folder, named, size=size, theme=theme, way_back=["escape"])


def main() -> None:
    folder_of_all = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "papers"
        with copied_sample(root):
            pass
        library, _ = create_library(root)
        with Store.create(library.database, now=now) as store:
            import_file(store, library, library.root / "README.md")
            add_morning(store)
            refresh(store, NOW.date())
        if folder_of_all is None:
            asyncio.run(draw(library, HERE, PICTURES))
        else:
            asyncio.run(draw_all(library, folder_of_all))


if __name__ == "__main__":
    main()
