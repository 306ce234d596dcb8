"""One work in two spellings or scripts is found, and no two works are joined for it."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from papertrack.actions.documents import import_file
from papertrack.actions.duplicates import find_duplicates
from papertrack.documents.bibtex.check import check_bibliography
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.library import Library
from papertrack.matching.judge import Answer
from papertrack.matching.words import is_spelled_alike, sound_of
from papertrack.store.store import Store
from papertrack.text import title_key
from tests.fresh_store import fresh_store
from tests.matching.entries import Pair
from tests.matching.spellings import CYRILLIC, GREEK, LATIN, PLAIN, in_two_spellings, of_two_works
from tests.matching.test_judge import answer_to
from tests.matching.test_library import kinds, taken
from tests.store.conftest import ticking_clock

MISSED = 0.05
"""The share of the pairs of one work that may be neither joined nor listed."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with fresh_store(tmp_path / "data" / "papertrack.db", now=ticking_clock()) as opened:
        yield opened


def test_one_work_in_two_spellings_is_joined_or_listed() -> None:
    made = in_two_spellings()
    missed = [pair for pair in made if answer_to(pair) is Answer.DIFFERENT]
    assert len(missed) <= len(made) * MISSED, missed


def test_two_works_are_not_joined_for_their_spelling() -> None:
    made = of_two_works()
    assert [pair for pair in made if answer_to(pair) is Answer.SAME] == []


def test_what_only_a_doi_says_across_scripts_is_listed_not_joined() -> None:
    answers = Counter(answer_to(pair) for pair in in_two_spellings() if pair.kind == "translated")
    assert answers.keys() == {Answer.UNKNOWN}


@pytest.mark.parametrize("files", [1, 2])
def test_a_library_finds_a_work_under_every_spelling(
    store: Store, tmp_path: Path, files: int
) -> None:
    two = of_two_works()
    assert kinds(two, taken(store, tmp_path, two, "two", files=files)) == {}


@pytest.mark.parametrize("files", [1, 2])
def test_a_library_joins_or_lists_one_work_in_two_spellings(
    store: Store, tmp_path: Path, files: int
) -> None:
    one: list[Pair] = in_two_spellings()
    for kind, prefix in (("without a DOI", "one"), ("with a DOI", "doi")):
        some = [pair for pair in one if pair.kind == kind]
        joined = taken(store, tmp_path, some, prefix, files=files)
        listed = {frozenset((pair.citekey, pair.other)) for pair in find_duplicates(store)}
        missed = [
            pair
            for n, pair in enumerate(some)
            if n not in joined and {f"{prefix}{n}a", f"{prefix}{n}b"} not in listed
        ]
        assert len(missed) <= len(some) * MISSED, missed


def test_an_import_tells_of_a_doi_that_stands_in_two_scripts(store: Store, tmp_path: Path) -> None:
    some = [pair for pair in in_two_spellings() if pair.kind == "translated"]
    texts = [pair.one.text(f"a{n}") + pair.other.text(f"b{n}") for n, pair in enumerate(some)]
    path = tmp_path / "papers.bib"
    path.write_text("\n".join(texts), encoding="utf-8")
    told = import_file(store, Library(tmp_path), path).notices
    assert [notice.text for notice in told] == [f"b{n}" for n in range(len(some))]
    bib = parse_bibtex("\n".join(texts))
    assert all("may be the same work" in found.message for found in check_bibliography(bib))


@pytest.mark.parametrize(
    ("one", "other"), [(pair[0], pair[2]) for pair in (*LATIN, *CYRILLIC, *GREEK, *PLAIN)]
)
def test_a_title_sounds_the_same_in_each_spelling(one: str, other: str) -> None:
    assert sound_of(one, title_key(one)) == sound_of(other, title_key(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Теория графов", "Teoriya grupp"),
        ("К теории графов", "O teorii grafov"),
        ("Статика", "Statistika"),
        ("Θεωρία ομάδων", "Theoria grafon"),
        ("Über Bäume", "Ueber Baender"),
        ("量子计算", "LiangZi JiSuan"),
    ],
)
def test_other_words_are_no_other_spelling(one: str, other: str) -> None:
    assert not is_spelled_alike(one, other)
    assert not is_spelled_alike(other, one)


def test_check_tells_of_an_entry_that_stands_there_in_another_spelling() -> None:
    first, second = (
        pair for pair in in_two_spellings()[0].__dict__.values() if hasattr(pair, "but")
    )
    found = list(check_bibliography(parse_bibtex(first.text("a") + second.text("b"))))
    assert [finding.kind for finding in found] == ["same-work"]
