"""Blocks begin and end where bibtexparser sees them, in any text; each part is where it says."""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bibtexparser import model
from bibtexparser.entrypoint import parse_string
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from papertrack.documents.bibtex import scan
from papertrack.documents.bibtex.grounds import REFERRING, names_of, references_of
from papertrack.documents.bibtex.scan import Block, lone_entry, read_blocks
from papertrack.documents.bibtex.values import unquoted
from papertrack.documents.encoding import decode_bib

CORPUS = os.environ.get("PAPERTRACK_CORPUS", "")
PLAIN = """@Article {kwon:2023, title = {A {B{\\"o}} \\& "c"} , year=2023,
  author = "Kwon and {Li}", month = jan # { x},}
@misc{b, note={2}}
"""
PIECES = st.sampled_from(
    (
        *(
            "@article{k,",
            "@misc(k,",
            " title = {A {B} c},",
            'note="x {y} \\"z",',
            "year=2023,",
            "}",
        ),
        *(
            "year=2023,",
            "\n",
            "\n\n@book{b,a={1}}\n",
            "@",
            "{",
            "}",
            '"',
            "\\",
            "=",
            ",",
            "#",
            "(",
            ")",
            " ",
        ),
        *('{"}', "@string{s = {t}}", "@comment{ @x{y} }", "@comments{c}", "word", "\\{", "é", "\t"),
        *("crossref = {b},", "month = jan,"),
        *("% why\n", "@preamble{", "@string(s = ", "{{{{{{deep}}}}}}"),
    )
)
KINDS = {
    model.Entry: "entry",
    model.String: "string",
    model.Preamble: "preamble",
    model.ExplicitComment: "comment",
    model.ImplicitComment: "text",
}
# What BibTeX and biber read as the beginning of an entry, and bibtexparser does not.
NOT_OF_BIBTEXPARSER = re.compile(
    r"@[ \t]+[\w-]*\s*[{(]|@\w*-[\w-]*\s*[{(]|@\w*\s*\n\s*[{(]|(?i:@(?:comment|preamble|string)\w)"
)
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)


def as_bibtexparser_reads(text: str) -> Iterator[tuple[object, ...]]:
    for block in parse_string(text, parse_stack=[]).blocks:
        # A repeated key or field makes a block around the entry that was read nevertheless.
        block = getattr(block, "ignore_error_block", None) or block
        raw = block.raw
        if isinstance(block, model.ParsingFailedBlock):
            yield ("broken",)
        elif isinstance(block, model.ImplicitComment):
            # A comment without it never looks like an entry.
            if "@" in raw:
                yield "text", raw
        elif isinstance(block, model.Entry):
            fields = [(name_of(f.key), unquoted(f.value, {})) for f in block.fields]
            yield "entry", raw, block.entry_type, block.key, fields
        elif isinstance(block, model.String):
            yield "string", raw, block.key, block.value
        else:
            said = getattr(block, "comment", getattr(block, "value", ""))
            yield KINDS[type(block)], raw, said.strip()


def name_of(key: str) -> str:
    """Without the comment that biber allows before a name."""
    return key.rpartition("\n")[2].strip() if "%" in key and "\n" in key else key


def compared(block: Block) -> tuple[object, ...]:
    match block.kind:
        case "broken":
            return ("broken",)
        case "text":
            return "text", block.raw
        case "entry":
            fields = [
                (f.name, f.value[1:-1] if f.is_plain else unquoted(f.value, {}))
                for f in block.fields
            ]
            return "entry", block.raw, block.type, block.key, fields
        case "string":
            return "string", block.raw, block.key, block.text
    return block.kind, block.raw, block.text


def assert_is_read_as_by_bibtexparser(text: str) -> None:
    blocks = list(read_blocks(text))
    assert [compared(block) for block in blocks] == list(as_bibtexparser_reads(text))
    for block in blocks:
        assert block.line == text.count("\n", 0, block.start) + 1
        assert text[block.start : block.start + len(block.raw)] == block.raw
        assert text[block.key_start : block.key_start + len(block.key)] == block.key
        done = block.key_start + len(block.key)
        for field in block.fields:
            assert done <= field.start < field.end
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
            assert_needs_nothing_if_it_is_told_so(alone)


def assert_needs_nothing_if_it_is_told_so(entry: Block) -> None:
    lone = lone_entry(entry.raw, REFERRING)
    if lone is not None:
        assert lone == entry._replace(fields=())
        assert not [*names_of(entry), *references_of(entry)]


LONE = st.sampled_from(
    "@misc{k,|@misc(k,|,|, |a = |b={|c = {{|{|}|},|} ,|})|)|x y|\\|\\}|d={z},|e=1|@|\n@m{l,".split(
        "|"
    )
)


@given(st.lists(LONE, max_size=25).map("".join))
@example("@misc{k, a={x}, b={{y}}, c={\\'e}, d={z} , e={v}}")
@example("@misc(k, a={x}, b={y})")
@example("@misc{k, a={x}")
def test_the_short_way_of_reading_values_comes_to_the_same(text: str) -> None:
    blocks = list(read_blocks(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan._BlockReader, "_lone_end", lambda self, at: 0)
        assert blocks == list(read_blocks(text))


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=25).map("".join))
@example(PLAIN)
@example("@article{open, title={\n" + PLAIN)
@example("@article\n" + PLAIN)
@example("@article{a, title={x} }  @misc{b, note={on the same line}}\n" + PLAIN)
@example('@misc{a, title="{"}"}\n' + PLAIN)
@example('@misc{a, title="{"}"}')
@example("@misc{a, note={b} note={c}}\n" + PLAIN)
@example("@misc(a, note={)}, year=1)\n@misc(b)" + PLAIN)
@example("@misc{a, note={{{{{{deep}}}}}}, year=1}")
@example('@string(a = ")" # b)\n@preamble{"x" # {y}}')
def test_any_text_is_read_as_bibtexparser_reads_it(text: str) -> None:
    assume(not NOT_OF_BIBTEXPARSER.search(text))
    assert_is_read_as_by_bibtexparser(text)


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
    assert_needs_nothing_if_it_is_told_so(next(read_blocks(own)))


@pytest.mark.parametrize(
    ("field", "is_told"),
    [
        ("year = 2023", True),
        ("title = {A {B{\\o}} c}", True),
        ('title = "a related = {one}"', True),
        ("month = jan", False),
        ("title = {a} # b", False),
        ("CrossRef = {other}", False),
        ("related = {other}", False),
    ],
)
def test_an_entry_without_strings_and_parents_is_told_to_need_nothing(
    field: str, is_told: bool
) -> None:
    text = f"@Misc{{a:b,\n  note = {{x}},\n  {field},\n}}"
    assert (lone_entry(text, REFERRING) is not None) == is_told
    (entry,) = read_blocks(text)
    assert_needs_nothing_if_it_is_told_so(entry)


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="PAPERTRACK_CORPUS is not set")
def test_each_file_of_a_collection_is_read_as_bibtexparser_reads_it() -> None:
    for path in Path(CORPUS, "bib").glob("*.bib"):
        text, _ = decode_bib(path.read_bytes())
        if NOT_OF_BIBTEXPARSER.search(text):
            continue
        assert_is_read_as_by_bibtexparser(text)
