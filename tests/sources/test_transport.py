"""The door: pace, cool-downs, limits, hosts, and an error for each way to fail."""

from __future__ import annotations

import http.server
import itertools
import json
import multiprocessing
import shlex
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
import requests
from hypothesis import given
from hypothesis import strategies as st

from papertrack.errors import UsageError
from papertrack.sources import transport
from papertrack.sources.endpoints import ARXIV, origin_of
from papertrack.sources.exchange import Response
from papertrack.sources.failures import (
    BadAnswer,
    CoolingDown,
    Refused,
    SourceFailure,
    TimedOut,
    TooLarge,
    Unreachable,
    WrongHost,
)
from papertrack.sources.gate import Gate
from papertrack.sources.transport import Door, Endpoints
from tests.fake_arxiv import FakeArxiv
from tests.sources.conftest import Clock
from tests.timing import assert_seconds

XML = ("application/atom+xml", "text/xml")


def ask(door: Door, **limits: float) -> Response:
    url = f"{door.endpoints['api_url']}?id_list=2401.00007&max_results=1"
    return door.get(url, accept=XML, **limits)  # type: ignore[arg-type]


def test_an_answer_comes_whole_with_its_type(door: Door) -> None:
    response = ask(door)
    assert response.status == 200
    assert response.content_type == "application/atom+xml"
    assert response.body.endswith(b"</feed>")


def test_the_door_says_who_asks_and_whom_to_write_to(door: Door, fake_arxiv: FakeArxiv) -> None:
    ask(door)
    agent = fake_arxiv.asked()[0].headers["User-Agent"]
    assert agent.startswith("papertrack/9.9 (+https://")
    assert "mailto:reader@example.org" in agent


@pytest.mark.parametrize("contact", ["a\nInjected: yes", "müller@example.org", "a)(b"])
def test_a_contact_that_does_not_fit_a_header_is_refused(tmp_path: Path, contact: str) -> None:
    with pytest.raises(UsageError, match="contact"):
        Door(tmp_path, Endpoints(), contact=contact, version="1")


def test_passwords_and_cookies_of_the_user_stay_at_home(
    door: Door, fake_arxiv: FakeArxiv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    ask(door)
    assert "Authorization" not in fake_arxiv.asked()[0].headers


# --- limits of what may be asked -------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://export.arxiv.org/api/query",
        "ftp://arxiv.org/",
        "file:///etc/passwd",
        "https://user:word@arxiv.org/api",
        "https://arxiv.org/api?x=1",
        "https:///api",
        "https://arxiv.org:port/api",
        "",
    ],
)
def test_an_endpoint_is_https_or_on_this_machine(url: str) -> None:
    with pytest.raises(UsageError, match="feed_url"):
        Endpoints(feed_url=url)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "[::1]:80", "127.9.9.9"])
def test_plain_http_is_allowed_to_loopback(host: str) -> None:
    assert Endpoints(feed_url=f"http://{host}/atom")["feed_url"].endswith("/atom")


@pytest.mark.parametrize("seconds", [0, 2.9, -1, float("nan")])
def test_an_interval_under_three_seconds_is_for_loopback_only(
    tmp_path: Path, fake_arxiv: FakeArxiv, seconds: float
) -> None:
    mixed = Endpoints(**{**fake_arxiv.urls, "pdf_url": "https://arxiv.org/pdf"})
    for endpoints in (Endpoints(), mixed):
        with pytest.raises(UsageError, match="3 seconds"):
            Door(tmp_path, endpoints, contact=None, version="1", interval_seconds=seconds)


@pytest.mark.parametrize(
    "url", ["https://example.org/x", "http://169.254.169.254/", "file:///etc/passwd", "x", "//y"]
)
def test_only_the_endpoints_hosts_are_asked(door: Door, url: str) -> None:
    with pytest.raises(WrongHost):
        door.get(url)


@pytest.mark.parametrize(
    "fault",
    """
        redirect-https redirect-foreign redirect-metadata redirect-ssh redirect-file
        redirect-nowhere redirect-loop
    """.split(),
)
def test_a_redirect_leads_to_an_endpoint_or_nowhere(
    door: Door, fake_arxiv: FakeArxiv, fault: str
) -> None:
    fake_arxiv.fail("api", fault)
    with pytest.raises(WrongHost, match=r"127\.0\.0\.1"):
        ask(door)
    assert len(fake_arxiv.asked()) <= transport.MAX_REDIRECTS + 1


def test_a_certificate_that_proves_nothing_ends_the_request(tmp_path: Path) -> None:
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificate of this test")
    made = tmp_path / "made.pem"
    key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    command = f"openssl req -x509 {key} -days 2 -subj /CN=x -keyout {made} -out -"
    certificate = subprocess.run(shlex.split(command), check=True, capture_output=True).stdout
    made.write_bytes(made.read_bytes() + certificate)
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda *args: None  # type: ignore[method-assign]
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    base = f"https://127.0.0.1:{server.server_address[1]}"
    endpoints = Endpoints(**dict.fromkeys(ARXIV, base))
    door = Door(tmp_path, endpoints, contact=None, version="1", interval_seconds=0)
    with pytest.raises(Unreachable, match="could not prove its identity"):
        ask(door)
    server.shutdown()
    server.server_close()


def test_a_proxy_of_the_environment_is_used_for_the_world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = socket.create_server(("127.0.0.1", 0))
    asked: list[bytes] = []

    def refuse() -> None:
        connection, _ = proxy.accept()
        asked.append(connection.recv(1000))
        connection.sendall(b"HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n")
        connection.close()

    threading.Thread(target=refuse, daemon=True).start()
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.getsockname()[1]}")
    door = Door(tmp_path, Endpoints(), contact=None, version="1")
    with pytest.raises(Unreachable):
        ask(door)
    proxy.close()
    assert asked[0].startswith(b"CONNECT export.arxiv.org:443 ")


# --- being sent away -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "status", "minutes"),
    [
        ("rate", 429, 15 * 1.05),
        ("rate-seconds", 429, 2),
        ("rate-huge", 429, 24 * 60),
        ("rate-negative", 429, 15 * 1.05),
        ("rate-past", 429, 15 * 1.05),
        ("rate-garbage", 429, 15 * 1.05),
        ("rate-200", 200, 15 * 1.05),
        ("busy", 503, 15 * 1.05),
        ("busy-short", 503, 2),
        ("gateway", 504, 15 * 1.05),
        ("forbidden", 403, 24 * 60),
    ],
)
def test_a_host_that_sends_us_away_is_left_alone_for_its_time(
    open_door: Callable[[], Door],
    fake_arxiv: FakeArxiv,
    clock: Clock,
    fault: str,
    status: int,
    minutes: float,
) -> None:
    fake_arxiv.fail("api", fault)
    with pytest.raises(Refused) as refused:
        ask(open_door())
    until = clock() + timedelta(minutes=minutes)
    assert refused.value.status == status
    assert refused.value.retry_at == until
    for word in (fake_arxiv.host("api"), str(status), f"{until.astimezone():%Y-%m-%d %H:%M %Z}"):
        assert word in str(refused.value)
    restarted = open_door()
    with pytest.raises(CoolingDown) as cooling:
        ask(restarted)
    assert cooling.value.retry_at == until
    assert f"{until.astimezone():%H:%M %Z}" in str(cooling.value)
    assert len(fake_arxiv.asked()) == 1
    assert restarted.cooldown(fake_arxiv.host("api")) == until
    if status != 403:
        assert restarted.cooldown(fake_arxiv.host("oai")) is None


def test_after_a_403_none_of_arxivs_hosts_is_asked_for_a_day(
    open_door: Callable[[], Door], fake_arxiv: FakeArxiv, clock: Clock
) -> None:
    fake_arxiv.fail("api", "forbidden")
    with pytest.raises(Refused):
        ask(open_door())
    fake_arxiv.heal()
    door = open_door()
    for base in fake_arxiv.urls.values():
        if base != fake_arxiv.urls["datacite_url"]:
            with pytest.raises(CoolingDown):
                door.get(base)
    assert door.cooldown(fake_arxiv.host("datacite")) is None
    clock.advance(hours=24, seconds=1)
    assert ask(open_door()).status == 200


def test_a_403_of_datacite_says_nothing_about_arxiv(
    open_door: Callable[[], Door], fake_arxiv: FakeArxiv
) -> None:
    fake_arxiv.fail("datacite", "forbidden")
    door = open_door()
    with pytest.raises(Refused):
        door.get(f"{door.endpoints['datacite_url']}/10.48550/arxiv.2401.00007")
    assert ask(door).status == 200


def test_a_retry_after_date_is_understood(door: Door, fake_arxiv: FakeArxiv, clock: Clock) -> None:
    clock.time = datetime.now(UTC)
    fake_arxiv.fail("api", "rate-date")
    with pytest.raises(Refused) as refused:
        ask(door)
    assert refused.value.retry_at is not None
    assert timedelta(minutes=25) < refused.value.retry_at - clock() < timedelta(minutes=31)


@given(st.text(max_size=40) | st.integers().map(str) | st.datetimes().map(format_datetime))
def test_no_retry_after_waits_longer_than_a_day(value: str) -> None:
    seconds = transport.retry_after_seconds(value, datetime(2026, 11, 20, tzinfo=UTC))
    assert seconds is None or 0 < seconds <= 24 * 3600


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org@evil.example/",
        "https://arxiv.org\\@evil.example/",
        "https://arxiv.org\t.evil.example/",
        "https://arxiv.org%2eevil.example/",
        "https://arxiv.org.:443/",
        "https://arxiv.org:444/",
        "https://arxiv。org/",
        "http://arxiv.org/",
        "https://[arxiv.org/",
        "https:arxiv.org/",
    ],
)
def test_an_address_that_only_looks_like_an_endpoint_is_none(url: str) -> None:
    assert origin_of("https://ARXIV.org:443/list") in Endpoints().origins
    assert origin_of(url) not in Endpoints().origins


def test_faults_in_a_row_double_the_wait_up_to_twelve_hours(
    door: Door, fake_arxiv: FakeArxiv, clock: Clock
) -> None:
    fake_arxiv.fail("api", "rate")
    waits = []
    for _ in range(8):
        with pytest.raises(Refused) as refused:
            ask(door)
        assert refused.value.retry_at
        waits.append((refused.value.retry_at - clock()) / timedelta(minutes=1.05))
        clock.time = refused.value.retry_at
    assert waits == pytest.approx([15, 30, 60, 120, 240, 480, 720, 720])


def test_a_good_answer_forgets_the_faults(door: Door, fake_arxiv: FakeArxiv, clock: Clock) -> None:
    for _ in range(2):
        fake_arxiv.fail("api", "rate", times=1)
        with pytest.raises(Refused) as refused:
            ask(door)
        assert refused.value.retry_at == clock() + timedelta(minutes=15 * 1.05)
        clock.advance(minutes=16)
        ask(door)


@pytest.mark.parametrize("hours", [-9000, -24, -1, 25, 9000])
def test_a_clock_that_jumps_locks_nobody_out(
    door: Door, fake_arxiv: FakeArxiv, clock: Clock, hours: float
) -> None:
    fake_arxiv.fail("api", "forbidden", times=1)
    with pytest.raises(Refused):
        ask(door)
    clock.advance(hours=hours)
    assert ask(door).status == 200


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"last_request": "never", "cooldowns": {}}',
        b'{"last_request": 9e99, "cooldowns": {"h": {"set_at": 0, "until": 9e99, "step": 9}}}',
        b'{"last_request": 0, "cooldowns": 7}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_state_counts_as_none(door: Door, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "network.json").write_bytes(content)
    assert door.cooldown("h") is None
    assert ask(door).status == 200


def test_a_state_that_cannot_be_written_stops_before_asking(
    fake_arxiv: FakeArxiv, tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    door = Door(
        tmp_path / "state",
        Endpoints(**fake_arxiv.urls),
        contact=None,
        version="1",
        interval_seconds=0,
    )
    with pytest.raises(SourceFailure, match="time of the last request"):
        ask(door)
    assert not fake_arxiv.asked()


def test_a_full_disk_is_said_and_leaves_no_piece(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(door)
    before = (tmp_path / "state" / "network.json").read_bytes()

    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(SourceFailure, match="No space left on device"):
        ask(door)
    assert (tmp_path / "state" / "network.json").read_bytes() == before
    assert not list((tmp_path / "state").glob("*.new"))


# --- answers that are none -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("html", BadAnswer),
        ("short-of-length", BadAnswer),
        ("short-of-chunks", BadAnswer),
        ("broken-gzip", BadAnswer),
        ("brotli", BadAnswer),
        ("bomb", TooLarge),
        ("not-found", Refused),
        ("server-error", Refused),
        ("reset", Unreachable),
    ],
)
def test_a_fault_that_is_not_about_us_starts_no_cooldown(
    door: Door, fake_arxiv: FakeArxiv, fault: str, error: type[SourceFailure]
) -> None:
    fake_arxiv.fail("api", fault, times=1)
    with pytest.raises(error) as failure:
        ask(door)
    assert fake_arxiv.host("api") in str(failure.value)
    assert "later" in str(failure.value)
    if error is not Unreachable:
        assert str(failure.value.status) in str(failure.value)
    assert ask(door).status == 200


@pytest.mark.parametrize("fault", ["drip", "drip-head", "silent"])
def test_a_slow_answer_ends_at_its_deadline(
    open_door: Callable[[], Door], fake_arxiv: FakeArxiv, clock: Clock, fault: str
) -> None:
    fake_arxiv.fail("api", fault)
    # Had the server been the first to give up, it would be an answer, or Unreachable.
    with pytest.raises(TimedOut, match="Try again after") as failure:
        ask(open_door(), deadline=0.2)
    assert failure.value.retry_at == clock() + timedelta(minutes=15 * 1.05)
    with pytest.raises(CoolingDown):
        ask(open_door())


def test_a_name_that_never_resolves_ends_at_its_deadline(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_asked_no_more = threading.Event()
    monkeypatch.setattr(
        requests.Session, "request", lambda *args, **kwargs: is_asked_no_more.wait(600)
    )
    try:
        with pytest.raises(TimedOut):
            ask(door, deadline=0.2)
    finally:
        is_asked_no_more.set()


def test_a_bomb_is_stopped_early(door: Door, fake_arxiv: FakeArxiv) -> None:
    fake_arxiv.fail("api", "bomb")

    def refuse() -> None:
        with pytest.raises(TooLarge):
            ask(door)

    assert_seconds(2, refuse)


def test_what_follows_a_compressed_body_is_not_collected(door: Door, fake_arxiv: FakeArxiv) -> None:
    fake_arxiv.fail("api", "gzip-tail")
    with pytest.raises(BadAnswer, match="more than its compressed body"):
        ask(door)


def test_a_body_over_the_callers_limit_is_refused(door: Door) -> None:
    with pytest.raises(TooLarge, match="more than 1 KB"):
        ask(door, max_bytes=1024)


def test_a_server_that_is_not_there_is_unreachable(door: Door, fake_arxiv: FakeArxiv) -> None:
    fake_arxiv.__exit__(None, None, None)
    with pytest.raises(Unreachable, match=r"could not be reached \(Failed to establish"):
        ask(door)


# --- the pace --------------------------------------------------------------------------------


def test_the_wait_between_two_requests_goes_through_the_given_sleep(tmp_path: Path) -> None:
    now, slept, told = [1000.0], [], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    gate = Gate(
        tmp_path, 3.0, sleep=sleep, on_wait=lambda *what: told.append(what), now=lambda: now[0]
    )
    with gate.turn("h"):
        now[0] += 1  # The answer takes a second: the interval counts from its end.
    now[0] += 0.5
    with gate.turn("h"):
        pass
    assert slept == [2.5]
    assert told == [(2.5, "one request per 3 seconds")]


@pytest.mark.parametrize(("jump", "expected"), [(-86400, [3.0]), (-1, [3.0]), (86400, [])])
def test_a_jump_of_the_clock_costs_one_interval_at_most(
    tmp_path: Path, jump: float, expected: list[float]
) -> None:
    now: list[float] = [1_000_000.0]
    slept: list[float] = []
    gate = Gate(tmp_path, 3.0, sleep=slept.append, now=lambda: now[0])
    with gate.turn("h"):
        pass
    now[0] += jump
    with gate.turn("h"):
        pass
    assert slept == expected


def _ask_many(urls: dict[str, str], state: Path, times: int) -> None:
    door = Door(state, Endpoints(**urls), contact=None, version="1", interval_seconds=0.2)
    for _ in range(times):
        ask(door)


def test_four_processes_keep_one_interval(fake_arxiv: FakeArxiv, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=_ask_many, args=(fake_arxiv.urls, tmp_path, 3)) for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    times = sorted(request.at for request in fake_arxiv.asked())
    assert len(times) == 12
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert min(gaps) >= 0.2


def test_a_process_that_dies_holding_the_turn_blocks_nobody(door: Door, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "network.lock").write_text("left by a killed process")
    assert ask(door).status == 200


def test_waiting_for_another_process_is_told_and_ends(
    door: Door, tmp_path: Path, clock: Clock
) -> None:
    from filelock import FileLock

    (tmp_path / "state").mkdir()
    with (
        FileLock(tmp_path / "state" / "network.lock"),
        pytest.raises(TimedOut, match="another papertrack"),
    ):
        ask(door)
    assert sum(clock.slept) == pytest.approx(300, rel=0.01)


def test_the_state_says_only_hosts_and_times(
    door: Door, tmp_path: Path, fake_arxiv: FakeArxiv
) -> None:
    fake_arxiv.fail("api", "rate")
    with pytest.raises(Refused):
        ask(door)
    state = json.loads((tmp_path / "state" / "network.json").read_text())
    assert set(state) == {"last_request", "cooldowns"}
    assert set(state["cooldowns"]) == {fake_arxiv.host("api")}
