"""Commands for PDFs: ``pdf get``, ``pdf add``, ``pdf index``, and the PDF part of ``search``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.cli.network import Progress, asking
from papertrack.cli.output import is_terminal, line_width, style, wrapped
from papertrack.cli.session import FILE_PATH, Session, command, flag, option
from papertrack.errors import NotFoundError, UsageError
from papertrack.library.trust import refuse_outside
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.pdfs import IndexedPdfs, Passages
    from papertrack.store.store import Store


@command(cls=click.Group, json=False)
def pdf(session: Session) -> None:
    """Fetch PDFs, add your own, and make them searchable.

    \b
    Examples:
      papertrack pdf get 2309.06180
      papertrack pdf add ~/Downloads/*.pdf
      papertrack pdf index
    """


@command(papers="one", writes=True, within=pdf)
@flag("--refresh", help="Fetch it again, for a newer version.")
def get(session: Session, store: Store, paper_id: int, refresh: bool) -> None:
    """Fetch the PDF of a paper from arXiv, and print its path.

    It is fetched once, and kept in pdfs/ under the citation key; `papertrack open --pdf` opens it.
    Fetching changes nothing that `papertrack undo` could take back: delete the file if you like.

    \b
    Examples:
      papertrack pdf get 2309.06180
      papertrack pdf get kwon2023efficient --refresh
    """
    from papertrack.actions.online import pdf as fetching
    from papertrack.store.lookup import get_paper

    paper = get_paper(store, paper_id)
    library = session.library()
    present = None if refresh else fetching.find_pdf(store, paper_id)
    if present is not None:
        file = fetching.PaperPdf(present, 0)
    else:
        # A paper that is not on arXiv is refused here, without any network.
        arxiv_id, path = fetching.plan_pdf(paper, library.pdfs)
        refuse_outside(library, path)
        fetching.refuse_replacing(path)
        if session.dry_run:
            session.say_done(f"{arxiv_id} to fetch from arXiv.")
            file = fetching.PaperPdf(path, 0)
        else:
            with asking(session, "PDFs") as (door, _):
                file = fetching.fetch_pdf(door, paper, library.pdfs)
            bring_index_up_to_date(session, store)
    if session.as_json:
        session.print_json(file)
    else:
        click.echo(file.path)


@command(writes=True, within=pdf)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE_PATH)
@flag("--copy", "is_copying", help="Copy them into the library.")
@option("--to REF", "Copy one PDF to this paper, whatever its title.", "reference")
def add(session: Session, files: tuple[Path, ...], is_copying: bool, reference: str | None) -> None:
    """Add your own PDFs to their papers.

    A PDF is matched by its name, by the arXiv id or DOI on its first page, or by a title of your
    library on that page or in its metadata. If the library does not have the paper, it is added.
    The files stay where they are, and the library links to them.

    \b
    Examples:
      papertrack pdf add ~/Downloads/2309.06180.pdf
      papertrack pdf add papers/*.pdf --copy --dry-run
      papertrack pdf add scan.pdf --to kwon2023efficient
    """
    from papertrack.actions.migrate.imported_files import add_to_paper
    from papertrack.actions.references import resolve_reference
    from papertrack.cli.import_ import How, import_files
    from papertrack.importers.pdfs import is_pdf

    for path in files:
        if not path.exists():
            raise NotFoundError(f"There is no file {path}. Nothing was added. Check the name.")
        if not is_pdf(path):
            session.say(f"{path} is not a PDF, and was skipped.")
    files = tuple(filter(is_pdf, files))
    if not files:
        raise UsageError("Nothing was added. Name PDFs, not folders.")
    if reference is not None:
        if len(files) > 1 or is_copying:
            raise UsageError("--to takes one PDF, and copies it.")
        with session.open_store() as store:
            paper_id = resolve_reference(store, reference)
            session.present(add_to_paper(store, session.library(), paper_id, files[0]))
            bring_index_up_to_date(session, store)
        return
    import_files(session, files, taking=How((), is_copying))
    with session.open_store() as store:
        bring_index_up_to_date(session, store)


@command(within=pdf, store=True)
def index(session: Session, store: Store) -> IndexedPdfs:
    """Make new and changed PDFs searchable.

    `papertrack search` does this by itself; this command does it ahead of time. If you interrupt
    it, what was read stays. PDFs without text, such as scans, are listed.

    \b
    Examples:
      papertrack pdf index
      papertrack pdf index --json
    """
    return _indexed(session, store)


def bring_index_up_to_date(session: Session, store: Store) -> None:
    """Index the PDFs that are new or changed, if there are any."""
    from papertrack.actions.pdfs import new_pdfs

    if not session.dry_run and new_pdfs(store):
        _indexed(session, store)


def _indexed(session: Session, store: Store) -> IndexedPdfs:
    from papertrack.actions.pdfs import index_pdfs

    with Progress(session, "PDFs", "reading PDFs") as progress:
        return index_pdfs(store, progress.advance)


def search_pdfs(session: Session, phrase: str, *, limit: int) -> None:
    """Print the pages of the library's PDFs that contain a phrase. Raises NotFoundError for a
    phrase without a word."""
    from papertrack.actions.pdfs import find_passages

    with session.open_store() as store:
        bring_index_up_to_date(session, store)
        result = find_passages(store, phrase, limit=limit)
    if session.as_json:
        session.print_json(result)
        return
    for passage in result.passages:
        sentence = clean(passage.sentence)
        if not is_terminal():
            click.echo(f"{passage.citekey}\t{passage.page}\t{sentence}")
            continue
        title = style(clean(passage.title or passage.citekey), bold=True)
        lines = wrapped(sentence, line_width() - 2)
        click.echo("\n  ".join([f"{title}  {passage.citekey}, page {passage.page}", *lines]))
    session.say(_summary(result), *result.missing)


def _summary(result: Passages) -> str:
    if not result.pages:
        return (
            f"No PDF in the library contains {result.phrase!r}. `papertrack list WORDS` "
            "searches titles and abstracts, `papertrack search --arxiv WORDS` searches arXiv."
        )
    of = f"{plural(result.pages, 'page')} of {plural(result.papers, 'paper')}"
    count = len(result.passages)
    return (
        f"{of}." if count == result.pages else f"{count} of {of}; --limit {result.pages} shows all."
    )
