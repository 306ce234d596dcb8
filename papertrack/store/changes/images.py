"""The images of a row that the journal keeps as JSON: column → value, of an update only of the
columns that it changed, before and after.

A long text that is nearly the same before and after is kept once: after, ``[6, 210, "new words"]``
stands for the first 6 characters of the text before, these words, and its last 210.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from papertrack.store.database import Database

Row = dict[str, Any]

_LONG = 200
"""Images shorter than so many characters are kept as they are."""
_GAIN = 60
"""So many characters must be saved for a text to be kept as what differs."""


def read_images(old: str | None, new: str | None) -> tuple[Row | None, Row | None]:
    """A row, or what an update changed of it, before and after; None where there was none."""
    before = None if old is None else json.loads(old)
    after = None if new is None else json.loads(new)
    if before is not None and after is not None:
        for name, value in after.items():
            if isinstance(value, list):
                start, end, text = value
                whole = before[name]
                after[name] = whole[:start] + text + whole[len(whole) - end :]
    return before, after


def shorten_images(db: Database, action_id: int) -> None:
    """Keep what an action did to long texts in the shortest way."""
    rows = db.execute(
        """SELECT id, old, new FROM changes
           WHERE action_id = ? AND operation = 'update' AND length(new) > ?""",
        (action_id, _LONG),
    ).fetchall()
    for change_id, old, new in rows:
        short = shortened(json.loads(old), json.loads(new))
        if len(short) < len(new):
            db.execute("UPDATE changes SET new = ? WHERE id = ?", (short, change_id))


def shortened(before: Row, after: Row) -> str:
    """What an update made of a row, as it is kept beside what was there before."""
    short = {name: _difference(before[name], value) for name, value in after.items()}
    return json.dumps(short, ensure_ascii=False, separators=(",", ":"))


def _difference(old: object, new: object) -> object:
    if not isinstance(old, str) or not isinstance(new, str):
        return new
    most = min(len(old), len(new))
    start = _longest(most, lambda count: old[:count] == new[:count])
    end = _longest(most - start, lambda count: old[len(old) - count :] == new[len(new) - count :])
    return [start, end, new[start : len(new) - end]] if start + end > _GAIN else new


def _longest(most: int, is_common: Callable[[int], bool]) -> int:
    """How many characters, at most so many, two texts have in common; found by halving."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if is_common(middle) else (least, middle - 1)
    return least
