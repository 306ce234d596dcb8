"""A site of 10,000 papers: how long it takes, what it weighs, and what its search answers.

    python benchmarks/site.py [--papers N] [--queries N] [--seed N]

Papers are real titles, authors and abstracts of ``ranking`` in $PAPERTRACK_CORPUS. Queries are
random ones over the fields that a site publishes; each is asked in Chromium and with ``list``. The
goals: 20 s of processor time, first page at most 300 KB gzipped, ``search.json`` at most 1 MB
gzipped, an answer in 50 ms (median of five), and no answer that differs.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from papertrack.actions.make_library import open_library
from papertrack.cli.app import run
from papertrack.library import find_library
from papertrack.library.surroundings import current_time
from papertrack.queries.parser import parse_query
from papertrack.store.listing import find_ids
from papertrack.store.lookup import citekeys_of
from tests.cli.site_queries import Queries, found_by, load_whole, serve
from tests.tui.browser import browse

CATEGORIES = ("LLM", "LLM/Serving", "LLM/Speculative Decoding", "Vision/Video", "Optik & Ähnliches")
TAGS = ("moe", "core", "survey", "α-β", "über", "draft")
VENUES = (None, None, "NeurIPS", "ICML 2024", "Nature Communications")


def records(corpus: Path, count: int) -> Iterator[dict[str, Any]]:
    """Announcements, every third one of them."""
    path = next((corpus / "ranking").glob("announced*.jsonl.gz"))
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, islice(lines, 0, 3 * count, 3))


def bibliography(corpus: Path, count: int) -> str:
    """The papers as a .bib file, with what a list would say of them drawn by lot."""
    dice = random.Random(43)
    entries = []
    for number, record in enumerate(records(corpus, count)):
        names = " and ".join(f"{{{name}}}" for name in record["a"])
        fields = {
            "title": f"{{{_plain(record['t'])}}}",
            "author": _plain(names, keep="{}"),
            "abstract": _plain(record["s"]),
            "eprint": record["id"],
            "archiveprefix": "arXiv",
            "year": dice.choice(("2019", "2022", "2024", "2025")),
            "keywords": ", ".join(dice.sample(TAGS, dice.choice((0, 0, 1, 2)))),
            "groups": dice.choice(CATEGORIES),
            "journal": dice.choice(VENUES),
        }
        lines = (f"  {name} = {{{value}}}" for name, value in fields.items() if value)
        entries.append(f"@article{{k{number}y{number % 8},\n" + ",\n".join(lines) + "\n}\n")
    return "\n".join(entries)


def _plain(text: str, keep: str = "") -> str:
    return "".join(sign for sign in text if sign not in '{}%#&_\\$~^"' or sign in keep)


async def answers(site: Path, queries: list[str], profile: Path) -> list[tuple[float, Any]]:
    """What Chromium finds, each with the median of five times."""
    server = serve(site)
    async with browse(profile) as browser:
        page = await browser.open(f"http://127.0.0.1:{server.server_port}/index.html")
        await page.until("document.readyState === 'complete' && !!document.title")
        await load_whole(page)
        found = []
        for query in queries:
            tries = [await found_by(page, query) for _ in range(5)]
            found.append((median(one[0] for one in tries), tries[0][1]))
    server.shutdown()
    return found


def main() -> int:
    """Print each number beside its goal; 1 when one is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    corpus = Path(os.environ["PAPERTRACK_CORPUS"])
    goals: list[tuple[str, float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        home, site = Path(folder, "library"), Path(folder, "site")
        os.environ["PAPERTRACK_LIBRARY"] = str(home)
        run(["-q", "init", str(home)])
        source = home / "papers.bib"
        source.write_text(bibliography(corpus, wanted.papers), encoding="utf-8")
        run(["-q", "import", str(source)])
        start = time.process_time()
        run(["-q", "export", "--site", str(site)])
        goals.append(("seconds of processor time", time.process_time() - start, 20))
        start = time.process_time()
        run(["-q", "export", "--site", str(site)])
        goals.append(("seconds again, with nothing new", time.process_time() - start, 20))
        for name, most in (("index.html", 300), ("search.json", 1000)):
            size = len(gzip.compress((site / name).read_bytes())) / 1000
            goals.append((f"KB of {name}, gzipped", size, most))
        papers = json.loads((site / "library.json").read_text("utf-8"))
        queries = list(islice(Queries(papers, wanted.seed), wanted.queries))
        found = asyncio.run(answers(site, queries, Path(folder, "profile")))
        differing = 0
        library = find_library(home, os.environ, home)
        with open_library(library, now=lambda: current_time({})) as store:
            for query, (_, keys) in zip(queries, found, strict=True):
                ids = find_ids(store, parse_query(f"is:saved ({query})"))
                if sorted(keys) != sorted(citekeys_of(store, ids)):
                    differing += 1
                    print(f"differs: {query}")
        slowest = max(zip((one[0] for one in found), queries, strict=True))
        print(f"slowest: {slowest[1]}")
        goals.append(("milliseconds of the slowest answer", max(one[0] for one in found), 50))
        goals.append((f"of {len(queries)} answers differ", differing, 0))
        print(f"{len(papers):,} papers")
    for name, value, most in goals:
        print(f"{'ok  ' if value <= most else 'OVER'} {value:,.1f} {name} (at most {most:,})")
    return int(any(value > most for _, value, most in goals))


if __name__ == "__main__":
    sys.exit(main())
