"""Names of works that stand before their titles, apart from them."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document

WORKS = (
    ("Attention Is All You Need", "Transformer", "1706.03762"),
    ("Deep Residual Learning for Image Recognition", "ResNet", "1512.03385"),
    ("Adam: A Method for Stochastic Optimization", "Adam", "1412.6980"),
    ("Playing Atari with Deep Reinforcement Learning", "DQN", "1312.5602"),
)


def titles_of(template: str) -> list[str]:
    parts = [
        template.format(title=title, name=name, url=f"https://arxiv.org/abs/{own}")
        for title, name, own in WORKS
    ]
    document = parse_document("# List\n\n## Papers\n\n" + "\n".join(parts) + "\n")
    return [entry.fields.title for entry in document.entries]


@pytest.mark.parametrize(
    "template",
    [
        "- {{{name}}} {title} [[paper]]({url})",
        "- `{{{name}}}` [{title}]({url})",
        "- **{{{name}}}** {title} [[paper]]({url})",
        "- [{{{name}}} {title}]({url})",
        "### [{name}] {title}\n\n- Authors: Ann Bee, Carl Dee\n- Paper: {url}\n",
        "### 【{name}】{title}\n\n[Paper]({url})\n",
    ],
)
def test_a_name_in_brackets_before_a_title_is_no_part_of_it(template: str) -> None:
    assert titles_of(template) == [title for title, *_ in WORKS]


def test_braces_that_keep_capitals_are_the_titles_own() -> None:
    title = "Themis: Fair and Efficient {GPU} Cluster Scheduling"
    document = parse_document(f"# List\n\n- {title} [[pdf]](https://a.org/themis.pdf)\n")
    assert document.entries[0].fields.title == title


def test_a_wide_colon_behind_a_name_parts_it_where_titles_have_the_usual_one() -> None:
    template = "- [{name}：{title}]({url})"
    works = [WORKS[0], WORKS[2], WORKS[3], ("Orca: A System", "Orca", "2001.00001")]
    parts = [
        template.format(title=title, name=name, url=f"https://arxiv.org/abs/{own}")
        for title, name, own in works
    ]
    document = parse_document("# List\n\n## Papers\n\n" + "\n".join(parts) + "\n")
    assert [entry.fields.title for entry in document.entries] == [title for title, *_ in works]


def test_a_wide_colon_that_may_be_the_titles_own_stays_in_it() -> None:
    titles = ("Orca：A System", "Adam：A Method for Stochastic Optimization")
    items = [f"- [{one}](https://arxiv.org/abs/2001.0000{n})" for n, one in enumerate(titles)]
    document = parse_document("# List\n\n" + "\n".join(items) + "\n")
    assert tuple(entry.fields.title for entry in document.entries) == titles
