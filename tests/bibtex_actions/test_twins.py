"""Whatever is done, reading only what must be read comes to what reading all comes to."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from papertrack.actions.cite.rekey import regenerate_keys
from papertrack.actions.documents import export_registered
from papertrack.actions.organise import remove_papers
from papertrack.actions.reading import mark_pass
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.store.papers import merge_papers
from papertrack.store.states import add_tags
from tests.bibtex_actions.conftest import Desk
from tests.fresh_store import fresh_store
from tests.store.conftest import ticking_clock

REFS = r"""@string{jot = "Journal of Things"}

@article{lone, title={A Lone Thing}, author={Ada Byron}, journal={J. Lone}, year=2001, url={https://things.example/1}}
@inproceedings{other,
  Title     = "On {BERT} and Others",
  author    = {M{\"u}ller, J{\"o}rg and Kim, Ann},
  booktitle = {Proc. of X},
  year      = {2002},
}
@article{named, title={Named by Another}, author={Cy Dee}, year={2003}}
@incollection{naming, title={It Names One}, author={Dee Cy}, crossref={named}, year={2004}}
@article{strung, title={Of a Journal}, author={Eve Ef}, journal=jot, year={2005}}
@misc{plain, title={A Plain Thing}, eprint={2401.00001}, archiveprefix={arXiv}}
"""
KEYS = ("lone", "other", "named", "naming", "strung", "plain")
EDITS = (
    *("venue=J. of Things", "venue=J. Lone", "venue=", "year=2001", "year=2019", "citekey=new"),
    *("doi=10.1000/182", "url=https://things.example/2", "title=Another Thing", "authors=Bo Li"),
)
BY_HAND = (
    *(("J. Lone", "J. of One"), ("year=2001", "year=2011"), ("{lone,", "{alone,")),
    *(("A Plain", "The Plain"), ("2003", "2013"), ("jot =", "jot= "), ("2401.00001", "2401.00002")),
    ("@misc{plain", "@misc{fresh, title={A Fresh One}, doi={10.1/fresh}}\n@misc{plain"),
    ("@misc{plain", "@misc{again, title={A Lone Thing}, author={Ada Byron}}\n@misc{plain"),
    ("@article{named, title={Named by Another}, author={Cy Dee}, year={2003}}\n", ""),
)
Step = tuple[str, object, object]


@contextmanager
def twins() -> Iterator[tuple[Desk, Desk]]:
    """Two desks with the same library and file."""
    with TemporaryDirectory() as one, TemporaryDirectory() as two:
        first, second = Path(one), Path(two)
        with (
            fresh_store(first / "data" / "papertrack.db", now=ticking_clock()) as its_store,
            fresh_store(second / "data" / "papertrack.db", now=ticking_clock()) as the_others,
        ):
            desks = (
                Desk(its_store, Library(first), first / "main.bib"),
                Desk(the_others, Library(second), second / "main.bib"),
            )
            for desk in desks:
                desk.import_bib(REFS)
            yield desks


def perform(desk: Desk, step: Step) -> object:
    """Do one step; return what it came to, without what is the desk's own."""
    verb, first, second = step
    try:
        match verb:
            case "import":
                return desk.import_bib()
            case "export":
                return _exported(desk)
            case "try":
                with desk.store.trial():
                    return _exported(desk)
            case "undo":
                desk.store.undo()
            case "redo":
                desk.store.redo()
            case "edit":
                desk.edit(str(first), str(second))
            case "by hand":
                if str(first) in desk.read():
                    desk.replace(str(first), str(second))
            case _:
                _of_papers(desk, step)
    except (PapertrackError, AssertionError) as error:
        return type(error)  # A paper may be gone, or what was to be undone.
    return None


def _of_papers(desk: Desk, step: Step) -> None:
    verb, first, second = step
    paper = desk.id(str(first))
    match verb:
        case "pass":
            mark_pass(desk.store, [paper], 1)
        case "remove":
            remove_papers(desk.store, [paper])
        case "rekey":
            regenerate_keys(desk.store, [paper])
        case "tag":
            with desk.store.action("tag"):
                add_tags(desk.store, [paper], ["one"])
        case "merge":
            with desk.store.action("merge"):
                merge_papers(desk.store, paper, desk.id(str(second)))


def _exported(desk: Desk) -> object:
    """What an export comes to; nothing where undo has it that the file is none of the library's."""
    done = export_registered(desk.store, desk.library, "bibtex")
    return [(one.diff, one.refused, one.conflicts, one.is_written, one.error) for one in done]


def known(desk: Desk) -> list[object]:
    """What the library knows of the file, and has of its entries."""
    asked = (
        "SELECT position, key, text, base, library, state FROM entries ORDER BY position",
        "SELECT paper_id, source, text FROM originals ORDER BY 1, 2",
        "SELECT id, citekey, title, venue, year FROM papers ORDER BY id",
    )
    versions = desk.store.select_column("SELECT digest FROM versions ORDER BY id")
    # Of one that stayed as it was there may be several, each of another time.
    kept = [digest for digest, _ in groupby(versions)]
    return [desk.read(), kept, *(desk.store.execute(sql).fetchall() for sql in asked)]


keys = st.sampled_from(KEYS)
steps = st.one_of(
    st.tuples(st.just("edit"), keys, st.sampled_from(EDITS)),
    st.tuples(st.sampled_from(["pass", "tag", "remove", "rekey"]), keys, st.none()),
    st.tuples(st.just("merge"), keys, keys),
    st.sampled_from(BY_HAND).map(lambda pair: ("by hand", *pair)),
    st.tuples(
        st.sampled_from(["import", "export", "export", "undo", "undo", "redo", "try"]),
        st.none(),
        st.none(),
    ),
)


def no(verb: str) -> Step:
    return verb, None, None


@example([("edit", "lone", "venue=J. of Things"), no("export"), no("undo"), no("export")])
@example([("edit", "other", "year=2019"), no("import"), no("export"), no("undo"), no("import")])
@example([("by hand", "jot =", "jot= "), no("import"), ("edit", "lone", "year=2019")])
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(st.lists(steps, max_size=14))
def test_nothing_is_missed_that_reading_all_would_find(several: list[Step]) -> None:
    with twins() as (knowing, asking):
        for step in [no("export"), *several, no("import"), no("export")]:
            with asking.store.transaction():
                asking.store.execute("DELETE FROM in_step")
            assert perform(knowing, step) == perform(asking, step)
            assert known(knowing) == known(asking)
