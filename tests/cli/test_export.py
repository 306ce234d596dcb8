import csv
import io
import json
import os
from pathlib import Path

import pytest

from tests.cli.commands import Command


def changed_lines(before: bytes, after: bytes) -> int:
    old, new = before.splitlines(), after.splitlines()
    assert len(old) == len(new)
    return sum(a != b for a, b in zip(old, new, strict=True))


def test_export_right_after_import_changes_no_byte(papertrack: Command, play: Path) -> None:
    before = (play / "README.md").read_bytes()
    ran = papertrack("export", "--md", "--check")
    assert ran.code == 0
    assert "nothing to do" in ran.err
    assert papertrack("export", "--md").code == 0
    assert (play / "README.md").read_bytes() == before


@pytest.mark.parametrize("passes", [1, 3])
def test_a_pass_changes_exactly_one_line(papertrack: Command, play: Path, passes: int) -> None:
    before = (play / "README.md").read_bytes()
    papertrack("pass", "2407.08608", str(passes))
    assert papertrack("export", "--md").code == 0
    after = (play / "README.md").read_bytes()
    assert changed_lines(before, after) == 1
    assert after.count("✅".encode()) == before.count("✅".encode()) + passes
    papertrack("undo")
    papertrack("export", "--md")
    assert (play / "README.md").read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has other links")
def test_that_a_hard_link_is_parted_is_said_and_its_other_name_keeps_what_it_was(
    papertrack: Command, play: Path
) -> None:
    other = play / "index.md"
    other.hardlink_to(play / "README.md")
    before = other.read_bytes()
    papertrack("pass", "2407.08608", "1")
    assert "it had another name (a hard link)" in papertrack("export", "--md").err
    assert other.read_bytes() == before != (play / "README.md").read_bytes()
    papertrack("pass", "2407.08608", "2")
    assert "hard link" not in papertrack("export", "--md").err


def test_check_and_diff_show_the_change_and_write_nothing(papertrack: Command, play: Path) -> None:
    before = (play / "README.md").read_bytes()
    papertrack("pass", "2407.08608", "1")
    ran = papertrack("export", "--md", "--check", "--diff")
    assert ran.code == 5
    lines = ran.out.splitlines()
    assert [line[:9] for line in lines if line[0] in "+-"][2:] == ["-| [<u>Fl", "+| [<u>Fl"]
    assert papertrack("export", "--md", "--dry-run").code == 0
    shown = papertrack("export", "--md", "--diff")
    assert (shown.code, shown.out) == (0, ran.out)
    assert shown.err == "Dry run, nothing changed: README.md: 1 line changed.\n"
    assert papertrack("sync", "--diff").out == ran.out
    assert (play / "README.md").read_bytes() == before
    papertrack("export", "--md")
    assert (play / "README.md").read_bytes() != before


def test_without_a_format_readmes_and_bibtex_are_brought_up_to_date(
    papertrack: Command, play: Path
) -> None:
    papertrack("pass", "2407.08608", "1")
    first = papertrack("export")
    assert "README.md: 1 line changed." in first.err
    assert "references.bib: wrote 32 papers." in first.err
    again = papertrack("export")
    assert again.err.count("nothing to do") == 2
    assert papertrack("export", "--check").code == 0


def test_each_format_has_its_place_and_its_shape(papertrack: Command, play: Path) -> None:
    for name in ("bib", "json", "csv", "csl", "ris"):
        assert papertrack("export", f"--{name}").code == 0
    assert len(json.loads((play / "exports" / "references.json").read_text("utf-8"))) == 32
    assert (play / "exports" / "references.ris").read_text("utf-8").count("ER  -") == 32
    bib = (play / "exports" / "references.bib").read_text(encoding="utf-8")
    assert bib.count("\n@misc{") + bib.startswith("@misc{") == 32
    assert "eprint        = {2309.06180}" in bib
    papers = json.loads((play / "exports" / "papers.json").read_text(encoding="utf-8"))
    assert len(papers) == 32
    rows = list(csv.DictReader(io.StringIO((play / "exports" / "papers.csv").read_text())))
    assert [row["arxiv_id"] for row in rows] == [paper["arxiv_id"] for paper in papers]


def test_a_query_selects_and_minus_writes_to_stdout(papertrack: Command, play: Path) -> None:
    ran = papertrack("export", "--json", "category:Serving", "-o", "-")
    assert len(json.loads(ran.out)) == 4
    assert ran.err == ""
    assert papertrack("export", "--bib", "category:Serving", "-o", "serving.bib").code == 0
    assert (play / "serving.bib").read_text(encoding="utf-8").count("@misc{") == 4


def test_bibtex_holds_what_is_saved_and_json_everything(papertrack: Command, play: Path) -> None:
    papertrack("discard", "2407.08608")
    papertrack("add", "2403.02311", "--inbox")
    assert papertrack("export", "--bib", "-o", "-").out.count("@misc{") == 31
    assert len(json.loads(papertrack("export", "--json", "-o", "-").out)) == 33


def test_bibtex_holds_whatever_a_bib_file_brought(papertrack: Command, play: Path) -> None:
    entries = (
        "@software{lamps, title = {Lamps}, url = {https://github.com/berg/lamps}}",
        "@misc{rooms, title = {berg/rooms: Rooms}, howpublished = {https://github.com/berg/rooms}}",
        "@dataset{suns, title = {Suns}, url = {https://example.org/suns}}",
    )
    (play / "own.bib").write_text("\n\n".join(entries) + "\n")
    papertrack("import", "own.bib")
    papertrack("add", "https://github.com/other/nameless")
    written = papertrack("export", "--bib", "-o", "-").out
    assert all(entry in written for entry in entries)
    assert "nameless" not in written


def test_fresh_tables_link_to_the_notes_from_where_they_are(
    papertrack: Command, play: Path
) -> None:
    assert papertrack("export", "--md", "-o", "exports/papers.md").code == 0
    fresh = (play / "exports" / "papers.md").read_text(encoding="utf-8")
    assert "]: ../notes/zero.md" in fresh
    assert "Speculative Decoding" in fresh


def test_fresh_tables_can_be_imported_again(papertrack: Command, play: Path, home: Path) -> None:
    papertrack("export", "--md", "-o", home / "papers.md")
    papertrack("init", home / "second")
    second = papertrack("--library", home / "second", "import", home / "papers.md", "--json")
    report = json.loads(second.out)
    assert (report["papers_new"], report["skipped"]) == (32, [])

    def told(library: Path) -> list[tuple[object, ...]]:
        papers = json.loads(papertrack("--library", library, "list", "--json").out)
        return sorted(
            (p["arxiv_id"], p["title"], p["passes_done"], tuple(p["categories"])) for p in papers
        )

    assert told(home / "second") == told(play)


def test_an_output_needs_one_format(papertrack: Command, play: Path) -> None:
    assert papertrack("export", "-o", "x").code == 2
    assert papertrack("export", "--bib", "--csv", "-o", "x").code == 2
    assert papertrack("export", "category:Serving").code == 2


def test_a_missing_readme_is_named_and_the_others_are_written(
    papertrack: Command, play: Path
) -> None:
    second = play / "second.md"
    second.write_text("# B\n\n- [x] [Some title](https://arxiv.org/abs/2301.00001)\n")
    papertrack("import", "second.md")
    papertrack("pass", "2407.08608", "1")
    second.unlink()
    ran = papertrack("export", "--md")
    assert ran.code == 3
    assert "second.md" in ran.err
    assert "README.md: 1 line changed." in ran.err


def test_sync_tells_both_ways_in_one_json_object(papertrack: Command, play: Path) -> None:
    path = play / "README.md"
    text = path.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if "FlashAttention-3" in line)
    path.write_text(text.replace(row, row.removesuffix("|") + "✅ |"), encoding="utf-8")
    papertrack("pass", "2501.01005", "1")
    tried = json.loads(papertrack("sync", "--json", "--dry-run").out)
    assert (tried["dry_run"], tried["exports"][0]["is_written"]) == (True, False)
    ran = papertrack("sync", "--json")
    told = json.loads(ran.out)
    assert ran.code == 0
    assert (told["papers_changed"], told["conflicts"], told["files"]) == (1, [], ["README.md"])
    (exported,) = told["exports"]
    assert (exported["file"], exported["is_written"], exported["refused"]) == (
        "README.md",
        True,
        [],
    )
    assert (exported["lines_added"], exported["lines_removed"]) == (1, 1)
    assert "FlashInfer" in exported["diff"]
    again = json.loads(papertrack("sync", "--json").out)["exports"][0]
    assert (again["diff"], again["lines_added"], again["is_written"]) == (None, 0, False)


def test_export_writes_what_it_can_when_a_file_of_yours_is_read_only(
    papertrack: Command, play: Path
) -> None:
    mine = play / "main.bib"
    mine.write_text("@misc{fa3, title={FlashAttention-3}, eprint={2407.08608}}\n")
    papertrack("import", "main.bib")
    papertrack("edit", "2407.08608", "title=Another")
    papertrack("pass", "2501.01005", "1")
    mine.chmod(0o444)
    ran = papertrack("export")
    assert ran.code == 1
    assert ran.err.count("read-only") == 1
    assert "README.md: 3 lines changed." in ran.err
    assert (play / "exports" / "references.bib").exists()


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_sync_of_a_file_that_is_gone_brings_the_others_in_step_and_says_so_once(
    papertrack: Command, play: Path, options: list[str]
) -> None:
    second = play / "second.md"
    second.write_text("# B\n\n- [x] [Some title](https://arxiv.org/abs/2301.00001)\n")
    papertrack("import", "second.md")
    second.unlink()
    path = play / "README.md"
    text = path.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if "FlashAttention-3" in line)
    path.write_text(text.replace(row, row.removesuffix("|") + "✅ |"), encoding="utf-8")
    papertrack("pass", "2501.01005", "1")
    ran = papertrack("sync", *options)
    assert ran.code == 3
    assert ran.err.count("second.md is missing") == 1
    assert "`papertrack documents second.md --forget`" in ran.err
    written = next(line for line in path.read_text("utf-8").splitlines() if "FlashInfer" in line)
    assert written.endswith("| ✅ |")
    assert json.loads(papertrack("show", "2407.08608", "--json").out)["passes_done"] == 1
    if options:
        told = json.loads(ran.out)
        written_to = [each["file"] for each in told["exports"] if each["is_written"]]
        assert (told["files"], written_to) == (["README.md"], ["README.md"])


def test_sync_tells_a_conflict_once(papertrack: Command, play: Path) -> None:
    path = play / "README.md"
    text = path.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if "FlashAttention-3" in line)
    path.write_text(text.replace(row, row.removesuffix("|") + "✅ |"), encoding="utf-8")
    papertrack("pass", "2407.08608", "3")
    ran = papertrack("sync")
    assert (ran.code, ran.err.count("conflict in"), ran.err.count("Decide with")) == (5, 1, 1)
    ran = papertrack("sync", "--json")
    assert ran.code == 5
    (conflict,) = json.loads(ran.out)["conflicts"]
    assert (conflict["field"], conflict["file_value"], conflict["library_value"]) == (
        "passes",
        1,
        3,
    )


def test_documents_are_listed_described_and_forgotten(papertrack: Command, play: Path) -> None:
    (listed,) = json.loads(papertrack("documents", "--json").out)
    assert (listed["file"], listed["entries"]) == ("README.md", 32)
    learnt = json.loads(papertrack("documents", "README.md", "--json").out)
    assert learnt["reading_mark_text"] == "✅"
    assert learnt["grammar"]["confidence"] > 0.7
    shown = papertrack("documents", "README.md").out
    assert "How I read your list\n32 entries; " in shown
    assert "GitHub (code)" in shown
    assert papertrack("documents", "README.md", "--forget", "--dry-run").code == 0
    assert papertrack("documents").out != ""
    assert papertrack("documents", "README.md", "--forget").code == 0
    assert papertrack("documents").out == ""
    assert papertrack("documents", "README.md", "--forget").code == 3


def test_works_that_are_only_mentioned_are_shown_by_three_with_their_lines(
    papertrack: Command, home: Path
) -> None:
    notes = "".join(
        f"[^{n}]: After [Older Study Number {n}](https://arxiv.org/abs/2301.0000{n}).\n"
        for n in range(1, 5)
    )
    entry = "- [A Study of Things](https://arxiv.org/abs/2401.00001)[^1]\n\n"
    (home / "list.md").write_text(f"# List\n\n{entry}{notes}", encoding="utf-8")
    shown = papertrack("documents", "list.md").out
    assert "Only mentioned in the text (4 works)\n  line     5  Older Study Number 1\n" in shown
    assert "Older Study Number 3\n  …" in shown


def test_fresh_output_never_replaces_a_readme_that_the_library_feeds(
    papertrack: Command, play: Path
) -> None:
    before = (play / "README.md").read_bytes()
    (play / "link.md").symlink_to("README.md")
    for form, name in (("--md", "README.md"), ("--json", "README.md"), ("--md", "link.md")):
        ran = papertrack("export", form, "-o", name)
        assert ran.code == 2
        assert f"{name} is a registered document" in ran.err
        assert (play / "README.md").read_bytes() == before


def test_documents_count_the_entries_that_are_in_the_file(papertrack: Command, play: Path) -> None:
    readme = play / "README.md"
    lines = readme.read_text("utf-8").splitlines(keepends=True)
    readme.write_text("".join(line for line in lines if "FlashAttention-3" not in line), "utf-8")
    assert papertrack("import", "README.md").code == 0
    (listed,) = json.loads(papertrack("documents", "--json").out)
    assert listed["entries"] == 31


def test_no_output_replaces_the_library_itself(papertrack: Command, play: Path) -> None:
    for name in ("papertrack.toml", "data/papertrack.db"):
        before = (play / name).read_bytes()
        ran = papertrack("export", "--json", "-o", name)
        assert (ran.code, ran.out) == (2, "")
        assert f"{name} is a part of the library itself" in ran.err
        assert (play / name).read_bytes() == before


def test_what_the_reader_says_of_one_entry_is_kept_for_later_imports(
    papertrack: Command, home: Path
) -> None:
    papertrack("init")
    groups = ("Blue Whale Lab", "Far North Team", "Red Fox Collective")
    lines = [
        f"- [A Study of Thing {n}](https://arxiv.org/abs/2401.0000{n}). {group}.\n"
        for n, group in enumerate(groups)
    ]
    (home / "list.md").write_text("# List\n\n" + "".join(lines[:2]), encoding="utf-8")
    papertrack("import", "list.md")
    assert papertrack("documents", "list.md", "--set", "authors=Nobody Here").code == 2
    assert papertrack("documents", "list.md", "--set", f"authors={groups[0]}").code == 0
    (home / "list.md").write_text("# List\n\n" + "".join(lines), encoding="utf-8")
    assert papertrack("import", "list.md").code == 0
    papers = json.loads(papertrack("list", "--json").out)
    assert {paper["title"][-1]: paper["authors"] for paper in papers} == {
        str(n): [group] for n, group in enumerate(groups)
    }
