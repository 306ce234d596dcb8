"""What is kept of one entry for the next ones changes nothing of how they are read."""

from __future__ import annotations

import random

import pytest

from papertrack.documents.markdown.grammar import forms
from papertrack.documents.markdown.model import Entry
from papertrack.documents.markdown.read import document
from papertrack.documents.markdown.read.learning import LearntGrammar, atoms_of
from tests.corpus import WHOLE
from tests.documents.list_grammars import ListGrammar, works


def mixed_list(seed: int) -> str:
    """A README with a list of each of three grammars."""
    listed = random.Random(seed).sample(works(), 9)
    grammars = [ListGrammar(3 * seed + number) for number in range(3)]
    return "\n".join(grammar.text(listed[at::3]) for at, grammar in enumerate(grammars))


def read_anew(text: str) -> tuple[Entry, ...]:
    """What is read of a text that no earlier reading is kept of."""
    document._read.cache_clear()
    return document.parse_document(text).entries


@pytest.mark.parametrize("seed", range(4 if WHOLE else 2))
def test_entries_of_one_form_are_read_as_if_each_were_the_first(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = mixed_list(seed)
    entries = read_anew(text)
    monkeypatch.setattr(forms, "_MOST_FORMS", 0)
    assert read_anew(text) == entries


@pytest.mark.parametrize("seed", range(4 if WHOLE else 2))
def test_entries_to_learn_from_are_read_as_any_others(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = mixed_list(seed)
    entries = read_anew(text)
    monkeypatch.setattr(
        LearntGrammar,
        "_line",
        lambda learnt, text, *stretch: learnt.grammar.line(text, atoms_of(text, *stretch, width=0)),
    )
    assert read_anew(text) == entries
