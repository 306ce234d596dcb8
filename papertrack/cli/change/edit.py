"""Changing papers: ``papertrack edit``, ``tag``, ``rm`` and ``merge``."""

from __future__ import annotations

import click

from papertrack.actions import organise
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.enrich.references import resolve_reference, resolve_references
from papertrack.cli.session import (
    Session,
    changing,
    complete_tag,
    reference_argument,
    words_from_stdin,
)
from papertrack.errors import UsageError
from papertrack.store.lookup import citekey_of, get_paper
from papertrack.store.states import tag_counts
from papertrack.text import clean, plural


@click.command
@reference_argument()
@click.argument("assignments", metavar="FIELD=VALUE...", nargs=-1, required=True)
@changing
def edit(session: Session, reference: str, assignments: tuple[str, ...]) -> None:
    """Set fields of a paper; no source overwrites them any more.

    Authors and notes are separated by semicolons, the addresses of links (code, project, video…)
    by blanks. An empty value takes the field away. One new address where a paper has several stands
    for the one that ends in the same name, or is added to them.

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


class _WithMinusWords(click.Command):
    """A command whose options are all flags, so that ``-unread`` is a word: a tag to take away."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        short = {option for param in self.params for option in param.opts} | {"-h"}
        flags = [word for word in args[:end] if word.startswith("--") or word in short]
        words = [word for word in args[:end] if word not in flags] + args[end + 1 :]
        return super().parse_args(ctx, [*flags, "--", *words])


@click.command(cls=_WithMinusWords)
@click.option("--rename", is_flag=True, help="Rename a tag on all papers: --rename OLD NEW.")
@reference_argument(required=False)
@click.argument("changes", metavar="[+TAG|-TAG]...", nargs=-1, shell_complete=complete_tag)
@changing
def tag(session: Session, reference: str | None, changes: tuple[str, ...], rename: bool) -> None:
    """Give a paper tags, take tags from it, or list all tags.

    \b
    Examples:
      papertrack tag
      papertrack tag 2309.06180 +kv-cache +systems
      papertrack tag 2309.06180 -systems
      papertrack tag --rename kvcache kv-cache
    """
    if rename:
        _rename(session, reference, changes)
    elif reference is None:
        _list_tags(session)
    else:
        _change_tags(session, reference, changes)


def _change_tags(session: Session, reference: str, changes: tuple[str, ...]) -> None:
    if not changes:
        raise UsageError("Name the tags: +TAG gives one, -TAG takes one away.")
    remove = [change.removeprefix("-") for change in changes if change.startswith("-")]
    add = [change.removeprefix("+") for change in changes if not change.startswith("-")]
    with session.open_store() as store:
        paper_id = resolve_reference(store, reference)
        before = get_paper(store, paper_id)
        organise.tag_papers(store, [paper_id], add=add, remove=remove)
        after = get_paper(store, paper_id)
    session.report(
        f"{after.citekey}: tags {', '.join(after.tags) or 'none'}.",
        citekey=after.citekey,
        tags_before=list(before.tags),
        tags=list(after.tags),
    )


def _rename(session: Session, old: str | None, names: tuple[str, ...]) -> None:
    if old is None or len(names) != 1:
        raise UsageError("Name two tags: papertrack tag --rename OLD NEW.")
    (new,) = names
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
    what the entries under KEY say, and passes, notes and tags stay with the other one. That they
    are two works is remembered.

    \b
    Example:
      papertrack split kwon2023vllm
    """
    from papertrack.actions.split import split_off

    with session.open_store() as store:
        kept, own = split_off(store, session.library(), key)
    session.report(f"{own} is a paper of its own now, beside {kept}.", citekey=own, other=kept)
