"""A phrase is found however it is spelled, and shown with the sentence around it."""

import pytest

from papertrack.pdfs.texts import sentence_with

PAGE = (
    "We draft ahead. The Accep\u00adtance Rate of a\ndraft is near 0.8 (see Fig. 2). "
    "State-of\u00adthe-art systems reach less; na\u00efve ones, nothing. "
    "\u63a5\u53d7\u7387\u9ad8\u3002"
)


@pytest.mark.parametrize(
    ("phrase", "sentence"),
    [
        ("acceptance rate", "The Acceptance Rate of a draft is near 0.8 (see Fig. 2)."),
        ("RATE OF A draft", "The Acceptance Rate of a draft is near 0.8 (see Fig. 2)."),
        ("state of the art", "State-of-the-art systems reach less; na\u00efve ones, nothing."),
        ("naive ones", "State-ofthe-art systems reach less; na\u00efve ones, nothing."),
        ("\u53d7\u7387", "\u63a5\u53d7\u7387\u9ad8\u3002"),
        ("rate draft", ""),
        ("", ""),
    ],
)
def test_the_sentence_around_a_phrase(phrase: str, sentence: str) -> None:
    assert sentence_with(PAGE, phrase) == sentence


def test_the_beginning_of_a_word() -> None:
    assert sentence_with(PAGE, "draft ahe", is_start=True) == "We draft ahead."
    assert sentence_with(PAGE, "draft ahe") == ""


def test_of_a_long_sentence_the_part_around_the_phrase_is_shown() -> None:
    page = "word " * 200 + "the needle here " + "word " * 200
    shown = sentence_with(page, "needle here")
    assert shown.startswith("… word ")
    assert shown.endswith(" word …")
    assert "the needle here" in shown
    assert len(shown) < 320
