"""Undo and redo of everything, across restarts; the log; nothing written outside an action."""

import sqlite3
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papertrack.errors import ConflictError, NotFoundError
from papertrack.records import Author, Identifier, Link, Reading
from papertrack.store import categories, documents, journal, lookup, papers, states
from papertrack.store.citekeys import Citekeys
from papertrack.store.journal import JOURNALLED, install_triggers
from papertrack.store.papers import merge_papers
from papertrack.store.store import Store
from papertrack.store.suggestions import suggest
from tests.fresh_store import fresh_store
from tests.search_index import indexed_words
from tests.store.conftest import FLASH_ATTENTION, PAGED_ATTENTION, add, facts


def everything(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables that the user's doings fill, the search index included."""
    return {
        table: sorted(store.connection.execute(f"SELECT * FROM {table}"), key=repr)
        for table in JOURNALLED
    } | {"search": indexed_words(store)}


def test_a_write_outside_an_action_fails(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with pytest.raises(sqlite3.IntegrityError, match=r"NOT NULL.*action_id"):
        store.connection.execute("UPDATE papers SET title = 'x' WHERE id = ?", (paper,))


def add_twice(store: Store) -> None:
    with store.action("add twice"):
        papers.add_paper(store, PAGED_ATTENTION, source="add")
        papers.add_paper(store, PAGED_ATTENTION, source="add")


def test_an_action_that_fails_leaves_nothing(store: Store) -> None:
    before = everything(store)
    with pytest.raises(ConflictError):
        add_twice(store)
    assert everything(store) == before
    assert journal.read_log(store) == []


def test_a_dry_run_sees_its_own_writes_and_leaves_nothing(store: Store) -> None:
    with store.trial(), store.action("add"):
        papers.add_paper(store, PAGED_ATTENTION, source="add")
        assert lookup.find_paper(store, PAGED_ATTENTION.identifiers) is not None
    assert lookup.find_paper(store, PAGED_ATTENTION.identifiers) is None


def test_an_action_that_changes_nothing_is_not_logged(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("tag"):
        states.rate(store, paper, None)
    assert [action.verb for action in journal.read_log(store)] == ["add"]


def test_undo_and_redo_work_after_a_restart(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    added = everything(store)
    with store.action("pass", "first pass"):
        states.record_pass(store, paper, Reading(1, at="2026-01-05", takeaway="pages for caches"))
    read = everything(store)
    store.close()
    with Store.open(store.path, now=lambda: datetime(2026, 2, 1, tzinfo=UTC)) as again:
        undone = again.undo()
        assert undone is not None
        assert undone.summary == "first pass"
        assert everything(again) == added
        again.close()
    with Store.open(store.path, now=lambda: datetime(2026, 2, 2, tzinfo=UTC)) as again:
        assert again.redo() is not None
        assert everything(again) == read
        assert again.redo() is None


def test_a_new_action_ends_what_could_be_redone(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("rate"):
        states.rate(store, paper, 4)
    store.undo()
    with store.action("rate"):
        states.rate(store, paper, 5)
    assert store.redo() is None
    assert lookup.get_paper(store, paper).rating == 5


def changes_of_last(store: Store) -> list[tuple[object, ...]]:
    """Table, columns before and columns after, as the journal has them."""
    return store.execute(
        """SELECT table_name, old, new FROM changes
           WHERE action_id = (SELECT max(id) FROM actions) ORDER BY id"""
    ).fetchall()


def test_of_an_update_only_the_columns_that_it_changed_are_kept(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("rate"):
        states.rate(store, paper, 4)
    assert changes_of_last(store) == [("paper_states", '{"rating":null}', '{"rating":4}')]


def test_a_column_added_later_is_journalled_too(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.transaction():
        store.execute("ALTER TABLE papers ADD COLUMN colour TEXT")
        install_triggers(store, ["papers"])
    with store.action("paint"):
        store.execute("UPDATE papers SET colour = 'red' WHERE id = ?", (paper,))
    assert changes_of_last(store) == [("papers", '{"colour":null}', '{"colour":"red"}')]
    store.undo()
    assert store.select_value("SELECT colour FROM papers") is None


def test_a_key_spelled_in_other_letters_can_be_undone(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION, citekey="kwon2023")
    with store.action("edit"):
        Citekeys(store).rename(paper, "Kwon2023")
    store.undo()
    assert lookup.citekey_of(store, paper) == "kwon2023"
    store.redo()
    assert lookup.citekey_of(store, paper) == "Kwon2023"


def test_freezing_keys_is_no_change_and_renaming_one_is_undone_whole(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    before = everything(store)
    with store.action("edit"):
        Citekeys(store).rename(paper, "pages")
    store.undo()
    assert everything(store) == before
    with store.action("cite", can_undo=False) as action:
        Citekeys(store).freeze([paper])
    assert not action.has_changes
    assert Citekeys(store).are_frozen([paper])
    assert journal.read_log(store)[0].verb == "edit"


def test_removing_a_paper_with_all_it_has_can_be_undone(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION, citekey="kwon2023")
    other = add(store, FLASH_ATTENTION)
    with store.action("fill"):
        categories.put_in_category(store, [paper], ("LLM", "Serving"))
        states.add_tags(store, [paper], ["moe", "to-cite"])
        states.record_pass(store, paper, Reading(2, minutes=40))
        papers.add_links(store, paper, [Link("code", "https://github.com/vllm-project/vllm")])
        papers.add_note(store, paper, "notes/kwon2023.md")
        suggest(store, paper, "venue", "SOSP", source="arxiv")
        papers.keep_original(store, paper, "refs.bib", "@misc{kwon2023, odd = {kept}}")
        document = documents.register_document(
            store, "README.md", "markdown", title="Papers", digest="0"
        )
        entry = documents.StoredEntry("arxiv:2309.06180", paper, ("LLM",), "| row |", {}, {})
        documents.write_entries(store, document, [entry])
    before = everything(store)
    with store.action("rm"):
        papers.remove_paper(store, paper)
    assert lookup.get_papers(store, [paper, other])[0].id == other
    store.undo()
    assert everything(store) == before


def test_of_a_pass_the_journal_keeps_the_reading_alone(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    for count in (1, 3):
        with store.action("pass"):
            states.set_passes(store, paper, count)
        assert {table for table, *_ in changes_of_last(store)} == {"readings"}
    read = everything(store)
    for count in (1, 0):
        store.undo()
        assert lookup.get_paper(store, paper).passes_done == count
    store.redo()
    store.redo()
    assert everything(store) == read


def test_a_pass_that_a_higher_one_followed_is_not_undone_before_that(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("pass") as first:
        states.record_pass(store, paper, Reading(1))
    with store.action("pass"):
        states.record_pass(store, paper, Reading(2))
    before = everything(store)
    with pytest.raises(ConflictError, match=r"action 3 \(pass\)"):
        store.undo(first.id)
    assert everything(store) == before


def test_a_pass_of_a_paper_that_was_merged_is_not_undone_before_that(store: Store) -> None:
    first, second = add(store, PAGED_ATTENTION), add(store, FLASH_ATTENTION)
    with store.action("pass") as passed:
        states.record_pass(store, first, Reading(2))
    with store.action("merge"):
        merge_papers(store, second, first)
    before = everything(store)
    with pytest.raises(ConflictError, match=r"action 4 \(merge\)"):
        store.undo(passed.id)
    assert everything(store) == before
    store.undo()
    store.undo(passed.id)
    assert lookup.get_paper(store, first).passes_done == 0


def test_a_pass_is_not_undone_before_what_noted_itself_how_many_were_done(store: Store) -> None:
    first, second = add(store, PAGED_ATTENTION), add(store, FLASH_ATTENTION)
    with store.action("pass"):
        states.record_pass(store, first, Reading(3))
    with store.action("pass") as passed:
        states.record_pass(store, second, Reading(1))
    with store.action("merge"):
        merge_papers(store, second, first)
    with pytest.raises(ConflictError, match=r"action 5 \(merge\)"):
        store.undo(passed.id)
    store.undo()
    assert lookup.get_paper(store, second).passes_done == 1


def test_a_pass_taken_back_is_not_undone_before_a_higher_one(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("pass"):
        states.set_passes(store, paper, 2)
    with store.action("pass") as taken_back:
        states.take_back_pass(store, paper, 2)
    with store.action("pass"):
        states.record_pass(store, paper, Reading(3))
    with pytest.raises(ConflictError, match=r"action 4 \(pass\)"):
        store.undo(taken_back.id)
    store.undo()
    store.undo(taken_back.id)
    assert lookup.get_paper(store, paper).passes_done == 2


def test_a_pass_can_be_undone_whatever_else_was_noted_of_the_paper_since(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("pass") as passed:
        states.record_pass(store, paper, Reading(1))
    with store.action("pass"):
        states.record_pass(store, paper, Reading(1, at="2026-03-01"))
    with store.action("rate"):
        states.rate(store, paper, 4)
    store.undo(passed.id)
    found = lookup.get_paper(store, paper)
    assert (found.passes_done, found.rating, len(found.readings)) == (1, 4, 1)


def test_an_older_action_can_be_undone_when_nothing_stands_on_it(store: Store) -> None:
    first, second = add(store, PAGED_ATTENTION), add(store, FLASH_ATTENTION)
    with store.action("rate"):
        states.rate(store, first, 4)
    (rated, *_) = journal.read_log(store)
    with store.action("rate"):
        states.rate(store, second, 2)
    store.undo(rated.id)
    assert [p.rating for p in lookup.get_papers(store, [first, second])] == [None, 2]


def test_what_has_a_successor_does_not_come_back_beside_it(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("rm") as removal:
        papers.remove_paper(store, paper)
    add(store, PAGED_ATTENTION)
    before = everything(store)
    with pytest.raises(ConflictError, match="Action 2 no longer fits"):
        store.undo(removal.id)
    assert everything(store) == before


def test_a_part_does_not_come_back_without_its_paper(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("tag"):
        states.add_tags(store, [paper], ["moe"])
    with store.action("tag") as untagged:
        states.remove_tags(store, [paper], ["moe"])
    with store.action("rm"):
        papers.remove_paper(store, paper)
    before = everything(store)
    with pytest.raises(ConflictError, match="Action 3 no longer fits"):
        store.undo(untagged.id)
    assert everything(store) == before
    store.undo()
    store.undo(untagged.id)
    assert lookup.get_paper(store, paper).tags == ("moe",)


def test_an_action_that_a_later_one_stands_on_is_not_undone(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("pass"):
        states.record_pass(store, paper, Reading(1))
    before = everything(store)
    with pytest.raises(ConflictError, match=r"action 2 \(pass\)"):
        store.undo(1)
    assert everything(store) == before
    with pytest.raises(NotFoundError, match="no action 99"):
        store.undo(99)


def test_undo_says_of_a_named_action_why_it_is_none_to_undo(store: Store) -> None:
    add(store, PAGED_ATTENTION)
    with store.action("export", "README.md", can_undo=False):
        add(store, FLASH_ATTENTION)
    with pytest.raises(
        ConflictError, match=r"Action 2 \(export: README.md\) changed no paper, and is not undone"
    ):
        store.undo(2)
    store.undo(1)
    with pytest.raises(ConflictError, match=r"Action 1 .* is already undone"):
        store.undo(1)


def test_an_action_that_follows_files_is_passed_over_by_undo(store: Store) -> None:
    add(store, PAGED_ATTENTION)
    with store.action("export", can_undo=False):
        documents.register_document(store, "README.md", "markdown", title=None, digest="1")
    undone = store.undo()
    assert undone is not None
    assert undone.verb == "add"


def test_a_citekey_given_away_stays_so_through_undo_and_does_not_hinder_it(store: Store) -> None:
    paper = add(store, facts("Mamba: Linear-Time Sequence Modeling"))
    with store.action("edit"):
        papers.edit_paper(store, paper, "title", "Mamba")
    with store.action("cite", can_undo=False):
        Citekeys(store).freeze([paper])
    undone = store.undo()
    assert undone is not None
    assert undone.verb == "edit"
    before = lookup.get_paper(store, paper)
    assert before.facts.title == "Mamba: Linear-Time Sequence Modeling"
    with store.action("enrich"):
        papers.complete_paper(store, paper, facts(authors=(Author("Albert Gu"),)), source="arxiv")
        key = Citekeys(store).improve(before)
    assert key == before.citekey


def test_a_citekey_shown_to_be_copied_stays_so_when_its_paper_goes_and_comes_back(
    store: Store,
) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.transaction():
        Citekeys(store).freeze([paper])
    with store.action("rm"):
        papers.remove_paper(store, paper)
    store.undo()
    assert Citekeys(store).are_frozen([paper])
    store.undo()
    store.redo()
    assert Citekeys(store).are_frozen([paper])


def test_undo_of_a_typed_citekey_leaves_the_one_before_as_it_was(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("edit"):
        Citekeys(store).rename(paper, "mine")
    assert Citekeys(store).are_frozen([paper])
    store.undo()
    assert not Citekeys(store).are_frozen([paper])


def test_no_row_of_a_paper_is_written_anew_when_its_citekey_is_shown(store: Store) -> None:
    several = [add(store, PAGED_ATTENTION), add(store, FLASH_ATTENTION)]
    store.execute("""CREATE TEMP TRIGGER refused BEFORE UPDATE ON papers
                     BEGIN SELECT raise(ABORT, 'written'); END""")
    with store.transaction():
        Citekeys(store).freeze(several)
    assert Citekeys(store).are_frozen(several)


def test_a_citekey_made_without_an_author_is_made_anew_once_there_is_one(store: Store) -> None:
    paper = add(store, facts("Mamba: Linear-Time Sequence Modeling"))
    before = lookup.get_paper(store, paper)
    with store.action("enrich"):
        papers.complete_paper(store, paper, facts(authors=(Author("Albert Gu"),)), source="arxiv")
        key = Citekeys(store).improve(before)
    assert (before.citekey, key) == ("mambalinear", "guattention")
    assert lookup.get_paper(store, paper).citekey_aliases == ("mambalinear",)


def test_the_log_of_a_paper_names_only_what_changed_it(store: Store) -> None:
    first, second = add(store, PAGED_ATTENTION), add(store, FLASH_ATTENTION)
    with store.action("rate", "4 of 5"):
        states.rate(store, second, 4)
    log = journal.read_log(store, paper_id=second)
    assert [(action.verb, action.summary) for action in log] == [("rate", "4 of 5"), ("add", "")]
    assert [action.verb for action in journal.read_log(store, paper_id=first)] == ["add"]


TITLES = ("Attention Is All You Need", "推理系统", "GPT & co", "}{ | <b>")
OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from("add rm pass take decide tag move title key merge undo redo".split()),
        st.integers(0, 5),
        st.integers(1, 3),
    ),
    max_size=25,
)


def perform(store: Store, verb: str, which: int, number: int) -> None:
    ids = [row[0] for row in store.connection.execute("SELECT id FROM papers ORDER BY id")]
    if verb == "undo":
        store.undo()
        return
    if verb == "redo":
        store.redo()
        return
    with store.action(verb):
        if verb == "add" or not ids:
            title = TITLES[which % len(TITLES)]
            identifiers = (Identifier("url", f"example.org/{which}/{number}"),)
            if not lookup.find_papers(store, identifiers):
                papers.add_paper(store, facts(title, identifiers=identifiers), source="add")
            return
        paper, other = ids[which % len(ids)], ids[number % len(ids)]
        if verb == "rm":
            papers.remove_paper(store, paper)
        elif verb == "pass":
            states.record_pass(store, paper, Reading(number))
        elif verb == "take":
            states.set_passes(store, paper, number - 1)
        elif verb == "decide":
            states.decide(store, paper, ("inbox", "saved", "discarded")[number - 1], "why")  # type: ignore[arg-type]
        elif verb == "tag":
            states.add_tags(store, [paper], [f"tag{number}"])
        elif verb == "move":
            categories.put_in_category(store, [paper], ("A", f"B{number}"))
        elif verb == "title":
            papers.edit_paper(store, paper, "title", TITLES[number])
        elif verb == "key" and lookup.find_by_citekey(store, f"key{which}") is None:
            Citekeys(store).rename(paper, f"key{which}")
        elif verb == "merge" and paper != other:
            merge_papers(store, paper, other)


@given(OPERATIONS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_undoing_all_gives_the_empty_library_and_redoing_all_gives_the_full_one(
    tmp_path_factory: pytest.TempPathFactory, operations: list[tuple[str, int, int]]
) -> None:
    path = tmp_path_factory.mktemp("library") / "papertrack.db"
    with fresh_store(path, now=lambda: datetime(2026, 1, 5, tzinfo=UTC)) as store:
        empty = everything(store)
        for operation in operations:
            perform(store, *operation)
        full = everything(store)
        undone = 0
        while store.undo():
            undone += 1
        assert everything(store) == empty
        for _ in range(undone):
            assert store.redo()
        assert everything(store) == full
        assert store.connection.execute("PRAGMA foreign_key_check").fetchall() == []
