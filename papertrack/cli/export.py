"""``papertrack export``: update the registered documents, or write other files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeVar

import click

from papertrack.actions.cite.showing import each_to_copy
from papertrack.cli import deciding
from papertrack.cli.network import slowly
from papertrack.cli.output import print_document, print_text
from papertrack.cli.session import (
    Session,
    choice_option,
    command,
    flag,
    force_option,
    option,
    options,
    refuse_if,
)
from papertrack.differences import unified_diff
from papertrack.errors import NotFoundError, UsageError
from papertrack.exporters.registry import FORMATS, PRIVATE, Format, format_of_file
from papertrack.exporters.table import FORMS
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.queries.parser import parse_query
from papertrack.records import Paper
from papertrack.store.categories import ordered_paths
from papertrack.store.documents import read_documents
from papertrack.store.listing import ORDERS, find_ids
from papertrack.store.lookup import each_paper
from papertrack.store.versions import has_originals
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.actions.documents import Conflict, DocumentExport
    from papertrack.actions.table import Table
    from papertrack.errors import PapertrackError
    from papertrack.store.documents import DocumentKind
    from papertrack.store.store import Store


WITHOUT_A_FORMAT = ("md", "bib")
"""The formats that are written by default."""

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def format_options(command: Decorated) -> Decorated:
    """Add an option for each format of the registry."""
    for form in reversed(FORMATS):
        command = flag(f"--{form.name}", help=form.help)(command)
    return command


@command(writes=True, json=False)
@click.argument("words", metavar="[QUERY|FILE...]", nargs=-1)
@format_options
@option("-o, --output FILE", "Where to write one format; - is stdout.")
@flag("--biblatex", help="Write --bib for biblatex and biber.")
@choice_option(
    "--style", of=("misc", "article"), default="misc", help="The BibTeX type of a preprint."
)
@flag(
    "--groups",
    "has_groups",
    help="With --bib -o: add tags, categories and files for JabRef and Zotero.",
)
@option("--site DIR", "A web page with search, in a folder of its own.")
@option("--title", "With --site: its title; by default the library's folder name.")
@option("--address URL", "With --site: where it will be published.")
@options(
    "--with",
    "With --site: show this too, which is private by default; may be repeated.",
    "shows",
    type=click.Choice(PRIVATE),
)
@force_option
@flag("--check", help="Write nothing; exit 5 if anything would change.")
@flag("--diff", help="Show what would change, and write nothing.")
@deciding.prefer_option
@deciding.interactive_option
def export(
    session: Session,
    /,
    words: tuple[str, ...],
    output: str | None,
    biblatex: bool,
    style: str,
    has_groups: bool,
    site: str | None,
    title: str | None,
    address: str | None,
    shows: tuple[str, ...],
    force: bool,
    check: bool,
    diff: bool,
    prefer: Any,
    interactive: bool,
    **flags: bool,
) -> int:
    """Write READMEs, BibTeX and other formats.

    Without a format it updates the registered READMEs and .bib files, and exports/references.bib.
    In your files only what changed in the library changes; all other bytes stay.

    --md takes FILEs, the other formats a QUERY for the papers. By default, JSON and CSV have all
    papers, new Markdown tables all saved ones, and reference lists the saved papers and posts; the
    query `is:saved` adds projects and resources to these. --bib also takes registered .bib FILEs; a
    QUERY after them selects papers to add. Exits 5 on conflicts, and with --check when anything
    would change.

    \b
    Examples:
      papertrack export
      papertrack export --md --diff
      papertrack export --md -o exports/papers.md
      papertrack export --bib category:Serving -o serving.bib
      papertrack export --bib main.bib tag:thesis --diff
      papertrack export --json -o - | jq length
      papertrack export --site docs category:Serving --title "Serving LLMs"
    """
    if site is not None:
        others = (output, biblatex, has_groups, diff, prefer, interactive, *flags.values())
        session = session._replace(dry_run=session.dry_run or check)
        is_changed = _export_site(session, Path(site), words, others, title, address, shows)
        return 5 if check and is_changed else 0
    formats = _named_formats(flags, words, output, site_options=(title, address, *shows))
    session = session._replace(dry_run=session.dry_run or check or diff)
    decider = deciding.decider(prefer=prefer, interactive=interactive)
    run = ExportRun(session, decider, diff, is_forced=force)
    if has_groups and (output is None or [form.name for form in formats] != ["bib"]):
        raise UsageError("--groups needs --bib -o FILE: your own .bib files keep their groups.")
    dialect = "biblatex" if biblatex else "bibtex"
    settings = {"dialect": dialect, "preprint_style": style, "has_groups": has_groups}
    for form in formats or [form for form in FORMATS if form.name in WITHOUT_A_FORMAT]:
        if form.name == "md" and output is None:
            export_registered(run, list(map(Path, words)), is_asked=bool(formats))
        else:
            _export_format(run, form, words, output, settings)
    session.raise_last(run.failures)
    return 5 if run.has_conflicts or (check and run.has_changes) else 0


_SITE_VERBS = {False: ("wrote", "removed"), True: ("would write", "remove")}


def _export_site(
    session: Session,
    folder: Path,
    words: Sequence[str],
    other_options: Iterable[object],
    title: str | None,
    address: str | None,
    shows: Sequence[str],
) -> bool:
    """Write a site and print what changed; return whether anything did, or would."""
    # Imported here because no other format needs templates.
    from papertrack.actions.site import make_pages, papers_of_site, write_site
    from papertrack.exporters.digest import http_address

    if any(other_options):
        raise UsageError("--site takes no format, no -o and no --diff: it has its own files.")
    if address is not None:
        # A name and password would be published; links cannot follow a "?" or "#".
        if http_address(address) is None or set(address) & set("?#@"):
            raise UsageError("--address takes the site's address: https://you.github.io/papers/")
        address = f"{address.rstrip('/')}/"
    library = session.library()
    with session.open_store() as store, slowly(session, "making pages"):
        ids = papers_of_site(store, parse_query(" ".join(words)))
        if words and not ids:
            raise NotFoundError(
                f"No saved paper matches {' '.join(words)!r}: nothing was written. "
                "`papertrack list QUERY` shows what a query finds."
            )
        if not session.dry_run:
            each_to_copy(store, ids)  # Permalinks contain citation keys, so these are frozen.
        pages = make_pages(store, library, ids, title=title, address=address, shows=shows)
        result = write_site(library, folder, pages, len(ids), is_trial=session.dry_run)
    summary = f"{folder}: {plural(result.papers, 'paper')}"
    if not (result.written or result.removed):
        session.say(f"{summary}, nothing to do.")
        return False
    wrote, removes = _SITE_VERBS[session.dry_run]
    removed = f", {removes} {len(result.removed)}" * bool(result.removed)
    session.say_done(f"{summary}, {wrote} {plural(len(result.written), 'file')}{removed}.")
    return True


def _named_formats(
    flags: dict[str, bool], words: Sequence[str], output: str | None, site_options: Iterable[object]
) -> list[Format]:
    """Return the requested formats, by option or by the suffix of the one file to write."""
    if any(site_options):
        raise UsageError("--title, --address and --with need --site DIR.")
    formats = [form for form in FORMATS if flags[form.name.replace("-", "_")]]
    if output is not None and not formats and (by_suffix := format_of_file(output)):
        formats = [by_suffix]
    is_single, is_file = len(formats) == 1, output is not None
    refuse_if(
        {
            "-o takes one format: add one of --md, --bib, --json, --csv, …": (
                is_file and not is_single
            ),
            "A FILE or QUERY takes one format: add one of --md, --bib, …": words and not is_single,
            "A .bib file is changed in its place: leave out -o, or the file.": (
                is_file and any(map(_is_bib_file, words))
            ),
        }
    )
    return formats


def _export_format(
    run: ExportRun,
    form: Format,
    words: Sequence[str],
    output: str | None,
    settings: Mapping[str, object],
) -> None:
    """Write the single file of a format, and for BibTeX also the imported files."""
    is_bib = form.name == "bib"
    files = list(filter(_is_bib_file, words)) if is_bib else []
    query = " ".join(word for word in words if word not in files)
    if is_bib and output is None and (files or not query):
        export_bib_files(run, list(map(Path, files)), query)
    if not files:
        run.has_changes |= _export_file(run, form, query, output, settings)


def _is_bib_file(word: str) -> bool:
    return word.lower().endswith(".bib")


@dataclass(slots=True)
class ExportRun:
    """One run over documents and files: how conflicts are decided, and the results so far."""

    session: Session
    decides: deciding.Decider
    diff: bool
    reported: Sequence[Conflict] = ()
    """Conflicts that were already reported."""
    failures: list[PapertrackError] = field(default_factory=list)
    """Errors of documents that could not be exported; the others still are."""
    has_changes: bool = False
    has_conflicts: bool = False
    is_forced: bool = False
    """Whether to replace files that papertrack did not write."""
    is_sync: bool = False
    """Whether the import before it has said of each file that there is nothing to do."""


def export_registered(
    run: ExportRun, paths: Sequence[Path], *, is_asked: bool = False
) -> list[DocumentExport]:
    """Export to the registered READMEs, or to those at ``paths``; report each, except with JSON.

    It reports that no README is registered if ``is_asked``, or if there is no .bib file either.
    """
    with run.session.open_store() as store:
        exports = _decided(run, store, "markdown", paths=paths)
        is_missing = not exports and (is_asked or not read_documents(store))
    if is_missing:
        run.session.say("No README is registered; `papertrack import README.md` registers one.")
    return _report(run, exports)


def export_bib_files(
    run: ExportRun, paths: Sequence[Path], query: str = ""
) -> list[DocumentExport]:
    """Do the same as ``export_registered`` for .bib files, and add papers that match ``query``."""
    with run.session.open_store() as store:
        bibtex = run.session.settings(only="bibtex").bibtex
        new_ids = _matching(run.session, store, query, order="citekey") if query else ()
        options: dict[str, Any] = {"protect": bibtex.protect, "extra": bibtex.fields}
        exports = _decided(run, store, "bibtex", paths=paths, added=new_ids, **options)
    return _report(run, exports)


def _matching(session: Session, store: Store, query: str, *, order: str) -> list[int]:
    """Return the matching papers, after a message if there are none."""
    ids = find_ids(store, parse_query(query), order=order)
    if not ids:
        session.say(f"No paper matches {query}.")
    return ids


def _decided(
    run: ExportRun, store: Store, kind: DocumentKind, **options: Any
) -> list[DocumentExport]:
    """Export with the user's decisions; a dry run finds the questions first."""
    # Imported here because other exports do not need the reader of documents.
    from papertrack.actions import documents

    shown_slowly = slowly(run.session, "comparing papers and entries")
    export = partial(
        shown_slowly(documents.export_registered), store, run.session.library(), kind, **options
    )
    with store.trial():
        trial_exports = export() if run.decides.is_asking else []
    return export(prefer=run.decides.prefers(deciding.conflicts_of(trial_exports)))


def _report(run: ExportRun, exports: list[DocumentExport]) -> list[DocumentExport]:
    if not run.session.as_json:
        for export in exports:
            if export.error is None:
                _print_result(run, export)
        conflicts = deciding.new_ones(deciding.conflicts_of(exports), run.reported)
        deciding.say_how_to_decide(run.session, conflicts)
    run.failures += [export.error for export in exports if export.error is not None]
    run.has_changes |= any(export.has_changes for export in exports)
    run.has_conflicts |= bool(deciding.conflicts_of(exports))
    return exports


def _print_result(run: ExportRun, export: DocumentExport) -> None:
    if run.diff:
        print_text(export.diff)
    run.session.say(*(f"{export.file}: {text}" for text in (*export.refused, *export.not_kept)))
    deciding.say_conflicts(deciding.new_ones(export.conflicts, run.reported))
    if export.has_changes:
        run.session.say_done(f"{export.file}: {_lines_changed(export)}.")
    elif not run.is_sync:
        run.session.say(f"{export.file}: nothing to do.")


def _lines_changed(export: DocumentExport) -> str:
    added, removed = export.lines_added, export.lines_removed
    if added == removed:
        return f"{plural(added, 'line')} changed"
    parts = ((added, "added"), (removed, "removed"))
    return ", ".join(f"{plural(count, 'line')} {verb}" for count, verb in parts if count)


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """What was, or in a dry run would be, written to a document."""

    file: str
    lines_added: int
    lines_removed: int
    diff: str | None
    refused: tuple[str, ...]
    is_written: bool


def _export_file(
    run: ExportRun, form: Format, query: str, output: str | None, settings: Mapping[str, object]
) -> bool:
    """Write one format; return whether its file changed, or in a dry run would.

    An ``output`` of ``-`` is stdout, None the format's own place in exports/. ``settings`` are
    options of the command, for formats that support them. Raises UsageError if the file is part of
    the library or a registered document.
    """
    session, library = run.session, run.session.library()
    target = library.exports / form.file if output is None else Path(output)
    with session.open_store() as store:
        session.refuse_own_file(store, target)
        if query:
            ids = _matching(session, store, query, order="id")
        else:
            ids = find_ids(store, parse_query(form.selects), order="id")
        papers = _papers(session, store, form, ids)
        if form.is_document:
            folder = Path.cwd() if str(target) == "-" else target.absolute().parent
            papers = (_with_notes_from(paper, library, folder) for paper in papers)
        if has_originals(store) or settings["has_groups"]:
            papers = list(papers)  # They are iterated more than once.
        all_options = {**settings, "is_whole": not query, "ids": ids}
        text = form.write(papers, **_options(session, store, form, papers, all_options))
        if str(target) == "-":
            print_document(text.encode())
            return False
        writer = Writing(session, store, target, run.is_forced, run.diff)
        return writer.write(text, len(ids))


@dataclass(frozen=True, slots=True)
class Writing:
    """A file that is written as a whole."""

    session: Session
    store: Store
    target: Path
    is_forced: bool = False
    diff: bool = False

    def write(self, text: str, papers: int) -> bool:
        """Write the output for this many papers; return whether the file changed."""
        session, target = self.session, self.target
        count = plural(papers, "paper")
        old_data = read_file(target) if target.exists() else None
        data = text.encode("utf-8")
        if old_data == data:
            session.say(f"{target}: {count}, nothing to do.")
            return False
        if self.diff:
            old_text = (old_data or b"").decode("utf-8", "replace")
            print_text(unified_diff(old_text, text, str(target), str(target)))
        session.write_output(self.store, target, data, is_forced=self.is_forced)
        session.say_done(f"{target}: wrote {count}.")
        return True


def _papers(session: Session, store: Store, form: Format, ids: Sequence[int]) -> Iterable[Paper]:
    """Return the papers to write, each of which is read when it is needed.

    Citation keys are frozen if the format shows them, except in a dry run.
    """
    if session.dry_run or not form.has_citekeys:
        return each_paper(store, ids)
    papers, problem = each_to_copy(store, ids)
    if problem is not None:
        session.warn(problem)
    return papers


def _options(
    session: Session,
    store: Store,
    form: Format,
    papers: Iterable[Paper],
    settings: Mapping[str, Any],
) -> dict[str, object]:
    """Return the arguments of a format's writer besides the papers."""
    from papertrack.store import whole

    values: dict[str, Callable[[], object]] = {
        "categories": lambda: [path for path, _ in ordered_paths(store)],
        "own": lambda: _own_entries(session, store, papers),
        "details": lambda: whole.read_details(store, settings["ids"]),
        "holdings": lambda: whole.read_holdings(store) if settings["is_whole"] else None,
        "protect": lambda: session.settings(only="bibtex").bibtex.protect,
        "extra": lambda: session.settings(only="bibtex").bibtex.fields,
        "files": lambda: _files(store, papers) if settings["has_groups"] else None,
    }
    return {name: values[name]() if name in values else settings[name] for name in form.options}


def _files(store: Store, papers: Iterable[Paper]) -> object:
    from papertrack.store.pdfs import present_pdfs

    files_by_paper: dict[int, tuple[str, ...]] = {}
    for file in present_pdfs(store, [paper.id for paper in papers]):
        files_by_paper[file.paper_id] = (*files_by_paper.get(file.paper_id, ()), str(file.path))
    return files_by_paper


def _own_entries(session: Session, store: Store, papers: Iterable[Paper]) -> object:
    if not has_originals(store):
        return {}
    # Imported here because it is only needed for imported .bib files.
    from papertrack.actions.cite.citing import own_entries

    return own_entries(store, papers, protect=session.settings(only="bibtex").bibtex.protect)


def _with_notes_from(paper: Paper, library: Library, folder: Path) -> Paper:
    """Return the paper with its note paths relative to ``folder``."""
    notes = tuple(
        note if "://" in note else Path(os.path.relpath(library.root / note, folder)).as_posix()
        for note in paper.notes
    )
    return paper._replace(notes=notes)


_FORMS = {".md": "md", ".csv": "csv", ".tex": "latex"}
"""The form of a table for each file suffix."""


@command(store=True, writes=True)
@click.argument("query", nargs=-1)
@option("-c, --columns NAME,…", "What to show of each paper.", default="")
@option("-s, --sort", "Sort by this.", "order", type=click.Choice(sorted(ORDERS)))
@choice_option("--format", "form", of=(*FORMS, "readme"), help="Default: by the name of FILE.")
@option("-o, --output FILE", "Where to write it.", default="-")
@force_option
def table(
    session: Session,
    store: Store,
    query: tuple[str, ...],
    columns: str,
    order: str | None,
    form: str | None,
    output: str,
    force: bool,
) -> Table | None:
    """Compare papers in a table, as Markdown, CSV or LaTeX.

    A column is a field (key, title, authors, year, date, venue, link, category, tags, rating, pass,
    or a column of `export --csv`), something that you recorded with a pass (read, minutes,
    takeaway; takeaway2 for the second pass), or a heading of your notes, such as one of the five
    Cs, with the text below it. note:NAME also works for a heading that no note has yet.

    --format readme prints the table between two markers. Paste it into a registered README, and
    each export updates it.

    \b
    Examples:
      papertrack table 'category:Serving pass:>1' --columns title,year,contribution,takeaway
      papertrack table tag:thesis -c key,venue,clarity -o related.tex
      papertrack table category:Serving -c title,year,pass --format readme >> README.md
    """
    from papertrack.actions.table import make_table

    result = make_table(store, session.library(), " ".join(query), columns, order or "")
    form = form or ("md" if output == "-" else _FORMS.get(PurePath(output).suffix.lower()))
    if form is None:
        raise UsageError(
            f"{output} ends in none of {', '.join(_FORMS)}. Name a file that does, or --format."
        )
    text = result.text(form)
    if output != "-":
        Writing(session, store, Path(output), force).write(text, len(result.rows))
    elif not session.as_json:
        print_document(text.encode())
    return result if session.as_json else None
