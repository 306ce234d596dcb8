"""The registry of formats: what `export` offers, writes and completes is what stands in it."""

import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest

from papertrack.exporters import registry
from papertrack.exporters.registry import DIGEST_FORMATS, FORMATS, Format, format_of_file
from papertrack.records import Paper
from tests.cli.commands import Command


def to_toy(papers: Iterable[Paper]) -> str:
    return "".join(f"* {paper.facts.title or paper.citekey}\n" for paper in papers)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Format:
    """A format as the next one comes: a module with a writer, and a line in the table."""
    module = ModuleType("papertrack.exporters.toy")
    module.to_toy = to_toy  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    line = Format("toy", "Titles, one a line (exports/papers.toy).", "papers.toy", "toy:to_toy")
    monkeypatch.setattr(registry, "FORMATS", (*FORMATS, line))
    # The commands read the table when they are first called.
    monkeypatch.delitem(sys.modules, "papertrack.cli.export", raising=False)
    return line


def test_the_next_format_is_a_module_and_a_line(
    papertrack: Command, shelf: Path, toy: Format
) -> None:
    assert papertrack("export", "--toy").code == 0
    written = (shelf / "exports" / "papers.toy").read_text(encoding="utf-8")
    assert written.startswith("* Efficient Memory Management with PagedAttention\n")
    assert written.count("\n") == 3
    assert "--toy" in papertrack("export", "--help").out
    shown = papertrack("export", "--toy", "PagedAttention", "-o", "-")
    assert shown.out == "* Efficient Memory Management with PagedAttention\n"
    assert papertrack("export", "-o", "few.toy").code == 0
    assert (shelf / "few.toy").read_text(encoding="utf-8") == written


def test_every_format_is_an_option_with_its_help(papertrack: Command) -> None:
    shown = " ".join(papertrack("export", "--help").out.split())
    for form in FORMATS:
        assert f"--{form.name} {form.help}" in shown


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: str(form.name))
def test_every_format_writes_nothing_of_no_papers_and_what_is_there_of_some(
    papertrack: Command, shelf: Path, form: Format
) -> None:
    assert papertrack("export", f"--{form.name}", "nothing-has-this-word", "-o", "-").code == 0
    shown = papertrack("export", f"--{form.name}", "PagedAttention", "-o", "-").out
    assert "PagedAttention" in shown.replace("{", "").replace("}", "")
    assert papertrack("export", f"--{form.name}", "-o", "out").code == 0


@pytest.mark.parametrize(
    ("file", "name"),
    [("a.bib", "bib"), ("b/c.RIS", "ris"), ("d.md", "md"), ("e.json", "json"), ("f.csv", "csv")],
)
def test_the_suffix_of_a_file_tells_its_format(file: str, name: str) -> None:
    form = format_of_file(file)
    assert form is not None
    assert form.name == name
    assert format_of_file("x") is None


def test_an_output_without_a_format_is_written_in_that_of_its_suffix(
    papertrack: Command, shelf: Path
) -> None:
    assert papertrack("export", "PagedAttention", "-o", "one.ris").code == 0
    assert (shelf / "one.ris").read_text(encoding="utf-8").count("ER  -") == 1


@pytest.mark.parametrize("form", DIGEST_FORMATS)
def test_every_form_of_a_digest_can_be_asked_for(
    papertrack: Command, shelf: Path, form: str
) -> None:
    assert papertrack("digest", "--format", form).code == 0
