"""Entities of HTML become characters, whatever their numbers are."""

import pytest

from papertrack.text import unescape


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("&#38; &amp; &#x26;", "& & &"),
        ("&#00000038; &#x0001F600;", "& \U0001f600"),
        ("&#" + "0" * 5_000 + "65;", "A"),
        ("&#" + "9" * 5_000 + "; b", "\ufffd b"),
        ("&#x" + "f" * 5_000 + ";", "\ufffd"),
    ],
)
def test_entities_are_characters(written: str, meant: str) -> None:
    assert unescape(written) == meant
