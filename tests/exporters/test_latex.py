"""Real bibtex, biber and pdflatex take what is exported, and print it as it is.

Debian's packages texlive-latex-recommended, texlive-bibtex-extra, biber and poppler-utils hold the
programs (`make test-latex`); without them these tests are skipped by name.
"""

import os
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from papertrack.actions.documents import import_file
from papertrack.actions.make_library import copied_sample
from papertrack.exporters.bibtex import Dialect, to_bibtex
from papertrack.latex.tables import LETTERS, SYMBOLS
from papertrack.library import create_library
from papertrack.records import Author, Paper
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from tests.exporters.papers import HOSTILE, make_paper

PROGRAMS = ("pdflatex", "bibtex", "biber", "pdftotext")
MISSING = [program for program in PROGRAMS if shutil.which(program) is None]
CORPUS = os.environ.get("PAPERTRACK_CORPUS", "")
# What the data lacks is no fault of how it is written: a README names few authors.
COMPLAINT = re.compile(r"(?:WARN|ERROR|Warning--(?!empty |to sort, need )|error message).*")
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")

# No page numbers: one would stand within a title that goes on over the page.
PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}
\usepackage{amssymb,textcomp}
\input{glyphtounicode}\pdfgentounicode=1\pagestyle{empty}
"""
DOCUMENTS: dict[Dialect, str] = {
    "bibtex": r"""\usepackage{url}\begin{document}\nocite{*}
\bibliographystyle{plain}\bibliography{references}\end{document}""",
    "biblatex": r"""\usepackage[backend=biber]{biblatex}\addbibresource{references.bib}
\begin{document}\nocite{*}\printbibliography\end{document}""",
}
PLAIN = (
    "Efficient Memory Management for Serving with PagedAttention",
    "BERT & GPT-4: 50% of $5_000 for #1 {x}",
    "Don’t “quote” – me… ~ ^ \\ | < >",
    "Ångström, Erdős, Škoda, façade, Łódź and naïve Øre",
    "A--B and ``ticks'' '' `",
    "α-β divergence → ∞",
    "Degrees −3 to 5",
)
FRAGMENTS = (*HOSTILE, *PLAIN)


def words_of(signs: Iterable[str], size: int) -> list[str]:
    """Words of so many signs, for lines to break between."""
    joined = "".join(signs)
    return [joined[start : start + size] for start in range(0, len(joined), size)]


# Once each, because biber sorts long names for seconds. Only the last does not fit on its paper.
LONG = (*(" ".join(words_of(signs, 20)) for signs in (LETTERS, SYMBOLS)), "x" * 300)


def hostile_papers() -> list[Paper]:
    """300 papers, each with three fragments of hostile text in title, names and venue."""
    papers = []
    for number in range(300):
        first, second, third = (
            FRAGMENTS[(number * step + number // len(FRAGMENTS)) % len(FRAGMENTS)]
            for step in (1, 7, 11)
        )
        if number < len(LONG):
            second = LONG[number]
        papers.append(
            make_paper(
                number,
                f"k{number:03}",
                title=f"{first} {second}",
                # biber cannot make initials of a name that begins with a sign.
                authors=(
                    Author(f"A {second}"),
                    Author("Ludwig van Beethoven"),
                    Author("Llama Team"),
                ),
                venue=f"Conference on {third}" if number % 2 else None,
                year=2024 if number % 2 else None,
            )
        )
    return papers


def typeset(folder: Path, papers: list[Paper], dialect: Dialect) -> tuple[str, str]:
    """What bibtex or biber said, and the text of the PDF; fails where LaTeX has an error."""
    (folder / "references.bib").write_text(to_bibtex(papers, dialect=dialect), encoding="utf-8")
    (folder / "paper.tex").write_text(PREAMBLE + DOCUMENTS[dialect], encoding="utf-8")
    latex = ("pdflatex", "-interaction=nonstopmode", "paper")
    run(folder, *latex)
    said = run(folder, "bibtex" if dialect == "bibtex" else "biber", "paper")
    log = run(folder, *latex)
    assert not re.findall(r"^!.*", log, re.MULTILINE)
    # As it was set: by where it stands on the page, the end of a line that is too long goes astray.
    return said, run(folder, "pdftotext", "-raw", "-enc", "UTF-8", "paper.pdf", "-")


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=1800, check=False)
    output = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert done.returncode == 0, output[-3000:]
    return output


def printed(text: str) -> str:
    """For comparing with a PDF's text: no ligatures, breaks or hyphens."""
    text = unicodedata.normalize("NFKC", text).casefold()
    # LaTeX prints ' as an apostrophe, and biber hands it a grave accent as a quotation mark.
    text = text.translate({ord("’"): "'", ord("‘"): "`", ord("“"): "``", ord("”"): "''"})
    return re.sub(r"[\s-]+", "", text)


def letters(text: str) -> str:
    """Letters and digits: fonts and quotation marks of a PDF's text are the typesetter's."""
    return re.sub(r"[^a-z0-9]+", "", unicodedata.normalize("NFKC", text).casefold())


@pytest.mark.parametrize("dialect", DOCUMENTS)
def test_300_hostile_entries_are_set_without_error_or_warning_and_show_their_titles(
    tmp_path: Path, dialect: Dialect
) -> None:
    papers = hostile_papers()
    said, text = typeset(tmp_path, papers, dialect)
    assert not COMPLAINT.findall(said)
    shown = letters(text)
    # Math is printed as math. The long word leaves the paper, and its end is not there to compare.
    titles = [(paper.facts.title or "").replace("\\mathcal", "") for paper in papers]
    missing = {title for title in titles if letters(title) not in shown}
    assert missing == {title for title in titles if LONG[2] in title}


@pytest.mark.parametrize("dialect", DOCUMENTS)
def test_the_list_of_references_holds_the_titles_as_they_are(
    tmp_path: Path, dialect: Dialect
) -> None:
    """Written for this, of the sample library, and of a curated README, set in one run."""
    papers = [make_paper(at, f"k{at}", title=title) for at, title in enumerate(PLAIN)]
    with copied_sample(tmp_path / "sample"):
        pass
    papers += papers_of(tmp_path / "sample", "sample")
    if CORPUS:
        (readme,) = Path(CORPUS, "seeds").glob("003_*.txt")
        (tmp_path / "curated").mkdir()
        shutil.copy(readme, tmp_path / "curated" / "README.md")
        papers += papers_of(tmp_path / "curated", "curated")
    text = assert_titles_are_printed(tmp_path, papers, dialect)
    for word in ("PagedAttention", "BERT", "GPT"):
        assert word in text


def papers_of(folder: Path, prefix: str) -> list[Paper]:
    """What a library has that imported the README of its folder, under keys of its own."""
    library, _ = create_library(folder)
    with Store.create(library.database, now=lambda: datetime(2026, 3, 2, tzinfo=UTC)) as store:
        import_file(store, library, folder / "README.md")
        rows = store.connection.execute("SELECT id FROM papers WHERE kind IN ('paper', 'post')")
        papers = get_papers(store, [row[0] for row in rows])
    assert len(papers) > 10
    return [paper._replace(citekey=prefix + paper.citekey) for paper in papers]


def assert_titles_are_printed(folder: Path, papers: list[Paper], dialect: Dialect) -> str:
    """Nothing is complained about but data that is missing; the PDF's text is returned."""
    said, text = typeset(folder, papers, dialect)
    assert not COMPLAINT.findall(said)
    shown = printed(text)
    for title in (paper.facts.title or "" for paper in papers):
        # Latin Modern has no Chinese and no emoji: their reader takes other fonts.
        assert not has_glyphs(title) or printed(title) in shown
    return text


def has_glyphs(title: str) -> bool:
    return title.isascii() or title in PLAIN
