r"""What is written for LaTeX. That LaTeX prints it is tested in ``exporters.test_latex``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.latex.encode import escape_text, escape_title, escape_verbatim, split_math
from tests.timing import assert_seconds


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("R&D 50% #1 a_b", r"R\&D 50\% \#1 a\_b"),
        ("~^\\", r"{\textasciitilde}{\textasciicircum}{\textbackslash}"),
        ("{", r"{\textbraceleft}"),
        ("a < b | c", r"a {\textless} b {\textbar} c"),
        ("a--b '' ,,", "a-{}-b '{}' ,{},"),
        (
            "é ő š ï Å ế ß",
            r"{\'e} {\H{o}} {\v{s}} {\" {\i}} {\AA} {\'{\^e}} {\ss}".replace('" ', '"'),
        ),
        ("“q” – —", r"{\textquotedblleft}q{\textquotedblright} {\textendash} {\textemdash}"),
        ("β → ∞", r"{\ensuremath{\beta}} {\textrightarrow} {\ensuremath{\infty}}"),
        (
            "H₂O, x⁻¹",
            r"H{\textsubscript{2}}O, "
            r"x{\textsuperscript{\ensuremath{\mathord{-}}}}{\textsuperscript{1}}",
        ),
        ("≤ ℝ", r"{\ensuremath{\leq}} {{\ensuremath{\mathbb{R}}}}"),
        (
            "ώ Ρ ∆",
            r"{\'{\ensuremath{\omega}}} {{\ensuremath{\mathord{\mathrm{P}}}}} "
            r"{\ensuremath{\mathord{\Delta}}}",
        ),
        (
            "ș ǽ −3 5‰",
            r"{\textcommabelow{s}} {\'{\ae}} {\ensuremath{\mathord{-}}}3 5{\textperthousand}",
        ),
        ("中文 😀", "中文 😀"),
        (" two\n\tlines ", "two lines"),
    ],
)
def test_text_is_written_with_what_latex_has_a_name_for(text: str, latex: str) -> None:
    assert escape_text(text, encode=True) == latex


def test_without_encoding_letters_stay_and_what_latex_would_not_take_does_not() -> None:
    text = escape_text("é “β” ₂ & {", encode=False)
    assert text == r"é “{\ensuremath{\beta}}” {\textsubscript{2}} \& {\textbraceleft}"


@pytest.mark.parametrize(
    ("title", "protected"),
    [
        ("BERT and GPT-4 on a TPU", "{BERT} and {GPT}-4 on a {TPU}"),
        ("A Plan B for C++ and C#", r"A Plan {B} for {C++} and {C\#}"),
        ("iPhone, k-means, X-ray", "{iPhone}, k-means, {X}-ray"),
        ("AT&T over TCP/IP", r"{AT\&T} over {TCP/IP}"),
        ("Llama2 in 3D for 2024", "{Llama2} in {3D} for 2024"),
        ("An $O(N)$ Bound", "An {$O(N)$} Bound"),
        ("Ångström ÉTUDE", r"{\AA}ngstr{\"o}m {{\'E}TUDE}"),
        ("Mixture-of-Experts: Sparse", "Mixture-of-Experts: Sparse"),
    ],
)
def test_capitals_that_carry_meaning_are_protected(title: str, protected: str) -> None:
    assert escape_title(title, encode=True) == protected


def test_words_and_phrases_of_the_reader_are_protected_too() -> None:
    title = "Bayesian Inference in New York, unlike Bayesians"
    assert (
        escape_title(title, encode=True, protect=("Bayesian", "New York"))
        == "{Bayesian} Inference in {New York}, unlike Bayesians"
    )


@pytest.mark.parametrize(
    "text",
    [
        "$x$", "$O(n \\log n)$", "$\\mathcal{O}(\\sqrt{n})$", "$x_1^2$", "$x^{a^{b}}_{i}$", "$_2$",
        "$\\{0,1\\}^n$", "$\\frac{1}{2}$", "$f'$", "$\\ell_p$", "$a\\,b$", "$\\alpha$",
    ],
)  # fmt: skip
def test_balanced_harmless_mathematics_is_kept(text: str) -> None:
    assert escape_text(f"On {text} here", encode=True) == f"On {text} here"


@pytest.mark.parametrize(
    "text",
    [
        "$5 and $6", "$ x$", "$x $", "$5 or 6$7", "$$", "$x", "$a^b^c$", "$a^$", "$_$", "$x_1_2$",
        "$\\input{x}$", "$\\unknown$", "$\\write18{ls}$", "$^^5cinput$", "$a}{b$", "${$", "$\\{$",
        "$a\\$", "$\\\\$", "$\\frac{1}$", "$\\mathbb$", "$a%b$", "$a&b$", "$\\def$", "$é$",
        "$x^\\frac{1}{2}$", "$\\alphax$", "$x''^2$",
    ],
)  # fmt: skip
def test_what_latex_would_refuse_or_run_is_text(text: str) -> None:
    assert all(not is_math for _, is_math in split_math(text))
    assert "$" not in escape_text(text, encode=True).replace(r"\$", "")


@given(st.text())
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    assert "".join(piece for piece, _ in split_math(text)) == text


@pytest.mark.parametrize(
    "text", ["$" * 10**5, "$a" * 20_000, "${" * 20_000, "a" * 10**6, "-'" * 20_000]
)
def test_long_hostile_text_takes_linear_time(text: str) -> None:
    assert_seconds(1, lambda: escape_title(text, encode=True))


def test_an_address_keeps_what_is_there_and_encodes_what_would_break_out() -> None:
    assert escape_verbatim(" https://a.b/c_d?e=%20&f#g~h ") == "https://a.b/c_d?e=%20&f#g~h"
    assert escape_verbatim('a{}\\ "é') == "a%7B%7D%5C%20%22%C3%A9"


WORDS = st.sampled_from(
    ("A", "a", "B", "On", "of", "GPT", "GPT-4", "2023", "k8s", "R&D", "It's", "e.g.", "--", "x_y")
)


@given(st.lists(WORDS, max_size=5), st.sampled_from((" ", "-", ": ", ", ", "  ")))
def test_a_title_of_plain_words_is_written_as_any_other(words: list[str], between: str) -> None:
    title = between.join(words)
    looked_at = escape_title(title, encode=True, protect=("a phrase that it has not",))
    assert escape_title(title, encode=True) == looked_at
