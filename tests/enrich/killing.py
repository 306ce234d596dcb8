"""Enrich copies of a library, each killed before another durable step, and run again.

``python -m tests.enrich.killing FOLDER URLS`` (a process of its own, without threads, so that it
can fork) prints one JSON array: what the library says after an unbroken run, then after each run
that was killed before its first, second, … step and run again.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from papertrack.actions.online.enrich import enrich_papers, lock_enrichment, select_papers
from papertrack.actions.online.network import open_door
from papertrack.library import Library
from papertrack.library.settings import Arxiv
from papertrack.store.database import Database
from papertrack.store.store import Store
from tests.enrich.conftest import Clock
from tests.search_index import indexed_words

TABLES = {
    "papers": "*",
    "identifiers": "*",
    "authors": "*",
    "links": "*",
    "citekey_aliases": "*",
    "field_sources": "*",
    "suggestions": "paper_id, field, value, source, at, state",
    "actions": "verb, summary, at",
}


def enrich(root: Path, urls: dict[str, str]) -> None:
    library, clock = Library(root), Clock()
    door = open_door(library, Arxiv(**urls, interval_seconds=0), clock=clock)
    with Store.open(library.database, now=clock) as store, lock_enrichment(library, lambda: None):
        to_ask = select_papers(store, []).to_ask
        list(enrich_papers(store, door, to_ask))


def contents(root: Path) -> dict[str, list[Any]]:
    connection = sqlite3.connect(Library(root).database)
    found = {
        table: sorted(map(list, connection.execute(f"SELECT {columns} FROM {table}")), key=repr)
        for table, columns in TABLES.items()
    }
    found["search"] = list(map(list, indexed_words(Database(connection))))
    connection.close()
    return found


def in_a_process_of_its_own(work: Callable[[], None]) -> bool:
    """Whether it came to its end."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def die_before_step(number: int) -> None:
    """Kill this process before its ``number``-th commit or rename."""
    steps = iter(range(1, number))

    def step() -> None:
        if next(steps, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
            if sql == "COMMIT":
                step()
            return super().execute(sql, *parameters)

    connect, replace = sqlite3.connect, Path.replace

    def dying_replace(self: Path, target: Path) -> Path:
        step()
        return replace(self, target)

    sqlite3.connect = lambda *a, **k: connect(*a, factory=Connection, **k)  # type: ignore[assignment]
    Path.replace = dying_replace  # type: ignore[assignment,method-assign]


def main(folder: Path, urls: dict[str, str]) -> None:
    whole = folder.with_name("whole")
    shutil.copytree(folder, whole)
    assert in_a_process_of_its_own(lambda: enrich(whole, urls))
    made = [contents(whole)]
    is_killed, number = True, 0
    while is_killed:
        number += 1
        copy = folder.with_name(f"copy{number}")
        shutil.copytree(folder, copy)

        def run(copy: Path = copy, number: int = number) -> None:
            die_before_step(number)
            enrich(copy, urls)

        is_killed = not in_a_process_of_its_own(run)
        assert in_a_process_of_its_own(lambda copy=copy: enrich(copy, urls))  # type: ignore[misc]
        made.append(contents(copy))
    print(json.dumps(made))


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
