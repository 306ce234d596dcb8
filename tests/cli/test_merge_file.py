"""``papertrack merge-file``: by hand, and as git's merge driver."""

import subprocess
import sys
from pathlib import Path

from tests.cli.commands import Command

BASE = "# L\n\n- [Alpha](https://arxiv.org/abs/2401.00001)\n"
OURS = BASE + "- [Beta](https://arxiv.org/abs/2401.00002)\n"
THEIRS = BASE + "- [Gamma](https://arxiv.org/abs/2401.00003)\n"
BOTH = OURS + THEIRS.removeprefix(BASE)


def versions(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{name}.md" for name in ("base", "ours", "theirs")]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text.encode())
    return paths


def test_the_result_is_written_into_ours_or_printed(papertrack: Command, tmp_path: Path) -> None:
    paths = versions(tmp_path, BASE, OURS, THEIRS)
    assert papertrack("merge-file", *paths, "--dry-run").code == 0
    assert papertrack("merge-file", *paths, "--print").out == BOTH
    assert paths[1].read_text() == OURS
    assert papertrack("merge-file", *paths).code == 0
    assert [path.read_text() for path in paths] == [BASE, BOTH, THEIRS]


def test_a_conflict_exits_with_5_and_stands_in_the_file(
    papertrack: Command, tmp_path: Path
) -> None:
    paths = versions(tmp_path, BASE, BASE.replace("Alpha", "One"), BASE.replace("Alpha", "Two"))
    ran = papertrack("merge-file", *paths)
    assert (ran.code, "1 conflict" in ran.err) == (5, True)
    assert paths[1].read_text().count("<<<<<<< ours\n") == 1
    assert papertrack("merge-file", *paths).code == 1, "a version with markers is refused"


def test_other_line_ends_are_no_change_of_every_line(papertrack: Command, tmp_path: Path) -> None:
    paths = versions(tmp_path, BASE, OURS.replace("\n", "\r\n"), THEIRS)
    assert papertrack("merge-file", *paths).code == 0
    assert paths[1].read_bytes() == BOTH.replace("\n", "\r\n").encode()


def test_a_name_tells_a_bib_file(papertrack: Command, tmp_path: Path) -> None:
    entry = "@article{one,\n  title = {One},\n}\n"
    texts = (entry, entry + entry.replace("one", "two"), entry + entry.replace("one", "three"))
    paths = versions(tmp_path, *texts)
    assert papertrack("merge-file", *paths, "--path", "main.bib").code == 0
    assert paths[1].read_text() == texts[1] + entry.replace("one", "three")


def test_a_missing_version_is_told(papertrack: Command, tmp_path: Path) -> None:
    paths = versions(tmp_path, BASE, OURS, THEIRS)
    paths[0].unlink()
    ran = papertrack("merge-file", *paths)
    assert ran.code == 3
    assert "base.md" in ran.err


def test_git_merges_with_it(tmp_path: Path) -> None:
    driver = f"{sys.executable} -m papertrack merge-file %O %A %B --path %P"
    settings = ("user.name=A", "user.email=a@example.org", f"merge.papertrack.driver={driver}")

    def git(*arguments: str) -> None:
        options = [part for setting in settings for part in ("-c", setting)]
        subprocess.run(["git", *options, *arguments], cwd=tmp_path, check=True)

    readme = tmp_path / "README.md"
    git("init", "-q", "-b", "main")
    (tmp_path / ".gitattributes").write_text("README.md merge=papertrack\n")
    for branch, text in (("main", BASE), ("theirs", THEIRS), ("ours", OURS)):
        if branch != "main":
            git("checkout", "-q", "-b", branch, "main")
        readme.write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", branch)
    git("merge", "-q", "theirs")
    assert readme.read_text() == BOTH
