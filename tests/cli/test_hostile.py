"""Titles and names from strangers come out harmless in every output."""

import csv
import io
import json
import os
import re
import threading
import unicodedata
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from papertrack.cli.app import run
from papertrack.library import Library
from papertrack.records import Author, Identifier, Link, PaperFacts, Reading
from papertrack.store.papers import add_paper
from papertrack.store.states import add_tags, record_pass
from papertrack.store.store import Store
from papertrack.text import clean
from tests.cli.commands import Command

HOSTILE = [
    "\x1b]52;c;cm0gLXJmIC8=\x07 clipboard",
    "\x1b[2J\x1b[31mred",
    "\x9b31m one byte",
    "carriage\rreturn\nand newline\x0b\x0c\x85\u2028end",
    "right\u202eto left\u2066 \u200f",
    "zero\u200bwidth\ufeff",
    "tag \U000e0041\U000e007f",
    "a | b ` c ] d [/] [red] e",
    "}, note={x}}\n@misc{pwn, title={owned}",
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script> <!-- -->",
    "\x00\x01\x7f",
    "%s {0} $HOME `id`",
]


def is_harmless(text: str) -> bool:
    """Whether a terminal shows these characters and does nothing else."""
    return all(
        char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
        for char in text
    )


@pytest.fixture
def trapped(papertrack: Command, home: Path) -> Path:
    """A library whose every text is hostile, put there past all cleaning."""
    papertrack("init")
    with (
        Store.open(Library(home).database, now=lambda: datetime(2026, 3, 1, tzinfo=UTC)) as store,
        store.action("plant"),
    ):
        for number, text in enumerate(HOSTILE):
            facts = PaperFacts(
                title=text,
                identifiers=(Identifier("arxiv", f"2401.{number + 1:05}"),),
                authors=(Author(text), Author("B " + text)),
                links=(Link("code", "https://example.org/" + text, text),),
                abstract=text * 3,
                description=text,
                venue=text,
                submitted="2024-01",
            )
            paper_id = add_paper(store, facts, source="stranger", citekey=f"key{number}")
            record_pass(store, paper_id, Reading(1, at="2026-02-01", takeaway=text))
            if text.strip("\x00\x01\x7f"):
                add_tags(store, [paper_id], [text])
    return home


COMMAND_LINES = [
    ("list",),
    ("list", "--all", "--sort", "author"),
    ("list", "--json"),
    ("log", "--json"),
    ("cite", "key0", "key1", "key2", "--json"),
    ("tag",),
    ("log",),
    ("stats",),
    ("queue",),
    ("next",),
    *(("show", f"key{number}") for number in range(len(HOSTILE))),
    *(("cite", f"key{number}", "--text") for number in range(len(HOSTILE))),
    *(("cite", f"key{number}", "--bibtex") for number in range(len(HOSTILE))),
    ("show", "\x1b[31mno such paper\x9b"),
    ("list", "\x1b[31mtitle:"),
    ("add", "\x1b]52;c;x\x07"),
    ("edit", "key0", "\x1b[31mfield=1"),
    ("config", "\x1b[31mkey"),
    ("\x1b[31mcommand",),
    ("--library", "\x1b[31mnowhere", "list"),
]


def test_no_command_sends_a_terminal_anything_but_text(papertrack: Command, trapped: Path) -> None:
    for arguments in COMMAND_LINES:
        ran = papertrack(*arguments)
        assert is_harmless(ran.out), arguments
        assert is_harmless(ran.err), arguments
        assert "internal error" not in ran.err, arguments


def test_a_terminal_gets_text_and_colours_alone(
    papertrack: Command, trapped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever column of the database an ESC stands in, past all cleaning."""
    evil = "\x1b]0;owned\x07\x9b31m\u202e\r"
    refs, pieces = Path("refs.bib"), list[str]()
    refs.write_text("@misc{one, title = {One Plain Title}, author = {Doe, Jane}, year = 2020}\n")
    papertrack("import", "refs.bib")
    papertrack("edit", "one", "title=The Title of the Library")
    refs.write_text(refs.read_text().replace("Plain", "Other"))
    with (
        Store.open(Library(trapped).database, now=lambda: datetime(2026, 3, 1, tzinfo=UTC)) as db,
        db.action("plant"),
    ):
        db.execute("UPDATE papers SET citekey = citekey || ?", (evil,))
        db.execute("UPDATE links SET role = role || ?", (evil,))
        db.execute("UPDATE tags SET tag = tag || ?", (evil,))
    ours, theirs = os.openpty()

    def read() -> None:
        with suppress(OSError):  # Linux says so when the other end is closed.
            while piece := os.read(ours, 65536):
                pieces.append(piece.decode())

    reader = threading.Thread(target=read)
    reader.start()
    with open(theirs, "w", closefd=False) as out, open(theirs, "w", closefd=False) as err:
        for arguments in (*COMMAND_LINES, ("show", "id:1"), ("sync",), ("export", "--diff")):
            monkeypatch.setattr("sys.stdout", out)
            monkeypatch.setattr("sys.stderr", err)
            run(arguments)
    os.close(theirs)
    reader.join()
    os.close(ours)
    shown = re.sub(r"\x1b\[[0-9]+m|\r\n", "", "".join(pieces))
    assert "conflict in title of one" in shown
    assert "owned" in shown
    assert is_harmless(shown)


def test_a_list_has_one_line_for_each_paper(papertrack: Command, trapped: Path) -> None:
    lines = papertrack("list").out.splitlines()
    assert len(lines) == len(HOSTILE)
    assert all(line.count("\t") == 4 for line in lines)


def test_the_json_is_the_text_as_it_is_and_still_json(papertrack: Command, trapped: Path) -> None:
    papers = json.loads(papertrack("list", "--json", "--sort", "id").out)
    assert [paper["title"] for paper in papers] == HOSTILE


def test_completion_offers_harmless_text(process: Command, trapped: Path) -> None:
    for words, at in (("show key", "2"), ("tag key0 +", "3")):
        for shell in ("bash", "zsh", "fish"):
            ran = process(
                _PAPERTRACK_COMPLETE=f"{shell}_complete",
                COMP_WORDS=f"papertrack {words}",
                COMP_CWORD=at,
            )
            assert is_harmless(ran.out)


def test_every_exported_file_keeps_its_shape(papertrack: Command, trapped: Path) -> None:
    for name in ("bib", "csv", "json", "csl", "ris"):
        assert papertrack("export", f"--{name}").code == 0
    papertrack("export", "--md", "-o", "fresh.md")
    bib = (trapped / "exports" / "references.bib").read_text()
    assert sum(line.startswith("@") for line in bib.splitlines()) == len(HOSTILE)
    rows = list(csv.reader(io.StringIO((trapped / "exports" / "papers.csv").read_text())))
    assert len(rows) == len(HOSTILE) + 1
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    assert len(json.loads((trapped / "exports" / "papers.json").read_text())) == len(HOSTILE)
    ris = (trapped / "exports" / "references.ris").read_text()
    assert sum(line.startswith("ER  -") for line in ris.splitlines()) == len(HOSTILE)
    assert len(json.loads((trapped / "exports" / "references.json").read_text())) == len(HOSTILE)
    assert is_harmless(ris)
    fresh = (trapped / "fresh.md").read_text()
    assert sum(line.startswith("| [") for line in fresh.splitlines()) == len(HOSTILE)
    # In the comment over its definitions a title is a comment, as long as it cannot end it.
    assert "<script>" not in re.sub("<!--.*?-->", "", fresh, flags=re.DOTALL)
    assert is_harmless(bib)
    assert is_harmless(fresh)


TABLE = """\
# Papers

## Traps

| Title | Date | arXiv | Read |
| :---- | :--- | :---- | :--- |
| [<u>Page Tables</u>][1] | 2025/01 | [![arXiv][0]][1] | ✅ |

<!-- Links: 0~200 -->
[0]: https://img.shields.io/badge/arXiv-b31b1b.svg
<!-- Page Tables -->
[1]: https://arxiv.org/abs/2501.00001
"""
BULLETS = "# Papers\n\n## Traps\n\n- [Page Tables](https://arxiv.org/abs/2501.00001) ✅\n"


@pytest.mark.parametrize("readme", [TABLE, BULLETS], ids=["table", "list"])
def test_a_registered_readme_reads_back_to_the_same_papers_and_no_other(
    papertrack: Command, trapped: Path, tmp_path: Path, readme: str
) -> None:
    (trapped / "README.md").write_text(readme)
    papertrack("import", "README.md")
    keys = [f"key{number}" for number in range(len(HOSTILE))]
    assert papertrack("move", *keys, "--category", "Traps").code == 0
    assert papertrack("export", "--md").code == 0
    written = (trapped / "README.md").read_text()
    assert is_harmless(written)
    assert "<script>" not in re.sub("<!--.*?-->", "", written, flags=re.DOTALL)
    again = tmp_path / "again"
    papertrack("init", again)
    (again / "README.md").write_text(written)
    ran = papertrack("--library", again, "import", again / "README.md", "--json")
    assert json.loads(ran.out)["skipped"] == []
    read = json.loads(papertrack("--library", again, "list", "--json").out)
    own = json.loads(papertrack("list", "--json").out)
    assert {paper["arxiv_id"]: (paper["title"], paper["passes_done"]) for paper in read} == {
        paper["arxiv_id"]: (clean(paper["title"]) or None, paper["passes_done"]) for paper in own
    }
    assert {tuple(paper["categories"]) for paper in read} == {("Traps",)}
    links = [link["url"] for paper in read for link in paper["links"] if link["role"] == "paper"]
    assert all(url.startswith("https://arxiv.org/abs/") for url in links)
    assert papertrack("export", "--md").err.endswith("nothing to do.\n")
