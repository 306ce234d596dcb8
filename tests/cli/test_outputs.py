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


@pytest.mark.parametrize("is_dangling", [True, False])
def test_a_copy_is_kept_through_no_planted_link(
    papertrack: Command, listed: Path, tmp_path: Path, is_dangling: bool
) -> None:
    target, mine = listed / "mine.csv", tmp_path / "elsewhere" / "bashrc"
    target.write_text(BY_HAND)
    if not is_dangling:
        mine.parent.mkdir()
        mine.write_text("mine")
    (listed / "mine.csv.before-1").symlink_to(mine)
    assert papertrack("export", "--csv", "-o", str(target), "--force").code == 0
    assert (mine.read_text() if mine.exists() else "") == ("" if is_dangling else "mine")
    assert mine.parent.exists() is not is_dangling
    assert (listed / "mine.csv.before-2").read_text() == BY_HAND


def test_a_file_by_another_hand_is_replaced_by_force_only_and_a_copy_kept(
    papertrack: Command, listed: Path
) -> None:
    for form in FORMS:
        target = listed / f"mine-{form}.txt"
        target.write_text(BY_HAND)
        ran = papertrack("export", f"--{form}", "-o", str(target))
        assert (ran.code, target.read_text()) == (5, BY_HAND)
        assert "--force" in ran.err
        for _ in range(2):  # One copy is enough.
            target.write_text(BY_HAND)
            ran = papertrack("export", f"--{form}", "-o", str(target), "--force")
            assert ran.code == 0
            assert target.read_text() != BY_HAND
            (kept,) = listed.glob(f"{target.name}.*")
            assert (kept.name, kept.read_text()) == (f"{target.name}.before-1", BY_HAND)
            assert kept.name in ran.err


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


def test_what_a_killed_run_was_replacing_is_one_action_of_the_next(
    papertrack: Command, listed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (listed / "mine.txt").write_text(BY_HAND)
    forced = ("export", "--bib", "-o", "mine.txt", "--force")

    def killed(path: Path, data: bytes) -> None:
        if path.name == "mine.txt":
            raise KeyboardInterrupt
        path.write_bytes(data)

    with monkeypatch.context() as patch:
        patch.setattr("papertrack.actions.outputs.write_file", killed)
        assert papertrack(*forced).code == 130
    assert papertrack(*forced).code == 0
    assert papertrack("log").out.count("mine.txt") == 1
    papertrack("undo", "--yes")
    assert (listed / "mine.txt").read_text() == BY_HAND


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


def replaced(papertrack: Command, listed: Path) -> tuple[Path, str]:
    """A file by another hand in whose place an export was written."""
    target = listed / "mine.bib"
    target.write_text(BY_HAND)
    assert papertrack("export", "--bib", "-o", "mine.bib", "--force").code == 0
    return target, target.read_text()


def test_undo_gives_a_replaced_file_back_and_redo_writes_it_again(
    papertrack: Command, listed: Path
) -> None:
    target, written = replaced(papertrack, listed)
    for _ in range(2):
        assert papertrack("undo", "--dry-run").code == 0
        assert target.read_text() == written
        ran = papertrack("undo")
        assert (ran.code, target.read_text()) == (0, BY_HAND)
        assert "as it was" in ran.err
        assert papertrack("redo").code == 0
        assert target.read_text() == written
    # It is papertrack's own again, and its replacement is one action of several.
    assert papertrack("edit", "a", "title=Another").code == 0
    assert papertrack("export", "--bib", "-o", "mine.bib").code == 0
    later = target.read_text()
    assert "Another" in later
    assert papertrack("undo").code == 0
    assert target.read_text() == later
    assert papertrack("undo").code == 0
    assert target.read_text() == BY_HAND
    # It is the reader's own again.
    assert papertrack("export", "--bib", "-o", "mine.bib").code == 5
    assert papertrack("redo").code == 0
    assert target.read_text() == later


def test_undo_leaves_a_replaced_file_that_was_changed_since(
    papertrack: Command, listed: Path
) -> None:
    target, written = replaced(papertrack, listed)
    target.write_text(written + "% mine\n")
    ran = papertrack("undo")
    assert (ran.code, target.read_text()) == (0, written + "% mine\n")
    assert "left as it is" in ran.err
    ran = papertrack("redo")
    assert (ran.code, target.read_text()) == (0, written + "% mine\n")
    assert "left as it is" in ran.err


def test_undo_gives_a_replaced_file_back_that_was_removed_since(
    papertrack: Command, listed: Path
) -> None:
    target, written = replaced(papertrack, listed)
    target.unlink()
    assert papertrack("undo").code == 0
    assert target.read_text() == BY_HAND
    target.unlink()
    assert papertrack("redo").code == 0
    assert target.read_text() == written


def test_a_killed_undo_of_a_replaced_file_is_finished_by_the_next(
    papertrack: Command, listed: Path
) -> None:
    target, written = replaced(papertrack, listed)
    target.write_text(BY_HAND)  # It had come as far as the file.
    assert papertrack("undo").code == 0
    assert target.read_text() == BY_HAND
    target.write_text(written)
    assert papertrack("redo").code == 0
    assert target.read_text() == written


def test_undo_writes_nothing_outside_of_a_library_that_is_not_trusted(
    papertrack: Command, listed: Path
) -> None:
    target = listed.parent / "outside.bib"
    target.write_text(BY_HAND)
    assert papertrack("export", "--bib", "-o", str(target), "--force").code == 0
    written = target.read_text()
    assert papertrack("trust", "--forget").code == 0
    assert papertrack("undo").code != 0
    assert target.read_text() == written
    assert papertrack("trust").code == 0
    assert papertrack("undo").code == 0
    assert target.read_text() == BY_HAND


@pytest.mark.parametrize(
    "run", ["topic --opml main.bib", "export --csv -o main.bib", "table --format md -o main.bib"]
)
def test_no_other_output_replaces_a_list(papertrack: Command, listed: Path, run: str) -> None:
    papertrack("edit", "a", "year=2000")
    assert papertrack("export", "--bib", "main.bib").code == 0, "papertrack wrote it last"
    before = (listed / "main.bib").read_bytes()
    ran = papertrack(*run.split(), "--force")
    assert (ran.code, "is a registered document" in ran.err) == (2, True)
    assert (listed / "main.bib").read_bytes() == before
