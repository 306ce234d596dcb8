"""``papertrack cite``, also of what manuscripts cite, and ``papertrack rekey``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.actions.cite.showing import papers_to_copy
from papertrack.actions.enrich.references import resolve_references
from papertrack.cli.output import attributes, print_json
from papertrack.cli.session import (
    Session,
    changing,
    force_option,
    reference_argument,
    words_from_stdin,
)
from papertrack.errors import UsageError
from papertrack.records import Paper
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.cite.citing import CitedPapers
    from papertrack.actions.cite.rekey import KeyUse, Rekeyed
    from papertrack.exporters.bibtex import Dialect
    from papertrack.store.store import Store

_Cited = Callable[[Sequence[Paper], str | None], str]
"""Papers and a form → what to write to cite them."""
FORMS = ("latex", "pandoc", "typst", "text", "bibtex")


@click.command
@reference_argument(many=True, required=False)
@click.option("--latex", "form", flag_value="latex", help=r"\cite{kwon2023efficient}")
@click.option("--pandoc", "form", flag_value="pandoc", help="[@kwon2023efficient]")
@click.option("--typst", "form", flag_value="typst", help="@kwon2023efficient")
@click.option("--text", "form", flag_value="text", help="The whole reference as a line of text.")
@click.option("--bibtex", "form", flag_value="bibtex", help="The BibTeX entry.")
@click.option("--tex", "is_manuscript", is_flag=True, help="The arguments are manuscripts.")
@click.option("-o", "--output", metavar="FILE", help="With --tex, the .bib file; else stdout.")
@click.option("--biblatex", is_flag=True, help="With --tex, write for biblatex and biber.")
@force_option
@click.option("--watch", is_flag=True, help="With --tex and -o, write again when files change.")
@click.option("--pick", is_flag=True, help="Pick the papers in the terminal.")
@click.option("--serve", is_flag=True, help="Answer editors as Zotero with Better BibTeX does.")
@click.option("--port", default=23119, show_default=True, help="The port for --serve.")
@changing
def cite(
    session: Session,
    references: tuple[str, ...],
    form: str | None,
    is_manuscript: bool,
    output: str | None,
    biblatex: bool,
    force: bool,
    watch: bool,
    pick: bool,
    serve: bool,
    port: int,
) -> int:
    """Print what to write to cite papers, or the .bib of what a manuscript cites.

    With --pick REF is a query, or nothing, and typing narrows what it finds. --serve answers
    editors on this machine until Ctrl-C; what they want picked is picked here.

    With --tex the arguments are files: .tex with what it inputs, .aux, .bcf, Markdown, Org, Typst.
    Exactly what they cite is written; what would trouble the reference list is named with its
    line, and makes it exit 5: unknown keys with the nearest one, one work under two keys,
    preprints that were published, entries that biber would warn of, files that are not there.

    \b
    Examples:
      papertrack cite 2309.06180 2401.09670 --latex
      papertrack cite kwon2023efficient --bibtex
      papertrack cite --tex paper.tex -o references.bib
      papertrack cite --pick --pandoc
    """
    if watch and (not is_manuscript or output in (None, "-")):
        raise UsageError("--watch goes with --tex and -o FILE.")
    if is_manuscript:
        dialect: Dialect = "biblatex" if biblatex else "bibtex"
        run = _watch if watch else cite_manuscripts
        return run(session, references, output, dialect=dialect, is_forced=force)
    if output is not None or biblatex or force:
        raise UsageError("-o, --biblatex and --force go with --tex.")
    if serve:
        _serve(session, port)
    elif pick:
        _print_citations(session, _pick(session, " ".join(references)), form)
    elif references:
        with session.open_store() as store:
            ids = resolve_references(store, list(words_from_stdin(references)))
        _print_citations(session, ids, form)
    else:
        raise UsageError("Name the papers to cite, or pick them with --pick.")
    return 0


def _pick(session: Session, query: str = "") -> Sequence[int]:
    from papertrack.cli.files.picking import pick_papers

    return pick_papers(session, query)


def _serve(session: Session, port: int) -> None:
    from papertrack.cli.files.cite_server import serve

    serve(session, port, lambda: _pick(session))


def _print_citations(session: Session, ids: Sequence[int], form: str | None) -> None:
    with session.open_store() as store:
        shown = papers_to_copy(store, ids)
        cited = _citing(session, store)
        if session.as_json:
            printed = [_to_json(paper, cited) for paper in shown.papers]
        else:
            text = cited(shown.papers, form)
    if shown.problem is not None:
        session.warn(shown.problem)
    if session.as_json:
        print_json(printed)
    elif shown.papers:
        click.echo(text)
    else:
        session.say("Nothing to do.")


def _to_json(paper: Paper, cited: _Cited) -> dict[str, str]:
    forms = {form: cited([paper], form) for form in FORMS}
    return {"citekey": paper.citekey, **forms, "bibtex": f"{forms['bibtex']}\n"}


def _citing(session: Session, store: Store) -> _Cited:
    """What writes how to cite papers; without a form their keys."""
    from papertrack.actions.cite.entries import bib_entries
    from papertrack.exporters import references

    settings = session.settings().bibtex
    forms: dict[str | None, Callable[[Sequence[Paper]], str]] = {
        None: lambda papers: "\n".join(paper.citekey for paper in papers),
        "latex": lambda papers: references.cite_latex([paper.citekey for paper in papers]),
        "pandoc": lambda papers: references.cite_pandoc([paper.citekey for paper in papers]),
        "typst": lambda papers: references.cite_typst([paper.citekey for paper in papers]),
        "text": lambda papers: "\n".join(map(references.format_reference, papers)),
        "bibtex": lambda papers: bib_entries(
            store, papers, protect=settings.protect, extra=settings.fields
        ).rstrip("\n"),
    }
    return lambda papers, form: forms[form](papers)


def _watch(
    session: Session,
    names: Sequence[str],
    output: str | None,
    *,
    dialect: Dialect,
    is_forced: bool = False,
) -> int:
    """Write what the manuscripts cite whenever they or the library change, until interrupted."""
    from papertrack.actions.cite.manuscripts import files_of, read_manuscripts
    from papertrack.cli.files.cite_watch import keep_current

    commands = session.settings().manuscripts.commands
    paths = list(map(Path, names))
    # What was there before may be replaced once; what is edited while this runs may not.
    forced = iter([is_forced])

    def write() -> list[Path]:
        forces = next(forced, False)
        cite_manuscripts(session, names, output, dialect=dialect, is_forced=forces)
        return files_of(read_manuscripts(paths, commands))

    try:
        keep_current(write, [*paths, session.library().database], warn=session.warn)
    except KeyboardInterrupt:
        session.say("Ended.")
    return 0


def cite_manuscripts(
    session: Session,
    names: Sequence[str],
    output: str | None,
    *,
    dialect: Dialect,
    is_forced: bool = False,
) -> int:
    """Write what the manuscripts cite to ``output`` or stdout; 5 when something is wrong."""
    from papertrack.actions.cite.citing import cited_papers
    from papertrack.actions.cite.entries import bib_entries
    from papertrack.actions.cite.manuscripts import read_manuscripts
    from papertrack.queries.parser import parse_query
    from papertrack.store.listing import find_ids

    commands = session.settings().manuscripts.commands
    manuscripts = read_manuscripts(list(map(Path, names)), commands)
    with session.open_store() as store:
        if output not in (None, "-"):
            session.refuse_own_file(store, Path(output))
        cited = cited_papers(
            store, manuscripts, everything=find_ids(store, parse_query("is:saved"), order="id")
        )
        _say_findings(cited)
        if cited.problem is not None:
            session.warn(cited.problem)
        if session.as_json:
            session.print_result(
                papers=len(cited.papers),
                citekeys=[paper.citekey for paper in cited.papers],
                **attributes(cited, "citations", "findings"),
                file=output,
            )
        if not cited.papers:
            return _say_nothing_cited(session, names, cited, output)
        settings = session.settings().bibtex
        text = bib_entries(
            store, cited.papers, dialect=dialect, protect=settings.protect, extra=settings.fields
        )
        _put(session, store, text, output, len(cited.papers), is_forced=is_forced)
    # Which program will set the manuscript is its author's choice.
    return 5 if any(one.kind != "unprintable" for one in cited.findings) else 0


def _say_nothing_cited(
    session: Session, names: Sequence[str], cited: CitedPapers, output: str | None
) -> int:
    """An empty list would take the place of the one that is there."""
    what = "cites no paper of the library" if cited.citations else "has no citation that was found"
    where = "" if output in (None, "-") else f" {output} was left as it is."
    session.warn(f"{', '.join(names)} {what}: nothing was written.{where}")
    return 5


def _put(
    session: Session,
    store: Store,
    text: str,
    output: str | None,
    papers: int,
    *,
    is_forced: bool,
) -> None:
    from papertrack.cli.files.export import Writing

    if output not in (None, "-"):
        Writing(session, store, Path(output), is_forced).write(text, papers)
    elif not session.as_json:
        click.echo(text.encode("utf-8"), nl=False)


def _say_findings(cited: CitedPapers) -> None:
    for finding in cited.findings:
        about = " ".join(filter(None, (finding.citekey, finding.message)))
        click.echo(clean(f"{finding.file}:{finding.line}: {about}."), err=True)


@click.command
@reference_argument(many=True, required=False)
@click.option("--template", metavar="TEMPLATE", help="Instead of that in the settings.")
@click.option(
    "--in",
    "paths",
    metavar="PATH",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A manuscript, .bib file or folder: list where former keys stand.",
)
@click.option(
    "--follow", is_flag=True, help="Make no new keys; bring the files to the present ones."
)
@click.option("--write", is_flag=True, help="Write the new keys there.")
@changing
def rekey(
    session: Session,
    references: tuple[str, ...],
    template: str | None,
    paths: tuple[Path, ...],
    follow: bool,
    write: bool,
) -> None:
    """Make new citekeys; the old ones still name their papers.

    Without REF all papers get the key that the template makes. Files are only changed with
    --write; .bib files that the library feeds follow with the next export. With --follow no key is
    made: files with former keys, or with keys that undo took back, get the present ones.

    \b
    Examples:
      papertrack rekey --template "{auth}{year}{shorttitle(3)}" --dry-run
      papertrack rekey kwon2023efficient --in thesis/
      papertrack rekey --follow --in thesis/ --write
    """
    from papertrack.actions.cite import rekey as rekeying

    _check_options(template, paths, follow=follow, write=write)
    with session.open_store() as store:
        words = list(words_from_stdin(references))
        ids = resolve_references(store, words) if words else None
        if follow:
            rekeyed = []
            renamed = rekeying.former_keys(store, ids)
        else:
            store.citekey_template = template or session.citekey_template()
            rekeyed = rekeying.rekey_papers(store, ids)
            # With no new key, files may still have former ones: a run that was cut off left them.
            renamed = rekeyed or rekeying.former_keys(store, ids)
        followed = rekeying.follow_keys(paths, renamed, session.settings().manuscripts.commands)
    if write and not session.dry_run:
        rekeying.write_keys(followed)
    uses = [use for file in followed for use in file.uses]
    session.report(
        "\n".join(_lines(rekeyed, uses, is_written=write)) or "Nothing to do.",
        papers_changed=len(rekeyed),
        papers=[{"citekey_before": one.before, "citekey": one.after} for one in rekeyed],
        uses=uses,
    )


def _check_options(
    template: str | None, paths: Sequence[Path], *, follow: bool, write: bool
) -> None:
    if (write or follow) and not paths:
        option = "--write" if write else "--follow"
        raise UsageError(f"{option} goes with --in: name the files or folders to change.")
    if follow and template:
        raise UsageError("--follow makes no keys: leave out --template.")


def _lines(rekeyed: Sequence[Rekeyed], uses: Sequence[KeyUse], *, is_written: bool) -> list[str]:
    lines = [f"{one.before} is now {one.after}." for one in rekeyed]
    lines += [
        f"{use.file}:{use.line}: {use.before} → {use.after}{' (by hand)' * use.by_hand}"
        for use in uses
    ]
    if uses and not is_written:
        lines.append(f"{plural(len(uses), 'place')} to change; --write does it.")
    return lines
