"""Lists that are indented under an item, but less than CommonMark asks for to be below it."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Remove, SetPasses
from papertrack.documents.markdown.write.edits import apply_edits
from tests.documents.samples import edited

TITLES = (
    "Sorting Sea Shells by Their Colour",
    "Tides as Clocks: A Field Study",
    "How Forests of Kelp Grow Back",
    "Whales Sing Louder near Ships",
)
IDS = ("2101.00011", "2102.00022", "2103.00033", "2104.00044")
BELOW = (
    "{n}. **{title}**\n  - Paper: https://arxiv.org/abs/{id}\n  - Code: https://github.com/a/r{n}\n",
    "{n}. [{title}](https://arxiv.org/abs/{id})\n  * Ann Bee, C. Dee\n  * [slides](https://a.b/{n})\n",
    "{n}) [{title}](https://arxiv.org/abs/{id})\n\n + *Ann Bee, Carl Dee*\n + about [[code]](https://a.b/{n})\n",
)


def written(template: str, first: int = 1) -> str:
    parts = [
        template.format(n=number, title=title, id=own)
        for number, (title, own) in enumerate(zip(TITLES, IDS, strict=True), first)
    ]
    return "# List\n\n## Papers\n\n" + "".join(parts)


@pytest.mark.parametrize("first", [1, 8], ids=["small numbers", "large numbers"])
@pytest.mark.parametrize("template", [*BELOW, BELOW[1].replace("  *", "   *")])
def test_what_is_indented_under_a_numbered_work_is_told_of_it(template: str, first: int) -> None:
    document = parse_document(written(template, first))
    assert [entry.fields.title for entry in document.entries] == list(TITLES)
    assert [entry.identifiers[0].value for entry in document.entries] == list(IDS)
    assert [entry.line for entry in document.entries] == [
        number
        for number, line in enumerate(document.text.split("\n"), 1)
        if any(title in line for title in TITLES)
    ]


def test_a_work_is_removed_with_what_is_indented_under_it() -> None:
    document = parse_document(written(BELOW[1]))
    made = apply_edits(document, [Remove(1)])
    assert not made.refused
    assert "2102.00022" not in made.text
    assert made.text.count("Ann Bee") == 3


def test_a_mark_changes_the_line_of_the_work_alone() -> None:
    text = written(BELOW[1]).replace("1. [", "1. ✅ [").replace("2. [", "2. ✅ ✅ [")
    document = parse_document(text)
    assert edited(document, SetPasses(2, 1)) == text.replace("3. [", "3. ✅ [")


def test_a_list_that_is_not_indented_is_not_below_the_one_before_it() -> None:
    text = "1. [{}](https://a.b/1)\n- [{}](https://a.b/2)\n\n2. [{}](https://a.b/3)\n"
    document = parse_document("# List\n\n" + text.format(*TITLES))
    assert [entry.fields.title for entry in document.entries] == list(TITLES[:3])
