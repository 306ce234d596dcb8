"""A source as somebody would add one: a service on loopback that knows works by their ACL ids.

What CONTRIBUTING says of the next source is what this module does, but for the setting and the
line in the registry, which a test puts there.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from papertrack.records import Author, Identifier
from papertrack.sources.source import Answers, Source, SourceRecord, make_facts
from papertrack.sources.transport import Door

KNOWN = {
    "2020.acl-main.1": {
        "title": "A toy of an anthology",
        "authors": ["Ada Ba", "Cy De"],
        "abstract": "We keep one paper.",
        "year": 2020,
        "doi": "10.18653/v1/2020.acl-main.1",
    }
}


class Toy(Source):
    """Works by their ids in the ACL Anthology."""

    name = "toy"
    title = "The Toy"
    setting = "toy_url"
    schemes = ("acl",)

    def __init__(self, url: str) -> None:
        self.url = url

    def fetch(self, identifiers: Sequence[Identifier], door: Door) -> Answers:
        """The record of the one work that is asked for."""
        (work,) = identifiers
        response = door.get(
            f"{door.endpoints[self.setting]}/{work.value}",
            accept=("application/json",),
            expect=frozenset({200, 404}),
        )
        if response.status == 404:
            return {work: None}
        told = json.loads(response.body)
        facts = make_facts(
            work,
            title=told["title"],
            abstract=told["abstract"],
            authors=[Author(name) for name in told["authors"]],
            year=told["year"],
            doi=told["doi"],
        )
        return {work: SourceRecord(work, facts, self.name)}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        told = KNOWN.get(self.path.rpartition("/")[2])
        body = json.dumps(told).encode()
        self.send_response(200 if told else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@contextmanager
def toy_service() -> Iterator[str]:
    """The address of the service, as long as it runs."""
    server = HTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/works"
    finally:
        server.shutdown()
        server.server_close()
