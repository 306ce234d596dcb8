import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.bibtex.edit import with_entries, with_field, with_key, with_type
from papertrack.documents.bibtex.facts import BibEntry
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
A, B = parse_bibtex(ALIGNED).entries


@pytest.mark.parametrize(
    ("entry", "name", "value", "old", "new"),
    [
        (A, "title", "Uno", "{One}", "{Uno}"),
        (A, "TITLE", "Uno", "{One}", "{Uno}"),
        (A, "year", "2000", "1999", "2000"),
        (A, "year", "in press", "1999", "{in press}"),
        (A, "journal", "K", '"J"', '"K"'),
        (A, "journal", 'a "b"', '"J"', '{a "b"}'),
        (A, "doi", "10.1/x", '"J",\n', '"J",\n  doi     = {10.1/x},\n'),
        (A, "month", "jan", '"J",\n', '"J",\n  month   = jan,\n'),
        (A, "archivePrefix", "arXiv", '"J",\n', '"J",\n  archivePrefix = {arXiv},\n'),
        (B, "doi", "10.1/x", "note={x}", "note={x}, doi={10.1/x}"),
        (A, "year", None, "year    = 1999,\n  ", ""),
        (A, "journal", None, '\n  journal = "J",', ""),
        (B, "note", None, ", note={x}", ""),
        (B, "nothing", None, "", ""),
    ],
)
def test_a_field_changes_in_its_place_and_nothing_else(
    entry: BibEntry, name: str, value: str | None, old: str, new: str
) -> None:
    edited = with_field(entry.raw, name, value)
    assert edited == entry.raw.replace(old, new, 1)
    assert with_entries(ALIGNED, {entry.span: edited}) == ALIGNED.replace(old, new, 1)


def test_an_entry_gets_another_key_and_type() -> None:
    assert with_key(A.raw, "c") == A.raw.replace("{a,", "{c,")
    assert with_type(A.raw, "book") == A.raw.replace("@Article", "@book")
    assert with_type("@ in-proceedings\n{a}", "book") == "@ book\n{a}"


def test_entries_go_and_come_and_nothing_else_changes() -> None:
    assert with_entries(ALIGNED, {}) == ALIGNED
    assert with_entries(ALIGNED, {A.span: ""}) == ALIGNED.replace(A.raw + "\n\n", "")
    assert with_entries(ALIGNED, {B.span: ""}) == ALIGNED.replace(B.raw + "\n", "")
    assert with_entries(ALIGNED, {}, ["@misc{c,\n}\n"]) == ALIGNED + "\n@misc{c,\n}\n"


def test_an_entry_goes_with_its_indentation_and_not_with_that_of_the_next() -> None:
    text = "@misc{a}\n\n  @misc{b}\n\n @misc{c} @misc{d}\n"
    _, b, c, d = (entry.span for entry in parse_bibtex(text).entries)
    assert with_entries(text, {b: ""}) == "@misc{a}\n\n @misc{c} @misc{d}\n"
    assert with_entries(text, {c: ""}) == "@misc{a}\n\n  @misc{b}\n\n @misc{d}\n"
    assert with_entries(text, {b: "", c: "", d: ""}) == "@misc{a}\n\n "


def test_a_field_after_a_comment_is_changed_where_it_stands() -> None:
    text = "@misc{k,\n  title = {A}, % see\n  author = {B},\n  % year = {1},\n  year = 2\n}\n"
    edited = with_field(with_field(text.strip(), "author", "C"), "year", "3") + "\n"
    assert edited == text.replace("{B}", "{C}").replace("= 2", "= 3")


def test_edits_of_one_entry_follow_each_other() -> None:
    edited = with_field(with_field(B.raw, "title", "{A}, B = C"), "note", None)
    edited = with_key(with_field(edited, "year", "1"), "bb")
    changed = {B.span: edited, A.span: with_field(A.raw, "title", "longer than before")}
    assert with_entries(ALIGNED, changed) == ALIGNED.replace(
        "@misc{b, title={Two}, note={x}}", "@misc{bb, title={{A}, B = C}, year={1}}"
    ).replace("One", "longer than before")


@pytest.mark.parametrize(
    ("entry", "edited"),
    [
        ("@misc{a\n  , title = {T}\n  , year = 1\n}",
         "@misc{a\n  , title = {T}\n  , year = 1\n  , doi = {x}\n}"),
        ("@misc{a}", "@misc{a,\n  doi = {x}\n}"),
        ("@misc{a,\r\n\ttitle=\"{\"}\",\r\n}",
         "@misc{a,\r\n\ttitle=\"{\"}\",\r\n\tdoi=\"x\",\r\n}"),
        ("@misc(a, title = {)})", "@misc(a, title = {)}, doi = {x})"),
        ("@misc{a, title = x # { = } # \"y\"}", "@misc{a, title = x # { = } # \"y\", doi = {x}}"),
    ],
)  # fmt: skip
def test_a_new_field_is_laid_out_as_the_last_one(entry: str, edited: str) -> None:
    assert with_field(entry, "doi", "x") == edited


def test_a_new_entry_takes_the_files_line_ends() -> None:
    assert with_entries("", {}, ["@misc{a,\n}"]) == "@misc{a,\n}\n"
    assert with_entries("x\r\n", {}, ["@misc{a,\n}"]) == "x\r\n\r\n@misc{a,\r\n}\r\n"
    assert with_entries("x", {}, ["@b{}", "@c{}"]) == "x\n\n@b{}\n\n@c{}\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [("a b", "x"), *(("title", v) for v in ("}", "{", "}{", "{\\}", "\n@misc{x"))],
)
def test_a_field_that_would_break_the_entry_is_refused(name: str, value: str) -> None:
    with pytest.raises(DocumentError):
        with_field(A.raw, name, value)


def test_a_key_type_or_text_that_is_none_is_refused() -> None:
    for key in ("a,b", ""):
        with pytest.raises(DocumentError):
            with_key(A.raw, key)
    with pytest.raises(DocumentError):
        with_type(A.raw, "a b")
    for value in ("x", None):
        with pytest.raises(DocumentError):
            with_field(A.raw[1:], "title", value)


VALUES = st.text(alphabet='ab ,=#"{}\\@\n', max_size=12)


@given(st.lists(st.tuples(st.sampled_from(["title", "note", "year", "doi"]), VALUES), max_size=6))
def test_after_any_edits_the_file_reads_as_edited(fields: list[tuple[str, str]]) -> None:
    expected = {"title": "One", "year": "1999", "journal": "J"}
    text = A.raw
    for name, value in fields:
        try:
            text = with_field(text, name, value)
        except DocumentError:
            continue
        expected[name] = value
    entries = parse_bibtex(with_entries(ALIGNED, {A.span: text})).entries
    assert dict(entries[0].fields) == expected
    assert entries[1].raw == "@misc{b, title={Two}, note={x}}"
