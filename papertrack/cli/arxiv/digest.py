"""``papertrack digest``, and what `papertrack watch` has in common with it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.cli.session import Session, dry_run_option, pass_session
from papertrack.exporters.registry import DIGEST_FORMATS, write_digest_as
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.exporters.digest import Digest
form_choice = click.Choice(list(DIGEST_FORMATS))


@click.command
@click.option("--since", metavar="DAY", help="2026-11-02, 7d, 2w; by default today.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(DIGEST_FORMATS)),
    default="text",
    show_default=True,
    help="How.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of stdout.")
@click.option("--mail", is_flag=True, help="Send it to the addresses of the setting mail.to.")
@dry_run_option
@pass_session
def digest(session: Session, since: str | None, form: str, output: str | None, mail: bool) -> None:
    """Show what the topics found: by topic, best first, with the reasons.

    Days are those of arXiv's lists (US Eastern). What you discarded is left out; what the last
    `papertrack watch` could not look at is said.

    \b
    Examples:
      papertrack digest
      papertrack digest --since 7d --format html -o week.html
      papertrack digest --since 2026-11-01 --mail
    """
    from papertrack.actions.watch.calendar import eastern_day
    from papertrack.actions.watch.digest import make_digest
    from papertrack.actions.watch.status import standing_notes
    from papertrack.cli.arxiv.scope import default_categories, parse_since

    today = eastern_day(session.now())
    first = parse_since(since, today) if since else today
    defaults = default_categories(session)
    with session.open_store() as store:
        notes = standing_notes(store, session.library(), defaults, today)
        made = make_digest(store, since=first, until=today, notes=notes)
    if mail:
        send(session, made)
    if output or not mail:
        put(session, made, form, output)


def put(session: Session, made: Digest, form: str, output: str | None) -> None:
    """The digest on stdout, or in a file."""
    text = write_digest_as(form, made)
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    if not session.dry_run:
        from papertrack.library.files import write_file

        write_file(Path(output), text.encode())
    session.say_done(f"{made.summary}: written to {output}.")


def send(session: Session, made: Digest) -> None:
    """The digest as a mail, as the settings say."""
    from papertrack.actions.watch.mail import check_mail, find_password, send_digest

    settings = session.settings().mail
    check_mail(settings)
    to = plural(len(settings.to), "address", "addresses")
    if not session.dry_run:
        password = find_password(settings, os.environ)
        send_digest(settings, made, password=password, now=session.now())
    session.say_done(f"{made.summary}: sent to {to}.")
