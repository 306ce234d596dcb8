"""What `export --json` writes is all that is the reader's, and `import` takes it back."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from papertrack.actions.make_library import open_library
from papertrack.actions.proposals import ACTS, propose_act
from papertrack.documents.records import format_record, parse_record
from papertrack.library import Library
from papertrack.library.surroundings import current_time
from papertrack.store.journal import JOURNALLED
from tests.cli.commands import Command
from tests.cli.conftest import furnish

README = """\
# List

## Serving

| Title | Read | Note |
|---|---|---|
| [A paper about pages](https://arxiv.org/abs/2309.06180) | ✅ ✅ | [note](notes/pages.md) |
| [A post about prefills](https://blog.example.org/prefills) | | |

## Draft/Verify

- [Scaling laws](https://one.example.org/laws)
- [Scaling laws](https://two.example.org/laws)
"""
BIBTEX = """\
@InProceedings{Low:2020,
  title     = {One {T}itle},
  author    = {Ada Low and {World Health Organization}},
  booktitle = icml,
  pages     = {1--9},
  year      = 2020,
}
"""
FED = {"documents", "entries", "paper_records"}
"""What a library knows of files: importing them finds it again."""
NAMES = {
    "paper_id": "SELECT id, citekey FROM papers",
    "other_id": "SELECT id, citekey FROM papers",
    "topic_id": "SELECT id, name FROM topics",
}


def category_names(db: sqlite3.Connection) -> dict[int, str]:
    rows = {row[0]: row[1:] for row in db.execute("SELECT id, parent_id, name FROM categories")}

    def name(number: int | None) -> str:
        return "" if number is None else f"{name(rows[number][0])}/{rows[number][1]}"

    return {number: name(number) for number in rows}


def rows_by_name(db: sqlite3.Connection, table: str) -> Iterator[dict[str, Any]]:
    """The rows of a table with names in place of this database's numbers."""
    names = {column: dict(db.execute(sql).fetchall()) for column, sql in NAMES.items()}
    names |= dict.fromkeys(("category_id", "parent_id"), category_names(db))
    # Where else it stands that a key was given away.
    shown = {paper_id for (paper_id,) in db.execute("SELECT paper_id FROM shown_citekeys")}
    db.row_factory = sqlite3.Row
    for row in db.execute(f"SELECT * FROM {table}"):
        known = dict(row)
        if table == "categories":
            known["path"] = names["category_id"][known["id"]]
        if table == "papers":
            known["is_citekey_given"] |= known["id"] in shown
        known.pop("id", None)
        known.pop("key", None)  # Drawn by lot.
        for column in known.keys() & names.keys():
            known[column] = names[column].get(known[column])
        if table == "different":
            known = {"pair": sorted(known.values())}
        yield known
    db.row_factory = None


def all_of_the_reader(library: Path) -> dict[str, list[str]]:
    """Every table that undo knows, which is what the reader did, but for what is known of files."""
    with closing(sqlite3.connect(library / "data" / "papertrack.db")) as db:
        return {
            table: sorted(json.dumps(row, sort_keys=True) for row in rows_by_name(db, table))
            for table in JOURNALLED
            if table not in FED
        }


@pytest.fixture
def rich(papertrack: Command, home: Path, made_shelf: Path) -> Path:
    """A library in which every table of the reader's has something."""
    library = home / "rich"

    def rich() -> None:
        library.mkdir()
        (library / "notes").mkdir()
        (library / "notes" / "pages.md").write_text("# Pages\n")
        (library / "README.md").write_text(README)
        (library / "main.bib").write_text(BIBTEX)
        papertrack("init", library)
        runs: list[tuple[str | Path, ...]] = [
            ("import", library / "README.md", library / "main.bib"),
            ("add", "2401.09670", "1910.02054", "2205.14135", "--category", "Systems/IO"),
            ("edit", "2401.09670", "title=Disaggregating", "authors=Yinmin Zhong", "citekey=zhong"),
            ("edit", "2401.09670", "citekey=distserve"),
            ("pass", "2309.06180", "3", "--minutes", "40", "--takeaway", "Pages, then\nblocks."),
            ("pass", "2309.06180", "3", "--minutes", "5"),
            ("edit", "distserve", "rating=5"),
            ("discard", "1910.02054", "--reason", "superseded"),
            ("tag", "distserve", "+thesis", "+Read Again"),
            ("topic", "add", "serving", "--query", "serving attention", "--category", "Found"),
            ("topic", "add", "quiet", "--query", "quantization"),
            ("topic", "pause", "quiet"),
            ("category", "add", "Empty/Later"),
            ("category", "order", "Systems", "--first"),
            ("merge", "2205.14135", "distserve"),
            ("next",),
            ("duplicates", "--different", "2309.06180", "Low:2020"),
            ("ranking", "forget", "benchmark"),
            ("ranking", "less", "2309.06180"),
        ]
        for run in runs:
            done = papertrack("--library", library, *run)
            assert done.code in (0, 5), (run, done.err)
        with closing(sqlite3.connect(library / "data" / "papertrack.db")) as db:
            # What only a night with the network brings.
            db.execute("UPDATE journal_state SET last_paper_id = -1")
            db.execute(
                """INSERT INTO suggestions (paper_id, field, value, source, at, state)
                   VALUES (1, 'title', '"Another"', 'arxiv', '2026-01-01T00:00:00Z', 'rejected'),
                          (1, 'year', '2023', 'crossref', '2026-01-01T00:00:00Z', 'open')"""
            )
            db.execute(
                """INSERT INTO paper_topics VALUES
                   (1, (SELECT id FROM topics WHERE name = 'serving'), 'title: serving', 2.5,
                    '2026-01-02T00:00:00+00:00')"""
            )
            db.execute("UPDATE journal_state SET last_paper_id = ?", (2**62,))
            db.commit()

    furnish(home, made_shelf, rich)
    papertrack("trust", library)
    return library


def export(papertrack: Command, library: Path) -> Path:
    file = library.parent / f"{library.name}.json"
    assert papertrack("--library", library, "export", "--json", "-o", file).code == 0
    return file


def fresh(papertrack: Command, library: Path, file: Path) -> Path:
    """A new library with what the file holds."""
    papertrack("init", library)
    done = papertrack("--library", library, "import", file)
    assert done.code == 0, done.err
    return library


def test_every_table_of_the_reader_is_filled_here(rich: Path) -> None:
    empty = [table for table, rows in all_of_the_reader(rich).items() if not rows]
    assert not empty


def test_a_library_comes_back_equal_from_its_json(
    papertrack: Command, rich: Path, home: Path
) -> None:
    file = export(papertrack, rich)
    before = all_of_the_reader(rich)
    again = all_of_the_reader(fresh(papertrack, home / "again", file))
    for table, rows in before.items():
        assert again[table] == rows, table
    # And so does what it exports.
    wholes = [
        json.loads(file.read_text()),
        json.loads(export(papertrack, home / "again").read_text()),
    ]
    for whole in wholes:
        whole[0]["library"]["documents"] = []
        for paper in whole:
            del paper["id"]
    assert wholes[0] == wholes[1]


def test_a_library_without_papers_comes_back_from_its_json(papertrack: Command, home: Path) -> None:
    first, again, feed = home / "first", home / "again", "https://blog.example.org/feed.xml"
    papertrack("init", first)
    assert json.loads(export(papertrack, first).read_text()) == []
    papertrack("--library", first, "topic", "add", "blog", "--feed", feed)
    papertrack("--library", first, "category", "add", "Later/Empty")
    file = export(papertrack, first)
    (alone,) = json.loads(file.read_text())
    assert alone["library"]["topics"][0]["feeds"] == [feed]
    papertrack("init", again)
    for told in ("1 new topic, 2 new categories", "nothing that the library lacks"):
        done = papertrack("--library", again, "import", file)
        assert done.err.endswith(f"{file}: {told}.\n"), done.err
    assert all_of_the_reader(again) == all_of_the_reader(first)


def test_an_import_with_papers_says_what_else_it_added(
    papertrack: Command, rich: Path, home: Path
) -> None:
    file = export(papertrack, rich)
    papertrack("init", home / "again")
    done = papertrack("--library", home / "again", "import", file)
    topics = len(json.loads(papertrack("--library", rich, "topic", "--json").out))
    assert f" entries; {topics} new topic" in done.err
    told = papertrack("--library", rich, "import", file, "--json")
    assert set(json.loads(told.out)["counts"].values()) == {0}


def test_what_is_no_feed_in_a_file_is_told_and_breaks_no_command(
    papertrack: Command, home: Path
) -> None:
    good, odd = "https://blog.example.org/feed", ["https://[::1", "javascript:alert(1)", "x"]
    papertrack("init", home / "first")
    papertrack("--library", home / "first", "topic", "add", "blog", "--feed", good)
    file = export(papertrack, home / "first")
    (shape,) = json.loads(file.read_text())
    shape["library"]["topics"][0]["feeds"] += odd
    file.write_text(json.dumps([shape]))
    papertrack("init", home / "again")
    done = papertrack("--library", home / "again", "import", file, "--json")
    (told,) = json.loads(done.out)["notices"]
    assert all(feed in told["text"] for feed in odd)
    listed = papertrack("--library", home / "again", "topic", "--json")
    assert [one["feeds"] for one in json.loads(listed.out)] == [[good]]


def test_a_topic_that_looks_elsewhere_here_stays_and_is_told(
    papertrack: Command, home: Path
) -> None:
    places = {"theirs": "https://two.example.org/feed.xml", "ours": "https://one.example.org/feed"}
    for name, feed in places.items():
        papertrack("init", home / name)
        papertrack("--library", home / name, "topic", "add", "blog", "--feed", feed)
    file = export(papertrack, home / "theirs")
    done = papertrack("--library", home / "ours", "import", file, "--json")
    (told,) = json.loads(done.out)["notices"]
    assert places["ours"] in told["reason"]
    assert places["theirs"] in told["text"]
    (kept,) = json.loads(papertrack("--library", home / "ours", "topic", "--json").out)
    assert kept["feeds"] == [places["ours"]]


def test_what_was_taken_is_undone_as_a_whole(papertrack: Command, rich: Path, home: Path) -> None:
    again = fresh(papertrack, home / "again", export(papertrack, rich))
    assert (
        json.loads(papertrack("--library", again, "undo", "--json").out)["action"]["verb"]
        == "import"
    )
    assert not any(all_of_the_reader(again).values())
    assert papertrack("--library", again, "redo").code == 0
    assert all_of_the_reader(again) == all_of_the_reader(rich)


def test_taking_it_into_the_same_library_changes_nothing(papertrack: Command, rich: Path) -> None:
    file, before = export(papertrack, rich), all_of_the_reader(rich)
    done = papertrack("--library", rich, "import", file, "--json")
    assert (
        done.code,
        json.loads(done.out)["papers_new"],
        json.loads(done.out)["papers_changed"],
    ) == (0, 0, 0)
    assert json.loads(done.out)["conflicts"] == []
    assert all_of_the_reader(rich) == before


def test_a_dry_run_takes_nothing(papertrack: Command, rich: Path, home: Path) -> None:
    file = export(papertrack, rich)
    papertrack("init", home / "again")
    done = papertrack("--library", home / "again", "import", file, "-n", "--json")
    assert json.loads(done.out)["papers_new"] > 0
    assert not any(all_of_the_reader(home / "again").values())


def merged(papertrack: Command, home: Path, rich: Path, *first: tuple[str, ...]) -> Any:
    """A library that had the paper about pages already, after it took the other one's file."""
    mine = home / "mine"
    papertrack("init", mine)
    papertrack("--library", mine, "add", "2309.06180")
    for run in first:
        assert papertrack("--library", mine, *run).code == 0
    done = papertrack("--library", mine, "import", export(papertrack, rich), "--json")
    shown = json.loads(papertrack("--library", mine, "show", "2309.06180", "--json").out)
    return done, shown


def test_a_known_paper_gets_what_it_lacks_and_loses_nothing(
    papertrack: Command, home: Path, rich: Path
) -> None:
    done, shown = merged(
        papertrack,
        home,
        rich,
        ("tag", "2309.06180", "+mine"),
        ("pass", "2309.06180", "1", "--takeaway", "My own thought."),
    )
    assert done.code == 0, done.err
    assert shown["title"] == "A paper about pages"
    assert "mine" in shown["tags"]
    thoughts = [reading["takeaway"] for reading in shown["readings"]]
    assert "My own thought." in thoughts
    assert sum(reading["pass"] == 3 for reading in shown["readings"]) == 2
    assert shown["passes_done"] == 3
    assert shown["notes"] == ["notes/pages.md"]


def test_what_both_decided_otherwise_is_a_conflict_and_stays(
    papertrack: Command, home: Path, rich: Path
) -> None:
    papertrack("--library", rich, "edit", "2309.06180", "rating=2", "title=Theirs")
    done, shown = merged(
        papertrack, home, rich, ("edit", "2309.06180", "rating=4", "title=Mine, by hand")
    )
    assert done.code == 5
    assert {one["field"] for one in json.loads(done.out)["conflicts"]} == {"title", "rating"}
    assert (shown["title"], shown["rating"]) == ("Mine, by hand", 4)


def test_the_side_that_is_preferred_wins(papertrack: Command, home: Path, rich: Path) -> None:
    papertrack("--library", rich, "edit", "2309.06180", "rating=2")
    merged(papertrack, home, rich, ("edit", "2309.06180", "rating=4"))
    file = home / "rich.json"
    done = papertrack("--library", home / "mine", "import", file, "--prefer", "file")
    assert done.code == 0, done.err
    shown = papertrack("--library", home / "mine", "show", "2309.06180", "--json")
    assert json.loads(shown.out)["rating"] == 2


def test_a_key_that_is_taken_here_is_told(papertrack: Command, home: Path, rich: Path) -> None:
    done, _ = merged(
        papertrack,
        home,
        rich,
        ("edit", "2309.06180", "title=Quite another"),
        ("add", "2101.00001"),
        ("edit", "2101.00001", "title=A stranger", "citekey=distserve"),
    )
    told = [one["reason"] for one in json.loads(done.out)["notices"] if one["text"] == "distserve"]
    assert told
    assert "belongs to another paper" in told[0]


def test_what_list_prints_is_taken_too(papertrack: Command, rich: Path, home: Path) -> None:
    file = home / "listed.json"
    file.write_text(papertrack("--library", rich, "list", "--all", "--json").out)
    library = fresh(papertrack, home / "again", file)
    papers = json.loads(papertrack("--library", library, "list", "--all", "--json").out)
    listed = json.loads(file.read_text())
    again = {paper["citekey"]: paper for paper in papers}
    assert again.keys() == {paper["citekey"] for paper in listed}
    for paper in listed:
        assert again[paper["citekey"]] | {"id": paper["id"]} == paper | {"topics": []}


def test_a_paper_that_is_not_as_papertrack_writes_it_is_told_with_its_line(
    papertrack: Command, rich: Path, home: Path
) -> None:
    shapes = json.loads(export(papertrack, rich).read_text())
    shapes[1]["rating"] = 9
    file = home / "odd.json"
    file.write_text(json.dumps(shapes, indent=2))
    papertrack("init", home / "again")
    done = papertrack("--library", home / "again", "import", file, "--json")
    assert json.loads(done.out)["papers_new"] == len(shapes) - 1
    (told,) = json.loads(done.out)["skipped"]
    assert "rating" in told["reason"]
    assert file.read_text().splitlines()[told["line"] - 1].strip() == "{"


def test_a_file_that_is_cut_off_is_refused_and_nothing_of_it_taken(
    papertrack: Command, rich: Path, home: Path
) -> None:
    text = export(papertrack, rich).read_text()
    file = home / "cut.json"
    papertrack("init", home / "again")
    for share in (0.3, 0.6, 0.95):
        file.write_text(text[: int(len(text) * share)])
        done = papertrack("--library", home / "again", "import", file)
        assert done.code == 1, share
        assert not any(all_of_the_reader(home / "again").values())


def test_strangers_text_in_it_is_cleaned(papertrack: Command, rich: Path, home: Path) -> None:
    shapes = json.loads(export(papertrack, rich).read_text())
    shapes[0]["title"] = "Steering \x1b]52;c;AAAA\x07 you"
    shapes[0]["tags"] = ["a\x1b[31m"]
    file = home / "hostile.json"
    file.write_text(json.dumps(shapes))
    again = fresh(papertrack, home / "again", file)
    done = papertrack("--library", again, "list", "--all", "--json")
    assert "\\u001b" not in done.out
    assert "\x1b" not in done.out


def test_a_paper_comes_back_with_what_an_agent_proposed(
    papertrack: Command, rich: Path, home: Path
) -> None:
    acts = sorted(set(ACTS) - {"add"})
    with open_library(Library(rich), now=lambda: current_time({})) as store:
        for act in acts:
            propose_act(store, "x", act, "what", reason="why", paper_id=1)
    again = fresh(papertrack, home / "again", export(papertrack, rich))
    kept, came = (
        sorted(
            (one["field"], one["suggested"])
            for one in json.loads(papertrack("--library", library, "suggestions", "--json").out)
        )
        for library in (rich, again)
    )
    assert len(kept) >= len(acts)
    assert came == kept


def test_a_paper_whose_key_only_a_bib_file_can_have_is_taken_back(
    papertrack: Command, home: Path, tmp_path: Path
) -> None:
    """They were left out of the library that an export made, and of clones of a shared one."""
    keys = ["müller2020", "王2020", "O'Brien2020", "-lead", "a~b", "a b", "a\\b", "a'#c", "k" * 300]
    papertrack("init")
    entries = (f"@misc{{{key}, title={{Words about {n} keys}}}}\n" for n, key in enumerate(keys))
    Path("keys.bib").write_text("".join(entries))
    assert "9 new papers" in papertrack("import", "keys.bib").err
    papertrack("export", "--json", "-o", "all.json")
    other = ("--library", tmp_path / "other")
    papertrack(*other, "init")
    assert "9 new papers" in papertrack(*other, "import", "all.json").err
    for key in keys:
        record = {"citekey": key, "added": "2026-01-01", "aliases": [key]}
        assert parse_record(format_record(record).encode()) == record
