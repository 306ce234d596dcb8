"""What a reader types of a work: its key, its title as in a .bib file, its authors."""

import json
from pathlib import Path

import pytest

from papertrack.cli.app import run
from tests.cli.commands import Command
from tests.cli.conftest import furnish, home, made_shelf, papertrack

__all__ = ["home", "made_shelf", "papertrack"]

WORKS = """\
@article{odell, author={Ann Odell and Bo Reyes}, title={Old {GPU} Doors}, journal={J}, year=2001}
"""


@pytest.fixture
def bib(papertrack: Command, home: Path, made_shelf: Path) -> Path:
    def works() -> None:
        (home / "works.bib").write_text(WORKS)
        assert run(["init"]) == 0
        assert papertrack("import", "works.bib").code == 0

    furnish(home, made_shelf, works)
    return home / "works.bib"


def test_a_key_made_without_authors_gives_way_when_they_are_typed(
    papertrack: Command, bib: Path
) -> None:
    papertrack("add", "2509.00001", "--offline")
    papertrack("edit", "2509.00001", "title=Deep Water Lamps", "authors=Cy Vane", "year=2025")
    assert papertrack("cite", "2509.00001", "--latex").out == "\\cite{vane2025deep}\n"


def test_rekey_takes_a_key_and_the_one_that_it_is_to_be(papertrack: Command, bib: Path) -> None:
    assert papertrack("rekey", "odell", "odell2001doors").err == "odell is now odell2001doors.\n"
    assert papertrack("export", "--bib", "works.bib").code == 0
    assert bib.read_text().startswith("@article{odell2001doors,")
    papertrack("undo")
    assert papertrack("show", "odell").code == 0
    ran = papertrack("rekey", "odell", "no such key")
    assert (ran.code, "no such key" in ran.err) == (3, True)


def test_a_title_typed_as_in_a_bib_file_is_read_as_one(papertrack: Command, bib: Path) -> None:
    for typed, shown in (
        (r"Learning on {GPU}s with \emph{style}", "Learning on GPUs with style"),
        (r"Caf\'e and {\ss}", "Café and ß"),
        ("a lone { brace", "a lone { brace"),
        (r"C:\temp is no macro", r"C:\temp is no macro"),
        ("100% of $O(n)$", "100% of $O(n)$"),
    ):
        assert papertrack("edit", "odell", f"title={typed}").code == 0
        assert json.loads(papertrack("show", "odell", "--json").out)["title"] == shown
        papertrack("export", "--bib", "works.bib")
        assert bib.read_text().count("textbraceleft") == typed.count("lone {")


def test_names_with_commas_between_are_asked_about(papertrack: Command, bib: Path) -> None:
    before = bib.read_text()
    for typed in ("Ann Bee, Cy Dee", "Ann Bee, Cy Dee, Eve Foe"):
        ran = papertrack("edit", "odell", f"authors={typed}")
        assert ran.code == 2
        assert "Ann Bee; Cy Dee" in ran.err
    papertrack("export", "--bib", "works.bib")
    assert bib.read_text() == before


def test_names_that_are_clear_are_taken(papertrack: Command, bib: Path) -> None:
    for typed in (
        "Bee, Ann",
        "van den Berg, Jan",
        "Ann Bee; Cy Dee",
        "Ann Bee, Jr.",
        "Acme, Inc.;",
    ):
        assert papertrack("edit", "odell", f"authors={typed}").code == 0, typed


def test_a_key_can_be_had_back_and_no_other_papers_former_key_is_taken(
    papertrack: Command, bib: Path
) -> None:
    assert papertrack("rekey", "odell", "doors").err == "odell is now doors.\n"
    assert papertrack("rekey", "doors", "odell").err == "odell".join(["doors is now ", ".\n"])
    assert papertrack("rekey", "odell", "ODELL").err == "odell is now ODELL.\n"
    papertrack("rekey", "ODELL", "roofs")
    papertrack("add", "2509.00001", "--offline")
    ran = papertrack("rekey", "2509.00001", "doors")
    assert (ran.code, "former key" in ran.err) == (5, True)


def test_names_typed_as_bibtex_has_them_are_several(papertrack: Command, bib: Path) -> None:
    papertrack("edit", "odell", "authors=Kim, Bob and Lee, Ann")
    shown = json.loads(papertrack("show", "odell", "--json").out)["authors"]
    assert shown == ["Bob Kim", "Ann Lee"]


def test_fields_of_the_publication_are_typed_as_in_a_bib_file(
    papertrack: Command, bib: Path
) -> None:
    before = bib.read_text()
    typed = ("pages=1--9", "volume=3", "publisher=A {\\ss} Press")
    assert papertrack("edit", "odell", *typed).code == 0
    assert papertrack("edit", "odell", "pages=2-8").code == 0
    papertrack("export", "--bib", "works.bib")
    added = ", pages={2--8}, publisher={A {\\ss} Press}, volume=3}"
    assert bib.read_text() == before.replace("year=2001}", "year=2001" + added)
    assert papertrack("export", "--bib", "works.bib").code == 0
    papertrack("edit", "odell", "pages=", "volume=", "publisher=")
    papertrack("export", "--bib", "works.bib")
    assert bib.read_text() == before
    assert papertrack("edit", "odell", "pages=").err == "odell: nothing to do.\n"


def test_a_month_that_is_typed_is_one_of_bibtexs(papertrack: Command, bib: Path) -> None:
    for typed in ("May", "5", "may"):
        assert papertrack("edit", "odell", f"month={typed}").code == 0
        papertrack("export", "--bib", "works.bib")
        assert bib.read_text().count("month=may") == 1
    assert papertrack("edit", "odell", "month=Mayday").code == 2


def test_month_and_day_that_go_with_another_year_are_named(papertrack: Command, home: Path) -> None:
    text = "@article{d, author={A Bee}, title={Doors}, journaltitle={J}, date={2001-03-05}}\n"
    (home / "dated.bib").write_text(text)
    assert run(["init"]) == 0
    papertrack("import", "dated.bib")
    papertrack("edit", "d", "year=2001", "title=Windows")
    assert "2001-03-05" not in papertrack("export", "--bib", "dated.bib").err
    assert (home / "dated.bib").read_text() == text.replace("Doors", "Windows")
    papertrack("edit", "d", "year=2002")
    for options in (["--dry-run"], []):
        told = papertrack("export", "--bib", "dated.bib", *options)
        assert (told.code, "d: date 2001-03-05 is now 2002" in told.err) == (0, True)
    assert "2001-03-05" not in papertrack("export", "--bib", "dated.bib").err
    papertrack("undo")
    assert papertrack("export", "--bib", "dated.bib").err.count("date") == 1  # The file's name.
    assert "{2001-03-05}" in (home / "dated.bib").read_text()


def test_braces_typed_around_words_of_a_title_are_kept(papertrack: Command, bib: Path) -> None:
    before = bib.read_text()

    def title_after(*command: str) -> str:
        assert papertrack(*command).code == 0
        assert papertrack("export", "--bib", "works.bib").code == 0
        return bib.read_text().partition("title={")[2].partition("}, journal")[0]

    assert title_after("edit", "odell", "title=A {Bayes} Paper of {Deep water}") == (
        "A {Bayes} Paper of {Deep water}"
    )
    assert json.loads(papertrack("show", "odell", "--json").out)["title"] == (
        "A Bayes Paper of Deep water"
    )
    assert title_after("edit", "odell", "year=2002").startswith("A {Bayes} ")
    assert title_after("undo") == title_after("redo")
    assert title_after("edit", "odell", "title=On {Rome}") == "On {Rome}"
    for _ in range(3):
        papertrack("undo")
    papertrack("export", "--bib", "works.bib")
    assert bib.read_text() == before


def test_braces_typed_are_in_a_new_entry(papertrack: Command, bib: Path) -> None:
    papertrack("add", "2509.00001", "--offline")
    papertrack("edit", "2509.00001", "title=Deep {Bayes} Lamps", "authors=Cy Vane", "year=2025")
    assert "{Deep {Bayes} Lamps}" in papertrack("cite", "2509.00001", "--bibtex").out
    papertrack("edit", "2509.00001", "title=Deep Bayes {Lamps}")
    assert "{Deep Bayes {Lamps}}" in papertrack("cite", "2509.00001", "--bibtex").out


def test_a_title_with_typed_braces_gives_way_to_the_file(papertrack: Command, bib: Path) -> None:
    papertrack("edit", "odell", "title=A {Bayes} Paper")
    papertrack("export", "--bib", "works.bib")
    assert "nothing to do" in papertrack("import", "works.bib").err
    bib.write_text(bib.read_text().replace("A {Bayes} Paper", "Bayes {Is} Back"))
    assert papertrack("import", "works.bib").code == 0
    after = bib.read_text()
    papertrack("export", "--bib", "works.bib")
    assert bib.read_text() == after
    assert json.loads(papertrack("show", "odell", "--json").out)["title"] == "Bayes Is Back"
