import pytest

from papertrack.documents.bibtex.names import parse_names
from papertrack.records import Author


@pytest.mark.parametrize(
    ("value", "authors"),
    [
        ("", []),
        ("Woosuk Kwon", [Author("Woosuk Kwon")]),
        ("Kwon, Woosuk and Li,  Zhuohan", [Author("Woosuk Kwon"), Author("Zhuohan Li")]),
        ("A B AND C D\nand\tE F", [Author("A B"), Author("C D"), Author("E F")]),
        ("van Beethoven, Ludwig", [Author("Ludwig van Beethoven")]),
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
    ],
)  # fmt: skip
def test_names_are_as_printed(value: str, authors: list[Author]) -> None:
    assert list(parse_names(value)) == authors


def test_others_alone_are_nobody() -> None:
    assert parse_names("others") == parse_names("and others") == ()
