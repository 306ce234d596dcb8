"""Lists written by grammars made at random: markers, numbers, tags, the order of the parts, what is
around and between them, how links are written. The works are those of the golden lists."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any, NamedTuple

from tests.documents.samples import FIXTURES

_VENUES = ("CVPR 2024", "ICLR 2025", "NeurIPS'23", "ACL 2024", "Preprint", "AAAI 2025", "SOSP 2023")
_TAGS = ("Survey", "Benchmark", "Method", "Theory", "Dataset")
_AROUND = ("{}", "{}", "**{}**", "*{}*", '"{}"', "“{}”", "<b>{}</b>", "<i>{}</i>")
_ORDERS = ("tav", "tva", "atv", "vta", "tv", "at")


class Work(NamedTuple):
    """A work to list."""

    title: str
    arxiv: str
    authors: tuple[str, ...]


@cache
def works() -> tuple[Work, ...]:
    """The works of the golden lists that have an arXiv id and authors, each once."""
    found: dict[str, Work] = {}
    for path in sorted((FIXTURES / "golden").glob("*.json")):
        entries: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
        for entry in entries:
            ids = [one.split(":")[1] for one in entry.get("ids", ()) if one.startswith("arxiv:")]
            if ids and entry.get("authors"):
                found[ids[0]] = Work(entry["title"], ids[0], tuple(entry["authors"]))
    return tuple(found.values())


class _First(random.Random):
    """Chance that always takes the first."""

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def randint(self, a: int, b: int) -> int:
        return 4

    def random(self) -> float:
        return 0.0


class ListGrammar:
    """How one list writes its entries."""

    def __init__(self, seed: int) -> None:
        self.random = pick = random.Random(seed)
        choose = pick.choice
        self.marker = choose(["- ", "* ", "+ ", "1. ", "- [ ] ", "- [x] "])
        self.number = choose(["", "", "", "[{}] ", "**[{}]** ", "({}) ", "#{} "])
        self.tag = choose(["", "", "", "[{}] ", "`{}` ", "【{}】", "({}) ", "🔥 ", "🔥🔥[{}] "])
        self.date = choose(["", "", "[{}] ", "({}) ", "`{}` ", "{}: ", "**{}** "])
        self.linked = choose(["title", "paper", "paper", "badge", "venue", "arxiv"])
        self.label = choose(["paper", "PDF", "📄 Paper", "arXiv", "Link", "论文"])
        self.link = choose(["[[{}]]({})", "[{}]({})", "[[{}]({})]", "([{}]({}))"])
        self.order = choose(_ORDERS)
        self.title = choose(_AROUND)
        self.authors = choose([a for a in ("{}", "*{}*", "_{}_", "({})") if a != self.title])
        self.venue = choose(["{}", "({})", "*{}*", "[{}]", "`{}`"])
        self.between = choose([". ", ". ", ", ", " - ", " | ", "<br>", "  \n  "])
        if self.title == "{}" and self.linked != "title" and self.between == ", ":
            self.between = ". "  # Commas alone would not tell a title from names.

    def text(self, listed: list[Work]) -> str:
        """Return a README that lists these works."""
        items = (self.item(number, work) for number, work in enumerate(listed, start=1))
        return "# Papers\n\n## One\n\n" + "\n".join(items) + "\n"

    def item(self, number: int, work: Work) -> str:
        """Return the item of a work."""
        url = f"https://arxiv.org/abs/{work.arxiv}"
        venue = self.random.choice(_VENUES)
        parts = {
            "t": self.title.format(
                f"[{work.title}]({url})" if self.linked == "title" else work.title
            ),
            "a": self.authors.format(", ".join(work.authors[:4])),
            "v": f"[{venue}]({url})" if self.linked == "venue" else self.venue.format(venue),
        }
        order = self.order if self.linked != "venue" or "v" in self.order else self.order + "v"
        said = self.between.join(parts[part] for part in order)
        return f"{self.marker}{self.lead(number)}{said} {self.links(work.arxiv, url)}".rstrip()

    def first_item(self, number: int, work: Work) -> str:
        """Return the item of a work with the first of all venues and tags, of April, with code."""
        kept, self.random = self.random, _First()
        shown = self.item(number, work)
        self.random = kept
        return shown

    def lead(self, number: int) -> str:
        """Return what stands before the first part."""
        day = f"2025.{self.random.randint(1, 12):02}"
        tag = self.tag.format(self.random.choice(_TAGS)) if self.random.random() < 0.8 else ""
        return self.number.format(number) + self.date.format(day) + tag

    def links(self, arxiv: str, url: str) -> str:
        """Return the links behind the parts."""
        badge = f"[![arXiv](https://img.shields.io/badge/arXiv-{arxiv}-b31b1b)]({url})"
        own = {"paper": self.link.format(self.label, url), "badge": badge}
        own["arxiv"] = f"[arXiv:{arxiv}]({url})"
        code = self.link.format("code", f"https://github.com/a/{arxiv}")
        return " ".join([own.get(self.linked, ""), code if self.random.random() < 0.4 else ""])
