"""Readings of prose: links, venues and withdrawals in abstracts and comments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.sources.mentions import find_links, is_withdrawal
from tests.timing import assert_seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Code: https://github.com/o/r.", [("code", "https://github.com/o/r")]),
        ("(see https://github.com/o/r)", [("code", "https://github.com/o/r")]),
        ("code at github.com/o/r_x, and", [("code", "https://github.com/o/r_x")]),
        (r"available at \url{https://gitlab.com/o/r\_x}", [("code", "https://gitlab.com/o/r_x")]),
        ("Project page: https://o.github.io/r/", [("project", "https://o.github.io/r/")]),
        ("weights: https://huggingface.co/o/m", [("model", "https://huggingface.co/o/m")]),
        ("https://huggingface.co/datasets/o/d", [("data", "https://huggingface.co/datasets/o/d")]),
        ("https://huggingface.co/spaces/o/d", [("demo", "https://huggingface.co/spaces/o/d")]),
        ("Video: https://youtu.be/abc", [("video", "https://youtu.be/abc")]),
        ("Our code is at https://x.org/a.", [("code", "https://x.org/a")]),
        ("the website www.x.org/a", [("project", "https://www.x.org/a")]),
        ("https://en.wikipedia.org/wiki/A_(b)", [("other", "https://en.wikipedia.org/wiki/A_(b)")]),
        (
            "code and data: https://github.com/o/r and https://zenodo.org/1",
            [("code", "https://github.com/o/r"), ("data", "https://zenodo.org/1")],
        ),
        ("https://x.org/a and again https://x.org/a", [("other", "https://x.org/a")]),
        ("javascript:alert(1) file:///etc/passwd ftp://x.org me@github.com/x", []),
        ("https://", []),
        ("no link", []),
    ],
)
def test_links_are_found_with_their_role(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(link.role, link.url) for link in find_links(text)] == expected


@pytest.mark.parametrize(
    ("comment", "abstract", "withdrawn"),
    [
        ("This paper has been withdrawn by the author due to an error", "We show.", True),
        ("Withdrawn: Lemma 2 is wrong", None, True),
        ("Paper withdrawn", None, True),
        ("withdrawn", None, True),
        ("This submission has been withdrawn by arXiv administrators", None, True),
        (None, "This paper has been withdrawn by the authors.", True),
        ("This papers has been withdrawn", None, True),
        ("This paper has been withdrawn from arXiv", None, True),
        ("The previous version was withdrawn for an error; this one corrects it", None, False),
        ("An earlier version of this paper has been withdrawn", None, False),
        ("The paper was withdrawn from ICML and accepted at NeurIPS 2023", None, False),
        ("10 pages", "Funds were withdrawn from the account.", False),
        ("We discuss why the offer was not withdrawn", "We show.", False),
        (None, "The drug was approved; the paper is about withdrawn drugs.", False),
        (None, None, False),
    ],
)
def test_a_withdrawal_is_seen_and_nothing_else_is_one(
    comment: str | None, abstract: str | None, withdrawn: bool
) -> None:
    assert is_withdrawal(comment, abstract) is withdrawn


@given(st.text(max_size=300))
def test_any_text_is_read_without_complaint(text: str) -> None:
    for link in find_links(text + " https://x.org/" + text):
        assert link.url.startswith(("http://", "https://"))
        assert not set(link.url) & set(' \n"<>')
    is_withdrawal(text, text)


@pytest.mark.parametrize(
    "unit", ["https://", "www.", "withdrawn ", "(", "paper ", "\\url{", "Code "]
)
def test_a_megabyte_is_read_in_no_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert_seconds(0.5, lambda: (find_links(text), is_withdrawal(text, text)))
