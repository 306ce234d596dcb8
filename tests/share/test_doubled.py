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


def alike(both: tuple[Path, Path], name: str) -> Iterator[dict[str, Any]]:
    """Sync both machines, and return what each has in a file."""
    exchange(*both)
    texts = [(folder / name).read_text() for folder in both]
    assert texts[0] == texts[1]
    for folder in both:
        assert not git(folder, "status", "--porcelain", name)
    return map(tomllib.loads, texts)


FACTS = {
    "a list": ("citekey", 'tags = [\n  "a",\n]\n\ntags = [\n  "b",\n]\n\n'),
    "the same list": ("citekey", 'tags = [\n  "a",\n  "b",\n]\n\n' * 2),
    "a list three times": (
        "citekey",
        'tags = ["a"]\n\n# No fact: tags = [\ntags = [] # {\ntags = ["b"]\n\n',
    ),
}


@pytest.mark.parametrize(("old", "new"), FACTS.values(), ids=FACTS)
def test_a_list_that_stands_twice_has_the_elements_of_both(
    both: tuple[Path, Path], tmp_path: Path, capfd: Captured, old: str, new: str
) -> None:
    pushed_by_others(tmp_path, f"papers/{PAPER}.toml", old, new)
    for there in alike(both, f"papers/{PAPER}.toml"):
        assert sorted(there["tags"]) == ["a", "b"]
    for folder in both:
        assert sorted(paper(folder, capfd)["tags"]) == ["a", "b"]


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
    for there in alike(both, f"papers/{PAPER}.toml"):
        assert there["conflicts"] == {"venue": {"values": ["ICML", "NeurIPS"]}}
    for folder in both:
        told = shown(folder, capfd, "share", "status")["contradictions"]
        assert [(one["field"], one["values"]) for one in told] == [("venue", ["ICML", "NeurIPS"])]
    assert do(both[1], "edit", PAPER, "venue=ICML 2023") == 0
    for there in alike(both, f"papers/{PAPER}.toml"):
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
    for there in alike(both, f"papers/{PAPER}.toml"):
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
    for there in alike(both, f"papers/{PAPER}.toml"):
        assert sorted(there["tags"]) == ["a", "b", "mine"]
    assert paper(both[0], capfd)["passes_done"] == 3


TABLES = {
    "a table": TOPIC + '\n[topics.x]\nname = "x"\nquery = "x"\nadded = "2026-01-01"\n\n' + TOPIC,
    "a list": TOPIC + 'arxiv_categories = ["cs.LG"]\n' * 2,
    "a key": TOPIC + 'query = "title:moe"\n',
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_topics_of_which_anything_stands_twice_are_read(
    both: tuple[Path, Path], tmp_path: Path, capfd: Captured, text: str
) -> None:
    pushed_by_others(tmp_path, "topics.toml", "", text)
    for there in alike(both, "topics.toml"):
        assert there["topics"]["moe"]["query"] == "title:moe"
        assert "conflicts" not in there
    for folder in both:
        assert "moe" in [topic["name"] for topic in shown(folder, capfd, "topic", "list")]


def test_topics_that_stand_twice_and_differ_are_a_conflict(
    both: tuple[Path, Path], tmp_path: Path
) -> None:
    pushed_by_others(tmp_path, "topics.toml", "", TOPIC + "\n" + TOPIC.replace(":moe", ":experts"))
    for there in alike(both, "topics.toml"):
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
    for there in alike(both, "categories.toml"):
        assert there["categories"]["new"]["name"] == "New"
    for there in alike(both, "watch.toml"):
        assert there["days"] == {"cs.LG": "2026-01-02", "cs.CL": "2026-01-02"}


INVALID = {
    "a hundred times": 'venue = "A"\n' * 100,
    "two kinds of values": 'venue = "A"\nvenue = 3\n',
    "no value": 'tags = ["a"]\ntags = [\n',
    "tables in a list": 'venue = "A"\nvenue = "B"\n\n[[shelf]]\nx = 1\n\n[[shelf]]\nx = 2\n\n',
    "thousands of conflicts": "".join(f'x{n} = "{n}"\n' for n in [*range(9_000), *range(9_000)])
    + "".join(f"x{n} = {n}\n" for n in range(9_000)),
}


@pytest.mark.parametrize("new", INVALID.values(), ids=INVALID)
def test_what_is_no_record_on_both_sides_is_named_and_left_as_it_is(
    both: tuple[Path, Path], tmp_path: Path, capfd: Captured, new: str
) -> None:
    before = "[sources]" if "[[" in new else "citekey"
    pushed_by_others(tmp_path, f"papers/{PAPER}.toml", before, new)
    assert do(both[0], "sync", "--git") in (0, 5)
    assert f"papers/{PAPER}.toml" in capfd.readouterr().err
    assert new in record(both[0]).read_text()
    assert paper(both[0], capfd)["arxiv_id"] == PAPER
