"""Long jobs that run in the background: import, export, watch, enrich."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papertrack.errors import PapertrackError
from papertrack.store.store import Store
from papertrack.text import plural
from papertrack.tui.session import Job, Progress, Session
from papertrack.tui.system import named_file

if TYPE_CHECKING:
    from papertrack.actions.online.network import Door


def _import(session: Session, store: Store, answer: str, progress: Progress) -> str:
    from papertrack.actions.documents import import_file

    path = named_file(answer)
    progress.tell(path.name)
    report = import_file(store, session.library, path)
    text = (
        f"{report.file}: {plural(report.papers_new, 'new paper')}, {report.papers_changed} changed"
    )
    if report.conflicts:
        text += f", {plural(len(report.conflicts), 'conflict')}: `papertrack import` shows more"
    if report.skipped:
        pieces = plural(len(report.skipped), "piece")
        text += f", {pieces} not understood: `papertrack import` lists them"
    return f"{text}."


def _export_documents(session: Session, store: Store, answer: str, progress: Progress) -> str:
    from papertrack.actions.documents import export_registered

    protect = session.settings.bibtex.protect
    exports = export_registered(store, session.library, "markdown")
    progress.tell("BibTeX")
    exports += export_registered(
        store, session.library, "bibtex", protect=protect, extra=session.settings.bibtex.fields
    )
    if not exports:
        return "There is no document to export to: import a README or a .bib file first."
    failed = [str(export.error) for export in exports if export.error is not None]
    if failed:
        raise PapertrackError(" ".join(failed))
    written = [export.file for export in exports if export.is_written]
    conflicts = sum(len(export.conflicts) for export in exports)
    text = f"Wrote {', '.join(written)}" if written else "Nothing to do: all files are up to date"
    if conflicts:
        text += f"; {plural(conflicts, 'conflict')}: `papertrack export` shows more"
    return f"{text}."


def _export_bibtex(session: Session, store: Store, answer: str, progress: Progress) -> str:
    from papertrack.actions.cite.citing import own_entries
    from papertrack.actions.cite.showing import papers_to_copy
    from papertrack.actions.outputs import write_output
    from papertrack.exporters.registry import format_of_file
    from papertrack.queries.parser import parse_query
    from papertrack.store.listing import find_ids

    target = session.library.exports / "references.bib"
    form = format_of_file(target.name)
    assert form is not None
    ids = find_ids(store, parse_query(form.selects))
    progress.tell(plural(len(ids), "paper"))
    result = papers_to_copy(store, ids)
    protect = session.settings.bibtex.protect
    own = own_entries(store, result.papers, protect=protect)
    extra = session.settings.bibtex.fields
    text = form.write(result.papers, own=own, protect=protect, extra=extra)
    write_output(store, session.library, target, text.encode())
    return " ".join(filter(None, (f"{target}: wrote {plural(len(ids), 'paper')}.", result.problem)))


def _watch(session: Session, store: Store, answer: str, progress: Progress) -> str:
    from papertrack.actions.watch.match import WatchPlan
    from papertrack.actions.watch.run import run_watch
    from papertrack.actions.watch.topics import check_categories

    settings = session.settings
    categories = check_categories(settings.watch.arxiv_categories)
    plan = WatchPlan(categories, settings.watch.keep_days, settings.ranking.outside)
    report = run_watch(
        store,
        _open_door(session, progress),
        session.library,
        plan,
        on_look=lambda category, done, total: progress.tell(f"{category}, {done + 1} of {total}"),
    )
    if report is None:
        return "Another watch of this library is running."
    text = f"{plural(report.papers_new, 'new paper')} in the inbox."
    if report.exit_code:
        advice = "What was found is kept; R tries again."
        raise PapertrackError(" ".join((text, *report.notes, advice)))
    states = {look.state for look in report.categories}
    if states == {"nothing-announced"}:
        return "Nothing is announced today."
    return text


def _enrich(session: Session, store: Store, answer: str, progress: Progress) -> str:
    from papertrack.actions.online.enrich import enrich_papers, lock_enrichment, select_papers

    changed = 0
    with lock_enrichment(session.library, lambda: progress.tell("waiting for another run")):
        selection = select_papers(store, ())
        if not selection.to_ask:
            return "Nothing to do: every paper with an id has been looked up."
        door = _open_door(session, progress)
        for answered in enrich_papers(store, door, selection.to_ask):
            changed += sum(bool(paper.changed) for paper in answered.papers)
            progress.tell(f"{answered.done} of {len(selection.to_ask)}")
    return f"{plural(changed, 'paper')} completed."


def _fetch_pdf(session: Session, store: Store, answer: str, progress: Progress) -> str:
    from papertrack.actions.online.pdf import fetch_pdf, find_pdf, plan_pdf
    from papertrack.actions.pdfs import index_pdfs
    from papertrack.actions.references import resolve_reference
    from papertrack.library.trust import refuse_outside
    from papertrack.store.lookup import get_paper

    paper = get_paper(store, resolve_reference(store, answer))
    folder = session.library.pdfs
    existing = find_pdf(store, paper.id)
    if existing is not None:
        return f"The PDF is there: {existing}"
    _, path = plan_pdf(paper, folder)
    refuse_outside(session.library, path)
    progress.tell(paper.citekey)
    fetched = fetch_pdf(_open_door(session, progress), paper, folder)
    index_pdfs(store)  # So that the filter finds the text of the PDF.
    return f"Fetched {fetched.path}"


def _index_pdfs(session: Session, store: Store, answer: str, progress: Progress) -> str:
    from papertrack.actions.pdfs import index_pdfs

    report = index_pdfs(store, lambda done, total: progress.tell(f"{done + 1} of {total}"))
    return " ".join(report.sentences())


def _open_door(session: Session, progress: Progress) -> Door:
    from papertrack.actions.online.network import open_door

    return open_door(
        session.library,
        session.settings.arxiv,
        clock=session.now,
        on_wait=lambda seconds, why: progress.tell(f"waits {seconds:.0f} s: {why}"),
    )


WATCH = Job("watch", "Look for new announcements in your topics", None, _watch)
IMPORT = Job("import", "Import a README or a .bib file", "Its name", _import)
PDF = Job("pdf", "Fetch the PDF of a paper", "Its citekey, id or title", _fetch_pdf)
INDEX = Job("index", "Make new PDFs searchable", None, _index_pdfs)
JOBS = (
    WATCH,
    Job("enrich", "Complete papers from arXiv", None, _enrich),
    IMPORT,
    PDF,
    INDEX,
    Job("export", "Export to the registered READMEs and .bib files", None, _export_documents),
    Job("export-bib", "Export BibTeX to exports/references.bib", None, _export_bibtex),
)
