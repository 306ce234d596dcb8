"""What the reader says of one entry teaches how all are read: authors, venue, date."""

from __future__ import annotations

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.settings import check_setting
from papertrack.errors import UsageError

TITLES = ("Words and Their Meaning", "A Study of Things That Move", "On the Way to Better Lists")
GROUPS = ("Blue Whale Lab", "Far North Team", "Red Fox Collective")
PLACES = ("The Spring Gathering", "Meeting on Small Machines", "The Autumn Gathering")
LIST = "# List\n\n" + "".join(
    f"- [2025-0{n + 1}-10] [{title}](https://arxiv.org/abs/2401.0000{n}). {GROUPS[n]}. "
    f"{PLACES[n]}. 2023-0{n + 4}\n"
    for n, title in enumerate(TITLES)
)


def test_without_a_word_of_the_reader_these_are_no_authors_and_no_venue() -> None:
    fields = [entry.fields for entry in parse_document(LIST).entries]
    assert not any(one.authors or one.venue for one in fields)
    assert [one.date for one in fields] == ["2025-01-10", "2025-02-10", "2025-03-10"]


def test_the_authors_of_one_entry_show_where_all_stand() -> None:
    entries = parse_document(LIST, {"authors": GROUPS[1]}).entries
    assert [entry.fields.authors for entry in entries] == [(group,) for group in GROUPS]
    assert [entry.fields.title for entry in entries] == list(TITLES)


def test_the_venue_of_one_entry_shows_where_all_stand() -> None:
    entries = parse_document(LIST, {"venue": PLACES[0], "authors": GROUPS[0]}).entries
    assert [entry.fields.venue for entry in entries] == list(PLACES)
    assert [entry.fields.authors for entry in entries] == [(group,) for group in GROUPS]


def test_of_several_dates_the_one_counts_that_the_reader_says() -> None:
    entries = parse_document(LIST, {"date": "2023-05"}).entries
    assert [entry.fields.date for entry in entries] == ["2023-04", "2023-05", "2023-06"]


def test_what_is_surely_something_else_is_read_as_it_is() -> None:
    line = "- [Another Work](https://arxiv.org/abs/2401.00009). NeurIPS 2023.\n"
    last = parse_document(LIST + line, {"authors": GROUPS[1]}).entries[-1].fields
    assert (last.authors, last.venue) == ((), "NeurIPS 2023")


@pytest.mark.parametrize(
    ("key", "words"),
    [("authors", "Nobody Here"), ("venue", "No Such Place"), ("date", "a fine day")],
)
def test_words_that_no_entry_has_are_refused(key: str, words: str) -> None:
    document = parse_document(LIST)
    with pytest.raises(UsageError, match=f"No entry of a list has '{words}'"):
        check_setting(document, key, words)
    check_setting(document, key, {"authors": GROUPS[0], "venue": PLACES[0]}.get(key, "2023-04"))
