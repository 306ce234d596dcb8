"""``papertrack documents``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from papertrack.actions import document_settings
from papertrack.cli.output import Columns, print_json, style
from papertrack.cli.session import Session, changing
from papertrack.errors import NotFoundError, UsageError
from papertrack.store.documents import read_documents, read_entries
from papertrack.text import clean, moment_shown, plural

COLUMNS: Columns = {
    "file": "file",
    "entries": "entries",
    "in step since": lambda row: moment_shown(row["synced_at"]),
    "title": "title",
}


@click.command
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--set", "assignments", metavar="KEY=VALUE", multiple=True, help="Say how FILE does something."
)
@click.option("--unset", "unset", metavar="KEY", multiple=True, help="Go by what was learnt again.")
@click.option("--forget", is_flag=True, help="Feed FILE no longer; it and its papers stay.")
@changing
def documents(
    session: Session,
    file: Path | None,
    assignments: tuple[str, ...],
    unset: tuple[str, ...],
    forget: bool,
) -> int:
    """List the files that the library feeds, or show what was learnt about one.

    How a README writes its entries, marks passes, sorts its tables and names its columns is learnt
    from it, and followed when a row is added: for each kind of entry its pattern is shown, with
    examples of its parts, and what is not understood. What was learnt wrongly is set: entry or
    entry.HEADING (how entries are written, "- [{title}]({url}){? ({venue})?}": law for reading and
    writing, {?…?} around what an entry may lack), title, authors, venue, date (those of one entry
    as it writes them: all stand where these do), column.HEADER (title, date, paper, code, note,
    passes, rating, other, …), mark.SIGN (0 to 3: the passes that a sign stands for), checks (read,
    ignored: whether ✅ is a reading mark); mark and separator (✅ and what stands between two),
    rating (⭐), date-format (%Y/%m), order (ascending, descending, none), numbering (counting,
    constant).

    \b
    Examples:
      papertrack documents
      papertrack documents README.md
      papertrack documents README.md --set order=none --set column.Status=passes
      papertrack documents README.md --set title="Attention Is All You Need"
      papertrack documents README.md --set "entry=- [{title}]({url}), {venue}"
      papertrack documents README.md --unset order
      papertrack documents old.md --forget
    """
    changes = _changes(assignments, unset)
    if file is None:
        if changes or forget:
            raise UsageError("Name the FILE that this is about.")
        _list(session)
    elif forget:
        _forget(session, file)
    elif changes:
        return _change(session, file, changes)
    else:
        _show(session, file)
    return 0


def _changes(assignments: tuple[str, ...], unset: tuple[str, ...]) -> dict[str, str | None]:
    changes: dict[str, str | None] = dict.fromkeys(unset)
    for text in assignments:
        key, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"{text!r} is not a setting: write KEY=VALUE, such as order=none.")
        changes[key] = value
    return changes


def _list(session: Session) -> None:
    with session.open_store() as store:
        found = [
            {
                "file": document.path,
                "kind": document.kind,
                "title": document.title,
                "entries": sum(entry.is_in_file for entry in read_entries(store, document.id)),
                "synced_at": document.synced_at,
            }
            for document in read_documents(store)
        ]
    session.print_records(found, COLUMNS, flexible=3, right=(1,))


def _show(session: Session, file: Path) -> None:
    settings: Mapping[str, str] = {}
    known: Mapping[str, str] = {}
    try:
        with session.open_store() as store:
            library = session.library()
            settings, known = document_settings.what_to_read_by(store, library, file)
    except NotFoundError:
        pass  # Without a library what would be learnt is shown all the same.
    learnt = document_settings.describe_document(file, settings, known)
    if session.as_json:
        print_json(learnt)
    else:
        _print_learnt(learnt)


def _print_learnt(learnt: Mapping[str, Any]) -> None:
    if "grammar" in learnt:
        from papertrack.cli.files.grammar import print_grammar

        print_grammar(learnt["grammar"])
        click.echo(style("How it is written", bold=True))
    described = _described if "links" in learnt else _described_bib
    for name, value in described(learnt):
        if value:
            click.echo(f"{style(name.ljust(14), dim=True)} {clean(value)}")


def _described_bib(learnt: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Of a .bib file, as ``_described``."""
    yield "written for", {"bibtex": "BibTeX", "biblatex": "biblatex"}[learnt["dialect"]]
    yield "encoding", learnt["encoding"]
    yield "line ends", learnt["line_end"]
    yield "entries", str(learnt["entries"])
    if learnt["skipped"]:
        yield "not read", f"{plural(learnt['skipped'], 'piece')}; `papertrack import` lists them"
    yield "@strings", ", ".join(learnt["strings"])
    yield "groups", ", ".join(map("/".join, learnt["groups"]))


def _described(learnt: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What was learnt in words: a name and a value for each line; an empty one says nothing."""
    yield "reading marks", _marks(learnt)
    yield "rating", learnt["rating"] or ""
    yield "dates", learnt["date_format"] or ""
    orders = Counter(learnt["orders"].values())
    counts = (f"{order} in {plural(count, 'section')}" for order, count in orders.items())
    yield "sorted", ", ".join(counts)
    yield "links", _links(learnt)
    yield "bullet", learnt["bullet"] or ""
    yield "numbering", learnt["numbering"]
    yield "line ends", learnt["line_end"]
    for columns in learnt["tables"]:
        yield "table", ", ".join(f"{c['header']} ({c['role']})" for c in columns)
    for key, value in learnt["settings"].items():
        yield "set by you", f"{key}={value}"


def _links(learnt: Mapping[str, Any]) -> str:
    links = str(learnt["links"])
    if learnt["definition_block"]:
        links += f", numbered in blocks of {learnt['definition_block']}"
    if learnt["title_comments"]:
        links += ", the title in a comment above its definitions"
    return links


def _marks(learnt: Mapping[str, Any]) -> str:
    kind: str | None = learnt["reading_mark"]
    sign = learnt["reading_mark_text"]
    if sign:
        return f"{sign}, and {learnt['reading_mark_separator'].join([sign] * 3)} for three passes"
    if kind in (None, "box", "date"):
        return {"box": "[ ] and [x]", "date": "the date of reading"}.get(kind or "", "none")
    words: list[str] = learnt["reading_words"] or [kind]
    return "words: " * (kind == "word") + ", ".join(words)


def _change(session: Session, file: Path, changes: Mapping[str, str | None]) -> int:
    with session.open_store() as store:
        has_changed = document_settings.change_settings(store, session.library(), file, changes)
    if not has_changed:
        session.say(f"{file}: nothing to do.")
        return 0
    told = ", ".join(f"{key}={'' if value is None else value}" for key, value in changes.items())
    session.say_done(f"{file}: {told}.{_how_to_undo(session)}")
    if session.dry_run or not any(map(document_settings.is_about_reading, changes)):
        return 0
    from papertrack.cli.files.import_ import import_files

    reports = import_files(session, [file])  # The same text says something else from now on.
    return 5 if any(report.conflicts for report in reports) else 0


def _forget(session: Session, file: Path) -> None:
    with session.open_store() as store:
        name = document_settings.forget(store, session.library(), file)
    session.say_done(f"{name} is fed no longer.{_how_to_undo(session)}")


def _how_to_undo(session: Session) -> str:
    return "" if session.dry_run else " `papertrack undo` takes that back."
