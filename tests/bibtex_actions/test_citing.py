"""What a manuscript cites is written, exactly, and what would trouble its references is told."""

from pathlib import Path

import pytest

from papertrack.actions.cite.citing import CitedPapers, bib_entries, cited_papers
from papertrack.actions.cite.manuscripts import read_manuscripts
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.errors import PapertrackError
from papertrack.exporters.bibtex import to_bibtex
from papertrack.records import Author, PaperFacts
from papertrack.store.citekeys import Citekeys
from papertrack.store.papers import add_paper, add_papers
from tests.bibtex_actions.conftest import Desk

END = "</bcf:citekey>"


def cite(desk: Desk, text: str, name: str = "paper.tex") -> CitedPapers:
    path = desk.library.root / name
    path.write_text(text)
    return cited_papers(desk.store, read_manuscripts([path]))


def bib_of(cited: CitedPapers) -> str:
    return to_bibtex(cited.papers, dialect="bibtex", preprint_style="misc", protect=())


def found(cited: CitedPapers) -> list[tuple[str, int, str | None]]:
    return [(one.kind, one.line, one.citekey) for one in cited.findings]


def test_the_nearest_key_is_told_as_it_is_spelled(empty_desk: Desk) -> None:
    empty_desk.import_bib("@misc{Knuth:TeXbook, title={The TeXbook}}")
    first, second = cite(empty_desk, "\\cite{Knuth:Texbok}\\cite{zzz}").findings
    assert (first.nearest, second.nearest) == ("Knuth:TeXbook", None)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("paper.tex", "\\cite{vaswani} and \\citep[p.~3]{knuth}\n% \\cite{kwon:paged}\n"),
        ("paper.aux", "\\citation{vaswani}\n\\citation{knuth}\n"),
        ("paper.bcf", f"<bcf:citekey order='1'>vaswani{END}\n<bcf:citekey>knuth{END}"),
        ("paper.md", "As [@vaswani, p. 3] and @knuth say; see @fig-x.\n\n![Plot](a.png){#fig-x}\n"),
        ("paper.typ", "As @vaswani and @knuth say; see @fig-x.\n#figure[] <fig-x>\n"),
    ],
)  # fmt: skip
def test_exactly_what_is_cited_is_written(desk: Desk, name: str, text: str) -> None:
    cited = cite(desk, text, name)
    assert [entry.citekey for entry in parse_bibtex(bib_of(cited)).entries] == ["knuth", "vaswani"]
    assert cited.findings == ()


def test_a_set_that_is_cited_is_written_with_its_members(empty_desk: Desk) -> None:
    empty_desk.import_bib(
        "@article{one, title={Routing Tokens}, author={Roe, R.}, year={2020}}\n"
        "@article{two, title={Pruning Experts}, author={Doe, J.}, year={2021}}\n"
        "@article{three, title={Caching Pages}, author={Poe, E.}, year={2022}}\n"
        "@set{both, entryset={one,two}}\n"
    )
    cited = cite(empty_desk, "\\cite{both}\n")
    assert found(cited) == []
    written = bib_entries(empty_desk.store, cited.papers, dialect="biblatex")
    assert "@set{both, entryset={one,two}}" in written
    assert [entry.citekey for entry in parse_bibtex(written).entries] == ["one", "two"]


def test_an_unknown_key_is_told_with_its_line_and_the_nearest(desk: Desk) -> None:
    cited = cite(desk, "Text.\n\\cite{vaswani}\n\\cite{vaswanni}\n")
    (finding,) = cited.findings
    assert (finding.kind, finding.line, finding.nearest) == ("unknown", 3, "vaswani")


def test_what_is_cited_is_read_and_not_the_library(desk: Desk) -> None:
    steps = []
    for start in (0, 400):
        facts = [PaperFacts(title=f"Other {n}") for n in range(start, start + 400)]
        with desk.store.action("add"):
            add_papers(desk.store, facts, source="test", decision="saved")
        taken: list[int] = []
        desk.store.connection.set_progress_handler(lambda taken=taken: taken.append(1), 1)
        cite(desk, "\\cite{vaswani,knuth}")
        desk.store.connection.set_progress_handler(None, 0)
        steps.append(len(taken))
    assert steps[1] <= 1.2 * steps[0]


@pytest.mark.parametrize("key", ["10.1145/3600006.3613165", "doi:10.1145/3600006.3613165"])
def test_a_doi_in_the_place_of_a_key_is_told_with_the_key(desk: Desk, key: str) -> None:
    desk.edit("kwon:paged", "doi=10.1145/3600006.3613165", "venue=SOSP")
    (finding,) = cite(desk, f"\\cite{{{key}}}").findings
    assert (finding.kind, finding.nearest) == ("unknown", "kwon:paged")
    assert "names a paper of the library: its key is kwon:paged" in finding.message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("paper.typ", "@fig:x, @tab:y, @eq:z, @sec:w and @knuth"),
        ("paper.qmd", "@fig-x, @tbl-y and @sec:w\n\n#| label: fig-x\n\n[@knuth]"),
    ],
)
def test_a_reference_to_a_figure_or_section_is_no_citation(
    desk: Desk, name: str, text: str
) -> None:
    cited = cite(desk, text, name)
    assert [paper.citekey for paper in cited.papers] == ["knuth"]
    assert cited.findings == ()


def test_typst_files_that_are_taken_in_are_read_with_their_labels(desk: Desk) -> None:
    root = desk.library.root
    (root / "parts").mkdir()
    (root / "parts" / "a.typ").write_text('@knuth @start\n#include "b.typ"\n#include "/c.typ"\n')
    (root / "parts" / "b.typ").write_text("= Methods <methods>\n@vaswani\n")
    (root / "c.typ").write_text("@methods")
    text = '= Start <start>\n#include "parts/a.typ"\n// #include "d.typ"\n#include "e.typ"\n'
    cited = cite(desk, text, "paper.typ")
    assert [paper.citekey for paper in cited.papers] == ["knuth", "vaswani"]
    assert found(cited) == [("missing", 4, None)]


def test_a_paper_cited_by_a_former_key_is_written_under_it(desk: Desk) -> None:
    desk.edit("vaswani", "citekey=vaswani2017attention")
    cited = cite(desk, "\\cite{vaswani}")
    assert [paper.citekey for paper in cited.papers] == ["vaswani"]
    assert cited.findings == ()


def test_one_work_under_two_keys_is_told(desk: Desk) -> None:
    desk.edit("vaswani", "citekey=attention")
    cited = cite(desk, "\\cite{vaswani}\n\\cite{attention}\n")
    assert found(cited) == [("duplicate", 2, "attention")]


def test_two_papers_that_look_like_one_work_are_told(desk: Desk) -> None:
    desk.write(
        "@article{one, title={Routing Tokens to Experts}, author={Roe, R and Doe, J}, year={2020},"
        " journal={J}, doi={10.1000/a}}\n"
        "@article{two, title={Routing Tokens to Experts}, author={Roe, R and Doe, J}, year={2020},"
        " journal={K}, doi={10.1000/b}}\n"
    )
    desk.import_bib()
    cited = cite(desk, "\\cite{one}\n\\cite{two}\n")
    assert found(cited) == [("duplicate", 2, "two")]
    assert "different DOIs" in cited.findings[0].message


def test_keys_that_differ_in_case_are_told_and_written_once(desk: Desk) -> None:
    cited = cite(desk, "\\cite{knuth}\n\\cite{Knuth}\n")
    assert found(cited) == [("case", 2, "Knuth")]
    assert [paper.citekey for paper in cited.papers] == ["knuth"]


def test_a_preprint_that_was_published_is_told(desk: Desk) -> None:
    desk.edit("kwon:paged", "doi=10.1145/3600006.3613165")
    cited = cite(desk, "\\cite{kwon:paged}")
    assert found(cited) == [("preprint", 1, "kwon:paged")]
    assert "10.1145/3600006.3613165" in cited.findings[0].message


def test_an_entry_that_biber_would_warn_of_is_told(desk: Desk) -> None:
    desk.write("@article{bare, title={Bare}, journal={J}}\n")
    desk.import_bib()
    cited = cite(desk, "\\cite{bare}")
    assert found(cited) == [("incomplete", 1, "bare")]
    assert "no author, no year" in cited.findings[0].message


def test_nocite_of_everything_takes_everything(desk: Desk) -> None:
    path = desk.library.root / "paper.tex"
    path.write_text("\\cite{knuth}\\nocite{*}")
    every = [paper.id for paper in desk.papers()]
    cited = cited_papers(desk.store, read_manuscripts([path]), everything=lambda: every)
    assert {paper.citekey for paper in cited.papers} == {"vaswani", "kwon:paged", "knuth"}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (r"\nocite{*}", ["one"]),
        (r"\cite{two}\nocite{*}", ["two"]),
        (r"\cite{two}\nocite{one}\nocite{*}", ["one", "two"]),
    ],
)
def test_everything_is_each_work_once_or_under_the_keys_that_it_is_cited_by(
    empty_desk: Desk, text: str, keys: list[str]
) -> None:
    entry = "@article{{{}, title={{A Work of Two}}, author={{Ann Bee}}, doi={{10.1000/7}}}}\n"
    empty_desk.import_bib(entry.format("one") + entry.format("two"))
    path = empty_desk.library.root / "paper.tex"
    path.write_text(text)
    every = [paper.id for paper in empty_desk.papers()]
    cited = cited_papers(empty_desk.store, read_manuscripts([path]), everything=lambda: every)
    assert sorted(paper.citekey for paper in cited.papers) == keys


def test_files_that_are_taken_in_are_read_once(desk: Desk) -> None:
    root = desk.library.root
    (root / "parts").mkdir()
    (root / "parts" / "intro.tex").write_text("\\cite{knuth}\\input{parts/intro}\\input{paper}")
    (root / "parts" / "old.tex").write_text("\\cite{nobody}")
    cited = cite(desk, "\\input{parts/intro}\n%\\input{parts/old}\n")
    assert [paper.citekey for paper in cited.papers] == ["knuth"]
    assert cited.findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "\\import{parts/}{intro}",
        "\\import*{./parts}{intro.tex}",
        "\\subimport{parts/}{intro}",
        "\\includefrom {parts/} {intro}",
        "\\subinputfrom{parts/}{intro}",
        "\\subfileinclude{parts/intro}",
    ],
)
def test_files_that_are_taken_in_by_their_folder_are_read_with_those_they_take_in(
    desk: Desk, text: str
) -> None:
    (desk.library.root / "parts").mkdir()
    (desk.library.root / "parts" / "intro.tex").write_text(
        "\\cite{knuth}\n\\subimport{deep/}{a}\\subimport{deep/}{b}"
    )
    (desk.library.root / "parts" / "deep").mkdir()
    (desk.library.root / "parts" / "deep" / "a.tex").write_text("\\cite{vaswani}")
    cited = cite(desk, text)
    assert [paper.citekey for paper in cited.papers] == ["knuth", "vaswani"]
    assert found(cited) == [("missing", 2, None)]
    assert cited.findings[0].message.startswith("deep/b is included, but there is no such file")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\n\\include{intro}\\include{methods}\n", [2]),
        ("\\subfile{parts/methods}\n\n\\input{parts/methods}", [1, 3]),
        ("\\input{methods}\n\\InputIfFileExists{other}{}{}\\usepackage{mine}", [1]),
        ("\\input methods\n\\input intro\n\\input{nowhere/methods}", [1, 3]),
        ("\\import{\\parts/}{methods} \\import{#1}{methods} \\important{parts/}{methods}", [1]),
        ("% \\include{methods}\n\\include{#1}\\include{\\parts/methods}\n", [2]),
        ("\\begin{verbatim}\\include{methods}\\end{verbatim}\n", []),
        ("\\end{document}\\include{methods}\n", []),
    ],
)
def test_a_file_that_a_manuscript_takes_in_and_that_is_not_there_is_told_with_its_line(
    desk: Desk, text: str, lines: list[int]
) -> None:
    root = desk.library.root
    (root / "intro.tex").write_text("Text.")
    (root / "parts").mkdir()
    findings = cite(desk, text).findings
    assert [(one.kind, one.line, one.citekey) for one in findings] == [
        ("missing", line, None) for line in lines
    ]
    assert all("methods is included, but" in one.message for one in findings)


def test_an_aux_file_that_is_not_there_is_told(desk: Desk) -> None:
    cited = cite(desk, "\\citation{knuth}\n\\@input{intro.aux}\n", "paper.aux")
    assert found(cited) == [("missing", 2, None)]


def test_a_cited_key_is_frozen(desk: Desk) -> None:
    desk.write("@misc{, title={No Key of Its Own}, author={Roe, R}, year={2020}}\n")
    desk.import_bib()
    key = desk.papers()[-1].citekey
    assert not Citekeys(desk.store).are_frozen([desk.id(key)])
    cite(desk, f"\\cite{{{key}}}")
    assert Citekeys(desk.store).are_frozen([desk.id(key)])


def test_a_manuscript_in_another_encoding_is_read(desk: Desk) -> None:
    path = desk.library.root / "paper.tex"
    path.write_bytes("Ärger \\cite{knuth}".encode("latin-1"))
    assert len(cited_papers(desk.store, read_manuscripts([path])).papers) == 1


@pytest.mark.parametrize("name", ["paper.pdf", "paper.tex", "paper.md"])
def test_what_is_no_text_is_refused_as_a_manuscript(desk: Desk, name: str) -> None:
    manuscript = desk.bib.with_name(name)
    manuscript.write_bytes(b"%PDF-1.5 \x00\xff \\cite{vaswani} @vaswani\n")
    with pytest.raises(PapertrackError, match=f"{name} is not a text file"):
        read_manuscripts([manuscript])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    from papertrack.errors import NotFoundError

    with pytest.raises(NotFoundError, match=r"none\.tex"):
        read_manuscripts([tmp_path / "none.tex"])


@pytest.mark.parametrize(
    ("preamble", "is_told"),
    [
        (r"\documentclass{article}\usepackage[T1]{fontenc}", True),
        (r"\documentclass{article}", True),
        (r"\documentclass{article}\usepackage[T5,T1]{fontenc}", False),
        (r"\documentclass{article}\usepackage{amsmath,fontspec}", False),
        (r"\documentclass[a4paper]{ctexart}", False),
        ("% !TeX program = xelatex\n\\documentclass{article}", False),
    ],
)
def test_letters_that_pdflatex_lacks_are_named(desk: Desk, preamble: str, is_told: bool) -> None:
    facts = PaperFacts("Теорема о Gödel", authors=(Author("Nguyễn Văn Hưng"),), year=2020)
    with desk.store.action("add"):
        add_paper(desk.store, facts, source="edit", citekey="hung")
    cited = cite(desk, preamble + r"\begin{document}\cite{hung,knuth}")
    told = [one for one in cited.findings if one.kind == "unprintable"]
    assert [one.citekey for one in told] == (["hung"] if is_told else [])
    if is_told:
        assert "Т, е, о, р, м, а, ư" in told[0].message


def test_an_own_entry_has_the_letters_that_its_reader_wrote(desk: Desk) -> None:
    desk.import_bib("@book{a, title={Книга}, author={A}, year=1999, publisher={P}}\n")
    assert cite(desk, r"\documentclass{article}\cite{a}").findings == ()
