"""Blocks and links with exact places, whatever the text is written in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.syntax import cut_lines, parse_syntax, walk
from tests.timing import assert_ratio

PIECES = st.sampled_from(
    [
        *("[a](https://a.org/b)", "[b][1]", "![c](d.png)", "[1]: https://a.org/b(c)", "`x`"),
        *("**é**", "*論文*", "🎉", "https://a.org/x_y.", "<https://b.org>", "<b>", "</b>"),
        *("\n", "\r\n", "\r", "\n\n", " ", "\t", "- ", "> ", "1. ", "# A", "```", "---", "\0"),
        *("|a|b|\n|--|--|\n|", "|", "\\|", "<td>", "<details>", "\u00a0", "\ud800"),
    ]
)


def links_of(text: str) -> list[tuple[str, str, str]]:
    """Return form, address and whole text of each link."""
    inline = parse_syntax(cut_lines(text)).inline((0, len(text)))
    return [(link.form, link.url, text[slice(*link.span)]) for link in inline.links]


@given(st.lists(PIECES, max_size=30).map("".join))
def test_every_place_is_where_it_says(text: str) -> None:
    syntax = parse_syntax(cut_lines(text))
    inline = syntax.inline((0, len(text)))
    for link in inline.links:
        assert text[slice(*link.url_span)] == link.url
        assert link.span[0] <= link.label_span[0] <= link.label_span[1] <= link.span[1]
    for start, end in inline.codes:
        assert text[start] == text[end - 1] == "`"
    for block in walk(syntax.blocks):
        assert 0 <= block.first < block.end <= len(syntax.starts)


@pytest.mark.parametrize("before", ["", "é論文🎉 "])
def test_offsets_count_characters(before: str) -> None:
    text = f"{before}[*a*](https://a.org 'title') `c` https://b.org/é."
    assert links_of(text) == [
        ("inline", "https://a.org", "[*a*](https://a.org 'title')"),
        ("bare", "https://b.org/é", "https://b.org/é"),
    ]


def test_what_pyromark_does_not_tell() -> None:
    text = (
        "| a |\n|---|\n| x | [surplus](https://s.org) |\n\n"
        '<td>\n<a href="https://h.org">h</a> [in html](https://i.org)\n</td>\n\n'
        "text [late]\n[late]: https://l.org\n"
    )
    assert [url for _, url, _ in links_of(text)] == [
        "https://s.org",
        "https://h.org",
        "https://i.org",
        *["https://l.org"] * 3,  # Used, defined without a blank line before it, written out.
    ]


def test_definitions_in_comments_and_code_are_none() -> None:
    text = "[a]: http://a.org\n\n<!--\n[b]: http://b.org\n-->\n\n```\n[c]: http://c.org\n```\n"
    assert [one.label for one in parse_syntax(cut_lines(text)).definitions] == ["a"]


@pytest.mark.parametrize(
    "unit", ["- ", "> ", "[]", "[", "*", "`", "<a href='x'>", "![x](y)", "https://a.b ", "|"]
)
def test_hostile_text_costs_in_proportion(unit: str) -> None:
    def read(count: int) -> None:
        text = unit * count + "\n"
        parse_syntax(cut_lines(text)).inline((0, len(text)))

    assert_ratio(16, lambda: read(4_000), lambda: read(16_000))


@pytest.mark.parametrize("quotes", ["", "> ", "> > "])
@pytest.mark.parametrize("above", [37, 38, 39, 40, 41, 60])
def test_a_list_nested_deeper_than_any_is_read(quotes: str, above: int) -> None:
    items = "- " * above + "[A](https://arxiv.org/abs/2401.00001)\n"
    text = f"{quotes}{items}\n- [B](https://arxiv.org/abs/2401.00002)\n"
    entries = parse_document(text).entries
    assert [e.identifiers[0].value for e in entries] == ["2401.00001", "2401.00002"]
    lists = [one for one in walk(parse_syntax(cut_lines(text)).blocks) if one.kind == "list"]
    assert all(one.children for one in lists)
