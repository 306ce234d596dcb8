"""XML from strangers: read whole, or refused fast, with the place of the fault."""

from __future__ import annotations

import tracemalloc

import pytest

from papertrack.sources.answers import parse_xml
from papertrack.sources.failures import BadAnswer
from tests.timing import assert_seconds

ENTITIES = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 or "ha"}">' for n in range(1, 12))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "empty"),
        (b"<a>\n<b></a>", "line 2"),
        (b"<a>\x00</a>", "XML"),
        (b"<a>\x0b</a>", "line 1"),
        (b"<a>\xff\xfe</a>", "line 1"),
        (b"<a/><a/>", "line 1"),
        (b'<?xml version="1.0" encoding="no-such"?><a/>', "XML"),
        (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "DOCTYPE"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]><a>&x;</a>', "DOCTYPE"),
        (f"<!DOCTYPE a [<!ENTITY l0 'ha'>{ENTITIES}]><a>&l11;</a>".encode(), "XML"),
        (b"<a>" * 100_000 + b"</a>" * 100_000, "XML"),
        (b'<a b="' + b"x" * 11_000_000 + b'"/>', "XML"),
        (b"<a" + b"".join(b' b%d="x"' % n for n in range(100_000)), "XML"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[:20].decode("latin-1"),
)
def test_xml_that_is_broken_or_hostile_is_refused_fast(body: bytes, says: str) -> None:
    failures = []

    def refuse() -> None:
        with pytest.raises(BadAnswer, match=says) as failure:
            parse_xml(body, host="arxiv.example", status=200)
        failures.append(failure)

    assert_seconds(2, refuse)
    tracemalloc.start()
    refuse()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200_000_000
    assert len(str(failures[0].value)) < 400
    assert "arxiv.example answered 200" in str(failures[0].value)
