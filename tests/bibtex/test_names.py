import pytest
from bibtexparser.middlewares.names import (
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.bibtex.names import parse_names
from papertrack.records import Author
from papertrack.text import split_name


@pytest.mark.parametrize(
    ("value", "authors"),
    [
        ("", []),
        ("Woosuk Kwon", [Author("Woosuk Kwon")]),
        ("Kwon, Woosuk and Li,  Zhuohan", [Author("Woosuk Kwon"), Author("Zhuohan Li")]),
        ("A B AND C D\nand\tE F", [Author("A B"), Author("C D"), Author("E F")]),
        ("van Beethoven, Ludwig", [Author("Ludwig van Beethoven")]),
        (r"Brand\~{a}o, Jo\~ao~P.", [Author("João P. Brandão")]),
        ("Garc{\\'i}a M{\\'a}rquez, Gabriel",
         [Author("Gabriel García Márquez", family="García Márquez")]),
        ("King, Jr., Martin Luther", [Author("Martin Luther King Jr.")]),
        ("King, Martin Luther, Jr.", [Author("Martin Luther King Jr.")]),
        ("King Jr., Martin Luther", [Author("Martin Luther King Jr.")]),
        ("{World Health Organization}",
         [Author("World Health Organization", family="World Health Organization")]),
        ("{Simon and Garfunkel} and others",
         [Author("Simon and Garfunkel", family="Simon and Garfunkel"), Author("et al.")]),
        ("Aristotle", [Author("Aristotle")]),
        ("a, b, c, d", [Author("a, b, c, d")]),
        ("and and A B and", [Author("A B")]),
        ("given=Simon, prefix=de, family=Beumont", [Author("Simon de Beumont")]),
        ("family=Duck, given={D, x=y", [Author("D, x=y Duck", family="Duck")]),
        ("Potts, Christopher, ", [Author("Christopher Potts")]),
        ("王小明 and 李, 雷", [Author("王小明"), Author("雷 李")]),
        ("Gilles {Van Assche}", [Author("Gilles Van Assche", family="Van Assche")]),
        ("Pablo {Garc{\\'i}a Molina}",
         [Author("Pablo García Molina", family="García Molina")]),
        ("Jan~{Berg~Smit}",
         [Author("Jan Berg Smit", family="Berg Smit")]),
        ("Barack {Obama}", [Author("Barack Obama")]),
        ("{Jean Paul} Sartre", [Author("Jean Paul Sartre")]),
        ("Doe, Ph.D., Ann", [Author("Ann Doe Ph.D.", family="Doe")]),
        ("de la Cruz, {\\`a} V, Ana", [Author("Ana de la Cruz à V", family="de la Cruz")]),
        ("Sherry, John F., Jr.", [Author("John F. Sherry Jr.")]),
        ("Ann Lee and \\v{Z}eljko Kos and \\'Elan Vital",
         [Author("Ann Lee"), Author("Željko Kos"), Author("Élan Vital")]),
        ("{\\'A}vila, Teresa", [Author("Teresa Ávila")]),
    ],
)  # fmt: skip
def test_names_are_as_printed(value: str, authors: list[Author]) -> None:
    assert list(parse_names(value)) == authors


def test_others_alone_are_nobody() -> None:
    assert parse_names("others") == parse_names("and others") == ()


WORDS = ("Ada", "Lovelace", "Ångström", "Jean-Luc", "J.", "García", "王", "{Le Corbusier}")
PARTICLES = ("von", "de la", "van der")
BY_THE_RULES = st.builds(
    lambda particle, last, suffix, first: ", ".join(
        filter(None, (f"{particle} {' '.join(last)}".strip(), suffix, " ".join(first)))
    ),
    st.sampled_from(("", *PARTICLES)),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=2),
    st.sampled_from(("", "Jr.", "III")),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=2),
)


@given(st.lists(BY_THE_RULES, min_size=1, max_size=3))
def test_names_by_bibtexs_rules_are_split_as_bibtexparser_splits_them(names: list[str]) -> None:
    value = " and ".join(names)
    theirs = [parse_single_name_into_parts(name) for name in split_multiple_persons_names(value)]
    authors = parse_names(value)
    assert [author.name for author in authors] == [
        parts.merge_first_name_first.replace("{", "").replace("}", "") for parts in theirs
    ]
    assert [author.family or split_name(author.name)[0] for author in authors] == [
        " ".join((*parts.von, *parts.last)).replace("{", "").replace("}", "") for parts in theirs
    ]


PIECES = st.sampled_from(
    "Ann|Kim|McDonald|O'Neil|J.|A.B.|J.-P.|van|de|Jr|iv|others|and|é|Ü|李|x|1|-|'|--|~|{|}|\\'e"
    "|family=|et al.|,|, |, | | | |  |\\{|\\".split("|")
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_no_list_of_names_makes_it_fail_and_none_is_empty(value: str) -> None:
    assert all(author.name.strip() for author in parse_names(value))
