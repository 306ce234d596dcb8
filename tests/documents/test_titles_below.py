"""Titles that stand behind a label, below a short name or in a line of their own."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Remove, SetPasses, SetTitle
from papertrack.documents.markdown.write.edits import apply_edits
from tests.documents.samples import edited

WORKS = (
    ("SeaCol", "Sorting Sea Shells by Their Colour", "2101.00011"),
    ("Tidal", "Tides as Clocks: A Field Study", "2102.00022"),
    ("Kelp", "How Forests of Kelp Grow Back", "2103.00033"),
)
BELOW = (
    "- {name}\n  - Title: {title}\n  - Authors: Ann Bee, Carl Dee\n  - Link: {url}\n",
    "- [{name}]({url})\n  - **Title:** {title}\n  - **Authors:** Ann Bee, Carl Dee\n",
    "1. **{name}**\n   - *Paper title*: [{title}]({url})\n   - Authors: Ann Bee, Carl Dee\n",
    "- {name}\n  - 标题：{title}\n  - Authors: Ann Bee, Carl Dee\n  - Paper: [pdf]({url})\n",
)
APART = (
    "- Title: {title}\n- Authors: Ann Bee, Carl Dee\n- Link: {url}\n",
    "- **Title:** {title}\n- **Authors:** Ann Bee, Carl Dee\n- **Git:** {url}\n- **PDF:** {url}\n",
    "* Title: [{title}]({url})\n* Authors: Ann Bee, Carl Dee\n* Status: done\n",
)


def written(template: str) -> str:
    parts = [
        template.format(name=name, title=title, url=f"https://arxiv.org/abs/{own}")
        for name, title, own in WORKS
    ]
    return "# List\n\n## Papers\n\n" + "\n".join(parts)


@pytest.mark.parametrize("template", [*BELOW, *APART])
def test_what_a_label_calls_the_title_is_the_title(template: str) -> None:
    entries = parse_document(written(template)).entries
    assert [entry.fields.title for entry in entries] == [title for _, title, _ in WORKS]
    assert [entry.identifiers[0].value for entry in entries] == [own for *_, own in WORKS]
    assert {entry.fields.authors for entry in entries} == {("Ann Bee", "Carl Dee")}


@pytest.mark.parametrize("template", [*BELOW, *APART])
def test_a_title_behind_a_label_is_edited_where_it_stands(template: str) -> None:
    text = written(template)
    document = parse_document(text)
    assert edited(document, SetTitle(1, "Tides as Watches")) == text.replace(
        "Tides as Clocks: A Field Study", "Tides as Watches"
    )


@pytest.mark.parametrize("template", APART)
def test_the_lines_of_a_work_are_removed_together(template: str) -> None:
    document = parse_document(written(template))
    made = apply_edits(document, [Remove(1)])
    assert not made.refused
    assert "Tides" not in made.text
    assert made.text.count("Ann Bee") == 2


def test_a_mark_behind_a_label_stays_in_its_line() -> None:
    text = written(APART[0] + "- Read: ✅\n").replace("Read: ✅", "Read: ⬜", 1)
    document = parse_document(text)
    assert [entry.fields.passes for entry in document.entries] == [0, 1, 1]
    assert edited(document, SetPasses(0, 1)) == text.replace("⬜", "✅", 1)


LABELLED = (
    "- **Paper**: [{title}]({url})\n- **Code**: [ann/shells](https://github.com/ann/shells)\n",
    "* Paper: [{title}]({url})\n* Authors: Ann Bee, Carl Dee\n* Code: https://github.com/ann/shells\n",
    "- 论文：[{title}]({url})\n- 代码：[ann/shells](https://github.com/ann/shells)\n",
)


@pytest.mark.parametrize("template", LABELLED)
def test_items_with_labels_behind_that_of_a_paper_tell_of_it(template: str) -> None:
    entries = parse_document(written(template)).entries
    assert [entry.fields.title for entry in entries] == [title for _, title, _ in WORKS]
    assert {tuple(link.role for link in entry.fields.links) for entry in entries} == {
        ("paper", "code")
    }


def test_names_before_colons_are_no_labels_of_one_work() -> None:
    items = [f"- **{n}**: [{t}](https://arxiv.org/abs/{own})\n" for n, t, own in WORKS]
    text = "# List\n\n- **Paper**: [Shells of Old Seas](https://a.org/shells)\n" + "".join(items)
    assert len(parse_document(text).entries) == 1 + len(WORKS)
