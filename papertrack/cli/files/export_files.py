"""Writing one file from the library: BibTeX, CSL, RIS, JSON, CSV or fresh Markdown tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.actions.cite.showing import papers_to_copy
from papertrack.cli.output import print_text
from papertrack.cli.session import Session
from papertrack.library import Library
from papertrack.library.files import read_file, write_file
from papertrack.queries.parser import parse_query
from papertrack.records import Paper
from papertrack.store.categories import ordered_paths
from papertrack.store.listing import find_ids
from papertrack.store.lookup import get_papers
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.exporters.registry import Format
    from papertrack.store.store import Store


def export_file(
    session: Session,
    form: Format,
    query: str,
    output: Path | None,
    wanted: Mapping[str, object],
    *,
    diff: bool,
) -> bool:
    """Write one format; return whether its file changed, or in a dry run would.

    ``output`` of ``-`` is stdout, None the format's own place in exports/. ``wanted`` are options
    of the command, for the formats that know them. Raises UsageError when the file is the library
    itself or one that it feeds.
    """
    library = session.library()
    target = library.exports / form.file if output is None else output
    with session.open_store() as store:
        session.refuse_own_file(store, target)
        ids = find_ids(store, parse_query(query or form.selects), order="id")
        papers = _papers(session, store, form, ids)
        if form.is_document:
            folder = Path.cwd() if str(target) == "-" else target.absolute().parent
            papers = [_with_notes_from(paper, library, folder) for paper in papers]
        text = form.write(papers, **_options(session, store, form, wanted))
    if str(target) == "-":
        click.echo(text.encode("utf-8"), nl=False)
        return False
    return _write(session, target, text, plural(len(papers), "paper"), diff=diff)


def _write(session: Session, target: Path, text: str, count: str, *, diff: bool) -> bool:
    before = read_file(target).decode("utf-8", "replace") if target.exists() else ""
    if text == before and target.exists():
        session.say(f"{target}: {count}, nothing to do.")
        return False
    if diff:
        print_diff(before, text, str(target))
    if not session.dry_run:
        write_file(target, text.encode("utf-8"))
    session.say_done(f"{target}: wrote {count}.")
    return True


def _papers(session: Session, store: Store, form: Format, ids: Sequence[int]) -> list[Paper]:
    """The papers to write, their keys frozen if the format shows them and it is no dry run."""
    if session.dry_run or not form.has_citekeys:
        return get_papers(store, ids)
    shown = papers_to_copy(store, ids)
    if shown.problem is not None:
        session.warn(shown.problem)
    return list(shown.papers)


def _options(
    session: Session, store: Store, form: Format, wanted: Mapping[str, object]
) -> dict[str, object]:
    """What the writer of a format is told besides the papers."""
    known: dict[str, Callable[[], object]] = {
        "categories": lambda: [path for path, _ in ordered_paths(store)],
        "protect": lambda: session.settings().bibtex.protect,
    }
    return {name: known[name]() if name in known else wanted[name] for name in form.options}


def print_diff(before: str, after: str, name: str) -> None:
    """The change as a unified diff on stdout."""
    import difflib

    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, name
    )
    ended = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    print_text("".join(ended))


def _with_notes_from(paper: Paper, library: Library, folder: Path) -> Paper:
    """The paper with its note paths as a file in ``folder`` must write them."""
    notes = tuple(
        note if "://" in note else Path(os.path.relpath(library.root / note, folder)).as_posix()
        for note in paper.notes
    )
    return replace(paper, notes=notes)
