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


@pytest.mark.parametrize(
    "title",
    [
        "Interactive work with O(1) and CFS schedulers",
        "(Mis)Fitting Curves",
        "SE(3) Networks and f(x)",
        "E(n)-Equivariant Graphs",
        "{TVM}: A Compiler for All",
    ],
)
def test_brackets_in_a_word_of_a_title_are_its_own(title: str) -> None:
    others = ("Real time in kernels", "Schedulers for all", "Fair shares of a clock")
    lines = [
        f"- {one}. ICML(20{at}) [[pdf]](https://a.example/{at})"
        for at, one in enumerate((*others, title), start=10)
    ]
    dated = [
        f"- {one} (20{at}) [pdf](https://a.example/{at})"
        for at, one in enumerate((*others, title), start=10)
    ]
    for text in (lines, dated):
        assert parse_document("\n".join(text)).entries[-1].fields.title == title


@pytest.mark.parametrize(
    "names", ["Leo Breiman", "Klaus Greff et al.", "Ada Lovelace and Mei Sato"]
)
def test_who_wrote_it_behind_a_dash_in_a_link_is_no_part_of_the_title(names: str) -> None:
    titles = ("Tidy Data", "Two Cultures: A Comment", f"A Space Odyssey of Cells - by {names}")
    text = "\n\n".join(
        f":star2: [{title}](https://arxiv.org/pdf/1411.500{at}.pdf)"
        for at, title in enumerate(titles)
    )
    entry = parse_document(text).entries[-1]
    assert entry.fields.title == "A Space Odyssey of Cells"
    assert names.startswith(entry.fields.authors[0])


def test_by_a_method_is_part_of_a_title() -> None:
    text = "- [Learning by Descent - by Example](https://arxiv.org/abs/1411.50001)"
    assert parse_document(text).entries[0].fields.title == "Learning by Descent - by Example"


@pytest.mark.parametrize(
    ("written", "iso"),
    [("Mar., 2025", "2025-03"), ("Jul, 2024", "2024-07"), ("Sept. 3, 2023", "2023-09-03")],
)
def test_a_month_and_its_year_are_one_date_whatever_is_between_them(written: str, iso: str) -> None:
    titles = ("Long Titles", "Short Ones of Words", "Paged Attention and Kernels")
    text = "\n".join(
        f"- [{title}](https://arxiv.org/abs/2309.0618{at}) ({written})"
        for at, title in enumerate(titles)
    )
    document = parse_document(text)
    assert [entry.fields.date for entry in document.entries] == [iso] * 3
    assert [role for role, _ in parts_of(text)] == ["title", "date"]
