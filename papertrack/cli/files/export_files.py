"""Writing one file from the library: BibTeX, CSL, RIS, JSON, CSV or fresh Markdown tables."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.cli.output import plural, print_text, say_done
from papertrack.cli.session import Session
from papertrack.errors import UsageError
from papertrack.library import Library
from papertrack.library.files import read_file, write_file
from papertrack.queries import Query, parse_query
from papertrack.records import Paper

if TYPE_CHECKING:
    from papertrack.store.store import Store

CITABLE = "is:saved (is:paper OR is:post)"
DEFAULTS = {
    "bib": ("references.bib", CITABLE),
    "csl": ("references.json", CITABLE),
    "ris": ("references.ris", CITABLE),
    "json": ("papers.json", ""),
    "csv": ("papers.csv", ""),
    "md": ("papers.md", "is:saved"),
}
"""Format → (file in exports/, what it holds when no query selects)."""


def export_file(
    session: Session,
    name: str,
    query: str,
    output: Path | None,
    *,
    dialect: str,
    style: str,
    dry_run: bool,
    diff: bool,
) -> bool:
    """Write one format; return whether the file changed, or would have.

    ``output`` of ``-`` is stdout, None the format's own place in exports/. Raises UsageError when
    it is the library itself or a file that it feeds.
    """
    library = session.library()
    file_name, everything = DEFAULTS[name]
    target = library.exports / file_name if output is None else output
    selected = parse_query(query or everything)
    with session.open_store() as store:
        refuse_document(store, library, target)
        text, count = _render(session, store, library, name, selected, target, dialect, style)
        if name in ("bib", "csl", "ris") and not dry_run:
            from papertrack.store.listing import find_ids
            from papertrack.store.papers import give_citekeys

            give_citekeys(store, find_ids(store, selected))
    if str(target) == "-":
        click.echo(text.encode("utf-8"), nl=False)
        return False
    before = read_file(target).decode("utf-8", "replace") if target.exists() else ""
    if text == before and target.exists():
        session.say(f"{target}: {plural(count, 'paper')}, nothing to do.")
        return False
    if diff:
        print_diff(before, text, str(target))
    if not dry_run:
        write_file(target, text.encode("utf-8"))
    say_done(session, f"{target}: wrote {plural(count, 'paper')}.", dry_run=dry_run)
    return True


def refuse_document(store: Store, library: Library, target: Path) -> None:
    """Raise UsageError when ``target`` is the library itself or a file that it feeds."""
    from papertrack.library.paths import path_of_name
    from papertrack.store.documents import read_documents

    if not target.exists():
        return
    for own in (library.database, library.settings_path):
        if own.exists() and own.samefile(target):
            raise UsageError(f"{target} is a part of the library itself. Name another file.")
    for document in read_documents(store):
        path = path_of_name(library, document.path)
        if path.exists() and path.samefile(target):
            raise UsageError(
                f"{target} is a document that the library feeds; -o would replace all of it. "
                "Name another file, or let `papertrack export` write what changed."
            )


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


def _render(
    session: Session,
    store: Store,
    library: Library,
    name: str,
    selected: Query,
    target: Path,
    dialect: Any,
    style: Any,
) -> tuple[str, int]:
    from papertrack.store.listing import find_ids
    from papertrack.store.lookup import get_papers

    papers = get_papers(store, find_ids(store, selected, order="id"))
    if name == "bib":
        from papertrack.exporters.bibtex import to_bibtex

        protect = session.settings().bibtex.protect
        text = to_bibtex(papers, dialect=dialect, preprint_style=style, protect=protect)
    elif name == "csl":
        from papertrack.exporters.csl import to_csl_json

        text = to_csl_json(papers)
    elif name == "ris":
        from papertrack.exporters.ris import to_ris

        text = to_ris(papers)
    elif name == "json":
        from papertrack.exporters.json import to_json

        text = to_json(papers)
    elif name == "csv":
        from papertrack.exporters.csv import to_csv

        text = to_csv(papers)
    else:
        from papertrack.exporters.markdown import to_markdown
        from papertrack.store.categories import ordered_paths

        folder = Path.cwd() if str(target) == "-" else target.absolute().parent
        paths = [path for path, _ in ordered_paths(store)]
        seen_from_there = [_with_notes_from(paper, library, folder) for paper in papers]
        text = to_markdown(seen_from_there, categories=paths)
    return text, len(papers)


def _with_notes_from(paper: Paper, library: Library, folder: Path) -> Paper:
    """The paper with its note paths as a file in ``folder`` must write them."""
    notes = tuple(
        note if "://" in note else Path(os.path.relpath(library.root / note, folder)).as_posix()
        for note in paper.notes
    )
    return replace(paper, notes=notes)
