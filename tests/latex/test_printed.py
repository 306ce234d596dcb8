"""A real pdflatex prints what is written for it, with bibtex between them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from papertrack.exporters.bibtex import to_bibtex
from papertrack.latex.tables import LETTERS, STYLED, SYMBOLS
from tests.exporters.papers import make_paper

MISSING = [program for program in ("pdflatex", "bibtex") if shutil.which(program) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")

TITLES = [
    *(" ".join(characters) for characters in (LETTERS, SYMBOLS)),
    *(" ".join(characters.values()) for characters in STYLED.values()),
    "Growth of H₂O ≤ E³ over ℝ² in 10⁻¹² steps → ∞",
    "Ελληνικά γράμματα, ΐ, Ώς and a µm − 3",
    "Șț, ǽ and Ǿ",
    "Trần Thị Ngọc Gấm, Đặng Văn Thiệu: ẠẹịọụỴ ặậẵẫễỗ",
]
DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}\usepackage{amssymb}
\begin{document}\nocite{*}\bibliographystyle{plain}\bibliography{refs}\end{document}
"""


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300, check=False)
    return done.stdout.decode("utf-8", "replace")


def test_every_character_that_has_a_name_is_printed_and_keeps_its_capitals(tmp_path: Path) -> None:
    papers = [make_paper(at, f"k{at}", title=f"An {title}") for at, title in enumerate(TITLES)]
    (tmp_path / "refs.bib").write_text(to_bibtex(papers), encoding="utf-8")
    (tmp_path / "paper.tex").write_text(DOCUMENT, encoding="utf-8")
    # Metrics are all that a DVI needs: which outlines of fonts there are is the machine's.
    latex = ("pdflatex", "-interaction=nonstopmode", "-output-format=dvi", "paper")
    run(tmp_path, *latex)
    run(tmp_path, "bibtex", "paper")
    set_list = (tmp_path / "paper.bbl").read_text(encoding="utf-8")
    assert set_list.isascii()
    # The style plain writes titles small: a capital in a style is another sign, and stays.
    for argument in STYLED["mathbb"]:
        assert f"mathbb{{{argument}}}" in set_list
    run(tmp_path, *latex)
    log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert not re.findall(r"^(?:!|Missing character).*", log, re.MULTILINE)
    assert (tmp_path / "paper.dvi").exists()
