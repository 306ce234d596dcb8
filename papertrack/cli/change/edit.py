"""``papertrack edit``."""

from __future__ import annotations

import click

from papertrack.cli.session import Session, changing, reference_argument


@click.command
@reference_argument()
@click.argument("assignments", metavar="FIELD=VALUE...", nargs=-1, required=True)
@changing
def edit(session: Session, reference: str, assignments: tuple[str, ...]) -> None:
    """Set fields of a paper; no source overwrites them any more.

    Authors and notes are separated by semicolons, the addresses of links (code, project, video…)
    by blanks. An empty value takes the field away. One new address where a paper has several stands
    for the one that ends in the same name, or is added to them.

    \b
    Examples:
      papertrack edit 2309.06180 venue=SOSP year=2023 rating=5
      papertrack edit kwon2023efficient 'authors=Woosuk Kwon; Zhuohan Li'
      papertrack edit kwon2023efficient code=https://github.com/vllm-project/vllm
    """
    from papertrack.actions.edit import edit_fields, parse_assignments
    from papertrack.actions.enrich.references import resolve_reference
    from papertrack.store.lookup import citekey_of

    checked = parse_assignments(assignments)
    with session.open_store() as store:
        paper_id = resolve_reference(store, reference)
        is_changed = edit_fields(store, paper_id, checked, dry_run=session.dry_run)
        citekey = citekey_of(store, paper_id)
    fields = [assignment.field for assignment in checked] if is_changed else []
    session.report(
        f"{citekey}: set {', '.join(fields)}." if fields else f"{citekey}: nothing to do.",
        {"citekey": citekey, "fields": fields},
    )
