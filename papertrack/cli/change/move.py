"""``papertrack move``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from papertrack.cli.session import (
    Session,
    changing,
    complete_category,
    reference_argument,
    words_from_stdin,
)
from papertrack.errors import UsageError

if TYPE_CHECKING:
    from papertrack.actions.organise import Moved


@click.command
@reference_argument(many=True)
@click.option(
    "-c",
    "--category",
    metavar="PATH",
    required=True,
    shell_complete=complete_category,
    help="Where to.",
)
@click.option(
    "--from",
    "source",
    metavar="PATH",
    shell_complete=complete_category,
    help="Leave only this category, not all others.",
)
@click.option("--also", is_flag=True, help="Leave no category: put them into one more.")
@changing
def move(
    session: Session, references: tuple[str, ...], category: str, source: str | None, also: bool
) -> None:
    """Put papers into another category of yours.

    A path like LLM/Serving names a category in a category; one that is not there is made.

    \b
    Examples:
      papertrack move 2309.06180 --category LLM/Serving
      papertrack move 2309.06180 --category Memory --also
    """
    from papertrack.actions.enrich.references import resolve_references
    from papertrack.actions.organise import move_papers
    from papertrack.store.categories import parse_path

    if source is not None and also:
        raise UsageError("Give --from or --also, not both.")
    with session.open_store() as store:
        moved = move_papers(
            store,
            resolve_references(store, list(words_from_stdin(references))),
            parse_path(category),
            source=parse_path(source) if source else None,
            is_added=also,
            dry_run=session.dry_run,
        )
    _report(session, category, moved)


def _report(session: Session, category: str, moved: list[Moved]) -> None:
    changed = [paper for paper in moved if paper.before != paper.after]
    lines = [f"{one.citekey}: {_shown(one.before)} → {_shown(one.after)}." for one in changed]
    if moved and moved[0].is_new_category:
        lines.append(f"{category} is a new category.")
    session.report(
        "\n".join(lines) or "Nothing to do.",
        {
            "papers_changed": len(changed),
            "papers_unchanged": len(moved) - len(changed),
            "papers": [_to_json(paper) for paper in moved],
        },
    )


def _to_json(paper: Moved) -> dict[str, object]:
    from papertrack.store.categories import format_path

    return {
        "citekey": paper.citekey,
        "categories_before": list(map(format_path, paper.before)),
        "categories": list(map(format_path, paper.after)),
    }


def _shown(paths: tuple[tuple[str, ...], ...]) -> str:
    from papertrack.store.categories import format_path

    return ", ".join(map(format_path, paths)) or "no category"
