"""The reader's own categories: how their paths are written, and read with papers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.category_paths import MAX_DEPTH, format_path, parse_path
from papertrack.errors import UsageError
from papertrack.records import PaperFacts
from papertrack.store.categories import (
    ensure_categories,
    ensure_category,
    ordered_paths,
    put_in_category,
    remove_empty_category,
)
from papertrack.store.lookup import get_paper
from papertrack.store.papers import add_paper
from papertrack.store.store import Store
from tests.counting import calls_of


@pytest.mark.parametrize(
    "path", [("LLM",), ("LLM", "Speculative Decoding"), ("CPU/GPU", "I/O"), ("推理", "C++ & co.")]
)
def test_a_path_is_read_as_it_is_written(path: tuple[str, ...]) -> None:
    assert parse_path(format_path(path)) == path


@pytest.mark.parametrize("text", ["", "/", "LLM//Serving", "LLM/ /Serving"])
def test_a_path_has_no_empty_name(text: str) -> None:
    with pytest.raises(UsageError, match="is not a category"):
        parse_path(text)


def test_a_path_is_no_deeper_than_can_be_walked() -> None:
    assert len(parse_path("/".join("a" * MAX_DEPTH))) == MAX_DEPTH
    with pytest.raises(UsageError, match="too deep"):
        parse_path("/".join("a" * (MAX_DEPTH + 1)))


@given(st.lists(st.text(r"\/ab", min_size=1, max_size=5), min_size=1, max_size=3))
def test_any_path_of_slashes_and_backslashes_reads_back(names: list[str]) -> None:
    assert parse_path(format_path(tuple(names))) == tuple(names)


def test_a_backslash_that_escapes_nothing_is_written_as_it_is() -> None:
    assert format_path((r"$\alpha$", "b")) == r"$\alpha$/b"
    assert parse_path(r"/$\alpha$/b/") == (r"$\alpha$", "b")


def test_reading_a_paper_does_not_hang_on_how_many_categories_there_are(store: Store) -> None:
    with store.action("add", "a paper"):
        paper_id = add_paper(store, PaperFacts(title="A"), source="user")
        put_in_category(store, [paper_id], ("Other", "In it", "Deeper"))
    get_paper(store, paper_id)  # What is made at the first time.
    calls = calls_of(lambda: get_paper(store, paper_id))
    with store.action("category", "many"):
        for number in range(100):
            ensure_category(store, ("Many", f"No. {number}"))
    assert calls_of(lambda: get_paper(store, paper_id)) == calls
    assert get_paper(store, paper_id).categories == (("Other", "In it", "Deeper"),)


def test_what_a_category_costs_does_not_hang_on_its_siblings(store: Store) -> None:
    """A list of 6,000 headings took 5 s for this alone."""
    steps = []

    def steps_of(names: range) -> int:
        steps.clear()
        with store.action("category", "many"):
            store.connection.set_progress_handler(lambda: steps.append(1), 100)
            ensure_categories(store, [(f"No. {number}",) for number in names])
            store.connection.set_progress_handler(None, 0)
        return len(steps)

    assert steps_of(range(1_000, 3_000)) < 3 * steps_of(range(1_000))


def test_a_new_category_is_the_last_also_after_another_was_removed(store: Store) -> None:
    with store.action("category", "several"):
        for name in ("a", "z", "b"):
            ensure_category(store, ("in", name))
        remove_empty_category(store, ("in", "a"))
        ensure_category(store, ("in", "a"))
    assert [path[-1] for path, _ in ordered_paths(store)] == ["in", "z", "b", "a"]
