"""The commands about BibTeX as a user types them: what they print, write and exit with."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from papertrack.cli.app import run
from tests.bibtex_actions.conftest import REFS
from tests.cli.commands import Command
from tests.cli.conftest import furnish, home, made_shelf, papertrack

__all__ = ["home", "made_shelf", "papertrack"]


@pytest.fixture
def bib(papertrack: Command, home: Path, made_shelf: Path) -> Path:
    """A library in the current folder with main.bib imported."""

    def references() -> None:
        (home / "main.bib").write_text(REFS)
        assert run(["init"]) == 0
        assert papertrack("import", "main.bib").code == 0

    furnish(home, made_shelf, references)
    papertrack("trust")
    return home / "main.bib"


def test_import_tells_what_came_in_as_json(papertrack: Command, bib: Path) -> None:
    told = json.loads(papertrack("import", "main.bib", "--json").out)
    assert (told["papers_new"], told["papers_unchanged"], told["entries"]) == (0, 3, 3)
    assert told["encodings"] == ["utf-8"]
    assert told["skipped"] == told["notices"] == told["conflicts"] == []


def test_import_tells_the_file_line_and_reason_of_what_it_could_not_read(
    papertrack: Command, bib: Path
) -> None:
    Path("broken.bib").write_text("\n@misc{a, title={A}\n\n@misc{b, title={B}}\n")
    ran = papertrack("import", "broken.bib", "--json")
    told = json.loads(ran.out)
    (skipped,) = told["skipped"]
    assert (skipped["file"], skipped["line"]) == ("broken.bib", 2)
    assert (ran.code, told["papers_new"]) == (0, 1)


def test_import_tells_with_v_which_entries_became_one_paper(papertrack: Command, bib: Path) -> None:
    entry = "@misc{%s, title={A Title of Its Own}, author={Roe, R}, year={2020}}\n"
    Path("more.bib").write_text(
        entry % "a" + entry % "b" + REFS[REFS.index("@Article") : REFS.index("@book")]
    )
    assert "more.bib:1" not in papertrack("import", "more.bib", "-n").err
    told = papertrack("-v", "import", "more.bib", "-n").err
    assert "more.bib:1: this and line 2 are a.\n" in told
    assert "more.bib:3: this is kwon:paged, which the library had.\n" in told
    joined = json.loads(papertrack("import", "more.bib", "--json").out)["joined"]
    names = ("file", "citekey", "lines", "is_known", "keys")
    assert [tuple(one[name] for name in names) for one in joined] == [
        ("more.bib", "a", [1, 2], False, ["a", "b"]),
        ("more.bib", "kwon:paged", [3], True, ["kwon:paged"]),
    ]


@pytest.mark.parametrize("name", ["new.bib", "new.md"])
@pytest.mark.parametrize("is_empty", [True, False])
def test_a_first_import_that_brings_nothing_says_why(
    papertrack: Command, bib: Path, name: str, is_empty: bool
) -> None:
    link = "- [Paged](https://arxiv.org/abs/2309.06180)\n"
    text = "Nothing.\n" if is_empty else REFS[: REFS.index("@book")] if name == "new.bib" else link
    Path(name).write_text(text)
    count = "2 entries" if name == "new.bib" else "1 entry"
    papertrack("import", name)
    papertrack("documents", name, "--forget")
    wanted = "no entries" if is_empty else f"{count}, all of papers that the library already has"
    assert papertrack("import", name).err.endswith(f"{name}: {wanted}.\n")
    assert "nothing to do" in papertrack("import", name).err


def test_show_tells_the_year_of_a_paper_without_a_day_or_a_venue(
    papertrack: Command, bib: Path
) -> None:
    assert "year        1984" in papertrack("show", "knuth").out
    assert "year   " not in papertrack("show", "vaswani").out


def test_export_checks_shows_and_writes_the_change(papertrack: Command, bib: Path) -> None:
    assert papertrack("export", "--bib", "main.bib", "--check").code == 0
    papertrack("edit", "knuth", "year=1986")
    ran = papertrack("export", "--bib", "main.bib", "--check", "--diff")
    assert ran.code == 5
    assert "+@book{knuth, title={The {\\TeX}book}" in ran.out
    assert bib.read_text() == REFS
    assert papertrack("export", "--bib", "main.bib").code == 0
    assert bib.read_text() == REFS.replace("1984", "1986")


def test_export_appends_what_a_query_names(papertrack: Command, bib: Path) -> None:
    papertrack("add", "2401.00001")
    papertrack("edit", "2401.00001", "title=An Addition", "authors=Richard Roe")
    papertrack("export", "--bib", "main.bib", "author:roe")
    text = bib.read_text()
    assert text.startswith(REFS)
    assert "An Addition" in text[len(REFS) :]
    papertrack("export", "--bib", "main.bib", "author:roe")
    assert bib.read_text() == text


def test_a_conflict_exits_5_and_a_side_can_be_preferred(papertrack: Command, bib: Path) -> None:
    papertrack("edit", "knuth", "year=1986")
    bib.write_text(REFS.replace("1984", "1985"))
    for command in (("import", "main.bib"), ("export", "--bib", "main.bib")):
        ran = papertrack(*command)
        assert ran.code == 5
        assert "conflict in year of knuth" in ran.err
    assert papertrack("sync", "main.bib", "--prefer", "library").code == 0
    assert bib.read_text() == REFS.replace("1984", "1986")


def test_export_refuses_a_bib_file_that_was_never_imported(papertrack: Command, bib: Path) -> None:
    Path("other.bib").write_text(REFS)
    ran = papertrack("export", "--bib", "other.bib")
    assert ran.code == 3
    assert "papertrack import other.bib" in ran.err


def test_cite_writes_what_a_manuscript_cites_and_exits_5_on_findings(
    papertrack: Command, bib: Path
) -> None:
    Path("paper.tex").write_text("\\cite{knuth}\n\\cite{knut}\n")
    ran = papertrack("cite", "--tex", "paper.tex", "-o", "refs.bib")
    assert ran.code == 5
    assert "paper.tex:2: knut is not a key of the library: the nearest key is knuth" in ran.err
    assert Path("refs.bib").read_text().count("@") == 1
    Path("paper.tex").write_text("\\cite{knuth}\n")
    assert papertrack("cite", "--tex", "paper.tex", "-o", "refs.bib").code == 0
    told = json.loads(papertrack("cite", "--tex", "paper.tex", "--json").out)
    assert (told["citekeys"], told["findings"], told["citations"]) == (["knuth"], [], 1)
    assert papertrack("cite", "--tex", "paper.tex", "-o", "main.bib").code == 2


def test_a_list_is_written_again_when_what_it_was_read_from_changes(
    papertrack: Command, bib: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By turns: nothing, a missing file, a fault that goes on, the library, an edit of the list."""
    paper, refs = Path("paper.tex"), Path("refs.bib")
    paper.write_text("\\cite{knuth}\n\\input{part}\n")
    refs.write_text("Mine.")
    steps = iter(
        [
            lambda: None,
            lambda: Path("part.tex").write_text("\\cite{vaswani}\n"),
            paper.unlink,
            lambda: None,
            lambda: paper.write_text("\\cite{vaswani}\n"),
            lambda: run(["edit", "vaswani", "year=2018"]),
            lambda: refs.write_text("Mine again."),
            lambda: paper.write_text("\\cite{knuth}\n"),
        ]
    )
    lists: list[str] = []

    def sleep(seconds: float) -> None:
        lists.append(refs.read_text())
        step = next(steps, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    monkeypatch.setattr("papertrack.cli.cite.time", SimpleNamespace(sleep=sleep))
    ran = papertrack("cite", "--tex", "paper.tex", "-o", "refs.bib", "--watch", "--force")
    assert ran.code == 0
    keys = [" ".join(re.findall(r"^@\w+\{(\w+),", text, re.M)) for text in lists]
    both = "knuth vaswani"
    assert keys == ["knuth", "knuth", both, both, both, "vaswani", "vaswani", "", ""]
    assert ["2018" in text for text in lists[5:7]] == [False, True]
    assert ran.err.count("There is no file paper.tex") == 1
    assert ran.err.count("or was edited since") == 1
    assert lists[-1] == "Mine again."


def test_rekey_lists_the_places_and_changes_them_only_when_told(
    papertrack: Command, bib: Path
) -> None:
    Path("paper.tex").write_text("\\cite{knuth}\n")
    ran = papertrack("rekey", "knuth", "--template", "{auth}{year}", "--in", "paper.tex", "-n")
    assert "paper.tex:1: knuth → knuth1984" in ran.err
    ran = papertrack("rekey", "knuth", "--template", "{auth}{year}", "--in", "paper.tex", "--json")
    assert json.loads(ran.out)["papers"] == [{"citekey_before": "knuth", "citekey": "knuth1984"}]
    assert Path("paper.tex").read_text() == "\\cite{knuth}\n"
    assert papertrack("rekey", "--write").code == 2
    papertrack("undo")
    papertrack("rekey", "knuth", "--template", "{auth}{year}", "--in", "paper.tex", "--write")
    assert Path("paper.tex").read_text() == "\\cite{knuth1984}\n"


def test_a_rekey_that_was_cut_off_before_the_files_is_finished_by_the_same_one(
    papertrack: Command, bib: Path
) -> None:
    Path("paper.tex").write_text("\\cite{knuth}\n")
    rekey = ("rekey", "knuth", "--template", "{auth}{year}", "--in", "paper.tex")
    papertrack(*rekey)
    assert "paper.tex:1: knuth → knuth1984" in papertrack(*rekey, "--write").err
    assert Path("paper.tex").read_text() == "\\cite{knuth1984}\n"


def test_files_are_turned_back_after_a_rekey_was_undone(papertrack: Command, bib: Path) -> None:
    Path("paper.tex").write_text("\\cite{knuth,vaswani}\n")
    rekey = ("rekey", "knuth", "--template", "{auth}{year}", "--in", "paper.tex", "--write")
    papertrack(*rekey)
    papertrack("export", "--bib", "main.bib")
    told = papertrack("undo").err
    assert "`papertrack rekey --follow --in PATH --write` changes them back." in told
    papertrack("export", "--bib", "main.bib")
    assert bib.read_text() == REFS
    follow = ("rekey", "--follow", "--in", "paper.tex")
    assert "paper.tex:1: knuth1984 → knuth" in papertrack(*follow).err
    assert Path("paper.tex").read_text() == "\\cite{knuth1984,vaswani}\n"
    assert papertrack(*follow, "--write").code == 0
    assert Path("paper.tex").read_text() == "\\cite{knuth,vaswani}\n"
    papertrack("redo")
    papertrack(*follow, "--write")
    assert Path("paper.tex").read_text() == "\\cite{knuth1984,vaswani}\n"
    assert papertrack("rekey", "--follow").code == 2
    assert papertrack(*follow, "--template", "{auth}").code == 2


def test_following_keys_gives_no_two_entries_of_a_file_one_key(
    papertrack: Command, bib: Path
) -> None:
    papertrack("merge", "vaswani", "knuth")
    assert papertrack("rekey", "--follow", "--in", "main.bib", "--write").code == 0
    assert bib.read_text() == REFS


def test_what_an_import_joined_is_told_and_taken_apart(papertrack: Command, bib: Path) -> None:
    entry = "@misc{%s, title={Typesetting by Computers}, author={%s}, year={1984}}\n"
    bib.write_text(REFS + entry % ("twice", "Donald Knuth") + entry % ("again", "Knuth, D. E."))
    told = papertrack("import", "main.bib").err
    assert "main.bib: 1 work entered more than once: twice and again." in told
    assert json.loads(papertrack("show", "again", "--json").out)["citekey"] == "twice"
    done = json.loads(papertrack("split", "again", "--json").out)
    assert (done["citekey"], done["other"]) == ("again", "twice")
    assert json.loads(papertrack("show", "again", "--json").out)["citekey"] == "again"
    assert json.loads(papertrack("duplicates", "--json").out) == []
    assert papertrack("split", "again").code == 2
    assert papertrack("split", "nobody").code == 3


def test_duplicates_are_listed_and_called_different(papertrack: Command, bib: Path) -> None:
    papertrack("edit", "kwon:paged", "title=Attention Is All You Need", "year=2017")
    papertrack("edit", "kwon:paged", "authors=Ashish Vaswani")
    (pair,) = json.loads(papertrack("duplicates", "--json").out)
    assert (pair["citekey"], pair["other"]) == ("vaswani", "kwon:paged")
    assert papertrack("duplicates", "--different", "kwon:paged", "vaswani").code == 0
    assert json.loads(papertrack("duplicates", "--json").out) == []


def test_documents_tells_of_a_bib_file_what_it_is(papertrack: Command, bib: Path) -> None:
    shown = papertrack("documents", "main.bib").out.splitlines()
    assert [" ".join(line.split()) for line in shown] == [
        "written for BibTeX",
        "encoding utf-8",
        "line ends LF",
        "entries 3",
        "@strings neurips",
    ]
    told = json.loads(papertrack("documents", "main.bib", "--json").out)
    assert (told["dialect"], told["entries"], told["strings"]) == ("bibtex", 3, ["neurips"])
    assert papertrack("documents", "main.bib", "--set", "order=none").code == 2


@pytest.mark.parametrize("command", [("export", "--check"), ("sync",)])
def test_a_library_of_bib_files_only_is_not_told_that_it_has_no_readme(
    papertrack: Command, bib: Path, command: tuple[str, ...]
) -> None:
    told = papertrack(*command).err
    assert "main.bib: nothing to do" in told
    assert "README" not in told
    assert "No README is registered" in papertrack("export", "--md").err


def test_a_paper_named_twice_is_cited_once(papertrack: Command, bib: Path) -> None:
    assert papertrack("cite", "knuth", "vaswani", "knuth").out == "knuth\nvaswani\n"
    assert papertrack("cite", "knuth", "knuth", "--latex").out == "\\cite{knuth}\n"


def test_a_doi_of_another_work_is_told_with_that_work(papertrack: Command, bib: Path) -> None:
    papertrack("edit", "knuth", "doi=10.1000/x")
    Path("other.bib").write_text(
        "@book{cheese, title={On Cheese}, author={Doe, J}, doi={10.1000/x}}"
    )
    ran = papertrack("import", "other.bib")
    assert ran.code == 5
    assert "in doi of cheese: the file says “10.1000/x”, which belongs to knuth," in ran.err
    assert ran.err.splitlines()[-1].endswith("`papertrack merge` when two papers are one work.")


def test_a_key_that_never_left_the_library_gets_no_entry(papertrack: Command, home: Path) -> None:
    """One that a file had goes on to stand in it."""
    assert run(["init"]) == 0
    papertrack("add", "2509.00001", "--offline")
    papertrack("edit", "arxiv2509.00001", "title=A Fine Study", "authors=Ann Bee; Cy Dee")
    for key in ("bee2025fine", "second"):
        papertrack("export", "--bib")
        text = Path("exports/references.bib").read_text()
        papertrack("rekey", key, "second" if key == "bee2025fine" else "third")
    assert re.findall("(?m)^@.*", text) == ["@misc{bee2025fine,", "@misc{second,"]
    assert "ids = {bee2025fine,second}" in re.sub(
        " +", " ", papertrack("export", "--bib", "--biblatex", "-o", "-").out
    )
    for former in ("arxiv2509.00001", "bee2025fine", "second"):
        assert papertrack("show", former).out.startswith("A Fine Study\n")


@pytest.mark.parametrize("where", [["-o", "-"], ["-o", "out.bib"], ["main.bib"]])
def test_that_no_paper_matches_is_told(papertrack: Command, bib: Path, where: list[str]) -> None:
    ran = papertrack("export", "--bib", *where, "nowhere")
    assert "No paper matches nowhere." in ran.err
    assert bib.read_text() == REFS
