"""Works whose title, names and links stand in paragraphs of their own."""

from __future__ import annotations

import re

import pytest

from papertrack.documents.markdown.model import EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Add, Remove, SetTitle
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.records import Link
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
TITLE_ALONE += (
    f"**{{title}}**\n\n- intro: ICML 2018. Some Lab\n- arxiv: <{URL}>\n- github(official): <https://a.b>\n",
    f"## {{n}}\n\n> {{title}}\n\n- 作者：{{names}}\n- arXiv：{URL}\n",
    f"**{{title}}**\n\n**作者：{{names}}**\n\n[论文链接：{URL}]({URL})\n",
    f"**{{n}}. {{title}}** (ICML 2018)\n\n> {{names}}\n\n[arXiv]({URL}) · [code](https://a.b)\n",
    f"**{{title}}**\n\n![teaser](img/{{n}}.png)\n\nWe show how it works.\n\n[[Paper]({URL})]\n",
    f"**{{title}}**\n\n[![arXiv](https://img.shields.io/badge/arXiv-red)]({URL})\n",
    f"**{{title}}**\n\nauthors: {{names}}\n\npaper: {URL}\n\n---\n",
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


@pytest.mark.parametrize(
    "template",
    [one for one in (*TITLE_ALONE, *TITLE_LINKED) if "## " not in one and "---" not in one],
)
def test_a_work_of_several_paragraphs_is_edited_and_removed_as_one(template: str) -> None:
    text = written(template)
    document = parse_document(text)
    title, names, own = WORKS[1]
    assert edited(document, SetTitle(1, "Of Sea Shells")) == text.replace(title, "Of Sea Shells")
    work = template.format(n=2, title=title, names=names, own=own)
    left = edited(document, Remove(1))
    assert own not in left
    assert len(left.splitlines()) == len(text.splitlines()) - len(f"\n{work}".splitlines())


@pytest.mark.parametrize(
    "template",
    [
        f"### [ICML 2018] {{title}} [[pdf]]({URL})\n_{{names}}_\n",
        f"#### {{title}} (2018)\n[[Paper]]({URL}) | [[Video]](https://youtu.be/a) | {{names}}\n",
    ],
)
def test_what_stands_in_brackets_beside_a_headings_title_is_no_part_of_it(template: str) -> None:
    document = parse_document(written(template))
    assert [entry.fields.title for entry in document.entries] == [title for title, *_ in WORKS]
    assert {entry.category for entry in document.entries} == {("Papers",)}


def test_a_category_with_the_link_of_a_survey_stays_one() -> None:
    item = "- [Attention Is All You Need](https://arxiv.org/abs/1706.03762)\n"
    text = f"# List\n\n## Vision Transformers [[paper]](https://a.org/survey.pdf)\n\n{item}"
    (entry,) = parse_document(text).entries
    assert entry.category == ("Vision Transformers",)


def test_a_work_among_labelled_items_is_one_of_its_own() -> None:
    text = (
        "# Course\n\n**Deep Learning Basics**\n\n- Slides: [pdf](https://a.org/s.pdf)\n"
        "- Reading: [Layer Normalization](https://arxiv.org/abs/1607.06450)\n"
    )
    entries = parse_document(text).entries
    assert "Layer Normalization" in [entry.fields.title for entry in entries]


@pytest.mark.parametrize(
    "template",
    [
        f"- {{title}} [[pdf]]({URL})\n- *{{names}}*\n- `2018, ICML`\n- [code](https://a.b/{{own}})\n",
        f"- [{{title}}]({URL})\n- Authors: {{names}}\n- [code](https://a.b/{{own}})\n",
        f"{{n}}. {{title}}\n    * Authors: {{names}}\n    * Abstract: It reads [WMT](https://wmt.org).\n"
        f"    * Paper: {URL}\n",
    ],
)
def test_items_that_only_go_on_with_a_work_are_part_of_it(template: str) -> None:
    entries = parse_document(written(template)).entries
    assert [entry.fields.title for entry in entries] == [title for title, *_ in WORKS]
    assert [", ".join(entry.fields.authors) for entry in entries] == [n for _, n, _ in WORKS]


FIRST = "[Layer Normalization](https://arxiv.org/abs/1607.06450)"


@pytest.mark.parametrize(
    "items",
    [
        f"- {FIRST}\n- Code: A Corpus of Old Programs [paper](https://arxiv.org/abs/1706.03762)\n",
        f"- {FIRST}\n- Blog: [How Layers Learn to Norm](https://a.org/blog)\n",
        f"- {FIRST}\n- Dataset: [The Heap](https://heap.org)\n",
        f"- Paper: {FIRST}\n- Video: [Attention in Pictures of Today](https://youtu.be/a)\n",
        f"- Paper: {FIRST}\n- Code: [One](https://github.com/a/b)\n- Code: [Two](https://github.com/a/c)\n",
        "- Tools of Training\n  - Code: [One](https://github.com/a/b)\n"
        "  - Code: [Two](https://github.com/a/c)\n",
        "- **Language Models**\n  - Blog: [What They Learn of Words](https://a.org/blog)\n"
        "  - Code: [One](https://github.com/a/b)\n",
    ],
)
def test_works_of_a_kind_are_not_joined_by_the_words_that_say_which(items: str) -> None:
    labels = re.findall(r"\[([A-Z][^\]]*)\]|: (A [^\[]*?) \[", items)
    titles = [entry.fields.title for entry in parse_document(f"# List\n\n{items}").entries]
    assert titles == [one or other for one, other in labels]


def test_only_one_line_of_names_below_a_work_is_of_it() -> None:
    own = f"- {FIRST}\n- *Jimmy Ba, Ryan Kiros*\n- `ICML 2018`\n- [code](https://github.com/a/b)\n"
    other = "- **Deep Speech, Graph Networks**\n"
    text = f"# List\n\n{own}{other}"
    document = parse_document(text)
    assert document.entries[0].fields.authors == ("Jimmy Ba", "Ryan Kiros")
    assert edited(document, Remove(0)) == f"# List\n\n{other}"


@pytest.mark.parametrize(
    "paragraph",
    [
        "[Graph Networks](https://a.org/g), [Turing Machines](https://a.org/t)",
        "[Kalman Filters](https://github.com/a/k) and [Gaussian Processes](https://github.com/a/g)",
    ],
)
def test_things_that_may_be_names_are_no_people_without_links_of_a_work_below(
    paragraph: str,
) -> None:
    text = f"# List\n\n{paragraph}\n\nMore will follow.\n"
    assert [entry.line for entry in parse_document(text).entries] == [3]


def test_a_reference_below_a_work_is_no_line_of_its_authors() -> None:
    text = (
        "# List\n\n- **Micro Things.** [doi](https://doi.org/10.1145/1618452.1618478)\n"
        "- P. H. Doe, *Point Based Approximate Color Bleeding*, Pixar, 2008\n"
    )
    assert len(parse_document(text).entries) == 2


@pytest.mark.parametrize("between", ["{names}\n\n", ""])
def test_one_word_in_bold_above_the_links_of_a_paper_is_its_title(between: str) -> None:
    works = [(title.split()[0].strip(":"), *others) for title, *others in WORKS]
    parts = [
        f"**{title}**\n\n{between.format(names=names)}[[pdf]]({URL.format(own=own)})\n"
        for title, names, own in works
    ]
    entries = parse_document("# List\n\n" + "\n".join(parts)).entries
    assert [entry.fields.title for entry in entries] == [title for title, *_ in works]
    said = [", ".join(entry.fields.authors) for entry in entries]
    assert said == [names if between else "" for _, names, _ in works]


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


@pytest.mark.parametrize("title", ["How New Works Age in Old Seas", "Deep Nets"])
@pytest.mark.parametrize("template", [TITLE_ALONE[0], TITLE_ALONE[1], TITLE_ALONE[5]])
def test_a_new_work_is_written_over_paragraphs_as_the_others_are(title: str, template: str) -> None:
    document = parse_document(written(template))
    links = (Link("paper", "https://arxiv.org/abs/2401.00001"),)
    fields = EntryFields(title, links=links, authors=("Ann Bee",), venue="ICML", date="2018")
    made = apply_edits(document, [Add(("Papers",), fields)])
    assert not made.refused
    lines = [line for line in made.text.splitlines() if line not in document.text.splitlines()]
    assert title in lines[0]
    assert "2401.00001" in lines[-1]
    assert title in [entry.fields.title for entry in parse_document(made.text).entries]


def test_a_title_of_two_pairs_of_words_is_no_two_names_where_others_stand_so() -> None:
    text = written(TITLE_ALONE[0])
    work = (
        "[ICML 2018] Word Vectors and Deep Nets.\n\n[[Paper]](https://arxiv.org/abs/2401.00001)\n"
    )
    entries = parse_document(f"{text}\n{work}").entries
    assert entries[-1].fields.title == "Word Vectors and Deep Nets"
