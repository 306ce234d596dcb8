"""What one pattern reads quickly is what bibtexparser reads, in every text."""

import os
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from papertrack.documents.bibtex import blocks, decode_bib
from papertrack.documents.bibtex.blocks import Block, read_blocks
from papertrack.documents.bibtex.values import unquoted

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
    )
)


def as_bibtexparser_reads(text: str) -> list[Block]:
    return list(blocks._read_slowly(text, 0, len(text), 1))


def compared(found: list[Block]) -> list[tuple[object, ...]]:
    return [
        (
            *(block.kind, block.start, block.line, block.raw, block.type, block.key, block.text),
            [(n, v if is_text else unquoted(v, {})) for n, v, is_text in block.fields],
        )
        for block in found
        # A comment without it never looks like an entry.
        if block.kind != "ImplicitComment" or "@" in block.raw
    ]


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=25).map("".join))
@example(PLAIN)
@example("@article{open, title={\n" + PLAIN)
@example("@article\n" + PLAIN)
@example("@article{a, title={x} }  @misc{b, note={on the same line}}\n" + PLAIN)
@example('@misc{a, title="{"}"}\n' + PLAIN)
@example("@misc{a, note={b} note={c}}\n" + PLAIN)
def test_any_text_is_read_as_bibtexparser_reads_it(text: str) -> None:
    assert compared(list(read_blocks(text))) == compared(as_bibtexparser_reads(text))


def test_plain_entries_do_not_need_bibtexparser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(blocks, "_read_slowly")
    entry = PLAIN.replace(" # { x}", "")
    assert [block.line for block in read_blocks(entry * 3)] == [1, 3, 4, 6, 7, 9]


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="PAPERTRACK_CORPUS is not set")
def test_each_file_of_a_collection_is_read_as_bibtexparser_reads_it() -> None:
    for path in Path(CORPUS, "bib").glob("*.bib"):
        text, _ = decode_bib(path.read_bytes())
        assert compared(list(read_blocks(text))) == compared(as_bibtexparser_reads(text)), path
