"""Places for tables in a README, and what is no entry because of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.markdown.kept_tables import (
    KeptTable,
    fill_tables,
    find_tables,
    without_tables,
)
from papertrack.documents.markdown.merge import merge_readmes
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.merge import Labels
from papertrack.errors import UsageError

BEGIN = "<!-- papertrack table: lamps | title -->"
END = "<!-- /papertrack table -->"
TABLE = "| Title | arXiv |\n| --- | --- |\n| Lamps | https://arxiv.org/abs/2301.00001 |\n"


def filled(text: str, made: str = "| A |\n| - |\n| 1 |\n", *, replaces: bool = False) -> str:
    return fill_tables(text, lambda _: made, lambda *_: replaces)[0]


def lines_of_problems(text: str) -> list[int]:
    return [one.line for one in without_tables(text)[1]]


def places(text: str) -> list[KeptTable]:
    return [one for one in find_tables(text) if not one.is_single]


@pytest.mark.parametrize(
    ("text", "lines", "tables"),
    [
        (f"{BEGIN}\n{END}\n", [], 1),
        (f"Words\n{BEGIN}\n{TABLE}{END}\nWords\n", [], 1),
        (f"```\n{BEGIN}\n{END}\n```\n", [], 0),
        (f"    {BEGIN}\n    {END}\n", [], 0),
        (f"{BEGIN}\n\n{TABLE}\nWords\n", [1], 0),
        (f"{TABLE}\n{END}\n", [5], 0),
        (f"{BEGIN}\n{BEGIN}\n{TABLE}{END}\n{END}\n", [1, 7], 1),
        (f"- one\n  {BEGIN}\n\n{END}\n", [2, 4], 0),
        (f"<div>\n{BEGIN}\n</div>\n", [2], 0),
        (f"{BEGIN}\n```\n{END}\n", [1], 0),
        (f"{BEGIN}\n{END}", [], 1),
        (f"{BEGIN} x\n{END}\n", [2], 0),
    ],
)
def test_markers_without_a_table_are_told(text: str, lines: list[int], tables: int) -> None:
    assert lines_of_problems(text) == lines
    assert len(places(text)) == tables
    if tables or TABLE in text:
        assert not parse_document(text).entries
    assert not set(lines) - {one.line for one in parse_document(text).skipped}


def test_entries_beside_a_table_are_read_as_if_it_were_empty() -> None:
    around = f"# L\n\n{BEGIN}\n%s{END}\n\n## Own\n\n{TABLE}"
    empty, full = parse_document(around % ""), parse_document(around % TABLE)
    assert full.text == around % TABLE
    assert [one.key for one in full.entries] == [one.key for one in empty.entries]
    assert full.text[slice(*full.entries[0].span)].startswith("| Lamps")
    assert full.entries[0].category == ("Own",)
    assert full.style == empty.style


def test_only_what_papertrack_wrote_is_replaced() -> None:
    text = filled(f"{BEGIN}\n{END}\n")
    assert filled(text, "| B |\n| - |\n") == filled(f"{BEGIN}\n{END}\n", "| B |\n| - |\n")
    edited = text.replace("| 1 |", "| 2 |")
    assert filled(edited) == edited
    assert filled(edited, replaces=True) == text
    assert filled(f"{BEGIN}\n\n| A |\n| - |\n| 1 |\n\n{END}\n") == text
    assert filled(text.replace("\n", "\r\n")) == text.replace("\n", "\r\n")


def test_a_table_that_cannot_be_made_stays() -> None:
    def make(asked: str) -> str:
        raise UsageError(f"No {asked.strip()}.")

    text = f"\n{BEGIN}\n{TABLE}{END}\n"
    assert fill_tables(text, make, lambda *_: True) == (text, ["Line 2: No lamps | title."])
    many = f"{BEGIN}\n{END}\n" * 60
    done, refused = fill_tables(many, lambda _: "| A |\n| - |", lambda *_: False)
    assert done.count("written by papertrack") == 20
    assert len(refused) == 40


def test_tables_that_both_sides_made_anew_are_no_conflict() -> None:
    entry = "- [Lamps](https://arxiv.org/abs/2301.00001)\n"
    base, ours, theirs = (
        filled(f"# L\n\n{BEGIN}\n{END}\n\n{entry}{more}", f"| A |\n| - |\n{row}")
        for more, row in (("", ""), ("", "| 1 |"), ("Words.\n", "| 2 |"))
    )
    merged = merge_readmes(base, ours, theirs, Labels())
    assert not merged.conflicts
    assert merged.text == ours + "Words.\n"
    edited = theirs.replace("| 2 |", "| mine |")
    merged = merge_readmes(base, ours, edited, Labels())
    assert "| mine |" in merged.text


PARTS = st.lists(
    st.sampled_from(
        [BEGIN, END, TABLE.strip(), "```", "- item", "> quote", "", "words", "<div>", "\t"]
    )
)


@given(PARTS, st.sampled_from(["\n", "\r\n"]))
def test_nothing_outside_of_markers_changes(parts: list[str], eol: str) -> None:
    text = eol.join(eol.join(parts).splitlines())
    again = filled(text, replaces=True)
    assert len(places(again)) == len(places(text))
    assert filled(again) == again

    def outside(text: str) -> str:
        for table in reversed(places(text)):
            text = text[: table.span[0]] + text[table.span[1] :]
        return text

    assert outside(again) == outside(text)
    assert len(without_tables(text)[0]) == len(text)
    assert parse_document(text).text == text
