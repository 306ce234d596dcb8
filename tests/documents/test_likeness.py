"""What a text reads like: the evidence by which tables and lists are understood."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.grammar.likeness import (
    date_likeness,
    is_person,
    name_likeness,
    names_likeness,
    number_likeness,
    title_likeness,
    venue_likeness,
)

_KINDS = {
    "title": title_likeness,
    "names": names_likeness,
    "venue": venue_likeness,
    "short name": name_likeness,
    "date": date_likeness,
    "number": number_likeness,
}
_TEXTS = {
    "title": (
        "Attention Is All You Need",
        "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning",
        "Auto-encoding variational Bayes",
        "大模型推理加速综述：从量化到投机解码",
        "Une étude des grands modèles de langue pour le droit",
    ),
    "names": (
        "Ashish Vaswani, Noam Shazeer, Niki Parmar",
        "Kipf, T. N., & Welling, M.",
        "Tri Dao et al.",
        "Xiang Lisa Li*, Percy Liang†",
        "李沐、张潼",
        "P. Donti and J. Z. Kolter",
    ),
    "venue": (
        "NeurIPS 2023",
        "ICLR'24 (Oral)",
        "CVPR",
        "Transactions on Machine Learning Research",
        "arXiv preprint",
        "SOSP (2023)",
        "XYZConf 2031",
    ),
    "short name": ("DPO", "LLaMA-2", "GPT4", "Mip-NeRF 360", "vLLM"),
    "date": ("2023-05-01", "2024/12", "May 2023", "2024年3月"),
    "number": ("12", "[3]", "#4", "7."),
}


@pytest.mark.parametrize(("kind", "text"), [(k, t) for k, texts in _TEXTS.items() for t in texts])
def test_a_text_reads_most_like_what_it_is(kind: str, text: str) -> None:
    found = {name: likeness(text) for name, likeness in _KINDS.items()}
    assert max(found, key=found.__getitem__) == kind, found
    assert found[kind] >= 0.6


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Paper",
        "arXiv",
        "[pdf]",
        "https://example.org/a-long-title",
        "2401.00001",
        "🔥",
        "2024.05",
    ],
)
def test_what_says_nothing_of_a_work_is_like_no_title(text: str) -> None:
    assert title_likeness(text) == 0.0


def test_prose_is_less_like_a_title_than_a_title() -> None:
    prose = "We train a small model on text. It learns to answer questions. That costs little."
    assert title_likeness(prose) < 0.5 < title_likeness("Training Small Models on Text")


@pytest.mark.parametrize("name", ["Yann LeCun", "Ludwig van Beethoven", "J. Z. Kolter", "李沐"])
def test_people_are_persons(name: str) -> None:
    assert is_person(name)


@pytest.mark.parametrize(
    "name", ["OpenAI", "Google Research", "Meta AI", "vLLM", "Stanford University", "LLaMA Team"]
)
def test_organisations_and_projects_are_no_persons(name: str) -> None:
    assert not is_person(name)
