"""What becomes of files that are special in some way, through the commands as they are."""

import codecs
import json
import os
from pathlib import Path

import pytest

from papertrack.sync.markdown import writing
from tests.cli.commands import Command

README = """\
# Läsning

## Serving

| Title | arXiv | Read |
| :---- | :---- | :--- |
| [PagedAttention](https://arxiv.org/abs/2309.06180) | x | |
| [DistServe](https://arxiv.org/abs/2401.09670) | x | |
"""
MARKED = README.replace("06180) | x | |", "06180) | x | ✅ |")
FORMS = {
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "mixed line ends": lambda text: text.replace("\n", "\r\n", 3).encode(),
    "BOM": lambda text: codecs.BOM_UTF8 + text.encode(),
    "no final newline": lambda text: text.rstrip("\n").encode(),
    "UTF-16 LE": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "UTF-16 BE": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
}


@pytest.fixture
def readme(papertrack: Command, home: Path) -> Path:
    """A README that a library feeds, with a pass waiting to be exported."""
    papertrack("init")
    path = home / "README.md"
    path.write_text(README, encoding="utf-8")
    papertrack("import", "README.md")
    papertrack("pass", "2309.06180", "1")
    return path


@pytest.mark.parametrize("form", FORMS)
def test_only_the_mark_changes_whatever_the_bytes_are_like(
    papertrack: Command, home: Path, form: str
) -> None:
    papertrack("init")
    path = home / "README.md"
    path.write_bytes(FORMS[form](README))
    assert papertrack("import", "README.md").code == 0
    assert papertrack("export", "--md").code == 0
    assert path.read_bytes() == FORMS[form](README)
    papertrack("pass", "2309.06180", "1")
    assert papertrack("export", "--md").code == 0
    assert path.read_bytes() == FORMS[form](MARKED)


def test_what_cannot_be_kept_is_refused_by_import_export_sync_and_check(
    papertrack: Command, readme: Path
) -> None:
    for data, told in (
        (README.encode("latin-1"), "line 1 has the byte 0xe4. Convert it to UTF-8 first"),
        (README.replace("ä", "a").encode("utf-16-le"), "This is a binary file"),
        (README.encode("utf-32"), "This is UTF-32 text"),
        (b"# A\n\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> x\n", "Resolve the merge first"),
    ):
        readme.write_bytes(data)
        for line in ("import README.md", "export --md", "sync", "check README.md"):
            ran = papertrack(*line.split())
            assert ran.code == 1, line
            assert "README.md: " in ran.err
            assert told in ran.err
        assert readme.read_bytes() == data
    assert json.loads(papertrack("show", "2309.06180", "--json").out)["passes_done"] == 1


def test_a_file_that_changes_meanwhile_is_left_and_written_the_next_time(
    papertrack: Command, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = writing.apply_edits
    edited = README.replace("# Läsning", "# Reading")

    def while_somebody_saves(*arguments: object) -> object:
        readme.write_text(edited, encoding="utf-8")
        return real(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(writing, "apply_edits", while_somebody_saves)
        ran = papertrack("export", "--md")
    assert ran.code == 5
    assert "changed while papertrack worked on it" in ran.err
    assert readme.read_text("utf-8") == edited
    assert papertrack("export", "--md").code == 0
    assert readme.read_text("utf-8") == MARKED.replace("# Läsning", "# Reading")


def test_a_symbolic_link_stays_one_and_its_file_is_written(papertrack: Command, home: Path) -> None:
    papertrack("init")
    target = home / "elsewhere" / "list.md"
    target.parent.mkdir()
    target.write_text(README, encoding="utf-8")
    (home / "README.md").symlink_to(target)
    papertrack("import", "README.md")
    papertrack("pass", "2309.06180", "1")
    assert papertrack("export", "--md").code == 0
    assert (home / "README.md").is_symlink()
    assert target.read_text("utf-8") == MARKED


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX's")
def test_a_read_only_file_is_left_and_written_once_it_may_be(
    papertrack: Command, readme: Path
) -> None:
    readme.chmod(0o444)
    ran = papertrack("export", "--md")
    assert ran.code == 1
    assert "README.md could not be written: it is read-only" in ran.err
    assert readme.read_text("utf-8") == README
    readme.chmod(0o640)
    assert papertrack("export", "--md").code == 0
    assert readme.read_text("utf-8") == MARKED
    assert readme.stat().st_mode & 0o777 == 0o640


def test_a_line_of_megabytes_is_reported_and_kept(papertrack: Command, readme: Path) -> None:
    long = "| " + "x [a](b) " * 333_333 + "|\n"
    readme.write_text(README + "\n" + long, encoding="utf-8")
    ran = papertrack("import", "README.md")
    assert ran.code == 0
    assert "README.md:10: The line is too long to be a list of papers" in ran.err
    assert papertrack("export", "--md").code == 0
    assert readme.read_text("utf-8") == MARKED + "\n" + long
