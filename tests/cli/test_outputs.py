"""No -o replaces a file that papertrack did not write last."""

from pathlib import Path

import pytest

from tests.cli.commands import Command

BY_HAND = "written by hand\n"
FORMS = ("bib", "csl", "ris", "csv", "json", "md")
BIB = "@article{a, title={On {B}ayes}, author={A. Bee}, journal={J}, year=1999}\n"


@pytest.fixture
def listed(papertrack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    papertrack("init", str(tmp_path / "library"))
    monkeypatch.chdir(tmp_path / "library")
    Path("main.bib").write_text(BIB)
    assert papertrack("import", "main.bib").code == 0
    return tmp_path / "library"


@pytest.mark.parametrize("form", FORMS)
def test_a_file_by_another_hand_is_left_with_what_to_do(
    papertrack: Command, listed: Path, form: str
) -> None:
    target = listed / "mine.txt"
    target.write_text(BY_HAND)
    ran = papertrack("export", f"--{form}", "-o", str(target))
    assert (ran.code, target.read_text()) == (5, BY_HAND)
    assert "--force" in ran.err


@pytest.mark.parametrize("form", FORMS)
def test_force_replaces_it_and_keeps_a_copy(papertrack: Command, listed: Path, form: str) -> None:
    target = listed / "mine.txt"
    target.write_text(BY_HAND)
    ran = papertrack("export", f"--{form}", "-o", str(target), "--force")
    assert ran.code == 0
    assert target.read_text() != BY_HAND
    assert (listed / "mine.txt.before-1").read_text() == BY_HAND
    assert "mine.txt.before-1" in ran.err


def test_what_papertrack_wrote_is_replaced_until_somebody_edits_it(
    papertrack: Command, listed: Path
) -> None:
    target = listed / "all.bib"
    assert papertrack("export", "--bib", "-o", "all.bib").code == 0
    papertrack("edit", "a", "title=Another")
    assert papertrack("export", "--bib", "-o", "all.bib").code == 0
    assert "Another" in target.read_text()
    target.write_text(target.read_text() + "% mine\n")
    papertrack("edit", "a", "title=A third")
    assert papertrack("export", "--bib", "-o", "all.bib").code == 5
    assert target.read_text().endswith("% mine\n")


@pytest.mark.parametrize("is_written", [False, True])
def test_what_a_killed_run_was_writing_is_known_to_be_papertracks(
    papertrack: Command, listed: Path, monkeypatch: pytest.MonkeyPatch, is_written: bool
) -> None:
    papertrack("export", "--bib", "-o", "all.bib")
    papertrack("edit", "a", "title=Another")

    def killed(path: Path, data: bytes) -> None:
        if is_written:
            path.write_bytes(data)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("papertrack.actions.outputs.write_file", killed)
        assert papertrack("export", "--bib", "-o", "all.bib").code == 130
    papertrack("edit", "a", "title=A third")
    assert papertrack("export", "--bib", "-o", "all.bib").code == 0
    assert "A third" in (listed / "all.bib").read_text()


def test_one_copy_of_what_is_replaced_is_enough(papertrack: Command, listed: Path) -> None:
    for _ in range(2):
        (listed / "mine.txt").write_text(BY_HAND)
        assert papertrack("export", "--bib", "-o", "mine.txt", "--force").code == 0
    assert [path.name for path in listed.glob("mine.txt.*")] == ["mine.txt.before-1"]


def test_the_librarys_own_exports_are_kept_too(papertrack: Command, listed: Path) -> None:
    own = listed / "exports" / "references.bib"
    own.parent.mkdir(exist_ok=True)
    own.write_text(BY_HAND)
    assert papertrack("export", "--bib").code == 5
    assert own.read_text() == BY_HAND


def test_no_link_that_leads_elsewhere_is_written_through(papertrack: Command, listed: Path) -> None:
    outside = listed.parent / "outside"
    outside.mkdir()
    (listed / "all.bib").symlink_to(outside / "bashrc")
    (listed / "exports" / "x").mkdir(parents=True)
    (listed / "exports" / "folder").symlink_to(outside)
    for name in ("all.bib", "exports/folder/all.bib"):
        ran = papertrack("export", "--bib", "-o", name, "--force")
        assert ran.code == 5
        assert "symbolic link" in ran.err
    assert list(outside.iterdir()) == []


def test_a_link_to_a_file_beside_it_is_written_through(papertrack: Command, listed: Path) -> None:
    (listed / "all.bib").symlink_to("real.bib")
    assert papertrack("export", "--bib", "-o", "all.bib").code == 0
    assert (listed / "all.bib").is_symlink()
    assert "Bayes" in (listed / "real.bib").read_text().replace("{B}", "B")


@pytest.mark.parametrize("text", ["No citation here.\n", "See \\cite{nobody}.\n"])
def test_a_list_of_nothing_is_not_written(papertrack: Command, listed: Path, text: str) -> None:
    (listed / "paper.tex").write_text("\\cite{a}")
    assert papertrack("cite", "--tex", "paper.tex", "-o", "refs.bib").code == 0
    assert (listed / "refs.bib").read_text() == BIB
    (listed / "paper.tex").write_text(text)
    ran = papertrack("cite", "--tex", "paper.tex", "-o", "refs.bib")
    assert ran.code == 5
    assert "nothing was written" in ran.err
    assert (listed / "refs.bib").read_text() == BIB


def test_cite_replaces_no_file_by_another_hand(papertrack: Command, listed: Path) -> None:
    (listed / "paper.tex").write_text("\\cite{a}")
    (listed / "refs.bib").write_text(BY_HAND)
    assert papertrack("cite", "--tex", "paper.tex", "-o", "refs.bib").code == 5
    assert (listed / "refs.bib").read_text() == BY_HAND
    assert papertrack("cite", "--tex", "paper.tex", "-o", "refs.bib", "--force").code == 0
    assert (listed / "refs.bib").read_text() == BIB
