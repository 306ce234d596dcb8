"""What was joined can be taken apart, and that is remembered."""

import pytest

from papertrack.actions.duplicates import find_duplicates
from papertrack.actions.organise import merge_two_papers
from papertrack.actions.split import split_off
from papertrack.errors import NotFoundError, UsageError
from papertrack.store.versions import get_originals
from tests.bibtex_actions.conftest import Desk

JOINED = """@misc{pre, title={One Work of Its Own}, author={Roe, R}, year=2020, eprint={2001.00001}}
@article{pub, title={One Work of Its Own}, author={Roe, R}, year=2021, journal={J. of Works},
  doi={10.1000/works}, volume={3}}
"""


def joined(desk: Desk) -> Desk:
    (told,) = desk.import_bib(JOINED).joined
    assert (told.citekey, told.lines, told.keys) == ("pre", (1, 2), ("pre", "pub"))
    return desk


def test_a_joined_key_gets_what_its_entry_says(empty_desk: Desk) -> None:
    desk = joined(empty_desk)
    assert split_off(desk.store, desk.library, "pub") == ("pre", "pub")
    pre, pub = desk.paper("pre"), desk.paper("pub")
    assert (pre.facts.venue, pre.facts.year) == (None, 2020)
    assert (pub.facts.venue, pub.facts.year) == ("J. of Works", 2021)
    assert [i.scheme for i in pre.facts.identifiers] == ["arxiv"]
    assert [i.scheme for i in pub.facts.identifiers] == ["doi"]
    assert pre.citekey_aliases == ()
    assert list(get_originals(desk.store, pub.id)) == ["main.bib:pub"]


def test_the_file_stays_as_it_is_and_both_stay_two(empty_desk: Desk) -> None:
    desk = joined(empty_desk)
    split_off(desk.store, desk.library, "pub")
    assert not desk.export().has_changes
    assert not desk.import_bib().has_changes
    assert desk.read() == JOINED
    assert find_duplicates(desk.store) == []
    desk.edit("pub", "year=2022")
    desk.export()
    assert desk.read() == JOINED.replace("year=2021", "year=2022")
    copy = Desk(desk.store, desk.library, desk.bib.with_name("copy.bib"))
    assert copy.import_bib(JOINED).papers_new == 0
    assert desk.id("pre") != desk.id("pub")


def test_undo_joins_them_again(empty_desk: Desk) -> None:
    desk = joined(empty_desk)
    before = desk.paper("pre")
    split_off(desk.store, desk.library, "pub")
    desk.store.undo()
    assert desk.paper("pub") == before
    assert not desk.export().has_changes


def test_a_merge_is_taken_back_with_all_that_both_had(desk: Desk) -> None:
    before = desk.paper("knuth"), desk.paper("vaswani")
    merge_two_papers(desk.store, desk.id("vaswani"), desk.id("knuth"))
    assert split_off(desk.store, desk.library, "knuth") == ("vaswani", "knuth")
    assert (desk.paper("knuth"), desk.paper("vaswani")) == before
    assert not desk.export().has_changes


def test_a_merge_that_something_stands_on_is_taken_apart_by_the_entries(desk: Desk) -> None:
    merge_two_papers(desk.store, desk.id("vaswani"), desk.id("knuth"))
    desk.edit("vaswani", "title=Attention")
    assert split_off(desk.store, desk.library, "knuth") == ("vaswani", "knuth")
    assert desk.paper("knuth").facts.title == "The TeXbook"
    assert desk.paper("vaswani").facts.title == "Attention"
    assert not desk.import_bib().has_changes


def test_a_key_that_names_nothing_joined_is_refused(desk: Desk) -> None:
    with pytest.raises(NotFoundError, match="nobody"):
        split_off(desk.store, desk.library, "nobody")
    with pytest.raises(UsageError, match="nothing was merged"):
        split_off(desk.store, desk.library, "knuth")
