"""Macros of the manuscript's own in names of files and in keys."""

import pytest

from papertrack.documents.manuscripts.latex import scan
from papertrack.documents.manuscripts.latex_definitions import define


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
    assert [one.name for one in scan(text, define(text)).inclusions] == files


def test_macros_without_arguments_are_spelled_out_in_keys() -> None:
    text = r"\def\OURS{doe01,roe02}\newcommand{\Y}{2003}\cite{poe\Y, \OURS}"
    found = scan(text, define(text)).citations
    assert [one.citekey for one in found] == ["poe2003", "doe01", "roe02"]
    assert [one.spelled("new") for one in found] == [None] * 3
