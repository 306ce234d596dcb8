"""Several works in one cell: each is one entry, and an edit of one touches only it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from papertrack.documents.markdown.model import Document, EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Move,
    Remove,
    SetLink,
    SetPasses,
    SetTitle,
)
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.documents.markdown.write.hunks import hunks_of_gone, with_hunks

A, B, C, D = (
    f"[{name}](https://arxiv.org/abs/2301.0000{number})"
    for number, name in enumerate(("RAG", "REALM", "Deep Retrieval of Text", "Atlas"), start=1)
)
HEAD = "# List\n\n## Topics\n\n| Topic | Papers | Year |\n|:--|:--|--|\n"


def topics(*cells: str) -> Document:
    rows = [f"| Topic {number} | {cell} | 2023 |\n" for number, cell in enumerate(cells)]
    return parse_document(HEAD + "".join(rows))


def titles(document: Document) -> list[str]:
    return [entry.fields.title for entry in document.entries]


def after(document: Document, *edits: Edit) -> str:
    made = apply_edits(document, edits)
    assert not made.refused, made.refused
    return made.text


def why_not(document: Document, edit: Edit) -> str:
    made = apply_edits(document, [edit])
    assert made.text == document.text
    return made.refused[0].reason


@pytest.mark.parametrize(
    "cell",
    [
        f"{A}, {B}, {C}",
        f"{A}<br>{B}<br/>{C}",
        f"{A} / {B} / {C}",
        f"1. {A}<br>2. {B}<br>3. {C}",
        f"**{A}**, **{B}** and *{C}*",
        f"{A} (2020), {B} (2021), {C} (2022)",
        f"{A} [code](https://github.com/a/rag); {B}; {C}",
        f"• {A} • {B} • {C}",
    ],
)
def test_each_work_of_a_cell_is_an_entry(cell: str) -> None:
    document = topics(cell, f"{D}")
    assert titles(document) == ["RAG", "REALM", "Deep Retrieval of Text", "Atlas"]
    assert [entry.key for entry in document.entries] == [
        f"arxiv:2301.0000{number}" for number in range(1, 5)
    ]
    assert {entry.shape for entry in document.entries} == {"row"}
    spans = [entry.span for entry in document.entries]
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


def test_the_column_of_titles_may_list_several_works_too() -> None:
    text = f"| Papers | Year |\n|--|--|\n| {C} | 2020 |\n| {A}, {B} | 2021 |\n| {D} | 2022 |\n"
    document = parse_document(text)
    assert titles(document) == ["Deep Retrieval of Text", "RAG", "REALM", "Atlas"]
    assert [entry.is_shared for entry in document.entries] == [False, True, True, False]


@pytest.mark.parametrize(
    "cell",
    [
        "[arXiv](https://arxiv.org/abs/2301.00001) [Paper](https://arxiv.org/abs/2301.00002)",
        "[v1](https://arxiv.org/abs/2301.00001v1) [v2](https://arxiv.org/abs/2301.00001v2)",
        "[x](https://arxiv.org/abs/2301.00001), [y](https://doi.org/10.1145/3600006.3613165)",
        f"This follows the idea of {A}, which is more than what {B} had in mind before",
    ],
)
def test_a_cell_about_one_work_is_one_entry(cell: str) -> None:
    (entry,) = parse_document(
        f"| Title | Papers |\n|--|--|\n| One Title of a Work | {cell} |\n"
    ).entries
    assert entry.fields.title == "One Title of a Work"


@pytest.mark.parametrize(
    ("index", "left"),
    [(0, f"{B}, {C}"), (1, f"{A}, {C}"), (2, f"{A}, {B}")],
)
def test_a_work_is_taken_out_alone(index: int, left: str) -> None:
    document = topics(f"{A}, {B}, {C}", f"{D}")
    assert after(document, Remove(index)) == topics(left, f"{D}").text


def test_several_works_are_taken_out_together() -> None:
    document = topics(f"**{A}**<br>**{B}**<br>**{C}**", f"{D}, {D[:-2]}9)")
    assert after(document, Remove(0), Remove(1)) == topics(f"**{C}**", f"{D}, {D[:-2]}9)").text


def test_a_work_is_retitled_alone() -> None:
    document = topics(f"{A}, {B}, {C}", f"{D}")
    made = after(document, SetTitle(1, "Real | M"))
    assert made == document.text.replace("[REALM]", r"[Real \| M]")


def test_the_last_work_of_a_row_is_not_taken_out_with_what_the_row_says() -> None:
    document = topics(f"{A}, {B}, {C}", f"{D}")
    assert "last work in its row" in why_not(document, Remove(3))


def test_what_all_works_of_a_row_share_is_not_written_for_one() -> None:
    text = f"{HEAD}| Topic | {A}, {B} | |\n\n## Other\n\n| Topic | Papers | Year |\n|--|--|--|\n"
    document = parse_document(text)
    assert "same row" in why_not(document, SetLink(0, "paper", "https://arxiv.org/abs/2401.00001"))
    assert "same row" in why_not(document, Move(0, ("Other",)))
    assert "no place" in why_not(document, SetPasses(0, 1))
    added = Add(("Topics",), EntryFields(title="New Work"))
    assert "several works" in why_not(document, added)


def test_a_work_that_was_taken_out_comes_back_where_it_was() -> None:
    document = topics(f"{A}, {B}, {C}", f"{D}")
    made = apply_edits(document, [Remove(1)])
    left = document.parse_again(made.text)
    assert with_hunks(left, hunks_of_gone(document, 1, left)) == (document.text, ())
