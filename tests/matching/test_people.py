"""Whether two lists of authors name the same people."""

import pytest

from papertrack.matching.people import compare_authors
from papertrack.records import Author
from tests.counting import calls_of


def names(count: int, family: str) -> list[Author]:
    """As many, which no shorter list has: what was found out of these may be known."""
    return [Author(f"{chr(97 + n % 26)}nn {family.format(1000 * count + n)}") for n in range(count)]


@pytest.mark.parametrize("family", ["Bee{}x", "Wang"])
@pytest.mark.parametrize("of_others", ["Bee{}x", "Other{}y"])
def test_twice_the_members_are_twice_the_work_to_compare(family: str, of_others: str) -> None:
    def calls(count: int) -> int:
        one, other = names(count, family), names(count, of_others)[::-1]
        return calls_of(lambda: compare_authors(one, other))

    calls(50)  # What is found out once.
    few, twice, again = (calls(count) for count in (100, 200, 400))
    assert again - twice < 2.6 * (twice - few)


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        (["Ann Bee", "Bo Cee"], ["A. Bee"], 1),
        (["Ann Bee", "Bo Cee"], ["Bo Cee", "Di Dee", "Ed Eff"], 0.5),
        (["Ann Bee"], ["Carl Bee"], 0),
        (["Ann Bee"], [], None),
        (["Юрий Левитин"], ["Jurij Levitin"], 1),
        (["Wei Wang"], ["王伟"], None),
        (["Nuno Santo 0001"], ["Santo, Nuno"], 1),
        (["Wang Wei", "Li Xiaoming"], ["Wei Wang", "Xiao-Ming Li"], 1),
        (["Ann Bee et. al."], ["Ann Bee", "Bo Cee"], 1),
        (["Ann Bee", "others"], ["Ann Bee", "Bo Cee"], 1),
        (["The CMS Collaboration"], ["CMS Collaboration"], 1),
        (["The CMS Collaboration"], ["ATLAS Collaboration"], 0),
    ],
)
def test_the_share_is_of_the_shorter_list(
    one: list[str], other: list[str], share: float | None
) -> None:
    lists = [tuple(map(Author, some)) for some in (one, other)]
    found = [compare_authors(*lists), compare_authors(*reversed(lists))]
    assert [common and common.of_shorter for common in found] == [share, share]
