"""The query language over a real library: each field finds what it says and nothing else."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.queries.parser import parse_query
from papertrack.records import Author, Identifier, Link, PaperFacts, Reading
from papertrack.store import categories, documents, index, listing, papers, states
from papertrack.store.health import rebuild_search
from papertrack.store.index import remember_note
from papertrack.store.store import Store
from papertrack.text import clean, fold, spaced_cjk
from tests.fresh_store import fresh_store
from tests.search_index import indexed_words, words_indexed_anew
from tests.store.conftest import FLASH_ATTENTION, PAGED_ATTENTION, add, ticking_clock

PAPERS = {
    "kwon": PaperFacts(
        title="Efficient Memory Management for Large Language Model Serving with PagedAttention",
        identifiers=(
            Identifier("arxiv", "2309.06180"),
            Identifier("doi", "10.1145/3600006.3613165"),
        ),
        authors=(Author("Woosuk Kwon"), Author("Zhuohan Li")),
        links=(Link("code", "https://github.com/vllm-project/vllm"),),
        submitted="2023-09-12T17:50:04+00:00",
        arxiv_categories=("cs.LG", "cs.DC"),
        version=1,
        venue="SOSP",
        year=2023,
    ),
    "leviathan": PaperFacts(
        title="Fast Inference from Transformers via Speculative Decoding",
        identifiers=(Identifier("arxiv", "2211.17192"),),
        authors=(Author("Yaniv Leviathan"),),
        abstract="Inference from large autoregressive models is slow; drafts help.",
        submitted="2022-11",
        arxiv_categories=("cs.LG", "cs.CL"),
        version=2,
    ),
    "survey": PaperFacts(
        title="A Survey of Speculative Decoding",
        identifiers=(Identifier("url", "example.org/survey"),),
        authors=(Author("Émilie Châtelet"),),
        kind="post",
        submitted="2024",
        comment="Accepted at ACL 2024",
    ),
    "cjk": PaperFacts(title="图解大模型计算加速系列：分离式推理架构", kind="post"),
    "hostile": PaperFacts(title='"; DROP TABLE papers; -- NEAR(a b) ^col: C++ 50%_'),
}


FOUND = [
    ("", "kwon leviathan survey cjk hostile"),
    ("speculative", "leviathan survey"),
    ("decoding NOT survey", "leviathan"),
    ("speculative -survey", "leviathan"),
    ('"speculative decoding"', "leviathan survey"),
    ('"decoding speculative"', ""),
    ("specul*", "leviathan survey"),
    ("specul", ""),
    ("title:memory", "kwon"),
    ("abstract:drafts", "leviathan"),
    ("drafts", "leviathan"),
    ("author:kwon", "kwon"),
    ("author:chatelet", "survey"),
    ("author:Châtelet OR author:li", "kwon survey"),
    ("takeaway:verifies", "leviathan"),
    ("note:os", "kwon"),
    ('"block tables"', "kwon"),
    ("推理", "cjk"),
    ("离式推", "cjk"),
    ("推架", ""),
    ("category:LLM", "kwon leviathan"),
    ("category:llm/serving", "kwon"),
    ('category:"speculative decoding"', "leviathan"),
    ("category:serv*", "kwon"),
    ("category:nothing", ""),
    ("tag:TO-CITE", "kwon"),
    ("tag:to*", "kwon"),
    ("citekey:kwon2020x", "kwon"),
    ("citekey:KW*", "kwon"),
    ("kwon2020x", "kwon"),
    ("2309.06180", "kwon"),
    ("id:https://arxiv.org/pdf/2309.06180v2", "kwon"),
    ("arxiv:arXiv:2309.06180v1", "kwon"),
    ("arxiv:2309*", "kwon"),
    ("doi:10.1145/3600006.3613165", "kwon"),
    ("url:vllm", "kwon"),
    ("cat:cs.CL", "leviathan"),
    ("cat:cs.*", "kwon leviathan"),
    ("kind:post", "survey cjk"),
    ("is:post", "survey cjk"),
    ("is:inbox", "cjk"),
    ("is:discarded", "survey"),
    ("decision:saved", "kwon leviathan hostile"),
    ("is:read", "kwon leviathan"),
    ("is:unread", "survey cjk hostile"),
    ("is:queued", "leviathan"),
    ("is:outdated", "leviathan"),
    ("is:withdrawn", ""),
    ("NOT is:withdrawn", "kwon leviathan survey cjk hostile"),
    ("pass:2", "kwon"),
    ("pass:<2", "leviathan survey cjk hostile"),
    ("pass:1-2", "kwon leviathan"),
    ("rating:>=4", "kwon"),
    ("NOT rating:>=4", "leviathan survey cjk hostile"),
    ("year:2023-", "kwon survey"),
    ("year:-2022", "leviathan"),
    ("submitted:2022-11", "leviathan"),
    ("submitted:>=2023-09-12", "kwon survey"),
    ("submitted:<2022-11-02", "leviathan"),
    ("read:2026-01", "kwon"),
    ("read:<30d", "kwon"),
    ("added:<1d", "kwon leviathan survey cjk hostile"),
    ("added:>1d", ""),
    ("has:code", "kwon"),
    ("has:note has:rating", "kwon"),
    ("has:doi", "kwon"),
    ("has:arxiv", "kwon leviathan"),
    ("NOT has:category", "cjk hostile"),
    ("venue:sosp", "kwon"),
    ('comment:"acl 2024"', "survey"),
    ("document:README.md", "kwon"),
    ("(is:post OR rating:5) NOT is:discarded", "kwon cjk"),
    ("title:(serving OR inference)", "kwon leviathan"),
    ('"DROP TABLE"', "hostile"),
    ('"C++"', "hostile"),
    ('title:"50%_"', "hostile"),
    ('"NEAR(a"', "hostile"),
]
"""What queries find, in the order in which it was added."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A library that nobody writes to."""
    path = tmp_path_factory.mktemp("library") / "papertrack.db"
    with fresh_store(path, now=ticking_clock()) as store:
        fill(store)
        yield store


def fill(store: Store) -> None:
    with store.action("fill"):
        ids = {}
        for name, given_facts in PAPERS.items():
            ids[name] = papers.add_paper(store, given_facts, source="test", citekey=f"{name}2020x")
        categories.put_in_category(store, [ids["kwon"]], ("LLM", "Serving"))
        categories.put_in_category(store, [ids["leviathan"]], ("LLM", "Speculative Decoding"))
        categories.put_in_category(store, [ids["survey"]], ("Survey",))
        states.add_tags(store, [ids["kwon"]], ["to-cite"])
        states.record_pass(store, ids["kwon"], Reading(2, at="2026-01-02", version=1))
        states.record_pass(
            store, ids["leviathan"], Reading(1, version=1, takeaway="drafts, then verifies")
        )
        states.decide(store, ids["survey"], "discarded", "too broad")
        states.decide(store, ids["cjk"], "inbox")
        states.rate(store, ids["kwon"], 5)
        states.take_in_hand(store, ids["leviathan"])
        papers.add_note(store, ids["kwon"], "notes/kwon.md")
        index.remember_note(store, "notes/kwon.md", "Block tables like in an OS.")
        document = documents.register_document(
            store, "lists/README.md", "markdown", title=None, digest="0"
        )
        documents.write_entries(
            store, document, [documents.StoredEntry("k", ids["kwon"], (), "| row |", {}, {})]
        )


def found(store: Store, query: str) -> str:
    rows = listing.each_paper(store, parse_query(query), order="id")
    return " ".join(row.citekey.removesuffix("2020x") for row in rows)


@pytest.mark.parametrize(("query", "expected"), FOUND)
def test_a_query_finds_what_it_says(library: Store, query: str, expected: str) -> None:
    assert found(library, query) == expected


def test_an_arxiv_id_alone_gives_the_year(store: Store) -> None:
    years = {"2208.00001": 2022, "math/9810001": 1998, "hep-th/0501001": 2005}
    for value in years:
        add(store, PaperFacts(title=f"On {value}", identifiers=(Identifier("arxiv", value),)))
    for value, year in years.items():
        rows = listing.each_paper(store, parse_query(f"year:{year}"))
        assert [row.title for row in rows] == [f"On {value}"]


def test_the_index_follows_edits_removals_and_undo(store: Store) -> None:
    fill(store)
    (paper,) = ids(store, "title:memory")
    with store.action("edit"):
        papers.edit_paper(store, paper, "title", "Something else")
    assert found(store, "title:memory") == ""
    store.undo()
    assert found(store, "title:memory") == "kwon"
    with store.action("rm"):
        papers.remove_paper(store, paper)
    assert found(store, "memory") == ""


def test_rows_come_in_the_order_asked_for(library: Store) -> None:
    by_rating = [row.citekey for row in listing.each_paper(library, order="rating")]
    assert by_rating[0] == "kwon2020x"
    titles = [row.title for row in listing.each_paper(library, order="title")]
    assert titles == sorted(titles, key=lambda title: title.lower())
    turned = [row.title for row in listing.each_paper(library, order="title", is_reversed=True)]
    assert turned == titles[::-1]
    ids = listing.find_ids(library, order="submitted", limit=2)
    assert [row.id for row in listing.read_rows(library, ids[::-1])] == ids[::-1]


@pytest.mark.parametrize("order", listing.ORDERS)
def test_what_a_query_finds_keeps_the_order_of_all_papers(library: Store, order: str) -> None:
    everything = listing.find_ids(library, order=order)
    for query in ("is:saved", "-is:discarded", "is:saved title:memory"):
        found = listing.find_ids(library, parse_query(query), order=order)
        assert found
        assert found == [paper for paper in everything if paper in set(ids(library, query))]


@given(st.text(max_size=30))
def test_any_text_in_quotes_is_a_query_that_sqlite_understands(library: Store, text: str) -> None:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    for query in (f'"{quoted}"', f'title:"{quoted}"', f'tag:"{quoted}"', f'id:"{quoted}"'):
        if quoted.strip():
            listing.find_ids(library, parse_query(query))


@given(st.text(alphabet=[chr(n) for n in range(32, 127)]))
def test_the_short_way_of_indexing_plain_text_comes_to_the_same(text: str) -> None:
    assert index.indexed_form(text) == spaced_cjk(fold(clean(text)))


def ids(store: Store, query: str) -> list[int]:
    return listing.find_ids(store, parse_query(query), order="id")


def test_the_index_is_written_only_when_what_it_holds_changes(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    index = store.execute("SELECT * FROM search_data").fetchall()
    with store.action("read"):
        states.record_pass(store, paper, Reading(1, at="2026-01-05"))
        states.rate(store, paper, 4)
        papers.edit_paper(store, paper, "venue", "SOSP")
    assert store.execute("SELECT * FROM search_data").fetchall() == index
    with store.action("read"):
        states.record_pass(store, paper, Reading(2, takeaway="pages for caches"))
    assert store.execute("SELECT * FROM search_data").fetchall() != index


def test_a_text_that_changes_twice_in_one_action_is_indexed_as_it_ends(store: Store) -> None:
    paper = add(store, PAGED_ATTENTION)
    with store.action("edit"):
        for title in ("Zebras in caches", "注意力 and Okapis"):
            papers.edit_paper(store, paper, "title", title)
        states.add_tags(store, [paper], ["zoo"])
    for query in ("okapis", "意", "tag:zoo"):
        assert ids(store, query) == [paper]
    for query in ("title:zebras", "title:efficient"):
        assert ids(store, query) == []
    assert indexed_words(store) == words_indexed_anew(store)


def test_many_papers_are_indexed_at_once_as_they_are_one_by_one(store: Store) -> None:
    for paper in PAPERS.values():
        add(store, paper)
    one_by_one = indexed_words(store)
    assert words_indexed_anew(store) == one_by_one
    rebuild_search(store)
    add(store, PAGED_ATTENTION._replace(identifiers=()))
    assert indexed_words(store) == words_indexed_anew(store)


def test_the_index_follows_a_note_that_papers_share(store: Store) -> None:
    several = [add(store, PAGED_ATTENTION), add(store, FLASH_ATTENTION)]
    with store.action("note"):
        for paper in several:
            papers.add_note(store, paper, "notes/both.md")
    for text in ("Ein Zebra", "Zwei Okapis"):
        with store.transaction():
            remember_note(store, "notes/both.md", text)
    assert ids(store, "note:okapis") == several
    assert ids(store, "note:zebra") == []
    with store.action("rm"):
        papers.remove_paper(store, several[0])
    assert ids(store, "note:okapis") == several[1:]
    assert indexed_words(store) == words_indexed_anew(store)


@pytest.mark.parametrize("query", ["", "speculative", "is:saved", "NOT has:category", "year:2023-"])
def test_the_first_few_that_a_query_finds_are_those_that_come_first(
    library: Store, query: str
) -> None:
    for is_reversed in (False, True):
        wanted = listing.find_ids(library, parse_query(query), is_reversed=is_reversed)
        for limit in range(1, len(PAPERS) + 1):
            found = listing.find_ids(
                library, parse_query(query), limit=limit, is_reversed=is_reversed
            )
            assert found == wanted[:limit]
