"""The faults of arXiv and of the road to it, one function each, by name.

A fault either changes an Answer or takes over the connection. They are the faults that clients
of arXiv reported; ``python -m tests.fake_arxiv --fault NAME`` serves one for trying by hand.
"""

from __future__ import annotations

import functools
import gzip
import re
import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler

from tests.fake_arxiv import answers
from tests.fake_arxiv.answers import ATOM, Answer

Change = Callable[[Answer, str], Answer]
"""(answer, path asked for) → the answer with its fault."""
Takeover = Callable[[BaseHTTPRequestHandler, Answer], None]
"""Sends something that is no proper HTTP answer."""

DRIP_SECONDS = 0.02
SILENCE_SECONDS = 5.0
"""Longer than any deadline that a test gives."""


def _rate(retry_after: str | None, status: int = 429) -> Change:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return lambda answer, path: Answer(
        status, "text/plain", b"Rate exceeded." if status != 503 else b"busy", headers
    )


def _to(location: str) -> Change:
    return lambda answer, path: Answer(301, "text/html", b"moved", {"Location": location})


def _edit(pattern: bytes, new: bytes, count: int = 1) -> Change:
    return lambda answer, path: replace(
        answer, body=re.sub(pattern, lambda match: new, answer.body, count=count, flags=re.S)
    )


@functools.cache
def _bomb_bytes() -> bytes:
    """200 KB that inflate to 200 MB, made without ever holding them."""
    packer = zlib.compressobj(9, wbits=31)
    packed = [packer.compress(bytes(1_000_000)) for _ in range(200)]
    return b"".join([*packed, packer.flush()])


def _bomb(answer: Answer, path: str) -> Answer:
    return Answer(200, ATOM, _bomb_bytes(), {"Content-Encoding": "gzip"})


def _nested(answer: Answer, path: str) -> Answer:
    return replace(answer, body=b"<feed>" + b"<a>" * 100_000 + b"</a>" * 100_000 + b"</feed>")


def _laughs(answer: Answer, path: str) -> Answer:
    entities = "".join(
        f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "ha">' for n in range(12)
    )
    body = f'<?xml version="1.0"?><!DOCTYPE feed [{entities}]><feed>&l11;</feed>'
    return replace(answer, body=body.encode())


def _overflow(answer: Answer, path: str) -> Answer:
    entry = re.search(rb"<entry>.*?</entry>", answer.body, re.S)
    if not entry:
        return answer
    body = entry[0].replace(b"Announce Type: new", b"Announce Type: replace")
    body = body.replace(b"announce_type>new<", b"announce_type>replace<")
    many = b"".join(
        re.sub(rb"oai:arXiv\.org:[^<]*", b"oai:arXiv.org:2301.%05dv2" % n, body)
        for n in range(1, 2001)
    )
    return replace(answer, body=re.sub(rb"<entry>.*</entry>", many, answer.body, flags=re.S))


def _in_half_an_hour() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(minutes=30), usegmt=True)


CHANGES: dict[str, Change] = {
    "rate": _rate(None),
    "rate-seconds": _rate("120"),
    "rate-date": lambda answer, path: _rate(_in_half_an_hour())(answer, path),
    "rate-huge": _rate("1000000000"),
    "rate-negative": _rate("-5"),
    "rate-past": _rate("Wed, 21 Oct 2015 07:28:00 GMT"),
    "rate-garbage": _rate("soon\x7f²"),
    "rate-200": _rate(None, 200),
    "busy": _rate("0", 503),
    "gateway": _rate(None, 504),
    "forbidden": lambda answer, path: Answer(403, "text/html", b"<h1>Forbidden</h1>"),
    "server-error": lambda answer, path: Answer(500, "text/html", b"<h1>Oops</h1>"),
    "not-found": lambda answer, path: Answer(404, "text/html", b"<h1>No</h1>"),
    "html": lambda answer, path: Answer(200, "text/html", b"<html><body>Log in</body></html>"),
    "html-as-xml": lambda answer, path: Answer(200, ATOM, b"<html><body>Log in</body></html>"),
    "plain-as-xml": lambda answer, path: Answer(200, ATOM, b"Down for maintenance"),
    "empty": lambda answer, path: Answer(200, ATOM, b""),
    "redirect-https": _to("https://127.0.0.1:1/api/query"),
    "redirect-foreign": _to("https://example.org/api/query"),
    "redirect-metadata": _to("http://169.254.169.254/latest/meta-data"),
    "redirect-ssh": _to("http://127.0.0.1:22/"),
    "redirect-file": _to("file:///etc/passwd"),
    "redirect-nowhere": _to("http://[::1"),
    "redirect-loop": lambda answer, path: Answer(302, "text/html", b"", {"Location": path}),
    "total-zero": _edit(rb"totalResults>\d+<", b"totalResults>0<"),
    "total-hundred": _edit(rb"totalResults>\d+<", b"totalResults>100<"),
    "total-garbage": _edit(rb"totalResults>\d+<", b"totalResults>many<"),
    "nothing": _edit(
        rb"<opensearch:totalResults>.*</feed>",
        b"<opensearch:totalResults>0</opensearch:totalResults>"
        b"<opensearch:startIndex>0</opensearch:startIndex></feed>",
    ),
    "no-entries": _edit(rb"<entry>.*</entry>\n?", b""),
    "later-empty": lambda answer, path: (
        _edit(rb"<entry>.*</entry>\n?", b"")(answer, path) if "199101010000" in path else answer
    ),
    "other-zone": _edit(rb"<published>([^<]*)Z<", rb"<published>2024-01-01T04:00:00-05:00<"),
    "six-digits": _edit(rb"oai:arXiv\.org:[^<]*", b"oai:arXiv.org:2611.010020v1"),
    "no-id": _edit(rb"<id>http://arxiv.org/abs/[^<]*</id>", b""),
    "foreign-id": _edit(rb"<id>http://arxiv.org/abs/", b"<id>http://evil.example/abs/"),
    "no-published": _edit(rb"<published>[^<]*</published>", b""),
    "no-author": _edit(rb"<author>.*?</author>(?=</entry>|<arxiv:doi|\n)", b"", 0),
    "bad-date": _edit(rb"<published>[^<]*</published>", b"<published>yesterday</published>"),
    "cut": lambda answer, path: replace(answer, body=answer.body[: len(answer.body) * 2 // 3]),
    "bomb": _bomb,
    "packed": lambda answer, path: replace(
        answer, body=gzip.compress(answer.body), headers={"Content-Encoding": "gzip"}
    ),
    "brotli": lambda answer, path: replace(answer, headers={"Content-Encoding": "br"}),
    "broken-gzip": lambda answer, path: replace(
        answer, body=gzip.compress(answer.body)[:-20], headers={"Content-Encoding": "gzip"}
    ),
    "gzip-tail": lambda answer, path: replace(
        answer,
        body=gzip.compress(answer.body) + bytes(1_000_000),
        headers={"Content-Encoding": "gzip"},
    ),
    "latin-1": lambda answer, path: replace(
        answer, body=answer.body + "<!-- é -->".encode("latin-1")
    ),
    "bom": lambda answer, path: replace(answer, body=b"\xef\xbb\xbf" + answer.body),
    "utf-16": lambda answer, path: replace(
        answer, body=answer.body.decode().replace("UTF-8", "UTF-16").encode("utf-16")
    ),
    "nul": _edit(rb"<title>(?=\w)", b"<title>\0"),
    "vertical-tab": _edit(rb"<summary>", b"<summary>\x0b"),
    "doctype": _laughs,
    "nested": _nested,
    "overflow": _overflow,
    "unknown-kind": _edit(rb"announce_type>\w+<", b"announce_type>rumour<"),
    "duplicate-item": lambda answer, path: replace(
        answer, body=re.sub(rb"(<entry>.*?</entry>\n)", rb"\1\1", answer.body, count=1, flags=re.S)
    ),
    "feed-error": _edit(
        rb"<title>[^<]*updates on", b"<title>Feed error for query: cs.XX updates of"
    ),
    "endless-token": _edit(
        rb"(?:<resumptionToken>[^<]*</resumptionToken>)?</ListRecords>",
        b"<resumptionToken>again</resumptionToken></ListRecords>",
    ),
    "expired-token": lambda answer, path: answers.oai_error("badResumptionToken", "expired"),
    "pdf": lambda answer, path: Answer(200, "application/pdf", b"%PDF-1.7 of somebody else"),
    "html-pdf": lambda answer, path: Answer(200, "text/html", b"<html>PDF is being built</html>"),
    "fake-pdf": lambda answer, path: Answer(200, "application/pdf", b"<html>not a PDF</html>"),
    "no-section": _edit(rb"<dl id='articles'>\n<h3>(?:Cross|Replacement).*?</dl>", b"", 0),
    "wrong-day": _edit(rb" on [A-Z][a-z]+, [^<]*</h1>", b" on Mon, 01 Jan 2001</h1>"),
    "wrong-count": _edit(rb"showing \d+ of \d+ entries", b"showing 77 of 77 entries"),
}


def _send_head(handler: BaseHTTPRequestHandler, answer: Answer, extra: dict[str, str]) -> None:
    handler.send_response(answer.status)
    for name, value in {"Content-Type": answer.content_type, **answer.headers, **extra}.items():
        handler.send_header(name, value)
    handler.end_headers()


def _short_of_length(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    _send_head(handler, answer, {"Content-Length": str(len(answer.body))})
    handler.wfile.write(answer.body[: len(answer.body) // 2])


def _short_of_chunks(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    _send_head(handler, answer, {"Transfer-Encoding": "chunked"})
    half = answer.body[: len(answer.body) // 2]
    handler.wfile.write(b"%x\r\n%s\r\n" % (len(half), half))


def _busy_short(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    refusal = Answer(503, "text/html", b"<h1>Busy", {"Retry-After": "120"})
    _send_head(handler, refusal, {"Content-Length": "500"})
    handler.wfile.write(refusal.body)


def _drip(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    _send_head(handler, answer, {"Content-Length": str(len(answer.body))})
    for byte in answer.body:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(DRIP_SECONDS)


def _drip_head(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"z" * 500:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(DRIP_SECONDS)


def _silent(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    time.sleep(SILENCE_SECONDS)


def _reset(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    handler.connection.close()


TAKEOVERS: dict[str, Takeover] = {
    "short-of-length": _short_of_length,
    "short-of-chunks": _short_of_chunks,
    "busy-short": _busy_short,
    "drip": _drip,
    "drip-head": _drip_head,
    "silent": _silent,
    "reset": _reset,
}
FAULTS = sorted({*CHANGES, *TAKEOVERS})
