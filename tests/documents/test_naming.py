"""Which of several links is the entry's own paper, and what the others are for."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.roles import role_of, role_word
from papertrack.records import Identifier

ONE, TWO = "https://arxiv.org/abs/2301.00001", "https://arxiv.org/abs/2301.00002"


def arxiv(value: str) -> Identifier:
    return Identifier("arxiv", value)


@pytest.mark.parametrize(
    ("item", "own", "related"),
    [
        (f"[Title]({ONE}), see also [this]({TWO})", ["2301.00001"], ["2301.00002"]),
        (f"Title [[paper]]({ONE}), builds on [this]({TWO})", ["2301.00001"], ["2301.00002"]),
        (f"Title, after [that one]({TWO}) [[pdf]]({ONE})", ["2301.00001"], ["2301.00002"]),
        (f"[Title](https://blog.example.org/x) [[arXiv]]({ONE})", ["2301.00001"], []),
        (f"[A post](https://blog.example.org/x) on [this]({ONE})", [], ["2301.00001"]),
        (f"Title. [[GitHub]]({ONE})", ["2301.00001"], []),
        ("A title that is long enough, arXiv:2301.00001.", ["2301.00001"], []),
        (f"[Title]({ONE}) after arXiv:2301.00002", ["2301.00001"], ["2301.00002"]),
        (f"[![arXiv](https://img.shields.io/badge/x.svg)]({ONE}) Title here", ["2301.00001"], []),
    ],
)
def test_the_own_paper_is_chosen_by_rule(item: str, own: list[str], related: list[str]) -> None:
    document = parse_document(
        f"- {item}\n- [Sibling](https://example.org/s)\n- [O](https://o.org)\n"
    )
    entry = document.entries[0]
    found = [i.value for i in entry.identifiers if i.scheme == "arxiv"]
    assert found == own
    assert [i.value for i in entry.fields.related if i.scheme == "arxiv"] == related


def test_one_work_keeps_its_identifiers_of_several_schemes_strongest_first() -> None:
    item = "[T](https://openreview.net/forum?id=abcDEF1234) [[arXiv]](https://arxiv.org/abs/2301.00001)"
    (entry,) = parse_document(f"- {item}\n").entries
    assert [i.scheme for i in entry.identifiers] == ["arxiv", "openreview"]


@pytest.mark.parametrize(
    ("url", "label", "role"),
    [
        ("https://github.com/a/b", "whatever", "code"),
        ("https://a.github.io/b", "project", "project"),
        ("https://www.youtube.com/watch?v=1", "x", "video"),
        ("https://example.org/talk.pptx", "x", "slides"),
        ("https://dl.acm.org/doi/10.1145/3297714", "pdf", "paper"),
        ("https://example.org/x.pdf", "anything", "pdf"),
        ("https://arxiv.org/abs/2301.00001", "GitHub", "paper"),
        ("https://zhuanlan.zhihu.com/p/1", "知乎", "post"),
        ("https://huggingface.co/datasets/a/b", "x", "data"),
        ("https://huggingface.co/a/b", "x", "model"),
        ("https://example.org/who", "@somebody", "author"),
        ("https://example.org/x", "Chinese version", "translation"),
        ("https://example.org/x", "x", "other"),
    ],
)
def test_links_get_roles_from_label_and_address(url: str, label: str, role: str) -> None:
    assert role_of(url, label) == role


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ("[T](https://arxiv.org/abs/2301.00001)", "paper"),
        ("[T](https://www.usenix.org/conference/atc20/presentation/x)", "paper"),
        ("[T](https://github.com/a/b)", "project"),
        ("[T](https://zhuanlan.zhihu.com/p/1)", "post"),
        ("[T](https://example.org/course)", "resource"),
    ],
)
def test_the_kind_follows_the_main_link(item: str, kind: str) -> None:
    (entry,) = parse_document(f"- {item}\n").entries
    assert entry.fields.kind == kind


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        ("doi:10.1145/3600006.3613165", "10.1145/3600006.3613165"),
        ("DOI: 10.1000/X(2)1.", "10.1000/x(2)1"),
        ("(doi: 10.1000/x1)", "10.1000/x1"),
        ("see mydoi:10.1000/x1", None),
    ],
)
def test_a_doi_that_is_written_out_is_the_works(written: str, doi: str | None) -> None:
    (entry,) = parse_document(
        f"# List\n\n- Low A, Roe B. A Title of Several Words. J Chips. 2022. {written}\n"
    ).entries
    assert [one.value for one in entry.identifiers] == ([doi] if doi else [])


@pytest.mark.parametrize("count", [2, 5])
def test_a_full_stop_in_bold_is_none_of_the_title_where_a_few_forget_it(count: int) -> None:
    titles = ("Tides as Clocks.", "Orcas Hunt by Sound", "Do Whales Sing?", "Kelp Grows", "A Reef!")
    lines = [
        f"- **{title}** Preprint. [[pdf](https://arxiv.org/abs/2101.0000{number})]"
        for number, title in enumerate(titles[:count])
    ]
    entries = parse_document("# List\n\n" + "\n".join(lines) + "\n").entries
    assert [entry.fields.title for entry in entries] == [
        title.strip(".") for title in titles[:count]
    ]


@pytest.mark.parametrize(
    "label", ["Paper-ECCV14", "Paper-arXiv15", "pdf (CVPR 2014)", "Code & Data", "code/slides"]
)
def test_labels_of_several_roles_or_with_a_venue_are_no_titles(label: str) -> None:
    links = f"[[Web]](https://a.example/x) [[{label}]](https://b.example/y.pdf)"
    text = f"# List\n\n- Sea Shells {links}\n- Tide {links}\n"
    titles = [entry.fields.title for entry in parse_document(text).entries]
    assert titles == ["Sea Shells", "Tide"]


@pytest.mark.parametrize("label", ["Paper: Attention", "Code Llama", "Video-LLaVA", "R&D"])
def test_names_that_begin_with_a_role_are_no_labels(label: str) -> None:
    assert role_word(label) is None
