"""What the library knows against a list: other works' titles, and preprints since published."""

from pathlib import Path

import pytest

from tests.cli.commands import Command

WORKS = {
    "2309.06180": "Efficient Memory Management for Model Serving with PagedAttention",
    "2001.08361": "Scaling Laws for Neural Language Models",
    "1706.03762": "Attention Is All You Need",
    "2205.14135": "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness",
    "1512.03385": "Deep Residual Learning for Image Recognition",
}


def entry(arxiv_id: str, title: str, more: str = "") -> str:
    return (
        f"@misc{{k{arxiv_id.replace('.', '')}, title={{{title}}}, author={{A, B}}, year=2020,\n"
        f" eprint={{{arxiv_id}}}, archiveprefix={{arXiv}}{more}}}\n"
    )


@pytest.fixture
def library(papertrack: Command, home: Path) -> Path:
    """A library that has the works from a .bib file."""
    papertrack("init")
    (home / "main.bib").write_text("".join(entry(*work) for work in WORKS.items()), "utf-8")
    assert papertrack("import", "main.bib").code == 0
    return home


def line(arxiv_id: str, title: str) -> str:
    return f"- [{title}](https://arxiv.org/abs/{arxiv_id})\n"


LIST = "# Reading\n\n" + "".join(line(*work) for work in WORKS.items())


def check(papertrack: Command, home: Path, text: str) -> list[str]:
    (home / "README.md").write_text(text, encoding="utf-8")
    return papertrack("check", "README.md").out.splitlines()


@pytest.mark.parametrize(
    "title",
    [
        "FlashAttention",
        "Flash-Attention: fast and memory-efficient exact attention",
        "Fast and Memory-Efficient Exact Attention with IO-Awareness (NeurIPS 2022)",
        "快速且省内存的精确注意力",
    ],
)
def test_a_title_may_be_short_cut_or_translated(
    papertrack: Command, library: Path, title: str
) -> None:
    assert check(papertrack, library, LIST.replace(WORKS["2205.14135"], title)) == []


def test_the_title_of_another_work_is_told(papertrack: Command, library: Path) -> None:
    text = LIST.replace(WORKS["2205.14135"], "Learning to Prune Deep Networks by Reinforcement")
    (told,) = check(papertrack, library, text)
    assert told == (
        "README.md:6: wrong-title: “Learning to Prune Deep Networks by Reinforcement” links "
        "arxiv:2205.14135, which is “FlashAttention: Fast and Memory-Efficient Exact Attention "
        "with IO-Awareness”."
    )


def test_a_list_with_titles_of_its_own_is_left_in_peace(papertrack: Command, library: Path) -> None:
    text = "# Reading\n\n" + "".join(
        line(arxiv_id, f"My Notes on Subject Number {n}") for n, arxiv_id in enumerate(WORKS)
    )
    assert check(papertrack, library, text) == []


def test_what_the_list_itself_brought_in_proves_nothing(papertrack: Command, home: Path) -> None:
    papertrack("init")
    (home / "README.md").write_text(LIST, encoding="utf-8")
    papertrack("import", "README.md")
    text = LIST.replace(WORKS["2205.14135"], "Learning to Prune Deep Networks by Reinforcement")
    assert check(papertrack, home, text) == []


def test_a_preprint_that_was_published_is_noted(papertrack: Command, library: Path) -> None:
    for reference in ("2309.06180", "2001.08361"):
        papertrack("edit", reference, "venue=SOSP 2023")
    text = LIST.replace("2001.08361)", "2001.08361) (SOSP 2023)")
    (told,) = check(papertrack, library, text)
    assert told.startswith("README.md:3: published: “Efficient Memory Management for Model")
    assert told.endswith("links the preprint 2309.06180, but was published: SOSP 2023.")
    linked = text.replace("2309.06180)", "2309.06180) [[paper]](https://doi.org/10.1145/3600006)")
    assert check(papertrack, library, linked) == []


def test_a_settings_file_without_a_library_behind_it_is_enough(
    papertrack: Command, home: Path
) -> None:
    (home / "papertrack.toml").write_text("[check]\nignore = ['duplicate']\n", encoding="utf-8")
    assert check(papertrack, home, LIST + line("1706.03762", WORKS["1706.03762"])) == []
    assert not (home / "data").exists()
