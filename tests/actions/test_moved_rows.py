"""Rows that move to another file: what waits to be written to them is written there."""

import pytest

from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.reading import mark_pass
from tests.actions.conftest import CHUNKED, PAGED, Desk

HEAD = """\
# Guide

## Moved Here

| Title | Date | arXiv | GitHub | Read |
| :---- | :--- | :---- | :----- | :--- |
"""
MOVED = f"| [Chunked Prefills](https://arxiv.org/abs/{CHUNKED}) | 2024/03 | | | |\n"
CODE = "[code](https://github.com/example/chunked)"
OTHER = f"| [Paged Memory](https://arxiv.org/abs/{PAGED}) | 2023/09 | | {CODE} | |\n"


@pytest.mark.parametrize("is_new_file_first", [False, True])
def test_what_waits_for_a_row_is_written_where_it_moved(
    desk: Desk, is_new_file_first: bool
) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    desk.edit(CHUNKED, "code=https://github.com/example/new")
    row = next(line for line in desk.read().splitlines(keepends=True) if "Chunked Pre" in line)
    desk.replace(row, "")
    text = desk.read()
    guide = desk.readme.with_name("GUIDE.md")
    guide.write_text(HEAD + MOVED + OTHER)
    for path in (guide, desk.readme) if is_new_file_first else (desk.readme, guide):
        import_file(desk.store, desk.library, path)
    export_registered(desk.store, desk.library, "markdown")
    code = "[code](https://github.com/example/new)"
    marked = MOVED.replace(" | | | |", f" | | {code} | ✅ |")
    # The other row is new here, and says nothing of the passes: no change of the library waits.
    assert guide.read_text() == HEAD + marked + OTHER
    assert desk.read() == text
    assert desk.paper(CHUNKED).passes_done == 1
    assert not import_file(desk.store, desk.library, guide).has_changes
