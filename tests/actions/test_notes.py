"""Note files: made with the questions of the due pass, never overwritten, found by search."""

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from papertrack.actions.documents import import_file
from papertrack.actions.notes import prepare_note, template
from papertrack.actions.reading import mark_pass
from papertrack.errors import PapertrackError
from papertrack.library.paths import note_name
from papertrack.library.trust import trust
from papertrack.queries.parser import parse_query
from papertrack.records import Author
from papertrack.store.citekeys import Citekeys
from papertrack.store.listing import find_ids
from papertrack.store.papers import add_note, remove_paper
from papertrack.sync.in_step import index_note
from tests.actions.conftest import CHUNKED, DRAFT, ORCA, PAGED, Desk
from tests.exporters.papers import make_paper


def test_the_next_pass_adds_its_questions_below_what_is_there(desk: Desk) -> None:
    paper = desk.id(ORCA)
    path = prepare_note(desk.store, desk.library, paper).path
    written = path.read_bytes() + b"\nMy own line, no newline after it"
    path.write_bytes(written)
    mark_pass(desk.store, [paper], 2)
    note = prepare_note(desk.store, desk.library, paper)
    assert (note.is_new, note.questions_for) == (False, 3)
    assert path.read_bytes().startswith(written + b"\n\n## Third pass\n")
    again = path.read_bytes()
    assert prepare_note(desk.store, desk.library, paper).questions_for is None
    assert path.read_bytes() == again


def test_a_new_note_shows_the_words_of_strangers_as_words() -> None:
    title = r"<img src=x onerror=a()> ![a](http://e/x) [b](javascript:a) \<b> \\[c\](d) [cs] $\be$"
    paper = make_paper(title=title, venue="![v](http://e/v)", authors=(Author("<b onclick=x>Bee"),))
    shown = MarkdownIt("commonmark", {"html": True}).render(template(paper, 1))
    assert not {"<img", "<b", "<a"}.intersection(re.findall("<[a-z]+", shown))
    assert "[cs] $\\be$" in shown


@pytest.mark.parametrize("content", ["# My own notes\n", "\n", "\udcff"])
def test_a_note_that_papertrack_did_not_make_is_left_alone(desk: Desk, content: str) -> None:
    path = desk.library.notes / "serving.md"
    path.parent.mkdir()
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    note = prepare_note(desk.store, desk.library, desk.id(PAGED))
    assert (note.path, note.is_new, note.questions_for) == (path, False, None)
    assert path.read_bytes() == content.encode("utf-8", "surrogateescape")


def test_a_note_shared_by_two_papers_is_one_file(desk: Desk) -> None:
    first = prepare_note(desk.store, desk.library, desk.id(PAGED))
    second = prepare_note(desk.store, desk.library, desk.id(CHUNKED))
    assert first.path == second.path
    assert (first.is_new, second.is_new) == (True, False)


def test_a_file_of_that_name_is_taken_as_it_is(desk: Desk) -> None:
    path = desk.library.notes / "orca2022like.md"
    path.parent.mkdir()
    path.write_text("older thoughts\n")
    assert not prepare_note(desk.store, desk.library, desk.id(ORCA)).is_new
    assert path.read_text() == "older thoughts\n"
    assert desk.paper(ORCA).notes == ("notes/orca2022like.md",)


def test_two_keys_with_one_file_name_get_two_files(desk: Desk) -> None:
    with desk.store.action("rekey"):
        Citekeys(desk.store).rename(desk.id(ORCA), "a:b")
        Citekeys(desk.store).rename(desk.id(DRAFT), "a.b")
    first = prepare_note(desk.store, desk.library, desk.id(ORCA))
    second = prepare_note(desk.store, desk.library, desk.id(DRAFT))
    assert (first.name, second.name) == ("notes/a-b.md", "notes/a-b-2.md")


def test_an_empty_file_gets_the_template(desk: Desk) -> None:
    path = desk.library.notes / "serving.md"
    path.parent.mkdir()
    path.touch()
    assert prepare_note(desk.store, desk.library, desk.id(PAGED)).is_new
    assert path.read_text().startswith("# Paged Memory for Serving\n")


def test_a_folder_is_no_note(desk: Desk) -> None:
    (desk.library.notes / "serving.md").mkdir(parents=True)
    with pytest.raises(PapertrackError, match="not a plain file"):
        prepare_note(desk.store, desk.library, desk.id(PAGED))


@pytest.mark.parametrize("url", ["../secret.md", "notes/../../secret.md", "notes/way-out.md"])
def test_a_note_outside_of_the_readers_folders_is_neither_made_nor_changed(
    desk: Desk, tmp_path: Path, url: str
) -> None:
    secret = tmp_path / "secret.md"
    desk.library.notes.mkdir()
    (desk.library.notes / "way-out.md").symlink_to(secret)
    desk.replace("notes/serving.md", url)
    desk.import_readme()
    with pytest.raises(PapertrackError, match=r"outside the library.*it was not opened"):
        prepare_note(desk.store, desk.library, desk.id(PAGED))
    assert not secret.exists()
    secret.write_text("## First pass\n")
    with pytest.raises(PapertrackError, match="outside the library"):
        prepare_note(desk.store, desk.library, desk.id(PAGED))
    assert secret.read_text() == "## First pass\n"


def test_a_note_beside_a_readme_outside_of_the_library_is_opened(
    desk: Desk, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    readme = desk.readme.rename(elsewhere / "README.md")
    trust(desk.library, {})
    with desk.store.action("rm"):
        remove_paper(desk.store, desk.id(PAGED))
    import_file(desk.store, desk.library, readme)
    note = prepare_note(desk.store, desk.library, desk.id(PAGED))
    assert note.path == elsewhere / "notes" / "serving.md"
    assert note.is_new


def test_a_note_elsewhere_in_the_repository_is_opened_but_nothing_of_gits(
    desk: Desk, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    trust(desk.library, {})
    with desk.store.action("edit"):
        add_note(desk.store, desk.id(ORCA), "../reading/orca.md")
        add_note(desk.store, desk.id(DRAFT), "../.git/hooks/pre-commit")
    assert prepare_note(desk.store, desk.library, desk.id(ORCA)).is_new
    assert (tmp_path / "reading" / "orca.md").is_file()
    with pytest.raises(PapertrackError, match="it was not opened"):
        prepare_note(desk.store, desk.library, desk.id(DRAFT))
    assert list((tmp_path / ".git").iterdir()) == []


@pytest.mark.parametrize("address", ["https://example.org/notes", "file:///etc/passwd"])
def test_a_note_on_the_web_is_no_file(desk: Desk, address: str) -> None:
    with desk.store.action("edit"):
        add_note(desk.store, desk.id(ORCA), address)
    with pytest.raises(PapertrackError, match="web page"):
        prepare_note(desk.store, desk.library, desk.id(ORCA))


def test_the_search_finds_what_a_note_says(desk: Desk) -> None:
    note = prepare_note(desk.store, desk.library, desk.id(PAGED))
    note.path.write_text("copy-on-write 分页 pages\n", encoding="utf-8")
    index_note(desk.store, desk.library, note.name)
    for words in ("copy", "分页"):
        found = find_ids(desk.store, parse_query(f"note:{words}"))
        assert sorted(found) == sorted([desk.id(PAGED), desk.id(CHUNKED)])


def test_a_file_outside_the_library_is_not_read_for_the_search(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("hunter2\n")
    desk.replace("notes/serving.md", "../secret.md")
    desk.import_readme()
    assert desk.paper(PAGED).notes == ((tmp_path / "secret.md").as_posix(),)
    assert find_ids(desk.store, parse_query("hunter2")) == []


def test_the_note_s_path_goes_back_to_the_readme(desk: Desk) -> None:
    prepare_note(desk.store, desk.library, desk.id(ORCA))
    exported = desk.export()
    assert (exported.lines_added, exported.lines_removed) == (2, 1)
    assert "[12]: notes/orca2022like.md\n" in desk.read()


@pytest.mark.parametrize("url", ["[https://example.org/a", "<http://x.org/b", "x://y/z.md"])
def test_an_address_that_is_written_wrongly_is_no_note(desk: Desk, url: str) -> None:
    assert note_name(desk.library, desk.readme, url) is None
