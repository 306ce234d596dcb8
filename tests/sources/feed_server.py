"""A web server on loopback that stands for the hosts of feeds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from tests.fake_arxiv.loopback import LoopbackHandler, LoopbackServer


class Reply(NamedTuple):
    """One answer."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({})


class Asked(NamedTuple):
    """One request."""

    path: str
    headers: dict[str, str]
    """With lower-case names."""


@dataclass
class FeedServer:
    """What it answers by path, and what it was asked."""

    replies: dict[str, Reply | Callable[[Asked], Reply]] = field(default_factory=dict)
    log: list[Asked] = field(default_factory=list)
    base: str = ""

    @property
    def host(self) -> str:
        return self.base.removeprefix("http://")

    def url(self, path: str) -> str:
        return self.base + path

    def put(self, path: str, body: bytes, status: int = 200, **headers: str) -> str:
        """Answer with this from now on; the headers' names have _ for -. Returns the address."""
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        self.replies[path] = Reply(body, status, told)
        return self.url(path)


@contextmanager
def serving() -> Iterator[FeedServer]:
    """A running server."""
    feeds = FeedServer()

    class Handler(LoopbackHandler):
        def do_GET(self) -> None:
            told = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.path, told)
            feeds.log.append(asked)
            found = feeds.replies.get(self.path) or feeds.replies.get(self.path.partition("?")[0])
            reply = found(asked) if callable(found) else found or Reply(b"no such page", 404)
            self.start(reply.status, reply.headers, len(reply.body))
            self.wfile.write(reply.body)

    server = LoopbackServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    feeds.base = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield feeds
    finally:
        server.shutdown()
        server.server_close()
