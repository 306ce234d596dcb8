"""A pattern that the curator declares is law: for reading a list, and for writing into it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.markdown.model import Document, EntryFields
from papertrack.documents.markdown.pattern import FIELDS, parse_pattern
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.settings import check_setting
from papertrack.documents.markdown.write.edit_types import Add
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.errors import UsageError
from papertrack.records import Link
from tests.documents.samples import added_lines

ARXIV = "https://arxiv.org/abs/"
LIST = f"""# Reading

## Vision

- [2024-05] **Orca**: [Night Signs: with Lamps]({ARXIV}2405.00001) (ICML 2024)
- [2024-03] **Quill**: [Feathers (and Ink) for All]({ARXIV}2403.00002) (CVPR (Oral))
- [2024-01] **Ode**: [Songs [of] Tables]({ARXIV}2401.00003)

## Plain

- Deep Nets of Rain, ICLR, 2019
- The Sea at Dawn, NeurIPS, 2020
"""
VISION = "- [{date}] **{name}**: [{title}]({url}){? ({venue})?}"
PLAIN = "- {title}, {venue}, {year}"
DECLARED = {"entry.Vision": VISION, "entry.Plain": PLAIN}


def added(document: Document, category: str, fields: EntryFields) -> list[str]:
    """Return the lines that a new entry adds."""
    changed = apply_edits(document, [Add((category,), fields)])
    assert not changed.refused
    return added_lines(document.text, changed.text)


def test_lines_are_read_by_the_pattern_of_their_heading() -> None:
    entries = parse_document(LIST, DECLARED).entries
    assert [(e.fields.title, e.fields.venue, e.fields.date) for e in entries] == [
        ("Night Signs: with Lamps", "ICML 2024", "2024-05"),
        ("Feathers (and Ink) for All", "CVPR (Oral)", "2024-03"),
        ("Songs [of] Tables", None, "2024-01"),
        ("Deep Nets of Rain", "ICLR", "2019"),
        ("The Sea at Dawn", "NeurIPS", "2020"),
    ]


def test_a_line_that_the_pattern_does_not_fit_is_read_as_it_was() -> None:
    line = f"- [A Work Apart]({ARXIV}2402.00009), which has no date\n"
    text = LIST.replace("\n## Plain", line + "\n## Plain")
    read, plain = parse_document(text, DECLARED).entries[3], parse_document(text).entries[3]
    assert read.fields == plain.fields
    assert not read.anatomy.is_declared


def test_a_pattern_says_what_links_are_for() -> None:
    text = "# L\n\n- Big Fish. <https://a.org/x>, see <https://b.org/y>\n"
    pattern = "- {title}. <{url}>, see <{video}>"
    (entry,) = parse_document(text, {"entry": pattern}).entries
    assert [(link.role, link.url) for link in entry.fields.links] == [
        ("paper", "https://a.org/x"),
        ("video", "https://b.org/y"),
    ]


def test_tags_are_what_signs_part() -> None:
    text = "# L\n\n- Big Fish {sea, deep water; cold}\n"
    (entry,) = parse_document(text, {"entry": "- {title} {{{tags}}}"}).entries
    assert entry.fields.tags == ("sea", "deep water", "cold")


@pytest.mark.parametrize(
    ("category", "fields", "line"),
    [
        (
            "Vision",
            EntryFields("Quiet Lamps", date="2024-04", links=(Link("paper", f"{ARXIV}2404.7"),)),
            f"- [2024-04] [Quiet Lamps]({ARXIV}2404.7)",
        ),
        (
            "Vision",
            EntryFields(
                "Loud Lamps", date="2024-04", venue="ECCV", links=(Link("paper", f"{ARXIV}2404.7"),)
            ),
            f"- [2024-04] [Loud Lamps]({ARXIV}2404.7) (ECCV 2024)",
        ),
        ("Plain", EntryFields("Still Sea", venue="KDD", year=2021), "- Still Sea, KDD, 2021"),
        ("Plain", EntryFields("Still Sea", year=2021), "- Still Sea, 2021"),
    ],
)
def test_a_new_entry_is_written_by_the_pattern(
    category: str, fields: EntryFields, line: str
) -> None:
    assert added(parse_document(LIST, DECLARED), category, fields) == [line]


def test_a_box_and_a_rating_may_stand_in_a_pattern() -> None:
    text = "# L\n\n## New\n\n- [x] Big Fish ⭐⭐⭐, KDD\n- [ ] Small Fish ⭐⭐, WWW\n"
    document = parse_document(text, {"entry": "- {mark} {title} {rating}, {venue}"})
    read = [(e.fields.title, e.fields.rating, e.fields.passes) for e in document.entries]
    assert read == [("Big Fish", 3, 1), ("Small Fish", 2, 0)]
    fields = EntryFields("No Fish", venue="KDD", rating=4, passes=0)
    assert added(document, "New", fields) == ["- [ ] No Fish ⭐⭐⭐⭐, KDD"]


def test_lines_below_the_first_are_written_as_those_around() -> None:
    text = "# L\n\n## New\n" + "".join(
        f"\n- **{title}**\n  - Venue: KDD {year}\n  - Link: {ARXIV}2601.0000{year}\n"
        for title, year in (("Big Fish of Dawn", 2021), ("Small Fish of Dusk", 2022))
    )
    fields = EntryFields(
        "No Fish", venue="WWW", year=2023, links=(Link("paper", f"{ARXIV}2301.1"),)
    )
    document = parse_document(text, {"entry": "- **{title}**"})
    lines = added(document, "New", fields)
    assert [one for one in lines if one] == [
        "- **No Fish**",
        "  - Venue: WWW 2023",
        f"  - Link: {ARXIV}2301.1",
    ]


def test_an_address_that_a_pattern_has_no_place_for_is_named() -> None:
    document = parse_document("# L\n\n## New\n\n- Big Fish, KDD\n", {"entry": "- {title}, {venue}"})
    fields = EntryFields("No Fish", venue="WWW", links=(Link("paper", "https://a.org/2"),))
    changed = apply_edits(document, [Add(("New",), fields)])
    told = "The list has no place for its address https://a.org/2."
    assert told in next(note.reason for note in changed.notes)


def test_an_empty_list_is_written_by_its_pattern() -> None:
    text = "# L\n\n## Old\n\n- [One](https://a.org/1) 2020\n\n## New\n\n"
    document = parse_document(text, {"entry.New": "- [{title}]({url}){?, {year}?}"})
    fields = EntryFields("Two", year=2021, links=(Link("paper", "https://a.org/2"),))
    assert added(document, "New", fields)[0] == "- [Two](https://a.org/2), 2021"


@pytest.mark.parametrize(
    ("key", "pattern", "said"),
    [
        ("entry", "- {titel}", "{titel} is not a field. Did you mean {title}?"),
        ("entry", "- {Title}", "{Title} is not a field. Did you mean {title}?"),
        ("entry", "- {title} {x y}", "{x y} is not a field. Choose from title, name"),
        ("entry", "- [{venue}]", "A pattern needs {title}"),
        ("entry", "- {title}{venue}", "{title} and {venue} need some text"),
        ("entry", "- {title}: {title}", "{title} occurs twice"),
        ("entry", "- {title {x}", "encloses no field"),
        ("entry", "- {title}{? ({venue})", "{? has no matching ?}"),
        ("entry", "", "one line"),
        ("entry", "- {title}\n- {url}", "one line"),
        ("entry", "- {title}?}", "enclose one part of an entry each"),
        ("entry", "- {title}" + "{? x?}" * 7, "at most 6 parts"),
        ("entry.Nowhere", "- {title}", "There is no heading 'Nowhere'. Choose from Vision"),
        (
            "entry.Plain",
            "- {title}; {venue}",
            "The first entry, in line 11, is: - Deep Nets",
        ),
    ],
)
def test_a_pattern_that_cannot_be_is_refused(key: str, pattern: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        check_setting(parse_document(LIST), key, pattern)
    assert said in str(raised.value)


def test_a_pattern_that_fits_is_taken() -> None:
    for key, pattern in DECLARED.items():
        check_setting(parse_document(LIST), key, pattern)


@given(st.lists(st.sampled_from([*(f"{{{f}}}" for f in FIELDS), " ", "[", "](", ")", "{?", "?}"])))
def test_any_pattern_is_understood_or_refused(parts: list[str]) -> None:
    try:
        pattern = parse_pattern("".join(parts))
    except UsageError:
        return
    pattern.read("- [a](b) c", (2, 10))


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("({name}({title}({venue}({date}({authors}({tags})x", "((((" * 200),
        ("{mark} {title}", ":-" * 75 + "[ x"),
        ("{title} {url}!", "a (b)" * 100),
    ],
)
def test_no_line_takes_long_to_read(pattern: str, line: str) -> None:
    """Trying all ways would never end."""
    assert parse_pattern(pattern).read(line, (0, len(line))) is None
