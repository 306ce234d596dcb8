"""A site in a real browser: it finds what ``papertrack list`` finds, and asks nobody else.

It needs Chromium, and is skipped where none is installed.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="needs textual-serve")

from tests.cli.commands import ROOT, Command
from tests.cli.site_queries import Queries, found_by, load_whole, serve
from tests.npm import install
from tests.tui.browser import CHROMIUM, Page, browse

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
_PATIENCE_SECONDS = 120
_QUERIES = 200
_ODD = r"""
@article{grosse2019,
  title    = {Große Straße und Übergröße: {\O}rsted's $\alpha$-law},
  author   = {Müller-Groß, Jörg and Σωκράτης, Άννα},
  journal  = {Annalen der Physik},
  year     = {2019},
  doi      = {10.1000/ABC},
  abstract = {A state-of-the-art method, don't ask.},
  keywords = {über, α-β}
}
@misc{nihon2024,
  title         = {深層学習による音声認識の研究},
  author        = {山田, 太郎},
  year          = {2024},
  eprint        = {2401.09670},
  archivePrefix = {arXiv}
}
@misc{quote2020,
  title = {The "Quoted" (and bracketed) C++/C\# Guide -- Part II},
  year  = {2020},
  url   = {https://example.org/Guide/}
}
"""
Use = Callable[[Page, str], Awaitable[Any]]


@pytest.fixture
def site(papertrack: Command, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # The browser has its own clock, and ages are counted from today.
    monkeypatch.delenv("PAPERTRACK_NOW")
    papertrack("init")
    # Without the notes, whose words the library finds and a site does not publish.
    shutil.copy(ROOT / "data" / "sample" / "README.md", home)
    papertrack("import", "README.md")
    Path("odd.bib").write_text(_ODD, encoding="utf-8")
    papertrack("import", "odd.bib")
    papertrack("edit", "nihon2024", "categories=Sprache & Ton/音声; A\\/B", "tags=über; α-β")
    papertrack("edit", "quote2020", "citekey=guide2020")
    assert papertrack("export", "--site", tmp_path / "site").code == 0
    return tmp_path / "site"


def using(site: Path, profile: Path, use: Use, *, width: int = 1280) -> Any:
    """What comes of using the first page of a site in a browser, published below ``/site/``."""

    async def run() -> Any:
        server = serve(site.parent)
        address = f"http://127.0.0.1:{server.server_port}/{site.name}/"
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS), browse(profile) as browser:
                page = await browser.open("about:blank")
                for area in ("Runtime", "Log"):
                    await page.call(f"{area}.enable")
                await page.call(
                    "Emulation.setDeviceMetricsOverride",
                    width=width,
                    height=800,
                    deviceScaleFactor=1,
                    mobile=width < 500,
                )
                await page.call("Page.navigate", url=address)
                await page.until("document.readyState === 'complete' && !!document.title")
                result = await use(page, address)
                asked = [
                    event["request"]["url"] for event in page.told("Network.requestWillBeSent")
                ]
                assert all(url.startswith((address, "data:", "about:")) for url in asked), asked
                assert not page.told("Runtime.exceptionThrown")
                assert not [
                    event
                    for event in page.told("Log.entryAdded")
                    if event["entry"]["level"] == "error"
                ]
                return result
        finally:
            server.shutdown()
            server.server_close()

    return asyncio.run(run())


async def typed(page: Page, text: str) -> None:
    """Type into the search, and wait for its answer."""
    await page.evaluate(
        f"""(() => {{
            const box = document.getElementById("query");
            document.getElementById("status").textContent = "";
            box.value = {json.dumps(text)};
            box.dispatchEvent(new Event("input"));
        }})()"""
    )
    await page.until("document.getElementById('status').textContent !== ''")


def test_a_search_finds_what_the_library_finds(
    papertrack: Command, site: Path, tmp_path: Path
) -> None:
    papers = json.loads((site / "library.json").read_text("utf-8"))
    queries = [
        *("strasse", "STRASSE*", "orsted", "σωκρατης", "音声", '"音声認識"', "深*", "don't", "c++"),
        *("category:音声", 'category:"A\\\\/B"', "tag:uber", "tag:α*", "doi:10.1000/abc"),
        *("key:quote2020", "guide2020", "https://example.org/Guide", "-title:(large OR fast)"),
        *islice(Queries(papers, 20261128), _QUERIES),
    ]

    async def answers(page: Page, address: str) -> list[list[str] | str]:
        await load_whole(page)
        return [(await found_by(page, query))[1] for query in queries]

    for query, found in zip(queries, using(site, tmp_path / "profile", answers), strict=True):
        ran = papertrack("list", "--json", f"is:saved ({query})")
        assert ran.code == 0, (query, ran.err)
        assert sorted(found) == sorted(one["citekey"] for one in json.loads(ran.out)), query


def test_searches_stand_in_the_address_and_the_back_button_works(
    site: Path, tmp_path: Path
) -> None:
    async def use(page: Page, address: str) -> None:
        assert await page.evaluate("document.querySelectorAll('#list .paper').length") == 35
        await typed(page, "attention")
        assert await page.evaluate("location.search") == "?q=attention"
        shown = await page.evaluate("document.querySelectorAll('#results .paper').length")
        assert 0 < shown < 35
        await page.evaluate("document.querySelector('#charts a[href*=pass]').click()")
        await page.until("location.search.includes('pass')")
        await page.evaluate("history.back()")
        await page.until("document.getElementById('query').value === 'attention'")
        await page.evaluate("history.back()")
        await page.until("document.getElementById('found').hidden")
        await page.call("Page.navigate", url=f"{address}?q=nothing-is-called-so")
        await page.until("document.getElementById('status')?.textContent.startsWith('0 of')")

    using(site, tmp_path / "profile", use)


def test_keys_reach_the_search_and_a_result(site: Path, tmp_path: Path) -> None:
    async def use(page: Page, address: str) -> None:
        await page.press("/")
        assert await page.evaluate("document.activeElement.id") == "query"
        for letter in "zero":
            await page.call("Input.dispatchKeyEvent", type="keyDown", text=letter)
        await page.until("document.querySelectorAll('#results .paper').length === 1")
        for _ in range(40):
            await page.call(
                "Input.dispatchKeyEvent",
                type="rawKeyDown",
                key="Tab",
                code="Tab",
                windowsVirtualKeyCode=9,
            )
            if await page.evaluate("!!document.activeElement.closest('#results')"):
                break
        await page.press("Enter")
        await page.until(
            "location.pathname.startsWith('/site/papers/') && !!document.querySelector('h1')"
        )
        assert "ZeRO" in await page.evaluate("document.querySelector('h1').textContent")

    using(site, tmp_path / "profile", use)


def test_a_query_that_cannot_be_read_or_answered_is_explained(site: Path, tmp_path: Path) -> None:
    async def use(page: Page, address: str) -> None:
        for query, words in (
            ("(moe", "not closed"),
            ("note:x", "does not publish"),
            ("is:queued", "does not publish"),
            ("colour:red", "no field"),
            ("constructor:red", "no field"),
            ("year:soon", "not a number"),
            ("added:2024-13", "not a date"),
        ):
            await typed(page, query)
            assert words in await page.evaluate("document.getElementById('status').textContent")

    using(site, tmp_path / "profile", use)


def test_nothing_is_wider_than_a_phone(site: Path, tmp_path: Path) -> None:
    async def use(page: Page, address: str) -> None:
        for path in ("index.html", "index.html?q=attention", "papers/grosse2019.html"):
            await page.call("Page.navigate", url=f"{address}{path}")
            await page.until("document.readyState === 'complete' && !!document.querySelector('h1')")
            assert await page.evaluate("document.documentElement.scrollWidth <= 360"), path

    using(site, tmp_path / "profile", use, width=360)


def test_axe_finds_nothing_serious(site: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    axe = (install(tools, "axe-core@4") / "axe-core/axe.min.js").read_text("utf-8")

    async def use(page: Page, address: str) -> None:
        await page.call("Page.setBypassCSP", enabled=True)
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            await page.call("Emulation.setEmulatedMedia", features=features)
            for path in ("index.html", "index.html?q=attention", "papers/grosse2019.html"):
                await page.call("Page.navigate", url=f"{address}{path}")
                await page.until(
                    "document.readyState === 'complete' && !!document.querySelector('h1')"
                )
                await page.evaluate(f"{axe}; 1")
                found = await page.evaluate(
                    "axe.run().then((r) => r.violations.map((v) => [v.id, v.impact]))"
                )
                assert not [one for one in found if one[1] in ("serious", "critical")], found

    using(site, tmp_path / "profile", use)
