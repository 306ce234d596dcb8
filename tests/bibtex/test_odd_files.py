"""Files that broke something once: strings that double, commas that lead or are missing, keys that
stand twice."""

import pytest

from papertrack.documents.bibtex.blocks import read_blocks
from papertrack.documents.bibtex.edit import with_value
from papertrack.documents.bibtex.fresh import hand_of
from papertrack.documents.bibtex.merge import merge_bibs
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.merge import Labels


def test_strings_that_double_each_other_fill_no_memory() -> None:
    lines = ['@string{a0 = "xxxxxxxxxx"}']
    lines += [f"@string{{a{n} = a{n - 1} # a{n - 1}}}" for n in range(1, 80)]
    text = "\n".join([*lines, "@misc{q, title={A Title}, note=a79}"])
    (entry,) = parse_bibtex(text).entries
    assert len(entry.whole) < 1_000_000


@pytest.mark.parametrize(
    ("entry", "edited"),
    [
        (
            "@article{x, title = {Missing Comma}\n  year = {2003}, journal = {J} }",
            "@article{x, title = {New}\n  year = {2003}, journal = {J} }",
        ),
        ("@article{x, title = 2004 % last\n}", "@article{x, title = {New} % last\n}"),
        ("@article{x, title = {A} # b # {C}}", "@article{x, title = {New}}"),
        ("@article{x, title = name, year = 1}", "@article{x, title = {New}, year = 1}"),
    ],
)
def test_an_edit_keeps_what_stands_behind_a_missing_comma(entry: str, edited: str) -> None:
    assert with_value(entry, "title", "{New}") == edited


def test_an_entry_in_a_hand_with_leading_commas_can_be_read() -> None:
    text = "@article{lead\n, title = {Leading commas}\n, author = {Lea Lead}\n, year = 1999\n}\n"
    made = hand_of(read_blocks(text)).entry("misc", "new", [("title", "T"), ("year", "2001")])
    (block,) = (one for one in read_blocks(made) if one.kind == "entry")
    assert [(one.name, one.value) for one in block.fields] == [("title", "{T}"), ("year", "2001")]


ALPHA = "@article{dup,\n title = {Alpha thing},\n year = 2001\n}\n"
BETA = "@article{dup,\n title = {Beta thing},\n year = 2002\n}\n"
LAST = "@article{z,\n title = {Z}\n}\n"


def test_entries_of_one_key_are_merged_by_their_titles() -> None:
    with_doi = ALPHA.replace("2001\n", "2001,\n doi = {10.1/alpha}\n")
    merged = merge_bibs(
        "\n".join([ALPHA, BETA, LAST]),
        "\n".join([BETA, ALPHA, LAST]),
        "\n".join([with_doi, BETA, LAST]),
        Labels(),
    )
    assert merged.conflicts == 0
    assert merged.text == "\n".join([BETA, with_doi, LAST])


def test_the_first_of_two_entries_of_one_key_may_go() -> None:
    edited = BETA.replace("2002", "2012")
    merged = merge_bibs(
        "\n".join([ALPHA, BETA, LAST]),
        "\n".join([BETA, LAST]),
        "\n".join([ALPHA, edited, LAST]),
        Labels(),
    )
    assert merged.conflicts == 0
    assert merged.text == "\n".join([edited, LAST])
