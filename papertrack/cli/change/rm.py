"""``papertrack rm`` and ``papertrack merge``."""

from __future__ import annotations

import click

from papertrack.actions.enrich.references import resolve_reference, resolve_references
from papertrack.actions.organise import merge_two_papers, remove_papers
from papertrack.cli.session import Session, changing, reference_argument, words_from_stdin
from papertrack.store.lookup import citekey_of


@click.command
@reference_argument(many=True)
@changing
def rm(session: Session, references: tuple[str, ...]) -> None:
    """Take papers out of the library; undo brings them back.

    The next export takes their rows out of your READMEs. Note files stay. To remember that you
    decided against a paper, discard it instead.

    \b
    Examples:
      papertrack rm 2312.00752
      papertrack rm 2312.00752 --dry-run
    """
    with session.open_store() as store:
        ids = resolve_references(store, list(words_from_stdin(references)))
        citekeys = [citekey_of(store, paper_id) for paper_id in ids]
        remove_papers(store, ids, dry_run=session.dry_run)
    message = f"Removed {', '.join(citekeys)}." if citekeys else "Nothing to do."
    if citekeys and not session.dry_run:
        message += f" `papertrack undo` brings {'it' if len(ids) == 1 else 'them'} back."
    session.report(message, papers_removed=len(ids), citekeys=citekeys)


@click.command
@reference_argument("KEPT")
@reference_argument("MERGED")
@changing
def merge(session: Session, kept: str, merged: str) -> None:
    """Make two papers one: the first keeps its key and gets what the second has more.

    Passes, notes, tags, links and categories are united; the second key still names the paper.

    \b
    Example:
      papertrack merge kwon2023efficient kwon2023vllm
    """
    with session.open_store() as store:
        kept_id, merged_id = resolve_reference(store, kept), resolve_reference(store, merged)
        names = citekey_of(store, kept_id), citekey_of(store, merged_id)
        merge_two_papers(store, kept_id, merged_id, dry_run=session.dry_run)
    session.report(f"Merged {names[1]} into {names[0]}.", citekey=names[0], merged=names[1])
