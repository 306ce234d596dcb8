import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papertrack.documents.bibtex.edit import (
    AddEntry,
    BibEdit,
    RemoveEntry,
    RemoveField,
    SetField,
    SetKey,
    apply_bib_edits,
)
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.errors import DocumentError

ALIGNED = """\
% mine
@Article{a,
  title   = {One},
  year    = 1999,
  journal = "J",
}

@misc{b, title={Two}, note={x}}
"""
A = ALIGNED.index("@Article")
B = ALIGNED.index("@misc")


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (SetField(A, "title", "Uno"), "{One}", "{Uno}"),
        (SetField(A, "TITLE", "Uno"), "{One}", "{Uno}"),
        (SetField(A, "year", "2000"), "1999", "2000"),
        (SetField(A, "year", "in press"), "1999", "{in press}"),
        (SetField(A, "journal", "K"), '"J"', '"K"'),
        (SetField(A, "journal", 'a "b"'), '"J"', '{a "b"}'),
        (SetField(A, "doi", "10.1/x"), '"J",\n', '"J",\n  doi     = {10.1/x},\n'),
        (SetField(A, "month", "jan"), '"J",\n', '"J",\n  month   = jan,\n'),
        (SetField(A, "archivePrefix", "arXiv"), '"J",\n', '"J",\n  archivePrefix = {arXiv},\n'),
        (SetField(B, "doi", "10.1/x"), "note={x}", "note={x}, doi={10.1/x}"),
        (RemoveField(A, "year"), "year    = 1999,\n  ", ""),
        (RemoveField(A, "journal"), '\n  journal = "J",', ""),
        (RemoveField(B, "note"), ", note={x}", ""),
        (RemoveField(B, "nothing"), "", ""),
        (SetKey(A, "c"), "{a,", "{c,"),
        (RemoveEntry(A), ALIGNED[A:B], ""),
        (RemoveEntry(B), ALIGNED[B:], ""),
        (AddEntry("@misc{c,\n}\n"), "note={x}}\n", "note={x}}\n\n@misc{c,\n}\n"),
    ],
)
def test_one_edit_changes_its_place_and_nothing_else(edit: BibEdit, old: str, new: str) -> None:
    assert apply_bib_edits(ALIGNED, [edit]) == ALIGNED.replace(old, new, 1)


def test_a_field_after_a_comment_is_changed_where_it_stands() -> None:
    text = "@misc{k,\n  title = {A}, % see\n  author = {B},\n  % year = {1},\n  year = 2\n}\n"
    edits = [SetField(0, "author", "C"), SetField(0, "year", "3")]
    assert apply_bib_edits(text, edits) == text.replace("{B}", "{C}").replace("= 2", "= 3")


def test_edits_of_one_entry_follow_each_other() -> None:
    edits = [
        SetField(B, "title", "{A}, B = C"),
        RemoveField(B, "note"),
        SetField(B, "year", "1"),
        SetKey(B, "bb"),
        SetField(A, "title", "longer than before"),
    ]
    assert apply_bib_edits(ALIGNED, edits) == ALIGNED.replace(
        "@misc{b, title={Two}, note={x}}", "@misc{bb, title={{A}, B = C}, year={1}}"
    ).replace("One", "longer than before")


@pytest.mark.parametrize(
    ("entry", "edited"),
    [
        ("@misc{a\n  , title = {T}\n  , year = 1\n}",
         "@misc{a\n  , title = {T}\n  , year = 1\n  , doi = {x}\n}"),
        ("@misc{a}", "@misc{a,\n  doi = {x}\n}"),
        ("@misc{a,\r\n\ttitle=\"{\"}\",\r\n}", "@misc{a,\r\n\ttitle=\"{\"}\",\r\n\tdoi={x},\r\n}"),
        ("@misc(a, title = {)})", "@misc(a, title = {)}, doi = {x})"),
        ("@misc{a, title = x # { = } # \"y\"}", "@misc{a, title = x # { = } # \"y\", doi = {x}}"),
    ],
)  # fmt: skip
def test_a_new_field_is_laid_out_as_the_last_one(entry: str, edited: str) -> None:
    assert apply_bib_edits(entry, [SetField(0, "doi", "x")]) == edited


def test_a_new_entry_takes_the_files_line_ends() -> None:
    assert apply_bib_edits("", [AddEntry("@misc{a,\n}")]) == "@misc{a,\n}\n"
    assert apply_bib_edits("x\r\n", [AddEntry("@misc{a,\n}")]) == "x\r\n\r\n@misc{a,\r\n}\r\n"
    assert apply_bib_edits("x", [AddEntry("@b{}"), AddEntry("@c{}")]) == "x\n\n@b{}\n\n@c{}\n"


@pytest.mark.parametrize(
    "edit",
    [
        SetField(A + 1, "title", "x"),
        SetField(A, "title", "}"),
        SetField(A, "title", "{"),
        SetField(A, "title", "}{"),
        SetField(A, "title", "{\\}"),
        SetField(A, "title", "\n@misc{x"),
        SetField(A, "a b", "x"),
        SetKey(A, "a,b"),
        SetKey(A, ""),
        RemoveField(3, "title"),
    ],
)
def test_what_would_break_the_file_is_refused(edit: BibEdit) -> None:
    with pytest.raises(DocumentError):
        apply_bib_edits(ALIGNED, [edit])


VALUES = st.text(alphabet='ab ,=#"{}\\@\n', max_size=12)


@settings(max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(["title", "note", "year", "doi"]), VALUES), max_size=6))
def test_after_any_edits_the_file_reads_as_edited(fields: list[tuple[str, str]]) -> None:
    expected = {"title": "One", "year": "1999", "journal": "J"}
    text = ALIGNED
    for name, value in fields:
        try:
            text = apply_bib_edits(text, [SetField(A, name, value)])
        except DocumentError:
            continue
        expected[name] = value
    entries = parse_bibtex(text).entries
    assert dict(entries[0].fields) == expected
    assert entries[1].raw == "@misc{b, title={Two}, note={x}}"
