"""What an address leads to is checked once, and that is asked (security.md, row 3.2)."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest
import requests

from papertrack.sources.answers import number
from papertrack.sources.arxiv_daily import parse_announcements
from papertrack.sources.endpoints import is_own, is_public
from papertrack.sources.exchange import PinnedAdapter, new_session
from papertrack.sources.failures import BadAnswer
from papertrack.sources.feeds import parse_feed_page
from papertrack.sources.links import Looker
from papertrack.sources.published.linking import parse_work
from papertrack.store.store import Store
from tests.enrich.conftest import *  # noqa: F403 - the fixtures of enriching
from tests.fake_arxiv import FakeArxiv
from tests.fake_arxiv.records import synthesise
from tests.timing import assert_seconds

SPECIAL = """
0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
172.31.255.255 192.0.0.1 192.0.0.8 192.0.0.170 192.0.0.255 192.0.2.1 192.88.99.1 192.168.0.1
198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1
255.255.255.255
:: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:224.0.0.1 ::ffff:0:127.0.0.1
64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::1 100::1
2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:db8::1 2002:7f00:1::1
2002:a00:1:: 2002:a9fe:a9fe:: 2002:e000:1:: 3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fec0::1
ff02::1 ff0e::1 4000::1
""".split()
PUBLIC = """
1.1.1.1 8.8.8.8 151.101.3.42 192.0.78.9 2606:4700::1111 2a04:4e42::644 2001:4860:4860::8888
::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1
""".split()


@pytest.mark.parametrize("address", SPECIAL)
def test_no_special_address_is_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_in_any_spelling(address: str) -> None:
    assert is_public(ip_address(address))
    assert not is_own(ip_address(address))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_what_is_this_machine(address: str) -> None:
    assert is_own(ip_address(address))


class Site:
    """A web server on this machine, and the hosts under which it was asked."""

    def __init__(self, wrap: Callable[[socket.socket], socket.socket] | None = None) -> None:
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                site.asked.append(self.headers["Host"])
                self.send_response(200)
                self.end_headers()

            do_GET = do_HEAD

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if wrap is not None:
            self.server.socket = wrap(self.server.socket)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


def looker(tmp_path: Path, **how: object) -> Looker:
    options = {"contact": None, "version": "1", "is_rehearsal": True, **how}
    return Looker(tmp_path, **options)  # type: ignore[arg-type]


def test_a_name_is_looked_up_once(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads elsewhere the second time: all that is asked is what was checked."""
    looked_up: list[str] = []

    def resolve(name: str) -> list[str]:
        looked_up.append(name)
        return ["127.0.0.1"]

    def again(name: str, *_: object, **__: object) -> object:
        if name == "rebinding.example":
            looked_up.append(name)
            raise socket.gaierror(socket.EAI_NONAME, "the second answer")
        return real(name, *_, **__)  # type: ignore[arg-type]

    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", again)
    one = looker(tmp_path, resolve=resolve)
    assert one.look(f"http://rebinding.example:{site.port}/").state == "there"
    assert looked_up == ["rebinding.example"]
    assert site.asked == [f"rebinding.example:{site.port}"]


@pytest.mark.parametrize(
    "place", ["127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"]
)
def test_a_name_that_leads_here_is_not_asked(site: Site, tmp_path: Path, place: str) -> None:
    one = looker(tmp_path, is_rehearsal=False, resolve=lambda _: ["93.184.216.34", place])
    assert one.look(f"http://inside.example:{site.port}/").why == "is not a public address"
    assert site.asked == []


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::ffff:7f00:1]"])
def test_no_spelling_of_this_machine_is_asked(site: Site, tmp_path: Path, host: str) -> None:
    def resolve(name: str) -> list[str]:
        """As getaddrinfo reads numbers."""
        return [name if ":" in name else socket.inet_ntoa(socket.inet_aton(name))]

    one = looker(tmp_path, is_rehearsal=False, resolve=resolve)
    assert one.look(f"http://{host}:{site.port}/").why == "is not a public address"
    assert site.asked == []


def test_a_host_with_other_letters_is_asked_by_its_encoded_name(site: Site, tmp_path: Path) -> None:
    one = looker(tmp_path, resolve=lambda _: ["127.0.0.1"])
    assert one.look(f"http://münchen.example:{site.port}/").state == "there"
    assert site.asked == [f"xn--mnchen-3ya.example:{site.port}"]


def test_where_one_address_leads_nowhere_the_next_is_asked(site: Site, tmp_path: Path) -> None:
    one = looker(tmp_path, resolve=lambda _: ["127.0.0.2", "127.0.0.1"])
    assert one.look(f"http://two.example:{site.port}/").state == "there"


def test_a_certificate_is_of_the_name_and_not_of_the_address(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = subprocess.run(
        [
            *("openssl", "req", "-x509", "-nodes", "-days", "1"),
            *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-subj", "/CN=named.example", "-addext", "subjectAltName=DNS:named.example"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        capture_output=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    site = Site(lambda plain: context.wrap_socket(plain, server_side=True))
    try:
        session = new_session("test", use_environment=False)
        session.mount("https://", PinnedAdapter("127.0.0.1"))
        url = f"https://named.example:{site.port}/"
        assert session.get(url, verify=str(certificate)).status_code == 200
        with pytest.raises(requests.exceptions.SSLError):
            session.get(f"https://other.example:{site.port}/", verify=str(certificate))
        with pytest.raises(requests.exceptions.SSLError):
            session.get(url)
    finally:
        site.close()


FAULTS = (
    *("server-error", "html", "html-as-xml", "plain-as-xml", "empty", "cut", "broken-gzip"),
    *("redirect-loop", "redirect-foreign", "total-zero", "total-garbage", "not-found"),
)


@pytest.mark.parametrize(
    ("fault", "papers"), [*((fault, 5) for fault in FAULTS), ("cut", 2), ("cut", 120)]
)
def test_an_outage_stops_a_batch_after_three_requests(
    fault: str,
    papers: int,
    store: Store,
    fake_arxiv: FakeArxiv,
    add: Callable[..., int],
    enrich: Callable[..., object],
) -> None:
    with store.action("add"):
        for number in range(1, papers + 1):
            fake_arxiv.shelf.put(synthesise(f"2301.{number:05}"))
            add(f"2301.{number:05}")
    fake_arxiv.fail("api", fault)
    enrich()
    assert len(fake_arxiv.asked("api")) <= 3


@pytest.mark.parametrize(
    "read", [lambda body: parse_feed_page(body, "https://e.org/feed"), parse_announcements]
)
@pytest.mark.parametrize(
    "inside",
    [
        "<item " + " ".join(f'a{n}="x"' for n in range(30_000)) + "/>",
        "".join(f'<a:x xmlns:a="https://e.org/{n}"/>' for n in range(30_000)),
    ],
)
def test_a_feed_with_endless_names_is_refused(read: Callable[[bytes], object], inside: str) -> None:
    """feedparser would look at them for hours."""
    body = f'<rss version="2.0"><channel>{inside}</channel></rss>'
    with pytest.raises(BadAnswer, match=r"XML with 30,0\d\d attributes or namespaces"):
        read(body.encode())


def test_arxivs_feed_with_endless_names_is_read_in_time() -> None:
    item = "<item><guid>oai:arXiv.org:2401.00001v1</guid><dc:creator>{}</dc:creator></item>"
    rss = (
        '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>{}</channel></rss>'
    )
    body = rss.format(item.format("-" * 100_000)).encode()

    def read() -> None:
        with suppress(BadAnswer):
            parse_announcements(body)

    assert_seconds(4, read)


def test_an_abstract_that_names_one_long_word_everywhere_is_cut() -> None:
    index = {"x" * 10_000: list(range(20_000)), "b": "c", "d": [[1]], "e": [30_000]}
    assert len(parse_work({"abstract_inverted_index": index}).facts.abstract or "") < 2_000_000


@pytest.mark.parametrize("value", [10**30, -(10**30), True, 2024.5, "x", [2024], None])
def test_a_number_that_no_library_stores_is_none(value: object) -> None:
    """A year of thirty digits ended `published` in an internal error."""
    assert number({"year": value}, "year") is None


def test_other_numbers_are_read() -> None:
    assert (number({"year": 2024}, "year"), number("2024"), number("9" * 400)) == (
        2024,
        2024,
        999_999_999,
    )
