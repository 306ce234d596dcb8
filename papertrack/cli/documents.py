"""``papertrack documents``."""

from __future__ import annotations

from pathlib import Path

import click

from papertrack.cli.options import dry_run_option, json_option
from papertrack.cli.output import print_json, print_table, style
from papertrack.cli.session import Session, pass_session
from papertrack.errors import NotFoundError
from papertrack.text import clean


@click.command
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--forget", is_flag=True, help="Feed FILE no longer; it and its papers stay.")
@dry_run_option
@json_option
@pass_session
def documents(
    session: Session, file: Path | None, forget: bool, dry_run: bool, as_json: bool
) -> None:
    """List the READMEs that the library feeds, or show what was learnt about one.

    How a README marks passes, writes links, sorts its tables and names its columns is learnt from
    it, and followed when a row is added.

    \b
    Examples:
      papertrack documents
      papertrack documents README.md
      papertrack documents old.md --forget
    """
    if file is None:
        _list(session, as_json)
    elif forget:
        _forget(session, file, dry_run)
    else:
        _show(session, file, as_json)


def _list(session: Session, as_json: bool) -> None:
    from papertrack.store.documents import read_documents, read_entries

    with session.open_store() as store:
        found = [
            {
                "file": document.path,
                "kind": document.kind,
                "title": document.title,
                "entries": sum(bool(entry.text) for entry in read_entries(store, document.id)),
                "synced_at": document.synced_at,
            }
            for document in read_documents(store)
        ]
    if as_json:
        print_json(found)
        return
    rows = [
        (
            str(row["file"]),
            str(row["entries"]),
            str(row["synced_at"])[:16].replace("T", " "),
            str(row["title"] or ""),
        )
        for row in found
    ]
    print_table(("file", "entries", "in step since", "title"), rows, flexible=3, right=(1,))


def _show(session: Session, file: Path, as_json: bool) -> None:
    from papertrack.actions.document_files import read_document

    learnt = read_document(file).document.style.to_dict()
    if as_json:
        print_json(learnt)
        return
    for name, value in learnt.items():
        if value not in (None, [], {}):
            click.echo(f"{style(name.replace('_', ' ').ljust(18), dim=True)} {_shown(value)}")


def _shown(value: object) -> str:
    if isinstance(value, dict) and value.keys() == {"header", "role"}:
        return f"{clean(str(value['header']))} ({value['role']})"
    if isinstance(value, dict):
        return clean(", ".join(f"{name}: {text}" for name, text in value.items()))
    if isinstance(value, list):
        return clean(", ".join(map(_shown, value)))
    return clean(str(value))


def _forget(session: Session, file: Path, dry_run: bool) -> None:
    from papertrack.actions.paths import name_of_file
    from papertrack.store.documents import find_document, forget_document

    name = name_of_file(session.library(), file)
    with session.open_store() as store:
        document = find_document(store, name)
        if document is None:
            raise NotFoundError(
                f"{file} is no document of this library. `papertrack documents` lists them."
            )
        with store.action("documents", f"forget {name}", dry_run=dry_run):
            forget_document(store, document.id)
    start = "Dry run, nothing changed: " if dry_run else ""
    session.say(f"{start}{name} is fed no longer. `papertrack undo` takes that back.")
