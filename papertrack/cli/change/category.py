"""``papertrack category`` with what it can do, and ``papertrack move``."""

from __future__ import annotations

from typing import Any

import click

from papertrack.actions import organise
from papertrack.actions.organise import Moved, move_papers
from papertrack.category_paths import format_path, parse_path
from papertrack.cli.session import (
    Session,
    category_option,
    changing,
    complete_category,
    json_option,
    reading,
    reference_argument,
)
from papertrack.cli.several import chosen_papers, query_options
from papertrack.errors import UsageError
from papertrack.store.categories import ordered_paths
from papertrack.text import clean

_path_argument = click.argument("path", shell_complete=complete_category)


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def category(ctx: click.Context) -> None:
    """Your own categories: list them, and add, rename, order or remove one.

    A category in another one is written LLM/Serving. `papertrack move` puts papers into one.

    \b
    Examples:
      papertrack category
      papertrack category rename Serving LLM/Serving
      papertrack category order Survey --first
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@category.command("list")
@reading
def list_(session: Session) -> None:
    """List the categories in your order, each with its number of papers."""
    with session.open_store() as store:
        found = [
            {"category": format_path(path), "papers": papers}
            for path, papers in ordered_paths(store)
        ]
    columns = {"category": "category", "papers": "papers"}
    session.print_records(found, columns, flexible=0, right=(1,))
    if not found and not session.as_json:
        session.say("No categories. `papertrack category add` and `papertrack move` make them.")


@category.command
@click.argument("path")
@changing
def add(session: Session, path: str) -> None:
    """Make a category, after those beside it."""
    with session.open_store() as store:
        is_new = organise.add_category(store, parse_path(path))
    session.report(
        f"Made {path}." if is_new else f"{path} is there already.", category=path, is_new=is_new
    )


@category.command
@_path_argument
@click.argument("new", metavar="NEW", shell_complete=complete_category)
@changing
def rename(session: Session, path: str, new: str) -> None:
    """Give a category another name or place in the tree, with all that is in it.

    Topics that put papers there follow. Headings are yours: rename those of your READMEs too.

    \b
    Examples:
      papertrack category rename Serving Inference
      papertrack category rename Serving LLM/Serving
    """
    with session.open_store() as store:
        done = organise.change_path(store, parse_path(path), parse_path(new))
    lines = [f"{path} is now {new}."]
    if done.topics:
        lines.append(f"So it is for {', '.join(done.topics)}.")
    if done.documents:
        lines.append(f"Rename the heading in {', '.join(done.documents)} too, then import it.")
    session.report(
        clean(" ".join(lines)),
        category_before=path,
        category=new,
        topics=list(done.topics),
        documents=list(done.documents),
    )


@category.command
@_path_argument
@click.option("--first", is_flag=True, help="Before all beside it.")
@click.option("--last", is_flag=True, help="After all beside it.")
@category_option("--before", help="Before this one.")
@category_option("--after", help="After this one.")
@changing
def order(
    session: Session, path: str, first: bool, last: bool, before: str | None, after: str | None
) -> None:
    """Put a category elsewhere among those beside it, for lists, counts and fresh tables.

    \b
    Examples:
      papertrack category order Survey --first
      papertrack category order LLM/Serving --after LLM/Training
    """
    ways: list[tuple[organise.Place, str | None, bool]] = [
        ("first", None, first),
        ("last", None, last),
        ("before", before, before is not None),
        ("after", after, after is not None),
    ]
    asked = [(place, other) for place, other, is_asked in ways if is_asked]
    if len(asked) != 1:
        raise UsageError("Say where: one of --first, --last, --before PATH and --after PATH.")
    ((place, other),) = asked
    with session.open_store() as store:
        organise.order_category(
            store, parse_path(path), place, parse_path(other) if other else None
        )
        paths = [format_path(one) for one, _ in ordered_paths(store)]
    session.report(
        f"{path} is {place}{f' {other}' if other else ''}.", category=path, categories=paths
    )


@category.command
@_path_argument
@changing
def rm(session: Session, path: str) -> None:
    """Remove an empty category; undo brings it back."""
    with session.open_store() as store:
        organise.remove_category(store, parse_path(path))
    session.report(f"Removed {path}.", category=path)


@click.command
@reference_argument(many=True, required=False)
@query_options
@category_option("-c", "--category", required=True, help="Where to.")
@category_option("--from", "source", help="Leave only this category, not all others.")
@click.option("--also", is_flag=True, help="Leave no category: put them into one more.")
@changing
def move(session: Session, category: str, source: str | None, also: bool, **which: Any) -> None:
    """Put papers into another category of yours.

    A path like LLM/Serving names a category in a category; one that is not there is made.

    \b
    Examples:
      papertrack move 2309.06180 --category LLM/Serving
      papertrack move 2309.06180 --category Memory --also
      papertrack move --query 'title:quantization' --category Efficiency
    """
    if source is not None and also:
        raise UsageError("Give --from or --also, not both.")
    with session.open_store() as store:
        moved = move_papers(
            store,
            chosen_papers(session, store, **which),
            parse_path(category),
            source=parse_path(source) if source else None,
            is_added=also,
        )
    _report(session, category, moved)


def _report(session: Session, category: str, moved: list[Moved]) -> None:
    changed = [paper for paper in moved if paper.before != paper.after]
    lines = [f"{one.citekey}: {_shown(one.before)} → {_shown(one.after)}." for one in changed]
    if moved and moved[0].is_new_category:
        lines.append(f"{category} is a new category.")
    session.report(
        "\n".join(lines) or "Nothing to do.",
        papers_changed=len(changed),
        papers_unchanged=len(moved) - len(changed),
        papers=list(map(_to_json, moved)),
    )


def _to_json(paper: Moved) -> dict[str, object]:
    return {
        "citekey": paper.citekey,
        "categories_before": list(map(format_path, paper.before)),
        "categories": list(map(format_path, paper.after)),
    }


def _shown(paths: tuple[tuple[str, ...], ...]) -> str:
    return ", ".join(map(format_path, paths)) or "no category"
