"""Link definitions: read as markdown-it-py reads them, at a cost that long lists can bear."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papertrack.documents.markdown.read import blocks
from papertrack.documents.markdown.read.blocks import Block, cut_lines, parse_blocks, walk
from papertrack.documents.markdown.read.document import parse_document
from tests.counting import calls_of

PIECES = st.sampled_from(
    [
        *(
            "[1]: https://a.org/b",
            "[a b]:http://c.org",
            "[1]: https://a.org/b(c)",
            "[ ]: http://d.e",
        ),
        *("[x\\]]: http://a.b", "[a]: <http://a.b>", "[a]: javascript:x", "[1]:", "http://a.b"),
        *("\n", "\n", "\n\n", " ", "    ", "\t", "'t'", '"t"', "(t)", "'", "- ", "> ", "1. "),
        *("text", "# A", "```", "---", "|a|b|\n|--|--|", "<div>", "\u00a0", "\0"),
    ]
)


def shape_of(text: str) -> list[tuple[str, int, int]]:
    """Return what the blocks of a text are, and where they start and end."""
    held: list[Block] = parse_blocks(cut_lines(text))
    return [(block.kind, block.first, block.end) for block in walk(held)]


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=16).map("".join))
def test_definitions_are_found_where_markdown_it_finds_them(text: str) -> None:
    found = shape_of(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_is_plain_definition", lambda state, line: False)
        assert shape_of(text) == found


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("[1]: https://a.org\n[2]: https://b.org", []),
        ("[1]: https://a.org\n'Title'", []),
        ("[1]: https://a.org\n'Title' of something", ["paragraph"]),
        ("[1]: https://a.org\nwords behind it", ["paragraph"]),
        ("[1]: https://a.org words", ["paragraph"]),
        ("words\n[1]: https://a.org", ["paragraph"]),
        ("    [1]: https://a.org", []),
        ("> [1]: https://a.org\n> words", ["quote", "paragraph"]),
    ],
)
def test_a_definition_is_its_line_and_its_title(text: str, kinds: list[str]) -> None:
    assert [kind for kind, _, _ in shape_of(text)] == kinds


def references(items: int) -> str:
    """Return a list of works whose links are defined below it."""
    lines, definitions = ["## Papers\n\n"], ["\n"]
    for n in range(items):
        lines.append(f"- [ ] **[A Paper on Serving, Part {n}][{n}]** *Ada Doe, Al Bee* (2020-01)\n")
        definitions.append(f"[{n}]: https://arxiv.org/abs/2001.{10000 + n}\n")
    return "".join(lines + definitions)


def test_each_item_with_a_definition_costs_the_same_and_little() -> None:
    parse_document(references(3))  # What is made once.
    few, some, many = (calls_of(lambda n=n: parse_document(references(n))) for n in (200, 400, 600))
    assert abs((many - some) - (some - few)) < 0.05 * (some - few)
    assert (many - some) / 200 < 3300
