"""Long work in the background: what there is, how it is run, and how it is cancelled.

A job has a thread and a store of its own, so that no key waits for it. Fetching from arXiv and the
nightly watch belong in ``JOBS`` as well, as soon as their actions are there.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from papertrack.errors import PapertrackError
from papertrack.store.store import Store
from papertrack.tui.session import Session

_CHECK_EVERY = 10_000
"""SQLite's instructions between two looks at whether the job was cancelled."""


class Cancelled(PapertrackError):
    """The reader has cancelled the job. What it was doing was undone."""


@dataclass(frozen=True, slots=True)
class Job:
    """One thing that runs in the background."""

    name: str
    label: str
    """What the palette calls it."""
    asks_for: str | None
    """What the reader is asked before it starts, or None."""
    run: Callable[[Session, Store, str], str]
    """Does it with the answer and returns what came of it, as a sentence."""


def run_job(job: Job, session: Session, answer: str, cancelled: threading.Event) -> str:
    """Run a job to its end. Raises Cancelled when ``cancelled`` is set meanwhile."""
    with session.open_store() as store:
        store.connection.set_progress_handler(cancelled.is_set, _CHECK_EVERY)
        try:
            return job.run(session, store, answer)
        except sqlite3.OperationalError as error:
            if cancelled.is_set():
                raise Cancelled(f"{job.label} was cancelled; nothing was changed.") from error
            raise


def _import_readme(session: Session, store: Store, answer: str) -> str:
    from papertrack.actions.import_markdown import import_document

    report = import_document(
        store,
        session.library,
        Path(answer).expanduser(),
        citekey_template=session.settings.citekeys.template,
    )
    text = f"{report.file}: {report.papers_new} new papers, {report.papers_changed} changed"
    if report.conflicts:
        text += f", {len(report.conflicts)} conflicts: `papertrack import` shows them"
    if report.skipped:
        text += f", {len(report.skipped)} pieces not understood: `papertrack import` lists them"
    return f"{text}."


def _export_bibtex(session: Session, store: Store, answer: str) -> str:
    from papertrack.exporters.bibtex import to_bibtex
    from papertrack.library.files import write_file
    from papertrack.queries import parse_query
    from papertrack.store.listing import find_ids
    from papertrack.store.lookup import get_papers
    from papertrack.store.papers import give_citekeys

    ids = find_ids(store, parse_query("is:saved (is:paper OR is:post)"))
    give_citekeys(store, ids)
    target = session.library.exports / "references.bib"
    text = to_bibtex(get_papers(store, ids), protect=session.settings.bibtex.protect)
    write_file(target, text.encode())
    return f"{target}: wrote {len(ids)} papers."


JOBS = (
    Job("import", "Import a README", "Markdown file to import", _import_readme),
    Job("export-bib", "Export BibTeX to exports/references.bib", None, _export_bibtex),
)
