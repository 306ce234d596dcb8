"""``papertrack merge-file``."""

from __future__ import annotations

from pathlib import Path

import click

from papertrack.cli.session import Session, changing
from papertrack.text import plural


@click.command("merge-file")
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("ours", type=click.Path(path_type=Path))
@click.argument("theirs", type=click.Path(path_type=Path))
@click.option("-p", "--print", "prints", is_flag=True, help="Print the result, and write nothing.")
@click.option("--path", metavar="NAME", help="What the file is called, for git: %P.")
@changing
def merge_file(
    session: Session, base: Path, ours: Path, theirs: Path, prints: bool, path: str | None
) -> int:
    """Merge two versions of a README or .bib file, entry by entry, as git merges lines.

    The result goes into OURS, as with `git merge-file`. What both added is kept, ours first; what
    both did to one entry is merged word by word; new link definitions with the same number get
    others. Markers stand only around what contradicts: then it exits 5. No library is needed.

    \b
    Examples:
      papertrack merge-file base.md README.md theirs.md
      papertrack merge-file base.md README.md theirs.md --print
      git config merge.papertrack.driver 'papertrack merge-file %O %A %B --path %P'
      echo 'README.md merge=papertrack' >> .gitattributes
    """
    from papertrack.actions.lists.merge_files import merge_files

    is_written = not (prints or session.dry_run)
    merged = merge_files(base, ours, theirs, name=path, is_written=is_written)
    if prints:
        click.echo(merged.data, nl=False)
    else:
        file = path or str(ours)
        found = f", {plural(merged.conflicts, 'conflict')}" if merged.conflicts else ""
        session.report(
            f"{file}: merged{found}.",
            file=file,
            conflicts=merged.conflicts,
            is_written=merged.is_written,
        )
    return 5 if merged.conflicts else 0
