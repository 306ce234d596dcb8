"""``papertrack check`` of a .bib file: what only the file itself can mend."""

import json
from pathlib import Path

import pytest

from papertrack.documents.bibtex.check import check_bibliography
from papertrack.documents.bibtex.parse import parse_bibtex
from tests.cli.commands import Command

COPIED = """@article{experts, title={Sparse Mixtures of Experts}, author={Roe, A}, doi={10.1000/x}}
@article{cheese, title={A History of Cheese}, author={Doe, Jane}, doi={10.1000/x}}
"""
SHARED = (
    "main.bib:2: shared-address: cheese has the doi:10.1000/x of experts in line 1, and is another "
    "work: no author in common.\n"
)


def kinds(text: str) -> list[tuple[int, str, int | None]]:
    found = check_bibliography(parse_bibtex(text))
    return sorted((one.line, one.kind, one.other_line) for one in found)


def test_a_doi_of_two_works_is_found_with_lines_and_keys(papertrack: Command, home: Path) -> None:
    (home / "main.bib").write_text(COPIED, encoding="utf-8")
    ran = papertrack("check", "main.bib")
    assert (ran.code, ran.out) == (5, SHARED)
    assert ran.err == "1 finding in 2 entries of 1 file.\n"
    assert papertrack("check", "main.bib", "--ignore", "shared-address").code == 0


def test_a_registered_bib_file_is_checked_without_naming_it(
    papertrack: Command, home: Path
) -> None:
    (home / "main.bib").write_text(COPIED, encoding="utf-8")
    papertrack("init")
    assert papertrack("import", "main.bib").code == 0
    assert "cheese has the doi:10.1000/x of experts" in papertrack("check").out
    (finding,) = json.loads(papertrack("check", "--json").out)["findings"]
    assert (finding["kind"], finding["line"], finding["other_line"]) == ("shared-address", 2, 1)


def test_what_is_recorded_is_not_told_again(papertrack: Command, home: Path) -> None:
    bib = home / "main.bib"
    bib.write_text(COPIED, encoding="utf-8")
    assert papertrack("check", "main.bib", "--write-baseline", "known.json").code == 0
    bib.write_text("@misc{new, title={Something Else}}\n" + COPIED, encoding="utf-8")
    assert papertrack("check", "main.bib", "--baseline", "known.json").code == 0
    bib.write_text(COPIED + COPIED.replace("/x}", "/y}"), encoding="utf-8")
    ran = papertrack("check", "main.bib", "--baseline", "known.json", "--fail-on", "warning")
    assert ran.code == 5
    assert "10.1000/y" in ran.out


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@misc{a, title={One Work of Its Own}, author={Roe, A}, year=2020, eprint={2001.00001}}\n"
         "@article{b, title={One Work of Its Own}, author={Roe, A}, year=2021, journal={J}}\n",
         [(2, "same-work", 1)]),
        ("@book{a, title={One Work}, author={Roe, A}, doi={10.1000/x}}\n"
         "@inbook{b, title={One Work}, author={Roe, A}, chapter=2, doi={10.1000/x}}\n",
         [(2, "shared-address", 1)]),
        ("@article{a, title={One Work I}, author={Roe, A}, doi={10.1000/x}}\n"
         "@article{b, title={One Work II}, author={Roe, A}, doi={10.1000/x}}\n",
         [(2, "shared-address", 1)]),
        ("@misc{a, title={One Tool}, url={https://x.example/tool}, version={1}}\n"
         "@misc{b, title={One Tool}, url={https://x.example/tool}, version={2}}\n", []),
        ("@misc{a, title={One Title Here}}\n@misc{a, title={Quite Another One}}\n",
         [(2, "odd-entry", None)]),
        ("@misc{a, title={A}\n\n@misc{b, title={B}}\n", [(1, "not-read", None)]),
    ],
)  # fmt: skip
def test_entries_are_held_against_each_other(
    text: str, found: list[tuple[int, str, int | None]]
) -> None:
    assert kinds(text) == found
