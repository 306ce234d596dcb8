"""The terminal UI in a real terminal (a pty) at 100,000 papers, against an empty Textual app.

Prints time to first paint with its ratio, the repaint of keys at the median and at the 95th
percentile, and peak memory; fails when one is over its limit. Run by hand:
``python benchmarks/tui.py [PAPERS]``. Linux only.
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
from pathlib import Path

from limits import exit_code

import papertrack
from papertrack.library import Library, create_library
from papertrack.store import index
from papertrack.store.store import Store

MOST_TIMES, MOST_MEGABYTES = 1.5, 250
MOST_MEDIAN, MOST_P95 = 30, 60
"""Milliseconds from a key to the repaint."""
ROWS, COLUMNS = 40, 120
BURST_SECONDS = 0.005
"""A repaint is over when the terminal has said nothing for so long."""
QUIET_SECONDS = 0.06
"""So long nothing, and everything is over."""
FIRST_BYTE_SECONDS = 1
STARTS = 9
PRESSES = 20
KEYS = {
    "down": (b"j",),
    "up": (b"k",),
    "page down": (b"\x1b[6~",),
    "first/last": (b"g", b"G"),
    "save": (b"s",),
    "discard": (b"d",),
    "undo": (b"u",),
    "mark": (b"v",),
    "next view": (b"]",),
    "next paper": (b"J", b"K"),
}
"""What is measured; of several keys, each in its turn."""

# The same layout, with nothing in it.
EMPTY = """
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
    def get_default_screen(self):
        return Main()
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
        """Milliseconds from a key to the end of its repaint, and to the end of what follows.

        What follows a verb is what the writer's thread has found: glyph and counts. None if
        nothing was painted.
        """
        pressed = time.perf_counter()
        os.write(self.fd, key)
        painted = self.drain(BURST_SECONDS, waits=True)
        if painted is None:
            return None
        settled = self.drain() or painted
        return (painted - pressed) * 1000, (settled - pressed) * 1000

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
    words = (
        "attention cache decoding expert kernel memory mixture parallel pipeline routing "
        "scheduling serving sparse speculative training transformer"
    ).split()
    choose = random.Random(7).choice
    with Store.create(library.database, now=lambda: datetime.now(UTC)) as store:
        execute = store.connection.execute
        execute("BEGIN IMMEDIATE")
        triggers = execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            execute(f"DROP TRIGGER {name}")
        for n in range(1, number + 1):
            day = f"20{10 + n % 16:02d}-{1 + n % 12:02d}-{1 + n % 28:02d}"
            title = " ".join(choose(words) for _ in range(8)).capitalize()
            text = " ".join(choose(words) for _ in range(120)).capitalize()
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
        index.refresh(store.connection, list(range(1, number + 1)))
        for _, sql in triggers:
            execute(sql)
        execute("COMMIT")


def first_paints(*commands: list[str]) -> list[float]:
    """The median of some starts of each, in seconds; taken in turns, since machines have moods."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(STARTS):
        for of_command, command in zip(times, commands, strict=True):
            terminal = Terminal(command)
            of_command.append(terminal.read_until(b"Inbox"))
            terminal.drain(0.3)
            terminal.close()
    return [statistics.median(of_command) for of_command in times]


def main() -> int:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        library, _ = create_library(Path(folder) / "library")
        fill(library, number)
        styles = Path(papertrack.__file__).parent / "tui" / "papertrack.tcss"
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY.replace("STYLES", repr(str(styles))))
        opened = [sys.executable, "-m", "papertrack", "--library", str(library.root), "tui"]
        # An installed program has its bytecode.
        compileall.compile_dir(Path(papertrack.__file__).parent, quiet=1)
        empty, ours = first_paints([sys.executable, str(script)], opened)
        print(f"first paint: empty app {empty:.3f} s, {number:,} papers {ours:.3f} s", end="")
        print(f", ratio {ours / empty:.2f} (at most {MOST_TIMES})")
        terminal = Terminal(opened)
        terminal.read_until(b"Inbox")
        terminal.drain(1)
        everything: list[tuple[float, float]] = []
        terminal.press(b"G")
        for name, keys in KEYS.items():
            if name in ("down", "save"):
                terminal.press(b"g")
            if name == "next paper":
                terminal.press(b"\r")
                terminal.drain(1)
            presses = [terminal.press(keys[n % len(keys)]) for n in range(PRESSES)]
            times = [time for time in presses if time is not None]
            everything += times
            print(f"  {name:<10} {_percentiles(times)}")
        limits = f"(repaint at most {MOST_MEDIAN} and {MOST_P95})"
        print(f"all keys     {_percentiles(everything)} {limits}")
        megabytes = terminal.peak_megabytes()
        print(f"peak memory: {megabytes:.0f} MB (at most {MOST_MEGABYTES})")
        terminal.close()
    median, high = _median_and_p95([painted for painted, _ in everything])
    return exit_code(
        ("the ratio of the first paint", ours / empty, MOST_TIMES),
        ("the median repaint in ms", median, MOST_MEDIAN),
        ("the repaint in ms at p95", high, MOST_P95),
        ("peak memory in MB", megabytes, MOST_MEGABYTES),
    )


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
