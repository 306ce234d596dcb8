"""The ranking by itself: which words it sees, what it learns, and whether its reasons hold."""

import random

import pytest

from papertrack.ranking.model import Example, Model, make_model
from papertrack.ranking.words import AUTHOR, STOP_WORDS, terms_of, words_of

WANTED = ["speculative decoding", "draft tokens", "key value cache", "long contexts"]
OTHERS = ["protein folding", "crop yields", "traffic lights", "tidal waves", "bird songs"]


def abstract(about: list[str], number: int) -> str:
    chosen = random.Random(number)
    return ". ".join(
        f"We study {chosen.choice(about)} with {chosen.choice(['large', 'small'])} models"
        for _ in range(4)
    )


def decisions() -> list[Example]:
    wanted = [Example(terms_of(WANTED[n % 4], abstract(WANTED, n)), True, 1) for n in range(20)]
    others = [Example(terms_of(OTHERS[n % 5], abstract(OTHERS, n)), False, 1) for n in range(60)]
    return wanted + others


def test_tex_digits_addresses_and_stop_words_are_no_words() -> None:
    text = r"We use $x_1^{\alpha}$-pruning \emph{fast} in 2024, see https://example.org/code: GPT-4"
    seen = [word for word in words_of(text) if word]
    assert seen == ["pruning", "fast", "gpt"]
    assert STOP_WORDS.isdisjoint(seen)


def test_a_letter_that_is_not_ascii_changes_no_other_word() -> None:
    text = 'Vision-language, x_1 or GPT4: (3D) at_scale; a.b e.g. "heads"/tails!'
    plain = words_of(text)
    # A sign and a word more, and no others.
    assert words_of(f"{text} \u03b1\u03b2") == [*plain, "\u03b1\u03b2"]


def test_no_pair_spans_a_sign_or_a_word_that_says_nothing() -> None:
    terms = terms_of("Vision-language models. Pruning of heads", "")
    assert {"vision language", "language models"} <= terms.keys()
    assert terms.keys().isdisjoint({"models pruning", "pruning heads", "pruning of"})


def test_each_character_of_a_script_without_blanks_is_a_word() -> None:
    assert "语 言" in terms_of("大语言模型", "")


def test_accents_and_capitals_do_not_count() -> None:
    assert terms_of("Rényi ENTROPY", "") == terms_of("renyi entropy", "")


def test_a_text_without_words_has_no_terms() -> None:
    assert terms_of("", "") == {}
    assert terms_of("42", "$x$", ["Tri Dao"]).keys() == {AUTHOR + "tri dao"}


def test_what_is_like_the_kept_ones_is_above_what_is_not() -> None:
    model = make_model(decisions())
    scores = [
        model.score(terms_of("New work", abstract(about, n + 500)))
        for about in (WANTED, OTHERS)
        for n in range(30)
    ]
    assert min(scores[:30]) > 0 > max(scores[30:])


def test_the_same_decisions_give_the_same_model() -> None:
    assert make_model(decisions()) == make_model(decisions())


def test_a_heavier_decision_says_more() -> None:
    terms = terms_of("Tidal waves", "and draft tokens")
    light, heavy = (
        make_model([*decisions(), Example(terms, True, weight)]).score(terms)
        for weight in (0.5, 3.0)
    )
    assert heavy > light


def test_without_decisions_only_the_topics_count() -> None:
    passed = [Example(one.terms, False, 1, is_decided=False) for one in decisions()]
    model = make_model(passed)
    assert model == Model()
    assert model.score(terms_of("Speculative decoding", ""), 3.0) > model.score({}, 2.9)


def test_each_decision_lets_topics_count_less() -> None:
    def part_of_topics(count: int) -> float:
        model = make_model(decisions()[:count])
        terms = terms_of(WANTED[0], "")
        return model.score(terms, 5.0) - model.score(terms)

    parts = [part_of_topics(count) for count in (1, 10, 19, 20, 25)]
    assert parts[0] > parts[1] > parts[2] > parts[3] == parts[4] == 0


def test_decisions_of_one_side_alone_rank_too() -> None:
    model = make_model([one for one in decisions() if one.is_wanted])
    like, unlike = terms_of(WANTED[0], ""), terms_of(OTHERS[0], "")
    assert model.score(like) > model.score(unlike)


def test_learning_from_texts_without_words_gives_no_weights() -> None:
    assert make_model([Example({}, True, 1), Example({}, False, 1)]).weights == {}


def without(text: str, words: set[str]) -> str:
    """The text with these words taken out; a sign stands where they stood."""
    return " ".join(word if word and word not in words else "." for word in words_of(text))


@pytest.mark.parametrize("number", range(20))
def test_taking_the_named_words_out_lowers_the_score(number: int) -> None:
    model = make_model(decisions())
    title, text = WANTED[number % 4], abstract([*WANTED, *OTHERS], number)
    terms = terms_of(title, text)
    _, (named, _) = model.explain(terms)
    assert named
    gone = {word for phrase in named for word in phrase.split()}
    left = terms_of(without(title, gone), without(text, gone))
    assert model.score(left) < model.score(terms)


def test_what_is_forgotten_is_no_reason_and_changes_no_score() -> None:
    known = [
        Example(one.terms | ({AUTHOR + "a b": 0.1} if one.is_wanted else {}), one.is_wanted, 1)
        for one in decisions()
    ]
    model = make_model(known, ["decoding", AUTHOR + "a b"])
    terms = terms_of("Speculative decoding", "", ["A. B.", "A B"])
    assert not [one for one in model.weights if "decoding" in one or one == AUTHOR + "a b"]
    _, (words, authors) = model.explain(terms)
    assert authors == ()
    assert "decoding" not in " ".join(words)


def test_an_author_who_was_kept_before_speaks_for_a_paper() -> None:
    known = [
        Example(one.terms | ({AUTHOR + "a b": 0.1} if one.is_wanted else {}), one.is_wanted, 1)
        for one in decisions()
    ]
    model = make_model(known)
    assert model.explain(terms_of("Tidal waves", "", ["A B", "C D"]))[1][1] == ("a b",)
