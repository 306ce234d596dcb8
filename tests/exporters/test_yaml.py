"""Hayagriva as Typst reads it, CSL-YAML as Pandoc does, and both as any reader of YAML does."""

import html
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from papertrack.exporters.references import to_csl, to_csl_yaml, to_hayagriva, to_yaml
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.text import clean
from tests.exporters.papers import HOSTILE, make_paper

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
QUOTES = str.maketrans("“”‘’", "\"\"''")
"""Which way a lone quote turns is the one thing that Pandoc reads otherwise in the two."""
DATA = st.recursive(
    st.one_of(TEXTS, st.booleans(), st.integers(-9999, 9999)),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(TEXTS, inner)),
    max_leaves=12,
)


@given(st.dictionaries(TEXTS, DATA))
def test_whatever_stands_in_it_a_reader_of_yaml_reads_the_same(data: dict[str, object]) -> None:
    assert yaml.safe_load(to_yaml(data)) == data  # type: ignore[arg-type]


def published(**overrides: object):
    said = {
        "venue": "Proceedings of SOSP",
        "year": 2020,
        "published_type": "inproceedings",
        "identifiers": (Identifier("doi", "10.1/x"),),
        "authors": (Author("Ludwig van Beethoven Jr."), Author("Llama Team")),
        "publication": (("volume", "3"), ("pages", "1--10"), ("publisher", "ACM"), ("note", "N")),
    }
    return make_paper(**{**said, **overrides})


def test_a_paper_of_a_conference_stands_in_its_proceedings() -> None:
    work = yaml.safe_load(to_hayagriva([published(citekey="a:b")]))["a:b"]
    assert work["type"] == "article"
    assert work["parent"] == {
        "type": "proceedings",
        "title": {"value": "Proceedings of SOSP", "verbatim": True},
        "volume": "3",
        "publisher": "ACM",
    }
    assert work["author"] == [
        {"name": "van Beethoven", "given-name": "Ludwig", "suffix": "Jr."},
        {"name": "Llama Team"},
    ]
    assert (work["date"], work["page-range"], work["note"]) == ("2020", "1-10", "N")
    assert work["serial-number"] == {"doi": "10.1/x"}


def test_a_thesis_names_its_school_and_a_volume_that_is_no_number_is_left_out() -> None:
    paper = published(published_type="phdthesis", publication=(("volume", "B"), ("pages", "e12")))
    work = yaml.safe_load(to_hayagriva([paper]))[paper.citekey]
    assert (work["type"], work["organization"]) == ("thesis", "Proceedings of SOSP")
    assert not {"parent", "volume", "page-range"} & set(work)


def test_words_with_capitals_of_their_own_keep_them() -> None:
    text = to_hayagriva([make_paper(title="Pre-training BERT with a GeLU: A Study of {x}")])
    assert (
        r"Pre-training {BERT} with a {GeLU}: A Study of \{x\}"
        in yaml.safe_load(text)["kwon2023efficient"]["title"]
    )


@pytest.mark.parametrize("style", ["ieee", "apa"])
def test_typst_prints_every_title_as_it_is(tmp_path: Path, style: str) -> None:
    typst = pytest.importorskip("typst")
    papers = [make_paper(i, f"key{i}", title=title) for i, title in enumerate(HOSTILE)]
    papers += [
        published(id=50, citekey="conf/x:1"),
        make_paper(51, "page", facts=PaperFacts(kind="post", title="A Page")),
        make_paper(52, "bare", facts=PaperFacts()),
    ]
    (tmp_path / "refs.yml").write_text(to_hayagriva(papers), encoding="utf-8")
    main = tmp_path / "main.typ"
    main.write_text(f'@key1 #bibliography("refs.yml", full: true, style: "{style}")')
    printed = typst.compile(str(main), format="html").decode()
    text = " ".join(html.unescape(re.sub(r"<[^>]+>", "", printed)).split())
    for title in HOSTILE:
        # Typst takes quotes and dashes for what they look like.
        assert letters(clean(title)) in letters(text)


def letters(text: str) -> str:
    return re.sub(r"[^a-z{}\\$]", "", text.lower())


def words(text: str) -> list[str]:
    return text.translate(QUOTES).split()


def test_pandoc_reads_csl_yaml_as_it_reads_csl_json(tmp_path: Path) -> None:
    papers = [published(), *(make_paper(i, f"key{i}", title=t) for i, t in enumerate(HOSTILE))]
    (tmp_path / "refs.yaml").write_text(to_csl_yaml(papers), encoding="utf-8")
    (tmp_path / "refs.json").write_text(to_csl(papers), encoding="utf-8")
    if not shutil.which("pandoc"):
        pytest.skip("needs pandoc")
    text = "---\nnocite: '@*'\n---\n"
    cited = [
        subprocess.run(
            [
                "pandoc",
                "--citeproc",
                "--bibliography",
                str(tmp_path / name),
                "-t",
                "plain",
                "--wrap=none",
            ],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for name in ("refs.yaml", "refs.json")
    ]
    assert words(cited[0]) == words(cited[1])
    assert "Beethoven" in cited[0]
