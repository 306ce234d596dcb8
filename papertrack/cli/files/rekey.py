"""``papertrack rekey``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.cli.session import Session, changing, reference_argument, words_from_stdin
from papertrack.errors import UsageError
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.actions.cite.rekey import KeyUse, Rekeyed


@click.command
@reference_argument(many=True, required=False)
@click.option("--template", metavar="TEMPLATE", help="Instead of that in the settings.")
@click.option(
    "--in",
    "paths",
    metavar="PATH",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A .tex, .md, .typ or .bib file, or a folder: list where former keys stand.",
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
    from papertrack.actions.cite.rekey import find_key_uses, former_keys, rekey_papers, replace_keys
    from papertrack.actions.enrich.references import resolve_references

    _check_options(template, paths, follow=follow, write=write)
    with session.open_store() as store:
        words = list(words_from_stdin(references))
        ids = resolve_references(store, words) if words else None
        if follow:
            rekeyed = []
            uses = find_key_uses(paths, former_keys(store, ids))
        else:
            template = template or session.settings().citekeys.template
            rekeyed = rekey_papers(store, ids, citekey_template=template, dry_run=session.dry_run)
            uses = find_key_uses(paths, rekeyed)
    if write and not session.dry_run:
        replace_keys(uses)
    session.report(
        "\n".join(_lines(rekeyed, uses, is_written=write)) or "Nothing to do.",
        {
            "papers_changed": len(rekeyed),
            "papers": [{"citekey_before": one.before, "citekey": one.after} for one in rekeyed],
            "uses": [{**asdict(use), "file": str(use.file)} for use in uses],
        },
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
    lines += [f"{use.file}:{use.line}: {use.before} → {use.after}" for use in uses]
    if uses and not is_written:
        lines.append(f"{plural(len(uses), 'place')} to change; --write does it.")
    return lines
