"""The .bib files of one folder are one bibliography: what one of them lacks another defines."""

from pathlib import Path

import pytest

from papertrack.cli.app import run
from tests.cli.commands import Command
from tests.cli.conftest import home, papertrack

__all__ = ["home", "papertrack"]

STRINGS = '@String{jog = "Journal of Gates"}\n'
WORKS = """@article{ann2001, author = {Ann Bee}, title = {Gates}, journal = jog, year = 2001}

@inproceedings{bob2002,
  author   = {Bob Cee},
  title    = {Windows},
  pages    = {1--9},
  crossref = {days2002}
}
"""
PARENTS = "@proceedings{days2002, title = {Second Days}, publisher = pub, year = 2002}\n"
MORE = "@string{pub = {A Press}}\n"
FILES = {"abbrv.bib": STRINGS, "more.bib": MORE, "parents.bib": PARENTS, "works.bib": WORKS}
TEX = "\\cite{ann2001,bob2002}\\bibliography{abbrv,more,works,parents}\n"


@pytest.fixture
def folder(papertrack: Command, home: Path) -> Path:
    """A library in the folder of a manuscript and its .bib files."""
    for name, text in FILES.items():
        (home / name).write_text(text)
    (home / "main.tex").write_text(TEX)
    assert run(["init"]) == 0
    return home


@pytest.mark.parametrize("names", [tuple(FILES), tuple(reversed(FILES)), ("works.bib",)])
def test_strings_and_parents_of_other_files_are_read(
    papertrack: Command, folder: Path, names: tuple[str, ...]
) -> None:
    told = papertrack("import", *names)
    assert "days2002" not in told.err
    assert "Journal of Gates" in papertrack("show", "ann2001").out
    assert "Second Days" in papertrack("show", "bob2002").out
    cited = papertrack("cite", "--tex", "main.tex")
    assert (cited.code, cited.err) == (0, "")
    for part in ("@String{jog", "@string{pub", "@proceedings{days2002"):
        assert cited.out.count(part) == 1
    assert papertrack("check", "works.bib").code == 0
    papertrack("export", "--bib")
    assert {name: (folder / name).read_text() for name in FILES} == FILES


def test_an_edit_changes_one_file_and_keeps_what_others_define(
    papertrack: Command, folder: Path
) -> None:
    papertrack("import", *FILES)
    papertrack("edit", "bob2002", "title=Doors")
    papertrack("export", "--bib")
    changed = {**FILES, "works.bib": WORKS.replace("Windows", "Doors")}
    assert {name: (folder / name).read_text() for name in FILES} == changed
    assert papertrack("import", *FILES).code == 0
    papertrack("undo")
    assert papertrack("export", "--bib").code == 0
    assert {name: (folder / name).read_text() for name in FILES} == FILES


def test_a_string_that_two_files_define_differently_is_left_alone_and_told(
    papertrack: Command, folder: Path
) -> None:
    (folder / "other.bib").write_text('@string{JOG = "Journal of Goats"}\n')
    papertrack("import", "works.bib")
    told = papertrack("cite", "--tex", "main.tex")
    assert "ann2001 names jog, which no @string defines" in told.err
    assert told.code == 5


def test_a_parent_in_another_file_is_followed_when_it_gets_a_new_key(
    papertrack: Command, folder: Path
) -> None:
    papertrack("import", *FILES)
    papertrack("rekey", "days2002", "days:2002")
    papertrack("rekey", "--follow", "--in", ".", "--write")
    assert (folder / "works.bib").read_text() == WORKS.replace("days2002", "days:2002")
    assert (folder / "parents.bib").read_text() == PARENTS.replace("days2002", "days:2002")


@pytest.mark.parametrize("is_first", [True, False])
def test_a_registered_file_of_another_folder_defines_what_a_file_lacks(
    papertrack: Command, home: Path, is_first: bool
) -> None:
    (home / "common").mkdir()
    (home / "common" / "abbrv.bib").write_text(STRINGS + PARENTS + MORE)
    (home / "works.bib").write_text(WORKS)
    assert run(["init"]) == 0
    names = ["common/abbrv.bib", "works.bib"] if is_first else ["works.bib", "common/abbrv.bib"]
    papertrack("import", *names)
    papertrack("import", "works.bib")
    assert "Journal of Gates" in papertrack("show", "ann2001").out
    assert "Second Days" in papertrack("show", "bob2002").out
    (home / "main.tex").write_text("\\cite{ann2001,bob2002}\n")
    cited = papertrack("cite", "--tex", "main.tex")
    assert cited.out.count("@String{jog") == cited.out.count("@proceedings{days2002") == 1
    papertrack("edit", "ann2001", "title=Doors")
    papertrack("export", "--bib")
    assert (home / "works.bib").read_text() == WORKS.replace("{Gates}", "{Doors}")
