"""``papertrack documents``: the registered documents, and how their entries are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from papertrack.actions import document_settings
from papertrack.actions.document_settings import LineShown, ListShown, Summary
from papertrack.cli.output import Columns, is_terminal, line_width, style
from papertrack.cli.session import FILE_PATH, Session, command, flag, options
from papertrack.errors import NotFoundError, UsageError
from papertrack.store.documents import read_documents, read_entries
from papertrack.text import clean, few, moment_shown, plural, shorten, truncate

COLUMNS: Columns = {
    "file": "file",
    "entries": "entries",
    "last synced": lambda row: moment_shown(row.synced_at),
    "title": "title",
}


@command(writes=True)
@click.argument("file", required=False, type=FILE_PATH)
@options("--set KEY=VALUE", "Correct one of these for FILE.", "assignments")
@options("--unset KEY", "Use what was learnt again.", "unset")
@flag("--forget", help="Stop updating FILE; the file and its papers stay.")
def documents(
    session: Session,
    file: Path | None,
    assignments: tuple[str, ...],
    unset: tuple[str, ...],
    forget: bool,
) -> int:
    """List registered files, or show the style of one.

    papertrack learns from a README how it writes entries, marks passes, sorts tables and names
    columns, and follows that when it adds a row. With FILE it shows the pattern of each kind of
    entry, with examples, and what it could not read. Correct it with --set:

    \b
      entry, entry.HEADING  the pattern of entries, where {?…?} is optional:
                            - [{title}]({url}){? ({venue})?}
      title, authors, venue, date
                            one entry's value, to show where such values are
      column.HEADER         title, date, paper, code, note, passes, rating, …
      mark.SIGN             the passes that a sign stands for: 0 to 3
      checks                whether ✅ is a reading mark: read or ignored
      tables                whether its tables show takeaways and notes: private or public
      mark, separator       the sign of a pass (✅), and what joins two of them
      rating                the sign of a rating (⭐)
      date-format           %Y/%m
      order                 ascending, descending or none
      numbering             counting or constant

    \b
    Examples:
      papertrack documents
      papertrack documents README.md
      papertrack documents README.md --set order=none --set column.Status=passes
      papertrack documents README.md --set title="Attention Is All You Need"
      papertrack documents README.md --set "entry=- [{title}]({url}), {venue}"
      papertrack documents README.md --unset order
      papertrack documents old.md --forget
    """
    changes = _changes(assignments, unset)
    if file is None:
        if changes or forget:
            raise UsageError("Name the FILE that this is about.")
        _list(session)
    elif forget:
        with session.open_store() as store:
            name = document_settings.forget(store, session.library(), file)
        session.say_done(f"{name} is no longer kept up to date.{_how_to_undo(session)}")
    elif changes:
        return _change(session, file, changes)
    else:
        _show(session, file)
    return 0


def _changes(assignments: tuple[str, ...], unset: tuple[str, ...]) -> dict[str, str | None]:
    changes: dict[str, str | None] = dict.fromkeys(unset)
    for text in assignments:
        key, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"{text!r} is not a setting: write KEY=VALUE, such as order=none.")
        changes[key] = value
    return changes


@dataclass(frozen=True, slots=True)
class Document:
    file: str
    kind: str
    title: str | None
    entries: int
    synced_at: str


def _list(session: Session) -> None:
    with session.open_store() as store:
        documents = [
            Document(
                document.path,
                document.kind,
                document.title,
                sum(entry.is_in_file for entry in read_entries(store, document.id)),
                document.synced_at,
            )
            for document in read_documents(store)
        ]
    session.print_rows(documents, COLUMNS, flexible=3, right=(1,))


@dataclass(frozen=True, slots=True)
class Column:
    header: str
    role: str


@dataclass(frozen=True, slots=True)
class MarkdownStyle:
    """How a README is read and written: what was learnt, and what its curator has set."""

    line_end: str
    reading_mark: str | None
    reading_mark_text: str | None
    reading_mark_separator: str | None
    reading_words: list[str] | None
    rating: str | None
    links: str
    definition_block: int | None
    title_comments: bool
    date_format: str | None
    bullet: str | None
    orders: dict[str, str]
    numbering: str
    tables: list[list[Column]]
    grammar: Summary
    settings: dict[str, str]


@dataclass(frozen=True, slots=True)
class BibStyle:
    """How a ``.bib`` file is written."""

    dialect: str
    encoding: str
    line_end: str
    entries: int
    skipped: int
    strings: list[str]
    groups: list[list[str]]


def _show(session: Session, file: Path) -> None:
    settings: Mapping[str, str] = {}
    known_titles: Mapping[str, str] = {}
    try:
        with session.open_store() as store:
            library = session.library()
            settings, known_titles = document_settings.reading_hints(store, library, file)
    except NotFoundError:
        pass  # Without a library, what would be learnt is still shown.
    report: Mapping[str, Any] = document_settings.describe_document(file, settings, known_titles)
    if session.as_json:
        session.print_json(report)
        return
    if "grammar" in report:
        _print_grammar(report["grammar"])
        click.echo(style("How it is written", bold=True))
    for name, value in _style_lines(report) if "links" in report else _bib_lines(report):
        if value:
            click.echo(f"{style(name.ljust(14), dim=True)} {clean(value)}")


def _bib_lines(report: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield names and values of a .bib file, like ``_style_lines``."""
    yield "written for", {"bibtex": "BibTeX", "biblatex": "biblatex"}[report["dialect"]]
    yield "encoding", report["encoding"]
    yield "line ends", report["line_end"]
    yield "entries", str(report["entries"])
    if report["skipped"]:
        yield "not read", f"{plural(report['skipped'], 'piece')}; `papertrack import` lists them"
    yield "@strings", ", ".join(report["strings"])
    yield "groups", ", ".join(map("/".join, report["groups"]))


def _style_lines(report: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield names and values of what was learnt; values may be empty."""
    yield "reading marks", _marks(report)
    yield "rating", report["rating"] or ""
    yield "dates", report["date_format"] or ""
    orders = Counter(report["orders"].values())
    counts = (f"{order} in {plural(count, 'section')}" for order, count in orders.items())
    yield "sorted", ", ".join(counts)
    block = report["definition_block"]
    comments = ", the title in a comment above its definitions" * report["title_comments"]
    yield (
        "links",
        f"{report['links']}{f', numbered in blocks of {block}' if block else ''}{comments}",
    )
    yield "bullet", report["bullet"] or ""
    yield "numbering", report["numbering"]
    yield "line ends", report["line_end"]
    for columns in report["tables"]:
        yield "table", ", ".join(f"{c['header']} ({c['role']})" for c in columns)
    for key, value in report["settings"].items():
        yield "set by you", f"{key}={value}"


def _marks(report: Mapping[str, Any]) -> str:
    kind: str | None = report["reading_mark"]
    sign = report["reading_mark_text"]
    if sign:
        return f"{sign}, and {report['reading_mark_separator'].join([sign] * 3)} for three passes"
    if kind in (None, "box", "date"):
        return {"box": "[ ] and [x]", "date": "the date of reading"}.get(kind or "", "none")
    words: list[str] = report["reading_words"] or [kind]
    return "words: " * (kind == "word") + ", ".join(words)


def _change(session: Session, file: Path, changes: Mapping[str, str | None]) -> int:
    with session.open_store() as store:
        has_changed = document_settings.change_settings(store, session.library(), file, changes)
    if not has_changed:
        session.say(f"{file}: nothing to do.")
        return 0
    pairs = ", ".join(f"{key}={'' if value is None else value}" for key, value in changes.items())
    session.say_done(f"{file}: {pairs}.{_how_to_undo(session)}")
    if session.dry_run or not any(map(document_settings.is_about_reading, changes)):
        return 0
    from papertrack.cli.import_ import import_files

    reports = import_files(
        session._replace(as_json=False), [file]
    )  # The same text has another meaning from now on.
    return 5 if any(report.conflicts for report in reports) else 0


def _how_to_undo(session: Session) -> str:
    return "" if session.dry_run else " `papertrack undo` takes this back."


_LISTS = 4
"""How many kinds of entries are shown; the others are only counted."""
_PATTERN = 6
"""How many lines of an entry are shown."""
_MAX_WIDTH = 150
_PARTS = 8
_LINES = 6
"""How many lines that were not understood are shown."""
_MAX_DOUBTFUL = 3
_NAME = 16
_EXAMPLE = 34


def _print_grammar(grammar: Summary) -> None:
    """Print how a list is read, in at most two screens."""
    click.echo(style("How I read your list", bold=True))
    click.echo(_confidence(grammar))
    for kind in grammar.lists[:_LISTS]:
        click.echo("\n".join(["", *_kind_lines(kind)]))
    if others := grammar.lists[_LISTS:]:
        entries = plural(sum(kind.entries for kind in others), "entry", "entries")
        click.echo(f"\nAnd {entries} of {plural(len(others), 'further kind')} (`--json` has all).")
    _print_lines("Doubtful titles", grammar.doubtful_titles, "title", _MAX_DOUBTFUL)
    _print_lines("Not understood", grammar.not_understood, "place", _LINES)
    _print_lines("Only mentioned in the text", grammar.mentioned, "work", _MAX_DOUBTFUL)
    click.echo(
        '\nWrong title? Correct one entry with `--set title="…"`, and the others follow. '
        "Authors, venue and date work the same way."
    )
    click.echo()


def _confidence(grammar: Summary) -> str:
    entries = plural(grammar.entries, "entry", "entries")
    share = f"{grammar.regenerated} ({grammar.confidence:.0%})"
    text = f"{entries}; {share} can be reproduced byte for byte from the pattern of the others"
    remark = "Remarks are not counted: they are not in the library."
    if not grammar.is_low:
        return f"{text}.\n{remark}"
    low = style("too few", fg="yellow")
    return f"{text}: {low}.\nSo a new entry is written only if it looks like one of these. {remark}"


def _kind_lines(kind: ListShown) -> Iterator[str]:
    names = f" in {clean(few(kind.sections))}" if kind.sections else ""
    note = f", {len(kind.failed)} unlike the others" if kind.failed else ""
    yield style(f"{plural(kind.entries, _SHAPES[kind.shape])}{names}{note}", bold=True)
    lines = list(filter(str.strip, kind.pattern.split("\n")))
    for line in lines[:_PATTERN]:
        yield f"    {'  ' * line.startswith(' ')}{shorten(line, _MAX_WIDTH)}"
    if lines[_PATTERN:]:
        yield "      …"
    for part in kind.parts[:_PARTS]:
        examples = " · ".join(shorten(example, _EXAMPLE) for example in part.examples)
        examples = truncate(examples, line_width() - 26) if is_terminal() else examples
        yield f"  {style(part.role.ljust(_NAME), dim=True)} {part.entries:>5}  {examples}"


_SHAPES = {
    "row": "row",
    "html_row": "HTML row",
    "item": "item",
    "numbered": "numbered item",
    "heading": "heading",
    "paragraph": "paragraph",
    "details": "fold-out",
}


def _print_lines(title: str, lines: Sequence[LineShown], noun: str, limit: int) -> None:
    if not lines:
        return
    click.echo(f"\n{style(title, bold=True)} ({plural(len(lines), noun)})")
    for line in lines[:limit]:
        click.echo(f"  line {line.line:>5}  {shorten(line.text, 80)}")
    if len(lines) > limit:
        click.echo("  …")
