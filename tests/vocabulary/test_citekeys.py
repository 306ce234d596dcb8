"""Citekeys: short, readable, safe as BibTeX keys and as file names, and never twice the same."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.errors import UsageError
from papertrack.identifiers.citekeys import (
    file_stem,
    is_citekey,
    make_citekey,
    unique_citekey,
)
from papertrack.records import Author

VLLM = "Efficient Memory Management for Large Language Model Serving with PagedAttention"


def key_of(name: str | None, year: int | None, title: str | None, **options: str) -> str:
    return make_citekey([] if name is None else [Author(name)], year, title, **options)


@pytest.mark.parametrize(
    ("name", "year", "title", "expected"),
    [
        ("Woosuk Kwon", 2023, VLLM, "kwon2023efficient"),
        ("Kwon, Woosuk", 2023, VLLM, "kwon2023efficient"),
        ("Laurens van der Maaten", 2008, "Visualizing Data", "maaten2008visualizing"),
        ("Łukasz Kaiser", 2017, "One Model", "kaiser2017one"),
        ("Jürgen Schmidhuber", 2015, "Deep Learning in Neural Nets", "schmidhuber2015deep"),
        ("Martin O'Brien-Smith Jr.", 2020, "A* Search", "obriensmith2020search"),
        ("Gemini Team", 2023, "Gemini: A Family", "gemini2023gemini"),
        ("DeepSeek-AI", 2024, "<u>DeepSeek-V3</u>", "deepseekai2024deepseek"),
        ("S. Keshav", 2007, "How to Read a Paper", "keshav2007read"),
        ("Ashish Vaswani", 2017, "**Attention** Is All You Need", "vaswani2017attention"),
        ("周志华", 2016, "机器学习", "anon2016"),
        (None, 2016, "Layer Normalization", "layer2016normalization"),
        ("Jimmy Ba", None, None, "ba"),
        (None, None, None, "paper"),
        ("周志华", None, "机器学习", "paper"),
        ("Aux", None, None, "aux-paper"),
    ],
)
def test_a_key_names_author_year_and_first_word_that_says_something(
    name: str | None, year: int | None, title: str | None, expected: str
) -> None:
    assert key_of(name, year, title) == expected


def test_a_template_says_what_a_key_holds() -> None:
    template = "{auth}_{venue}{year}_{shorttitle(3)}"
    key = key_of("Woosuk Kwon", 2023, VLLM, venue="SOSP", template=template)
    assert key == "kwon_sosp2023_efficientmemorymanagement"


@pytest.mark.parametrize("template", ["{author}", "{auth", "{shorttitle(0)}", "{auth(2}"])
def test_a_template_with_another_field_is_refused(template: str) -> None:
    with pytest.raises(UsageError, match="stray"):
        key_of("Woosuk Kwon", 2023, VLLM, template=template)


@given(st.text(max_size=120), st.none() | st.integers(0, 9999), st.text(max_size=120))
def test_a_key_is_safe_whatever_the_paper_is_called(
    name: str, year: int | None, title: str
) -> None:
    key = key_of(name, year, title)
    assert re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,79}", key)
    assert is_citekey(key)
    assert file_stem(key) == key


@pytest.mark.parametrize(
    ("key", "stem"),
    [
        ("DBLP:conf/nips/VaswaniSPUJGKP17", "dblp-conf-nips-vaswanispujgkp17"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\x", "c-x"),
        ("CON", "con-paper"),
        ("nul", "nul-paper"),
        (".", "paper"),
        ("-rf", "rf"),
        ("a" * 300, "a" * 80),
    ],
)
def test_any_key_gives_a_file_name_that_stays_in_its_folder(key: str, stem: str) -> None:
    assert file_stem(key) == stem


@pytest.mark.parametrize("key", ["kwon2023efficient", "DBLP:conf/nips/V17", "Kwon_2023", "a+b"])
def test_foreign_keys_that_bibtex_accepts_are_citekeys(key: str) -> None:
    assert is_citekey(key)


@pytest.mark.parametrize(
    "bad", ["", " ", "a b", "-a", "ké", "a" * 201, *"a, a{ a} a( a% a~".split()]
)
def test_what_bibtex_would_misread_is_no_citekey(bad: str) -> None:
    assert not is_citekey(bad)


def test_a_taken_key_gets_the_next_free_letters() -> None:
    taken = {"kwon2023"} | {f"kwon2023{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"}
    assert unique_citekey("li2023", taken) == "li2023"
    assert unique_citekey("kwon2023", {"kwon2023"}) == "kwon2023a"
    assert unique_citekey("Kwon2023", {"kwon2023"}) == "Kwon2023a"
    assert unique_citekey("kwon2023", taken) == "kwon2023aa"
    assert unique_citekey("kwon2023", taken | {"kwon2023aa"}) == "kwon2023ab"


def test_a_suffix_keeps_a_long_key_within_its_length() -> None:
    assert unique_citekey("b" * 80, {"b" * 80}) == "b" * 79 + "a"


def test_a_key_that_thousands_want_is_given_each_of_them_after_few_looks() -> None:
    class Taken(set[str]):
        looks = 0

        def __contains__(self, key: object) -> bool:
            self.looks += 1
            return super().__contains__(key)

    taken = Taken()
    given = []
    for _ in range(2000):
        given.append(unique_citekey("kim2024on", taken))
        taken.add(given[-1])
    assert len(set(given)) == 2000
    assert given[:2] + given[26:29] == [
        "kim2024on",
        *(f"kim2024on{s}" for s in ("a", "z", "aa", "ab")),
    ]
    assert taken.looks < 2000 * 50


def test_keys_asked_for_in_a_row_take_a_look_or_two_each() -> None:
    class Taken(set[str]):
        looks = 0

        def __contains__(self, key: object) -> bool:
            self.looks += 1
            return super().__contains__(key)

    taken, reached = Taken(), dict[str, int]()
    alone: set[str] = set()
    for _ in range(2000):
        key = unique_citekey("kim2024on", taken, reached)
        assert key == unique_citekey("kim2024on", alone)
        taken.add(key)
        alone.add(key)
    assert taken.looks <= 2000 * 2
