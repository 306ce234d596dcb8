"""Keys are unique without regard to case, frozen once given, and followed when made anew."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papertrack.actions.cite.rekey import Rekeyed, regenerate_keys, update_files, write_keys
from papertrack.actions.cite.showing import papers_to_copy
from papertrack.actions.documents import export_registered
from papertrack.actions.organise import remove_papers
from papertrack.errors import NotFoundError
from papertrack.library import Library
from papertrack.records import Author, PaperFacts
from papertrack.store.lookup import find_by_citekey, get_papers
from papertrack.store.papers import add_paper, merge_papers, remove_paper
from papertrack.store.store import Store
from tests.bibtex_actions.conftest import Desk
from tests.fresh_store import fresh_store
from tests.store.conftest import ticking_clock

TEMPLATE = "{auth}{year}"


def rekey(store: Store, template: str = TEMPLATE) -> list[Rekeyed]:
    """All papers get the keys of this template; papers that come later those of the usual one."""
    store.read_citekey_template = lambda: template
    rekeyed = regenerate_keys(store, None)
    store.read_citekey_template = None
    return rekeyed


def test_all_papers_get_new_keys_and_the_old_ones_go_on(desk: Desk) -> None:
    rekeyed = rekey(desk.store)
    after = [paper.citekey for paper in desk.papers()]
    assert after == ["vaswani2017", "kwon2023", "knuth1984"]
    assert [one.citekey for one in rekeyed] == after
    assert [desk.id(one.citekey_before) for one in rekeyed] == [1, 2, 3]
    assert rekey(desk.store) == []


def test_keys_that_would_clash_are_told_apart_and_stay_so(empty_desk: Desk) -> None:
    empty_desk.import_bib(
        "@misc{x, title={One Thing}, author={Roe, R}, year={2020}}\n"
        "@misc{y, title={Other Thing}, author={Roe, S}, year={2020}}\n"
    )
    for _ in range(2):
        rekey(empty_desk.store)
        assert [paper.citekey for paper in empty_desk.papers()] == ["roe2020", "roe2020a"]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (
            "a.tex",
            "\\cite{ vaswani ,knuth} % vaswani\nvaswani \\citep[see][]{vaswani}\r\n",
            "\\cite{ vaswani2017 ,knuth1984} % vaswani\nvaswani \\citep[see][]{vaswani2017}\r\n",
        ),
        ("a.md", "@vaswani says; [-@knuth] and @{vaswani}.\n`@vaswani`\n",
         "@vaswani2017 says; [-@knuth1984] and @{vaswani2017}.\n`@vaswani`\n"),
        ("a.typ", "@vaswani. #cite(<knuth>)\n", "@vaswani2017. #cite(<knuth1984>)\n"),
        ("a.bib", "% vaswani\n@misc{ vaswani , title={vaswani}}\n",
         "% vaswani\n@misc{ vaswani2017 , title={vaswani}}\n"),
    ],
)  # fmt: skip
def test_files_follow_and_keep_every_other_byte(
    desk: Desk, name: str, before: str, after: str
) -> None:
    folder = desk.library.root / "thesis"
    folder.mkdir()
    (folder / name).write_bytes(before.encode())
    rekeyed = rekey(desk.store)
    followed = update_files([folder], rekeyed)
    assert (folder / name).read_bytes().decode() == before
    assert sum(len(file.uses) for file in followed) == after.count("2017") + after.count("1984")
    write_keys(followed)
    assert (folder / name).read_bytes().decode() == after
    assert update_files([folder], rekeyed) == []


def test_hidden_folders_and_other_files_are_left_alone(desk: Desk) -> None:
    root = desk.library.root / "work"
    for name in (".git/a.tex", "a.txt", "a.py"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\\cite{vaswani}")
    rekeyed = rekey(desk.store)
    assert update_files([root], rekeyed) == []
    with pytest.raises(NotFoundError, match="elsewhere"):
        update_files([root / "elsewhere"], rekeyed)


TITLES = st.sampled_from(["A Study of Things", "Das Äpfel", "深度学习", "", "CON"])
NAMES = st.sampled_from(["Ada Roe", "Bo ROE", "Øystein Åse", "李 明", ""])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), TITLES, NAMES),
        st.tuples(st.just("merge"), st.integers(0, 9), st.integers(0, 9)),
        st.tuples(st.just("remove"), st.integers(0, 9), st.none()),
        st.tuples(st.just("cite"), st.integers(0, 9), st.none()),
        st.tuples(st.just("undo"), st.none(), st.none()),
    ),
    max_size=12,
)


@settings(max_examples=20)
@given(steps=STEPS)
def test_keys_stay_unique_and_a_given_key_names_its_paper_for_ever(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, object, object]]
) -> None:
    path: Path = tmp_path_factory.mktemp("keys") / "p.db"
    with fresh_store(path, now=ticking_clock()) as store:
        given_keys: dict[str, int] = {}
        for verb, one, other in steps:
            ids = [row[0] for row in store.connection.execute("SELECT id FROM papers ORDER BY id")]
            if verb == "add":
                facts = PaperFacts(
                    title=str(one) or None, authors=(Author(str(other)),) if other else ()
                )
                with store.action("add"):
                    add_paper(store, facts, source="test")
            elif verb == "undo":
                store.undo()
                given_keys = {k: i for k, i in given_keys.items() if find_by_citekey(store, k)}
            elif ids and verb == "merge" and int(one) % len(ids) != int(other) % len(ids):  # type: ignore[call-overload]
                kept, gone = ids[int(one) % len(ids)], ids[int(other) % len(ids)]  # type: ignore[call-overload]
                with store.action("merge", can_undo=False):
                    merge_papers(store, kept, gone)
                given_keys = {k: kept if i == gone else i for k, i in given_keys.items()}
            elif ids and verb == "remove":
                gone = ids[int(one) % len(ids)]  # type: ignore[call-overload]
                with store.action("rm", can_undo=False):
                    remove_paper(store, gone)
                given_keys = {k: i for k, i in given_keys.items() if i != gone}
            elif ids and verb == "cite":
                chosen = ids[int(one) % len(ids)]  # type: ignore[call-overload]
                papers_to_copy(store, [chosen])
                given_keys[get_papers(store, [chosen])[0].citekey] = chosen
            rows = store.connection.execute("SELECT id FROM papers").fetchall()
            papers = get_papers(store, [row[0] for row in rows])
            keys = [k.lower() for p in papers for k in (p.citekey, *p.citekey_aliases)]
            assert len(keys) == len(set(keys))
            assert {k: find_by_citekey(store, k) for k in given_keys} == given_keys


BIB_STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("write"),
            st.sampled_from(["k", "K", "roe2020", "key"]),
            st.sampled_from(["A Study of Many Things", "Another Matter Entirely"]),
        ),
        st.tuples(st.sampled_from(["rekey", "remove", "undo", "export"]), st.none(), st.none()),
    ),
    max_size=8,
)


@settings(max_examples=8)
@given(steps=BIB_STEPS)
def test_keys_stay_unique_and_with_their_papers_through_imports_and_exports(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, str]]
) -> None:
    root = tmp_path_factory.mktemp("desk")
    with fresh_store(root / "data" / "p.db", now=ticking_clock()) as store:
        desk = Desk(store, Library(root), root / "main.bib")
        named: dict[str, int] = {}
        desk.import_bib("@misc{first, title={The First of All Papers}, author={Roe, R}}\n")
        for verb, key, title in steps:
            if verb == "write":
                entry = f"@misc{{{key}, title={{{title}}}, author={{Roe, R}}, year={{2020}}}}\n"
                desk.import_bib(desk.read() + entry)
            elif verb == "rekey":
                rekey(store)
            elif verb == "remove":
                remove_papers(store, [paper.id for paper in desk.papers()][:1])
            elif verb == "undo":
                store.undo()
            export_registered(store, desk.library, "bibtex")
            papers = desk.papers()
            if verb in ("remove", "undo"):
                named = {k: i for k, i in named.items() if find_by_citekey(store, k)}
            assert {k: find_by_citekey(store, k) for k in named} == named
            keys = [(k, p.id) for p in papers for k in (p.citekey, *p.citekey_aliases)]
            assert len(keys) == len({key.lower() for key, _ in keys})
            named |= dict(keys)


def test_two_former_keys_of_one_work_never_become_one_key_twice(desk: Desk) -> None:
    folder = desk.library.root / "thesis"
    folder.mkdir()
    text = "@misc{old, title={A}}\n\n@misc{older, title={A}}\n\n@misc{b, crossref={older}}\n"
    (folder / "a.bib").write_text(text)
    (folder / "a.tex").write_text("\\cite{old,older}")
    write_keys(update_files([folder], [Rekeyed("old", "New"), Rekeyed("older", "New")]))
    assert (folder / "a.tex").read_text() == "\\cite{New,New}"
    assert (folder / "a.bib").read_text() == text.replace("{old,", "{New,")
