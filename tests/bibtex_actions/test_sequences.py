"""Any sequence of edits, renames, exports, imports and undo leaves .bib files whole."""

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from papertrack.cli.app import run
from papertrack.documents.bibtex.blocks import read_blocks
from tests.cli.commands import Command
from tests.cli.conftest import home, papertrack

__all__ = ["home", "papertrack"]

TEXT = """@string{jog = "Journal of Gates"}

@article{bee,
  author  = {{The Gate Team} and Bee, Ann},
  title   = {On {Gates} of {OldTown}},
  journal = jog,
  month   = mar,
  year    = 2001
}

@inproceedings{cee, author="Cee, Carl", title="Doors and {Windows}", booktitle="Days", year=2003}

@misc{dee, title = {Roofs}, author = {Dee, D.}, year = {2004}, eprint = {2401.00001},
  archiveprefix = {arXiv}}
"""
STEPS = ("rename", "edit", "year", "export", "import", "undo", "undo", "redo", "typed")


def keys_in(path: Path) -> list[str]:
    return [one.key.casefold() for one in read_blocks(path.read_text()) if one.kind == "entry"]


def take(papertrack: Command, step: str, rng: random.Random) -> None:
    """Take one step as a reader would; what is refused changes nothing."""
    papers = [one["citekey"] for one in json.loads(papertrack("list", "--json").out or "[]")]
    paper = rng.choice(papers) if papers else "bee"
    number = rng.randrange(100)
    match step:
        case "rename":
            papertrack("rekey", paper, rng.choice(["bee", "cee", "new", f"key{number}"]))
        case "edit":
            papertrack("edit", paper, f"title=On {number} Gates")
        case "year":
            papertrack("edit", paper, f"year={1900 + number}")
        case "export":
            papertrack("export", "--bib")
        case "import":
            papertrack("import", "refs.bib")
        case "typed":
            text = Path("refs.bib").read_text()
            Path("refs.bib").write_text(re.sub("Doors", f"Doors {number}", text, count=1))
        case _:
            papertrack(step)


@pytest.mark.parametrize("seed", range(12))
def test_no_sequence_writes_a_key_twice(papertrack: Command, home: Path, seed: int) -> None:
    rng = random.Random(seed)
    Path("refs.bib").write_text(TEXT)
    assert run(["init"]) == 0
    papertrack("import", "refs.bib")
    taken = []
    for _ in range(10):
        taken.append(rng.choice(STEPS))
        take(papertrack, taken[-1], rng)
        for path in (Path("refs.bib"), Path("exports/references.bib")):
            keys = keys_in(path) if path.exists() else []
            assert len(keys) == len(set(keys)), (taken, path.read_text())
        blocks = list(read_blocks(Path("refs.bib").read_text()))
        assert all(one.kind != "broken" for one in blocks), taken


@pytest.mark.parametrize("seed", range(8))
def test_undo_of_everything_leaves_nothing_behind(
    papertrack: Command, home: Path, seed: int
) -> None:
    rng = random.Random(100 + seed)
    Path("refs.bib").write_text(TEXT)
    assert run(["init"]) == 0
    papertrack("import", "refs.bib")
    papertrack("export", "--bib")
    before = papertrack("export", "--json").out
    done = 0
    for _ in range(6):
        step = rng.choice(("rename", "edit", "year", "export"))
        told = papertrack("log", "--json").out
        take(papertrack, step, rng)
        done += step != "export" and told != papertrack("log", "--json").out
    for _ in range(done):
        papertrack("undo")
    papertrack("export", "--bib")
    assert Path("refs.bib").read_text() == TEXT
    assert papertrack("export", "--json").out == before


@pytest.mark.skipif(shutil.which("bibtex") is None, reason="bibtex is not installed")
@pytest.mark.parametrize("seed", range(3))
def test_bibtex_reads_what_a_sequence_left(papertrack: Command, home: Path, seed: int) -> None:
    rng = random.Random(200 + seed)
    Path("refs.bib").write_text(TEXT)
    assert run(["init"]) == 0
    papertrack("import", "refs.bib")
    for _ in range(8):
        take(papertrack, rng.choice(STEPS), rng)
    papertrack("export", "--bib")
    Path("paper.aux").write_text("\\citation{*}\n\\bibstyle{plain}\n\\bibdata{refs}\n")
    judged = subprocess.run(["bibtex", "paper"], capture_output=True, text=True, check=False)
    assert "error message" not in judged.stdout, judged.stdout
