"""Read a running Zotero through its local API, page by page, without writing.

https://www.zotero.org/support/dev/web_api/v3/basics. Zotero answers locally since version 7, if its
user allows it in the settings ("Allow other applications …").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from papertrack.sources.answers import number, read_json, tables
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import unexpected
from papertrack.sources.transport import Door

SETTING = "zotero_url"
DEFAULT = "http://localhost:23119/api/users/0"
_PAGE = 100
_MAX_BYTES = 64 * 2**20
_MOST_BYTES = 512 * 2**20
_MOST_PAGES = 10_000
"""The most bytes and pages of one list."""
_JSON = ("application/json", "text/plain")


class ZoteroLibrary(NamedTuple):
    """The items and collections of one library."""

    number: int
    """The number of the group, or 0 for the user's own library."""
    name: str | None
    items: list[dict[str, Any]]
    collections: list[dict[str, Any]]


def base_of(address: str) -> str:
    """Return the address of the user's library, from a full or partial address."""
    address = address.rstrip("/")
    if "/users/" in address:
        return address
    return f"{address}/users/0" if address.endswith("/api") else f"{address}/api/users/0"


def fetch_libraries(door: Door, report: Callable[[str], None]) -> list[ZoteroLibrary]:
    """Return all libraries of the running Zotero: the user's own and those of groups.

    ``report`` gets a line of progress now and then. Raises SourceFailure if Zotero does not answer.
    """
    base = door.endpoints[SETTING]
    root = base.partition("/users/")[0]
    libraries = [_library(door, base, 0, None, report)]
    for group in _pages(door, f"{base}/groups"):
        data = group.get("data") if isinstance(group.get("data"), dict) else group
        number = group.get("id") or (data or {}).get("id")
        if isinstance(number, int):
            name = str((data or {}).get("name") or f"Group {number}")
            libraries.append(_library(door, f"{root}/groups/{number}", number, name, report))
    return libraries


def _library(
    door: Door, base: str, number: int, name: str | None, report: Callable[[str], None]
) -> ZoteroLibrary:
    items = []
    for item in _pages(door, f"{base}/items", "includeTrashed=1"):
        items.append(item)
        if len(items) % 1000 == 0:
            report(f"{len(items)} items …")
    return ZoteroLibrary(number, name, items, list(_pages(door, f"{base}/collections")))


def _pages(door: Door, address: str, parameters: str = "") -> Iterator[dict[str, Any]]:
    """Yield the objects of a list, each once, because the list may grow meanwhile."""
    start, size, seen_keys = 0, 0, set[str]()
    for _ in range(_MOST_PAGES):
        query = "&".join(filter(None, (parameters, f"limit={_PAGE}", f"start={start}")))
        response = door.get(f"{address}?{query}", accept=_JSON, max_bytes=_MAX_BYTES)
        page = read_json(response)
        if not isinstance(page, list):
            raise unexpected("no list", host_of(response.url), response.status)
        for entry in tables(page):
            key = str(entry.get("key", entry.get("id")))
            if key not in seen_keys:
                seen_keys.add(key)
                yield entry
        start, size = start + len(page), size + len(response.body)
        total = number(response.headers.get("total-results", ""))
        if not page or (start >= total if total is not None else len(page) < _PAGE):
            return
        if size > _MOST_BYTES:
            break
    raise unexpected("more than any library has", host_of(response.url), response.status)
