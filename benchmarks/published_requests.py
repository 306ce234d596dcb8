"""How many requests `papertrack published` makes of many preprints: no more than batches allow.

The services are those of the tests, on loopback, and know where every second paper was published.
Printed are the requests to each, the most that are allowed, and how long it took; asked again at
once, nobody may be asked. The run fails when one is over its limit.
Run by hand: python benchmarks/published_requests.py [NUMBER]
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import UTC, datetime
from itertools import islice
from math import ceil
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from limits import exit_code  # noqa: E402

from papertrack.actions.online.network import open_door  # noqa: E402
from papertrack.actions.online.published import LookupRun, select  # noqa: E402
from papertrack.library import create_library  # noqa: E402
from papertrack.library.settings import Arxiv, Sources  # noqa: E402
from papertrack.records import Author, Identifier, PaperFacts  # noqa: E402
from papertrack.sources.arxiv_api import ArxivApi  # noqa: E402
from papertrack.sources.published.linking import OpenAlex, SemanticScholar  # noqa: E402
from papertrack.sources.published.registries import Crossref  # noqa: E402
from papertrack.store.papers import add_papers  # noqa: E402
from papertrack.store.store import Store  # noqa: E402
from tests.fake_arxiv import FakeArxiv  # noqa: E402
from tests.fake_arxiv.records import synthesise  # noqa: E402
from tests.published.services import Publication, Services  # noqa: E402

NUMBER = 5_000
GROUP = 500
"""Papers that are looked for together: each group has batches of its own."""


def main() -> int:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else NUMBER
    ids = (f"23{1 + n // 900:02}.{n % 900 + 1:05}" for n in range(2 * number))
    known = list(islice(filter(None, map(synthesise, ids)), number))
    works = [
        Publication(
            one.title,
            tuple(name for name, _ in one.authors),
            "Journal of Examples",
            2024,
            f"10.5555/{one.arxiv_id}",
            one.arxiv_id,
        )
        for one in known[::2]
    ]
    with (
        tempfile.TemporaryDirectory() as folder,
        FakeArxiv() as arxiv,
        Services(works) as services,
    ):
        library = create_library(Path(folder) / "library")[0]
        now = datetime(2026, 11, 22, tzinfo=UTC)
        with Store.create(library.database, now=lambda: now) as store:
            facts = [
                PaperFacts(
                    title=one.title,
                    identifiers=(Identifier("arxiv", one.arxiv_id),),
                    authors=tuple(Author(name) for name, _ in one.authors),
                )
                for one in known
            ]
            with store.action("add"):
                add_papers(store, facts, source="arxiv-api", decision="saved")
            settings = Arxiv(**arxiv.urls, interval_seconds=0)
            asked = Sources(**services.urls, openalex_key="k")
            door = open_door(library, settings, clock=lambda: now, services=asked)
            started = time.monotonic()
            found = list(LookupRun(store, door).look(select(store, ["is:saved"])))
            took = time.monotonic() - started
            published = sum(one.state == "published" for one in found)
            first = len(services.log) + len(arxiv.asked("api"))
            list(LookupRun(store, door).look(select(store, ["is:saved"])))
            again = len(services.log) + len(arxiv.asked("api")) - first

        def asked_of(name: str) -> int:
            return len(services.asked(name))

        groups = [min(GROUP, number - start) for start in range(0, number, GROUP)]
        limits = [("requests made again at once", again, 0)]
        for name, size, made in (
            ("arXiv", ArxivApi.ids_per_request, len(arxiv.asked("api"))),
            ("Semantic Scholar", SemanticScholar.works_per_request, asked_of("semantic_scholar")),
            ("OpenAlex", OpenAlex.works_per_request, asked_of("openalex")),
            ("Crossref", Crossref.works_per_request, asked_of("crossref")),
        ):
            # Crossref may be asked twice of a group: for the DOIs of arXiv, and for those linked.
            times = 2 if name == "Crossref" else 1
            most = sum(times * ceil(papers / size) for papers in groups)
            limits.append((f"requests to {name}", made, most))
        print(f"{number} papers, {published} published, in {took:.1f} s")
        for what, made, most in limits:
            print(f"  {what}: {made}, at most {most}")
    return exit_code(*limits)


if __name__ == "__main__":
    sys.exit(main())
