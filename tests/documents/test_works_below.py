"""Works whose title stands alone, in a heading or behind a label, with the rest below it."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document

WORKS = (
    ("Deep Residual Learning for Image Recognition", "Kaiming He, Xiangyu Zhang", "1512.03385"),
    ("Denoising Diffusion Probabilistic Models", "Jonathan Ho, Ajay Jain", "2006.11239"),
    ("Attention Is All You Need", "Ashish Vaswani, Noam Shazeer", "1706.03762"),
    ("Proximal Policy Optimization Algorithms", "John Schulman, Filip Wolski", "1707.06347"),
)
LINK = "https://arxiv.org/abs/{id}"
SHAPES = {
    "paragraphs": f"### {{title}}\n\n*{{names}}*, Some Venue 2020\n\n[[Paper]]({LINK})\n",
    "items": f"### {{title}}\n\n- Authors: {{names}}\n- [Paper]({LINK})\n- [Code](https://a.b/{{id}})\n",
    "labels": f"### {{title}}\n\n- **Authors:** {{names}}\n- **Link:** {LINK}\n- **About:** Ok.\n",
    "label": f"- Title: {{title}}\n  - Authors: {{names}}\n  - Link: {LINK}\n",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_title_alone_has_what_stands_below_it(shape: str) -> None:
    texts = [SHAPES[shape].format(title=t, names=n, id=i) for t, n, i in WORKS]
    entries = parse_document("# List\n\n## Papers\n\n" + "\n".join(texts)).entries
    assert [entry.fields.title for entry in entries] == [title for title, _, _ in WORKS]
    assert [", ".join(entry.fields.authors) for entry in entries] == [
        names for _, names, _ in WORKS
    ]
    assert [entry.identifiers[0].value for entry in entries] == [own for _, _, own in WORKS]


def test_headings_of_sections_stay_sections() -> None:
    item = "- [{title}](https://arxiv.org/abs/{id}) {names}\n"
    texts = [
        f"### {t} and more of it\n\n" + item.format(title=t, names=n, id=i) for t, n, i in WORKS
    ]
    document = parse_document("# List\n\n" + "\n".join(texts))
    assert {entry.shape for entry in document.entries} == {"item"}
    assert len({entry.category for entry in document.entries}) == len(WORKS)


def test_headings_above_a_table_of_one_work_stay_sections() -> None:
    table = "| Paper | Link |\n| --- | --- |\n| {title} | [Paper](https://arxiv.org/abs/{id}) |\n"
    texts = [f"### {t} and more of it\n\n" + table.format(title=t, id=i) for t, _, i in WORKS]
    entries = parse_document("# List\n\n" + "\n".join(texts)).entries
    assert [entry.fields.title for entry in entries] == [title for title, _, _ in WORKS]
