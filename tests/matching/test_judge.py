"""Two descriptions are one work only if nothing speaks against it: pairs of known truth."""

from collections import Counter

import pytest

from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.matching.judge import Answer, Description, judge
from papertrack.matching.titles import Likeness, compare_titles
from tests.corpus import WHOLE
from tests.matching.entries import ONE_WORK, TWO_WORKS, Pair, pairs
from tests.matching.titles import HELD_OUT, TUNED_ON, Field

PAIRS = 300 if WHOLE else 150
SEEDS = (1, 2) if WHOLE else (1,)


def answer_to(pair: Pair) -> Answer:
    one, other = parse_bibtex(pair.one.text("a") + pair.other.text("b")).entries
    described = [Description(entry.facts, entry.citekey) for entry in (one, other)]
    answer = judge(*described).answer
    assert judge(*described[::-1]).answer is answer, "whichever comes first"
    return answer


@pytest.mark.parametrize("fields", [TUNED_ON, HELD_OUT], ids=["tuned on", "held out"])
@pytest.mark.parametrize("seed", SEEDS)
def test_two_works_are_never_joined_and_hardly_ever_listed(
    fields: tuple[Field, ...], seed: int
) -> None:
    answers = [(answer_to(pair), pair.kind) for pair in pairs(fields, TWO_WORKS, PAIRS, seed)]
    assert [kind for answer, kind in answers if answer is Answer.SAME] == []
    listed = Counter(kind for answer, kind in answers if answer is Answer.UNKNOWN)
    assert listed.total() <= PAIRS * 0.05, listed


@pytest.mark.parametrize("fields", [TUNED_ON, HELD_OUT], ids=["tuned on", "held out"])
@pytest.mark.parametrize("seed", SEEDS)
def test_one_work_is_joined_or_listed(fields: tuple[Field, ...], seed: int) -> None:
    answers = [(answer_to(pair), pair.kind) for pair in pairs(fields, ONE_WORK, PAIRS, seed)]
    missed = Counter(kind for answer, kind in answers if answer is Answer.DIFFERENT)
    assert missed.total() <= PAIRS * 0.05, missed


@pytest.mark.parametrize(
    ("one", "other", "likeness"),
    [
        ("Attention Is All You Need", "{A}ttention is all you need.", Likeness.SAME),
        ("Hodge Theory, Part II", "Hodge theory (part 2)", Likeness.SAME),
        ("Sense & Sensibility", "Sense and Sensibility", Likeness.SAME),
        ("BERT: Pre-training of Transformers", "Pre-training of Transformers", Likeness.CUT),
        ("Llama 2: Open Chat Models", "Open Chat Models", Likeness.CUT),
        ("The Making of Silesia", "The Making of Silesia: Guilds and Law", Likeness.CUT),
        ("Routing Many Tokens to Experts", "Routing Many Tokens to Expert", Likeness.SPELLED),
        ("Labour and Law in Bengal", "Labor and Law in Bengal", Likeness.SPELLED),
        ("Writing Memory in Lisbon", "Writing Memory in Lisbon and Bengal", Likeness.WITHIN),
        ("Early Trade in Early Lisbon", "Late Trade in Early Lisbon", Likeness.RELATED),
        ("关于空间性质的研究", "On some properties of spaces", Likeness.UNKNOWN),
        ("Sparse Mixtures of Experts", "A History of Cheese", Likeness.OTHER),
    ],
)
def test_titles_of_one_work_are_alike(one: str, other: str, likeness: Likeness) -> None:
    assert compare_titles(one, other) == compare_titles(other, one)
    assert compare_titles(one, other).likeness is likeness
    assert compare_titles(one, other).against is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hodge theory II", "Hodge theory III"),
        ("Hodge theory", "Hodge theory II"),
        ("Hodge theory", "Hodge theory: Part II, duality"),
        ("Higher Algebra V: 2-Groups", "Higher Algebra VI: Lie 2-Algebras"),
        ("NumPy 1.2", "NumPy 12"),
        ("Results on Trees with Property A", "Results on Trees with Property B"),
        ("A Proof That P Is NP", "A Proof That P Is Not NP"),
        ("Sparse Experts", "Reply to 'Sparse Experts'"),
        ("Comment on Sparse Experts", "Reply to Comment on Sparse Experts"),
        ("Sparse Experts", "Sparse Experts (Erratum)"),
        ("Zur Elektrodynamik", "Berichtigung: Zur Elektrodynamik"),
        ("Programming in C", "Programming in C++"),
        ("量子力学（上）", "量子力学（下）"),
    ],
)  # fmt: skip
def test_what_tells_titles_of_two_works_apart_is_found(one: str, other: str) -> None:
    assert compare_titles(one, other).against
    assert compare_titles(other, one).against
