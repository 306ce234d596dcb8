"""A real browser without a window, driven over its DevTools protocol.

https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp

CHROMIUM = next(
    filter(
        None,
        map(
            shutil.which,
            ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
        ),
    ),
    None,
)
"""Where it is installed, if it is."""
_OPTIONS = (
    *("--headless", "--remote-debugging-port=0", "--no-sandbox", "--disable-gpu"),
    *("--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage"),
    # No name leads anywhere: the tests leave this machine alone.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
_LOOK_SECONDS = 0.02


class Page:
    """One tab: what it is told, and what it tells."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session

    async def call(self, method: str, **parameters: object) -> dict[str, Any]:
        return await self._browser.call(method, session=self._session, **parameters)

    async def evaluate(self, script: str) -> Any:
        """What a script comes to, once it is settled."""
        answer = await self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        return answer["result"].get("value")

    async def until(self, script: str) -> None:
        """Wait until a script says yes."""
        while not await self.evaluate(script):
            await asyncio.sleep(_LOOK_SECONDS)

    async def press(self, *keys: str) -> None:
        for key in keys:
            text = "\r" if key == "Enter" else key
            for kind in ("keyDown", "keyUp"):
                said = {"text": text} if kind == "keyDown" else {}
                await self.call("Input.dispatchKeyEvent", type=kind, key=key, **said)

    def told(self, method: str) -> list[dict[str, Any]]:
        """The events of this kind."""
        return [
            event["params"]
            for event in self._browser.events
            if event["method"] == method and event.get("sessionId") == self._session
        ]


class Browser:
    """The whole of it, over one connection."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.events: list[dict[str, Any]] = []

    async def listen(self) -> None:
        async for message in self._socket:
            said = json.loads(message.data)
            if "id" in said:
                self._answers.pop(said["id"]).set_result(said)
            else:
                self.events.append(said)

    async def call(
        self, method: str, *, session: str | None = None, **parameters: object
    ) -> dict[str, Any]:
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        of_page = {"sessionId": session} if session else {}
        said = {"id": number, "method": method, "params": parameters, **of_page}
        await self._socket.send_str(json.dumps(said))
        answer = await self._answers_to(number)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    async def _answers_to(self, number: int) -> dict[str, Any]:
        return await self._answers[number]

    async def open(self, address: str) -> Page:
        """A new tab with this address."""
        target = await self.call("Target.createTarget", url="about:blank")
        attached = await self.call(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True
        )
        page = Page(self, attached["sessionId"])
        await page.call("Network.enable")
        await page.call("Page.enable")
        await page.call("Page.navigate", url=address)
        return page

    async def until_opened(self, is_it: Callable[[str], bool]) -> None:
        """Wait until a tab with such an address is there."""
        while True:
            targets = await self.call("Target.getTargets")
            if any(is_it(one["url"]) for one in targets["targetInfos"]):
                return
            await asyncio.sleep(_LOOK_SECONDS)


@asynccontextmanager
async def browse(folder: Path) -> AsyncIterator[Browser]:
    """A browser that keeps what it keeps in a folder."""
    assert CHROMIUM is not None
    running = await asyncio.create_subprocess_exec(
        CHROMIUM,
        *_OPTIONS,
        f"--user-data-dir={folder}",
        "about:blank",
        stderr=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    assert running.stderr is not None
    try:
        address = None
        while address is None:
            line = (await running.stderr.readline()).decode()
            assert line, "it has ended"
            address = re.search(r"ws://\S+", line)
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(address[0], max_msg_size=0) as socket,
        ):
            browser = Browser(socket)
            listening = asyncio.create_task(browser.listen())
            try:
                yield browser
            finally:
                listening.cancel()
    finally:
        # It is a script here and there, and always several processes.
        os.killpg(running.pid, signal.SIGKILL)
        await running.wait()
