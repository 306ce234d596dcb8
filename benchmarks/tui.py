"""The terminal UI in a real terminal (a pty) at 100,000 papers, against an empty Textual app.

Prints the time to the first paint and until all is settled, with their ratios, the processor time
from each key to its repaint at the median and at the 95th percentile, in the view with all papers,
and peak memory; fails when one is over its limit. Run by hand: ``python benchmarks/tui.py
[PAPERS]``. Linux only.
"""

from __future__ import annotations

import compileall
import fcntl
import os
import pty
import random
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate
from pathlib import Path

from limits import exit_code

import papertrack
from papertrack.library import Library, create_library
from papertrack.store.health import rebuild_search
from papertrack.store.store import Store
from papertrack.tui.colours import OWN_VARIABLES

MOST_TIMES, MOST_SETTLED, MOST_MEGABYTES = 1.2, 2.0, 250
MOST_P95 = 30
"""Milliseconds of processor time from a key to its repaint, at the 95th percentile."""
MOST_OF = {"filter": 60, "open and close": 120}
"""Of keys that search, and that open a screen."""
ROWS, COLUMNS = 40, 120
BURST_SECONDS = 0.005
"""A repaint is over when the terminal has said nothing for so long."""
QUIET_SECONDS = 0.06
"""So long nothing, and everything is over."""
SETTLED_SECONDS = 0.6
"""So long nothing after the start: what is read ahead begins a third of a second after it."""
FIRST_BYTE_SECONDS = 1
OPENED_SECONDS = 0.4
"""So long nothing, and a screen or line is open: where a cursor blinks it is never quiet longer."""
STARTS = 25
PRESSES = 60
KEYS = {
    "down": (b"", (b"j",)),
    "up": (b"", (b"k",)),
    "page down": (b"", (b"\x1b[6~",)),
    "first/last": (b"", (b"g", b"G")),
    "save": (b"g", (b"s",)),
    "discard": (b"", (b"d",)),
    "undo": (b"", (b"u",)),
    "mark": (b"", (b"v",)),
    "read": (b"", (b"a",)),
    "open and close": (b"g", (b"\r", b"q")),
    "next paper": (b"\r", (b"J", b"K")),
    "statistics": (b"q", (b"w", b"q")),
    "filter": (b"/", tuple(b"%c" % letter for letter in b"learnin\x7f\x7f\x7f\x7f")),
    "next view": (b"\x1b", (b"]",)),
}
"""What is measured: the key before, and the keys; of several, each in its turn."""
VOCABULARY = 20_000

# The same layout, with nothing in it.
EMPTY = """
import gc
gc.disable()
from textual.app import App
from textual.containers import Container, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Input, Static
class Main(Screen):
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    def compose(self):
        yield Static("Inbox")
        with Container(id="body"):
            yield VerticalScroll(id="list")
            with VerticalScroll(id="preview"):
                yield Static()
        yield Input(id="filter")
        yield Static()
        yield Footer(compact=True, show_command_palette=False)
class Empty(App):
    BINDINGS = [("s", "save", "Save"), ("d", "discard", "Discard"), ("u", "undo", "Undo")]
    def get_css_variables(self):
        return {**super().get_css_variables(), **dict.fromkeys(OWN, "white")}
    def get_default_screen(self):
        return Main()
    def on_mount(self):
        self.call_after_refresh(lambda: (gc.freeze(), gc.enable()))
Empty(css_path=STYLES).run()
"""


class Terminal:
    """A program in a pty of its own."""

    def __init__(self, command: list[str]) -> None:
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
            os.execv(command[0], command)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read_until(self, mark: bytes, seconds: float = 30) -> float:
        """Seconds from the start until the program has written ``mark``."""
        seen = b""
        while mark not in seen:
            if not select.select([self.fd], [], [], seconds)[0]:
                raise TimeoutError(f"{mark!r} did not come: {seen[-500:]!r}")
            seen += os.read(self.fd, 65536)
        return time.perf_counter() - self.started

    def drain(self, quiet: float = QUIET_SECONDS, *, waits: bool = False) -> float | None:
        """Read until it is quiet; return when the last byte came, None if none did."""
        last = None
        select.select([self.fd], [], [], FIRST_BYTE_SECONDS if waits else 0)
        while select.select([self.fd], [], [], quiet)[0]:
            try:
                os.read(self.fd, 65536)
            except OSError:  # The program has ended.
                return last
            last = time.perf_counter()
        return last

    def press(self, key: bytes) -> tuple[float, float] | None:
        """Milliseconds of processor time from a key to the end of its repaint, and to the end of
        what follows.

        What follows a verb is what the writer's thread has found: glyph and counts. None if
        nothing was painted.
        """
        before = self.worked()
        os.write(self.fd, key)
        if self.drain(BURST_SECONDS, waits=True) is None:
            return None
        painted = self.worked()
        self.drain()
        return painted - before, self.worked() - before

    def worked(self) -> float:
        """The processor time of all its threads, in milliseconds (proc_pid_schedstat(5))."""
        threads = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6

    def peak_megabytes(self) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def close(self) -> None:
        os.kill(self.pid, signal.SIGTERM)
        self.drain(0.3)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def fill(library: Library, number: int) -> None:
    """Write papers past the journal: filling 100,000 with it takes a minute more."""
    words = made_up_words()
    # As in texts, the second word is half as frequent as the first one, the third a third of it.
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    draw = partial(random.Random(7).choices, words, cum_weights=weights)
    with Store.create(library.database, now=lambda: datetime.now(UTC)) as store:
        execute = store.connection.execute
        execute("BEGIN IMMEDIATE")
        triggers = execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            execute(f"DROP TRIGGER {name}")
        for n in range(1, number + 1):
            day = f"20{10 + n % 16:02d}-{1 + n % 12:02d}-{1 + n % 28:02d}"
            title = " ".join(draw(k=8)).capitalize()
            text = " ".join(draw(k=120)).capitalize()
            execute(
                """INSERT INTO papers (id, citekey, title, title_key, abstract, submitted,
                   announced, version, primary_category, added)
                   VALUES (?, ?, ?, ?, ?, ?, ?, 1, 'cs.LG', ?)""",
                (n, f"a{n}", title, title, f"{text}.", day, day, f"{day}T08:00:00+00:00"),
            )
            decision = "inbox" if n % 100 == 0 else "discarded" if n % 5 == 0 else "saved"
            execute(
                "INSERT INTO paper_states (paper_id, decision, passes_done) VALUES (?, ?, ?)",
                (n, decision, n % 4 if decision == "saved" else 0),
            )
            execute(
                "INSERT INTO authors (paper_id, position, name) VALUES (?, 0, ?)", (n, f"A {n}")
            )
            execute(
                "INSERT INTO identifiers (scheme, value, paper_id) VALUES ('arxiv', ?, ?)",
                (f"{10 + n % 16:02d}{1 + n % 12:02d}.{n % 100000:05d}", n),
            )
        for _, sql in triggers:
            execute(sql)
        execute("COMMIT")
        rebuild_search(store)


def made_up_words() -> list[str]:
    """As many words as the abstracts of a field have, with a few that are really asked for."""
    letters = random.Random(11)
    syllables = [c + v for c in "bcdfghklmnprstvz" for v in "aeiou"]
    made = {"".join(letters.choices(syllables, k=letters.randint(2, 5))) for _ in range(VOCABULARY)}
    return ["model", "learning", "data", "attention", "decoding", *sorted(made)]


def starts(*commands: list[str]) -> list[tuple[float, float]]:
    """The processor time of each until the first paint and until it is settled, in milliseconds:
    the median of some starts, taken in turns, since machines have moods."""
    times: list[list[tuple[float, float]]] = [[] for _ in commands]
    for _ in range(STARTS):
        for of_command, command in zip(times, commands, strict=True):
            terminal = Terminal(command)
            terminal.read_until(b"Inbox")
            painted = terminal.worked()
            terminal.drain(SETTLED_SECONDS)
            of_command.append((painted, terminal.worked()))
            terminal.close()
    return [
        (statistics.median(first for first, _ in all_of), statistics.median(s for _, s in all_of))
        for all_of in times
    ]


def main() -> int:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        library, _ = create_library(Path(folder) / "library")
        fill(library, number)
        styles = Path(papertrack.__file__).parent / "tui" / "papertrack.tcss"
        script = Path(folder) / "empty.py"
        script.write_text(
            EMPTY.replace("STYLES", repr(str(styles))).replace("OWN", repr(OWN_VARIABLES))
        )
        opened = [sys.executable, "-m", "papertrack", "--library", str(library.root), "tui"]
        # An installed program has its bytecode.
        compileall.compile_dir(Path(papertrack.__file__).parent, quiet=1)
        empty, ours = starts([sys.executable, str(script)], opened)
        found = [
            _ratio("first paint", ours[0], empty[0], MOST_TIMES),
            _ratio("settled", ours[1], empty[1], MOST_SETTLED),
        ]
        terminal = Terminal(opened)
        terminal.read_until(b"Inbox")
        terminal.drain(1)
        # All papers, with nothing in between.
        terminal.press(b"[")
        terminal.drain(1)
        for name, (before, keys) in KEYS.items():
            if before:
                terminal.press(before)
                terminal.drain(OPENED_SECONDS)
            presses = [terminal.press(keys[n % len(keys)]) for n in range(PRESSES)]
            times = [time for time in presses if time is not None]
            most = MOST_OF.get(name, MOST_P95)
            print(f"  {name:<14} {_percentiles(times)} (at most {most})")
            _, high = _median_and_p95([painted for painted, _ in times])
            found.append((f"the repaint of {name} in ms at p95", high, most))
        megabytes = terminal.peak_megabytes()
        print(f"peak memory: {megabytes:.0f} MB (at most {MOST_MEGABYTES})")
        terminal.close()
    return exit_code(*found, ("peak memory in MB", megabytes, MOST_MEGABYTES))


def _ratio(name: str, ours: float, empty: float, most: float) -> tuple[str, float, float]:
    print(f"{name}: empty app {empty:.0f} ms, ours {ours:.0f} ms, ratio {ours / empty:.2f}", end="")
    print(f" (at most {most})")
    return f"the ratio of {name}", ours / empty, most


def _median_and_p95(values: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(values)
    return ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]


def _percentiles(times: list[tuple[float, float]]) -> str:
    columns = []
    for name, values in zip(("repaint", "settled"), zip(*times, strict=True), strict=True):
        middle, high = _median_and_p95(values)
        columns.append(f"{name} {middle:6.1f} ms median {high:6.1f} ms p95")
    return "   ".join(columns)


if __name__ == "__main__":
    sys.exit(main())
