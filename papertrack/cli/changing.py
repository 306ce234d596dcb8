"""Change papers and categories: ``edit``, ``tag``, ``category``, ``move``, ``merge``, ``rm``,
``undo`` and ``redo``."""

from __future__ import annotations

import re
import sys
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.actions import organise
from papertrack.actions.references import resolve_reference, resolve_references
from papertrack.category_paths import parse_path
from papertrack.cli.network import slowly
from papertrack.cli.session import (
    Session,
    are_several,
    category_option,
    chosen_papers,
    command,
    complete_category,
    complete_reference,
    complete_tag,
    flag,
    option,
    query_options,
    refuse_together,
    words_from_stdin,
)
from papertrack.errors import UsageError
from papertrack.store.lookup import find_by_citekey
from papertrack.text import clean, moment_shown

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from papertrack.actions.undo import Next
    from papertrack.store.store import Store


@command(writes=True, store=True)
@click.argument(
    "words",
    metavar="REF... FIELD=VALUE...",
    nargs=-1,
    required=True,
    shell_complete=complete_reference,
)
def edit(session: Session, store: Store, words: tuple[str, ...]) -> Any:
    """Set fields of papers; no source overwrites them later.

    Semicolons separate authors and notes; spaces separate the addresses of a link (code, project,
    video…). Fields of the publication (pages, volume, publisher…) are named as in BibTeX. An empty
    value removes the field. If a paper has several addresses, a new one replaces the one that ends
    in the same name; otherwise it is added. category=PATH moves papers, += adds a category and -=
    removes one.

    \b
    Examples:
      papertrack edit 2309.06180 venue=SOSP year=2023 rating=5
      papertrack edit kwon2023efficient 'authors=Woosuk Kwon; Zhuohan Li'
      papertrack edit kwon2023efficient code=https://github.com/vllm-project/vllm
      papertrack edit 2309.06180 2401.09670 category=LLM/Serving
    """
    from papertrack.actions.edit import edit_papers, parse_assignments

    # The first word always names a paper.
    references = [*words[:1], *(word for word in words[1:] if not _is_assignment(word))]
    assignments = parse_assignments([word for word in words[1:] if _is_assignment(word)])
    if not assignments:
        # Without an assignment, report the words that were meant as one.
        parse_assignments(words[1:])
        raise UsageError("Name what to set: FIELD=VALUE.")
    ids = resolve_references(store, list(words_from_stdin(tuple(references))))
    result = edit_papers(store, ids, assignments)
    return result if are_several(references, None) else result.papers[0]


def _is_assignment(word: str) -> bool:
    return re.match(r"\s*[\w-]+\s*[+-]?=", word) is not None


def _complete_word(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete papers first; after a paper or a sign was typed, complete tags."""
    are_tags = ctx.params.get("words") or _is_signed(incomplete)
    return (complete_tag if are_tags else complete_reference)(ctx, param, incomplete)


class _WithMinusWords(click.Command):
    """A command in which ``-unread`` is a word: a tag to remove.

    Only the options --query and --library take a value.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        short = {option for param in self.params for option in param.opts} | {"-h"}
        remaining, options, words = iter(args), list[str](), list[str]()
        for word in remaining:
            if word == "--":
                words += remaining
            elif word in ("--query", "--library"):
                options += [word, *islice(remaining, 1)]
            else:
                is_option = word.startswith("--") or word in short
                (options if is_option else words).append(word)
        return super().parse_args(ctx, [*options, "--", *words])


@command(writes=True, store=True, cls=_WithMinusWords)
@flag("--rename", help="Rename a tag on all papers: --rename OLD NEW.")
@click.argument("words", metavar="[REF]... [+TAG|-TAG]...", nargs=-1, shell_complete=_complete_word)
@query_options
def tag(
    session: Session,
    store: Store,
    words: tuple[str, ...],
    rename: bool,
    query: str | None,
    is_sure: bool,
) -> Any:
    """Add tags to papers, remove them, or list all tags.

    \b
    Examples:
      papertrack tag
      papertrack tag 2309.06180 +kv-cache +systems
      papertrack tag 2309.06180 -systems
      papertrack tag 2309.06180 2401.09670 +systems
      papertrack tag --query 'title:cache' +kv-cache
      papertrack tag --rename kvcache kv-cache
    """
    if rename:
        if len(words) != 2:
            raise UsageError("Name two tags: papertrack tag --rename OLD NEW.")
        return organise.rename_tag_everywhere(store, *words)
    if not words and query is None:
        columns, none = {"tag": "tag", "papers": "papers"}, "No tags: `papertrack tag REF +TAG`."
        session.print_rows(organise.count_tags(store), columns, flexible=0, right=(1,), empty=none)
        return None
    # The sign may be missing from the only tag of one paper, or from tags after signed ones.
    references = list(takewhile(lambda word: not _is_signed(word), words))
    if len(references) == len(words):
        references = references[:1] if query is None else []
    changes = words[len(references) :]
    if not changes:
        raise UsageError("Name the tags: +TAG adds one, -TAG removes one.")
    remove = [change.removeprefix("-") for change in changes if change.startswith("-")]
    add = [change.removeprefix("+") for change in changes if not change.startswith("-")]
    ids = chosen_papers(session, store, references, query, is_sure)
    result = organise.tag_papers(store, ids, add=add, remove=remove)
    return result if are_several(references, query) else result.papers[0]


def _is_signed(word: str) -> bool:
    return word[0:1] in ("+", "-") and word != "-"


@command(writes=True, store=True)
@click.argument("path", required=False, shell_complete=complete_category)
@click.argument("new", metavar="[NEW]", required=False, shell_complete=complete_category)
@flag("--add", help="Make PATH, after its siblings.")
@flag("--rename", help="Rename PATH to NEW, which may be in another category.")
@flag("--first", help="Put it before its siblings.")
@flag("--last", help="Put it after its siblings.")
@category_option("--before", help="Put it before this one.")
@category_option("--after", help="Put it after this one.")
@flag("--remove", help="Remove it if it is empty.")
def category(session: Session, store: Store, path: str | None, new: str | None, **how: Any) -> Any:
    """List your categories, or add, rename, order or remove one.

    LLM/Serving is the category Serving in LLM; `papertrack move` puts papers into a category.
    Renaming one also renames it in the categories below it and in topics. Headings in your READMEs
    do not change: rename them too.

    \b
    Examples:
      papertrack category
      papertrack category Survey --add
      papertrack category Serving --rename LLM/Serving
      papertrack category Survey --first
      papertrack category LLM/Serving --after LLM/Training
    """
    refuse_together(**how)
    action = next((name for name, value in how.items() if value), None)
    if path is None:
        if action:
            raise UsageError(f"Name the category: `papertrack category PATH --{action}`.")
        session.print_rows(
            organise.count_categories(store),
            {"category": "category", "papers": "papers"},
            flexible=0,
            right=(1,),
            empty="No categories. `papertrack category PATH --add` and `papertrack move` make "
            "them.",
        )
        return None
    return _change_category(store, path, new, action, how)


def _change_category(
    store: Store, path: str, new: str | None, action: str | None, how: dict[str, Any]
) -> Any:
    if (new is not None) != (action == "rename"):
        raise UsageError(
            "--rename and NEW need each other: `papertrack category PATH --rename NEW`."
        )
    category = parse_path(path)
    match action:
        case "add":
            return organise.add_category(store, category)
        case "rename":
            return organise.change_path(store, category, parse_path(new or ""))
        case "remove":
            return organise.remove_category(store, category)
        case "first" | "last":
            return organise.order_category(store, category, action)
        case "before" | "after":
            return organise.order_category(store, category, action, parse_path(how[action]))
    raise UsageError(
        "Add one of --first, --last, --before PATH and --after PATH; or --add, --rename or "
        "--remove."
    )


@command(papers="query", writes=True)
@category_option("-c", "--category", required=True, help="Where to.")
@category_option("--from", "source", help="Leave only this category.")
@flag("--also", help="Add this category and keep the others.")
def move(
    session: Session, store: Store, ids: list[int], category: str, source: str | None, also: bool
) -> organise.Moved:
    """Move papers to another of your categories.

    LLM/Serving is the category Serving in LLM. A new category is made.

    \b
    Examples:
      papertrack move 2309.06180 --category LLM/Serving
      papertrack move 2309.06180 --category Memory --also
      papertrack move --query 'title:quantization' --category Efficiency
    """
    if source is not None and also:
        raise UsageError("Give --from or --also, not both.")
    old_path = parse_path(source) if source else None
    return organise.move_papers(store, ids, parse_path(category), source=old_path, is_added=also)


@command(papers="many", writes=True)
def rm(session: Session, store: Store, ids: list[int]) -> organise.Removed:
    """Remove papers from the library; undo brings them back.

    The next export removes their rows from your READMEs. Note files stay. To remember that you
    decided against a paper, use `papertrack discard`.

    \b
    Examples:
      papertrack rm 2312.00752
      papertrack rm 2312.00752 --dry-run
    """
    return organise.remove_papers(store, ids)


_DUPLICATES = {
    "score": "score",
    "paper": "citekey",
    "other": "other",
    "reasons": "reasons",
    "title": "title",
}


@command(writes=True, store=True)
@click.argument("references", metavar="[KEPT MERGED]", nargs=-1, shell_complete=complete_reference)
@flag("--undo", help="Split KEY, or a row FILE:LINE, from its paper.")
@option(
    "--different REF REF",
    "Remember that these are two works.",
    nargs=2,
    shell_complete=complete_reference,
)
def merge(
    session: Session,
    store: Store,
    references: tuple[str, ...],
    undo: bool,
    different: tuple[str, str] | None,
) -> Any:
    """Merge two papers, or list likely duplicates.

    KEPT keeps its key and gets the passes, notes, tags, links and categories of MERGED. The second
    key still finds the paper. Without arguments, likely duplicates are listed with a score of 0 to
    100 and the reasons. Pairs that you marked as --different are not listed again.

    --undo splits a merged paper, or an entry that an import joined to a paper (import -v lists
    them). If nothing has changed since the merge, both papers come back as they were. Otherwise the
    new paper gets what its entries or row say, and passes, notes and tags stay with the other one.
    papertrack remembers that they are two works.

    \b
    Examples:
      papertrack merge
      papertrack merge kwon2023efficient kwon2023vllm
      papertrack merge --different kwon2023efficient kwon2024efficient
      papertrack merge --undo kwon2023vllm
      papertrack merge --undo README.md:120
    """
    from papertrack.actions import duplicates

    refuse_together(undo=undo, different=different)
    if undo:
        if len(references) != 1:
            raise UsageError(
                "Name the key, or the row as FILE:LINE: `papertrack merge --undo KEY`."
            )
        return _split(session, store, references[0])
    if different is not None:
        left, right = (resolve_reference(store, reference) for reference in different)
        return duplicates.Different(list(duplicates.call_different(store, left, right)))
    if references:
        if len(references) != 2:
            raise UsageError("Name two papers: `papertrack merge KEPT MERGED`.")
        target, duplicate = [resolve_reference(store, reference) for reference in references]
        return organise.merge_two_papers(store, target, duplicate)
    with slowly(session, "comparing titles"):
        pairs = duplicates.find_duplicates(store)
    session.print_rows(pairs, _DUPLICATES, flexible=4, right=(0,))
    if not session.as_json:
        advice = "Decide with `papertrack merge KEPT MERGED` or --different REF REF."
        session.say(advice if pairs else "No papers look like duplicates.")
    return None


def _split(session: Session, store: Store, key: str) -> organise.SplitOff:
    from papertrack.actions.split import split_off, split_row

    file, _, line = key.rpartition(":")
    # Citation keys do not end like this.
    is_file = Path(file).suffix.lower() in (".md", ".markdown") or Path(file).is_file()
    if line.isdecimal() and is_file and find_by_citekey(store, key) is None:
        old_paper, new_paper = split_row(store, session.library(), Path(file), int(line))
    else:
        old_paper, new_paper = split_off(store, session.library(), key)
    return organise.SplitOff(new_paper, old_paper)


@command(writes=True, store=True)
@click.argument("action", type=int, required=False)
@flag("-y", "--yes", help="Do not ask.")
def undo(session: Session, store: Store, action: int | None, yes: bool) -> Any:
    """Undo the last action, or the one with this number.

    `papertrack log` lists the actions. Undo also works after a restart, and as often as you like.
    It asks first when the action is older than a day, or was done by a scheduled job or in another
    terminal. Without a terminal, such an action needs its number or --yes.

    \b
    Examples:
      papertrack undo
      papertrack undo 12
    """
    from papertrack.actions import undo as undoing

    candidate = None if yes or action is not None else undoing.next_to_undo(store)
    if candidate is not None and not candidate.is_own and not session.dry_run:
        _ask(candidate)
        # The action that the user confirmed, even if others followed meanwhile.
        action = candidate.action.id
    with slowly(session, "undoing"):
        return undoing.Replay(undoing.undo(store, session.library(), action))


def _ask(candidate: Next) -> None:
    """Ask whether to undo an action of another session.

    Raises Abort for no, and UsageError if the action is from elsewhere and there is no terminal.
    """
    action = candidate.action
    label = clean(f"{action.verb} {action.about} (action {action.id}, {moment_shown(action.at)})")
    if sys.stdin.isatty():
        question = f"This was done in another session: {label}. Take it back?"
        click.confirm(question, abort=True, err=True)
    elif candidate.is_elsewhere:
        raise UsageError(
            f"The last action was done in another session: {label}. `papertrack undo {action.id}` "
            "or --yes takes it back; `papertrack log` lists what was done."
        )


@command(writes=True, store=True)
def redo(session: Session, store: Store) -> Any:
    """Redo what was undone last.

    \b
    Example:
      papertrack redo
    """
    from papertrack.actions import undo as undoing

    with slowly(session, "redoing"):
        return undoing.Replay(undoing.redo(store, session.library()))
