"""Records and tables in which git's plain merge put one fact twice, as on a forge."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.share.clones import PAPER, Captured, do, exchange, git, paper, push, record, shown

TOPIC = '[topics.moe]\nname = "moe"\nquery = "title:moe"\nadded = "2026-01-01"\n'


def pushed_by_others(tmp_path: Path, name: str, old: str, new: str) -> None:
    """Write a text into a file in front of another one, where no papertrack is, and push it."""
    if not (tmp_path / "others").exists():
        git(tmp_path, "clone", "-q", "hub.git", "others")
    path = tmp_path / "others" / name
    text = path.read_text() if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new + old, 1))
    push(tmp_path / "others")


@pytest.fixture
def both(desktop: Path, laptop: Path) -> tuple[Path, Path]:
    return desktop, laptop


def some_records(folder: Path, count: int) -> list[str]:
    """The names of records in which nothing was tagged."""
    untagged = (path for path in folder.glob("papers/*.toml") if "tags = " not in path.read_text())
    return sorted(path.stem for path in untagged)[:count]


def synced(both: tuple[Path, Path], name: str) -> Iterator[dict[str, Any]]:
    """Sync both machines, and return what each has in a file."""
    exchange(*both)
    return alike(both, name)


def alike(both: tuple[Path, Path], name: str) -> Iterator[dict[str, Any]]:
    """Return what each machine has in a file, which is the same text."""
    texts = [(folder / name).read_text() for folder in both]
    assert texts[0] == texts[1]
    for folder in both:
        assert not git(folder, "status", "--porcelain", name)
    return map(tomllib.loads, texts)


LISTS = (
    'tags = [\n  "a",\n]\n\ntags = [\n  "b",\n]\n\n',
    'tags = [\n  "a",\n  "b",\n]\n\n' * 2,
    'tags = ["a"]\n\n# No fact: tags = [\ntags = [] # {\ntags = ["b"]\n\n',
)


def test_a_list_that_stands_twice_has_the_elements_of_both(
    both: tuple[Path, Path], tmp_path: Path, capfd: Captured
) -> None:
    names = some_records(both[0], len(LISTS))
    for name, new in zip(names, LISTS, strict=True):
        pushed_by_others(tmp_path, f"papers/{name}.toml", "citekey", new)
    exchange(*both)
    for name in names:
        for there in alike(both, f"papers/{name}.toml"):
            assert sorted(there["tags"]) == ["a", "b"]
        for folder in both:
            assert sorted(paper(folder, capfd, name)["tags"]) == ["a", "b"]


@pytest.mark.parametrize("by_pull", [False, True])
def test_a_fact_that_stands_twice_is_a_conflict_that_an_edit_decides(
    both: tuple[Path, Path], tmp_path: Path, capfd: Captured, by_pull: bool
) -> None:
    facts = 'venue = "NeurIPS"\n\nvenue = "ICML"\n\n'
    pushed_by_others(tmp_path, f"papers/{PAPER}.toml", "citekey", facts)
    if by_pull:
        for folder in both:
            git(folder, "pull", "-q", "--no-rebase", "origin", "main")
            assert do(folder, "sync") == 5
        assert record(both[0]).read_text() == record(both[1]).read_text()
    for there in synced(both, f"papers/{PAPER}.toml"):
        assert there["conflicts"] == {"venue": {"values": ["ICML", "NeurIPS"]}}
    for folder in both:
        told = shown(folder, capfd, "share", "status")["contradictions"]
        assert [(one["field"], one["values"]) for one in told] == [("venue", ["ICML", "NeurIPS"])]
    assert do(both[1], "edit", PAPER, "venue=ICML 2023") == 0
    for there in synced(both, f"papers/{PAPER}.toml"):
        assert (there["venue"], "conflicts" in there) == ("ICML 2023", False)


def test_a_reading_that_stands_twice_has_what_both_know(
    both: tuple[Path, Path], tmp_path: Path, capfd: Captured
) -> None:
    readings = (
        '[readings.0a]\npass = 3\nat = "2026-11-01"\n\n'
        '[readings.0b]\npass = 1\ntakeaway = """[a] = {\nb"""\n\n'
        "[readings.0a]\npass = 3\nminutes = 5\n\n"
    )
    pushed_by_others(tmp_path, f"papers/{PAPER}.toml", "[sources]", readings)
    for there in synced(both, f"papers/{PAPER}.toml"):
        assert there["readings"]["0a"] == {"pass": 3, "at": "2026-11-01", "minutes": 5}
        assert there["readings"]["0b"]["takeaway"] == "[a] = {\nb"
    third = [one for one in paper(both[0], capfd)["readings"] if one["pass"] == 3]
    assert [one["minutes"] for one in third] == [5]


def test_what_was_done_here_meanwhile_stays(
    both: tuple[Path, Path], tmp_path: Path, capfd: Captured
) -> None:
    do(both[0], "tag", PAPER, "+mine")
    do(both[1], "pass", PAPER, "3")
    pushed_by_others(tmp_path, f"papers/{PAPER}.toml", "citekey", 'tags = ["a"]\ntags = ["b"]\n')
    for there in synced(both, f"papers/{PAPER}.toml"):
        assert sorted(there["tags"]) == ["a", "b", "mine"]
    assert paper(both[0], capfd)["passes_done"] == 3


@pytest.mark.parametrize("by", ["table", "list and key"])
def test_topics_of_which_anything_stands_twice_are_read(
    both: tuple[Path, Path], tmp_path: Path, capfd: Captured, by: str
) -> None:
    other = '\n[topics.x]\nname = "x"\nquery = "x"\nadded = "2026-01-01"\n\n'
    twice = 'arxiv_categories = ["cs.LG"]\n' * 2 + 'query = "title:moe"\n'
    text = TOPIC + other + TOPIC if by == "table" else TOPIC + twice
    pushed_by_others(tmp_path, "topics.toml", "", text)
    for there in synced(both, "topics.toml"):
        assert there["topics"]["moe"]["query"] == "title:moe"
        assert "conflicts" not in there
    for folder in both:
        assert "moe" in [topic["name"] for topic in shown(folder, capfd, "topic", "list")]


def test_topics_that_stand_twice_and_differ_are_a_conflict(
    both: tuple[Path, Path], tmp_path: Path
) -> None:
    pushed_by_others(tmp_path, "topics.toml", "", TOPIC + "\n" + TOPIC.replace(":moe", ":experts"))
    for there in synced(both, "topics.toml"):
        values = there["conflicts"]["topics.moe.query"]["values"]
        assert values == ["title:experts", "title:moe"]


def test_categories_and_days_that_stand_twice_are_read(
    both: tuple[Path, Path], tmp_path: Path
) -> None:
    days = (
        '[days]\n"cs.LG" = "2026-01-01"\n\n[days]\n"cs.LG" = "2026-01-02"\n"cs.CL" = "2026-01-02"\n'
    )
    pushed_by_others(tmp_path, "watch.toml", "", days)
    category = '[categories.new]\nname = "New"\norder = 70\n\n'
    pushed_by_others(tmp_path, "categories.toml", "[categories.", category * 2)
    for there in synced(both, "categories.toml"):
        assert there["categories"]["new"]["name"] == "New"
    for there in alike(both, "watch.toml"):
        assert there["days"] == {"cs.LG": "2026-01-02", "cs.CL": "2026-01-02"}


INVALID = (
    'venue = "A"\n' * 100,
    'venue = "A"\nvenue = 3\n',
    'tags = ["a"]\ntags = [\n',
    'venue = "A"\nvenue = "B"\n\n[[shelf]]\nx = 1\n\n[[shelf]]\nx = 2\n\n',
    # Thousands of conflicts.
    "".join(f'x{n} = "{n}"\n' for n in [*range(9_000), *range(9_000)])
    + "".join(f"x{n} = {n}\n" for n in range(9_000)),
)


def test_what_is_no_record_on_both_sides_is_named_and_left_as_it_is(
    both: tuple[Path, Path], tmp_path: Path, capfd: Captured
) -> None:
    names = some_records(both[0], len(INVALID))
    for name, new in zip(names, INVALID, strict=True):
        before = "[sources]" if "[[" in new else "citekey"
        pushed_by_others(tmp_path, f"papers/{name}.toml", before, new)
    assert do(both[0], "sync", "--git") in (0, 5)
    said = capfd.readouterr().err
    for name, new in zip(names, INVALID, strict=True):
        assert f"papers/{name}.toml" in said
        assert new in record(both[0], name).read_text()
        assert paper(both[0], capfd, name)["arxiv_id"] == name
