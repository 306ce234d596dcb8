"""The table of what exports changed, and how the two tables before it come into it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from itertools import count
from typing import Any

HISTORY_TABLES = (
    # What an entry was before an export edited it (entry_id, replaced_by) or took it out of the
    # file (neither): its text, what that said, and the changed pieces of the file with their
    # neighbours. No doing of the reader's, so it is not journalled.
    """
    CREATE TABLE history (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        entry_id INTEGER REFERENCES entries (id) ON DELETE CASCADE,
        key TEXT NOT NULL,
        category TEXT NOT NULL,
        text TEXT NOT NULL,
        base TEXT NOT NULL,
        library TEXT NOT NULL,
        replaced_by TEXT,
        hunks TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX history_by_document ON history (document_id, id)",
    "CREATE INDEX history_by_entry ON history (entry_id) WHERE entry_id IS NOT NULL",
)

_AROUND = 8
_START, _END = "\nstart", "\nend"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_REFERENCE = re.compile(r"\[([^\[\]]+)\]")
_Plain = dict[str, Any]


def carry_over(connection: sqlite3.Connection) -> None:
    """Bring what the tables removed_entries and former_texts hold into history, and drop them."""
    rows = connection.execute(
        """SELECT r.document_id, d.kind, r.key, r.category, r.text, r.base, r.library, r.pieces
           FROM removed_entries r JOIN documents d ON d.id = r.document_id ORDER BY r.id"""
    ).fetchall()
    for order, (document_id, kind, key, category, text, base, library, pieces) in enumerate(rows):
        hunks = [
            _of_entry(key, piece, order) if kind == "bibtex" else _of_lines(piece)
            for piece in json.loads(pieces)
        ]
        _insert(connection, (document_id, None, key, category, text, base, library, None), hunks)
    rows = connection.execute(
        """SELECT e.document_id, f.entry_id, e.key, e.category, f.text, f.base, e.library,
                  f.replaced_by, f.pieces, f.comment, ifnull(n.base, e.base)
           FROM former_texts f JOIN entries e ON e.id = f.entry_id
           LEFT JOIN former_texts n ON n.entry_id = f.entry_id AND n.position = f.position + 1
           ORDER BY f.entry_id, f.position"""
    ).fetchall()
    orders = count()
    for *values, pieces, comment, later in rows:
        hunks = [*map(_of_lines, json.loads(pieces)), *_of_references(values[4], values[7])]
        if comment is not None:
            hunks.append(_of_comment(comment, json.loads(later).get("title") or ""))
        _insert(connection, tuple(values), [hunk | {"order": next(orders)} for hunk in hunks])
    connection.execute("DROP TABLE removed_entries")
    connection.execute("DROP TABLE former_texts")


def _insert(connection: sqlite3.Connection, values: tuple[Any, ...], hunks: list[_Plain]) -> None:
    connection.execute(
        """INSERT INTO history
           (document_id, entry_id, key, category, text, base, library, replaced_by, hunks)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (*values, json.dumps(hunks, ensure_ascii=False, sort_keys=True)),
    )


def _of_lines(piece: _Plain) -> _Plain:
    """Whole lines of a README; a last line was cut out with the line end before it."""
    lines, names = _LINE.findall(piece["text"]), [_name(name) for name in piece["names"]]
    if len(lines) > len(names):
        lines = [*lines[1:-1], lines[-1] + lines[0]]
    units = [[name, line, False] for name, line in zip(names, lines, strict=False)]
    before = [_name(name) for name in piece["before"]]
    after = [_name(name) for name in piece["after"]]
    return _hunk(units, [*before, _START], [*after, _END], piece["order"])


def _name(name: str) -> str:
    """A definition was known by its label and address, and is by its label."""
    return name.rpartition(" ")[0] if name.startswith("definition ") else name


def _of_entry(key: str, piece: _Plain, order: int) -> _Plain:
    """An entry of a .bib file, with the gaps around it."""
    units = [["{" + key, piece["text"], False], [piece["end"], piece["end"], True]]
    before = [{"{start": _START}.get(name, "{" + name) for name in piece["previous"]]
    after = [{"{end": _END}.get(name, "{" + name) for name in piece["following"]]
    before[:0] = [piece["gap_before"]] if piece["gap_before"] else []
    after[:0] = [piece["gap_after"]] if piece["gap_after"] else []
    return _hunk([unit for unit in units if unit[1]], before, after, order)


def _of_references(text: str, replaced_by: str) -> Iterator[_Plain]:
    """The definitions that an edit may have added: they go, unless something else needs them."""
    known = set(_REFERENCE.findall(text))
    for label in dict.fromkeys(_REFERENCE.findall(replaced_by)):
        if label not in known:
            yield _hunk([], [], [], 0) | {"gone": [f"definition {label}"]}


def _of_comment(comment: str, title: str) -> _Plain:
    """The comment that named an entry above its definitions, and was given this title."""
    inner = re.sub(r"-(?=-)", "- ", title).replace(">", "›").strip("-")
    hunk = _hunk([[comment.strip(), comment + "\n", False]], [], [], 0)
    return hunk | {"gone": [f"<!-- {inner} -->"]}


def _hunk(units: list[list[Any]], before: list[str], after: list[str], order: int) -> _Plain:
    near = {"before": before[:_AROUND], "after": after[:_AROUND]}
    return {"units": units, "gone": [], **near, "order": order}
