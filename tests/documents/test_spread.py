"""Works whose title, names and links stand in paragraphs of their own."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Remove, SetTitle
from tests.documents.samples import edited

WORKS = (
    ("Deep Residual Learning for Image Recognition", "Kaiming He, Xiangyu Zhang", "1512.03385"),
    ("Generative Adversarial Networks", "Ian J. Goodfellow, Mehdi Mirza", "1406.2661"),
    ("Adam: A Method for Stochastic Optimization", "Diederik P. Kingma, Jimmy Ba", "1412.6980"),
    ("Layer Normalization", "Jimmy Lei Ba, Jamie Ryan Kiros", "1607.06450"),
)
URL = "https://arxiv.org/abs/{own}"
TITLE_ALONE = (
    f"[ICML 2018] {{title}}.\n\n[[Paper]]({URL}) [[Code]](https://github.com/a/{{own}})\n",
    f"**[ICML 2018] {{title}}**\n\n*{{names}}*\n\n[[paper]({URL})]\n",
    f"**{{title}}**\n\n{{names}}. ICML 2018. [[paper]({URL})] [[video](https://youtu.be/a)]\n",
    f"{{n}}、{{title}}\n\n论文地址：{URL}\n\n代码地址：https://github.com/a/{{own}}\n",
    f"> **{{title}}**\n>\n> {{names}}\n>\n> [paper]({URL})\n",
    f"- **{{title}}**\n\n[[paper]]({URL}) [[code]](https://github.com/a/{{own}})\n",
    f"{{n}}. {{title}}, {{names}}. ICML 2018.\n\n[Paper]({URL}), [Video](https://youtu.be/a)\n",
)
TITLE_LINKED = (
    f"**[{{title}}]({URL})**\n\n{{names}}\n\n*ICML 2018*\n",
    f"[{{title}}]({URL})\n\n[Ann Bee](https://bee.org), [Carl Dee](https://dee.org) and Eve Fa\n",
    f"- [{{title}}]({URL})\n\n[[code]](https://github.com/a/{{own}})\n",
)


def written(template: str) -> str:
    parts = [
        template.format(n=number, title=title, names=names, own=own)
        for number, (title, names, own) in enumerate(WORKS, start=1)
    ]
    return "# List\n\nPapers that we read.\n\n## Papers\n\n" + "\n".join(parts)


@pytest.mark.parametrize("template", [*TITLE_ALONE, *TITLE_LINKED])
def test_paragraphs_below_a_title_that_only_go_on_with_it_are_part_of_it(template: str) -> None:
    document = parse_document(written(template))
    assert [entry.fields.title for entry in document.entries] == [title for title, *_ in WORKS]
    assert [entry.identifiers[0].value for entry in document.entries] == [own for *_, own in WORKS]
    assert document.skipped == ()


@pytest.mark.parametrize("template", [one for one in TITLE_ALONE if "{names}" in one])
def test_names_between_a_title_and_its_links_are_its_authors(template: str) -> None:
    entries = parse_document(written(template)).entries
    assert [", ".join(entry.fields.authors) for entry in entries] == [
        names for _, names, _ in WORKS
    ]


@pytest.mark.parametrize("template", [*TITLE_ALONE, *TITLE_LINKED])
def test_a_work_of_several_paragraphs_is_edited_and_removed_as_one(template: str) -> None:
    text = written(template)
    document = parse_document(text)
    title, names, own = WORKS[1]
    assert edited(document, SetTitle(1, "Of Sea Shells")) == text.replace(title, "Of Sea Shells")
    work = template.format(n=2, title=title, names=names, own=own)
    left = edited(document, Remove(1))
    assert own not in left
    assert len(left.splitlines()) == len(text.splitlines()) - len(f"\n{work}".splitlines())


def test_links_below_a_sentence_are_told_and_no_work() -> None:
    text = (
        "# Tool\n\nThis repository holds the code of our work on images.\n\n"
        "[Paper](https://arxiv.org/abs/1512.03385) | [Video](https://youtu.be/abc)\n"
    )
    document = parse_document(text)
    assert document.entries == ()
    assert [one.line for one in document.skipped] == [5]


@pytest.mark.parametrize(
    "paragraph",
    [
        "[Layer Normalization](https://arxiv.org/abs/1607.06450), Jimmy Ba et al.",
        "[Word Embeddings](https://a.org/words), Jane Doe, Ann Bee",
        "Kingma, D., Ba, J. Word Embeddings. ICLR 2015. [pdf](https://a.org/words.pdf)",
        '[1] Jane Doe, Ann Bee, "Neural Nets," in *ICML*, 2015: https://arxiv.org/abs/1609.02907',
    ],
)
def test_a_work_below_another_is_one_though_its_title_may_be_a_name(paragraph: str) -> None:
    first = "[Attention Is All You Need](https://arxiv.org/abs/1706.03762)"
    document = parse_document(f"# List\n\n## Papers\n\n{first}\n\n{paragraph}\n")
    assert [entry.line for entry in document.entries] == [5, 7]
    assert len(document.entries[0].fields.links) == 1


def test_links_below_a_list_of_several_belong_to_none_of_them() -> None:
    items = [f"- [{title}](https://arxiv.org/abs/{own})\n" for title, _, own in WORKS]
    text = "# List\n\n" + "".join(items) + "\n[Website](https://a.org) | [Code](https://b.org)\n"
    document = parse_document(text)
    assert [len(entry.fields.links) for entry in document.entries] == [1, 1, 1, 1]
    assert [one.line for one in document.skipped] == [8]


def test_links_below_what_a_tool_can_do_are_no_entry_of_it() -> None:
    text = (
        "# Tool\n\n- Fast training\n- Easy to use\n\n"
        "[Paper](https://arxiv.org/abs/1512.03385) | [Code](https://b.org)\n"
    )
    assert parse_document(text).entries == ()


def test_the_last_of_many_numbers_has_the_lines_below_it_though_it_is_wider() -> None:
    works = [(f"{title} {n}", names, f"1712.{n:05}") for n in range(3) for title, names, _ in WORKS]
    items = [
        f"{n}. **{title}.**\n\n   *{names}.* 2017-12 [[pdf]({URL.format(own=own)})]\n"
        for n, (title, names, own) in enumerate(works[:10], start=1)
    ]
    entries = parse_document("# List\n\n" + "\n".join(items)).entries
    assert [entry.fields.title for entry in entries] == [title for title, *_ in works[:10]]
    assert [len(entry.fields.links) for entry in entries] == [1] * 10
