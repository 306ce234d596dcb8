"""``papertrack note``."""

from __future__ import annotations

import os
import sys

import click

from papertrack.cli.session import Session, changing, reference_argument


@click.command
@reference_argument()
@click.option("-p", "--print", "only_print", is_flag=True, help="Print the path; open nothing.")
@changing
def note(session: Session, reference: str, only_print: bool) -> None:
    """Write the note of a paper in your editor.

    $VISUAL, $EDITOR or vi opens the note file. One that is not there is made, with the questions of
    the pass that is due; no line of yours is ever changed. The path goes to the README's Note
    column with the next export.

    \b
    Examples:
      papertrack note 2309.06180
      papertrack note kwon2023efficient --print
    """
    from papertrack.actions.notes import index_note, prepare_note
    from papertrack.actions.programs import run_editor
    from papertrack.actions.references import resolve_reference

    library = session.library()
    with session.open_store() as store:
        paper_id = resolve_reference(store, reference)
        found = prepare_note(store, library, paper_id)
        if session.as_json:
            session.print_result(
                path=found.name, is_new=found.is_new, questions_for_pass=found.questions_for
            )
        elif only_print or session.dry_run:
            click.echo(found.path)
        else:
            run_editor(found.path, os.environ, is_terminal=sys.stdin.isatty())
        if not session.dry_run:
            index_note(store, library, found.name)
