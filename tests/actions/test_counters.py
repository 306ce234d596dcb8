"""Numbers of entries that were true stay true, and come back with what is undone."""

from __future__ import annotations

from collections.abc import Callable

from papertrack.actions.organise import move_papers, remove_papers
from tests.actions.conftest import Desk

ITEMS = "".join(
    f"- [Serving Number {n}](https://arxiv.org/abs/2401.1000{n})\n" for n in range(1, 6)
)
COUNTED = f"""\
# List

**Papers: 7**

- [Serving](#serving) (5)
- [Training](#training) (2)

![](https://img.shields.io/badge/papers-7-blue) About 9 papers were read in 2024.

## Serving

{ITEMS}
## Training

- [Training One](https://arxiv.org/abs/2402.10001)
- [Training Two](https://arxiv.org/abs/2402.10002)
"""


def test_counters_that_are_true_are_kept_true_and_undone(new_desk: Callable[[str], Desk]) -> None:
    desk = new_desk(COUNTED)
    desk.import_readme()
    desk.export()
    assert desk.read() == COUNTED
    remove_papers(desk.store, [desk.id("2401.10001")])
    desk.export()
    expected = COUNTED.replace("papers-7-", "papers-6-").replace("(5)", "(4)")
    expected = expected.replace("**Papers: 7**", "**Papers: 6**")
    expected = expected.replace("- [Serving Number 1](https://arxiv.org/abs/2401.10001)\n", "")
    assert desk.read() == expected
    desk.undo()
    assert desk.read() == COUNTED


def test_a_paper_that_moves_is_counted_where_it_is(new_desk: Callable[[str], Desk]) -> None:
    desk = new_desk(COUNTED)
    desk.import_readme()
    move_papers(desk.store, [desk.id("2401.10002")], ("Training",), source=("Serving",))
    desk.export()
    assert "[Serving](#serving) (4)\n- [Training](#training) (3)\n" in desk.read()
