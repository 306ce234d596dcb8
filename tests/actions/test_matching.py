"""Which entry is which after the file was edited: each rule, and which goes before which."""

from pathlib import Path

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.library import Library
from papertrack.store.documents import EntryState, StoredEntry
from papertrack.sync.markdown.matching import match_edited
from papertrack.sync.markdown.reading import items_of


def stored(text: str, *, is_in_file: bool = True) -> list[StoredEntry]:
    document = parse_document(text)
    items = items_of(document, Library(Path("/library")), Path("/library/README.md"))
    return [
        StoredEntry(
            key=entry.key,
            paper_id=entry.index + 1,
            category=entry.category,
            text=entry.fields.title,
            state=EntryState.LINKED if is_in_file else EntryState.UNLINKED,
            base=items[entry.index].values,
            library={},
        )
        for entry in document.entries
    ]


def matches(before: list[StoredEntry], after: str) -> dict[str, str]:
    """Titles in the new text → titles of what they were."""
    entries = parse_document(after).entries
    items = items_of(parse_document(after), Library(Path("/library")), Path("/library/README.md"))
    return {
        f"{entries[n].fields.title} in {'/'.join(entries[n].category)}": (
            f"{before[m].base['title']} in {'/'.join(before[m].category)}"
        )
        for n, m in match_edited(before, items).items()
    }


ALPHA = "[Alpha Networks](https://arxiv.org/abs/2401.00001)"
BETA = "[Beta Networks](https://arxiv.org/abs/2401.00002)"


def test_a_paper_listed_twice_keeps_each_entry_in_its_section() -> None:
    before = stored(f"## A\n\n- {ALPHA}\n\n## B\n\n- {ALPHA}\n")
    after = f"## B\n\n- {ALPHA}\n\n## A\n\n- {ALPHA}\n"
    assert matches(before, after) == {
        "Alpha Networks in B": "Alpha Networks in B",
        "Alpha Networks in A": "Alpha Networks in A",
    }


def test_a_title_that_two_entries_have_tells_nothing() -> None:
    before = stored(
        "## A\n\n- [Slides](https://example.org/1)\n- [Slides](https://example.org/2)\n"
    )
    after = "## A\n\n- [Slides](https://example.org/3)\n- [Slides](https://example.org/4)\n"
    assert matches(before, after) == {}


def test_an_entry_in_the_file_goes_before_one_unlinked_earlier() -> None:
    live = stored(f"## A\n\n- {ALPHA}\n")
    gone = stored(f"## B\n\n- {ALPHA}\n", is_in_file=False)
    assert matches([*gone, *live], f"## C\n\n- {ALPHA}\n") == {
        "Alpha Networks in C": "Alpha Networks in A"
    }


NOTED = "## A\n\n- [Qeues](./notes/queues.md)\n- [Locks](./notes/locks.md)\n"


def test_an_entry_that_has_but_a_note_is_known_by_it_when_its_title_is_corrected() -> None:
    after = "## A\n\n- [Locks](notes/locks.md)\n\n## B\n\n- [Queueing](notes/queues.md#why)\n"
    assert matches(stored(NOTED), after)["Queueing in B"] == "Qeues in A"


def test_a_note_that_two_entries_have_tells_nothing() -> None:
    after = "## A\n\n- [One](notes/queues.md)\n- [Two](notes/queues.md)\n"
    assert matches(stored(NOTED), after) == {}


def test_an_entry_for_another_paper_with_the_same_note_is_another_one() -> None:
    note = "[note](notes/n.md)"
    before = stored(f"## A\n\n- {ALPHA} {note}\n")
    assert matches(before, f"## A\n\n- {BETA} {note}\n") == {}


@pytest.mark.parametrize(
    ("title", "is_known"),
    [
        ("Lecture 2: Scheduling Threads", True),
        ("Lecture 3: Schedulin Threads", False),
        ("Lecture 2: File Systems", False),
    ],
)
@pytest.mark.parametrize("others", ["{}- [Lecture 1: Processes]()\n", "- [Alpha]()\n{}", "{}"])
def test_an_entry_that_has_but_a_title_is_known_by_its_place(
    title: str, is_known: bool, others: str
) -> None:
    text = "## A\n\n" + others
    before = stored(text.format("- [Lecture 2: Schedulin Threads]()\n"))
    found = matches(before, text.format(f"- [{title}]()\n"))
    assert (f"{title} in A" in found) == is_known


def test_one_of_several_of_one_title_that_gets_its_own_is_another_thing() -> None:
    lines = "- [Basics]({})\n- [Basics]({})\n".format("notes/a.md", "notes/b.md")
    after = lines.replace("Basics](notes/b", "Basics of Locks](notes/b")
    assert "Basics of Locks in A" not in matches(stored(f"## A\n\n{lines}"), f"## A\n\n{after}")
