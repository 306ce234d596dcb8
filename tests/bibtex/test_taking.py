"""Entries are taken out of a .bib file and put back where they were, byte for byte."""

from dataclasses import replace
from itertools import permutations

import pytest

from papertrack.documents.bibtex.edit import removed_hunk, with_entries, with_hunks
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.hunks import Hunk

TEXT = """% Start
@misc{a, title={A}}
% About b
@misc{b, title={B}}


@comment{between} @misc{c, title={C}} @misc{d, title={D}}
broken @misc{e, title={E}}%end"""


def taken_out(text: str, gone: set[str]) -> tuple[str, list[Hunk]]:
    entries = parse_bibtex(text).entries
    keys = [entry.citekey or "" for entry in entries]
    numbers = [number for number, key in enumerate(keys) if key in gone]
    taken = [removed_hunk(text, entries, keys, number) for number in numbers]
    return with_entries(text, {entries[number].span: "" for number in numbers}), taken


def put_back(text: str, taken: list[Hunk]) -> str:
    entries = parse_bibtex(text).entries
    later = [replace(hunk, order=order) for order, hunk in enumerate(taken)]
    return with_hunks(text, entries, [e.citekey or "" for e in entries], later)


@pytest.mark.parametrize("text", [TEXT, TEXT + "\n", TEXT.replace("\n", "\r\n")])
@pytest.mark.parametrize("order", list(permutations("abcde"))[::15])
def test_what_was_taken_out_comes_back_byte_for_byte(text: str, order: tuple[str, ...]) -> None:
    for steps in range(1, 6):
        now, taken = text, []
        for key in order[:steps]:
            now, more = taken_out(now, {key})
            taken += more
        assert put_back(now, taken) == text
        now, taken = taken_out(text, set(order[:steps]))
        assert len(taken) == steps
        assert put_back(now, taken) == text


@pytest.mark.parametrize(
    ("left", "wanted"),
    [
        ("", "@misc{b, title={B}}\n"),
        ("% Other\n", "% Other\n\n@misc{b, title={B}}\n"),
        ("@misc{a, x={1}}", "@misc{a, x={1}}\n\n@misc{b, title={B}}\n"),
        (
            "@misc{a, x={1}}\n\n% z\n@misc{z}\n",
            "@misc{a, x={1}}\n\n@misc{b, title={B}}\n\n% z\n@misc{z}\n",
        ),
    ],
)
def test_an_entry_whose_place_is_gone_stands_alone(left: str, wanted: str) -> None:
    _, taken = taken_out(TEXT, {"b"})
    assert put_back(left, taken) == wanted
