"""Pages made from the program: a site page with all help texts, and man pages.

mkdocs calls the ``on_`` functions while it builds the site. ``python docs/reference.py FOLDER``
writes the man pages there.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from papertrack import __version__
from papertrack.cli.app import SECTIONS, papertrack

ROOT = Path(__file__).parent.parent
ROOT_PAGES = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages that stay at the root, where readers of the repository look for them."""
NAMED_FENCE = re.compile(r"^```([a-z]+) (.+)$", re.MULTILINE)


def contexts(parent: click.Context) -> Iterator[click.Context]:
    """Yield a context for each subcommand, and for theirs."""
    group = parent.command
    assert isinstance(group, click.Group)
    for name in group.list_commands(parent):
        command = group.get_command(parent, name)
        assert command is not None
        if not command.hidden:
            context = click.Context(command, info_name=name, parent=parent, terminal_width=80)
            yield context
            if isinstance(command, click.Group):
                yield from contexts(context)


def main_context() -> click.Context:
    """The context of ``papertrack`` alone."""
    return click.Context(
        papertrack,
        info_name="papertrack",
        terminal_width=80,
        help_option_names=["-h", "--help"],
    )


def help_page() -> str:
    """All help texts as one Markdown page, by section."""
    found = {context.command_path: context for context in contexts(main_context())}
    parts = ["# All help texts\n\nWhat `papertrack COMMAND --help` prints.\n"]
    for section, names in SECTIONS.items():
        parts.append(f"## {section}\n")
        for path, context in found.items():
            if path.split()[1] in names:
                parts.append(f"### {path}\n\n```text\n{context.get_help()}\n```\n")
    return "\n".join(parts)


def man_page(context: click.Context) -> str:
    """The man page of a command, in troff."""
    command = context.command
    text = cleandoc(command.help or "").replace("\b\n", "")
    summary, _, rest = text.partition("\n")
    name = context.command_path.replace(" ", "-")
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        f'.TH "{name.upper()}" 1 "" "papertrack {__version__}"',
        ".SH NAME",
        f"{_troff(name)} \\- {_troff(summary.rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {_troff(context.command_path)}",
        _troff(usage),
        ".SH DESCRIPTION",
        *_paragraphs(rest),
    ]
    parameters = [p for p in command.get_params(context) if isinstance(p, click.Option)]
    if options := [record for p in parameters if (record := p.get_help_record(context))]:
        lines.append(".SH OPTIONS")
        for flags, meaning in options:
            lines += [".TP", f".B {_troff(flags)}", _troff(meaning)]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for child in contexts(context):
            if child.parent is context:
                lines += [".TP", f".B {_troff(child.info_name or '')}"]
                lines.append(_troff(child.command.get_short_help_str(200)))
    return "\n".join(line for line in lines if line) + "\n"


def _paragraphs(text: str) -> Iterator[str]:
    """Yield troff lines; paragraphs with indented lines keep their line breaks."""
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        lines = [_troff(line) for line in paragraph.splitlines()]
        as_written = any(line.startswith(" ") for line in lines)
        yield from (".PP", *((".nf", *lines, ".fi") if as_written else lines))


def _troff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def write_man_pages(folder: Path) -> int:
    """Write a man page for each command; return how many."""
    folder.mkdir(parents=True, exist_ok=True)
    main = main_context()
    pages = [main, *contexts(main)]
    for context in pages:
        path = folder / f"{context.command_path.replace(' ', '-')}.1"
        path.write_text(man_page(context), encoding="utf-8")
    return len(pages)


def repository() -> str | None:
    """The repository's address, if pyproject.toml has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address: str | None = project.get("urls", {}).get("Repository")
    return address


def on_config(config: Any) -> Any:
    """Link the repository from the site, once its address is known."""
    config.repo_url = repository()
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are not files in docs/."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, "help.md", content=help_page()))
    for name in ROOT_PAGES:
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Show the names of files that a page writes as titles of their blocks."""
    return NAMED_FENCE.sub(r'```\1 title="\2"', markdown)


if __name__ == "__main__":
    print(f"Wrote {write_man_pages(Path(sys.argv[1]))} man pages to {sys.argv[1]}.")
