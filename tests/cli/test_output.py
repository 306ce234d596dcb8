"""Tables: aligned on a terminal, plain in a pipe."""

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papertrack.cli import output
from papertrack.cli.output import (
    author_shown,
    month_shown,
    print_json_lines,
    print_table,
    state_word,
    style,
    warnings,
    wrapped,
)
from papertrack.text import display_width, plural


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stdout as a terminal of 60 columns."""
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")


def test_wide_letters_are_wrapped_by_the_cells_they_take() -> None:
    assert list(wrapped("注意 力 机制", 9)) == ["注意 力", "机制"]


@pytest.mark.usefixtures("terminal")
def test_columns_line_up_whatever_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        ("推测解码", "1", "投机采样与大语言模型推理加速的综述以及更多更多更多更多更多更多的字"),
        ("plain", "20", "A title"),
        ("é́mojis👩‍🔬", "300", "Pre³: 🚀"),
    ]
    print_table(("key", "n", "title"), rows, flexible=2, right=(1,))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert all(display_width(line) <= 60 for line in lines)
    starts = {
        display_width(line[: line.index(title)])
        for line, title in zip(lines, ("title", "投机", "A title", "Pre³"), strict=True)
    }
    assert len(starts) == 1
    assert lines[1].endswith("…")


@pytest.mark.usefixtures("terminal")
def test_a_column_without_values_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("key", "author", "title"), [("a", "", "b"), ("c", "", "d")], flexible=2)
    assert capsys.readouterr().out == "key  title\na    b\nc    d\n"


@pytest.mark.usefixtures("terminal")
def test_no_rows_are_no_head(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("key", "title"), [], flexible=1)
    assert capsys.readouterr().out == ""


def test_colour_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert style("x", fg="red") == "\x1b[31mx\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert style("x", fg="red") == "x"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setattr(output, "is_terminal", lambda: False)
    assert style("x", fg="red") == "x"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=80)), min_size=1, max_size=4))
def test_a_row_is_one_line_with_its_cells_in_a_pipe(
    capsys: pytest.CaptureFixture[str], rows: list[tuple[str, str]]
) -> None:
    print_table(("a", "b"), rows, flexible=1)
    lines = capsys.readouterr().out.split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(rows)
    assert all(line.count("\t") == 1 for line in lines)


@pytest.mark.usefixtures("terminal")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(max_size=9), st.text(max_size=90)), min_size=1, max_size=4))
def test_no_line_is_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], rows: list[tuple[str, str]]
) -> None:
    assert os.environ["COLUMNS"] == "60"
    print_table(("a", "b"), rows, flexible=1)
    for line in capsys.readouterr().out.split("\n"):
        assert display_width(line) <= 60


def test_states_months_and_authors_in_words() -> None:
    assert state_word("inbox", 0) == "inbox"
    assert state_word("saved", 0) == "unread"
    assert state_word("discarded", 2) == "pass 2"
    assert month_shown("2023-09-12", None) == "2023-09"
    assert month_shown(None, "hep-th/9901001") == "1999-01"
    assert month_shown(None, None) == ""
    assert author_shown("Woosuk Kwon", 9) == "Kwon et al."
    assert author_shown("Plato", 1) == "Plato"
    assert author_shown("van der Vane, Cy", 2) == "van der Vane et al."
    assert author_shown(None, 0) == ""
    assert plural(1, "entry", "entries") == "1 entry"
    assert plural(0, "paper") == "0 papers"


def test_the_reader_is_warned_of_withdrawn_and_newer_papers() -> None:
    assert list(warnings(True, 3, 1)) == ["withdrawn", "v3 is out, you read v1"]
    assert list(warnings(None, 3, 3)) == []
    assert list(warnings(False, None, 1)) == []


@pytest.mark.usefixtures("terminal")
def test_what_comes_after_the_first_page_still_fits(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("key", "", "A title")] * 500 + [("a-much-longer-key", "Kwon", "A title " * 9)]
    assert print_table(("key", "author", "title"), rows, flexible=2) == 501
    *_, row, last = capsys.readouterr().out.splitlines()
    assert row == "key          A title"
    assert last.startswith("a-much-longer-key  Kwon    A title A title A")
    assert display_width(last) <= 60


@pytest.mark.parametrize("number", [0, 1, 2, 501])
def test_an_array_has_one_record_a_line(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    records: list[dict[str, object]] = [
        {"n": n, "text": "a\u200bb\n\x1b[1m é"} for n in range(number)
    ]
    print_json_lines(iter(records))
    text = capsys.readouterr().out
    assert json.loads(text) == records
    assert text.count("\n") == (number + 2 if number else 1)
    assert text.replace("\n", "").isprintable()
