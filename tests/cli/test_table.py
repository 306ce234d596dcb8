"""Tables of papers, printed and kept in a README."""

import csv
import json
import subprocess
from pathlib import Path

import pytest

from papertrack.sync.markdown.format import MarkdownReader
from tests.cli.commands import Command
from tests.cli.conftest import furnish
from tests.timing import assert_seconds

LIST = """\
# List

<!-- papertrack table: pass:>0 | title,pass -->
<!-- /papertrack table -->

## Lamps

| Title | arXiv | Read |
| --- | --- | --- |
| Lamps and 50% \\| more | [a](https://arxiv.org/abs/2301.00001) | ✅ |
| Switches | [b](https://arxiv.org/abs/2302.00002) | |

Words below.
"""
FILLED = """\
<!-- papertrack table: pass:>0 | title,pass -->
<!-- written by papertrack, {} -->

| Title | Pass |
| :--- | :--- |
{}
<!-- /papertrack table -->
"""
ALLOW = "documents", "README.md", "--set", "tables=private"


@pytest.fixture
def readme(papertrack: Command, home: Path, made_shelf: Path) -> Path:
    """A README with a place for a table, in a library."""
    path = home / "README.md"

    def tabled() -> None:
        papertrack("init")
        path.write_text(LIST)
        papertrack("import", path)

    furnish(home, made_shelf, tabled)
    papertrack("trust")
    return path


def kept(readme: Path) -> str:
    """What stands between the markers."""
    text = readme.read_text()
    return text[text.index("-->\n") + 4 : text.index("<!-- /papertrack")]


def replaced(readme: Path, old: str, new: str) -> None:
    text = readme.read_text()
    assert old in text
    readme.write_text(text.replace(old, new))


def titles(papertrack: Command) -> list[str]:
    return sorted(one["title"] for one in json.loads(papertrack("list", "--json").out))


def write_note(papertrack: Command, text: str) -> None:
    Path(papertrack("note", "2301.00001", "--print").out.strip()).write_text(text)


def test_a_table_has_a_row_for_each_paper(papertrack: Command, readme: Path) -> None:
    papertrack("pass", "2301.00001", "2", "--minutes", "40", "--takeaway", "Two | *lines*")
    ran = papertrack("table", "lamps", "--columns", "title, year,takeaway,minutes,read2")
    assert ran.out.splitlines() == [
        "| Title | Year | Takeaway | Minutes | Read2 |",
        "| :--- | :--- | :--- | :--- | :--- |",
        r"| Lamps and 50% \| more | 2023 | Two \| \*lines\* | 40 | 2026-03-01 |",
    ]
    found = json.loads(papertrack("table", "pass:0", "-c", "title,link,venue", "--json").out)
    assert found["columns"] == ["title", "link", "venue"]
    assert found["rows"] == [
        {"title": "Switches", "link": "https://arxiv.org/abs/2302.00002", "venue": None}
    ]
    assert "[link](<https://arxiv.org/abs/2302.00002>)" in papertrack("table", "-c", "link").out
    papertrack("discard", "2302.00002")
    assert "Switches" not in papertrack("table").out
    assert "Switches" in papertrack("table", "is:discarded").out


def test_csv_and_latex_are_safe_to_open(papertrack: Command, readme: Path, home: Path) -> None:
    papertrack("edit", "2302.00002", "title=[=SUM(A1)] & _x_ $y$")
    papertrack("edit", "2301.00001", "title==SUM(A1)")
    ran = papertrack("table", "-c", "title,key", "-o", "t.tex", "--sort", "title")
    assert ran.code == 0, ran.err
    lines = (home / "t.tex").read_text().splitlines()
    assert lines[:3] == [r"% needs \usepackage{booktabs}", r"\begin{tabular}{ll}", r"\toprule"]
    key = json.loads(papertrack("list", "2302.00002", "--json").out)[0]["citekey"]
    assert lines[6].startswith(r"{}[=SUM(A1)] \& \_x\_")
    assert lines[6].endswith(rf"& \cite{{{key}}} \\")
    papertrack("table", "-c", "title", "-o", "t.csv")
    assert [*csv.reader((home / "t.csv").open())][1] == ["'=SUM(A1)"]
    (home / "own.md").write_text("mine")
    assert papertrack("table", "-o", "own.md").code != 0
    assert papertrack("table", "-o", readme).code == 2
    assert papertrack("table", "-o", "own.md", "--force").code == 0


def test_columns_are_headings_questions_and_colours_of_notes(
    papertrack: Command, readme: Path
) -> None:
    write_note(
        papertrack,
        "# Lamps\n\n## First pass\n\n- Category: what type of paper is this?\n\n"
        "- Contributions: what are the main ones?\n  - A *lamp*.\n  - A switch.\n"
        "- Clarity: good\n\n## Data set\n\n> [CIFAR](https://x.org)\n\n## Highlights\n\n"
        "*page 3, highlight, yellow: novelty* <!-- 5a8a0fd4-e14e7d10 -->\n\n> New lamps.\n\n"
        "*page 4, highlight, red* <!-- 6a8a0fd4-e14e7d10 -->\n\n> Of no colour.\n\n"
        "*page 5, highlight, yellow: novelty* <!-- 7a8a0fd4-e14e7d10 -->\n\n> More lamps.\n\n"
        "<!-- end of highlights -->\n\nMy diary.\n",
    )
    names = "contribution,Clarity,data sets,novelty,note:nothing,note:category"
    ran = papertrack("table", "lamps", "-c", names, "--json")
    assert json.loads(ran.out)["rows"] == [
        {
            "contribution": "A lamp. A switch.",
            "Clarity": "good",
            "data sets": "CIFAR",
            "novelty": "New lamps. More lamps.",
            "note:nothing": None,
            "note:category": None,
        }
    ]
    ran = papertrack("table", "-c", "contrbution")
    assert ran.code == 2
    assert "Did you mean: contribution" in ran.err
    ran = papertrack("table", "-c", "zzz")
    assert " data set, " in ran.err
    assert " correctness, " in ran.err
    assert "correctne," not in ran.err
    assert papertrack("table", "titel:x").code == 2


def test_a_heading_of_many_signs_is_read_at_once(papertrack: Command, readme: Path) -> None:
    signs = "# a" + " #" * 30_000 + "x"
    write_note(papertrack, f"## C# and #tags ##\n\nSharp.\n\n{signs}\n\nLate.\n")
    assert_seconds(3, lambda: papertrack("table", "lamps", "-c", "note:C# and #tags"))
    ran = papertrack("table", "lamps", "-c", "note:C# and #tags", "--json")
    assert json.loads(ran.out)["rows"][0]["note:C# and #tags"] == "Sharp."


def test_export_fills_and_follows_a_table(papertrack: Command, readme: Path) -> None:
    papertrack("export", "--md")
    row = r"| Lamps and 50% \| more | 1 |" + "\n"
    digest = kept(readme).split()[4]
    block = FILLED.format(digest, row)
    assert block in readme.read_text()
    before = readme.read_text()
    assert "nothing to do" in papertrack("export", "--md").err
    assert "as before" in papertrack("import", "README.md").err
    assert titles(papertrack) == ["Lamps and 50% | more", "Switches"]
    papertrack("pass", "2302.00002")
    papertrack("sync")
    assert "| Switches | 1 |" in kept(readme)
    assert readme.read_text().count("✅") == 2
    papertrack("undo")
    papertrack("export", "--md")
    assert readme.read_text() == before
    head, _, rest = before.partition("<!-- written")
    assert head + rest[rest.index("<!-- /") :] == LIST


def test_a_table_follows_notes(papertrack: Command, readme: Path) -> None:
    replaced(readme, "title,pass", "title,clarity")
    assert "private" in papertrack("export", "--md").err
    assert papertrack(*ALLOW).code == 0
    papertrack("export", "--md")
    for word in ("good", "better"):
        write_note(papertrack, f"- Clarity: {word}\n")
        papertrack("export", "--md")
        assert f"| {word} |" in kept(readme)


def test_a_table_in_utf_16_follows_notes(papertrack: Command, readme: Path) -> None:
    readme.write_bytes(LIST.replace("title,pass", "title,clarity").encode("utf-16"))
    papertrack(*ALLOW)
    papertrack("import", readme)
    for word in ("good", "better", "best"):
        write_note(papertrack, f"- Clarity: {word}\n")
        papertrack("export", "--md")
        papertrack("sync")
        assert f"| {word} |" in readme.read_bytes().decode("utf-16")


def test_a_readme_is_read_only_if_its_tables_change(
    papertrack: Command, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, read = MarkdownReader.__call__, []
    monkeypatch.setattr(
        MarkdownReader, "__call__", lambda *args: (read.append(args), reading(*args))[1]
    )
    replaced(readme, "title,pass", "title,clarity")
    papertrack(*ALLOW)
    papertrack("import", readme)
    write_note(papertrack, "- Clarity: good\n")
    papertrack("export", "--md")  # This one says that the list has no place for notes.
    papertrack("sync")
    for word, is_read in (("good", False), ("bad", True), ("bad", False)):
        write_note(papertrack, f"- Clarity: {word}\n")
        read.clear()
        papertrack("export", "--md")
        assert f"| {word} |" in kept(readme)
        assert bool(read) == is_read


def test_what_the_reader_writes_between_markers_stays(papertrack: Command, readme: Path) -> None:
    papertrack("export", "--md")
    replaced(readme, "| :--- | :--- |\n", "| :--- | :--- |\n| Mine | 3 |\n")
    edited = readme.read_text()
    papertrack("pass", "2302.00002")
    ran = papertrack("export", "--md")
    assert ran.code == 5
    assert "README.md:3: conflict in text of a table" in ran.err
    assert "| Mine | 3 |" in readme.read_text()
    assert "Mine" not in titles(papertrack)
    assert papertrack("export", "--md", "--prefer", "file").code == 0
    assert kept(readme) in edited
    assert papertrack("export", "--md", "--prefer", "library").code == 0
    assert "Mine" not in readme.read_text()
    assert "| Switches | 1 |" in kept(readme)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_a_byte_order_mark_stay(
    papertrack: Command, readme: Path, mark: bytes
) -> None:
    data = mark + LIST.replace("\n", "\r\n").encode()
    readme.write_bytes(data)
    papertrack("export", "--md")
    written = readme.read_bytes()
    assert written.startswith(mark + b"# List\r\n")
    assert written.count(b"\n") == written.count(b"\r\n") == data.count(b"\n") + 6
    papertrack("pass", "2302.00002")
    papertrack("export", "--md")
    assert readme.read_bytes() != written
    papertrack("undo")
    papertrack("export", "--md")
    assert readme.read_bytes() == written


def test_several_tables_and_their_mistakes_are_told_by_line(
    papertrack: Command, readme: Path
) -> None:
    with readme.open("a") as out:
        for asked in ("title:( | title", "lamps | titel", "lamps | title | nothing", "lamps | key"):
            out.write(f"\n<!-- papertrack table: {asked} -->\n<!-- /papertrack table -->\n")
        out.write("\n```\n<!-- papertrack table: x -->\n<!-- /papertrack table -->\n```\n")
        out.write("\n<!-- papertrack table: lamps | title -->\n\n| Title |\n| - |\n| Lamps |\n")
    ran = papertrack("import", readme)
    assert "README.md:32: This marker of a table has no" in ran.err
    ran = papertrack("export", "--md")
    for line in (15, 18, 21):
        assert f"Line {line}: " in ran.err
    assert "Did you mean: title" in ran.err
    assert len(titles(papertrack)) == 2
    text = readme.read_text()
    assert text.count("written by papertrack") == 2
    assert "| Key |\n| :--- |\n| lamps" in text


def test_a_table_is_pasted_into_a_readme(papertrack: Command, readme: Path) -> None:
    papertrack("export", "--md")
    ran = papertrack("table", "pass:0", "-c", "title,year", "-s", "title", "--format", "readme")
    assert ran.out.startswith(
        "<!-- papertrack table: pass:0 | title,year | title -->\n<!-- written"
    )
    readme.write_text(f"{readme.read_text()}\n{ran.out}")
    pasted = readme.read_text()
    assert papertrack("export", "--md").code == 0
    assert readme.read_text() == pasted
    papertrack("pass", "2302.00002")
    papertrack("export", "--md")
    assert "| Switches | 1 |" in kept(readme)
    assert "| Switches | 2023 |" not in readme.read_text()
    papertrack("undo")
    papertrack("export", "--md")
    assert readme.read_text() == pasted


def test_a_query_that_no_marker_can_hold_is_refused(papertrack: Command, readme: Path) -> None:
    for query in ('title:"a | b"', 'title:"a --> b"', "lamps\nswitches"):
        ran = papertrack("table", query, "--format", "readme")
        assert (ran.code, ran.out, "cannot hold this query" in ran.err) == (2, "", True), ran.err
        assert papertrack("table", query).code == 0


def test_the_name_of_a_file_says_the_form_of_its_table(papertrack: Command, readme: Path) -> None:
    ran = papertrack("table", "-o", "t.xyz")
    assert (ran.code, "none of .md, .csv, .tex" in ran.err) == (2, True), ran.err
    assert not Path("t.xyz").exists()
    assert papertrack("table", "-o", "t.xyz", "--format", "csv").code == 0


def test_check_names_a_marker_without_a_partner(papertrack: Command, readme: Path) -> None:
    replaced(readme, "<!-- papertrack table: pass:>0 | title,pass -->\n", "")
    ran = papertrack("check", readme)
    assert ran.code == 5
    assert "This marker of a table has no partner" in ran.out + ran.err


def test_a_shared_table_shows_nothing_that_stays_here(
    papertrack: Command, readme: Path, home: Path
) -> None:
    subprocess.run(["git", "init", "-q", str(home)], check=True)
    papertrack("pass", "2301.00001", "2", "--takeaway", "Secret.", "--minutes", "7")
    replaced(readme, "title,pass", "title,takeaway")
    papertrack(*ALLOW)
    assert papertrack("share", "on", "--private", "takeaways").code == 0
    assert "'takeaway' is private" in papertrack("export", "--md").err
    replaced(readme, "title,takeaway", "title,minutes")
    papertrack("export", "--md")
    assert "| 7 |" in kept(readme)
    assert "Secret" not in readme.read_text()


@pytest.fixture
def private_readme(papertrack: Command, readme: Path, home: Path) -> Path:
    """A README that others may change; a takeaway of its first paper is private."""
    subprocess.run(["git", "init", "-q", str(home)], check=True)
    papertrack("pass", "2301.00001", "2", "--takeaway", "Secret.")
    on = ("share", "on", "--private", "takeaways,notes,reasons,discards")
    assert papertrack(*on).code == 0
    return readme


@pytest.mark.parametrize(
    ("query", "rows"),
    [("secret", 0), ("Secr*", 0), ('"secret" OR pass:9', 0), ("-secret", 2), ("lamp*", 1)],
)
def test_no_table_tells_by_its_papers_what_is_private(
    papertrack: Command, private_readme: Path, query: str, rows: int
) -> None:
    """Who may push writes the queries, and reads which papers match."""
    replaced(private_readme, "pass:>0", query)
    assert papertrack("export", "--md").code == 0
    assert len([line for line in kept(private_readme).splitlines() if "| " in line]) == 2 + rows


@pytest.mark.parametrize(
    "query",
    [
        *("takeaway:secret", "note:secret", "text:secret", "has:takeaway", "-has:note", "has:pdf"),
        *("is:discarded", "decision:inbox", "document:README.md", "lamps OR (year:2023 note:a)"),
    ],
)
def test_no_table_asks_for_what_is_private(
    papertrack: Command, private_readme: Path, query: str
) -> None:
    replaced(private_readme, "pass:>0", query)
    assert "is private, and was not written" in papertrack("export", "--md").err
    assert kept(private_readme) == ""


def test_a_table_of_a_shared_list_shows_the_same_papers_to_all(
    papertrack: Command, private_readme: Path
) -> None:
    """A discarded paper is left out where others know of it."""
    papertrack("discard", "2301.00001")
    replaced(private_readme, "pass:>0", "lamps")
    papertrack("export", "--md")
    assert "Lamps" in kept(private_readme)
