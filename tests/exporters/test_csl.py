import json
import re
import warnings

import pytest
from citeproc import (
    Citation,
    CitationItem,
    CitationStylesBibliography,
    CitationStylesStyle,
    formatter,
)
from citeproc.source.json import CiteProcJSON

from papertrack.exporters.references import to_csl
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.text import clean
from tests.exporters.papers import HOSTILE, make_paper


def test_a_preprint_is_an_article_with_its_arxiv_number() -> None:
    paper = make_paper(authors=(Author("Ludwig van Beethoven Jr."), Author("Llama Team")))
    assert json.loads(to_csl([paper])) == [
        {
            "id": "kwon2023efficient",
            "type": "article",
            "title": "Efficient Memory Management for Large Language Model Serving with"
            " PagedAttention",
            "author": [
                {"family": "van Beethoven", "given": "Ludwig", "suffix": "Jr."},
                {"literal": "Llama Team"},
            ],
            "issued": {"date-parts": [[2023, 9, 12]]},
            "URL": "https://arxiv.org/abs/2309.06180",
            "number": "arXiv:2309.06180",
            "archive": "arXiv",
            "archive_location": "2309.06180",
        }
    ]


def test_a_published_paper_has_the_variables_of_its_publication() -> None:
    paper = make_paper(
        venue="Proceedings of SOSP",
        year=2024,
        identifiers=(Identifier("doi", "10.1/x"),),
        publication=(("pages", "1–10"), ("publisher", "ACM"), ("number", "3"), ("note", "x")),
        authors=(),
    )
    (item,) = json.loads(to_csl([paper]))
    assert item["type"] == "paper-conference"
    assert item["container-title"] == "Proceedings of SOSP"
    assert item["issued"] == {"date-parts": [[2024]]}
    assert (item["page"], item["publisher"], item["number"]) == ("1–10", "ACM", "3")
    assert item["DOI"] == "10.1/x"
    assert "author" not in item
    assert item["note"] == "x"


@pytest.mark.parametrize("month", ["aug", "August", "8", "08"])
def test_a_month_is_a_part_of_the_date(month: str) -> None:
    paper = make_paper(venue="J", year=2024, publication=(("month", month),))
    (item,) = json.loads(to_csl([paper]))
    assert item["issued"] == {"date-parts": [[2024, 8]]}


def test_a_page_is_a_web_page_and_items_are_sorted_by_key() -> None:
    papers = [make_paper(1, "b", facts=PaperFacts(kind="post")), make_paper(2, "a")]
    items = json.loads(to_csl(papers))
    assert [item["id"] for item in items] == ["a", "b"]
    assert items[1] == {"id": "b", "type": "webpage"}


def test_citeproc_takes_every_item_without_a_warning_and_prints_its_title() -> None:
    papers = [
        make_paper(
            1,
            "proceedings",
            venue="Proceedings of SOSP",
            year=2024,
            publication=(
                ("pages", "1–10"),
                ("publisher", "ACM"),
                ("number", "3"),
                ("month", "oct"),
            ),
        ),
        make_paper(2, "thesis", published_type="phdthesis", venue="MIT", year=2020),
        make_paper(3, "names", authors=(Author("Ludwig van Beethoven Jr."), Author("H1 Team"))),
        make_paper(4, "page", facts=PaperFacts(title="A post", kind="post")),
        *(
            make_paper(10 + at, f"hostile{at}", title=text, authors=(Author(text),), venue=text)
            for at, text in enumerate(HOSTILE)
        ),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        source = CiteProcJSON(json.loads(to_csl(papers)))
        style = CitationStylesStyle("harvard-cite-them-right", validate=False)
        bibliography = CitationStylesBibliography(style, source, formatter.plain)
        for paper in papers:
            bibliography.register(Citation([CitationItem(paper.citekey)]))
        printed = {
            key: str(line)
            for key, line in zip(bibliography.keys, bibliography.bibliography(), strict=True)
        }
    for paper in papers:
        words = set(re.findall(r"\w+", clean(paper.facts.title or "").casefold()))
        assert words <= set(re.findall(r"\w+", printed[paper.citekey].casefold()))
