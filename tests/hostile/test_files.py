"""Manuscripts, @preambles and settings of strangers (security.md, rows 2.4 to 2.6)."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from papertrack.actions.cite.rekey import Rekeyed, update_files, write_keys
from papertrack.cli.app import COMMANDS
from papertrack.documents.bibtex.grounds import is_unsafe
from papertrack.documents.bibtex.parse import parse_bibtex
from tests.cli.commands import Command
from tests.corpus import in_turn

BIB = "@misc{doe2020, title = {A Title of Words}, author = {Doe, Jane}, year = 2020}\n"


# Row 2.4: what is edited lies where the reader said


@pytest.fixture
def manuscript(papertrack: Command, home: Path) -> Path:
    """A stranger's folder with a manuscript that takes in a file of the reader's thesis."""
    papertrack("init", home / "library")
    thesis = home / "thesis"
    thesis.mkdir()
    (thesis / "ch1.tex").write_text("\\cite{doe2020}\n")
    (thesis / "refs.bib").write_text(BIB)
    folder = home / "stranger"
    folder.mkdir()
    (folder / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\input{../thesis/ch1}\\input{link}"
        "\\input{part/own}\\cite{doe2020}\\end{document}\n"
    )
    (folder / "part").mkdir()
    (folder / "part/own.tex").write_text("\\cite{doe2020}\n")
    (folder / "link.tex").symlink_to(thesis / "ch1.tex")
    (folder / "refs.bib").write_text(BIB)
    os.chdir(folder)
    papertrack("--library", home / "library", "import", "refs.bib")
    return folder


@pytest.mark.parametrize("named", ["main.tex", ".", "../stranger/main.tex"])
@pytest.mark.parametrize("is_untrusted", [True, False])
def test_keys_are_followed_only_in_the_folders_that_were_named(
    papertrack: Command, home: Path, manuscript: Path, named: str, is_untrusted: bool
) -> None:
    run = ("--library", home / "library")
    if is_untrusted:
        papertrack(*run, "trust", "--forget")
    ran = papertrack(*run, "rekey", "doe2020", "new:key", "--in", named, "--write")
    assert (home / "thesis/ch1.tex").read_text() == "\\cite{doe2020}\n"
    assert "\\cite{new:key}" in (manuscript / "main.tex").read_text()
    assert (manuscript / "part/own.tex").read_text() == "\\cite{new:key}\n"
    assert "(by hand)" in ran.err
    papertrack(*run, "rekey", "--follow", "--in", "../thesis", "--write")
    assert (home / "thesis/ch1.tex").read_text() == "\\cite{new:key}\n", "what is named is changed"


def test_a_manuscript_that_is_a_link_is_changed_with_what_stands_beside_it(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "main.tex").write_text("\\input{one}\\cite{a}")
    (real / "one.tex").write_text("\\cite{a}")
    (tmp_path / "main.tex").symlink_to(real / "main.tex")
    write_keys(update_files([tmp_path / "main.tex", real / "one.tex"], [Rekeyed("a", "b")]))
    assert (real / "main.tex").read_text() == "\\input{one}\\cite{b}"
    assert (real / "one.tex").read_text() == "\\cite{b}"


@pytest.mark.parametrize("taken", ["/dev/zero", "main", "../stranger/main.tex", "/dev/stdin", "."])
def test_a_manuscript_that_loops_or_names_a_device_is_read(
    papertrack: Command, home: Path, manuscript: Path, taken: str
) -> None:
    (manuscript / "main.tex").write_text(f"\\input{{{taken}}}\\include{{{taken}}}\\cite{{doe2020}}")
    ran = papertrack("--library", home / "library", "cite", "--tex", "main.tex")
    assert "Traceback" not in ran.err
    assert ran.code in (0, 1, 5)


# Row 2.5: @preambles


UNSAFE = [
    r"\immediate\write18{touch x}",
    r"\newwrite\f\immediate\openout\f=x.tex",
    r"\input{|touch x}",
    r'\input|"touch x"',
    r"\csname write\endcsname18{x}",
    r"\csname wri\iftrue te\fi\endcsname18{x}",
    r"^^5cwrite18{x}",
    r"\catcode`\|=0 |write18{x}",
    r"\directlua{os.execute('x')}",
    r"\usepackage{shellesc}\ShellEscape{x}",
    r"\let\x=\write \x18{x}",
    r"\scantokens{x}",
    r"\begin{filecontents}{x}",
    r"\includegraphics{|x}",
]
SAFE = [
    r"\newcommand{\noopsort}[1]{}",
    r"\makeatletter\@ifundefined{url}{\def\url#1{\texttt{#1}}}{}\makeatother",
    r"\expandafter\ifx\csname urlstyle\endcsname\relax\def\urlstyle#1{}\fi",
    r"\input{macros}",
    r"\providecommand{\BIBand}{and}",
]


@pytest.mark.parametrize("tex", UNSAFE)
def test_what_runs_programs_is_known(tex: str) -> None:
    assert is_unsafe(tex)


@pytest.mark.parametrize("tex", SAFE)
def test_what_only_defines_is_let_be(tex: str) -> None:
    assert not is_unsafe(tex)


@pytest.mark.parametrize(
    "preamble",
    [
        r'@preamble{"\newcommand{\x}{}\immediate\write18{touch x}"}',
        '@string{w = "\\wri"}\n@preamble{"\\newcommand{\\x}{}\\immediate" # w # "te18{touch x}"}',
    ],
)
def test_such_a_preamble_is_told_and_stays_where_it_is(
    papertrack: Command, home: Path, preamble: str
) -> None:
    papertrack("init")
    text = f"{preamble}\n" + BIB.replace("A Title", r"A \x{} Title")
    Path("refs.bib").write_text(text)
    ran = papertrack("import", "refs.bib")
    assert "can run programs" in ran.err + ran.out
    papertrack("export", "--bib", "-o", "other.bib")
    Path("main.tex").write_text("\\bibliography{other}\\cite{doe2020}")
    papertrack("cite", "--tex", "main.tex", "-o", "cited.bib")
    for name in ("other.bib", "cited.bib"):
        written = Path(name).read_text()
        assert "doe2020" in written
        assert "@preamble" not in written.lower()
    papertrack("tag", "doe2020", "+x")
    papertrack("edit", "doe2020", "title=Another Title")
    assert papertrack("export", "--bib", "refs.bib").code == 0
    assert Path("refs.bib").read_text().startswith(preamble), "the file itself keeps it"


def test_a_preamble_that_only_defines_goes_with_the_entries() -> None:
    text = '@preamble{"\\newcommand{\\noopsort}[1]{}"}\n@misc{a, title = {\\noopsort{x}A}}\n'
    assert "@preamble" in parse_bibtex(text).entries[0].whole


# Row 2.6: settings


CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


def test_a_setting_sends_a_terminal_nothing_but_text(papertrack: Command, shelf: Path) -> None:
    evil = "x\\u001b]0;owned\\u0007\\u009b31m\\u202e"
    (shelf / "papertrack.toml").write_text(
        f'pdf_viewer = "{evil}"\n[arxiv]\ncontact = "{evil}"\n[citekeys]\ntemplate = "{{auth}}"\n'
        f'[bibtex]\nprotect = ["{evil}"]\n[mail]\nto = ["{evil}"]\nhost = "{evil}"\n'
        f'[tui]\ntheme = "{evil}"\n[tui.queries]\n"{evil}" = "{evil}"\n'
    )
    runs = [("config",), ("trust",), ("config",), ("trust", "--forget")]
    keys = ("pdf_viewer", "arxiv.contact", "bibtex.protect", "mail.to", "mail.host", "tui.theme")
    for key in (*keys, "tui.queries"):
        runs += [("config", key), ("config", key, "--json"), ("config", key, "--dry-run")]
    for run in runs:
        ran = papertrack(*run)
        found = CONTROL.findall(ran.out + ran.err)
        assert not found, (run, ran)
    for wrong in (
        f'reading = "{evil}"\n',
        f'"{evil}" = 1\n',
        f'[citekeys]\ntemplate = "{{{evil}}}"\n',
    ):
        (shelf / "papertrack.toml").write_text(wrong)
        for run in (("config",), ("list",), ("queue",), ("trust",), ("rekey", "--dry-run")):
            ran = papertrack(*run)
            assert not CONTROL.findall(ran.out + ran.err), (run, ran)
    assert COMMANDS


def test_no_text_of_a_file_steers_a_terminal(
    papertrack: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file keeps what its author wrote, whatever it is; a terminal gets none of it raw."""
    papertrack("init")
    evil = "\x1b]0;owned\x07\x9b31m\u202e"
    text = f"@misc{{doe2020, title = {{A {evil} Title}}, note = {{{evil}}}, year = 2020}}\n"
    Path("refs.bib").write_text(text)
    Path("README.md").write_text(f"- [One {evil} Two](https://arxiv.org/abs/2001.00001) {evil}\n")
    Path("main.tex").write_text("\\cite{doe2020}")
    papertrack("import", "refs.bib")
    papertrack("import", "README.md")
    runs = [
        *(("export", "--bib", "-o", "-"), ("export", "--json", "-o", "-"), ("export", "--diff")),
        *(
            ("export", "--md", "-o", "-"),
            ("export", "--csv", "-o", "-"),
            ("documents", "README.md"),
        ),
        *(("cite", "--tex", "main.tex"), ("cite", "doe2020", "--bibtex"), ("show", "doe2020")),
        ("merge-file", "refs.bib", "refs.bib", "refs.bib", "--print"),
        ("propose", "README.md", "--add", "https://arxiv.org/abs/2001.00001"),
        ("check", "README.md", "refs.bib"),
    ]
    assert text in papertrack("export", "--bib", "-o", "-").out, "in a pipe to the byte"
    monkeypatch.setattr("papertrack.cli.output.is_terminal", lambda: True)
    for run in runs:
        ran = papertrack(*run)
        assert "internal error" not in ran.err
        assert not CONTROL.findall(ran.out + ran.err), run


# What `export --json` may have written


@pytest.fixture
def exported(papertrack: Command, shelf: Path) -> list[dict[str, Any]]:
    """The papers of a library as a file for another one, which is in the current folder."""
    told: list[dict[str, Any]] = json.loads(papertrack("export", "--json", "-o", "-").out)
    papertrack("init", "other")
    os.chdir("other")
    return told


def importing(papertrack: Command, told: list[dict[str, Any]]) -> None:
    Path("papers.json").write_text(json.dumps(told))
    assert papertrack("import", "papers.json").code == 0


@in_turn(
    record=[
        '{"made": {NAME: TARGET}}',
        '{"made": {NAME: TARGET}, "made": {}}',
        '{"made": {}, "made": {NAME: TARGET}}',
        '{"MADE": {}, "made": {NAME: TARGET}}',
        '{"made": {NAME: TARGET}, "said": ' + "1" * 5_000 + "}",
        '{"made": {NAME: TARGET}, "said": ' + "[" * 900 + "]" * 900 + "}",
    ],
    name=["{home}/planted", "../planted", "pdfs/planted.pdf"],
)
def test_a_file_of_papers_makes_and_removes_no_links(
    papertrack: Command, exported: list[dict[str, Any]], home: Path, name: str, record: str
) -> None:
    """Undo removes the links that an import made, and redo makes them: those of this machine."""
    name = name.format(home=home)
    own = Path(name)
    own.parent.mkdir(exist_ok=True)
    own.symlink_to("target")
    text = record.replace("NAME", json.dumps(name)).replace("TARGET", '"target"')
    exported[0]["originals"] = [{"source": "zotero:ABCD2345", "text": text}]
    importing(papertrack, exported)
    papertrack("undo", "--yes")
    assert own.is_symlink()
    own.unlink()
    papertrack("redo", "--yes")
    assert not own.is_symlink()


def test_what_an_import_made_of_notes_is_known_from_a_file_of_papers(
    papertrack: Command, exported: list[dict[str, Any]]
) -> None:
    made = {"notes/zotero/a-b.md": None, "pdfs/a.pdf": "/zotero/a.pdf", "../a": None}
    record = {"made": made, "said": {"tags": ["ä"]}}
    exported[0]["originals"] = [{"source": "zotero:A", "text": json.dumps(record)}]
    importing(papertrack, exported)
    (kept,) = json.loads(papertrack("export", "--json", "-o", "-").out)[0]["originals"]
    assert json.loads(kept["text"]) == record | {"made": {"notes/zotero/a-b.md": None}}


@pytest.mark.parametrize(
    ("key", "value"),
    [*(("year", 10**30), ("year", -(2**63) - 1), ("version", 2**63), ("version", 0))],
)
def test_a_number_that_no_library_keeps_is_told(
    papertrack: Command, exported: list[dict[str, Any]], key: str, value: int
) -> None:
    exported[0][key] = value
    Path("papers.json").write_text(json.dumps(exported))
    ran = papertrack("import", "papers.json")
    assert ran.code == 1
    assert "a library cannot store" in ran.err
    assert papertrack("list").out == ""


@pytest.mark.parametrize("kind", [["book"], {"is": "book"}, None, 1])
def test_a_reference_whose_type_is_no_word_is_told(
    papertrack: Command, home: Path, kind: object
) -> None:
    papertrack("init")
    Path("refs.json").write_text(json.dumps([{"id": "a", "type": kind, "title": "A Title"}]))
    ran = papertrack("import", "refs.json")
    assert ran.code == 1
    assert "internal error" not in ran.err


def test_a_key_that_is_no_text_is_left_out(papertrack: Command, shelf: Path) -> None:
    item = {"type": "book", "title": "A Book of Keys", "citation-key": "\ud800x"}
    items = [{**item, "id": "a"}, {**item, "id": "b", "title": "Another Book"}]
    (shelf / "x.json").write_text(json.dumps(items))
    ran = papertrack("import", "x.json")
    assert ran.code == 0, ran.err


@pytest.mark.parametrize("date", [[[[2020]]], [[[]]], [[{}, 5]], [[None]], {"a": 1}, 3])
def test_a_reference_whose_date_is_none_is_read_without(
    papertrack: Command, shelf: Path, date: object
) -> None:
    item = {"type": "book", "id": "b", "title": "A Book of Dates", "issued": {"date-parts": date}}
    (shelf / "x.json").write_text(json.dumps([item]))
    assert papertrack("import", "x.json").code == 0
    assert "A Book of Dates" in papertrack("list", "--all").out


@pytest.mark.parametrize(
    "entry",
    [
        "[A Title of Words](https://arxiv.org/abs/2211.17192)" + " [x]" * 4,
        "[A Title of Words](https://arxiv.org/abs/2211.17192)" + "[x]" * 9,
        "[x] " * 5 + "[A Title of Words](https://arxiv.org/abs/2211.17192)",
        "[" + "`" * 20_000 + "](https://arxiv.org/abs/2211.17192)",
        "[" + "*" * 20_000 + "](https://arxiv.org/abs/2211.17192)",
        "[" + "[" * 5_000 + "a" + "]" * 5_000 + "](https://arxiv.org/abs/2211.17192)",
    ],
)
def test_an_odd_entry_of_a_list_stops_no_import(
    papertrack: Command, shelf: Path, entry: str
) -> None:
    text = f"# Papers\n\n- {entry}\n- [Another Title](https://arxiv.org/abs/2309.06180)\n"
    (shelf / "odd.md").write_text(text)
    ran = papertrack("import", "odd.md")
    assert ran.code == 0, ran.err
    assert "2309.06180" in papertrack("list", "--all", "--json").out
    assert papertrack("export", "--md").code == 0
    assert (shelf / "odd.md").read_text() == text


@pytest.mark.parametrize("text", ["TY  -ER  -  JOUR\nTI  - A Title\n", "TY  -JOUR\n", "PMID-5\n"])
def test_a_file_of_references_that_holds_none_is_told(
    papertrack: Command, shelf: Path, text: str
) -> None:
    Path("papers.ris").write_text(text)
    ran = papertrack("import", "papers.ris")
    assert "internal error" not in ran.err, ran


def test_a_library_file_with_an_entry_that_is_none_breaks_no_export(
    papertrack: Command, home: Path
) -> None:
    papertrack("init", home / "library")
    os.chdir(home / "library")
    Path("refs.bib").write_text(BIB)
    papertrack("import", "refs.bib")
    exported = json.loads(papertrack("export", "--json", "-o", "-").out)
    exported[0]["originals"][0]["text"] = "none"
    Path("papers.json").write_text(json.dumps(exported))
    papertrack("init", home / "own")
    ran = papertrack("--library", home / "own", "import", "papers.json")
    assert "is not that of an entry" in ran.err
    assert papertrack("--library", home / "own", "export", "--bib", "-o", "-").code == 0


@pytest.mark.parametrize("odd", ["x", "9999-99-99"])
def test_a_paper_added_at_no_time_is_skipped_in_a_sentence(
    papertrack: Command, exported: list[dict[str, Any]], odd: str
) -> None:
    """The feed of a site, and the digest, put papers in the order of their times."""
    exported[0]["added"] = odd
    importing(papertrack, exported)
    assert exported[0]["citekey"] not in papertrack("list").out
    assert papertrack("export", "--site", "site").code == 0


@pytest.mark.parametrize("odd", ["2020-xx", "20 xx", "2020-", "a\nb", "2020-13-45", "2020-W01-1"])
@pytest.mark.parametrize("field", ["submitted", "updated", "snoozed_until"])
def test_a_paper_of_no_day_is_skipped_in_a_sentence(
    papertrack: Command, exported: list[dict[str, Any]], field: str, odd: str
) -> None:
    """CSL writes the parts of a day as numbers."""
    exported[0][field] = odd
    exported[1]["readings"] = [
        {"pass": 1, "at": odd, "minutes": None, "version": None, "takeaway": None}
    ]
    importing(papertrack, exported)
    assert not {paper["citekey"] for paper in exported[:2]} & {*papertrack("list").out.split()}
    assert papertrack("export", "--csl", "-o", "-").code == 0


def test_a_day_or_a_time_without_offset_stops_no_digest(
    papertrack: Command, exported: list[dict[str, Any]]
) -> None:
    match = {"reason": "title", "score": 1.0}
    times = {"systems": "2026-02-20", "agents": "2026-02-20T10:00:00+00:00"}
    exported[0]["added"] = "2026-01-01T10:00:00"
    exported[0]["found"] = [
        {"topic": topic, "found_at": at, **match} for topic, at in times.items()
    ]
    importing(papertrack, exported)
    for topic in times:
        papertrack("topic", "add", topic, "--query", "x", "--arxiv", "cs.LG")
    importing(papertrack, exported)
    assert papertrack("export", "--site", "site").code == 0
    for form in ("text", "atom"):
        ran = papertrack("watch", "--no-look", "--since", "2026-02-15", "--digest", form)
        assert (ran.code, exported[0]["title"] in ran.out) == (0, True), ran.err
