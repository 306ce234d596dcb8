"""Names as citations have them, the first one turned round: one person, not two."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.grammar.likeness import names_in
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.name_lists import learn_names, read_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Low, Ada Maria, et al.", ("Ada Maria Low",)),
        ("Low, Ada, et al.", ("Ada Low",)),
        ("Low, Ada M., Ben Roe, and Cy Poe", ("Ada M Low", "Ben Roe", "Cy Poe")),
        ("Low, Ada, Ben Roe", ("Ada Low", "Ben Roe")),
        ("Low, A. B., & Roe, C.", ("A. B. Low", "C. Roe")),
        ("Ada Low, Ben Roe, et al.", ("Ada Low", "Ben Roe")),
        ("Low, Roe et al.", ("Low", "Roe")),
        ("Low and Roe", ("Low", "Roe")),
        ("Ada Low, Benroe, Cy Poe", ("Ada Low", "Benroe", "Cy Poe")),
        ("Low et al.", ("Low",)),
        ("Low A, Roe BC, van den Poe D", ("A. Low", "B. C. Roe", "D. van den Poe")),
        ("Low A.B., Roe C., et al.", ("A. B. Low", "C. Roe")),
        ("Low A", ("A. Low",)),
        # The family's, not initials; and a person whose name ends with one.
        ("Ada LI, Ben XU", ("Ada LI", "Ben XU")),
        ("Ada Maria V", ("Ada Maria V",)),
        ("", ()),
    ],
)
def test_a_family_name_before_a_comma_is_no_author_of_its_own(
    text: str, names: tuple[str, ...]
) -> None:
    assert names_in(text) == names


def test_a_list_that_turns_first_names_round_writes_new_ones_so() -> None:
    texts = ["Low, Ada, Ben Roe, Cy Poe", "Doe, Max, Joe Coe"]
    shown = [read_names(text, names_in(text)) for text in texts]
    style = learn_names([names for names in shown if names])
    assert style.write(["Eve Zoe", "Guy Hue"]) == "Zoe, Eve, Guy Hue"


@pytest.mark.parametrize(
    ("below", "authors"),
    [
        ("Ada Low, Ben Roe", ("Ada Low", "Ben Roe")),
        ("Ada Low, Ben Roe, Cypoe", ("Ada Low", "Ben Roe", "Cypoe")),
        ("Low et al.", ("Low",)),
        ("李沐, 王强", ("李沐", "王强")),
        ("Megatron, DeepSpeed", ()),
        ("PyTorch, Ray", ()),
        ("Google Research, Open AI", ()),
    ],
)
def test_names_of_software_and_organisations_below_a_title_are_no_authors(
    below: str, authors: tuple[str, ...]
) -> None:
    text = f"- [A Survey of Engines](https://arxiv.org/abs/2301.00001)\n  - {below}\n"
    (entry,) = parse_document(text).entries
    assert entry.fields.authors == authors


@pytest.mark.parametrize(
    "text", ["Ada Low (University of Somewhere), Ben Roe", "Ada Low; Amazon, Ben Roe"]
)
def test_an_affiliation_between_names_is_no_separator(text: str) -> None:
    assert read_names(text, ("Ada Low", "Ben Roe")) is None


@pytest.mark.parametrize("between", [", ", " and ", " & ", ", und ", "、", " · ", " <br> ", "和"])
def test_signs_and_short_words_between_names_are_separators(between: str) -> None:
    names = read_names(f"Ada Low{between}Ben Roe", ("Ada Low", "Ben Roe"))
    assert names is not None
    assert names.between == (between,)


def test_a_list_that_turns_all_names_round_writes_new_ones_so() -> None:
    texts = ["Low, A., & Roe, B. C", "Poe, C., Moe, D., & Doe, E.", "Coe, J.", "Hue, G., & Zoe, E."]
    shown = [read_names(text, names_in(text)) for text in texts]
    style = learn_names([names for names in shown if names])
    assert style.write(["Eve Zoe", "Guy Hue"]) == "Zoe, E., & Hue, G."
    assert style.write(["Eve van Zoe", "Guy Hue", "Kim Lee"]) == "van Zoe, E., Hue, G., & Lee, K."


def test_a_list_with_initials_behind_writes_new_names_so() -> None:
    texts = ["Low A, Roe BC, Poe D", "Poe C, Moe D", "Coe J"]
    shown = [read_names(text, names_in(text)) for text in texts]
    style = learn_names([names for names in shown if names])
    assert style.write(["Eve Ann Zoe", "Guy Hue"]) == "Zoe EA, Hue G"
