"""Files that are no README and no .bib file are refused in one sentence, however they are named."""

from pathlib import Path

import pytest

from tests.cli.commands import Command

TEXTS = {
    "page": "<!DOCTYPE html>\n<html><body><ul><li><a href='https://x.example'>x</a></ul></html>",
    "EndNote": "%0 Journal Article\n%T A title\n%A Bee, A.\n%D 1999\n",
    "JSON": '[{"id": "a", "name": "A title", "people": ["Bee"]}]\n',
    "YAML": "name: A title of a paper\npeople:\n- last: Bee\n  first: A.\nplace: 10.1/x\n",
    "CSV": "Key,Title,Author,Year,Url\nA1,A title,Bee,1999,https://x.example/a\n",
    "script": "import os\n\n# Where all is\nROOT = os.getcwd()\nprint(ROOT)\n",
    "shell": "#!/bin/sh\n# Says hello\necho hello\n",
    "thesis": "\\documentclass{article}\n\\begin{document}\n# Not a heading\n\\end{document}\n",
}


@pytest.fixture
def library(papertrack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    papertrack("init", str(tmp_path / "library"))
    monkeypatch.chdir(tmp_path / "library")
    return tmp_path / "library"


def test_it_is_refused_and_not_registered(papertrack: Command, library: Path) -> None:
    for suffix in (".md", ".bib", ".txt", ""):
        path = library / f"refs{suffix}"
        for name, text in TEXTS.items():
            path.write_text(text)
            ran = papertrack("import", str(path))
            assert ran.code == 1, name
            assert ran.err.count("\n") == 1, name
    assert papertrack("documents", "--json").out.strip() == "[]"
    assert papertrack("list", "--json").out.strip() == "[]"


READMES = [
    "# A list to be\n\n## First section\n",
    "---\ntitle: A list\n---\n\n# A list\n\n- [A title](https://x.example/a)\n",
    "- one: [A title](https://x.example/a)\n- two: [Another](https://x.example/b)\n",
    "- GPT3: https://x.example/a\n- BERT: https://x.example/b\n",
    "- [A title](https://x.example/a), A. Bee, Venue, 1999\n"
    "- [Another](https://x.example/b), C. Dee, Venue, 2001\n",
    "A title, A. Bee, Venue, 1999, https://x.example/a\nAnother, C. Dee, Venue, 2001, -\n",
    "---\ntitle: A list\nauthor: Bee\n---\n\n# Papers\n- https://x.example/a\n",
    "AI - https://x.example/a\nML - https://x.example/b\n",
    "# Notes\n\n```tex\n\\documentclass{article}\n```\n",
    "| a | b | c | d |\n|---|---|---|---|\n| [T](https://x.example/t) | 1, 2 | 3, 4 | 5 |\n",
    "",
]


EMPTY = [
    *("", "% nothing yet\n", "@comment{x}\n", "@string{a = {b}}\n", "\ufeff\n"),
    "My references.\nThere are none yet, see main.bib.\n",
    "% See https://x.example/[a]\n\nOf chapter 2: none.\n",
]


@pytest.mark.parametrize(("suffix", "texts"), [("md", READMES), ("bib", EMPTY)])
def test_a_readme_and_a_bib_file_without_entries_are_taken(
    papertrack: Command, library: Path, suffix: str, texts: list[str]
) -> None:
    for number, text in enumerate(texts):
        (library / f"{number}.{suffix}").write_text(text)
        assert papertrack("import", f"{number}.{suffix}").code == 0, text


OTHERS = [
    "<!DOCTYPE html>\n<title>Not found</title>\n",
    "# A list\n\n- [A title](https://x.example/a)\n",
    "# A list\n",
    "%PDF-1.5\n%\n1 0 obj\n<< /Length 3 >>\n",
    "@book{a, title={B}\n",
]


def test_a_bib_file_of_something_else_is_refused(papertrack: Command, library: Path) -> None:
    for text in OTHERS:
        (library / "main.bib").write_text(text)
        assert papertrack("import", "main.bib").code == 1, text
    assert papertrack("documents", "--json").out.strip() == "[]"


def test_bibtex_under_another_name_is_told_how_to_be_named(
    papertrack: Command, library: Path
) -> None:
    (library / "refs.txt").write_text("@book{a, title={B}}\n")
    ran = papertrack("import", "refs.txt")
    assert ran.code == 1
    assert ".bib" in ran.err
