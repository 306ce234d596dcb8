"""Old spellings of commands answer as today's do, and say nothing of it in a script."""

import re
from pathlib import Path

import click
import pytest

from papertrack.cli import app
from papertrack.cli.old_words import OLD_WORDS, modern
from tests.cli.commands import Command


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("why kwon --json", "ranking kwon --json"),
        ("--library there why kwon", "--library there ranking kwon"),
        ("-q topic rm t", "-q topic edit --remove t"),
        ("rank --json -", "ranking --file --json -"),
        ("topic backfill --since 2024-01 t -n", "watch --topic t --since 2024-01 -n"),
        ("topic backfill t --since 2024-01", "watch --topic t --since 2024-01"),
        ("digest --since 7d --format html", "watch --no-look --since 7d --digest html"),
        ("digest --format=md", "watch --no-look --digest=md"),
        ("pdf kwon", "pdf get kwon"),
        ("pdf get kwon", "pdf get kwon"),
        ("pdf indx", "pdf indx"),
        ("pdf --help", "pdf --help"),
        ("schema", "--schema"),
        ("schema watch status", "watch --status --schema"),
        ("category rename A B", "category --rename A B"),
        ("category", "category"),
        ("category Serving --first", "category Serving --first"),
        ("ranking", "ranking"),
        ("list why", "list why"),
    ],
)
def test_old_words_become_todays(old: str, new: str) -> None:
    assert modern(old.split()) == new.split()


def test_what_they_become_are_commands() -> None:
    context = click.Context(app.papertrack)
    for old in sorted(OLD_WORDS.keys() - {"schema"}):  # That names another command.
        words = [word for word in modern([*old.split(), "x"]) if not word.startswith("-")]
        assert app.papertrack.get_command(context, words[0]) is not None, old
        assert modern(modern([*old.split(), "x"])) == modern([*old.split(), "x"]), old


def test_no_help_shows_them(papertrack: Command) -> None:
    shown = papertrack("--help").out.split()
    hidden = {"why", "rank", "digest", "split", "duplicates", "trust"}
    assert not hidden & set(shown)


def test_both_spellings_say_the_same(papertrack: Command, shelf: Path) -> None:
    for old, new in (
        ("category list --json", "category --json"),
        ("next --json -n", "queue --next --json -n"),
        ("snooze zero --until 3m --json", "save zero --until 3m --json"),
        ("snooze zero", "save zero --until 2w"),
        ("duplicates", "merge"),
        ("watch status", "watch --status"),
        ("completion bash", "config --completion bash"),
        ("split nobody", "merge --undo nobody"),
    ):
        first, second = papertrack(*old.split()), papertrack(*new.split())
        assert first == second, old
        assert "This is now" not in first.err


def test_a_mistyped_command_of_a_group_is_answered_with_the_near_one(papertrack: Command) -> None:
    assert "Did you mean 'index'?" in papertrack("pdf", "indx").err


def test_no_file_of_ours_uses_them() -> None:
    """What README, docs, help and messages call by its old word nobody would find in the help."""
    root = Path(app.__file__).parent.parent
    names = "|".join(sorted(re.escape(old) for old in OLD_WORDS if old not in ("pdf", "backfill")))
    called = re.compile(rf"papertrack (?:-\w )?({names})\b(?! *=)")
    texts = [*root.rglob("*.py"), *(root.parent / "docs").glob("*.md"), root.parent / "README.md"]
    found = [
        f"{path.name}: {match[0]}"
        for path in texts
        if path.name != "old_words.py"
        for match in called.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []
