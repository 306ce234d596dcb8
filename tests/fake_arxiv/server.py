"""The fake arXiv: each of its services on a port of its own, one log, faults on demand."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from urllib.parse import parse_qs, unquote, urlsplit

from tests.fake_arxiv import answers, query
from tests.fake_arxiv.answers import Announced, Answer
from tests.fake_arxiv.faults import CHANGES, TAKEOVERS
from tests.fake_arxiv.loopback import LoopbackHandler, LoopbackServer
from tests.fake_arxiv.records import Shelf, Work

SERVICES = ("api", "feed", "site", "oai", "datacite")
"""``site`` is arxiv.org: listings, catch-up pages and PDFs."""
ID = r"(?:[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7}|[0-9]{4}\.[0-9]{4,5})"
CATCHUP_DAYS = 90


@dataclass(frozen=True)
class Request:
    """One line of the log."""

    service: str
    path: str
    at: float
    """``time.monotonic()`` when it arrived, before the answer was made."""
    headers: Mapping[str, str]


@dataclass
class Calendar:
    """What arXiv announces on which day; without a script, five works a weekday."""

    today: date = date(2026, 11, 18)
    script: dict[tuple[date, str], Sequence[Announced]] = field(default_factory=dict)
    feed_days: dict[str, date] = field(default_factory=dict)
    """Category → the day whose batch its feed serves: a stale batch under today's date."""
    holidays: set[date] = field(default_factory=set)
    unreadable_days: set[date] = field(default_factory=set)
    """Days whose catch-up page is a 400, on whatever night it is asked for."""
    unknown_feeds: set[str] = field(default_factory=set)
    """Categories whose feed answers 400, as if arXiv had never heard of them."""

    def batch(self, day: date, category: str, shelf: Shelf) -> Sequence[Announced]:
        if (day, category) in self.script:
            return self.script[day, category]
        if self.script or day.weekday() >= 5 or day in self.holidays:
            return ()
        first = int.from_bytes(f"{category}{day}".encode()) % 9000 * 10 + 1
        found = [shelf.find(f"{day:%y%m}.{first + n:05}") for n in range(5)]
        *fresh, cross, old = [work for work in found if work]
        return (
            *(Announced(_listed_in(work, category, 0)) for work in fresh),
            Announced(_listed_in(cross, category, 1), "cross"),
            Announced(_listed_in(old, category, 0), "replace", old.version),
        )

    def latest(self, category: str, shelf: Shelf) -> date:
        """The last day up to today on which anything was announced, as /list/…/new shows."""
        for back in range(30):
            day = self.today - timedelta(days=back)
            if self.batch(day, category, shelf):
                return day
        return self.today


def _listed_in(work: Work, category: str, place: int) -> Work:
    """The work with this category, as its primary one (place 0) or as a further one."""
    others = [name for name in work.categories if name != category] or ["cs.DC"]
    return replace(work, categories=(*others[:place], category, *others[place:]))


class FakeArxiv:
    """A context manager: running servers on loopback, what they know and what they were asked.

    ``environment`` points a papertrack process at them; ``fail`` makes a service misbehave.
    """

    def __init__(self, shelf: Shelf | None = None, port: int = 0) -> None:
        self.shelf = shelf or Shelf()
        self.calendar = Calendar()
        self.log: list[Request] = []
        self.page_size = 3
        """Of OAI-PMH's ListRecords."""
        self.catchup_size = 2000
        """Entries on a catch-up page."""
        self.deposits: dict[str, dict[str, object]] = {}
        """DOI → what DataCite says of a work that is not arXiv's."""
        self._faults: dict[str, tuple[str, int]] = {}
        self._lock = threading.Lock()
        self._servers = {
            service: _Server(("127.0.0.1", port and port + number), self, service)
            for number, service in enumerate(SERVICES)
        }

    def __enter__(self) -> FakeArxiv:
        for server in self._servers.values():
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers.values():
            server.shutdown()
            server.server_close()

    def base(self, service: str) -> str:
        return f"http://127.0.0.1:{self._servers[service].server_address[1]}"

    def host(self, service: str) -> str:
        return self.base(service).removeprefix("http://")

    @property
    def urls(self) -> dict[str, str]:
        """The settings of ``[arxiv]`` that lead here, by their names."""
        return {
            "api_url": self.base("api") + "/api/query",
            "feed_url": self.base("feed") + "/atom",
            "listing_url": self.base("site") + "/list",
            "catchup_url": self.base("site") + "/catchup",
            "oai_url": self.base("oai") + "/oai",
            "datacite_url": self.base("datacite") + "/dois",
            "pdf_url": self.base("site") + "/pdf",
        }

    @property
    def environment(self) -> dict[str, str]:
        return {f"PAPERTRACK_ARXIV_{name.upper()}": url for name, url in self.urls.items()}

    def fail(self, service: str, fault: str, times: int = 10**9) -> None:
        """Let the next ``times`` requests to a service meet a fault of ``faults.FAULTS``."""
        if fault not in CHANGES and fault not in TAKEOVERS:
            raise KeyError(fault)
        self._faults[service] = (fault, times)

    def heal(self, service: str | None = None) -> None:
        for name in SERVICES if service is None else (service,):
            self._faults.pop(name, None)

    def asked(self, service: str | None = None) -> list[Request]:
        with self._lock:
            return [r for r in self.log if service in (None, r.service)]

    def next_fault(self, service: str) -> str | None:
        with self._lock:
            fault, times = self._faults.get(service, ("", 0))
            if times <= 0:
                return None
            self._faults[service] = (fault, times - 1)
            return fault

    def note(self, request: Request) -> None:
        with self._lock:
            self.log.append(request)


class _Server(LoopbackServer):
    def __init__(self, address: tuple[str, int], fake: FakeArxiv, service: str) -> None:
        super().__init__(address, _Handler)
        self.fake = fake
        self.service = service


class _Handler(LoopbackHandler):
    server: _Server

    def do_GET(self) -> None:
        fake, service = self.server.fake, self.server.service
        fake.note(Request(service, self.path, time.monotonic(), dict(self.headers.items())))
        answer = _route(fake, service, self.path)
        fault = fake.next_fault(service)
        if fault in TAKEOVERS:
            self.close_connection = True
            TAKEOVERS[fault](self, answer)
            return
        if fault:
            answer = CHANGES[fault](answer, self.path)
        headers = {"Content-Type": answer.content_type, **answer.headers}
        self.start(answer.status, headers, len(answer.body))
        self.wfile.write(answer.body)


def _route(fake: FakeArxiv, service: str, path: str) -> Answer:
    parts = urlsplit(path)
    for where, pattern, answer in ROUTES:
        match = re.fullmatch(pattern, unquote(parts.path))
        if where == service and match:
            return answer(fake, match, {k: v[0] for k, v in parse_qs(parts.query).items()})
    return Answer(404, "text/html", b"<h1>Not found</h1>")


def _api(fake: FakeArxiv, match: re.Match[str], args: dict[str, str]) -> Answer:
    start, size = int(args.get("start", "0")), int(args.get("max_results", "10"))
    if "id_list" in args:
        asked = args["id_list"].split(",")
        bad = next((one for one in asked if not re.fullmatch(rf"{ID}(v[1-9][0-9]*)?", one)), None)
        if bad:
            return answers.api_error(f"incorrect id format for {bad}")
        found = [pair for one in asked if (pair := _version(fake, one))]
    else:
        try:
            works = [w for w in fake.shelf.known.values() if query.matches(args["search_query"], w)]
        except query.BadQuery as error:
            return answers.api_error(f"malformed query {error}")
        works.sort(key=lambda work: work.versions[0], reverse=args.get("sortOrder") != "ascending")
        found = [(work, work.version) for work in works]
    return answers.api_feed(found[start : start + size], len(found), start, size)


def _version(fake: FakeArxiv, asked: str) -> tuple[Work, int] | None:
    arxiv_id, _, version = re.sub(r"v([0-9]+)$", r" \1", asked).partition(" ")
    work = fake.shelf.find(arxiv_id)
    if not work or int(version or 1) > work.version:
        return None
    return work, int(version or work.version)


def _feed(fake: FakeArxiv, match: re.Match[str], args: dict[str, str]) -> Answer:
    category, calendar = match[1], fake.calendar
    if category.startswith("xx") or "+" in category or category in calendar.unknown_feeds:
        return answers.feed_error(category)
    day = calendar.feed_days.get(category, calendar.today)
    return answers.daily_feed(category, calendar.today, calendar.batch(day, category, fake.shelf))


def _listing(fake: FakeArxiv, match: re.Match[str], args: dict[str, str]) -> Answer:
    day = fake.calendar.latest(match[1], fake.shelf)
    batch = fake.calendar.batch(day, match[1], fake.shelf)
    heading = (
        f"<h3>Showing new listings for {day:%A}, {day.day} {day:%B %Y}</h3>"
        f"<div class='paging'>Total of {len(batch)} entries</div>"
    )
    return answers.listing_page(heading, batch)


def _catchup(fake: FakeArxiv, match: re.Match[str], args: dict[str, str]) -> Answer:
    day = date.fromisoformat(match[2])
    is_shown = timedelta(0) <= fake.calendar.today - day <= timedelta(days=CATCHUP_DAYS)
    if not is_shown or day in fake.calendar.unreadable_days:
        return Answer(400, "text/html", b"<h1>Bad request</h1>")
    batch = fake.calendar.batch(day, match[1], fake.shelf)
    first = (int(args.get("page", "1")) - 1) * fake.catchup_size
    heading = (
        f"<h1>Catchup results for Something on {day:%a, %d %b %Y}</h1>"
        f"<div>Total of {len(batch)} entries</div>"
    )
    return answers.listing_page(heading, batch[first : first + fake.catchup_size], whole=batch)


def _pdf(fake: FakeArxiv, match: re.Match[str], args: dict[str, str]) -> Answer:
    if not _version(fake, match[1]):
        return Answer(404, "text/html", b"<h1>No such paper</h1>")
    return Answer(200, "application/pdf", b"%PDF-1.7\n" + match[1].encode() * 100 + b"\n%%EOF\n")


def _datacite(fake: FakeArxiv, match: re.Match[str], args: dict[str, str]) -> Answer:
    doi = match[1]
    if doi in fake.deposits:
        return answers.datacite_deposit(doi, fake.deposits[doi])
    arxiv_doi = re.fullmatch(rf"10\.48550/arxiv\.({ID})", doi)
    work = fake.shelf.find(arxiv_doi[1]) if arxiv_doi else None
    if not work:
        return Answer(404, "application/json", b'{"errors":[{"status":"404"}]}')
    return answers.datacite(work)


def _oai(fake: FakeArxiv, match: re.Match[str], args: dict[str, str]) -> Answer:
    if args.get("verb") == "GetRecord":
        work = fake.shelf.find(args["identifier"].removeprefix("oai:arXiv.org:"))
        if not work:
            return answers.oai_error("idDoesNotExist", "no such record")
        return answers.oai(f"<GetRecord>{answers.oai_record(work)}</GetRecord>")
    since, skip = args.get("from", ""), 0
    token = args.get("resumptionToken")
    # "again" is the token of a harvest that never ends.
    if token and token != "again":
        parsed = re.fullmatch(r"([0-9-]{10})\|([0-9]+)", token)
        if not parsed:
            return answers.oai_error("badResumptionToken", "expired")
        since, skip = parsed[1], int(parsed[2])
    works = [w for w in fake.shelf.known.values() if w.versions[-1][:10] >= since]
    works.sort(key=lambda work: (work.versions[-1], work.arxiv_id))
    if not works:
        return answers.oai_error("noRecordsMatch", today=fake.calendar.today)
    page = "".join(answers.oai_record(work) for work in works[skip : skip + fake.page_size])
    more = skip + fake.page_size < len(works)
    token = f"<resumptionToken>{since}|{skip + fake.page_size}</resumptionToken>" if more else ""
    return answers.oai(f"<ListRecords>{page}{token}</ListRecords>", fake.calendar.today)


Route = Callable[[FakeArxiv, "re.Match[str]", dict[str, str]], Answer]
ROUTES: tuple[tuple[str, str, Route], ...] = (
    ("api", r"/api/query", _api),
    ("feed", r"/(?:atom|rss)/([A-Za-z.+-]+)", _feed),
    ("site", r"/list/([A-Za-z.-]+)/new", _listing),
    ("site", r"/catchup/([A-Za-z.-]+)/([0-9]{4}-[0-9]{2}-[0-9]{2})", _catchup),
    ("site", rf"/pdf/({ID}(?:v[0-9]+)?)", _pdf),
    ("oai", r"/oai", _oai),
    ("datacite", r"/dois/(10\..+)", _datacite),
)
