"""The local API of a Zotero that runs on this machine: read, page by page. It only reads.

https://www.zotero.org/support/dev/web_api/v3/basics, which Zotero answers itself since version 7,
once its reader allows it in its settings ("Allow other applications …").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from papertrack.sources.answers import read_json
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import unexpected
from papertrack.sources.transport import Door

SETTING = "zotero_url"
DEFAULT = "http://localhost:23119/api/users/0"
_PAGE = 100
_MOST_BYTES = 64 * 2**20
_JSON = ("application/json", "text/plain")


class Answered(NamedTuple):
    """What one library holds."""

    number: int
    """0 for the reader's own, else the group's."""
    name: str | None
    items: list[dict[str, Any]]
    collections: list[dict[str, Any]]


def base_of(address: str) -> str:
    """The address of the reader's library, of however much of it is named."""
    address = address.rstrip("/")
    if "/users/" in address:
        return address
    return f"{address}/users/0" if address.endswith("/api") else f"{address}/api/users/0"


def fetch_libraries(door: Door, told: Callable[[str], None]) -> list[Answered]:
    """All that the running Zotero has: the reader's library and the groups'.

    Raises SourceFailure when it cannot be asked.
    """
    base = door.endpoints[SETTING]
    root = base.partition("/users/")[0]
    libraries = [_library(door, base, 0, None, told)]
    for group in _pages(door, f"{base}/groups"):
        data = group.get("data") if isinstance(group.get("data"), dict) else group
        number = group.get("id") or (data or {}).get("id")
        if isinstance(number, int):
            name = str((data or {}).get("name") or f"Group {number}")
            libraries.append(_library(door, f"{root}/groups/{number}", number, name, told))
    return libraries


def _library(
    door: Door, base: str, number: int, name: str | None, told: Callable[[str], None]
) -> Answered:
    items = []
    for item in _pages(door, f"{base}/items", "includeTrashed=1"):
        items.append(item)
        if len(items) % 1000 == 0:
            told(f"{len(items)} items …")
    return Answered(number, name, items, list(_pages(door, f"{base}/collections")))


def _pages(door: Door, address: str, asked: str = "") -> Iterator[dict[str, Any]]:
    """The objects of a list, each once: it may grow while it is read."""
    start, seen = 0, set()
    while True:
        query = "&".join(filter(None, (asked, f"limit={_PAGE}", f"start={start}")))
        response = door.get(f"{address}?{query}", accept=_JSON, max_bytes=_MOST_BYTES)
        page = read_json(response)
        if not isinstance(page, list):
            raise unexpected("no list", host_of(response.url), response.status)
        for one in page:
            if isinstance(one, dict) and one.get("key", one.get("id")) not in seen:
                seen.add(one.get("key", one.get("id")))
                yield one
        start += len(page)
        total = response.headers.get("total-results", "")
        if not page or (start >= int(total) if total.isdigit() else len(page) < _PAGE):
            return
