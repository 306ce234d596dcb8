"""``papertrack completion``."""

from __future__ import annotations

import click

SHELLS = ("bash", "zsh", "fish")


@click.command
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    With it, <TAB> completes commands, options, citekeys, categories and tags.

    \b
    Examples:
      papertrack completion bash > ~/.local/share/bash-completion/completions/papertrack
      papertrack completion zsh > ~/.zfunc/_papertrack
      papertrack completion fish > ~/.config/fish/completions/papertrack.fish
    """
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(ctx.find_root().command, {}, "papertrack", "_PAPERTRACK_COMPLETE")
    # Not the bash class's own `source`, which starts the bash of this machine to ask its version:
    # the script may be for another one.
    text = ShellComplete.source(script)
    if shell == "bash":
        # click's script would split "Serving in Parts" into three words on the command line.
        text = text.replace("COMPREPLY+=($value)", 'COMPREPLY+=("$(printf %q "$value")")')
    click.echo(text)
