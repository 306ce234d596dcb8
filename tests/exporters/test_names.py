import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.bibtex.names import format_name, format_names
from papertrack.identifiers.derived import parts_of
from papertrack.records import Author


@pytest.mark.parametrize(
    ("name", "bibtex"),
    [
        ("Woosuk Kwon", "Kwon, Woosuk"),
        ("Aristotle", "Aristotle"),
        ("Ludwig van Beethoven", "van Beethoven, Ludwig"),
        ("Charles Louis Xavier Joseph de la Vallée Poussin",
         r"de la Vall{\'e}e Poussin, Charles Louis Xavier Joseph"),
        ("danah boyd", "boyd, danah"),
        ("Martin Luther King, Jr.", "King, Jr., Martin Luther"),
        ("Martin Luther King Jr", "King, Jr, Martin Luther"),
        ("Henry Ford III", "Ford, III, Henry"),
        ("Kwon, Woosuk", "Kwon, Woosuk"),
        ("King, Martin Luther, Jr.", "King, Jr., Martin Luther"),
        ("H1 Collaboration", "{H1 Collaboration}"),
        ("Google, Inc.", "{Google, Inc.}"),
        ("Llama Team", "{Llama Team}"),
        ("Simon and Garfunkel", "{Simon and Garfunkel}"),
        ("a, b, c, d", "{a, b, c, d}"),
        (", x", "{, x}"),
        ("王小明", "王小明"),
        ("A {B", r"{A {\textbraceleft}B}"),
        ("{B", r"{{\textbraceleft}B}"),
    ],
)  # fmt: skip
def test_names_are_written_as_bibtex_reads_them(name: str, bibtex: str) -> None:
    assert format_name(Author(name), encode=True) == bibtex


@pytest.mark.parametrize(
    ("author", "bibtex"),
    [
        (Author("Gabriel García Márquez", family="García Márquez"),
         r"Garc{\'{\i}}a M{\'a}rquez, Gabriel"),
        (Author("World Health Organization", family="World Health Organization"),
         "{World Health Organization}"),
        (Author("José Ortega y Gasset III", family="Ortega y Gasset"),
         r"Ortega y Gasset, III, Jos{\'e}"),
    ],
)  # fmt: skip
def test_a_known_family_name_goes_before_the_rule(author: Author, bibtex: str) -> None:
    assert format_name(author, encode=True) == bibtex


def test_a_cut_list_of_authors_ends_in_others() -> None:
    authors = [Author("Woosuk Kwon"), Author(" \u200b"), Author("et al.")]
    assert format_names(authors, encode=True) == "Kwon, Woosuk and others"
    assert format_names([], encode=True) == ""


def test_et_al_has_no_family_name() -> None:
    assert parts_of(Author("et al.")) == ("et al.", "", "")


WORDS = st.sampled_from(
    ("Ann", "M.", "Kwon", "Li", "Team", "Teams", "And", "Al", "Alan", "Jr", "Iii", "H1", "van", "Ö")
)


@given(st.lists(WORDS, min_size=1, max_size=4).map(" ".join))
def test_a_name_of_plain_words_is_written_as_any_other(name: str) -> None:
    # With a blank more it is looked at as every odd name is.
    assert parts_of(Author(name)) == parts_of(Author(f"{name} "))
    written = format_name(Author(f"{name} "), encode=True)
    assert format_names([Author(name), Author("Zoe Ng")], encode=True) == f"{written} and Ng, Zoe"
