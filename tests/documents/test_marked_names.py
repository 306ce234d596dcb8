"""Names that people mark among others, most often their own."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Add
from papertrack.documents.markdown.write.name_lists import read_names
from tests.documents.samples import edited, paper

WORKS = (
    ("Attention Is All You Need", "1706.03762", ("Ada Low", "Ben Roe", "Cy Poe")),
    ("Deep Residual Learning for Image Recognition", "1512.03385", ("Eve Zoe", "Ada Low")),
    ("Adam: A Method for Stochastic Optimization", "1412.6980", ("Ada Low", "Ben Roe")),
)


def homepage(template: str, mark: str) -> str:
    """A list of somebody's own works, with a mark around the name."""
    lines = [
        template.format(
            title=title,
            url=f"https://arxiv.org/abs/{arxiv_id}",
            names=", ".join(names).replace("Ada Low", mark.format("Ada Low")),
        )
        for title, arxiv_id, names in WORKS
    ]
    return "# Publications\n\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("mark", ["**{}**", "*{}*", "__{}__", "<u>{}</u>", r"**{}\***"])
@pytest.mark.parametrize(
    "template",
    [
        "- [{title}]({url}). {names}. ICML 2021.",
        '1. {names}. "{title}." ICML 2021. [pdf]({url})',
        "- **{title}**, {names}, ICML 2021 ([paper]({url}))",
        "**{title}**  \n{names}  \nICML 2021 [[paper]]({url})\n",
        "{names}\n**{title}**\n*ICML 2021*\n[Paper]({url})\n",
    ],
)
def test_a_marked_name_is_an_author_as_those_beside_it(template: str, mark: str) -> None:
    entries = parse_document(homepage(template, mark)).entries
    found = [(entry.fields.title, entry.fields.authors) for entry in entries]
    assert found == [(title, names) for title, _, names in WORKS]


@pytest.mark.parametrize(
    ("item", "title"),
    [
        ("- **Deep Learning**, Ada Low, Ben Roe, Nature 2015, [pdf]({})", "Deep Learning"),
        (
            "- Ada Low, Ben Roe, Cy Poe\n  **Combining Recurrent, Convolutional, and Slow Nets**\n"
            "  [pdf]({})",
            "Combining Recurrent, Convolutional, and Slow Nets",
        ),
    ],
)
def test_a_title_in_emphasis_beside_names_is_none_of_them(item: str, title: str) -> None:
    items = (item.format(f"https://arxiv.org/abs/1706.0376{n}") for n in range(1))
    (entry,) = parse_document("# Papers\n\n" + "\n".join(items) + "\n").entries
    assert entry.fields.title == title


def test_marks_of_names_are_not_taken_for_what_parts_them() -> None:
    names = ("Eve Zoe", "Ada Low", "Ben Roe")
    shown = read_names(r"Eve Zoe, **Ada Low\***, Ben Roe", names)
    assert shown is not None
    assert shown.between == (", ", ", ")


def test_a_new_entry_among_marked_names_has_its_own_unmarked() -> None:
    text = homepage("- [{title}]({url}). {names}. ICML 2021.", "**{}**")
    title, url = "Auto-Encoding Variational Bayes", "https://arxiv.org/abs/1312.6114"
    document = parse_document(text)
    new = paper(title, url, authors=("Eve Zoe", "Guy Hue"), venue="ICML 2021")
    assert f"[{title}]({url}). Eve Zoe, Guy Hue. ICML 2021." in edited(document, Add((), new))
