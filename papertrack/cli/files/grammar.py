"""*How I read your list*: what was learnt of a README's entries, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from papertrack.cli.output import style
from papertrack.text import clean, few, plural, shorten

_LISTS = 4
"""Kinds of entries that are shown; the others are counted."""
_PATTERN = 6
"""Lines of an entry."""
_WIDEST = 150
_PARTS = 8
_LINES = 6
"""Lines of what is not understood."""
_FEW = 3
_NAME = 16
_EXAMPLE = 34


def print_grammar(grammar: Mapping[str, Any]) -> None:
    """Print how a list is read: at most two screens, however long it is."""
    click.echo(style("How I read your list", bold=True))
    click.echo(_confidence(grammar))
    lists: Sequence[Mapping[str, Any]] = grammar["lists"]
    for one in lists[:_LISTS]:
        click.echo()
        for line in _of_list(one):
            click.echo(line)
    if rest := lists[_LISTS:]:
        entries = plural(sum(one["entries"] for one in rest), "entry", "entries")
        click.echo(f"\nAnd {entries} of {plural(len(rest), 'further kind')} (`--json` has all).")
    _print_lines("Doubtful titles", grammar["doubtful_titles"], "title", _FEW)
    _print_lines("Not understood", grammar["not_understood"], "place", _LINES)
    _print_lines("Only mentioned in the text", grammar["mentioned"], "work", _FEW)
    click.echo(
        '\nWrong title? `--set title="…"` says that of one entry; all stand where it does. '
        "So do authors, venue and date."
    )
    click.echo()


def _confidence(grammar: Mapping[str, Any]) -> str:
    entries = plural(grammar["entries"], "entry", "entries")
    share = f"{grammar['regenerated']} ({grammar['confidence']:.0%})"
    told = f"{entries}; {share} come out byte for byte as they are, written by what the others show"
    kept = "Remarks count as they stand: no library knows them."
    if not grammar["is_low"]:
        return f"{told}.\n{kept}"
    low = style("too few", fg="yellow")
    return f"{told}: {low}.\nSo new ones are written only where they look as one of these. {kept}"


def _of_list(one: Mapping[str, Any]) -> Iterator[str]:
    names = f" in {clean(few(one['sections']))}" if one["sections"] else ""
    note = f", {len(one['failed'])} unlike the others" if one["failed"] else ""
    yield style(f"{plural(one['entries'], _SHAPES[one['shape']])}{names}{note}", bold=True)
    yield from _of_pattern(one["pattern"])
    for part in one["parts"][:_PARTS]:
        shown = " · ".join(shorten(example, _EXAMPLE) for example in part["examples"])
        yield f"  {style(part['role'].ljust(_NAME), dim=True)} {part['entries']:>5}  {shown}"


def _of_pattern(pattern: str) -> Iterator[str]:
    lines = list(filter(str.strip, pattern.split("\n")))
    for line in lines[:_PATTERN]:
        yield f"    {'  ' * line.startswith(' ')}{shorten(line, _WIDEST)}"
    if lines[_PATTERN:]:
        yield "      …"


_SHAPES = {
    "row": "row",
    "html_row": "HTML row",
    "item": "item",
    "numbered": "numbered item",
    "heading": "heading",
    "paragraph": "paragraph",
    "details": "fold-out",
}


def _print_lines(title: str, found: Sequence[Mapping[str, Any]], what: str, most: int) -> None:
    if not found:
        return
    click.echo(f"\n{style(title, bold=True)} ({plural(len(found), what)})")
    for one in found[:most]:
        click.echo(f"  line {one['line']:>5}  {shorten(one['text'], 80)}")
    if len(found) > most:
        click.echo("  …")
