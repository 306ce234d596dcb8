"""The lists of words and patterns that titles, names and venues are compared by."""

import re
from importlib import import_module

import pytest

from papertrack.matching.words import pattern_of, respell, table_of, terms

LIST = re.compile("<([a-z]+(?: [a-z]+)*)>")


@pytest.mark.parametrize("name", ["titles", "venues", "judge", "citations"])
def test_each_list_that_a_pattern_names_is_there(name: str) -> None:
    module = import_module(f"papertrack.matching.{name}")
    forms = [text for text in vars(module).values() if isinstance(text, str) and LIST.search(text)]
    assert forms
    for form in forms:
        pattern_of(form)
        assert all(all(terms(found)) for found in LIST.findall(form))


def test_a_line_may_say_what_stands_for_its_terms() -> None:
    assert table_of("numbers")["iii"] == table_of("numbers")["third"] == "3"
    assert table_of("forms")["inbook"] == "a chapter"


def test_a_line_may_say_what_replaces_its_pattern() -> None:
    assert respell("labours", "plain spelling") == "labor"
