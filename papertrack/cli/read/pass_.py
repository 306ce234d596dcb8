"""``papertrack pass``."""

from __future__ import annotations

from typing import Any

import click

from papertrack.cli.output import attributes
from papertrack.cli.session import Session, changing, reference_argument
from papertrack.errors import UsageError
from papertrack.records import PASSES


@click.command("pass")
@reference_argument()
@click.argument("number", metavar="[1|2|3]", type=click.IntRange(1, 3), required=False)
@click.option("-m", "--minutes", type=int, metavar="N", help="How long it took.")
@click.option("-t", "--takeaway", metavar="TEXT", help="What stayed, in a sentence.")
@click.option("--at", metavar="DATE", help="When, if not now: 2026-03-01, or 2026-03-01T20:15.")
@click.option("--version", type=click.IntRange(min=1), metavar="N", help="The arXiv version read.")
@click.option("--undo", is_flag=True, help="Take back the last reading of this pass.")
@changing
def pass_(session: Session, reference: str, number: int | None, undo: bool, **how: Any) -> None:
    """Record that a pass through a paper is done.

    1, 2 and 3 are the passes of S. Keshav, How to Read a Paper. Without a number it is the pass
    that is due (with --undo, the last one done).

    \b
    Examples:
      papertrack pass 2211.17192 1 --minutes 10
      papertrack pass kwon2023efficient 2 --takeaway "Pages for the KV cache."
      papertrack pass 2211.17192 1 --at 2025-12-24
      papertrack pass 2211.17192 --undo
    """
    from papertrack.actions.enrich.references import resolve_reference
    from papertrack.actions.reading import mark_pass, unmark_pass
    from papertrack.store.lookup import get_paper

    with session.open_store() as store:
        paper_id = resolve_reference(store, reference)
        done = get_paper(store, paper_id).passes_done
        number = number or (done if undo else min(done + 1, PASSES[-1]))
        if undo:
            if not number:
                raise UsageError(f"{reference}: no pass is done, so none can be taken back.")
            (mark,) = unmark_pass(store, [paper_id], number, dry_run=session.dry_run)
        else:
            (mark,) = mark_pass(store, [paper_id], number, **how, dry_run=session.dry_run)
    session.report(
        f"{mark.citekey}: pass {number} {'taken back' if undo else 'done'} "
        f"({mark.passes_before} → {mark.passes_done}).",
        **{"citekey": mark.citekey, "pass": number},
        **attributes(mark, "passes_before", "passes_done"),
    )
