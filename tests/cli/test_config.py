import json
import shutil
import subprocess
from pathlib import Path

import pytest

from papertrack.library.settings import setting_meanings
from tests.cli.commands import Command


def test_init_makes_a_library_once(papertrack: Command, tmp_path: Path) -> None:
    ran = papertrack("init", tmp_path / "papers")
    assert ran.code == 0
    assert "papertrack import" in ran.err
    again = papertrack("init", tmp_path / "papers")
    assert again.code == 0
    assert "Nothing to do" in again.err


@pytest.mark.parametrize("how", ["option", "variable"])
def test_init_makes_the_library_where_it_is_then_looked_for(
    papertrack: Command, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    place = tmp_path / "elsewhere"
    if how == "variable":
        monkeypatch.setenv("PAPERTRACK_LIBRARY", str(place))
    option = ["--library", place] if how == "option" else []
    assert papertrack(*option, "init").code == 0
    assert not (home / "papertrack.toml").exists()
    assert papertrack(*option, "list").code == 0


def test_init_makes_no_library_where_two_places_are_named(
    papertrack: Command, home: Path, tmp_path: Path
) -> None:
    for asked in (["--library", "b", "init", "a"], ["init", "a", "--personal"]):
        ran = papertrack(*asked)
        assert ran.code == 2
        assert "Name one" in ran.err
    assert not {"a", "b"} & {path.name for path in home.iterdir()}
    assert papertrack("--library", home / "b" / ".." / "a", "init", "a").code == 0


def test_the_personal_library_is_found_from_everywhere(
    papertrack: Command, home: Path, tmp_path: Path
) -> None:
    assert papertrack("config").code == 3
    papertrack("init", "--personal")
    assert (home / "share" / "papertrack" / "papertrack.toml").is_file()
    assert papertrack("config", "reading.in_hand").out == "5\n"


def test_a_setting_is_changed_in_the_file_and_comes_back(papertrack: Command, home: Path) -> None:
    papertrack("init")
    before = (home / "papertrack.toml").read_text()
    assert papertrack("config", "reading.in_hand", "7").code == 0
    assert (home / "papertrack.toml").read_text().startswith(before)
    assert papertrack("config", "reading.in_hand").out == "7\n"
    assert "nothing to do" in papertrack("config", "reading.in_hand", "7").err
    assert papertrack("config", "reading.in_hand", "--unset").code == 0
    assert papertrack("config", "reading.in_hand").out == "5\n"


def test_a_settings_file_that_is_no_text_is_told_and_stays(papertrack: Command, home: Path) -> None:
    papertrack("init")
    (home / "papertrack.toml").write_bytes(b"# \xff\xfe\n")
    ran = papertrack("config", "reading.in_hand", "7")
    assert ran.code == 2
    assert "papertrack.toml could not be read" in ran.err
    assert (home / "papertrack.toml").read_bytes() == b"# \xff\xfe\n"


def test_a_wrong_value_is_told_without_the_programs_name(papertrack: Command, home: Path) -> None:
    papertrack("init")
    assert papertrack("config", "reading.in_hand", "x").err.startswith(
        "papertrack: reading.in_hand is 'x'"
    )


def test_a_dry_run_changes_no_setting(papertrack: Command, home: Path) -> None:
    papertrack("init")
    before = (home / "papertrack.toml").read_bytes()
    ran = papertrack("config", "bibtex.protect", "GPU, LoRA", "--dry-run")
    assert ran.code == 0
    assert ran.err.startswith("Dry run, nothing changed: ")
    assert ran.err.endswith(": bibtex.protect = GPU, LoRA.\n")
    assert (home / "papertrack.toml").read_bytes() == before


def test_the_list_says_where_each_setting_comes_from(papertrack: Command, home: Path) -> None:
    papertrack("init")
    papertrack("config", "bibtex.protect", "GPU, LoRA")
    ran = papertrack("config", "--json", PAPERTRACK_READING_IN_HAND="3")
    rows = {row["key"]: row for row in json.loads(ran.out)}
    assert rows["bibtex.protect"]["value"] == ["GPU", "LoRA"]
    assert rows["bibtex.protect"]["origin"] == "file"
    assert rows["reading.in_hand"] == {
        "key": "reading.in_hand",
        "value": 3,
        "origin": "environment",
        "variable": "PAPERTRACK_READING_IN_HAND",
        "meaning": "How many papers to read at one time.",
    }
    assert rows["arxiv.api_url"]["value"] is None
    assert rows["arxiv.api_url"]["origin"] == "default"


def test_what_a_setting_means_is_told_beside_its_value(papertrack: Command, home: Path) -> None:
    papertrack("init")
    ran = papertrack("config", "reading.in_hand")
    assert (ran.out, ran.err) == ("5\n", "How many papers to read at one time.\n")
    row = next(line for line in papertrack("config").out.splitlines() if "in_hand" in line)
    assert row.split("\t") == [
        "reading.in_hand",
        "5",
        "default",
        "PAPERTRACK_READING_IN_HAND",
        "How many papers to read at one time.",
    ]


def test_on_a_terminal_no_value_and_no_meaning_is_cut(
    papertrack: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("init")
    command = "pass show mail/a-rather-long-name-of-an-account"
    papertrack("config", "mail.password_command", command)
    monkeypatch.setattr("papertrack.cli.config.is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    shown = papertrack("config").out
    assert f"mail.password_command = {command} (file)\n" in shown
    assert "reading.in_hand = 5" in shown
    told = "".join(shown.split())
    for meaning in setting_meanings().values():
        assert "".join(meaning.split()) in told


def test_a_wrong_key_or_value_changes_nothing(papertrack: Command, home: Path) -> None:
    papertrack("init")
    before = (home / "papertrack.toml").read_bytes()
    ran = papertrack("config", "reading.in_hnd")
    assert ran.code == 3
    assert "reading.in_hand" in ran.err
    assert papertrack("config", "reading.in_hnd", "4").code == 2
    ran = papertrack("config", "reading.in_hand", "many")
    assert ran.code == 2
    assert "'many'" in ran.err
    assert (home / "papertrack.toml").read_bytes() == before


def test_the_completion_script_calls_papertrack(papertrack: Command) -> None:
    for shell in ("bash", "zsh", "fish"):
        ran = papertrack("completion", shell)
        assert ran.code == 0
        assert "_PAPERTRACK_COMPLETE" in ran.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_a_name_with_blanks_as_one_word(papertrack: Command, tmp_path: Path) -> None:
    answering = tmp_path / "answering"
    answering.write_text("#!/bin/sh\necho 'plain,Serving in Parts'\n")
    answering.chmod(0o755)
    ask = f"_papertrack_completion {answering}; printf '<%s>' \"${{COMPREPLY[@]}}\""
    script = f"{papertrack('completion', 'bash').out}\n{ask}"
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == r"<Serving\ in\ Parts>"


def test_commands_and_settings_are_completed(process: Command) -> None:
    words = process(
        _PAPERTRACK_COMPLETE="bash_complete", COMP_WORDS="papertrack con", COMP_CWORD="1"
    )
    assert words.out == "plain,config\n"
    words = process(
        _PAPERTRACK_COMPLETE="bash_complete", COMP_WORDS="papertrack config read", COMP_CWORD="2"
    )
    assert words.out == "plain,reading.in_hand\n"
