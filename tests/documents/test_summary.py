"""How a list is read, told to its curator."""

from itertools import count

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.settings import check_setting
from papertrack.documents.markdown.write.summary import LineShown, PartShown, summarise
from papertrack.errors import UsageError
from tests.documents.samples import fixture
from tests.timing import assert_ratio


def test_lists_made_of_the_same_things_are_told_of_together() -> None:
    summary = summarise(fixture("golden/daily_table.md"))
    (one,) = summary.lists
    assert one.sections == ("Language", "Vision")
    assert (one.shape, one.entries) == ("row", 14)
    assert one.pattern.startswith("| **DATE** | **TITLE** |")
    title = next(part for part in one.parts if part.role == "title")
    assert title.entries == 14
    assert title.examples[0].startswith("Literary Evidence Retrieval")
    assert len(title.examples) == 3


def test_links_are_told_of_by_where_they_lead() -> None:
    (one,) = summarise(fixture("golden/reference_links.md")).lists
    code = next(part for part in one.parts if part.role == "link to code")
    assert all(example.startswith("https://github.com/") for example in code.examples)


def test_what_only_some_entries_have_makes_no_other_kind_of_them() -> None:
    text = "# List\n\n" + "".join(
        f"- [A Study of Paper Number {n}](https://arxiv.org/abs/2401.0000{n})"
        + f" [[code](https://github.com/a/b{n})]" * (n % 2)
        + "\n"
        for n in range(1, 8)
    )
    (one,) = summarise(parse_document(text)).lists
    code = next(part for part in one.parts if part.role == "link to code")
    assert PartShown("link to code", 4, code.examples) == code


def test_content_that_is_no_part_is_told_with_its_line() -> None:
    text = "# List\n\nSee [this page](https://example.org/x) and [that](https://example.org/y).\n\n"
    text += "- [A Study of Things](https://arxiv.org/abs/2401.00001)\n"
    summary = summarise(parse_document(text))
    assert [shown.line for shown in summary.not_understood] == [3]


def test_works_that_the_text_only_mentions_are_told_with_their_lines() -> None:
    text = "# List\n\n- [A Study of Things](https://arxiv.org/abs/2401.00001)[^1]\n\n"
    text += "[^1]: After [An Older Study](https://arxiv.org/abs/2301.00002).\n"
    mentioned = summarise(parse_document(text)).mentioned
    assert mentioned == (LineShown(5, "An Older Study"),)


def test_a_text_without_entries_has_nothing_to_tell() -> None:
    summary = summarise(parse_document("# Nothing\n"))
    assert summary.lists == ()
    assert summary.confidence == 1.0


PAIRS = (
    ("Words and Their Meaning in Models", "Learning to Speak with Few Examples"),
    ("A Study of Things That Move", "Fast Training of Small Networks"),
    ("On the Way to Better Lists", "Large Models for Small Machines"),
)
LIST = "# List\n\n" + "".join(
    f"- [{first}](https://arxiv.org/abs/2401.0000{number}): {second}\n"
    for number, (first, second) in enumerate(PAIRS)
)


@pytest.mark.parametrize("place", [0, 1])
def test_the_title_of_one_entry_shows_where_all_stand(place: int) -> None:
    document = parse_document(LIST, {"title": PAIRS[1][place]})
    assert [entry.fields.title for entry in document.entries] == [pair[place] for pair in PAIRS]


def test_a_title_that_no_entry_has_is_refused() -> None:
    document = parse_document(LIST)
    check_setting(document, "title", PAIRS[2][0])
    with pytest.raises(UsageError, match="has the title 'Words That Nobody Wrote'"):
        check_setting(document, "title", "Words That Nobody Wrote")


def test_telling_how_a_long_list_is_read_takes_little_longer_than_reading_it() -> None:
    names = "A. Smith, B. Li and C. Novak"
    lines = (f"- [Work {n} on Graphs](https://e.org/{n}) - {names}\n" for n in range(1000))
    text = "".join(lines)
    document = parse_document(text)
    others = (f"{text}\n{number}\n" for number in count())  # What was read just now is kept.
    assert_ratio(1.3, lambda: parse_document(next(others)), lambda: summarise(document))
