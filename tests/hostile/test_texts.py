"""What strangers write about a work is text wherever it is written (security.md, row 2.2)."""

import re
from pathlib import Path

import pytest

from papertrack.cli import session
from papertrack.sources.published.linking import parse_paper
from tests.cli.commands import Command

ROWS = "| Paper | Authors |\n|---|---|\n" + "".join(
    f"| [Seed Paper {n}](https://arxiv.org/abs/2309.0618{n}) | Ada Lovelace, Alan Turing |\n"
    for n in range(3)
)
HTML = (
    "<table>\n<tr><th>Title</th><th>Authors</th></tr>\n"
    + "".join(
        f'<tr><td><a href="https://arxiv.org/abs/2309.0618{n}">Seed Paper {n}</a></td>'
        "<td>Ada Lovelace, Alan Turing</td></tr>\n"
        for n in range(3)
    )
    + "</table>\n"
)
ITEMS = "".join(
    f"- Ada Lovelace, Alan Turing. [Seed Paper {n}](https://arxiv.org/abs/2309.0618{n})\n"
    for n in range(3)
)
AUTHORS = (
    "![i](http://evil.example/i.png)",
    "<img src=http://evil.example/x.png>",
    "[Log in here](https://evil.example/login)",
    "</td></tr></table><h1>Taken</h1><table><tr><td>",
    "</a><script>alert(1)</script>",
    "A | B",
)


@pytest.mark.parametrize("list_", [ROWS, HTML, ITEMS], ids=["rows", "html", "items"])
def test_no_author_is_markup(papertrack: Command, shelf: Path, list_: str) -> None:
    Path("README.md").write_text(f"# Papers\n\n## S\n\n{list_}")
    papertrack("import", "README.md")
    for number, name in enumerate(AUTHORS):
        entry = f"author = {{{{{name}}} and Bo Be}}, eprint = {{2401.0000{number}}}"
        Path("s.bib").write_text(f"@misc{{k{number}, title = {{Evil {number}}}, {entry}}}\n")
        papertrack("import", "s.bib")
        papertrack("edit", f"k{number}", "category=S")
    ran = papertrack("export", "--md")
    new = [line for line in Path("README.md").read_text().splitlines() if "Evil" in line]
    # One that could not be read back is told, and left out.
    told = re.findall(r"\bk[0-9]\b(?=.*would no longer be read)", ran.err)
    assert len(new) + len(told) == len(AUTHORS)
    for line in new:
        assert not re.search(r"(?<!\\)<(?:img|h1|script|/td></tr></table|/a><script)", line)
        assert "evil.example" not in line or "://evil.example" not in line.replace("&#58;", "")


@pytest.mark.parametrize("venue", [r"A\q3", r"\g<9>3", "x) [Log in](http://evil.example/) 1"])
def test_no_venue_is_a_pattern_or_an_address(papertrack: Command, shelf: Path, venue: str) -> None:
    badge = "![](https://img.shields.io/badge/{}-2023-blue)"
    lines = [
        f"- [Seed Paper {n}](https://arxiv.org/abs/2309.0618{n}) {badge.format(name)}\n"
        for n, name in enumerate(("SOSP", "ICLR", "ICML"))
    ]
    Path("README.md").write_text("# Papers\n\n## S\n\n" + "".join(lines))
    papertrack("import", "README.md")
    papertrack("add", "2401.00001", "--offline")
    papertrack("edit", "2401.00001", "title=Evil", f"venue={venue}", "year=2024", "category=S")
    ran = papertrack("export", "--md")
    assert (ran.code, "internal error" in ran.err) == (0, False)
    (new,) = [line for line in Path("README.md").read_text().splitlines() if "Evil" in line]
    assert "[Log in](" not in new


def test_a_number_of_thousands_of_digits_is_a_text(papertrack: Command, shelf: Path) -> None:
    many = "9" * 5_000
    Path("README.md").write_text(
        f"# Papers\n\n## S\n\n| No. | Paper | Score |\n|---|---|---|\n"
        f"| 1 | [Seed Paper 1 &#{many};](https://arxiv.org/abs/2309.06181) | {many} |\n"
        f"| {many} | [Seed Paper {many}](https://arxiv.org/abs/2309.06182) | 4 |\n"
    )
    Path("s.bib").write_text(
        f"@misc{{a, title = {{A Part {many}}}, note = {{xdata=b-title-{many}}}}}\n"
        "@xdata{b, title = {T}}\n"
    )
    for command in (("import", "README.md", "s.bib"), ("add", "2401.00001", "--offline")):
        assert papertrack(*command).code == 0
    papertrack("edit", "2401.00001", "title=New", "category=S")
    for command in (("export", "--md"), ("sync",), ("check", "README.md")):
        assert "internal error" not in papertrack(*command).err


@pytest.mark.parametrize("key", ["\ud800", "\x1b]0;x\x07", "a" * 200_000, "a b"])
def test_no_key_of_a_service_is_odd(key: str) -> None:
    record = parse_paper({"title": "T", "externalIds": {"ACL": key, "DBLP": key}})
    assert record.facts.identifiers == ()


@pytest.mark.parametrize("run", ["import -", "add -", "propose README.md -", "topic add --opml -"])
def test_a_stdin_without_end_is_refused(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch, run: str
) -> None:
    Path("README.md").write_text(f"# Papers\n\n{ITEMS}")
    monkeypatch.setattr(session, "_MOST_OF_STDIN", 1_000)
    with Path("/dev/zero").open(encoding="latin-1") as endless:
        monkeypatch.setattr("sys.stdin", endless)
        ran = papertrack(*run.split())
    assert (ran.code, "so it was not read" in ran.err) == (2, True)
