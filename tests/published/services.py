"""The services that know publications, on loopback: each in its own form, and in any weather."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.fake_arxiv.loopback import LoopbackHandler, LoopbackServer

SERVICES = ("crossref", "semantic_scholar", "openalex", "dblp", "openreview", "acl")


@dataclass
class Publication:
    """A published work, and what services know of it."""

    title: str
    authors: tuple[str, ...]
    venue: str
    year: int
    doi: str | None = None
    arxiv_id: str | None = None
    kind: str = "journal-article"
    known_to: frozenset[str] = frozenset({"crossref", "semantic_scholar", "openalex"})
    dblp: str | None = None
    acl: str | None = None
    abstract: str | None = None
    preprints_abstract: str | None = None
    """What those who link arXiv ids have from arXiv, where the publisher tells none."""
    volume: str | None = "12"
    pages: str | None = "345-367"
    cites: list[Publication] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    """More of what Crossref says."""


class Services:
    """A context manager: running servers, what they know, and what they were asked."""

    def __init__(self, works: Iterable[Publication] = ()) -> None:
        self.works = list(works)
        self.log: list[tuple[str, str, Any]] = []
        """Service, path and posted JSON of each request."""
        self.weather: dict[str, str] = {}
        self.delay = 1.0
        """Seconds before a slow service answers."""
        self._lock = threading.Lock()
        self._index: dict[tuple[str, str], list[Publication]] = {}
        self._indexed = -1
        self._servers = {name: _Server(("127.0.0.1", 0), self, name) for name in SERVICES}

    def __enter__(self) -> Services:
        for server in self._servers.values():
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers.values():
            server.shutdown()
            server.server_close()

    @property
    def urls(self) -> dict[str, str]:
        """The settings of ``[sources]`` that lead here."""
        return {
            f"{name}_url": f"http://127.0.0.1:{server.server_address[1]}"
            for name, server in self._servers.items()
        }

    @property
    def environment(self) -> dict[str, str]:
        return {f"PAPERTRACK_SOURCES_{name.upper()}": url for name, url in self.urls.items()}

    def asked(self, service: str) -> list[tuple[str, Any]]:
        with self._lock:
            return [(path, posted) for name, path, posted in self.log if name == service]

    def note(self, service: str, path: str, posted: Any) -> None:
        with self._lock:
            self.log.append((service, path, posted))

    def find(self, service: str, scheme: str, value: str) -> Publication | None:
        """The work that a service knows by an identifier: services may have records of their own
        of it."""
        if self._indexed != len(self.works):
            self._index = {}
            for work in self.works:
                for name, known in (("doi", work.doi), ("arxiv", work.arxiv_id), ("acl", work.acl)):
                    if known:
                        self._index.setdefault((name, known.lower()), []).append(work)
            self._indexed = len(self.works)
        works = self._index.get((scheme, value.lower()), ())
        return next((work for work in works if service in work.known_to), None)

    def like(self, service: str, text: str) -> list[Publication]:
        """The works with words of a text in their titles, the nearest first."""
        words = _words(text)
        scored = [
            (len(words & _words(work.title)), work)
            for work in self.works
            if service in work.known_to
        ]
        ordered = sorted(scored, key=lambda pair: -pair[0])
        return [work for score, work in ordered[:8] if score >= 2]


@lru_cache(maxsize=10_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def crossref(work: Publication) -> dict[str, Any]:
    split = [name.rpartition(" ") for name in work.authors]
    return {
        "DOI": work.doi,
        "type": work.kind,
        "title": [work.title],
        "author": [{"given": given, "family": family} for given, _, family in split],
        "container-title": [work.venue],
        "issued": {"date-parts": [[work.year, 3]]},
        "volume": work.volume,
        "page": work.pages,
        "publisher": "Some Press",
        **({"abstract": f"<jats:p>{work.abstract}</jats:p>"} if work.abstract else {}),
        **work.extra,
    }


def semantic_scholar(work: Publication) -> dict[str, Any]:
    ids = {"ArXiv": work.arxiv_id, "DOI": work.doi, "DBLP": work.dblp, "ACL": work.acl}
    return {
        "paperId": "0" * 40,
        "externalIds": {name: value for name, value in ids.items() if value} | {"CorpusId": 1},
        "title": work.title,
        "authors": [{"authorId": "1", "name": name} for name in work.authors],
        "year": work.year,
        "venue": work.venue,
        "publicationVenue": {"name": work.venue, "type": "journal"},
        "journal": {"name": work.venue, "volume": work.volume, "pages": work.pages},
        "abstract": work.preprints_abstract or work.abstract,
    }


def _inverted(text: str) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for at, word in enumerate(text.split()):
        places.setdefault(word, []).append(at)
    return places


def openalex(work: Publication) -> dict[str, Any]:
    places = [
        {
            "landing_page_url": f"https://doi.org/{work.doi}",
            "source": {"display_name": work.venue, "type": "journal"},
        }
    ]
    if work.arxiv_id:
        places.append(
            {
                "landing_page_url": f"http://arxiv.org/abs/{work.arxiv_id}",
                "source": {"display_name": "arXiv (Cornell University)", "type": "repository"},
            }
        )
    return {
        "id": "https://openalex.org/W1",
        "doi": f"https://doi.org/{work.doi}",
        "title": work.title,
        "publication_year": work.year,
        "type": "article",
        "primary_location": places[0],
        "locations": places,
        "authorships": [{"author": {"display_name": name}} for name in work.authors],
        "abstract_inverted_index": _inverted(work.preprints_abstract or work.abstract or ""),
        "biblio": {"volume": work.volume, "issue": None, "first_page": "1", "last_page": "9"},
    }


Answer = tuple[int, str, bytes]


def _json(value: object, status: int = 200) -> Answer:
    return status, "application/json", json.dumps(value).encode()


def _crossref(fake: Services, path: str, words: dict[str, str], posted: Any) -> Answer:
    if path.startswith("/works/"):
        work = fake.find("crossref", "doi", path.removeprefix("/works/"))
        if work is None:
            return 404, "text/plain", b"Resource not found."
        return _json({"status": "ok", "message-type": "work", "message": crossref(work)})
    if "filter" in words:
        dois = [one.removeprefix("doi:") for one in words["filter"].split(",")]
        found = list(filter(None, (fake.find("crossref", "doi", doi) for doi in dois)))
    else:
        found = fake.like("crossref", words["query.bibliographic"])
    message = {"total-results": len(found), "items": [crossref(one) for one in found]}
    return _json({"status": "ok", "message-type": "work-list", "message": message})


def _semantic_scholar(fake: Services, path: str, words: dict[str, str], posted: Any) -> Answer:
    told: list[object] = []
    for one in posted["ids"]:
        scheme, _, value = one.partition(":")
        work = fake.find("semantic_scholar", scheme.lower(), value)
        told.append(semantic_scholar(work) if work else None)
        if work and "references" in fake.log[-1][1]:
            told[-1] = {"paperId": "1", "references": [semantic_scholar(o) for o in work.cites]}
    if not any(told):
        return _json({"error": "No valid paper ids given"}, 400)
    return _json(told)


def _openalex(fake: Services, path: str, words: dict[str, str], posted: Any) -> Answer:
    if "filter" in words:
        found = [_by_doi(fake, doi) for doi in words["filter"].removeprefix("doi:").split("|")]
        return _json({"results": [openalex(one) for one in found if one]})
    work = _by_doi(fake, path.removeprefix("/works/doi:"))
    return _json(openalex(work)) if work else (404, "text/html", b"<h1>Not Found</h1>")


def _by_doi(fake: Services, doi: str) -> Publication | None:
    arxiv_id = re.sub(r"^10\.48550/arxiv\.", "", doi.lower())
    scheme, value = ("doi", doi) if arxiv_id == doi.lower() else ("arxiv", arxiv_id)
    return fake.find("openalex", scheme, value)


def _dblp(fake: Services, path: str, words: dict[str, str], posted: Any) -> Answer:
    hits = []
    for work in fake.like("dblp", words["q"]):
        names = [{"@pid": "1", "text": name} for name in work.authors]
        info = {
            "authors": {"author": names[0] if len(names) == 1 else names},
            "title": f"{work.title}.",
            "venue": work.venue,
            "year": str(work.year),
            "type": "Conference and Workshop Papers",
            "key": work.dblp or "conf/x/Y",
            **({"doi": work.doi} if work.doi else {}),
        }
        hits.append({"@score": "5", "info": info})
    return _json({"result": {"hits": {"@total": str(len(hits)), "hit": hits}}})


def _openreview(fake: Services, path: str, words: dict[str, str], posted: Any) -> Answer:
    notes = [
        {
            "id": "x1",
            "forum": "x1",
            "content": {
                "title": {"value": work.title},
                "authors": {"value": list(work.authors)},
                "venue": {"value": f"{work.venue} {work.year} poster"},
                "venueid": {"value": f"{work.venue}.cc/{work.year}/Conference"},
                **work.extra,
            },
        }
        for work in fake.like("openreview", words["term"])
    ]
    return _json({"notes": notes, "count": len(notes)})


def _acl(fake: Services, path: str, words: dict[str, str], posted: Any) -> Answer:
    work = fake.find("acl", "acl", path.removeprefix("/").removesuffix(".xml"))
    if work is None:
        return 404, "text/html", b"<h1>404</h1>"
    names = "".join(
        f'<name type="personal"><namePart type="given">{given}</namePart>'
        f'<namePart type="family">{family}</namePart></name>'
        for given, _, family in (name.rpartition(" ") for name in work.authors)
    )
    body = (
        '<?xml version="1.0" encoding="UTF-8"?><modsCollection xmlns="http://www.loc.gov/mods/v3">'
        f"<mods><titleInfo><title>{work.title}</title></titleInfo>{names}"
        f'<relatedItem type="host"><titleInfo><title>{work.venue}</title></titleInfo>'
        f"<originInfo><dateIssued>{work.year}-07</dateIssued></originInfo></relatedItem>"
        "<part><extent unit='pages'><start>1</start><end>9</end></extent></part>"
        "</mods></modsCollection>"
    )
    return 200, "application/xml", body.encode()


_ROUTES: dict[str, Callable[[Services, str, dict[str, str], Any], Answer]] = {
    "crossref": _crossref,
    "semantic_scholar": _semantic_scholar,
    "openalex": _openalex,
    "dblp": _dblp,
    "openreview": _openreview,
    "acl": _acl,
}
BOT_CHECK = b"<!doctype html><html><title>Making sure you're not a bot!</title></html>"
WEATHER: dict[str, Callable[[Answer], Answer]] = {
    "429": lambda answer: (429, "application/json", b'{"message": "Too Many Requests"}'),
    "403": lambda answer: (403, "application/json", b'{"message": "Forbidden"}'),
    "500": lambda answer: (500, "text/html", b"<h1>Oops</h1>"),
    "bot-check": lambda answer: (200, "text/html", BOT_CHECK),
    "not-json": lambda answer: (200, "application/json", b"{'oops'"),
    "another": lambda answer: _json({"hello": ["world"]}),
    "empty": lambda answer: (200, "application/json", b""),
    "cut": lambda answer: answer,
    "slow": lambda answer: answer,
}


class _Server(LoopbackServer):
    def __init__(self, address: tuple[str, int], fake: Services, service: str) -> None:
        super().__init__(address, _Handler)
        self.fake = fake
        self.service = service


class _Handler(LoopbackHandler):
    server: _Server

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, posted: Any) -> None:
        fake, service = self.server.fake, self.server.service
        fake.note(service, self.path, posted)
        parts = urlsplit(self.path)
        words = {name: values[0] for name, values in parse_qs(parts.query).items()}
        weather = fake.weather.get(service, "")
        answer = _ROUTES[service](fake, unquote(parts.path), words, posted)
        status, kind, body = WEATHER[weather](answer) if weather else answer
        if weather == "slow":
            time.sleep(fake.delay)
        self.start(status, {"Content-Type": kind}, len(body))
        if weather == "cut":
            body = body[: len(body) // 2]
            self.close_connection = True
        self.wfile.write(body)
