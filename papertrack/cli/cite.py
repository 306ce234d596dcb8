"""``papertrack cite``, for papers and manuscripts, and ``papertrack rekey``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.actions.cite.showing import papers_to_copy
from papertrack.actions.references import resolve_reference, resolve_references
from papertrack.actions.results import shaped
from papertrack.cli.output import print_document, print_text
from papertrack.cli.session import (
    FILE_PATH,
    Session,
    command,
    flag,
    force_option,
    option,
    options,
    port_option,
    reference_argument,
    refuse_if,
    refuse_together,
    words_from_stdin,
)
from papertrack.errors import ConflictError, PapertrackError, UsageError
from papertrack.identifiers import identify
from papertrack.identifiers.citekeys import is_citekey
from papertrack.queries.parser import parse_query
from papertrack.records import Paper
from papertrack.store.listing import find_ids, read_rows
from papertrack.store.lookup import find_by_citekey, get_paper
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.cite.citing import CitedPapers, Finding
    from papertrack.actions.cite.manuscripts import Manuscript
    from papertrack.actions.cite.rekey import KeyUse, Rekeyed
    from papertrack.exporters.bibtex import Dialect
    from papertrack.store.store import Store

_CitationFormatter = Callable[[Sequence[Paper], str | None], str]
"""Formats papers as text that cites them."""
FORMS = ("latex", "pandoc", "typst", "text", "bibtex")


@command(writes=True)
@reference_argument(many=True, required=False)
@click.option("--latex", "form", flag_value="latex", help=r"\cite{kwon2023efficient}")
@click.option("--pandoc", "form", flag_value="pandoc", help="[@kwon2023efficient]")
@click.option("--typst", "form", flag_value="typst", help="@kwon2023efficient")
@click.option("--text", "form", flag_value="text", help="The whole reference as a line of text.")
@click.option("--bibtex", "form", flag_value="bibtex", help="The BibTeX entry.")
@flag("--tex", "is_manuscript", help="The arguments are manuscripts.")
@option("-o, --output FILE", "With --tex, the .bib file; else stdout.")
@flag("--biblatex", help="With --tex, write for biblatex and biber.")
@force_option
@flag("--watch", help="With --tex and -o, write again when files change.")
@flag("--pick", help="Pick the papers in the terminal.")
@flag("--serve", help="Answer editors as Zotero with Better BibTeX does.")
@port_option(23119)
def cite(
    session: Session, references: tuple[str, ...], form: str | None, output: str | None, **how: Any
) -> int:
    """Cite papers, or write the .bib of a manuscript.

    With --pick, REF is an optional query, and you narrow the list by typing. --serve answers
    editors on this machine until Ctrl-C; when they want you to pick a paper, you pick it here.

    With --tex, the arguments are files: .tex with the files that it inputs, .aux, .bcf, Markdown,
    Org or Typst. The .bib holds exactly what they cite. Problems are listed by line, and make it
    exit 5: unknown keys with the nearest one, one work under two keys, preprints that were
    published, entries that biber would warn about, missing files.

    \b
    Examples:
      papertrack cite 2309.06180 2401.09670 --latex
      papertrack cite kwon2023efficient --bibtex
      papertrack cite --tex paper.tex -o references.bib
      papertrack cite --pick --pandoc
    """
    _check_options(references, form, output, **how)
    if how["is_manuscript"]:
        dialect: Dialect = "biblatex" if how["biblatex"] else "bibtex"
        target = None if output in (None, "-") else Path(output)
        reference_list = _ReferenceList(session, tuple(map(Path, references)), target, dialect)
        if how["watch"]:
            return _watch(reference_list, how["force"])
        return reference_list.write(reference_list.read(), is_forced=how["force"])
    if how["serve"]:
        from papertrack.cli.cite_server import serve

        serve(session, how["port"], lambda: _pick(session))
    elif how["pick"]:
        _print_citations(session, _pick(session, " ".join(references)), form)
    else:
        with session.open_store() as store:
            ids = resolve_references(store, list(words_from_stdin(references)))
        _print_citations(session, ids, form)
    return 0


def _check_options(
    references: Sequence[str], form: str | None, output: str | None, **how: Any
) -> None:
    """Raise UsageError for options that would have no effect, or if no papers are named."""
    is_manuscript, pick, serve = how["is_manuscript"], how["pick"], how["serve"]
    is_named = not (is_manuscript or serve)
    refuse_if(
        {
            "Give one of --tex, --pick and --serve.": is_manuscript + pick + serve > 1,
            "--watch needs --tex and -o FILE.": how["watch"]
            and not all((is_manuscript, output not in (None, "-"))),
            "-o, --biblatex and --force need --tex.": not is_manuscript
            and any((output is not None, how["biblatex"], how["force"])),
            f"--{form} needs papers that you name or pick.": form and not is_named,
            "--serve takes no papers: they are picked when an editor asks.": serve and references,
            "Name the manuscripts.": is_manuscript and not references,
            "Name the papers to cite, or pick them with --pick.": is_named
            and not any((pick, references)),
        }
    )


def _pick(session: Session, query: str = "") -> Sequence[int]:
    """Return the ids of papers picked in the terminal, among those that match or all saved ones.

    Raises UsageError without a terminal.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("--pick needs a terminal. In a pipe, name the papers.")
    with session.open_store() as store:
        rows = read_rows(store, find_ids(store, parse_query(query or "is:saved"), order="citekey"))
    # Textual takes longer to import than all other commands, so it is imported last.
    from papertrack.tui.picker import pick

    return pick(rows)


@dataclass(frozen=True, slots=True)
class Citation:
    """The text that cites a paper."""

    citekey: str
    latex: str
    pandoc: str
    typst: str
    text: str
    bibtex: str


@dataclass(frozen=True, slots=True)
class Cited:
    """The papers that manuscripts cite (``cite --tex``)."""

    papers: int
    citekeys: list[str]
    citations: int
    findings: Sequence[Finding]
    file: str | None


def _print_citations(session: Session, ids: Sequence[int], form: str | None) -> None:
    with session.open_store() as store:
        result = papers_to_copy(store, ids)
        format_papers = _citation_formatter(session, store)
        if session.as_json:
            citations = [_citation(paper, format_papers) for paper in result.papers]
        else:
            text = format_papers(result.papers, form)
    if result.problem is not None:
        session.warn(result.problem)
    if session.as_json:
        session.print_json(citations)
    elif result.papers:
        print_text(f"{text}\n")
    else:
        session.say("Nothing to do.")


def _citation(paper: Paper, format_papers: _CitationFormatter) -> Citation:
    forms = {form: format_papers([paper], form) for form in FORMS}
    return Citation(paper.citekey, **forms | {"bibtex": f"{forms['bibtex']}\n"})


def _citation_formatter(session: Session, store: Store) -> _CitationFormatter:
    """Return the function that formats citations, by default as citation keys."""
    from papertrack.actions.cite.citing import bib_entries
    from papertrack.exporters import citations

    settings = session.settings(only="bibtex").bibtex
    forms: dict[str | None, Callable[[Sequence[Paper]], str]] = {
        None: lambda papers: "\n".join(paper.citekey for paper in papers),
        "latex": lambda papers: citations.cite_latex([paper.citekey for paper in papers]),
        "pandoc": lambda papers: citations.cite_pandoc([paper.citekey for paper in papers]),
        "typst": lambda papers: citations.cite_typst([paper.citekey for paper in papers]),
        "text": lambda papers: "\n".join(map(citations.format_reference, papers)),
        "bibtex": lambda papers: bib_entries(
            store, papers, protect=settings.protect, extra=settings.fields
        ).rstrip("\n"),
    }
    return lambda papers, form: forms[form](papers)


@dataclass(frozen=True, slots=True)
class _ReferenceList:
    """The .bib file with what manuscripts cite."""

    session: Session
    paths: tuple[Path, ...]
    """The manuscripts."""
    target: Path | None
    """The file to write; None for stdout."""
    dialect: Dialect

    def write(self, manuscripts: Sequence[Manuscript], *, is_forced: bool) -> int:
        """Write the entries that these manuscripts cite; return 5 if there are problems."""
        from papertrack.actions.cite.citing import cited_papers

        session = self.session
        with session.open_store() as store:
            if self.target is not None:
                session.refuse_own_file(store, self.target)
            saved = partial(find_ids, store, parse_query("is:saved"), order="id")
            citations = cited_papers(store, manuscripts, everything=saved)
            self._print_findings(citations)
            if not citations.papers:
                return self._say_nothing_cited(citations)
            self._write_entries(store, citations.papers, is_forced=is_forced)
        # Authors choose the LaTeX program, so signs that it cannot print do not count.
        return 5 if any(finding.kind != "unprintable" for finding in citations.findings) else 0

    def read(self) -> list[Manuscript]:
        """Read the manuscripts, with the files that they include."""
        from papertrack.actions.cite.manuscripts import read_manuscripts

        return read_manuscripts(
            self.paths, self.session.settings(only="manuscripts").manuscripts.commands
        )

    def _print_findings(self, citations: CitedPapers) -> None:
        for finding in citations.findings:
            about = " ".join(filter(None, (finding.citekey, finding.message)))
            click.echo(clean(f"{finding.file}:{finding.line}: {about}."), err=True)
        if citations.problem is not None:
            self.session.warn(citations.problem)
        if self.session.as_json:
            keys = [paper.citekey for paper in citations.papers]
            file = None if self.target is None else str(self.target)
            self.session.print_json(
                shaped(Cited, citations, papers=len(keys), citekeys=keys, file=file)
            )

    def _say_nothing_cited(self, citations: CitedPapers) -> int:
        """Refuse to replace an existing list by an empty one."""
        problem = "has no citation that papertrack recognises"
        if citations.citations:
            problem = "cites no paper of the library"
        where = "" if self.target is None else f" {self.target} was left as it is."
        names = ", ".join(map(str, self.paths))
        self.session.warn(f"{names} {problem}: nothing was written.{where}")
        return 5

    def _write_entries(self, store: Store, papers: Sequence[Paper], *, is_forced: bool) -> None:
        from papertrack.actions.cite.citing import bib_entries
        from papertrack.cli.export import Writing

        settings = self.session.settings(only="bibtex").bibtex
        text = bib_entries(
            store, papers, dialect=self.dialect, protect=settings.protect, extra=settings.fields
        )
        if self.target is not None:
            Writing(self.session, store, self.target, is_forced).write(text, len(papers))
        elif not self.session.as_json:
            print_document(text.encode())


def _watch(reference_list: _ReferenceList, is_forced: bool) -> int:
    """Write the list now and whenever the manuscripts or the library change, until interrupted."""
    from papertrack.actions.cite.manuscripts import files_of

    session = reference_list.session
    more = [*reference_list.paths, session.library().database]
    files, last_error = list(more), ""
    old_states: dict[Path, tuple[int, int] | None] = {}
    try:
        while True:
            states = {path: _stamp(path) for path in files}
            if states != old_states:
                try:
                    manuscripts = reference_list.read()
                    reference_list.write(manuscripts, is_forced=is_forced)
                    files, last_error = [*more, *files_of(manuscripts)], ""
                except PapertrackError as error:
                    if str(error) != last_error:
                        session.warn(str(error))
                    last_error = str(error)
                is_forced = False  # It replaces the existing file once, but no later edits of it.
                # What was just written is no change.
                old_states = {path: _stamp(path) for path in files}
            time.sleep(_SECONDS)
    except KeyboardInterrupt:
        session.say("Ended.")
    return 0


_SECONDS = 1.0
"""Seconds between two checks of the files, short enough for a save before the next LaTeX run."""


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return a value that changes with the file; None if the file does not exist."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size


@command(writes=True, store=True)
@reference_argument(many=True, required=False)
@option("--template TEMPLATE", "A template instead of the one in the settings.")
@options(
    "--in PATH", "List former keys in a manuscript, .bib file or folder.", "paths", type=FILE_PATH
)
@flag("--follow", help="Make no new keys; replace former keys in the files.")
@flag("--write", help="Write the new keys into the files.")
def rekey(
    session: Session,
    store: Store,
    references: tuple[str, ...],
    template: str | None,
    paths: tuple[Path, ...],
    follow: bool,
    write: bool,
) -> Rekey:
    """Make new citation keys; the old ones still work.

    Without REF, all papers get the key that the template makes. OLD NEW gives one paper the key
    NEW. The next export changes registered .bib files; --in FILE --write changes other files.
    --follow makes no keys, but replaces former keys, and keys that you undid, in the files.

    \b
    Examples:
      papertrack rekey --template "{auth}{year}{shorttitle(3)}" --dry-run
      papertrack rekey kwon2023efficient --in thesis/
      papertrack rekey kwon2023efficient kwon:paged
      papertrack rekey --follow --in thesis/ --write
    """
    from papertrack.actions.cite import rekey as rekeying

    if (write or follow) and not paths:
        raise UsageError("--write and --follow need --in: name the files or folders to change.")
    refuse_together(follow=follow, template=template)
    words = list(words_from_stdin(references))
    new_key = _new_key(store, words) if not (follow or template) else None
    ids = resolve_references(store, words[:1] if new_key else words) if words else None
    rekeyed = []
    if new_key and ids:
        rekeyed = rekeying.rename_key(store, ids[0], new_key)
    elif not follow:
        if template:
            store.read_citekey_template = lambda: template
        rekeyed = rekeying.regenerate_keys(store, ids)
    # Without new keys, an interrupted run may have left former keys in files.
    renamed = rekeyed or rekeying.former_keys(store, ids)
    followed = rekeying.update_files(
        paths, renamed, session.settings(only="manuscripts").manuscripts.commands
    )
    if write and not session.dry_run:
        rekeying.write_keys(followed)
    uses = [use for file in followed for use in file.uses]
    return Rekey(len(rekeyed), rekeyed, uses, write)


@dataclass(frozen=True, slots=True)
class Rekey:
    """The result of `rekey`, and where former keys are used."""

    papers_changed: int
    papers: list[Rekeyed]
    uses: list[KeyUse]
    is_written: bool

    def sentences(self) -> Iterator[str]:
        yield from (f"{paper.citekey_before} is now {paper.citekey}." for paper in self.papers)
        for use in self.uses:
            by_hand = " (by hand)" * use.by_hand
            yield f"{use.file}:{use.line}: {use.before} → {use.after}{by_hand}"
        if self.uses and not self.is_written:
            yield f"{plural(len(self.uses), 'place')} to change: add --write."


def _new_key(store: Store, words: Sequence[str]) -> str | None:
    """Return the second of two words, if it is a new key for the first.

    Raises ConflictError for another paper's former key.
    """
    if len(words) != 2 or not is_citekey(words[1]) or words[1].isdigit() or identify(words[1]):
        return None
    owner = find_by_citekey(store, words[1])
    if owner in (None, resolve_reference(store, words[0])):
        return words[1]
    if owner and words[1] in get_paper(store, owner).citekey_aliases:
        raise ConflictError(f"{words[1]} is a former key of another paper; choose another one.")
    return None
