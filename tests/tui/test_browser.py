"""The terminal UI in a real browser: what is drawn, typed and opened there, and who else may.

It needs Chromium, and is skipped where none is installed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from papertrack.library import Library
from papertrack.records import Link
from papertrack.store.store import Store

pytest.importorskip("aiohttp", reason="needs textual-serve")

from .browser import CHROMIUM, Browser, Page, browse
from .test_serving import Served, serve

Fill = Callable[..., list[int]]
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
_PATIENCE_SECONDS = 120
_READY = "document.activeElement?.className === 'xterm-helper-textarea'"
_SOCKET = """new Promise(tell => {{
    const socket = new WebSocket('ws://127.0.0.1:{port}/ws?width=80&height=24');
    socket.onopen = () => tell('open'); socket.onerror = () => tell('refused');
}})"""


@pytest.fixture
def served(library: Library, tmp_path: Path) -> Iterator[Served]:
    """A server of the library that the test fills."""
    with serve(library, tmp_path) as server:
        yield server


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """A page of this machine that is not papertrack's."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "index.html").write_text("<title>elsewhere</title>", encoding="utf-8")
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(quiet, directory=str(folder)))
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def in_browser(tmp_path: Path, sitting: Callable[[Browser], Awaitable[None]]) -> None:
    """Do something in a browser of its own."""

    async def run() -> None:
        async with asyncio.timeout(_PATIENCE_SECONDS), browse(tmp_path / "profile") as browser:
            await sitting(browser)

    asyncio.run(run())


async def opened(browser: Browser, served: Served) -> Page:
    """The page behind the printed address, with the first screen on it, ready to be typed in."""
    page = await browser.open(served.address)
    await page.until(_READY)
    return page


async def until_decided(store: Store, paper_id: int, decision: str) -> None:
    sql = "SELECT decision FROM paper_states WHERE paper_id = ?"
    while store.select_value(sql, (paper_id,)) != decision:
        await asyncio.sleep(0.02)


def test_keys_of_a_browser_decide_and_nothing_is_asked_of_anybody_else(
    store: Store, fill: Fill, served: Served, tmp_path: Path
) -> None:
    ids = fill(2)

    async def sitting(browser: Browser) -> None:
        page = await opened(browser, served)
        await page.press("s")
        await until_decided(store, ids[0], "saved")
        await page.press("d")
        await until_decided(store, ids[1], "discarded")
        await page.press("u")
        await until_decided(store, ids[1], "inbox")
        assert await page.evaluate("location.href") == f"{served.root}/"
        blocked = {
            one["requestId"] for one in page.told("Network.loadingFailed") if "blockedReason" in one
        }
        asked = [
            one["request"]["url"]
            for one in page.told("Network.requestWillBeSent")
            if one["requestId"] not in blocked
        ]
        assert len(asked) > 2
        assert all(url.startswith(served.root) for url in asked)

    in_browser(tmp_path, sitting)


def test_a_link_opens_in_the_browser_of_who_looks(
    fill: Fill, served: Served, tmp_path: Path, elsewhere: str
) -> None:
    fill(1, links=(Link("code", f"{elsewhere}code"),))

    async def sitting(browser: Browser) -> None:
        page = await opened(browser, served)
        await page.press("c")
        await browser.until_opened(lambda url: url == f"{elsewhere}code")

    in_browser(tmp_path, sitting)


def test_another_page_in_the_same_browser_gets_no_screen(
    fill: Fill, served: Served, tmp_path: Path, elsewhere: str
) -> None:
    fill(1)

    async def sitting(browser: Browser) -> None:
        page = await opened(browser, served)
        script = _SOCKET.format(port=served.port)
        assert await page.evaluate(script) == "open", "the page itself may"
        # Of the same site, as browsers count it: they send it the cookie.
        other = await browser.open(elsewhere)
        await other.until("document.title === 'elsewhere'")
        assert await other.evaluate(script) == "refused"
        reads = f"fetch('{served.root}/', {{credentials: 'include'}}).then(() => 1, () => 0)"
        assert await other.evaluate(reads) == 0

    in_browser(tmp_path, sitting)
