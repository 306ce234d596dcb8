"""What the parts of entries are."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document


def parts_of(text: str) -> list[tuple[str, str]]:
    """Return the parts of the first entry in a text: the role and the words of each."""
    document = parse_document(text)
    parts = document.entries[0].anatomy.parts
    return [(part.role, document.text[slice(*part.span)]) for part in parts]


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (
            "- [x] [Survey] (2023-09) **Long Titles** ⭐⭐ [[pdf]](https://arxiv.org/abs/2309.06180)",
            [
                ("mark", "[x]"),
                ("tag", "Survey"),
                ("date", "2023-09"),
                ("title", "Long Titles"),
                ("rating", "⭐⭐"),
                ("link", "[[pdf]](https://arxiv.org/abs/2309.06180)"),
            ],
        ),
        (
            "- [Long Titles](https://arxiv.org/abs/2309.06180) `Somewhere` [code](https://github.com/a/b)",
            [
                ("title", "Long Titles"),
                ("tag", "Somewhere"),
                ("link", "[code](https://github.com/a/b)"),
            ],
        ),
    ],
)
def test_the_parts_of_an_item_are_in_its_order_without_what_is_around_them(
    line: str, parts: list[tuple[str, str]]
) -> None:
    assert parts_of(line) == parts


def test_a_title_that_is_a_link_knows_its_link() -> None:
    entry = parse_document("- [Long Titles](https://arxiv.org/abs/2309.06180)").entries[0]
    (title,) = entry.anatomy.parts
    assert title.link is not None
    assert title.link.url == "https://arxiv.org/abs/2309.06180"


def test_links_of_details_are_no_parts_of_the_item_itself() -> None:
    text = "- [Long Titles](https://arxiv.org/abs/2309.06180)\n  - Code: [official](https://github.com/a/b)"
    assert [role for role, _ in parts_of(text)] == ["title"]


@pytest.mark.parametrize("cut", ["et al.", "et al", "et.al.", "et.al", "et. al."])
def test_a_name_that_is_cut_off_is_a_name(cut: str) -> None:
    text = f"- 2022-11-27, **Long Titles**, Ada Low {cut}, [pdf](https://arxiv.org/abs/2309.06180)"
    assert ("authors", f"Ada Low {cut.rstrip('.')}") in parts_of(text)
    (entry,) = parse_document(text).entries
    assert entry.fields.authors == ("Ada Low",)
