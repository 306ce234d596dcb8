"""``papertrack schema``."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from papertrack.cli.output import print_json
from papertrack.errors import NotFoundError


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from papertrack.contract.registry import CONTRACT

    return [CompletionItem(name) for name in CONTRACT if name.startswith(incomplete)]


@click.command
@click.argument("name", metavar="[COMMAND]", nargs=-1, shell_complete=_complete)
def schema(name: tuple[str, ...]) -> None:
    """Print the JSON Schema of what a command prints with --json, or list these commands.

    \b
    Examples:
      papertrack schema
      papertrack schema show
      papertrack schema watch status
    """
    # Imported here because models cost more than all the rest of a short command.
    from papertrack.contract.registry import CONTRACT, schema_of

    command = " ".join(name)
    if not command:
        click.echo("\n".join(CONTRACT))
    elif command in CONTRACT:
        print_json(schema_of(command))
    else:
        raise NotFoundError(
            f"No command {command} prints JSON; `papertrack schema` lists those that do."
        )
