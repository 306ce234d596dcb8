"""Identifiers that are written out and not linked."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document

WORKS = {
    "1706.03762": "Attention Is All You Need",
    "1512.03385": "Deep Residual Learning for Image Recognition",
}


def found_in(text: str) -> dict[str, str]:
    """Each entry's key and title."""
    return {entry.key: entry.fields.title for entry in parse_document(text).entries}


@pytest.mark.parametrize(
    "template",
    [
        "- {title} (arXiv:{id})",
        "- {title}, arXiv:{id}, 2017",
        "1. **{title}** arXiv:{id}v2",
        "- {title} ({id})",
        "- {title} [{id}]",
        "- {id} {title}",
        "- {id}: {title}",
        "- {title} [[talk](https://talks.example/{id})] ({id})",
    ],
)
def test_an_item_without_a_link_to_its_paper_is_named_by_its_arxiv_id(template: str) -> None:
    lines = (template.format(title=title, id=arxiv_id) for arxiv_id, title in WORKS.items())
    expected = {f"arxiv:{arxiv_id}": title for arxiv_id, title in WORKS.items()}
    assert found_in("# Read\n\n" + "\n".join(lines)) == expected


def test_a_doi_that_is_written_out_names_an_item_without_links() -> None:
    text = (
        "# Read\n\n- M. Jones, A. Berg and M. Ek, "
        '"3D Distance Fields," in A Journal, vol. 12, doi: 10.1109/TVCG.2006.56.\n'
    )
    assert found_in(text) == {"doi:10.1109/tvcg.2006.56": "3D Distance Fields"}


@pytest.mark.parametrize(
    "table",
    [
        "| Title | arXiv |\n|---|---|\n| {} | {} |\n| {} | {} |\n",
        "| arXiv | Year | Title |\n|---|---|---|\n| {1} | 2017 | {0} |\n| {3} | 2015 | {2} |\n",
        "| ID | Paper | Notes |\n|---|---|---|\n| {1} | {0} | nice |\n| {3} | {2} | nice |\n",
    ],
)
def test_a_cell_that_is_an_arxiv_id_names_its_row(table: str) -> None:
    (one, first), (other, second) = WORKS.items()
    assert found_in("# Read\n\n" + table.format(first, one, second, other)) == {
        f"arxiv:{arxiv_id}": title for arxiv_id, title in WORKS.items()
    }


@pytest.mark.parametrize(
    "text",
    [
        "- It took 2099.12345 seconds in the end",
        "- The id 1706.03762 is that of a paper that we all know",
        "- Version 1.2.3 (2017)",
        "- see arXiv:1706.03762\n- and again arXiv:1512.03385",
    ],
)
def test_a_number_within_words_names_no_entry(text: str) -> None:
    assert found_in(f"# Notes\n\n{text}\n- and more of them\n") == {}
