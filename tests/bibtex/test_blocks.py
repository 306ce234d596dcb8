"""Blocks begin and end where BibTeX sees them; each part is where it says, in any text."""

import logging
import re

import pytest
from bibtexparser import model
from bibtexparser.splitter import Splitter
from hypothesis import assume, example, given
from hypothesis import strategies as st

from papertrack.documents.bibtex.blocks import Block, read_blocks
from papertrack.documents.bibtex.names import unquoted
from papertrack.documents.encoding import decode_bib
from tests.corpus import files, needs_corpus, some

PLAIN = """@Article {kwon:2023, title = {A {B{\\"o}} \\& "c"} , year=2023,
  author = "Kwon and {Li}", month = jan # { x},}
@misc{b, note={2}}
"""
PIECES = st.sampled_from(
    (
        *("@article{k,", "@misc(k,", " title = {A {B} c},", 'note="x {y} \\"z",', "year=2023,"),
        *("}", "year=2023,", "\n", "\n\n@book{b,a={1}}\n", "@", "{", "}", '"', "\\", "=", ",", "#"),
        *("(", ")", " ", '{"}', "@string{s = {t}}", "@comment{ @x{y} }", "@comments{c}", "word"),
        *("\\{", "é", "\t", "crossref = {b},", "month = jan,", "% why\n", "@preamble{"),
        *("@string(s = ", "{{{{{{deep}}}}}}", "\xa0", "@ article{a,", "@in-book\n{b,", "{\\}"),
    )
)
# What bibtexparser reads otherwise than BibTeX.
OTHERWISE = re.compile(
    r"@[ \t]+[\w-]*\s*[{(]|@\w*-[\w-]*\s*[{(]|@\w*\s*\n\s*[{(]|"
    r'(?i:@(?:comment|preamble|string)\w)|[^\S \t\n]|\\|"'
)
INSIDE_BRACES = re.compile(r"\{[^}]*\n\s*@\w*\s*[{(]")


def assert_each_part_is_where_it_says(text: str) -> list[Block]:
    blocks = list(read_blocks(text))
    for block in blocks:
        assert block.line == text.count("\n", 0, block.start) + 1
        assert text[block.start : block.end] == block.raw
        assert text[block.key_start : block.key_start + len(block.key)] == block.key
        done = block.key_start + len(block.key)
        for field in block.fields:
            assert done <= field.start <= field.end
            assert text[field.start : field.start + len(field.name)] == field.name
            assert "=" in text[field.start + len(field.name) : field.value_start]
            assert text[field.value_start : field.end] == field.value
            done = field.end
        if block.kind == "entry":
            (alone,) = read_blocks(block.raw)
            assert alone.fields == tuple(
                field._replace(
                    start=field.start - block.start, value_start=field.value_start - block.start
                )
                for field in block.fields
            )
    return blocks


@given(st.lists(PIECES, max_size=25).map("".join))
@example(PLAIN)
@example("@article{open, title={\n" + PLAIN)
@example("@article\n" + PLAIN)
@example("@article{a, title={x} }  @misc{b, note={on the same line}}\n" + PLAIN)
@example("@misc{\n@article{b, year=1}\n")
@example('@misc{a, title="{"}"}')
@example("@misc(a, note={)}, year=1)\n@misc(b)" + PLAIN)
@example('@string(a = ")" # b)\n@preamble{"x" # {y}}')
@example("@misc{a, x = {@misc{b, c=1}}, d}\n@misc{b, c=1}")
def test_each_part_of_any_text_is_where_it_says(text: str) -> None:
    assert_each_part_is_where_it_says(text)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_what_bibtexparser_reads_as_bibtex_does_is_read_as_by_it(text: str) -> None:
    assume(not OTHERWISE.search(text) and not INSIDE_BRACES.search(text))
    expected = []
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    for found in Splitter(text).split().blocks:
        block = getattr(found, "ignore_error_block", None) or found
        if isinstance(block, model.Entry):
            fields = [(f.key.rpartition("\n")[2].strip() if "%" in f.key else f.key, f.value)
                      for f in block.fields]  # fmt: skip
            expected.append((block.raw, block.entry_type, block.key, fields))
    entries = [block for block in read_blocks(text) if block.kind == "entry"]
    assert expected == [
        (one.raw, one.type, one.key, [(f.name, f.value) for f in one.fields]) for one in entries
    ]


def fields_of(text: str) -> dict[str, str]:
    (entry,) = read_blocks(text)
    assert entry.kind == "entry"
    return {field.name: unquoted(field.value, {}) for field in entry.fields}


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("{Doe, Ann and L\\{oh, Bert}}", "Doe, Ann and L\\{oh, Bert}"),
        ('"Erd{\\"o}s"', 'Erd{\\"o}s'),
        ('"a {"quoted, word"} b"', 'a {"quoted, word"} b'),
        ('"{"}"', '{"}'),
        ('{6" \\"x}', '6" \\"x'),
        ("{mail\n @home{here} x}", "mail\n @home{here} x"),
        ("{\n@article{inner, a={b}}\n}", "\n@article{inner, a={b}}\n"),
        ('"{\n@article{inner, a="b"}\n}"', '{\n@article{inner, a="b"}\n}'),
        ("{ends in a backslash \\}", "ends in a backslash \\"),
    ],
)
def test_only_the_depth_of_braces_counts(value: str, read: str) -> None:
    text = f"@misc{{a,\n  title = {value},\n  year = 2001\n}}"
    assert fields_of(text) == {"title": read, "year": "2001"}


def test_the_next_block_ends_an_entry_only_where_its_braces_never_balance() -> None:
    broken, text, other = "@misc{a, title={x, year=1}", "\n", "@misc{b, year=2}"
    first, second = read_blocks(broken + text + other)
    assert (first.kind, second.kind, second.raw) == ("broken", "entry", other)
    assert first.text == "it has no end before the next block"
    # Nor does what is left open above change what stands below.
    (_, quoted) = read_blocks(broken + text + '@misc(b, title="a, {\\"o}", year=2)')
    assert [field.value for field in quoted.fields] == ['"a, {\\"o}"', "2"]


@pytest.mark.parametrize("blank", ["\xa0", "\u2009", "\u3000", "\x1f"])
def test_only_blanks_of_ascii_part_and_end_keys(blank: str) -> None:
    for key in (f"Klein{blank}Tank2013", f"{blank}a", f"a{blank}"):
        (entry,) = read_blocks(f"@misc{{ {key} , year=1}}")
        assert entry.key == key


@pytest.mark.parametrize(
    ("head", "entry_type"),
    [
        ("@commentary{", "commentary"),
        ("@COMMENTED{", "commented"),
        ("@stringtheory(", "stringtheory"),
        ("@in-proceedings {", "in-proceedings"),
        ("@ Article{", "article"),
        ("@article\n{", "article"),
        ("@article \r\n  (", "article"),
    ],
)
def test_an_entry_begins_wherever_bibtex_sees_one(head: str, entry_type: str) -> None:
    closing = "}" if "{" in head else ")"
    own = f"{head}a, title={{A}}, year=1990{closing}"
    _, one, other = read_blocks(f"Words, bob@example.org\n{own}\n{own}\n")
    assert (one.raw, one.type, one.key, one.line) == (own, entry_type, "a", 2)
    assert other.raw == own


@pytest.mark.parametrize("head", ["@ string{", "@String\n {", "@STRING ("])
def test_a_string_begins_wherever_bibtex_sees_one(head: str) -> None:
    closing = ")" if "(" in head else "}"
    (block,) = read_blocks(f'{head}jd = "J. Doors"{closing}')
    assert (block.kind, block.key, block.text) == ("string", "jd", '"J. Doors"')


@pytest.mark.parametrize("size", [1_000, 10_000])
@pytest.mark.parametrize("piece", ["@a{", "{", "@ ", "@a{b, c={", 'x = "{', "@a(", "\n@a{", "}"])
def test_hostile_texts_are_read_in_linear_time(piece: str, size: int) -> None:
    assert_each_part_is_where_it_says(piece * size) if size == 1_000 else list(
        read_blocks(piece * size)
    )


@needs_corpus
@pytest.mark.corpus
def test_each_part_of_each_file_of_a_collection_is_where_it_says() -> None:
    for path in some(files("bib/*.bib"), "blocks", 150):
        text, _ = decode_bib(path.read_bytes())
        assert_each_part_is_where_it_says(text)
