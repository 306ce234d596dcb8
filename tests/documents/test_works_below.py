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


@pytest.mark.parametrize("mark", ["*", "**", ""])
@pytest.mark.parametrize("url", ["https://doi.org/10.1109/x.2012.{}", "https://a.org/{}.pdf"])
def test_references_below_a_reference_are_works_of_their_own(mark: str, url: str) -> None:
    titles = "Real-Time Gestures of Hands", "Remote Control by Stereo Pairs", "On Events of Edges"
    items = [
        f"{indent}- Lee, J., Park, P. K. J.,  \n{indent}"
        f"{mark}[{title}]({url.format(number)}){mark},"
        f"  \n{indent}ISCAS, 2012. [Code](https://b.org/{number})\n"
        for number, (indent, title) in enumerate(zip(("", "    ", "    "), titles, strict=True))
    ]
    entries = parse_document("# Papers\n\n" + "".join(items)).entries
    assert [entry.fields.title for entry in entries] == [*titles]
    for number, entry in enumerate(entries):
        assert [link.url for link in entry.fields.links] == [
            url.format(number),
            f"https://b.org/{number}",
        ]
        assert entry.fields.authors == ("J. Lee", "P. K. J. Park")


@pytest.mark.parametrize("above", ["", "Grace Hopper, John Backus. "])
@pytest.mark.parametrize(
    "detail",
    [
        "Code by Jane Doe: [repository](https://github.com/a/b)",
        "Ada Lovelace, Alan Turing. [PDF](https://a.org/x.pdf)",
        "See also [the blog](https://b.org/post) by Ada Lovelace",
        "Ada Lovelace, Alan Turing, [arXiv 2021](https://arxiv.org/abs/2101.00001)",
        "Eva Fox, [PyTorch implementation of some words](https://github.com/a/b)",
        "Tom Brown et al. [Supplementary material](https://x.org/sup)",
        "Slides by Ada Lovelace: [What Engines Compute](https://b.org/slides)",
        "Authors: Ada Lovelace, [Alan Turing](https://turing.org)",
    ],
)
def test_what_is_said_of_a_reference_is_no_work(detail: str, above: str) -> None:
    work = "[A Title of Some Words](https://arxiv.org/abs/2001.00001)"
    text = f"# P\n\n- {above}{work}\n    - {detail}\n"
    assert [e.fields.title for e in parse_document(text).entries] == ["A Title of Some Words"]


@pytest.mark.parametrize("end", ["-", "- ", "-\n", "-\n- ", "  -", "1."])
def test_an_empty_item_below_a_work_is_none(end: str) -> None:
    """As an editor leaves it in the middle of writing."""
    text = f"# P\n\n- [A Title of Some Words](https://arxiv.org/abs/2001.00001)\n{end}"
    assert [e.fields.title for e in parse_document(text).entries] == ["A Title of Some Words"]
