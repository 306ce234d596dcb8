"""Properties that hold for any text and any edits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Move,
    Remove,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
)
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.documents.markdown.write.markup import escape_text
from papertrack.text import clean
from tests.documents.samples import fixture, paper

PIECES = st.sampled_from(
    [
        *("# A\n", "## B [x](http://y.z)\n", "- ", "  - ", "1. ", "* [ ] ", "> ", "| ", " | "),
        *("|\n", "|--|--|\n", "| Title | Read |\n", "[T](https://arxiv.org/abs/2301.00001)"),
        *("[a][1]", "[1]: http://a.b\n", "<!-- ", " -->", "```\n", "<details>\n", "</details>\n"),
        *("<tr><td>", "<summary>S</summary>", "✅", "⭐", "**", "`", "\\", "[", "]", "(", ")"),
        *("![b](c)", "<a href=", "2023-09", "\n", "\r\n", "\r", "\n\n", "    ", "\t", "text"),
        *("中文", ":star:", "---\n", "\0", "May 3, 2024", "(read)", "$x$"),
    ]
)
MARKDOWN = st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join)
FILES = st.sampled_from(["seed_style.md", "blog_style.md", "bullets.md", "shapes.md"])


@given(MARKDOWN)
def test_any_text_is_read_and_comes_back_as_it_was(text: str) -> None:
    document = parse_document(text)
    assert apply_edits(document, []).text == text
    for entry in document.entries:
        assert 0 <= entry.span[0] < entry.span[1] <= len(text)
        assert document.line_of(entry.span[0]) == entry.line


@given(MARKDOWN, st.data())
def test_any_edit_of_any_text_is_made_or_refused_and_keeps_the_other_entries(
    text: str, data: st.DataObject
) -> None:
    document = parse_document(text)
    if not document.entries:
        return
    edit = data.draw(edits_of(document))
    result = apply_edits(document, [edit])
    if result.refused:
        assert result.text == text


def edits_of(document: Document) -> st.SearchStrategy[Edit]:
    """Return any edit of a document's entries."""
    index = st.integers(0, len(document.entries) - 1)
    category = st.sampled_from(document.categories or ((),))
    url = st.sampled_from(["https://github.com/a/b", "https://c.org/d?e=(f)", "../n.md"])
    return st.one_of(
        st.builds(SetPasses, index, st.integers(0, 3)),
        st.builds(SetRating, index, st.none() | st.integers(1, 5)),
        st.builds(SetTitle, index, st.text(min_size=1, max_size=20).filter(lambda t: clean(t))),
        st.builds(SetDate, index, st.sampled_from(["2024-05", "2024-05-06"])),
        st.builds(SetLink, index, st.sampled_from(["code", "note"]), url),
        st.builds(SetLink, index, st.just("paper"), st.just("https://arxiv.org/abs/2510.00002")),
        st.builds(Move, index, category),
        st.builds(Remove, index),
        st.builds(
            Add,
            category,
            st.builds(
                paper,
                st.sampled_from(["New", "A | b"]),
                st.just("https://arxiv.org/abs/2511.00001"),
            ),
        ),
    )


@given(FILES, st.data())
def test_a_sequence_of_edits_is_all_found_afterwards(name: str, data: st.DataObject) -> None:
    document = fixture(name)
    edits = data.draw(st.lists(edits_of(document), min_size=1, max_size=5, unique=True))
    result = apply_edits(document, edits)
    refused = [refusal.edit for refusal in result.refused]
    again = parse_document(result.text)
    removed = {e.entry_index for e in edits if isinstance(e, Remove) and e not in refused}
    gained = sum(isinstance(e, Add) and e not in refused for e in edits)
    assert len(again.entries) == len(document.entries) - len(removed) + gained
    untouched = {entry.key for entry in document.entries if entry.index not in _touched(edits)}
    assert untouched <= {entry.key for entry in again.entries}


def _touched(edits: list[Edit]) -> set[int]:
    return {edit.entry_index for edit in edits if not isinstance(edit, Add)}


@given(FILES, st.data())
def test_undoing_marks_and_ratings_gives_the_original_bytes(name: str, data: st.DataObject) -> None:
    document = fixture(name)
    entry = data.draw(st.sampled_from(document.entries))
    if "passes" in entry.places:
        passes = data.draw(st.integers(0, 3))
        text = apply_edits(document, [SetPasses(entry.index, passes)]).text
        back = SetPasses(entry.index, entry.fields.passes or 0)
        assert apply_edits(parse_document(text), [back]).text == document.text
    if "rating" in entry.places:
        rating = data.draw(st.integers(1, 5))
        text = apply_edits(document, [SetRating(entry.index, rating)]).text
        undo = SetRating(entry.index, entry.fields.rating)
        assert apply_edits(parse_document(text), [undo]).text == document.text


@given(FILES, st.text(min_size=1, max_size=30).filter(lambda t: clean(t).strip()), st.data())
def test_adding_and_removing_gives_the_original_bytes(
    name: str, title: str, data: st.DataObject
) -> None:
    document = fixture(name)
    category = data.draw(st.sampled_from(document.categories))
    new = paper(title, "https://arxiv.org/abs/2511.00001", ("code", "https://github.com/n/ew"))
    result = apply_edits(document, [Add(category, new)])
    if result.refused:
        return
    again = parse_document(result.text)
    (added,) = [e for e in again.entries if e.key == "arxiv:2511.00001"]
    assert apply_edits(again, [Remove(added.index)]).text == document.text


@given(st.text(max_size=60))
def test_escaped_text_is_shown_as_it_is(text: str) -> None:
    assert plain(escape_text(text)) == clean(text)
