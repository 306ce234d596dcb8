"""``papertrack open``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.cli.session import Session, pass_session, reference_argument
from papertrack.errors import NotFoundError, PapertrackError
from papertrack.records import Paper

if TYPE_CHECKING:
    from papertrack.library import Library
    from papertrack.store.store import Store


@click.command("open")
@reference_argument()
@click.option("--pdf", "what", flag_value="pdf", help="Its PDF: the one in pdfs/, or arXiv's.")
@click.option("--code", "what", flag_value="code", help="Its repository.")
@click.option("--note", "what", flag_value="note", help="Its note, in your editor.")
@click.option("-p", "--print", "only_print", is_flag=True, help="Print the address or path only.")
@pass_session
def open_(session: Session, reference: str, what: str | None, only_print: bool) -> None:
    """Open a paper in the browser, or its PDF, code or note.

    Only http and https addresses are opened. Opening a paper never marks it as read.

    \b
    Examples:
      papertrack open 2309.06180
      papertrack open kwon2023efficient --pdf
      papertrack open kwon2023efficient --code --print
    """
    from papertrack.actions.programs import run_editor
    from papertrack.actions.references import resolve_reference
    from papertrack.store.lookup import get_paper

    library = session.library()
    with session.open_store() as store:
        paper = get_paper(store, resolve_reference(store, reference))
        target = _target(store, library, paper, what)
    if only_print:
        click.echo(target)
    elif what == "note" and isinstance(target, Path):
        run_editor(target, os.environ, is_terminal=sys.stdin.isatty())
    elif isinstance(target, Path):
        _open_file(session, target)
    else:
        _browse(session, target)


def _target(store: Store, library: Library, paper: Paper, what: str | None) -> Path | str:
    """The file or address that is asked for."""
    if what == "note":
        return _note_of(store, library, paper)
    if what == "pdf":
        return _pdf_of(paper, library)
    return _address_of(paper, what)


def _note_of(store: Store, library: Library, paper: Paper) -> Path | str:
    from papertrack.actions.notes import get_note_path

    if not paper.notes:
        raise NotFoundError(
            f"{paper.citekey} has no note. `papertrack note {paper.citekey}` makes one."
        )
    name = paper.notes[0]
    return name if "://" in name else get_note_path(store, library, name)


def _pdf_of(paper: Paper, library: Library) -> Path | str:
    from papertrack.actions.online.pdf import find_pdf

    fetched = find_pdf(paper, library)
    if fetched is not None:
        return fetched
    for link in paper.facts.links:
        if link.role == "pdf":
            return link.url
    arxiv_id = paper.facts.identifier("arxiv")
    if arxiv_id is None:
        raise NotFoundError(f"No PDF of {paper.citekey} is known.")
    from papertrack.identifiers import arxiv_pdf_url

    return arxiv_pdf_url(arxiv_id, paper.facts.version)


def _address_of(paper: Paper, role: str | None) -> str:
    from papertrack.identifiers.derived import address_of

    if role is None:
        address = address_of(paper)
    else:
        address = next((link.url for link in paper.facts.links if link.role == role), None)
    if address is None:
        raise NotFoundError(f"No {role or 'address'} of {paper.citekey} is known.")
    return address


def _browse(session: Session, address: str) -> None:
    # Addresses come from strangers: nothing but the web is ever opened.
    if not address.startswith(("https://", "http://")):
        raise PapertrackError(f"{address} is not a web address, so it is not opened.")
    import webbrowser

    session.say(address)
    if not webbrowser.open(address):
        raise PapertrackError("No browser could be started; the address is printed above.")


def _open_file(session: Session, path: Path) -> None:
    from papertrack.actions.programs import run, run_on

    viewer = session.settings().pdf_viewer
    if viewer:
        run_on(path, viewer)
    elif sys.platform == "win32":
        os.startfile(path)
    else:
        try:
            run(["open" if sys.platform == "darwin" else "xdg-open", str(path)])
        except PapertrackError as error:
            raise PapertrackError(
                f"{error} Name a program that can show it: `papertrack config pdf_viewer evince`."
            ) from error
