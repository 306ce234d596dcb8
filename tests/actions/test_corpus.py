"""Real READMEs, and their histories: no byte lost, no paper made twice."""

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from benchmarks.documents_coverage import seen_ids
from papertrack.actions.add import add_references
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import remove_papers
from papertrack.actions.reading import mark_pass
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.read.document import parse_document
from papertrack.identifiers import parse_arxiv_id
from papertrack.store.documents import StoredEntry, read_documents, read_entries
from papertrack.store.lookup import get_papers
from papertrack.sync.markdown import reading as document_files
from papertrack.text import title_key
from tests.actions.conftest import Desk
from tests.corpus import WHOLE, files, needs_corpus, some

OF_NEW = re.compile(r"Zebra|2401\.99999|(?:\b20|['’])24\b")

pytestmark = [pytest.mark.corpus, needs_corpus]

READMES = files("readmes/*.md", "seeds/*.txt")
HISTORIES = files("readmes-history/*")
EVERY = 3
"""Of a long history every so-manieth version is compared with a fresh import."""
SHORT = 20
"""Of a history of no more versions every one is."""

NewDesk = Callable[[str], Desk]

CHANGES = ("title=*Odd* | [title]", "submitted=2019-12-24", "code=https://github.com/a/b", "code=")
"""Edits that, undone, leave no trace in any of the files."""


@pytest.fixture(autouse=True)
def parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text is parsed once, however often it is imported, exported and looked at again:
    documents are immutable."""

    @lru_cache(maxsize=4)
    def parse(text: str) -> Document:
        return parse_document(text, {})

    monkeypatch.setattr(document_files, "parse_document", lambda text, *_: parse(text))


def known_ids(desk: Desk) -> set[str]:
    """The arXiv ids that a paper has or is related to."""
    return {
        arxiv.id
        for paper in desk.papers()
        for text in (
            *(identifier.value for identifier in paper.facts.identifiers),
            *(link.url for link in paper.facts.links),
        )
        if (arxiv := parse_arxiv_id(text))
    }


def imported(new_desk: NewDesk, path: Path) -> tuple[Desk, bytes]:
    desk = new_desk("")
    data = path.read_bytes()
    desk.readme.write_bytes(data)
    desk.import_readme()
    forget_agreement(desk)
    return desk, data


def forget_agreement(desk: Desk) -> None:
    """Let the next export read the file, although the import left nothing to write."""
    with desk.store.transaction():
        desk.store.execute("DELETE FROM in_step")


def lines_with(sign: str, diff: str) -> list[str]:
    """The lines that a diff has with this sign, without it."""
    return [line[1:] for line in diff.splitlines()[2:] if line.startswith(sign)]


def counted(diff: str) -> int:
    """How many lines that are no rows or numbered items differ in nothing but a number: those
    that count the entries."""
    others = [
        [line for line in lines_with(sign, diff) if not re.match(r"\s*(\||[0-9]+[.)])", line)]
        for sign in "-+"
    ]
    alike = [Counter(re.sub("[0-9]+", "0", line) for line in lines) for lines in others]
    return (alike[0] & alike[1]).total()


@pytest.mark.parametrize("path", some(READMES, "export", 40), ids=lambda path: path.name)
def test_export_after_import_changes_no_byte_and_one_edit_its_own_lines(
    new_desk: NewDesk, path: Path
) -> None:
    desk, data = imported(new_desk, path)
    assert not desk.export().has_changes
    seen = seen_ids(data.decode("utf-8", "replace"))
    mentioned = {one.identifier.value for one in parse_document(desk.read()).mentioned if one.title}
    assert len(seen - known_ids(desk) - mentioned) <= len(seen) * 0.02
    (document,) = read_documents(desk.store)
    entries = read_entries(desk.store, document.id)
    if not entries:
        return
    actions = 0
    marked = next((entry for entry in entries if entry.base.get("passes") == 0), None)
    lines_marked = 0
    # In a mis-decoded text the marks are no marks.
    if marked and marked.paper_id and path.suffix == ".md":
        mark_pass(desk.store, [marked.paper_id], 1)
        actions += 1
        lines_marked = sum(entry.paper_id == marked.paper_id for entry in entries)
    sections = [entry.category for entry in entries if entry.category]
    add_references(desk.store, ["2401.99999"], category=max(sections, key=sections.count))
    paper = desk.id("2401.99999")
    edit_fields(desk.store, paper, parse_assignments(["title=Zebra Crossings in Practice"]))
    actions += 2
    exported = desk.export()
    assert exported.has_changes or exported.refused
    assert exported.lines_removed <= lines_marked + counted(exported.diff)
    added = lines_with("+", exported.diff)
    # A line of its own may say when the new paper appeared: ``Preprint'24``.
    is_new = [OF_NEW.search(line) is not None or not line.strip(" |") for line in added]
    assert is_new.count(False) == exported.lines_removed
    for _ in range(actions):
        desk.store.undo()
    desk.export()
    assert desk.readme.read_bytes() == data
    _edit_and_undo(desk, entries)
    assert desk.readme.read_bytes() == data
    removed = [entry.paper_id for entry in entries[:: max(1, len(entries) // 3)] if entry.paper_id]
    remove_papers(desk.store, list(dict.fromkeys(removed)))
    exported = desk.export()
    assert exported.lines_added == counted(exported.diff)
    assert exported.lines_removed or exported.refused
    desk.undo()
    assert desk.readme.read_bytes() == data


def _edit_and_undo(desk: Desk, entries: list[StoredEntry]) -> None:
    """Edit a few entries, each in another field, and take it back."""
    edited = list(dict.fromkeys(entry.paper_id for entry in entries if entry.paper_id))
    for change, paper in zip(CHANGES, edited[:: max(1, len(edited) // len(CHANGES))], strict=False):
        edit_fields(desk.store, paper, parse_assignments([change]))
    desk.export()
    while desk.store.connection.execute(
        "SELECT count(*) FROM actions WHERE verb = 'edit' AND state = 'done'"
    ).fetchone()[0]:
        desk.store.undo()
    desk.export()


def seen(desk: Desk) -> dict[str, tuple[object, ...]]:
    """Of each paper with an entry: its categories, passes, rating, links and notes.

    A list without marks says nothing of the passes: those known from before stay.
    """
    (document,) = read_documents(desk.store)
    entries = read_entries(desk.store, document.id)
    ids = dict.fromkeys(e.paper_id for e in entries if e.is_in_file and e.paper_id)
    marked = {entry.paper_id for entry in entries if entry.is_in_file and "passes" in entry.base}
    return {
        " ".join(e.key for e in entries if e.paper_id == paper.id and e.is_in_file): (
            set(paper.categories),
            paper.passes_done if paper.id in marked else None,
            paper.rating,
            {(link.role, link.url) for link in paper.facts.links},
            set(paper.notes),
        )
        for paper in get_papers(desk.store, list(ids))
    }


@pytest.mark.parametrize("history", HISTORIES, ids=lambda path: path.name)
def test_each_version_imported_over_the_last_comes_to_the_same_as_imported_alone(
    new_desk: NewDesk, history: Path
) -> None:
    versions = sorted(history.glob("*.md"))
    if not WHOLE:
        versions = versions[:: max(1, len(versions) // 4)]
    desk = new_desk("")
    known: set[int] = set()
    for number, version in enumerate(versions):
        data = version.read_bytes()
        desk.readme.write_bytes(data)
        report = desk.import_readme()
        assert report.conflicts == ()
        ids = {paper.id for paper in desk.papers()}
        assert known <= ids, "a paper whose entry was deleted stays"
        known = ids
        forget_agreement(desk)
        assert not desk.export().has_changes
        if number % EVERY == 0 or version is versions[-1] or len(versions) <= SHORT:
            fresh, _ = imported(new_desk, version)
            assert seen(desk) == seen(fresh), version.name
            fresh.store.close()
    by_title: dict[str, list[set[str]]] = {}
    for paper in desk.papers():
        leads_to = {link.url for link in paper.facts.links} | set(paper.notes)
        by_title.setdefault(title_key(paper.facts.title or ""), []).append(leads_to)
    twice = {key: works for key, works in by_title.items() if len(works) > 1 and len(key) > 12}
    assert [key for key, works in twice.items() if not lead_elsewhere(works)] == []


def lead_elsewhere(works: list[set[str]]) -> bool:
    """Whether works of one title, as *Learning roadmap*, are told apart by where they lead."""
    return all(works) and all(one.isdisjoint(other) for one, other in combinations(works, 2))


def test_the_seed_is_what_it_is_known_to_be(new_desk: NewDesk) -> None:
    (path,) = files("readmes/seed-cs-self-learning-papers.md")
    desk, data = imported(new_desk, path)
    papers = desk.papers()
    assert len(papers) == 39
    passes = [paper.passes_done for paper in papers]
    assert [passes.count(number) for number in range(4)] == [20, 11, 6, 2]
    for paper in papers:
        arxiv_id = paper.facts.identifier("arxiv")
        assert arxiv_id is not None
        assert paper.facts.submitted == f"20{arxiv_id[:2]}-{arxiv_id[2:4]}"
    (note,) = {note for p in papers for note in p.notes if note.endswith("Speculative_Decoding.md")}
    assert sum(note in paper.notes for paper in papers) == 5
    for paper in papers[::8]:
        mark_pass(desk.store, [paper.id], 3)
        exported = desk.export()
        assert (exported.lines_added, exported.lines_removed) == (
            (1, 1) if paper.passes_done < 3 else (0, 0)
        )
        desk.undo()
        assert desk.readme.read_bytes() == data


def shared_addresses(document: Document) -> dict[str, dict[str, list[Entry]]]:
    """Addresses of entries with different titles, and the entries by the key of their title."""
    at: dict[str, dict[str, list[Entry]]] = {}
    for entry in document.entries:
        for identifier in entry.identifiers:
            titles = at.setdefault(identifier.value, {}) if identifier.scheme == "url" else {}
            titles.setdefault(title_key(entry.fields.title), []).append(entry)
    return {url: titles for url, titles in at.items() if len(titles) > 1}


@pytest.mark.parametrize("path", some(READMES, "remove", 40), ids=lambda path: path.name)
def test_removing_a_work_never_removes_the_entry_of_another(new_desk: NewDesk, path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    shared = shared_addresses(parse_document(text, {}))
    if not shared:
        pytest.skip("no address is shared")
    desk, _ = imported(new_desk, path)
    (document,) = read_documents(desk.store)
    stored = read_entries(desk.store, document.id)
    for titles in shared.values():
        owners = [
            {entry.paper_id for entry in stored if title_key(entry.base["title"]) == key}
            for key in titles
        ]
        assert all(one.isdisjoint(other) for one, other in pairwise(owners))
    entries = next(iter(shared.values()))
    gone = {e.paper for e in stored if title_key(e.base["title"]) == next(iter(entries))}
    remove_papers(desk.store, sorted(gone))
    desk.export()
    left = [entry for entry in stored if entry.paper_id not in gone]
    now = parse_document(desk.readme.read_bytes().decode("utf-8", "replace"), {}).entries
    titles_left = Counter(entry.base["title"] for entry in left)
    assert titles_left <= Counter(entry.fields.title for entry in now)
