"""Commands to look at papers: ``list``, ``show``, ``open``, ``note``, ``stats``, ``log`` and
``tui``.

This module imports no heavy library.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.actions.programs import own_command, run, run_editor, run_on
from papertrack.actions.reading import Statistics, read_statistics
from papertrack.actions.references import resolve_reference
from papertrack.category_paths import format_path
from papertrack.cli.output import (
    Columns,
    coloured_state,
    is_terminal,
    line_width,
    month_shown,
    print_json_lines,
    print_papers,
    print_table,
    print_text,
    shown_query,
    state_word,
    style,
    warnings,
    wrapped,
)
from papertrack.cli.session import (
    FILE_PATH,
    Session,
    choice_option,
    command,
    flag,
    force_option,
    limit_option,
    option,
    port_option,
    reference_argument,
    refuse_if,
)
from papertrack.errors import NotFoundError, PapertrackError, UsageError
from papertrack.library import Library
from papertrack.records import Paper, PaperFacts, Reading
from papertrack.store import listing
from papertrack.store.lookup import documents_of, each_paper, find_by_citekey, get_paper
from papertrack.store.pdfs import has_index, known_pdfs, present_pdfs
from papertrack.store.suggestions import read_suggestions
from papertrack.store.versions import get_originals
from papertrack.text import clean, moment_shown, plural, truncate

if TYPE_CHECKING:
    from papertrack.actions.highlights import NotedHighlights
    from papertrack.actions.online.suggestions import ShownSuggestion
    from papertrack.store.store import Store


OF_PDFS = ("text:", "cites:", "cited-by:", "cited_by:")
"""Query fields that need the PDFs to be indexed first."""


@command("list", store=True)
@click.argument("query", nargs=-1)
@choice_option(
    "-s", "--sort", "order", of=sorted(listing.ORDERS), default="added", help="Sort by this."
)
@flag("-r", "--reverse", "is_reversed", help="Reverse the order.")
@limit_option("At most N papers.", metavar="N")
@flag("--all", "with_discarded", help="Include discarded papers.")
def list_(
    session: Session, store: Store, query: tuple[str, ...], with_discarded: bool, **how: Any
) -> None:
    """List papers.

    A QUERY is made of words, "phrases", fields, AND, OR and NOT. Discarded papers are listed with
    --all, or when the query asks for a decision. In a pipe, tabs separate the columns and there is
    no header.

    \b
    Examples:
      papertrack list
      papertrack list 'category:Serving pass:<2'
      papertrack list 'title:"speculative decoding" year:2024-' --sort submitted
      papertrack list cites:kwon2023efficient
      papertrack list is:inbox --json
    """
    full_query = shown_query(" ".join(query), with_discarded=with_discarded)
    asks_pdfs = any(field in " ".join(query).lower() for field in OF_PDFS)
    if asks_pdfs:
        from papertrack.cli.pdf import bring_index_up_to_date

        bring_index_up_to_date(session, store)
    if session.as_json:
        papers = each_paper(store, listing.find_ids(store, full_query, **how))
        print_json_lines(map(_ranked(store), papers))
        return
    count = print_papers(listing.each_paper(store, query=full_query, **how))
    if is_terminal():
        number = len(listing.find_ids(store, full_query)) if count == how["limit"] else count
        session.say(f"{count} of " * (count < number) + plural(number, "paper"))
    if asks_pdfs or (not count and listing.find_ids(store, limit=1)):
        from papertrack.store.search import unknown_names

        session.say(*unknown_names(store, full_query))
    elif not count:
        session.say(
            "The library has no papers yet: `papertrack import README.md` imports a list, "
            "`papertrack add 2309.06180` adds a paper."
        )


def _ranked(store: Store) -> Callable[[Paper], dict[str, object]]:
    """Return a function that converts a paper with its rank to JSON values."""
    from papertrack.exporters.json import ranked_to_json, ranks_to_json
    from papertrack.store.watch.ranks import read_ranks, topics_of_ranked

    ranks = ranks_to_json(read_ranks(store).values(), topics_of_ranked(store))
    return lambda paper: ranked_to_json(paper, ranks.get(paper.id))


@command(papers="one")
@flag("--raw", help="Print its entries in .bib files, word for word.")
def show(session: Session, store: Store, paper_id: int, raw: bool) -> None:
    """Show everything about one paper.

    \b
    Examples:
      papertrack show 2309.06180
      papertrack show kwon2023efficient --json
      papertrack show 'Efficient Memory Management'
      papertrack show kwon2023efficient --raw
    """
    paper = get_paper(store, paper_id)
    if raw:
        _show_originals(session, store, paper)
        return
    files = _files_of(store, session.library(), paper)
    _say_missing(session, store, paper_id)
    if session.as_json:
        session.print_json({**_ranked(store)(paper), "files": list(map(str, files))})
        return
    suggestions: list[ShownSuggestion] = []
    if read_suggestions(store, paper_id=paper_id):
        # Most papers have none, and need no further import.
        from papertrack.actions.online.suggestions import open_suggestions

        suggestions = open_suggestions(store, paper_id)
    other_title = any(suggestion.field == "title" for suggestion in suggestions)
    print_paper(
        paper,
        documents_of(store, paper.id),
        files,
        citations=_citations_of(store, paper.id),
        has_other_title=other_title and paper.passes_done > 0,
    )
    if suggestions:
        count = plural(len(suggestions), "suggestion")
        session.say(f"{count}: `papertrack suggestions {paper.citekey}`.")


def _say_missing(session: Session, store: Store, paper_id: int) -> None:
    """Say which linked PDFs of a paper are no longer there."""
    if any(not file.mark for file in known_pdfs(store, [paper_id])):
        from papertrack.actions.pdfs import missing_sentences

        session.say(*missing_sentences(store, known_pdfs(store, [paper_id])))


def _citations_of(store: Store, paper_id: int) -> list[tuple[str, str]]:
    """Return a line for each paper that this one cites, or that cites it."""
    if not has_index(store):
        return []  # Most libraries have no index.
    from papertrack.actions.pdfs import citations_of

    width = min(line_width(), 100) - 14
    return [
        (name, truncate(f"{row.citekey}  {row.title or ''}", width))
        for name, rows in zip(("cites", "cited by"), citations_of(store, paper_id), strict=True)
        for row in rows
    ]


def _show_originals(session: Session, store: Store, paper: Paper) -> None:
    originals = {
        source: text
        for source, text in get_originals(store, paper.id).items()
        if not source.startswith("highlights:")
    }
    if session.as_json:
        session.print_json(originals)
        return
    if not originals:
        session.say(f"No imported .bib file has {paper.citekey}.")
    for source, text in originals.items():
        session.say(f"{source}:")
        print_text(text.rstrip("\n") + "\n")


def _files_of(store: Store, library: Library, paper: Paper) -> list[Path]:
    """Return the files of a paper in the library: its PDF, and others imported with it."""
    if not library.pdfs.is_dir():
        return []  # Most libraries have no such files.
    from papertrack.identifiers.citekeys import file_stem

    stems = {escape(file_stem(key)) for key in (paper.citekey, *paper.citekey_aliases)}
    names = [f"{stem}{end}" for stem in stems for end in (".*", "-*")]
    found = {path for name in names for path in library.pdfs.glob(name) if path.is_file()}
    return sorted(p for p in found if find_by_citekey(store, p.stem) in (None, paper.id))


def print_paper(
    paper: Paper,
    documents: list[str],
    files: Sequence[Path],
    *,
    citations: Sequence[tuple[str, str]],
    has_other_title: bool,
) -> None:
    """Print one paper as text: title, state, facts, links, readings, abstract."""
    facts = paper.facts
    width = min(line_width(), 100)
    _wrap(style(clean(facts.title or "(title not known yet)"), bold=True), width)
    if facts.authors:
        _wrap(", ".join(clean(author.name) for author in facts.authors), width)
    version_read = max((reading.version or 0 for reading in paper.readings), default=None)
    for warning in warnings(
        facts.is_withdrawn, facts.version, version_read, has_other_title=has_other_title
    ):
        click.echo(style(f"! {warning}", fg="yellow"))
    click.echo()
    _print_line("state", _state(paper))
    for name, value in (*_lines(paper, documents, files), *citations):
        _print_line(name, clean(value))
    for text in filter(None, (facts.description, facts.abstract)):
        click.echo()
        _wrap(clean(text), width)


def _state(paper: Paper) -> str:
    word = state_word(paper.decision, paper.passes_done)
    state = coloured_state(word)
    if paper.decision not in (word, "saved"):
        state += f", {paper.decision}"
    return f"{state} ({clean(paper.decision_reason)})" if paper.decision_reason else state


def _print_line(name: str, value: str) -> None:
    if value:
        click.echo(f"  {style(clean(name).ljust(11), dim=True)} {value}")


def _lines(paper: Paper, documents: list[str], files: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield names and values of what is known about a paper; values may be empty."""
    facts = paper.facts
    yield "key", paper.citekey
    yield "former keys", ", ".join(paper.citekey_aliases)
    yield "kind", "" if facts.kind == "paper" else facts.kind
    yield "rating", "★" * paper.rating + "☆" * (5 - paper.rating) if paper.rating else ""
    yield "snoozed", f"until {paper.snoozed_until}" if paper.snoozed_until else ""
    yield from _where_published(facts)
    yield from (("category", format_path(path)) for path in paper.categories)
    yield "tags", ", ".join(paper.tags)
    yield from ((link.role, link.url) for link in facts.links)
    yield from (("note", path) for path in paper.notes)
    yield from (("file", str(path)) for path in files)
    yield from ((f"pass {r.pass_number}", _reading_text(r)) for r in paper.readings)
    yield from (("document", path) for path in documents)
    yield "added", paper.added[:10]


def _where_published(facts: PaperFacts) -> Iterator[tuple[str, str]]:
    """Yield a paper's identifiers, date and publication."""
    arxiv_id = facts.identifier("arxiv")
    if arxiv_id:
        version = f"v{facts.version}" if facts.version else ""
        yield "arXiv", " ".join([arxiv_id + version, *facts.arxiv_categories])
    yield from ((i.scheme, i.value) for i in facts.identifiers if i.scheme in ("doi", "acl"))
    month = month_shown(facts.submitted, arxiv_id)
    yield "date", month
    if facts.venue:
        yield "venue", f"{facts.venue} {facts.year or ''}"
    elif facts.year and not month:
        yield "year", str(facts.year)


def _reading_text(reading: Reading) -> str:
    """Return when a pass was done, its minutes, the version read, and the takeaway."""
    parts = [
        (reading.at or "")[:10],
        f"{reading.minutes} min" if reading.minutes else "",
        f"v{reading.version}" if reading.version else "",
        reading.takeaway or "",
    ]
    return "  ".join(filter(None, parts)) or "done"


def _wrap(text: str, width: int) -> None:
    click.echo("\n".join(wrapped(text, width)))


@command("open", papers="one", json=False)
@click.option("--pdf", "what", flag_value="pdf", help="Open its PDF, from pdfs/ or from arXiv.")
@click.option("--code", "what", flag_value="code", help="Open its repository.")
@click.option("--note", "what", flag_value="note", help="Open its note in your editor.")
@option("--page N", "Open its PDF at this page.", type=click.IntRange(1))
@flag("-p", "--print", "only_print", help="Print the address or path only.")
def open_(
    session: Session,
    store: Store,
    paper_id: int,
    what: str | None,
    page: int | None,
    only_print: bool,
) -> None:
    """Open a paper in the browser, or its PDF, code or note.

    Only http and https addresses are opened. Opening a paper never marks it as read. Highlights
    that you make in the PDF go into the note when the viewer ends.

    \b
    Examples:
      papertrack open 2309.06180
      papertrack open kwon2023efficient --pdf
      papertrack open kwon2023efficient --page 7
      papertrack open kwon2023efficient --code --print
    """
    if page is not None and what not in (None, "pdf"):
        raise UsageError(f"--page and --{what} cannot be combined: pages are of PDFs.")
    what = what if page is None else "pdf"
    _say_missing(session, store, paper_id)
    target = _target(store, session.library(), get_paper(store, paper_id), what)
    if page is not None and isinstance(target, str):
        target = f"{target}#page={page}"  # Browsers go to that page (RFC 8118, section 3).
    if only_print:
        click.echo(target)
    elif what == "note" and isinstance(target, Path):
        run_editor(target, os.environ, is_terminal=sys.stdin.isatty())
    elif isinstance(target, Path):
        before = _marks(store, paper_id)
        _open_file(session, target, page)
        _note_new_highlights(session, store, paper_id, before)
    else:
        _browse(session, target)


def _target(store: Store, library: Library, paper: Paper, what: str | None) -> Path | str:
    """Return the requested file or URL. Raises NotFoundError."""
    if what == "note":
        return _note_of(store, library, paper)
    from papertrack.identifiers.derived import address_of

    linked = next((link.url for link in paper.facts.links if link.role == what), None)
    if what == "pdf":
        from papertrack.actions.online.pdf import find_pdf

        target = find_pdf(store, paper.id) or linked or _pdf_at_arxiv(paper.facts)
    else:
        target = linked if what else address_of(paper)
    if target is None:
        kind = {"pdf": "PDF", None: "address"}.get(what, what)
        raise NotFoundError(f"No {kind} of {paper.citekey} is known.")
    return target


def _note_of(store: Store, library: Library, paper: Paper) -> Path | str:
    from papertrack.actions.notes import get_note_path

    if not paper.notes:
        raise NotFoundError(
            f"{paper.citekey} has no note. `papertrack note {paper.citekey}` makes one."
        )
    name = paper.notes[0]
    return name if "://" in name else get_note_path(store, library, name)


def _pdf_at_arxiv(facts: PaperFacts) -> str | None:
    from papertrack.identifiers import arxiv_pdf_url

    arxiv_id = facts.identifier("arxiv")
    return arxiv_pdf_url(arxiv_id, facts.version) if arxiv_id else None


def _browse(session: Session, address: str) -> None:
    # Addresses may come from anyone, so only web addresses are opened.
    if not address.startswith(("https://", "http://")):
        raise PapertrackError(f"{address} is not a web address, so it is not opened.")
    import webbrowser

    session.say(address)
    if not webbrowser.open(address):
        raise PapertrackError("No browser could be started; the address is printed above.")


def _open_file(session: Session, path: Path, page: int | None) -> None:
    viewer = session.settings().pdf_viewer
    if page is not None and "{page}" not in (viewer or ""):
        session.say(
            f"Go to page {page}. To open it there, name a viewer and its option for pages: "
            "`papertrack config pdf_viewer 'evince --page-index={page}'`."
        )
    if viewer:
        run_on(path, viewer.replace("{page}", str(page or 1)))
    elif sys.platform == "win32":
        os.startfile(path)
    else:
        try:
            run(["open" if sys.platform == "darwin" else "xdg-open", str(path)])
        except PapertrackError as error:
            raise PapertrackError(
                f"{error} Name a program that can show it: `papertrack config pdf_viewer evince`."
            ) from error


def _marks(store: Store, paper_id: int) -> list[str]:
    """Return a value that changes when the paper's PDFs change."""
    return [file.mark for file in present_pdfs(store, [paper_id])]


def _note_new_highlights(session: Session, store: Store, paper_id: int, before: list[str]) -> None:
    """Put new highlights into the note. If the viewer does not wait, this happens when the paper
    is opened again."""
    from papertrack.actions.highlights import has_highlights

    if before == _marks(store, paper_id) and not has_highlights(store, paper_id):
        return
    try:
        found = _note_highlights(session, store, paper_id)
        session.say(*(found.sentences() if found.diff else ()))
    except PapertrackError as error:
        session.warn(str(error))


def _note_highlights(
    session: Session, store: Store, paper_id: int, *, with_deleted: bool = False
) -> NotedHighlights:
    from papertrack.actions.highlights import note_highlights

    meanings = asdict(session.settings(only="highlights").highlights)
    library = session.library()
    return note_highlights(store, library, paper_id, meanings, with_deleted=with_deleted)


@command(papers="one", writes=True)
@flag("-p", "--print", "only_print", help="Print the path; do not open it.")
@flag("--highlights", help="Copy the highlights of its PDF into the note.")
@flag("--all", "with_deleted", help="With --highlights: also those whose quotes you deleted.")
def note(
    session: Session,
    store: Store,
    paper_id: int,
    only_print: bool,
    highlights: bool,
    with_deleted: bool,
) -> NotedHighlights | None:
    """Write the note of a paper in your editor.

    The note opens in $VISUAL, $EDITOR or vi. A new note starts with the questions of the next pass;
    your own lines are never changed. The next export puts its path into the README's Note column.

    --highlights copies the highlights and comments of the PDF into the note, with their pages and
    colours; `papertrack config highlights.yellow contribution` gives a colour a meaning. Run it
    again after you highlight more: it changes no quote that you edited, and brings back those that
    you deleted only with --all.

    \b
    Examples:
      papertrack note 2309.06180
      papertrack note kwon2023efficient --print
      papertrack note kwon2023efficient --highlights --dry-run
    """
    refuse_if({"--all needs --highlights.": with_deleted and not highlights})
    if highlights:
        result = _note_highlights(session, store, paper_id, with_deleted=with_deleted)
        if session.dry_run and not session.as_json:
            print_text(result.diff or "")
        return result
    from papertrack.actions.notes import Note, index_note, prepare_note

    library = session.library()
    note_file = prepare_note(store, library, paper_id)
    if session.as_json:
        session.print_json(Note(note_file.name, note_file.is_new, note_file.questions_for))
    elif only_print or session.dry_run:
        click.echo(note_file.path)
    else:
        run_editor(note_file.path, os.environ, is_terminal=sys.stdin.isatty())
    if not session.dry_run:
        index_note(store, library, note_file.name)
    return None


BAR_WIDTH = 20
MARKS = ("█", "▓", "▒", "░")
"""Headers of the columns, from the third pass down to none."""


@command(store=True, writes=True)
@option(
    "--graph FILE", "Draw who cites whom to FILE.svg, or to FILE.dot for Graphviz.", type=FILE_PATH
)
@force_option
def stats(session: Session, store: Store, graph: Path | None, force: bool) -> None:
    """Show reading progress by category and month.

    With --graph it draws which of your papers cite which, according to their PDFs.

    \b
    Examples:
      papertrack stats
      papertrack stats --json
      papertrack stats --graph citations.svg
    """
    if graph is not None:
        _draw_graph(session, store, graph, is_forced=force)
    elif session.as_json:
        session.print_json(read_statistics(store))
    else:
        _print_statistics(read_statistics(store))


def _draw_graph(session: Session, store: Store, path: Path, *, is_forced: bool) -> None:
    from papertrack.actions.pdfs import DrawnCitations, citation_graph
    from papertrack.cli.pdf import bring_index_up_to_date
    from papertrack.exporters.graph import to_dot, to_svg

    writer = {".svg": to_svg, ".dot": to_dot}.get(path.suffix.lower())
    if writer is None:
        raise UsageError(
            f"{path} ends in neither .svg nor .dot. Name a file that ends in one of them."
        )
    bring_index_up_to_date(session, store)
    papers, citations = citation_graph(store)
    text = writer(papers, citations)
    session.write_output(store, path, text.encode(), is_forced=is_forced)
    session.present(DrawnCitations(str(path), len(papers), len(citations)))


def _print_statistics(found: Statistics) -> None:
    passes = found.passes
    click.echo(
        f"{found.papers} papers: {passes.unread} unread, {passes.first} after the first pass, "
        f"{passes.second} after the second, {passes.third} after the third; "
        f"{found.inbox} in the inbox, {found.discarded} discarded."
    )
    click.echo()
    most = max((row.papers for row in found.by_category), default=0)
    rows = [
        (
            row.category or "(no category)",
            *map(str, (row.papers, row.unread, row.first, row.second, row.third)),
            "".join(
                mark * round(BAR_WIDTH * count / most)
                for mark, count in zip(
                    MARKS, (row.third, row.second, row.first, row.unread), strict=True
                )
            ),
        )
        for row in found.by_category
    ]
    categories = ("category", "papers", "unread", "1st", "2nd", "3rd", "")
    print_table(categories, rows, flexible=0, right=(1, 2, 3, 4, 5), spare=(6,))
    if found.by_month:
        click.echo()
        by_month = []
        for month in found.by_month:
            numbers = (month.first, month.second, month.third, month.minutes or "")
            by_month.append((month.month or "undated", *map(str, numbers)))
        months = ("month", "1st", "2nd", "3rd", "minutes")
        print_table(months, by_month, flexible=0, right=(1, 2, 3, 4))


@command(store=True)
@reference_argument(required=False)
@limit_option("At most N actions.", metavar="N", default=20, show_default=True)
def log(session: Session, store: Store, reference: str | None, limit: int) -> None:
    """Show what was done, newest first.

    With REF, only what was done to that paper. `papertrack undo` takes the number in the first
    column. In a shared library, what others did is listed as `share`.

    \b
    Examples:
      papertrack log
      papertrack log 2309.06180
    """
    from papertrack.store import journal

    paper_id = None if reference is None else resolve_reference(store, reference)
    actions = journal.read_log(store, paper_id=paper_id, limit=limit)
    session.print_rows(actions, _LOG_COLUMNS, flexible=3, right=(0,))


_LOG_COLUMNS: Columns = {
    "action": "id",
    "when": lambda action: moment_shown(action.at),
    "what": lambda one: one.verb if one.state == "done" else f"{one.verb} ({one.state})",
    "to what": "about",
}


@command(json=False)
@click.argument("query", nargs=-1)
@flag("--serve", help="Serve the terminal UI to a browser on this machine.")
@port_option(8000)
@option(
    "--expose ADDRESS",
    "Serve on other addresses than this machine's own, without encryption: anyone who gets "
    "the printed address, or reads the traffic, can read and change the library.",
)
def tui(
    session: Session, query: tuple[str, ...], serve: bool, port: int, expose: str | None
) -> int:
    """Open the terminal UI, as `papertrack` alone does.

    With a QUERY it starts with all papers that match. Press ? in it for the keys.

    \b
    Examples:
      papertrack
      papertrack tui
      papertrack tui author:dao pass:0
      papertrack tui --serve
    """
    # Textual takes longer to import than all other commands, so it is imported last.
    if serve or expose:
        from papertrack.cli.cite_server import owner_of
        from papertrack.tui import app

        command = own_command("--library", str(session.library().root), "tui", *query)
        host, is_exposed = expose or "127.0.0.1", expose is not None
        app.serve(command, host=host, port=port, owner_of=owner_of, is_exposed=is_exposed)
        return 0
    # In a browser, a pipe takes the place of the terminal.
    is_served = os.environ.get("TEXTUAL_DRIVER", "").endswith("WebDriver")
    if not is_served and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "The terminal UI needs a terminal. In a pipe, use `papertrack list` and the other "
            "commands."
        )
    if not is_served and os.environ.get("TERM", "dumb") in ("dumb", ""):
        raise UsageError(
            "The terminal UI needs a terminal that can place text, and this one cannot "
            "(TERM=dumb). Use `papertrack list is:inbox`, `queue`, `save`, `discard` and `pass` "
            "instead."
        )
    library = _library(session)
    from papertrack.tui import app

    if library is None:
        return app.first_run(Path.cwd(), now=session.now, environ=os.environ)
    return app.run(library, now=session.now, environ=os.environ, query=" ".join(query))


def _library(session: Session) -> Library | None:
    """Return the library, or None if there is none and none was named."""
    is_named = session.chosen is not None or os.environ.get("PAPERTRACK_LIBRARY")
    return session.library() if is_named else session.library_if_any()
