"""Conflicts between a file and the library, or between machines: show them and ask about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from papertrack.category_paths import format_path
from papertrack.cli.session import Session, flag, option, refuse_together
from papertrack.text import shorten

if TYPE_CHECKING:
    from papertrack.actions.documents import Conflict, Fate, OnDeleted, Prefer, Side
    from papertrack.actions.share.records import Contradiction

prefer_option = option(
    "--prefer", "Which side wins where both changed.", type=click.Choice(["file", "library"])
)
interactive_option = flag(
    "-i", "--interactive", help="Ask about each conflict and each deleted entry."
)
on_deleted_option = option(
    "--on-deleted",
    "What to do with a paper whose entry is gone; default: unlink.",
    type=click.Choice(["unlink", "discard", "put-back"]),
)


class Decider(NamedTuple):
    """How the user decides conflicts and deleted entries: by options, or by answering questions.

    Questions are asked between a dry run and the real run, so that no other process has to wait.
    """

    prefer: Side | None = None
    on_deleted: Fate | None = None
    is_asking: bool = False

    def prefers(self, conflicts: Sequence[Conflict]) -> Prefer:
        """Return which side wins in these conflicts; later conflicts stay undecided."""
        if not self.is_asking:
            return self.prefer
        answers = {_question(conflict): _ask(conflict) for conflict in conflicts}
        return lambda conflict: answers.get(_question(conflict))

    def fates(self, file: str, deleted: Sequence[str]) -> OnDeleted:
        """Return what to do with papers whose entry is gone; ask if no option decides it."""
        if self.on_deleted or not self.is_asking:
            return self.on_deleted or "unlink"
        answers = {citekey: _ask_fate(citekey, file) for citekey in deleted}
        return lambda citekey, _: answers.get(citekey, "unlink")


NOBODY = Decider()
"""The default: conflicts stay, and papers with deleted entries are unlinked."""


def decider(*, prefer: Side | None, interactive: bool, on_deleted: Fate | None = None) -> Decider:
    """Return how conflicts are decided. Raises UsageError for a preference with questions."""
    refuse_together(prefer=prefer, interactive=interactive)
    return Decider(prefer, on_deleted, interactive)


def conflicts_of(parts: Sequence[Any]) -> list[Conflict]:
    """Return the conflicts that several imports or exports left undecided."""
    return [conflict for part in parts for conflict in part.conflicts]


def say_conflicts(conflicts: Sequence[Conflict]) -> None:
    """Print the undecided conflicts."""
    for conflict in conflicts:
        click.echo(_described(conflict), err=True)


def new_ones(conflicts: Sequence[Conflict], reported: Sequence[Conflict]) -> list[Conflict]:
    """Return the conflicts that were not reported before."""
    questions = {_question(conflict) for conflict in reported}
    return [conflict for conflict in conflicts if _question(conflict) not in questions]


def say_how_to_decide(session: Session, conflicts: Sequence[Conflict]) -> None:
    """Print once, after all files, how to decide the conflicts."""
    if not conflicts:
        return
    merging = "; `papertrack merge` when two papers are one work"
    session.say(
        "Decide with --prefer file, --prefer library or --interactive"
        f"{merging if any(conflict.owner for conflict in conflicts) else ''}."
    )


def _question(conflict: Conflict) -> tuple[str, str, str, str]:
    """Return what identifies a conflict, independent of its line."""
    sides = repr((conflict.base, conflict.file_value, conflict.library_value))
    return conflict.file, conflict.citekey, conflict.field, sides


def _ask(conflict: Conflict) -> Side | None:
    click.echo(_described(conflict), err=True)
    answer = click.prompt(
        "Keep the file's, the library's, or leave it?",
        type=click.Choice(["file", "library", "leave"]),
        default="leave",
        err=True,
    )
    side: dict[str, Side] = {"file": "file", "library": "library"}
    return side.get(answer)


def _ask_fate(citekey: str, file: str) -> Fate:
    click.echo(f"{citekey} is no longer in {file}.", err=True)
    answer: Fate = click.prompt(
        "Unlink it from the file, discard the paper, or put its entry back?",
        type=click.Choice(["unlink", "discard", "put-back"]),
        default="unlink",
        err=True,
    )
    return answer


def _described(conflict: Conflict) -> str:
    place = f"{conflict.file}:{conflict.line}: conflict in {conflict.field} of {conflict.citekey}: "
    if conflict.field == "identifiers":
        ids = _shown(conflict.field, conflict.file_value)
        return f"{place}{ids} name different papers: {', '.join(conflict.library_value)}"
    owner = f", which belongs to {conflict.owner}" if conflict.owner else ""
    sides = (conflict.file_value, conflict.library_value, conflict.base)
    file, library, before = (_shown(conflict.field, value) for value in sides)
    return f"{place}the file says {file}{owner}, the library says {library}; it was {before}"


def _shown(field: str, value: Any) -> str:
    """Return a field's value in words, with the items of lists separated by commas."""
    if value is None or value in ([], ()):
        return "nothing"
    if field == "category" and isinstance(value[0], str):
        value = [value]  # The file and the base have one path; the library may have several.
    if isinstance(value, (list, tuple)):
        return ", ".join(_quoted(_in_words(field, item)) for item in value)
    return str(value) if isinstance(value, int) else _quoted(str(value))


def _in_words(field: str, value: Any) -> str:
    """Return a single value in words: an identifier with its scheme, a category as a path."""
    if isinstance(value, (list, tuple)):
        return ":".join(value) if field == "identifiers" else format_path(tuple(value))
    return str(value)


def _quoted(text: str) -> str:
    return f"“{shorten(text, 80)}”"


def _value_in_words(value: Any) -> str:
    if isinstance(value, dict):
        return "'" + ", ".join(str(part) for name, part in value.items() if name != "at") + "'"
    if isinstance(value, list):
        return ", ".join(map(_value_in_words, value))
    return f"'{value}'"


def say_contradictions(session: Session, contradictions: Sequence[Contradiction]) -> None:
    """Print the values that two sides have set differently."""
    for item in contradictions:
        values = ", ".join(map(_value_in_words, item.values))
        shown = _value_in_words(item.shown)
        session.say(f"{item.title}: {item.field} is {values}; {shown} is shown.")
    if contradictions:
        session.say(
            "`papertrack sync --prefer library` keeps what is shown; `papertrack edit` sets it."
        )
