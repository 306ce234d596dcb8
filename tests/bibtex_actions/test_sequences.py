"""Any sequence of edits, renames, exports, imports and undo leaves .bib files whole."""

import json
import random
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from papertrack.cli.app import run
from papertrack.documents.bibtex.blocks import Block, read_blocks
from papertrack.documents.encoding import decode_bib
from tests.cli.commands import Command
from tests.cli.conftest import home, papertrack
from tests.corpus import WHOLE, files

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
FILES = sorted(
    path for path in files("*/**/*.bib") if path.is_file() and 300 < path.stat().st_size < 20_000
)
STEPS = ("rename", "edit", "year", "export", "import", "undo", "undo", "redo", "typed")


def blocks_in(path: Path) -> list[Block]:
    return list(read_blocks(decode_bib(path.read_bytes())[0])) if path.exists() else []


def keys_in(path: Path) -> list[str]:
    return [one.key.casefold() for one in blocks_in(path) if one.kind == "entry" and one.key]


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
            data = Path("refs.bib").read_bytes()
            Path("refs.bib").write_bytes(re.sub(b"Doors|[Tt]he", b"%d" % number, data, count=1))
        case "follow":
            papertrack("edit", paper, f"citekey=key{number}")
            papertrack("rekey", "--follow", "--in", ".", "--write")
        case _:
            papertrack(step)


@pytest.mark.parametrize("seed", range(12 if WHOLE else 4))
def test_no_sequence_writes_a_key_twice_or_what_bibtex_does_not_read(
    papertrack: Command, home: Path, seed: int
) -> None:
    rng = random.Random(seed)
    Path("refs.bib").write_text(TEXT)
    assert run(["init"]) == 0
    papertrack("import", "refs.bib")
    taken = []
    for _ in range(10):
        taken.append(rng.choice(STEPS))
        take(papertrack, taken[-1], rng)
        for path in (Path("refs.bib"), Path("exports/references.bib")):
            keys = keys_in(path)
            assert len(keys) == len(set(keys)), (taken, path.read_text())
        assert all(one.kind != "broken" for one in blocks_in(Path("refs.bib"))), taken
    papertrack("export", "--bib")
    assert told_by_bibtex(Path("refs.bib")) in (0, None), taken


@pytest.mark.parametrize("seed", range(8 if WHOLE else 3))
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


def told_by_bibtex(path: Path) -> int | None:
    """How much BibTeX finds wrong in a file; None where it is not installed."""
    if shutil.which("bibtex") is None:
        return None
    aux = f"\\citation{{*}}\n\\bibstyle{{plain}}\n\\bibdata{{{path.stem}}}\n"
    path.with_name("judge.aux").write_text(aux)
    asked = ["bibtex", "judge"]
    judged = subprocess.run(asked, cwd=path.parent, capture_output=True, check=False)
    return len(re.findall(rb"(?m)^I (?:was expecting|'m skipping)|^Repeated entry", judged.stdout))


@pytest.mark.corpus
@pytest.mark.parametrize("number", range(8 if WHOLE else 3))
def test_no_sequence_over_a_real_file_writes_a_key_twice(
    papertrack: Command, home: Path, number: int
) -> None:
    """A manuscript cites the keys; a key that the file itself has twice stays so."""
    if not FILES:
        pytest.skip("PAPERTRACK_CORPUS is not set")
    rng = random.Random(number)
    file, tex = Path("refs.bib"), Path("main.tex")
    file.write_bytes(FILES[number * 17 % len(FILES)].read_bytes())
    tex.write_text("".join(f"\\cite{{{one.key}}}\n" for one in blocks_in(file) if one.fields))
    lines = tex.read_text().count("\n")
    assert run(["init"]) == 0
    papertrack("import", "refs.bib")
    twice, broken = Counter(keys_in(file)), Counter(one.kind for one in blocks_in(file))["broken"]
    wrong, count = told_by_bibtex(file), len(keys_in(file))
    taken = []
    for _ in range(8):
        taken.append(rng.choice((*STEPS, "follow")))
        take(papertrack, taken[-1], rng)
        for path in (file, Path("exports/references.bib")):
            keys = Counter(keys_in(path))
            assert all(times <= max(1, twice[key]) for key, times in keys.items()), (taken, keys)
        assert Counter(one.kind for one in blocks_in(file))["broken"] <= broken, taken
        assert len(keys_in(file)) == count, taken
    papertrack("export", "--bib")
    assert (told_by_bibtex(file) or 0) <= (wrong or 0), taken
    assert tex.read_text().count("\n") == lines
