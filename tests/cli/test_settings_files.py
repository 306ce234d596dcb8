"""What can be known of settings before they are checked."""

from pathlib import Path

import pytest

from papertrack.errors import UsageError
from papertrack.library import FIRST_SETTINGS, Library
from papertrack.library.settings import Settings
from papertrack.library.settings_in_force import is_set, load_settings
from tests.cli.commands import Command


def library_with(folder: Path, settings: str) -> Library:
    library = Library(folder)
    library.settings_path.write_text(settings)
    return library


def test_a_table_is_unset_where_no_file_names_it(home: Path) -> None:
    for text in ("", FIRST_SETTINGS, "\n  # comment\n", '[arxiv]\ncontact = "me@example.org"\n'):
        library = library_with(home, text)
        assert not is_set(library, {}, "reading")
        assert load_settings(library, {}).reading == Settings().reading


def test_what_may_concern_the_table_is_looked_at(home: Path) -> None:
    for text in ("[reading]\nin_hand = 3", "[readng]\nin_hand = 3", "reading = 3", "in_hand = 3"):
        assert is_set(library_with(home, text), {}, "reading")


def test_the_readers_own_file_and_the_environment_count(home: Path) -> None:
    library = library_with(home, "")
    own = home / "config" / "papertrack" / "papertrack.toml"
    own.parent.mkdir(parents=True)
    own.write_text("[reading]\nin_hand = 2\n")
    assert is_set(library, {"XDG_CONFIG_HOME": str(home / "config")}, "reading")
    assert is_set(library, {"PAPERTRACK_READING_IN_HAND": "2"}, "reading")


def test_a_file_that_is_no_toml_is_told(home: Path) -> None:
    with pytest.raises(UsageError, match="not valid TOML"):
        is_set(library_with(home, "reading in_hand = 3"), {}, "reading")


def test_queue_keeps_to_the_limit_that_was_set(papertrack: Command, shelf: Path) -> None:
    (shelf / "papertrack.toml").write_text("[reading]\nin_hand = 3\n")
    assert "at most 3 papers" in papertrack("queue").err


def test_who_needs_a_table_tells_of_what_is_wrong_in_it(papertrack: Command, shelf: Path) -> None:
    (shelf / "README.md").write_text("- [A title](https://example.org/a)\n")
    (shelf / "main.tex").write_text("\\documentclass{article}\\cite{zero}\n")
    for settings, line, told in (
        ("[reading]\nin_hand = 0\n", "queue", "reading"),
        ("[readng]\nin_hand = 3\n", "queue", "reading"),
        ("[citekeys]\ntemplate = 3\n", "add --title Words https://a.org", "citekeys.template"),
        ("[citekeys]\ntemplate = 3\n", "import README.md", "cit"),
        ("[manuscripts]\ncommands = 3\n", "cite --tex main.tex", "man"),
        ("[check]\nfail_on = 3\n", "check README.md", "che"),
        ("[chek]\nfail_on = 3\n", "check README.md", "che"),
    ):
        (shelf / "papertrack.toml").write_text(settings)
        ran = papertrack(*line.split())
        assert ran.code == 2, line
        assert told in ran.err


@pytest.mark.parametrize(("ignored", "code"), [('["duplicate"]', 0), ("[]", 5)])
def test_check_leaves_out_what_was_set(
    papertrack: Command, shelf: Path, ignored: str, code: int
) -> None:
    (shelf / "papertrack.toml").write_text(f"[check]\nignore = {ignored}\n")
    twice = "- [A title](https://arxiv.org/abs/2601.00001)\n"
    (shelf / "README.md").write_text(f"# A\n\n{twice}{twice}")
    assert papertrack("check", "README.md").code == code


def test_an_empty_template_of_keys_is_none(papertrack: Command, shelf: Path) -> None:
    (shelf / "papertrack.toml").write_text('[citekeys]\ntemplate = ""\n')
    ran = papertrack("add", "--offline", "--title", "Paged Memory", "--authors", "Ann Bee")
    assert "bee" in ran.err
