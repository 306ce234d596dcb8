"""Draw the pictures of the README and the documentation: ``make pictures``.

The terminal UI and the commands run in the sample library, with a morning's inbox of papers that
nobody has written. ``python docs/pictures/draw.py FOLDER`` draws every screen there, at three
sizes, dark and light.
"""

from __future__ import annotations

import asyncio
import os
import pty
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from itertools import product
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text
from svg import Frame, Screen, draw_animation, draw_screen, parse_screen
from textual.pilot import Pilot

from papertrack.actions.documents import import_file
from papertrack.actions.make_library import copied_sample
from papertrack.actions.ranking import refresh
from papertrack.holdings import Announcement
from papertrack.library import Library, create_library
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
NOW = datetime(2026, 1, 9, 8, 2, tzinfo=UTC)
SIZES = ((80, 24), (120, 35), (200, 50))
THEMES = {"dark": "textual-dark", "light": "textual-light"}
STILLS = {
    "inbox": [],
    "paper": ["left_square_bracket", "colon", *"fast2022inference", "enter", "enter"],
}
"""Screens that the documentation shows, each with the keys from the one before."""
SEARCHED = {"pages": ["left_square_bracket", "slash", *'text:"acceptance rate"', "enter"]}
"""The screen of a search in PDFs, at one size."""
PDFS = {
    "fast2022inference": ("Drafts help where the acceptance rate is high.", ""),
    "accelerating2023large": ("We measure the acceptance rate of each draft.", "2211.17192"),
    "medusa2024simple": ("More heads raise the acceptance rate.", "2211.17192 2302.01318"),
    "eagle2024speculative": ("The acceptance rate falls with depth.", "2211.17192 2401.10774"),
    "sglang2023efficient": ("Prefixes are shared.", "2309.06180"),
}
"""What some papers say on their second page in these pictures, and the ids of what they cite."""
BACKGROUNDS = {"dark": "#121212", "light": "#e0e0e0"}
TOUR_SIZE = (100, 28)
SITE_SIZE = "1180,760"


GIT_COMMIT = (
    "git init -q && git add README.md && "
    "git -c user.name=me -c user.email=me@example.org commit -qm 'My reading list'"
)


class Step(NamedTuple):
    """A step of the tour: what is pressed, how long it is shown, and what is said of it."""

    keys: Sequence[str]
    seconds: float
    key: str
    caption: str


TOUR = {
    "inbox": Step([], 4, "papertrack", "This morning's papers, ranked, and why each one is here."),
    "save": Step(["s"], 2.5, "s", "Save it for later, and go on to the next."),
    "discard": Step(["d"], 2.5, "d", "Discard it, and go on."),
    "undo": Step(["u"], 2.5, "u", "Undo. Anything can be undone, even tomorrow."),
    "third": Step(
        [*["right_square_bracket"] * 3, "colon", *"fast2022inference", "enter"],
        4,
        "]",
        "Papers read twice wait for a third pass.",
    ),
    "pass": Step(["3"], 3.5, "3", "Record it: in the library, not yet in your README."),
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
"""All screens, for a look at them in another folder; Esc leads back."""
TOPICS = {
    "decoding": '"speculative decoding" OR "draft model"',
    "kv-cache": '"kv cache" OR "key-value cache" OR paged',
    "okafor": 'author:"Ada Okafor"',
}
# Invented, with ids that no January reaches: title, authors, abstract.
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

# Announced the day before and ignored, so that the ranking can tell what is kept.
LET_PASS = (
    "Crop Yields Seen From Above the Clouds",
    "Traffic Lights That Wait for Nobody",
    "Folding Proteins With Both Hands",
    "Tidal Waves in a Very Small Harbour",
)


def now() -> datetime:
    return NOW


def add_morning(store: Store) -> None:
    """Add the invented papers to the inbox with their topics, and what was ignored yesterday."""
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
        # Within a day the newest comes first.
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


Pictures = Mapping[str, Sequence[str]]
"""The keys that lead to each screen from the one before, by the screen's name."""


async def take(
    library: Library, pictures: Pictures, size: tuple[int, int], theme: str, back: str = ""
) -> dict[str, Screen]:
    """Press keys in the terminal UI of a library; return each screen."""
    session = Session(library, now, dict(os.environ), Settings())
    app = PapertrackApp(session)
    screens = {}
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        await settle(app, pilot)
        for name, keys in pictures.items():
            for key in keys:
                await pilot.press(key)
                await settle(app, pilot)
            screens[name] = parse_screen(app.export_screenshot(), *size)
            await pilot.press(*([back] if back else []))
    return screens


async def settle(app: PapertrackApp, pilot: Pilot[None]) -> None:
    """Wait until everything is drawn that a key started."""
    await pilot.pause(0.05)
    while app.is_busy:
        await pilot.pause(0.01)
    await app.workers.wait_for_complete()
    await pilot.pause(0.05)


def run(command: str, folder: Path) -> str:
    """What a command prints on a terminal, with its colours."""
    ours, theirs = pty.openpty()
    environ = {
        **os.environ,
        "COLUMNS": str(TOUR_SIZE[0]),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "PAPERTRACK_NOW": NOW.isoformat(),
    }
    # On a dumb terminal no progress bar is drawn, which would depend on the machine's speed.
    shim = f'papertrack() {{ TERM=dumb "{sys.executable}" -m papertrack "$@"; }}; '
    running = subprocess.Popen(
        ["bash", "-c", shim + command], cwd=folder, env=environ, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    output = b""
    try:
        while piece := os.read(ours, 65536):
            output += piece
    except OSError:  # Linux says so when the other end is closed.
        pass
    running.wait()
    return output.decode().replace("\r\n", "\n").lstrip("\n")


def shell(commands: Sequence[str], folder: Path) -> Screen:
    """A terminal in which commands were run."""
    width, height = TOUR_SIZE
    console = Console(record=True, width=width, height=height, file=StringIO(), force_terminal=True)
    for command in commands:
        console.print(Text(f"$ {command}", style="bold"))
        for line in run(command, folder).splitlines():
            console.print(Text.from_ansi(line))
        console.print()
    return parse_screen(console.export_svg(theme=MONOKAI), width, height)


def draw_tour() -> str:
    """The animated picture of the README: triage, a pass, and the line that it changes."""
    with morning() as library:
        run(GIT_COMMIT, library.root)
        keys = {name: step.keys for name, step in TOUR.items()}
        screens = asyncio.run(take(library, keys, TOUR_SIZE, THEMES["dark"]))
        frames = [
            Frame(screens[name], step.seconds, step.key, step.caption)
            for name, step in TOUR.items()
        ]
        screen = shell(["papertrack export --md", "git diff --color-words -U0"], library.root)
        frames.append(
            Frame(screen, 7, "export", "One line of your README changes. Nothing else in it does.")
        )
    return draw_animation(frames, background=BACKGROUNDS["dark"])


@contextmanager
def morning() -> Iterator[Library]:
    """The sample library with a morning's invented papers in its inbox."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "papers"
        with copied_sample(root):
            pass
        library, _ = create_library(root)
        with Store.create(library.database, now=now) as store:
            import_file(store, library, library.root / "README.md")
            add_morning(store)
            refresh(store, NOW.date())
        yield library


def add_pdfs(library: Library) -> None:
    """Write the PDFs of the pictures, which have just what a reader needs, and index them."""
    library.pdfs.mkdir()
    for citekey, (sentence, cited) in PDFS.items():
        lines = [sentence, "References", *(f"[1] arXiv:{one}." for one in cited.split())]
        shown = " ".join(f"({line}) Tj 0 -20 Td" for line in lines)
        text = f"BT /F 10 Tf 60 700 Td {shown} ET"
        font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
        page = f"/Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << {font} >>"
        objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
            f"<< {page} >>",
            f"<< {page} /Contents 5 0 R >>",
            f"<< /Length {len(text)} >> stream\n{text}\nendstream",
        ]
        written = "".join(f"{n} 0 obj {one} endobj\n" for n, one in enumerate(objects, start=1))
        path = library.pdfs / f"{citekey}.pdf"
        path.write_text(f"%PDF-1.4\n{written}trailer << /Root 1 0 R >>\n", encoding="ascii")


def draw_with_pdfs(folder: Path) -> None:
    """Draw the screens that show what is in PDFs, and who cites whom."""
    size = SIZES[1]
    for tone, theme in THEMES.items():
        with morning() as library:
            add_pdfs(library)
            run("papertrack pdf index", library.root)
            screens = asyncio.run(take(library, SEARCHED, size, theme))
            if tone == "light":
                run(f"papertrack stats --graph {folder / 'graph.svg'} --force", library.root)
        for name, screen in screens.items():
            path = folder / f"{name}-{size[0]}x{size[1]}-{tone}.svg"
            path.write_text(draw_screen(screen, background=BACKGROUNDS[tone]), encoding="utf-8")


FEEDS = (
    "papertrack topic add nature --feed https://www.nature.com/nature.rss",
    "papertrack topic add cortex --query 'cortex* OR hippocamp*' --biorxiv neuroscience",
    "papertrack topic",
    "papertrack watch --dry-run",
)
"""What the picture of feeds shows."""


def draw_feeds() -> str:
    """A terminal in which topics get feeds."""
    with morning() as library, tempfile.TemporaryDirectory() as state:
        # The hosts that are accepted here are nobody's.
        os.environ["XDG_STATE_HOME"] = state
        screen = shell(FEEDS, library.root)
    return draw_screen(screen, background=BACKGROUNDS["dark"])


def draw_site() -> None:
    """Photographs of the page of the sample library in Chromium, if it is installed."""
    names = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        print("The pictures of the page stay as they are: Chromium is not installed.")
        return
    with morning() as library:
        run("papertrack export --site page --title 'Serving large models'", library.root)
        server = ThreadingHTTPServer(
            ("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=library.root / "page")
        )
        Thread(target=server.serve_forever, daemon=True).start()
        for tone, scheme, query in (("light", 1, ""), ("dark", 0, "?q=attention")):
            options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            options += [f"--window-size={SITE_SIZE}", "--virtual-time-budget=5000"]
            options += [f"--blink-settings=preferredColorScheme={scheme}"]
            picture = HERE / f"site-{tone}.png"
            address = f"http://127.0.0.1:{server.server_port}/index.html{query}"
            subprocess.run([browser, *options, f"--screenshot={picture}", address], check=True)
        server.shutdown()


def draw_all(folder: Path, pictures: Pictures, *, back: str = "") -> None:
    """Write a picture of each screen at each size in each theme."""
    folder.mkdir(parents=True, exist_ok=True)
    for size, (tone, theme) in product(SIZES, THEMES.items()):
        with morning() as library:
            screens = asyncio.run(take(library, pictures, size, theme, back))
        for name, screen in screens.items():
            path = folder / f"{name}-{size[0]}x{size[1]}-{tone}.svg"
            path.write_text(draw_screen(screen, background=BACKGROUNDS[tone]), encoding="utf-8")


def main() -> None:
    if len(sys.argv) > 1:
        draw_all(Path(sys.argv[1]), SCREENS, back="escape")
        return
    (HERE / "tour.svg").write_text(draw_tour(), encoding="utf-8")
    (HERE / "feeds.svg").write_text(draw_feeds(), encoding="utf-8")
    draw_site()
    draw_all(HERE, STILLS)
    draw_with_pdfs(HERE)


if __name__ == "__main__":
    main()
