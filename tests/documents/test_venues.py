"""Where a work was published, written as the list writes it of others."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import SetVenue
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.matching.venues import (
    is_short_for,
    is_venue_with_year,
    names_venue_and_year,
    short_name,
)

ICML = "International Conference on Machine Learning"
DOI = "https://doi.org/10.5555/machine.1"
TABLE = """\
| Title | Venue | Link |
|:---|:--|:---|
| First Things of Some Length | NeurIPS 2023 | [paper](https://papers.nips.cc/paper/1) |
| Second Things of Some Length | ICLR 2024 | [paper](https://openreview.net/forum?id=aaaa) |
"""
ITEMS = """\
- First Things of Some Length. *NeurIPS 2023*. [[paper](https://arxiv.org/abs/2409.00110)]
- Second Things of Some Length. *ICLR 2024*. [[paper](https://arxiv.org/abs/2409.00111)]
"""
LABELS = """\
- **First Things of Some Length**, A. Bee, [[NeurIPS 2023](https://papers.nips.cc/paper/1)]
- **Second Things of Some Length**, B. Cee, [[ICLR 2024](https://openreview.net/forum?id=aaaa)]
- **Third Things of Some Length**, C. Dee, [[ACL 2024](https://aclanthology.org/2024.acl-long.1/)]
"""
BOTH = """\
- First Things of Some Length. NeurIPS 2023. [[paper](https://papers.nips.cc/paper/1)] \
[[arXiv](https://arxiv.org/abs/2409.00110)]
- Second Things of Some Length. ICLR 2024. [[paper](https://openreview.net/forum?id=aaaa)] \
[[arXiv](https://arxiv.org/abs/2409.00111)]
"""
COLUMNS = """\
| Title | Venue | Paper | Preprint |
|:---|:---|:---|:---|
| First Things | NeurIPS'23 | [link](https://papers.nips.cc/1) | \
[arXiv](https://arxiv.org/abs/2409.00110) |
| Second Things | ICLR'24 | [link](https://openreview.net/forum?id=a) | \
[arXiv](https://arxiv.org/abs/2409.00111) |
"""
BELOW = """\
1. **[First Things of Some Length.](https://arxiv.org/abs/2409.00110)**

   *Anna Bee, Bert Cee.* NeurIPS'23

1. **[Second Things of Some Length.](https://arxiv.org/abs/2409.00111)**

   *Cleo Dee, Dora Eff.* ICLR'24

"""


def written(others: str, line: str, venue: str = ICML, year: int | None = 2024) -> str:
    """What becomes of the last entry."""
    text = f"# Papers\n\n{others}{line}"
    document = parse_document(text)
    edited = apply_edits(document, [SetVenue(len(document.entries) - 1, venue, year, DOI)])
    assert not edited.refused
    head = len(text) - len(line)
    assert edited.text[:head] == text[:head]
    return edited.text[head:]


@pytest.mark.parametrize(
    ("others", "line", "after"),
    [
        (
            TABLE,
            "| Third Things | arXiv 2024 | [arXiv](https://arxiv.org/abs/2409.00112) |\n",
            f"| Third Things | ICML 2024 | [paper]({DOI}) |\n",
        ),
        (
            ITEMS,
            "- Third Things. *arXiv 2024*. [[paper](https://arxiv.org/abs/2409.00112)]\n",
            "- Third Things. *ICML 2024*. [[paper](https://arxiv.org/abs/2409.00112)]\n",
        ),
        (
            LABELS,
            "- **Fourth Things**, D. Eff, [[arXiv 2024](https://arxiv.org/abs/2409.00112)]\n",
            f"- **Fourth Things**, D. Eff, [[ICML 2024]({DOI})]\n",
        ),
        (
            BOTH,
            "- Third Things. arXiv 2024. [[arXiv](https://arxiv.org/abs/2409.00112)]\n",
            "- Third Things. ICML 2024. [[arXiv](https://arxiv.org/abs/2409.00112)] "
            f"[[paper]({DOI})]\n",
        ),
        (
            COLUMNS,
            "| Third Things | - | - | [arXiv](https://arxiv.org/abs/2409.00112) |\n",
            f"| Third Things | ICML'24 | [link]({DOI}) | "
            "[arXiv](https://arxiv.org/abs/2409.00112) |\n",
        ),
        (
            BELOW,
            "1. **[Third Things.](https://arxiv.org/abs/2409.00112)**\n\n"
            "   *Emil Gee, Fred Aitch.* Preprint'23\n",
            "1. **[Third Things.](https://arxiv.org/abs/2409.00112)**\n\n"
            "   *Emil Gee, Fred Aitch.* ICML'24\n",
        ),
    ],
    ids=["instead", "preprints linked", "labels", "beside", "columns", "below"],
)
def test_a_published_work_is_written_and_linked_as_others_of_its_list(
    others: str, line: str, after: str
) -> None:
    assert written(others, line) == after


def test_without_others_a_venue_is_written_in_full_as_the_preprint_was() -> None:
    line = "- [Third Things](https://arxiv.org/abs/2409.00112). *arXiv 2023*.\n"
    assert written("", line) == line.replace("arXiv 2023", f"{ICML} 2024")


def test_a_number_and_a_year_of_the_preprint_behind_its_place_go_with_it() -> None:
    line = (
        '- Dee, Cleo. "Third Things of Some Length." arXiv preprint arXiv:2409.00112 (2023). '
        "[[paper](https://arxiv.org/abs/2409.00112)]\n"
    )
    expected = line.replace("arXiv preprint arXiv:2409.00112 (2023)", "ICML (2024)")
    assert written(ITEMS, line) == expected


def test_a_venue_that_other_entries_name_is_called_as_they_call_it() -> None:
    line = "- Third Things. *arXiv 2024*. [[paper](https://arxiv.org/abs/2409.00112)]\n"
    others = ITEMS.replace("ICLR 2024", "Intl. Conf. on ML (ICML) 2023").replace("NeurIPS", "NIPS")
    assert "*NIPS 2024*" in written(others, line, "Neural Information Processing Systems")


@pytest.mark.parametrize(
    ("name", "venue", "is_short"),
    [
        ("ICML", ICML, True),
        ("NeurIPS", "Advances in Neural Information Processing Systems", True),
        ("NIPS", "Neural Information Processing Systems", True),
        ("CVPR", "2024 IEEE/CVF Conference on Computer Vision and Pattern Recognition", True),
        ("ACL", "Annual Meeting of the Association for Computational Linguistics", True),
        ("ACL", "Transactions of the Association for Computational Linguistics", False),
        ("ACL", "North American Chapter of the Association for Computational Linguistics", False),
        ("EMNLP", "Findings of the Association for Computational Linguistics: EMNLP 2023", False),
        ("ICCV", "European Conference on Computer Vision", False),
        ("OptML", ICML, False),
        ("ICML", "ICML Workshop on Something", False),
        ("TPAMI", "IEEE Transactions on Pattern Analysis and Machine Intelligence", True),
    ],
)
def test_a_short_name_is_a_venues_only_when_it_stands_for_all_that_tells(
    name: str, venue: str, is_short: bool
) -> None:
    assert is_short_for(name, venue) is is_short


def test_a_venue_without_a_short_name_has_none() -> None:
    assert short_name("Journal of Odd Things") is None
    assert short_name("Conference on Odd Things (COT)") == "COT"


def test_an_entry_says_a_venue_in_its_own_way_but_not_in_another_year() -> None:
    assert names_venue_and_year("ICML'24 (Oral)", ICML, 2024)
    assert names_venue_and_year("ICML", ICML, 2024)
    assert not names_venue_and_year("ICML 2023", ICML, 2024)
    assert not names_venue_and_year("ICLR 2024", ICML, 2024)
    assert is_venue_with_year("ICML 2024 (Oral)", f"{ICML} 2024")
    assert is_venue_with_year("Journal of Things 2024", "Journal of Things 2024")
    assert not is_venue_with_year("ICML 2025", f"{ICML} 2024")


@pytest.mark.parametrize(
    ("siblings", "venue", "written"),
    [
        ("(ICLR 2025)", "NeurIPS 2026", "(NeurIPS 2026)"),
        ("(ICLR'25)", "NeurIPS 2026", "(NeurIPS'26)"),
        ("(ICLR)", "NeurIPS 2026", "(NeurIPS 2026)"),
        ("(ICLR 2025)", "NeurIPS", "(NeurIPS)"),
    ],
)
def test_a_venue_keeps_the_year_that_it_was_given_with(
    siblings: str, venue: str, written: str
) -> None:
    text = "".join(
        f"- [Ropes of Kind {n}](https://arxiv.org/abs/2401.0000{n}) {siblings}\n" for n in (1, 2, 3)
    )
    made = apply_edits(parse_document(text), [SetVenue(0, venue)])
    assert made.text == text.replace(siblings, written, 1)
