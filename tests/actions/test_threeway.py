"""Three-way merging as tables: what each side said and says, and what comes of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.sync.markdown.reading import FIELDS
from papertrack.sync.threeway import (
    aggregate,
    compare_sets,
    keep_in_step,
    merge,
)


@pytest.mark.parametrize(
    ("base", "file", "then", "now", "is_conflict"),
    [
        ("a", "a", "a", "ab", False),
        ("a", "ab", "a", "ac", False),
        ("", "a", "", "b", False),
        ("a", "b", "a", "b", False),
        ("a", "b", "a", "c", True),
        ("a", "", "a", "c", False),
        ("ab", "ac", "ab", "db", False),
    ],
)
def test_sets_conflict_only_where_both_replace_the_same(
    base: str, file: str, then: str, now: str, is_conflict: bool
) -> None:
    assert compare_sets(base, file, then, now).is_conflict is is_conflict


def nobody(*_: object) -> None:
    return None


def test_a_new_column_that_says_less_than_the_library_takes_nothing_away() -> None:
    file, now = {"passes": 1, "rating": 5}, {"passes": 3, "rating": 4}
    assert merge(FIELDS, {}, file, {}, now, nobody).scalars == {}


@pytest.mark.parametrize("known", [0, 1])
def test_a_new_column_brings_what_the_library_lacks(known: int) -> None:
    merged = merge(FIELDS, {}, {"passes": 2}, {"passes": known}, {"passes": known}, nobody)
    assert (merged.scalars, merged.then["passes"]) == ({"passes": 2}, 2)


def test_entries_that_share_a_paper_speak_together() -> None:
    said = aggregate(
        FIELDS,
        [
            {"title": "A", "passes": 1, "rating": None, "code": ["x"]},
            {"title": "B", "passes": 3, "rating": 4, "code": ["x", "y"], "date": "2024"},
        ],
    )
    assert said == {"title": "A", "passes": 3, "rating": 4, "code": ["x", "y"], "date": "2024"}


def test_a_change_that_is_not_for_export_leaves_what_is_for_it() -> None:
    then = {"passes": 0, "rating": 3, "code": ["a"], "video": ["v"]}
    before = {"passes": 2, "rating": 3, "code": ["a", "pending"], "video": []}
    after = {"passes": 2, "rating": 5, "code": ["a", "pending", "new"], "video": []}
    kept = keep_in_step(FIELDS, then, before, after)
    assert (kept["passes"], kept["rating"]) == (0, 5)
    assert (kept["code"], kept["video"]) == (["a", "new"], ["v"])


links = st.lists(st.sampled_from("abcde"), unique=True)


@given(links, links, links, links)
def test_importing_settles_every_change_of_links_but_the_library_s(
    base: list[str], file: list[str], then: list[str], now: list[str]
) -> None:
    merged = merge(FIELDS, {"tags": base}, {"tags": file}, {"tags": then}, {"tags": now}, nobody)
    after = set(now) - set(merged.removed.get("tags", ())) | set(merged.added.get("tags", ()))
    # Every change of the file has reached the library.
    assert set(file) - set(base) <= after
    assert not (set(base) - set(file)) & after
    # What the library changed still counts as changed; nothing else does.
    added, removed = after - set(merged.then["tags"]), set(merged.then["tags"]) - after
    assert added == {m for m in now if m not in then} & after - (set(file) - set(base))
    assert removed == {m for m in then if m not in now} - after - (set(base) - set(file))
