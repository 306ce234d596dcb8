"""``papertrack save`` and ``papertrack discard``."""

from __future__ import annotations

from typing import Literal

import click

from papertrack.cli.session import Session, changing, reference_argument, words_from_stdin


@click.command
@reference_argument(many=True)
@changing
def save(session: Session, references: tuple[str, ...]) -> None:
    """Keep papers, to be read some day.

    \b
    Examples:
      papertrack save 2309.06180 2401.09670
      papertrack list is:inbox | cut -f 3 | papertrack save -
    """
    _decide(session, references, "saved", None)


@click.command
@reference_argument(many=True)
@click.option("-r", "--reason", metavar="TEXT", help="Why; kept with the paper.")
@changing
def discard(session: Session, references: tuple[str, ...], reason: str | None) -> None:
    """Decide against papers; they stay known and are never offered again.

    \b
    Examples:
      papertrack discard 2312.00752 --reason "read the survey instead"
      papertrack list is:discarded
    """
    _decide(session, references, "discarded", reason)


def _decide(
    session: Session,
    references: tuple[str, ...],
    decision: Literal["saved", "discarded"],
    reason: str | None,
) -> None:
    from papertrack.actions.decide import set_decision
    from papertrack.actions.enrich.references import resolve_references

    with session.open_store() as store:
        ids = resolve_references(store, list(words_from_stdin(references)))
        decided = set_decision(store, ids, decision, reason=reason, dry_run=session.dry_run)
    citekeys = [paper.citekey for paper in decided]
    same = [paper.citekey for paper in decided if paper.before == paper.after]
    changed = [citekey for citekey in citekeys if citekey not in same]
    told = {decision.capitalize(): changed, f"Already {decision}": same}
    parts = [f"{what}: {', '.join(keys)}." for what, keys in told.items() if keys]
    session.report(
        " ".join(parts) or "Nothing to do.",
        {
            "decision": decision,
            "papers_changed": len(changed),
            "papers_unchanged": len(same),
            "citekeys": citekeys,
        },
    )
