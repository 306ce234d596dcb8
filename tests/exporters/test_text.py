import pytest

from papertrack.exporters.citations import (
    cite_latex,
    cite_pandoc,
    cite_typst,
    format_reference,
)
from papertrack.records import Author, Identifier, PaperFacts
from tests.exporters.papers import make_paper


def test_a_preprint_is_cited_as_arxiv_asks() -> None:
    assert format_reference(make_paper(title="Why?")) == (
        "Woosuk Kwon, Zhuohan Li (2023). Why? arXiv:2309.06180 [cs.LG]."
        " https://arxiv.org/abs/2309.06180"
    )


def test_a_published_paper_has_venue_and_doi_and_a_long_list_of_authors_is_cut() -> None:
    paper = make_paper(
        title="T",
        authors=tuple(Author(f"A{number}") for number in range(7)),
        venue="SOSP",
        year=2024,
        identifiers=(Identifier("doi", "10.1/x"),),
    )
    assert format_reference(paper) == "A0, A1, A2, et al. (2024). T. SOSP. https://doi.org/10.1/x"


def test_a_paper_of_which_nothing_is_known_is_named_by_its_key() -> None:
    assert format_reference(make_paper(facts=PaperFacts())) == "kwon2023efficient."


@pytest.mark.parametrize(
    ("keys", "latex", "pandoc", "typst"),
    [
        (["a2020b"], r"\cite{a2020b}", "[@a2020b]", "@a2020b"),
        (["a", "b:c"], r"\cite{a,b:c}", "[@a; @b:c]", "@a @b:c"),
        (["DBLP:conf/x"], r"\cite{DBLP:conf/x}", "[@DBLP:conf/x]", '#cite(label("DBLP:conf/x"))'),
        (["a."], r"\cite{a.}", "[@{a.}]", '#cite(label("a."))'),
    ],
)
def test_citations_follow_each_formats_rules_for_keys(
    keys: list[str], latex: str, pandoc: str, typst: str
) -> None:
    assert (cite_latex(keys), cite_pandoc(keys), cite_typst(keys)) == (latex, pandoc, typst)
