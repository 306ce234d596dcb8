"""Changing papers: ``papertrack edit``, ``tag``, ``rm`` and ``merge``."""

from __future__ import annotations

from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.actions import organise
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.references import resolve_reference, resolve_references
from papertrack.cli.session import (
    Session,
    changing,
    complete_reference,
    complete_tag,
    reference_argument,
    words_from_stdin,
)
from papertrack.cli.several import are_several, chosen_papers, query_options
from papertrack.errors import UsageError
from papertrack.store.lookup import citekey_of, find_by_citekey
from papertrack.store.states import tag_counts
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@click.command
@reference_argument()
@click.argument("assignments", metavar="FIELD=VALUE...", nargs=-1, required=True)
@changing
def edit(session: Session, reference: str, assignments: tuple[str, ...]) -> None:
    """Set fields of a paper; no source overwrites them any more.

    Authors and notes are separated by semicolons, the addresses of links (code, project, video…)
    by blanks. Fields of the publication (pages, volume, publisher…) have their names in BibTeX. An
    empty value takes the field away. One new address where a paper has several stands for the one
    that ends in the same name, or is added to them.

    \b
    Examples:
      papertrack edit 2309.06180 venue=SOSP year=2023 rating=5
      papertrack edit kwon2023efficient 'authors=Woosuk Kwon; Zhuohan Li'
      papertrack edit kwon2023efficient code=https://github.com/vllm-project/vllm
    """
    checked = parse_assignments(assignments)
    with session.open_store() as store:
        paper_id = resolve_reference(store, reference)
        is_changed = edit_fields(store, paper_id, checked)
        citekey = citekey_of(store, paper_id)
    fields = [assignment.field for assignment in checked] if is_changed else []
    session.report(
        f"{citekey}: set {', '.join(fields)}." if fields else f"{citekey}: nothing to do.",
        citekey=citekey,
        fields=fields,
    )


def _complete_word(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Papers first, then tags: these once one stands there, or where a sign was typed."""
    are_tags = ctx.params.get("words") or _is_signed(incomplete)
    return (complete_tag if are_tags else complete_reference)(ctx, param, incomplete)


class _WithMinusWords(click.Command):
    """A command of whose options only --query takes a value, so that ``-unread`` is a word: a tag
    to take away."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        short = {option for param in self.params for option in param.opts} | {"-h"}
        rest, options, words = iter(args), list[str](), list[str]()
        for word in rest:
            if word == "--":
                words += rest
            elif word == "--query":
                options += [word, *islice(rest, 1)]
            else:
                is_option = word.startswith("--") or word in short
                (options if is_option else words).append(word)
        return super().parse_args(ctx, [*options, "--", *words])


@click.command(cls=_WithMinusWords)
@click.option("--rename", is_flag=True, help="Rename a tag on all papers: --rename OLD NEW.")
@click.argument("words", metavar="[REF]... [+TAG|-TAG]...", nargs=-1, shell_complete=_complete_word)
@query_options
@changing
def tag(
    session: Session, words: tuple[str, ...], rename: bool, query: str | None, is_sure: bool
) -> None:
    """Give papers tags, take tags from them, or list all tags.

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
        _rename(session, words)
    elif not words and query is None:
        _list_tags(session)
    else:
        _change_tags(session, words, query, is_sure)


def _is_signed(word: str) -> bool:
    return word[0:1] in ("+", "-") and word != "-"


def _change_tags(
    session: Session, words: tuple[str, ...], query: str | None, is_sure: bool
) -> None:
    # A tag may stand without its sign behind one paper, or behind tags that have one.
    named = list(takewhile(lambda word: not _is_signed(word), words))
    if len(named) == len(words):
        named = named[:1] if query is None else []
    changes = words[len(named) :]
    if not changes:
        raise UsageError("Name the tags: +TAG gives one, -TAG takes one away.")
    remove = [change.removeprefix("-") for change in changes if change.startswith("-")]
    add = [change.removeprefix("+") for change in changes if not change.startswith("-")]
    with session.open_store() as store:
        ids = chosen_papers(session, store, named, query, is_sure)
        tagged = organise.tag_papers(store, ids, add=add, remove=remove)
    shapes = [
        {"citekey": one.citekey, "tags_before": list(one.before), "tags": list(one.after)}
        for one in tagged
    ]
    told = [f"{one.citekey}: tags {', '.join(one.after) or 'none'}." for one in tagged]
    several: dict[str, object] = {"papers": shapes}
    is_one = not are_several(named, query)
    session.report("\n".join(told) or "Nothing to do.", **(shapes[0] if is_one else several))


def _rename(session: Session, names: tuple[str, ...]) -> None:
    if len(names) != 2:
        raise UsageError("Name two tags: papertrack tag --rename OLD NEW.")
    old, new = names
    with session.open_store() as store:
        papers = organise.rename_tag_everywhere(store, old, new)
    session.report(
        clean(f"{old} is {new} on {plural(papers, 'paper')}."),
        tag_before=old,
        tag=new,
        papers_changed=papers,
    )


def _list_tags(session: Session) -> None:
    with session.open_store() as store:
        found = [{"tag": name, "papers": papers} for name, papers in tag_counts(store)]
    columns = {"tag": "tag", "papers": "papers"}
    session.print_records(found, columns, flexible=0, right=(1,))


@click.command
@reference_argument(many=True)
@changing
def rm(session: Session, references: tuple[str, ...]) -> None:
    """Take papers out of the library; undo brings them back.

    The next export takes their rows out of your READMEs. Note files stay. To remember that you
    decided against a paper, discard it instead.

    \b
    Examples:
      papertrack rm 2312.00752
      papertrack rm 2312.00752 --dry-run
    """
    with session.open_store() as store:
        ids = resolve_references(store, list(words_from_stdin(references)))
        citekeys = [citekey_of(store, paper_id) for paper_id in ids]
        organise.remove_papers(store, ids)
    message = f"Removed {', '.join(citekeys)}." if citekeys else "Nothing to do."
    if citekeys and not session.dry_run:
        message += f" `papertrack undo` brings {'it' if len(ids) == 1 else 'them'} back."
    session.report(message, papers_removed=len(ids), citekeys=citekeys)


@click.command
@reference_argument("KEPT")
@reference_argument("MERGED")
@changing
def merge(session: Session, kept: str, merged: str) -> None:
    """Make two papers one: the first keeps its key and gets what the second has more.

    Passes, notes, tags, links and categories are united; the second key still names the paper.

    \b
    Example:
      papertrack merge kwon2023efficient kwon2023vllm
    """
    with session.open_store() as store:
        kept_id, merged_id = resolve_reference(store, kept), resolve_reference(store, merged)
        names = citekey_of(store, kept_id), citekey_of(store, merged_id)
        organise.merge_two_papers(store, kept_id, merged_id)
    session.report(f"Merged {names[1]} into {names[0]}.", citekey=names[0], merged=names[1])


@click.command
@reference_argument("KEY")
@changing
def split(session: Session, key: str) -> None:
    """Give a key that was joined to a paper a paper of its own again.

    For entries of .bib files that an import took for one work (import -v names them), and for what
    was merged. A merge is taken back as it was where nothing stands on it; else the new paper has
    what the entries under KEY say, and passes, notes and tags stay with the other one. A row of a
    README is named by its file and line: the new paper has what the row says. That they are two
    works is remembered.

    \b
    Example:
      papertrack split kwon2023vllm
      papertrack split README.md:120
    """
    from papertrack.actions.split import split_off, split_row

    file, _, line = key.rpartition(":")
    with session.open_store() as store:
        if line.isdecimal() and find_by_citekey(store, key) is None and _is_of_file(file):
            kept, own = split_row(store, session.library(), Path(file), int(line))
        else:
            kept, own = split_off(store, session.library(), key)
    session.report(f"{own} is a paper of its own now, beside {kept}.", citekey=own, other=kept)


def _is_of_file(name: str) -> bool:
    """Whether a file is called so, or is meant to be: keys have no such endings."""
    return Path(name).suffix.lower() in (".md", ".markdown") or Path(name).is_file()
