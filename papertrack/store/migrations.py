"""Bringing a library up to date: append-only steps, a verified copy before each upgrade."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import sqlite_utils

from papertrack.errors import StoreError
from papertrack.store import index
from papertrack.store.changes.images import shortened
from papertrack.store.changes.triggers import (
    JOURNALLED,
    NO_ACTION,
    install_triggers,
    trigger_texts,
    unwatched,
)
from papertrack.store.database import APPLICATION_ID, PAGE_SIZE, Database, run_script, to_json
from papertrack.store.foreign import refuse_foreign
from papertrack.store.schema import first, steps

BACKUPS_KEPT = 3
"""Verified copies kept beside the library for each schema version."""
_SMALLER = 22
"""The schema from which on much less is kept: older libraries are written anew."""
_AROUND = 8
_START, _END = "\nstart", "\nend"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_REFERENCE = re.compile(r"\[([^\[\]]+)\]")
_Plain = dict[str, Any]

migrations = sqlite_utils.Migrations("papertrack")


def _making(script: str) -> Callable[[sqlite_utils.Database], None]:
    """A step that only makes tables."""
    return lambda opened: run_script(Database(opened.conn), script)


@migrations()
def m001_initial(opened: sqlite_utils.Database) -> None:
    db = Database(opened.conn)
    run_script(db, first.TABLES)
    db.execute("INSERT INTO journal_state (id, last_paper_id) VALUES (1, ?)", (NO_ACTION,))
    install_triggers(db, JOURNALLED)


migrations(name="m002_watch")(_making(steps.WATCH_TABLES))


@migrations()
def m003_family_names(opened: sqlite_utils.Database) -> None:
    db = Database(opened.conn)
    db.execute("ALTER TABLE authors ADD COLUMN family TEXT")
    install_triggers(db, ["authors"])


migrations(name="m004_removed_entries")(_making(steps.REMOVED_ENTRIES))
migrations(name="m005_missed_days")(_making(steps.MISSED_DAYS))
migrations(name="m006_refused_rows")(_making(steps.REFUSED_ROWS))
migrations(name="m007_former_texts")(_making(steps.FORMER_TEXTS))
migrations(name="m008_in_hand")(_making(steps.PAPERS_IN_HAND))


@migrations()
def m009_entry_states(opened: sqlite_utils.Database) -> None:
    """Name what an entry is, in ``entries`` and in what undo and redo know of them."""
    db = Database(opened.conn)
    run_script(db, steps.ENTRY_STATES)
    install_triggers(db, ["entries"])
    opened.conn.create_function("named_entry", 1, _named_entry, deterministic=True)
    with unwatched(db):
        db.execute(
            """UPDATE entries SET (state, refused, held_in, library) = (
                   SELECT named ->> 'state', named ->> 'refused', named ->> 'held_in',
                          named ->> 'library'
                   FROM (SELECT named_entry(json_object(
                       'paper_id', paper_id, 'text', text, 'base', base, 'library', library)
                   ) AS named))"""
        )
    for image in ("old", "new"):
        db.execute(
            f"""UPDATE changes SET {image} = named_entry({image})
                WHERE table_name = 'entries' AND {image} IS NOT NULL"""
        )


def _named_entry(image: str) -> str:
    """A row of ``entries``, as JSON, with the columns that say what signs among the others said.

    No text stood for an entry that was taken out, "?" for one with a conflict open, no base for
    one that is wanted back, no paper for one that goes; what the reader was told stood among what
    the library said.
    """
    row = json.loads(image)
    library = json.loads(row["library"])
    refused, held_in = library.pop("said", {}), library.pop("held_in", None)
    state = "linked"
    if not row["text"]:
        state = "unlinked"
    elif row["paper_id"] is None:
        state = "removed"
    elif row["base"] == "{}":
        state = "wanted"
    elif row["text"] == "?":
        state = "unsettled"
    row |= {
        "state": state,
        "refused": to_json(refused),
        "held_in": None if held_in is None else json.dumps(held_in, ensure_ascii=False),
    }
    if refused or held_in is not None:
        row["library"] = to_json(library)
    return json.dumps(row, ensure_ascii=False)


@migrations()
def m010_history(opened: sqlite_utils.Database) -> None:
    """Bring what the tables removed_entries and former_texts hold into history, and drop them."""
    db = Database(opened.conn)
    run_script(db, steps.HISTORY)
    rows = db.execute(
        """SELECT r.document_id, d.kind, r.key, r.category, r.text, r.base, r.library, r.pieces
           FROM removed_entries r JOIN documents d ON d.id = r.document_id ORDER BY r.id"""
    ).fetchall()
    for order, (document_id, kind, key, category, text, base, library, pieces) in enumerate(rows):
        hunks = [
            _of_entry(key, piece, order) if kind == "bibtex" else _of_lines(piece)
            for piece in json.loads(pieces)
        ]
        db.insert(_HISTORY, (document_id, None, key, category, text, base, library, None, hunks))
    rows = db.execute(
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
        db.insert(_HISTORY, (*values, [hunk | {"order": next(orders)} for hunk in hunks]))
    db.execute("DROP TABLE removed_entries")
    db.execute("DROP TABLE former_texts")


migrations(name="m011_in_step")(_making(steps.IN_STEP))
migrations(name="m012_written_files")(_making(steps.WRITTEN_FILES))
migrations(name="m013_versions")(_making(steps.VERSIONS))


@migrations()
def m014_triggers_anew(opened: sqlite_utils.Database) -> None:
    """Make the journal's triggers anew: they are told from a stranger's by their text."""
    install_triggers(Database(opened.conn), JOURNALLED)


@migrations()
def m015_what_changed(opened: sqlite_utils.Database) -> None:
    """Keep of old updates what they changed, as the journal does now, in place of whole rows."""
    db = Database(opened.conn)
    install_triggers(db, JOURNALLED)
    for change_id, old, new in _old_updates(db):
        before, after = json.loads(old), json.loads(new)
        changed = [name for name in after if after[name] != before[name]]
        before, after = ({name: row[name] for name in changed} for row in (before, after))
        if changed:
            values = to_json(before), shortened(before, after), change_id
            db.execute("UPDATE changes SET old = ?, new = ? WHERE id = ?", values)


def _old_updates(db: Database) -> Iterator[tuple[int, str, str]]:
    """The updates in the journal, some at a time: years of them are much text."""
    last = 0
    while rows := db.execute(
        """SELECT id, old, new FROM changes
           WHERE operation = 'update' AND id > ? ORDER BY id LIMIT 1000""",
        (last,),
    ).fetchall():
        yield from rows
        last = rows[-1][0]


migrations(name="m016_former_digests")(_making(steps.FORMER_DIGESTS))


@migrations()
def m017_one_text(opened: sqlite_utils.Database) -> None:
    """Index texts without a copy of them, and only when they change."""
    db = Database(opened.conn)
    run_script(db, steps.ORIGINALS)
    install_triggers(db, ["originals"])
    db.execute("DROP TABLE search")
    db.execute(steps.SEARCH)
    db.execute(steps.UNINDEXED)
    index.install_index_triggers(db)
    index.index_anew(db)


migrations(name="m018_sittings")(_making(steps.SITTINGS))
migrations(name="m019_sharing")(_making(steps.SHARING))
migrations(name="m020_replaced_files")(_making(steps.REPLACED_FILES))
migrations(name="m021_searched_days")(_making(steps.SEARCHED_DAYS))


@migrations()
def m022_packed_versions(opened: sqlite_utils.Database) -> None:
    """Keep what documents were in a third of the room."""
    opened.conn.create_function("packed", 1, lambda text: zlib.compress(text.encode(), level=1))
    run_script(Database(opened.conn), steps.PACKED_VERSIONS)


@migrations()
def m023_ranking(opened: sqlite_utils.Database) -> None:
    db = Database(opened.conn)
    run_script(db, steps.RANKING)
    install_triggers(db, ["paper_states", "forgotten"])


migrations(name="m024_publication_looks")(_making(steps.LOOKS))


migrations(name="m025_private")(_making(steps.PRIVATE))


@migrations()
def m026_short_triggers(opened: sqlite_utils.Database) -> None:
    """Make all triggers anew, in half as many words: each opening reads them."""
    db = Database(opened.conn)
    install_triggers(db, JOURNALLED)
    index.install_index_triggers(db)


@migrations()
def m027_snooze(opened: sqlite_utils.Database) -> None:
    db = Database(opened.conn)
    run_script(db, steps.SNOOZE)
    install_triggers(db, ["paper_states"])


migrations(name="m028_dates")(_making(steps.DATES))


migrations(name="m029_former_names")(_making(steps.FORMER_NAMES))
migrations(name="m030_short_indexes")(_making(steps.SHORT_INDEXES))
migrations(name="m031_shown_citekeys")(_making(steps.SHOWN_CITEKEYS))
migrations(name="m032_told_citekeys")(_making(steps.TOLD_CITEKEYS))
migrations(name="m033_lines_apart")(_making(steps.LINES_APART))


_HISTORY = "history (document_id, entry_id, key, category, text, base, library, replaced_by, hunks)"


def _of_lines(piece: _Plain) -> _Plain:
    """Whole lines of a README; a last line was cut out with the line end before it."""
    lines, names = _LINE.findall(piece["text"]), [_line_name(name) for name in piece["names"]]
    if len(lines) > len(names):
        lines = [*lines[1:-1], lines[-1] + lines[0]]
    units = [[name, line, False] for name, line in zip(names, lines, strict=False)]
    before = [_line_name(name) for name in piece["before"]]
    after = [_line_name(name) for name in piece["after"]]
    return _plain_hunk(units, [*before, _START], [*after, _END], piece["order"])


def _line_name(name: str) -> str:
    """A definition was known by its label and address, and is by its label."""
    return name.rpartition(" ")[0] if name.startswith("definition ") else name


def _of_entry(key: str, piece: _Plain, order: int) -> _Plain:
    """An entry of a .bib file, with the gaps around it."""
    units = [["{" + key, piece["text"], False], [piece["end"], piece["end"], True]]
    before = [{"{start": _START}.get(name, "{" + name) for name in piece["previous"]]
    after = [{"{end": _END}.get(name, "{" + name) for name in piece["following"]]
    before[:0] = [piece["gap_before"]] if piece["gap_before"] else []
    after[:0] = [piece["gap_after"]] if piece["gap_after"] else []
    return _plain_hunk([unit for unit in units if unit[1]], before, after, order)


def _of_references(text: str, replaced_by: str) -> Iterator[_Plain]:
    """The definitions that an edit may have added: they go, unless something else needs them."""
    known = set(_REFERENCE.findall(text))
    for label in dict.fromkeys(_REFERENCE.findall(replaced_by)):
        if label not in known:
            yield _plain_hunk([], [], [], 0) | {"gone": [f"definition {label}"]}


def _of_comment(comment: str, title: str) -> _Plain:
    """The comment that named an entry above its definitions, and was given this title."""
    inner = re.sub(r"-(?=-)", "- ", title).replace(">", "›").strip("-")
    hunk = _plain_hunk([[comment.strip(), comment + "\n", False]], [], [], 0)
    return hunk | {"gone": [f"<!-- {inner} -->"]}


def _plain_hunk(units: list[list[Any]], before: list[str], after: list[str], order: int) -> _Plain:
    near = {"before": before[:_AROUND], "after": after[:_AROUND]}
    return {"units": units, "gone": [], **near, "order": order, "at": 0}


def complete_early_tables(db: sqlite_utils.Database) -> None:
    """Give libraries that were made between two releases the columns of the table as released."""
    early = set(db.table_names())
    if "papers" in early and "is_citekey_given" not in db.table("papers").columns_dict:
        db.table("papers").add_column("is_citekey_given", int, not_null_default=0)
        install_triggers(Database(db.conn), ["papers"])
    if "former_texts" in early and "comment" not in db.table("former_texts").columns_dict:
        db.table("former_texts").add_column("comment", str)


def upgrade(db: Database, path: Path, *, wanted: int, is_copy: bool = False) -> None:
    """Apply what is pending in one transaction. A library that has data, and is no copy of the
    file itself, is copied first.

    Several processes may arrive at once: the first one works, the others find nothing to do.
    """
    db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    db.execute("BEGIN IMMEDIATE")
    try:
        # Read again: another process may have done it while this one waited for its turn.
        found = db.select_value("PRAGMA user_version")
        if found >= wanted:
            db.execute("ROLLBACK")
            return
        refuse_foreign(db, path, trigger_texts(db) | index.index_triggers(), is_present=False)
        if found and not is_copy:
            back_up(path, version=found)
        opened = sqlite_utils.Database(
            db.connection, execute_plugins=False, recursive_triggers=False
        )
        complete_early_tables(opened)
        migrations.apply(opened)
        if db.select_value("SELECT EXISTS (SELECT 1 FROM share_self)"):
            # By its name: it stands on the store, which opens with this.
            import_module("papertrack.store.share.taking").write_what_had_no_place(db)
        index.catch_up(db)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {wanted}")
        db.execute("COMMIT")
        if found and found < _SMALLER and not is_copy:
            # Without room for both the file stays as large as it is, and whole.
            with suppress(sqlite3.OperationalError):
                db.execute("VACUUM")
    except BaseException:
        if db.connection.in_transaction:
            db.execute("ROLLBACK")
        raise


def back_up(path: Path, *, version: int) -> Path:
    """Copy the library beside itself, check the copy, and return its path.

    Only after the new copy has passed ``integrity_check`` are copies older than the last
    BACKUPS_KEPT of the same schema version removed: a damaged library never replaces good copies.
    """
    number = 1 + max((_number(old) for old in _backups(path, version)), default=0)
    target = path.with_name(f"{path.name}.schema{version}.{number}.bak")
    partial = target.with_name(target.name + ".partial")
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(partial)) as copy:
            source.backup(copy)
            (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise StoreError(
                f"{path} is damaged ({verdict}); it was not upgraded. "
                "Restore a backup from the same folder (*.bak)."
            )
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(target)
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StoreError(
            f"No backup of {path} could be written ({reason}); it was not upgraded."
        ) from error
    finally:
        partial.unlink(missing_ok=True)
    for old in sorted(_backups(path, version), key=_number)[:-BACKUPS_KEPT]:
        old.unlink(missing_ok=True)
    return target


def _backups(path: Path, version: int) -> list[Path]:
    return list(path.parent.glob(f"{path.name}.schema{version}.*.bak"))


def _number(backup: Path) -> int:
    number = backup.name.split(".")[-2]
    return int(number) if number.isascii() and number.isdigit() else 0
