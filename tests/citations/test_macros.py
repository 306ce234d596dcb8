r"""What macros of the author's say of keys, files and branches; and what they cannot change."""

import json
from pathlib import Path

import pytest

from papertrack.actions.cite.manuscripts import read_manuscripts
from papertrack.cli.app import run
from tests.citations.finding import find_in
from tests.cli.commands import Command
from tests.cli.conftest import home, papertrack

__all__ = ["home", "papertrack"]


def keys(text: str) -> list[str]:
    return [citation.citekey for citation in find_in(text, "paper.tex").citations]


@pytest.mark.parametrize(
    ("latex", "found"),
    [
        (r"\newcommand{\mykey}{odell2020}\cite{\mykey}", ["odell2020"]),
        (r"\def\both{a,b}\cite{\both, c}", ["a", "b", "c"]),
        (r"\def\who{odell}\def\mykey{\who 2020}\cite{\mykey{}}", ["odell2020"]),
        (r"\def\loop{\loop}\cite{a}\cite{\loop}", ["a", r"\loop"]),
        (r"\newcommand{\mine}[1]{\def\x{#1}\cite{\x}}\cite{a}", ["a"]),
    ],
)
def test_macros_without_arguments_stand_for_keys(latex: str, found: list[str]) -> None:
    assert keys(latex) == found


def test_what_a_macro_hides_is_named_and_never_respelled() -> None:
    (citation,) = find_in(r"\def\mykey{odell2020}\cite{\mykey}", "paper.tex").citations
    assert citation.spelled("reyes2021") is None


def manuscript(home: Path, **files: str) -> Path:
    for name, text in files.items():
        path = home / name.replace("__", "/").replace("_tex", ".tex").replace("_cls", ".cls")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return home / "main.tex"


@pytest.mark.parametrize(
    "taking",
    [
        r"\def\PART{.}\import{\PART/parts/}{one}",
        r"\newcommand{\PART}{parts}\input{\PART/one}",
        r"\newcommand\ROOT{.}\newcommand\PART{\ROOT/parts}\subimport{\PART/}{one.tex}",
        r"\def\name{one}\include{parts/\name}",
        r"\def\PART{parts}\input{{\PART}/one}",
        r"\newcommand{\PART}{parts}\newcommand{\ch}[1]{\input{\PART/#1}}\ch{one}",
        r"\newcommand{\ch}[2]{\input{#1/#2.tex}}\newcommand{\two}[1]{\ch{parts}{#1}}\two{one}",
        r"\newcommand{\chapter}[3][parts]{\import{#2/}{#3}}\chapter{parts}{one}",
        r"\newcommand{\from}{\import{parts}}\from{one}",
        r"\makeatletter\def\input@path{{figures/}{parts/}}\makeatother\input{one}",
    ],
)
def test_macros_stand_for_parts_of_file_names(tmp_path: Path, taking: str) -> None:
    main = manuscript(tmp_path, main_tex=taking + r"\cite{a}", parts__one_tex=r"\cite{b}")
    found = read_manuscripts([main])
    assert [one.citekey for file in found for one in file.citations] == ["a", "b"]
    assert not any(file.missing for file in found)


def test_one_argument_may_name_a_folder_and_its_file(tmp_path: Path) -> None:
    main = manuscript(
        tmp_path,
        main_tex=r"\newcommand{\ch}[1]{\include{#1/#1}}\ch{intro}\ch{end}",
        intro__intro_tex=r"\cite{a}",
        end__end_tex=r"\cite{b}",
    )
    found = read_manuscripts([main])
    assert [one.citekey for file in found for one in file.citations] == ["a", "b"]


def test_a_file_that_the_manuscript_does_not_need_is_not_missed(tmp_path: Path) -> None:
    main = manuscript(
        tmp_path, main_tex=r"\IfFileExists{local.tex}{\input{local}}{}\InputIfFileExists{x}{}{}"
    )
    (file,) = read_manuscripts([main])
    assert file.missing == []


def test_a_file_whose_name_stays_unknown_is_named(tmp_path: Path) -> None:
    main = manuscript(
        tmp_path,
        main_tex="\\newcommand{\\part}[1]{\\input{#1}}\n\\input{\\elsewhere/one}\n"
        r"\input{\jobname.gls}",
    )
    (file,) = read_manuscripts([main])
    assert [(one.name, one.line) for one in file.missing] == [(r"\elsewhere/one", 2)]


@pytest.mark.parametrize(
    ("latex", "found"),
    [
        (r"\newif\ifdraft\draftfalse\ifdraft\cite{a}\else\cite{b}\fi\cite{c}", ["b", "c"]),
        (r"\newif\ifdraft\drafttrue\ifdraft\cite{a}\else\cite{b}\fi\cite{c}", ["a", "c"]),
        (r"\newif\ifdraft\ifdraft\cite{a}\fi\cite{c}", ["c"]),
        (r"\newif\ifdraft\draftfalse\ifdraft\ifx\a\b\cite{a}\fi\fi\cite{c}", ["c"]),
        (r"\newif\ifdraft\drafttrue\ifdraft\cite{a}\fi\draftfalse\ifdraft\cite{b}\fi", ["a", "b"]),
        (r"\newif\ifdraft\ifx\a\b\drafttrue\fi\ifdraft\cite{a}\else\cite{b}\fi", ["a", "b"]),
        (r"\newif\ifdraft\DeclareOption{d}{\drafttrue}\ifdraft\cite{a}\fi", ["a"]),
        (r"\draftfalse\ifdraft\cite{a}\fi", ["a"]),
    ],
)
def test_branches_that_a_switch_leaves_out_are_not_read(latex: str, found: list[str]) -> None:
    assert keys(latex) == found


def test_a_switch_may_be_made_in_one_file_and_set_in_another(tmp_path: Path) -> None:
    main = manuscript(
        tmp_path,
        main_tex=r"\input{switches}\longfalse\iflong\cite{a}\else\cite{b}\fi",
        switches_tex=r"\newif\iflong",
    )
    found = read_manuscripts([main])
    assert [one.citekey for file in found for one in file.citations] == ["b"]


@pytest.mark.parametrize(
    "changed",
    [
        r"\newcommand{\special}{\let\citep\specialcitep}",
        r"\def\special{\renewcommand{\citep}[1]{(##1)}}",
        r"{\renewcommand{\citep}[1]{(#1)}}",
        r"\renewcommand{\citep}[1]{\citet{#1}}",
    ],
)
def test_a_citing_command_keeps_its_forms_whatever_a_class_does_to_it(
    tmp_path: Path, changed: str
) -> None:
    main = manuscript(
        tmp_path,
        main_tex=r"\documentclass{own}\begin{document}\citep[see][]{a} \citep{b}\end{document}",
        own_cls=changed,
    )
    found = read_manuscripts([main])
    assert [one.citekey for file in found for one in file.citations] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "files"),
    [
        (r"\newcommand{\ROOT}{.}\import{\ROOT/ch1/}{one}", ["./ch1/one"]),
        (r"\def\CHAP{ch1}\input{\CHAP/two}", ["ch1/two"]),
        (r"\def\CHAP{ch1}\subimport{./\CHAP/}{three}", ["./ch1/three"]),
        (r"\def\A{a}\newcommand\B{\A{}b}\include{\B/c}", ["ab/c"]),
        (r"\newcommand{\F}[1]{#1}\input{\F{x}}", []),
        (r"\def\A{\A\A}\input{\A}", []),
    ],
)
def test_macros_without_arguments_are_spelled_out_in_names_of_files(
    text: str, files: list[str]
) -> None:
    assert [one.name for one in find_in(text, "paper.tex").inclusions if one.files] == files


def test_macros_without_arguments_are_spelled_out_in_keys() -> None:
    text = r"\def\OURS{doe01,roe02}\newcommand{\Y}{2003}\cite{poe\Y, \OURS}"
    found = find_in(text, "paper.tex").citations
    assert [one.citekey for one in found] == ["poe2003", "doe01", "roe02"]
    assert [one.spelled("new") for one in found] == [None] * 3


WORKS = """\
@article{odell, author={Ann Odell}, title={Doors}, journal={J}, year=2001,
  note={Reprinted in \\cite{reyes} and \\citep[p.~3]{quist}.}}
@book{reyes, author={Bo Reyes}, title={Windows}, publisher={P}, year=2002}
@book{vane, author={Cy Vane}, title={Roofs}, publisher={P}, year=2003}
"""


def test_what_an_entry_cites_is_written_with_it_and_what_is_unknown_is_named(
    papertrack: Command, home: Path
) -> None:
    (home / "works.bib").write_text(WORKS)
    (home / "paper.tex").write_text("\\cite{odell}\n")
    assert run(["init"]) == 0
    assert papertrack("import", "works.bib").code == 0
    ran = papertrack("cite", "--tex", "paper.tex", "-o", "paper.bib", "--json")
    told = json.loads(ran.out)
    assert told["citekeys"] == ["odell", "reyes"]
    assert [(one["citekey"], one["line"]) for one in told["findings"]] == [("quist", 1)]
    assert ran.code == 5
    written = (home / "paper.bib").read_text()
    assert "@book{reyes" in written
    assert "vane" not in written


@pytest.mark.parametrize(
    ("latex", "cited"),
    [
        (r"\newcommand{\hide}[1]{}\hide{\cite{a}}\cite{b}", ["b"]),
        (
            r"\def\hide#1{\relax}\def\two#1#2{#1\hide{x #2}}\two{\cite{b}}{\cite{a}}",
            ["b"],
        ),
        (r"\newcommand{\hide}[1]{}\renewcommand{\hide}[1]{#1}\hide{\cite{b}}", ["b"]),
        (r"\iffinal\renewcommand{\note}[1]{}\fi\note{\cite{b}}", ["b"]),
        (r"{\renewcommand{\note}[1]{}\note{x}}\note{\cite{b}}", ["b"]),
        (r"\newcommand{\ks}{a,b}\expandafter\cite\expandafter{\ks}", ["a", "b"]),
        (r"\NewDocumentEnvironment{from}{m}{}{\cite{#1}}\begin{from}{b}x\end{from}", ["b"]),
    ],
)
def test_what_a_macro_leaves_out_is_not_cited(latex: str, cited: list[str]) -> None:
    found = find_in(latex, "paper.tex").citations
    assert [citation.citekey for citation in found if citation.is_cited] == cited


@pytest.mark.parametrize(
    ("latex", "cited"),
    [
        # A macro may leave out one use of its argument and print another.
        (r"\newcommand{\gobble}[1]{}\newcommand{\term}[1]{\gobble{#1}#1}\term{\cite{a}}", ["a"]),
        (r"\def\hide#1{}\def\en#1#2#3{#2}\en{\hide{x}\hide{y}\hide{z}}{\cite{a}}{\cite{b}}", ["a"]),
        (r"\begingroup\renewcommand{\cite}[1]{}\listoffigures\endgroup\cite{a}", ["a"]),
        (r"\begin{quote}\renewcommand{\note}[1]{}\end{quote}\note{\cite{a}}", ["a"]),
        (r"\begin{document}\note{\cite{a}}\renewcommand{\note}[1]{}\end{document}", ["a"]),
        (r"\bgroup\def\note#1{}\egroup\note{\cite{a}}", ["a"]),
        (r"\providecommand{\citeauthor}[1]{}\citeauthor{a}", ["a"]),
        (r"\newenvironment{n}[1]{#1}{}\begin{n}{\cite{a}}\renewenvironment{n}[1]{}{}", ["a"]),
        (r"\newcommand{\hide}[1]{}\csdef{hide}#1{#1}\hide{\cite{a}}", ["a"]),
        (r"\newcommand{\hide}[1]{}\apptocmd{\hide}{#1}{}{}\hide{\cite{a}}", ["a"]),
        (
            r"\newcommand\hide[1]{}\expandafter\def\csname hide\endcsname#1{#1}\hide{\cite{a}}",
            ["a"],
        ),
        # The numbers of arguments count those of all forms.
        (r"\NewDocumentCommand{\x}{t+ m}{#2}\x{\cite{a}}", ["a"]),
        (r"\NewDocumentCommand{\x}{>{\SplitList{;}} m}{#1}\x{\cite{a}}", ["a"]),
        (r"\NewDocumentCommand{\x}{e{_^} O{m{s}} m}{#4}\x[1]{\cite{a}}", ["a"]),
    ],
)
def test_what_a_macro_may_print_is_cited(latex: str, cited: list[str]) -> None:
    found = find_in(latex, "paper.tex").citations
    assert [citation.citekey for citation in found if citation.is_cited] == cited


def test_what_is_not_printed_is_still_renamed() -> None:
    (citation,) = find_in(r"\newcommand{\hide}[1]{}\hide{\cite{old}}", "paper.tex").citations
    assert citation.spelled("new") == "new"
