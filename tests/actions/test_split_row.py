"""A row of a README that was joined to another one's paper gets a paper of its own."""

from collections.abc import Callable

import pytest

from papertrack.actions.reading import mark_pass
from papertrack.actions.split import split_row
from papertrack.errors import NotFoundError, UsageError
from papertrack.records import Link
from papertrack.store.papers import add_links
from tests.actions.conftest import Desk

JOINED = """# Reading

## First

- [Scheduling Tasks Without a Clock](https://arxiv.org/abs/2401.00001) ✅
- [Queues of Another Kind](https://arxiv.org/abs/2401.00002)

## Second

- [Scheduling Tasks Without a Clock](https://doi.org/10.1145/1234567.1234568) ✅ ✅
"""


@pytest.fixture
def joined(new_desk: Callable[[str], Desk]) -> Desk:
    desk = new_desk(JOINED)
    desk.import_readme()
    assert len(desk.papers()) == 2
    return desk


def test_a_row_gets_what_it_says(joined: Desk) -> None:
    kept, own = split_row(joined.store, joined.library, joined.readme, 10)
    first, second = joined.paper(kept), joined.paper(own)
    assert [i.scheme for i in first.facts.identifiers] == ["arxiv"]
    assert [i.scheme for i in second.facts.identifiers] == ["doi"]
    assert (first.categories, second.categories) == ((("First",),), (("Second",),))
    assert second.facts.title == first.facts.title
    assert second.passes_done == 2


def test_the_file_stays_as_it_is_and_the_rows_stay_two(joined: Desk) -> None:
    kept, own = split_row(joined.store, joined.library, joined.readme, 10)
    assert not joined.export().has_changes
    assert not joined.import_readme().has_changes
    assert joined.read() == JOINED
    assert joined.id(kept) != joined.id(own)
    mark_pass(joined.store, [joined.id(own)], 3)
    joined.export()
    assert joined.read() == JOINED.replace("✅ ✅", "✅ ✅ ✅")


def test_undo_joins_the_rows_again(joined: Desk) -> None:
    before = joined.papers()
    split_row(joined.store, joined.library, joined.readme, 10)
    joined.store.undo()
    assert joined.papers() == before
    assert not joined.export().has_changes
    assert joined.read() == JOINED


def test_only_a_joined_row_with_a_name_of_its_own_can_leave(joined: Desk) -> None:
    def split(line: int) -> None:
        split_row(joined.store, joined.library, joined.readme, line)

    with pytest.raises(UsageError, match="no other row"):
        split(6)
    with pytest.raises(NotFoundError, match="such as 5, 6, 10"):
        split(7)
    joined.write(
        JOINED.replace(
            "https://doi.org/10.1145/1234567.1234568", "https://arxiv.org/abs/2401.00001"
        )
    )
    joined.import_readme()
    with pytest.raises(UsageError, match=r"arxiv:2401\.00001, as another row"):
        split(10)


def test_a_link_that_another_rows_begins_with_leaves_too(new_desk: Callable[[str], Desk]) -> None:
    code, longer = "https://github.com/acme/clock", "https://github.com/acme/clockwork"
    text = JOINED.replace("2401.00001)", f"2401.00001) [code]({longer})")
    desk = new_desk(text.replace("1234568)", f"1234568) [code]({code})"))
    desk.import_readme()
    kept, own = split_row(desk.store, desk.library, desk.readme, 10)
    of_code = [
        [link.url for link in desk.paper(key).facts.links if link.role == "code"]
        for key in (kept, own)
    ]
    assert of_code == [[longer], [code]]


def test_a_link_that_waits_for_its_export_is_still_written(new_desk: Callable[[str], Desk]) -> None:
    repository = "https://github.com/example/"
    text = (
        "# L\n\n## First\n\n"
        "- [Scheduling Tasks Without a Clock](https://arxiv.org/abs/2401.00001) "
        f"[code]({repository}one)\n"
        "- [Queues of Another Kind](https://arxiv.org/abs/2401.00002) "
        f"[code]({repository}queues)\n\n"
        "## Second\n\n"
        "- [Scheduling Tasks Without a Clock](https://doi.org/10.1145/1234567.1234568) "
        f"[code]({repository}two)\n"
    )
    desk = new_desk(text)
    desk.import_readme()
    with desk.store.action("edit"):
        link = Link("code", f"{repository}three")
        add_links(desk.store, desk.id("2401.00001"), [link])
    split_row(desk.store, desk.library, desk.readme, 10)
    desk.export()
    assert [line.count("three") for line in desk.read().splitlines()[4:10]] == [1, 0, 0, 0, 0, 0]
