from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.errors import UsageError
from papertrack.library import FIRST_SETTINGS, Library
from papertrack.library.setting_values import set_value, unset_value, value_of
from papertrack.library.settings import (
    NAMED_BY_READERS,
    misspelled_variables,
    setting_meanings,
    variables,
)
from papertrack.library.settings_in_force import load_settings, parse_settings
from papertrack.library.surroundings import current_time


def library_with(tmp_path: Path, text: str) -> Library:
    (tmp_path / "papertrack.toml").write_text(text, encoding="utf-8")
    return Library(tmp_path)


def test_every_setting_can_come_from_the_environment_and_goes_before_the_file(
    tmp_path: Path,
) -> None:
    library = library_with(tmp_path, "[reading]\nin_hand = 7\n[arxiv]\ncontact = 'a@b.c'\n")
    environ = {
        "PAPERTRACK_ARXIV_API_URL": "http://127.0.0.1:8080/api",
        "PAPERTRACK_READING_IN_HAND": "3",
        "PAPERTRACK_BIBTEX_PROTECT": "GPU, LoRA",
        "PAPERTRACK_PDF_VIEWER": "zathura",
        "PAPERTRACK_ARXIV_INTERVAL_SECONDS": "0.5",
    }
    found = load_settings(library, environ)
    assert found.arxiv.api_url == "http://127.0.0.1:8080/api"
    assert found.arxiv.contact == "a@b.c"
    assert found.arxiv.interval_seconds == 0.5
    assert found.reading.in_hand == 3
    assert found.bibtex.protect == ("GPU", "LoRA")
    assert found.pdf_viewer == "zathura"


def test_the_variables_are_the_keys_in_capitals() -> None:
    assert variables()["arxiv.catchup_url"] == "PAPERTRACK_ARXIV_CATCHUP_URL"
    assert set(variables()) == set(setting_meanings()) - {*NAMED_BY_READERS}


def test_every_setting_says_what_it_means() -> None:
    meanings = setting_meanings()
    assert [key for key, meaning in meanings.items() if not meaning.endswith(".")] == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[arxiv]\napi_ulr = 'https://x.org'", ["arxiv.api_ulr", "did you mean arxiv.api_url"]),
        ("[arxv]\ncontact = 'x'", ["arxv", "did you mean arxiv"]),
        ("in_hand = 4", ["in_hand", "did you mean reading.in_hand"]),
        ("zzzz = 4", ["zzzz", "papertrack config"]),
        ("[reading]\nin_hand = '5'", ["reading.in_hand", "'5'", "whole number"]),
        ("[arxiv]\ninterval_seconds = inf", ["arxiv.interval_seconds", "less than or equal to"]),
        ("[reading]\nin_hand = 0", ["reading.in_hand", "greater than or equal to 1"]),
        ("[arxiv]\napi_url = 'http://example.org/'", ["arxiv.api_url", "https"]),
        ("[arxiv]\napi_url = 'ftp://localhost/'", ["arxiv.api_url", "https"]),
        ("[arxiv", ["not valid TOML"]),
    ],
)
def test_a_wrong_setting_names_the_file_the_key_and_the_nearest_valid_key(
    tmp_path: Path, text: str, named: list[str]
) -> None:
    library = library_with(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load_settings(library, {})
    for part in [str(library.settings_path), *named]:
        assert part in str(caught.value)


def test_a_wrong_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"PAPERTRACK_READING_IN_HAND: .*'many'"):
        load_settings(library_with(tmp_path, ""), {"PAPERTRACK_READING_IN_HAND": "many"})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("arxiv = 3", "arxiv is 3: it must be a table of settings, [arxiv] with a line for each."),
        ("[tui]\nkeys = 3", "tui.keys is 3: it must be a table"),
        ("[watch]\narxiv_categories = 'cs.LG'", "it must be a list, such as"),
        ("[tui]\ntheme = 3", "tui.theme is 3: it must be a text in quotes"),
        ("[bibtex]\nprotect = [1]", "bibtex.protect.0 is 1: it must be a text in quotes"),
    ],
)
def test_what_a_value_must_be_is_said_as_toml_has_it(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_settings(library_with(tmp_path, text), {})
    assert fault in str(caught.value)


def test_a_misspelled_variable_is_told() -> None:
    near = "Did you mean PAPERTRACK_TUI_THEME?"
    environ = {"PAPERTRACK_TUI_TEME": "x", "PAPERTRACK_TUI_COLOR": "x", "PAPERTRACK_LIBARY": "x"}
    found = list(misspelled_variables(environ))
    assert near in found[0]
    assert "PAPERTRACK_TUI_COLOR is ignored" in found[1]
    assert "PAPERTRACK_LIBRARY?" in found[2]
    known = {**dict.fromkeys(variables().values(), "x"), "PAPERTRACK_NOW": "x"}
    assert not list(misspelled_variables({**known, "PAPERTRACK_CORPUS": "x", "PATH": "x"}))


def test_changing_a_setting_keeps_the_comments() -> None:
    before = "# mine\n[reading]   # how much\nin_hand = 7  # lucky\n"
    after = set_value(before, "reading.in_hand", 4)
    assert after == "# mine\n[reading]   # how much\nin_hand = 4  # lucky\n"
    assert unset_value(after, "reading.in_hand") == "# mine\n[reading]   # how much\n"
    with pytest.raises(UsageError, match="not set"):
        unset_value("", "reading.in_hand")


@given(st.text())
def test_what_is_set_is_what_is_read(value: str) -> None:
    text = set_value(FIRST_SETTINGS, "arxiv.contact", value)
    read = parse_settings(text, Path("papertrack.toml"))
    assert read == {"arxiv": {"contact": value}}


def test_the_clock_can_be_set() -> None:
    environ = {"PAPERTRACK_NOW": "2026-03-01T09:30:00+00:00"}
    assert current_time(environ) == datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    assert current_time({"PAPERTRACK_NOW": "2026-03-01"}).tzinfo is not None
    assert current_time({}).tzinfo is not None
    with pytest.raises(UsageError, match="PAPERTRACK_NOW"):
        current_time({"PAPERTRACK_NOW": "tomorrow"})


def test_a_switch_is_written_as_true_or_false() -> None:
    assert value_of("arxiv.offline", "true", source="test") is True
    assert value_of("arxiv.offline", "False", source="test") is False
    with pytest.raises(UsageError, match=r"arxiv\.offline"):
        value_of("arxiv.offline", "maybe", source="test")
