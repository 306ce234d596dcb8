"""New entries of lists like those that were reported: as their curators write them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from papertrack.documents.markdown.model import EntryFields
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edit_types import Add
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.records import Link
from tests.documents.samples import added_lines

ARXIV = "https://arxiv.org/abs/"
NEW = EntryFields(
    title="Paged Memory without Pages",
    authors=("Ann Bee", "Carl Dee", "Eve Foe"),
    date="2024-05",
    year=2024,
    links=(Link("paper", f"{ARXIV}2405.04437"), Link("code", "https://github.com/dd/pages")),
)
CORPUS = os.environ.get("PAPERTRACK_CORPUS")


def added(text: str, fields: EntryFields = NEW) -> list[str]:
    """Return the lines that a new entry adds to the last section of a list."""
    document = parse_document(text)
    category = next(s.path for s in reversed(document.sections) if s.entries)
    edited = apply_edits(document, [Add(category, fields)])
    assert not edited.refused
    return added_lines(text, edited.text)


@pytest.mark.skipif(not CORPUS, reason="needs the reported lists")
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "break-and-star",
            [
                f"* [Paged Memory without Pages]({ARXIV}2405.04437)"
                "<br>:star:[code](https://github.com/dd/pages)"
            ],
        ),
        (
            "plain-titles-with-venue",
            [
                "* Paged Memory without Pages (arXiv 2024) "
                "[GitHub Link](https://github.com/dd/pages)"
            ],
        ),
        (
            "pdf-form",
            [
                "- Paged Memory without Pages (2024), A. Bee et al. "
                "[[pdf]](https://arxiv.org/pdf/2405.04437)"
            ],
        ),
    ],
)
def test_a_new_entry_of_a_reported_list_is_as_its_curator_writes_it(
    name: str, lines: list[str]
) -> None:
    path = Path(CORPUS or "", "reported", "lists", f"{name}.md")
    assert added(path.read_text(encoding="utf-8")) == lines


@pytest.mark.skipif(not CORPUS, reason="needs the reported lists")
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "labelled-emoji-publisher-date-key",
            [
                f"- [Paged Memory without Pages]({ARXIV}2405.04437)",
                "    - Ann Bee, Carl Dee, Eve Foe",
                "    - 📅 Date: May 7, 2024",
                "    - 📑 Publisher: arXiv 2024",
                "    - 🔑 Key: [paging], [memory]",
            ],
        ),
        (
            "labelled-venue-date-plain",
            [
                "- **Paged Memory without Pages**",
                "  - Authors: Ann Bee, Carl Dee, Eve Foe",
                "  - Venue: arXiv 2024",
                "  - Date: 2024-05-07",
                f"  - Link: {ARXIV}2405.04437",
            ],
        ),
    ],
)
def test_labelled_lines_say_what_their_labels_ask_for(name: str, lines: list[str]) -> None:
    path = Path(CORPUS or "", "reported", "lists", f"{name}.md")
    fields = replace(NEW, date="2024-05-07", tags=("paging", "memory"))
    assert [line for line in added(path.read_text(encoding="utf-8"), fields) if line] == lines


LISTS = {
    "a sign before the link to code": (
        "* [Far Sight]({0}2311.00001) <br/> 🖥️ [repo](https://github.com/aa/far)\n"
        "* [Near Sight]({0}2311.00002)\n"
        "* [Night Sight]({0}2311.00003) <br/> 🖥️ [repo](https://github.com/cc/night)\n",
        "* [Paged Memory without Pages]({0}2405.04437) <br/> 🖥️ [repo](https://github.com/dd/pages)",
    ),
    "the word for preprints": (
        "- [arXiv'23] **Far Sight** [[paper]({0}2311.00001)]\n"
        "- [CVPR'24] **Near Sight** [[paper]({0}2311.00002)]\n"
        "- [arXiv'23] **Night Sight** [[paper]({0}2311.00003)]\n",
        "- [arXiv'24] **Paged Memory without Pages** [[paper]({0}2405.04437)]",
    ),
    "others are cut off once": (
        "- Seeing Far with One Lens. Bo Low et al. arXiv 2023. [pdf](http://arxiv.org/pdf/2311.00001v2)\n"
        "- Depth from Shadows Alone. Cy Poe et al. arXiv 2023. [pdf](http://arxiv.org/pdf/2311.00002)\n"
        "- How Deep Is a Puddle at Night. Di Moe et al. arXiv 2023. [pdf](http://arxiv.org/pdf/2311.00003)\n",
        "- Paged Memory without Pages. Ann Bee et al. arXiv 2024. "
        "[pdf](http://arxiv.org/pdf/2405.04437)",
    ),
    "no fact of a neighbour": (
        "- `Twitter` [Far Sight]({0}2311.00001) seen at a party\n"
        "- `Google` [Near Sight]({0}2311.00002) of 12 rooms\n"
        "- `Meta` [Night Sight]({0}2311.00003) with owls\n",
        "- [Paged Memory without Pages]({0}2405.04437)",
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_new_entry_follows_its_nearest_sibling(name: str) -> None:
    items, wanted = LISTS[name]
    text = f"# L\n\n## C\n\n{items.format(ARXIV)}"
    assert added(text) == [wanted.format(ARXIV)]
