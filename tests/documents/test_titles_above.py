"""Lists that say a work's title on a line of its own, and what tells of it below."""

import pytest

from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.read.document import parse_document
from tests.corpus import ROOT, needs_corpus

LABELS = """# 会议论文

## 检测(Detection)

**1. Harbours at Dusk: Seeing Small Boats**

- 作者单位: 海港大学
- Paper: https://arxiv.org/abs/2101.00101
- Code: https://github.com/quist/harbours

**2. Lamps Without Electricity**

- Homepage: https://lamps.example.org/project/

- Paper(Oral): https://arxiv.org/abs/2101.00102
- Code: None
"""

TITLES = """# {title}

## Databases

- Counting Harbours in Logarithmic Time
- The Lamp Store: Reliable Light at Scale
- Rope Trees for Secondary Storage
"""


def titles(document: Document) -> list[str]:
    return [entry.fields.title for entry in document.entries]


def test_a_bold_line_above_labels_is_the_title_of_their_work() -> None:
    document = parse_document(LABELS)
    assert titles(document) == [
        "Harbours at Dusk: Seeing Small Boats",
        "Lamps Without Electricity",
    ]
    assert [e.category for e in document.entries] == [("检测(Detection)",)] * 2
    roles = [{link.role for link in e.fields.links} for e in document.entries]
    assert {"paper", "code"} <= roles[0]
    assert "paper" in roles[1]


def test_a_bold_line_above_works_of_their_own_is_none() -> None:
    document = parse_document(
        "# Papers\n\n**Harbours and all that is in them**\n\n"
        "- [Counting Boats](https://arxiv.org/abs/2101.00001)\n"
        "- [Counting Lamps](https://arxiv.org/abs/2101.00002)\n"
    )
    assert titles(document) == ["Counting Boats", "Counting Lamps"]


def test_a_heading_above_a_written_out_address_is_its_title() -> None:
    document = parse_document(
        "# Proposed\n\n## Learning Harbour Inference with Lamps\n"
        "http://arxiv.org/pdf/1512.00601v1.pdf\n\n"
        "## Knots, Ropes and the Sea - BO 12\nhttp://arxiv.org/pdf/1512.00602v1.pdf\n"
    )
    assert titles(document) == ["Learning Harbour Inference with Lamps", "Knots, Ropes and the Sea"]
    assert [e.fields.kind for e in document.entries] == ["paper", "paper"]


def test_titles_without_links_are_entries_of_a_document_that_says_papers() -> None:
    document = parse_document(TITLES.format(title="Papers to read"))
    assert titles(document) == [
        "Counting Harbours in Logarithmic Time",
        "The Lamp Store: Reliable Light at Scale",
        "Rope Trees for Secondary Storage",
    ]
    assert not document.skipped


def test_titles_without_links_are_told_where_nothing_says_papers() -> None:
    document = parse_document(TITLES.format(title="Summer of 2021"))
    assert not document.entries
    assert [one.line for one in document.skipped] == [5, 6, 7]
    assert "no link" in document.skipped[0].reason


def test_a_heading_without_a_blank_behind_its_signs_is_one() -> None:
    document = parse_document(
        "# Papers\n\n##Harbours\n- [Counting Boats](https://arxiv.org/abs/2101.00001)\n\n"
        "#one #two\n- [Counting Lamps](https://arxiv.org/abs/2101.00002)\n"
    )
    assert [e.category for e in document.entries] == [("Harbours",), ("Harbours",)]


CITED = """# Old papers

1. **Lanterns in the North. [Quist (1991)](https://a.org/quist91.pdf).**
    <sub>Signals</sub>
    * Counting Lamps by Night. [Odell (1984)](https://doi.org/10.5555/9000001.1).
    * A Theory of Horns. [Marek, van Tuure (1987)](https://doi.org/10.5555/9000002.2).
    * Written down by hand, see [the slides](https://a.org/slides.pdf).
"""


def test_a_title_that_a_link_cites_is_a_work_of_its_own_below_another_one() -> None:
    document = parse_document(CITED)
    assert titles(document) == [
        "Lanterns in the North",
        "Counting Lamps by Night",
        "A Theory of Horns",
    ]
    fields = [entry.fields for entry in document.entries]
    assert [one.authors for one in fields] == [("Quist",), ("Odell",), ("Marek", "van Tuure")]
    assert [one.date for one in fields] == ["1991", "1984", "1987"]
    assert [len(one.links) for one in fields] == [1, 1, 1]


@pytest.mark.parametrize(
    "below",
    [
        "  - Extended by [Smith (2020)](https://arxiv.org/abs/2101.00002)\n",
        "  - See also: [Smith (2020)](https://a.org/smith.pdf).\n",
    ],
)
def test_a_citation_in_a_remark_is_no_work(below: str) -> None:
    first = "- [Counting Boats at Sea](https://arxiv.org/abs/2101.00001)\n"
    document = parse_document(f"# Papers\n\n{first}{below}")
    assert titles(document) == ["Counting Boats at Sea"]


def test_a_citation_behind_a_linked_title_names_other_peoples_work() -> None:
    item = "- [Counting Boats](https://arxiv.org/abs/2101.00001), see [Smith (2020)](https://a.org/s)\n"
    (entry,) = parse_document(f"# Papers\n\n{item}").entries
    assert entry.fields.authors == ()


def test_rules_for_contributors_are_no_works_though_the_title_says_papers() -> None:
    document = parse_document(
        "# Paper reading list\n\n## Contributing\n\n- Add Your Paper to the Right Section\n"
        "- Keep the Order of the List\n- Open a Pull Request\n\n## List\n\n"
        "- [Counting Boats](https://arxiv.org/abs/2101.00001)\n"
    )
    assert titles(document) == ["Counting Boats"]


def test_a_description_keeps_the_bracket_that_closes_its_own() -> None:
    document = parse_document(
        "# Talks\n\n- [Scaling up Lamps](https://a.org/lamps) - at dusk (in North Bay)\n"
        "- [Counting Lamps](https://a.org/counting) (at night)\n"
    )
    assert [e.fields.description for e in document.entries] == [
        "at dusk (in North Bay)",
        "at night",
    ]


def test_a_heading_keeps_its_brackets() -> None:
    document = parse_document(
        "# L\n\n## Lamps【灯】\n\n- [Lamps](https://arxiv.org/abs/2101.00001)\n"
    )
    assert document.entries[0].category == ("Lamps【灯】",)


REPORTED = {
    "01-nested-works": 10,
    "02-labels-one-by-one": 4,
    "08-title-heading-bare-url": 4,
    "25-titles-only": 6,
}


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("name", REPORTED)
def test_the_lists_that_were_reported_are_read(name: str) -> None:
    assert ROOT is not None
    text = (ROOT / "reported" / "lists" / f"{name}.md").read_text("utf-8")
    assert len(parse_document(text).entries) == REPORTED[name]
