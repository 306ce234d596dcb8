"""Random queries about a published library, and what a browser and the library answer to them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.tui.browser import Page

FIELDS = (
    *("bare", "bare", "title", "author", "abstract", "category", "tag", "year", "pass", "added"),
    *("kind", "is", "has", "venue", "citekey", "arxiv", "doi", "id", "url", "arxiv_category"),
    *("submitted", "comment"),
)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


def serve(folder: Path) -> ThreadingHTTPServer:
    """A server of a folder, on a port of its own; whoever starts it shuts it down."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    return server


class Queries:
    """Queries with words, names, keys and dates of the papers in a ``library.json``."""

    def __init__(self, papers: Sequence[Mapping[str, Any]], seed: int) -> None:
        self._papers = papers
        self._dice = random.Random(seed)

    def __iter__(self) -> Iterator[str]:
        while True:
            yield self._query(0)

    def _query(self, depth: int) -> str:
        chance = self._dice.random()
        if depth > 2 or chance < 0.4:
            return self._term()
        if chance < 0.6:
            return f"{self._query(depth + 1)} {self._query(depth + 1)}"
        if chance < 0.75:
            return f"({self._query(depth + 1)} OR {self._query(depth + 1)})"
        if chance < 0.92:
            return f"{self._dice.choice(('NOT ', '-'))}{self._term()}"
        title = self._dice.choice(self._papers)["title"] or "x"
        return f"title:({self._word(title)} OR {self._word(title)})"

    def _term(self) -> str:
        paper = self._dice.choice(self._papers)
        field = self._dice.choice(FIELDS)
        made = {
            "year": self._number,
            "added": self._date,
            "submitted": self._date,
        }.get(field)
        if made is not None:
            return f"{field}:{made()}"
        fixed = {
            "pass": ("0", ">1", "<2", "1-2", "3", "2-"),
            "kind": ("paper", "post", "project", "resource"),
            "is": ("read", "unread", "done", "withdrawn", "post"),
            "has": ("code", "tags", "category", "doi", "arxiv", "abstract", "venue", "author"),
            "url": ("github", "arxiv.org", "HTTPS://"),
            "arxiv_category": ("cs.LG", "cs.*", "CS.cv", "math*"),
        }.get(field)
        if fixed is not None:
            return f"{field}:{self._dice.choice(fixed)}"
        if field == "id":
            return self._id_of(paper)
        texts = {
            "bare": [paper["title"], paper["abstract"], " ".join(paper["authors"])],
            "title": [paper["title"]],
            "author": paper["authors"],
            "abstract": [paper["abstract"], paper["description"]],
            "comment": [paper["comment"]],
            "venue": [paper["venue"]],
            "category": paper["categories"],
            "tag": paper["tags"],
            "citekey": [paper["citekey"], *paper["citekey_aliases"]],
            "arxiv": [paper["arxiv_id"]],
            "doi": [paper["doi"]],
        }[field]
        text = self._dice.choice([text for text in texts if text] or ["model"])
        is_name = field in ("category", "tag", "citekey", "arxiv", "doi")
        value = self._name(text) if is_name else self._words(text)
        return value if field == "bare" else f"{field}:{value}"

    def _words(self, text: str) -> str:
        chance = self._dice.random()
        if chance < 0.4:
            return self._word(text)
        if chance < 0.7:
            words = text.split()
            count = self._dice.choice((1, 2, 2, 3))
            start = self._dice.randrange(max(1, len(words) - count + 1))
            return _quoted(" ".join(words[start : start + count]))
        word = self._word(text)
        return f"{word[: max(2, len(word) // 2)]}*"

    def _name(self, text: str) -> str:
        if self._dice.random() < 0.25 and not set(text[:3]) & set(' ()"*-'):
            return f"{text[:3]}*"
        return _quoted(self._dice.choice((text, text.upper(), text.rpartition("/")[2] or text)))

    def _word(self, text: str) -> str:
        word = "".join(sign for sign in self._dice.choice(text.split()) if sign not in '()":*')
        return word if word.strip("-") and word not in ("AND", "OR", "NOT") else "model"

    def _number(self) -> str:
        year = self._dice.randrange(2016, 2027)
        forms = (f"{year}", f"<{year}", f"{year}-", f"{year - 2}-{year}", f">={year}", f"-{year}")
        return self._dice.choice(forms)

    def _date(self) -> str:
        year = self._dice.randrange(2016, 2027)
        forms = (
            *(f"{year}", f"<{year}-06", f">={year}-03-04", f"{year - 1}..{year}-05", f"{year}-"),
            *(f"<{self._dice.randrange(1, 900)}d", f">{self._dice.randrange(1, 60)}m", "2y", "9w"),
        )
        return self._dice.choice(forms)

    def _id_of(self, paper: Mapping[str, Any]) -> str:
        arxiv, doi = paper["arxiv_id"] or "2401.00001", paper["doi"] or "10.1145/1"
        return self._dice.choice(
            (
                f"id:{arxiv}",
                f"arxiv:{arxiv}v2",
                f"https://arxiv.org/abs/{arxiv}",
                f"id:{doi}",
                arxiv,
            )
        )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped or "x"}"'


async def load_whole(page: Page) -> None:
    """Let a page of a site load what its search reads."""
    await page.evaluate(
        """(async () => {
            const read = async (name) => (await fetch(name)).json();
            window.whole = new Library(await read("search.json"));
            window.whole.addDetails(await read("library.json"));
        })()"""
    )


async def found_by(page: Page, query: str) -> tuple[float, list[str] | str]:
    """How many milliseconds a search took, and the keys that it found, or why it found none."""
    milliseconds, found = await page.evaluate(
        f"""(() => {{
            const start = performance.now();
            try {{
                const rows = whole.find(parse({json.dumps(query)}, whole.fields));
                return [performance.now() - start, rows.map((row) => whole.key[row])];
            }} catch (error) {{ return [0, String(error)]; }}
        }})()"""
    )
    return milliseconds, found
