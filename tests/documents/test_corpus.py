"""Promises kept over every README of the collections."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path

import pytest

from benchmarks.documents_coverage import held_ids, seen_ids
from papertrack.documents.encoding import decode_document, encode_document
from papertrack.documents.markdown.model import Document, EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.repair import find_damage, repair_encoding
from papertrack.documents.markdown.syntax import cut_lines
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Remove,
    SetLink,
    SetPasses,
    SetRating,
)
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.identifiers import arxiv_month
from papertrack.records import Link
from tests.corpus import files, needs_corpus, read, some

pytestmark = [pytest.mark.corpus, needs_corpus]

READMES = some(files("readmes/*.md"), "reading", 60)
HISTORIES = some(files("readmes-history/*/*.md"), "reading", 40)
NEW = EntryFields(
    title="A paper | nobody [has] written `yet`",
    authors=("Ada Lovelace", "Alan Turing"),
    passes=0,
    links=(Link("paper", "https://arxiv.org/abs/2602.01234"),),
)


@lru_cache(maxsize=8)
def parse(text: str) -> Document:
    """A text is parsed once, by a test or after an edit: documents are immutable."""
    return replace(parse_document(text), parse=lambda again, settings: parse(again))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


# All tests of one README follow each other, so that it is parsed once for them.
each_readme = pytest.mark.parametrize("path", READMES, ids=name, scope="module")
each_document = pytest.mark.parametrize("path", READMES + HISTORIES, ids=name, scope="module")


def changed_lines(old: str, new: str) -> list[tuple[list[str], list[str]]]:
    """Return the (old, new) lines of each difference, line ends included."""
    first, second = old.splitlines(keepends=True), new.splitlines(keepends=True)
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return [
        (first[a:b], second[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"
    ]


def largest_category(document: Document) -> tuple[str, ...]:
    papers = [e.category for e in document.entries if e.fields.kind == "paper"]
    return Counter(papers or [e.category for e in document.entries]).most_common(1)[0][0]


@each_document
def test_without_edits_no_byte_changes(path: Path) -> None:
    data = path.read_bytes()
    text, encoding = decode_document(data)
    edited = apply_edits(parse(text), [])
    assert encode_document(edited.text, encoding) == data


@each_readme
def test_entries_are_in_order_with_spans_inside_the_text_and_keys_of_their_own(path: Path) -> None:
    document = parse(read(path))
    spans = [entry.span for entry in document.entries]
    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(document.text) for start, end in spans)
    assert len({entry.key for entry in document.entries}) == len(document.entries)
    for entry in document.entries:
        for link in entry.anatomy.links:
            if link.form in ("inline", "bare", "html", "autolink", "reference"):
                assert document.text[slice(*link.url_span)] == link.url


@each_readme
def test_a_pass_marked_changes_one_line_and_unmarked_none(path: Path) -> None:
    document = parse(read(path))
    marked = [entry for entry in document.entries if "passes" in entry.places]
    for entry in marked[:: max(1, len(marked) // 4)]:
        passes = 0 if entry.fields.passes else 1
        edited = apply_edits(document, [SetPasses(entry.index, passes)])
        assert not edited.refused
        changes = changed_lines(document.text, edited.text)
        assert [(len(old), len(new)) for old, new in changes] == [(1, 1)]
        again = parse(edited.text)
        assert again.entries[entry.index].key == entry.key
        assert again.entries[entry.index].fields.passes == passes
        undone = apply_edits(again, [SetPasses(entry.index, entry.fields.passes or 0)])
        assert undone.text == document.text


@each_readme
def test_a_rating_set_and_taken_back_leaves_the_bytes(path: Path) -> None:
    document = parse(read(path))
    rated = [entry for entry in document.entries if "rating" in entry.places]
    for entry in rated[:: max(1, len(rated) // 3)]:
        rating = 2 if entry.fields.rating != 2 else 3
        edited = apply_edits(document, [SetRating(entry.index, rating)])
        again = parse(edited.text)
        assert again.entries[entry.index].fields.rating == rating
        undone = apply_edits(again, [SetRating(entry.index, entry.fields.rating)])
        assert undone.text == document.text


@each_readme
def test_a_paper_added_adds_its_lines_only_and_removing_it_gives_the_bytes_back(
    path: Path,
) -> None:
    document = parse(read(path))
    if not any(entry.fields.kind == "paper" for entry in document.entries):
        pytest.skip("a list without papers")
    category = largest_category(document)
    edited = apply_edits(document, [Add(category, NEW)])
    assert not edited.refused
    assert all(not old for old, _ in changed_lines(document.text, edited.text))
    again = parse(edited.text)
    assert len(again.entries) == len(document.entries) + 1
    added = next(entry for entry in again.entries if entry.key == "arxiv:2602.01234")
    assert added.fields.title == NEW.title
    assert added.category == category
    others = [entry.key for entry in again.entries if entry is not added]
    assert others == [entry.key for entry in document.entries]
    removed = apply_edits(again, [Remove(added.index)])
    assert removed.text == document.text


@each_readme
def test_a_code_link_added_and_dropped_leaves_the_bytes(path: Path) -> None:
    document = parse(read(path))
    url = "https://github.com/nobody/nothing"
    bare = [
        entry
        for entry in document.entries
        if "code" in entry.places
        and entry.identifiers
        and entry.fields.kind == "paper"
        and not any(link.role == "code" for link in entry.anatomy.links)
    ]
    for entry in bare[:: max(1, len(bare) // 2)]:
        edited = apply_edits(document, [SetLink(entry.index, "code", url)])
        assert not edited.refused
        again = parse(edited.text)
        assert [entry.key for entry in again.entries] == [e.key for e in document.entries]
        roles = [k.role for k in again.entries[entry.index].fields.links if k.url == url]
        assert roles == ["code"]
        undone = apply_edits(again, [SetLink(entry.index, "code", None, replaces=url)])
        assert undone.text == document.text


def test_the_seed_of_papers_is_read_as_it_is() -> None:
    (path,) = files("readmes/seed-cs-self-learning-papers.md")
    document = parse(read(path))
    assert len(document.entries) == 39
    assert len(document.categories) == 12
    counts = Counter(entry.category for entry in document.entries)
    assert [c for c in document.categories if not counts[c]] == [("Multi-Modality Inference",)]
    passes = Counter(entry.fields.passes for entry in document.entries)
    assert passes == {0: 20, 1: 11, 2: 6, 3: 2}
    for entry in document.entries:
        assert entry.identifiers[0].scheme == "arxiv"
        assert entry.fields.date == arxiv_month(entry.identifiers[0].value)
    notes = [link.url for e in document.entries for link in e.fields.links if link.role == "note"]
    assert Counter(notes)["../Notes/Reading_Notes/Speculative_Decoding.md"] == 5


def test_every_pass_of_the_seed_can_be_set_on_exactly_its_line() -> None:
    """Of each entry one other number of passes; all numbers of one entry for each number that
    stands there now."""
    (path,) = files("readmes/seed-cs-self-learning-papers.md")
    document = parse(read(path))
    old = document.text.split("\n")
    first = {entry.fields.passes: entry for entry in reversed(document.entries)}
    chosen = {
        (entry.index, ((entry.fields.passes or 0) + 1 + entry.index % 3) % 4)
        for entry in document.entries[::2]
    }
    chosen |= {(entry.index, passes) for entry in first.values() for passes in range(4)}
    assert len(chosen) > 30
    for index, passes in sorted(chosen):
        entry = document.entries[index]
        new = apply_edits(document, [SetPasses(index, passes)]).text.split("\n")
        different = [n for n, pair in enumerate(zip(old, new, strict=True)) if len({*pair}) > 1]
        assert different == ([] if passes == entry.fields.passes else [entry.line - 1])


@pytest.mark.parametrize("path", files("seeds/*.txt"), ids=name)
def test_text_that_was_mis_decoded_keeps_its_entries_when_repaired(path: Path) -> None:
    text = read(path)
    repaired, beyond_repair = repair_encoding(text)
    assert len(parse(repaired).entries) == len(parse(text).entries)
    assert repair_encoding(repaired)[0] == repaired
    before, after = cut_lines(text), cut_lines(repaired)
    assert len(before.starts) == len(after.starts)
    changed = {n + 1 for n in range(len(before.starts)) if before.line(n) != after.line(n)}
    lines = {skipped.line for skipped in find_damage(text)}
    assert lines <= changed | {skipped.line for skipped in beyond_repair}


@each_readme
def test_sound_text_is_not_called_damaged(path: Path) -> None:
    assert find_damage(read(path)) == ()


@each_readme
def test_the_arxiv_ids_that_a_reader_sees_belong_to_entries_or_footnotes(path: Path) -> None:
    text = read(path)
    seen, document = seen_ids(text), parse(text)
    named = {mention.identifier.value for mention in document.mentioned if mention.title}
    missed = seen - held_ids(document) - named
    assert len(missed) <= len(seen) * 0.02
