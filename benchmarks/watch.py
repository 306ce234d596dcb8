"""A night of `papertrack watch` against what feedparser and sqlite3 alone need for it.

Two days, as arXiv's Atom feeds: 1,500 announcements over five categories, from the real records
of a corpus (the folder that PAPERTRACK_CORPUS names) or else made up; and, with a corpus, the days
of one category that a mirror of the feeds kept, all as one. Both programs run as processes of their
own, in turn; printed are the best of their times without imports, the ratio of these, the median
of the ratios of each turn (at most 2: a busy machine slows both programs of a turn), the memory
of the watch (at most 200 MB), and what of the bare time is feedparser's reading, most of both. The
run fails when one is over its limit.
Run by hand: python benchmarks/watch.py
"""

from __future__ import annotations

import gzip
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from limits import exit_code  # noqa: E402

from papertrack.actions.watch.topics import create_topic  # noqa: E402
from papertrack.library import create_library  # noqa: E402
from papertrack.store.store import Store  # noqa: E402
from tests.fake_arxiv import Announced, Work  # noqa: E402
from tests.fake_arxiv.answers import daily_feed  # noqa: E402

DAY = date(2026, 11, 18)
COUNT = 1500
CATEGORIES = ("cs.LG", "cs.CL", "cs.AI", "cs.CV", "stat.ML")
WANTED = 75
"""Of a made-up day: about as many as the topics find on the real one."""
ROUNDS = 21
MOST_TIMES = 2
MOST_MEGABYTES = 200
TOPICS = [
    '"speculative decoding" OR "draft model"',
    'title:"mixture of experts"',
    "quantiz* (LLM OR transformer*)",
    'author:"Tri Dao" OR author:"Woosuk Kwon"',
    '"kv cache" OR "key-value cache" OR pagedattention',
    'title:diffusion abstract:"video generation"',
    "title:agentic benchmark*",
    'title:"retrieval augmented" medical',
    '"state space duality"',
    'title:"human feedback"',
    'title:"chain of thought"',
    'title:survey "language agents"',
    "unlearning",
    '"federated learning" privacy',
    '"graph neural network" OR "graph neural networks"',
    "robot* manipulation policy",
    'title:"in-context learning"',
    '"hallucination detection"',
    '"low-rank adaptation" NOT vision',
    "code generation (test* OR repair)",
]
# Each prints the seconds of its work without imports, by the clock and of the processor, and its
# peak memory in MB; the bare one also the seconds of feedparser. Fetching is left out on both
# sides: the feeds come from files.
BARE = """
import json, os, resource, sqlite3, sys, time
import xml.sax.expatreader  # feedparser's, which imports it late.
import feedparser
start, cpu = time.perf_counter(), time.process_time()
reading = 0.0
folder, database = sys.argv[1:]
db = sqlite3.connect(database)
db.execute("PRAGMA synchronous = FULL")
db.executescript('''
    CREATE TABLE announcements (id INTEGER PRIMARY KEY, name TEXT UNIQUE, kind TEXT, title TEXT,
        abstract TEXT, authors TEXT, categories TEXT, licence TEXT, day TEXT);
    CREATE INDEX by_day ON announcements (day);
    CREATE TABLE lists (category TEXT, name TEXT, PRIMARY KEY (category, name)) WITHOUT ROWID;
    CREATE INDEX by_name ON lists (name);''')
for name in sorted(os.listdir(folder)):
    began = time.perf_counter()
    with open(f"{folder}/{name}", "rb") as file:
        feed = feedparser.parse(file, sanitize_html=False, resolve_relative_uris=False)
    reading += time.perf_counter() - began
    rows = [(entry.id, entry.arxiv_announce_type, entry.title,
             entry.summary.partition("Abstract: ")[2], entry.author,
             json.dumps([tag.term for tag in entry.tags]), entry.get("rights"), "2026-11-18")
            for entry in feed.entries]
    with db:
        db.executemany("INSERT OR IGNORE INTO announcements VALUES (NULL,?,?,?,?,?,?,?,?)", rows)
        db.executemany("INSERT INTO lists VALUES (?, ?)", [(name, row[0]) for row in rows])
print(time.perf_counter() - start, time.process_time() - cpu)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
print(reading)
"""
WATCH = """
import resource, sys, time
import xml.sax.expatreader  # feedparser's, which imports it late.
from datetime import UTC, datetime
from pathlib import Path
from lxml import etree
from papertrack.actions.watch.match import WatchPlan
from papertrack.actions.watch.run import run_watch
from papertrack.library import Library
from papertrack.sources.endpoints import Endpoints
from papertrack.sources.exchange import Response
from papertrack.store.store import Store
start, cpu = time.perf_counter(), time.process_time()
folder, root = map(Path, sys.argv[1:])

class FromFiles:
    endpoints = Endpoints()
    def get(self, url, **options):
        body = (folder / url.rpartition("/")[2]).read_bytes()
        return Response(200, url, "application/atom+xml", body, {})

now = lambda: datetime(2026, 11, 18, 8, 17, tzinfo=UTC)
with Store.open(root / "data" / "papertrack.db", now=now) as store:
    report = run_watch(store, FromFiles(), Library(root), WatchPlan((), 30))
print(time.perf_counter() - start, time.process_time() - cpu)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
print(len(report.new_papers), sum(look.unseen for look in report.looks), report.exit_code,
      file=sys.stderr)
"""


Lists = dict[str, list[Announced]]
"""What is announced on one day, by category."""


def busy_day(corpus: Path | None) -> Lists:
    """1,500 works in the categories: real titles and abstracts where there is a corpus."""
    dice = random.Random(20261118)
    if corpus:
        path = corpus / "arxiv-metadata" / "records-2025.jsonl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        records = [r for r in records if r.get("abstract") and r.get("authors")][:COUNT]
    else:
        words = ["".join(dice.choices("abcdefghiklmnoprstu", k=7)) for _ in range(5000)]
        records = [
            {
                "title": " ".join(dice.choices(words, k=10)),
                "authors": [f"First{n} Last{dice.randint(0, 99)}" for n in range(5)],
                "abstract": " ".join(dice.choices(words, k=180)),
            }
            for _ in range(COUNT)
        ]
        for record in records[:: COUNT // WANTED]:
            record["title"] = f"Speculative decoding of {record['title']}"
    lists: Lists = {category: [] for category in CATEGORIES}
    for number, record in enumerate(records, start=1):
        categories = tuple(dice.sample(CATEGORIES, k=dice.choice((1, 1, 2))))
        work = as_work(record, f"2611.{number:05}", categories)
        for category in categories:
            kind = "new" if category == categories[0] else "cross"
            lists[category].append(Announced(work, kind))
    return lists


def real_days(corpus: Path) -> Lists:
    """What a mirror of the feed of cs.LG kept: each paper once, as it was announced."""
    found: dict[str, Announced] = {}
    for path in sorted((corpus / "arxiv-rss" / "derived-json").glob("feed-mirror-*.json")):
        for paper in json.loads(path.read_text(encoding="utf-8")).get("papers", ()):
            categories = (paper["primary_category"], *paper["categories"], "cs.LG")
            work = as_work(paper, paper["arxiv_id"], tuple(dict.fromkeys(categories)))
            version = 2 if paper["announce_type"].startswith("replace") else 1
            found.setdefault(work.arxiv_id, Announced(work, paper["announce_type"], version))
    return {"cs.LG": list(found.values())}


def as_work(record: dict[str, Any], arxiv_id: str, categories: tuple[str, ...]) -> Work:
    return Work(
        arxiv_id,
        record["title"],
        tuple((name, None) for name in record["authors"]),
        " ".join(record["abstract"].split()),  # As the feeds have it: on one line.
        categories,
        ("2026-11-17T10:00:00Z",) * 2,
    )


def prepare(folder: Path, lists: Lists) -> tuple[Path, Path]:
    """The feeds of the day as files, and a library whose last night is known."""
    feeds = folder / "feeds"
    feeds.mkdir()
    for category, listed in lists.items():
        (feeds / category).write_bytes(daily_feed(category, DAY, listed).body)
    library, _ = create_library(folder / "library")
    with Store.create(library.database, now=lambda: datetime(2026, 11, 17, tzinfo=UTC)) as store:
        for number, query in enumerate(TOPICS):
            create_topic(store, f"topic {number}", query, arxiv_categories=tuple(lists))
        with store.transaction():
            # The night before, as if it had been quiet: otherwise the first night asks twice.
            store.connection.execute("INSERT INTO watch_runs VALUES (1, '', '2026-11-17', '')")
            for category in lists:
                store.connection.execute(
                    "INSERT INTO announcement_days VALUES (?, '2026-11-17', 'feed', 0)", (category,)
                )
    return feeds, library.root


def run(script: str, *arguments: Path) -> tuple[tuple[float, ...], str]:
    """Seconds by the clock and of the processor, megabytes; and what it said."""
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return tuple(map(float, done.stdout.split())), done.stderr.strip()


def measure(name: str, lists: Lists) -> int:
    """Run both programs over one day, in turn, and print what it took; 1 if that is too much."""
    bare, watch = [], []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        feeds, root = prepare(folder, lists)
        untouched = (root / "data" / "papertrack.db").read_bytes()
        for _ in range(ROUNDS):
            # In turn, so that a busy machine slows both.
            (folder / "bare.db").unlink(missing_ok=True)
            (root / "data" / "papertrack.db").write_bytes(untouched)
            bare.append(run(BARE, feeds, folder / "bare.db")[0])
            measured, said = run(WATCH, feeds, root)
            watch.append(measured)
    # The best: other programs on the machine only add to it.
    bare_wall, bare_cpu, _, reading = map(min, zip(*bare, strict=True))
    wall, cpu, megabytes = map(min, zip(*watch, strict=True))
    median = statistics.median(one[0] / other[0] for one, other in zip(watch, bare, strict=True))
    count = len({one.work.arxiv_id for listed in lists.values() for one in listed})
    print(f"{name}: the watch said (papers, unseen, exit code): {said}")
    print(
        f"{count} papers announced, {len(TOPICS)} topics: watch {wall:.3f} s in {megabytes:.0f} MB,"
        f" bare {bare_wall:.3f} s ({reading:.3f} s of it reading), ratio {wall / bare_wall:.2f}, "
        f"median {median:.2f} "
        f"(processor alone: {cpu:.3f} s, {bare_cpu:.3f} s, {cpu / bare_cpu:.2f})"
    )
    return exit_code(
        ("median ratio", median, MOST_TIMES), ("memory in MB", megabytes, MOST_MEGABYTES)
    )


def main() -> int:
    corpus = Path(os.environ["PAPERTRACK_CORPUS"]) if "PAPERTRACK_CORPUS" in os.environ else None
    codes = [measure("busy day", busy_day(corpus))]
    if corpus:
        codes.append(measure("real days", real_days(corpus)))
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
