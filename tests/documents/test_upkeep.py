"""Lines of a list that tell of the list itself are told and no entries."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document

WORK = "[Attention Is All You Need](https://arxiv.org/abs/1706.03762)"


@pytest.mark.parametrize(
    "line",
    [
        "Contributed by [Ann Bee](https://github.com/annbee)",
        "Created and maintained by [@annbee](https://bee.example)",
        "Gepflegt von [Ann Bee](https://bee.example)",
        "作者：[李四](https://github.com/lisi)",
        "Share on [Twitter](https://twitter.com/intent/tweet?text=list)",
        "[Tweet this](https://twitter.com/intent/tweet?text=list)",
        "Follow us on [Twitter](https://twitter.com/annbee)",
        "Share on [LinkedIn](https://linkedin.com/feed)",
        "Please open a [pull request](https://github.com/ann/list/pulls) to add works.",
        "[Open an issue](https://github.com/ann/list/issues/new?labels=work) for what is missing",
        "See [the code of conduct](https://github.com/ann/list/blob/main/CODE_OF_CONDUCT.md)",
    ],
)
@pytest.mark.parametrize("bullet", ["- ", ""])
def test_a_line_that_tells_of_the_list_is_no_entry(line: str, bullet: str) -> None:
    document = parse_document(f"# List\n\n- {WORK}\n\n## More\n\n{bullet}{line}\n")
    assert [entry.line for entry in document.entries] == [3]
    assert [(one.line, "about the list" in one.reason) for one in document.skipped] == [(7, True)]


def test_how_to_add_to_a_list_is_no_entry() -> None:
    document = parse_document(f"# List\n\n- {WORK}\n- See [how to add works](CONTRIBUTING.md)\n")
    assert [entry.line for entry in document.entries] == [3]


@pytest.mark.parametrize(
    "item",
    [
        "Attention Is All You Need by [Ann Bee](https://bee.example/attention)",
        "Attention Is All You Need on [arXiv](https://arxiv.org/abs/1706.03762)",
        "[RFC: a new plan for words](https://github.com/ann/tool/issues/123)",
        "[Ann Bee](https://github.com/annbee) writes tools for words",
        "[License plates in the wild](https://bee.example/license-plates)",
        "Reported by [Ann Bee](https://arxiv.org/abs/1706.03762)",
        "Machine Learning on [Coursera](https://www.coursera.org/learn/machine-learning)",
        "Support Vector Machines on [Kaggle](https://www.kaggle.com/ann/svm)",
        "Slides available at [SlideShare](https://www.slideshare.net/ann/deep)",
        "Attention on [Distill](https://distill.pub/2016/augmented-rnns/)",
        "Written by [Ann Bee](https://bee.example): [Nets of Nets](https://bee.example/nets)",
        "Authors: [Ann Bee](https://bee.example), [How Bees Learn to Fly](https://bee.example/how)",
        "[License to Learn](https://bee.example/license)",
    ],
)
def test_a_line_that_names_something_stays_an_entry(item: str) -> None:
    document = parse_document(f"# List\n\n- {item}\n")
    assert [entry.line for entry in document.entries] == [3]
