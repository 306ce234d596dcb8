"""What is new in a file, or in an entry, is written as most entries of it are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.bibtex.blocks import read_blocks
from papertrack.documents.bibtex.edit import with_field
from papertrack.documents.bibtex.fresh import Gaps, Hand, dialect_of, entry_of, hand_of
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.records import Author, Paper, PaperFacts

TABS = """@ARTICLE{Doe01,
\tAUTHOR =       "Ann Doe",
\tTITLE =        "Of Doors",
\tJOURNAL =      "J. Doors",
\tYEAR =         2001
}
"""
JABREF = """@InProceedings{Doe01,
  author    = {Ann Doe},
  title     = {Of Doors},
  booktitle = {Doors},
  year      = {2001},
}
"""
CLOSED_AT_THE_END = """@Article {Doe01,
    Author={Ann Doe},
    Title={Of Doors},
    Journal={J},
    Year=2001}
"""
ONE_LINE = "@article{a, author={Ann Doe}, title={Of Doors}, journal={J}, year={2001}}\n"
PAPER = Paper(
    1,
    "roe2002",
    PaperFacts(
        title="Of Windows",
        authors=(Author("Bert Roe"),),
        venue="J. Doors",
        year=2002,
        published_type="article",
        publication=(("month", "jan"),),
    ),
    added="2024-01-01",
)


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (
            TABS,
            '@ARTICLE{roe2002,\n\tTITLE =        "Of Windows",\n\tAUTHOR =       "Roe, Bert",\n'
            '\tJOURNAL =      "J. Doors",\n\tYEAR =         2002,\n\tMONTH =        jan\n}\n',
        ),
        (
            JABREF,
            "@Article{roe2002,\n  title     = {Of Windows},\n  author    = {Roe, Bert},\n"
            "  journal   = {J. Doors},\n  year      = {2002},\n  month     = jan,\n}\n",
        ),
        (
            CLOSED_AT_THE_END,
            "@Article{roe2002,\n    Title={Of Windows},\n    Author={Roe, Bert},\n"
            "    Journal={J. Doors},\n    Year=2002,\n    Month=jan}\n",
        ),
        (
            ONE_LINE,
            "@article{roe2002, title={Of Windows}, author={Roe, Bert}, journal={J. Doors}, "
            "year={2002}, month=jan}\n",
        ),
    ],
)
def test_a_new_entry_is_in_the_hand_of_the_others(text: str, entry: str) -> None:
    odd = "@misc{odd,author = {X}\n}\n\n"
    for given_text in (text, text * 2 + odd, odd + text.replace("01", "02") + text):
        assert entry_of(PAPER, hand=hand_of(read_blocks(given_text))) == entry


def test_a_new_field_is_in_the_hand_of_its_entry() -> None:
    assert with_field(TABS, "doi", "10.1/x") == TABS.replace(
        "2001\n", '2001,\n\tDOI =          "10.1/x"\n'
    )
    assert with_field(TABS, "note", 'a "b"') == TABS.replace(
        "2001\n", '2001,\n\tNOTE =         {a "b"}\n'
    )
    assert with_field(CLOSED_AT_THE_END, "volume", "7") == CLOSED_AT_THE_END.replace(
        "2001", "2001,\n    Volume=7"
    )


@given(
    st.builds(
        Hand,
        indent=st.sampled_from(["", "  ", "\t"]),
        is_on_one_line=st.booleans(),
        gaps=st.builds(Gaps, *[st.sampled_from([0, 1, 5])] * 4),
        delimiter=st.sampled_from('{"'),
        are_numbers_bare=st.booleans(),
        has_last_comma=st.booleans(),
        closing=st.sampled_from(["", " ", "\n", "\n  "]),
        case_of_names=st.sampled_from(["lower", "upper", "title"]),
    )
)
def test_an_entry_in_any_hand_is_read_as_it_was_meant(hand: Hand) -> None:
    fields = {"title": 'A {"B"} "c" = {d}', "year": "2001", "month": "feb", "doi": "10.1/\\_x"}
    (entry,) = parse_bibtex(hand.entry("book", "k", fields.items())).entries
    assert (entry.type, entry.citekey, dict(entry.fields)) == ("book", "k", fields)
    assert entry.problems == ()


@pytest.mark.parametrize(
    ("entries", "dialect"),
    [
        ("@online{a, year=1}" + "@article{b, journal={J}, year=2}" * 9, "bibtex"),
        ("@article{a, journaltitle={J}, date={2001}}@book{b, year=2}" + "@online{c}", "biblatex"),
        ("@misc{a, title={T}}@online{b, url={https://example.org}}", "biblatex"),
        ("", "bibtex"),
    ],
)
def test_most_entries_tell_the_dialect(entries: str, dialect: str) -> None:
    assert dialect_of(parse_bibtex(entries)) == dialect
