import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.latex.decode import decode_latex
from papertrack.latex.encode import escape_text, escape_title
from papertrack.latex.tables import ACCENTS, LETTERS, SYMBOLS
from papertrack.text import clean
from tests.timing import assert_seconds

NAMED = [*LETTERS, *SYMBOLS, *(unicodedata.normalize("NFC", "e" + mark) for mark in ACCENTS)]


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        ("plain", "plain"),
        ("{The {BERT} Paper}", "The BERT Paper"),
        (r"K{\"o}rper, K\"{o}rper, K\"orper, K{\"{o}}rper", "Körper, Körper, Körper, Körper"),
        (r"Erd\H{o}s, \v Skoda, \c{c}, \'{\i}, {\'\i}, \'\i", "Erdős, Škoda, ç, í, í, í"),
        (r"\'{\^e} \~{} \^{}", "ế ~ ^"),
        (r"\aa ngstr\"om \ss{} {\ss} \o", "ångström ß ß ø"),
        (r"R\&D 50\% 50% \#1 a\_b \$5 \{x\}", "R&D 50% 50% #1 a_b $5 {x}"),
        (r"A~B -- C --- D ``q'' `r'", "A B – C — D “q” ‘r'"),
        (r"Garc\'\i a, na\"{\i}ve, \'{\'{\'{e}}} \'", "García, naïve, é́́ ´"),
        (r"\log n \leqslant 1, $\log n$", r"log n ≤1, $\log n$"),
        (r"\cite{a}", "cite a"),
        (r"\emph{Foo} \textbf {Bar} {\it Baz} \url{a.b}", "Foo Bar Baz a.b"),
        (r"On $\mathcal{O}(n^{2})$ and $x\_y$", r"On $\mathcal{O}(n^{2})$ and $x\_y$"),
        (r"\ensuremath{\beta}-VAE and \LaTeX{} too", "β-VAE and LaTeX too"),
        (r"{\noopsort{1973b}}1973", "1973"),
        (r"\unknownmacro{kept} tail", "unknownmacro kept tail"),
        (r"\textdong{} \textohm", "₫ Ω"),
        (" two\n  lines ", "two lines"),
        ("a $ b", "a $ b"),
        ("\\", "\\"),
    ],
)
def test_latex_reads_as_the_text_it_prints(latex: str, text: str) -> None:
    assert decode_latex(latex) == text


def test_everything_that_is_written_by_name_is_read_back() -> None:
    for character in NAMED:
        written = escape_text(f"a{character}b", encode=True)
        assert written.isascii(), character
        assert decode_latex(written) == f"a{character}b"


@given(st.text(), st.booleans())
def test_any_text_survives_being_written_and_read(text: str, encode: bool) -> None:
    assert decode_latex(escape_text(text, encode=encode)) == clean(text)
    assert decode_latex(escape_title(text, encode=encode)) == clean(text)


@given(st.text(alphabet="$\\{}^_-'`\",~%&#ab é{\\", max_size=40), st.booleans())
def test_text_made_of_syntax_survives_too(text: str, encode: bool) -> None:
    assert decode_latex(escape_title(text, encode=encode)) == clean(text)


@pytest.mark.parametrize(
    "part", ["\\'{", "{", "\\", "$", "`", "\\'{{}", "\\noopsort{", "-'", "\\a "]
)
def test_long_hostile_text_takes_linear_time(part: str) -> None:
    assert_seconds(2, lambda: decode_latex(part * 20_000))
