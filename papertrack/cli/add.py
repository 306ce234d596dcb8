"""``papertrack add``."""

from __future__ import annotations

import click

from papertrack.cli.options import (
    complete_category,
    complete_tag,
    dry_run_option,
    json_option,
    words_from_stdin,
)
from papertrack.cli.output import report
from papertrack.cli.session import Session, pass_session


@click.command
@click.argument("references", metavar="REF...", nargs=-1, required=True)
@click.option("-i", "--inbox", is_flag=True, help="Put them into the inbox, undecided.")
@click.option(
    "-c", "--category", metavar="PATH", shell_complete=complete_category, help="LLM/Serving, say."
)
@click.option("-t", "--tag", "tags", multiple=True, shell_complete=complete_tag, help="A tag.")
@dry_run_option
@json_option
@pass_session
def add(
    session: Session,
    references: tuple[str, ...],
    inbox: bool,
    category: str | None,
    tags: tuple[str, ...],
    dry_run: bool,
    as_json: bool,
) -> None:
    """Add papers by arXiv id, DOI or address.

    No network is needed: an arXiv id alone makes a paper whose month is known from its id. What is
    there already is not added twice. REF may be - for lines from stdin.

    \b
    Examples:
      papertrack add 2309.06180
      papertrack add https://arxiv.org/abs/2401.09670v2 --category Serving --tag kv-cache
      papertrack add - --inbox < ids.txt
    """
    from papertrack.actions.add import add_references
    from papertrack.store.categories import parse_path

    template = session.settings().citekeys.template
    with session.open_store() as store:
        added = add_references(
            store,
            list(words_from_stdin(references)),
            decision="inbox" if inbox else "saved",
            category=parse_path(category) if category else None,
            tags=tags,
            citekey_template=template,
            dry_run=dry_run,
        )
    words = {"new": "added", "saved": "saved (it was known)", "known": "already there"}
    report(
        session,
        "\n".join(f"{paper.citekey}: {words[paper.outcome]}." for paper in added) or "Nothing.",
        {
            "papers_new": sum(paper.outcome == "new" for paper in added),
            "papers_changed": sum(paper.outcome == "saved" for paper in added),
            "papers_unchanged": sum(paper.outcome == "known" for paper in added),
            "papers": [
                {
                    "reference": paper.reference,
                    "id": paper.paper_id,
                    "citekey": paper.citekey,
                    "outcome": paper.outcome,
                }
                for paper in added
            ],
            "dry_run": dry_run,
        },
        as_json=as_json,
    )
