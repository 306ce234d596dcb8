"""``papertrack category`` and what it can do."""

from __future__ import annotations

import click

from papertrack.cli.session import Session, changing, complete_category, reading
from papertrack.errors import UsageError
from papertrack.text import clean

_path_argument = click.argument("path", shell_complete=complete_category)


@click.group(invoke_without_command=True)
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
    from papertrack.store.categories import format_path, ordered_paths

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
    from papertrack.actions.categories import add_category
    from papertrack.store.categories import parse_path

    with session.open_store() as store:
        is_new = add_category(store, parse_path(path), dry_run=session.dry_run)
    session.report(
        f"Made {path}." if is_new else f"{path} is there already.",
        {"category": path, "is_new": is_new},
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
    from papertrack.actions.categories import change_path
    from papertrack.store.categories import parse_path

    with session.open_store() as store:
        done = change_path(store, parse_path(path), parse_path(new), dry_run=session.dry_run)
    lines = [f"{path} is now {new}."]
    if done.topics:
        lines.append(f"So it is for {', '.join(done.topics)}.")
    if done.documents:
        lines.append(f"Rename the heading in {', '.join(done.documents)} too, then import it.")
    session.report(
        clean(" ".join(lines)),
        {
            "category_before": path,
            "category": new,
            "topics": list(done.topics),
            "documents": list(done.documents),
        },
    )


@category.command
@_path_argument
@click.option("--first", is_flag=True, help="Before all beside it.")
@click.option("--last", is_flag=True, help="After all beside it.")
@click.option("--before", metavar="PATH", shell_complete=complete_category, help="Before this one.")
@click.option("--after", metavar="PATH", shell_complete=complete_category, help="After this one.")
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
    from papertrack.actions.categories import Place, order_category
    from papertrack.store.categories import format_path, ordered_paths, parse_path

    ways: list[tuple[Place, str | None, bool]] = [
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
        order_category(
            store,
            parse_path(path),
            place,
            parse_path(other) if other else None,
            dry_run=session.dry_run,
        )
        paths = [format_path(one) for one, _ in ordered_paths(store)]
    session.report(
        f"{path} is {place}{f' {other}' if other else ''}.",
        {"category": path, "categories": paths},
    )


@category.command
@_path_argument
@changing
def rm(session: Session, path: str) -> None:
    """Remove an empty category; undo brings it back."""
    from papertrack.actions.categories import remove_category
    from papertrack.store.categories import parse_path

    with session.open_store() as store:
        remove_category(store, parse_path(path), dry_run=session.dry_run)
    session.report(f"Removed {path}.", {"category": path})
