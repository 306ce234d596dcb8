"""What other tools export is taken in by what is in it, each item accounted for."""

import json
from pathlib import Path
from typing import Any

import pytest

from papertrack.importers.registry import read_source
from tests.cli.commands import Command

CSL = [
    {
        "id": "lamp",
        "type": "article-journal",
        "title": "A Lamp for Lost Papers",
        "author": [
            {"family": "Berg", "given": "Hans", "non-dropping-particle": "von"},
            {"literal": "World Lamp Society"},
        ],
        "container-title": "Journal of Lists",
        "issued": {"date-parts": [[2021, 5]]},
        "DOI": "10.1000/lamp.5",
        "volume": 7,
        "citation-key": "berg21",
        "keyword": "light, lists",
    },
    {"id": "draft", "type": "article", "title": "Drafting Ahead", "note": "arXiv:2211.10002"},
    {"id": "none", "type": "book"},
]
RIS = """\ufeffTY  - JOUR
TI  - A Lamp for Lost Papers
AU  - von Berg, Hans
AU  - World Lamp Society
PY  - 2021/05//
JO  - Journal of Lists
VL  - 7
SP  - 1
EP  - 9
DO  - 10.1000/lamp.5
KW  - light
KW  - lists
N1  - <b>Mine</b> & <script>x()</script>
ID  - berg21
ER  -

TY - CONF
T1  - Cut off
A1  - Lind, Per
TY  - BOOK
TI  - Drawers
XX  - odd
ER  -
"""
NBIB = """
PMID- 1234567
OWN - NLM
DP  - 2021 May 3
TI  - A lamp for lost
      papers.
FAU - Berg, Hans
JT  - Journal of lists
AID - 10.1000/lamp.5 [doi]
MH  - *Lighting
AB  - What is lost.

PMID- 2345678
TI  - Another.
"""
BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1700000000">Reading</H3>
    <DL><p>
        <DT><A HREF="https://arxiv.org/abs/2211.10002" ADD_DATE="1700000000"
            TAGS="light,new">[2211.10002] Drafting Ahead</A>
        <DT><H3>Code &amp; such</H3>
        <DL><p>
            <DT><A HREF="https://github.com/example/lamp">lamp</A>
            <DT><A HREF="javascript:alert(1)">trap</A>
        </DL><p>
    </DL><p>
    <DT><A HREF="https://news.example/today">News</A>
</DL><p>
"""
IDS = "# to read\n2211.10002\n10.1000/lamp.5\nCorpusID:123456\nhttps://x.example/a  # a page\n"


def imported(papertrack: Command, *arguments: str | Path) -> dict[str, Any]:
    ran = papertrack("import", *arguments, "--json")
    assert ran.code == 0, ran.err
    report = json.loads(ran.out)
    assert report["items"] == report["imported"] + report["merged"] + len(report["skipped"])
    again = json.loads(papertrack("import", *arguments, "--json").out)
    assert (again["imported"], again["papers_new"], again["papers_changed"]) == (0, 0, 0)
    assert json.loads(papertrack("documents", "--json").out) == []
    return dict(report)


def papers_of(papertrack: Command) -> dict[str, Any]:
    return {one["title"]: one for one in json.loads(papertrack("list", "--all", "--json").out)}


@pytest.mark.parametrize("suffix", [".json", ".md", ".txt"])
def test_csl_json(papertrack: Command, library: Path, suffix: str) -> None:
    (library / f"refs{suffix}").write_text(json.dumps(CSL))
    report = imported(papertrack, f"refs{suffix}")
    assert (report["items"], report["imported"]) == (3, 2)
    lamp = papers_of(papertrack)["A Lamp for Lost Papers"]
    assert lamp["authors"] == ["Hans von Berg", "World Lamp Society"]
    assert (lamp["citekey"], lamp["year"], lamp["doi"]) == ("berg21", 2021, "10.1000/lamp.5")
    assert lamp["tags"] == ["light", "lists"]
    assert papers_of(papertrack)["Drafting Ahead"]["arxiv_id"] == "2211.10002"


def test_how_many_items_of_how_many_are_done_is_told(papertrack: Command, library: Path) -> None:
    items = [{"id": f"a{n}", "type": "book", "title": f"Lamps {n}"} for n in range(300)]
    (library / "many.json").write_text(json.dumps(items))
    ran = papertrack("-v", "import", "many.json")
    for told in ("250 of 300 items: matching with", "300 of 300 items: writing notes"):
        assert told in ran.err
    again = papertrack("-v", "import", "many.json")
    assert "300 of 300 items: looking for changes" in again.err


def test_ris_of_which_a_reference_is_cut_off(papertrack: Command, library: Path) -> None:
    (library / "refs.ris").write_text(RIS, encoding="utf-8")
    report = imported(papertrack, "refs.ris")
    assert (report["items"], report["imported"]) == (3, 3)
    lamp = papers_of(papertrack)["A Lamp for Lost Papers"]
    assert lamp["authors"] == ["Hans von Berg", "World Lamp Society"]
    assert (lamp["venue"], lamp["year"]) == ("Journal of Lists", 2021)
    note = (library / lamp["notes"][0]).read_text()
    assert "**Mine**" in note
    assert "script" not in note
    assert papers_of(papertrack)["Cut off"]["authors"] == ["Per Lind"]


@pytest.mark.parametrize(
    ("name", "text", "items"),
    [
        ("refs.ris", RIS.removeprefix("\ufeff"), 3),
        ("refs.nbib", NBIB, 2),
        ("ids.txt", "2211.10002\n10.1000/lamp.5\n", 2),
        ("refs.json", json.dumps(CSL), 3),
    ],
)
@pytest.mark.parametrize(
    "before", ["\ufeff\ufeff", "\n" * 4095, " " * 5000 + "\n", "\xa0\n", "\u2028\x1c\n"]
)
def test_what_stands_before_the_first_sign_hides_no_file(
    tmp_path: Path, name: str, text: str, items: int, before: str
) -> None:
    if name == "refs.json" and not before.replace("\ufeff", " ").isascii():
        pytest.skip("Of JSON these are no blanks.")
    file = tmp_path / name
    file.write_text(before + text, encoding="utf-8")
    source = read_source(file)
    assert source is not None
    assert source.count == items


def test_nbib(papertrack: Command, library: Path) -> None:
    (library / "refs.nbib").write_text(NBIB)
    assert imported(papertrack, "refs.nbib")["items"] == 2
    lamp = papers_of(papertrack)["A lamp for lost papers"]
    assert (lamp["doi"], lamp["year"], lamp["tags"]) == ("10.1000/lamp.5", 2021, ["auto:Lighting"])


def test_bookmarks_are_read_however_many_there_are(papertrack: Command, library: Path) -> None:
    links = (
        f'<DT><A HREF="https://arxiv.org/abs/2001.{n:05}">T {n}</A>\n<DD>x\n' for n in range(600)
    )
    head = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n"
    (library / "bookmarks.html").write_text(head + "".join(links) + "</DL><p>\n")
    assert imported(papertrack, "bookmarks.html")["imported"] == 600
    (library / "deep.html").write_text(head + "<DL><p>" * 600 + '<A HREF="https://x.org">x</A>')
    assert "too deep" in papertrack("import", "deep.html").err


def test_bookmarks_keep_their_folders(papertrack: Command, library: Path) -> None:
    (library / "bookmarks.html").write_text(BOOKMARKS)
    report = imported(papertrack, "bookmarks.html")
    assert (report["items"], report["imported"], len(report["skipped"])) == (4, 2, 2)
    papers = papers_of(papertrack)
    assert papers["Drafting Ahead"]["categories"] == ["Reading"]
    assert papers["Drafting Ahead"]["added"] == "2023-11-14T22:13:20+00:00"
    assert papers["lamp"]["categories"] == ["Reading/Code & such"]
    assert papers["lamp"]["kind"] == "project"


def test_a_list_of_ids_and_addresses(papertrack: Command, library: Path) -> None:
    (library / "ids.txt").write_text(IDS)
    assert imported(papertrack, "ids.txt")["imported"] == 4


def test_a_papis_library(papertrack: Command, library: Path, tmp_path: Path) -> None:
    one = tmp_path / "papers" / "lights" / "berg-lamp"
    one.mkdir(parents=True)
    (one / "info.yaml").write_text(
        "author_list:\n- {family: Berg, given: Hans}\ntitle: A Lamp\ndoi: 10.1000/lamp.5\n"
        "type: article\njournal: Journal of Lists\nyear: '2021'\nref: berg21\ntags: [light]\n"
        "files: [lamp.pdf, ../../../secret.pdf]\nnotes: notes.md\npapis_id: abc\n"
        "time-added: 2021-01-31-12:00:00\nrating: 4\n"
    )
    (one / "lamp.pdf").write_bytes(b"%PDF-1.5")
    (tmp_path / "secret.pdf").write_bytes(b"%PDF-1.5 secret")
    (one / "notes.md").write_text("Mine: <script>x()</script> & a < b \\<b> \\\\<i>\n")
    broken = tmp_path / "papers" / "broken"
    broken.mkdir()
    (broken / "info.yaml").write_text("title: [unfinished\nref: x\n")
    report = imported(papertrack, tmp_path / "papers")
    assert (report["items"], report["imported"], len(report["skipped"])) == (2, 1, 1)
    paper = papers_of(papertrack)["A Lamp"]
    assert (paper["citekey"], paper["rating"], paper["categories"]) == ("berg21", 4, ["lights"])
    assert paper["added"] == "2021-01-31T12:00:00+00:00"
    note = (library / paper["notes"][0]).read_text()
    assert r"Mine: \<script>x()\</script> & a < b \<b> \\\<i>" in note
    assert [path.name for path in (library / "pdfs").iterdir()] == ["berg21.pdf"]


def test_software_with_authors_can_be_cited_as_before(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    one = tmp_path / "papers" / "lamps"
    one.mkdir(parents=True)
    (one / "info.yaml").write_text(
        "author_list:\n- {family: Berg, given: Hans}\ntitle: Lamps.jl\ntype: software\n"
        "year: 2022\nurl: https://github.com/berg/Lamps.jl\nref: berg22\n"
    )
    imported(papertrack, tmp_path / "papers")
    papertrack("add", "https://github.com/other/nameless")
    written = papertrack("export", "--bib", "-o", "-").out
    assert [line for line in written.splitlines() if line[:1] == "@"] == ["@misc{berg22,"]


@pytest.mark.parametrize("suffix", [".json", ".yaml", ".ris", ""])
@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        '{"items": ' * 20_000,
        "title: " + "[" * 200_000,
        "title: &a [*a, *a]\nref: x\nfiles: [*b]\n",
        "ref: a\n" + "".join(f"{'  ' * n}a:\n" for n in range(3000)),
        "TY  - \x00\n",
        '[{"type": "book", "title": {"a": []}, "author": [[], 1, {"family": []}]}]',
    ],
    ids=["brackets", "objects", "yaml", "alias", "deep", "ris", "shapes"],
)
def test_traps_are_refused_in_a_sentence(
    papertrack: Command, library: Path, text: str, suffix: str
) -> None:
    (library / f"refs{suffix}").write_text(text)
    ran = papertrack("import", f"refs{suffix}")
    assert ran.code in (0, 1)
    assert "Traceback" not in ran.err
    assert json.loads(papertrack("list", "--json").out) == []


@pytest.mark.parametrize(
    "name", [".env", ".git/config", "papertrack.toml", "loop", "a" * 300, "x\0"]
)
def test_a_document_of_papis_takes_nothing_private_from_where_it_was_saved(
    papertrack: Command, library: Path, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "papers" / "saved"
    (folder / ".git").mkdir(parents=True)
    for file in (".env", ".git/config", "papertrack.toml"):
        (folder / file).write_text("a secret")
    (folder / "loop").symlink_to("loop")
    named = json.dumps(name)
    (folder / "info.yaml").write_text(f"title: A Lamp\nnotes: {named}\nfiles: [{named}]\n")
    ran = papertrack("import", folder.parent, "--copy")
    assert ran.code == 0, ran.err
    assert "A Lamp" in papers_of(papertrack)
    copied = (path.read_bytes() for path in library.rglob("*") if path.is_file())
    assert not any(b"a secret" in data for data in copied)
